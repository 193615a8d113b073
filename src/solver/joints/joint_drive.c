// solver/joints/joint_drive.c: what the motors and springs of a joint give, and how they are held
// to less of it.
//
// A drive of a machine (solver/joints/joint_machine.c) is a motor's row. It gets on while its value
// goes as fast as it wants, or follows its spring; it may be capped to a share of its last impulse,
// except for the little that shows whether it could get on again.
// Test: tests/joints/test_driven_machines.c, tests/joints/test_driven_jams.c
#include "solver/joints/joint_drive.h"

#include "solver/joints/joint_bounded_sweep.h"
#include "solver/joints/joint_press.h"
#include "solver/rows/locks.h"

// m or rad: a drive whose impulse takes its own value less far presses nothing.
#define DRIVE_OPENS_LEAST 4e-4f
// A drive that gives less than this share of the pull on the machine presses nothing; a turning one
// has the machine's reach for an arm.
#define DRIVE_LIGHT 0.1f
// A motor that has GETS_ON of its target speed gets on, and one that has GETS_BACK of it the other
// way is driven back.
#define DRIVE_GETS_ON   0.9f
#define DRIVE_GETS_BACK 0.1f
#define DRIVE_FOLLOWS   0.1f
// A drive may always give this share of the impulse that would take its value to the target in a
// substep.
#define DRIVE_LEAST 1e-4f

bool tni_joint_drive_is(const tni_row *row) {
    return row->role == TNI_ROLE_MOTOR && tni_row_drives(row);
}

// Returns the speed that a drive wants: that of a spring would take it all its way in a substep.
static float drive_get_target(const tni_solver *solver, const tni_row *row) {
    return tni_row_is_spring(row) ? -row->error * solver->inv_h : row->target_speed;
}

// In solve A a motor has given half of its impulse. The share of a spring is known from the first
// refresh of a step on.
float tni_joint_drive_get_whole(const tni_row *row, const tni_row_state *state, bool use_bias) {
    if (tni_row_is_spring(row)) {
        return state->share > 0.0f ? state->impulse / state->share : state->impulse;
    }
    return use_bias ? 2.0f * state->impulse : state->impulse;
}

float tni_joint_drive_get_push(const tni_solver *solver, const tni_row *row,
                               const tni_row_state *state, bool use_bias) {
    if (row->group != 3) {
        float whole = tni_joint_drive_get_whole(row, state, use_bias);
        return drive_get_target(solver, row) < 0.0f ? -whole : whole;
    }
    float square = 0.0f;
    for (uint32_t i = 0; i < 3; ++i) {
        float whole = tni_joint_drive_get_whole(&row[i], &state[i], use_bias);
        square += whole * whole;
    }
    return sqrtf(square);
}

// Returns J W J^T of a row through its joint.
static float drive_get_response(const tni_bounded_row *row) {
    return tni_velocities_dot(&row->jacobian, &row->change[0]);
}

float tni_joint_drive_get_least(const tni_solver *solver, const tni_row *row,
                                const tni_bounded_row *bounded) {
    float mass = tni_row_is_spring(row) ? maths_inverse_or_zero(drive_get_response(bounded))
                                        : bounded->drive[0].mass;
    return DRIVE_LEAST * fabsf(drive_get_target(solver, row)) * mass;
}

float tni_joint_drive_get_hold(const tni_solver *solver, const tni_joint_block *block,
                               const tni_row *row) {
    const tni_joint_machine *machine = tni_joint_get_machine(solver, block);
    float arm = machine->reach + tni_joint_press_get_arm(solver, block);
    return machine->pull * (row->is_angular ? arm : 1.0f);
}

// Returns the least before the first refresh of a step: for the bare bodies, and only where the
// drive gave nothing.
static float drive_get_first_least(const tni_solver *solver, const tni_joint_block *block,
                                   const tni_row *row, float push) {
    float response = tni_row_get_whole(row, &solver->bodies.states[block->body_a],
                                       &solver->bodies.states[block->body_b]);
    return push > 0.0f ? FLT_MIN
                       : DRIVE_LEAST * fabsf(drive_get_target(solver, row)) *
                             maths_inverse_or_zero(response);
}

bool tni_joint_drive_is_hard(const tni_solver *solver, const tni_joint_block *block, uint32_t r,
                             bool use_bias) {
    const tni_joint_machine *machine = tni_joint_get_machine(solver, block);
    const tni_row *row = &solver->joints.rows[block->first_row + r];
    const tni_row_state *state = &solver->joints.row_states[block->first_row + r];
    float whole = fabsf(tni_joint_drive_get_whole(row, state, use_bias));
    float light = DRIVE_LIGHT * machine->pull * (row->is_angular ? machine->reach : 1.0f);
    bool is_light = !(whole > light) && !machine->yields;
    if (is_light || !tni_joint_drive_is(row)) {
        return false;
    }
    float response = drive_get_response(tni_joint_get_bounded_row(solver, block, r));
    return TNI_MACHINE_COMPLIANCE * solver->h * whole * response > DRIVE_OPENS_LEAST;
}

