// solver/movers/span_impact.c: impacts that bounce off bodies that are given by coordinates.
//
// As in solver/contacts/impact.c, after the kick rows have the velocities v of the middle of the
// substep; with a the acceleration of the kicks, the velocities at t are v + a (t - h/2). Bodies
// and objects go to a hit that gaps and J v foretell: they are put where they are at t,
//     x + v t - a t (h - t) / 2,        likewise coordinates u,
// the shapes are asked there, and t is corrected by their gap until there is none. So the rows are
// those of the hit, however the coordinates bend the path. The blow changes v by dv; then
// everything is taken back along the new velocities, which leaves bodies at x - t dv and
// coordinates at u - t du'.
// Sources: those of solver/contacts/impact.c. Test: tests/world/movers/test_reduced_contacts.c
#include "solver/contacts/slip.h"
#include "solver/movers/span_contact.h"

#include <string.h>

// Sweeps over the points of one manifold.
#define IMPACT_SWEEPS 8
// The time of a hit is corrected so many times, and not by less than this share of a substep.
#define IMPACT_ROUNDS  3
#define IMPACT_SETTLED 1e-4f

typedef struct impact_work {
    tni_span_contact *contact;
    float time; // s
    // By point: the change of J v to reach, the change reached so far, and the impulse for it.
    float target[TNI_LANES], gained[TNI_LANES], impulse[TNI_LANES];
    bool is_hit[TNI_LANES];
    // At the start of the substep: velocities, and poses and coordinates by end.
    float before[TNI_SPAN_CONTACT_ENTRIES * 8];
    tni_body_motion motions[2];
    double coordinates[2][TN_REDUCED_MAX_FREEDOMS];
} impact_work;

void tni_span_impacts_begin(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        tni_span_contact *contact = &solver->movers.span_contacts[i];
        for (uint32_t k = 0; k < contact->entry_count * 8; ++k) {
            float kicked = solver->bodies.states[contact->bodies[k / 8]].numbers[k % 8];
            contact->pull[k] = 2.0f * solver->inv_h * (kicked - contact->kick[k]);
        }
    }
}

// ---- when --------------------------------------------------------------------------------------

// Returns the earliest time at which a point hits within the substep, or -1.
static float impact_find(const tni_solver *solver, const tni_span_contact *contact) {
    float first = -1.0f;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        float a = tni_span_contact_get_product(contact, p, contact->pull), speed = 0.0f;
        float v_middle = tni_span_contact_get_speed(solver, contact, p);
        float t = tni_impact_find_time(solver, contact->gap[p], v_middle, a, &speed);
        if (t >= 0.0f && contact->states[p].mass > 0.0f) {
            first = first < 0.0f || t < first ? t : first;
        }
    }
    return first;
}

// Returns J v at the time of the work.
static float impact_get_speed(const tni_solver *solver, const impact_work *work, uint32_t row) {
    float late = work->time - 0.5f * solver->h;
    return tni_span_contact_get_speed(solver, work->contact, row) +
           late * tni_span_contact_get_product(work->contact, row, work->contact->pull);
}

// ---- there and back ----------------------------------------------------------------------------

static bool impact_is_first(const impact_work *work, uint32_t e) {
    return work->contact->ends[e].has_entry && !(work->contact->is_of_one && e == 1);
}

static bool impact_moves(const impact_work *work, uint32_t e) {
    return work->contact->moves[work->contact->ends[e].entry];
}

static void impact_remember(const tni_solver *solver, impact_work *work) {
    const tni_span_contact *contact = work->contact;
    for (uint32_t k = 0; k < contact->entry_count * 8; ++k) {
        work->before[k] = solver->bodies.states[contact->bodies[k / 8]].numbers[k % 8];
    }
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_span_contact_end *end = &contact->ends[e];
        work->motions[e] = solver->bodies.motions[end->body];
        if (end->reduced != NULL) {
            memcpy(work->coordinates[e], end->reduced->coordinates, sizeof work->coordinates[e]);
        }
    }
}

// Moves an object's coordinates by t at the speeds before the blow or, without the pull, by -t at
// the change of its speeds.
static bool impact_go_object(tni_solver *solver, const impact_work *work, uint32_t e,
                             const float *speeds, float t, float share) {
    const tni_span_contact_end *end = &work->contact->ends[e];
    double moved[TN_REDUCED_MAX_FREEDOMS];
    for (uint32_t k = 0; k < end->reduced->freedoms; ++k) {
        uint32_t at = end->entry * 8 + tni_reduced_get_place(k);
        moved[k] = work->coordinates[e][k] + (double)(t * speeds[at]) -
                   (double)(share * work->contact->pull[at]);
    }
    return tni_reduced_go(solver, end->reduced, moved);
}

