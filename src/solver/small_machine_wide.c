// solver/small_machine_wide.c: a small machine through the substeps of a step.
//
// See solver/small_machine.h. The phases are those of solver/substep.c:
//     kick, half of the warm start, sweeps with bias (solve A), drift, rows at the new pose, kick,
//     the other half, sweeps without bias (solve B).
// In solve A a joint takes x = mass_scale K^-1 (J v + bias) + impulse_scale X from its impulses X,
// in solve B K^-1 J v; then its bounded row, whose impulse d carries mass_scale y d of the
// equalities along (solver/joint_bounded.c). Joints of one color do so at once.
// Test: tests/world/test_small_machine.c
#include <string.h>

#include "solver/small_sweep.h"

// (rad/s)^2: less, and a body does not turn.
#define SMALL_REST 1e-300

// What a substep leaves to the next one.
typedef struct small_state {
    small_bodies bodies;
    small_impulses impulses;
    tni_v4 plane[2];            // that the impulses of points that slide are along
    tni_v4 force, torque;       // sums over the substeps, as tni_joint_block has them
    tni_f4 bounded_sum;         // of impulses of bounded rows
    tni_f4 speed, speed_before; // J v of these, now and a substep before
    tni_d4 motor_work;          // J
    tni_v4 error;               // m, and of bounded rows, and of turns
    tni_f4 bounded_error, turn_error[3];
} small_state;

// What stays for all of them.
typedef struct small_run {
    const tni_solver *solver;
    const tni_small_machine *m;
    four_turning turning; // of which only the inertias hold
    tni_f4 tiny;          // of the inertia
    tni_dv4 acceleration;
    tni_d4 h, half, axis_i;
} small_run;

// ---- warm start -------------------------------------------------------------------------------

// What bodies get from the joints of one color.
TNI_FORCE_INLINE void small_give(const struct small_color *color, const small_changes *changes,
                                 small_bodies *bodies) {
    tni_f4 gets = small_number(color->gets);
    tni_v4 v = pins_low(small_permute(changes->v, color->back));
    tni_v4 w = pins_low(small_permute(changes->w, color->back));
    bodies->v = v4_add(bodies->v, v4_scale(gets, v));
    bodies->w = v4_add(bodies->w, v4_scale(gets, w));
}

TNI_FORCE_INLINE void small_give_all(const tni_small_machine *m, const small_changes *changes,
                                     small_bodies *bodies) {
    for (uint32_t c = 0; c < m->color_count; ++c) {
        small_give(&m->colors[c], changes, bodies);
    }
}

TNI_FORCE_INLINE tni_f4 small_halve(tni_f4 impulse) {
    return f4_flush(f4_mul(f4_splat(0.5f), impulse), PIN_TINY_IMPULSE);
}

TNI_FORCE_INLINE tni_v4 small_halve_vector(tni_v4 v) {
    return (tni_v4){small_halve(v.x), small_halve(v.y), small_halve(v.z)};
}

TNI_FORCE_INLINE small_impulses small_halve_impulses(const small_impulses *all) {
    return (small_impulses){small_halve_vector(all->point), small_halve_vector(all->turn),
                            f4_mul(f4_splat(0.5f), all->bounded)};
}

