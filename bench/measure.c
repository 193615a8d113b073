// bench/measure.c: drift, standing, joint gaps, energy and momentum from poses.
//
// A joint's gap is rebuilt from its frames in the world: the distance between the two origins where
// they must coincide, the distance off the axis of a slider, the excess over a rod's or rope's
// length.

#include "bench/measure.h"

#include "bench/cases.h"
#include "bench/ground.h"
#include "bench/overlap.h"
#include "bench/space.h"

#include <stdlib.h>
#include <string.h>

#define TURN                 6.28318530717958647692 // rad
#define PENETRATION_INTERVAL 10 // steps between samples: one costs more than a step

typedef struct energy_sum {
    double kinetic, potential;
    tn_vec3 spin; // angular momentum about the centres of mass
} energy_sum;

struct bench_measure {
    const bench_model *model;
    uint32_t figures;
    uint32_t motor; // index of the first joint with a motor, or UINT32_MAX
    uint32_t sample_count;
    double motor_angle, motor_turned; // rad: now, and in the second half of the run
    double motor_time, last_time;     // s
    energy_sum start;
    double potential_given_up; // J: the most so far
    bench_quality quality;
    overlap_finder *finder;
    ground_finder *ground;
    double noticed, overlapped; // by sensors, sums over the steps
    model_state *begin;
};

// ---- joints -----------------------------------------------------------------------------------

static double measure_distance_gap(const model_joint *joint, double distance) {
    if (joint->is_rigid) {
        return fabs(distance - (double)joint->length);
    }
    if (!joint->limit.is_enabled) {
        return 0.0;
    }
    double excess = fmax(distance - (double)joint->limit.upper, 0.0);
    return fmax(excess, (double)joint->limit.lower - distance);
}

static double measure_joint_gap(const model_joint *joint, const model_state *states) {
    tn_pose a, b;
    model_get_joint_frames(joint, states, &a, &b);
    tn_vec3 offset = space_subtract(b.position, a.position);
    if (joint->type == TN_JOINT_TYPE_GEAR || joint->type == TN_JOINT_TYPE_RACK_PINION ||
        joint->type == TN_JOINT_TYPE_PULLEY || joint->type == TN_JOINT_TYPE_CAM ||
        joint->type == TN_JOINT_TYPE_BELT || joint->type == TN_JOINT_TYPE_ROPE ||
        joint->type == TN_JOINT_TYPE_RATCHET || joint->type == TN_JOINT_TYPE_ESCAPEMENT) {
        return 0.0; // no gap between their frames is one of theirs
    }
    if (joint->type == TN_JOINT_TYPE_DISTANCE) {
        return measure_distance_gap(joint, space_length(offset));
    }
    if (joint->type == TN_JOINT_TYPE_SLIDER || joint->type == TN_JOINT_TYPE_SCREW) {
        tn_vec3 axis = space_rotate(a.rotation, space_vector(1.0, 0.0, 0.0));
        offset = space_subtract(offset, space_scale(axis, space_dot(axis, offset)));
    }
    return space_length(offset);
}

static void measure_gaps(bench_measure *measure, const model_state *states) {
    double largest = 0.0;
    for (uint32_t i = 0; i < measure->model->joint_count; ++i) {
        largest = fmax(largest, measure_joint_gap(&measure->model->joints[i], states));
    }
    measure->quality.gap = fmax(measure->quality.gap, largest);
    measure->quality.gap_end = largest;
}

// How far frame b is turned about the x axis of frame a, rad.
static double measure_hinge_angle(const model_joint *joint, const model_state *states) {
    tn_pose a, b;
    model_get_joint_frames(joint, states, &a, &b);
    tn_vec3 y =
        space_rotate_inverse(a.rotation, space_rotate(b.rotation, space_vector(0.0, 1.0, 0.0)));
    return atan2(y.z, y.y);
}

// Speed as the poses show it: engines turn a body by less or more than its angular velocity says.
static void measure_motor(bench_measure *measure, const model_state *states, double time,
                          double end_time) {
    double angle = measure_hinge_angle(&measure->model->joints[measure->motor], states);
    double turned = remainder(angle - measure->motor_angle, TURN);
    measure->motor_angle = angle;
    if (time > 0.5 * end_time) {
        measure->motor_turned += turned;
        measure->motor_time += time - measure->last_time;
        measure->quality.motor_speed = measure->motor_turned / measure->motor_time;
    }
    measure->last_time = time;
}

