// Limits that give way and limits that throw back, of every joint that has them, under both
// solvers.
#include "joint_rig.h"

#include <stdio.h>

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 gravity_z = {0.0, 0.0, -9.81};
static const double pi = 3.14159265358979323846;

static const char *name_case(const joint_rig *rig, int k) {
    static char name[64];
    snprintf(name, sizeof name, "type %d, solver %d", (int)rig->type, k % RIG_SOLVERS);
    return name;
}

static joint_rig rig_of(int k, double mass, tn_vec3 pull) {
    return rig_make(rig_types[k / RIG_SOLVERS], rig_solvers[k % RIG_SOLVERS], mass, pull);
}

#define RIGS (RIG_TYPES * RIG_SOLVERS)

// A hinge far from the centre of mass: a pendulum of 1 m that hangs at angle 0, 1.2 kg·m² about its
// hinge.
static joint_rig pendulum_make(tn_solver solver, double angle) {
    joint_rig rig = rig_make(TN_JOINT_TYPE_HINGE, solver, 1.0, gravity);
    tn_body_destroy(rig.world, rig.body);
    rig.body = body_make(rig.world, 0, -1, 0, 1.0, 0.2);
    rig.joint = joint_make(rig.world, TN_JOINT_TYPE_HINGE, world_body, rig.body, (tn_vec3){0, 0, 0},
                           (tn_vec3){0, 0, 1});
    tn_body_set_pose(
        rig.world, rig.body,
        (tn_pose){{sin(angle), -cos(angle), 0}, {0, 0, sin(angle / 2), cos(angle / 2)}});
    return rig;
}

static double get_energy(const joint_rig *rig) {
    tn_energy energy = tn_world_get_energy(rig->world);
    return energy.kinetic + energy.potential + energy.elastic;
}

// ---- soft ---------------------------------------------------------------------------------------

// Freely to 0.5 at 3 m/s, half a swing against the spring, back at the same speed, and the same at
// the other end. 2 kg on 800 N/m: w = 20 rad/s, v / w = 0.15 m deep, pi / 20 s long.
Test(joint_limits, a_soft_limit_is_half_of_a_spring) {
    for (int k = 0; k < RIGS; ++k) {
        joint_rig rig = rig_of(k, 2.0, none);
        tn_limit limit = {.is_enabled = true, .lower = -0.5f, .upper = 0.5f, .stiffness = 800.0f};
        rig_set_limit(&rig, limit);
        rig_push_off(&rig, 3.0);
        double start = get_energy(&rig), deepest = 0.0, highest = 0.0;
        for (int i = 0; i < 240; ++i) {
            run(rig.world, 1.0 / 240.0, 240.0, 4);
            deepest = fmax(deepest, rig_get_value(&rig) - 0.5);
            highest = fmax(highest, get_energy(&rig));
        }
        double truth = -0.5 + 3.0 * (1.0 - 0.5 - 2.0 * pi / 20.0);
        cr_assert_float_eq(deepest, 0.15, 1e-3, "%s: %g", name_case(&rig, k), deepest);
        cr_assert_float_eq(rig_get_value(&rig), truth, 5e-3, "%s: %g and %g", name_case(&rig, k),
                           rig_get_value(&rig), truth);
        cr_assert(highest < start * (1.0 + 1e-4), "%s: %g of %g", name_case(&rig, k), highest,
                  start);
        cr_assert(get_energy(&rig) > start * (1.0 - 2e-3), "%s: %g of %g", name_case(&rig, k),
                  get_energy(&rig), start);
        rig_destroy(&rig);
    }
}

