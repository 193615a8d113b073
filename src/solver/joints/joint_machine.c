// solver/joints/joint_machine.c: limits against motors and springs on other joints, under sweeps.
//
// A machine is a set of bodies that swept joints tie together. If a motor of it drives another
// joint of it into a limit, or works in a linkage that cannot move, the two cannot both be met, and
// sweeps find no answer: each gives a little more in every sweep, and warm starts keep it. So
// - joints come after drives: a machine that drives press open is swept some more with these at
//   rest, and then they give back what would open a joint too far;
// - limits come last: after that the limits of that machine are solved once more and hard; the
//   remainder opens other joints and closes again. Under conjugate gradients limits come last in
//   solve A alone: no sweeps follow that close joints again, and warm starts make more of it;
// - drives yield: a drive that presses against a limit of another joint and does not get on gives
//   half of its last impulse, and half of that, until the limit would sink by no more than it may;
//   one that presses a joint open gives what the joint bears. Once these let go the drive may give
//   more than its last impulse again, until it gets on.
// Limits and joints are taken to give way as far as a spring on them whose frequency is a quarter
// of the substep rate: that of soft rows, which have to bear the same load between the two.
// A load opens joints as well, and no motor yields to that. A joint is pressed open by drives where
// it carries twice what gravity and applied forces give all bodies of the machine, and more than
// these have of momentum, which a start, a blow or a whirl would have left with them; or where it
// stands far open, whatever momentum they have. A drive that yields may always give what holds the
// whole machine up at the end of its reach: a hand does not drop what it carries because the limits
// of that sink under what swings.
// A motor that limits of its own joint stop is another matter: see solver/joints/joint_bounded.c.
// Test: tests/joints/test_driven_machines.c, tests/joints/test_driven_jams.c
#include "solver/joints/joint_machine.h"

#include "core/union_find.h"
#include "solver/joints/joint_bounded_sweep.h"
#include "solver/joints/joint_drive.h"
#include "solver/joints/joint_group.h"
#include "solver/joints/joint_limits.h"
#include "solver/joints/joint_press.h"
#include "solver/rows/locks.h"

// m or rad: drives yield where a limit would sink by more than the first, and may give more again
// under the second.
#define MACHINE_SINK_MOST  2.5e-4f
#define MACHINE_SINK_LEAST 1e-4f
// m or rad: drives yield where they would press a joint open by more than this.
#define MACHINE_OPEN_MOST 1e-3f
// A drive that gets on yields, too, if the limit would sink by more than this, and by more than a
// substep ago.
#define MACHINE_SINK_FAR 2e-3f
// m or rad: a joint that stands open by more than the first is far open, and so is one that stands
// open by more than the second while drives yield to it; but not within FALLS times the way that a
// body falls in a substep.
#define MACHINE_OPEN_FAR  2e-2f
#define MACHINE_OPEN_NEAR 2e-3f
#define MACHINE_FALLS     2.0f
// A joint that is pressed open carries this many times the pull on the machine, and its momentum.
// These are sums of lengths, as if all of it hung on one joint; starts of lever arms take three of
// the second.
#define MACHINE_PULLS   2.0f
#define MACHINE_MOMENTA 6.0f
// A drive may give these shares of its last impulse while it presses a limit, and while it
// recovers.
#define MACHINE_YIELD   0.5f
#define MACHINE_RECOVER 1.25f
// A machine that is pressed gets MACHINE_SWEEPS more sweeps in each solve, and as many again after
// drives have given something back, in at most MACHINE_ROUNDS rounds.
#define MACHINE_SWEEPS 8
#define MACHINE_ROUNDS 8

// ---- who is in one -----------------------------------------------------------------------------

// Counts by root how many joints there are, and how many of them have drives; later the number of
// the machine stands for the first. A joint alone is no machine.
typedef struct machine_counts {
    uint32_t joints, drives;
} machine_counts;

