// core/wide_double.h: four doubles at once: one AVX2 vector, or two pairs.
//
// It is for kernels in files *_wide.c that move bodies, whose positions, rotations and velocities
// are double. As in core/wide.h every operation is one correctly rounded operation per lane and
// none is fused. Test: tests/core/test_wide_double.c
#ifndef TNI_CORE_WIDE_DOUBLE_H
#define TNI_CORE_WIDE_DOUBLE_H

#include "core/simd_double.h"
#include "core/wide.h"

#ifdef __AVX2__
typedef __m256d tni_d4;

TNI_FORCE_INLINE tni_d4 d4_load(const double *p) {
    return _mm256_loadu_pd(p);
}
TNI_FORCE_INLINE void d4_store(double *p, tni_d4 a) {
    _mm256_storeu_pd(p, a);
}
// These turn the first three numbers in a circle so that the one of this index comes first, and
// keep the fourth; and turn them back.
TNI_FORCE_INLINE tni_d4 d4_turn(tni_d4 a, uint32_t index) {
    static const int32_t orders[3][8] = {
        {0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 4, 5, 0, 1, 6, 7}, {4, 5, 0, 1, 2, 3, 6, 7}};
    __m256i order = _mm256_loadu_si256((const __m256i *)(const void *)orders[index]);
    return _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(a), order));
}
TNI_FORCE_INLINE tni_d4 d4_load_turned(const double *p, uint32_t index) {
    return d4_turn(d4_load(p), index);
}
TNI_FORCE_INLINE void d4_store_turned(double *p, tni_d4 a, uint32_t index) {
    d4_store(p, d4_turn(a, index == 0 ? 0 : 3 - index));
}
TNI_FORCE_INLINE tni_d4 d4_splat(double x) {
    return _mm256_set1_pd(x);
}
TNI_FORCE_INLINE tni_d4 d4_make(double x, double y, double z, double w) {
    return _mm256_setr_pd(x, y, z, w);
}
TNI_FORCE_INLINE tni_d4 d4_add(tni_d4 a, tni_d4 b) {
    return _mm256_add_pd(a, b);
}
TNI_FORCE_INLINE tni_d4 d4_sub(tni_d4 a, tni_d4 b) {
    return _mm256_sub_pd(a, b);
}
TNI_FORCE_INLINE tni_d4 d4_mul(tni_d4 a, tni_d4 b) {
    return _mm256_mul_pd(a, b);
}
// Returns a where x is less than the limit, else b.
TNI_FORCE_INLINE tni_d4 d4_pick_under(tni_d4 x, double limit, tni_d4 a, tni_d4 b) {
    return _mm256_blendv_pd(b, a, _mm256_cmp_pd(x, _mm256_set1_pd(limit), _CMP_LT_OQ));
}
TNI_FORCE_INLINE tni_d4 d4_div(tni_d4 a, tni_d4 b) {
    return _mm256_div_pd(a, b);
}
// Returns whether all are between -limit and limit.
TNI_FORCE_INLINE bool d4_are_under(tni_d4 a, double limit) {
    tni_d4 size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
    return _mm256_movemask_pd(_mm256_cmp_pd(size, _mm256_set1_pd(limit), _CMP_LT_OQ)) == 15;
}
// These round each lane to float, and make doubles of floats.
TNI_FORCE_INLINE tni_f4 d4_to_f4(tni_d4 a) {
    return _mm256_cvtpd_ps(a);
}
TNI_FORCE_INLINE tni_d4 d4_from_f4(tni_f4 a) {
    return _mm256_cvtps_pd(a);
}
// Turns four rows of four into four columns.
TNI_FORCE_INLINE void d4_transpose(tni_d4 r[4]) {
    tni_d4 low01 = _mm256_unpacklo_pd(r[0], r[1]), high01 = _mm256_unpackhi_pd(r[0], r[1]);
    tni_d4 low23 = _mm256_unpacklo_pd(r[2], r[3]), high23 = _mm256_unpackhi_pd(r[2], r[3]);
    r[0] = _mm256_permute2f128_pd(low01, low23, 0x20);
    r[1] = _mm256_permute2f128_pd(high01, high23, 0x20);
    r[2] = _mm256_permute2f128_pd(low01, low23, 0x31);
    r[3] = _mm256_permute2f128_pd(high01, high23, 0x31);
}
#else
typedef struct tni_d4 {
    tni_d2 low, high;
} tni_d4;

