// Six-axis joints: locked they are the joints of fewer axes; springs, drives and limits of each
// axis against closed forms; boxes and round limits.
#include "joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};
static const tn_vec3 axis_x = {1.0, 0.0, 0.0};
static const tn_round_limit no_limit = {false, false, false, 0.0f, 0.0f};

// A ball of 2 kg and 3 kg·m², its frames the world's axes, and nothing locked.
static tn_joint_id make_free(tn_world *world, tn_body_id *out_body) {
    *out_body = body_make(world, 0, 0, 0, 2, 3);
    tn_six_axis_joint_def def = tn_six_axis_joint_def_default();
    set_frames(world, &def.base, world_body, *out_body, origin, axis_x);
    def.locks = 0;
    tn_joint_id joint = tn_six_axis_joint_create(world, &def);
    cr_assert(joint.value != 0);
    return joint;
}

static void unlock(tn_world *world, tn_joint_id joint, int which) {
    uint32_t locks = tn_six_axis_joint_get_def(world, joint).locks;
    tn_six_axis_joint_set_locks(world, joint, locks & ~TN_SIX_AXIS_LOCK(which));
}

// A push of F against friction R along x, against a torque M with friction about x, and against
// viscous friction c along y: (F - R) t / m, (M - T) t / I, F / c (1 - exp(-c t / m)).
Test(six_axis_joint, friction_of_an_axis_holds_back_what_moves_along_it) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
    for (int s = 0; s < 3; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id joint = make_free(world, &body);
        tn_joint_set_solver(world, joint, solvers[s]);
        tn_axis axis = tn_six_axis_joint_get_def(world, joint).axes[0];
        axis.friction = 3.0f;
        tn_six_axis_joint_set_axis(world, joint, TN_SIX_AXIS_LINEAR_X, axis);
        tn_six_axis_joint_set_axis(world, joint, TN_SIX_AXIS_ANGULAR_X, axis);
        axis.friction = 0.0f;
        axis.viscous_friction = 4.0f;
        tn_six_axis_joint_set_axis(world, joint, TN_SIX_AXIS_LINEAR_Y, axis);
        for (int i = 0; i < 120; ++i) {
            bool pushes = i < 60;
            tn_body_apply_force(world, body, (tn_vec3){pushes ? 5.0 : 2.9, 8.0, 0.0});
            tn_body_apply_torque(world, body, (tn_vec3){pushes ? 6.0 : 0.0, 0.0, 0.0});
            tn_world_step(world, 1.0 / 60.0, 4);
            if (i == 59) {
                tn_velocity v = tn_body_get_velocity(world, body);
                cr_assert_float_eq(v.linear.x, 1.0, 1e-4, "solver %d: %g", s, v.linear.x);
                cr_assert_float_eq(v.angular.x, 1.0, 1e-4, "solver %d: %g", s, v.angular.x);
                cr_assert_float_eq(v.linear.y, 2.0 * (1.0 - exp(-2.0)), 1e-2, "solver %d: %g", s,
                                   v.linear.y);
            }
        }
        tn_velocity v = tn_body_get_velocity(world, body);
        cr_assert_float_eq(v.linear.x, 1.0 - 0.05, 1e-3, "solver %d: %g", s, v.linear.x);
        cr_assert_float_eq(v.angular.x, 0.0, 1e-4, "solver %d: %g", s, v.angular.x);
        tn_world_destroy(world);
    }
}

static void set_limit(tn_world *world, tn_joint_id joint, int which, float lower, float upper) {
    tn_axis axis = tn_six_axis_joint_get_def(world, joint).axes[which];
    axis.limit = (tn_limit){.is_enabled = true, .lower = lower, .upper = upper};
    tn_six_axis_joint_set_axis(world, joint, (tn_six_axis)which, axis);
}

// ---- locked ------------------------------------------------------------------------------------

// A machine of two bodies, the first on a ball joint, the second on what is compared.
typedef struct test_pair {
    tn_world *world;
    tn_body_id second;
    tn_joint_id joint;
} test_pair;

