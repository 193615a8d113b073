// Angles are known modulo a turn: drives take the way that a limit leaves open, and a range of a
// whole turn ends where it says.
#include "driven_value.h"
#include "tests/support/long_test.h"

#define PI  3.14159265358979323846
#define RAD (PI / 180.0)

static const tn_solver angle_solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_DIRECT, TN_SOLVER_PGS,
                                          TN_SOLVER_CG};
#define ANGLE_SOLVERS 4

// The angles of driven_value.h, and the twist of two joints that are driven about all axes.
typedef enum angle_value {
    ANGLE_HINGE,
    ANGLE_UNIVERSAL_FIRST,
    ANGLE_UNIVERSAL_SECOND,
    ANGLE_CYLINDRICAL,
    ANGLE_PLANAR,
    ANGLE_SIX_AXIS,
    ANGLE_STEERING,
    ANGLE_BALL,
    ANGLE_SWING_TWIST,
    ANGLE_VALUES,
} angle_value;

static driven_value angle_get_driven(angle_value value) {
    return (driven_value)(DRIVEN_HINGE + (int)value);
}

static const char *angle_get_name(angle_value value) {
    return value == ANGLE_BALL          ? "ball"
           : value == ANGLE_SWING_TWIST ? "swing-twist"
                                        : driven_names[angle_get_driven(value)];
}

typedef struct angle_case {
    double lower, upper, start, target; // degrees
} angle_case;

static tn_quat angle_about_x(double angle) {
    return (tn_quat){sin(0.5 * angle), 0.0, 0.0, cos(0.5 * angle)};
}

static tn_joint_id angle_make_ball(tn_world *world, angle_value value, const tn_joint_def *base,
                                   const driven_actors *actors) {
    tn_ball_motor motor = {.mode = actors->motor.mode,
                           .target_velocity = {(double)actors->motor.target_speed, 0.0, 0.0},
                           .target_rotation = angle_about_x((double)actors->motor.target_position),
                           .stiffness = actors->motor.stiffness,
                           .damping = actors->motor.damping};
    if (value == ANGLE_BALL) {
        tn_ball_joint_def def = tn_ball_joint_def_default();
        def.base = *base;
        def.twist_limit = actors->limit;
        def.motor = motor;
        return tn_ball_joint_create(world, &def);
    }
    tn_swing_twist_joint_def def = tn_swing_twist_joint_def_default();
    def.base = *base;
    def.twist_limit = actors->limit;
    def.motor = motor;
    return tn_swing_twist_joint_create(world, &def);
}

// A bar on the world about z (of a wheel about y), turned from where it was made to `start`.
static tn_joint_id angle_make(tn_world *world, angle_value value, tn_solver solver, double start,
                              const driven_actors *actors, tn_body_id *out_bar) {
    bool is_second = value == ANGLE_UNIVERSAL_FIRST || value == ANGLE_UNIVERSAL_SECOND;
    tn_vec3 axis = value == ANGLE_STEERING ? (tn_vec3){0.0, 1.0, 0.0} : (tn_vec3){0.0, 0.0, 1.0};
    *out_bar = body_make(world, 0, 0, 0, 2, 3);
    tn_joint_def base = tn_joint_def_default();
    set_frames(world, &base, world_body, *out_bar, (tn_vec3){0.0, 0.0, 0.0}, axis);
    base.solver = solver;
    // Which axis the angle is about: x of frame a, or y and z of a universal joint.
    tn_quat q = base.frame_a.rotation;
    tn_vec3 about = axis;
    if (is_second && value == ANGLE_UNIVERSAL_FIRST) {
        about = (tn_vec3){2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z),
                          2.0 * (q.y * q.z + q.w * q.x)};
    } else if (is_second) {
        about = (tn_vec3){2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x),
                          1.0 - 2.0 * (q.x * q.x + q.y * q.y)};
    }
    double s = sin(0.5 * start), c = cos(0.5 * start);
    tn_pose pose = {{0.0, 0.0, 0.0}, {s * about.x, s * about.y, s * about.z, c}};
    tn_body_set_pose(world, *out_bar, pose);
    return value >= ANGLE_BALL ? angle_make_ball(world, value, &base, actors)
                               : driven_make(world, angle_get_driven(value), base, actors);
}

