// world/records/check.h: checks of definitions and their numbers.
#ifndef TNI_WORLD_RECORDS_CHECK_H
#define TNI_WORLD_RECORDS_CHECK_H

#include <math.h>
#include <stddef.h>

#include "tenon/base.h"

// A check is OK, or a result with the sentence that says why.
typedef struct tni_check {
    tn_result result;
    const char *message;
} tni_check;

static inline tni_check tni_check_that(bool holds, tn_result otherwise, const char *message) {
    return (tni_check){holds ? TN_RESULT_OK : otherwise, message};
}

// Asks a number to be one, and to be within its range.
static inline tni_check tni_check_number(bool is_number, bool is_within, const char *message) {
    tn_result otherwise = is_number ? TN_RESULT_INVALID_ARGUMENT : TN_RESULT_NOT_FINITE;
    return tni_check_that(is_number && is_within, otherwise, message);
}

static inline tni_check tni_check_finite(float x, const char *message) {
    return tni_check_number(isfinite(x), true, message);
}

// Asks for x >= 0 and finite.
static inline tni_check tni_check_amount(float x, const char *message) {
    return tni_check_number(isfinite(x), x >= 0.0f, message);
}

// Asks for x >= 0; infinity is allowed.
static inline tni_check tni_check_cap(float x, const char *message) {
    return tni_check_number(!isnan(x), x >= 0.0f, message);
}

// Asks for a value of an enumeration that begins with 0.
static inline tni_check tni_check_choice(int value, int last, const char *message) {
    return tni_check_that(value >= 0 && value <= last, TN_RESULT_INVALID_ARGUMENT, message);
}

// These return the first check that failed, of two and of an array with `size` bytes.
static inline tni_check tni_check_both(tni_check first, tni_check second) {
    return first.result != TN_RESULT_OK ? first : second;
}
static inline tni_check tni_check_all(const tni_check *checks, size_t size) {
    tni_check first = checks[0];
    for (size_t i = 1; i < size / sizeof *checks; ++i) {
        first = tni_check_both(first, checks[i]);
    }
    return first;
}

#endif
