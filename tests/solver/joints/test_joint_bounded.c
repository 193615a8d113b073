// Tests of solver/joints/joint_bounded.c: limits far from their ends are left alone, and not too
// long; one bounded row by itself does what its closed form says.
#include <criterion/criterion.h>
#include <math.h>

#include "solver/joints/joint_bounded.h"
#include "tests/world/world_test.h"

typedef struct pair {
    tni_solver solver;
    tni_body_state states[2];
    tni_joint_block block;
} pair;

static pair make_pair(float speed, float room) {
    pair p = {.solver = {.h = 1.0f / 240.0f}, .block = {.body_b = 1, .limit_room = room}};
    p.states[1].w = maths_vec3(0.6f * speed, 0.0f, 0.8f * speed);
    return p;
}

// Turning straight at the limit, until it is looked at again.
static double turn_at_rest(float speed) {
    pair p = make_pair(speed, 0.5f);
    p.solver.bodies.states = p.states;
    double turned = 0.0;
    while (tni_joint_bounded_rests(&p.solver, &p.block) && turned < 1.0) {
        turned += (double)(p.solver.h * speed);
    }
    return turned;
}

Test(joint_bounded, limits_rest_until_they_may_be_reached) {
    for (float speed = 0.25f; speed < 10.0f; speed *= 2.0f) {
        double turned = turn_at_rest(speed), substep = (double)speed / 240.0;
        // A row may be twice as long as the turn, and four substeps are kept in hand.
        cr_assert(2.0 * turned < 0.5 - 0.02 - 8.0 * substep, "%g rad/s: %g rad", (double)speed,
                  turned);
        cr_assert(2.0 * turned > 0.5 - 0.02 - 14.0 * substep - 0.01, "%g rad/s: %g rad",
                  (double)speed, turned);
    }
    cr_assert(turn_at_rest(40.0f) == 0.0);
}

Test(joint_bounded, what_has_no_room_does_not_rest) {
    const float rooms[4] = {0.0f, 0.02f, -0.3f, NAN};
    for (int i = 0; i < 4; ++i) {
        pair p = make_pair(0.0f, rooms[i]);
        p.solver.bodies.states = p.states;
        cr_assert(!tni_joint_bounded_rests(&p.solver, &p.block));
    }
    pair p = make_pair(0.0f, 0.3f);
    p.solver.bodies.states = p.states;
    cr_assert(tni_joint_bounded_rests(&p.solver, &p.block) && p.block.limit_room == 0.3f);
    p.states[0].w.x = NAN;
    cr_assert(!tni_joint_bounded_rests(&p.solver, &p.block));
}

// ---- closed forms ------------------------------------------------------------------------------

// Weightless unless told otherwise, under Gauss-Seidel.
static tn_world *make_world(float gravity) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){(double)gravity, 0.0, 0.0};
    def.solver = TN_SOLVER_PGS;
    def.is_sleep_allowed = false;
    def.restitution_threshold = 0.05f;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

// 2 kg and 0.3 kg·m^2.
static tn_body_id make_body(tn_world *world) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_body_set_mass(world, body,
                     (tn_mass){.mass = 2.0, .inertia = {.xx = 0.3, .yy = 0.3, .zz = 0.3}});
    return body;
}

// About or along x at the body's centre.
static tn_joint_id make_slider(tn_world *world, tn_body_id body, tn_slider_joint_def *def) {
    def->base.body_b = body;
    return tn_slider_joint_create(world, def);
}

static tn_joint_id make_hinge(tn_world *world, tn_body_id body, tn_hinge_joint_def *def) {
    def->base.body_b = body;
    return tn_hinge_joint_create(world, def);
}

// Both ways: as much as its cap, in each half of a substep and in both together.
Test(joint_bounded, a_motor_gives_its_cap_and_no_more_either_way) {
    for (int i = 0; i < 4; ++i) {
        tn_world *world = make_world(0.0f);
        tn_body_id body = make_body(world);
        float way = i % 2 == 0 ? 1.0f : -1.0f;
        tn_slider_joint_def def = tn_slider_joint_def_default();
        def.motor = (tn_motor){
            .mode = TN_MOTOR_MODE_SPEED, .target_speed = 1000.0f * way, .max_force = 4.0f};
        tn_joint_id joint = make_slider(world, body, &def);
        for (int k = 0; k < 60; ++k) {
            cr_assert(tn_world_step(world, 1.0 / 60.0, i < 2 ? 1 : 4) == TN_RESULT_OK);
        }
        TEST_NEAR(tn_slider_joint_get_speed(world, joint), 2.0 * (double)way, 1e-4);
        TEST_NEAR(tn_slider_joint_get_translation(world, joint), (double)way, 1e-4);
        tn_world_destroy(world);
    }
}

