// world/step/step_gradients.c: gathers the joints that conjugate gradients solve into mechanisms,
// and stores the information about these.
//
// A mechanism is the set of these joints that moving bodies tie together. Its blocks lie side by
// side behind the swept ones. The stiffness of its rigid joints follows from the iterations that it
// may take (see solver/gradients/conjugate_gradients.c): the condition number of a soft system is
// about 2.5 h omega, and that many iterations reach the tolerance. A mechanism with more rows than
// freedoms (a lattice of welds) is different: many rows are redundant and the others are well
// conditioned, so that nearly rigid rows with a sweep as preconditioner converge in a few
// iterations.
#include <string.h>

#include "core/union_find.h"
#include "solver/gradients/gradient_lanes.h"
#include "solver/movers/span_contact.h"

#include "world/step/step_mechanisms.h"

// The iterations of a solve, if the world does not say.
#define GRADIENTS_ITERATIONS 32
// A soft system needs this many iterations per h omega, with either preconditioner.
#define GRADIENTS_PER_STIFFNESS       2.5f
#define GRADIENTS_PER_STIFFNESS_SWEPT 1.25f
// From this ratio of rows to freedoms on a mechanism is redundant. Then a substep removes the share
// beta of its error, gamma is its softness, and it takes up to this many iterations, since it must
// not be cut short.
#define GRADIENTS_REDUNDANT            1.2
#define GRADIENTS_REDUNDANT_BETA       0.2f
#define GRADIENTS_REDUNDANT_GAMMA      1e-5f
#define GRADIENTS_REDUNDANT_ITERATIONS 100

// A mechanism is soft if its joints contradict each other or the contacts between its own bodies (a
// crumpled net), or if Gauss-Seidel closes it. It stays soft for this many steps after its joints
// are closed to this error, m or rad: stiff joints would close a sagging mechanism with a blow.
#define GRADIENTS_PAUSE  60
#define GRADIENTS_CLOSED 1e-3

typedef struct gradients_plan {
    uint32_t *roots;    // by solver body: union-find over the joints
    uint32_t *group_of; // by root: its mechanism, or TNI_NONE
    uint32_t *mine;     // by joint block: its mechanism, or TNI_NONE
    uint32_t total;     // of joint blocks
    uint32_t marked;    // how many of these conjugate gradients solve
    uint32_t group_count;
} gradients_plan;

// Returns true for pins, rods, points on surfaces and curves, and welds with a soft point, which
// hold three turns. Others are swept.
static bool gradients_can_take(const tni_joint_block *block) {
    bool are_turns = block->equality_count == 3 && block->joint->rows.lengths == 0;
    return block->point_rows > 0 || block->equality_count <= 2 || are_turns;
}

static bool gradients_wants(const tn_world *world, const tni_solver *solver,
                            const tni_joint_block *block) {
    tn_solver wanted = tni_mechanism_get_solver(world, block->joint);
    bool is_ours = wanted == TN_SOLVER_CG ||
                   (wanted == TN_SOLVER_AUTO && block->joint->choice == TNI_CHOICE_CG);
    return is_ours && block->row_count > 0 && gradients_can_take(block) &&
           (solver->bodies.masses[block->body_a].is_dynamic ||
            solver->bodies.masses[block->body_b].is_dynamic);
}

static uint32_t gradients_find_group(const tni_solver *solver, const gradients_plan *plan,
                                     uint32_t body) {
    return solver->bodies.masses[body].is_dynamic
               ? plan->group_of[union_find_root(plan->roots, body)]
               : TNI_NONE;
}

// Returns a body of the joint that moves.
static uint32_t gradients_anchor(const tni_solver *solver, const tni_joint_block *block) {
    return solver->bodies.masses[block->body_a].is_dynamic ? block->body_a : block->body_b;
}

