// world/collide/parts.c: shapes of the children of concave geometry, made where something is near.
//
// All that collides is convex: contacts, their paths, ghosts and nets name two shapes by index and
// read their records. So a triangle of a mesh gets a record of its own, a part, when the box of
// another shape comes to its box. All its contacts share it, and it ends with the last of them. A
// part is in no tree and in no list of its body's shapes. Its handle, filter, material and user
// data are the mesh's, so whatever is told about it names the mesh.
//
// The search for pairs finds the mesh; one thread then looks for its triangles, in the order of the
// pairs, so that parts and contacts come in the same order for any number of workers. A slot of a
// part is used again and never given back, so that parts use up no handles.
//
// A mesh that moves looks for its triangles from time to time only. Let d bound how far any of its
// points has gone since it last did, its motion in the next step included: while d is less than the
// slack, all boxes, widened by the slack at that time, still hold what they need.
// Test: tests/world/collide/test_mesh.c
#include "world/parts.h"

#include <string.h>

#include "world/bodies.h"
#include "world/collide/narrow.h"
#include "world/contacts.h"

// The slack is this many steps of motion beyond the margin of a box, and boxes with more than the
// second number times what they would get are renewed.
#define PARTS_STEPS      4.0
#define PARTS_MOST_SLACK 2.0

static uint64_t parts_get_key(uint32_t parent, uint32_t child) {
    return (uint64_t)(parent + 1) << 32 | child;
}

static tni_concave_shape *parts_get_concave(const tn_world *world, uint32_t shape) {
    return tni_shape_at(world, shape)->concave;
}

// ---- the geometry of a part -------------------------------------------------------------------

// Puts a child's geometry into the frame of the parent's body.
static void parts_place(const tni_shape *parent, const tni_geometry *own, tni_geometry *out) {
    const tni_geometry *frame = &parent->geometry;
    tni_dquat turn = dquat_normalize(dquat_from_float(frame->rotation));
    tni_dvec3 position = dquat_rotate(turn, dvec3_from_float(own->position));
    *out = *own;
    out->position = dvec3_to_float(dvec3_add(dvec3_from_float(frame->position), position));
    out->rotation = maths_quat_normalize(maths_quat_mul(frame->rotation, own->rotation));
}

static tn_material parts_get_material(const tni_shape *parent, uint32_t child) {
    const tni_concave_shape *concave = parent->concave;
    if (concave->materials == NULL) {
        return parent->material;
    }
    return concave->materials[concave->geometry->kind->get_material(concave->geometry, child)];
}

// Writes a record for a child.
static void parts_set(const tni_shape *parent, uint32_t child, tni_part_geometry *own,
                      tni_shape *out) {
    const tni_concave *geometry = parent->concave->geometry;
    geometry->kind->get_part(geometry, child, own);
    tni_part *part = out->part;
    *out = *parent;
    out->part = part;
    out->concave = NULL;
    out->next = out->move_index = out->leaf = out->spare_leaf = out->plane_index = TNI_NONE;
    out->material = parts_get_material(parent, child);
    parts_place(parent, &own->geometry, &out->geometry);
    out->size = tni_geometry_reach(&out->geometry, out->geometry.position);
}

// ---- searches ---------------------------------------------------------------------------------

// Returns half the edges of a box in the world, as a box in a frame, and widened by `room`.
static tni_dvec3 parts_turn_reach(const tni_dpose *frame, tni_dvec3 half, double room) {
    tni_dmat3 r = dmat3_from_quat(dquat_renormalize(frame->rotation));
    return dvec3_make(
        fabs(r.m[0][0]) * half.x + fabs(r.m[1][0]) * half.y + fabs(r.m[2][0]) * half.z + room,
        fabs(r.m[0][1]) * half.x + fabs(r.m[1][1]) * half.y + fabs(r.m[2][1]) * half.z + room,
        fabs(r.m[0][2]) * half.x + fabs(r.m[1][2]) * half.y + fabs(r.m[2][2]) * half.z + room);
}

