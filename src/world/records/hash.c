// world/records/hash.c: hashes the state of all bodies and coordinates, and the turns and loads
// that joints remember, into one number that compares runs, builds and machines.
// Test: tests/world/records/test_world.c
#include <stddef.h>

#include "joints/functions/rope_joint.h"
#include "world/world.h"

uint64_t tn_world_get_hash(const tn_world *world) {
    if (!world) {
        return 0;
    }
    uint64_t hash = TNI_HASH_SEED;
    for (uint32_t i = 0; i < world->body_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->body_pool, i) == 0) {
            continue;
        }
        const tni_body *body = tni_body_at(world, i);
        hash = tni_hash_bytes(hash, &body->position, sizeof body->position);
        hash = tni_hash_bytes(hash, &body->rotation, sizeof body->rotation);
        hash = tni_hash_bytes(hash, &body->velocity, sizeof body->velocity);
        hash = tni_hash_bytes(hash, &body->angular_velocity, sizeof body->angular_velocity);
    }
    for (uint32_t i = 0; i < world->reduced_list.count; ++i) {
        const tni_reduced *reduced = tni_reduced_at(world, world->reduced_list.items[i]);
        size_t size = reduced->freedoms * sizeof(double);
        hash = tni_hash_bytes(hash, reduced->coordinates, size);
        hash = tni_hash_bytes(hash, reduced->speeds, size);
    }
    for (uint32_t i = 0; i < world->joint_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->joint_pool, i) == 0) {
            continue;
        }
        const tni_joint *joint = tni_joint_at(world, i);
        if (tni_joint_may_break(joint)) {
            hash = tni_hash_bytes(hash, joint->bearing.mean, sizeof joint->bearing.mean);
            hash = tni_hash_bytes(hash, joint->bearing.since, sizeof joint->bearing.since);
        }
        if (tni_joint_may_break(joint) && tni_joint_get_row_bearing(joint) != NULL) {
            hash = tni_hash_bytes(hash, tni_joint_get_row_bearing(joint), sizeof(tni_row_bearing));
        }
        if (tni_joint_has_memory(joint)) {
            hash = tni_hash_bytes(hash, &joint->memory, offsetof(tni_joint_memory, tooth));
        }
        if (joint->type == TN_JOINT_TYPE_ROPE) {
            hash = tni_rope_add_hash(joint->def.function.apart->rope, hash);
        }
        if (tni_joint_has_teeth(joint)) {
            hash = tni_hash_bytes(hash, &joint->memory.tooth, sizeof joint->memory.tooth);
        }
    }
    return hash;
}
