// world/snapshot/snapshot_shapes.c: the records of shapes and parts, and their boxes.
//
// A shape of a mesh, a height field or a compound, and one that an affine body deforms, has memory
// beside its record, and keeps what it has. Trees keep their structure: what is met first in a step
// may follow from it (world/step/step_net.c).
// Test: tests/world/snapshot/test_snapshot.c
#include "world/bodies.h"
#include "world/parts.h"
#include "world/snapshot/snapshot.h"

// ---- fields -------------------------------------------------------------------------------------

TNI_KERNEL void shapes_visit_material(tni_stream *s, tn_material *material) {
    stream_f32(s, &material->friction);
    stream_f32(s, &material->restitution);
    stream_f32(s, &material->rolling_resistance);
    stream_f32(s, &material->twisting_resistance);
    stream_f32(s, &material->static_friction);
    stream_f32(s, &material->hertz);
    stream_f32(s, &material->damping_ratio);
    int friction = stream_choice(s, (int)material->friction_combine, TN_COMBINE_MAXIMUM);
    int restitution = stream_choice(s, (int)material->restitution_combine, TN_COMBINE_MAXIMUM);
    if (s->mode == TNI_STREAM_LOADS) {
        material->friction_combine = (tn_combine)friction;
        material->restitution_combine = (tn_combine)restitution;
    }
    stream_plain(s, &material->friction_scale);
}

// The lengths of a convex geometry; what a hull or a concave one points to is set apart.
TNI_KERNEL void shapes_visit_geometry(tni_stream *s, tni_geometry *geometry) {
    int type = stream_choice(s, (int)geometry->type, TNI_GEOMETRY_COMPOUND);
    if (s->mode == TNI_STREAM_LOADS) {
        geometry->type = (tni_geometry_type)type;
    }
    stream_vec3(s, &geometry->position);
    stream_versors(s, &geometry->rotation);
    stream_f32(s, &geometry->rounding);
    switch (type) {
    case TNI_GEOMETRY_SPHERE:
        stream_f32(s, &geometry->sphere.radius);
        break;
    case TNI_GEOMETRY_CAPSULE:
        stream_f32(s, &geometry->capsule.half_length);
        stream_f32(s, &geometry->capsule.radius);
        break;
    case TNI_GEOMETRY_BOX:
        stream_vec3(s, &geometry->box.half_extents);
        break;
    case TNI_GEOMETRY_CYLINDER:
        stream_f32(s, &geometry->cylinder.half_length);
        stream_f32(s, &geometry->cylinder.radius_bottom);
        stream_f32(s, &geometry->cylinder.radius_top);
        break;
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        stream_f32(s, &geometry->tapered_capsule.half_length);
        stream_f32(s, &geometry->tapered_capsule.radius_bottom);
        stream_f32(s, &geometry->tapered_capsule.radius_top);
        break;
    case TNI_GEOMETRY_ELLIPSOID:
        stream_vec3(s, &geometry->ellipsoid.radii);
        break;
    default:
        break;
    }
}

TNI_KERNEL void shapes_visit_bits(tni_stream *s, tni_shape *shape) {
    stream_bool(s, &shape->has_hit_events);
    stream_bool(s, &shape->is_central_ball);
    stream_bool(s, &shape->is_sensor);
    stream_bool(s, &shape->detects_sensors);
    stream_bool(s, &shape->is_area);
    stream_bool(s, &shape->is_disabled);
    stream_bool(s, &shape->has_pre_solve);
    stream_bool(s, &shape->has_persist_events);
    stream_bool(s, &shape->has_surface);
}