static test_pair make_pair(tn_joint_type type, tn_vec3 axis, tn_solver solver) {
    test_pair pair = {.world = world_make(gravity, NULL)};
    tn_body_id first = body_make(pair.world, 0.5, 0, 0, 2, 0.3);
    pair.second = body_make(pair.world, 1.5, 0.1, 0.2, 1, 0.2);
    tn_joint_id top = joint_make(pair.world, TN_JOINT_TYPE_BALL, world_body, first, origin, axis_x);
    pair.joint = joint_make(pair.world, type, first, pair.second, (tn_vec3){1, 0, 0}, axis);
    tn_joint_set_solver(pair.world, top, solver);
    tn_joint_set_solver(pair.world, pair.joint, solver);
    tn_body_set_angular_velocity(pair.world, pair.second, (tn_vec3){3.0, 2.0, -1.0});
    return pair;
}

static double distance_of(const test_pair *p, const test_pair *q) {
    tn_vec3 a = tn_body_get_pose(p->world, p->second).position;
    tn_vec3 b = tn_body_get_pose(q->world, q->second).position;
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

// The same constraints in other numbers. A second of motion: the two differ by what a float rounds,
// and by what is left open within a substep.
static void check_same(tn_joint_type type, int free_axis, tn_solver solver, double tolerance) {
    tn_vec3 axis = {0.6, 0.0, 0.8};
    test_pair plain = make_pair(type, axis, solver);
    test_pair six = make_pair(TN_JOINT_TYPE_SIX_AXIS, axis, solver);
    if (free_axis >= 0) {
        unlock(six.world, six.joint, free_axis);
    }
    for (int i = 0; i < 60; ++i) {
        run(plain.world, 1.0 / 60.0, 60.0, 4);
        run(six.world, 1.0 / 60.0, 60.0, 4);
        double apart = distance_of(&plain, &six);
        cr_assert(apart < tolerance, "type %d, solver %d: %g m apart after %d steps", (int)type,
                  (int)solver, apart, i);
    }
    tn_world_destroy(plain.world);
    tn_world_destroy(six.world);
}

Test(six_axis_joint, six_locked_axes_are_a_fixed_joint) {
    check_same(TN_JOINT_TYPE_FIXED, -1, TN_SOLVER_PGS, 1e-4);
    check_same(TN_JOINT_TYPE_FIXED, -1, TN_SOLVER_DIRECT, 1e-6);
    check_same(TN_JOINT_TYPE_FIXED, -1, TN_SOLVER_AUTO, 1e-4);
}

Test(six_axis_joint, five_locked_axes_are_a_hinge) {
    check_same(TN_JOINT_TYPE_HINGE, TN_SIX_AXIS_ANGULAR_X, TN_SOLVER_PGS, 1e-4);
    check_same(TN_JOINT_TYPE_HINGE, TN_SIX_AXIS_ANGULAR_X, TN_SOLVER_DIRECT, 1e-6);
}

Test(six_axis_joint, five_locked_axes_are_a_slider) {
    check_same(TN_JOINT_TYPE_SLIDER, TN_SIX_AXIS_LINEAR_X, TN_SOLVER_PGS, 1e-4);
    check_same(TN_JOINT_TYPE_SLIDER, TN_SIX_AXIS_LINEAR_X, TN_SOLVER_DIRECT, 1e-6);
}

// About each axis, round and round: 7 rad/s for 3 s, with a push across.
Test(six_axis_joint, a_lone_free_turn_goes_round_about_any_axis) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
    for (int n = 0; n < 9; ++n) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body = body_make(world, 0, 0, 0, 2, 3);
        tn_joint_id joint =
            joint_make(world, TN_JOINT_TYPE_SIX_AXIS, world_body, body, origin, axis_x);
        int which = TN_SIX_AXIS_ANGULAR_X + n % 3;
        tn_joint_set_solver(world, joint, solvers[n / 3]);
        unlock(world, joint, which);
        tn_vec3 w = {n % 3 == 0 ? 7.0 : 1.0, n % 3 == 1 ? 7.0 : 1.0, n % 3 == 2 ? 7.0 : 1.0};
        tn_body_set_angular_velocity(world, body, w);
        double sum = 0.0, before = 0.0;
        for (int i = 0; i < 180; ++i) {
            run(world, 1.0 / 60.0, 60.0, 4);
            double now = tn_six_axis_joint_get_position(world, joint, (tn_six_axis)which);
            double step = now - before;
            sum += step < -PI ? step + 2.0 * PI : step;
            before = now;
            double error = tn_joint_get_error(world, joint).angular_length;
            // The first step meets a push across.
            cr_assert(error < (i == 0 ? 1e-3 : 1e-4), "case %d, step %d: %g", n, i, error);
        }
        cr_assert_float_eq(sum, 21.0, 1e-3, "case %d: %g", n, sum);
        cr_assert_float_eq(tn_six_axis_joint_get_speed(world, joint, (tn_six_axis)which), 7.0,
                           1e-4);
        tn_world_destroy(world);
    }
}

