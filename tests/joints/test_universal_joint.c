// Universal joints against Hooke's closed form: how one bends a turn, how two straighten it; and
// what acts on the two angles.
#include "joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};

static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
#define SOLVERS 3

TestSuite(universal_joint, .timeout = 60);

// ---- shafts -----------------------------------------------------------------------------------

// A shaft in a bearing of the world: from `from`, a metre along an angle about z, its fork at the
// far or the near end.
typedef struct shaft {
    tn_body_id body;
    tn_joint_id bearing;
    double bend;
} shaft;

static shaft shaft_make(tn_world *world, tn_vec3 from, double bend) {
    tn_vec3 axis = {cos(bend), sin(bend), 0.0};
    tn_vec3 middle = {from.x + 0.5 * axis.x, from.y + 0.5 * axis.y, 0.0};
    shaft made = {.body = body_make(world, middle.x, middle.y, 0, 1, 0.1), .bend = bend};
    made.bearing = joint_make(world, TN_JOINT_TYPE_HINGE, world_body, made.body, middle, axis);
    return made;
}

// In the body's frame, whose axes are those of the world now: x along the shaft, z up to the
// reader.
static tn_pose shaft_frame(const tn_world *world, const shaft *of, tn_vec3 point) {
    tn_vec3 p = tn_body_get_pose(world, of->body).position;
    tn_pose frame = {{point.x - p.x, point.y - p.y, point.z - p.z},
                     {0.0, 0.0, sin(0.5 * of->bend), cos(0.5 * of->bend)}};
    return frame;
}

// The arm on a is across the plane of the shafts, that on b in it.
static tn_joint_id cross_make(tn_world *world, const shaft *a, const shaft *b, tn_vec3 point) {
    tn_universal_joint_def def = tn_universal_joint_def_default();
    def.base.body_a = a->body;
    def.base.body_b = b->body;
    def.base.frame_a = shaft_frame(world, a, point);
    def.base.frame_b = shaft_frame(world, b, point);
    return tn_universal_joint_create(world, &def);
}

static void drive(tn_world *world, const shaft *input, float speed) {
    tn_hinge_joint_set_motor(
        world, input->bearing,
        (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = speed, .max_force = INFINITY});
}

static double turn_of(const tn_world *world, const shaft *of) {
    return tn_hinge_joint_get_angle(world, of->bearing);
}

static double speed_of(const tn_world *world, const shaft *of) {
    return tn_hinge_joint_get_speed(world, of->bearing);
}

// The difference of two angles, in (-pi, pi].
static double between(double a, double b) {
    return remainder(a - b, 2.0 * PI);
}

// tan(out) = tan(in) / c, in the right quadrant, and its derivative, out' / in'.
static double bent(double in, double c) {
    return atan2(sin(in), c * cos(in));
}

static double bent_rate(double in, double c) {
    return c / (sin(in) * sin(in) + c * c * cos(in) * cos(in));
}

// From the poses alone, whatever the joint says: the arms are along y and z of their bodies.
static void expect_bend(tn_world *world, const shaft *in, const shaft *out, double c,
                        double tolerance, int s) {
    double turn = turn_of(world, in), rate = speed_of(world, out) / speed_of(world, in);
    cr_assert(fabs(between(turn_of(world, out), bent(turn, c))) < tolerance,
              "solver %d, at %g: %g for %g", s, turn, turn_of(world, out), bent(turn, c));
    cr_assert(fabs(rate - bent_rate(turn, c)) < 10.0 * tolerance, "solver %d, at %g: %g for %g", s,
              turn, rate, bent_rate(turn, c));
}

// Exactly, or as well as Gauss-Seidel and conjugate gradients close it in a float.
static const double tolerances[] = {2e-3, 1e-6, 2e-3};

// Over more than a turn, bent by 40 degrees: the second shaft runs between 0.77 and 1.31 of the
// first one's speed.
Test(universal_joint, one_alone_bends_the_turn_as_hooke_says) {
    for (int s = 0; s < SOLVERS; ++s) {
        tn_world *world = world_make(none, NULL);
        double bend = 40.0 * PI / 180.0, slowest = 2.0, fastest = 0.0;
        shaft in = shaft_make(world, (tn_vec3){-1, 0, 0}, 0.0);
        shaft out = shaft_make(world, origin, bend);
        tn_joint_id cross = cross_make(world, &in, &out, origin);
        tn_world_set_solver(world, solvers[s]);
        drive(world, &in, 2.0f);
        run(world, 0.1, 240.0, 4);
        for (int n = 0; n < 240 * 4; ++n) {
            run(world, 1.0 / 240.0, 240.0, 4);
            expect_bend(world, &in, &out, cos(bend), tolerances[s], s);
            double rate = speed_of(world, &out) / speed_of(world, &in);
            slowest = fmin(slowest, rate);
            fastest = fmax(fastest, rate);
        }
        cr_assert_float_eq(slowest, cos(bend), 5e-3);
        cr_assert_float_eq(fastest, 1.0 / cos(bend), 5e-3);
        cr_assert(tn_joint_get_error(world, cross).linear_length < 1e-3);
        tn_world_destroy(world);
    }
}

