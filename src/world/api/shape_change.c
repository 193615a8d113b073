// world/api/shape_change.c: changes the geometry, the pose and the presence of a shape in place.
//
// A shape whose geometry changes leaves the trees and comes back with new boxes. Its contacts end,
// for they remember faces and edges of the old geometry; the next step makes new ones.
// Test: tests/world/api/test_shape_change.c
#include <stddef.h>
#include <string.h>

#include "core/same.h"
#include "solver/movers/affine.h"
#include "world/api/shape_def.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/records/convert.h"

// Wakes the bodies at which a shape stands, for a change of it.
static void change_wake_before(tn_world *world, const tni_shape *shape) {
    if (!shape->is_sensor) {
        tni_body_wake_neighbours(world, shape->body);
    }
}

static void change_finish(tn_world *world, uint32_t index) {
    const tni_shape *shape = tni_shape_at(world, index);
    tni_body_update_mass(world, shape->body);
    if (!shape->is_sensor) {
        tni_body_wake(world, shape->body);
        tni_shape_wake_overlapping(world, index);
    }
}

// ---- enabling ---------------------------------------------------------------------------------

tn_result tn_shape_set_enabled(tn_world *world, tn_shape_id id, bool is_enabled) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE || tni_shape_at(world, index)->is_disabled == !is_enabled) {
        return tni_world_end_change(world);
    }
    tni_shape *shape = tni_shape_at(world, index);
    shape->is_disabled = !is_enabled;
    if (!tni_shape_update_presence(world, index)) {
        shape->is_disabled = true;
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, __func__,
                         "There is no memory to look for the shape's contacts.", id.value);
        return tni_world_end_change(world);
    }
    change_wake_before(world, shape);
    tni_shape_destroy_contacts(world, index);
    change_finish(world, index);
    return tni_world_end_change(world);
}

bool tn_shape_is_enabled(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index != TNI_NONE && !tni_shape_at(world, index)->is_disabled;
}

// ---- geometry ---------------------------------------------------------------------------------

static bool change_is_affine(const tn_world *world, const tni_shape *shape) {
    return tni_body_get_affine(world, tni_body_at(world, shape->body)) != NULL;
}

// Gives the shape its new geometry, and new room to deform it if its body is affine. Returns false
// without memory, and then the shape is as it was.
static bool change_take_geometry(tn_world *world, uint32_t index, const tni_geometry *geometry) {
    tni_shape *shape = tni_shape_at(world, index);
    tni_geometry old_geometry = shape->geometry;
    tni_deformed *old_deformed = shape->deformed;
    shape->geometry = *geometry;
    if (!change_is_affine(world, shape)) {
        return true;
    }
    if (!tni_shape_reserve_deformed(world, index)) {
        shape->geometry = old_geometry;
        return false;
    }
    tni_deformed *new_deformed = shape->deformed;
    shape->deformed = old_deformed;
    tni_shape_drop_deformed(world, index);
    shape->deformed = new_deformed;
    return true;
}

static tni_check change_check(const tn_world *world, const tni_shape *shape,
                              const tni_geometry *geometry) {
    tn_shape_def def = tn_shape_def_default();
    def.local_pose.position = convert_from_float(geometry->position);
    tni_check ok = {TN_RESULT_OK, NULL};
    bool is_particle = tni_body_at(world, shape->body)->is_particle;
    const tni_check checks[] = {
        tni_rounding_check(geometry->rounding),
        tni_geometry_check(geometry),
        change_is_affine(world, shape) ? tni_geometry_check_affine(geometry) : ok,
        is_particle ? tni_particle_check_shape(&def, geometry) : ok,
    };
    return tni_check_all(checks, sizeof checks);
}

// Changes a shape to a geometry of the same type. Returns whether it took it.
static bool change_geometry(tn_world *world, uint32_t index, const tni_geometry *geometry,
                            const char *function) {
    tni_shape *shape = tni_shape_at(world, index);
    if (!tni_world_accepts(world, change_check(world, shape, geometry), function, shape->handle)) {
        return false;
    }
    if (!change_take_geometry(world, index, geometry)) {
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, function,
                         "There is no memory to deform the shape.", shape->handle);
        return false;
    }
    shape->size = tni_shape_find_size(&shape->geometry);
    change_wake_before(world, shape);
    tni_shape_destroy_contacts(world, index);
    tni_shape_leave_broad_phase(world, index);
    tni_shape_update_reach(world, index);
    bool is_back = tni_shape_enter_broad_phase(world, index); // where it left, it has room
    TN_ASSERT(is_back);
    (void)is_back;
    change_finish(world, index);
    return true;
}

