// solver/joints/joint_block_wide.c: warm starts and sweeps over blocks, one after the other.
//
// solver/rows/pin.h, solver/rows/equality.h and solver/joints/joint_bounded_sweep.h say what each
// step does. All of them work on vectors of four: the instructions that come with AVX2 leave their
// operands as they are and take one from memory, which spares a sixth of them. Vectors of eight,
// the numbers of the point beside those of the turns and body a beside body b, would spare another
// quarter, but joints of a machine wait for each other, and to bring two halves together takes as
// long as a sum: sweeps of a slider-crank took a quarter longer so. Test:
// tests/solver/joints/test_joint_block.c
#include "solver/joints/joint_block_kernels.h"
#include "solver/joints/joint_bounded_sweep.h"
#include "solver/joints/joint_group.h"
#include "solver/rows/equality.h"
#include "solver/rows/pin.h"

// This is the code of a block's form, which the cases below make constant.
#define JOINT_CODE(form, ends) (4u * (form) + (ends))
#define JOINT_PIN_CASE(form, ends, pin_call, turns)                                                \
    case JOINT_CODE(form, ends):                                                                   \
        pin_call(turns, ends);                                                                     \
        break;
#define JOINT_PIN_CASES(form, pin_call, turns)                                                     \
    JOINT_PIN_CASE(form, TNI_ENDS_BOTH, pin_call, turns)                                           \
    JOINT_PIN_CASE(form, TNI_ENDS_ONLY_A, pin_call, turns)                                         \
    JOINT_PIN_CASE(form, TNI_ENDS_ONLY_B, pin_call, turns)
#define JOINT_ROW_CASES(form, rows_call, lanes, n)                                                 \
    case JOINT_CODE(form, TNI_ENDS_BOTH):                                                          \
    case JOINT_CODE(form, TNI_ENDS_ONLY_A):                                                        \
    case JOINT_CODE(form, TNI_ENDS_ONLY_B):                                                        \
        rows_call(lanes, n);                                                                       \
        break;
#define JOINT_BY_FORM(block, pin_call, rows_call)                                                  \
    switch (JOINT_CODE((block)->form, (block)->ends)) {                                            \
        JOINT_PIN_CASES(TNI_JOINT_FORM_POINT, pin_call, 0)                                         \
        JOINT_PIN_CASES(TNI_JOINT_FORM_UNIVERSAL, pin_call, 1)                                     \
        JOINT_PIN_CASES(TNI_JOINT_FORM_HINGE, pin_call, 2)                                         \
        JOINT_PIN_CASES(TNI_JOINT_FORM_FRAME, pin_call, 3)                                         \
        JOINT_ROW_CASES(TNI_JOINT_FORM_ONE, rows_call, 4, 1)                                       \
        JOINT_ROW_CASES(TNI_JOINT_FORM_THREE, rows_call, 4, 3)                                     \
        JOINT_ROW_CASES(TNI_JOINT_FORM_FOUR, rows_call, 4, (block)->equality_count)                \
        JOINT_ROW_CASES(TNI_JOINT_FORM_SIX, rows_call, 8, (block)->equality_count)                 \
    default: /* springs alone */                                                                   \
        break;                                                                                     \
    }

// ---- warm start -------------------------------------------------------------------------------

TNI_KERNEL void joint_warm_start_equalities(const tni_joint_block *block, bool is_first_half,
                                            tni_body_state *a, tni_body_state *b){
#define JOINT_PIN(turns, ends) tni_pin_warm_start(block->pin, turns, ends, is_first_half, a, b)
#define JOINT_ROWS(lanes, n)                                                                       \
    tni_equality_warm_start(block->equality, lanes, n, is_first_half, block->ends, a, b)
    JOINT_BY_FORM(block, JOINT_PIN, JOINT_ROWS)
#undef JOINT_PIN
#undef JOINT_ROWS
}

TNI_KERNEL void joint_warm_start_all(const tni_solver *solver, uint32_t first, uint32_t count,
                                     bool is_first_half) {
    const tni_joint_block *block = solver->joints.blocks + first, *end = block + count;
    tni_body_state *states = solver->bodies.states;
    for (; block < end; ++block) {
        tni_body_state *a = &states[block->body_a], *b = &states[block->body_b];
        joint_warm_start_equalities(block, is_first_half, a, b);
        if (block->has_awake_bounded) {
            tni_joint_bounded_warm_start(solver, block, is_first_half, a, b);
        }
    }
}

// Starts in two copies, so that neither half asks which it is.
void WIDE_NAME(tni_joint_block_warm_start)(const tni_solver *solver, uint32_t first, uint32_t count,
                                           bool is_first_half) {
    if (is_first_half) {
        joint_warm_start_all(solver, first, count, true);
    } else {
        joint_warm_start_all(solver, first, count, false);
    }
}

// ---- solve ------------------------------------------------------------------------------------

TNI_KERNEL void joint_solve_equalities(const tni_joint_block *block, bool use_bias,
                                       tni_body_state *a, tni_body_state *b){
#define JOINT_PIN(turns, ends)                                                                     \
    tni_pin_solve(block->pin, turns, ends, block->softness, use_bias, a, b)
#define JOINT_ROWS(lanes, n)                                                                       \
    tni_equality_solve(block->equality, lanes, n, block->softness, use_bias, block->ends, a, b)
    JOINT_BY_FORM(block, JOINT_PIN, JOINT_ROWS)
#undef JOINT_PIN
#undef JOINT_ROWS
}

TNI_KERNEL
    void joint_solve_all(const tni_solver *solver, uint32_t first, uint32_t count, bool use_bias) {
    const tni_joint_block *block = solver->joints.blocks + first, *end = block + count;
    tni_body_state *states = solver->bodies.states;
    for (; block < end; ++block) {
        tni_body_state *a = &states[block->body_a], *b = &states[block->body_b];
        joint_solve_equalities(block, use_bias, a, b);
        if (block->has_awake_bounded) {
            tni_joint_bounded_solve(solver, block, use_bias, a, b);
        }
    }
}

// Solves in two copies, so that solve B does no work for bias.
void WIDE_NAME(tni_joint_block_solve)(const tni_solver *solver, uint32_t first, uint32_t count,
                                      bool use_bias) {
    if (use_bias) {
        joint_solve_all(solver, first, count, true);
    } else {
        joint_solve_all(solver, first, count, false);
    }
}