TNI_KERNEL void shapes_visit_record(tni_stream *s, void *record) {
    tni_shape *shape = record;
    stream_u32(s, &shape->handle);
    stream_u32(s, &shape->body);
    stream_u32(s, &shape->next);
    shapes_visit_geometry(s, &shape->geometry);
    stream_f32(s, &shape->density);
    shapes_visit_material(s, &shape->material);
    stream_plain(s, &shape->surface.linear);
    stream_plain(s, &shape->surface.angular);
    stream_u64(s, &shape->filter.category);
    stream_u64(s, &shape->filter.mask);
    stream_i32(s, &shape->filter.group);
    shapes_visit_bits(s, shape);
    stream_u32(s, &shape->sensor_index);
    stream_u32(s, &shape->move_index);
    stream_u32(s, &shape->plane_index);
    stream_f32(s, &shape->turn_reach);
    stream_f32(s, &shape->turn_limit);
    stream_f32(s, &shape->size);
    void *user_data = stream_pointer(s, shape->user_data);
    if (s->mode == TNI_STREAM_LOADS) {
        shape->user_data = user_data;
    }
}

TNI_KERNEL void shapes_visit_boxes(tni_stream *s, void *record) {
    tni_shape_boxes *boxes = record;
    stream_vec3(s, &boxes->needed.lower);
    stream_vec3(s, &boxes->needed.upper);
    stream_vec3(s, &boxes->enlarged.lower);
    stream_vec3(s, &boxes->enlarged.upper);
}

// The record of a part that is in use follows from its parent's.
static void shapes_visit_part(tni_stream *s, bool is_free, tni_part *part) {
    stream_u32(s, &part->handle);
    if (is_free) {
        return;
    }
    stream_u32(s, &part->parent);
    stream_u32(s, &part->child);
    stream_u32(s, &part->contact_count);
    stream_u32(s, &part->previous);
    stream_u32(s, &part->next);
}

static void shapes_visit_concave(tni_stream *s, tni_concave_shape *concave) {
    stream_u32(s, &concave->part_head);
    stream_dvec3(s, &concave->place.position);
    stream_dquat(s, &concave->place.rotation);
    stream_f64(s, &concave->slack);
    stream_f64(s, &concave->dt);
    stream_same(s, concave->material_count);
}

// These numbers stand in front of a record, and decide how it goes on.
typedef struct shapes_kind {
    bool is_part, is_free; // a slot for parts that is not in use has no record
    bool is_deformed;
} shapes_kind;

static void shapes_visit_kind(tni_stream *s, shapes_kind *kind) {
    stream_bool(s, &kind->is_part);
    stream_bool(s, &kind->is_free);
    stream_bool(s, &kind->is_deformed);
}

static bool shapes_part_is_free(const tn_world *world, uint32_t index) {
    const tni_part *part = tni_shape_at(world, index)->part;
    uint64_t key = (uint64_t)(part->parent + 1) << 32 | part->child;
    return tni_map_get(&world->part_map, key) != index;
}

static shapes_kind shapes_get_kind(const tn_world *world, uint32_t index) {
    const tni_shape *shape = tni_shape_at(world, index);
    shapes_kind kind = {.is_part = shape->part != NULL};
    kind.is_free = kind.is_part && shapes_part_is_free(world, index);
    kind.is_deformed = !kind.is_part && shape->deformed != NULL;
    return kind;
}

// ---- saving -------------------------------------------------------------------------------------

static void shapes_save(tni_snapshot *snapshot, uint32_t index) {
    tn_world *world = snapshot->world;
    tni_stream *s = &snapshot->stream;
    tni_shape *shape = tni_shape_at(world, index);
    shapes_kind kind = shapes_get_kind(world, index);
    shapes_visit_kind(s, &kind);
    if (kind.is_part) {
        shapes_visit_part(s, kind.is_free, shape->part);
    }
    if (!kind.is_free) {
        tni_stream_record(s, tni_shape_boxes_at(world, index), shapes_visit_boxes);
    }
    if (!kind.is_part) {
        tni_stream_record(s, shape, shapes_visit_record);
    }
    if (shape->hull != NULL) {
        tni_snapshot_save_hull(snapshot, shape->hull->hull);
    }
    if (shape->concave != NULL) {
        shapes_visit_concave(s, shape->concave);
    }
}

// ---- checking -----------------------------------------------------------------------------------

