// scenes/build_road.h: a road of triangles along x with two hills, a bank and a ramp, and a driver
// who follows the winding line on it.
#ifndef SCENES_BUILD_ROAD_H
#define SCENES_BUILD_ROAD_H

#include "scenes/build.h"

#define BUILD_ROAD_ENOUGH 82.0 // m: all bends of the road are before this place

// `height` scales hills, bank and ramp, and `cell` is the edge of the road's squares, m.
tn_body_id build_add_road(scene_run *run, double height, double cell);
// The z of the line at a place, m.
double build_get_road_line(double x);
// Returns the angle, rad to the left, at which the driver of a chassis with the axles of
// build_car.h steers.
double build_steer_along_road(const scene_run *run, tn_body_id chassis);

#endif
