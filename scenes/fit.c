// scenes/fit.c: variables, goals, a hand, dots.
#include "scenes/fit.h"

#include <math.h>

void fit_configure(tn_world_def *def, double mobility) {
    def->dynamics = TN_DYNAMICS_FIRST_ORDER;
    def->mobility = mobility;
    def->gravity = (tn_vec3){0.0, 0.0, 0.0};
    def->is_sleep_allowed = false;
}

// ---- bodies ------------------------------------------------------------------------------------

tn_body_id fit_add_point(scene_run *run, double x, double y, double radius) {
    build_part part = build_part_at(x, y, 0.0);
    part.mass = 1.0;
    part.filter.mask = 0;
    tn_body_id body = build_particle(run, &part, radius);
    tn_body_set_locks(run->world, body, TN_BODY_LOCK_LINEAR_Z);
    return body;
}

tn_body_id fit_add_dot(scene_run *run, double x, double y, double radius) {
    build_part part = build_part_at(x, y, 0.0);
    part.type = TN_BODY_TYPE_KINEMATIC;
    part.filter.mask = 0;
    return build_sphere(run, &part, radius);
}

tn_vec3 fit_get(const scene_run *run, tn_body_id body) {
    return tn_body_get_center(run->world, body);
}

void fit_move(scene_run *run, tn_body_id dot, double x, double y) {
    tn_pose pose = tn_body_get_pose(run->world, dot);
    pose.position = build_point(x, y, 0.0);
    tn_body_set_pose(run->world, dot, pose);
}

// ---- goals -------------------------------------------------------------------------------------

tn_node fit_variable(tn_graph *graph, uint32_t body, uint32_t axis) {
    tn_node point = tn_graph_add_point(graph, body, (tn_vec3){0.0, 0.0, 0.0});
    return tn_graph_add_component(graph, point, axis);
}

tn_node fit_add_square(tn_graph *graph, tn_node sum, tn_node a, tn_node b) {
    tn_node r = tn_graph_add_difference(graph, a, b);
    tn_node half = tn_graph_add_product(graph, tn_graph_add_number(graph, 0.5), r);
    return tn_graph_add_sum(graph, sum, tn_graph_add_product(graph, half, r));
}

tn_force_id fit_add_goal(scene_run *run, tn_graph *graph, tn_node node, const tn_body_id *bodies,
                         uint32_t count, double strength) {
    tn_goal_force_def def = tn_goal_force_def_default();
    def.graph = graph;
    def.node = node;
    def.base.connector_count = count;
    def.goal.strength = strength;
    for (uint32_t i = 0; i < count; ++i) {
        def.base.connectors[i].body = bodies[i];
    }
    tn_force_id goal = tn_goal_force_create(run->world, &def);
    tn_graph_destroy(graph);
    run->has_failed |= goal.value == 0;
    return goal;
}

double fit_get_steepness(scene_run *run, tn_force_id goal, uint32_t count) {
    double most = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        tn_vec3 g = tn_goal_force_get_gradient(run->world, goal, i).by_position;
        most = fmax(most, fmax(fabs(g.x), fabs(g.y)));
    }
    return most;
}

// ---- the hand ----------------------------------------------------------------------------------

void fit_hand_take(fit_hand *hand, scene_run *run, tn_body_id body, tn_vec3 target, double held) {
    tn_mouse_joint_def def = tn_mouse_joint_def_default();
    hand->from = fit_get(run, body);
    hand->to = target;
    hand->held = held;
    def.base.body_b = body;
    def.base.frame_a.position = hand->from;
    def.base.hertz = 30.0f;
    hand->joint = tn_mouse_joint_create(run->world, &def);
    run->has_failed |= hand->joint.value == 0;
}

void fit_hand_move(fit_hand *hand, scene_run *run, double dt) {
    hand->time += dt;
    if (hand->time < hand->held) {
        double share = fmin(2.0 * hand->time / hand->held, 1.0);
        tn_mouse_joint_set_target(run->world, hand->joint,
                                  build_point(hand->from.x + share * (hand->to.x - hand->from.x),
                                              hand->from.y + share * (hand->to.y - hand->from.y),
                                              0.0));
    } else if (hand->joint.value != 0) {
        tn_joint_destroy(run->world, hand->joint);
        hand->joint = (tn_joint_id){0};
    }
}
