// world/step/step_joints.c: gathers joints into blocks of rows, and stores impulses and reactions.
#include <string.h>

#include "core/simd_double.h"
#include "solver/joints/joint_angles.h"
#include "solver/joints/joint_bounded.h"
#include "solver/joints/joint_group.h"
#include "solver/rows/pin.h"
#include "world/joints.h"
#include "world/step/joint_plan.h"
#include "world/step/joint_reaction.h"
#include "world/step/step_mechanisms.h"

// m and rad: a joint is open beyond this error, and keeps its island awake while its error changes
// by more than this share in a second. A steady error (a soft joint under load) lets it sleep.
#define JOINTS_OPEN_ERROR   0.01
#define JOINTS_CLOSING_RATE 0.01
// The sweeps over joints in each substep, if the world does not say. Two leave loops of welds with
// bias that one relaxing sweep does not remove and warm starts bring back: plates of boxes on fixed
// joints gained megajoules. Three is just enough.
#define JOINTS_SWEEPS 4

static uint32_t joints_solver_body(tn_world *world, tni_step *step, uint32_t body) {
    return body == TNI_NONE ? 0 : tni_step_add_fixed_body(world, step, body);
}

// Sets the block's softness: that of the world's bias, `softness`, or the joint's own.
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

// Returns whether rows over more than two bodies, or over affine ones, hold the joint:
// world/movers/step_spans.c finds the load of these.
static bool joints_is_span(const tni_joint *joint) {
    return tni_joint_is_function(joint) &&
           (tni_joint_is_tie(joint) || joint->def.function.apart->rope != NULL ||
            joint->def.function.apart->is_span);
}

// Returns which ends move: the world and the bodies behind the awake ones do not.
static tni_joint_ends joints_get_ends(uint32_t a, uint32_t b, uint32_t awake) {
    if (a == 0 || a >= awake) {
        return TNI_ENDS_ONLY_B;
    }
    return b == 0 || b >= awake ? TNI_ENDS_ONLY_A : TNI_ENDS_BOTH;
}

// Finds the least geometric stiffness of each awake body; later bodies do not turn.
static float *joints_get_leasts(tn_world *world, const tni_solver *solver) {
    float *leasts = tni_arena_alloc(&world->arena, solver->bodies.count * sizeof(float));
    for (uint32_t i = 0; leasts != NULL && i < solver->bodies.count; ++i) {
        leasts[i] = tni_geometric_stiffness_least(solver, i);
    }
    return leasts;
}

static void joints_scale_impulses(const tn_world *world, const tni_solver *solver,
                                  const tni_joint_block *block) {
    float scale = (float)step_impulse_scale(world, solver);
    for (uint32_t r = 0; r < block->row_count; ++r) {
        solver->joints.row_states[block->first_row + r].impulse = scale * block->joint->impulses[r];
    }
}

static bool joints_allocate(tn_world *world, tni_solver *solver) {
    tni_arena *arena = &world->joint_arena;
    solver->joints.rows = tni_arena_alloc(arena, solver->joints.row_count * sizeof(tni_row));
    solver->joints.row_states =
        tni_arena_alloc_zeroed(arena, solver->joints.row_count * sizeof(tni_row_state));
    solver->joints.bounded_rows =
        tni_arena_alloc(arena, solver->joints.bounded_count * sizeof(tni_bounded_row));
    solver->joints.motor_work =
        tni_arena_alloc_zeroed(arena, solver->joints.count * sizeof(double));
    return solver->joints.rows != NULL && solver->joints.row_states != NULL &&
           solver->joints.bounded_rows != NULL && solver->joints.motor_work != NULL;
}

