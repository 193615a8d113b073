// Long chains of rods under tension: what turns one rod turns its neighbors.
#include "scenes/scene.h"
#include "tests/world/world_test.h"

#define LINKS 60

// The rope comes to a rest, and every stage takes two steps of Newton's method from the first one
// on.
Test(mechanism_sway, a_rope_of_rods_takes_two_iterations_a_stage, .timeout = 60) {
    const scene *rope = scene_find("bead_rope");
    scene_run *run = scene_run_create(rope, NULL, NULL);
    cr_assert_not_null(run);
    for (int i = 0; i < 20; ++i) {
        tn_mechanism_info info;
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
        cr_assert(tn_world_get_mechanisms(run->world, &info, 1) == 1);
        cr_assert(info.splits == 0 && info.stages == 4, "step %d: %u stages", i, info.stages);
        cr_assert(info.iterations <= 10, "step %d: %u iterations", i, info.iterations);
        cr_assert(info.worst_joint_linear < 1e-10, "step %d: %g m", i, info.worst_joint_linear);
    }
    scene_run_destroy(run);
}

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(mechanism_sway_world, .init = setup, .fini = teardown);

static void tie_by_rod(tn_body_id a, tn_body_id b, tn_vec3 on_a, tn_vec3 on_b, float length) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a.position = on_a;
    def.base.frame_b.position = on_b;
    def.is_rigid = true;
    def.length = length;
    cr_assert(tn_distance_joint_create(world, &def).value != 0);
}

// Bodies that turn, tied by rods at their corners: a chain that hangs out level and whips down. Its
// axes are locked in turn.
Test(mechanism_sway_world, bodies_on_rods_at_their_corners_keep_their_energy, .timeout = 60) {
    tn_body_id before = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_vec3 at = {0.0, 0.0, 0.0};
    for (int i = 0; i < LINKS; ++i) {
        tn_vec3 half = {0.05, 0.1, 0.05};
        tn_body_id box =
            test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.3 * i + 0.25, 0.0, 0.0, half);
        if (i % 4 == 3) {
            tn_body_set_locks(world, box, TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_LINEAR_Z);
        }
        tie_by_rod(before, box, at, (tn_vec3){-0.05, 0.1, 0.0}, 0.2f + (i == 0 ? 0.0236f : 0.0f));
        at = (tn_vec3){0.05, 0.1, 0.0};
        before = box;
    }
    double start = 0.0, iterations = 0.0, stages = 0.0;
    for (int i = 0; i < 90; ++i) {
        tn_mechanism_info info;
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
        cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
        cr_assert(info.worst_joint_linear < 1e-8, "step %d: %g m", i, info.worst_joint_linear);
        tn_energy energy = tn_world_get_energy(world);
        double whole = energy.kinetic + energy.potential;
        start = i == 0 ? whole : start;
        iterations += info.iterations;
        stages += info.stages;
        cr_assert(whole < start + 0.002 * energy.kinetic, "step %d: %g J more", i, whole - start);
    }
    cr_assert(iterations < 4.0 * stages, "%g iterations in %g stages", iterations, stages);
}
