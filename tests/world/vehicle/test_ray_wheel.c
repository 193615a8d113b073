// Wheels on rays carry, bounce, brake, steer and hold as the closed forms say.
#include "tests/world/world_test.h"

#include "tenon/ray_wheel.h"

#define DT      (1.0 / 60.0)
#define GRAVITY 9.81
#define MASS    1000.0
#define BASE    2.4 // m between the axles
#define TRACK   1.4
#define REST    0.4
#define PI      3.14159265358979323846

static tn_world *world;
static test_reports reports;
static tn_body_id chassis;
static tn_ray_wheel wheels[4]; // front left, front right, rear left, rear right

static void setup(void) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    world = test_def_world_create(def, &reports);
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(ray_wheel, .init = setup, .fini = teardown, .timeout = 60);

static tn_body_id add_floor(double slope) {
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_STATIC;
    def.pose.rotation = (tn_quat){0.0, 0.0, sin(0.5 * slope), cos(0.5 * slope)};
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_half_space_shape_create(world, body, &shape);
    return body;
}

// A chassis as a box whose middle is `height` over the ground of a slope through the origin.
static void add_car(double height, double slope) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){-sin(slope) * height, cos(slope) * height, 0.0};
    def.pose.rotation = (tn_quat){0.0, 0.0, sin(0.5 * slope), cos(0.5 * slope)};
    chassis = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.density = (float)(MASS / (3.0 * 0.4 * 1.4));
    cr_assert(tn_box_shape_create(world, chassis, &shape, (tn_vec3){1.5, 0.2, 0.7}).value != 0);
    for (int i = 0; i < 4; ++i) {
        double x = i < 2 ? 0.5 * BASE : -0.5 * BASE, z = i % 2 == 0 ? -0.5 * TRACK : 0.5 * TRACK;
        wheels[i] = tn_ray_wheel_make((tn_vec3){x, 0.0, z});
    }
}

// The height of the chassis at which its four springs carry it.
static double get_height(void) {
    double sag = MASS * GRAVITY / (4.0 * (double)wheels[0].stiffness);
    return REST + (double)wheels[0].radius - sag;
}

static void drive(double dt) {
    cr_assert(tn_ray_wheels_apply(world, chassis, wheels, 4, NULL, dt) == TN_RESULT_OK);
    cr_assert(tn_world_step(world, dt, 4) == TN_RESULT_OK);
}

static void drive_for(double seconds) {
    for (int i = 0; i < (int)(seconds / DT + 0.5); ++i) {
        drive(DT);
    }
}

static void set_speed(double speed) {
    tn_body_set_linear_velocity(world, chassis, (tn_vec3){speed, 0.0, 0.0});
    for (int i = 0; i < 4; ++i) {
        wheels[i].spin = speed / (double)wheels[i].radius;
    }
}

static tn_vec3 get_place(void) {
    return tn_body_get_pose(world, chassis).position;
}

Test(ray_wheel, springs_sag_by_the_weight_over_their_stiffness) {
    add_floor(0.0);
    add_car(1.0, 0.0);
    drive_for(6.0);
    cr_assert(fabs(get_place().y - get_height()) < 1e-5, "%g, not %g", get_place().y, get_height());
    double load = 0.0;
    for (int i = 0; i < 4; ++i) {
        load += (double)wheels[i].load;
        cr_assert(fabs((double)wheels[i].length - (get_height() - 0.35)) < 1e-5);
        cr_assert(wheels[i].ground.value != 0 && fabs(wheels[i].ground_normal.y - 1.0) < 1e-6);
    }
    cr_assert(fabs(load - MASS * GRAVITY) < 0.1, "%g N", load);
}

