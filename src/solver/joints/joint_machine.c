// solver/joints/joint_machine.c: limits against motors and springs on other joints, under sweeps.
//
// A machine is a set of bodies that swept joints tie together. If a motor of it drives another
// joint of it into a limit, the two cannot both be met, and sweeps find no answer: each gives a
// little more in every sweep, and warm starts keep it. So
// - limits come last: after the sweeps of a solve the limits of that machine are solved once more
//   and hard; the remainder opens other joints and closes again. Under conjugate gradients limits
//   come last in solve A alone: no sweeps follow that close joints again, and warm starts make more
//   of it;
// - drives yield: a drive that presses against a limit of another joint and does not get on gives
//   half of its last impulse, and half of that, until the limit would sink by no more than it may;
//   once the limit lets go the drive may give more than its last impulse again, until it gets on.
// A limit is taken to sink as far as a spring on it whose frequency is a quarter of the substep
// rate: that of soft rows, which have to bear the same load between the two. A motor that limits of
// its own joint stop is another matter: see solver/joints/joint_bounded.c. Test:
// tests/joints/test_driven_machines.c
#include "solver/joints/joint_machine.h"

#include "core/union_find.h"
#include "solver/joints/joint_bounded.h"
#include "solver/joints/joint_bounded_sweep.h"
#include "solver/joints/joint_group.h"

// m or rad: drives yield where a limit would sink by more than the first, and may give more again
// under the second.
#define MACHINE_SINK_MOST  2.5e-4f
#define MACHINE_SINK_LEAST 1e-4f
// For a spring with h omega = pi / 2 this is the sink over x h / m.
#define MACHINE_COMPLIANCE 0.405f
// A drive that gets on yields, too, if the limit would sink by more than this, and by more than a
// substep ago.
#define MACHINE_SINK_FAR 2e-3f
// A motor that has GETS_ON of its target speed gets on, and one that has GETS_BACK of it the other
// way is driven back.
#define MACHINE_GETS_ON   0.9f
#define MACHINE_GETS_BACK 0.1f
// A drive may give these shares of its last impulse while it presses a limit, and while it
// recovers.
#define MACHINE_YIELD   0.5f
#define MACHINE_RECOVER 1.25f
// A machine whose limit is pressed gets this many more sweeps in each solve.
#define MACHINE_SWEEPS 8
// A drive may always give this share of the impulse that would take its value to the target in a
// substep.
#define MACHINE_LEAST 1e-4f

// ---- who is in one -----------------------------------------------------------------------------

// Counts by root how many joints have limits, drives, and one of the two at least. A joint alone is
// no machine.
typedef struct machine_counts {
    uint32_t limits, drives, either;
} machine_counts;

static bool machine_is_one(const machine_counts *counts) {
    return counts->limits > 0 && counts->drives > 0 && counts->either > 1;
}

static bool machine_number(tni_solver *solver, tni_arena *arena, uint32_t *roots,
                           machine_counts *counts) {
    for (uint32_t i = 0; i < solver->joints.count; ++i) {
        const tni_joint *joint = solver->joints.blocks[i].joint;
        machine_counts *of =
            &counts[tni_joint_block_get_root(solver, roots, &solver->joints.blocks[i])];
        of->limits += joint->has_limits;
        of->drives += joint->has_motors;
        of->either += joint->has_limits || joint->has_motors;
    }
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        bool is_one = machine_is_one(&counts[i]);
        counts[i].either = is_one ? ++solver->joints.machine_count : 0;
    }
    solver->joints.machine_of = roots;
    for (uint32_t i = 0; i < solver->joints.count && solver->joints.machine_count > 0; ++i) {
        tni_joint_block *block = &solver->joints.blocks[i];
        bool has_bounded = block->row_count > block->equality_count;
        block->machine =
            has_bounded ? counts[tni_joint_block_get_root(solver, roots, block)].either : 0;
        block->drives = block->machine > 0 && block->joint->has_motors;
    }
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        counts[i].limits =
            solver->bodies.masses[i].is_dynamic ? counts[union_find_root(roots, i)].either : 0;
    }
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        roots[i] = counts[i].limits;
    }
    solver->joints.machines = tni_arena_alloc_zeroed(arena, solver->joints.machine_count *
                                                                sizeof *solver->joints.machines);
    return solver->joints.machines != NULL;
}

