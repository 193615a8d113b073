// scenes/buggy.c: a car on the rays of tenon/ray_wheel.h drives over planks and the road of the
// scene `vehicle`.
#include "scenes/build_car.h"
#include "scenes/build_road.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define BUGGY_PLANKS  3
#define BUGGY_GAIN    300.0 // N·m of a wheel for each m/s that is lacking
#define BUGGY_REST    0.4   // m of a free spring
#define BUGGY_CORNERS 24u   // of a drawn wheel

static const scene_option buggy_options[] = {
    {"speed", 7, 1, 12, "m/s: at which it starts, and that the driver holds"},
    {"torque", 250, 0, 400, "N·m of each rear wheel at most"},
    {"brake_at", 84, 0, 1000, "m: there it brakes with all that its tyres hold"},
    {"balls", 0, 0, 1, "1: the wheels look down with balls, 0: with rays"},
    {"cell", 0.5, 0.25, 8, "m: the edge of the road's squares, of two triangles each"},
};

typedef struct buggy_state {
    tn_body_id chassis, planks[BUGGY_PLANKS];
    tn_ray_wheel wheels[4]; // front left, front right, rear left, rear right
    double off_max, tilt_max, speed, time, time_end;
    double brake_start, brake_speed; // m and m/s: where and at which speed it began to brake
} buggy_state;

static void buggy_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

// The springs carry the chassis at the height at which it is made.
static void buggy_add_wheels(scene_run *run, buggy_state *state) {
    double mass = tn_body_get_mass(run->world, state->chassis).mass;
    tn_ray_wheel wheel = tn_ray_wheel_make(build_point(0.0, 0.0, 0.0));
    wheel.radius = (float)BUILD_CAR_RADIUS;
    wheel.rest_length = (float)BUGGY_REST;
    wheel.stiffness = (float)(0.25 * mass * BUILD_GRAVITY / 0.08);
    wheel.damping = (float)(0.35 * sqrt((double)wheel.stiffness * mass));
    wheel.friction = 0.9f;
    wheel.is_ball = scene_run_get_value(run, "balls") > 0.5;
    wheel.spin = scene_run_get_value(run, "speed") / BUILD_CAR_RADIUS;
    for (int i = 0; i < 4; i++) {
        double along = i < 2 ? 0.5 * BUILD_CAR_BASE : -0.5 * BUILD_CAR_BASE;
        double aside = i % 2 == 0 ? -0.5 * BUILD_CAR_TRACK : 0.5 * BUILD_CAR_TRACK;
        wheel.anchor = build_point(along, BUGGY_REST - 0.08 - BUILD_CAR_RISE, aside);
        state->wheels[i] = wheel;
    }
}

static bool buggy_build(scene_run *run) {
    buggy_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_add_road(run, 1.0, scene_run_get_value(run, "cell"));
    for (int i = 0; i < BUGGY_PLANKS; i++) {
        build_part part = build_part_at(3.0 + 1.5 * i, 0.03, 0.2 * i);
        part.mass = 12.0;
        state->planks[i] = build_box(run, &part, 0.5, 0.06, 2.4);
    }
    build_car_def def = {.start = scene_run_get_value(run, "speed")};
    state->chassis = build_add_chassis(run, &def);
    state->speed = def.start;
    buggy_add_wheels(run, state);
    return true;
}

static void buggy_before_step(scene_run *run, double dt) {
    buggy_state *state = run->state;
    double x = tn_body_get_center(run->world, state->chassis).x;
    double steer = build_steer_along_road(run, state->chassis);
    double most = scene_run_get_value(run, "torque");
    double lack = scene_run_get_value(run, "speed") - state->speed;
    bool brakes = x > scene_run_get_value(run, "brake_at");
    if (brakes && state->brake_speed == 0.0) {
        state->brake_start = x;
        state->brake_speed = state->speed;
    }
    for (int i = 0; i < 4; i++) {
        tn_ray_wheel *wheel = &state->wheels[i];
        double torque = fmin(most, fmax(-most, BUGGY_GAIN * lack));
        wheel->steering = i < 2 ? (float)steer : 0.0f;
        wheel->drive_torque = i < 2 || brakes ? 0.0f : (float)torque;
        wheel->brake_torque = brakes ? INFINITY : 0.0f;
    }
    run->has_failed |=
        tn_ray_wheels_apply(run->world, state->chassis, state->wheels, 4, NULL, dt) != TN_RESULT_OK;
}

