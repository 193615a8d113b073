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

// l . diag(m) l + a . I^-1 a: one body's share of J W J^T.
static double joint_row_mobility(vec3s linear, vec3s angular, const tni_body_mobility *body) {
    vec3s scaled = glms_vec3_mul(body->inv_mass, linear);
    return (double)(glms_vec3_dot(scaled, linear) +
                    glms_vec3_dot(sym3_mul(body->inv_inertia, angular), angular));
}

// N/m or N·m/rad of a row that is a spring, given or from its frequency: k = m (2 pi hertz)^2.
static double joint_row_stiffness(const tni_row *row, const tni_body_mobility *a,
                                  const tni_body_mobility *b) {
    if (row->kind == TNI_ROW_SPRING) {
        return (double)row->stiffness;
    }
    double mass = maths_inverse_or_zero_d(joint_row_mobility(row->lin_a, row->ang_a, a) +
                                          joint_row_mobility(row->lin_b, row->ang_b, b));
    double omega = 2.0 * MATHS_PI * (double)row->stiffness;
    return mass * omega * omega;
}

// Sum of k C^2 / 2 over the rows of springs: every row of a spring, of whatever joint, has the
// potential its force comes from.
double tni_joint_measure_elastic_energy(const tni_joint *joint, const tni_body_motion *a,
                                        const tni_body_motion *b, const tni_body_mobility *of_a,
                                        const tni_body_mobility *of_b) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_row_count count = tni_joint_count_rows(joint);
    if (count.rows == count.equalities) {
        return 0.0;
    }
    tni_joint_emit(joint, a, b, rows);
    double energy = 0.0;
    for (uint32_t i = count.equalities; i < count.rows; ++i) {
        if (rows[i].role == TNI_ROLE_SPRING) {
            double error = (double)rows[i].error;
            energy += 0.5 * joint_row_stiffness(&rows[i], of_a, of_b) * error * error;
        }
    }
    return energy;
}