// Returns a box in the world, widened by `room`, as a box in a shape's own frame.
static tni_bounds parts_turn_bounds(const tn_world *world, const tni_shape *shape,
                                    const tni_bounds *bounds, double room) {
    tni_dpose frame = tni_shape_get_frame(world, shape);
    tni_dvec3 lower = dvec3_from_float(bounds->lower), upper = dvec3_from_float(bounds->upper);
    tni_dvec3 middle = dvec3_scale(dvec3_add(lower, upper), 0.5);
    tni_dvec3 half = dvec3_scale(dvec3_sub(upper, lower), 0.5);
    middle = dquat_rotate_inverse(frame.rotation, dvec3_sub(middle, frame.position));
    tni_dvec3 own = parts_turn_reach(&frame, half, room);
    return tni_bounds_round(dvec3_sub(middle, own), dvec3_add(middle, own));
}

typedef struct parts_visit_context {
    const tni_shape *parent;
    void (*visit)(const tni_shape *part, void *context);
    void *context;
    tni_dvec3 center; // the body's centre of mass, in its frame
} parts_visit_context;

static bool parts_visit_child(uint32_t child, void *context) {
    const parts_visit_context *visit = context;
    tni_part_geometry own;
    tni_shape part = {.part = NULL};
    parts_set(visit->parent, child, &own, &part);
    part.turn_reach = tni_geometry_reach(&part.geometry, dvec3_to_float(visit->center));
    visit->visit(&part, visit->context);
    return true;
}

static void parts_visit(const tn_world *world, uint32_t shape, const tni_bounds *bounds,
                        void (*visit)(const tni_shape *part, void *context), void *context) {
    const tni_shape *parent = tni_shape_at(world, shape);
    const tni_concave *geometry = parent->concave->geometry;
    parts_visit_context own = {parent, visit, context,
                               tni_body_at(world, parent->body)->local_center};
    tni_bounds local = parts_turn_bounds(world, parent, bounds, parent->concave->slack);
    geometry->kind->find(geometry, &local, parts_visit_child, &own);
}

static void parts_visit_along(const tn_world *world, uint32_t shape, const tni_ray *ray,
                              tni_dvec3 reach, const double *limit,
                              void (*visit)(const tni_shape *part, void *context), void *context) {
    const tni_shape *parent = tni_shape_at(world, shape);
    const tni_concave *geometry = parent->concave->geometry;
    parts_visit_context own = {parent, visit, context,
                               tni_body_at(world, parent->body)->local_center};
    tni_dpose frame = tni_shape_get_frame(world, parent);
    tni_ray local = ray_in_frame(ray, frame.position, frame.rotation);
    tni_dvec3 turned = parts_turn_reach(&frame, reach, 0.0);
    geometry->kind->find_along(geometry, &local, turned, limit, parts_visit_child, &own);
}

// ---- making and ending ------------------------------------------------------------------------

static void parts_link(tn_world *world, uint32_t index) {
    tni_part *part = tni_shape_at(world, index)->part;
    tni_concave_shape *concave = parts_get_concave(world, part->parent);
    part->previous = TNI_NONE;
    part->next = concave->part_head;
    if (part->next != TNI_NONE) {
        tni_shape_at(world, part->next)->part->previous = index;
    }
    concave->part_head = index;
}

static void parts_unlink(tn_world *world, const tni_part *part) {
    if (part->previous != TNI_NONE) {
        tni_shape_at(world, part->previous)->part->next = part->next;
    } else {
        parts_get_concave(world, part->parent)->part_head = part->next;
    }
    if (part->next != TNI_NONE) {
        tni_shape_at(world, part->next)->part->previous = part->previous;
    }
}

// Makes one more slot for parts, and leaves it free. Returns false without memory.
static bool parts_add_slot(tn_world *world) {
    uint32_t count = world->parts.count + 1;
    uint32_t needed = tni_pool_next_index(&world->shape_pool) + 1;
    tni_allocator *allocator = &world->allocator;
    if (needed > TNI_POOL_MAX_SLOTS || !tni_pool_reserve(&world->shape_pool, 1) ||
        !tni_pages_reserve(&world->shapes, needed) ||
        !tni_pages_reserve(&world->shape_boxes, needed) ||
        !tni_pages_reserve(&world->shape_motions, needed) ||
        !tni_index_list_reserve(allocator, &world->parts, count) ||
        !tni_index_list_reserve(allocator, &world->free_parts, count)) {
        return false;
    }
    tni_part *part = tni_alloc(allocator, sizeof *part);
    if (part == NULL) {
        return false;
    }
    uint32_t handle = tni_pool_acquire(&world->shape_pool), index = handle & TNI_POOL_INDEX_MASK;
    memset(tni_shape_at(world, index), 0, sizeof(tni_shape));
    tni_shape_at(world, index)->part = part;
    tni_shape_motion_at(world, index)->is_awake = false;
    part->handle = handle;
    world->parts.items[world->parts.count++] = index;
    world->free_parts.items[world->free_parts.count++] = index;
    return true;
}

