// solver/pin_lanes_wide.c: rows, K^-1 and responses of four pins at a new pose.
//
// What joints/hinge_joint.c, joints/slider_joint.c and solver/pin.c work out for one joint, vector
// by vector, is here worked out number by number, a joint in each lane: the same sums in the same
// order, so the same bits. See there for what they mean; symbols are those of solver/pin.h,
// joints/parts/axis.h and angle.c. Where hinges and sliders are among the four, lanes go both ways
// and each keeps its own; the third turn that a hinge has not is zero. Lanes that no joint is in
// follow the first one, and what they come to is dropped.
// Test: tests/solver/test_pin_lanes.c
#include "solver/pin_lanes.h"

#include <float.h>

#include "core/wide_double.h"
#include "joints/parts/angle.h"
#include "solver/dense.h"
#include "solver/pin.h"

// A vector in each lane.
typedef struct pins_vector {
    tni_f4 x, y, z;
} pins_vector;

typedef struct pins_dvector {
    tni_d4 x, y, z;
} pins_dvector;

// ---- vectors ----------------------------------------------------------------------------------

TNI_FORCE_INLINE tni_f4 pins_dot(pins_vector a, pins_vector b) {
    tni_f4 sum = f4_add_product(f4_mul(a.x, b.x), a.y, b.y);
    return f4_add_product(sum, a.z, b.z);
}

TNI_FORCE_INLINE pins_vector pins_cross(pins_vector a, pins_vector b) {
    pins_vector c = {f4_sub(f4_mul(a.y, b.z), f4_mul(a.z, b.y)),
                     f4_sub(f4_mul(a.z, b.x), f4_mul(a.x, b.z)),
                     f4_sub(f4_mul(a.x, b.y), f4_mul(a.y, b.x))};
    return c;
}

TNI_FORCE_INLINE pins_vector pins_add(pins_vector a, pins_vector b) {
    pins_vector c = {f4_add(a.x, b.x), f4_add(a.y, b.y), f4_add(a.z, b.z)};
    return c;
}

TNI_FORCE_INLINE pins_vector pins_sub(pins_vector a, pins_vector b) {
    pins_vector c = {f4_sub(a.x, b.x), f4_sub(a.y, b.y), f4_sub(a.z, b.z)};
    return c;
}

TNI_FORCE_INLINE pins_vector pins_scale(tni_f4 s, pins_vector a) {
    pins_vector c = {f4_mul(s, a.x), f4_mul(s, a.y), f4_mul(s, a.z)};
    return c;
}

// a - s b
TNI_FORCE_INLINE pins_vector pins_sub_scaled(pins_vector a, tni_f4 s, pins_vector b) {
    return pins_sub(a, pins_scale(s, b));
}

// The sum of three columns times the numbers of v.
TNI_FORCE_INLINE pins_vector pins_mul_columns(const pins_vector c[3], pins_vector v) {
    pins_vector sum = pins_add(pins_scale(v.x, c[0]), pins_scale(v.y, c[1]));
    return pins_add(sum, pins_scale(v.z, c[2]));
}

TNI_FORCE_INLINE tni_d4 pins_double_dot(pins_dvector a, pins_dvector b) {
    tni_d4 sum = d4_add_product(d4_mul(a.x, b.x), a.y, b.y);
    return d4_add_product(sum, a.z, b.z);
}

// As rows see numbers: see MATHS_TINY.
TNI_FORCE_INLINE tni_f4 pins_to_float(tni_d4 x) {
    return f4_flush(d4_to_f4(x), MATHS_TINY);
}

TNI_FORCE_INLINE pins_vector pins_vector_to_float(pins_dvector v) {
    pins_vector f = {pins_to_float(v.x), pins_to_float(v.y), pins_to_float(v.z)};
    return f;
}

