// solver/joints/joint_threads_wide.c: eight rods, ropes or springs at once: see
// solver/joints/joint_threads.c.
//
// With d from point to point, u its rate, n = d / |d|:
//     C = |d| - length        Jdot v = n . (w_b x (w_b x r_b) - w_a x (w_a x r_a))
//                                      + (|u|^2 - (n . u)^2) / |d|
// as in joints/distance_joint.c; of a rope that hangs loose |d| in the last term is its length.
#include "solver/joints/joint_group_lanes.h"
#include "solver/joints/joint_threads.h"

// ---- sweeps -----------------------------------------------------------------------------------

// These are the velocities of both ends, and the numbers that lie behind them.
typedef struct threads_ends {
    tni_v8 v_a, v_b;
    tni_f8 behind_a, behind_b;
} threads_ends;

TNI_KERNEL threads_ends threads_load(const tni_body_state *states,
                                     const tni_joint_threads *threads) {
    tni_f8 p[4], q[4];
    f8_gather4(states->numbers, WIDE_BODY_FLOATS, threads->body_a, p);
    f8_gather4(states->numbers, WIDE_BODY_FLOATS, threads->body_b, q);
    threads_ends ends = {{p[0], p[1], p[2]}, {q[0], q[1], q[2]}, p[3], q[3]};
    return ends;
}

// Does what wide_body_store_moving() does, for bodies that do not turn.
TNI_KERNEL void threads_store_moving(tni_body_state *states, const uint32_t body[WIDE_LANES],
                                     uint32_t moving, tni_v8 velocity, tni_f8 behind) {
    tni_body_state spare;
    tni_f8 v[4] = {velocity.x, velocity.y, velocity.z, behind};
    if (moving == 0) {
        return;
    }
    f8_transpose(&v[0], &v[1], &v[2], &v[3]);
    for (uint32_t i = 0; i < 4; ++i) {
        float *low = (moving >> i & 1) != 0 ? states[body[i]].numbers : spare.numbers;
        float *high = (moving >> i & 16) != 0 ? states[body[i + 4]].numbers : spare.numbers;
        f8_store_halves(low, high, v[i]);
    }
}

// Adds v += W J^T x, and stores it.
TNI_KERNEL void threads_push(tni_body_state *states, const tni_joint_threads *threads,
                             const threads_ends *ends, tni_v8 n, tni_f8 x) {
    tni_f8 at_a = f8_mul(f8_load(threads->inv_mass_a), x);
    tni_f8 at_b = f8_mul(f8_load(threads->inv_mass_b), x);
    tni_v8 v_a = v8_sub(ends->v_a, v8_scale(at_a, n)), v_b = v8_add_scaled(ends->v_b, at_b, n);
    threads_store_moving(states, threads->body_a, threads->moving_a, v_a, ends->behind_a);
    threads_store_moving(states, threads->body_b, threads->moving_b, v_b, ends->behind_b);
}

// Returns the change of a row's impulse at this speed.
TNI_KERNEL tni_f8 threads_answer(tni_thread_row *row, tni_f8 speed, bool is_rope, bool use_bias) {
    tni_f8 old = f8_load(row->impulse), kept = old;
    if (use_bias) {
        kept = f8_mul(f8_load(row->keep), old);
    }
    tni_f8 wanted = f8_add(speed, f8_load(row->bias[use_bias]));
    tni_f8 x = f8_sub_product(kept, f8_load(row->mass[use_bias]), wanted);
    x = is_rope ? f8_min(x, f8_zero()) : x;
    f8_store(row->impulse, x);
    return f8_sub(x, old);
}

// Solves threads. Springs rest in solve B.
TNI_KERNEL void threads_solve(tni_body_state *states, tni_joint_threads *threads, bool use_bias) {
    bool is_rope = (threads->kind & TNI_THREAD_ROPE) != 0;
    bool has_spring = use_bias && (threads->kind & TNI_THREAD_SPRING) != 0;
    bool has_line = threads->kind != TNI_THREAD_SPRING;
    if (!has_spring && !has_line) {
        return;
    }
    threads_ends ends = threads_load(states, threads);
    tni_v8 n = group_load(&threads->along);
    tni_f8 speed = v8_dot(n, v8_sub(ends.v_b, ends.v_a)), x = f8_zero();
    if (has_spring) {
        x = threads_answer(&threads->spring, speed, false, use_bias);
    }
    if (has_spring && has_line) {
        tni_f8 response = f8_add(f8_load(threads->inv_mass_a), f8_load(threads->inv_mass_b));
        speed = f8_add_product(speed, response, x);
    }
    if (has_line) {
        x = f8_add(x, threads_answer(&threads->line, speed, is_rope, use_bias));
    }
    threads_push(states, threads, &ends, n, x);
}

