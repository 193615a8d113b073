// core/timer.c: a monotonic clock, for telemetry only: no result ever depends on it.
// Test: tests/core/test_timer.c
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 199309L // clock_gettime, which C17 does not have
#endif

#include "core/timer.h"

#ifdef _WIN32
#include <windows.h>

double tni_timer_ms(void) {
    LARGE_INTEGER frequency, ticks;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&ticks);
    return 1000.0 * (double)ticks.QuadPart / (double)frequency.QuadPart;
}
#else
#include <time.h>

double tni_timer_ms(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0.0;
    }
    return 1000.0 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}
#endif
