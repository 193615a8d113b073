// tools/tenon/reduced.h: a subject in reduced coordinates: as many numbers as it has freedoms.
//
// Of some plane mechanisms the equations of motion can be written down in closed form. They are the
// reference that other methods are measured against, and a method of their own.
#ifndef TOOLS_TENON_REDUCED_H
#define TOOLS_TENON_REDUCED_H

#include "tools/tenon/subject.h"

#define REDUCED_MAX_COORDINATES 2
#define REDUCED_MAX_BODIES      3

// A vector in the plane.
typedef struct reduced_vector {
    double x, y;
} reduced_vector;

// A body's centre of mass lies at base + R(angle 0) arm[0] + R(angle 1) arm[1].
typedef struct reduced_body {
    tn_body_id id;
    double mass, inertia;
    reduced_vector base, arm[2];
    double z;
    int turn; // which of the angles it turns with, or -1
} reduced_body;

typedef struct reduced_model {
    uint32_t coordinate_count, body_count;
    reduced_body bodies[REDUCED_MAX_BODIES];
    reduced_vector gravity;
    // Of a slider-crank angle 1 follows from angle 0: the rod's end stays on a line.
    bool is_slider_crank;
    reduced_vector across;   // the line's normal
    reduced_vector pin, rod; // from the pivot to the crank pin and on, at the start
    double height;           // of the line above the pivot, along the normal
    bool is_folded;          // the rod points against the line's direction
    double q[REDUCED_MAX_COORDINATES], u[REDUCED_MAX_COORDINATES]; // angles from the start; rad/s
} reduced_model;

// False when the subject is none of: a rod on a hinge, a particle on a rod, two rods on hinges, a
// slider-crank; all in the x-y plane, with nothing but rigid joints.
bool reduced_init(reduced_model *model, const run_subject *subject);
// One Runge-Kutta step of fourth order.
void reduced_step(reduced_model *model, double h);
tn_vec3 reduced_get_center(const reduced_model *model, uint32_t body);
double reduced_get_kinetic_energy(const reduced_model *model);
double reduced_get_energy(const reduced_model *model);

#endif
