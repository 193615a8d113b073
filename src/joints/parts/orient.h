// joints/parts/orient.h: rows about all three axes of a joint: spring, friction and motor, in this
// order.
#ifndef TNI_JOINTS_PARTS_ORIENT_H
#define TNI_JOINTS_PARTS_ORIENT_H

#include "joints/parts/scalar.h"

// The actors as the definitions of the joints hold them.
typedef struct tni_orient_actors {
    const tn_spring *spring;
    const tn_ball_motor *motor;
    float friction, viscous_friction;
    const tn_limit *twist_limit;
} tni_orient_actors;

uint32_t tni_orient_count_rows(const tni_orient_actors *actors);
// Returns whether an actor reads the rotation itself; otherwise it may be left unmeasured.
bool tni_orient_needs_rotation(const tni_orient_actors *actors);
// Writes those rows, groups of three, and returns how many. q is the rotation of frame b in frame
// a; `twist` is its turn about x, which is read only if that has a limit.
uint32_t tni_orient_emit(const tni_axes *frame_a, tni_dquat q, const tni_scalar *twist,
                         const tni_orient_actors *actors, tni_row *rows);

#endif
