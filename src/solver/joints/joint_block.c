// solver/joints/joint_block.c: joints as blocks: their rows at a new pose.
//
// A block's equality rows are one dense system: solver/rows/pin.h where they are a point and turns,
// solver/rows/equality.h else. In solve A the bias carries the error C to its soft target at the
// end of the substep,
//     bias = rate C + h/2 Jdot v
// where the second term is the part of C(q + h v) that J v leaves out (the centripetal drift); in
// solve B, at the new pose, bias and softness are zero and J v = 0. Bounded rows come one at a
// time, after the equalities: see solver/joints/joint_bounded.c; sweeps:
// solver/joints/joint_block_wide.c. Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course
// notes 1997 (rows, J W J^T); E. Catto, "Iterative dynamics with temporal coherence", 2005
// (accumulated impulses). Test: tests/solver/joints/test_joint_block.c
#include "core/simd_double.h"
#include "solver/joints/joint_angles.h"
#include "solver/joints/joint_block_kernels.h"
#include "solver/joints/joint_bounded.h"
#include "solver/joints/joint_group.h"
#include "solver/rows/equality.h"
#include "solver/rows/pin.h"

#include <string.h>

size_t tni_joint_block_size(const tni_joint_block *block) {
    return block->point_rows > 0 ? tni_pin_block_size(block->turns)
                                 : tni_equality_size(block->equality_count) * sizeof(float);
}

static tni_joint_form joint_get_form(const tni_joint_block *block) {
    if (block->point_rows > 0) {
        const tni_joint_form forms[4] = {TNI_JOINT_FORM_POINT, TNI_JOINT_FORM_UNIVERSAL,
                                         TNI_JOINT_FORM_HINGE, TNI_JOINT_FORM_FRAME};
        return forms[block->turns];
    }
    const tni_joint_form forms[TNI_JOINT_MAX_EQUALITY_ROWS + 1] = {
        TNI_JOINT_FORM_SPRINGS, TNI_JOINT_FORM_ONE, TNI_JOINT_FORM_FOUR, TNI_JOINT_FORM_THREE,
        TNI_JOINT_FORM_FOUR,    TNI_JOINT_FORM_SIX, TNI_JOINT_FORM_SIX};
    return forms[block->equality_count];
}

// Clears the responses of a body that the pin does not move.
static void joint_clear_spins(const tni_joint_block *block, tni_pin_block *pin) {
    bool is_a = block->ends == TNI_ENDS_ONLY_B;
    for (uint32_t i = 0; i < 3 && block->ends != TNI_ENDS_BOTH; ++i) {
        tni_f4 zero = f4_splat(0.0f);
        *(is_a ? &pin->spin_a[i] : &pin->spin_b[i]) = zero;
        if (block->turns > 0) {
            *(is_a ? &pin->turns->spin_a[i] : &pin->turns->spin_b[i]) = zero;
        }
    }
}

// Sets the plane to what stands in lanes until the first refresh brings it.
static void joint_clear_plane(tni_pin_block *pin) {
    pin->warm = f4_splat(0.0f);
    pin->turns->plane[0] = f4_make(1.0f, 0.0f, 0.0f, 0.0f);
    pin->turns->plane[1] = f4_make(0.0f, 1.0f, 0.0f, 0.0f);
}

// Returns the first `count` of three numbers.
static tni_f4 joint_get_first(const float *x, uint32_t count) {
    return f4_make(x[0], count > 1 ? x[1] : 0.0f, count > 2 ? x[2] : 0.0f, 0.0f);
}

static void joint_start_pin(tni_joint_block *block, tni_pin_block *pin, const float *x) {
    const float *t = x + block->point_rows;
    block->pin = pin;
    pin->r_a = pin->r_b = f4_splat(0.0f); // until the first refresh
    joint_clear_spins(block, pin);
    pin->impulse = joint_get_first(x, block->point_rows);
    if (block->turns > 0) {
        pin->turns->impulse = joint_get_first(t, block->turns);
    }
    if (tni_pin_slides(block->point_rows)) {
        joint_clear_plane(pin);
    }
}

