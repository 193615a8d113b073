// world/snapshot/snapshot_links.c: whether the lists of a snapshot hang together.
//
// The check keeps what each record has of links and of places in lists, and walks over them at its
// end. A link that leads elsewhere, a list that does not end, or a place that another object has
// would lead a step astray. A checksum does not tell, since whoever changes the bytes can make it
// right.
// Test: tests/world/snapshot/test_snapshot_links.c, tests/fuzz/fuzz_snapshot.c
#include "joints/functions/function_joint.h"
#include "world/joints/joint_internal.h"
#include "world/parts.h"
#include "world/snapshot/snapshot.h"

// ---- memory -------------------------------------------------------------------------------------

bool tni_snapshot_reserve_links(tni_snapshot *snapshot) {
    tni_allocator *allocator = &snapshot->world->allocator;
    tni_snapshot_links *links = &snapshot->links;
    uint32_t end_count = snapshot->pools[TNI_SNAPSHOT_FORCES].slot_count << TNI_FORCE_END_BITS;
    links->ends = tni_alloc_zeroed(allocator, end_count * sizeof *links->ends);
    links->end_count = links->ends != NULL ? end_count : 0;
    if (links->end_count < end_count) {
        return false;
    }
    for (uint32_t kind = 0; kind < TNI_SNAPSHOT_KINDS; ++kind) {
        uint32_t count = snapshot->pools[kind].slot_count;
        links->items[kind] = tni_alloc_zeroed(allocator, count * sizeof **links->items);
        links->counts[kind] = links->items[kind] != NULL ? count : 0;
        if (links->items[kind] == NULL && count > 0) {
            return false;
        }
    }
    return true;
}

void tni_snapshot_free_links(tni_snapshot *snapshot) {
    tni_snapshot_links *links = &snapshot->links;
    tni_free(&snapshot->world->allocator, links->ends, links->end_count * sizeof *links->ends);
    for (uint32_t kind = 0; kind < TNI_SNAPSHOT_KINDS; ++kind) {
        tni_free(&snapshot->world->allocator, links->items[kind],
                 links->counts[kind] * sizeof **links->items);
    }
}

// ---- chains -------------------------------------------------------------------------------------

static const tni_snapshot_link *links_get(const tni_snapshot *snapshot, uint32_t kind,
                                          uint32_t index) {
    return &snapshot->links.items[kind][index];
}

// Returns whether the shapes of a body are as many as it says, and its own.
static bool links_shapes_are_sound(const tni_snapshot *snapshot, uint32_t body) {
    const tni_snapshot_link *own = links_get(snapshot, TNI_SNAPSHOT_BODIES, body);
    uint32_t count = 0, at = own->heads[0];
    for (; at != TNI_NONE && count < own->sizes[0]; ++count) {
        const tni_snapshot_link *shape = links_get(snapshot, TNI_SNAPSHOT_SHAPES, at);
        if (shape->is_part || shape->bodies[0] != body) {
            return false;
        }
        at = shape->next[0];
    }
    return at == TNI_NONE && count == own->sizes[0];
}

// The same for its contacts or joints, whose ends name those before and behind.
static bool links_edges_are_sound(const tni_snapshot *snapshot, uint32_t body, uint32_t kind,
                                  uint32_t list) {
    const tni_snapshot_link *own = links_get(snapshot, TNI_SNAPSHOT_BODIES, body);
    uint32_t count = 0, key = own->heads[list], before = TNI_NONE;
    for (; key != TNI_NONE && count < own->sizes[list]; ++count) {
        const tni_snapshot_link *edge = links_get(snapshot, kind, key >> 1);
        if (edge->bodies[key & 1] != body || edge->previous[key & 1] != before) {
            return false;
        }
        before = key;
        key = edge->next[key & 1];
    }
    return key == TNI_NONE && count == own->sizes[list];
}

