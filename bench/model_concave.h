// bench/model_concave.h: meshes and height fields as plain vertices and triangles.
#ifndef BENCH_MODEL_CONCAVE_H
#define BENCH_MODEL_CONCAVE_H

#include "bench/model.h"

// Fill in the vertices and triangles of a shape, and the grid of a field. False without memory.
bool model_read_mesh(const tn_mesh *mesh, model_shape *shape);
bool model_read_height_field(const tn_height_field *field, model_shape *shape);

#endif
