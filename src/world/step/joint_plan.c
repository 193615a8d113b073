// world/step/joint_plan.c: keeps the joints of a step for the next one. See joint_plan.h.
#include "world/step/joint_plan.h"
#include "world/records/convert.h"

#include <string.h>

#include "core/simd_double.h"
#include "core/union_find.h"
#include "solver/joints/joint_angles.h"
#include "world/joints.h"

static bool plan_biases_are_equal(const tn_bias *p, const tn_bias *q) {
    return p->mode == q->mode && p->hertz == q->hertz && p->damping_ratio == q->damping_ratio &&
           p->beta == q->beta && p->slop == q->slop && p->max_speed == q->max_speed;
}

// Compares the settings on which a plan depends.
static bool plan_fits(const tn_world *world, const tni_solver *solver, const tni_joint_plan *plan) {
    const tn_world_def *now = &world->def, *then = &plan->def;
    return plan->joints.dh == solver->dh && now->solver == then->solver &&
           now->dynamics == then->dynamics && now->mobility == then->mobility &&
           now->has_energy_ledger == then->has_energy_ledger &&
           now->joint_iterations == then->joint_iterations &&
           now->research.cg.tolerance == then->research.cg.tolerance &&
           now->research.cg.iterations == then->research.cg.iterations &&
           now->research.cg.preconditioner == then->research.cg.preconditioner &&
           plan_biases_are_equal(&now->joint_bias, &then->joint_bias);
}

// Exact mechanisms also depend on their contacts and on the choice of AUTO.
static bool plan_fits_mechanisms(const tn_world *world, const tni_joint_plan *plan) {
    const tn_world_def *now = &world->def, *then = &plan->def;
    return plan->joints.exact.count == 0 ||
           (world->awake_contacts.count == 0 && !world->is_choice_stale &&
            now->research.integrator == then->research.integrator &&
            now->worker_count == then->worker_count);
}

bool tni_joint_plan_is_kept(tn_world *world, const tni_solver *solver) {
    const tni_joint_plan *plan = world->joint_plan;
    if (plan != NULL && !(plan_fits(world, solver, plan) && plan_fits_mechanisms(world, plan))) {
        tni_joint_plan_drop(world);
    }
    if (world->joint_plan == NULL) {
        tni_arena_reset(&world->joint_arena);
    }
    return world->joint_plan != NULL;
}

// Copies everything about joints from one solver to another.
static void plan_copy(const tni_solver *from, tni_solver *to) {
    to->dh = from->dh;
    to->joints.swept_count = from->joints.swept_count;
    to->joints.count = from->joints.count;
    to->joints.exact_count = from->joints.exact_count;
    to->exact.count = from->exact.count;
    to->exact.mechanisms = from->exact.mechanisms;
    to->exact.mechanism_of = from->exact.mechanism_of;
    to->exact.local_of = from->exact.local_of;
    to->joints.row_count = from->joints.row_count;
    to->joints.bounded_count = from->joints.bounded_count;
    to->joints.has_memories = from->joints.has_memories;
    to->joints.blocks = from->joints.blocks;
    to->joints.rows = from->joints.rows;
    to->joints.row_states = from->joints.row_states;
    to->joints.machines = from->joints.machines;
    to->joints.machine_count = from->joints.machine_count;
    to->joints.machine_shares = from->joints.machine_shares;
    to->joints.bounded_rows = from->joints.bounded_rows;
    to->joints.motor_work = from->joints.motor_work;
    to->breaking.count = from->breaking.count;
    to->breaking.breakables = from->breaking.breakables;
    to->breaking.body_count = from->breaking.body_count;
    to->breaking.sets = from->breaking.sets;
    to->breaking.marks = from->breaking.marks;
    to->lanes.group_count = from->lanes.group_count;
    to->lanes.single_count = from->lanes.single_count;
    to->lanes.turn_count = from->lanes.turn_count;
    to->lanes.groups = from->lanes.groups;
    to->lanes.rests = from->lanes.rests;
    to->lanes.threads_count = from->lanes.threads_count;
    to->lanes.threads = from->lanes.threads;
    to->lanes.singles = from->lanes.singles;
    to->lanes.turns = from->lanes.turns;
    to->lanes.item_count = from->lanes.item_count;
    to->lanes.loop_count = from->lanes.loop_count;
    to->lanes.items = from->lanes.items;
    to->lanes.loop_ends = from->lanes.loop_ends;
    to->joint_parts.count = from->joint_parts.count;
    memcpy(to->joint_parts.ends, from->joint_parts.ends, sizeof to->joint_parts.ends);
    to->joint_parts.part_of = from->joint_parts.part_of;
    to->joint_parts.parts = from->joint_parts.parts;
    to->joint_parts.items = from->joint_parts.items;
    to->lanes.place_count = from->lanes.place_count;
    to->lanes.place_bodies = from->lanes.place_bodies;
    to->lanes.places = from->lanes.places;
    to->gradients.count = from->gradients.count;
    to->gradients.systems = from->gradients.systems;
    to->gradients.bodies = from->gradients.bodies;
    to->gradients.owners = from->gradients.owners;
    to->gradients.owner_count = from->gradients.owner_count;
    to->settings.joint_softness = from->settings.joint_softness;
    to->settings.joint_iterations = from->settings.joint_iterations;
}

