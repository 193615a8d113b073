// scenes/rope.c: a rope of capsules with a weight at its end, let go at an angle.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define ROPE_MAX_LINKS 200
#define ROPE_LENGTH    4.0  // m
#define ROPE_RADIUS    0.02 // m
#define ROPE_MASS      2.0  // kg

static const scene_option rope_options[] = {
    {"links", 20, 1, ROPE_MAX_LINKS, "capsules"},
    {"ratio", 2, 0.1, 1000, "mass of the weight over that of the whole rope"},
    {"angle", 60, 0, 90, "deg from hanging, at the start"},
};

typedef struct rope_state {
    tn_body_id weight;
    double energy;    // J at the start
    double reach_max; // m: the largest distance of the weight from the anchor
} rope_state;

static void rope_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool rope_build(scene_run *run) {
    rope_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    uint32_t count = (uint32_t)scene_run_get_value(run, "links");
    double angle = scene_run_get_value(run, "angle") * BUILD_PI / 180.0;
    tn_vec3 from = build_point(0.0, 0.0, 0.0);
    tn_vec3 to =
        build_point(ROPE_LENGTH * portable_sin(angle), -ROPE_LENGTH * portable_cos(angle), 0.0);
    tn_vec3 points[ROPE_MAX_LINKS + 1];
    tn_body_id links[ROPE_MAX_LINKS];
    build_spread_points(from, to, count, points);

    build_part part = build_part_at(to.x, to.y, to.z);
    part.filter.mask = 0;
    build_rope_of_links(run,
                        &(build_links){.points = points,
                                       .count = count,
                                       .link_mass = ROPE_MASS / count,
                                       .radius = ROPE_RADIUS,
                                       .material = part.material,
                                       .filter = part.filter},
                        links);
    part.mass = ROPE_MASS * scene_run_get_value(run, "ratio");
    state->weight = build_sphere(run, &part, 0.15);
    build_ball_joint(run, (tn_body_id){0}, links[0], from, build_axis_x());
    build_ball_joint(run, links[count - 1], state->weight, to, build_axis_x());
    scene_run_name_body(run, state->weight, "weight");
    state->energy = figure_get_energy(run);
    return true;
}

static void rope_after_step(scene_run *run, double dt) {
    (void)dt;
    rope_state *state = run->state;
    tn_vec3 weight = tn_body_get_center(run->world, state->weight);
    state->reach_max = fmax(state->reach_max, build_distance(build_point(0.0, 0.0, 0.0), weight));
}

static void rope_measure(scene_run *run) {
    const rope_state *state = run->state;
    double mass = ROPE_MASS * (scene_run_get_value(run, "ratio") + 0.5);
    double change = figure_get_energy(run) - state->energy;
    scene_run_add_figure(run, "stretch_max_m", fmax(0.0, state->reach_max - ROPE_LENGTH));
    scene_run_add_figure(run, "energy_change_relative",
                         change / (mass * BUILD_GRAVITY * ROPE_LENGTH));
}

const scene scene_rope = {
    .name = "rope",
    .summary = "a rope of capsules with a weight at its end",
    .time = 10.0,
    .options = rope_options,
    .option_count = 3,
    .configure = rope_configure,
    .build = rope_build,
    .after_step = rope_after_step,
    .measure = rope_measure,
};
