// What goals refuse, and what becomes of those whose expression or bodies fail.
#include "../support/budget.h"
#include "goal_world.h"

TestSuite(goal_misuse, .timeout = 60);

static void expect(test_reports *reports, tn_result result, const char *function) {
    cr_assert(reports->last == result, "%s: %s, not %s", function, tn_result_name(reports->last),
              tn_result_name(result));
    cr_assert(strcmp(reports->function, function) == 0, "%s", reports->function);
    reports->last = TN_RESULT_OK;
}

static void refuse(tn_world *world, test_reports *reports, const tn_goal_force_def *def,
                   tn_result result) {
    cr_assert(tn_goal_force_create(world, def).value == 0);
    expect(reports, result, "tn_goal_force_create");
    cr_assert(tn_world_count_forces(world) == 0);
}

Test(goal_misuse, every_part_of_a_definition_is_looked_at) {
    test_reports reports;
    tn_world *world = goal_world(TN_DYNAMICS_FIRST_ORDER, TN_SOLVER_AUTO, &reports);
    tn_body_id bodies[2] = {variable_make(world, 0, 0, 1.0), variable_make(world, 1, 0, 1.0)};
    tn_body_id floor = static_body_make(world, 0, 0, 0);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL), *bad = tn_graph_create(NULL, NULL, NULL);
    tn_node point = tn_graph_add_point(graph, 1, (tn_vec3){0, 0, 0});
    tn_node e = tn_graph_add_dot(graph, point, point);
    tn_graph_add_number(bad, (double)NAN);
    const tn_goal_force_def right = goal_def(graph, e, bodies, 2, 1.0);
    refuse(world, &reports, NULL, TN_RESULT_INVALID_ARGUMENT);
    tn_goal_force_def def = right;
    def.graph = NULL;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def.graph = bad;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = right;
    def.node = point;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def.node.value = 0;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = right;
    def.base.connector_count = 1; // the graph has body 1
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def.base.connector_count = 17;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = right;
    def.goal.strength = -1.0;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def.goal.strength = (double)NAN;
    refuse(world, &reports, &def, TN_RESULT_NOT_FINITE);
    def = right;
    def.base.connectors[0].body = bodies[1];
    refuse(world, &reports, &def, TN_RESULT_SAME_BODY);
    def.base.connectors[0].body = world_body;
    def.base.connectors[1].body = floor;
    refuse(world, &reports, &def, TN_RESULT_NO_DYNAMIC_BODY);
    def.base.connectors[1].body = (tn_body_id){12345};
    cr_assert(tn_goal_force_create(world, &def).value == 0);
    cr_assert(reports.last == TN_RESULT_INVALID_ID);
    cr_assert(tn_goal_force_create(NULL, &right).value == 0);
    cr_assert(tn_goal_force_create(world, &right).value != 0);
    tn_graph_destroy(graph);
    tn_graph_destroy(bad);
    tn_world_destroy(world);
}

Test(goal_misuse, stale_handles_wrong_types_and_nodes_are_refused) {
    test_reports reports;
    tn_world *world = goal_world(TN_DYNAMICS_FIRST_ORDER, TN_SOLVER_AUTO, &reports);
    tn_body_id body = variable_make(world, 2, 0, 1.0);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node x = variable(graph, 0, 0), input = tn_graph_add_input(graph, 5.0);
    tn_node point = tn_graph_add_point(graph, 0, (tn_vec3){0, 0, 0});
    tn_force_id goal = goal_make(world, graph, square(graph, x, 0.5), &body, 1, 1.0);
    tn_force_id spring = spring_make(world, connector_at(world_body, 0, 0, 0),
                                     connector_at(body, 0, 0, 0), 1.0, 2.0, 3.0);
    tn_goal_force_set(world, spring, (tn_force_goal){1.0});
    expect(&reports, TN_RESULT_WRONG_TYPE, "tn_goal_force_set");
    cr_assert(tn_goal_force_get(world, spring).strength == 0.0);
    expect(&reports, TN_RESULT_WRONG_TYPE, "tn_goal_force_get");
    cr_assert(tn_goal_force_get_value(world, spring, x) == 0.0);
    expect(&reports, TN_RESULT_WRONG_TYPE, "tn_goal_force_get_value");
    tn_spring_force_set(world, goal, (tn_force_spring){1.0, 1.0, 1.0});
    expect(&reports, TN_RESULT_WRONG_TYPE, "tn_spring_force_set");
    tn_goal_force_set(world, goal, (tn_force_goal){-1.0});
    expect(&reports, TN_RESULT_INVALID_ARGUMENT, "tn_goal_force_set");
    tn_goal_force_set(world, goal, (tn_force_goal){(double)INFINITY});
    expect(&reports, TN_RESULT_NOT_FINITE, "tn_goal_force_set");
    cr_assert(tn_goal_force_get(world, goal).strength == 1.0);
    tn_goal_force_set_input(world, goal, x, 1.0);
    expect(&reports, TN_RESULT_INVALID_ARGUMENT, "tn_goal_force_set_input");
    tn_goal_force_set_input(world, goal, input, (double)NAN);
    expect(&reports, TN_RESULT_NOT_FINITE, "tn_goal_force_set_input");
    cr_assert(tn_goal_force_get_input(world, goal, input) == 5.0);
    cr_assert(tn_goal_force_get_input(world, goal, (tn_node){999}) == 0.0);
    expect(&reports, TN_RESULT_INVALID_ARGUMENT, "tn_goal_force_get_input");
    cr_assert(tn_goal_force_get_value(world, goal, point) == 0.0);
    cr_assert(tn_goal_force_get_value(world, goal, x) == 2.0);
    cr_assert(tn_goal_force_get_gradient(world, goal, 0).by_position.x == 2.0);
    cr_assert(tn_goal_force_get_gradient(world, goal, 1).by_position.x == 0.0);
    expect(&reports, TN_RESULT_INVALID_ARGUMENT, "tn_goal_force_get_gradient");
    tn_force_destroy(world, goal);
    tn_goal_force_set(world, goal, (tn_force_goal){1.0});
    expect(&reports, TN_RESULT_INVALID_ID, "tn_goal_force_set");
    cr_assert(tn_goal_force_get_gradient(world, goal, 0).by_position.x == 0.0);
    expect(&reports, TN_RESULT_INVALID_ID, "tn_goal_force_get_gradient");
    tn_goal_force_set_input(world, goal, input, 1.0);
    expect(&reports, TN_RESULT_INVALID_ID, "tn_goal_force_set_input");
    cr_assert(tn_goal_force_get_value(NULL, goal, x) == 0.0);
    tn_world_destroy(world);
}

