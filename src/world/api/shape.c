// world/api/shape.c: creates and destroys shapes.
//
// The kinds differ in their numbers only: each public function fills a geometry, and one
// function does the rest.
// Test: tests/world/api/test_shape.c
#include <string.h>

#include "world/api/shape_def.h"
#include "world/bodies.h"
#include "world/joints.h"
#include "world/parts.h"
#include "world/records/convert.h"
#include "world/sensors.h"

// Returns about half of the extent, for the margin of the bounds.
float tni_shape_find_size(const tni_geometry *geometry) {
    bool is_bounded = geometry->type != TNI_GEOMETRY_HALF_SPACE;
    return is_bounded ? tni_geometry_reach(geometry, geometry->position) : 0.0f;
}

static float shape_get_hull_depth(const tni_hull *hull, vec3s p) {
    float depth = FLT_MAX;
    for (uint32_t i = 0; i < hull->face_count; ++i) {
        const tni_plane *plane = &hull->planes[i];
        depth = maths_min(depth, plane->offset - glms_vec3_dot(plane->normal, p));
    }
    return depth;
}

// Returns the radius of a ball around p inside the balls of a tapered capsule, from below.
static float shape_get_tapered_depth(const tni_geometry *geometry, vec3s p) {
    float half = geometry->tapered_capsule.half_length;
    float y = maths_clamp(p.y, -half, half), t = 0.5f * (y / half + 1.0f);
    p.y -= y;
    return (1.0f - t) * geometry->tapered_capsule.radius_bottom +
           t * geometry->tapered_capsule.radius_top - glms_vec3_norm(p);
}

static float shape_get_cylinder_depth(const tni_geometry *geometry, vec3s p) {
    float half = geometry->cylinder.half_length, bottom = geometry->cylinder.radius_bottom;
    float top = geometry->cylinder.radius_top, length = 2.0f * half, slant = bottom - top;
    float radius = bottom - slant * (p.y + half) / length;
    float side = (radius - sqrtf(p.x * p.x + p.z * p.z)) * length;
    return maths_min(half - fabsf(p.y), side / sqrtf(length * length + slant * slant));
}

static float shape_get_ellipsoid_depth(const tni_geometry *geometry, vec3s p) {
    vec3s r = geometry->ellipsoid.radii, u = maths_vec3(p.x / r.x, p.y / r.y, p.z / r.z);
    return (1.0f - glms_vec3_norm(u)) * maths_min(r.x, maths_min(r.y, r.z));
}

// Returns the radius of a ball inside the shape around `point` (body frame), negative if outside,
// without the rounding.
static float shape_get_depth(const tni_geometry *geometry, vec3s point) {
    vec3s p = maths_rotate_inverse(geometry->rotation, glms_vec3_sub(point, geometry->position));
    const tni_stretch *stretch = geometry->stretch;
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        return (stretch != NULL ? (float)stretch->least_axis : geometry->sphere.radius) -
               glms_vec3_norm(p);
    case TNI_GEOMETRY_CAPSULE:
        p.y -= maths_clamp(p.y, -geometry->capsule.half_length, geometry->capsule.half_length);
        return (stretch != NULL ? (float)stretch->least_axis : geometry->capsule.radius) -
               glms_vec3_norm(p);
    case TNI_GEOMETRY_BOX: {
        vec3s h = geometry->box.half_extents;
        float side = maths_min(h.x - fabsf(p.x), h.y - fabsf(p.y));
        return maths_min(side, h.z - fabsf(p.z));
    }
    case TNI_GEOMETRY_HULL:
        return shape_get_hull_depth(geometry->hull.hull, p);
    case TNI_GEOMETRY_CYLINDER:
        return shape_get_cylinder_depth(geometry, p);
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        return shape_get_tapered_depth(geometry, p);
    case TNI_GEOMETRY_ELLIPSOID:
        return shape_get_ellipsoid_depth(geometry, p);
    default:
        return 0.0f;
    }
}

