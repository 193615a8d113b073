// solver/pin_lanes_rows.h: rows of four pins at a new pose, a joint in each lane.
//
// For solver/pin_lanes_wide.c: see there. What comes in from the bodies' and joints' records, and
// the rows of hinges and of sliders as joints/hinge_joint.c and joints/slider_joint.c have them.
#ifndef TNI_SOLVER_PIN_LANES_ROWS_H
#define TNI_SOLVER_PIN_LANES_ROWS_H

#include "core/four_vector.h"
#include "joints/parts/angle.h"
#include "solver/pin_lanes.h"

// ---- in ---------------------------------------------------------------------------------------

// As rows see numbers: see MATHS_TINY.
TNI_FORCE_INLINE tni_f4 pins_to_float(tni_d4 x) {
    return f4_flush(d4_to_f4(x), MATHS_TINY);
}

TNI_FORCE_INLINE tni_v4 pins_vector_to_float(tni_dv4 v) {
    tni_v4 f = {pins_to_float(v.x), pins_to_float(v.y), pins_to_float(v.z)};
    return f;
}

// Four numbers of each joint, turned to lanes.
TNI_FORCE_INLINE void pins_load_doubles(const double *const from[PINS_LANES], tni_d4 out[4]) {
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        out[l] = d4_load(from[l]);
    }
    d4_transpose(out);
}

TNI_FORCE_INLINE void pins_load_floats(const float *const from[PINS_LANES], uint32_t first,
                                       tni_f4 out[4]) {
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        out[l] = f4_load(from[l] + first);
    }
    f4_transpose(&out[0], &out[1], &out[2], &out[3]);
}

// One end of each joint.
typedef struct pins_ends {
    const tni_body_motion *motion[PINS_LANES];
    const float *numbers[PINS_LANES]; // of the bodies' states
    const tni_frame_vectors *vectors[PINS_LANES];
} pins_ends;

typedef struct pins_body {
    tni_dv4 position; // m
    tni_dv4 velocity; // m/s, where it is asked for
    tni_d4 m[3][3];   // rotation
    tni_v4 w;         // rad/s
    tni_v4 inv_mass, inertia[3];
} pins_body;

// As tni_turn_make().
TNI_FORCE_INLINE void pins_set_rotation(const tni_d4 q[4], tni_d4 m[3][3]) {
    tni_d4 x = q[0], y = q[1], z = q[2], w = q[3], one = d4_splat(1.0);
    tni_d4 x2 = d4_add(x, x), y2 = d4_add(y, y), z2 = d4_add(z, z);
    tni_d4 xx = d4_mul(x, x2), yy = d4_mul(y, y2), zz = d4_mul(z, z2);
    tni_d4 xy = d4_mul(x, y2), xz = d4_mul(x, z2), yz = d4_mul(y, z2);
    tni_d4 wx = d4_mul(w, x2), wy = d4_mul(w, y2), wz = d4_mul(w, z2);
    m[0][0] = d4_sub(one, d4_add(yy, zz));
    m[0][1] = d4_sub(xy, wz);
    m[0][2] = d4_add(xz, wy);
    m[1][0] = d4_add(xy, wz);
    m[1][1] = d4_sub(one, d4_add(xx, zz));
    m[1][2] = d4_sub(yz, wx);
    m[2][0] = d4_sub(xz, wy);
    m[2][1] = d4_add(yz, wx);
    m[2][2] = d4_sub(one, d4_add(xx, yy));
}

TNI_FORCE_INLINE void pins_load_body(const pins_ends *ends, bool has_velocity, pins_body *body) {
    const double *position[PINS_LANES], *rotation[PINS_LANES], *turn[PINS_LANES];
    const double *velocity[PINS_LANES];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        position[l] = &ends->motion[l]->position.x;
        rotation[l] = &ends->motion[l]->rotation.x;
        velocity[l] = &ends->motion[l]->velocity.x;
        turn[l] = &ends->motion[l]->angular_velocity.x;
    }
    tni_d4 d[4];
    pins_load_doubles(rotation, d);
    pins_set_rotation(d, body->m);
    pins_load_doubles(position, d);
    body->position = body->velocity = (tni_dv4){d[0], d[1], d[2]};
    if (has_velocity) {
        pins_load_doubles(velocity, d);
        body->velocity = (tni_dv4){d[0], d[1], d[2]};
    }
    pins_load_doubles(turn, d);
    body->w = pins_vector_to_float((tni_dv4){d[0], d[1], d[2]});
    tni_f4 mass[4], low[4], high[4]; // xx, yy, zz, xy; zz, xy, xz, yz
    pins_load_floats(ends->numbers, TNI_STATE_INV_MASS, mass);
    pins_load_floats(ends->numbers, TNI_STATE_INV_INERTIA, low);
    pins_load_floats(ends->numbers, TNI_STATE_INV_INERTIA + 2, high);
    body->inv_mass = (tni_v4){mass[0], mass[1], mass[2]};
    body->inertia[0] = (tni_v4){low[0], low[3], high[2]};
    body->inertia[1] = (tni_v4){low[3], low[1], high[3]};
    body->inertia[2] = (tni_v4){high[2], high[3], low[2]};
}

