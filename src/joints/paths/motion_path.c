// joints/paths/motion_path.c: the path of a motion path joint: its place at a time.
//
// Points give a cubic spline by time (parts/spline.c), which is periodic if the path is looped. If
// not, it has no speed at its ends, before and after which the path rests: position and velocity
// are continuous everywhere, and the acceleration except at the ends.
// Test: tests/joints/paths/test_motion_path_joint.c
#include "joints/paths/motion_path.h"

#include <string.h>

// ---- making ------------------------------------------------------------------------------------

static tni_motion_path *path_allocate(tni_allocator *allocator,
                                      const tn_motion_path_joint_def *def) {
    uint32_t count = def->evaluate == NULL ? def->point_count : 0;
    size_t size =
        sizeof(tni_motion_path) + count * (sizeof(tni_knot) + sizeof(double) + sizeof(tn_vec3));
    tni_motion_path *path = tni_alloc_zeroed(allocator, size);
    if (path != NULL) {
        path->size = size;
        path->def = *def;
        path->spline.knots = (tni_knot *)(path + 1);
        path->spline.count = count;
        path->spline.ends = def->is_looped ? TNI_SPLINE_CLOSED : TNI_SPLINE_AT_REST;
        path->times = (double *)(path->spline.knots + count);
        path->points = (tn_vec3 *)(path->times + count);
        path->def.times = count > 0 ? path->times : NULL;
        path->def.points = count > 0 ? path->points : NULL;
    }
    return path;
}

static void path_fill(tni_motion_path *path, const tn_motion_path_joint_def *def, double *scratch) {
    for (uint32_t i = 0; i < path->spline.count; ++i) {
        const tn_vec3 *at = &def->points[i];
        path->times[i] = def->times[i];
        path->points[i] = *at;
        path->spline.knots[i].u = def->times[i] - def->times[0];
        path->spline.knots[i].point = dvec3_from_plain(*at);
    }
    if (path->spline.count > 0) {
        tni_spline_solve(&path->spline, scratch);
    }
}

tni_motion_path *tni_motion_path_make(tni_allocator *allocator,
                                      const tn_motion_path_joint_def *def) {
    tni_motion_path *path = path_allocate(allocator, def);
    if (path == NULL) {
        return NULL;
    }
    size_t scratch_size = TNI_SPLINE_SCRATCH * (path->spline.count + 1) * sizeof(double);
    double *scratch = tni_alloc_zeroed(allocator, scratch_size);
    if (scratch == NULL) {
        tni_motion_path_forget(allocator, path);
        return NULL;
    }
    path_fill(path, def, scratch);
    tni_free(allocator, scratch, scratch_size);
    return path;
}

void tni_motion_path_forget(tni_allocator *allocator, tni_motion_path *path) {
    tni_free(allocator, path, path->size);
}

// ---- where it is -------------------------------------------------------------------------------

static tni_path_place path_follow_points(const tni_motion_path *path, double time) {
    const tni_spline *spline = &path->spline;
    double u = tni_spline_wrap(spline, time - path->times[0]), end = tni_spline_get_end(spline);
    tni_path_place place = {.rotation = dquat_identity(), .is_finite = isfinite(u)};
    double inside = u > 0.0 ? (u < end ? u : end) : 0.0; // for a NaN the start
    tni_spline_point at = tni_spline_get_point(spline, tni_spline_find(spline, inside), inside);
    bool rests = u != inside;
    place.position = at.c;
    place.velocity = rests ? place.velocity : at.first;
    place.acceleration = rests ? place.acceleration : at.second;
    return place;
}

static tni_path_place path_ask(const tn_motion_path_joint_def *def, double time) {
    tn_motion_path_state state;
    memset(&state, 0, sizeof state);
    state.rotation.w = 1.0;
    def->evaluate(time, &state, def->evaluate_user_data);
    tni_dquat q = dquat_from_plain(state.rotation);
    double length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    tni_path_place place = {
        dvec3_from_plain(state.position),         dvec3_from_plain(state.velocity),
        dvec3_from_plain(state.acceleration),     dquat_normalize(q),
        dvec3_from_plain(state.angular_velocity), dvec3_from_plain(state.angular_acceleration),
        isfinite(length) && length > 0.0};
    place.is_finite = place.is_finite && dvec3_is_finite(place.position) &&
                      dvec3_is_finite(place.velocity) && dvec3_is_finite(place.acceleration) &&
                      dvec3_is_finite(place.angular_velocity) &&
                      dvec3_is_finite(place.angular_acceleration);
    return place;
}

tni_path_place tni_motion_path_get_place(const tni_motion_path *path, double time) {
    return path->def.evaluate != NULL ? path_ask(&path->def, time) : path_follow_points(path, time);
}
