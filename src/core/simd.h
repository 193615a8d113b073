// core/simd.h: four floats at once: SSE2, NEON, WebAssembly SIMD, or plain C.
//
// There is one source for every platform: kernels are written on tni_f4 and give the same bits
// everywhere, because each operation is one correctly rounded operation per lane and none of them
// is fused. There are no estimates, no fused multiply-add, and no sum across lanes except in a
// fixed order. Test: tests/core/test_simd.c
#ifndef TNI_CORE_SIMD_H
#define TNI_CORE_SIMD_H

#include "core/base.h"

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
typedef __m128 tni_f4;
#define SIMD_LOAD(p)     _mm_loadu_ps(p)
#define SIMD_STORE(p, a) _mm_storeu_ps(p, a)
#define SIMD_SPLAT(x)    _mm_set1_ps(x)
#define SIMD_ADD(a, b)   _mm_add_ps(a, b)
#define SIMD_SUB(a, b)   _mm_sub_ps(a, b)
#define SIMD_MUL(a, b)   _mm_mul_ps(a, b)
#define SIMD_ABS(a)      _mm_andnot_ps(_mm_set1_ps(-0.0f), a)
#define SIMD_CLEAR(a, m) _mm_andnot_ps(m, a)
#define SIMD_JOIN(a, b)  _mm_or_ps(a, b)
#define SIMD_LESS(a, b)  _mm_cmplt_ps(a, b)
#define SIMD_FIRST(a)    _mm_cvtss_f32(a)
#define SIMD_LANE(a, i)  _mm_shuffle_ps(a, a, (i)*0x55)
#define SIMD_YZX(a)      _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 0, 2, 1))
#define SIMD_MAKE        _mm_setr_ps
#define SIMD_MIN(a, b)   _mm_min_ps(a, b)
#define SIMD_MAX(a, b)   _mm_max_ps(a, b)
#define SIMD_ZIP_LOW     _mm_unpacklo_ps
#define SIMD_ZIP_HIGH    _mm_unpackhi_ps
#define SIMD_LOWS(a, b)  _mm_movelh_ps(a, b)
#define SIMD_HIGHS(a, b) _mm_movehl_ps(b, a)
#define SIMD_HAS_UNIT
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
typedef float32x4_t tni_f4;
#define SIMD_LOAD(p)     vld1q_f32(p)
#define SIMD_STORE(p, a) vst1q_f32(p, a)
#define SIMD_SPLAT(x)    vdupq_n_f32(x)
#define SIMD_ADD(a, b)   vaddq_f32(a, b)
#define SIMD_SUB(a, b)   vsubq_f32(a, b)
#define SIMD_MUL(a, b)   vmulq_f32(a, b)
#define SIMD_ABS(a)      vabsq_f32(a)
#define SIMD_CLEAR(a, m)                                                                           \
    vreinterpretq_f32_u32(vbicq_u32(vreinterpretq_u32_f32(a), vreinterpretq_u32_f32(m)))
#define SIMD_JOIN(a, b)                                                                            \
    vreinterpretq_f32_u32(vorrq_u32(vreinterpretq_u32_f32(a), vreinterpretq_u32_f32(b)))
