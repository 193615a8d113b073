// world/api/shape_def.h: the checks of what a shape is made from.
#ifndef TNI_WORLD_API_SHAPE_DEF_H
#define TNI_WORLD_API_SHAPE_DEF_H

#include "collision/geometry.h"
#include "tenon/shape.h"
#include "world/records/check.h"

tni_check tni_shape_def_check(const tn_shape_def *def);
tni_check tni_material_check(const tn_material *material);
tni_check tni_density_check(float density);
tni_check tni_geometry_check(const tni_geometry *geometry);

#endif
