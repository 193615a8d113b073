// scenes/crane.c: a level-luffing crane that slews: 8 t on a chain at a linkage of 40 kg.
//
// Jib, tie and nose are a double lever on a turntable: while a hydraulic cylinder luffs the jib,
// the nose's tip moves nearly level. The load hangs from it on a chain of light links. Beside it
// there may be a pile of boxes, which the crane does not touch.
#include "scenes/hydraulic.h"
#include "scenes/portable.h"
#include "scenes/registry.h"
#include "scenes/sketch.h"

#include <math.h>

#define CRANE_JIB      14.0 // kg
#define CRANE_TIE      8.0
#define CRANE_NOSE     6.0
#define CRANE_OIL      4.0
#define CRANE_LINK     1.0 // of each link of the chain
#define CRANE_TABLE    2000.0
#define CRANE_LINKS    8
#define CRANE_STEEL    7800.0 // kg/m^3, of the load
#define CRANE_START    1.0    // s
#define CRANE_RAMP     8.0    // s: how long it luffs and slews
#define CRANE_SLEW     1e10f  // N m/rad, of the turntable's drive
#define CRANE_SLEW_C   1e8f   // N m s/rad
#define CRANE_MAST_X   (-0.4) // m: of the tie's hinge on the mast
#define CRANE_MAST_Y   5.0    // m
#define CRANE_PILE_Z   12.0   // m: where the pile is
#define CRANE_PILE_ROW 5      // boxes in each direction

static const scene_option crane_options[] = {
    {"load", 8000, 1, 1e6, "kg on the hook"},
    {"luff", 0.5, -0.5, 1, "m that the cylinder goes out"},
    {"slew", 60, -360, 360, "deg that the turntable turns"},
    {"pile", 0, 0, 10000, "boxes of a pile beside it"},
};

typedef struct crane_state {
    hydraulic cylinder;
    tn_joint_id turntable;
    tn_body_id table, nose, load;
    tn_vec3 tip;          // of the nose, in its frame
    double slew;          // rad: where the turntable shall be
    double lowest, upper; // m: of the tip
} crane_state;

static tn_body_id crane_add_bar(scene_run *run, tn_vec3 from, tn_vec3 to, double mass,
                                const char *name) {
    tn_body_id bar = build_bar(run, from, to, mass, 0.2, 0.2);
    scene_run_name_body(run, bar, "%s", name);
    return bar;
}

static tn_body_id crane_add_table(scene_run *run, crane_state *state) {
    build_part part = build_part_at(0.0, 1.0, 0.0);
    part.mass = CRANE_TABLE;
    part.filter.mask = 0;
    tn_body_id table = build_box(run, &part, 2.0, 2.0, 2.0);
    state->turntable =
        build_hinge(run, (tn_body_id){0}, table, build_point(0.0, 0.0, 0.0), build_axis_y());
    scene_run_name_body(run, table, "turntable");
    return table;
}

static void crane_add_load(scene_run *run, crane_state *state, tn_vec3 tip) {
    double mass = scene_run_get_value(run, "load"), size = portable_cbrt(mass / CRANE_STEEL);
    tn_vec3 points[CRANE_LINKS + 1];
    tn_body_id links[CRANE_LINKS];
    tn_vec3 hook = build_point(tip.x, tip.y - 4.0, tip.z);
    build_spread_points(tip, hook, CRANE_LINKS, points);
    build_links chain = {.points = points,
                         .count = CRANE_LINKS,
                         .link_mass = CRANE_LINK,
                         .radius = 0.04,
                         .filter.mask = 0};
    build_rope_of_links(run, &chain, links);
    build_ball_joint(run, state->nose, links[0], tip, build_axis_x());
    build_part part = build_part_at(hook.x, hook.y - 0.5 * size, hook.z);
    part.mass = mass;
    part.filter.mask = 0;
    state->load = build_box(run, &part, size, size, size);
    build_ball_joint(run, links[CRANE_LINKS - 1], state->load, hook, build_axis_x());
    scene_run_name_body(run, state->load, "load");
}

// In layers, each a little off the one below.
static void crane_add_pile(scene_run *run) {
    int count = (int)scene_run_get_value(run, "pile");
    for (int i = 0; i < count; i++) {
        int layer = i / (CRANE_PILE_ROW * CRANE_PILE_ROW);
        int column = i % CRANE_PILE_ROW, row = i / CRANE_PILE_ROW % CRANE_PILE_ROW;
        double aside = 0.1 * (layer % 3);
        build_part part = build_part_at(0.6 * column + aside, 0.3 + 0.55 * layer,
                                        CRANE_PILE_Z + 0.6 * row + aside);
        build_box(run, &part, 0.5, 0.5, 0.5);
    }
}

