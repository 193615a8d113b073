/// tenon/mesh.h: triangle meshes, which are made once and shared by shapes, worlds and threads.
#ifndef TENON_MESH_H
#define TENON_MESH_H

#include "tenon/shape.h"

TN_EXTERN_C_BEGIN

/// A triangle mesh. It never changes, and counts its users: the one who made it, those who retained
/// it, and the shapes made from it. Any thread may retain, release and read it at any time.
typedef struct tn_mesh tn_mesh;

/// Is called while a mesh is made, with the share that is done, 0 to 1. Returns false to cancel.
typedef bool (*tn_mesh_progress_fn)(float fraction, void *user_data);

/// Defines a mesh. Start from tn_mesh_def_default(). The arrays are copied.
typedef struct tn_mesh_def {
    const float *positions;    ///< x, y, z of each point, m, at most 1e9 from the origin
    const uint32_t *indices;   ///< three points for each triangle, counter-clockwise from its front
    const uint16_t *materials; ///< for each triangle its place in the materials of the shape;
                               ///< default null: 0
    uint32_t position_count;   ///< at most 2^30
    uint32_t triangle_count;   ///< 1 to 2^28
    /// Nothing collides with the back of a triangle, and rays without back faces pass through it,
    /// unless this is set. Default false
    bool is_two_sided;
    tn_mesh_progress_fn progress; ///< default null
    void *progress_user_data;
    /// Workers make the tree of the mesh, which is the same to the bit for any number of them. They
    /// come from `enqueue` (default null), or are worker_count - 1 threads beside the caller, for
    /// the time of the call. `progress` is called by the calling thread alone
    tn_task_enqueue_fn enqueue;
    tn_task_finish_fn finish; ///< needed with `enqueue`
    void *task_user_data;
    uint32_t worker_count; ///< at most 64; 0 is as 1. Default 1
    tn_alloc_fn alloc;     ///< default null: the C library's allocator. Any thread may call these
    tn_free_fn free;
    void *memory_user_data;
} tn_mesh_def;
TN_API tn_mesh_def tn_mesh_def_default(void);

/// Makes a mesh, with the caller as its user. Triangles without an area are left out, and points at
/// the same place are one. Errors: INVALID_ARGUMENT (a null pointer, no triangle, an index that
/// names no point, one hook without the other, a worker count out of range), NOT_FINITE, TOO_LARGE,
/// DEGENERATE_MESH (no triangle has an area), CANCELLED, OUT_OF_MEMORY: returns null. `out_result`
/// may be null. Thread: any.
TN_API tn_mesh *tn_mesh_create(const tn_mesh_def *def, tn_result *out_result);
/// Add a user, and take one away: the last one frees the mesh. Null is allowed. Thread: any.
TN_API void tn_mesh_retain(tn_mesh *mesh);
TN_API void tn_mesh_release(tn_mesh *mesh);

/// Writes the mesh, with its tree, into the caller's memory, and returns how many bytes it takes;
/// writes nothing if `out_memory` is null or `capacity` is less. The bytes are the same on every
/// platform, and any later version of the library reads them. Null gives 0. Thread: any.
TN_API uint64_t tn_mesh_save(const tn_mesh *mesh, void *out_memory, uint64_t capacity);
/// Makes a mesh of bytes that tn_mesh_save() wrote, with the caller as its user. It gives the same
/// bits in a world as the one that was saved. The bytes are not needed afterwards. Null memory
/// hooks mean the C library's allocator. Errors: INVALID_ARGUMENT (no bytes, one hook without the
/// other), FOREIGN_DATA, NEWER_DATA, DAMAGED_DATA, OUT_OF_MEMORY: returns null. `out_result` may be
/// null. Thread: any.
TN_API tn_mesh *tn_mesh_load(const void *memory, uint64_t size, tn_alloc_fn alloc, tn_free_fn free,
                             void *memory_user_data, tn_result *out_result);

/// Return how many triangles and points the mesh was made from. Thread: any, as for all below. Null
/// gives zeros.
TN_API uint32_t tn_mesh_get_triangle_count(const tn_mesh *mesh);
TN_API uint32_t tn_mesh_get_position_count(const tn_mesh *mesh);
/// Gets the three corners of a triangle, m, or zeros if there is none of this number.
TN_API void tn_mesh_get_triangle(const tn_mesh *mesh, uint32_t triangle, tn_vec3 *out_corners);
TN_API tn_bounds tn_mesh_get_bounds(const tn_mesh *mesh);
/// Returns how many bytes the mesh takes.
TN_API uint64_t tn_mesh_get_byte_count(const tn_mesh *mesh);
/// Returns the volume that the mesh encloses, m^3: 0 if it is not closed.
TN_API float tn_mesh_get_volume(const tn_mesh *mesh);

/// Makes a shape from a mesh. With a list of `materials`, which is copied, each triangle has the
/// one that the mesh names; without (null, 0) all have that of `def`. A dynamic body needs a closed
/// mesh or a mass that was set. Meshes do not collide with one another. Errors: as for other
/// shapes; INVALID_ARGUMENT also if the mesh names a material that the list does not have, and
/// INVALID_MASS if a dynamic body would get its mass from a mesh that is not closed; WRONG_TYPE for
/// particles and affine bodies.
TN_API tn_shape_id tn_mesh_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                        tn_mesh *mesh, const tn_material *materials,
                                        uint32_t material_count);
/// Returns the mesh of a shape, without adding a user. Errors: INVALID_ID, WRONG_TYPE (returns
/// null).
TN_API tn_mesh *tn_mesh_shape_get_mesh(const tn_world *world, tn_shape_id shape);

TN_EXTERN_C_END

#endif
