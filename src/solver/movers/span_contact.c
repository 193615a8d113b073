// solver/movers/span_contact.c: contacts with bodies that are given by coordinates, under projected
// Gauss-Seidel.
//
// The model is that of solver/contacts/contact_sweep_wide.c: soft and speculative normals, the
// points of a manifold together; friction in the cone at their centre of pressure, twisting and
// rolling; half of the last substep's impulses in each kick. Only the rows are others, for their
// ends may be objects with coordinates (solver/movers/span_contact_row.c), and an impulse here
// belongs to the present solve, without the part that the second kick adds. These contacts are
// swept one after the other behind all other contacts, and last among them those with a body that
// does not give way.
//
// A contact keeps the impulse that it gave before a blow: solver/movers/span_contact_blow.c.
//
// Rows that bodies do not feel have no mass, and their impulses fade out: a load that a guide bears
// needs no contact, and so causes no friction either.
// Sources: those of solver/contacts/contact_sweep_wide.c; A. Witkin, "Constrained dynamics",
// SIGGRAPH course notes 1997 (hybrid models). Test: tests/world/movers/test_reduced_contacts.c
#include "solver/movers/span_contact.h"
#include "solver/contacts/contact_kernels.h"
#include "solver/contacts/slip.h"

#include <string.h>

#include "solver/movers/span_row.h"
#include "solver/rows/drive.h"

// Sweeps over the points of one manifold when the direct solution does not hold.
#define CONTACT_INNER 2
// Points that push more than this many times the impulse they began with are struck, and friction
// acts where they are.
#define CONTACT_BLOW 2.0f

// ---- gates -------------------------------------------------------------------------------------

static void contact_shut(const tni_solver *solver, tni_span_contact *contact) {
    contact->is_shut = true;
    float first = (float)solver->substeps * solver->h - solver->elapsed;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        uint32_t lane = tni_touch_find_lane(contact->touch, p);
        float speed = tni_span_contact_get_speed(solver, contact, p);
        contact->record.approach_speed[lane] = speed;
        first = speed < 0.0f ? maths_min(first, contact->gap[p] / -speed) : first;
    }
    contact->record.sums.time = solver->elapsed + maths_max(first, 0.0f);
}

// Returns whether a point may close its gap in the substep, or has closed it.
static bool contact_may_push(const tni_solver *solver, const tni_span_contact *contact,
                             bool use_bias) {
    bool may_push = false;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        float ahead = use_bias ? solver->h * tni_span_contact_get_speed(solver, contact, p) : 0.0f;
        may_push = may_push || !(contact->gap[p] + ahead > 0.0f);
    }
    return may_push;
}

static void contact_note_kick(const tni_solver *solver, tni_span_contact *contact) {
    for (uint32_t i = 0; i < contact->entry_count; ++i) {
        memcpy(contact->kick + 8 * i, solver->bodies.states[contact->bodies[i]].numbers,
               8 * sizeof(float));
    }
}

void tni_span_contacts_start(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        tni_span_contact *contact = &solver->movers.span_contacts[i];
        bool rolls = contact->record.rolling_resistance > 0.0f;
        tni_touch_start_sums(&contact->record);
        contact->row_count = rolls ? TNI_SPAN_CONTACT_ROWS : (uint32_t)TNI_SPAN_ROLL;
        contact->is_sound = true;
    }
    tni_span_contacts_measure(solver, true);
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        tni_span_contact *contact = &solver->movers.span_contacts[i];
        tni_contact_gate gate;
        tni_contact_gate_make(&contact->record, &gate);
        tni_span_contact_refresh(solver, contact);
        contact_note_kick(solver, contact);
        if (gate.is_shut) {
            contact_shut(solver, contact);
        }
    }
}

void tni_span_contacts_refresh(tni_solver *solver) {
    tni_span_contacts_cast_net(solver);
    tni_span_contacts_measure(solver, false);
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        tni_span_contact_refresh(solver, &solver->movers.span_contacts[i]);
    }
}

