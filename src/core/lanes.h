// core/lanes.h: comparisons, choices and moves between the lanes of a tni_f4.
//
// As in the arithmetic of core/simd.h, the bits are the same on every platform. Minimum and maximum
// are written as comparisons, `a < b ? a : b`, for the instructions of that name differ in their
// results for NaN and for the two zeros. Test: tests/core/test_lanes.c
#ifndef TNI_CORE_LANES_H
#define TNI_CORE_LANES_H

#include <math.h>
#include <stdbool.h>

#include "core/simd.h"

#if defined(__SSE2__) || defined(_M_X64)
#ifdef __AVX2__
#include <immintrin.h>
#define LANES_PICK(m, a, b) _mm_blendv_ps(b, a, m)
#else
#define LANES_PICK(m, a, b) _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b))
#endif
#define LANES_LOAD(p)       _mm_load_ps(p)
#define LANES_STORE(p, a)   _mm_store_ps(p, a)
#define LANES_ANY(m)        (_mm_movemask_ps(m) != 0)
#define LANES_SWAP_INNER(a) _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 3, 0, 1))
#define LANES_SWAP_OUTER(a) _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 0, 3, 2))
#define LANES_ROTATE(a)     _mm_shuffle_ps(a, a, _MM_SHUFFLE(0, 3, 2, 1))
#define LANES_EVENS(a, b)   _mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0))
#define LANES_ODDS(a, b)    _mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1))
#define LANES_DIV(a, b)     _mm_div_ps(a, b)
#define LANES_SQRT(a)       _mm_sqrt_ps(a)
#define LANES_BOTH(p, q)    _mm_and_ps(p, q)
#define LANES_AT_MOST(a, b) _mm_cmple_ps(a, b)
#define LANES_BITS(m)       ((uint32_t)_mm_movemask_ps(m))
#elif defined(__ARM_NEON) && defined(__aarch64__)
#define LANES_LOAD(p)       vld1q_f32(p)
#define LANES_STORE(p, a)   vst1q_f32(p, a)
#define LANES_ANY(m)        (vmaxvq_u32(vreinterpretq_u32_f32(m)) != 0)
#define LANES_PICK(m, a, b) vbslq_f32(vreinterpretq_u32_f32(m), a, b)
#define LANES_SWAP_INNER(a) vrev64q_f32(a)
#define LANES_SWAP_OUTER(a) vextq_f32(a, a, 2)
#define LANES_ROTATE(a)     vextq_f32(a, a, 1)
#define LANES_EVENS(a, b)   vuzp1q_f32(a, b)
#define LANES_ODDS(a, b)    vuzp2q_f32(a, b)
#define LANES_DIV(a, b)     vdivq_f32(a, b)
#define LANES_SQRT(a)       vsqrtq_f32(a)
#define LANES_BOTH(p, q)                                                                           \
    vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(p), vreinterpretq_u32_f32(q)))
#define LANES_AT_MOST(a, b) vreinterpretq_f32_u32(vcleq_f32(a, b))
#define LANES_BITS(m)                                                                              \
    vaddvq_u32(vandq_u32(vreinterpretq_u32_f32(m), vld1q_u32(((const uint32_t[4]){1, 2, 4, 8}))))
#elif defined(__wasm_simd128__)
#define LANES_LOAD(p)       wasm_v128_load(p)
#define LANES_STORE(p, a)   wasm_v128_store(p, a)
#define LANES_ANY(m)        wasm_v128_any_true(m)
#define LANES_PICK(m, a, b) wasm_v128_bitselect(a, b, m)
#define LANES_SWAP_INNER(a) wasm_i32x4_shuffle(a, a, 1, 0, 3, 2)
#define LANES_SWAP_OUTER(a) wasm_i32x4_shuffle(a, a, 2, 3, 0, 1)
#define LANES_ROTATE(a)     wasm_i32x4_shuffle(a, a, 1, 2, 3, 0)
#define LANES_EVENS(a, b)   wasm_i32x4_shuffle(a, b, 0, 2, 4, 6)
#define LANES_ODDS(a, b)    wasm_i32x4_shuffle(a, b, 1, 3, 5, 7)
#define LANES_DIV(a, b)     wasm_f32x4_div(a, b)
#define LANES_SQRT(a)       wasm_f32x4_sqrt(a)
#define LANES_BOTH(p, q)    wasm_v128_and(p, q)
#define LANES_AT_MOST(a, b) wasm_f32x4_le(a, b)
#define LANES_BITS(m)       wasm_i32x4_bitmask(m)
#endif