// x'' = -2 z w x' - w^2 x.
Test(joint_bounded, a_spring_of_a_frequency_swings_and_dies_away_as_it_says) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = make_world(0.0f);
        tn_body_id body = make_body(world);
        double z = i == 0 ? 0.0 : 0.2, w = 2.0 * 3.14159265358979 * 0.5;
        tn_slider_joint_def def = tn_slider_joint_def_default();
        def.spring = (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY,
                                 .hertz = 0.5f,
                                 .damping_ratio = (float)z,
                                 .rest = 0.0f};
        tn_joint_id joint = make_slider(world, body, &def);
        tn_body_set_linear_velocity(world, body, (tn_vec3){1.0, 0.0, 0.0});
        double of = w * sqrt(1.0 - z * z), worst = 0.0;
        for (int k = 1; k <= 480; ++k) {
            cr_assert(tn_world_step(world, 1.0 / 120.0, 4) == TN_RESULT_OK);
            double t = k / 120.0, x = exp(-z * w * t) * sin(of * t) / of;
            worst = fmax(worst, fabs(tn_slider_joint_get_translation(world, joint) - x));
        }
        cr_assert(worst < 1e-4, "ratio %g: %g m", z, worst);
        tn_world_destroy(world);
    }
}

// Pushed against its end, by gravity or by a torque, it comes back as far as e^2 says, at any rate:
// the speed counts that it has where the end is.
Test(joint_bounded, a_limit_that_bounces_gives_back_what_it_was_met_with) {
    const double rates[3] = {60.0, 83.0, 240.0};
    for (int i = 0; i < 12; ++i) {
        bool turns = i % 2 == 1;
        double e = i / 2 % 2 == 0 ? 1.0 : 0.7, rate = rates[i / 4], way = 0.4;
        tn_world *world = make_world(turns ? 0.0f : -5.0f);
        tn_body_id body = make_body(world);
        tn_limit limit = {
            .is_enabled = true, .lower = -(float)way, .upper = 10.0f, .restitution = (float)e};
        tn_slider_joint_def slider = tn_slider_joint_def_default();
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        slider.limit = hinge.limit = limit;
        hinge.limit.upper = 3.0f;
        tn_joint_id joint =
            turns ? make_hinge(world, body, &hinge) : make_slider(world, body, &slider);
        double t_1 = sqrt(2.0 * way / 5.0), top = -1.0;
        for (int k = 0; k < (int)((1.0 + 1.2 * e) * t_1 * rate); ++k) {
            tn_body_apply_torque(world, body, (tn_vec3){turns ? -1.5 : 0.0, 0.0, 0.0});
            cr_assert(tn_world_step(world, 1.0 / rate, 1) == TN_RESULT_OK);
            double at = turns ? tn_hinge_joint_get_angle(world, joint)
                              : tn_slider_joint_get_translation(world, joint);
            top = (k + 1) / rate > t_1 + 0.05 ? fmax(top, at + way) : 0.0;
        }
        cr_assert(fabs(top - e * e * way) < 0.01 * way, "case %d: %g for %g", i, top, e * e * way);
        tn_world_destroy(world);
    }
}

