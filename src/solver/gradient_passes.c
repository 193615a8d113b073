// solver/gradient_passes.c: an iteration of conjugate gradients as passes over groups of joints.
//
// See solver/conjugate_gradients.c for the method and its symbols, solver/gradient_lanes.h for the
// groups. Everything is read and written once in a pass.
//
// Block Jacobi: z = D'^-1 r. One pass asks with J how fast W J^T p opens the joints; one takes the
// step and gathers the forces J^T z of the next z by body, which become W J^T p, body by body:
//     turn     p = z + beta p    q = r + beta q (= D' p)     A p = J (W J^T p) + gamma D p
//     advance  x += alpha p      r -= alpha A p              z = D'^-1 r
//
// Symmetric Gauss-Seidel, M = (L + D') D'^-1 (D' + L^T): conjugate gradients on the system from
// which both triangles are taken out, (L + D')^-1 A (D' + L^T)^-1, so that the product with A comes
// with the two sweeps (Eisenstat's trick, from A = (L + D') + (D' + L^T) - D'). With
// y = (L + D')^-1 r, s = D' y and q = (D' + L^T) p,
//     begin    (L + D') y = r      a sweep from the first to the last
//     turn     q = s + beta q
//              (D' + L^T) p = q    a sweep from the last to the first
//              (L + D') w = A p    from the first to the last: m = D' w = q - L (w - p)
//     advance  x += alpha p        y -= alpha w     s -= alpha m
// and r.z = y.s, p.A p = q.w. A sweep has the velocities W J^T of what it found go along.
// Sources: S. Eisenstat, "Efficient implementation of a class of preconditioned conjugate gradient
// methods", SIAM J. Sci. Stat. Comput. 2, 1981; Y. Saad, "Iterative methods for sparse linear
// systems", 2nd ed. 2003, 9.2.2. Test: tests/solver/test_conjugate_gradients.c
#include "core/simd_double.h"
#include "solver/gradient_lanes.h"
#include "solver/gradient_vectors.h"

typedef enum passes {
    PASS_JACOBI_BEGIN,
    PASS_JACOBI_TURN,
    PASS_JACOBI_ADVANCE,
    PASS_SWEEP_BEGIN,
    PASS_SWEEP_BACK,
    PASS_SWEEP_FORTH,
    PASS_SWEEP_ADVANCE,
} passes;

// ---- block Jacobi, one group -----------------------------------------------------------------

// z of the residual, and its forces to the bodies.
TNI_FORCE_INLINE void jacobi_step(const tni_gradients *g, const tni_gradient_lanes *group,
                                  tni_lanes_kind kind, const tni_lanes_numbers *n,
                                  gradient_sum *sum) {
    tni_f4 z[6];
    tni_lanes_motion a, b;
    lanes_invert(group, kind, n->r, z);
    lanes_forces(group, kind, z, &a, &b);
    lanes_add(g->change, group->members.body_a, &a);
    lanes_add(g->change, group->members.body_b, &b);
    gradient_sum_add_lanes(sum, n->r, z, lanes_rows(kind));
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        n->z[i] = z[i];
    }
}

TNI_FORCE_INLINE void jacobi_begin(const tni_gradients *g, const tni_gradient_lanes *group,
                                   tni_lanes_kind kind, gradient_sum *sum) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        n.x[i] = n.p[i] = n.q[i] = f4_splat(0.0f);
    }
    jacobi_step(g, group, kind, &n, sum);
}

TNI_FORCE_INLINE void jacobi_turn(const tni_gradients *g, const tni_gradient_lanes *group,
                                  tni_lanes_kind kind, tni_f4 beta, gradient_sum *sum) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    tni_lanes_motion a = lanes_get(g->along, group->members.body_a);
    tni_lanes_motion b = lanes_get(g->along, group->members.body_b);
    tni_f4 image[6], p[6];
    lanes_speed(group, kind, &a, &b, image);
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        tni_f4 q = f4_add_product(n.r[i], beta, n.q[i]);
        p[i] = f4_add_product(n.z[i], beta, n.p[i]);
        image[i] = f4_add_product(image[i], group->impulse_scale, q);
        n.q[i] = q;
        n.p[i] = p[i];
        n.image[i] = image[i];
    }
    gradient_sum_add_lanes(sum, p, image, lanes_rows(kind));
}

