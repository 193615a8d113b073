// bench/clock.h: processor time of this process, and time on the wall.
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

// s, from an arbitrary start. Time of other processes does not count.
double bench_clock_get_seconds(void);
// The same by the clock on the wall, for threads: other processes do count.
double bench_clock_get_wall_seconds(void);
// s, that reading the clock takes: to be taken off a short measurement.
double bench_clock_get_overhead(void);

#endif
