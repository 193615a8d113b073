// Wheel joints: the suspension's sag and frequency, travel, steering and spin, and a car on four.
#include "joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};
static const tn_vec3 up = {0.0, 1.0, 0.0};

// A wheel of 20 kg and 0.5 kg·m² on the world: its suspension along y, its axle along z.
static tn_joint_id make_wheel(tn_world *world, tn_body_id *out_wheel) {
    *out_wheel = body_make(world, 0, 0, 0, 20, 0.5);
    return joint_make(world, TN_JOINT_TYPE_WHEEL, world_body, *out_wheel, origin, up);
}

// ---- suspension --------------------------------------------------------------------------------

// m g / k, and g / w^2.
Test(wheel_joint, a_suspension_sags_by_weight_over_stiffness) {
    for (int r = 0; r < 2; ++r) {
        for (int mode = TN_SPRING_MODE_FREQUENCY; mode <= TN_SPRING_MODE_STIFFNESS; ++mode) {
            tn_world *world = world_make(gravity, NULL);
            tn_body_id wheel;
            tn_joint_id joint = make_wheel(world, &wheel);
            double w = 2.0 * PI * 1.5, k = 20.0 * w * w;
            tn_spring spring = {.mode = (tn_spring_mode)mode,
                                .hertz = 1.5f,
                                .damping_ratio = 1.0f,
                                .stiffness = (float)k,
                                .damping = (float)(2.0 * 20.0 * w),
                                .rest = 0.125f};
            tn_wheel_joint_set_suspension(world, joint, spring);
            run(world, 5.0, test_rates[r], 4);
            double length = tn_wheel_joint_get_suspension_length(world, joint);
            cr_assert_float_eq(length, 0.125 - 9.81 / (w * w), 1e-5, "%g", length);
            cr_assert(fabs(tn_wheel_joint_get_suspension_speed(world, joint)) < 1e-5);
            cr_assert_float_eq(tn_joint_get_reaction(world, joint).force.y, 196.2, 0.05);
            tn_world_destroy(world);
        }
    }
}

Test(wheel_joint, a_suspension_swings_at_its_frequency_at_any_step_rate) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(none, NULL);
        tn_body_id wheel;
        tn_joint_id joint = make_wheel(world, &wheel);
        double w = 2.0 * PI * 2.0, h = 0.25 / test_rates[r];
        tn_wheel_joint_set_suspension(world, joint,
                                      (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 2.0f});
        tn_body_set_linear_velocity(world, wheel, (tn_vec3){0.0, 1.0, 0.0});
        double period = measure_period(world, joint, tn_wheel_joint_get_suspension_length, 10.0,
                                       test_rates[r], 4);
        cr_assert_float_eq(2.0 * PI / period / midpoint_frequency(w, h), 1.0, 2e-4);
        tn_world_destroy(world);
    }
}

Test(wheel_joint, the_wheel_stops_where_its_travel_ends) {
    for (int side = -1; side <= 1; side += 2) {
        tn_world *world = world_make(none, NULL);
        tn_body_id wheel;
        tn_joint_id joint = make_wheel(world, &wheel);
        tn_wheel_joint_set_suspension_limit(
            world, joint, (tn_limit){.is_enabled = true, .lower = -0.2f, .upper = 0.1f});
        tn_body_set_velocity(world, wheel, (tn_velocity){{0.5, 3.0 * side, 0.5}, {0.0, 0.0, 0.0}});
        run(world, 1.0, 60.0, 4);
        cr_assert_float_eq(tn_wheel_joint_get_suspension_length(world, joint),
                           side < 0 ? -0.2 : 0.1, 1e-4);
        cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-4);
        tn_world_destroy(world);
    }
}

// ---- steering and spin -------------------------------------------------------------------------

