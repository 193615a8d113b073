// scenes/snap.c: parts that lie about are snapped together to a slider-crank while the world runs,
// which then works, and are taken apart again.
//
// A part is drawn to its place by a joint that begins as a soft spring, becomes stiffer with every
// step and ends rigid. Of the whole machine, with the crank r at the angle a and the rod l, the
// piston stands at r cos a + sqrt(l^2 - r^2 sin^2 a) from the bearing.
// Source: A. Witkin, M. Gleicher, W. Welch, "Interactive dynamics", 1990.
#include "scenes/build.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define SNAP_HEIGHT  0.6  // m: of the bearing above the ground
#define SNAP_RADIUS  0.15 // m: of the crank
#define SNAP_ROD     0.45 // m
#define SNAP_MARGIN  0.05 // m: how far a part goes on beyond its pins
#define SNAP_WIDTH   0.05 // m
#define SNAP_PISTON  0.12 // m
#define SNAP_FIRST   0.5  // s: when the first part is drawn
#define SNAP_PAUSE   1.2  // s: from one part to the next
#define SNAP_DRAW    1.0  // s: until a part's joint is rigid
#define SNAP_SOFT    1.0  // Hz, to begin with
#define SNAP_STIFF   30.0 // Hz, in the end
#define SNAP_RUN     5.5  // s: the motor starts
#define SNAP_MEASURE 6.0  // s: it is at speed
#define SNAP_APART   8.5  // s: the first joint goes
#define SNAP_SPEED   6.0  // rad/s

typedef enum snap_joint_name {
    SNAP_BEARING,
    SNAP_CRANK_PIN,
    SNAP_CYLINDER,
    SNAP_WRIST,
    SNAP_JOINTS,
} snap_joint_name;

typedef struct snap_state {
    tn_body_id crank, rod, piston;
    tn_joint_id joints[SNAP_JOINTS];
    bool is_rigid[SNAP_JOINTS];
    double time;
    double gap_max, inner, outer, off_max; // m, while it works
} snap_state;

static void snap_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static tn_body_id snap_add_part(scene_run *run, double x, double z, double angle, double length) {
    build_part part = build_part_at(x, 0.5 * SNAP_WIDTH, z);
    build_turn(&part.pose, build_axis_y(), angle);
    part.density = 500.0;
    part.filter.group = -1;
    return build_box(run, &part, length + 2.0 * SNAP_MARGIN, SNAP_WIDTH, SNAP_WIDTH);
}

// The place of a joint in a body's frame, with x along the body's z: the axis of a hinge.
static tn_pose snap_get_pin(double x, double y) {
    tn_pose pose = tn_joint_def_default().frame_a;
    build_turn(&pose, build_axis_y(), -0.5 * BUILD_PI);
    pose.position = build_point(x, y, 0.0);
    return pose;
}

static bool snap_build(scene_run *run) {
    snap_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    state->crank = snap_add_part(run, -0.6, 0.5, 0.7, 2.0 * SNAP_RADIUS);
    state->rod = snap_add_part(run, 0.4, 0.6, -0.5, SNAP_ROD);
    build_part part = build_part_at(1.1, 0.5 * SNAP_PISTON, 0.4);
    build_turn(&part.pose, build_axis_y(), 0.9);
    part.density = 500.0;
    part.filter.group = -1;
    state->piston = build_box(run, &part, SNAP_PISTON, SNAP_PISTON, SNAP_PISTON);
    state->inner = HUGE_VAL;
    scene_run_name_body(run, state->crank, "crank");
    scene_run_name_body(run, state->rod, "rod");
    scene_run_name_body(run, state->piston, "piston");
    return true;
}

// ---- together ----------------------------------------------------------------------------------

static tn_joint_id snap_make_hinge(scene_run *run, const tn_joint_def *base) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    def.base = *base;
    return tn_hinge_joint_create(run->world, &def);
}

static tn_joint_id snap_make_slider(scene_run *run, const tn_joint_def *base) {
    tn_slider_joint_def def = tn_slider_joint_def_default();
    def.base = *base;
    return tn_slider_joint_create(run->world, &def);
}

// The crank's bearing is in its middle, its pin at one of its ends.
static void snap_draw(scene_run *run, snap_joint_name name) {
    snap_state *state = run->state;
    tn_joint_def base = tn_joint_def_default();
    base.hertz = (float)SNAP_SOFT;
    switch (name) {
    case SNAP_BEARING:
        base.body_b = state->crank;
        base.frame_a = snap_get_pin(0.0, SNAP_HEIGHT);
        base.frame_b = snap_get_pin(0.0, 0.0);
        break;
    case SNAP_CRANK_PIN:
        base.body_a = state->crank;
        base.body_b = state->rod;
        base.frame_a = snap_get_pin(SNAP_RADIUS, 0.0);
        base.frame_b = snap_get_pin(-0.5 * SNAP_ROD, 0.0);
        break;
    case SNAP_CYLINDER:
        base.body_b = state->piston;
        base.frame_a.position = build_point(0.0, SNAP_HEIGHT, 0.0);
        break;
    default:
        base.body_a = state->rod;
        base.body_b = state->piston;
        base.frame_a = snap_get_pin(0.5 * SNAP_ROD, 0.0);
        base.frame_b = snap_get_pin(0.0, 0.0);
        break;
    }
    state->joints[name] =
        name == SNAP_CYLINDER ? snap_make_slider(run, &base) : snap_make_hinge(run, &base);
    run->has_failed |= state->joints[name].value == 0;
}

