// Rack and pinion against closed forms: a mass that falls, phase over many turns, and a rack that
// turns with what carries both.
#include "transmission_world.h"

static const tn_vec3 at_origin = {0.0, 0.0, 0.0};
static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};

typedef struct rack_pair {
    tn_world *world;
    tn_body_id pinion, rack;
    tn_joint_id joint;
} rack_pair;

// A pinion about z with the inertia 0.05 and a rack of 2 kg along y.
static rack_pair make_pair(tn_solver solver, float gravity, double radius) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0, (double)gravity, 0.0};
    def.is_sleep_allowed = false;
    def.solver = solver;
    rack_pair pair = {.world = tn_world_create(&def, NULL)};
    const tn_vec3 side = {radius, 0.3, 0.0};
    pair.pinion = wheel_make(pair.world, world_body, at_origin, along_z, 1.0, 0.05);
    pair.rack = body_make(pair.world, radius, 0.3, 0.0, 2.0, 0.1);
    joint_make(pair.world, TN_JOINT_TYPE_SLIDER, world_body, pair.rack, side, along_y);
    tn_rack_pinion_joint_def rack = tn_rack_pinion_joint_def_default();
    rack.base.body_a = pair.pinion;
    rack.base.body_b = pair.rack;
    rack.base.frame_a = wheel_frame(pair.world, pair.pinion, at_origin, along_z);
    rack.base.frame_b = wheel_frame(pair.world, pair.rack, side, along_y);
    rack.radius = radius;
    pair.joint = tn_rack_pinion_joint_create(pair.world, &rack);
    cr_assert(pair.joint.value != 0);
    return pair;
}

// Conjugate gradients end before the last digits.
static double get_share(tn_solver solver) {
    return solver == TN_SOLVER_CG ? 1e-3 : 1e-5;
}

// a = m g / (m + I / r^2), against +y.
Test(rack_pinion_joint, lets_a_rack_fall_with_its_pinion) {
    for (int s = 0; s < 4; ++s) {
        for (int k = 0; k < 2; ++k) {
            double radius = k == 0 ? 0.2 : -0.2;
            double acceleration = 2.0 * 9.81 / (2.0 + 0.05 / (radius * radius));
            rack_pair pair = make_pair(solvers[s], -9.81f, radius);
            run(pair.world, 2.0, 60.0, 4);
            double v = tn_body_get_velocity(pair.world, pair.rack).linear.y;
            double w = spin_of(pair.world, pair.pinion).z;
            cr_expect_float_eq(v, -2.0 * acceleration, 1e-4 * acceleration, "%d: %g", s, v);
            cr_expect_float_eq(v, radius * w, get_share(solvers[s]) * fabs(v), "%d", s);
            double travel = tn_rack_pinion_joint_get_travel(pair.world, pair.joint);
            cr_expect_float_eq(travel, 0.3 - 2.0 * acceleration, 2e-3, "%d: %g", s, travel);
            double angle = tn_rack_pinion_joint_get_angle(pair.world, pair.joint);
            cr_expect_float_eq(travel, 0.3 + radius * angle, 1e-3, "%d", s);
            // What the rack feels: m (g - a).
            double force = tn_joint_get_reaction(pair.world, pair.joint).force.y;
            double expected = 2.0 * (9.81 - acceleration);
            cr_expect_float_eq(force, expected, 10.0 * get_share(solvers[s]) * expected, "%d: %g",
                               s, force);
            tn_world_destroy(pair.world);
        }
    }
}

// 160 turns in a step, a million in all: of sixteen digits ten are the way of 1,256 km.
Test(rack_pinion_joint, stays_in_phase_over_a_million_turns) {
    rack_pair pair = make_pair(TN_SOLVER_PGS, 0.0f, 0.2);
    tn_body_set_angular_velocity(pair.world, pair.pinion, (tn_vec3){0.0, 0.0, 60000.0});
    tn_body_set_linear_velocity(pair.world, pair.rack, (tn_vec3){0.0, 12000.0, 0.0});
    run(pair.world, 106.0, 60.0, 1);
    double angle = tn_rack_pinion_joint_get_angle(pair.world, pair.joint);
    cr_assert(angle > 2e6 * PI);
    tn_body_set_angular_velocity(pair.world, pair.pinion, weightless);
    tn_body_set_linear_velocity(pair.world, pair.rack, weightless);
    run(pair.world, 1.0, 60.0, 4);
    cr_assert(fabs(tn_rack_pinion_joint_get_phase_error(pair.world, pair.joint)) < 1e-7);
    tn_world_destroy(pair.world);
}

Test(rack_pinion_joint, stays_where_it_is_when_its_radius_changes) {
    rack_pair pair = make_pair(TN_SOLVER_DIRECT, -9.81f, 0.2);
    run(pair.world, 1.0, 60.0, 4);
    tn_pose before = tn_body_get_pose(pair.world, pair.rack);
    tn_rack_pinion_joint_set_radius(pair.world, pair.joint, 0.35);
    cr_assert(fabs(tn_rack_pinion_joint_get_phase_error(pair.world, pair.joint)) < 1e-9);
    cr_assert_eq(tn_rack_pinion_joint_get_def(pair.world, pair.joint).radius, 0.35);
    tn_body_set_angular_velocity(pair.world, pair.pinion, weightless);
    tn_body_set_linear_velocity(pair.world, pair.rack, weightless);
    tn_world_step(pair.world, 1.0 / 240.0, 1);
    tn_pose after = tn_body_get_pose(pair.world, pair.rack);
    cr_assert(fabs(after.position.y - before.position.y) < 1e-3);
    tn_world_destroy(pair.world);
}

Test(rack_pinion_joint, is_refused_where_the_rack_lies_along_the_axis) {
    test_reports reports;
    tn_world *world = world_make(weightless, &reports);
    tn_body_id a = body_make(world, 0, 0, 0, 1, 1), b = body_make(world, 1, 0, 0, 1, 1);
    tn_rack_pinion_joint_def def = tn_rack_pinion_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    cr_assert_eq(tn_rack_pinion_joint_create(world, &def).value, 0);
    cr_assert_eq(reports.last, TN_RESULT_ZERO_AXIS);
    tn_world_destroy(world);
}
