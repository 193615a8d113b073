// solver/gradients/gradient_start_wide.c: the start of a solve by conjugate gradients, and the use
// of its solution.
//
// See solver/gradients/conjugate_gradients.c. With the velocities v = u + W J^T x of the impulses x
// that the solve starts from,
//     solve A   r = b - A x = -(J v + bias) - gamma D x       b = -(J v + bias) + J W J^T x
//     solve B   r = -J v
// With block Jacobi the first z = D'^-1 r goes along, as the residual's square needs it anyway.
// Test: tests/solver/gradients/test_conjugate_gradients.c
#include "solver/gradients/gradient_bodies.h"

typedef enum start_passes {
    START_PUSH,       // J^T x to the bodies
    START_BIAS,       // of solve A
    START_RIGHT_SIDE, // of solve A, without the residual
    START_RELAX,      // of solve B
    START_TAKE,       // what was found to the bodies and into impulses
} start_passes;

typedef struct start_sums {
    lanes_sum residual, right_side;
} start_sums;

// ---- blocks into lanes ------------------------------------------------------------------------

TNI_KERNEL lanes6 start_get_grouped(const tni_group_vectors *v) {
    lanes6 x = {{f8_load(v->n[0]), f8_load(v->n[1]), f8_load(v->n[2])}, v8_zero()};
    return x;
}

TNI_KERNEL lanes6 start_get_impulses(const tni_solver *solver, const tni_gradients *g,
                                     const tni_gradient_lanes *group, tni_lanes_kind kind) {
    tni_f4 point[8], turn[8];
    if (kind == TNI_LANES_POINT && group->group != NULL) {
        return start_get_grouped(&group->group->impulse);
    }
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        tni_pin_numbers x = gradient_get_impulse(lanes_block(solver, g, group, i));
        point[i] = x.point;
        turn[i] = x.turn;
    }
    lanes6 x = {lanes_turn(point), v8_zero()};
    if (lanes_have_turns(kind)) {
        x.turn = lanes_mul_columns(group->turns->axis, lanes_turn(turn));
    }
    return x;
}

TNI_KERNEL lanes6 start_get_biases(const tni_solver *solver, const tni_gradients *g,
                                   const tni_gradient_lanes *group, tni_lanes_kind kind) {
    tni_f4 point[8], turn[8];
    if (kind == TNI_LANES_POINT && group->group != NULL) {
        return start_get_grouped(&group->group->bias);
    }
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        tni_pin_numbers bias = gradient_get_bias(lanes_block(solver, g, group, i));
        point[i] = bias.point;
        turn[i] = bias.turn;
    }
    lanes6 bias = {lanes_turn(point), v8_zero()};
    if (lanes_have_turns(kind)) {
        bias.turn = lanes_mul_columns(group->turns->dual, lanes_turn(turn));
    }
    return bias;
}

// ---- one group --------------------------------------------------------------------------------

TNI_KERNEL void start_add_forces(const tni_gradients *g, const tni_gradient_lanes *group,
                                 tni_lanes_kind kind, lanes6 x) {
    lanes_motion a, b;
    lanes_forces(group, kind, x, &a, &b);
    lanes_add(g->change, group->members.own_a, &a);
    lanes_add(g->change, group->members.own_b, &b);
}

// Returns the impulses, with the solution if `adds_found`.
TNI_KERNEL lanes6 start_get_all(const tni_solver *solver, const tni_gradients *g,
                                const tni_gradient_lanes *group, tni_lanes_kind kind,
                                bool adds_found) {
    lanes6 x = start_get_impulses(solver, g, group, kind);
    if (adds_found) {
        x = lanes6_add(x, lanes6_get(lanes_numbers(g, group).x, kind));
    }
    return x;
}

TNI_KERNEL void start_push(const tni_solver *solver, const tni_gradients *g,
                           const tni_gradient_lanes *group, tni_lanes_kind kind, bool adds_found) {
    lanes6 x = start_get_all(solver, g, group, kind, adds_found);
    start_add_forces(g, group, kind, x);
}

// Returns K x of each joint alone.
TNI_KERNEL lanes6 start_respond(const tni_gradient_lanes *group, tni_lanes_kind kind, lanes6 x,
                                const tni_wide_body *a, const tni_wide_body *b) {
    lanes_motion on_a, on_b;
    lanes_forces(group, kind, x, &on_a, &on_b);
    on_a.v = v8_mul(a->inv_mass, on_a.v);
    on_b.v = v8_mul(b->inv_mass, on_b.v);
    on_a.w = s8_mul(&a->inv_inertia, on_a.w);
    on_b.w = s8_mul(&b->inv_inertia, on_b.w);
    return lanes_speed(group, kind, &on_a, &on_b);
}

