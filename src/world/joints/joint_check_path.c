// world/joints/joint_check_path.c: are the definitions of joints that lead a point along something
// sound? Test: tests/joints/test_joint_misuse.c, tests/joints/test_curve_joint.c
#include "world/joints/joint_internal.h"

// m: two points of a curve nearer than this are the same.
#define PATH_LEAST_STEP 1e-9

static const tni_joint_check path_ok = {TN_RESULT_OK, NULL};

static tni_joint_check path_fail(tn_result result, const char *message) {
    tni_joint_check check = {result, message};
    return check;
}

// ---- curve -------------------------------------------------------------------------------------

static tni_joint_check path_check_count(const tn_curve_joint_def *def) {
    if (def->points == NULL) {
        return path_fail(TN_RESULT_INVALID_ARGUMENT, "A curve's points are null.");
    }
    if (def->point_count > TN_CURVE_MAX_POINTS) {
        return path_fail(TN_RESULT_TOO_LARGE, "A curve has 4096 points at most.");
    }
    if (def->point_count < (def->is_closed ? 3u : 2u)) {
        return path_fail(TN_RESULT_INVALID_ARGUMENT,
                         "A curve has at least 2 points, a closed one 3.");
    }
    return path_ok;
}

// In one pass, with the way from the point before.
static tni_joint_check path_check_points(const tn_vec3 *points, uint32_t count, bool is_closed) {
    double length = 0.0, shortest = (double)INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
        const tn_vec3 *to = &points[i];
        const tn_vec3 *from = i > 0 ? to - 1 : (is_closed ? &points[count - 1] : NULL);
        if (!isfinite(to->x) || !isfinite(to->y) || !isfinite(to->z)) {
            return path_fail(TN_RESULT_NOT_FINITE, "A curve's points must be finite.");
        }
        if (from != NULL) {
            tni_dvec3 way = dvec3_make(to->x - from->x, to->y - from->y, to->z - from->z);
            shortest = fmin(shortest, dvec3_length(way));
            length += dvec3_length(way);
        }
    }
    if (!isfinite(length)) {
        return path_fail(TN_RESULT_NOT_FINITE, "A curve's points are too far apart.");
    }
    return shortest >= PATH_LEAST_STEP
               ? path_ok
               : path_fail(TN_RESULT_INVALID_ARGUMENT,
                           "Points of a curve that follow each other must not coincide.");
}

tni_joint_check tni_joint_check_curve(const tn_curve_joint_def *def) {
    tni_joint_check check = path_check_count(def);
    if (check.result == TN_RESULT_OK) {
        check = path_check_points(def->points, def->point_count, def->is_closed);
    }
    return check.result != TN_RESULT_OK
               ? check
               : tni_joint_check_translation(&def->limit, &def->motor, &def->spring, def->friction,
                                             def->viscous_friction);
}

// ---- surface -----------------------------------------------------------------------------------

// Finite and > 0, or of no use.
static tni_joint_check path_check_size(double size, const char *message) {
    if (!isfinite(size)) {
        return path_fail(TN_RESULT_NOT_FINITE, message);
    }
    return size >= PATH_LEAST_STEP ? path_ok : path_fail(TN_RESULT_INVALID_ARGUMENT, message);
}

static tni_joint_check path_check_sizes(const tn_surface_joint_def *def) {
    const double sizes[] = {def->radius, def->tube_radius, def->half_axes.x, def->half_axes.y,
                            def->half_axes.z};
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        tni_joint_check check = path_check_size(
            sizes[i], "A surface's radius, tube_radius and half_axes must be finite and > 0.");
        if (check.result != TN_RESULT_OK) {
            return check;
        }
    }
    bool is_thick = def->shape == TN_SURFACE_SHAPE_TORUS && !(def->tube_radius < def->radius);
    return is_thick ? path_fail(TN_RESULT_INVALID_ARGUMENT,
                                "A torus' tube_radius must be less than its radius.")
                    : path_ok;
}

tni_joint_check tni_joint_check_surface(const tn_surface_joint_def *def) {
    int shape = (int)def->shape, side = (int)def->side;
    if (shape < 0 || shape > (int)TN_SURFACE_SHAPE_IMPLICIT) {
        return path_fail(TN_RESULT_INVALID_ARGUMENT,
                         "A surface's shape is SPHERE, ELLIPSOID, CYLINDER, TORUS or IMPLICIT.");
    }
    if (side < 0 || side > (int)TN_SURFACE_SIDE_INSIDE) {
        return path_fail(TN_RESULT_INVALID_ARGUMENT,
                         "A surface's side is BOTH, OUTSIDE or INSIDE.");
    }
    if (def->shape == TN_SURFACE_SHAPE_IMPLICIT && def->evaluate == NULL) {
        return path_fail(TN_RESULT_INVALID_ARGUMENT, "The callback `evaluate` is null.");
    }
    return path_check_sizes(def);
}

// ---- motion path -------------------------------------------------------------------------------

static bool path_points_are_finite(const tn_motion_path_joint_def *def) {
    bool are_finite = true;
    for (uint32_t i = 0; i < def->point_count; ++i) {
        const tn_vec3 *p = &def->points[i];
        are_finite = are_finite && isfinite(def->times[i]) && isfinite(p->x) && isfinite(p->y) &&
                     isfinite(p->z);
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

static tni_joint_check path_check_keys(const tn_motion_path_joint_def *def) {
    uint32_t least = def->is_looped ? 4 : 2, count = def->point_count;
    if (def->times == NULL || def->points == NULL || count < least) {
        return path_fail(TN_RESULT_INVALID_ARGUMENT,
                         "A path is a callback, or at least 2 points at times, looped 4.");
    }
    if (count > TN_MOTION_PATH_MAX_POINTS) {
        return path_fail(TN_RESULT_TOO_LARGE, "A path has 4096 points at most.");
    }
    if (!path_points_are_finite(def)) {
        return path_fail(TN_RESULT_NOT_FINITE, "A path's points and times must be finite.");
    }
    const tn_vec3 *first = &def->points[0], *last = &def->points[count - 1];
    bool meets = first->x == last->x && first->y == last->y && first->z == last->z;
    if (def->is_looped && !meets) {
        return path_fail(TN_RESULT_INVALID_ARGUMENT,
                         "A looped path ends in the point that it begins with.");
    }
    return path_times_grow(def)
               ? path_ok
               : path_fail(TN_RESULT_INVALID_ARGUMENT, "A path's times must grow.");
}

tni_joint_check tni_joint_check_motion_path(const tn_motion_path_joint_def *def) {
    if (!isfinite(def->start_time) || !isfinite(def->speed)) {
        return path_fail(TN_RESULT_NOT_FINITE, "start_time and speed must be finite.");
    }
    if (def->leads_rotation && def->evaluate == NULL) {
        return path_fail(TN_RESULT_INVALID_ARGUMENT, "Only a callback leads a rotation.");
    }
    return def->evaluate != NULL ? path_ok : path_check_keys(def);
}
