// collision/path/path_hold.c: planes that need no way to be followed.
//
// A pair that cannot close within dt keeps its planes. So does one that overlaps already, one that
// closes but not at its points, and one that slides by less than the width of the patch on which it
// lies. Letters and the way itself: collision/path/path.c.
// Test: tests/collision/path/test_path_hold.c
#include "collision/path/path_hold.h"

#include <math.h>

// A thin patch of points ends within a step that carries the shapes across this share of it.
#define HOLD_PATCH 0.7

// Returns e. A point at r closes at n.(u + w_a x r_a - w_b x r_b), and n.(w x r) = r.(n x w).
double tni_path_get_end(const tni_path_sums *sums) {
    const tni_manifold *manifold = sums->manifold;
    tni_dvec3 n = dvec3_from_float(manifold->normal);
    tni_dvec3 of_a = dvec3_cross(n, sums->spin_a), of_b = dvec3_cross(n, sums->spin_b);
    tni_dvec3 turning = dvec3_sub(of_a, of_b);
    double common = dvec3_dot(n, dvec3_sub(sums->velocity_a, sums->velocity_b)) +
                    dvec3_dot(of_a, sums->from_a) - dvec3_dot(of_b, sums->from_b);
    double end = HUGE_VAL;
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        tni_dvec3 at = dvec3_from_float(manifold->points[i].position);
        double gap = (double)manifold->points[i].separation;
        double left = gap - (common + dvec3_dot(turning, at)) * sums->dt;
        end = left < end ? left : end;
    }
    return end;
}

// Returns half the width of the patch across which the points lie, m: the root of the least
// eigenvalue of their covariance in the plane. It is not the distance to the nearest corner: at a
// seam the patch is a sliver, and only its width counts.
static double hold_get_patch_width(const tni_manifold *manifold) {
    vec3s n = manifold->normal, e1 = maths_vec3_perpendicular(n), e2 = glms_vec3_cross(n, e1);
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    double share = 1.0 / (double)manifold->point_count;
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        double u = (double)glms_vec3_dot(e1, manifold->points[p].position);
        double v = (double)glms_vec3_dot(e2, manifold->points[p].position);
        x += share * u;
        y += share * v;
        xx += share * u * u;
        xy += share * u * v;
        yy += share * v * v;
    }
    xx -= x * x;
    yy -= y * y;
    xy -= x * y;
    double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy);
    double least = mean - sqrt(half * half + xy * xy);
    return least > 0.0 ? sqrt(least) : 0.0;
}

// Has it three points or more that stay where they are, as shares of their patch go?
static bool hold_has_lasting_patch(const tni_path_sums *sums) {
    if (sums->manifold->point_count < 3) {
        return false;
    }
    tni_dvec3 n = dvec3_from_float(sums->manifold->normal);
    tni_dvec3 u = dvec3_sub(sums->velocity_b, sums->velocity_a);
    tni_dvec3 across = dvec3_add_scaled(u, -dvec3_dot(n, u), n);
    double way = (dvec3_length(across) + sums->reach_speed) * sums->dt + sums->tolerance;
    return way < HOLD_PATCH * hold_get_patch_width(sums->manifold);
}

// Do the shapes turn far? Then they leave the planes of their points behind, and come with other
// points.
static bool hold_turns(const tni_path_sums *sums) {
    double turn = dvec3_length(sums->spin_a) + dvec3_length(sums->spin_b);
    return sums->reach_speed > 0.0 && turn * sums->dt > TNI_PATH_TURN;
}

bool tni_path_stays(const tni_path_sums *sums, bool *out_is_confirmed) {
    tni_dvec3 n = dvec3_from_float(sums->manifold->normal);
    tni_dvec3 u = dvec3_sub(sums->velocity_a, sums->velocity_b);
    double q = sums->tolerance, way = (dvec3_dot(n, u) + sums->reach_speed) * sums->dt;
    double gap = (double)tni_manifold_get_least(sums->manifold);
    *out_is_confirmed = false;
    if (sums->manifold->point_count == 0 ||
        tni_path_keeps(gap, way, sums->slack, q, sums->is_confirmed)) {
        return true;
    }
    bool may_leave = gap > q && hold_turns(sums);
    double least = sums->has_axes ? q : sums->slack;
    if (tni_path_get_end(sums) > least && !may_leave) {
        return true; // faces that come nearer than q are looked at, lest round-off stop them
    }
    *out_is_confirmed = sums->has_axes;
    return !may_leave && hold_has_lasting_patch(sums);
}
