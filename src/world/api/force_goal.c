// world/api/force_goal.c: the public functions of goals.
//
// A goal has its graph and the graph's numbers in memory of its own, which the world frees with the
// force. Test: tests/forces/test_goal_force.c, test_goal_misuse.c
#include "forces/goal.h"
#include "world/api/force_internal.h"
#include "world/joints.h"
#include "world/records/convert.h"

tn_goal_force_def tn_goal_force_def_default(void) {
    tn_goal_force_def def = {.base = tn_force_def_default().base, .goal = {.strength = 1.0}};
    return def;
}

// ---- values ------------------------------------------------------------------------------------

typedef struct goal_place {
    tni_body_motion motions[TN_GRAPH_MAX_BODIES];
    tni_graph_body bodies[TN_GRAPH_MAX_BODIES];
} goal_place;

static void goal_add_body(const tn_world *world, uint32_t index, uint32_t i, goal_place *place) {
    place->motions[i] = tni_joint_get_body_motion(world, index);
    place->bodies[i].motion = &place->motions[i];
    place->bodies[i].affine = NULL; // forces push it as if it were rigid
    place->bodies[i].center =
        index != TNI_NONE ? tni_body_at(world, index)->local_center : dvec3_make(0.0, 0.0, 0.0);
}

tni_check tni_force_check_goal(const tn_world *world, const tni_force *force,
                               const uint32_t *bodies) {
    const tni_goal *goal = force->goal.apart;
    goal_place place;
    for (uint32_t i = 0; i < goal->body_count; ++i) {
        goal_add_body(world, bodies[i], i, &place);
    }
    return tni_goal_derive(goal, place.bodies, world->time)
               ? (tni_check){TN_RESULT_OK, ""}
               : (tni_check){TN_RESULT_NOT_FINITE,
                             "The expression is not finite as the bodies stand."};
}

static void goal_find_place(const tn_world *world, const tni_force *force, goal_place *place) {
    for (uint32_t i = 0; i < force->end_count; ++i) {
        goal_add_body(world, force->ends[i].body, i, place);
    }
}

// ---- creation ----------------------------------------------------------------------------------

static tn_force_id goal_refuse(const tn_world *world, tn_result result, const char *message) {
    tni_world_report(world, result, "tn_goal_force_create", message, 0);
    return (tn_force_id){0};
}

static const char *goal_find_fault(const tn_goal_force_def *def) {
    const tn_graph *graph = def->graph;
    if (graph == NULL || graph->result != TN_RESULT_OK) {
        return "The graph is null, or has refused a block.";
    }
    if (def->base.connector_count < 1 || def->base.connector_count > TN_FORCE_MAX_CONNECTORS) {
        return "A force has from 1 to 16 connectors.";
    }
    if ((graph->bodies >> def->base.connector_count) != 0) {
        return "The graph has a body that is not among the connectors'.";
    }
    return tn_graph_get_width(graph, def->node) == 1 ? NULL
                                                     : "The node must be a number of the graph.";
}

static tn_force_id goal_create(tn_world *world, const tn_goal_force_def *def,
                               const char *function) {
    if (def == NULL) {
        return goal_refuse(world, TN_RESULT_INVALID_ARGUMENT, "The definition is null.");
    }
    const char *fault = goal_find_fault(def);
    if (fault != NULL) {
        return goal_refuse(world, TN_RESULT_INVALID_ARGUMENT, fault);
    }
    tni_goal *goal = tni_goal_make(def->graph, def->graph->nodes[def->node.value - 1].first,
                                   def->base.connector_count, &world->allocator);
    if (goal == NULL) {
        return goal_refuse(world, TN_RESULT_OUT_OF_MEMORY, "There is no memory for another goal.");
    }
    tni_force given = {.type = TN_FORCE_TYPE_GOAL, .goal = {def->goal, goal}};
    tn_force_id id = tni_force_create(world, &given, &def->base, function);
    if (id.value == 0) {
        tni_goal_free(goal, &world->allocator);
    }
    return id;
}

tn_force_id tn_goal_force_create(tn_world *world, const tn_goal_force_def *def) {
    tn_force_id made = {0};
    if (tni_world_begin_change(world, __func__)) {
        made = goal_create(world, def, __func__);
    }
    tni_world_end_change(world);
    return made;
}

// ---- changing ----------------------------------------------------------------------------------