// ---- in ---------------------------------------------------------------------------------------

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
    pins_dvector position; // m
    pins_dvector velocity; // m/s, where it is asked for
    tni_d4 m[3][3];        // rotation
    pins_vector w;         // rad/s
    pins_vector inv_mass, inertia[3];
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
    body->position = body->velocity = (pins_dvector){d[0], d[1], d[2]};
    if (has_velocity) {
        pins_load_doubles(velocity, d);
        body->velocity = (pins_dvector){d[0], d[1], d[2]};
    }
    pins_load_doubles(turn, d);
    body->w = pins_vector_to_float((pins_dvector){d[0], d[1], d[2]});
    tni_f4 mass[4], low[4], high[4]; // xx, yy, zz, xy; zz, xy, xz, yz
    pins_load_floats(ends->numbers, TNI_STATE_INV_MASS, mass);
    pins_load_floats(ends->numbers, TNI_STATE_INV_INERTIA, low);
    pins_load_floats(ends->numbers, TNI_STATE_INV_INERTIA + 2, high);
    body->inv_mass = (pins_vector){mass[0], mass[1], mass[2]};
    body->inertia[0] = (pins_vector){low[0], low[3], high[2]};
    body->inertia[1] = (pins_vector){low[3], low[1], high[3]};
    body->inertia[2] = (pins_vector){high[2], high[3], low[2]};
}

TNI_FORCE_INLINE pins_dvector pins_turn(const tni_d4 m[3][3], tni_d4 x, tni_d4 y, tni_d4 z) {
    tni_d4 out[3];
    for (int i = 0; i < 3; ++i) {
        out[i] = d4_add_product(d4_mul(m[i][0], x), m[i][1], y);
        out[i] = d4_add_product(out[i], m[i][2], z);
    }
    pins_dvector v = {out[0], out[1], out[2]};
    return v;
}

// The frame's origin and axes, turned with the body; y and z if they are asked for.
typedef struct pins_frame {
    pins_dvector origin, x, y, z;
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
    pins_vector r_a, r_b, error, term; // of the point: C and Jdot v
    pins_vector plane[2];              // of those that slide
    pins_vector axis[3];
    tni_f4 turn_error[3], turn_term[3];
    uint32_t far; // bits: turned so far apart that the rows are others
} pins_rows;

// w x (w x r)
TNI_FORCE_INLINE pins_vector pins_get_centripetal(pins_vector w, pins_vector r) {
    return pins_cross(w, pins_cross(w, r));
}

TNI_FORCE_INLINE pins_dvector pins_double_add(pins_dvector a, pins_dvector b) {
    pins_dvector c = {d4_add(a.x, b.x), d4_add(a.y, b.y), d4_add(a.z, b.z)};
    return c;
}

TNI_FORCE_INLINE pins_dvector pins_double_sub(pins_dvector a, pins_dvector b) {
    pins_dvector c = {d4_sub(a.x, b.x), d4_sub(a.y, b.y), d4_sub(a.z, b.z)};
    return c;
}

// From anchor to anchor.
TNI_FORCE_INLINE pins_dvector pins_get_between(const pins_body *a, const pins_body *b,
                                               pins_dvector arm_a, pins_dvector arm_b) {
    return pins_double_add(pins_double_sub(b->position, a->position),
                           pins_double_sub(arm_b, arm_a));
}

TNI_FORCE_INLINE void pins_set_point(const pins_body *a, const pins_body *b, pins_dvector arm_a,
                                     pins_dvector arm_b, pins_rows *rows) {
    rows->r_a = pins_vector_to_float(arm_a);
    rows->r_b = pins_vector_to_float(arm_b);
    rows->error = pins_vector_to_float(pins_get_between(a, b, arm_a, arm_b));
    rows->term =
        pins_sub(pins_get_centripetal(b->w, rows->r_b), pins_get_centripetal(a->w, rows->r_a));
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
                                    const pins_frame *frame_a, pins_dvector x_b, pins_rows *rows) {
    rows->far = pins_find_less(pins_double_dot(frame_a->x, x_b), 0.0);
    const pins_dvector across[2] = {frame_a->y, frame_a->z};
    pins_vector x = pins_vector_to_float(x_b), relative = pins_sub(b->w, a->w);
    tni_f4 along = pins_dot(x, relative), along_a = f4_sub(pins_dot(x, b->w), along);
    tni_f4 square = pins_dot(relative, relative), zero = f4_splat(0.0f);
    for (uint32_t k = 0; k < 2; ++k) {
        pins_vector u = pins_vector_to_float(across[k]);
        tni_f4 error = pins_to_float(pins_double_dot(across[k], x_b));
        tni_f4 term =
            f4_sub(f4_mul(pins_dot(u, b->w), along), f4_mul(along_a, pins_dot(u, relative)));
        rows->turn_error[k] = error;
        rows->turn_term[k] = f4_sub(term, f4_mul(error, square));
        rows->axis[k] = pins_cross(x, u);
    }
    rows->axis[2] = (pins_vector){zero, zero, zero};
    rows->turn_error[2] = rows->turn_term[2] = zero;
}

