// world/collide/contact_slip.c: decides whether a contact slides, if its static friction differs
// from the sliding one.
//
// The cone of a contact has one coefficient in a step: the sliding or the static one. A contact
// that sticks begins to slide when friction was at its bound in the last substep and the points do
// pass each other. A contact that slides sticks again when friction was within its bound, or when
// at the rate of the last step the slip would turn around in this one: then the static coefficient
// decides whether the contact stays where it comes to rest. A new contact slides if its points pass
// each other. A body that begins to move just above the static angle keeps the static coefficient
// up to SLIP_BEGIN, because points of a loaded contact creep some mm a second without sliding.
// Test: tests/world/collide/test_contact_slip.c
#include "solver/contacts/grain.h"
#include "world/collide/narrow.h"
#include "world/contacts.h"

// Friction counts as at its bound from this share on, because of rounding.
#define SLIP_AT_BOUND 0.999f
// m/s: a sticking contact slower than the first only creeps, and a new one slower than the second.
#define SLIP_BEGIN 0.01f
#define SLIP_NEW   0.05f

static float slip_get_load(const tni_contact *contact) {
    float load = 0.0f;
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        load += contact->normal_impulses[p];
    }
    return load;
}

static tni_dvec3 slip_get_velocity(const tni_body *body, tni_dvec3 point) {
    tni_dvec3 arm = dvec3_sub(point, body->position);
    return dvec3_add(body->velocity, dvec3_cross(body->angular_velocity, arm));
}

// Returns the slip of b past a at the middle of the points, m/s.
static vec3s slip_measure(const tn_world *world, const tni_contact *contact) {
    const tni_manifold *manifold = &contact->manifold;
    vec3s middle = maths_vec3_zero();
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        middle = glms_vec3_add(middle, manifold->points[p].position);
    }
    middle = glms_vec3_scale(middle, 1.0f / (float)manifold->point_count);
    tni_dvec3 point = dvec3_add(contact->origin, dvec3_from_float(middle));
    tni_dvec3 of_a = slip_get_velocity(tni_body_at(world, contact->body_a), point);
    tni_dvec3 of_b = slip_get_velocity(tni_body_at(world, contact->body_b), point);
    vec3s slip = dvec3_to_float(dvec3_sub(of_b, of_a));
    if (contact->has_extras) {
        uint32_t index = contact->handle & TNI_POOL_INDEX_MASK;
        const tni_contact_extras *extras = &tni_contact_memory_at(world, index)->extras;
        vec3s arm = dvec3_to_float(dvec3_sub(point, extras->center));
        slip = glms_vec3_add(slip, contact_extras_get_speed(extras, arm));
    }
    return maths_vec3_add_scaled(slip, -glms_vec3_dot(slip, manifold->normal), manifold->normal);
}

// Returns how large the last friction was, as against the bound. With a grain that is an ellipse:
// solver/contacts/grain.h.
static float slip_get_friction(const tn_world *world, const tni_contact *contact) {
    uint32_t index = contact->handle & TNI_POOL_INDEX_MASK;
    const tni_contact_extras *extras = &tni_contact_memory_at(world, index)->extras;
    if (!contact->has_extras || !tni_grain_is_any(extras)) {
        return glms_vec3_norm(contact->friction_impulse);
    }
    tni_grain_axes axes;
    double square = 0.0;
    tni_grain_find_axes(extras, NULL, dvec3_from_float(contact->manifold.normal), &axes);
    for (uint32_t t = 0; t < 2; ++t) {
        double along = dvec3_dot(axes.axis[t], dvec3_from_float(contact->friction_impulse));
        double y = along * maths_inverse_or_zero_d(axes.scale[t]);
        square += y * y;
    }
    return (float)sqrt(square);
}

bool tni_contact_judge_slip(const tn_world *world, tni_contact *contact) {
    float load = slip_get_load(contact);
    if (!(load > 0.0f)) {
        return false;
    }
    float bound = SLIP_AT_BOUND * contact_get_friction(contact) * load;
    bool is_at_bound = slip_get_friction(world, contact) >= bound;
    vec3s slip = slip_measure(world, contact);
    if (contact->slides) {
        vec3s next = glms_vec3_sub(glms_vec3_add(slip, slip), contact->slip);
        contact->slides = is_at_bound && glms_vec3_dot(next, slip) > 0.0f;
    } else {
        contact->slides = is_at_bound && glms_vec3_norm(slip) > SLIP_BEGIN;
    }
    contact->slip = slip;
    return true;
}

void tni_contact_judge_new_slip(const tn_world *world, tni_contact *contact) {
    contact->slides = false;
    if (contact->manifold.point_count > 0) {
        contact->slip = slip_measure(world, contact);
        contact->slides = glms_vec3_norm(contact->slip) > SLIP_NEW;
    }
}