static bool machine_may_be(const tni_solver *solver) {
    bool has_limits = false, has_motors = false;
    for (uint32_t i = 0; i < solver->joints.count && solver->joints.bounded_count > 0; ++i) {
        has_limits = has_limits || solver->joints.blocks[i].joint->has_limits;
        has_motors = has_motors || solver->joints.blocks[i].joint->has_motors;
    }
    return has_limits && has_motors;
}

bool tni_joint_machines_find(tni_solver *solver, tni_arena *arena, tni_arena *scratch) {
    solver->joints.machine_count = 0;
    solver->joints.machines = NULL;
    if (!machine_may_be(solver)) {
        return true;
    }
    uint32_t *roots = tni_arena_alloc(arena, solver->bodies.count * sizeof *roots);
    machine_counts *counts = tni_arena_alloc_zeroed(scratch, solver->bodies.count * sizeof *counts);
    if (roots == NULL || counts == NULL) {
        return false;
    }
    tni_joint_blocks_tie(solver, solver->joints.count, roots);
    return machine_number(solver, arena, roots, counts);
}

// ---- all of their joints -----------------------------------------------------------------------

// Returns the sweeps' form of a joint's row r, which is not an equality.
static tni_bounded_row *machine_get_bounded(const tni_solver *solver, const tni_joint_block *block,
                                            uint32_t r) {
    return &solver->joints.bounded_rows[block->first_bounded + r - block->equality_count];
}

// `use_bias` is true in solve A.
typedef void (*machine_fn)(tni_solver *solver, tni_joint_block *block, bool use_bias);

static void machine_for_all(tni_solver *solver, machine_fn fn, bool use_bias) {
    for (uint32_t i = 0; i < joint_count_lone(solver); ++i) {
        tni_joint_block *block = &solver->joints.blocks[joint_get_lone(solver, i)];
        if (block->machine > 0) {
            fn(solver, block, use_bias);
        }
    }
}

// ---- more sweeps -------------------------------------------------------------------------------

static bool machine_is_pressed(const tni_joint_machine *machine) {
    return machine->sinks[0] > MACHINE_SINK_MOST && !machine->touches;
}

static bool machine_has_pressed(const tni_solver *solver, uint32_t body_a, uint32_t body_b) {
    uint32_t of_a = solver->joints.machine_of[body_a], of_b = solver->joints.machine_of[body_b];
    uint32_t machine = of_a > 0 ? of_a : of_b;
    return machine > 0 && machine_is_pressed(&solver->joints.machines[machine - 1]);
}

static bool machine_sweep_block(tni_solver *solver, uint32_t index, bool use_bias) {
    const tni_joint_block *block = &solver->joints.blocks[index];
    bool is_pressed = machine_has_pressed(solver, block->body_a, block->body_b);
    if (is_pressed) {
        tni_joint_blocks_solve(solver, index, 1, use_bias);
    }
    return is_pressed;
}

static bool machine_sweep_group(tni_solver *solver, uint32_t g, bool use_bias) {
    const tni_joint_group *group = &solver->lanes.groups[g];
    bool any = false;
    for (uint32_t lane = 0; lane < solver->lanes.rests[g].count && !any; ++lane) {
        any = machine_has_pressed(solver, group->body_a[lane], group->body_b[lane]);
    }
    if (any) {
        tni_joint_groups_sweep(solver, use_bias ? TNI_SWEEP_SOLVE : TNI_SWEEP_RELAX, g, g + 1);
    }
    return any;
}

