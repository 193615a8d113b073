// In whichever order an application makes the joints of a machine, Gauss-Seidel holds it as well.
#include "scenes/scene.h"
#include "tests/world/world_test.h"

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
static double engine_turn(tn_world *world, const tn_joint_id *joints) {
    double widest = 0.0;
    for (int step = 0; step < 120; ++step) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
        for (int i = 0; i < ENGINE_JOINTS; ++i) {
            double gap = tn_joint_get_error(world, joints[i]).linear_length;
            cr_assert(isfinite(gap));
            widest = fmax(widest, gap);
        }
    }
    return widest;
}

static scene_run *engine_create(const int *order, tn_joint_id *out_joints) {
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_PGS;
    scene_run *run = scene_run_create(scene_find("inline_four"), NULL, &def);
    cr_assert_not_null(run);
    engine_remake_joints(run->world, order, out_joints);
    return run;
}

static void order_shuffle(int *order, uint32_t *seed) {
    for (int i = ENGINE_JOINTS - 1; i > 0; --i) {
        *seed = *seed * 1664525u + 1013904223u;
        int k = (int)((*seed >> 8) % (uint32_t)(i + 1)), held = order[i];
        order[i] = order[k];
        order[k] = held;
    }
}

// By cylinders the wrists before the big ends: swept as they are made, these tear the engine apart
// within five steps.
static const int order_worst[ENGINE_JOINTS] = {0, 2, 5, 8, 11, 1, 4, 7, 10, 3, 6, 9, 12};

// Of the shuffled ones two of five do.
Test(joint_order, an_engine_holds_in_whichever_order_its_joints_are_made) {
    int order[ENGINE_JOINTS];
    memcpy(order, order_worst, sizeof order);
    uint32_t seed = 1;
    for (int i = 0; i < ENGINE_ORDERS; ++i) {
        tn_joint_id joints[ENGINE_JOINTS];
        scene_run *run = engine_create(order, joints);
        double gap = engine_turn(run->world, joints);
        cr_assert(gap < 0.006, "order %d: %g m", i, gap);
        scene_run_destroy(run);
        order_shuffle(order, &seed);
    }
}

static void engine_set_crank_mass(scene_run *run, double mass) {
    tn_body_id crank = scene_run_find_body(run, "crankshaft");
    tn_mass given = tn_body_get_mass(run->world, crank);
    given.mass = mass;
    tn_body_set_mass(run->world, crank, given);
}

// Its inertia stays: only the order of the joints depends on the mass.
Test(joint_order, masses_given_after_the_joints_are_made_count) {
    tn_joint_id joints[ENGINE_JOINTS];
    scene_run *run = engine_create(order_worst, joints);
    engine_set_crank_mass(run, 0.4);
    cr_assert(tn_world_step(run->world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    engine_set_crank_mass(run, 15.0);
    double gap = engine_turn(run->world, joints);
    cr_assert(gap < 0.006, "%g m", gap);
    scene_run_destroy(run);
}

// The list changes places when a body stops moving, and again when it moves.
Test(joint_order, machines_that_are_stopped_and_let_go_hold) {
    tn_joint_id joints[ENGINE_JOINTS];
    scene_run *run = engine_create(order_worst, joints);
    tn_body_id crank = scene_run_find_body(run, "crankshaft");
    for (int i = 0; i < 4; ++i) {
        tn_body_set_type(run->world, crank, TN_BODY_TYPE_STATIC);
        double gap = engine_turn(run->world, joints);
        cr_assert(gap < 0.006, "stopped: %g m", gap);
        tn_body_set_type(run->world, crank, TN_BODY_TYPE_DYNAMIC);
        gap = engine_turn(run->world, joints);
        cr_assert(gap < 0.006, "let go: %g m", gap);
    }
    scene_run_destroy(run);
}
