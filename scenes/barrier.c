// scenes/barrier.c: the boom of a barrier on a drive, that falls onto a soft stop, with a leg at
// its tip that swings between stops.
//
// The drive is of an acceleration, so that the boom rises alike whatever it weighs; let go, it
// falls back. The stop is soft: a spring that throws back what its damper leaves. The leg's stops
// are rigid and bounce, and its hinge is in oil.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define BARRIER_HINGE     1.0  // m above the ground
#define BARRIER_LENGTH    4.0  // m, of the boom
#define BARRIER_THICKNESS 0.1  // m
#define BARRIER_LEG       0.8  // m
#define BARRIER_OPEN      1.3  // rad of the boom from level
#define BARRIER_STIFFNESS 16.0 // 1/s^2, of the drive
#define BARRIER_DAMPING   8.0  // 1/s: it is critically damped
#define BARRIER_LET_GO    3.0  // s
#define BARRIER_SWING     0.35 // rad, of the leg to either side of upright against the boom

static const scene_option barrier_options[] = {
    {"mass", 20, 1, 1000, "kg of the boom"},
    {"stop_stiffness", 30000, 0, 1e7, "N m/rad of the stop it falls on; 0: rigid"},
    {"stop_damping", 400, 0, 1e5, "N m s/rad of the same"},
    {"restitution", 0.6, 0, 1, "of the leg's stops"},
    {"oil", 0.02, 0, 10, "N m s/rad in the leg's hinge"},
};

typedef struct barrier_state {
    tn_joint_id hinge, leg;
    double open, lowest, rebound; // rad: how far up, then down, then up again
    double swing;                 // rad of the leg, the farthest
    double before;                // rad/s
    bool has_bounced;
} barrier_state;

static void barrier_add_post(scene_run *run) {
    build_part part = build_part_at(-0.2, 0.5 * BARRIER_HINGE, -0.3);
    part.type = TN_BODY_TYPE_STATIC;
    part.filter.mask = 0;
    build_box(run, &part, 0.3, BARRIER_HINGE, 0.3);
}

static tn_body_id barrier_add_boom(scene_run *run) {
    double t = BARRIER_THICKNESS;
    tn_body_id boom = build_bar(run, build_point(0.0, BARRIER_HINGE, 0.0),
                                build_point(BARRIER_LENGTH, BARRIER_HINGE, 0.0),
                                scene_run_get_value(run, "mass"), t, t);
    scene_run_name_body(run, boom, "boom");
    return boom;
}

static tn_joint_id barrier_hang_boom(scene_run *run, tn_body_id boom) {
    tn_joint_id hinge = build_hinge(run, (tn_body_id){0}, boom,
                                    build_point(0.0, BARRIER_HINGE, 0.0), build_axis_z());
    tn_limit limit = {.is_enabled = true,
                      .lower = 0.0f,
                      .upper = 1.5f,
                      .stiffness = (float)scene_run_get_value(run, "stop_stiffness"),
                      .damping = (float)scene_run_get_value(run, "stop_damping")};
    tn_motor drive = {.mode = TN_MOTOR_MODE_POSITION,
                      .target_position = (float)BARRIER_OPEN,
                      .stiffness = (float)BARRIER_STIFFNESS,
                      .damping = (float)BARRIER_DAMPING,
                      .max_force = INFINITY,
                      .drive = TN_DRIVE_MODE_ACCELERATION};
    tn_hinge_joint_set_limit(run->world, hinge, limit);
    tn_hinge_joint_set_motor(run->world, hinge, drive);
    scene_run_name_joint(run, hinge, "hinge");
    return hinge;
}

static tn_joint_id barrier_hang_leg(scene_run *run, tn_body_id boom) {
    double x = BARRIER_LENGTH - 0.2, y = BARRIER_HINGE, t = 0.6 * BARRIER_THICKNESS;
    tn_body_id leg =
        build_bar(run, build_point(x, y - BARRIER_LEG, 0.15), build_point(x, y, 0.15), 1.5, t, t);
    tn_joint_id hinge = build_hinge(run, boom, leg, build_point(x, y, 0.15), build_axis_z());
    tn_limit limit = {.is_enabled = true,
                      .lower = (float)-BARRIER_SWING,
                      .upper = (float)BARRIER_SWING,
                      .restitution = (float)scene_run_get_value(run, "restitution")};
    tn_hinge_joint_set_limit(run->world, hinge, limit);
    tn_hinge_joint_set_viscous_friction(run->world, hinge, (float)scene_run_get_value(run, "oil"));
    scene_run_name_body(run, leg, "leg");
    scene_run_name_joint(run, hinge, "leg");
    return hinge;
}

static bool barrier_build(scene_run *run) {
    barrier_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    barrier_add_post(run);
    tn_body_id boom = barrier_add_boom(run);
    state->hinge = barrier_hang_boom(run, boom);
    state->leg = barrier_hang_leg(run, boom);
    return true;
}

static void barrier_before_step(scene_run *run, double dt) {
    (void)dt;
    const barrier_state *state = run->state;
    tn_motor motor = tn_hinge_joint_get_def(run->world, state->hinge).motor;
    if (tn_world_get_time(run->world) >= BARRIER_LET_GO && motor.mode != TN_MOTOR_MODE_OFF) {
        motor.mode = TN_MOTOR_MODE_OFF;
        tn_hinge_joint_set_motor(run->world, state->hinge, motor);
    }
}

static void barrier_after_step(scene_run *run, double dt) {
    (void)dt;
    barrier_state *state = run->state;
    double angle = tn_hinge_joint_get_angle(run->world, state->hinge);
    double speed = tn_hinge_joint_get_speed(run->world, state->hinge);
    state->swing = fmax(state->swing, fabs(tn_hinge_joint_get_angle(run->world, state->leg)));
    if (tn_world_get_time(run->world) <= BARRIER_LET_GO) {
        state->open = angle;
        return;
    }
    state->lowest = fmin(state->lowest, angle);
    state->has_bounced = state->has_bounced || (state->before < 0.0 && speed > 0.0);
    state->rebound = state->has_bounced ? fmax(state->rebound, angle) : 0.0;
    state->before = speed;
}

static void barrier_measure(scene_run *run) {
    const barrier_state *state = run->state;
    double degrees = 180.0 / BUILD_PI;
    scene_run_add_figure(run, "open_deg", state->open * degrees);
    scene_run_add_figure(run, "sinks_deg", -state->lowest * degrees);
    scene_run_add_figure(run, "rebound_deg", state->rebound * degrees);
    scene_run_add_figure(run, "leg_swing_deg", state->swing * degrees);
    scene_run_add_figure(run, "angle_end_deg",
                         tn_hinge_joint_get_angle(run->world, state->hinge) * degrees);
}

const scene scene_barrier = {
    .name = "barrier",
    .summary = "a barrier's boom on a drive falls onto a soft stop; its leg bounces between two",
    .time = 8.0,
    .options = barrier_options,
    .option_count = 5,
    .build = barrier_build,
    .before_step = barrier_before_step,
    .after_step = barrier_after_step,
    .measure = barrier_measure,
};
