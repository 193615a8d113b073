// world/shape_deform.c: shapes of affine bodies, as contacts see them.
//
// A point of the shape at rest at X from the centre of mass is at c + R U X
// (solver/affine_shape.c). With the frame of the shape at rest at p, turned by G, in the body's
// axes, that is a polyhedron in the frame at U p, turned by G, of the corners
//     v' = G^T U G v
// so that the body's rotation R, which is all that the rest of the world knows of it, takes it to
// where it is. Of a sphere G^T U G makes an ellipsoid, of a capsule a segment with one along it
// (collision/stretch.h). It is made anew whenever bounds are.
// Test: tests/world/test_affine_contacts.c
#include "core/dmat3.h"
#include "solver/affine.h"
#include "world/world_internal.h"

// Of its size: straining by more in a step is not looked ahead for.
#define DEFORM_MOST_STRAIN 1.0

// ---- memory ------------------------------------------------------------------------------------

// A box's is made in `storage`. Null of round shapes and planes.
static const tni_hull *deform_get_rest(const tni_geometry *geometry, tni_box_hull *storage) {
    if (geometry->type == TNI_GEOMETRY_BOX) {
        tni_box_hull_set(storage, geometry->box.half_extents);
        return &storage->hull;
    }
    return geometry->type == TNI_GEOMETRY_HULL ? geometry->hull.hull : NULL;
}

bool tni_shape_reserve_deformed(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    tni_box_hull storage;
    const tni_hull *rest = deform_get_rest(&shape->geometry, &storage);
    tni_deformed *deformed = tni_alloc_zeroed(&world->allocator, sizeof *deformed);
    if (deformed == NULL) {
        return false;
    }
    deformed->geometry = shape->geometry;
    if (rest != NULL) {
        deformed->hull = tni_hull_copy(&world->allocator, rest);
        if (deformed->hull == NULL) {
            tni_free(&world->allocator, deformed, sizeof *deformed);
            return false;
        }
        deformed->geometry.type = TNI_GEOMETRY_HULL;
        deformed->geometry.hull.hull = deformed->hull;
    }
    shape->deformed = deformed;
    return true;
}

void tni_shape_drop_deformed(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    if (shape->deformed != NULL) {
        tni_hull_destroy(&world->allocator, shape->deformed->hull);
        tni_free(&world->allocator, shape->deformed, sizeof *shape->deformed);
        shape->deformed = NULL;
    }
}

bool tni_body_reserve_deformed(tn_world *world, uint32_t body) {
    for (uint32_t i = tni_body_at(world, body)->shape_head; i != TNI_NONE;
         i = tni_shape_at(world, i)->next) {
        if (!tni_shape_reserve_deformed(world, i)) {
            tni_body_drop_deformed(world, body);
            return false;
        }
    }
    return true;
}

void tni_body_drop_deformed(tn_world *world, uint32_t body) {
    for (uint32_t i = tni_body_at(world, body)->shape_head; i != TNI_NONE;
         i = tni_shape_at(world, i)->next) {
        tni_shape_drop_deformed(world, i);
    }
}

void tni_world_drop_deformed(tn_world *world) {
    for (uint32_t i = 0; i < world->reduced_list.count; ++i) {
        const tni_reduced *reduced = tni_reduced_at(world, world->reduced_list.items[i]);
        if (reduced->affine != NULL) {
            tni_body_drop_deformed(world, reduced->bodies[0].world_body);
        }
    }
}

// ---- shapes ------------------------------------------------------------------------------------

void tni_shape_deform(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    const tni_body *body = tni_body_at(world, shape->body);
    const tni_reduced *affine = tni_body_get_affine(world, body);
    tni_deformed *deformed = shape->deformed;
    if (deformed == NULL || affine == NULL) {
        return;
    }
    tni_box_hull storage;
    const tni_hull *rest = deform_get_rest(&shape->geometry, &storage);
    tni_dmat3 u = tni_affine_get_shape(affine);
    tni_dmat3 frame = dmat3_from_quat(dquat_from_float(shape->geometry.rotation));
    tni_dmat3 turned = dmat3_mul_transposed(&frame, &u), map = dmat3_mul(&turned, &frame);
    tni_dvec3 center = body->local_center;
    tni_dvec3 from = dvec3_sub(dvec3_from_float(shape->geometry.position), center);
    tni_dvec3 place = dvec3_add(center, dmat3_mul_vec(&u, from));
    deformed->geometry.position = dvec3_to_float(place);
    deformed->reach = tni_geometry_reach(&shape->geometry, dvec3_to_float(center));
    if (rest != NULL) {
        tni_hull_deform(rest, &map, deformed->hull);
    } else {
        map = dmat3_symmetric_part(&map);
        tni_stretch_make(&shape->geometry, &map, &deformed->stretch, &deformed->geometry);
    }
    tni_shape_update_reach(world, index);
}

float tni_shape_get_strain_way(const tn_world *world, const tni_shape *shape, double dt) {
    const tni_reduced *affine = shape->deformed != NULL
                                    ? tni_body_get_affine(world, tni_body_at(world, shape->body))
                                    : NULL;
    if (affine == NULL) {
        return 0.0f;
    }
    double strain = fmin(tni_affine_get_strain_rate(affine) * dt, DEFORM_MOST_STRAIN);
    return (float)strain * shape->deformed->reach;
}

// What manifolds remember of faces and edges is that of other shapes.
void tni_body_renew_shapes(tn_world *world, uint32_t body) {
    tni_body_destroy_contacts(world, body);
    for (uint32_t i = tni_body_at(world, body)->shape_head; i != TNI_NONE;
         i = tni_shape_at(world, i)->next) {
        tni_shape_update_reach(world, i);
    }
    tni_body_update_bounds(world, body, 0.0);
    tni_body_queue_shapes(world, body);
}
