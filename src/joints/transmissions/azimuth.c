// joints/transmissions/azimuth.c: the angle of a vector about a body's axis.
//
// Symbols: x, y, z axes of a frame on the own body; V the vector, rho = |V - (V . x) x|; v, w
// velocity and angular velocity, r an arm from a centre of mass; "o" the own body, "p" the other
// one; all in world axes.
//
//   phi = atan2(V . z, V . y)
//   e = (V - (V . x) x) / rho,  t = x x e
//   phi' = t . V' / rho,  phi'' = t . V'' / rho - 2 (e . V') (t . V') / rho^2
// with V' and V'' as seen from the own body (the second line is the gradient of atan2 and its
// second derivatives, -(e t^T + t e^T) / rho^2). A line has V = x_p + r_p - x_o - r_o, and
// with s = V + r_o:
//   V'  = v_p + w_p x r_p - v_o - w_o x s
//   V'' = w_p x (w_p x r_p) + w_o x (w_o x s) - 2 w_o x (v_p + w_p x r_p - v_o)
//   lin_o = -t / rho   ang_o = t x s / rho   lin_p = t / rho   ang_p = r_p x t / rho
// A direction that is fixed to the other body is the same with s = r_p = V and without velocities;
// one that is fixed to the world has r_p = 0. If V lies along x it has no angle, and the rows are
// zero.
// Test: tests/joints/transmissions/test_azimuth.c
#include "joints/transmissions/azimuth.h"

#include "joints/parts/curvature.h"

// A vector nearer to the axis than this share of its length, or shorter than this, has no angle.
#define AZIMUTH_NONE 1e-9

static void azimuth_measure(const tni_axes *frame, tni_dvec3 v, tni_azimuth *azimuth) {
    double y = dvec3_dot(v, frame->y), z = dvec3_dot(v, frame->z), rho = sqrt(y * y + z * z);
    if (!(rho > AZIMUTH_NONE * (1.0 + dvec3_length(v)))) {
        return;
    }
    azimuth->angle = tni_maths_atan2(z, y);
    azimuth->inverse = 1.0 / rho;
    double cosine = y * azimuth->inverse, sine = z * azimuth->inverse;
    azimuth->e = dvec3_add_scaled(dvec3_scale(frame->y, cosine), sine, frame->z);
    azimuth->t = dvec3_add_scaled(dvec3_scale(frame->z, cosine), -sine, frame->y);
}

tni_azimuth tni_azimuth_of_line(const tni_axes *frame, tni_dvec3 d, tni_dvec3 arm,
                                tni_dvec3 arm_of_other) {
    tni_azimuth azimuth = {.s = dvec3_add(d, arm), .r = arm_of_other, .has_shifts = true};
    azimuth_measure(frame, d, &azimuth);
    return azimuth;
}

tni_azimuth tni_azimuth_of_direction(const tni_axes *frame, tni_dvec3 v, bool is_of_world) {
    tni_azimuth azimuth = {.s = v, .r = is_of_world ? dvec3_make(0.0, 0.0, 0.0) : v};
    azimuth_measure(frame, v, &azimuth);
    return azimuth;
}

// ---- along a motion ----------------------------------------------------------------------------

// Returns v_p + w_p x r_p - v_o.
static tni_dvec3 azimuth_get_outer_rate(const tni_azimuth *azimuth, const tni_body_motion *own,
                                        const tni_body_motion *other) {
    tni_dvec3 rate = dvec3_cross(other->angular_velocity, azimuth->r);
    if (azimuth->has_shifts) {
        rate = dvec3_add(rate, dvec3_sub(other->velocity, own->velocity));
    }
    return rate;
}

double tni_azimuth_get_rate(const tni_azimuth *azimuth, const tni_body_motion *own,
                            const tni_body_motion *other) {
    tni_dvec3 rate = azimuth_get_outer_rate(azimuth, own, other);
    rate = dvec3_sub(rate, dvec3_cross(own->angular_velocity, azimuth->s));
    return dvec3_dot(azimuth->t, rate) * azimuth->inverse;
}

