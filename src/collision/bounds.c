// collision/bounds.c: axis-aligned bounds of a geometry in the world, and how far it reaches.
//
// The sums are in double and the result is rounded outward to float: at 1000 km a float's step is
// 6 cm, and a box rounded to nearest could miss its own shape by half of that.
// Test: tests/collision/test_bounds.c
#include <string.h>

#include "collision/concave/concave.h"
#include "collision/geometry.h"
#include "collision/stretch.h"
#include "core/lanes.h"
#include "core/simd_double.h"

// Rounds bounds outward. The rounding to nearest errs by half a step; one part in 2^23 is at least
// a whole step.
TNI_KERNEL tni_bounds bounds_round(tni_f4 lower, tni_f4 upper) {
    tni_f4 step = f4_splat(FLT_EPSILON), least = f4_splat(FLT_MIN);
    tni_bounds bounds;
    lower = f4_sub(f4_sub(lower, f4_mul(f4_abs(lower), step)), least);
    upper = f4_add(f4_add(upper, f4_mul(f4_abs(upper), step)), least);
    f4_store3(bounds.lower.raw, lower);
    f4_store3(bounds.upper.raw, upper);
    return bounds;
}

tni_bounds tni_bounds_round(tni_dvec3 lower, tni_dvec3 upper) {
    return bounds_round(f4_from_double3(&lower.x), f4_from_double3(&upper.x));
}

TNI_KERNEL tni_bounds bounds_around(tni_dvec3 center, tni_dvec3 extent) {
    tni_d2 c = d2_make(center.x, center.y), e = d2_make(extent.x, extent.y);
    return bounds_round(f4_from_d2_and(d2_sub(c, e), center.z - extent.z),
                        f4_from_d2_and(d2_add(c, e), center.z + extent.z));
}

static tni_bounds bounds_of_hull(const tni_hull *hull, tni_dvec3 center, const tni_dmat3 *r) {
    const float *x = hull->lanes, *y = x + hull->lane_count, *z = y + hull->lane_count;
    tni_d2 least[3], most[3];
    for (uint32_t k = 0; k < 3; ++k) {
        least[k] = d2_splat(DBL_MAX);
        most[k] = d2_splat(-DBL_MAX);
    }
    for (uint32_t i = 0; i < hull->lane_count; i += 2) { // two corners at once
        tni_d2 u = d2_from_floats(x + i), v = d2_from_floats(y + i), w = d2_from_floats(z + i);
        for (uint32_t k = 0; k < 3; ++k) {
            tni_d2 along = d2_mul(d2_splat(r->m[k][0]), u);
            along = d2_add_product(along, d2_splat(r->m[k][1]), v);
            along = d2_add_product(along, d2_splat(r->m[k][2]), w);
            least[k] = d2_min(along, least[k]);
            most[k] = d2_max(along, most[k]);
        }
    }
    double low[3], high[3];
    for (uint32_t k = 0; k < 3; ++k) {
        low[k] = d2_low(d2_min(least[k], d2_swap(least[k])));
        high[k] = d2_low(d2_max(most[k], d2_swap(most[k])));
    }
    tni_dvec3 lower = dvec3_make(low[0], low[1], low[2]);
    tni_dvec3 upper = dvec3_make(high[0], high[1], high[2]);
    tni_dvec3 middle = dvec3_scale(dvec3_add(lower, upper), 0.5);
    tni_dvec3 extent = dvec3_scale(dvec3_sub(upper, lower), 0.5);
    return bounds_around(dvec3_add(center, middle), extent);
}

// Returns |a|. 0 - 0 is 0, so that no zero keeps a sign.
TNI_KERNEL tni_d2 bounds_abs(tni_d2 a) {
    return d2_max(a, d2_sub(d2_splat(0.0), a));
}

