// scenes/figure.c: figures from the poses of bodies, the same code for every scene.
#include "scenes/figure.h"

#include "scenes/build.h"

#include <math.h>
#include <stdlib.h>

static tn_vec3 figure_get_anchor(const tn_world *world, tn_body_id body, tn_pose frame) {
    if (body.value == 0) {
        return frame.position;
    }
    tn_vec3 local = frame.position;
    return tn_body_get_world_point(world, body, local);
}

tn_vec3 figure_get_joint_place(const tn_world *world, tn_joint_id joint) {
    tn_joint_def def = tn_joint_get_def(world, joint);
    return figure_get_anchor(world, def.body_b, def.frame_b);
}

// Its points move with the material, which the joint knows.
static bool figure_is_affine(const tn_world *world, tn_body_id body) {
    return body.value != 0 && tn_affine_is_valid(world, tn_body_get_reduced(world, body));
}

static double figure_get_gap(const tn_world *world, tn_joint_id joint) {
    tn_joint_type type = tn_joint_get_type(world, joint);
    bool is_pinned = type == TN_JOINT_TYPE_BALL || type == TN_JOINT_TYPE_HINGE ||
                     type == TN_JOINT_TYPE_FIXED || type == TN_JOINT_TYPE_UNIVERSAL ||
                     type == TN_JOINT_TYPE_SWING_TWIST;
    tn_joint_def def = tn_joint_get_def(world, joint);
    if ((!is_pinned && type != TN_JOINT_TYPE_DISTANCE) || figure_is_affine(world, def.body_a) ||
        figure_is_affine(world, def.body_b)) {
        return tn_joint_get_error(world, joint).linear_length;
    }
    tn_vec3 a = figure_get_anchor(world, def.body_a, def.frame_a);
    tn_vec3 b = figure_get_anchor(world, def.body_b, def.frame_b);
    double distance = build_distance(a, b);
    if (type != TN_JOINT_TYPE_DISTANCE) {
        return distance;
    }

    tn_distance_joint_def rod = tn_distance_joint_get_def(world, joint);
    if (rod.is_rigid) {
        return fabs(distance - (double)rod.length);
    }
    return rod.limit.is_enabled ? fmax(0.0, distance - (double)rod.limit.upper) : 0.0;
}

double figure_get_joint_gap(const scene_run *run) {
    uint32_t count = tn_world_count_joints(run->world);
    tn_joint_id *joints = calloc(count + 1u, sizeof *joints);
    if (joints == NULL) {
        return 0.0;
    }
    tn_world_get_joints(run->world, joints, count);
    double largest = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        largest = fmax(largest, figure_get_gap(run->world, joints[i]));
    }
    free(joints);
    return largest;
}

double figure_get_drift(const scene_run *run) {
    double largest = 0.0;
    for (uint32_t i = 0; i < run->start_count; i++) {
        tn_vec3 now = tn_body_get_center(run->world, run->starts[i].body);
        largest = fmax(largest, build_distance(run->starts[i].center, now));
    }
    return largest;
}

double figure_get_sink(const scene_run *run) {
    double largest = 0.0;
    for (uint32_t i = 0; i < run->start_count; i++) {
        tn_vec3 now = tn_body_get_center(run->world, run->starts[i].body);
        largest = fmax(largest, run->starts[i].center.y - now.y);
    }
    return largest;
}

void figure_add_stability(scene_run *run, double distance) {
    double drift = figure_get_drift(run);
    scene_run_add_figure(run, "drift_max_m", drift);
    scene_run_add_figure(run, "sink_max_m", figure_get_sink(run));
    scene_run_add_figure(run, "stands", drift < distance ? 1.0 : 0.0);
}

uint32_t figure_count_below(const scene_run *run, double height) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->start_count; i++) {
        count += tn_body_get_center(run->world, run->starts[i].body).y < height;
    }
    return count;
}