// Half of the last impulses, then sweeps.
TNI_FORCE_INLINE void small_solve_by(const small_run *run, const small_rows *rows,
                                     const small_coupling *coupling, const small_impulses *warm,
                                     bool use_bias, uint32_t turns, small_state *state) {
    const tni_small_machine *m = run->m;
    const tni_solver *solver = run->solver;
    uint32_t count = use_bias ? solver->joint_iterations : solver->relax_iterations;
    tni_v4 zero = small_zero();
    small_answer x = {v4_sub(zero, warm->point), v4_sub(zero, warm->turn)};
    if (m->has_lines) {
        x.point = v4_sub_scaled(x.point, warm->bounded, rows->line);
    }
    tni_f4 twist = warm->bounded;
    small_residuals all;
    for (uint32_t part = 0; part < 2; ++part) {
        small_changes changes = small_respond(m, rows, &x, twist, turns);
        small_give_all(m, &changes, &state->bodies);
        if (part == 0) {
            small_find_residuals(m, rows, &state->bodies, &state->impulses, &changes, use_bias,
                                 turns, &all);
            small_take_turns(m, coupling, count, use_bias, turns, &all);
            if (m->has_bounded && !use_bias) {
                state->speed = small_get_bounded_left(&all, &rows->drive[0]);
            }
            x = small_finish_sweeps(m, rows, turns, &all, &state->impulses, &twist);
        }
    }
}

SMALL_APART void small_solve_two(const small_run *run, const small_rows *rows,
                                 const small_coupling *coupling, const small_impulses *warm,
                                 bool use_bias, small_state *state) {
    small_solve_by(run, rows, coupling, warm, use_bias, 2, state);
}

SMALL_APART void small_solve_three(const small_run *run, const small_rows *rows,
                                   const small_coupling *coupling, const small_impulses *warm,
                                   bool use_bias, small_state *state) {
    small_solve_by(run, rows, coupling, warm, use_bias, 3, state);
}

// ---- bodies -----------------------------------------------------------------------------------

TNI_FORCE_INLINE tni_dv4 small_collect_one(tni_dv4 exact, tni_v4 now, tni_v4 shown) {
    return (tni_dv4){d4_add(exact.x, d4_from_f4(f4_sub(now.x, shown.x))),
                     d4_add(exact.y, d4_from_f4(f4_sub(now.y, shown.y))),
                     d4_add(exact.z, d4_from_f4(f4_sub(now.z, shown.z)))};
}

// What rows have changed.
TNI_FORCE_INLINE void small_collect(small_bodies *bodies) {
    bodies->velocity = small_collect_one(bodies->velocity, bodies->v, bodies->shown_v);
    bodies->turning = small_collect_one(bodies->turning, bodies->w, bodies->shown_w);
}

TNI_FORCE_INLINE tni_v4 small_show_one(tni_dv4 exact) {
    return (tni_v4){pins_to_float(exact.x), pins_to_float(exact.y), pins_to_float(exact.z)};
}

TNI_FORCE_INLINE void small_show(small_bodies *bodies) {
    bodies->v = bodies->shown_v = small_show_one(bodies->velocity);
    bodies->w = bodies->shown_w = small_show_one(bodies->turning);
}

TNI_FORCE_INLINE void small_kick(const small_run *run, small_bodies *bodies) {
    bodies->velocity = dv4_add_scaled(bodies->velocity, run->half, run->acceleration);
    small_show(bodies);
}

// From the order x, y, z to that of i, j, k, and back.
TNI_FORCE_INLINE tni_d4 small_pick_order(tni_d4 axis_i, tni_d4 of_0, tni_d4 of_1, tni_d4 of_2) {
    return d4_pick_under(axis_i, 0.5, of_0, d4_pick_under(axis_i, 1.5, of_1, of_2));
}

TNI_FORCE_INLINE tni_dv4 small_to_order(tni_d4 axis_i, tni_dv4 v) {
    return (tni_dv4){small_pick_order(axis_i, v.x, v.y, v.z),
                     small_pick_order(axis_i, v.y, v.z, v.x),
                     small_pick_order(axis_i, v.z, v.x, v.y)};
}

TNI_FORCE_INLINE tni_dv4 small_from_order(tni_d4 axis_i, tni_dv4 v) {
    return (tni_dv4){small_pick_order(axis_i, v.x, v.z, v.y),
                     small_pick_order(axis_i, v.y, v.x, v.z),
                     small_pick_order(axis_i, v.z, v.y, v.x)};
}

