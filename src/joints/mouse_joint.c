// joints/mouse_joint.c: pulls a point to a target, with a cap on the force.
//
// Symbols: d = p_b - p_a from the target to the point; m_i = 1 / (J_i W J_i^T) the mass that row i
// moves.
//
// Rows (3), a group: C = d along the axes of the world, see parts/point.c; each is a spring with
//     k_i = m_i w^2,  c_i = 2 m_i zeta w,  w = 2 pi hertz
// so that the point follows alike for any mass, with |force| <= max_force. No equalities.
// If the point is far from the centre the m_i differ, and the pull is not quite toward the target:
// like a hand, it moves more easily in one direction than in another.
// Source: E. Catto, "Soft constraints", Game Developers Conference, 2011 (k and c from frequency
// and damping ratio).
// Test: tests/joints/test_mouse_joint.c
#include "joints/kind.h"
#include "joints/parts/angle.h"
#include "joints/parts/error.h"
#include "joints/parts/point.h"
#include "joints/parts/spring.h"

static tni_row_count mouse_count_rows(const tni_joint *joint) {
    (void)joint;
    tni_row_count count = {3, 0, 0, 0};
    return count;
}

static void mouse_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                       tni_rows *out) {
    const tn_mouse_joint_def *def = &joint->def.mouse;
    const tn_spring pull = {.mode = TN_SPRING_MODE_FREQUENCY,
                            .hertz = def->base.hertz,
                            .damping_ratio = def->base.damping_ratio};
    if (out->bounded == NULL) {
        return;
    }
    tni_point point = tni_point_measure(joint, a, b);
    tni_point_emit_soft(&point, &pull, out->bounded);
    for (int i = 0; i < 3; ++i) {
        out->bounded[i].role = TNI_ROLE_MOTOR; // a pull that a cap holds back stores no energy
        out->bounded[i].max_force = tni_row_get_cap(def->max_force);
    }
}

// A spring may move freely: it has no error.
static tn_joint_error mouse_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                          const tni_body_motion *b) {
    (void)joint, (void)a, (void)b;
    tn_joint_error error = {.linear_length = 0.0};
    return error;
}

// Measures the distance of the point from its target.
static tni_joint_value mouse_measure_value(const tni_joint *joint, uint32_t index,
                                           const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    tni_point point = tni_point_measure(joint, a, b);
    double length = dvec3_length(point.d);
    tni_dvec3 rate = tni_point_get_rate(&point, a, b);
    tni_joint_value value = {length, dvec3_dot(point.d, rate) * maths_inverse_or_zero_d(length)};
    return value;
}

const tni_joint_kind tni_mouse_joint_kind = {.count_rows = mouse_count_rows,
                                             .emit = mouse_emit,
                                             .measure_error = mouse_measure_error,
                                             .measure_value = mouse_measure_value};