// Returns the world's shape at this index if it is the one of the snapshot, or null.
static const tni_shape *shapes_find_own(tni_snapshot *snapshot, uint32_t index) {
    bool is_there = tni_snapshot_is_there(snapshot, TNI_SNAPSHOT_SHAPES, index);
    return is_there ? tni_shape_at(snapshot->world, index) : NULL;
}

// The world must have what the shape has beside its record.
static bool shapes_have_own(tni_snapshot *snapshot, uint32_t index, const tni_shape *record,
                            const shapes_kind *kind) {
    const tni_shape *own = shapes_find_own(snapshot, index);
    bool is_concave = tni_geometry_is_concave(record->geometry.type);
    bool has_concave = own != NULL && own->part == NULL && own->concave != NULL &&
                       own->geometry.type == record->geometry.type;
    bool has_deformed = own != NULL && own->part == NULL && own->deformed != NULL &&
                        own->geometry.type == record->geometry.type;
    return (!is_concave || has_concave) && (!kind->is_deformed || has_deformed);
}

// Checks the hull of a shape. A shape that is deformed has a copy of its hull, which must fit.
static const tni_hull *shapes_check_hull(tni_snapshot *snapshot, uint32_t index,
                                         const shapes_kind *kind) {
    const tni_hull *hull = tni_snapshot_check_hull(snapshot, index);
    const tni_shape *own = shapes_find_own(snapshot, index);
    if (hull != NULL && kind->is_deformed && own != NULL &&
        !tni_hull_is_same(own->hull->hull, hull)) {
        snapshot->stream.is_other = true;
    }
    return hull;
}

static void shapes_check_numbers(tni_stream *s, const tni_shape *shape) {
    bool has_plane = shape->plane_index != TNI_NONE;
    tni_stream_expect(s, tni_shape_check_saved(shape).result == TN_RESULT_OK &&
                             (!has_plane || shape->geometry.type == TNI_GEOMETRY_HALF_SPACE));
}

static bool shapes_are_sound(const tni_snapshot *snapshot, uint32_t index, const tni_shape *shape) {
    const tni_pool *pools = snapshot->pools;
    return shape->handle == tni_pool_handle(&pools[TNI_SNAPSHOT_SHAPES], index) &&
           tni_pool_handle(&pools[TNI_SNAPSHOT_BODIES], shape->body) != 0 &&
           tni_snapshot_names(snapshot, TNI_SNAPSHOT_SHAPES, shape->next);
}

static void shapes_note_links(const tni_snapshot *snapshot, uint32_t index, const tni_shape *shape,
                              const shapes_kind *kind) {
    uint32_t plane = shape->plane_index;
    snapshot->links.items[TNI_SNAPSHOT_SHAPES][index] = (tni_snapshot_link){
        .bodies = {shape->body, TNI_NONE},
        .next = {shape->next, TNI_NONE},
        .places = {[TNI_SNAPSHOT_MOVED] = shape->move_index,
                   [TNI_SNAPSHOT_PLANE] = shape->is_sensor ? TNI_NONE : plane,
                   [TNI_SNAPSHOT_SENSED] = shape->is_sensor ? plane : TNI_NONE,
                   [TNI_SNAPSHOT_SENSOR] = shape->sensor_index},
        .is_sensor = shape->is_sensor,
        .is_area = shape->is_area,
        .is_concave = tni_geometry_is_concave(shape->geometry.type),
        .is_deformed = kind->is_deformed,
    };
}

// A part that is not in use has no parent.
static void shapes_note_part(const tni_snapshot *snapshot, uint32_t index, const tni_part *part) {
    tni_snapshot_link *link = &snapshot->links.items[TNI_SNAPSHOT_SHAPES][index];
    *link = (tni_snapshot_link){.bodies = {part->parent, part->child},
                                .previous = {part->previous, TNI_NONE},
                                .next = {part->next, TNI_NONE},
                                .sizes = {part->contact_count},
                                .is_part = true};
    memset(link->places, 0xff, sizeof link->places); // TNI_NONE
}

