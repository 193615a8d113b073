// joints/paths/motion_path.h: the path of a motion path joint: its place at a time.
#ifndef TNI_JOINTS_PATHS_MOTION_PATH_H
#define TNI_JOINTS_PATHS_MOTION_PATH_H

#include "core/memory/alloc.h"
#include "joints/paths/spline.h"
#include "tenon/motion_path_joint.h"

// A path, in one block of memory with everything that it points to.
typedef struct tni_motion_path {
    tn_motion_path_joint_def def; // its times and points are the copies below
    tni_spline spline; // over time from the first one; without knots if there is a callback
    double *times;
    tn_vec3 *points;
    size_t size; // bytes of the block
} tni_motion_path;

// Copies a sound definition; null without memory.
tni_motion_path *tni_motion_path_make(tni_allocator *allocator,
                                      const tn_motion_path_joint_def *def);
void tni_motion_path_forget(tni_allocator *allocator, tni_motion_path *path);

// The place at a time of the path, in the axes of frame a.
typedef struct tni_path_place {
    tni_dvec3 position, velocity, acceleration;
    tni_dquat rotation;
    tni_dvec3 angular_velocity, angular_acceleration;
    bool is_finite;
} tni_path_place;

tni_path_place tni_motion_path_get_place(const tni_motion_path *path, double time);

#endif
