// world/collide/contact_access.c: contacts as users see them, and the pre-solve callback.
// Test: tests/world/collide/test_contact.c
#include <string.h>

#include "solver/contacts/contact_follow.h"
#include "world/contacts.h"
#include "world/parts.h"
#include "world/records/convert.h"

static uint32_t contact_get_child(const tn_world *world, uint32_t shape) {
    const tni_part *part = tni_shape_at(world, shape)->part;
    return part != NULL ? part->child : 0;
}

void tni_contact_describe(const tn_world *world, uint32_t index, tn_contact *out_contact) {
    const tni_contact *contact = tni_contact_at(world, index);
    *out_contact = (tn_contact){0};
    out_contact->shape_a.value = tni_shape_at(world, contact->shape_a)->handle;
    out_contact->shape_b.value = tni_shape_at(world, contact->shape_b)->handle;
    out_contact->child_a = contact_get_child(world, contact->shape_a);
    out_contact->child_b = contact_get_child(world, contact->shape_b);
    out_contact->body_a.value = tni_body_at(world, contact->body_a)->handle;
    out_contact->body_b.value = tni_body_at(world, contact->body_b)->handle;
    out_contact->normal = convert_from_float(contact->manifold.normal);
    out_contact->point_count = contact->manifold.point_count;
    for (uint32_t i = 0; i < contact->manifold.point_count; ++i) {
        const tni_manifold_point *point = &contact->manifold.points[i];
        tni_dvec3 position = dvec3_add(contact->origin, dvec3_from_float(point->position));
        out_contact->points[i].position = dvec3_to_plain(position);
        out_contact->points[i].separation = point->separation;
        out_contact->points[i].normal_impulse = contact->step_impulses[i];
        out_contact->points[i].feature = point->feature;
    }
    out_contact->friction_impulse = convert_from_float(contact->step_friction_impulse);
    out_contact->friction = contact_get_friction(contact);
    out_contact->restitution = contact->restitution;
    out_contact->rolling_resistance = contact->rolling_resistance;
    out_contact->twisting_resistance = contact->twisting_resistance;
}

tn_contact tn_contact_get(const tn_world *world, tn_contact_id id) {
    tn_contact contact = {0};
    if (!world) {
        return contact;
    }
    uint32_t index = tni_pool_find(&world->contact_pool, id.value);
    if (index == TNI_POOL_NONE) {
        tni_world_report(world, TN_RESULT_INVALID_ID, __func__,
                         "The handle names no contact of this world.", id.value);
        return contact;
    }
    tni_contact_describe(world, index, &contact);
    return contact;
}

// ---- the pre-solve callback -------------------------------------------------------------------

static bool contact_is_setting(float x) {
    return isfinite(x) && x >= 0.0f;
}

// A scale of an inverse mass is at most this, so that impulses stay numbers.
#define CONTACT_MOST_SCALE 1000.0f

static bool contact_is_share(float share) {
    return contact_is_setting(share) && share <= CONTACT_MOST_SCALE;
}

static bool contact_are_shares(const tn_contact_settings *settings) {
    return contact_is_share(settings->inverse_mass_scale_a) &&
           contact_is_share(settings->inverse_mass_scale_b) &&
           contact_is_share(settings->inverse_inertia_scale_a) &&
           contact_is_share(settings->inverse_inertia_scale_b);
}

static bool contact_are_coefficients(const tn_contact_settings *settings) {
    return contact_is_setting(settings->friction) &&
           contact_is_setting(settings->static_friction) &&
           contact_is_setting(settings->restitution) &&
           contact_is_setting(settings->rolling_resistance) &&
           contact_is_setting(settings->twisting_resistance);
}

// Returns the place of a feature in the manifold, or TNI_NONE.
static uint32_t contact_find_point(const tni_manifold *manifold, uint32_t feature) {
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        if (manifold->points[p].feature == feature) {
            return p;
        }
    }
    return TNI_NONE;
}

static bool contact_are_points(const tni_contact *contact, const tn_contact_settings *settings) {
    bool are_points = settings->point_count <= contact->manifold.point_count;
    for (uint32_t i = 0; i < settings->point_count && are_points; ++i) {
        const tn_contact_point *point = &settings->points[i];
        tni_dvec3 way = dvec3_sub(dvec3_from_plain(point->position), contact->origin);
        are_points = convert_is_finite_float(dvec3_to_plain(way)) && isfinite(point->separation) &&
                     contact_find_point(&contact->manifold, point->feature) != TNI_NONE;
        for (uint32_t k = 0; k < i; ++k) {
            are_points = are_points && settings->points[k].feature != point->feature;
        }
    }
    return are_points;
}

static tni_check contact_check_settings(const tni_contact *contact,
                                        const tn_contact_settings *settings) {
    tni_dvec3 n = dvec3_from_plain(settings->normal);
    bool has_normal = convert_is_finite_float(settings->normal) && dvec3_length(n) > 1e-6;
    const tni_check checks[] = {
        tni_check_that(contact_are_coefficients(settings), TN_RESULT_INVALID_ARGUMENT,
                       "The settings of a contact must be finite and not negative."),
        tni_check_that(contact_are_shares(settings), TN_RESULT_INVALID_ARGUMENT,
                       "Scales of inverse masses and inertias must be from 0 to 1000."),
        tni_check_that(convert_is_finite_float(settings->target_velocity),
                       TN_RESULT_INVALID_ARGUMENT, "The target velocity must be finite."),
        tni_check_that(has_normal, TN_RESULT_INVALID_ARGUMENT,
                       "The normal must be finite and have a length."),
        tni_check_that(contact_are_points(contact, settings), TN_RESULT_INVALID_ARGUMENT,
                       "Points must be finite, and each must be one of the contact's."),
    };
    return tni_check_all(checks, sizeof checks);
}