// ---- warm start --------------------------------------------------------------------------------

static void contact_warm_start(const tni_solver *solver, tni_span_contact *contact,
                               bool is_first_half) {
    for (uint32_t r = 0; r < contact->row_count; ++r) {
        tni_span_contact_state *state = &contact->states[r];
        tni_span_contact_push(solver, contact, r,
                              tni_drive_halve(&state->impulse, &state->warm, is_first_half));
    }
}

void tni_span_contacts_warm_start(tni_solver *solver, bool is_first_half) {
    if (is_first_half) {
        tni_span_contacts_begin_blows(solver);
    }
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        tni_span_contact *contact = &solver->movers.span_contacts[i];
        contact_warm_start(solver, contact, is_first_half);
    }
}

// ---- friction ----------------------------------------------------------------------------------

static void contact_take(const tni_solver *solver, tni_span_contact *contact, uint32_t row,
                         float x) {
    float change = x - contact->states[row].impulse;
    contact->states[row].impulse = x;
    tni_span_contact_push(solver, contact, row, change);
}

// Finds the capped vector that two rows become, from the speeds before either acts. Returns whether
// it slides fast.
static bool contact_find_pair(const tni_solver *solver, const tni_span_contact *contact,
                              uint32_t row, const float mass[3], float cap, bool use_bias,
                              float x[2]) {
    const float fast = TNI_CONTACT_FAST_SLIDE;
    float s1 = tni_span_contact_get_speed(solver, contact, row);
    float s2 = tni_span_contact_get_speed(solver, contact, row + 1);
    s1 += tni_span_contact_get_drive(contact, row);
    s2 += tni_span_contact_get_drive(contact, row + 1);
    s1 += use_bias ? contact->states[row].bend : 0.0f;
    s2 += use_bias ? contact->states[row + 1].bend : 0.0f;
    double m[3] = {(double)mass[0], (double)mass[1], (double)mass[2]};
    double held[2] = {(double)(contact->states[row].impulse - (mass[0] * s1 + mass[2] * s2)),
                      (double)(contact->states[row + 1].impulse - (mass[1] * s2 + mass[2] * s1))};
    bool slides = tni_slip_is_long(held, (double)(TNI_CONTACT_FAST_SHARE * cap));
    tni_slip_solve_as(row == TNI_SPAN_SLIDE && contact->touch->has_grain, m, (double)cap, held);
    x[0] = (float)held[0];
    x[1] = (float)held[1];
    return slides && s1 * s1 + s2 * s2 > fast * fast;
}

static void contact_push_slides(const tni_solver *solver, const tni_span_contact *contact,
                                float share) {
    for (uint32_t row = TNI_SPAN_SLIDE; row < TNI_SPAN_SLIDE + 2; ++row) {
        tni_span_contact_push(solver, contact, row, share * contact->states[row].impulse);
    }
}

// Takes friction to the centre of pressure: see solver/contacts/contact_sweep_wide.c.
static void contact_center(const tni_solver *solver, tni_span_contact *contact) {
    contact_push_slides(solver, contact, -1.0f);
    float impulses[TNI_LANES];
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        impulses[p] = contact->states[p].impulse;
    }
    tni_span_contact_center(contact, impulses);
    tni_span_contact_refresh(solver, contact);
    contact_push_slides(solver, contact, 1.0f);
}

