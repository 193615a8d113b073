// Tests of solver/contacts/contact_prepare.c: near contacts act in time, turning bodies keep their
// momentum.
#include "tests/joints/joint_motion.h"
#include "tests/world/world_test.h"

static tn_world *make_world(void) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0, 0.0, 0.0};
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

static tn_body_id random_body(test_random *random, tn_world *world, tn_body_type type) {
    tn_body_def def = tn_body_def_default();
    def.type = type;
    tni_dvec3 p = random_vector(random, 1.0);
    tni_dquat q = random_rotation(random);
    def.pose.position = (tn_vec3){p.x, p.y, p.z};
    def.pose.rotation = (tn_quat){q.x, q.y, q.z, q.w};
    return tn_body_create(world, &def);
}

// A rod of 1 m lies in three bodies of 2 to 6 m that overlap, one of them static. Contacts push
// bodies apart at some metres a second, and turn rods of some millimetres by thousands of rad/s.
Test(contact_prepare, a_rod_that_heavy_bodies_have_swallowed_is_not_flung) {
    test_random random = {.state = 37};
    for (int round = 0; round < 300; ++round) {
        test_reports reports;
        tn_world *world = test_world_create(&reports);
        tn_shape_def shape = tn_shape_def_default();
        for (int i = 0; i < 3; ++i) {
            tn_body_type type = i == 0 ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
            tn_body_id body = random_body(&random, world, type);
            double size = random_between(&random, 1.0, 3.0);
            if (random_between(&random, 0.0, 1.0) < 0.5) {
                tn_sphere_shape_create(world, body, &shape, (float)size);
            } else {
                tn_vec3 half = {size, random_between(&random, 1.0, 3.0), size};
                tn_box_shape_create(world, body, &shape, half);
            }
        }
        tn_body_id rod = random_body(&random, world, TN_BODY_TYPE_DYNAMIC);
        double thin = pow(10.0, random_between(&random, -3.0, -1.0));
        if (round % 2 == 0) {
            tn_box_shape_create(world, rod, &shape, (tn_vec3){0.5, thin, thin});
        } else {
            tn_capsule_shape_create(world, rod, &shape, 0.5f, (float)thin);
        }
        for (int step = 0; step < 10; ++step) {
            tn_world_step(world, 1.0 / 60.0, 2);
            tn_vec3 v = tn_body_get_linear_velocity(world, rod);
            double speed = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
            cr_assert(speed < 1e4, "round %d: %g m/s", round, speed);
        }
        test_world_destroy_quiet(world, &reports);
    }
}

// Boxes 15 mm apart, all of them within the margin of their contacts and none of them pushing. The
// first one is shot at the others: within one step the blow must go through all of them. In the end
// all go on with the common velocity of 20/6 m/s; a blow that were given again would drive them
// apart, by 1.9 to 4.7 m/s. On the way a substep of 83 mm leaves some overlap.
Test(contact_prepare, a_blow_goes_through_near_boxes_within_the_step) {
    enum {
        COUNT = 6
    };
    tn_world *world = make_world();
    tn_body_id boxes[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        boxes[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 1.015 * i, 0.0, 0.0,
                                   (tn_vec3){0.5, 0.5, 0.5});
    }
    test_step(world, 1);
    cr_assert(tn_world_get_telemetry(world).manifolds == COUNT - 1);
    tn_body_set_linear_velocity(world, boxes[0], (tn_vec3){20.0, 0.0, 0.0});
    double first = 0.0;
    for (int step = 0; step < 30; ++step) {
        test_step(world, 1);
        double momentum = 0.0;
        for (int i = 0; i < COUNT; ++i) {
            momentum += (double)tn_body_get_linear_velocity(world, boxes[i]).x;
            double before = i > 0 ? tn_body_get_center(world, boxes[i - 1]).x : -10.0;
            cr_assert(tn_body_get_center(world, boxes[i]).x - before > 0.98);
        }
        TEST_NEAR(momentum, 20.0, 1e-4);
        first = step == 0 ? (double)tn_body_get_linear_velocity(world, boxes[COUNT - 1]).x : first;
    }
    cr_assert(first > 0.0);
    for (int i = 0; i < COUNT; ++i) {
        TEST_NEAR((double)tn_body_get_linear_velocity(world, boxes[i]).x, 20.0 / 6.0, 0.25);
    }
    tn_world_destroy(world);
}

// Two rods that whirl and rub: inertia turns with them, and each impulse must change both angular
// momenta by opposite torques about a common point.
Test(contact_prepare, whirling_rods_keep_their_angular_momentum) {
    tn_world *world = make_world();
    tn_body_id a =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0, (tn_vec3){1.0, 0.1, 0.2});
    tn_body_id b =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.3, 0.35, 0.1, (tn_vec3){0.2, 0.1, 1.0});
    tn_body_set_velocity(world, a, (tn_velocity){{0.0, 0.5, 0.0}, {3.0, 6.0, 1.0}});
    tn_body_set_velocity(world, b, (tn_velocity){{0.0, -0.5, 0.0}, {-2.0, -4.0, 2.0}});
    tn_vec3 before = tn_world_get_energy(world).angular_momentum;
    uint32_t touching = 0;
    for (int i = 0; i < 120; ++i) {
        test_step(world, 1);
        touching += tn_world_get_telemetry(world).manifolds;
    }
    tn_vec3 after = tn_world_get_energy(world).angular_momentum;
    cr_assert(touching > 3);
    double size = sqrt(before.x * before.x + before.y * before.y + before.z * before.z);
    double x = after.x - before.x, y = after.y - before.y, z = after.z - before.z;
    // The impulses of solve A have the arms of the middle of the drift, which is still to come.
    double off = sqrt(x * x + y * y + z * z) / size;
    cr_assert(off < 5e-3, "off by %g of it", off);
    tn_world_destroy(world);
}
