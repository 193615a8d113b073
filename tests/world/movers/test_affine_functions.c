// Function joints hold points and directions of the material of affine bodies.
#include "affine_world.h"

static test_reports reports;
static const tn_body_id ground = {0};

TestSuite(affine_functions, .timeout = 60);

static tn_world *make_world(tn_solver solver, bool has_gravity) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.is_sleep_allowed = false;
    def.has_energy_ledger = true;
    if (!has_gravity) {
        def.gravity = (tn_vec3){0.0, 0.0, 0.0};
    }
    return test_def_world_create(def, &reports);
}

static double sum_works(const tn_energy *energy) {
    return energy->gravity_work + energy->force_work + energy->motor_work + energy->spring_work +
           energy->joint_work + energy->friction_work + energy->impact_work + energy->damping_work;
}

// Of numbers of one graph, which goes.
static tn_joint_id function_make(tn_world *world, tn_graph *graph, const tn_body_id *bodies,
                                 uint32_t count, tn_node node) {
    tn_function_joint_def def = tn_function_joint_def_default();
    def.graph = graph;
    memcpy(def.bodies, bodies, count * sizeof *bodies);
    def.body_count = count;
    def.row_count = 1;
    def.nodes[0] = node;
    tn_joint_id joint = tn_function_joint_create(world, &def);
    cr_assert(joint.value != 0);
    tn_graph_destroy(graph);
    return joint;
}

static tn_node less(tn_graph *graph, tn_node node, double number) {
    return tn_graph_add_difference(graph, node, tn_graph_add_number(graph, number));
}

// ---- a rod --------------------------------------------------------------------------------------

static const tn_vec3 low = {0.05, -0.2, 0.1}, high = {-0.1, 0.15, 0.05};
#define ROD 0.5 // m

// Bodies of these, with a rod from one to the other: by a function of two or, with one that counts
// for nothing, three bodies, or by a joint.
typedef enum rod_kind {
    ROD_OF_TWO,
    ROD_OF_THREE,
    ROD_JOINT,
} rod_kind;

static tn_joint_id rod_make(tn_world *world, const tn_body_id *bodies, rod_kind kind) {
    if (kind == ROD_JOINT) {
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base.body_a = bodies[0];
        def.base.body_b = bodies[1];
        def.base.frame_a.position = low;
        def.base.frame_b.position = high;
        def.length = (float)ROD;
        return tn_distance_joint_create(world, &def);
    }
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node p = tn_graph_add_point(graph, 0, low), q = tn_graph_add_point(graph, 1, high);
    tn_node off = less(graph, tn_graph_add_distance(graph, p, q), ROD);
    if (kind == ROD_OF_THREE) {
        tn_node third = tn_graph_add_point(graph, 2, (tn_vec3){0.0, 0.0, 0.0});
        tn_node height = tn_graph_add_component(graph, third, 1);
        off = tn_graph_add_sum(
            graph, off, tn_graph_add_product(graph, tn_graph_add_number(graph, 0.0), height));
    }
    return function_make(world, graph, bodies, kind == ROD_OF_THREE ? 3 : 2, off);
}

typedef struct rod_run {
    double coordinates[2][TN_AFFINE_FREEDOMS];
    double gap, ledger; // at worst, m and J
    double force, elastic;
} rod_run;

static double get_gap(const tn_world *world, const tn_reduced_id *ids) {
    tn_vec3 p = tn_affine_get_point(world, ids[0], low);
    tn_vec3 q = tn_affine_get_point(world, ids[1], high);
    return hypot(hypot(p.x - q.x, p.y - q.y), p.z - q.z) - ROD;
}

// The upper body swings on a ball joint, the lower one on the rod.
static rod_run swing(rod_kind kind, tn_solver solver, int steps, int substeps) {
    tn_world *world = make_world(solver, true);
    tn_body_id bodies[3] = {affine_box_make(world, 1.0, 0.4, 0.6, 0.3),
                            affine_box_make(world, 1.5, 0.5, 0.4, 0.3),
                            reduced_body_make(world, 1.0, 0.1)};
    tn_body_set_pose(
        world, bodies[1],
        (tn_pose){{low.x - high.x + ROD, low.y - high.y, low.z - high.z}, {0.0, 0.0, 0.0, 1.0}});
    tn_reduced_id ids[2] = {affine_make(world, bodies[0], 1e4, 0.3, 0.002, TN_AFFINE_KEPT_NOTHING),
                            affine_make(world, bodies[1], 5e3, 0.3, 0.002, TN_AFFINE_KEPT_VOLUME)};
    affine_hang(world, ground, bodies[0], -0.2, 0.3, 0.0);
    tn_joint_id joint = rod_make(world, bodies, kind);
    cr_assert(joint.value != 0);
    rod_run run = {.gap = 0.0};
    for (int i = 0; i < steps; ++i) {
        cr_assert(tn_world_step(world, 1.0 / steps, substeps) == TN_RESULT_OK);
        run.gap = fmax(run.gap, fabs(get_gap(world, ids)));
        tn_energy now = tn_world_get_energy(world);
        run.ledger = fmax(run.ledger, fabs(now.kinetic - sum_works(&now)));
        run.elastic = fmax(run.elastic, now.elastic);
    }
    for (int i = 0; i < 2; ++i) {
        tn_reduced_get_coordinates(world, ids[i], run.coordinates[i], TN_AFFINE_FREEDOMS);
    }
    tn_vec3 force = tn_joint_get_reaction(world, joint).force;
    run.force = kind == ROD_JOINT
                    ? sqrt((double)(force.x * force.x + force.y * force.y + force.z * force.z))
                    : fabs((double)tn_function_joint_get_force(world, joint, 0));
    test_world_destroy_quiet(world, &reports);
    return run;
}

