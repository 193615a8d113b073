// core/counter.h: a count that several threads may raise, lower and write at once.
#ifndef TENON_CORE_COUNTER_H
#define TENON_CORE_COUNTER_H

#include "core/platform.h"

#if TNI_HAVE_THREADS
#include <stdatomic.h>
typedef atomic_uint tni_counter;
#else
typedef uint32_t tni_counter;
#endif

static inline void tni_counter_raise(tni_counter *counter) {
#if TNI_HAVE_THREADS
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
#else
    *counter += 1;
#endif
}

static inline void tni_counter_lower(tni_counter *counter) {
#if TNI_HAVE_THREADS
    atomic_fetch_sub_explicit(counter, 1, memory_order_relaxed);
#else
    *counter -= 1;
#endif
}

// Lowers a count of users. Returns whether it was the last; what the others did is then done.
static inline bool tni_counter_lower_last(tni_counter *counter) {
#if TNI_HAVE_THREADS
    return atomic_fetch_sub_explicit(counter, 1, memory_order_acq_rel) == 1;
#else
    *counter -= 1;
    return *counter == 0;
#endif
}

static inline uint32_t tni_counter_read(const tni_counter *counter) {
#if TNI_HAVE_THREADS
    return atomic_load_explicit(counter, memory_order_relaxed);
#else
    return *counter;
#endif
}

static inline void tni_counter_write(tni_counter *counter, uint32_t count) {
#if TNI_HAVE_THREADS
    atomic_store_explicit(counter, count, memory_order_relaxed);
#else
    *counter = count;
#endif
}

#endif