// Sweeps over machines whose limits are pressed; those of conjugate gradients need no more. Returns
// whether there are any.
static bool machine_sweep(tni_solver *solver, bool use_bias) {
    bool any = false;
    for (uint32_t i = 0; i < solver->joints.swept_count && solver->lanes.group_count == 0; ++i) {
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

// ---- limits come last --------------------------------------------------------------------------

static void machine_stop_row(const tni_joint_block *block, const tni_bounded_row *row,
                             tni_row_state *state, bool use_bias, tni_velocities *v) {
    const tni_row_drive *drive = &row->drive[use_bias];
    float mass = drive->mass;
    if (drive->keep < 1.0f) {
        mass *= maths_inverse_or_zero(block->softness.mass_scale);
    }
    float speed = tni_velocities_dot(&row->jacobian, v);
    float x = maths_max(state->impulse - mass * (speed + drive->bias), 0.0f);
    bounded_apply(block, row, state, x - state->impulse, use_bias, v);
}

static void machine_stop(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    if (!block->has_awake_bounded || (block->is_gradient && !use_bias)) {
        return;
    }
    uint32_t count = (uint32_t)block->row_count - block->equality_count;
    const tni_row *rows = solver->joints.rows + block->first_row + block->equality_count;
    const tni_bounded_row *bounded = solver->joints.bounded_rows + block->first_bounded;
    tni_row_state *states = solver->joints.row_states + block->first_row + block->equality_count;
    tni_body_state *a = &solver->bodies.states[block->body_a],
                   *b = &solver->bodies.states[block->body_b];
    tni_velocities v = tni_velocities_load(a, b);
    for (uint32_t r = 0; r < count; ++r) {
        if (rows[r].kind == TNI_ROW_LIMIT && !bounded[r].is_dormant) {
            machine_stop_row(block, &bounded[r], &states[r], use_bias, &v);
        }
    }
    tni_velocities_store(block->ends, &v, a, b);
}

void tni_joint_machines_stop(tni_solver *solver, bool use_bias) {
    if (solver->joints.machine_count > 0) {
        bool goes_on = true;
        for (uint32_t i = 0; i < MACHINE_SWEEPS && goes_on; ++i) {
            goes_on = machine_sweep(solver, use_bias);
        }
        machine_for_all(solver, machine_stop, use_bias);
    }
}

// ---- drives yield ------------------------------------------------------------------------------

static void machine_clear(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    (void)use_bias;
    tni_joint_machine *machine = &solver->joints.machines[block->machine - 1];
    *machine = (tni_joint_machine){.sunk = TNI_NONE, .before = machine->before};
}

static void machine_end(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    (void)use_bias;
    tni_joint_machine *machine = &solver->joints.machines[block->machine - 1];
    machine->before = machine->sinks[0];
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
    tni_joint_machine *machine = &solver->joints.machines[block->machine - 1];
    for (uint32_t r = block->equality_count; r < block->row_count && block->drives; ++r) {
        const tni_row *row = &solver->joints.rows[block->first_row + r];
        if (tni_row_drives(row)) {
            float way = tni_row_is_spring(row) ? fabsf(row->error) * solver->inv_h : 0.0f;
            machine->driven = maths_max(machine->driven, fabsf(row->target_speed) + way);
        }
    }
}

// Measures how far limits would sink. Solve A gives half of the impulse that a limit at rest bears.
static void machine_measure(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    tni_joint_machine *machine = &solver->joints.machines[block->machine - 1];
    machine_note_drives(solver, block);
    machine->touches = machine->touches || machine_touches(solver, block);
    float compliance = (use_bias ? 2.0f : 1.0f) * MACHINE_COMPLIANCE * solver->h;
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        const tni_row *row = &solver->joints.rows[block->first_row + r];
        const tni_row_state *state = &solver->joints.row_states[block->first_row + r];
        const tni_bounded_row *bounded = machine_get_bounded(solver, block, r);
        if (row->kind == TNI_ROW_LIMIT && !bounded->is_dormant && state->impulse > 0.0f) {
            float sink =
                compliance * state->impulse * maths_inverse_or_zero(bounded->drive[0].mass);
            machine_note_sink(machine, (uint32_t)(block - solver->joints.blocks), sink);
        }
    }
}

typedef enum machine_way {
    MACHINE_ON, // it is as fast as it wants to be
    MACHINE_STANDS,
    MACHINE_BACK // it is driven back
} machine_way;

static machine_way machine_get_way(const tni_row *row, const tni_bounded_row *bounded,
                                   const tni_velocities *v) {
    float target = row->target_speed, speed = tni_velocities_dot(&bounded->jacobian, v);
    float share = speed * maths_inverse_or_zero(target);
    if (row->kind != TNI_ROW_SPEED || target == 0.0f || share > MACHINE_GETS_ON) {
        return MACHINE_ON;
    }
    return share < -MACHINE_GETS_BACK ? MACHINE_BACK : MACHINE_STANDS;
}

// Returns how much a row, or its group, gives in the direction of its target.
static float machine_get_push(const tni_row *row, const tni_row_state *state) {
    if (row->group != 3) {
        return row->target_speed < 0.0f ? -state->impulse : state->impulse;
    }
    float square = 0.0f;
    for (uint32_t i = 0; i < 3; ++i) {
        square += state[i].impulse * state[i].impulse;
    }
    return sqrtf(square);
}

static bool machine_has_cap(const tni_row *row) {
    return tni_row_drives(row) && row->kind == TNI_ROW_SPEED;
}

static void machine_cap(tni_solver *solver, tni_joint_block *block, bool is_drawn) {
    float yield = block->joint->yield;
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        const tni_row *row = &solver->joints.rows[block->first_row + r];
        tni_row_state *state = &solver->joints.row_states[block->first_row + r];
        tni_bounded_row *bounded = machine_get_bounded(solver, block, r);
        if (!machine_has_cap(row)) {
            continue;
        }
        float least =
            is_drawn ? MACHINE_LEAST * fabsf(row->target_speed) * bounded->drive[0].mass : FLT_MIN;
        float cap = yield * maths_max(machine_get_push(row, state), 0.0f) + least;
        bool is_back = row->group != 3 && row->target_speed < 0.0f;
        state->cap = yield > 0.0f ? (is_back ? -cap : cap) : 0.0f;
        if (is_drawn) {
            tni_bounded_drive_capped(solver, row, state, bounded->drive);
        }
    }
}

