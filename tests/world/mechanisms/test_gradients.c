// Conjugate gradients in a world: joints that hold, what they tell, and what comes and goes.
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_CG, &reports);
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(gradients, .init = setup, .fini = teardown);

static tn_joint_id weld(tn_body_id a, tn_body_id b) {
    tn_vec3 p = tn_body_get_center(world, a), q = tn_body_get_center(world, b);
    tn_fixed_joint_def def = tn_fixed_joint_def_default();
    tn_vec3 at = {0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)};
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, at, (tn_vec3){1.0, 0.0, 0.0}));
    tn_joint_id joint = tn_fixed_joint_create(world, &def);
    cr_assert(joint.value != 0);
    return joint;
}

#define SIDE 12

// A curtain in the plane z = y tan(20 deg), so that it swings; its top row is fixed, or its two
// corners are.
static void make_curtain(bool by_corners, tn_body_id balls[SIDE][SIDE]) {
    const double down[2] = {0.5 * 0.9397, 0.5 * 0.3420};
    for (int i = 0; i < SIDE; ++i) {
        for (int k = 0; k < SIDE; ++k) {
            bool is_fixed = i == 0 && (!by_corners || k == 0 || k == SIDE - 1);
            balls[i][k] = test_bead_create(world, 0.5 * k, -down[0] * i, down[1] * i, is_fixed);
            if (k > 0 && (i > 0 || by_corners)) {
                test_bodies_tie(world, balls[i][k - 1], balls[i][k]);
            }
            if (i > 0) {
                test_bodies_tie(world, balls[i - 1][k], balls[i][k]);
            }
        }
    }
}

static double get_worst(int steps) {
    double worst = 0.0;
    for (int i = 0; i < steps; ++i) {
        test_step(world, 1);
        worst = fmax(worst, tn_world_get_telemetry(world).worst_joint_linear);
    }
    return worst;
}

LONG_TEST(gradients, hold_a_swinging_curtain) {
    tn_body_id balls[SIDE][SIDE];
    make_curtain(true, balls);
    double most = 0.0, worst = 0.0;
    tn_energy energy = {0};
    for (int i = 0; i < 240; ++i) {
        worst = fmax(worst, get_worst(1));
        energy = tn_world_get_energy(world);
        most = fmax(most, energy.kinetic);
    }
    cr_assert(worst < 1e-3, "%g", worst);
    // 14 %; twice that with Gauss-Seidel, and what bounced would gain.
    cr_assert(energy.joint_work < 0.0 && energy.joint_work > -0.2 * most, "%g of %g",
              energy.joint_work, most);
    double missing = energy.gravity_work + energy.joint_work - energy.kinetic;
    cr_assert(fabs(missing) < 1e-4 * most, "%g of %g", missing, most);
}

Test(gradients, tell_what_they_took) {
    tn_body_id balls[SIDE][SIDE];
    make_curtain(false, balls);
    tn_body_id apart = test_bead_create(world, 20.0, 0.0, 0.0, true),
               below = test_bead_create(world, 20.0, -0.5, 0.0, false);
    tn_joint_id lonely = test_bodies_tie(world, apart, below);
    test_step(world, 30);
    tn_mechanism_info infos[3];
    cr_assert(tn_world_get_mechanisms(world, infos, 3) == 2);
    const tn_mechanism_info *curtain = &infos[0];
    uint32_t joints = (SIDE - 1) * (2 * SIDE - 1);
    cr_assert(curtain->method == TN_MECHANISM_METHOD_CG);
    cr_assert(curtain->bodies == (SIDE - 1) * SIDE && curtain->joints == joints);
    cr_assert(curtain->rows == 3 * joints);
    cr_assert(curtain->iterations > 8 && curtain->iterations <= 2 * 4 * 32);
    cr_assert(curtain->residual > 0.0 && curtain->residual < 0.1, "%g", curtain->residual);
    cr_assert(curtain->failures == 0 && curtain->solve_ms > 0.0);
    tn_joint_error error = tn_joint_get_error(world, curtain->worst_linear_joint);
    TEST_NEAR(error.linear_length, curtain->worst_joint_linear, 1e-6); // it is of floats
    // What hangs still costs nothing.
    cr_assert(infos[1].joints == 1 && infos[1].worst_linear_joint.value == lonely.value);
    cr_assert(infos[1].iterations <= 8, "%u", infos[1].iterations);
    tn_reaction reaction = tn_joint_get_reaction(world, lonely);
    tn_mass mass = tn_body_get_mass(world, below);
    TEST_NEAR(reaction.force.y, mass.mass * 9.81, 0.01 * mass.mass * 9.81);
    tn_world_set_solver(world, TN_SOLVER_PGS);
    test_step(world, 1);
    cr_assert(tn_world_get_mechanisms(world, infos, 3) == 0);
}

