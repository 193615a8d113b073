// world/snapshot/snapshot_lists.c: a world's pools, its lists in their order, and what follows from
// them.
// Test: tests/world/snapshot/test_snapshot.c
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/parts.h"
#include "world/snapshot/snapshot.h"

// ---- pools --------------------------------------------------------------------------------------

tni_pool *tni_snapshot_get_pool(tn_world *world, uint32_t kind) {
    tni_pool *const pools[TNI_SNAPSHOT_KINDS] = {
        [TNI_SNAPSHOT_BODIES] = &world->body_pool,
        [TNI_SNAPSHOT_SHAPES] = &world->shape_pool,
        [TNI_SNAPSHOT_CONTACTS] = &world->contact_pool,
        [TNI_SNAPSHOT_JOINTS] = &world->joint_pool,
        [TNI_SNAPSHOT_FORCES] = &world->force_pool,
        [TNI_SNAPSHOT_REDUCED] = &world->reduced_pool,
    };
    return pools[kind];
}

#define LISTS_SLOT_BYTES 7u

TNI_KERNEL void lists_visit_slot(tni_stream *s, void *record) {
    tni_slot *slot = record;
    stream_u32(s, &slot->next_free);
    stream_u16(s, &slot->generation);
    stream_bool(s, &slot->is_live);
}

static void lists_visit_slots(tni_stream *s, tni_pool *pool) {
    for (uint32_t i = 0; i < pool->slot_count && !s->is_damaged; ++i) {
        tni_stream_record(s, &pool->slots[i], lists_visit_slot);
    }
}

// Snapshots before this version lack the first generations: the world that loads keeps its own.
#define LISTS_GENERATION_VERSION 4u

static void lists_visit_counts(tni_stream *s, tni_pool *pool) {
    stream_u32(s, &pool->slot_count);
    stream_u32(s, &pool->live_count);
    stream_u32(s, &pool->free_head);
    stream_u32(s, &pool->free_tail);
    stream_u32(s, &pool->free_count);
    if (!tni_stream_is_reading(s) || s->version >= LISTS_GENERATION_VERSION) {
        stream_u16(s, &pool->first_generation);
    }
}

// Every slot is live or stands in the queue of free ones, once.
static bool lists_pool_is_sound(const tni_pool *pool) {
    uint32_t live = 0, last = TNI_POOL_NONE, free = pool->free_head;
    for (uint32_t i = 0; i < pool->slot_count; ++i) {
        const tni_slot *slot = &pool->slots[i];
        live += slot->is_live ? 1 : 0;
        if (slot->generation < 1 || slot->generation > TNI_POOL_LAST_GENERATION) {
            return false;
        }
    }
    for (uint32_t i = 0; i < pool->free_count; ++i) {
        if (free >= pool->slot_count || pool->slots[free].is_live) {
            return false;
        }
        last = free;
        free = pool->slots[free].next_free;
    }
    return pool->first_generation >= 1 && pool->first_generation <= TNI_POOL_LAST_GENERATION &&
           live == pool->live_count && live + pool->free_count == pool->slot_count &&
           last == pool->free_tail && free == TNI_POOL_NONE;
}

// Reads a pool into memory of its own. Returns false without memory.
static bool lists_check_pool(tni_snapshot *snapshot, uint32_t kind) {
    tni_stream *s = &snapshot->stream;
    const tni_pool *world_pool = tni_snapshot_get_pool(snapshot->world, kind);
    tni_pool *pool = &snapshot->pools[kind];
    tni_pool_init(pool, world_pool->allocator, world_pool->first_generation);
    lists_visit_counts(s, pool);
    bool is_there = tni_stream_expect(s, pool->slot_count <= TNI_POOL_MAX_SLOTS &&
                                             tni_stream_has(s, pool->slot_count, LISTS_SLOT_BYTES));
    uint32_t count = is_there ? pool->slot_count : 0;
    pool->slot_count = count;
    pool->slots = tni_alloc(pool->allocator, count * sizeof *pool->slots);
    pool->slot_capacity = pool->slots != NULL ? count : 0;
    if (pool->slots == NULL && count > 0) {
        pool->slot_count = 0;
        return false;
    }
    lists_visit_slots(s, pool);
    tni_stream_expect(s, lists_pool_is_sound(pool));
    return true;
}