// ---- rows of what slides ----------------------------------------------------------------------

TNI_FORCE_INLINE pins_vector pins_pick(tni_m4 mask, pins_vector a, pins_vector b) {
    pins_vector c = {f4_pick(mask, a.x, b.x), f4_pick(mask, a.y, b.y), f4_pick(mask, a.z, b.z)};
    return c;
}

// A vector of the plane from its two numbers.
TNI_FORCE_INLINE pins_vector pins_from_plane(const pins_vector plane[2], tni_f4 p, tni_f4 q) {
    return pins_add(pins_scale(p, plane[0]), pins_scale(q, plane[1]));
}

// As tni_point_get_drift().
TNI_FORCE_INLINE pins_vector pins_get_drift(const pins_body *a, const pins_body *b,
                                            pins_vector arm_a, pins_vector arm_b,
                                            pins_vector between) {
    pins_vector of_a = pins_cross(a->w, arm_a), of_b = pins_cross(b->w, arm_b);
    pins_vector rate = pins_add(pins_vector_to_float(pins_double_sub(b->velocity, a->velocity)),
                                pins_sub(of_b, of_a));
    pins_vector with_a = pins_sub(pins_cross(a->w, between), of_a);
    with_a = pins_sub(with_a, pins_add(rate, rate));
    return pins_add(pins_cross(b->w, of_b), pins_cross(a->w, with_a));
}

// The third numbers of error and term are no rows of the plane and zero.
TNI_FORCE_INLINE void pins_set_slide(const pins_body *a, const pins_body *b,
                                     const pins_frame *frame_a, pins_dvector arm_b, tni_m4 slides,
                                     pins_rows *rows) {
    pins_dvector d = pins_get_between(a, b, frame_a->origin, arm_b);
    pins_vector drift = pins_get_drift(a, b, rows->r_a, rows->r_b, pins_vector_to_float(d));
    rows->plane[0] = pins_vector_to_float(frame_a->y);
    rows->plane[1] = pins_vector_to_float(frame_a->z);
    pins_vector error = {pins_to_float(pins_double_dot(frame_a->y, d)),
                         pins_to_float(pins_double_dot(frame_a->z, d)), f4_splat(0.0f)};
    pins_vector term = {pins_dot(rows->plane[0], drift), pins_dot(rows->plane[1], drift),
                        f4_splat(0.0f)};
    pins_vector reach = pins_vector_to_float(pins_double_add(frame_a->origin, d));
    rows->r_a = pins_pick(slides, reach, rows->r_a);
    rows->error = pins_pick(slides, error, rows->error);
    rows->term = pins_pick(slides, term, rows->term);
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
    pins_vector part = pins_vector_to_float(
        (pins_dvector){d4_mul(sign, q->x), d4_mul(sign, q->y), d4_mul(sign, q->z)});
    const pins_vector axes[3] = {pins_vector_to_float(frame_a->x), rows->plane[0], rows->plane[1]};
    pins_vector v = pins_mul_columns(axes, part);
    pins_vector relative = pins_sub(b->w, a->w), turning = pins_cross(relative, a->w);
    tni_f4 slowing = f4_mul(f4_splat(0.5f), pins_dot(relative, relative)), cosine = d4_to_f4(w);
    const tni_f4 parts[3] = {part.x, part.y, part.z};
    for (uint32_t k = 0; k < 3; ++k) {
        pins_vector axis = pins_add(pins_cross(v, axes[k]), pins_scale(cosine, axes[k]));
        tni_f4 term = f4_sub(pins_dot(axis, turning), f4_mul(slowing, parts[k]));
        rows->axis[k] = pins_pick(slides->mask, axis, rows->axis[k]);
        rows->turn_error[k] =
            f4_pick(slides->mask, f4_add(parts[k], parts[k]), rows->turn_error[k]);
        rows->turn_term[k] = f4_pick(slides->mask, term, rows->turn_term[k]);
    }
    rows->far = (rows->far & ~slides->bits) | (far & slides->bits);
}

