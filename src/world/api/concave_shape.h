// world/api/concave_shape.h: shapes made from geometry that is many children.
#ifndef TNI_WORLD_API_CONCAVE_SHAPE_H
#define TNI_WORLD_API_CONCAVE_SHAPE_H

#include "collision/concave/concave.h"
#include "world/api/shared_geometry.h"
#include "world/records/convert.h"
#include "world/world.h"

typedef struct tni_concave_source {
    tni_geometry_type type;
    tni_concave *geometry;        // or null, which is refused
    const tn_material *materials; // or null
    uint32_t material_count;
} tni_concave_source;

// Returns OK, NOT_FINITE or, beyond TNI_GEOMETRY_FARTHEST, TOO_LARGE.
tn_result tni_concave_check_numbers(const float *numbers, size_t count);
// Null gives zeros.
static inline tn_bounds concave_get_bounds(const tni_concave *concave) {
    return concave != NULL ? convert_from_bounds(&concave->bounds) : (tn_bounds){0};
}
// Gives a triangle's three corners, or zeros for null; `out_corners` may be null.
static inline void concave_give_corners(const vec3s *corners, tn_vec3 *out_corners) {
    for (int i = 0; i < 3 && out_corners != NULL; ++i) {
        out_corners[i] = corners != NULL ? convert_from_float(corners[i]) : (tn_vec3){0};
    }
}

// Creates a shape, which becomes a user of the geometry.
tn_shape_id tni_concave_shape_create(tn_world *world, tn_body_id id, const tn_shape_def *def,
                                     const tni_concave_source *source, const char *function);

#endif
