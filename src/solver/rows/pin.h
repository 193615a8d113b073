// solver/rows/pin.h: the equality rows of a pin (joints/pin.h): a point and up to three turns.
//
// This is the system of solver/rows/equality.h, specialised for the form of these rows. Symbols:
// r_a, r_b the arms, u_k the axes of the turns, v, w the velocities, W the inverse masses m^-1 and
// inertias I^-1; p the impulse of the point (N·s), t_k those of the turns (N·m·s), e_j the world's
// axes.
//     point   J v = v_b + w_b x r_b - v_a - w_a x r_a
//     turn k  J v = u_k . (w_b - w_a)
//     v_b += m_b^-1 p   w_b += sum of p_j I_b^-1 (r_b x e_j) + sum of t_k I_b^-1 u_k;  of a, -
//     K_pp e_j = (m_a^-1 + m_b^-1) e_j + s_b x r_b + s_a x r_a,  s = I^-1 (r x e_j), since
//                e_i . (s x r) = (r x e_i) . s
//     K_pt e_k = s_b x r_b + s_a x r_a,  s = I^-1 u_k           K_tt = u_l . (I_a^-1 + I_b^-1) u_k
// K is inverted by blocks: with P = K_pp^-1, Y = P K_pt, S = K_tt - K_pt^T Y, Z = Y S^-1
//     K^-1 = | P + Z Y^T   -Z   |
//            | -Z^T        S^-1 |
// A point that slides has two rows, along the unit vectors n of a plane, or one. Its impulse is a
// vector in the world's axes, and K^-1 is that of the rows there are, written in these axes: with N
// = [n_0 n_1],  P = N (N^T K_pp N)^-1 N^T.  Sweeps then know no difference; the bias is N times
// that of the rows, and when the plane turns at a refresh the impulses turn with it. Vectors of
// three stand in the first lanes of four; the fourth is zero. Sources: A. Witkin, "Constrained
// dynamics", SIGGRAPH course notes 1997 (K = J W J^T); G. Golub, C. Van Loan, "Matrix
// computations", 4th ed. 2013, 3.2 (block elimination). Test: tests/solver/rows/test_pin.c
#ifndef TNI_SOLVER_ROWS_PIN_H
#define TNI_SOLVER_ROWS_PIN_H

#include "joints/pin.h"
#include "solver/rows/velocities.h"

// A determinant of floats is good enough from this share of the product of the diagonal on.
// Round-off takes 1e-4 of it.
#define TNI_PIN_FLOAT_SHARE 1e-3f

// Each row has one number: those of the point stand in x, y, z, those of the turns in the lanes of
// the second.
typedef struct tni_pin_numbers {
    tni_f4 point, turn;
} tni_pin_numbers;

typedef struct tni_pin_turns {
    tni_f4 axis[3];  // component c of u_k in lane k of [c]
    tni_f4 plane[2]; // where the point slides
    tni_f4 bias, impulse, warm, error;
    tni_f4 inverse[3];           // column k of the turns' block of K^-1
    tni_f4 from_point[3];        // its turns' rows, column j of the point
    tni_f4 to_point[3];          // its point's rows, column k of the turns
    tni_f4 spin_a[3], spin_b[3]; // I^-1 u_k
} tni_pin_turns;

typedef struct tni_pin_block {
    tni_f4 r_a, r_b;
    tni_f4 mass_a, mass_b;             // inverse, by axis
    tni_f4 bias, impulse, warm, error; // N·s, over the substep; half of the last; m
    tni_f4 inverse[3];                 // column j of the point's block of K^-1
    tni_f4 spin_a[3], spin_b[3];       // I^-1 (r x e_j)
    tni_pin_turns turns[];             // one, or none
} tni_pin_block;

static inline size_t tni_pin_block_size(uint32_t turns) {
    return sizeof(tni_pin_block) + (turns > 0 ? sizeof(tni_pin_turns) : 0);
}

// Sets the block's inverse, responses and errors at the present pose; the caller sets the bias.
void tni_pin_refresh(tni_pin_block *block, const tni_pin *pin, uint32_t turns, tni_joint_ends ends,
                     const tni_body_state *a, const tni_body_state *b);
