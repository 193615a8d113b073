// bench/clock.c: processor time, from POSIX where there is one.

#define _POSIX_C_SOURCE 199309L

#include "bench/clock.h"

#include <time.h>

double bench_clock_get_seconds(void) {
#ifdef CLOCK_PROCESS_CPUTIME_ID
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#else
    return (double)clock() / (double)CLOCKS_PER_SEC;
#endif
}
