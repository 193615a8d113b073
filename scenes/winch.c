// scenes/winch.c: a lever that goes to and fro winds up a load, tooth by tooth.
//
// One pawl is on the lever: on its way forward it takes the drum along, on its way back it slides
// over the drum's teeth. Another one is on the ground and holds the drum meanwhile. A stroke of 70
// degrees finds four whole teeth of 15 degrees, wherever the other pawl, with teeth of 9 degrees,
// lets the drum fall back to: each stroke raises the load by 60 degrees times the drum's radius.
#include "scenes/build_wheel.h"
#include "scenes/registry.h"

#include <math.h>

#define WINCH_RADIUS 0.1 // m of the drum
#define WINCH_TEETH  24  // under the lever's pawl
#define WINCH_HELD   40  // under the other one
#define WINCH_STROKE (70.0 * BUILD_PI / 180.0)
#define WINCH_HALF   1.0 // s: of a stroke

static const scene_option winch_options[] = {
    {"load", 50, 0, 10000, "kg"},
    {"drag", 0.2, 0, 1000, "N m of each pawl on its teeth"},
};

typedef struct winch_state {
    tn_body_id load;
    tn_joint_id lever, pawl, held;
    double start; // m
} winch_state;

static tn_body_id winch_add_drum(scene_run *run) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    build_teeth teeth = {WINCH_TEETH, 0.0125, 0.04};
    tn_body_id body = build_wheel(run, &part, &teeth), world = {0};
    part.filter.mask = 0;
    build_add_disc(run, body, &part, build_point(0.0, 0.0, -0.08), WINCH_RADIUS, 0.1);
    build_hinge(run, world, body, part.pose.position, build_axis_z());
    scene_run_name_body(run, body, "drum");
    return body;
}

// Upright to the right at the start, at the front end of its stroke.
static tn_body_id winch_add_lever(scene_run *run, winch_state *state) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.filter.mask = 0;
    tn_body_id body = build_body(run, &part), world = {0};
    build_add_bar(run, body, &part, build_point(0.0, 0.0, 0.05), build_point(0.5, 0.3, 0.05), 0.03);
    state->lever = build_hinge(run, world, body, part.pose.position, build_axis_z());
    scene_run_name_body(run, body, "lever");
    return body;
}

// On a rope that is wound up on the left.
static tn_body_id winch_add_load(scene_run *run, tn_body_id drum) {
    tn_vec3 side = build_point(-WINCH_RADIUS, 0.0, 0.0);
    build_part part = build_part_at(side.x, -0.8, 0.0);
    part.mass = scene_run_get_value(run, "load");
    part.filter.mask = 0;
    tn_body_id load = build_box(run, &part, 0.25, 0.25, 0.25), world = {0};
    build_slider(run, world, load, part.pose.position, build_axis_y());
    tn_rack_pinion_joint_def def = tn_rack_pinion_joint_def_default();
    tn_joint_def of_a = tn_joint_def_default(), of_b = of_a;
    run->has_failed |= !tn_joint_def_set_frames(run->world, &of_a, drum, world,
                                                build_point(0.0, 0.0, 0.0), build_axis_z());
    run->has_failed |= !tn_joint_def_set_frames(run->world, &of_b, load, world, part.pose.position,
                                                build_axis_y());
    def.base.body_a = drum;
    def.base.body_b = load;
    def.base.frame_a = of_a.frame_a;
    def.base.frame_b = of_b.frame_a;
    def.radius = -WINCH_RADIUS;
    run->has_failed |= tn_rack_pinion_joint_create(run->world, &def).value == 0;
    scene_run_name_body(run, load, "load");
    return load;
}

// The drum turns clockwise with what is `a`.
static tn_joint_id winch_add_pawl(scene_run *run, tn_body_id a, tn_body_id drum, int teeth) {
    tn_ratchet_joint_def def = tn_ratchet_joint_def_default();
    run->has_failed |= !tn_joint_def_set_frames(run->world, &def.base, a, drum,
                                                build_point(0.0, 0.0, 0.0), build_axis_z());
    def.teeth = teeth;
    def.direction = -1;
    def.drag = (float)scene_run_get_value(run, "drag");
    tn_joint_id joint = tn_ratchet_joint_create(run->world, &def);
    run->has_failed |= joint.value == 0;
    return joint;
}

static bool winch_build(scene_run *run) {
    winch_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_body_id drum = winch_add_drum(run), lever = winch_add_lever(run, state), world = {0};
    state->load = winch_add_load(run, drum);
    state->pawl = winch_add_pawl(run, lever, drum, WINCH_TEETH);
    state->held = winch_add_pawl(run, world, drum, WINCH_HELD);
    state->start = tn_body_get_center(run->world, state->load).y;
    scene_run_name_joint(run, state->pawl, "lever's pawl");
    scene_run_name_joint(run, state->held, "ground's pawl");
    return true;
}

// Back, which is to the left, in the first second.
static void winch_before_step(scene_run *run, double dt) {
    winch_state *state = run->state;
    double strokes = floor((tn_world_get_time(run->world) + 0.5 * dt) / WINCH_HALF);
    bool goes_back = remainder(strokes, 2.0) == 0.0;
    double speed = WINCH_STROKE / WINCH_HALF;
    build_hinge_speed(run, state->lever, goes_back ? speed : -speed, 1e5);
}

static void winch_measure(scene_run *run) {
    const winch_state *state = run->state;
    double strokes = floor(tn_world_get_time(run->world) / (2.0 * WINCH_HALF) + 1e-6);
    scene_run_add_figure(run, "raised_m",
                         tn_body_get_center(run->world, state->load).y - state->start);
    scene_run_add_figure(run, "exact_m", strokes * BUILD_PI / 3.0 * WINCH_RADIUS);
    scene_run_add_figure(run, "lever_teeth",
                         (double)tn_ratchet_joint_get_tooth(run->world, state->pawl));
    scene_run_add_figure(run, "ground_teeth",
                         (double)tn_ratchet_joint_get_tooth(run->world, state->held));
}

const scene scene_winch = {
    .name = "winch",
    .summary = "a lever with a pawl winds up a load, which another pawl holds",
    .time = 8.0,
    .options = winch_options,
    .option_count = 2,
    .build = winch_build,
    .before_step = winch_before_step,
    .measure = winch_measure,
};
