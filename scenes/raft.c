// scenes/raft.c: a raft with a mast and a load drifts in wind and water.
//
// Four metres square, with four boxes on deck that lie there by friction. It floats by its mass,
// rho V = m, heels until the moment of the wind is that of the water, and drifts where both drags
// are alike.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"
#include "scenes/sketch.h"

#define RAFT_LENGTH 4.0 // m, and the width
#define RAFT_HEIGHT 0.6 // m
#define RAFT_MAST   3.0 // m
#define RAFT_WATER  1000.0
#define RAFT_BOXES  4

static const scene_option raft_options[] = {
    {"density", 500, 50, 950, "kg/m^3 of the raft"},
    {"wind", 12, 0, 40, "m/s"},
    {"sail", 6, 0, 20, "m^2"},
};

typedef struct raft_state {
    tn_body_id raft;
    tn_force_id water;
} raft_state;

static void raft_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

// What is on board lies loose on the deck, and floats beside it when it goes over.
static void raft_float(scene_run *run, raft_state *state, const tn_body_id *boxes) {
    tn_buoyancy_force_def def = tn_buoyancy_force_def_default();
    def.base.connector_count = 1 + RAFT_BOXES;
    for (uint32_t i = 0; i <= RAFT_BOXES; i++) {
        def.base.connectors[i].body = i == 0 ? state->raft : boxes[i - 1];
    }
    def.buoyancy.density = RAFT_WATER;
    def.buoyancy.linear_drag = 0.3;
    def.buoyancy.quadratic_drag = 0.5;
    state->water = tn_buoyancy_force_create(run->world, &def);
    run->has_failed |= state->water.value == 0;
}

static void raft_sail(scene_run *run, const raft_state *state) {
    tn_air_force_def def = tn_air_force_def_default();
    def.base.connector_count = 1;
    def.base.connectors[0].body = state->raft;
    def.base.connectors[0].point.y = 0.5 * RAFT_HEIGHT + 0.6 * RAFT_MAST;
    def.base.connectors[0].amount = scene_run_get_value(run, "sail");
    def.air.wind.x = scene_run_get_value(run, "wind");
    def.air.gusts[0] = (tn_gust){{2.0, 0.0, 1.0}, 0.13, 0.0};
    def.air.gusts[1] = (tn_gust){{1.0, 0.0, -2.0}, 0.31, 1.0};
    def.air.gust_count = 2;
    run->has_failed |= tn_air_force_create(run->world, &def).value == 0;
}

// A line to be seen; nothing touches it.
static void raft_draw_water(scene_run *run) {
    build_part part = build_part_at(0.0, -0.01, 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    part.filter.mask = 0;
    tn_body_id water = build_box(run, &part, 3.0 * RAFT_LENGTH, 0.02, RAFT_LENGTH);
    scene_run_name_body(run, water, "water");
}

static bool raft_build(scene_run *run) {
    raft_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_part part = build_part_at(0.0, 0.1, 0.0);
    part.density = scene_run_get_value(run, "density");
    state->raft = build_body(run, &part);
    build_add_box(run, state->raft, &part, build_point(0.0, 0.0, 0.0),
                  build_point(RAFT_LENGTH, RAFT_HEIGHT, RAFT_LENGTH));
    build_add_box(run, state->raft, &part, build_point(0.0, 0.5 * (RAFT_HEIGHT + RAFT_MAST), 0.0),
                  build_point(0.15, RAFT_MAST, 0.15));
    tn_body_id boxes[RAFT_BOXES];
    for (int i = 0; i < RAFT_BOXES; i++) {
        double x = i % 2 == 0 ? 1.0 : -1.0, z = i < 2 ? 1.0 : -1.0;
        build_part box = build_part_at(x, 0.1 + 0.5 * RAFT_HEIGHT + 0.3, z);
        box.density = 300.0;
        boxes[i] = build_box(run, &box, 0.6, 0.6, 0.6);
    }
    raft_draw_water(run);
    raft_float(run, state, boxes);
    raft_sail(run, state);
    scene_run_name_body(run, state->raft, "raft");
    return true;
}

static void raft_measure(scene_run *run) {
    const raft_state *state = run->state;
    double borne = 0.0, mass = 0.0;
    for (uint32_t i = 0; i <= RAFT_BOXES; i++) {
        borne += RAFT_WATER * tn_buoyancy_force_get_volume(run->world, state->water, i);
        tn_connector connector = tn_force_get_connector(run->world, state->water, i);
        mass += tn_body_get_mass(run->world, connector.body).mass;
    }
    scene_run_add_figure(run, "mass_kg", mass);
    scene_run_add_figure(run, "displaced_kg", borne);
    scene_run_add_figure(run, "drift_mps", tn_body_get_velocity(run->world, state->raft).linear.x);
}

// The sail, before the mast.
static void raft_sketch(const scene_run *run, const scene_sketch *sketch) {
    const raft_state *state = run->state;
    double low = 0.5 * RAFT_HEIGHT + 0.2 * RAFT_MAST, high = 0.5 * RAFT_HEIGHT + 0.98 * RAFT_MAST;
    const tn_vec3 corners[5] = {{0.1, low, 0.0},
                                {1.3, low, 0.0},
                                {0.9, 0.5 * (low + high), 0.0},
                                {0.1, high, 0.0},
                                {0.1, low, 0.0}};
    tn_vec3 sail[5];
    for (int i = 0; i < 5; i++) {
        sail[i] = tn_body_get_world_point(run->world, state->raft, corners[i]);
    }
    sketch->add(sketch->context, SCENE_PEN_PLATE, sail, 5);
}

const scene scene_raft = {
    .name = "raft",
    .summary = "a raft with a load drifts in wind and water",
    .time = 20.0,
    .options = raft_options,
    .option_count = 3,
    .configure = raft_configure,
    .build = raft_build,
    .measure = raft_measure,
    .picture = {.moments = 3, .sketch = raft_sketch},
};
