// solver/step/part_rounds.c: all substeps of contacts in parts, with two meetings of the workers
// for a sweep.
//
// A sweep over parts has a loop at its begin and one at its end with a turn for each part, and
// seldom something small between them (world/collide/contact_order_cells.h). Once the last turn of
// a part is done, no contact of this sweep reads its bodies any more. So the passes of a substep
// over bodies between two sweeps (solver/bodies/integrate.c) come right after it, on the same
// worker, while they are in its cache; and the contacts' first lanes are made by a round of the
// same shape. All rounds follow each other as loops of one chain. So workers meet twice in a sweep
// and nowhere else.
//
// A body that moves and does not give way, a drum or a belt, is read by contacts of all parts, but
// in their last turns only: it goes on beside the first turns of the next round.
//
// Joints take part where none goes across: parts of contacts are then those of joints
// (solver/joints/joint_part.c), or some of them together. The work on joints between two sweeps of
// contacts belongs to one part, too, and comes after its last turn with the passes over bodies:
// sweeps, the refresh, warm starts, and the end of a substep.
//
// Rounds serve worlds in which nothing else acts between the sweeps: no mechanisms, no bouncing, no
// ledger, nothing that may break, and no joints but those. The sums are those of
// solver/step/substep.c, in the same order. Test: tests/world/step/test_parts.c,
// tests/world/step/test_joint_parts.c, tests/threads/test_workers.c
#include "solver/bodies/integrate.h"
#include "solver/contacts/contact_kernels.h"
#include "solver/joints/joint_machine.h"
#include "solver/stacks/stack.h"

// A chain has this many loops at most.
#define ROUNDS_LOOPS 96u

typedef struct rounds_run {
    tni_solver *solver;
    uint32_t first;         // round of the chain
    uint32_t turns, sweeps; // of a round, of a substep
} rounds_run;

// The first round makes lanes, the others sweep.
typedef struct rounds_round {
    bool makes_lanes, weighs;
    bool is_last;    // of solve A or B
    uint32_t kind;   // contact_sweep_kind
    uint32_t phases; // tni_pass: what follows for the bodies
} rounds_round;

bool tni_part_rounds_suit(const tni_solver *solver) {
    bool has_pushes = solver->contacts.kicks_push ||
                      (solver->joint_parts.follow_contacts && solver->contacts.own_count > 0 &&
                       solver->contacts.bouncing_count == 0);
    return solver->batches.part_count > 0 && has_pushes &&
           solver->settings.contact_iterations > 0 && solver->settings.relax_iterations > 0 &&
           solver->gradients.count == 0 && solver->breaking.count == 0 &&
           tni_solver_has_only_pairs(solver);
}

static rounds_round rounds_get(const rounds_run *run, uint32_t index) {
    const tni_solver *solver = run->solver;
    const uint32_t kick_a = TNI_PASS_KICK | TNI_PASS_PUSH_A;
    const uint32_t kick_b = TNI_PASS_KICK | TNI_PASS_PUSH_B;
    rounds_round round = {.makes_lanes = true, .phases = kick_a};
    if (index == 0) {
        return round;
    }
    uint32_t substep = (index - 1) / run->sweeps, sweep = (index - 1) % run->sweeps;
    uint32_t of_a = solver->settings.contact_iterations;
    round = (rounds_round){.kind = sweep < of_a ? CONTACT_SWEEP_BIAS : 0};
    round.kind |= sweep < of_a && solver->contacts.depths != NULL ? CONTACT_SWEEP_SPARES : 0;
    round.kind |= sweep == 0 || sweep == of_a ? CONTACT_SWEEP_FIRST : 0;
    round.kind |= sweep == of_a ? CONTACT_SWEEP_MOVED : 0;
    round.kind |= sweep + 1 == of_a ? CONTACT_SWEEP_LOOKS : 0;
    round.weighs =
        sweep == of_a && (solver->bodies.turns_inertia || solver->joint_parts.follow_contacts);
    round.is_last = sweep + 1 == of_a || sweep + 1 == run->sweeps;
    if (sweep + 1 == of_a) {
        round.phases = TNI_PASS_COLLECT | TNI_PASS_DRIFT | kick_b;
    } else if (sweep + 1 == run->sweeps) {
        bool is_last = substep + 1 == solver->substeps;
        round.phases = TNI_PASS_COLLECT | (is_last ? 0 : kick_a);
        round.kind |= CONTACT_SWEEP_LAST | (is_last ? CONTACT_SWEEP_MEASURES : 0);
    }
    return round;
}

