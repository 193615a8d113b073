// scenes/troids.c: a chain of soft boxes that swings from a fixed point and stretches, or many.
//
// Each box is an affine body: it stretches and shears as a whole. The last one keeps its volume.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define TROIDS_BOXES   4
#define TROIDS_LENGTH  0.5   // m
#define TROIDS_WIDTH   0.3   // m
#define TROIDS_APART   0.5   // m, from chain to chain
#define TROIDS_MASS    1.0   // kg
#define TROIDS_RATIO   0.3   // Poisson's
#define TROIDS_VISCOUS 0.002 // s

static const scene_option troids_options[] = {
    {"modulus", 3000, 0, 1e12, "Pa, Young's"},
    {"chains", 1, 1, 10000, "one behind the other"},
};

typedef struct troids_state {
    int count;
    tn_reduced_id boxes[];
} troids_state;

static void troids_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static tn_reduced_id troids_soften(scene_run *run, tn_body_id body, bool keeps_volume) {
    tn_affine_def def = tn_affine_def_default();
    def.body = body;
    def.youngs_modulus = scene_run_get_value(run, "modulus");
    def.poisson_ratio = TROIDS_RATIO;
    def.viscosity = TROIDS_VISCOUS;
    def.kept = keeps_volume ? TN_AFFINE_KEPT_VOLUME : TN_AFFINE_KEPT_NOTHING;
    tn_reduced_id id = tn_affine_create(run->world, &def);
    run->has_failed = run->has_failed || id.value == 0;
    return id;
}

static void troids_add_chain(scene_run *run, troids_state *state, double z) {
    tn_body_id before = {0};
    for (int i = 0; i < TROIDS_BOXES; i++) {
        tn_vec3 from = build_point(i * TROIDS_LENGTH, 0.0, z);
        tn_vec3 to = build_point((i + 1) * TROIDS_LENGTH, 0.0, z);
        tn_body_id box = build_bar(run, from, to, TROIDS_MASS, TROIDS_WIDTH, TROIDS_WIDTH);
        build_hinge(run, before, box, from, build_axis_z());
        scene_run_name_body(run, box, "box_%d", state->count);
        state->boxes[state->count++] = troids_soften(run, box, i + 1 == TROIDS_BOXES);
        before = box;
    }
}

static bool troids_build(scene_run *run) {
    size_t chains = (size_t)scene_run_get_value(run, "chains");
    troids_state *state =
        scene_run_alloc_state(run, sizeof *state + chains * TROIDS_BOXES * sizeof *state->boxes);
    if (state == NULL) {
        return false;
    }
    for (size_t i = 0; i < chains; i++) {
        troids_add_chain(run, state, TROIDS_APART * (double)i);
    }
    return true;
}

static void troids_measure(scene_run *run) {
    const troids_state *state = run->state;
    double elastic = 0.0;
    for (int i = 0; i < state->count; i++) {
        elastic += tn_affine_get_elastic_energy(run->world, state->boxes[i]);
    }
    scene_run_add_figure(run, "elastic_energy_j", elastic);
    scene_run_add_figure(run, "energy_j", figure_get_energy(run));
    scene_run_add_figure(run, "joint_gap_m", figure_get_joint_gap(run));
}

const scene scene_troids = {
    .name = "troids",
    .summary = "a chain of soft boxes that swing and stretch; the last keeps its volume",
    .time = 5.0,
    .options = troids_options,
    .option_count = 2,
    .configure = troids_configure,
    .build = troids_build,
    .measure = troids_measure,
};
