// core/same.h: whether a value is what it was, for setters that wake nobody then.
//
// Bit for bit: -0 is not 0, a NaN is itself, and padding that differs counts. What is taken for
// another value in vain wakes something; nothing is ever taken for the same that is not.
#ifndef TNI_CORE_SAME_H
#define TNI_CORE_SAME_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool tni_is_same(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size) == 0;
}

#endif
