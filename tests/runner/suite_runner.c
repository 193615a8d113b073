// tests/runner/suite_runner.c: runs Criterion's tests, up to GROUP_TESTS of them in a process.
//
// Criterion starts a process for each test. Under sanitizers that takes 0.13 s, half of the time of
// all tests, so the sanitized tenon_tests has this main instead, and gives Criterion's assertions
// another place to go. A test that crashes or runs out of time ends its process; the tests behind
// it go on in another. Leaks are found when a process ends.
//
//     tenon_tests [--filter PATTERN] [-jN]
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <criterion/event.h>
#include <fnmatch.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    GROUP_TESTS = 32,
    MAX_JOBS = 64,
    PATIENCE = 4, // times a test's timeout: sanitizers slow down, and so do neighbours
    SLOWEST = 5   // tests are named at the end
};

typedef enum test_state {
    STATE_WAITING,
    STATE_RUNNING,
    STATE_PASSED,
    STATE_SKIPPED,
    STATE_FAILED,
    STATE_CRASHED,
} test_state;

typedef struct test_record {
    test_state state;
    double seconds;
} test_record;

typedef struct group {
    size_t first, count;
} group;

// The linker names the ends of the sections in which Criterion's macros put their tests and suites.
extern struct criterion_test *__start_cr_tst[], *__stop_cr_tst[];
extern struct criterion_suite *__start_cr_sts[], *__stop_cr_sts[];

static struct criterion_test **tests;
static size_t test_count;
static test_record *records; // by test, shared with the processes that run them

// ---- one test, in its process
// ----------------------------------------------------------------------

static const struct criterion_test *running;
static bool has_failed, is_skipped;
static jmp_buf end_of_part;

static const struct criterion_test_extra_data *running_suite(void) {
    for (struct criterion_suite **suite = __start_cr_sts; suite < __stop_cr_sts; ++suite) {
        if (*suite != NULL && strcmp((*suite)->name, running->category) == 0) {
            return (*suite)->data;
        }
    }
    return NULL;
}

// Runs a part of a test, which an assertion may end early.
static void run_part(void (*part)(void)) {
    if (part != NULL && setjmp(end_of_part) == 0) {
        part();
    }
}

void criterion_internal_test_setup(void) {
    const struct criterion_test_extra_data *suite = running_suite();
    run_part(suite != NULL ? suite->init : NULL);
    run_part(running->data->init);
}

void criterion_internal_test_main(void (*test)(void)) {
    run_part(test);
}

void criterion_internal_test_teardown(void) {
    const struct criterion_test_extra_data *suite = running_suite();
    run_part(running->data->fini);
    run_part(suite != NULL ? suite->fini : NULL);
}

void criterion_send_assert(struct criterion_assert_stats *stats) {
    if (!stats->passed) {
        has_failed = true;
        printf("[----] %s:%u: Assertion failed: %s\n", stats->file, stats->line, stats->message);
    }
}

void cri_asserts_passed_incr(void) {
}

void criterion_abort_test(void) {
    has_failed = true;
    longjmp(end_of_part, 1);
}

void criterion_continue_test(void) {
}

void criterion_skip_test(const char *format, ...) {
    (void)format;
    is_skipped = true;
    longjmp(end_of_part, 1);
}

static unsigned timeout_of(const struct criterion_test *test) {
    const struct criterion_test_extra_data *suite = running_suite();
    double timeout = test->data->timeout;
    if (timeout == 0.0 && suite != NULL) {
        timeout = suite->timeout;
    }
    return PATIENCE * (unsigned)timeout;
}

static double read_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Runs the tests of a group that have not run. A signal at the end of a test's time ends the
// process.
static void run_group(group these) {
    for (size_t i = these.first; i < these.first + these.count; ++i) {
        if (records[i].state != STATE_WAITING) {
            continue;
        }
        double start = read_clock();
        running = tests[i];
        has_failed = false;
        is_skipped = running->data->disabled;
        records[i].state = STATE_RUNNING;
        alarm(timeout_of(running));
        if (!is_skipped) {
            running->test();
        }
        alarm(0);
        records[i].seconds = read_clock() - start;
        records[i].state = is_skipped ? STATE_SKIPPED : has_failed ? STATE_FAILED : STATE_PASSED;
        if (has_failed) {
            printf("[FAIL] %s::%s\n", running->category, running->name);
        }
    }
    exit(EXIT_SUCCESS);
}

// ---- all groups
// --------------------------------------------------------------------------------------

static int compare_tests(const void *a, const void *b) {
    const struct criterion_test *one = *(struct criterion_test *const *)a;
    const struct criterion_test *other = *(struct criterion_test *const *)b;
    int order = strcmp(one->category, other->category);
    return order != 0 ? order : strcmp(one->name, other->name);
}

