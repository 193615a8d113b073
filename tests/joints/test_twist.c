// The turn about x of hinges, cylindrical and planar joints whose range is a turn wide or wider.
#include "joints/parts/twist.h"

#include "joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};
static const tn_vec3 axis_z = {0.0, 0.0, 1.0};
static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};

// A wheel of 3 kg·m² about the world's z axis, with whole turns from -1 to 15.7 rad.
static tn_joint_id wheel_make(tn_world *world, tn_solver solver, tn_limit limit,
                              tn_body_id *out_wheel) {
    *out_wheel = body_make(world, 0, 0, 0, 2, 3);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    tn_joint_def_set_frames(world, &def.base, world_body, *out_wheel, origin, axis_z);
    def.base.solver = solver;
    def.limit = limit;
    return tn_hinge_joint_create(world, &def);
}

static void throw_wheel(tn_world *world, tn_body_id wheel, float speed) {
    tn_body_set_angular_velocity(world, wheel, (tn_vec3){0.0, 0.0, (double)speed});
    run(world, 2.0, 60.0, 4);
}

Test(twist, a_range_wider_than_a_turn_ends_where_it_says) {
    for (int s = 0; s < 3; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id wheel;
        tn_limit limit = {.is_enabled = true, .lower = -1.0f, .upper = 15.7f};
        tn_joint_id hinge = wheel_make(world, solvers[s], limit, &wheel);
        const float speeds[] = {20.0f, -20.0f, 100.0f, -100.0f}; // up to 0.07 turns a substep
        for (int i = 0; i < 4; ++i) {
            throw_wheel(world, wheel, speeds[i]);
            double end = speeds[i] > 0.0f ? (double)limit.upper : (double)limit.lower;
            cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), end, 1e-4, "%d, %g: %g", s,
                               (double)speeds[i], tn_hinge_joint_get_angle(world, hinge));
            cr_assert(fabs(tn_hinge_joint_get_speed(world, hinge)) < 1e-4);
            cr_assert(tn_joint_get_error(world, hinge).angular_length < 1e-4);
        }
        tn_world_destroy(world);
    }
}

Test(twist, an_end_many_turns_away_throws_back) {
    for (int s = 0; s < 2; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id wheel;
        tn_limit limit = {.is_enabled = true, .lower = -1.0f, .upper = 15.7f, .restitution = 0.5f};
        tn_joint_id hinge = wheel_make(world, solvers[s], limit, &wheel);
        tn_body_set_angular_velocity(world, wheel, (tn_vec3){0.0, 0.0, 16.0});
        run(world, 1.5, 60.0, 4);
        cr_assert_float_eq(tn_hinge_joint_get_speed(world, hinge), -8.0, 1e-3);
        cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 15.7 - 8.0 * (1.5 - 15.7 / 16.0),
                           0.04);
        tn_world_destroy(world);
    }
}

// Motor and spring see the wound angle: they don't take the shorter way round.
Test(twist, a_motor_and_a_spring_wind_through_whole_turns) {
    for (int s = 0; s < 2; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id wheel;
        tn_limit limit = {.is_enabled = true, .lower = -20.0f, .upper = 20.0f};
        tn_joint_id hinge = wheel_make(world, solvers[s], limit, &wheel);
        tn_motor motor = {.mode = TN_MOTOR_MODE_POSITION,
                          .target_position = 12.0f,
                          .stiffness = 300.0f,
                          .damping = 60.0f,
                          .max_force = 1e6f};
        tn_hinge_joint_set_motor(world, hinge, motor);
        run(world, 5.0, 60.0, 4);
        cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 12.0, 1e-3);
        tn_hinge_joint_set_motor(world, hinge, (tn_motor){.mode = TN_MOTOR_MODE_OFF});
        tn_hinge_joint_set_spring(world, hinge,
                                  (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 2.0f});
        cr_assert_float_eq(tn_world_get_energy(world).elastic, 0.5 * 2.0 * 12.0 * 12.0, 0.05);
        tn_world_destroy(world);
    }
}