// Without a damper it bounces with the period 2 pi sqrt(m / (n k)), and neither gains nor loses
// more than 3 % of its height in five periods; with one, the bounce decays by exp(-c n t / (2 m)).
Test(ray_wheel, bounces_with_the_period_and_the_damping_of_its_springs) {
    add_floor(0.0);
    add_car(0.0, 0.0);
    for (int damped = 0; damped < 2; ++damped) {
        double rate = sqrt(4.0 * (double)wheels[0].stiffness / MASS), amplitude = 0.05;
        double damping = damped ? 0.1 * 2.0 * MASS * rate / 4.0 : 0.0; // a ratio of 0.1
        tn_pose pose = tn_body_def_default().pose;
        pose.position.y = get_height() + amplitude;
        tn_body_set_pose(world, chassis, pose);
        tn_body_set_velocity(world, chassis, (tn_velocity){0});
        for (int i = 0; i < 4; ++i) {
            wheels[i].damping = (float)damping;
        }
        double before = amplitude, first = 0.0, last = 0.0, top = 0.0;
        int passages = 0;
        for (int i = 1; i < 400 && passages < 6; ++i) {
            drive(DT);
            double now = get_place().y - get_height();
            if (before < 0.0 && now >= 0.0) {
                last = (i - 1 + before / (before - now)) * DT;
                first = passages == 0 ? last : first;
                passages += 1;
                top = 0.0;
            }
            top = fmax(top, now);
            before = now;
            if (passages == 5) { // the height of the fifth bounce
                amplitude = top;
            }
        }
        double ratio = damped ? 0.1 : 0.0, slower = sqrt(1.0 - ratio * ratio);
        double period = 2.0 * PI / (rate * slower), measured = (last - first) / 5.0;
        cr_assert(fabs(measured - period) < 0.01 * period, "%g s, not %g", measured, period);
        double expected = 0.05 * exp(-ratio * rate * 5.0 * period);
        double tolerance = damped ? 0.06 * expected : 0.03 * expected;
        cr_assert(fabs(amplitude - expected) < tolerance, "%g m, not %g", amplitude, expected);
    }
}

Test(ray_wheel, locked_wheels_stop_in_the_distance_of_friction) {
    add_floor(0.0);
    const double frictions[2] = {1.0, 0.4};
    for (int k = 0; k < 2; ++k) {
        add_car(0.0, 0.0);
        tn_pose pose = tn_body_get_pose(world, chassis);
        pose.position = (tn_vec3){0.0, get_height(), 20.0 * k};
        tn_body_set_pose(world, chassis, pose);
        set_speed(15.0);
        for (int i = 0; i < 4; ++i) {
            wheels[i].friction = (float)frictions[k];
            wheels[i].brake_torque = INFINITY;
        }
        drive(DT);
        cr_assert(wheels[0].is_sliding && wheels[0].spin == 0.0);
        drive_for(6.0);
        double expected = 15.0 * 15.0 / (2.0 * frictions[k] * GRAVITY);
        cr_assert(fabs(get_place().x - expected) < 0.015 * expected, "%g m, not %g", get_place().x,
                  expected);
        cr_assert(fabs(get_place().z - 20.0 * k) < 1e-3);
        cr_assert(!wheels[0].is_sliding);
        for (int i = 0; i < 4; ++i) { // and no wheel pulls against another
            double pull = hypot((double)wheels[i].grip_forward, (double)wheels[i].grip_left);
            cr_assert(pull < 0.1, "wheel %d pulls with %g N", i, pull);
        }
    }
}

// A brake that gives less than friction rolls on: the distance is that of its torque.
Test(ray_wheel, a_weak_brake_stops_by_its_torque) {
    add_floor(0.0);
    add_car(0.0, 0.0);
    tn_pose pose = tn_body_get_pose(world, chassis);
    pose.position.y = get_height();
    tn_body_set_pose(world, chassis, pose);
    set_speed(10.0);
    double force = 0.0, inertia = 0.0;
    for (int i = 0; i < 4; ++i) {
        wheels[i].brake_torque = 300.0f;
        force += 300.0 / (double)wheels[i].radius;
        inertia += (double)wheels[i].inertia / pow((double)wheels[i].radius, 2.0);
    }
    drive_for(6.0);
    double expected = 0.5 * (MASS + inertia) * 100.0 / force;
    cr_assert(fabs(get_place().x - expected) < 0.01 * expected, "%g m, not %g", get_place().x,
              expected);
}

// The drive's torque accelerates the car and its wheels by T / r / (m + sum of I / r^2).
Test(ray_wheel, a_drive_accelerates_by_its_torque_and_the_wheels_roll) {
    add_floor(0.0);
    add_car(0.0, 0.0);
    tn_pose pose = tn_body_get_pose(world, chassis);
    pose.position.y = get_height();
    tn_body_set_pose(world, chassis, pose);
    double radius = (double)wheels[0].radius;
    wheels[2].drive_torque = wheels[3].drive_torque = 200.0f;
    drive_for(3.0);
    double expected = 3.0 * 400.0 / radius / (MASS + 4.0 / (radius * radius));
    double speed = tn_body_get_linear_velocity(world, chassis).x;
    cr_assert(fabs(speed - expected) < 0.01 * expected, "%g m/s, not %g", speed, expected);
    for (int i = 0; i < 4; ++i) {
        cr_assert(fabs(wheels[i].spin * radius - speed) < 2e-3, "wheel %d slips", i);
    }
}

