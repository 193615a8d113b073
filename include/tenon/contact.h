/// tenon/contact.h: contacts, which the world makes where shapes come near each other.
#ifndef TENON_CONTACT_H
#define TENON_CONTACT_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

#define TN_CONTACT_MAX_POINTS 4

/// One point of a contact.
typedef struct tn_contact_point {
    tn_vec3 position;     ///< midway between the surfaces, in the world, m
    float separation;     ///< m, negative when the shapes overlap
    float normal_impulse; ///< N·s over the last step
    uint32_t feature;     ///< the same pair of corners and faces keeps its number from step to step
} tn_contact_point;

/// A contact between two shapes.
typedef struct tn_contact {
    tn_shape_id shape_a, shape_b;
    tn_body_id body_a, body_b;
    uint32_t child_a, child_b; ///< triangles of meshes, children of compounds, else 0
    tn_vec3 normal;            ///< unit, from a to b, world axes
    uint32_t point_count;
    tn_contact_point points[TN_CONTACT_MAX_POINTS];
    tn_vec3 friction_impulse; ///< on body b over the last step, world axes, N·s
    float friction, restitution, rolling_resistance, twisting_resistance;
} tn_contact;

/// Returns the contact behind a handle. Errors: INVALID_ID (returns zeros).
TN_API tn_contact tn_contact_get(const tn_world *world, tn_contact_id contact);

/// Returns whether two shapes may touch. The stepping thread asks before it makes a contact, when
/// the bounds of the shapes meet. It may ask again about a refused pair that stays near.
typedef bool (*tn_contact_filter_fn)(const tn_world *world, tn_shape_id shape_a,
                                     tn_shape_id shape_b, void *user_data);

/// Holds the numbers of one contact that a pre-solve callback may change. They hold for this step.
typedef struct tn_contact_settings {
    float friction;            ///< >= 0
    float restitution;         ///< >= 0
    float rolling_resistance;  ///< m, >= 0
    float twisting_resistance; ///< m, >= 0
    float static_friction;     ///< >= 0; less than `friction`, or 0, means `friction`
    /// The velocity of b past a, in the world, that friction brings about, m/s, which the surface
    /// velocities of both shapes ask for. The part along the normal does not count.
    tn_vec3 target_velocity;
    /// These scale the inverse mass, and the inverse inertia, that body a and body b show to this
    /// contact, 0 to 1000; they come as 1. With 0 the contact does not move the body: a crate does
    /// not push a hero, who pushes the crate as a wall would. With 0 for both it gives nothing.
    /// Momentum is kept only if both bodies have the same scales. Joints and other contacts see the
    /// masses that the bodies have. A mechanism that is solved exactly, and bodies by coordinates,
    /// leave these scales out.
    float inverse_mass_scale_a, inverse_mass_scale_b;
    float inverse_inertia_scale_a, inverse_inertia_scale_b;
    /// The normal, from a to b; its length does not count. A mechanism that is solved exactly, and
    /// bodies by coordinates, measure their contacts anew in each substep, and leave this number
    /// and the points out.
    tn_vec3 normal;
    /// Points may be left out, and their position and separation changed. Each is known by its
    /// `feature`; impulses are not read.
    uint32_t point_count;
    tn_contact_point points[TN_CONTACT_MAX_POINTS];
} tn_contact_settings;

/// A function of this type is called by the stepping thread for each touching contact of a shape
/// that has_pre_solve, before the contact is solved. Returning false leaves the contact out of this
/// step. Values out of range are refused (INVALID_ARGUMENT), and the old ones stay.
typedef bool (*tn_pre_solve_fn)(const tn_world *world, const tn_contact *contact,
                                tn_contact_settings *settings, void *user_data);

TN_EXTERN_C_END

#endif
