// scenes/vehicle.c: a car with true cylinders for wheels drives along a winding line over a road of
// triangles: two hills, a bank and a ramp.
//
// A driver steers at a point ahead on the line (pure pursuit: R. C. Coulter, CMU-RI-TR-92-01, 1992)
// and gives the rear wheels a torque by the speed that is lacking. Without a torque the car rolls,
// and what it loses is lost to friction and dampers: it never has more energy than at the start.
#include "scenes/build_car.h"
#include "scenes/build_terrain.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define VEHICLE_START  -4.0 // m: where the road begins
#define VEHICLE_END    90.0
#define VEHICLE_HALF   6.0   // m: half of the road's width
#define VEHICLE_SWAY   1.2   // m: how far the line goes to either side
#define VEHICLE_PERIOD 40.0  // m of the line
#define VEHICLE_AHEAD  3.5   // m: how far ahead the driver looks
#define VEHICLE_GAIN   300.0 // N·m of a wheel for each m/s that is lacking
#define VEHICLE_ENOUGH 82.0  // m: there the run's figures end

static const scene_option vehicle_options[] = {
    {"speed", 7, 1, 12, "m/s: at which it starts, and that the driver holds"},
    {"torque", 250, 0, 400, "N·m of each rear wheel at most"},
    {"height", 1, 0, 1.5, "of the hills, the bank and the ramp: 0 is level"},
    {"cell", 0.5, 0.25, 8, "m: the edge of the road's squares, of two triangles each"},
};

typedef struct vehicle_state {
    build_car car;
    double off_max, slip_max, tilt_max, jolt_max; // m, m/s, rad, m/s^2
    double energy_start, energy_max;              // J
    double speed, time;                           // m/s and s, of the last step
    double time_end;                              // s: when it came to the end
} vehicle_state;

// From 0 to 1 between two places, without a kink.
static double vehicle_rise(double x, double from, double to) {
    double t = fmin(1.0, fmax(0.0, (x - from) / (to - from)));
    return t * t * (3.0 - 2.0 * t);
}

static double vehicle_get_height(double x, double z, const void *context) {
    const double *height = context;
    bool is_hill = x > 8.0 && x < 36.0;
    double hills = is_hill ? 0.3 * (1.0 - portable_cos(2.0 * BUILD_PI * (x - 8.0) / 14.0)) : 0.0;
    double bank = 0.2 * z * vehicle_rise(x, 38.0, 43.0) * vehicle_rise(x, 61.0, 56.0);
    double up = fmin(1.0, fmax(0.0, (x - 64.0) / 6.0));
    double down = fmin(1.0, fmax(0.0, (82.0 - x) / 6.0));
    return *height * (hills + bank + 0.8 * fmin(up, down));
}

static double vehicle_get_line(double x) {
    double begins = vehicle_rise(x, 2.0, 10.0);
    return begins * VEHICLE_SWAY * portable_sin(2.0 * BUILD_PI * x / VEHICLE_PERIOD);
}

static void vehicle_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool vehicle_build(scene_run *run) {
    vehicle_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    double height = scene_run_get_value(run, "height"), cell = scene_run_get_value(run, "cell");
    build_terrain road = build_terrain_make();
    road.left = VEHICLE_START;
    road.right = VEHICLE_END;
    road.front = VEHICLE_HALF;
    road.back = -VEHICLE_HALF;
    road.columns = (uint32_t)((VEHICLE_END - VEHICLE_START) / cell);
    road.rows = (uint32_t)fmax(1.0, 2.0 * VEHICLE_HALF / cell);
    road.get_height = vehicle_get_height;
    road.context = &height;
    road.material.friction = 0.9f;
    build_add_terrain(run, &road);
    build_car_def car = {.start = scene_run_get_value(run, "speed"), .has_cylinders = true};
    state->car = build_add_car(run, &car);
    state->energy_start = state->energy_max = figure_get_energy(run);
    state->speed = car.start;
    return true;
}