// [7, 14] holds 4 pi of all turns of the angle 0; [-1, 15] begins where it is.
Test(twist, begins_in_the_turn_that_lies_in_the_range) {
    const float ranges[][2] = {{7.0f, 14.0f}, {-1.0f, 15.0f}, {-15.0f, -8.0f}, {0.5f, 30.0f}};
    const double begins[] = {4.0 * PI, 0.0, -4.0 * PI, 2.0 * PI};
    for (int i = 0; i < 4; ++i) {
        tn_limit limit = {.is_enabled = true, .lower = ranges[i][0], .upper = ranges[i][1]};
        cr_assert_eq(tni_twist_get_first_turn(&limit, 0.0), (int64_t)(begins[i] / (2.0 * PI)));
        tn_world *world = world_make(none, NULL);
        tn_body_id wheel;
        tn_joint_id hinge = wheel_make(world, TN_SOLVER_AUTO, limit, &wheel);
        cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), begins[i], 1e-9);
        run(world, 0.5, 60.0, 4);
        cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), begins[i], 1e-6);
        tn_world_destroy(world);
    }
}

// A change of the range goes on counting; one narrower than a turn does not, and a wide one after
// it begins anew. A body put elsewhere keeps the nearest turn.
Test(twist, counts_while_the_range_is_wide) {
    tn_world *world = world_make(none, NULL);
    tn_body_id wheel;
    tn_limit limit = {.is_enabled = true, .lower = -1.0f, .upper = 15.0f};
    tn_joint_id hinge = wheel_make(world, TN_SOLVER_AUTO, limit, &wheel);
    throw_wheel(world, wheel, 20.0f);
    limit.upper = 40.0f;
    tn_hinge_joint_set_limit(world, hinge, limit);
    cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 15.0, 1e-4);
    tn_body_set_pose(world, wheel, (tn_pose){{0, 0, 0}, {0, 0, sin(7.75), cos(7.75)}});
    cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 15.5, 1e-6);
    throw_wheel(world, wheel, 30.0f);
    cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 40.0, 1e-4);
    tn_hinge_joint_set_limit(world, hinge, (tn_limit){.is_enabled = false});
    cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 40.0 - 12.0 * PI, 1e-4);
    tn_hinge_joint_set_limit(world, hinge, limit);
    cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 40.0 - 12.0 * PI, 1e-4);
    tn_world_destroy(world);
}

Test(twist, cylindrical_and_planar_joints_count_too) {
    for (int s = 0; s < 2; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id nut = body_make(world, 0, 0, 0, 2, 3), puck = body_make(world, 9, 0, 0, 2, 3);
        tn_limit limit = {.is_enabled = true, .lower = -1.0f, .upper = 15.7f};
        tn_cylindrical_joint_def bolt = tn_cylindrical_joint_def_default();
        tn_joint_def_set_frames(world, &bolt.base, world_body, nut, origin, axis_z);
        bolt.base.solver = solvers[s];
        bolt.turn.limit = limit;
        tn_planar_joint_def plane = tn_planar_joint_def_default();
        tn_vec3 middle = {9.0, 0.0, 0.0};
        tn_joint_def_set_frames(world, &plane.base, world_body, puck, middle, axis_z);
        plane.base.solver = solvers[s];
        plane.turn.limit = limit;
        tn_joint_id joints[] = {tn_cylindrical_joint_create(world, &bolt),
                                tn_planar_joint_create(world, &plane)};
        for (int side = 1; side >= -1; side -= 2) {
            tn_body_set_angular_velocity(world, nut, (tn_vec3){0.0, 0.0, 20.0 * side});
            tn_body_set_angular_velocity(world, puck, (tn_vec3){0.0, 0.0, 20.0 * side});
            run(world, 2.0, 60.0, 4);
            double end = side > 0 ? (double)limit.upper : (double)limit.lower;
            cr_assert_float_eq(tn_cylindrical_joint_get_angle(world, joints[0]), end, 1e-4);
            cr_assert_float_eq(tn_planar_joint_get_angle(world, joints[1]), end, 1e-4);
        }
        tn_world_destroy(world);
    }
}

Test(twist, refuses_a_range_that_floats_can_not_count) {
    tn_world *world = world_make(none, NULL);
    tn_body_id wheel;
    tn_limit limit = {.is_enabled = true, .lower = -1.0f, .upper = 1.1e6f};
    cr_assert_eq(wheel_make(world, TN_SOLVER_AUTO, limit, &wheel).value, 0);
    limit.upper = 1e6f;
    cr_assert_neq(wheel_make(world, TN_SOLVER_AUTO, limit, &wheel).value, 0);
    limit = (tn_limit){.is_enabled = true, .lower = 7.0f, .upper = 8.0f}; // narrow, turns away
    cr_assert_eq(wheel_make(world, TN_SOLVER_AUTO, limit, &wheel).value, 0);
    tn_world_destroy(world);
}
