// world/step_mechanisms.c: joints that are solved exactly into mechanisms, and back.
//
// A mechanism is what exact joints tie together through bodies that move. Its composition (bodies,
// joints, the pattern of its matrix) is kept in the world and made anew only when its signature, a
// hash of all that the pattern depends on, is another one; the numbers are filled in every step.
#include <string.h>

#include "core/hash.h"
#include "world/step_internal.h"

// Steps that a mechanism whose stages failed is left to Gauss-Seidel.
#define MECHANISMS_PAUSE 60
// m or rad: Gauss-Seidel, which gives way, brings joints together that are farther apart.
#define MECHANISMS_FARTHEST 0.1

// Doubles that the responses of one mechanism's contacts may take; each is a part of a solve. Where
// there would be more, Gauss-Seidel moves the mechanism.
#define MECHANISMS_MOST_COLUMNS 60000

// ---- which joints ------------------------------------------------------------------------------

static bool mechanisms_wants_exact(const tn_world *world, const tni_joint *joint) {
    if (joint->exact_pause > 0 || joint->linear_error > MECHANISMS_FARTHEST ||
        joint->angular_error > MECHANISMS_FARTHEST) {
        return false;
    }
    tn_solver solver = joint->def.base.solver;
    solver = solver == TN_SOLVER_AUTO ? world->def.solver : solver;
    return solver == TN_SOLVER_DIRECT;
}

typedef struct mechanisms_plan {
    uint32_t *roots;    // by solver body: union-find over exact joints
    uint32_t *group_of; // by root: which mechanism, or TNI_NONE
    uint32_t *joints;   // exact blocks, by mechanism
    uint32_t *first;    // by mechanism, and one more: its first block in `joints`
    uint32_t *local_of; // by solver body: its place in the mechanism at work
    uint32_t *stamp;    // by solver body: for which mechanism that holds
    bool *is_barred;    // by root: something in it only Gauss-Seidel does
    uint32_t group_count;
} mechanisms_plan;

static uint32_t mechanisms_find(uint32_t *roots, uint32_t i) {
    while (roots[i] != i) {
        roots[i] = roots[roots[i]];
        i = roots[i];
    }
    return i;
}

static bool mechanisms_allocate_plan(tn_world *world, const tni_solver *solver,
                                     mechanisms_plan *plan) {
    tni_arena *arena = &world->arena;
    uint32_t bodies = solver->body_count, joints = solver->joint_count;
    plan->roots = tni_arena_alloc(arena, bodies * sizeof(uint32_t));
    plan->group_of = tni_arena_alloc(arena, bodies * sizeof(uint32_t));
    plan->joints = tni_arena_alloc(arena, joints * sizeof(uint32_t));
    plan->first = tni_arena_alloc_zeroed(arena, (joints + 2) * sizeof(uint32_t));
    plan->local_of = tni_arena_alloc(arena, bodies * sizeof(uint32_t));
    plan->stamp = tni_arena_alloc_zeroed(arena, bodies * sizeof(uint32_t));
    plan->is_barred = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    return plan->roots != NULL && plan->group_of != NULL && plan->joints != NULL &&
           plan->first != NULL && plan->local_of != NULL && plan->stamp != NULL &&
           plan->is_barred != NULL;
}

static bool mechanisms_moves(const tni_solver *solver, uint32_t body) {
    return solver->masses[body].is_dynamic;
}

static bool mechanisms_has_frequencies(const tni_joint *joint) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_body_motion still = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    tni_row_count count = tni_joint_count_rows(joint);
    if (count.rows == count.equalities) {
        return false;
    }
    tni_joint_emit(joint, &still, &still, rows);
    for (uint32_t r = count.equalities; r < count.rows; ++r) {
        if (rows[r].kind == TNI_ROW_FREQUENCY) {
            return true;
        }
    }
    return false;
}

// A joint is exact when it is asked for and ties something that moves by rows of its own.
static void mechanisms_mark_joints(const tn_world *world, tni_solver *solver) {
    for (uint32_t i = 0; i < solver->joint_count; ++i) {
        tni_joint_block *block = &solver->joints[i];
        block->is_projected =
            block->row_count > 0 && mechanisms_wants_exact(world, block->joint) &&
            !(block->equality_count == 0 && mechanisms_has_frequencies(block->joint)) &&
            (mechanisms_moves(solver, block->body_a) || mechanisms_moves(solver, block->body_b));
    }
}