TNI_FORCE_INLINE tni_dv4 pins_turn(const tni_d4 m[3][3], tni_d4 x, tni_d4 y, tni_d4 z) {
    tni_d4 out[3];
    for (int i = 0; i < 3; ++i) {
        out[i] = d4_add_product(d4_mul(m[i][0], x), m[i][1], y);
        out[i] = d4_add_product(out[i], m[i][2], z);
    }
    tni_dv4 v = {out[0], out[1], out[2]};
    return v;
}

// The frame's origin and axes, turned with the body; y and z if they are asked for.
typedef struct pins_frame {
    tni_dv4 origin, x, y, z;
} pins_frame;

TNI_FORCE_INLINE pins_frame pins_turn_frame(const pins_ends *ends, const pins_body *body,
                                            bool has_all) {
    const double *first[PINS_LANES], *second[PINS_LANES], *third[PINS_LANES];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        first[l] = ends->vectors[l]->origin_x;
        second[l] = ends->vectors[l]->origin_x + 2;
        third[l] = ends->vectors[l]->y_z;
    }
    pins_frame frame;
    tni_d4 xy[4], yz[4]; // origin and x side by side: of x and y, of y and z; then y and z
    pins_load_doubles(first, xy);
    pins_load_doubles(second, yz);
    frame.origin = pins_turn(body->m, xy[0], xy[2], yz[2]);
    frame.x = pins_turn(body->m, xy[1], xy[3], yz[3]);
    frame.y = frame.z = frame.x;
    if (has_all) {
        for (uint32_t l = 0; l < PINS_LANES; ++l) {
            second[l] = ends->vectors[l]->y_z + 2;
        }
        pins_load_doubles(third, xy);
        pins_load_doubles(second, yz);
        frame.y = pins_turn(body->m, xy[0], xy[2], yz[2]);
        frame.z = pins_turn(body->m, xy[1], xy[3], yz[3]);
    }
    return frame;
}

// ---- rows -------------------------------------------------------------------------------------

// A mask and what it says as bits.
typedef struct pins_some {
    tni_m4 mask;
    uint32_t bits;
} pins_some;

typedef struct pins_rows {
    tni_v4 r_a, r_b, error, term; // of the point: C and Jdot v
    tni_v4 plane[2];              // of those that slide
    tni_v4 axis[3];
    tni_f4 turn_error[3], turn_term[3];
    uint32_t far; // bits: turned so far apart that the rows are others
} pins_rows;

// w x (w x r)
TNI_FORCE_INLINE tni_v4 pins_get_centripetal(tni_v4 w, tni_v4 r) {
    return v4_cross(w, v4_cross(w, r));
}

// From anchor to anchor.
TNI_FORCE_INLINE tni_dv4 pins_get_between(const pins_body *a, const pins_body *b, tni_dv4 arm_a,
                                          tni_dv4 arm_b) {
    return dv4_add(dv4_sub(b->position, a->position), dv4_sub(arm_b, arm_a));
}

TNI_FORCE_INLINE void pins_set_point(const pins_body *a, const pins_body *b, tni_dv4 arm_a,
                                     tni_dv4 arm_b, pins_rows *rows) {
    rows->r_a = pins_vector_to_float(arm_a);
    rows->r_b = pins_vector_to_float(arm_b);
    rows->error = pins_vector_to_float(pins_get_between(a, b, arm_a, arm_b));
    rows->term =
        v4_sub(pins_get_centripetal(b->w, rows->r_b), pins_get_centripetal(a->w, rows->r_a));
}

TNI_FORCE_INLINE uint32_t pins_find_less(tni_d4 numbers, double limit) {
    double n[PINS_LANES];
    uint32_t bits = 0;
    d4_store(n, numbers);
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        bits |= (n[l] < limit ? 1u : 0u) << l;
    }
    return bits;
}

