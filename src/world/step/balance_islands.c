// world/step/balance_islands.c: who is balanced together in a step, and what gives them energy.
//
// Islands are found before the substeps. Those that meet in one are balanced as one: each passes on
// what the other gains. A rope that stretches stores energy, E = k C^2 / 2 in each piece; what it
// releases, E0 - E1, counts as work. A winch is a motor. The energy of bodies that are given by
// coordinates, and the work of forces, are not known here: their islands are left alone.
// Test: tests/world/step/test_step_balance.c, tests/scenes/test_bursts.c
#include <string.h>

#include "core/union_find.h"
#include "solver/contacts/contact.h"
#include "solver/movers/force.h"
#include "solver/movers/span_contact.h"
#include "solver/movers/span_rope.h"
#include "world/contacts.h"
#include "world/step/balance.h"

// m: a joint that opens on beyond this is lost.
#define BALANCE_LOST 1.0

// ---- who is balanced together ------------------------------------------------------------------

// Returns whether a contact pushed in the step. One that was only near has no sums.
static bool balance_has_pushed(const tni_solver *solver, uint32_t index) {
    const tni_contact_gate *gate = &solver->contacts.gates[index];
    const tni_contact_record *record = &solver->contacts.records[index];
    bool has_pushed = false;
    if (!gate->is_shut && !gate->is_touch) {
        return false;
    }
    for (uint32_t p = 0; p < record->point_count; ++p) {
        has_pushed |= record->sums.step[p] > 0.0f;
    }
    return has_pushed;
}

// Joins islands that meet in the step: they are found before its substeps. One of them passes on
// what another one gains.
static void balance_join_islands(const tni_step *step) {
    const tni_solver *solver = &step->solver;
    uint32_t *parents = step->balance_of;
    bool any = false;
    memcpy(parents, step->island_of, solver->bodies.count * sizeof *parents);
    for (uint32_t i = 0; i < solver->contacts.own_count; ++i) {
        const tni_contact_record *record = &solver->contacts.records[i];
        uint32_t a = record->body_a, b = record->body_b;
        if (step->island_of[a] != step->island_of[b] && solver->bodies.masses[a].is_dynamic &&
            solver->bodies.masses[b].is_dynamic && balance_has_pushed(solver, i)) {
            any |= union_find_join(parents, a, b);
        }
    }
    for (uint32_t i = 1; i < solver->bodies.count && any; ++i) {
        parents[i] = union_find_root(parents, i);
    }
}

// Notes a body outside an island that holds it.
static void balance_hold(const tni_step *step, uint32_t root, uint32_t body) {
    if (!step->is_watched[root]) {
        return; // its balance holds no values
    }
    tni_balance *balance = &step->balances[root];
    balance->is_held = true;
    balance->is_fed |= body != 0 && !tni_motion_is_still(&step->solver.bodies.motions[body]);
}

static void balance_tie(const tni_step *step, uint32_t a, uint32_t b) {
    bool moves_a = step->solver.bodies.masses[a].is_dynamic,
         moves_b = step->solver.bodies.masses[b].is_dynamic;
    if (moves_a && !moves_b) {
        balance_hold(step, step->balance_of[a], b);
    } else if (moves_b && !moves_a) {
        balance_hold(step, step->balance_of[b], a);
    }
}

// Returns whether a joint pushes its bodies without an equal push between them: what carries a
// pulley's wheels, or guides a rack, is not one of the two.
static bool balance_pushes_others(const tni_joint *joint) {
    return joint->type == TN_JOINT_TYPE_PULLEY || joint->type == TN_JOINT_TYPE_RACK_PINION;
}

static void balance_add_account(tni_balance *balance, const tni_joint_block *block,
                                const tni_joint *joint) {
    bool is_first = balance->account.joints == 0;
    balance->account.gain =
        is_first ? joint->gain : maths_max_d(balance->account.gain, joint->gain);
    balance->account.scale = maths_max_d(balance->account.scale, joint->gain_scale);
    balance->account.joints += 1;
    balance->account.has_gradients |= block->is_gradient;
    balance->account.is_bounded |= block->has_awake_bounded;
    balance->account.has_broken |= joint->bearing.is_broken;
}

// Returns whether a joint that is swept opens on, though it is open by more than it could have been
// pulled back from: its solver cannot hold what hangs on it.
static bool balance_is_lost(const tni_solver *solver, const tni_joint_block *block,
                            const tni_joint *joint) {
    return !block->is_exact && joint->linear_error > BALANCE_LOST &&
           !tni_step_may_feed(joint, &solver->bodies.motions[block->body_a],
                              &solver->bodies.motions[block->body_b]) &&
           balance_get_error(solver, block) > joint->linear_error;
}

static void balance_add_joints(tn_world *world, tni_step *step) {
    const tni_solver *solver = &step->solver;
    uint32_t count = solver->joints.count + solver->joints.exact_count;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t root = balance_get_root(step, &solver->joints.blocks[i]);
        if (!step->is_watched[root]) {
            step->is_watched[root] = true;
            step->balances[root] = (tni_balance){0};
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        tni_balance *balance = &step->balances[balance_get_root(step, block)];
        tni_joint *joint = tni_joint_at(world, block->world_joint);
        joint->is_strained = (joint->is_strained && balance_is_open(solver, block)) ||
                             balance_is_lost(solver, block, joint);
        balance->is_strained |= joint->is_strained;
        step->has_strained |= joint->is_strained || joint->starts_cold;
        balance->is_swept |= !block->is_exact;
        balance->is_held |= balance_pushes_others(joint);
        balance->has_bounded |= block->row_count > block->equality_count;
        balance->motor_work += solver->joints.motor_work[i];
        balance_add_account(balance, block, joint);
        balance_tie(step, block->body_a, block->body_b);
    }
}