void tni_joint_plan_take(tn_world *world, tni_step *step) {
    tni_joint_plan *plan = world->joint_plan;
    plan_copy(&plan->joints, &step->solver);
    step->has_mechanisms = plan->has_mechanisms;
    step->plan = plan;
    for (uint32_t i = 0; i < plan->fixed_count; ++i) {
        tni_body_at(world, plan->fixed_bodies[i])->solver_index = TNI_NONE;
        tni_step_add_fixed_body(world, step, plan->fixed_bodies[i]);
    }
    TN_ASSERT(step->solver.bodies.count == plan->body_count);
}

// ---- making -----------------------------------------------------------------------------------

// Some joints need their records in every step: those of exact mechanisms that touch something or
// have other joints among them, and those that wait to be solved another way.
static bool plan_may_be_kept(const tni_solver *solver) {
    uint32_t count = solver->joints.count + solver->joints.exact_count;
    bool is_settled = count > 0 && solver->movers.span_count == 0 &&
                      solver->movers.reduced_count == 0 && !solver->ledger.measures_work &&
                      (solver->exact.count == 0 || tni_step_may_keep_mechanisms(solver));
    for (uint32_t i = 0; i < count && is_settled; ++i) {
        const tni_joint *joint = solver->joints.blocks[i].joint;
        is_settled = joint->exact_pause == 0 && joint->exact_hold == 0 && joint->alternation == 0 &&
                     !joint->starts_cold;
    }
    return is_settled;
}

static bool plan_allocate(tn_world *world, tni_joint_plan *plan) {
    tni_arena *arena = &world->joint_arena;
    size_t bodies = plan->body_count, fixed = bodies - 1 - world->awake_bodies.count;
    plan->fixed_count = (uint32_t)fixed;
    plan->fixed_bodies = tni_arena_alloc(arena, fixed * sizeof *plan->fixed_bodies);
    plan->islands = tni_arena_alloc(arena, bodies * sizeof *plan->islands);
    plan->is_held = tni_arena_alloc_zeroed(arena, bodies * sizeof *plan->is_held);
    return plan->fixed_bodies != NULL && plan->islands != NULL && plan->is_held != NULL;
}

static void plan_tie(const tni_solver *solver, tni_joint_plan *plan) {
    for (uint32_t i = 0; i < plan->body_count; ++i) {
        plan->islands[i] = i;
    }
    for (uint32_t i = 0; i < solver->joints.count + solver->joints.exact_count; ++i) {
        uint32_t a = solver->joints.blocks[i].body_a, b = solver->joints.blocks[i].body_b;
        plan->is_held[a] = plan->is_held[b] = true;
        if (solver->bodies.masses[a].is_dynamic && solver->bodies.masses[b].is_dynamic) {
            union_find_join(plan->islands, a, b);
        }
    }
    for (uint32_t i = 0; i < plan->body_count; ++i) {
        plan->islands[i] = union_find_root(plan->islands, i);
    }
}

bool tni_joint_plan_make(tn_world *world, tni_step *step) {
    const tni_solver *solver = &step->solver;
    if (!plan_may_be_kept(solver)) {
        return true;
    }
    tni_joint_plan *plan = tni_arena_alloc_zeroed(&world->joint_arena, sizeof *plan);
    if (plan == NULL) {
        return false;
    }
    plan->body_count = step->joint_body_count;
    if (!plan_allocate(world, plan)) {
        return false;
    }
    plan->def = world->def;
    plan->has_mechanisms = step->has_mechanisms;
    memcpy(plan->fixed_bodies, step->body_of + 1 + world->awake_bodies.count,
           plan->fixed_count * sizeof *plan->fixed_bodies);
    plan_copy(solver, &plan->joints);
    plan_tie(solver, plan);
    step->plan = plan;
    return true;
}

// ---- values in lanes --------------------------------------------------------------------------

// The values that the last step left in a lane, in the form of a joint's record.
typedef struct plan_told {
    float impulses[TNI_JOINT_MAX_ROWS];
    vec3s force, torque; // on body b at the origin of frame b, N and N·m
    double linear_error, angular_error;
} plan_told;

static vec3s plan_scale(tni_f4 v, double factor) {
    vec3s out;
    f4_store3(out.raw, f4_mul(v, f4_splat((float)factor)));
    return out;
}

