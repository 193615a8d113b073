// scenes/catapult.c: an arm with a wound spring at its root throws a ball; a stop ends its swing.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define CATAPULT_PIVOT       1.0  // m above the ground
#define CATAPULT_ARM         2.2  // m from the pivot to the tip
#define CATAPULT_THICKNESS   0.1  // m
#define CATAPULT_START       3.4  // rad of the arm from x: behind, a little below the level
#define CATAPULT_BALL        0.12 // m, radius
#define CATAPULT_LOCK_TIME   0.5  // s: when the arm is let go
#define CATAPULT_FILTER_ARM  2    // category of the arm
#define CATAPULT_FILTER_BALL 4    // of the ball: it touches the arm and the ground

static const scene_option catapult_options[] = {
    {"stiffness", 1500, 0, 1e6, "N m/rad of the spring"},
    {"stop", 130, 60, 170, "deg of the arm where it stops; 90 is upright"},
    {"preload", 30, 0, 90, "deg the spring is still wound at the stop"},
    {"ball", 5, 0.1, 100, "kg"},
};

typedef struct catapult_state {
    tn_body_id ball;
    tn_joint_id pivot, lock;
    double stop;          // rad: the hinge's angle at the stop
    double spring_energy; // J that the spring gives on the way to the stop
    figure_flight flight;
} catapult_state;

// The arm lies along its local x; the ball rests between two lips on its upper side (-y of the arm,
// which points backward).
static tn_body_id catapult_add_arm(scene_run *run) {
    build_part part = build_part_turned(0.0, CATAPULT_PIVOT, CATAPULT_START);
    part.density = 700.0;
    part.material.friction = 0.4f;
    part.filter.category = CATAPULT_FILTER_ARM;
    part.filter.mask = CATAPULT_FILTER_BALL;
    tn_body_id arm = build_body(run, &part);
    double t = CATAPULT_THICKNESS;
    double lip = -0.5 * t - 0.5 * CATAPULT_BALL;
    build_add_box(run, arm, &part, build_point(0.5 * CATAPULT_ARM, 0.0, 0.0),
                  build_point(CATAPULT_ARM, t, t));
    build_add_box(run, arm, &part, build_point(CATAPULT_ARM - 0.02, lip, 0.0),
                  build_point(0.04, CATAPULT_BALL, 0.3));
    build_add_box(run, arm, &part, build_point(CATAPULT_ARM - 0.07 - 2.0 * CATAPULT_BALL, lip, 0.0),
                  build_point(0.04, CATAPULT_BALL, 0.3));
    for (int side = -1; side <= 1; side += 2) {
        build_add_box(
            run, arm, &part,
            build_point(CATAPULT_ARM - 0.05 - CATAPULT_BALL, lip, side * (CATAPULT_BALL + 0.03)),
            build_point(2.0 * CATAPULT_BALL, CATAPULT_BALL, 0.04));
    }
    return arm;
}

static tn_body_id catapult_add_ball(scene_run *run, tn_body_id arm) {
    double along = CATAPULT_ARM - 0.045 - CATAPULT_BALL;
    tn_vec3 local = {along, -0.5 * CATAPULT_THICKNESS - CATAPULT_BALL, 0.0};
    tn_vec3 place = tn_body_get_world_point(run->world, arm, local);
    build_part part = build_part_at(place.x, place.y, 0.0);
    part.mass = scene_run_get_value(run, "ball");
    part.material.friction = 0.4f;
    part.filter.category = CATAPULT_FILTER_BALL;
    return build_sphere(run, &part, CATAPULT_BALL);
}

// Turning the arm over to the front lowers the hinge's angle, which is zero at the start.
static void catapult_wind(scene_run *run, catapult_state *state) {
    double stiffness = scene_run_get_value(run, "stiffness");
    double preload = scene_run_get_value(run, "preload") * BUILD_PI / 180.0;
    state->stop = scene_run_get_value(run, "stop") * BUILD_PI / 180.0 - CATAPULT_START;
    double wound = preload - state->stop;
    state->spring_energy = 0.5 * stiffness * (wound * wound - preload * preload);

    tn_limit limit = {.is_enabled = true, .lower = (float)state->stop, .upper = 0.1f};
    tn_hinge_joint_set_limit(run->world, state->pivot, limit);
    tn_spring spring = tn_hinge_joint_def_default().spring;
    spring.mode = TN_SPRING_MODE_STIFFNESS;
    spring.stiffness = (float)stiffness;
    spring.rest = (float)-wound;
    tn_hinge_joint_set_spring(run->world, state->pivot, spring);
}

static void catapult_add_frame(scene_run *run) {
    for (int side = -1; side <= 1; side += 2) {
        build_part part = build_part_at(0.0, 0.5 * CATAPULT_PIVOT, 0.25 * side);
        part.type = TN_BODY_TYPE_STATIC;
        part.filter.mask = 0;
        build_box(run, &part, 0.3, CATAPULT_PIVOT, 0.1);
    }
}

static bool catapult_build(scene_run *run) {
    catapult_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    catapult_add_frame(run);
    tn_body_id world = {0};
    tn_body_id arm = catapult_add_arm(run);
    state->ball = catapult_add_ball(run, arm);
    tn_vec3 pivot = build_point(0.0, CATAPULT_PIVOT, 0.0);
    state->pivot = build_hinge(run, world, arm, pivot, build_axis_z());
    state->lock = build_fixed(run, world, arm, pivot);
    catapult_wind(run, state);
    scene_run_name_body(run, arm, "arm");
    scene_run_name_body(run, state->ball, "ball");
    scene_run_name_joint(run, state->pivot, "pivot");
    return true;
}

static void catapult_before_step(scene_run *run, double dt) {
    (void)dt;
    catapult_state *state = run->state;
    bool is_time = tn_world_get_time(run->world) >= CATAPULT_LOCK_TIME;
    if (is_time && tn_joint_is_valid(run->world, state->lock)) {
        tn_joint_destroy(run->world, state->lock);
    }
}

static void catapult_after_step(scene_run *run, double dt) {
    (void)dt;
    catapult_state *state = run->state;
    double angle = tn_hinge_joint_get_angle(run->world, state->pivot);
    if (!state->flight.is_released && angle <= state->stop + 0.02) {
        figure_flight_release(&state->flight, run, state->ball);
    }
    figure_flight_add(&state->flight, run, state->ball, CATAPULT_BALL + 0.05);
}

static void catapult_measure(scene_run *run) {
    const catapult_state *state = run->state;
    const figure_flight *flight = &state->flight;
    double speed = flight->release_speed;
    double energy = 0.5 * scene_run_get_value(run, "ball") * speed * speed;
    if (flight->has_landed) {
        scene_run_add_figure(run, "range_m", flight->landing_x);
    }
    figure_flight_measure(flight, run);
    scene_run_add_figure(run, "efficiency",
                         state->spring_energy > 0.0 ? energy / state->spring_energy : 0.0);
}

const scene scene_catapult = {
    .name = "catapult",
    .summary = "an arm with a wound spring throws a ball",
    .time = 5.0,
    .options = catapult_options,
    .option_count = 4,
    .build = catapult_build,
    .before_step = catapult_before_step,
    .after_step = catapult_after_step,
    .measure = catapult_measure,
    .picture = {.left = -3.0, .bottom = -0.3, .right = 2.6, .top = 4.0, .close_up_time = 0.9},
};