static double angle_get(const tn_world *world, angle_value value, tn_joint_id joint) {
    return value == ANGLE_BALL          ? tn_ball_joint_get_twist(world, joint)
           : value == ANGLE_SWING_TWIST ? tn_swing_twist_joint_get_twist(world, joint)
                                        : driven_get(world, angle_get_driven(value), joint);
}

static double angle_get_apart(double a, double b) {
    return fabs(a - b - 2.0 * PI * floor((a - b) / (2.0 * PI) + 0.5));
}

// Where the angle is after 3 s.
static double angle_run(angle_value value, tn_solver solver, double start,
                        const driven_actors *actors) {
    tn_world *world = world_make((tn_vec3){0.0, 0.0, 0.0}, NULL);
    tn_body_id bar;
    tn_joint_id joint = angle_make(world, value, solver, start, actors, &bar);
    cr_assert(tn_joint_is_valid(world, joint));
    run(world, 3.0, 60.0, 4);
    double angle = angle_get(world, value, joint);
    tn_world_destroy(world);
    return angle;
}

static const angle_case angle_ways[] = {{-170.0, 170.0, -160.0, 160.0},
                                        {-170.0, 170.0, 160.0, -160.0},
                                        {-30.0, 170.0, 165.0, -25.0},
                                        {-80.0, 100.0, 90.0, 40.0},
                                        {-178.0, 178.0, -170.0, 170.0}};

static void angle_check_way(angle_value value, tn_solver solver, const angle_case *it,
                            bool is_spring) {
    driven_actors actors = {.limit = {.is_enabled = true,
                                      .lower = (float)(it->lower * RAD),
                                      .upper = (float)(it->upper * RAD)}};
    if (is_spring) {
        actors.spring = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS,
                                    .stiffness = 300.0f,
                                    .damping = 60.0f,
                                    .rest = (float)(it->target * RAD)};
    } else {
        actors.motor = (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                                  .stiffness = 300.0f,
                                  .damping = 60.0f,
                                  .target_position = (float)(it->target * RAD)};
    }
    double angle = angle_run(value, solver, it->start * RAD, &actors);
    cr_assert(angle_get_apart(angle, it->target * RAD) < 1e-2,
              "%s, solver %d, %s from %g to %g in %g to %g ends at %g", angle_get_name(value),
              (int)solver, is_spring ? "spring" : "motor", it->start, it->target, it->lower,
              it->upper, angle / RAD);
}

LONG_TEST(angle_limits, a_drive_takes_the_way_that_the_limit_leaves_open) {
    for (int value = 0; value < ANGLE_VALUES; ++value) {
        for (uint32_t k = 0; k < sizeof angle_ways / sizeof *angle_ways; ++k) {
            for (int s = 0; s < ANGLE_SOLVERS; ++s) {
                angle_check_way((angle_value)value, angle_solvers[s], &angle_ways[k], false);
            }
        }
    }
}

Test(angle_limits, a_spring_takes_that_way_too) {
    for (int value = 0; value < ANGLE_STEERING; ++value) {
        for (uint32_t k = 0; k < sizeof angle_ways / sizeof *angle_ways; ++k) {
            angle_check_way((angle_value)value, TN_SOLVER_AUTO, &angle_ways[k], true);
        }
    }
}

// Of a range beyond half a turn the value that lies in it is meant.
Test(angle_limits, a_target_beyond_half_a_turn_is_one_in_the_range) {
    const angle_case far = {-80.0, 270.0, 0.0, 250.0};
    for (int s = 0; s < ANGLE_SOLVERS; ++s) {
        angle_check_way(ANGLE_HINGE, angle_solvers[s], &far, false);
        angle_check_way(ANGLE_CYLINDRICAL, angle_solvers[s], &far, false);
        angle_check_way(ANGLE_UNIVERSAL_FIRST, angle_solvers[s], &far, false);
    }
}

