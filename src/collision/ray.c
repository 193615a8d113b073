// collision/ray.c: where a ray first meets a ball, capsule, box, hull or half-space.
//
// A convex solid with flat faces is the intersection of half-spaces n . p <= d. On the ray p = o +
// s t each one holds for s on one side of (d - n . o) / (n . t): the ray is inside from the last of
// these that it enters by to the first that it leaves by (Cyrus and Beck, 1978).
//
// A ball is met where |o + s t| = r. With s0 = -(o . t) / (t . t), the place nearest to the middle,
// and m = o + s0 t, that is s = s0 - sqrt((r^2 - m . m) / (t . t)): the difference of squares is
// then of numbers no larger than the ball, however far off the ray begins. A capsule is a cylinder
// about the y axis, whose flat ends lie within two balls: the ray enters it where it first enters
// one of the three.
// Source: E. Haines, J. Günther, T. Akenine-Möller, "Precision improvements for ray/sphere
// intersection", Ray Tracing Gems, 2019.
// Test: tests/collision/test_ray.c
#include "collision/ray.h"

#include "collision/concave/concave.h"
#include "collision/ray_convex.h"
#include "collision/stretch.h"
#include "core/dmat3.h"

static bool ray_begin_inside(tni_ray_hit *out_hit) {
    *out_hit = (tni_ray_hit){0};
    return true;
}

// ---- flat faces -------------------------------------------------------------------------------

// This is the part of the ray that is inside of all half-spaces so far.
typedef struct ray_part {
    double enter, leave;
    tni_dvec3 normal; // of the face it enters by
} ray_part;

static ray_part ray_start(void) {
    ray_part part = {-(double)INFINITY, (double)INFINITY, {0.0, 0.0, 0.0}};
    return part;
}

// Clips by a half-space, also by a box's faces, two by two. Returns false when nothing is left.
static bool ray_clip(ray_part *part, const tni_ray *ray, tni_dvec3 normal, double offset) {
    double above = dvec3_dot(normal, ray->origin) - offset;
    double rise = dvec3_dot(normal, ray->translation);
    if (rise == 0.0) {
        return above <= 0.0;
    }
    double s = -above / rise;
    if (rise > 0.0) {
        part->leave = s < part->leave ? s : part->leave;
    } else if (s > part->enter) {
        part->enter = s;
        part->normal = normal;
    }
    return part->enter <= part->leave;
}

static bool ray_end(const ray_part *part, tni_ray_hit *out_hit) {
    if (part->enter > 1.0 || part->leave < 0.0) {
        return false;
    }
    if (part->enter <= 0.0) {
        return ray_begin_inside(out_hit);
    }
    *out_hit = (tni_ray_hit){part->enter, part->normal};
    return true;
}

static bool ray_meet_box(vec3s half_extents, const tni_ray *ray, tni_ray_hit *out_hit) {
    ray_part part = ray_start();
    for (int i = 0; i < 3; ++i) {
        double unit[3] = {0.0, 0.0, 0.0}, half = (double)half_extents.raw[i];
        unit[i] = 1.0;
        tni_dvec3 normal = dvec3_make(unit[0], unit[1], unit[2]);
        if (!ray_clip(&part, ray, normal, half) ||
            !ray_clip(&part, ray, dvec3_scale(normal, -1.0), half)) {
            return false;
        }
    }
    return ray_end(&part, out_hit);
}

static bool ray_meet_hull(const tni_hull *hull, const tni_ray *ray, tni_ray_hit *out_hit) {
    ray_part part = ray_start();
    for (uint32_t i = 0; i < hull->face_count; ++i) {
        const tni_plane *plane = &hull->planes[i];
        if (!ray_clip(&part, ray, dvec3_from_float(plane->normal), (double)plane->offset)) {
            return false;
        }
    }
    return ray_end(&part, out_hit);
}

static bool ray_meet_half_space(const tni_ray *ray, tni_ray_hit *out_hit) {
    ray_part part = ray_start();
    return ray_clip(&part, ray, dvec3_make(0.0, 1.0, 0.0), 0.0) && ray_end(&part, out_hit);
}