// A chain that is sound has no object twice. So all objects are in one if their number is right.
static bool links_chains_are_sound(const tni_snapshot *snapshot) {
    uint64_t listed[3] = {0, 0, 0}, all[3] = {0, 0, 0};
    for (uint32_t i = 0; i < snapshot->links.counts[TNI_SNAPSHOT_BODIES]; ++i) {
        if (tni_pool_handle(&snapshot->pools[TNI_SNAPSHOT_BODIES], i) == 0) {
            continue;
        }
        if (!links_shapes_are_sound(snapshot, i) ||
            !links_edges_are_sound(snapshot, i, TNI_SNAPSHOT_CONTACTS, 1) ||
            !links_edges_are_sound(snapshot, i, TNI_SNAPSHOT_JOINTS, 2)) {
            return false;
        }
        for (int k = 0; k < 3; ++k) {
            listed[k] += links_get(snapshot, TNI_SNAPSHOT_BODIES, i)->sizes[k];
        }
    }
    static const uint32_t kinds[3] = {TNI_SNAPSHOT_SHAPES, TNI_SNAPSHOT_CONTACTS,
                                      TNI_SNAPSHOT_JOINTS};
    for (int k = 0; k < 3; ++k) {
        for (uint32_t i = 0; i < snapshot->links.counts[kinds[k]]; ++i) {
            const tni_snapshot_link *link = links_get(snapshot, kinds[k], i);
            bool is_live = tni_pool_handle(&snapshot->pools[kinds[k]], i) != 0;
            all[k] += is_live && !link->is_part && link->bodies[0] != TNI_NONE ? 1 : 0;
            all[k] += is_live && k > 0 && link->bodies[1] != TNI_NONE ? 1 : 0;
        }
    }
    return listed[0] == all[0] && listed[1] == all[1] && listed[2] == all[2];
}

// ---- forces and bodies by coordinates -----------------------------------------------------------

// Ends that say what stands before them are in one chain at most, which so has an end.
static bool links_force_ends_are_sound(const tni_snapshot *snapshot, uint32_t body,
                                       uint32_t *count) {
    const tni_snapshot_links *links = &snapshot->links;
    uint32_t key = links_get(snapshot, TNI_SNAPSHOT_BODIES, body)->heads[3], before = TNI_NONE;
    for (; key != TNI_NONE; key = links->ends[before].next) {
        if (key >= links->end_count || links->ends[key].body != body ||
            links->ends[key].previous != before) {
            return false;
        }
        before = key;
        *count += 1;
    }
    return true;
}

// Each end of a force that is at a body stands in the chain of that body.
static bool links_forces_are_sound(const tni_snapshot *snapshot) {
    const tni_pool *forces = &snapshot->pools[TNI_SNAPSHOT_FORCES];
    uint32_t listed = 0, all = 0;
    for (uint32_t i = 0; i < snapshot->links.counts[TNI_SNAPSHOT_BODIES]; ++i) {
        if (tni_pool_handle(&snapshot->pools[TNI_SNAPSHOT_BODIES], i) != 0 &&
            !links_force_ends_are_sound(snapshot, i, &listed)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < forces->slot_count; ++i) {
        bool is_live = tni_pool_handle(forces, i) != 0;
        const tni_force *force = is_live ? tni_force_at(snapshot->world, i) : NULL;
        for (uint32_t e = 0; is_live && e < force->end_count; ++e) {
            all += force->ends[e].body != TNI_NONE ? 1 : 0;
        }
    }
    return listed == all;
}

// A body by coordinates is one of the object that it names, which the world has.
static bool links_movers_are_sound(const tni_snapshot *snapshot) {
    const tni_pool *bodies = &snapshot->pools[TNI_SNAPSHOT_BODIES];
    const tni_pool *movers = &snapshot->pools[TNI_SNAPSHOT_REDUCED];
    uint32_t moved = 0, all = 0;
    for (uint32_t i = 0; i < bodies->slot_count; ++i) {
        bool is_live = tni_pool_handle(bodies, i) != 0;
        moved += is_live && links_get(snapshot, TNI_SNAPSHOT_BODIES, i)->mover != TNI_NONE ? 1 : 0;
    }
    for (uint32_t i = 0; i < movers->slot_count; ++i) {
        bool is_live = tni_pool_handle(movers, i) != 0;
        const tni_reduced *reduced = is_live ? tni_reduced_at(snapshot->world, i) : NULL;
        for (uint32_t b = 0; is_live && b < reduced->body_count; ++b) {
            uint32_t body = reduced->bodies[b].world_body;
            if (tni_pool_handle(bodies, body) == 0 ||
                links_get(snapshot, TNI_SNAPSHOT_BODIES, body)->mover != i) {
                return false;
            }
            all += 1;
        }
    }
    return moved == all;
}

static bool links_is_affine(const tni_snapshot *snapshot, uint32_t body) {
    uint32_t mover =
        body != TNI_NONE ? links_get(snapshot, TNI_SNAPSHOT_BODIES, body)->mover : TNI_NONE;
    return mover != TNI_NONE && tni_reduced_at(snapshot->world, mover)->affine != NULL;
}

// The shapes of affine bodies are deformed, and no others.
static bool links_deformed_are_sound(const tni_snapshot *snapshot) {
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_SHAPES];
    for (uint32_t i = 0; i < pool->slot_count; ++i) {
        const tni_snapshot_link *shape = links_get(snapshot, TNI_SNAPSHOT_SHAPES, i);
        if (tni_pool_handle(pool, i) != 0 && !shape->is_part &&
            shape->is_deformed != links_is_affine(snapshot, shape->bodies[0])) {
            return false;
        }
    }
    return true;
}