uint32_t figure_count_under(const scene_run *run,
                            double (*get_height)(double x, double z, const void *context),
                            const void *context) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->start_count; i++) {
        tn_vec3 center = tn_body_get_center(run->world, run->starts[i].body);
        count += center.y < get_height(center.x, center.z, context);
    }
    return count;
}

double figure_get_energy(const scene_run *run) {
    tn_energy energy = tn_world_get_energy(run->world);
    return energy.kinetic + energy.potential + energy.elastic;
}

// The arithmetic-geometric mean converges quadratically: eight rounds reach the last bit.
static double figure_get_mean(double a, double b) {
    for (int i = 0; i < 8; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return a;
}

double figure_get_elliptic_k(double modulus) {
    return 0.5 * BUILD_PI / figure_get_mean(1.0, sqrt(1.0 - modulus * modulus));
}

double figure_get_pendulum_period(double length, double amplitude) {
    return 4.0 * sqrt(length / BUILD_GRAVITY) * figure_get_elliptic_k(sin(0.5 * amplitude));
}

void figure_period_add(figure_period *period, double time, double value) {
    if (period->value < 0.0 && value >= 0.0) {
        double share = -period->value / (value - period->value);
        period->last = period->time + share * (time - period->time);
        if (period->passages == 0) {
            period->first = period->last;
        }
        period->passages++;
    }
    period->value = value;
    period->time = time;
}

double figure_period_get(const figure_period *period) {
    return period->passages < 2 ? 0.0 : (period->last - period->first) / (period->passages - 1u);
}

void figure_flight_release(figure_flight *flight, const scene_run *run, tn_body_id body) {
    tn_vec3 v = tn_body_get_velocity(run->world, body).linear;
    flight->is_released = true;
    flight->release_time = tn_world_get_time(run->world);
    flight->release_speed = build_length(v);
    flight->release_elevation = atan2(v.y, v.x);
    flight->previous = tn_body_get_center(run->world, body);
    flight->apex = flight->previous.y;
}

void figure_flight_add(figure_flight *flight, const scene_run *run, tn_body_id body,
                       double height) {
    if (!flight->is_released || flight->has_landed) {
        return;
    }
    tn_vec3 now = tn_body_get_center(run->world, body);
    tn_vec3 before = flight->previous;
    flight->apex = fmax(flight->apex, now.y);
    if (now.y < height && before.y >= height) {
        double share = (before.y - height) / (before.y - now.y);
        flight->has_landed = true;
        flight->landing_x = before.x + share * (now.x - before.x);
        flight->landing_time = tn_world_get_time(run->world);
    }
    flight->previous = now;
}

void figure_flight_measure(const figure_flight *flight, scene_run *run) {
    if (!flight->is_released) {
        return;
    }
    scene_run_add_figure(run, "release_time_s", flight->release_time);
    scene_run_add_figure(run, "release_speed", flight->release_speed);
    scene_run_add_figure(run, "release_elevation_deg",
                         flight->release_elevation * 180.0 / BUILD_PI);
    scene_run_add_figure(run, "apex_m", flight->apex);
    if (flight->has_landed) {
        scene_run_add_figure(run, "flight_time_s", flight->landing_time - flight->release_time);
    }
}

void figure_add_affine(scene_run *run, const tn_reduced_id *bodies, int count) {
    double elastic = 0.0;
    for (int i = 0; i < count; i++) {
        elastic += tn_affine_get_elastic_energy(run->world, bodies[i]);
    }
    tn_telemetry telemetry = tn_world_get_telemetry(run->world);
    scene_run_add_figure(run, "elastic_energy_j", elastic);
    scene_run_add_figure(run, "energy_j", figure_get_energy(run));
    scene_run_add_figure(run, "penetration_end_m", telemetry.deepest_penetration);
    scene_run_add_figure(run, "below_ground", figure_count_below(run, 0.0));
}
