// Contacts of bodies that are given by generalised coordinates: closed forms, and the same of rigid
// bodies.
#include "reduced_contacts.h"

#define GRAVITY 9.81
#define PI      3.14159265358979323846

static test_reports reports;
static const tn_vec3 half_box = {0.5, 0.5, 0.5};

TestSuite(reduced_contacts, .timeout = 60);

// ---- slopes ------------------------------------------------------------------------------------

// Speed and way of a box with two freedoms after a second, let go on a slope.
static void slide(double slope, double friction, double *out_speed, double *out_way) {
    tn_world *world = contacts_world_create(GRAVITY, slope, &reports);
    contacts_floor_make(world, (float)friction, 0.0f);
    tn_body_id box = contacts_box_make(world, 0.0, 0.5, 0.0, half_box, (float)friction);
    tn_reduced_id id = contacts_make(world, box, 2, contacts_planar, (double[]){0.0, 0.5}, NULL);
    reduced_run(world, 1.0, 60, 4);
    *out_speed = reduced_speed(world, id, 0);
    *out_way = reduced_coordinate(world, id, 0);
    TEST_NEAR(contacts_impulse(world, box) * 60.0, 1000.0 * GRAVITY * cos(slope), 20.0);
    TEST_NEAR(reduced_coordinate(world, id, 1), 0.5, 1e-3);
    test_world_destroy_quiet(world, &reports);
}

Test(reduced_contacts, friction_holds_below_its_cone_and_slides_above_it) {
    double speed, way;
    for (int i = 1; i <= 3; ++i) {
        double slope = 0.2 * (double)i, friction = tan(slope);
        slide(slope, friction + 0.02, &speed, &way);
        cr_assert(fabs(speed) < 1e-4 && fabs(way) < 1e-3, "%g: %g %g", slope, speed, way);
        slide(slope, friction - 0.1, &speed, &way);
        double exact = GRAVITY * (sin(slope) - (friction - 0.1) * cos(slope));
        TEST_NEAR(speed, exact, 2e-3);
        TEST_NEAR(way, 0.5 * exact, 2e-2);
    }
}

// What holds it off the floor is the guide, so that the floor bears nothing and rubs nothing.
Test(reduced_contacts, guide_bears_what_the_coordinates_cannot_give_way_to) {
    tn_world *world = contacts_world_create(GRAVITY, 0.3, &reports);
    contacts_floor_make(world, 1.0f, 0.0f);
    tn_body_id box = contacts_box_make(world, 0.0, 0.5, 0.0, half_box, 1.0f);
    tn_reduced_id id = contacts_make(world, box, 1, contacts_slider, (double[]){0.0}, NULL);
    reduced_run(world, 1.0, 60, 4);
    TEST_NEAR(reduced_speed(world, id, 0), GRAVITY * sin(0.3), 1e-5);
    cr_assert(contacts_impulse(world, box) == 0.0);
    test_world_destroy_quiet(world, &reports);
}

// One freedom along the slope of a wedge: its coordinate gives way to half of the normal.
Test(reduced_contacts, slider_stops_at_a_wall_that_bears_its_weight) {
    tn_world *world = contacts_world_create(GRAVITY, 0.3, &reports);
    tn_body_id box = contacts_box_make(world, 0.0, 0.5, 0.0, half_box, 0.5f);
    tn_body_id wall = test_box_create(world, TN_BODY_TYPE_STATIC, 2.0, 0.5, 0.0, half_box);
    tn_reduced_id id = contacts_make(world, box, 1, contacts_slider, (double[]){0.0}, NULL);
    reduced_run(world, 3.0, 180, 4);
    TEST_NEAR(reduced_coordinate(world, id, 0), 1.0, 1e-3);
    TEST_NEAR(reduced_speed(world, id, 0), 0.0, 1e-4);
    TEST_NEAR(contacts_impulse(world, wall) * 60.0, 1000.0 * GRAVITY * sin(0.3), 3.0);
    test_world_destroy_quiet(world, &reports);
}

// A ball that rolls: 5/7 of the slope's pull, against a resistance of that arm.
static double roll(bool is_reduced, float resistance) {
    tn_world *world = contacts_world_create(GRAVITY, 0.2, &reports);
    contacts_floor_make(world, 0.9f, 0.0f);
    tn_body_id ball = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0);
    tn_shape_def def = contacts_shape(0.9f, 0.0f);
    def.material.rolling_resistance = resistance;
    cr_assert(tn_sphere_shape_create(world, ball, &def, 0.5f).value != 0);
    if (is_reduced) {
        contacts_make(world, ball, 3, contacts_planar, (double[]){0.0, 0.5, 0.0}, NULL);
    }
    reduced_run(world, 1.0, 60, 4);
    tn_velocity v = tn_body_get_velocity(world, ball);
    TEST_NEAR(v.angular.z, -2.0 * v.linear.x, 2e-3);
    test_world_destroy_quiet(world, &reports);
    return v.linear.x;
}

