// world/api/shape_access.c: a shape's numbers, material, filter and density, read and set.
// Test: tests/world/api/test_shape.c
#include "core/same.h"
#include "world/api/shape_def.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/parts.h"
#include "world/records/convert.h"
#include "world/sensors.h"

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

static tn_shape_type shape_get_cylinder_type(const tni_geometry *geometry) {
    float bottom = geometry->cylinder.radius_bottom, top = geometry->cylinder.radius_top;
    if (bottom == top) {
        return TN_SHAPE_TYPE_CYLINDER;
    }
    return top == 0.0f ? TN_SHAPE_TYPE_CONE : TN_SHAPE_TYPE_TAPERED_CYLINDER;
}

tn_shape_type tn_shape_get_type(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    if (index == TNI_NONE) {
        return TN_SHAPE_TYPE_SPHERE;
    }
    const tni_geometry *geometry = &tni_shape_at(world, index)->geometry;
    switch (geometry->type) {
    case TNI_GEOMETRY_CAPSULE:
        return TN_SHAPE_TYPE_CAPSULE;
    case TNI_GEOMETRY_BOX:
        return TN_SHAPE_TYPE_BOX;
    case TNI_GEOMETRY_HULL:
        return TN_SHAPE_TYPE_HULL;
    case TNI_GEOMETRY_CYLINDER:
        return shape_get_cylinder_type(geometry);
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        return TN_SHAPE_TYPE_TAPERED_CAPSULE;
    case TNI_GEOMETRY_ELLIPSOID:
        return TN_SHAPE_TYPE_ELLIPSOID;
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

void tni_shape_refuse_type(const tn_world *world, tn_shape_id id, const char *function) {
    tni_world_report(world, TN_RESULT_WRONG_TYPE, function,
                     "The shape is of another type than this function is for.", id.value);
}

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
    tni_shape_refuse_type(world, id, function);
    return NULL;
}

// The same for a type of cylinder.
static const tni_geometry *shape_find_cylinder(const tn_world *world, tn_shape_id id,
                                               tn_shape_type type, const char *function) {
    const tni_geometry *geometry =
        tni_shape_find_geometry(world, id, TNI_GEOMETRY_CYLINDER, function);
    if (geometry != NULL && shape_get_cylinder_type(geometry) != type) {
        tni_shape_refuse_type(world, id, function);
        return NULL;
    }
    return geometry;
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

float tn_cylinder_shape_get_radius(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry = shape_find_cylinder(world, id, TN_SHAPE_TYPE_CYLINDER, __func__);
    return geometry ? geometry->cylinder.radius_bottom : 0.0f;
}

float tn_cylinder_shape_get_half_length(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry = shape_find_cylinder(world, id, TN_SHAPE_TYPE_CYLINDER, __func__);
    return geometry ? geometry->cylinder.half_length : 0.0f;
}

float tn_cone_shape_get_radius(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry = shape_find_cylinder(world, id, TN_SHAPE_TYPE_CONE, __func__);
    return geometry ? geometry->cylinder.radius_bottom : 0.0f;
}

float tn_cone_shape_get_half_length(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry = shape_find_cylinder(world, id, TN_SHAPE_TYPE_CONE, __func__);
    return geometry ? geometry->cylinder.half_length : 0.0f;
}

float tn_tapered_cylinder_shape_get_radius_bottom(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry =
        tni_shape_find_geometry(world, id, TNI_GEOMETRY_CYLINDER, __func__);
    return geometry ? geometry->cylinder.radius_bottom : 0.0f;
}

float tn_tapered_cylinder_shape_get_radius_top(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry =
        tni_shape_find_geometry(world, id, TNI_GEOMETRY_CYLINDER, __func__);
    return geometry ? geometry->cylinder.radius_top : 0.0f;
}

float tn_tapered_cylinder_shape_get_half_length(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry =
        tni_shape_find_geometry(world, id, TNI_GEOMETRY_CYLINDER, __func__);
    return geometry ? geometry->cylinder.half_length : 0.0f;
}

float tn_tapered_capsule_shape_get_radius_bottom(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry =
        tni_shape_find_geometry(world, id, TNI_GEOMETRY_TAPERED_CAPSULE, __func__);
    return geometry ? geometry->tapered_capsule.radius_bottom : 0.0f;
}

float tn_tapered_capsule_shape_get_radius_top(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry =
        tni_shape_find_geometry(world, id, TNI_GEOMETRY_TAPERED_CAPSULE, __func__);
    return geometry ? geometry->tapered_capsule.radius_top : 0.0f;
}

float tn_tapered_capsule_shape_get_half_length(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry =
        tni_shape_find_geometry(world, id, TNI_GEOMETRY_TAPERED_CAPSULE, __func__);
    return geometry ? geometry->tapered_capsule.half_length : 0.0f;
}

tn_vec3 tn_ellipsoid_shape_get_radii(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry =
        tni_shape_find_geometry(world, id, TNI_GEOMETRY_ELLIPSOID, __func__);
    return geometry ? convert_from_float(geometry->ellipsoid.radii) : (tn_vec3){0};
}

float tn_shape_get_rounding(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index == TNI_NONE ? 0.0f : tni_shape_at(world, index)->geometry.rounding;
}

// ---- density, material, filter ----------------------------------------------------------------

tn_result tn_shape_set_density(tn_world *world, tn_shape_id id, float density) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE ||
        !tni_world_accepts(world, tni_density_check(density), __func__, id.value)) {
        return tni_world_end_change(world);
    }
    tni_shape *shape = tni_shape_at(world, index);
    bool has_mass = shape->density != density && tni_shape_is_solid(shape);
    shape->density = density;
    if (has_mass) {
        tni_body_update_mass(world, shape->body);
        tni_body_wake(world, shape->body);
    }
    return tni_world_end_change(world);
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

// Tells parts and contacts of what was set, and wakes whom it concerns.
static void shape_pass_on(tn_world *world, uint32_t index) {
    const tni_shape *shape = tni_shape_at(world, index);
    shape_renew_parts(world, index);
    if (!shape->is_sensor) {
        shape_mix_materials(world, index);
        tni_body_wake_neighbours(world, shape->body);
    }
}

// Returns whether a number changes.
static bool shape_take_material(tn_material *own, const tn_material *given) {
    bool is_other = own->friction_combine != given->friction_combine ||
                    own->restitution_combine != given->restitution_combine;
    own->friction_combine = given->friction_combine;
    own->restitution_combine = given->restitution_combine;
    is_other |= tni_float_set(&own->friction, given->friction);
    is_other |= tni_float_set(&own->restitution, given->restitution);
    is_other |= tni_float_set(&own->rolling_resistance, given->rolling_resistance);
    is_other |= tni_float_set(&own->twisting_resistance, given->twisting_resistance);
    is_other |= tni_float_set(&own->static_friction, given->static_friction);
    is_other |= tni_float_set(&own->hertz, given->hertz);
    is_other |= tni_float_set(&own->damping_ratio, given->damping_ratio);
    is_other |= convert_set_vec3(&own->friction_scale, &given->friction_scale);
    return is_other;
}

tn_result tn_shape_set_material(tn_world *world, tn_shape_id id, tn_material material) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE ||
        !tni_world_accepts(world, tni_material_check(&material), __func__, id.value)) {
        return tni_world_end_change(world);
    }
    if (shape_take_material(&tni_shape_at(world, index)->material, &material)) {
        shape_pass_on(world, index);
    }
    return tni_world_end_change(world);
}