void tni_joint_block_start(tni_joint_block *block, void *memory, const float *impulses) {
    block->form = (uint8_t)joint_get_form(block);
    block->lanes = (uint8_t)tni_equality_lanes(block->equality_count);
    if (block->point_rows > 0) {
        joint_start_pin(block, memory, impulses);
        return;
    }
    block->equality = memory;
    memset(memory, 0, tni_joint_block_size(block)); // also the unused lanes
    for (uint32_t i = 0; i < block->equality_count; ++i) {
        tni_equality_impulse(block->equality, block->lanes)[i] = impulses[i];
    }
}

// ---- refresh ----------------------------------------------------------------------------------

// Returns the share of the drift that is predicted: 1 up to the turn JOINT_PREDICTION_END - 1, then
// less. It takes the square of the turn, so that few need a root.
static float joint_prediction_share(float turn_squared) {
    const float begin = JOINT_PREDICTION_END - 1.0f;
    if (turn_squared <= begin * begin) {
        return 1.0f;
    }
    return maths_max(0.0f, JOINT_PREDICTION_END - sqrtf(turn_squared));
}

static void joint_fade_with_turn(const tni_solver *solver, tni_joint_block *block,
                                 const tni_body_state *a, const tni_body_state *b) {
    float square = maths_max(glms_vec3_dot(a->w, a->w), glms_vec3_dot(b->w, b->w));
    square *= solver->h * solver->h;
    block->prediction = 0.5f * solver->h * joint_prediction_share(square);
    block->angular_share =
        maths_max(0.0f, 1.0f - square * (1.0f / (JOINT_BIAS_TURN * JOINT_BIAS_TURN)));
}

// Returns the biases of solve A: the soft feedback of the error, and the drift that J v leaves out.
static inline tni_f4 joint_bias(const tni_joint_block *block, tni_f4 error, float share,
                                tni_f4 velocity_term) {
    tni_f4 slop = f4_splat(block->slop), most = f4_splat(block->max_speed);
    tni_f4 zero = f4_splat(0.0f);
    error = f4_sub(error, f4_max(f4_min(error, slop), f4_sub(zero, slop)));
    tni_f4 speed = f4_mul(error, f4_splat(share * block->softness.rate));
    speed = f4_max(f4_min(speed, most), f4_sub(zero, most));
    return f4_add_product(speed, f4_splat(block->prediction), velocity_term);
}

static void joint_set_pin_biases(const tni_joint_block *block, const tni_pin *pin) {
    tni_pin_block *own = block->pin;
    own->bias = joint_bias(block, pin->error, 1.0f, pin->velocity_term);
    if (tni_pin_slides(block->point_rows)) {
        own->bias = tni_pin_from_plane(pin->plane, own->bias);
    }
    if (block->turns > 0) {
        own->turns->bias =
            joint_bias(block, pin->turn_error, block->angular_share, pin->turn_velocity_term);
    }
}

static void joint_refresh_pin(tni_solver *solver, tni_joint_block *block, const tni_body_state *a,
                              const tni_body_state *b) {
    tni_row *rows = solver->joints.rows + block->first_row;
    tni_pin_block *own = block->pin;
    tni_pin pin;
    bool has_bounded = block->row_count > block->equality_count;
    bool rests = has_bounded && tni_joint_bounded_rests(solver, block);
    tni_joint_emit_pin(block->joint, &solver->bodies.motions[block->body_a],
                       &solver->bodies.motions[block->body_b], &pin,
                       has_bounded && !rests ? rows + block->equality_count : NULL);
    joint_fade_with_turn(solver, block, a, b);
    joint_set_pin_biases(block, &pin);
    if (tni_pin_slides(block->point_rows)) {
        tni_pin_refresh_slide(own, &pin, block->point_rows, block->turns, block->ends, a, b);
    } else {
        tni_pin_refresh(own, &pin, block->turns, block->ends, a, b);
    }
    if (solver->ledger.measures_work) {
        tni_pin_write_rows(&pin, block->point_rows, block->equality_count, rows);
    }
    if (has_bounded && !rests) {
        tni_joint_bounded_refresh(solver, block);
    }
}

