// solver/exact/mechanism_work.c: whose work changed the kinetic energy of a mechanism.
//
// A stage, its projection and what contacts do at once each change velocities by impulses; each
// impulse times the mean speed of its row over that change is its work (solver/exact/midpoint.c,
// solver/exact/mechanism_project.c, solver/touches/touch.c). Gravity, applied forces and contacts
// that push on through the stage are forces: they do their work along the way of the body. The
// remainder of the change is the joints': the energy that closing them takes, and impacts at
// limits. Test: tests/world/mechanisms/test_mechanism_ledger.c
#include "solver/exact/mechanism_span.h"
#include "solver/solver.h"

double tni_mechanism_get_energy(const tni_mechanism *mechanism) {
    double energy = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        tni_dvec3 v = body->motion.velocity;
        energy += 0.5 * body->mass * dvec3_dot(v, v) +
                  inertia_get_energy(&body->inertia, body->motion.rotation,
                                     body->motion.angular_velocity);
    }
    return energy;
}

// A body has moved and turned by this.
typedef struct work_way {
    tni_dvec3 way, turn;
} work_way;

static work_way work_get_way(const tni_body_motion *before, const tni_body_motion *now) {
    tni_dquat q = dquat_mul(now->rotation, dquat_conjugate(before->rotation));
    double square = q.x * q.x + q.y * q.y + q.z * q.z;
    // The factor is 2 asin(s) / s, for angles far under one.
    double factor = (q.w < 0.0 ? -2.0 : 2.0) * (1.0 + square * (1.0 / 6.0 + square * 0.075));
    work_way moved = {dvec3_sub(now->position, before->position),
                      dvec3_scale(dvec3_make(q.x, q.y, q.z), factor)};
    return moved;
}

// Returns the work of an acceleration and a torque.
static double work_get(const tni_mechanism_body *body, work_way moved, tni_dvec3 acceleration,
                       tni_dvec3 torque) {
    return body->mass * dvec3_dot(acceleration, moved.way) + dvec3_dot(torque, moved.turn);
}

// Measures the work of gravity, of applied forces and of the pushes of contacts since the solver's
// motions, and that of damping at the mean velocity.
static double work_measure_bodies(tni_solver *solver, const tni_mechanism *mechanism) {
    double gravity = 0.0, force = 0.0, fed = 0.0, friction = 0.0, damping = 0.0;
    double inv_h = maths_inverse_or_zero_d(solver->dh);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        const tni_body_mass *mass = &solver->bodies.masses[body->solver_body];
        work_way moved = work_get_way(&solver->bodies.motions[body->solver_body], &body->motion);
        gravity +=
            body->mass * dvec3_dot(tni_body_get_gravity(solver, body->solver_body), moved.way);
        force +=
            work_get(body, moved, tni_body_get_applied(solver, body->solver_body), mass->torque);
        fed += work_get(body, moved, body->fed.linear, body->fed.angular);
        friction += work_get(body, moved, body->fed_friction.linear, body->fed_friction.angular);
        tni_dmat3 inertia = inertia_in_world(&body->inertia, body->motion.rotation);
        damping -= inv_h * (body->linear_damping * body->mass * dvec3_dot(moved.way, moved.way) +
                            body->angular_damping *
                                dvec3_dot(moved.turn, dmat3_mul_vec(&inertia, moved.turn)));
    }
    solver->ledger.work.gravity += gravity;
    solver->ledger.work.force += force;
    solver->ledger.work.impact += fed - friction;
    solver->ledger.work.friction += friction;
    solver->ledger.work.damping += damping;
    return gravity + force + fed + damping;
}

static double *work_of_role(tni_solver_work *work, uint8_t role) {
    switch (role) {
    case TNI_ROLE_MOTOR:
        return &work->motor;
    case TNI_ROLE_SPRING:
        return &work->spring;
    case TNI_ROLE_FRICTION:
        return &work->friction;
    default:
        return &work->joint;
    }
}

// Measures the work of the actors since the last call, for the ledger and the motors' own account.
static double work_measure_actors(tni_solver *solver, tni_mechanism *mechanism) {
    double sum = 0.0;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            double work = joint->actors[r].sums.work;
            joint->actors[r].sums.work = 0.0;
            *work_of_role(&solver->ledger.work, joint->actors[r].role) += work;
            solver->joints.motor_work[joint->block] +=
                joint->actors[r].role == TNI_ROLE_MOTOR ? work : 0.0;
            sum += work;
        }
    }
    return sum;
}

// Measures the work of kinematic bodies through joints, which is no joint's work; see
// solver/step/work.c. Their velocities stand through a step.
void tni_mechanism_measure_leads(tni_solver *solver, const tni_mechanism *mechanism) {
    double work = 0.0;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        const tni_mechanism_sums *sums = &joint->sums;
        if (joint->a >= mechanism->moving_count) {
            const tni_body_motion *a = &mechanism->bodies[joint->a].motion;
            work += dvec3_dot(sums->force, a->velocity) -
                    dvec3_dot(sums->torque_a, a->angular_velocity);
        }
        if (joint->b >= mechanism->moving_count) {
            const tni_body_motion *b = &mechanism->bodies[joint->b].motion;
            work -= dvec3_dot(sums->force, b->velocity) +
                    dvec3_dot(sums->torque_b, b->angular_velocity);
        }
    }
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        work -= mechanism->spans.rows[r].lead;
    }
    solver->ledger.work.force += work;
    solver->ledger.work.joint -= work;
}

// Measures the work of winches of ropes, which is no joint's either.
void tni_mechanism_measure_winches(tni_solver *solver, const tni_mechanism *mechanism) {
    double work = 0.0;
    for (uint32_t s = 0; s < mechanism->spans.count && !mechanism->traits.is_coupled; ++s) {
        const tni_span_rope *rope = mechanism->spans.spans[s].span->rope;
        work += rope != NULL ? rope->motor_work : 0.0;
    }
    solver->ledger.work.motor += work;
    solver->ledger.work.joint -= work;
}

void tni_mechanism_start_measure(const tni_solver *solver, tni_mechanism *mechanism) {
    mechanism->touch.energy =
        solver->ledger.measures_work ? tni_mechanism_get_energy(mechanism) : 0.0;
    mechanism->touch.work = 0.0;
}

void tni_mechanism_measure_stage(tni_solver *solver, tni_mechanism *mechanism) {
    double work = work_measure_actors(solver, mechanism);
    if (solver->ledger.measures_work) {
        work += work_measure_bodies(solver, mechanism);
        solver->ledger.work.joint +=
            tni_mechanism_get_energy(mechanism) - mechanism->touch.energy - work;
    }
}

void tni_mechanism_measure_rest(tni_solver *solver, tni_mechanism *mechanism) {
    double work = work_measure_actors(solver, mechanism) + mechanism->touch.work;
    if (solver->ledger.measures_work) {
        solver->ledger.work.joint +=
            tni_mechanism_get_energy(mechanism) - mechanism->touch.energy - work;
    }
}