static bool shape_is_same_vector(tn_vec3 a, tn_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

tn_result tn_shape_set_surface_velocity(tn_world *world, tn_shape_id id,
                                        tn_surface_velocity velocity) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE ||
        !tni_world_accepts(world, tni_surface_check(&velocity), __func__, id.value)) {
        return tni_world_end_change(world);
    }
    tni_shape *shape = tni_shape_at(world, index);
    if (shape_is_same_vector(shape->surface.linear, velocity.linear) &&
        shape_is_same_vector(shape->surface.angular, velocity.angular)) {
        return tni_world_end_change(world);
    }
    shape->surface = velocity;
    shape->has_surface = tni_surface_moves(&velocity);
    world->has_driven |= shape->has_surface;
    shape_pass_on(world, index);
    return tni_world_end_change(world);
}

tn_surface_velocity tn_shape_get_surface_velocity(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index == TNI_NONE ? (tn_surface_velocity){0} : tni_shape_at(world, index)->surface;
}

tn_material tn_shape_get_material(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index == TNI_NONE ? (tn_material){0} : tni_shape_at(world, index)->material;
}

tn_result tn_shape_set_filter(tn_world *world, tn_shape_id id, tn_filter filter) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE) {
        return tni_world_end_change(world);
    }
    tn_filter old = tni_shape_at(world, index)->filter;
    if (old.category == filter.category && old.mask == filter.mask && old.group == filter.group) {
        return tni_world_end_change(world);
    }
    tni_shape_at(world, index)->filter = filter;
    if (!tni_shape_update_presence(world, index)) {
        tni_shape_at(world, index)->filter = old;
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, __func__,
                         "There is no memory to look for the shape's contacts.", id.value);
        return tni_world_end_change(world);
    }
    tni_sensing_note_change(world, tni_shape_at(world, index)->body);
    if (tni_shape_at(world, index)->is_sensor) {
        return tni_world_end_change(world);
    }
    shape_renew_parts(world, index);
    tni_body_wake_neighbours(world, tni_shape_at(world, index)->body);
    tni_shape_destroy_contacts(world, index);
    tni_shape_queue(world, index);
    return tni_world_end_change(world);
}

tn_filter tn_shape_get_filter(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index == TNI_NONE ? (tn_filter){0} : tni_shape_at(world, index)->filter;
}

tn_result tn_shape_set_pre_solve(tn_world *world, tn_shape_id id, bool has_pre_solve) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE || tni_shape_at(world, index)->has_pre_solve == has_pre_solve) {
        return tni_world_end_change(world);
    }
    tni_shape_at(world, index)->has_pre_solve = has_pre_solve;
    shape_pass_on(world, index);
    return tni_world_end_change(world);
}

bool tn_shape_has_pre_solve(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index != TNI_NONE && tni_shape_at(world, index)->has_pre_solve;
}

tn_result tn_shape_set_persist_events(tn_world *world, tn_shape_id id, bool has_persist_events) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index != TNI_NONE) {
        tni_shape_at(world, index)->has_persist_events = has_persist_events;
        world->has_persists |= has_persist_events;
        shape_renew_parts(world, index);
    }
    return tni_world_end_change(world);
}

bool tn_shape_has_persist_events(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index != TNI_NONE && tni_shape_at(world, index)->has_persist_events;
}

tn_result tn_shape_set_user_data(tn_world *world, tn_shape_id id, void *user_data) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index != TNI_NONE) {
        tni_shape_at(world, index)->user_data = user_data;
        shape_renew_parts(world, index);
    }
    return tni_world_end_change(world);
}

void *tn_shape_get_user_data(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index == TNI_NONE ? NULL : tni_shape_at(world, index)->user_data;
}