TNI_FORCE_INLINE void jacobi_advance(const tni_gradients *g, const tni_gradient_lanes *group,
                                     tni_lanes_kind kind, tni_f4 alpha, gradient_sum *sum) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        n.r[i] = f4_sub(n.r[i], f4_mul(alpha, n.image[i]));
        n.x[i] = f4_add_product(n.x[i], alpha, n.p[i]);
    }
    jacobi_step(g, group, kind, &n, sum);
}

// W J^T p from the forces of z, which are cleared for the next.
static void jacobi_turn_bodies(const tni_solver *solver, const tni_gradients *g, float beta) {
    tni_gradient_motion still = {f4_splat(0.0f), f4_splat(0.0f)};
    tni_f4 factor = f4_splat(beta);
    for (uint32_t k = 0; k < g->body_count; ++k) {
        const float *numbers = solver->states[g->bodies[k]].numbers;
        tni_gradient_motion *change = &g->change[g->bodies[k]], *along = &g->along[g->bodies[k]];
        tni_f4 inertia[3];
        f4_load_symmetric(numbers + TNI_STATE_INV_INERTIA, inertia);
        tni_f4 v = f4_mul(f4_load(numbers + TNI_STATE_INV_MASS), change->v);
        along->v = f4_add_product(v, factor, along->v);
        along->w = f4_add_product(f4_mul_columns(inertia, change->w), factor, along->w);
        *change = still;
    }
}

// ---- symmetric Gauss-Seidel, one group ---------------------------------------------------------

TNI_FORCE_INLINE void sweep_begin(const tni_gradients *g, const tni_gradient_lanes *group,
                                  tni_lanes_kind kind, gradient_sum *sum) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    tni_lanes_motion a = lanes_get(g->change, group->members.body_a);
    tni_lanes_motion b = lanes_get(g->change, group->members.body_b);
    tni_f4 speed[6], y[6];
    lanes_speed(group, kind, &a, &b, speed);
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        speed[i] = f4_sub(n.s[i], speed[i]);
        n.s[i] = speed[i];
        n.x[i] = n.q[i] = f4_splat(0.0f);
    }
    lanes_invert(group, kind, speed, y);
    lanes_push(group, kind, y, &a, &b);
    lanes_set(g->change, group->members.body_a, &a);
    lanes_set(g->change, group->members.body_b, &b);
    gradient_sum_add_lanes(sum, speed, y, lanes_rows(kind));
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        n.y[i] = y[i];
    }
}

TNI_FORCE_INLINE void sweep_back(const tni_gradients *g, const tni_gradient_lanes *group,
                                 tni_lanes_kind kind, tni_f4 beta) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    tni_lanes_motion a = lanes_get(g->along, group->members.body_a);
    tni_lanes_motion b = lanes_get(g->along, group->members.body_b);
    tni_f4 speed[6], p[6];
    lanes_speed(group, kind, &a, &b, speed);
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        tni_f4 q = f4_add_product(n.s[i], beta, n.q[i]);
        speed[i] = f4_sub(q, speed[i]);
        n.q[i] = q;
    }
    lanes_invert(group, kind, speed, p);
    lanes_push(group, kind, p, &a, &b);
    lanes_set(g->along, group->members.body_a, &a);
    lanes_set(g->along, group->members.body_b, &b);
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        n.p[i] = p[i];
    }
}

TNI_FORCE_INLINE void sweep_forth(const tni_gradients *g, const tni_gradient_lanes *group,
                                  tni_lanes_kind kind, gradient_sum *sum) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    tni_lanes_motion a = lanes_get(g->change, group->members.body_a);
    tni_lanes_motion b = lanes_get(g->change, group->members.body_b);
    tni_f4 m[6], w[6], more[6];
    lanes_speed(group, kind, &a, &b, m);
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        m[i] = f4_sub(n.q[i], m[i]);
        n.m[i] = m[i];
    }
    lanes_invert(group, kind, m, w);
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        more[i] = f4_sub(w[i], n.p[i]);
        n.w[i] = w[i];
    }
    lanes_push(group, kind, more, &a, &b);
    lanes_set(g->change, group->members.body_a, &a);
    lanes_set(g->change, group->members.body_b, &b);
    gradient_sum_add_lanes(sum, n.q, w, lanes_rows(kind));
}

