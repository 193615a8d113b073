// joints/six_axis_value.c: the six values of a six-axis joint, and those that round limits bound.
//
// Symbols: d = p_b - p_a from anchor to anchor; n_i the axes of frame a, m_i those of b; q the
// rotation of frame b in frame a; D = w_b - w_a; all in world axes.
//
// Translation i:   n_i . d, see parts/along.c.
// Turns:           twist about x and swing about y and z, q = swing twist: see parts/swing.c.
//                  They are zero together if the frames agree, any twist may go with any swing,
//                  and their directions coincide only if the swing is half a turn. If two turns
//                  are locked the third is the twist about its own axis, which is the same there
//                  and may go round.
// Round, lengths:  |P d|, P the part along the limited axes; its rate is that of u . d for the axis
//                  u along P d, fixed to a. Jdot v is that of u . d plus |w|^2 / |P d|, where w is
//                  the part of the rate of P d across u: a body on a circle.
// Round, turns:    two of them: the angle between n_k and m_k, k the third; all three: the angle of
//                  q, whose direction is its axis.
// Source: as in the parts; the round values: glTF extension KHR_physics_rigid_bodies (draft),
// appendix "Joint limit metrics".
// Test: tests/joints/test_rows.c, tests/joints/test_six_axis_joint.c
#include "joints/parts/along.h"
#include "joints/parts/angle.h"
#include "joints/parts/swing.h"
#include "joints/parts/twist.h"
#include "joints/six_axis.h"

// m: below this a vector has no direction, and the first limited axis takes its place.
#define SIX_LEAST_LENGTH 1e-9

tni_six_turn tni_six_measure_turn(const tni_six_pose *pose, const tni_six_locks *locks,
                                  uint32_t i) {
    if (i == 0 || i == tni_six_get_round_turn(locks)) {
        tni_axes from_a = tni_six_begin_with(&pose->a, i), from_b = tni_six_begin_with(&pose->b, i);
        tni_six_turn turn = {tni_axis_measure_twist(&from_a, &from_b),
                             tni_axis_get_twist_direction(from_a.x, from_b.x),
                             tni_axis_get_twist_ease(from_a.x, from_b.x)};
        return turn;
    }
    tni_swing_vector swing = tni_swing_measure(&pose->a, pose->b.x);
    tni_six_turn turn = {i == 1 ? swing.y : swing.z, i == 1 ? swing.of_y : swing.of_z, 0.0};
    return turn;
}

tni_scalar tni_six_make_scalar(const tni_joint *joint, const tni_six_pose *pose,
                               const tni_six_locks *locks, uint32_t which) {
    if (which < TNI_SIX_TURNS) {
        return tni_along_make_scalar(&pose->point, tni_six_get_axis(&pose->a, which));
    }
    tni_six_turn turn = tni_six_measure_turn(pose, locks, which - TNI_SIX_TURNS);
    tni_scalar scalar = tni_scalar_of_angle(turn.direction, turn.angle);
    scalar.ease = turn.ease;
    bool goes_round = which - TNI_SIX_TURNS == tni_six_get_round_turn(locks);
    const tn_limit *limit = &joint->def.six_axis.apart->axes[which].limit;
    return goes_round ? tni_twist_wind_scalar(joint, limit, 0, scalar) : scalar;
}

// Returns the part of v along the limited axes.
static tni_dvec3 six_project(const tni_axes *axes, const tn_round_limit *limit, tni_dvec3 v) {
    const bool is_asked[3] = {limit->x, limit->y, limit->z};
    tni_dvec3 part = dvec3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < 3; ++i) {
        tni_dvec3 n = tni_six_get_axis(axes, i);
        part = is_asked[i] ? dvec3_add_scaled(part, dvec3_dot(n, v), n) : part;
    }
    return part;
}

tni_scalar tni_six_make_round_length(const tni_six_pose *pose, const tn_round_limit *limit,
                                     const tni_body_motion *a, const tni_body_motion *b) {
    tni_dvec3 part = six_project(&pose->a, limit, pose->point.d);
    double length = dvec3_length(part);
    if (!(length > SIX_LEAST_LENGTH)) {
        return tni_along_make_scalar(&pose->point, limit->x ? pose->a.x : pose->a.y);
    }
    tni_dvec3 u = dvec3_scale(part, 1.0 / length);
    tni_scalar scalar = tni_along_make_scalar(&pose->point, u);
    tni_dvec3 carried = dvec3_cross(a->angular_velocity, pose->point.d);
    tni_dvec3 rate = dvec3_sub(tni_point_get_rate(&pose->point, a, b), carried);
    rate = six_project(&pose->a, limit, rate);
    tni_dvec3 across = dvec3_add_scaled(rate, -dvec3_dot(u, rate), u);
    scalar.acceleration =
        dvec3_dot(u, tni_along_get_drift(&pose->point, a, b)) + dvec3_dot(across, across) / length;
    return scalar;
}

tni_scalar tni_six_make_round_turn(const tni_six_pose *pose, const tn_round_limit *limit) {
    if (limit->x && limit->y && limit->z) {
        tni_dvec3 turn = tni_angle_get_rotation_vector(pose->q);
        double angle = dvec3_length(turn);
        tni_dvec3 axis = dvec3_scale(pose->a.x, turn.x);
        axis = dvec3_add_scaled(axis, turn.y, pose->a.y);
        axis = dvec3_add_scaled(axis, turn.z, pose->a.z);
        bool has_axis = angle > SIX_LEAST_LENGTH;
        return tni_scalar_of_angle(has_axis ? dvec3_scale(axis, 1.0 / angle) : pose->a.x, angle);
    }
    uint32_t third = !limit->x ? 0 : (!limit->y ? 1 : 2);
    tni_axes from_a = tni_six_begin_with(&pose->a, third);
    tni_swing swing = tni_axis_measure_swing(&from_a, tni_six_get_axis(&pose->b, third));
    return tni_scalar_of_angle(swing.axis, swing.angle);
}

tni_joint_value tni_six_measure_value(const tni_joint *joint, const tni_body_motion *a,
                                      const tni_body_motion *b, uint32_t which) {
    tni_six_pose pose = tni_six_measure(joint, a, b);
    if (which < TNI_SIX_TURNS) {
        return tni_along_measure(&pose.point, tni_six_get_axis(&pose.a, which), a, b);
    }
    tni_six_locks locks = tni_six_find_locks(joint->def.six_axis.apart);
    tni_six_turn turn = tni_six_measure_turn(&pose, &locks, which - TNI_SIX_TURNS);
    tni_joint_value value = {
        turn.angle, dvec3_dot(turn.direction, dvec3_sub(b->angular_velocity, a->angular_velocity))};
    if (which - TNI_SIX_TURNS == tni_six_get_round_turn(&locks)) {
        const tn_limit *limit = &joint->def.six_axis.apart->axes[which].limit;
        value.position = tni_twist_wind(joint, limit, 0, value.position);
    }
    return value;
}
