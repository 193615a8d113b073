// world/step/joint_keep.c: stores a joint's definition in its record and loads it again.
//
// The record has room for all definitions but the largest, which their kind keeps (joints/kind.h).
// Test: tests/joints/test_joint_setters.c, tests/joints/test_joint_misuse_create.c
#include <string.h>

#include "world/joints.h"
#include "world/joints/joint_internal.h"

// Keeps the function's own data where it is. The joint's frames are those of the bodies.
static void keep_function(const tni_function_def *def, tni_joint *joint) {
    tn_joint_def none = tn_joint_def_default();
    joint->def.function = *def;
    joint->def.base.frame_a = none.frame_a;
    joint->def.base.frame_b = none.frame_b;
}

bool tni_joint_def_keep(tn_world *world, const tni_joint_def *def, tni_joint *joint) {
    if (joint->kind->keeper != NULL) {
        return joint->kind->keeper->keep(&world->allocator, def, joint);
    }
    if (tni_joint_is_function(joint)) {
        keep_function(&def->function, joint);
    } else {
        memcpy(&joint->def, def, sizeof joint->def);
    }
    return true;
}

void tni_joint_def_load(const tni_joint *joint, tni_joint_def *out_def) {
    if (joint->kind->keeper != NULL) {
        joint->kind->keeper->load(joint, out_def);
    } else if (tni_joint_is_function(joint)) {
        out_def->function = joint->def.function;
    } else {
        memcpy(out_def, &joint->def, sizeof joint->def);
    }
    out_def->base = joint->def.base;
}

void tni_joint_def_drop(tn_world *world, tni_joint *joint) {
    if (joint->kind->keeper != NULL) {
        joint->kind->keeper->drop(&world->allocator, joint);
    }
}

void tni_world_drop_joint_defs(tn_world *world) {
    for (uint32_t i = 0; i < world->joint_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->joint_pool, i) != 0) {
            tni_joint_def_drop(world, tni_joint_at(world, i));
            tni_function_drop(world, tni_joint_at(world, i));
        }
    }
}
