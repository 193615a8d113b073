// scenes/hoist.c: a block and tackle: a small weight draws up a heavy load.
//
// The rope runs `falls` times to the load: the load moves an n-th of what the weight does and is
// pulled n times as hard. With the masses m and M the weight goes down with
//     a = g (m - M / n) / (m + M / n^2).
#include "scenes/build.h"
#include "scenes/registry.h"
#include "scenes/sketch.h"

#include <math.h>

#define HOIST_HEIGHT 4.0 // m, of the wheels
#define HOIST_APART  0.8 // m, from the middle to either side
#define HOIST_WEIGHT 3.2 // m, height of the weight at the start

static const scene_option hoist_options[] = {
    {"weight", 40, 0.1, 10000, "kg"},
    {"load", 100, 0.1, 10000, "kg"},
    {"falls", 4, 1, 12, "of the rope at the load"},
};

typedef struct hoist_state {
    tn_body_id weight, load;
    tn_joint_id rope;
    double start; // m: height of the load
} hoist_state;

static tn_body_id hoist_add_body(scene_run *run, double x, double y, double size, double mass,
                                 const char *name) {
    build_part part = build_part_at(x, y, 0.0);
    part.mass = mass;
    tn_body_id body = build_box(run, &part, size, size, size);
    scene_run_name_body(run, body, "%s", name);
    return body;
}

static void hoist_add_beam(scene_run *run) {
    build_part part = build_part_at(0.0, HOIST_HEIGHT + 0.15, 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    tn_body_id body = build_box(run, &part, 2.0 * HOIST_APART + 0.6, 0.1, 0.3);
    scene_run_name_body(run, body, "beam");
}

static bool hoist_build(scene_run *run) {
    hoist_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    double falls = scene_run_get_value(run, "falls");
    state->weight = hoist_add_body(run, -HOIST_APART, HOIST_WEIGHT, 0.3,
                                   scene_run_get_value(run, "weight"), "weight");
    state->load =
        hoist_add_body(run, HOIST_APART, 0.6, 0.6, scene_run_get_value(run, "load"), "load");
    hoist_add_beam(run);
    build_ground(run, 0.0);
    tn_pulley_joint_def def = tn_pulley_joint_def_default();
    def.base.body_a = state->weight;
    def.base.body_b = state->load;
    def.base.frame_a.position.y = 0.15;
    def.base.frame_b.position.y = 0.3;
    def.ground_a = build_point(-HOIST_APART, HOIST_HEIGHT, 0.0);
    def.ground_b = build_point(HOIST_APART, HOIST_HEIGHT, 0.0);
    def.ratio = falls;
    def.length = (HOIST_HEIGHT - 3.35) + falls * (HOIST_HEIGHT - 0.9);
    def.is_rigid = false;
    def.limit_b = (tn_limit){.is_enabled = true, .lower = 0.3f, .upper = 100.0f};
    state->rope = tn_pulley_joint_create(run->world, &def);
    state->start = tn_body_get_center(run->world, state->load).y;
    scene_run_name_joint(run, state->rope, "rope");
    return state->rope.value != 0;
}

static void hoist_measure(scene_run *run) {
    const hoist_state *state = run->state;
    double falls = scene_run_get_value(run, "falls"), time = tn_world_get_time(run->world);
    double weight = scene_run_get_value(run, "weight"), load = scene_run_get_value(run, "load");
    double acceleration =
        BUILD_GRAVITY * (weight - load / falls) / (weight + load / (falls * falls));
    double raised = tn_body_get_center(run->world, state->load).y - state->start;
    scene_run_add_figure(run, "raised_m", raised);
    double exact = 0.5 * acceleration / falls * time * time;
    if (fabs(exact) * falls < HOIST_WEIGHT - 0.15) { // then the weight stands on the ground
        scene_run_add_figure(run, "exact_m", exact);
    }
    scene_run_add_figure(run, "rope_m", tn_pulley_joint_get_length(run->world, state->rope));
}

// The posts of the beam.
static void hoist_sketch(const scene_run *run, const scene_sketch *sketch) {
    (void)run;
    for (int side = -1; side <= 1; side += 2) {
        double x = side * (HOIST_APART + 0.55);
        sketch_line(sketch, SCENE_PEN_FRAME, build_point(x, 0.0, 0.0),
                    build_point(side * (HOIST_APART + 0.25), HOIST_HEIGHT + 0.1, 0.0));
    }
}

const scene scene_hoist = {
    .name = "hoist",
    .summary = "a block and tackle: a small weight draws up a heavy load",
    .time = 1.0,
    .options = hoist_options,
    .option_count = 3,
    .build = hoist_build,
    .measure = hoist_measure,
    .picture = {.sketch = hoist_sketch},
};
