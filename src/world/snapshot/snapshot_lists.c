// world/snapshot/snapshot_lists.c: a world's pools, its lists in their order, and what follows from
// them.
// Test: tests/world/snapshot/test_snapshot.c
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/parts.h"
#include "world/snapshot/snapshot.h"
#include "world/step/step_internal.h"

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
    return live == pool->live_count && live + pool->free_count == pool->slot_count &&
           last == pool->free_tail && free == TNI_POOL_NONE;
}

// Reads a pool into memory of its own. Returns false without memory.
static bool lists_check_pool(tni_snapshot *snapshot, uint32_t kind) {
    tni_stream *s = &snapshot->stream;
    const tni_pool *world_pool = tni_snapshot_get_pool(snapshot->world, kind);
    tni_pool *pool = &snapshot->pools[kind];
    tni_pool_init(pool, world_pool->allocator, world_pool->first_generation);
    lists_visit_counts(s, pool);
    bool is_one = pool->first_generation >= 1 && pool->first_generation <= TNI_POOL_LAST_GENERATION;
    pool->first_generation = is_one ? pool->first_generation : world_pool->first_generation;
    bool is_there = tni_stream_expect(s, is_one && pool->slot_count <= TNI_POOL_MAX_SLOTS &&
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
    tni_stream_expect(s, !s->is_damaged && lists_pool_is_sound(pool));
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
    return !snapshot->checks || s->is_damaged || tni_snapshot_reserve_links(snapshot);
}

// ---- lists of indices ---------------------------------------------------------------------------

// A list of objects of a kind (TNI_SNAPSHOT_KINDS: of numbers), which may know their places in it
// (TNI_SNAPSHOT_PLACES: they do not). Numbers with a place are the keys of awake bodies.
typedef struct lists_list {
    tni_index_list *list;
    uint32_t kind;
    tni_snapshot_place place;
} lists_list;

static bool lists_is_of_parts(const tni_snapshot *snapshot, const lists_list *of) {
    return of->list == &snapshot->world->parts || of->list == &snapshot->world->free_parts;
}

// A part stands in a list of parts once; in that of free ones if it is not in use.
static bool lists_part_is_sound(const tni_snapshot *snapshot, const lists_list *of, uint32_t item) {
    if (tni_pool_handle(&snapshot->pools[TNI_SNAPSHOT_SHAPES], item) == 0) {
        return false;
    }
    tni_snapshot_link *link = &snapshot->links.items[TNI_SNAPSHOT_SHAPES][item];
    bool is_of_free = of->list == &snapshot->world->free_parts;
    bool *is_known = is_of_free ? &link->is_spare : &link->is_listed;
    bool is_new = link->is_part && !*is_known && (!is_of_free || link->bodies[0] == TNI_NONE);
    *is_known = true;
    return is_new;
}

// Checks an element, which stands at this place.
static bool lists_is_sound(const tni_snapshot *snapshot, const lists_list *of, uint32_t item,
                           uint32_t at) {
    if (of->kind == TNI_SNAPSHOT_KINDS) {
        return of->place == TNI_SNAPSHOT_PLACES || item < TNI_SPACE_KEYS;
    }
    if (lists_is_of_parts(snapshot, of)) {
        return lists_part_is_sound(snapshot, of, item);
    }
    return of->place == TNI_SNAPSHOT_PLACES
               ? tni_pool_handle(&snapshot->pools[of->kind], item) != 0
               : tni_snapshot_is_place(snapshot, of->kind, item, of->place, at);
}

static bool lists_is_whole(const tni_snapshot *snapshot, const lists_list *of, uint32_t count) {
    if (lists_is_of_parts(snapshot, of)) {
        bool are_free = of->list == &snapshot->world->free_parts;
        return count == tni_snapshot_count_parts(snapshot, are_free);
    }
    uint32_t kind = of->kind == TNI_SNAPSHOT_KINDS ? TNI_SNAPSHOT_BODIES : of->kind;
    return of->place == TNI_SNAPSHOT_PLACES ||
           tni_snapshot_count_places(snapshot, kind, of->place) == count;
}

// Visits a list. A check makes room.
static bool lists_visit(tni_snapshot *snapshot, const lists_list *of) {
    tni_index_list *list = of->list;
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
        if (!tni_stream_expect(s, lists_is_sound(snapshot, of, item, i))) {
            return true;
        }
    }
    tni_stream_expect(s, lists_is_whole(snapshot, of, count));
    return s->is_damaged || tni_index_list_reserve(&snapshot->world->allocator, list, count);
}

