// solver/contacts/contact_prepare.c: gates, and which contacts get their lanes, when.
//
// A contact that pushed in the last step, or whose surfaces overlap, is shut and gets its lane at
// once. One that is only near starts open: until its gap may close it needs no lane, only the
// bound by which a sweep sees that (see contact_group.c). With D the displacement of its bodies
// and T their turning since the manifold was made, a point's separation is
//     s + n·(D_b - D_a) + turn_b·T_b - turn_a·T_a  >=  least + n·(D_b - D_a) - reach_a·|T_a| - ...
// component by component, reach the largest |turn| of any point.
//
// The masses in a group are made anew for bodies whose inertia has turned.
#include <string.h>

#include "solver/contacts/contact_follow.h"
#include "solver/contacts/contact_kernels.h"
#include "solver/contacts/grain.h"

// A body whose inverse inertia has changed by this, relative to its trace, gives its contacts new
// masses.
#define CONTACT_NEW_INERTIA 1e-3f

// ---- gates ------------------------------------------------------------------------------------

// Sets the reach to the largest |(arm + offset) x n| of the points, per axis.
static void contact_set_reach(const tni_contact_record *record, vec3s offset, float reach[4]) {
    vec3s n = record->normal;
    reach[0] = reach[1] = reach[2] = reach[3] = 0.0f;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        vec3s arm = maths_vec3(record->arm.x[p], record->arm.y[p], record->arm.z[p]);
        vec3s turn = glms_vec3_cross(glms_vec3_add(arm, offset), n);
        for (uint32_t k = 0; k < 3; ++k) {
            reach[k] = maths_max(reach[k], fabsf(turn.raw[k]));
        }
    }
}

// Widens the reach to the one that any point of the shape may have.
static void contact_widen_reach(float whole, float reach[4]) {
    for (uint32_t k = 0; k < 3; ++k) {
        reach[k] = maths_max(reach[k], whole);
    }
}

static bool contact_is_zero(vec3s v) {
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

void tni_contact_gate_make(const tni_contact_record *record, tni_contact_gate *gate) {
    vec3s n = record->normal;
    gate->normal[0] = n.x;
    gate->normal[1] = n.y;
    gate->normal[2] = n.z;
    gate->normal[3] = 0.0f;
    gate->body_a = record->body_a;
    gate->body_b = record->body_b;
    float least = record->separation[0], pushing = 0.0f;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        least = maths_min(least, record->separation[p]);
        pushing = maths_max(pushing, record->impulse[p]);
    }
    gate->least = least;
    gate->is_touch = false;
    gate->is_soft = record->extras != NULL && record->extras->hertz > 0.0f;
    gate->is_shut = pushing > 0.0f || !(least > 0.0f) || record->restitution > 0.0f ||
                    record->rolling_resistance > 0.0f ||
                    !contact_is_zero(record->friction_impulse) ||
                    !contact_is_zero(record->rolling_impulse);
    if (gate->is_shut) {
        // The bound is read where a mechanism takes the contact over, which opens the gate for
        // good.
        memset(gate->reach_a, 0, sizeof gate->reach_a);
        memset(gate->reach_b, 0, sizeof gate->reach_b);
    } else {
        contact_set_reach(record, maths_vec3_zero(), gate->reach_a);
        contact_set_reach(record, record->offset, gate->reach_b);
        if (record->follow != NULL && record->follow->looks) {
            contact_widen_reach(record->follow->a.reach, gate->reach_a);
            contact_widen_reach(record->follow->b.reach, gate->reach_b);
            gate->least = record->follow->turns_far ? -FLT_MAX : least;
        }
    }
}

// ---- lanes ------------------------------------------------------------------------------------