// A body that may not twist: thrown about, whatever its swing, its twist stays 0.
Test(six_axis_joint, a_locked_twist_holds_through_any_swing) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    for (int s = 0; s < 2; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id joint = make_free(world, &body);
        tn_joint_set_solver(world, joint, solvers[s]);
        tn_six_axis_joint_set_locks(world, joint, TN_SIX_AXIS_LOCK(TN_SIX_AXIS_ANGULAR_X));
        tn_body_set_angular_velocity(world, body, (tn_vec3){1.0, 1.5, 0.4});
        double largest = 0.0, farthest = 0.0;
        for (int i = 0; i < 90; ++i) {
            run(world, 1.0 / 60.0, 60.0, 4);
            double y = tn_six_axis_joint_get_position(world, joint, TN_SIX_AXIS_ANGULAR_Y);
            double z = tn_six_axis_joint_get_position(world, joint, TN_SIX_AXIS_ANGULAR_Z);
            double x = tn_six_axis_joint_get_position(world, joint, TN_SIX_AXIS_ANGULAR_X);
            farthest = fmax(farthest, hypot(y, z));
            largest = fmax(largest, fabs(x));
        }
        double tolerance = s == 0 ? 1e-3 : 1e-6;
        cr_assert(farthest > 2.0 && largest < tolerance, "%g out, twist %g", farthest, largest);
        tn_world_destroy(world);
    }
}

// ---- springs and drives ------------------------------------------------------------------------

static int measured_axis;
static double measure_axis(const tn_world *world, tn_joint_id joint) {
    return tn_six_axis_joint_get_position(world, joint, (tn_six_axis)measured_axis);
}

static void push(tn_world *world, tn_body_id body, int which, double speed) {
    tn_vec3 v = {which % 3 == 0 ? speed : 0.0, which % 3 == 1 ? speed : 0.0,
                 which % 3 == 2 ? speed : 0.0};
    if (which < TN_SIX_AXIS_ANGULAR_X) {
        tn_body_set_linear_velocity(world, body, v);
    } else {
        tn_body_set_angular_velocity(world, body, v);
    }
}

Test(six_axis_joint, a_spring_of_each_axis_swings_at_its_frequency) {
    double w = 2.0 * PI * 3.0;
    for (int n = 0; n < 2 * TN_SIX_AXIS_COUNT; ++n) {
        int which = n / 2;
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id joint = make_free(world, &body);
        double mass = which < TN_SIX_AXIS_ANGULAR_X ? 2.0 : 3.0;
        tn_axis axis = tn_six_axis_joint_get_def(world, joint).axes[which];
        axis.spring =
            (tn_spring){.mode = n % 2 == 0 ? TN_SPRING_MODE_FREQUENCY : TN_SPRING_MODE_STIFFNESS,
                        .hertz = 3.0f,
                        .stiffness = (float)(mass * w * w)};
        tn_six_axis_joint_set_axis(world, joint, (tn_six_axis)which, axis);
        push(world, body, which, 4.0);
        measured_axis = which;
        double period = measure_period(world, joint, measure_axis, 5.0, 60.0, 4);
        double expected = midpoint_frequency(w, 1.0 / 240.0);
        cr_assert_float_eq(2.0 * PI / period / expected, 1.0, 5e-4, "axis %d: %g", which,
                           2.0 * PI / period / expected);
        tn_world_destroy(world);
    }
}

// Springs on all three turns, far out: what they store and what moves stay together the same.
Test(six_axis_joint, springs_of_all_turns_keep_their_energy) {
    tn_world *world = world_make(none, NULL);
    tn_body_id body;
    tn_joint_id joint = make_free(world, &body);
    for (int i = TN_SIX_AXIS_ANGULAR_X; i < TN_SIX_AXIS_COUNT; ++i) {
        tn_axis axis = tn_six_axis_joint_get_def(world, joint).axes[i];
        axis.spring = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 20.0f};
        tn_six_axis_joint_set_axis(world, joint, (tn_six_axis)i, axis);
    }
    tn_body_set_angular_velocity(world, body, (tn_vec3){2.0, 3.0, 1.0});
    double start = tn_world_get_energy(world).kinetic, least = 1.0;
    for (int i = 0; i < 300; ++i) {
        run(world, 1.0 / 60.0, 240.0, 4);
        tn_energy energy = tn_world_get_energy(world);
        double sum = energy.kinetic + energy.elastic;
        cr_assert_float_eq(sum / start, 1.0, 0.01, "%g after %d steps", sum / start, i);
        least = fmin(least, energy.kinetic / start);
    }
    cr_assert(least < 0.2);
    tn_world_destroy(world);
}

