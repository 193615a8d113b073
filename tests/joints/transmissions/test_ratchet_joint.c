// Ratchets against closed forms: a tooth for each swing, loads that are held, teeth by the million,
// a pawl that is lifted, drags, and stages that are put back.
#include "tests/support/long_test.h"
#include "transmission_world.h"

TestSuite(ratchet_joint, .timeout = 60);

static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};
static const char *const names[] = {"PGS", "DIRECT", "CG", "AUTO"};
static const tn_vec3 origin = {0.0, 0.0, 0.0};

#define INERTIA 0.02

typedef struct ratchet_rig {
    tn_world *world;
    tn_body_id wheel;
    tn_joint_id hinge, ratchet;
    double pitch;
} ratchet_rig;

// A wheel about z with a ratchet against the world.
static ratchet_rig make_rig(tn_solver solver, int32_t teeth, int32_t direction, float drag) {
    tn_world_def def = tn_world_def_default();
    def.gravity = weightless;
    def.is_sleep_allowed = false;
    def.solver = solver;
    ratchet_rig rig = {.world = tn_world_create(&def, NULL), .pitch = 2.0 * PI / teeth};
    rig.wheel = body_make(rig.world, 0, 0, 0, 1.0, INERTIA);
    rig.hinge = joint_make(rig.world, TN_JOINT_TYPE_HINGE, world_body, rig.wheel, origin, along_z);
    tn_ratchet_joint_def ratchet = tn_ratchet_joint_def_default();
    set_frames(rig.world, &ratchet.base, world_body, rig.wheel, origin, along_z);
    ratchet.teeth = teeth;
    ratchet.direction = direction;
    ratchet.drag = drag;
    rig.ratchet = tn_ratchet_joint_create(rig.world, &ratchet);
    cr_assert(rig.ratchet.value != 0);
    return rig;
}

static void spin(const ratchet_rig *rig, double speed) {
    tn_body_set_angular_velocity(rig->world, rig->wheel, (tn_vec3){0.0, 0.0, speed});
}

