// scenes/vehicle.c: a car with true cylinders for wheels drives along a winding line over a road of
// triangles: two hills, a bank and a ramp.
//
// The driver gives the rear wheels a torque by the speed that is lacking. Without a torque the car
// rolls, and what it loses is lost to friction and dampers: it never has more energy than at the
// start.
#include "scenes/build_car.h"
#include "scenes/build_road.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define VEHICLE_GAIN 300.0 // N·m of a wheel for each m/s that is lacking

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

static void vehicle_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool vehicle_build(scene_run *run) {
    vehicle_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_add_road(run, scene_run_get_value(run, "height"), scene_run_get_value(run, "cell"));
    build_car_def car = {.start = scene_run_get_value(run, "speed"), .has_cylinders = true};
    state->car = build_add_car(run, &car);
    state->energy_start = state->energy_max = figure_get_energy(run);
    state->speed = car.start;
    return true;
}

static void vehicle_before_step(scene_run *run, double dt) {
    (void)dt;
    const vehicle_state *state = run->state;
    build_steer_car(run, &state->car, build_steer_along_road(run, state->car.chassis));
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
    if (at.x < BUILD_ROAD_ENOUGH) {
        state->off_max = fmax(state->off_max, fabs(at.z - build_get_road_line(at.x)));
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
