// scenes/gates.c: boxes and balls fall through layers of sensors, each of which notices them.
//
// A gate lies under each body. Those of the next layers are under it too, so that a body falls
// through as many gates as there are layers below it.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define GATES_SPACING 1.5 // m between the middles of gates
#define GATES_WIDTH   1.0 // m
#define GATES_HEIGHT  0.6 // m
#define GATES_LOWEST  0.4 // m of the middles of the lowest gates
#define GATES_ASIDE   0.8 // m by which bodies begin aside of the middles, at most

static const scene_option gates_options[] = {
    {"count", 100, 1, 20000, "gates, and as many bodies"},
    {"side", 5, 1, 100, "gates along each edge of a layer"},
};

typedef struct gates_state {
    uint64_t begins, ends;
    uint32_t count;
    tn_shape_id gates[];
} gates_state;

static tn_shape_id gates_add(scene_run *run, tn_vec3 at) {
    build_part part = build_part_at(at.x, at.y, at.z);
    part.type = TN_BODY_TYPE_STATIC;
    tn_body_id body = build_body(run, &part);
    tn_shape_def def = tn_shape_def_default();
    def.is_sensor = true;
    tn_vec3 half = build_point(0.5 * GATES_WIDTH, 0.5 * GATES_HEIGHT, 0.5 * GATES_WIDTH);
    tn_shape_id shape = tn_box_shape_create(run->world, body, &def, half);
    run->has_failed = run->has_failed || shape.value == 0;
    return shape;
}

static void gates_add_body(scene_run *run, tn_vec3 gate, int index, uint32_t *seed) {
    double x = gate.x + 2.0 * GATES_ASIDE * (build_random(seed) - 0.5);
    double z = gate.z + 2.0 * GATES_ASIDE * (build_random(seed) - 0.5);
    build_part part = build_part_at(x, gate.y + 0.5 * GATES_SPACING, z);
    build_turn(&part.pose, build_axis_x(), BUILD_PI * build_random(seed));
    if (index % 2 == 0) {
        build_box(run, &part, 0.5, 0.3, 0.4);
    } else {
        build_sphere(run, &part, 0.22);
    }
}

static bool gates_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    int side = (int)scene_run_get_value(run, "side");
    gates_state *state =
        scene_run_alloc_state(run, sizeof *state + (size_t)count * sizeof(tn_shape_id));
    if (state == NULL) {
        return false;
    }
    state->count = (uint32_t)count;
    uint32_t seed = 29;
    build_ground(run, 0.0);
    for (int i = 0; i < count; i++) {
        tn_vec3 at = build_point(GATES_SPACING * (i % side - 0.5 * (side - 1)),
                                 GATES_LOWEST + GATES_SPACING * (i / (side * side)),
                                 GATES_SPACING * (i / side % side - 0.5 * (side - 1)));
        state->gates[i] = gates_add(run, at);
        gates_add_body(run, at, i, &seed);
    }
    return true;
}

static void gates_after_step(scene_run *run, double dt) {
    (void)dt;
    gates_state *state = run->state;
    tn_events events = tn_world_get_events(run->world);
    state->begins += events.sensor_begin_count;
    state->ends += events.sensor_end_count;
}

static void gates_measure(scene_run *run) {
    const gates_state *state = run->state;
    uint32_t inside = 0;
    for (uint32_t i = 0; i < state->count; i++) {
        inside += tn_shape_get_overlaps(run->world, state->gates[i], NULL, 0);
    }
    scene_run_add_figure(run, "begins", (double)state->begins);
    scene_run_add_figure(run, "ends", (double)state->ends);
    scene_run_add_figure(run, "inside", inside);
    scene_run_add_figure(run, "below_ground", figure_count_below(run, 0.0));
}

const scene scene_gates = {
    .name = "gates",
    .summary = "boxes and balls falling through layers of sensors",
    .time = 4.0,
    .options = gates_options,
    .option_count = 2,
    .build = gates_build,
    .after_step = gates_after_step,
    .measure = gates_measure,
    .picture = {.view = SCENE_VIEW_CORNER},
};
