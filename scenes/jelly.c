// scenes/jelly.c: soft boxes and a prism that fall on steps and on each other.
//
// Each but the rigid crate, the last, is an affine body: it is pressed flat where it lands, shears
// where it catches on an edge, and bears what lies on it.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define JELLY_STEPS   3
#define JELLY_TREAD   0.9  // m
#define JELLY_RISE    0.35 // m
#define JELLY_DEPTH   1.2  // m
#define JELLY_APART   0.55 // m, from one to the next above it
#define JELLY_RATIO   0.35 // Poisson's
#define JELLY_VISCOUS 0.02 // s
#define JELLY_DENSITY 300  // kg/m^3

static const scene_option jelly_options[] = {
    {"count", 8, 2, 1000, "with the crate"},
    {"modulus", 2e4, 0, 1e12, "Pa, Young's"},
};

typedef struct jelly_state {
    int count;
    tn_reduced_id bodies[];
} jelly_state;

static void jelly_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static void jelly_add_step(scene_run *run, int index) {
    double height = JELLY_RISE * (JELLY_STEPS - index);
    build_part part = build_part_at(JELLY_TREAD * index, 0.5 * height, 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    build_box(run, &part, JELLY_TREAD, height, JELLY_DEPTH);
}

static tn_body_id jelly_add_prism(scene_run *run, const build_part *part) {
    static const tn_vec3 points[6] = {{-0.32, -0.2, -0.2}, {0.32, -0.2, -0.2}, {0.0, 0.38, -0.2},
                                      {-0.32, -0.2, 0.2},  {0.32, -0.2, 0.2},  {0.0, 0.38, 0.2}};
    return build_hull(run, part, points, 6);
}

static tn_body_id jelly_add_body(scene_run *run, int index) {
    double along = 0.55 * (double)(index % 3) + 0.13 * (double)(index % 4) - 0.2;
    double up = JELLY_RISE * JELLY_STEPS + 0.5 + JELLY_APART * (double)index;
    build_part part = build_part_turned(along, up, 0.4 * (double)(index % 5));
    part.density = JELLY_DENSITY;
    if (index % 4 == 2) {
        return jelly_add_prism(run, &part);
    }
    double side = 0.4 + 0.1 * (double)(index % 3);
    return build_box(run, &part, side, 0.4, 0.4);
}

static bool jelly_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    jelly_state *state =
        scene_run_alloc_state(run, sizeof *state + (size_t)count * sizeof *state->bodies);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    for (int i = 0; i < JELLY_STEPS; i++) {
        jelly_add_step(run, i);
    }
    for (int i = 0; i + 1 < count; i++) {
        tn_body_id body = jelly_add_body(run, i);
        scene_run_name_body(run, body, "jelly_%d", i);
        state->bodies[state->count++] = build_affine(run, body, JELLY_RATIO, JELLY_VISCOUS);
    }
    scene_run_name_body(run, jelly_add_body(run, count - 1), "crate");
    return true;
}

static void jelly_measure(scene_run *run) {
    const jelly_state *state = run->state;
    figure_add_affine(run, state->bodies, state->count);
}

const scene scene_jelly = {
    .name = "jelly",
    .summary = "soft boxes and prisms that fall on steps and on each other, with a rigid crate",
    .time = 5.0,
    .options = jelly_options,
    .option_count = 2,
    .configure = jelly_configure,
    .build = jelly_build,
    .measure = jelly_measure,
};
