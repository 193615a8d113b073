// collision/ray_convex.c: see ray_convex.h.
//
// A cone frustum is the part of rho <= R(y), R linear, between its caps. On the ray that is a
// quadratic in s, of which the caps leave the part with R >= 0: there the solid is convex, and the
// ray is inside of it for one interval of s. A tapered capsule is two balls and the frustum
// between the circles along which the cone touches them.
//
// A rounded shape is met where the distance from its core is the rounding r. Along a ray that
// distance is a convex function of s, with the slope n.t where n leads from the nearest point.
// Newton's method from before the hit stays before it, and takes few rounds.
// Test: tests/collision/test_ray_convex.c
#include "collision/ray_convex.h"

#include "collision/support.h"

#define RAY_MOST_ROUNDS 64
// The hit is found to this share of the shape's size.
#define RAY_FOUND 1e-9

static bool ray_convex_begin_inside(tni_ray_hit *out_hit) {
    *out_hit = (tni_ray_hit){0};
    return true;
}

// ---- frusta --------------------------------------------------------------------------------

// The caps are at `low` and `high` of the y axis.
typedef struct ray_frustum {
    double low, high, bottom, top;
} ray_frustum;

// The ray is inside from `enter` to `leave`.
typedef struct ray_interval {
    double enter, leave;
    tni_dvec3 normal; // where it enters
} ray_interval;

static bool ray_clip_caps(const ray_frustum *f, tni_dvec3 o, tni_dvec3 t, ray_interval *in) {
    if (t.y == 0.0) {
        return o.y >= f->low && o.y <= f->high;
    }
    double s[2] = {(f->low - o.y) / t.y, (f->high - o.y) / t.y};
    in->enter = maths_min_d(s[0], s[1]);
    in->leave = maths_max_d(s[0], s[1]);
    in->normal = dvec3_make(0.0, t.y > 0.0 ? -1.0 : 1.0, 0.0);
    return true;
}

// Clips to the cone: A s^2 + 2 B s + C <= 0 on the side where R >= 0. Returns false when nothing is
// left.
static bool ray_clip_side(const ray_frustum *f, tni_dvec3 o, tni_dvec3 t, ray_interval *in) {
    double rise = (f->top - f->bottom) / (f->high - f->low);
    double r = f->bottom + rise * (o.y - f->low), slope = rise * t.y;
    double a = t.x * t.x + t.z * t.z - slope * slope, b = o.x * t.x + o.z * t.z - r * slope;
    double c = o.x * o.x + o.z * o.z - r * r, low, high;
    double square = b * b - a * c;
    if (a > 0.0) {
        if (square < 0.0) {
            return false;
        }
        double q = b < 0.0 ? sqrt(square) - b : -sqrt(square) - b;
        double s[2] = {q / a, q != 0.0 ? c / q : 0.0};
        low = maths_min_d(s[0], s[1]);
        high = maths_max_d(s[0], s[1]);
    } else { // the ray goes up the cone, and stays inside of it towards its wide end
        double root = sqrt(maths_max_d(square, 0.0)), q = b < 0.0 ? root - b : -root - b;
        double s[2] = {a < 0.0 ? q / a : q * -(double)INFINITY, q != 0.0 ? c / q : 0.0};
        bool widens = slope > 0.0;
        if (slope == 0.0) { // along the axis of a cylinder
            return c <= 0.0;
        }
        low = widens ? (a < 0.0 ? maths_max_d(s[0], s[1]) : s[1]) : -(double)INFINITY;
        high = widens ? (double)INFINITY : (a < 0.0 ? maths_min_d(s[0], s[1]) : s[1]);
    }
    if (low > in->enter) {
        tni_dvec3 at = dvec3_add_scaled(o, low, t);
        double off = sqrt(at.x * at.x + at.z * at.z), length = sqrt(1.0 + rise * rise);
        double inverse = maths_inverse_or_zero_d(off * length);
        in->enter = low;
        in->normal = dvec3_make(at.x * inverse, -rise / length, at.z * inverse);
        if (inverse == 0.0) { // the tip
            in->normal = dvec3_make(0.0, rise > 0.0 ? -1.0 : 1.0, 0.0);
        }
    }
    in->leave = maths_min_d(in->leave, high);
    return in->enter <= in->leave;
}

// Finds the interval. The sums are about the place of the ray that is nearest to the middle: there
// they are of numbers no larger than the frustum.
static bool ray_find_interval(const ray_frustum *f, const tni_ray *ray, ray_interval *in) {
    tni_dvec3 t = ray->translation, o = ray->origin;
    double near = -dvec3_dot(o, t) * maths_inverse_or_zero_d(dvec3_dot(t, t));
    o = dvec3_add_scaled(o, near, t);
    *in = (ray_interval){-(double)INFINITY, (double)INFINITY, {0.0, 0.0, 0.0}};
    if (!ray_clip_caps(f, o, t, in) || !ray_clip_side(f, o, t, in)) {
        return false;
    }
    in->enter += near;
    in->leave += near;
    return in->enter <= 1.0 && in->leave >= 0.0;
}

static bool ray_is_in_frustum(const ray_frustum *f, tni_dvec3 o) {
    double r = f->bottom + (f->top - f->bottom) * (o.y - f->low) / (f->high - f->low);
    return o.y >= f->low && o.y <= f->high && o.x * o.x + o.z * o.z <= r * r;
}

