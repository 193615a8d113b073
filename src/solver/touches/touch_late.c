// solver/touches/touch_late.c: the impulses that wedged bodies are fed, and the part that comes
// late.
//
// A loose body between a ram and the ground (world/mechanisms/mechanism_wedged.c) may bear a
// thousand times its weight, and the impulses from both sides have to balance: so all its touches
// give the same share of their last impulses. And a load turns it as a spring would, which the
// substep may not resolve, since the fed load has the direction of the substep's beginning. The
// share that is too much comes late, when the substep is done, by the rows of that time; and with
// it the same share of gravity and of forces, or the body would fall through the drift. The
// mechanism has its loads in its stage all the same. Maths: solver/touches/touch.h. Test:
// tests/world/mechanisms/test_press.c
#include <string.h>

#include "solver/touches/touch.h"

// A wedged body is fed no more before the drift than a load that turns it like a spring of this
// stiffness: see touch_get_stiffness.
#define TOUCH_FED_STIFFNESS 0.5

// Returns the square of a spring's frequency times h. A load x/h at the arm r turns a body of
// inertia I as a spring of x r/h would, since a fed load keeps its direction for a substep.
static double touch_get_stiffness(const tni_solver *solver, const tni_touch *touch, double x) {
    double most = 0.0;
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_touch_end *end = &touch->ends[e];
        double inverse = end->is_loose ? solver->bodies.masses[end->body].inertia->inverse : 0.0;
        most = maths_max_d(most, x * solver->dh * end->reach * inverse);
    }
    return most;
}

// Feeds wedged bodies the same share of all loads on them, for they may be so light beside these
// that any other choice would throw them about: the sum of the lesser loads over that of the loads.
// A part that would turn them too fast comes late: when the substep is done, by the rows of that
// time.
void tni_touches_share_wedged(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    if (!set->has_wedged) {
        return;
    }
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        solver->exact.mechanisms[i]->touch.wedged_load =
            solver->exact.mechanisms[i]->touch.wedged_share = 0.0;
        solver->exact.mechanisms[i]->touch.wedged_stiffness = 0.0;
    }
    for (uint32_t i = 0; i < set->count; ++i) {
        const tni_touch *touch = &set->touches[i];
        tni_mechanism *beside = touch->beside;
        double load = 0.0;
        for (uint32_t p = 0; p < touch->point_count && beside != NULL; ++p) {
            load += touch->impulse[p];
            beside->touch.wedged_share += tni_touch_get_lesser(touch->impulse[p], touch->before[p]);
        }
        if (beside != NULL) {
            beside->touch.wedged_load += load;
            beside->touch.wedged_stiffness = maths_max_d(beside->touch.wedged_stiffness,
                                                         touch_get_stiffness(solver, touch, load));
        }
    }
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism *mechanism = solver->exact.mechanisms[i];
        mechanism->touch.wedged_share *= maths_inverse_or_zero_d(mechanism->touch.wedged_load);
        double stiffness = mechanism->touch.wedged_stiffness * mechanism->touch.wedged_share;
        double early = stiffness > TOUCH_FED_STIFFNESS ? TOUCH_FED_STIFFNESS / stiffness : 1.0;
        mechanism->touch.wedged_late = 1.0 - early;
    }
}

// ---- what comes late ---------------------------------------------------------------------------

// Is the end the first of a loose body among the set's touches?
static bool touches_has_first(const tni_touch_set *set, uint32_t i, uint32_t e) {
    const tni_touch_end *end = &set->touches[i].ends[e];
    bool is_first = end->is_loose;
    for (uint32_t k = 0; k < i && is_first; ++k) {
        is_first =
            set->touches[k].ends[0].body != end->body && set->touches[k].ends[1].body != end->body;
    }
    return is_first;
}

// Holds gravity and forces on wedged bodies back by the same share as the loads, or the bodies
// would fall through the drift.
void tni_touches_hold_late(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        double time = 0.5 * touch->late * solver->dh;
        touch->late_time += time;
        for (uint32_t e = 0; e < 2 && time > 0.0; ++e) {
            if (touches_has_first(set, i, e)) {
                tni_body_motion *motion = touch->ends[e].motion;
                tni_dvec3 a = solver->bodies.pulls[touch->ends[e].body].acceleration;
                motion->velocity = dvec3_add_scaled(motion->velocity, -time, a);
            }
        }
    }
}