// While the wheel spins at 30 rad/s, whose gyroscopic torque the axle's rows carry.
Test(wheel_joint, a_steering_motor_turns_the_axle_to_its_angle) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};
    for (int s = 0; s < 4; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id wheel;
        tn_joint_id joint = make_wheel(world, &wheel);
        tn_joint_set_solver(world, joint, solvers[s]);
        tn_motor servo = {.mode = TN_MOTOR_MODE_POSITION,
                          .target_position = 0.4f,
                          .stiffness = 500.0f,
                          .damping = 40.0f,
                          .max_force = INFINITY};
        tn_limit lock = {.is_enabled = true, .lower = -0.6f, .upper = 0.6f};
        tn_wheel_joint_set_steering(world, joint, true, lock, servo);
        tn_body_set_angular_velocity(world, wheel, (tn_vec3){0.0, 0.0, -30.0});
        run(world, 1.5, 60.0, 4);
        double angle = tn_wheel_joint_get_steering_angle(world, joint);
        cr_assert_float_eq(angle, 0.4, 1e-4, "solver %d: %g", s, angle);
        cr_assert_float_eq(tn_wheel_joint_get_spin_speed(world, joint), -30.0, 0.05);
        cr_assert(tn_joint_get_error(world, joint).angular_length < 1e-3);
        servo.target_position = 2.0f;
        tn_wheel_joint_set_steering(world, joint, true, lock, servo);
        run(world, 1.5, 60.0, 4);
        angle = tn_wheel_joint_get_steering_angle(world, joint);
        cr_assert_float_eq(angle, 0.6, 1e-2, "solver %d: %g", s, angle);
        tn_world_destroy(world);
    }
}

Test(wheel_joint, an_axle_that_is_not_steered_keeps_its_direction) {
    for (int s = 0; s < 2; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id wheel;
        tn_joint_id joint = make_wheel(world, &wheel);
        tn_joint_set_solver(world, joint, s == 0 ? TN_SOLVER_PGS : TN_SOLVER_DIRECT);
        tn_body_set_angular_velocity(world, wheel, (tn_vec3){1.0, 2.0, -5.0});
        double turned = 0.0, before = 0.0;
        for (int i = 0; i < 120; ++i) {
            run(world, 1.0 / 60.0, 60.0, 4);
            double now = tn_wheel_joint_get_spin_angle(world, joint), step = now - before;
            turned += step > PI ? step - 2.0 * PI : step;
            before = now;
            double angle = tn_wheel_joint_get_steering_angle(world, joint);
            // The first steps meet a push across.
            cr_assert(fabs(angle) < (i < 10 ? 1e-3 : 1e-4), "solver %d, step %d: %g", s, i, angle);
        }
        cr_assert_float_eq(turned, -10.0, 1e-2, "%g", turned);
        tn_world_destroy(world);
    }
}

// 6 N·m on 0.5 kg·m²: 12 rad/s² until 9 rad/s; then the brake, with 3 N·m: 6 rad/s² to rest.
Test(wheel_joint, a_spin_motor_drives_and_brakes_with_its_torque) {
    tn_world *world = world_make(none, NULL);
    tn_body_id wheel;
    tn_joint_id joint = make_wheel(world, &wheel);
    tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = -9.0f, .max_force = 6.0f};
    tn_wheel_joint_set_spin_motor(world, joint, motor);
    run(world, 0.5, 60.0, 4);
    cr_assert_float_eq(tn_wheel_joint_get_spin_speed(world, joint), -6.0, 1e-3);
    cr_assert_float_eq((double)tn_joint_get_motor_effort(world, joint), -6.0, 1e-3);
    run(world, 0.5, 60.0, 4);
    cr_assert_float_eq(tn_wheel_joint_get_spin_speed(world, joint), -9.0, 1e-4);
    motor.target_speed = 0.0f;
    motor.max_force = 3.0f;
    tn_wheel_joint_set_spin_motor(world, joint, motor);
    run(world, 1.0, 60.0, 4);
    cr_assert_float_eq(tn_wheel_joint_get_spin_speed(world, joint), -3.0, 1e-2);
    run(world, 1.0, 60.0, 4);
    cr_assert(fabs(tn_wheel_joint_get_spin_speed(world, joint)) < 1e-5);
    tn_world_destroy(world);
}

// ---- a car -------------------------------------------------------------------------------------

#define BASE   2.4  // m between the axles
#define TRACK  1.4  // m between the wheels of an axle
#define RADIUS 0.35 // m of a wheel
#define WEIGHT 1000.0

typedef struct test_car {
    tn_world *world;
    tn_body_id chassis, wheels[4]; // front left, front right, rear left, rear right
    tn_joint_id joints[4];
} test_car;

static void add_ground(tn_world *world) {
    tn_body_id ground = static_body_make(world, 0, 0, 0);
    tn_shape_def shape = tn_shape_def_default();
    shape.material.friction = 1.0f;
    cr_assert(tn_half_space_shape_create(world, ground, &shape).value != 0);
}

