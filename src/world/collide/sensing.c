// world/collide/sensing.c: finds what overlaps the sensors.
//
// Sensors stand in a tree of their own, so the search for pairs never meets one: they have no
// contacts, and neither the solver nor islands nor sleep know them. At the end of a step, when all
// bodies have their new poses, the world looks at the pairs of a sensor and a shape that may differ
// from the last look. A body is *fresh* if it is awake or has changed since then:
//
//     the shape is fresh               it asks the tree of the sensors
//     the sensor is, the shape is not  the sensor asks the other trees
//     neither is                       the pair is as it was
//
// The sorted list of all overlaps is then compared with that of the last look, and what differs is
// an event. A world at rest costs nothing, and sleeping bodies cost a walk over the list.
//
// Trees hold boxes that were made for the motion of the step (broad_phase.c). A fresh shape asks by
// the box that it has now. The few sensors that were thrown out of their boxes are strays: each
// fresh shape compares itself with all of them.
//
// Workers take fresh shapes in parts, each with a room of its own for what it finds, as in the
// search for pairs (pairs.c); a part that found too much looks once more, when there is room.
// Test: tests/world/collide/test_sensing.c
#include <string.h>

#include "collision/overlap.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/parts.h"
#include "world/sensors.h"

// The number of fresh shapes in one part.
#define SENSE_PART 32u

// ---- the list of sensors ----------------------------------------------------------------------

void tni_sensing_init(tn_world *world) {
    tni_tree_init(&world->sensing.tree, &world->allocator, &world->knows_boxes);
    world->sensing.look = 1;
}

static void sense_free_list(tn_world *world, tni_index_list *list) {
    tni_free(&world->allocator, list->items, list->capacity * sizeof *list->items);
}

void tni_sensing_free(tn_world *world) {
    tni_sensing *sensing = &world->sensing;
    tni_allocator *allocator = &world->allocator;
    sense_free_list(world, &sensing->sensors);
    sense_free_list(world, &sensing->planes);
    sense_free_list(world, &sensing->changes);
    tni_tree_destroy(&sensing->tree);
    tni_free(allocator, sensing->areas, sensing->area_capacity * sizeof *sensing->areas);
    tni_free(allocator, sensing->overlaps, sensing->overlap_capacity * sizeof(uint64_t));
    tni_free(allocator, sensing->found, sensing->found_capacity * sizeof(uint64_t));
    tni_free(allocator, sensing->scratch, sensing->scratch_capacity * sizeof(uint64_t));
}

bool tni_sensing_add(tn_world *world, uint32_t index) {
    tni_index_list *list = &world->sensing.sensors;
    if (!tni_index_list_add(&world->allocator, list, index)) {
        return false;
    }
    tni_shape_at(world, index)->sensor_index = list->count - 1;
    return true;
}

void tni_sensing_remove(tn_world *world, uint32_t index) {
    tni_index_list *list = &world->sensing.sensors;
    tni_shape *shape = tni_shape_at(world, index);
    if (shape->sensor_index == TNI_NONE) {
        return;
    }
    list->count -= 1;
    uint32_t last = list->items[list->count];
    list->items[shape->sensor_index] = last;
    tni_shape_at(world, last)->sensor_index = shape->sensor_index;
    shape->sensor_index = TNI_NONE;
}

// ---- overlaps ---------------------------------------------------------------------------------

// Puts the index of a handle before its generation.
static uint32_t sense_turn(uint32_t handle) {
    return handle << (32u - TNI_POOL_INDEX_BITS) | handle >> TNI_POOL_INDEX_BITS;
}

static uint64_t sense_make_key(const tni_shape *sensor, const tni_shape *shape) {
    return (uint64_t)sense_turn(sensor->handle) << 32 | sense_turn(shape->handle);
}

