// world/hash.c: one number for the state of all bodies, to compare runs, builds and machines.
// Test: tests/world/test_world.c
#include "world/world_internal.h"

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
    return hash;
}
