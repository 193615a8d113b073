// core/same.h: compares a value with the old one, for setters that wake nothing if they are equal.
//
// Structs without padding may be compared bit for bit: -0 is not 0, and a NaN equals itself. Others
// are set number by number: padding has whatever bytes the compiler left there, and what wakes must
// not depend on them. A number that has the value given, as -0 has that of 0, is left alone.
#ifndef TNI_CORE_SAME_H
#define TNI_CORE_SAME_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool tni_is_same(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size) == 0;
}

// These return whether the number changes.
static inline bool tni_float_set(float *value, float given) {
    bool is_other = *value != given;
    *value = is_other ? given : *value;
    return is_other;
}

static inline bool tni_double_set(double *value, double given) {
    bool is_other = *value != given;
    *value = is_other ? given : *value;
    return is_other;
}

#endif
