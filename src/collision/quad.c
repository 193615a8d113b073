// collision/quad.c: see quad.h.
//
// On the ray p = o + u d, with the larger of |d_i| equal to 1 and u in metres along that axis, a
// box lies between u = (lower - o) / d and (upper - o) / d on each axis (Kay and Kajiya, "Ray
// Tracing Complex Scenes", 1986). All sums are in float. The ray's origin is first moved to where
// it enters the box of all, in double, so that floats hold it as exactly as they hold the boxes.
// Every box is widened by as much as rounding may still lose: e on each side, by two origins o + e
// and o - e, and some parts in 2^23 of u. So a box is never missed, and one that the ray misses by
// a hair may be visited: shapes themselves are tested in double. A box that is swept along the ray
// widens all boxes by half of its edges, which is the same sum. An axis along which the ray hardly
// goes has 1 / d = 1e37: finite, so that no 0 is multiplied by an infinity, and so large that only
// boxes beside the ray are cut. Test: tests/collision/test_tree.c, concave/test_mesh.c
#include "collision/quad.h"

// 1 / d is at most this.
#define QUAD_MOST_INVERSE 1e37
// The least by which boxes are widened, m: smaller numbers are rounded to zero.
#define QUAD_LEAST_MARGIN 1e-14
// Roundings of a float at the origin, and of a double at the ray's own ends.
#define QUAD_FLOAT_ROUNDING  2.4e-7
#define QUAD_DOUBLE_ROUNDING 1e-15

void tni_quad_set(tni_quad *quad, uint32_t lane, const tni_bounds *bounds, uint32_t child) {
    for (int k = 0; k < 3; ++k) {
        quad->corners[k][lane] = bounds->lower.raw[k];
        quad->corners[k + 3][lane] = bounds->upper.raw[k];
    }
    quad->child[lane] = child;
}

static double quad_get_largest(tni_dvec3 v) {
    return maths_max_d(fabs(v.x), maths_max_d(fabs(v.y), fabs(v.z)));
}

static double quad_invert(double way, double scale) {
    double inverse = fabs(way) * QUAD_MOST_INVERSE > scale ? scale / way : QUAD_MOST_INVERSE;
    return inverse > QUAD_MOST_INVERSE ? QUAD_MOST_INVERSE : inverse;
}

bool tni_quad_ray_set(tni_quad_ray *out_ray, const tni_bounds *root, const tni_ray *ray,
                      tni_dvec3 reach) {
    tni_dvec3 o = ray->origin, t = ray->translation;
    tni_bounds wide = tni_bounds_widen(root, reach);
    tni_ray_slabs slabs = tni_ray_get_slabs(ray);
    double first = tni_bounds_cast_ray(&wide, &slabs);
    if (!(first <= 1.0)) {
        return false;
    }
    tni_dvec3 from = dvec3_add_scaled(o, first, t);
    double scale = quad_get_largest(t);
    double margin = QUAD_LEAST_MARGIN + QUAD_FLOAT_ROUNDING * quad_get_largest(from) +
                    QUAD_FLOAT_ROUNDING * quad_get_largest(reach) +
                    QUAD_DOUBLE_ROUNDING * (quad_get_largest(o) + scale);
    tni_dvec3 around = dvec3_add(reach, dvec3_make(margin, margin, margin));
    tni_dvec3 above = dvec3_add(from, around), below = dvec3_sub(from, around);
    const double lows[3] = {above.x, above.y, above.z}, highs[3] = {below.x, below.y, below.z};
    const double ways[3] = {t.x, t.y, t.z};
    for (uint32_t k = 0; k < 3; ++k) {
        double inverse = quad_invert(ways[k], scale);
        bool is_back = inverse < 0.0;
        float low = maths_to_float(lows[k]), high = maths_to_float(highs[k]);
        out_ray->near[k] = is_back ? k + 3 : k;
        out_ray->far[k] = is_back ? k : k + 3;
        out_ray->near_from[k] = f4_splat(is_back ? high : low);
        out_ray->far_from[k] = f4_splat(is_back ? low : high);
        out_ray->inverse[k] = f4_splat(maths_to_float(inverse));
    }
    out_ray->first = first;
    out_ray->scale = scale;
    return true;
}

float tni_quad_ray_get_limit(const tni_quad_ray *ray, double limit) {
    double rounding = QUAD_DOUBLE_ROUNDING * 4.0;
    return maths_to_float(ray->scale * ((limit - ray->first) * (1.0 + QUAD_SLACK) + rounding));
}
