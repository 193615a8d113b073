// scenes/cam.c: an eccentric cam lifts a flat tappet against its spring.
//
// The face goes with the highest point of a circle whose centre is e off the axis: the lift is
// e (1 + cos a), a the turn from where it is highest, and the force between the two
//     m (g - w^2 e cos a) + k (lift + preload).
// Where that is least, at the top, it vanishes at the speed w with m w^2 e = k (2 e + preload) +
// m g: faster than that the tappet jumps off the cam.
#include "scenes/build.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define CAM_RADII 360
#define CAM_BASE  0.1  // m: of the circle
#define CAM_OFF   0.04 // m: of its centre, e
#define CAM_PLATE 0.04 // m: of the tappet

static const scene_option cam_options[] = {
    {"speed", 30, -1000, 1000, "rad/s of the cam"},
    {"mass", 2, 0.01, 1000, "kg of the tappet"},
    {"stiffness", 2000, 0, 1e6, "N/m of the spring"},
    {"preload", 0.06, 0, 1, "m that the spring is short by where the tappet is lowest"},
};

typedef struct cam_state {
    tn_joint_id joint;
    double gap; // m: the greatest over the run
} cam_state;

// Radii about the axis of a circle whose centre is toward the angle 0.
static void cam_cut(double radii[CAM_RADII]) {
    for (int i = 0; i < CAM_RADII; i++) {
        double angle = 2.0 * BUILD_PI * i / CAM_RADII, side = CAM_OFF * portable_sin(angle);
        radii[i] = CAM_OFF * portable_cos(angle) + sqrt(CAM_BASE * CAM_BASE - side * side);
    }
}

// It begins with its lowest side up, at its speed, which a motor holds.
static tn_body_id cam_add_cam(scene_run *run) {
    build_part part = build_part_turned(0.0, 0.0, BUILD_PI);
    part.filter.mask = 0;
    tn_body_id body = build_body(run, &part);
    build_add_disc(run, body, &part, build_point(0.0, CAM_OFF, 0.0), CAM_BASE, 0.04);
    build_add_disc(run, body, &part, build_point(0.0, 0.0, 0.03), 0.02, 0.04);
    double speed = scene_run_get_value(run, "speed");
    tn_velocity velocity = {.angular = {0.0, 0.0, speed}};
    velocity.linear.x = -speed * tn_body_get_center(run->world, body).y;
    tn_body_set_velocity(run->world, body, velocity);
    tn_body_id world = {0};
    tn_joint_id hinge = build_hinge(run, world, body, build_point(0.0, 0.0, 0.0), build_axis_z());
    build_hinge_speed(run, hinge, speed, 1e6);
    scene_run_name_body(run, body, "cam");
    return body;
}

static tn_body_id cam_add_tappet(scene_run *run) {
    double lowest = CAM_BASE - CAM_OFF;
    build_part part = build_part_at(0.0, lowest + 0.5 * CAM_PLATE, 0.0);
    part.filter.mask = 0;
    tn_body_id body = build_body(run, &part);
    double volume = 0.2 * CAM_PLATE * 0.1 + 0.04 * 0.25 * 0.04;
    part.density = scene_run_get_value(run, "mass") / volume;
    build_add_box(run, body, &part, build_point(0.0, 0.0, 0.0), build_point(0.2, CAM_PLATE, 0.1));
    build_add_box(run, body, &part, build_point(0.0, 0.5 * CAM_PLATE + 0.125, 0.0),
                  build_point(0.04, 0.25, 0.04));
    scene_run_name_body(run, body, "tappet");
    return body;
}

static void cam_add_guide(scene_run *run, tn_body_id tappet) {
    tn_body_id world = {0};
    tn_vec3 place = tn_body_get_pose(run->world, tappet).position;
    tn_joint_id guide = build_slider(run, world, tappet, place, build_axis_y());
    tn_spring spring = {.mode = TN_SPRING_MODE_STIFFNESS,
                        .stiffness = (float)scene_run_get_value(run, "stiffness"),
                        .rest = (float)-scene_run_get_value(run, "preload")};
    tn_slider_joint_set_spring(run->world, guide, spring);
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    part.filter.mask = 0;
    tn_body_id body = build_body(run, &part);
    for (int i = -1; i <= 1; i += 2) {
        build_add_box(run, body, &part, build_point(0.07 * i, 0.32, 0.0),
                      build_point(0.1, 0.03, 0.1));
    }
    scene_run_name_body(run, body, "guide");
}

static bool cam_build(scene_run *run) {
    cam_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_body_id cam = cam_add_cam(run), tappet = cam_add_tappet(run), world = {0};
    double radii[CAM_RADII];
    cam_cut(radii);
    cam_add_guide(run, tappet);
    tn_cam_joint_def def = tn_cam_joint_def_default();
    tn_joint_def of_tappet = tn_joint_def_default();
    tn_vec3 face = build_point(0.0, CAM_BASE - CAM_OFF, 0.0);
    run->has_failed |=
        !tn_joint_def_set_frames(run->world, &of_tappet, tappet, world, face, build_axis_y());
    double quarter = 0.70710678118654752;
    tn_pose about_z = {.rotation = {0.0, -quarter, 0.0, quarter}}; // y as the cam's own
    def.base.body_a = cam;
    def.base.body_b = tappet;
    def.base.frame_a = about_z;
    def.base.frame_b = of_tappet.frame_a;
    def.radii = radii;
    def.radius_count = CAM_RADII;
    def.follower = TN_CAM_FOLLOWER_FLAT;
    state->joint = tn_cam_joint_create(run->world, &def);
    scene_run_name_joint(run, state->joint, "contact");
    return state->joint.value != 0;
}

static void cam_after_step(scene_run *run, double dt) {
    (void)dt;
    cam_state *state = run->state;
    state->gap = fmax(state->gap, tn_cam_joint_get_gap(run->world, state->joint));
}

static void cam_measure(scene_run *run) {
    const cam_state *state = run->state;
    double speed = scene_run_get_value(run, "speed"), mass = scene_run_get_value(run, "mass");
    double stiffness = scene_run_get_value(run, "stiffness");
    double preload = scene_run_get_value(run, "preload");
    double cosine = portable_cos(BUILD_PI + speed * tn_world_get_time(run->world));
    double pressed = stiffness * (2.0 * CAM_OFF + preload) + mass * BUILD_GRAVITY;
    scene_run_add_figure(run, "lift_mm", 1000.0 * tn_cam_joint_get_lift(run->world, state->joint));
    scene_run_add_figure(run, "exact_mm", 1000.0 * CAM_OFF * (1.0 + cosine));
    scene_run_add_figure(run, "force_N", tn_joint_get_reaction(run->world, state->joint).force.y);
    scene_run_add_figure(run, "gap_max_mm", 1000.0 * state->gap);
    scene_run_add_figure(run, "jumps_at_rad_s", sqrt(pressed / (mass * CAM_OFF)));
}

const scene scene_cam = {
    .name = "cam",
    .summary = "an eccentric cam lifts a flat tappet against its spring",
    .time = 1.0,
    .options = cam_options,
    .option_count = 4,
    .build = cam_build,
    .after_step = cam_after_step,
    .measure = cam_measure,
};