static bool contact_is_vector(tn_vec3 a, tn_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Returns whether the normal or a point differs from what the callback was given.
static bool contact_is_moved(const tn_contact *view, const tn_contact_settings *settings) {
    bool is_moved = settings->point_count != view->point_count ||
                    !contact_is_vector(settings->normal, view->normal);
    for (uint32_t p = 0; p < view->point_count && !is_moved; ++p) {
        const tn_contact_point *given = &settings->points[p], *own = &view->points[p];
        is_moved = given->feature != own->feature || given->separation != own->separation ||
                   !contact_is_vector(given->position, own->position);
    }
    return is_moved;
}

// Puts the user's normal and points in the place of the contact's. The next step makes these anew.
static void contact_move(tni_contact *contact, tni_contact_memory *memory,
                         const tn_contact_settings *settings) {
    tni_manifold old = contact->manifold, *manifold = &contact->manifold;
    float impulses[TNI_MANIFOLD_MAX_POINTS] = {0.0f};
    manifold->normal = maths_vec3_normalize_or(convert_to_float(settings->normal), old.normal);
    manifold->point_count = settings->point_count;
    for (uint32_t i = 0; i < settings->point_count; ++i) {
        const tn_contact_point *given = &settings->points[i];
        tni_dvec3 way = dvec3_sub(dvec3_from_plain(given->position), contact->origin);
        manifold->points[i] = (tni_manifold_point){.position = dvec3_to_float(way),
                                                   .separation = given->separation,
                                                   .feature = given->feature};
        memory->gaps[i] = given->separation;
        impulses[i] = contact->normal_impulses[contact_find_point(&old, given->feature)];
    }
    memcpy(contact->normal_impulses, impulses, sizeof impulses);
    contact->cache = (tni_manifold_cache){0};
    contact->is_remembered = contact->is_walked = contact->is_confirmed = false;
    contact->follows = TNI_FOLLOWS_NOTHING;
    contact->lift = 0.0f;
}

static void contact_apply_shares(tn_world *world, tni_contact *contact,
                                 const tn_contact_settings *settings) {
    const tni_contact_shares shares = {
        .mass = {settings->inverse_mass_scale_a, settings->inverse_mass_scale_b},
        .inertia = {settings->inverse_inertia_scale_a, settings->inverse_inertia_scale_b}};
    if (shares.mass[0] != 1.0f || shares.mass[1] != 1.0f || shares.inertia[0] != 1.0f ||
        shares.inertia[1] != 1.0f) {
        tni_contact_set_shares(world, contact, &shares);
    }
}

static void contact_apply_settings(tn_world *world, tni_contact *contact, const tn_contact *view,
                                   const tn_contact_settings *settings, tn_vec3 old_target) {
    if (!tni_world_accepts(world, contact_check_settings(contact, settings), "tn_pre_solve_fn",
                           contact->handle)) {
        return;
    }
    contact->friction = settings->friction;
    contact->static_friction = maths_max(settings->static_friction, settings->friction);
    contact->restitution = settings->restitution;
    contact->rolling_resistance = settings->rolling_resistance;
    contact->twisting_resistance = settings->twisting_resistance;
    if (contact_is_moved(view, settings)) {
        contact_move(contact, tni_contact_memory_at(world, contact->handle & TNI_POOL_INDEX_MASK),
                     settings);
    }
    if (!contact_is_vector(settings->target_velocity, old_target)) {
        tni_contact_set_target(world, contact, dvec3_from_plain(settings->target_velocity));
    }
    contact_apply_shares(world, contact, settings);
}

static void contact_call_pre_solve(tn_world *world, tni_awake_contact *entry) {
    tni_contact *contact = tni_contact_at(world, entry->contact);
    tn_contact view;
    tni_contact_describe(world, entry->contact, &view);
    bool is_other = contact->static_friction > contact->friction;
    tn_vec3 target = dvec3_to_plain(tni_contact_get_target(world, contact));
    tn_contact_settings settings = {.friction = contact->friction,
                                    .static_friction = is_other ? contact->static_friction : 0.0f,
                                    .restitution = contact->restitution,
                                    .rolling_resistance = contact->rolling_resistance,
                                    .twisting_resistance = contact->twisting_resistance,
                                    .target_velocity = target,
                                    .inverse_mass_scale_a = 1.0f,
                                    .inverse_mass_scale_b = 1.0f,
                                    .inverse_inertia_scale_a = 1.0f,
                                    .inverse_inertia_scale_b = 1.0f,
                                    .normal = view.normal,
                                    .point_count = view.point_count};
    memcpy(settings.points, view.points, sizeof settings.points);
    bool is_wanted = world->pre_solve(world, &view, &settings, world->pre_solve_user_data);
    contact->is_disabled = !is_wanted || settings.point_count == 0;
    if (is_wanted && settings.point_count > 0) {
        contact_apply_settings(world, contact, &view, &settings, target);
    }
}

void tni_world_call_pre_solve(tn_world *world) {
    if (!world->pre_solve) {
        return;
    }
    tni_world_begin_callback(world);
    for (uint32_t i = 0; i < world->awake_contacts.count; ++i) {
        tni_awake_contact *entry = &world->awake_contacts.items[i];
        if (entry->has_points && tni_contact_at(world, entry->contact)->has_pre_solve) {
            contact_call_pre_solve(world, entry);
        }
    }
    tni_world_end_callback(world);
}
