// world/snapshot/snapshot_joint.h: the definitions of joints (snapshot_joint_defs.c).
#ifndef TNI_WORLD_SNAPSHOT_SNAPSHOT_JOINT_H
#define TNI_WORLD_SNAPSHOT_SNAPSHOT_JOINT_H

#include "core/stream.h"
#include "joints/joint.h"

// Returns the functions of a type whose joints have everything in their records, else null.
const struct tni_joint_kind *tni_snapshot_find_kind(tn_joint_type type);
// Visits the definition in a joint's record, whose type is set, and the numbers that change of what
// it has beside it.
void tni_snapshot_visit_def(tni_stream *s, tni_joint *joint);

#endif