// Updates how far turning moves the surface, of an affine body as it is now. About a centre inside
// the shape that is at most from the inscribed ball to the circumscribed one; about a centre
// outside, from one side to the other.
void tni_shape_update_reach(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    shape->turn_reach = 0.0f;
    shape->turn_limit = 0.0f;
    shape->is_central_ball = false;
    if (shape->geometry.type == TNI_GEOMETRY_HALF_SPACE) {
        return;
    }
    vec3s center = dvec3_to_float(tni_body_at(world, shape->body)->local_center);
    const tni_geometry *geometry = tni_shape_get_geometry(shape);
    float reach = tni_geometry_reach(geometry, center);
    float depth = shape_get_depth(geometry, center) + geometry->rounding;
    // Round surfaces turn into themselves: only the motion of their core counts.
    shape->turn_reach = maths_max(reach - tni_geometry_roundness(geometry), 0.0f);
    shape->turn_limit = depth > 0.0f ? maths_max(reach - depth, 0.0f) : 2.0f * reach;
    vec3s offset = shape->geometry.position;
    shape->is_central_ball = shape->geometry.type == TNI_GEOMETRY_SPHERE &&
                             shape->deformed == NULL && shape->turn_reach == 0.0f &&
                             shape->turn_limit == 0.0f && offset.x == 0.0f && offset.y == 0.0f &&
                             offset.z == 0.0f && center.x == 0.0f && center.y == 0.0f &&
                             center.z == 0.0f;
}

// ---- the list of a body -----------------------------------------------------------------------

// Notes whether more than one shape of the body is solid. These stand before its sensors.
static void shape_count_solids(const tn_world *world, tni_body *body) {
    uint32_t second =
        body->shape_head != TNI_NONE ? tni_shape_at(world, body->shape_head)->next : TNI_NONE;
    body->has_many_solids = second != TNI_NONE && !tni_shape_at(world, second)->is_sensor;
}

void tni_shape_link(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    tni_body *body = tni_body_at(world, shape->body);
    uint32_t *link = &body->shape_head;
    while (shape->is_sensor && *link != TNI_NONE) {
        link = &tni_shape_at(world, *link)->next;
    }
    shape->next = *link;
    *link = index;
    body->shape_count += 1;
    shape_count_solids(world, body);
}

void tni_shape_unlink(tn_world *world, uint32_t index) {
    tni_body *body = tni_body_at(world, tni_shape_at(world, index)->body);
    uint32_t *link = &body->shape_head;
    while (*link != index) {
        link = &tni_shape_at(world, *link)->next;
    }
    *link = tni_shape_at(world, index)->next;
    body->shape_count -= 1;
    shape_count_solids(world, body);
}

// ---- creation ---------------------------------------------------------------------------------

static bool shape_reserve(tn_world *world) {
    uint32_t needed = tni_pool_next_index(&world->shape_pool) + 1;
    tni_allocator *allocator = &world->allocator;
    return tni_pool_reserve(&world->shape_pool, 1) && tni_pages_reserve(&world->shapes, needed) &&
           tni_pages_reserve(&world->shape_boxes, needed) &&
           tni_pages_reserve(&world->shape_motions, needed) &&
           tni_index_list_reserve(allocator, &world->move_list, world->shape_pool.live_count + 1);
}

void tni_geometry_place(tni_geometry *geometry, const tn_pose *pose) {
    // A float holds no length of 1e100, so the quaternion is normalised before.
    tni_dquat q = convert_from_rotation(pose->rotation);
    geometry->position = convert_to_float(pose->position);
    geometry->rotation =
        maths_quat_normalize(maths_quat((float)q.x, (float)q.y, (float)q.z, (float)q.w));
}

static void shape_init(tni_shape *shape, const tn_shape_def *def, const tni_geometry *geometry,
                       uint32_t body, tni_shared_hull *hull) {
    memset(shape, 0, sizeof *shape);
    shape->body = body;
    shape->next = TNI_NONE;
    shape->hull = hull;
    shape->geometry = *geometry;
    tni_geometry_place(&shape->geometry, &def->local_pose);
    shape->size = tni_shape_find_size(&shape->geometry);
    shape->density = def->density;
    shape->material = def->material;
    shape->surface = def->surface_velocity;
    shape->has_surface = tni_surface_moves(&def->surface_velocity);
    shape->filter = def->filter;
    shape->has_hit_events = def->has_hit_events;
    shape->has_pre_solve = def->has_pre_solve;
    shape->has_persist_events = def->has_persist_events;
    shape->is_sensor = def->is_sensor;
    shape->detects_sensors = def->detects_sensors;
    shape->sensor_index = TNI_NONE;
    shape->user_data = def->user_data;
    shape->move_index = TNI_NONE;
    shape->leaf = TNI_NONE;
    shape->spare_leaf = TNI_NONE;
    shape->plane_index = TNI_NONE;
}

