// solver/joints/joint_bounded_sweep.h: warm starts and sweeps of bounded rows: see
// solver/joints/joint_bounded.c.
//
// The sweep skips the other body of a joint that moves only one.
// Test: tests/solver/joints/test_joint_block.c, tests/solver/joints/test_joint_bounded.c
#ifndef TNI_SOLVER_JOINTS_JOINT_BOUNDED_SWEEP_H
#define TNI_SOLVER_JOINTS_JOINT_BOUNDED_SWEEP_H

#include "solver/joints/joint_bounded.h"
#include "solver/joints/joint_group.h"
#include "solver/joints/joint_limits.h"
#include "solver/rows/equality.h"
#include "solver/rows/pin.h"
#include "solver/rows/velocities.h"

// A motor and the two ends of its value; with more rows than these a joint takes more passes.
#define BOUNDED_ALONE  3
#define BOUNDED_PASSES 6
// m or rad: a way that turned out to end this near to where it was taken to end is not followed
// again, nor is one that comes no nearer.
#define BOUNDED_STRAIGHT 1e-5f

// `call` with a constant in place of the ends of a joint.
#define BOUNDED_BY_ENDS(ends, call)                                                                \
    switch (ends) {                                                                                \
    case TNI_ENDS_ONLY_A:                                                                          \
        call(TNI_ENDS_ONLY_A);                                                                     \
        break;                                                                                     \
    case TNI_ENDS_ONLY_B:                                                                          \
        call(TNI_ENDS_ONLY_B);                                                                     \
        break;                                                                                     \
    default:                                                                                       \
        call(TNI_ENDS_BOTH);                                                                       \
        break;                                                                                     \
    }

// ---- warm start -------------------------------------------------------------------------------

TNI_KERNEL void bounded_warm_start(const tni_bounded_row *rows, tni_row_state *states,
                                   uint32_t count, tni_joint_ends ends, bool is_first_half,
                                   tni_body_state *a, tni_body_state *b) {
    tni_velocities v = tni_velocities_load_moved(ends, a, b);
    for (uint32_t i = 0; i < count; ++i) {
        if (!rows[i].is_dormant) {
            float x = tni_drive_warm(&states[i], rows[i].is_spring, rows[i].share, is_first_half);
            tni_velocities_add(&v, x, &rows[i].bare);
        }
    }
    tni_velocities_store(ends, &v, a, b);
}

TNI_KERNEL void tni_joint_bounded_warm_start(const tni_solver *solver, const tni_joint_block *block,
                                             bool is_first_half, tni_body_state *a,
                                             tni_body_state *b) {
    const tni_bounded_row *rows = solver->joints.bounded_rows + block->first_bounded;
    tni_row_state *states = solver->joints.row_states + block->first_row + block->equality_count;
    uint32_t count = (uint32_t)block->row_count - block->equality_count;
#define BOUNDED_CALL(ends) bounded_warm_start(rows, states, count, ends, is_first_half, a, b)
    BOUNDED_BY_ENDS(block->ends, BOUNDED_CALL)
#undef BOUNDED_CALL
}

// ---- solve ------------------------------------------------------------------------------------

TNI_KERNEL float bounded_get_speed(tni_joint_ends ends, const tni_velocities *row,
                                   const tni_velocities *v) {
    tni_f4 of_a = f4_add_product(f4_mul(row->v_a, v->v_a), row->w_a, v->w_a);
    tni_f4 of_b = f4_add_product(f4_mul(row->v_b, v->v_b), row->w_b, v->w_b);
    return f4_sum3(ends == TNI_ENDS_ONLY_A   ? of_a
                   : ends == TNI_ENDS_ONLY_B ? of_b
                                             : f4_add(of_a, of_b));
}

static inline void bounded_subtract(float *impulse, tni_f4 back, tni_f4 through) {
    f4_store(impulse, f4_sub(f4_load(impulse), f4_mul(back, through)));
}

// Applies what the equalities of its joint do about the impulse x on a row.
static inline void bounded_take_back(const tni_joint_block *block, const tni_bounded_row *row,
                                     float x, bool use_bias) {
    tni_f4 back = f4_splat(use_bias ? block->softness.mass_scale * x : x);
    if (block->point_rows > 0) {
        tni_pin_block *pin = block->pin;
        pin->impulse = f4_sub(pin->impulse, f4_mul(back, row->through[0]));
        if (block->turns > 0) {
            tni_pin_turns *turns = pin->turns;
            turns->impulse = f4_sub(turns->impulse, f4_mul(back, row->through[1]));
        }
    } else if (block->equality_count > 0) {
        float *impulse = tni_equality_impulse(block->equality, block->lanes);
        bounded_subtract(impulse, back, row->through[0]);
        if (block->lanes > 4) {
            bounded_subtract(impulse + 4, back, row->through[1]);
        }
    }
}

