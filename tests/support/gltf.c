// tests/support/gltf.c: see gltf.h. Source: the glTF 2.0 specification; OMI_physics_body and
// OMI_physics_shape of github.com/omigroup/gltf-extensions.
#include "tests/support/gltf.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/hull_make.h"
#include "tests/support/tool.h"

#define GLTF_MOST_POINTS 65536
#define GLTF_MOST_DEPTH  32

typedef struct gltf_reader {
    tn_world *world;
    const cJSON *root;
    const char *path;
    gltf_scene *out;
} gltf_reader;

// What a node inherits: its parent's pose, and the body to which shapes below it belong.
typedef struct gltf_place {
    tn_pose pose, body_pose;
    tn_body_id body; // null: none
    bool is_trigger;
    int depth;
} gltf_place;

static bool gltf_fail(gltf_reader *reader, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(reader->out->error, sizeof reader->out->error, format, list);
    va_end(list);
    return false;
}

// ---- poses -------------------------------------------------------------------------------------

static tn_vec3 gltf_rotate(tn_quat q, tn_vec3 v) {
    double tx = 2.0 * (q.y * v.z - q.z * v.y);
    double ty = 2.0 * (q.z * v.x - q.x * v.z);
    double tz = 2.0 * (q.x * v.y - q.y * v.x);
    return (tn_vec3){v.x + q.w * tx + q.y * tz - q.z * ty, v.y + q.w * ty + q.z * tx - q.x * tz,
                     v.z + q.w * tz + q.x * ty - q.y * tx};
}

static tn_pose gltf_join(tn_pose outer, tn_pose inner) {
    tn_quat p = outer.rotation, q = inner.rotation;
    tn_vec3 way = gltf_rotate(p, inner.position);
    return (tn_pose){
        .position = {outer.position.x + way.x, outer.position.y + way.y, outer.position.z + way.z},
        .rotation = {p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                     p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                     p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
                     p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z}};
}

static tn_pose gltf_invert(tn_pose pose) {
    tn_quat q = {-pose.rotation.x, -pose.rotation.y, -pose.rotation.z, pose.rotation.w};
    tn_vec3 way = gltf_rotate(q, pose.position);
    return (tn_pose){.position = {-way.x, -way.y, -way.z}, .rotation = q};
}

// ---- numbers -----------------------------------------------------------------------------------