bool tni_snapshot_visit_pools(tni_snapshot *snapshot) {
    tni_stream *s = &snapshot->stream;
    for (uint32_t kind = 0; kind < TNI_SNAPSHOT_KINDS && !s->is_damaged; ++kind) {
        if (snapshot->checks && !lists_check_pool(snapshot, kind)) {
            return false;
        }
        if (!snapshot->checks) { // a load has them from the check
            tni_pool counts = snapshot->pools[kind];
            lists_visit_counts(s, &counts);
            if (s->mode == TNI_STREAM_LOADS) {
                s->at += (uint64_t)counts.slot_count * LISTS_SLOT_BYTES;
            } else {
                lists_visit_slots(s, &counts);
            }
        }
    }
    return true;
}

// ---- lists of indices ---------------------------------------------------------------------------

// Visits a list of objects of a kind (TNI_SNAPSHOT_KINDS: of any numbers). A check makes room.
static bool lists_visit(tni_snapshot *snapshot, tni_index_list *list, uint32_t kind) {
    tni_stream *s = &snapshot->stream;
    uint32_t count = list->count;
    stream_u32(s, &count);
    if (!tni_stream_is_reading(s)) {
        stream_u32s(s, list->items, count);
        return true;
    }
    if (!tni_stream_expect(s, tni_stream_has(s, count, 4))) {
        return true;
    }
    if (!snapshot->checks) {
        list->count = count;
        stream_u32s(s, list->items, count);
        return true;
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t item = TNI_NONE;
        stream_u32(s, &item);
        bool is_sound =
            kind == TNI_SNAPSHOT_KINDS || tni_pool_handle(&snapshot->pools[kind], item) != 0;
        if (!tni_stream_expect(s, is_sound)) {
            return true;
        }
    }
    return tni_index_list_reserve(&snapshot->world->allocator, list, count);
}

static bool lists_visit_indices(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    struct {
        tni_index_list *list;
        uint32_t kind;
    } lists[] = {
        {&world->awake_bodies, TNI_SNAPSHOT_BODIES},
        {&world->space_keys, TNI_SNAPSHOT_KINDS},
        {&world->awake_joints, TNI_SNAPSHOT_JOINTS},
        {&world->function_joints, TNI_SNAPSHOT_JOINTS},
        {&world->force_list, TNI_SNAPSHOT_FORCES},
        {&world->reduced_list, TNI_SNAPSHOT_REDUCED},
        {&world->move_list, TNI_SNAPSHOT_SHAPES},
        {&world->half_spaces, TNI_SNAPSHOT_SHAPES},
        {&world->parts, TNI_SNAPSHOT_SHAPES},
        {&world->free_parts, TNI_SNAPSHOT_SHAPES},
        {&world->sensing.sensors, TNI_SNAPSHOT_SHAPES},
        {&world->sensing.planes, TNI_SNAPSHOT_SHAPES},
        {&world->sensing.changes, TNI_SNAPSHOT_KINDS},
        {&world->events.sleep_notes, TNI_SNAPSHOT_BODIES},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        if (!lists_visit(snapshot, lists[i].list, lists[i].kind)) {
            return false;
        }
    }
    tni_index_list *free_parts = &world->free_parts; // it has room for all parts
    return !snapshot->checks || tni_index_list_reserve(&world->allocator, free_parts,
                                                       world->parts.count + snapshot->needed_parts);
}

// ---- other arrays -------------------------------------------------------------------------------

// An array that grows. `slot` is where its pointer is.
typedef struct lists_array {
    void *slot;
    uint32_t *count, *capacity;
    uint32_t size; // of an element
    void (*visit)(tni_stream *s, void *element);
    uint32_t spare; // elements that it must have room for, beside those that it has
} lists_array;

