// collision/mass.c: volume, centroid and inertia of a geometry, in double.
//
// Everything is per kg of mass at unit density, about the centroid, then turned into the body's
// axes. Sphere, capsule and box have closed forms; a hull carries its own, integrated when it was
// built: the solid is cut into tetrahedra (apex, v0, v1, v2), and each one's covariance is that of
// the unit tetrahedron under the affine map (Brian Mirtich, "Fast and Accurate Computation of
// Polyhedral Mass Properties", 1996; David Eberly, "Polyhedral Mass Properties (Revisited)", 2002).
// Test: tests/collision/test_mass.c
#include "collision/concave/concave.h"
#include "collision/hull.h"
#include "collision/mass_round.h"

static tni_dvec3 mass_sphere(double r, double *out_volume) {
    *out_volume = 4.0 / 3.0 * MATHS_PI * r * r * r;
    double i = 0.4 * r * r;
    return dvec3_make(i, i, i);
}

static tni_dvec3 mass_box(tni_dvec3 h, double *out_volume) {
    *out_volume = 8.0 * h.x * h.y * h.z;
    double xx = h.x * h.x / 3.0, yy = h.y * h.y / 3.0, zz = h.z * h.z / 3.0;
    return dvec3_make(yy + zz, xx + zz, xx + yy);
}

// Measures a capsule as a cylinder of height 2 h and two half balls. A half ball's centroid is 3 r
// / 8 above its base; about the middle of the capsule its transverse inertia is m (2 r^2 / 5 + h^2
// + 3 h r / 4).
static tni_dvec3 mass_capsule(double h, double r, double *out_volume) {
    double cylinder = 2.0 * MATHS_PI * r * r * h;
    double ball = 4.0 / 3.0 * MATHS_PI * r * r * r;
    double volume = cylinder + ball;
    double c = cylinder * maths_inverse_or_zero_d(volume);
    double b = ball * maths_inverse_or_zero_d(volume);
    double axial = c * 0.5 * r * r + b * 0.4 * r * r;
    double transverse = c * (0.25 * r * r + h * h / 3.0) + b * (0.4 * r * r + h * h + 0.75 * h * r);
    *out_volume = volume;
    return dvec3_make(transverse, axial, transverse);
}

// Sets what is integrated: curved shapes, and rounded boxes and hulls. Returns false for others.
static bool mass_integrate(const tni_geometry *geometry, tni_mass_properties *out) {
    tni_box_hull box;
    switch (geometry->type) {
    case TNI_GEOMETRY_CYLINDER:
        tni_mass_of_cylinder(geometry, out);
        return true;
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        tni_mass_of_tapered_capsule(geometry, out);
        return true;
    case TNI_GEOMETRY_ELLIPSOID:
        tni_mass_of_ellipsoid(geometry, out);
        return true;
    case TNI_GEOMETRY_BOX:
        if (geometry->rounding > 0.0f) {
            tni_box_hull_set(&box, geometry->box.half_extents);
            tni_mass_of_rounded_hull(&box.hull, (double)geometry->rounding, out);
        }
        return geometry->rounding > 0.0f;
    case TNI_GEOMETRY_HULL:
        if (geometry->rounding > 0.0f) {
            tni_mass_of_rounded_hull(geometry->hull.hull, (double)geometry->rounding, out);
        }
        return geometry->rounding > 0.0f;
    default:
        return false;
    }
}

// Turns inertia to the body's axes: R I R^T.
static tni_dmat3 mass_turn_inertia(const tni_dmat3 *r, const tni_dmat3 *inertia) {
    tni_dmat3 rotated = dmat3_mul(r, inertia), transposed;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            transposed.m[i][j] = r->m[j][i];
        }
    }
    return dmat3_mul(&rotated, &transposed);
}

tni_mass_properties tni_geometry_mass_properties(const tni_geometry *geometry) {
    tni_mass_properties mass = {0};
    tni_dquat rotation = dquat_normalize(dquat_from_float(geometry->rotation));
    tni_dmat3 r = dmat3_from_quat(rotation);
    tni_dvec3 diagonal = dvec3_make(0.0, 0.0, 0.0);
    bool is_diagonal = !mass_integrate(geometry, &mass);
    if (is_diagonal) {
        switch (geometry->type) {
        case TNI_GEOMETRY_SPHERE:
            diagonal = mass_sphere((double)geometry->sphere.radius, &mass.volume);
            break;
        case TNI_GEOMETRY_CAPSULE:
            diagonal = mass_capsule((double)geometry->capsule.half_length,
                                    (double)geometry->capsule.radius, &mass.volume);
            break;
        case TNI_GEOMETRY_BOX:
            diagonal = mass_box(dvec3_from_float(geometry->box.half_extents), &mass.volume);
            break;
        case TNI_GEOMETRY_HULL:
            mass.volume = (double)geometry->hull.hull->volume;
            mass.center = dvec3_from_float(geometry->hull.hull->center);
            mass.unit_inertia = geometry->hull.hull->unit_inertia;
            is_diagonal = false;
            break;
        case TNI_GEOMETRY_COMPOUND:
        case TNI_GEOMETRY_HEIGHT_FIELD:
        case TNI_GEOMETRY_MESH:
            mass = geometry->concave->mass;
            is_diagonal = false;
            break;
        default: // a half-space has none
            return mass;
        }
    }
    mass.unit_inertia = is_diagonal ? dmat3_rotate_diagonal(&r, diagonal)
                                    : mass_turn_inertia(&r, &mass.unit_inertia);
    mass.center =
        dvec3_add(dvec3_from_float(geometry->position), dquat_rotate(rotation, mass.center));
    return mass;
}
