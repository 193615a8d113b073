// world/movers/step_closings.c: groups the joints of reduced bodies that are closed together.
//
// Union-find over the bodies that spans move makes groups, in the order of their first spans. The
// nodes of a group are in reverse order of a breadth-first walk through its bodies, from the last
// node of another walk like it. Each row begins with the first node that shares a body with its
// own. A group that would cost too much is left to the sweeps, and so are joints that ask for
// TN_SOLVER_PGS.
// Source: A. George, J. Liu, "Computer solution of large sparse positive definite systems", 1981,
// 4.3 and 4.4.
// Test: tests/world/movers/test_reduced_closing.c
#include <string.h>

#include "core/union_find.h"
#include "solver/movers/closing.h"
#include "solver/movers/span_joint.h"
#include "world/step/step_mechanisms.h"

// One factorisation of a group may take this many multiply-adds: some ms.
#define CLOSINGS_MOST_WORK 2e6

// The scratch of all groups.
typedef struct closings_plan {
    uint32_t *roots;    // by body
    uint32_t *group_of; // by root: its group, or TNI_NONE
    uint32_t *local_of; // by body: its number in its group
    uint32_t *spans;    // the spans that take part, group by group
    uint32_t *firsts;   // by group, and one more: its first span
    uint32_t *order;    // of one group: places in its list of spans
    uint32_t group_count;
} closings_plan;

static bool closings_takes(const tn_world *world, const tni_span *span) {
    const tni_joint *joint = tni_joint_at(world, span->world_joint);
    return span->equality_count > 0 && span->rope == NULL && !span->is_exact &&
           (span->joint != NULL || span->object_count > 0) &&
           tni_mechanism_get_solver(world, joint) != TN_SOLVER_PGS &&
           !tni_method_is_compared(world->def.research.integrator);
}

static bool closings_allocate(tn_world *world, const tni_solver *solver, closings_plan *plan) {
    size_t bodies = solver->bodies.count, spans = solver->movers.span_count;
    size_t words = 3 * bodies + 3 * spans + 1;
    uint32_t *next = tni_arena_alloc(&world->arena, words * sizeof *next);
    if (next == NULL) {
        return false;
    }
    plan->roots = next;
    plan->group_of = next + bodies;
    plan->local_of = next + 2 * bodies;
    plan->spans = next + 3 * bodies;
    plan->order = plan->spans + spans;
    plan->firsts = plan->order + spans;
    for (uint32_t i = 0; i < bodies; ++i) {
        plan->roots[i] = i;
        plan->group_of[i] = plan->local_of[i] = TNI_NONE;
    }
    return true;
}

// ---- groups ------------------------------------------------------------------------------------

// Returns the first body that the span moves, or TNI_NONE.
static uint32_t closings_get_body(const tni_span *span) {
    for (uint32_t i = 0; i < span->body_count; ++i) {
        if (span->moves[i]) {
            return span->bodies[i];
        }
    }
    return TNI_NONE;
}

static void closings_join(const tn_world *world, const tni_solver *solver, closings_plan *plan) {
    for (uint32_t s = 0; s < solver->movers.span_count; ++s) {
        const tni_span *span = &solver->movers.spans[s];
        uint32_t first = closings_get_body(span);
        for (uint32_t i = 0; i < span->body_count && closings_takes(world, span); ++i) {
            if (span->moves[i]) {
                union_find_join(plan->roots, first, span->bodies[i]);
            }
        }
    }
}

// Returns the group of a span that takes part, numbered in the order of first spans, or TNI_NONE.
static uint32_t closings_get_group(const tn_world *world, const tni_span *span,
                                   closings_plan *plan) {
    uint32_t body = closings_get_body(span);
    if (body == TNI_NONE || !closings_takes(world, span)) {
        return TNI_NONE;
    }
    uint32_t root = union_find_root(plan->roots, body);
    if (plan->group_of[root] == TNI_NONE) {
        plan->firsts[plan->group_count] = 0;
        plan->group_of[root] = plan->group_count++;
    }
    return plan->group_of[root];
}

// Sorts spans by counting: `firsts` has counts, then where a group is filled, then where it begins.
static void closings_sort(const tn_world *world, const tni_solver *solver, closings_plan *plan) {
    plan->group_count = 0;
    for (uint32_t s = 0; s < solver->movers.span_count; ++s) {
        uint32_t group = closings_get_group(world, &solver->movers.spans[s], plan);
        if (group != TNI_NONE) {
            plan->firsts[group] += 1;
        }
    }
    uint32_t sum = 0;
    for (uint32_t g = 0; g < plan->group_count; ++g) {
        uint32_t count = plan->firsts[g];
        plan->firsts[g] = sum;
        sum += count;
    }
    for (uint32_t s = 0; s < solver->movers.span_count; ++s) {
        uint32_t group = closings_get_group(world, &solver->movers.spans[s], plan);
        if (group != TNI_NONE) {
            plan->spans[plan->firsts[group]++] = s;
        }
    }
    for (uint32_t g = plan->group_count; g > 0; --g) {
        plan->firsts[g] = plan->firsts[g - 1];
    }
    plan->firsts[0] = 0;
}

