// solver/step/substep.c: the order of a step: kick, solve, drift, kick, relax.
//
// solver.h says what each phase does and why. Within a sweep joints come first, then contacts
// between moving bodies, then contacts with static ones, which must not give way; then, one after
// the other, contacts with bodies that are given by coordinates.
#include "solver/contacts/contact_follow.h"
#include "solver/joints/joint_group.h"
#include "solver/joints/joint_machine.h"
#include "solver/movers/force.h"
#include "solver/movers/span_ops.h"
#include "solver/solver.h"
#include "solver/stacks/stack.h"
#include "solver/step/breaking.h"

// After a blow that came in the last sweep, joints and contacts are swept this many times more.
#define SUBSTEP_BLOW_SWEEPS 4

static void substep_warm_start(tni_solver *solver, bool is_first_half) {
    if (solver->joints.count > 0) {
        tni_joint_blocks_warm_start(solver, is_first_half);
        if (solver->movers.span_ops != NULL) {
            solver->movers.span_ops->warm_start(solver, is_first_half);
        }
    }
    if (solver->contacts.own_count > 0) {
        tni_contacts_warm_start(solver, is_first_half);
    }
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->warm_start_contacts(solver, is_first_half);
    }
}

static void substep_sweep_joints(tni_solver *solver, bool use_bias, bool is_first_round) {
    tni_joint_blocks_sweep(solver, use_bias);
    tni_gradients_run(solver, use_bias, is_first_round);
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->sweep(solver, use_bias);
        solver->movers.span_ops->sweep_closings(solver, use_bias);
    }
}

// Has a contact that looks before it pushes met since the last call? It was found when joints had
// said where bodies go, in the last sweep of contacts.
static bool substep_has_met(tni_solver *solver) {
    bool has_met = false;
    for (uint32_t i = 0; i < solver->contacts.follow_count; ++i) {
        has_met |= solver->contacts.follows[i].is_new;
        solver->contacts.follows[i].is_new = false;
    }
    return has_met;
}

// Sweeps after a blow: joints take back some of the motion that it has just stopped, and the body
// would go on into what it met. (In large worlds it does: the rounds of parts are numbered before
// they are run.)
static void substep_sweep_blows(tni_solver *solver) {
    for (uint32_t i = 0; i < SUBSTEP_BLOW_SWEEPS && solver->joints.count > 0; ++i) {
        substep_sweep_joints(solver, true, false);
        tni_contacts_solve(solver, true);
    }
}

static void substep_sweep(tni_solver *solver, bool use_bias) {
    uint32_t joint_sweeps = use_bias ? solver->settings.joint_iterations : 1;
    uint32_t contact_sweeps = use_bias ? solver->settings.contact_iterations : 1;
    joint_sweeps = solver->joints.count > 0 ? joint_sweeps : 0;
    bool has_contacts = solver->contacts.own_count + solver->movers.span_contact_count > 0;
    contact_sweeps = has_contacts ? contact_sweeps : 0;
    for (uint32_t i = 0; i < joint_sweeps || i < contact_sweeps; ++i) {
        if (i < joint_sweeps) {
            substep_sweep_joints(solver, use_bias, i == 0);
        }
        if (use_bias && i < joint_sweeps) {
            tni_joint_machines_judge(solver, true);
        }
        if (i < contact_sweeps) {
            if (solver->contacts.own_count > 0) {
                tni_contacts_solve(solver, use_bias);
            }
            if (solver->movers.span_ops != NULL) {
                solver->movers.span_ops->sweep_contacts(solver, use_bias);
            }
        }
    }
    if (use_bias && solver->batches.part_count == 0 && substep_has_met(solver)) {
        substep_sweep_blows(solver);
    }
}

// ---- passes over the bodies ------------------------------------------------------------------

// May phases that follow each other be one pass? They may unless something between them reads or
// changes the bodies: mechanisms and the ledger. Joints that read how fast their bodies move (Jdot
// v, how far a limit is) then see them with half a kick more, nearer to the next drift.
static bool substep_may_join(const tni_solver *solver) {
    return !solver->ledger.measures_work && solver->exact.count == 0 &&
           solver->movers.forces == NULL && solver->movers.reduced_count == 0;
}

