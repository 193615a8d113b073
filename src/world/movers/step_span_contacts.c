// world/movers/step_span_contacts.c: gathers contacts of reduced bodies, and stores them.
//
// A contact is one of these while one of its ends belongs to an object that takes part in the step
// (world/movers/step_reduced.c); otherwise its bodies stand still, and it is like any other. They
// are gathered before the others are listed, in the order of the list of awake contacts; contacts
// with bodies that do not give way come last.
// Test: tests/world/movers/test_reduced_contacts.c
#include "solver/movers/span_contact.h"

#include <string.h>

#include "core/union_find.h"
#include "world/collide/contact_order.h"
#include "world/step/step_mechanisms.h"

static bool contacts_is_wanted(const tn_world *world, uint32_t index) {
    return world->pre_solve == NULL || !tni_contact_at(world, index)->is_disabled;
}

static bool contacts_is_span(const tn_world *world, uint32_t index) {
    const tni_contact *contact = tni_contact_at(world, index);
    return tni_step_find_object(world, contact->body_a) != NULL ||
           tni_step_find_object(world, contact->body_b) != NULL;
}

bool tni_step_lists_contact(const tn_world *world, const tni_awake_contact *entry) {
    return contacts_is_wanted(world, entry->contact) && !contacts_is_span(world, entry->contact);
}

// ---- gather ------------------------------------------------------------------------------------

static void contacts_add_entry(tni_span_contact *contact, uint32_t body, bool moves) {
    contact->bodies[contact->entry_count] = body;
    contact->moves[contact->entry_count] = moves;
    contact->entry_count += 1;
}

static void contacts_set_object(tni_span_contact *contact, uint32_t body, tni_reduced *reduced,
                                tni_span_contact_end *end) {
    end->reduced = reduced;
    end->has_entry = true;
    end->member = tni_reduced_find_member(reduced, body);
    if (contact->ends[0].reduced == reduced && end != &contact->ends[0]) {
        end->entry = contact->ends[0].entry;
        contact->is_of_one = true;
        return;
    }
    for (uint32_t s = 0; s < tni_reduced_count_slots(reduced); ++s) {
        contacts_add_entry(contact, reduced->first_slot + s, true);
    }
}

// Sets an end. A kinematic body has a speed and does not give way.
static void contacts_set_end(const tn_world *world, const tni_solver *solver,
                             tni_span_contact *contact, uint32_t body, tni_span_contact_end *end) {
    tni_reduced *reduced = tni_step_find_object(world, body);
    end->entry = contact->entry_count;
    if (reduced != NULL) {
        contacts_set_object(contact, body, reduced, end);
    } else if (end->body != 0) {
        bool is_dynamic = solver->bodies.masses[end->body].is_dynamic;
        end->has_entry = true;
        end->is_free = is_dynamic && tni_body_at(world, body)->joint_head == TNI_NONE;
        contacts_add_entry(contact, end->body, is_dynamic);
    }
}

static void contacts_set_touch_end(const tni_shape *shape, tni_span_contact *contact, uint32_t e) {
    tni_span_contact_end *end = &contact->ends[e];
    tni_touch_end *touched = &contact->touch->ends[e];
    bool gives_way = end->has_entry && contact->moves[end->entry];
    touched->body = end->body;
    touched->local = TNI_NONE;
    touched->is_loose = gives_way;
    touched->motion = &end->motion;
    if (tni_span_contact_is_affine(end)) {
        end->deformed = shape->deformed;
        end->rest = &shape->geometry;
    }
}

static void contacts_make_touch(const tn_world *world, const tni_solver *solver,
                                const tni_contact *contact, tni_span_contact *out) {
    tni_touch *touch = out->touch;
    memset(touch, 0, sizeof *touch);
    contacts_set_touch_end(tni_shape_at(world, contact->shape_a), out, 0);
    contacts_set_touch_end(tni_shape_at(world, contact->shape_b), out, 1);
    tni_step_set_touch(world, solver, &out->record, touch);
}