// A body of every joint, one that moves.
static uint32_t mechanisms_anchor(const tni_solver *solver, const tni_joint_block *block) {
    return mechanisms_moves(solver, block->body_a) ? block->body_a : block->body_b;
}

static void mechanisms_join(const tni_solver *solver, mechanisms_plan *plan, uint32_t total) {
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        plan->roots[i] = i;
        plan->group_of[i] = TNI_NONE;
    }
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        if (block->is_projected && mechanisms_moves(solver, block->body_a) &&
            mechanisms_moves(solver, block->body_b)) {
            uint32_t a = mechanisms_find(plan->roots, block->body_a);
            uint32_t b = mechanisms_find(plan->roots, block->body_b);
            plan->roots[a > b ? a : b] = a > b ? b : a;
        }
    }
}

// Bars what touches so much that its contacts would cost too much through the joints.
static void mechanisms_bar_crowded(const tni_solver *solver, mechanisms_plan *plan) {
    uint32_t *bodies = plan->local_of, *contacts = plan->stamp; // by root; free until later
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        bodies[i] = contacts[i] = 0;
    }
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        bodies[mechanisms_find(plan->roots, i)] += 1;
    }
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        const tni_contact_record *record = &solver->contact_records[i];
        contacts[mechanisms_find(plan->roots, record->body_a)] += 1;
        contacts[mechanisms_find(plan->roots, record->body_b)] += 1;
    }
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        size_t columns = (size_t)contacts[i] * TNI_MECHANISM_CONTACT_ROWS * 6 * bodies[i];
        plan->is_barred[i] |= columns > MECHANISMS_MOST_COLUMNS;
        contacts[i] = 0;
    }
}

// What hangs on a joint that is not exact is moved by Gauss-Seidel as a whole.
static void mechanisms_bar(tni_solver *solver, mechanisms_plan *plan, uint32_t total) {
    mechanisms_bar_crowded(solver, plan);
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        if (!block->is_projected || mechanisms_has_frequencies(block->joint)) {
            plan->is_barred[mechanisms_find(plan->roots, block->body_a)] = true;
            plan->is_barred[mechanisms_find(plan->roots, block->body_b)] = true;
        }
    }
    for (uint32_t i = 0; i < total; ++i) {
        tni_joint_block *block = &solver->joints[i];
        uint32_t root = mechanisms_find(plan->roots, mechanisms_anchor(solver, block));
        block->is_exact = block->is_projected && !plan->is_barred[root];
    }
}

// Mechanisms numbered by their first joint; then their joints sorted by number, in order.
static void mechanisms_number(const tni_solver *solver, mechanisms_plan *plan, uint32_t total) {
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        if (!block->is_projected) {
            continue;
        }
        uint32_t root = mechanisms_find(plan->roots, mechanisms_anchor(solver, block));
        if (plan->group_of[root] == TNI_NONE) {
            plan->group_of[root] = plan->group_count++;
        }
        plan->first[plan->group_of[root] + 2] += 1;
    }
    for (uint32_t g = 0; g < plan->group_count; ++g) {
        plan->first[g + 2] += plan->first[g + 1];
    }
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        if (block->is_projected) {
            uint32_t root = mechanisms_find(plan->roots, mechanisms_anchor(solver, block));
            plan->joints[plan->first[plan->group_of[root] + 1]++] = i;
        }
    }
}

// ---- composition -------------------------------------------------------------------------------

// The bodies of a mechanism in the order its joints name them: those that move, then the others.
typedef struct mechanisms_cast {
    uint32_t *bodies; // solver bodies
    uint32_t count, moving;
    uint64_t signature;
} mechanisms_cast;

static void mechanisms_cast_body(const tni_solver *solver, mechanisms_plan *plan, uint32_t group,
                                 uint32_t body, bool wants_moving, mechanisms_cast *cast) {
    if (plan->stamp[body] == group + 1 || mechanisms_moves(solver, body) != wants_moving) {
        return;
    }
    plan->stamp[body] = group + 1;
    plan->local_of[body] = cast->count;
    cast->bodies[cast->count++] = body;
}