static void shapes_check_record(tni_snapshot *snapshot, uint32_t index, const shapes_kind *kind) {
    tni_stream *s = &snapshot->stream;
    tni_shape record = {.handle = 0};
    tni_stream_record(s, &record, shapes_visit_record);
    shapes_note_links(snapshot, index, &record, kind);
    if (!tni_stream_expect(s, shapes_are_sound(snapshot, index, &record))) {
        return;
    }
    if (!shapes_have_own(snapshot, index, &record, kind)) {
        s->is_other = true;
    } else if (tni_geometry_is_concave(record.geometry.type)) {
        tni_concave_shape scratch = *tni_shape_at(snapshot->world, index)->concave;
        shapes_visit_concave(s, &scratch);
        tni_stream_expect(s, tni_snapshot_names(snapshot, TNI_SNAPSHOT_SHAPES, scratch.part_head));
        snapshot->links.items[TNI_SNAPSHOT_SHAPES][index].heads[0] = scratch.part_head;
    } else if (record.geometry.type == TNI_GEOMETRY_HULL) {
        record.geometry.hull.hull = shapes_check_hull(snapshot, index, kind);
        if (record.geometry.hull.hull != NULL) {
            shapes_check_numbers(s, &record);
        }
    } else {
        shapes_check_numbers(s, &record);
    }
}

static void shapes_check(tni_snapshot *snapshot, uint32_t index) {
    tni_stream *s = &snapshot->stream;
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_SHAPES];
    shapes_kind kind = {.is_part = false};
    shapes_visit_kind(s, &kind);
    if (kind.is_part) {
        tni_part part = {.parent = TNI_NONE, .previous = TNI_NONE, .next = TNI_NONE};
        shapes_visit_part(s, kind.is_free, &part);
        tni_stream_expect(s, part.handle == tni_pool_handle(pool, index) &&
                                 (kind.is_free || tni_pool_handle(pool, part.parent) != 0) &&
                                 tni_snapshot_names(snapshot, TNI_SNAPSHOT_SHAPES, part.previous) &&
                                 tni_snapshot_names(snapshot, TNI_SNAPSHOT_SHAPES, part.next));
        shapes_note_part(snapshot, index, &part);
        const tni_shape *own = shapes_find_own(snapshot, index);
        snapshot->needed_parts += own == NULL || own->part == NULL ? 1 : 0;
    }
    if (!kind.is_free) {
        tni_shape_boxes boxes;
        tni_stream_record(s, &boxes, shapes_visit_boxes);
    }
    if (!kind.is_part && !s->is_damaged && !s->is_other) {
        shapes_check_record(snapshot, index, &kind);
    }
}

void tni_snapshot_free_parts(tni_snapshot *snapshot) {
    tni_allocator *allocator = &snapshot->world->allocator;
    while (snapshot->spare_count > 0) {
        tni_part *part = snapshot->spare_parts[--snapshot->spare_count];
        tni_free(allocator, part, sizeof *part);
    }
    tni_free(allocator, snapshot->spare_parts,
             snapshot->spare_capacity * sizeof *snapshot->spare_parts);
}

// Allocates the parts that the world does not have.
static bool shapes_reserve_parts(tni_snapshot *snapshot) {
    tni_allocator *allocator = &snapshot->world->allocator;
    uint32_t needed = snapshot->needed_parts;
    snapshot->spare_parts = tni_alloc(allocator, needed * sizeof *snapshot->spare_parts);
    snapshot->spare_capacity = snapshot->spare_parts != NULL ? needed : 0;
    while (snapshot->spare_count < snapshot->spare_capacity) {
        tni_part *part = tni_alloc_zeroed(allocator, sizeof *part);
        if (part == NULL) {
            return false;
        }
        snapshot->spare_parts[snapshot->spare_count++] = part;
    }
    return snapshot->spare_count == needed;
}

// ---- loading ------------------------------------------------------------------------------------

// Empties the record of a shape, or of a part.
static void shapes_clear(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    memset(shape, 0, sizeof *shape);
    shape->leaf = shape->spare_leaf = TNI_NONE;
}

