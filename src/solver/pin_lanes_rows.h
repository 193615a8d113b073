// solver/pin_lanes_rows.h: rows of four pins at a new pose, a joint in each lane.
//
// For solver/pin_lanes_wide.c: see there. What comes in from the bodies' and joints' records, and
// the rows of hinges and of sliders as joints/hinge_joint.c and joints/slider_joint.c have them.
#ifndef TNI_SOLVER_PIN_LANES_ROWS_H
#define TNI_SOLVER_PIN_LANES_ROWS_H

#include "core/four_vector.h"
#include "core/wide_vector.h"
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

// Of both ends.
TNI_FORCE_INLINE void pins_load_floats(const float *const a[PINS_LANES],
                                       const float *const b[PINS_LANES], uint32_t first,
                                       tni_f8 out[4]) {
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        out[l] = f8_load_halves(a[l] + first, b[l] + first);
    }
    f8_transpose(&out[0], &out[1], &out[2], &out[3]);
}

// One end of each joint.
typedef struct pins_end {
    const tni_body_motion *motion[PINS_LANES];
    const float *numbers[PINS_LANES]; // of the bodies' states
    const tni_frame_vectors *vectors[PINS_LANES];
} pins_end;

// What the bodies are, that of a in the low half.
typedef struct pins_bodies {
    tni_v4 mass;    // 1/m_a + 1/m_b
    tni_s8 inertia; // I^-1
} pins_bodies;

TNI_FORCE_INLINE tni_v4 pins_low(tni_v8 v) {
    return (tni_v4){f8_low(v.x), f8_low(v.y), f8_low(v.z)};
}

TNI_FORCE_INLINE tni_v4 pins_high(tni_v8 v) {
    return (tni_v4){f8_high(v.x), f8_high(v.y), f8_high(v.z)};
}

TNI_FORCE_INLINE tni_v8 pins_join(tni_v4 a, tni_v4 b) {
    return v8_make(f8_join(a.x, b.x), f8_join(a.y, b.y), f8_join(a.z, b.z));
}

TNI_FORCE_INLINE tni_v8 pins_both_to_float(tni_dv4 a, tni_dv4 b) {
    tni_v8 v = {f8_join(d4_to_f4(a.x), d4_to_f4(b.x)), f8_join(d4_to_f4(a.y), d4_to_f4(b.y)),
                f8_join(d4_to_f4(a.z), d4_to_f4(b.z))};
    return v8_flush(v, MATHS_TINY);
}

TNI_FORCE_INLINE tni_v8 pins_load_turning(const pins_end *a, const pins_end *b) {
    tni_f8 w[PINS_LANES];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        w[l] = f8_join(d4_to_f4(d4_load(&a->motion[l]->angular_velocity.x)),
                       d4_to_f4(d4_load(&b->motion[l]->angular_velocity.x)));
    }
    f8_transpose(&w[0], &w[1], &w[2], &w[3]);
    return v8_flush(v8_make(w[0], w[1], w[2]), MATHS_TINY);
}

// The square of the faster body's speed.
TNI_FORCE_INLINE tni_f4 pins_get_turn(const tni_f8 w_and_mass[4]) {
    tni_v8 w = {w_and_mass[0], w_and_mass[1], w_and_mass[2]};
    tni_f8 square = v8_dot(w, w);
    return f4_max(f8_low(square), f8_high(square));
}

TNI_FORCE_INLINE tni_f4 pins_add_halves(tni_f8 x) {
    return f4_add(f8_low(x), f8_high(x));
}

// The numbers of a state that follow w; `first_mass` comes with it.
TNI_FORCE_INLINE void pins_load_bodies(const pins_end *a, const pins_end *b, tni_f8 first_mass,
                                       pins_bodies *bodies) {
    tni_f8 second[4], third[4];
    pins_load_floats(a->numbers, b->numbers, TNI_STATE_W + 4, second);
    pins_load_floats(a->numbers, b->numbers, TNI_STATE_W + 8, third);
    bodies->mass = (tni_v4){pins_add_halves(first_mass), pins_add_halves(second[0]),
                            pins_add_halves(second[1])};
    bodies->inertia = (tni_s8){second[2], second[3], third[0], third[1], third[2], third[3]};
}

typedef struct pins_quat {
    tni_d4 x, y, z, w;
} pins_quat;

