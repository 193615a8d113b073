// world/collide/contact.c: creates and destroys contacts, and decides which shapes may touch.
//
// A contact stands in four places: its slot, the map of pairs, the lists of both bodies, and, when
// one of the bodies is awake, the list of awake contacts. Room in all of them, and for its end
// event, is made before it exists, so that taking one away never fails.
// Test: tests/world/collide/test_contact.c
#include <string.h>

#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/parts.h"

double tni_contact_get_impulse(const tni_contact *contact) {
    double sum = 0.0;
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        sum += (double)contact->step_impulses[p];
    }
    return sum;
}

// ---- filters ----------------------------------------------------------------------------------

bool tni_filters_pass(const tn_world *world, const tn_filter *a, const tn_filter *b) {
    if (a->group != 0 && a->group == b->group) {
        return a->group > 0;
    }
    bool a_passes = (a->mask & b->category) != 0, b_passes = (b->mask & a->category) != 0;
    return (a_passes && b_passes) || (world->def.is_one_mask_enough && (a_passes || b_passes));
}

static bool contact_user_allows(const tn_world *world, const tni_shape *a, const tni_shape *b) {
    if (!world->filter) {
        return true;
    }
    tni_world_begin_callback(world);
    tn_shape_id shape_a = {a->handle}, shape_b = {b->handle};
    bool allows = world->filter(world, shape_a, shape_b, world->filter_user_data);
    tni_world_end_callback(world);
    return allows;
}

bool tni_shapes_may_touch(const tn_world *world, uint32_t index_a, uint32_t index_b) {
    const tni_shape *a = tni_shape_at(world, index_a), *b = tni_shape_at(world, index_b);
    const tni_body *body_a = tni_body_at(world, a->body), *body_b = tni_body_at(world, b->body);
    bool is_any_dynamic =
        body_a->type == TN_BODY_TYPE_DYNAMIC || body_b->type == TN_BODY_TYPE_DYNAMIC;
    return a->body != b->body && is_any_dynamic && body_a->is_enabled && body_b->is_enabled &&
           tni_manifold_has_pair(a->geometry.type, b->geometry.type) &&
           tni_filters_pass(world, &a->filter, &b->filter) &&
           !tni_bodies_are_excepted(world, a->body, b->body) &&
           !tni_bodies_are_of_one_without_contact(world, a->body, b->body) &&
           !tni_bodies_are_joined_without_contact(world, a->body, b->body) &&
           contact_user_allows(world, a, b);
}

// ---- lists ------------------------------------------------------------------------------------

static void contact_link(tn_world *world, uint32_t body_index, uint32_t key) {
    tni_body *body = tni_body_at(world, body_index);
    tni_contact_edge *edge = tni_contact_edge_at(world, key);
    edge->previous = TNI_NONE;
    edge->next = body->contact_head;
    if (edge->next != TNI_NONE) {
        tni_contact_edge_at(world, edge->next)->previous = key;
    }
    body->contact_head = key;
    body->contact_count += 1;
}

static void contact_unlink(tn_world *world, uint32_t body_index, uint32_t key) {
    tni_body *body = tni_body_at(world, body_index);
    const tni_contact_edge *edge = tni_contact_edge_at(world, key);
    if (edge->previous == TNI_NONE) {
        body->contact_head = edge->next;
    } else {
        tni_contact_edge_at(world, edge->previous)->next = edge->next;
    }
    if (edge->next != TNI_NONE) {
        tni_contact_edge_at(world, edge->next)->previous = edge->previous;
    }
    body->contact_count -= 1;
}

static bool contact_is_half_space(const tn_world *world, uint32_t shape) {
    return tni_shape_at(world, shape)->geometry.type == TNI_GEOMETRY_HALF_SPACE;
}

static bool contact_gives_way(const tn_world *world, uint32_t body) {
    return tni_body_at(world, body)->type == TN_BODY_TYPE_DYNAMIC;
}

void tni_contact_enter_awake(tn_world *world, uint32_t index) {
    tni_contact *contact = tni_contact_at(world, index);
    if (contact->awake_index != TNI_NONE) {
        return;
    }
    contact->awake_index = world->awake_contacts.count;
    world->awake_contacts.items[world->awake_contacts.count++] = (tni_awake_contact){
        .contact = index,
        .shape_a = contact->shape_a,
        .shape_b = contact->shape_b,
        .has_points = contact->manifold.point_count > 0,
        .has_static = !contact_gives_way(world, contact->body_a) ||
                      !contact_gives_way(world, contact->body_b),
        .has_plane = contact_is_half_space(world, contact->shape_a) ||
                     contact_is_half_space(world, contact->shape_b),
    };
}