// Returns the bounds of a box, which reaches |R| h: this takes the entries of dmat3_from_quat(),
// those along x and y of the world at once.
static tni_bounds bounds_of_box(vec3s half_extents, tni_dvec3 center, tni_dquat q) {
    tni_dvec3 h = dvec3_from_float(half_extents);
    tni_d2 one = d2_splat(1.0), xy = d2_make(q.x, q.y), yx = d2_make(q.y, q.x), z = d2_splat(q.z);
    tni_d2 squares = d2_mul(xy, xy), with_z = d2_mul(xy, z);  // xx, yy; xz, yz
    tni_d2 with_w = d2_mul(yx, d2_make(q.w, -q.w));           // wy, -wx
    tni_d2 diagonal = d2_add(d2_swap(squares), d2_mul(z, z)); // yy + zz, xx + zz
    tni_d2 right = d2_add(with_z, with_w), below = d2_sub(with_z, with_w);
    double product = q.x * q.y, turn = q.w * q.z;
    double last = d2_low(squares) + d2_high(squares), under = product + turn, over = product - turn;
    diagonal = d2_sub(one, d2_add(diagonal, diagonal));
    tni_d2 first = d2_lows(diagonal, d2_splat(under + under));
    tni_d2 second = d2_highs(d2_splat(over + over), diagonal);
    tni_d2 reach = d2_mul(bounds_abs(first), d2_splat(h.x));
    reach = d2_add_product(reach, bounds_abs(second), d2_splat(h.y));
    reach = d2_add_product(reach, bounds_abs(d2_add(right, right)), d2_splat(h.z));
    tni_d2 reach_z = d2_mul(bounds_abs(d2_add(below, below)), d2_make(h.x, h.y));
    double z_extent = d2_sum(reach_z) + fabs(1.0 - (last + last)) * h.z;
    tni_d2 at = d2_make(center.x, center.y);
    return bounds_round(f4_from_d2_and(d2_sub(at, reach), center.z - z_extent),
                        f4_from_d2_and(d2_add(at, reach), center.z + z_extent));
}

// Returns how far a shape of revolution reaches up an axis of the world: `along` is that axis's
// share of the shape's own, `across` what is left of it, 1 for balls.
static double bounds_get_end(double half, double bottom, double top, double along, double across) {
    return maths_max_d(half * along + top * across, bottom * across - half * along);
}

// Returns the bounds of a shape whose caps, or whose balls, have two radii.
static tni_bounds bounds_of_revolution(const tni_geometry *geometry, tni_dvec3 center,
                                       const tni_dmat3 *r) {
    bool is_cylinder = geometry->type == TNI_GEOMETRY_CYLINDER;
    double half = (double)(is_cylinder ? geometry->cylinder.half_length
                                       : geometry->tapered_capsule.half_length);
    double bottom = (double)(is_cylinder ? geometry->cylinder.radius_bottom
                                         : geometry->tapered_capsule.radius_bottom);
    double top = (double)(is_cylinder ? geometry->cylinder.radius_top
                                      : geometry->tapered_capsule.radius_top);
    double low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        double x = r->m[i][0], y = r->m[i][1], z = r->m[i][2];
        double across = is_cylinder ? sqrt(x * x + z * z) : 1.0;
        high[i] = bounds_get_end(half, bottom, top, y, across) + (double)geometry->rounding;
        low[i] = bounds_get_end(half, bottom, top, -y, across) + (double)geometry->rounding;
    }
    tni_dvec3 above = dvec3_make(high[0], high[1], high[2]);
    tni_dvec3 below = dvec3_make(low[0], low[1], low[2]);
    tni_dvec3 middle = dvec3_scale(dvec3_sub(above, below), 0.5);
    return bounds_around(dvec3_add(center, middle), dvec3_scale(dvec3_add(above, below), 0.5));
}