static void joint_set_biases(tni_joint_block *block, const tni_row *rows) {
    float *bias = tni_equality_bias(block->equality, block->lanes);
    float *drift = tni_equality_drift(block->equality, block->lanes);
    // The correction of a gear's angle acts about the axes that the wheels turn about.
    bool is_gear = block->equality_count == 1 && tni_joint_meshes(block->joint);
    for (uint32_t i = 0; i < block->equality_count; ++i) {
        float error = rows[i].error;
        error -= maths_clamp(error, -block->slop, block->slop);
        error *= rows[i].is_angular && !is_gear ? block->angular_share : 1.0f;
        bias[i] = maths_clamp(block->softness.rate * error, -block->max_speed, block->max_speed) +
                  block->prediction * rows[i].velocity_term;
        drift[i] = 0.0f - rows[i].target_speed;
        bias[i] -= rows[i].target_speed;
    }
}

// Makes the rows of one body, and adds what their responses are about without locks.
static void joint_add_locked(tni_locked_rows *locked, const tni_body_rows *rows, double arm,
                             const tni_body_state *body) {
    tni_ease ease = tni_state_get_ease(body);
    for (uint32_t i = 0; i < locked->n; ++i) {
        double push = dvec3_dot(rows->push[i], rows->push[i]);
        double turn = dvec3_dot(rows->turn[i], rows->turn[i]);
        locked->whole[i] +=
            (double)ease.shift * push + (double)ease.turn * maths_max_d(turn, push * arm);
    }
    tni_body_rows_add_response(rows, body, locked->n, locked->k);
}

// Inverts where bodies have locks: see solver/rows/locks.h.
static TNI_RARE void joint_refresh_locked(tni_joint_block *block, const tni_row *rows,
                                          const tni_body_state *a, const tni_body_state *b) {
    uint32_t lanes = block->lanes, n = block->equality_count;
    float *inverse = tni_equality_inverse(block->equality, lanes);
    float *bias = tni_equality_bias(block->equality, lanes);
    tni_locked_rows locked = {.n = n};
    tni_body_rows of_a, of_b;
    for (uint32_t i = 0; i < n; ++i) {
        of_a.push[i] = dvec3_from_float(rows[i].lin_a);
        of_a.turn[i] = dvec3_from_float(rows[i].ang_a);
        of_b.push[i] = dvec3_from_float(rows[i].lin_b);
        of_b.turn[i] = dvec3_from_float(rows[i].ang_b);
        locked.bias[i] = (double)bias[i];
    }
    tni_dvec3 arm_a = block->joint->frame_a.position, arm_b = block->joint->frame_b.position;
    joint_add_locked(&locked, &of_a, dvec3_dot(arm_a, arm_a), a);
    joint_add_locked(&locked, &of_b, dvec3_dot(arm_b, arm_b), b);
    uint32_t done = tni_locks_invert(&locked);
    for (uint32_t i = 0; i < n; ++i) {
        bias[i] = (float)locked.bias[i];
        for (uint32_t j = 0; j < n; ++j) {
            inverse[i * lanes + j] = (float)locked.k[i][j];
        }
        if ((done >> i & 1) == 0) {
            tni_equality_impulse(block->equality, lanes)[i] = 0.0f;
            tni_equality_warm(block->equality, lanes)[i] = 0.0f;
        }
    }
}

static void joint_refresh_rows(tni_solver *solver, tni_joint_block *block, const tni_body_state *a,
                               const tni_body_state *b) {
    tni_row *rows = solver->joints.rows + block->first_row;
    tni_joint_emit(block->joint, &solver->bodies.motions[block->body_a],
                   &solver->bodies.motions[block->body_b], rows);
    joint_fade_with_turn(solver, block, a, b);
    switch (block->equality_count) {
    case 0:
        return;
    case 1:
        tni_equality_refresh(block->equality, 4, rows, 1, a, b);
        break;
    case 3:
        tni_equality_refresh(block->equality, 4, rows, 3, a, b);
        break;
    default:
        tni_equality_refresh(block->equality, block->lanes, rows, block->equality_count, a, b);
        break;
    }
    joint_set_biases(block, rows);
    if (tni_state_is_locked(a) || tni_state_is_locked(b)) {
        joint_refresh_locked(block, rows, a, b);
    }
}