// Ties bodies, then numbers mechanisms by their first joints.
static void gradients_join(tni_solver *solver, gradients_plan *plan) {
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        plan->roots[i] = i;
        plan->group_of[i] = TNI_NONE;
    }
    for (uint32_t i = 0; i < plan->total; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        if (block->is_gradient && solver->bodies.masses[block->body_a].is_dynamic &&
            solver->bodies.masses[block->body_b].is_dynamic) {
            union_find_join(plan->roots, block->body_a, block->body_b);
        }
    }
    for (uint32_t i = 0; i < plan->total; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        plan->mine[i] = TNI_NONE;
        if (block->is_gradient) {
            uint32_t root = union_find_root(plan->roots, gradients_anchor(solver, block));
            if (plan->group_of[root] == TNI_NONE) {
                plan->group_of[root] = plan->group_count++;
            }
            plan->mine[i] = plan->group_of[root];
        }
    }
}

static void gradients_count_block(const tni_joint_block *block, tni_gradients *g) {
    g->count += 1;
    g->equality_count += block->equality_count;
    g->bounded_count += (uint32_t)block->row_count - block->equality_count;
    g->state.is_wide = g->state.is_wide || block->turns > 0;
}

static void gradients_count_blocks(tni_solver *solver, const gradients_plan *plan) {
    for (uint32_t i = 0; i < plan->total; ++i) {
        if (plan->mine[i] != TNI_NONE) {
            gradients_count_block(&solver->joints.blocks[i],
                                  &solver->gradients.systems[plan->mine[i]]);
        }
    }
    uint32_t first = plan->total - plan->marked;
    for (uint32_t g = 0; g < plan->group_count; ++g) {
        solver->gradients.systems[g].first = first;
        first += solver->gradients.systems[g].count;
    }
}

// Moves the blocks of mechanisms to the end, mechanism by mechanism, in their order. A single
// mechanism with all blocks is in order already.
static bool gradients_sort(tn_world *world, tni_solver *solver, const gradients_plan *plan) {
    gradients_count_blocks(solver, plan);
    if (plan->group_count == 1 && plan->marked == plan->total) {
        return true;
    }
    tni_joint_block *sorted = tni_arena_alloc(&world->joint_arena, plan->total * sizeof *sorted);
    uint32_t *next = tni_arena_alloc(&world->arena, plan->group_count * sizeof *next);
    if (sorted == NULL || next == NULL) {
        return false;
    }
    for (uint32_t g = 0; g < plan->group_count; ++g) {
        next[g] = solver->gradients.systems[g].first;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < plan->total; ++i) {
        sorted[plan->mine[i] != TNI_NONE ? next[plan->mine[i]]++ : kept++] =
            solver->joints.blocks[i];
    }
    solver->joints.blocks = sorted;
    return true;
}

// Lists the bodies of each mechanism, in their order.
static bool gradients_gather_bodies(tn_world *world, tni_solver *solver,
                                    const gradients_plan *plan) {
    size_t size = solver->bodies.count * sizeof(uint32_t);
    uint32_t *bodies = tni_arena_alloc(&world->joint_arena, size);
    solver->gradients.bodies = tni_arena_alloc_zeroed(&world->joint_arena, size);
    solver->gradients.owners = tni_arena_alloc(&world->joint_arena, size);
    if (bodies == NULL || solver->gradients.bodies == NULL || solver->gradients.owners == NULL) {
        return false;
    }
    solver->gradients.owner_count = solver->bodies.count;
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        uint32_t group = gradients_find_group(solver, plan, i);
        solver->gradients.owners[i] = group;
        if (group != TNI_NONE) {
            solver->gradients.systems[group].body_count += 1;
            solver->gradients.systems[group].freedom_count +=
                tni_count_freedoms(tni_body_mass_get_locks(&solver->bodies.masses[i]));
        }
    }
    for (uint32_t g = 0; g < plan->group_count; ++g) {
        solver->gradients.systems[g].bodies = bodies;
        bodies += solver->gradients.systems[g].body_count;
        solver->gradients.systems[g].body_count = 0;
    }
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        uint32_t group = gradients_find_group(solver, plan, i);
        if (group != TNI_NONE) {
            tni_gradients *g = &solver->gradients.systems[group];
            g->bodies[g->body_count++] = i;
            solver->gradients.bodies[i] = g->body_count;
        }
    }
    return true;
}

