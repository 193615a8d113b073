// world/api/compound_api.c: compounds as users see them, and the shapes made from them.
// Test: tests/world/api/test_compound_api.c
#include "collision/concave/compound.h"

#include "tenon/compound.h"
#include "world/api/concave_shape.h"
#include "world/api/shape_def.h"
#include "world/records/convert.h"

static const tni_compound *compound_get(const tn_compound *compound) {
    return (const tni_compound *)(const void *)compound;
}

tn_compound_child tn_compound_child_default(void) {
    tn_compound_child child = {.type = TN_SHAPE_TYPE_BOX, .half_extents = {0.5, 0.5, 0.5}};
    child.local_pose.rotation.w = 1.0;
    return child;
}

tn_compound_def tn_compound_def_default(void) {
    return (tn_compound_def){0};
}

// ---- children ---------------------------------------------------------------------------------

// Returns the geometry that a child describes; of a hull there is none yet.
static tni_geometry compound_read(const tn_compound_child *child) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_SPHERE};
    switch (child->type) {
    case TN_SHAPE_TYPE_CAPSULE:
        geometry.type = TNI_GEOMETRY_CAPSULE;
        geometry.capsule.half_length = child->half_length;
        geometry.capsule.radius = child->radius;
        break;
    case TN_SHAPE_TYPE_BOX:
        geometry.type = TNI_GEOMETRY_BOX;
        geometry.box.half_extents = convert_to_float(child->half_extents);
        break;
    case TN_SHAPE_TYPE_HULL:
        geometry.type = TNI_GEOMETRY_HULL;
        break;
    default:
        geometry.sphere.radius = child->radius;
        break;
    }
    tni_geometry_place(&geometry, &child->local_pose);
    return geometry;
}

static tn_result compound_check_child(const tn_compound_child *child) {
    bool is_convex = child->type == TN_SHAPE_TYPE_SPHERE || child->type == TN_SHAPE_TYPE_CAPSULE ||
                     child->type == TN_SHAPE_TYPE_BOX || child->type == TN_SHAPE_TYPE_HULL;
    if (!is_convex || child->material > UINT16_MAX) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    if (!convert_is_finite_float(child->local_pose.position)) {
        return TN_RESULT_NOT_FINITE;
    }
    tn_result pose = convert_check_pose(&child->local_pose);
    if (pose != TN_RESULT_OK) {
        return pose;
    }
    if (child->type == TN_SHAPE_TYPE_HULL) {
        return tni_hull_check_points(child->points, child->point_count);
    }
    tni_geometry geometry = compound_read(child);
    return tni_geometry_check(&geometry).result;
}

static tn_result compound_check(const tn_compound_def *def) {
    if (!def || !def->children || def->child_count == 0 ||
        !shared_has_memory(def->alloc, def->free)) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    if (def->child_count > TNI_COMPOUND_MOST) {
        return TN_RESULT_TOO_LARGE;
    }
    for (uint32_t i = 0; i < def->child_count; ++i) {
        tn_result result = compound_check_child(&def->children[i]);
        if (result != TN_RESULT_OK) {
            return result;
        }
    }
    return TN_RESULT_OK;
}

// ---- compounds --------------------------------------------------------------------------------

// A definition, and room for the points of its largest hull.
typedef struct compound_source {
    const tn_compound_def *def;
    vec3s *points;
} compound_source;

static tni_compound_child compound_get_child(const void *context, uint32_t index) {
    const compound_source *source = context;
    const tn_compound_child *child = &source->def->children[index];
    bool is_hull = child->type == TN_SHAPE_TYPE_HULL;
    for (uint32_t i = 0; i < child->point_count && is_hull; ++i) {
        source->points[i] = convert_to_float(child->points[i]);
    }
    return (tni_compound_child){.geometry = compound_read(child),
                                .points = source->points,
                                .point_count = is_hull ? child->point_count : 0,
                                .material = (uint16_t)child->material};
}

static tni_compound *compound_make(const tn_compound_def *def, tn_result *out_result) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, def->alloc, def->free, def->memory_user_data);
    uint32_t most = 0;
    for (uint32_t i = 0; i < def->child_count; ++i) {
        const tn_compound_child *child = &def->children[i];
        bool is_larger = child->type == TN_SHAPE_TYPE_HULL && child->point_count > most;
        most = is_larger ? child->point_count : most;
    }
    tni_allocator scratch = allocator;
    compound_source source = {def, tni_alloc(&scratch, most * sizeof(vec3s))};
    if (most > 0 && source.points == NULL) {
        *out_result = TN_RESULT_OUT_OF_MEMORY;
        return NULL;
    }
    tni_compound *compound =
        tni_compound_make(&allocator, def->child_count, compound_get_child, &source, out_result);
    tni_free(&scratch, source.points, most * sizeof(vec3s));
    return compound;
}

tn_compound *tn_compound_create(const tn_compound_def *def, tn_result *out_result) {
    tni_float_environment host = tni_float_environment_enter();
    tn_result result = compound_check(def);
    tni_compound *compound = result == TN_RESULT_OK ? compound_make(def, &result) : NULL;
    tni_float_environment_leave(host);
    if (out_result) {
        *out_result = result;
    }
    return (tn_compound *)(void *)compound;
}

