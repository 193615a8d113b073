// Renderers draw between two steps: what moves is blended, what was placed by hand jumps, and what
// came to rest is given at its end.
#include <stdlib.h>

#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static tn_world_def keeping_def(void) {
    tn_world_def def = tn_world_def_default();
    def.keeps_previous_poses = true;
    return def;
}

static void setup(void) {
    world = test_def_world_create(keeping_def(), &reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(blend, .init = setup, .fini = teardown);

static const tn_vec3 origin = {0.0, 0.0, 0.0};

// The pose of a body at a moment, as 7 floats; or false if it is not among those that moved.
static bool read_body(tn_body_id body, uint64_t since, double fraction, float *out_pose) {
    enum {
        MOST = 32
    };
    float poses[7 * MOST];
    tn_body_id bodies[MOST];
    uint32_t count =
        tn_world_get_blended_poses(world, since, fraction, origin, poses, bodies, MOST);
    cr_assert(count <= MOST);
    for (uint32_t i = 0; i < count; ++i) {
        if (bodies[i].value == body.value) {
            memcpy(out_pose, poses + 7 * (size_t)i, 7 * sizeof(float));
            return true;
        }
    }
    return false;
}

static tn_body_id make_flyer(double x) {
    tn_body_def def = tn_body_def_default();
    def.gravity_scale = 0.0f;
    def.pose.position.x = x;
    def.velocity = (tn_velocity){{6.0, 0.0, 0.0}, {0.0, 0.0, 30.0}};
    return tn_body_create(world, &def);
}

// ---- two poses ----------------------------------------------------------------------------------

static tn_pose turned(double x, double angle) {
    return (tn_pose){{x, 2.0 * x, -x}, {0.0, 0.0, sin(0.5 * angle), cos(0.5 * angle)}};
}

static double get_angle(tn_quat q) {
    return 2.0 * atan2(q.z, q.w);
}

Test(blend, is_halfway_at_a_half) {
    tn_pose pose = tn_pose_blend(turned(1.0, 0.2), turned(3.0, 1.0), 0.5);
    TEST_NEAR(pose.position.x, 2.0, 1e-15);
    TEST_NEAR(pose.position.y, 4.0, 1e-15);
    TEST_NEAR(pose.position.z, -2.0, 1e-15);
    TEST_NEAR(get_angle(pose.rotation), 0.6, 1e-15);
}

// Along the chord the angle lags and leads by a ninth of the cube of the half angle at most.
Test(blend, turns_almost_evenly_and_stays_a_unit) {
    for (int i = 0; i <= 10; ++i) {
        double share = 0.1 * i;
        tn_quat q = tn_pose_blend(turned(0.0, 0.0), turned(0.0, 0.8), share).rotation;
        TEST_NEAR(sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w), 1.0, 1e-15);
        TEST_NEAR(get_angle(q), 0.8 * share, 0.4 * 0.4 * 0.4 / 9.0);
    }
}

Test(blend, goes_the_shorter_way) {
    tn_pose after = turned(0.0, 0.6);
    after.rotation =
        (tn_quat){-after.rotation.x, -after.rotation.y, -after.rotation.z, -after.rotation.w};
    tn_quat q = tn_pose_blend(turned(0.0, 0.2), after, 0.5).rotation;
    TEST_NEAR(fabs(q.w), cos(0.2), 1e-15);
    TEST_NEAR(fabs(q.z), sin(0.2), 1e-15);
}

Test(blend, is_exact_at_both_ends_and_beyond) {
    tn_pose before = turned(0.1, 0.7), after = turned(0.3, -2.1);
    const double at_before[] = {0.0, -0.0, -3.0, -(double)INFINITY};
    const double at_after[] = {1.0, 1.5, (double)INFINITY, (double)NAN};
    for (int i = 0; i < 4; ++i) {
        tn_pose first = tn_pose_blend(before, after, at_before[i]);
        tn_pose last = tn_pose_blend(before, after, at_after[i]);
        cr_assert(memcmp(&first, &before, sizeof first) == 0);
        cr_assert(memcmp(&last, &after, sizeof last) == 0);
    }
}

// ---- a world ------------------------------------------------------------------------------------

Test(blend, of_a_world_lies_between_the_ends_of_its_last_step) {
    tn_body_id body = make_flyer(1.0);
    test_step(world, 1);
    float first[7], middle[7], last[7];
    cr_assert(read_body(body, 1, 0.0, first) && read_body(body, 1, 0.25, middle) &&
              read_body(body, 1, 1.0, last));
    TEST_NEAR(first[0], 1.0, 1e-6);
    TEST_NEAR(last[0], 1.1, 1e-6);
    TEST_NEAR(middle[0], 1.025, 1e-6);
    TEST_NEAR(2.0 * atan2((double)middle[5], (double)middle[6]), 0.125, 1e-3);
    test_step(world, 1);
    cr_assert(read_body(body, 2, 0.0, first));
    cr_assert(memcmp(first, last, sizeof first) == 0);
    cr_assert(reports.count == 0);
}

Test(blend, is_from_the_given_origin_and_at_most_as_many_as_there_is_room_for) {
    tn_body_id bodies[3] = {make_flyer(0.0), make_flyer(10.0), make_flyer(20.0)}, read[2];
    test_step(world, 1);
    float poses[14 + 1] = {[14] = 77.0f};
    tn_vec3 at = {100.0, 1.0, 0.0};
    cr_assert(tn_world_get_blended_poses(world, 0, 1.0, at, poses, read, 2) == 3);
    cr_assert(poses[14] == 77.0f && read[0].value == bodies[0].value &&
              read[1].value == bodies[1].value);
    TEST_NEAR(poses[7], 10.1 - 100.0, 1e-5);
    TEST_NEAR(poses[8], -1.0, 1e-6);
    cr_assert(tn_world_get_blended_poses(world, 0, 0.5, at, NULL, NULL, 3) == 3);
}

// Its frame is what is drawn, not its centre of mass.
Test(blend, is_that_of_the_frame) {
    tn_body_def def = tn_body_def_default();
    def.gravity_scale = 0.0f;
    def.velocity.angular.z = 12.0;
    def.has_mass = true;
    def.mass = (tn_mass){1.0, {1.0, 0.0, 0.0}, {.xx = 1.0, .yy = 1.0, .zz = 1.0}};
    tn_body_id body = tn_body_create(world, &def);
    float pose[7];
    test_step(world, 1);
    cr_assert(read_body(body, 0, 1.0, pose));
    tn_pose now = tn_body_get_pose(world, body);
    TEST_NEAR(pose[1], now.position.y, 1e-7);
    cr_assert(fabs(now.position.y) > 0.1);
}

// ---- jumps --------------------------------------------------------------------------------------

Test(blend, does_not_smear_a_teleport) {
    tn_body_id body = make_flyer(0.0);
    test_step(world, 1);
    tn_body_set_pose(world, body, (tn_pose){{500.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    float pose[7];
    cr_assert(read_body(body, 1, 0.3, pose) && pose[0] == 500.0f);
    test_step(world, 1);
    cr_assert(read_body(body, 1, 0.0, pose) && pose[0] == 500.0f);
    cr_assert(read_body(body, 1, 0.5, pose));
    TEST_NEAR(pose[0], 500.05, 1e-4);
}

static void lead(const tn_reduced_input *input, tn_reduced_output *out, void *user_data) {
    (void)user_data;
    out->bodies[0].pose.position.x = input->coordinates[0];
    out->bodies[0].linear[0].x = 1.0;
}

Test(blend, does_not_smear_coordinates_that_are_set) {
    tn_body_id body = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_reduced_def def = tn_reduced_def_default();
    def.bodies[0] = body;
    def.body_count = 1;
    def.freedoms = 1;
    def.function = lead;
    tn_reduced_id reduced = tn_reduced_create(world, &def);
    double at = 40.0, speed = 6.0;
    cr_assert(reduced.value != 0);
    test_step(world, 1);
    tn_reduced_set_coordinates(world, reduced, &at, 1);
    float pose[7];
    cr_assert(read_body(body, 1, 0.3, pose) && pose[0] == 40.0f);
    tn_reduced_set_speeds(world, reduced, &speed, 1);
    test_step(world, 1);
    tn_reduced_set_speeds(world, reduced, &speed, 1); // which is no jump
    cr_assert(read_body(body, 2, 0.5, pose));
    TEST_NEAR(pose[0], 40.05, 1e-5);
}

Test(blend, gives_new_bodies_where_they_are) {
    test_step(world, 3);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 7.0, 0.0, 0.0);
    float pose[7];
    cr_assert(read_body(body, 3, 0.5, pose) && pose[0] == 7.0f);
    test_step(world, 1);
    cr_assert(read_body(body, 3, 0.5, pose) && !read_body(body, 4, 0.5, pose));
}

Test(blend, gives_all_bodies_after_a_load_and_after_a_clear) {
    tn_body_id body = make_flyer(0.0);
    test_step(world, 2);
    uint64_t size = tn_world_save(world, NULL, 0);
    void *memory = malloc(size);
    cr_assert(tn_world_save(world, memory, size) == size);
    test_step(world, 5);
    cr_assert(tn_world_load(world, memory, size) == TN_RESULT_OK);
    free(memory);
    float pose[7];
    cr_assert(read_body(body, 7, 0.5, pose));
    TEST_NEAR(pose[0], 0.2, 1e-6);
    tn_world_clear(world);
    body = test_body_create(world, TN_BODY_TYPE_STATIC, 7.0, 0.0, 0.0);
    cr_assert(read_body(body, 7, 0.5, pose) && pose[0] == 7.0f);
}

// ---- what rests ---------------------------------------------------------------------------------

// Steps that a renderer leaves out must not leave a body in the air.
Test(blend, gives_what_came_to_rest_once_more_at_its_end) {
    tn_body_id body = make_flyer(0.0);
    test_step(world, 1);
    float pose[7];
    cr_assert(read_body(body, 0, 0.5, pose));
    tn_body_set_velocity(world, body, (tn_velocity){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
    tn_body_set_awake(world, body, false);
    test_step(world, 3);
    cr_assert(read_body(body, 1, 0.5, pose));
    TEST_NEAR(pose[0], 0.1, 1e-6);
    cr_assert(!read_body(body, tn_world_get_step_count(world), 0.5, pose));
}

// ---- cost ---------------------------------------------------------------------------------------

Test(blend, is_refused_by_a_world_that_keeps_no_poses) {
    tn_world *other = test_world_create(&reports);
    TEST_REPORTS(&reports, tn_world_get_blended_poses(other, 0, 0.5, origin, NULL, NULL, 0),
                 TN_RESULT_INVALID_ARGUMENT);
    tn_world_destroy(other);
    cr_assert(tn_world_get_blended_poses(NULL, 0, 0.5, origin, NULL, NULL, 0) == 0);
}

static uint64_t run_tower(const tn_world_def *def, uint64_t *out_allocations) {
    tn_world *tower = test_def_world_create(*def, &reports);
    test_floor_create(tower);
    for (int i = 0; i < 9; ++i) {
        test_box_create(tower, TN_BODY_TYPE_DYNAMIC, 0.2 * i, 0.6 + 1.1 * i, 0.0,
                        (tn_vec3){0.5, 0.5, 0.5});
    }
    test_step(tower, 60);
    *out_allocations = tn_world_get_telemetry(tower).allocations;
    uint64_t hash = tn_world_get_hash(tower);
    test_world_destroy_quiet(tower, &reports);
    return hash;
}

Test(blend, changes_no_bit_and_takes_no_memory_in_a_step) {
    tn_world_def plain = tn_world_def_default(), keeping = keeping_def();
    uint64_t allocations;
    uint64_t hash = run_tower(&plain, &allocations);
    cr_assert(run_tower(&keeping, &allocations) == hash && allocations == 0);
}
