// scenes/newtons_cradle.c: balls in a row that hand on an impact: as many leave as came.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define CRADLE_RADIUS 0.1 // m
#define CRADLE_LENGTH 1.0 // m from the anchors' height to a ball's centre
#define CRADLE_WIDTH  0.6 // m between the two anchors of a ball

static const scene_option newtons_cradle_options[] = {
    {"count", 5, 2, 20, "balls"},
    {"lifted", 1, 1, 10, "balls lifted at the start"},
    {"angle", 30, 1, 80, "deg they are lifted"},
    {"gap", 0, 0, 0.05, "m between balls at rest"},
};

typedef struct cradle_state {
    double energy;     // J above rest, at the start
    double rest;       // J at rest
    double first_time; // s: when the last ball was first moving at half the impact's speed
    double first_speed, others_speed; // m/s just then: of the last ball; the largest other one
} cradle_state;

static void newtons_cradle_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
    def->restitution_threshold = 0.0f;
}

static void newtons_cradle_add(scene_run *run, double x, double angle, int index) {
    build_part part = build_part_at(x + CRADLE_LENGTH * portable_sin(angle),
                                    -CRADLE_LENGTH * portable_cos(angle), 0.0);
    part.mass = 1.0;
    part.material.friction = 0.0f;
    part.material.restitution = 1.0f;
    tn_body_id ball = build_sphere(run, &part, CRADLE_RADIUS);
    scene_run_name_body(run, ball, "ball%d", index + 1);
    for (int side = -1; side <= 1; side += 2) {
        tn_vec3 anchor = build_point(x, 0.0, 0.5 * side * CRADLE_WIDTH);
        build_rod(run, (tn_body_id){0}, ball, anchor, part.pose.position);
    }
}

static bool newtons_cradle_build(scene_run *run) {
    cradle_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    int count = (int)scene_run_get_value(run, "count");
    int lifted = (int)scene_run_get_value(run, "lifted");
    double angle = scene_run_get_value(run, "angle") * BUILD_PI / 180.0;
    double pitch = 2.0 * CRADLE_RADIUS + scene_run_get_value(run, "gap");
    for (int i = 0; i < count; i++) {
        newtons_cradle_add(run, pitch * i, i < lifted ? -angle : 0.0, i);
    }
    state->rest = -BUILD_GRAVITY * CRADLE_LENGTH * count;
    state->energy = figure_get_energy(run) - state->rest;
    return true;
}

static double newtons_cradle_get_speed(const scene_run *run, uint32_t index) {
    return tn_body_get_velocity(run->world, run->starts[index].body).linear.x;
}

static void newtons_cradle_after_step(scene_run *run, double dt) {
    (void)dt;
    cradle_state *state = run->state;
    uint32_t last = run->start_count - 1;
    double impact = 2.0 * sqrt(BUILD_GRAVITY * CRADLE_LENGTH) *
                    portable_sin(0.5 * scene_run_get_value(run, "angle") * BUILD_PI / 180.0);
    double speed = newtons_cradle_get_speed(run, last);
    if (state->first_time > 0.0 || speed < 0.5 * impact) {
        return;
    }
    state->first_time = tn_world_get_time(run->world);
    state->first_speed = speed;
    for (uint32_t i = 0; i < last; i++) {
        state->others_speed = fmax(state->others_speed, fabs(newtons_cradle_get_speed(run, i)));
    }
}

static void newtons_cradle_measure(scene_run *run) {
    const cradle_state *state = run->state;
    double energy = figure_get_energy(run) - state->rest;
    scene_run_add_figure(run, "impact_time_s", state->first_time);
    scene_run_add_figure(run, "last_ball_speed", state->first_speed);
    scene_run_add_figure(run, "other_balls_speed", state->others_speed);
    scene_run_add_figure(run, "energy_change_relative", energy / state->energy - 1.0);
}

const scene scene_newtons_cradle = {
    .name = "newtons_cradle",
    .summary = "balls in a row that hand on an impact",
    .time = 4.0,
    .options = newtons_cradle_options,
    .option_count = 4,
    .configure = newtons_cradle_configure,
    .build = newtons_cradle_build,
    .after_step = newtons_cradle_after_step,
    .measure = newtons_cradle_measure,
};