// A wall of welds: most rows are redundant, the others must be solved hard.
Test(gradients, hold_a_wall_of_welds_that_gravity_shakes) {
    tn_body_id boxes[6][6];
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) {
            boxes[i][k] =
                test_box_create(world, i == 0 ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC, 0.5 * i,
                                0.5 * k, 0.0, (tn_vec3){0.2, 0.2, 0.2});
            if (i > 0) {
                weld(boxes[i - 1][k], boxes[i][k]);
            }
            if (k > 0 && i > 0) {
                weld(boxes[i][k - 1], boxes[i][k]);
            }
        }
    }
    tn_vec3 before = tn_body_get_center(world, boxes[5][3]);
    for (int i = 0; i < 120; ++i) {
        float share = 1.0f + 0.5f * sinf(0.1f * (float)i);
        tn_world_set_gravity(world, (tn_vec3){0.0, (double)(-9.81f * share), 0.0});
        test_step(world, 1);
        cr_assert(tn_world_get_telemetry(world).worst_joint_linear < 5e-5, "step %d: %g", i,
                  tn_world_get_telemetry(world).worst_joint_linear);
    }
    double sag = before.y - tn_body_get_center(world, boxes[5][3]).y;
    cr_assert(fabs(sag) < 2e-4, "%g", sag);
}

Test(gradients, are_chosen_joint_by_joint_and_live_with_the_others) {
    tn_body_id balls[9];
    tn_joint_id joints[9];
    balls[0] = test_bead_create(world, 0.0, 0.0, 0.0, true);
    for (int i = 1; i < 9; ++i) {
        balls[i] = test_bead_create(world, 0.5 * i, 0.0, 0.0, false);
        joints[i] = test_bodies_tie(world, balls[i - 1], balls[i]);
    }
    tn_mechanism_info infos[4];
    const tn_solver others[2] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    for (int k = 0; k < 2; ++k) {
        tn_joint_set_solver(world, joints[4], others[k]);
        double worst = get_worst(60);
        cr_assert(worst < 0.01, "%d: %g", k, worst);
        // On either side of the other one.
        uint32_t count = tn_world_get_mechanisms(world, infos, 4);
        cr_assert(count == (k == 0 ? 2u : 3u), "%u", count);
        cr_assert(infos[count - 1].method == TN_MECHANISM_METHOD_CG);
        cr_assert(infos[count - 2].joints + infos[count - 1].joints == 7);
    }
    tn_joint_set_solver(world, joints[4], TN_SOLVER_AUTO);
    test_step(world, 1);
    cr_assert(tn_world_get_mechanisms(world, infos, 4) == 1 && infos[0].joints == 8);
    // Choose it in a world of Gauss-Seidel.
    tn_world_set_solver(world, TN_SOLVER_PGS);
    tn_joint_set_solver(world, joints[2], TN_SOLVER_CG);
    test_step(world, 1);
    cr_assert(tn_world_get_mechanisms(world, infos, 4) == 1 && infos[0].joints == 1);
}

Test(gradients, fall_on_a_floor_and_come_to_rest) {
    tn_body_id floor = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, -2.0, 0.0);
    tn_shape_def shape = tn_shape_def_default();
    tn_half_space_shape_create(world, floor, &shape);
    tn_body_id balls[6][6];
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) {
            balls[i][k] = test_bead_create(world, 0.5 * k, 0.01 * i * k, 0.5 * i, false);
            if (k > 0) {
                test_bodies_tie(world, balls[i][k - 1], balls[i][k]);
            }
            if (i > 0) {
                test_bodies_tie(world, balls[i - 1][k], balls[i][k]);
            }
        }
    }
    double deepest = 0.0, worst = 0.0;
    for (int i = 0; i < 600; ++i) {
        test_step(world, 1);
        tn_telemetry telemetry = tn_world_get_telemetry(world);
        deepest = fmax(deepest, telemetry.deepest_penetration);
        worst = fmax(worst, telemetry.worst_joint_linear);
    }
    cr_assert(tn_world_get_telemetry(world).points >= 3);
    cr_assert(worst < 0.01, "%g", worst);
    cr_assert(deepest < 0.05, "%g", deepest);
    double kinetic = tn_world_get_energy(world).kinetic;
    cr_assert(kinetic < 0.1, "%g J", kinetic);
}

