// world/api/shape_access.c: a shape's numbers, material, filter and density, read and set.
// Test: tests/world/api/test_shape.c
#include "core/same.h"
#include "world/api/shape_def.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/parts.h"
#include "world/records/convert.h"

bool tn_shape_is_valid(const tn_world *world, tn_shape_id id) {
    return world && tni_world_get_shape_index(world, id) != TNI_NONE;
}

tn_body_id tn_shape_get_body(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    if (index == TNI_NONE) {
        return (tn_body_id){0};
    }
    return (tn_body_id){tni_body_at(world, tni_shape_at(world, index)->body)->handle};
}

tn_shape_type tn_shape_get_type(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    if (index == TNI_NONE) {
        return TN_SHAPE_TYPE_SPHERE;
    }
    switch (tni_shape_at(world, index)->geometry.type) {
    case TNI_GEOMETRY_CAPSULE:
        return TN_SHAPE_TYPE_CAPSULE;
    case TNI_GEOMETRY_BOX:
        return TN_SHAPE_TYPE_BOX;
    case TNI_GEOMETRY_HULL:
        return TN_SHAPE_TYPE_HULL;
    case TNI_GEOMETRY_HALF_SPACE:
        return TN_SHAPE_TYPE_HALF_SPACE;
    case TNI_GEOMETRY_MESH:
        return TN_SHAPE_TYPE_MESH;
    case TNI_GEOMETRY_HEIGHT_FIELD:
        return TN_SHAPE_TYPE_HEIGHT_FIELD;
    case TNI_GEOMETRY_COMPOUND:
        return TN_SHAPE_TYPE_COMPOUND;
    default:
        return TN_SHAPE_TYPE_SPHERE;
    }
}

tn_pose tn_shape_get_local_pose(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    if (index == TNI_NONE) {
        return (tn_pose){0};
    }
    const tni_geometry *geometry = &tni_shape_at(world, index)->geometry;
    return convert_to_pose(dvec3_from_float(geometry->position),
                           dquat_from_float(geometry->rotation));
}

// ---- geometry ---------------------------------------------------------------------------------

const tni_geometry *tni_shape_find_geometry(const tn_world *world, tn_shape_id id,
                                            tni_geometry_type type, const char *function) {
    uint32_t index = tni_world_find_shape(world, id, function);
    if (index == TNI_NONE) {
        return NULL;
    }
    const tni_geometry *geometry = &tni_shape_at(world, index)->geometry;
    if (geometry->type == type) {
        return geometry;
    }
    tni_world_report(world, TN_RESULT_WRONG_TYPE, function,
                     "The shape is of another type than this function is for.", id.value);
    return NULL;
}

float tn_sphere_shape_get_radius(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry =
        tni_shape_find_geometry(world, id, TNI_GEOMETRY_SPHERE, __func__);
    return geometry ? geometry->sphere.radius : 0.0f;
}

float tn_capsule_shape_get_radius(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry =
        tni_shape_find_geometry(world, id, TNI_GEOMETRY_CAPSULE, __func__);
    return geometry ? geometry->capsule.radius : 0.0f;
}

float tn_capsule_shape_get_half_length(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry =
        tni_shape_find_geometry(world, id, TNI_GEOMETRY_CAPSULE, __func__);
    return geometry ? geometry->capsule.half_length : 0.0f;
}

tn_vec3 tn_box_shape_get_half_extents(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry = tni_shape_find_geometry(world, id, TNI_GEOMETRY_BOX, __func__);
    return geometry ? convert_from_float(geometry->box.half_extents) : (tn_vec3){0};
}

tn_hull_id tn_hull_shape_get_hull(const tn_world *world, tn_shape_id id) {
    if (!tni_shape_find_geometry(world, id, TNI_GEOMETRY_HULL, __func__)) {
        return (tn_hull_id){0};
    }
    const tni_shape *shape = tni_shape_at(world, id.value & TNI_POOL_INDEX_MASK);
    return (tn_hull_id){world->hulls[shape->hull].handle};
}

