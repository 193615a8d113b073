/// tenon/cam_joint.h: a disk cam and its follower, which has a roller or a flat face.
///
/// The cam is body a. It turns about the x axis of frame a; its profile is a closed curve around
/// that axis, given by its radii at equal angles from the y axis of frame a toward its z axis. The
/// curve between them is a cubic spline, so that a follower's acceleration has no jumps. The
/// follower is body b: a roller about the origin of frame b, which is seen along the cam's axis, or
/// the flat face across the x axis of frame b through its origin; x points away from the cam. What
/// guides cam and follower are joints of their own.
///
/// C is the gap between the follower and the profile, m: C >= 0, so that the follower lifts off
/// where nothing presses it on; or C = 0 of a desmodromic cam, in whose groove it runs. There is no
/// friction. `base.hertz` makes a desmodromic cam soft, and changes nothing of another.
#ifndef TENON_CAM_JOINT_H
#define TENON_CAM_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// The least and the most radii of a profile.
#define TN_CAM_LEAST_RADII 4
#define TN_CAM_MOST_RADII  4096

typedef enum tn_cam_follower {
    TN_CAM_FOLLOWER_ROLLER = 0,
    TN_CAM_FOLLOWER_FLAT,
} tn_cam_follower;

typedef struct tn_cam_joint_def {
    tn_joint_def base;
    const double *radii;   ///< m, > 0, of the profile: radii[i] at the angle 2 pi i / radius_count.
                           ///< Copied; what a getter gives belongs to the joint and lives with it
    uint32_t radius_count; ///< 4 to 4096
    tn_cam_follower follower; ///< default ROLLER
    double roller_radius;     ///< m, >= 0; 0 (default): a knife's edge. ROLLER
    bool is_desmodromic;      ///< the cam pulls as well as it pushes. Default false
} tn_cam_joint_def;

TN_API tn_cam_joint_def tn_cam_joint_def_default(void);
/// Errors: as tn_distance_joint_create; INVALID_ARGUMENT also where the curve through the radii
/// comes to the axis.
TN_API tn_joint_id tn_cam_joint_create(tn_world *world, const tn_cam_joint_def *def);
TN_API tn_cam_joint_def tn_cam_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Another follower from now on. Errors: INVALID_ARGUMENT, NOT_FINITE (call ignored). Wakes both
/// bodies.
TN_API tn_result tn_cam_joint_set_follower(tn_world *world, tn_joint_id joint,
                                           tn_cam_follower follower, double roller_radius);
TN_API tn_result tn_cam_joint_set_desmodromic(tn_world *world, tn_joint_id joint,
                                              bool is_desmodromic);
/// The profile's radius at an angle, rad, m.
TN_API double tn_cam_joint_get_radius(const tn_world *world, tn_joint_id joint, double angle);
/// How far the follower is up, m: its contact's distance from the axis (the roller's centre less
/// the roller, or the face) less the least of the radii; and how fast that grows, m/s.
TN_API double tn_cam_joint_get_lift(const tn_world *world, tn_joint_id joint);
TN_API double tn_cam_joint_get_lift_rate(const tn_world *world, tn_joint_id joint);
/// C, m: how far the follower is off the profile; below 0 it is in it.
TN_API double tn_cam_joint_get_gap(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
