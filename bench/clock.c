// bench/clock.c: processor time and wall time, from POSIX where there is one.

#define _POSIX_C_SOURCE 199309L

#include "bench/clock.h"

#include <time.h>

#define OVERHEAD_READINGS 1000

double bench_clock_get_seconds(void) {
#ifdef CLOCK_PROCESS_CPUTIME_ID
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#else
    return (double)clock() / (double)CLOCKS_PER_SEC;
#endif
}

double bench_clock_get_wall_seconds(void) {
    struct timespec now = {0};
#ifdef CLOCK_MONOTONIC
    clock_gettime(CLOCK_MONOTONIC, &now);
#else
    timespec_get(&now, TIME_UTC);
#endif
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_clock_get_overhead(double (*get_seconds)(void)) {
    double least = 1.0;
    double last = get_seconds();
    for (int i = 0; i < OVERHEAD_READINGS; ++i) {
        double now = get_seconds();
        if (now - last < least) {
            least = now - last;
        }
        last = now;
    }
    return least;
}
