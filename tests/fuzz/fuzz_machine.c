// tests/fuzz/fuzz_machine.c: worlds of all kinds, to save, to record and to forge: boxes and other
// shapes on a floor, some of them on joints, and scenes with mechanisms, ropes, nets, goals,
// reduced and affine bodies.
#include "fuzz.h"

// The scenes whose snapshots are at most about 100 kB.
static const char *const machine_scenes[] = {
    "air_hockey",
    "arch",
    "arm",
    "balls",
    "barrier",
    "bead",
    "belt_drive",
    "bridge",
    "buggy",
    "cam",
    "capstan",
    "car",
    "card_house",
    "cardan",
    "catapult",
    "chain",
    "character",
    "clock",
    "coaster",
    "crane",
    "dominoes",
    "door",
    "door_bolt",
    "double_pendulum",
    "drawing",
    "excavator",
    "fit_circle",
    "four_bar",
    "gate",
    "hand",
    "heavy_top",
    "hoist",
    "hybrid_crank",
    "hyperbola",
    "inline_four",
    "jelly",
    "kapitza",
    "kept_volume",
    "lagrangian_pendulum",
    "magnets",
    "mesh_ground",
    "newtons_cradle",
    "optical_table",
    "pendulum",
    "pendulum_wave",
    "pinball",
    "piston",
    "piston_stop",
    "planetary_gear",
    "puppet",
    "queries",
    "rack_jack",
    "radial_engine",
    "raft",
    "ragdoll",
    "roller_coaster",
    "rope",
    "scissor_lift",
    "screw_press",
    "shake_table",
    "shapes",
    "skittles",
    "skyscraper",
    "slider_crank",
    "snap",
    "t_handle",
    "tackle",
    "tank",
    "tiled_floor",
    "tinkertoys",
    "top_heavy_stack",
    "torus",
    "tower",
    "trebuchet",
    "troids",
    "vehicle",
    "winch",
};
#define MACHINE_SCENES (sizeof machine_scenes / sizeof *machine_scenes)

// These are larger, and are built one time in many.
static const char *const machine_large_scenes[] = {"atwood",  "game", "house",
                                                   "lattice", "net",  "walker"};
#define MACHINE_LARGE_SCENES (sizeof machine_large_scenes / sizeof *machine_large_scenes)

// ---- boxes and joints ---------------------------------------------------------------------------

static void machine_add_joint(fuzz *f, tn_world *world, tn_body_id a, tn_body_id b) {
    tn_vec3 anchor = {0.5, 0.5, 0.0}, axis = {0.0, 0.0, 1.0};
    if (fuzz_chance(f, 2)) {
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        def.limit.is_enabled = fuzz_chance(f, 2);
        def.limit.upper = 9.0f;
        def.motor.mode = fuzz_chance(f, 2) ? TN_MOTOR_MODE_SPEED : TN_MOTOR_MODE_OFF;
        def.motor.max_force = 10.0f;
        def.base.break_force = fuzz_chance(f, 4) ? 50.0f : def.base.break_force;
        tn_joint_def_set_frames(world, &def.base, a, b, anchor, axis);
        tn_hinge_joint_create(world, &def);
    } else {
        tn_slider_joint_def def = tn_slider_joint_def_default();
        tn_joint_def_set_frames(world, &def.base, a, b, anchor, axis);
        tn_slider_joint_create(world, &def);
    }
}

// Boxes, balls and other shapes about a metre large on a floor; some of them in a chain.
static tn_world *machine_make_boxes(fuzz *f) {
    tn_world *world = fuzz_world(f);
    tn_body_def def = tn_body_def_default();
    tn_shape_def shape = tn_shape_def_default();
    def.type = TN_BODY_TYPE_STATIC;
    tn_body_id before = tn_body_create(world, &def);
    tn_half_space_shape_create(world, before, &shape);
    uint32_t count = 2 + fuzz_below(f, 6);
    for (uint32_t i = 0; i < count; ++i) {
        def.type = fuzz_chance(f, 6) ? TN_BODY_TYPE_KINEMATIC : TN_BODY_TYPE_DYNAMIC;
        def.pose.position = (tn_vec3){0.3 * fuzz_unit(f), 0.5 + 0.9 * i, 0.3 * fuzz_unit(f)};
        tn_body_id body = tn_body_create(world, &def);
        shape.is_sensor = fuzz_chance(f, 8);
        if (fuzz_chance(f, 2)) {
            tn_box_shape_create(world, body, &shape, (tn_vec3){0.5, 0.5, 0.5});
        } else {
            fuzz_shape(f, world, body);
        }
        if (fuzz_chance(f, 3)) {
            machine_add_joint(f, world, before, body);
        }
        before = body;
    }
    for (uint32_t i = 0; i < 2 && fuzz_chance(f, 4); ++i) {
        tn_body_destroy(world, before);
    }
    return world;
}

// ---- all ----------------------------------------------------------------------------------------

static const char *machine_choose_scene(fuzz *f) {
    return fuzz_chance(f, 40) ? machine_large_scenes[fuzz_below(f, MACHINE_LARGE_SCENES)]
                              : machine_scenes[fuzz_below(f, MACHINE_SCENES)];
}

fuzz_machine fuzz_make_machine(fuzz *f) {
    fuzz_machine machine = {.run = NULL};
    uint32_t most = 40;
    if (fuzz_chance(f, 4)) {
        bool is_hostile = f->is_hostile;
        f->is_hostile = false; // shapes of huge lengths take long, and forge nothing
        machine.world = machine_make_boxes(f);
        f->is_hostile = is_hostile;
        most = fuzz_chance(f, 6) ? 200 : most;
    } else {
        tn_world_def def = fuzz_world_def(f);
        machine.run = scene_run_create(scene_find(machine_choose_scene(f)), NULL, &def);
        fuzz_expect(f, machine.run != NULL, "a scene was not built");
        machine.world = machine.run != NULL ? machine.run->world : NULL;
    }
    if (fuzz_chance(f, 2)) {
        tn_world_set_solver(machine.world, (tn_solver)fuzz_below(f, TN_SOLVER_CG + 1));
    }
    uint32_t steps = fuzz_below(f, most);
    for (uint32_t i = 0; i < steps; ++i) {
        fuzz_machine_step(&machine);
    }
    return machine;
}

fuzz_machine fuzz_make_machine_like(fuzz *f, uint64_t recipe) {
    fuzz_machine machine = {.run = NULL};
    if (fuzz_chance(f, 4)) {
        machine.world = fuzz_world(f);
    } else if (fuzz_chance(f, 4)) {
        machine = fuzz_make_machine(f);
    } else {
        uint64_t random = f->random;
        f->random = recipe;
        machine = fuzz_make_machine(f);
        f->random = random;
        uint32_t steps = fuzz_chance(f, 2) ? fuzz_below(f, 4) : 0;
        for (uint32_t i = 0; i < steps; ++i) {
            fuzz_machine_step(&machine);
        }
    }
    return machine;
}

tn_result fuzz_machine_step(const fuzz_machine *machine) {
    return machine->run != NULL ? scene_run_step(machine->run, 1.0 / 60.0, 4)
                                : tn_world_step(machine->world, 1.0 / 60.0, 4);
}

void fuzz_machine_destroy(fuzz_machine *machine) {
    if (machine->run != NULL) {
        scene_run_destroy(machine->run);
    } else {
        tn_world_destroy(machine->world);
    }
    *machine = (fuzz_machine){.world = NULL};
}
