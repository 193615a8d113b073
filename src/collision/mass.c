// collision/mass.c: volume, centroid and inertia of a geometry, in double.
//
// Everything is per kg of mass at unit density, about the centroid, then turned into the body's
// axes. Sphere, capsule and box have closed forms; a hull carries its own, integrated when it was
// built: the solid is cut into tetrahedra (apex, v0, v1, v2), and each one's covariance is that of
// the unit tetrahedron under the affine map (Brian Mirtich, "Fast and Accurate Computation of
// Polyhedral Mass Properties", 1996; David Eberly, "Polyhedral Mass Properties (Revisited)", 2002).
// Test: tests/collision/test_mass.c
#include "collision/concave.h"

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

// Returns R I R^T.
static tni_dmat3 mass_turn(const tni_dmat3 *r, const tni_dmat3 *inertia) {
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
    tni_dvec3 local_center = dvec3_make(0.0, 0.0, 0.0);
    tni_dvec3 diagonal = dvec3_make(0.0, 0.0, 0.0);
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
    case TNI_GEOMETRY_HULL: {
        const tni_hull *hull = geometry->hull.hull;
        mass.volume = (double)hull->volume;
        local_center = dvec3_from_float(hull->center);
        mass.unit_inertia = mass_turn(&r, &hull->unit_inertia);
        break;
    }
    case TNI_GEOMETRY_COMPOUND:
    case TNI_GEOMETRY_HEIGHT_FIELD:
    case TNI_GEOMETRY_MESH: {
        const tni_mass_properties *own = &geometry->concave->mass;
        mass.volume = own->volume;
        local_center = own->center;
        mass.unit_inertia = mass_turn(&r, &own->unit_inertia);
        break;
    }
    case TNI_GEOMETRY_HALF_SPACE:
    default:
        return mass;
    }
    if (geometry->type != TNI_GEOMETRY_HULL && !tni_geometry_is_concave(geometry->type)) {
        mass.unit_inertia = dmat3_rotate_diagonal(&r, diagonal);
    }
    mass.center =
        dvec3_add(dvec3_from_float(geometry->position), dquat_rotate(rotation, local_center));
    return mass;
}