bool tni_step_gather_joints(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    uint32_t count = world->awake_joints.count, awake = solver->bodies.count;
    solver->joints.blocks = tni_arena_alloc(&world->joint_arena, count * sizeof(tni_joint_block));
    const float *leasts = joints_get_leasts(world, solver);
    if (solver->joints.blocks == NULL || leasts == NULL) {
        return false;
    }
    tni_softness softness = tni_softness_from_bias(&world->def.joint_bias, solver->h);
    solver->settings.joint_softness = softness;
    for (uint32_t i = 0; i < count; ++i) {
        tni_joint *joint = tni_joint_at(world, world->awake_joints.items[i]);
        tni_joint_block *block = &solver->joints.blocks[i];
        bool is_reduced = tni_joint_is_reduced(world, joint); // then a span has its rows
        tni_row_count rows = is_reduced ? (tni_row_count){.rows = 0} : joint->rows;
        // This order numbers the bodies.
        uint32_t body_a = joints_solver_body(world, step, joint->body_a);
        uint32_t body_b = joints_solver_body(world, step, joint->body_b);
        *block = (tni_joint_block){
            .joint = joint,
            .world_joint = world->awake_joints.items[i],
            .body_a = body_a,
            .body_b = body_b,
            .first_row = solver->joints.row_count,
            .first_bounded = solver->joints.bounded_count,
            .row_count = (uint8_t)rows.rows,
            .equality_count = (uint8_t)rows.equalities,
            .may_break = !is_reduced && !joints_is_span(joint) && tni_joint_may_break(joint),
            .point_rows = (uint8_t)rows.point_rows,
            .turns = (uint8_t)(rows.point_rows > 0 ? rows.equalities - rows.point_rows : 0),
            .ends = (uint8_t)joints_get_ends(body_a, body_b, awake),
        };
        joints_set_bias(world, joint, solver->h, softness, block);
        solver->joints.has_memories = solver->joints.has_memories || tni_joint_has_memory(joint);
        solver->joints.has_cold = solver->joints.has_cold || joint->starts_cold;
        block->stiffness_threshold =
            tni_geometric_stiffness_threshold(body_a < awake ? leasts[body_a] : INFINITY,
                                              body_b < awake ? leasts[body_b] : INFINITY, joint);
        solver->joints.row_count += rows.rows;
        solver->joints.bounded_count += rows.rows - rows.equalities;
        step->has_mechanisms = step->has_mechanisms || joint->exact_pause > 0 ||
                               tni_mechanism_get_solver(world, joint) != TN_SOLVER_PGS;
    }
    solver->joints.count = count;
    solver->joints.swept_count = count;
    solver->settings.joint_iterations =
        world->def.joint_iterations != 0 ? world->def.joint_iterations : JOINTS_SWEEPS;
    if (!joints_allocate(world, solver)) {
        return false;
    }
    for (uint32_t i = 0; i < count && step->has_mechanisms; ++i) {
        joints_scale_impulses(world, solver, &solver->joints.blocks[i]); // mechanisms read them
    }
    return true;
}

// Returns the bytes that the block's equalities need outside its group.
static size_t joints_get_size(const tni_joint_block *block) {
    return block->group != NULL ? 0 : tni_joint_block_size(block);
}

bool tni_step_start_joints(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    uint32_t count = solver->joints.count + solver->joints.exact_count;
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; ++i) {
        bytes += joints_get_size(&solver->joints.blocks[i]);
    }
    uint8_t *equalities = tni_arena_alloc(&world->joint_arena, bytes);
    if (equalities == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        tni_joint_block *block = &solver->joints.blocks[i];
        if (!step->has_mechanisms) {
            joints_scale_impulses(world, solver, block);
        }
        float impulses[TNI_JOINT_MAX_ROWS];
        for (uint32_t r = 0; r < block->row_count; ++r) {
            impulses[r] = solver->joints.row_states[block->first_row + r].impulse;
        }
        if (joints_get_size(block) > 0) {
            tni_joint_block_start(block, equalities, impulses);
            equalities += tni_joint_block_size(block);
        }
        if (block->group != NULL) {
            tni_joint_group_start(solver, block, impulses);
        }
    }
    return true;
}

