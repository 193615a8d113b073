// world/step_joints.c: joints into blocks of rows, and back: impulses, reactions, breaking.
#include "core/simd_double.h"
#include "solver/joint_bounded.h"
#include "world/step_internal.h"

// m and rad: a joint farther off than this is open, and keeps its island awake as long as it closes
// by more than this share of its error in a second. An error that stands (a soft joint under load)
// lets it sleep.
#define JOINTS_OPEN_ERROR   0.01
#define JOINTS_CLOSING_RATE 0.01

static uint32_t joints_solver_body(tn_world *world, tni_step *step, uint32_t body) {
    return body == TNI_NONE ? 0 : tni_step_add_fixed_body(world, step, body);
}

// `softness` is that of the world's bias, which most joints have.
static void joints_set_bias(const tn_world *world, const tni_joint *joint, float h,
                            tni_softness softness, tni_joint_block *block) {
    block->softness = softness;
    block->max_speed = world->def.joint_bias.max_speed;
    block->slop = world->def.joint_bias.slop;
    if (joint->def.base.hertz > 0.0f) {
        tn_bias bias = world->def.joint_bias;
        bias.mode = TN_BIAS_MODE_SOFT;
        bias.hertz = joint->def.base.hertz;
        bias.damping_ratio = joint->def.base.damping_ratio;
        block->softness = tni_softness_from_bias(&bias, h);
    }
}

bool tni_step_gather_joints(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    uint32_t count = world->awake_joints.count;
    solver->joints = tni_arena_alloc(&world->arena, count * sizeof(tni_joint_block));
    if (solver->joints == NULL) {
        return false;
    }
    tni_softness softness = tni_softness_from_bias(&world->def.joint_bias, solver->h);
    solver->joint_softness = softness;
    size_t bytes = 0;
    uint32_t bounded = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const tni_joint *joint = &world->joints[world->awake_joints.items[i]];
        tni_joint_block *block = &solver->joints[i];
        tni_row_count rows = tni_joint_count_rows(joint);
        // In this order: it numbers the bodies.
        uint32_t body_a = joints_solver_body(world, step, joint->body_a);
        uint32_t body_b = joints_solver_body(world, step, joint->body_b);
        *block = (tni_joint_block){
            .joint = joint,
            .world_joint = world->awake_joints.items[i],
            .body_a = body_a,
            .body_b = body_b,
            .first_row = solver->row_count,
            .first_bounded = bounded,
            .row_count = (uint8_t)rows.rows,
            .equality_count = (uint8_t)rows.equalities,
            .point_rows = (uint8_t)rows.point_rows,
            .turns = (uint8_t)(rows.point_rows > 0 ? rows.equalities - rows.point_rows : 0),
        };
        joints_set_bias(world, joint, solver->h, softness, block);
        block->stiffness_threshold = tni_geometric_stiffness_threshold(solver, block);
        solver->row_count += rows.rows;
        bounded += rows.rows - rows.equalities;
        bytes += tni_joint_block_size(block);
    }
    solver->joint_count = count;
    solver->joint_iterations = world->def.joint_iterations != 0
                                   ? world->def.joint_iterations
                                   : (count <= TNI_STEP_SMALL_MECHANISM ? 4 : 2);
    solver->rows = tni_arena_alloc(&world->arena, solver->row_count * sizeof(tni_row));
    solver->row_states =
        tni_arena_alloc_zeroed(&world->arena, solver->row_count * sizeof(tni_row_state));
    solver->bounded_rows = tni_arena_alloc(&world->arena, bounded * sizeof(tni_bounded_row));
    uint8_t *equalities = tni_arena_alloc(&world->arena, bytes);
    solver->motor_work = tni_arena_alloc_zeroed(&world->arena, count * sizeof(double));
    if (solver->rows == NULL || solver->row_states == NULL || solver->bounded_rows == NULL ||
        equalities == NULL || solver->motor_work == NULL) {
        return false;
    }
    // Impulses of another substep length are scaled to this one's, so that forces carry over.
    float scale = world->previous_h > 0.0 ? (float)(solver->dh / world->previous_h) : 1.0f;
    for (uint32_t i = 0; i < count; ++i) {
        tni_joint_block *block = &solver->joints[i];
        float impulses[TNI_JOINT_MAX_ROWS];
        for (uint32_t r = 0; r < block->row_count; ++r) {
            impulses[r] = scale * block->joint->impulses[r];
            solver->row_states[block->first_row + r].impulse = impulses[r];
        }
        tni_joint_block_start(block, equalities, impulses);
        equalities += tni_joint_block_size(block);
    }
    return true;
}

// ---- back -------------------------------------------------------------------------------------

// Lengths of the violated part of the block's rows, in m and in rad.
typedef struct joints_errors {
    double linear, angular;
} joints_errors;

static joints_errors joints_measure_errors(const tni_solver *solver, const tni_joint_block *block) {
    if (block->is_projected) {
        joints_errors exact = {block->exact_linear_error, block->exact_angular_error};
        return exact;
    }
    double squares[2] = {0.0, 0.0}; // by is_angular
    float errors[TNI_JOINT_MAX_EQUALITY_ROWS + 2];
    tni_joint_block_get_errors(solver, block, errors);
    for (uint32_t r = 0; r < block->row_count; ++r) {
        const tni_row *row = &solver->rows[block->first_row + r];
        bool is_equality = r < block->equality_count;
        double error = (double)(is_equality ? errors[r] : row->error);
        if (is_equality || (row->kind == TNI_ROW_LIMIT && error < 0.0)) {
            bool is_pin = is_equality && block->point_rows > 0;
            bool is_angular = is_pin ? r >= block->point_rows : row->is_angular;
            squares[is_angular] += error * error;
        }
    }
    joints_errors lengths = {sqrt(squares[0]), sqrt(squares[1])};
    return lengths;
}

