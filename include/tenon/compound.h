/// tenon/compound.h: many convex shapes as one, for the parts of a large level.
#ifndef TENON_COMPOUND_H
#define TENON_COMPOUND_H

#include "tenon/hull.h"

TN_EXTERN_C_BEGIN

/// A compound. It never changes, and counts its users as a tn_mesh does. A body with a compound has
/// one shape, however many children that has: they cost a step nothing where nothing is near.
typedef struct tn_compound tn_compound;

/// One child, whose type is SPHERE, CAPSULE, BOX or HULL. Start from tn_compound_child_default().
typedef struct tn_compound_child {
    tn_shape_type type;    ///< default BOX
    tn_pose local_pose;    ///< in the frame of the compound
    float radius;          ///< of a sphere or a capsule, m, > 0
    float half_length;     ///< of a capsule, m, > 0
    tn_vec3 half_extents;  ///< of a box, m, each > 0. Default 0.5
    const tn_vec3 *points; ///< of a hull, as in tn_hull_create()
    uint32_t point_count;
    uint32_t material; ///< its place in the materials of the shape, at most 65535. Default 0
} tn_compound_child;
TN_API tn_compound_child tn_compound_child_default(void);

/// Defines a compound. Start from tn_compound_def_default(). Everything is copied.
typedef struct tn_compound_def {
    const tn_compound_child *children;
    uint32_t child_count; ///< 1 to 2^24
    tn_alloc_fn alloc;    ///< default null: the C library's allocator. Any thread may call these
    tn_free_fn free;
    void *memory_user_data;
} tn_compound_def;
TN_API tn_compound_def tn_compound_def_default(void);

/// Makes a compound, with the caller as its user. Errors: those of the shapes that the children
/// are, TOO_LARGE, OUT_OF_MEMORY: returns null. `out_result` may be null. Thread: any.
TN_API tn_compound *tn_compound_create(const tn_compound_def *def, tn_result *out_result);
/// Add a user, and take one away: the last one frees the compound. Null is allowed. Thread: any.
TN_API void tn_compound_retain(tn_compound *compound);
TN_API void tn_compound_release(tn_compound *compound);
/// Save a compound and load one, as tn_mesh_save() and tn_mesh_load() do with a mesh. Thread: any.
TN_API uint64_t tn_compound_save(const tn_compound *compound, void *out_memory, uint64_t capacity);
TN_API tn_compound *tn_compound_load(const void *memory, uint64_t size, tn_alloc_fn alloc,
                                     tn_free_fn free, void *memory_user_data,
                                     tn_result *out_result);
/// Return how many children it has, its bounds, and how many bytes it takes. Thread: any.
TN_API uint32_t tn_compound_get_child_count(const tn_compound *compound);
TN_API tn_bounds tn_compound_get_bounds(const tn_compound *compound);
/// Returns a child with its numbers, rounded to floats, and no points; or, if there is none of this
/// number, a sphere of radius 0.
TN_API tn_compound_child tn_compound_get_child(const tn_compound *compound, uint32_t child);
/// Copy the corners of a hull, in the frame of the child, m, and the corners of its triangles, as
/// tn_hull_get_vertices() and tn_hull_get_triangles() do. 0 for a child that is no hull.
TN_API uint32_t tn_compound_get_vertices(const tn_compound *compound, uint32_t child,
                                         tn_vec3 *out_vertices, uint32_t capacity);
TN_API uint32_t tn_compound_get_triangles(const tn_compound *compound, uint32_t child,
                                          uint32_t *out_indices, uint32_t capacity);
TN_API uint64_t tn_compound_get_byte_count(const tn_compound *compound);

/// Makes a shape from a compound, as tn_mesh_shape_create() does from a mesh. On a dynamic body it
/// needs a mass that was set.
TN_API tn_shape_id tn_compound_shape_create(tn_world *world, tn_body_id body,
                                            const tn_shape_def *def, tn_compound *compound,
                                            const tn_material *materials, uint32_t material_count);
/// Returns the compound of a shape, without adding a user. Errors: INVALID_ID, WRONG_TYPE (returns
/// null).
TN_API tn_compound *tn_compound_shape_get_compound(const tn_world *world, tn_shape_id shape);

TN_EXTERN_C_END

#endif