static void mechanisms_find_cast(const tni_solver *solver, mechanisms_plan *plan, uint32_t group,
                                 mechanisms_cast *cast) {
    cast->count = 0;
    for (uint32_t pass = 0; pass < 2; ++pass) {
        for (uint32_t k = plan->first[group]; k < plan->first[group + 1]; ++k) {
            const tni_joint_block *block = &solver->joints[plan->joints[k]];
            mechanisms_cast_body(solver, plan, group, block->body_a, pass == 0, cast);
            mechanisms_cast_body(solver, plan, group, block->body_b, pass == 0, cast);
        }
        cast->moving = pass == 0 ? cast->count : cast->moving;
    }
    cast->signature = TNI_HASH_SEED;
    for (uint32_t k = plan->first[group]; k < plan->first[group + 1]; ++k) {
        const tni_joint_block *block = &solver->joints[plan->joints[k]];
        const uint32_t words[5] = {block->joint->handle, plan->local_of[block->body_a],
                                   plan->local_of[block->body_b], block->equality_count,
                                   block->row_count};
        cast->signature = tni_hash_bytes(cast->signature, words, sizeof words);
    }
    for (uint32_t i = 0; i < cast->moving; ++i) {
        uint32_t locks = solver->masses[cast->bodies[i]].locks;
        cast->signature = tni_hash_bytes(cast->signature, &locks, sizeof locks);
    }
}

// ---- the world's records -----------------------------------------------------------------------

void tni_mechanism_record_clear(tn_world *world, tni_mechanism_record *record) {
    tni_block_pattern_destroy(&record->mechanism.pattern, &world->allocator);
    tni_free(&world->allocator, record->memory, record->memory_size);
    memset(record, 0, sizeof *record);
}

// Composition anew. On failure the record is empty.
static bool mechanisms_rebuild(tn_world *world, const tni_solver *solver,
                               const mechanisms_plan *plan, uint32_t group,
                               const mechanisms_cast *cast, tni_mechanism_record *record) {
    tni_mechanism_record_clear(world, record);
    uint32_t joints = plan->first[group + 1] - plan->first[group];
    size_t body_bytes = cast->count * sizeof(tni_mechanism_body);
    record->memory_size = body_bytes + joints * sizeof(tni_mechanism_joint);
    record->memory = tni_alloc_zeroed(&world->allocator, record->memory_size);
    if (record->memory == NULL) {
        record->memory_size = 0;
        return false;
    }
    tni_mechanism *mechanism = &record->mechanism;
    mechanism->bodies = record->memory;
    mechanism->joints = (tni_mechanism_joint *)((uint8_t *)record->memory + body_bytes);
    mechanism->body_count = cast->count;
    mechanism->moving_count = cast->moving;
    mechanism->joint_count = joints;
    for (uint32_t k = 0; k < joints; ++k) {
        const tni_joint_block *block = &solver->joints[plan->joints[plan->first[group] + k]];
        tni_mechanism_joint *joint = &mechanism->joints[k];
        joint->joint = block->joint;
        joint->a = plan->local_of[block->body_a];
        joint->b = plan->local_of[block->body_b];
        tni_mechanism_find_actors(joint);
    }
    for (uint32_t i = 0; i < cast->moving; ++i) {
        mechanism->bodies[i].locks = solver->masses[cast->bodies[i]].locks;
    }
    if (!tni_mechanism_analyze(mechanism, &world->allocator, &world->arena)) {
        tni_mechanism_record_clear(world, record);
        return false;
    }
    record->signature = cast->signature;
    return true;
}

static bool mechanisms_reserve_records(tn_world *world, uint32_t count) {
    if (count <= world->mechanism_capacity) {
        return true;
    }
    uint32_t before = world->mechanism_capacity;
    void *grown = tni_array_grow(&world->allocator, world->mechanisms, before,
                                 &world->mechanism_capacity, count, sizeof *world->mechanisms);
    if (grown == NULL) {
        return false;
    }
    world->mechanisms = grown;
    memset(world->mechanisms + before, 0,
           (world->mechanism_capacity - before) * sizeof *world->mechanisms);
    return true;
}

// ---- numbers in --------------------------------------------------------------------------------