void tni_contact_leave_awake(tn_world *world, uint32_t index) {
    tni_contact *contact = tni_contact_at(world, index);
    if (contact->awake_index == TNI_NONE) {
        return;
    }
    world->awake_contacts.count -= 1;
    const tni_awake_contact *last = &world->awake_contacts.items[world->awake_contacts.count];
    world->awake_contacts.items[contact->awake_index] = *last;
    tni_contact_at(world, last->contact)->awake_index = contact->awake_index;
    contact->awake_index = TNI_NONE;
}

// ---- creation and destruction -----------------------------------------------------------------

static bool contact_reserve_awake(tn_world *world, uint32_t needed) {
    tni_awake_contact_list *list = &world->awake_contacts;
    tni_awake_contact *items = tni_array_grow(&world->allocator, list->items, list->count,
                                              &list->capacity, needed, sizeof *items);
    if (!items) {
        return false;
    }
    list->items = items;
    return true;
}

// Makes room in the three arrays of contacts for one at `index`.
static bool contact_reserve_slot(tn_world *world, uint32_t index) {
    return tni_pages_reserve(&world->contacts, index + 1) &&
           tni_pages_reserve(&world->contact_memories, index + 1) &&
           tni_pages_reserve(&world->contact_edges, index + 1);
}

static bool contact_reserve(tn_world *world) {
    uint32_t index = tni_pool_next_index(&world->contact_pool);
    return index < TNI_POOL_MAX_SLOTS && contact_reserve_slot(world, index) &&
           contact_reserve_awake(world, world->contact_pool.live_count + 1) &&
           tni_map_reserve(&world->pairs, world->pairs.count + 1) &&
           (world->features.parts == NULL || world->features.parts->reserve_touches(world)) &&
           tni_events_reserve_end(world);
}

// Combines two coefficients by the later one of two modes; `otherwise` is the default's result.
static float contact_combine(tn_combine p, tn_combine q, float a, float b, float otherwise) {
    switch (p > q ? p : q) {
    case TN_COMBINE_AVERAGE:
        return 0.5f * (a + b);
    case TN_COMBINE_MINIMUM:
        return maths_min(a, b);
    case TN_COMBINE_MULTIPLY:
        return a * b;
    case TN_COMBINE_MAXIMUM:
        return maths_max(a, b);
    default:
        return otherwise;
    }
}

static float contact_combine_friction(const tn_material *a, const tn_material *b, float of_a,
                                      float of_b) {
    return contact_combine(a->friction_combine, b->friction_combine, of_a, of_b,
                           sqrtf(of_a * of_b));
}

static float contact_get_static(const tn_material *material) {
    return maths_max(material->static_friction, material->friction);
}

void tni_contact_mix_materials(const tn_world *world, tni_contact *contact) {
    const tn_material *a = &tni_shape_at(world, contact->shape_a)->material;
    const tn_material *b = &tni_shape_at(world, contact->shape_b)->material;
    contact->friction = contact_combine_friction(a, b, a->friction, b->friction);
    contact->static_friction =
        contact_combine_friction(a, b, contact_get_static(a), contact_get_static(b));
    contact->restitution =
        contact_combine(a->restitution_combine, b->restitution_combine, a->restitution,
                        b->restitution, maths_max(a->restitution, b->restitution));
    contact->rolling_resistance = maths_max(a->rolling_resistance, b->rolling_resistance);
    contact->twisting_resistance = maths_max(a->twisting_resistance, b->twisting_resistance);
    contact->has_pre_solve = tni_shape_at(world, contact->shape_a)->has_pre_solve ||
                             tni_shape_at(world, contact->shape_b)->has_pre_solve;
    contact->is_soft = a->hertz > 0.0f || b->hertz > 0.0f;
    contact->has_extras = contact->is_soft || tni_material_has_grain(a) ||
                          tni_material_has_grain(b) ||
                          tni_shape_at(world, contact->shape_a)->has_surface ||
                          tni_shape_at(world, contact->shape_b)->has_surface;
}

static void contact_join_part(tn_world *world, tni_contact *contact, uint32_t shape) {
    tni_part *part = tni_shape_at(world, shape)->part;
    if (part != NULL) {
        part->contact_count += 1;
        contact->has_part = true;
    }
}

