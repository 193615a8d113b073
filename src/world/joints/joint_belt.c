// world/joints/joint_belt.c: the public functions of belt joints, and whether their definitions are
// sound. Test: tests/joints/transmissions/test_belt_joint.c
#include "world/joints.h"
#include "world/joints/joint_internal.h"

#define BELT_LEAST_RADIUS 1e-9 // m
#define BELT_MOST_TEETH   1000000

tn_belt_joint_def tn_belt_joint_def_default(void) {
    return (tn_belt_joint_def){.base = tn_joint_def_default(),
                               .radius_a = 0.1,
                               .radius_b = 0.1,
                               .friction = 0.3f,
                               .pretension = INFINITY};
}

// ---- checks ------------------------------------------------------------------------------------

static bool belt_are_teeth(int32_t teeth_a, int32_t teeth_b) {
    bool are_none = teeth_a == 0 && teeth_b == 0;
    return are_none ||
           (teeth_a > 0 && teeth_a <= BELT_MOST_TEETH && teeth_b > 0 && teeth_b <= BELT_MOST_TEETH);
}

tni_check tni_joint_check_belt(const tn_belt_joint_def *def) {
    bool are_wheels = def->radius_a >= BELT_LEAST_RADIUS && def->radius_b >= BELT_LEAST_RADIUS;
    const tni_check checks[] = {
        tni_check_that(isfinite(def->radius_a) && isfinite(def->radius_b), TN_RESULT_NOT_FINITE,
                       "A pulley's radius must be finite."),
        tni_check_that(are_wheels, TN_RESULT_INVALID_ARGUMENT,
                       "A pulley's radius must be above 0."),
        tni_check_that(belt_are_teeth(def->teeth_a, def->teeth_b), TN_RESULT_INVALID_ARGUMENT,
                       "A chain has 1 to a million teeth on both wheels."),
        tni_check_that(isfinite(def->friction) && !isnan(def->pretension), TN_RESULT_NOT_FINITE,
                       "A belt's friction and pretension must be numbers."),
        tni_check_that(def->friction >= 0.0f && def->pretension >= 0.0f, TN_RESULT_INVALID_ARGUMENT,
                       "A belt's friction and pretension must be >= 0."),
    };
    return tni_check_all(checks, sizeof checks);
}

// ---- making and changing -----------------------------------------------------------------------

tn_joint_id tn_belt_joint_create(tn_world *world, const tn_belt_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_BELT, &tni_belt_joint_kind, def, sizeof *def,
                            __func__);
}

tn_belt_joint_def tn_belt_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_BELT, __func__).belt;
}

tn_result tn_belt_joint_set_radii(tn_world *world, tn_joint_id joint, double radius_a,
                                  double radius_b) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_BELT, __func__);
    tni_double_set(&change.def.belt.radius_a, radius_a);
    tni_double_set(&change.def.belt.radius_b, radius_b);
    change.def.belt.teeth_a = change.def.belt.teeth_b = 0;
    return tni_joint_commit_change(world, &change);
}

tn_result tn_belt_joint_set_teeth(tn_world *world, tn_joint_id joint, int32_t teeth_a,
                                  int32_t teeth_b) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_BELT, __func__);
    change.def.belt.teeth_a = teeth_a;
    change.def.belt.teeth_b = teeth_b;
    return tni_joint_commit_change(world, &change);
}

tn_result tn_belt_joint_set_crossed(tn_world *world, tn_joint_id joint, bool is_crossed) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_BELT, __func__);
    change.def.belt.is_crossed = is_crossed;
    return tni_joint_commit_change(world, &change);
}

tn_result tn_belt_joint_set_grip(tn_world *world, tn_joint_id joint, float friction,
                                 float pretension) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_BELT, __func__);
    tni_float_set(&change.def.belt.friction, friction);
    tni_float_set(&change.def.belt.pretension, pretension);
    return tni_joint_commit_change(world, &change);
}

// ---- reading -----------------------------------------------------------------------------------

double tn_belt_joint_get_ratio(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_BELT, __func__);
    if (!record) {
        return 0.0;
    }
    const tn_belt_joint_def *def = &record->def.belt;
    double ratio = def->teeth_a != 0 ? (double)def->teeth_a / (double)def->teeth_b
                                     : def->radius_a / def->radius_b;
    return def->is_crossed ? -ratio : ratio;
}

double tn_belt_joint_get_slip(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_BELT, __func__);
    return record ? record->def.belt.radius_a *
                        tni_joint_read_phase_error(world, joint, TN_JOINT_TYPE_BELT, __func__)
                  : 0.0;
}

double tn_belt_joint_get_slip_speed(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_BELT, __func__);
    return record ? record->def.belt.radius_a *
                        tni_joint_read_value(world, joint, TN_JOINT_TYPE_BELT, __func__).speed
                  : 0.0;
}

// Returns the force on b's pulley, from the couple on b about its axis.
float tn_belt_joint_get_force(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_BELT, __func__);
    if (!record) {
        return 0.0f;
    }
    tni_body_motion a, b;
    tni_joint_get_motions(world, record, &a, &b);
    tni_dvec3 axis = dquat_axis_x(tni_joint_world_frame(&record->frame_b, &b).rotation);
    tn_vec3 couple = tni_joint_get_reaction(world, record).torque;
    double about =
        axis.x * (double)couple.x + axis.y * (double)couple.y + axis.z * (double)couple.z;
    return maths_to_float(about / record->def.belt.radius_b);
}

static tni_belt_shape belt_read_shape(const tn_world *world, tn_joint_id joint,
                                      const char *function) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_BELT, function);
    tni_belt_shape none = {.length = 0.0};
    if (!record) {
        return none;
    }
    tni_body_motion a, b;
    tni_joint_get_motions(world, record, &a, &b);
    return tni_belt_measure(record, &a, &b);
}

double tn_belt_joint_get_slip_force(const tn_world *world, tn_joint_id joint) {
    return belt_read_shape(world, joint, __func__).slip_force;
}

double tn_belt_joint_get_wrap_a(const tn_world *world, tn_joint_id joint) {
    return belt_read_shape(world, joint, __func__).wrap_a;
}

double tn_belt_joint_get_wrap_b(const tn_world *world, tn_joint_id joint) {
    return belt_read_shape(world, joint, __func__).wrap_b;
}

double tn_belt_joint_get_length(const tn_world *world, tn_joint_id joint) {
    return belt_read_shape(world, joint, __func__).length;
}

// The reference's azimuth in a pulley decreases as the pulley turns forward.
double tn_belt_joint_get_angle_a(const tn_world *world, tn_joint_id joint) {
    return -tni_joint_read_turn(world, joint, TN_JOINT_TYPE_BELT, 0, __func__);
}

double tn_belt_joint_get_angle_b(const tn_world *world, tn_joint_id joint) {
    return -tni_joint_read_turn(world, joint, TN_JOINT_TYPE_BELT, 1, __func__);
}