// Resets everything of the block that is not in its lane.
static void joints_restart_block(const tn_world *world, const tni_solver *solver,
                                 tni_joint_block *block) {
    tni_row_state *states = &solver->joints.row_states[block->first_row];
    memset(states, 0, block->row_count * sizeof *states);
    joints_scale_impulses(world, solver, block);
    float impulses[TNI_JOINT_MAX_ROWS];
    for (uint32_t r = 0; r < block->row_count; ++r) {
        impulses[r] = states[r].impulse;
    }
    if (joints_get_size(block) > 0) {
        tni_joint_block_start(block, block->pin, impulses);
    }
    if (block->group != NULL) {
        tni_joint_group_start(solver, block, impulses);
    }
    block->has_awake_bounded = false;
    block->limit_room = 0.0f;
    block->force = block->torque = f4_splat(0.0f);
}

void tni_step_restart_joints(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    tni_joint_groups_restart(solver);
    for (uint32_t i = 0; i < joint_count_lone(solver); ++i) {
        joints_restart_block(world, solver, &solver->joints.blocks[joint_get_lone(solver, i)]);
    }
    uint32_t count = solver->joints.count + solver->joints.exact_count;
    for (uint32_t i = solver->joints.count; i < count; ++i) {
        joints_restart_block(world, solver, &solver->joints.blocks[i]);
    }
    if (solver->joints.bounded_count > 0) {
        memset(solver->joints.motor_work, 0, count * sizeof *solver->joints.motor_work);
    }
}

// ---- back -------------------------------------------------------------------------------------

// The lengths of the violated part of the block's rows, in m and rad.
typedef struct joints_errors {
    double linear, angular;
} joints_errors;

static double joints_sum_squares(const float *errors, uint32_t first, uint32_t last) {
    double sum = 0.0;
    for (uint32_t r = first; r < last; ++r) {
        sum += (double)errors[r] * (double)errors[r];
    }
    return sum;
}

static joints_errors joints_measure_errors(const tni_solver *solver, const tni_joint_block *block) {
    if (block->is_projected) {
        joints_errors exact = {block->exact_linear_error, block->exact_angular_error};
        return exact;
    }
    float errors[TNI_JOINT_MAX_ROWS];
    tni_joint_block_get_errors(solver, block, errors);
    // A pin has the rows of its point, then its turns. All other rows say whether they are angular.
    uint32_t pin_rows = block->point_rows > 0 ? block->equality_count : 0;
    pin_rows = block->group != NULL ? block->row_count : pin_rows;
    double linear = joints_sum_squares(errors, 0, block->point_rows);
    double angular = joints_sum_squares(errors, block->point_rows, pin_rows);
    for (uint32_t r = pin_rows; r < block->row_count; ++r) {
        double square = (double)errors[r] * (double)errors[r];
        bool is_angular = solver->joints.rows[block->first_row + r].is_angular;
        linear += is_angular ? 0.0 : square;
        angular += is_angular ? square : 0.0;
    }
    joints_errors lengths = {sqrt(linear), sqrt(angular)};
    return lengths;
}

static bool joints_is_closing(const tn_world *world, double before, double now) {
    double rate = fabs(now - before) * world->inverse_dt;
    return now > JOINTS_OPEN_ERROR && rate > JOINTS_CLOSING_RATE * now;
}

// Bias moves bodies without speed, so the bodies of a closing joint look as if they were at rest.
static void joints_keep_awake(const tni_step *step, uint32_t body_a, uint32_t body_b) {
    step->is_restless[step->island_of[body_a]] = true;
    step->is_restless[step->island_of[body_b]] = true;
}

// Compares the errors with the tolerances, so that a NaN exceeds them.
static void joints_compare(tn_world *world, tni_step *step, tni_joint *joint, double linear,
                           double angular) {
    if ((world->def.joint_tolerance > 0.0 && !(linear <= world->def.joint_tolerance)) ||
        (world->def.joint_tolerance_angular > 0.0 &&
         !(angular <= world->def.joint_tolerance_angular))) {
        world->telemetry.meets_tolerance = false;
        world->is_choice_stale |= !joint->needs_more;
        step->drops_plan |= !joint->needs_more;
        joint->needs_more = true;
    }
}

