// A step as a whole: far from the origin, after a fault, with other step lengths, with tasks.
#include "tests/world/world_test.h"

#define STACK 5

static const tn_vec3 half = {0.5, 0.5, 0.5};

// A stack of boxes on a static box and a rod pendulum beside it, all about `origin`.
static tn_world *make_scene(tn_vec3 origin, tn_body_id bodies[STACK + 1], const tn_world_def *def) {
    tn_world *world = tn_world_create(def, NULL);
    cr_assert_not_null(world);
    test_box_create(world, TN_BODY_TYPE_STATIC, origin.x, origin.y - 0.5, origin.z,
                    (tn_vec3){20.0, 0.5, 20.0});
    for (int i = 0; i < STACK; ++i) {
        bodies[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, origin.x + 0.05 * i,
                                    origin.y + 0.5 + 1.05 * i, origin.z, half);
    }
    bodies[STACK] = test_ball_create(world, origin.x + 8.0, origin.y + 8.0, origin.z, 0.25f);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_vec3 anchor = {origin.x + 6.0, origin.y + 8.0, origin.z};
    cr_assert(tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, bodies[STACK], anchor,
                                      (tn_vec3){0.0, 0.0, 1.0}));
    cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
    return world;
}

Test(step, a_scene_100_km_out_moves_as_at_the_origin) {
    tn_world_def def = tn_world_def_default();
    tn_body_id near_bodies[STACK + 1], far_bodies[STACK + 1];
    tn_vec3 home = {0.0, 0.0, 0.0}, away = {1e5, 1e5, -1e5};
    tn_world *near_world = make_scene(home, near_bodies, &def);
    tn_world *far_world = make_scene(away, far_bodies, &def);
    double worst = 0.0, worst_pendulum = 0.0;
    for (int i = 0; i < 180; ++i) {
        test_step(near_world, 1);
        test_step(far_world, 1);
        tn_vec3 p = tn_body_get_center(near_world, near_bodies[STACK]);
        tn_vec3 q = tn_body_get_center(far_world, far_bodies[STACK]);
        worst_pendulum = fmax(worst_pendulum, fabs(q.x - away.x - p.x));
        worst_pendulum = fmax(worst_pendulum, fabs(q.y - away.y - p.y));
        for (int b = 0; b < STACK; ++b) {
            p = tn_body_get_center(near_world, near_bodies[b]);
            q = tn_body_get_center(far_world, far_bodies[b]);
            worst = fmax(worst, fabs(q.x - away.x - p.x));
            worst = fmax(worst, fabs(q.y - away.y - p.y));
            worst = fmax(worst, fabs(q.z - away.z - p.z));
        }
    }
    // A double resolves 1.5e-11 m there, which flips the last bit of a float in the rows now and
    // then.
    cr_assert(worst_pendulum < 1e-5, "the pendulum is off by %g m", worst_pendulum);
    // A stack that falls together makes such a bit grow; a float of the position would be 8 mm.
    cr_assert(worst < 2e-3, "the stack is off by %g m", worst);
    tn_world_destroy(near_world);
    tn_world_destroy(far_world);
}

Test(step, a_body_that_turns_non_finite_is_put_back_and_the_rest_goes_on) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id wild = test_ball_create(world, 0.0, 50.0, 0.0, 0.5f);
    tn_body_id calm = test_ball_create(world, 10.0, 50.0, 0.0, 0.5f);
    test_step(world, 1);
    tn_pose before = tn_body_get_pose(world, wild);
    tn_velocity velocity = {{1.7e308, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    tn_body_set_velocity(world, wild, velocity);
    for (int i = 0; i < 3; ++i) {
        tn_body_apply_force(world, wild, (tn_vec3){3e38, 0.0, 0.0});
        cr_assert(tn_world_step(world, 10.0, 1) == TN_RESULT_OK);
    }
    cr_assert(reports.last == TN_RESULT_BODY_NOT_FINITE && reports.id == wild.value);
    cr_assert_not(tn_body_is_enabled(world, wild));
    tn_pose after = tn_body_get_pose(world, wild);
    cr_assert(isfinite(after.position.x) && after.position.y <= before.position.y);
    cr_assert(tn_body_get_velocity(world, wild).linear.x == 0.0);
    // 31 s of free fall and the first step.
    double t = 30.0 + 1.0 / 60.0;
    TEST_NEAR(tn_body_get_center(world, calm).y, 50.0 - 0.5 * 9.81 * t * t, 1e-2);
    tn_world_destroy(world);
}

Test(step, changing_the_step_keeps_a_stack_at_rest) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    tn_body_id bodies[STACK + 1];
    tn_world *world = make_scene((tn_vec3){0.0, 0.0, 0.0}, bodies, &def);
    test_step(world, 240);
    double height = tn_body_get_center(world, bodies[STACK - 1]).y;
    const double steps[4] = {1.0 / 30.0, 1.0 / 240.0, 1.0 / 60.0, 1.0 / 144.0};
    const uint32_t substeps[4] = {4, 1, 8, 2};
    for (int i = 0; i < 200; ++i) {
        cr_assert(tn_world_step(world, steps[i % 4], substeps[i % 4]) == TN_RESULT_OK);
    }
    // Softer contacts at the longer substep sink a little deeper.
    TEST_NEAR(tn_body_get_center(world, bodies[STACK - 1]).y, height, 5e-3);
    tn_world_destroy(world);
}

Test(step, makes_no_allocation_after_warm_up) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    tn_body_id bodies[STACK + 1];
    tn_world *world = make_scene((tn_vec3){0.0, 0.0, 0.0}, bodies, &def);
    test_step(world, 120);
    for (int i = 0; i < 300; ++i) {
        test_step(world, 1);
        cr_assert(tn_world_get_telemetry(world).allocations == 0, "step %d", i);
    }
    tn_world_destroy(world);
}

// Tasks cut in odd pieces and run last piece first.
static void *enqueue_backward(tn_task_fn task, uint32_t count, uint32_t min_range, void *context,
                              void *user_data) {
    int *calls = user_data;
    *calls += 1;
    uint32_t piece = min_range > 0 ? min_range : 1;
    uint32_t pieces = (count + piece - 1) / piece;
    for (uint32_t i = pieces; i-- > 0;) {
        uint32_t last = (i + 1) * piece < count ? (i + 1) * piece : count;
        task(i * piece, last, i % 2, context);
    }
    return NULL;
}

static void finish_nothing(void *task, void *user_data) {
    (void)task;
    (void)user_data;
}

static uint64_t run_wall(const tn_world_def *def) {
    tn_world *world = tn_world_create(def, NULL);
    test_floor_create(world);
    for (int i = 0; i < 12; ++i) {
        for (int j = 0; j < 12; ++j) {
            test_box_create(world, TN_BODY_TYPE_DYNAMIC, 1.01 * i, 0.52 + 1.02 * j, 0.01 * j, half);
        }
    }
    test_step(world, 90);
    uint64_t hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    return hash;
}

Test(step, gives_the_same_bits_however_tasks_are_cut) {
    tn_world_def def = tn_world_def_default();
    uint64_t alone = run_wall(&def);
    int calls = 0;
    def.enqueue = enqueue_backward;
    def.finish = finish_nothing;
    def.task_user_data = &calls;
    def.worker_count = 2;
    cr_assert(run_wall(&def) == alone);
    cr_assert(calls > 0);
}

Test(step, two_runs_give_the_same_bits) {
    tn_world_def def = tn_world_def_default();
    cr_assert(run_wall(&def) == run_wall(&def));
}
