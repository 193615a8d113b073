// scenes/build_wheel.h: wheels with teeth, and the joints that couple them.
#ifndef SCENES_BUILD_WHEEL_H
#define SCENES_BUILD_WHEEL_H

#include "scenes/build.h"

// Teeth stand about z, the first at the angle 0; the module is the pitch diameter for each tooth,
// m. Wheels touch nothing: what couples them are joints.
typedef struct build_teeth {
    int count;
    double module, thickness; // m
} build_teeth;

static inline double build_pitch_radius(const build_teeth *teeth) {
    return 0.5 * teeth->count * teeth->module;
}

tn_body_id build_wheel(scene_run *run, const build_part *part, const build_teeth *teeth);
// Teeth that point inward, and a rim around them.
tn_body_id build_ring(scene_run *run, const build_part *part, const build_teeth *teeth);
// A bar along x with teeth on its upper side, the first at the bar's middle, its pitch line at y =
// 0.
tn_body_id build_rack(scene_run *run, const build_part *part, const build_teeth *teeth);

// Between two wheels about z that stand where they mesh; of a ring the count is negative.
tn_joint_id build_gear(scene_run *run, tn_body_id a, tn_body_id b, int teeth_a, int teeth_b);

#endif