static void *check_memory(void *memory) {
    if (memory == NULL || memory == MAP_FAILED) {
        fputs("no memory for the list of tests\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

static void choose_tests(const char *pattern) {
    size_t most = (size_t)(__stop_cr_tst - __start_cr_tst);
    tests = check_memory(calloc(most + 1, sizeof *tests));
    for (size_t i = 0; i < most; ++i) {
        struct criterion_test *test = __start_cr_tst[i];
        if (test != NULL && fnmatch(pattern, test->data->identifier_, FNM_EXTMATCH) == 0) {
            tests[test_count++] = test;
        }
    }
    qsort(tests, test_count, sizeof *tests, compare_tests);
    records = check_memory(mmap(NULL, (test_count + 1) * sizeof *records, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

static group next_group(size_t first) {
    size_t left = test_count - first;
    return (group){.first = first, .count = left < GROUP_TESTS ? left : GROUP_TESTS};
}

static pid_t start(group these) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        run_group(these);
    }
    if (child < 0) {
        perror("fork");
        exit(EXIT_FAILURE);
    }
    return child;
}

// Notes what ended a process before its tests had, and says whether some of them have yet to run.
static bool has_more(group these, int status) {
    bool is_waiting = false, is_explained = false;
    for (size_t i = these.first; i < these.first + these.count; ++i) {
        if (records[i].state == STATE_RUNNING) {
            bool is_late = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
            printf("[FAIL] %s::%s: %s\n", tests[i]->category, tests[i]->name,
                   is_late ? "Timed out" : "CRASH!");
            records[i].state = STATE_CRASHED;
            is_explained = true;
        }
        is_waiting = is_waiting || records[i].state == STATE_WAITING;
    }
    if (status != 0 && !is_explained) {
        const struct criterion_test *last = tests[these.first + these.count - 1];
        printf("[FAIL] from %s to %s: their process ended badly\n",
               tests[these.first]->data->identifier_, last->data->identifier_);
        records[these.first].state = STATE_CRASHED;
    }
    return is_waiting;
}

static void run_groups(size_t jobs) {
    group groups[MAX_JOBS];
    pid_t children[MAX_JOBS] = {0};
    size_t next = 0, busy = 0;
    while (next < test_count || busy > 0) {
        if (next < test_count && busy < jobs) {
            size_t slot = 0;
            while (children[slot] != 0) {
                ++slot;
            }
            groups[slot] = next_group(next);
            next += groups[slot].count;
            children[slot] = start(groups[slot]);
            ++busy;
            continue;
        }
        int status = 0;
        pid_t child = wait(&status);
        for (size_t slot = 0; slot < jobs; ++slot) {
            if (children[slot] == child) {
                bool goes_on = has_more(groups[slot], status);
                children[slot] = goes_on ? start(groups[slot]) : 0;
                busy -= !goes_on;
            }
        }
    }
}

static size_t count_states(test_state state) {
    size_t count = 0;
    for (size_t i = 0; i < test_count; ++i) {
        count += records[i].state == state;
    }
    return count;
}

static void print_slowest(void) {
    for (int n = 0; n < SLOWEST; ++n) {
        size_t slowest = 0;
        for (size_t i = 1; i < test_count; ++i) {
            slowest = records[i].seconds > records[slowest].seconds ? i : slowest;
        }
        if (test_count == 0 || records[slowest].seconds < 1.0) {
            return;
        }
        printf("[----] %s took %.0f s\n", tests[slowest]->data->identifier_,
               records[slowest].seconds);
        records[slowest].seconds = 0.0;
    }
}

int main(int argument_count, char **arguments) {
    const char *pattern = "*";
    long jobs = sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 1; i < argument_count; ++i) {
        if (strcmp(arguments[i], "--filter") == 0 && i + 1 < argument_count) {
            pattern = arguments[++i];
        } else if (strncmp(arguments[i], "-j", 2) == 0) {
            jobs = strtol(arguments[i] + 2, NULL, 10);
        } else {
            fprintf(stderr, "%s takes --filter PATTERN and -jN, not '%s'\n", arguments[0],
                    arguments[i]);
            return 2;
        }
    }
    // A line is written at once: a process that crashes leaves what it had not written.
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    choose_tests(pattern);
    run_groups(jobs < 1 ? 1 : jobs > MAX_JOBS ? MAX_JOBS : (size_t)jobs);

    print_slowest();
    size_t passed = count_states(STATE_PASSED), skipped = count_states(STATE_SKIPPED);
    size_t failed = count_states(STATE_FAILED), crashed = count_states(STATE_CRASHED);
    printf("[====] Synthesis: Tested: %zu | Passing: %zu | Failing: %zu | Crashing: %zu\n",
           test_count - skipped, passed, failed + crashed, crashed);
    return passed + skipped == test_count ? EXIT_SUCCESS : EXIT_FAILURE;
}
