// solver/pin_lanes_matrix.h: responses and K^-1 of four pins, a joint in each lane.
//
// For solver/pin_lanes_wide.c: see there. The blocks are those of solver/pin.c.
#ifndef TNI_SOLVER_PIN_LANES_MATRIX_H
#define TNI_SOLVER_PIN_LANES_MATRIX_H

#include <float.h>

#include "solver/dense.h"
#include "solver/pin_lanes_rows.h"

typedef struct pins_matrix {
    tni_v8 spin[3], turn_spin[3];   // of both bodies
    tni_v4 inverse[3], to_point[3]; // columns
    tni_v4 turns[3];                // of the turns' block
    tni_m4 is_sound;
} pins_matrix;

// z c - y d, of two columns of I^-1.
TNI_FORCE_INLINE tni_v8 pins_get_spin(tni_f8 z, tni_v8 c, tni_f8 y, tni_v8 d) {
    return v8_sub(v8_scale(z, c), v8_scale(y, d));
}

// I^-1 (r x e_j) and I^-1 u_k
TNI_FORCE_INLINE void pins_set_spins(const tni_s8 *i, const pins_rows *rows, uint32_t turns,
                                     pins_matrix *k) {
    const tni_v8 inertia[3] = {{i->xx, i->xy, i->xz}, {i->xy, i->yy, i->yz}, {i->xz, i->yz, i->zz}};
    tni_v8 r = rows->r;
    k->spin[0] = pins_get_spin(r.z, inertia[1], r.y, inertia[2]);
    k->spin[1] = pins_get_spin(r.x, inertia[2], r.z, inertia[0]);
    k->spin[2] = pins_get_spin(r.y, inertia[0], r.x, inertia[1]);
    for (uint32_t m = 0; m < turns; ++m) {
        k->turn_spin[m] = s8_mul(i, pins_join(rows->axis[m], rows->axis[m]));
    }
}

// Of b and of a together.
TNI_FORCE_INLINE tni_v4 pins_add_both(tni_v8 v) {
    return v4_add(pins_high(v), pins_low(v));
}

TNI_FORCE_INLINE tni_m4 pins_is_above(tni_f4 x, tni_f4 floor) {
    return m4_and(f4_less(floor, x), f4_less(f4_splat(FLT_MIN), x));
}

// The inverse of three symmetric columns; the mask says where no pivot is round-off of `diagonal`.
TNI_FORCE_INLINE tni_m4 pins_invert_three(const tni_v4 c[3], tni_v4 diagonal, tni_v4 inverse[3]) {
    tni_v4 x = v4_cross(c[1], c[2]), y = v4_cross(c[2], c[0]);
    tni_v4 z = v4_cross(c[0], c[1]);
    tni_f4 first = c[0].x, second = z.z, det = v4_dot(c[0], x);
    tni_f4 floor = f4_splat(DENSE_PIVOT_FLOOR), scale = f4_div(f4_splat(1.0f), det);
    tni_m4 is_sound = pins_is_above(first, f4_mul(floor, diagonal.x));
    is_sound = m4_and(is_sound, pins_is_above(second, f4_mul(f4_mul(floor, first), diagonal.y)));
    is_sound = m4_and(is_sound, pins_is_above(det, f4_mul(f4_mul(floor, second), diagonal.z)));
    inverse[0] = v4_scale(scale, x);
    inverse[1] = v4_scale(scale, y);
    inverse[2] = v4_scale(scale, z);
    return is_sound;
}

// P
TNI_FORCE_INLINE void pins_invert_point(const tni_v4 c[3], pins_matrix *k) {
    k->is_sound = pins_invert_three(c, (tni_v4){c[0].x, c[1].y, c[2].z}, k->inverse);
}

// P of a plane.
TNI_FORCE_INLINE void pins_invert_plane(const tni_v4 c[3], const tni_v4 plane[2], tni_m4 slides,
                                        pins_matrix *k) {
    tni_v4 first = v4_mul_columns(c, plane[0]), second = v4_mul_columns(c, plane[1]);
    tni_f4 a = v4_dot(plane[0], first), b = v4_dot(plane[0], second);
    tni_f4 d = v4_dot(plane[1], second), floor = f4_splat(DENSE_PIVOT_FLOOR);
    tni_f4 det = f4_sub(f4_mul(a, d), f4_mul(b, b)), scale = f4_div(f4_splat(1.0f), det);
    tni_m4 is_sound =
        m4_and(pins_is_above(a, f4_mul(floor, a)), pins_is_above(det, f4_mul(f4_mul(floor, a), d)));
    tni_f4 mixed = f4_mul(f4_sub(f4_splat(0.0f), scale), b);
    tni_v4 p = pins_from_plane(plane, f4_mul(scale, d), mixed);
    tni_v4 q = pins_from_plane(plane, mixed, f4_mul(scale, a));
    const tni_f4 p_of[3] = {plane[0].x, plane[0].y, plane[0].z};
    const tni_f4 q_of[3] = {plane[1].x, plane[1].y, plane[1].z};
    for (uint32_t j = 0; j < 3; ++j) {
        tni_v4 column = v4_add(v4_scale(p_of[j], p), v4_scale(q_of[j], q));
        k->inverse[j] = v4_pick(slides, column, k->inverse[j]);
    }
    k->is_sound = m4_or(m4_and(slides, is_sound), m4_and_not(k->is_sound, slides));
}

