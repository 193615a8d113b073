// solver/gradients/gradient_passes_wide.c: an iteration of conjugate gradients as passes over
// groups of joints.
//
// See solver/gradients/conjugate_gradients.c for the method and its symbols,
// solver/gradients/gradient_lanes.h for the groups. Everything is read and written once in a pass.
//
// Block Jacobi: z = D'^-1 r. One pass asks with J how fast W J^T p opens the joints; one takes the
// step and gathers the forces J^T z of the next z by body, which become W J^T p, body by body:
//     turn     p = z + beta p    q = r + beta q (= D' p)     A p = J (W J^T p) + gamma D p
//     advance  x += alpha p      r -= alpha A p              z = D'^-1 r
// The first z and its forces are made where r is: solver/gradients/gradient_start_wide.c.
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
// and r.z = y.s, p.A p = q.w. A sweep carries the velocities W J^T of its solution along.
// Sources: S. Eisenstat, "Efficient implementation of a class of preconditioned conjugate gradient
// methods", SIAM J. Sci. Stat. Comput. 2, 1981; Y. Saad, "Iterative methods for sparse linear
// systems", 2nd ed. 2003, 9.2.2. Test: tests/solver/gradients/test_conjugate_gradients.c
#include "solver/gradients/gradient_algebra.h"

typedef enum passes {
    PASS_JACOBI_TURN,
    PASS_JACOBI_ADVANCE,
    PASS_SWEEP_BEGIN,
    PASS_SWEEP_BACK,
    PASS_SWEEP_FORTH,
    PASS_SWEEP_ADVANCE,
} passes;

// ---- block Jacobi, one group -----------------------------------------------------------------

TNI_KERNEL void jacobi_turn(const tni_gradients *g, const tni_gradient_lanes *group,
                            tni_lanes_kind kind, tni_f8 beta, lanes_sum *sum) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    lanes_motion a = lanes_get(g->along, group->members.own_a);
    lanes_motion b = lanes_get(g->along, group->members.own_b);
    lanes6 image = lanes_speed(group, kind, &a, &b);
    lanes6 q = lanes6_add_scaled(lanes6_get(n.r, kind), beta, lanes6_get(n.q, kind));
    lanes6 p = lanes6_add_scaled(lanes6_get(n.z, kind), beta, lanes6_get(n.p, kind));
    image = lanes6_add_scaled(image, f8_load(group->impulse_scale.lane), q);
    lanes6_set(n.q, kind, q);
    lanes6_set(n.p, kind, p);
    lanes6_set(n.image, kind, image);
    lanes_sum_add(sum, kind, p, image);
}

TNI_KERNEL void jacobi_advance(const tni_gradients *g, const tni_gradient_lanes *group,
                               tni_lanes_kind kind, tni_f8 alpha, lanes_sum *sum) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    lanes6 r = lanes6_sub_scaled(lanes6_get(n.r, kind), alpha, lanes6_get(n.image, kind));
    lanes6 x = lanes6_add_scaled(lanes6_get(n.x, kind), alpha, lanes6_get(n.p, kind));
    lanes6_set(n.r, kind, r);
    lanes6_set(n.x, kind, x);
    lanes6 z = lanes_invert(group, kind, r);
    lanes6_set(n.z, kind, z);
    lanes_sum_add(sum, kind, r, z);
    lanes_motion a, b;
    lanes_forces(group, kind, z, &a, &b);
    lanes_add(g->change, group->members.own_a, &a);
    lanes_add(g->change, group->members.own_b, &b);
}

// Finds W J^T p from the forces of z. The first p is z, whatever was there before.
static void jacobi_turn_bodies(const tni_gradients *g, float beta) {
    tni_f8 factor = f8_splat(beta);
    for (uint32_t k = 1; k <= g->body_count && beta == 0.0f; ++k) {
        f8_store(gradient_numbers(g->along, k), lanes_yield_body(g, k));
    }
    for (uint32_t k = 1; k <= g->body_count && beta != 0.0f; ++k) {
        float *along = gradient_numbers(g->along, k);
        f8_store(along, f8_add_product(lanes_yield_body(g, k), factor, f8_load(along)));
    }
}

// ---- symmetric Gauss-Seidel, one group ---------------------------------------------------------

TNI_KERNEL void sweep_begin(const tni_gradients *g, const tni_gradient_lanes *group,
                            tni_lanes_kind kind, lanes_sum *sum) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    lanes_motion a = lanes_get(g->change, group->members.own_a);
    lanes_motion b = lanes_get(g->change, group->members.own_b);
    lanes6 s = lanes6_sub(lanes6_get(n.s, kind), lanes_speed(group, kind, &a, &b));
    lanes6 y = lanes_invert(group, kind, s);
    lanes6_set(n.s, kind, s);
    lanes6_set(n.y, kind, y);
    lanes_push(group, kind, y, &a, &b);
    lanes_set(g->change, group->members.own_a, &a);
    lanes_set(g->change, group->members.own_b, &b);
    lanes_sum_add(sum, kind, s, y);
}

