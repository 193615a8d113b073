// core/simd_double.h: two doubles at once; three doubles go to and from the lanes of a tni_f4.
//
// Bodies keep position, rotation and velocity in double; rows are solved in float. simd.h says what
// the instructions promise: the same bits everywhere. Test: tests/core/test_simd_double.c
#ifndef TNI_CORE_SIMD_DOUBLE_H
#define TNI_CORE_SIMD_DOUBLE_H

#include "core/simd.h"

#if defined(__SSE2__) || defined(_M_X64)
typedef __m128d tni_d2;
#define SIMD_D2_MAKE(x, y)  _mm_setr_pd(x, y)
#define SIMD_D2_SPLAT(x)    _mm_set1_pd(x)
#define SIMD_D2_LOAD(p)     _mm_loadu_pd(p)
#define SIMD_D2_ADD(a, b)   _mm_add_pd(a, b)
#define SIMD_D2_SUB(a, b)   _mm_sub_pd(a, b)
#define SIMD_D2_MUL(a, b)   _mm_mul_pd(a, b)
#define SIMD_D2_MIN(a, b)   _mm_min_pd(a, b)
#define SIMD_D2_MAX(a, b)   _mm_max_pd(a, b)
#define SIMD_D2_SWAP(a)     _mm_shuffle_pd(a, a, 1)
#define SIMD_D2_LOWS(a, b)  _mm_unpacklo_pd(a, b)
#define SIMD_D2_HIGHS(a, b) _mm_unpackhi_pd(a, b)
#define SIMD_D2_STORE(p, a) _mm_storeu_pd(p, a)
#define SIMD_D2_LOW(a)      _mm_cvtsd_f64(a)
#define SIMD_D2_HIGH(a)     _mm_cvtsd_f64(_mm_unpackhi_pd(a, a))
#define SIMD_HAS_D2
// These make doubles of the first two lanes; two floats of two doubles, and two zeros; a single
// float and three zeros.
#define SIMD_WIDEN(a)       _mm_cvtps_pd(a)
#define SIMD_NARROW(a)      _mm_cvtpd_ps(a)
#define SIMD_FIRST_ALONE(x) _mm_set_ss(x)
#define SIMD_LOAD2(p)       _mm_loadl_pi(_mm_setzero_ps(), (const __m64 *)(const void *)(p))
#define SIMD_STORE2(p, a)   _mm_storel_pi((__m64 *)(void *)(p), a)
#define SIMD_STORE1(p, a)   _mm_store_ss(p, a)
#elif defined(__ARM_NEON) && defined(__aarch64__)
typedef float64x2_t tni_d2;
#define SIMD_D2_MAKE(x, y)  vcombine_f64(vdup_n_f64(x), vdup_n_f64(y))
#define SIMD_D2_SPLAT(x)    vdupq_n_f64(x)
#define SIMD_D2_LOAD(p)     vld1q_f64(p)
#define SIMD_D2_ADD(a, b)   vaddq_f64(a, b)
#define SIMD_D2_SUB(a, b)   vsubq_f64(a, b)
#define SIMD_D2_MUL(a, b)   vmulq_f64(a, b)
#define SIMD_D2_MIN(a, b)   vbslq_f64(vcltq_f64(a, b), a, b)
#define SIMD_D2_MAX(a, b)   vbslq_f64(vcgtq_f64(a, b), a, b)
#define SIMD_D2_SWAP(a)     vextq_f64(a, a, 1)
#define SIMD_D2_LOWS(a, b)  vtrn1q_f64(a, b)
#define SIMD_D2_HIGHS(a, b) vtrn2q_f64(a, b)
#define SIMD_D2_STORE(p, a) vst1q_f64(p, a)
#define SIMD_D2_LOW(a)      vgetq_lane_f64(a, 0)
#define SIMD_D2_HIGH(a)     vgetq_lane_f64(a, 1)
#define SIMD_HAS_D2
#define SIMD_WIDEN(a)       vcvt_f64_f32(vget_low_f32(a))
#define SIMD_NARROW(a)      vcombine_f32(vcvt_f32_f64(a), vdup_n_f32(0.0f))
#define SIMD_FIRST_ALONE(x) vsetq_lane_f32(x, vdupq_n_f32(0.0f), 0)
#define SIMD_LOAD2(p)       vcombine_f32(vld1_f32(p), vdup_n_f32(0.0f))
#define SIMD_STORE2(p, a)   vst1_f32(p, vget_low_f32(a))
#define SIMD_STORE1(p, a)   vst1q_lane_f32(p, a, 0)
#elif defined(__wasm_simd128__)
typedef v128_t tni_d2;
#define SIMD_D2_MAKE(x, y)  wasm_f64x2_make(x, y)
#define SIMD_D2_SPLAT(x)    wasm_f64x2_splat(x)
#define SIMD_D2_LOAD(p)     wasm_v128_load(p)
#define SIMD_D2_ADD(a, b)   wasm_f64x2_add(a, b)
#define SIMD_D2_SUB(a, b)   wasm_f64x2_sub(a, b)
#define SIMD_D2_MUL(a, b)   wasm_f64x2_mul(a, b)
#define SIMD_D2_MIN(a, b)   wasm_f64x2_pmin(b, a)
#define SIMD_D2_MAX(a, b)   wasm_f64x2_pmax(b, a)
#define SIMD_D2_SWAP(a)     wasm_i64x2_shuffle(a, a, 1, 0)
#define SIMD_D2_LOWS(a, b)  wasm_i64x2_shuffle(a, b, 0, 2)
#define SIMD_D2_HIGHS(a, b) wasm_i64x2_shuffle(a, b, 1, 3)
#define SIMD_D2_STORE(p, a) wasm_v128_store(p, a)
#define SIMD_D2_LOW(a)      wasm_f64x2_extract_lane(a, 0)
#define SIMD_D2_HIGH(a)     wasm_f64x2_extract_lane(a, 1)
#define SIMD_HAS_D2
#define SIMD_WIDEN(a)       wasm_f64x2_promote_low_f32x4(a)
#define SIMD_NARROW(a)      wasm_f32x4_demote_f64x2_zero(a)
#define SIMD_FIRST_ALONE(x) wasm_f32x4_make(x, 0.0f, 0.0f, 0.0f)
#define SIMD_LOAD2(p)       wasm_v128_load64_zero(p)
#define SIMD_STORE2(p, a)   wasm_v128_store64_lane(p, a, 0)
#define SIMD_STORE1(p, a)   wasm_v128_store32_lane(p, a, 0)
#else
typedef struct tni_d2 {
    double low, high;
} tni_d2;
#endif