static void vehicle_before_step(scene_run *run, double dt) {
    (void)dt;
    const vehicle_state *state = run->state;
    tn_vec3 rear = build_point(-0.5 * BUILD_CAR_BASE, 0.0, 0.0);
    tn_vec3 at = tn_body_get_world_point(run->world, state->car.chassis, rear);
    double x = at.x + VEHICLE_AHEAD;
    tn_vec3 ahead = build_point(x, at.y, vehicle_get_line(x));
    tn_vec3 goal = tn_body_get_local_point(run->world, state->car.chassis, ahead);
    double forward = goal.x + 0.5 * BUILD_CAR_BASE;
    double bend = -2.0 * goal.z / (forward * forward + goal.z * goal.z);
    build_steer_car(run, &state->car, portable_atan(BUILD_CAR_BASE * bend));
    double most = scene_run_get_value(run, "torque");
    double lack = scene_run_get_value(run, "speed") - state->speed;
    build_drive_car(run, &state->car, fmin(most, fmax(-most, VEHICLE_GAIN * lack)));
}

// How much faster the wheel's rim is than the wheel, m/s: 0 where it rolls.
static double vehicle_get_slip(const scene_run *run, tn_joint_id joint) {
    tn_body_id wheel = tn_joint_get_def(run->world, joint).body_b;
    tn_vec3 axle = tn_body_get_world_vector(run->world, wheel, build_axis_z());
    tn_velocity v = tn_body_get_velocity(run->world, wheel);
    tn_vec3 p = v.linear, w = v.angular;
    double aside = p.x * axle.x + p.y * axle.y + p.z * axle.z;
    double rolling = sqrt(fmax(0.0, p.x * p.x + p.y * p.y + p.z * p.z - aside * aside));
    double spin = w.x * axle.x + w.y * axle.y + w.z * axle.z;
    return fabs(spin) * BUILD_CAR_RADIUS - rolling;
}

static void vehicle_after_step(scene_run *run, double dt) {
    vehicle_state *state = run->state;
    tn_body_id chassis = state->car.chassis;
    state->time += dt;
    tn_vec3 forward = tn_body_get_world_vector(run->world, chassis, build_axis_x());
    tn_vec3 up = tn_body_get_world_vector(run->world, chassis, build_axis_y());
    tn_vec3 v = tn_body_get_linear_velocity(run->world, chassis);
    double speed = v.x * forward.x + v.y * forward.y + v.z * forward.z;
    state->jolt_max = fmax(state->jolt_max, fabs(speed - state->speed) / dt);
    state->speed = speed;
    tn_vec3 at = tn_body_get_center(run->world, chassis);
    state->energy_max = fmax(state->energy_max, figure_get_energy(run));
    if (at.x < VEHICLE_ENOUGH) {
        state->off_max = fmax(state->off_max, fabs(at.z - vehicle_get_line(at.x)));
        state->tilt_max = fmax(state->tilt_max, acos(fmin(1.0, up.y)));
        for (int i = 0; i < 4; i++) {
            double slip = fabs(vehicle_get_slip(run, state->car.wheels[i]));
            state->slip_max = fmax(state->slip_max, slip);
        }
    } else if (state->time_end == 0.0) {
        state->time_end = state->time;
    }
}

static void vehicle_measure(scene_run *run) {
    const vehicle_state *state = run->state;
    tn_vec3 at = tn_body_get_center(run->world, state->car.chassis);
    scene_run_add_figure(run, "driven_m", at.x);
    scene_run_add_figure(run, "time_end_s", state->time_end);
    scene_run_add_figure(run, "speed_m_s", state->speed);
    scene_run_add_figure(run, "off_line_max_m", state->off_max);
    scene_run_add_figure(run, "slip_max_m_s", state->slip_max);
    scene_run_add_figure(run, "jolt_max_m_s2", state->jolt_max);
    scene_run_add_figure(run, "tilt_max_rad", state->tilt_max);
    double gain = (state->energy_max - state->energy_start) / fabs(state->energy_start);
    scene_run_add_figure(run, "energy_gain_max_relative", gain);
}

const scene scene_vehicle = {
    .name = "vehicle",
    .summary = "a car on round wheels drives over hills, a bank and a ramp of triangles",
    .time = 12.0,
    .options = vehicle_options,
    .option_count = 4,
    .configure = vehicle_configure,
    .build = vehicle_build,
    .before_step = vehicle_before_step,
    .after_step = vehicle_after_step,
    .measure = vehicle_measure,
    .picture = {.moments = 4, .view = SCENE_VIEW_CORNER},
};
