// bench/clock.h: processor time of this process.
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

// s, from an arbitrary start. Time of other processes does not count.
double bench_clock_get_seconds(void);
// s, that reading the clock takes: to be taken off a short measurement.
double bench_clock_get_overhead(void);

#endif
