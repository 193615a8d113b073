// scenes/screw_press.c: a bar with two heavy balls turns a screw that drives a plate onto a spring.
//
// A push of the bar gives it the speed w. Without friction what it has, I w^2 / 2, goes into the
// spring and comes back: the plate goes down by sqrt(I / k) w, but for the way of its own mass.
#include "scenes/build.h"
#include "scenes/registry.h"

#include <math.h>

#define PRESS_HEIGHT 1.2 // m, of the nut
#define PRESS_ARM    0.5 // m
#define PRESS_BALL   0.1 // m, radius

static const scene_option press_options[] = {
    {"lead", 0.2, 0.001, 1, "m of the screw for each turn"},
    {"speed", 10, 0, 100, "rad/s of the bar, at the start"},
    {"stiffness", 40000, 1, 1e7, "N/m of what is pressed"},
};

typedef struct press_state {
    tn_body_id screw, plate;
    tn_joint_id joint;
    double start, lowest; // m
} press_state;

static tn_body_id press_add_screw(scene_run *run) {
    build_part part = build_part_at(0.0, PRESS_HEIGHT, 0.0);
    part.filter.mask = 0;
    tn_body_id body = build_body(run, &part);
    build_add_bar(run, body, &part, build_point(0.0, -0.6, 0.0), build_point(0.0, 0.4, 0.0), 0.06);
    build_add_bar(run, body, &part, build_point(-PRESS_ARM, 0.4, 0.0),
                  build_point(PRESS_ARM, 0.4, 0.0), 0.04);
    part.density = 7800.0;
    for (int i = -1; i <= 1; i += 2) {
        build_add_sphere(run, body, &part, build_point(i * PRESS_ARM, 0.4, 0.0), PRESS_BALL);
    }
    scene_run_name_body(run, body, "screw");
    return body;
}

static void press_add_frame(scene_run *run) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    part.filter.mask = 0;
    tn_body_id body = build_body(run, &part);
    build_add_box(run, body, &part, build_point(0.0, 0.0, 0.0), build_point(1.0, 0.1, 0.4));
    build_add_box(run, body, &part, build_point(0.0, PRESS_HEIGHT, 0.0),
                  build_point(1.0, 0.1, 0.1));
    for (int i = -1; i <= 1; i += 2) {
        build_add_box(run, body, &part, build_point(0.45 * i, 0.5 * PRESS_HEIGHT, 0.0),
                      build_point(0.1, PRESS_HEIGHT, 0.1));
    }
    scene_run_name_body(run, body, "frame");
}

// A flat plate under the screw, on a hinge along it, held up by a spring from the ground.
static void press_add_plate(scene_run *run, press_state *state) {
    build_part part = build_part_at(0.0, PRESS_HEIGHT - 0.63, 0.0);
    part.filter.mask = 0;
    state->plate = build_box(run, &part, 0.6, 0.06, 0.3);
    tn_body_id world = {0};
    tn_joint_id guide = build_slider(run, world, state->plate, part.pose.position, build_axis_y());
    build_hinge(run, state->plate, state->screw, build_point(0.0, PRESS_HEIGHT - 0.6, 0.0),
                build_axis_y());
    tn_spring spring = {.mode = TN_SPRING_MODE_STIFFNESS,
                        .stiffness = (float)scene_run_get_value(run, "stiffness")};
    tn_slider_joint_set_spring(run->world, guide, spring);
    scene_run_name_body(run, state->plate, "plate");
}

static bool press_build(scene_run *run) {
    press_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_body_id world = {0};
    double speed = scene_run_get_value(run, "speed"), lead = scene_run_get_value(run, "lead");
    press_add_frame(run);
    state->screw = press_add_screw(run);
    tn_screw_joint_def def = tn_screw_joint_def_default();
    run->has_failed |=
        !tn_joint_def_set_frames(run->world, &def.base, world, state->screw,
                                 build_point(0.0, PRESS_HEIGHT, 0.0), build_axis_y());
    def.lead = lead;
    state->joint = tn_screw_joint_create(run->world, &def);
    press_add_plate(run, state);
    double down = -lead / (2.0 * BUILD_PI) * speed;
    tn_body_set_velocity(run->world, state->screw,
                         (tn_velocity){{0.0, down, 0.0}, {0.0, -speed, 0.0}});
    tn_body_set_linear_velocity(run->world, state->plate, build_point(0.0, down, 0.0));
    state->start = state->lowest = tn_body_get_center(run->world, state->plate).y;
    return state->joint.value != 0;
}

static void press_after_step(scene_run *run, double dt) {
    (void)dt;
    press_state *state = run->state;
    state->lowest = fmin(state->lowest, tn_body_get_center(run->world, state->plate).y);
}

// The energy at the start and the weights' on the way go into the spring: with s down and E the
// first, k s^2 / 2 = E + m g s.
static void press_measure(scene_run *run) {
    const press_state *state = run->state;
    double speed = scene_run_get_value(run, "speed");
    double down = scene_run_get_value(run, "lead") / (2.0 * BUILD_PI) * speed;
    double k = scene_run_get_value(run, "stiffness");
    tn_mass screw = tn_body_get_mass(run->world, state->screw);
    double mass = screw.mass + tn_body_get_mass(run->world, state->plate).mass;
    double energy = 0.5 * screw.inertia.yy * speed * speed + 0.5 * mass * down * down;
    double weight = mass * BUILD_GRAVITY;
    scene_run_add_figure(run, "pressed_mm", 1000.0 * (state->start - state->lowest));
    scene_run_add_figure(run, "exact_mm",
                         1000.0 * (weight + sqrt(weight * weight + 2.0 * k * energy)) / k);
    scene_run_add_figure(run, "screw_turns",
                         tn_screw_joint_get_angle(run->world, state->joint) / (2.0 * BUILD_PI));
}

const scene scene_screw_press = {
    .name = "screw_press",
    .summary = "a bar with two balls turns a screw that presses a plate onto a spring",
    .time = 2.0,
    .options = press_options,
    .option_count = 3,
    .build = press_build,
    .after_step = press_after_step,
    .measure = press_measure,
};