#define SIMD_LESS(a, b)       vreinterpretq_f32_u32(vcltq_f32(a, b))
#define SIMD_FIRST(a)         vgetq_lane_f32(a, 0)
#define SIMD_LANE(a, i)       vdupq_laneq_f32(a, i)
#define SIMD_YZX(a)           vcopyq_laneq_f32(vcopyq_laneq_f32(vextq_f32(a, a, 1), 2, a, 0), 3, a, 3)
#define SIMD_MAKE(x, y, z, w) vld1q_f32(((const float[4]){x, y, z, w}))
#define SIMD_MIN(a, b)        vbslq_f32(vcltq_f32(a, b), a, b)
#define SIMD_MAX(a, b)        vbslq_f32(vcgtq_f32(a, b), a, b)
#define SIMD_ZIP_LOW          vzip1q_f32
#define SIMD_ZIP_HIGH         vzip2q_f32
#define SIMD_LOWS(a, b)       vcombine_f32(vget_low_f32(a), vget_low_f32(b))
#define SIMD_HIGHS(a, b)      vcombine_f32(vget_high_f32(a), vget_high_f32(b))
#define SIMD_HAS_UNIT
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
typedef v128_t tni_f4;
#define SIMD_LOAD(p)        wasm_v128_load(p)
#define SIMD_STORE(p, a)    wasm_v128_store(p, a)
#define SIMD_SPLAT(x)       wasm_f32x4_splat(x)
#define SIMD_ADD(a, b)      wasm_f32x4_add(a, b)
#define SIMD_SUB(a, b)      wasm_f32x4_sub(a, b)
#define SIMD_MUL(a, b)      wasm_f32x4_mul(a, b)
#define SIMD_ABS(a)         wasm_f32x4_abs(a)
#define SIMD_CLEAR(a, m)    wasm_v128_andnot(a, m)
#define SIMD_JOIN(a, b)     wasm_v128_or(a, b)
#define SIMD_LESS(a, b)     wasm_f32x4_lt(a, b)
#define SIMD_FIRST(a)       wasm_f32x4_extract_lane(a, 0)
#define SIMD_LANE(a, i)     wasm_f32x4_splat(wasm_f32x4_extract_lane(a, i))
#define SIMD_YZX(a)         wasm_i32x4_shuffle(a, a, 1, 2, 0, 3)
#define SIMD_MAKE           wasm_f32x4_make
#define SIMD_MIN(a, b)      wasm_f32x4_pmin(b, a)
#define SIMD_MAX(a, b)      wasm_f32x4_pmax(b, a)
#define SIMD_ZIP_LOW(a, b)  wasm_i32x4_shuffle(a, b, 0, 4, 1, 5)
#define SIMD_ZIP_HIGH(a, b) wasm_i32x4_shuffle(a, b, 2, 6, 3, 7)
#define SIMD_LOWS(a, b)     wasm_i64x2_shuffle(a, b, 0, 2)
#define SIMD_HIGHS(a, b)    wasm_i64x2_shuffle(a, b, 1, 3)
#define SIMD_HAS_UNIT
#else
typedef struct tni_f4 {
    float lane[4];
} tni_f4;
#endif

