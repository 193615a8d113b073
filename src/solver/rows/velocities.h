// solver/rows/velocities.h: the velocities of two bodies as four vectors, for the sweeps over
// joints.
#ifndef TNI_SOLVER_ROWS_VELOCITIES_H
#define TNI_SOLVER_ROWS_VELOCITIES_H

#include "core/simd.h"
#include "solver/solver.h"

// A joint moves these of its bodies. The other one is at rest and stays so: the world, or a static
// body.
typedef enum tni_joint_ends {
    TNI_ENDS_BOTH,
    TNI_ENDS_ONLY_A,
    TNI_ENDS_ONLY_B,
} tni_joint_ends;

// Each vector has three numbers in the first lanes. The fourth holds the number that lies behind in
// a body's state and must not change.
typedef struct tni_velocities {
    tni_f4 v_a, w_a, v_b, w_b;
} tni_velocities;

TNI_KERNEL tni_velocities tni_velocities_load(const tni_body_state *a, const tni_body_state *b) {
    tni_velocities v = {f4_load(a->numbers), f4_load(a->numbers + TNI_STATE_W), f4_load(b->numbers),
                        f4_load(b->numbers + TNI_STATE_W)};
    return v;
}

TNI_KERNEL tni_velocities tni_velocities_zero(void) {
    tni_velocities v = {f4_splat(0.0f), f4_splat(0.0f), f4_splat(0.0f), f4_splat(0.0f)};
    return v;
}

// Loads the velocities of the ends that are moved, and zero for the other.
TNI_KERNEL tni_velocities tni_velocities_load_moved(tni_joint_ends ends, const tni_body_state *a,
                                                    const tni_body_state *b) {
    tni_velocities v = tni_velocities_zero();
    if (ends != TNI_ENDS_ONLY_B) {
        v.v_a = f4_load(a->numbers);
        v.w_a = f4_load(a->numbers + TNI_STATE_W);
    }
    if (ends != TNI_ENDS_ONLY_A) {
        v.v_b = f4_load(b->numbers);
        v.w_b = f4_load(b->numbers + TNI_STATE_W);
    }
    return v;
}

// Stores only the end that is moved: workers may read the other at the same time.
TNI_KERNEL void tni_velocities_store(tni_joint_ends ends, const tni_velocities *v,
                                     tni_body_state *a, tni_body_state *b) {
    if (ends != TNI_ENDS_ONLY_B) {
        f4_store(a->numbers, v->v_a);
        f4_store(a->numbers + TNI_STATE_W, v->w_a);
    }
    if (ends != TNI_ENDS_ONLY_A) {
        f4_store(b->numbers, v->v_b);
        f4_store(b->numbers + TNI_STATE_W, v->w_b);
    }
}

// Adds v += s d.
TNI_KERNEL void tni_velocities_add(tni_velocities *v, float s, const tni_velocities *d) {
    tni_f4 factor = f4_splat(s);
    v->v_a = f4_add_product(v->v_a, factor, d->v_a);
    v->w_a = f4_add_product(v->w_a, factor, d->w_a);
    v->v_b = f4_add_product(v->v_b, factor, d->v_b);
    v->w_b = f4_add_product(v->w_b, factor, d->w_b);
}

// Returns J v; the row is stored as velocities are.
TNI_KERNEL float tni_velocities_dot(const tni_velocities *row, const tni_velocities *v) {
    tni_f4 of_a = f4_add_product(f4_mul(row->v_a, v->v_a), row->w_a, v->w_a);
    tni_f4 of_b = f4_add_product(f4_mul(row->v_b, v->v_b), row->w_b, v->w_b);
    return f4_sum3(f4_add(of_a, of_b));
}

#endif