// Each front wheel is steered at a right angle to the line to the middle of the turn (Ackermann):
// at 1 m/s the rear axle's middle goes round that in its circle.
Test(ray_wheel, turns_at_the_radius_of_its_steering) {
    add_floor(0.0);
    add_car(0.0, 0.0);
    double radius = 6.0;
    tn_pose pose = tn_body_get_pose(world, chassis);
    pose.position.y = get_height();
    tn_body_set_pose(world, chassis, pose);
    set_speed(1.0);
    for (int i = 0; i < 2; ++i) { // the middle of the turn is to the left, at -z
        wheels[i].steering = (float)atan(BASE / (radius + wheels[i].anchor.z));
    }
    tn_vec3 rear = {-0.5 * BASE, 0.0, 0.0};
    drive_for(1.0);
    tn_vec3 at = tn_body_get_world_point(world, chassis, rear);
    tn_vec3 aside = tn_body_get_world_vector(world, chassis, (tn_vec3){0.0, 0.0, -1.0});
    double x = at.x + radius * aside.x, z = at.z + radius * aside.z, off = 0.0;
    double turned = 0.0;
    for (int i = 0; i < 1800; ++i) {
        drive(DT);
        at = tn_body_get_world_point(world, chassis, rear);
        off = fmax(off, fabs(hypot(at.x - x, at.z - z) - radius));
        turned += tn_body_get_angular_velocity(world, chassis).y * DT;
    }
    cr_assert(turned > 4.0 && off < 0.01 * radius, "turned by %g, %g m off", turned, off);
    cr_assert(!wheels[0].is_sliding && !wheels[3].is_sliding);
}

Test(ray_wheel, stands_still_on_a_slope_with_its_brakes) {
    add_floor(0.25);
    add_car(0.62, 0.25);
    for (int i = 0; i < 4; ++i) {
        wheels[i].brake_torque = INFINITY;
    }
    drive_for(4.0);
    tn_vec3 before = get_place();
    drive_for(20.0);
    tn_vec3 now = get_place();
    double crept = hypot(now.x - before.x, hypot(now.y - before.y, now.z - before.z));
    cr_assert(crept < 1e-3, "it crept %g m", crept);
    for (int i = 0; i < 4; ++i) {
        wheels[i].brake_torque = 0.0f;
    }
    drive_for(1.0);
    double way = fabs(get_place().x - now.x) / cos(0.25);
    double expected = 0.5 * GRAVITY * sin(0.25) * MASS / (MASS + 4.0 / 0.1225);
    cr_assert(fabs(way - expected) < 0.03 * expected, "%g m, not %g", way, expected);
}

// A crate of 20 kg on a spring: it goes down by what stands on it over the spring's stiffness.
Test(ray_wheel, a_light_crate_is_pushed_down_by_the_load) {
    add_floor(0.0);
    add_car(1.1, 0.0);
    tn_body_id crate =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 1.2, 0.3, -0.7, (tn_vec3){0.2, 0.1, 0.2});
    tn_mass mass = tn_body_get_mass(world, crate);
    mass.mass = 20.0;
    tn_body_set_mass(world, crate, mass);
    tn_slider_joint_def def = tn_slider_joint_def_default();
    tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, crate, (tn_vec3){1.2, 0.3, -0.7},
                            (tn_vec3){0.0, 1.0, 0.0});
    def.spring =
        (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 40000.0f, .damping = 4000.0f};
    tn_joint_id spring = tn_slider_joint_create(world, &def);
    drive_for(6.0);
    cr_assert(wheels[0].ground.value == test_first_shape(world, crate).value);
    double sag = -tn_slider_joint_get_translation(world, spring);
    double expected = ((double)wheels[0].load + 20.0 * GRAVITY) / 40000.0;
    cr_assert((double)wheels[0].load > 1500.0);
    cr_assert(fabs(sag - expected) < 0.02 * expected, "%g m, not %g", sag, expected);
}

