// tests/forces/goal_world.h: particles as variables, and goals of them.
#ifndef TESTS_FORCES_GOAL_WORLD_H
#define TESTS_FORCES_GOAL_WORLD_H

#include "force_world.h"

#define GOAL_MOBILITY 0.5 // s

static inline tn_world *goal_world(tn_dynamics dynamics, tn_solver solver, test_reports *reports) {
    tn_world *world = world_make(force_no_gravity, reports);
    tn_world_set_solver(world, solver);
    tn_world_set_dynamics(world, dynamics, GOAL_MOBILITY);
    return world;
}

static inline tn_body_id variable_make(tn_world *world, double x, double y, double mass) {
    tn_body_def def = tn_body_def_default();
    def.is_particle = true;
    def.has_mass = true;
    def.mass.mass = mass;
    def.pose.position = (tn_vec3){x, y, 0.0};
    tn_body_id body = tn_body_create(world, &def);
    cr_assert(body.value != 0);
    return body;
}

static inline tn_node variable(tn_graph *graph, uint32_t body, uint32_t axis) {
    tn_node point = tn_graph_add_point(graph, body, (tn_vec3){0.0, 0.0, 0.0});
    return tn_graph_add_component(graph, point, axis);
}

static inline tn_node number(tn_graph *graph, double x) {
    return tn_graph_add_number(graph, x);
}

static inline tn_node square(tn_graph *graph, tn_node a, double factor) {
    return tn_graph_add_product(graph, number(graph, factor), tn_graph_add_product(graph, a, a));
}

static inline tn_goal_force_def goal_def(const tn_graph *graph, tn_node node,
                                         const tn_body_id *bodies, uint32_t count,
                                         double strength) {
    tn_goal_force_def def = tn_goal_force_def_default();
    def.graph = graph;
    def.node = node;
    def.goal.strength = strength;
    def.base.connector_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        def.base.connectors[i].body = bodies[i];
    }
    return def;
}

// Destroys the graph.
static inline tn_force_id goal_make(tn_world *world, tn_graph *graph, tn_node node,
                                    const tn_body_id *bodies, uint32_t count, double strength) {
    tn_goal_force_def def = goal_def(graph, node, bodies, count, strength);
    cr_assert_eq(tn_graph_get_result(graph), TN_RESULT_OK);
    tn_force_id goal = tn_goal_force_create(world, &def);
    cr_assert(goal.value != 0);
    tn_graph_destroy(graph);
    return goal;
}

#endif
