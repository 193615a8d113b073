// Worlds of bodies whose joints are functions of a graph.
#ifndef TESTS_JOINTS_FUNCTIONS_FUNCTION_WORLD_H
#define TESTS_JOINTS_FUNCTIONS_FUNCTION_WORLD_H

#include "tests/joints/joint_world.h"

static const tn_vec3 weightless = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 zero = {0.0, 0.0, 0.0};

static inline void run_for(tn_world *world, double time) {
    for (int i = 0, steps = (int)lround(time * 60.0); i < steps; ++i) {
        cr_assert_eq(tn_world_step(world, 1.0 / 60.0, 4), TN_RESULT_OK);
    }
}

static inline tn_graph *graph_make(void) {
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    cr_assert_not_null(graph);
    return graph;
}

static inline tn_node center_of(tn_graph *graph, uint32_t body) {
    return tn_graph_add_point(graph, body, zero);
}

// 1 / x where x is above zero, and no number elsewhere.
static inline void inverse(const double *x, uint32_t count, tn_function_value *out, void *context) {
    (void)count;
    (void)context;
    out->value = x[0] > 0.0 ? 1.0 / x[0] : (double)NAN;
    out->first[0] = -out->value * out->value;
    out->second[0][0] = 2.0 * out->value * out->value * out->value;
}

#endif
