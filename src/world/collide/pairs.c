// world/collide/pairs.c: finds which shapes come near each other.
//
// A search gathers candidate pairs as keys, sorts them, and then makes contacts, so that the order
// of contacts depends neither on the shape of the trees nor on the order of the move list, nor on
// who found them. Workers search for parts of the list, each into a room of its own, whose size
// earlier searches determine; a part that found too much is searched once more, when there is room
// for all. Contacts are made by one thread.
// Test: tests/world/collide/test_broad_phase.c, tests/threads/test_workers.c
#include <string.h>

#include "world/bodies.h"
#include "world/collide/narrow.h"
#include "world/contacts.h"
#include "world/parts.h"

// The number of shapes of the move list in one part of a search: some ten microseconds.
#define PAIRS_PART 16u
// Memory is fetched for this many pairs ahead.
#define PAIRS_AHEAD 8u

// ---- half-spaces ------------------------------------------------------------------------------

tni_plane_place tni_shape_get_plane(const tn_world *world, const tni_shape *half_space) {
    tni_dpose frame = tni_shape_get_frame(world, half_space);
    tni_dvec3 normal = dquat_rotate(frame.rotation, dvec3_make(0.0, 1.0, 0.0));
    return (tni_plane_place){.normal = normal, .point = frame.position};
}

double tni_plane_get_height(const tni_plane_place *plane, const tni_bounds *bounds) {
    tni_dvec3 n = plane->normal;
    tni_dvec3 corner = dvec3_make((double)(n.x > 0.0 ? bounds->lower.x : bounds->upper.x),
                                  (double)(n.y > 0.0 ? bounds->lower.y : bounds->upper.y),
                                  (double)(n.z > 0.0 ? bounds->lower.z : bounds->upper.z));
    return dvec3_dot(n, dvec3_sub(corner, plane->point));
}

// Returns whether the box's deepest corner reaches the plane, with its half of the margin.
static bool pairs_reaches_plane(const tn_world *world, const tni_plane_place *plane,
                                const tni_bounds *bounds) {
    return tni_plane_get_height(plane, bounds) <= 0.5 * (double)world->def.contact_margin;
}

// Returns whether two boxes overlap. For a half-space its plane counts, not its box.
static bool pairs_overlaps(const tn_world *world, const tni_shape *a, const tni_bounds *bounds_a,
                           const tni_shape *b, const tni_bounds *bounds_b) {
    if (a->geometry.type == TNI_GEOMETRY_HALF_SPACE) {
        tni_plane_place plane = tni_shape_get_plane(world, a);
        return pairs_reaches_plane(world, &plane, bounds_b);
    }
    if (b->geometry.type == TNI_GEOMETRY_HALF_SPACE) {
        tni_plane_place plane = tni_shape_get_plane(world, b);
        return pairs_reaches_plane(world, &plane, bounds_a);
    }
    return tni_bounds_overlap(bounds_a, bounds_b);
}

bool tni_shapes_are_near(const tn_world *world, uint32_t index_a, uint32_t index_b) {
    const tni_shape *a = tni_shape_at(world, index_a), *b = tni_shape_at(world, index_b);
    return pairs_overlaps(world, a, &tni_shape_boxes_at(world, index_a)->enlarged, b,
                          &tni_shape_boxes_at(world, index_b)->enlarged);
}

bool tni_shapes_may_meet(const tn_world *world, uint32_t index_a, uint32_t index_b) {
    const tni_shape *a = tni_shape_at(world, index_a), *b = tni_shape_at(world, index_b);
    return pairs_overlaps(world, a, &tni_shape_boxes_at(world, index_a)->needed, b,
                          &tni_shape_boxes_at(world, index_b)->needed);
}

// ---- the search -------------------------------------------------------------------------------

typedef struct pairs_search {
    const tn_world *world;
    uint32_t shape;
    const tni_plane_place *plane; // of a half-space, or null
    uint64_t *keys;               // room for `room`
    uint32_t count, room;         // count: found, even beyond the room
} pairs_search;

