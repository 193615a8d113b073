// core/wide.h: eight floats at once: one AVX2 vector, or two vectors of four.
//
// A tni_f8 is two halves, and each half behaves as a tni_f4 of core/simd.h and core/lanes.h does:
// functions that move lanes move them within a half. Every operation is one correctly rounded
// operation per lane, in the order that is written, and none is fused: the bits are the same at
// every width.
//
// Kernels that gain by it are in files *_wide.c. In a build for any x86-64 each of these files is
// compiled twice, the second time for AVX2, and WIDE_NAME gives its functions the names of either;
// WIDE_CALL picks one at run time. core/cpu.h decides which. Test: tests/core/test_wide.c
#ifndef TNI_CORE_WIDE_H
#define TNI_CORE_WIDE_H

#include "core/lanes.h"

#if defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(off)
#endif

#ifdef TNI_WIDE_AVX2
#define WIDE_NAME(name) name##_avx2
#else
#define WIDE_NAME(name) name##_baseline
#endif
#ifdef TNI_HAS_AVX2_KERNELS
#define WIDE_CALL(uses_avx2, name, ...)                                                            \
    ((uses_avx2) ? name##_avx2(__VA_ARGS__) : name##_baseline(__VA_ARGS__))
#else
#define WIDE_CALL(uses_avx2, name, ...) ((void)(uses_avx2), name##_baseline(__VA_ARGS__))
#endif

#define WIDE_LANES 8

#ifdef __AVX2__
#include <immintrin.h>
typedef __m256 tni_f8;
typedef __m256 tni_m8; // a mask: every bit of a lane set, or none

TNI_FORCE_INLINE tni_f8 f8_load(const float *p) {
    return _mm256_loadu_ps(p);
}
TNI_FORCE_INLINE void f8_store(float *p, tni_f8 a) {
    _mm256_storeu_ps(p, a);
}
TNI_FORCE_INLINE tni_f8 f8_splat(float x) {
    return _mm256_set1_ps(x);
}
// Joins two halves, and splits them.
TNI_FORCE_INLINE tni_f8 f8_join(tni_f4 low, tni_f4 high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}
TNI_FORCE_INLINE tni_f4 f8_low(tni_f8 a) {
    return _mm256_castps256_ps128(a);
}
TNI_FORCE_INLINE tni_f4 f8_high(tni_f8 a) {
    return _mm256_extractf128_ps(a, 1);
}
TNI_FORCE_INLINE tni_f8 f8_add(tni_f8 a, tni_f8 b) {
    return _mm256_add_ps(a, b);
}
TNI_FORCE_INLINE tni_f8 f8_sub(tni_f8 a, tni_f8 b) {
    return _mm256_sub_ps(a, b);
}
TNI_FORCE_INLINE tni_f8 f8_mul(tni_f8 a, tni_f8 b) {
    return _mm256_mul_ps(a, b);
}
TNI_FORCE_INLINE tni_f8 f8_div(tni_f8 a, tni_f8 b) {
    return _mm256_div_ps(a, b);
}
TNI_FORCE_INLINE tni_f8 f8_sqrt(tni_f8 a) {
    return _mm256_sqrt_ps(a);
}
// These return a < b ? a : b and a > b ? a : b: the second where either is NaN, or both are zero.
TNI_FORCE_INLINE tni_f8 f8_min(tni_f8 a, tni_f8 b) {
    return _mm256_min_ps(a, b);
}
TNI_FORCE_INLINE tni_f8 f8_max(tni_f8 a, tni_f8 b) {
    return _mm256_max_ps(a, b);
}
TNI_FORCE_INLINE tni_f8 f8_abs(tni_f8 a) {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}
TNI_FORCE_INLINE tni_m8 f8_less(tni_f8 a, tni_f8 b) {
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
TNI_FORCE_INLINE tni_m8 m8_and(tni_m8 p, tni_m8 q) {
    return _mm256_and_ps(p, q);
}
TNI_FORCE_INLINE tni_m8 m8_or(tni_m8 p, tni_m8 q) {
    return _mm256_or_ps(p, q);
}
TNI_FORCE_INLINE bool m8_any(tni_m8 m) {
    return _mm256_movemask_ps(m) != 0;
}
// Returns a where the mask is set, else b.
TNI_FORCE_INLINE tni_f8 f8_pick(tni_m8 m, tni_f8 a, tni_f8 b) {
    return _mm256_blendv_ps(b, a, m);
}
TNI_FORCE_INLINE tni_f8 f8_yzx(tni_f8 a) {
    return _mm256_permute_ps(a, _MM_SHUFFLE(3, 0, 2, 1));
}
// These do in each half what f4_evens, f4_odds, f4_zip_low and f4_zip_high do.
TNI_FORCE_INLINE tni_f8 f8_evens(tni_f8 a, tni_f8 b) {
    return _mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0));
}
TNI_FORCE_INLINE tni_f8 f8_odds(tni_f8 a, tni_f8 b) {
    return _mm256_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1));
}
TNI_FORCE_INLINE tni_f8 f8_zip_low(tni_f8 a, tni_f8 b) {
    return _mm256_unpacklo_ps(a, b);
}
TNI_FORCE_INLINE tni_f8 f8_zip_high(tni_f8 a, tni_f8 b) {
    return _mm256_unpackhi_ps(a, b);
}
// Turns in each half four rows of four into four columns.
TNI_FORCE_INLINE void f8_transpose(tni_f8 *r0, tni_f8 *r1, tni_f8 *r2, tni_f8 *r3) {
    tni_f8 low01 = _mm256_unpacklo_ps(*r0, *r1), high01 = _mm256_unpackhi_ps(*r0, *r1);
    tni_f8 low23 = _mm256_unpacklo_ps(*r2, *r3), high23 = _mm256_unpackhi_ps(*r2, *r3);
    *r0 = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0));
    *r1 = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2));
    *r2 = _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(1, 0, 1, 0));
    *r3 = _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(3, 2, 3, 2));
}
#else
typedef struct tni_f8 {
    tni_f4 low, high;
} tni_f8;
typedef struct tni_m8 {
    tni_m4 low, high;
} tni_m8;

