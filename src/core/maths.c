// core/maths.c: trigonometry and 3x3 decompositions that give the same bits on every platform.
//
// Only +, -, *, / and sqrt are used, which IEEE 754 rounds correctly everywhere; a C library's sin
// differs between platforms in the last bit, and one bit is another world after a second.
//
// Sine and cosine: x = k pi/2 + r with |r| <= pi/4, then the Taylor series of r, whose first
// omitted term is below 1e-16. pi/2 is the sum of three parts of which the first two have 30 bits,
// so that k times either is exact for |k| < 2^23 and no digits of r are lost (Cody and Waite,
// "Software Manual for the Elementary Functions", 1980, section 3.2).
// Arctangent: t in [0, 1] is brought near one of c = 0, 1/4 .. 1 by
// atan t = atan c + atan((t - c) / (1 + t c)), which leaves |z| <= 1/8 for the Taylor series.
// Eigenvalues: cyclic Jacobi (Golub and Van Loan, "Matrix Computations", 4th ed., section 8.5).
// Test: tests/core/test_maths.c
#include "core/maths.h"

#define MATHS_HALF_PI      1.57079632679489661923
#define MATHS_HALF_PI_HIGH 0x1.921fb54000000p+0
#define MATHS_HALF_PI_MID  0x1.10b4611800000p-30
#define MATHS_HALF_PI_LOW  0x1.313198a2e0370p-61

// Beyond this the argument is first taken modulo 2 pi, with the error that a rounded 2 pi brings.
#define MATHS_REDUCTION_LIMIT 1e6

// A matrix converges in four or five sweeps; the bound only stops one that is not finite.
#define MATHS_JACOBI_SWEEPS 24

// ---- sine and cosine -----------------------------------------------------------------------

// Sums the Taylor series for |r| <= pi/4.
static double maths_sin_series(double r) {
    double z = r * r;
    double s = -1.0 / 1307674368000.0;
    s = s * z + 1.0 / 6227020800.0;
    s = s * z - 1.0 / 39916800.0;
    s = s * z + 1.0 / 362880.0;
    s = s * z - 1.0 / 5040.0;
    s = s * z + 1.0 / 120.0;
    s = s * z - 1.0 / 6.0;
    return r + r * (z * s);
}

static double maths_cos_series(double r) {
    double z = r * r;
    double c = 1.0 / 20922789888000.0;
    c = c * z - 1.0 / 87178291200.0;
    c = c * z + 1.0 / 479001600.0;
    c = c * z - 1.0 / 3628800.0;
    c = c * z + 1.0 / 40320.0;
    c = c * z - 1.0 / 720.0;
    c = c * z + 1.0 / 24.0;
    c = c * z - 1.0 / 2.0;
    return 1.0 + z * c;
}

// Splits a finite x into k pi/2 + r; returns k modulo 4.
static uint32_t maths_reduce(double x, double *out_r) {
    if (fabs(x) > MATHS_REDUCTION_LIMIT) {
        x = fmod(x, 4.0 * MATHS_HALF_PI);
    }
    int32_t k = (int32_t)(x / MATHS_HALF_PI + (x < 0.0 ? -0.5 : 0.5));
    double quarters = (double)k;
    double r = x - quarters * MATHS_HALF_PI_HIGH;
    r -= quarters * MATHS_HALF_PI_MID;
    r -= quarters * MATHS_HALF_PI_LOW;
    *out_r = r;
    return (uint32_t)k & 3u;
}

double tni_maths_sin(double x) {
    if (!isfinite(x)) {
        return (double)NAN;
    }
    double r;
    uint32_t quadrant = maths_reduce(x, &r);
    double value = (quadrant & 1u) ? maths_cos_series(r) : maths_sin_series(r);
    return (quadrant & 2u) ? -value : value;
}

double tni_maths_cos(double x) {
    if (!isfinite(x)) {
        return (double)NAN;
    }
    double r;
    uint32_t quadrant = maths_reduce(x, &r);
    double value = (quadrant & 1u) ? maths_sin_series(r) : maths_cos_series(r);
    return quadrant == 1u || quadrant == 2u ? -value : value;
}

// ---- arctangent and arccosine --------------------------------------------------------------

// Sums the Taylor series for |z| <= 1/8.
static double maths_atan_series(double z) {
    double w = z * z;
    double s = -1.0 / 15.0;
    s = s * w + 1.0 / 13.0;
    s = s * w - 1.0 / 11.0;
    s = s * w + 1.0 / 9.0;
    s = s * w - 1.0 / 7.0;
    s = s * w + 1.0 / 5.0;
    s = s * w - 1.0 / 3.0;
    return z + z * (w * s);
}

// Returns the arctangent of t in [0, 1].
static double maths_atan_unit(double t) {
    static const double atan_of_quarters[5] = {
        0.0,
        0.24497866312686415417,
        0.46364760900080611621,
        0.64350110879328438680,
        0.78539816339744830962,
    };
    int nearest = (int)(4.0 * t + 0.5);
    double c = 0.25 * (double)nearest;
    return atan_of_quarters[nearest] + maths_atan_series((t - c) / (1.0 + t * c));
}

// Returns the angle of (x, y) from the x axis, in (-pi, pi]; 0 for the origin.
double tni_maths_atan2(double y, double x) {
    if (!isfinite(y) || !isfinite(x)) {
        return (double)NAN;
    }
    double ax = fabs(x), ay = fabs(y);
    if (ax == 0.0 && ay == 0.0) {
        return 0.0;
    }
    double angle = ay <= ax ? maths_atan_unit(ay / ax) : MATHS_HALF_PI - maths_atan_unit(ax / ay);
    if (x < 0.0) {
        angle = MATHS_PI - angle;
    }
    return y < 0.0 ? -angle : angle;
}

