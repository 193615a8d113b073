// world/api/concave_shape.h: shapes made from geometry that is many children.
#ifndef TNI_WORLD_API_CONCAVE_SHAPE_H
#define TNI_WORLD_API_CONCAVE_SHAPE_H

#include "collision/concave.h"
#include "world/world.h"

typedef struct tni_concave_source {
    tni_geometry_type type;
    tni_concave *geometry;        // or null, which is refused
    const tn_material *materials; // or null
    uint32_t material_count;
} tni_concave_source;

// Creates a shape, which becomes a user of the geometry.
tn_shape_id tni_concave_shape_create(tn_world *world, tn_body_id id, const tn_shape_def *def,
                                     const tni_concave_source *source, const char *function);

#endif
