// solver/joints/joint_store.c: stores the results of the sweeps over joints: impulses, reactions,
// motor work.
//
// A row's impulse x acts on the bodies as x J. For a pin that is p on b at the arm r_b and -p on a
// at r_a, and the sum of t_k u_k as torque: see solver/rows/pin.h. Test:
// tests/joints/test_joint_physics.c, tests/solver/step/test_work.c
#include <string.h>

#include "core/simd_double.h"
#include "solver/joints/joint_angles.h"
#include "solver/joints/joint_bounded.h"
#include "solver/joints/joint_group.h"
#include "solver/joints/joint_threads.h"
#include "solver/rows/equality.h"
#include "solver/rows/pin.h"

// Notes the speeds of a joint's bounded rows that are awake, or of its motors alone.
static void joint_note_speeds(tni_solver *solver, const tni_joint_block *block, bool motors_alone) {
    uint32_t count = (uint32_t)block->row_count - block->equality_count;
    const tni_bounded_row *rows = solver->joints.bounded_rows + block->first_bounded;
    tni_row_state *states = solver->joints.row_states + block->first_row + block->equality_count;
    tni_velocities v = tni_velocities_load(&solver->bodies.states[block->body_a],
                                           &solver->bodies.states[block->body_b]);
    const tni_row *given = solver->joints.rows + block->first_row + block->equality_count;
    for (uint32_t r = 0; r < count; ++r) {
        if (!rows[r].is_dormant && (!motors_alone || given[r].role == TNI_ROLE_MOTOR)) {
            states[r].speed = tni_velocities_dot(&rows[r].jacobian, &v);
        }
    }
}

// Notes the speeds of motors and of limits that bounce at the start of the step.
void tni_joint_blocks_start(tni_solver *solver) {
    for (uint32_t i = 0; i < joint_count_lone(solver) && solver->joints.bounded_count > 0; ++i) {
        joint_note_speeds(solver, &solver->joints.blocks[joint_get_lone(solver, i)], false);
    }
}

void tni_joint_blocks_note_drift(tni_solver *solver) {
    if (solver->ledger.measures_work || solver->joints.bounded_count == 0) {
        return;
    }
    for (uint32_t g = 0; g < solver->gradients.count; ++g) {
        const tni_gradients *gradients = &solver->gradients.systems[g];
        for (uint32_t i = 0; i < gradients->count; ++i) {
            const tni_joint_block *block = &solver->joints.blocks[gradients->first + i];
            if (block->joint->has_motors) {
                joint_note_speeds(solver, block, true);
            }
        }
    }
    for (uint32_t i = 0; i < joint_count_lone(solver); ++i) {
        const tni_joint_block *block = &solver->joints.blocks[joint_get_lone(solver, i)];
        if (block->row_count > block->equality_count && block->joint->has_motors) {
            joint_note_speeds(solver, block, true);
        }
    }
}

void tni_joint_block_get_impulses(const tni_solver *solver, const tni_joint_block *block,
                                  float out_impulses[TNI_JOINT_MAX_ROWS]) {
    if (block->group != NULL && joint_group_rest(solver, block)->angles != NULL) {
        tni_joint_angles_get_impulses(solver, block, out_impulses);
        return;
    }
    if (block->group != NULL && joint_group_rest(solver, block)->threads != NULL) {
        tni_joint_threads_get_impulses(solver, block, out_impulses);
        return;
    }
    if (block->group != NULL) {
        f4_store(out_impulses, joint_group_get(&block->group->impulse, block->lane));
        return;
    }
    if (block->point_rows > 0) {
        const tni_pin_block *pin = block->pin;
        bool slides = tni_pin_slides(block->point_rows);
        f4_store(out_impulses,
                 slides ? tni_pin_to_plane(pin->turns->plane, pin->impulse) : pin->impulse);
        if (block->turns > 0) {
            f4_store(out_impulses + block->point_rows, pin->turns->impulse);
        }
        return;
    }
    const float *impulse = tni_equality_impulse(block->equality, block->lanes);
    for (uint32_t r = 0; r < block->equality_count; ++r) {
        out_impulses[r] = impulse[r];
    }
}

