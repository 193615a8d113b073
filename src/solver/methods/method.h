// solver/methods/method.h: integrators for comparison with the midpoint step.
//
// Each moves a mechanism of equality rows through one substep and stands in a short file of its
// own. They share the rows (joints/exact_row.h) and the matrix (solver/exact/mechanism_system.c)
// with the midpoint step, so that two runs differ by the method and by nothing else.
#ifndef TNI_SOLVER_METHODS_METHOD_H
#define TNI_SOLVER_METHODS_METHOD_H

#include "solver/exact/mechanism.h"
#include "tenon/world.h"

// Returns whether the integrator is one of the methods below, not the midpoint step.
static inline bool tni_method_is_compared(tn_integrator integrator) {
    return integrator != TN_INTEGRATOR_AUTO && integrator != TN_INTEGRATOR_MIDPOINT;
}
// Returns true if the mechanism has nothing that these methods do not know: contacts, limits,
// motors, springs, friction.
bool tni_method_takes(const tni_mechanism *mechanism, tn_integrator integrator);
// Moves the mechanism by h seconds. Returns false where there is no solution: nothing has moved
// then, except by the projection that may go before.
bool tni_method_step(tni_mechanism *mechanism, tn_integrator integrator,
                     const tn_stabilization *stabilization, double h);

// solver/methods/euler.c
bool tni_euler_step(tni_mechanism *mechanism, double beta, double h);
// solver/methods/rattle.c
bool tni_rattle_step(tni_mechanism *mechanism, double h);
// solver/methods/acceleration.c: the feedback has this `stiffness` (1/s^2) and `damping` (1/s).
bool tni_acceleration_step(tni_mechanism *mechanism, tn_integrator integrator, double stiffness,
                           double damping, double h);
// solver/methods/penalty.c: the springs have this `omega`, rad/s.
bool tni_penalty_step(tni_mechanism *mechanism, double omega, double damping_ratio, double h);

// ---- what they share -------------------------------------------------------------------------

// Makes rows, plain masses and the factor at the bodies' middle poses. Returns false where it is
// not sound.
bool tni_method_factor(tni_mechanism *mechanism);
// Sets the bodies' middle poses and velocities to those of the start.
void tni_method_start(tni_mechanism *mechanism);
// Finds the acceleration of a body by gravity, applied force and damping, and dL/dt by applied
// torque and damping, both for its middle motion; they are zero along locked axes.
void tni_method_get_forces(const tni_mechanism_body *body, tni_dvec3 *out_acceleration,
                           tni_dvec3 *out_torque);
// Adds the changes by an impulse and an angular impulse to the middle velocities, along free axes
// alone.
void tni_method_push(tni_mechanism_body *body, tni_dvec3 impulse, tni_dvec3 twist);
// Returns the torque w x L of a body that turns freely, at its middle motion; it is zero where axes
// are locked.
tni_dvec3 tni_method_get_gyroscopic(const tni_mechanism_body *body);
// Adds J^T x of the impulses x in the joints, `share` of them, to the sums of the joints over the
// step.
void tni_method_note(tni_mechanism *mechanism, double share);

#endif
