// bench/quality.c: counts runs and prints the lines of families.
#include "bench/quality.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void quality_report(quality *report, bool is_right, double figure, const char *format, ...) {
    char text[QUALITY_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    // A state that is not finite is the worst of all.
    bool is_finite = isfinite(figure);
    is_right = is_right && is_finite;
    if (report->runs == 0 || !is_finite || figure > report->worst) {
        report->worst = figure;
        memcpy(report->worst_text, text, sizeof text);
    }
    report->runs++;
    report->wrong += is_right ? 0 : 1;
    if (report->is_verbose) {
        printf("    %-5s %-11.4g %s\n", is_right ? "right" : "WRONG", figure, text);
    }
}

static void quality_print_help(const char *program) {
    printf("%s [--verbose] [--only FAMILY] [--seconds S] [--hz HZ] [--substeps N] [--sleep]\n"
           "    --verbose    a line for each run: right or wrong, its figure and its parameters\n"
           "    --only NAME  the families whose name begins like this\n"
           "    --seconds, --hz, --substeps, --sleep  instead of each run's own (stacks)\n",
           program);
}

// The number after an option; false if there is none above 0.
static bool quality_read_number(int argc, char **argv, int *index, double *out_number) {
    if (*index + 1 >= argc) {
        return false;
    }
    *index += 1;
    *out_number = strtod(argv[*index], NULL);
    return *out_number > 0.0;
}

bool quality_read_options(quality *report, int argc, char **argv) {
    memset(report, 0, sizeof *report);
    for (int i = 1; i < argc; i++) {
        double number = 0.0;
        bool is_good = true;
        if (strcmp(argv[i], "--verbose") == 0) {
            report->is_verbose = true;
        } else if (strcmp(argv[i], "--sleep") == 0) {
            report->is_sleep_allowed = true;
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            report->only = argv[++i];
        } else if (strcmp(argv[i], "--seconds") == 0) {
            is_good = quality_read_number(argc, argv, &i, &report->seconds);
        } else if (strcmp(argv[i], "--hz") == 0) {
            is_good = quality_read_number(argc, argv, &i, &report->hz);
        } else if (strcmp(argv[i], "--substeps") == 0) {
            is_good = quality_read_number(argc, argv, &i, &number);
            report->substeps = (uint32_t)number;
        } else {
            is_good = false;
        }
        if (!is_good) {
            quality_print_help(argv[0]);
            return false;
        }
    }
    return true;
}

uint32_t quality_run_families(quality *report, const quality_family *families, uint32_t count) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < count; i++) {
        const quality_family *family = &families[i];
        size_t length = report->only == NULL ? 0 : strlen(report->only);
        if (length > 0 && strncmp(family->name, report->only, length) != 0) {
            continue;
        }
        report->runs = 0;
        report->wrong = 0;
        report->worst = 0.0;
        report->worst_text[0] = '\0';
        family->run(report);
        printf("%s: %u runs, %u wrong, worst %.4g %s (%s)\n", family->name, report->runs,
               report->wrong, report->worst, family->unit, report->worst_text);
        fflush(stdout);
        shown++;
    }
    return shown;
}
