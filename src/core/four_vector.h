// core/four_vector.h: a vector of three doubles in each of four lanes.
//
// It is for kernels that go four by four, in files *_wide.c. Sums are taken in the order x, y, z.
// Test: tests/core/test_four_vector.c
#ifndef TNI_CORE_FOUR_VECTOR_H
#define TNI_CORE_FOUR_VECTOR_H

#include "core/wide_double.h"

typedef struct tni_dv4 {
    tni_d4 x, y, z;
} tni_dv4;

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

// Returns a + s b.
TNI_FORCE_INLINE tni_dv4 dv4_add_scaled(tni_dv4 a, tni_d4 s, tni_dv4 b) {
    tni_dv4 c = {d4_add_product(a.x, s, b.x), d4_add_product(a.y, s, b.y),
                 d4_add_product(a.z, s, b.z)};
    return c;
}

// Returns a - s b.
TNI_FORCE_INLINE tni_dv4 dv4_sub_scaled(tni_dv4 a, tni_d4 s, tni_dv4 b) {
    tni_dv4 c = {d4_sub_product(a.x, s, b.x), d4_sub_product(a.y, s, b.y),
                 d4_sub_product(a.z, s, b.z)};
    return c;
}

#endif