// Returns the values of a lane, in which the arm is that of the present pose.
static plan_told plan_tell(const tn_world *world, const tni_solver *solver, uint32_t place) {
    const tni_joint_group *group = &solver->lanes.groups[place / WIDE_LANES];
    const tni_joint_group_rest *rest = &solver->lanes.rests[place / WIDE_LANES];
    uint32_t lane = place % WIDE_LANES;
    tni_f4 force = joint_group_get(&rest->force, lane);
    tni_f4 torque = joint_group_get(&rest->torque, lane);
    torque = f4_sub(torque, f4_cross(joint_group_get(&group->r_b, lane), force));
    plan_told told = {.force = plan_scale(force, world->inverse_dt),
                      .torque = plan_scale(torque, world->inverse_dt),
                      .linear_error = (double)rest->length[lane]};
    if (rest->angles != NULL) {
        told.angular_error = (double)rest->angles->length[lane];
    }
    tni_joint_block_get_impulses(solver, &solver->joints.blocks[rest->block[lane]], told.impulses);
    return told;
}

void tni_joint_plan_store(tn_world *world, const tni_solver *solver, uint32_t place) {
    uint32_t block = solver->lanes.rests[place / WIDE_LANES].block[place % WIDE_LANES];
    tni_joint *joint = tni_joint_at(world, solver->joints.blocks[block].world_joint);
    plan_told told = plan_tell(world, solver, place);
    memcpy(joint->impulses, told.impulses, joint->rows.rows * sizeof(float));
    joint->reaction_force = told.force;
    joint->reaction_torque = told.torque;
    memset(joint->motor_efforts, 0, sizeof joint->motor_efforts);
    joint->linear_error = told.linear_error;
    joint->angular_error = told.angular_error;
}

void tni_joint_plan_read(const tn_world *world, tni_joint *copy) {
    if (copy->lane != TNI_NONE) {
        plan_told told = plan_tell(world, &world->joint_plan->joints, copy->lane);
        memcpy(copy->impulses, told.impulses, copy->rows.rows * sizeof(float));
        copy->reaction_force = told.force;
        copy->reaction_torque = told.torque;
        copy->linear_error = told.linear_error;
        copy->angular_error = told.angular_error;
        copy->lane = TNI_NONE;
    }
}

// Stores all lanes in the records.
static void plan_store_all(tn_world *world, const tni_solver *solver) {
    for (uint32_t g = 0; g < solver->lanes.group_count; ++g) {
        const tni_joint_group_rest *rest = &solver->lanes.rests[g];
        for (uint32_t lane = 0; lane < rest->count; ++lane) {
            tni_joint_plan_store(world, solver, g * WIDE_LANES + lane);
        }
    }
}

static void plan_point(tn_world *world, const tni_solver *solver, bool is_kept) {
    for (uint32_t g = 0; g < solver->lanes.group_count; ++g) {
        const tni_joint_group_rest *rest = &solver->lanes.rests[g];
        for (uint32_t lane = 0; lane < rest->count; ++lane) {
            tni_joint *joint =
                tni_joint_at(world, solver->joints.blocks[rest->block[lane]].world_joint);
            joint->lane = is_kept ? g * WIDE_LANES + lane : TNI_NONE;
            memset(joint->motor_efforts, 0, sizeof joint->motor_efforts);
        }
    }
}

tn_reaction tni_joint_get_reaction(const tn_world *world, const tni_joint *joint) {
    vec3s f = joint->reaction_force, t = joint->reaction_torque;
    if (joint->lane != TNI_NONE) {
        plan_told told = plan_tell(world, &world->joint_plan->joints, joint->lane);
        f = told.force;
        t = told.torque;
    }
    return (tn_reaction){convert_from_float(f), convert_from_float(t)};
}

double tni_joint_get_linear_error(const tn_world *world, const tni_joint *joint) {
    return joint->lane != TNI_NONE
               ? plan_tell(world, &world->joint_plan->joints, joint->lane).linear_error
               : joint->linear_error;
}

double tni_joint_get_angular_error(const tn_world *world, const tni_joint *joint) {
    return joint->lane != TNI_NONE
               ? plan_tell(world, &world->joint_plan->joints, joint->lane).angular_error
               : joint->angular_error;
}

// ---- from step to step ------------------------------------------------------------------------

// A plan that did not fit into the arena's block is dropped and made again in a larger one, because
// a later step must not allocate.
void tni_joint_plan_commit(tn_world *world, tni_step *step) {
    bool may_stay = step->plan != NULL && !step->drops_plan &&
                    world->joint_arena.overflow == NULL &&
                    tni_step_may_keep_gradients(world, &step->solver);
    if (world->joint_plan == NULL && may_stay) {
        world->joint_plan = step->plan;
        plan_point(world, &step->solver, true);
    } else if (world->joint_plan == NULL) {
        plan_store_all(world, &step->solver);
    } else if (!may_stay) {
        tni_joint_plan_drop(world);
    }
}

void tni_joint_plan_drop(tn_world *world) {
    world->is_joint_order_stale = true;
    if (world->joint_plan != NULL) {
        plan_store_all(world, &world->joint_plan->joints);
        plan_point(world, &world->joint_plan->joints, false);
        world->joint_plan = NULL;
    }
}