// ---- bodies -----------------------------------------------------------------------------------

// Half the height of the body's first shape: having sunk by this, it stands no longer.
static double measure_half_height(const bench_model *model, const model_body *body) {
    if (body->shape_count == 0) {
        return HUGE_VAL;
    }
    const model_shape *shape = &model->shapes[body->first_shape];
    return shape->type == TN_SHAPE_TYPE_BOX ? shape->half_extents.y : (double)shape->radius;
}

static void measure_places(bench_measure *measure, const model_state *states, double time) {
    bench_quality *quality = &measure->quality;
    quality->drift = 0.0;
    quality->sink = 0.0;
    for (uint32_t i = 0; i < measure->model->body_count; ++i) {
        const model_body *body = &measure->model->bodies[i];
        if (body->type != TN_BODY_TYPE_DYNAMIC) {
            continue;
        }
        tn_vec3 p = states[i].pose.position;
        tn_vec3 start = measure->begin[i].pose.position;
        quality->drift = fmax(quality->drift, hypot(p.x - start.x, p.z - start.z));
        quality->sink = fmax(quality->sink, start.y - p.y);
        bool has_fallen = start.y - p.y > measure_half_height(measure->model, body);
        if (has_fallen && quality->fall_time < 0.0) {
            quality->fall_time = time;
        }
    }
}

static tn_vec3 measure_spin(const model_body *body, const model_state *state) {
    const tn_mat3_symmetric *inertia = &body->mass.inertia;
    tn_vec3 w = space_rotate_inverse(state->pose.rotation, state->velocity.angular);
    tn_vec3 spin = space_vector(inertia->xx * w.x + inertia->xy * w.y + inertia->xz * w.z,
                                inertia->xy * w.x + inertia->yy * w.y + inertia->yz * w.z,
                                inertia->xz * w.x + inertia->yz * w.y + inertia->zz * w.z);
    return space_rotate(state->pose.rotation, spin);
}

static energy_sum measure_energy(const bench_model *model, const model_state *states) {
    energy_sum sum = {0};
    tn_vec3 gravity = space_vector(model->gravity.x, model->gravity.y, model->gravity.z);
    for (uint32_t i = 0; i < model->body_count; ++i) {
        const model_body *body = &model->bodies[i];
        if (body->type != TN_BODY_TYPE_DYNAMIC) {
            continue;
        }
        tn_vec3 v = states[i].velocity.linear;
        tn_vec3 spin = measure_spin(body, &states[i]);
        tn_vec3 center = space_transform_point(&states[i].pose, body->mass.center);
        sum.spin = space_add(sum.spin, spin);
        sum.kinetic += 0.5 * body->mass.mass * space_dot(v, v);
        sum.kinetic += 0.5 * space_dot(spin, states[i].velocity.angular);
        sum.potential -= body->mass.mass * (double)body->gravity_scale * space_dot(gravity, center);
    }
    return sum;
}

static double measure_ratio(double value, double base) {
    return base != 0.0 ? value / base : 0.0;
}

static void measure_momentum(bench_measure *measure, const energy_sum *now) {
    bench_quality *quality = &measure->quality;
    double change = space_length(space_subtract(now->spin, measure->start.spin));
    double relative = measure_ratio(change, space_length(measure->start.spin));
    quality->momentum_change = fmax(quality->momentum_change, relative);
    quality->energy_change =
        measure_ratio(now->kinetic - measure->start.kinetic, measure->start.kinetic);
}

static void measure_lost_energy(bench_measure *measure, const energy_sum *now) {
    const energy_sum *start = &measure->start;
    double given_up = start->potential - now->potential;
    double gained = now->kinetic - start->kinetic;
    measure->potential_given_up = fmax(measure->potential_given_up, given_up);
    measure->quality.energy_lost = measure_ratio(given_up - gained, measure->potential_given_up);
}

