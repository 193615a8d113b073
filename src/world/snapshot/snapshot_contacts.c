// world/snapshot/snapshot_contacts.c: the records of contacts, their memories and their places in
// the lists of bodies.
// Test: tests/world/snapshot/test_snapshot.c
#include "solver/contacts/contact_follow.h"
#include "solver/contacts/contact_sweeps.h"
#include "world/contacts.h"
#include "world/snapshot/snapshot.h"

#include <stddef.h>

TNI_KERNEL void contacts_visit_manifold(tni_stream *s, tni_manifold *manifold) {
    stream_vec3(s, &manifold->normal);
    stream_u32(s, &manifold->point_count);
    uint32_t count = manifold->point_count;
    bool is_sound = tni_stream_expect(s, count <= TNI_MANIFOLD_MAX_POINTS);
    for (uint32_t i = 0; i < count && is_sound; ++i) {
        stream_vec3(s, &manifold->points[i].position);
        stream_f32(s, &manifold->points[i].separation);
        stream_u32(s, &manifold->points[i].feature);
    }
}

TNI_KERNEL void contacts_visit_extras(tni_stream *s, tni_contact_extras *extras) {
    stream_dvec3(s, &extras->center);
    stream_vec3(s, &extras->speed);
    stream_vec3(s, &extras->turn);
    stream_vec3(s, &extras->spin);
    stream_f32(s, &extras->hertz);
    stream_f32(s, &extras->damping_ratio);
    stream_f32s(s, extras->given, TNI_LANES);
    for (int k = 0; k < 2; ++k) {
        tni_grain *grain = &extras->grains[k];
        stream_f32s(s, &grain->scale.xx, 6);
        stream_versors(s, &grain->rotation);
        stream_bool(s, &grain->is_any);
    }
    stream_f32s(s, extras->shares.mass, 2);
    stream_f32s(s, extras->shares.inertia, 2);
    stream_bool(s, &extras->has_shares);
}

// Without a load the other numbers were never set.
TNI_KERNEL void contacts_visit_lost(tni_stream *s, tni_contact_lost *lost) {
    stream_f32(s, &lost->load);
    if (lost->load != 0.0f) {
        stream_vec3(s, &lost->normal);
        stream_vec3(s, &lost->moment);
        stream_vec3(s, &lost->friction);
    }
}

TNI_KERNEL void contacts_visit_memory(tni_stream *s, tni_contact_memory *memory) {
    stream_vec3(s, &memory->position);
    stream_versors(s, &memory->rotation);
    stream_f32(s, &memory->most_way2);
    stream_f32(s, &memory->most_turn2);
    stream_f32(s, &memory->margin);
    stream_vec3(s, &memory->normal);
    stream_u32s(s, memory->features, TNI_MANIFOLD_MAX_POINTS);
    stream_f32s(s, &memory->anchor_a[0][0], (size_t)3 * TNI_MANIFOLD_MAX_POINTS);
    stream_f32s(s, &memory->anchor_b[0][0], (size_t)3 * TNI_MANIFOLD_MAX_POINTS);
    stream_u32(s, &memory->point_count);
}

TNI_KERNEL void contacts_visit_walk(tni_stream *s, tni_contact_memory *memory) {
    stream_vec3(s, &memory->offset);
    stream_f32(s, &memory->time);
    stream_f32(s, &memory->blow);
    stream_f32s(s, memory->gaps, TNI_MANIFOLD_MAX_POINTS);
}

// A contact sets the parts of its memory that it uses. The rest is zero after a load, since the
// contact may come to use it without a step.
TNI_KERNEL void contacts_visit_memories(tni_stream *s, const tni_contact *contact,
                                        tni_contact_memory *memory) {
    if (s->mode == TNI_STREAM_LOADS) {
        memset(memory, 0, sizeof *memory);
    }
    contacts_visit_lost(s, &memory->lost);
    if (contact->is_remembered) {
        contacts_visit_memory(s, memory);
    }
    if (contact->is_walked) {
        contacts_visit_walk(s, memory);
    }
    if (contact->follows != TNI_FOLLOWS_NOTHING) {
        stream_bool(s, &memory->looks);
    }
    if (contact->has_extras) {
        contacts_visit_extras(s, &memory->extras);
    }
}

TNI_KERNEL void contacts_visit_bits(tni_stream *s, tni_contact *contact) {
    stream_bool(s, &contact->is_touching);
    stream_bool(s, &contact->was_touching);
    stream_bool(s, &contact->is_disabled);
    stream_bool(s, &contact->may_wake);
    stream_bool(s, &contact->is_remembered);
    stream_bool(s, &contact->is_walked);
    stream_bool(s, &contact->is_confirmed);
    stream_u8(s, &contact->follows);
    stream_bool(s, &contact->has_pre_solve);
    stream_bool(s, &contact->is_soft);
    stream_bool(s, &contact->has_extras);
    stream_bool(s, &contact->has_part);
    stream_bool(s, &contact->slides);
}

