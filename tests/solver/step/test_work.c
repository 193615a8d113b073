// Tests of solver/step/work.c: the ledger explains every joule of kinetic energy.
#include "tests/world/world_test.h"

static tn_world *make_world(void) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    def.has_energy_ledger = true;
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
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 2.0, 0.0, (tn_vec3){0.5, 0.25, 0.4});
    tn_velocity velocity = {{3.0, 0.0, 1.0}, {1.0, 2.0, 0.5}};
    tn_body_set_velocity(world, box, velocity);
    tn_body_set_damping(world, box, 0.1f, 0.2f);
    tn_body_id arm =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 6.0, 5.0, 0.0, (tn_vec3){1.0, 0.1, 0.1});
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, arm, (tn_vec3){5.0, 5.0, 0.0},
                            (tn_vec3){0.0, 0.0, 1.0});
    hinge.motor.mode = TN_MOTOR_MODE_SPEED;
    hinge.motor.target_speed = 3.0f;
    hinge.motor.max_force = 900.0f;
    hinge.friction = 20.0f;
    cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
    tn_body_id weight = test_ball_create(world, -6.0, 4.0, 0.0, 0.3f);
    tn_distance_joint_def spring = tn_distance_joint_def_default();
    tn_joint_def_set_frames(world, &spring.base, (tn_body_id){0}, weight, (tn_vec3){-6.0, 4.0, 0.0},
                            (tn_vec3){0.0, 1.0, 0.0});
    spring.base.frame_a.position.y = 6.0;
    spring.is_rigid = false;
    spring.spring.mode = TN_SPRING_MODE_STIFFNESS;
    spring.spring.stiffness = 3000.0f;
    spring.spring.damping = 40.0f;
    spring.spring.rest = 1.0f;
    cr_assert(tn_distance_joint_create(world, &spring).value != 0);
    double start = tn_world_get_energy(world).kinetic, largest = start;
    for (int i = 0; i < 180; ++i) {
        tn_body_apply_force(world, weight, (tn_vec3){20.0, 0.0, 0.0});
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
        tn_box_shape_create(world, slab, &shape, (tn_vec3){0.6, 0.15, 0.3});
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
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
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
        tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
        tn_body_id body =
            test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0, (tn_vec3){0.5, 0.3, 0.4});
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
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_step(world, 30);
    tn_energy before = tn_world_get_energy(world);
    double start = tn_body_get_center(world, box).x;
    for (int i = 0; i < 60; ++i) {
        tn_body_apply_force(world, box, (tn_vec3){9000.0, 0.0, 0.0});
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

// ---- each entry against a closed form -----------------------------------------------------------

static tn_world *make_weightless(tn_solver solver) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.gravity = (tn_vec3){0.0, 0.0, 0.0};
    def.is_sleep_allowed = false;
    def.has_energy_ledger = true;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

// Of 1 kg and 1 kg m^2 about every axis, without a shape.
static tn_body_id make_unit(tn_world *world, double y) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, y, 0.0);
    tn_mass mass = {.mass = 1.0, .inertia = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}};
    tn_body_set_mass(world, body, mass);
    return body;
}

static const tn_solver all_solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};

// Two half kicks of a substep leave v / (1 + h c / 2)^2.
static double get_left(double rate, uint32_t substeps, uint32_t steps) {
    double factor = 1.0 / (1.0 + 0.5 * rate / (60.0 * substeps));
    return pow(factor, 4.0 * substeps * steps);
}