// Returns the mechanism of a body, or TNI_NONE. Contacts may have added bodies that no joint knows.
static uint32_t gradients_get_owner(const tni_solver *solver, uint32_t body) {
    return body < solver->gradients.owner_count ? solver->gradients.owners[body] : TNI_NONE;
}

// Notes that something else also holds a body of the mechanism.
static void gradients_couple_body(tni_solver *solver, uint32_t body) {
    uint32_t group = gradients_get_owner(solver, body);
    if (group != TNI_NONE) {
        solver->gradients.systems[group].state.is_coupled = true;
    }
}

// Notes a contact between a mechanism's own bodies that pushed in the last step.
static void gradients_press(tni_solver *solver, const tni_contact_record *record) {
    uint32_t a = gradients_get_owner(solver, record->body_a);
    uint32_t b = gradients_get_owner(solver, record->body_b);
    for (uint32_t p = 0; p < record->point_count && a == b && a != TNI_NONE; ++p) {
        solver->gradients.systems[a].state.is_pressed |= record->impulse[p] > 0.0f;
    }
}

static bool gradients_moves(const tni_solver *solver, uint32_t body) {
    return solver->bodies.masses[body].is_dynamic ||
           !tni_motion_is_still(&solver->bodies.motions[body]);
}

// Notes a contact with a moving body that is not of the mechanism.
static void gradients_strike(tni_solver *solver, uint32_t body, uint32_t other) {
    uint32_t group = gradients_get_owner(solver, body);
    if (group != TNI_NONE && group != gradients_get_owner(solver, other)) {
        solver->gradients.systems[group].state.is_struck |= gradients_moves(solver, other);
    }
}

// Returns whether a swept joint is open by more than `most` now. It may be new, or moved.
static bool gradients_is_apart(const tni_solver *solver, const tni_joint_block *block,
                               double most) {
    tn_joint_error error =
        tni_joint_measure_error(block->joint, &solver->bodies.motions[block->body_a],
                                &solver->bodies.motions[block->body_b]);
    return error.linear_length > most || error.angular_length > most;
}

// Notes that a swept joint holds a body of a mechanism.
static void gradients_couple_joint(tni_solver *solver, const tni_joint_block *block,
                                   uint32_t body) {
    uint32_t group = gradients_get_owner(solver, body);
    if (group == TNI_NONE) {
        return;
    }
    tni_gradients *g = &solver->gradients.systems[group];
    g->state.is_coupled = true;
    g->state.is_opposed |= block->joint->is_opposed ||
                           gradients_is_apart(solver, block, (double)TNI_GRADIENTS_FARTHEST);
    g->state.is_strutted |= gradients_is_apart(solver, block, GRADIENTS_CLOSED);
}

static void gradients_couple(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->joints.swept_count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        gradients_couple_joint(solver, block, block->body_a);
        gradients_couple_joint(solver, block, block->body_b);
    }
    for (uint32_t i = 0; i < solver->contacts.own_count; ++i) {
        const tni_contact_record *record = &solver->contacts.records[i];
        gradients_press(solver, record);
        gradients_strike(solver, record->body_a, record->body_b);
        gradients_strike(solver, record->body_b, record->body_a);
    }
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        gradients_couple_body(solver, solver->movers.span_contacts[i].ends[0].body);
        gradients_couple_body(solver, solver->movers.span_contacts[i].ends[1].body);
    }
}

// ---- numbers in -------------------------------------------------------------------------------

