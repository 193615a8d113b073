// scenes/belt_drive.c: a motor turns a countershaft by a belt, and that a flywheel by a chain.
//
// The motor is up to its speed at once. The belt slips with F = 2 T0 (q - 1) / (q + 1), q =
// exp(mu wrap), until the countershaft has caught up; and so long that turns at a constant rate.
// The chain never slips: its wheels are in phase after any number of turns.
#include "scenes/build.h"
#include "scenes/registry.h"

#include <math.h>

#define DRIVE_MOTOR     0.06 // m, radii: of the motor's pulley
#define DRIVE_PULLEY    0.2  // and of the countershaft's
#define DRIVE_FIRST     19   // teeth of the chain's wheels
#define DRIVE_SECOND    38
#define DRIVE_PITCH     0.0254 // m, of the chain
#define DRIVE_THICKNESS 0.05   // m

static const scene_option belt_drive_options[] = {
    {"speed", 60, -1000, 1000, "rad/s of the motor"},
    {"pretension", 120, 0, 1e6, "N of each strand of the belt"},
    {"friction", 0.35, 0, 2, "mu, of belt and pulleys"},
    {"flywheel", 1000, 1, 20000, "kg/m^3, its density"},
};

typedef struct belt_drive_state {
    tn_body_id motor, shaft, wheel;
    tn_joint_id belt, chain;
} belt_drive_state;

static double belt_drive_get_radius(int teeth) {
    return 0.5 * teeth * DRIVE_PITCH / BUILD_PI;
}

// On a hinge of the world; a bar beyond its rim shows how it turns.
static tn_body_id belt_drive_add_wheel(scene_run *run, tn_vec3 center, double radius,
                                       double density, const char *name) {
    tn_body_id world = {0};
    build_part part = build_part_at(center.x, center.y, center.z);
    part.density = density;
    part.filter.mask = 0;
    tn_body_id body = build_disc(run, &part, radius, DRIVE_THICKNESS);
    build_add_bar(run, body, &part, build_point(0.0, 0.0, DRIVE_THICKNESS),
                  build_point(1.15 * radius, 0.0, DRIVE_THICKNESS), 0.1 * radius);
    tn_joint_id hinge = build_hinge(run, world, body, center, (tn_vec3){0.0, 0.0, 1.0});
    if (radius == DRIVE_MOTOR) {
        build_hinge_speed(run, hinge, scene_run_get_value(run, "speed"), 1e4);
    }
    scene_run_name_body(run, body, "%s", name);
    return body;
}

static tn_joint_id belt_drive_add(scene_run *run, const tn_belt_joint_def *numbers, tn_body_id a,
                                  tn_body_id b) {
    tn_body_id world = {0};
    tn_vec3 axis = {0.0, 0.0, 1.0};
    tn_joint_def of_a = tn_joint_def_default(), of_b = of_a;
    tn_belt_joint_def def = *numbers;
    run->has_failed |= !tn_joint_def_set_frames(run->world, &of_a, a, world,
                                                tn_body_get_pose(run->world, a).position, axis);
    run->has_failed |= !tn_joint_def_set_frames(run->world, &of_b, b, world,
                                                tn_body_get_pose(run->world, b).position, axis);
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a = of_a.frame_a;
    def.base.frame_b = of_b.frame_a;
    tn_joint_id joint = tn_belt_joint_create(run->world, &def);
    run->has_failed |= joint.value == 0;
    return joint;
}

static bool belt_drive_build(scene_run *run) {
    belt_drive_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    double density = scene_run_get_value(run, "flywheel");
    state->motor =
        belt_drive_add_wheel(run, build_point(-0.6, 0.0, 0.0), DRIVE_MOTOR, 7800.0, "motor");
    state->shaft =
        belt_drive_add_wheel(run, build_point(0.0, 0.0, 0.0), DRIVE_PULLEY, 1000.0, "countershaft");
    state->wheel = belt_drive_add_wheel(run, build_point(0.8, 0.3, 0.0), 0.35, density, "flywheel");
    tn_belt_joint_def def = tn_belt_joint_def_default();
    def.radius_a = DRIVE_MOTOR;
    def.radius_b = DRIVE_PULLEY;
    def.friction = (float)scene_run_get_value(run, "friction");
    def.pretension = (float)scene_run_get_value(run, "pretension");
    state->belt = belt_drive_add(run, &def, state->motor, state->shaft);
    def = tn_belt_joint_def_default();
    def.radius_a = belt_drive_get_radius(DRIVE_FIRST);
    def.radius_b = belt_drive_get_radius(DRIVE_SECOND);
    def.teeth_a = DRIVE_FIRST;
    def.teeth_b = DRIVE_SECOND;
    state->chain = belt_drive_add(run, &def, state->shaft, state->wheel);
    scene_run_name_joint(run, state->belt, "belt");
    scene_run_name_joint(run, state->chain, "chain");
    return true;
}

static void belt_drive_measure(scene_run *run) {
    const belt_drive_state *state = run->state;
    const tn_world *world = run->world;
    scene_run_add_figure(run, "motor_rad", tn_belt_joint_get_angle_a(world, state->belt));
    scene_run_add_figure(run, "flywheel_rad", tn_belt_joint_get_angle_b(world, state->chain));
    scene_run_add_figure(run, "slip_m", tn_belt_joint_get_slip(world, state->belt));
    scene_run_add_figure(run, "belt_N", (double)tn_belt_joint_get_force(world, state->belt));
    scene_run_add_figure(run, "slips_at_N", tn_belt_joint_get_slip_force(world, state->belt));
    scene_run_add_figure(run, "chain_off_m", fabs(tn_belt_joint_get_slip(world, state->chain)));
}

const scene scene_belt_drive = {
    .name = "belt_drive",
    .summary = "a motor, a belt that slips at the start, and a chain to a flywheel",
    .time = 2.0,
    .options = belt_drive_options,
    .option_count = 4,
    .build = belt_drive_build,
    .measure = belt_drive_measure,
};