// Lengths of one type of shape that stand side by side in its geometry.
typedef struct change_lengths {
    tn_shape_type type; // TAPERED_CYLINDER is for cylinders and cones, too
    size_t offset;      // in tni_geometry
    uint32_t count;
} change_lengths;

static bool change_is_of_type(const tn_world *world, tn_shape_id id, tn_shape_type type) {
    tn_shape_type own = tn_shape_get_type(world, id);
    bool is_cylinder = own == TN_SHAPE_TYPE_CYLINDER || own == TN_SHAPE_TYPE_CONE;
    return own == type || (type == TN_SHAPE_TYPE_TAPERED_CYLINDER && is_cylinder);
}

// Returns the index of a shape of the type, or TNI_NONE after a report.
static uint32_t change_find(tn_world *world, tn_shape_id id, tn_shape_type type,
                            const char *function) {
    uint32_t index = tni_world_find_shape_to_change(world, id, function);
    if (index == TNI_NONE || change_is_of_type(world, id, type)) {
        return index;
    }
    tni_shape_refuse_type(world, id, function);
    return TNI_NONE;
}

static tn_result change_set(tn_world *world, tn_shape_id id, change_lengths lengths,
                            const float *values, const char *function) {
    uint32_t index = change_find(world, id, lengths.type, function);
    if (index == TNI_NONE) {
        return tni_world_end_change(world);
    }
    tni_geometry geometry = tni_shape_at(world, index)->geometry;
    float old[3];
    bool is_new = false;
    memcpy(old, (const char *)&geometry + lengths.offset, lengths.count * sizeof *old);
    memcpy((char *)&geometry + lengths.offset, values, lengths.count * sizeof *values);
    for (uint32_t i = 0; i < lengths.count; ++i) {
        is_new = is_new || old[i] != values[i];
    }
    if (is_new) {
        change_geometry(world, index, &geometry, function);
    }
    return tni_world_end_change(world);
}

// Rounds three lengths to float, however the host rounds, and sets them.
static tn_result change_set_rounded(tn_world *world, tn_shape_id id, change_lengths lengths,
                                    tn_vec3 values, const char *function) {
    tni_float_environment host = tni_float_environment_enter();
    vec3s rounded = convert_to_float(values);
    tn_result result = change_set(world, id, lengths, rounded.raw, function);
    tni_float_environment_leave(host);
    return result;
}

tn_result tn_sphere_shape_set_radius(tn_world *world, tn_shape_id id, float radius) {
    change_lengths lengths = {TN_SHAPE_TYPE_SPHERE, offsetof(tni_geometry, sphere.radius), 1};
    return change_set(world, id, lengths, &radius, __func__);
}

tn_result tn_capsule_shape_set_radius(tn_world *world, tn_shape_id id, float radius) {
    change_lengths lengths = {TN_SHAPE_TYPE_CAPSULE, offsetof(tni_geometry, capsule.radius), 1};
    return change_set(world, id, lengths, &radius, __func__);
}

tn_result tn_capsule_shape_set_half_length(tn_world *world, tn_shape_id id, float half_length) {
    change_lengths lengths = {TN_SHAPE_TYPE_CAPSULE, offsetof(tni_geometry, capsule.half_length),
                              1};
    return change_set(world, id, lengths, &half_length, __func__);
}

tn_result tn_box_shape_set_half_extents(tn_world *world, tn_shape_id id, tn_vec3 half_extents) {
    change_lengths lengths = {TN_SHAPE_TYPE_BOX, offsetof(tni_geometry, box.half_extents), 3};
    return change_set_rounded(world, id, lengths, half_extents, __func__);
}

tn_result tn_cylinder_shape_set_radius(tn_world *world, tn_shape_id id, float radius) {
    const float radii[2] = {radius, radius};
    change_lengths lengths = {TN_SHAPE_TYPE_CYLINDER,
                              offsetof(tni_geometry, cylinder.radius_bottom), 2};
    return change_set(world, id, lengths, radii, __func__);
}

tn_result tn_cylinder_shape_set_half_length(tn_world *world, tn_shape_id id, float half_length) {
    change_lengths lengths = {TN_SHAPE_TYPE_CYLINDER, offsetof(tni_geometry, cylinder.half_length),
                              1};
    return change_set(world, id, lengths, &half_length, __func__);
}

