// world/mechanisms/mechanism_groups.c: decides which joints are solved exactly, and which of them
// belong together.
//
// Joints that ask for it, or that TN_SOLVER_AUTO chose, and that tie a moving body are exact.
// Union-find over the bodies they tie makes mechanisms, numbered by their first joint. A mechanism
// that is tied to a joint which only Gauss-Seidel solves is barred: Gauss-Seidel moves it, and its
// joints are closed. A mechanism that touches very much is barred too, or left by AUTO altogether;
// one that alternates is closed as well (mechanism_heaps.c).
// Test: tests/world/mechanisms/test_mechanisms.c
#include <string.h>

#include "core/union_find.h"

#include "joints/functions/rope_joint.h"
#include "solver/movers/span_contact.h"
#include "solver/touches/touch.h"

#include "world/step/step_mechanisms.h"

// Returns whether a joint asks for an exact solution. A span follows its joint; conjugate gradients
// are for rows of two bodies.
static bool groups_wants_exact(const tn_world *world, const tni_joint *any) {
    const tni_joint *joint = tni_mechanism_get_owner(world, any);
    // A method for comparison may drift without being closed.
    bool may_drift = tni_method_is_compared(world->def.research.integrator);
    if (joint->exact_pause > 0 || (tni_mechanism_is_far(joint) && !may_drift)) {
        return false;
    }
    tn_solver solver = tni_mechanism_get_solver(world, joint);
    bool is_span = tni_mechanism_get_function(joint) != NULL;
    return solver == TN_SOLVER_DIRECT || (solver == TN_SOLVER_CG && is_span) ||
           (solver == TN_SOLVER_AUTO && joint->choice == TNI_CHOICE_DIRECT);
}

bool tni_mechanism_plan_allocate(tn_world *world, const tni_solver *solver,
                                 tni_mechanism_plan *plan) {
    tni_arena *arena = &world->arena;
    uint32_t bodies = solver->bodies.count, joints = solver->joints.count;
    plan->roots = tni_arena_alloc(arena, bodies * sizeof(uint32_t));
    plan->group_of = tni_arena_alloc(arena, bodies * sizeof(uint32_t));
    plan->joints = tni_arena_alloc(arena, joints * sizeof(uint32_t));
    plan->first = tni_arena_alloc(arena, (joints + 2) * sizeof(uint32_t));
    plan->local_of = tni_arena_alloc(arena, bodies * sizeof(uint32_t));
    plan->stamp = tni_arena_alloc_zeroed(arena, bodies * sizeof(uint32_t));
    plan->welds = tni_arena_alloc(arena, bodies * sizeof(uint32_t));
    plan->is_barred = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    plan->is_crowded = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    plan->is_left = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    plan->is_loaded = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    plan->heaps = tni_arena_alloc(arena, bodies * sizeof(uint32_t));
    plan->prices = tni_arena_alloc_zeroed(arena, bodies * sizeof(uint64_t));
    plan->presses = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    plan->alternates = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    return plan->roots != NULL && plan->group_of != NULL && plan->joints != NULL &&
           plan->first != NULL && plan->local_of != NULL && plan->stamp != NULL &&
           plan->welds != NULL && plan->is_barred != NULL && plan->is_crowded != NULL &&
           plan->is_left != NULL && plan->is_loaded != NULL && plan->heaps != NULL &&
           plan->prices != NULL && plan->presses != NULL && plan->alternates != NULL;
}

// Returns whether all rows of a function are equalities and limits.
static bool groups_takes_rows(const tni_function *function) {
    bool takes = function->row_count > 0;
    for (uint32_t r = 0; r < function->row_count; ++r) {
        uint32_t kind = function->rows[r].kind;
        takes = takes && (kind == TN_CUSTOM_ROW_EQUALITY || kind == TN_CUSTOM_ROW_LIMIT);
    }
    return takes;
}

// Returns whether a rope has no friction, elasticity or slipping drum, so that all pieces pull
// alike.
static bool groups_takes_rope(const tni_rope *rope) {
    bool takes = isinf(rope->settings.max_tension) && !(rope->settings.axial_stiffness > 0.0f);
    for (uint32_t k = 0; k < rope->settings.point_count; ++k) {
        takes = takes && !(rope->settings.points[k].friction > 0.0f);
    }
    return takes;
}

// Returns whether a function has bodies that coordinates give: they move by rows of their objects,
// which only sweeps know.
static bool groups_has_reduced(const tn_world *world, const tni_function *function) {
    bool has_one = false;
    for (uint32_t i = 0; i < function->body_count && world->reduced_list.count > 0; ++i) {
        uint32_t body = function->bodies[i];
        has_one = has_one || (body != TNI_NONE && tni_body_at(world, body)->reduced != TNI_NONE);
    }
    return has_one;
}

