// scenes/build_car.h: a small car: a chassis on four wheel joints.
//
// Springs carry the chassis, the front wheels are steered by drives to an angle, the rear ones
// driven to a speed with a torque at most. The wheels are balls or true cylinders: prisms of many
// sides would lose a good part of the drive on their edges.
#ifndef SCENES_BUILD_CAR_H
#define SCENES_BUILD_CAR_H

#include "scenes/build.h"

#define BUILD_CAR_BASE   2.0  // m between the axles
#define BUILD_CAR_TRACK  1.3  // m between the wheels of an axle
#define BUILD_CAR_RADIUS 0.32 // m of a wheel
#define BUILD_CAR_RISE   0.2  // m: of the chassis over the axles
#define BUILD_CAR_TURN   0.7  // rad: the most that a front wheel turns

// A car whose middle is at x and z, that stands on ground of height 0 and faces x.
typedef struct build_car_def {
    double x, z;
    double speed; // m/s to which the rear wheels are driven
    double steer; // rad of the front wheels, to the left
    double start; // m/s at which it rolls when the run begins
    bool has_cylinders;
} build_car_def;

typedef struct build_car {
    tn_body_id chassis;
    tn_joint_id wheels[4]; // front left, front right, rear left, rear right
} build_car;

// The chassis alone, named so: its middle is BUILD_CAR_RISE over the wheels' axles.
tn_body_id build_add_chassis(scene_run *run, const build_car_def *def);
build_car build_add_car(scene_run *run, const build_car_def *def);
// Drives the rear wheels with a torque each, N·m: forward, or back if it is negative.
void build_drive_car(scene_run *run, const build_car *car, double torque);
void build_steer_car(scene_run *run, const build_car *car, double angle);

#endif
