// scenes/capstan.c: a small weight lets down a heavy load, by a rope with a turn about a bollard.
//
// By Euler's law the bollard makes q = exp(mu wrap) of a tension. With the load M on one side and
// the tail m on the other the load goes down with a = g (M - q m) / (M + q m), or not at all where
// that is not above zero.
#include "scenes/build.h"
#include "scenes/registry.h"

#include <math.h>

#define CAPSTAN_HEIGHT 4.0 // m
#define CAPSTAN_APART  0.5 // m, from the bollard to either side

static const scene_option capstan_options[] = {
    {"load", 100, 0.1, 10000, "kg"},
    {"tail", 6, 0.1, 10000, "kg"},
    {"friction", 0.3, 0, 2, "mu, of the rope on the bollard"},
    {"turns", 1, 0, 20, "whole ones, beside the bend"},
};

typedef struct capstan_state {
    tn_body_id load;
    tn_joint_id rope;
    double start; // m
} capstan_state;

static tn_body_id capstan_add_weight(scene_run *run, double x, double y, double size,
                                     const char *name) {
    build_part part = build_part_at(x, y, 0.0);
    part.mass = scene_run_get_value(run, name);
    tn_body_id body = build_box(run, &part, size, size, size);
    scene_run_name_body(run, body, "%s", name);
    return body;
}

static void capstan_add_post(scene_run *run, double x, double radius) {
    build_part part = build_part_at(x, CAPSTAN_HEIGHT, 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    part.filter.mask = 0;
    tn_body_id body = build_disc(run, &part, radius, 0.3);
    scene_run_name_body(run, body, "post");
}

static void capstan_set_point(tn_rope_point *point, tn_body_id body, double x, double y) {
    point->body = body;
    point->position = (tn_vec3){x, y, 0.0};
}

static bool capstan_build(scene_run *run) {
    capstan_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_body_id world = {0};
    build_ground(run, 0.0);
    capstan_add_post(run, -CAPSTAN_APART, 0.05);
    capstan_add_post(run, 0.0, 0.09);
    capstan_add_post(run, CAPSTAN_APART, 0.05);
    state->load = capstan_add_weight(run, -CAPSTAN_APART, 3.0, 0.5, "load");
    tn_body_id tail = capstan_add_weight(run, CAPSTAN_APART, 0.6, 0.2, "tail");
    tn_rope_joint_def def = tn_rope_joint_def_default();
    capstan_set_point(&def.points[0], state->load, 0.0, 0.25);
    capstan_set_point(&def.points[1], world, -CAPSTAN_APART, CAPSTAN_HEIGHT);
    capstan_set_point(&def.points[2], world, 0.0, CAPSTAN_HEIGHT);
    capstan_set_point(&def.points[3], world, CAPSTAN_APART, CAPSTAN_HEIGHT);
    capstan_set_point(&def.points[4], tail, 0.0, 0.1);
    def.points[2].friction = (float)scene_run_get_value(run, "friction");
    def.points[2].turns = (uint32_t)scene_run_get_value(run, "turns");
    def.point_count = 5;
    state->rope = tn_rope_joint_create(run->world, &def);
    state->start = tn_body_get_center(run->world, state->load).y;
    scene_run_name_joint(run, state->rope, "rope");
    return state->rope.value != 0;
}

static void capstan_measure(scene_run *run) {
    const capstan_state *state = run->state;
    const tn_world *world = run->world;
    double time = tn_world_get_time(world), load = scene_run_get_value(run, "load");
    double wrap = 2.0 * BUILD_PI * floor(scene_run_get_value(run, "turns"));
    double held =
        exp(scene_run_get_value(run, "friction") * wrap) * scene_run_get_value(run, "tail");
    double acceleration = fmax(BUILD_GRAVITY * (load - held) / (load + held), 0.0);
    double lowered = state->start - tn_body_get_center(world, state->load).y;
    scene_run_add_figure(run, "lowered_m", lowered);
    double exact = 0.5 * acceleration * time * time;
    if (exact < state->start - 0.25) { // then the load stands on the ground
        scene_run_add_figure(run, "exact_m", exact);
    }
    scene_run_add_figure(run, "load_N", (double)tn_rope_joint_get_tension(world, state->rope, 0));
    scene_run_add_figure(run, "tail_N", (double)tn_rope_joint_get_tension(world, state->rope, 3));
}

const scene scene_capstan = {
    .name = "capstan",
    .summary = "a small weight lets down a heavy load by a turn about a bollard",
    .time = 1.0,
    .options = capstan_options,
    .option_count = 4,
    .build = capstan_build,
    .measure = capstan_measure,
};