static void mechanisms_fill_body(const tni_solver *solver, uint32_t index,
                                 tni_mechanism_body *body) {
    const tni_body_mass *mass = &solver->masses[index];
    body->solver_body = index;
    body->motion = body->middle = body->end = solver->motions[index];
    body->locks = mass->locks;
    body->inertia = mass->inertia;
    body->inv_mass = mass->inv_mass;
    if (!mass->is_dynamic) {
        return;
    }
    body->mass = 1.0 / mass->inv_mass;
    body->acceleration = mass->acceleration;
    body->torque = mass->torque;
    body->linear_damping = (double)mass->linear_damping;
    body->angular_damping = (double)mass->angular_damping;
}

static void mechanisms_fill_joint(const tni_solver *solver, uint32_t block_index,
                                  tni_mechanism_joint *joint) {
    const tni_joint_block *block = &solver->joints[block_index];
    joint->block = block_index;
    joint->joint = block->joint; // the array of joints may have moved
    joint->force = joint->torque_a = joint->torque_b = dvec3_make(0.0, 0.0, 0.0);
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        uint32_t row = r < joint->equality_count ? r : joint->actors[r].row;
        joint->actors[r].step_impulse = joint->actors[r].work = 0.0;
        joint->impulse[r] = 0.5 * (double)solver->row_states[block->first_row + row].impulse;
        joint->actors[r].is_out =
            joint->actors[r].kind == TNI_ACTOR_LIMIT && !(joint->impulse[r] > 0.0);
    }
}

static bool mechanisms_fill(tn_world *world, const tni_solver *solver, const mechanisms_plan *plan,
                            uint32_t group, const mechanisms_cast *cast,
                            tni_mechanism_record *record) {
    tni_mechanism *mechanism = &record->mechanism;
    const tni_block_pattern *pattern = &mechanism->pattern;
    tni_arena *arena = &world->arena;
    mechanism->values = tni_arena_alloc(arena, pattern->value_count * sizeof(double));
    mechanism->scratch =
        tni_arena_alloc(arena, (size_t)pattern->widest * TNI_BLOCK_MAX * sizeof(double));
    mechanism->scales = tni_arena_alloc(arena, pattern->unknown_count * sizeof(double));
    mechanism->unknowns = tni_arena_alloc(arena, pattern->unknown_count * sizeof(double));
    if (mechanism->values == NULL || mechanism->scratch == NULL || mechanism->scales == NULL ||
        mechanism->unknowns == NULL) {
        return false;
    }
    memset(&mechanism->report, 0, sizeof mechanism->report);
    mechanism->solve_ms = 0.0;
    mechanism->report.dependent_joint = TNI_NONE;
    mechanism->is_fresh = true;
    mechanism->has_scales = false;
    for (uint32_t i = 0; i < cast->count; ++i) {
        mechanisms_fill_body(solver, cast->bodies[i], &mechanism->bodies[i]);
    }
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        mechanisms_fill_joint(solver, plan->joints[plan->first[group] + k], &mechanism->joints[k]);
    }
    return true;
}

// ---- contacts of coupled mechanisms
// ---------------------------------------------------------------

static uint32_t mechanisms_contact_owner(const tni_solver *solver, uint32_t contact) {
    const tni_contact_record *record = &solver->contact_records[contact];
    uint32_t owner = solver->mechanism_of[record->body_a];
    return owner != TNI_NONE ? owner : solver->mechanism_of[record->body_b];
}

static bool mechanisms_allocate_contacts(tn_world *world, tni_mechanism *mechanism) {
    size_t rows = (size_t)mechanism->contact_count * TNI_MECHANISM_CONTACT_ROWS;
    size_t columns = rows * 6 * mechanism->moving_count;
    if (columns > MECHANISMS_MOST_COLUMNS) {
        mechanism->contact_count = 0;
        rows = columns = 0;
    }
    tni_arena *arena = &world->arena;
    uint32_t count = mechanism->contact_count;
    mechanism->contacts = tni_arena_alloc(arena, count * sizeof(uint32_t));
    mechanism->contact_rows = tni_arena_alloc(arena, rows * sizeof(tni_mechanism_row));
    mechanism->columns = tni_arena_alloc(arena, columns * sizeof(double));
    mechanism->contact_impulses = tni_arena_alloc(arena, rows * sizeof(double));
    mechanism->shift = tni_arena_alloc(arena, 6 * mechanism->moving_count * sizeof(double));
    return mechanism->contacts != NULL && mechanism->contact_rows != NULL &&
           mechanism->columns != NULL && mechanism->contact_impulses != NULL &&
           mechanism->shift != NULL;
}

