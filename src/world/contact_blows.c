// world/contact_blows.c: blows of one body in their order.
//
// The way of a pair knows nothing of other pairs: a ball that will bounce off one wall is followed
// through it and past the rim of another, whose contact then has the rim's normal, or none. Once a
// body is struck it goes another way, and until then it goes straight. So a contact that was walked
// beyond the first blow of either of its bodies is made again, up to the time of that blow. Its
// planes hold until then and support the shape that they belong to afterwards: they can only be too
// careful. Test: tests/world/test_contact_blows.c
#include "world/contact_path.h"

static double blows_get_time(const tn_world *world, uint32_t contact) {
    return (double)tni_contact_memory_at(world, contact)->blow;
}

// The first blow that a body suffers from others than `own`, or `latest`.
static double blows_find_first(const tn_world *world, uint32_t body, uint32_t own, double latest) {
    const tni_body *record = tni_body_at(world, body);
    double first = latest;
    if (record->type != TN_BODY_TYPE_DYNAMIC) {
        return first;
    }
    uint32_t key = record->contact_head;
    for (; key != TNI_NONE; key = tni_contact_edge_next(world, key)) {
        uint32_t other = key >> 1;
        const tni_contact *contact = tni_contact_at(world, other);
        if (other != own && contact->is_walked && contact->awake_index != TNI_NONE) {
            double time = blows_get_time(world, other);
            first = time < first ? time : first;
        }
    }
    return first;
}

bool tni_contact_order_blow(tn_world *world, uint32_t index, double dt) {
    tni_contact *contact = tni_contact_at(world, index);
    double own = blows_get_time(world, index);
    double first = blows_find_first(world, contact->body_a, index, own);
    first = blows_find_first(world, contact->body_b, index, first);
    if (!(first < own)) {
        return false;
    }
    tni_shape_motion own_a, own_b;
    tni_contact_path path = {.world = world, .dt = dt};
    path.a = tni_shape_get_motion(world, contact->shape_a, dt, &own_a);
    path.b = tni_shape_get_motion(world, contact->shape_b, dt, &own_b);
    float reach = (float)(dvec3_length(dvec3_sub(path.b->velocity, path.a->velocity)) * dt) +
                  path.a->turn_way + path.b->turn_way;
    path.margin = maths_max(world->def.contact_margin, reach);
    tni_contact_path_begin(&path, contact);
    path.dt = first;
    contact->is_touching = tni_contact_path_follow(&path, contact);
    // For the others of its bodies it stays what it was.
    tni_contact_memory_at(world, index)->blow = (float)own;
    return true;
}
