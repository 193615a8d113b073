// scenes/build_terrain.h: a static ground of triangles whose height is a function of the place.
#ifndef SCENES_BUILD_TERRAIN_H
#define SCENES_BUILD_TERRAIN_H

#include "scenes/build.h"

typedef struct build_terrain {
    double left, right, back, front; // m: from left to right along x, from back to front along z
    uint32_t columns, rows;          // squares along x and z, of two triangles each
    double (*get_height)(double x, double z, const void *context); // m
    const void *context;
    tn_material material;
} build_terrain;

// Default material; the rest is zero.
build_terrain build_terrain_make(void);
// A body named "ground".
tn_body_id build_add_terrain(scene_run *run, const build_terrain *terrain);

#endif