static inline void bounded_apply(const tni_joint_block *block, const tni_bounded_row *row,
                                 tni_row_state *state, float x, bool use_bias, tni_velocities *v) {
    tni_velocities_add(v, x, &row->change[use_bias]);
    state->impulse += x;
    bounded_take_back(block, row, x, use_bias);
}

// The impulse that would solve the row, whatever its bounds.
TNI_KERNEL float bounded_free_impulse(const tni_bounded_row *row, const tni_row_state *state,
                                      tni_joint_ends ends, bool use_bias, const tni_velocities *v) {
    float speed = bounded_get_speed(ends, &row->jacobian, v);
    return tni_drive_get_free_impulse(&row->drive[use_bias], state->impulse, speed);
}

TNI_KERNEL void bounded_solve_single(const tni_joint_block *block, const tni_bounded_row *row,
                                     tni_row_state *state, tni_joint_ends ends, bool use_bias,
                                     tni_velocities *v) {
    float speed = bounded_get_speed(ends, &row->jacobian, v);
    float x = tni_drive_get_impulse(&row->drive[use_bias], state->impulse, speed);
    bounded_apply(block, row, state, x - state->impulse, use_bias, v);
}

// The impulse that would take the row's value as far as an end of it lets it go.
static inline float bounded_get_reach(const tni_bounded_row *row, const tni_bounded_row *end,
                                      const tni_row_state *state, float sign, bool use_bias,
                                      const tni_velocities *v) {
    float speed = bounded_get_speed(TNI_ENDS_BOTH, &row->jacobian, v);
    const tni_row_drive *drive = &end->drive[use_bias];
    return sign * state->impulse + drive->mass * (drive->bias - sign * speed);
}

// A drive of a value with rigid limits pushes it to their ends and not past them. If an end pushes
// back against it, the part that cancels is taken from both.
static inline void bounded_solve_limited(const tni_joint_block *block, const tni_bounded_row *rows,
                                         uint32_t r, tni_row_state *states, bool use_bias,
                                         tni_velocities *v) {
    const tni_bounded_row *row = &rows[r];
    const tni_row_drive *drive = &row->drive[use_bias];
    float x = bounded_free_impulse(row, &states[r], TNI_ENDS_BOTH, use_bias, v);
    x = maths_clamp(x, drive->lower, drive->upper);
    float sign = x < 0.0f ? -1.0f : 1.0f;
    uint32_t end = row->ends[x < 0.0f ? 0 : 1];
    if (end > 0 && !rows[end - 1].is_dormant) {
        float reach = bounded_get_reach(row, &rows[end - 1], &states[r], sign, use_bias, v);
        x = sign * maths_min(sign * x, maths_max(reach, 0.0f));
    }
    bounded_apply(block, row, &states[r], x - states[r].impulse, use_bias, v);
    if (end > 0) {
        float both = maths_min(sign * x, states[end - 1].impulse);
        states[r].impulse -= sign * both;
        states[end - 1].impulse -= both;
    }
}

// Three rows whose impulse is one vector: each is solved freely, then the vector is shortened to
// the cap.
static inline void bounded_solve_group(const tni_joint_block *block, const tni_bounded_row *rows,
                                       tni_row_state *states, bool use_bias, tni_velocities *v) {
    float square = 0.0f;
    for (uint32_t i = 0; i < 3; ++i) {
        float x = bounded_free_impulse(&rows[i], &states[i], TNI_ENDS_BOTH, use_bias, v);
        bounded_apply(block, &rows[i], &states[i], x - states[i].impulse, use_bias, v);
        square += x * x;
    }
    float length = sqrtf(square), cap = rows[0].drive[use_bias].upper;
    if (!(length > cap)) {
        return;
    }
    float excess = cap / length - 1.0f;
    for (uint32_t i = 0; i < 3; ++i) {
        bounded_apply(block, &rows[i], &states[i], excess * states[i].impulse, use_bias, v);
    }
}

static inline bool bounded_is_idle(const tni_bounded_row *row, bool use_bias) {
    return row->is_dormant || (row->is_spring && !use_bias);
}

static inline void bounded_solve_pass(const tni_joint_block *block, const tni_bounded_row *rows,
                                      tni_row_state *states, uint32_t first, uint32_t count,
                                      bool use_bias, tni_velocities *v) {
    for (uint32_t i = first; i < count; ++i) {
        if (bounded_is_idle(&rows[i], use_bias)) {
            continue;
        }
        if (rows[i].group == 3) {
            bounded_solve_group(block, &rows[i], &states[i], use_bias, v);
        } else if (rows[i].group == TNI_GROUP_LIMITED) {
            bounded_solve_limited(block, rows, i, states, use_bias, v);
        } else if (rows[i].group == 1) {
            bounded_solve_single(block, &rows[i], &states[i], TNI_ENDS_BOTH, use_bias, v);
        }
    }
}