static bool pairs_is_candidate(pairs_search *search, uint32_t other) {
    const tn_world *world = search->world;
    const tni_shape *a = tni_shape_at(world, search->shape), *b = tni_shape_at(world, other);
    // If both shapes are in the list, the one with the smaller index reports the pair.
    bool is_others_turn = b->move_index != TNI_NONE && other < search->shape;
    if (a->body == b->body) {
        return false;
    }
    if (is_others_turn || !tni_filters_pass(world, &a->filter, &b->filter)) {
        return false;
    }
    return !search->plane ||
           pairs_reaches_plane(world, search->plane, &tni_shape_boxes_at(world, other)->enlarged);
}

static bool pairs_visit(uint32_t other, void *context) {
    pairs_search *search = context;
    if (!pairs_is_candidate(search, other)) {
        return true;
    }
    uint64_t key = tni_pair_key(search->shape, other);
    if (!tni_map_has(&search->world->pairs, key)) {
        if (search->count < search->room) {
            search->keys[search->count] = key;
        }
        search->count += 1;
    }
    return true;
}

static void pairs_search_half_spaces(pairs_search *search, const tni_bounds *bounds) {
    const tn_world *world = search->world;
    for (uint32_t i = 0; i < world->half_spaces.count; ++i) {
        uint32_t other = world->half_spaces.items[i];
        tni_plane_place plane = tni_shape_get_plane(world, tni_shape_at(world, other));
        if (pairs_reaches_plane(world, &plane, bounds)) {
            pairs_visit(other, search);
        }
    }
}

static void pairs_search_shape(pairs_search *search) {
    const tn_world *world = search->world;
    const tni_shape *shape = tni_shape_at(world, search->shape);
    const tni_bounds *bounds = &tni_shape_boxes_at(world, search->shape)->enlarged;
    if (shape->plane_index != TNI_NONE) {
        tni_bounds everywhere = tni_bounds_everywhere();
        tni_plane_place plane = tni_shape_get_plane(world, shape);
        search->plane = &plane;
        tni_tree_query(&world->moving_tree, &everywhere, pairs_visit, search);
        search->plane = NULL;
        return;
    }
    tni_tree_query(&world->moving_tree, bounds, pairs_visit, search);
    if (tni_body_at(world, shape->body)->type != TN_BODY_TYPE_STATIC) {
        tni_tree_query(&world->static_tree, bounds, pairs_visit, search);
        pairs_search_half_spaces(search, bounds);
    }
}

// ---- parts of the move list -------------------------------------------------------------------

typedef struct pairs_part {
    uint32_t first, room; // in the keys
    uint32_t count;       // found
} pairs_part;

typedef struct pairs_pass {
    tn_world *world;
    pairs_part *parts;
    uint64_t *keys;
} pairs_pass;

// Searches the parts that were not searched yet or lacked room for their pairs.
static void pairs_search_parts(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const pairs_pass *pass = context;
    const tni_index_list *list = &pass->world->move_list;
    for (uint32_t p = first; p < last; ++p) {
        pairs_part *part = &pass->parts[p];
        if (part->count <= part->room) {
            continue;
        }
        if (part->count != TNI_NONE) {
            part->room = part->count;
        }
        uint64_t *keys = part->room > 0 ? pass->keys + part->first : NULL;
        pairs_search search = {.world = pass->world, .keys = keys, .room = part->room};
        for (uint32_t i = p * PAIRS_PART; i < list->count && i < (p + 1) * PAIRS_PART; ++i) {
            search.shape = list->items[i];
            pairs_search_shape(&search);
        }
        part->count = search.count;
    }
}

static bool pairs_grow(tn_world *world, uint64_t **keys, uint32_t *capacity, uint32_t needed) {
    uint64_t *grown = tni_array_grow(&world->allocator, *keys, 0, capacity, needed, sizeof *grown);
    if (needed > 0 && !grown) {
        return false;
    }
    *keys = grown;
    return true;
}

