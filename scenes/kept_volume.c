// scenes/kept_volume.c: four balls that keep the volume of the tetrahedron between them, dropped on
// the ground: one row of a function joint holds all four.
//
// A ball that comes down pushes the others apart: a third of its height times their area stays.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define VOLUME_BALLS  4
#define VOLUME_RADIUS 0.12 // m

static const scene_option kept_volume_options[] = {
    {"edge", 1, 0.5, 3, "m, of the tetrahedron at the start"},
    {"mass", 1, 0.1, 100, "kg, of the ball on top; the others have 1 kg"},
};

typedef struct kept_volume_state {
    tn_joint_id joint;
    tn_node volume;
    double start, farthest_off; // m^3
} kept_volume_state;

static tn_body_id kept_volume_add_ball(scene_run *run, int i, double edge) {
    double angle = 2.0 * BUILD_PI * i / 3.0 + 0.3, round = edge / sqrt(3.0);
    bool is_top = i == VOLUME_BALLS - 1;
    build_part part = build_part_at(is_top ? 0.0 : round * cos(angle),
                                    0.6 + (is_top ? edge * sqrt(2.0 / 3.0) : 0.0),
                                    is_top ? 0.0 : round * sin(angle));
    part.mass = is_top ? scene_run_get_value(run, "mass") : 1.0;
    part.material.rolling_resistance = 0.02f;
    return build_sphere(run, &part, VOLUME_RADIUS);
}

static tn_node kept_volume_add_function(tn_graph *graph, tn_node *out_volume, double volume) {
    tn_node p[VOLUME_BALLS];
    for (uint32_t i = 0; i < VOLUME_BALLS; ++i) {
        p[i] = tn_graph_add_point(graph, i, (tn_vec3){0.0, 0.0, 0.0});
    }
    *out_volume = tn_graph_add_volume(graph, p[0], p[1], p[2], p[3]);
    return tn_graph_add_difference(graph, *out_volume, tn_graph_add_number(graph, volume));
}

static bool kept_volume_build(scene_run *run) {
    kept_volume_state *state = scene_run_alloc_state(run, sizeof *state);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    if (state == NULL || graph == NULL) {
        tn_graph_destroy(graph);
        return false;
    }
    double edge = scene_run_get_value(run, "edge");
    build_ground(run, 0.0);
    tn_function_joint_def def = tn_function_joint_def_default();
    for (int i = 0; i < VOLUME_BALLS; ++i) {
        def.bodies[i] = kept_volume_add_ball(run, i, edge);
        scene_run_name_body(run, def.bodies[i], "ball_%d", i);
    }
    // From below the three go round the other way.
    state->start = -edge * edge * edge / (6.0 * sqrt(2.0));
    def.graph = graph;
    def.body_count = VOLUME_BALLS;
    def.row_count = 1;
    def.nodes[0] = kept_volume_add_function(graph, &state->volume, state->start);
    state->joint = tn_function_joint_create(run->world, &def);
    tn_graph_destroy(graph);
    run->has_failed |= state->joint.value == 0;
    scene_run_name_joint(run, state->joint, "volume");
    return true;
}

static void kept_volume_after_step(scene_run *run, double dt) {
    (void)dt;
    kept_volume_state *state = run->state;
    double volume = tn_function_joint_get_value(run->world, state->joint, state->volume);
    state->farthest_off = fmax(state->farthest_off, fabs(volume - state->start));
}

static void kept_volume_measure(scene_run *run) {
    const kept_volume_state *state = run->state;
    scene_run_add_figure(run, "volume_m3", fabs(state->start));
    scene_run_add_figure(run, "volume_off_max_m3", state->farthest_off);
}

const scene scene_kept_volume = {
    .name = "kept_volume",
    .summary = "four balls that keep the volume between them, dropped on the ground",
    .time = 3.0,
    .options = kept_volume_options,
    .option_count = 2,
    .build = kept_volume_build,
    .after_step = kept_volume_after_step,
    .measure = kept_volume_measure,
};
