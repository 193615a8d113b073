// world/api/body_access.c: a body's mass, damping, locks, energy, momentum, and what is attached to
// it. Test: tests/world/api/test_body_mass.c, tests/world/api/test_body.c
#include "core/same.h"
#include "solver/movers/affine.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"

#define BODY_ALL_LOCKS 63u

// ---- mass -------------------------------------------------------------------------------------

tn_mass tn_body_get_mass(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? (tn_mass){0} : tni_body_get_mass(tni_body_at(world, index));
}

tn_result tn_body_set_mass(tn_world *world, tn_body_id id, tn_mass mass) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    if (index == TNI_NONE) {
        return tni_world_end_change(world);
    }
    const tni_body *body = tni_body_at(world, index);
    tni_check check = tni_mass_check(&mass, body->type, body->is_particle);
    if (!tni_world_accepts(world, check, __func__, id.value)) {
        return tni_world_end_change(world);
    }
    tn_mass before = tni_body_get_mass(body);
    if (body->has_given_mass && tni_is_same(&before, &mass, sizeof mass)) {
        return tni_world_end_change(world);
    }
    tni_body_give_mass(tni_body_at(world, index), &mass);
    tni_body_update_mass(world, index);
    tni_body_wake(world, index);
    return tni_world_end_change(world);
}

tn_result tn_body_set_mass_from_shapes(tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    if (index == TNI_NONE || !tni_body_at(world, index)->has_given_mass) {
        return tni_world_end_change(world);
    }
    tni_body_at(world, index)->has_given_mass = false;
    tni_body_update_mass(world, index);
    tni_body_wake(world, index);
    return tni_world_end_change(world);
}

// ---- damping, gravity, locks ------------------------------------------------------------------

tn_result tn_body_set_damping(tn_world *world, tn_body_id id, float linear, float angular) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    tni_check check =
        tni_check_both(tni_check_that(isfinite(linear) && isfinite(angular), TN_RESULT_NOT_FINITE,
                                      "Damping must be finite."),
                       tni_check_that(linear >= 0.0f && angular >= 0.0f, TN_RESULT_INVALID_ARGUMENT,
                                      "Damping must not be negative."));
    if (index != TNI_NONE && tni_world_accepts(world, check, __func__, id.value)) {
        tni_body_at(world, index)->linear_damping = linear;
        tni_body_at(world, index)->angular_damping = angular;
    }
    return tni_world_end_change(world);
}

float tn_body_get_linear_damping(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? 0.0f : tni_body_at(world, index)->linear_damping;
}

float tn_body_get_angular_damping(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? 0.0f : tni_body_at(world, index)->angular_damping;
}

tn_result tn_body_set_gravity_scale(tn_world *world, tn_body_id id, float scale) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    tni_check check = tni_check_finite(scale, "The scale must be finite.");
    if (index != TNI_NONE && tni_world_accepts(world, check, __func__, id.value) &&
        tni_body_at(world, index)->gravity_scale != scale) {
        tni_body_at(world, index)->gravity_scale = scale;
        tni_body_wake(world, index);
    }
    return tni_world_end_change(world);
}

float tn_body_get_gravity_scale(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? 0.0f : tni_body_at(world, index)->gravity_scale;
}

tn_result tn_body_set_locks(tn_world *world, tn_body_id id, uint32_t locks) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    tni_check check = tni_check_that((locks & ~BODY_ALL_LOCKS) == 0, TN_RESULT_INVALID_ARGUMENT,
                                     "Locks are a set of tn_body_lock bits.");
    if (index == TNI_NONE || !tni_world_accepts(world, check, __func__, id.value) ||
        (locks != 0 && tni_body_is_led(world, index, __func__)) ||
        tni_body_at(world, index)->locks == locks) {
        return tni_world_end_change(world);
    }
    if (tni_body_at(world, index)->joint_head != TNI_NONE) {
        tni_joint_plan_drop(world);
    }
    tni_body_at(world, index)->locks = locks;
    tni_body_wake(world, index);
    return tni_world_end_change(world);
}

uint32_t tn_body_get_locks(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? 0 : tni_body_at(world, index)->locks;
}

tn_result tn_body_set_user_data(tn_world *world, tn_body_id id, void *user_data) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    if (index != TNI_NONE) {
        tni_body_at(world, index)->user_data = user_data;
    }
    return tni_world_end_change(world);
}

void *tn_body_get_user_data(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? NULL : tni_body_at(world, index)->user_data;
}

// ---- energy and momentum ----------------------------------------------------------------------

double tn_body_get_kinetic_energy(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? 0.0 : tni_body_kinetic_energy(world, tni_body_at(world, index));
}

tn_vec3 tn_body_get_linear_momentum(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    if (index == TNI_NONE) {
        return (tn_vec3){0};
    }
    const tni_body *body = tni_body_at(world, index);
    return dvec3_to_plain(dvec3_scale(body->velocity, body->mass));
}