// Solves friction, twisting and rolling.
static void contact_rub(const tni_solver *solver, tni_span_contact *contact, bool use_bias) {
    const tni_contact_record *record = &contact->record;
    const tni_span_contact_state *twist = &contact->states[TNI_SPAN_TWIST];
    float sum = 0.0f, warm = 0.0f, slide[2], roll[2];
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        sum += contact->states[p].impulse;
        warm += contact->states[p].warm;
    }
    if (use_bias && contact->point_count > 1 && sum > CONTACT_BLOW * warm) {
        contact_center(solver, contact);
    }
    float speed = tni_span_contact_get_speed(solver, contact, TNI_SPAN_TWIST) +
                  tni_span_contact_get_drive(contact, TNI_SPAN_TWIST);
    float bound = contact->twist_bound * sum, x = twist->impulse - twist->mass * speed;
    bool is_fast = contact_find_pair(solver, contact, TNI_SPAN_SLIDE, contact->slide_mass,
                                     record->friction * sum, use_bias, slide);
    if (is_fast && sum > 0.0f && contact->point_count > 1 && use_bias) {
        contact_center(solver, contact);
    }
    contact_take(solver, contact, TNI_SPAN_SLIDE, slide[0]);
    contact_take(solver, contact, TNI_SPAN_SLIDE + 1, slide[1]);
    contact_take(solver, contact, TNI_SPAN_TWIST, maths_clamp(x, -bound, bound));
    if (contact->row_count > TNI_SPAN_ROLL) {
        contact_find_pair(solver, contact, TNI_SPAN_ROLL, contact->roll_mass,
                          record->rolling_resistance * sum, use_bias, roll);
        contact_take(solver, contact, TNI_SPAN_ROLL, roll[0]);
        contact_take(solver, contact, TNI_SPAN_ROLL + 1, roll[1]);
    }
}

// ---- normals -----------------------------------------------------------------------------------

// The points of a manifold in a solve: J v, impulses, and how fast they are pushed apart, m/s.
typedef struct contact_points {
    const tni_softness *softness;
    bool use_bias;
    float speed[TNI_LANES], x[TNI_LANES];
} contact_points;

static float contact_get_push(const tni_solver *solver, const contact_points *points, float gap) {
    float depth = maths_min(gap + solver->settings.contact_bias.slop, 0.0f);
    return maths_max(points->softness->rate * depth, -solver->settings.contact_bias.max_speed);
}

// Does what sweep_get_relaxation() in solver/contacts/contact_sweep_wide.c does.
static float contact_get_relaxation(const tni_span_contact *contact, const float *change) {
    float sum = 0.0f, load = 0.0f;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        sum += change[p];
        load += contact->states[p].warm;
    }
    return fabsf(sum) < CONTACT_RESTING_SHARE * load ? CONTACT_RELAXATION : 1.0f;
}

// Solves the whole block for all points pushing. Returns false, doing nothing, if one would pull.
static bool contact_solve_closed(const tni_solver *solver, const tni_span_contact *contact,
                                 contact_points *points) {
    uint32_t count = contact->point_count;
    const tni_softness *soft = points->softness;
    float missing[TNI_LANES], x[TNI_LANES];
    bool holds = true;
    for (uint32_t p = 0; p < count; ++p) {
        float push = contact_get_push(solver, points, contact->gap[p]);
        missing[p] = points->speed[p];
        x[p] = points->x[p];
        if (points->use_bias) {
            missing[p] = soft->mass_scale * (points->speed[p] + push);
            x[p] -= soft->impulse_scale * x[p];
        }
        holds = holds && !(contact->gap[p] > 0.0f);
    }
    float change[TNI_LANES] = {0.0f};
    for (uint32_t p = 0; p < count; ++p) {
        for (uint32_t q = 0; q < count; ++q) {
            change[p] += contact->inverse[p * TNI_LANES + q] * missing[q];
        }
    }
    float factor = points->use_bias ? 1.0f : contact_get_relaxation(contact, change);
    for (uint32_t p = 0; p < count; ++p) {
        x[p] -= factor * change[p];
        holds = holds && !(x[p] < 0.0f);
    }
    for (uint32_t p = 0; p < count && holds; ++p) {
        points->x[p] = x[p];
    }
    return holds;
}