static void impact_go_body(tni_solver *solver, const impact_work *work, uint32_t e, float t,
                           float share) {
    const tni_span_contact_end *end = &work->contact->ends[e];
    const float *v = work->before + end->entry * 8, *a = work->contact->pull + end->entry * 8;
    tni_body_motion *motion = &solver->bodies.motions[end->body];
    vec3s way =
        maths_vec3(t * v[0] - share * a[0], t * v[1] - share * a[1], t * v[2] - share * a[2]);
    *motion = work->motions[e];
    motion->position = dvec3_add(motion->position, dvec3_from_float(way));
    if (impact_moves(work, e)) {
        tni_impact_rotate(solver, end->body, t);
        return;
    }
    tni_dvec3 turn = dvec3_make((double)(t * v[4]), (double)(t * v[5]), (double)(t * v[6]));
    motion->rotation = dquat_mul(dquat_cayley(turn), motion->rotation);
}

static void impact_restore_speeds(tni_solver *solver, const impact_work *work) {
    const tni_span_contact *contact = work->contact;
    for (uint32_t i = 0; i < contact->entry_count; ++i) {
        if (contact->moves[i]) {
            memcpy(solver->bodies.states[contact->bodies[i]].numbers, work->before + 8 * i,
                   7 * sizeof(float));
        }
    }
}

// Moves everything to the time t. Returns false if a callback has no numbers.
static bool impact_go(tni_solver *solver, impact_work *work, float t) {
    float share = 0.5f * t * (solver->h - t);
    bool goes = true;
    work->time = t;
    impact_restore_speeds(solver, work);
    for (uint32_t e = 0; e < 2; ++e) {
        if (!impact_is_first(work, e)) {
            continue;
        }
        if (work->contact->ends[e].reduced != NULL) {
            goes = goes && impact_go_object(solver, work, e, work->before, t, share);
        } else {
            impact_go_body(solver, work, e, t, share);
        }
    }
    tni_span_contact_measure(solver, work->contact, 0.0);
    tni_span_contact_refresh(solver, work->contact);
    return goes;
}

static void impact_return_body(tni_solver *solver, const impact_work *work, uint32_t e) {
    const tni_span_contact_end *end = &work->contact->ends[e];
    const float *before = work->before + end->entry * 8;
    tni_body_motion *motion = &solver->bodies.motions[end->body];
    if (!impact_moves(work, e)) {
        *motion = work->motions[e];
        return;
    }
    tni_impact_rotate(solver, end->body, -work->time);
    const float *now = solver->bodies.states[end->body].numbers;
    vec3s dv = maths_vec3(now[0] - before[0], now[1] - before[1], now[2] - before[2]);
    vec3s dw = maths_vec3(now[4] - before[4], now[5] - before[5], now[6] - before[6]);
    vec3s shift = glms_vec3_scale(dv, -work->time);
    motion->position = dvec3_add(work->motions[e].position, dvec3_from_float(shift));
    if (solver->bodies.deltas != NULL) {
        tni_body_delta *delta = &solver->bodies.deltas[end->body];
        delta->position = glms_vec3_add(delta->position, shift);
        delta->rotation = maths_vec3_add_scaled(delta->rotation, -work->time, dw);
    }
}

// Moves everything back to where it would have started with the velocities after the blow.
static void impact_return(tni_solver *solver, const impact_work *work) {
    const tni_span_contact *contact = work->contact;
    float change[TNI_SPAN_CONTACT_ENTRIES * 8];
    for (uint32_t k = 0; k < contact->entry_count * 8; ++k) {
        change[k] = solver->bodies.states[contact->bodies[k / 8]].numbers[k % 8] - work->before[k];
    }
    for (uint32_t e = 0; e < 2; ++e) {
        if (!impact_is_first(work, e)) {
            continue;
        }
        if (contact->ends[e].reduced != NULL) {
            impact_go_object(solver, work, e, change, -work->time, 0.0f);
        } else {
            impact_return_body(solver, work, e);
        }
    }
    solver->contacts.has_old_gaps = true;
}

// ---- the blow ----------------------------------------------------------------------------------

static void impact_solve_points(impact_work *work) {
    tni_span_contact *contact = work->contact;
    uint32_t count = contact->point_count;
    float missing[TNI_LANES] = {0.0f};
    for (uint32_t p = 0; p < count; ++p) {
        missing[p] = work->target[p];
    }
    tni_impact_begin_points(contact->response, missing, work->is_hit, count, work->impulse);
    for (uint32_t p = 0; p < count; ++p) {
        for (uint32_t q = 0; q < count; ++q) {
            work->gained[p] += contact->response[p][q] * work->impulse[q];
        }
    }
    for (int sweep = 0; sweep < IMPACT_SWEEPS; ++sweep) {
        for (uint32_t p = 0; p < count; ++p) {
            if (!work->is_hit[p]) {
                continue;
            }
            float left = work->target[p] - work->gained[p];
            float x = maths_max(work->impulse[p] + contact->states[p].mass * left, 0.0f);
            float change = x - work->impulse[p];
            work->impulse[p] = x;
            for (uint32_t q = 0; q < count; ++q) {
                work->gained[q] += contact->response[p][q] * change;
            }
        }
    }
}

