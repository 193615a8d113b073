// tests/support/long_test.h: tests that go through many steps of one kind, which a sanitizer would
// see as often. By their names `./dev test` runs them without one in CI, and all others with.
#ifndef TESTS_SUPPORT_LONG_TEST_H
#define TESTS_SUPPORT_LONG_TEST_H

#include <criterion/criterion.h>

// As Test(suite, name, ...), whose last arguments may be left out.
#define LONG_TEST(...) LONG_TEST_NAMED(__VA_ARGS__, .disabled = false)

#define LONG_TEST_NAMED(suite, name, ...) Test(suite, name##_at_length, __VA_ARGS__)

#endif
