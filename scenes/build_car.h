// scenes/build_car.h: a small car: a chassis on four wheel joints.
//
// Springs carry the chassis, the front wheels are steered by drives to an angle, the rear ones
// driven to a speed with a torque at most. The wheels are balls: prisms of many sides would lose a
// good part of the drive on their edges.
#ifndef SCENES_BUILD_CAR_H
#define SCENES_BUILD_CAR_H

#include "scenes/build.h"

#define BUILD_CAR_BASE  2.0 // m between the axles
#define BUILD_CAR_TRACK 1.3 // m between the wheels of an axle

typedef struct build_car {
    tn_body_id chassis;
    tn_joint_id wheels[4]; // front left, front right, rear left, rear right
} build_car;

// On the ground, its middle at x and z, facing x: m/s of the rear wheels, rad of the front ones to
// the left.
build_car build_add_car(scene_run *run, double x, double z, double speed, double steer);

#endif