static float machine_get_yield(float yield, machine_way way, float sink, bool grows) {
    if (way == MACHINE_ON && grows && sink > MACHINE_SINK_FAR) {
        return MACHINE_YIELD;
    }
    if (way == MACHINE_ON || (way == MACHINE_BACK && yield == 0.0f)) {
        return 0.0f;
    }
    if (way == MACHINE_STANDS && sink > MACHINE_SINK_MOST) {
        return MACHINE_YIELD;
    }
    return yield == 0.0f ? 0.0f : sink > MACHINE_SINK_LEAST ? 1.0f : MACHINE_RECOVER;
}

// Judges a drive. In solve A it is held to the impulse that it has given.
static void machine_judge(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    const tni_joint_machine *machine = &solver->joints.machines[block->machine - 1];
    float sink = machine->sinks[machine->sunk == (uint32_t)(block - solver->joints.blocks)];
    float before = block->joint->yield;
    sink = machine->touches ? 0.0f : sink;
    if (use_bias ? !(sink > MACHINE_SINK_MOST) || before > 0.0f
                 : !(sink > MACHINE_SINK_MOST) && before == 0.0f) {
        return;
    }
    tni_velocities v = tni_velocities_load(&solver->bodies.states[block->body_a],
                                           &solver->bodies.states[block->body_b]);
    machine_way way = MACHINE_ON;
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        const tni_row *row = &solver->joints.rows[block->first_row + r];
        const tni_bounded_row *bounded = machine_get_bounded(solver, block, r);
        machine_way its = machine_has_cap(row) ? machine_get_way(row, bounded, &v) : MACHINE_ON;
        way = way == MACHINE_ON || its == MACHINE_STANDS ? its : way;
    }
    block->joint->yield =
        use_bias ? 2.0f : machine_get_yield(before, way, sink, machine->sinks[0] > machine->before);
    if (before > 0.0f || block->joint->yield > 0.0f) {
        machine_cap(solver, block, true);
    }
}

void tni_joint_machines_judge(tni_solver *solver, bool use_bias) {
    if (solver->joints.machine_count > 0) {
        machine_for_all(solver, machine_clear, use_bias);
        machine_for_all(solver, machine_measure, use_bias);
        machine_for_all(solver, machine_judge, use_bias);
        if (!use_bias) {
            machine_for_all(solver, machine_end, false);
        }
    }
}

// Does one of its rows give an impulse toward its present target?
static bool machine_pushes(const tni_solver *solver, const tni_joint_block *block) {
    bool pushes = false;
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        const tni_row *row = &solver->joints.rows[block->first_row + r];
        pushes = pushes ||
                 (machine_has_cap(row) &&
                  machine_get_push(row, &solver->joints.row_states[block->first_row + r]) > 0.0f);
    }
    return pushes;
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

static void machine_start(tni_solver *solver, tni_joint_block *block, bool use_bias) {
    (void)use_bias;
    if (block->drives) {
        tni_joint_emit_bounded(block->joint, &solver->bodies.motions[block->body_a],
                               &solver->bodies.motions[block->body_b],
                               solver->joints.rows + block->first_row);
        machine_note_drives(solver, block);
        block->joint->yield = machine_pushes(solver, block) ? block->joint->yield : 0.0f;
        machine_cap(solver, block, false);
    }
}

// Starts all machines: the first refresh needs the caps, and how fast limits may be met.
void tni_joint_machines_start(tni_solver *solver) {
    if (solver->joints.machine_count > 0) {
        machine_for_all(solver, machine_clear, false);
        machine_for_all(solver, machine_start, false);
    }
}