// S^-1 of two turns.
TNI_FORCE_INLINE void pins_invert_two_turns(const pins_rows *rows, const tni_v4 *turned,
                                            const tni_v4 *mixed, const tni_v4 *y, pins_matrix *k) {
    tni_f4 own_0 = v4_dot(rows->axis[0], turned[0]), own_1 = v4_dot(rows->axis[1], turned[1]);
    tni_f4 a = f4_sub(own_0, v4_dot(mixed[0], y[0]));
    tni_f4 b = f4_sub(v4_dot(rows->axis[0], turned[1]), v4_dot(mixed[0], y[1]));
    tni_f4 d = f4_sub(own_1, v4_dot(mixed[1], y[1]));
    tni_f4 det = f4_sub(f4_mul(a, d), f4_mul(b, b)), floor = f4_splat(DENSE_PIVOT_FLOOR);
    tni_f4 scale = f4_div(f4_splat(1.0f), det), zero = f4_splat(0.0f);
    k->is_sound = m4_and(k->is_sound, pins_is_above(a, f4_mul(floor, own_0)));
    k->is_sound = m4_and(k->is_sound, pins_is_above(det, f4_mul(f4_mul(floor, a), own_1)));
    tni_f4 across = f4_mul(f4_sub(zero, scale), b);
    k->turns[0] = (tni_v4){f4_mul(scale, d), across, zero};
    k->turns[1] = (tni_v4){across, f4_mul(scale, a), zero};
}

// S^-1 of three. The third of a hinge, which has none, is taken as 1 that is tied to nothing.
TNI_FORCE_INLINE void pins_invert_three_turns(const pins_rows *rows, const tni_v4 *turned,
                                              const tni_v4 *mixed, const tni_v4 *y, tni_m4 slides,
                                              pins_matrix *k) {
    tni_f4 own[3], s[3][3];
    for (uint32_t l = 0; l < 3; ++l) {
        for (uint32_t m = l; m < 3; ++m) {
            tni_f4 alone = v4_dot(rows->axis[l], turned[m]);
            s[l][m] = f4_sub(alone, v4_dot(mixed[l], y[m]));
            own[l] = l == m ? alone : own[l];
        }
    }
    own[2] = f4_pick(slides, own[2], f4_splat(1.0f));
    s[2][2] = f4_pick(slides, s[2][2], f4_splat(1.0f));
    const tni_v4 c[3] = {
        {s[0][0], s[0][1], s[0][2]}, {s[0][1], s[1][1], s[1][2]}, {s[0][2], s[1][2], s[2][2]}};
    tni_m4 is_sound = pins_invert_three(c, (tni_v4){own[0], own[1], own[2]}, k->turns);
    k->is_sound = m4_and(k->is_sound, is_sound);
}

// The rest of K^-1, from P.
TNI_FORCE_INLINE void pins_invert_blocks(const tni_v4 *y, uint32_t turns, pins_matrix *k) {
    tni_f4 zero = f4_splat(0.0f);
    for (uint32_t m = 0; m < turns; ++m) {
        tni_v4 z = v4_sub_scaled((tni_v4){zero, zero, zero}, k->turns[m].x, y[0]);
        z = v4_sub_scaled(z, k->turns[m].y, y[1]);
        z = turns > 2 ? v4_sub_scaled(z, k->turns[m].z, y[2]) : z;
        k->to_point[m] = z;
        k->inverse[0] = v4_sub_scaled(k->inverse[0], y[m].x, z);
        k->inverse[1] = v4_sub_scaled(k->inverse[1], y[m].y, z);
        k->inverse[2] = v4_sub_scaled(k->inverse[2], y[m].z, z);
    }
}

TNI_FORCE_INLINE void pins_set_matrix(const pins_bodies *bodies, const pins_rows *rows,
                                      const pins_some *slides, uint32_t turns, pins_matrix *k) {
    pins_set_spins(&bodies->inertia, rows, turns, k);
    tni_v4 point[3], turned[3], mixed[3], y[3];
    for (uint32_t j = 0; j < 3; ++j) {
        point[j] = pins_add_both(v8_cross(k->spin[j], rows->r));
    }
    point[0].x = f4_add(bodies->mass.x, point[0].x);
    point[1].y = f4_add(bodies->mass.y, point[1].y);
    point[2].z = f4_add(bodies->mass.z, point[2].z);
    pins_invert_point(point, k);
    if (turns > 2) {
        pins_invert_plane(point, rows->plane, slides->mask, k);
    }
    for (uint32_t m = 0; m < turns; ++m) {
        turned[m] = pins_add_both(k->turn_spin[m]);
        mixed[m] = pins_add_both(v8_cross(k->turn_spin[m], rows->r));
        y[m] = v4_mul_columns(k->inverse, mixed[m]);
    }
    if (turns > 2) {
        pins_invert_three_turns(rows, turned, mixed, y, slides->mask, k);
    } else {
        pins_invert_two_turns(rows, turned, mixed, y, k);
    }
    pins_invert_blocks(y, turns, k);
}

#endif