void tni_step_note_error(tn_world *world, tni_step *step, tni_joint *joint, uint32_t body_a,
                         uint32_t body_b, double linear, double angular) {
    tn_telemetry *telemetry = &world->telemetry;
    tn_joint_id id = {joint->handle};
    if (joints_is_closing(world, joint->linear_error, linear) ||
        joints_is_closing(world, joint->angular_error, angular)) {
        joints_keep_awake(step, body_a, body_b);
    }
    joint->linear_error = linear;
    joint->angular_error = angular;
    joints_compare(world, step, joint, linear, angular);
    if (linear > telemetry->worst_joint_linear) {
        telemetry->worst_joint_linear = linear;
        telemetry->worst_linear_joint = id;
    }
    if (angular > telemetry->worst_joint_angular) {
        telemetry->worst_joint_angular = angular;
        telemetry->worst_angular_joint = id;
    }
}

static void joints_note_error(tn_world *world, tni_step *step, uint32_t i) {
    const tni_joint_block *block = &step->solver.joints.blocks[i];
    joints_errors errors = joints_measure_errors(&step->solver, block);
    tni_step_note_error(world, step, tni_joint_at(world, block->world_joint), block->body_a,
                        block->body_b, errors.linear, errors.angular);
}

// Sums the motors' impulses over the step.
static void joints_sum_efforts(const tni_solver *solver, const tni_joint_block *block,
                               tni_joint *joint, float inverse_dt) {
    if (block->row_count == block->equality_count) {
        memset(joint->motor_efforts, 0, sizeof joint->motor_efforts);
        return;
    }
    tni_effort_sum sum;
    tni_effort_sum_begin(&sum, joint);
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        uint32_t row = block->first_row + r;
        tni_effort_sum_add(&sum, &solver->joints.rows[row],
                           solver->joints.row_states[row].step_impulse);
    }
    tni_effort_sum_end(&sum, inverse_dt, joint->motor_efforts);
}

static void joints_store(tn_world *world, const tni_step *step, uint32_t i) {
    const tni_solver *solver = &step->solver;
    const tni_joint_block *block = &solver->joints.blocks[i];
    tni_joint *joint = tni_joint_at(world, block->world_joint);
    for (uint32_t r = 0; r < block->row_count; ++r) {
        joint->impulses[r] = solver->joints.row_states[block->first_row + r].impulse;
    }
    float inverse_dt = (float)world->inverse_dt;
    vec3s force, torque;
    f4_store3(force.raw, block->force);
    f4_store3(torque.raw, block->torque);
    tni_joint_set_reaction(joint, &solver->bodies.motions[block->body_a],
                           &solver->bodies.motions[block->body_b], force, torque, inverse_dt);
    joints_sum_efforts(solver, block, joint, inverse_dt);
    joint->motor_work += solver->joints.motor_work[i];
}

// ---- back from lanes --------------------------------------------------------------------------

static bool joints_is_closing_lane(const tn_world *world, float length, float by) {
    double now = (double)length, change = (double)by;
    return now > JOINTS_OPEN_ERROR && change * world->inverse_dt > JOINTS_CLOSING_RATE * now;
}

// Does for a lane what joints_note_error() does.
static void joints_note_lane(tn_world *world, tni_step *step, const tni_joint_group_rest *rest,
                             uint32_t lane) {
    const tni_joint_block *block = &step->solver.joints.blocks[rest->block[lane]];
    tni_joint *joint = tni_joint_at(world, block->world_joint);
    tn_telemetry *telemetry = &world->telemetry;
    const tni_joint_angles *angles = rest->angles;
    double length = (double)rest->length[lane];
    double turn = angles != NULL ? (double)angles->length[lane] : 0.0;
    if (joints_is_closing_lane(world, rest->length[lane], rest->change[lane]) ||
        (angles != NULL &&
         joints_is_closing_lane(world, angles->length[lane], angles->change[lane]))) {
        joints_keep_awake(step, block->body_a, block->body_b);
    }
    joints_compare(world, step, joint, length, turn);
    if (length > telemetry->worst_joint_linear) {
        telemetry->worst_joint_linear = length;
        telemetry->worst_linear_joint = (tn_joint_id){joint->handle};
    }
    if (turn > telemetry->worst_joint_angular) {
        telemetry->worst_joint_angular = turn;
        telemetry->worst_angular_joint = (tn_joint_id){joint->handle};
    }
}