// Returns the handle, or 0 when memory cannot be had. The pool issues it once nothing can fail, so
// that a refused shape uses up no handle.
static uint32_t shape_add(tn_world *world, uint32_t body, const tn_shape_def *def,
                          const tni_geometry *geometry, tni_shared_hull *hull,
                          tni_concave_shape *concave) {
    if (!shape_reserve(world)) {
        return 0;
    }
    uint32_t index = tni_pool_next_index(&world->shape_pool);
    tni_shape *shape = tni_shape_at(world, index);
    shape_init(shape, def, geometry, body, hull);
    shape->concave = concave;
    tni_shape_motion_at(world, index)->is_awake = false;
    bool is_affine = tni_body_get_affine(world, tni_body_at(world, body)) != NULL;
    if ((is_affine && !tni_shape_reserve_deformed(world, index)) ||
        !tni_shape_enter_broad_phase(world, index)) {
        tni_shape_drop_deformed(world, index);
        shape->concave = NULL;
        return 0;
    }
    shape->handle = tni_pool_acquire(&world->shape_pool);
    tni_shape_link(world, index);
    tni_body_at(world, body)->has_parts |= concave != NULL;
    tni_shared_retain((tni_shared *)hull);
    world->has_driven |= shape->has_surface;
    world->has_persists |= shape->has_persist_events;
    return shape->handle;
}

static void shape_free_concave(tn_world *world, tni_concave_shape *concave) {
    if (concave != NULL) {
        world->features.parts->free(world, concave);
    }
}

static tni_check shape_check(const tn_world *world, uint32_t body, const tn_shape_def *def,
                             const tni_geometry *geometry) {
    tni_check check = tni_shape_def_check(def);
    if (check.result != TN_RESULT_OK) {
        return check;
    }
    const tni_body *owner = tni_body_at(world, body);
    bool may_be_plane =
        geometry->type != TNI_GEOMETRY_HALF_SPACE || owner->type == TN_BODY_TYPE_STATIC;
    bool is_affine = tni_body_get_affine(world, owner) != NULL;
    bool is_full = tni_pool_next_index(&world->shape_pool) >= TNI_POOL_MAX_SLOTS;
    const tni_check checks[] = {
        tni_geometry_check(geometry),
        tni_check_that(may_be_plane, TN_RESULT_WRONG_TYPE,
                       "A half-space belongs on a static body."),
        is_affine ? tni_geometry_check_affine(geometry) : check,
        owner->is_particle ? tni_particle_check_shape(def, geometry) : check,
        tni_check_that(!is_full, TN_RESULT_TOO_LARGE, "A world holds 4194304 shapes."),
    };
    return tni_check_all(checks, sizeof checks);
}

static tn_shape_id shape_create(tn_world *world, tn_body_id id, const tn_shape_def *def,
                                const tni_geometry *sharp, tni_shared_hull *hull,
                                tni_concave_shape *concave, const char *function) {
    tni_geometry rounded = *sharp;
    tni_geometry_round(&rounded, def ? def->rounding : 0.0f);
    const tni_geometry *geometry = &rounded;
    uint32_t body = tni_world_find_body(world, id, function);
    if (body == TNI_NONE ||
        !tni_world_accepts(world, shape_check(world, body, def, geometry), function, id.value)) {
        shape_free_concave(world, concave);
        return (tn_shape_id){0};
    }
    TN_ASSERT(def != NULL); // the check refuses a null one
    uint32_t handle = shape_add(world, body, def, geometry, hull, concave);
    if (handle == 0) {
        shape_free_concave(world, concave);
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, function,
                         "There is no memory for another shape.", id.value);
        return (tn_shape_id){0};
    }
    if (def->is_sensor) {
        tni_shape_update_reach(world, handle & TNI_POOL_INDEX_MASK);
    } else {
        tni_body_update_mass(world, body);
        tni_body_wake(world, body);
    }
    return (tn_shape_id){handle};
}

tn_shape_id tni_shape_create(tn_world *world, tn_body_id id, const tn_shape_def *def,
                             const tni_geometry *sharp, tni_shared_hull *hull,
                             tni_concave_shape *concave, const char *function) {
    tn_shape_id made = {0};
    if (tni_world_begin_change(world, function)) {
        made = shape_create(world, id, def, sharp, hull, concave, function);
    }
    tni_world_end_change(world);
    return made;
}

tn_shape_id tn_sphere_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                   float radius) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_SPHERE};
    geometry.sphere.radius = radius;
    return tni_shape_create(world, body, def, &geometry, NULL, NULL, __func__);
}