static void contacts_make(const tn_world *world, const tni_solver *solver,
                          const tni_kept_contact *kept, tni_touch *touch, tni_span_contact *out) {
    const tni_contact *contact = tni_contact_at(world, kept->contact);
    float scale = (float)step_contact_impulse_scale(world, solver);
    memset(out, 0, sizeof *out);
    tni_step_fill_contact(world, kept, scale, &out->record);
    out->ends[0].body = out->record.body_a;
    out->ends[1].body = out->record.body_b;
    contacts_set_end(world, solver, out, contact->body_a, &out->ends[0]);
    contacts_set_end(world, solver, out, contact->body_b, &out->ends[1]);
    out->touch = touch;
    contacts_make_touch(world, solver, contact, out);
}

static bool contacts_keeps(const tn_world *world, const tni_awake_contact *entry) {
    return entry->has_points && contacts_is_wanted(world, entry->contact) &&
           contacts_is_span(world, entry->contact);
}

static uint32_t contacts_count(const tn_world *world) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->awake_contacts.count; ++i) {
        count += contacts_keeps(world, &world->awake_contacts.items[i]) ? 1 : 0;
    }
    return count;
}

static void contacts_make_some(tn_world *world, tni_solver *solver, bool with_static) {
    for (uint32_t i = 0; i < world->awake_contacts.count; ++i) {
        const tni_awake_contact *entry = &world->awake_contacts.items[i];
        if (entry->has_static == with_static && contacts_keeps(world, entry)) {
            const tni_kept_contact kept = {entry->contact, i, TNI_NONE, with_static};
            uint32_t at = solver->movers.span_contact_count;
            contacts_make(world, solver, &kept, &solver->movers.span_touches.touches[at],
                          &solver->movers.span_contacts[at]);
            solver->movers.span_contact_count += 1;
        }
    }
}

bool tni_step_gather_span_contacts(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    uint32_t count = solver->movers.reduced_count > 0 ? contacts_count(world) : 0;
    if (count == 0) {
        return true;
    }
    solver->movers.span_contacts =
        tni_arena_alloc(&world->arena, count * sizeof *solver->movers.span_contacts);
    tni_touch_set *set = &solver->movers.span_touches;
    set->touches = tni_arena_alloc(&world->arena, count * sizeof *set->touches);
    set->count = count;
    set->is_of_spans = true;
    if (solver->movers.span_contacts == NULL || set->touches == NULL) {
        return false;
    }
    contacts_make_some(world, solver, false);
    contacts_make_some(world, solver, true);
    return true;
}

// ---- islands -----------------------------------------------------------------------------------

void tni_step_join_span_contacts(const tn_world *world, const tni_solver *solver,
                                 uint32_t *parents) {
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        const tni_span_contact *contact = &solver->movers.span_contacts[i];
        uint32_t a = contact->ends[0].body, b = contact->ends[1].body;
        if (tni_contact_at(world, contact->record.contact)->is_touching &&
            solver->bodies.masses[a].is_dynamic && solver->bodies.masses[b].is_dynamic) {
            union_find_join(parents, a, b);
        }
    }
}

// ---- back --------------------------------------------------------------------------------------

static void contacts_tell_unsound(const tn_world *world, const tni_span_contact *contact) {
    if (!contact->is_sound) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, "tn_world_step",
                         "A row of a contact with reduced bodies was not finite.",
                         tni_contact_at(world, contact->record.contact)->handle);
    }
}

void tni_step_scatter_span_contacts(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    tn_telemetry *telemetry = &world->telemetry;
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        const tni_span_contact *contact = &solver->movers.span_contacts[i];
        telemetry->manifolds += 1;
        telemetry->points += contact->point_count;
        telemetry->rows += contact->point_count + 2;
        if (contact->is_shut) {
            double depth = -(double)tni_span_contact_get_least(contact);
            telemetry->deepest_penetration = maths_max_d(telemetry->deepest_penetration, depth);
            tni_step_store_contact(world, &contact->record);
        }
        contacts_tell_unsound(world, contact);
    }
}