Test(angle_limits, without_a_limit_the_way_is_the_shorter_one) {
    driven_actors actors = {.motor = {.mode = TN_MOTOR_MODE_POSITION,
                                      .stiffness = 300.0f,
                                      .damping = 60.0f,
                                      .target_position = (float)(160.0 * RAD)}};
    tn_world *world = world_make((tn_vec3){0.0, 0.0, 0.0}, NULL);
    tn_body_id bar;
    tn_joint_id joint = angle_make(world, ANGLE_HINGE, TN_SOLVER_AUTO, -160.0 * RAD, &actors, &bar);
    run(world, 0.1, 60.0, 4);
    double angle = angle_get(world, ANGLE_HINGE, joint);
    cr_assert(angle < -160.5 * RAD || angle > 160.0 * RAD);
    tn_world_destroy(world);
}

// Turned by 2 rad (or -2), and thrown on about the same axis.
static void angle_throw(tn_world *world, tn_body_id bar, double speed) {
    tn_pose pose = tn_body_get_pose(world, bar);
    double scale = speed / sin(1.0);
    tn_body_set_angular_velocity(
        world, bar,
        (tn_vec3){(scale * pose.rotation.x), (scale * pose.rotation.y), (scale * pose.rotation.z)});
}

static void angle_check_end(angle_value value, tn_solver solver, double half, double sign) {
    driven_actors actors = {
        .limit = {.is_enabled = true, .lower = (float)-half, .upper = (float)half}};
    tn_world *world = world_make((tn_vec3){0.0, 0.0, 0.0}, NULL);
    tn_body_id bar;
    tn_joint_id joint = angle_make(world, value, solver, sign * 2.0, &actors, &bar);
    angle_throw(world, bar, 9.0);
    double most = 0.0;
    for (int k = 0; k < 60; ++k) {
        tn_world_step(world, 1.0 / 60.0, 4);
        most = fmax(most, fabs(angle_get(world, value, joint)) - half);
    }
    double angle = sign * angle_get(world, value, joint);
    cr_assert(most < 1e-3 && fabs(angle - half) < 1e-3,
              "%s, solver %d, %g: passed by %g, ends at %g of %g", angle_get_name(value),
              (int)solver, sign, most, angle, half);
    tn_world_destroy(world);
}

// Thrown at an end of a range that is a turn wide, or nearly, it stops there.
Test(angle_limits, a_range_of_a_whole_turn_has_ends) {
    static const double half_ranges[] = {PI, PI - 1e-4, PI - 0.005};
    for (int i = 0; i < ANGLE_VALUES * ANGLE_SOLVERS * 6; ++i) {
        angle_check_end((angle_value)(i / (ANGLE_SOLVERS * 6)),
                        angle_solvers[i / 6 % ANGLE_SOLVERS], half_ranges[i / 2 % 3],
                        (i & 1) != 0 ? -1.0 : 1.0);
    }
}

// A motor that drives on at the end of a whole turn does not get around it.
Test(angle_limits, no_motor_passes_the_end_of_a_whole_turn) {
    for (int i = 0; i < ANGLE_VALUES * ANGLE_SOLVERS; ++i) {
        angle_value value = (angle_value)(i / ANGLE_SOLVERS);
        driven_actors actors = {
            .limit = {.is_enabled = true, .lower = (float)-PI, .upper = (float)PI},
            .motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 3.0f}};
        double angle = angle_run(value, angle_solvers[i % ANGLE_SOLVERS], 0.5, &actors);
        cr_assert_float_eq(angle, PI, 1e-3, "%s, solver %d", angle_get_name(value),
                           (int)angle_solvers[i % ANGLE_SOLVERS]);
    }
}