double tni_azimuth_get_term(const tni_azimuth *azimuth, const tni_body_motion *own,
                            const tni_body_motion *other) {
    tni_dvec3 w_o = own->angular_velocity, w_p = other->angular_velocity;
    tni_dvec3 outer = azimuth_get_outer_rate(azimuth, own, other);
    tni_dvec3 inner = dvec3_cross(w_o, azimuth->s);
    tni_dvec3 rate = dvec3_sub(outer, inner);
    tni_dvec3 second = dvec3_cross(w_p, dvec3_cross(w_p, azimuth->r));
    second = dvec3_add(second, dvec3_cross(w_o, inner));
    second = dvec3_add_scaled(second, -2.0, dvec3_cross(w_o, outer));
    double along = dvec3_dot(azimuth->e, rate) * azimuth->inverse;
    double across = dvec3_dot(azimuth->t, rate) * azimuth->inverse;
    return dvec3_dot(azimuth->t, second) * azimuth->inverse - 2.0 * along * across;
}

// ---- curvature ---------------------------------------------------------------------------------

// Adds the products of e . V' and t . V' by one body's six numbers, but for the sign. The arm is s
// or r.
static void azimuth_add_bends(const tni_azimuth *azimuth, double x, tni_dvec3 arm, double k[6][6]) {
    double along[6], across[6], shifts = azimuth->has_shifts ? 1.0 : 0.0;
    curvature_lay(dvec3_scale(azimuth->e, shifts), dvec3_cross(arm, azimuth->e), along);
    curvature_lay(dvec3_scale(azimuth->t, shifts), dvec3_cross(arm, azimuth->t), across);
    curvature_add_products(k, x * azimuth->inverse * azimuth->inverse, along, across);
    curvature_add_turns(k, x * azimuth->inverse, azimuth->t, arm);
}

// Adds both bodies' curvature; shifts and turns of the own body add -2 t . (w_o x -v_o) / rho.
static void azimuth_add_curvature(const tni_azimuth *azimuth, double x, uint32_t own,
                                  tni_curvature *curvature) {
    double(*of_own)[6] = curvature_get_end(curvature, own, azimuth->has_shifts);
    double(*of_other)[6] = curvature_get_end(curvature, 1 - own, azimuth->has_shifts);
    azimuth_add_bends(azimuth, x, azimuth->s, of_own);
    azimuth_add_bends(azimuth, x, azimuth->r, of_other);
    if (azimuth->has_shifts) {
        curvature_add_mixed(of_own, dvec3_scale(azimuth->t, x * azimuth->inverse));
    }
}

// ---- as part of a row --------------------------------------------------------------------------

void tni_rows_put_azimuth(const tni_rows *out, uint32_t r, const tni_azimuth *azimuth,
                          double factor, uint32_t own) {
    if (out->exact != NULL) {
        tni_row_end *of_own = &out->exact[r].ends[own], *of_other = &out->exact[r].ends[1 - own];
        tni_dvec3 g = dvec3_scale(azimuth->t, factor * azimuth->inverse);
        of_own->angular = dvec3_add(of_own->angular, dvec3_cross(g, azimuth->s));
        of_other->angular = dvec3_add(of_other->angular, dvec3_cross(azimuth->r, g));
        if (azimuth->has_shifts) {
            of_own->linear = dvec3_sub(of_own->linear, g);
            of_other->linear = dvec3_add(of_other->linear, g);
        }
    }
    if (out->terms != NULL) {
        out->terms[r] += factor * tni_azimuth_get_term(azimuth, out->ends[own], out->ends[1 - own]);
    }
    if (out->curvature != NULL) {
        azimuth_add_curvature(azimuth, factor * out->strengths[r], own, out->curvature);
    }
}