// Does the same for a point that slides, with `point_rows` rows.
void tni_pin_refresh_slide(tni_pin_block *block, const tni_pin *pin, uint32_t point_rows,
                           uint32_t turns, tni_joint_ends ends, const tni_body_state *a,
                           const tni_body_state *b);

// These make a vector from the numbers of the two rows of a point that slides, and numbers from a
// vector.
TNI_KERNEL tni_f4 tni_pin_from_plane(const tni_f4 plane[2], tni_f4 numbers) {
    tni_f4 first = f4_mul(plane[0], f4_splat_lane(numbers, 0));
    return f4_add_product(first, plane[1], f4_splat_lane(numbers, 1));
}

TNI_KERNEL tni_f4 tni_pin_to_plane(const tni_f4 plane[2], tni_f4 v) {
    return f4_make(f4_dot3(plane[0], v), f4_dot3(plane[1], v), 0.0f, 0.0f);
}

// ---- sweeps: `turns` and `ends` are constants where they are called --------------------------

// Joints of a chain wait for each other, so sums are taken in two halves that do not.

// Returns J v + bias.
TNI_KERNEL tni_pin_numbers tni_pin_speed(const tni_pin_block *block, uint32_t turns,
                                         tni_joint_ends ends, const tni_velocities *v,
                                         tni_pin_numbers bias) {
    tni_pin_numbers speed = bias;
    if (ends != TNI_ENDS_ONLY_A) {
        speed.point = f4_add(v->v_b, speed.point);
    }
    if (ends != TNI_ENDS_ONLY_B) {
        speed.point = f4_sub(speed.point, v->v_a);
    }
    if (ends != TNI_ENDS_ONLY_A) {
        speed.point = f4_add(speed.point, f4_cross(v->w_b, block->r_b));
    }
    if (ends != TNI_ENDS_ONLY_B) {
        speed.point = f4_sub(speed.point, f4_cross(v->w_a, block->r_a));
    }
    if (turns > 0) {
        const tni_f4 *axis = block->turns->axis;
        tni_f4 w = ends == TNI_ENDS_ONLY_B ? v->w_b : f4_sub(v->w_b, v->w_a);
        tni_f4 half = f4_mul(axis[1], f4_splat_lane(w, 1));
        half = f4_add_product(half, axis[2], f4_splat_lane(w, 2));
        speed.turn = f4_add(f4_add_product(bias.turn, axis[0], f4_splat_lane(w, 0)), half);
    }
    return speed;
}

// Returns x + K^-1 r.
TNI_KERNEL tni_pin_numbers tni_pin_invert(const tni_pin_block *block, uint32_t turns,
                                          tni_pin_numbers r, tni_pin_numbers x) {
    const tni_pin_turns *own = block->turns;
    tni_f4 r0 = f4_splat_lane(r.point, 0), r1 = f4_splat_lane(r.point, 1);
    tni_f4 r2 = f4_splat_lane(r.point, 2);
    tni_f4 half = f4_add_product(f4_mul(block->inverse[1], r1), block->inverse[2], r2);
    x.point = f4_add_product(x.point, block->inverse[0], r0);
    if (turns > 0) {
        tni_f4 turn_half = f4_add_product(f4_mul(own->from_point[1], r1), own->from_point[2], r2);
        x.turn = f4_add_product(x.turn, own->from_point[0], r0);
        for (uint32_t k = 0; k < turns; ++k) {
            tni_f4 t = f4_splat_lane(r.turn, k);
            x.point = f4_add_product(x.point, own->to_point[k], t);
            x.turn = f4_add_product(x.turn, own->inverse[k], t);
        }
        x.turn = f4_add(x.turn, turn_half);
    }
    x.point = f4_add(x.point, half);
    return x;
}

// Returns one body's new w: w + or - (sum of p_j s_j + sum of t_k s_k), s the spins of the block.
TNI_KERNEL tni_f4 pin_sum_spins(const tni_f4 spin[3], const tni_f4 turn_spin[3], uint32_t turns,
                                tni_pin_numbers x, bool is_b, tni_f4 w) {
    tni_f4 half = f4_mul(spin[1], f4_splat_lane(x.point, 1));
    half = f4_add_product(half, spin[2], f4_splat_lane(x.point, 2));
    tni_f4 first = f4_mul(spin[0], f4_splat_lane(x.point, 0));
    w = is_b ? f4_sub(w, first) : f4_add(w, first);
    for (uint32_t k = 0; k < turns; ++k) {
        tni_f4 turned = f4_mul(turn_spin[k], f4_splat_lane(x.turn, k));
        w = is_b ? f4_sub(w, turned) : f4_add(w, turned);
    }
    return is_b ? f4_sub(w, half) : f4_add(w, half);
}