// Moves keys from the rooms to places side by side; parts that lacked room are searched again.
static bool pairs_collect(tn_world *world, pairs_pass *pass, uint32_t part_count) {
    uint64_t total = 0;
    bool is_short = false;
    for (uint32_t p = 0; p < part_count; ++p) {
        total += pass->parts[p].count;
        is_short |= pass->parts[p].count > pass->parts[p].room;
    }
    if (total >= TNI_NONE ||
        !pairs_grow(world, &world->pair_keys, &world->pair_key_capacity, (uint32_t)total)) {
        return false;
    }
    uint32_t at = 0;
    for (uint32_t p = 0; p < part_count; ++p) {
        pairs_part *part = &pass->parts[p];
        if (part->count > 0 && part->count <= part->room) {
            memcpy(world->pair_keys + at, pass->keys + part->first,
                   part->count * sizeof *pass->keys);
        }
        part->first = at;
        at += part->count;
    }
    world->pair_key_count = at;
    pass->keys = world->pair_keys;
    if (is_short) {
        tni_tasks_run(&world->tasks, pairs_search_parts, part_count, tni_world_cut(world, 1), pass);
    }
    return pairs_grow(world, &world->pair_scratch, &world->pair_scratch_capacity, at);
}

// Finds all new pairs, sorted. Returns false when memory cannot be had.
static bool pairs_find(tn_world *world) {
    uint32_t part_count = (world->move_list.count + PAIRS_PART - 1) / PAIRS_PART;
    pairs_pass pass = {world, NULL, world->pair_scratch};
    pass.parts = tni_arena_alloc(&world->arena, part_count * sizeof *pass.parts);
    if (!pass.parts) {
        return false;
    }
    uint32_t room = part_count > 0 ? world->pair_scratch_capacity / part_count : 0;
    for (uint32_t p = 0; p < part_count; ++p) {
        pass.parts[p] = (pairs_part){p * room, room, TNI_NONE};
    }
    tni_tasks_run(&world->tasks, pairs_search_parts, part_count, tni_world_cut(world, 1), &pass);
    if (!pairs_collect(world, &pass, part_count)) {
        return false;
    }
    tni_sort_u64(world->pair_keys, world->pair_scratch, world->pair_key_count);
    return true;
}

// ---- contacts ---------------------------------------------------------------------------------

// Fetch what making a pair's contact reads first: the shapes and the place in the map; and then,
// once the shapes have arrived, their bodies.
TNI_KERNEL void pairs_fetch_shapes(const tn_world *world, uint64_t key) {
    tni_narrow_fetch(tni_shape_at(world, (uint32_t)(key >> 32)), sizeof(tni_shape));
    tni_narrow_fetch(tni_shape_at(world, (uint32_t)key), sizeof(tni_shape));
    TNI_PREFETCH(tni_map_get_home(&world->pairs, key));
}

TNI_KERNEL void pairs_fetch_bodies(const tn_world *world, uint64_t key) {
    const uint32_t shapes[2] = {(uint32_t)(key >> 32), (uint32_t)key};
    for (int e = 0; e < 2; ++e) {
        const tni_body *body = tni_body_at(world, tni_shape_at(world, shapes[e])->body);
        TNI_PREFETCH(&body->handle);
        TNI_PREFETCH(&body->contact_head);
    }
}

// Fetches the next slot for a contact. The pool names these slots one after the other.
TNI_KERNEL void pairs_fetch_slot(const tn_world *world, uint32_t *slot) {
    const tni_pool *pool = &world->contact_pool;
    if (*slot < pool->slot_count) {
        tni_narrow_fetch(tni_contact_at(world, *slot), sizeof(tni_contact));
        TNI_PREFETCH(tni_contact_edge_at(world, 2 * *slot));
        *slot = pool->slots[*slot].next_free;
        TNI_PREFETCH(&pool->slots[*slot < pool->slot_count ? *slot : 0]);
    }
}

