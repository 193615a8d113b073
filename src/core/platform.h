// core/platform.h: blocks of memory, the clock, and whether there are threads.
//
// Systems differ in these. What they do otherwise stands in core/platform.c alone: behind this
// header, and behind core/platform_threads.h.
#ifndef TNI_CORE_PLATFORM_H
#define TNI_CORE_PLATFORM_H

#include "core/base.h"

// The library makes threads on POSIX systems and on Windows, if the compiler has C11's atomics.
// MSVC has those that need no lock, which are all that the library wants; it says all the same that
// it has none, and the build asks it (cmake/tenon_compile.cmake).
#if (!defined(__STDC_NO_ATOMICS__) || defined(TNI_HAS_C11_ATOMICS)) && !defined(__wasi__) &&       \
    (!defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__))
#define TNI_HAVE_THREADS 1
#else
#define TNI_HAVE_THREADS 0
#endif

// Returns a block of the C library's that is aligned to TNI_ALLOC_ALIGNMENT. On Linux, one that
// nearly fills a huge page is one. It is null when there is no memory. Range: size > 0.
void *tni_platform_alloc(size_t size);
// Frees such a block. Null is allowed.
void tni_platform_free(void *memory);

// Returns the milliseconds since some fixed point in the past, by a clock that never goes back. It
// is for telemetry only: no result ever depends on it.
double tni_platform_get_ms(void);

#endif
