// tests/fuzz/fuzz.c: builds geometry from generated points and numbers, and asks about it.
//
//     tenon_fuzz [hull|mesh|height_field|compound|query|snapshot|record] [--first SEED]
//                [--seeds N] [--seconds S] [--trace]
//
// Each seed draws a scale, 1e-4 to 1e4 m, and points and numbers about as large: balls, needles,
// sheets, coincident and collinear points; a hostile seed, one in four, has NaN, infinities and
// huge numbers among them. It builds hulls, meshes, height fields or compounds, puts them into a
// world, asks all queries and takes some steps. The answers are checked: normals have length 1,
// fractions are from 0 to 1, nothing is NaN, a hull is closed, convex and holds its points, batches
// of queries agree with single ones, and all memory is given back. Sanitizers find other faults.
// Without a target all are run; with --seconds each runs for that time, else for so many seeds.
// Without --first the seeds that once failed come before them (fuzz_failed.c).
#include "fuzz.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct fuzz_target {
    const char *name;
    void (*run)(fuzz *f);
} fuzz_target;

static const fuzz_target fuzz_targets[] = {
    {"hull", fuzz_hull},         {"mesh", fuzz_mesh},   {"height_field", fuzz_height_field},
    {"compound", fuzz_compound}, {"query", fuzz_query}, {"snapshot", fuzz_snapshot},
    {"record", fuzz_record},
};
#define FUZZ_TARGETS (sizeof fuzz_targets / sizeof *fuzz_targets)

typedef struct fuzz_options {
    const char *target; // or null: all
    uint32_t first, seeds, seconds;
    bool has_first, is_traced;
} fuzz_options;

static bool fuzz_run_seed(const fuzz_target *target, uint32_t seed) {
    fuzz f = {.random = seed, .target = target->name, .seed = seed};
    f.scale = fuzz_spread(&f, 1e-4, 1e4);
    f.is_hostile = fuzz_chance(&f, 4);
    f.has_threads = fuzz_chance(&f, 50);
    f.failure_share = fuzz_chance(&f, 10) ? 4u << fuzz_below(&f, 6) : 0;
    target->run(&f);
    fuzz_expect(&f, f.has_threads || f.allocated == 0, "memory was not given back");
    return !f.is_wrong;
}

static uint32_t fuzz_run_traced(const fuzz_target *target, uint32_t seed, bool is_traced) {
    if (is_traced) {
        printf("%s, seed %u\n", target->name, seed);
        fflush(stdout);
    }
    return fuzz_run_seed(target, seed) ? 0 : 1;
}

static bool fuzz_run_target(const fuzz_target *target, const fuzz_options *options) {
    uint32_t first = options->has_first ? options->first : 1, seed = first, wrong = 0, failed = 0;
    for (uint32_t i = 0; i < fuzz_failed_count && !options->has_first; ++i) {
        if (strcmp(fuzz_failed[i].target, target->name) == 0) {
            wrong += fuzz_run_traced(target, fuzz_failed[i].seed, options->is_traced);
            failed += 1;
        }
    }
    time_t end = time(NULL) + (time_t)options->seconds;
    bool goes_on = true;
    while (goes_on) {
        wrong += fuzz_run_traced(target, seed, options->is_traced);
        seed += 1;
        goes_on = options->seconds > 0 ? time(NULL) < end : seed - first < options->seeds;
    }
    printf("%s: %u seeds, %u wrong\n", target->name, failed + seed - first, wrong);
    fflush(stdout);
    return wrong == 0;
}

static bool fuzz_read_number(const char *text, uint32_t *out_number) {
    char *end = NULL;
    errno = 0;
    unsigned long number = text != NULL ? strtoul(text, &end, 10) : 0;
    *out_number = (uint32_t)number;
    return text != NULL && errno == 0 && *text != 0 && *end == 0 && number <= UINT32_MAX;
}

static bool fuzz_read_options(char **arguments, fuzz_options *options) {
    for (char **a = arguments; *a != NULL; ++a) {
        bool is_right = true;
        if (strcmp(*a, "--trace") == 0) {
            options->is_traced = true;
        } else if (strcmp(*a, "--first") == 0) {
            options->has_first = true;
            is_right = fuzz_read_number(*++a, &options->first);
        } else if (strcmp(*a, "--seeds") == 0) {
            is_right = fuzz_read_number(*++a, &options->seeds);
        } else if (strcmp(*a, "--seconds") == 0) {
            is_right = fuzz_read_number(*++a, &options->seconds);
        } else {
            options->target = *a;
            is_right = (*a)[0] != '-';
        }
        if (!is_right) {
            return false;
        }
    }
    return true;
}

int main(int count, char **arguments) {
    (void)count;
    fuzz_options options = {.seeds = 200};
    if (!fuzz_read_options(arguments + 1, &options)) {
        fprintf(stderr, "tenon_fuzz [TARGET] [--first SEED] [--seeds N] [--seconds S] [--trace]\n");
        return 2;
    }
    bool is_right = true, is_known = false;
    for (size_t i = 0; i < FUZZ_TARGETS; ++i) {
        if (options.target == NULL || strcmp(options.target, fuzz_targets[i].name) == 0) {
            is_known = true;
            is_right = fuzz_run_target(&fuzz_targets[i], &options) && is_right;
        }
    }
    if (!is_known) {
        fprintf(stderr, "There is no target '%s'.\n", options.target);
        return 2;
    }
    return is_right ? 0 : 1;
}