static bool gradients_allocate_vectors(tn_world *world, tni_gradients *g) {
    size_t length = (size_t)g->count * (g->state.is_wide ? 2 : 1);
    tni_f4 **vectors[3] = {&g->step, &g->weighted, &g->search};
    for (int i = 0; i < 3; ++i) {
        *vectors[i] = tni_arena_alloc(&world->joint_arena, length * sizeof(tni_f4));
        if (*vectors[i] == NULL) {
            return false;
        }
    }
    float **numbers[3] = {&g->bounded.weights, &g->bounded.step, &g->bounded.search};
    for (int i = 0; i < 3; ++i) {
        *numbers[i] = tni_arena_alloc(&world->joint_arena, g->bounded_count * sizeof(float));
        if (*numbers[i] == NULL) {
            return false;
        }
    }
    g->bounded.rows = tni_arena_alloc(&world->joint_arena, g->bounded_count * sizeof(uint32_t));
    return g->bounded.rows != NULL;
}

static bool gradients_allocate(tn_world *world, tni_solver *solver) {
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        tni_gradients *g = &solver->gradients.systems[i];
        if (!gradients_allocate_vectors(world, g) ||
            !tni_gradient_lanes_pack(solver, g, &world->joint_arena)) {
            return false;
        }
    }
    return true;
}

// Returns a softness as stiff as the iterations allow.
static tni_softness gradients_soften(const tn_bias *bias, const tni_gradients *g, float h) {
    float each = g->state.is_swept ? GRADIENTS_PER_STIFFNESS_SWEPT : GRADIENTS_PER_STIFFNESS;
    float stiffest = (float)g->most_iterations / (each * 2.0f * (float)MATHS_PI * h);
    return tni_softness_make(maths_min(bias->hertz, stiffest), bias->damping_ratio, h);
}

static tni_softness gradients_stiffen(float beta, float h) {
    float gamma = GRADIENTS_REDUNDANT_GAMMA;
    tni_softness softness = {beta / h, 1.0f / (1.0f + gamma), gamma / (1.0f + gamma)};
    return softness;
}

static void gradients_set_numbers(const tn_world *world, float h, tni_gradients *g) {
    const tn_bias *bias = &world->def.joint_bias;
    const tn_cg *cg = &world->def.research.cg;
    bool is_redundant = (double)g->equality_count > GRADIENTS_REDUNDANT * (double)g->freedom_count;
    g->state.is_swept = cg->preconditioner == TN_PRECONDITIONER_AUTO
                            ? is_redundant
                            : cg->preconditioner == TN_PRECONDITIONER_GAUSS_SEIDEL;
    g->tolerance = cg->tolerance;
    g->most_iterations = is_redundant ? GRADIENTS_REDUNDANT_ITERATIONS : GRADIENTS_ITERATIONS;
    g->most_iterations = cg->iterations > 0 ? cg->iterations : g->most_iterations;
    g->sweep_softness = tni_softness_from_bias(bias, h);
    if (is_redundant) {
        g->softness = gradients_stiffen(GRADIENTS_REDUNDANT_BETA, h);
    } else if (bias->mode == TN_BIAS_MODE_SOFT) {
        g->softness = gradients_soften(bias, g, h);
    } else {
        g->softness = gradients_stiffen(bias->beta, h);
    }
}

static bool gradients_are_waiting(const tni_solver *solver, const tni_gradients *g) {
    for (uint32_t i = 0; i < g->count; ++i) {
        if (solver->joints.blocks[g->first + i].joint->exact_pause > 0) {
            return true;
        }
    }
    return false;
}

// Returns whether a joint was open by more than `most` in the last step.
static bool gradients_are_open(const tni_solver *solver, const tni_gradients *g, double most) {
    for (uint32_t i = 0; i < g->count; ++i) {
        const tni_joint *joint = solver->joints.blocks[g->first + i].joint;
        if (joint->linear_error > most || joint->angular_error > most) {
            return true;
        }
    }
    return false;
}

