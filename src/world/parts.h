// world/parts.h: shapes of the children of concave geometry, made where something is near.
#ifndef TNI_WORLD_PARTS_H
#define TNI_WORLD_PARTS_H

#include "collision/concave/concave.h"
#include "world/world.h"

// The part of a shape that only concave geometry has, beside its record.
typedef struct tni_concave_shape {
    tni_concave *geometry;  // one user is the shape
    tn_material *materials; // of the triangles, or null: then all have the shape's
    uint32_t material_count;
    uint32_t part_head; // the first of its parts, a shape, or TNI_NONE
    tni_dpose place;    // of the body's frame when its boxes were last renewed
    double slack;       // m: how far each point may go from there until they are renewed
    double dt;          // s: of the last prediction
} tni_concave_shape;

// A part of a shape, beside its record.
typedef struct tni_part {
    uint32_t parent, child;
    uint32_t contact_count;  // the part ends with the last
    uint32_t previous, next; // parts of the same parent, or TNI_NONE
    uint32_t handle;         // in the pool; the record has the parent's, which is what users see
    tni_part_geometry own;
} tni_part;

// Returns the shape that users see, of which the given one is a part or the whole.
static inline const tni_shape *tni_shape_get_whole(const tn_world *world, const tni_shape *shape) {
    return shape->part != NULL ? tni_shape_at(world, shape->part->parent) : shape;
}

// The functions by which the rest of the world reaches parts: see world/records/features.h.
typedef struct tni_part_feature {
    // Makes the contacts of a shape with the children that it is near. One of the two is concave.
    // Returns false without memory.
    bool (*meet)(tn_world *world, uint32_t shape_a, uint32_t shape_b);
    // Count the touching contacts between two shapes as users see them. The first makes room for
    // one more contact, without which the second may not be called. That returns whether the
    // contact is the first to touch, or the last that did.
    bool (*reserve_touches)(tn_world *world);
    bool (*count_touch)(tn_world *world, const tni_contact *contact, bool begins);
    // Calls `visit` with a record like that of a part for each child whose box meets a box in the
    // world. The record ends with the call.
    void (*visit)(const tn_world *world, uint32_t shape, const tni_bounds *bounds,
                  void (*visit)(const tni_shape *part, void *context), void *context);
    // Does the same for each child that a box of half the edges `reach` meets along a ray at no
    // more than *limit, which `visit` may lower: near ones first.
    void (*visit_along)(const tn_world *world, uint32_t shape, const tni_ray *ray, tni_dvec3 reach,
                        const double *limit, void (*visit)(const tni_shape *part, void *context),
                        void *context);
    // A contact of a part ended.
    void (*leave)(tn_world *world, uint32_t part);
    // Predicts the boxes of a concave shape and of its parts for a step of dt. Returns whether they
    // fit into the enlarged ones.
    bool (*predict)(tn_world *world, uint32_t shape, double dt);
    // Makes the enlarged boxes anew.
    void (*enlarge)(tn_world *world, uint32_t shape);
    // Takes over all that has changed in the parent.
    void (*renew)(tn_world *world, uint32_t shape);
    void (*update_motions)(tn_world *world, uint32_t shape, double dt);
    void (*forget_motions)(tn_world *world, uint32_t shape); // the body is no longer awake
    // Makes the records of all parts anew, of which only world->parts, their tni_part and their
    // boxes are known. A slot that is not in use has no parent. There is room in part_map.
    void (*restore)(tn_world *world);
    // Frees what a concave shape, or the whole world, has beside its records.
    void (*free)(tn_world *world, tni_concave_shape *concave);
    void (*drop)(tn_world *world, uint32_t shape);
    void (*drop_all)(tn_world *world);
} tni_part_feature;
extern const tni_part_feature tni_parts_feature;

#endif
