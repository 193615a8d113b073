// world/step/joint_reaction.h: a joint's reaction and motor efforts, from its rows' impulses.
#ifndef TNI_WORLD_STEP_JOINT_REACTION_H
#define TNI_WORLD_STEP_JOINT_REACTION_H

#include "joints/joint.h"

// Sums the efforts of a joint's motors row by row. The effort of a ball joint's motor is the length
// of a vector.
typedef struct tni_effort_sum {
    const tni_joint *joint;
    float singles[TNI_JOINT_MAX_VALUES]; // impulses, N·s or N·m·s
    vec3s group;
    uint32_t single_count, in_group;
} tni_effort_sum;

void tni_effort_sum_begin(tni_effort_sum *sum, const tni_joint *joint);
// Adds a bounded row with its impulse over the step.
void tni_effort_sum_add(tni_effort_sum *sum, const tni_row *row, float impulse);
void tni_effort_sum_end(const tni_effort_sum *sum, float inverse_dt,
                        float out_efforts[TNI_JOINT_MAX_VALUES]);

// Sets the reaction at the origin of frame b from the impulses on b about its centre of mass. If b
// is the world, the impulses are the opposite of those on a, and the reaction is at the origin of
// frame a, which is nearly the same point.
void tni_joint_set_reaction(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                            vec3s force, vec3s torque, float inverse_dt);

#endif
