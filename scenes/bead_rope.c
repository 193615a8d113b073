// scenes/bead_rope.c: a rope of particles on rods between two hooks, let go from a straight V.
//
// At rest it is the polygon of a hanging rope (a discrete catenary). Each rod carries the same
// horizontal pull H, and from one rod to the next the vertical one grows by the weight m g of the
// bead between them: with n beads of mass m, rod i of n + 1 has the slope
//     t_i = k (i - n / 2),     k = m g / H
// and k is the one with which the rods, of length l, reach over the span:
//     sum l / sqrt(1 + t_i^2) = span
// Sources: L. Euler, "Methodus inveniendi lineas curvas", 1744 (the catenary); S. Timoshenko, D.
// Young, "Theory of Structures", 1965, ch. 1 (funicular polygons).
#include "scenes/build_particles.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define ROPE_MAX_BEADS 5000
#define ROPE_MASS      2.0 // kg, the whole rope

static const scene_option bead_rope_options[] = {
    {"count", 1000, 1, ROPE_MAX_BEADS, "particles"},
    {"length", 12, 1, 1000, "m of the whole rope"},
    {"span", 8, 0, 1000, "m between the hooks, less than the length"},
    {"damping", 2, 0, 100, "1/s: share of the speed that beads lose"},
};

typedef struct bead_rope_state {
    uint32_t count;
    tn_body_id beads[ROPE_MAX_BEADS];
} bead_rope_state;

static void bead_rope_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static double bead_rope_get_rod(const scene_run *run) {
    return scene_run_get_value(run, "length") / (scene_run_get_value(run, "count") + 1.0);
}

// Two straight halves; where there is a rod in the middle it is level.
static void bead_rope_place(const scene_run *run, uint32_t count, tn_vec3 *out_points) {
    double rod = bead_rope_get_rod(run), span = scene_run_get_value(run, "span");
    uint32_t half = (count + 1) / 2; // rods down, and as many up
    double level = count % 2 == 0 ? rod : 0.0;
    double across = 0.5 * (span - level) / half;
    double down = sqrt(fmax(rod * rod - across * across, 0.0));
    for (uint32_t i = 0; i < count; i++) {
        bool is_left = i < half;
        double steps = is_left ? i + 1.0 : (double)(count - i);
        double x = 0.5 * span - steps * across;
        out_points[i] = build_point(is_left ? -x : x, -steps * down, 0.0);
    }
}

static bool bead_rope_build(scene_run *run) {
    bead_rope_state *state = scene_run_alloc_state(run, sizeof *state);
    double span = scene_run_get_value(run, "span");
    if (state == NULL || span >= scene_run_get_value(run, "length")) {
        return false;
    }
    state->count = (uint32_t)scene_run_get_value(run, "count");
    tn_vec3 points[ROPE_MAX_BEADS] = {{0.0, 0.0, 0.0}};
    bead_rope_place(run, state->count, points);
    build_beads beads = {.mass = ROPE_MASS / state->count,
                         .damping = scene_run_get_value(run, "damping"),
                         .threads = {.type = BUILD_THREAD_ROD, .slack = 1.0}};
    build_bead_rope(run, &beads, points, state->count, state->beads);
    build_rod(run, (tn_body_id){0}, state->beads[0], build_point(-0.5 * span, 0.0, 0.0), points[0]);
    build_rod(run, (tn_body_id){0}, state->beads[state->count - 1],
              build_point(0.5 * span, 0.0, 0.0), points[state->count - 1]);
    scene_run_name_body(run, state->beads[state->count / 2], "middle");
    return true;
}

// How far n + 1 rods of length 1 reach over, or down from a hook to the lowest bead, for a k.
static double bead_rope_reach(uint32_t count, double k, bool is_down) {
    double sum = 0.0;
    for (uint32_t i = 0; i <= count; i++) {
        double t = k * (i - 0.5 * count);
        double level = 1.0 / sqrt(1.0 + t * t);
        sum += is_down ? -fmin(t, 0.0) * level : level;
    }
    return sum;
}

// m from the hooks down to the lowest bead, at rest.
static double bead_rope_get_exact_sag(const scene_run *run) {
    double rod = bead_rope_get_rod(run), span = scene_run_get_value(run, "span");
    uint32_t count = (uint32_t)scene_run_get_value(run, "count");
    double lower = 0.0, upper = 1.0;
    for (int i = 0; i < 60 && rod * bead_rope_reach(count, upper, false) > span; i++) {
        upper *= 2.0;
    }
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (lower + upper);
        bool is_wide = rod * bead_rope_reach(count, middle, false) > span;
        lower = is_wide ? middle : lower;
        upper = is_wide ? upper : middle;
    }
    return rod * bead_rope_reach(count, lower, true);
}

static void bead_rope_measure(scene_run *run) {
    const bead_rope_state *state = run->state;
    double lowest = 0.0;
    for (uint32_t i = 0; i < state->count; i++) {
        lowest = fmin(lowest, tn_body_get_center(run->world, state->beads[i]).y);
    }
    scene_run_add_figure(run, "sag_m", -lowest);
    scene_run_add_figure(run, "sag_exact_m", bead_rope_get_exact_sag(run));
}

const scene scene_bead_rope = {
    .name = "bead_rope",
    .summary = "a rope of a thousand particles between two hooks",
    .time = 10.0,
    .options = bead_rope_options,
    .option_count = 4,
    .configure = bead_rope_configure,
    .build = bead_rope_build,
    .measure = bead_rope_measure,
};
