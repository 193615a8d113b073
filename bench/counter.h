// bench/counter.h: instructions that this thread has executed, where the machine tells.
#ifndef BENCH_COUNTER_H
#define BENCH_COUNTER_H

#include <stdbool.h>

typedef struct bench_counter {
    int file; // < 0: there is no such counter here
} bench_counter;

// Not everywhere: other systems than Linux, most virtual machines and strict settings have none.
bench_counter counter_open(void);
void counter_close(bench_counter *counter);
bool counter_is_open(const bench_counter *counter);
// Since it was opened, outside of the system's own code. 0 without a counter.
double counter_read(const bench_counter *counter);

#endif