// Returns whether a mechanism can take the span of a block without rows of its own: its rows are
// rigid.
static bool groups_takes_span(const tn_world *world, const tni_joint *joint) {
    const tni_joint *owner = tni_mechanism_get_owner(world, joint);
    const tni_function *function = tni_mechanism_get_function(owner);
    if (function == NULL || owner->def.base.hertz > 0.0f || !tni_mechanism_has_direct(world) ||
        groups_has_reduced(world, function)) {
        return false;
    }
    return function->rope != NULL ? groups_takes_rope(function->rope) : groups_takes_rows(function);
}

bool tni_mechanism_takes(const tn_world *world, const tni_solver *solver,
                         const tni_joint_block *block) {
    bool moves =
        tni_mechanism_moves(solver, block->body_a) || tni_mechanism_moves(solver, block->body_b);
    if (block->row_count == 0) {
        return moves && groups_takes_span(world, block->joint);
    }
    return moves;
}

bool tni_mechanism_plan_mark(const tn_world *world, tni_solver *solver) {
    bool any = false;
    for (uint32_t i = 0; i < solver->joints.count; ++i) {
        tni_joint_block *block = &solver->joints.blocks[i];
        block->is_projected =
            groups_wants_exact(world, block->joint) && tni_mechanism_takes(world, solver, block);
        any |= block->is_projected;
    }
    return any;
}

void tni_mechanism_plan_join(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t total) {
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        plan->roots[i] = i;
        plan->group_of[i] = TNI_NONE;
    }
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        if (block->is_projected && tni_mechanism_moves(solver, block->body_a) &&
            tni_mechanism_moves(solver, block->body_b)) {
            union_find_join(plan->roots, block->body_a, block->body_b);
        }
    }
}

// AUTO pays for this many contacts times bodies in any case: those of a figure of 40 parts, or of a
// chain of 20 links that lies on a floor.
#define GROUPS_MOST_PRICE (40u * TNI_CHOICE_MOST_CONTACTS)
// AUTO pays for this many in a chain or tree whose light parts carry heavy ones, as a rope over a
// wheel with a weight: sweeps let it open in proportion to the load, and slip. About 10 ms.
#define GROUPS_MOST_PRICE_LOADED 5000u

// Returns whether a contact counts. One that exists only because its bodies are fast, and neither
// meets within the step nor is near, is no reason to leave a mechanism: the links of a flail pass
// each other far apart.
static bool groups_counts(const tn_world *world, const tni_contact_record *record) {
    float least = FLT_MAX;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        least = maths_min(least, record->separation[p]);
    }
    return least <= world->def.contact_margin ||
           tni_contact_at(world, record->contact)->is_touching;
}

// Counts joints by root, and notes whether AUTO knows of a load there.
static void groups_count_joints(const tn_world *world, const tni_solver *solver,
                                tni_mechanism_plan *plan, uint32_t total) {
    memset(plan->welds, 0, solver->bodies.count * sizeof(uint32_t));
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        if (!block->is_projected) {
            continue;
        }
        uint32_t root = tni_mechanism_plan_root(solver, plan, block);
        uint32_t group = block->joint->choice_group;
        plan->welds[root] += 1;
        plan->is_loaded[root] |= tni_mechanism_is_chosen(world, block->joint) &&
                                 group < world->choice_count && world->choices[group].is_loaded;
    }
}

// Counts contacts by root. A mechanism whose contacts would cost too much through the joints is
// barred, and crowded for AUTO at less.
static void groups_count_contacts(const tn_world *world, const tni_solver *solver,
                                  tni_mechanism_plan *plan) {
    uint32_t *bodies = plan->bodies, *contacts = plan->contacts;
    memset(bodies, 0, solver->bodies.count * sizeof(uint32_t));
    memset(contacts, 0, solver->bodies.count * sizeof(uint32_t));
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        bodies[union_find_root(plan->roots, i)] += 1;
    }
    for (uint32_t i = 0; i < solver->contacts.own_count; ++i) {
        const tni_contact_record *record = &solver->contacts.records[i];
        if (groups_counts(world, record)) {
            contacts[union_find_root(plan->roots, record->body_a)] += 1;
            contacts[union_find_root(plan->roots, record->body_b)] += 1;
        }
    }
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        size_t columns = (size_t)contacts[i] * TNI_TOUCH_ROWS * 6 * bodies[i];
        bool is_tree = plan->welds[i] <= bodies[i] + 1; // or one loop
        bool is_loaded = is_tree && plan->is_loaded[i];
        plan->is_barred[i] =
            columns > (is_loaded ? TNI_MECHANISM_MOST_COLUMNS_OF_TREE : TNI_MECHANISM_MOST_COLUMNS);
        bool is_dear =
            contacts[i] * bodies[i] > (is_loaded ? GROUPS_MOST_PRICE_LOADED : GROUPS_MOST_PRICE);
        plan->is_crowded[i] =
            plan->is_barred[i] || (contacts[i] > TNI_CHOICE_MOST_CONTACTS && is_dear);
    }
}