// Chooses where pushes come: contacts begin their solves with a push for every body, and it comes
// with the kick where nothing else acts on the bodies between the two.
static void substep_choose_pushes(tni_solver *solver, bool may_join) {
    solver->contacts.kicks_push = may_join && solver->contacts.own_count > 0 &&
                                  solver->joints.count == 0 && solver->contacts.bouncing_count == 0;
}

static uint32_t substep_get_kick(const tni_solver *solver, bool is_first_half) {
    uint32_t push = is_first_half ? TNI_PASS_PUSH_A : TNI_PASS_PUSH_B;
    return TNI_PASS_KICK | (solver->contacts.kicks_push ? push : 0);
}

static void substep_collect(tni_solver *solver, bool is_first_half) {
    tni_integrate_pass(solver, TNI_PASS_COLLECT);
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->collect_reduced(solver);
    }
    if (solver->ledger.measures_work) {
        tni_work_end_phase(solver, is_first_half);
    }
}

static void substep_ask_forces(tni_solver *solver) {
    if (solver->movers.forces != NULL) {
        solver->movers.forces->run(solver);
    }
}

static void substep_kick(tni_solver *solver, bool is_first_half) {
    if (solver->ledger.measures_work) {
        tni_work_begin_phase(solver);
    }
    tni_touches_feed_loose(solver);
    tni_integrate_pass(solver, substep_get_kick(solver, is_first_half));
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->kick_reduced(solver);
    }
}

static void substep_refresh_spans(tni_solver *solver) {
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->refresh(solver);
        solver->movers.span_ops->refresh_closings(solver);
    }
}

// Goes from solve A to solve B.
static void substep_move(tni_solver *solver, bool may_join) {
    tni_joint_blocks_note_drift(solver);
    if (!may_join) {
        substep_collect(solver, true);
        tni_mechanisms_run(solver);
        bool has_swing = solver->ledger.measures_work && solver->joints.count > 0;
        double spin = has_swing ? tni_work_get_spin(solver) : 0.0;
        tni_integrate_pass(solver, TNI_PASS_DRIFT);
        solver->ledger.work.joint += has_swing ? tni_work_get_spin(solver) - spin : 0.0;
        if (solver->movers.span_ops != NULL) {
            solver->movers.span_ops->drift_reduced(solver);
        }
    } else {
        tni_integrate_pass(solver,
                           TNI_PASS_COLLECT | TNI_PASS_DRIFT | substep_get_kick(solver, false));
    }
    solver->movers.time += solver->dh;
    tni_joint_blocks_remember(solver);
    substep_refresh_spans(solver);
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->close(solver);
    }
    if (solver->contacts.own_count > 0) {
        tni_contacts_refresh(solver);
    }
    solver->has_second_kick = may_join;
    tni_joint_blocks_refresh(solver);
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->refresh_contacts(solver);
    }
    if (!may_join) {
        substep_kick(solver, false);
    }
}

static void substep_store(tni_solver *solver) {
    if (tni_breaking_has_any(solver)) {
        tni_breaking_end_substep(solver);
    }
    tni_joint_blocks_store(solver);
    tni_joint_machines_judge(solver, false);
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->store(solver);
        solver->movers.span_ops->store_contacts(solver);
    }
}

// Goes from solve B to solve A of the next substep, if there is one. Joints are stored with the
// velocities that solve B left.
static void substep_end(tni_solver *solver, bool may_join) {
    bool is_last = solver->is_last_substep;
    if (may_join) {
        substep_store(solver);
        tni_integrate_pass(solver,
                           TNI_PASS_COLLECT | (is_last ? 0 : substep_get_kick(solver, true)));
        return;
    }
    substep_collect(solver, false);
    tni_mechanisms_settle(solver);
    substep_store(solver);
    if (!is_last) {
        substep_ask_forces(solver);
        tni_mechanisms_start(solver);
        substep_kick(solver, true);
    }
}

// ---- a step ----------------------------------------------------------------------------------

// Solves impacts, and refreshes joints after a blow: it leaves its bodies at other poses, with
// other inertia.
static void substep_strike(tni_solver *solver) {
    if (tni_impact_solve(solver) && solver->joints.count > 0) {
        tni_joint_blocks_refresh(solver);
    }
}

