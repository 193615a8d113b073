// joints/parts/swing.c: the swing of frame b in frame a as a vector, and an elliptic cone for it.
//
// Symbols: q the rotation of frame b in frame a; x_a, y_a, z_a the axes of frame a, x_b that of b;
// D = w_b - w_a; all in world axes.
//
// q = swing twist: first a turn about x, then one about an axis perpendicular to it. The swing
// takes x_a to x_b the shortest way, so that it follows from x_b alone: its rotation vector
//     s = theta n,  theta the angle between x_a and x_b,  n = x_a x x_b / sin theta
// has parts s_y and s_z, and none along x (the exponential map of the swing).
// Rates: theta' = n . D; with m = x_a x n, the rate of n is m (x_b x n) . D / sin theta, so that
//     s_k' = g_k . D,   g_k = n_k n + f m_k (x_b x n),   f = theta / sin theta
// Near theta = 0, f is 1 and the g_k are the axes of frame a. Toward half a turn f grows without
// bound: any swing may take x_a to -x_a, and a small turn changes which. Past 150 degrees f is held
// at its value there: rows stay bounded, but are no longer derivatives.
// Cone: (s_y / half_y)^2 + (s_z / half_z)^2 <= 1, where half_y is the end of the range about y on
// the side of s_y, and half_z likewise: four quarters of ellipses, which meet without a corner. C =
// the distance of s from the ellipse, positive inside: an angle everywhere, with C' = -N . s',
// where N is the ellipse's outward normal at the nearest point. For a circle that is half_y -
// theta, the cone of a ball joint. If the ranges are not even, another quarter may be nearer. The
// cone is convex, and so lies within each of its tangents: C is at most the distance from the
// tangent at the point of the quarter across an axis that is nearest to the point of that axis
// beside s. A quarter is at least SWING_LEAST_HALF wide.
// Jdot v has the bend of the ellipse in it and those of both rates: it is taken as a difference.
// A range without width leaves no inside. Then s_y = 0, for example, is an equality, x_b is
// perpendicular to z_a (see axis.c), and C of the other part is the distance to the nearer end.
// Source: F. S. Grassia, "Practical parameterization of rotations using the exponential map",
// Journal of Graphics Tools 3(3), 1998, section 5 (swing and twist, the map of the swing); the
// rates follow by differentiating. The distance: see ellipse.c.
// Test: tests/joints/test_rows_bounded.c, tests/joints/test_swing_twist_joint.c,
// tests/joints/test_whirls.c
#include "joints/parts/swing.h"

#include "joints/parts/ellipse.h"
#include "joints/parts/row_clear.h"

// Below this sine the direction of the swing is the fallback instead: n is y_a.
#define SWING_DEGENERATE 1e-9
#define SWING_LEAST_HALF 1e-4 // rad
// Jdot v is the change of C' by a turn of SWING_STEP rad, over its time. Where another quarter
// becomes the nearest, it counts for at most SWING_MOST_BEND times the square of the speed. It is
// left out for a swing that turns slower than SWING_LEAST_SPEED, rad/s, or that would take longer
// than SWING_LONGEST_SUBSTEP, s, to reach the end along a way that bends.
#define SWING_STEP            1e-5
#define SWING_MOST_BEND       10.0
#define SWING_LEAST_SPEED     0.5
#define SWING_LONGEST_SUBSTEP 0.035
// The value of theta / sin theta at 150 degrees.
#define SWING_LONGEST 5.235987755982989

tni_swing_vector tni_swing_measure(const tni_axes *frame_a, tni_dvec3 x_b) {
    double along_y = dvec3_dot(frame_a->y, x_b), along_z = dvec3_dot(frame_a->z, x_b);
    double sine = sqrt(along_y * along_y + along_z * along_z);
    double angle = tni_maths_atan2(sine, dvec3_dot(frame_a->x, x_b));
    // n and m have these parts along y and z; if the axes are aligned or opposite, n is y_a.
    bool has_direction = sine > SWING_DEGENERATE;
    double n_y = has_direction ? -along_z / sine : 1.0, n_z = has_direction ? along_y / sine : 0.0;
    double stretch = has_direction ? angle / sine : (angle < 1.0 ? 1.0 : SWING_LONGEST);
    stretch = stretch > SWING_LONGEST ? SWING_LONGEST : stretch;
    tni_dvec3 n = dvec3_add_scaled(dvec3_scale(frame_a->y, n_y), n_z, frame_a->z);
    tni_dvec3 across = dvec3_scale(dvec3_cross(x_b, n), stretch);
    tni_swing_vector swing = {.y = angle * n_y, .z = angle * n_z};
    swing.of_y = dvec3_add_scaled(dvec3_scale(n, n_y), -n_z, across);
    swing.of_z = dvec3_add_scaled(dvec3_scale(n, n_z), n_y, across);
    return swing;
}

// Returns the end of a range on one side, as a half angle.
static double swing_get_half(tni_swing_range range, bool is_below) {
    return maths_max_d(is_below ? -range.lower : range.upper, SWING_LEAST_HALF);
}

// Returns how far one angle is from the nearer end of its range, as a distance along that axis.
static double swing_measure_end(tni_swing_range range, double angle, double *out_normal) {
    double to_lower = angle - range.lower, to_upper = range.upper - angle;
    *out_normal = to_lower < to_upper ? -1.0 : 1.0;
    return maths_min_d(to_lower, to_upper);
}