static void push(const ratchet_rig *rig, double torque, uint32_t steps) {
    for (uint32_t i = 0; i < steps; ++i) {
        tn_body_apply_torque(rig->world, rig->wheel, (tn_vec3){0.0, 0.0, torque});
        cr_assert(tn_world_step(rig->world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
}

static double get_angle(const ratchet_rig *rig) {
    return tn_ratchet_joint_get_angle(rig->world, rig->ratchet);
}

static int64_t get_tooth(const ratchet_rig *rig) {
    return tn_ratchet_joint_get_tooth(rig->world, rig->ratchet);
}

// Forward by a tooth and a half, back until the pawl holds: one tooth for each swing, either way.
LONG_TEST(ratchet_joint, goes_on_by_a_tooth_for_each_swing) {
    for (int s = 0; s < 4; ++s) {
        for (int32_t direction = -1; direction <= 1; direction += 2) {
            ratchet_rig rig = make_rig(solvers[s], 24, direction, 0.0f);
            for (int i = 1; i <= 100; ++i) {
                spin(&rig, direction * 15.0 * rig.pitch);
                run(rig.world, 0.1, 240.0, 4);
                cr_assert_float_eq(get_angle(&rig), (i + 0.5) * rig.pitch, 1e-3);
                spin(&rig, direction * -15.0 * rig.pitch);
                run(rig.world, 0.1, 240.0, 4);
                double angle = get_angle(&rig);
                cr_assert_float_eq(angle, i * rig.pitch, 1e-4, "%s %d: %g", names[s], i, angle);
                cr_assert_eq(get_tooth(&rig), i, "%s", names[s]);
                double turned = tn_hinge_joint_get_angle(rig.world, rig.hinge);
                cr_assert_float_eq(remainder(turned - direction * angle, 2.0 * PI), 0.0, 1e-6);
            }
            tn_world_destroy(rig.world);
        }
    }
}

// 5 N·m for ten minutes: where it stood after a second, and not a tooth lost.
LONG_TEST(ratchet_joint, holds_a_load_without_creep) {
    for (int s = 0; s < 2; ++s) {
        ratchet_rig rig = make_rig(solvers[s], 12, 1, 0.0f);
        push(&rig, -5.0, 60);
        double first = get_angle(&rig);
        push(&rig, -5.0, 36000);
        cr_expect_float_eq(get_angle(&rig), first, 1e-9, "%s: %g", names[s],
                           get_angle(&rig) - first);
        // Gauss-Seidel gives way by its own little softness: some h^2 times the acceleration.
        cr_expect(fabs(first) < (solvers[s] == TN_SOLVER_DIRECT ? 1e-9 : 2e-3), "%s: %g", names[s],
                  first);
        tn_reaction reaction = tn_joint_get_reaction(rig.world, rig.ratchet);
        cr_expect_float_eq(reaction.torque.z, 5.0, 1e-3);
        cr_expect_eq(get_tooth(&rig), 0);
        tn_world_destroy(rig.world);
    }
}

// 1000 teeth and more than 1000 turns, many teeth in a substep; then back: it stands at the tooth
// it should, as the hinge tells.
Test(ratchet_joint, stays_in_phase_over_a_million_teeth) {
    for (int s = 0; s < 4; ++s) {
        ratchet_rig rig = make_rig(solvers[s], 1000, 1, 0.0f);
        spin(&rig, 2.0 * PI * 100.25);
        run(rig.world, 10.0, 60.0, 4);
        double angle = get_angle(&rig);
        int64_t tooth = get_tooth(&rig);
        cr_expect(tooth > 1000000 && tooth < 1010000, "%s: %d", names[s], (int)tooth);
        cr_expect_eq(tooth, (int64_t)floor(angle / rig.pitch), "%s", names[s]);
        spin(&rig, -1.0);
        run(rig.world, 1.0, 60.0, 4);
        cr_expect_eq(get_tooth(&rig), tooth);
        double turned = tn_hinge_joint_get_angle(rig.world, rig.hinge);
        double off = remainder(turned - (double)(tooth % 1000) * rig.pitch, 2.0 * PI);
        cr_expect_float_eq(off, 0.0, 1e-6, "%s: %g", names[s], off);
        tn_world_destroy(rig.world);
    }
}

Test(ratchet_joint, with_its_pawl_lifted_turns_both_ways) {
    for (int s = 0; s < 4; ++s) {
        ratchet_rig rig = make_rig(solvers[s], 12, 1, 0.0f);
        tn_ratchet_joint_set_engaged(rig.world, rig.ratchet, false);
        spin(&rig, -10.0);
        run(rig.world, 1.0, 240.0, 4);
        cr_expect_float_eq(get_angle(&rig), -10.0, 1e-3, "%s: %g", names[s], get_angle(&rig));
        cr_expect_eq(get_tooth(&rig), (int64_t)floor(-10.0 / rig.pitch));
        // Let down it holds at the tooth below.
        tn_ratchet_joint_set_engaged(rig.world, rig.ratchet, true);
        run(rig.world, 1.0, 240.0, 4);
        cr_expect_float_eq(get_angle(&rig), floor(-10.0 / rig.pitch) * rig.pitch, 1e-4);
        tn_world_destroy(rig.world);
    }
}

// From 20 rad/s by 0.1 N·m: 5 rad/s each second, and to rest after 40 rad.
Test(ratchet_joint, drags_by_the_friction_of_its_pawl) {
    for (int s = 0; s < 2; ++s) {
        ratchet_rig rig = make_rig(solvers[s], 12, 1, 0.1f);
        spin(&rig, 20.0);
        run(rig.world, 2.0, 240.0, 4);
        double speed = tn_ratchet_joint_get_speed(rig.world, rig.ratchet);
        cr_expect_float_eq(speed, 10.0, 1e-3, "%s: %g", names[s], speed);
        run(rig.world, 3.0, 240.0, 4);
        cr_expect_float_eq(get_angle(&rig), 40.0, 0.02, "%s: %g", names[s], get_angle(&rig));
        cr_expect_float_eq(tn_ratchet_joint_get_speed(rig.world, rig.ratchet), 0.0, 1e-6);
        tn_world_destroy(rig.world);
    }
}

// An arm at 20 rad/s comes down onto the ground: what a stage counted that went into the ground is
// put back with it. Where teeth were counted that were never reached, the pawl would hold the arm
// in the ground.
Test(ratchet_joint, counts_no_tooth_of_a_stage_that_is_put_back) {
    for (int s = 0; s < 2; ++s) {
        for (int k = 0; k < 20; ++k) {
            ratchet_rig rig = make_rig(solvers[s], 1000, -1, 0.0f);
            tn_shape_def shape = tn_shape_def_default();
            tn_shape_def level = shape;
            shape.local_pose.position.x = 1.0;
            level.local_pose.position.y = -0.55;
            tn_body_id ground = static_body_make(rig.world, 0, 0, 0);
            cr_assert(tn_sphere_shape_create(rig.world, rig.wheel, &shape, 0.05f).value != 0);
            cr_assert(tn_half_space_shape_create(rig.world, ground, &level).value != 0);
            spin(&rig, -20.0 - 0.37 * k);
            double most = 0.0;
            for (int i = 0; i < 60; ++i) {
                run(rig.world, 1.0 / 60.0, 60.0, 4);
                most = fmax(most, get_angle(&rig));
            }
            // It touches at the angle whose sine is 0.5.
            double touches = asin(0.5);
            double reached = (double)get_tooth(&rig) * rig.pitch;
            cr_expect(reached < touches + 2.0 * rig.pitch, "%s %d: %g of %g", names[s], k, reached,
                      touches);
            cr_expect(reached <= most + 1e-6 && most < touches + 0.01, "%s %d: %g, %g", names[s], k,
                      reached, most);
            tn_world_destroy(rig.world);
        }
    }
}

Test(ratchet_joint, is_in_the_hash_of_the_world_by_its_tooth) {
    ratchet_rig rig = make_rig(TN_SOLVER_AUTO, 12, 1, 0.0f),
                same = make_rig(TN_SOLVER_AUTO, 12, 1, 0.0f);
    cr_expect_eq(tn_world_get_hash(rig.world), tn_world_get_hash(same.world));
    // A turn and back by the other way: the pose is as it was, the tooth is not.
    tn_pose pose = tn_body_get_pose(rig.world, rig.wheel), turned = pose;
    for (int i = 1; i <= 4; ++i) {
        turned.rotation.z = sin(0.25 * PI * i);
        turned.rotation.w = cos(0.25 * PI * i);
        tn_body_set_pose(rig.world, rig.wheel, i < 4 ? turned : pose);
    }
    cr_expect_eq(get_tooth(&rig), 12);
    cr_expect_neq(tn_world_get_hash(rig.world), tn_world_get_hash(same.world));
    tn_world_destroy(rig.world);
    tn_world_destroy(same.world);
}

// A change of frame: as far from its tooth as it was.
Test(ratchet_joint, goes_on_from_its_tooth_when_a_frame_changes) {
    ratchet_rig rig = make_rig(TN_SOLVER_DIRECT, 12, 1, 0.0f);
    spin(&rig, 2.0);
    run(rig.world, 1.0, 240.0, 4);
    double angle = get_angle(&rig);
    tn_joint_set_frame_a(rig.world, rig.ratchet, (tn_pose){.rotation = {0.3, -0.5, 0.3, 0.5}});
    cr_expect_float_eq(get_angle(&rig), angle, 1e-9);
    cr_expect_eq(get_tooth(&rig), 3);
    tn_world_destroy(rig.world);
}

// A pawl that breaks at 5 N·m.
Test(ratchet_joint, breaks_above_its_torque_and_not_below) {
    for (int s = 0; s < 2; ++s) {
        ratchet_rig rig = make_rig(solvers[s], 12, 1, 0.0f);
        tn_joint_set_break_force(rig.world, rig.ratchet, INFINITY, 5.0f);
        push(&rig, -4.9, 120);
        cr_expect(tn_joint_is_valid(rig.world, rig.ratchet), "%s", names[s]);
        push(&rig, -5.1, 60);
        cr_expect(!tn_joint_is_valid(rig.world, rig.ratchet), "%s", names[s]);
        tn_world_destroy(rig.world);
    }
}

// Thirty of them, of unlike speeds: each counts its own teeth, and the bits are those of one
// worker.
LONG_TEST(ratchet_joint, counts_teeth_in_a_crowd_and_on_workers) {
    for (int s = 0; s < 3; ++s) {
        uint64_t hashes[2];
        for (uint32_t workers = 0; workers < 2; ++workers) {
            tn_world_def def = tn_world_def_default();
            def.gravity = weightless;
            def.is_sleep_allowed = false;
            def.solver = solvers[s];
            def.worker_count = 1 + 3 * workers;
            tn_world *world = tn_world_create(&def, NULL);
            tn_joint_id ratchets[30];
            tn_body_id wheels[30];
            for (int i = 0; i < 30; ++i) {
                tn_vec3 center = {0.0, 3.0 * i, 0.0};
                wheels[i] = wheel_make(world, world_body, center, along_z, 1.0, INERTIA);
                tn_ratchet_joint_def ratchet = tn_ratchet_joint_def_default();
                set_frames(world, &ratchet.base, world_body, wheels[i], center, along_z);
                ratchet.teeth = 100;
                ratchets[i] = tn_ratchet_joint_create(world, &ratchet);
                float speed = (float)((i + 0.5) * 2.0 * PI / 100.0);
                tn_body_set_angular_velocity(world, wheels[i], (tn_vec3){0.0, 0.0, (double)speed});
            }
            run(world, 1.0, 240.0, 2);
            for (int i = 0; i < 30; ++i) {
                tn_body_set_angular_velocity(world, wheels[i], (tn_vec3){0.0, 0.0, -1.0});
            }
            run(world, 0.5, 240.0, 2);
            for (int i = 0; i < 30; ++i) {
                cr_assert_eq(tn_ratchet_joint_get_tooth(world, ratchets[i]), i, "%s", names[s]);
                double angle = tn_ratchet_joint_get_angle(world, ratchets[i]);
                cr_assert_float_eq(angle, i * 2.0 * PI / 100.0, 1e-4, "%s %d", names[s], i);
            }
            hashes[workers] = tn_world_get_hash(world);
            tn_world_destroy(world);
        }
        cr_expect_eq(hashes[0], hashes[1], "%s", names[s]);
    }
}