// Stores the residual and the vectors that an iteration finds there: with block Jacobi z and its
// forces.
TNI_KERNEL void start_residual(const tni_gradients *g, const tni_gradient_lanes *group,
                               tni_lanes_kind kind, lanes6 r, start_sums *sums) {
    tni_lanes_numbers n = lanes_numbers(g, group);
    lanes6 z = lanes_invert(group, kind, r), zero = lanes6_zero();
    lanes_sum_add(&sums->residual, kind, r, z);
    lanes6_set(n.r, kind, r);
    lanes6_set(n.x, kind, zero);
    lanes6_set(n.p, kind, zero);
    lanes6_set(n.q, kind, zero);
    if (!g->state.is_swept) {
        lanes6_set(n.z, kind, z);
        start_add_forces(g, group, kind, z);
    }
}

TNI_KERNEL void start_bias(const tni_solver *solver, const tni_gradients *g,
                           const tni_gradient_lanes *group, tni_lanes_kind kind, bool has_residual,
                           start_sums *sums) {
    tni_wide_body a = wide_body_load(solver->bodies.states, group->members.body_a);
    tni_wide_body b = wide_body_load(solver->bodies.states, group->members.body_b);
    lanes_motion of_a = {a.v, a.w}, of_b = {b.v, b.w};
    lanes6 speed = lanes_speed(group, kind, &of_a, &of_b);
    speed = lanes6_add(speed, start_get_biases(solver, g, group, kind));
    lanes_motion pushed_a = lanes_get(g->along, group->members.own_a);
    lanes_motion pushed_b = lanes_get(g->along, group->members.own_b);
    lanes6 given = lanes6_sub(lanes_speed(group, kind, &pushed_a, &pushed_b), speed);
    lanes_sum_add(&sums->right_side, kind, given, lanes_invert(group, kind, given));
    if (has_residual) {
        lanes6 x = start_get_impulses(solver, g, group, kind);
        lanes6 held = start_respond(group, kind, x, &a, &b);
        lanes6 r = lanes6_sub(lanes6_zero(), speed);
        r = lanes6_sub_scaled(r, f8_load(group->gamma.lane), held);
        start_residual(g, group, kind, r, sums);
    }
}

TNI_KERNEL void start_relax(const tni_solver *solver, const tni_gradients *g,
                            const tni_gradient_lanes *group, tni_lanes_kind kind,
                            start_sums *sums) {
    lanes_motion a = lanes_get_velocities(solver, group->members.body_a);
    lanes_motion b = lanes_get_velocities(solver, group->members.body_b);
    lanes6 r = lanes6_sub(lanes6_zero(), lanes_speed(group, kind, &a, &b));
    start_residual(g, group, kind, r, sums);
}

TNI_KERNEL void start_take(const tni_solver *solver, const tni_gradients *g,
                           const tni_gradient_lanes *group, tni_lanes_kind kind) {
    lanes6 found = lanes6_get(lanes_numbers(g, group).x, kind);
    start_add_forces(g, group, kind, found);
    if (kind == TNI_LANES_POINT && group->group != NULL) {
        tni_group_vectors *impulse = &group->group->impulse;
        lanes6 x = lanes6_add(start_get_grouped(impulse), found);
        f8_store(impulse->n[0], x.point.x);
        f8_store(impulse->n[1], x.point.y);
        f8_store(impulse->n[2], x.point.z);
        return;
    }
    tni_f4 point[8], turn[8] = {f4_zero(), f4_zero(), f4_zero(), f4_zero(),
                                f4_zero(), f4_zero(), f4_zero(), f4_zero()};
    lanes_turn_back(found.point, point);
    if (lanes_have_turns(kind)) {
        lanes_turn_back(lanes_mul_rows(group->turns->dual, found.turn), turn);
    }
    for (uint32_t i = 0; i < group->members.count; ++i) {
        const tni_joint_block *block = lanes_block(solver, g, group, i);
        tni_pin_numbers x = gradient_get_impulse(block);
        x.point = f4_add(x.point, point[i]);
        x.turn = f4_add(x.turn, turn[i]);
        gradient_set_impulse(block, x);
    }
}

// ---- all groups -------------------------------------------------------------------------------