// Makes the share of a body that each of its joints stands for.
static bool machine_share(tni_solver *solver, tni_arena *arena) {
    float *shares =
        tni_arena_alloc_zeroed(arena, solver->bodies.count * sizeof *solver->joints.machine_shares);
    for (uint32_t i = 0; i < solver->joints.count && shares != NULL; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        shares[block->body_a] += 1.0f;
        shares[block->body_b] += 1.0f;
    }
    for (uint32_t i = 0; i < solver->bodies.count && shares != NULL; ++i) {
        shares[i] = maths_inverse_or_zero(shares[i]);
    }
    solver->joints.machine_shares = shares;
    return shares != NULL;
}

static bool machine_number(tni_solver *solver, tni_arena *arena, uint32_t *roots,
                           machine_counts *counts) {
    for (uint32_t i = 0; i < solver->joints.count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        machine_counts *of = &counts[tni_joint_block_get_root(solver, roots, block)];
        of->joints += 1;
        of->drives += block->joint->has_motors;
    }
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        bool is_one = counts[i].drives > 0 && counts[i].joints > 1;
        counts[i].joints = is_one ? ++solver->joints.machine_count : 0;
    }
    for (uint32_t i = 0; i < solver->joints.count && solver->joints.machine_count > 0; ++i) {
        tni_joint_block *block = &solver->joints.blocks[i];
        block->machine = counts[tni_joint_block_get_root(solver, roots, block)].joints;
        // Spans have the rows of joints on bodies by coordinates.
        block->drives = block->machine > 0 && block->joint->has_motors &&
                        block->row_count > block->equality_count;
    }
    solver->joints.machines = tni_arena_alloc_zeroed(arena, solver->joints.machine_count *
                                                                sizeof *solver->joints.machines);
    return solver->joints.machines != NULL && machine_share(solver, arena);
}

static bool machine_may_be(const tni_solver *solver) {
    bool has_motors = false;
    for (uint32_t i = 0; i < solver->joints.count && solver->joints.bounded_count > 0; ++i) {
        has_motors = has_motors || solver->joints.blocks[i].joint->has_motors;
    }
    return has_motors && solver->joints.count > 1;
}

bool tni_joint_machines_find(tni_solver *solver, tni_arena *arena, tni_arena *scratch) {
    solver->joints.machine_count = 0;
    solver->joints.machines = NULL;
    if (!machine_may_be(solver)) {
        return true;
    }
    uint32_t *roots = tni_arena_alloc(scratch, solver->bodies.count * sizeof *roots);
    machine_counts *counts = tni_arena_alloc_zeroed(scratch, solver->bodies.count * sizeof *counts);
    if (roots == NULL || counts == NULL) {
        return false;
    }
    tni_joint_blocks_tie(solver, solver->joints.count, roots);
    return machine_number(solver, arena, roots, counts);
}

// ---- all of their joints -----------------------------------------------------------------------

// Returns whether there is anything to do; `use_bias` is true in solve A.
typedef bool (*machine_fn)(tni_solver *solver, tni_joint_block *block, bool use_bias);

// Returns whether any of them has something to do.
static bool machine_for_all(tni_solver *solver, machine_fn fn, bool use_bias) {
    bool any = false;
    for (uint32_t i = 0; i < joint_count_lone(solver); ++i) {
        tni_joint_block *block = &solver->joints.blocks[joint_get_lone(solver, i)];
        any |= block->machine > 0 && fn(solver, block, use_bias);
    }
    return any;
}

static void machine_for_group(tni_solver *solver, uint32_t g, machine_fn fn, bool use_bias) {
    for (uint32_t lane = 0; lane < solver->lanes.rests[g].count; ++lane) {
        tni_joint_block *block = &solver->joints.blocks[solver->lanes.rests[g].block[lane]];
        if (block->machine > 0) {
            fn(solver, block, use_bias);
        }
    }
}