// All of them, of a body's rotation.
TNI_FORCE_INLINE rotate_lanes small_order_rotation(const small_run *run, rotate_lanes q) {
    if (run->m->has_order) {
        tni_dv4 v = small_to_order(run->axis_i, (tni_dv4){q.x, q.y, q.z});
        q = (rotate_lanes){v.x, v.y, v.z, q.w};
    }
    return q;
}

TNI_FORCE_INLINE void small_set_inertia(const small_run *run, const four_inertias *inertia,
                                        small_bodies *bodies) {
    tni_dv4 own = {inertia->own[0], inertia->own[1], inertia->own[2]};
    tni_dv4 mixed = {inertia->mixed[0], inertia->mixed[1], inertia->mixed[2]};
    if (run->m->has_order) {
        own = small_from_order(run->axis_i, own);
        mixed = small_from_order(run->axis_i, mixed);
    }
    const tni_d4 n[6] = {own.x, own.y, own.z, mixed.z, mixed.y, mixed.x};
    for (uint32_t i = 0; i < 6; ++i) {
        bodies->inertia[i] = four_flush(n[i], run->tiny);
    }
}

// At the pose as it is.
TNI_FORCE_INLINE void small_find_inertia(const small_run *run, small_bodies *bodies) {
    const four_turning *b = &run->turning;
    rotate_lanes q = small_order_rotation(run, bodies->rotation);
    four_inertias inertia = four_begin_inertia(b, lanes_axis_z(&q));
    four_add_square(&inertia, lanes_axis_y(&q), d4_mul(b->inverse, b->rate_j));
    small_set_inertia(run, &inertia, bodies);
}

TNI_FORCE_INLINE bool small_turn_all(const small_run *run, const four_turning *turning,
                                     bool is_long, four_results *results) {
    return run->m->has_unequal ? four_rotate_unequal(turning, run->h, is_long, results)
                               : four_rotate_symmetric(turning, run->h, is_long, results);
}

TNI_FORCE_INLINE bool small_rotate(const small_run *run, small_bodies *bodies) {
    const four_turning *own = &run->turning;
    four_turning turning = {
        .q = small_order_rotation(run, bodies->rotation),
        .w = run->m->has_order ? small_to_order(run->axis_i, bodies->turning) : bodies->turning,
        .inverse = own->inverse,
        .ratio_j = own->ratio_j,
        .ratio_k = own->ratio_k,
        .rate_j = own->rate_j,
        .rate_k = own->rate_k,
    };
    four_results results;
    // A short series is enough nearly always.
    bool is_done = four_is_slow(&turning, run->h) && small_turn_all(run, &turning, false, &results);
    is_done = is_done || small_turn_all(run, &turning, true, &results);
    tni_d4 square = dv4_dot(bodies->turning, bodies->turning);
    if (run->m->has_order) {
        tni_dv4 v = {results.q.x, results.q.y, results.q.z};
        v = small_from_order(run->axis_i, v);
        results.q = (rotate_lanes){v.x, v.y, v.z, results.q.w};
        results.w = small_from_order(run->axis_i, results.w);
    }
    rotate_lanes *q = &bodies->rotation;
    q->x = d4_pick_under(square, SMALL_REST, q->x, results.q.x);
    q->y = d4_pick_under(square, SMALL_REST, q->y, results.q.y);
    q->z = d4_pick_under(square, SMALL_REST, q->z, results.q.z);
    q->w = d4_pick_under(square, SMALL_REST, q->w, results.q.w);
    bodies->turning = results.w;
    small_set_inertia(run, &results.inertia, bodies);
    return is_done;
}

// From solve A to solve B. False where the turn is too large.
TNI_FORCE_INLINE bool small_drift(const small_run *run, small_bodies *bodies) {
    small_collect(bodies);
    bodies->position = dv4_add_scaled(bodies->position, run->h, bodies->velocity);
    bool is_done = small_rotate(run, bodies);
    small_kick(run, bodies);
    return is_done;
}