// A function joint, which the world has, lies between its bodies. Its rows are a span's if one of
// these is affine.
static bool links_function_is_sound(const tni_snapshot *snapshot, uint32_t index) {
    const tni_snapshot_link *link = links_get(snapshot, TNI_SNAPSHOT_JOINTS, index);
    const tni_function *function = tni_joint_at(snapshot->world, index)->def.function.apart;
    bool has_first = false, has_second = link->bodies[1] == TNI_NONE;
    bool is_span = function->rope != NULL || tni_function_is_wide(function);
    for (uint32_t i = 0; i < function->body_count; ++i) {
        has_first = has_first || function->bodies[i] == link->bodies[0];
        has_second = has_second || function->bodies[i] == link->bodies[1];
        is_span = is_span || links_is_affine(snapshot, function->bodies[i]);
    }
    return has_first && has_second && link->is_span == is_span;
}

static bool links_functions_are_sound(const tni_snapshot *snapshot) {
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_JOINTS];
    for (uint32_t i = 0; i < pool->slot_count; ++i) {
        bool is_function =
            tni_pool_handle(pool, i) != 0 &&
            links_get(snapshot, TNI_SNAPSHOT_JOINTS, i)->places[TNI_SNAPSHOT_MADE] != TNI_NONE;
        if (is_function && !links_function_is_sound(snapshot, i)) {
            return false;
        }
    }
    return true;
}

// ---- contacts and sleep -------------------------------------------------------------------------

static uint32_t links_get_body_of(const tni_snapshot *snapshot, uint32_t shape) {
    const tni_snapshot_link *link = links_get(snapshot, TNI_SNAPSHOT_SHAPES, shape);
    if (link->is_part) {                   // its parent's
        if (link->bodies[0] == TNI_NONE) { // it is free
            return TNI_NONE;
        }
        link = links_get(snapshot, TNI_SNAPSHOT_SHAPES, link->bodies[0]);
        return link->is_concave ? link->bodies[0] : TNI_NONE;
    }
    return link->bodies[0];
}

// The parts of a concave shape, which the world has, are of children of its own, each of another.
// `children` has those of all shapes so far.
static bool links_chain_of_parts_is_sound(const tni_snapshot *snapshot, uint32_t shape,
                                          tni_map *children) {
    const tni_concave *concave = tni_shape_at(snapshot->world, shape)->concave->geometry;
    uint32_t at = links_get(snapshot, TNI_SNAPSHOT_SHAPES, shape)->heads[0], before = TNI_NONE;
    for (; at != TNI_NONE; at = links_get(snapshot, TNI_SNAPSHOT_SHAPES, before)->next[0]) {
        const tni_snapshot_link *part = links_get(snapshot, TNI_SNAPSHOT_SHAPES, at);
        uint64_t child = (uint64_t)(shape + 1) << 32 | part->bodies[1];
        if (!part->is_part || part->bodies[0] != shape || part->previous[0] != before ||
            part->bodies[1] >= concave->child_count || tni_map_has(children, child)) {
            return false;
        }
        tni_map_set(children, child, at); // there is room
        before = at;
    }
    return true;
}

static tn_result links_check_chains_of_parts(const tni_snapshot *snapshot, tni_map *children) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < snapshot->links.counts[TNI_SNAPSHOT_SHAPES]; ++i) {
        const tni_snapshot_link *link = links_get(snapshot, TNI_SNAPSHOT_SHAPES, i);
        used += link->is_part && link->bodies[0] != TNI_NONE ? 1 : 0;
    }
    if (!tni_map_reserve(children, used)) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < snapshot->links.counts[TNI_SNAPSHOT_SHAPES]; ++i) {
        if (links_get(snapshot, TNI_SNAPSHOT_SHAPES, i)->is_concave &&
            !links_chain_of_parts_is_sound(snapshot, i, children)) {
            return TN_RESULT_DAMAGED_DATA;
        }
    }
    return children->count == used ? TN_RESULT_OK : TN_RESULT_DAMAGED_DATA;
}

