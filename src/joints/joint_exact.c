// joints/joint_exact.c: what an exact mechanism asks of a joint's equalities, in double.
//
// A soft joint has no equalities, and those of a joint that broke in the step at hand are zero
// until its end: see joints/joint.c.
// Test: tests/joints/test_exact_rows.c
#include "joints/kind.h"

#include <string.h>

// Asks the joint's type. Returns false if the joint has no equalities now.
static bool joint_answers(const tni_joint *joint, tni_rows *out) {
    bool answers = !tni_joint_is_soft(joint) && !joint->bearing.is_broken;
    if (answers) {
        joint->kind->emit(joint, out->ends[0], out->ends[1], out);
    }
    return answers;
}

static void joint_measure(const tni_joint *joint, tni_rows *out, double *numbers) {
    if (!joint_answers(joint, out) && joint->bearing.is_broken) {
        memset(numbers, 0, joint->rows.equalities * sizeof *numbers);
    }
}

void tni_joint_measure_limits(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b, double *errors) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_row_count count = joint->kind->count_rows(joint);
    tni_joint_emit_actors(joint, a, b, rows);
    for (uint32_t i = count.equalities; i < count.rows; ++i) {
        errors[i] = (double)rows[i].error;
    }
}

void tni_joint_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, tni_exact_row *rows) {
    tni_rows out = {.ends = {a, b}, .exact = rows};
    if (!joint_answers(joint, &out) && joint->bearing.is_broken) {
        memset(rows, 0, joint->rows.equalities * sizeof *rows);
    }
}

void tni_joint_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, double *errors) {
    tni_rows out = {.ends = {a, b}, .errors = errors};
    joint_measure(joint, &out, errors);
}

void tni_joint_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, double *terms) {
    tni_rows out = {.ends = {a, b}, .terms = terms};
    joint_measure(joint, &out, terms);
}

bool tni_joint_has_rates(const tni_joint *joint) {
    const tni_joint_counter *counter = joint->kind->counter;
    return counter != NULL && counter->has_rates && !tni_joint_is_soft(joint);
}

void tni_joint_measure_rates(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, double *rates) {
    tni_rows out = {.ends = {a, b}, .rates = rates};
    joint->kind->emit(joint, a, b, &out);
}

void tni_joint_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, const double *x, tni_curvature *curvature) {
    tni_rows out = {.ends = {a, b}, .strengths = x, .curvature = curvature};
    joint_answers(joint, &out);
}
