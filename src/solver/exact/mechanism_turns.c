// solver/exact/mechanism_turns.c: joints of a mechanism that count whole turns.
//
// A stage asks for errors where it begins and where it may end, which may be turns apart: the stage
// says beforehand for how long it goes (joints/parts/turns.h). The joints remember where it ends; a
// stage that fails is forgotten. Test: tests/joints/transmissions/test_gear_joint.c
#include "solver/exact/mechanism.h"

void tni_mechanism_expect(tni_mechanism *mechanism, double time) {
    for (uint32_t i = 0; i < mechanism->joint_count && mechanism->traits.has_memories; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        if (tni_joint_has_memory(joint->joint)) {
            tni_joint_expect(joint->joint, &mechanism->bodies[joint->a].motion,
                             &mechanism->bodies[joint->b].motion, time);
        }
    }
}

void tni_mechanism_remember(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count && mechanism->traits.has_memories; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        if (tni_joint_has_memory(joint->joint)) {
            tni_joint_remember(joint->joint, &mechanism->bodies[joint->a].motion,
                               &mechanism->bodies[joint->b].motion);
        }
    }
}