tn_shape_id tn_capsule_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                    float half_length, float radius) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_CAPSULE};
    geometry.capsule.half_length = half_length;
    geometry.capsule.radius = radius;
    return tni_shape_create(world, body, def, &geometry, NULL, NULL, __func__);
}

tn_shape_id tn_box_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                tn_vec3 half_extents) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_BOX};
    tn_shape_id made = {0};
    if (tni_world_begin_change(world, __func__)) { // it rounds to float
        geometry.box.half_extents = convert_to_float(half_extents);
        made = shape_create(world, body, def, &geometry, NULL, NULL, __func__);
    }
    tni_world_end_change(world);
    return made;
}

tn_shape_id tn_tapered_cylinder_shape_create(tn_world *world, tn_body_id body,
                                             const tn_shape_def *def, float half_length,
                                             float radius_bottom, float radius_top) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_CYLINDER};
    geometry.cylinder.half_length = half_length;
    geometry.cylinder.radius_bottom = radius_bottom;
    geometry.cylinder.radius_top = radius_top;
    return tni_shape_create(world, body, def, &geometry, NULL, NULL, __func__);
}

tn_shape_id tn_cylinder_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                     float half_length, float radius) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_CYLINDER};
    geometry.cylinder.half_length = half_length;
    geometry.cylinder.radius_bottom = geometry.cylinder.radius_top = radius;
    return tni_shape_create(world, body, def, &geometry, NULL, NULL, __func__);
}

tn_shape_id tn_cone_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                 float half_length, float radius) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_CYLINDER};
    geometry.cylinder.half_length = half_length;
    geometry.cylinder.radius_bottom = radius;
    return tni_shape_create(world, body, def, &geometry, NULL, NULL, __func__);
}

tn_shape_id tn_tapered_capsule_shape_create(tn_world *world, tn_body_id body,
                                            const tn_shape_def *def, float half_length,
                                            float radius_bottom, float radius_top) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_TAPERED_CAPSULE};
    geometry.tapered_capsule.half_length = half_length;
    geometry.tapered_capsule.radius_bottom = radius_bottom;
    geometry.tapered_capsule.radius_top = radius_top;
    return tni_shape_create(world, body, def, &geometry, NULL, NULL, __func__);
}

tn_shape_id tn_ellipsoid_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                      tn_vec3 radii) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_ELLIPSOID};
    tn_shape_id made = {0};
    if (tni_world_begin_change(world, __func__)) { // it rounds to float
        geometry.ellipsoid.radii = convert_to_float(radii);
        made = shape_create(world, body, def, &geometry, NULL, NULL, __func__);
    }
    tni_world_end_change(world);
    return made;
}

tn_shape_id tn_half_space_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_HALF_SPACE};
    return tni_shape_create(world, body, def, &geometry, NULL, NULL, __func__);
}

// ---- destruction ------------------------------------------------------------------------------

void tni_shape_drop_hull(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    tni_shared_release((tni_shared *)shape->hull);
    shape->hull = NULL;
}

void tni_world_drop_hulls(tn_world *world) {
    for (uint32_t i = 0; i < world->shape_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->shape_pool, i) != 0) {
            tni_shape_drop_hull(world, i);
        }
    }
}

void tni_shape_destroy_at(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    if (shape->is_area) {
        tni_area_remove(world, index);
    }
    tni_shape_destroy_contacts(world, index);
    tni_shape_leave_broad_phase(world, index);
    tni_shape_unlink(world, index);
    tni_shape_drop_deformed(world, index);
    if (shape->concave != NULL) {
        world->features.parts->drop(world, index);
    }
    tni_shape_drop_hull(world, index);
    tni_pool_release(&world->shape_pool, shape->handle);
}

static void shape_destroy(tn_world *world, tn_shape_id id, const char *function) {
    uint32_t index = tni_world_find_shape(world, id, function);
    if (index == TNI_NONE) {
        return;
    }
    uint32_t body = tni_shape_at(world, index)->body;
    if (tni_shape_at(world, index)->is_sensor) {
        tni_shape_destroy_at(world, index);
        return;
    }
    tni_body_wake_neighbours(world, body);
    tni_shape_destroy_at(world, index);
    tni_body_update_mass(world, body);
    tni_body_wake(world, body);
}

void tn_shape_destroy(tn_world *world, tn_shape_id id) {
    if (tni_world_begin_change(world, __func__)) {
        shape_destroy(world, id, __func__);
    }
    tni_world_end_change(world);
}
