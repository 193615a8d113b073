// Tests of solver/bodies/world_inertia.c: bodies that are far easier to turn about one axis.
#include "tests/joints/joint_motion.h"
#include "tests/world/world_test.h"

// Two boxes 100 m to 100 km apart are one body. A block of 10 m is in the way of one of them, by
// 0.3 m or less: it is pushed out at some metres a second. The moments of the body about its long
// axis and across differ by a factor of up to 1e10, which the squares of floats do not hold.
Test(world_inertia, two_lumps_far_apart_are_pushed_as_one_lump_is) {
    test_random random = {.state = 514};
    for (int round = 0; round < 300; ++round) {
        test_reports reports;
        tn_world *world = test_world_create(&reports);
        tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
        test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, (tn_vec3){5.0, 5.0, 5.0});
        double far = pow(10.0, random_between(&random, 2.0, 5.0));
        tn_body_def def = tn_body_def_default();
        def.pose.position =
            (tn_vec3){random_between(&random, -3.0, 3.0), 6.4, random_between(&random, -3.0, 3.0)};
        def.pose.rotation =
            (tn_quat){random_between(&random, -1.0, 1.0), random_between(&random, -1.0, 1.0),
                      random_between(&random, -1.0, 1.0), random_between(&random, -1.0, 1.0)};
        tn_body_id body = tn_body_create(world, &def);
        tn_shape_def shape = tn_shape_def_default();
        tn_box_shape_create(world, body, &shape, (tn_vec3){1.0, 2.0, 1.5});
        shape.local_pose.position = (tn_vec3){far * random_between(&random, -1.0, 1.0),
                                              far * random_between(&random, -1.0, 1.0),
                                              far * random_between(&random, -1.0, 1.0)};
        tn_box_shape_create(world, body, &shape, (tn_vec3){1.0, 2.0, 1.5});
        for (int step = 0; step < 20; ++step) {
            tn_world_step(world, 1.0 / 60.0, 2);
            tn_vec3 v = tn_body_get_point_velocity(world, body, def.pose.position);
            double speed = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
            cr_assert(speed < 5.0, "round %d: %g m/s", round, speed);
        }
        test_world_destroy_quiet(world, &reports);
    }
}