// Does it for joints in lanes as well.
static void machine_for_each(tni_solver *solver, machine_fn fn, bool use_bias) {
    machine_for_all(solver, fn, use_bias);
    for (uint32_t i = 0; i < solver->lanes.item_count && solver->lanes.group_count > 0; ++i) {
        if (solver->lanes.items[i].group != TNI_NONE) {
            machine_for_group(solver, solver->lanes.items[i].group, fn, use_bias);
        }
    }
}

// ---- what presses its joints open --------------------------------------------------------------

// Begins to measure. Returns whether drives may press.
static bool machine_look(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    tni_joint_machine *machine = tni_joint_get_machine(solver, block);
    bool is_hard = false;
    tni_joint_drive_way way = TNI_DRIVE_ON;
    if (block->drives && block->joint->presses) {
        tni_joint_drives_get_way(solver, block, use_bias, &way);
    }
    machine->yields = machine->yields || way != TNI_DRIVE_ON;
    machine->momentum = 0.0f;
    machine->kept = 1.0f;
    for (uint32_t r = block->equality_count; r < block->row_count && block->drives; ++r) {
        is_hard = is_hard || tni_joint_drive_is_hard(solver, block, r, use_bias);
    }
    return is_hard;
}

static bool machine_weigh(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    (void)use_bias;
    const uint32_t bodies[2] = {block->body_a, block->body_b};
    for (uint32_t e = 0; e < 2; ++e) {
        tni_joint_get_machine(solver, block)->momentum +=
            solver->joints.machine_shares[bodies[e]] *
            tni_joint_press_get_momentum(&solver->bodies.states[bodies[e]]);
    }
    return false;
}

// Notes how much of their impulses drives may keep where a joint that carries x would open so far
// under it.
static void machine_note_press(tni_joint_machine *machine, float x, float load, float opens) {
    if (opens > MACHINE_OPEN_MOST && x > load) {
        machine->kept = maths_min(machine->kept, maths_max(MACHINE_OPEN_MOST / opens, load / x));
    }
}

// Measures how far drives would press the equalities of a joint open.
static bool machine_press(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    tni_joint_machine *machine = tni_joint_get_machine(solver, block);
    tni_joint_press press = tni_joint_press_get(solver, block);
    float whole = use_bias ? 2.0f : 1.0f, compliance = whole * TNI_MACHINE_COMPLIANCE * solver->h;
    if (!(compliance * maths_max(press.point_speed, press.turn_speed) > MACHINE_OPEN_MOST)) {
        return false;
    }
    float near = machine->yields ? MACHINE_OPEN_NEAR : MACHINE_OPEN_FAR;
    float sag = MACHINE_FALLS * machine->fall * solver->h;
    bool is_far = tni_joint_press_get_error(solver, block) > maths_max(near, sag);
    float load = MACHINE_PULLS * machine->pull, reach = machine->reach;
    float moves = is_far ? 0.0f : MACHINE_MOMENTA * machine->momentum;
    if (press.push > moves) {
        machine_note_press(machine, press.push, load, compliance * press.point_speed);
    }
    if (press.twist > reach * moves) {
        machine_note_press(machine, press.twist, reach * load, compliance * press.turn_speed);
    }
    return false;
}

static void machine_measure_presses(tni_solver *solver, bool use_bias) {
    if (machine_for_all(solver, machine_look, use_bias)) {
        machine_for_each(solver, machine_weigh, use_bias);
        machine_for_each(solver, machine_press, use_bias);
    }
}

// ---- more sweeps -------------------------------------------------------------------------------

static bool machine_is_open(const tni_joint_machine *machine) {
    return machine->kept < 1.0f && !machine->touches;
}

static bool machine_is_pressed(const tni_joint_machine *machine) {
    return (machine->sinks[0] > MACHINE_SINK_MOST && !machine->touches) || machine_is_open(machine);
}

