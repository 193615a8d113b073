// bench/machine_quality.c: tenon_machines: random machines neither burst nor fall apart.
//
// A line for each kind of machine says how many of how many gained energy, opened, were lost, or
// had a step of many iterations; then the worst seeds follow. The program measures: it always ends
// with 0.
#include "bench/machine_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUALITY_SHOWN 8 // worst seeds

typedef struct machine_options {
    uint64_t seed;
    uint32_t count;
    uint32_t kind; // MACHINE_KIND_COUNT: as the seed says
    tn_solver solver;
    double seconds;
    bool is_verbose;
} machine_options;

typedef struct machine_run {
    uint64_t seed;
    uint32_t kind;
    machine_result result;
} machine_run;

typedef struct machine_count {
    uint32_t runs, gained, opened, bent, lost, slow, unbalanced;
} machine_count;

static void machine_print_help(const char *program) {
    printf("%s [--seed S] [--count N] [--kind KIND] [--solver NAME] [--seconds T] [--verbose]\n"
           "    --seed S      the first seed (1); the others follow\n"
           "    --count N     how many machines (400)\n"
           "    --kind KIND   tree, or words of hung, loops, limits, motors, floor joined by +\n"
           "    --solver NAME auto (default), direct, pgs or cg\n"
           "    --seconds T   simulated time of each, at most 60 (5)\n"
           "    --verbose     a line for each machine; of one machine each step\n",
           program);
}

static bool machine_read_option(machine_options *options, const char *name, const char *value) {
    if (strcmp(name, "--seed") == 0) {
        options->seed = strtoull(value, NULL, 10);
    } else if (strcmp(name, "--count") == 0) {
        options->count = (uint32_t)strtoul(value, NULL, 10);
    } else if (strcmp(name, "--kind") == 0) {
        options->kind = machine_read_kind(value);
        return options->kind < MACHINE_KIND_COUNT;
    } else if (strcmp(name, "--solver") == 0) {
        return quality_read_solver(value, &options->solver);
    } else if (strcmp(name, "--seconds") == 0) {
        options->seconds = strtod(value, NULL);
        return options->seconds > 0.0;
    } else {
        return false;
    }
    return true;
}

static bool machine_read_options(machine_options *options, int argc, char **argv) {
    *options =
        (machine_options){.seed = 1, .count = 400, .kind = MACHINE_KIND_COUNT, .seconds = 5.0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--verbose") == 0) {
            options->is_verbose = true;
        } else if (i + 1 < argc && machine_read_option(options, argv[i], argv[i + 1])) {
            i++;
        } else {
            machine_print_help(argv[0]);
            return false;
        }
    }
    return true;
}

static machine_run machine_make_run(const machine_options *options, uint64_t seed) {
    machine_run run = {.seed = seed};
    run.kind = options->kind < MACHINE_KIND_COUNT ? options->kind : machine_pick_kind(seed);
    machine made = machine_create(seed, run.kind, options->solver);
    run.result = machine_watch(&made, options->seconds, options->is_verbose && options->count == 1);
    tn_world_destroy(made.world);
    return run;
}

// Numbers that are not finite count as faults.
static void machine_count_run(machine_count *count, const machine_result *result) {
    count->runs++;
    count->gained += !(result->gain <= MACHINE_GAIN);
    count->opened += result->open_steps > MACHINE_OPEN_STEPS;
    count->bent += !(result->bend <= 0.01);
    count->lost += result->is_lost;
    count->slow += result->slow > MACHINE_SLOW;
    count->unbalanced += !(result->ledger <= 1e-3);
}

static void machine_print_count(const char *name, const machine_count *count) {
    printf("%-32s %4u runs: %3u gained, %3u opened, %3u lost, %3u slow; %3u bent, %3u unbalanced\n",
           name, count->runs, count->gained, count->opened, count->lost, count->slow, count->bent,
           count->unbalanced);
}

// Why something of the machine was not left to the direct solver.
static const char *machine_reason_name(uint32_t reasons) {
    bool failed = (reasons >> TN_MECHANISM_REASON_FAILED & 1) != 0;
    bool touches = (reasons >> TN_MECHANISM_REASON_CONTACTS & 1) != 0;
    bool is_light = (reasons >> TN_MECHANISM_REASON_LIGHT & 1) != 0;
    return failed     ? ", swept: direct failed"
           : touches  ? ", swept: contacts"
           : is_light ? ", swept: light"
           : reasons  ? ", swept"
                      : "";
}

static void machine_print_run(const machine_run *run) {
    const machine_result *result = &run->result;
    printf("    seed %llu (%s): gain %.3g of %.3g J at %.2f s, open %.3g m for %u steps, bent %.2g "
           "rad, ledger off %.2g%s, %u iterations, %.3g times the median, %u failures%s\n",
           (unsigned long long)run->seed, machine_kind_name(run->kind), result->gain, result->scale,
           result->gain_time, result->opening, result->open_steps, result->bend, result->ledger,
           result->is_lost ? ", LOST" : "", result->iterations, result->slow, result->failures,
           machine_reason_name(result->reasons));
}

// ---- the worst --------------------------------------------------------------------------------

static double machine_get_gain(const machine_run *run) {
    return run->result.gain / MACHINE_GAIN;
}

static double machine_get_opening(const machine_run *run) {
    return run->result.open_steps > MACHINE_OPEN_STEPS ? run->result.opening / MACHINE_OPEN : 0.0;
}

static double machine_get_slowness(const machine_run *run) {
    return run->result.slow / MACHINE_SLOW;
}

// The runs with the largest figures above 1.
static void machine_print_worst(const machine_run *runs, uint32_t count, const char *title,
                                double (*get)(const machine_run *run)) {
    double below = HUGE_VAL;
    for (uint32_t shown = 0; shown < QUALITY_SHOWN; shown++) {
        const machine_run *worst = NULL;
        for (uint32_t i = 0; i < count; i++) {
            double figure = get(&runs[i]);
            figure = isfinite(figure) ? figure : 1e300;
            if (figure > 1.0 && figure < below && (worst == NULL || figure > get(worst))) {
                worst = &runs[i];
            }
        }
        if (worst == NULL) {
            return;
        }
        if (shown == 0) {
            printf("%s:\n", title);
        }
        machine_print_run(worst);
        below = get(worst);
        below = isfinite(below) ? below : 1e300;
    }
}

int main(int argc, char **argv) {
    machine_options options;
    if (!machine_read_options(&options, argc, argv)) {
        return 0;
    }
    machine_run *runs = calloc(options.count > 0 ? options.count : 1, sizeof *runs);
    machine_count counts[MACHINE_KIND_COUNT] = {{0}}, all = {0};
    for (uint32_t i = 0; i < options.count; i++) {
        runs[i] = machine_make_run(&options, options.seed + i);
        machine_count_run(&counts[runs[i].kind], &runs[i].result);
        machine_count_run(&all, &runs[i].result);
        if (options.is_verbose) {
            machine_print_run(&runs[i]);
        }
    }
    for (uint32_t kind = 0; kind < MACHINE_KIND_COUNT; kind++) {
        if (counts[kind].runs > 0) {
            machine_print_count(machine_kind_name(kind), &counts[kind]);
        }
    }
    machine_print_count("all", &all);
    machine_print_worst(runs, options.count, "gained most", machine_get_gain);
    machine_print_worst(runs, options.count, "opened most", machine_get_opening);
    machine_print_worst(runs, options.count, "slowest step", machine_get_slowness);
    free(runs);
    return 0;
}
