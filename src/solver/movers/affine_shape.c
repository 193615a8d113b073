// solver/movers/affine_shape.c: an affine body as contacts see it.
//
// The surface that touches is the shape at rest under A = R U: faces stay flat and edges straight.
// That makes no solid of a body that is crushed flat or turned inside out, which a material of
// finite stiffness does not forbid. Contacts therefore see U with principal stretches within
// bounds,
//     U = Q diag(s) Q^T,    seen: Q diag(clamp(s)) Q^T
// which is U itself within them, and continuous. A contact takes hold of the material X whose place
// is seen there, X = U^-1 R^T (p - c), and it moves as all material, by c' + A' X.
//
// A point of the shape at rest at X from the centre of mass is at c + R U X. With the frame of the
// shape at rest at p, turned by G, in the body's axes, that is a polyhedron in the frame at U p,
// turned by G, of the corners
//     v' = G^T U G v
// so that the body's rotation R, which is all that others know of it, takes it to where it is. G^T
// U G makes an ellipsoid from a sphere, and from a capsule a segment with an ellipsoid along it
// (collision/stretch.h).
// Source: of bounded principal stretches, G. Irving, J. Teran, R. Fedkiw, "Invertible finite
// elements for robust simulation of large deformation", 2004. Test:
// tests/solver/movers/test_affine_shape.c
#include "core/dmat3.h"
#include "solver/movers/affine.h"

// Principal stretches that contacts see.
#define SHAPE_LEAST 0.05
#define SHAPE_MOST  20.0

// Returns whether all eigenvalues are certainly within the bounds, by Gershgorin's circles.
static bool shape_is_within(const tni_dmat3 *u) {
    bool is_within = true;
    for (int i = 0; i < 3; ++i) {
        double off = fabs(u->m[i][(i + 1) % 3]) + fabs(u->m[i][(i + 2) % 3]), own = u->m[i][i];
        is_within = is_within && own - off >= SHAPE_LEAST && own + off <= SHAPE_MOST;
    }
    return is_within;
}

static double shape_clamp(double stretch) {
    return maths_min_d(maths_max_d(stretch, SHAPE_LEAST), SHAPE_MOST);
}

tni_dmat3 tni_affine_get_shape(const tni_reduced *reduced) {
    const tni_dmat3 *u = &reduced->affine->stretch;
    tni_dvec3 s;
    tni_dquat axes;
    if (shape_is_within(u)) {
        return *u;
    }
    tni_maths_diagonalize(u, &s, &axes);
    tni_dmat3 q = dmat3_from_quat(axes), back = dmat3_transpose(&q);
    tni_dmat3 bounded = {
        {{shape_clamp(s.x), 0.0, 0.0}, {0.0, shape_clamp(s.y), 0.0}, {0.0, 0.0, shape_clamp(s.z)}}};
    tni_dmat3 turned = dmat3_mul(&q, &bounded), seen = dmat3_mul(&turned, &back);
    return dmat3_symmetric_part(&seen);
}

// Contacts see a crushed body thicker than it is, so its surface moves as its middle does, not as
// the material that has gone through it.
static double shape_get_share(double stretch) {
    return maths_min_d(maths_max_d(stretch / SHAPE_LEAST, 0.0), 1.0) / shape_clamp(stretch);
}

// Returns the inverse of the U that contacts see.
static tni_dmat3 shape_get_back(const tni_reduced *reduced) {
    const tni_dmat3 *u = &reduced->affine->stretch;
    tni_dvec3 s;
    tni_dquat axes;
    if (shape_is_within(u)) {
        tni_dmat3 cofactor = dmat3_cofactor(u), zero = {{{0.0}}};
        return dmat3_add_scaled(&zero, maths_inverse_or_zero_d(dmat3_determinant(u)), &cofactor);
    }
    tni_maths_diagonalize(u, &s, &axes);
    tni_dmat3 q = dmat3_from_quat(axes), back = dmat3_transpose(&q);
    tni_dmat3 shares = {{{shape_get_share(s.x), 0.0, 0.0},
                         {0.0, shape_get_share(s.y), 0.0},
                         {0.0, 0.0, shape_get_share(s.z)}}};
    tni_dmat3 turned = dmat3_mul(&q, &shares), seen = dmat3_mul(&turned, &back);
    return dmat3_symmetric_part(&seen);
}

void tni_affine_find_material(const tni_reduced *reduced, const tni_dvec3 *points, uint32_t count,
                              tni_dvec3 *out_material) {
    tni_dmat3 back = shape_get_back(reduced);
    for (uint32_t i = 0; i < count; ++i) {
        tni_dvec3 from = dvec3_sub(points[i], reduced->bodies[0].position);
        tni_dvec3 turned = dmat3_mul_transposed_vec(&reduced->affine->rotation, from);
        out_material[i] = dmat3_mul_vec(&back, turned);
    }
}

const tni_hull *tni_affine_get_rest(const tni_geometry *geometry, tni_box_hull *storage) {
    if (geometry->type == TNI_GEOMETRY_BOX) {
        tni_box_hull_set(storage, geometry->box.half_extents);
        return &storage->hull;
    }
    return geometry->type == TNI_GEOMETRY_HULL ? geometry->hull.hull : NULL;
}

void tni_affine_deform(const tni_reduced *reduced, const tni_geometry *rest, tni_dvec3 center,
                       tni_deformed *deformed) {
    tni_box_hull storage;
    const tni_hull *hull = tni_affine_get_rest(rest, &storage);
    tni_dmat3 u = tni_affine_get_shape(reduced);
    tni_dmat3 frame = dmat3_from_quat(dquat_from_float(rest->rotation));
    tni_dmat3 turned = dmat3_mul_transposed(&frame, &u), map = dmat3_mul(&turned, &frame);
    tni_dvec3 from = dvec3_sub(dvec3_from_float(rest->position), center);
    tni_dvec3 place = dvec3_add(center, dmat3_mul_vec(&u, from));
    deformed->geometry.position = dvec3_to_float(place);
    deformed->reach = tni_geometry_reach(rest, dvec3_to_float(center));
    if (hull != NULL) {
        tni_hull_deform(hull, &map, deformed->hull);
    } else {
        map = dmat3_symmetric_part(&map);
        tni_stretch_make(rest, &map, &deformed->stretch, &deformed->geometry);
    }
}
