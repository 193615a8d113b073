// solver/movers/span_contact_place.c: where bodies that are given by coordinates touch.
//
// The shapes are asked anew in every substep and followed through the next one, as touches of
// mechanisms are (solver/touches/touch_row.c, touch_way.c), and a feature behind another contact's
// plane cannot be met (touch_ghosts.c). The path on which an object bends its bodies needs no
// guess: over h at the speeds u' it takes them from u to u + h u', and a body's mean velocity leads
// from the one pose to the other.
//
// A contact that does not push yet looks again when it may be met within the substep, in each sweep
// of solve A, with the velocities that it would stop: if the shapes do not meet it changes nothing,
// to the last bit (as in solver/contacts/contact_look.c).
//
// A body that slides from tile to tile leaves the points that carried it for others, and their load
// goes to these.
//
// The shape of an affine body is deformed anew before it is asked, and points take hold of the
// material that is there.
// Test: tests/solver/movers/test_span_contact_place.c
#include <string.h>

#include "collision/path/path_meet.h"
#include "solver/contacts/grain.h"
#include "solver/movers/span_contact.h"

// m: a body whose coordinates take it off a straight path by less within h goes straight.
#define PLACE_STRAIGHT 1e-5
// The bound of a path's bend, as a multiple of its second-order term.
#define PLACE_BENT 2.0
// Putting poses right moves bodies by less than this share of the contact margin.
#define PLACE_SLACK 0.25
// Loads are handed on as in world/collide/contact_hand_on.c: between normals that differ by less
// than the first, 1 - cosine; to points whose gap is less than the second, m; and from a body with
// less than the third share of its speed off the surface.
#define PLACE_SAME   1e-4
#define PLACE_CLOSED 5e-4
#define PLACE_SLANT  0.05

// ---- how bodies move ---------------------------------------------------------------------------

// Gets the speeds as rows see them.
static void place_get_speeds(const tni_solver *solver, const tni_reduced *reduced,
                             double out_speeds[TN_REDUCED_MAX_FREEDOMS]) {
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        uint32_t slot = reduced->first_slot + k / TNI_REDUCED_SLOT;
        out_speeds[k] = (double)solver->bodies.states[slot].numbers[tni_reduced_get_lane(k)];
    }
}

// Finds the motion of an end, with the rows' present velocities.
static void place_move(const tni_solver *solver, tni_span_contact_end *end) {
    const tni_body_state *state = &solver->bodies.states[end->body];
    double speeds[TN_REDUCED_MAX_FREEDOMS];
    end->motion = solver->bodies.motions[end->body];
    if (end->reduced == NULL) {
        end->motion.velocity = dvec3_from_float(state->v);
        end->motion.angular_velocity = dvec3_from_float(state->w);
        return;
    }
    const tni_reduced_body *body = &end->reduced->bodies[end->member];
    place_get_speeds(solver, end->reduced, speeds);
    end->motion.velocity = tni_reduced_sum(body->linear, speeds, end->reduced->freedoms);
    end->motion.angular_velocity = tni_reduced_sum(body->angular, speeds, end->reduced->freedoms);
}

void tni_span_contact_see(const tni_solver *solver, tni_span_contact *contact) {
    place_move(solver, &contact->ends[0]);
    place_move(solver, &contact->ends[1]);
}

// Returns how much the coordinates may bend the mean velocity of the end's points, m/s.
static double place_get_sag(const tni_solver *solver, const tni_span_contact_end *end,
                            double reach) {
    if (end->reduced == NULL || tni_span_contact_is_affine(end)) {
        return 0.0;
    }
    const tni_reduced_body *body = &end->reduced->bodies[end->member];
    return 0.5 * solver->dh *
           (dvec3_length(body->drift) + reach * dvec3_length(body->angular_drift));
}

