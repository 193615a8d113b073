// scenes/slider_crank.c: a slider-crank without a motor, spun by hand: it rocks or turns under the
// weight of its rod, and nothing takes its energy.
//
// With the crank r at the angle a, the rod l and its tilt b, sin b = r / l sin a, the loop gives
// the speeds of the start from that of the crank, w:
//     b' = r cos a / (l cos b) w,   rod: -b' about z,   piston: x' = -r sin a w - l sin b b'
// and the middle of the rod moves with the mean of its ends.
#include "scenes/engine.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define SLIDER_CRANK_RADIUS 0.05 // m, of the pin
#define SLIDER_CRANK_ROD    0.15 // m

static const scene_option slider_crank_options[] = {
    {"speed", 20, -1000, 1000, "rad/s of the crank at the start"},
    {"angle", 17, -180, 180, "deg of the crank at the start, from the cylinder"},
};

typedef struct slider_crank_state {
    tn_body_id piston;
    double energy, kinetic; // J at the start; the largest kinetic energy so far
    double inner, outer;    // m: the piston's least and greatest distance from the crank axis
} slider_crank_state;

static void slider_crank_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static void slider_crank_spin(scene_run *run, tn_body_id crank, const engine_piston *piston,
                              double angle) {
    double w = scene_run_get_value(run, "speed");
    double sine = SLIDER_CRANK_RADIUS / SLIDER_CRANK_ROD * portable_sin(angle);
    double tilt_rate = SLIDER_CRANK_RADIUS * portable_cos(angle) * w /
                       (SLIDER_CRANK_ROD * sqrt(1.0 - sine * sine));
    tn_vec3 pin = {-SLIDER_CRANK_RADIUS * portable_sin(angle) * w,
                   SLIDER_CRANK_RADIUS * portable_cos(angle) * w, 0.0};
    double slide = pin.x - SLIDER_CRANK_ROD * sine * tilt_rate;
    tn_velocity of_crank = {.angular = {0.0, 0.0, w}};
    tn_velocity of_rod = {.linear = {0.5 * (pin.x + slide), 0.5 * pin.y, 0.0},
                          .angular = {0.0, 0.0, -tilt_rate}};
    tn_velocity of_piston = {.linear = {slide, 0.0, 0.0}};
    tn_body_set_velocity(run->world, crank, of_crank);
    tn_body_set_velocity(run->world, piston->rod, of_rod);
    tn_body_set_velocity(run->world, piston->piston, of_piston);
}

static bool slider_crank_build(scene_run *run) {
    slider_crank_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_vec3 center = build_point(0.0, 0.0, 0.0);
    double angle = scene_run_get_value(run, "angle") * BUILD_PI / 180.0;
    tn_joint_id bearing;
    tn_body_id crank = engine_add_crankshaft(run, center, 1.2, 0.06, &bearing);
    tn_vec3 pin = engine_add_throw(run, crank, center, SLIDER_CRANK_RADIUS, angle);
    engine_piston piston =
        engine_add_cylinder(run, &(engine_cylinder){.carrier = crank,
                                                    .pin = pin,
                                                    .center = center,
                                                    .direction = 0.0,
                                                    .rod_length = SLIDER_CRANK_ROD,
                                                    .rod_mass = 0.6,
                                                    .piston_mass = 0.4,
                                                    .bore = 0.05});
    slider_crank_spin(run, crank, &piston, angle);
    state->piston = piston.piston;
    state->energy = figure_get_energy(run);
    state->kinetic = tn_world_get_energy(run->world).kinetic;
    state->inner = HUGE_VAL;

    scene_run_name_body(run, crank, "crank");
    scene_run_name_body(run, piston.rod, "rod");
    scene_run_name_body(run, piston.piston, "piston");
    scene_run_name_joint(run, bearing, "bearing");
    scene_run_name_joint(run, piston.big_end, "crank_pin");
    scene_run_name_joint(run, piston.wrist, "wrist_pin");
    scene_run_name_joint(run, piston.cylinder, "cylinder");
    return true;
}

static void slider_crank_after_step(scene_run *run, double dt) {
    (void)dt;
    slider_crank_state *state = run->state;
    double x = tn_body_get_center(run->world, state->piston).x;
    state->inner = fmin(state->inner, x);
    state->outer = fmax(state->outer, x);
    state->kinetic = fmax(state->kinetic, tn_world_get_energy(run->world).kinetic);
}

static void slider_crank_measure(scene_run *run) {
    const slider_crank_state *state = run->state;
    double change = figure_get_energy(run) - state->energy;
    scene_run_add_figure(run, "stroke_m", fmax(0.0, state->outer - state->inner));
    scene_run_add_figure(run, "energy_change_relative", change / fmax(state->kinetic, 1e-12));
}

const scene scene_slider_crank = {
    .name = "slider_crank",
    .summary = "a slider-crank without a motor, spun by hand",
    .time = 10.0,
    .options = slider_crank_options,
    .option_count = 2,
    .configure = slider_crank_configure,
    .build = slider_crank_build,
    .after_step = slider_crank_after_step,
    .measure = slider_crank_measure,
};