static const cJSON *gltf_get(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static double gltf_get_number(const cJSON *object, const char *name, double otherwise) {
    const cJSON *item = gltf_get(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : otherwise;
}

static double gltf_get_element(const cJSON *list, int index, double otherwise) {
    const cJSON *item = cJSON_GetArrayItem(list, index);
    return cJSON_IsNumber(item) ? item->valuedouble : otherwise;
}

static tn_pose gltf_get_pose(const cJSON *node) {
    const cJSON *place = gltf_get(node, "translation"), *turn = gltf_get(node, "rotation");
    return (tn_pose){.position = {gltf_get_element(place, 0, 0.0), gltf_get_element(place, 1, 0.0),
                                  gltf_get_element(place, 2, 0.0)},
                     .rotation = {gltf_get_element(turn, 0, 0.0), gltf_get_element(turn, 1, 0.0),
                                  gltf_get_element(turn, 2, 0.0), gltf_get_element(turn, 3, 1.0)}};
}

// ---- meshes ------------------------------------------------------------------------------------

// Reads a buffer that lies in a file beside the scene's. Returns null if it is not as long as it
// says.
static unsigned char *gltf_read_buffer(const gltf_reader *reader, int index, size_t *out_size) {
    const cJSON *buffer = cJSON_GetArrayItem(gltf_get(reader->root, "buffers"), index);
    const cJSON *uri = gltf_get(buffer, "uri");
    *out_size = (size_t)gltf_get_number(buffer, "byteLength", 0.0);
    if (!cJSON_IsString(uri) || strncmp(uri->valuestring, "data:", 5) == 0) {
        return NULL;
    }
    char path[512];
    const char *slash = strrchr(reader->path, '/');
    int folder = slash != NULL ? (int)(slash - reader->path) + 1 : 0;
    snprintf(path, sizeof path, "%.*s%s", folder, reader->path, uri->valuestring);
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = file != NULL && *out_size > 0 ? malloc(*out_size) : NULL;
    bool is_whole = bytes != NULL && fread(bytes, 1, *out_size, file) == *out_size;
    if (file != NULL) {
        fclose(file);
    }
    if (!is_whole) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

// Where an accessor's elements of `size` bytes lie in its buffer.
typedef struct gltf_array {
    unsigned char *bytes; // of the whole buffer; free() it
    size_t first, stride, count;
    int type; // of its components
} gltf_array;

static bool gltf_read_array(const gltf_reader *reader, int index, size_t size, gltf_array *out) {
    const cJSON *accessor = cJSON_GetArrayItem(gltf_get(reader->root, "accessors"), index);
    int view_index = (int)gltf_get_number(accessor, "bufferView", -1.0);
    const cJSON *view = cJSON_GetArrayItem(gltf_get(reader->root, "bufferViews"), view_index);
    size_t whole;
    *out = (gltf_array){.first = (size_t)gltf_get_number(view, "byteOffset", 0.0) +
                                 (size_t)gltf_get_number(accessor, "byteOffset", 0.0),
                        .stride = (size_t)gltf_get_number(view, "byteStride", (double)size),
                        .count = (size_t)gltf_get_number(accessor, "count", 0.0),
                        .type = (int)gltf_get_number(accessor, "componentType", 0.0)};
    if (view == NULL || out->count == 0 || out->count > GLTF_MOST_POINTS) {
        return false;
    }
    out->bytes = gltf_read_buffer(reader, (int)gltf_get_number(view, "buffer", -1.0), &whole);
    if (out->bytes == NULL || out->first + (out->count - 1) * out->stride + size > whole) {
        free(out->bytes);
        return false;
    }
    return true;
}

static float *gltf_read_positions(const gltf_reader *reader, const cJSON *part,
                                  uint32_t *out_count) {
    const cJSON *attributes = gltf_get(part, "attributes");
    gltf_array array;
    if (!gltf_read_array(reader, (int)gltf_get_number(attributes, "POSITION", -1.0),
                         3 * sizeof(float), &array)) {
        return NULL;
    }
    float *positions = malloc(array.count * 3 * sizeof *positions);
    for (size_t i = 0; positions != NULL && i < array.count; i++) {
        memcpy(positions + 3 * i, array.bytes + array.first + i * array.stride, 3 * sizeof(float));
    }
    free(array.bytes);
    *out_count = (uint32_t)array.count;
    return positions;
}

static uint32_t *gltf_read_indices(const gltf_reader *reader, const cJSON *part,
                                   uint32_t *out_count) {
    gltf_array array;
    int index = (int)gltf_get_number(part, "indices", -1.0);
    const cJSON *accessor = cJSON_GetArrayItem(gltf_get(reader->root, "accessors"), index);
    size_t size = gltf_get_number(accessor, "componentType", 0.0) == 5123.0 ? 2 : 4;
    if (!gltf_read_array(reader, index, size, &array)) {
        return NULL;
    }
    uint32_t *indices = calloc(array.count, sizeof *indices);
    for (size_t i = 0; indices != NULL && i < array.count; i++) {
        memcpy(indices + i, array.bytes + array.first + i * array.stride, size);
    }
    free(array.bytes);
    *out_count = (uint32_t)array.count;
    return indices;
}

static tn_shape_id gltf_make_hull(gltf_reader *reader, tn_body_id body, const tn_shape_def *def,
                                  const float *positions, uint32_t count) {
    tn_vec3 *points = malloc(count * sizeof *points);
    for (uint32_t i = 0; points != NULL && i < count; i++) {
        points[i] = (tn_vec3){(double)positions[3 * i], (double)positions[3 * i + 1],
                              (double)positions[3 * i + 2]};
    }
    tn_shape_id shape = hull_shape_make(reader->world, body, def, points, count);
    free(points);
    return shape;
}

static tn_shape_id gltf_make_mesh(gltf_reader *reader, tn_body_id body, const tn_shape_def *def,
                                  const cJSON *part, const float *positions, uint32_t count) {
    uint32_t index_count = 0;
    uint32_t *indices = gltf_read_indices(reader, part, &index_count);
    tn_mesh_def mesh_def = tn_mesh_def_default();
    mesh_def.positions = positions;
    mesh_def.position_count = count;
    mesh_def.indices = indices;
    mesh_def.triangle_count = index_count / 3;
    tn_mesh *mesh = tn_mesh_create(&mesh_def, NULL);
    tn_shape_id shape = tn_mesh_shape_create(reader->world, body, def, mesh, NULL, 0);
    tn_mesh_release(mesh);
    free(indices);
    return shape;
}

// Makes a hull or a triangle mesh of the first part of a mesh.
static tn_shape_id gltf_make_of_mesh(gltf_reader *reader, tn_body_id body, const tn_shape_def *def,
                                     const cJSON *numbers, bool is_convex) {
    const cJSON *meshes = gltf_get(reader->root, "meshes");
    const cJSON *mesh = cJSON_GetArrayItem(meshes, (int)gltf_get_number(numbers, "mesh", -1.0));
    const cJSON *part = cJSON_GetArrayItem(gltf_get(mesh, "primitives"), 0);
    uint32_t count = 0;
    float *positions = gltf_read_positions(reader, part, &count);
    tn_shape_id shape = {0};
    if (positions != NULL && is_convex) {
        shape = gltf_make_hull(reader, body, def, positions, count);
    } else if (positions != NULL) {
        shape = gltf_make_mesh(reader, body, def, part, positions, count);
    }
    free(positions);
    return shape;
}

// ---- shapes ------------------------------------------------------------------------------------

static float gltf_get_length(const cJSON *numbers, const char *name, double otherwise) {
    return (float)gltf_get_number(numbers, name, otherwise);
}

// A capsule's height is that of its cylinder. Older files have one radius for both ends.
static tn_shape_id gltf_make_round(gltf_reader *reader, tn_body_id body, const tn_shape_def *def,
                                   const cJSON *numbers, bool is_capsule) {
    double radius = gltf_get_number(numbers, "radius", 0.5);
    float half = 0.5f * gltf_get_length(numbers, "height", 2.0);
    float bottom = gltf_get_length(numbers, "radiusBottom", radius);
    float top = gltf_get_length(numbers, "radiusTop", radius);
    if (!is_capsule) {
        return tn_tapered_cylinder_shape_create(reader->world, body, def, half, bottom, top);
    }
    if (bottom == top) {
        return tn_capsule_shape_create(reader->world, body, def, half, top);
    }
    return tn_tapered_capsule_shape_create(reader->world, body, def, half, bottom, top);
}

static tn_shape_id gltf_make_box(gltf_reader *reader, tn_body_id body, const tn_shape_def *def,
                                 const cJSON *numbers) {
    const cJSON *size = gltf_get(numbers, "size");
    tn_vec3 half = {0.5 * gltf_get_element(size, 0, 1.0), 0.5 * gltf_get_element(size, 1, 1.0),
                    0.5 * gltf_get_element(size, 2, 1.0)};
    return tn_box_shape_create(reader->world, body, def, half);
}

static tn_shape_id gltf_make_shape(gltf_reader *reader, tn_body_id body, const tn_shape_def *def,
                                   const cJSON *shape) {
    const cJSON *type = gltf_get(shape, "type");
    const char *name = cJSON_IsString(type) ? type->valuestring : "";
    const cJSON *numbers = gltf_get(shape, name);
    if (strcmp(name, "box") == 0) {
        return gltf_make_box(reader, body, def, numbers);
    }
    if (strcmp(name, "sphere") == 0) {
        return tn_sphere_shape_create(reader->world, body, def,
                                      gltf_get_length(numbers, "radius", 0.5));
    }
    if (strcmp(name, "capsule") == 0 || strcmp(name, "cylinder") == 0) {
        return gltf_make_round(reader, body, def, numbers, name[1] == 'a');
    }
    if (strcmp(name, "convex") == 0 || strcmp(name, "trimesh") == 0) {
        return gltf_make_of_mesh(reader, body, def, numbers, name[0] == 'c');
    }
    return (tn_shape_id){0};
}

static bool gltf_add_shape(gltf_reader *reader, const gltf_place *place, int index,
                           bool is_sensor) {
    gltf_scene *out = reader->out;
    const cJSON *extension = gltf_get(gltf_get(reader->root, "extensions"), "OMI_physics_shape");
    const cJSON *shape = cJSON_GetArrayItem(gltf_get(extension, "shapes"), index);
    if (shape == NULL || out->shape_count == GLTF_MOST) {
        return gltf_fail(reader, "there is no shape %d, or no room for it", index);
    }
    tn_shape_def def = tn_shape_def_default();
    def.local_pose = gltf_join(gltf_invert(place->body_pose), place->pose);
    def.is_sensor = is_sensor;
    tn_shape_id id = gltf_make_shape(reader, place->body, &def, shape);
    out->shapes[out->shape_count++] = id;
    return id.value != 0 || gltf_fail(reader, "shape %d cannot be made", index);
}

// ---- nodes -------------------------------------------------------------------------------------

static bool gltf_add_body(gltf_reader *reader, gltf_place *place, const char *type) {
    if (reader->out->body_count == GLTF_MOST) {
        return gltf_fail(reader, "there are too many bodies");
    }
    tn_body_def def = tn_body_def_default();
    def.type = strcmp(type, "dynamic") == 0     ? TN_BODY_TYPE_DYNAMIC
               : strcmp(type, "kinematic") == 0 ? TN_BODY_TYPE_KINEMATIC
                                                : TN_BODY_TYPE_STATIC;
    def.pose = place->pose;
    place->body = tn_body_create(reader->world, &def);
    place->body_pose = place->pose;
    reader->out->bodies[reader->out->body_count++] = place->body;
    return place->body.value != 0 || gltf_fail(reader, "a body cannot be made");
}

// Makes what a node adds: a body, or a shape of the body above it.
static bool gltf_add_node(gltf_reader *reader, const cJSON *node, gltf_place *place) {
    const cJSON *physics = gltf_get(gltf_get(node, "extensions"), "OMI_physics_body");
    const cJSON *motion = gltf_get(physics, "motion"), *type = gltf_get(motion, "type");
    const cJSON *trigger = gltf_get(physics, "trigger"), *collider = gltf_get(physics, "collider");
    if (motion != NULL &&
        !gltf_add_body(reader, place, cJSON_IsString(type) ? type->valuestring : "")) {
        return false;
    }
    bool is_sensor = collider == NULL && trigger != NULL;
    const cJSON *index = gltf_get(is_sensor ? trigger : collider, "shape");
    bool needs_body = place->body.value == 0 && (trigger != NULL || collider != NULL);
    if (needs_body && !gltf_add_body(reader, place, "static")) {
        return false;
    }
    return !cJSON_IsNumber(index) || gltf_add_shape(reader, place, index->valueint, is_sensor);
}

static bool gltf_add_tree(gltf_reader *reader, int index, gltf_place place) {
    const cJSON *node = cJSON_GetArrayItem(gltf_get(reader->root, "nodes"), index);
    if (node == NULL || place.depth == GLTF_MOST_DEPTH) {
        return gltf_fail(reader, "there is no node %d, or it is too deep", index);
    }
    place.pose = gltf_join(place.pose, gltf_get_pose(node));
    place.depth += 1;
    if (!gltf_add_node(reader, node, &place)) {
        return false;
    }
    const cJSON *child;
    cJSON_ArrayForEach(child, gltf_get(node, "children")) {
        if (!gltf_add_tree(reader, child->valueint, place)) {
            return false;
        }
    }
    return true;
}

static bool gltf_add_scene(gltf_reader *reader) {
    const cJSON *scene = cJSON_GetArrayItem(gltf_get(reader->root, "scenes"),
                                            (int)gltf_get_number(reader->root, "scene", 0.0));
    const cJSON *node;
    if (gltf_get(scene, "nodes") == NULL) {
        return gltf_fail(reader, "there is no scene");
    }
    cJSON_ArrayForEach(node, gltf_get(scene, "nodes")) {
        gltf_place place = {.pose = {.rotation = {0.0, 0.0, 0.0, 1.0}}};
        if (!gltf_add_tree(reader, node->valueint, place)) {
            return false;
        }
    }
    return true;
}

bool gltf_load(tn_world *world, const char *path, gltf_scene *out) {
    memset(out, 0, sizeof *out);
    char *text = tool_read_file(path);
    cJSON *root = text != NULL ? cJSON_Parse(text) : NULL;
    gltf_reader reader = {world, root, path, out};
    bool is_read = root != NULL ? gltf_add_scene(&reader) : gltf_fail(&reader, "this is no JSON");
    cJSON_Delete(root);
    free(text);
    return is_read;
}