// Limits, motors at their cap and friction are rows with bounds.
Test(gradients, keep_motors_to_their_caps_and_limits_shut) {
    tn_body_id arm =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.5, 0.0, 0.0, (tn_vec3){0.5, 0.05, 0.05});
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, arm,
                                      (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
    def.limit = (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 0.5f};
    tn_mass mass = tn_body_get_mass(world, arm);
    float load = (float)(mass.mass * 9.81 * 0.5);
    def.motor =
        (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 1.0f, .max_force = 0.5f * load};
    tn_joint_id hinge = tn_hinge_joint_create(world, &def);
    cr_assert(hinge.value != 0);
    tn_body_id hand =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 1.2, 0.0, 0.0, (tn_vec3){0.05, 0.05, 0.05});
    test_bodies_tie(world, arm, hand);
    // Too weak: it sinks onto its lower limit, and pulls with all it has.
    test_step(world, 240);
    TEST_NEAR(tn_hinge_joint_get_angle(world, hinge), -0.5, 0.01);
    TEST_NEAR(tn_joint_get_motor_effort(world, hinge), 0.5 * (double)load, 1e-3 * (double)load);
    // Strong: it lifts to the upper one.
    tn_hinge_joint_set_motor(
        world, hinge,
        (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 1.0f, .max_force = 4.0f * load});
    test_step(world, 240);
    TEST_NEAR(tn_hinge_joint_get_angle(world, hinge), 0.5, 0.01);
    double worst = tn_world_get_telemetry(world).worst_joint_linear;
    cr_assert(worst < 1e-3, "%g", worst);
}

// Twice the same, coincident, and what cannot hold: nothing may explode.
Test(gradients, survive_joints_that_cannot_hold) {
    tn_body_id top = test_bead_create(world, 0.0, 0.0, 0.0, true), balls[4];
    for (int i = 0; i < 4; ++i) {
        balls[i] = test_bead_create(world, 0.5 * (i + 1), 0.0, 0.0, false);
        test_bodies_tie(world, i == 0 ? top : balls[i - 1], balls[i]);
        test_bodies_tie(world, i == 0 ? top : balls[i - 1], balls[i]);
    }
    weld(balls[1], balls[2]);
    tn_ball_joint_def def = tn_ball_joint_def_default();
    def.base.body_b = balls[3];
    def.base.frame_a.position = (tn_vec3){4.0, 0.0, 0.0};
    cr_assert(tn_ball_joint_create(world, &def).value != 0);
    for (int i = 0; i < 300; ++i) {
        test_step(world, 1);
        double kinetic = tn_world_get_energy(world).kinetic;
        cr_assert(isfinite(kinetic) && kinetic < 1e6, "step %d: %g J", i, kinetic);
    }
    for (int i = 0; i < 4; ++i) {
        tn_vec3 at = tn_body_get_pose(world, balls[i]).position;
        cr_assert(fabs(at.x) < 10.0 && fabs(at.y) < 10.0 && fabs(at.z) < 10.0);
    }
    // They settle, and tell who has them.
    cr_assert(tn_world_get_energy(world).kinetic < 1.0, "%g J", tn_world_get_energy(world).kinetic);
    tn_mechanism_info info;
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1 && info.failures == 1);
}

// Every joint twice, and the second wants the body elsewhere: by a hair, or by centimetres. Welds
// or balls.
Test(gradients, settle_where_joints_contradict_each_other) {
    const double apart[4] = {1e-6, 0.001, 0.03, 0.09};
    for (int k = 0; k < 8; ++k) {
        tn_body_id boxes[7];
        boxes[0] = test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 10.0 * k, 0.0,
                                   (tn_vec3){0.2, 0.1, 0.1});
        for (int i = 1; i < 7; ++i) {
            boxes[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.5 * i, 10.0 * k, 0.0,
                                       (tn_vec3){0.2, 0.1, 0.1});
            for (int twice = 0; twice < 2; ++twice) {
                tn_joint_id joint = k < 4 ? weld(boxes[i - 1], boxes[i])
                                          : test_bodies_tie(world, boxes[i - 1], boxes[i]);
                tn_pose frame = tn_joint_get_def(world, joint).frame_a;
                frame.position.y += twice == 1 ? apart[k % 4] : 0.0;
                tn_joint_set_frame_a(world, joint, frame);
            }
        }
    }
    double before = 0.0;
    for (int i = 0; i < 400; ++i) {
        test_step(world, 1);
        tn_energy energy = tn_world_get_energy(world);
        before = i == 0 ? energy.kinetic + energy.potential : before;
        // What the joints hold when they are torn apart by centimetres at the start is not much.
        cr_assert(energy.kinetic + energy.potential < before + 1e4, "step %d: %g J", i,
                  energy.kinetic + energy.potential - before);
    }
    tn_mechanism_info infos[8];
    cr_assert(tn_world_get_mechanisms(world, infos, 8) == 8);
    cr_assert(infos[0].failures == 0, "round-off is no contradiction");
    for (int k = 0; k < 8; ++k) {
        // Half way.
        cr_assert(infos[k].worst_joint_linear < 0.6 * apart[k % 4] + 0.005, "%d: %g", k,
                  infos[k].worst_joint_linear);
        cr_assert(k % 4 < 2 || infos[k].failures == 1, "%d: it should be known", k);
    }
}