// ---- a substep --------------------------------------------------------------------------------

// Impulses along a plane go with it.
TNI_FORCE_INLINE tni_v4 small_turn_plane(const tni_small_machine *m, const small_rows *rows,
                                         const tni_v4 before[2], tni_v4 v) {
    tni_v4 turned = pins_from_plane(rows->plane, v4_dot(before[0], v), v4_dot(before[1], v));
    return v4_pick(small_mask(m->slides), turned, v);
}

TNI_FORCE_INLINE void small_take_plane(const tni_small_machine *m, const small_rows *rows,
                                       small_impulses *warm, small_state *state) {
    if (m->has_slides) {
        state->impulses.point = small_turn_plane(m, rows, state->plane, state->impulses.point);
        warm->point = small_turn_plane(m, rows, state->plane, warm->point);
        state->plane[0] = rows->plane[0];
        state->plane[1] = rows->plane[1];
    }
}

// What the impulses of the substep add up to. False where some force is so large that it stiffens.
TNI_FORCE_INLINE bool small_store(const small_run *run, const small_rows *rows, uint32_t turns,
                                  small_state *state) {
    const tni_small_machine *m = run->m;
    const small_impulses *x = &state->impulses;
    const tni_v4 *u = rows->axis;
    tni_v4 arm = v4_pick(small_mask(m->at_world), pins_low(rows->r), pins_high(rows->r));
    tni_v4 force = x->point, torque = v4_scale(x->turn.x, u[0]);
    torque = v4_add(torque, v4_scale(x->turn.y, u[1]));
    if (turns > 2) {
        torque = v4_add(torque, v4_scale(x->turn.z, u[2]));
    }
    if (m->has_bounded) {
        force = v4_add(force, v4_scale(x->bounded, rows->line));
        torque = v4_add(torque, v4_scale(x->bounded, rows->twist));
        tni_f4 mean = f4_mul(f4_splat(0.5f), f4_add(state->speed_before, state->speed));
        tni_f4 work = f4_mul(f4_mul(small_number(m->motors), x->bounded), mean);
        state->motor_work = d4_add(state->motor_work, d4_from_f4(work));
        state->bounded_sum = f4_add(state->bounded_sum, x->bounded);
        state->bounded_error = rows->bounded_error;
        state->speed_before = state->speed;
    }
    torque = v4_add(torque, v4_cross(arm, force));
    state->force = v4_add(state->force, force);
    state->torque = v4_add(state->torque, torque);
    state->error = rows->error;
    for (uint32_t k = 0; k < 3; ++k) {
        state->turn_error[k] = rows->turn_error[k];
    }
    return !m4_any(f4_less(small_number(m->threshold), v4_dot(force, force)));
}

// From the first kick to where solve B has ended. False where something is not done here.
TNI_FORCE_INLINE bool small_substep(const small_run *run, small_rows *rows,
                                    small_coupling *coupling, uint32_t turns, small_state *state) {
    const tni_solver *solver = run->solver;
    small_bodies *bodies = &state->bodies;
    small_impulses warm = small_halve_impulses(&state->impulses);
    small_kick(run, bodies);
    state->impulses = warm;
    SMALL_BY(turns, small_solve)(run, rows, coupling, &warm, true, state);
    if (!small_drift(run, bodies) ||
        !SMALL_BY(turns, small_refresh)(solver, run->m, bodies, false, rows)) {
        return false;
    }
    small_take_plane(run->m, rows, &warm, state);
    small_impulses *x = &state->impulses;
    x->point = v4_add(x->point, warm.point);
    x->turn = v4_add(x->turn, warm.turn);
    x->bounded = f4_add(x->bounded, warm.bounded);
    SMALL_BY(turns, small_couple)(run->m, rows, coupling);
    if (run->m->has_bounded) {
        small_store_drives(rows, coupling);
    }
    SMALL_BY(turns, small_solve)(run, rows, coupling, &warm, false, state);
    return true;
}