TNI_FORCE_INLINE tni_d4 d4_join(tni_d2 low, tni_d2 high) {
    tni_d4 a = {low, high};
    return a;
}
TNI_FORCE_INLINE tni_d4 d4_load(const double *p) {
    return d4_join(d2_load(p), d2_load(p + 2));
}
TNI_FORCE_INLINE void d4_store(double *p, tni_d4 a) {
    d2_store(p, a.low);
    d2_store(p + 2, a.high);
}
TNI_FORCE_INLINE tni_d4 d4_splat(double x) {
    return d4_join(d2_splat(x), d2_splat(x));
}
TNI_FORCE_INLINE tni_d4 d4_make(double x, double y, double z, double w) {
    return d4_join(d2_make(x, y), d2_make(z, w));
}
TNI_FORCE_INLINE tni_d4 d4_load_turned(const double *p, uint32_t index) {
    return d4_make(p[index], p[index == 2 ? 0 : index + 1], p[index == 0 ? 2 : index - 1], p[3]);
}
TNI_FORCE_INLINE void d4_store_turned(double *p, tni_d4 a, uint32_t index) {
    p[index] = d2_low(a.low);
    p[index == 2 ? 0 : index + 1] = d2_high(a.low);
    p[index == 0 ? 2 : index - 1] = d2_low(a.high);
    p[3] = d2_high(a.high);
}
TNI_FORCE_INLINE tni_d4 d4_add(tni_d4 a, tni_d4 b) {
    return d4_join(d2_add(a.low, b.low), d2_add(a.high, b.high));
}
TNI_FORCE_INLINE tni_d4 d4_sub(tni_d4 a, tni_d4 b) {
    return d4_join(d2_sub(a.low, b.low), d2_sub(a.high, b.high));
}
TNI_FORCE_INLINE tni_d4 d4_mul(tni_d4 a, tni_d4 b) {
    return d4_join(d2_mul(a.low, b.low), d2_mul(a.high, b.high));
}
TNI_FORCE_INLINE tni_d2 d2_div(tni_d2 a, tni_d2 b) {
    return d2_make(d2_low(a) / d2_low(b), d2_high(a) / d2_high(b));
}
TNI_FORCE_INLINE tni_d4 d4_div(tni_d4 a, tni_d4 b) {
    return d4_join(d2_div(a.low, b.low), d2_div(a.high, b.high));
}
TNI_FORCE_INLINE tni_d2 d2_pick_under(tni_d2 x, double limit, tni_d2 a, tni_d2 b) {
    return d2_make(d2_low(x) < limit ? d2_low(a) : d2_low(b),
                   d2_high(x) < limit ? d2_high(a) : d2_high(b));
}
TNI_FORCE_INLINE tni_d4 d4_pick_under(tni_d4 x, double limit, tni_d4 a, tni_d4 b) {
    return d4_join(d2_pick_under(x.low, limit, a.low, b.low),
                   d2_pick_under(x.high, limit, a.high, b.high));
}
TNI_FORCE_INLINE bool d4_are_under(tni_d4 a, double limit) {
    double n[4];
    d4_store(n, a);
    return n[0] < limit && n[1] < limit && n[2] < limit && n[3] < limit && n[0] > -limit &&
           n[1] > -limit && n[2] > -limit && n[3] > -limit;
}
TNI_FORCE_INLINE tni_f4 d4_to_f4(tni_d4 a) {
    return f4_from_d2(a.low, a.high);
}
TNI_FORCE_INLINE tni_d4 d4_from_f4(tni_f4 a) {
#if defined(__SSE2__) || defined(_M_X64)
    return d4_join(_mm_cvtps_pd(a), _mm_cvtps_pd(_mm_movehl_ps(a, a)));
#else
    float lanes[4];
    f4_store(lanes, a);
    return d4_join(d2_make((double)lanes[0], (double)lanes[1]),
                   d2_make((double)lanes[2], (double)lanes[3]));
#endif
}
TNI_FORCE_INLINE void d4_transpose(tni_d4 r[4]) {
    tni_d4 c0 = d4_join(d2_lows(r[0].low, r[1].low), d2_lows(r[2].low, r[3].low));
    tni_d4 c1 = d4_join(d2_highs(r[0].low, r[1].low), d2_highs(r[2].low, r[3].low));
    tni_d4 c2 = d4_join(d2_lows(r[0].high, r[1].high), d2_lows(r[2].high, r[3].high));
    tni_d4 c3 = d4_join(d2_highs(r[0].high, r[1].high), d2_highs(r[2].high, r[3].high));
    r[0] = c0;
    r[1] = c1;
    r[2] = c2;
    r[3] = c3;
}
#endif

// These return a + b c and a - b c, rounded twice.
TNI_FORCE_INLINE tni_d4 d4_add_product(tni_d4 a, tni_d4 b, tni_d4 c) {
    return d4_add(a, d4_mul(b, c));
}
TNI_FORCE_INLINE tni_d4 d4_sub_product(tni_d4 a, tni_d4 b, tni_d4 c) {
    return d4_sub(a, d4_mul(b, c));
}

#endif
