/// tenon/hull.h: convex hulls, which are made once and shared by shapes, worlds and threads.
#ifndef TENON_HULL_H
#define TENON_HULL_H

#include "tenon/shape.h"

TN_EXTERN_C_BEGIN

/// A convex hull. It never changes, and counts its users: the one who made it, those who retained
/// it, and the shapes made from it. Any thread may retain, release and read it at any time.
typedef struct tn_hull tn_hull;

/// Defines a hull. Start from tn_hull_def_default(). The points are copied.
typedef struct tn_hull_def {
    const tn_vec3 *points; ///< m, at most 1e9 from the origin, in any order
    uint32_t point_count;  ///< 4 to 65535, of which at most 255 remain as corners
    tn_alloc_fn alloc;     ///< default null: the C library's allocator. Any thread may call these
    tn_free_fn free;
    void *memory_user_data;
} tn_hull_def;
TN_API tn_hull_def tn_hull_def_default(void);

/// Builds the convex hull around points, with the caller as its user. Errors: INVALID_ARGUMENT (a
/// null pointer, fewer than four points, one memory hook without the other), NOT_FINITE,
/// DEGENERATE_HULL, TOO_LARGE, OUT_OF_MEMORY: returns null. `out_result` may be null. Thread: any.
TN_API tn_hull *tn_hull_create(const tn_hull_def *def, tn_result *out_result);
/// Add a user, and take one away: the last one frees the hull. Null is allowed. Thread: any.
TN_API void tn_hull_retain(tn_hull *hull);
TN_API void tn_hull_release(tn_hull *hull);
/// Save a hull and load one, as tn_mesh_save() and tn_mesh_load() do with a mesh. Thread: any.
TN_API uint64_t tn_hull_save(const tn_hull *hull, void *out_memory, uint64_t capacity);
TN_API tn_hull *tn_hull_load(const void *memory, uint64_t size, tn_alloc_fn alloc, tn_free_fn free,
                             void *memory_user_data, tn_result *out_result);

/// Copies at most `capacity` corners, m. Returns how many there are. Thread: any, as for all below.
/// Null gives zeros.
TN_API uint32_t tn_hull_get_vertices(const tn_hull *hull, tn_vec3 *out_vertices, uint32_t capacity);
/// Copies at most `capacity` indices of corners: triangles of 3, counter-clockwise from outside,
/// that cover the surface. Returns how many indices there are.
TN_API uint32_t tn_hull_get_triangles(const tn_hull *hull, uint32_t *out_indices,
                                      uint32_t capacity);
TN_API tn_bounds tn_hull_get_bounds(const tn_hull *hull);
/// Returns the volume, m^3.
TN_API float tn_hull_get_volume(const tn_hull *hull);
/// Returns how many bytes the hull takes.
TN_API uint64_t tn_hull_get_byte_count(const tn_hull *hull);

/// Makes a shape from a hull, and becomes its user. Errors: as for other shapes; INVALID_ARGUMENT
/// also for a null hull.
TN_API tn_shape_id tn_hull_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                        tn_hull *hull);
/// Returns the hull of a shape, without adding a user. Errors: INVALID_ID, WRONG_TYPE (returns
/// null).
TN_API tn_hull *tn_hull_shape_get_hull(const tn_world *world, tn_shape_id shape);
/// Changes a shape in place, which becomes a user of the hull that it takes. Errors: as for the
/// lengths of other shapes (tenon/shape.h); INVALID_ARGUMENT also for a null hull.
TN_API tn_result tn_hull_shape_set_hull(tn_world *world, tn_shape_id shape, tn_hull *hull);

TN_EXTERN_C_END

#endif