static void gradients_set(const tn_world *world, tni_solver *solver, tni_gradients *g) {
    gradients_set_numbers(world, solver->h, g);
    g->state.is_waiting = gradients_are_waiting(solver, g);
    // A swept joint that may contradict those of the mechanism has to be as soft as they are, and
    // solved as they are, or the errors would not balance.
    g->state.is_left = g->state.is_opposed || (g->state.is_waiting && g->state.is_strutted) ||
                       gradients_are_open(solver, g, (double)TNI_GRADIENTS_FARTHEST);
    g->state.is_soft = g->state.is_pressed; // which is no failure
    if (g->state.is_left || g->state.is_waiting || g->state.is_pressed) {
        tni_gradients_soften(solver, g);
        return;
    }
    for (uint32_t i = 0; i < g->count; ++i) {
        tni_joint_block *block = &solver->joints.blocks[g->first + i];
        if (!(block->joint->def.base.hertz > 0.0f)) {
            block->softness = g->softness;
        }
    }
}

// Makes room for the telemetry of mechanisms.
static bool gradients_reserve_infos(tn_world *world, uint32_t count) {
    if (count <= world->gradients_capacity) {
        return true;
    }
    void *grown =
        tni_array_grow(&world->allocator, world->gradients_infos, world->gradients_capacity,
                       &world->gradients_capacity, count, sizeof *world->gradients_infos);
    if (grown == NULL) {
        return false;
    }
    world->gradients_infos = grown;
    return true;
}

bool tni_step_gather_gradients(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    gradients_plan plan = {.total = solver->joints.count};
    solver->joints.swept_count = solver->joints.count;
    for (uint32_t i = 0; i < plan.total; ++i) {
        solver->joints.blocks[i].is_gradient =
            gradients_wants(world, solver, &solver->joints.blocks[i]);
        plan.marked += solver->joints.blocks[i].is_gradient ? 1 : 0;
    }
    if (plan.marked == 0) {
        return true;
    }
    plan.roots = tni_arena_alloc(&world->arena, solver->bodies.count * sizeof(uint32_t));
    plan.group_of = tni_arena_alloc(&world->arena, solver->bodies.count * sizeof(uint32_t));
    plan.mine = tni_arena_alloc(&world->arena, plan.total * sizeof(uint32_t));
    if (plan.roots == NULL || plan.group_of == NULL || plan.mine == NULL) {
        return false;
    }
    gradients_join(solver, &plan);
    solver->gradients.systems = tni_arena_alloc_zeroed(
        &world->joint_arena, plan.group_count * sizeof *solver->gradients.systems);
    if (solver->gradients.systems == NULL || !gradients_sort(world, solver, &plan) ||
        !gradients_gather_bodies(world, solver, &plan)) {
        return false;
    }
    solver->gradients.count = plan.group_count;
    solver->joints.swept_count -= plan.marked;
    gradients_couple(solver);
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        gradients_set(world, solver, &solver->gradients.systems[i]);
    }
    return gradients_allocate(world, solver) &&
           gradients_reserve_infos(world, solver->gradients.count);
}

// The mechanisms and their stiffness stay. (Soft ones are not kept.)
void tni_step_restart_gradients(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        tni_gradients *g = &solver->gradients.systems[i];
        g->state.is_coupled = g->state.is_pressed = g->state.is_struck = false;
        g->state.is_opposed = g->state.is_strutted = false;
        g->right_side = g->solve_ms = 0.0;
        g->report = (tni_gradients_report){.residual = 0.0};
    }
    if (solver->gradients.count > 0) {
        gradients_couple(solver);
    }
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        tni_gradients *g = &solver->gradients.systems[i];
        g->state.is_soft = g->state.is_pressed; // which is no failure
        g->state.is_left = g->state.is_opposed;
        if (g->state.is_pressed || g->state.is_left) {
            tni_gradients_soften(solver, g);
        }
    }
}

