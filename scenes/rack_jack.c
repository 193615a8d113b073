// scenes/rack_jack.c: a weight on a rack, which unwinds a pinion with a flywheel as it goes down.
//
// With the weight m (rack and all), the inertia I of the pinion and its flywheel and the pitch
// radius r the rack goes down with a = g / (1 + I / (m r^2)).
#include "scenes/build_wheel.h"
#include "scenes/registry.h"

#define RACK_MODULE   0.025 // m
#define RACK_TEETH    20    // of the pinion
#define RACK_NOTCHES  25    // of the rack
#define RACK_FLYWHEEL 0.6   // m, its radius

static const scene_option rack_options[] = {
    {"weight", 30, 0.1, 10000, "kg at the rack's end"},
    {"flywheel", 200, 1, 100000, "kg/m^3, its density"},
};

typedef struct rack_state {
    tn_body_id pinion, rack;
    tn_joint_id joint;
    double start; // m
} rack_state;

static tn_body_id rack_add_pinion(scene_run *run, const build_teeth *teeth) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    tn_body_id body = build_wheel(run, &part, teeth);
    part.filter.mask = 0;
    part.density = scene_run_get_value(run, "flywheel");
    build_add_disc(run, body, &part, build_point(0.0, 0.0, -0.15), RACK_FLYWHEEL, 0.1);
    scene_run_name_body(run, body, "pinion");
    return body;
}

// Upright beside the pinion, teeth toward it, half a tooth off; the weight below.
static tn_body_id rack_add_rack(scene_run *run, const build_teeth *teeth) {
    double pitch = BUILD_PI * RACK_MODULE, half = 0.5 * RACK_NOTCHES * pitch;
    double side = 0.5 * RACK_TEETH * RACK_MODULE;
    build_part part = build_part_turned(side, 0.5 * pitch + 8.0 * pitch, 0.5 * BUILD_PI);
    part.density = 500.0;
    tn_body_id body = build_rack(run, &part, teeth);
    part.filter.mask = 0;
    part.density = scene_run_get_value(run, "weight") / (0.3 * 0.3 * 0.3);
    build_add_box(run, body, &part, build_point(-half - 0.15, -2.0 * RACK_MODULE, 0.0),
                  build_point(0.3, 0.3, 0.3));
    scene_run_name_body(run, body, "rack");
    return body;
}

static bool rack_build(scene_run *run) {
    rack_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_teeth of_pinion = {RACK_TEETH, RACK_MODULE, 0.1};
    build_teeth of_rack = {RACK_NOTCHES, RACK_MODULE, 0.1};
    tn_vec3 middle = build_point(0.0, 0.0, 0.0);
    tn_vec3 side = build_point(build_pitch_radius(&of_pinion), 0.0, 0.0);
    tn_body_id world = {0};
    state->pinion = rack_add_pinion(run, &of_pinion);
    state->rack = rack_add_rack(run, &of_rack);
    build_hinge(run, world, state->pinion, middle, build_axis_z());
    build_slider(run, world, state->rack, side, build_axis_y());
    tn_rack_pinion_joint_def def = tn_rack_pinion_joint_def_default();
    tn_joint_def of_a = tn_joint_def_default(), of_b = of_a;
    run->has_failed |=
        !tn_joint_def_set_frames(run->world, &of_a, state->pinion, world, middle, build_axis_z());
    run->has_failed |=
        !tn_joint_def_set_frames(run->world, &of_b, state->rack, world, side, build_axis_y());
    def.base.body_a = state->pinion;
    def.base.body_b = state->rack;
    def.base.frame_a = of_a.frame_a;
    def.base.frame_b = of_b.frame_a;
    def.radius = build_pitch_radius(&of_pinion);
    state->joint = tn_rack_pinion_joint_create(run->world, &def);
    state->start = tn_body_get_center(run->world, state->rack).y;
    return state->joint.value != 0;
}

static void rack_measure(scene_run *run) {
    const rack_state *state = run->state;
    double mass = tn_body_get_mass(run->world, state->rack).mass;
    double inertia = tn_body_get_mass(run->world, state->pinion).inertia.zz;
    double radius = 0.5 * RACK_TEETH * RACK_MODULE, time = tn_world_get_time(run->world);
    double acceleration = BUILD_GRAVITY / (1.0 + inertia / (mass * radius * radius));
    double fallen = state->start - tn_body_get_center(run->world, state->rack).y;
    scene_run_add_figure(run, "fallen_m", fallen);
    scene_run_add_figure(run, "exact_m", 0.5 * acceleration * time * time);
    scene_run_add_figure(run, "pinion_turns",
                         tn_rack_pinion_joint_get_angle(run->world, state->joint) /
                             (2.0 * BUILD_PI));
}

const scene scene_rack_jack = {
    .name = "rack_jack",
    .summary = "a weight on a rack goes down and winds up a pinion with a flywheel",
    .time = 0.9,
    .options = rack_options,
    .option_count = 2,
    .build = rack_build,
    .measure = rack_measure,
};