Test(work, strong_damping_takes_its_closed_form_of_each_motion) {
    for (uint32_t substeps = 1; substeps <= 4; substeps += 3) {
        tn_world *world = make_weightless(TN_SOLVER_PGS);
        tn_body_id way = make_unit(world, 0.0), turn = make_unit(world, 9.0);
        tn_body_set_velocity(world, way, (tn_velocity){{4.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
        tn_body_set_damping(world, way, 40.0f, 0.0f);
        tn_body_set_velocity(world, turn, (tn_velocity){{0.0, 0.0, 0.0}, {0.0, 6.0, 0.0}});
        tn_body_set_damping(world, turn, 0.0f, 25.0f);
        for (uint32_t i = 1; i <= 6; ++i) {
            cr_assert(tn_world_step(world, 1.0 / 60.0, substeps) == TN_RESULT_OK);
            double taken = 8.0 * (1.0 - get_left(40.0, substeps, i)) +
                           18.0 * (1.0 - get_left(25.0, substeps, i));
            TEST_NEAR(tn_world_get_energy(world).damping_work, -taken, 1e-4);
        }
        tn_world_destroy(world);
    }
}

// A torque against damping: at w = torque / c each takes what the other gives, torque w a second.
Test(work, a_torque_gives_what_damping_takes) {
    tn_world *world = make_weightless(TN_SOLVER_PGS);
    tn_body_id body = make_unit(world, 0.0);
    tn_body_set_damping(world, body, 0.0f, 30.0f);
    for (int i = 0; i < 120; ++i) {
        tn_energy before = tn_world_get_energy(world);
        tn_body_apply_torque(world, body, (tn_vec3){0.0, 90.0, 0.0});
        test_step(world, 1);
        tn_energy e = tn_world_get_energy(world);
        TEST_NEAR(get_sum(&e), e.kinetic, 1e-4 * e.force_work);
        if (i >= 60) {
            TEST_NEAR((e.force_work - before.force_work) * 60.0, 90.0 * 3.0, 0.1);
            TEST_NEAR((e.damping_work - before.damping_work) * 60.0, -90.0 * 3.0, 0.1);
        }
    }
    tn_world_destroy(world);
}

Test(work, gravity_works_by_the_scale_of_a_body) {
    tn_world *world = make_world();
    tn_body_id light = make_unit(world, 0.0), heavy = make_unit(world, 50.0);
    tn_body_set_gravity_scale(world, light, 0.25f);
    tn_body_set_gravity_scale(world, heavy, -3.0f);
    test_step(world, 60);
    double g = 9.81, fall = 0.5 * g;
    tn_energy e = tn_world_get_energy(world);
    TEST_NEAR(e.gravity_work, g * fall * (0.0625 + 9.0), 1e-3);
    cr_assert(e.force_work == 0.0 && e.joint_work == 0.0);
    tn_world_destroy(world);
}

// From rest, x = d cos(w t): k (d^2 - x^2) / 2.
Test(work, a_spring_gives_what_it_has_stored) {
    for (int k = 0; k < 3; ++k) {
        tn_world *world = make_weightless(all_solvers[k]);
        tn_body_id weight = make_unit(world, 0.0);
        tn_distance_joint_def spring = tn_distance_joint_def_default();
        tn_joint_def_set_frames(world, &spring.base, (tn_body_id){0}, weight,
                                (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 1.0, 0.0});
        spring.base.frame_a.position.y = 5.0;
        spring.is_rigid = false;
        spring.spring.mode = TN_SPRING_MODE_STIFFNESS;
        spring.spring.stiffness = 40.0f;
        spring.spring.rest = 4.0f;
        cr_assert(tn_distance_joint_create(world, &spring).value != 0);
        for (int i = 0; i < 60; ++i) {
            test_step(world, 1);
            double x = 1.0 - tn_body_get_center(world, weight).y;
            tn_energy e = tn_world_get_energy(world);
            TEST_NEAR(e.spring_work, 20.0 * (1.0 - x * x), 0.05);
            TEST_NEAR(e.spring_work, e.kinetic, 1e-3);
        }
        tn_world_destroy(world);
    }
}

// A slider lifts 1 kg at 2 m/s.
Test(work, a_motor_gives_what_it_lifts_and_moves) {
    for (int k = 0; k < 3; ++k) {
        tn_world *world = test_solver_world_create(all_solvers[k], &(test_reports){0});
        tn_body_id weight = make_unit(world, 0.0);
        tn_slider_joint_def slider = tn_slider_joint_def_default();
        tn_joint_def_set_frames(world, &slider.base, (tn_body_id){0}, weight,
                                (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 1.0, 0.0});
        slider.motor =
            (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 2.0f, .max_force = 400.0f};
        tn_joint_id joint = tn_slider_joint_create(world, &slider);
        cr_assert(joint.value != 0);
        test_step(world, 90);
        double height = tn_body_get_center(world, weight).y;
        tn_energy e = tn_world_get_energy(world);
        cr_assert(height > 2.9);
        TEST_NEAR(e.motor_work, 9.81 * height + 2.0, 0.02);
        TEST_NEAR(tn_joint_get_motor_work(world, joint), e.motor_work, 1e-6);
        TEST_NEAR(e.gravity_work, -9.81 * height, 0.02);
        TEST_NEAR(e.force_work, 0.0, 1e-9);
        tn_world_destroy(world);
    }
}

// A box of 1000 kg laid on a belt that runs: its friction heats m u^2 / 2, and it gains as much.
static void lay_on_belt(bool is_exact) {
    tn_world *world = make_world();
    double u = 2.0;
    tn_body_id belt = test_body_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, -0.5, 0.0);
    tn_shape_def shape = tn_shape_def_default();
    cr_assert(tn_box_shape_create(world, belt, &shape, (tn_vec3){50.0, 0.5, 5.0}).value != 0);
    tn_body_set_velocity(world, belt, (tn_velocity){{u, 0.0, 0.0}, {0.0, 0.0, 0.0}});
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    double mass = 1000.0;
    if (is_exact) {
        tn_body_id rider = make_unit(world, 1.2);
        tn_fixed_joint_def weld = tn_fixed_joint_def_default();
        weld.base.solver = TN_SOLVER_DIRECT;
        tn_joint_def_set_frames(world, &weld.base, box, rider, (tn_vec3){0.0, 1.2, 0.0},
                                (tn_vec3){0.0, 1.0, 0.0});
        cr_assert(tn_fixed_joint_create(world, &weld).value != 0);
        mass += 1.0;
    }
    test_step(world, 90);
    TEST_NEAR(tn_body_get_velocity(world, box).linear.x, u, 1e-3);
    tn_energy e = tn_world_get_energy(world);
    TEST_NEAR(e.kinetic / (0.5 * mass * u * u), 1.0, 1e-3);
    TEST_NEAR(e.friction_work / (0.5 * mass * u * u), -1.0, 0.02);
    TEST_NEAR(e.force_work / (mass * u * u), 1.0, 0.02);
    TEST_NEAR(get_sum(&e), e.kinetic, 1e-4 * e.kinetic);
    tn_world_destroy(world);
}

Test(work, a_conveyor_gives_twice_what_its_load_gains) {
    lay_on_belt(false);
    lay_on_belt(true);
}

// What holds the rod's end goes up and turns; its joint gives nothing itself.
Test(work, a_joint_of_a_kinematic_body_hands_on_its_force) {
    for (int k = 0; k < 3; ++k) {
        tn_world *world = test_solver_world_create(all_solvers[k], &(test_reports){0});
        tn_body_id hand = test_body_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, 0.0, 0.0);
        tn_body_set_velocity(world, hand, (tn_velocity){{0.0, 2.0, 0.0}, {0.0, 3.0, 0.0}});
        tn_body_id weight = make_unit(world, 0.0);
        tn_fixed_joint_def weld = tn_fixed_joint_def_default();
        tn_joint_def_set_frames(world, &weld.base, hand, weight, (tn_vec3){0.0, 0.0, 0.0},
                                (tn_vec3){0.0, 1.0, 0.0});
        cr_assert(tn_fixed_joint_create(world, &weld).value != 0);
        test_step(world, 60);
        tn_energy e = tn_world_get_energy(world);
        double gained = 0.5 * (4.0 + 9.0);
        // The velocities come at once, as of a blow: half of what the hand gives is lost in it.
        TEST_NEAR(e.kinetic, gained, 1e-3);
        TEST_NEAR(e.force_work, 9.81 * 2.0 + 2.0 * gained, 0.2);
        TEST_NEAR(e.joint_work, -gained, 0.2);
        TEST_NEAR(get_sum(&e), e.kinetic, 1e-4 * e.force_work);
        tn_world_destroy(world);
    }
}

// A hand that goes up at 2 m/s lifts 1 kg by a rope; its first jerk gives 2 J and loses as much.
Test(work, a_rope_of_a_kinematic_body_hands_on_its_force) {
    for (int k = 0; k < 6; ++k) {
        tn_world *world = test_solver_world_create(all_solvers[k / 2], &(test_reports){0});
        tn_body_id hand = test_body_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, 3.0, 0.0);
        tn_body_set_velocity(world, hand, (tn_velocity){{0.0, 2.0, 0.0}, {0.0, 0.0, 0.0}});
        tn_body_id weight = make_unit(world, 0.0);
        tn_rope_joint_def rope = tn_rope_joint_def_default();
        rope.points[0].body = k % 2 == 0 ? hand : weight;
        rope.points[1].body = k % 2 == 0 ? weight : hand;
        rope.point_count = 2;
        cr_assert(tn_rope_joint_create(world, &rope).value != 0);
        test_step(world, 60);
        tn_energy e = tn_world_get_energy(world);
        TEST_NEAR(e.kinetic, 2.0, 1e-3);
        TEST_NEAR(e.gravity_work, -9.81 * 2.0, 0.1);
        TEST_NEAR(e.force_work, 9.81 * 2.0 + 4.0, 0.1);
        TEST_NEAR(e.joint_work, -2.0, 0.1);
        TEST_NEAR(get_sum(&e), e.kinetic, 1e-4 * e.force_work);
        tn_world_destroy(world);
    }
}