// Marks a body that moves for the kicks, which nothing has pushed yet. Returns whether it does.
static bool contact_note_body(tni_solver *solver, uint32_t body) {
    bool moves = solver->bodies.masses[body].is_dynamic;
    if (moves && !solver->contacts.is_pushed[body]) {
        solver->contacts.is_pushed[body] = true;
        solver->contacts.pushes[body] = (tni_contact_push){{0.0f}, {0.0f}};
        solver->contacts.inertias[body] = solver->bodies.states[body].inv_inertia;
    }
    return moves;
}

// Notes what the extras of a contact ask of the sweeps over its group.
static TNI_NO_INLINE void contact_note_extras(const tni_contact_extras *extras,
                                              tni_contact_group *group) {
    group->has_extras = true;
    group->has_soft |= extras->hertz > 0.0f;
    group->has_grain |= tni_grain_is_any(extras);
    group->has_shares |= extras->has_shares;
}

TNI_KERNEL void contact_set_lane(tni_solver *solver, tni_contact_group *group, uint32_t lane) {
    const tni_contact_record *record = &solver->contacts.records[group->first + lane];
    group->body_a[lane] = record->body_a;
    group->body_b[lane] = record->body_b;
    group->shut_count += 1;
    if (record->extras != NULL) {
        contact_note_extras(record->extras, group);
    }
    bool follows = record->follow != NULL && (!record->follow->looks || record->follow->turns_far);
    group->follows |= (uint8_t)(follows ? 1u << lane : 0u);
    memset(&solver->contacts.records[group->first + lane].sums, 0, sizeof record->sums);
    group->moving_a |= (uint8_t)(contact_note_body(solver, record->body_a) ? 1u << lane : 0u);
    group->moving_b |= (uint8_t)(contact_note_body(solver, record->body_b) ? 1u << lane : 0u);
}

static void contact_make_group(tni_solver *solver, tni_contact_group *group) {
    uint32_t lanes = 0;
    memset(group->body_a, 0, sizeof group->body_a);
    memset(group->body_b, 0, sizeof group->body_b);
    group->moving_a = group->moving_b = group->follows = 0;
    group->has_rolling = group->has_extras = group->has_soft = false;
    group->has_grain = group->has_shares = false;
    group->shut_count = group->move_count = 0;
    group->change = group->slow_load = group->load = 0.0f;
    for (uint32_t lane = 0; lane < group->count; ++lane) {
        uint32_t index = group->first + lane;
        if (solver->contacts.gates[index].is_shut) {
            lanes |= 1u << lane;
            contact_set_lane(solver, group, lane);
            group->has_rolling |= solver->contacts.records[index].rolling_resistance > 0.0f;
        }
    }
    if (lanes != 0) {
        WIDE_CALL(solver->uses_avx2, tni_contact_make, solver, group, lanes, true, &group->wide);
    }
}

void tni_contacts_make_turns(tni_solver *solver, uint32_t first, uint32_t last) {
    contact_range groups = contact_get_turns(solver, first, last);
    for (uint32_t i = groups.first; i < groups.last; ++i) {
        contact_make_group(solver, &solver->contacts.groups[i]);
    }
}

static void contact_make_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_contacts_make_turns(context, first, last);
}

// Makes the lanes loop by loop, because pushes are added up.
void tni_contacts_prepare(tni_solver *solver) {
    tni_tasks_run_chain(solver->tasks, contact_make_range, solver->contacts.loop_ends,
                        solver->contacts.loop_count, 1, solver);
    solver->contacts.has_old_gaps = false;
}

// Copies a lane number by number. It was made beside the group, whose other lanes are under way.
void tni_contact_copy_lane(const tni_contact_wide *made, uint32_t lane, tni_contact_wide *out) {
    const float *from = (const float *)made;
    float *to = (float *)out;
    for (size_t k = lane; k < sizeof *made / sizeof *from; k += TNI_CONTACTS) {
        to[k] = from[k];
    }
}

