// forces/goal.c: the memory, value and derivatives of an expression that bodies minimise.
//
// A goal acts on a body with -strength dE/dq; solver/movers/goal.c says how a substep handles it.
// Test: tests/forces/test_goal_force.c
#include "forces/goal.h"

#include <string.h>

static double *goal_cut(double **rest, size_t count) {
    double *part = *rest;
    *rest += count;
    return part;
}

tni_goal *tni_goal_make(const tn_graph *graph, uint32_t number, uint32_t body_count,
                        tni_allocator *allocator) {
    tni_goal *goal = tni_alloc_zeroed(allocator, sizeof *goal);
    if (goal == NULL) {
        return NULL;
    }
    size_t size = 6 * (size_t)body_count,
           doubles = graph->number_count + 2 * size + 3 * size * size;
    size_t of_values = tni_graph_values_size(graph), of_freedoms = size * sizeof *goal->freedoms;
    goal->memory_size = of_values + of_freedoms + doubles * sizeof(double);
    goal->graph = tni_graph_copy(graph, allocator);
    goal->memory = tni_alloc_zeroed(allocator, goal->memory_size);
    if (goal->graph == NULL || goal->memory == NULL) {
        tni_goal_free(goal, allocator);
        return NULL;
    }
    goal->number = number;
    goal->body_count = body_count;
    goal->values = tni_graph_values_make(goal->graph, goal->memory);
    double *rest = (double *)((char *)goal->memory + of_values);
    goal->adjoints = goal_cut(&rest, graph->number_count);
    goal->gradient = goal_cut(&rest, size);
    goal->impulse = goal_cut(&rest, size);
    goal->curvature = goal_cut(&rest, size * size);
    goal->scaled = goal_cut(&rest, size * size);
    goal->factor = goal_cut(&rest, size * size);
    goal->freedoms = (tni_goal_freedom *)rest;
    return goal;
}

void tni_goal_free(tni_goal *goal, tni_allocator *allocator) {
    if (goal != NULL) {
        tni_graph_free(goal->graph, allocator);
        tni_free(allocator, goal->memory, goal->memory_size);
        tni_free(allocator, goal, sizeof *goal);
    }
}

double tni_goal_evaluate(const tni_goal *goal, const tni_graph_body *bodies, double time) {
    tni_graph_values values = goal->values;
    values.gradients = NULL;
    tni_graph_evaluate(goal->graph, bodies, time, &values);
    return goal->values.numbers[goal->number].value;
}

bool tni_goal_derive(const tni_goal *goal, const tni_graph_body *bodies, double time) {
    size_t size = 6 * (size_t)goal->body_count;
    tni_graph_evaluate(goal->graph, bodies, time, &goal->values);
    double sum = fabs(goal->values.numbers[goal->number].value);
    memset(goal->gradient, 0, size * sizeof *goal->gradient);
    for (uint32_t i = 0; i < goal->body_count; ++i) {
        const double *g = tni_graph_get_gradient(goal->graph, &goal->values, goal->number, i);
        for (uint32_t c = 0; c < 6 && g != NULL; ++c) {
            goal->gradient[6 * i + c] = g[c];
            sum += fabs(g[c]);
        }
    }
    memset(goal->adjoints, 0, goal->graph->number_count * sizeof *goal->adjoints);
    goal->adjoints[goal->number] = 1.0;
    tni_graph_find_curvature(goal->graph, bodies, goal->body_count, &goal->values, goal->adjoints,
                             goal->curvature);
    for (size_t i = 0; i < size * size; ++i) {
        sum += fabs(goal->curvature[i]);
    }
    return isfinite(sum);
}
