// solver/methods/penalty.c: no constraints at all: every row a stiff spring and damper.
//
//     f = J^T x,   x = -k C - c J v,   k = m omega^2,   c = 2 m zeta omega,   1/m = J W J^T
// with m the row's own effective mass, so that one frequency fits all joints; then semi-implicit
// Euler. Nothing has to be solved. A joint under the force F gives way by F / k, and stiffer
// springs need smaller steps: from omega h = 2 on (less where rows share a body) the springs add
// energy. That is why joints are solved for, and why this method is here. Source: A. Witkin,
// "Constrained dynamics", SIGGRAPH course notes, 1997 (why not a spring); D. Terzopoulos et al.,
// "Elastically deformable models", SIGGRAPH 1987. Test: tests/solver/methods/test_method.c
#include "solver/methods/method.h"
#include "solver/solver.h"

static void penalty_pull(tni_mechanism_body *body, const double *jacobian, double x) {
    body->linear =
        dvec3_add_scaled(body->linear, x, dvec3_make(jacobian[0], jacobian[1], jacobian[2]));
    body->angular =
        dvec3_add_scaled(body->angular, x, dvec3_make(jacobian[3], jacobian[4], jacobian[5]));
}

static void penalty_apply_joint(tni_mechanism *mechanism, tni_mechanism_joint *joint, double omega,
                                double damping_ratio, double h) {
    tni_mechanism_body *a = &mechanism->bodies[joint->a], *b = &mechanism->bodies[joint->b];
    const double *scales = mechanism->matrix.scales + joint->first_unknown;
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        const tni_exact_row *row = &joint->rows[r];
        double mass = maths_inverse_or_zero_d(scales[r]);
        double speed = tni_exact_row_speed(row, &a->middle, &b->middle);
        double force = -mass * omega * (omega * row->error + 2.0 * damping_ratio * speed);
        joint->impulse[r] = 0.5 * h * force; // kept for half a substep
        penalty_pull(a, row->jacobian, h * force);
        penalty_pull(b, row->jacobian + 6, h * force);
    }
}

// Applies the pulls of all joints, and the applied forces.
static void penalty_push(tni_mechanism_body *body, double h) {
    tni_dvec3 acceleration, torque;
    tni_method_get_forces(body, &acceleration, &torque);
    torque = dvec3_sub(torque, tni_method_get_gyroscopic(body));
    tni_method_push(body, dvec3_add_scaled(body->linear, h * body->mass, acceleration),
                    dvec3_add_scaled(body->angular, h, torque));
}

bool tni_penalty_step(tni_mechanism *mechanism, double omega, double damping_ratio, double h) {
    tni_method_start(mechanism);
    tni_mechanism_emit(mechanism);
    tni_mechanism_scale(mechanism);
    mechanism->matrix.has_scales = true;
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].linear = mechanism->bodies[i].angular = dvec3_make(0.0, 0.0, 0.0);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        penalty_apply_joint(mechanism, &mechanism->joints[i], omega, damping_ratio, h);
    }
    tni_method_note(mechanism, 2.0);
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        if (i < mechanism->moving_count) {
            penalty_push(body, h);
        }
        body->motion = body->middle;
        body->motion.position = dvec3_add_scaled(body->motion.position, h, body->motion.velocity);
        tni_rotate_at_constant_velocity(&body->motion, h);
    }
    return true;
}