// A winch hauls 1 kg up at 2 m/s; as above.
Test(work, a_winch_gives_what_its_rope_lifts) {
    for (int k = 0; k < 3; ++k) {
        tn_world *world = test_solver_world_create(all_solvers[k], &(test_reports){0});
        tn_body_id weight = make_unit(world, 0.0);
        tn_rope_joint_def rope = tn_rope_joint_def_default();
        rope.points[0].body = weight;
        rope.points[1].position = (tn_vec3){0.0, 5.0, 0.0};
        rope.point_count = 2;
        rope.payout_speed = -2.0f;
        tn_joint_id joint = tn_rope_joint_create(world, &rope);
        cr_assert(joint.value != 0);
        test_step(world, 60);
        tn_energy e = tn_world_get_energy(world);
        TEST_NEAR(e.kinetic, 2.0, 1e-3);
        TEST_NEAR(e.motor_work, 9.81 * 2.0 + 4.0, 0.1);
        TEST_NEAR(tn_joint_get_motor_work(world, joint), e.motor_work, 0.1);
        TEST_NEAR(e.joint_work, -2.0, 0.1);
        TEST_NEAR(get_sum(&e), e.kinetic, 1e-4 * e.motor_work);
        tn_world_destroy(world);
    }
}

// The load is more than the joint bears: it falls, and nobody has done any other work.
Test(work, what_breaks_at_once_does_no_work) {
    for (int k = 0; k < 3; ++k) {
        tn_world *world = test_solver_world_create(all_solvers[k], &(test_reports){0});
        tn_body_id weight = make_unit(world, 0.0);
        tn_ball_joint_def ball = tn_ball_joint_def_default();
        tn_joint_def_set_frames(world, &ball.base, (tn_body_id){0}, weight,
                                (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 1.0, 0.0});
        ball.base.break_force = 5.0f;
        tn_joint_id joint = tn_ball_joint_create(world, &ball);
        test_step(world, 60);
        cr_assert(!tn_joint_is_valid(world, joint));
        tn_energy e = tn_world_get_energy(world);
        TEST_NEAR(e.gravity_work, 0.5 * 9.81 * 9.81, 0.05);
        TEST_NEAR(e.joint_work, 0.0, 1e-3);
        TEST_NEAR(get_sum(&e), e.kinetic, 1e-4 * e.kinetic);
        tn_world_destroy(world);
    }
}