static bool lists_visit_indices(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    const tni_snapshot_place none = TNI_SNAPSHOT_PLACES;
    const lists_list lists[] = {
        {&world->awake_bodies, TNI_SNAPSHOT_BODIES, TNI_SNAPSHOT_AWAKE},
        {&world->space_keys, TNI_SNAPSHOT_KINDS, TNI_SNAPSHOT_AWAKE},
        {&world->awake_joints, TNI_SNAPSHOT_JOINTS, TNI_SNAPSHOT_AWAKE},
        {&world->function_joints, TNI_SNAPSHOT_JOINTS, TNI_SNAPSHOT_MADE},
        {&world->force_list, TNI_SNAPSHOT_FORCES, TNI_SNAPSHOT_MADE},
        {&world->reduced_list, TNI_SNAPSHOT_REDUCED, TNI_SNAPSHOT_MADE},
        {&world->move_list, TNI_SNAPSHOT_SHAPES, TNI_SNAPSHOT_MOVED},
        {&world->half_spaces, TNI_SNAPSHOT_SHAPES, TNI_SNAPSHOT_PLANE},
        {&world->parts, TNI_SNAPSHOT_SHAPES, none},
        {&world->free_parts, TNI_SNAPSHOT_SHAPES, none},
        {&world->sensing.sensors, TNI_SNAPSHOT_SHAPES, TNI_SNAPSHOT_SENSOR},
        {&world->sensing.planes, TNI_SNAPSHOT_SHAPES, TNI_SNAPSHOT_SENSED},
        {&world->sensing.changes, TNI_SNAPSHOT_KINDS, none},
        {&world->events.sleep_notes, TNI_SNAPSHOT_BODIES, TNI_SNAPSHOT_NOTED},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        if (!lists_visit(snapshot, &lists[i])) {
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
    // Checks an element that was read, which stands at this place, behind another one; or null.
    bool (*is_sound)(const tni_snapshot *snapshot, const void *element, const void *before,
                     uint32_t at);
    bool has_awake; // it has all contacts that are awake
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
    _Alignas(16) unsigned char own[2][LISTS_MOST_BYTES] = {{0}};
    TN_ASSERT(array->size <= LISTS_MOST_BYTES);
    for (uint32_t i = 0; i < count && has_room && !s->is_damaged; ++i) {
        array->visit(s, snapshot->checks ? own[i & 1] : items + (size_t)i * array->size);
        tni_stream_expect(s, !snapshot->checks || array->is_sound == NULL || s->is_damaged ||
                                 array->is_sound(snapshot, own[i & 1], own[~i & 1], i));
    }
    if (snapshot->checks && array->has_awake) {
        tni_stream_expect(s, tni_snapshot_count_places(snapshot, TNI_SNAPSHOT_CONTACTS,
                                                       TNI_SNAPSHOT_AWAKE) == count);
    }
    if (s->mode == TNI_STREAM_LOADS && !snapshot->checks) {
        *array->count = count;
    }
    if (snapshot->checks && array->count == &snapshot->world->exceptions.count) {
        snapshot->exception_count = count;
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

static bool lists_awake_contact_is_sound(const tni_snapshot *snapshot, const void *element,
                                         const void *before, uint32_t at) {
    const tni_awake_contact *awake = element;
    (void)before;
    if (!tni_snapshot_is_place(snapshot, TNI_SNAPSHOT_CONTACTS, awake->contact, TNI_SNAPSHOT_AWAKE,
                               at)) {
        return false;
    }
    const tni_snapshot_link *link = &snapshot->links.items[TNI_SNAPSHOT_CONTACTS][awake->contact];
    return link->heads[0] == awake->shape_a && link->heads[1] == awake->shape_b;
}

static void lists_visit_overlap(tni_stream *s, void *element) {
    stream_u64(s, element);
}

// The keys ascend.
static bool lists_overlap_is_sound(const tni_snapshot *snapshot, const void *element,
                                   const void *before, uint32_t at) {
    uint64_t key = *(const uint64_t *)element;
    (void)snapshot;
    return key < UINT64_MAX && (at == 0 || key > *(const uint64_t *)before);
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

// A shape that is an area has its numbers once. (It may be solid by now.)
static bool lists_area_is_sound(const tni_snapshot *snapshot, const void *element,
                                const void *before, uint32_t at) {
    (void)before;
    (void)at;
    uint32_t shape = ((const tni_area *)element)->shape;
    if (tni_pool_handle(&snapshot->pools[TNI_SNAPSHOT_SHAPES], shape) == 0) {
        return false;
    }
    tni_snapshot_link *link = &snapshot->links.items[TNI_SNAPSHOT_SHAPES][shape];
    bool is_area = link->is_area;
    link->is_area = false;
    return is_area;
}

static void lists_visit_exception(tni_stream *s, void *element) {
    tni_pair_exception *pair = element;
    stream_u32(s, &pair->body_a);
    stream_u32(s, &pair->body_b);
}

static bool lists_exception_is_sound(const tni_snapshot *snapshot, const void *element,
                                     const void *before, uint32_t at) {
    const tni_pair_exception *pair = element;
    (void)snapshot;
    (void)before;
    (void)at;
    return ((pair->body_a ^ pair->body_b) & TNI_POOL_INDEX_MASK) != 0;
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
    int reason = stream_choice(s, (int)choice->choice.reason, TN_MECHANISM_REASON_FAILED);
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

#define LISTS_ARRAY(owner, items, count, capacity, visit, spare, is_sound)                         \
    {                                                                                              \
        &(owner)->items, &(owner)->count, &(owner)->capacity, (uint32_t)sizeof *(owner)->items,    \
            visit, spare, is_sound, (is_sound) == lists_awake_contact_is_sound                     \
    }

bool tni_snapshot_visit_lists(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    tni_stream *s = &snapshot->stream;
    tni_sensing *sensing = &world->sensing;
    const lists_array arrays[] = {
        LISTS_ARRAY(&world->awake_contacts, items, count, capacity, lists_visit_awake_contact, 0,
                    lists_awake_contact_is_sound),
        LISTS_ARRAY(sensing, overlaps, overlap_count, overlap_capacity, lists_visit_overlap, 0,
                    lists_overlap_is_sound),
        LISTS_ARRAY(sensing, areas, area_count, area_capacity, lists_visit_area, 0,
                    lists_area_is_sound),
        LISTS_ARRAY(&world->exceptions, items, count, capacity, lists_visit_exception, 0,
                    lists_exception_is_sound),
        // Every contact may end before the next step.
        LISTS_ARRAY(&world->events, pending_ends, pending_end_count, pending_end_capacity,
                    lists_visit_end, snapshot->pools[TNI_SNAPSHOT_CONTACTS].live_count, NULL),
        LISTS_ARRAY(world, choices, choice_count, choice_capacity, lists_visit_choice, 0, NULL),
    };
    uint32_t look = sensing->look;
    stream_u32(s, &look);
    bool is_missed = stream_bit(s, sensing->is_missed);
    if (s->mode == TNI_STREAM_LOADS && !snapshot->checks) {
        sensing->look = look;
        sensing->is_missed = is_missed;
    }
    bool has_room = lists_visit_indices(snapshot);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && has_room && !s->is_damaged; ++i) {
        has_room = lists_visit_array(snapshot, &arrays[i]);
    }
    return has_room && (!snapshot->checks || s->is_damaged ||
                        tni_map_reserve(&world->exceptions.places, snapshot->exception_count));
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