static tni_bounds bounds_of_ellipsoid(const tni_geometry *geometry, tni_dvec3 center,
                                      const tni_dmat3 *r) {
    tni_dvec3 axes = dvec3_from_float(geometry->ellipsoid.radii);
    double reach[3];
    for (int i = 0; i < 3; ++i) {
        tni_dvec3 row = dvec3_make(r->m[i][0] * axes.x, r->m[i][1] * axes.y, r->m[i][2] * axes.z);
        reach[i] = dvec3_length(row) + (double)geometry->rounding;
    }
    return bounds_around(center, dvec3_make(reach[0], reach[1], reach[2]));
}

// Grows bounds by the rounding of a box or a hull.
static TNI_NO_INLINE tni_bounds bounds_grow(tni_bounds bounds, float rounding) {
    tni_dvec3 lower = dvec3_from_float(bounds.lower), upper = dvec3_from_float(bounds.upper);
    tni_dvec3 by = dvec3_make((double)rounding, (double)rounding, (double)rounding);
    return tni_bounds_round(dvec3_sub(lower, by), dvec3_add(upper, by));
}

// Adds the offset of a geometry. It is out of line because few shapes need it.
static TNI_NO_INLINE tni_dvec3 bounds_shift(const tni_geometry *geometry, const tni_dpose *pose) {
    tni_dvec3 offset = dvec3_from_float(geometry->position);
    return dvec3_add(pose->position, dquat_rotate(pose->rotation, offset));
}
static TNI_NO_INLINE tni_dquat bounds_turn(const tni_geometry *geometry, const tni_dpose *pose) {
    return dquat_mul(pose->rotation, dquat_from_float(geometry->rotation));
}

// Returns the centre of a geometry. Most geometries sit in the middle of their body and are not
// turned against it: then nothing has to be added or multiplied.
TNI_KERNEL tni_dvec3 bounds_center(const tni_geometry *geometry, const tni_dpose *pose) {
    uint32_t bits[3];
    memcpy(bits, geometry->position.raw, sizeof bits);
    if ((bits[0] | bits[1] | bits[2]) == 0) {
        return pose->position;
    }
    return bounds_shift(geometry, pose);
}

TNI_KERNEL tni_dquat bounds_rotation(const tni_geometry *geometry, const tni_dpose *pose) {
    static const float one = 1.0f;
    uint32_t bits[4], own;
    memcpy(bits, geometry->rotation.raw, sizeof bits);
    memcpy(&own, &one, sizeof own);
    if ((bits[0] | bits[1] | bits[2] | (bits[3] ^ own)) == 0) {
        return pose->rotation;
    }
    return bounds_turn(geometry, pose);
}

// Returns the bounds of a stretched shape: |(R A)_i| along axis i, and the extent of a capsule's
// segment along it.
static tni_bounds bounds_of_stretched(const tni_geometry *geometry, tni_dvec3 center,
                                      const tni_dmat3 *r) {
    const tni_stretch *stretch = geometry->stretch;
    tni_dmat3 map = dmat3_mul(r, &stretch->map);
    bool is_capsule = geometry->type == TNI_GEOMETRY_CAPSULE;
    double half = is_capsule ? (double)geometry->capsule.half_length : 0.0, reach[3];
    for (int i = 0; i < 3; ++i) {
        tni_dvec3 row = dvec3_make(map.m[i][0], map.m[i][1], map.m[i][2]);
        reach[i] = stretch->radius * dvec3_length(row) + fabs(r->m[i][1]) * half;
    }
    return bounds_around(center, dvec3_make(reach[0], reach[1], reach[2]));
}