// ---- two doubles ---------------------------------------------------------------------------

#ifdef SIMD_HAS_D2
TNI_FORCE_INLINE tni_d2 d2_make(double low, double high) {
    return SIMD_D2_MAKE(low, high);
}
TNI_FORCE_INLINE tni_d2 d2_splat(double x) {
    return SIMD_D2_SPLAT(x);
}
TNI_FORCE_INLINE tni_d2 d2_load(const double *p) {
    return SIMD_D2_LOAD(p);
}
TNI_FORCE_INLINE tni_d2 d2_add(tni_d2 a, tni_d2 b) {
    return SIMD_D2_ADD(a, b);
}
TNI_FORCE_INLINE tni_d2 d2_sub(tni_d2 a, tni_d2 b) {
    return SIMD_D2_SUB(a, b);
}
TNI_FORCE_INLINE tni_d2 d2_mul(tni_d2 a, tni_d2 b) {
    return SIMD_D2_MUL(a, b);
}
// These return the smaller, or the larger, of each pair; b if one is NaN.
TNI_FORCE_INLINE tni_d2 d2_min(tni_d2 a, tni_d2 b) {
    return SIMD_D2_MIN(a, b);
}
TNI_FORCE_INLINE tni_d2 d2_max(tni_d2 a, tni_d2 b) {
    return SIMD_D2_MAX(a, b);
}
TNI_FORCE_INLINE tni_d2 d2_swap(tni_d2 a) {
    return SIMD_D2_SWAP(a);
}
// These return the low numbers, or the high ones, of both.
TNI_FORCE_INLINE tni_d2 d2_lows(tni_d2 a, tni_d2 b) {
    return SIMD_D2_LOWS(a, b);
}
TNI_FORCE_INLINE tni_d2 d2_highs(tni_d2 a, tni_d2 b) {
    return SIMD_D2_HIGHS(a, b);
}
TNI_FORCE_INLINE void d2_store(double *p, tni_d2 a) {
    SIMD_D2_STORE(p, a);
}
TNI_FORCE_INLINE double d2_low(tni_d2 a) {
    return SIMD_D2_LOW(a);
}
TNI_FORCE_INLINE double d2_high(tni_d2 a) {
    return SIMD_D2_HIGH(a);
}
#else
TNI_FORCE_INLINE tni_d2 d2_make(double low, double high) {
    tni_d2 a = {low, high};
    return a;
}
TNI_FORCE_INLINE tni_d2 d2_splat(double x) {
    return d2_make(x, x);
}
TNI_FORCE_INLINE tni_d2 d2_load(const double *p) {
    return d2_make(p[0], p[1]);
}
TNI_FORCE_INLINE tni_d2 d2_add(tni_d2 a, tni_d2 b) {
    return d2_make(a.low + b.low, a.high + b.high);
}
TNI_FORCE_INLINE tni_d2 d2_sub(tni_d2 a, tni_d2 b) {
    return d2_make(a.low - b.low, a.high - b.high);
}
TNI_FORCE_INLINE tni_d2 d2_mul(tni_d2 a, tni_d2 b) {
    return d2_make(a.low * b.low, a.high * b.high);
}
TNI_FORCE_INLINE tni_d2 d2_min(tni_d2 a, tni_d2 b) {
    return d2_make(a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high);
}
TNI_FORCE_INLINE tni_d2 d2_max(tni_d2 a, tni_d2 b) {
    return d2_make(a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high);
}
TNI_FORCE_INLINE tni_d2 d2_swap(tni_d2 a) {
    return d2_make(a.high, a.low);
}
TNI_FORCE_INLINE tni_d2 d2_lows(tni_d2 a, tni_d2 b) {
    return d2_make(a.low, b.low);
}
TNI_FORCE_INLINE tni_d2 d2_highs(tni_d2 a, tni_d2 b) {
    return d2_make(a.high, b.high);
}
TNI_FORCE_INLINE void d2_store(double *p, tni_d2 a) {
    p[0] = a.low;
    p[1] = a.high;
}
TNI_FORCE_INLINE double d2_low(tni_d2 a) {
    return a.low;
}
TNI_FORCE_INLINE double d2_high(tni_d2 a) {
    return a.high;
}
#endif