// ---- in ---------------------------------------------------------------------------------------

TNI_FORCE_INLINE void small_load_vectors(const tni_solver *solver, const tni_small_machine *m,
                                         const double *first, tni_d4 out[4]) {
    size_t offset = (size_t)((const char *)first - (const char *)&solver->motions[0]);
    for (uint32_t l = 0; l < SMALL_LANES; ++l) {
        uint32_t body = m->body[l < m->body_count ? l : 0];
        out[l] =
            d4_load((const double *)(const void *)((const char *)&solver->motions[body] + offset));
    }
    d4_transpose(out);
}

TNI_FORCE_INLINE void small_load_rotation(const tni_solver *solver, const tni_small_machine *m,
                                          tni_d4 out[4]) {
    for (uint32_t l = 0; l < SMALL_LANES; ++l) {
        uint32_t lane = l < m->body_count ? l : 0;
        tni_dquat q = solver->motions[m->body[lane]].rotation;
        q = m->is_turned[lane] ? dquat_mul(q, m->axes[lane]) : q;
        out[l] = d4_make(q.x, q.y, q.z, q.w);
    }
    d4_transpose(out);
}

TNI_FORCE_INLINE void small_load_bodies(const small_run *run, small_bodies *bodies) {
    const tni_body_motion *motions = run->solver->motions;
    tni_d4 n[4];
    small_load_vectors(run->solver, run->m, &motions->position.x, n);
    bodies->position = (tni_dv4){n[0], n[1], n[2]};
    small_load_vectors(run->solver, run->m, &motions->velocity.x, n);
    bodies->velocity = (tni_dv4){n[0], n[1], n[2]};
    small_load_vectors(run->solver, run->m, &motions->angular_velocity.x, n);
    bodies->turning = (tni_dv4){n[0], n[1], n[2]};
    small_load_rotation(run->solver, run->m, n);
    bodies->rotation = (rotate_lanes){n[0], n[1], n[2], n[3]};
    small_show(bodies);
}

// Of points that slide they are the numbers along a plane.
TNI_FORCE_INLINE void small_load_impulses(const tni_solver *solver, const tni_small_machine *m,
                                          small_state *state) {
    small_numbers n[7] = {{0.0f}};
    for (uint32_t l = 0; l < m->joint_count; ++l) {
        const tni_joint_block *block = &solver->joints[l];
        const tni_row_state *rows = &solver->row_states[block->first_row];
        for (uint32_t r = 0; r < block->row_count && m->holds[l] != 0.0f; ++r) {
            uint32_t to = r < block->point_rows       ? r
                          : r < block->equality_count ? 3 + r - block->point_rows
                                                      : 6;
            n[to][l] = rows[r].impulse;
        }
        if (m->holds[l] == 0.0f) {
            n[6][l] = rows->impulse;
        }
    }
    tni_f4 zero = f4_zero(), one = f4_splat(1.0f);
    state->impulses.point = (tni_v4){f4_load(n[0]), f4_load(n[1]), f4_load(n[2])};
    state->impulses.turn = (tni_v4){f4_load(n[3]), f4_load(n[4]), f4_load(n[5])};
    state->impulses.bounded = f4_load(n[6]);
    state->plane[0] = (tni_v4){one, zero, zero};
    state->plane[1] = (tni_v4){zero, one, zero};
    state->speed = zero;
}

TNI_FORCE_INLINE void small_begin(const tni_solver *solver, const tni_small_machine *m,
                                  small_run *run) {
    run->solver = solver;
    run->m = m;
    run->turning.inverse = d4_load(m->inverse);
    run->turning.ratio_j = d4_load(m->ratio_j);
    run->turning.ratio_k = d4_load(m->ratio_k);
    run->turning.rate_j = d4_load(m->rate_j);
    run->turning.rate_k = d4_load(m->rate_k);
    run->tiny = four_get_tiny(&run->turning);
    run->acceleration = (tni_dv4){d4_load(m->acceleration[0]), d4_load(m->acceleration[1]),
                                  d4_load(m->acceleration[2])};
    run->h = d4_splat(solver->dh);
    run->half = d4_splat(0.5 * solver->dh);
    run->axis_i = d4_load(m->axis_i);
}