// Bounds the box that bounds a concave geometry in its own frame.
static tni_bounds bounds_of_concave(const tni_bounds *box, tni_dvec3 center, const tni_dmat3 *r) {
    tni_dvec3 lower = dvec3_from_float(box->lower), upper = dvec3_from_float(box->upper);
    tni_dvec3 middle = dvec3_scale(dvec3_add(lower, upper), 0.5);
    tni_dvec3 half = dvec3_scale(dvec3_sub(upper, lower), 0.5), reach;
    middle = dvec3_add(center, dmat3_mul_vec(r, middle));
    double *to = &reach.x;
    for (int i = 0; i < 3; ++i) {
        to[i] = fabs(r->m[i][0]) * half.x + fabs(r->m[i][1]) * half.y + fabs(r->m[i][2]) * half.z;
    }
    return bounds_around(middle, reach);
}

static tni_bounds bounds_of_sharp(const tni_geometry *geometry, const tni_dpose *pose) {
    tni_dvec3 center = bounds_center(geometry, pose);
    if (geometry->stretch != NULL) {
        tni_dmat3 turn = dmat3_from_quat(dquat_renormalize(bounds_rotation(geometry, pose)));
        return bounds_of_stretched(geometry, center, &turn);
    }
    if (geometry->type == TNI_GEOMETRY_BOX) {
        tni_dquat turn = dquat_renormalize(bounds_rotation(geometry, pose));
        return bounds_of_box(geometry->box.half_extents, center, turn);
    }
    if (geometry->type == TNI_GEOMETRY_SPHERE) {
        double radius = (double)geometry->sphere.radius;
        return bounds_around(center, dvec3_make(radius, radius, radius));
    }
    tni_dmat3 r = dmat3_from_quat(dquat_renormalize(bounds_rotation(geometry, pose)));
    switch (geometry->type) {
    case TNI_GEOMETRY_CAPSULE: {
        double half = (double)geometry->capsule.half_length;
        double radius = (double)geometry->capsule.radius;
        return bounds_around(center, dvec3_make(fabs(r.m[0][1]) * half + radius,
                                                fabs(r.m[1][1]) * half + radius,
                                                fabs(r.m[2][1]) * half + radius));
    }
    case TNI_GEOMETRY_HULL:
        return bounds_of_hull(geometry->hull.hull, center, &r);
    case TNI_GEOMETRY_CYLINDER:
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        return bounds_of_revolution(geometry, center, &r);
    case TNI_GEOMETRY_ELLIPSOID:
        return bounds_of_ellipsoid(geometry, center, &r);
    case TNI_GEOMETRY_COMPOUND:
    case TNI_GEOMETRY_HEIGHT_FIELD:
    case TNI_GEOMETRY_MESH:
        return bounds_of_concave(&geometry->concave->bounds, center, &r);
    default:
        return tni_bounds_everywhere();
    }
}

tni_bounds tni_geometry_bounds(const tni_geometry *geometry, const tni_dpose *pose) {
    tni_bounds bounds = bounds_of_sharp(geometry, pose);
    bool grows = geometry->rounding > 0.0f && tni_geometry_is_polyhedron(geometry);
    return grows ? bounds_grow(bounds, geometry->rounding) : bounds;
}

static float bounds_get_inner_radius(const tni_geometry *geometry) {
    vec3s h = geometry->box.half_extents;
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        return geometry->sphere.radius;
    case TNI_GEOMETRY_CAPSULE:
        return geometry->capsule.radius;
    case TNI_GEOMETRY_BOX:
        return maths_min(h.x, maths_min(h.y, h.z));
    case TNI_GEOMETRY_HULL:
        return geometry->hull.hull->inner_radius;
    case TNI_GEOMETRY_CYLINDER: { // to the caps, or square to the side
        float half = geometry->cylinder.half_length;
        float bottom = geometry->cylinder.radius_bottom, top = geometry->cylinder.radius_top;
        float length = 2.0f * half, slant = bottom - top;
        float across = length / sqrtf(length * length + slant * slant);
        return maths_min(half, 0.5f * (bottom + top) * across);
    }
    case TNI_GEOMETRY_TAPERED_CAPSULE: // a ball between the two
        return 0.5f *
               (geometry->tapered_capsule.radius_bottom + geometry->tapered_capsule.radius_top);
    case TNI_GEOMETRY_ELLIPSOID: {
        vec3s r = geometry->ellipsoid.radii;
        return maths_min(r.x, maths_min(r.y, r.z));
    }
    case TNI_GEOMETRY_HALF_SPACE:
    default:
        return FLT_MAX;
    }
}