// Machines of conjugate gradients need no more sweeps unless they are pressed open.
static bool machine_sweep_block(tni_solver *solver, uint32_t index, bool use_bias) {
    const tni_joint_block *block = &solver->joints.blocks[index];
    if (block->machine == 0) {
        return false;
    }
    const tni_joint_machine *machine = tni_joint_get_machine(solver, block);
    bool is_pressed = block->is_gradient ? machine_is_open(machine) : machine_is_pressed(machine);
    if (is_pressed) {
        tni_joint_blocks_solve(solver, index, 1, use_bias);
    }
    return is_pressed;
}

static bool machine_sweep_group(tni_solver *solver, uint32_t g, bool use_bias) {
    const tni_joint_group_rest *rest = &solver->lanes.rests[g];
    bool any = false;
    for (uint32_t lane = 0; lane < rest->count && !any; ++lane) {
        const tni_joint_block *block = &solver->joints.blocks[rest->block[lane]];
        any = block->machine > 0 && machine_is_pressed(tni_joint_get_machine(solver, block));
    }
    if (any) {
        tni_joint_groups_sweep(solver, use_bias ? TNI_SWEEP_SOLVE : TNI_SWEEP_RELAX, g, g + 1);
    }
    return any;
}

// Sweeps over machines that are pressed. Returns whether there are any.
static bool machine_sweep(tni_solver *solver, bool use_bias) {
    bool any = false;
    for (uint32_t i = 0; i < solver->joints.count && solver->lanes.group_count == 0; ++i) {
        any |= machine_sweep_block(solver, i, use_bias);
    }
    for (uint32_t i = 0; i < solver->lanes.item_count && solver->lanes.group_count > 0; ++i) {
        const tni_joint_item *item = &solver->lanes.items[i];
        if (item->group != TNI_NONE) {
            any |= machine_sweep_group(solver, item->group, use_bias);
        }
        for (uint32_t k = 0; k < item->single_count; ++k) {
            any |= machine_sweep_block(solver, solver->lanes.singles[item->first_single + k],
                                       use_bias);
        }
    }
    return any;
}

// Has the drives of a machine rest that is pressed.
static bool machine_rest(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    bool any = false,
         is_open = block->drives && machine_is_open(tni_joint_get_machine(solver, block));
    for (uint32_t r = block->equality_count; r < block->row_count && is_open; ++r) {
        bool rests = tni_joint_drive_may_yield(solver, block, r, use_bias);
        tni_joint_get_bounded_row(solver, block, r)->is_dormant |= rests;
        any = any || rests;
    }
    return any;
}

// Has them act again: no drive is dormant by itself.
static bool machine_go_on(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    (void)use_bias;
    for (uint32_t r = block->equality_count; r < block->row_count && block->drives; ++r) {
        if (tni_joint_drive_is(&solver->joints.rows[block->first_row + r])) {
            tni_joint_get_bounded_row(solver, block, r)->is_dormant = false;
        }
    }
    return false;
}

// ---- drives give back --------------------------------------------------------------------------

// Takes from a drive all but a share of what it gave, and leaves it what it takes to hold the
// machine up. A spring has given all in solve A.
static void machine_cut_row(tni_solver *solver, const tni_joint_block *block, uint32_t r,
                            bool use_bias, tni_velocities *v) {
    const tni_joint_machine *machine = tni_joint_get_machine(solver, block);
    const tni_row *row = &solver->joints.rows[block->first_row + r];
    tni_row_state *state = &solver->joints.row_states[block->first_row + r];
    const tni_bounded_row *bounded = tni_joint_get_bounded_row(solver, block, r);
    if (!tni_joint_drive_is(row) || (tni_row_is_spring(row) && !use_bias)) {
        return;
    }
    float least = maths_max(tni_joint_drive_get_least(solver, row, bounded),
                            tni_joint_drive_get_hold(solver, block, row));
    float whole = fabsf(tni_joint_drive_get_whole(row, state, use_bias));
    float left = least * maths_inverse_or_zero(whole);
    float kept = maths_min(maths_max(machine->kept, left), 1.0f);
    bounded_apply(block, bounded, state, (kept - 1.0f) * state->impulse, use_bias, v);
    state->warm *= kept;
}