// Frees what a shape, or a part, has beside its record.
static void shapes_drop(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    if (shape->part != NULL) {
        tni_free(&world->allocator, shape->part, sizeof *shape->part);
        shape->part = NULL;
        return;
    }
    tni_shape_drop_deformed(world, index);
    tni_shape_drop_hull(world, index);
    if (shape->concave != NULL) {
        world->features.parts->drop(world, index);
    }
}

// Takes the hull of the snapshot. A shape that has an equal one keeps it.
static void shapes_load_hull(tni_snapshot *snapshot, tni_shape *shape) {
    tni_shared_hull *hull = tni_snapshot_load_hull(snapshot), *own = shape->hull;
    if (own == NULL || !tni_hull_is_same(own->hull, hull->hull)) {
        tni_shared_retain(&hull->shared);
        tni_shared_release((tni_shared *)own);
        shape->hull = hull;
    }
    shape->geometry.hull.hull = shape->hull->hull;
}

static void shapes_load(tni_snapshot *snapshot, uint32_t index) {
    tn_world *world = snapshot->world;
    tni_stream *s = &snapshot->stream;
    tni_shape *shape = tni_shape_at(world, index);
    shapes_kind kind = {.is_part = false};
    shapes_visit_kind(s, &kind);
    bool is_own = tni_snapshot_is_there(snapshot, TNI_SNAPSHOT_SHAPES, index);
    if (is_own && (shape->part != NULL) != kind.is_part) {
        shapes_drop(world, index); // its handle was given twice, before and after another load
        is_own = false;
    }
    if (!is_own) {
        shapes_clear(world, index);
    }
    if (kind.is_part && shape->part == NULL) {
        shape->part = snapshot->spare_parts[--snapshot->spare_count];
    }
    if (kind.is_part) {
        shapes_visit_part(s, kind.is_free, shape->part);
        shape->part->parent = kind.is_free ? TNI_NONE : shape->part->parent;
    }
    if (!kind.is_free) {
        tni_stream_record(s, tni_shape_boxes_at(world, index), shapes_visit_boxes);
    }
    if (kind.is_part) {
        return;
    }
    if (!kind.is_deformed) { // its body was no affine one then
        tni_shape_drop_deformed(world, index);
    }
    tni_geometry before = shape->geometry;
    memset(&shape->geometry, 0, sizeof shape->geometry);
    tni_stream_record(s, shape, shapes_visit_record);
    if (shape->geometry.type == TNI_GEOMETRY_HULL) {
        shapes_load_hull(snapshot, shape);
    } else {
        tni_shape_drop_hull(world, index);
    }
    if (shape->concave != NULL && !tni_geometry_is_concave(shape->geometry.type)) {
        world->features.parts->drop(world, index);
    }
    if (shape->concave != NULL) {
        shape->geometry.concave = before.concave;
        shapes_visit_concave(s, shape->concave);
    }
    shape->leaf = shape->spare_leaf = TNI_NONE; // the trees say which have leaves
}

bool tni_snapshot_visit_shapes(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    tni_stream *s = &snapshot->stream;
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_SHAPES];
    snapshot->hulls.count = 0;
    for (uint32_t i = 0; i < pool->slot_count; ++i) {
        if (s->is_damaged || s->is_other || snapshot->hulls.lacks_memory) {
            break;
        }
        if (tni_pool_handle(pool, i) == 0) {
            continue;
        }
        if (!tni_stream_is_reading(s)) {
            shapes_save(snapshot, i);
        } else if (snapshot->checks) {
            shapes_check(snapshot, i);
        } else {
            shapes_load(snapshot, i);
        }
    }
    uint32_t count = pool->slot_count;
    return !snapshot->checks ||
           (!snapshot->hulls.lacks_memory && shapes_reserve_parts(snapshot) &&
            tni_pages_reserve(&world->shapes, count) &&
            tni_pages_reserve(&world->shape_boxes, count) &&
            tni_pages_reserve(&world->shape_motions, count) &&
            tni_index_list_reserve(&world->allocator, &world->move_list, count) &&
            tni_index_list_reserve(&world->allocator, &world->half_spaces, count) &&
            (world->features.parts == NULL ||
             tni_map_reserve(&world->part_map, world->parts.count + snapshot->needed_parts)));
}