// One without rows is a tie, or goes as a span.
void tni_joint_block_refresh(tni_solver *solver, tni_joint_block *block) {
    if (block->row_count == 0) {
        return;
    }
    const tni_body_state *a = &solver->bodies.states[block->body_a];
    const tni_body_state *b = &solver->bodies.states[block->body_b];
    if (block->point_rows > 0) {
        joint_refresh_pin(solver, block, a, b);
        return;
    }
    joint_refresh_rows(solver, block, a, b);
    if (block->row_count > block->equality_count) {
        tni_joint_bounded_refresh(solver, block);
    }
}

static void joint_refresh_lone(tni_solver *solver) {
    for (uint32_t i = 0; i < joint_count_lone(solver); ++i) {
        tni_joint_block_refresh(solver, &solver->joints.blocks[joint_get_lone(solver, i)]);
    }
}

static void joint_remember(const tni_solver *solver, const tni_joint_block *block) {
    const tni_body_motion *a = &solver->bodies.motions[block->body_a];
    const tni_body_motion *b = &solver->bodies.motions[block->body_b];
    if (tni_joint_has_memory(block->joint)) {
        tni_joint_expect(block->joint, a, b, solver->dh);
        tni_joint_remember(block->joint, a, b);
    }
}

void tni_joint_blocks_remember(tni_solver *solver) {
    for (uint32_t i = 0; i < joint_count_lone(solver) && solver->joints.has_memories; ++i) {
        joint_remember(solver, &solver->joints.blocks[joint_get_lone(solver, i)]);
    }
}

void tni_joint_blocks_refresh(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        solver->gradients.systems[i].has_lanes = false;
    }
    if (solver->lanes.group_count > 0) {
        tni_joint_groups_refresh(solver);
    }
    for (uint32_t g = 0; g < solver->lanes.group_count && solver->ledger.measures_work; ++g) {
        const tni_joint_group_rest *rest = &solver->lanes.rests[g];
        for (uint32_t lane = 0; lane < rest->count; ++lane) {
            const tni_joint_block *block = &solver->joints.blocks[rest->block[lane]];
            tni_joint_emit(block->joint, &solver->bodies.motions[block->body_a],
                           &solver->bodies.motions[block->body_b],
                           solver->joints.rows + block->first_row);
        }
    }
    joint_refresh_lone(solver);
}

// ---- sweeps: solver/joints/joint_block_wide.c
// ----------------------------------------------------------

static void joint_cool(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->joints.count; ++i) {
        if (solver->joints.blocks[i].joint->starts_cold && solver->joints.blocks[i].row_count > 0) {
            tni_joint_block_forget(solver, &solver->joints.blocks[i]);
        }
    }
}

void tni_joint_blocks_warm_start(tni_solver *solver, bool is_first_half) {
    bool avx2 = solver->uses_avx2;
    if (solver->joints.has_cold && is_first_half) {
        joint_cool(solver);
    }
    if (solver->lanes.group_count == 0) {
        WIDE_CALL(avx2, tni_joint_block_warm_start, solver, 0, solver->joints.count, is_first_half);
        return;
    }
    tni_joint_groups_warm_start(solver, is_first_half);
    for (uint32_t i = 0; i < solver->lanes.single_count; ++i) {
        WIDE_CALL(avx2, tni_joint_block_warm_start, solver, solver->lanes.singles[i], 1,
                  is_first_half);
    }
}

void tni_joint_blocks_solve(tni_solver *solver, uint32_t first, uint32_t count, bool use_bias) {
    WIDE_CALL(solver->uses_avx2, tni_joint_block_solve, solver, first, count, use_bias);
}

void tni_joint_blocks_sweep(tni_solver *solver, bool use_bias) {
    if (solver->lanes.group_count > 0) {
        tni_joint_groups_solve(solver, use_bias);
    } else {
        tni_joint_blocks_solve(solver, 0, solver->joints.swept_count, use_bias);
    }
}
