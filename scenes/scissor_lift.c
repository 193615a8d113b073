// scenes/scissor_lift.c: a top-heavy stack of boxes on the table of a scissor lift.
//
// Two pairs of crossed arms; each arm is hinged at one end and rolls in a rail with the other. A
// hydraulic cylinder between the arms drives the table up. The boxes lie loose on it, and the top
// one outweighs the whole linkage.
#include "scenes/figure.h"
#include "scenes/hydraulic.h"
#include "scenes/registry.h"

#include <math.h>

#define LIFT_HALF  1.0  // m: half the way between the ends of an arm at the start, along x
#define LIFT_RISE  0.7  // m between the rails at the start
#define LIFT_BASE  0.3  // m: height of the lower rail
#define LIFT_ARM   6.0  // kg
#define LIFT_SHOE  1.0  // kg, of what rolls in a rail
#define LIFT_TABLE 10.0 // kg
#define LIFT_OIL   4.0
#define LIFT_START 1.0 // s
#define LIFT_RAMP  5.0 // s

static const scene_option scissor_lift_options[] = {
    {"boxes", 5, 1, 50, "in the stack"},
    {"box", 20, 0.1, 1e5, "kg of each"},
    {"ratio", 10, 1, 1e5, "mass of the top box over that of another"},
    {"stroke", 0.25, -0.2, 0.6, "m that the cylinder goes out"},
};

typedef struct scissor_lift_state {
    hydraulic cylinder;
    tn_body_id table, top;
    double start, top_start; // m: heights of table and top box
} scissor_lift_state;

static tn_body_id lift_add_bar(scene_run *run, tn_vec3 from, tn_vec3 to, const char *name) {
    tn_body_id bar = build_bar(run, from, to, LIFT_ARM, 0.08, 0.05);
    scene_run_name_body(run, bar, "%s", name);
    return bar;
}

// A shoe at a point, that slides along x on one body and turns about another.
static void lift_add_shoe(scene_run *run, tn_body_id rail, tn_body_id arm, tn_vec3 at) {
    build_part part = build_part_at(at.x, at.y, at.z);
    part.mass = LIFT_SHOE;
    part.filter.mask = 0;
    tn_body_id shoe = build_box(run, &part, 0.1, 0.1, 0.1);
    build_slider(run, rail, shoe, at, build_axis_x());
    build_hinge(run, shoe, arm, at, build_axis_z());
}

static void lift_add_stack(scene_run *run, scissor_lift_state *state, double floor) {
    int count = (int)scene_run_get_value(run, "boxes");
    for (int i = 0; i < count; i++) {
        build_part part = build_part_at(0.0, floor + 0.4 * (i + 0.5), 0.0);
        part.mass = scene_run_get_value(run, "box");
        part.mass *= i + 1 == count ? scene_run_get_value(run, "ratio") : 1.0;
        state->top = build_box(run, &part, 0.4, 0.4, 0.4);
        state->top_start = part.pose.position.y;
    }
    scene_run_name_body(run, state->top, "top");
}

static bool scissor_lift_build(scene_run *run) {
    scissor_lift_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_body_id world = {0};
    tn_vec3 low_left = build_point(-LIFT_HALF, LIFT_BASE, 0.0);
    tn_vec3 low_right = build_point(LIFT_HALF, LIFT_BASE, 0.0);
    tn_vec3 high_left = build_point(-LIFT_HALF, LIFT_BASE + LIFT_RISE, 0.0);
    tn_vec3 high_right = build_point(LIFT_HALF, LIFT_BASE + LIFT_RISE, 0.0);
    tn_vec3 middle = build_point(0.0, LIFT_BASE + 0.5 * LIFT_RISE, 0.0);
    build_part table = build_part_at(0.0, high_left.y + 0.05, 0.0);
    table.mass = LIFT_TABLE;
    state->table = build_box(run, &table, 2.4, 0.1, 1.2);
    state->start = table.pose.position.y;
    tn_body_id rising = lift_add_bar(run, low_left, high_right, "rising_arm");
    tn_body_id falling = lift_add_bar(run, high_left, low_right, "falling_arm");
    build_hinge(run, world, rising, low_left, build_axis_z());
    build_hinge(run, state->table, falling, high_left, build_axis_z());
    build_hinge(run, rising, falling, middle, build_axis_z());
    lift_add_shoe(run, world, falling, low_right);
    lift_add_shoe(run, state->table, rising, high_right);
    state->cylinder =
        hydraulic_add(run, &(hydraulic_ends){world, rising, build_point(0.6, LIFT_BASE, 0.0),
                                             build_point(0.5, LIFT_BASE + 0.75 * LIFT_RISE, 0.0),
                                             LIFT_OIL, "cylinder"});
    lift_add_stack(run, state, table.pose.position.y + 0.05);
    scene_run_name_body(run, state->table, "table");
    return true;
}

static void scissor_lift_before_step(scene_run *run, double dt) {
    scissor_lift_state *state = run->state;
    double x = (tn_world_get_time(run->world) + dt - LIFT_START) / LIFT_RAMP;
    double stroke = scene_run_get_value(run, "stroke");
    hydraulic_set(&state->cylinder, run, stroke * hydraulic_ramp(x),
                  stroke * hydraulic_ramp_slope(x) / LIFT_RAMP);
}

static void scissor_lift_after_step(scene_run *run, double dt) {
    (void)dt;
    scissor_lift_state *state = run->state;
    hydraulic_note(&state->cylinder, run);
}

static void scissor_lift_measure(scene_run *run) {
    const scissor_lift_state *state = run->state;
    double lifted = tn_body_get_center(run->world, state->table).y - state->start;
    double top = tn_body_get_center(run->world, state->top).y - state->top_start;
    scene_run_add_figure(run, "lifted_m", lifted);
    scene_run_add_figure(run, "top_sunk_m", lifted - top);
    scene_run_add_figure(run, "stands", lifted - top < 0.1 ? 1.0 : 0.0);
    scene_run_add_figure(run, "command_error_end_m", hydraulic_get_error(&state->cylinder, run));
}

const scene scene_scissor_lift = {
    .name = "scissor_lift",
    .summary = "a top-heavy stack on a scissor lift with a hydraulic cylinder",
    .time = 10.0,
    .options = scissor_lift_options,
    .option_count = 4,
    .build = scissor_lift_build,
    .before_step = scissor_lift_before_step,
    .after_step = scissor_lift_after_step,
    .measure = scissor_lift_measure,
};