// Of a hinge: joints/parts/axis.h.
TNI_FORCE_INLINE void pins_set_axes(const pins_body *a, const pins_body *b,
                                    const pins_frame *frame_a, tni_dv4 x_b, pins_rows *rows) {
    rows->far = pins_find_less(dv4_dot(frame_a->x, x_b), 0.0);
    const tni_dv4 across[2] = {frame_a->y, frame_a->z};
    tni_v4 x = pins_vector_to_float(x_b), relative = v4_sub(b->w, a->w);
    tni_f4 along = v4_dot(x, relative), along_a = f4_sub(v4_dot(x, b->w), along);
    tni_f4 square = v4_dot(relative, relative), zero = f4_splat(0.0f);
    for (uint32_t k = 0; k < 2; ++k) {
        tni_v4 u = pins_vector_to_float(across[k]);
        tni_f4 error = pins_to_float(dv4_dot(across[k], x_b));
        tni_f4 term = f4_sub(f4_mul(v4_dot(u, b->w), along), f4_mul(along_a, v4_dot(u, relative)));
        rows->turn_error[k] = error;
        rows->turn_term[k] = f4_sub(term, f4_mul(error, square));
        rows->axis[k] = v4_cross(x, u);
    }
    rows->axis[2] = (tni_v4){zero, zero, zero};
    rows->turn_error[2] = rows->turn_term[2] = zero;
}

// ---- rows of what slides ----------------------------------------------------------------------

// A vector of the plane from its two numbers.
TNI_FORCE_INLINE tni_v4 pins_from_plane(const tni_v4 plane[2], tni_f4 p, tni_f4 q) {
    return v4_add(v4_scale(p, plane[0]), v4_scale(q, plane[1]));
}

// As tni_point_get_drift().
TNI_FORCE_INLINE tni_v4 pins_get_drift(const pins_body *a, const pins_body *b, tni_v4 arm_a,
                                       tni_v4 arm_b, tni_v4 between) {
    tni_v4 of_a = v4_cross(a->w, arm_a), of_b = v4_cross(b->w, arm_b);
    tni_v4 rate =
        v4_add(pins_vector_to_float(dv4_sub(b->velocity, a->velocity)), v4_sub(of_b, of_a));
    tni_v4 with_a = v4_sub(v4_cross(a->w, between), of_a);
    with_a = v4_sub(with_a, v4_add(rate, rate));
    return v4_add(v4_cross(b->w, of_b), v4_cross(a->w, with_a));
}

// The third numbers of error and term are no rows of the plane and zero.
TNI_FORCE_INLINE void pins_set_slide(const pins_body *a, const pins_body *b,
                                     const pins_frame *frame_a, tni_dv4 arm_b, tni_m4 slides,
                                     pins_rows *rows) {
    tni_dv4 d = pins_get_between(a, b, frame_a->origin, arm_b);
    tni_v4 drift = pins_get_drift(a, b, rows->r_a, rows->r_b, pins_vector_to_float(d));
    rows->plane[0] = pins_vector_to_float(frame_a->y);
    rows->plane[1] = pins_vector_to_float(frame_a->z);
    tni_v4 error = {pins_to_float(dv4_dot(frame_a->y, d)), pins_to_float(dv4_dot(frame_a->z, d)),
                    f4_splat(0.0f)};
    tni_v4 term = {v4_dot(rows->plane[0], drift), v4_dot(rows->plane[1], drift), f4_splat(0.0f)};
    tni_v4 reach = pins_vector_to_float(dv4_add(frame_a->origin, d));
    rows->r_a = v4_pick(slides, reach, rows->r_a);
    rows->error = v4_pick(slides, error, rows->error);
    rows->term = v4_pick(slides, term, rows->term);
}

typedef struct pins_quat {
    tni_d4 x, y, z, w;
} pins_quat;

// As dquat_mul().
TNI_FORCE_INLINE pins_quat pins_quat_mul(const pins_quat *a, const pins_quat *b) {
    pins_quat q = {
        d4_sub(d4_add(d4_add(d4_mul(a->w, b->x), d4_mul(a->x, b->w)), d4_mul(a->y, b->z)),
               d4_mul(a->z, b->y)),
        d4_add(d4_add(d4_sub(d4_mul(a->w, b->y), d4_mul(a->x, b->z)), d4_mul(a->y, b->w)),
               d4_mul(a->z, b->x)),
        d4_add(d4_sub(d4_add(d4_mul(a->w, b->z), d4_mul(a->x, b->y)), d4_mul(a->y, b->x)),
               d4_mul(a->z, b->w)),
        d4_sub(d4_sub(d4_sub(d4_mul(a->w, b->w), d4_mul(a->x, b->x)), d4_mul(a->y, b->y)),
               d4_mul(a->z, b->z))};
    return q;
}