TNI_FORCE_INLINE void sweep_advance(const tni_gradients *g, const tni_gradient_lanes *group,
                                    tni_lanes_kind kind, tni_f4 alpha, gradient_sum *sum) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        n.x[i] = f4_add_product(n.x[i], alpha, n.p[i]);
        n.y[i] = f4_sub(n.y[i], f4_mul(alpha, n.w[i]));
        n.s[i] = f4_sub(n.s[i], f4_mul(alpha, n.m[i]));
    }
    gradient_sum_add_lanes(sum, n.y, n.s, lanes_rows(kind));
}

// ---- all groups -------------------------------------------------------------------------------

// Kind and pass are constants where this is called.
TNI_FORCE_INLINE void pass_visit(const tni_gradients *g, const tni_gradient_lanes *group,
                                 tni_lanes_kind kind, passes pass, tni_f4 factor,
                                 gradient_sum *sum) {
    switch (pass) {
    case PASS_JACOBI_BEGIN:
        jacobi_begin(g, group, kind, sum);
        break;
    case PASS_JACOBI_TURN:
        jacobi_turn(g, group, kind, factor, sum);
        break;
    case PASS_JACOBI_ADVANCE:
        jacobi_advance(g, group, kind, factor, sum);
        break;
    case PASS_SWEEP_BEGIN:
        sweep_begin(g, group, kind, sum);
        break;
    case PASS_SWEEP_BACK:
        sweep_back(g, group, kind, factor);
        break;
    case PASS_SWEEP_FORTH:
        sweep_forth(g, group, kind, sum);
        break;
    case PASS_SWEEP_ADVANCE:
        sweep_advance(g, group, kind, factor, sum);
        break;
    }
}

// Returns the pass's sum.
TNI_FORCE_INLINE double pass_run(const tni_gradients *g, passes pass, float factor) {
    gradient_sum sum = gradient_sum_start();
    tni_f4 lanes = f4_splat(factor);
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        const tni_gradient_lanes *group =
            &g->lanes[pass == PASS_SWEEP_BACK ? g->lanes_count - 1 - i : i];
        switch (group->members.kind) {
        case TNI_LANES_POINT:
            pass_visit(g, group, TNI_LANES_POINT, pass, lanes, &sum);
            break;
        case TNI_LANES_FRAME:
            pass_visit(g, group, TNI_LANES_FRAME, pass, lanes, &sum);
            break;
        case TNI_LANES_ROWS:
            pass_visit(g, group, TNI_LANES_ROWS, pass, lanes, &sum);
            break;
        }
    }
    return gradient_sum_end(&sum);
}

double tni_gradients_begin(const tni_gradients *g) {
    if (g->is_swept) {
        return pass_run(g, PASS_SWEEP_BEGIN, 0.0f);
    }
    tni_gradients_clear(g, g->along);
    return pass_run(g, PASS_JACOBI_BEGIN, 0.0f);
}

double tni_gradients_turn(const tni_solver *solver, const tni_gradients *g, float beta) {
    if (g->is_swept) {
        tni_gradients_clear(g, g->along);
        tni_gradients_clear(g, g->change);
        pass_run(g, PASS_SWEEP_BACK, beta);
        return pass_run(g, PASS_SWEEP_FORTH, 0.0f);
    }
    jacobi_turn_bodies(solver, g, beta);
    return pass_run(g, PASS_JACOBI_TURN, beta);
}

double tni_gradients_advance(const tni_gradients *g, float alpha) {
    return g->is_swept ? pass_run(g, PASS_SWEEP_ADVANCE, alpha)
                       : pass_run(g, PASS_JACOBI_ADVANCE, alpha);
}