tn_vec3 tn_body_get_angular_momentum(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? (tn_vec3){0}
                             : dvec3_to_plain(tni_body_spin(world, tni_body_at(world, index)));
}

// ---- what is attached -------------------------------------------------------------------------

uint32_t tn_body_get_shapes(const tn_world *world, tn_body_id id, tn_shape_id *out_shapes,
                            uint32_t capacity) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    if (index == TNI_NONE) {
        return 0;
    }
    const tni_body *body = tni_body_at(world, index);
    uint32_t shape = body->shape_head;
    for (uint32_t i = 0; out_shapes && shape != TNI_NONE && i < capacity; ++i) {
        out_shapes[i].value = tni_shape_at(world, shape)->handle;
        shape = tni_shape_at(world, shape)->next;
    }
    return body->shape_count;
}

uint32_t tn_body_get_joints(const tn_world *world, tn_body_id id, tn_joint_id *out_joints,
                            uint32_t capacity) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    if (index == TNI_NONE) {
        return 0;
    }
    uint32_t key = tni_body_at(world, index)->joint_head, count = 0;
    while (key != TNI_NONE) {
        const tni_joint *joint = tni_joint_at(world, key >> 1);
        key = joint->edges[key & 1].next;
        if (tni_joint_is_tie(joint)) {
            if (joint->body_a == index) {
                continue; // the center has the joint itself, so its tie is left out
            }
            joint = tni_joint_at(world, joint->def.function.owner);
        }
        if (out_joints && count < capacity) {
            out_joints[count].value = joint->handle;
        }
        count += 1;
    }
    return count;
}

uint32_t tn_body_get_contacts(const tn_world *world, tn_body_id id, tn_contact_id *out_contacts,
                              uint32_t capacity) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    if (index == TNI_NONE) {
        return 0;
    }
    const tni_body *body = tni_body_at(world, index);
    uint32_t key = body->contact_head;
    for (uint32_t i = 0; out_contacts && key != TNI_NONE && i < capacity; ++i) {
        out_contacts[i].value = tni_contact_at(world, key >> 1)->handle;
        key = tni_contact_edge_next(world, key);
    }
    return body->contact_count;
}

static void body_add_bounds(tn_bounds *sum, const tni_bounds *part) {
    sum->lower.x = maths_min_d(sum->lower.x, (double)part->lower.x);
    sum->lower.y = maths_min_d(sum->lower.y, (double)part->lower.y);
    sum->lower.z = maths_min_d(sum->lower.z, (double)part->lower.z);
    sum->upper.x = maths_max_d(sum->upper.x, (double)part->upper.x);
    sum->upper.y = maths_max_d(sum->upper.y, (double)part->upper.y);
    sum->upper.z = maths_max_d(sum->upper.z, (double)part->upper.z);
}

// Returns a box around A's image of the box around the shape at rest in the body's axes.
static tni_bounds body_get_deformed_bounds(const tn_world *world, const tni_reduced *affine,
                                           uint32_t shape) {
    const tni_geometry *geometry = &tni_shape_at(world, shape)->geometry;
    tni_dpose pose = {dvec3_scale(affine->bodies[0].center, -1.0), dquat_identity()};
    tni_bounds rest = tni_geometry_bounds(geometry, &pose), sum;
    tni_dvec3 lower = dvec3_from_float(rest.lower), upper = dvec3_from_float(rest.upper);
    tni_dvec3 half = dvec3_scale(dvec3_sub(upper, lower), 0.5);
    tni_dvec3 middle = tni_affine_get_point(affine, dvec3_add(lower, half));
    const double at[3] = {middle.x, middle.y, middle.z};
    for (int i = 0; i < 3; ++i) {
        const double *row = affine->affine->gradient.m[i];
        double reach = fabs(row[0]) * half.x + fabs(row[1]) * half.y + fabs(row[2]) * half.z;
        sum.lower.raw[i] = maths_to_float(at[i] - reach);
        sum.upper.raw[i] = maths_to_float(at[i] + reach);
    }
    return sum;
}

tni_bounds tni_shape_get_bounds(const tn_world *world, uint32_t shape) {
    const tni_body *body = tni_body_at(world, tni_shape_at(world, shape)->body);
    const tni_reduced *affine = tni_body_get_affine(world, body);
    return affine != NULL ? body_get_deformed_bounds(world, affine, shape)
                          : tni_shape_tight_bounds(world, shape);
}

tn_bounds tn_body_get_bounds(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    if (index == TNI_NONE) {
        return (tn_bounds){0};
    }
    const tni_body *body = tni_body_at(world, index);
    tn_vec3 center = dvec3_to_plain(body->position);
    if (body->shape_head == TNI_NONE) {
        return (tn_bounds){center, center};
    }
    tn_bounds sum = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
        tni_bounds part = tni_shape_get_bounds(world, i);
        body_add_bounds(&sum, &part);
    }
    return sum;
}
