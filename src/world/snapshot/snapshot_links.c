// world/snapshot/snapshot_links.c: whether the lists of a snapshot hang together.
//
// The check keeps what each record has of links and of places in lists, and walks over them at its
// end. A link that leads elsewhere, a list that does not end, or a place that another object has
// would lead a step astray. A checksum does not tell, since whoever changes the bytes can make it
// right.
// Test: tests/world/snapshot/test_snapshot_links.c, tests/fuzz/fuzz_snapshot.c
#include "world/snapshot/snapshot.h"

// ---- memory -------------------------------------------------------------------------------------

bool tni_snapshot_reserve_links(tni_snapshot *snapshot) {
    tni_allocator *allocator = &snapshot->world->allocator;
    tni_snapshot_links *links = &snapshot->links;
    for (uint32_t kind = 0; kind < TNI_SNAPSHOT_LINKED; ++kind) {
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
    for (uint32_t kind = 0; kind < TNI_SNAPSHOT_LINKED; ++kind) {
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

// Parts in use are of concave shapes, which the world has.
static bool links_parts_are_sound(const tni_snapshot *snapshot) {
    for (uint32_t i = 0; i < snapshot->links.counts[TNI_SNAPSHOT_SHAPES]; ++i) {
        const tni_snapshot_link *link = links_get(snapshot, TNI_SNAPSHOT_SHAPES, i);
        if (link->is_part && link->bodies[0] != TNI_NONE &&
            !links_get(snapshot, TNI_SNAPSHOT_SHAPES, link->bodies[0])->is_concave) {
            return false;
        }
    }
    return true;
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

bool tni_snapshot_links_are_sound(tni_snapshot *snapshot) {
    return links_chains_are_sound(snapshot) && links_parts_are_sound(snapshot) &&
           links_contacts_are_sound(snapshot) && links_rings_are_sound(snapshot);
}

uint32_t tni_snapshot_count_parts(const tni_snapshot *snapshot) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < snapshot->links.counts[TNI_SNAPSHOT_SHAPES]; ++i) {
        count += links_get(snapshot, TNI_SNAPSHOT_SHAPES, i)->is_part ? 1 : 0;
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