// A part in use knows how many contacts it has, at least one.
static bool links_parts_have_contacts(const tni_snapshot *snapshot) {
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_CONTACTS];
    tni_snapshot_link *shapes = snapshot->links.items[TNI_SNAPSHOT_SHAPES];
    for (uint32_t i = 0; i < pool->slot_count; ++i) {
        const tni_snapshot_link *contact = links_get(snapshot, TNI_SNAPSHOT_CONTACTS, i);
        for (int e = 0; e < 2 && contact->has_part && tni_pool_handle(pool, i) != 0; ++e) {
            shapes[contact->heads[e]].sizes[1] += 1;
        }
    }
    for (uint32_t i = 0; i < snapshot->links.counts[TNI_SNAPSHOT_SHAPES]; ++i) {
        bool is_used = shapes[i].is_part && shapes[i].bodies[0] != TNI_NONE;
        if (is_used && (shapes[i].sizes[0] == 0 || shapes[i].sizes[0] != shapes[i].sizes[1])) {
            return false;
        }
    }
    return true;
}

// Returns OUT_OF_MEMORY, or whether the parts are sound.
static tn_result links_check_parts(const tni_snapshot *snapshot) {
    tni_map children;
    tni_map_init(&children, &snapshot->world->allocator);
    tn_result result = links_check_chains_of_parts(snapshot, &children);
    tni_map_destroy(&children);
    return result;
}

// A contact lies between the bodies of its shapes.
static bool links_contacts_are_sound(const tni_snapshot *snapshot) {
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_CONTACTS];
    for (uint32_t i = 0; i < pool->slot_count; ++i) {
        if (tni_pool_handle(pool, i) == 0) {
            continue;
        }
        const tni_snapshot_link *contact = links_get(snapshot, TNI_SNAPSHOT_CONTACTS, i);
        for (int e = 0; e < 2; ++e) {
            if (links_get_body_of(snapshot, contact->heads[e]) != contact->bodies[e]) {
                return false;
            }
        }
        bool has_part = links_get(snapshot, TNI_SNAPSHOT_SHAPES, contact->heads[0])->is_part ||
                        links_get(snapshot, TNI_SNAPSHOT_SHAPES, contact->heads[1])->is_part;
        if (contact->bodies[0] == contact->bodies[1] || contact->has_part != has_part) {
            return false;
        }
    }
    return true;
}

// Bodies asleep stand in rings: each is behind one other.
static bool links_rings_are_sound(tni_snapshot *snapshot) {
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_BODIES];
    tni_snapshot_link *bodies = snapshot->links.items[TNI_SNAPSHOT_BODIES];
    for (uint32_t i = 0; i < pool->slot_count; ++i) {
        if (tni_pool_handle(pool, i) == 0 || bodies[i].next[0] == TNI_NONE) {
            continue;
        }
        tni_snapshot_link *next = &bodies[bodies[i].next[0]];
        bool may_follow = !next->is_followed && next->next[0] != TNI_NONE &&
                          next->places[TNI_SNAPSHOT_AWAKE] == TNI_NONE;
        if (!may_follow) {
            return false;
        }
        next->is_followed = true;
    }
    return true;
}

tn_result tni_snapshot_check_links(tni_snapshot *snapshot) {
    if (!links_chains_are_sound(snapshot)) {
        return TN_RESULT_DAMAGED_DATA;
    }
    tn_result result = links_check_parts(snapshot);
    bool is_sound = links_contacts_are_sound(snapshot) && links_parts_have_contacts(snapshot) &&
                    links_rings_are_sound(snapshot) && links_forces_are_sound(snapshot) &&
                    links_movers_are_sound(snapshot) && links_deformed_are_sound(snapshot) &&
                    links_functions_are_sound(snapshot);
    return result != TN_RESULT_OK || is_sound ? result : TN_RESULT_DAMAGED_DATA;
}

uint32_t tni_snapshot_count_parts(const tni_snapshot *snapshot, bool are_free) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < snapshot->links.counts[TNI_SNAPSHOT_SHAPES]; ++i) {
        const tni_snapshot_link *link = links_get(snapshot, TNI_SNAPSHOT_SHAPES, i);
        count += link->is_part && (!are_free || link->bodies[0] == TNI_NONE) ? 1 : 0;
    }
    return count;
}

// ---- places in lists ----------------------------------------------------------------------------

bool tni_snapshot_is_place(const tni_snapshot *snapshot, uint32_t kind, uint32_t index,
                           tni_snapshot_place place, uint32_t at) {
    return tni_pool_handle(&snapshot->pools[kind], index) != 0 &&
           links_get(snapshot, kind, index)->places[place] == at;
}

uint32_t tni_snapshot_count_places(const tni_snapshot *snapshot, uint32_t kind,
                                   tni_snapshot_place place) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < snapshot->links.counts[kind]; ++i) {
        bool is_live = tni_pool_handle(&snapshot->pools[kind], i) != 0;
        count += is_live && links_get(snapshot, kind, i)->places[place] != TNI_NONE ? 1 : 0;
    }
    return count;
}