// 6 N or N·m on 2 kg or 3 kg·m² until 4 m/s or rad/s.
Test(six_axis_joint, a_motor_of_each_axis_drives_it_with_a_capped_force) {
    for (int which = 0; which < TN_SIX_AXIS_COUNT; ++which) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id joint = make_free(world, &body);
        bool is_turn = which >= TN_SIX_AXIS_ANGULAR_X;
        tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 1.0f, .max_force = 6.0f};
        tn_six_axis_joint_set_motor(world, joint, (tn_six_axis)which, motor);
        run(world, 0.25, 60.0, 4);
        double speed = tn_six_axis_joint_get_speed(world, joint, (tn_six_axis)which);
        cr_assert_float_eq(speed, is_turn ? 0.5 : 0.75, 1e-3, "axis %d: %g", which, speed);
        cr_assert_float_eq((double)tn_joint_get_motor_effort(world, joint), 6.0, 1e-3);
        run(world, 0.5, 60.0, 4);
        speed = tn_six_axis_joint_get_speed(world, joint, (tn_six_axis)which);
        cr_assert_float_eq(speed, 1.0, 1e-4, "axis %d: %g", which, speed);
        tn_world_destroy(world);
    }
}

// ---- limits ------------------------------------------------------------------------------------

Test(six_axis_joint, each_axis_stops_at_its_own_limits) {
    for (int n = 0; n < 2 * TN_SIX_AXIS_COUNT; ++n) {
        int which = n / 2;
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id joint = make_free(world, &body);
        set_limit(world, joint, which, -0.3f, 0.7f);
        push(world, body, which, n % 2 == 0 ? 3.0 : -3.0);
        run(world, 1.0, 60.0, 4);
        double end = tn_six_axis_joint_get_position(world, joint, (tn_six_axis)which);
        cr_assert_float_eq(end, n % 2 == 0 ? 0.7 : -0.3, 1e-3, "axis %d: %g", which, end);
        cr_assert(tn_joint_get_error(world, joint).angular_length < 1e-3);
        cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-3);
        tn_world_destroy(world);
    }
}

// A box of limits lets a body into its corner, a round limit does not.
Test(six_axis_joint, a_box_has_corners_and_a_round_limit_has_none) {
    for (int is_round = 0; is_round < 2; ++is_round) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id joint = make_free(world, &body);
        if (is_round) {
            tn_round_limit ball = {true, true, true, 0.0f, 0.5f};
            tn_six_axis_joint_set_round_limits(world, joint, ball, no_limit);
        } else {
            for (int i = 0; i < 3; ++i) {
                set_limit(world, joint, i, -0.5f, 0.5f);
            }
        }
        tn_body_set_linear_velocity(world, body, (tn_vec3){2.0, 2.0, 2.0});
        run(world, 1.0, 60.0, 4);
        for (int i = 0; i < 3; ++i) {
            double end = tn_six_axis_joint_get_position(world, joint, (tn_six_axis)i);
            cr_assert_float_eq(end, is_round ? 0.5 / sqrt(3.0) : 0.5, 1e-3, "%g", end);
        }
        tn_world_destroy(world);
    }
}

// Between two shells of 0.4 and 0.6 m, in the plane y-z or in space, whichever way it is pushed.
Test(six_axis_joint, a_round_limit_keeps_to_its_ring) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    for (int n = 0; n < 16; ++n) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id joint = make_free(world, &body);
        bool is_flat = n % 2 == 0;
        tn_joint_set_solver(world, joint, solvers[n / 8]);
        tn_body_set_pose(world, body, (tn_pose){{0.3, 0.5, 0.0}, {0, 0, 0, 1}});
        tn_round_limit ring = {!is_flat, true, true, 0.4f, 0.6f};
        tn_six_axis_joint_set_round_limits(world, joint, ring, no_limit);
        double direction = 2.0 * PI * n / 16.0;
        tn_body_set_linear_velocity(world, body,
                                    (tn_vec3){0.1, 1.5 * cos(direction), 1.5 * sin(direction)});
        for (int i = 0; i < 120; ++i) {
            run(world, 1.0 / 60.0, 60.0, 4);
            tn_vec3 p = tn_body_get_pose(world, body).position;
            double radius = sqrt((is_flat ? 0.0 : p.x * p.x) + p.y * p.y + p.z * p.z);
            cr_assert(radius > 0.4 - 2e-3 && radius < 0.6 + 2e-3, "case %d: %g m", n, radius);
        }
        tn_world_destroy(world);
    }
}

