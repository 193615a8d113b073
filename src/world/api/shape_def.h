// world/api/shape_def.h: the checks of what a shape is made from.
#ifndef TNI_WORLD_API_SHAPE_DEF_H
#define TNI_WORLD_API_SHAPE_DEF_H

#include "collision/geometry.h"
#include "tenon/shape.h"

// OK, or what is wrong with a sentence about it.
tn_result tni_shape_def_check(const tn_shape_def *def, const char **out_message);
tn_result tni_material_check(const tn_material *material, const char **out_message);
tn_result tni_density_check(float density, const char **out_message);
tn_result tni_geometry_check(const tni_geometry *geometry, const char **out_message);

#endif
