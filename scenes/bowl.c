// scenes/bowl.c: a ball that circles in a bowl made of flat facets, each a convex hull.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define BOWL_RADIUS    2.0  // m, inside
#define BOWL_THICKNESS 0.1  // m
#define BOWL_OPENING   1.2  // rad from the bottom to the rim
#define BOWL_BALL      0.15 // m

static const scene_option bowl_options[] = {
    {"sectors", 32, 6, 64, "facets around"},
    {"rings", 8, 2, 32, "facets from the bottom to the rim"},
    {"speed", 2.5, 0, 20, "m/s of the ball at the start, along the rim"},
};

typedef struct bowl_state {
    tn_body_id ball;
    double energy;     // J at the start
    double energy_max; // J: the largest since
    double reach_max;  // m: the largest distance of the ball's surface from the bowl's centre
} bowl_state;

static tn_vec3 bowl_get_point(double radius, double polar, double around) {
    return build_point(radius * portable_sin(polar) * portable_cos(around),
                       -radius * portable_cos(polar),
                       radius * portable_sin(polar) * portable_sin(around));
}

// A facet between two polar angles and two sides; its inner and outer face are flat trapezia, or
// triangles at the bottom.
static void bowl_add_facet(scene_run *run, double lower, double upper, double from, double to) {
    tn_vec3 points[8];
    for (uint32_t i = 0; i < 8; i++) {
        double radius = i & 1 ? BOWL_RADIUS + BOWL_THICKNESS : BOWL_RADIUS;
        points[i] = bowl_get_point(radius, i & 2 ? upper : lower, i & 4 ? to : from);
    }
    if (lower == 0.0) { // both sides meet at the bottom
        points[4] = points[6];
        points[5] = points[7];
    }
    build_part part = build_part_at(0.0, BOWL_RADIUS + BOWL_THICKNESS, 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    build_hull(run, &part, points, lower == 0.0 ? 6 : 8);
}

static bool bowl_build(scene_run *run) {
    bowl_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    int sectors = (int)scene_run_get_value(run, "sectors");
    int rings = (int)scene_run_get_value(run, "rings");
    for (int ring = 0; ring < rings; ring++) {
        for (int i = 0; i < sectors; i++) {
            bowl_add_facet(run, BOWL_OPENING * ring / rings, BOWL_OPENING * (ring + 1) / rings,
                           2.0 * BUILD_PI * i / sectors, 2.0 * BUILD_PI * (i + 1) / sectors);
        }
    }

    // The facets lie inside the sphere by up to the sagitta, so the ball starts a little off it.
    double polar = 0.8 * BOWL_OPENING;
    double reach = BOWL_RADIUS - BOWL_BALL - 0.03;
    build_part part =
        build_part_at(reach * portable_sin(polar),
                      BOWL_RADIUS + BOWL_THICKNESS - reach * portable_cos(polar), 0.0);
    part.mass = 5.0;
    part.velocity.linear.z = scene_run_get_value(run, "speed");
    state->ball = build_sphere(run, &part, BOWL_BALL);
    scene_run_name_body(run, state->ball, "ball");
    state->energy = figure_get_energy(run);
    state->energy_max = state->energy;
    return true;
}

static void bowl_after_step(scene_run *run, double dt) {
    (void)dt;
    bowl_state *state = run->state;
    tn_vec3 ball = tn_body_get_center(run->world, state->ball);
    tn_vec3 center = build_point(0.0, BOWL_RADIUS + BOWL_THICKNESS, 0.0);
    state->reach_max = fmax(state->reach_max, build_distance(center, ball) + BOWL_BALL);
    state->energy_max = fmax(state->energy_max, figure_get_energy(run));
}

static void bowl_measure(scene_run *run) {
    const bowl_state *state = run->state;
    tn_vec3 ball = tn_body_get_center(run->world, state->ball);
    scene_run_add_figure(run, "outside_m", fmax(0.0, state->reach_max - BOWL_RADIUS));
    scene_run_add_figure(run, "energy_gain_max_relative",
                         (state->energy_max - state->energy) / state->energy);
    scene_run_add_figure(run, "height_end_m", ball.y - BOWL_THICKNESS - BOWL_BALL);
    scene_run_add_figure(run, "off_middle_end_m", portable_hypot(ball.x, ball.z));
}

const scene scene_bowl = {
    .name = "bowl",
    .summary = "a ball circling in a bowl of flat facets",
    .time = 15.0,
    .options = bowl_options,
    .option_count = 3,
    .build = bowl_build,
    .after_step = bowl_after_step,
    .measure = bowl_measure,
};
