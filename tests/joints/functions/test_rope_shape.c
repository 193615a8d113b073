// Tests of joints/functions/rope_joint.h: pieces and their derivatives along a motion, the wrap
// about sheaves.
#include "joints/functions/rope_joint.h"

#include <criterion/criterion.h>

#define SLOTS 3
#define STEP  1e-3 // s, of differences of fourth order

static const tni_dvec3 centers[SLOTS] = {{0.1, -0.2, 0.0}, {0.0, 0.3, 0.2}, {0.0, 0.0, 0.0}};

// Four points of three bodies, the second of which the rope meets twice.
static tni_rope rope_make(void) {
    tni_rope rope = {.piece_count = 3, .slots = {0, 1, 1, 2}};
    rope.settings.point_count = 4;
    rope.settings.points[0].position = (tn_vec3){0.5, 0.2, -0.1};
    rope.settings.points[1].position = (tn_vec3){-0.3, 0.4, 0.2};
    rope.settings.points[2].position = (tn_vec3){0.6, 0.1, 0.3};
    rope.settings.points[3].position = (tn_vec3){0.1, -0.7, 0.2};
    return rope;
}

typedef struct sight {
    tni_body_motion motions[SLOTS];
    tni_affine_motion affine; // of the second body, where it is
    tni_graph_body bodies[SLOTS];
} sight;

// The bodies at a time, each with a velocity and an angular velocity that stay; an affine one with
// a rate A' that stays.
static void see(double time, bool is_affine, sight *out) {
    static const tni_dvec3 velocities[SLOTS] = {{1.0, -0.5, 0.3}, {0.2, 0.7, -1.1}, {-0.6, 0.1, 0}};
    static const tni_dvec3 turnings[SLOTS] = {{0.8, 0.3, -1.2}, {-0.5, 1.4, 0.6}, {0.2, -0.9, 0.7}};
    static const double rates[3][3] = {{0.3, -0.8, 0.5}, {0.9, -0.2, 0.1}, {-0.4, 0.6, 0.7}};
    for (uint32_t i = 0; i < SLOTS; ++i) {
        double speed = dvec3_length(turnings[i]), half = 0.5 * speed * time;
        tni_dvec3 axis = dvec3_scale(turnings[i], sin(half) / speed);
        tni_body_motion *motion = &out->motions[i];
        motion->position = dvec3_make(2.0 * i + velocities[i].x * time, velocities[i].y * time,
                                      0.5 * i + velocities[i].z * time);
        motion->rotation = dquat_make(axis.x, axis.y, axis.z, cos(half));
        motion->velocity = velocities[i];
        motion->angular_velocity = turnings[i];
        out->bodies[i] = (tni_graph_body){.motion = motion, .center = centers[i]};
    }
    for (int i = 0; i < 9; ++i) {
        out->affine.rate.m[i / 3][i % 3] = rates[i / 3][i % 3];
        out->affine.gradient.m[i / 3][i % 3] = (i % 4 == 0) + time * rates[i / 3][i % 3];
    }
    out->bodies[1].affine = is_affine ? &out->affine : NULL;
}

// n . (v_{i+1} - v_i)
static double speed_of(const tni_rope *rope, const sight *at, const tni_rope_shape *shape,
                       uint32_t piece) {
    double sum = 0.0;
    for (uint32_t end = 0; end < 2; ++end) {
        const tni_graph_body *body = &at->bodies[rope->slots[piece + end]];
        tni_dvec3 turning =
            body->affine != NULL
                ? dmat3_mul_vec(&body->affine->rate,
                                tni_rope_get_local(rope, piece + end, at->bodies))
                : dvec3_cross(body->motion->angular_velocity, shape->arms[piece + end]);
        tni_dvec3 v = dvec3_add(body->motion->velocity, turning);
        sum += (end == 0 ? -1.0 : 1.0) * dvec3_dot(shape->directions[piece], v);
    }
    return sum;
}

static void check_derivatives(const tni_rope *rope, double time, bool is_affine) {
    tni_rope_shape shape[5];
    sight at;
    for (int i = 0; i < 5; ++i) {
        see(time + (i - 2) * STEP, is_affine, &at);
        tni_rope_measure(rope, at.bodies, &shape[i]);
    }
    see(time, is_affine, &at);
    for (uint32_t k = 0; k < 3; ++k) {
        double g[5];
        for (int i = 0; i < 5; ++i) {
            g[i] = shape[i].lengths[k];
        }
        double first = (8.0 * (g[3] - g[1]) - (g[4] - g[0])) / (12.0 * STEP);
        double second = (16.0 * (g[3] + g[1]) - (g[4] + g[0]) - 30.0 * g[2]) / (12.0 * STEP * STEP);
        double speed = speed_of(rope, &at, &shape[2], k);
        double term = tni_rope_get_term(rope, &shape[2], k, at.bodies);
        cr_assert(fabs(first - speed) < 1e-9, "%u: %g, not %g", k, speed, first);
        cr_assert(fabs(second - term) < 1e-7, "%u: %g, not %g", k, term, second);
    }
    cr_assert(is_affine || fabs(shape[2].lengths[1] - sqrt(0.81 + 0.09 + 0.01)) < 1e-12);
}

Test(rope_shape, has_the_derivatives_of_its_pieces) {
    tni_rope rope = rope_make();
    for (int n = 0; n < 10; ++n) {
        check_derivatives(&rope, 0.1 * n, false);
        check_derivatives(&rope, 0.1 * n, true);
    }
}

// A rope that comes from the left and leaves by an angle, with whole turns.
Test(rope_shape, wraps_by_the_bend_that_one_sees_and_whole_turns) {
    for (int i = 0; i <= 20; ++i) {
        double bend = 3.14159265358979323846 * i / 20;
        tni_rope rope = {.piece_count = 2};
        tni_rope_shape shape = {.directions = {{1.0, 0.0, 0.0}, {cos(bend), sin(bend), 0.0}}};
        rope.settings.points[1].friction = 0.4f;
        rope.settings.points[1].turns = (uint32_t)i % 3;
        double wrap = bend + 2.0 * 3.14159265358979323846 * (i % 3);
        double ratio = exp((double)0.4f * wrap);
        cr_assert(fabs(tni_rope_get_wrap(&rope, &shape, 0) - wrap) < 1e-12);
        cr_assert(fabs(tni_rope_get_ratio(&rope, &shape, 0) - ratio) < 1e-12 * ratio);
        rope.settings.points[1].friction = 0.0f;
        cr_assert_eq(tni_rope_get_ratio(&rope, &shape, 0), 1.0);
        rope.settings.points[1].turns = 4000000000u;
        rope.settings.points[1].friction = 1e30f;
        cr_assert(isfinite(tni_rope_get_ratio(&rope, &shape, 0)));
    }
}

Test(rope_shape, has_a_direction_where_a_piece_has_no_length) {
    tni_rope rope = {.piece_count = 1, .slots = {0, 0}};
    tni_rope_shape shape;
    sight at;
    see(0.5, false, &at);
    tni_rope_measure(&rope, at.bodies, &shape);
    cr_assert_eq(shape.lengths[0], 0.0);
    cr_assert_eq(shape.directions[0].x, 1.0);
    cr_assert_eq(tni_rope_get_term(&rope, &shape, 0, at.bodies), 0.0);
}
