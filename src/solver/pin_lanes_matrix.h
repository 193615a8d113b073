// solver/pin_lanes_matrix.h: responses and K^-1 of four pins, a joint in each lane.
//
// For solver/pin_lanes_wide.c: see there. The blocks are those of solver/pin.c. What sweeps read is
// stored where it comes up, for there are more numbers than registers.
#ifndef TNI_SOLVER_PIN_LANES_MATRIX_H
#define TNI_SOLVER_PIN_LANES_MATRIX_H

#include <float.h>

#include "solver/dense.h"
#include "solver/pin.h"
#include "solver/pin_lanes_rows.h"

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

// Lanes back to joints: a vector of each; two of them at once.
#define PINS_STORE_VECTOR(to, v)                                                                   \
    {                                                                                              \
        tni_v4 of_all = (v);                                                                       \
        tni_f4 v_0 = of_all.x, v_1 = of_all.y, v_2 = of_all.z, v_3 = pins_make_zero();             \
        f4_transpose(&v_0, &v_1, &v_2, &v_3);                                                      \
        pins[0]->to = v_0;                                                                         \
        pins[1]->to = v_1;                                                                         \
        pins[2]->to = v_2;                                                                         \
        pins[3]->to = v_3;                                                                         \
    }
#define PINS_STORE_TWO(low_to, high_to, v)                                                         \
    {                                                                                              \
        tni_v8 of_all = (v);                                                                       \
        tni_f8 v_0 = of_all.x, v_1 = of_all.y, v_2 = of_all.z, v_3 = f8_zero();                    \
        f8_transpose(&v_0, &v_1, &v_2, &v_3);                                                      \
        pins[0]->low_to = f8_low(v_0), pins[0]->high_to = f8_high(v_0);                            \
        pins[1]->low_to = f8_low(v_1), pins[1]->high_to = f8_high(v_1);                            \
        pins[2]->low_to = f8_low(v_2), pins[2]->high_to = f8_high(v_2);                            \
        pins[3]->low_to = f8_low(v_3), pins[3]->high_to = f8_high(v_3);                            \
    }

// A joint's block, or where what comes of an unused lane goes.
typedef union pins_spare {
    tni_pin_block pin;
    tni_f4 room[(sizeof(tni_pin_block) + sizeof(tni_pin_turns)) / sizeof(tni_f4)];
} pins_spare;

TNI_FORCE_INLINE void pins_store_rows(tni_pin_block *const pins[PINS_LANES],
                                      const pins_rows *rows) {
    const tni_v4 *u = rows->axis;
    const tni_f4 *error = rows->turn_error;
    PINS_STORE_TWO(r_a, r_b, rows->r)
    PINS_STORE_TWO(error, turns->error,
                   pins_join(rows->error, ((tni_v4){error[0], error[1], error[2]})))
    PINS_STORE_TWO(
        turns->axis[0], turns->axis[1],
        pins_join(((tni_v4){u[0].x, u[1].x, u[2].x}), ((tni_v4){u[0].y, u[1].y, u[2].y})))
    PINS_STORE_VECTOR(turns->axis[2], ((tni_v4){u[0].z, u[1].z, u[2].z}))
}

// ---- matrix -----------------------------------------------------------------------------------

typedef struct pins_matrix {
    tni_v4 inverse[3], turns[3]; // columns of the point's block of K^-1, and of the turns'
    tni_m4 is_sound;
} pins_matrix;

// Of b and of a together.
TNI_FORCE_INLINE tni_v4 pins_add_both(tni_v8 v) {
    return v4_add(pins_high(v), pins_low(v));
}

// I^-1 (r x e_j), and what of it comes to the anchors.
TNI_FORCE_INLINE void pins_spin_point(tni_pin_block *const pins[PINS_LANES], const tni_s8 *i,
                                      tni_v8 r, tni_v4 point[3]) {
    tni_v8 x = {i->xx, i->xy, i->xz}, y = {i->xy, i->yy, i->yz}, z = {i->xz, i->yz, i->zz};
    const tni_v8 spin[3] = {v8_sub(v8_scale(r.z, y), v8_scale(r.y, z)),
                            v8_sub(v8_scale(r.x, z), v8_scale(r.z, x)),
                            v8_sub(v8_scale(r.y, x), v8_scale(r.x, y))};
    for (uint32_t j = 0; j < 3; ++j) {
        PINS_STORE_TWO(spin_a[j], spin_b[j], spin[j])
        point[j] = pins_add_both(v8_cross(spin[j], r));
    }
}