// ---- K^-1 -------------------------------------------------------------------------------------

typedef struct pins_matrix {
    pins_vector spin_a[3], spin_b[3], turn_spin_a[3], turn_spin_b[3];
    pins_vector inverse[3], to_point[3]; // columns
    pins_vector turns[3];                // of the turns' block
    tni_m4 is_sound;
} pins_matrix;

// I^-1 (r x e_j) and I^-1 u_k
TNI_FORCE_INLINE void pins_set_spins(const pins_vector inertia[3], pins_vector r,
                                     const pins_vector *axis, uint32_t turns, pins_vector spin[3],
                                     pins_vector *turn_spin) {
    spin[0] = pins_sub_scaled(pins_scale(r.z, inertia[1]), r.y, inertia[2]);
    spin[1] = pins_sub_scaled(pins_scale(r.x, inertia[2]), r.z, inertia[0]);
    spin[2] = pins_sub_scaled(pins_scale(r.y, inertia[0]), r.x, inertia[1]);
    for (uint32_t k = 0; k < turns; ++k) {
        turn_spin[k] = pins_mul_columns(inertia, axis[k]);
    }
}

TNI_FORCE_INLINE pins_vector pins_couple(const pins_rows *rows, pins_vector s_a, pins_vector s_b) {
    return pins_add(pins_cross(s_b, rows->r_b), pins_cross(s_a, rows->r_a));
}

TNI_FORCE_INLINE tni_m4 pins_is_above(tni_f4 x, tni_f4 floor) {
    return m4_and(f4_less(floor, x), f4_less(f4_splat(FLT_MIN), x));
}

// The inverse of three symmetric columns; the mask says where no pivot is round-off of `diagonal`.
TNI_FORCE_INLINE tni_m4 pins_invert_three(const pins_vector c[3], pins_vector diagonal,
                                          pins_vector inverse[3]) {
    pins_vector x = pins_cross(c[1], c[2]), y = pins_cross(c[2], c[0]);
    pins_vector z = pins_cross(c[0], c[1]);
    tni_f4 first = c[0].x, second = z.z, det = pins_dot(c[0], x);
    tni_f4 floor = f4_splat(DENSE_PIVOT_FLOOR), scale = f4_div(f4_splat(1.0f), det);
    tni_m4 is_sound = pins_is_above(first, f4_mul(floor, diagonal.x));
    is_sound = m4_and(is_sound, pins_is_above(second, f4_mul(f4_mul(floor, first), diagonal.y)));
    is_sound = m4_and(is_sound, pins_is_above(det, f4_mul(f4_mul(floor, second), diagonal.z)));
    inverse[0] = pins_scale(scale, x);
    inverse[1] = pins_scale(scale, y);
    inverse[2] = pins_scale(scale, z);
    return is_sound;
}

// P
TNI_FORCE_INLINE void pins_invert_point(const pins_vector c[3], pins_matrix *k) {
    k->is_sound = pins_invert_three(c, (pins_vector){c[0].x, c[1].y, c[2].z}, k->inverse);
}

// P of a plane.
TNI_FORCE_INLINE void pins_invert_plane(const pins_vector c[3], const pins_vector plane[2],
                                        tni_m4 slides, pins_matrix *k) {
    pins_vector first = pins_mul_columns(c, plane[0]), second = pins_mul_columns(c, plane[1]);
    tni_f4 a = pins_dot(plane[0], first), b = pins_dot(plane[0], second);
    tni_f4 d = pins_dot(plane[1], second), floor = f4_splat(DENSE_PIVOT_FLOOR);
    tni_f4 det = f4_sub(f4_mul(a, d), f4_mul(b, b)), scale = f4_div(f4_splat(1.0f), det);
    tni_m4 is_sound =
        m4_and(pins_is_above(a, f4_mul(floor, a)), pins_is_above(det, f4_mul(f4_mul(floor, a), d)));
    tni_f4 mixed = f4_mul(f4_sub(f4_splat(0.0f), scale), b);
    pins_vector p = pins_from_plane(plane, f4_mul(scale, d), mixed);
    pins_vector q = pins_from_plane(plane, mixed, f4_mul(scale, a));
    const tni_f4 p_of[3] = {plane[0].x, plane[0].y, plane[0].z};
    const tni_f4 q_of[3] = {plane[1].x, plane[1].y, plane[1].z};
    for (uint32_t j = 0; j < 3; ++j) {
        pins_vector column = pins_add(pins_scale(p_of[j], p), pins_scale(q_of[j], q));
        k->inverse[j] = pins_pick(slides, column, k->inverse[j]);
    }
    k->is_sound = m4_or(m4_and(slides, is_sound), m4_and_not(k->is_sound, slides));
}