bool tni_step_may_keep_gradients(const tn_world *world, const tni_solver *solver) {
    const tn_telemetry *telemetry = &world->telemetry;
    bool may_keep = telemetry->worst_joint_linear <= (double)TNI_GRADIENTS_FARTHEST &&
                    telemetry->worst_joint_angular <= (double)TNI_GRADIENTS_FARTHEST;
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        const tni_gradients *g = &solver->gradients.systems[i];
        bool is_settled =
            !g->state.is_soft && !g->state.is_left && !g->state.is_strained && !g->state.is_pressed;
        may_keep = may_keep && is_settled && !g->state.is_waiting;
    }
    return may_keep || solver->gradients.count == 0;
}

void tni_step_shift_gradients(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        solver->gradients.systems[i].first -= solver->joints.exact_count;
    }
    solver->joints.swept_count -= solver->joints.exact_count;
}

// ---- telemetry --------------------------------------------------------------------------------

static void gradients_note_joint(const tn_world *world, const tni_joint_block *block,
                                 tn_mechanism_info *info) {
    const tni_joint *joint = tni_joint_at(world, block->world_joint);
    tni_mechanism_info_add(world, joint, block->row_count, info);
    if (tni_mechanism_get_solver(world, joint) == TN_SOLVER_AUTO) {
        info->reason = (tn_mechanism_reason)joint->choice_reason;
    }
}

// Renews only the errors of kept joints.
static void gradients_note_kept(const tn_world *world, const tni_solver *solver,
                                const tni_gradients *g, tn_mechanism_info *info) {
    info->joints = info->rows = 0;
    info->worst_linear_joint.value = info->worst_angular_joint.value = 0;
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        const tni_gradient_lanes *lanes = &g->lanes[i];
        bool is_worse = lanes->rest == NULL || info->joints == 0;
        for (uint32_t lane = 0; lane < lanes->members.count && !is_worse; ++lane) {
            is_worse = (double)lanes->rest->length[lane] > info->worst_joint_linear;
        }
        for (uint32_t lane = 0; lane < lanes->members.count && is_worse; ++lane) {
            const tni_joint_block *block =
                &solver->joints.blocks[g->first + lanes->members.joint[lane]];
            tni_mechanism_info_add(world, block->joint, block->row_count, info);
        }
    }
    info->joints = g->count;
    info->rows = g->equality_count + g->bounded_count;
}

static void gradients_note(tn_world *world, const tni_step *step, const tni_gradients *g,
                           tn_mechanism_info *info) {
    const tni_solver *solver = &step->solver;
    tn_mechanism_reason reason = info->reason;
    *info = (tn_mechanism_info){
        .method = TN_MECHANISM_METHOD_CG,
        .bodies = g->body_count,
        .iterations = g->report.iterations,
        .residual = g->report.residual,
        .failures = g->report.failures,
        .solve_ms = g->solve_ms,
    };
    if (step->has_kept_joints) {
        info->reason = reason;
        gradients_note_kept(world, solver, g, info);
        return;
    }
    for (uint32_t k = 0; k < g->count; ++k) {
        gradients_note_joint(world, &solver->joints.blocks[g->first + k], info);
    }
}

// (The joints' errors have been stored.)
void tni_step_scatter_gradients(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        const tni_gradients *g = &solver->gradients.systems[i];
        gradients_note(world, step, g, &world->gradients_infos[i]);
        bool must_wait = g->state.is_strained || g->state.is_pressed || g->state.is_left ||
                         (g->state.is_waiting && gradients_are_open(solver, g, GRADIENTS_CLOSED));
        for (uint32_t k = 0; k < g->count && must_wait; ++k) {
            tni_joint_at(world, solver->joints.blocks[g->first + k].world_joint)->exact_pause =
                GRADIENTS_PAUSE;
        }
    }
    world->gradients_count = solver->gradients.count;
}