// The start of a step. False where it is none for what is done here.
TNI_FORCE_INLINE bool small_start(const small_run *run, uint32_t turns, small_state *state,
                                  small_rows *rows, small_coupling *coupling) {
    const tni_small_machine *m = run->m;
    tni_f4 zero = f4_zero();
    small_load_bodies(run, &state->bodies);
    small_load_impulses(run->solver, m, state);
    const small_impulses *x = &state->impulses;
    tni_f4 line = f4_mul(small_number(m->lines), x->bounded);
    tni_f4 square = f4_add_product(v4_dot(x->point, x->point), line, line);
    if (m4_any(f4_less(small_number(m->threshold), square))) {
        return false;
    }
    state->force = state->torque = state->error = small_zero();
    state->bounded_sum = state->bounded_error = zero;
    state->motor_work = d4_splat(0.0);
    bool is_kept = run->solver->has_kept_small && m->has_rows;
    if (!is_kept) {
        small_find_inertia(run, &state->bodies);
    }
    if (!SMALL_BY(turns, small_refresh)(run->solver, m, &state->bodies, is_kept, rows)) {
        return false;
    }
    if (!is_kept) {
        SMALL_BY(turns, small_couple)(m, rows, coupling);
    }
    if (m->has_bounded) {
        small_store_drives(rows, coupling);
    }
    small_impulses none = {small_zero(), small_zero(), zero};
    small_take_plane(m, rows, &none, state);
    if (m->has_bounded) {
        small_speeds speeds = small_get_speeds(m, rows, &state->bodies);
        state->speed = state->speed_before = small_get_bounded_speed(m, rows, &speeds);
    }
    return true;
}

// ---- out --------------------------------------------------------------------------------------

TNI_FORCE_INLINE void small_write_bodies(const tni_solver *solver, const tni_small_machine *m,
                                         const small_bodies *bodies) {
    tni_d4 zero = d4_splat(0.0);
    tni_d4 x[4] = {bodies->position.x, bodies->position.y, bodies->position.z, zero};
    tni_d4 v[4] = {bodies->velocity.x, bodies->velocity.y, bodies->velocity.z, zero};
    tni_d4 w[4] = {bodies->turning.x, bodies->turning.y, bodies->turning.z, zero};
    tni_d4 q[4] = {bodies->rotation.x, bodies->rotation.y, bodies->rotation.z, bodies->rotation.w};
    d4_transpose(x);
    d4_transpose(v);
    d4_transpose(w);
    d4_transpose(q);
    for (uint32_t l = 0; l < m->body_count; ++l) {
        tni_body_motion *motion = &solver->motions[m->body[l]];
        d4_store(&motion->position.x, x[l]);
        d4_store(&motion->velocity.x, v[l]);
        d4_store(&motion->angular_velocity.x, w[l]);
        d4_store(&motion->rotation.x, q[l]);
        if (m->is_turned[l]) {
            motion->rotation = dquat_mul(motion->rotation, dquat_conjugate(m->axes[l]));
        }
    }
}

// A vector of each joint.
TNI_FORCE_INLINE void small_split(tni_v4 v, tni_f4 out[SMALL_LANES]) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
    out[3] = pins_make_zero();
    f4_transpose(&out[0], &out[1], &out[2], &out[3]);
}