// A slab whirls about on a ball joint at its centre, by two radians in a substep. Its energy swings
// by a per mille and more in the drifts, which the joint that holds it there has to give.
Test(work, a_joint_gives_what_a_whirling_body_gains_in_the_drift) {
    tn_world *world = make_weightless(TN_SOLVER_PGS);
    tn_body_id slab =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0, (tn_vec3){0.5, 0.2, 0.05});
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    tn_joint_def_set_frames(world, &ball.base, (tn_body_id){0}, slab, (tn_vec3){0.0, 0.0, 0.0},
                            (tn_vec3){1.0, 0.0, 0.0});
    tn_ball_joint_create(world, &ball);
    tn_body_set_velocity(world, slab, (tn_velocity){.angular = {300.0, 350.0, 200.0}});
    double start = tn_world_get_energy(world).kinetic, off = 0.0, swing = 0.0;
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        tn_energy e = tn_world_get_energy(world);
        off = fmax(off, fabs(get_sum(&e) - (e.kinetic - start)));
        swing = fmax(swing, fabs(e.kinetic - start));
    }
    cr_expect(swing > 1e-3 * start, "%g", swing / start);
    cr_expect(off < 1e-5 * start, "off by %g of %g", off / start, swing / start);
    tn_world_destroy(world);
}
