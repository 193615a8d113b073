// collision/manifold/roll.c: how a touching place moves on a curved surface.
//
// The place p(n) of a surface whose outward normal is n moves, while the shape turns by w, with
//     w x p - S (w x n),        S = dp/dn,
// so that only the point p - S n goes with the shape. S is r 1 of a ball, R/s t t^T of a rim or a
// side of radius R, with s the sine of the angle between n and the axis and t the direction along
// the rim, and (E^2 - p p^T) / h of an ellipsoid with the half axes E, h = n.p. The solver keeps
// one radius for a contact (solver/contacts/contact_arms.h): that of S along w x n. For a coin on
// its rim that is the distance to its axis, along n. Test: tests/collision/manifold/test_roll.c
#include "collision/geometry.h"

// A normal nearer to the axis than this sine has no rim that rolls.
#define ROLL_LEAST_SINE 0.02f

static float roll_on_cylinder(const tni_geometry *geometry, vec3s n, vec3s d, bool is_line) {
    float half = geometry->cylinder.half_length, sine = sqrtf(n.x * n.x + n.z * n.z);
    float top = geometry->cylinder.radius_top, bottom = geometry->cylinder.radius_bottom;
    if (sine < ROLL_LEAST_SINE) {
        return 0.0f;
    }
    bool is_top = half * n.y + top * sine > bottom * sine - half * n.y;
    float along = (n.z * d.x - n.x * d.z) / sine; // the part along the rim
    float radius = is_line ? 0.5f * (bottom + top) : is_top ? top : bottom;
    return radius / sine * along * along;
}

static float roll_on_ellipsoid(vec3s radii, vec3s n, vec3s d) {
    vec3s of_n = glms_vec3_mul(radii, n), of_d = glms_vec3_mul(radii, d);
    float h = glms_vec3_norm(of_n), across = glms_vec3_dot(of_n, of_d) / h;
    return (glms_vec3_dot(of_d, of_d) - across * across) / h;
}

float tni_geometry_get_roll_radius(const tni_geometry *geometry, vec3s outward, vec3s spin,
                                   bool is_line) {
    vec3s d = glms_vec3_cross(spin, outward);
    float length = glms_vec3_norm(d), rounding = geometry->rounding;
    if (!(length > 0.0f)) {
        return rounding;
    }
    d = glms_vec3_scale(d, 1.0f / length);
    switch (geometry->type) {
    case TNI_GEOMETRY_CYLINDER:
        return rounding + roll_on_cylinder(geometry, outward, d, is_line);
    case TNI_GEOMETRY_ELLIPSOID:
        return rounding + roll_on_ellipsoid(geometry->ellipsoid.radii, outward, d);
    case TNI_GEOMETRY_TAPERED_CAPSULE: {
        float bottom = geometry->tapered_capsule.radius_bottom;
        float top = geometry->tapered_capsule.radius_top;
        bool is_top = 2.0f * geometry->tapered_capsule.half_length * outward.y > bottom - top;
        return is_line ? 0.5f * (bottom + top) : is_top ? top : bottom;
    }
    default:
        return tni_geometry_roundness(geometry);
    }
}
