// scenes/cardan.c: a shaft with one Cardan joint, or two in a Z, driven by a motor.
//
// Bent by beta, one joint turns the next shaft by tan(out) = tan(in) / cos(beta), with speeds
// between cos(beta) and 1 / cos(beta) of the first. The second joint, whose fork on the middle
// shaft is in one plane with the first one's, undoes it. The first shaft stands upright. Source: R.
// Hooke, "A description of helioscopes", 1676; any text on mechanisms since.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define CARDAN_LENGTH   0.6    // m, of each shaft
#define CARDAN_DIAMETER 0.05   // m
#define CARDAN_FORK     0.16   // m, across a joint
#define CARDAN_INSET    0.04   // m: of the shaft itself, at both ends
#define CARDAN_WHEEL    0.3    // m, of the spokes at the far end
#define CARDAN_DENSITY  7800.0 // kg/m^3, of steel
#define CARDAN_UPRIGHT  (0.5 * BUILD_PI)
#define CARDAN_SETTLING 0.1 // s: before the speeds count

static const scene_option cardan_options[] = {
    {"joints", 2, 1, 2, "joints: one, or two in a Z"},
    {"bend", 30, 0, 60, "degrees at each"},
    {"speed", 12, -1000, 1000, "rad/s of the motor"},
};

typedef struct cardan_state {
    tn_joint_id motor, last; // the bearings at both ends
    double bend;             // rad
    bool is_single;
    double slowest, fastest; // of the last shaft over the first
    double error;            // rad: the worst, against Hooke's formula
} cardan_state;

static void cardan_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static tn_vec3 cardan_go(tn_vec3 from, double angle, double way) {
    return build_point(from.x + way * portable_cos(angle), from.y + way * portable_sin(angle), 0.0);
}

// From a point along an angle; forks and wheels are added to it.
static tn_body_id cardan_add_shaft(scene_run *run, tn_vec3 from, double angle, double length) {
    build_part part = build_part_between(from, cardan_go(from, angle, length));
    part.density = CARDAN_DENSITY;
    part.filter.mask = 0;
    tn_body_id body = build_body(run, &part);
    build_add_box(run, body, &part, build_point(0.0, 0.0, 0.0),
                  build_point(length - 2.0 * CARDAN_INSET, CARDAN_DIAMETER, CARDAN_DIAMETER));
    return body;
}

// Two prongs along x of the shaft, whose arm lies along y or z.
static void cardan_add_fork(scene_run *run, tn_body_id body, double x, bool along_y) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.density = CARDAN_DENSITY;
    part.filter.mask = 0;
    double side = x < 0.0 ? 1.0 : -1.0;
    for (int k = -1; k <= 1; k += 2) {
        double off = 0.5 * CARDAN_FORK * k;
        build_add_box(run, body, &part,
                      build_point(x + side * 0.03, along_y ? off : 0.0, along_y ? 0.0 : off),
                      build_point(0.1, 0.03, 0.03));
    }
    build_add_box(run, body, &part, build_point(x + side * 0.08, 0.0, 0.0),
                  build_point(0.03, along_y ? CARDAN_FORK : 0.03, along_y ? 0.03 : CARDAN_FORK));
}

static void cardan_add_spokes(scene_run *run, tn_body_id body, double x) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.density = CARDAN_DENSITY;
    part.filter.mask = 0;
    build_add_box(run, body, &part, build_point(x, 0.0, 0.0),
                  build_point(0.03, CARDAN_WHEEL, 0.04));
    build_add_box(run, body, &part, build_point(x, 0.0, 0.0),
                  build_point(0.03, 0.04, CARDAN_WHEEL));
}

static tn_pose cardan_frame(const scene_run *run, tn_body_id body, tn_vec3 point) {
    tn_vec3 local = tn_body_get_local_point(run->world, body, point);
    return (tn_pose){{local.x, local.y, local.z}, {0.0, 0.0, 0.0, 1.0}};
}

// The arm on a is in the plane of the shafts, that on b across it.
static void cardan_add_cross(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 point,
                             const char *name) {
    tn_universal_joint_def def = tn_universal_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a = cardan_frame(run, a, point);
    def.base.frame_b = cardan_frame(run, b, point);
    tn_joint_id joint = tn_universal_joint_create(run->world, &def);
    run->has_failed = run->has_failed || joint.value == 0;
    scene_run_name_joint(run, joint, name);
}

