// world/joint_keep.c: definitions into a joint's record and out of it.
//
// The record has room for all but the largest: the axes of a six-axis joint, what is a custom
// joint's own, the profile of a cam, a curve and a path lie in memory of their own, which the
// record owns. A cam's profile stays what it was made with. Test:
// tests/joints/test_joint_setters.c, tests/joints/test_joint_misuse.c
#include <string.h>

#include "joints/curve.h"
#include "joints/motion_path.h"
#include "joints/parts/profile.h"
#include "world/joint_internal.h"

static bool keep_six_axis(tn_world *world, const tn_six_axis_joint_def *def, tni_joint *joint) {
    tni_six_axes *apart = joint->def.six_axis.apart;
    apart = apart != NULL ? apart : tni_alloc(&world->allocator, sizeof *apart);
    if (apart == NULL) {
        return false;
    }
    joint->def.six_axis.base = def->base;
    joint->def.six_axis.apart = apart;
    apart->locks = def->locks;
    memcpy(apart->axes, def->axes, sizeof apart->axes);
    apart->linear_limit = def->linear_limit;
    apart->angular_limit = def->angular_limit;
    return true;
}

static bool keep_custom(tn_world *world, const tn_custom_joint_def *def, tni_joint *joint) {
    tni_custom *apart = joint->def.custom.apart;
    apart = apart != NULL ? apart : tni_alloc(&world->allocator, sizeof *apart);
    if (apart == NULL) {
        return false;
    }
    if (joint->def.custom.apart == NULL) {
        memset(&apart->bearing, 0, sizeof apart->bearing);
    }
    apart->def = *def;
    joint->def.custom.base = def->base;
    joint->def.custom.apart = apart;
    return true;
}

// What is its own stays where it is. Its frames are those of the bodies.
static void keep_function(const tni_function_def *def, tni_joint *joint) {
    tn_joint_def none = tn_joint_def_default();
    joint->def.function = *def;
    joint->def.base.frame_a = none.frame_a;
    joint->def.base.frame_b = none.frame_b;
}

static bool keep_cam(tn_world *world, const tn_cam_joint_def *def, tni_joint *joint) {
    tni_profile *profile = joint->def.cam.profile;
    if (profile == NULL) {
        void *memory = tni_alloc(&world->allocator, tni_profile_get_size(def->radius_count));
        if (memory == NULL) {
            return false;
        }
        profile = tni_profile_make(memory, def->radii, def->radius_count);
    }
    joint->def.cam.base = def->base;
    joint->def.cam.profile = profile;
    joint->def.cam.follower = def->follower;
    joint->def.cam.is_desmodromic = def->is_desmodromic;
    joint->def.cam.roller_radius = def->roller_radius;
    return true;
}

// Its points stay as they are.
static bool keep_curve(tn_world *world, const tn_curve_joint_def *def, tni_joint *joint) {
    tni_curve *apart = joint->def.curve.apart;
    apart = apart != NULL ? apart : tni_curve_make(&world->allocator, def);
    if (apart == NULL) {
        return false;
    }
    apart->def = *def;
    apart->def.points = apart->points;
    joint->def.curve.base = def->base;
    joint->def.curve.apart = apart;
    return true;
}

// Likewise of its path.
static bool keep_motion_path(tn_world *world, const tn_motion_path_joint_def *def,
                             tni_joint *joint) {
    tni_motion_path *apart = joint->def.motion_path.apart;
    apart = apart != NULL ? apart : tni_motion_path_make(&world->allocator, def);
    if (apart == NULL) {
        return false;
    }
    const tn_motion_path_joint_def before = apart->def;
    apart->def = *def;
    apart->def.times = before.times;
    apart->def.points = before.points;
    joint->def.motion_path.base = def->base;
    joint->def.motion_path.apart = apart;
    return true;
}