// Subtracts v -= W J^T x, to be stored by the caller.
TNI_KERNEL void tni_pin_subtract(const tni_pin_block *block, uint32_t turns, tni_joint_ends ends,
                                 tni_pin_numbers x, tni_velocities *v) {
    const tni_pin_turns *own = block->turns;
    if (ends != TNI_ENDS_ONLY_B) {
        v->v_a = f4_add_product(v->v_a, block->mass_a, x.point);
        v->w_a = pin_sum_spins(block->spin_a, own->spin_a, turns, x, false, v->w_a);
    }
    if (ends != TNI_ENDS_ONLY_A) {
        v->v_b = f4_sub(v->v_b, f4_mul(block->mass_b, x.point));
        v->w_b = pin_sum_spins(block->spin_b, own->spin_b, turns, x, true, v->w_b);
    }
}

TNI_KERNEL tni_pin_numbers tni_pin_zero(void) {
    tni_pin_numbers zero = {f4_splat(0.0f), f4_splat(0.0f)};
    return zero;
}

TNI_KERNEL tni_pin_numbers tni_pin_scale(tni_pin_numbers r, float s) {
    tni_pin_numbers scaled = {f4_mul(f4_splat(s), r.point), f4_mul(f4_splat(s), r.turn)};
    return scaled;
}

// Takes x = mass_scale K^-1 (J v + bias) + impulse_scale X from the impulses X.
TNI_KERNEL void tni_pin_solve(tni_pin_block *block, uint32_t turns, tni_joint_ends ends,
                              tni_softness soft, bool use_bias, tni_body_state *a,
                              tni_body_state *b) {
    tni_velocities v = tni_velocities_load_moved(ends, a, b);
    tni_pin_numbers zero = tni_pin_zero(), bias = zero, given = zero, old;
    old.point = block->impulse;
    old.turn = turns > 0 ? block->turns->impulse : zero.turn;
    if (use_bias) {
        bias.point = block->bias;
        bias.turn = turns > 0 ? block->turns->bias : zero.turn;
        given = tni_pin_scale(old, soft.impulse_scale);
    }
    tni_pin_numbers r = tni_pin_speed(block, turns, ends, &v, bias);
    if (use_bias) {
        r = tni_pin_scale(r, soft.mass_scale);
    }
    tni_pin_numbers x = tni_pin_invert(block, turns, r, given);
    block->impulse = f4_sub(old.point, x.point);
    if (turns > 0) {
        block->turns->impulse = f4_sub(old.turn, x.turn);
    }
    tni_pin_subtract(block, turns, ends, x, &v);
    tni_velocities_store(ends, &v, a, b);
}

// N·s or N·m·s: an impulse below this becomes zero. One that fades away would otherwise become a
// denormal number, which is slow: see MATHS_TINY.
#define PIN_TINY_IMPULSE 1e-20f

TNI_KERNEL tni_f4 pin_halve(tni_f4 *impulse, tni_f4 *warm, bool is_first_half) {
    if (is_first_half) {
        *warm = f4_flush(f4_mul(f4_splat(0.5f), *impulse), PIN_TINY_IMPULSE);
        *impulse = *warm;
    } else {
        *impulse = f4_add(*impulse, *warm);
    }
    return f4_sub(f4_splat(0.0f), *warm);
}

// Applies half of the last substep's impulse at the first kick, the other half at the second.
TNI_KERNEL void tni_pin_warm_start(tni_pin_block *block, uint32_t turns, tni_joint_ends ends,
                                   bool is_first_half, tni_body_state *a, tni_body_state *b) {
    tni_velocities v = tni_velocities_load_moved(ends, a, b);
    tni_pin_numbers x = {pin_halve(&block->impulse, &block->warm, is_first_half), f4_splat(0.0f)};
    if (turns > 0) {
        x.turn = pin_halve(&block->turns->impulse, &block->turns->warm, is_first_half);
    }
    tni_pin_subtract(block, turns, ends, x, &v);
    tni_velocities_store(ends, &v, a, b);
}

#endif
