// scenes/hydraulic.h: hydraulic cylinders: a barrel and a rod on a slider, driven to a length.
#ifndef SCENES_HYDRAULIC_H
#define SCENES_HYDRAULIC_H

#include "scenes/build.h"

typedef struct hydraulic {
    tn_body_id barrel, rod;
    tn_joint_id slider; // its translation is 0 at the start
    double command;     // m: what the translation shall be
    double error_max;   // m: how far it has been from that, over all steps
} hydraulic;

// From a point of body a to one of body b, hinged at both about z. Barrel and rod have half of the
// mass each and touch nothing.
typedef struct hydraulic_ends {
    tn_body_id a, b;
    tn_vec3 from, to;
    double mass;      // kg
    const char *name; // of the parts: NAME_barrel, NAME_rod; of the joint: NAME
} hydraulic_ends;
hydraulic hydraulic_add(scene_run *run, const hydraulic_ends *ends);

// Before a step of dt: the translation it shall have at the step's end, m, at that speed, m/s.
void hydraulic_set(hydraulic *cylinder, scene_run *run, double translation, double speed);
// After a step.
void hydraulic_note(hydraulic *cylinder, const scene_run *run);
// m: how far it is from its command now.
double hydraulic_get_error(const hydraulic *cylinder, const scene_run *run);

// From 0 to 1 while x goes from 0 to 1, with a smooth start and end; and the slope.
double hydraulic_ramp(double x);
double hydraulic_ramp_slope(double x);

#endif