static void rounds_move_part(tni_solver *solver, uint32_t part, uint32_t phases) {
    uint32_t first = part > 0 ? solver->batches.part_ends[part - 1] : 0;
    uint32_t last = solver->batches.part_ends[part];
    if (phases != 0) {
        tni_integrate_range(solver, first, last, phases);
    }
    if ((phases & TNI_PASS_DRIFT) != 0 && solver->bodies.turns_inertia) {
        tni_contacts_find_new_inertias(solver, first, last);
    }
}

// ---- joints -----------------------------------------------------------------------------------

// Pushes bodies by the impulses of contacts in the last substep, which come after those of joints.
static void rounds_push(const tni_solver *its, bool is_first_half) {
    for (uint32_t b = 0; b < its->batches.count; ++b) {
        for (uint32_t i = 0; i < INTEGRATE_LANES; ++i) {
            contact_push_body(its, its->batches.bodies[b].body[i], is_first_half);
        }
    }
}

static void rounds_warm_start(tni_solver *its, bool is_first_half) {
    tni_joint_blocks_warm_start(its, is_first_half);
    rounds_push(its, is_first_half);
}

// Goes from solve A to solve B.
static void rounds_drift(tni_solver *its) {
    tni_joint_blocks_note_drift(its);
    tni_integrate_range(its, 0, its->batches.count,
                        TNI_PASS_COLLECT | TNI_PASS_DRIFT | TNI_PASS_KICK);
    if (its->bodies.turns_inertia || its->bodies.was_stiffened) {
        tni_contacts_find_new_inertias(its, 0, its->batches.count);
    }
    its->has_second_kick = true;
    tni_joint_blocks_remember(its);
    tni_joint_blocks_refresh(its);
    rounds_warm_start(its, false);
    its->has_second_kick = false;
}

// Makes the sweeps over joints from `first` to before `last`; each comes before one over contacts,
// or after the last of these.
static void rounds_sweep_joints(tni_solver *its, uint32_t first, uint32_t last, bool use_bias) {
    for (uint32_t i = first; i < last; ++i) {
        its->is_last_sweep = !use_bias && i + 1 == its->settings.relax_iterations;
        tni_joint_blocks_sweep(its, use_bias);
        if (use_bias) {
            tni_joint_machines_judge(its, true);
        }
    }
    its->is_last_sweep = false;
}

static void rounds_begin_substep(tni_solver *its) {
    rounds_warm_start(its, true);
    rounds_sweep_joints(its, 0, 1, true);
}

// Runs the work on joints after `done` sweeps of contacts of a substep, and the passes over bodies.
static void rounds_follow(tni_solver *its, uint32_t done, bool is_last) {
    uint32_t of_a = its->settings.contact_iterations, all = of_a + its->settings.relax_iterations;
    if (done < of_a) {
        rounds_sweep_joints(its, done, done < its->settings.joint_iterations ? done + 1 : done,
                            true);
    } else if (done == of_a) {
        rounds_sweep_joints(its, done, its->settings.joint_iterations, true);
        tni_joint_machines_stop(its, true);
        rounds_drift(its);
        rounds_sweep_joints(its, 0, 1, false);
    } else if (done < all) {
        rounds_sweep_joints(its, done - of_a, done - of_a + 1, false);
    } else {
        tni_joint_machines_stop(its, false);
        tni_joint_blocks_store(its);
        tni_joint_machines_judge(its, false);
        tni_integrate_range(its, 0, its->batches.count,
                            TNI_PASS_COLLECT | (is_last ? 0 : TNI_PASS_KICK));
        if (!is_last) {
            rounds_begin_substep(its);
        }
    }
}

