// tests/support/gltf.h: makes bodies and shapes of a glTF file's OMI_physics_body and
// OMI_physics_shape.
#ifndef TESTS_SUPPORT_GLTF_H
#define TESTS_SUPPORT_GLTF_H

#include <tenon/tenon.h>

#define GLTF_MOST 64

typedef struct gltf_scene {
    tn_body_id bodies[GLTF_MOST];
    tn_shape_id shapes[GLTF_MOST];
    int body_count, shape_count;
    char error[160]; // what is wrong with the file, or empty
} gltf_scene;

// Reads a file, with the buffers that lie beside it, and makes a static body for each shape that no
// body has. Triggers are sensors. Returns false, with `error`, where something is missing.
bool gltf_load(tn_world *world, const char *path, gltf_scene *out);

#endif