static void impact_give(const tni_solver *solver, tni_span_contact *contact, uint32_t row,
                        float x) {
    float *sum = row < TNI_LANES ? contact->phase_blow : contact->phase_rub;
    if (!(fabsf(x) < FLT_MAX)) {
        return; // speeds that float cannot hold: see contact_set_row
    }
    for (uint32_t i = 0; i < contact->entry_count * 8; ++i) {
        sum[i] += x * contact->jacobian[row][i];
    }
    tni_span_contact_push(solver, contact, row, x);
}

// Finds the points that hit at the time of the work, and their speeds. Returns the time, s, that
// the nearest point's gap still takes to close.
static float impact_aim(const tni_solver *solver, impact_work *work) {
    const tni_span_contact *contact = work->contact;
    float least = FLT_MAX, late = 0.0f, at_once = TNI_IMPACT_AT_ONCE * solver->h;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        float speed = impact_get_speed(solver, work, p);
        bool is_hit = contact->states[p].mass > 0.0f && speed < 0.0f &&
                      speed < -solver->settings.restitution_threshold;
        work->is_hit[p] = is_hit && contact->gap[p] + at_once * speed <= 0.0f;
        work->target[p] = -(1.0f + contact->record.restitution) * speed;
        if (is_hit && contact->gap[p] < least) {
            least = contact->gap[p];
            late = -least / speed;
        }
    }
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        work->is_hit[p] &= contact->gap[p] <= maths_max(least, 0.0f) + TNI_IMPACT_ROUNDED;
    }
    return late;
}

// Applies the blow, then friction in the cone at the points' middle. Returns the blow's sum.
static float impact_push(const tni_solver *solver, const impact_work *work) {
    tni_span_contact *contact = work->contact;
    const float *slide_mass = contact->slide_mass;
    float sum = 0.0f;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        sum += work->impulse[p];
        impact_give(solver, contact, p, work->impulse[p]);
    }
    tni_span_contact_center(contact, work->impulse);
    tni_span_contact_refresh(solver, contact);
    double m[3] = {(double)slide_mass[0], (double)slide_mass[1], (double)slide_mass[2]};
    double s1 = (double)impact_get_speed(solver, work, TNI_SPAN_SLIDE);
    double s2 = (double)impact_get_speed(solver, work, TNI_SPAN_SLIDE + 1);
    s1 += (double)tni_span_contact_get_drive(contact, TNI_SPAN_SLIDE);
    s2 += (double)tni_span_contact_get_drive(contact, TNI_SPAN_SLIDE + 1);
    double x[2] = {-(m[0] * s1 + m[2] * s2), -(m[1] * s2 + m[2] * s1)}, none[2] = {0.0, 0.0};
    tni_slip_solve_as(contact->touch->has_grain, m, (double)(contact->record.friction * sum), x);
    impact_give(solver, contact, TNI_SPAN_SLIDE, (float)x[0]);
    impact_give(solver, contact, TNI_SPAN_SLIDE + 1, (float)x[1]);
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        tni_touch_note_impact(contact->touch, p, (double)work->impulse[p], p == 0 ? x : none);
    }
    return sum;
}

// ---- passes ------------------------------------------------------------------------------------

static bool impact_share_body(const tni_span_contact *a, const tni_span_contact *b) {
    for (uint32_t i = 0; i < a->entry_count; ++i) {
        for (uint32_t k = 0; k < b->entry_count; ++k) {
            if (a->bodies[i] == b->bodies[k]) {
                return true;
            }
        }
    }
    return false;
}

// Makes the rows of all contacts of these bodies anew at their present poses.
static void impact_renew(tni_solver *solver, const tni_span_contact *contact) {
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        tni_span_contact *other = &solver->movers.span_contacts[i];
        if (impact_share_body(contact, other)) {
            tni_span_contact_measure(solver, other, solver->dh);
            tni_span_contact_refresh(solver, other);
        }
    }
}

static bool impact_solve_contact(tni_solver *solver, tni_span_contact *contact) {
    impact_work work = {.contact = contact};
    if (!tni_span_contact_is_loaded(contact) && tni_span_contact_look(solver, contact)) {
        tni_span_contact_refresh(solver, contact);
    }
    float t = impact_find(solver, contact);
    if (t < 0.0f) {
        return false;
    }
    impact_remember(solver, &work);
    bool goes = true;
    for (uint32_t round = 0; round < IMPACT_ROUNDS && goes; ++round) {
        goes = impact_go(solver, &work, t);
        float late = impact_aim(solver, &work);
        if (fabsf(late) < IMPACT_SETTLED * solver->h) {
            break;
        }
        t = maths_clamp(t + late, 0.0f, solver->h);
    }
    float sum = 0.0f;
    if (goes) {
        impact_solve_points(&work);
        sum = impact_push(solver, &work);
    }
    impact_return(solver, &work);
    impact_renew(solver, contact);
    return sum > 0.0f;
}

bool tni_span_impacts_solve(tni_solver *solver) {
    bool has_hit = false;
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        if (solver->movers.span_contacts[i].record.restitution > 0.0f) {
            has_hit |= impact_solve_contact(solver, &solver->movers.span_contacts[i]);
        }
    }
    return has_hit;
}
