// solver/gradient_start.c: what conjugate gradients start from, and what becomes of what they find.
//
// See solver/conjugate_gradients.c. With the velocities v = u + W J^T x of the impulses x that the
// solve starts from,
//     solve A   r = b - A x = -(J v + bias) - gamma D x       b = -(J v + bias) + J W J^T x
//     solve B   r = -J v
// Test: tests/solver/test_conjugate_gradients.c
#include "solver/gradient_lanes.h"
#include "solver/gradient_vectors.h"

typedef enum start_passes {
    START_PUSH,       // W J^T x to the bodies
    START_BIAS,       // of solve A
    START_RIGHT_SIDE, // of solve A, without the residual
    START_RELAX,      // of solve B
    START_TAKE,       // what was found to velocities and impulses
} start_passes;

// r.D'^-1 r and b.D'^-1 b
typedef struct start_sums {
    gradient_sum residual, right_side;
} start_sums;

// ---- blocks and bodies into lanes -------------------------------------------------------------

TNI_FORCE_INLINE void start_get_biases(const tni_solver *solver, const tni_gradients *g,
                                       const tni_gradient_lanes *group, tni_lanes_kind kind,
                                       tni_f4 out[6]) {
    tni_pin_numbers x[4];
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        x[i] = gradient_get_bias(lanes_block(solver, g, group, i));
    }
    lanes_turn_numbers(x, kind, out);
}

TNI_FORCE_INLINE tni_lanes_motion start_get_velocities(const tni_solver *solver,
                                                       const uint32_t body[4]) {
    const float *p = solver->states[body[0]].numbers, *q = solver->states[body[1]].numbers;
    const float *r = solver->states[body[2]].numbers, *s = solver->states[body[3]].numbers;
    tni_lanes_motion lanes;
    lanes_turn(f4_load(p), f4_load(q), f4_load(r), f4_load(s), lanes.v);
    lanes_turn(f4_load(p + TNI_STATE_W), f4_load(q + TNI_STATE_W), f4_load(r + TNI_STATE_W),
               f4_load(s + TNI_STATE_W), lanes.w);
    return lanes;
}

// What stands behind v and w in a state gets zeros added.
TNI_FORCE_INLINE void start_add_velocities(const tni_solver *solver, const uint32_t body[4],
                                           const tni_lanes_motion *lanes) {
    tni_f4 v[4], w[4];
    lanes_part(lanes->v, v);
    lanes_part(lanes->w, w);
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        float *numbers = solver->states[body[i]].numbers;
        f4_store(numbers, f4_add(f4_load(numbers), v[i]));
        f4_store(numbers + TNI_STATE_W, f4_add(f4_load(numbers + TNI_STATE_W), w[i]));
    }
}

TNI_FORCE_INLINE tni_lanes_motion start_rest(void) {
    tni_f4 zero = f4_splat(0.0f);
    tni_lanes_motion rest = {{zero, zero, zero}, {zero, zero, zero}};
    return rest;
}

// ---- one group --------------------------------------------------------------------------------

TNI_FORCE_INLINE void start_push(const tni_solver *solver, const tni_gradients *g,
                                 const tni_gradient_lanes *group, tni_lanes_kind kind) {
    tni_lanes_motion a = start_rest(), b = start_rest();
    tni_f4 x[6];
    lanes_get_impulses(solver, g, group, kind, x);
    lanes_push(group, kind, x, &a, &b);
    lanes_add(g->change, group->members.body_a, &a);
    lanes_add(g->change, group->members.body_b, &b);
}

// K x of each joint alone.
TNI_FORCE_INLINE void start_respond(const tni_gradient_lanes *group, tni_lanes_kind kind,
                                    const tni_f4 x[6], tni_f4 out[6]) {
    tni_lanes_motion a = start_rest(), b = start_rest();
    lanes_push(group, kind, x, &a, &b);
    lanes_speed(group, kind, &a, &b, out);
}

TNI_FORCE_INLINE void start_bias(const tni_solver *solver, const tni_gradients *g,
                                 const tni_gradient_lanes *group, tni_lanes_kind kind,
                                 bool has_residual, start_sums *sums) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    tni_f4 bias[6], speed[6], given[6], weighted[6];
    start_get_biases(solver, g, group, kind, bias);
    tni_lanes_motion a = start_get_velocities(solver, group->members.body_a);
    tni_lanes_motion b = start_get_velocities(solver, group->members.body_b);
    lanes_speed(group, kind, &a, &b, speed);
    a = lanes_get(g->change, group->members.body_a);
    b = lanes_get(g->change, group->members.body_b);
    lanes_speed(group, kind, &a, &b, given);
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        speed[i] = f4_add(speed[i], bias[i]);
        given[i] = f4_sub(given[i], speed[i]);
    }
    lanes_invert(group, kind, given, weighted);
    gradient_sum_add_lanes(&sums->right_side, given, weighted, lanes_rows(kind));
    if (has_residual) {
        tni_f4 x[6], held[6];
        lanes_get_impulses(solver, g, group, kind, x);
        start_respond(group, kind, x, held);
        for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
            n.r[i] = f4_sub(f4_sub(f4_splat(0.0f), speed[i]), f4_mul(group->gamma, held[i]));
        }
        lanes_invert(group, kind, n.r, weighted);
        gradient_sum_add_lanes(&sums->residual, n.r, weighted, lanes_rows(kind));
    }
}

