// Worlds of mechanisms with rows of several bodies: a volume between four, a rope over a block.
#ifndef TESTS_SOLVER_EXACT_SPAN_WORLD_H
#define TESTS_SOLVER_EXACT_SPAN_WORLD_H

#include "tests/joints/functions/function_world.h"

static inline tn_world *world_with(tn_vec3 pull, tn_solver solver) {
    tn_world_def def = tn_world_def_default();
    def.gravity = pull;
    def.solver = solver;
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

static inline tn_node along(tn_graph *graph, uint32_t body, uint32_t axis) {
    return tn_graph_add_component(graph, center_of(graph, body), axis);
}

static inline tn_node number(tn_graph *graph, double x) {
    return tn_graph_add_number(graph, x);
}

// Destroys the graph.
static inline tn_joint_id joint_of(tn_world *world, tn_graph *graph, const tn_body_id *bodies,
                                   uint32_t count, const tn_node *nodes, uint32_t rows) {
    tn_function_joint_def def = tn_function_joint_def_default();
    def.graph = graph;
    memcpy(def.bodies, bodies, count * sizeof *bodies);
    def.body_count = count;
    def.row_count = rows;
    memcpy(def.nodes, nodes, rows * sizeof *nodes);
    tn_joint_id joint = tn_function_joint_create(world, &def);
    cr_assert(joint.value != 0);
    tn_graph_destroy(graph);
    return joint;
}

static inline double energy_of(const tn_world *world) {
    tn_energy energy = tn_world_get_energy(world);
    return energy.kinetic + energy.potential;
}

static inline double at(const tn_world *world, tn_body_id body, uint32_t axis) {
    tn_vec3 p = tn_body_get_pose(world, body).position;
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

// ---- a volume ----------------------------------------------------------------------------------

static inline double volume_of(const tn_world *world, const tn_body_id *bodies) {
    double m[3][3];
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t c = 0; c < 3; ++c) {
            m[i][c] = at(world, bodies[i + 1], c) - at(world, bodies[0], c);
        }
    }
    return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
            m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
            m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])) /
           6.0;
}

static inline void corners_make(tn_world *world, tn_body_id bodies[4]) {
    bodies[0] = body_make(world, 0, 0, 0, 1, 0.1);
    bodies[1] = body_make(world, 1, 0, 0, 2, 0.1);
    bodies[2] = body_make(world, 0, 1, 0, 3, 0.1);
    bodies[3] = body_make(world, 0, 0, 1, 4, 0.1);
}

static inline tn_joint_id volume_make(tn_world *world, const tn_body_id bodies[4], uint32_t rows) {
    tn_graph *graph = graph_make();
    tn_node volume = tn_graph_add_volume(graph, center_of(graph, 0), center_of(graph, 1),
                                         center_of(graph, 2), center_of(graph, 3));
    tn_node node = tn_graph_add_difference(graph, volume, number(graph, 1.0 / 6.0));
    const tn_node nodes[2] = {node, node};
    return joint_of(world, graph, bodies, 4, nodes, rows);
}

// ---- a rope ------------------------------------------------------------------------------------

static inline tn_rope_point point_of(tn_body_id body, double x, double y, double z) {
    tn_rope_point point = {.body = body, .position = {x, y, z}};
    return point;
}

// Atwood's machine with a movable pulley: the rope goes from a weight over a fixed sheave, under a
// block with a load, over a second fixed sheave to another weight, all pieces upright:
// l (1/m_0 + 4/m_1 + 1/m_2) = 4 g.
typedef struct machine {
    tn_body_id bodies[3];
    tn_joint_id rope;
} machine;

static const double machine_masses[3] = {2, 3, 5};

static inline machine machine_make(tn_world *world, float payout) {
    machine it;
    tn_rope_joint_def def = tn_rope_joint_def_default();
    for (int i = 0; i < 3; ++i) {
        it.bodies[i] = body_make(world, 0, -30, i, machine_masses[i], 1);
        // Up, down and up again: the block's two pieces are upright too.
        def.points[2 * i] = point_of(it.bodies[i], 0, 0, 0);
    }
    def.points[1] = point_of(world_body, 0, 1e5, 0);
    def.points[3] = point_of(world_body, 0, 1e5, 1);
    def.point_count = 5;
    def.payout_speed = payout;
    it.rope = tn_rope_joint_create(world, &def);
    cr_assert(it.rope.value != 0);
    return it;
}

#endif
