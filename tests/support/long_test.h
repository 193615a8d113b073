// tests/support/long_test.h: tests that go through many steps of one kind, which a sanitizer would
// see as often. By their names `./dev test` runs them without one in CI, and all others with.
#ifndef TESTS_SUPPORT_LONG_TEST_H
#define TESTS_SUPPORT_LONG_TEST_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <tenon/tenon.h>

// As Test(suite, name, ...), whose last arguments may be left out.
#define LONG_TEST(...) LONG_TEST_NAMED(__VA_ARGS__, .disabled = false)

#define LONG_TEST_NAMED(suite, name, ...) Test(suite, name##_at_length, __VA_ARGS__)

// TENON_CASES=few, which `./dev test` sets in CI, takes a third of the cases of tests that sample.
static inline bool long_test_takes_few(void) {
    const char *cases = getenv("TENON_CASES");
    return cases != NULL && strcmp(cases, "few") == 0;
}

// Returns how many of `all` cases, or steps of a long run, a test takes.
static inline int long_test_count(int all) {
    return long_test_takes_few() ? (all + 2) / 3 : all;
}

// Returns how many of `all` steps a test that goes through every scene takes of this one. Few
// scenes of a thousand bodies take most of its time, and soon do all that they will.
static inline int long_test_steps(const tn_world *going, int all) {
    bool is_crowd = tn_world_get_bodies(going, NULL, 0) >= 1000;
    return long_test_takes_few() && is_crowd ? (all + 3) / 4 : all;
}

#endif
