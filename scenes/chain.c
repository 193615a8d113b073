// scenes/chain.c: a chain of 1 kg links with a heavy ball at its end: the test of mass ratios.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define CHAIN_LENGTH      0.5  // m of a link
#define CHAIN_THICKNESS   0.05 // m
#define CHAIN_BALL_RADIUS 0.2  // m

static const scene_option chain_options[] = {
    {"links", 20, 1, 1000, "links of 1 kg"},
    {"ratio", 10, 0.1, 100000, "mass of the end ball over that of a link"},
    {"hanging", 0, 0, 1, "1: starts hanging at rest; 0: starts horizontal"},
};

typedef struct chain_state {
    tn_body_id ball;
    double energy; // J at the start
} chain_state;

static void chain_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool chain_build(scene_run *run) {
    chain_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    int count = (int)scene_run_get_value(run, "links");
    bool is_hanging = scene_run_get_value(run, "hanging") >= 0.5;
    double dx = is_hanging ? 0.0 : CHAIN_LENGTH;
    double dy = is_hanging ? -CHAIN_LENGTH : 0.0;
    tn_body_id previous = {0};
    for (int i = 0; i < count; i++) {
        tn_vec3 from = build_point(i * dx, i * dy, 0.0);
        build_part part = build_part_between(from, build_point(from.x + dx, from.y + dy, 0.0));
        part.mass = 1.0;
        part.filter.mask = 0;
        tn_body_id link = build_box(run, &part, CHAIN_LENGTH, CHAIN_THICKNESS, CHAIN_THICKNESS);
        build_ball_joint(run, previous, link, from, build_axis_x());
        scene_run_name_body(run, link, "link%02d", i + 1);
        previous = link;
    }

    build_part part = build_part_at(count * dx, count * dy, 0.0);
    part.mass = scene_run_get_value(run, "ratio");
    part.filter.mask = 0;
    state->ball = build_sphere(run, &part, CHAIN_BALL_RADIUS);
    build_ball_joint(run, previous, state->ball, part.pose.position, build_axis_x());
    scene_run_name_body(run, state->ball, "ball");
    state->energy = figure_get_energy(run);
    return true;
}

static void chain_measure(scene_run *run) {
    const chain_state *state = run->state;
    double length = scene_run_get_value(run, "links") * CHAIN_LENGTH;
    tn_vec3 ball = tn_body_get_center(run->world, state->ball);
    double reach = build_distance(build_point(0.0, 0.0, 0.0), ball);
    double weight = BUILD_GRAVITY * length *
                    (scene_run_get_value(run, "ratio") + 0.5 * scene_run_get_value(run, "links"));
    scene_run_add_figure(run, "stretch_end_m", fmax(0.0, reach - length));
    scene_run_add_figure(run, "energy_change_relative",
                         (figure_get_energy(run) - state->energy) / weight);
}

const scene scene_chain = {
    .name = "chain",
    .summary = "a chain of 1 kg links with a heavy ball at its end",
    .time = 10.0,
    .options = chain_options,
    .option_count = 3,
    .configure = chain_configure,
    .build = chain_build,
    .measure = chain_measure,
};