static void add_wheel(test_car *car, int i) {
    double x = i < 2 ? 0.5 * BASE : -0.5 * BASE, z = i % 2 == 0 ? -0.5 * TRACK : 0.5 * TRACK;
    tn_vec3 center = {x, RADIUS, z};
    car->wheels[i] = body_make(car->world, center.x, center.y, center.z, 20, 1.2);
    tn_shape_def shape = tn_shape_def_default();
    shape.material.friction = 1.0f;
    tn_shape_id ball = tn_sphere_shape_create(car->world, car->wheels[i], &shape, (float)RADIUS);
    cr_assert(ball.value != 0);
    tn_wheel_joint_def def = tn_wheel_joint_def_default();
    cr_assert(tn_joint_def_set_frames_by_axes(car->world, &def.base, car->chassis, car->wheels[i],
                                              center, up, (tn_vec3){1.0, 0.0, 0.0}));
    // 1.5 Hz and a damping ratio of about 0.4 for a quarter of the car.
    def.suspension = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS,
                                 .stiffness = 25000.0f,
                                 .damping = 2000.0f,
                                 .rest = -(float)(WEIGHT * 9.81 / 4.0 / 25000.0)};
    def.suspension_limit = (tn_limit){.is_enabled = true, .lower = -0.25f, .upper = 0.25f};
    def.has_steering = i < 2;
    def.steering_limit = (tn_limit){.is_enabled = true, .lower = -0.6f, .upper = 0.6f};
    def.steering_motor = (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                                    .stiffness = 50000.0f,
                                    .damping = 2000.0f,
                                    .max_force = INFINITY};
    def.spin_motor = (tn_motor){.max_force = INFINITY};
    car->joints[i] = tn_wheel_joint_create(car->world, &def);
    cr_assert(car->joints[i].value != 0);
}

// Standing on its wheels, its springs already under its weight; it looks along +x.
static test_car make_car(void) {
    test_car car = {.world = world_make(gravity, NULL)};
    add_ground(car.world);
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){0.0, 0.6, 0.0};
    def.has_mass = true;
    def.mass.mass = WEIGHT;
    def.mass.inertia.xx = 250.0;
    def.mass.inertia.yy = 1200.0;
    def.mass.inertia.zz = 1100.0;
    car.chassis = tn_body_create(car.world, &def);
    for (int i = 0; i < 4; ++i) {
        add_wheel(&car, i);
    }
    return car;
}

static void drive(const test_car *car, double speed, double angle) {
    for (int i = 0; i < 4; ++i) {
        tn_wheel_joint_def def = tn_wheel_joint_get_def(car->world, car->joints[i]);
        def.steering_motor.target_position = (float)angle;
        if (i < 2) {
            tn_wheel_joint_set_steering(car->world, car->joints[i], true, def.steering_limit,
                                        def.steering_motor);
        } else {
            tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED,
                              .target_speed = (float)(speed / RADIUS),
                              .max_force = 200.0f};
            tn_wheel_joint_set_spin_motor(car->world, car->joints[i], motor);
        }
    }
}

Test(wheel_joint, a_parked_car_stands_level_and_still) {
    test_car car = make_car();
    tn_pose before = tn_body_get_pose(car.world, car.chassis);
    run(car.world, 10.0, 60.0, 4);
    tn_pose after = tn_body_get_pose(car.world, car.chassis);
    cr_assert_float_eq(after.position.y, before.position.y, 1e-3);
    cr_assert(hypot(after.position.x, after.position.z) < 1e-3);
    cr_assert(fabs(after.rotation.x) < 1e-3 && fabs(after.rotation.z) < 1e-3);
    for (int i = 0; i < 4; ++i) {
        double length = tn_wheel_joint_get_suspension_length(car.world, car.joints[i]);
        cr_assert(fabs(length) < 1e-3, "wheel %d: %g", i, length);
    }
    tn_world_destroy(car.world);
}

Test(wheel_joint, a_car_drives_straight) {
    test_car car = make_car();
    drive(&car, 10.0, 0.0);
    run(car.world, 15.0, 60.0, 4);
    tn_pose pose = tn_body_get_pose(car.world, car.chassis);
    tn_vec3 v = tn_body_get_velocity(car.world, car.chassis).linear;
    cr_assert_float_eq(v.x, 10.0, 0.1, "%g", v.x);
    cr_assert(pose.position.x > 50.0 && fabs(pose.position.z) < 0.05, "%g off after %g",
              pose.position.z, pose.position.x);
    cr_assert(fabs(pose.rotation.x) < 2e-3 && fabs(pose.rotation.y) < 2e-3);
    tn_world_destroy(car.world);
}

