// Blocks of memory are tested with the allocator, threads in tests/threads.
#include <criterion/criterion.h>

#include "core/platform.h"

Test(platform, clock_never_runs_backward_and_does_run) {
    double start = tni_platform_get_ms();
    double last = start;
    for (long i = 0; i < 100000000 && last - start < 2.0; ++i) {
        double now = tni_platform_get_ms();
        cr_assert(now >= last);
        last = now;
    }
    cr_assert(last - start >= 2.0);
    cr_assert(last - start < 10000.0);
}