TNI_FORCE_INLINE void start_relax(const tni_solver *solver, const tni_gradients *g,
                                  const tni_gradient_lanes *group, tni_lanes_kind kind,
                                  start_sums *sums) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    tni_f4 speed[6], weighted[6];
    tni_lanes_motion a = start_get_velocities(solver, group->members.body_a);
    tni_lanes_motion b = start_get_velocities(solver, group->members.body_b);
    lanes_speed(group, kind, &a, &b, speed);
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        n.r[i] = f4_sub(f4_splat(0.0f), speed[i]);
    }
    lanes_invert(group, kind, n.r, weighted);
    gradient_sum_add_lanes(&sums->residual, n.r, weighted, lanes_rows(kind));
}

TNI_FORCE_INLINE void start_take(const tni_solver *solver, const tni_gradients *g,
                                 const tni_gradient_lanes *group, tni_lanes_kind kind) {
    tni_lanes_motion a = start_rest(), b = start_rest();
    const tni_f4 *found = lanes_numbers(g, group).x;
    tni_pin_numbers x[4];
    lanes_push(group, kind, found, &a, &b);
    start_add_velocities(solver, group->members.body_a, &a);
    start_add_velocities(solver, group->members.body_b, &b);
    lanes_split(found, kind, x);
    for (uint32_t i = 0; i < group->members.count; ++i) {
        const tni_joint_block *block = lanes_block(solver, g, group, i);
        gradient_set_impulse(block, gradient_add_scaled(gradient_get_impulse(block), 1.0f, x[i]));
    }
}

// ---- all groups -------------------------------------------------------------------------------

// Kind and pass are constants where this is called.
TNI_FORCE_INLINE void start_visit(const tni_solver *solver, const tni_gradients *g,
                                  const tni_gradient_lanes *group, tni_lanes_kind kind,
                                  start_passes pass, start_sums *sums) {
    switch (pass) {
    case START_PUSH:
        start_push(solver, g, group, kind);
        break;
    case START_BIAS:
        start_bias(solver, g, group, kind, true, sums);
        break;
    case START_RIGHT_SIDE:
        start_bias(solver, g, group, kind, false, sums);
        break;
    case START_RELAX:
        start_relax(solver, g, group, kind, sums);
        break;
    case START_TAKE:
        start_take(solver, g, group, kind);
        break;
    }
}

TNI_FORCE_INLINE start_sums start_run(const tni_solver *solver, const tni_gradients *g,
                                      start_passes pass) {
    start_sums sums = {gradient_sum_start(), gradient_sum_start()};
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        const tni_gradient_lanes *group = &g->lanes[i];
        switch (group->members.kind) {
        case TNI_LANES_POINT:
            start_visit(solver, g, group, TNI_LANES_POINT, pass, &sums);
            break;
        case TNI_LANES_FRAME:
            start_visit(solver, g, group, TNI_LANES_FRAME, pass, &sums);
            break;
        case TNI_LANES_ROWS:
            start_visit(solver, g, group, TNI_LANES_ROWS, pass, &sums);
            break;
        }
    }
    return sums;
}

void tni_gradients_clear_all(const tni_gradients *g) {
    tni_gradient_motion still = {f4_splat(0.0f), f4_splat(0.0f)};
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        const tni_lanes_members *members = &g->lanes[i].members;
        for (uint32_t k = 0; k < TNI_GRADIENT_LANES; ++k) {
            g->change[members->body_a[k]] = g->change[members->body_b[k]] = still;
            g->along[members->body_a[k]] = g->along[members->body_b[k]] = still;
        }
    }
}

double tni_gradients_start_bias(const tni_solver *solver, const tni_gradients *g, double *out_now) {
    start_run(solver, g, START_PUSH);
    start_sums sums = start_run(solver, g, START_BIAS);
    tni_gradients_clear(g, g->change);
    *out_now = gradient_sum_end(&sums.residual);
    return gradient_sum_end(&sums.right_side);
}

double tni_gradients_get_right_side(const tni_solver *solver, tni_gradients *g) {
    tni_gradient_lanes_load(solver, g);
    start_run(solver, g, START_PUSH);
    start_sums sums = start_run(solver, g, START_RIGHT_SIDE);
    tni_gradients_clear_all(g);
    return gradient_sum_end(&sums.right_side);
}

double tni_gradients_start_relax(const tni_solver *solver, const tni_gradients *g) {
    start_sums sums = start_run(solver, g, START_RELAX);
    return gradient_sum_end(&sums.residual);
}

void tni_gradients_unload(const tni_gradients *g) {
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        const tni_gradient_lanes *group = &g->lanes[i];
        tni_pin_numbers x[4];
        lanes_split(lanes_numbers(g, group).x, group->members.kind, x);
        for (uint32_t k = 0; k < group->members.count; ++k) {
            gradient_store(g->found, group->members.joint[k], g->is_wide, x[k]);
        }
    }
}

void tni_gradients_take(const tni_solver *solver, const tni_gradients *g) {
    start_run(solver, g, START_TAKE);
}