// Measures the work of gravity and forces in a time.
static void touches_measure_forces(tni_solver *solver, uint32_t body, double time, tni_dvec3 v) {
    const tni_body_mass *mass = &solver->bodies.masses[body];
    double impulse = time * maths_inverse_or_zero_d(mass->inv_mass);
    solver->ledger.work.gravity += impulse * dvec3_dot(tni_body_get_gravity(solver, body), v);
    solver->ledger.work.force += impulse * dvec3_dot(tni_body_get_applied(solver, body), v);
}

// Sums all late impulses by body, in the place of the shifts.
static void touches_add_late(const tni_touch *touch) {
    for (uint32_t r = 0; r < touch_get_row_count(touch); ++r) {
        double x = touch->late * touch->fed[r];
        for (uint32_t e = 0; e < 2 && x != 0.0; ++e) {
            double *sum = touch->ends[e].shift;
            for (uint32_t c = 0; c < 6 && touch->ends[e].is_loose; ++c) {
                sum[c] += x * touch->rows[r].jacobian[e][c];
            }
        }
    }
}

// Gives this sum to a body, and puts the mean of the velocities before and after in the place of
// the sum.
static void touches_give_late(tni_solver *solver, const tni_touch_end *end, double time) {
    const tni_body_state *state = &solver->bodies.states[end->body];
    double *d = end->shift;
    vec3s turn = sym3_mul(state->inv_inertia, maths_vec3((float)d[3], (float)d[4], (float)d[5]));
    tni_dvec3 line = dvec3_make((double)state->inv_mass.x * d[0], (double)state->inv_mass.y * d[1],
                                (double)state->inv_mass.z * d[2]);
    line = dvec3_add_scaled(line, time, solver->bodies.pulls[end->body].acceleration);
    tni_dvec3 spin = dvec3_from_float(turn);
    tni_dvec3 v = dvec3_add_scaled(end->motion->velocity, 0.5, line);
    tni_dvec3 w = dvec3_add_scaled(end->motion->angular_velocity, 0.5, spin);
    end->motion->velocity = dvec3_add(end->motion->velocity, line);
    end->motion->angular_velocity = dvec3_add(end->motion->angular_velocity, spin);
    touches_measure_forces(solver, end->body, time, v);
    solver->ledger.work.impact +=
        tni_work_get_stiffened(solver, end->body, w, spin, dvec3_make(d[3], d[4], d[5]));
    const double mean[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
    memcpy(d, mean, sizeof mean);
}

// Feeds the late loads. Those that keep a light body in balance are large beside their sum, so they
// are given all at once, and each does its work at the mean of the velocities.
void tni_touches_feed_late(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    tni_touches_clear_shifts(set);
    for (uint32_t i = 0; i < set->count; ++i) {
        if (touch_is_active(&set->touches[i])) {
            touches_add_late(&set->touches[i]);
        }
    }
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        for (uint32_t e = 0; e < 2 && touch_is_active(touch) && touch->late_time > 0.0; ++e) {
            if (touches_has_first(set, i, e)) {
                touches_give_late(solver, &touch->ends[e], touch->late_time);
            }
        }
    }
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        bool is_given = touch_is_active(touch) && touch->late_time > 0.0;
        for (uint32_t r = 0; r < touch_get_row_count(touch) && is_given; ++r) {
            for (uint32_t e = 0; e < 2; ++e) {
                const tni_touch_end *end = &touch->ends[e];
                *touch_work_of(solver, touch, r) +=
                    end->is_loose ? touch->late * touch->fed[r] *
                                        touch_dot6(touch->rows[r].jacobian[e], end->shift)
                                  : 0.0;
            }
        }
        if (is_given) {
            touch->late = touch->late_time = 0.0;
        }
    }
}

// Measures the work that gravity and forces did not do on wedged bodies in half a substep.
void tni_touches_measure_late(tni_solver *solver) {
    const tni_touch_set *set = &solver->exact.touch_sets[0];
    if (!set->has_wedged) {
        return;
    }
    for (uint32_t i = 0; i < set->count; ++i) {
        for (uint32_t e = 0; e < 2 && set->touches[i].late > 0.0; ++e) {
            if (touches_has_first(set, i, e)) {
                uint32_t body = set->touches[i].ends[e].body;
                tni_dvec3 twice = dvec3_add(solver->ledger.motions_before[body].velocity,
                                            solver->bodies.motions[body].velocity);
                double time = 0.5 * set->touches[i].late * solver->dh;
                touches_measure_forces(solver, body, -time, dvec3_scale(twice, 0.5));
            }
        }
    }
}