// S^-1 of two turns.
TNI_FORCE_INLINE void pins_invert_two_turns(const pins_rows *rows, const pins_vector *turned,
                                            const pins_vector *mixed, const pins_vector *y,
                                            pins_matrix *k) {
    tni_f4 own_0 = pins_dot(rows->axis[0], turned[0]), own_1 = pins_dot(rows->axis[1], turned[1]);
    tni_f4 a = f4_sub(own_0, pins_dot(mixed[0], y[0]));
    tni_f4 b = f4_sub(pins_dot(rows->axis[0], turned[1]), pins_dot(mixed[0], y[1]));
    tni_f4 d = f4_sub(own_1, pins_dot(mixed[1], y[1]));
    tni_f4 det = f4_sub(f4_mul(a, d), f4_mul(b, b)), floor = f4_splat(DENSE_PIVOT_FLOOR);
    tni_f4 scale = f4_div(f4_splat(1.0f), det), zero = f4_splat(0.0f);
    k->is_sound = m4_and(k->is_sound, pins_is_above(a, f4_mul(floor, own_0)));
    k->is_sound = m4_and(k->is_sound, pins_is_above(det, f4_mul(f4_mul(floor, a), own_1)));
    tni_f4 across = f4_mul(f4_sub(zero, scale), b);
    k->turns[0] = (pins_vector){f4_mul(scale, d), across, zero};
    k->turns[1] = (pins_vector){across, f4_mul(scale, a), zero};
}

// S^-1 of three. The third of a hinge, which has none, is taken as 1 that is tied to nothing.
TNI_FORCE_INLINE void pins_invert_three_turns(const pins_rows *rows, const pins_vector *turned,
                                              const pins_vector *mixed, const pins_vector *y,
                                              tni_m4 slides, pins_matrix *k) {
    tni_f4 own[3], s[3][3];
    for (uint32_t l = 0; l < 3; ++l) {
        for (uint32_t m = l; m < 3; ++m) {
            tni_f4 alone = pins_dot(rows->axis[l], turned[m]);
            s[l][m] = f4_sub(alone, pins_dot(mixed[l], y[m]));
            own[l] = l == m ? alone : own[l];
        }
    }
    own[2] = f4_pick(slides, own[2], f4_splat(1.0f));
    s[2][2] = f4_pick(slides, s[2][2], f4_splat(1.0f));
    const pins_vector c[3] = {
        {s[0][0], s[0][1], s[0][2]}, {s[0][1], s[1][1], s[1][2]}, {s[0][2], s[1][2], s[2][2]}};
    tni_m4 is_sound = pins_invert_three(c, (pins_vector){own[0], own[1], own[2]}, k->turns);
    k->is_sound = m4_and(k->is_sound, is_sound);
}

// The rest of K^-1, from P.
TNI_FORCE_INLINE void pins_invert_blocks(const pins_vector *y, uint32_t turns, pins_matrix *k) {
    tni_f4 zero = f4_splat(0.0f);
    for (uint32_t m = 0; m < turns; ++m) {
        pins_vector z = pins_sub_scaled((pins_vector){zero, zero, zero}, k->turns[m].x, y[0]);
        z = pins_sub_scaled(z, k->turns[m].y, y[1]);
        z = turns > 2 ? pins_sub_scaled(z, k->turns[m].z, y[2]) : z;
        k->to_point[m] = z;
        k->inverse[0] = pins_sub_scaled(k->inverse[0], y[m].x, z);
        k->inverse[1] = pins_sub_scaled(k->inverse[1], y[m].y, z);
        k->inverse[2] = pins_sub_scaled(k->inverse[2], y[m].z, z);
    }
}

