// collision/concave/height_field.h: a ground given by heights over a grid.
#ifndef TNI_COLLISION_CONCAVE_HEIGHT_FIELD_H
#define TNI_COLLISION_CONCAVE_HEIGHT_FIELD_H

#include "collision/concave/concave.h"
#include "core/saved.h"

// Most samples along a side: numbers of triangles fit into 32 bits.
#define TNI_HEIGHT_FIELD_MOST 32768u

// Sample (i, j) stands at (i * spacing_x, height, j * spacing_z). The square between (i, j) and
// (i + 1, j + 1), a cell, has two triangles, cut from (i + 1, j) to (i, j + 1). The triangles of
// cell c are 2 c, at its sample (i, j), and 2 c + 1.
typedef struct tni_height_field {
    tni_concave base;
    float *heights;      // row by row along x
    uint8_t *holes;      // by cell, or null: cells without triangles are not 0
    uint16_t *materials; // by cell, or null
    float spacing_x, spacing_z;
    uint32_t columns, rows; // of samples
} tni_height_field;

typedef struct tni_height_field_source {
    const float *heights;
    const uint8_t *holes;      // or null
    const uint16_t *materials; // or null
    float spacing_x, spacing_z;
    uint32_t columns, rows;
} tni_height_field_source;

// Makes a height field with one user. The source must have been checked. Returns null without
// memory.
tni_height_field *tni_height_field_make(const tni_allocator *allocator,
                                        const tni_height_field_source *source);

// The steps of making one: the first returns null without memory, else a field with one user, whose
// arrays are not filled in; the last measures it.
typedef struct tni_height_field_grid {
    float spacing_x, spacing_z;
    uint32_t columns, rows;
    bool has_holes, has_materials;
} tni_height_field_grid;
tni_height_field *tni_height_field_allocate(const tni_allocator *allocator,
                                            const tni_height_field_grid *grid);
void tni_height_field_finish(tni_height_field *field);

// Saves a field, and loads one with one user, whose lengths are not checked. Returns null after
// DAMAGED_DATA or OUT_OF_MEMORY (height_field_saved.c).
#define TNI_HEIGHT_FIELD_VERSION 1
void tni_height_field_save(tni_stream *stream, const void *field);
tni_shared *tni_height_field_load(tni_stream *stream, const tni_allocator *allocator,
                                  tn_result *out_result);

// Gets the corners of a triangle, counter-clockwise from above. Returns whether there is one: not
// in a hole.
bool tni_height_field_get_corners(const tni_height_field *field, uint32_t triangle,
                                  vec3s corners[3]);

// Returns the height over a place, m: 0 beside the field.
float tni_height_field_get_height(const tni_height_field *field, float x, float z);

#endif