static double compare(const rod_run *a, const rod_run *b) {
    double most = 0.0;
    for (int i = 0; i < 2 * TN_AFFINE_FREEDOMS; ++i) {
        most = fmax(most, fabs(a->coordinates[i / 12][i % 12] - b->coordinates[i / 12][i % 12]));
    }
    return most;
}

// The two runs are as far apart as those of the distance joint with its ends changed: 4e-6 by the
// rounding of rows, which are float. Swept runs differ by 5e-6 to 1.4e-5 where the upper body hangs
// up to 0.03 m from here, so that theirs have twice the room.
Test(affine_functions, rod_by_a_function_is_that_of_a_distance_joint) {
    const tn_solver solvers[] = {TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO, TN_SOLVER_PGS};
    for (int i = 0; i < 4; ++i) {
        rod_run own = swing(ROD_OF_TWO, solvers[i], 240, 4);
        rod_run joint = swing(ROD_JOINT, solvers[i], 240, 4);
        double most = solvers[i] == TN_SOLVER_PGS ? 1e-4 : 1e-9;
        cr_assert(own.gap < most && joint.gap < most, "%g %g", own.gap, joint.gap);
        double room = solvers[i] == TN_SOLVER_PGS ? 2e-5 : 1e-5;
        cr_assert(compare(&own, &joint) < room, "%g", compare(&own, &joint));
        TEST_NEAR(own.force, joint.force, 1e-3 * joint.force);
        cr_assert(own.ledger < 1e-4 && own.elastic > 0.5, "%g %g", own.ledger, own.elastic);
        rod_run wide = swing(ROD_OF_THREE, solvers[i], 240, 4);
        cr_assert(compare(&own, &wide) == 0.0);
    }
}

// To what rows lose that are float, as with a distance joint; with a row that took another point,
// or its wrong acceleration, they would change by first order.
Test(affine_functions, pair_on_a_rod_keeps_its_momenta) {
    tn_world *world = make_world(TN_SOLVER_AUTO, false);
    tn_body_id bodies[2] = {affine_box_make(world, 1.0, 0.4, 0.6, 0.3),
                            affine_box_make(world, 1.5, 0.5, 0.4, 0.3)};
    tn_body_set_pose(
        world, bodies[1],
        (tn_pose){{low.x - high.x + ROD, low.y - high.y, low.z - high.z}, {0.0, 0.0, 0.0, 1.0}});
    tn_reduced_id ids[2] = {affine_make(world, bodies[0], 1e4, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING),
                            affine_make(world, bodies[1], 5e3, 0.3, 0.0, TN_AFFINE_KEPT_AREA)};
    rod_make(world, bodies, ROD_OF_TWO);
    tn_reduced_set_speeds(world, ids[0], (double[]){0, 1, 0.5, 0, -3, 0, 3, 0.5, 0, 0, 0, -0.5},
                          12);
    reduced_run(world, 0.01, 4, 4); // until the rod holds
    tn_energy before = tn_world_get_energy(world);
    double whole = before.kinetic + before.elastic;
    reduced_run(world, 1.0, 240, 8);
    tn_energy after = tn_world_get_energy(world);
    TEST_NEAR(after.linear_momentum.x, before.linear_momentum.x, 5e-6);
    TEST_NEAR(after.linear_momentum.y, before.linear_momentum.y, 5e-6);
    TEST_NEAR(after.linear_momentum.z, before.linear_momentum.z, 5e-6);
    TEST_NEAR(after.angular_momentum.x, before.angular_momentum.x, 5e-6);
    TEST_NEAR(after.angular_momentum.y, before.angular_momentum.y, 5e-6);
    TEST_NEAR(after.angular_momentum.z, before.angular_momentum.z, 5e-6);
    TEST_NEAR(after.kinetic + after.elastic, whole, 2e-3 * whole);
    cr_assert(fabs(get_gap(world, ids)) < 1e-9);
    test_world_destroy_quiet(world, &reports);
}

