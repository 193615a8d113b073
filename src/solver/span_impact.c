// solver/span_impact.c: impacts that bounce off bodies that are given by coordinates.
//
// As solver/impact.c, over rows: v is J v before the kick, and a what the kick changed it by, of
// half a substep. What the blow would move things by before it comes is taken back along the same
// speeds, and an object is put where its coordinates then say.
// Sources: those of solver/impact.c. Test: tests/world/test_reduced_contacts.c
#include "solver/slip.h"
#include "solver/span_contact.h"

#include <string.h>

// Sweeps over the points of one manifold.
#define IMPACT_SWEEPS 8

typedef struct impact_work {
    tni_span_contact *contact;
    // Of the points that hit: J v to reach, and the impulse that does it.
    float target[TNI_LANES], impulse[TNI_LANES], speed[TNI_LANES];
    bool is_hit[TNI_LANES];
    float before[TNI_SPAN_CONTACT_ENTRIES][8]; // speeds
} impact_work;

void tni_span_impacts_begin(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->span_contact_count; ++i) {
        tni_span_contact *contact = &solver->span_contacts[i];
        for (uint32_t p = 0; p < contact->record.point_count; ++p) {
            float kicked = tni_span_contact_get_speed(solver, contact, p);
            contact->acceleration[p] = 2.0f * solver->inv_h * (kicked - contact->kick_speed[p]);
        }
    }
}

// Marks the points that hit within the substep. Returns the earliest time, or -1.
static float impact_find(const tni_solver *solver, impact_work *work) {
    const tni_span_contact *contact = work->contact;
    float first = -1.0f;
    for (uint32_t p = 0; p < contact->record.point_count; ++p) {
        float a = contact->acceleration[p], v_middle = work->speed[p], speed = 0.0f;
        float t = tni_impact_find_time(solver, contact->gap[p], v_middle, a, &speed);
        if (t < 0.0f || !(contact->states[p].mass > 0.0f)) {
            continue;
        }
        work->is_hit[p] = true;
        work->target[p] = v_middle - (1.0f + contact->record.restitution) * speed;
        first = first < 0.0f || t < first ? t : first;
    }
    return first;
}

static void impact_solve_points(impact_work *work) {
    tni_span_contact *contact = work->contact;
    uint32_t count = contact->record.point_count;
    float missing[TNI_LANES] = {0.0f};
    for (uint32_t p = 0; p < count; ++p) {
        missing[p] = work->target[p] - work->speed[p];
    }
    tni_impact_begin_points(contact->response, missing, work->is_hit, count, work->impulse);
    for (uint32_t p = 0; p < count; ++p) {
        for (uint32_t q = 0; q < count; ++q) {
            work->speed[p] += contact->response[p][q] * work->impulse[q];
        }
    }
    for (int sweep = 0; sweep < IMPACT_SWEEPS; ++sweep) {
        for (uint32_t p = 0; p < count; ++p) {
            if (!work->is_hit[p]) {
                continue;
            }
            float left = work->target[p] - work->speed[p];
            float x = maths_max(work->impulse[p] + contact->states[p].mass * left, 0.0f);
            float change = x - work->impulse[p];
            work->impulse[p] = x;
            for (uint32_t q = 0; q < count; ++q) {
                work->speed[q] += contact->response[p][q] * change;
            }
        }
    }
}

static void impact_give(const tni_solver *solver, tni_span_contact *contact, uint32_t row,
                        float x) {
    float *sum = row < TNI_LANES ? contact->phase_blow : contact->phase_rub;
    for (uint32_t i = 0; i < contact->entry_count * 8; ++i) {
        sum[i] += x * contact->jacobian[row][i];
    }
    contact->states[row].impact += x;
    tni_span_contact_push(solver, contact, row, x);
}