#ifdef SIMD_HAS_UNIT
TNI_FORCE_INLINE tni_f4 f4_load(const float *p) {
    return SIMD_LOAD(p);
}
TNI_FORCE_INLINE void f4_store(float *p, tni_f4 a) {
    SIMD_STORE(p, a);
}
TNI_FORCE_INLINE tni_f4 f4_splat(float x) {
    return SIMD_SPLAT(x);
}
TNI_FORCE_INLINE tni_f4 f4_make(float x, float y, float z, float w) {
    return SIMD_MAKE(x, y, z, w);
}
TNI_FORCE_INLINE tni_f4 f4_add(tni_f4 a, tni_f4 b) {
    return SIMD_ADD(a, b);
}
TNI_FORCE_INLINE tni_f4 f4_sub(tni_f4 a, tni_f4 b) {
    return SIMD_SUB(a, b);
}
TNI_FORCE_INLINE tni_f4 f4_mul(tni_f4 a, tni_f4 b) {
    return SIMD_MUL(a, b);
}
// These return a < b ? a : b and a > b ? a : b: the second where either is NaN.
TNI_FORCE_INLINE tni_f4 f4_min(tni_f4 a, tni_f4 b) {
    return SIMD_MIN(a, b);
}
TNI_FORCE_INLINE tni_f4 f4_max(tni_f4 a, tni_f4 b) {
    return SIMD_MAX(a, b);
}
// Flushes lanes that are smaller than the limit to zero; NaN stays.
TNI_FORCE_INLINE tni_f4 f4_flush(tni_f4 a, float limit) {
    return SIMD_CLEAR(a, SIMD_LESS(SIMD_ABS(a), f4_splat(limit)));
}
// Returns one lane of a in all four. The instructions want constants.
TNI_FORCE_INLINE tni_f4 f4_splat_lane(tni_f4 a, uint32_t lane) {
    switch (lane) {
    case 0:
        return SIMD_LANE(a, 0);
    case 1:
        return SIMD_LANE(a, 1);
    case 2:
        return SIMD_LANE(a, 2);
    default:
        return SIMD_LANE(a, 3);
    }
}
TNI_FORCE_INLINE float f4_first(tni_f4 a) {
    return SIMD_FIRST(a);
}
// Returns y, z, x, w.
TNI_FORCE_INLINE tni_f4 f4_yzx(tni_f4 a) {
    return SIMD_YZX(a);
}
// Returns a with x in one lane.
TNI_FORCE_INLINE tni_f4 f4_set_lane(tni_f4 a, uint32_t lane, float x) {
    static const float units[4][4] = {{1.0f, 0.0f, 0.0f, 0.0f},
                                      {0.0f, 1.0f, 0.0f, 0.0f},
                                      {0.0f, 0.0f, 1.0f, 0.0f},
                                      {0.0f, 0.0f, 0.0f, 1.0f}};
    tni_f4 others = SIMD_LESS(f4_load(units[lane]), f4_splat(1.0f));
    tni_f4 own = SIMD_LESS(f4_splat(0.0f), f4_load(units[lane]));
    return SIMD_JOIN(SIMD_CLEAR(a, own), SIMD_CLEAR(f4_splat(x), others));
}
// These return a0, b0, a1, b1; and a2, b2, a3, b3.
TNI_FORCE_INLINE tni_f4 f4_zip_low(tni_f4 a, tni_f4 b) {
    return SIMD_ZIP_LOW(a, b);
}
TNI_FORCE_INLINE tni_f4 f4_zip_high(tni_f4 a, tni_f4 b) {
    return SIMD_ZIP_HIGH(a, b);
}
// These return a0, a1, b0, b1; and a2, a3, b2, b3.
TNI_FORCE_INLINE tni_f4 f4_lows(tni_f4 a, tni_f4 b) {
    return SIMD_LOWS(a, b);
}
TNI_FORCE_INLINE tni_f4 f4_highs(tni_f4 a, tni_f4 b) {
    return SIMD_HIGHS(a, b);
}
#else
TNI_FORCE_INLINE tni_f4 f4_load(const float *p) {
    tni_f4 a = {{p[0], p[1], p[2], p[3]}};
    return a;
}
TNI_FORCE_INLINE void f4_store(float *p, tni_f4 a) {
    for (int i = 0; i < 4; ++i) {
        p[i] = a.lane[i];
    }
}
TNI_FORCE_INLINE tni_f4 f4_splat(float x) {
    tni_f4 a = {{x, x, x, x}};
    return a;
}
TNI_FORCE_INLINE tni_f4 f4_make(float x, float y, float z, float w) {
    tni_f4 a = {{x, y, z, w}};
    return a;
}
TNI_FORCE_INLINE tni_f4 f4_add(tni_f4 a, tni_f4 b) {
    for (int i = 0; i < 4; ++i) {
        a.lane[i] += b.lane[i];
    }
    return a;
}
TNI_FORCE_INLINE tni_f4 f4_sub(tni_f4 a, tni_f4 b) {
    for (int i = 0; i < 4; ++i) {
        a.lane[i] -= b.lane[i];
    }
    return a;
}
TNI_FORCE_INLINE tni_f4 f4_mul(tni_f4 a, tni_f4 b) {
    for (int i = 0; i < 4; ++i) {
        a.lane[i] *= b.lane[i];
    }
    return a;
}
TNI_FORCE_INLINE tni_f4 f4_min(tni_f4 a, tni_f4 b) {
    for (int i = 0; i < 4; ++i) {
        a.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i];
    }
    return a;
}
TNI_FORCE_INLINE tni_f4 f4_max(tni_f4 a, tni_f4 b) {
    for (int i = 0; i < 4; ++i) {
        a.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];
    }
    return a;
}
TNI_FORCE_INLINE tni_f4 f4_flush(tni_f4 a, float limit) {
    for (int i = 0; i < 4; ++i) {
        float size = a.lane[i] < 0.0f ? -a.lane[i] : a.lane[i];
        a.lane[i] = size < limit ? 0.0f : a.lane[i];
    }
    return a;
}
TNI_FORCE_INLINE tni_f4 f4_splat_lane(tni_f4 a, uint32_t lane) {
    return f4_splat(a.lane[lane]);
}
TNI_FORCE_INLINE tni_f4 f4_yzx(tni_f4 a) {
    tni_f4 b = {{a.lane[1], a.lane[2], a.lane[0], a.lane[3]}};
    return b;
}
TNI_FORCE_INLINE float f4_first(tni_f4 a) {
    return a.lane[0];
}
TNI_FORCE_INLINE tni_f4 f4_set_lane(tni_f4 a, uint32_t lane, float x) {
    a.lane[lane] = x;
    return a;
}
TNI_FORCE_INLINE tni_f4 f4_zip_low(tni_f4 a, tni_f4 b) {
    return f4_make(a.lane[0], b.lane[0], a.lane[1], b.lane[1]);
}
TNI_FORCE_INLINE tni_f4 f4_zip_high(tni_f4 a, tni_f4 b) {
    return f4_make(a.lane[2], b.lane[2], a.lane[3], b.lane[3]);
}
TNI_FORCE_INLINE tni_f4 f4_lows(tni_f4 a, tni_f4 b) {
    return f4_make(a.lane[0], a.lane[1], b.lane[0], b.lane[1]);
}
TNI_FORCE_INLINE tni_f4 f4_highs(tni_f4 a, tni_f4 b) {
    return f4_make(a.lane[2], a.lane[3], b.lane[2], b.lane[3]);
}
#endif

