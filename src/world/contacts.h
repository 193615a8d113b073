// world/contacts.h: the functions of contacts and events that rooms of the world share.
#ifndef TNI_WORLD_CONTACTS_H
#define TNI_WORLD_CONTACTS_H

#include "world/world.h"

// ---- contacts (world/collide/contact.c) ---------------------------------------------------------

// Fills the public view of a contact.
void tni_contact_describe(const tn_world *world, uint32_t contact, tn_contact *out_contact);
// Asks the pre-solve callback about every awake contact that has points.
void tni_world_call_pre_solve(tn_world *world);
// Returns whether coordinates move one of its bodies. If so, the solver makes the contact anew in
// each substep: solver/movers/span_contact_place.c. A sleeping body is like any other.
static inline bool tni_contact_is_led(const tn_world *world, const tni_contact *contact) {
    if (world->reduced_list.count == 0) {
        return false;
    }
    const tni_body *a = tni_body_at(world, contact->body_a);
    const tni_body *b = tni_body_at(world, contact->body_b);
    return (a->reduced != TNI_NONE && a->awake_index != TNI_NONE) ||
           (b->reduced != TNI_NONE && b->awake_index != TNI_NONE);
}
// Makes a contact between two shapes, or finds it. Returns TNI_NONE without memory.
uint32_t tni_contact_create(tn_world *world, uint32_t shape_a, uint32_t shape_b);
// Returns the coefficient that holds in this step.
static inline float contact_get_friction(const tni_contact *contact) {
    return contact->slides ? contact->friction : contact->static_friction;
}
// Judge whether the contact slides: world/collide/contact_slip.c. The first judges by the impulses
// of the last step, before the manifold is made anew, and returns false if nothing pushed. The
// second judges a new contact by its manifold and the bodies' velocities.
bool tni_contact_judge_slip(const tn_world *world, tni_contact *contact);
void tni_contact_judge_new_slip(const tn_world *world, tni_contact *contact);
// Sets friction and the other coefficients from both shapes' materials.
void tni_contact_mix_materials(const tn_world *world, tni_contact *contact);
// Returns whether friction of a material depends on the direction: solver/contacts/grain.h.
static inline bool tni_material_has_grain(const tn_material *material) {
    tn_vec3 s = material->friction_scale;
    return s.x != s.y || s.y != s.z || (s.x != 0.0 && s.x != 1.0);
}
// Sets what surface velocities add to the contact in this step, from the bodies' present poses:
// world/collide/contact_extras.c.
void tni_contact_set_extras(const tn_world *world, const tni_contact *contact);
// Returns the velocity of b past a, m/s, that friction brings about at the middle of the points,
// and sets it for this step.
tni_dvec3 tni_contact_get_target(const tn_world *world, const tni_contact *contact);
void tni_contact_set_target(tn_world *world, tni_contact *contact, tni_dvec3 velocity);
// Sets which shares of the bodies' inverse masses the contact sees in this step.
void tni_contact_set_shares(tn_world *world, tni_contact *contact,
                            const tni_contact_shares *shares);
// Calls a function with the bodies of each touching contact whose surfaces move, and of those that
// see other masses than the bodies have, if these count.
void tni_world_visit_driven(const tn_world *world, bool counts_shares,
                            void (*visit)(const tni_body *a, const tni_body *b, void *context),
                            void *context);
// Puts it into the list of awake contacts, or takes it out.
void tni_contact_enter_awake(tn_world *world, uint32_t contact);
void tni_contact_leave_awake(tn_world *world, uint32_t contact);
// Adds an end event if it was touching. (Every contact has room reserved for one.)
void tni_contact_destroy(tn_world *world, uint32_t contact);
void tni_body_destroy_contacts(tn_world *world, uint32_t body);
// Destroys the contacts between two bodies, for a new joint that forbids them.
void tni_bodies_destroy_contacts_between(tn_world *world, uint32_t body_a, uint32_t body_b);
bool tni_filters_pass(const tn_world *world, const tn_filter *a, const tn_filter *b);
// Returns whether the user forbade two bodies to touch: world/api/pair_collision.c.
bool tni_bodies_are_excepted(const tn_world *world, uint32_t body_a, uint32_t body_b);
bool tni_shapes_may_touch(const tn_world *world, uint32_t shape_a, uint32_t shape_b);
// Runs the narrow phase of all awake contacts for a step of dt: manifolds, matching of impulses,
// the materials of this step, begin and end events, waking of touched bodies, the pre-solve
// callback. A contact `is_touching` if its surfaces meet, or will within dt at the present speeds;
// one with points that is not touching is only near. Room for the events must have been reserved
// (tni_events_reserve). The first `known` awake bodies have had tni_body_update_motions.
bool tni_world_update_manifolds(tn_world *world, double dt, uint32_t known);
// Returns the impulse of its points along the normal over the last step, N·s.
double tni_contact_get_impulse(const tni_contact *contact);
static inline uint32_t tni_contact_edge_next(const tn_world *world, uint32_t key) {
    return tni_contact_edge_at(world, key)->next;
}

// ---- events (world/step/events.c) ---------------------------------------------------------------

// A step reserves before anything moves, and again after pairs were made (false without memory). It
// clears, reserves room for hits once the number of solved contacts is known, adds, and publishes.
// Publishing sorts all lists, and makes the sleep events itself.
bool tni_events_reserve(tn_world *world);
bool tni_events_reserve_hits(tn_world *world, uint32_t needed);
bool tni_events_reserve_sensors(tn_world *world, uint32_t begins, uint32_t ends);
void tni_events_clear(tn_world *world);
void tni_events_add_hit(tn_world *world, const tn_hit_event *event);
void tni_events_add_joint_break(tn_world *world, const tn_joint_break_event *event);
// Gathers the contacts that last, before bodies fall asleep. Call it once the impulses are known.
void tni_events_gather_persists(tn_world *world);
// Call it when a body woke or fell asleep, at any time. An event reports it if it is still so when
// the next step ends. Never fails.
void tni_events_note_sleep(tn_world *world, uint32_t body);
void tni_events_publish(tn_world *world, bool has_moves);
// A pass over the bodies may write their move events once each body has its new pose, on any
// worker, if awake bodies stand in order and none woke or fell asleep. Publishing takes these moves
// if all are written, or finds them itself.
bool tni_events_are_in_order(const tn_world *world);
void tni_events_write_move(const tn_world *world, const tni_body *body);
// These serve contacts and bodies that are created and destroyed: they make room for the end of a
// contact, add its begin and end, and drop a body's note.
bool tni_events_reserve_end(tn_world *world);
void tni_events_add_begin(tn_world *world, const tni_contact *contact);
void tni_events_add_end(tn_world *world, const tni_contact *contact);
void tni_events_forget_body(tn_world *world, uint32_t body);
// Writes a pose, from `origin`, into 7 floats.
void tni_pose_write(const tn_pose *pose, tn_vec3 origin, float *out_pose);

#endif