// Returns a point's new impulse, not below `least`. `was` is the impulse that the solve began with,
// which shows whether solve A pushed.
static float contact_solve_point(const tni_solver *solver, const tni_span_contact *contact,
                                 const contact_points *points, uint32_t p, float was, float least) {
    float gap = contact->gap[p], mass = contact->states[p].mass, x = points->x[p];
    float speed = points->speed[p], bias = 0.0f, scale = 1.0f, leak = 0.0f;
    if (gap > 0.0f) {
        bias = gap * solver->inv_h;
        scale = points->use_bias || was > 0.0f ? 1.0f : 0.0f;
    } else if (points->use_bias) {
        bias = contact_get_push(solver, points, gap);
        scale = points->softness->mass_scale;
        leak = points->softness->impulse_scale;
    }
    return maths_max(x - leak * x - scale * mass * (speed + bias), least);
}

// Sweeps over the points on their own matrix, with the least impulses.
static void contact_solve_points(const tni_solver *solver, const tni_span_contact *contact,
                                 const float least[TNI_LANES], contact_points *points) {
    float was[TNI_LANES];
    memcpy(was, points->x, sizeof was);
    for (uint32_t sweep = 0; sweep < CONTACT_INNER; ++sweep) {
        for (uint32_t p = 0; p < contact->point_count; ++p) {
            float x = contact_solve_point(solver, contact, points, p, was[p], least[p]);
            float change = x - points->x[p];
            points->x[p] = x;
            for (uint32_t q = 0; q < contact->point_count; ++q) {
                points->speed[q] += contact->response[p][q] * change;
            }
        }
    }
}

// In solve B, sweeps again from `begun` if a point came out with less than it gave before a blow.
static void contact_keep_given(const tni_solver *solver, tni_span_contact *contact,
                               const contact_points *begun, contact_points *points) {
    float now = 0.0f, half = 0.0f, given[TNI_LANES];
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        now += points->x[p];
        half += contact->states[p].warm;
    }
    if (!(now < half) || !tni_span_contact_find_given(solver, contact, given)) {
        return;
    }
    bool falls = false;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        falls |= points->x[p] < given[p];
    }
    if (falls) {
        *points = *begun;
        contact_solve_points(solver, contact, given, points);
        contact->is_left = true;
    }
}

static void contact_press(const tni_solver *solver, tni_span_contact *contact, bool use_bias) {
    static const float none[TNI_LANES] = {0.0f};
    const tni_softness *softness = contact->record.is_static
                                       ? &solver->settings.span_static_softness
                                       : &solver->settings.span_softness;
    contact_points points = {softness, use_bias, {0.0f}, {0.0f}};
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        points.speed[p] = tni_span_contact_get_speed(solver, contact, p);
        points.speed[p] += use_bias ? contact->states[p].bend : 0.0f;
        points.x[p] = contact->states[p].impulse;
    }
    if (!contact_solve_closed(solver, contact, &points)) {
        const contact_points begun = points;
        contact_solve_points(solver, contact, none, &points);
        if (use_bias) {
            tni_span_contact_note_blow(solver, contact, begun.speed, points.x);
        } else {
            contact_keep_given(solver, contact, &begun, &points);
        }
    }
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        contact_take(solver, contact, p, points.x[p]);
    }
}

// ---- sweeps ------------------------------------------------------------------------------------

// Lets a contact that does not push yet look whether it stops the present velocities.
static void contact_look(tni_solver *solver, tni_span_contact *contact) {
    if (!tni_span_contact_is_loaded(contact) && tni_span_contact_look(solver, contact)) {
        tni_span_contact_refresh(solver, contact);
    }
    tni_span_contact_bend(solver, contact);
}

// In solve A the normals come last, for they matter more; in solve B friction, whose bound is then
// that of the full load.
void tni_span_contacts_sweep(tni_solver *solver, bool use_bias) {
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        tni_span_contact *contact = &solver->movers.span_contacts[i];
        if (use_bias) {
            contact_look(solver, contact);
        }
        if (!contact->is_shut && contact_may_push(solver, contact, use_bias)) {
            contact_shut(solver, contact);
        }
        if (contact->point_count == 0 || !contact->is_shut) {
            continue;
        }
        if (use_bias) {
            contact_rub(solver, contact, true);
        }
        contact_press(solver, contact, use_bias);
        if (!use_bias) {
            contact_rub(solver, contact, false);
        }
    }
}