TNI_FORCE_INLINE pins_quat pins_load_quat(const tni_dquat *const from[PINS_LANES]) {
    const double *numbers[PINS_LANES] = {&from[0]->x, &from[1]->x, &from[2]->x, &from[3]->x};
    tni_d4 q[4];
    pins_load_doubles(numbers, q);
    return (pins_quat){q[0], q[1], q[2], q[3]};
}

// As tni_turn_make().
TNI_FORCE_INLINE void pins_set_rotation(const pins_quat *q, tni_d4 m[3][3]) {
    tni_d4 x = q->x, y = q->y, z = q->z, w = q->w, one = d4_splat(1.0);
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

TNI_FORCE_INLINE pins_quat pins_load_rotation(const pins_end *end) {
    const tni_dquat *from[PINS_LANES];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        from[l] = &end->motion[l]->rotation;
    }
    return pins_load_quat(from);
}

// b's vector less a's.
TNI_FORCE_INLINE tni_dv4 pins_load_between(const double *const a[PINS_LANES],
                                           const double *const b[PINS_LANES]) {
    tni_d4 d[PINS_LANES];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        d[l] = d4_sub(d4_load(b[l]), d4_load(a[l]));
    }
    d4_transpose(d);
    return (tni_dv4){d[0], d[1], d[2]};
}

TNI_FORCE_INLINE tni_dv4 pins_load_offset(const pins_end *a, const pins_end *b) {
    const double *of_a[PINS_LANES], *of_b[PINS_LANES];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        of_a[l] = &a->motion[l]->position.x;
        of_b[l] = &b->motion[l]->position.x;
    }
    return pins_load_between(of_a, of_b);
}

TNI_FORCE_INLINE tni_v4 pins_load_speed(const pins_end *a, const pins_end *b) {
    const double *of_a[PINS_LANES], *of_b[PINS_LANES];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        of_a[l] = &a->motion[l]->velocity.x;
        of_b[l] = &b->motion[l]->velocity.x;
    }
    return pins_vector_to_float(pins_load_between(of_a, of_b));
}

TNI_FORCE_INLINE tni_dv4 pins_turn(tni_d4 m[3][3], tni_d4 x, tni_d4 y, tni_d4 z) {
    tni_d4 out[3];
    for (int i = 0; i < 3; ++i) {
        out[i] = d4_add_product(d4_mul(m[i][0], x), m[i][1], y);
        out[i] = d4_add_product(out[i], m[i][2], z);
    }
    tni_dv4 v = {out[0], out[1], out[2]};
    return v;
}

// Two vectors of each joint's frame that lie side by side, turned with the body.
TNI_FORCE_INLINE void pins_turn_two(const double *const vectors[PINS_LANES], tni_d4 m[3][3],
                                    tni_dv4 out[2]) {
    const double *second[PINS_LANES];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        second[l] = vectors[l] + 2;
    }
    tni_d4 xy[4], yz[4]; // of x and y, of y and z
    pins_load_doubles(vectors, xy);
    pins_load_doubles(second, yz);
    out[0] = pins_turn(m, xy[0], xy[2], yz[2]);
    out[1] = pins_turn(m, xy[1], xy[3], yz[3]);
}

typedef struct pins_frame {
    pins_quat rotation; // of the body
    tni_dv4 origin, x, y, z;
} pins_frame;

// The frame's origin and axes in the world; y and z if they are asked for.
TNI_FORCE_INLINE pins_frame pins_turn_frame(const pins_end *end, bool has_all) {
    const double *origin_x[PINS_LANES], *y_z[PINS_LANES];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        origin_x[l] = end->vectors[l]->origin_x;
        y_z[l] = end->vectors[l]->y_z;
    }
    tni_d4 m[3][3];
    tni_dv4 first[2], last[2];
    pins_quat rotation = pins_load_rotation(end);
    pins_set_rotation(&rotation, m);
    pins_turn_two(origin_x, m, first);
    last[0] = last[1] = first[1];
    if (has_all) {
        pins_turn_two(y_z, m, last);
    }
    return (pins_frame){rotation, first[0], first[1], last[0], last[1]};
}

// ---- rows -------------------------------------------------------------------------------------

// A mask and what it says as bits.
typedef struct pins_some {
    tni_m4 mask;
    uint32_t bits;
} pins_some;

typedef struct pins_rows {
    tni_v8 r;           // of a in the low half, of b in the high one
    tni_v4 error, term; // of the point: C and Jdot v
    tni_v4 plane[2];    // of those that slide
    tni_v4 axis[3];
    tni_v4 twist; // what bounded rows of hinges are about, where it is asked for
    tni_f4 turn_error[3], turn_term[3];
    uint32_t far; // bits: turned so far apart that the rows are others
} pins_rows;

