// world/mechanisms/mechanism_records.c: keeps the compositions of mechanisms from step to step.
//
// Bodies, joints and the pattern of the matrix of a mechanism are made anew only when its
// signature, a hash of all that the pattern depends on, changes. The pattern of a mechanism that
// alternates has no bounded rows.
// Test: tests/world/mechanisms/test_mechanisms.c
#include <string.h>

#include "core/hash.h"
#include "core/union_find.h"
#include "world/step/step_mechanisms.h"

// A joint that may break is no anchor: this bit stands beside the count of rows.
#define RECORDS_BREAKS 0x100u

static void records_cast_body(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t group,
                              uint32_t body, bool wants_moving, tni_mechanism_cast *cast) {
    if (plan->stamp[body] == group + 1 || tni_mechanism_moves(solver, body) != wants_moving) {
        return;
    }
    plan->stamp[body] = group + 1;
    plan->local_of[body] = cast->count;
    cast->bodies[cast->count++] = body;
}

void tni_mechanism_find_cast(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t group,
                             tni_mechanism_cast *cast) {
    cast->count = 0;
    for (uint32_t pass = 0; pass < 2; ++pass) {
        for (uint32_t k = plan->first[group]; k < plan->first[group + 1]; ++k) {
            const tni_joint_block *block = &solver->joints.blocks[plan->joints[k]];
            records_cast_body(solver, plan, group, block->body_a, pass == 0, cast);
            records_cast_body(solver, plan, group, block->body_b, pass == 0, cast);
        }
        cast->moving = pass == 0 ? cast->count : cast->moving;
    }
    uint32_t root = union_find_root(plan->roots, cast->bodies[0]);
    cast->alternates = plan->alternates[root];
    cast->signature = cast->alternates ? ~TNI_HASH_SEED : TNI_HASH_SEED;
    for (uint32_t k = plan->first[group]; k < plan->first[group + 1]; ++k) {
        const tni_joint_block *block = &solver->joints.blocks[plan->joints[k]];
        uint64_t kinds = block->joint->row_kinds;
        const uint32_t words[6] = {block->joint->handle,
                                   plan->local_of[block->body_a],
                                   plan->local_of[block->body_b],
                                   block->equality_count | (block->may_break ? RECORDS_BREAKS : 0),
                                   (uint32_t)kinds,
                                   (uint32_t)(kinds >> 32)};
        cast->signature = tni_hash_bytes(cast->signature, words, sizeof words);
    }
    for (uint32_t i = 0; i < cast->moving; ++i) {
        uint32_t locks = tni_body_mass_get_locks(&solver->bodies.masses[cast->bodies[i]]);
        cast->signature = tni_hash_bytes(cast->signature, &locks, sizeof locks);
    }
}

// ---- by signature ------------------------------------------------------------------------------

static uint32_t *records_get_chain(tn_world *world, uint64_t signature) {
    return &world->mechanisms[signature % world->mechanism_capacity].first_found;
}

static void records_link(tn_world *world, uint32_t index) {
    tni_mechanism_record *record = &world->mechanisms[index];
    if (record->memory != NULL) {
        uint32_t *chain = records_get_chain(world, record->signature);
        record->next_found = *chain;
        *chain = index + 1;
    }
}

static void records_unlink(tn_world *world, uint32_t index) {
    tni_mechanism_record *record = &world->mechanisms[index];
    if (record->memory == NULL) {
        return;
    }
    uint32_t *link = records_get_chain(world, record->signature);
    while (*link != index + 1) {
        link = &world->mechanisms[*link - 1].next_found;
    }
    *link = record->next_found;
}

// Returns the first record of a signature from a place on.
static uint32_t records_find(tn_world *world, uint32_t first, uint64_t signature) {
    uint32_t found = TNI_NONE, link = *records_get_chain(world, signature);
    for (; link != 0; link = world->mechanisms[link - 1].next_found) {
        bool is_it = world->mechanisms[link - 1].signature == signature && link > first;
        found = is_it && link - 1 < found ? link - 1 : found;
    }
    return found;
}

// ---- creation and destruction ------------------------------------------------------------------

void tni_mechanism_record_clear(tn_world *world, tni_mechanism_record *record) {
    uint32_t index = (uint32_t)(record - world->mechanisms);
    records_unlink(world, index);
    uint32_t chain = record->first_found;
    tni_mechanism_forget(&record->mechanism, &world->allocator);
    tni_free(&world->allocator, record->memory, record->memory_size);
    memset(record, 0, sizeof *record);
    record->first_found = chain;
    world->mechanism_full = index < world->mechanism_full ? index : world->mechanism_full;
}

