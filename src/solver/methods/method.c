// solver/methods/method.c: chooses the method that moves a mechanism, and projects it.
//
// Stabilization by projection is the same for all: Newton's method on C(q) = 0 in the metric of the
// masses, then J v = 0 (solver/exact/mechanism_project.c). Done before a substep it leaves the
// errors that the substep makes, done after it only round-off. Source: A. Witkin, "Constrained
// dynamics", SIGGRAPH course notes, 1997; U. Ascher, H. Chin, L. Petzold, S. Reich, "Stabilization
// of constrained mechanical systems with DAEs and invariant manifolds", Mech. Struct. Mach. 23,
// 1995 (before and after). Test: tests/solver/methods/test_method.c,
// tests/solver/methods/test_method_world.c
#include "solver/methods/method.h"

// Newton's method for the poses takes at most this many steps, until no row is farther off, m or
// rad.
#define METHOD_MAX_PROJECTIONS 4
#define METHOD_CLOSED          1e-12
// The penalty method's springs have this frequency where none is given, as a share of the substep
// rate.
#define METHOD_PENALTY_SHARE 0.1

bool tni_method_takes(const tni_mechanism *mechanism, tn_integrator integrator) {
    if (!tni_method_is_compared(integrator) || mechanism->touch.count > 0 ||
        mechanism->spans.count > 0) {
        return false;
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        if (mechanism->joints[i].all_count > mechanism->joints[i].equality_count ||
            tni_joint_has_rates(mechanism->joints[i].joint)) {
            return false;
        }
    }
    return true;
}

// ---- what the methods share --------------------------------------------------------------------

void tni_method_start(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].middle = mechanism->bodies[i].motion;
    }
}

bool tni_method_factor(tni_mechanism *mechanism) {
    tni_mechanism_emit(mechanism);
    tni_mechanism_scale(mechanism);
    mechanism->matrix.has_scales = true;
    tni_mechanism_soften(mechanism, 0.0);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->block.mass = body->mass;
        body->block.inertia = inertia_in_world(&body->inertia, body->middle.rotation);
        body->block.has_curvature = false;
    }
    return tni_mechanism_factor(mechanism);
}

// Clears components along locked axes.
static void method_lock(const tni_mechanism_body *body, tni_dvec3 *linear, tni_dvec3 *angular) {
    double *parts[6] = {&linear->x, &linear->y, &linear->z, &angular->x, &angular->y, &angular->z};
    for (uint32_t k = 0; k < 6 && body->locks != 0; ++k) {
        *parts[k] = tni_mechanism_is_locked(body, k) ? 0.0 : *parts[k];
    }
}

void tni_method_get_forces(const tni_mechanism_body *body, tni_dvec3 *out_acceleration,
                           tni_dvec3 *out_torque) {
    const tni_body_motion *motion = &body->middle;
    tni_dmat3 inertia = inertia_in_world(&body->inertia, motion->rotation);
    tni_dvec3 spin = dmat3_mul_vec(&inertia, motion->angular_velocity);
    *out_acceleration =
        dvec3_add_scaled(body->acceleration, -body->linear_damping, motion->velocity);
    *out_torque = dvec3_add_scaled(body->torque, -body->angular_damping, spin);
    method_lock(body, out_acceleration, out_torque);
}

tni_dvec3 tni_method_get_gyroscopic(const tni_mechanism_body *body) {
    if (body->locks >= TN_BODY_LOCK_ANGULAR_X) {
        return dvec3_make(0.0, 0.0, 0.0);
    }
    tni_dmat3 inertia = inertia_in_world(&body->inertia, body->middle.rotation);
    tni_dvec3 w = body->middle.angular_velocity;
    return dvec3_cross(w, dmat3_mul_vec(&inertia, w));
}