TNI_FORCE_INLINE void pins_set_matrix(const pins_body *a, const pins_body *b, const pins_rows *rows,
                                      const pins_some *slides, uint32_t turns, pins_matrix *k) {
    pins_set_spins(a->inertia, rows->r_a, rows->axis, turns, k->spin_a, k->turn_spin_a);
    pins_set_spins(b->inertia, rows->r_b, rows->axis, turns, k->spin_b, k->turn_spin_b);
    pins_vector point[3], turned[3], mixed[3], y[3];
    for (uint32_t j = 0; j < 3; ++j) {
        point[j] = pins_couple(rows, k->spin_a[j], k->spin_b[j]);
    }
    pins_vector mass = pins_add(a->inv_mass, b->inv_mass);
    point[0].x = f4_add(mass.x, point[0].x);
    point[1].y = f4_add(mass.y, point[1].y);
    point[2].z = f4_add(mass.z, point[2].z);
    pins_invert_point(point, k);
    if (turns > 2) {
        pins_invert_plane(point, rows->plane, slides->mask, k);
    }
    for (uint32_t m = 0; m < turns; ++m) {
        turned[m] = pins_add(k->turn_spin_a[m], k->turn_spin_b[m]);
        mixed[m] = pins_couple(rows, k->turn_spin_a[m], k->turn_spin_b[m]);
        y[m] = pins_mul_columns(k->inverse, mixed[m]);
    }
    if (turns > 2) {
        pins_invert_three_turns(rows, turned, mixed, y, slides->mask, k);
    } else {
        pins_invert_two_turns(rows, turned, mixed, y, k);
    }
    pins_invert_blocks(y, turns, k);
}

// ---- bias -------------------------------------------------------------------------------------

// What each joint has of its own.
typedef struct pins_softness {
    tni_f4 slop, rate, turn_rate, most, prediction;
} pins_softness;

#define PINS_GATHER(blocks, field)                                                                 \
    f4_make((blocks)[0]->field, (blocks)[1]->field, (blocks)[2]->field, (blocks)[3]->field)

TNI_FORCE_INLINE pins_softness pins_get_softness(tni_joint_block *const *blocks) {
    pins_softness own = {.slop = PINS_GATHER(blocks, slop),
                         .rate = PINS_GATHER(blocks, softness.rate),
                         .most = PINS_GATHER(blocks, max_speed),
                         .prediction = PINS_GATHER(blocks, prediction)};
    own.turn_rate = f4_mul(PINS_GATHER(blocks, angular_share), own.rate);
    return own;
}

TNI_FORCE_INLINE tni_f4 pins_get_bias(const pins_softness *own, tni_f4 rate, tni_f4 error,
                                      tni_f4 term) {
    tni_f4 zero = f4_splat(0.0f);
    error = f4_sub(error, f4_max(f4_min(error, own->slop), f4_sub(zero, own->slop)));
    tni_f4 speed = f4_mul(error, rate);
    speed = f4_max(f4_min(speed, own->most), f4_sub(zero, own->most));
    return f4_add_product(speed, own->prediction, term);
}

TNI_FORCE_INLINE pins_vector pins_get_biases(const pins_softness *own, tni_f4 rate,
                                             pins_vector error, pins_vector term) {
    pins_vector bias = {pins_get_bias(own, rate, error.x, term.x),
                        pins_get_bias(own, rate, error.y, term.y),
                        pins_get_bias(own, rate, error.z, term.z)};
    return bias;
}

// ---- out --------------------------------------------------------------------------------------

// A zero that the compiler does not know as one. gcc writes the transposition of a zero it knows as
// a move between registers in an encoding that valgrind up to 3.19 does not have.
TNI_FORCE_INLINE tni_f4 pins_make_zero(void) {
    tni_f4 zero = f4_splat(0.0f);
#if defined(__GNUC__) && defined(__SSE2__)
    __asm__("" : "+x"(zero));
#endif
    return zero;
}

