// scenes/engine_load.h: what an engine whose crank turns evenly does by its geometry: strokes,
// torque and the forces at its pins, to hold beside what a run measures.
#ifndef SCENES_ENGINE_LOAD_H
#define SCENES_ENGINE_LOAD_H

#include "scenes/scene.h"

#define ENGINE_MAX_CYLINDERS 9

typedef struct engine_point {
    double x, y;
} engine_point;

// A cylinder as it is read from a world. Points are those of crank angle 0, from the crank axis.
typedef struct engine_unit {
    tn_joint_id big_end, wrist, cylinder;
    bool is_on_crank;    // else its big end is on the first cylinder's rod, the master
    engine_point pin;    // the big end
    engine_point axis;   // unit vector along the cylinder
    double rod_length;   // m
    engine_point middle; // of the rod's mass: shares of the way from pin to wrist, and across it
    double rod_mass, rod_inertia, piston_mass;
} engine_unit;

typedef struct engine_model {
    engine_unit units[ENGINE_MAX_CYLINDERS];
    uint32_t count;
    double crank_mass, gravity; // kg, m/s^2 along -y
} engine_model;

// What the engine does at one angle. Forces are N: of the crank or master rod on a rod, of a rod on
// its piston, of the wall on the piston (to the left of the cylinder's axis), of the bearing on the
// crank; they are known where all rods are on the crank.
typedef struct engine_load {
    double torque; // N·m of the motor
    double reach[ENGINE_MAX_CYLINDERS];
    bool has_forces;
    engine_point pin[ENGINE_MAX_CYLINDERS], wrist[ENGINE_MAX_CYLINDERS], bearing;
    double wall[ENGINE_MAX_CYLINDERS];
} engine_load;

// Reads the cylinders of a run whose crank is at angle 0. The names are those of the crank and of
// the first piston; the others are "piston2", "piston3" and so on. False when there is none, or a
// piston is not at a rod and in a cylinder.
bool engine_model_read(engine_model *model, const scene_run *run, const char *crank_name,
                       const char *piston_name);
// rad, rad/s.
engine_load engine_model_get_load(const engine_model *model, double angle, double speed);

#endif