float tni_geometry_inner_radius(const tni_geometry *geometry) {
    return bounds_get_inner_radius(geometry) + geometry->rounding;
}

// Returns the height of the centroid of a frustum over the middle of its axis.
static float bounds_get_frustum_height(float half, float bottom, float top) {
    float a = bottom * bottom, b = bottom * top, c = top * top, sum = a + b + c;
    return sum > 0.0f ? half * (c - a) / (2.0f * sum) : 0.0f;
}

vec3s tni_geometry_get_centroid(const tni_geometry *geometry) {
    float y = 0.0f;
    if (geometry->type == TNI_GEOMETRY_HULL) {
        return geometry->hull.hull->center;
    }
    if (geometry->type == TNI_GEOMETRY_CYLINDER) {
        y = bounds_get_frustum_height(geometry->cylinder.half_length,
                                      geometry->cylinder.radius_bottom,
                                      geometry->cylinder.radius_top);
    } else if (geometry->type == TNI_GEOMETRY_TAPERED_CAPSULE) {
        y = bounds_get_frustum_height(geometry->tapered_capsule.half_length,
                                      geometry->tapered_capsule.radius_bottom,
                                      geometry->tapered_capsule.radius_top);
    }
    return maths_vec3(0.0f, y, 0.0f);
}

// Returns how far a cap about y of the axis reaches from p.
static float bounds_get_cap_reach(vec3s p, float y, float radius) {
    float off = sqrtf(p.x * p.x + p.z * p.z) + radius, along = p.y - y;
    return sqrtf(off * off + along * along);
}

static float bounds_get_ball_reach(vec3s p, float y, float radius) {
    return glms_vec3_distance(p, maths_vec3(0.0f, y, 0.0f)) + radius;
}

// Returns the reach from a point of the geometry's own frame, without the rounding.
static float bounds_get_reach(const tni_geometry *geometry, vec3s p) {
    const tni_stretch *stretch = geometry->stretch;
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        return glms_vec3_norm(p) +
               (stretch != NULL ? (float)stretch->greatest_axis : geometry->sphere.radius);
    case TNI_GEOMETRY_CAPSULE: {
        float y = fabsf(p.y) + geometry->capsule.half_length;
        return sqrtf(p.x * p.x + y * y + p.z * p.z) +
               (stretch != NULL ? (float)stretch->greatest_axis : geometry->capsule.radius);
    }
    case TNI_GEOMETRY_BOX: {
        vec3s h = geometry->box.half_extents;
        float x = fabsf(p.x) + h.x, y = fabsf(p.y) + h.y, z = fabsf(p.z) + h.z;
        return sqrtf(x * x + y * y + z * z);
    }
    case TNI_GEOMETRY_HULL: {
        const tni_hull *hull = geometry->hull.hull;
        float farthest = 0.0f;
        for (uint32_t i = 0; i < hull->vertex_count; ++i) {
            farthest = maths_max(farthest, glms_vec3_distance2(p, hull->vertices[i]));
        }
        return sqrtf(farthest);
    }
    case TNI_GEOMETRY_CYLINDER: {
        float half = geometry->cylinder.half_length;
        return maths_max(bounds_get_cap_reach(p, -half, geometry->cylinder.radius_bottom),
                         bounds_get_cap_reach(p, half, geometry->cylinder.radius_top));
    }
    case TNI_GEOMETRY_TAPERED_CAPSULE: {
        float half = geometry->tapered_capsule.half_length;
        return maths_max(bounds_get_ball_reach(p, -half, geometry->tapered_capsule.radius_bottom),
                         bounds_get_ball_reach(p, half, geometry->tapered_capsule.radius_top));
    }
    case TNI_GEOMETRY_ELLIPSOID: {
        vec3s r = geometry->ellipsoid.radii;
        return glms_vec3_norm(p) + maths_max(r.x, maths_max(r.y, r.z));
    }
    case TNI_GEOMETRY_COMPOUND:
    case TNI_GEOMETRY_HEIGHT_FIELD:
    case TNI_GEOMETRY_MESH: {
        const tni_bounds *bounds = &geometry->concave->bounds;
        vec3s to = glms_vec3_maxv(glms_vec3_sub(p, bounds->lower), glms_vec3_sub(bounds->upper, p));
        return glms_vec3_norm(to);
    }
    case TNI_GEOMETRY_HALF_SPACE:
    default:
        return INFINITY;
    }
}