// ---- directions, angles, volumes ----------------------------------------------------------------

// |A l| = 1.2 of the material along x: a rod of length 1 that is held so pulls with V E 0.2, N·m of
// the number, and thins by Poisson's ratio.
Test(affine_functions, direction_stretches_as_the_material) {
    tn_world *world = make_world(TN_SOLVER_AUTO, false);
    tn_body_id body = affine_box_make(world, 1.0, 0.4, 0.5, 0.3);
    tn_reduced_id id = affine_make(world, body, 1e4, 0.3, 0.05, TN_AFFINE_KEPT_NOTHING);
    affine_set(world, id, (double[]){1.2, 0, 0, 0, 1, 0, 0, 0, 1}, NULL);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node along = tn_graph_add_direction(graph, 0, (tn_vec3){1.0, 0.0, 0.0});
    tn_node off = less(graph, tn_graph_add_norm(graph, along), 1.2);
    tn_joint_id joint = function_make(world, graph, &body, 1, off);
    reduced_run(world, 2.0, 240, 4);
    TEST_NEAR(fabs((double)tn_function_joint_get_force(world, joint, 0)), 0.06 * 1e4 * 0.2, 1e-3);
    TEST_NEAR(reduced_coordinate(world, id, 3), 1.2, 1e-9);
    TEST_NEAR(reduced_coordinate(world, id, 7), 1.0 - 0.3 * 0.2, 1e-6);
    TEST_NEAR(reduced_coordinate(world, id, 11), 1.0 - 0.3 * 0.2, 1e-6);
    TEST_NEAR(tn_joint_get_error(world, joint).linear_length, 0.0, 1e-9);
    test_world_destroy_quiet(world, &reports);
}

