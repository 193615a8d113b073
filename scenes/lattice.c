// scenes/lattice.c: a block of boxes welded to their neighbours, held by one face, while gravity
// shakes it: far more rows than freedoms.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define LATTICE_MAX_SIDE 16
#define LATTICE_SPACING  0.5 // m
#define LATTICE_SHAKE_HZ 1.0

static const scene_option lattice_options[] = {
    {"side", 6, 2, LATTICE_MAX_SIDE, "boxes along each edge"},
    {"shake", 0.5, 0, 1, "share of gravity that comes and goes once a second"},
};

typedef struct lattice_state {
    tn_body_id tip; // in the middle of the free face
    double height;  // m, of the tip at the start
    double sag_max; // m
} lattice_state;

static void lattice_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static tn_body_id lattice_add(scene_run *run, tn_vec3 place, bool is_fixed) {
    build_part part = build_part_at(place.x, place.y, place.z);
    part.type = is_fixed ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
    part.filter.mask = 0;
    return build_box(run, &part, LATTICE_SPACING, LATTICE_SPACING, LATTICE_SPACING);
}

// Welds two neighbours halfway between them, unless both are fixed.
static void lattice_weld(scene_run *run, tn_body_id a, tn_body_id b) {
    if (tn_body_get_type(run->world, a) == TN_BODY_TYPE_STATIC &&
        tn_body_get_type(run->world, b) == TN_BODY_TYPE_STATIC) {
        return;
    }
    tn_vec3 p = tn_body_get_center(run->world, a);
    tn_vec3 q = tn_body_get_center(run->world, b);
    build_fixed(run, a, b, build_point(0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)));
}

// The boxes of the face at x = 0 are fixed.
static bool lattice_build(scene_run *run) {
    lattice_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    int n = (int)scene_run_get_value(run, "side");
    tn_body_id left[LATTICE_MAX_SIDE][LATTICE_MAX_SIDE] = {{{0}}};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) {
                tn_vec3 place =
                    build_point(LATTICE_SPACING * i, LATTICE_SPACING * j, LATTICE_SPACING * k);
                tn_body_id body = lattice_add(run, place, i == 0);
                if (i > 0) {
                    lattice_weld(run, left[j][k], body);
                }
                left[j][k] = body;
                if (j > 0) {
                    lattice_weld(run, left[j - 1][k], body);
                }
                if (k > 0) {
                    lattice_weld(run, left[j][k - 1], body);
                }
            }
        }
    }
    state->tip = left[n / 2][n / 2];
    state->height = tn_body_get_center(run->world, state->tip).y;
    scene_run_name_body(run, state->tip, "tip");
    return true;
}

static void lattice_before_step(scene_run *run, double dt) {
    (void)dt;
    double turn = 2.0 * BUILD_PI * LATTICE_SHAKE_HZ * tn_world_get_time(run->world);
    double share = 1.0 + scene_run_get_value(run, "shake") * portable_sin(turn);
    tn_world_set_gravity(run->world, build_point(0.0, -BUILD_GRAVITY * share, 0.0));
}

static void lattice_after_step(scene_run *run, double dt) {
    (void)dt;
    lattice_state *state = run->state;
    double sag = state->height - tn_body_get_center(run->world, state->tip).y;
    state->sag_max = fmax(state->sag_max, fabs(sag));
}

static void lattice_measure(scene_run *run) {
    const lattice_state *state = run->state;
    scene_run_add_figure(run, "joints", tn_world_count_joints(run->world));
    scene_run_add_figure(run, "sag_max_m", state->sag_max);
}

const scene scene_lattice = {
    .name = "lattice",
    .summary = "a block of welded boxes held by one face, shaken",
    .time = 5.0,
    .options = lattice_options,
    .option_count = 2,
    .configure = lattice_configure,
    .build = lattice_build,
    .before_step = lattice_before_step,
    .after_step = lattice_after_step,
    .measure = lattice_measure,
};