// Returns the place of the first overlap that is not before the key.
static uint32_t sense_find(const tni_sensing *sensing, uint64_t key) {
    uint32_t first = 0, last = sensing->overlap_count;
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (sensing->overlaps[middle] < key) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

const uint64_t *tni_sensing_find(const tn_world *world, uint32_t sensor, uint32_t *out_count) {
    const tni_sensing *sensing = &world->sensing;
    uint64_t low = (uint64_t)sense_turn(tni_shape_at(world, sensor)->handle) << 32;
    uint32_t first = sense_find(sensing, low);
    uint32_t last = sense_find(sensing, low + ((uint64_t)1 << 32));
    *out_count = last - first;
    return sensing->overlaps + first;
}

void tni_sensing_list_change(tn_world *world, uint32_t body) {
    tni_sensing *sensing = &world->sensing;
    tni_body_at(world, body)->sensed_change = sensing->look;
    if (!tni_index_list_add(&world->allocator, &sensing->changes, body)) {
        sensing->is_missed = true;
    }
}

// ---- one shape --------------------------------------------------------------------------------

// A sensor outside its box in the tree.
typedef struct sense_stray {
    uint32_t sensor;
    tni_bounds bounds;
} sense_stray;

typedef struct sense_part {
    uint32_t first, room; // in the keys
    uint32_t count;       // found
} sense_part;

typedef struct sense_pass {
    tn_world *world;
    uint32_t *fresh; // shapes of fresh bodies
    uint32_t fresh_count;
    sense_stray *strays;
    uint32_t stray_count;
    sense_part *parts;
    uint64_t *keys;
} sense_pass;

// The search of one fresh shape.
typedef struct sense_search {
    const tn_world *world;
    const tni_shape *shape;
    tni_dpose pose;
    tni_bounds bounds;
    bool is_plane;
    uint64_t *keys; // room for `room`
    uint32_t count, room;
} sense_search;

static bool sense_is_fresh(const tn_world *world, const tni_shape *shape) {
    const tni_body *body = tni_body_at(world, shape->body);
    return body->awake_index != TNI_NONE || body->sensed_change == world->sensing.look ||
           world->sensing.is_missed;
}

static bool sense_may_see(const tn_world *world, const tni_shape *sensor, const tni_shape *shape) {
    return shape->body != sensor->body && (!shape->is_sensor || sensor->detects_sensors) &&
           tni_filters_pass(world, &sensor->filter, &shape->filter);
}

// Tests the children of a concave shape against another shape.
typedef struct sense_parts {
    const tn_world *world;
    const tni_shape *other;
    tni_dpose pose; // of the other
    bool overlaps;
} sense_parts;

static bool sense_shapes_overlap(const tn_world *world, const tni_shape *a, const tni_shape *b,
                                 const tni_dpose *pose_b) {
    tni_dpose pose_a = tni_shape_get_frame(world, a);
    return tni_geometry_overlaps(tni_shape_get_geometry(a), &pose_a, tni_shape_get_geometry(b),
                                 pose_b);
}

static void sense_visit_part(const tni_shape *part, void *context) {
    sense_parts *parts = context;
    parts->overlaps =
        parts->overlaps || sense_shapes_overlap(parts->world, part, parts->other, &parts->pose);
}

// Concave shapes do not meet each other, nor half-spaces.
static bool sense_part_overlaps(const tn_world *world, const tni_shape *concave,
                                const tni_shape *other) {
    if (other->concave != NULL || other->geometry.type == TNI_GEOMETRY_HALF_SPACE) {
        return false;
    }
    sense_parts parts = {.world = world, .other = other};
    parts.pose = tni_shape_get_frame(world, other);
    tni_bounds bounds = tni_shape_tight_bounds(world, other->handle & TNI_POOL_INDEX_MASK);
    world->features.parts->visit(world, concave->handle & TNI_POOL_INDEX_MASK, &bounds,
                                 sense_visit_part, &parts);
    return parts.overlaps;
}

static bool sense_overlaps(const sense_search *search, const tni_shape *other) {
    const tni_shape *own = search->shape;
    if (other->concave != NULL) {
        return sense_part_overlaps(search->world, other, own);
    }
    if (own->concave != NULL) {
        return sense_part_overlaps(search->world, own, other);
    }
    return sense_shapes_overlap(search->world, other, own, &search->pose);
}

// Notes the overlap of a sensor and a shape, one of which is the shape of the search, if they do.
static void sense_compare(sense_search *search, const tni_shape *sensor, const tni_shape *shape) {
    if (!sense_may_see(search->world, sensor, shape) ||
        !sense_overlaps(search, search->shape == sensor ? shape : sensor)) {
        return;
    }
    if (search->count < search->room) {
        search->keys[search->count] = sense_make_key(sensor, shape);
    }
    search->count += 1;
}

// Visits a shape near the search's sensor. A fresh one asks by itself.
static bool sense_visit_shape(uint32_t index, void *context) {
    sense_search *search = context;
    const tni_shape *shape = tni_shape_at(search->world, index);
    if (!sense_is_fresh(search->world, shape)) {
        sense_compare(search, search->shape, shape);
    }
    return true;
}

// Visits a sensor near the search's shape.
static bool sense_visit_sensor(uint32_t index, void *context) {
    sense_search *search = context;
    sense_compare(search, tni_shape_at(search->world, index), search->shape);
    return true;
}

// Visits the half-spaces that the shape's box reaches. Two half-spaces do not overlap.
static void sense_visit_planes(sense_search *search, const tni_index_list *planes,
                               tni_tree_visit_fn visit) {
    for (uint32_t i = 0; i < planes->count && !search->is_plane; ++i) {
        tni_plane_place plane =
            tni_shape_get_plane(search->world, tni_shape_at(search->world, planes->items[i]));
        if (tni_plane_get_height(&plane, &search->bounds) <= 0.0) {
            visit(planes->items[i], search);
        }
    }
}

static void sense_ask_sensors(const sense_pass *pass, sense_search *search) {
    const tni_sensing *sensing = &pass->world->sensing;
    tni_tree_query(&sensing->tree, &search->bounds, sense_visit_sensor, search);
    sense_visit_planes(search, &sensing->planes, sense_visit_sensor);
    for (uint32_t i = 0; i < pass->stray_count; ++i) { // the tree may have visited it too
        if (tni_bounds_overlap(&pass->strays[i].bounds, &search->bounds)) {
            sense_visit_sensor(pass->strays[i].sensor, search);
        }
    }
}

static void sense_ask_shapes(const tn_world *world, sense_search *search) {
    tni_tree_query(&world->moving_tree, &search->bounds, sense_visit_shape, search);
    tni_tree_query(&world->static_tree, &search->bounds, sense_visit_shape, search);
    sense_visit_planes(search, &world->half_spaces, sense_visit_shape);
    if (search->shape->detects_sensors) {
        tni_tree_query(&world->sensing.tree, &search->bounds, sense_visit_shape, search);
        sense_visit_planes(search, &world->sensing.planes, sense_visit_shape);
    }
}

static void sense_look(const sense_pass *pass, sense_search *search, uint32_t index) {
    const tn_world *world = pass->world;
    search->shape = tni_shape_at(world, index);
    search->pose = tni_shape_get_frame(world, search->shape);
    search->is_plane = search->shape->geometry.type == TNI_GEOMETRY_HALF_SPACE;
    search->bounds =
        search->is_plane ? tni_bounds_everywhere() : tni_shape_tight_bounds(world, index);
    sense_ask_sensors(pass, search);
    if (search->shape->is_sensor) {
        sense_ask_shapes(world, search);
    }
}

// ---- fresh shapes -----------------------------------------------------------------------------

// Adds the shapes of a body that are in a tree or list. Only counts them without an array.
static void sense_add_shapes(sense_pass *pass, uint32_t body) {
    const tn_world *world = pass->world;
    for (uint32_t s = tni_body_at(world, body)->shape_head; s != TNI_NONE;) {
        const tni_shape *shape = tni_shape_at(world, s);
        if (shape->leaf != TNI_NONE || shape->plane_index != TNI_NONE) {
            if (pass->fresh != NULL) {
                pass->fresh[pass->fresh_count] = s;
            }
            pass->fresh_count += 1;
        }
        s = shape->next;
    }
}

static void sense_add_fresh(sense_pass *pass) {
    const tn_world *world = pass->world;
    const tni_index_list *awake = &world->awake_bodies, *changes = &world->sensing.changes;
    pass->fresh_count = 0;
    if (world->sensing.is_missed) {
        for (uint32_t i = 0; i < world->body_pool.slot_count; ++i) {
            if (tni_pool_handle(&world->body_pool, i) != 0) {
                sense_add_shapes(pass, i);
            }
        }
        return;
    }
    for (uint32_t i = 0; i < awake->count; ++i) {
        sense_add_shapes(pass, awake->items[i]);
    }
    for (uint32_t i = 0; i < changes->count; ++i) {
        uint32_t body = changes->items[i]; // its slot may be empty, or have another body
        bool is_new = tni_pool_handle(&world->body_pool, body) != 0 &&
                      tni_body_at(world, body)->awake_index == TNI_NONE &&
                      tni_body_at(world, body)->sensed_change == world->sensing.look;
        if (is_new) {
            sense_add_shapes(pass, body);
        }
    }
}

// Lists the sensors among the fresh shapes that are outside their boxes. Returns false without
// memory.
static bool sense_list_strays(sense_pass *pass) {
    const tn_world *world = pass->world;
    uint32_t most = 0;
    for (uint32_t i = 0; i < pass->fresh_count; ++i) {
        most += tni_shape_at(world, pass->fresh[i])->is_sensor ? 1 : 0;
    }
    pass->strays = tni_arena_alloc(&pass->world->arena, most * sizeof *pass->strays);
    for (uint32_t i = 0; pass->strays != NULL && most > 0 && i < pass->fresh_count; ++i) {
        uint32_t index = pass->fresh[i];
        const tni_shape *shape = tni_shape_at(world, index);
        if (!shape->is_sensor || shape->leaf == TNI_NONE) {
            continue;
        }
        tni_bounds bounds = tni_shape_tight_bounds(world, index);
        if (!tni_bounds_contain(&tni_shape_boxes_at(world, index)->enlarged, &bounds)) {
            pass->strays[pass->stray_count++] = (sense_stray){index, bounds};
        }
    }
    return pass->strays != NULL;
}

// Lists the shapes of fresh bodies, and the strays. Returns false without memory.
static bool sense_list_fresh(sense_pass *pass) {
    sense_add_fresh(pass);
    pass->fresh = tni_arena_alloc(&pass->world->arena, pass->fresh_count * sizeof *pass->fresh);
    if (pass->fresh == NULL) {
        return false;
    }
    sense_add_fresh(pass);
    return sense_list_strays(pass);
}

// ---- all of them ------------------------------------------------------------------------------

// Looks from the shapes of parts that did not look yet or lacked room for what they found.
static void sense_look_parts(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const sense_pass *pass = context;
    for (uint32_t p = first; p < last; ++p) {
        sense_part *part = &pass->parts[p];
        if (part->count <= part->room) {
            continue;
        }
        if (part->count != TNI_NONE) {
            part->room = part->count;
        }
        sense_search search = {.world = pass->world, .room = part->room};
        search.keys = part->room > 0 ? pass->keys + part->first : NULL;
        for (uint32_t i = p * SENSE_PART; i < pass->fresh_count && i < (p + 1) * SENSE_PART; ++i) {
            sense_look(pass, &search, pass->fresh[i]);
        }
        part->count = search.count;
    }
}

static bool sense_grow(tn_world *world, uint64_t **keys, uint32_t *capacity, uint32_t needed) {
    uint64_t *grown = tni_array_grow(&world->allocator, *keys, 0, capacity, needed, sizeof *grown);
    if (needed > 0 && !grown) {
        return false;
    }
    *keys = grown;
    return true;
}

// Returns the shape behind a handle if it is there, and its body is not fresh; else null.
static const tni_shape *sense_find_calm(const tn_world *world, uint32_t handle) {
    uint32_t index = tni_pool_find(&world->shape_pool, handle);
    const tni_shape *shape = index != TNI_POOL_NONE ? tni_shape_at(world, index) : NULL;
    return shape != NULL && !sense_is_fresh(world, shape) ? shape : NULL;
}

// Takes over the overlaps that are as they were, behind those that were found. There is room.
static void sense_keep_old(tn_world *world) {
    tni_sensing *sensing = &world->sensing;
    uint32_t last = 0;
    bool is_calm = false;
    for (uint32_t i = 0; i < sensing->overlap_count && !sensing->is_missed; ++i) {
        uint64_t key = sensing->overlaps[i];
        uint32_t sensor = tni_overlap_get_sensor(key);
        if (sensor != last) {
            last = sensor;
            is_calm = sense_find_calm(world, sensor) != NULL;
        }
        if (is_calm && sense_find_calm(world, tni_overlap_get_shape(key)) != NULL) {
            sensing->found[sensing->found_count++] = key;
        }
    }
}

// Moves what was found from the rooms to places side by side; parts that lacked room look again.
static bool sense_collect(sense_pass *pass, uint32_t part_count) {
    tn_world *world = pass->world;
    tni_sensing *sensing = &world->sensing;
    uint64_t total = 0;
    bool is_short = false;
    for (uint32_t p = 0; p < part_count; ++p) {
        total += pass->parts[p].count;
        is_short |= pass->parts[p].count > pass->parts[p].room;
    }
    uint64_t most = total + sensing->overlap_count;
    if (most >= TNI_NONE ||
        !sense_grow(world, &sensing->found, &sensing->found_capacity, (uint32_t)most)) {
        return false;
    }
    uint32_t at = 0;
    for (uint32_t p = 0; p < part_count; ++p) {
        sense_part *part = &pass->parts[p];
        if (part->count > 0 && part->count <= part->room) {
            memcpy(sensing->found + at, pass->keys + part->first, part->count * sizeof *pass->keys);
        }
        part->first = at;
        at += part->count;
    }
    sensing->found_count = at;
    pass->keys = sensing->found;
    if (is_short) {
        tni_tasks_run(&world->tasks, sense_look_parts, part_count, tni_world_cut(world, 1), pass);
    }
    return sense_grow(world, &sensing->scratch, &sensing->scratch_capacity, (uint32_t)most);
}

static void sense_sort(tni_sensing *sensing) {
    uint32_t count = 0;
    tni_sort_u64(sensing->found, sensing->scratch, sensing->found_count);
    for (uint32_t i = 0; i < sensing->found_count; ++i) {
        if (count == 0 || sensing->found[i] != sensing->found[count - 1]) {
            sensing->found[count++] = sensing->found[i];
        }
    }
    sensing->found_count = count;
}

// Finds all overlaps, sorted. Returns false without memory.
static bool sense_find_all(tn_world *world) {
    tni_sensing *sensing = &world->sensing;
    sense_pass pass = {.world = world, .keys = sensing->scratch};
    if (!sense_list_fresh(&pass)) {
        return false;
    }
    uint32_t part_count = (pass.fresh_count + SENSE_PART - 1) / SENSE_PART;
    pass.parts = tni_arena_alloc(&world->arena, part_count * sizeof *pass.parts);
    if (pass.parts == NULL) {
        return false;
    }
    uint32_t room = part_count > 0 ? sensing->scratch_capacity / part_count : 0;
    for (uint32_t p = 0; p < part_count; ++p) {
        pass.parts[p] = (sense_part){p * room, room, TNI_NONE};
    }
    tni_tasks_run(&world->tasks, sense_look_parts, part_count, tni_world_cut(world, 1), &pass);
    if (!sense_collect(&pass, part_count)) {
        return false;
    }
    sense_keep_old(world);
    sense_sort(sensing);
    return true;
}

// ---- events -----------------------------------------------------------------------------------

static tn_sensor_event sense_describe(uint64_t key) {
    return (tn_sensor_event){{tni_overlap_get_sensor(key)}, {tni_overlap_get_shape(key)}};
}

// Wakes a body that comes into an area or leaves one.
static void sense_wake(tn_world *world, uint64_t key) {
    uint32_t sensor = tni_pool_find(&world->shape_pool, tni_overlap_get_sensor(key));
    uint32_t shape = tni_pool_find(&world->shape_pool, tni_overlap_get_shape(key));
    if (sensor != TNI_POOL_NONE && shape != TNI_POOL_NONE && tni_shape_at(world, sensor)->is_area &&
        !tni_shape_at(world, shape)->is_sensor) {
        tni_body_wake(world, tni_shape_at(world, shape)->body);
    }
}

// Compares what was found with what was known, and takes it over.
static void sense_tell(tn_world *world) {
    tni_sensing *sensing = &world->sensing;
    tni_event_lists *events = &world->events;
    uint32_t i = 0, j = 0;
    while (i < sensing->found_count || j < sensing->overlap_count) {
        uint64_t now = i < sensing->found_count ? sensing->found[i] : UINT64_MAX;
        uint64_t old = j < sensing->overlap_count ? sensing->overlaps[j] : UINT64_MAX;
        if (now < old) {
            events->sensor_begins[events->sensor_begin_count++] = sense_describe(now);
            sense_wake(world, now);
        } else if (old < now) {
            events->sensor_ends[events->sensor_end_count++] = sense_describe(old);
            sense_wake(world, old);
        }
        i += now <= old ? 1 : 0;
        j += old <= now ? 1 : 0;
    }
    uint64_t *keys = sensing->overlaps;
    uint32_t capacity = sensing->overlap_capacity;
    sensing->overlaps = sensing->found;
    sensing->overlap_capacity = sensing->found_capacity;
    sensing->overlap_count = sensing->found_count;
    sensing->found = keys;
    sensing->found_capacity = capacity;
}

// Strains the shapes of affine bodies to their coordinates at the end of the step.
static void sense_deform(tn_world *world) {
    for (uint32_t i = 0; i < world->awake_bodies.count && world->reduced_list.count > 0; ++i) {
        uint32_t s = tni_body_at(world, world->awake_bodies.items[i])->shape_head;
        for (; s != TNI_NONE; s = tni_shape_at(world, s)->next) {
            if (tni_shape_at(world, s)->deformed != NULL) {
                world->features.spans->deform_shape(world, s);
            }
        }
    }
}

void tni_world_sense(tn_world *world) {
    tni_sensing *sensing = &world->sensing;
    bool may_differ =
        world->awake_bodies.count > 0 || sensing->changes.count > 0 || sensing->is_missed;
    if (sensing->sensors.count + sensing->overlap_count == 0 || !may_differ) {
        return;
    }
    sense_deform(world);
    if (!sense_find_all(world) ||
        !tni_events_reserve_sensors(world, sensing->found_count, sensing->overlap_count)) {
        sensing->is_missed = true;
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, "tn_world_step",
                         "There is no memory for what overlaps the sensors: they look again in the "
                         "next step.",
                         0);
        return;
    }
    sense_tell(world);
    sensing->is_missed = false;
    sensing->changes.count = 0;
    sensing->look += 1;
}