// A check reads elements of at most this size.
#define LISTS_MOST_BYTES 512

static bool lists_visit_array(tni_snapshot *snapshot, const lists_array *array) {
    tni_stream *s = &snapshot->stream;
    unsigned char *items;
    memcpy(&items, array->slot, sizeof items);
    uint32_t count = *array->count;
    stream_u32(s, &count);
    bool has_room = true;
    if (snapshot->checks && tni_stream_expect(s, tni_stream_has(s, count, 1))) {
        void *grown = tni_array_grow(&snapshot->world->allocator, items, *array->count,
                                     array->capacity, count + array->spare, array->size);
        has_room = grown != NULL || count + array->spare == 0;
        items = grown != NULL ? grown : items;
        memcpy(array->slot, &items, sizeof items);
    }
    for (uint32_t i = 0; i < count && has_room && !s->is_damaged; ++i) {
        _Alignas(16) unsigned char own[LISTS_MOST_BYTES] = {0};
        TN_ASSERT(array->size <= sizeof own);
        array->visit(s, snapshot->checks ? own : items + (size_t)i * array->size);
    }
    if (s->mode == TNI_STREAM_LOADS && !snapshot->checks) {
        *array->count = count;
    }
    return has_room;
}

TNI_KERNEL void lists_visit_awake_contact(tni_stream *s, void *element) {
    tni_awake_contact *awake = element;
    stream_u32(s, &awake->contact);
    stream_u32(s, &awake->shape_a);
    stream_u32(s, &awake->shape_b);
    stream_bool(s, &awake->has_points);
    stream_bool(s, &awake->has_static);
    stream_bool(s, &awake->is_quiet);
    stream_bool(s, &awake->has_news);
    stream_bool(s, &awake->is_apart);
    stream_bool(s, &awake->has_plane);
    stream_bool(s, &awake->is_near);
}

static void lists_visit_overlap(tni_stream *s, void *element) {
    stream_u64(s, element);
}

static void lists_visit_area(tni_stream *s, void *element) {
    tni_area *area = element;
    stream_u32(s, &area->shape);
    int mode = stream_choice(s, (int)area->numbers.gravity_mode, TN_AREA_GRAVITY_REPLACE);
    if (s->mode == TNI_STREAM_LOADS) {
        area->numbers.gravity_mode = (tn_area_gravity)mode;
    }
    stream_plain(s, &area->numbers.gravity);
    stream_f32(s, &area->numbers.linear_damping);
    stream_f32(s, &area->numbers.angular_damping);
    stream_plain(s, &area->numbers.wind);
    stream_f32(s, &area->numbers.wind_drag);
    stream_i32(s, &area->numbers.priority);
}

static void lists_visit_exception(tni_stream *s, void *element) {
    tni_pair_exception *pair = element;
    stream_u32(s, &pair->body_a);
    stream_u32(s, &pair->body_b);
}

static void lists_visit_end(tni_stream *s, void *element) {
    tn_contact_event *event = element;
    stream_u32(s, &event->shape_a.value);
    stream_u32(s, &event->shape_b.value);
    stream_u32(s, &event->contact.value);
}

static void lists_visit_choice(tni_stream *s, void *element) {
    tni_mechanism_choice *choice = element;
    int method = stream_choice(s, (int)choice->choice.method, TNI_CHOICE_CG);
    int32_t reason = (int32_t)choice->choice.reason;
    stream_i32(s, &reason);
    if (s->mode == TNI_STREAM_LOADS) {
        choice->choice.method = (tni_choice_method)method;
        choice->choice.reason = (tn_mechanism_reason)reason;
    }
    stream_bool(s, &choice->is_seen);
    stream_bool(s, &choice->has_ties);
    stream_bool(s, &choice->is_loaded);
    stream_bool(s, &choice->is_held);
    stream_bool(s, &choice->is_net);
    stream_bool(s, &choice->is_pressed);
    stream_f64(s, &choice->pressed_down);
    stream_bool(s, &choice->presses);
    stream_bool(s, &choice->is_hung_few);
    stream_bool(s, &choice->strikes);
    stream_bool(s, &choice->whips);
    stream_u32(s, &choice->open_steps);
    stream_u32(s, &choice->rows);
}