// ---- round shapes -----------------------------------------------------------------------------

bool tni_ray_enter_ball(tni_dvec3 origin, tni_dvec3 translation, double radius,
                        double *out_fraction) {
    double length_squared = dvec3_dot(translation, translation);
    double towards = -dvec3_dot(origin, translation);
    if (!(towards > 0.0)) {
        return false;
    }
    double nearest = towards / length_squared;
    tni_dvec3 middle = dvec3_add_scaled(origin, nearest, translation);
    double inside = radius * radius - dvec3_dot(middle, middle);
    if (!(inside >= 0.0)) {
        return false;
    }
    double s = nearest - sqrt(inside / length_squared);
    *out_fraction = s > 0.0 ? s : 0.0;
    return s <= 1.0;
}

static tni_dvec3 ray_get_direction(tni_dvec3 v, double length) {
    return dvec3_scale(v, 1.0 / length);
}

static bool ray_meet_ball(double radius, const tni_ray *ray, tni_ray_hit *out_hit) {
    tni_dvec3 o = ray->origin, t = ray->translation;
    double s;
    if (dvec3_dot(o, o) <= radius * radius) {
        return ray_begin_inside(out_hit);
    }
    if (!tni_ray_enter_ball(o, t, radius, &s)) {
        return false;
    }
    tni_dvec3 point = dvec3_add_scaled(o, s, t);
    *out_hit = (tni_ray_hit){s, ray_get_direction(point, dvec3_length(point))};
    return true;
}

// Returns the vector from the nearest point of the capsule's axis.
static tni_dvec3 ray_get_off_axis(tni_dvec3 point, double half) {
    double along = point.y > half ? half : point.y < -half ? -half : point.y;
    return dvec3_make(point.x, point.y - along, point.z);
}

static bool ray_meet_capsule(double half, double radius, const tni_ray *ray, tni_ray_hit *out_hit) {
    tni_dvec3 o = ray->origin, t = ray->translation;
    tni_dvec3 off = ray_get_off_axis(o, half);
    if (dvec3_dot(off, off) <= radius * radius) {
        return ray_begin_inside(out_hit);
    }
    double first = (double)INFINITY, s;
    tni_dvec3 flat_o = dvec3_make(o.x, 0.0, o.z), flat_t = dvec3_make(t.x, 0.0, t.z);
    if (dvec3_dot(flat_o, flat_o) > radius * radius &&
        tni_ray_enter_ball(flat_o, flat_t, radius, &s) && fabs(o.y + s * t.y) <= half) {
        first = s;
    }
    for (int end = -1; end <= 1; end += 2) {
        tni_dvec3 from = dvec3_make(o.x, o.y - end * half, o.z);
        if (tni_ray_enter_ball(from, t, radius, &s) && s < first) {
            first = s;
        }
    }
    if (first > 1.0) {
        return false;
    }
    tni_dvec3 outward = ray_get_off_axis(dvec3_add_scaled(o, first, t), half);
    *out_hit = (tni_ray_hit){first, ray_get_direction(outward, dvec3_length(outward))};
    return true;
}

// The ray is cast at the undeformed shape, along the ray that A takes to it; normals go by A^-T.
static bool ray_meet_stretched(const tni_geometry *geometry, const tni_ray *ray,
                               tni_ray_hit *out_hit) {
    const tni_stretch *stretch = geometry->stretch;
    tni_ray at_rest = {dmat3_mul_vec(&stretch->inverse, ray->origin),
                       dmat3_mul_vec(&stretch->inverse, ray->translation)};
    bool meets = geometry->type == TNI_GEOMETRY_CAPSULE
                     ? ray_meet_capsule(stretch->half_length, stretch->radius, &at_rest, out_hit)
                     : ray_meet_ball(stretch->radius, &at_rest, out_hit);
    if (meets && dvec3_dot(out_hit->normal, out_hit->normal) > 0.0) {
        tni_dvec3 n = dmat3_mul_transposed_vec(&stretch->inverse, out_hit->normal);
        out_hit->normal = ray_get_direction(n, dvec3_length(n));
    }
    return meets;
}

