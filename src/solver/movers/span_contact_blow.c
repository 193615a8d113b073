// solver/movers/span_contact_blow.c: what contacts of bodies that are given by coordinates gave
// before a blow.
//
// The rule is that of solver/contacts/contact_sweep_blows.h: a contact of a body that another one
// strikes within the substep keeps the share of its load that it had given by then, and begins the
// next substep without one. The speed at which forces alone would make its points close is J M^-1 Q
// h: the kick gives it (tni_span_impacts_begin). Test: tests/solver/movers/test_span_contact_blow.c
#include <string.h>

#include "solver/movers/span_contact.h"

static float blow_get_left(const tni_solver *solver, const tni_span_contact *contact) {
    float left = 0.0f;
    for (uint32_t i = 0; i < contact->entry_count; ++i) {
        if (contact->moves[i]) {
            const tni_contact_push *push = &solver->contacts.pushes[contact->bodies[i]];
            left = maths_max(left, tni_contact_push_get_left(push));
        }
    }
    return left;
}

void tni_span_contacts_begin_blows(tni_solver *solver) {
    float widest = TNI_CONTACT_STANDS_OPEN * solver->settings.contact_calm * solver->h;
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        tni_span_contact *contact = &solver->movers.span_contacts[i];
        contact->stands_open = tni_span_contact_get_least(contact) > widest;
        contact->is_left = false;
        for (uint32_t k = 0; k < contact->entry_count; ++k) {
            if (contact->moves[k]) {
                tni_contact_push_forget(&solver->contacts.pushes[contact->bodies[k]]);
            }
        }
    }
}

void tni_span_contact_note_blow(const tni_solver *solver, const tni_span_contact *contact,
                                const float speed[TNI_LANES], const float x[TNI_LANES]) {
    float fast = TNI_CONTACT_BLOW * solver->settings.contact_calm, left = 0.0f;
    for (uint32_t p = 0; p < contact->point_count && contact->record.borne >= 0.0f; ++p) {
        const tni_span_contact_state *state = &contact->states[p];
        bool is_new = !(state->impulse + state->warm > 0.0f) && x[p] > 0.0f;
        if (is_new && -speed[p] > fast) {
            float needed = contact->gap[p] * solver->inv_h / -speed[p];
            left = maths_max(left, 1.0f - maths_max(needed, 0.0f));
        }
    }
    for (uint32_t i = 0; i < contact->entry_count && left > 0.0f; ++i) {
        if (contact->moves[i]) {
            tni_contact_push_note(&solver->contacts.pushes[contact->bodies[i]], left);
        }
    }
}

// Returns the impulse that bears what forces press together in the substep, N·s.
static float blow_get_weight(const tni_solver *solver, const tni_span_contact *contact) {
    float closing = 0.0f, response = FLT_MAX;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        closing -= tni_span_contact_get_product(contact, p, contact->pull);
        response = maths_min(response, contact->response[p][p]);
    }
    closing *= solver->h / (float)contact->point_count;
    return maths_max(closing, 0.0f) * maths_inverse_or_zero(response);
}

bool tni_span_contact_find_given(const tni_solver *solver, const tni_span_contact *contact,
                                 float given[TNI_LANES]) {
    float left = blow_get_left(solver, contact), load = 0.0f;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        load += 2.0f * contact->states[p].warm;
    }
    if (!(left > 0.0f) || !(load > 0.0f) || contact->stands_open || contact->record.borne < 0.0f) {
        return false;
    }
    float share = (1.0f - left) * maths_min(load, blow_get_weight(solver, contact)) / load;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        given[p] = share * 2.0f * contact->states[p].warm;
    }
    return true;
}

bool tni_span_contact_lift(const tni_solver *solver, tni_span_contact *contact) {
    float given[TNI_LANES], gap[TNI_LANES];
    if (contact->point_count == 0 || !tni_span_contact_find_given(solver, contact, given)) {
        return false;
    }
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        gap[p] = contact->gap[p] + solver->h * tni_span_contact_get_speed(solver, contact, p);
        if (!(gap[p] > 0.0f)) {
            return false;
        }
    }
    memcpy(contact->gap, gap, contact->point_count * sizeof *gap);
    return true;
}