static bool crane_build(scene_run *run) {
    crane_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_vec3 foot = build_point(0.8, 2.0, 0.0), head = build_point(7.0, 9.0, 0.0);
    tn_vec3 mast = build_point(CRANE_MAST_X, CRANE_MAST_Y, 0.0), tail = build_point(5.9, 10.4, 0.0);
    tn_vec3 tip = build_point(9.8, 8.7, 0.0);
    tn_body_id table = state->table = crane_add_table(run, state);
    tn_body_id jib = crane_add_bar(run, foot, head, CRANE_JIB, "jib");
    tn_body_id tie = crane_add_bar(run, mast, tail, CRANE_TIE, "tie");
    state->nose = crane_add_bar(run, tail, tip, CRANE_NOSE, "nose");
    state->tip = tn_body_get_local_point(run->world, state->nose, tip);
    build_hinge(run, table, jib, foot, build_axis_z());
    build_hinge(run, table, tie, mast, build_axis_z());
    build_hinge(run, jib, state->nose, head, build_axis_z());
    build_hinge(run, tie, state->nose, tail, build_axis_z());
    state->cylinder =
        hydraulic_add(run, &(hydraulic_ends){table, jib, build_point(-0.2, 3.2, 0.0),
                                             build_point(3.1, 4.6, 0.0), CRANE_OIL, "cylinder"});
    crane_add_load(run, state, tip);
    if (scene_run_get_value(run, "pile") >= 1.0) {
        build_ground(run, 0.0);
        crane_add_pile(run);
    }
    state->lowest = state->upper = tip.y;
    return true;
}

static void crane_before_step(scene_run *run, double dt) {
    crane_state *state = run->state;
    double x = (tn_world_get_time(run->world) + dt - CRANE_START) / CRANE_RAMP;
    double share = hydraulic_ramp(x), slope = hydraulic_ramp_slope(x) / CRANE_RAMP;
    double luff = scene_run_get_value(run, "luff");
    double slew = scene_run_get_value(run, "slew") * BUILD_PI / 180.0;
    hydraulic_set(&state->cylinder, run, luff * share, luff * slope);
    state->slew = slew * share;
    tn_hinge_joint_set_motor(run->world, state->turntable,
                             (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                                        .target_position = (float)state->slew,
                                        .target_speed = (float)(slew * slope),
                                        .stiffness = CRANE_SLEW,
                                        .damping = CRANE_SLEW_C,
                                        .max_force = INFINITY});
}

static void crane_after_step(scene_run *run, double dt) {
    (void)dt;
    crane_state *state = run->state;
    double height = tn_body_get_world_point(run->world, state->nose, state->tip).y;
    state->lowest = fmin(state->lowest, height);
    state->upper = fmax(state->upper, height);
    hydraulic_note(&state->cylinder, run);
}

static void crane_measure(scene_run *run) {
    const crane_state *state = run->state;
    double angle = tn_hinge_joint_get_angle(run->world, state->turntable);
    scene_run_add_figure(run, "command_error_max_m", state->cylinder.error_max);
    scene_run_add_figure(run, "command_error_end_m", hydraulic_get_error(&state->cylinder, run));
    scene_run_add_figure(run, "slew_error_end_rad",
                         fabs(remainder(angle - state->slew, 2.0 * BUILD_PI)));
    scene_run_add_figure(run, "tip_rise_m", state->upper - state->lowest);
    scene_run_add_figure(run, "cylinder_N",
                         (double)tn_joint_get_motor_effort(run->world, state->cylinder.slider));
}

// The mast, which turns with the table, and the wheel at the tip.
static void crane_sketch(const scene_run *run, const scene_sketch *sketch) {
    const crane_state *state = run->state;
    tn_vec3 head = {CRANE_MAST_X, CRANE_MAST_Y - 1.0, 0.0};
    tn_vec3 top = tn_body_get_world_point(run->world, state->table, head);
    for (int i = -1; i <= 1; i++) {
        tn_vec3 foot = {0.9 * i, 1.0, 0.0};
        sketch_line(sketch, SCENE_PEN_FRAME,
                    tn_body_get_world_point(run->world, state->table, foot), top);
    }
    sketch_circle(sketch, SCENE_PEN_PLATE,
                  tn_body_get_world_point(run->world, state->nose, state->tip), 0.25);
}

const scene scene_crane = {
    .name = "crane",
    .summary = "a level-luffing crane of 40 kg that slews with 8 t on a chain",
    .time = 12.0,
    .options = crane_options,
    .option_count = 4,
    .build = crane_build,
    .before_step = crane_before_step,
    .after_step = crane_after_step,
    .measure = crane_measure,
    .picture = {.sketch = crane_sketch},
};
