// world/step/feeding.c: which joints may put energy into their island that no account here holds.
//
// Springs of joints store energy, and time, a callback or counted turns lead a joint. Of the rows
// over several bodies, equalities and limits without time only hold. A rope only holds, too: its
// winch is a motor, and what a stretched one stores is known.
// Test: tests/world/step/test_step_balance.c
#include "joints/functions/function_joint.h"
#include "world/step/step_internal.h"

static bool feeding_has_springs(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    bool any = false;
    if (joint->rows.rows == joint->rows.equalities) {
        return false;
    }
    tni_joint_emit_bounded(joint, a, b, rows);
    for (uint32_t r = joint->rows.equalities; r < joint->rows.rows; ++r) {
        any |= rows[r].role == TNI_ROLE_SPRING;
    }
    return any;
}

bool tni_step_may_feed(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b) {
    bool is_led = joint->def.base.hertz > 0.0f;
    if (!tni_joint_has_span(joint)) {
        return is_led || tni_joint_has_rates(joint) || tni_joint_has_callback(joint) ||
               feeding_has_springs(joint, a, b);
    }
    const tni_function *function = joint->def.function.apart;
    if (function == NULL || function->rope != NULL) {
        return is_led; // a tie, or a rope
    }
    bool is_feeding = is_led || function->has_time;
    for (uint32_t r = 0; r < function->row_count; ++r) {
        is_feeding |= function->rows[r].kind != TN_CUSTOM_ROW_EQUALITY &&
                      function->rows[r].kind != TN_CUSTOM_ROW_LIMIT;
    }
    return is_feeding;
}