// Solves in two copies, so that solve B does no work for springs.
void WIDE_NAME(tni_joint_threads_solve)(const tni_solver *solver, tni_joint_threads *threads,
                                        uint32_t count, bool use_bias) {
    if (use_bias) {
        for (uint32_t i = 0; i < count; ++i) {
            threads_solve(solver->bodies.states, &threads[i], true);
        }
    } else {
        for (uint32_t i = 0; i < count; ++i) {
            threads_solve(solver->bodies.states, &threads[i], false);
        }
    }
}

// Starts threads: a rod or rope gives half of its last impulse in each kick; a spring gives all of
// it in the first, and the remaining part of its step in the second.
TNI_KERNEL void threads_warm_start(tni_body_state *states, tni_joint_threads *threads,
                                   bool is_first_half) {
    threads_ends ends = threads_load(states, threads);
    tni_f8 x = f8_zero();
    if ((threads->kind & TNI_THREAD_SPRING) != 0) {
        tni_f8 all = f8_load(threads->spring.impulse);
        x = is_first_half ? all : f8_mul(f8_load(threads->spring.more), all);
    }
    if (threads->kind != TNI_THREAD_SPRING) {
        tni_thread_row *line = &threads->line;
        x = f8_add(x, group_halve(line->impulse, line->more, is_first_half));
    }
    threads_push(states, threads, &ends, group_load(&threads->along), x);
}

void WIDE_NAME(tni_joint_threads_warm_start)(const tni_solver *solver, tni_joint_threads *threads,
                                             uint32_t count, bool is_first_half) {
    if (is_first_half) {
        for (uint32_t i = 0; i < count; ++i) {
            threads_warm_start(solver->bodies.states, &threads[i], true);
        }
    } else {
        for (uint32_t i = 0; i < count; ++i) {
            threads_warm_start(solver->bodies.states, &threads[i], false);
        }
    }
}

// ---- refresh ----------------------------------------------------------------------------------

// A line goes from point to point: it has its length, the rate by points that do not move by
// themselves, the square of its speed across, and the part of Jdot v that arms make. `prediction`
// is that of Jdot v, s.
typedef struct threads_line {
    tni_v8 n;
    tni_f8 length, drift, across, turn, prediction;
} threads_line;

TNI_KERNEL void threads_set_direction(tni_v8 d, threads_line *line) {
    line->length = f8_sqrt(v8_dot(d, d));
    tni_m8 is_line = f8_less(f8_splat(JOINT_THREADS_COINCIDENT), line->length);
    tni_f8 zero = f8_zero(), one = f8_splat(1.0f);
    tni_f8 per_length = f8_div(one, f8_max(line->length, f8_splat(JOINT_THREADS_COINCIDENT)));
    line->n = v8_pick(is_line, v8_scale(per_length, d), v8_make(one, zero, zero));
}

TNI_KERNEL void threads_set_across(tni_v8 u, threads_line *line) {
    tni_f8 along = v8_dot(line->n, u);
    line->across = f8_sub_product(v8_dot(u, u), along, along);
}

TNI_KERNEL tni_v8 threads_get_places(const tni_body_place *places, const uint32_t body[WIDE_LANES],
                                     tni_v8 *out_low) {
    tni_f8 p[4], q[4];
    f8_gather4(places->high, GROUP_PLACE_FLOATS, body, p);
    f8_gather4(places->low, GROUP_PLACE_FLOATS, body, q);
    *out_low = v8_make(q[0], q[1], q[2]);
    return v8_make(p[0], p[1], p[2]);
}

// Measures from centre to centre.
TNI_KERNEL threads_line threads_measure_centers(const tni_solver *solver,
                                                const tni_joint_threads *threads) {
    group_places a, b;
    a.high = threads_get_places(solver->lanes.places, threads->body_a, &a.low);
    b.high = threads_get_places(solver->lanes.places, threads->body_b, &b.low);
    threads_ends ends = threads_load(solver->bodies.states, threads);
    threads_line line = {
        .drift = f8_zero(), .turn = f8_zero(), .prediction = f8_splat(0.5f * solver->h)};
    threads_set_direction(group_measure(&a, &b, v8_zero(), v8_zero()), &line);
    threads_set_across(v8_sub(ends.v_b, ends.v_a), &line);
    return line;
}

// Measures from point to point. The arms go into the group.
TNI_KERNEL threads_line threads_measure_points(const tni_solver *solver,
                                               const tni_joint_threads *threads,
                                               tni_joint_group *group,
                                               const tni_joint_group_rest *rest) {
    group_places a = group_get_places(solver->lanes.places, threads->body_a);
    group_places b = group_get_places(solver->lanes.places, threads->body_b);
    threads_ends ends = threads_load(solver->bodies.states, threads);
    tni_v8 r_a = group_turn(&a, group_load(&rest->anchor_a));
    tni_v8 r_b = group_turn(&b, group_load(&rest->anchor_b));
    tni_v8 on_a = v8_cross(a.w, r_a), on_b = v8_cross(b.w, r_b), turned = v8_sub(on_b, on_a);
    threads_line line = {.prediction = group_find_prediction(solver, a.w, b.w)};
    threads_set_direction(group_measure(&a, &b, r_a, r_b), &line);
    threads_set_across(v8_add(v8_sub(ends.v_b, ends.v_a), turned), &line);
    line.drift = v8_dot(line.n, turned);
    line.turn = v8_dot(line.n, v8_sub(v8_cross(b.w, on_b), v8_cross(a.w, on_a)));
    group_store(&group->r_a, r_a);
    group_store(&group->r_b, r_b);
    return line;
}