// From soft to stiff in equal ratios, then rigid.
static void snap_tighten(scene_run *run, snap_joint_name name, double since) {
    snap_state *state = run->state;
    double share = since / SNAP_DRAW;
    state->is_rigid[name] = share >= 1.0;
    double hertz = state->is_rigid[name]
                       ? 0.0
                       : SNAP_SOFT * portable_round(pow(SNAP_STIFF / SNAP_SOFT, fmax(share, 0.0)));
    tn_joint_set_stiffness(run->world, state->joints[name], (float)hertz, 1.0f);
}

static void snap_together(scene_run *run) {
    snap_state *state = run->state;
    for (int name = 0; name < SNAP_JOINTS; ++name) {
        double since = state->time - (SNAP_FIRST + name * SNAP_PAUSE);
        if (since >= 0.0 && state->joints[name].value == 0) {
            snap_draw(run, (snap_joint_name)name);
        }
        if (since >= 0.0 && !state->is_rigid[name]) {
            snap_tighten(run, (snap_joint_name)name, since);
        }
    }
}

// ---- and apart ---------------------------------------------------------------------------------

static void snap_take_off(scene_run *run, snap_joint_name name) {
    snap_state *state = run->state;
    if (state->joints[name].value != 0) {
        tn_joint_destroy(run->world, state->joints[name]);
        state->joints[name] = (tn_joint_id){0};
    }
}

static void snap_apart(scene_run *run) {
    static const snap_joint_name order[SNAP_JOINTS] = {SNAP_WRIST, SNAP_CRANK_PIN, SNAP_CYLINDER,
                                                       SNAP_BEARING};
    const snap_state *state = run->state;
    for (int i = 0; i < SNAP_JOINTS; ++i) {
        if (state->time >= SNAP_APART + 0.3 * i) {
            snap_take_off(run, order[i]);
        }
    }
}

static void snap_before_step(scene_run *run, double dt) {
    snap_state *state = run->state;
    state->time += dt;
    if (state->time < SNAP_RUN) {
        snap_together(run);
    } else if (state->time < SNAP_APART) {
        build_hinge_speed(run, state->joints[SNAP_BEARING], SNAP_SPEED, 100.0);
    } else {
        snap_apart(run);
    }
}

// ---- what it measures --------------------------------------------------------------------------

static void snap_after_step(scene_run *run, double dt) {
    (void)dt;
    snap_state *state = run->state;
    if (state->time < SNAP_MEASURE || state->time >= SNAP_APART) {
        return;
    }
    for (int i = 0; i < SNAP_JOINTS; ++i) {
        double gap = tn_joint_get_error(run->world, state->joints[i]).linear_length;
        state->gap_max = fmax(state->gap_max, gap);
    }
    tn_vec3 arm = {SNAP_RADIUS, 0.0, 0.0};
    tn_vec3 pin = tn_body_get_world_point(run->world, state->crank, arm);
    double rise = pin.y - SNAP_HEIGHT;
    double x = tn_body_get_pose(run->world, state->piston).position.x;
    double expected = pin.x + sqrt(SNAP_ROD * SNAP_ROD - rise * rise);
    state->off_max = fmax(state->off_max, fabs(x - expected));
    state->inner = fmin(state->inner, x);
    state->outer = fmax(state->outer, x);
}

static void snap_measure(scene_run *run) {
    const snap_state *state = run->state;
    double highest = 0.0;
    const tn_body_id parts[] = {state->crank, state->rod, state->piston};
    for (int i = 0; i < 3; ++i) {
        highest = fmax(highest, tn_body_get_pose(run->world, parts[i]).position.y);
    }
    scene_run_add_figure(run, "working_gap_max_m", state->gap_max);
    scene_run_add_figure(run, "piston_off_max_m", state->off_max);
    scene_run_add_figure(run, "stroke_m", fmax(0.0, state->outer - state->inner));
    scene_run_add_figure(run, "highest_part_m", highest);
}

const scene scene_snap = {
    .name = "snap",
    .summary = "parts are snapped together to a slider-crank that works, and taken apart",
    .time = 11.0,
    .configure = snap_configure,
    .build = snap_build,
    .before_step = snap_before_step,
    .after_step = snap_after_step,
    .measure = snap_measure,
};