#define LISTS_ARRAY(owner, items, count, capacity, visit)                                          \
    LISTS_ARRAY_WITH_SPARE(owner, items, count, capacity, visit, 0)
#define LISTS_ARRAY_WITH_SPARE(owner, items, count, capacity, visit, spare)                        \
    {                                                                                              \
        &(owner)->items, &(owner)->count, &(owner)->capacity, (uint32_t)sizeof *(owner)->items,    \
            visit, spare                                                                           \
    }

bool tni_snapshot_visit_lists(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    tni_stream *s = &snapshot->stream;
    tni_sensing *sensing = &world->sensing;
    const lists_array arrays[] = {
        LISTS_ARRAY(&world->awake_contacts, items, count, capacity, lists_visit_awake_contact),
        LISTS_ARRAY(sensing, overlaps, overlap_count, overlap_capacity, lists_visit_overlap),
        LISTS_ARRAY(sensing, areas, area_count, area_capacity, lists_visit_area),
        LISTS_ARRAY(&world->exceptions, items, count, capacity, lists_visit_exception),
        // Every contact may end before the next step.
        LISTS_ARRAY_WITH_SPARE(&world->events, pending_ends, pending_end_count,
                               pending_end_capacity, lists_visit_end,
                               snapshot->pools[TNI_SNAPSHOT_CONTACTS].live_count),
        LISTS_ARRAY(world, choices, choice_count, choice_capacity, lists_visit_choice),
    };
    uint32_t look = sensing->look;
    stream_u32(s, &look);
    bool is_missed = stream_bit(s, sensing->is_missed);
    if (s->mode == TNI_STREAM_LOADS && !snapshot->checks) {
        sensing->look = look;
        sensing->is_missed = is_missed;
    }
    bool has_room = lists_visit_indices(snapshot);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && has_room; ++i) {
        has_room = lists_visit_array(snapshot, &arrays[i]);
    }
    return has_room;
}

// ---- afterwards ---------------------------------------------------------------------------------

static void lists_clear_events(tni_event_lists *events) {
    events->begin_count = events->end_count = events->hit_count = events->joint_break_count = 0;
    events->move_count = events->sleep_count = events->joint_limit_count = 0;
    events->sensor_begin_count = events->sensor_end_count = events->persist_count = 0;
}

// Maps have no order, so they are made anew.
static void lists_make_maps(tn_world *world) {
    tni_map_clear(&world->pairs);
    tni_map_clear(&world->part_touches);
    for (uint32_t i = 0; i < world->contact_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->contact_pool, i) == 0) {
            continue;
        }
        const tni_contact *contact = tni_contact_at(world, i);
        tni_map_set(&world->pairs, tni_pair_key(contact->shape_a, contact->shape_b), i);
        if (world->features.parts != NULL && contact->is_touching) {
            world->features.parts->count_touch(world, contact, true);
        }
    }
    tni_pair_exceptions *exceptions = &world->exceptions;
    tni_map_clear(&exceptions->places);
    for (uint32_t i = 0; i < exceptions->count; ++i) {
        const tni_pair_exception *pair = &exceptions->items[i];
        tni_map_set(
            &exceptions->places,
            tni_pair_key(pair->body_a & TNI_POOL_INDEX_MASK, pair->body_b & TNI_POOL_INDEX_MASK),
            i);
    }
}

void tni_snapshot_finish_lists(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    lists_clear_events(&world->events);
    lists_make_maps(world);
    world->mechanism_count = world->gradients_count = world->told_choice_count = 0;
    world->is_joint_order_stale = true;
}
