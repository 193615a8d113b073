// scenes/hybrid_crank.c: a slider-crank with a flywheel, given by the crank's angle, drives a
// rocker of rigid bodies.
//
// Crank, rod and slider follow from one coordinate q; with the crank r, the rod l and its tilt p:
//     sin p = -r/l sin q,  p' = e q',  e = -r cos q / (l cos p),  p'' = e q'' + f q'^2,
//     f = (r/l sin q + sin p e^2) / cos p,   slider x = r cos q + l cos p
// A coupler on a pin of the slider turns a rocker about an axle below, both on hinges. Nothing
// drives it and nothing takes its energy but the rocker's weight, to and fro.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define HYBRID_CRANK_RADIUS 0.2  // m
#define HYBRID_CRANK_ROD    0.6  // m
#define HYBRID_CRANK_WHEEL  0.35 // m, the flywheel
#define HYBRID_CRANK_DEPTH  0.04 // m

static const scene_option hybrid_crank_options[] = {
    {"speed", 6, -20, 20, "rad/s of the crank at the start"},
    {"angle", 60, -180, 180, "deg of the crank at the start"},
};

typedef struct hybrid_crank_state {
    tn_reduced_id engine;
    tn_body_id rocker;
    double energy, kinetic; // J at the start
    double least, most;     // rad/s of the crank so far
} hybrid_crank_state;

static void hybrid_crank_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static void hybrid_crank_turn(tn_reduced_motion *motion, tn_vec3 place, double angle) {
    motion->pose.position = place;
    motion->pose.rotation.z = portable_sin(0.5 * angle);
    motion->pose.rotation.w = portable_cos(0.5 * angle);
}

static void hybrid_crank_move(const tn_reduced_input *input, tn_reduced_output *out,
                              void *user_data) {
    (void)user_data;
    double r = HYBRID_CRANK_RADIUS, l = HYBRID_CRANK_ROD, w = input->speeds[0];
    double s = portable_sin(input->coordinates[0]), c = portable_cos(input->coordinates[0]);
    double sp = -r / l * s, cp = sqrt(1.0 - sp * sp), e = -r * c / (l * cp);
    double f = (r / l * s + sp * e * e) / cp, bend = cp * e * e + sp * f;
    tn_reduced_motion *crank = &out->bodies[0], *rod = &out->bodies[1], *slider = &out->bodies[2];
    hybrid_crank_turn(crank, build_point(0.0, 0.0, 0.0), input->coordinates[0]);
    crank->angular[0] = build_axis_z();
    hybrid_crank_turn(rod, build_point(r * c + 0.5 * l * cp, 0.5 * r * s, 0.0),
                      portable_atan2(sp, cp));
    rod->linear[0] = (tn_vec3){-r * s - 0.5 * l * sp * e, 0.5 * r * c, 0.0};
    rod->angular[0] = (tn_vec3){0.0, 0.0, e};
    rod->acceleration = (tn_vec3){-(r * c + 0.5 * l * bend) * w * w, -0.5 * r * s * w * w, 0.0};
    rod->angular_acceleration = (tn_vec3){0.0, 0.0, f * w * w};
    slider->pose.position = build_point(r * c + l * cp, 0.0, 0.0);
    slider->linear[0] = (tn_vec3){-r * s - l * sp * e, 0.0, 0.0};
    slider->acceleration = (tn_vec3){-(r * c + l * bend) * w * w, 0.0, 0.0};
}

static tn_body_id hybrid_crank_add_wheel(scene_run *run) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.filter.mask = 0;
    part.density = 1000.0;
    tn_body_id wheel = build_body(run, &part);
    build_add_disc(run, wheel, &part, build_point(0.0, 0.0, -0.08), HYBRID_CRANK_WHEEL, 0.05);
    build_add_disc(run, wheel, &part, build_point(HYBRID_CRANK_RADIUS, 0.0, 0.0), 0.03, 0.1);
    scene_run_name_body(run, wheel, "crank");
    return wheel;
}

// Its frame is where the callback puts it; here only what it is like.
static tn_body_id hybrid_crank_add_rod(scene_run *run) {
    tn_body_id rod = build_bar(run, build_point(-0.5 * HYBRID_CRANK_ROD, 0.0, 0.0),
                               build_point(0.5 * HYBRID_CRANK_ROD, 0.0, 0.0), 1.0,
                               HYBRID_CRANK_DEPTH, HYBRID_CRANK_DEPTH);
    scene_run_name_body(run, rod, "rod");
    return rod;
}

static tn_body_id hybrid_crank_add_slider(scene_run *run) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.filter.mask = 0;
    part.mass = 1.5;
    tn_body_id slider = build_box(run, &part, 0.16, 0.1, 0.1);
    scene_run_name_body(run, slider, "slider");
    return slider;
}