// Returns Jdot v of a line, which is taken to be at least `least` long.
TNI_KERNEL tni_f8 threads_get_term(const threads_line *line, tni_f8 least) {
    tni_f8 length = f8_max(line->length, least), zero = f8_zero();
    tni_m8 is_line = f8_less(f8_splat(JOINT_THREADS_COINCIDENT), length);
    return f8_add(line->turn, f8_pick(is_line, f8_div(line->across, length), zero));
}

TNI_KERNEL tni_f8 threads_refresh_rod(const tni_solver *solver, tni_joint_threads *threads,
                                      float rate, const threads_line *at) {
    tni_thread_row *line = &threads->line;
    tni_f8 error = f8_sub(at->length, f8_load(threads->length));
    tni_f8 term = threads_get_term(at, f8_zero());
    tni_f8 bias = group_bias(solver, f8_splat(rate), error, at->prediction, term);
    f8_store(line->bias[0], at->drift);
    f8_store(line->bias[1], f8_add(bias, at->drift));
    return error;
}

// Refreshes a rope. While it is open it closes no faster than to its end in a substep; past its end
// it is as a rod, but without slop.
TNI_KERNEL tni_f8 threads_refresh_rope(const tni_solver *solver, tni_joint_threads *threads,
                                       float rate, const threads_line *at) {
    tni_thread_row *line = &threads->line;
    tni_softness soft = solver->settings.joint_softness;
    tni_f8 zero = f8_zero(), mass = f8_load(line->mass[0]), end = f8_load(threads->length);
    tni_f8 error = f8_sub(at->length, end);
    tni_m8 is_open = f8_less(error, zero);
    tni_f8 reach = f8_mul(error, f8_splat(solver->inv_h));
    tni_f8 back =
        f8_min(f8_mul(error, f8_splat(rate)), f8_splat(solver->settings.joint_bias.max_speed));
    tni_f8 bias =
        f8_add_product(f8_pick(is_open, reach, back), at->prediction, threads_get_term(at, end));
    f8_store(line->keep, f8_pick(is_open, f8_splat(1.0f), f8_splat(1.0f - soft.impulse_scale)));
    f8_store(line->mass[1], f8_pick(is_open, mass, f8_mul(mass, f8_splat(soft.mass_scale))));
    f8_store(line->bias[0], f8_add(f8_pick(is_open, reach, zero), at->drift));
    f8_store(line->bias[1], f8_add(bias, at->drift));
    return f8_max(error, zero);
}

TNI_KERNEL void threads_refresh_spring(tni_joint_threads *threads, const threads_line *at) {
    tni_f8 stretch = f8_sub(at->length, f8_load(threads->rest));
    f8_store(threads->spring.bias[1], f8_add_product(at->drift, f8_load(threads->gain), stretch));
}

void WIDE_NAME(tni_joint_threads_refresh)(const tni_solver *solver, tni_joint_group *group,
                                          tni_joint_group_rest *rest) {
    tni_joint_threads *threads = rest->threads;
    threads_line line = threads->has_arms ? threads_measure_points(solver, threads, group, rest)
                                          : threads_measure_centers(solver, threads);
    group_store(&threads->along, line.n);
    if ((threads->kind & TNI_THREAD_SPRING) != 0) {
        threads_refresh_spring(threads, &line);
    }
    if (threads->kind == TNI_THREAD_ROD) {
        f8_store(rest->error.n[0], threads_refresh_rod(solver, threads, rest->rate, &line));
    } else if (threads->kind != TNI_THREAD_SPRING) {
        f8_store(rest->error.n[0], threads_refresh_rope(solver, threads, rest->rate, &line));
    }
}

// ---- what a substep leaves --------------------------------------------------------------------

void WIDE_NAME(tni_joint_threads_store)(const tni_joint_group *group, tni_joint_group_rest *rest) {
    const tni_joint_threads *threads = rest->threads;
    tni_f8 spring = f8_load(threads->spring.impulse);
    tni_f8 x = f8_add_product(spring, f8_load(threads->spring.more), spring);
    x = f8_add(x, f8_load(threads->line.impulse));
    tni_v8 force = v8_scale(x, group_load(&threads->along));
    group_store(&rest->force, v8_add(group_load(&rest->force), force));
    if (threads->has_arms) {
        tni_v8 torque = v8_cross(group_load(&group->r_b), force);
        group_store(&rest->torque, v8_add(group_load(&rest->torque), torque));
    }
}