// Two turns together make a cone about the third axis, all three a cap on the whole turn.
Test(six_axis_joint, round_limits_of_turns_bound_the_angle_they_are_about) {
    for (int n = 0; n < 4; ++n) {
        for (int k = 0; k < 8; ++k) {
            tn_world *world = world_make(none, NULL);
            tn_body_id body;
            tn_joint_id joint = make_free(world, &body);
            tn_round_limit round = {n != 0, n != 1, n != 2, 0.0f, 0.6f};
            tn_six_axis_joint_set_round_limits(world, joint, no_limit, round);
            double c = cos(2.0 * PI * k / 8.0), s = sin(2.0 * PI * k / 8.0);
            tn_vec3 w = {n == 0 ? 0.0 : 2.0 * c, n == 1 ? 0.0 : (n == 0 ? 2.0 * c : 2.0 * s),
                         n == 2 ? 0.0 : 2.0 * s};
            tn_body_set_angular_velocity(world, body, w);
            run(world, 1.0, 60.0, 4);
            tn_quat q = tn_six_axis_joint_get_rotation(world, joint);
            double turn = 2.0 * acos(fmin(1.0, fabs(q.w)));
            cr_assert_float_eq(turn, 0.6, 2e-3, "case %d, %d: %g", n, k, turn);
            cr_assert(tn_joint_get_error(world, joint).angular_length < 1e-3);
            tn_world_destroy(world);
        }
    }
}

// A shaft in a worn bearing: it turns for ever while its swing keeps within a tenth of a radian.
Test(six_axis_joint, a_free_twist_goes_round_within_limits_on_the_swing) {
    tn_world *world = world_make(none, NULL);
    tn_body_id body;
    tn_joint_id joint = make_free(world, &body);
    set_limit(world, joint, TN_SIX_AXIS_ANGULAR_Y, -0.1f, 0.1f);
    set_limit(world, joint, TN_SIX_AXIS_ANGULAR_Z, -0.05f, 0.15f);
    tn_body_set_angular_velocity(world, body, (tn_vec3){10.0, 0.5, 0.3});
    for (int i = 0; i < 300; ++i) {
        run(world, 1.0 / 60.0, 60.0, 4);
        double y = tn_six_axis_joint_get_position(world, joint, TN_SIX_AXIS_ANGULAR_Y);
        double z = tn_six_axis_joint_get_position(world, joint, TN_SIX_AXIS_ANGULAR_Z);
        cr_assert(fabs(y) < 0.103 && z > -0.053 && z < 0.153, "%g, %g", y, z);
    }
    double speed = tn_six_axis_joint_get_speed(world, joint, TN_SIX_AXIS_ANGULAR_X);
    cr_assert_float_eq(speed, 10.0, 0.1, "%g", speed);
    tn_world_destroy(world);
}

// Half a turn of swing, where the direction of the swing means nothing, is passed without a jerk.
Test(six_axis_joint, springs_and_limits_far_out_stay_within_bounds) {
    tn_world *world = world_make(none, NULL);
    tn_body_id body;
    tn_joint_id joint = make_free(world, &body);
    for (int i = TN_SIX_AXIS_ANGULAR_X; i < TN_SIX_AXIS_COUNT; ++i) {
        tn_axis axis = tn_six_axis_joint_get_def(world, joint).axes[i];
        axis.spring = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 1.0f};
        tn_six_axis_joint_set_axis(world, joint, (tn_six_axis)i, axis);
    }
    tn_body_set_angular_velocity(world, body, (tn_vec3){0.2, 4.0, 0.1});
    for (int i = 0; i < 600; ++i) {
        run(world, 1.0 / 60.0, 60.0, 4);
        cr_assert(length_of(tn_body_get_angular_velocity(world, body)) < 10.0);
    }
    tn_world_destroy(world);
}
