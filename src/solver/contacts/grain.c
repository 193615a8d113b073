// solver/contacts/grain.c: the ellipse of friction of two surfaces: see grain.h.
#include "solver/contacts/grain.h"

#include "solver/solver.h"

// A symmetric matrix of two rows.
typedef struct grain_matrix {
    double xx, yy, xy;
} grain_matrix;

// The eigenvalues, the larger first, and the eigenvector of the first.
typedef struct grain_eigen {
    double value[2], cosine, sine;
} grain_eigen;

static double grain_get_det(const grain_matrix *a) {
    return maths_max_d(a->xx * a->yy - a->xy * a->xy, 0.0);
}

static grain_eigen grain_find_eigen(const grain_matrix *a) {
    double middle = 0.5 * (a->xx + a->yy), half = 0.5 * (a->xx - a->yy);
    double radius = sqrt(half * half + a->xy * a->xy), first = middle + radius;
    grain_eigen out = {{first, first > 0.0 ? grain_get_det(a) / first : 0.0}, 1.0, 0.0};
    if (radius > 0.0) { // the cosine and sine of half the angle
        double double_cosine = half / radius, double_sine = a->xy / radius;
        double cosine = sqrt(0.5 * (1.0 + fabs(double_cosine)));
        double sine = 0.5 * double_sine / cosine;
        out.cosine = double_cosine >= 0.0 ? cosine : fabs(sine);
        out.sine = double_cosine >= 0.0 ? sine : (double_sine < 0.0 ? -cosine : cosine);
    }
    return out;
}

static grain_matrix grain_compose(const grain_eigen *e) {
    double c = e->cosine, s = e->sine, p = e->value[0], q = e->value[1];
    return (grain_matrix){p * c * c + q * s * s, p * s * s + q * c * c, (p - q) * c * s};
}

// Finds A = P D P on two axes of the plane, with a weaker axis that is not 0.
static grain_matrix grain_flatten(const tni_grain *grain, const tni_dquat *turned,
                                  const tni_dvec3 axis[2]) {
    tni_dvec3 along[2], scaled[2];
    for (uint32_t t = 0; t < 2; ++t) {
        along[t] = turned != NULL ? dquat_rotate_inverse(*turned, axis[t]) : axis[t];
        scaled[t] = dvec3_from_float(sym3_mul(grain->scale, dvec3_to_float(along[t])));
    }
    grain_matrix a = {dvec3_dot(along[0], scaled[0]), dvec3_dot(along[1], scaled[1]),
                      dvec3_dot(along[0], scaled[1])};
    grain_eigen e = grain_find_eigen(&a);
    if (!(e.value[1] < TNI_GRAIN_LEAST * e.value[0])) {
        return a;
    }
    e.value[1] = TNI_GRAIN_LEAST * e.value[0];
    return grain_compose(&e);
}

static grain_matrix grain_get_mean(const grain_matrix *a, const grain_matrix *b) {
    double alpha = sqrt(grain_get_det(a)), beta = sqrt(grain_get_det(b));
    double square = 2.0 * alpha * beta + a->yy * b->xx + a->xx * b->yy - 2.0 * a->xy * b->xy;
    double share = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
    return (grain_matrix){share * (beta * a->xx + alpha * b->xx),
                          share * (beta * a->yy + alpha * b->yy),
                          share * (beta * a->xy + alpha * b->xy)};
}

// Finds the eigenvalues and eigenvectors of M.
static grain_eigen grain_mix(const tni_contact_extras *extras, const tni_dquat *turned,
                             const tni_dvec3 axis[2]) {
    const tni_grain *of_a = &extras->grains[0], *of_b = &extras->grains[1];
    const tni_dquat *turned_b = turned != NULL ? &turned[1] : NULL;
    if (!of_a->is_any || !of_b->is_any) {
        grain_matrix own =
            of_a->is_any ? grain_flatten(of_a, turned, axis) : grain_flatten(of_b, turned_b, axis);
        return grain_find_eigen(&own);
    }
    grain_matrix a = grain_flatten(of_a, turned, axis), b = grain_flatten(of_b, turned_b, axis);
    grain_matrix mean = grain_get_mean(&a, &b);
    grain_eigen e = grain_find_eigen(&mean);
    e.value[0] *= e.value[0];
    e.value[1] = maths_max_d(e.value[1] * e.value[1], TNI_GRAIN_LEAST * e.value[0]);
    return e;
}

void tni_grain_find_axes(const tni_contact_extras *extras, const tni_dquat turned[2],
                         tni_dvec3 normal, tni_grain_axes *out) {
    tni_dvec3 across = dvec3_from_float(maths_vec3_perpendicular(dvec3_to_float(normal)));
    tni_dvec3 axis[2] = {across, dvec3_cross(normal, across)};
    grain_eigen e = {{1.0, 1.0}, 1.0, 0.0};
    if (tni_grain_is_any(extras)) {
        e = grain_mix(extras, turned, axis);
    }
    out->axis[0] = dvec3_add_scaled(dvec3_scale(axis[0], e.cosine), e.sine, axis[1]);
    out->axis[1] = dvec3_cross(normal, out->axis[0]);
    out->scale[0] = e.value[0];
    out->scale[1] = e.value[1];
}

tni_dquat tni_grain_get_turned_to(const tni_grain *grain, tni_dquat now) {
    return dquat_mul(now, dquat_conjugate(dquat_from_float(grain->rotation)));
}

tni_dquat tni_grain_get_turned(const tni_solver *solver, const tni_grain *grain, uint32_t body) {
    bool is_fixed = body == 0; // which stands for all of them
    return is_fixed ? dquat_identity()
                    : tni_grain_get_turned_to(grain, solver->bodies.motions[body].rotation);
}
