// The narrow phase in a world: the same far out, the same on many workers, impulses carried over.
#include "tests/world/world_test.h"

TestSuite(manifold_update);

// ---- a task system that cuts work oddly and runs it backward ----------------------------------

static void *enqueue_backward(tn_task_fn task, uint32_t count, uint32_t min_range, void *context,
                              void *user_data) {
    uint32_t *calls = user_data;
    *calls += 1;
    cr_assert(min_range >= 1);
    uint32_t last = count;
    for (uint32_t piece = 0; last > 0; ++piece) {
        uint32_t first = last > min_range ? last - min_range : 0;
        task(first, last, piece % 4, context);
        last = first;
    }
    return NULL;
}

static void finish_nothing(void *task, void *user_data) {
    (void)task;
    (void)user_data;
}

static uint64_t run_pile(tn_world_def *def, int steps) {
    tn_world *world = tn_world_create(def, NULL);
    test_floor_create(world);
    for (int i = 0; i < 120; ++i) {
        double x = 0.7 * (i % 5), z = 0.7 * (i / 5 % 5), y = 0.5 + 0.8 * (i / 25);
        if (i % 3 == 0) {
            test_ball_create(world, x, y, z, 0.4f);
        } else {
            test_box_create(world, TN_BODY_TYPE_DYNAMIC, x, y, z, (tn_vec3){0.3, 0.4, 0.35});
        }
    }
    test_step(world, steps);
    uint64_t hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    return hash;
}

Test(manifold_update, workers_and_the_cut_of_work_change_no_bit, .timeout = 60) {
    tn_world_def def = tn_world_def_default();
    uint64_t serial = run_pile(&def, 100);
    cr_assert(run_pile(&def, 100) == serial);
    uint32_t calls = 0;
    def.enqueue = enqueue_backward;
    def.finish = finish_nothing;
    def.task_user_data = &calls;
    def.worker_count = 4;
    cr_assert(run_pile(&def, 100) == serial);
    cr_assert(calls > 0);
}

// ---- carried over -----------------------------------------------------------------------------

// With one substep and one sweep a stack of ten can only stand on the impulses of the last step.
Test(manifold_update, impulses_are_carried_over_by_feature) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_world_set_sleep_allowed(world, false);
    test_floor_create(world);
    tn_body_id box = {0};
    for (int i = 0; i < 10; ++i) {
        box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5 + i, 0.0,
                              (tn_vec3){0.5, 0.5, 0.5});
    }
    for (int i = 0; i < 600; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 1) == TN_RESULT_OK);
    }
    TEST_NEAR(tn_body_get_pose(world, box).position.y, 9.5, 0.15);
    TEST_NEAR(tn_body_get_linear_velocity(world, box).y, 0.0, 1e-3);
    tn_contact_id id;
    cr_assert(tn_body_get_contacts(world, box, &id, 1) == 1);
    tn_contact before = tn_contact_get(world, id);
    test_step(world, 1);
    tn_contact after = tn_contact_get(world, id);
    cr_assert(before.point_count == 4 && after.point_count == 4);
    for (int i = 0; i < 4; ++i) {
        cr_assert(before.points[i].feature == after.points[i].feature);
    }
    tn_world_destroy(world);
}

// ---- far out ----------------------------------------------------------------------------------

// A box on a slope, tilted like it, and a smaller one on top; at home and 100 km out. Both slide a
// little and come to rest, so that no tumbling amplifies the last bit.
static tn_body_id make_on_slope(tn_world *world, tn_vec3 at, double height, tn_vec3 half) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){at.x - sin(0.2) * height, at.y + cos(0.2) * height, at.z};
    def.pose.rotation.z = sin(0.1);
    def.pose.rotation.w = cos(0.1);
    def.velocity.linear.z = 0.5;
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_box_shape_create(world, body, &shape, half);
    return body;
}

static void run_far(tn_vec3 at, tn_vec3 *out_box, tn_vec3 *out_top) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_STATIC;
    def.pose.position = at;
    def.pose.rotation.z = sin(0.1);
    def.pose.rotation.w = cos(0.1);
    tn_shape_def shape = tn_shape_def_default();
    tn_body_id floor = tn_body_create(world, &def);
    tn_half_space_shape_create(world, floor, &shape);
    tn_body_id box = make_on_slope(world, at, 0.26, (tn_vec3){0.5, 0.25, 0.5});
    tn_body_id top = make_on_slope(world, at, 0.83, (tn_vec3){0.3, 0.3, 0.3});
    test_step(world, 120);
    *out_box = tn_body_get_pose(world, box).position;
    *out_top = tn_body_get_pose(world, top).position;
    tn_world_destroy(world);
}

Test(manifold_update, contacts_100_km_out_are_those_at_home) {
    tn_vec3 home_box, home_top, far_box, far_top;
    tn_vec3 at = {100000.0, -50000.0, 70000.0};
    run_far((tn_vec3){0}, &home_box, &home_top);
    run_far(at, &far_box, &far_top);
    // A double's step out there is 1.5e-11 m; it may turn the last bit of a float, 1e-7, in each of
    // 480 substeps. A float's step out there would be 8 mm.
    TEST_NEAR(far_box.x - at.x, home_box.x, 5e-5);
    TEST_NEAR(far_box.y - at.y, home_box.y, 5e-5);
    TEST_NEAR(far_top.x - at.x, home_top.x, 5e-5);
    TEST_NEAR(far_top.z - at.z, home_top.z, 5e-5);
}