// Fetches for the pairs ahead. Making a contact reads some ten cache lines, few of which are near
// those of the pair before.
TNI_KERNEL void pairs_fetch_ahead(const tn_world *world, uint32_t at, uint32_t *slot) {
    if (at + PAIRS_AHEAD < world->pair_key_count) {
        pairs_fetch_shapes(world, world->pair_keys[at + PAIRS_AHEAD]);
        pairs_fetch_slot(world, slot);
    }
    if (at + PAIRS_AHEAD / 2 < world->pair_key_count) {
        pairs_fetch_bodies(world, world->pair_keys[at + PAIRS_AHEAD / 2]);
    }
}

// Makes the contact of two shapes, or those with the parts of a concave one.
static bool pairs_meet(tn_world *world, uint32_t a, uint32_t b) {
    bool is_concave =
        tni_shape_at(world, a)->concave != NULL || tni_shape_at(world, b)->concave != NULL;
    return is_concave ? world->features.parts->meet(world, a, b)
                      : tni_contact_create(world, a, b) != TNI_NONE;
}

static bool pairs_create_contacts(tn_world *world) {
    uint64_t previous = 0;
    uint32_t slot = tni_pool_next_index(&world->contact_pool);
    for (uint32_t i = 0; i < PAIRS_AHEAD && i < world->pair_key_count; ++i) {
        pairs_fetch_slot(world, &slot);
    }
    for (uint32_t i = 0; i < world->pair_key_count; ++i) {
        uint64_t key = world->pair_keys[i];
        uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
        pairs_fetch_ahead(world, i, &slot);
        bool is_wanted = key != previous && tni_shapes_may_touch(world, a, b);
        previous = key;
        if (is_wanted && !pairs_meet(world, a, b)) {
            return false;
        }
    }
    return true;
}

bool tni_world_update_pairs(tn_world *world) {
    if (world->move_list.count == 0) {
        return true;
    }
    if (!pairs_find(world) || !pairs_create_contacts(world)) {
        return false;
    }
    for (uint32_t i = 0; i < world->move_list.count; ++i) {
        tni_shape_at(world, world->move_list.items[i])->move_index = TNI_NONE;
    }
    world->move_list.count = 0;
    return true;
}

// ---- waking -----------------------------------------------------------------------------------

typedef struct pairs_waking {
    tn_world *world;
    const tni_plane_place *plane; // of a half-space, or null
} pairs_waking;

static bool pairs_wake_visit(uint32_t other, void *context) {
    pairs_waking *search = context;
    tn_world *world = search->world;
    const tni_shape *shape = tni_shape_at(world, other);
    const tni_bounds *bounds = &tni_shape_boxes_at(world, other)->enlarged;
    bool is_reached = !search->plane || pairs_reaches_plane(world, search->plane, bounds);
    if (is_reached && tni_body_at(world, shape->body)->awake_index == TNI_NONE) {
        tni_body_wake(world, shape->body);
    }
    return true;
}

void tni_shape_wake_overlapping(tn_world *world, uint32_t index) {
    const tni_shape *shape = tni_shape_at(world, index);
    pairs_waking search = {world, NULL};
    if (shape->is_sensor) {
        return;
    }
    if (shape->leaf != TNI_NONE) {
        tni_tree_query(&world->moving_tree, &tni_shape_boxes_at(world, index)->enlarged,
                       pairs_wake_visit, &search);
    } else if (shape->plane_index != TNI_NONE) {
        tni_bounds everywhere = tni_bounds_everywhere();
        tni_plane_place plane = tni_shape_get_plane(world, shape);
        search.plane = &plane;
        tni_tree_query(&world->moving_tree, &everywhere, pairs_wake_visit, &search);
    }
}

void tni_body_wake_overlapping(tn_world *world, uint32_t body) {
    for (uint32_t i = tni_body_at(world, body)->shape_head; i != TNI_NONE;
         i = tni_shape_at(world, i)->next) {
        tni_shape_wake_overlapping(world, i);
    }
}
