// collision/height_field.h: a ground given by heights over a grid.
#ifndef TNI_COLLISION_HEIGHT_FIELD_H
#define TNI_COLLISION_HEIGHT_FIELD_H

#include "collision/concave.h"

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

// Returns the height over a place, m: 0 beside the field.
float tni_height_field_get_height(const tni_height_field *field, float x, float z);

#endif
