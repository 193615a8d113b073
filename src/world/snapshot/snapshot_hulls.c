// world/snapshot/snapshot_hulls.c: the hulls of shapes.
//
// Hulls have numbers in the order of the first shapes that use them. A hull stands with that shape,
// and later shapes name its number. Equal hulls are one unless TNI_SNAPSHOT_RECENT others come
// between them, so that saving needs no memory. A world that loads a hull takes an equal one that a
// shape of its own uses, above all the same shape, and makes one if there is none.
// Test: tests/world/snapshot/test_snapshot_hulls.c
#include "world/snapshot/snapshot.h"

// ---- saving -------------------------------------------------------------------------------------

static uint32_t hulls_find_recent(const tni_snapshot_hulls *hulls, const tni_hull *hull) {
    uint32_t first = hulls->count > TNI_SNAPSHOT_RECENT ? hulls->count - TNI_SNAPSHOT_RECENT : 0;
    for (uint32_t number = first; number < hulls->count; ++number) {
        if (tni_hull_is_same(hulls->recent[number % TNI_SNAPSHOT_RECENT], hull)) {
            return number;
        }
    }
    return hulls->count;
}

void tni_snapshot_save_hull(tni_snapshot *snapshot, const tni_hull *hull) {
    tni_snapshot_hulls *hulls = &snapshot->hulls;
    uint32_t number = hulls_find_recent(hulls, hull);
    stream_u32(&snapshot->stream, &number);
    if (number == hulls->count) {
        tni_hull_save(&snapshot->stream, hull);
        hulls->recent[number % TNI_SNAPSHOT_RECENT] = hull;
        hulls->count += 1;
    }
}

// ---- checking -----------------------------------------------------------------------------------

// Returns a hull of the world with these faces, or null. That of the shape at `index` comes first.
static tni_shared_hull *hulls_find(const tn_world *world, uint32_t index,
                                   const tni_hull_faces *faces) {
    uint32_t count = world->shape_pool.slot_count;
    for (uint32_t i = 0; i <= count; ++i) {
        uint32_t at = i == 0 ? index : i - 1;
        if (tni_pool_handle(&world->shape_pool, at) == 0) {
            continue;
        }
        tni_shared_hull *hull = tni_shape_at(world, at)->hull;
        if (hull != NULL && tni_hull_has_faces(hull->hull, faces)) {
            return hull;
        }
    }
    return NULL;
}

// Returns a hull with a user, or null if there is none to find or to make.
static tni_shared_hull *hulls_get(tni_snapshot *snapshot, uint32_t index,
                                  const tni_hull_faces *faces) {
    const tn_world *world = snapshot->world;
    tni_shared_hull *hull = hulls_find(world, index, faces);
    if (hull != NULL) {
        tni_shared_retain(&hull->shared);
        return hull;
    }
    tni_allocator own; // counts apart from the world's, which may end before the hull
    tni_allocator_init(&own, world->allocator.alloc, world->allocator.free,
                       world->allocator.user_data);
    tn_result result = TN_RESULT_OK;
    hull = tni_shared_hull_from_faces(&own, faces, &result);
    snapshot->hulls.lacks_memory |= result == TN_RESULT_OUT_OF_MEMORY;
    tni_stream_expect(&snapshot->stream, result != TN_RESULT_DEGENERATE_HULL);
    return hull;
}

static bool hulls_reserve(tni_snapshot *snapshot) {
    tni_snapshot_hulls *hulls = &snapshot->hulls;
    tni_shared_hull **items =
        tni_array_grow(&snapshot->world->allocator, hulls->items, hulls->count, &hulls->capacity,
                       hulls->count + 1, sizeof(tni_shared_hull *));
    hulls->items = items != NULL ? items : hulls->items;
    hulls->lacks_memory |= items == NULL;
    return items != NULL;
}

const tni_hull *tni_snapshot_check_hull(tni_snapshot *snapshot, uint32_t shape) {
    tni_snapshot_hulls *hulls = &snapshot->hulls;
    tni_stream *s = &snapshot->stream;
    uint32_t number = 0;
    stream_u32(s, &number);
    if (!tni_stream_expect(s, number <= hulls->count)) {
        return NULL;
    }
    if (number == hulls->count) {
        tni_hull_saved saved;
        tni_shared_hull *hull = tni_hull_read(s, &saved) && hulls_reserve(snapshot)
                                    ? hulls_get(snapshot, shape, &saved.faces)
                                    : NULL;
        if (hull == NULL) {
            return NULL;
        }
        hulls->items[hulls->count++] = hull;
        hulls->checked = hulls->count;
    }
    return hulls->items[number]->hull;
}

// ---- loading ------------------------------------------------------------------------------------

tni_shared_hull *tni_snapshot_load_hull(tni_snapshot *snapshot) {
    tni_snapshot_hulls *hulls = &snapshot->hulls;
    uint32_t number = 0;
    stream_u32(&snapshot->stream, &number);
    if (number == hulls->count) {
        tni_hull_saved passed;
        tni_hull_read(&snapshot->stream, &passed);
        hulls->count += 1;
    }
    return hulls->items[number];
}

void tni_snapshot_free_hulls(tni_snapshot *snapshot) {
    tni_snapshot_hulls *hulls = &snapshot->hulls;
    for (uint32_t i = 0; i < hulls->checked; ++i) {
        tni_shared_release(&hulls->items[i]->shared);
    }
    tni_free(&snapshot->world->allocator, hulls->items, hulls->capacity * sizeof *hulls->items);
}
