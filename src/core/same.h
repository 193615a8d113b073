// core/same.h: whether a value is what it was, for setters that wake nobody then.
//
// Wholes are compared bit for bit: -0 is not 0, a NaN is itself, and padding that differs counts.
// Setters therefore leave a number alone that has the value given, as -0 has that of 0. What is
// taken for another value in vain wakes something; nothing is taken for the same that is not.
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
