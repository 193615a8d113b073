// scenes/door.c: a door on a hinge with stops, pushed open: the smallest machine.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define DOOR_WIDTH     0.9   // m
#define DOOR_HEIGHT    2.0   // m
#define DOOR_THICKNESS 0.04  // m
#define DOOR_DENSITY   600.0 // kg/m^3, of wood

static const scene_option door_options[] = {
    {"push", 20, -1000, 1000, "N s at the handle, at the start"},
    {"friction", 2, 0, 100, "N m in the hinge"},
};

typedef struct door_state {
    tn_joint_id hinge;
    double lower, upper; // rad: how far it has swung
} door_state;

static bool door_build(scene_run *run) {
    door_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_part part = build_part_at(0.5 * DOOR_WIDTH, 0.5 * DOOR_HEIGHT + 0.01, 0.0);
    part.density = DOOR_DENSITY;
    tn_body_id door = build_box(run, &part, DOOR_WIDTH, DOOR_HEIGHT, DOOR_THICKNESS);

    tn_vec3 edge = build_point(0.0, 0.5 * DOOR_HEIGHT + 0.01, 0.0);
    state->hinge = build_hinge(run, (tn_body_id){0}, door, edge, build_axis_y());
    tn_limit limit = {.is_enabled = true, .lower = 0.0f, .upper = 1.9f};
    tn_hinge_joint_set_limit(run->world, state->hinge, limit);
    tn_hinge_joint_set_friction(run->world, state->hinge,
                                (float)scene_run_get_value(run, "friction"));

    tn_vec3 push = build_point(0.0, 0.0, -scene_run_get_value(run, "push"));
    tn_body_apply_impulse_at(run->world, door, push, build_point(DOOR_WIDTH, 1.0, 0.0));
    build_ground(run, 0.0);
    scene_run_name_body(run, door, "door");
    scene_run_name_joint(run, state->hinge, "hinge");
    return true;
}

static void door_after_step(scene_run *run, double dt) {
    (void)dt;
    door_state *state = run->state;
    double angle = tn_hinge_joint_get_angle(run->world, state->hinge);
    state->lower = fmin(state->lower, angle);
    state->upper = fmax(state->upper, angle);
}

static void door_measure(scene_run *run) {
    const door_state *state = run->state;
    double degrees = 180.0 / BUILD_PI;
    double angle = tn_hinge_joint_get_angle(run->world, state->hinge);
    scene_run_add_figure(run, "angle_min_deg", state->lower * degrees);
    scene_run_add_figure(run, "angle_max_deg", state->upper * degrees);
    scene_run_add_figure(run, "angle_end_deg", angle * degrees);
}

const scene scene_door = {
    .name = "door",
    .summary = "a door on a hinge with stops and friction, pushed open",
    .time = 5.0,
    .options = door_options,
    .option_count = 2,
    .build = door_build,
    .after_step = door_after_step,
    .measure = door_measure,
    .picture = {.view = SCENE_VIEW_CORNER, .moments = 4},
};