// A bar that swings between two ends of its hinge: what its weight did on the way of its centre
// counts, which the blow, given to joint and limit, does not leave on the arc.
Test(joint_bounded, a_pendulum_between_ends_that_bounce_keeps_its_energy) {
    const double rates[3] = {60.0, 60.0, 240.0}, arms[2] = {0.3, 1.0};
    const uint32_t substeps[3] = {4, 1, 4};
    for (int i = 0; i < 6; ++i) {
        tn_world *world = make_world(0.0f);
        tn_world_set_gravity(world, (tn_vec3){0.0, -9.81, 0.0});
        tn_body_id body = make_body(world);
        double arm = arms[i / 3], scale = 2.0 * 9.81 * arm;
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        const tn_vec3 anchor = {-arm, 0.0, 0.0};
        const tn_vec3 axle = {0.0, 0.0, 1.0};
        cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, body, anchor, axle));
        def.limit =
            (tn_limit){.is_enabled = true, .lower = -0.9f, .upper = 0.9f, .restitution = 1.0f};
        tn_hinge_joint_create(world, &def);
        double start = tn_world_get_energy(world).potential;
        for (int k = 0; k < (int)(10.0 * rates[i % 3]); ++k) {
            cr_assert(tn_world_step(world, 1.0 / rates[i % 3], substeps[i % 3]) == TN_RESULT_OK);
        }
        tn_energy energy = tn_world_get_energy(world);
        double change = (energy.kinetic + energy.potential - start) / scale;
        cr_assert(fabs(change) < 0.01, "%g m at %g Hz x %u: %g", arm, rates[i % 3], substeps[i % 3],
                  change);
        tn_world_destroy(world);
    }
}

// A weight on a tether that throws it back, flung at an angle: what gravity does across the line
// is no part of the blow, and the turning of the line is. Tolerance: of the 2 m that it may fall,
// what a way of a substep along the circle leaves out.
Test(joint_bounded, a_weight_flung_about_in_its_tether_keeps_its_energy) {
    const double rates[3] = {60.0, 60.0, 240.0}, most[3] = {2e-3, 1e-2, 2e-3};
    const uint32_t substeps[3] = {4, 1, 4};
    for (int i = 0; i < 12; ++i) {
        int flight = i / 3, r = i % 3;
        tn_world *world = make_world(0.0f);
        tn_world_set_gravity(world, (tn_vec3){0.0, -9.81, 0.0});
        tn_body_id body = make_body(world);
        tn_body_set_linear_velocity(world, body,
                                    (tn_vec3){1.0 + flight, 0.5, (double)(0.7f * (float)flight)});
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base.body_b = body;
        def.is_rigid = false;
        def.limit = (tn_limit){.is_enabled = true, .upper = 1.0f, .restitution = 1.0f};
        tn_distance_joint_create(world, &def);
        double mass = (double)tn_body_get_mass(world, body).mass, scale = mass * 9.81 * 2.0;
        tn_energy energy = tn_world_get_energy(world);
        double start = energy.kinetic + energy.potential, change = 0.0;
        for (int k = 0; k < (int)(3.0 * rates[r]); ++k) {
            cr_assert(tn_world_step(world, 1.0 / rates[r], substeps[r]) == TN_RESULT_OK);
            energy = tn_world_get_energy(world);
            change = fmax(change, fabs(energy.kinetic + energy.potential - start) / scale);
        }
        cr_assert(change < most[r], "flight %d at %g Hz x %u: %g", flight, rates[r], substeps[r],
                  change);
        tn_world_destroy(world);
    }
}

// An end gives way to a load as its spring of 0.25 of the substep rate does, g / w^2, to that half
// of it which acts before the poses move.
Test(joint_bounded, a_limit_under_a_load_sinks_as_its_softness_says) {
    const uint32_t substeps[3] = {1, 2, 4};
    for (int i = 0; i < 3; ++i) {
        tn_world *world = make_world(-5.0f);
        tn_body_id body = make_body(world);
        tn_slider_joint_def def = tn_slider_joint_def_default();
        def.limit = (tn_limit){.is_enabled = true, .lower = -0.001f, .upper = 1.0f};
        tn_joint_id joint = make_slider(world, body, &def);
        for (int k = 0; k < 240; ++k) {
            cr_assert(tn_world_step(world, 1.0 / 60.0, substeps[i]) == TN_RESULT_OK);
        }
        double w = 2.0 * 3.14159265358979 * 0.25 * 60.0 * substeps[i];
        double sink = 0.5 * 5.0 / (w * w);
        double at = -0.001 - tn_slider_joint_get_translation(world, joint);
        cr_assert(fabs(at - sink) < 0.05 * sink, "%u substeps: %g m for %g", substeps[i], at, sink);
        tn_world_destroy(world);
    }
}