// Notes that a contact pushes the islands of its bodies.
static void balance_push(const tni_step *step, uint32_t index) {
    const tni_contact_record *record = &step->solver.contacts.records[index];
    bool pushes = balance_has_pushed(&step->solver, index);
    const uint32_t bodies[2] = {record->body_a, record->body_b};
    for (uint32_t e = 0; e < 2; ++e) {
        uint32_t root = step->balance_of[bodies[e]];
        if (step->is_watched[root]) {
            step->balances[root].is_pushed |= pushes;
        }
    }
}

static void balance_add_contacts(const tni_step *step) {
    const tni_solver *solver = &step->solver;
    for (uint32_t i = 0; i < solver->contacts.own_count; ++i) {
        const tni_contact_record *record = &solver->contacts.records[i];
        bool is_watched = step->is_watched[step->balance_of[record->body_a]] ||
                          step->is_watched[step->balance_of[record->body_b]];
        if (is_watched) {
            balance_tie(step, record->body_a, record->body_b);
            balance_push(step, i);
        }
    }
}

// ---- rows over several bodies, bodies by coordinates, forces -----------------------------------

uint32_t tni_balance_get_span_root(const tni_step *step, const tni_span *span) {
    uint32_t root = 0;
    for (uint32_t k = 0; k < span->part_count && root == 0; ++k) {
        uint32_t its = step->balance_of[span->bodies[k]];
        root = span->moves[k] && step->is_watched[its] ? its : 0;
    }
    return root;
}

// Marks the island of a body that something unknown here may feed.
static void balance_feed(const tni_step *step, uint32_t body) {
    bool moves = body < step->solver.bodies.count && step->solver.bodies.masses[body].is_dynamic;
    if (moves && step->is_watched[step->balance_of[body]]) {
        step->balances[step->balance_of[body]].is_fed = true;
    }
}

void tni_balance_add_springs(const tni_step *step) {
    const tni_solver *solver = &step->solver;
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        const tni_span *span = &solver->movers.spans[i];
        uint32_t root = tni_balance_get_span_root(step, span);
        if (span->rope != NULL && root != 0 && step->balances[root].is_close) {
            double before = span->rope->energy_before;
            double released = before - tni_span_rope_get_energy(solver, span);
            step->balances[root].elastic += before;
            step->balances[root].way_work += released;
            step->balances[root].mean_work += released;
        }
    }
}

// Returns whether the rows go to something that does not move, or are a function, whose pushes need
// not add up to nothing.
static bool balance_is_tied(const tni_span *span) {
    bool is_tied = span->rope == NULL;
    for (uint32_t k = 0; k < span->part_count && !is_tied; ++k) {
        is_tied = !span->moves[k];
    }
    return is_tied;
}

static void balance_add_spans(const tni_step *step) {
    const tni_solver *solver = &step->solver;
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        const tni_span *span = &solver->movers.spans[i];
        uint32_t root = tni_balance_get_span_root(step, span);
        if (root != 0) {
            step->balances[root].has_spans = true;
            step->balances[root].is_held |= balance_is_tied(span);
            step->balances[root].motor_work += span->rope != NULL ? span->rope->motor_work : 0.0;
        }
    }
}

static void balance_add_reduced(const tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    for (uint32_t i = 0; i < solver->movers.reduced_count; ++i) {
        const tni_reduced *reduced = solver->movers.reduced[i];
        for (uint32_t k = 0; k < reduced->body_count; ++k) {
            const tni_reduced_body *body = &reduced->bodies[k];
            if (tni_body_at(world, body->world_body)->awake_index != TNI_NONE) {
                balance_feed(step, body->body);
            }
        }
    }
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        balance_feed(step, solver->movers.span_contacts[i].record.body_a);
        balance_feed(step, solver->movers.span_contacts[i].record.body_b);
    }
}

// Surfaces that move along their bodies do work that is not counted, and so do bodies that push
// harder than they are pushed.
static void balance_feed_pair(const tni_body *a, const tni_body *b, void *context) {
    const tni_step *step = context;
    const tni_body *bodies[2] = {a, b};
    for (int i = 0; i < 2; ++i) {
        if (bodies[i]->awake_index != TNI_NONE) {
            balance_feed(step, bodies[i]->solver_index);
        }
    }
}

static void balance_add_movers(const tn_world *world, tni_step *step) {
    const tni_solver *solver = &step->solver;
    const tni_forces *forces = solver->movers.forces;
    balance_add_spans(step);
    balance_add_reduced(world, step);
    tni_world_visit_driven(world, true, balance_feed_pair, step);
    for (uint32_t i = 0; forces != NULL && i < forces->body_count; ++i) {
        if (forces->bodies[i].moves) {
            balance_feed(step, forces->bodies[i].body);
        }
    }
}

void tni_balance_gather(tn_world *world, tni_step *step) {
    balance_join_islands(step);
    balance_add_joints(world, step);
    balance_add_contacts(step);
    balance_add_movers(world, step);
}
