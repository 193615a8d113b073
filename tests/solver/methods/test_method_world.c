// The integrators that are there to be compared, with forces, damping, locks and moving platforms;
// and where they give way to the midpoint step.
#include "method_world.h"

// ---- what goes with them -----------------------------------------------------------------------

Test(method, a_hanging_weight_pulls_with_its_weight) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        tn_world *world =
            make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO}, GRAVITY);
        make_bead(world, 1.0, 0.0);
        run(world, 20.0, 60.0);
        tn_joint_id joint;
        tn_world_get_joints(world, &joint, 1);
        tn_vec3 force = tn_joint_get_reaction(world, joint).force;
        cr_expect(fabs(fabs((double)force.y) - GRAVITY) < 1e-4, "%zu: %g N", i, (double)force.y);
        tn_world_destroy(world);
    }
}

// A pendulum on a platform that moves evenly is the pendulum at rest, seen from a train.
Test(method, a_moving_platform_changes_nothing) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        tn_vec3 ends[2];
        for (int moves = 0; moves < 2; ++moves) {
            double speed = moves ? 3.0 : 0.0;
            tn_world *world =
                make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO}, GRAVITY);
            tn_body_def def = tn_body_def_default();
            def.type = TN_BODY_TYPE_KINEMATIC;
            def.velocity.linear.x = speed;
            tn_body_id platform = tn_body_create(world, &def);
            tn_body_id rod = make_body(world, (tn_vec3){0.6, -0.8, 0.0}, slender_inertia);
            tn_body_set_velocity(world, rod, (tn_velocity){.linear = {speed, 0.0, 0.0}});
            tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
            finish_joint(world, &hinge.base, platform, rod, (tn_vec3){0.0, 0.0, 0.0},
                         (tn_vec3){0.0, 0.0, 1.0});
            tn_hinge_joint_create(world, &hinge);
            run(world, 1.0, 240.0);
            ends[moves] = tn_body_get_center(world, rod);
            ends[moves].x -= speed;
            cr_expect(get_info(world).refusals == 0);
            tn_world_destroy(world);
        }
        cr_expect(get_distance(ends[0], ends[1]) < 1e-9, "%zu: %g", i,
                  get_distance(ends[0], ends[1]));
    }
}

// Round a circle without gravity: nothing but the damping takes the speed.
Test(method, damping_slows_as_it_should) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        bool is_first_order =
            all_integrators[i] != TN_INTEGRATOR_RATTLE && all_integrators[i] != TN_INTEGRATOR_RK4;
        tn_world *world = make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO}, 0.0);
        tn_body_id bead = make_bead(world, 1.0, 1.0);
        tn_body_set_damping(world, bead, 0.5f, 0.0f);
        run(world, 2.0, 240.0);
        tn_vec3 v = tn_body_get_velocity(world, bead).linear;
        double speed = hypot(v.x, v.y);
        cr_expect(fabs(speed - exp(-1.0)) < (is_first_order ? 3e-3 : 1e-5), "%zu: %g", i, speed);
        tn_world_destroy(world);
    }
}

// A force on the centre of mass is gravity by another name; so is a body that may not leave its
// plane to one that does not.
Test(method, forces_and_locks_do_what_they_should) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        tn_vec3 ends[3];
        for (int k = 0; k < 3; ++k) {
            tn_world *world = make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO},
                                         k == 1 ? 0.0 : GRAVITY);
            tn_body_id rod = make_body(world, (tn_vec3){0.6, -0.8, 0.0}, slender_inertia);
            tn_ball_joint_def ball = tn_ball_joint_def_default();
            finish_joint(world, &ball.base, (tn_body_id){0}, rod, (tn_vec3){0.0, 0.0, 0.0},
                         (tn_vec3){0.0, 0.0, 1.0});
            tn_ball_joint_create(world, &ball);
            if (k == 2) {
                tn_body_set_locks(world, rod,
                                  TN_BODY_LOCK_LINEAR_Z | TN_BODY_LOCK_ANGULAR_X |
                                      TN_BODY_LOCK_ANGULAR_Y);
            }
            for (int step = 0; step < 120; ++step) {
                if (k == 1) {
                    tn_vec3 weight = {0.0, (double)-(float)GRAVITY, 0.0};
                    tn_body_apply_force(world, rod, weight);
                }
                tn_body_apply_torque(world, rod, (tn_vec3){0.0, 0.0, 2.0});
                run(world, 1.0 / 120.0, 120.0);
            }
            ends[k] = tn_body_get_center(world, rod);
            cr_expect(get_info(world).refusals == 0 && reports == 0);
            tn_world_destroy(world);
        }
        cr_expect(get_distance(ends[0], ends[1]) < 1e-9, "%zu: %g", i,
                  get_distance(ends[0], ends[1]));
        cr_expect(get_distance(ends[0], ends[2]) < 1e-6, "%zu: %g", i,
                  get_distance(ends[0], ends[2]));
    }
}