// The blow, then its friction at the middle of the points, in the cone.
static void impact_push(const tni_solver *solver, impact_work *work) {
    tni_span_contact *contact = work->contact;
    const float *slide_mass = contact->slide_mass;
    double m[3] = {(double)slide_mass[0], (double)slide_mass[1], (double)slide_mass[2]};
    float sum = 0.0f;
    for (uint32_t p = 0; p < contact->record.point_count; ++p) {
        sum += work->impulse[p];
        impact_give(solver, contact, p, work->impulse[p]);
    }
    double s1 = (double)tni_span_contact_get_speed(solver, contact, TNI_SPAN_SLIDE);
    double s2 = (double)tni_span_contact_get_speed(solver, contact, TNI_SPAN_SLIDE + 1);
    double x[2] = {-(m[0] * s1 + m[2] * s2), -(m[1] * s2 + m[2] * s1)};
    tni_slip_solve(m, (double)(contact->record.friction * sum), x);
    impact_give(solver, contact, TNI_SPAN_SLIDE, (float)x[0]);
    impact_give(solver, contact, TNI_SPAN_SLIDE + 1, (float)x[1]);
}

// ---- what it would move before it comes --------------------------------------------------------

static void impact_shift_body(tni_solver *solver, const tni_span_contact_end *end,
                              const float *before, float t) {
    const float *now = solver->states[end->body].numbers;
    vec3s dv = maths_vec3(now[0] - before[0], now[1] - before[1], now[2] - before[2]);
    vec3s shift = glms_vec3_scale(dv, -t);
    tni_body_motion *motion = &solver->motions[end->body];
    motion->position = dvec3_add(motion->position, dvec3_from_float(shift));
    if (solver->deltas != NULL) {
        tni_body_delta *delta = &solver->deltas[end->body];
        delta->position = glms_vec3_add(delta->position, shift);
    }
}

// Where the callback has no numbers it stays.
static void impact_shift_object(tni_solver *solver, const tni_span_contact_end *end,
                                const float before[][8], float t) {
    tni_reduced *reduced = end->reduced;
    double moved[TN_REDUCED_MAX_FREEDOMS];
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        uint32_t slot = k / TNI_REDUCED_SLOT, lane = tni_reduced_get_lane(k);
        float now = solver->states[reduced->first_slot + slot].numbers[lane];
        moved[k] = reduced->coordinates[k] - (double)(t * (now - before[slot][lane]));
    }
    if (!reduced->is_sound || tni_reduced_ask(reduced, moved, reduced->speeds) != TN_RESULT_OK) {
        return;
    }
    memcpy(reduced->coordinates, moved, reduced->freedoms * sizeof *moved);
    for (uint32_t b = 0; b < reduced->body_count; ++b) {
        const tni_reduced_body *body = &reduced->bodies[b];
        solver->motions[body->body].position = body->position;
        solver->motions[body->body].rotation = body->rotation;
    }
}

static void impact_shift(tni_solver *solver, const impact_work *work, float t) {
    const tni_span_contact *contact = work->contact;
    for (uint32_t e = contact->is_of_one ? 1 : 0; e < 2; ++e) {
        const tni_span_contact_end *end = &contact->ends[e];
        if (!end->has_entry || !contact->moves[end->entry]) {
            continue;
        }
        if (end->reduced != NULL) {
            impact_shift_object(solver, end, &work->before[end->entry], t);
        } else {
            impact_shift_body(solver, end, work->before[end->entry], t);
        }
    }
    solver->has_old_gaps = true;
}

// ---- passes ------------------------------------------------------------------------------------

static bool impact_solve_contact(tni_solver *solver, tni_span_contact *contact) {
    impact_work work = {.contact = contact};
    tni_span_contact_follow(solver, contact);
    for (uint32_t p = 0; p < contact->record.point_count; ++p) {
        work.speed[p] = tni_span_contact_get_speed(solver, contact, p);
    }
    float t = impact_find(solver, &work);
    if (t < 0.0f) {
        return false;
    }
    for (uint32_t i = 0; i < contact->entry_count; ++i) {
        memcpy(work.before[i], solver->states[contact->bodies[i]].numbers, sizeof work.before[i]);
    }
    tni_span_contact_meet(solver, contact, t);
    tni_span_contact_refresh(solver, contact);
    impact_solve_points(&work);
    impact_push(solver, &work);
    tni_span_contact_move_arms(solver, contact, 0.0f);
    tni_span_contact_refresh(solver, contact);
    impact_shift(solver, &work, t);
    return true;
}

bool tni_span_impacts_solve(tni_solver *solver) {
    bool has_hit = false;
    for (uint32_t i = 0; i < solver->span_contact_count; ++i) {
        if (solver->span_contacts[i].record.restitution > 0.0f) {
            has_hit |= impact_solve_contact(solver, &solver->span_contacts[i]);
        }
    }
    return has_hit;
}