static void joint_forget_group(const tni_solver *solver, const tni_joint_block *block) {
    const tni_joint_group_rest *rest = joint_group_rest(solver, block);
    joint_group_set(&block->group->impulse, block->lane, f4_zero());
    if (rest->angles != NULL) {
        tni_joint_angles_forget(solver, block);
    }
    if (rest->threads != NULL && rest->threads->kind == TNI_THREAD_ROD) {
        rest->threads->line.impulse[block->lane] = 0.0f;
    }
}

void tni_joint_block_forget(tni_solver *solver, const tni_joint_block *block) {
    if (block->group != NULL) {
        joint_forget_group(solver, block);
    } else if (block->point_rows > 0) {
        block->pin->impulse = f4_zero();
        if (block->turns > 0) {
            block->pin->turns->impulse = f4_zero();
        }
    } else if (block->equality_count > 0) {
        memset(tni_equality_impulse(block->equality, block->lanes), 0,
               block->equality_count * sizeof(float));
    }
    for (uint32_t r = 0; r < block->equality_count; ++r) {
        solver->joints.row_states[block->first_row + r].impulse = 0.0f;
    }
}

static void joint_sync(tni_solver *solver, uint32_t index) {
    const tni_joint_block *block = &solver->joints.blocks[index];
    uint32_t count = block->group != NULL ? block->row_count : block->equality_count;
    float impulses[TNI_JOINT_MAX_ROWS];
    tni_joint_block_get_impulses(solver, block, impulses);
    for (uint32_t r = 0; r < count; ++r) {
        solver->joints.row_states[block->first_row + r].impulse = impulses[r];
    }
}

// Copies impulses into row_states; those of joints in lanes only if work is measured, since
// otherwise they are read from the lanes.
void tni_joint_blocks_sync(tni_solver *solver) {
    for (uint32_t g = 0; g < solver->lanes.group_count && solver->ledger.measures_work; ++g) {
        const tni_joint_group_rest *rest = &solver->lanes.rests[g];
        for (uint32_t lane = 0; lane < rest->count; ++lane) {
            joint_sync(solver, rest->block[lane]);
        }
    }
    for (uint32_t i = 0; i < joint_count_lone(solver); ++i) {
        joint_sync(solver, joint_get_lone(solver, i));
    }
}

static void joint_get_equality_errors(const tni_solver *solver, const tni_joint_block *block,
                                      float out_errors[TNI_JOINT_MAX_ROWS]) {
    if (block->group != NULL) {
        f4_store(out_errors, joint_group_get(&joint_group_rest(solver, block)->error, block->lane));
        return;
    }
    if (block->point_rows > 0) {
        f4_store(out_errors, block->pin->error);
        if (block->turns > 0) {
            f4_store(out_errors + block->point_rows, block->pin->turns->error);
        }
        return;
    }
    for (uint32_t r = 0; r < block->equality_count; ++r) {
        out_errors[r] = solver->joints.rows[block->first_row + r].error;
    }
}

void tni_joint_block_get_errors(const tni_solver *solver, const tni_joint_block *block,
                                float out_errors[TNI_JOINT_MAX_ROWS]) {
    if (block->group != NULL && joint_group_rest(solver, block)->threads != NULL) {
        tni_joint_threads_get_errors(solver, block, out_errors);
        return;
    }
    joint_get_equality_errors(solver, block, out_errors);
    if (block->group != NULL) {
        tni_joint_angles_get_errors(solver, block, out_errors);
        return;
    }
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        const tni_row *row = &solver->joints.rows[block->first_row + r];
        out_errors[r] = row->kind == TNI_ROW_LIMIT && row->error < 0.0f ? row->error : 0.0f;
    }
}

// A wrench is a force on b and a torque, as in the block.
typedef struct joint_wrench {
    tni_f4 force, torque;
} joint_wrench;

static bool joint_ends_at_world(const tni_joint_block *block) {
    return block->body_b == 0;
}

static void joint_add_row(joint_wrench *sum, const tni_joint_block *block, const tni_row *row,
                          float x) {
    tni_f4 factor = f4_splat(x);
    sum->force = f4_add_product(sum->force, factor, f4_load3(row->lin_b.raw));
    sum->torque = joint_ends_at_world(block)
                      ? f4_sub(sum->torque, f4_mul(factor, f4_load3(row->ang_a.raw)))
                      : f4_add_product(sum->torque, factor, f4_load3(row->ang_b.raw));
}