TNI_KERNEL void sweep_back(const tni_gradients *g, const tni_gradient_lanes *group,
                           tni_lanes_kind kind, tni_f8 beta) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    lanes_motion a = lanes_get(g->along, group->members.own_a);
    lanes_motion b = lanes_get(g->along, group->members.own_b);
    lanes6 q = lanes6_add_scaled(lanes6_get(n.s, kind), beta, lanes6_get(n.q, kind));
    lanes6 p = lanes_invert(group, kind, lanes6_sub(q, lanes_speed(group, kind, &a, &b)));
    lanes6_set(n.q, kind, q);
    lanes6_set(n.p, kind, p);
    lanes_push(group, kind, p, &a, &b);
    lanes_set(g->along, group->members.own_a, &a);
    lanes_set(g->along, group->members.own_b, &b);
}

TNI_KERNEL void sweep_forth(const tni_gradients *g, const tni_gradient_lanes *group,
                            tni_lanes_kind kind, lanes_sum *sum) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    lanes_motion a = lanes_get(g->change, group->members.own_a);
    lanes_motion b = lanes_get(g->change, group->members.own_b);
    lanes6 q = lanes6_get(n.q, kind);
    lanes6 m = lanes6_sub(q, lanes_speed(group, kind, &a, &b));
    lanes6 w = lanes_invert(group, kind, m);
    lanes6_set(n.m, kind, m);
    lanes6_set(n.w, kind, w);
    lanes_push(group, kind, lanes6_sub(w, lanes6_get(n.p, kind)), &a, &b);
    lanes_set(g->change, group->members.own_a, &a);
    lanes_set(g->change, group->members.own_b, &b);
    lanes_sum_add(sum, kind, q, w);
}

TNI_KERNEL void sweep_advance(const tni_gradients *g, const tni_gradient_lanes *group,
                              tni_lanes_kind kind, tni_f8 alpha, lanes_sum *sum) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    lanes6 x = lanes6_add_scaled(lanes6_get(n.x, kind), alpha, lanes6_get(n.p, kind));
    lanes6 y = lanes6_sub_scaled(lanes6_get(n.y, kind), alpha, lanes6_get(n.w, kind));
    lanes6 s = lanes6_sub_scaled(lanes6_get(n.s, kind), alpha, lanes6_get(n.m, kind));
    lanes6_set(n.x, kind, x);
    lanes6_set(n.y, kind, y);
    lanes6_set(n.s, kind, s);
    lanes_sum_add(sum, kind, y, s);
}

// ---- all groups -------------------------------------------------------------------------------

// Runs a pass on one group. Kind and pass are constants where this is called.
TNI_KERNEL void pass_visit(const tni_gradients *g, const tni_gradient_lanes *group,
                           tni_lanes_kind kind, passes pass, tni_f8 factor, lanes_sum *sum) {
    switch (pass) {
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

// Runs a pass over all groups. Returns its sum.
TNI_KERNEL double pass_run(const tni_gradients *g, passes pass, float factor) {
    lanes_sum sum = lanes_sum_start();
    tni_f8 lanes = f8_splat(factor);
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        const tni_gradient_lanes *group =
            &g->lanes[pass == PASS_SWEEP_BACK ? g->lanes_count - 1 - i : i];
        switch (group->members.kind) {
        case TNI_LANES_POINT:
            pass_visit(g, group, TNI_LANES_POINT, pass, lanes, &sum);
            break;
        case TNI_LANES_UNIVERSAL:
            pass_visit(g, group, TNI_LANES_UNIVERSAL, pass, lanes, &sum);
            break;
        case TNI_LANES_HINGE:
            pass_visit(g, group, TNI_LANES_HINGE, pass, lanes, &sum);
            break;
        case TNI_LANES_FRAME:
            pass_visit(g, group, TNI_LANES_FRAME, pass, lanes, &sum);
            break;
        case TNI_LANES_ROWS:
            pass_visit(g, group, TNI_LANES_ROWS, pass, lanes, &sum);
            break;
        }
    }
    return lanes_sum_end(&sum);
}

double WIDE_NAME(tni_lanes_begin)(const tni_gradients *g) {
    return pass_run(g, PASS_SWEEP_BEGIN, 0.0f);
}

double WIDE_NAME(tni_lanes_turn)(const tni_gradients *g, float beta) {
    if (g->state.is_swept) {
        pass_run(g, PASS_SWEEP_BACK, beta);
        return pass_run(g, PASS_SWEEP_FORTH, 0.0f);
    }
    jacobi_turn_bodies(g, beta);
    return pass_run(g, PASS_JACOBI_TURN, beta);
}

double WIDE_NAME(tni_lanes_advance)(const tni_gradients *g, float alpha) {
    return g->state.is_swept ? pass_run(g, PASS_SWEEP_ADVANCE, alpha)
                             : pass_run(g, PASS_JACOBI_ADVANCE, alpha);
}