// Lanes back to joints: a vector of each.
#define PINS_STORE(to, vx, vy, vz)                                                                 \
    {                                                                                              \
        tni_f4 v_0 = (vx), v_1 = (vy), v_2 = (vz), v_3 = pins_make_zero();                         \
        f4_transpose(&v_0, &v_1, &v_2, &v_3);                                                      \
        pins[0]->to = v_0;                                                                         \
        pins[1]->to = v_1;                                                                         \
        pins[2]->to = v_2;                                                                         \
        pins[3]->to = v_3;                                                                         \
    }
#define PINS_STORE_VECTOR(to, v) PINS_STORE(to, (v).x, (v).y, (v).z)

// A joint's block, or where what comes of an unused lane goes.
typedef union pins_spare {
    tni_pin_block pin;
    tni_f4 room[(sizeof(tni_pin_block) + sizeof(tni_pin_turns)) / sizeof(tni_f4)];
} pins_spare;

TNI_FORCE_INLINE void pins_store_point(tni_pin_block *const pins[PINS_LANES], const pins_rows *rows,
                                       const pins_matrix *k, pins_vector bias) {
    PINS_STORE_VECTOR(r_a, rows->r_a)
    PINS_STORE_VECTOR(r_b, rows->r_b)
    PINS_STORE_VECTOR(error, rows->error)
    PINS_STORE_VECTOR(bias, bias)
    for (uint32_t j = 0; j < 3; ++j) {
        PINS_STORE_VECTOR(inverse[j], k->inverse[j])
        PINS_STORE_VECTOR(spin_a[j], k->spin_a[j])
        PINS_STORE_VECTOR(spin_b[j], k->spin_b[j])
    }
}

TNI_FORCE_INLINE void pins_store_turns(tni_pin_block *const pins[PINS_LANES], const pins_rows *rows,
                                       const pins_matrix *k, uint32_t turns, pins_vector bias) {
    tni_f4 zero = f4_splat(0.0f);
    const pins_vector *u = rows->axis, *z = k->to_point;
    bool has_three = turns > 2;
    PINS_STORE(turns->axis[0], u[0].x, u[1].x, u[2].x)
    PINS_STORE(turns->axis[1], u[0].y, u[1].y, u[2].y)
    PINS_STORE(turns->axis[2], u[0].z, u[1].z, u[2].z)
    PINS_STORE(turns->error, rows->turn_error[0], rows->turn_error[1], rows->turn_error[2])
    PINS_STORE_VECTOR(turns->bias, bias)
    PINS_STORE(turns->from_point[0], z[0].x, z[1].x, has_three ? z[2].x : zero)
    PINS_STORE(turns->from_point[1], z[0].y, z[1].y, has_three ? z[2].y : zero)
    PINS_STORE(turns->from_point[2], z[0].z, z[1].z, has_three ? z[2].z : zero)
    for (uint32_t m = 0; m < turns; ++m) {
        PINS_STORE_VECTOR(turns->inverse[m], k->turns[m])
        PINS_STORE_VECTOR(turns->to_point[m], k->to_point[m])
        PINS_STORE_VECTOR(turns->spin_a[m], k->turn_spin_a[m])
        PINS_STORE_VECTOR(turns->spin_b[m], k->turn_spin_b[m])
    }
}

// Impulses turn with the plane: see tni_pin_refresh_slide(). What is left keeps its own.
TNI_FORCE_INLINE void pins_turn_planes(tni_pin_block *const pins[PINS_LANES], const pins_rows *rows,
                                       uint32_t slides, uint32_t left) {
    tni_f4 before[PINS_LANES][2];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        before[l][0] = pins[l]->turns->plane[0];
        before[l][1] = pins[l]->turns->plane[1];
    }
    PINS_STORE_VECTOR(turns->plane[0], rows->plane[0])
    PINS_STORE_VECTOR(turns->plane[1], rows->plane[1])
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        tni_pin_block *pin = pins[l];
        tni_f4 *now = pin->turns->plane;
        if ((left >> l & 1u) != 0) {
            now[0] = before[l][0];
            now[1] = before[l][1];
        } else if ((slides >> l & 1u) != 0) {
            pin->impulse = tni_pin_from_plane(now, tni_pin_to_plane(before[l], pin->impulse));
            pin->warm = tni_pin_from_plane(now, tni_pin_to_plane(before[l], pin->warm));
        }
    }
}

// ---- all --------------------------------------------------------------------------------------

