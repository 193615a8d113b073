// world/joints/joint_check_path.c: are the definitions of joints that lead a point along something
// sound? Test: tests/joints/test_joint_misuse_actors.c, tests/joints/paths/test_curve_joint.c
#include "world/joints/joint_internal.h"
#include "world/records/convert.h"

// m: two points of a curve nearer than this are the same.
#define PATH_LEAST_STEP 1e-9

// ---- curve -------------------------------------------------------------------------------------

static tni_check path_check_count(const tn_curve_joint_def *def) {
    const tni_check checks[] = {
        tni_check_that(def->points != NULL, TN_RESULT_INVALID_ARGUMENT,
                       "A curve's points are null."),
        tni_check_that(def->point_count <= TN_CURVE_MAX_POINTS, TN_RESULT_TOO_LARGE,
                       "A curve has 4096 points at most."),
        tni_check_that(def->point_count >= (def->is_closed ? 3u : 2u), TN_RESULT_INVALID_ARGUMENT,
                       "A curve has at least 2 points, a closed one 3."),
    };
    return tni_check_all(checks, sizeof checks);
}

// Checks the points in one pass, with the distance from the point before.
static tni_check path_check_points(const tn_vec3 *points, uint32_t count, bool is_closed) {
    double length = 0.0, shortest = (double)INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
        const tn_vec3 *to = &points[i];
        const tn_vec3 *from = i > 0 ? to - 1 : (is_closed ? &points[count - 1] : NULL);
        if (!convert_is_finite(*to)) {
            return (tni_check){TN_RESULT_NOT_FINITE, "A curve's points must be finite."};
        }
        if (from != NULL) {
            tni_dvec3 way = dvec3_make(to->x - from->x, to->y - from->y, to->z - from->z);
            shortest = maths_min_d(shortest, dvec3_length(way));
            length += dvec3_length(way);
        }
    }
    return tni_check_both(tni_check_that(isfinite(length), TN_RESULT_NOT_FINITE,
                                         "A curve's points are too far apart."),
                          tni_check_that(shortest >= PATH_LEAST_STEP, TN_RESULT_INVALID_ARGUMENT,
                                         "Points of a curve that follow each other must not "
                                         "coincide."));
}

tni_check tni_joint_check_curve(const tn_curve_joint_def *def) {
    tni_check check = path_check_count(def);
    if (check.result == TN_RESULT_OK) {
        check = path_check_points(def->points, def->point_count, def->is_closed);
    }
    return tni_check_both(check, tni_joint_check_translation(&def->limit, &def->motor, &def->spring,
                                                             def->friction, def->viscous_friction));
}

// ---- surface -----------------------------------------------------------------------------------

static tni_check path_check_sizes(const tn_surface_joint_def *def) {
    const double sizes[] = {def->radius, def->tube_radius, def->half_axes.x, def->half_axes.y,
                            def->half_axes.z};
    tni_check check = {TN_RESULT_OK, NULL};
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        check = tni_check_both(
            check, tni_check_number(
                       isfinite(sizes[i]), sizes[i] >= PATH_LEAST_STEP,
                       "A surface's radius, tube_radius and half_axes must be finite and > 0."));
    }
    bool is_thick = def->shape == TN_SURFACE_SHAPE_TORUS && !(def->tube_radius < def->radius);
    return tni_check_both(check,
                          tni_check_that(!is_thick, TN_RESULT_INVALID_ARGUMENT,
                                         "A torus' tube_radius must be less than its radius."));
}

tni_check tni_joint_check_surface(const tn_surface_joint_def *def) {
    bool is_given = def->shape != TN_SURFACE_SHAPE_IMPLICIT || def->evaluate != NULL;
    const tni_check checks[] = {
        tni_check_choice((int)def->shape, TN_SURFACE_SHAPE_IMPLICIT,
                         "A surface's shape is SPHERE, ELLIPSOID, CYLINDER, TORUS or IMPLICIT."),
        tni_check_choice((int)def->side, TN_SURFACE_SIDE_INSIDE,
                         "A surface's side is BOTH, OUTSIDE or INSIDE."),
        tni_check_that(is_given, TN_RESULT_INVALID_ARGUMENT, "The callback `evaluate` is null."),
        path_check_sizes(def),
    };
    return tni_check_all(checks, sizeof checks);
}

// ---- motion path -------------------------------------------------------------------------------

static bool path_points_are_finite(const tn_motion_path_joint_def *def) {
    bool are_finite = true;
    for (uint32_t i = 0; i < def->point_count; ++i) {
        are_finite = are_finite && isfinite(def->times[i]) && convert_is_finite(def->points[i]);
    }
    return are_finite;
}

static bool path_times_grow(const tn_motion_path_joint_def *def) {
    bool grow = true;
    for (uint32_t i = 1; i < def->point_count; ++i) {
        grow = grow && def->times[i] - def->times[i - 1] >= PATH_LEAST_STEP;
    }
    return grow;
}

static tni_check path_check_keys(const tn_motion_path_joint_def *def) {
    uint32_t least = def->is_looped ? 4 : 2, count = def->point_count;
    if (def->times == NULL || def->points == NULL || count < least) {
        return (tni_check){TN_RESULT_INVALID_ARGUMENT,
                           "A path is a callback, or at least 2 points at times, looped 4."};
    }
    if (count > TN_MOTION_PATH_MAX_POINTS) {
        return (tni_check){TN_RESULT_TOO_LARGE, "A path has 4096 points at most."};
    }
    const tn_vec3 *first = &def->points[0], *last = &def->points[count - 1];
    bool meets = first->x == last->x && first->y == last->y && first->z == last->z;
    const tni_check checks[] = {
        tni_check_that(path_points_are_finite(def), TN_RESULT_NOT_FINITE,
                       "A path's points and times must be finite."),
        tni_check_that(!def->is_looped || meets, TN_RESULT_INVALID_ARGUMENT,
                       "A looped path ends in the point that it begins with."),
        tni_check_that(path_times_grow(def), TN_RESULT_INVALID_ARGUMENT,
                       "A path's times must grow."),
    };
    return tni_check_all(checks, sizeof checks);
}

tni_check tni_joint_check_motion_path(const tn_motion_path_joint_def *def) {
    const tni_check checks[] = {
        tni_check_that(isfinite(def->start_time) && isfinite(def->speed), TN_RESULT_NOT_FINITE,
                       "start_time and speed must be finite."),
        tni_check_that(!def->leads_rotation || def->evaluate != NULL, TN_RESULT_INVALID_ARGUMENT,
                       "Only a callback leads a rotation."),
        def->evaluate != NULL ? (tni_check){TN_RESULT_OK, NULL} : path_check_keys(def),
    };
    return tni_check_all(checks, sizeof checks);
}