// Has the drives of a joint give back what would press a joint of the machine open too far.
static bool machine_cut(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    const tni_joint_machine *machine = tni_joint_get_machine(solver, block);
    tni_joint_drive_way way = TNI_DRIVE_ON;
    if (block->drives && machine_is_open(machine)) {
        tni_joint_drives_get_way(solver, block, use_bias, &way);
    }
    if (way == TNI_DRIVE_ON) {
        return false;
    }
    tni_body_state *a = &solver->bodies.states[block->body_a],
                   *b = &solver->bodies.states[block->body_b];
    tni_velocities v = tni_velocities_load(a, b);
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        machine_cut_row(solver, block, r, use_bias, &v);
    }
    tni_velocities_store(block->ends, &v, a, b);
    block->joint->yield = 1.0f;
    block->joint->presses = true;
    tni_joint_drives_cap(solver, block, 1.0f, true, use_bias);
    return true;
}

// Sweeps the machines that are pressed without their drives, until these press nothing open.
static void machine_close(tni_solver *solver, bool use_bias) {
    bool goes_on = true;
    machine_measure_presses(solver, use_bias);
    for (uint32_t round = 0; round < MACHINE_ROUNDS && goes_on; ++round) {
        bool rests = machine_for_all(solver, machine_rest, use_bias), is_swept = true;
        for (uint32_t i = 0; i < MACHINE_SWEEPS && is_swept; ++i) {
            is_swept = machine_sweep(solver, use_bias);
        }
        if (rests) {
            machine_for_all(solver, machine_go_on, use_bias);
            machine_measure_presses(solver, use_bias);
        }
        goes_on = rests && machine_for_all(solver, machine_cut, use_bias);
    }
}

// ---- limits come last --------------------------------------------------------------------------

static bool machine_stop(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    if (block->has_awake_bounded && (use_bias || !block->is_gradient)) {
        tni_joint_limits_solve(solver, block, use_bias);
    }
    return false;
}

void tni_joint_machines_stop(tni_solver *solver, bool use_bias) {
    if (solver->joints.machine_count > 0) {
        machine_close(solver, use_bias);
        machine_for_all(solver, machine_stop, use_bias);
    }
}

// ---- drives yield ------------------------------------------------------------------------------

static bool machine_clear(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    (void)use_bias;
    tni_joint_machine *machine = tni_joint_get_machine(solver, block);
    machine->driven = use_bias ? machine->driven : 0.0f;
    machine->sinks[0] = machine->sinks[1] = 0.0f;
    machine->sunk = TNI_NONE;
    machine->kept = 1.0f;
    machine->yields = machine->touches = false;
    return false;
}

static bool machine_end(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    (void)use_bias;
    tni_joint_machine *machine = tni_joint_get_machine(solver, block);
    machine->before = machine->sinks[0];
    return false;
}

static bool machine_touches(const tni_solver *solver, const tni_joint_block *block) {
    return solver->contacts.own_count > 0 &&
           (solver->contacts.is_pushed[block->body_a] || solver->contacts.is_pushed[block->body_b]);
}

static void machine_note_sink(tni_joint_machine *machine, uint32_t joint, float sink) {
    if (joint == machine->sunk) {
        machine->sinks[0] = maths_max(machine->sinks[0], sink);
    } else if (sink > machine->sinks[0]) {
        machine->sinks[1] = machine->sinks[0];
        machine->sinks[0] = sink;
        machine->sunk = joint;
    } else {
        machine->sinks[1] = maths_max(machine->sinks[1], sink);
    }
}

