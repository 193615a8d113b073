// world/collide/contact_extras.c: what few contacts have beside their coefficients.
//
// A surface may move along its body: a point p of the surface of shape i then passes the body with
//     u_i(p) = R_i (v_i + w_i x R_i^T (p - o_i)),
// where o_i and R_i are the pose of the shape, of a part that of its whole, and v_i and w_i its
// surface velocity. Friction acts
// against the speed of the surfaces past each other,
//     (v_b + u_b) - (v_a + u_a),
// whose part u_b - u_a is linear in p: it is stored as its value at a's centre of mass and a turn.
// The rows of friction take the part along their tangents. Normals see nothing of it.
// Friction may depend on the direction (solver/contacts/grain.h), and the pre-solve callback may
// scale the masses that the contact sees (solver/contacts/contact_shares.h).
// Test: tests/world/collide/test_surface_velocity.c
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/parts.h"

// Adds `sign` times the motion of a shape's surface at `center`.
static void extras_add_surface(const tn_world *world, uint32_t index, double sign, tni_dvec3 center,
                               tni_dvec3 *speed, tni_dvec3 *turn, tni_dvec3 *spin) {
    const tni_shape *shape = tni_shape_get_whole(world, tni_shape_at(world, index));
    if (!shape->has_surface) {
        return;
    }
    tni_dpose frame = tni_shape_get_frame(world, shape);
    tni_dvec3 w = dquat_rotate(frame.rotation, dvec3_from_plain(shape->surface.angular));
    tni_dvec3 v = tni_shape_get_surface_speed(world, shape, center);
    *speed = dvec3_add_scaled(*speed, sign, v);
    *turn = dvec3_add_scaled(*turn, sign, w);
    *spin = dvec3_add(*spin, w);
}

// Takes the softer one of two materials. One that is rigid has a frequency of 0.
static void extras_set_softness(const tn_world *world, const tni_contact *contact,
                                tni_contact_extras *extras) {
    const tn_material *a = &tni_shape_at(world, contact->shape_a)->material;
    const tn_material *b = &tni_shape_at(world, contact->shape_b)->material;
    bool is_b = b->hertz > 0.0f && (!(a->hertz > 0.0f) || b->hertz < a->hertz);
    extras->hertz = is_b ? b->hertz : a->hertz;
    extras->damping_ratio = is_b ? b->damping_ratio : a->damping_ratio;
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        extras->given[p] = 0.0f;
    }
}

// Sets the grain of one body's surface from its present pose. Parts have the axes of their whole.
static void extras_set_grain(const tn_world *world, uint32_t body, uint32_t index,
                             tni_grain *grain) {
    const tni_shape *shape = tni_shape_at(world, index);
    const tn_material *material = &shape->material;
    grain->is_any = tni_material_has_grain(material);
    if (grain->is_any) {
        tni_dpose frame = tni_shape_get_frame(world, tni_shape_get_whole(world, shape));
        tni_dmat3 axes = dmat3_from_quat(frame.rotation);
        tni_dmat3 scale = dmat3_rotate_diagonal(&axes, dvec3_from_plain(material->friction_scale));
        grain->scale = dmat3_to_sym3(&scale);
        grain->rotation = dquat_to_float(tni_body_at(world, body)->rotation);
    }
}

void tni_contact_set_extras(const tn_world *world, const tni_contact *contact) {
    uint32_t index = contact->handle & TNI_POOL_INDEX_MASK;
    tni_contact_extras *extras = &tni_contact_memory_at(world, index)->extras;
    tni_dvec3 speed = dvec3_make(0.0, 0.0, 0.0), turn = speed, spin = speed;
    extras->center = tni_body_at(world, contact->body_a)->position;
    extras_set_softness(world, contact, extras);
    extras_set_grain(world, contact->body_a, contact->shape_a, &extras->grains[0]);
    extras_set_grain(world, contact->body_b, contact->shape_b, &extras->grains[1]);
    extras->has_shares = false;
    extras_add_surface(world, contact->shape_b, 1.0, extras->center, &speed, &turn, &spin);
    extras_add_surface(world, contact->shape_a, -1.0, extras->center, &speed, &turn, &spin);
    extras->speed = dvec3_to_float(speed);
    extras->turn = dvec3_to_float(turn);
    extras->spin = dvec3_to_float(spin);
}

// Returns the arm of the middle of the points from a's centre of mass.
static vec3s extras_get_middle(const tn_world *world, const tni_contact *contact) {
    const tni_manifold *manifold = &contact->manifold;
    tni_dvec3 from = dvec3_sub(contact->origin, tni_body_at(world, contact->body_a)->position);
    vec3s middle = maths_vec3_zero();
    float share = maths_inverse_or_zero((float)manifold->point_count);
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        middle = maths_vec3_add_scaled(middle, share, manifold->points[p].position);
    }
    return glms_vec3_add(dvec3_to_float(from), middle);
}

tni_dvec3 tni_contact_get_target(const tn_world *world, const tni_contact *contact) {
    if (!contact->has_extras) {
        return dvec3_make(0.0, 0.0, 0.0);
    }
    uint32_t index = contact->handle & TNI_POOL_INDEX_MASK;
    vec3s arm = extras_get_middle(world, contact);
    vec3s speed = contact_extras_get_speed(&tni_contact_memory_at(world, index)->extras, arm);
    return dvec3_scale(dvec3_from_float(speed), -1.0);
}

void tni_contact_set_target(tn_world *world, tni_contact *contact, tni_dvec3 velocity) {
    uint32_t index = contact->handle & TNI_POOL_INDEX_MASK;
    tni_contact_extras *extras = &tni_contact_memory_at(world, index)->extras;
    if (!contact->has_extras) {
        tni_contact_set_extras(world, contact); // zeros about a's centre
    }
    vec3s arm = extras_get_middle(world, contact);
    vec3s wanted = dvec3_to_float(dvec3_scale(velocity, -1.0));
    extras->speed = glms_vec3_sub(wanted, glms_vec3_cross(extras->turn, arm));
    contact->has_extras = true;
    world->has_driven = true;
}

void tni_contact_set_shares(tn_world *world, tni_contact *contact,
                            const tni_contact_shares *shares) {
    uint32_t index = contact->handle & TNI_POOL_INDEX_MASK;
    tni_contact_extras *extras = &tni_contact_memory_at(world, index)->extras;
    if (!contact->has_extras) {
        tni_contact_set_extras(world, contact);
    }
    extras->shares = *shares;
    extras->has_shares = true;
    contact->has_extras = true;
    world->has_driven = true;
}

static bool extras_move(const tni_contact_extras *extras) {
    return glms_vec3_norm2(extras->speed) > 0.0f || glms_vec3_norm2(extras->turn) > 0.0f;
}

void tni_world_visit_driven(const tn_world *world, bool counts_shares,
                            void (*visit)(const tni_body *a, const tni_body *b, void *context),
                            void *context) {
    for (uint32_t i = 0; i < world->awake_contacts.count && world->has_driven; ++i) {
        uint32_t index = world->awake_contacts.items[i].contact;
        const tni_contact *contact = tni_contact_at(world, index);
        const tni_contact_extras *extras = &tni_contact_memory_at(world, index)->extras;
        if (contact->has_extras && contact->is_touching &&
            (extras_move(extras) || (counts_shares && extras->has_shares))) {
            visit(tni_body_at(world, contact->body_a), tni_body_at(world, contact->body_b),
                  context);
        }
    }
}