void tn_compound_retain(tn_compound *compound) {
    tni_shared_retain((tni_shared *)(void *)compound);
}

void tn_compound_release(tn_compound *compound) {
    tni_shared_release((tni_shared *)(void *)compound);
}

// Is it at a place, turned by a quaternion of length 1, and of lengths that its type allows?
static bool compound_is_sound_child(const tni_geometry *child) {
    const float *p = child->position.raw, *q = child->rotation.raw;
    float square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]) && fabsf(square - 1.0f) < 1e-4f &&
           tni_geometry_check(child).result == TN_RESULT_OK;
}

static bool compound_is_sound(const tni_shared *shared) {
    const tni_compound *compound = (const tni_compound *)shared;
    bool are_sound = true;
    for (uint32_t i = 0; i < compound->base.child_count; ++i) {
        are_sound = are_sound && compound_is_sound_child(&compound->children[i]);
    }
    return are_sound;
}

static const tni_shared_format compound_format = {TNI_SAVED_COMPOUND, TNI_COMPOUND_VERSION,
                                                  tni_compound_save, tni_compound_load,
                                                  compound_is_sound};

uint64_t tn_compound_save(const tn_compound *compound, void *out_memory, uint64_t capacity) {
    return tni_shared_save(&compound_format, compound, out_memory, capacity);
}

tn_compound *tn_compound_load(const void *memory, uint64_t size, tn_alloc_fn alloc, tn_free_fn free,
                              void *memory_user_data, tn_result *out_result) {
    tni_shared_bytes bytes = {memory, size, alloc, free, memory_user_data};
    return (tn_compound *)(void *)tni_shared_load(&compound_format, &bytes, out_result);
}

uint32_t tn_compound_get_child_count(const tn_compound *compound) {
    return compound ? compound_get(compound)->base.child_count : 0;
}

tn_bounds tn_compound_get_bounds(const tn_compound *compound) {
    return concave_get_bounds((const tni_concave *)(const void *)compound);
}

// Returns the geometry of a child, or null if there is none of this number.
static const tni_geometry *compound_find(const tn_compound *compound, uint32_t child) {
    const tni_compound *own = compound_get(compound);
    return own && child < own->base.child_count ? &own->children[child] : NULL;
}

tn_compound_child tn_compound_get_child(const tn_compound *compound, uint32_t child) {
    const tni_geometry *geometry = compound_find(compound, child);
    tn_compound_child out = {.type = TN_SHAPE_TYPE_SPHERE};
    if (geometry == NULL) {
        return out;
    }
    out.local_pose =
        convert_to_pose(dvec3_from_float(geometry->position), dquat_from_float(geometry->rotation));
    out.material = compound_get(compound)->materials[child];
    switch (geometry->type) {
    case TNI_GEOMETRY_CAPSULE:
        out.type = TN_SHAPE_TYPE_CAPSULE;
        out.half_length = geometry->capsule.half_length;
        out.radius = geometry->capsule.radius;
        break;
    case TNI_GEOMETRY_BOX:
        out.type = TN_SHAPE_TYPE_BOX;
        out.half_extents = convert_from_float(geometry->box.half_extents);
        break;
    case TNI_GEOMETRY_HULL:
        out.type = TN_SHAPE_TYPE_HULL;
        break;
    default:
        out.radius = geometry->sphere.radius;
        break;
    }
    return out;
}

uint32_t tn_compound_get_vertices(const tn_compound *compound, uint32_t child,
                                  tn_vec3 *out_vertices, uint32_t capacity) {
    const tni_geometry *geometry = compound_find(compound, child);
    bool is_hull = geometry && geometry->type == TNI_GEOMETRY_HULL;
    return is_hull ? tni_hull_copy_vertices(geometry->hull.hull, out_vertices, capacity) : 0;
}

uint32_t tn_compound_get_triangles(const tn_compound *compound, uint32_t child,
                                   uint32_t *out_indices, uint32_t capacity) {
    const tni_geometry *geometry = compound_find(compound, child);
    bool is_hull = geometry && geometry->type == TNI_GEOMETRY_HULL;
    return is_hull ? tni_hull_copy_triangles(geometry->hull.hull, out_indices, capacity) : 0;
}

uint64_t tn_compound_get_byte_count(const tn_compound *compound) {
    return shared_get_bytes((const tni_shared *)(const void *)compound);
}

// ---- shapes -----------------------------------------------------------------------------------

tn_shape_id tn_compound_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                     tn_compound *compound, const tn_material *materials,
                                     uint32_t count) {
    tni_concave_source source = {TNI_GEOMETRY_COMPOUND, (tni_concave *)(void *)compound, materials,
                                 count};
    return tni_concave_shape_create(world, body, def, &source, __func__);
}

tn_compound *tn_compound_shape_get_compound(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry =
        tni_shape_find_geometry(world, id, TNI_GEOMETRY_COMPOUND, __func__);
    return geometry ? (tn_compound *)(void *)geometry->concave : NULL;
}