static void machine_note_drives(const tni_solver *solver, const tni_joint_block *block) {
    tni_joint_machine *machine = tni_joint_get_machine(solver, block);
    for (uint32_t r = block->equality_count; r < block->row_count && block->drives; ++r) {
        const tni_row *row = &solver->joints.rows[block->first_row + r];
        if (tni_row_drives(row)) {
            float way = tni_row_is_spring(row) ? fabsf(row->error) * solver->inv_h : 0.0f;
            machine->driven = maths_max(machine->driven, fabsf(row->target_speed) + way);
        }
    }
}

// Measures how far limits would sink. Solve A gives half of the impulse that a limit at rest bears.
static bool machine_measure(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    tni_joint_machine *machine = tni_joint_get_machine(solver, block);
    if (!use_bias) {
        machine_note_drives(solver, block);
    }
    machine->touches = machine->touches || machine_touches(solver, block);
    float compliance = (use_bias ? 2.0f : 1.0f) * TNI_MACHINE_COMPLIANCE * solver->h;
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        const tni_row *row = &solver->joints.rows[block->first_row + r];
        const tni_row_state *state = &solver->joints.row_states[block->first_row + r];
        const tni_bounded_row *bounded = tni_joint_get_bounded_row(solver, block, r);
        if (row->kind == TNI_ROW_LIMIT && !bounded->is_dormant && state->impulse > 0.0f) {
            float sink =
                compliance * state->impulse * maths_inverse_or_zero(bounded->drive[0].mass);
            machine_note_sink(machine, (uint32_t)(block - solver->joints.blocks), sink);
        }
    }
    return false;
}

static float machine_get_yield(float yield, tni_joint_drive_way way, float sink, bool grows) {
    if (way == TNI_DRIVE_ON && grows && sink > MACHINE_SINK_FAR) {
        return MACHINE_YIELD;
    }
    if (way == TNI_DRIVE_ON || (way == TNI_DRIVE_BACK && yield == 0.0f)) {
        return 0.0f;
    }
    if (way == TNI_DRIVE_STANDS && sink > MACHINE_SINK_MOST) {
        return MACHINE_YIELD;
    }
    return yield == 0.0f ? 0.0f : sink > MACHINE_SINK_LEAST ? 1.0f : MACHINE_RECOVER;
}

// A joint whose drives give all presses nothing open.
static void machine_set_yield(tni_joint *joint, float yield) {
    joint->yield = yield;
    joint->presses = joint->presses && yield > 0.0f;
}

// Judges a drive. In solve A it is held to the impulse that it has given.
static bool machine_judge(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    const tni_joint_machine *machine = tni_joint_get_machine(solver, block);
    float sink = machine->sinks[machine->sunk == (uint32_t)(block - solver->joints.blocks)];
    float before = block->joint->yield;
    bool is_open = !use_bias && machine_is_open(machine);
    sink = machine->touches ? 0.0f : sink;
    bool is_pressed = sink > MACHINE_SINK_MOST || is_open;
    if (!block->drives ||
        (use_bias ? !is_pressed || before > 0.0f : !is_pressed && before == 0.0f)) {
        return false;
    }
    tni_joint_drive_way way;
    if (!tni_joint_drives_get_way(solver, block, use_bias, &way)) {
        return false;
    }
    float yield = machine_get_yield(before, way, sink, machine->sinks[0] > machine->before);
    yield = is_open && way != TNI_DRIVE_ON ? 1.0f : yield;
    machine_set_yield(block->joint, use_bias ? 1.0f : yield);
    if (before > 0.0f || block->joint->yield > 0.0f) {
        tni_joint_drives_cap(solver, block, block->joint->yield, true, use_bias);
    }
    return false;
}

