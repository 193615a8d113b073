// joints/motion_path.h: the path of a motion path joint: where it is at a time.
#ifndef TNI_JOINTS_MOTION_PATH_H
#define TNI_JOINTS_MOTION_PATH_H

#include "core/alloc.h"
#include "joints/parts/spline.h"
#include "tenon/motion_path_joint.h"

// In one piece of memory, with all that it points to.
typedef struct tni_motion_path {
    tn_motion_path_joint_def def; // its times and points are the copies below
    tni_spline spline; // by time from the first one; without knots where there is a callback
    double *times;
    tn_vec3 *points;
    size_t size; // bytes of all
} tni_motion_path;

// A copy of a sound definition; null where there is no memory.
tni_motion_path *tni_motion_path_make(tni_allocator *allocator,
                                      const tn_motion_path_joint_def *def);
void tni_motion_path_forget(tni_allocator *allocator, tni_motion_path *path);

// In the axes of frame a, by the time of the path.
typedef struct tni_path_place {
    tni_dvec3 position, velocity, acceleration;
    tni_dquat rotation;
    tni_dvec3 angular_velocity, angular_acceleration;
    bool is_finite;
} tni_path_place;

tni_path_place tni_motion_path_get_place(const tni_motion_path *path, double time);

#endif
