// Tests of bench/clock.h: what a clock takes is its own, and the least of its readings.
#include <criterion/criterion.h>

#include "bench/clock.h"

static double fake_now, fake_longest;

// Every third reading takes longer.
static double read_fake_clock(void) {
    static int readings;
    fake_now += ++readings % 3 == 0 ? fake_longest : 0.25;
    return fake_now;
}

Test(bench_clock, takes_the_least_that_a_reading_takes) {
    fake_longest = 8.0;
    cr_assert(bench_clock_get_overhead(read_fake_clock) == 0.25);
    fake_longest = 0.125;
    cr_assert(bench_clock_get_overhead(read_fake_clock) == 0.125);
}

Test(bench_clock, goes_on_by_both_clocks) {
    double processor = bench_clock_get_seconds(), wall = bench_clock_get_wall_seconds();
    cr_assert(bench_clock_get_overhead(bench_clock_get_seconds) >= 0.0);
    cr_assert(bench_clock_get_overhead(bench_clock_get_wall_seconds) >= 0.0);
    cr_assert(bench_clock_get_seconds() > processor);
    cr_assert(bench_clock_get_wall_seconds() > wall);
}
