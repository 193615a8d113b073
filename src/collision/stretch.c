// collision/stretch.c: see stretch.h.
#include "collision/stretch.h"

#include "collision/narrow.h"
#include "core/dmat3.h"

static tni_dmat3 stretch_invert(const tni_dmat3 *a) {
    tni_dmat3 cofactor = dmat3_cofactor(a), zero = {{{0.0}}};
    tni_dmat3 adjugate = dmat3_transpose(&cofactor);
    return dmat3_add_scaled(&zero, maths_inverse_or_zero_d(dmat3_determinant(a)), &adjugate);
}

// Returns the rotation that turns y to the direction of d, which is less than a right angle away.
static tni_dquat stretch_turn_to(tni_dvec3 d) {
    tni_dvec3 axis = dvec3_scale(d, maths_inverse_or_zero_d(dvec3_length(d)));
    return dquat_normalize(dquat_make(axis.z, 0.0, -axis.x, 1.0 + axis.y));
}

static void stretch_measure_axes(const tni_dmat3 *map, tni_stretch *stretch) {
    tni_dvec3 s;
    tni_dquat axes;
    tni_maths_diagonalize(map, &s, &axes);
    double least = maths_min_d(s.x, maths_min_d(s.y, s.z)),
           greatest = maths_max_d(s.x, maths_max_d(s.y, s.z));
    stretch->least_axis = stretch->radius * least;
    stretch->greatest_axis = stretch->radius * greatest;
    stretch->least_curve = stretch->radius * least * least / greatest;
}

void tni_stretch_make(const tni_geometry *rest, const tni_dmat3 *map, tni_stretch *out_stretch,
                      tni_geometry *out_geometry) {
    bool is_capsule = rest->type == TNI_GEOMETRY_CAPSULE;
    tni_stretch *stretch = out_stretch;
    stretch->collide = tni_manifold_compute_stretched;
    stretch->map = *map;
    stretch->radius = (double)(is_capsule ? rest->capsule.radius : rest->sphere.radius);
    stretch->half_length = is_capsule ? (double)rest->capsule.half_length : 0.0;
    stretch_measure_axes(map, stretch);
    out_geometry->stretch = stretch;
    if (is_capsule) {
        tni_dvec3 along = dmat3_get_column(map, 1);
        tni_dquat turn = stretch_turn_to(along);
        tni_dmat3 turned = dmat3_from_quat(turn);
        stretch->map = dmat3_mul_transposed(&turned, map);
        out_geometry->rotation = dquat_to_float(dquat_mul(dquat_from_float(rest->rotation), turn));
        out_geometry->capsule.half_length = (float)(stretch->half_length * dvec3_length(along));
    }
    stretch->inverse = stretch_invert(&stretch->map);
}

tni_dvec3 tni_stretch_get_point(const tni_stretch *stretch, tni_dvec3 n) {
    tni_dvec3 back = dmat3_mul_transposed_vec(&stretch->map, n);
    double scale = stretch->radius * maths_inverse_or_zero_d(dvec3_length(back));
    return dvec3_scale(dmat3_mul_vec(&stretch->map, back), scale);
}