static tn_joint_id cardan_add_bearing(scene_run *run, tn_body_id body, double angle) {
    tn_vec3 axis = {portable_cos(angle), portable_sin(angle), 0.0};
    return build_hinge(run, (tn_body_id){0}, body, tn_body_get_center(run->world, body), axis);
}

static bool cardan_build(scene_run *run) {
    cardan_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    state->bend = scene_run_get_value(run, "bend") * BUILD_PI / 180.0;
    state->is_single = scene_run_get_value(run, "joints") < 2.0;
    state->slowest = 1e9;
    double half = 0.5 * CARDAN_LENGTH;
    double aside = CARDAN_UPRIGHT - state->bend;
    tn_vec3 first = build_point(0.0, 0.0, 0.0);
    tn_vec3 second = cardan_go(first, aside, CARDAN_LENGTH);
    tn_vec3 start = build_point(0.0, -CARDAN_LENGTH, 0.0);

    tn_body_id in = cardan_add_shaft(run, start, CARDAN_UPRIGHT, CARDAN_LENGTH);
    cardan_add_fork(run, in, half, true);
    cardan_add_spokes(run, in, -half + CARDAN_INSET);
    tn_body_id middle = cardan_add_shaft(run, first, aside, CARDAN_LENGTH);
    cardan_add_fork(run, middle, -half, false);
    cardan_add_cross(run, in, middle, first, "first");
    state->motor = cardan_add_bearing(run, in, CARDAN_UPRIGHT);
    if (state->is_single) {
        cardan_add_spokes(run, middle, half - CARDAN_INSET);
        state->last = cardan_add_bearing(run, middle, aside);
    } else {
        tn_body_id out = cardan_add_shaft(run, second, CARDAN_UPRIGHT, CARDAN_LENGTH);
        cardan_add_fork(run, middle, half, false);
        cardan_add_fork(run, out, -half, true);
        cardan_add_spokes(run, out, half - CARDAN_INSET);
        cardan_add_cross(run, out, middle, second, "second");
        state->last = cardan_add_bearing(run, out, CARDAN_UPRIGHT);
        scene_run_name_body(run, out, "out");
    }
    build_hinge_speed(run, state->motor, scene_run_get_value(run, "speed"), 1e6);
    scene_run_name_body(run, in, "in");
    scene_run_name_body(run, middle, "middle");
    scene_run_name_joint(run, state->motor, "motor");
    scene_run_name_joint(run, state->last, "last");
    return true;
}

static void cardan_after_step(scene_run *run, double dt) {
    (void)dt;
    cardan_state *state = run->state;
    if (tn_world_get_time(run->world) < CARDAN_SETTLING) {
        return;
    }
    double in = tn_hinge_joint_get_angle(run->world, state->motor);
    double out = tn_hinge_joint_get_angle(run->world, state->last);
    double c = state->is_single ? cos(state->bend) : 1.0;
    double off = remainder(out - atan2(sin(in), c * cos(in)), 2.0 * BUILD_PI);
    double speed = tn_hinge_joint_get_speed(run->world, state->motor);
    double ratio = tn_hinge_joint_get_speed(run->world, state->last) / (speed == 0.0 ? 1.0 : speed);
    state->error = fmax(state->error, fabs(off));
    state->slowest = fmin(state->slowest, ratio);
    state->fastest = fmax(state->fastest, ratio);
}

static void cardan_measure(scene_run *run) {
    const cardan_state *state = run->state;
    scene_run_add_figure(run, "speed_ratio_min", state->slowest);
    scene_run_add_figure(run, "speed_ratio_max", state->fastest);
    scene_run_add_figure(run, "angle_error_max_deg", state->error * 180.0 / BUILD_PI);
    scene_run_add_figure(run, "motor_torque",
                         (double)tn_joint_get_motor_effort(run->world, state->motor));
}

const scene scene_cardan = {
    .name = "cardan",
    .summary = "a shaft with one Cardan joint, or two that even out each other",
    .time = 2.0,
    .options = cardan_options,
    .option_count = 3,
    .configure = cardan_configure,
    .build = cardan_build,
    .after_step = cardan_after_step,
    .measure = cardan_measure,
};
