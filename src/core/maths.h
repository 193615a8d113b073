// core/maths.h: vectors, quaternions and small matrices, the same bits on every platform.
//
// cglm's struct API (vec3s, glms_vec3_...) is the float vector maths of the project and this is the
// one file that includes it. cglm's quaternion and mat3 products are not used: they pick FMA when
// the compiler may, so their bits change with the flags, and glm_quat_mul is wrong in scalar builds
// of 0.8.8 when the destination aliases an input. Their replacements are here, in plain C, each sum
// written in one fixed order; the build sets -ffp-contract=off.
//
// Poses, world inertia on the exact path and free rotation are double: dvec3, dquat, dmat3.
// Quaternions are (x, y, z, w), body to world. Angles are in rad.
// Test: tests/core/test_maths.c
#ifndef TNI_CORE_MATHS_H
#define TNI_CORE_MATHS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define CGLM_ALL_UNALIGNED
#include <cglm/struct/vec3.h>
#include <cglm/types-struct.h>

#include "core/base.h"

#define MATHS_PI 3.14159265358979323846

// ---- float scalars -------------------------------------------------------------------------

static inline float maths_min(float a, float b) {
    return a < b ? a : b;
}

static inline float maths_max(float a, float b) {
    return a > b ? a : b;
}

// Return what fmin and fmax do, of which compilers make calls: a NaN is passed over.
static inline double maths_min_d(double a, double b) {
    return b != b || a < b ? a : b;
}

static inline double maths_max_d(double a, double b) {
    return b != b || a > b ? a : b;
}

static inline float maths_clamp(float x, float lower, float upper) {
    return x < lower ? lower : (x > upper ? upper : x);
}

// Returns 1/x, or 0 where x is zero, negative or too small to invert without overflow.
static inline float maths_inverse_or_zero(float x) {
    return x > FLT_MIN ? 1.0f / x : 0.0f;
}

static inline double maths_inverse_or_zero_d(double x) {
    return x > DBL_MIN ? 1.0 / x : 0.0;
}

// ---- float vectors beyond cglm -------------------------------------------------------------

static inline vec3s maths_vec3(float x, float y, float z) {
    vec3s v = {{x, y, z}};
    return v;
}

static inline vec3s maths_vec3_zero(void) {
    return maths_vec3(0.0f, 0.0f, 0.0f);
}