Test(method, twice_comes_to_the_same_bits) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        uint64_t hashes[2];
        for (int k = 0; k < 2; ++k) {
            tn_world *world =
                make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO}, GRAVITY);
            make_mobile(world);
            run(world, 0.5, 120.0);
            hashes[k] = tn_world_get_hash(world);
            tn_world_destroy(world);
        }
        cr_expect(hashes[0] == hashes[1], "%zu", i);
    }
}

// A plane pendulum on one hinge or on two in a line, which have five rows too many. Not for
// penalty: springs beside each other are stiffer.
Test(method, redundant_rows_change_nothing) {
    for (size_t i = 0; all_integrators[i] != TN_INTEGRATOR_PENALTY; ++i) {
        tn_vec3 ends[2];
        for (int more = 0; more < 2; ++more) {
            tn_world *world =
                make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO}, GRAVITY);
            tn_body_id rod = make_body(world, (tn_vec3){0.6, -0.8, 0.0}, slender_inertia);
            for (int k = 0; k <= more; ++k) {
                tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
                finish_joint(world, &hinge.base, (tn_body_id){0}, rod, (tn_vec3){0.0, 0.0, 0.5 * k},
                             (tn_vec3){0.0, 0.0, 1.0});
                tn_hinge_joint_create(world, &hinge);
            }
            run(world, 2.0, 240.0);
            tn_mechanism_info info = get_info(world);
            cr_expect(info.refusals == 0);
            cr_expect(info.dependent_rows == (more ? 5 : 0), "%zu: %u", i, info.dependent_rows);
            ends[more] = tn_body_get_center(world, rod);
            tn_world_destroy(world);
        }
        cr_expect(get_distance(ends[0], ends[1]) < 1e-6, "%zu: %g", i,
                  get_distance(ends[0], ends[1]));
    }
}

// ---- where they do not apply -------------------------------------------------------------------

// A door with stops. Without: a plain pendulum.
static uint64_t run_door(tn_integrator integrator, bool has_stops, tn_mechanism_info *out_info) {
    tn_world *world = make_world((choice){integrator, TN_STABILIZATION_MODE_AUTO}, GRAVITY);
    tn_body_id rod = make_body(world, (tn_vec3){0.5, 0.0, 0.0}, slender_inertia);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    finish_joint(world, &def.base, (tn_body_id){0}, rod, (tn_vec3){0.0, 0.0, 0.0},
                 (tn_vec3){0.0, 0.0, 1.0});
    def.limit = (tn_limit){.is_enabled = has_stops, .lower = -3.0f, .upper = 3.0f};
    tn_hinge_joint_create(world, &def);
    run(world, 0.25, 60.0);
    *out_info = get_info(world);
    uint64_t hash = tn_world_get_hash(world);
    cr_expect(reports == 0);
    tn_world_destroy(world);
    return hash;
}

Test(method, limits_are_left_to_the_midpoint_step) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        tn_mechanism_info info;
        uint64_t hash = run_door(all_integrators[i], true, &info);
        cr_expect(info.refusals == 1 && info.integrator == TN_INTEGRATOR_MIDPOINT, "%zu", i);
        cr_expect(hash == run_door(TN_INTEGRATOR_AUTO, true, &info), "%zu", i);
        cr_expect(info.refusals == 0 && info.integrator == TN_INTEGRATOR_MIDPOINT, "%zu", i);
        hash = run_door(all_integrators[i], false, &info);
        cr_expect(info.refusals == 0 && info.integrator == all_integrators[i], "%zu", i);
        cr_expect(hash != run_door(TN_INTEGRATOR_AUTO, false, &info), "%zu", i);
    }
}

Test(method, contacts_are_left_to_the_midpoint_step) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        tn_world *world =
            make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO}, GRAVITY);
        tn_body_id bead = make_bead(world, 1.0, 2.0);
        tn_body_def def = tn_body_def_default();
        def.pose.position = (tn_vec3){0.6, -0.8, 0.0};
        tn_body_id post = tn_body_create(world, &def);
        tn_shape_def shape = tn_shape_def_default();
        tn_sphere_shape_create(world, post, &shape, 0.1f);
        tn_sphere_shape_create(world, bead, &shape, 0.1f);
        bool was_taken = false, was_refused = false;
        for (int k = 0; k < 60; ++k) {
            run(world, 1.0 / 60.0, 60.0);
            bool is_refused = get_info(world).refusals > 0;
            was_taken = was_taken || !is_refused;
            was_refused = was_refused || is_refused;
        }
        // Free at first, then against the post, which holds it off.
        cr_expect(was_taken && was_refused, "%zu", i);
        tn_vec3 at = tn_body_get_center(world, bead);
        cr_expect(hypot(at.x - 0.6, at.y + 0.8) > 0.19, "%zu", i);
        cr_expect(reports == 0);
        tn_world_destroy(world);
    }
}