// From anchor to anchor.
TNI_FORCE_INLINE tni_dv4 pins_get_between(const pins_end *a, const pins_end *b,
                                          const pins_frame *frame_a, const pins_frame *frame_b) {
    return dv4_add(pins_load_offset(a, b), dv4_sub(frame_b->origin, frame_a->origin));
}

// `of_both`: w x r
TNI_FORCE_INLINE void pins_set_point(tni_v8 w, tni_v8 of_both, tni_dv4 between, pins_rows *rows) {
    tni_v8 centripetal = v8_cross(w, of_both);
    rows->error = pins_vector_to_float(between);
    rows->term = v4_sub(pins_high(centripetal), pins_low(centripetal));
}

// Bits of the numbers under the limit.
TNI_FORCE_INLINE uint32_t pins_find_less(tni_d4 numbers, double limit) {
    tni_d4 signs = d4_pick_under(numbers, limit, d4_splat(-1.0), d4_splat(1.0));
    return m4_bits(f4_less(d4_to_f4(signs), f4_splat(0.0f)));
}

// Of a hinge: joints/parts/axis.h.
TNI_FORCE_INLINE void pins_set_axes(tni_v4 w_a, tni_v4 w_b, const pins_frame *frame_a, tni_dv4 x_b,
                                    pins_rows *rows) {
    rows->far = pins_find_less(dv4_dot(frame_a->x, x_b), 0.0);
    const tni_dv4 across[2] = {frame_a->y, frame_a->z};
    tni_v4 x = pins_vector_to_float(x_b), relative = v4_sub(w_b, w_a);
    tni_f4 along = v4_dot(x, relative), along_a = f4_sub(v4_dot(x, w_b), along);
    tni_f4 square = v4_dot(relative, relative), zero = f4_splat(0.0f);
    for (uint32_t k = 0; k < 2; ++k) {
        tni_v4 u = pins_vector_to_float(across[k]);
        tni_f4 error = pins_to_float(dv4_dot(across[k], x_b));
        tni_f4 term = f4_sub(f4_mul(v4_dot(u, w_b), along), f4_mul(along_a, v4_dot(u, relative)));
        rows->turn_error[k] = error;
        rows->turn_term[k] = f4_sub(term, f4_mul(error, square));
        rows->axis[k] = v4_cross(x, u);
        rows->plane[k] = u;
    }
    rows->axis[2] = (tni_v4){zero, zero, zero};
    rows->turn_error[2] = rows->turn_term[2] = zero;
}

// As tni_axis_get_twist_direction() of axes that are less than 90 degrees apart.
TNI_FORCE_INLINE tni_v4 pins_get_twist(tni_dv4 x_a, tni_dv4 x_b) {
    tni_dv4 sum = dv4_add(x_a, x_b);
    tni_d4 scale = d4_div(d4_splat(2.0), dv4_dot(sum, sum));
    return pins_vector_to_float(
        (tni_dv4){d4_mul(sum.x, scale), d4_mul(sum.y, scale), d4_mul(sum.z, scale)});
}

// ---- rows of what slides ----------------------------------------------------------------------

// A vector of the plane from its two numbers.
TNI_FORCE_INLINE tni_v4 pins_from_plane(const tni_v4 plane[2], tni_f4 p, tni_f4 q) {
    return v4_add(v4_scale(p, plane[0]), v4_scale(q, plane[1]));
}

// As tni_point_get_drift(). `speed`: of b's centre less a's.
TNI_FORCE_INLINE tni_v4 pins_get_drift(tni_v8 w, tni_v8 of_both, tni_v4 speed, tni_v4 between) {
    tni_v4 w_a = pins_low(w), of_a = pins_low(of_both), of_b = pins_high(of_both);
    tni_v4 rate = v4_add(speed, v4_sub(of_b, of_a));
    tni_v4 with_a = v4_sub(v4_cross(w_a, between), of_a);
    with_a = v4_sub(with_a, v4_add(rate, rate));
    return v4_add(v4_cross(pins_high(w), of_b), v4_cross(w_a, with_a));
}