Test(ray_wheel, a_conveyor_carries_a_braked_car) {
    tn_body_id body = add_floor(0.0);
    add_car(0.65, 0.0);
    for (int i = 0; i < 4; ++i) {
        wheels[i].brake_torque = INFINITY;
    }
    drive_for(2.0);
    tn_surface_velocity belt = {.linear = {0.8, 0.0, 0.3}};
    tn_shape_set_surface_velocity(world, test_first_shape(world, body), belt);
    drive_for(2.0);
    tn_vec3 v = tn_body_get_linear_velocity(world, chassis);
    cr_assert(fabs(v.x - 0.8) < 1e-3 && fabs(v.z - 0.3) < 1e-3, "%g, %g", v.x, v.z);
}

Test(ray_wheel, filters_say_what_is_ground_and_the_air_is_none) {
    tn_body_id body = add_floor(0.0);
    add_car(5.0, 0.0);
    wheels[0].brake_torque = 30.0f;
    wheels[0].spin = 1.0;
    drive(DT);
    cr_assert(wheels[0].ground.value == 0 && wheels[0].load == 0.0f);
    cr_assert(fabs(wheels[0].spin - 0.5) < 1e-6, "%g", wheels[0].spin); // a brake in the air
    cr_assert(fabs((double)wheels[0].length - REST) < 1e-6);
    tn_query_filter blind = tn_query_filter_default();
    blind.ignored = &body;
    blind.ignored_count = 1;
    tn_pose pose = tn_body_get_pose(world, chassis);
    pose.position.y = 0.6;
    tn_body_set_pose(world, chassis, pose);
    cr_assert(tn_ray_wheels_apply(world, chassis, wheels, 4, &blind, DT) == TN_RESULT_OK);
    cr_assert(wheels[0].ground.value == 0);
    cr_assert(tn_ray_wheels_apply(world, chassis, wheels, 4, NULL, DT) == TN_RESULT_OK);
    cr_assert(wheels[0].ground.value == test_first_shape(world, body).value);
}