static void of_context(const double *x, uint32_t count, tn_function_value *out, void *context) {
    (void)count;
    out->value = *(const double *)context * x[0];
    out->first[0] = *(const double *)context;
}

// It does nothing, and the world says so once.
Test(goal_misuse, an_expression_that_is_no_number_is_told_once) {
    test_reports reports;
    tn_world *world = goal_world(TN_DYNAMICS_FIRST_ORDER, TN_SOLVER_AUTO, &reports);
    tn_body_id body = variable_make(world, 2, 0, 1.0);
    double factor = (double)NAN;
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node x = variable(graph, 0, 0);
    tn_node e = tn_graph_add_function(graph, of_context, &factor, &x, 1);
    tn_goal_force_def def = goal_def(graph, e, &body, 1, 1.0);
    refuse(world, &reports, &def, TN_RESULT_NOT_FINITE);
    factor = 1.0;
    tn_force_id goal = goal_make(world, graph, e, &body, 1, 1.0);
    factor = (double)NAN;
    reports.count = 0;
    run(world, 0.2, 60.0, 4);
    cr_assert(reports.count == 1 && reports.last == TN_RESULT_NOT_FINITE);
    cr_assert(center_of(world, body).x == 2.0 && tn_force_get_force(world, goal, 0).x == 0.0);
    factor = 1.0;
    run(world, 0.1, 60.0, 4);
    cr_assert(fabs(center_of(world, body).x - 2.0 + 0.1 * GOAL_MOBILITY) < 1e-9);
    tn_world_destroy(world);
}

Test(goal_misuse, bodies_take_their_goals_with_them) {
    tn_world *world = goal_world(TN_DYNAMICS_FIRST_ORDER, TN_SOLVER_AUTO, NULL);
    tn_body_id bodies[2] = {variable_make(world, 0, 0, 1.0), variable_make(world, 1, 0, 1.0)};
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node away = tn_graph_add_difference(graph, variable(graph, 0, 0), variable(graph, 1, 0));
    tn_force_id goal = goal_make(world, graph, square(graph, away, 0.5), bodies, 2, 1.0);
    tn_body_destroy(world, bodies[1]);
    cr_assert(!tn_force_is_valid(world, goal) && tn_world_count_forces(world) == 0);
    run(world, 0.1, 60.0, 1);
    cr_assert(center_of(world, bodies[0]).x == 0.0);
    tn_world_destroy(world);
}

// Each allocation of creation and of the first step fails in turn; what failed changed nothing.
Test(goal_misuse, memory_that_runs_out_leaves_the_world_as_it_was) {
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node e = square(graph, variable(graph, 0, 0), 0.5);
    for (int budget = 0; budget < 30; ++budget) {
        test_budget = 1000;
        tn_world_def settings = tn_world_def_default();
        settings.gravity = force_no_gravity;
        settings.alloc = test_alloc;
        settings.free = test_free;
        tn_world *world = tn_world_create(&settings, NULL);
        tn_body_id body = variable_make(world, 2, 0, 1.0);
        test_budget = budget;
        tn_goal_force_def def = goal_def(graph, e, &body, 1, 1.0);
        uint32_t made = tn_goal_force_create(world, &def).value != 0 ? 1 : 0;
        cr_assert(tn_world_count_forces(world) == made);
        tn_result result = tn_world_step(world, 1.0 / 60.0, 2);
        cr_assert(result == TN_RESULT_OK || center_of(world, body).x == 2.0);
        test_budget = 1000;
        cr_assert(tn_world_step(world, 1.0 / 60.0, 2) == TN_RESULT_OK);
        cr_assert((center_of(world, body).x < 2.0) == (made == 1));
        tn_world_destroy(world);
    }
    tn_graph_destroy(graph);
}
