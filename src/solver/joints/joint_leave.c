// solver/joints/joint_leave.c: a joint that leaves the sweeps in the middle of a step.
//
// The impulses of its rows in the substep are taken off its bodies: the sum of x J^T, by the rows
// of the poses at the substep's end. So these have the velocities that they would have without the
// joint. Then the block has no rows. In a group its lane becomes one without a joint: both bodies
// are the world, arms and frames are zero.
// Test: tests/joints/test_breaking.c
#include "solver/joints/joint_angles.h"
#include "solver/joints/joint_bounded.h"
#include "solver/step/breaking.h"

// ---- what its rows did ------------------------------------------------------------------------

// Returns the impulses over the substep.
static void leave_get_impulses(const tni_solver *solver, const tni_joint_block *block,
                               const tni_row *rows, float *impulses) {
    tni_joint_block_get_impulses(solver, block, impulses);
    uint32_t first = block->group != NULL ? block->row_count : block->equality_count;
    for (uint32_t r = first; r < block->row_count; ++r) {
        const tni_row_state *state = &solver->joints.row_states[block->first_row + r];
        impulses[r] = tni_row_get_whole_impulse(&rows[r], state);
    }
}

// Returns the impulses until solve B began.
static void leave_get_first_impulses(const tni_solver *solver, const tni_joint_block *block,
                                     const tni_row *rows, float *impulses) {
    for (uint32_t r = 0; r < block->row_count; ++r) {
        const tni_row_state *state = &solver->joints.row_states[block->first_row + r];
        impulses[r] = tni_row_is_spring(&rows[r]) ? state->impulse : state->phase_start;
    }
}

static tni_dvec3 leave_add(tni_dvec3 sum, float x, vec3s j) {
    return dvec3_add_scaled(sum, (double)x, dvec3_from_float(j));
}

static tni_joint_push leave_sum(const tni_joint_block *block, const tni_row *rows,
                                const float *impulses) {
    tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0);
    tni_joint_push push = {zero, zero, zero, zero};
    for (uint32_t r = 0; r < block->row_count; ++r) {
        push.linear_a = leave_add(push.linear_a, impulses[r], rows[r].lin_a);
        push.angular_a = leave_add(push.angular_a, impulses[r], rows[r].ang_a);
        push.linear_b = leave_add(push.linear_b, impulses[r], rows[r].lin_b);
        push.angular_b = leave_add(push.angular_b, impulses[r], rows[r].ang_b);
    }
    return push;
}

static void leave_emit(const tni_solver *solver, const tni_joint_block *block, tni_row *rows) {
    tni_joint_emit(block->joint, &solver->bodies.motions[block->body_a],
                   &solver->bodies.motions[block->body_b], rows);
}

tni_joint_push tni_joint_block_get_push(const tni_solver *solver, const tni_joint_block *block) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    float impulses[TNI_JOINT_MAX_ROWS];
    leave_emit(solver, block, rows);
    leave_get_impulses(solver, block, rows, impulses);
    return leave_sum(block, rows, impulses);
}

void tni_joint_block_get_row_impulses(const tni_solver *solver, const tni_joint_block *block,
                                      float impulses[TNI_JOINT_MAX_ROWS]) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    leave_emit(solver, block, rows);
    leave_get_impulses(solver, block, rows, impulses);
}

tni_joint_push tni_joint_block_get_first_push(const tni_solver *solver,
                                              const tni_joint_block *block) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    float impulses[TNI_JOINT_MAX_ROWS];
    leave_emit(solver, block, rows);
    leave_get_first_impulses(solver, block, rows, impulses);
    return leave_sum(block, rows, impulses);
}

// ---- out of the sweeps ------------------------------------------------------------------------

static void leave_take_back(tni_solver *solver, uint32_t body, tni_dvec3 linear,
                            tni_dvec3 angular) {
    tni_body_state *state = &solver->bodies.states[body];
    vec3s v = glms_vec3_mul(state->inv_mass, dvec3_to_float(linear));
    vec3s w = sym3_mul(state->inv_inertia, dvec3_to_float(angular));
    state->v = glms_vec3_sub(state->v, v);
    state->w = glms_vec3_sub(state->w, w);
}

static void leave_group(tni_solver *solver, tni_joint_block *block) {
    tni_joint_group *group = block->group;
    tni_joint_group_rest *rest = joint_group_rest(solver, block);
    uint32_t lane = block->lane;
    tni_group_vectors *const vectors[] = {&group->r_a,  &group->r_b,     &group->bias,
                                          &group->warm, &rest->anchor_a, &rest->anchor_b,
                                          &rest->error};
    for (uint32_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) {
        joint_group_set(vectors[i], lane, f4_zero());
    }
    joint_group_empty_lane(group, lane);
    rest->threshold[lane] = INFINITY;
    if (rest->angles != NULL) {
        tni_joint_angles_clear_lane(rest->angles, lane);
    }
    tni_joint_place(solver, 0); // where it stands from now on
}

void tni_joint_block_leave(tni_solver *solver, uint32_t index) {
    tni_joint_block *block = &solver->joints.blocks[index];
    tni_joint_push push = tni_joint_block_get_push(solver, block);
    leave_take_back(solver, block->body_a, push.linear_a, push.angular_a);
    leave_take_back(solver, block->body_b, push.linear_b, push.angular_b);
    if (block->group != NULL) {
        leave_group(solver, block);
    }
    block->form = TNI_JOINT_FORM_SPRINGS;
    block->row_count = block->equality_count = block->point_rows = block->turns = 0;
    block->has_awake_bounded = false;
    block->stiffness_threshold = INFINITY;
}