// Widens the box that the part needs by the parent's slack.
static void parts_enlarge_part(tn_world *world, uint32_t index, double slack) {
    tni_shape_boxes *boxes = tni_shape_boxes_at(world, index);
    tni_bounds own = tni_shape_predict_bounds(world, index, 0.0);
    tni_dvec3 room = dvec3_make(slack, slack, slack);
    boxes->enlarged = tni_bounds_round(dvec3_sub(dvec3_from_float(own.lower), room),
                                       dvec3_add(dvec3_from_float(own.upper), room));
}

// Computes the motion of a part whose body stands still, once instead of once for each contact.
static void parts_know_motion(tn_world *world, uint32_t index) {
    const tni_body *body = tni_body_at(world, tni_shape_at(world, index)->body);
    if (body->type == TN_BODY_TYPE_STATIC) {
        tni_shape_update_motion(world, index, 0.0);
        tni_shape_motion_at(world, index)->is_awake = true;
    }
}

// Finds the part of a child, or makes it. Returns TNI_NONE without memory.
static uint32_t parts_take(tn_world *world, uint32_t parent, uint32_t child) {
    uint64_t key = parts_get_key(parent, child);
    uint32_t index = tni_map_get(&world->part_map, key);
    if (index != TNI_NONE) {
        return index;
    }
    if ((world->free_parts.count == 0 && !parts_add_slot(world)) ||
        !tni_map_reserve(&world->part_map, world->part_map.count + 1)) {
        return TNI_NONE;
    }
    world->free_parts.count -= 1;
    index = world->free_parts.items[world->free_parts.count];
    tni_shape *shape = tni_shape_at(world, index);
    tni_part *part = shape->part;
    part->parent = parent;
    part->child = child;
    part->contact_count = 0;
    parts_set(tni_shape_at(world, parent), child, &part->own, shape);
    tni_shape_update_reach(world, index);
    tni_map_set(&world->part_map, key, index);
    parts_link(world, index);
    const tni_concave_shape *concave = parts_get_concave(world, parent);
    tni_shape_boxes_at(world, index)->needed = tni_shape_predict_bounds(world, index, concave->dt);
    parts_enlarge_part(world, index, concave->slack);
    parts_know_motion(world, index);
    return index;
}

static void parts_end(tn_world *world, uint32_t index) {
    tni_part *part = tni_shape_at(world, index)->part;
    tni_map_remove(&world->part_map, parts_get_key(part->parent, part->child));
    parts_unlink(world, part);
    tni_shape_motion_at(world, index)->is_awake = false;
    world->free_parts.items[world->free_parts.count++] = index;
}

// Returns the key of the shapes of a contact, as users see them.
static uint64_t parts_get_pair(const tn_world *world, const tni_contact *contact) {
    const tni_part *a = tni_shape_at(world, contact->shape_a)->part;
    const tni_part *b = tni_shape_at(world, contact->shape_b)->part;
    return tni_pair_key(a != NULL ? a->parent : contact->shape_a,
                        b != NULL ? b->parent : contact->shape_b);
}

static bool parts_reserve_touches(tn_world *world) {
    return tni_map_reserve(&world->part_touches, world->contact_pool.live_count + 1);
}

static bool parts_count_touch(tn_world *world, const tni_contact *contact, bool begins) {
    uint64_t key = parts_get_pair(world, contact);
    uint32_t count = tni_map_get(&world->part_touches, key);
    count = count == TNI_NONE ? 0 : count;
    if (begins) {
        tni_map_set(&world->part_touches, key, count + 1);
        return count == 0;
    }
    if (count > 1) {
        tni_map_set(&world->part_touches, key, count - 1);
        return false;
    }
    tni_map_remove(&world->part_touches, key);
    return true;
}