Test(gradients, bear_masses_of_a_million_to_one) {
    tn_body_id top = test_bead_create(world, 0.0, 0.0, 0.0, true), before = top;
    for (int i = 1; i <= 5; ++i) {
        tn_body_id ball = test_bead_create(world, 0.5 * i, 0.0, 0.0, false);
        if (i == 5) {
            tn_mass mass = tn_body_get_mass(world, ball);
            mass.mass *= 1e6;
            mass.inertia.xx *= 1e6;
            mass.inertia.yy *= 1e6;
            mass.inertia.zz *= 1e6;
            tn_body_set_mass(world, ball, mass);
        }
        test_bodies_tie(world, before, ball);
        before = ball;
    }
    for (int i = 0; i < 240; ++i) {
        test_step(world, 1);
        tn_vec3 at = tn_body_get_pose(world, before).position;
        cr_assert(isfinite(at.x) && fabs(at.y) < 1e3, "step %d", i);
    }
}

Test(gradients, follow_a_kinematic_body) {
    tn_body_id carrier = test_body_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, 0.0, 0.0);
    tn_body_id first = test_bead_create(world, 0.5, 0.0, 0.0, false),
               second = test_bead_create(world, 1.0, 0.0, 0.0, false);
    test_bodies_tie(world, carrier, first);
    test_bodies_tie(world, first, second);
    tn_body_set_velocity(world, carrier, (tn_velocity){.linear = {1.0, 0.0, 0.0}});
    double worst = get_worst(120);
    cr_assert(worst < 5e-4, "%g", worst); // when it starts
    TEST_NEAR(tn_body_get_pose(world, carrier).position.x, 2.0, 1e-9);
}

Test(gradients, allocate_nothing_while_nothing_changes) {
    tn_body_id balls[SIDE][SIDE];
    make_curtain(true, balls);
    test_step(world, 2);
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        cr_assert(tn_world_get_telemetry(world).allocations == 0, "step %d", i);
    }
}

Test(gradients, are_stiffer_with_more_iterations) {
    tn_body_id balls[SIDE][SIDE];
    double worst[2];
    for (int k = 0; k < 2; ++k) {
        tn_world_set_cg(world, (tn_cg){.iterations = k == 0 ? 16 : 64, .tolerance = 0.01f});
        make_curtain(true, balls);
        worst[k] = get_worst(60);
        for (int i = 0; i < SIDE * SIDE; ++i) {
            tn_body_destroy(world, balls[i / SIDE][i % SIDE]);
        }
    }
    cr_assert(4.0 * worst[1] < worst[0], "%g, %g", worst[0], worst[1]);
}

Test(gradients, hold_with_either_preconditioner) {
    tn_body_id balls[SIDE][SIDE];
    const tn_preconditioner preconditioners[2] = {TN_PRECONDITIONER_JACOBI,
                                                  TN_PRECONDITIONER_GAUSS_SEIDEL};
    for (int k = 0; k < 2; ++k) {
        tn_world_set_cg(world, (tn_cg){.preconditioner = preconditioners[k], .tolerance = 0.01f});
        make_curtain(true, balls);
        double worst = get_worst(60);
        cr_assert(worst < 1e-3, "%g", worst);
        for (int i = 0; i < SIDE * SIDE; ++i) {
            tn_body_destroy(world, balls[i / SIDE][i % SIDE]);
        }
    }
}

Test(gradients, refuse_settings_out_of_range) {
    const tn_cg right = {
        .preconditioner = TN_PRECONDITIONER_JACOBI, .iterations = 50, .tolerance = 0.1f};
    tn_world_set_cg(world, right);
    tn_cg wrong[6] = {right, right, right, right, right, right};
    wrong[0].preconditioner = (tn_preconditioner)3;
    wrong[1].iterations = 3;
    wrong[2].iterations = 1001;
    wrong[3].tolerance = 0.0f;
    wrong[4].tolerance = 1.0f;
    wrong[5].tolerance = NAN;
    for (int i = 0; i < 6; ++i) {
        TEST_REPORTS(&reports, tn_world_set_cg(world, wrong[i]),
                     i < 5 ? TN_RESULT_INVALID_ARGUMENT : TN_RESULT_NOT_FINITE);
        cr_assert(tn_world_get_cg(world).iterations == 50);
        tn_world_def def = tn_world_def_default();
        def.research.cg = wrong[i];
        tn_result result = TN_RESULT_OK;
        cr_assert_null(tn_world_create(&def, &result));
        cr_assert(result != TN_RESULT_OK);
    }
    cr_assert(tn_world_get_cg(NULL).iterations == 0);
    reports.count = 0;
}
