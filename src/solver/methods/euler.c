// solver/methods/euler.c: semi-implicit Euler with velocities that the joints allow.
//
// At the poses q_0, with the applied forces f, W = M^-1 and a share beta of the error C given back
// in each substep h (Baumgarte):
//     J W J^T x = -(J (v_0 + h W f) + beta C / h)
//     v_1 = v_0 + W (h f + J^T x),     q_1 = q_0 + h v_1
// Most game engines do this, except that here the rows are solved together and to round-off. J v =
// 0 holds at q_0 while the bodies move on to q_1: along a circle of radius r by the tangent, which
// leaves it by (h v)^2 / 2r in every substep. beta = 0 lets that add up, beta > 0 answers with a
// velocity that the energy pays for. The gyroscopic torque is that of the start. First order.
// Sources: J. Baumgarte, "Stabilization of constraints and integrals of motion in dynamical
// systems", Comput. Methods Appl. Mech. Eng. 1, 1972; D. Baraff, "Linear-time dynamics using
// Lagrange multipliers", SIGGRAPH 1996. Test: tests/solver/methods/test_method.c
#include "solver/methods/method.h"
#include "solver/solver.h"

// Puts v_0 + h W f into the middle motion.
static void euler_push(tni_mechanism_body *body, double h) {
    tni_dvec3 acceleration, torque;
    tni_method_get_forces(body, &acceleration, &torque);
    torque = dvec3_sub(torque, tni_method_get_gyroscopic(body));
    tni_method_push(body, dvec3_scale(acceleration, h * body->mass), dvec3_scale(torque, h));
}

static void euler_fill_rows(tni_mechanism *mechanism, double beta, double h) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        double *r = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t k = 0; k < joint->row_count; ++k) {
            r[k] = tni_exact_row_speed(&joint->rows[k], &mechanism->bodies[joint->a].middle,
                                       &mechanism->bodies[joint->b].middle) +
                   beta / h * joint->rows[k].error;
        }
    }
}

static void euler_keep_impulses(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const double *x = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t r = 0; r < mechanism->joints[i].row_count; ++r) {
            mechanism->joints[i].impulse[r] = 0.5 * x[r]; // kept for half a substep
        }
    }
}

bool tni_euler_step(tni_mechanism *mechanism, double beta, double h) {
    tni_method_start(mechanism);
    if (!tni_method_factor(mechanism)) {
        return false;
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        euler_push(&mechanism->bodies[i], h);
    }
    euler_fill_rows(mechanism, beta, h);
    tni_mechanism_solve(mechanism, true);
    mechanism->report.iterations += 1;
    euler_keep_impulses(mechanism);
    tni_method_note(mechanism, 2.0);
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        const double *d = body->change;
        if (i < mechanism->moving_count) {
            body->middle.velocity = dvec3_add(body->middle.velocity, dvec3_make(d[0], d[1], d[2]));
            body->middle.angular_velocity =
                dvec3_add(body->middle.angular_velocity, dvec3_make(d[3], d[4], d[5]));
        }
        body->motion = body->middle;
        body->motion.position = dvec3_add_scaled(body->motion.position, h, body->motion.velocity);
        tni_rotate_at_constant_velocity(&body->motion, h);
    }
    return true;
}