// Returns each lane's sum over the turns: sum of t_k u_k, component by component.
static tni_f4 joint_get_torque(const tni_pin_turns *turns) {
    tni_f4 x = f4_mul(turns->axis[0], turns->impulse), y = f4_mul(turns->axis[1], turns->impulse);
    tni_f4 z = f4_mul(turns->axis[2], turns->impulse), zero = f4_splat(0.0f);
    f4_transpose(&x, &y, &z, &zero);
    return f4_add(f4_add(x, y), z);
}

TNI_KERNEL joint_wrench joint_get_pin_wrench(const tni_joint_block *block) {
    const tni_pin_block *pin = block->pin;
    tni_f4 arm = joint_ends_at_world(block) ? pin->r_a : pin->r_b;
    joint_wrench sum = {pin->impulse, f4_cross(arm, pin->impulse)};
    if (block->turns > 0) {
        sum.torque = f4_add(sum.torque, joint_get_torque(pin->turns));
    }
    return sum;
}

static joint_wrench joint_get_rows_wrench(const tni_solver *solver, const tni_joint_block *block) {
    joint_wrench sum = {f4_splat(0.0f), f4_splat(0.0f)};
    const float *impulse = tni_equality_impulse(block->equality, block->lanes);
    for (uint32_t r = 0; r < block->equality_count; ++r) {
        joint_add_row(&sum, block, &solver->joints.rows[block->first_row + r], impulse[r]);
    }
    return sum;
}

// Returns the force and torque of the equalities.
TNI_KERNEL joint_wrench joint_get_wrench(const tni_solver *solver, const tni_joint_block *block) {
    return block->point_rows > 0 ? joint_get_pin_wrench(block)
                                 : joint_get_rows_wrench(solver, block);
}

static void joint_stiffen(tni_solver *solver, const tni_joint_block *block, tni_f4 force) {
    if (f4_dot3(force, force) > block->stiffness_threshold) {
        vec3s impulse;
        f4_store3(impulse.raw, force);
        tni_geometric_stiffness_add(solver, block, impulse);
    }
}

static bool joint_knows_force(const tni_joint_block *block) {
    return block->point_rows == TNI_PIN_POINT_ROWS && block->row_count == block->equality_count;
}

bool tni_joint_blocks_know_forces(const tni_solver *solver) {
    for (uint32_t g = 0; g < solver->lanes.group_count; ++g) {
        const tni_joint_angles *angles = solver->lanes.rests[g].angles;
        if (angles != NULL && angles->slides) {
            return false;
        }
    }
    for (uint32_t i = 0; i < joint_count_lone(solver); ++i) {
        if (!joint_knows_force(&solver->joints.blocks[joint_get_lone(solver, i)])) {
            return false;
        }
    }
    return true;
}

static void joint_stiffen_by_impulses(tni_solver *solver, const tni_joint_block *block) {
    if (joint_knows_force(block)) {
        joint_stiffen(solver, block, block->pin->impulse);
        return;
    }
    joint_wrench sum = joint_get_wrench(solver, block);
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        joint_add_row(&sum, block, &solver->joints.rows[block->first_row + r],
                      solver->joints.row_states[block->first_row + r].impulse);
    }
    joint_stiffen(solver, block, sum.force);
}

// Adds the stiffness of the impulses that the step starts from: warm start knows them before any
// solve.
void tni_joint_blocks_stiffen(tni_solver *solver) {
    tni_joint_groups_stiffen(solver);
    for (uint32_t i = 0; i < joint_count_lone(solver); ++i) {
        joint_stiffen_by_impulses(solver, &solver->joints.blocks[joint_get_lone(solver, i)]);
    }
}

// Adds the work of a motor: its impulse times the speed of its row in the drift. With a ledger it
// is measured there: see solver/step/work.c.
static void joint_store_motor_work(tni_solver *solver, uint32_t index, uint32_t r, float x) {
    const tni_joint_block *block = &solver->joints.blocks[index];
    const tni_row_state *state = &solver->joints.row_states[block->first_row + r];
    solver->joints.motor_work[index] += (double)(x * state->speed);
}

