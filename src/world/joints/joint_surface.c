// world/joints/joint_surface.c: the public functions of surface joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/paths/test_surface_joint.c
#include "world/joints/joint_internal.h"

tn_surface_joint_def tn_surface_joint_def_default(void) {
    return (tn_surface_joint_def){.base = tn_joint_def_default(),
                                  .radius = 1.0,
                                  .tube_radius = 0.25,
                                  .half_axes = {1.0, 1.0, 1.0}};
}

tn_joint_id tn_surface_joint_create(tn_world *world, const tn_surface_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_SURFACE, &tni_surface_joint_kind, def, sizeof *def,
                            __func__);
}

tn_surface_joint_def tn_surface_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_SURFACE, __func__).surface;
}

tn_result tn_surface_joint_set_side(tn_world *world, tn_joint_id joint, tn_surface_side side) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SURFACE, __func__);
    change.def.surface.side = side;
    return tni_joint_commit_change(world, &change);
}

tn_result tn_surface_joint_set_radius(tn_world *world, tn_joint_id joint, double radius) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SURFACE, __func__);
    tni_double_set(&change.def.surface.radius, radius);
    return tni_joint_commit_change(world, &change);
}

double tn_surface_joint_get_distance(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_SURFACE, __func__).position;
}

double tn_surface_joint_get_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_SURFACE, __func__).speed;
}