tn_result tn_goal_force_set(tn_world *world, tn_force_id id, tn_force_goal goal) {
    tni_force changed = {.type = TN_FORCE_TYPE_GOAL, .goal = {goal, NULL}};
    return tni_force_change(world, id, &changed, __func__);
}

tn_force_goal tn_goal_force_get(const tn_world *world, tn_force_id id) {
    uint32_t index = tni_world_find_force_of_type(world, id, TN_FORCE_TYPE_GOAL, __func__);
    return index != TNI_NONE ? tni_force_at(world, index)->goal.numbers : (tn_force_goal){0};
}

// Returns the place of an input, or null after a report.
static double *goal_find_input(const tn_world *world, tn_force_id id, tn_node node,
                               const char *function) {
    uint32_t index = tni_world_find_force_of_type(world, id, TN_FORCE_TYPE_GOAL, function);
    if (index == TNI_NONE) {
        return NULL;
    }
    const tni_goal *goal = tni_force_at(world, index)->goal.apart;
    uint32_t number = tni_graph_find_input(goal->graph, node);
    if (number == TNI_NONE) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function,
                         "The node is no input of the goal's graph.", id.value);
        return NULL;
    }
    return &goal->values.inputs[number];
}

tn_result tn_goal_force_set_input(tn_world *world, tn_force_id id, tn_node input, double number) {
    double *place = tni_world_begin_change(world, __func__)
                        ? goal_find_input(world, id, input, __func__)
                        : NULL;
    if (place == NULL) {
        return tni_world_end_change(world);
    }
    if (!isfinite(number)) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, __func__, "An input must be finite.",
                         id.value);
        return tni_world_end_change(world);
    }
    if (*place != number) {
        *place = number;
        tni_force_wake_bodies(world, tni_world_find_force(world, id, __func__));
    }
    return tni_world_end_change(world);
}

double tn_goal_force_get_input(const tn_world *world, tn_force_id id, tn_node input) {
    const double *place = goal_find_input(world, id, input, __func__);
    return place != NULL ? *place : 0.0;
}

// ---- reading -----------------------------------------------------------------------------------

// Reading runs the goal's graph, whose nodes hold the values.
static double goal_read_value(tn_world *world, tn_force_id id, tn_node node, const char *function) {
    uint32_t index = tni_world_find_force_of_type(world, id, TN_FORCE_TYPE_GOAL, function);
    if (index == TNI_NONE) {
        return 0.0;
    }
    const tni_force *force = tni_force_at(world, index);
    uint32_t number = tni_graph_find_number(force->goal.apart->graph, node);
    if (number == TNI_NONE) {
        return 0.0;
    }
    goal_place place;
    goal_find_place(world, force, &place);
    tni_world_begin_callback(world);
    tni_goal_evaluate(force->goal.apart, place.bodies, world->time);
    tni_world_end_callback(world);
    return force->goal.apart->values.numbers[number].value;
}

double tn_goal_force_get_value(tn_world *world, tn_force_id id, tn_node node) {
    double value = 0.0;
    if (tni_world_begin_change(world, __func__)) {
        value = goal_read_value(world, id, node, __func__);
    }
    tni_world_end_change(world);
    return value;
}

static tn_goal_gradient goal_read_gradient(tn_world *world, tn_force_id id, uint32_t connector,
                                           const char *function) {
    tn_goal_gradient gradient = {0};
    uint32_t index = tni_world_find_force_of_type(world, id, TN_FORCE_TYPE_GOAL, function);
    if (tni_force_find_end(world, index, connector, function) == NULL) {
        return gradient;
    }
    const tni_force *force = tni_force_at(world, index);
    const tni_goal *goal = force->goal.apart;
    goal_place place;
    goal_find_place(world, force, &place);
    tni_goal_derive(goal, place.bodies, world->time);
    const double *g = goal->gradient + (size_t)6 * connector;
    gradient.by_position = (tn_vec3){g[0], g[1], g[2]};
    gradient.by_rotation = (tn_vec3){g[3], g[4], g[5]};
    return gradient;
}

tn_goal_gradient tn_goal_force_get_gradient(tn_world *world, tn_force_id id, uint32_t connector) {
    tn_goal_gradient gradient = {0};
    if (tni_world_begin_change(world, __func__)) {
        gradient = goal_read_gradient(world, id, connector, __func__);
    }
    tni_world_end_change(world);
    return gradient;
}