// Finds how fast a limit is about to be met; the speed is 0 for one that is far off.
static void joint_store_speed(const tni_solver *solver, const tni_joint_block *block, uint32_t r) {
    const tni_bounded_row *row =
        &solver->joints.bounded_rows[block->first_bounded + r - block->equality_count];
    tni_velocities v = tni_velocities_load(&solver->bodies.states[block->body_a],
                                           &solver->bodies.states[block->body_b]);
    solver->joints.row_states[block->first_row + r].speed =
        row->is_dormant ? 0.0f : tni_velocities_dot(&row->jacobian, &v);
}

// Returns what a motor reports over the substep: one with a cap that stands at an end of its value
// strains against it with its whole cap, though the sweeps let it give no more than it needs to
// stay there.
static float joint_get_motor_impulse(const tni_solver *solver, const tni_joint_block *block,
                                     uint32_t r, float x) {
    const tni_row *rows = &solver->joints.rows[block->first_row], *row = &rows[r];
    const tni_bounded_row *bounded = &solver->joints.bounded_rows[block->first_bounded];
    const tni_bounded_row *own = &bounded[r - block->equality_count];
    float way = row->kind == TNI_ROW_SPEED ? row->target_speed : -row->error;
    uint32_t end = own->group == TNI_GROUP_LIMITED ? own->ends[way > 0.0f] : 0;
    if (way == 0.0f || end == 0 || bounded[end - 1].is_dormant) {
        return x;
    }
    if (rows[block->equality_count + end - 1].error > solver->h * fabsf(row->target_speed)) {
        return x;
    }
    float force = row->kind == TNI_ROW_SPEED ? row->max_force : fabsf(row->stiffness * row->error);
    force = row->kind == TNI_ROW_ACCELERATION ? force * bounded[end - 1].drive[0].mass : force;
    force = maths_min(force, row->max_force) * solver->h;
    float sign = way < 0.0f ? -1.0f : 1.0f;
    return force < INFINITY && sign * x < force ? sign * force : x;
}

// Stores the impulse of a bounded row over the substep, and returns it.
static float joint_store_bounded(tni_solver *solver, uint32_t index, uint32_t r) {
    const tni_joint_block *block = &solver->joints.blocks[index];
    const tni_row *row = &solver->joints.rows[block->first_row + r];
    tni_row_state *state = &solver->joints.row_states[block->first_row + r];
    float x = tni_row_get_whole_impulse(row, state);
    state->step_impulse +=
        row->role == TNI_ROLE_MOTOR ? joint_get_motor_impulse(solver, block, r, x) : x;
    if (row->kind == TNI_ROW_LIMIT && block->bounces) {
        joint_store_speed(solver, block, r);
    }
    if (row->role == TNI_ROLE_MOTOR && !solver->ledger.measures_work) {
        joint_store_motor_work(solver, index, r, x);
    }
    return x;
}

static joint_wrench joint_add_bounded(tni_solver *solver, uint32_t index, joint_wrench sum) {
    const tni_joint_block *block = &solver->joints.blocks[index];
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        float x = joint_store_bounded(solver, index, r);
        joint_add_row(&sum, block, &solver->joints.rows[block->first_row + r], x);
    }
    return sum;
}

static inline void joint_store(tni_solver *solver, uint32_t index) {
    tni_joint_block *block = &solver->joints.blocks[index];
    joint_wrench sum = joint_get_wrench(solver, block);
    if (block->row_count > block->equality_count) {
        sum = joint_add_bounded(solver, index, sum);
    }
    block->force = f4_add(block->force, sum.force);
    block->torque = f4_add(block->torque, sum.torque);
    joint_stiffen(solver, block, sum.force);
}

void tni_joint_blocks_store(tni_solver *solver) {
    tni_geometric_stiffness_clear(solver);
    tni_joint_groups_store(solver);
    for (uint32_t i = 0; i < joint_count_lone(solver); ++i) {
        joint_store(solver, joint_get_lone(solver, i));
    }
}