static void parts_leave(tn_world *world, uint32_t index) {
    tni_part *part = tni_shape_at(world, index)->part;
    part->contact_count -= 1;
    if (part->contact_count == 0) {
        parts_end(world, index);
    }
}

typedef struct parts_meeting {
    tn_world *world;
    uint32_t parent, other;
    bool is_short; // of memory
} parts_meeting;

static bool parts_meet_child(uint32_t child, void *context) {
    parts_meeting *meeting = context;
    tn_world *world = meeting->world;
    uint32_t index = parts_take(world, meeting->parent, child);
    if (index == TNI_NONE) {
        meeting->is_short = true;
        return false;
    }
    if (tni_shapes_are_near(world, index, meeting->other) &&
        tni_contact_create(world, index, meeting->other) == TNI_NONE) {
        meeting->is_short = true;
    }
    if (tni_shape_at(world, index)->part->contact_count == 0) {
        parts_end(world, index);
    }
    return !meeting->is_short;
}

static bool parts_meet(tn_world *world, uint32_t a, uint32_t b) {
    bool is_a = tni_shape_at(world, a)->concave != NULL;
    parts_meeting meeting = {world, is_a ? a : b, is_a ? b : a, false};
    const tni_shape *parent = tni_shape_at(world, meeting.parent);
    const tni_concave *geometry = parent->concave->geometry;
    bool is_plane = tni_shape_at(world, meeting.other)->plane_index != TNI_NONE;
    tni_bounds bounds = tni_bounds_everywhere();
    if (!is_plane) {
        double room = parent->concave->slack + (double)world->def.contact_margin;
        bounds = parts_turn_bounds(world, parent,
                                   &tni_shape_boxes_at(world, meeting.other)->enlarged, room);
    }
    geometry->kind->find(geometry, &bounds, parts_meet_child, &meeting);
    return !meeting.is_short;
}

// ---- moving -----------------------------------------------------------------------------------

// Returns how far any point of the shape goes within dt, at most, m.
static double parts_get_way(const tn_world *world, const tni_shape *shape, const tni_body *body,
                            double dt) {
    double spin = dvec3_length(body->angular_velocity) * (double)shape->turn_reach;
    tni_dvec3 pull = tni_body_get_pull(world, body, dt);
    double speed = dvec3_length(body->velocity);
    speed += tni_body_is_pulled(world, pull, dt) ? dvec3_length(pull) : 0.0;
    return dt * (speed + spin) + tni_body_get_sag(body, dt);
}

// Returns the slack for boxes that are renewed now.
static double parts_get_slack(const tn_world *world, const tni_shape *shape) {
    const tni_body *body = tni_body_at(world, shape->body);
    if (body->type == TN_BODY_TYPE_STATIC) {
        return 0.0;
    }
    double way = parts_get_way(world, shape, body, shape->concave->dt);
    return (double)tni_shape_get_box_margin(world, shape) + PARTS_STEPS * way;
}

// Returns how far any point has gone since boxes were renewed, at most, m.
static double parts_get_gone(const tni_shape *shape, const tni_body *body) {
    const tni_dpose *from = &shape->concave->place;
    tni_dpose to = {body->position, body->rotation};
    double turn = dvec3_length(dquat_get_turn(from->rotation, to.rotation));
    return dvec3_length(dvec3_sub(to.position, from->position)) + turn * (double)shape->turn_reach;
}

static bool parts_predict(tn_world *world, uint32_t index, double dt) {
    const tni_shape *shape = tni_shape_at(world, index);
    const tni_body *body = tni_body_at(world, shape->body);
    tni_concave_shape *concave = shape->concave;
    concave->dt = dt;
    tni_shape_boxes_at(world, index)->needed = tni_shape_predict_bounds(world, index, dt);
    for (uint32_t i = concave->part_head; i != TNI_NONE; i = tni_shape_at(world, i)->part->next) {
        tni_shape_boxes_at(world, i)->needed = tni_shape_predict_bounds(world, i, dt);
    }
    double gone = parts_get_gone(shape, body) + parts_get_way(world, shape, body, dt);
    return gone <= concave->slack &&
           concave->slack <= PARTS_MOST_SLACK * parts_get_slack(world, shape);
}