// Twenty bounces between soft ends: what a substep makes of coming and going is never a gain.
Test(joint_limits, a_soft_limit_never_adds_energy) {
    const float stiffnesses[] = {50.0f, 5e3f, 5e5f, 5e9f};
    for (int k = 0; k < RIGS; ++k) {
        for (int s = 0; s < 4; ++s) {
            joint_rig rig = rig_of(k, 2.0, none);
            tn_limit limit = {
                .is_enabled = true, .lower = -0.3f, .upper = 0.3f, .stiffness = stiffnesses[s]};
            rig_set_limit(&rig, limit);
            rig_push_off(&rig, 2.3);
            double start = get_energy(&rig);
            for (int i = 0; i < 300; ++i) {
                run(rig.world, 1.0 / 60.0, 60.0, 4);
                double now = get_energy(&rig);
                cr_assert(now < start * (1.0 + 1e-4), "%s, %g N/m: %g of %g", name_case(&rig, k),
                          (double)stiffnesses[s], now, start);
            }
            rig_destroy(&rig);
        }
    }
}

// Weight over stiffness, and nothing moves.
Test(joint_limits, a_soft_limit_bears_a_load_at_rest) {
    for (int k = 0; k < RIG_SOLVERS; ++k) {
        joint_rig rig = rig_make(TN_JOINT_TYPE_SLIDER, rig_solvers[k], 2.0, gravity_z);
        tn_limit limit = {.is_enabled = true,
                          .lower = -0.2f,
                          .upper = 1.0f,
                          .stiffness = 400.0f,
                          .damping = 40.0f};
        rig_set_limit(&rig, limit);
        run(rig.world, 5.0, 60.0, 4);
        for (int i = 0; i < 60; ++i) {
            run(rig.world, 1.0 / 60.0, 60.0, 4);
            cr_assert_float_eq(rig_get_value(&rig), -0.2 - 19.62 / 400.0, 1e-5, "%s: %g",
                               name_case(&rig, k), rig_get_value(&rig));
        }
        cr_assert_float_eq(tn_joint_get_reaction(rig.world, rig.joint).force.z, 19.62, 1e-3);
        // It is where it should be, and has what it stores.
        cr_assert(tn_joint_get_error(rig.world, rig.joint).linear_length < 1e-6);
        cr_assert_float_eq(tn_world_get_energy(rig.world).elastic, 0.5 * 19.62 * 19.62 / 400.0,
                           1e-4);
        rig_destroy(&rig);
    }
}

// x = v / w_d e^(-z w t) sin(w_d t) until the force is zero, which is where x'' = 0, at
// w_d t = pi - atan2(2 z s, 1 - 2 z^2), s = sqrt(1 - z^2), and x' = -v e^(-z w t).
Test(joint_limits, damping_of_a_soft_limit_takes_from_what_it_throws_back) {
    for (int k = 0; k < RIGS; ++k) {
        joint_rig rig = rig_make_with(rig_types[k / RIG_SOLVERS], rig_solvers[k % RIG_SOLVERS], 1.0,
                                      none, true);
        // w = 20 rad/s, z = 0.2
        tn_limit limit = {.is_enabled = true,
                          .lower = -0.9f,
                          .upper = 0.5f,
                          .stiffness = 400.0f,
                          .damping = 8.0f};
        rig_set_limit(&rig, limit);
        rig_push_off(&rig, 2.0);
        for (int i = 0; i < 400 && rig_get_speed(&rig) > -0.1; ++i) {
            run(rig.world, 1.0 / 240.0, 240.0, 4);
        }
        run(rig.world, 0.15, 240.0, 4);
        double z = 0.2, root = sqrt(1.0 - z * z);
        double angle = pi - atan2(2.0 * z * root, 1.0 - 2.0 * z * z);
        double share = exp(-z / root * angle);
        cr_assert_float_eq(rig_get_speed(&rig), -2.0 * share, 1e-2, "%s: %g and %g",
                           name_case(&rig, k), rig_get_speed(&rig), -2.0 * share);
        double lost = -tn_world_get_energy(rig.world).spring_work;
        cr_assert_float_eq(lost, 2.0 * (1.0 - share * share), 0.02, "%s: %g J", name_case(&rig, k),
                           lost);
        rig_destroy(&rig);
    }
}

// ---- bouncing -----------------------------------------------------------------------------------