static void buggy_after_step(scene_run *run, double dt) {
    buggy_state *state = run->state;
    state->time += dt;
    tn_vec3 forward = tn_body_get_world_vector(run->world, state->chassis, build_axis_x());
    tn_vec3 up = tn_body_get_world_vector(run->world, state->chassis, build_axis_y());
    tn_vec3 v = tn_body_get_linear_velocity(run->world, state->chassis);
    tn_vec3 at = tn_body_get_center(run->world, state->chassis);
    state->speed = v.x * forward.x + v.y * forward.y + v.z * forward.z;
    if (at.x < BUILD_ROAD_ENOUGH) {
        state->off_max = fmax(state->off_max, fabs(at.z - build_get_road_line(at.x)));
        state->tilt_max = fmax(state->tilt_max, acos(fmin(1.0, up.y)));
    } else if (state->time_end == 0.0) {
        state->time_end = state->time;
    }
}

static void buggy_measure(scene_run *run) {
    const buggy_state *state = run->state;
    tn_vec3 at = tn_body_get_center(run->world, state->chassis);
    double shifted = 0.0;
    for (int i = 0; i < BUGGY_PLANKS; i++) {
        tn_vec3 plank = tn_body_get_center(run->world, state->planks[i]);
        shifted = fmax(shifted, fabs(plank.x - 3.0 - 1.5 * i));
    }
    scene_run_add_figure(run, "driven_m", at.x);
    scene_run_add_figure(run, "time_end_s", state->time_end);
    scene_run_add_figure(run, "speed_m_s", state->speed);
    scene_run_add_figure(run, "off_line_max_m", state->off_max);
    scene_run_add_figure(run, "tilt_max_rad", state->tilt_max);
    scene_run_add_figure(run, "plank_shift_max_m", shifted);
    scene_run_add_figure(run, "braked_m",
                         state->brake_speed > 0.0 ? at.x - state->brake_start : 0.0);
    scene_run_add_figure(run, "brake_speed_m_s", state->brake_speed);
}

// Wheels are no bodies: their rims are drawn.
static void buggy_sketch(const scene_run *run, const scene_sketch *sketch) {
    const buggy_state *state = run->state;
    for (int i = 0; i < 4; i++) {
        tn_pose pose = tn_ray_wheel_get_pose(run->world, state->chassis, &state->wheels[i]);
        tn_quat q = pose.rotation;
        tn_vec3 x = {1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z),
                     2.0 * (q.x * q.z - q.w * q.y)};
        tn_vec3 y = {2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z),
                     2.0 * (q.y * q.z + q.w * q.x)};
        tn_vec3 rim[BUGGY_CORNERS];
        for (uint32_t k = 0; k < BUGGY_CORNERS; k++) {
            double angle = 2.0 * BUILD_PI * k / BUGGY_CORNERS, r = BUILD_CAR_RADIUS;
            double c = r * portable_cos(angle), s = r * portable_sin(angle);
            rim[k] = build_point(pose.position.x + c * x.x + s * y.x,
                                 pose.position.y + c * x.y + s * y.y,
                                 pose.position.z + c * x.z + s * y.z);
        }
        sketch->add(sketch->context, SCENE_PEN_PLATE, rim, BUGGY_CORNERS);
    }
}

const scene scene_buggy = {
    .name = "buggy",
    .summary = "a car whose wheels are rays drives over planks, hills, a bank and a ramp",
    .time = 15.0,
    .options = buggy_options,
    .option_count = 5,
    .configure = buggy_configure,
    .build = buggy_build,
    .before_step = buggy_before_step,
    .after_step = buggy_after_step,
    .measure = buggy_measure,
    .picture = {.moments = 4, .view = SCENE_VIEW_CORNER, .sketch = buggy_sketch},
};