// Makes a composition. On failure the record is empty.
static bool records_make(tn_world *world, const tni_solver *solver, const tni_mechanism_plan *plan,
                         uint32_t group, const tni_mechanism_cast *cast,
                         tni_mechanism_record *record) {
    tni_mechanism_record_clear(world, record);
    uint32_t joints = plan->first[group + 1] - plan->first[group];
    size_t body_bytes = cast->count * sizeof(tni_mechanism_body);
    record->memory_size = body_bytes + joints * sizeof(tni_mechanism_joint);
    record->memory = tni_alloc_zeroed(&world->allocator, record->memory_size);
    if (record->memory == NULL) {
        record->memory_size = 0;
        return false;
    }
    record->signature = cast->signature;
    records_link(world, (uint32_t)(record - world->mechanisms));
    tni_mechanism *mechanism = &record->mechanism;
    mechanism->bodies = record->memory;
    mechanism->joints = (tni_mechanism_joint *)((uint8_t *)record->memory + body_bytes);
    mechanism->body_count = cast->count;
    mechanism->moving_count = cast->moving;
    mechanism->joint_count = joints;
    for (uint32_t k = 0; k < joints; ++k) {
        const tni_joint_block *block = &solver->joints.blocks[plan->joints[plan->first[group] + k]];
        tni_mechanism_joint *joint = &mechanism->joints[k];
        joint->joint = block->joint;
        joint->may_break = block->may_break;
        joint->a = plan->local_of[block->body_a];
        joint->b = plan->local_of[block->body_b];
    }
    if (!tni_mechanism_make_rows(mechanism, &world->allocator)) {
        tni_mechanism_record_clear(world, record);
        return false;
    }
    for (uint32_t k = 0; k < joints; ++k) {
        tni_mechanism_joint *joint = &mechanism->joints[k];
        tni_mechanism_find_actors(joint);
        if (cast->alternates) {
            joint->row_count = joint->all_count = joint->equality_count;
        }
    }
    for (uint32_t i = 0; i < cast->moving; ++i) {
        mechanism->bodies[i].locks =
            tni_body_mass_get_locks(&solver->bodies.masses[cast->bodies[i]]);
    }
    tni_arena_mark mark = tni_arena_get_mark(&world->arena);
    bool is_known = tni_mechanism_analyze(mechanism, &world->allocator, &world->arena);
    tni_arena_rewind(&world->arena, mark);
    if (!is_known) {
        tni_mechanism_record_clear(world, record);
        return false;
    }
    return true;
}

// Makes a composition anew, with the state that a snapshot has of it. On failure the record is
// empty. A state is taken once, so that one that does not fit is not met again.
static bool records_rebuild(tn_world *world, const tni_solver *solver,
                            const tni_mechanism_plan *plan, uint32_t group,
                            const tni_mechanism_cast *cast, tni_mechanism_record *record) {
    bool is_made = false;
    do {
        is_made = records_make(world, solver, plan, group, cast, record);
    } while (is_made && !tni_mechanism_resume(world, record));
    return is_made;
}

bool tni_mechanism_records_reserve(tn_world *world, uint32_t count) {
    if (count <= world->mechanism_capacity) {
        return true;
    }
    uint32_t before = world->mechanism_capacity;
    void *grown = tni_array_grow(&world->allocator, world->mechanisms, before,
                                 &world->mechanism_capacity, count, sizeof *world->mechanisms);
    if (grown == NULL) {
        return false;
    }
    world->mechanisms = grown;
    memset(world->mechanisms + before, 0,
           (world->mechanism_capacity - before) * sizeof *world->mechanisms);
    for (uint32_t i = 0; i < before; ++i) {
        world->mechanisms[i].first_found = 0;
    }
    for (uint32_t i = 0; i < before; ++i) {
        records_link(world, i);
    }
    return true;
}

bool tni_mechanism_record_stands(const tn_world *world, uint32_t place, uint64_t signature) {
    const tni_mechanism_record *record = &world->mechanisms[place];
    return record->memory != NULL && record->signature == signature;
}

static uint32_t records_find_empty(tn_world *world, uint32_t first) {
    uint32_t place = first > world->mechanism_full ? first : world->mechanism_full;
    while (place < world->mechanism_capacity && world->mechanisms[place].memory != NULL) {
        place += 1;
    }
    world->mechanism_full = first > world->mechanism_full ? world->mechanism_full : place;
    return place < world->mechanism_capacity ? place : TNI_NONE;
}

static void records_swap(tn_world *world, uint32_t i, uint32_t k) {
    if (i == k) {
        return;
    }
    tni_mechanism_record *of_i = &world->mechanisms[i], *of_k = &world->mechanisms[k];
    bool leaves_empty = of_i->memory == NULL || of_k->memory == NULL;
    records_unlink(world, i);
    records_unlink(world, k);
    tni_mechanism_record other = *of_i;
    uint32_t chain = of_k->first_found;
    *of_i = *of_k;
    of_i->first_found = other.first_found;
    *of_k = other;
    of_k->first_found = chain;
    records_link(world, i);
    records_link(world, k);
    uint32_t lower = i < k ? i : k;
    if (leaves_empty && lower < world->mechanism_full) {
        world->mechanism_full = lower;
    }
}

void tni_mechanism_records_arrange(tn_world *world, const tni_solver *solver,
                                   tni_mechanism_plan *plan, uint32_t first,
                                   tni_mechanism_cast *cast) {
    for (uint32_t g = first; g < plan->group_count; ++g) {
        tni_mechanism_find_cast(solver, plan, g, cast);
        uint32_t found = records_find(world, first, cast->signature);
        if (found != TNI_NONE) {
            records_swap(world, g, found);
        }
    }
    memset(plan->stamp, 0, solver->bodies.count * sizeof(uint32_t));
    plan->is_arranged = true;
}

bool tni_mechanism_record_place(tn_world *world, const tni_solver *solver,
                                const tni_mechanism_plan *plan, uint32_t group,
                                const tni_mechanism_cast *cast, uint32_t place) {
    uint32_t found = records_find(world, place, cast->signature);
    if (found != TNI_NONE) {
        records_swap(world, place, found);
        return true;
    }
    // The record here may be needed again: an earlier mechanism may only have fallen asleep.
    uint32_t empty =
        world->mechanisms[place].memory != NULL ? records_find_empty(world, place) : TNI_NONE;
    uint32_t full = world->mechanism_full; // stays the same once one is made at this place
    if (empty != TNI_NONE) {
        records_swap(world, place, empty);
    }
    bool is_made = records_rebuild(world, solver, plan, group, cast, &world->mechanisms[place]);
    world->mechanism_full = is_made ? full : world->mechanism_full;
    return is_made;
}
