// scenes/piston.c: a slider-crank driven by a velocity motor: crank 0.1 m, rod 0.3 m, 5, 2 and 1
// kg.
#include "scenes/engine.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define PISTON_THROW    0.1 // m
#define PISTON_SETTLING 0.5 // s: before the speed counts

static const scene_option piston_options[] = {
    {"speed", 60, 0, 2000, "rad/s of the motor"},
    {"max_torque", 1e6, 0, 1e9, "N m of the motor; 0: no cap"},
};

typedef struct piston_state {
    tn_joint_id bearing;
    tn_body_id piston;
    engine_cylinder cylinder;
    tn_joint_id pins[2]; // at the crank and at the piston
    engine_speed speed;
    double inner, outer; // m: the piston's least and greatest distance from the crank axis
} piston_state;

static void piston_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool piston_build(scene_run *run) {
    piston_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_vec3 center = build_point(0.0, 0.0, 0.0);
    tn_body_id crank = engine_add_crankshaft(run, center, 5.0, 0.12, &state->bearing);
    tn_vec3 pin = engine_add_throw(run, crank, center, PISTON_THROW, 0.5 * BUILD_PI);
    state->cylinder = (engine_cylinder){.carrier = crank,
                                        .pin = pin,
                                        .center = center,
                                        .direction = 0.0,
                                        .rod_length = 0.3,
                                        .rod_mass = 2.0,
                                        .piston_mass = 1.0,
                                        .bore = 0.1};
    engine_piston piston = engine_add_cylinder(run, &state->cylinder);
    build_hinge_speed(run, state->bearing, scene_run_get_value(run, "speed"),
                      scene_run_get_value(run, "max_torque"));
    state->piston = piston.piston;
    state->pins[0] = piston.big_end;
    state->pins[1] = piston.wrist;
    state->inner = HUGE_VAL;

    scene_run_name_body(run, crank, "crank");
    scene_run_name_body(run, piston.rod, "rod");
    scene_run_name_body(run, piston.piston, "piston");
    scene_run_name_joint(run, state->bearing, "bearing");
    scene_run_name_joint(run, piston.big_end, "crank_pin");
    scene_run_name_joint(run, piston.wrist, "wrist_pin");
    scene_run_name_joint(run, piston.cylinder, "cylinder");
    return true;
}

static void piston_after_step(scene_run *run, double dt) {
    (void)dt;
    piston_state *state = run->state;
    if (tn_world_get_time(run->world) > PISTON_SETTLING) {
        engine_speed_add(&state->speed, run, state->bearing);
    }
    double x = tn_body_get_center(run->world, state->piston).x;
    state->inner = fmin(state->inner, x);
    state->outer = fmax(state->outer, x);
}

static void piston_measure(scene_run *run) {
    const piston_state *state = run->state;
    scene_run_add_figure(run, "crank_speed", engine_speed_get(&state->speed, run));
    scene_run_add_figure(run, "stroke_m", state->outer - state->inner);
    scene_run_add_figure(run, "motor_torque",
                         (double)tn_joint_get_motor_effort(run->world, state->bearing));
}

static void piston_sketch(const scene_run *run, const scene_sketch *sketch) {
    const piston_state *state = run->state;
    engine_sketch_cylinder(sketch, &state->cylinder, PISTON_THROW, false);
    for (int i = 0; i < 2; i++) {
        engine_sketch_pin(sketch, run, state->pins[i], 0.12 * state->cylinder.bore);
    }
}

const scene scene_piston = {
    .name = "piston",
    .summary = "a slider-crank with a velocity motor",
    .time = 5.0,
    .options = piston_options,
    .option_count = 2,
    .configure = piston_configure,
    .build = piston_build,
    .after_step = piston_after_step,
    .measure = piston_measure,
    .picture = {.moments = 1, .sketch = piston_sketch},
};