// A spring may only where it is hard: what it gives is known, and a soft one that waits for its
// load stands as well.
bool tni_joint_drive_may_yield(const tni_solver *solver, const tni_joint_block *block, uint32_t r,
                               bool use_bias) {
    const tni_row *row = &solver->joints.rows[block->first_row + r];
    return tni_joint_drive_is(row) && (!tni_row_is_spring(row) || block->joint->yield > 0.0f ||
                                       tni_joint_drive_is_hard(solver, block, r, use_bias));
}

// Returns the speed that a row's value would have without its load: a spring's that of its own
// frequency, but it takes a substep at least.
static float drive_get_free_speed(const tni_solver *solver, const tni_row *row,
                                  const tni_bounded_row *bounded) {
    if (!tni_row_is_spring(row)) {
        return row->target_speed;
    }
    float omega = row->kind == TNI_ROW_FREQUENCY ? 2.0f * (float)MATHS_PI * row->stiffness
                  : row->kind == TNI_ROW_ACCELERATION
                      ? sqrtf(row->stiffness)
                      : sqrtf(row->stiffness * drive_get_response(bounded));
    return -row->error * maths_min(omega, solver->inv_h);
}

// Returns the speed that a drive's value would have without its load, and in `out_speed` the one
// that it has along that, for one row or the three of a group.
static float drive_get_speeds(const tni_solver *solver, const tni_row *row,
                              const tni_bounded_row *bounded, const tni_velocities *v,
                              float *out_speed) {
    float square = 0.0f, product = 0.0f;
    for (uint32_t i = 0; i < row->group; ++i) {
        float target = drive_get_free_speed(solver, &row[i], &bounded[i]);
        square += target * target;
        product += target * tni_velocities_dot(&bounded[i].jacobian, v);
    }
    float target = sqrtf(square);
    *out_speed = product * maths_inverse_or_zero(target);
    return target;
}

// A spring gets on where its value follows it, if only by a share of the speed that it would have
// alone: what it follows may go on as well.
static tni_joint_drive_way drive_get_way(const tni_solver *solver, const tni_row *row,
                                         const tni_bounded_row *bounded, const tni_velocities *v) {
    float speed, target = drive_get_speeds(solver, row, bounded, v, &speed);
    float share = speed * maths_inverse_or_zero(target);
    if (target == 0.0f || share > (tni_row_is_spring(row) ? DRIVE_FOLLOWS : DRIVE_GETS_ON)) {
        return TNI_DRIVE_ON;
    }
    return share < -DRIVE_GETS_BACK ? TNI_DRIVE_BACK : TNI_DRIVE_STANDS;
}

bool tni_joint_drives_get_way(const tni_solver *solver, const tni_joint_block *block, bool use_bias,
                              tni_joint_drive_way *out_way) {
    tni_velocities v = tni_velocities_load(&solver->bodies.states[block->body_a],
                                           &solver->bodies.states[block->body_b]);
    tni_joint_drive_way way = TNI_DRIVE_ON;
    bool any = false;
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        const tni_row *row = &solver->joints.rows[block->first_row + r];
        const tni_bounded_row *bounded = tni_joint_get_bounded_row(solver, block, r);
        bool may_yield = tni_joint_drive_may_yield(solver, block, r, use_bias);
        tni_joint_drive_way its =
            may_yield && row->group > 0 ? drive_get_way(solver, row, bounded, &v) : TNI_DRIVE_ON;
        way = way == TNI_DRIVE_ON || its == TNI_DRIVE_STANDS ? its : way;
        any = any || may_yield;
    }
    *out_way = way;
    return any;
}

void tni_joint_drives_cap(tni_solver *solver, tni_joint_block *block, float share, bool is_drawn,
                          bool use_bias) {
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        const tni_row *row = &solver->joints.rows[block->first_row + r];
        tni_row_state *state = &solver->joints.row_states[block->first_row + r];
        tni_bounded_row *bounded = tni_joint_get_bounded_row(solver, block, r);
        if (!tni_joint_drive_is(row)) {
            continue;
        }
        float push = tni_joint_drive_get_push(solver, row, state, use_bias);
        float least = is_drawn ? tni_joint_drive_get_least(solver, row, bounded)
                               : drive_get_first_least(solver, block, row, push);
        least = maths_max(least, tni_joint_drive_get_hold(solver, block, row));
        float cap = share * maths_max(push, 0.0f) + least;
        bool is_back = row->group != 3 && drive_get_target(solver, row) < 0.0f;
        state->cap = share > 0.0f ? (is_back ? -cap : cap) : 0.0f;
        if (is_drawn) {
            tni_drive_cap(solver, row, state->cap, bounded->share, bounded->drive);
        }
    }
}