// Over a gap of 0.2 m a ray looks down, and a ball of the wheel's size stays on the edges.
Test(ray_wheel, a_ball_rolls_over_a_gap) {
    for (int side = -1; side <= 1; side += 2) {
        test_box_create(world, TN_BODY_TYPE_STATIC, 2.1 * side, -0.5, 0.0,
                        (tn_vec3){2.0, 0.5, 3.0});
    }
    add_car(0.62, 0.0);
    tn_body_set_pose(world, chassis, (tn_pose){{-0.5 * BASE, 0.62, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    cr_assert(tn_ray_wheels_apply(world, chassis, wheels, 4, NULL, DT) == TN_RESULT_OK);
    cr_assert(wheels[0].ground.value == 0 && wheels[2].ground.value != 0);
    wheels[0].is_ball = true;
    cr_assert(tn_ray_wheels_apply(world, chassis, wheels, 4, NULL, DT) == TN_RESULT_OK);
    double into = 0.35 - sqrt(0.35 * 0.35 - 0.1 * 0.1);
    cr_assert(wheels[0].ground.value != 0);
    cr_assert(fabs((double)wheels[0].length - (0.62 - 0.35 + into)) < 1e-3, "%g",
              (double)wheels[0].length);
}

Test(ray_wheel, poses_follow_steering_and_spin) {
    add_car(2.0, 0.0);
    wheels[1].steering = (float)(0.5 * PI); // to the left: forward is -z
    wheels[1].angle = 0.5 * PI;             // a quarter turn takes x down
    tn_pose pose = tn_ray_wheel_get_pose(world, chassis, &wheels[1]);
    tn_vec3 at = pose.position;
    cr_assert(fabs(at.x - 1.2) < 1e-6 && fabs(at.y - 1.6) < 1e-6 && fabs(at.z - 0.7) < 1e-6);
    tn_quat q = pose.rotation;
    double x_down = 2.0 * (q.x * q.y + q.w * q.z);  // the y of the turned x
    double z_right = 2.0 * (q.x * q.z + q.w * q.y); // the x of the turned z: right of -z is +x
    cr_assert(fabs(x_down + 1.0) < 1e-6 && fabs(z_right - 1.0) < 1e-6, "%g %g", x_down, z_right);
}

Test(ray_wheel, two_runs_are_equal) {
    add_floor(0.1);
    add_car(0.7, 0.1);
    tn_ray_wheel start[4];
    memcpy(start, wheels, sizeof wheels);
    tn_pose pose = tn_body_get_pose(world, chassis);
    tn_vec3 ends[2];
    for (int run = 0; run < 2; ++run) {
        memcpy(wheels, start, sizeof wheels);
        tn_body_set_pose(world, chassis, pose);
        tn_body_set_velocity(world, chassis, (tn_velocity){0});
        wheels[0].steering = wheels[1].steering = 0.2f;
        wheels[2].drive_torque = 300.0f;
        drive_for(2.0);
        ends[run] = get_place();
    }
    cr_assert(memcmp(&ends[0], &ends[1], sizeof ends[0]) == 0);
}

Test(ray_wheel, bad_wheels_are_refused_and_change_nothing) {
    tn_body_id floor = add_floor(0.0);
    add_car(0.6, 0.0);
    tn_ray_wheel bad;
#define REFUSED(member, value, result)                                                             \
    bad = wheels[0];                                                                               \
    bad.member = value;                                                                            \
    cr_assert(tn_ray_wheels_apply(world, chassis, &bad, 1, NULL, DT) == result, #member);
    REFUSED(radius, 0.0f, TN_RESULT_INVALID_ARGUMENT)
    REFUSED(radius, NAN, TN_RESULT_NOT_FINITE)
    REFUSED(rest_length, -1.0f, TN_RESULT_INVALID_ARGUMENT)
    REFUSED(stiffness, -1.0f, TN_RESULT_INVALID_ARGUMENT)
    REFUSED(damping, INFINITY, TN_RESULT_NOT_FINITE)
    REFUSED(friction, NAN, TN_RESULT_NOT_FINITE)
    REFUSED(inertia, 0.0f, TN_RESULT_INVALID_ARGUMENT)
    REFUSED(steering, NAN, TN_RESULT_NOT_FINITE)
    REFUSED(drive_torque, INFINITY, TN_RESULT_NOT_FINITE)
    REFUSED(brake_torque, -1.0f, TN_RESULT_INVALID_ARGUMENT)
    REFUSED(spin, (double)NAN, TN_RESULT_NOT_FINITE)
    REFUSED(up, (tn_vec3){0}, TN_RESULT_ZERO_AXIS)
    REFUSED(forward, ((tn_vec3){0.0, 2.0, 0.0}), TN_RESULT_ZERO_AXIS)
    REFUSED(anchor, ((tn_vec3){(double)INFINITY, 0.0, 0.0}), TN_RESULT_NOT_FINITE)
#undef REFUSED
    tn_query_filter none = tn_query_filter_default();
    none.ignored_count = 3;
    const tn_body_id stale = {12345};
    bad = wheels[0];
    cr_assert(tn_ray_wheels_apply(world, chassis, NULL, 1, NULL, DT) != TN_RESULT_OK);
    cr_assert(tn_ray_wheels_apply(world, chassis, &bad, 0, NULL, DT) != TN_RESULT_OK);
    cr_assert(tn_ray_wheels_apply(world, chassis, &bad, 33, NULL, DT) != TN_RESULT_OK);
    cr_assert(tn_ray_wheels_apply(world, chassis, &bad, 1, NULL, 0.0) ==
              TN_RESULT_INVALID_TIME_STEP);
    cr_assert(tn_ray_wheels_apply(world, chassis, &bad, 1, &none, DT) ==
              TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_ray_wheels_apply(world, stale, &bad, 1, NULL, DT) == TN_RESULT_INVALID_ID);
    cr_assert(tn_ray_wheels_apply(world, floor, &bad, 1, NULL, DT) == TN_RESULT_WRONG_TYPE);
    cr_assert(tn_ray_wheels_apply(NULL, chassis, &bad, 1, NULL, DT) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_ray_wheel_get_pose(world, chassis, NULL).rotation.w == 0.0);
    bad.spin = 1e300; // a brake that stops it turns the chassis beyond all floats
    bad.brake_torque = INFINITY;
    tn_ray_wheel before = bad;
    cr_assert(tn_ray_wheels_apply(world, chassis, &bad, 1, NULL, DT) == TN_RESULT_NOT_FINITE);
    cr_assert(memcmp(&bad, &before, sizeof bad) == 0 && reports.count == 23, "%u", reports.count);
    reports.count = 0;
}