bool tni_joint_def_keep(tn_world *world, const tni_joint_def *def, tni_joint *joint) {
    switch (joint->type) {
    case TN_JOINT_TYPE_SIX_AXIS:
        return keep_six_axis(world, &def->six_axis, joint);
    case TN_JOINT_TYPE_CUSTOM:
        return keep_custom(world, &def->custom, joint);
    case TN_JOINT_TYPE_FUNCTION:
    case TN_JOINT_TYPE_ROPE:
        keep_function(&def->function, joint);
        return true;
    case TN_JOINT_TYPE_CAM:
        return keep_cam(world, &def->cam, joint);
    case TN_JOINT_TYPE_CURVE:
        return keep_curve(world, &def->curve, joint);
    case TN_JOINT_TYPE_MOTION_PATH:
        return keep_motion_path(world, &def->motion_path, joint);
    default:
        memcpy(&joint->def, def, sizeof joint->def);
        return true;
    }
}

static void keep_load_six_axis(const tni_six_axes *apart, tn_six_axis_joint_def *out_def) {
    out_def->locks = apart->locks;
    memcpy(out_def->axes, apart->axes, sizeof apart->axes);
    out_def->linear_limit = apart->linear_limit;
    out_def->angular_limit = apart->angular_limit;
}

static void keep_load_cam(const tni_joint *joint, tn_cam_joint_def *out_def) {
    out_def->radii = joint->def.cam.profile->radii;
    out_def->radius_count = joint->def.cam.profile->count;
    out_def->follower = joint->def.cam.follower;
    out_def->roller_radius = joint->def.cam.roller_radius;
    out_def->is_desmodromic = joint->def.cam.is_desmodromic;
}

void tni_joint_def_load(const tni_joint *joint, tni_joint_def *out_def) {
    switch (joint->type) {
    case TN_JOINT_TYPE_SIX_AXIS:
        keep_load_six_axis(joint->def.six_axis.apart, &out_def->six_axis);
        break;
    case TN_JOINT_TYPE_CUSTOM:
        out_def->custom = joint->def.custom.apart->def;
        break;
    case TN_JOINT_TYPE_FUNCTION:
    case TN_JOINT_TYPE_ROPE:
        out_def->function = joint->def.function;
        break;
    case TN_JOINT_TYPE_CAM:
        keep_load_cam(joint, &out_def->cam);
        break;
    case TN_JOINT_TYPE_CURVE:
        out_def->curve = joint->def.curve.apart->def;
        break;
    case TN_JOINT_TYPE_MOTION_PATH:
        out_def->motion_path = joint->def.motion_path.apart->def;
        break;
    default:
        memcpy(out_def, &joint->def, sizeof joint->def);
        break;
    }
    out_def->base = joint->def.base;
}

void tni_joint_def_drop(tn_world *world, tni_joint *joint) {
    if (joint->type == TN_JOINT_TYPE_SIX_AXIS) {
        tni_free(&world->allocator, joint->def.six_axis.apart, sizeof(tni_six_axes));
        joint->def.six_axis.apart = NULL;
    } else if (joint->type == TN_JOINT_TYPE_CUSTOM) {
        tni_free(&world->allocator, joint->def.custom.apart, sizeof(tni_custom));
        joint->def.custom.apart = NULL;
    } else if (joint->type == TN_JOINT_TYPE_CAM) {
        tni_profile *profile = joint->def.cam.profile;
        tni_free(&world->allocator, profile, tni_profile_get_size(profile ? profile->count : 0));
        joint->def.cam.profile = NULL;
    } else if (joint->type == TN_JOINT_TYPE_CURVE) {
        tni_curve_forget(&world->allocator, joint->def.curve.apart);
        joint->def.curve.apart = NULL;
    } else if (joint->type == TN_JOINT_TYPE_MOTION_PATH) {
        tni_motion_path_forget(&world->allocator, joint->def.motion_path.apart);
        joint->def.motion_path.apart = NULL;
    }
}

void tni_world_drop_joint_defs(tn_world *world) {
    for (uint32_t i = 0; i < world->joint_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->joint_pool, i) != 0) {
            tni_joint_def_drop(world, tni_joint_at(world, i));
            tni_function_drop(world, tni_joint_at(world, i));
        }
    }
}