static void contact_leave_parts(tn_world *world, const tni_contact *contact) {
    const uint32_t shapes[2] = {contact->shape_a, contact->shape_b};
    for (int e = 0; e < 2; ++e) {
        if (tni_shape_at(world, shapes[e])->part != NULL) {
            world->features.parts->leave(world, shapes[e]);
        }
    }
}

static void contact_init(tn_world *world, uint32_t index, uint32_t shape_a, uint32_t shape_b) {
    tni_contact *contact = tni_contact_at(world, index);
    memset(contact, 0, sizeof *contact);
    contact->handle = tni_pool_handle(&world->contact_pool, index);
    contact->shape_a = shape_a;
    contact->shape_b = shape_b;
    contact->body_a = tni_shape_at(world, shape_a)->body;
    contact->body_b = tni_shape_at(world, shape_b)->body;
    contact->awake_index = TNI_NONE;
    contact_link(world, contact->body_a, 2 * index);
    contact_link(world, contact->body_b, 2 * index + 1);
    bool is_awake = tni_body_at(world, contact->body_a)->awake_index != TNI_NONE ||
                    tni_body_at(world, contact->body_b)->awake_index != TNI_NONE;
    tni_contact_mix_materials(world, contact);
    contact_join_part(world, contact, shape_a);
    contact_join_part(world, contact, shape_b);
    if (is_awake) {
        tni_contact_enter_awake(world, index);
    }
}

uint32_t tni_contact_create(tn_world *world, uint32_t shape_a, uint32_t shape_b) {
    uint64_t key = tni_pair_key(shape_a, shape_b);
    uint32_t index = tni_map_get(&world->pairs, key);
    if (index != TNI_NONE) {
        return index;
    }
    uint32_t handle = contact_reserve(world) ? tni_pool_acquire(&world->contact_pool) : 0;
    if (handle == 0) {
        return TNI_NONE;
    }
    index = handle & TNI_POOL_INDEX_MASK;
    tni_map_set(&world->pairs, key, index);
    tni_contact_memory *memory = tni_contact_memory_at(world, index);
    memory->lost.load = 0.0f;
    memset(&memory->extras, 0, sizeof memory->extras); // a snapshot may come before they are set
    contact_init(world, index, shape_a < shape_b ? shape_a : shape_b,
                 shape_a < shape_b ? shape_b : shape_a);
    return index;
}

void tni_contact_destroy(tn_world *world, uint32_t index) {
    tni_contact *contact = tni_contact_at(world, index);
    if (contact->is_touching) {
        tni_events_add_end(world, contact);
    }
    tni_contact_leave_awake(world, index);
    contact_unlink(world, contact->body_a, 2 * index);
    contact_unlink(world, contact->body_b, 2 * index + 1);
    tni_map_remove(&world->pairs, tni_pair_key(contact->shape_a, contact->shape_b));
    tni_pool_release(&world->contact_pool, contact->handle);
    if (contact->has_part) {
        contact_leave_parts(world, contact);
    }
}

void tni_body_destroy_contacts(tn_world *world, uint32_t body) {
    while (tni_body_at(world, body)->contact_head != TNI_NONE) {
        tni_contact_destroy(world, tni_body_at(world, body)->contact_head >> 1);
    }
}

// Is it the shape, or a part of it?
static bool contact_is_of(const tn_world *world, uint32_t index, uint32_t shape) {
    const tni_part *part = tni_shape_at(world, index)->part;
    return index == shape || (part != NULL && part->parent == shape);
}

void tni_shape_destroy_contacts(tn_world *world, uint32_t shape) {
    uint32_t key = tni_body_at(world, tni_shape_at(world, shape)->body)->contact_head;
    while (key != TNI_NONE) {
        uint32_t next = tni_contact_edge_next(world, key);
        const tni_contact *contact = tni_contact_at(world, key >> 1);
        if (contact_is_of(world, contact->shape_a, shape) ||
            contact_is_of(world, contact->shape_b, shape)) {
            tni_contact_destroy(world, key >> 1);
        }
        key = next;
    }
}

void tni_bodies_destroy_contacts_between(tn_world *world, uint32_t body_a, uint32_t body_b) {
    uint32_t key = tni_body_at(world, body_a)->contact_head;
    while (key != TNI_NONE) {
        uint32_t next = tni_contact_edge_next(world, key);
        const tni_contact *contact = tni_contact_at(world, key >> 1);
        if (contact->body_a == body_b || contact->body_b == body_b) {
            tni_contact_destroy(world, key >> 1);
        }
        key = next;
    }
}