// A soft joint is no equality; one that asks for Gauss-Seidel takes what it hangs on with it.
Test(method, other_joints_beside_rigid_ones_are_refused) {
    for (int i = 0; i < 2; ++i) {
        bool is_soft = i == 0;
        tn_world *world =
            make_world((choice){TN_INTEGRATOR_RK4, TN_STABILIZATION_MODE_AUTO}, GRAVITY);
        tn_body_id bead = make_bead(world, 1.0, 0.0);
        tn_body_id weight = make_body(world, (tn_vec3){0.0, -2.0, 0.0}, round_inertia);
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base.body_a = bead;
        def.base.body_b = weight;
        tn_joint_id joint = tn_distance_joint_create(world, &def);
        if (is_soft) {
            tn_joint_set_stiffness(world, joint, 5.0f, 1.0f);
        } else {
            tn_joint_set_solver(world, joint, TN_SOLVER_PGS);
        }
        run(world, 0.5, 60.0);
        tn_mechanism_info info = get_info(world);
        cr_expect(info.refusals == 1 && reports == 0);
        cr_expect(info.method ==
                  (is_soft ? TN_MECHANISM_METHOD_DIRECT : TN_MECHANISM_METHOD_PGS_CLOSED));
        cr_expect(info.integrator == (is_soft ? TN_INTEGRATOR_MIDPOINT : TN_INTEGRATOR_AUTO));
        tn_world_destroy(world);
    }
}

// The integrators are the direct solver's: Gauss-Seidel goes on as ever.
Test(method, gauss_seidel_is_not_concerned) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        tn_world *world = make_world(
            (choice){i ? TN_INTEGRATOR_RK4 : TN_INTEGRATOR_AUTO, TN_STABILIZATION_MODE_AUTO},
            GRAVITY);
        tn_world_set_solver(world, TN_SOLVER_PGS);
        make_mobile(world);
        run(world, 0.5, 60.0);
        hashes[i] = tn_world_get_hash(world);
        tn_world_destroy(world);
    }
    cr_expect(hashes[0] == hashes[1]);
}

static bool is_same(tn_stabilization a, tn_stabilization b) {
    return a.mode == b.mode && a.beta == b.beta && a.stiffness == b.stiffness &&
           a.damping == b.damping && a.penalty_hertz == b.penalty_hertz &&
           a.penalty_damping_ratio == b.penalty_damping_ratio;
}

Test(method, wrong_settings_are_reported_and_change_nothing) {
    tn_world *world =
        make_world((choice){TN_INTEGRATOR_RK4, TN_STABILIZATION_MODE_FEEDBACK}, GRAVITY);
    tn_stabilization good = tn_world_get_stabilization(world);
    tn_world_set_integrator(world, (tn_integrator)(TN_INTEGRATOR_PENALTY + 1));
    cr_expect(reports == 1 && tn_world_get_integrator(world) == TN_INTEGRATOR_RK4);
    tn_stabilization bad[7];
    for (int i = 0; i < 7; ++i) {
        bad[i] = good;
    }
    bad[0].mode = (tn_stabilization_mode)(TN_STABILIZATION_MODE_PROJECT_AFTER + 1);
    bad[1].beta = 1.5;
    bad[2].beta = -0.1;
    bad[3].stiffness = -1.0;
    bad[4].damping = (double)NAN;
    bad[5].penalty_hertz = (double)INFINITY;
    bad[6].penalty_damping_ratio = -1.0;
    for (uint32_t i = 0; i < 7; ++i) {
        tn_world_set_stabilization(world, bad[i]);
        cr_expect(reports == 2 + i, "%u", i);
        tn_stabilization now = tn_world_get_stabilization(world);
        cr_expect(is_same(now, good), "%u", i);
        tn_world_def def = tn_world_def_default();
        def.report = note_report;
        def.research.stabilization = bad[i];
        uint32_t before = reports;
        tn_result result = TN_RESULT_OK;
        cr_expect_null(tn_world_create(&def, &result));
        cr_expect(result != TN_RESULT_OK && reports == before + 1, "%u", i);
        reports = before;
    }
    tn_world_destroy(world);
    cr_expect(tn_world_get_integrator(NULL) == TN_INTEGRATOR_AUTO);
}