static tni_joint_limits joints_get_limits(const tn_world *world) {
    double tolerance = world->def.joint_tolerance, angular = world->def.joint_tolerance_angular;
    tni_joint_limits limits = {.tolerance = tolerance > 0.0 ? (float)tolerance : INFINITY,
                               .angular_tolerance = angular > 0.0 ? (float)angular : INFINITY,
                               // Only worlds that may sleep ask what keeps bodies awake.
                               .open = world->def.is_sleep_allowed ? (float)JOINTS_OPEN_ERROR
                                                                   : INFINITY,
                               .closing_share = (float)(JOINTS_CLOSING_RATE / world->inverse_dt)};
    return limits;
}

static void joints_note_group(tn_world *world, tni_step *step, uint32_t g) {
    const tni_joint_group_rest *rest = &step->solver.lanes.rests[g];
    for (uint32_t lane = 0; lane < rest->count; ++lane) {
        joints_note_lane(world, step, rest, lane);
    }
}

// Notes errors of joints whose rows are all in lanes. Their records stay as they are.
static void joints_finish_lanes(tn_world *world, tni_step *step) {
    const tni_solver *solver = &step->solver;
    tni_joint_limits limits = joints_get_limits(world);
    float worst = (float)world->telemetry.worst_joint_linear;
    float worst_turn = (float)world->telemetry.worst_joint_angular;
    for (uint32_t g = 0; g < solver->lanes.group_count; ++g) {
        tni_joint_group_rest *rest = &solver->lanes.rests[g];
        bool has_news = WIDE_CALL(solver->uses_avx2, tni_joint_group_finish, rest, &limits, &worst);
        if (rest->angles != NULL) {
            has_news |= WIDE_CALL(solver->uses_avx2, tni_joint_angles_finish, rest->angles, &limits,
                                  &worst_turn);
        }
        if (has_news) {
            joints_note_group(world, step, g);
        }
    }
}

// ---- all --------------------------------------------------------------------------------------

static void joints_finish(tn_world *world, tni_step *step, uint32_t i) {
    joints_store(world, step, i);
    if (tni_joint_has_callback(step->solver.joints.blocks[i].joint)) {
        tni_joint_gives_numbers(world, step->solver.joints.blocks[i].joint, "tn_world_step");
    }
    joints_note_error(world, step, i);
}

static void joints_clear_telemetry(tn_world *world, const tni_solver *solver) {
    tn_telemetry *telemetry = &world->telemetry;
    uint32_t count = solver->joints.count + solver->joints.exact_count;
    tn_joint_id first = {0};
    if (count > 0) {
        first.value = solver->joints.blocks[0].joint->handle;
    }
    telemetry->joints = count;
    telemetry->rows += solver->joints.row_count;
    telemetry->worst_joint_linear = telemetry->worst_joint_angular = 0.0;
    telemetry->worst_linear_joint = telemetry->worst_angular_joint = first;
    telemetry->meets_tolerance = true;
}

void tni_step_scatter_joints(tn_world *world, tni_step *step) {
    const tni_solver *solver = &step->solver;
    joints_clear_telemetry(world, solver);
    for (uint32_t i = 0; i < joint_count_lone(solver); ++i) {
        joints_finish(world, step, joint_get_lone(solver, i));
    }
    for (uint32_t i = 0; i < solver->joints.exact_count; ++i) {
        joints_finish(world, step, solver->joints.count + i);
    }
    joints_finish_lanes(world, step);
    tni_joint_plan_commit(world, step);
}