// Rolling slowly with nothing that drives it, the middle of the rear axle goes on a circle of
// radius wheelbase / tan(angle). Each front wheel has the angle that the circle asks of it, a half
// track farther in or out: with one angle for both, one of them would slide.
Test(wheel_joint, a_car_turns_on_the_circle_of_its_wheelbase) {
    for (int side = -1; side <= 1; side += 2) {
        test_car car = make_car();
        double circle = 12.0 * side, speed = 2.0;
        tn_body_set_linear_velocity(car.world, car.chassis, (tn_vec3){speed, 0.0, 0.0});
        for (int i = 0; i < 4; ++i) {
            tn_body_set_velocity(car.world, car.wheels[i],
                                 (tn_velocity){{speed, 0.0, 0.0}, {0.0, 0.0, -speed / RADIUS}});
        }
        for (int i = 0; i < 2; ++i) {
            tn_wheel_joint_def def = tn_wheel_joint_get_def(car.world, car.joints[i]);
            double own = circle + (i == 0 ? -0.5 : 0.5) * TRACK;
            def.steering_motor.target_position = (float)atan(BASE / own);
            tn_wheel_joint_set_steering(car.world, car.joints[i], true, def.steering_limit,
                                        def.steering_motor);
        }
        run(car.world, 2.0, 60.0, 4);
        tn_velocity v = tn_body_get_velocity(car.world, car.chassis);
        tn_pose pose = tn_body_get_pose(car.world, car.chassis);
        // Behind the middle by half the wheelbase, along the car's own x axis.
        double heading = 2.0 * atan2(pose.rotation.y, pose.rotation.w);
        double back_x = -0.5 * BASE * cos(heading), back_z = 0.5 * BASE * sin(heading);
        double rear_x = v.linear.x + v.angular.y * back_z;
        double rear_z = v.linear.z - v.angular.y * back_x;
        double radius = hypot(rear_x, rear_z) / v.angular.y;
        cr_assert_float_eq(radius / circle, 1.0, 0.02, "%g m", radius);
        cr_assert(hypot(rear_x, rear_z) > 0.5 * speed);
        cr_assert_float_eq(pose.position.y, 0.6, 0.02);
        tn_world_destroy(car.world);
    }
}

// The wheel is turned by p about its axle, then steered by s about the strut: both angles and the
// spin's rate are told apart wherever the wheel stands.
Test(wheel_joint, steering_and_spin_are_told_apart_at_any_pose) {
    tn_world *world = world_make(none, NULL);
    tn_body_id wheel = body_make(world, 0, 0, 0, 1, 1);
    tn_wheel_joint_def def = tn_wheel_joint_def_default();
    def.base.body_b = wheel;
    def.has_steering = true;
    tn_joint_id joint = tn_wheel_joint_create(world, &def);
    cr_assert(joint.value != 0);
    for (double s = -1.2; s < 1.3; s += 0.4) {
        for (double p = -3.0; p < 3.1; p += 0.75) {
            double c_s = cos(0.5 * s), s_s = sin(0.5 * s), c_p = cos(0.5 * p), s_p = sin(0.5 * p);
            tn_pose pose = {{0.0, 0.0, 0.0}, {s_s * c_p, -s_s * s_p, c_s * s_p, c_s * c_p}};
            tn_body_set_pose(world, wheel, pose);
            cr_assert_float_eq(tn_wheel_joint_get_steering_angle(world, joint), s, 1e-12);
            cr_assert_float_eq(tn_wheel_joint_get_spin_angle(world, joint), p, 1e-12);
            // The axle z, steered about x, is (0, -sin s, cos s).
            tn_velocity velocity = {{0.0, 0.0, 0.0}, {0.5, -7.0 * sin(s), 7.0 * cos(s)}};
            tn_body_set_velocity(world, wheel, velocity);
            cr_assert_float_eq(tn_wheel_joint_get_spin_speed(world, joint), 7.0, 1e-9, "%g %g", s,
                               p);
        }
    }
    tn_world_destroy(world);
}