// A mask has every bit of a lane set, or none.
#ifdef SIMD_HAS_UNIT
typedef tni_f4 tni_m4;

// These load and store memory that is aligned to 16 bytes.
TNI_FORCE_INLINE tni_f4 f4_load_aligned(const float *p) {
    return LANES_LOAD(p);
}
TNI_FORCE_INLINE void f4_store_aligned(float *p, tni_f4 a) {
    LANES_STORE(p, a);
}
TNI_FORCE_INLINE tni_f4 f4_abs(tni_f4 a) {
    return SIMD_ABS(a);
}
TNI_FORCE_INLINE tni_f4 f4_div(tni_f4 a, tni_f4 b) {
    return LANES_DIV(a, b);
}
TNI_FORCE_INLINE tni_f4 f4_sqrt(tni_f4 a) {
    return LANES_SQRT(a);
}
TNI_FORCE_INLINE tni_m4 f4_less(tni_f4 a, tni_f4 b) {
    return SIMD_LESS(a, b);
}
TNI_FORCE_INLINE tni_m4 f4_at_most(tni_f4 a, tni_f4 b) {
    return LANES_AT_MOST(a, b);
}
TNI_FORCE_INLINE tni_m4 m4_and(tni_m4 p, tni_m4 q) {
    return LANES_BOTH(p, q);
}
TNI_FORCE_INLINE tni_m4 m4_or(tni_m4 p, tni_m4 q) {
    return SIMD_JOIN(p, q);
}
// Returns p where q is not set.
TNI_FORCE_INLINE tni_m4 m4_and_not(tni_m4 p, tni_m4 q) {
    return SIMD_CLEAR(p, q);
}
TNI_FORCE_INLINE bool m4_any(tni_m4 m) {
    return LANES_ANY(m);
}
// Returns bits; bit i is lane i.
TNI_FORCE_INLINE uint32_t m4_bits(tni_m4 m) {
    return LANES_BITS(m);
}
// Returns a where the mask is set, else b.
TNI_FORCE_INLINE tni_f4 f4_pick(tni_m4 m, tni_f4 a, tni_f4 b) {
    return LANES_PICK(m, a, b);
}
// Returns a1, a0, a3, a2.
TNI_FORCE_INLINE tni_f4 f4_swap_inner(tni_f4 a) {
    return LANES_SWAP_INNER(a);
}
// Returns a2, a3, a0, a1.
TNI_FORCE_INLINE tni_f4 f4_swap_outer(tni_f4 a) {
    return LANES_SWAP_OUTER(a);
}
// Returns a1, a2, a3, a0.
TNI_FORCE_INLINE tni_f4 f4_rotate(tni_f4 a) {
    return LANES_ROTATE(a);
}
// These return a0, a2, b0, b2; and a1, a3, b1, b3.
TNI_FORCE_INLINE tni_f4 f4_evens(tni_f4 a, tni_f4 b) {
    return LANES_EVENS(a, b);
}
TNI_FORCE_INLINE tni_f4 f4_odds(tni_f4 a, tni_f4 b) {
    return LANES_ODDS(a, b);
}
#else
typedef struct tni_m4 {
    bool lane[4];
} tni_m4;

