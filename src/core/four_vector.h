// core/four_vector.h: a vector of three in each of four lanes, in float and in double.
//
// For kernels that go four by four, in files *_wide.c. Sums are taken in the order x, y, z.
// Test: tests/core/test_four_vector.c
#ifndef TNI_CORE_FOUR_VECTOR_H
#define TNI_CORE_FOUR_VECTOR_H

#include "core/wide_double.h"

typedef struct tni_v4 {
    tni_f4 x, y, z;
} tni_v4;

typedef struct tni_dv4 {
    tni_d4 x, y, z;
} tni_dv4;

TNI_FORCE_INLINE tni_f4 v4_dot(tni_v4 a, tni_v4 b) {
    tni_f4 sum = f4_add_product(f4_mul(a.x, b.x), a.y, b.y);
    return f4_add_product(sum, a.z, b.z);
}

TNI_FORCE_INLINE tni_v4 v4_cross(tni_v4 a, tni_v4 b) {
    tni_v4 c = {f4_sub(f4_mul(a.y, b.z), f4_mul(a.z, b.y)),
                f4_sub(f4_mul(a.z, b.x), f4_mul(a.x, b.z)),
                f4_sub(f4_mul(a.x, b.y), f4_mul(a.y, b.x))};
    return c;
}

TNI_FORCE_INLINE tni_v4 v4_add(tni_v4 a, tni_v4 b) {
    tni_v4 c = {f4_add(a.x, b.x), f4_add(a.y, b.y), f4_add(a.z, b.z)};
    return c;
}

TNI_FORCE_INLINE tni_v4 v4_sub(tni_v4 a, tni_v4 b) {
    tni_v4 c = {f4_sub(a.x, b.x), f4_sub(a.y, b.y), f4_sub(a.z, b.z)};
    return c;
}

TNI_FORCE_INLINE tni_v4 v4_scale(tni_f4 s, tni_v4 a) {
    tni_v4 c = {f4_mul(s, a.x), f4_mul(s, a.y), f4_mul(s, a.z)};
    return c;
}

// a - s b
TNI_FORCE_INLINE tni_v4 v4_sub_scaled(tni_v4 a, tni_f4 s, tni_v4 b) {
    return v4_sub(a, v4_scale(s, b));
}

// The sum of three columns times the numbers of v.
TNI_FORCE_INLINE tni_v4 v4_mul_columns(const tni_v4 c[3], tni_v4 v) {
    tni_v4 sum = v4_add(v4_scale(v.x, c[0]), v4_scale(v.y, c[1]));
    return v4_add(sum, v4_scale(v.z, c[2]));
}

TNI_FORCE_INLINE tni_d4 dv4_dot(tni_dv4 a, tni_dv4 b) {
    tni_d4 sum = d4_add_product(d4_mul(a.x, b.x), a.y, b.y);
    return d4_add_product(sum, a.z, b.z);
}

TNI_FORCE_INLINE tni_dv4 dv4_cross(tni_dv4 a, tni_dv4 b) {
    tni_dv4 c = {d4_sub_product(d4_mul(a.y, b.z), a.z, b.y),
                 d4_sub_product(d4_mul(a.z, b.x), a.x, b.z),
                 d4_sub_product(d4_mul(a.x, b.y), a.y, b.x)};
    return c;
}

TNI_FORCE_INLINE tni_dv4 dv4_add(tni_dv4 a, tni_dv4 b) {
    tni_dv4 c = {d4_add(a.x, b.x), d4_add(a.y, b.y), d4_add(a.z, b.z)};
    return c;
}

TNI_FORCE_INLINE tni_dv4 dv4_sub(tni_dv4 a, tni_dv4 b) {
    tni_dv4 c = {d4_sub(a.x, b.x), d4_sub(a.y, b.y), d4_sub(a.z, b.z)};
    return c;
}

// a + s b
TNI_FORCE_INLINE tni_dv4 dv4_add_scaled(tni_dv4 a, tni_d4 s, tni_dv4 b) {
    tni_dv4 c = {d4_add_product(a.x, s, b.x), d4_add_product(a.y, s, b.y),
                 d4_add_product(a.z, s, b.z)};
    return c;
}

// a - s b
TNI_FORCE_INLINE tni_dv4 dv4_sub_scaled(tni_dv4 a, tni_d4 s, tni_dv4 b) {
    tni_dv4 c = {d4_sub_product(a.x, s, b.x), d4_sub_product(a.y, s, b.y),
                 d4_sub_product(a.z, s, b.z)};
    return c;
}

// a where the mask is set, else b.
TNI_FORCE_INLINE tni_v4 v4_pick(tni_m4 mask, tni_v4 a, tni_v4 b) {
    tni_v4 c = {f4_pick(mask, a.x, b.x), f4_pick(mask, a.y, b.y), f4_pick(mask, a.z, b.z)};
    return c;
}

#endif
