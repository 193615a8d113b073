// Tests of solver/work.c: the ledger explains every joule of kinetic energy.
#include "tests/world/world_test.h"

static tn_world *make_world(void) {
    tn_world_def def = tn_world_def_default();
    def.enable_sleep = false;
    def.enable_energy_ledger = true;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

static double get_sum(const tn_energy *e) {
    return e->gravity_work + e->motor_work + e->spring_work + e->force_work + e->joint_work +
           e->friction_work + e->impact_work + e->damping_work;
}

Test(work, everything_at_once_adds_up_to_the_kinetic_energy) {
    tn_world *world = make_world();
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 2.0, 0.0, (tn_vec3){0.5f, 0.25f, 0.4f});
    tn_velocity velocity = {{3.0, 0.0, 1.0}, {1.0, 2.0, 0.5}};
    tn_body_set_velocity(world, box, velocity);
    tn_body_set_damping(world, box, 0.1f, 0.2f);
    tn_body_id arm =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 6.0, 5.0, 0.0, (tn_vec3){1.0f, 0.1f, 0.1f});
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, arm, (tn_position){5.0, 5.0, 0.0},
                            (tn_dvec3){0.0, 0.0, 1.0});
    hinge.motor.mode = TN_MOTOR_MODE_SPEED;
    hinge.motor.target_speed = 3.0f;
    hinge.motor.max_force = 900.0f;
    hinge.friction = 20.0f;
    cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
    tn_body_id weight = test_ball_create(world, -6.0, 4.0, 0.0, 0.3f);
    tn_distance_joint_def spring = tn_distance_joint_def_default();
    tn_joint_def_set_frames(world, &spring.base, (tn_body_id){0}, weight,
                            (tn_position){-6.0, 4.0, 0.0}, (tn_dvec3){0.0, 1.0, 0.0});
    spring.base.frame_a.position.y = 6.0;
    spring.is_rigid = false;
    spring.spring.mode = TN_SPRING_MODE_STIFFNESS;
    spring.spring.stiffness = 3000.0f;
    spring.spring.damping = 40.0f;
    spring.spring.rest = 1.0f;
    cr_assert(tn_distance_joint_create(world, &spring).value != 0);
    double start = tn_world_get_energy(world).kinetic, largest = start;
    for (int i = 0; i < 180; ++i) {
        tn_body_apply_force(world, weight, (tn_vec3){20.0f, 0.0f, 0.0f});
        test_step(world, 1);
        tn_energy e = tn_world_get_energy(world);
        largest = fmax(largest, e.kinetic);
        // What is left out: the drift's bounded exchange in tumbling bodies, and float round-off.
        cr_assert(fabs(get_sum(&e) - (e.kinetic - start)) < 2e-3 * largest,
                  "step %d: %g J, not %g J", i, get_sum(&e), e.kinetic - start);
    }
    tn_energy e = tn_world_get_energy(world);
    cr_assert(e.motor_work > 0.0 && e.friction_work < 0.0 && e.impact_work < 0.0);
    cr_assert(e.damping_work < 0.0 && e.force_work != 0.0 && e.spring_work != 0.0);
    tn_world_destroy(world);
}

// Slabs of unequal moments spin, fall on each other and bounce: blows take them to the time of the
// hit and back, where their inertia is another.
Test(work, the_ledger_adds_up_where_slabs_spin_and_bounce) {
    tn_world *world = make_world();
    tn_world_set_restitution_threshold(world, 0.2f);
    test_floor_create(world);
    tn_shape_def shape = tn_shape_def_default();
    shape.material.restitution = 0.6f;
    for (int i = 0; i < 6; ++i) {
        tn_body_id slab = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.3 * (i % 3),
                                           1.5 + 1.3 * i, 0.2 * (i % 2));
        tn_box_shape_create(world, slab, &shape, (tn_vec3){0.6f, 0.15f, 0.3f});
        tn_body_set_velocity(world, slab, (tn_velocity){{1.0, 0.0, 0.0}, {3.0 + i, 2.0, 5.0 - i}});
    }
    double start = tn_world_get_energy(world).kinetic, turned_over = 0.0;
    for (int i = 0; i < 180; ++i) {
        test_step(world, 1);
        tn_energy e = tn_world_get_energy(world);
        turned_over = fmax(turned_over, fabs(e.gravity_work));
        TEST_NEAR(get_sum(&e), e.kinetic - start, 1e-5 * turned_over + 0.1);
    }
    cr_assert(tn_world_get_energy(world).impact_work < -1000.0);
    tn_world_destroy(world);
}

Test(work, a_sliding_box_loses_its_energy_to_friction) {
    tn_world *world = make_world();
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5f, 0.5f, 0.5f});
    test_step(world, 30);
    double before = tn_world_get_energy(world).friction_work;
    tn_velocity velocity = {{3.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    tn_body_set_velocity(world, box, velocity);
    test_step(world, 120);
    double taken = tn_world_get_energy(world).friction_work - before;
    TEST_NEAR(taken / (0.5 * 1000.0 * 9.0), -1.0, 0.02);
    tn_world_destroy(world);
}

// Nothing else acts: what a free body loses is what damping took, along and about, at any rate.
Test(work, damping_takes_what_a_free_body_loses) {
    const float rates[][2] = {{6.0f, 0.0f}, {0.0f, 6.0f}, {3.0f, 9.0f}};
    for (int k = 0; k < 6; ++k) {
        tn_world *world = make_world();
        tn_world_set_gravity(world, (tn_vec3){0.0f, 0.0f, 0.0f});
        tn_body_id body = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0,
                                          (tn_vec3){0.5f, 0.3f, 0.4f});
        tn_body_set_velocity(world, body, (tn_velocity){{3.0, 0.0, 1.0}, {0.0, 12.0, 0.0}});
        tn_body_set_damping(world, body, rates[k % 3][0], rates[k % 3][1]);
        double start = tn_world_get_energy(world).kinetic;
        for (int i = 0; i < 30; ++i) {
            cr_assert(tn_world_step(world, 1.0 / 60.0, k < 3 ? 1 : 4) == TN_RESULT_OK);
            tn_energy e = tn_world_get_energy(world);
            TEST_NEAR(e.damping_work / start, (e.kinetic - start) / start, 1e-5);
        }
        cr_assert(tn_world_get_energy(world).damping_work < -0.3 * start);
        tn_world_destroy(world);
    }
}

// Each work by itself, of a box that is pulled along the floor: the sum alone would not tell.
Test(work, each_entry_of_a_pulled_box_is_what_its_force_did) {
    tn_world *world = make_world();
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5f, 0.5f, 0.5f});
    test_step(world, 30);
    tn_energy before = tn_world_get_energy(world);
    double start = tn_body_get_center(world, box).x;
    for (int i = 0; i < 60; ++i) {
        tn_body_apply_force(world, box, (tn_vec3){9000.0f, 0.0f, 0.0f});
        test_step(world, 1);
    }
    tn_energy e = tn_world_get_energy(world);
    double way = tn_body_get_center(world, box).x - start; // 1.5 m: (9 - 5.886) / 2
    cr_assert(way > 1.4);
    TEST_NEAR((e.force_work - before.force_work) / (9000.0 * way), 1.0, 1e-3);
    TEST_NEAR((e.friction_work - before.friction_work) / (-0.6 * 9810.0 * way), 1.0, 1e-2);
    TEST_NEAR(e.gravity_work - before.gravity_work, 0.0, 1.0);
    cr_assert(e.motor_work == 0.0 && e.spring_work == 0.0 && e.damping_work == 0.0);
    tn_world_destroy(world);
}