// ---- density, material, filter ----------------------------------------------------------------

tn_result tn_shape_set_density(tn_world *world, tn_shape_id id, float density) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE ||
        !tni_world_accepts(world, tni_density_check(density), __func__, id.value)) {
        return tni_world_get_refusal(world);
    }
    tni_shape *shape = tni_shape_at(world, index);
    if (shape->density != density) {
        shape->density = density;
        tni_body_update_mass(world, shape->body);
        tni_body_wake(world, shape->body);
    }
    return tni_world_get_refusal(world);
}

float tn_shape_get_density(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index == TNI_NONE ? 0.0f : tni_shape_at(world, index)->density;
}

static void shape_renew_parts(tn_world *world, uint32_t index) {
    if (tni_shape_at(world, index)->concave != NULL) {
        world->features.parts->renew(world, index);
    }
}

// Mixes the materials of all the shape's contacts anew.
static void shape_mix_materials(tn_world *world, uint32_t index) {
    uint32_t key = tni_body_at(world, tni_shape_at(world, index)->body)->contact_head;
    for (; key != TNI_NONE; key = tni_contact_edge_next(world, key)) {
        tni_contact_mix_materials(world, tni_contact_at(world, key >> 1));
    }
}

tn_result tn_shape_set_material(tn_world *world, tn_shape_id id, tn_material material) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE ||
        !tni_world_accepts(world, tni_material_check(&material), __func__, id.value)) {
        return tni_world_get_refusal(world);
    }
    tn_material *own = &tni_shape_at(world, index)->material, now = *own;
    tni_float_set(&now.friction, material.friction);
    tni_float_set(&now.restitution, material.restitution);
    tni_float_set(&now.rolling_resistance, material.rolling_resistance);
    tni_float_set(&now.twisting_resistance, material.twisting_resistance);
    tni_float_set(&now.static_friction, material.static_friction);
    now.friction_combine = material.friction_combine;
    now.restitution_combine = material.restitution_combine;
    if (tni_is_same(own, &now, sizeof now)) {
        return tni_world_get_refusal(world);
    }
    *own = now;
    shape_renew_parts(world, index);
    shape_mix_materials(world, index);
    tni_body_wake_neighbours(world, tni_shape_at(world, index)->body);
    return tni_world_get_refusal(world);
}

tn_material tn_shape_get_material(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index == TNI_NONE ? (tn_material){0} : tni_shape_at(world, index)->material;
}

tn_result tn_shape_set_filter(tn_world *world, tn_shape_id id, tn_filter filter) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE) {
        return tni_world_get_refusal(world);
    }
    tn_filter old = tni_shape_at(world, index)->filter;
    if (old.category == filter.category && old.mask == filter.mask && old.group == filter.group) {
        return tni_world_get_refusal(world);
    }
    tni_shape_at(world, index)->filter = filter;
    if (!tni_shape_update_presence(world, index)) {
        tni_shape_at(world, index)->filter = old;
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, __func__,
                         "There is no memory to look for the shape's contacts.", id.value);
        return tni_world_get_refusal(world);
    }
    shape_renew_parts(world, index);
    tni_body_wake_neighbours(world, tni_shape_at(world, index)->body);
    tni_shape_destroy_contacts(world, index);
    tni_shape_queue(world, index);
    return tni_world_get_refusal(world);
}

tn_filter tn_shape_get_filter(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index == TNI_NONE ? (tn_filter){0} : tni_shape_at(world, index)->filter;
}

tn_result tn_shape_set_user_data(tn_world *world, tn_shape_id id, void *user_data) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index != TNI_NONE) {
        tni_shape_at(world, index)->user_data = user_data;
        shape_renew_parts(world, index);
    }
    return tni_world_get_refusal(world);
}

void *tn_shape_get_user_data(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index == TNI_NONE ? NULL : tni_shape_at(world, index)->user_data;
}