// Returns two floats as doubles.
TNI_FORCE_INLINE tni_d2 d2_from_floats(const float *p) {
    return d2_make((double)p[0], (double)p[1]);
}
// Returns low + high.
TNI_FORCE_INLINE double d2_sum(tni_d2 a) {
    return d2_low(a) + d2_high(a);
}
// Returns a + b c, rounded twice.
TNI_FORCE_INLINE tni_d2 d2_add_product(tni_d2 a, tni_d2 b, tni_d2 c) {
    return d2_add(a, d2_mul(b, c));
}

// ---- between double and float --------------------------------------------------------------

#ifdef SIMD_HAS_D2
// Returns two pairs as floats.
TNI_FORCE_INLINE tni_f4 f4_from_d2(tni_d2 a, tni_d2 b) {
    return f4_lows(SIMD_NARROW(a), SIMD_NARROW(b));
}
// Returns a pair and one more number as floats, and a zero. (From a double beside a zero gcc makes
// a form of vmovq that Valgrind 3.19 does not know.)
TNI_FORCE_INLINE tni_f4 f4_from_d2_and(tni_d2 a, double z) {
    return f4_lows(SIMD_NARROW(a), SIMD_FIRST_ALONE((float)z));
}
// These load three floats and a zero; store the first two lanes, and the first three.
TNI_FORCE_INLINE tni_f4 f4_load3(const float *p) {
    return f4_lows(SIMD_LOAD2(p), SIMD_FIRST_ALONE(p[2]));
}
TNI_FORCE_INLINE void f4_store2(float *p, tni_f4 a) {
    SIMD_STORE2(p, a);
}
TNI_FORCE_INLINE void f4_store3(float *p, tni_f4 a) {
    SIMD_STORE2(p, a);
    SIMD_STORE1(p + 2, f4_highs(a, a));
}
// Adds the first three lanes to three doubles.
TNI_FORCE_INLINE void f4_add_to_double3(double *p, tni_f4 a) {
    d2_store(p, d2_add(d2_load(p), SIMD_WIDEN(a)));
    p[2] += d2_low(SIMD_WIDEN(f4_highs(a, a)));
}
#else
TNI_FORCE_INLINE tni_f4 f4_from_d2(tni_d2 a, tni_d2 b) {
    return f4_make((float)a.low, (float)a.high, (float)b.low, (float)b.high);
}
TNI_FORCE_INLINE tni_f4 f4_from_d2_and(tni_d2 a, double z) {
    return f4_from_d2(a, d2_make(z, 0.0));
}
TNI_FORCE_INLINE tni_f4 f4_load3(const float *p) {
    return f4_make(p[0], p[1], p[2], 0.0f);
}
TNI_FORCE_INLINE void f4_store2(float *p, tni_f4 a) {
    p[0] = a.lane[0];
    p[1] = a.lane[1];
}
TNI_FORCE_INLINE void f4_store3(float *p, tni_f4 a) {
    f4_store2(p, a);
    p[2] = a.lane[2];
}
TNI_FORCE_INLINE void f4_add_to_double3(double *p, tni_f4 a) {
    for (int i = 0; i < 3; ++i) {
        p[i] += (double)a.lane[i];
    }
}
#endif

