// core/wide_vector.h: a vector of three, or a symmetric matrix, in each of eight lanes.
//
// It is for kernels on core/wide.h, in files *_wide.c. Sums are taken in the order x, y, z.
// Test: tests/core/test_wide_vector.c
#ifndef TNI_CORE_WIDE_VECTOR_H
#define TNI_CORE_WIDE_VECTOR_H

#include "core/wide.h"

typedef struct tni_v8 {
    tni_f8 x, y, z;
} tni_v8;

typedef struct tni_s8 {
    tni_f8 xx, yy, zz, xy, xz, yz;
} tni_s8;

TNI_FORCE_INLINE tni_v8 v8_make(tni_f8 x, tni_f8 y, tni_f8 z) {
    tni_v8 v = {x, y, z};
    return v;
}

TNI_FORCE_INLINE tni_v8 v8_zero(void) {
    return v8_make(f8_zero(), f8_zero(), f8_zero());
}

TNI_FORCE_INLINE tni_v8 v8_add(tni_v8 a, tni_v8 b) {
    return v8_make(f8_add(a.x, b.x), f8_add(a.y, b.y), f8_add(a.z, b.z));
}

TNI_FORCE_INLINE tni_v8 v8_sub(tni_v8 a, tni_v8 b) {
    return v8_make(f8_sub(a.x, b.x), f8_sub(a.y, b.y), f8_sub(a.z, b.z));
}

// Multiplies component by component.
TNI_FORCE_INLINE tni_v8 v8_mul(tni_v8 a, tni_v8 b) {
    return v8_make(f8_mul(a.x, b.x), f8_mul(a.y, b.y), f8_mul(a.z, b.z));
}

TNI_FORCE_INLINE tni_v8 v8_scale(tni_f8 s, tni_v8 v) {
    return v8_make(f8_mul(s, v.x), f8_mul(s, v.y), f8_mul(s, v.z));
}

// Returns a + s b.
TNI_FORCE_INLINE tni_v8 v8_add_scaled(tni_v8 a, tni_f8 s, tni_v8 b) {
    return v8_make(f8_add_product(a.x, s, b.x), f8_add_product(a.y, s, b.y),
                   f8_add_product(a.z, s, b.z));
}

TNI_FORCE_INLINE tni_f8 v8_dot(tni_v8 a, tni_v8 b) {
    return f8_add_product(f8_add_product(f8_mul(a.x, b.x), a.y, b.y), a.z, b.z);
}

TNI_FORCE_INLINE tni_v8 v8_cross(tni_v8 a, tni_v8 b) {
    return v8_make(f8_sub_product(f8_mul(a.y, b.z), a.z, b.y),
                   f8_sub_product(f8_mul(a.z, b.x), a.x, b.z),
                   f8_sub_product(f8_mul(a.x, b.y), a.y, b.x));
}

// Returns a where the mask is set, else b.
TNI_FORCE_INLINE tni_v8 v8_pick(tni_m8 m, tni_v8 a, tni_v8 b) {
    return v8_make(f8_pick(m, a.x, b.x), f8_pick(m, a.y, b.y), f8_pick(m, a.z, b.z));
}

// Flushes numbers that are smaller than the limit to zero.
TNI_FORCE_INLINE tni_v8 v8_flush(tni_v8 v, float limit) {
    return v8_make(f8_flush(v.x, limit), f8_flush(v.y, limit), f8_flush(v.z, limit));
}

// Returns M v.
TNI_FORCE_INLINE tni_v8 s8_mul(const tni_s8 *m, tni_v8 v) {
    return v8_make(f8_add_product(f8_add_product(f8_mul(m->xx, v.x), m->xy, v.y), m->xz, v.z),
                   f8_add_product(f8_add_product(f8_mul(m->xy, v.x), m->yy, v.y), m->yz, v.z),
                   f8_add_product(f8_add_product(f8_mul(m->xz, v.x), m->yz, v.y), m->zz, v.z));
}

// Gathers four numbers from each of eight places in an array, `stride` floats apart, as four
// columns.
TNI_FORCE_INLINE void f8_gather4(const float *numbers, uint32_t stride,
                                 const uint32_t place[WIDE_LANES], tni_f8 out[4]) {
    for (uint32_t i = 0; i < 4; ++i) {
        out[i] = f8_load_halves(numbers + (size_t)stride * place[i],
                                numbers + (size_t)stride * place[i + 4]);
    }
    f8_transpose(&out[0], &out[1], &out[2], &out[3]);
}

#endif