// ---- trees --------------------------------------------------------------------------------------

// A tree that is checked.
typedef struct shapes_tree {
    const tni_snapshot *snapshot;
    bool is_of_static, is_of_sensors;
} shapes_tree;

// Each shape has one leaf at most, in the tree of its kind.
static bool shapes_is_leaf_sound(uint32_t shape, void *context) {
    const shapes_tree *tree = context;
    const tni_snapshot *snapshot = tree->snapshot;
    if (tni_pool_handle(&snapshot->pools[TNI_SNAPSHOT_SHAPES], shape) == 0) {
        return false;
    }
    tni_snapshot_link *link = &snapshot->links.items[TNI_SNAPSHOT_SHAPES][shape];
    bool had_leaf = link->has_leaf, is_plane = link->places[TNI_SNAPSHOT_PLANE] != TNI_NONE ||
                                               link->places[TNI_SNAPSHOT_SENSED] != TNI_NONE;
    link->has_leaf = true;
    if (had_leaf || is_plane || link->is_part || link->is_sensor != tree->is_of_sensors) {
        return false;
    }
    bool is_static = snapshot->links.items[TNI_SNAPSHOT_BODIES][link->bodies[0]].is_static;
    return tree->is_of_sensors || is_static == tree->is_of_static;
}

static void shapes_place_leaf(uint32_t shape, uint32_t leaf, void *context) {
    tni_shape_at(((tni_snapshot *)context)->world, shape)->leaf = leaf;
}

static bool shapes_visit_tree(tni_snapshot *snapshot, tni_tree *tree) {
    tni_stream *s = &snapshot->stream;
    if (!tni_stream_is_reading(s)) {
        tni_tree_save(tree, s);
    } else if (snapshot->checks) {
        shapes_tree checked = {.snapshot = snapshot,
                               .is_of_static = tree == &snapshot->world->static_tree,
                               .is_of_sensors = tree == &snapshot->world->sensing.tree};
        return tni_tree_check_saved(tree, s, shapes_is_leaf_sound, &checked);
    } else {
        tni_tree_load(tree, s, shapes_place_leaf, snapshot);
    }
    return true;
}

bool tni_snapshot_visit_trees(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    return shapes_visit_tree(snapshot, &world->static_tree) &&
           shapes_visit_tree(snapshot, &world->moving_tree) &&
           shapes_visit_tree(snapshot, &world->sensing.tree);
}

// ---- before and after ---------------------------------------------------------------------------

// Frees what shapes have that the snapshot does not have.
void tni_snapshot_drop_shapes(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    for (uint32_t i = 0; i < world->shape_pool.slot_count; ++i) {
        bool is_there = tni_snapshot_is_there(snapshot, TNI_SNAPSHOT_SHAPES, i);
        if (tni_pool_handle(&world->shape_pool, i) != 0 && !is_there) {
            shapes_drop(world, i);
        }
    }
}

void tni_snapshot_finish_shapes(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    for (uint32_t i = 0; i < world->shape_pool.slot_count; ++i) {
        tni_shape *shape = tni_shape_at(world, i);
        if (tni_pool_handle(&world->shape_pool, i) == 0 || shape->part != NULL) {
            continue;
        }
        tni_shape_motion_at(world, i)->is_awake = false;
        float reach = shape->turn_reach, limit = shape->turn_limit;
        tni_shape_renew_deformed(world, i);
        tni_shape_deform(world, i); // which sets these two for the state after the step
        shape->turn_reach = reach;
        shape->turn_limit = limit;
    }
    if (world->features.parts != NULL) {
        world->features.parts->restore(world);
    }
    tni_latch_reopen(&world->knows_strays);
    world->strays.count = 0;
}