static bool ray_meet_convex(const tni_geometry *geometry, const tni_ray *ray,
                            tni_ray_hit *out_hit) {
    if (geometry->stretch != NULL) {
        return ray_meet_stretched(geometry, ray, out_hit);
    }
    if (geometry->rounding > 0.0f) {
        return tni_ray_meet_rounded(geometry, ray, out_hit);
    }
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        return ray_meet_ball((double)geometry->sphere.radius, ray, out_hit);
    case TNI_GEOMETRY_CAPSULE:
        return ray_meet_capsule((double)geometry->capsule.half_length,
                                (double)geometry->capsule.radius, ray, out_hit);
    case TNI_GEOMETRY_BOX:
        return ray_meet_box(geometry->box.half_extents, ray, out_hit);
    case TNI_GEOMETRY_HULL:
        return ray_meet_hull(geometry->hull.hull, ray, out_hit);
    case TNI_GEOMETRY_CYLINDER:
        return tni_ray_meet_cylinder(geometry, ray, out_hit);
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        return tni_ray_meet_tapered_capsule(geometry, ray, out_hit);
    case TNI_GEOMETRY_ELLIPSOID:
        return tni_ray_meet_ellipsoid(geometry, ray, out_hit);
    case TNI_GEOMETRY_HALF_SPACE:
        return ray_meet_half_space(ray, out_hit);
    default:
        return false;
    }
}

// A ray leaves where the same ray enters on its way from its end back to its origin.
static bool ray_leave_convex(const tni_geometry *geometry, const tni_ray *ray,
                             tni_ray_hit *out_hit) {
    tni_ray back = {dvec3_add(ray->origin, ray->translation), dvec3_scale(ray->translation, -1.0)};
    if (!ray_meet_convex(geometry, &back, out_hit) || out_hit->fraction == 0.0) {
        return false;
    }
    out_hit->fraction = 1.0 - out_hit->fraction;
    return true;
}

bool tni_geometry_cast_ray(const tni_geometry *geometry, const tni_ray *ray, tni_ray_way way,
                           tni_ray_hit *out_hit) {
    if (tni_geometry_is_concave(geometry->type)) {
        return geometry->concave->kind->cast_ray(geometry->concave, ray, way, out_hit);
    }
    if (way == TNI_RAY_LEAVES) {
        return ray_leave_convex(geometry, ray, out_hit);
    }
    return ray_meet_convex(geometry, ray, out_hit) &&
           (way == TNI_RAY_ENTERS || out_hit->fraction > 0.0);
}

// ---- axis-aligned boxes -----------------------------------------------------------------------

tni_ray_slabs tni_ray_get_slabs(const tni_ray *ray) {
    tni_dvec3 from = ray->origin, way = ray->translation;
    tni_ray_slabs slabs = {.origin = {from.x, from.y, from.z},
                           .inverse = {1.0 / way.x, 1.0 / way.y, 1.0 / way.z}};
    for (int i = 0; i < 3; ++i) {
        slabs.is_across[i] = !isfinite(slabs.inverse[i]);
    }
    return slabs;
}

double tni_bounds_cast_ray(const tni_bounds *bounds, const tni_ray_slabs *slabs) {
    double enter = 0.0, leave = 1.0;
    for (int i = 0; i < 3; ++i) {
        double lower = (double)bounds->lower.raw[i] - slabs->origin[i];
        double upper = (double)bounds->upper.raw[i] - slabs->origin[i];
        if (slabs->is_across[i]) {
            leave = lower <= 0.0 && upper >= 0.0 ? leave : -1.0;
            continue;
        }
        double a = lower * slabs->inverse[i], b = upper * slabs->inverse[i];
        double near = a < b ? a : b, far = a < b ? b : a;
        enter = near > enter ? near : enter;
        leave = far < leave ? far : leave;
    }
    return enter <= leave ? enter : (double)INFINITY;
}
