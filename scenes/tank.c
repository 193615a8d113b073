// scenes/tank.c: a tank on two tracks drives, climbs a step and turns on the spot.
//
// A track is three shapes whose surfaces move along the body: a box that lies on the ground, and a
// cylinder at each end, whose surface turns about its axle, so that it pulls itself up at an edge.
#include "scenes/build.h"
#include "scenes/registry.h"

#include <math.h>

#define TANK_HALF   1.2   // m: from the middle to the axles of the end cylinders
#define TANK_ASIDE  0.9   // m: from the middle of the tank to that of a track
#define TANK_WIDTH  0.4   // m of a track
#define TANK_RADIUS 0.35  // m
#define TANK_LIFT   0.005 // m: of a box over the cylinders, so that four lines bear the tank
#define TANK_EDGE   5.0   // m: where the step begins
#define TANK_SHAPES 3     // of a track

static const scene_option tank_options[] = {
    {"left", 1.5, -4, 4, "m/s of the left track"},
    {"right", 1.5, -4, 4, "m/s of the right track"},
    {"step", 0.25, 0, 1, "m: its height. 0: none"},
    {"turn_at", 7, 0, 1000, "s: from then on the left track runs backward"},
};

typedef struct tank_state {
    tn_body_id tank;
    tn_shape_id tracks[2][TANK_SHAPES]; // left, right
    double time, tilt_max;
} tank_state;

static void tank_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static void tank_add_track(scene_run *run, tank_state *state, int side) {
    double z = side == 0 ? -TANK_ASIDE : TANK_ASIDE;
    tn_shape_def def = tn_shape_def_default();
    def.density = 800.0f;
    def.material.friction = 1.0f;
    def.local_pose.position = build_point(0.0, 0.0, z);
    tn_vec3 half = build_point(TANK_HALF, TANK_RADIUS - TANK_LIFT, 0.5 * TANK_WIDTH);
    tn_shape_id *shapes = state->tracks[side];
    shapes[0] = tn_box_shape_create(run->world, state->tank, &def, half);
    build_turn(&def.local_pose, build_axis_x(), 0.5 * BUILD_PI);
    for (int i = 1; i < TANK_SHAPES; i++) {
        def.local_pose.position.x = i == 1 ? -TANK_HALF : TANK_HALF;
        shapes[i] = tn_cylinder_shape_create(run->world, state->tank, &def,
                                             (float)(0.5 * TANK_WIDTH), (float)TANK_RADIUS);
    }
    for (int i = 0; i < TANK_SHAPES; i++) {
        run->has_failed |= shapes[i].value == 0;
    }
}

static bool tank_build(scene_run *run) {
    tank_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    double step = scene_run_get_value(run, "step");
    if (step > 0.0) {
        build_part block = build_part_at(TANK_EDGE + 4.0, 0.5 * step, 0.0);
        block.type = TN_BODY_TYPE_STATIC;
        tn_body_id body = build_box(run, &block, 8.0, step, 8.0);
        scene_run_name_body(run, body, "step");
    }
    build_part part = build_part_at(0.0, TANK_RADIUS, 0.0);
    part.density = 600.0;
    state->tank = build_body(run, &part);
    scene_run_name_body(run, state->tank, "tank");
    build_add_box(run, state->tank, &part, build_point(0.0, 0.2, 0.0), build_point(2.8, 0.5, 1.3));
    build_add_box(run, state->tank, &part, build_point(0.0, 0.6, 0.0), build_point(1.2, 0.3, 1.0));
    part.density = 0.0; // the gun's weight is balanced in the turret
    build_add_bar(run, state->tank, &part, build_point(0.4, 0.62, 0.0), build_point(1.9, 0.7, 0.0),
                  0.12);
    tank_add_track(run, state, 0);
    tank_add_track(run, state, 1);
    return true;
}

// The lower side of a track runs backward; an end turns about its axle, the cylinder's y axis.
static void tank_set_track(scene_run *run, const tn_shape_id *shapes, double speed) {
    for (int i = 0; i < TANK_SHAPES; i++) {
        tn_surface_velocity surface = {.linear = {i == 0 ? -speed : 0.0, 0.0, 0.0},
                                       .angular = {0.0, i == 0 ? 0.0 : -speed / TANK_RADIUS, 0.0}};
        run->has_failed |=
            tn_shape_set_surface_velocity(run->world, shapes[i], surface) != TN_RESULT_OK;
    }
}

static void tank_before_step(scene_run *run, double dt) {
    (void)dt;
    const tank_state *state = run->state;
    bool turns = state->time >= scene_run_get_value(run, "turn_at");
    double left = scene_run_get_value(run, "left");
    tank_set_track(run, state->tracks[0], turns ? -left : left);
    tank_set_track(run, state->tracks[1], scene_run_get_value(run, "right"));
}

static void tank_after_step(scene_run *run, double dt) {
    tank_state *state = run->state;
    state->time += dt;
    tn_vec3 up = tn_body_get_world_vector(run->world, state->tank, build_axis_y());
    state->tilt_max = fmax(state->tilt_max, acos(fmin(1.0, up.y)));
}

static void tank_measure(scene_run *run) {
    const tank_state *state = run->state;
    tn_pose pose = tn_body_get_pose(run->world, state->tank);
    tn_velocity v = tn_body_get_velocity(run->world, state->tank);
    scene_run_add_figure(run, "driven_m", pose.position.x);
    scene_run_add_figure(run, "aside_m", pose.position.z);
    scene_run_add_figure(run, "rise_m", pose.position.y - TANK_RADIUS);
    scene_run_add_figure(run, "speed_m_s", hypot(v.linear.x, v.linear.z));
    scene_run_add_figure(run, "turn_rate_rad_s", v.angular.y);
    scene_run_add_figure(run, "tilt_max_rad", state->tilt_max);
}

const scene scene_tank = {
    .name = "tank",
    .summary = "a tank on tracks climbs a step and turns on the spot",
    .time = 11.0,
    .options = tank_options,
    .option_count = 4,
    .configure = tank_configure,
    .build = tank_build,
    .before_step = tank_before_step,
    .after_step = tank_after_step,
    .measure = tank_measure,
    .picture = {.moments = 5, .view = SCENE_VIEW_CORNER},
};