Test(manifold_update, a_contact_that_is_only_near_is_not_touching) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_world_set_gravity(world, (tn_vec3){0});
    test_floor_create(world);
    tn_body_id ball = test_ball_create(world, 0.0, 0.515, 0.0, 0.5f);
    test_step(world, 1);
    cr_assert(tn_world_count_contacts(world) == 1);
    tn_contact_id id;
    tn_world_get_contacts(world, &id, 1);
    cr_assert(tn_contact_get(world, id).point_count == 1);
    TEST_NEAR(tn_contact_get(world, id).points[0].separation, 0.015, 1e-6);
    cr_assert(tn_world_get_events(world).begin_count == 0);
    // 15 mm away at 3 m/s: it arrives within the next step.
    tn_body_set_linear_velocity(world, ball, (tn_vec3){0.0, -3.0, 0.0});
    test_step(world, 1);
    cr_assert(tn_world_get_events(world).begin_count == 1);
    tn_world_destroy(world);
}

// The tips of a rod that whirls at 100 rad/s a little farther above the floor than it is long cover
// 1.7 m in a step; still it never touches.
Test(manifold_update, a_whirling_rod_out_of_reach_is_left_alone) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_world_set_gravity(world, (tn_vec3){0});
    test_floor_create(world);
    tn_body_id rod =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 1.1, 0.0, (tn_vec3){1.0, 0.05, 0.05});
    tn_body_set_angular_velocity(world, rod, (tn_vec3){0.0, 0.0, 100.0});
    for (int i = 0; i < 120; ++i) {
        test_step(world, 1);
        cr_assert(tn_world_get_events(world).begin_count == 0);
    }
    TEST_NEAR(tn_body_get_pose(world, rod).position.y, 1.1, 1e-9);
    TEST_NEAR(tn_body_get_angular_velocity(world, rod).z, 100.0, 1e-2);
    tn_world_destroy(world);
}

Test(manifold_update, a_whirling_rod_within_reach_is_stopped) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_world_set_gravity(world, (tn_vec3){0});
    test_floor_create(world);
    tn_body_id rod =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.8, 0.0, (tn_vec3){1.0, 0.05, 0.05});
    tn_body_set_angular_velocity(world, rod, (tn_vec3){0.0, 0.0, 30.0});
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        // No corner goes deep, however fast it comes.
        cr_assert(tn_body_get_bounds(world, rod).lower.y > -0.1);
    }
    cr_assert(tn_body_get_pose(world, rod).position.y > 0.85);
    tn_world_destroy(world);
}

// ---- boxes that are only near -----------------------------------------------------------------

static double next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1u << 23) - 1.0; // -1 to 1
}

static void wander(tn_pose *pose, uint32_t *seed) {
    pose->position.x += 0.03 * next_random(seed);
    pose->position.y += 0.03 * next_random(seed);
    pose->position.z += 0.03 * next_random(seed);
    tn_quat *q = &pose->rotation;
    q->x += 0.05 * next_random(seed);
    q->y += 0.05 * next_random(seed);
    q->z += 0.05 * next_random(seed);
    q->w += 0.05 * next_random(seed);
    double length = sqrt(q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w);
    *q = (tn_quat){q->x / length, q->y / length, q->z / length, q->w / length};
}

static void make_two_boxes(tn_world **out_world, tn_body_id *out_box) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0, 0.0, 0.0};
    def.is_sleep_allowed = false;
    *out_world = tn_world_create(&def, NULL);
    test_box_create(*out_world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, (tn_vec3){0.6, 0.4, 0.5});
    *out_box =
        test_box_create(*out_world, TN_BODY_TYPE_DYNAMIC, 0.9, 0.7, 0.3, (tn_vec3){0.3, 0.5, 0.4});
}

static uint32_t count_points_at(tn_world *world, tn_body_id box, tn_pose pose) {
    tn_body_set_pose(world, box, pose);
    tn_body_set_velocity(world, box, (tn_velocity){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
    test_step(world, 1);
    return tn_world_get_telemetry(world).points;
}

// A box wanders about another, now apart from it and now in it. The world that remembers what
// parted them sees points when one that sees them for the first time does.
Test(manifold_update, boxes_that_were_apart_are_seen_as_soon_as_they_meet, .timeout = 60) {
    tn_world *world;
    tn_body_id box;
    make_two_boxes(&world, &box);
    tn_pose pose = tn_body_get_pose(world, box);
    uint32_t seed = 7, near = 0, met = 0;
    for (int i = 0; i < 1500; ++i) {
        wander(&pose, &seed);
        double far = fabs(pose.position.x) + fabs(pose.position.y) + fabs(pose.position.z);
        if (far > 2.2 || far < 1.0) {
            double scale = far > 2.2 ? 0.97 : 1.03;
            pose.position.x *= scale;
            pose.position.y *= scale;
            pose.position.z *= scale;
        }
        tn_world *fresh;
        tn_body_id other;
        make_two_boxes(&fresh, &other);
        uint32_t points = count_points_at(world, box, pose);
        uint32_t wanted = count_points_at(fresh, other, pose);
        cr_assert((points > 0) == (wanted > 0), "step %d: %u points, not %u", i, points, wanted);
        met += points > 0 ? 1 : 0;
        near += points == 0 && tn_world_count_contacts(world) > 0 ? 1 : 0;
        tn_world_destroy(fresh);
    }
    cr_assert(met > 200 && near > 200, "%u met, %u near", met, near);
    tn_world_destroy(world);
}