// ---- one group ---------------------------------------------------------------------------------

// Returns the object whose speeds the span's body i holds, with the first of these speeds, or null.
static tni_reduced *closings_find_object(const tni_span *span, uint32_t i, uint32_t *out_freedom) {
    tni_reduced *found = NULL;
    for (uint32_t e = 0; e < 2 && span->joint != NULL; ++e) {
        const tni_span_end *end = &span->joint->ends[e];
        if (end->moves && end->reduced != NULL && i >= end->entry &&
            i - end->entry < tni_reduced_count_slots(end->reduced)) {
            found = end->reduced;
            *out_freedom = TNI_REDUCED_SLOT * (i - end->entry);
        }
    }
    for (uint32_t o = 0; o < span->object_count; ++o) {
        const tni_span_object *object = &span->objects[o];
        if (i >= object->entry && i - object->entry < tni_reduced_count_slots(object->reduced)) {
            found = object->reduced;
            *out_freedom = TNI_REDUCED_SLOT * (i - object->entry);
        }
    }
    return found;
}

// Lists nodes and bodies in the order of the spans.
static void closings_list(const tni_solver *solver, const uint32_t *spans, closings_plan *plan,
                          tni_closing *closing) {
    uint32_t entry_count = 0;
    for (uint32_t n = 0; n < closing->node_count; ++n) {
        tni_closing_node *node = &closing->nodes[n];
        node->span = &solver->movers.spans[spans[n]];
        node->first_entry = entry_count;
        for (uint32_t i = 0; i < node->span->body_count; ++i) {
            uint32_t body = node->span->bodies[i];
            if (!node->span->moves[i]) {
                continue;
            }
            if (plan->local_of[body] == TNI_NONE) {
                tni_closing_body own = {.body = body};
                own.reduced = closings_find_object(node->span, i, &own.freedom);
                plan->local_of[body] = closing->body_count;
                closing->bodies[closing->body_count++] = own;
            }
            closing->entries[entry_count++] = (tni_closing_entry){plan->local_of[body], i};
        }
        node->entry_count = entry_count - node->first_entry;
    }
}

// Fills the incidences by body, with nodes in their order.
static void closings_fill_incidences(tni_closing *closing) {
    for (uint32_t b = 0; b < closing->body_count; ++b) {
        closing->bodies[b].last = 0;
    }
    for (uint32_t n = 0; n < closing->node_count; ++n) {
        const tni_closing_node *node = &closing->nodes[n];
        for (uint32_t e = 0; e < node->entry_count; ++e) {
            closing->bodies[closing->entries[node->first_entry + e].body].last += 1;
        }
    }
    uint32_t sum = 0;
    for (uint32_t b = 0; b < closing->body_count; ++b) {
        tni_closing_body *body = &closing->bodies[b];
        body->first = sum;
        sum += body->last;
        body->last = body->first;
    }
    for (uint32_t n = 0; n < closing->node_count; ++n) {
        const tni_closing_node *node = &closing->nodes[n];
        for (uint32_t e = 0; e < node->entry_count; ++e) {
            tni_closing_body *body = &closing->bodies[closing->entries[node->first_entry + e].body];
            closing->incidences[body->last++] = (tni_closing_incidence){n, e};
        }
    }
}

// Walks breadth first from a node and lists the nodes in `order`.
static void closings_walk(const tni_closing *closing, uint32_t start, bool *is_met,
                          uint32_t *order) {
    memset(is_met, 0, (closing->node_count + closing->body_count) * sizeof *is_met);
    bool *is_body_met = is_met + closing->node_count;
    uint32_t count = 1;
    order[0] = start;
    is_met[start] = true;
    for (uint32_t k = 0; k < count; ++k) {
        const tni_closing_node *node = &closing->nodes[order[k]];
        for (uint32_t e = 0; e < node->entry_count; ++e) {
            uint32_t b = closing->entries[node->first_entry + e].body;
            const tni_closing_body *body = &closing->bodies[b];
            for (uint32_t i = body->first; i < body->last && !is_body_met[b]; ++i) {
                uint32_t next = closing->incidences[i].node;
                if (!is_met[next]) {
                    is_met[next] = true;
                    order[count++] = next;
                }
            }
            is_body_met[b] = true;
        }
    }
    TN_ASSERT(count == closing->node_count);
}

// Returns false without memory.
static bool closings_order(tni_arena *arena, closings_plan *plan, tni_closing *closing) {
    uint32_t n = closing->node_count;
    bool *is_met = tni_arena_alloc(arena, (n + closing->body_count) * sizeof *is_met);
    tni_closing_node *sorted = tni_arena_alloc(arena, n * sizeof *sorted);
    if (is_met == NULL || sorted == NULL) {
        return false;
    }
    closings_walk(closing, 0, is_met, plan->order);
    closings_walk(closing, plan->order[n - 1], is_met, plan->order);
    for (uint32_t k = 0; k < n; ++k) {
        sorted[n - 1 - k] = closing->nodes[plan->order[k]];
    }
    closing->nodes = sorted;
    closings_fill_incidences(closing);
    return true;
}

