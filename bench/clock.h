// bench/clock.h: processor time of this process, and time on the wall.
// Test: tests/bench/test_clock.c
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

// s, from an arbitrary start. Time of other processes does not count.
double bench_clock_get_seconds(void);
// The same by the clock on the wall, for threads: other processes do count.
double bench_clock_get_wall_seconds(void);
// s, that reading one of them takes: to be taken off a short measurement. A system call for the
// first, some ten times as long as the other.
double bench_clock_get_overhead(double (*get_seconds)(void));

#endif