float tni_geometry_reach(const tni_geometry *geometry, vec3s point) {
    vec3s p = maths_rotate_inverse(geometry->rotation, glms_vec3_sub(point, geometry->position));
    return bounds_get_reach(geometry, p) + geometry->rounding;
}

static float bounds_hull_extent(const tni_hull *hull, vec3s direction) {
    const float *x = hull->lanes, *y = x + hull->lane_count, *z = y + hull->lane_count;
    tni_f4 u = f4_splat(direction.x), v = f4_splat(direction.y), w = f4_splat(direction.z);
    tni_f4 most = f4_splat(-FLT_MAX);
    for (uint32_t i = 0; i < hull->lane_count; i += 4) {
        tni_f4 height = f4_add_product(f4_mul(f4_load(x + i), u), f4_load(y + i), v);
        most = f4_max(most, f4_add_product(height, f4_load(z + i), w));
    }
    most = f4_max(most, f4_swap_inner(most));
    return f4_first(f4_max(most, f4_swap_outer(most)));
}

// Returns the extent of shapes with two radii. `off` is the direction's length across the axis for
// caps, or its whole length for balls.
static float bounds_get_tapered_extent(float half, float bottom, float top, float along,
                                       float off) {
    return maths_max(half * along + top * off, bottom * off - half * along);
}

static float bounds_get_extent(const tni_geometry *geometry, vec3s d) {
    vec3s h = geometry->box.half_extents;
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        return geometry->sphere.radius * sqrtf(glms_vec3_dot(d, d));
    case TNI_GEOMETRY_CAPSULE:
        return fabsf(d.y) * geometry->capsule.half_length +
               geometry->capsule.radius * sqrtf(glms_vec3_dot(d, d));
    case TNI_GEOMETRY_BOX:
        return fabsf(d.x) * h.x + fabsf(d.y) * h.y + fabsf(d.z) * h.z;
    case TNI_GEOMETRY_HULL:
        return bounds_hull_extent(geometry->hull.hull, d);
    case TNI_GEOMETRY_CYLINDER:
        return bounds_get_tapered_extent(
            geometry->cylinder.half_length, geometry->cylinder.radius_bottom,
            geometry->cylinder.radius_top, d.y, sqrtf(d.x * d.x + d.z * d.z));
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        return bounds_get_tapered_extent(
            geometry->tapered_capsule.half_length, geometry->tapered_capsule.radius_bottom,
            geometry->tapered_capsule.radius_top, d.y, sqrtf(glms_vec3_dot(d, d)));
    case TNI_GEOMETRY_ELLIPSOID:
        return glms_vec3_norm(glms_vec3_mul(geometry->ellipsoid.radii, d));
    default:
        return 0.0f;
    }
}

float tni_geometry_extent(const tni_geometry *geometry, vec3s direction) {
    float extent = bounds_get_extent(geometry, direction);
    if (geometry->rounding > 0.0f) {
        extent += geometry->rounding * glms_vec3_norm(direction);
    }
    return extent;
}