// The point's rows are along the plane; the third numbers of error and term are none and zero.
TNI_FORCE_INLINE void pins_set_slide(tni_v8 w, tni_v8 of_both, tni_v4 speed, tni_dv4 between,
                                     const pins_frame *frame_a, tni_m4 slides, pins_rows *rows) {
    tni_v4 drift = pins_get_drift(w, of_both, speed, rows->error);
    tni_f4 zero = f4_splat(0.0f);
    tni_v4 error = {pins_to_float(dv4_dot(frame_a->y, between)),
                    pins_to_float(dv4_dot(frame_a->z, between)), zero};
    tni_v4 term = {v4_dot(rows->plane[0], drift), v4_dot(rows->plane[1], drift), zero};
    rows->error = v4_pick(slides, error, rows->error);
    rows->term = v4_pick(slides, term, rows->term);
}

// The arm of a that slides reaches to the anchor of b.
TNI_FORCE_INLINE void pins_set_reach(tni_dv4 origin, tni_dv4 between, tni_m4 slides,
                                     pins_rows *rows) {
    tni_v4 reach = pins_vector_to_float(dv4_add(origin, between));
    rows->r = pins_join(v4_pick(slides, reach, pins_low(rows->r)), pins_high(rows->r));
}

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

// As tni_angle_measure_relative(), the sign of q.w as the product has it.
TNI_FORCE_INLINE pins_quat pins_measure_relative(tni_joint_block *const *blocks,
                                                 const pins_quat *body_a, const pins_quat *body_b) {
    const tni_dquat *of_a[PINS_LANES], *of_b[PINS_LANES];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        of_a[l] = &blocks[l]->joint->frame_a.rotation;
        of_b[l] = &blocks[l]->joint->frame_b.rotation;
    }
    pins_quat frame_a = pins_load_quat(of_a), frame_b = pins_load_quat(of_b);
    pins_quat a = pins_quat_mul(body_a, &frame_a), b = pins_quat_mul(body_b, &frame_b);
    tni_d4 zero = d4_splat(0.0);
    a.x = d4_sub(zero, a.x);
    a.y = d4_sub(zero, a.y);
    a.z = d4_sub(zero, a.z);
    return pins_quat_mul(&a, &b);
}

// Of a slider: joints/parts/angle.c.
TNI_FORCE_INLINE void pins_set_angles(tni_v4 w_a, tni_v4 w_b, tni_dv4 x_a, const pins_quat *q,
                                      const pins_some *slides, pins_rows *rows) {
    tni_d4 sign = d4_pick_under(q->w, 0.0, d4_splat(-1.0), d4_splat(1.0)), w = d4_mul(sign, q->w);
    uint32_t far = pins_find_less(w, TNI_ANGLE_FAR_COSINE);
    tni_v4 part =
        pins_vector_to_float((tni_dv4){d4_mul(sign, q->x), d4_mul(sign, q->y), d4_mul(sign, q->z)});
    const tni_v4 axes[3] = {pins_vector_to_float(x_a), rows->plane[0], rows->plane[1]};
    tni_v4 v = v4_mul_columns(axes, part);
    tni_v4 relative = v4_sub(w_b, w_a), turning = v4_cross(relative, w_a);
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

// ---- all --------------------------------------------------------------------------------------

typedef struct pins_all {
    tni_joint_block *blocks[PINS_LANES];
    tni_pin_block *pins[PINS_LANES];
    pins_end a, b;
    pins_some slides;
    bool turns_rows; // some turn their bounded rows
} pins_all;

// With hinges alone there are two turns and no plane.
TNI_FORCE_INLINE void pins_set_rows(const pins_all *all, uint32_t turns, pins_rows *rows) {
    const pins_end *a = &all->a, *b = &all->b;
    pins_frame frame_b = pins_turn_frame(b, false), frame_a = pins_turn_frame(a, true);
    tni_dv4 between = pins_get_between(a, b, &frame_a, &frame_b);
    tni_v8 w = pins_load_turning(a, b);
    rows->r = pins_both_to_float(frame_a.origin, frame_b.origin);
    tni_v8 of_both = v8_cross(w, rows->r);
    pins_set_point(w, of_both, between, rows);
    pins_set_axes(pins_low(w), pins_high(w), &frame_a, frame_b.x, rows);
    if (all->turns_rows) {
        rows->twist = pins_get_twist(frame_a.x, frame_b.x);
    }
    if (turns > 2) {
        tni_v4 speed = pins_load_speed(a, b);
        pins_set_slide(w, of_both, speed, between, &frame_a, all->slides.mask, rows);
        pins_set_reach(frame_a.origin, between, all->slides.mask, rows);
        pins_quat q = pins_measure_relative(all->blocks, &frame_a.rotation, &frame_b.rotation);
        pins_set_angles(pins_low(w), pins_high(w), frame_a.x, &q, &all->slides, rows);
    }
}

#endif