// Shafts in a Z, bent by 30 degrees there and back. With both arms of the middle shaft in one
// plane the second joint undoes what the first does; a quarter turn apart it does it once more.
Test(universal_joint, two_in_a_z_even_it_out_or_make_it_worse) {
    double bend = 30.0 * PI / 180.0;
    for (int s = 0; s < SOLVERS; ++s) {
        for (int is_apart = 0; is_apart < 2; ++is_apart) {
            tn_world *world = world_make(none, NULL);
            tn_vec3 far = {cos(bend), sin(bend), 0.0};
            shaft in = shaft_make(world, (tn_vec3){-1, 0, 0}, 0.0);
            shaft middle = {.bend = bend};
            middle.body = body_make(world, 0.5 * far.x, 0.5 * far.y, 0, 1, 0.1);
            shaft out = shaft_make(world, far, 0.0);
            cross_make(world, &in, &middle, origin);
            if (is_apart) {
                cross_make(world, &middle, &out, far);
            } else {
                cross_make(world, &out, &middle, far);
            }
            tn_world_set_solver(world, solvers[s]);
            drive(world, &in, 3.0f);
            run(world, 0.1, 240.0, 4);
            for (int n = 0; n < 240 * 3; ++n) {
                run(world, 1.0 / 240.0, 240.0, 4);
                double c = is_apart ? cos(bend) * cos(bend) : 1.0;
                expect_bend(world, &in, &out, c, 2.0 * tolerances[s], s);
            }
            tn_world_destroy(world);
        }
    }
}

// 5 N·m about the shaft are carried by the cross; 0.25 N·m about its arms turn 0.5 kg m² by 0.0625
// rad in half a second.
Test(universal_joint, carries_torque_about_the_shaft_and_none_about_its_arms) {
    const tn_vec3 torques[] = {{5.0, 0.0, 0.0}, {0.0, 0.25, 0.0}, {0.0, 0.0, 0.25}};
    for (int n = 0; n < 3 * SOLVERS; ++n) {
        const tn_vec3 *torque = &torques[n % 3];
        tn_world *world = world_make(none, NULL);
        tn_body_id body = body_make(world, 0, 0, 0, 1, 0.5);
        tn_joint_id cross = joint_make(world, TN_JOINT_TYPE_UNIVERSAL, world_body, body, origin,
                                       (tn_vec3){1, 0, 0});
        tn_joint_set_solver(world, cross, solvers[n / 3]);
        for (int k = 0; k < 120; ++k) {
            tn_body_apply_torque(world, body, *torque);
            run(world, 1.0 / 60.0, 60.0, 4);
        }
        tn_reaction reaction = tn_joint_get_reaction(world, cross);
        // Conjugate gradients end at a residual: what they leave is made up for later.
        double tolerance = solvers[n / 3] == TN_SOLVER_CG ? 2e-2 : 1e-3;
        cr_assert_float_eq(reaction.torque.x, (double)-torque->x, tolerance, "solver %d: %g", n / 3,
                           reaction.torque.x);
        cr_assert(fabs(reaction.torque.y) < 1e-4 && fabs(reaction.torque.z) < 1e-4);
        double first = torque->y > 0.0 ? 1.0 : 0.0, second = torque->z > 0.0 ? 1.0 : 0.0;
        cr_assert_float_eq(tn_universal_joint_get_first_angle(world, cross), first, 1e-5);
        cr_assert_float_eq(tn_universal_joint_get_second_angle(world, cross), second, 1e-5);
        cr_assert_float_eq(tn_universal_joint_get_first_speed(world, cross), first, 1e-5);
        tn_world_destroy(world);
    }
}

// ---- the two angles ---------------------------------------------------------------------------

