// scenes/build_terrain.h: a static ground whose height is a function of the place: a mesh or a
// height field, of the same triangles.
#ifndef SCENES_BUILD_TERRAIN_H
#define SCENES_BUILD_TERRAIN_H

#include "scenes/build.h"

typedef struct build_terrain {
    double left, right, back, front; // m: from left to right along x, from back to front along z
    uint32_t columns, rows;          // squares along x and z, of two triangles each
    double (*get_height)(double x, double z, const void *context); // m
    const void *context;
    tn_material material;
    bool is_field;
} build_terrain;

// Default material; the rest is zero.
build_terrain build_terrain_make(void);
// The same, a square of `count` x `count` squares about the origin.
build_terrain build_terrain_make_square(double half, uint32_t count);
// A body named "ground".
tn_body_id build_add_terrain(scene_run *run, const build_terrain *terrain);

// Hills in a valley: height sin(x wave_x) cos(z wave_z) + valley (x^2 + z^2).
typedef struct build_hills {
    double height;         // m
    double wave_x, wave_z; // rad/m
    double valley;         // 1/m
} build_hills;
// The height, m, at a place; `hills` is a build_hills: a `get_height` of terrain.
double build_hills_get_height(double x, double z, const void *hills);

#endif
