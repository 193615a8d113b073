// world/collide/contact_access.c: contacts as users see them, and the pre-solve callback.
// Test: tests/world/collide/test_contact.c
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

static void contact_apply_settings(tn_world *world, tni_contact *contact,
                                   const tn_contact_settings *settings) {
    bool is_valid = contact_is_setting(settings->friction) &&
                    contact_is_setting(settings->static_friction) &&
                    contact_is_setting(settings->restitution) &&
                    contact_is_setting(settings->rolling_resistance) &&
                    contact_is_setting(settings->twisting_resistance);
    if (!is_valid) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, "tn_pre_solve_fn",
                         "The settings of a contact must be finite and not negative.",
                         contact->handle);
        return;
    }
    contact->friction = settings->friction;
    contact->static_friction = maths_max(settings->static_friction, settings->friction);
    contact->restitution = settings->restitution;
    contact->rolling_resistance = settings->rolling_resistance;
    contact->twisting_resistance = settings->twisting_resistance;
}

static void contact_call_pre_solve(tn_world *world, uint32_t index) {
    tni_contact *contact = tni_contact_at(world, index);
    tn_contact view;
    tni_contact_describe(world, index, &view);
    bool is_other = contact->static_friction > contact->friction;
    tn_contact_settings settings = {.friction = contact->friction,
                                    .static_friction = is_other ? contact->static_friction : 0.0f,
                                    .restitution = contact->restitution,
                                    .rolling_resistance = contact->rolling_resistance,
                                    .twisting_resistance = contact->twisting_resistance};
    bool is_wanted = world->pre_solve(world, &view, &settings, world->pre_solve_user_data);
    contact->is_disabled = !is_wanted;
    if (is_wanted) {
        contact_apply_settings(world, contact, &settings);
    }
}

void tni_world_call_pre_solve(tn_world *world) {
    if (!world->pre_solve) {
        return;
    }
    tni_world_begin_callback(world);
    for (uint32_t i = 0; i < world->awake_contacts.count; ++i) {
        const tni_awake_contact *entry = &world->awake_contacts.items[i];
        if (entry->has_points) {
            contact_call_pre_solve(world, entry->contact);
        }
    }
    tni_world_end_callback(world);
}