Test(joint_limits, a_bouncing_limit_sends_back_a_share_of_the_speed) {
    const float shares[] = {0.25f, 0.6f, 1.0f};
    for (int k = 0; k < RIGS; ++k) {
        for (int e = 0; e < 3; ++e) {
            for (int r = 0; r < 2; ++r) {
                joint_rig rig = rig_of(k, 2.0, none);
                tn_limit limit = {
                    .is_enabled = true, .lower = -0.6f, .upper = 0.5f, .restitution = shares[e]};
                rig_set_limit(&rig, limit);
                rig_push_off(&rig, 7.0);
                double farthest = 0.0;
                for (int i = 0; i < (int)(0.1 * test_rates[r]); ++i) {
                    run(rig.world, 1.0 / test_rates[r], test_rates[r], 4);
                    farthest = fmax(farthest, rig_get_value(&rig));
                }
                double speed = rig_get_speed(&rig), truth = -7.0 * (double)shares[e];
                cr_assert_float_eq(speed / truth, 1.0, 1e-3, "%s, %g: %g", name_case(&rig, k),
                                   (double)shares[e], speed);
                cr_assert(farthest < 0.5 + 1e-4, "%s: %g", name_case(&rig, k), farthest);
                rig_destroy(&rig);
            }
        }
    }
}

// A weight on a slider falls 1 m onto its stop, and then e^2, e^4 ... of that, until it rests.
// Tolerance: of a step between two heights, g dt^2 / 8, and the share of a way that a substep is.
Test(joint_limits, heights_over_a_stop_fall_by_the_square_of_the_restitution) {
    for (int k = 0; k < 2 * RIG_SOLVERS; ++k) {
        joint_rig rig = rig_make_with(TN_JOINT_TYPE_SLIDER, rig_solvers[k % RIG_SOLVERS], 2.0,
                                      gravity_z, k >= RIG_SOLVERS);
        rig_set_limit(
            &rig,
            (tn_limit){.is_enabled = true, .lower = -1.0f, .upper = 5.0f, .restitution = 0.7f});
        double highest = 0.0, previous = 0.0, truth = 1.0, start = get_energy(&rig);
        int bounces = 0;
        for (int i = 0; i < 1200; ++i) {
            run(rig.world, 1.0 / 240.0, 240.0, 4);
            double speed = rig_get_speed(&rig), height = rig_get_value(&rig) + 1.0;
            highest = fmax(highest, height);
            if (previous < 0.0 && speed > 0.5) {
                bounces += 1;
                highest = 0.0;
                truth *= 0.49;
            }
            if (previous > 0.0 && speed <= 0.0 && bounces > 0 && truth > 0.05) {
                cr_assert_float_eq(highest / truth, 1.0, 0.01, "%s, %d: %g m and %g",
                                   name_case(&rig, k), bounces, highest, truth);
            }
            cr_assert(get_energy(&rig) < start + 1e-3);
            previous = speed;
        }
        cr_assert(bounces >= 4, "%d", bounces);
        for (int i = 0; i < 60; ++i) {
            run(rig.world, 1.0 / 60.0, 60.0, 4);
            cr_assert_float_eq(rig_get_value(&rig), -1.0, 1e-4, "%s", name_case(&rig, k));
            cr_assert(fabs(rig_get_speed(&rig)) < 1e-4, "%s: %g", name_case(&rig, k),
                      rig_get_speed(&rig));
        }
        cr_assert_float_eq(tn_joint_get_reaction(rig.world, rig.joint).force.z, 19.62, 1e-2);
        rig_destroy(&rig);
    }
}