// A drive of a value against its end presses the joint's other values against theirs: with drives
// of that kind it takes a few passes.
static inline uint32_t bounded_count_passes(const tni_bounded_row *rows, uint32_t count) {
    bool is_limited = false;
    for (uint32_t i = 0; i < count; ++i) {
        is_limited = is_limited || rows[i].group == TNI_GROUP_LIMITED;
    }
    return is_limited && count > BOUNDED_ALONE ? BOUNDED_PASSES : 1;
}

// Solves the rows from the first one on that belongs to a set. Few joints have these; with their
// code apart the others' keeps all in registers.
static void bounded_solve_rest(const tni_solver *solver, const tni_joint_block *block,
                               uint32_t first, bool use_bias) {
    tni_body_state *a = &solver->bodies.states[block->body_a],
                   *b = &solver->bodies.states[block->body_b];
    const tni_bounded_row *rows = solver->joints.bounded_rows + block->first_bounded;
    tni_row_state *states = solver->joints.row_states + block->first_row + block->equality_count;
    uint32_t count = (uint32_t)block->row_count - block->equality_count;
    tni_velocities v = tni_velocities_load(a, b);
    bounded_solve_pass(block, rows, states, first, count, use_bias, &v);
    for (uint32_t i = bounded_count_passes(rows, count); i > 1; --i) {
        bounded_solve_pass(block, rows, states, 0, count, use_bias, &v);
    }
    tni_velocities_store(block->ends, &v, a, b);
}

static inline bool bounded_is_limit(const tni_bounded_row *row) {
    return row->drive[1].lower == 0.0f && !isfinite(row->drive[1].upper) && !row->is_dormant &&
           !row->is_spring;
}

// Solves all rows, with limits that are met where the drift ends.
static void bounded_solve_foreseen(const tni_solver *solver, const tni_joint_block *block) {
    tni_body_state *a = &solver->bodies.states[block->body_a],
                   *b = &solver->bodies.states[block->body_b];
    const tni_bounded_row *rows = solver->joints.bounded_rows + block->first_bounded;
    tni_row_state *states = solver->joints.row_states + block->first_row + block->equality_count;
    uint32_t count = (uint32_t)block->row_count - block->equality_count;
    uint32_t least = bounded_count_passes(rows, count);
    float change = FLT_MAX;
    for (uint32_t i = 0; i < BOUNDED_PASSES && (change > BOUNDED_STRAIGHT || i < least); ++i) {
        if (change > BOUNDED_STRAIGHT) {
            float now = tni_joint_bounded_foresee(solver, block);
            change = now < change ? now : 0.0f;
        }
        tni_velocities v = tni_velocities_load(a, b);
        bounded_solve_pass(block, rows, states, 0, count, true, &v);
        tni_velocities_store(block->ends, &v, a, b);
        if (block->limits_last) {
            tni_joint_limits_solve(solver, block, true);
        }
    }
}

// Solves the rows up to the first that is no single one; returns how many they were.
TNI_KERNEL uint32_t bounded_solve_singles(const tni_joint_block *block, const tni_bounded_row *rows,
                                          tni_row_state *states, uint32_t count,
                                          tni_joint_ends ends, bool use_bias, tni_body_state *a,
                                          tni_body_state *b) {
    tni_velocities v = tni_velocities_load_moved(ends, a, b);
    uint32_t i = 0;
    for (; i < count && rows[i].group == 1; ++i) {
        if (!bounded_is_idle(&rows[i], use_bias)) {
            bounded_solve_single(block, &rows[i], &states[i], ends, use_bias, &v);
        }
    }
    tni_velocities_store(ends, &v, a, b);
    return i;
}

TNI_KERNEL void tni_joint_bounded_solve(const tni_solver *solver, const tni_joint_block *block,
                                        bool use_bias, tni_body_state *a, tni_body_state *b) {
    if (use_bias && block->foresees) {
        bounded_solve_foreseen(solver, block);
        return;
    }
    const tni_bounded_row *rows = solver->joints.bounded_rows + block->first_bounded;
    tni_row_state *states = solver->joints.row_states + block->first_row + block->equality_count;
    uint32_t count = (uint32_t)block->row_count - block->equality_count, done = 0;
#define BOUNDED_CALL(ends)                                                                         \
    done = bounded_solve_singles(block, rows, states, count, ends, use_bias, a, b)
    BOUNDED_BY_ENDS(block->ends, BOUNDED_CALL)
#undef BOUNDED_CALL
    if (done < count) {
        bounded_solve_rest(solver, block, done, use_bias);
    }
    if (block->limits_last) {
        tni_joint_limits_solve(solver, block, use_bias);
    }
}

#endif
