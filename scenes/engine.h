// scenes/engine.h: the parts of piston engines: crankshafts, rods and pistons in their cylinders.
//
// Crank axes lie along z. A cylinder's axis passes through the crank axis, at a right angle to it.
#ifndef SCENES_ENGINE_H
#define SCENES_ENGINE_H

#include "scenes/build.h"

// A rod from a pin on a body to a piston in a cylinder.
typedef struct engine_cylinder {
    tn_body_id carrier; // that carries the pin: a crank, or a master rod
    tn_vec3 pin;        // where the rod's big end is
    tn_vec3 center;     // of the crank axis, in the rod's plane
    double direction;   // rad: of the cylinder's axis, from x toward y
    double rod_length;  // m, between the rod's eyes
    double rod_mass, piston_mass;
    double bore; // m, for the size of the piston
} engine_cylinder;

typedef struct engine_piston {
    tn_body_id rod, piston;
    tn_joint_id big_end, wrist, cylinder;
    tn_vec3 wrist_point;
} engine_piston;

// A crankshaft that turns about z at `center`: a body with the inertia of a disc. Its webs are
// added by engine_add_throw. `out_bearing`: its hinge to the world.
tn_body_id engine_add_crankshaft(scene_run *run, tn_vec3 center, double mass, double radius,
                                 tn_joint_id *out_bearing);
// A web for a crank pin at a radius and an angle; returns where the pin is.
tn_vec3 engine_add_throw(scene_run *run, tn_body_id crankshaft, tn_vec3 center, double radius,
                         double angle);
engine_piston engine_add_cylinder(scene_run *run, const engine_cylinder *cylinder);

// For sketches: the walls of a cylinder with its head, seen from the front or along x; a hinge as a
// pin; and seen along x, one throw of a crankshaft whose throws are `pitch` apart.
void engine_sketch_cylinder(const scene_sketch *sketch, const engine_cylinder *cylinder,
                            double throw_radius, bool is_along_crank);
void engine_sketch_pin(const scene_sketch *sketch, const scene_run *run, tn_joint_id hinge,
                       double radius);
void engine_sketch_throw(const scene_sketch *sketch, tn_vec3 center, tn_vec3 pin, double pitch);

// The speed of a crank, measured as turned angle over time. Right while a step turns it by less
// than half a turn.
typedef struct engine_speed {
    double angle, start_time, turned; // rad, s, rad
    bool is_started;
} engine_speed;
// After every step from the time that counts on.
void engine_speed_add(engine_speed *speed, const scene_run *run, tn_joint_id bearing);
double engine_speed_get(const engine_speed *speed, const scene_run *run);

#endif
