/// tenon/height_field.h: grounds given by heights over a grid.
#ifndef TENON_HEIGHT_FIELD_H
#define TENON_HEIGHT_FIELD_H

#include "tenon/shape.h"

TN_EXTERN_C_BEGIN

/// A height field. It never changes, and counts its users as a tn_mesh does. Sample (i, j) stands
/// at (i * spacing_x, height, j * spacing_z) in the frame of its shape; the ground is met from
/// above, from +y. The square between (i, j) and (i + 1, j + 1) is a cell of two triangles, cut
/// from (i + 1, j) to (i, j + 1).
typedef struct tn_height_field tn_height_field;

/// Defines a height field. Start from tn_height_field_def_default(). The arrays are copied.
typedef struct tn_height_field_def {
    const float *heights; ///< m, columns * rows of them: those along x first
    const uint8_t *holes; ///< for each of (columns - 1) * (rows - 1) cells, 0 for a closed one;
                          ///< default null: none is open
    const uint16_t *materials;  ///< for each cell its place in the materials of the shape; default
                                ///< null: 0
    uint32_t columns, rows;     ///< samples along x and z, 2 to 32768
    float spacing_x, spacing_z; ///< m, > 0. Default 1
    tn_alloc_fn alloc; ///< default null: the C library's allocator. Any thread may call these
    tn_free_fn free;
    void *memory_user_data;
} tn_height_field_def;
TN_API tn_height_field_def tn_height_field_def_default(void);

/// Makes a height field, with the caller as its user. Errors: INVALID_ARGUMENT, NOT_FINITE,
/// TOO_LARGE (also for a place farther than 1e9 m), OUT_OF_MEMORY: returns null. `out_result` may
/// be null. Thread: any.
TN_API tn_height_field *tn_height_field_create(const tn_height_field_def *def,
                                               tn_result *out_result);
/// Add a user, and take one away: the last one frees the field. Null is allowed. Thread: any.
TN_API void tn_height_field_retain(tn_height_field *field);
TN_API void tn_height_field_release(tn_height_field *field);

/// Save a field and load one, as tn_mesh_save() and tn_mesh_load() do with a mesh. Thread: any.
TN_API uint64_t tn_height_field_save(const tn_height_field *field, void *out_memory,
                                     uint64_t capacity);
TN_API tn_height_field *tn_height_field_load(const void *memory, uint64_t size, tn_alloc_fn alloc,
                                             tn_free_fn free, void *memory_user_data,
                                             tn_result *out_result);

/// Returns the height over a place of the field's own frame, m: 0 beside the field. A hole has the
/// height that it would have if it were closed. Thread: any, as for all below.
TN_API float tn_height_field_get_height(const tn_height_field *field, float x, float z);
TN_API tn_bounds tn_height_field_get_bounds(const tn_height_field *field);
/// Returns what the field was made from. The arrays are the field's own: they live as long as it
/// does. Null gives zeros.
TN_API tn_height_field_def tn_height_field_get_def(const tn_height_field *field);
/// Return how many triangles there are, with those of holes, and the three corners of one, m: zeros
/// for a hole, or if there is none of this number.
TN_API uint32_t tn_height_field_get_triangle_count(const tn_height_field *field);
TN_API void tn_height_field_get_triangle(const tn_height_field *field, uint32_t triangle,
                                         tn_vec3 *out_corners);
/// Returns how many bytes the field takes.
TN_API uint64_t tn_height_field_get_byte_count(const tn_height_field *field);

/// Makes a shape from a height field, as tn_mesh_shape_create() does from a mesh. Its children in
/// a tn_contact are triangles: cell (i, j) has 2 (j (columns - 1) + i) and the next.
TN_API tn_shape_id tn_height_field_shape_create(tn_world *world, tn_body_id body,
                                                const tn_shape_def *def, tn_height_field *field,
                                                const tn_material *materials,
                                                uint32_t material_count);
/// Returns the height field of a shape, without adding a user. Errors: INVALID_ID, WRONG_TYPE
/// (returns null).
TN_API tn_height_field *tn_height_field_shape_get_height_field(const tn_world *world,
                                                               tn_shape_id shape);

TN_EXTERN_C_END

#endif