Test(reduced_contacts, ball_rolls_down_as_a_rigid_one) {
    TEST_NEAR(roll(true, 0.0f), 5.0 / 7.0 * GRAVITY * sin(0.2), 5e-3);
    double exact = 5.0 / 7.0 * GRAVITY * (sin(0.2) - 0.04 / 0.5 * cos(0.2));
    TEST_NEAR(roll(true, 0.04f), exact, 5e-3);
    TEST_NEAR(roll(true, 0.0f), roll(false, 0.0f), 1e-4);
    TEST_NEAR(roll(true, 0.04f), roll(false, 0.04f), 1e-4);
}

// ---- arms --------------------------------------------------------------------------------------

#define ARM_MASS    2.0
#define ARM_INERTIA 0.3
#define ARM_LENGTH  0.8  // m: to the centre of mass
#define ARM_REACH   1.0  // to the middle of the ball that touches
#define ARM_BALL    0.1f // m

// Pivot, centre of mass, and beyond it a ball.
static tn_body_id arm_body_make(tn_world *world, float friction, float restitution) {
    tn_body_id body = reduced_body_make(world, ARM_MASS, ARM_INERTIA);
    tn_shape_def def = contacts_shape(friction, restitution);
    def.local_pose.position = (tn_vec3){0.0, (ARM_LENGTH - ARM_REACH), 0.0};
    cr_assert(tn_sphere_shape_create(world, body, &def, ARM_BALL).value != 0);
    return body;
}

// It falls on a floor: N (L sin q + mu ..) with smooth surfaces is m g l / L.
Test(reduced_contacts, arm_rests_on_a_floor_at_the_angle_and_load_of_statics) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    contacts_floor_make(world, 0.0f, 0.0f);
    reduced_arm arm = {.length = ARM_LENGTH, .y = 0.6};
    tn_body_id body = arm_body_make(world, 0.0f, 0.0f);
    tn_reduced_id id = reduced_arm_make(world, &arm, body, 2.0, 0.0);
    reduced_run(world, 5.0, 300, 4);
    TEST_NEAR(reduced_coordinate(world, id, 0), acos((0.6 - 0.1) / ARM_REACH), 1e-4);
    TEST_NEAR(reduced_speed(world, id, 0), 0.0, 1e-4);
    double load = ARM_MASS * GRAVITY * ARM_LENGTH / ARM_REACH;
    TEST_NEAR(contacts_impulse(world, body) * 60.0, load, 1e-3 * load);
    cr_assert(tn_world_get_telemetry(world).deepest_penetration < 1e-4);
    test_world_destroy_quiet(world, &reports);
}

// Without gravity the speed after a blow is that before it times -e, whatever the angle it comes
// at.
Test(reduced_contacts, bounce_of_an_arm_keeps_the_restitution) {
    const float kept[] = {0.0f, 0.3f, 0.8f, 1.0f};
    for (int i = 0; i < 4; ++i) {
        tn_world *world = contacts_world_create(0.0, 0.0, &reports);
        contacts_floor_make(world, 0.0f, kept[i]);
        reduced_arm arm = {.length = ARM_LENGTH, .y = 0.6};
        tn_body_id body = arm_body_make(world, 0.0f, kept[i]);
        tn_reduced_id id = reduced_arm_make(world, &arm, body, 2.0, -3.0);
        reduced_run(world, 0.7, 42, 4);
        cr_assert(reduced_coordinate(world, id, 0) > acos(0.5) - 1e-3);
        TEST_NEAR(reduced_speed(world, id, 0), 3.0 * (double)kept[i], 1e-2);
        test_world_destroy_quiet(world, &reports);
    }
}