// Numbers the rows of all nodes. Returns how many numbers the matrix has; `out_work` is the
// multiply-adds of a factorisation.
static size_t closings_number_rows(tni_closing *closing, double *out_work) {
    size_t numbers = 0;
    *out_work = 0.0;
    for (uint32_t n = 0; n < closing->node_count; ++n) {
        tni_closing_node *node = &closing->nodes[n];
        node->first_row = closing->row_count;
        closing->row_count += node->span->equality_count;
    }
    for (uint32_t n = 0; n < closing->node_count; ++n) {
        const tni_closing_node *node = &closing->nodes[n];
        uint32_t first = n;
        for (uint32_t e = 0; e < node->entry_count; ++e) {
            uint32_t body = closing->entries[node->first_entry + e].body;
            uint32_t other = closing->incidences[closing->bodies[body].first].node;
            first = other < first ? other : first;
        }
        for (uint32_t r = 0; r < node->span->equality_count; ++r) {
            tni_closing_row *row = &closing->rows[node->first_row + r];
            *row = (tni_closing_row){.first = closing->nodes[first].first_row};
            row->node = n;
            row->of_span = r;
            double width = (double)(node->first_row + r + 1 - row->first);
            numbers += node->first_row + r + 1 - row->first;
            *out_work += 0.5 * width * width;
        }
    }
    return numbers;
}

static bool closings_allocate_numbers(tni_arena *arena, tni_closing *closing, size_t matrix) {
    size_t count = matrix;
    for (uint32_t n = 0; n < closing->node_count; ++n) {
        const tni_closing_node *node = &closing->nodes[n];
        count += (size_t)12 * node->span->equality_count * node->entry_count;
    }
    double *next = tni_arena_alloc_zeroed(arena, count * sizeof *next);
    for (uint32_t i = 0; i < closing->row_count && next != NULL; ++i) {
        closing->rows[i].numbers = next;
        next += i + 1 - closing->rows[i].first;
    }
    for (uint32_t n = 0; n < closing->node_count && next != NULL; ++n) {
        tni_closing_node *node = &closing->nodes[n];
        size_t half = (size_t)6 * node->span->equality_count * node->entry_count;
        node->jacobian = next;
        node->response = next + half;
        next += 2 * half;
    }
    return next != NULL;
}

static bool closings_allocate_group(tni_arena *arena, const tni_solver *solver,
                                    const uint32_t *spans, tni_closing *closing) {
    uint32_t entries = 0, rows = 0;
    for (uint32_t n = 0; n < closing->node_count; ++n) {
        entries += solver->movers.spans[spans[n]].body_count;
        rows += solver->movers.spans[spans[n]].equality_count;
    }
    closing->nodes = tni_arena_alloc(arena, closing->node_count * sizeof *closing->nodes);
    closing->entries = tni_arena_alloc(arena, entries * sizeof *closing->entries);
    closing->rows = tni_arena_alloc(arena, rows * sizeof *closing->rows);
    closing->bodies = tni_arena_alloc(arena, entries * sizeof *closing->bodies);
    closing->incidences = tni_arena_alloc(arena, entries * sizeof *closing->incidences);
    return closing->nodes != NULL && closing->entries != NULL && closing->rows != NULL &&
           closing->bodies != NULL && closing->incidences != NULL;
}

// Returns false without memory.
static bool closings_make(tn_world *world, tni_solver *solver, closings_plan *plan,
                          uint32_t group) {
    const uint32_t *spans = plan->spans + plan->firsts[group];
    tni_closing *closing = &solver->movers.closings[solver->movers.closing_count];
    *closing = (tni_closing){.node_count = plan->firsts[group + 1] - plan->firsts[group]};
    if (!closings_allocate_group(&world->arena, solver, spans, closing)) {
        return false;
    }
    closings_list(solver, spans, plan, closing);
    closings_fill_incidences(closing);
    if (!closings_order(&world->arena, plan, closing)) {
        return false;
    }
    double work;
    size_t numbers = closings_number_rows(closing, &work);
    if (work > CLOSINGS_MOST_WORK) {
        return true;
    }
    solver->movers.closing_count += 1;
    for (uint32_t n = 0; n < closing->node_count; ++n) {
        closing->nodes[n].span->is_closed = true;
    }
    return closings_allocate_numbers(&world->arena, closing, numbers);
}

bool tni_step_gather_closings(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    closings_plan plan = {.group_count = 0};
    solver->movers.closing_count = 0;
    if (solver->movers.reduced_count == 0 || solver->movers.span_count == 0) {
        return true;
    }
    if (!closings_allocate(world, solver, &plan)) {
        return false;
    }
    closings_join(world, solver, &plan);
    closings_sort(world, solver, &plan);
    solver->movers.closings =
        tni_arena_alloc(&world->arena, plan.group_count * sizeof *solver->movers.closings);
    bool is_done = plan.group_count == 0 || solver->movers.closings != NULL;
    for (uint32_t g = 0; g < plan.group_count && is_done; ++g) {
        is_done = closings_make(world, solver, &plan, g);
    }
    return is_done;
}