typedef struct pins_all {
    tni_joint_block *blocks[PINS_LANES];
    tni_pin_block *pins[PINS_LANES];
    pins_ends at_a, at_b;
    pins_some slides;
} pins_all;

TNI_FORCE_INLINE void pins_set_end(const tni_solver *solver, uint32_t body,
                                   const tni_frame_vectors *vectors, pins_ends *ends,
                                   uint32_t lane) {
    ends->motion[lane] = &solver->motions[body];
    ends->numbers[lane] = solver->states[body].numbers;
    ends->vectors[lane] = vectors;
}

TNI_FORCE_INLINE void pins_find(const tni_solver *solver, tni_joint_block *const *blocks,
                                uint32_t count, tni_pin_block *spare, pins_all *all) {
    float is_slide[PINS_LANES];
    all->slides.bits = 0;
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        tni_joint_block *block = all->blocks[l] = blocks[l < count ? l : 0];
        tni_pin_block *pin = all->pins[l] = l < count ? block->pin : spare;
        bool slides = block->point_rows == TNI_PIN_SLIDE_ROWS;
        pins_set_end(solver, block->body_a, &block->joint->vectors_a, &all->at_a, l);
        pins_set_end(solver, block->body_b, &block->joint->vectors_b, &all->at_b, l);
        pin->mass_a = f4_load(all->at_a.numbers[l] + TNI_STATE_INV_MASS);
        pin->mass_b = f4_load(all->at_b.numbers[l] + TNI_STATE_INV_MASS);
        is_slide[l] = slides ? 1.0f : 0.0f;
        all->slides.bits |= (slides ? 1u : 0u) << l;
    }
    all->slides.mask = f4_less(f4_splat(0.5f), f4_load(is_slide));
}

// With hinges alone there are two turns and no plane.
TNI_FORCE_INLINE uint32_t pins_run(const pins_all *all, uint32_t count, uint32_t turns) {
    const pins_some *slides = &all->slides;
    pins_body a, b;
    pins_load_body(&all->at_a, turns > 2, &a);
    pins_load_body(&all->at_b, turns > 2, &b);
    pins_frame frame_a = pins_turn_frame(&all->at_a, &a, true);
    pins_frame frame_b = pins_turn_frame(&all->at_b, &b, false);
    pins_rows rows;
    pins_matrix k;
    pins_set_point(&a, &b, frame_a.origin, frame_b.origin, &rows);
    pins_set_axes(&a, &b, &frame_a, frame_b.x, &rows);
    if (turns > 2) {
        pins_quat q = pins_measure_relative(all->blocks, &all->at_a, &all->at_b);
        pins_set_slide(&a, &b, &frame_a, frame_b.origin, slides->mask, &rows);
        pins_set_angles(&a, &b, &frame_a, &q, slides, &rows);
    }
    pins_set_matrix(&a, &b, &rows, slides, turns, &k);
    pins_softness own = pins_get_softness(all->blocks);
    pins_vector bias = pins_get_biases(&own, own.rate, rows.error, rows.term);
    pins_vector turn_bias =
        pins_get_biases(&own, own.turn_rate,
                        (pins_vector){rows.turn_error[0], rows.turn_error[1], rows.turn_error[2]},
                        (pins_vector){rows.turn_term[0], rows.turn_term[1], rows.turn_term[2]});
    uint32_t left = (rows.far | ~m4_bits(k.is_sound)) & ((1u << count) - 1u);
    if (turns > 2) {
        bias = pins_pick(slides->mask, pins_from_plane(rows.plane, bias.x, bias.y), bias);
        pins_turn_planes(all->pins, &rows, slides->bits & ((1u << count) - 1u), left);
    }
    pins_store_point(all->pins, &rows, &k, bias);
    pins_store_turns(all->pins, &rows, &k, turns, turn_bias);
    return left;
}

uint32_t WIDE_NAME(tni_pins_refresh)(const tni_solver *solver, tni_joint_block *const *blocks,
                                     uint32_t count) {
    pins_spare spare;
    pins_all all;
    pins_find(solver, blocks, count, &spare.pin, &all);
    return all.slides.bits == 0 ? pins_run(&all, count, 2) : pins_run(&all, count, 3);
}