// A bar with all six freedoms stands nearly upright and strikes with its lower edge alone: the
// impulse at the arm x is (1 + e) v / (1/m + x²/I).
Test(reduced_contacts, of_two_edges_that_are_nearly_level_the_lower_one_strikes) {
    const double leans[3] = {3e-4, 1e-3, 2e-3}, speed = 4.0, e = (double)0.8f;
    for (int i = 0; i < 3 * 2; ++i) {
        tn_world *world = contacts_world_create(0.0, 0.0, &reports);
        contacts_floor_make(world, 0.0f, 0.8f);
        tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 2.0, 0.0);
        tn_shape_def def = contacts_shape(0.0f, 0.8f);
        tn_box_shape_create(world, body, &def, (tn_vec3){1.0, 0.1, 0.3});
        const double u[6] = {0.0, 2.0, 0.0, 0.0, 0.0, 0.5 * M_PI - leans[i / 2]};
        const double v[6] = {0.0, -speed};
        contacts_make(world, body, 6, quality_reduced_free, u, v);
        reduced_run(world, 0.4, 12, i % 2 == 0 ? 1 : 4);
        double x = 0.1 - leans[i / 2], i_m = 1.01 / 3.0; // m; m²
        double kick = (1.0 + e) * speed / (1.0 + x * x / i_m);
        tn_velocity end = tn_body_get_velocity(world, body);
        TEST_NEAR(end.linear.y, kick - speed, 1e-3);
        TEST_NEAR(end.angular.z, kick * x / i_m, 3e-3);
        test_world_destroy_quiet(world, &reports);
    }
}

