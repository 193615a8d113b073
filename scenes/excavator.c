// scenes/excavator.c: an excavator's arm with a heavy load: boom, stick and bucket, each moved by a
// hydraulic cylinder that closes a loop.
//
// All that moves of the arm has 40 kg; the load at the bucket 8,000. The cylinders go through a
// program: out, hold, back. Joints and cylinders carry meganewtons.
#include "scenes/hydraulic.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define EXCAVATOR_BOOM   14.0 // kg
#define EXCAVATOR_STICK  8.0
#define EXCAVATOR_BUCKET 6.0
#define EXCAVATOR_OIL    4.0    // of each cylinder
#define EXCAVATOR_SOIL   2000.0 // kg/m^3, of the load
#define EXCAVATOR_RAMP   4.0    // s: how long a cylinder moves
#define EXCAVATOR_OUT    1.0    // s: when they begin
#define EXCAVATOR_BACK   7.0

static const scene_option excavator_options[] = {
    {"load", 8000, 1, 1e6, "kg in the bucket"},
    {"boom", 0.35, -0.3, 0.5, "m that the boom's cylinder goes out"},
    {"stick", -0.35, -0.5, 0.3, "m of the stick's"},
    {"bucket", 0.1, -0.2, 0.2, "m of the bucket's"},
};

typedef struct excavator_state {
    hydraulic cylinders[3];
    tn_body_id load;
    double error_hold; // m: of the worst cylinder after the way out
    double highest;    // m: of the load
} excavator_state;

// A bar with a lug at each place that is not on its way.
static tn_body_id excavator_add_bar(scene_run *run, tn_vec3 from, tn_vec3 to, double mass,
                                    const char *name) {
    tn_body_id bar = build_bar(run, from, to, mass, 0.2, 0.15);
    scene_run_name_body(run, bar, "%s", name);
    return bar;
}

static tn_body_id excavator_add_load(scene_run *run, tn_body_id bucket, tn_vec3 place) {
    double mass = scene_run_get_value(run, "load"), size = portable_cbrt(mass / EXCAVATOR_SOIL);
    build_part part = build_part_at(place.x, place.y - 0.5 * size, place.z);
    part.mass = mass;
    part.filter.mask = 0;
    tn_body_id load = build_box(run, &part, size, size, size);
    build_fixed(run, bucket, load, place);
    scene_run_name_body(run, load, "load");
    return load;
}

static bool excavator_build(scene_run *run) {
    excavator_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_body_id world = {0};
    tn_vec3 foot = build_point(0.0, 1.5, 0.0), elbow = build_point(3.5, 4.5, 0.0);
    tn_vec3 tail = build_point(3.3, 5.1, 0.0), wrist = build_point(4.4, 2.0, 0.0);
    tn_vec3 lip = build_point(3.7, 1.3, 0.0), lever = build_point(4.7, 1.8, 0.0);
    tn_body_id boom = excavator_add_bar(run, foot, elbow, EXCAVATOR_BOOM, "boom");
    tn_body_id stick = excavator_add_bar(run, tail, wrist, EXCAVATOR_STICK, "stick");
    tn_body_id bucket = excavator_add_bar(run, lever, lip, EXCAVATOR_BUCKET, "bucket");
    build_hinge(run, world, boom, foot, build_axis_z());
    build_hinge(run, boom, stick, elbow, build_axis_z());
    build_hinge(run, stick, bucket, wrist, build_axis_z());
    state->load = excavator_add_load(run, bucket, lip);
    const hydraulic_ends ends[3] = {
        {world, boom, build_point(0.9, 0.9, 0.0), build_point(2.0, 3.1, 0.0), EXCAVATOR_OIL,
         "boom_cylinder"},
        {boom, stick, build_point(1.5, 3.6, 0.0), tail, EXCAVATOR_OIL, "stick_cylinder"},
        {stick, bucket, build_point(4.2, 4.0, 0.0), lever, EXCAVATOR_OIL, "bucket_cylinder"}};
    for (int i = 0; i < 3; i++) {
        state->cylinders[i] = hydraulic_add(run, &ends[i]);
    }
    return true;
}

static void excavator_before_step(scene_run *run, double dt) {
    excavator_state *state = run->state;
    double time = tn_world_get_time(run->world) + dt;
    double out = (time - EXCAVATOR_OUT) / EXCAVATOR_RAMP;
    double back = (time - EXCAVATOR_BACK) / EXCAVATOR_RAMP;
    double share = hydraulic_ramp(out) - hydraulic_ramp(back);
    double slope = (hydraulic_ramp_slope(out) - hydraulic_ramp_slope(back)) / EXCAVATOR_RAMP;
    for (int i = 0; i < 3; i++) {
        double stroke = scene_run_get_value(run, excavator_options[i + 1].name);
        hydraulic_set(&state->cylinders[i], run, stroke * share, stroke * slope);
    }
}

static double excavator_get_error(const excavator_state *state, const scene_run *run) {
    double worst = 0.0;
    for (int i = 0; i < 3; i++) {
        worst = fmax(worst, hydraulic_get_error(&state->cylinders[i], run));
    }
    return worst;
}

static void excavator_after_step(scene_run *run, double dt) {
    excavator_state *state = run->state;
    double time = tn_world_get_time(run->world);
    for (int i = 0; i < 3; i++) {
        hydraulic_note(&state->cylinders[i], run);
    }
    if (time <= EXCAVATOR_BACK + 0.5 * dt) {
        state->error_hold = excavator_get_error(state, run);
    }
    state->highest = fmax(state->highest, tn_body_get_center(run->world, state->load).y);
}

static void excavator_measure(scene_run *run) {
    const excavator_state *state = run->state;
    double worst = 0.0;
    for (int i = 0; i < 3; i++) {
        worst = fmax(worst, state->cylinders[i].error_max);
    }
    scene_run_add_figure(run, "command_error_max_m", worst);
    scene_run_add_figure(run, "command_error_hold_m", state->error_hold);
    scene_run_add_figure(run, "command_error_end_m", excavator_get_error(state, run));
    scene_run_add_figure(run, "load_highest_m", state->highest);
    scene_run_add_figure(run, "boom_cylinder_N",
                         (double)tn_joint_get_motor_effort(run->world, state->cylinders[0].slider));
}

const scene scene_excavator = {
    .name = "excavator",
    .summary = "an excavator's arm of 40 kg that lifts 8 t by hydraulic cylinders",
    .time = 12.0,
    .options = excavator_options,
    .option_count = 4,
    .build = excavator_build,
    .before_step = excavator_before_step,
    .after_step = excavator_after_step,
    .measure = excavator_measure,
};