// Runs a pass on one group. Kind and pass are constants where this is called.
TNI_KERNEL void start_visit(const tni_solver *solver, const tni_gradients *g,
                            const tni_gradient_lanes *group, tni_lanes_kind kind, start_passes pass,
                            bool adds_found, start_sums *sums) {
    switch (pass) {
    case START_PUSH:
        start_push(solver, g, group, kind, adds_found);
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

TNI_KERNEL tni_lanes_sums start_run(const tni_solver *solver, const tni_gradients *g,
                                    start_passes pass, bool adds_found) {
    start_sums sums = {lanes_sum_start(), lanes_sum_start()};
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        const tni_gradient_lanes *group = &g->lanes[i];
        switch (group->members.kind) {
        case TNI_LANES_POINT:
            start_visit(solver, g, group, TNI_LANES_POINT, pass, adds_found, &sums);
            break;
        case TNI_LANES_UNIVERSAL:
            start_visit(solver, g, group, TNI_LANES_UNIVERSAL, pass, adds_found, &sums);
            break;
        case TNI_LANES_HINGE:
            start_visit(solver, g, group, TNI_LANES_HINGE, pass, adds_found, &sums);
            break;
        case TNI_LANES_FRAME:
            start_visit(solver, g, group, TNI_LANES_FRAME, pass, adds_found, &sums);
            break;
        case TNI_LANES_ROWS:
            start_visit(solver, g, group, TNI_LANES_ROWS, pass, adds_found, &sums);
            break;
        }
    }
    tni_lanes_sums ends = {lanes_sum_end(&sums.residual), lanes_sum_end(&sums.right_side)};
    return ends;
}

// Forgets the forces on bodies that stand still.
static void start_forget_still(const tni_gradients *g) {
    f8_store(gradient_numbers(g->change, 0), f8_zero());
}

void WIDE_NAME(tni_lanes_push)(const tni_solver *solver, const tni_gradients *g, bool adds_found) {
    start_run(solver, g, START_PUSH, adds_found);
    for (uint32_t k = 1; k <= g->body_count; ++k) {
        f8_store(gradient_numbers(g->along, k), lanes_yield_body(g, k));
    }
    start_forget_still(g);
}

tni_lanes_sums WIDE_NAME(tni_lanes_start_bias)(const tni_solver *solver, const tni_gradients *g,
                                               bool has_residual) {
    return has_residual ? start_run(solver, g, START_BIAS, false)
                        : start_run(solver, g, START_RIGHT_SIDE, false);
}

double WIDE_NAME(tni_lanes_start_relax)(const tni_solver *solver, const tni_gradients *g) {
    return start_run(solver, g, START_RELAX, false).residual;
}

// Applies the solution. The numbers behind v and w in a state get zeros added.
void WIDE_NAME(tni_lanes_take)(const tni_solver *solver, const tni_gradients *g) {
    start_run(solver, g, START_TAKE, false);
    for (uint32_t k = 1; k <= g->body_count; ++k) {
        float *numbers = solver->bodies.states[g->bodies[k - 1]].numbers;
        f8_store(numbers, f8_add(f8_load(numbers), lanes_yield_body(g, k)));
    }
    start_forget_still(g);
}

// ---- strain -----------------------------------------------------------------------------------

// Returns a bound of the strain without a root: (push arm + turn)^2 <= 2 (push^2 arm^2 + turn^2).
TNI_KERNEL tni_f8 start_strain(const tni_solver *solver, const tni_gradients *g,
                               const tni_gradient_lanes *group, tni_lanes_kind kind,
                               bool adds_found) {
    lanes6 x = start_get_all(solver, g, group, kind, adds_found);
    tni_f8 push = v8_dot(x.point, x.point), carried = push;
    if (kind != TNI_LANES_ROWS) {
        tni_v8 r_a = lanes_get_vector(group->r_a), r_b = lanes_get_vector(group->r_b);
        carried = f8_mul(push, f8_max(v8_dot(r_a, r_a), v8_dot(r_b, r_b)));
    }
    if (lanes_have_turns(kind)) {
        carried = f8_add(carried, v8_dot(x.turn, x.turn));
    }
    tni_f8 turnable = f8_load(group->turnable.lane);
    return f8_mul(f8_mul(turnable, turnable), carried);
}

static tni_f8 start_strain_of_group(const tni_solver *solver, const tni_gradients *g,
                                    const tni_gradient_lanes *group, bool adds_found) {
    switch (group->members.kind) {
    case TNI_LANES_POINT:
        return start_strain(solver, g, group, TNI_LANES_POINT, adds_found);
    case TNI_LANES_UNIVERSAL:
        return start_strain(solver, g, group, TNI_LANES_UNIVERSAL, adds_found);
    case TNI_LANES_HINGE:
        return start_strain(solver, g, group, TNI_LANES_HINGE, adds_found);
    case TNI_LANES_FRAME:
        return start_strain(solver, g, group, TNI_LANES_FRAME, adds_found);
    case TNI_LANES_ROWS:
        break;
    }
    return start_strain(solver, g, group, TNI_LANES_ROWS, adds_found);
}

bool WIDE_NAME(tni_lanes_is_strained)(const tni_solver *solver, const tni_gradients *g,
                                      const tni_gradient_lanes *group, bool adds_found,
                                      float least) {
    tni_f8 square = start_strain_of_group(solver, g, group, adds_found);
    // This is written so that a NaN counts.
    tni_f8 over = f8_pick(f8_less(square, f8_splat(least)), f8_zero(), f8_splat(1.0f));
    return m8_any(f8_less(f8_zero(), over));
}
