// Screws against closed forms: a bolt that falls through its nut, a press, phase over many turns,
// and that it holds all but the one motion.
#include "transmission_world.h"

static const tn_vec3 at_origin = {0.0, 0.0, 0.0};
static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};

typedef struct screw_pair {
    tn_world *world;
    tn_body_id bolt;
    tn_joint_id joint;
} screw_pair;

// A bolt of 2 kg, inertia 0.01, along y in a nut that stands still.
static screw_pair make_bolt(tn_solver solver, tn_vec3 gravity, double lead) {
    tn_world_def def = tn_world_def_default();
    def.gravity = gravity;
    def.is_sleep_allowed = false;
    def.solver = solver;
    screw_pair pair = {.world = tn_world_create(&def, NULL)};
    pair.bolt = body_make(pair.world, 0, 0, 0, 2.0, 0.01);
    tn_screw_joint_def screw = tn_screw_joint_def_default();
    set_frames(pair.world, &screw.base, world_body, pair.bolt, at_origin, along_y);
    screw.lead = lead;
    pair.joint = tn_screw_joint_create(pair.world, &screw);
    cr_assert(pair.joint.value != 0);
    return pair;
}

// a = g / (1 + I / (m p^2)), p the way for a radian.
Test(screw_joint, lets_its_bolt_fall_as_it_turns) {
    for (int s = 0; s < 4; ++s) {
        for (int k = 0; k < 2; ++k) {
            double lead = k == 0 ? 0.3 : -0.3, p = lead / (2.0 * PI);
            double acceleration = 9.81 / (1.0 + 0.01 / (2.0 * p * p));
            screw_pair pair = make_bolt(solvers[s], (tn_vec3){3.0, -9.81, 2.0}, lead);
            run(pair.world, 2.0, 60.0, 4);
            double v = tn_screw_joint_get_speed(pair.world, pair.joint);
            double w = spin_of(pair.world, pair.bolt).y;
            cr_expect_float_eq(v, -2.0 * acceleration, 1e-3 * acceleration, "%d: %g", s, v);
            cr_expect_float_eq(v, p * w, 1e-4, "%d", s);
            double travel = tn_screw_joint_get_travel(pair.world, pair.joint);
            double angle = tn_screw_joint_get_angle(pair.world, pair.joint);
            cr_expect_float_eq(travel, -2.0 * acceleration, 1e-2 * acceleration, "%d: %g", s,
                               travel);
            cr_expect_float_eq(travel, p * angle, 1e-4, "%d: %g for %g", s, travel, p * angle);
            tn_joint_error error = tn_joint_get_error(pair.world, pair.joint);
            cr_expect(error.linear_length < 1e-3 && error.angular_length < 1e-3, "%d: %g %g", s,
                      error.linear_length, error.angular_length);
            tn_world_destroy(pair.world);
        }
    }
}

// A torque turns into a force 2 pi / lead times as large: 0.1 N·m hold 2 kg on 2 pi 0.1 / (2 g) m.
Test(screw_joint, carries_a_load_by_a_torque) {
    screw_pair pair =
        make_bolt(TN_SOLVER_DIRECT, (tn_vec3){0.0, -9.81, 0.0}, 2.0 * PI * 0.1 / (2.0 * 9.81));
    for (int i = 0; i < 120; ++i) {
        tn_body_apply_torque(pair.world, pair.bolt, (tn_vec3){0.0, 0.1, 0.0});
        tn_world_step(pair.world, 1.0 / 60.0, 4);
    }
    cr_assert(fabs(tn_screw_joint_get_travel(pair.world, pair.joint)) < 1e-5);
    tn_world_destroy(pair.world);
}

// A million turns, 160 in a step.
Test(screw_joint, stays_in_its_thread_over_a_million_turns) {
    screw_pair pair = make_bolt(TN_SOLVER_PGS, weightless, 0.002);
    tn_body_set_angular_velocity(pair.world, pair.bolt, (tn_vec3){0.0, 60000.0, 0.0});
    tn_body_set_linear_velocity(pair.world, pair.bolt,
                                (tn_vec3){0.0, (0.002 * 60000.0 / (2.0 * PI)), 0.0});
    run(pair.world, 106.0, 60.0, 1);
    cr_assert(tn_screw_joint_get_angle(pair.world, pair.joint) > 2e6 * PI);
    tn_body_set_velocity(pair.world, pair.bolt, (tn_velocity){0});
    run(pair.world, 1.0, 60.0, 4);
    double error = tn_screw_joint_get_phase_error(pair.world, pair.joint);
    cr_assert(fabs(error) < 1e-9, "%g", error);
    tn_world_destroy(pair.world);
}

// The nut moves and turns, nothing else does: momentum and energy of both stay.
Test(screw_joint, keeps_momentum_and_energy_of_a_free_pair) {
    tn_world_def def = tn_world_def_default();
    def.gravity = weightless;
    def.is_sleep_allowed = false;
    def.solver = TN_SOLVER_DIRECT;
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_id nut = body_make(world, 0, 0, 0, 3.0, 0.2), bolt = body_make(world, 0, 0, 0, 1, 0.02);
    tn_screw_joint_def screw = tn_screw_joint_def_default();
    set_frames(world, &screw.base, nut, bolt, at_origin, along_y);
    screw.lead = 0.05;
    cr_assert(tn_screw_joint_create(world, &screw).value != 0);
    tn_body_set_angular_velocity(world, nut, (tn_vec3){0.5, 1.0, 0.7});
    tn_body_set_angular_velocity(world, bolt, (tn_vec3){0.5, 9.0, 0.7});
    run(world, 0.1, 60.0, 4);
    double energy = tn_world_get_energy(world).kinetic;
    run(world, 5.0, 60.0, 4);
    tn_velocity v = tn_body_get_velocity(world, nut), u = tn_body_get_velocity(world, bolt);
    cr_assert(fabs(3.0 * v.linear.x + u.linear.x) < 1e-9);
    cr_assert(fabs(3.0 * v.linear.y + u.linear.y) < 1e-9);
    cr_assert(fabs(3.0 * v.linear.z + u.linear.z) < 1e-9);
    double now = tn_world_get_energy(world).kinetic;
    cr_assert(fabs(now - energy) < 1e-4 * energy, "%g of %g", now, energy);
    tn_world_destroy(world);
}

Test(screw_joint, stays_where_it_is_when_its_lead_changes) {
    screw_pair pair = make_bolt(TN_SOLVER_DIRECT, (tn_vec3){0.0, -9.81, 0.0}, 0.3);
    run(pair.world, 1.0, 60.0, 4);
    double travel = tn_screw_joint_get_travel(pair.world, pair.joint);
    tn_screw_joint_set_lead(pair.world, pair.joint, -0.1);
    cr_assert(fabs(tn_screw_joint_get_phase_error(pair.world, pair.joint)) < 1e-9);
    cr_assert_eq(tn_screw_joint_get_def(pair.world, pair.joint).lead, -0.1);
    cr_assert_eq(tn_screw_joint_get_travel(pair.world, pair.joint), travel);
    tn_world_destroy(pair.world);
}
