// world/api/enumerate.c: how many objects there are, and their handles, in the order of their
// slots. Test: tests/world/records/test_world.c
#include "world/world.h"

uint32_t tn_world_count_bodies(const tn_world *world) {
    return world ? world->body_pool.live_count : 0;
}

uint32_t tn_world_count_joints(const tn_world *world) {
    return world ? world->joint_pool.live_count - world->tie_count : 0;
}

uint32_t tn_world_count_contacts(const tn_world *world) {
    return world ? world->contact_pool.live_count : 0;
}

// One walk for two types of handle, which differ in name only.
#define ENUMERATE_POOL(pool, out, capacity)                                                        \
    do {                                                                                           \
        uint32_t filled = 0;                                                                       \
        for (uint32_t i = 0; i < (pool)->slot_count && filled < (capacity); ++i) {                 \
            uint32_t handle = tni_pool_handle((pool), i);                                          \
            if (handle != 0) {                                                                     \
                (out)[filled].value = handle;                                                      \
                filled += 1;                                                                       \
            }                                                                                      \
        }                                                                                          \
    } while (0)

uint32_t tn_world_get_bodies(const tn_world *world, tn_body_id *out_bodies, uint32_t capacity) {
    if (!world) {
        return 0;
    }
    if (out_bodies) {
        ENUMERATE_POOL(&world->body_pool, out_bodies, capacity);
    }
    return world->body_pool.live_count;
}

uint32_t tn_world_get_joints(const tn_world *world, tn_joint_id *out_joints, uint32_t capacity) {
    if (!world) {
        return 0;
    }
    uint32_t filled = 0;
    for (uint32_t i = 0; out_joints && i < world->joint_pool.slot_count && filled < capacity; ++i) {
        uint32_t handle = tni_pool_handle(&world->joint_pool, i);
        if (handle != 0 && !tni_joint_is_tie(tni_joint_at(world, i))) {
            out_joints[filled++].value = handle;
        }
    }
    return world->joint_pool.live_count - world->tie_count;
}

uint32_t tn_world_get_contacts(const tn_world *world, tn_contact_id *out_contacts,
                               uint32_t capacity) {
    if (!world) {
        return 0;
    }
    if (out_contacts) {
        ENUMERATE_POOL(&world->contact_pool, out_contacts, capacity);
    }
    return world->contact_pool.live_count;
}