// Returns a + s * b.
static inline vec3s maths_vec3_add_scaled(vec3s a, float s, vec3s b) {
    return maths_vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline bool maths_vec3_is_finite(vec3s v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

// Returns v / |v|, or `fallback` where v is too short to have a direction.
static inline vec3s maths_vec3_normalize_or(vec3s v, vec3s fallback) {
    float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    if (!(length > 1e-18f)) {
        return fallback;
    }
    float inverse = 1.0f / length;
    return maths_vec3(v.x * inverse, v.y * inverse, v.z * inverse);
}

// Returns some unit vector perpendicular to the unit vector n (Hughes and Moeller: drop the
// smallest axis).
static inline vec3s maths_vec3_perpendicular(vec3s n) {
    float ax = fabsf(n.x), ay = fabsf(n.y), az = fabsf(n.z);
    vec3s p;
    if (ax <= ay && ax <= az) {
        p = maths_vec3(0.0f, -n.z, n.y);
    } else if (ay <= az) {
        p = maths_vec3(-n.z, 0.0f, n.x);
    } else {
        p = maths_vec3(-n.y, n.x, 0.0f);
    }
    return maths_vec3_normalize_or(p, maths_vec3(1.0f, 0.0f, 0.0f));
}

// ---- float quaternions ---------------------------------------------------------------------

static inline versors maths_quat(float x, float y, float z, float w) {
    versors q;
    q.raw[0] = x;
    q.raw[1] = y;
    q.raw[2] = z;
    q.raw[3] = w;
    return q;
}

static inline versors maths_quat_identity(void) {
    return maths_quat(0.0f, 0.0f, 0.0f, 1.0f);
}

static inline versors maths_quat_conjugate(versors q) {
    return maths_quat(-q.raw[0], -q.raw[1], -q.raw[2], q.raw[3]);
}

// Returns p * q, which rotates by q first, then by p.
static inline versors maths_quat_mul(versors p, versors q) {
    const float *a = p.raw, *b = q.raw;
    return maths_quat(a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                      a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                      a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                      a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]);
}

static inline versors maths_quat_normalize(versors q) {
    const float *a = q.raw;
    float length = sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
    if (!(length > 1e-18f)) {
        return maths_quat_identity();
    }
    float s = 1.0f / length;
    return maths_quat(a[0] * s, a[1] * s, a[2] * s, a[3] * s);
}

// Returns v + 2 u x (u x v + w v), with u and w the vector and scalar part of q.
static inline vec3s maths_rotate(versors q, vec3s v) {
    vec3s u = maths_vec3(q.raw[0], q.raw[1], q.raw[2]);
    vec3s t = glms_vec3_cross(u, v);
    t = maths_vec3(t.x + q.raw[3] * v.x, t.y + q.raw[3] * v.y, t.z + q.raw[3] * v.z);
    vec3s c = glms_vec3_cross(u, t);
    return maths_vec3(v.x + 2.0f * c.x, v.y + 2.0f * c.y, v.z + 2.0f * c.z);
}

static inline vec3s maths_rotate_inverse(versors q, vec3s v) {
    return maths_rotate(maths_quat_conjugate(q), v);
}

// Returns the shortest rotation that takes unit vector `from` to unit vector `to`.
static inline versors maths_quat_between(vec3s from, vec3s to) {
    float d = glms_vec3_dot(from, to);
    if (d < -0.999999f) {
        vec3s p = maths_vec3_perpendicular(from);
        return maths_quat(p.x, p.y, p.z, 0.0f);
    }
    vec3s c = glms_vec3_cross(from, to);
    return maths_quat_normalize(maths_quat(c.x, c.y, c.z, 1.0f + d));
}

// ---- float symmetric 3x3 -------------------------------------------------------------------

// A symmetric matrix is given by its six numbers: inertia, inverse inertia, effective mass of a
// point.
typedef struct tni_sym3 {
    float xx, yy, zz, xy, xz, yz;
} tni_sym3;

static inline vec3s sym3_mul(tni_sym3 m, vec3s v) {
    return maths_vec3(m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
                      m.xz * v.x + m.yz * v.y + m.zz * v.z);
}

// ---- double vectors ------------------------------------------------------------------------

typedef struct tni_dvec3 {
    double x, y, z;
} tni_dvec3;

typedef struct tni_dquat {
    double x, y, z, w;
} tni_dquat;

// The matrix is row-major: m[row][column].
typedef struct tni_dmat3 {
    double m[3][3];
} tni_dmat3;

// This is a pose in double: the origin of a body's frame in the world, and its rotation to world
// axes.
typedef struct tni_dpose {
    tni_dvec3 position;
    tni_dquat rotation;
} tni_dpose;

static inline tni_dvec3 dvec3_make(double x, double y, double z) {
    tni_dvec3 v = {x, y, z};
    return v;
}

// These convert between the plain types of the public headers and these.
static inline tni_dvec3 dvec3_from_plain(tn_vec3 v) {
    return dvec3_make(v.x, v.y, v.z);
}

static inline tn_vec3 dvec3_to_plain(tni_dvec3 v) {
    tn_vec3 plain = {v.x, v.y, v.z};
    return plain;
}

static inline tni_dvec3 dvec3_from_float(vec3s v) {
    return dvec3_make((double)v.x, (double)v.y, (double)v.z);
}

// A value this small in metres or radians is rounding, and its products in the solver's loops would
// be denormal numbers, each of which costs 10 to 100 times a normal one: it becomes 0.
#define MATHS_TINY 1e-15f

static inline float maths_to_float(double x) {
    float f = (float)x;
    return fabsf(f) < MATHS_TINY ? 0.0f : f;
}

static inline vec3s dvec3_to_float(tni_dvec3 v) {
    return maths_vec3(maths_to_float(v.x), maths_to_float(v.y), maths_to_float(v.z));
}

static inline tni_dvec3 dvec3_add(tni_dvec3 a, tni_dvec3 b) {
    return dvec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline tni_dvec3 dvec3_sub(tni_dvec3 a, tni_dvec3 b) {
    return dvec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline tni_dvec3 dvec3_scale(tni_dvec3 a, double s) {
    return dvec3_make(a.x * s, a.y * s, a.z * s);
}

// Returns a + s * b.
static inline tni_dvec3 dvec3_add_scaled(tni_dvec3 a, double s, tni_dvec3 b) {
    return dvec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double dvec3_dot(tni_dvec3 a, tni_dvec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline tni_dvec3 dvec3_cross(tni_dvec3 a, tni_dvec3 b) {
    return dvec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double dvec3_length(tni_dvec3 a) {
    return sqrt(dvec3_dot(a, a));
}

static inline bool dvec3_is_finite(tni_dvec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

// ---- double quaternions --------------------------------------------------------------------

static inline tni_dquat dquat_make(double x, double y, double z, double w) {
    tni_dquat q = {x, y, z, w};
    return q;
}

static inline tni_dquat dquat_identity(void) {
    return dquat_make(0.0, 0.0, 0.0, 1.0);
}

static inline tni_dquat dquat_conjugate(tni_dquat q) {
    return dquat_make(-q.x, -q.y, -q.z, q.w);
}

static inline tni_dquat dquat_from_plain(tn_quat q) {
    return dquat_make(q.x, q.y, q.z, q.w);
}

static inline tn_quat dquat_to_plain(tni_dquat q) {
    tn_quat plain = {q.x, q.y, q.z, q.w};
    return plain;
}

static inline tni_dquat dquat_from_float(versors q) {
    return dquat_make((double)q.raw[0], (double)q.raw[1], (double)q.raw[2], (double)q.raw[3]);
}

static inline versors dquat_to_float(tni_dquat q) {
    return maths_quat((float)q.x, (float)q.y, (float)q.z, (float)q.w);
}

static inline tni_dquat dquat_mul(tni_dquat a, tni_dquat b) {
    return dquat_make(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

static inline tni_dquat dquat_normalize(tni_dquat q) {
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(length > 1e-150)) {
        return dquat_identity();
    }
    double s = 1.0 / length;
    return dquat_make(q.x * s, q.y * s, q.z * s, q.w * s);
}

// Does the same for a quaternion of nearly unit length, as a product of unit quaternions is, in
// float too: 1/|q| is found by the first terms of its series where the next one is below round-off.
static inline tni_dquat dquat_renormalize(tni_dquat q) {
    double excess = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0;
    if (!(fabs(excess) < 1e-6)) {
        return dquat_normalize(q);
    }
    double s = 1.0 - excess * (0.5 - 0.375 * excess);
    return dquat_make(q.x * s, q.y * s, q.z * s, q.w * s);
}

static inline tni_dvec3 dquat_rotate(tni_dquat q, tni_dvec3 v) {
    tni_dvec3 u = dvec3_make(q.x, q.y, q.z);
    tni_dvec3 t = dvec3_add_scaled(dvec3_cross(u, v), q.w, v);
    return dvec3_add_scaled(v, 2.0, dvec3_cross(u, t));
}

static inline tni_dvec3 dquat_rotate_inverse(tni_dquat q, tni_dvec3 v) {
    return dquat_rotate(dquat_conjugate(q), v);
}

// These return the turned axes x, y and z: the columns of the rotation matrix.
static inline tni_dvec3 dquat_axis_x(tni_dquat q) {
    return dvec3_make(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z),
                      2.0 * (q.x * q.z - q.w * q.y));
}

static inline tni_dvec3 dquat_axis_y(tni_dquat q) {
    return dvec3_make(2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z),
                      2.0 * (q.y * q.z + q.w * q.x));
}

static inline tni_dvec3 dquat_axis_z(tni_dquat q) {
    return dvec3_make(2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x),
                      1.0 - 2.0 * (q.x * q.x + q.y * q.y));
}

// Returns the rotation of the frame with these axes: the largest number of its quaternion comes
// from a square root, the others from differences and sums over it.
static inline tni_dquat dquat_from_axes(tni_dvec3 x, tni_dvec3 y, tni_dvec3 z) {
    const double squares[4] = {1.0 + x.x - y.y - z.z, 1.0 - x.x + y.y - z.z, 1.0 - x.x - y.y + z.z,
                               1.0 + x.x + y.y + z.z};
    int k = 3;
    for (int i = 0; i < 3; ++i) {
        k = squares[i] > squares[k] ? i : k;
    }
    const tni_dquat rows[4] = {
        {squares[0], x.y + y.x, z.x + x.z, y.z - z.y},
        {x.y + y.x, squares[1], y.z + z.y, z.x - x.z},
        {z.x + x.z, y.z + z.y, squares[2], x.y - y.x},
        {y.z - z.y, z.x - x.z, x.y - y.x, squares[3]},
    };
    return dquat_normalize(rows[k]);
}

static inline bool dquat_is_finite(tni_dquat q) {
    return isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w);
}

// Returns whether it was normalised: its length is 1, but for rounding to float, and not NaN.
static inline bool dquat_is_normal(tni_dquat q) {
    double length2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return fabs(length2 - 1.0) < 1e-6;
}

// Returns the Cayley map of the rotation vector r: normalise(r/2, 1). It equals exp to second order
// and needs no sine or cosine. dquat_mul(dquat_cayley(r), q) turns q by r given in world axes.
static inline tni_dquat dquat_cayley(tni_dvec3 r) {
    return dquat_normalize(dquat_make(0.5 * r.x, 0.5 * r.y, 0.5 * r.z, 1.0));
}

// ---- double 3x3 ----------------------------------------------------------------------------

static inline tni_dmat3 dmat3_from_quat(tni_dquat q) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    tni_dmat3 r = {{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                    {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                    {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
    return r;
}

static inline tni_dvec3 dmat3_mul_vec(const tni_dmat3 *a, tni_dvec3 v) {
    return dvec3_make(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                      a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                      a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

static inline tni_dmat3 dmat3_mul(const tni_dmat3 *a, const tni_dmat3 *b) {
    tni_dmat3 r;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            r.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
        }
    }
    return r;
}

// Returns R diag(d) R^T: a tensor given by its principal values, turned to world axes.
static inline tni_dmat3 dmat3_rotate_diagonal(const tni_dmat3 *r, tni_dvec3 d) {
    tni_dmat3 s;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            s.m[i][j] = r->m[i][0] * d.x * r->m[j][0] + r->m[i][1] * d.y * r->m[j][1] +
                        r->m[i][2] * d.z * r->m[j][2];
        }
    }
    return s;
}

static inline tni_sym3 dmat3_to_sym3(const tni_dmat3 *a) {
    tni_sym3 s = {(float)a->m[0][0], (float)a->m[1][1], (float)a->m[2][2],
                  (float)a->m[0][1], (float)a->m[0][2], (float)a->m[1][2]};
    return s;
}

// ---- functions out of line (core/maths.c) ------------------------------------------------------

// These return sine, cosine (|x| <= 1e6 rad) and arctangent by polynomials, with an absolute error
// under 1e-14 and the same bits on every platform.
double tni_maths_sin(double x);
double tni_maths_cos(double x);
double tni_maths_atan2(double y, double x);

// ---- turns in double ---------------------------------------------------------------------------

// Returns a turn about w for a time t, through any number of whole turns.
static inline tni_dquat dquat_turn(tni_dvec3 w, double t) {
    double speed = dvec3_length(w), half = 0.5 * speed * t;
    tni_dvec3 v = dvec3_scale(w, speed > 0.0 ? tni_maths_sin(half) / speed : 0.0);
    return dquat_make(v.x, v.y, v.z, tni_maths_cos(half));
}

// Returns the shorter turn that takes p to q, as a vector along its axis, rad.
static inline tni_dvec3 dquat_get_turn(tni_dquat p, tni_dquat q) {
    tni_dquat d = dquat_mul(q, dquat_conjugate(p));
    double sign = d.w < 0.0 ? -1.0 : 1.0;
    tni_dvec3 v = dvec3_make(sign * d.x, sign * d.y, sign * d.z);
    double sine = dvec3_length(v), half = tni_maths_atan2(sine, sign * d.w);
    return dvec3_scale(v, sine > 1e-12 ? 2.0 * half / sine : 2.0);
}

// ---- matrices out of line (core/maths.c) -------------------------------------------------------

// Finds the eigenvalues of a symmetric matrix and a rotation whose columns are its eigenvectors
// (right-handed), by cyclic Jacobi sweeps: a = R diag(values) R^T.
void tni_maths_diagonalize(const tni_dmat3 *a, tni_dvec3 *out_values, tni_dquat *out_rotation);

// Inverts a symmetric positive definite matrix; returns false where it is not one.
bool tni_maths_invert_spd(const tni_dmat3 *a, tni_dmat3 *out_inverse);

#endif
