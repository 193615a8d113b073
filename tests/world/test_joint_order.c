// In whichever order an application makes the joints of a machine, Gauss-Seidel holds it as well.
#include "scenes/scene.h"
#include "world/step_internal.h"
#include "world_test.h"

#define ENGINE_JOINTS 13
#define ENGINE_SPEED  94.24778f // rad/s: 900 turns a minute
#define ENGINE_TORQUE 100.0f    // N m
#define ENGINE_ORDERS 24

// ---- a four-cylinder engine with its joints made anew -----------------------------------------

// 1, 4, 7, 10: the rods' big ends at the crankshaft; each followed by its wrist and its piston.
static void engine_remake_joints(tn_world *world, const int *order, tn_joint_id *out_joints) {
    tn_joint_id old[ENGINE_JOINTS];
    tn_joint_def defs[ENGINE_JOINTS];
    tn_joint_type types[ENGINE_JOINTS];
    cr_assert(tn_world_get_joints(world, old, ENGINE_JOINTS) == ENGINE_JOINTS);
    for (int i = 0; i < ENGINE_JOINTS; ++i) {
        defs[i] = tn_joint_get_def(world, old[i]);
        types[i] = tn_joint_get_type(world, old[i]);
        tn_joint_destroy(world, old[i]);
    }
    for (int i = 0; i < ENGINE_JOINTS; ++i) {
        int joint = order[i];
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        tn_slider_joint_def slider = tn_slider_joint_def_default();
        hinge.base = slider.base = defs[joint];
        if (joint == 0) { // the bearing
            hinge.motor.mode = TN_MOTOR_MODE_SPEED;
            hinge.motor.target_speed = ENGINE_SPEED;
            hinge.motor.max_force = ENGINE_TORQUE;
        }
        out_joints[i] = types[joint] == TN_JOINT_TYPE_HINGE
                            ? tn_hinge_joint_create(world, &hinge)
                            : tn_slider_joint_create(world, &slider);
    }
}

// m: the widest gap of any joint in two seconds.
static double engine_run(const int *order) {
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_PGS;
    scene_run *run = scene_run_create(scene_find("inline_four"), NULL, &def);
    cr_assert_not_null(run);
    tn_joint_id joints[ENGINE_JOINTS];
    engine_remake_joints(run->world, order, joints);
    double widest = 0.0;
    for (int step = 0; step < 120; ++step) {
        cr_assert(tn_world_step(run->world, 1.0 / 60.0, 4) == TN_RESULT_OK);
        for (int i = 0; i < ENGINE_JOINTS; ++i) {
            double gap = tn_joint_get_error(run->world, joints[i]).linear_length;
            cr_assert(isfinite(gap));
            widest = fmax(widest, gap);
        }
    }
    scene_run_destroy(run);
    return widest;
}

static void order_shuffle(int *order, uint32_t *seed) {
    for (int i = ENGINE_JOINTS - 1; i > 0; --i) {
        *seed = *seed * 1664525u + 1013904223u;
        int k = (int)((*seed >> 8) % (uint32_t)(i + 1)), held = order[i];
        order[i] = order[k];
        order[k] = held;
    }
}

// Swept as they are made, the first of these orders tears the engine apart within five steps, and
// so do two of five of the others.
Test(joint_order, an_engine_holds_in_whichever_order_its_joints_are_made) {
    int order[ENGINE_JOINTS] = {0, 2, 5, 8, 11, 1, 4, 7, 10, 3, 6, 9, 12};
    uint32_t seed = 1;
    for (int i = 0; i < ENGINE_ORDERS; ++i) {
        double gap = engine_run(order);
        cr_assert(gap < 0.006, "order %d: %g m", i, gap);
        order_shuffle(order, &seed);
    }
}

// ---- the list of awake joints -----------------------------------------------------------------

static tn_body_id list_add_ball(tn_world *world, double x, double mass) {
    tn_body_id ball = test_ball_create(world, x, 0.0, 0.0, 0.1f);
    tn_mass given = tn_body_get_mass(world, ball);
    given.mass = mass;
    tn_body_set_mass(world, ball, given);
    return ball;
}

static uint32_t list_tie(tn_world *world, tn_body_id a, tn_body_id b, double x) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_position){x, 0.0, 0.0},
                                      (tn_dvec3){1.0, 0.0, 0.0}));
    return tn_ball_joint_create(world, &def).value;
}

static void list_check(tn_world *world, const uint32_t *joints, uint32_t count) {
    cr_assert(tn_world_step(world, 1.0 / 60.0, 1) == TN_RESULT_OK);
    cr_assert(world->awake_joints.count == count);
    for (uint32_t i = 0; i < count; ++i) {
        const tni_joint *joint = tni_joint_at(world, world->awake_joints.items[i]);
        cr_assert(joint->handle == joints[i], "place %u", i);
        cr_assert(joint->awake_index == i);
    }
}

Test(joint_order, joints_stand_from_heavy_to_light_within_their_mechanism) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id a = list_add_ball(world, 0.0, 1.0), b = list_add_ball(world, 1.0, 1.5);
    tn_body_id c = list_add_ball(world, 2.0, 100.0), d = list_add_ball(world, 3.0, 1.0);
    tn_body_id e = list_add_ball(world, 9.0, 1.0), f = list_add_ball(world, 10.0, 7000.0);
    uint32_t ab = list_tie(world, a, b, 0.5), ef = list_tie(world, e, f, 9.5);
    uint32_t bc = list_tie(world, b, c, 1.5), cd = list_tie(world, c, d, 2.5);
    // The other mechanism keeps its place, and equal ones their order.
    list_check(world, (uint32_t[]){bc, ef, cd, ab}, 4);

    // Masses within a factor of four count as equal; the order stays until there is a reason.
    tn_mass light = tn_body_get_mass(world, c);
    light.mass = 1.2;
    tn_body_set_mass(world, c, light);
    list_check(world, (uint32_t[]){bc, ef, cd, ab}, 4);
    light.mass = 9.0;
    tn_body_set_mass(world, a, light);
    list_check(world, (uint32_t[]){ab, ef, bc, cd}, 4);
    test_world_destroy_quiet(world, &reports);
}

Test(joint_order, a_joint_that_holds_nothing_dynamic_awake_keeps_its_place) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id a = list_add_ball(world, 0.0, 1.0), b = list_add_ball(world, 1.0, 1.0);
    tn_body_id c = list_add_ball(world, 2.0, 100.0);
    uint32_t ab = list_tie(world, a, b, 0.5), bc = list_tie(world, b, c, 1.5);
    list_check(world, (uint32_t[]){bc, ab}, 2);
    tn_body_set_type(world, c, TN_BODY_TYPE_KINEMATIC);
    list_check(world, (uint32_t[]){bc, ab}, 2);
    tn_body_set_type(world, b, TN_BODY_TYPE_STATIC);
    uint32_t left = world->awake_joints.count;
    cr_assert(tn_world_step(world, 1.0 / 60.0, 1) == TN_RESULT_OK);
    cr_assert(world->awake_joints.count == left);
    test_world_destroy_quiet(world, &reports);
}