void tni_contact_shut_lanes(tni_solver *solver, tni_contact_group *group, uint32_t lanes) {
    bool is_first = group->shut_count == 0;
    for (uint32_t lane = 0; lane < group->count; ++lane) {
        if ((lanes >> lane & 1) != 0) {
            solver->contacts.gates[group->first + lane].is_shut = true;
            contact_set_lane(solver, group, lane);
        }
    }
    tni_contact_wide made;
    tni_contact_wide *out = is_first ? &group->wide : &made;
    WIDE_CALL(solver->uses_avx2, tni_contact_make, solver, group, lanes, false, out);
    for (uint32_t lane = 0; lane < group->count && !is_first; ++lane) {
        if ((lanes >> lane & 1) != 0) {
            tni_contact_copy_lane(&made, lane, &group->wide);
        }
    }
}

// ---- new inertias -----------------------------------------------------------------------------

static bool contact_inertia_differs(const tni_sym3 *p, const tni_sym3 *q) {
    float limit = CONTACT_NEW_INERTIA * (q->xx + q->yy + q->zz);
    return fabsf(p->xx - q->xx) > limit || fabsf(p->yy - q->yy) > limit ||
           fabsf(p->zz - q->zz) > limit || fabsf(p->xy - q->xy) > limit ||
           fabsf(p->xz - q->xz) > limit || fabsf(p->yz - q->yz) > limit;
}

static void contact_find_new_inertia(tni_solver *solver, uint32_t body) {
    if (!solver->contacts.is_pushed[body]) {
        return;
    }
    const tni_sym3 *now = &solver->bodies.states[body].inv_inertia;
    bool is_new = contact_inertia_differs(&solver->contacts.inertias[body], now);
    solver->contacts.has_new_inertia[body] = is_new;
    if (is_new) {
        solver->contacts.inertias[body] = *now;
    }
}

void tni_contacts_find_new_inertias(tni_solver *solver, uint32_t first, uint32_t last) {
    for (uint32_t b = first; b < last; ++b) {
        for (uint32_t i = 0; i < INTEGRATE_LANES; ++i) {
            contact_find_new_inertia(solver, solver->batches.bodies[b].body[i]);
        }
    }
}

static void contact_find_new_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_contacts_find_new_inertias(context, first, last);
}

static bool contact_has_new_inertias(const tni_solver *solver) {
    bool any = false;
    for (uint32_t b = 0; b < solver->batches.count && !any; ++b) {
        for (uint32_t i = 0; i < INTEGRATE_LANES; ++i) {
            any |= solver->contacts.has_new_inertia[solver->batches.bodies[b].body[i]];
        }
    }
    return any;
}

static bool contact_group_has_new_inertia(const tni_solver *solver,
                                          const tni_contact_group *group) {
    bool any = false;
    for (uint32_t lane = 0; lane < TNI_CONTACTS; ++lane) {
        any |= solver->contacts.has_new_inertia[group->body_a[lane]] ||
               solver->contacts.has_new_inertia[group->body_b[lane]];
    }
    return any;
}

void tni_contacts_weigh_turns(tni_solver *solver, uint32_t first, uint32_t last) {
    contact_range groups = contact_get_turns(solver, first, last);
    for (uint32_t i = groups.first; i < groups.last; ++i) {
        tni_contact_group *group = &solver->contacts.groups[i];
        if (group->shut_count > 0 && contact_group_has_new_inertia(solver, group)) {
            WIDE_CALL(solver->uses_avx2, tni_contact_weigh, solver, group);
        }
    }
}

static void contact_weigh_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_contacts_weigh_turns(context, first, last);
}

void tni_contacts_refresh(tni_solver *solver) {
    solver->contacts.has_old_gaps = true;
    if (!solver->bodies.turns_inertia && !solver->bodies.was_stiffened &&
        solver->exact.count == 0) {
        return;
    }
    tni_parts_run_batches(solver, contact_find_new_range, CONTACT_MIN_BATCHES, solver);
    if (contact_has_new_inertias(solver)) {
        contact_run_groups(solver, contact_weigh_range);
    }
}