static tn_reduced_id hybrid_crank_add_engine(scene_run *run, tn_body_id *out_slider) {
    tn_reduced_def def = tn_reduced_def_default();
    def.body_count = 3;
    def.bodies[0] = hybrid_crank_add_wheel(run);
    def.bodies[1] = hybrid_crank_add_rod(run);
    def.bodies[2] = *out_slider = hybrid_crank_add_slider(run);
    def.function = hybrid_crank_move;
    def.coordinates[0] = scene_run_get_value(run, "angle") * BUILD_PI / 180.0;
    def.speeds[0] = scene_run_get_value(run, "speed");
    tn_reduced_id engine = tn_reduced_create(run->world, &def);
    run->has_failed = run->has_failed || engine.value == 0;
    return engine;
}

// From the slider's pin over the coupler to the rocker, with the speeds that the loop asks for:
// the joint of coupler and rocker is in the middle of a four-bar that begins with the slide.
static void hybrid_crank_add_rocker(scene_run *run, hybrid_crank_state *state, tn_body_id slider) {
    tn_vec3 pin = tn_body_get_center(run->world, slider);
    tn_vec3 axle = build_point(1.3, -0.6, 0.0);
    tn_vec3 knee = build_meet(pin, 0.6, axle, 0.65);
    tn_vec3 weight = build_point(2.0 * axle.x - knee.x, 2.0 * axle.y - knee.y, 0.0);
    tn_body_id coupler = build_bar(run, pin, knee, 0.5, HYBRID_CRANK_DEPTH, HYBRID_CRANK_DEPTH);
    state->rocker = build_bar(run, knee, weight, 2.0, HYBRID_CRANK_DEPTH, HYBRID_CRANK_DEPTH);
    // The pin moves with u along x. With d from pin to knee and g from axle to knee:
    // d . (w x g - u) = 0.
    double u = tn_body_get_velocity(run->world, slider).linear.x;
    tn_vec3 d = {knee.x - pin.x, knee.y - pin.y, 0.0};
    tn_vec3 g = {knee.x - axle.x, knee.y - axle.y, 0.0};
    double w = u * d.x / (d.y * g.x - d.x * g.y);
    tn_vec3 of_knee = {-w * g.y, w * g.x, 0.0};
    double turn = (d.x * of_knee.y - d.y * (of_knee.x - u)) / (d.x * d.x + d.y * d.y);
    tn_velocity of_coupler = {.linear = {0.5 * (u + of_knee.x), 0.5 * of_knee.y, 0.0},
                              .angular = {0.0, 0.0, turn}};
    tn_velocity of_rocker = {.angular = {0.0, 0.0, w}};
    tn_body_set_velocity(run->world, coupler, of_coupler);
    tn_body_set_velocity(run->world, state->rocker, of_rocker);
    build_hinge(run, slider, coupler, pin, build_axis_z());
    build_hinge(run, coupler, state->rocker, knee, build_axis_z());
    build_hinge(run, (tn_body_id){0}, state->rocker, axle, build_axis_z());
    scene_run_name_body(run, coupler, "coupler");
    scene_run_name_body(run, state->rocker, "rocker");
}

static bool hybrid_crank_build(scene_run *run) {
    hybrid_crank_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_body_id slider;
    state->engine = hybrid_crank_add_engine(run, &slider);
    hybrid_crank_add_rocker(run, state, slider);
    state->energy = figure_get_energy(run);
    state->kinetic = tn_world_get_energy(run->world).kinetic;
    state->least = HUGE_VAL;
    state->most = -HUGE_VAL;
    return true;
}

static void hybrid_crank_after_step(scene_run *run, double dt) {
    (void)dt;
    hybrid_crank_state *state = run->state;
    double speed = 0.0;
    tn_reduced_get_speeds(run->world, state->engine, &speed, 1);
    state->least = fmin(state->least, speed);
    state->most = fmax(state->most, speed);
}

static void hybrid_crank_measure(scene_run *run) {
    const hybrid_crank_state *state = run->state;
    double change = figure_get_energy(run) - state->energy, turned = 0.0;
    tn_reduced_get_coordinates(run->world, state->engine, &turned, 1);
    scene_run_add_figure(run, "turned_rad", turned);
    scene_run_add_figure(run, "ripple_rad_s", fmax(0.0, state->most - state->least));
    scene_run_add_figure(run, "energy_change_relative", change / fmax(state->kinetic, 1e-12));
    scene_run_add_figure(run, "joint_gap_m", figure_get_joint_gap(run));
}

const scene scene_hybrid_crank = {
    .name = "hybrid_crank",
    .summary = "a slider-crank with a flywheel, given by one angle, rocks a rigid linkage",
    .time = 5.0,
    .options = hybrid_crank_options,
    .option_count = 2,
    .configure = hybrid_crank_configure,
    .build = hybrid_crank_build,
    .after_step = hybrid_crank_after_step,
    .measure = hybrid_crank_measure,
};