// I^-1 u_k
TNI_FORCE_INLINE void pins_spin_turns(tni_pin_block *const pins[PINS_LANES], const tni_s8 *inertia,
                                      const pins_rows *rows, uint32_t turns, tni_v4 *turned,
                                      tni_v4 *mixed) {
    for (uint32_t m = 0; m < turns; ++m) {
        tni_v8 spin = s8_mul(inertia, pins_join(rows->axis[m], rows->axis[m]));
        PINS_STORE_TWO(turns->spin_a[m], turns->spin_b[m], spin)
        turned[m] = pins_add_both(spin);
        mixed[m] = pins_add_both(v8_cross(spin, rows->r));
    }
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

// The inverse of two symmetric columns (a, b) and (b, d); sound as above.
TNI_FORCE_INLINE void pins_invert_two(tni_f4 a, tni_f4 b, tni_f4 d, tni_f4 own_0, tni_f4 own_1,
                                      pins_matrix *k) {
    tni_f4 det = f4_sub(f4_mul(a, d), f4_mul(b, b)), floor = f4_splat(DENSE_PIVOT_FLOOR);
    tni_f4 scale = f4_div(f4_splat(1.0f), det), zero = f4_splat(0.0f);
    k->is_sound = m4_and(k->is_sound, pins_is_above(a, f4_mul(floor, own_0)));
    k->is_sound = m4_and(k->is_sound, pins_is_above(det, f4_mul(f4_mul(floor, a), own_1)));
    tni_f4 across = f4_mul(f4_sub(zero, scale), b);
    k->turns[0] = (tni_v4){f4_mul(scale, d), across, zero};
    k->turns[1] = (tni_v4){across, f4_mul(scale, a), zero};
}

// S^-1 of two turns.
TNI_FORCE_INLINE void pins_invert_two_turns(const pins_rows *rows, const tni_v4 *turned,
                                            const tni_v4 *mixed, const tni_v4 *y, pins_matrix *k) {
    tni_f4 own_0 = v4_dot(rows->axis[0], turned[0]), own_1 = v4_dot(rows->axis[1], turned[1]);
    tni_f4 a = f4_sub(own_0, v4_dot(mixed[0], y[0]));
    tni_f4 b = f4_sub(v4_dot(rows->axis[0], turned[1]), v4_dot(mixed[0], y[1]));
    tni_f4 d = f4_sub(own_1, v4_dot(mixed[1], y[1]));
    pins_invert_two(a, b, d, own_0, own_1, k);
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
TNI_FORCE_INLINE void pins_invert_blocks(tni_pin_block *const pins[PINS_LANES], const tni_v4 *y,
                                         uint32_t turns, pins_matrix *k) {
    tni_f4 zero = f4_splat(0.0f);
    tni_v4 to_point[3];
    to_point[2] = (tni_v4){zero, zero, zero};
    for (uint32_t m = 0; m < turns; ++m) {
        tni_v4 z = v4_sub_scaled((tni_v4){zero, zero, zero}, k->turns[m].x, y[0]);
        z = v4_sub_scaled(z, k->turns[m].y, y[1]);
        z = turns > 2 ? v4_sub_scaled(z, k->turns[m].z, y[2]) : z;
        PINS_STORE_TWO(turns->inverse[m], turns->to_point[m], pins_join(k->turns[m], z))
        k->inverse[0] = v4_sub_scaled(k->inverse[0], y[m].x, z);
        k->inverse[1] = v4_sub_scaled(k->inverse[1], y[m].y, z);
        k->inverse[2] = v4_sub_scaled(k->inverse[2], y[m].z, z);
        to_point[m] = z;
    }
    const tni_v4 *z = to_point;
    PINS_STORE_TWO(inverse[0], turns->from_point[0],
                   pins_join(k->inverse[0], ((tni_v4){z[0].x, z[1].x, z[2].x})))
    PINS_STORE_TWO(inverse[1], turns->from_point[1],
                   pins_join(k->inverse[1], ((tni_v4){z[0].y, z[1].y, z[2].y})))
    PINS_STORE_TWO(inverse[2], turns->from_point[2],
                   pins_join(k->inverse[2], ((tni_v4){z[0].z, z[1].z, z[2].z})))
}

// Responses and all of K^-1, to the blocks; the mask says where it holds.
TNI_FORCE_INLINE tni_m4 pins_set_matrix(tni_pin_block *const pins[PINS_LANES],
                                        const pins_bodies *bodies, const pins_rows *rows,
                                        const pins_some *slides, uint32_t turns) {
    pins_matrix k;
    tni_v4 point[3], turned[3], mixed[3], y[3];
    pins_spin_point(pins, &bodies->inertia, rows->r, point);
    point[0].x = f4_add(bodies->mass.x, point[0].x);
    point[1].y = f4_add(bodies->mass.y, point[1].y);
    point[2].z = f4_add(bodies->mass.z, point[2].z);
    pins_invert_point(point, &k);
    if (turns > 2) {
        pins_invert_plane(point, rows->plane, slides->mask, &k);
    }
    pins_spin_turns(pins, &bodies->inertia, rows, turns, turned, mixed);
    for (uint32_t m = 0; m < turns; ++m) {
        y[m] = v4_mul_columns(k.inverse, mixed[m]);
    }
    if (turns > 2) {
        pins_invert_three_turns(rows, turned, mixed, y, slides->mask, &k);
    } else {
        pins_invert_two_turns(rows, turned, mixed, y, &k);
    }
    pins_invert_blocks(pins, y, turns, &k);
    return k.is_sound;
}

#endif
