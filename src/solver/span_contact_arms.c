// solver/span_contact_arms.c: arms of a contact with bodies that are given by coordinates follow
// what turns.
//
// As in solver/contact_arms.h, with one difference: rows are made anew at every refresh, so arms
// are found from those of the step's start and not from the last ones. Arms that are right at a
// later time of the step stay, and move to a hit from there (solver/impact.c). What an affine body
// takes hold of with is material, and needs no arm; its partner's arm goes along with it.
// Test: tests/world/test_affine_contacts.c
#include "solver/span_contact.h"

// As ARMS_LEAST_TURN, ARMS_THROUGH and ARMS_MOST_WAY of solver/contact_arms.h.
#define ARMS_LEAST_TURN 1e-4f
#define ARMS_THROUGH    1e-3f
#define ARMS_MOST_WAY   0.5f

static float arms_get_square(vec3s v) {
    return glms_vec3_dot(v, v);
}

static float arms_get_miss(vec3s arm, vec3s n) {
    return arms_get_square(glms_vec3_cross(arm, n));
}

static bool arms_may_give_way(const tni_span_contact *contact, uint32_t e) {
    const tni_span_contact_end *end = &contact->ends[e];
    return end->has_entry && contact->moves[end->entry];
}

void tni_span_contact_begin_arms(tni_span_contact *contact) {
    const tni_contact_record *record = &contact->record;
    vec3s r_a = contact->middle, r_b = glms_vec3_add(r_a, record->offset), n = record->normal;
    float miss_a = arms_get_miss(r_a, n), miss_b = arms_get_miss(r_b, n);
    float least = ARMS_THROUGH * ARMS_THROUGH;
    bool misses = miss_a > least * arms_get_square(r_a) || miss_b > least * arms_get_square(r_b);
    bool moves_a = arms_may_give_way(contact, 0), moves_b = arms_may_give_way(contact, 1);
    contact->has_carrier = !moves_a || !moves_b || misses;
    contact->carrier = moves_a && (!moves_b || miss_a < miss_b) ? 0 : 1;
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        contact->arms[p] = maths_vec3(record->arm.x[p], record->arm.y[p], record->arm.z[p]);
    }
    contact->arms[TNI_LANES] = contact->middle;
    contact->offset = record->offset;
}

static vec3s arms_get_velocity(const tni_solver *solver, const tni_span_contact_end *end) {
    return end->reduced != NULL ? dvec3_to_float(solver->motions[end->body].velocity)
                                : solver->states[end->body].v;
}

static vec3s arms_get_spin(const tni_solver *solver, const tni_span_contact_end *end) {
    return end->reduced != NULL ? dvec3_to_float(solver->motions[end->body].angular_velocity)
                                : solver->states[end->body].w;
}

bool tni_span_contact_turns(const tni_solver *solver, const tni_span_contact *contact) {
    float least = ARMS_LEAST_TURN * solver->inv_h;
    vec3s w_a = arms_get_spin(solver, &contact->ends[0]);
    vec3s w_b = arms_get_spin(solver, &contact->ends[1]);
    return contact->has_carrier && !(contact->record.time > 0.0f) &&
           maths_max(arms_get_square(w_a), arms_get_square(w_b)) > least * least;
}

static vec3s arms_turn(vec3s r, vec3s n, float theta) {
    float sine = theta / (1.0f + 0.25f * theta * theta);
    vec3s across = glms_vec3_cross(n, r);
    r = maths_vec3_add_scaled(r, sine, across);
    return maths_vec3_add_scaled(r, 0.5f * sine * theta, glms_vec3_cross(n, across));
}

// How far things have gone since the arms of the record were right: of a's centre of mass as b's
// sees it, and how the carrier has turned.
typedef struct arms_motion {
    vec3s way, turn;
} arms_motion;

// Until `ahead` s from now, at the present velocities.
static arms_motion arms_get_motion(const tni_solver *solver, const tni_span_contact *contact,
                                   float ahead) {
    const tni_span_contact_end *a = &contact->ends[0], *b = &contact->ends[1];
    const tni_span_contact_end *carrier = &contact->ends[contact->carrier];
    vec3s speed = glms_vec3_sub(arms_get_velocity(solver, a), arms_get_velocity(solver, b));
    vec3s spin = arms_get_spin(solver, carrier);
    if (contact->record.time > 0.0f) {
        float since = solver->elapsed + ahead - contact->record.time;
        return (arms_motion){glms_vec3_scale(speed, since), glms_vec3_scale(spin, since)};
    }
    return (arms_motion){maths_vec3_add_scaled(glms_vec3_sub(a->way, b->way), ahead, speed),
                         maths_vec3_add_scaled(carrier->turn, ahead, spin)};
}

static void arms_move(tni_span_contact *contact, arms_motion motion) {
    const tni_contact_record *record = &contact->record;
    vec3s way = motion.way;
    float theta = glms_vec3_dot(record->normal, motion.turn);
    float size = arms_get_square(contact->middle) + arms_get_square(record->offset);
    if (!contact->has_carrier || !(arms_get_square(way) < ARMS_MOST_WAY * ARMS_MOST_WAY * size)) {
        way = maths_vec3_zero();
        theta = 0.0f;
    }
    contact->offset = glms_vec3_add(record->offset, way);
    for (uint32_t p = 0; p <= TNI_LANES; ++p) {
        vec3s r_a = p < TNI_LANES ? maths_vec3(record->arm.x[p], record->arm.y[p], record->arm.z[p])
                                  : contact->middle;
        if (contact->carrier == 0) {
            contact->arms[p] = arms_turn(r_a, record->normal, theta);
        } else {
            vec3s r_b = arms_turn(glms_vec3_add(r_a, record->offset), record->normal, theta);
            contact->arms[p] = glms_vec3_sub(r_b, contact->offset);
        }
    }
}

void tni_span_contact_move_arms(const tni_solver *solver, tni_span_contact *contact, float ahead) {
    arms_motion motion = {maths_vec3_zero(), maths_vec3_zero()};
    if (!(contact->record.time > 0.0f)) {
        motion = arms_get_motion(solver, contact, ahead);
    }
    arms_move(contact, motion);
}

// Each surface is nearer to its body by half of the gap that there is when the arms are right than
// the middle of that, whatever the arms have followed of how it closes.
void tni_span_contact_meet(const tni_solver *solver, tni_span_contact *contact, float ahead) {
    const tni_contact_record *record = &contact->record;
    const float *gaps = record->time > 0.0f ? record->gap_then : record->separation;
    float sum = 0.0f, count = (float)record->point_count;
    arms_move(contact, arms_get_motion(solver, contact, ahead));
    float closed = glms_vec3_dot(record->normal, glms_vec3_sub(contact->offset, record->offset));
    for (uint32_t p = 0; p < record->point_count; ++p) {
        float lost = (contact->carrier == 0 ? 0.0f : closed) - 0.5f * gaps[p];
        contact->arms[p] = maths_vec3_add_scaled(contact->arms[p], lost, record->normal);
        sum += gaps[p];
    }
    float lost = (contact->carrier == 0 ? 0.0f : closed) - 0.5f * sum / count;
    vec3s *middle = &contact->arms[TNI_LANES];
    *middle = maths_vec3_add_scaled(*middle, lost, record->normal);
    contact->offset = maths_vec3_add_scaled(contact->offset, sum / count - closed, record->normal);
}