TNI_KERNEL void contacts_visit_impulses(tni_stream *s, tni_contact *contact) {
    stream_f32s(s, contact->normal_impulses, TNI_MANIFOLD_MAX_POINTS);
    stream_f32s(s, contact->step_impulses, TNI_MANIFOLD_MAX_POINTS);
    stream_vec3(s, &contact->friction_impulse);
    stream_vec3(s, &contact->rolling_impulse);
    stream_vec3(s, &contact->step_friction_impulse);
    stream_f32(s, &contact->borne);
    stream_f32(s, &contact->lift);
    stream_vec3(s, &contact->slip);
}

// Most contacts of a heap have never borne anything: what is zero in them is left out. Snapshots of
// the first three versions have everything.
typedef enum contacts_part {
    CONTACTS_PLACE = 1,
    CONTACTS_IMPULSES = 2,
    CONTACTS_ALL = 3,
} contacts_part;

#define CONTACTS_ALL_VERSION 3u

#define CONTACTS_IMPULSE_BYTES                                                                     \
    (offsetof(tni_contact, slip) + sizeof(vec3s) - offsetof(tni_contact, normal_impulses))

// Returns whether all bytes are 0. The size is a multiple of 4.
TNI_KERNEL bool contacts_is_zero(const void *numbers, size_t size) {
    const unsigned char *bytes = numbers;
    uint32_t any = 0;
    for (size_t i = 0; i < size; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, sizeof word);
        any |= word;
    }
    return any == 0;
}

TNI_KERNEL uint8_t contacts_find_parts(const tni_contact *contact) {
    const tni_manifold *manifold = &contact->manifold;
    bool has_place = manifold->point_count != 0 ||
                     !contacts_is_zero(&contact->origin, sizeof contact->origin) ||
                     !contacts_is_zero(&manifold->normal, sizeof manifold->normal);
    bool has_impulses = !contacts_is_zero(contact->normal_impulses, CONTACTS_IMPULSE_BYTES);
    return (uint8_t)((has_place ? CONTACTS_PLACE : 0) | (has_impulses ? CONTACTS_IMPULSES : 0));
}

TNI_KERNEL void contacts_visit_parts(tni_stream *s, tni_contact *contact) {
    uint8_t parts = CONTACTS_ALL;
    if (s->mode != TNI_STREAM_LOADS) {
        parts = contacts_find_parts(contact);
    }
    if (s->mode != TNI_STREAM_LOADS || s->version > CONTACTS_ALL_VERSION) {
        stream_u8(s, &parts);
    }
    tni_stream_expect(s, parts <= CONTACTS_ALL);
    if ((parts & CONTACTS_PLACE) != 0) {
        stream_dvec3(s, &contact->origin);
        contacts_visit_manifold(s, &contact->manifold);
    } else if (s->mode == TNI_STREAM_LOADS) {
        contact->origin = (tni_dvec3){0.0, 0.0, 0.0};
        contact->manifold.normal = (vec3s){{0.0f, 0.0f, 0.0f}};
        contact->manifold.point_count = 0;
    }
    if ((parts & CONTACTS_IMPULSES) != 0) {
        contacts_visit_impulses(s, contact);
    } else if (s->mode == TNI_STREAM_LOADS) {
        memset(contact->normal_impulses, 0, CONTACTS_IMPULSE_BYTES);
    }
}

// The records of a contact in a world.
typedef struct contacts_records {
    tni_contact *contact;
    tni_contact_memory *memory;
    tni_contact_edge *edges; // two
} contacts_records;

TNI_KERNEL void contacts_visit(tni_stream *s, void *record) {
    const contacts_records *all = record;
    tni_contact *contact = all->contact;
    stream_u32(s, &contact->handle);
    stream_u32(s, &contact->shape_a);
    stream_u32(s, &contact->shape_b);
    stream_u32(s, &contact->body_a);
    stream_u32(s, &contact->body_b);
    stream_u32(s, &contact->awake_index);
    stream_u16(s, &contact->cache.axis_kind);
    stream_u16(s, &contact->cache.index_a);
    stream_u16(s, &contact->cache.index_b);
    stream_u16(s, &contact->sweeps);
    contacts_visit_bits(s, contact);
    stream_f32(s, &contact->friction);
    stream_f32(s, &contact->static_friction);
    stream_f32(s, &contact->restitution);
    stream_f32(s, &contact->rolling_resistance);
    stream_f32(s, &contact->twisting_resistance);
    contacts_visit_parts(s, contact);
    contacts_visit_memories(s, contact, all->memory);
    for (int e = 0; e < 2; ++e) {
        stream_u32(s, &all->edges[e].previous);
        stream_u32(s, &all->edges[e].next);
    }
}

