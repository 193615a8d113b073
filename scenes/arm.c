// scenes/arm.c: a limp arm falls and swings about within the limits of its shoulder.
//
// The shoulder is a swing-twist joint: the arm points sideways (along z), reaches farther up and
// down (a swing about the world's x axis) than forward and back, and turns little about itself. The
// elbow bends one way.
#include "scenes/build.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define ARM_HEIGHT  1.5  // m of the shoulder
#define ARM_UPPER   0.32 // m
#define ARM_FOREARM 0.30 // m
#define ARM_RAISED  1.2  // rad above the level at the start

static const scene_option arm_options[] = {
    {"up", 1.3, 0, 3, "rad: half angle of the cone up and down"},
    {"forward", 0.7, 0, 3, "rad: half angle of the cone forward and back"},
    {"push", 6, -50, 50, "rad/s: swing forward at the start"},
};

typedef struct arm_state {
    tn_joint_id shoulder;
    double largest;    // of (y / forward)^2 + (z / up)^2
    double excess_max; // rad outside the limits
} arm_state;

static void arm_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

// The middle of the cone is level, with its y axis up and its z axis backward; the arm was made
// raised, straight from there, its own x axis turned to where it points by a quarter.
static tn_joint_id arm_add_shoulder(scene_run *run, tn_body_id trunk, tn_body_id upper,
                                    tn_vec3 at) {
    tn_swing_twist_joint_def def = tn_swing_twist_joint_def_default();
    if (!tn_joint_def_set_frames(run->world, &def.base, trunk, upper, at, build_axis_z())) {
        run->has_failed = true;
    }
    tn_pose level = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    build_turn(&level, build_axis_y(), -0.5 * BUILD_PI);
    tn_pose raised = level;
    build_turn(&raised, build_axis_x(), -ARM_RAISED);
    tn_vec3 quarter = {0.0, -portable_cos(ARM_RAISED), portable_sin(ARM_RAISED)};
    build_turn(&raised, quarter, -0.5 * BUILD_PI);
    def.base.frame_a.rotation = level.rotation;
    def.base.frame_b.rotation = raised.rotation;
    float forward = (float)scene_run_get_value(run, "forward");
    float up = (float)scene_run_get_value(run, "up");
    def.swing_limit_y = (tn_limit){.is_enabled = true, .lower = -forward, .upper = forward};
    def.swing_limit_z = (tn_limit){.is_enabled = true, .lower = -up, .upper = up};
    def.twist_limit = (tn_limit){.is_enabled = true, .lower = -0.8f, .upper = 0.8f};
    def.friction = 0.2f;
    tn_joint_id joint = tn_swing_twist_joint_create(run->world, &def);
    run->has_failed |= joint.value == 0;
    return joint;
}

static tn_body_id arm_add_bone(scene_run *run, tn_vec3 from, tn_vec3 to, double mass,
                               double radius) {
    build_part part = build_part_between(from, to);
    part.mass = mass;
    part.filter.group = -1;
    return build_capsule(run, &part, build_distance(from, to), radius);
}

static bool arm_build(scene_run *run) {
    arm_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_part post = build_part_at(0.0, ARM_HEIGHT - 0.3, -0.12);
    post.type = TN_BODY_TYPE_STATIC;
    post.filter.group = -1;
    tn_body_id trunk = build_box(run, &post, 0.2, 0.7, 0.2);
    tn_vec3 shoulder = build_point(0.0, ARM_HEIGHT, 0.0);
    double rise = portable_sin(ARM_RAISED), reach = portable_cos(ARM_RAISED);
    tn_vec3 elbow = build_point(0.0, ARM_HEIGHT + ARM_UPPER * rise, ARM_UPPER * reach);
    tn_vec3 hand = build_point(0.0, ARM_HEIGHT + (ARM_UPPER + ARM_FOREARM) * rise,
                               (ARM_UPPER + ARM_FOREARM) * reach);
    tn_body_id upper = arm_add_bone(run, shoulder, elbow, 2.2, 0.05);
    tn_body_id forearm = arm_add_bone(run, elbow, hand, 1.6, 0.04);
    state->shoulder = arm_add_shoulder(run, trunk, upper, shoulder);
    tn_joint_id bend = build_hinge(run, upper, forearm, elbow, build_axis_x());
    tn_hinge_joint_set_limit(run->world, bend,
                             (tn_limit){.is_enabled = true, .lower = -2.2f, .upper = 0.0f});
    tn_vec3 push = build_point(0.0, scene_run_get_value(run, "push"), 0.0);
    tn_body_set_angular_velocity(run->world, upper, push);
    tn_body_set_angular_velocity(run->world, forearm, push);
    scene_run_name_body(run, upper, "upper_arm");
    scene_run_name_body(run, forearm, "forearm");
    scene_run_name_joint(run, state->shoulder, "shoulder");
    scene_run_name_joint(run, bend, "elbow");
    return true;
}

static void arm_after_step(scene_run *run, double dt) {
    (void)dt;
    arm_state *state = run->state;
    double forward = scene_run_get_value(run, "forward"), up = scene_run_get_value(run, "up");
    tn_swing swing = tn_swing_twist_joint_get_swing(run->world, state->shoulder);
    double y = forward > 0.0 ? swing.y / forward : 0.0, z = up > 0.0 ? swing.z / up : 0.0;
    state->largest = fmax(state->largest, y * y + z * z);
    tn_joint_error error = tn_joint_get_error(run->world, state->shoulder);
    state->excess_max = fmax(state->excess_max, error.angular_length);
}

static void arm_measure(scene_run *run) {
    const arm_state *state = run->state;
    tn_swing swing = tn_swing_twist_joint_get_swing(run->world, state->shoulder);
    scene_run_add_figure(run, "swing_forward_rad", swing.y);
    scene_run_add_figure(run, "swing_up_rad", swing.z);
    scene_run_add_figure(run, "twist_rad",
                         tn_swing_twist_joint_get_twist(run->world, state->shoulder));
    scene_run_add_figure(run, "cone_filled_max", state->largest);
    scene_run_add_figure(run, "past_limits_max_rad", state->excess_max);
}

const scene scene_arm = {
    .name = "arm",
    .summary = "a limp arm swings within the limits of its shoulder",
    .time = 4.0,
    .options = arm_options,
    .option_count = 3,
    .configure = arm_configure,
    .build = arm_build,
    .after_step = arm_after_step,
    .measure = arm_measure,
};
