// core/same.h: compares a value with the old one, for setters that wake nothing if they are equal.
//
// Structs are compared bit for bit: -0 is not 0, a NaN equals itself, and padding that differs
// counts. Setters therefore leave a number alone that has the value given, as -0 has that of 0. A
// false difference only wakes something; different values are never taken for the same.
#ifndef TNI_CORE_SAME_H
#define TNI_CORE_SAME_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool tni_is_same(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size) == 0;
}

static inline void tni_float_set(float *value, float given) {
    *value = *value == given ? *value : given;
}

static inline void tni_double_set(double *value, double given) {
    *value = *value == given ? *value : given;
}

#endif