// A gate that never shuts: Gauss-Seidel passes it over.
static void mechanisms_hide_contact(tni_solver *solver, const tni_mechanism *mechanism,
                                    uint32_t contact) {
    if (!mechanism->is_coupled) {
        solver->contact_gates[contact].is_shut = false;
        solver->contact_gates[contact].least = FLT_MAX;
    }
}

static bool mechanisms_gather_contacts(tn_world *world, tni_solver *solver) {
    size_t n = solver->body_count;
    solver->mechanism_of = tni_arena_alloc(&world->arena, 2 * n * sizeof(uint32_t));
    if (solver->mechanism_of == NULL) {
        return false;
    }
    solver->mechanism_local = solver->mechanism_of + n;
    for (size_t i = 0; i < n; ++i) {
        solver->mechanism_of[i] = TNI_NONE;
    }
    for (uint32_t m = 0; m < solver->mechanism_count; ++m) {
        tni_mechanism *mechanism = solver->mechanisms[m];
        mechanism->contact_count = 0;
        for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
            solver->mechanism_of[mechanism->bodies[i].solver_body] = m;
            solver->mechanism_local[mechanism->bodies[i].solver_body] = i;
        }
    }
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        uint32_t owner = mechanisms_contact_owner(solver, i);
        if (owner != TNI_NONE) {
            solver->mechanisms[owner]->contact_count += 1;
        }
    }
    for (uint32_t m = 0; m < solver->mechanism_count; ++m) {
        tni_mechanism *mechanism = solver->mechanisms[m];
        if (!mechanisms_allocate_contacts(world, mechanism)) {
            return false;
        }
        mechanism->is_full = mechanism->contact_count == 0;
        mechanism->contact_count = 0;
    }
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        uint32_t owner = mechanisms_contact_owner(solver, i);
        if (owner != TNI_NONE && !solver->mechanisms[owner]->is_full) {
            tni_mechanism *mechanism = solver->mechanisms[owner];
            mechanism->contacts[mechanism->contact_count++] = i;
            mechanisms_hide_contact(solver, mechanism, i);
        }
    }
    // Restitution of what is hidden is not the solver's.
    uint32_t kept = 0;
    for (uint32_t k = 0; k < solver->bouncing_count; ++k) {
        uint32_t contact = solver->bouncing[k];
        if (solver->contact_gates[contact].least < FLT_MAX) {
            solver->bouncing[kept++] = contact;
        }
    }
    solver->bouncing_count = kept;
    return true;
}

// Blocks of mechanisms to the end, both parts in their order.
static bool mechanisms_sort_blocks(tn_world *world, tni_solver *solver) {
    uint32_t count = solver->joint_count, kept = 0, moved = 0;
    tni_joint_block *sorted = tni_arena_alloc(&world->arena, count * sizeof *sorted);
    if (sorted == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        moved += solver->joints[i].is_exact ? 1 : 0;
    }
    solver->exact_count = moved;
    solver->joint_count = count - moved;
    moved = solver->joint_count;
    for (uint32_t i = 0; i < count; ++i) {
        sorted[solver->joints[i].is_exact ? moved++ : kept++] = solver->joints[i];
    }
    solver->joints = sorted;
    return true;
}

static bool mechanisms_gather_one(tn_world *world, tni_solver *solver, mechanisms_plan *plan,
                                  uint32_t group, mechanisms_cast *cast) {
    tni_mechanism_record *record = &world->mechanisms[group];
    mechanisms_find_cast(solver, plan, group, cast);
    bool is_known = record->memory != NULL && record->signature == cast->signature;
    if (!is_known && !mechanisms_rebuild(world, solver, plan, group, cast, record)) {
        return false;
    }
    if (!mechanisms_fill(world, solver, plan, group, cast, record)) {
        return false;
    }
    solver->mechanisms[group] = &record->mechanism;
    const tni_joint_block *block = &solver->joints[plan->joints[plan->first[group]]];
    record->mechanism.is_coupled = !block->is_exact;
    for (uint32_t i = 0; i < cast->moving; ++i) {
        solver->is_exact[cast->bodies[i]] = block->is_exact;
    }
    return true;
}