TNI_FORCE_INLINE tni_f4 f4_load_aligned(const float *p) {
    return f4_load(p);
}
TNI_FORCE_INLINE void f4_store_aligned(float *p, tni_f4 a) {
    f4_store(p, a);
}
TNI_FORCE_INLINE tni_f4 f4_abs(tni_f4 a) {
    for (int i = 0; i < 4; ++i) {
        a.lane[i] = fabsf(a.lane[i]);
    }
    return a;
}
TNI_FORCE_INLINE tni_f4 f4_div(tni_f4 a, tni_f4 b) {
    for (int i = 0; i < 4; ++i) {
        a.lane[i] /= b.lane[i];
    }
    return a;
}
TNI_FORCE_INLINE tni_f4 f4_sqrt(tni_f4 a) {
    for (int i = 0; i < 4; ++i) {
        a.lane[i] = sqrtf(a.lane[i]);
    }
    return a;
}
TNI_FORCE_INLINE tni_m4 f4_less(tni_f4 a, tni_f4 b) {
    tni_m4 m;
    for (int i = 0; i < 4; ++i) {
        m.lane[i] = a.lane[i] < b.lane[i];
    }
    return m;
}
TNI_FORCE_INLINE tni_m4 f4_at_most(tni_f4 a, tni_f4 b) {
    tni_m4 m;
    for (int i = 0; i < 4; ++i) {
        m.lane[i] = a.lane[i] <= b.lane[i];
    }
    return m;
}
TNI_FORCE_INLINE tni_m4 m4_and(tni_m4 p, tni_m4 q) {
    for (int i = 0; i < 4; ++i) {
        p.lane[i] = p.lane[i] && q.lane[i];
    }
    return p;
}
TNI_FORCE_INLINE tni_m4 m4_or(tni_m4 p, tni_m4 q) {
    for (int i = 0; i < 4; ++i) {
        p.lane[i] = p.lane[i] || q.lane[i];
    }
    return p;
}
TNI_FORCE_INLINE tni_m4 m4_and_not(tni_m4 p, tni_m4 q) {
    for (int i = 0; i < 4; ++i) {
        p.lane[i] = p.lane[i] && !q.lane[i];
    }
    return p;
}
TNI_FORCE_INLINE uint32_t m4_bits(tni_m4 m) {
    return (m.lane[0] ? 1u : 0u) | (m.lane[1] ? 2u : 0u) | (m.lane[2] ? 4u : 0u) |
           (m.lane[3] ? 8u : 0u);
}
TNI_FORCE_INLINE bool m4_any(tni_m4 m) {
    return m.lane[0] || m.lane[1] || m.lane[2] || m.lane[3];
}
TNI_FORCE_INLINE tni_f4 f4_pick(tni_m4 m, tni_f4 a, tni_f4 b) {
    for (int i = 0; i < 4; ++i) {
        b.lane[i] = m.lane[i] ? a.lane[i] : b.lane[i];
    }
    return b;
}
TNI_FORCE_INLINE tni_f4 f4_swap_inner(tni_f4 a) {
    tni_f4 b = {{a.lane[1], a.lane[0], a.lane[3], a.lane[2]}};
    return b;
}
TNI_FORCE_INLINE tni_f4 f4_swap_outer(tni_f4 a) {
    tni_f4 b = {{a.lane[2], a.lane[3], a.lane[0], a.lane[1]}};
    return b;
}
TNI_FORCE_INLINE tni_f4 f4_rotate(tni_f4 a) {
    tni_f4 b = {{a.lane[1], a.lane[2], a.lane[3], a.lane[0]}};
    return b;
}
TNI_FORCE_INLINE tni_f4 f4_evens(tni_f4 a, tni_f4 b) {
    tni_f4 c = {{a.lane[0], a.lane[2], b.lane[0], b.lane[2]}};
    return c;
}
TNI_FORCE_INLINE tni_f4 f4_odds(tni_f4 a, tni_f4 b) {
    tni_f4 c = {{a.lane[1], a.lane[3], b.lane[1], b.lane[3]}};
    return c;
}
#endif

TNI_FORCE_INLINE tni_f4 f4_zero(void) {
    return f4_splat(0.0f);
}

// Returns (a0 + a1) + (a2 + a3) in every lane.
TNI_FORCE_INLINE tni_f4 f4_sum_splat(tni_f4 a) {
    tni_f4 pairs = f4_add(a, f4_swap_inner(a));
    return f4_add(pairs, f4_swap_outer(pairs));
}

TNI_FORCE_INLINE float f4_lane(tni_f4 a, uint32_t lane) {
    return f4_first(f4_splat_lane(a, lane));
}

#endif