// This is the biased solve: it finds velocities that carry every error where it should be.
static void substep_solve(tni_solver *solver) {
    substep_strike(solver);
    tni_gradients_begin_phase(solver, true);
    substep_warm_start(solver, true);
    substep_sweep(solver, true);
    tni_joint_machines_stop(solver, true);
    tni_gradients_end_phase(solver, true);
    tni_stacks_solve(solver, true);
}

// Breaks joints under their load, before their impulses are stored; the others bear the remaining
// load.
static void substep_break(tni_solver *solver) {
    uint32_t round = 0;
    bool are_over = true;
    while (round < TNI_BREAKING_MOST_ROUNDS && are_over) {
        bool joints_are = tni_breaking_look(solver, TNI_LOOK_SWEPT);
        bool spans_are = solver->breaking.has_spans && solver->movers.span_ops->break_worst(solver);
        are_over = joints_are || spans_are;
        if (are_over) {
            tni_breaking_sweep(solver);
        }
        round += 1;
    }
    tni_breaking_accept(solver, TNI_LOOK_SWEPT);
    if (solver->breaking.has_spans) {
        solver->movers.span_ops->accept(solver);
    }
}

// This is the solve that leaves no bias behind.
static void substep_relax(tni_solver *solver) {
    bool may_break = tni_breaking_has_any(solver);
    tni_gradients_begin_phase(solver, false);
    substep_warm_start(solver, false);
    solver->has_second_kick = false;
    for (uint32_t i = 0; i < solver->settings.relax_iterations; ++i) {
        solver->is_last_sweep = i + 1 == solver->settings.relax_iterations && !may_break;
        substep_sweep(solver, false);
    }
    solver->is_last_sweep = false;
    tni_joint_machines_stop(solver, false);
    tni_stacks_solve(solver, false);
    if (may_break) {
        substep_break(solver);
        tni_contacts_forget_blows(solver);
    }
    tni_gradients_end_phase(solver, false);
}

// Starts joints: inertia comes first, then rows. The inertia of links under tension needs forces;
// where these need rows, rows come twice.
void tni_substep_start_joints(tni_solver *solver) {
    tni_joint_machines_start(solver);
    bool knows_forces = tni_joint_blocks_know_forces(solver);
    if (knows_forces) {
        tni_joint_blocks_stiffen(solver);
    }
    tni_integrate_pass(solver, TNI_PASS_START);
    tni_joint_blocks_refresh(solver);
    if (!knows_forces) {
        tni_joint_blocks_stiffen(solver);
        if (solver->bodies.has_stiffened) {
            tni_integrate_pass(solver, TNI_PASS_START);
            tni_joint_blocks_refresh(solver);
        }
    }
    tni_joint_blocks_start(solver);
    substep_refresh_spans(solver);
}

static void substep_run_all(tni_solver *solver) {
    bool may_join = substep_may_join(solver);
    substep_choose_pushes(solver, may_join);
    if (tni_part_rounds_suit(solver)) {
        tni_part_rounds_run(solver);
        return;
    }
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->start_reduced(solver);
    }
    tni_substep_start_joints(solver);
    if (solver->contacts.own_count > 0) {
        tni_contacts_prepare(solver);
    }
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->start_contacts(solver);
    }
    substep_ask_forces(solver);
    tni_mechanisms_start(solver);
    substep_kick(solver, true);
    for (uint32_t i = 0; i < solver->substeps; ++i) {
        solver->elapsed = (float)i * solver->h;
        substep_solve(solver);
        substep_move(solver, may_join);
        solver->is_last_substep = i + 1 == solver->substeps;
        substep_relax(solver);
        substep_end(solver, may_join);
    }
}

void tni_solver_run_held(tni_solver *solver) {
    if (solver->bodies.held_count == 0 && solver->exact.count == 0) {
        return;
    }
    if (tni_joint_parts_go_alone(solver)) {
        tni_joint_parts_run_alone(solver);
        return;
    }
    if (tni_mechanisms_run_alone(solver)) {
        return;
    }
    substep_run_all(solver);
    tni_joint_blocks_sync(solver);
    tni_mechanisms_store(solver);
    tni_contacts_store(solver);
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->finish_contacts(solver);
    }
}

void tni_solver_run(tni_solver *solver) {
    tni_integrate_free(solver);
    tni_clusters_run(solver);
    tni_solver_run_held(solver);
}
