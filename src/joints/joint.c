// joints/joint.c: picks the functions of a joint's type; what all types share.
// Test: tests/joints/test_joint.c
#include "joints/joint.h"

#include "joints/kind.h"

static const tni_joint_kind *const joint_kinds[] = {
    [TN_JOINT_TYPE_DISTANCE] = &tni_distance_joint_kind,
    [TN_JOINT_TYPE_BALL] = &tni_ball_joint_kind,
    [TN_JOINT_TYPE_HINGE] = &tni_hinge_joint_kind,
    [TN_JOINT_TYPE_SLIDER] = &tni_slider_joint_kind,
    [TN_JOINT_TYPE_FIXED] = &tni_fixed_joint_kind,
};

tni_row_count tni_joint_count_rows(const tni_joint *joint) {
    return joint_kinds[joint->type]->count_rows(joint);
}

void tni_joint_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                    tni_row *rows) {
    joint_kinds[joint->type]->emit(joint, a, b, rows);
}

tn_joint_error tni_joint_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                       const tni_body_motion *b) {
    return joint_kinds[joint->type]->measure_error(joint, a, b);
}

tni_joint_value tni_joint_measure_value(const tni_joint *joint, const tni_body_motion *a,
                                        const tni_body_motion *b) {
    return joint_kinds[joint->type]->measure_value(joint, a, b);
}

// Sum of k C^2 / 2 over the rows that are springs of given stiffness: every row of a spring, of
// whatever joint, has the potential its force comes from.
double tni_joint_measure_elastic_energy(const tni_joint *joint, const tni_body_motion *a,
                                        const tni_body_motion *b) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_row_count count = tni_joint_count_rows(joint);
    if (count.rows == count.equalities) {
        return 0.0;
    }
    tni_joint_emit(joint, a, b, rows);
    double energy = 0.0;
    for (uint32_t i = count.equalities; i < count.rows; ++i) {
        if (rows[i].kind == TNI_ROW_SPRING && rows[i].role == TNI_ROLE_SPRING) {
            double error = (double)rows[i].error;
            energy += 0.5 * (double)rows[i].stiffness * error * error;
        }
    }
    return energy;
}