// Measures the distance from the tangent of the quarter across the z axis (`is_across_z`) or the y
// axis, at its point nearest to the point of the axis beside the swing.
static tni_ellipse_distance swing_measure_across(const tni_swing_vector *swing,
                                                 const tni_swing_limit *limit, bool is_across_z) {
    bool y_below = (swing->y < 0.0) != is_across_z, z_below = (swing->z < 0.0) == is_across_z;
    double y = is_across_z ? 0.0 : swing->y, z = is_across_z ? swing->z : 0.0;
    tni_ellipse_distance distance = tni_ellipse_measure(swing_get_half(limit->y, y_below),
                                                        swing_get_half(limit->z, z_below), y, z);
    distance.normal_y = copysign(distance.normal_y, y_below ? -1.0 : 1.0);
    distance.normal_z = copysign(distance.normal_z, z_below ? -1.0 : 1.0);
    distance.inside -= distance.normal_y * (swing->y - y) + distance.normal_z * (swing->z - z);
    return distance;
}

// Measures how far inside the swing is, and the outward normal.
static tni_ellipse_distance swing_measure_room(const tni_swing_vector *swing,
                                               const tni_swing_limit *limit) {
    tni_ellipse_distance room = {0.0, 0.0, 0.0};
    if (tni_swing_is_locked(limit->y)) {
        room.inside = swing_measure_end(limit->z, swing->z, &room.normal_z);
        return room;
    }
    if (tni_swing_is_locked(limit->z)) {
        room.inside = swing_measure_end(limit->y, swing->y, &room.normal_y);
        return room;
    }
    room = tni_ellipse_measure(swing_get_half(limit->y, swing->y < 0.0),
                               swing_get_half(limit->z, swing->z < 0.0), swing->y, swing->z);
    const bool is_uneven[2] = {limit->z.lower + limit->z.upper != 0.0,
                               limit->y.lower + limit->y.upper != 0.0};
    for (int k = 0; k < 2; ++k) {
        if (is_uneven[k]) {
            tni_ellipse_distance across = swing_measure_across(swing, limit, k == 1);
            room = across.inside < room.inside ? across : room;
        }
    }
    return room;
}

// The direction of turns that lead straight out, with the length of the rates.
static tni_dvec3 swing_get_outward(const tni_swing_vector *swing,
                                   const tni_ellipse_distance *distance) {
    return dvec3_add_scaled(dvec3_scale(swing->of_y, distance->normal_y), distance->normal_z,
                            swing->of_z);
}

tni_dvec3 tni_swing_emit_bounded(const tni_swing_vector *swing, const tni_swing_limit *limit,
                                 tni_row *row) {
    if (tni_swing_count_locks(limit) == 2) {
        return dvec3_make(0.0, 0.0, 0.0);
    }
    tni_ellipse_distance distance = swing_measure_room(swing, limit);
    tni_dvec3 outward = swing_get_outward(swing, &distance);
    tni_row_clear(row, TNI_ROW_LIMIT, TNI_ROLE_JOINT, true);
    row->ang_a = dvec3_to_float(outward);
    row->ang_b = glms_vec3_negate(row->ang_a);
    row->error = (float)distance.inside;
    return outward;
}

void tni_swing_set_term(const tni_axes *frame_a, tni_dvec3 x_b, const tni_swing_limit *limit,
                        tni_dvec3 outward, tni_dvec3 w_a, tni_dvec3 w_b, tni_row *row) {
    tni_dvec3 change = dvec3_sub(w_b, w_a);
    double speed = dvec3_length(change), now = dvec3_dot(outward, change);
    double pace = maths_max_d(now + 0.5 * speed, 0.0);
    bool is_met = (double)row->error < SWING_LONGEST_SUBSTEP * pace;
    if (!is_met || speed < SWING_LEAST_SPEED) {
        return;
    }
    double time = SWING_STEP / speed, most = SWING_MOST_BEND * speed * speed;
    tni_dvec3 way = dvec3_add_scaled(x_b, time, dvec3_cross(change, x_b));
    tni_swing_vector swing = tni_swing_measure(frame_a, way);
    tni_ellipse_distance distance = swing_measure_room(&swing, limit);
    tni_dvec3 then = dvec3_add_scaled(change, -time, dvec3_cross(w_a, change));
    double term = (now - dvec3_dot(swing_get_outward(&swing, &distance), then)) / time;
    row->velocity_term = (float)maths_min_d(maths_max_d(term, -most), most);
}

tni_dvec3 tni_swing_get_excess(const tni_axes *frame_a, const tni_swing_vector *swing,
                               const tni_swing_limit *limit, bool is_soft) {
    double y = tni_swing_is_locked(limit->y) ? swing->y : 0.0;
    double z = tni_swing_is_locked(limit->z) ? swing->z : 0.0;
    if (tni_swing_count_locks(limit) < 2 && !is_soft) {
        tni_ellipse_distance distance = swing_measure_room(swing, limit);
        double outside = distance.inside < 0.0 ? -distance.inside : 0.0;
        y += outside * distance.normal_y;
        z += outside * distance.normal_z;
    }
    return dvec3_add_scaled(dvec3_scale(frame_a->y, y), z, frame_a->z);
}
