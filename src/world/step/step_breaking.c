// world/step/step_breaking.c: destroys and reports the joints that broke in a step.
// Test: tests/joints/test_breaking.c
#include "solver/step/breaking.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/step/step_internal.h"

static void breaking_tell(tn_world *world, const tni_joint *joint) {
    const tni_joint_bearing *bearing = &joint->bearing;
    const double *m = bearing->mean;
    tn_joint_break_event event = {.joint = {joint->handle},
                                  .body_a = joint->def.base.body_a,
                                  .body_b = joint->def.base.body_b,
                                  .user_data = joint->def.base.user_data,
                                  .force = (float)dvec3_length(dvec3_make(m[0], m[1], m[2])),
                                  .torque = (float)dvec3_length(dvec3_make(m[3], m[4], m[5])),
                                  .cause = (tn_break_cause)bearing->cause,
                                  .load = bearing->load,
                                  .threshold = bearing->threshold,
                                  .row = bearing->cause == TN_BREAK_CAUSE_ROW ? bearing->row : 0};
    tni_events_add_joint_break(world, &event);
}

static bool breaking_has_any(const tni_solver *solver) {
    bool has_any = false;
    for (uint32_t i = 0; i < solver->breaking.count; ++i) {
        has_any |=
            solver->joints.blocks[solver->breaking.breakables[i].block].joint->bearing.is_broken;
    }
    return has_any;
}

void tni_step_break_joints(tn_world *world, const tni_step *step) {
    if (!breaking_has_any(&step->solver) && !step->has_broken_span) {
        return;
    }
    // The loop runs backward, because the last joint of the list takes the place of a destroyed
    // one. The ties of that go with it.
    for (uint32_t i = world->awake_joints.count; i-- > 0;) {
        uint32_t index = i < world->awake_joints.count ? world->awake_joints.items[i] : TNI_NONE;
        if (index != TNI_NONE && tni_joint_at(world, index)->bearing.is_broken) {
            breaking_tell(world, tni_joint_at(world, index));
            tni_joint_destroy_at(world, index);
        }
    }
}