static void place_bend(const tni_solver *solver, const tni_span_contact_end *end,
                       tni_touch_end *touched) {
    tni_dpose then;
    double speeds[TN_REDUCED_MAX_FREEDOMS], h = solver->dh;
    touched->bend = (tni_twist){dvec3_make(0.0, 0.0, 0.0), dvec3_make(0.0, 0.0, 0.0)};
    if (!(h * place_get_sag(solver, end, touched->reach) > PLACE_STRAIGHT)) {
        return;
    }
    place_get_speeds(solver, end->reduced, speeds);
    if (!tni_reduced_look_ahead(end->reduced, end->member, speeds, h, &then)) {
        return;
    }
    tni_dvec3 way = dvec3_sub(then.position, end->motion.position);
    tni_dvec3 turn = dquat_get_turn(end->motion.rotation, then.rotation);
    double inv_h = maths_inverse_or_zero_d(h);
    touched->bend.linear = dvec3_sub(dvec3_scale(way, inv_h), end->motion.velocity);
    touched->bend.angular = dvec3_sub(dvec3_scale(turn, inv_h), end->motion.angular_velocity);
}

static void place_deform(const tni_span_contact_end *end, tni_touch_end *touched) {
    if (tni_span_contact_is_affine(end)) {
        tni_dvec3 center = end->reduced->bodies[end->member].center;
        tni_affine_deform(end->reduced, end->rest, center, end->deformed);
        tni_span_contact_use_shape(end, &end->deformed->geometry, touched);
    }
}

// ---- what a measured touch is to the rows ------------------------------------------------------

// Returns the contact's row for row r of the touch: a point's, or one of friction.
static uint32_t place_get_row(const tni_span_contact *contact, uint32_t r) {
    return r < contact->point_count ? r : TNI_SPAN_SLIDE + r - contact->point_count;
}

static uint32_t place_count_rows(const tni_span_contact *contact) {
    return contact->point_count + contact->touch->slide_count;
}

static void place_give_impulses(tni_span_contact *contact) {
    tni_touch *touch = contact->touch;
    for (uint32_t r = 0; r < place_count_rows(contact); ++r) {
        const tni_span_contact_state *state = &contact->states[place_get_row(contact, r)];
        touch->impulse[r] = (double)state->impulse;
        touch->before[r] = (double)state->warm;
    }
}

static void place_take_impulses(tni_span_contact *contact) {
    const tni_touch *touch = contact->touch;
    contact->point_count = touch->point_count;
    for (uint32_t r = 0; r < TNI_SPAN_CONTACT_ROWS; ++r) {
        contact->states[r].impulse = contact->states[r].warm = 0.0f;
    }
    for (uint32_t r = 0; r < place_count_rows(contact) && contact->point_count > 0; ++r) {
        tni_span_contact_state *state = &contact->states[place_get_row(contact, r)];
        state->impulse = maths_to_float(touch->impulse[r]);
        state->warm = maths_to_float(touch->before[r]);
    }
}

// Weighs the points by these impulses, or evenly in a new contact, and finds how far the load is
// from their middle. Friction acts once the gap has closed, so its arms lead to the surfaces.
void tni_span_contact_center(tni_span_contact *contact, const float impulses[TNI_LANES]) {
    uint32_t count = contact->point_count;
    float total = 0.0f, radius = 0.0f, shares[TNI_LANES];
    for (uint32_t p = 0; p < count; ++p) {
        total += impulses[p];
    }
    vec3s middle = maths_vec3_zero();
    vec3s *of_a = &contact->arms[0][TNI_LANES], *of_b = &contact->arms[1][TNI_LANES];
    *of_a = *of_b = maths_vec3_zero();
    for (uint32_t p = 0; p < count; ++p) {
        shares[p] = total > 0.0f ? impulses[p] / total : 1.0f / (float)count;
        float half = 0.5f * shares[p] * maths_max(contact->touch->gap_then[p], 0.0f);
        middle = maths_vec3_add_scaled(middle, shares[p], contact->arms[0][p]);
        *of_b = maths_vec3_add_scaled(*of_b, shares[p], contact->arms[1][p]);
        *of_b = maths_vec3_add_scaled(*of_b, half, contact->normal);
        *of_a = maths_vec3_add_scaled(*of_a, -half, contact->normal);
    }
    *of_a = glms_vec3_add(*of_a, middle);
    for (uint32_t p = 0; p < count; ++p) {
        radius += shares[p] * glms_vec3_norm(glms_vec3_sub(contact->arms[0][p], middle));
    }
    if (contact->touch->has_grain) {
        radius *= (float)tni_grain_get_mean(contact->touch->grip);
    }
    contact->twist_bound = contact->record.twisting_resistance + contact->record.friction * radius;
}

