// bench/counter.c: the processor's counter of instructions, by perf_event_open of Linux.
//
// What the system executes on our behalf is left out, which also is what an unprivileged process
// may ask for (kernel.perf_event_paranoid up to 2).

#define _DEFAULT_SOURCE

#include "bench/counter.h"

#include <stdint.h>

#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

bench_counter counter_open(void) {
    struct perf_event_attr what = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof(what),
        .config = PERF_COUNT_HW_INSTRUCTIONS,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    // Of this thread on any processor, not in a group.
    long file = syscall(SYS_perf_event_open, &what, 0, -1, -1, 0UL);
    return (bench_counter){(int)file};
}

void counter_close(bench_counter *counter) {
    if (counter->file >= 0) {
        close(counter->file);
    }
    counter->file = -1;
}

double counter_read(const bench_counter *counter) {
    uint64_t count = 0;
    if (counter->file < 0 || read(counter->file, &count, sizeof(count)) != sizeof(count)) {
        return 0.0;
    }
    return (double)count;
}
#else
bench_counter counter_open(void) {
    return (bench_counter){-1};
}

void counter_close(bench_counter *counter) {
    counter->file = -1;
}

double counter_read(const bench_counter *counter) {
    (void)counter;
    return 0.0;
}
#endif

bool counter_is_open(const bench_counter *counter) {
    return counter->file >= 0;
}
