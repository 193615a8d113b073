// scenes/sketch.h: lines, circles and boxes of the sketches in scene_picture.
#ifndef SCENES_SKETCH_H
#define SCENES_SKETCH_H

#include "scenes/scene.h"

void sketch_line(const scene_sketch *sketch, scene_pen pen, tn_vec3 from, tn_vec3 to);
// About z.
void sketch_circle(const scene_sketch *sketch, scene_pen pen, tn_vec3 center, double radius);
// Corners `along` and `across` from the middle, to either side.
void sketch_plate(const scene_sketch *sketch, scene_pen pen, tn_vec3 middle, tn_vec3 along,
                  tn_vec3 across);
// A line through centers of bodies; `is_closed`: and back to the first.
void sketch_thread(const scene_sketch *sketch, scene_pen pen, const tn_world *world,
                   const tn_body_id *bodies, uint32_t count, bool is_closed);

#endif
