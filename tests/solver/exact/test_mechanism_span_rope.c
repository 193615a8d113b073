// Rigid ropes over sheaves in mechanisms: as long as they are let out, slack or taut, with the
// tension that mechanics says.
#include "tests/solver/exact/span_world.h"

Test(mechanism_span_rope, pulls_over_a_movable_pulley_as_mechanics_says) {
    const double c[3] = {1, 2, 1};
    tn_world *world = world_with(gravity, TN_SOLVER_DIRECT);
    machine it = machine_make(world, 0.0f);
    run_for(world, 1.0);
    const double *m = machine_masses;
    double tension = 4.0 * (double)9.81f / (1 / m[0] + 4 / m[1] + 1 / m[2]);
    for (uint32_t i = 0; i < 4; ++i) {
        double found = (double)tn_rope_joint_get_tension(world, it.rope, i);
        cr_assert(fabs(found - tension) < 1e-6 * tension, "%.9g N, not %.9g", found, tension);
    }
    for (uint32_t i = 0; i < 3; ++i) {
        double a = c[i] * tension / m[i] - (double)9.81f;
        double v = tn_body_get_velocity(world, it.bodies[i]).linear.y;
        cr_assert(fabs(v - a) < 1e-6 * 9.81, "%u: %.9g m/s, not %.9g", i, v, a);
    }
    cr_assert(tn_joint_get_error(world, it.rope).linear_length < 1e-9);
    tn_mechanism_info info;
    cr_assert_eq(tn_world_get_mechanisms(world, &info, 1), 1);
    cr_assert_eq(info.rows, 1);
    tn_world_destroy(world);
}

// A winch beside a weight on a hinged boom: the rope is as long as it was let out, and its work is
// what the rest gained.
Test(mechanism_span_rope, goes_with_its_winch, .timeout = 60) {
    tn_world *world = world_with(gravity, TN_SOLVER_DIRECT);
    tn_body_id boom = body_make(world, 2, 0, 0, 100, 50), load = body_make(world, 4, -1, 0, 50, 1);
    joint_make(world, TN_JOINT_TYPE_HINGE, world_body, boom, (tn_vec3){0, 0, 0},
               (tn_vec3){0, 0, 1});
    joint_make(world, TN_JOINT_TYPE_BALL, boom, load, (tn_vec3){4, 0, 0}, (tn_vec3){0, 1, 0});
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.points[0] = point_of(world_body, 0, 3, 0);
    def.points[1] = point_of(boom, 2, 0, 0);
    def.points[2] = point_of(world_body, 0, 3, 0);
    def.point_count = 3;
    def.length = 10.0;
    def.payout_speed = -0.1f;
    tn_joint_id rope = tn_rope_joint_create(world, &def);
    run_for(world, 1.0);
    double before = energy_of(world), work = tn_joint_get_motor_work(world, rope), worst = 0.0;
    for (int i = 1; i <= 240; ++i) {
        run_for(world, 1.0 / 60.0);
        double length = 10.0 - (double)0.1f * (1.0 + i / 60.0);
        worst = fmax(worst, fabs(tn_rope_joint_get_length(world, rope) - length));
        worst = fmax(worst, tn_rope_joint_get_extent(world, rope) - length);
        worst = fmax(worst, tn_world_get_telemetry(world).worst_joint_linear);
    }
    cr_assert(worst < 1e-9, "%g m", worst);
    double done = tn_joint_get_motor_work(world, rope) - work;
    double gained = energy_of(world) - before;
    cr_assert(gained > 100.0 && fabs(done - gained) < 1e-3 * gained, "%g J, gained %g", done,
              gained);
    tn_world_destroy(world);
}

// A weight thrown up on a rope: slack until it is back at its end, then a pendulum without energy
// along the rope.
Test(mechanism_span_rope, is_slack_until_it_is_taut, .timeout = 60) {
    tn_world *world = world_with(gravity, TN_SOLVER_DIRECT);
    tn_body_id one = body_make(world, 0, -3, 0, 1, 1), two = body_make(world, 1, -3, 0, 1, 1);
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.points[0] = point_of(one, 0, 0, 0);
    def.points[1] = point_of(world_body, 0.5, 0, 0);
    def.points[2] = point_of(two, 0, 0, 0);
    def.point_count = 3;
    tn_joint_id rope = tn_rope_joint_create(world, &def);
    tn_body_set_velocity(world, one, (tn_velocity){.linear = {0, 3, 0}});
    tn_body_set_velocity(world, two, (tn_velocity){.linear = {0, 3, 0}});
    run_for(world, 0.3);
    cr_assert(tn_rope_joint_is_slack(world, rope));
    double v = tn_body_get_velocity(world, one).linear.y;
    cr_assert(fabs(v - (3.0 - (double)9.81f * 0.3)) < 1e-6, "%g m/s", v);
    double most = 0.0;
    for (int i = 0; i < 300; ++i) {
        run_for(world, 1.0 / 60.0);
        double length = tn_rope_joint_get_length(world, rope);
        most = fmax(most, tn_rope_joint_get_extent(world, rope) - length);
    }
    cr_assert(most < 1e-9, "%g m", most);
    cr_assert(!tn_rope_joint_is_slack(world, rope));
    tn_world_destroy(world);
}
