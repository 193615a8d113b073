// Tries the tilt joint: its rows against differences of its error, its motion against closed forms,
// swept and exact. Prints what fails and returns how much did.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "joint_motion.h"
#include "tenon/machines.h"

#define CASES 200
#define STEP  3e-4 // of the differences, s

static int failures = 0;

static void expect(const char *what, double is, double wanted, double tolerance) {
    if (!(fabs(is - wanted) <= tolerance)) {
        printf("tilt joint: %s is %.9g, not %.9g\n", what, is, wanted);
        failures += 1;
    }
}

// ---- the row ------------------------------------------------------------------------------------

static double error_after(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, double time) {
    tni_body_motion a_then = motion_after(a, time), b_then = motion_after(b, time);
    double error;
    tni_joint_measure_exact(joint, &a_then, &b_then, &error);
    return error;
}

static double quadratic(double k[6][6], tni_dvec3 w) {
    const double d[3] = {w.x, w.y, w.z};
    double sum = 0.0;
    for (int i = 0; i < 9; ++i) {
        sum += d[i / 3] * k[3 + i / 3][3 + i % 3] * d[i % 3];
    }
    return sum;
}

static void try_row(test_random *random) {
    tni_joint joint = zero_joint(TN_JOINT_TYPE_TILT);
    joint.def.tilt.angle = random_between(random, 0.5, 2.5);
    random_frames(random, &joint);
    tni_body_motion a = random_motion(random), b = random_motion(random), still = a;
    still.velocity = still.angular_velocity = dvec3_make(0.0, 0.0, 0.0);
    tni_row row;
    tni_exact_row exact;
    double term, x = 0.7, of_a[6][6] = {{0.0}}, of_b[6][6] = {{0.0}};
    tni_curvature curvature = {.a = of_a, .b = of_b};
    tni_joint_emit(&joint, &a, &b, &row);
    tni_joint_emit_exact(&joint, &a, &b, &exact);
    tni_joint_measure_terms(&joint, &a, &b, &term);
    tni_joint_add_curvature(&joint, &a, &b, &x, &curvature);
    double before = error_after(&joint, &a, &b, -STEP), now = error_after(&joint, &a, &b, 0.0);
    double after = error_after(&joint, &a, &b, STEP);
    double speed =
        dvec3_dot(exact.ang_a, a.angular_velocity) + dvec3_dot(exact.ang_b, b.angular_velocity);
    expect("J v", speed, (after - before) / (2.0 * STEP), 1e-4);
    expect("J v in float", row_speed(&row, &a, &b), speed, 1e-5);
    expect("the error in float", (double)row.error, now, 1e-6);
    expect("Jdot v", term, (after - 2.0 * now + before) / (STEP * STEP), 1e-3);
    before = error_after(&joint, &still, &b, -STEP), after = error_after(&joint, &still, &b, STEP);
    expect("K of b", quadratic(of_b, b.angular_velocity),
           -x * (after - 2.0 * now + before) / (STEP * STEP), 1e-3);
}

// ---- the motion ---------------------------------------------------------------------------------

// A ball whose x axis stands at 1 rad from that of the world. A torque about what is perpendicular
// to both is borne; one about the world's x axis turns the ball as if it were free.
static void try_motion(tn_solver solver, const char *name) {
    tn_world_def world_def = tn_world_def_default();
    world_def.gravity.y = 0;
    tn_world *world = tn_world_create(&world_def, NULL);
    tn_body_def body_def = tn_body_def_default();
    const double turned[4] = {0.0, 0.0, sin(0.5), cos(0.5)};
    memcpy(&body_def.pose.rotation, turned, sizeof turned);
    tn_body_id ball = tn_body_create(world, &body_def); // 1 kg, a radius of 0.5 m
    tn_tilt_joint_def def = tn_tilt_joint_def_default();
    def.base.body_b = ball;
    def.base.solver = solver;
    def.angle = 1.0;
    tn_joint_id joint = tn_tilt_joint_create(world, &def);
    const double inertia = 0.4 * 0.5 * 0.5, along = 0.02, across = 0.5; // kg m^2, N m, N m
    for (int i = 0; i < 120; ++i) {
        tn_body_apply_torque(world, ball, (tn_vec3){along, 0, 0});
        // The joint's direction goes around with the ball.
        double phi = 0.5 * along / inertia * (i / 60.0) * (i / 60.0);
        tn_body_apply_torque(world, ball, (tn_vec3){0, -across * sin(phi), across * cos(phi)});
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    printf("%s: turns at %.6f rad/s, angle off by %.1e rad\n", name,
           tn_body_get_velocity(world, ball).angular.x,
           tn_tilt_joint_get_angle(world, joint) - 1.0);
    expect("the speed about the free axis", tn_body_get_velocity(world, ball).angular.x,
           along * 2.0 / inertia, 1e-3);
    expect("the angle", tn_tilt_joint_get_angle(world, joint), 1.0,
           solver == TN_SOLVER_DIRECT ? 1e-8 : 1e-4);
    tn_world_destroy(world);
}

static void try_misuse(void) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_def body_def = tn_body_def_default();
    tn_tilt_joint_def def = tn_tilt_joint_def_default();
    def.base.body_b = tn_body_create(world, &body_def);
    def.angle = 0.0;
    expect("a joint with an angle of 0", tn_tilt_joint_create(world, &def).value, 0.0, 0.0);
    def.angle = 1.0;
    expect("an angle read back",
           tn_tilt_joint_get_def(world, tn_tilt_joint_create(world, &def)).angle, 1.0, 0.0);
    tn_world_destroy(world);
}

int main(void) {
    test_random random = {7};
    for (int i = 0; i < CASES; ++i) {
        try_row(&random);
    }
    try_motion(TN_SOLVER_PGS, "swept");
    try_motion(TN_SOLVER_DIRECT, "exact");
    try_misuse();
    printf("tilt joint: %d faults\n", failures);
    return failures != 0;
}
