// world/snapshot/snapshot_joint.h: the definitions of joints (snapshot_joint_defs.c).
#ifndef TNI_WORLD_SNAPSHOT_SNAPSHOT_JOINT_H
#define TNI_WORLD_SNAPSHOT_SNAPSHOT_JOINT_H

#include "core/stream.h"
#include "joints/functions/rope_joint.h"
#include "joints/joint.h"
#include "joints/paths/curve.h"
#include "joints/paths/motion_path.h"

// Scratch memory for what a joint has beside its record.
typedef struct tni_snapshot_apart {
    union {
        tni_six_axes six_axes;
        tni_custom custom;
        tni_curve curve;
        tni_motion_path motion_path;
        tni_function function;
    };
    tni_rope rope; // of the function
} tni_snapshot_apart;

// Returns the functions of a type whose joints have everything in their records, else null.
const struct tni_joint_kind *tni_snapshot_find_kind(tn_joint_type type);
// Visits the definition in a joint's record, whose type is set, and the numbers that change of what
// it has beside it.
void tni_snapshot_visit_def(tni_stream *s, tni_joint *joint);
// Copies what the joint has beside its record, but for arrays of its own, and lets the record own
// the copy. A function has no inputs then, and a visit passes over them.
void tni_snapshot_copy_apart(tni_joint *joint, tni_snapshot_apart *copy);
// Returns whether a definition that was read is sound, and leaves alone what cannot be set in that
// of the joint that the world has; null: it has none.
bool tni_snapshot_def_is_sound(const tni_joint *joint, const tni_joint *own);

#endif
