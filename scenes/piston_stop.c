// scenes/piston_stop.c: an engine whose piston hits a stop in mid stroke.
//
// The crank's motor has a cap: after the blow it presses the piston against the stop. With the
// crank's radius r, the rod's length l and the piston at s from the crank's axis, the crank's angle
// follows from l^2 = (s - r cos a)^2 + (r sin a)^2, and a motor of torque M presses with
//     F = M / (ds/da),   ds/da = -r sin a - r^2 sin a cos a / sqrt(l^2 - r^2 sin^2 a).
#include "scenes/engine.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define STOP_CRANK 0.1  // m
#define STOP_ROD   0.3  // m
#define STOP_BORE  0.1  // m
#define STOP_AT    0.33 // m from the crank's axis to where the piston's middle stops

static const scene_option piston_stop_options[] = {
    {"speed", 20, 0, 2000, "rad/s of the motor"},
    {"max_torque", 100, 1, 1e6, "N m of the motor"},
};

typedef struct piston_stop_state {
    tn_body_id piston;
    tn_joint_id bearing;
    double furthest; // m: of the piston
    double force;    // N that the stop gave the piston in the last step
} piston_stop_state;

static void piston_stop_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool piston_stop_build(scene_run *run) {
    piston_stop_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_vec3 center = build_point(0.0, 0.0, 0.0);
    tn_body_id crank = engine_add_crankshaft(run, center, 5.0, 0.12, &state->bearing);
    tn_vec3 pin = engine_add_throw(run, crank, center, STOP_CRANK, -0.9 * BUILD_PI);
    engine_piston piston = engine_add_cylinder(run, &(engine_cylinder){.carrier = crank,
                                                                       .pin = pin,
                                                                       .center = center,
                                                                       .direction = 0.0,
                                                                       .rod_length = STOP_ROD,
                                                                       .rod_mass = 2.0,
                                                                       .piston_mass = 1.0,
                                                                       .bore = STOP_BORE});
    // The engine's parts touch nothing by themselves; the piston touches the stop.
    tn_filter touching = {.category = 1, .mask = UINT32_MAX};
    tn_shape_id face;
    tn_body_get_shapes(run->world, piston.piston, &face, 1);
    tn_shape_set_filter(run->world, face, touching);
    build_hinge_speed(run, state->bearing, scene_run_get_value(run, "speed"),
                      scene_run_get_value(run, "max_torque"));
    build_part stop = build_part_at(STOP_AT + 0.35 * STOP_BORE + 0.05, 0.0, 0.0);
    stop.type = TN_BODY_TYPE_STATIC;
    build_box(run, &stop, 0.1, 2.0 * STOP_BORE, 2.0 * STOP_BORE);
    state->piston = piston.piston;
    scene_run_name_body(run, crank, "crank");
    scene_run_name_body(run, piston.rod, "rod");
    scene_run_name_body(run, piston.piston, "piston");
    scene_run_name_joint(run, state->bearing, "bearing");
    return true;
}

// N·s that the stop gave the piston in the last step.
static double piston_stop_get_impulse(const scene_run *run, tn_body_id piston) {
    tn_contact_id contacts[4];
    uint32_t count = tn_body_get_contacts(run->world, piston, contacts, 4);
    double impulse = 0.0;
    for (uint32_t i = 0; i < count && i < 4; i++) {
        tn_contact contact = tn_contact_get(run->world, contacts[i]);
        for (uint32_t p = 0; p < contact.point_count; p++) {
            impulse += (double)contact.points[p].normal_impulse;
        }
    }
    return impulse;
}

static void piston_stop_after_step(scene_run *run, double dt) {
    piston_stop_state *state = run->state;
    state->furthest = fmax(state->furthest, tn_body_get_center(run->world, state->piston).x);
    state->force = piston_stop_get_impulse(run, state->piston) / dt;
}

static double piston_stop_get_exact_force(double torque) {
    double r = STOP_CRANK, l = STOP_ROD, s = STOP_AT;
    double cosine = (s * s + r * r - l * l) / (2.0 * s * r);
    double sine = -sqrt(1.0 - cosine * cosine); // on the way out
    double slope = -r * sine - r * r * sine * cosine / sqrt(l * l - r * r * sine * sine);
    return torque / slope;
}

static void piston_stop_measure(scene_run *run) {
    const piston_stop_state *state = run->state;
    scene_run_add_figure(run, "overrun_m", fmax(0.0, state->furthest - STOP_AT));
    scene_run_add_figure(run, "stop_force_N", state->force);
    scene_run_add_figure(run, "stop_force_exact_N",
                         piston_stop_get_exact_force(scene_run_get_value(run, "max_torque")));
    scene_run_add_figure(run, "motor_torque",
                         (double)tn_joint_get_motor_effort(run->world, state->bearing));
}

const scene scene_piston_stop = {
    .name = "piston_stop",
    .summary = "an engine whose piston hits a stop and is pressed against it",
    .time = 3.0,
    .options = piston_stop_options,
    .option_count = 2,
    .configure = piston_stop_configure,
    .build = piston_stop_build,
    .after_step = piston_stop_after_step,
    .measure = piston_stop_measure,
};