// Follows after a round with the joints that a part of contacts has.
static void rounds_follow_part(const rounds_run *run, uint32_t part, uint32_t index) {
    const tni_solver *solver = run->solver;
    uint32_t of_each = solver->joint_parts.count / solver->batches.part_count;
    for (uint32_t p = part * of_each; p < (part + 1) * of_each; ++p) {
        tni_solver *its = &solver->joint_parts.solvers[p];
        if (index == 0) {
            tni_integrate_range(its, 0, its->batches.count, TNI_PASS_KICK);
            rounds_begin_substep(its);
        } else {
            bool is_last = index == run->sweeps * solver->substeps;
            rounds_follow(its, (index - 1) % run->sweeps + 1, is_last);
        }
    }
}

static void rounds_start_joints(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const tni_solver *solver = context;
    for (uint32_t p = first; p < last; ++p) {
        tni_substep_start_joints(tni_joint_part_take(solver, p));
    }
}

static void rounds_start(tni_solver *solver) {
    if (solver->joint_parts.follow_contacts) {
        tni_joint_parts_open(solver);
        tni_tasks_run(solver->tasks, rounds_start_joints, solver->joint_parts.count, 1, solver);
    } else {
        tni_substep_start_joints(solver);
    }
}

// ---- rounds -----------------------------------------------------------------------------------

static void rounds_sweep(tni_solver *solver, uint32_t turn, const rounds_round *round) {
    if (round->makes_lanes) {
        tni_contacts_make_turns(solver, turn, turn + 1);
        return;
    }
    if (round->weighs) {
        tni_contacts_weigh_turns(solver, turn, turn + 1);
    }
    contact_range groups = contact_get_turns(solver, turn, turn + 1);
    WIDE_CALL(solver->uses_avx2, tni_contact_sweep, solver, groups.first, groups.last, round->kind);
}

static void rounds_run_turns(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const rounds_run *run = context;
    tni_solver *solver = run->solver;
    uint32_t parts = solver->batches.part_count;
    for (uint32_t i = first; i < last; ++i) {
        uint32_t index = run->first + i / run->turns, turn = i % run->turns;
        rounds_round round = rounds_get(run, index);
        if (turn + 1 == parts && index > 0 && !solver->joint_parts.follow_contacts) {
            rounds_round before = rounds_get(run, index - 1);
            rounds_move_part(solver, parts, before.phases);
        }
        rounds_sweep(solver, turn, &round);
        if (turn >= run->turns - parts && round.is_last) {
            tni_stacks_solve_part(solver, turn - (run->turns - parts),
                                  (round.kind & CONTACT_SWEEP_BIAS) != 0);
        }
        if (turn >= run->turns - parts && solver->joint_parts.follow_contacts) {
            rounds_follow_part(run, turn - (run->turns - parts), index);
        } else if (turn >= run->turns - parts) {
            rounds_move_part(solver, turn - (run->turns - parts), round.phases);
        }
    }
}

// Runs as many rounds as fit into a chain. Returns how many that is.
static uint32_t rounds_run_chain(rounds_run *run, uint32_t count) {
    const tni_solver *solver = run->solver;
    uint32_t ends[ROUNDS_LOOPS], loops = solver->contacts.loop_count;
    uint32_t most = ROUNDS_LOOPS / loops, rounds = count < most ? count : most;
    for (uint32_t r = 0; r < rounds; ++r) {
        for (uint32_t k = 0; k < loops; ++k) {
            ends[r * loops + k] = r * run->turns + solver->contacts.loop_ends[k];
        }
    }
    tni_tasks_run_chain(solver->tasks, rounds_run_turns, ends, rounds * loops, 1, run);
    return rounds;
}

void tni_part_rounds_run(tni_solver *solver) {
    rounds_start(solver);
    rounds_run run = {.solver = solver, .turns = tni_parts_count_turns(solver)};
    run.sweeps = solver->settings.contact_iterations + solver->settings.relax_iterations;
    uint32_t count = 1 + solver->substeps * run.sweeps;
    while (run.first < count) {
        run.first += rounds_run_chain(&run, count - run.first);
    }
    if (!solver->joint_parts.follow_contacts) {
        rounds_move_part(solver, solver->batches.part_count, rounds_get(&run, count - 1).phases);
    }
}