// Returns three doubles as floats, and a zero.
TNI_FORCE_INLINE tni_f4 f4_from_doubles(double x, double y, double z) {
    return f4_from_d2_and(d2_make(x, y), z);
}
TNI_FORCE_INLINE tni_f4 f4_from_double3(const double *p) {
    return f4_from_d2_and(d2_load(p), p[2]);
}

// Loads the columns of a symmetric matrix from its numbers xx, yy, zz, xy, xz, yz.
TNI_FORCE_INLINE void f4_load_symmetric(const float *p, tni_f4 columns[3]) {
#if defined(__SSE2__) || defined(_M_X64)
    __m128 a = _mm_loadu_ps(p), b = SIMD_LOAD2(p + 4);
    __m128 zz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 2, 2, 2));
    columns[0] = _mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 3, 0));
    columns[1] = _mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 1, 1, 3));
    columns[2] = _mm_shuffle_ps(b, zz, _MM_SHUFFLE(2, 0, 1, 0));
#elif defined(__wasm_simd128__)
    v128_t a = f4_load(p), b = SIMD_LOAD2(p + 4);
    columns[0] = wasm_i32x4_shuffle(a, b, 0, 3, 4, 6);
    columns[1] = wasm_i32x4_shuffle(a, b, 3, 1, 5, 6);
    columns[2] = wasm_i32x4_shuffle(a, b, 4, 5, 2, 6);
#else
    columns[0] = f4_make(p[0], p[3], p[4], 0.0f);
    columns[1] = f4_make(p[3], p[1], p[5], 0.0f);
    columns[2] = f4_make(p[4], p[5], p[2], 0.0f);
#endif
}

#endif
