// core/latch.h: work that several threads may ask for at once is done by one of them; and a door
// lets one at a time pass.
//
// A thread that asks while another works waits for it by looking again and again: the work is
// short. All writes before the latch closed are seen by every thread that finds it closed. Test:
// tests/threads/test_queries.c
#ifndef TENON_CORE_LATCH_H
#define TENON_CORE_LATCH_H

#include <stdbool.h>

#include "core/platform.h"

#if TNI_HAVE_THREADS
#include <stdatomic.h>
typedef atomic_uint tni_latch;
#else
typedef uint32_t tni_latch;
#endif

enum {
    TNI_LATCH_OPEN = 0, // not done yet
    TNI_LATCH_BUSY,
    TNI_LATCH_CLOSED, // done
};

// Returns true if the caller has to do the work, and then calls tni_latch_end; false if it is done.
static inline bool tni_latch_begin(tni_latch *latch) {
#if TNI_HAVE_THREADS
    unsigned expected = TNI_LATCH_OPEN;
    if (atomic_load_explicit(latch, memory_order_acquire) == TNI_LATCH_CLOSED) {
        return false; // without taking the cache line from other threads
    }
    while (!atomic_compare_exchange_weak_explicit(latch, &expected, TNI_LATCH_BUSY,
                                                  memory_order_acquire, memory_order_acquire)) {
        if (expected == TNI_LATCH_CLOSED) {
            return false;
        }
        expected = TNI_LATCH_OPEN;
    }
    return true;
#else
    return *latch != TNI_LATCH_CLOSED;
#endif
}

// Ends the work. If it is not done, the next thread that asks tries again.
static inline void tni_latch_end(tni_latch *latch, bool is_done) {
    unsigned state = is_done ? TNI_LATCH_CLOSED : TNI_LATCH_OPEN;
#if TNI_HAVE_THREADS
    atomic_store_explicit(latch, state, memory_order_release);
#else
    *latch = state;
#endif
}

// Forgets that it was done. No other thread may ask at the same time.
static inline void tni_latch_reopen(tni_latch *latch) {
    tni_latch_end(latch, false);
}

// Tries to pass a door. Returns true for one thread at a time, until that one calls
// tni_latch_reopen.
static inline bool tni_latch_try(tni_latch *latch) {
#if TNI_HAVE_THREADS
    unsigned expected = TNI_LATCH_OPEN;
    return atomic_compare_exchange_strong_explicit(latch, &expected, TNI_LATCH_BUSY,
                                                   memory_order_acquire, memory_order_relaxed);
#else
    bool is_open = *latch == TNI_LATCH_OPEN;
    *latch = TNI_LATCH_BUSY;
    return is_open;
#endif
}

#endif