static void parts_enlarge(tn_world *world, uint32_t index) {
    const tni_shape *shape = tni_shape_at(world, index);
    const tni_body *body = tni_body_at(world, shape->body);
    tni_concave_shape *concave = shape->concave;
    concave->place = (tni_dpose){body->position, body->rotation};
    concave->slack = parts_get_slack(world, shape);
    parts_enlarge_part(world, index, concave->slack);
    for (uint32_t i = concave->part_head; i != TNI_NONE; i = tni_shape_at(world, i)->part->next) {
        parts_enlarge_part(world, i, concave->slack);
        parts_know_motion(world, i);
    }
}

static void parts_update_motions(tn_world *world, uint32_t shape, double dt) {
    uint32_t i = parts_get_concave(world, shape)->part_head;
    for (; i != TNI_NONE; i = tni_shape_at(world, i)->part->next) {
        tni_shape_update_motion(world, i, dt);
    }
}

static void parts_forget_motions(tn_world *world, uint32_t shape) {
    uint32_t i = parts_get_concave(world, shape)->part_head;
    for (; i != TNI_NONE; i = tni_shape_at(world, i)->part->next) {
        tni_shape_motion_at(world, i)->is_awake = false;
    }
}

static void parts_restore(tn_world *world) {
    tni_map_clear(&world->part_map);
    for (uint32_t k = 0; k < world->parts.count; ++k) {
        uint32_t index = world->parts.items[k];
        tni_shape *shape = tni_shape_at(world, index);
        tni_part *part = shape->part;
        tni_shape_motion_at(world, index)->is_awake = false;
        if (part->parent != TNI_NONE) {
            tni_map_set(&world->part_map, parts_get_key(part->parent, part->child), index);
            parts_set(tni_shape_at(world, part->parent), part->child, &part->own, shape);
            tni_shape_update_reach(world, index);
            parts_know_motion(world, index);
        }
    }
}

// ---- the parent -------------------------------------------------------------------------------

static void parts_renew(tn_world *world, uint32_t index) {
    const tni_shape *parent = tni_shape_at(world, index);
    uint32_t i = parent->concave->part_head;
    for (; i != TNI_NONE; i = tni_shape_at(world, i)->part->next) {
        tni_shape *shape = tni_shape_at(world, i);
        parts_set(parent, shape->part->child, &shape->part->own, shape);
        tni_shape_update_reach(world, i);
    }
}

static void parts_free(tn_world *world, tni_concave_shape *concave) {
    tni_shared_release(&concave->geometry->shared);
    tni_free(&world->allocator, concave->materials,
             concave->material_count * sizeof *concave->materials);
    tni_free(&world->allocator, concave, sizeof *concave);
}

static void parts_drop(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    tni_concave_shape *concave = shape->concave;
    shape->concave = NULL;
    parts_free(world, concave);
}

static void parts_drop_all(tn_world *world) {
    for (uint32_t i = 0; i < world->parts.count; ++i) {
        tni_shape *shape = tni_shape_at(world, world->parts.items[i]);
        tni_free(&world->allocator, shape->part, sizeof *shape->part);
        shape->part = NULL;
        shape->concave = NULL;
    }
    for (uint32_t i = 0; i < world->shape_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->shape_pool, i) != 0 && tni_shape_at(world, i)->concave) {
            parts_drop(world, i);
        }
    }
    tni_map_destroy(&world->part_map);
    tni_map_destroy(&world->part_touches);
    tni_free(&world->allocator, world->parts.items,
             world->parts.capacity * sizeof *world->parts.items);
    tni_free(&world->allocator, world->free_parts.items,
             world->free_parts.capacity * sizeof *world->free_parts.items);
    world->parts = world->free_parts = (tni_index_list){0};
}

const tni_part_feature tni_parts_feature = {parts_meet,           parts_reserve_touches,
                                            parts_count_touch,    parts_visit,
                                            parts_visit_along,    parts_leave,
                                            parts_predict,        parts_enlarge,
                                            parts_renew,          parts_update_motions,
                                            parts_forget_motions, parts_restore,
                                            parts_free,           parts_drop,
                                            parts_drop_all};