void tni_method_push(tni_mechanism_body *body, tni_dvec3 impulse, tni_dvec3 twist) {
    tni_body_motion *motion = &body->middle;
    tni_dmat3 inertia, inverse;
    method_lock(body, &impulse, &twist);
    motion->velocity = dvec3_add_scaled(motion->velocity, body->inv_mass, impulse);
    bool is_sound = true;
    if (body->locks < TN_BODY_LOCK_ANGULAR_X) {
        inverse = inertia_inverse_in_world(&body->inertia, motion->rotation);
    } else {
        inertia = inertia_in_world(&body->inertia, motion->rotation);
        for (uint32_t i = 0; i < 3; ++i) {
            for (uint32_t j = 0; j < 3 && tni_mechanism_is_locked(body, 3 + i); ++j) {
                inertia.m[i][j] = inertia.m[j][i] = i == j ? 1.0 : 0.0;
            }
        }
        is_sound = tni_maths_invert_spd(&inertia, &inverse);
    }
    if (is_sound) {
        motion->angular_velocity =
            dvec3_add(motion->angular_velocity, dmat3_mul_vec(&inverse, twist));
    }
}

void tni_method_note(tni_mechanism *mechanism, double share) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = 0; r < joint->row_count; ++r) {
            tni_mechanism_note_row(joint, r, &joint->rows[r], share * joint->impulse[r]);
        }
    }
}

// ---- stabilization -----------------------------------------------------------------------------

// Projects a mechanism. If the poses are farther off than the projection reaches they stay as they
// are.
static void method_project(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < METHOD_MAX_PROJECTIONS; ++i) {
        if (!tni_mechanism_project_begin(mechanism, 0.0)) {
            return;
        }
        if (tni_mechanism_get_worst_error(mechanism) < METHOD_CLOSED) {
            break;
        }
        tni_mechanism_project_poses(mechanism);
        tni_mechanism_project_move(mechanism);
    }
    tni_mechanism_project_velocities(mechanism);
}

static tn_stabilization_mode method_get_mode(tn_integrator integrator,
                                             const tn_stabilization *stabilization) {
    if (integrator == TN_INTEGRATOR_RATTLE || integrator == TN_INTEGRATOR_PENALTY) {
        return TN_STABILIZATION_MODE_NONE;
    }
    if (stabilization->mode != TN_STABILIZATION_MODE_AUTO) {
        return stabilization->mode;
    }
    return integrator == TN_INTEGRATOR_RK4 ? TN_STABILIZATION_MODE_PROJECT_AFTER
                                           : TN_STABILIZATION_MODE_FEEDBACK;
}

// ---- the methods -------------------------------------------------------------------------------

static bool method_move(tni_mechanism *mechanism, tn_integrator integrator,
                        const tn_stabilization *stabilization, bool has_feedback, double h) {
    double hertz = stabilization->penalty_hertz;
    hertz = hertz > 0.0 ? hertz : METHOD_PENALTY_SHARE / h;
    switch (integrator) {
    case TN_INTEGRATOR_RATTLE:
        return tni_rattle_step(mechanism, h);
    case TN_INTEGRATOR_EULER:
        return tni_euler_step(mechanism, has_feedback ? stabilization->beta : 0.0, h);
    case TN_INTEGRATOR_PENALTY:
        return tni_penalty_step(mechanism, 2.0 * MATHS_PI * hertz,
                                stabilization->penalty_damping_ratio, h);
    default:
        return tni_acceleration_step(mechanism, integrator,
                                     has_feedback ? stabilization->stiffness : 0.0,
                                     has_feedback ? stabilization->damping : 0.0, h);
    }
}

bool tni_method_step(tni_mechanism *mechanism, tn_integrator integrator,
                     const tn_stabilization *stabilization, double h) {
    tn_stabilization_mode mode = method_get_mode(integrator, stabilization);
    if (mode == TN_STABILIZATION_MODE_PROJECT_BEFORE) {
        method_project(mechanism);
    }
    mechanism->report.stages += 1;
    bool has_feedback = mode == TN_STABILIZATION_MODE_FEEDBACK;
    if (!method_move(mechanism, integrator, stabilization, has_feedback, h)) {
        return false;
    }
    tni_mechanism_expect(mechanism, h);
    tni_mechanism_remember(mechanism);
    if (mode == TN_STABILIZATION_MODE_PROJECT_AFTER) {
        method_project(mechanism);
    }
    return true;
}