static bool joints_is_closing(const tn_world *world, double before, double now) {
    double rate = fabs(now - before) * world->inverse_dt;
    return now > JOINTS_OPEN_ERROR && rate > JOINTS_CLOSING_RATE * now;
}

// Bias moves bodies without speed, so the bodies of a joint that is closing look as if they rested.
static void joints_note_error(tn_world *world, const tni_step *step, uint32_t i) {
    const tni_joint_block *block = &step->solver.joints[i];
    tni_joint *joint = &world->joints[block->world_joint];
    tn_telemetry *telemetry = &world->telemetry;
    tn_joint_id id = {joint->handle};
    joints_errors errors = joints_measure_errors(&step->solver, block);
    double linear = errors.linear, angular = errors.angular;
    if (joints_is_closing(world, joint->linear_error, linear) ||
        joints_is_closing(world, joint->angular_error, angular)) {
        step->is_restless[step->island_of[block->body_a]] = true;
        step->is_restless[step->island_of[block->body_b]] = true;
    }
    joint->linear_error = linear;
    joint->angular_error = angular;
    // Written so that a NaN is not within it.
    if ((world->def.joint_tolerance > 0.0 && !(linear <= world->def.joint_tolerance)) ||
        (world->def.joint_tolerance_angular > 0.0 &&
         !(angular <= world->def.joint_tolerance_angular))) {
        telemetry->joints_met = false;
        world->is_choice_stale |= !joint->needs_more;
        joint->needs_more = true;
    }
    if (telemetry->worst_linear_joint.value == 0 || linear > telemetry->worst_joint_linear) {
        telemetry->worst_joint_linear = linear;
        telemetry->worst_linear_joint = id;
    }
    if (telemetry->worst_angular_joint.value == 0 || angular > telemetry->worst_joint_angular) {
        telemetry->worst_joint_angular = angular;
        telemetry->worst_angular_joint = id;
    }
}

static float joints_motor_effort(const tni_solver *solver, const tni_joint_block *block) {
    vec3s group = maths_vec3_zero();
    float single = 0.0f;
    uint32_t in_group = 0;
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        const tni_row *row = &solver->rows[block->first_row + r];
        if (row->role != TNI_ROLE_MOTOR) {
            continue;
        }
        float x = solver->row_states[block->first_row + r].step_impulse;
        if (row->group == 1) {
            single += x;
        } else if (in_group < 3) {
            group.raw[in_group++] = x;
        }
    }
    return in_group > 0 ? glms_vec3_norm(group) : single;
}

// The torque at the origin of frame b; when b is the world at that of frame a, which is nearly the
// same point.
static vec3s joints_reaction_torque(const tni_solver *solver, const tni_joint_block *block,
                                    vec3s force) {
    const tni_joint *joint = block->joint;
    bool use_a = joint->body_b == TNI_NONE;
    const tni_dpose *frame = use_a ? &joint->frame_a : &joint->frame_b;
    const tni_body_motion *motion = &solver->motions[use_a ? block->body_a : block->body_b];
    vec3s arm = dvec3_to_float(dquat_rotate(motion->rotation, frame->position));
    vec3s torque;
    f4_store3(torque.raw, block->torque);
    return glms_vec3_sub(torque, glms_vec3_cross(arm, force));
}

static void joints_store(tn_world *world, const tni_step *step, uint32_t i) {
    const tni_solver *solver = &step->solver;
    const tni_joint_block *block = &solver->joints[i];
    tni_joint *joint = &world->joints[block->world_joint];
    for (uint32_t r = 0; r < block->row_count; ++r) {
        joint->impulses[r] = solver->row_states[block->first_row + r].impulse;
    }
    float inverse_dt = (float)world->inverse_dt;
    vec3s force;
    f4_store3(force.raw, block->force);
    vec3s torque = joints_reaction_torque(solver, block, force);
    joint->reaction_force = glms_vec3_scale(force, inverse_dt);
    joint->reaction_torque = glms_vec3_scale(torque, inverse_dt);
    joint->motor_effort = joints_motor_effort(solver, block) * inverse_dt;
    joint->motor_work += solver->motor_work[i];
}

void tni_step_scatter_joints(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    tn_joint_id none = {0};
    uint32_t count = solver->joint_count + solver->exact_count;
    world->telemetry.joints = count;
    world->telemetry.rows += solver->row_count;
    world->telemetry.worst_joint_linear = world->telemetry.worst_joint_angular = 0.0;
    world->telemetry.worst_linear_joint = world->telemetry.worst_angular_joint = none;
    world->telemetry.joints_met = true;
    for (uint32_t i = 0; i < count; ++i) {
        joints_store(world, step, i);
        joints_note_error(world, step, i);
    }
}

void tni_step_break_joints(tn_world *world) {
    // Backward: destroying one moves the last of the list into its place.
    for (uint32_t i = world->awake_joints.count; i-- > 0;) {
        uint32_t index = world->awake_joints.items[i];
        const tni_joint *joint = &world->joints[index];
        float force = glms_vec3_norm(joint->reaction_force);
        float torque = glms_vec3_norm(joint->reaction_torque);
        if (!(force > joint->def.base.break_force) && !(torque > joint->def.base.break_torque)) {
            continue;
        }
        tn_joint_break_event event = {{joint->handle},
                                      joint->def.base.body_a,
                                      joint->def.base.body_b,
                                      joint->def.base.user_data,
                                      force,
                                      torque};
        tni_events_add_joint_break(world, &event);
        tni_joint_destroy_at(world, index);
    }
}
