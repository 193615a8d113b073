/// tenon/cam_joint.h: holds a follower, with a roller or a flat face, on a disk cam.
///
/// The cam is body a. It turns about the x axis of frame a. Its profile is a closed curve around
/// that axis, given by its radii at equal angles from the y axis of frame a toward its z axis, with
/// a cubic spline between them, so that the follower's acceleration does not jump. The follower is
/// body b: a roller about the origin of frame b, as seen along the cam's axis, or the flat face
/// perpendicular to the x axis of frame b through its origin; that x axis points away from the cam.
/// Other joints guide cam and follower.
///
/// C is the gap between the follower and the profile, m: C >= 0, so that the follower lifts off if
/// nothing presses it on, or C = 0 for a desmodromic cam, in whose groove it runs. There is no
/// friction. `base.hertz` makes a desmodromic cam soft and does nothing to another.
#ifndef TENON_CAM_JOINT_H
#define TENON_CAM_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// The limits on the number of radii of a profile.
#define TN_CAM_LEAST_RADII 4
#define TN_CAM_MOST_RADII  4096

typedef enum tn_cam_follower {
    TN_CAM_FOLLOWER_ROLLER = 0,
    TN_CAM_FOLLOWER_FLAT,
} tn_cam_follower;

typedef struct tn_cam_joint_def {
    tn_joint_def base;
    const double *radii;      ///< m, > 0: radii[i] is at the angle 2 pi i / radius_count. Copied; a
                              ///< getter's array is the joint's
    uint32_t radius_count;    ///< 4 to 4096
    tn_cam_follower follower; ///< default ROLLER
    double roller_radius;     ///< m, >= 0; 0 (default): a knife edge. ROLLER
    bool is_desmodromic;      ///< the cam pulls as well as it pushes. Default false
} tn_cam_joint_def;

TN_API tn_cam_joint_def tn_cam_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; INVALID_ARGUMENT also for a curve through
/// the radii that reaches the axis.
TN_API tn_joint_id tn_cam_joint_create(tn_world *world, const tn_cam_joint_def *def);
TN_API tn_cam_joint_def tn_cam_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Change the follower. They wake both bodies. Errors: INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_cam_joint_set_follower(tn_world *world, tn_joint_id joint,
                                           tn_cam_follower follower, double roller_radius);
TN_API tn_result tn_cam_joint_set_desmodromic(tn_world *world, tn_joint_id joint,
                                              bool is_desmodromic);
/// Returns the profile's radius, m, at an angle, rad.
TN_API double tn_cam_joint_get_radius(const tn_world *world, tn_joint_id joint, double angle);
/// Return the follower's lift, m, and its rate, m/s. The lift is the distance of its face, or of
/// its roller's centre less the roller's radius, from the axis, less the smallest of the radii.
TN_API double tn_cam_joint_get_lift(const tn_world *world, tn_joint_id joint);
TN_API double tn_cam_joint_get_lift_rate(const tn_world *world, tn_joint_id joint);
/// Returns C, the gap between follower and profile, m: negative if the follower is in the profile.
TN_API double tn_cam_joint_get_gap(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
