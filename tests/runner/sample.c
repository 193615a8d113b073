// tests/runner/sample.c: tests that end in every way, for tests/runner/run.sh.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

static int setups;
static int *volatile nowhere;

static void setup(void) {
    ++setups;
}

TestSuite(good, .init = setup);

Test(good, begins_with_the_setup_of_its_suite) {
    cr_assert_eq(setups, 1);
}

Test(good, shares_a_process) {
    cr_assert_eq(setups, 2);
}

Test(bad, a_stops_at_an_assertion) {
    cr_assert(setups == 7, "%d is not 7", setups);
    abort();
}

Test(bad, b_goes_on_after_an_expectation) {
    cr_expect_eq(setups, 8);
    cr_expect_eq(setups, 9);
}

Test(bad, c_crashes) {
    *nowhere = 1;
}

Test(bad, d_runs_after_a_crash) {
    cr_assert_eq(setups, 0);
}

Test(bad, e_is_late, .timeout = 1) {
    sleep(20);
}

Test(bad, f_is_skipped) {
    cr_skip_test();
}

Test(leaks, is_found_at_the_end) {
    char *lost = malloc(16);
    cr_assert_not_null(lost);
    lost = NULL;
}