tn_result tn_cone_shape_set_radius(tn_world *world, tn_shape_id id, float radius) {
    change_lengths lengths = {TN_SHAPE_TYPE_CONE, offsetof(tni_geometry, cylinder.radius_bottom),
                              1};
    return change_set(world, id, lengths, &radius, __func__);
}

tn_result tn_cone_shape_set_half_length(tn_world *world, tn_shape_id id, float half_length) {
    change_lengths lengths = {TN_SHAPE_TYPE_CONE, offsetof(tni_geometry, cylinder.half_length), 1};
    return change_set(world, id, lengths, &half_length, __func__);
}

tn_result tn_tapered_cylinder_shape_set_lengths(tn_world *world, tn_shape_id id, float half_length,
                                                float radius_bottom, float radius_top) {
    const float values[3] = {half_length, radius_bottom, radius_top};
    change_lengths lengths = {TN_SHAPE_TYPE_TAPERED_CYLINDER,
                              offsetof(tni_geometry, cylinder.half_length), 3};
    return change_set(world, id, lengths, values, __func__);
}

tn_result tn_tapered_capsule_shape_set_lengths(tn_world *world, tn_shape_id id, float half_length,
                                               float radius_bottom, float radius_top) {
    const float values[3] = {half_length, radius_bottom, radius_top};
    change_lengths lengths = {TN_SHAPE_TYPE_TAPERED_CAPSULE,
                              offsetof(tni_geometry, tapered_capsule.half_length), 3};
    return change_set(world, id, lengths, values, __func__);
}

tn_result tn_ellipsoid_shape_set_radii(tn_world *world, tn_shape_id id, tn_vec3 radii) {
    change_lengths lengths = {TN_SHAPE_TYPE_ELLIPSOID, offsetof(tni_geometry, ellipsoid.radii), 3};
    return change_set_rounded(world, id, lengths, radii, __func__);
}

tn_result tn_shape_set_rounding(tn_world *world, tn_shape_id id, float rounding) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE) {
        return tni_world_end_change(world);
    }
    tni_geometry geometry = tni_shape_at(world, index)->geometry;
    if (!tni_geometry_has_rounding(&geometry)) {
        tni_shape_refuse_type(world, id, __func__);
        return tni_world_end_change(world);
    }
    float old = geometry.rounding;
    geometry.rounding = rounding;
    if (old != rounding) {
        change_geometry(world, index, &geometry, __func__);
    }
    return tni_world_end_change(world);
}

tn_result tn_hull_shape_set_hull(tn_world *world, tn_shape_id id, tn_hull *hull) {
    uint32_t index = change_find(world, id, TN_SHAPE_TYPE_HULL, __func__);
    if (index == TNI_NONE || !tni_world_accepts(world, hull_check(hull), __func__, id.value)) {
        return tni_world_end_change(world);
    }
    tni_shape *shape = tni_shape_at(world, index);
    tni_shared_hull *given = (tni_shared_hull *)(void *)hull, *old = shape->hull;
    tni_geometry geometry = shape->geometry;
    geometry.hull.hull = given->hull;
    if (given != old && change_geometry(world, index, &geometry, __func__)) {
        tni_shared_retain(&given->shared);
        shape->hull = given;
        tni_shared_release(&old->shared);
    }
    return tni_world_end_change(world);
}

tn_result tn_shape_set_local_pose(tn_world *world, tn_shape_id id, tn_pose local_pose) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE ||
        !tni_world_accepts(world, tni_local_pose_check(&local_pose), __func__, id.value)) {
        return tni_world_end_change(world);
    }
    tni_geometry geometry = tni_shape_at(world, index)->geometry, old = geometry;
    tn_pose present = tn_shape_get_local_pose(world, id), given = present;
    tni_geometry_place(&geometry, &local_pose);
    convert_set_pose(&given, &local_pose);
    bool is_there = tni_is_same(&geometry.position, &old.position, sizeof old.position) &&
                    tni_is_same(&geometry.rotation, &old.rotation, sizeof old.rotation);
    if (!is_there && !tni_is_same(&given, &present, sizeof given)) {
        change_geometry(world, index, &geometry, __func__);
    }
    return tni_world_end_change(world);
}

tn_bounds tn_shape_get_bounds(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    if (index == TNI_NONE) {
        return (tn_bounds){0};
    }
    tni_bounds bounds = tni_shape_get_bounds(world, index);
    return convert_from_bounds(&bounds);
}