// Let go level, it falls onto a stop where it hangs: 1 - cos of the angle it swings back to is e^2
// of what it fell through.
Test(joint_limits, a_pendulum_on_a_stop_swings_back_to_the_square_of_the_restitution) {
    const float shares[] = {0.5f, 0.8f, 1.0f};
    for (int k = 0; k < RIG_SOLVERS; ++k) {
        for (int e = 0; e < 3; ++e) {
            joint_rig rig = pendulum_make(rig_solvers[k], 0.5 * pi);
            double share = (double)shares[e], truth = 1.0;
            rig_set_limit(&rig, (tn_limit){.is_enabled = true,
                                           .lower = 0.0f,
                                           .upper = 3.0f,
                                           .restitution = shares[e]});
            double start = get_energy(&rig), highest = 0.0, previous = 0.0;
            int swings = 0;
            for (int i = 0; i < 1200 && swings < 3; ++i) {
                run(rig.world, 1.0 / 240.0, 240.0, 4);
                double speed = rig_get_speed(&rig);
                highest = fmax(highest, 1.0 - cos(rig_get_value(&rig)));
                if (previous < 0.0 && speed > 0.0) {
                    highest = 0.0;
                    truth *= share * share;
                    swings += 1;
                }
                if (previous > 0.0 && speed <= 0.0) {
                    cr_assert_float_eq(highest / truth, 1.0, 0.02, "solver %d, %g: %g and %g", k,
                                       share, highest, truth);
                }
                cr_assert(rig_get_value(&rig) > -1e-3, "%g", rig_get_value(&rig));
                cr_assert(get_energy(&rig) < start + 2e-3 * fabs(start) + 0.02,
                          "solver %d: %g of %g", k, get_energy(&rig), start);
                previous = speed;
            }
            cr_assert(swings == 3);
            rig_destroy(&rig);
        }
    }
}

// Slower than the world's threshold nothing bounces.
Test(joint_limits, that_are_met_slowly_do_not_bounce) {
    for (int k = 0; k < RIGS; ++k) {
        joint_rig rig = rig_of(k, 2.0, none);
        tn_world_set_restitution_threshold(rig.world, 2.0f);
        rig_set_limit(
            &rig,
            (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 0.5f, .restitution = 1.0f});
        rig_push_off(&rig, 1.9);
        run(rig.world, 1.0, 60.0, 4);
        cr_assert(fabs(rig_get_speed(&rig)) < 1e-4, "%s: %g", name_case(&rig, k),
                  rig_get_speed(&rig));
        cr_assert_float_eq(rig_get_value(&rig), 0.5, 1e-4);
        rig_destroy(&rig);
    }
}

// A door of the direct solver on whose edge a weight hangs by a joint of Gauss-Seidel's: this moves
// both, and the door's joint is closed after it. Its sweeps do not carry all of the blow to the
// weight: some of it is lost, and nothing gained.
Test(joint_limits, bounce_where_the_direct_solver_only_closes_what_gauss_seidel_moved) {
    joint_rig rig = rig_make(TN_JOINT_TYPE_HINGE, TN_SOLVER_DIRECT, 2.0, none);
    tn_body_id weight = body_make(rig.world, 0, 0, 1, 0.2, 0.2);
    tn_joint_id tie = joint_make(rig.world, TN_JOINT_TYPE_FIXED, rig.body, weight,
                                 (tn_vec3){0, 0, 1}, (tn_vec3){0, 0, 1});
    tn_joint_set_solver(rig.world, tie, TN_SOLVER_PGS);
    tn_hinge_joint_set_limit(
        rig.world, rig.joint,
        (tn_limit){.is_enabled = true, .lower = -1.0f, .upper = 0.5f, .restitution = 0.5f});
    rig_push_off(&rig, 4.0);
    tn_body_set_angular_velocity(rig.world, weight, (tn_vec3){0.0, 0.0, 4.0});
    run(rig.world, 0.25, 240.0, 4);
    cr_assert(rig_get_speed(&rig) > -2.001 && rig_get_speed(&rig) < -1.4, "%g",
              rig_get_speed(&rig));
    rig_destroy(&rig);
}

// ---- chains -------------------------------------------------------------------------------------

