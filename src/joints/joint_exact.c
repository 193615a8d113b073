// joints/joint_exact.c: picks the functions of a joint's type for its rows in double.
//
// Of what is soft there are none, and what broke in the step at hand is nothing until its end: see
// joints/joint.c. Test: tests/joints/test_exact_rows.c
#include "joints/kind.h"

#include <string.h>

void tni_joint_measure_limits(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b, double *errors) {
    const tni_joint_kind *kind = joint->kind;
    if (joint->bearing.is_broken) {
        memset(errors, 0, joint->rows.rows * sizeof *errors);
        return;
    }
    if (kind->measure_limits != NULL && !tni_joint_is_soft(joint)) {
        kind->measure_limits(joint, a, b, errors);
        return;
    }
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_row_count count = kind->count_rows(joint);
    tni_joint_emit_bounded(joint, a, b, rows);
    for (uint32_t i = count.equalities; i < count.rows; ++i) {
        errors[i] = (double)rows[i].error;
    }
}

void tni_joint_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, tni_exact_row *rows) {
    const tni_joint_kind *kind = joint->kind;
    if (joint->bearing.is_broken) {
        memset(rows, 0, joint->rows.equalities * sizeof *rows);
    } else if (kind->emit_exact != NULL && !tni_joint_is_soft(joint)) {
        kind->emit_exact(joint, a, b, rows);
    }
}

void tni_joint_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, double *errors) {
    const tni_joint_kind *kind = joint->kind;
    if (joint->bearing.is_broken) {
        memset(errors, 0, joint->rows.equalities * sizeof *errors);
    } else if (kind->measure_exact != NULL && !tni_joint_is_soft(joint)) {
        kind->measure_exact(joint, a, b, errors);
    }
}

void tni_joint_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, double *terms) {
    const tni_joint_kind *kind = joint->kind;
    if (joint->bearing.is_broken) {
        memset(terms, 0, joint->rows.equalities * sizeof *terms);
    } else if (kind->measure_terms != NULL && !tni_joint_is_soft(joint)) {
        kind->measure_terms(joint, a, b, terms);
    }
}

bool tni_joint_has_rates(const tni_joint *joint) {
    return joint->kind->measure_rates != NULL && !tni_joint_is_soft(joint);
}

void tni_joint_measure_rates(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, double *rates) {
    joint->kind->measure_rates(joint, a, b, rates);
}

void tni_joint_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, const double *x, tni_curvature *curvature) {
    const tni_joint_kind *kind = joint->kind;
    if (kind->add_curvature != NULL && !tni_joint_is_soft(joint) && !joint->bearing.is_broken) {
        kind->add_curvature(joint, a, b, x, curvature);
    }
}
