// scenes/trebuchet.c: a trebuchet: a heavy counterweight on the short arm of a beam swings a ball
// in a sling at the long arm's tip.
//
// The ball first slides in a trough under the machine, is lifted off, swings around the tip and is
// let go when the angle between the long arm and the sling has fallen to `release` (real machines
// set it by the bend of the finger that the sling's ring slips off). The sling is a rope: it pulls
// only. The joints are what the machine is made of: a hinge for the beam, one for the
// counterweight.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"
#include "scenes/release.h"
#include "scenes/sketch.h"

#include <math.h>

#define TREBUCHET_PIVOT       6.0 // m above the ground
#define TREBUCHET_TIP         0.6 // m: height of the long arm's tip at the start
#define TREBUCHET_TROUGH      0.1 // m: height of the trough's floor
#define TREBUCHET_BEAM        0.3 // m, thickness
#define TREBUCHET_HANGER      2.0 // m from the short arm's tip to the middle of the counterweight
#define TREBUCHET_EARTH       2000.0 // kg/m^3, of the counterweight
#define TREBUCHET_STONE       2400.0 // kg/m^3, of the ball
#define TREBUCHET_FILTER_BEAM 2      // category of beam and weight, which touch nothing
#define TREBUCHET_FILTER_BALL 4      // of the ball, which touches trough and ground

static const scene_option trebuchet_options[] = {
    {"weight", 4000, 1, 1e6, "kg of the counterweight"},
    {"ball", 10, 0.1, 10000, "kg"},
    {"sling", 6, 1, 20, "m"},
    {"beam", 200, 1, 10000, "kg of the beam"},
    {"length", 12, 6, 20, "m of the beam"},
    {"short_arm", 3, 0.5, 5, "m from the counterweight's hinge to the pivot"},
    {"release", 42, -60, 120, "deg between long arm and sling at the release"},
    {"trough", 1, 0, 1, "1: the ball starts in a trough; 0: it hangs free"},
    {"hinged", 1, 0, 1, "1: the counterweight hangs from a hinge; 0: fixed to the beam's tip"},
    {"friction", 0.1, 0, 2, "of the ball in the trough"},
};

typedef struct trebuchet_state {
    tn_body_id beam, weight, ball;
    tn_joint_id sling;
    double long_arm;               // m
    double ball_radius;            // m
    double energy, release_energy; // J: at the start, and at the release
    double weight_height;          // m: of the counterweight's middle at the start
    double weight_drop;            // m: how far it had sunk at the release
    double speed_max;              // m/s, of the ball in the sling
    double lift_time;              // s: when it left the trough
    figure_flight flight;
} trebuchet_state;

// Where the beam is at the start: its angle from x and the places of its tips.
typedef struct trebuchet_pose {
    double angle;
    tn_vec3 pivot, short_tip, long_tip;
} trebuchet_pose;

static trebuchet_pose trebuchet_get_pose(const scene_run *run) {
    double short_arm = scene_run_get_value(run, "short_arm");
    double long_arm = scene_run_get_value(run, "length") - short_arm;
    double sine = fmin(0.95, (TREBUCHET_PIVOT - TREBUCHET_TIP) / long_arm);
    double cosine = sqrt(1.0 - sine * sine);
    trebuchet_pose pose;
    pose.angle = portable_asin(sine);
    pose.pivot = build_point(0.0, TREBUCHET_PIVOT, 0.0);
    pose.short_tip = build_point(short_arm * cosine, TREBUCHET_PIVOT + short_arm * sine, 0.0);
    pose.long_tip = build_point(-long_arm * cosine, TREBUCHET_PIVOT - long_arm * sine, 0.0);
    return pose;
}

static void trebuchet_add_beam(scene_run *run, trebuchet_state *state, const trebuchet_pose *pose) {
    build_part part = build_part_between(pose->long_tip, pose->short_tip);
    part.mass = scene_run_get_value(run, "beam");
    part.filter.category = TREBUCHET_FILTER_BEAM;
    part.filter.mask = 0;
    state->beam =
        build_box(run, &part, scene_run_get_value(run, "length"), TREBUCHET_BEAM, TREBUCHET_BEAM);
    tn_joint_id pivot = build_hinge(run, (tn_body_id){0}, state->beam, pose->pivot, build_axis_z());
    scene_run_name_body(run, state->beam, "beam");
    scene_run_name_joint(run, pivot, "pivot");
}