// ---- what they did -----------------------------------------------------------------------------

// A blow is over with its substep: see solver/contacts/contact_sweep_blows.h.
static void contact_forget(const tni_solver *solver, tni_span_contact *contact) {
    tni_contact_record *record = &contact->record;
    if (record->borne < 0.0f) {
        return;
    }
    float sum = 0.0f, response = contact->point_count > 0 ? FLT_MAX : 0.0f;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        sum += contact->states[p].impulse;
        response = maths_min(response, contact->response[p][p]);
    }
    vec3s v_a = solver->bodies.states[record->body_a].v,
          v_b = solver->bodies.states[record->body_b].v;
    float square = maths_max(glms_vec3_dot(v_a, v_a), glms_vec3_dot(v_b, v_b));
    bool is_slow = square < TNI_CONTACT_SLOW_SPEED * TNI_CONTACT_SLOW_SPEED;
    float allowed = solver->settings.contact_calm * maths_inverse_or_zero(response);
    allowed += is_slow ? CONTACT_SLOW_CHANGE * maths_min(sum, record->borne) : 0.0f;
    float rise = sum - record->borne, excess = maths_max(fabsf(rise) - allowed, 0.0f);
    float lost = maths_min(rise < 0.0f ? CONTACT_FORGETTING * excess : excess, sum);
    float kept = contact->is_left ? 0.0f : 1.0f - lost * maths_inverse_or_zero(sum);
    record->borne = sum;
    for (uint32_t r = 0; r < contact->row_count; ++r) {
        contact->states[r].impulse *= kept;
    }
}

static void contact_write(tni_span_contact *contact) {
    double x[TNI_TOUCH_ROWS] = {0.0};
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        x[p] = (double)contact->states[p].impulse;
    }
    for (uint32_t t = 0; t < contact->touch->slide_count; ++t) {
        x[contact->point_count + t] = (double)contact->states[TNI_SPAN_SLIDE + t].impulse;
    }
    tni_touch_store(contact->touch, x);
}

void tni_span_contacts_store(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        tni_span_contact *contact = &solver->movers.span_contacts[i];
        contact_write(contact);
        contact_forget(solver, contact);
        contact_note_kick(solver, contact);
    }
}

// The impulses that are left start the next step and do not count in this one.
void tni_span_contacts_finish(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        contact_write(&solver->movers.span_contacts[i]);
    }
}

// ---- work --------------------------------------------------------------------------------------

void tni_span_contacts_begin_phase(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        tni_span_contact *contact = &solver->movers.span_contacts[i];
        for (uint32_t r = 0; r < contact->row_count; ++r) {
            contact->states[r].phase = contact->states[r].impulse;
        }
        memset(contact->phase_blow, 0, sizeof contact->phase_blow);
        memset(contact->phase_rub, 0, sizeof contact->phase_rub);
    }
}

// Returns the work of an impulse along a row.
static double contact_work(tni_solver *solver, const tni_span_contact *contact, const float *row,
                           double x) {
    tni_span_row_take_back(solver, contact->bodies, contact->entry_count, row, x);
    return x * tni_span_row_get_mean_speed(solver, contact->bodies, contact->entry_count, row);
}

void tni_span_contacts_end_phase(tni_solver *solver, bool is_first_half) {
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        const tni_span_contact *contact = &solver->movers.span_contacts[i];
        for (uint32_t r = 0; r < contact->row_count; ++r) {
            const tni_span_contact_state *state = &contact->states[r];
            float begun = is_first_half ? 0.0f : state->phase;
            double x = (double)(state->impulse - begun);
            double work = contact_work(solver, contact, contact->jacobian[r], x);
            *(r < TNI_LANES ? &solver->ledger.work.impact : &solver->ledger.work.friction) += work;
        }
        solver->ledger.work.impact += contact_work(solver, contact, contact->phase_blow, 1.0);
        solver->ledger.work.friction += contact_work(solver, contact, contact->phase_rub, 1.0);
    }
}
