// Tests of bench/lowest.h: of each step the lowest time counts.
#include <criterion/criterion.h>

#include <math.h>

#include "bench/lowest.h"

Test(lowest, one_run_is_what_it_is) {
    const double times[4] = {3.0, 1.0, 2.0, 6.0};
    lowest_times lowest = {0};
    cr_assert(lowest_add(&lowest, times, 4));
    lowest_summary summary = lowest_summarize(lowest.times, lowest.count);
    cr_expect(fabs(summary.mean - 3.0) <= 1e-12);
    cr_expect(summary.median == 3.0);
    cr_expect(summary.p99 == 6.0);
    lowest_clear(&lowest);
    cr_expect(lowest.times == NULL);
}

Test(lowest, a_step_that_is_disturbed_once_is_not_slow) {
    const double first[4] = {1.0, 9.0, 2.0, 1.0}, second[4] = {7.0, 2.0, 2.0, 8.0};
    const double least[4] = {1.0, 2.0, 2.0, 1.0};
    lowest_times lowest = {0};
    cr_assert(lowest_add(&lowest, first, 4));
    cr_assert(lowest_add(&lowest, second, 4));
    for (int i = 0; i < 4; ++i) {
        cr_expect(lowest.times[i] == least[i]);
    }
    cr_expect(lowest_summarize(lowest.times, lowest.count).mean == 1.5);
    lowest_clear(&lowest);
}

Test(lowest, a_step_that_is_slow_every_time_stays_slow) {
    double times[100];
    for (int i = 0; i < 100; ++i) {
        times[i] = i == 40 ? 50.0 : 1.0;
    }
    lowest_times lowest = {0};
    cr_assert(lowest_add(&lowest, times, 100));
    cr_assert(lowest_add(&lowest, times, 100));
    lowest_summary summary = lowest_summarize(lowest.times, lowest.count);
    cr_expect(summary.median == 1.0);
    cr_expect(summary.p95 == 1.0);
    cr_expect(summary.p99 == 50.0);
    lowest_clear(&lowest);
}

Test(lowest, a_shorter_run_counts_as_far_as_it_goes) {
    const double first[3] = {4.0, 4.0, 4.0}, second[2] = {1.0, 5.0};
    lowest_times lowest = {0};
    cr_assert(lowest_add(&lowest, first, 3));
    cr_assert(lowest_add(&lowest, second, 2));
    cr_expect(lowest.count == 2);
    cr_expect(lowest.times[0] == 1.0);
    cr_expect(lowest.times[1] == 4.0);
    lowest_clear(&lowest);
}

Test(lowest, nothing_comes_to_nothing) {
    lowest_times lowest = {0};
    lowest_clear(&lowest);
    cr_expect(lowest_summarize(NULL, 0).mean == 0.0);
}
