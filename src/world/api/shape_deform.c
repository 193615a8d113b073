// world/api/shape_deform.c: shapes of affine bodies, as contacts see them.
//
// The shapes are made anew whenever bounds are (solver/movers/affine_shape.c), and in each substep
// where they touch (solver/movers/span_contact_place.c). Test:
// tests/world/movers/test_affine_contacts.c
#include "solver/movers/affine.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"

// The share of its size beyond which straining in a step is not anticipated.
#define DEFORM_MOST_STRAIN 1.0

// ---- memory ------------------------------------------------------------------------------------

bool tni_shape_reserve_deformed(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    tni_box_hull storage;
    const tni_hull *rest = tni_affine_get_rest(&shape->geometry, &storage);
    tni_deformed *deformed = tni_alloc_zeroed(&world->allocator, sizeof *deformed);
    if (deformed == NULL) {
        return false;
    }
    if (rest != NULL) {
        deformed->hull = tni_hull_copy(&world->allocator, rest);
        if (deformed->hull == NULL) {
            tni_free(&world->allocator, deformed, sizeof *deformed);
            return false;
        }
    }
    shape->deformed = deformed;
    tni_shape_renew_deformed(world, index);
    return true;
}

void tni_shape_renew_deformed(tn_world *world, uint32_t index) {
    const tni_shape *shape = tni_shape_at(world, index);
    tni_deformed *deformed = shape->deformed;
    if (deformed == NULL) {
        return;
    }
    deformed->geometry = shape->geometry;
    if (deformed->hull != NULL) {
        deformed->geometry.type = TNI_GEOMETRY_HULL;
        deformed->geometry.hull.hull = deformed->hull;
    }
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
    tni_affine_deform(affine, &shape->geometry, body->local_center, deformed);
    tni_shape_update_reach(world, index);
}

float tni_shape_get_strain_way(const tn_world *world, const tni_shape *shape, double dt) {
    const tni_reduced *affine = shape->deformed != NULL
                                    ? tni_body_get_affine(world, tni_body_at(world, shape->body))
                                    : NULL;
    if (affine == NULL) {
        return 0.0f;
    }
    double strain = maths_min_d(tni_affine_get_strain_rate(affine) * dt, DEFORM_MOST_STRAIN);
    return (float)strain * shape->deformed->reach;
}

// Renews a body's shapes. Its contacts end, for they remember faces and edges of the old shapes.
void tni_body_renew_shapes(tn_world *world, uint32_t body) {
    tni_body_destroy_contacts(world, body);
    for (uint32_t i = tni_body_at(world, body)->shape_head; i != TNI_NONE;
         i = tni_shape_at(world, i)->next) {
        tni_shape_update_reach(world, i);
    }
    tni_body_update_bounds(world, body, 0.0);
    tni_body_queue_shapes(world, body);
}