void tni_joint_machines_judge(tni_solver *solver, bool use_bias) {
    if (solver->joints.machine_count > 0) {
        machine_for_all(solver, machine_clear, use_bias);
        machine_for_all(solver, machine_measure, use_bias);
        if (!use_bias) {
            machine_measure_presses(solver, false);
        }
        machine_for_all(solver, machine_judge, use_bias);
        if (!use_bias) {
            machine_for_all(solver, machine_end, false);
        }
    }
}

void tni_joint_machines_hold(tni_solver *solver, uint32_t first, uint32_t count) {
    static const machine_fn steps[3] = {machine_clear, machine_measure, machine_judge};
    for (uint32_t i = 0; i < 3 * count && solver->joints.machine_count > 0; ++i) {
        tni_joint_block *block = &solver->joints.blocks[first + i % count];
        if (block->machine > 0) {
            steps[i / count](solver, block, true);
        }
    }
}

// ---- the start of a step -----------------------------------------------------------------------

// Does one of its rows give an impulse toward its present target, or none, which is what is left
// where the end of a step has taken it?
static bool machine_pushes(const tni_solver *solver, const tni_joint_block *block) {
    bool pushes = false;
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        const tni_row *row = &solver->joints.rows[block->first_row + r];
        const tni_row_state *state = &solver->joints.row_states[block->first_row + r];
        pushes = pushes || (tni_joint_drive_is(row) &&
                            tni_joint_drive_get_push(solver, row, state, false) >= 0.0f);
    }
    return pushes;
}

static bool machine_forget(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    (void)use_bias;
    tni_joint_machine *machine = tni_joint_get_machine(solver, block);
    *machine = (tni_joint_machine){.kept = 1.0f, .sunk = TNI_NONE, .before = machine->before};
    return false;
}

// Adds what gravity and applied forces give a body, and how far it reaches.
static void machine_add_body(const tni_solver *solver, uint32_t body, tni_joint_machine *machine) {
    const tni_body_mass *mass = &solver->bodies.masses[body];
    if (!mass->is_dynamic) {
        return;
    }
    tni_dvec3 at = solver->bodies.motions[body].position;
    float radius = tni_joint_press_get_radius(&solver->bodies.states[body]);
    float fall = solver->h * (float)dvec3_length(solver->bodies.pulls[body].acceleration);
    float turn = solver->h * (float)dvec3_length(mass->torque);
    machine->place = machine->radius > 0.0f ? machine->place : at;
    machine->radius = maths_max(machine->radius, maths_max(radius, FLT_MIN));
    machine->reach =
        maths_max(machine->reach, (float)dvec3_length(dvec3_sub(at, machine->place)) + radius);
    machine->fall = maths_max(machine->fall, fall);
    machine->pull += solver->joints.machine_shares[body] *
                     (fall * (float)maths_inverse_or_zero_d(mass->inv_mass) +
                      turn * maths_inverse_or_zero(radius));
}

static bool machine_start(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    (void)use_bias;
    machine_add_body(solver, block->body_a, tni_joint_get_machine(solver, block));
    machine_add_body(solver, block->body_b, tni_joint_get_machine(solver, block));
    if (block->drives) {
        tni_joint_emit_bounded(block->joint, &solver->bodies.motions[block->body_a],
                               &solver->bodies.motions[block->body_b],
                               solver->joints.rows + block->first_row);
        machine_note_drives(solver, block);
        machine_set_yield(block->joint, machine_pushes(solver, block) ? block->joint->yield : 0.0f);
    }
    return false;
}

// Caps drives once the pull on all bodies is known.
static bool machine_start_caps(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    if (block->drives) {
        tni_joint_drives_cap(solver, block, block->joint->yield, false, use_bias);
    }
    return false;
}

// Starts all machines: the first refresh needs the caps, and how fast limits may be met.
void tni_joint_machines_start(tni_solver *solver) {
    if (solver->joints.machine_count > 0) {
        machine_for_each(solver, machine_forget, false);
        machine_for_each(solver, machine_start, false);
        machine_for_all(solver, machine_start_caps, false);
    }
}