#define WIDE_HALVES(type, of_low, of_high)                                                         \
    type halves = {of_low, of_high};                                                               \
    return halves

TNI_FORCE_INLINE tni_f8 f8_join(tni_f4 low, tni_f4 high) {
    WIDE_HALVES(tni_f8, low, high);
}
TNI_FORCE_INLINE tni_f4 f8_low(tni_f8 a) {
    return a.low;
}
TNI_FORCE_INLINE tni_f4 f8_high(tni_f8 a) {
    return a.high;
}
TNI_FORCE_INLINE tni_f8 f8_load(const float *p) {
    WIDE_HALVES(tni_f8, f4_load(p), f4_load(p + 4));
}
TNI_FORCE_INLINE void f8_store(float *p, tni_f8 a) {
    f4_store(p, a.low);
    f4_store(p + 4, a.high);
}
TNI_FORCE_INLINE tni_f8 f8_splat(float x) {
    WIDE_HALVES(tni_f8, f4_splat(x), f4_splat(x));
}
TNI_FORCE_INLINE tni_f8 f8_add(tni_f8 a, tni_f8 b) {
    WIDE_HALVES(tni_f8, f4_add(a.low, b.low), f4_add(a.high, b.high));
}
TNI_FORCE_INLINE tni_f8 f8_sub(tni_f8 a, tni_f8 b) {
    WIDE_HALVES(tni_f8, f4_sub(a.low, b.low), f4_sub(a.high, b.high));
}
TNI_FORCE_INLINE tni_f8 f8_mul(tni_f8 a, tni_f8 b) {
    WIDE_HALVES(tni_f8, f4_mul(a.low, b.low), f4_mul(a.high, b.high));
}
TNI_FORCE_INLINE tni_f8 f8_div(tni_f8 a, tni_f8 b) {
    WIDE_HALVES(tni_f8, f4_div(a.low, b.low), f4_div(a.high, b.high));
}
TNI_FORCE_INLINE tni_f8 f8_sqrt(tni_f8 a) {
    WIDE_HALVES(tni_f8, f4_sqrt(a.low), f4_sqrt(a.high));
}
TNI_FORCE_INLINE tni_f8 f8_min(tni_f8 a, tni_f8 b) {
    WIDE_HALVES(tni_f8, f4_min(a.low, b.low), f4_min(a.high, b.high));
}
TNI_FORCE_INLINE tni_f8 f8_max(tni_f8 a, tni_f8 b) {
    WIDE_HALVES(tni_f8, f4_max(a.low, b.low), f4_max(a.high, b.high));
}
TNI_FORCE_INLINE tni_f8 f8_abs(tni_f8 a) {
    WIDE_HALVES(tni_f8, f4_abs(a.low), f4_abs(a.high));
}
TNI_FORCE_INLINE tni_m8 f8_less(tni_f8 a, tni_f8 b) {
    WIDE_HALVES(tni_m8, f4_less(a.low, b.low), f4_less(a.high, b.high));
}
TNI_FORCE_INLINE tni_m8 m8_and(tni_m8 p, tni_m8 q) {
    WIDE_HALVES(tni_m8, m4_and(p.low, q.low), m4_and(p.high, q.high));
}
TNI_FORCE_INLINE tni_m8 m8_or(tni_m8 p, tni_m8 q) {
    WIDE_HALVES(tni_m8, m4_or(p.low, q.low), m4_or(p.high, q.high));
}
TNI_FORCE_INLINE bool m8_any(tni_m8 m) {
    return m4_any(m4_or(m.low, m.high));
}
TNI_FORCE_INLINE tni_f8 f8_pick(tni_m8 m, tni_f8 a, tni_f8 b) {
    WIDE_HALVES(tni_f8, f4_pick(m.low, a.low, b.low), f4_pick(m.high, a.high, b.high));
}
TNI_FORCE_INLINE tni_f8 f8_yzx(tni_f8 a) {
    WIDE_HALVES(tni_f8, f4_yzx(a.low), f4_yzx(a.high));
}
TNI_FORCE_INLINE tni_f8 f8_evens(tni_f8 a, tni_f8 b) {
    WIDE_HALVES(tni_f8, f4_evens(a.low, b.low), f4_evens(a.high, b.high));
}
TNI_FORCE_INLINE tni_f8 f8_odds(tni_f8 a, tni_f8 b) {
    WIDE_HALVES(tni_f8, f4_odds(a.low, b.low), f4_odds(a.high, b.high));
}
TNI_FORCE_INLINE tni_f8 f8_zip_low(tni_f8 a, tni_f8 b) {
    WIDE_HALVES(tni_f8, f4_zip_low(a.low, b.low), f4_zip_low(a.high, b.high));
}
TNI_FORCE_INLINE tni_f8 f8_zip_high(tni_f8 a, tni_f8 b) {
    WIDE_HALVES(tni_f8, f4_zip_high(a.low, b.low), f4_zip_high(a.high, b.high));
}
TNI_FORCE_INLINE void f8_transpose(tni_f8 *r0, tni_f8 *r1, tni_f8 *r2, tni_f8 *r3) {
    f4_transpose(&r0->low, &r1->low, &r2->low, &r3->low);
    f4_transpose(&r0->high, &r1->high, &r2->high, &r3->high);
}
#endif

TNI_FORCE_INLINE tni_f8 f8_zero(void) {
    return f8_splat(0.0f);
}

// Loads the low half from p, the high one from q.
TNI_FORCE_INLINE tni_f8 f8_load_halves(const float *p, const float *q) {
    return f8_join(f4_load(p), f4_load(q));
}
TNI_FORCE_INLINE void f8_store_halves(float *p, float *q, tni_f8 a) {
    f4_store(p, f8_low(a));
    f4_store(q, f8_high(a));
}

// Returns a + b c, rounded twice.
TNI_FORCE_INLINE tni_f8 f8_add_product(tni_f8 a, tni_f8 b, tni_f8 c) {
    return f8_add(a, f8_mul(b, c));
}
// Returns a - b c, rounded twice.
TNI_FORCE_INLINE tni_f8 f8_sub_product(tni_f8 a, tni_f8 b, tni_f8 c) {
    return f8_sub(a, f8_mul(b, c));
}

// Flushes lanes that are smaller than the limit to zero; NaN stays.
TNI_FORCE_INLINE tni_f8 f8_flush(tni_f8 a, float limit) {
    return f8_pick(f8_less(f8_abs(a), f8_splat(limit)), f8_zero(), a);
}

#endif