// A turret: y up. Its barrel of 3 kg is 0.5 m ahead, so that the second motor carries m g 0.5; the
// first turns it as if it weighed nothing.
Test(universal_joint, each_angle_has_a_motor_with_a_torque_of_its_own) {
    for (int s = 0; s < SOLVERS; ++s) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id barrel = body_make(world, 0.5, 0, 0, 3, 0.1);
        tn_joint_id turret = joint_make(world, TN_JOINT_TYPE_UNIVERSAL, world_body, barrel, origin,
                                        (tn_vec3){1, 0, 0});
        tn_joint_set_solver(world, turret, solvers[s]);
        tn_axis first = tn_universal_joint_get_def(world, turret).first, second = first;
        first.motor = (tn_motor){TN_MOTOR_MODE_POSITION, 0.0f, 1.2f, 300.0f, 60.0f, INFINITY,
                                 TN_DRIVE_MODE_FORCE};
        second.motor =
            (tn_motor){TN_MOTOR_MODE_SPEED, 0.0f, 0.0f, 0.0f, 0.0f, INFINITY, TN_DRIVE_MODE_FORCE};
        tn_universal_joint_set_first(world, turret, first);
        tn_universal_joint_set_second(world, turret, second);
        run(world, 4.0, 60.0, 4);
        cr_assert_float_eq(tn_universal_joint_get_first_angle(world, turret), 1.2, 1e-3);
        cr_assert_float_eq(tn_universal_joint_get_second_angle(world, turret), 0.0, 1e-3);
        cr_assert_float_eq((double)tn_universal_joint_get_second_torque(world, turret),
                           3.0 * 9.81 * 0.5, 2e-2);
        cr_assert(fabs((double)tn_universal_joint_get_first_torque(world, turret)) < 2e-2);
        tn_world_destroy(world);
    }
}

// Each of the four ends by itself.
Test(universal_joint, stops_at_the_limits_of_both_angles) {
    for (int s = 0; s < SOLVERS; ++s) {
        for (int side = -1; side <= 1; side += 2) {
            tn_world *world = world_make(none, NULL);
            tn_body_id body = body_make(world, 0, 0, 0, 1, 0.5);
            tn_joint_id cross = joint_make(world, TN_JOINT_TYPE_UNIVERSAL, world_body, body, origin,
                                           (tn_vec3){1, 0, 0});
            tn_joint_set_solver(world, cross, solvers[s]);
            tn_axis first = tn_universal_joint_get_def(world, cross).first, second = first;
            first.limit = (tn_limit){.is_enabled = true, .lower = -0.4f, .upper = 0.3f};
            second.limit = (tn_limit){.is_enabled = true, .lower = -0.2f, .upper = 0.5f};
            tn_universal_joint_set_first(world, cross, first);
            tn_universal_joint_set_second(world, cross, second);
            tn_body_set_velocity(world, body, (tn_velocity){{0, 0, 0}, {0, 2 * side, 3 * side}});
            run(world, 1.0, 60.0, 4);
            cr_assert_float_eq(tn_universal_joint_get_first_angle(world, cross),
                               side > 0 ? 0.3 : -0.4, 1e-3, "solver %d: %g", s,
                               tn_universal_joint_get_first_angle(world, cross));
            cr_assert_float_eq(tn_universal_joint_get_second_angle(world, cross),
                               side > 0 ? 0.5 : -0.2, 1e-3);
            tn_world_destroy(world);
        }
    }
}

static double first_angle(const tn_world *world, tn_joint_id joint) {
    return tn_universal_joint_get_first_angle(world, joint);
}

static double second_angle(const tn_world *world, tn_joint_id joint) {
    return tn_universal_joint_get_second_angle(world, joint);
}

// A shaft on two springs, each at its own frequency: small, so that the two hardly meet.
Test(universal_joint, springs_swing_each_angle_at_its_frequency) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body = body_make(world, 0, 0, 0, 1, 0.5);
        tn_joint_id cross = joint_make(world, TN_JOINT_TYPE_UNIVERSAL, world_body, body, origin,
                                       (tn_vec3){1, 0, 0});
        tn_axis axis = tn_universal_joint_get_def(world, cross).first;
        axis.spring = (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY, .hertz = i == 0 ? 1.5f : 2.5f};
        tn_velocity push = {{0, 0, 0}, {0, i == 0 ? 0.2 : 0.0, i == 0 ? 0.0 : 0.2}};
        if (i == 0) {
            tn_universal_joint_set_first(world, cross, axis);
        } else {
            tn_universal_joint_set_second(world, cross, axis);
        }
        tn_body_set_velocity(world, body, push);
        double w = 2.0 * PI * (double)axis.spring.hertz;
        double period =
            measure_period(world, cross, i == 0 ? first_angle : second_angle, 5.0, 60.0, 4);
        cr_assert_float_eq(2.0 * PI / period / midpoint_frequency(w, 1.0 / 240.0), 1.0, 5e-4);
        tn_world_destroy(world);
    }
}