TNI_FORCE_INLINE void small_write_rows(const tni_solver *solver, const tni_small_machine *m,
                                       const small_state *state) {
    small_numbers bounded, sum, speed, error;
    tni_f4 point[SMALL_LANES], turn[SMALL_LANES];
    const small_impulses *x = &state->impulses;
    tni_v4 along = {v4_dot(state->plane[0], x->point), v4_dot(state->plane[1], x->point),
                    f4_zero()};
    small_split(v4_pick(small_mask(m->slides), along, x->point), point);
    small_split(x->turn, turn);
    f4_store(bounded, x->bounded);
    f4_store(sum, state->bounded_sum);
    f4_store(speed, state->speed);
    f4_store(error, state->bounded_error);
    for (uint32_t l = 0; l < m->joint_count; ++l) {
        const tni_joint_block *block = &solver->joints[l];
        tni_row_state *rows = &solver->row_states[block->first_row];
        float n[2][4];
        f4_store(n[0], point[l]);
        f4_store(n[1], turn[l]);
        for (uint32_t r = 0; r < block->point_rows; ++r) {
            rows[r].impulse = n[0][r];
        }
        for (uint32_t r = 0; r < block->turns; ++r) {
            rows[block->point_rows + r].impulse = n[1][r];
        }
        if (m->lines[l] != 0.0f || m->twists[l] != 0.0f) {
            tni_row_state *own = &rows[block->row_count - 1];
            own->impulse = bounded[l];
            own->step_impulse += sum[l];
            own->speed = speed[l];
            solver->rows[block->first_row + block->row_count - 1].error = error[l];
        }
    }
}

TNI_FORCE_INLINE void small_write_joints(const tni_solver *solver, const tni_small_machine *m,
                                         const small_state *state) {
    tni_f4 force[SMALL_LANES], torque[SMALL_LANES], error[SMALL_LANES], turned[SMALL_LANES];
    double work[SMALL_LANES];
    small_split(state->force, force);
    small_split(state->torque, torque);
    small_split(state->error, error);
    small_split((tni_v4){state->turn_error[0], state->turn_error[1], state->turn_error[2]}, turned);
    d4_store(work, state->motor_work);
    for (uint32_t l = 0; l < m->joint_count; ++l) {
        tni_joint_block *block = &solver->joints[l];
        block->force = f4_add(block->force, force[l]);
        block->torque = f4_add(block->torque, torque[l]);
        solver->motor_work[l] += work[l];
        if (block->point_rows > 0) {
            block->pin->error = error[l];
        }
        if (block->turns > 0) {
            block->pin->turns->error = turned[l];
        }
    }
    small_write_rows(solver, m, state);
}

// ---- all --------------------------------------------------------------------------------------

// What one step may leave to the next.
typedef struct small_room {
    small_rows rows;
    small_coupling coupling;
} small_room;
_Static_assert(sizeof(small_room) <= SMALL_ROOM, "a small machine's room is too small");

TNI_FORCE_INLINE bool small_step(const tni_solver *solver, tni_small_machine *m, uint32_t turns) {
    small_state state;
    small_run run;
    small_room *room = m->room;
    small_begin(solver, m, &run);
    bool goes_on = small_start(&run, turns, &state, &room->rows, &room->coupling);
    m->has_rows = false;
    for (uint32_t left = solver->substeps; left > 0 && goes_on; --left) {
        goes_on = small_substep(&run, &room->rows, &room->coupling, turns, &state);
        // What stiffens in the last one is for the next step to ask.
        goes_on = goes_on && (small_store(&run, &room->rows, turns, &state) || left == 1);
        small_collect(&state.bodies);
    }
    if (!goes_on) {
        return false;
    }
    small_write_bodies(solver, m, &state.bodies);
    small_write_joints(solver, m, &state);
    // What is turned comes back with another last bit.
    m->has_rows = !m->has_turned;
    return true;
}

bool WIDE_NAME(tni_small_machine_step)(const tni_solver *solver, tni_small_machine *m) {
    return m->has_angles ? small_step(solver, m, 3) : small_step(solver, m, 2);
}