// Two lines of the material that were square stay so while the body is in wild motion: no shear.
Test(affine_functions, angle_of_the_material_is_kept) {
    tn_world *world = make_world(TN_SOLVER_AUTO, false);
    tn_body_id body = affine_box_make(world, 1.0, 0.4, 0.5, 0.3);
    tn_reduced_id id = affine_make(world, body, 3e3, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
    tn_reduced_set_speeds(world, id, (double[]){0, 0, 0, 1, -5, 2, 5, 1, -3, 0, 4, -2}, 12);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node x = tn_graph_add_direction(graph, 0, (tn_vec3){1.0, 0.0, 0.0});
    tn_node y = tn_graph_add_direction(graph, 0, (tn_vec3){0.0, 1.0, 0.0});
    tn_node off = less(graph, tn_graph_add_angle(graph, x, y), acos(0.0));
    function_make(world, graph, &body, 1, off);
    double least = 0.0;
    for (int i = 0; i < 240; ++i) {
        reduced_run(world, 1.0 / 240.0, 1, 4);
        double u[TN_AFFINE_FREEDOMS];
        tn_reduced_get_coordinates(world, id, u, TN_AFFINE_FREEDOMS);
        TEST_NEAR(u[3] * u[4] + u[6] * u[7] + u[9] * u[10], 0.0, 1e-9);
        least = fmax(least, fabs(u[4]));
    }
    cr_assert(least > 0.1, "%g", least);
    test_world_destroy_quiet(world, &reports);
}

// Of a tetrahedron of its material: as a body that keeps its volume.
Test(affine_functions, volume_of_the_material_is_kept) {
    tn_world *world = make_world(TN_SOLVER_AUTO, false);
    tn_body_id body = affine_box_make(world, 1.0, 0.4, 0.5, 0.3);
    tn_reduced_id id = affine_make(world, body, 3e3, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
    tn_reduced_set_speeds(world, id, (double[]){0, 0, 0, 3, -5, 2, 5, 1, -3, 0, 4, -2}, 12);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node p[4];
    for (uint32_t i = 0; i < 4; ++i) {
        p[i] = tn_graph_add_point(graph, 0, (tn_vec3){0.5 * (i == 1), 0.5 * (i == 2), i == 3});
    }
    tn_node size = tn_graph_add_volume(graph, p[0], p[1], p[2], p[3]);
    function_make(world, graph, &body, 1, less(graph, size, 0.25 / 6.0));
    for (int i = 0; i < 240; ++i) {
        reduced_run(world, 1.0 / 240.0, 1, 4);
        TEST_NEAR(affine_determinant(world, id), 1.0, 1e-8);
    }
    test_world_destroy_quiet(world, &reports);
}

// ---- time ---------------------------------------------------------------------------------------

// A corner is led at 0.3 m/s; what leads it does the work that the body has.
Test(affine_functions, corner_is_led_by_the_time) {
    tn_world *world = make_world(TN_SOLVER_AUTO, false);
    tn_body_id body = affine_box_make(world, 1.0, 0.4, 0.5, 0.3);
    tn_reduced_id id = affine_make(world, body, 3e3, 0.3, 0.01, TN_AFFINE_KEPT_NOTHING);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node p = tn_graph_add_point(graph, 0, (tn_vec3){0.2, 0.25, 0.15});
    tn_node time = tn_graph_add_time(graph);
    tn_node way = tn_graph_add_product(graph, tn_graph_add_number(graph, 0.3), time);
    tn_node now = tn_graph_add_component(graph, p, 0);
    tn_node off = less(graph, tn_graph_add_difference(graph, now, way), 0.2);
    function_make(world, graph, &body, 1, off);
    for (int i = 0; i < 120; ++i) {
        reduced_run(world, 1.0 / 120.0, 1, 4);
        tn_vec3 at = tn_affine_get_point(world, id, (tn_vec3){0.2, 0.25, 0.15});
        TEST_NEAR(at.x, 0.2 + 0.3 * (i + 1) / 120.0, 1e-8);
        tn_energy energy = tn_world_get_energy(world);
        TEST_NEAR(energy.kinetic, sum_works(&energy), 1e-5);
    }
    test_world_destroy_quiet(world, &reports);
}

// ---- bodies that become affine ------------------------------------------------------------------

// The rod of two rigid bodies goes on when they become affine, and when they are so no more.
Test(affine_functions, function_goes_on_as_its_bodies_change) {
    tn_world *world = make_world(TN_SOLVER_DIRECT, true);
    tn_body_id bodies[2] = {affine_box_make(world, 1.0, 0.4, 0.6, 0.3),
                            affine_box_make(world, 1.5, 0.5, 0.4, 0.3)};
    tn_body_set_pose(
        world, bodies[1],
        (tn_pose){{low.x - high.x + ROD, low.y - high.y, low.z - high.z}, {0.0, 0.0, 0.0, 1.0}});
    affine_hang(world, ground, bodies[0], -0.2, 0.3, 0.0);
    tn_joint_id joint = rod_make(world, bodies, ROD_OF_TWO);
    reduced_run(world, 0.2, 24, 4);
    tn_reduced_id ids[2];
    for (int i = 0; i < 2; ++i) {
        ids[i] = affine_make(world, bodies[i], 1e4, 0.3, 0.01, TN_AFFINE_KEPT_NOTHING);
        TEST_NEAR(tn_joint_get_error(world, joint).linear_length, 0.0, 1e-9);
        reduced_run(world, 0.2, 24, 4);
        TEST_NEAR(tn_joint_get_error(world, joint).linear_length, 0.0, 1e-9);
    }
    cr_assert(fabs(get_gap(world, ids)) < 1e-9);
    cr_assert(fabs((double)tn_function_joint_get_force(world, joint, 0)) > 1.0);
    for (int i = 0; i < 2; ++i) {
        tn_reduced_destroy(world, ids[i]);
        reduced_run(world, 0.5, 60, 4); // what was strained is so no more
        TEST_NEAR(tn_joint_get_error(world, joint).linear_length, 0.0, 1e-9);
    }
    cr_assert(fabs((double)tn_function_joint_get_force(world, joint, 0)) > 1.0);
    // As of two rigid bodies, whose error is that of where they are put.
    tn_pose pose = tn_body_get_pose(world, bodies[1]);
    pose.position.y -= 0.1;
    tn_body_set_pose(world, bodies[1], pose);
    cr_assert(tn_joint_get_error(world, joint).linear_length > 0.01);
    tn_body_destroy(world, bodies[0]);
    cr_assert(!tn_joint_is_valid(world, joint));
    test_world_destroy_quiet(world, &reports);
}

// While an affine body is disabled it stands still, as it was deformed.
Test(affine_functions, point_of_a_body_that_stands_still_is_where_it_was) {
    tn_world *world = make_world(TN_SOLVER_AUTO, false);
    tn_body_id body = affine_box_make(world, 1.0, 0.4, 0.5, 0.3);
    tn_reduced_id id = affine_make(world, body, 3e3, 0.3, 0.01, TN_AFFINE_KEPT_NOTHING);
    affine_set(world, id, (double[]){1.2, 0.1, 0, 0, 1, 0, 0, 0, 1}, NULL);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node p = tn_graph_add_point(graph, 0, (tn_vec3){0.2, 0.25, 0.15});
    tn_node height = tn_graph_add_component(graph, p, 0);
    tn_joint_id joint = function_make(world, graph, &body, 1, height);
    TEST_NEAR(tn_joint_get_error(world, joint).linear_length, 0.265, 1e-12);
    tn_body_set_enabled(world, body, false);
    test_step(world, 3);
    TEST_NEAR(tn_function_joint_get_value(world, joint, height), 0.265, 1e-12);
    test_world_destroy_quiet(world, &reports);
}
