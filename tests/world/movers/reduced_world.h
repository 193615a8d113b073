// tests/world/movers/reduced_world.h: objects that are given by coordinates, for the tests of
// these.
#ifndef TESTS_WORLD_REDUCED_WORLD_H
#define TESTS_WORLD_REDUCED_WORLD_H

#include "tests/support/body_make.h"
#include "tests/world/world_test.h"

#define REDUCED_GRAVITY 9.81 // m/s^2, of a world by default

// At the origin.
static inline tn_body_id reduced_body_make(tn_world *world, double mass, double inertia) {
    return body_make(world, 0.0, 0.0, 0.0, mass, inertia);
}

// A body whose frame is at x, y and turned about z.
static inline void reduced_place(tn_reduced_motion *motion, double x, double y, double angle) {
    motion->pose.position = (tn_vec3){x, y, 0.0};
    motion->pose.rotation.z = sin(0.5 * angle);
    motion->pose.rotation.w = cos(0.5 * angle);
}

// ---- an arm about z through a pivot, and a flywheel, which is one of length 0 ------------------

typedef struct reduced_arm {
    double length; // m: from the pivot to the frame
    double x, y;   // m: the pivot
    double torque; // N·m: the callback's own
} reduced_arm;

static inline void reduced_arm_function(const tn_reduced_input *input, tn_reduced_output *out,
                                        void *context) {
    const reduced_arm *arm = context;
    double q = input->coordinates[0], w = input->speeds[0], l = arm->length;
    double s = sin(q), c = cos(q);
    tn_reduced_motion *motion = &out->bodies[0];
    reduced_place(motion, arm->x + l * s, arm->y - l * c, q);
    motion->linear[0] = (tn_vec3){l * c, l * s, 0.0};
    motion->angular[0] = (tn_vec3){0.0, 0.0, 1.0};
    motion->acceleration = (tn_vec3){-l * s * w * w, l * c * w * w, 0.0};
    out->forces[0] = arm->torque;
}

static inline tn_reduced_id reduced_arm_make(tn_world *world, reduced_arm *arm, tn_body_id body,
                                             double angle, double speed) {
    tn_reduced_def def = tn_reduced_def_default();
    def.body_count = 1;
    def.bodies[0] = body;
    def.function = reduced_arm_function;
    def.function_user_data = arm;
    def.coordinates[0] = angle;
    def.speeds[0] = speed;
    tn_reduced_id id = tn_reduced_create(world, &def);
    cr_assert(id.value != 0);
    return id;
}

// ---- two arms in a row, their angles both from hanging -----------------------------------------

typedef struct reduced_arms {
    double length; // m, of each; the frames are at their ends
    tn_body_id first, second;
} reduced_arms;

static inline void reduced_arms_function(const tn_reduced_input *input, tn_reduced_output *out,
                                         void *context) {
    double l = ((const reduced_arms *)context)->length, x = 0.0, y = 0.0;
    tn_vec3 linear[2], sum = {0.0, 0.0, 0.0};
    for (uint32_t b = 0; b < 2; ++b) {
        double q = input->coordinates[b], w = input->speeds[b], s = sin(q), c = cos(q);
        x += l * s;
        y -= l * c;
        sum.x -= l * s * w * w;
        sum.y += l * c * w * w;
        linear[b] = (tn_vec3){l * c, l * s, 0.0};
        tn_reduced_motion *motion = &out->bodies[b];
        reduced_place(motion, x, y, q);
        for (uint32_t k = 0; k <= b; ++k) {
            motion->linear[k] = linear[k];
        }
        motion->angular[b] = (tn_vec3){0.0, 0.0, 1.0};
        motion->acceleration = sum;
    }
}

// With bodies of their own.
static inline tn_reduced_id reduced_arms_make(tn_world *world, reduced_arms *arms, double q1,
                                              double q2) {
    arms->first = reduced_body_make(world, 1.0, 0.02);
    arms->second = reduced_body_make(world, 2.0, 0.05);
    tn_reduced_def def = tn_reduced_def_default();
    def.freedoms = 2;
    def.body_count = 2;
    def.bodies[0] = arms->first;
    def.bodies[1] = arms->second;
    def.function = reduced_arms_function;
    def.function_user_data = arms;
    def.coordinates[0] = q1;
    def.coordinates[1] = q2;
    tn_reduced_id id = tn_reduced_create(world, &def);
    cr_assert(id.value != 0);
    return id;
}

// ---- a slider-crank with its flywheel: crank about the origin, rod, slider along x -------------

typedef struct reduced_crank {
    double crank, rod; // m
} reduced_crank;

static inline void reduced_crank_function(const tn_reduced_input *input, tn_reduced_output *out,
                                          void *context) {
    const reduced_crank *it = context;
    double q = input->coordinates[0], w = input->speeds[0], r = it->crank, l = it->rod;
    double s = sin(q), c = cos(q);
    // The rod's tilt p: sin p = -r/l sin q, its rate p' = e w and what of p'' is of w^2.
    double sp = -r / l * s, cp = sqrt(1.0 - sp * sp), e = -r * c / (l * cp);
    double f = (r / l * s + sp * e * e) / cp;
    double slide = -r * s - l * sp * e; // of the slider, by w
    double slide_bias = -r * c - l * (cp * e * e + sp * f);
    tn_reduced_motion *crank = &out->bodies[0], *rod = &out->bodies[1], *slider = &out->bodies[2];
    reduced_place(crank, 0.0, 0.0, q);
    crank->angular[0] = (tn_vec3){0.0, 0.0, 1.0};
    reduced_place(rod, r * c + 0.5 * l * cp, 0.5 * r * s, atan2(sp, cp));
    rod->linear[0] = (tn_vec3){-r * s - 0.5 * l * sp * e, 0.5 * r * c, 0.0};
    rod->angular[0] = (tn_vec3){0.0, 0.0, e};
    rod->acceleration =
        (tn_vec3){(-r * c - 0.5 * l * (cp * e * e + sp * f)) * w * w, -0.5 * r * s * w * w, 0.0};
    rod->angular_acceleration = (tn_vec3){0.0, 0.0, f * w * w};
    reduced_place(slider, r * c + l * cp, 0.0, 0.0);
    slider->linear[0] = (tn_vec3){slide, 0.0, 0.0};
    slider->acceleration = (tn_vec3){slide_bias * w * w, 0.0, 0.0};
}

// ---- reading -----------------------------------------------------------------------------------

static inline double reduced_coordinate(const tn_world *world, tn_reduced_id id, uint32_t k) {
    double numbers[TN_REDUCED_MAX_FREEDOMS] = {0.0};
    cr_assert(tn_reduced_get_coordinates(world, id, numbers, TN_REDUCED_MAX_FREEDOMS) > k);
    return numbers[k];
}

static inline double reduced_speed(const tn_world *world, tn_reduced_id id, uint32_t k) {
    double numbers[TN_REDUCED_MAX_FREEDOMS] = {0.0};
    cr_assert(tn_reduced_get_speeds(world, id, numbers, TN_REDUCED_MAX_FREEDOMS) > k);
    return numbers[k];
}

static inline double reduced_energy(const tn_world *world) {
    tn_energy energy = tn_world_get_energy(world);
    return energy.kinetic + energy.potential + energy.elastic;
}

static inline void reduced_run(tn_world *world, double time, int steps, uint32_t substeps) {
    for (int i = 0; i < steps; ++i) {
        cr_assert(tn_world_step(world, time / steps, substeps) == TN_RESULT_OK);
    }
}

#endif