// A ball of 1 kg at 3 m/s against the arm: momentum about the pivot, m v L = I w + m L v'.
static void strike(float restitution, double *out_arm, double *out_ball) {
    tn_world *world = contacts_world_create(0.0, 0.0, &reports);
    reduced_arm arm = {.length = ARM_LENGTH, .y = 0.0};
    tn_body_id body = arm_body_make(world, 0.0f, restitution);
    tn_reduced_id id = reduced_arm_make(world, &arm, body, 0.0, 0.0);
    tn_body_id ball = reduced_body_make(world, 1.0, 0.004);
    tn_shape_def def = contacts_shape(0.0f, restitution);
    cr_assert(tn_sphere_shape_create(world, ball, &def, ARM_BALL).value != 0);
    tn_body_set_pose(world, ball, (tn_pose){{-0.5, -ARM_REACH, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    tn_body_set_linear_velocity(world, ball, (tn_vec3){3.0, 0.0, 0.0});
    reduced_run(world, 7.0 / 60.0, 7, 4);
    *out_arm = reduced_speed(world, id, 0);
    *out_ball = tn_body_get_velocity(world, ball).linear.x;
    test_world_destroy_quiet(world, &reports);
}

Test(reduced_contacts, ballistic_pendulum_takes_the_momentum_of_the_ball) {
    double inertia = ARM_INERTIA + ARM_MASS * ARM_LENGTH * ARM_LENGTH, arm, ball;
    double of_ball = ARM_REACH * ARM_REACH, exact = 3.0 * ARM_REACH / (inertia + of_ball);
    strike(0.0f, &arm, &ball);
    TEST_NEAR(arm, exact, 1e-3 * exact);
    TEST_NEAR(ball, ARM_REACH * exact, 5e-3);
    strike(0.5f, &arm, &ball);
    TEST_NEAR(arm, 1.5 * exact, 1e-3 * exact);
    TEST_NEAR(ARM_REACH * arm - ball, 1.5, 1e-3);
    strike(1.0f, &arm, &ball);
    TEST_NEAR(arm, 2.0 * exact, 1e-3 * exact);
    TEST_NEAR(0.5 * inertia * arm * arm + 0.5 * ball * ball, 4.5, 4e-3);
}

// Two equal arms hang side by side: a blow without loss hands all of the speed on.
Test(reduced_contacts, arm_hands_its_speed_to_an_equal_one) {
    tn_world *world = contacts_world_create(0.0, 0.0, &reports);
    reduced_arm first = {.length = ARM_LENGTH, .x = 0.0}, second = {.length = ARM_LENGTH, .x = 0.2};
    tn_body_id bodies[2] = {arm_body_make(world, 0.0f, 1.0f), arm_body_make(world, 0.0f, 1.0f)};
    tn_reduced_id a = reduced_arm_make(world, &first, bodies[0], -0.2, 2.0);
    tn_reduced_id b = reduced_arm_make(world, &second, bodies[1], 0.0, 0.0);
    reduced_run(world, 0.2, 12, 4);
    TEST_NEAR(reduced_speed(world, a, 0), 0.0, 1e-2);
    TEST_NEAR(reduced_speed(world, b, 0), 2.0, 1e-2);
    test_world_destroy_quiet(world, &reports);
}

// The same arm by its coordinate, and on a hinge that is closed exactly.
static double drop(bool is_reduced, float friction, float restitution, double time,
                   double *out_load) {
    tn_world_def world_def = tn_world_def_default();
    world_def.solver = TN_SOLVER_DIRECT;
    world_def.is_sleep_allowed = false;
    tn_world *world = test_def_world_create(world_def, &reports);
    contacts_floor_make(world, friction, restitution);
    reduced_arm arm = {.length = ARM_LENGTH, .y = 0.6};
    tn_body_id body = arm_body_make(world, friction, restitution);
    if (is_reduced) {
        reduced_arm_make(world, &arm, body, 2.0, 0.0);
    } else {
        double q = 2.0, x = ARM_LENGTH * sin(q), y = 0.6 - ARM_LENGTH * cos(q);
        tn_body_set_pose(world, body,
                         (tn_pose){{x, y, 0.0}, {0.0, 0.0, sin(0.5 * q), cos(0.5 * q)}});
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        cr_assert(tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, body,
                                          (tn_vec3){0.0, 0.6, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
        cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
    }
    reduced_run(world, time, (int)(time * 240.0 + 0.5), 4);
    tn_vec3 p = tn_body_get_pose(world, body).position;
    *out_load = restitution > 0.0f ? 0.0 : contacts_impulse(world, body) * 240.0;
    test_world_destroy_quiet(world, &reports);
    return atan2(p.x, 0.6 - p.y);
}

Test(reduced_contacts, arm_does_what_one_on_a_hinge_does) {
    double load, of_hinge;
    double angle = drop(true, 0.0f, 0.0f, 3.0, &load);
    TEST_NEAR(angle, drop(false, 0.0f, 0.0f, 3.0, &of_hinge), 1e-3);
    TEST_NEAR(load, of_hinge, 0.02 * of_hinge);
    // Of normal and friction together only the torque about the pivot is given.
    angle = drop(true, 0.5f, 0.0f, 3.0, &load);
    TEST_NEAR(angle, drop(false, 0.5f, 0.0f, 3.0, &of_hinge), 1e-3);
    for (int i = 0; i < 5; ++i) {
        double time = 0.6 + 0.05 * (double)i;
        angle = drop(true, 0.0f, 0.6f, time, &load);
        TEST_NEAR(angle, drop(false, 0.0f, 0.6f, time, &of_hinge), 5e-3);
    }
}

// ---- against rigid bodies and what moves by itself ---------------------------------------------

// A box lands on a cart of twice its mass that rolls along a guide: friction makes one speed.
Test(reduced_contacts, box_on_a_cart_comes_to_the_speed_of_both) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    tn_body_id cart = contacts_box_make(world, 0.0, 0.5, 0.0, (tn_vec3){2.0, 0.5, 0.5}, 0.5f);
    tn_reduced_id id =
        contacts_make(world, cart, 1, contacts_slider, (double[]){0.0}, (double[]){1.5});
    tn_body_id box = contacts_box_make(world, 0.0, 1.5, 0.0, half_box, 0.5f);
    reduced_run(world, 2.0, 120, 4);
    // 4 t at 1.5 m/s and 1 t at rest.
    TEST_NEAR(reduced_speed(world, id, 0), 1.2, 1e-4);
    TEST_NEAR(tn_body_get_velocity(world, box).linear.x, 1.2, 1e-4);
    TEST_NEAR(contacts_impulse(world, box) * 60.0, 1000.0 * GRAVITY, 10.0);
    tn_energy energy = tn_world_get_energy(world);
    TEST_NEAR(energy.friction_work, 0.5 * 5000.0 * 1.44 - 0.5 * 4000.0 * 2.25, 25.0);
    test_world_destroy_quiet(world, &reports);
}

Test(reduced_contacts, moving_plate_carries_a_reduced_box_along) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    tn_body_id plate =
        test_box_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, -0.5, 0.0, (tn_vec3){9.0, 0.5, 1.0});
    tn_body_set_linear_velocity(world, plate, (tn_vec3){1.0, 0.0, 0.0});
    tn_body_id box = contacts_box_make(world, 0.0, 0.5, 0.0, half_box, 0.6f);
    tn_reduced_id id = contacts_make(world, box, 2, contacts_planar, (double[]){0.0, 0.5}, NULL);
    reduced_run(world, 1.0, 60, 4);
    TEST_NEAR(reduced_speed(world, id, 0), 1.0, 1e-4);
    // It slides for v / mu g.
    TEST_NEAR(reduced_coordinate(world, id, 0), 1.0 - 0.5 / (0.6 * GRAVITY), 1e-2);
    test_world_destroy_quiet(world, &reports);
}

Test(reduced_contacts, particle_comes_to_rest_on_a_reduced_plate) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    tn_body_id plate = contacts_box_make(world, 0.0, 0.5, 0.0, half_box, 0.6f);
    contacts_make(world, plate, 1, contacts_slider, (double[]){0.0}, NULL);
    tn_body_def def = tn_body_def_default();
    def.is_particle = true;
    def.has_mass = true;
    def.mass.mass = 0.5;
    def.pose.position = (tn_vec3){0.1, 1.3, 0.0};
    tn_body_id grain = tn_body_create(world, &def);
    tn_shape_def shape = contacts_shape(0.6f, 0.0f);
    cr_assert(tn_sphere_shape_create(world, grain, &shape, 0.05f).value != 0);
    reduced_run(world, 1.0, 60, 4);
    TEST_NEAR(tn_body_get_pose(world, grain).position.y, 1.05, 1e-4);
    TEST_NEAR(contacts_impulse(world, grain) * 60.0, 0.5 * GRAVITY, 0.01);
    test_world_destroy_quiet(world, &reports);
}

// ---- with all freedoms -------------------------------------------------------------------------

// A tilted box falls on a corner of its own: what the blow leaves of its velocities.
static tn_velocity fall_on_edge(bool is_reduced) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    contacts_floor_make(world, 0.5f, 0.0f);
    const double u[6] = {0.9, 0.9, 0.1, 0.2, 0.1, 0.3}, v[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    tn_body_id box = contacts_box_make(world, 0.0, 5.0, 0.0, half_box, 0.5f);
    tn_reduced_id id = contacts_make(world, box, 6, quality_reduced_free, u, v);
    if (!is_reduced) {
        tn_reduced_destroy(world, id);
    }
    reduced_run(world, 53.0 / 240.0, 53, 4);
    tn_velocity velocity = tn_body_get_velocity(world, box);
    test_world_destroy_quiet(world, &reports);
    return velocity;
}

Test(reduced_contacts, blow_on_a_corner_is_that_of_a_rigid_box) {
    tn_velocity a = fall_on_edge(true), b = fall_on_edge(false);
    cr_assert(a.linear.y > -1.0 && a.angular.z < -1.0);
    TEST_NEAR(a.linear.x, b.linear.x, 1e-3);
    TEST_NEAR(a.linear.y, b.linear.y, 1e-3);
    TEST_NEAR(a.linear.z, b.linear.z, 1e-3);
    TEST_NEAR(a.angular.x, b.angular.x, 1e-3);
    TEST_NEAR(a.angular.y, b.angular.y, 1e-3);
    TEST_NEAR(a.angular.z, b.angular.z, 1e-3);
}

// A box thrown into the corner of a floor and a wall, among rigid ones: its pose after a while.
// Without friction: that of a blow acts where it strikes, of rigid bodies where the load was
// before.
static tn_pose throw_into_corner(bool is_reduced, double time) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    contacts_floor_make(world, 0.0f, 0.0f);
    test_box_create(world, TN_BODY_TYPE_STATIC, 2.5, 2.0, 0.0, (tn_vec3){0.5, 2.0, 4.0});
    contacts_box_make(world, 1.4, 0.5, 0.0, half_box, 0.0f);
    const double u[6] = {0.9, 1.8, 0.1, 0.2, 0.1, 0.3}, v[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    tn_body_id box = contacts_box_make(world, 0.0, 5.0, 0.0, half_box, 0.0f);
    tn_reduced_id id = contacts_make(world, box, 6, quality_reduced_free, u, v);
    if (!is_reduced) {
        tn_reduced_destroy(world, id);
    }
    reduced_run(world, time, (int)(time * 240.0 + 0.5), 4);
    tn_pose pose = tn_body_get_pose(world, box);
    cr_assert(tn_world_get_telemetry(world).deepest_penetration < 5e-3);
    test_world_destroy_quiet(world, &reports);
    return pose;
}

// Where several contacts are swept, the order is another: what differs grows from one blow to the
// next.
Test(reduced_contacts, free_box_in_a_corner_goes_as_a_rigid_one) {
    const double times[] = {0.2, 0.3, 1.0}, tolerances[] = {1e-3, 2e-3, 5e-3};
    for (int i = 0; i < 3; ++i) {
        tn_pose a = throw_into_corner(true, times[i]), b = throw_into_corner(false, times[i]);
        TEST_NEAR(a.position.x, b.position.x, tolerances[i]);
        TEST_NEAR(a.position.y, b.position.y, tolerances[i]);
        TEST_NEAR(a.position.z, b.position.z, tolerances[i]);
        tn_quat p = a.rotation, q = b.rotation;
        double dot = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
        TEST_NEAR(fabs(dot), 1.0, tolerances[i]);
    }
}

// A column of boxes, every other one by its six coordinates.
Test(reduced_contacts, stack_stands_with_little_overlap) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    contacts_floor_make(world, 0.6f, 0.0f);
    tn_body_id boxes[6];
    for (int i = 0; i < 6; ++i) {
        const double u[6] = {0.0, 0.5 + (double)i, 0.0, 0.0, 0.0, 0.0};
        boxes[i] = contacts_box_make(world, 0.0, u[1], 0.0, half_box, 0.6f);
        if (i % 2 == 1) {
            contacts_make(world, boxes[i], 6, quality_reduced_free, u, NULL);
        }
    }
    reduced_run(world, 10.0, 600, 4);
    for (int i = 0; i < 6; ++i) {
        tn_vec3 p = tn_body_get_pose(world, boxes[i]).position;
        TEST_NEAR(p.x, 0.0, 1e-3);
        TEST_NEAR(p.y, 0.5 + (double)i, 5e-3);
    }
    cr_assert(tn_world_get_telemetry(world).deepest_penetration < 1e-3);
    test_world_destroy_quiet(world, &reports);
}