TNI_FORCE_INLINE pins_quat pins_load_quat(const tni_dquat *const from[PINS_LANES]) {
    const double *numbers[PINS_LANES] = {&from[0]->x, &from[1]->x, &from[2]->x, &from[3]->x};
    tni_d4 q[4];
    pins_load_doubles(numbers, q);
    return (pins_quat){q[0], q[1], q[2], q[3]};
}

// The rotation of a frame in the world.
TNI_FORCE_INLINE pins_quat pins_turn_quat(const pins_ends *ends, const tni_dpose *const frames[]) {
    const tni_dquat *bodies[PINS_LANES], *own[PINS_LANES];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        bodies[l] = &ends->motion[l]->rotation;
        own[l] = &frames[l]->rotation;
    }
    pins_quat body = pins_load_quat(bodies), frame = pins_load_quat(own);
    return pins_quat_mul(&body, &frame);
}

// As tni_angle_measure_relative(), the sign of q.w as the product has it.
TNI_FORCE_INLINE pins_quat pins_measure_relative(tni_joint_block *const *blocks,
                                                 const pins_ends *at_a, const pins_ends *at_b) {
    const tni_dpose *frames_a[PINS_LANES], *frames_b[PINS_LANES];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        frames_a[l] = &blocks[l]->joint->frame_a;
        frames_b[l] = &blocks[l]->joint->frame_b;
    }
    pins_quat a = pins_turn_quat(at_a, frames_a), b = pins_turn_quat(at_b, frames_b);
    tni_d4 zero = d4_splat(0.0);
    a.x = d4_sub(zero, a.x);
    a.y = d4_sub(zero, a.y);
    a.z = d4_sub(zero, a.z);
    return pins_quat_mul(&a, &b);
}

// 1, or -1 where a number is below zero.
TNI_FORCE_INLINE tni_d4 pins_get_sign(tni_d4 numbers) {
    double n[PINS_LANES];
    d4_store(n, numbers);
    return d4_make(n[0] < 0.0 ? -1.0 : 1.0, n[1] < 0.0 ? -1.0 : 1.0, n[2] < 0.0 ? -1.0 : 1.0,
                   n[3] < 0.0 ? -1.0 : 1.0);
}

// Of a slider: joints/parts/angle.c.
TNI_FORCE_INLINE void pins_set_angles(const pins_body *a, const pins_body *b,
                                      const pins_frame *frame_a, const pins_quat *q,
                                      const pins_some *slides, pins_rows *rows) {
    tni_d4 sign = pins_get_sign(q->w), w = d4_mul(sign, q->w);
    uint32_t far = pins_find_less(w, TNI_ANGLE_FAR_COSINE);
    tni_v4 part =
        pins_vector_to_float((tni_dv4){d4_mul(sign, q->x), d4_mul(sign, q->y), d4_mul(sign, q->z)});
    const tni_v4 axes[3] = {pins_vector_to_float(frame_a->x), rows->plane[0], rows->plane[1]};
    tni_v4 v = v4_mul_columns(axes, part);
    tni_v4 relative = v4_sub(b->w, a->w), turning = v4_cross(relative, a->w);
    tni_f4 slowing = f4_mul(f4_splat(0.5f), v4_dot(relative, relative)), cosine = d4_to_f4(w);
    const tni_f4 parts[3] = {part.x, part.y, part.z};
    for (uint32_t k = 0; k < 3; ++k) {
        tni_v4 axis = v4_add(v4_cross(v, axes[k]), v4_scale(cosine, axes[k]));
        tni_f4 term = f4_sub(v4_dot(axis, turning), f4_mul(slowing, parts[k]));
        rows->axis[k] = v4_pick(slides->mask, axis, rows->axis[k]);
        rows->turn_error[k] =
            f4_pick(slides->mask, f4_add(parts[k], parts[k]), rows->turn_error[k]);
        rows->turn_term[k] = f4_pick(slides->mask, term, rows->turn_term[k]);
    }
    rows->far = (rows->far & ~slides->bits) | (far & slides->bits);
}

#endif
