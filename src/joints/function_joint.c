// joints/function_joint.c: a function joint between two bodies is a tie: it has no rows there.
//
// Its rows are of all its bodies at once: solver/span.c. No exact method takes what has none.
// Test: tests/joints/test_function_joint.c
#include "joints/function_joint.h"

#include "joints/kind.h"

static tni_row_count function_count_rows(const tni_joint *joint) {
    (void)joint;
    tni_row_count none = {0};
    return none;
}

static void function_emit(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, tni_pin *pin, tni_row *rows) {
    (void)joint;
    (void)a;
    (void)b;
    (void)pin;
    (void)rows;
}

static tn_joint_error function_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                             const tni_body_motion *b) {
    (void)joint;
    (void)a;
    (void)b;
    tn_joint_error none = {.linear_length = 0.0};
    return none;
}

static tni_joint_value function_measure_value(const tni_joint *joint, uint32_t index,
                                              const tni_body_motion *a, const tni_body_motion *b) {
    (void)joint;
    (void)index;
    (void)a;
    (void)b;
    tni_joint_value none = {0.0, 0.0};
    return none;
}

const tni_joint_kind tni_function_joint_kind = {.count_rows = function_count_rows,
                                                .emit = function_emit,
                                                .measure_error = function_measure_error,
                                                .measure_value = function_measure_value};
