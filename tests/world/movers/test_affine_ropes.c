// Ropes over points of the material of affine bodies.
#include "affine_world.h"

static test_reports reports;
static const tn_body_id ground = {0};
static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_AUTO};

TestSuite(affine_ropes, .timeout = 60);

static tn_world *make_world(tn_solver solver) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.is_sleep_allowed = false;
    def.has_energy_ledger = true;
    return test_def_world_create(def, &reports);
}

static double get_balance(const tn_world *world) {
    tn_energy now = tn_world_get_energy(world);
    return now.kinetic - (now.gravity_work + now.force_work + now.motor_work + now.spring_work +
                          now.joint_work + now.friction_work + now.impact_work + now.damping_work);
}

static tn_rope_point rope_point(tn_body_id body, double x, double y, double z) {
    return (tn_rope_point){.body = body, .position = {x, y, z}};
}

// Held in its centre a body stays as it is: 1 kg and 2 kg over two sheaves go as those of Atwood,
// a = (m2 - m1) g / (m1 + m2) and T = 2 m1 m2 g / (m1 + m2).
Test(affine_ropes, soft_weight_on_its_centre_is_a_weight) {
    for (int s = 0; s < 3; ++s) {
        tn_world *world = make_world(solvers[s]);
        tn_body_id soft = affine_box_make(world, 1.0, 0.2, 0.2, 0.2);
        tn_body_id weight = reduced_body_make(world, 2.0, 0.1);
        tn_body_set_pose(world, weight, (tn_pose){{1.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
        tn_reduced_id id = affine_make(world, soft, 1e4, 0.3, 0.01, TN_AFFINE_KEPT_NOTHING);
        tn_rope_joint_def def = tn_rope_joint_def_default();
        def.point_count = 4;
        def.points[0] = rope_point(soft, 0.0, 0.0, 0.0);
        def.points[1] = rope_point(ground, 0.0, 3.0, 0.0);
        def.points[2] = rope_point(ground, 1.0, 3.0, 0.0);
        def.points[3] = rope_point(weight, 0.0, 0.0, 0.0);
        tn_joint_id rope = tn_rope_joint_create(world, &def);
        cr_assert(rope.value != 0);
        reduced_run(world, 0.5, 120, 4);
        double u[TN_AFFINE_FREEDOMS], v[TN_AFFINE_FREEDOMS], a = 9.81 / 3.0;
        tn_reduced_get_coordinates(world, id, u, TN_AFFINE_FREEDOMS);
        tn_reduced_get_speeds(world, id, v, TN_AFFINE_FREEDOMS);
        TEST_NEAR(v[1], 0.5 * a, 1e-4);
        TEST_NEAR(u[1], 0.125 * a, 1e-3);
        for (int k = 3; k < 12; ++k) {
            TEST_NEAR(u[k], k % 4 == 3 ? 1.0 : 0.0, 1e-9);
        }
        for (uint32_t piece = 0; piece < 3; ++piece) {
            TEST_NEAR((double)tn_rope_joint_get_tension(world, rope, piece), 4.0 * 9.81 / 3.0,
                      1e-2);
        }
        TEST_NEAR(tn_rope_joint_get_extent(world, rope), tn_rope_joint_get_length(world, rope),
                  1e-4);
        TEST_NEAR(get_balance(world), 0.0, 1e-4);
        test_world_destroy_quiet(world, &reports);
    }
}

typedef struct swing_run {
    double coordinates[TN_AFFINE_FREEDOMS], balance, force, gap;
} swing_run;

// A body swings on half a metre of rope, or on a rod, made fast at a corner.
static swing_run swing(bool has_rope, tn_solver solver) {
    tn_world *world = make_world(solver);
    tn_body_id body = affine_box_make(world, 1.0, 0.4, 0.6, 0.3);
    tn_reduced_id id = affine_make(world, body, 1e4, 0.3, 0.002, TN_AFFINE_KEPT_NOTHING);
    tn_vec3 corner = {0.2, 0.3, 0.15}, pin = {0.2 + 0.3, 0.3 + 0.4, 0.15};
    tn_joint_id joint;
    if (has_rope) {
        tn_rope_joint_def def = tn_rope_joint_def_default();
        def.point_count = 2;
        def.points[0] = rope_point(ground, pin.x, pin.y, pin.z);
        def.points[1] = rope_point(body, corner.x, corner.y, corner.z);
        def.is_rigid = true;
        joint = tn_rope_joint_create(world, &def);
    } else {
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base.body_a = ground;
        def.base.body_b = body;
        def.base.frame_a.position = pin;
        def.base.frame_b.position = corner;
        def.length = 0.5f;
        joint = tn_distance_joint_create(world, &def);
    }
    cr_assert(joint.value != 0);
    swing_run run = {.balance = 0.0};
    for (int i = 0; i < 240; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 240.0, 4) == TN_RESULT_OK);
        tn_vec3 p = tn_affine_get_point(world, id, corner);
        double length = sqrt((p.x - pin.x) * (p.x - pin.x) + (p.y - pin.y) * (p.y - pin.y) +
                             (p.z - pin.z) * (p.z - pin.z));
        run.gap = fmax(run.gap, fabs(length - 0.5));
        run.balance = fmax(run.balance, fabs(get_balance(world)));
    }
    tn_reduced_get_coordinates(world, id, run.coordinates, TN_AFFINE_FREEDOMS);
    tn_vec3 force = tn_joint_get_reaction(world, joint).force;
    run.force = has_rope
                    ? (double)tn_rope_joint_get_tension(world, joint, 0)
                    : sqrt((double)(force.x * force.x + force.y * force.y + force.z * force.z));
    test_world_destroy_quiet(world, &reports);
    return run;
}

// Ropes of affine bodies are swept under every solver: to 1e-4 m as a swept rod, 4e-4 m off an
// exact one after a second.
Test(affine_ropes, a_rope_that_is_rigid_is_a_rod) {
    for (int s = 0; s < 3; ++s) {
        double most = solvers[s] == TN_SOLVER_PGS ? 1e-4 : 1e-3;
        swing_run rope = swing(true, solvers[s]), rod = swing(false, solvers[s]);
        double apart = 0.0;
        for (int k = 0; k < TN_AFFINE_FREEDOMS; ++k) {
            apart = fmax(apart, fabs(rope.coordinates[k] - rod.coordinates[k]));
        }
        cr_assert(rope.gap < 1e-4, "%g", rope.gap);
        cr_assert(apart < most, "%d: %g, gap %g, %g", s, apart, rope.gap, rod.gap);
        TEST_NEAR(rope.force, rod.force, 1e-2 * rod.force);
        cr_assert(rope.balance < 1e-4, "%g", rope.balance);
    }
}
