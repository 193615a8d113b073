// collision/concave/concave.h: geometry that is many convex children, such as a triangle mesh.
//
// It is made once, never changes, and counts its users, who may be on several threads. The world
// makes a shape of a child when something comes near it (world/collide/parts.c).
#ifndef TNI_COLLISION_CONCAVE_CONCAVE_H
#define TNI_COLLISION_CONCAVE_CONCAVE_H

#include "collision/concave/triangle.h"
#include "collision/ray.h"
#include "collision/shared.h"

typedef struct tni_concave tni_concave;

// A child as a geometry in the frame of the whole, and the memory that a triangle's hull needs.
typedef struct tni_part_geometry {
    tni_geometry geometry;
    tni_triangle_hull triangle;
} tni_part_geometry;

// Is called with the number of a child. Returns false to end the search.
typedef bool (*tni_concave_visit_fn)(uint32_t child, void *context);

// The functions of one kind of geometry. All are safe on several threads.
typedef struct tni_concave_kind {
    // Visits the children whose boxes meet a box, in an order that depends on these alone.
    void (*find)(const tni_concave *concave, const tni_bounds *bounds, tni_concave_visit_fn visit,
                 void *context);
    // Visits the children whose boxes a box of half the edges `reach` meets along a ray at no more
    // than *limit, which `visit` may lower: near ones first.
    void (*find_along)(const tni_concave *concave, const tni_ray *ray, tni_dvec3 reach,
                       const double *limit, tni_concave_visit_fn visit, void *context);
    void (*get_part)(const tni_concave *concave, uint32_t child, tni_part_geometry *out_part);
    bool (*cast_ray)(const tni_concave *concave, const tni_ray *ray, tni_ray_way way,
                     tni_ray_hit *out_hit);
    uint32_t (*get_material)(const tni_concave *concave, uint32_t child);
} tni_concave_kind;

struct tni_concave {
    tni_shared shared;
    const tni_concave_kind *kind;
    tni_bounds bounds;
    uint32_t child_count;
    uint32_t material_count; // one more than the greatest index of a material
    bool is_closed;          // encloses a volume, which `mass` describes
    tni_mass_properties mass;
};

// Returns a corner of a child that is a triangle, in the frame of the geometry, m.
static inline tni_dvec3 part_get_corner(const tni_part_geometry *part, uint32_t corner) {
    return dvec3_from_float(
        glms_vec3_add(part->geometry.position, part->triangle.vertices[corner]));
}

// Sets the number of materials to that of the largest one named, plus 1; null names none.
static inline void tni_concave_count_materials(tni_concave *concave, const uint16_t *materials,
                                               size_t count) {
    uint32_t needed = 0;
    for (size_t i = 0; materials != NULL && i < count; ++i) {
        needed = materials[i] + 1u > needed ? materials[i] + 1u : needed;
    }
    concave->material_count = needed;
}

// Sets a triangle with these corners. They stand from the first one, so that they are as exact far
// from the origin as near it.
static inline void tni_part_geometry_set(tni_part_geometry *part, const vec3s corners[3],
                                         uint32_t sides) {
    const vec3s own[3] = {maths_vec3_zero(), glms_vec3_sub(corners[1], corners[0]),
                          glms_vec3_sub(corners[2], corners[0])};
    tni_triangle_hull_set(&part->triangle, own, sides);
    part->geometry = (tni_geometry){.type = TNI_GEOMETRY_HULL};
    part->geometry.position = corners[0];
    part->geometry.rotation = maths_quat_identity();
    part->geometry.hull.hull = &part->triangle.hull;
}

#endif
