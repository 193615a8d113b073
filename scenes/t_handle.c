// scenes/t_handle.c: a free T-handle spinning about its middle axis: it turns over again and again.
//
// The middle principal axis is unstable (L. Euler, 1758); energy and angular momentum stay.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define T_HANDLE_DENSITY 7800.0 // kg/m^3, of steel

static const scene_option t_handle_options[] = {
    {"spin", 10, -1000, 1000, "rad/s about the stem"},
    {"nudge", 0.05, -10, 10, "rad/s about the bar"},
};

typedef struct t_handle_state {
    tn_body_id body;
    double energy;
    tn_vec3 momentum;  // kg m^2/s about the centre of mass, world axes
    double stem_along; // of the stem on the momentum, now
    uint32_t flips;
} t_handle_state;

static void t_handle_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->gravity = (tn_vec3){0.0, 0.0, 0.0};
    def->is_sleep_allowed = false;
}

static bool t_handle_build(scene_run *run) {
    t_handle_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.density = T_HANDLE_DENSITY;
    state->body = build_body(run, &part);
    build_add_bar(run, state->body, &part, build_point(-0.15, 0.0, 0.0),
                  build_point(0.15, 0.0, 0.0), 0.04);
    build_add_bar(run, state->body, &part, build_point(0.0, -0.02, 0.0),
                  build_point(0.0, -0.17, 0.0), 0.04);
    tn_vec3 spin =
        build_point(scene_run_get_value(run, "nudge"), scene_run_get_value(run, "spin"), 0.0);
    tn_body_set_angular_velocity(run->world, state->body, spin);
    state->energy = tn_body_get_kinetic_energy(run->world, state->body);
    state->momentum = tn_body_get_angular_momentum(run->world, state->body);
    state->stem_along = 1.0;
    scene_run_name_body(run, state->body, "handle");
    return true;
}

static void t_handle_after_step(scene_run *run, double dt) {
    (void)dt;
    t_handle_state *state = run->state;
    tn_vec3 stem = tn_body_get_world_vector(run->world, state->body, build_axis_y());
    tn_vec3 m = state->momentum;
    double along = (stem.x * m.x + stem.y * m.y + stem.z * m.z) / fmax(build_length(m), 1e-300);
    state->flips += along * state->stem_along < 0.0;
    state->stem_along = along;
}

static void t_handle_measure(scene_run *run) {
    const t_handle_state *state = run->state;
    double energy = tn_body_get_kinetic_energy(run->world, state->body);
    tn_vec3 now = tn_body_get_angular_momentum(run->world, state->body);
    tn_vec3 m = state->momentum;
    double length = fmax(build_length(m), 1e-300);
    double change = build_length((tn_vec3){now.x - m.x, now.y - m.y, now.z - m.z});
    scene_run_add_figure(run, "energy_change_relative",
                         (energy - state->energy) / fmax(state->energy, 1e-300));
    scene_run_add_figure(run, "momentum_change_relative", change / length);
    scene_run_add_figure(run, "flips", state->flips);
}

const scene scene_t_handle = {
    .name = "t_handle",
    .summary = "a free T-handle that turns over again and again",
    .time = 60.0,
    .options = t_handle_options,
    .option_count = 2,
    .configure = t_handle_configure,
    .build = t_handle_build,
    .after_step = t_handle_after_step,
    .measure = t_handle_measure,
    .picture = {.moments = 3},
};