// ---- the ledger --------------------------------------------------------------------------------

Test(reduced_contacts, ledger_sums_up_to_the_kinetic_energy) {
    tn_world *world = contacts_world_create(GRAVITY, 0.3, &reports);
    contacts_floor_make(world, 0.2f, 0.5f);
    tn_body_id box = contacts_box_make(world, 0.0, 1.0, 0.0, half_box, 0.2f);
    contacts_make(world, box, 3, contacts_planar, (double[]){0.0, 1.0, 0.1}, NULL);
    tn_body_id other = contacts_box_make(world, 0.0, 2.2, 0.0, half_box, 0.2f);
    reduced_run(world, 1.5, 90, 4);
    tn_energy energy = tn_world_get_energy(world);
    cr_assert(energy.kinetic > 1000.0 && energy.friction_work < -100.0 &&
              energy.impact_work < -100.0);
    cr_assert(tn_body_get_velocity(world, other).linear.x > 0.5);
    TEST_NEAR(contacts_get_work(world), energy.kinetic, 2e-3 * energy.kinetic);
    test_world_destroy_quiet(world, &reports);
}

// ---- friction of a bounce ----------------------------------------------------------------------

// A ball that spins and bounces, with coordinates or rigid: how it moves after two seconds.
static tn_velocity let_ball_bounce(bool is_reduced, float friction) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    tn_world_set_restitution_threshold(world, 0.1f);
    contacts_floor_make(world, friction, 0.8f);
    tn_body_id ball = contacts_ball_make(world, 0.0, 1.25, 0.25f, friction, 0.8f);
    const double u[3] = {0.0, 1.25, 0.0}, v[3] = {1.0, 0.0, 20.0};
    tn_body_set_velocity(world, ball, (tn_velocity){{v[0], 0.0, 0.0}, {0.0, 0.0, v[2]}});
    if (is_reduced) {
        contacts_make(world, ball, 3, contacts_planar, u, v);
    }
    reduced_run(world, 2.0, 120, 4);
    tn_velocity velocity = tn_body_get_velocity(world, ball);
    test_world_destroy_quiet(world, &reports);
    return velocity;
}

// tests/solver/contacts/test_impact.c knows the closed form of the rigid one. With the arm of the
// middle of the gap its spin was 0.1 rad/s off.
Test(reduced_contacts, a_spinning_ball_bounces_as_a_rigid_one) {
    const float frictions[2] = {0.2f, 0.8f};
    for (int i = 0; i < 2; ++i) {
        tn_velocity a = let_ball_bounce(true, frictions[i]),
                    b = let_ball_bounce(false, frictions[i]);
        cr_assert(b.angular.z < 3.0); // friction has slowed it down
        TEST_NEAR(a.angular.z, b.angular.z, 1e-4);
        TEST_NEAR(a.linear.x, b.linear.x, 1e-4);
        TEST_NEAR(a.linear.y, b.linear.y, 1e-4);
    }
}