static void place_set_material(tni_span_contact *contact, uint32_t e) {
    tni_span_contact_end *end = &contact->ends[e];
    tni_dvec3 points[TNI_LANES + 1];
    uint32_t count = 0;
    if (!tni_span_contact_is_affine(end)) {
        return;
    }
    for (uint32_t p = 0; p < TNI_LANES + 1; ++p) {
        points[count++] = dvec3_add(end->motion.position, dvec3_from_float(contact->arms[e][p]));
    }
    tni_affine_find_material(end->reduced, points, count, end->material);
}

static void place_take(tni_span_contact *contact) {
    const tni_touch *touch = contact->touch;
    place_take_impulses(contact);
    if (contact->point_count == 0) {
        return;
    }
    contact->normal = dvec3_to_float(touch->normal);
    contact->record.normal = contact->normal;
    memset(contact->arms, 0, sizeof contact->arms);
    float impulses[TNI_LANES];
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        tni_dvec3 arm = dvec3_sub(touch->at[p], contact->ends[0].motion.position);
        contact->arms[0][p] = dvec3_to_float(arm);
        contact->arms[1][p] = dvec3_to_float(dvec3_add(arm, touch->offset));
        contact->gap[p] = (float)touch->gap[p];
        impulses[p] = contact->states[p].impulse;
    }
    contact->tangent[0] = dvec3_to_float(touch->tangents[0]);
    contact->tangent[1] = dvec3_to_float(touch->tangents[1]);
    contact->grip[0] = (float)touch->grip[0];
    contact->grip[1] = (float)touch->grip[1];
    tni_span_contact_center(contact, impulses);
    place_set_material(contact, 0);
    place_set_material(contact, 1);
}

// ---- measuring ---------------------------------------------------------------------------------

static void place_measure(tni_solver *solver, tni_span_contact *contact, double ahead) {
    tni_span_contact_see(solver, contact);
    for (uint32_t e = 0; e < 2; ++e) {
        place_bend(solver, &contact->ends[e], &contact->touch->ends[e]);
        place_deform(&contact->ends[e], &contact->touch->ends[e]);
    }
    place_give_impulses(contact);
    tni_touch_measure(solver, contact->touch, ahead);
}

void tni_span_contact_measure(tni_solver *solver, tni_span_contact *contact, double ahead) {
    place_measure(solver, contact, ahead);
    tni_touch_lay_ghost(solver, &solver->movers.span_touches, contact->touch, ahead);
    place_take(contact);
}

// Returns how far the surfaces may approach within h in any direction, m, by velocities that may
// have changed since the contact was measured.
static double place_get_way(const tni_solver *solver, const tni_span_contact *contact) {
    const tni_span_contact_end *ends = contact->ends;
    double speed = dvec3_length(dvec3_sub(ends[0].motion.velocity, ends[1].motion.velocity));
    for (uint32_t e = 0; e < 2; ++e) {
        double reach = contact->touch->ends[e].reach;
        speed += reach * dvec3_length(ends[e].motion.angular_velocity);
        speed += PLACE_BENT * place_get_sag(solver, &ends[e], reach);
        if (tni_span_contact_is_affine(&ends[e])) {
            speed += (double)ends[e].deformed->reach * tni_affine_get_strain_rate(ends[e].reduced);
        }
    }
    return solver->dh * speed;
}

// Returns whether a contact, after a drift, does not push and is still so far away that it need not
// be measured again.
static bool place_is_far(const tni_solver *solver, tni_span_contact *contact) {
    tni_touch *touch = contact->touch;
    if (tni_span_contact_is_loaded(contact)) {
        return false;
    }
    tni_span_contact_see(solver, contact);
    double way = place_get_way(solver, contact);
    touch->apart -= way;
    return touch->apart > way + PLACE_SLACK * (double)touch->margin;
}

// ---- loads -------------------------------------------------------------------------------------