static bool contacts_are_sound(const tni_snapshot *snapshot, uint32_t index,
                               const tni_contact *contact) {
    const tni_pool *pools = snapshot->pools;
    return contact->handle == tni_pool_handle(&pools[TNI_SNAPSHOT_CONTACTS], index) &&
           tni_pool_handle(&pools[TNI_SNAPSHOT_SHAPES], contact->shape_a) != 0 &&
           tni_pool_handle(&pools[TNI_SNAPSHOT_SHAPES], contact->shape_b) != 0 &&
           tni_pool_handle(&pools[TNI_SNAPSHOT_BODIES], contact->body_a) != 0 &&
           tni_pool_handle(&pools[TNI_SNAPSHOT_BODIES], contact->body_b) != 0 &&
           contact->shape_a < contact->shape_b && contact->follows <= TNI_FOLLOWS_PLANE &&
           contact->sweeps <= TNI_CONTACT_SWEEPS_MOST &&
           contact->manifold.point_count <= TNI_MANIFOLD_MAX_POINTS &&
           (contact->awake_index == TNI_NONE ||
            contact->awake_index < pools[TNI_SNAPSHOT_CONTACTS].live_count);
}

static bool contacts_reserve(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_CONTACTS];
    tni_awake_contact_list *list = &world->awake_contacts;
    tni_awake_contact *items = tni_array_grow(&world->allocator, list->items, list->count,
                                              &list->capacity, pool->live_count, sizeof *items);
    list->items = items != NULL ? items : list->items;
    return (items != NULL || pool->live_count == 0) &&
           tni_pages_reserve(&world->contacts, pool->slot_count) &&
           tni_pages_reserve(&world->contact_memories, pool->slot_count) &&
           tni_pages_reserve(&world->contact_edges, pool->slot_count) &&
           tni_map_reserve(&world->pairs, pool->live_count) &&
           (world->features.parts == NULL ||
            tni_map_reserve(&world->part_touches, pool->live_count));
}

static bool contacts_edge_is_sound(const tni_snapshot *snapshot, const tni_contact_edge *edge) {
    uint32_t before = edge->previous, after = edge->next;
    return tni_snapshot_names(snapshot, TNI_SNAPSHOT_CONTACTS,
                              before != TNI_NONE ? before >> 1 : before) &&
           tni_snapshot_names(snapshot, TNI_SNAPSHOT_CONTACTS,
                              after != TNI_NONE ? after >> 1 : after);
}

// Reads a contact into scratch memory.
static void contacts_read(tni_stream *s, tni_contact *contact, tni_contact_memory *memory,
                          tni_contact_edge edges[2]) {
    *contact = (tni_contact){.handle = 0};
    *memory = (tni_contact_memory){.point_count = 0};
    edges[0] = edges[1] = (tni_contact_edge){TNI_NONE, TNI_NONE};
    contacts_records records = {contact, memory, edges};
    tni_stream_record(s, &records, contacts_visit);
}

static void contacts_check(tni_snapshot *snapshot, uint32_t index) {
    tni_contact contact;
    tni_contact_memory memory;
    tni_contact_edge edges[2];
    contacts_read(&snapshot->stream, &contact, &memory, edges);
    snapshot->links.items[TNI_SNAPSHOT_CONTACTS][index] = (tni_snapshot_link){
        .bodies = {contact.body_a, contact.body_b},
        .heads = {contact.shape_a, contact.shape_b},
        .previous = {edges[0].previous, edges[1].previous},
        .next = {edges[0].next, edges[1].next},
        .places = {[TNI_SNAPSHOT_AWAKE] = contact.awake_index},
        .has_part = contact.has_part,
    };
    tni_stream_expect(&snapshot->stream, contacts_edge_is_sound(snapshot, &edges[0]) &&
                                             contacts_edge_is_sound(snapshot, &edges[1]) &&
                                             contacts_are_sound(snapshot, index, &contact) &&
                                             memory.point_count <= TNI_MANIFOLD_MAX_POINTS);
}

void tni_snapshot_read_contacts(tni_snapshot *snapshot, tni_snapshot_contact_fn take,
                                void *context) {
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_CONTACTS];
    snapshot->stream.at = snapshot->sections_at[TNI_SNAPSHOT_CONTACT_SECTION];
    for (uint32_t i = 0; i < pool->slot_count; ++i) {
        if (tni_pool_handle(pool, i) == 0) {
            continue;
        }
        tni_contact saved;
        tni_contact_memory memory;
        tni_contact_edge edges[2];
        contacts_read(&snapshot->stream, &saved, &memory, edges);
        take(context, i, &saved);
    }
}

bool tni_snapshot_visit_contacts(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    tni_stream *s = &snapshot->stream;
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_CONTACTS];
    for (uint32_t i = 0; i < pool->slot_count && !s->is_damaged; ++i) {
        if (tni_pool_handle(pool, i) == 0) {
            continue;
        }
        if (snapshot->checks) {
            contacts_check(snapshot, i);
            continue;
        }
        contacts_records records = {tni_contact_at(world, i), tni_contact_memory_at(world, i),
                                    tni_contact_edge_at(world, 2 * i)};
        tni_stream_record(s, &records, contacts_visit);
    }
    return !snapshot->checks || s->is_damaged || contacts_reserve(snapshot);
}