// Turns four rows of four into four columns.
TNI_FORCE_INLINE void f4_transpose(tni_f4 *r0, tni_f4 *r1, tni_f4 *r2, tni_f4 *r3) {
    tni_f4 low01 = f4_zip_low(*r0, *r1), high01 = f4_zip_high(*r0, *r1);
    tni_f4 low23 = f4_zip_low(*r2, *r3), high23 = f4_zip_high(*r2, *r3);
    *r0 = f4_lows(low01, low23);
    *r1 = f4_highs(low01, low23);
    *r2 = f4_lows(high01, high23);
    *r3 = f4_highs(high01, high23);
}

// Returns a + b c, rounded twice.
TNI_FORCE_INLINE tni_f4 f4_add_product(tni_f4 a, tni_f4 b, tni_f4 c) {
    return f4_add(a, f4_mul(b, c));
}

// Returns (a0 + a1) + a2, for vectors of three in the first lanes.
TNI_FORCE_INLINE float f4_sum3(tni_f4 a) {
    return (f4_first(a) + f4_first(f4_splat_lane(a, 1))) + f4_first(f4_splat_lane(a, 2));
}
TNI_FORCE_INLINE float f4_dot3(tni_f4 a, tni_f4 b) {
    return f4_sum3(f4_mul(a, b));
}

// Returns the sum of three columns times the lanes of a vector.
TNI_FORCE_INLINE tni_f4 f4_mul_columns(const tni_f4 columns[3], tni_f4 v) {
    tni_f4 sum = f4_mul(columns[0], f4_splat_lane(v, 0));
    sum = f4_add_product(sum, columns[1], f4_splat_lane(v, 1));
    return f4_add_product(sum, columns[2], f4_splat_lane(v, 2));
}

// Returns a x b, rotated by one lane: f4_yzx of this, or of a sum of these, is the cross product.
// Its fourth lane is zero.
TNI_FORCE_INLINE tni_f4 f4_cross_turned(tni_f4 a, tni_f4 b) {
    return f4_sub(f4_mul(a, f4_yzx(b)), f4_mul(f4_yzx(a), b));
}
TNI_FORCE_INLINE tni_f4 f4_cross(tni_f4 a, tni_f4 b) {
    return f4_yzx(f4_cross_turned(a, b));
}

// Returns (a0 + a1) + (a2 + a3).
TNI_FORCE_INLINE float f4_sum(tni_f4 a) {
    float lane[4];
    f4_store(lane, a);
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

#endif