bool tni_ray_meet_cylinder(const tni_geometry *geometry, const tni_ray *ray, tni_ray_hit *out_hit) {
    double half = (double)geometry->cylinder.half_length;
    ray_frustum f = {-half, half, (double)geometry->cylinder.radius_bottom,
                     (double)geometry->cylinder.radius_top};
    ray_interval in;
    if (ray_is_in_frustum(&f, ray->origin)) {
        return ray_convex_begin_inside(out_hit);
    }
    if (!ray_find_interval(&f, ray, &in) || in.enter < 0.0) {
        return false;
    }
    *out_hit = (tni_ray_hit){in.enter, in.normal};
    return true;
}

// ---- round shapes --------------------------------------------------------------------------

bool tni_ray_meet_tapered_capsule(const tni_geometry *geometry, const tni_ray *ray,
                                  tni_ray_hit *out_hit) {
    double half = (double)geometry->tapered_capsule.half_length, best = (double)INFINITY;
    const double radii[2] = {(double)geometry->tapered_capsule.radius_bottom,
                             (double)geometry->tapered_capsule.radius_top};
    double sine = (radii[0] - radii[1]) / (2.0 * half),
           cosine = sqrt(maths_max_d(1.0 - sine * sine, 0.0));
    ray_frustum f = {-half + radii[0] * sine, half + radii[1] * sine, radii[0] * cosine,
                     radii[1] * cosine};
    tni_dvec3 normal = {0.0, 0.0, 0.0};
    bool is_inside = ray_is_in_frustum(&f, ray->origin);
    for (int e = 0; e < 2; ++e) {
        tni_dvec3 from = ray->origin;
        from.y += e == 0 ? half : -half;
        is_inside = is_inside || dvec3_dot(from, from) <= radii[e] * radii[e];
        double s;
        if (tni_ray_enter_ball(from, ray->translation, radii[e], &s) && s < best) {
            best = s;
            normal = dvec3_add_scaled(from, s, ray->translation);
        }
    }
    if (is_inside) {
        return ray_convex_begin_inside(out_hit);
    }
    ray_interval in;
    if (ray_find_interval(&f, ray, &in) && in.enter >= 0.0 && in.enter < best) {
        best = in.enter;
        normal = in.normal;
    }
    if (!(best <= 1.0)) {
        return false;
    }
    double inverse = maths_inverse_or_zero_d(dvec3_length(normal));
    *out_hit = (tni_ray_hit){best, dvec3_scale(normal, inverse)};
    return true;
}

// Casts the ray at a ball of radius 1, along the ray that the axes' inverses take to it.
bool tni_ray_meet_ellipsoid(const tni_geometry *geometry, const tni_ray *ray,
                            tni_ray_hit *out_hit) {
    tni_dvec3 r = dvec3_from_float(geometry->ellipsoid.radii), o = ray->origin;
    tni_dvec3 t = ray->translation;
    o = dvec3_make(o.x / r.x, o.y / r.y, o.z / r.z);
    t = dvec3_make(t.x / r.x, t.y / r.y, t.z / r.z);
    if (dvec3_dot(o, o) <= 1.0) {
        return ray_convex_begin_inside(out_hit);
    }
    double s;
    if (!tni_ray_enter_ball(o, t, 1.0, &s)) {
        return false;
    }
    tni_dvec3 at = dvec3_add_scaled(o, s, t), n = dvec3_make(at.x / r.x, at.y / r.y, at.z / r.z);
    *out_hit = (tni_ray_hit){s, dvec3_scale(n, 1.0 / dvec3_length(n))};
    return true;
}

// ---- rounded shapes ------------------------------------------------------------------------

// Returns how far p is from the rounded surface, with the normal there; 0 within.
static double ray_convex_get_distance(const tni_convex *convex, const tni_convex *point,
                                      tni_dvec3 p, tni_dvec3 *out_normal) {
    tni_relative relative = {{{{1.0f, 0.0f, 0.0f}}, {{0.0f, 1.0f, 0.0f}}, {{0.0f, 0.0f, 1.0f}}},
                             dvec3_to_float(p)};
    tni_gjk_result gjk;
    tni_gjk_distance(&convex->set, &point->set, &relative, &gjk);
    if (gjk.is_overlapping) {
        return 0.0;
    }
    tni_dvec3 n = dvec3_from_float(gjk.normal);
    n = dvec3_scale(n, 1.0 / dvec3_length(n));
    *out_normal = n;
    double distance = dvec3_dot(n, dvec3_sub(p, tni_convex_get_core_point(convex, n)));
    return maths_max_d(distance - convex->radius, 0.0);
}

bool tni_ray_meet_rounded(const tni_geometry *geometry, const tni_ray *ray, tni_ray_hit *out_hit) {
    tni_geometry at = {.type = TNI_GEOMETRY_SPHERE};
    tni_convex convex, point;
    tni_convex_set(&convex, geometry);
    tni_convex_set(&point, &at);
    tni_dvec3 o = ray->origin, t = ray->translation, n = {0.0, 0.0, 0.0};
    double s = 0.0, size = convex.size; // which has the rounding
    if (dvec3_length(o) > size && !tni_ray_enter_ball(o, t, size, &s)) {
        return false;
    }
    for (int i = 0; i < RAY_MOST_ROUNDS; ++i) {
        double d = ray_convex_get_distance(&convex, &point, dvec3_add_scaled(o, s, t), &n);
        if (d <= RAY_FOUND * size) {
            break;
        }
        double slope = dvec3_dot(n, t);
        if (!(slope < 0.0) || s - d / slope > 1.0) {
            return false;
        }
        s -= d / slope;
    }
    *out_hit = (tni_ray_hit){s, n};
    return s > 0.0 || ray_convex_begin_inside(out_hit);
}