bool tni_step_gather_mechanisms(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    mechanisms_plan plan = {.group_count = 0};
    mechanisms_cast cast = {.count = 0};
    mechanisms_mark_joints(world, solver);
    bool any = false;
    for (uint32_t i = 0; i < solver->joint_count && !any; ++i) {
        any = solver->joints[i].is_projected;
    }
    if (!any) {
        return true;
    }
    uint32_t total = solver->joint_count;
    cast.bodies = tni_arena_alloc(&world->arena, solver->body_count * sizeof(uint32_t));
    if (cast.bodies == NULL || !mechanisms_allocate_plan(world, solver, &plan)) {
        return false;
    }
    mechanisms_join(solver, &plan, total);
    mechanisms_bar(solver, &plan, total);
    if (!mechanisms_sort_blocks(world, solver)) {
        return false;
    }
    mechanisms_number(solver, &plan, total);
    solver->mechanisms =
        tni_arena_alloc(&world->arena, plan.group_count * sizeof *solver->mechanisms);
    if (solver->mechanisms == NULL || !mechanisms_reserve_records(world, plan.group_count)) {
        return false;
    }
    for (uint32_t g = 0; g < plan.group_count; ++g) {
        if (!mechanisms_gather_one(world, solver, &plan, g, &cast)) {
            return false;
        }
    }
    solver->mechanism_count = plan.group_count;
    return mechanisms_gather_contacts(world, solver);
}

// ---- telemetry ---------------------------------------------------------------------------------

static tn_joint_id mechanisms_get_joint(const tn_world *world, const tni_solver *solver,
                                        const tni_mechanism_joint *joint) {
    return (tn_joint_id){world->joints[solver->joints[joint->block].world_joint].handle};
}

static void mechanisms_note_joint(const tn_world *world, const tni_solver *solver,
                                  const tni_mechanism_joint *joint, tn_mechanism_info *info) {
    const tni_joint *own = &world->joints[solver->joints[joint->block].world_joint];
    tn_joint_id id = {own->handle};
    info->rows += joint->row_count;
    if (info->worst_linear_joint.value == 0 || own->linear_error > info->worst_joint_linear) {
        info->worst_joint_linear = own->linear_error;
        info->worst_linear_joint = id;
    }
    if (info->worst_angular_joint.value == 0 || own->angular_error > info->worst_joint_angular) {
        info->worst_joint_angular = own->angular_error;
        info->worst_angular_joint = id;
    }
}

// The joints' errors have been stored.
static void mechanisms_note(const tn_world *world, const tni_solver *solver,
                            tni_mechanism_record *record) {
    const tni_mechanism *mechanism = &record->mechanism;
    const tni_mechanism_report *report = &mechanism->report;
    record->info = (tn_mechanism_info){
        .method =
            mechanism->is_coupled ? TN_MECHANISM_METHOD_PGS_CLOSED : TN_MECHANISM_METHOD_DIRECT,
        .bodies = mechanism->moving_count,
        .joints = mechanism->joint_count,
        .dependent_rows = report->dependent_rows,
        .fill = mechanism->pattern.value_count,
        .stages = report->stages,
        .iterations = report->iterations,
        .splits = report->splits,
        .failures = mechanism->is_coupled ? report->unclosed : report->failures,
        .solve_ms = mechanism->solve_ms,
    };
    if (report->dependent_joint != TNI_NONE) {
        const tni_mechanism_joint *joint = &mechanism->joints[report->dependent_joint];
        record->info.dependent_joint = mechanisms_get_joint(world, solver, joint);
    }
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        mechanisms_note_joint(world, solver, &mechanism->joints[k], &record->info);
    }
}

// ---- back --------------------------------------------------------------------------------------

void tni_step_scatter_mechanisms(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    for (uint32_t i = 0; i < solver->joint_count + solver->exact_count; ++i) {
        tni_joint *joint = &world->joints[solver->joints[i].world_joint];
        joint->exact_pause -= joint->exact_pause > 0 ? 1 : 0;
    }
    for (uint32_t i = 0; i < solver->mechanism_count; ++i) {
        const tni_mechanism *mechanism = &world->mechanisms[i].mechanism;
        mechanisms_note(world, solver, &world->mechanisms[i]);
        for (uint32_t k = 0; k < mechanism->joint_count && mechanism->report.failures > 0; ++k) {
            const tni_joint_block *block = &solver->joints[mechanism->joints[k].block];
            world->joints[block->world_joint].exact_pause = MECHANISMS_PAUSE;
        }
    }
    world->mechanism_count = solver->mechanism_count;
}