// ---- symmetric 3x3 -------------------------------------------------------------------------

// Finds the quaternion by Shepperd's method: it divides by the largest of the four components,
// found on the diagonal.
static tni_dquat maths_quat_from_rotation(const tni_dmat3 *r) {
    double xx = r->m[0][0], yy = r->m[1][1], zz = r->m[2][2];
    double trace = xx + yy + zz;
    tni_dquat q;
    if (trace >= xx && trace >= yy && trace >= zz) {
        q = dquat_make(r->m[2][1] - r->m[1][2], r->m[0][2] - r->m[2][0], r->m[1][0] - r->m[0][1],
                       1.0 + trace);
    } else if (xx >= yy && xx >= zz) {
        q = dquat_make(1.0 + xx - yy - zz, r->m[0][1] + r->m[1][0], r->m[0][2] + r->m[2][0],
                       r->m[2][1] - r->m[1][2]);
    } else if (yy >= zz) {
        q = dquat_make(r->m[0][1] + r->m[1][0], 1.0 - xx + yy - zz, r->m[1][2] + r->m[2][1],
                       r->m[0][2] - r->m[2][0]);
    } else {
        q = dquat_make(r->m[0][2] + r->m[2][0], r->m[1][2] + r->m[2][1], 1.0 - xx - yy + zz,
                       r->m[1][0] - r->m[0][1]);
    }
    return dquat_normalize(q);
}

// Makes one Jacobi rotation in the plane of axes p < q that makes a[p][q] zero: a <- G^T a G, v <-
// v G.
static void maths_jacobi_rotate(tni_dmat3 *a, tni_dmat3 *v, int p, int q) {
    if (a->m[p][q] == 0.0) {
        return;
    }
    // t is the tangent of the smaller of the two angles that do it: t^2 + 2 theta t - 1 = 0.
    double theta = (a->m[q][q] - a->m[p][p]) / (2.0 * a->m[p][q]);
    double t = 1.0 / (fabs(theta) + sqrt(theta * theta + 1.0));
    t = theta < 0.0 ? -t : t;
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;

    for (int k = 0; k < 3; ++k) {
        double kp = a->m[k][p], kq = a->m[k][q];
        a->m[k][p] = c * kp - s * kq;
        a->m[k][q] = s * kp + c * kq;
        double vp = v->m[k][p], vq = v->m[k][q];
        v->m[k][p] = c * vp - s * vq;
        v->m[k][q] = s * vp + c * vq;
    }
    for (int k = 0; k < 3; ++k) {
        double pk = a->m[p][k], qk = a->m[q][k];
        a->m[p][k] = c * pk - s * qk;
        a->m[q][k] = s * pk + c * qk;
    }
    a->m[p][q] = 0.0;
    a->m[q][p] = 0.0;
}

static bool maths_is_diagonal(const tni_dmat3 *a) {
    double largest = fabs(a->m[0][0]) + fabs(a->m[1][1]) + fabs(a->m[2][2]);
    double off = fabs(a->m[0][1]) + fabs(a->m[0][2]) + fabs(a->m[1][2]);
    return off <= 0.25 * DBL_EPSILON * largest;
}

// Diagonalizes a. The product of rotations that starts from the identity is a rotation:
// right-handed by itself.
void tni_maths_diagonalize(const tni_dmat3 *a, tni_dvec3 *out_values, tni_dquat *out_rotation) {
    tni_dmat3 d = *a;
    tni_dmat3 v = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    for (int sweep = 0; sweep < MATHS_JACOBI_SWEEPS && !maths_is_diagonal(&d); ++sweep) {
        maths_jacobi_rotate(&d, &v, 0, 1);
        maths_jacobi_rotate(&d, &v, 0, 2);
        maths_jacobi_rotate(&d, &v, 1, 2);
    }
    *out_values = dvec3_make(d.m[0][0], d.m[1][1], d.m[2][2]);
    *out_rotation = maths_quat_from_rotation(&v);
}

// Finds the lower Cholesky factor of the lower triangle of a; returns false where a pivot is not
// clearly positive: the remaining part of a diagonal element after cancellation must exceed its
// round-off.
static bool maths_cholesky(const tni_dmat3 *a, double l[3][3]) {
    for (int j = 0; j < 3; ++j) {
        double pivot = a->m[j][j];
        for (int k = 0; k < j; ++k) {
            pivot -= l[j][k] * l[j][k];
        }
        if (!(pivot > 4.0 * DBL_EPSILON * a->m[j][j]) || !(pivot > DBL_MIN)) {
            return false;
        }
        l[j][j] = sqrt(pivot);
        for (int i = j + 1; i < 3; ++i) {
            double sum = a->m[i][j];
            for (int k = 0; k < j; ++k) {
                sum -= l[i][k] * l[j][k];
            }
            l[i][j] = sum / l[j][j];
        }
    }
    return true;
}

// Inverts a. With a = L L^T, a^-1 = M^T M with M = L^-1.
bool tni_maths_invert_spd(const tni_dmat3 *a, tni_dmat3 *out_inverse) {
    double l[3][3] = {{0.0}};
    if (!maths_cholesky(a, l)) {
        return false;
    }
    double m[3][3] = {{0.0}};
    for (int i = 0; i < 3; ++i) {
        m[i][i] = 1.0 / l[i][i];
        for (int j = 0; j < i; ++j) {
            double sum = 0.0;
            for (int k = j; k < i; ++k) {
                sum -= l[i][k] * m[k][j];
            }
            m[i][j] = sum / l[i][i];
        }
    }
    tni_dmat3 inverse;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            inverse.m[i][j] = m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
            if (!isfinite(inverse.m[i][j])) {
                return false;
            }
        }
    }
    *out_inverse = inverse;
    return true;
}