// Four links with stops that bounce fall 25 J and swing for 5 s: energy never grows, and the direct
// solver's joints stay closed through every blow. Poses that are put back to a stop against gravity
// may gain what they rise by, which only stops that lose nothing can show: 0.014 J.
static void check_chain(tn_solver solver, float restitution) {
    joint_rig rig = rig_make(TN_JOINT_TYPE_HINGE, solver, 1.0, gravity);
    tn_body_id before = world_body;
    tn_joint_id joints[4];
    for (int i = 0; i < 4; ++i) {
        tn_body_id link = body_make(rig.world, 5.25 + 0.5 * i, 0, 0, 1, 0.03);
        joints[i] = joint_make(rig.world, TN_JOINT_TYPE_HINGE, before, link,
                               (tn_vec3){5.0 + 0.5 * i, 0, 0}, (tn_vec3){0, 0, 1});
        tn_limit limit = {.is_enabled = true,
                          .lower = i == 0 ? -3.0f : -0.4f,
                          .upper = 0.4f,
                          .restitution = restitution};
        tn_hinge_joint_set_limit(rig.world, joints[i], limit);
        before = link;
    }
    double start = get_energy(&rig), gap = 0.0, past = 0.0;
    for (int i = 0; i < 300; ++i) {
        run(rig.world, 1.0 / 60.0, 60.0, 4);
        for (int j = 0; j < 4; ++j) {
            double angle = tn_hinge_joint_get_angle(rig.world, joints[j]);
            past = fmax(past, fmax(angle - 0.4, (j == 0 ? -3.0 : -0.4) - angle));
            gap = fmax(gap, tn_joint_get_error(rig.world, joints[j]).linear_length);
        }
        cr_assert(get_energy(&rig) < start + (restitution < 1.0f ? 1e-3 : 0.03),
                  "solver %d, %g, step %d: %g J", (int)solver, (double)restitution, i,
                  get_energy(&rig) - start);
    }
    bool is_direct = solver == TN_SOLVER_DIRECT;
    cr_assert(gap < (is_direct ? 1e-6 : 5e-3), "solver %d: %g m", (int)solver, gap);
    cr_assert(past < (is_direct ? 5e-3 : 0.02), "solver %d: %g rad", (int)solver, past);
    rig_destroy(&rig);
}

Test(joint_limits, of_a_chain_bounce_without_a_gain_of_energy) {
    for (int k = 0; k < RIG_SOLVERS; ++k) {
        check_chain(rig_solvers[k], 0.5f);
        check_chain(rig_solvers[k], 0.9f);
        check_chain(rig_solvers[k], 1.0f);
    }
}

// ---- cones --------------------------------------------------------------------------------------

static double get_cone(const joint_rig *rig) {
    return tn_ball_joint_get_cone_angle(rig->world, rig->joint);
}

// Turned across its axis against its cone.
Test(joint_limits, a_cone_throws_back_and_gives_way) {
    for (int k = 0; k < RIG_SOLVERS; ++k) {
        for (int is_soft = 0; is_soft < 2; ++is_soft) {
            joint_rig rig = rig_make(TN_JOINT_TYPE_BALL, rig_solvers[k], 2.0, none);
            tn_ball_joint_set_cone_limit(rig.world, rig.joint,
                                         (tn_limit){.is_enabled = true,
                                                    .upper = 0.5f,
                                                    .stiffness = is_soft ? 800.0f : 0.0f,
                                                    .restitution = 0.5f});
            tn_body_set_angular_velocity(rig.world, rig.body, (tn_vec3){3.0, 0.0, 0.0});
            double deepest = 0.0;
            for (int i = 0; i < 84; ++i) {
                run(rig.world, 1.0 / 240.0, 240.0, 4);
                deepest = fmax(deepest, get_cone(&rig) - 0.5);
            }
            double speed = tn_body_get_velocity(rig.world, rig.body).angular.x;
            // v / w = 0.15 rad into the soft one, and all of it comes back.
            cr_assert_float_eq(deepest, is_soft ? 0.15 : 0.0, 1e-3, "solver %d: %g", k, deepest);
            cr_assert_float_eq(speed, is_soft ? -3.0 : -1.5, 1e-2, "solver %d: %g", k, speed);
            rig_destroy(&rig);
        }
    }
}