// Spreads AUTO's leaving to mechanisms that touch one that was left for its contacts.
static void groups_spread(const tni_solver *solver, tni_mechanism_plan *plan) {
    for (uint32_t i = 0; i < solver->joints.count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        bool is_left = block->joint->exact_pause > 0 && block->joint->choice == TNI_CHOICE_PGS &&
                       block->joint->choice_reason == TN_MECHANISM_REASON_CONTACTS;
        plan->is_left[block->body_a] |= is_left && tni_mechanism_moves(solver, block->body_a);
        plan->is_left[block->body_b] |= is_left && tni_mechanism_moves(solver, block->body_b);
    }
    for (uint32_t i = 0; i < solver->contacts.own_count; ++i) {
        const tni_contact_record *record = &solver->contacts.records[i];
        plan->is_crowded[union_find_root(plan->roots, record->body_a)] |=
            plan->is_left[record->body_b];
        plan->is_crowded[union_find_root(plan->roots, record->body_b)] |=
            plan->is_left[record->body_a];
    }
}

// AUTO leaves a crowded mechanism that nobody asked for.
static void groups_leave_crowded(tn_world *world, tni_solver *solver, tni_mechanism_plan *plan,
                                 uint32_t total) {
    for (uint32_t i = 0; i < total; ++i) {
        tni_joint_block *block = &solver->joints.blocks[i];
        if (block->is_projected && tni_mechanism_is_chosen(world, block->joint) &&
            plan->is_crowded[tni_mechanism_plan_root(solver, plan, block)]) {
            tni_mechanism_leave(world, block->world_joint, TN_MECHANISM_REASON_CONTACTS);
            block->is_projected = false;
        }
    }
}

static void groups_bar(const tni_mechanism_plan *plan, uint32_t a, uint32_t b) {
    plan->is_barred[union_find_root(plan->roots, a)] = true;
    plan->is_barred[union_find_root(plan->roots, b)] = true;
}

// Returns whether a span goes with conjugate gradients: if it asks for them and others in its
// mechanism are solved so, it is swept with them, which harms them less than to be moved after
// every substep.
static bool groups_goes_with_gradients(const tn_world *world, const tni_joint_block *block) {
    return block->row_count == 0 && tni_mechanism_get_solver(world, block->joint) == TN_SOLVER_CG;
}

bool tni_mechanism_plan_bar(tn_world *world, tni_solver *solver, tni_mechanism_plan *plan,
                            uint32_t total) {
    groups_count_joints(world, solver, plan, total);
    groups_count_contacts(world, solver, plan);
    groups_spread(solver, plan);
    groups_leave_crowded(world, solver, plan, total);
    if (!tni_mechanism_plan_alternate(world, solver, plan, total)) {
        return false;
    }
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        if (!block->is_projected) {
            groups_bar(plan, block->body_a, block->body_b);
        }
    }
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        const tni_span_contact *contact = &solver->movers.span_contacts[i];
        groups_bar(plan, contact->ends[0].body, contact->ends[1].body);
    }
    for (uint32_t i = 0; i < total; ++i) {
        tni_joint_block *block = &solver->joints.blocks[i];
        uint32_t root = tni_mechanism_plan_root(solver, plan, block);
        bool is_empty =
            plan->alternates[root] && block->equality_count == 0 && block->row_count > 0;
        block->is_projected = block->is_projected && !is_empty &&
                              !(plan->is_barred[root] && groups_goes_with_gradients(world, block));
        block->is_exact = block->is_projected && !plan->is_barred[root] && !plan->alternates[root];
    }
    return true;
}

void tni_mechanism_plan_number(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t total) {
    plan->group_count = 0;
    memset(plan->first, 0, (total + 2) * sizeof(uint32_t));
    memset(plan->stamp, 0, solver->bodies.count * sizeof(uint32_t));
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        if (!block->is_projected) {
            continue;
        }
        uint32_t root = tni_mechanism_plan_root(solver, plan, block);
        if (plan->group_of[root] == TNI_NONE) {
            plan->group_of[root] = plan->group_count++;
        }
        plan->first[plan->group_of[root] + 2] += 1;
    }
    for (uint32_t g = 0; g < plan->group_count; ++g) {
        plan->first[g + 2] += plan->first[g + 1];
    }
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        if (block->is_projected) {
            uint32_t root = tni_mechanism_plan_root(solver, plan, block);
            plan->joints[plan->first[plan->group_of[root] + 1]++] = i;
        }
    }
}