static void measure_end(bench_measure *measure, const model_state *states) {
    const bench_model *model = measure->model;
    double mass = 0.0, moment = 0.0;
    for (uint32_t i = 0; i < model->body_count; ++i) {
        const model_body *body = &model->bodies[i];
        if (body->type == TN_BODY_TYPE_DYNAMIC) {
            mass += body->mass.mass;
            moment += body->mass.mass * space_transform_point(&states[i].pose, body->mass.center).y;
        }
    }
    measure->quality.height_end = measure_ratio(moment, mass);
    double kinetic = measure_energy(model, states).kinetic;
    measure->quality.speed_end = sqrt(measure_ratio(2.0 * kinetic, mass));
}

static void measure_ground(bench_measure *measure, const model_state *states) {
    bench_quality *quality = &measure->quality;
    quality->ground_end = ground_finder_find_deepest(measure->ground, states);
    quality->ground = fmax(quality->ground, quality->ground_end);
    quality->lost = ground_finder_count_lost(measure->ground, states);
}

// ---- the run ----------------------------------------------------------------------------------

static uint32_t measure_find_motor(const bench_model *model) {
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        if (model->joints[i].type == TN_JOINT_TYPE_HINGE &&
            model->joints[i].motor.mode == TN_MOTOR_MODE_SPEED) {
            return i;
        }
    }
    return UINT32_MAX;
}

bench_measure *measure_create(const bench_model *model, uint32_t figures) {
    bench_measure *measure = calloc(1, sizeof(*measure));
    if (measure == NULL) {
        return NULL;
    }
    measure->model = model;
    measure->figures = figures;
    measure->motor = measure_find_motor(model);
    measure->quality.fall_time = -1.0;
    measure->begin = calloc((size_t)model->body_count + 1, sizeof(model_state));
    measure->finder = overlap_finder_create(model);
    measure->ground = ground_finder_create(model);
    if (measure->begin == NULL || measure->finder == NULL || measure->ground == NULL) {
        measure_destroy(measure);
        return NULL;
    }
    for (uint32_t i = 0; i < model->body_count; ++i) {
        measure->begin[i] = (model_state){model->bodies[i].pose, model->bodies[i].velocity};
    }
    measure->start = measure_energy(model, measure->begin);
    return measure;
}

void measure_destroy(bench_measure *measure) {
    if (measure != NULL) {
        overlap_finder_destroy(measure->finder);
        ground_finder_destroy(measure->ground);
        free(measure->begin);
        free(measure);
    }
}

void measure_add_sample(bench_measure *measure, const model_state *states, double time,
                        double end_time) {
    bench_quality *quality = &measure->quality;
    bool is_last = time >= end_time;
    measure->sample_count += 1;
    if (measure->figures & (BENCH_FIGURE_DRIFT | BENCH_FIGURE_STANDS)) {
        measure_places(measure, states, time);
    }
    if (measure->figures & BENCH_FIGURE_GAP) {
        measure_gaps(measure, states);
    }
    if ((measure->figures & BENCH_FIGURE_MOTOR) && measure->motor != UINT32_MAX) {
        measure_motor(measure, states, time, end_time);
    }
    if (measure->figures & (BENCH_FIGURE_MOMENTUM | BENCH_FIGURE_ENERGY)) {
        energy_sum now = measure_energy(measure->model, states);
        measure_momentum(measure, &now);
        measure_lost_energy(measure, &now);
    }
    bool is_due = measure->sample_count % PENETRATION_INTERVAL == 0 || is_last;
    if ((measure->figures & BENCH_FIGURE_PENETRATION) && is_due) {
        quality->penetration_end = overlap_finder_find_deepest(measure->finder, states);
        quality->penetration = fmax(quality->penetration, quality->penetration_end);
    }
    if ((measure->figures & BENCH_FIGURE_GROUND) && is_due) {
        measure_ground(measure, states);
    }
    if ((measure->figures & BENCH_FIGURE_END) && is_last) {
        measure_end(measure, states);
    }
}

void measure_add_noticed(bench_measure *measure, const model_state *states, uint32_t noticed) {
    if (measure->figures & BENCH_FIGURE_SENSORS) {
        measure->noticed += noticed;
        measure->overlapped += overlap_finder_count_noticed(measure->finder, states);
        measure->quality.noticed = measure_ratio(measure->noticed, measure->overlapped);
    }
}

bench_quality measure_get_quality(const bench_measure *measure) {
    return measure->quality;
}
