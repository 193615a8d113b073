// solver/methods/method.h: integrators that are there to be compared with the midpoint step.
//
// Each moves a mechanism of equality rows through one substep and stands in a short file of its
// own. They share the rows (joints/exact_row.h) and the matrix (solver/exact/mechanism_system.c)
// with the midpoint step, so that what differs between two runs is the method and nothing else.
#ifndef TNI_SOLVER_METHODS_METHOD_H
#define TNI_SOLVER_METHODS_METHOD_H

#include "solver/exact/mechanism.h"
#include "tenon/world.h"

// One of the methods below, not the midpoint step.
static inline bool tni_method_is_compared(tn_integrator integrator) {
    return integrator != TN_INTEGRATOR_AUTO && integrator != TN_INTEGRATOR_MIDPOINT;
}
// True if the mechanism has nothing that they do not know: contacts, limits, motors, springs,
// friction.
bool tni_method_takes(const tni_mechanism *mechanism, tn_integrator integrator);
// Moves the mechanism by h seconds. False where there is no solution: nothing has moved then, but
// for the projection that may go before.
bool tni_method_step(tni_mechanism *mechanism, tn_integrator integrator,
                     const tn_stabilization *stabilization, double h);

// solver/methods/euler.c
bool tni_euler_step(tni_mechanism *mechanism, double beta, double h);
// solver/methods/rattle.c
bool tni_rattle_step(tni_mechanism *mechanism, double h);
// solver/methods/acceleration.c: `stiffness` (1/s^2) and `damping` (1/s) of the feedback.
bool tni_acceleration_step(tni_mechanism *mechanism, tn_integrator integrator, double stiffness,
                           double damping, double h);
// solver/methods/penalty.c: `omega` of the springs, rad/s.
bool tni_penalty_step(tni_mechanism *mechanism, double omega, double damping_ratio, double h);

// ---- what they share -------------------------------------------------------------------------

// Rows, plain masses and the factor at the bodies' middle poses. False where it is not sound.
bool tni_method_factor(tni_mechanism *mechanism);
// The bodies' middle poses and velocities are those of the start.
void tni_method_start(tni_mechanism *mechanism);
// Acceleration of a body by gravity, applied force and damping, and dL/dt by applied torque and
// damping, both for its middle motion; zero along locked axes.
void tni_method_get_forces(const tni_mechanism_body *body, tni_dvec3 *out_acceleration,
                           tni_dvec3 *out_torque);
// Adds what an impulse and an angular impulse give to the middle velocities, along free axes alone.
void tni_method_push(tni_mechanism_body *body, tni_dvec3 impulse, tni_dvec3 twist);
// The torque w x L of a body that turns freely, at its middle motion; none where axes are locked.
tni_dvec3 tni_method_get_gyroscopic(const tni_mechanism_body *body);
// Adds J^T x of the impulses x in the joints, `share` of them, to what the joints did in the step.
void tni_method_note(tni_mechanism *mechanism, double share);

#endif