static void trebuchet_add_weight(scene_run *run, trebuchet_state *state,
                                 const trebuchet_pose *pose) {
    bool is_hinged = scene_run_get_value(run, "hinged") >= 0.5;
    double mass = scene_run_get_value(run, "weight");
    double size = portable_cbrt(mass / TREBUCHET_EARTH);
    tn_vec3 tip = pose->short_tip;
    build_part part = build_part_at(tip.x, tip.y - (is_hinged ? TREBUCHET_HANGER : 0.0), 0.0);
    part.mass = mass;
    part.filter.category = TREBUCHET_FILTER_BEAM;
    part.filter.mask = 0;
    state->weight = build_box(run, &part, size, size, size);
    tn_joint_id joint = is_hinged
                            ? build_hinge(run, state->beam, state->weight, tip, build_axis_z())
                            : build_fixed(run, state->beam, state->weight, tip);
    state->weight_height = part.pose.position.y;
    scene_run_name_body(run, state->weight, "counterweight");
    scene_run_name_joint(run, joint, "counterweight_hinge");
}

// A floor and two rails. The ball slides from under the pivot to under the tip.
static void trebuchet_add_trough(scene_run *run, const trebuchet_state *state) {
    double middle = -6.0;
    double length = 16.0;
    build_part part = build_part_at(middle, 0.0, 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    part.material.friction = (float)scene_run_get_value(run, "friction");
    tn_body_id trough = build_body(run, &part);
    double rail = state->ball_radius + 0.04;
    build_add_box(run, trough, &part, build_point(0.0, 0.5 * TREBUCHET_TROUGH, 0.0),
                  build_point(length, TREBUCHET_TROUGH, 2.0 * rail + 0.1));
    for (int side = -1; side <= 1; side += 2) {
        build_add_box(run, trough, &part, build_point(0.0, TREBUCHET_TROUGH + 0.05, side * rail),
                      build_point(length, 0.1, 0.06));
    }
    scene_run_name_body(run, trough, "trough");
}

static void trebuchet_add_ball(scene_run *run, trebuchet_state *state, const trebuchet_pose *pose) {
    double mass = scene_run_get_value(run, "ball");
    double sling = scene_run_get_value(run, "sling");
    state->ball_radius = portable_cbrt(mass / TREBUCHET_STONE * 0.75 / BUILD_PI);
    tn_vec3 tip = pose->long_tip;
    double height = TREBUCHET_TROUGH + state->ball_radius;
    double drop = tip.y - height;
    double reach = sqrt(fmax(0.0, sling * sling - drop * drop));
    build_part part = build_part_at(tip.x + reach, height, 0.0);
    part.mass = mass;
    part.material.friction = (float)scene_run_get_value(run, "friction");
    part.filter.category = TREBUCHET_FILTER_BALL;
    state->ball = build_sphere(run, &part, state->ball_radius);
    state->sling = build_rope(run, state->beam, state->ball, tip, part.pose.position, sling);
    scene_run_name_body(run, state->ball, "ball");
    scene_run_name_joint(run, state->sling, "sling");
}

static bool trebuchet_build(scene_run *run) {
    trebuchet_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    trebuchet_pose pose = trebuchet_get_pose(run);
    state->long_arm = build_distance(pose.pivot, pose.long_tip);
    trebuchet_add_beam(run, state, &pose);
    trebuchet_add_weight(run, state, &pose);
    trebuchet_add_ball(run, state, &pose);
    if (scene_run_get_value(run, "trough") >= 0.5) {
        build_ground(run, 0.0);
        trebuchet_add_trough(run, state);
    }
    state->energy = figure_get_energy(run);
    return true;
}

// A direction in the plane, and how fast it changes.
typedef struct trebuchet_line {
    double x, y, dx, dy;
} trebuchet_line;

static double trebuchet_get_turning(trebuchet_line line) {
    return (line.x * line.dy - line.y * line.dx) / (line.x * line.x + line.y * line.y);
}

// The angle between the long arm and the sling, positive while the ball trails behind the arm; and
// its rate.
static double trebuchet_get_angle(const scene_run *run, const trebuchet_state *state,
                                  double *out_rate) {
    double half = 0.5 * scene_run_get_value(run, "length");
    tn_vec3 tip = tn_body_get_world_point(run->world, state->beam, (tn_vec3){-half, 0.0, 0.0});
    tn_vec3 ball = tn_body_get_center(run->world, state->ball);
    tn_vec3 of_tip = tn_body_get_point_velocity(run->world, state->beam, tip);
    tn_vec3 of_ball = tn_body_get_velocity(run->world, state->ball).linear;
    trebuchet_line arm = {tip.x, tip.y - TREBUCHET_PIVOT, of_tip.x, of_tip.y};
    trebuchet_line sling = {ball.x - tip.x, ball.y - tip.y, of_ball.x - of_tip.x,
                            of_ball.y - of_tip.y};
    *out_rate = trebuchet_get_turning(sling) - trebuchet_get_turning(arm);
    return portable_atan2(arm.x * sling.y - arm.y * sling.x, arm.x * sling.x + arm.y * sling.y);
}

static void trebuchet_release(scene_run *run, trebuchet_state *state) {
    state->release_energy = figure_get_energy(run);
    state->weight_drop = state->weight_height - tn_body_get_center(run->world, state->weight).y;
    tn_joint_destroy(run->world, state->sling);
    figure_flight_release(&state->flight, run, state->ball);
    state->speed_max = fmax(state->speed_max, state->flight.release_speed);
}

// Lets go when the angle has fallen to the release's, within the step.
static double trebuchet_cut_step(scene_run *run, double left, double dt) {
    trebuchet_state *state = run->state;
    if (state->flight.is_released || state->lift_time == 0.0) {
        return left;
    }
    double rate, angle = trebuchet_get_angle(run, state, &rate);
    if (rate >= 0.0 || angle >= 0.75 * BUILD_PI) {
        return left;
    }
    double above = angle - scene_run_get_value(run, "release") * BUILD_PI / 180.0;
    double until = fmax(-above / rate, 0.0);
    if (until >= RELEASE_SMALLEST * dt) {
        return release_get_cut(until, left, dt);
    }
    trebuchet_release(run, state);
    return left;
}

static void trebuchet_after_step(scene_run *run, double dt) {
    (void)dt;
    trebuchet_state *state = run->state;
    tn_vec3 ball = tn_body_get_center(run->world, state->ball);
    double lifted = TREBUCHET_TROUGH + state->ball_radius + 0.05;
    if (state->lift_time == 0.0 && ball.y > lifted) {
        state->lift_time = tn_world_get_time(run->world);
    }
    if (!state->flight.is_released) {
        tn_velocity velocity = tn_body_get_velocity(run->world, state->ball);
        state->speed_max = fmax(state->speed_max, build_length(velocity.linear));
    }
    figure_flight_add(&state->flight, run, state->ball, state->ball_radius + 0.05);
}

static void trebuchet_measure(scene_run *run) {
    const trebuchet_state *state = run->state;
    const figure_flight *flight = &state->flight;
    double speed = flight->release_speed;
    double kinetic = 0.5 * scene_run_get_value(run, "ball") * speed * speed;
    double given = scene_run_get_value(run, "weight") * BUILD_GRAVITY * state->weight_drop;
    if (flight->has_landed) {
        scene_run_add_figure(run, "range_m", flight->landing_x);
    }
    figure_flight_measure(flight, run);
    scene_run_add_figure(run, "speed_max", state->speed_max);
    scene_run_add_figure(run, "lift_time_s", state->lift_time);
    if (flight->is_released) {
        scene_run_add_figure(run, "efficiency", given > 0.0 ? kinetic / given : 0.0);
        scene_run_add_figure(run, "energy_lost_relative",
                             given > 0.0 ? (state->energy - state->release_energy) / given : 0.0);
    }
}

// The trestle.
static void trebuchet_sketch(const scene_run *run, const scene_sketch *sketch) {
    (void)run;
    for (int side = -1; side <= 1; side += 2) {
        sketch_line(sketch, SCENE_PEN_FRAME, build_point(side * 2.2, 0.0, 0.0),
                    build_point(0.0, TREBUCHET_PIVOT, 0.0));
    }
}

const scene scene_trebuchet = {
    .name = "trebuchet",
    .summary = "a trebuchet with a hinged counterweight, a rope sling and a trough",
    .time = 15.0,
    .options = trebuchet_options,
    .option_count = 10,
    .build = trebuchet_build,
    .cut_step = trebuchet_cut_step,
    .after_step = trebuchet_after_step,
    .measure = trebuchet_measure,
    .picture = {.left = -15.5,
                .bottom = -1.5,
                .right = 15.5,
                .top = 22.5,
                .close_up_time = 1.2,
                .sketch = trebuchet_sketch},
};
