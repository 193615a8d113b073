// world/api/shape_def.h: the checks of what a shape is made from.
#ifndef TNI_WORLD_API_SHAPE_DEF_H
#define TNI_WORLD_API_SHAPE_DEF_H

#include "collision/shared_hull.h"
#include "tenon/hull.h"
#include "world/records/check.h"

// Puts the geometry at a local pose that passed the check.
void tni_geometry_place(tni_geometry *geometry, const tn_pose *pose);
// Returns about half of its extent, for the margin of its bounds.
float tni_shape_find_size(const tni_geometry *geometry);
tni_check tni_local_pose_check(const tn_pose *pose);
struct tni_concave_shape;

tni_check tni_shape_def_check(const tn_shape_def *def);
tni_check tni_material_check(const tn_material *material);
tni_check tni_density_check(float density);
tni_check tni_rounding_check(float rounding);
tni_check tni_surface_check(const tn_surface_velocity *velocity);
bool tni_surface_moves(const tn_surface_velocity *velocity);
tni_check tni_geometry_check(const tni_geometry *geometry);

// Creates a shape. `hull`, null unless the geometry is one, gets a user; `concave`, null for most,
// is taken over, and freed if the shape is refused.
tn_shape_id tni_shape_create(tn_world *world, tn_body_id id, const tn_shape_def *def,
                             const tni_geometry *geometry, tni_shared_hull *hull,
                             struct tni_concave_shape *concave, const char *function);
// Reports WRONG_TYPE.
void tni_shape_refuse_type(const tn_world *world, tn_shape_id id, const char *function);
// Returns the shape's geometry if it is of the type, or null after a report.
const tni_geometry *tni_shape_find_geometry(const tn_world *world, tn_shape_id id,
                                            tni_geometry_type type, const char *function);

// Copy at most `capacity` corners of a hull, and corners of the triangles that cover it. Return how
// many there are (hull_api.c).
uint32_t tni_hull_copy_vertices(const tni_hull *hull, tn_vec3 *out_vertices, uint32_t capacity);
uint32_t tni_hull_copy_triangles(const tni_hull *hull, uint32_t *out_indices, uint32_t capacity);
// Refuses a null hull.
static inline tni_check hull_check(const tn_hull *hull) {
    return tni_check_that(hull != NULL, TN_RESULT_INVALID_ARGUMENT, "There is no hull.");
}
// Returns OK, or why no hull is made of these points.
tn_result tni_hull_check_points(const tn_vec3 *points, uint32_t count);

#endif
