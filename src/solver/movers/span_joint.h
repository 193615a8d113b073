// solver/movers/span_joint.h: a joint of two bodies as a span, for bodies that are given by
// coordinates.
//
// Derivation: solver/movers/span_joint.c.
#ifndef TNI_SOLVER_MOVERS_SPAN_JOINT_H
#define TNI_SOLVER_MOVERS_SPAN_JOINT_H

#include "solver/movers/affine.h"
#include "solver/movers/reduced.h"
#include "solver/movers/span.h"

typedef struct tni_span_end {
    uint32_t body;        // the solver's index
    uint32_t entry;       // where its columns begin among the span's bodies
    bool moves;           // it has columns
    tni_reduced *reduced; // whose body it is, or null
    const tni_reduced_body *seen;
    tni_affine_point point; // takes its place if the body is affine
    // Lengths of the object's columns at the refresh.
    double linear_sizes[TN_REDUCED_MAX_FREEDOMS], angular_sizes[TN_REDUCED_MAX_FREEDOMS];
} tni_span_end;

typedef struct tni_span_joint {
    tni_joint *joint;
    tni_span_end ends[2];
    tni_row rows[TNI_JOINT_MAX_ROWS]; // as the joint gives them, with J
    // y of solver/joints/joint_bounded.c: how the equalities answer an impulse of a bounded row.
    float through[TNI_JOINT_MAX_ROWS][TNI_JOINT_MAX_EQUALITY_ROWS];
    bool has_begun; // the rows' speeds are known
    // N·s and N·m·s over the step, on b about its centre of mass; if b is the world the torque is
    // the opposite of that on a.
    vec3s force, torque;
    double motor_work; // J
} tni_span_joint;

// Makes the rows at the present poses. Returns how much of Jdot v joins the bias, s.
float tni_span_joint_evaluate(const tni_solver *solver, tni_span *span);
// Measures C of the equalities and their biases at the present poses; J stays.
void tni_span_joint_measure(const tni_solver *solver, tni_span *span);
// Returns the part of a bounded row's J W J^T that the equalities take, and notes how they answer
// it.
float tni_span_joint_answer(const tni_span *span, uint32_t row);
// Makes a limit with restitution bounce. Is called once its drive is known.
void tni_span_joint_bounce(const tni_solver *solver, tni_span *span, uint32_t row);
// Applies the equalities' answer to the impulse x on a bounded row.
void tni_span_joint_take_back(const tni_solver *solver, tni_span *span, uint32_t row, float x,
                              bool use_bias);
// Stores, after each substep, the reaction and the work of motors.
void tni_span_joint_store(const tni_solver *solver, tni_span *span);

#endif