// Returns the sum over the points of a touch of its impulses x.
static double place_sum_points(const tni_touch *touch, const double *x) {
    double sum = 0.0;
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        sum += x[p];
    }
    return sum;
}

// The load that points of a contact lost as it was measured, with the normal that it had. A load is
// only handed on along its surface, for blows are not to be given again.
typedef struct place_load {
    uint32_t body; // the solver's index of the body that moves over the other
    tni_dvec3 normal;
    double impulse, warm;
} place_load;

static bool place_find_lost(const tni_span_contact *contact, place_load *lost) {
    const tni_span_contact_end *ends = contact->ends;
    uint32_t mover = contact->touch->ends[0].is_loose ? 0 : 1;
    lost->body = ends[mover].body;
    lost->normal = dvec3_from_float(contact->normal);
    lost->normal = dvec3_scale(lost->normal, mover == 0 ? -1.0 : 1.0);
    lost->impulse = -place_sum_points(contact->touch, contact->touch->impulse);
    lost->warm = -place_sum_points(contact->touch, contact->touch->before);
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        lost->impulse += (double)contact->states[p].impulse;
        lost->warm += (double)contact->states[p].warm;
    }
    tni_dvec3 u = dvec3_sub(ends[1].motion.velocity, ends[0].motion.velocity);
    return lost->impulse > 0.0 && fabs(dvec3_dot(u, lost->normal)) < PLACE_SLANT * dvec3_length(u);
}

// Gives `share` of a load to each point of a touch that may take it over, which is closed and new.
// Returns their number.
static uint32_t place_give(const place_load *lost, tni_touch *touch, double share) {
    uint32_t count = 0;
    for (uint32_t e = 0; e < 2; ++e) {
        tni_dvec3 n = dvec3_scale(touch->normal, e == 0 ? -1.0 : 1.0);
        if (touch->ends[e].body != lost->body || dvec3_dot(n, lost->normal) < 1.0 - PLACE_SAME) {
            continue;
        }
        for (uint32_t p = 0; p < touch->point_count; ++p) {
            if (touch->gap[p] < PLACE_CLOSED && !(touch->impulse[p] > 0.0)) {
                touch->impulse[p] = share * lost->impulse;
                touch->before[p] = share * lost->warm;
                count += 1;
            }
        }
    }
    return count;
}

// Hands the load of points that end to those that begin, as world/collide/contact_hand_on.c does.
static void place_hand_on(tni_solver *solver) {
    tni_touch_set *set = &solver->movers.span_touches;
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        place_load lost;
        uint32_t count = 0;
        bool has_lost = place_find_lost(&solver->movers.span_contacts[i], &lost);
        for (uint32_t k = 0; k < set->count && has_lost; ++k) {
            count += place_give(&lost, &set->touches[k], 0.0);
        }
        for (uint32_t k = 0; k < set->count && count > 0; ++k) {
            place_give(&lost, &set->touches[k], 1.0 / count);
        }
    }
}

void tni_span_contacts_measure(tni_solver *solver, bool is_first) {
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        tni_span_contact *contact = &solver->movers.span_contacts[i];
        tni_touch *touch = contact->touch;
        contact->is_lifted = false;
        if (!is_first && place_is_far(solver, contact)) {
            touch->point_count = 0;
            continue;
        }
        contact->is_lifted = !is_first && tni_span_contact_lift(solver, contact);
        if (contact->is_lifted) {
            place_give_impulses(contact);
            continue;
        }
        place_measure(solver, contact, solver->dh);
        if (is_first && touch->point_count > 0) {
            tni_touch_load(touch);
        }
    }
    tni_touches_lay_ghosts(solver, &solver->movers.span_touches, solver->dh);
    place_hand_on(solver);
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        tni_span_contact *contact = &solver->movers.span_contacts[i];
        if (contact->is_lifted) {
            contact->touch->point_count = contact->point_count; // also for a ghost
        } else {
            place_take(contact);
        }
    }
}

bool tni_span_contact_look(tni_solver *solver, tni_span_contact *contact) {
    tni_span_contact_see(solver, contact);
    if (contact->touch->apart > place_get_way(solver, contact)) {
        return false;
    }
    tni_span_contact_measure(solver, contact, solver->dh);
    return true;
}
