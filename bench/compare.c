// bench/compare.c: compares a run with a saved one: times, instructions, memory, quality, hashes.
//
// Times differ by chance. A ratio counts as a change when it leaves the noise: the larger of what
// the medians of the repeats differed by in either run, and 15 %, by which two runs on one machine
// differ. Where both runs have peers, the median of the peers' ratios tells how the machine has
// changed in the meantime: it is divided out, and for what was repeated 8 % is noise enough.
// Instructions, memory and
// quality repeat exactly or nearly, so 1 % is a change.

#include "bench/compare.h"

#include "bench/figures.h"
#include "tools/tenon/json_reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOISE_ALONE      0.15
#define NOISE_WITH_PEERS 0.08
#define EXACT_CHANGE     0.01 // of what does not depend on the clock
#define LEAST_PEERS      3    // results of peers that tell of the machine
#define TINY_FIGURE      1e-9 // m, rad/s or a share: changes below it are round-off

typedef struct compare_pair {
    const bench_case *item;
    const bench_engine *engine;
    const bench_result *now;
    const cJSON *then;
} compare_pair;

typedef struct compare_run {
    const bench_report *report;
    compare_pair *pairs;
    uint32_t pair_count;
    double machine; // how many times longer the peers take now
    bool has_machine;
    uint32_t faster, slower, moved; // moved: other hashes
    FILE *file;
} compare_run;

static double compare_get_number(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

static const cJSON *compare_find(const cJSON *results, const char *case_name, const char *engine) {
    const cJSON *item;
    cJSON_ArrayForEach(item, results) {
        const char *its_case = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "case"));
        const char *its_engine =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "engine"));
        if (its_case != NULL && its_engine != NULL && strcmp(its_case, case_name) == 0 &&
            strcmp(its_engine, engine) == 0) {
            return item;
        }
    }
    return NULL;
}

// What both runs have, with the same number of steps.
static void compare_find_pairs(compare_run *run, const cJSON *results) {
    const bench_report *report = run->report;
    for (uint32_t i = 0; i < report->case_count; ++i) {
        for (uint32_t j = 0; j < report->engine_count; ++j) {
            const bench_result *now = &report->results[i * report->engine_count + j];
            const cJSON *then =
                compare_find(results, report->cases[i]->name, report->engines[j]->name);
            if (now->has_run && then != NULL &&
                compare_get_number(then, "steps") == (double)now->steps) {
                run->pairs[run->pair_count++] =
                    (compare_pair){report->cases[i], report->engines[j], now, then};
            }
        }
    }
}

// Now over then; NaN when it is not known.
static double compare_get_time_ratio(const compare_pair *pair) {
    double then = compare_get_number(pair->then, "median_ms");
    return then > 0.0 ? pair->now->median_ms / then : (double)NAN;
}

static int compare_doubles(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void compare_find_machine(compare_run *run) {
    double *ratios = calloc((size_t)run->pair_count + 1, sizeof(double));
    uint32_t count = 0;
    for (uint32_t i = 0; ratios != NULL && i < run->pair_count; ++i) {
        double ratio = compare_get_time_ratio(&run->pairs[i]);
        if (!run->pairs[i].engine->is_tenon && isfinite(ratio)) {
            ratios[count++] = ratio;
        }
    }
    run->machine = 1.0;
    run->has_machine = count >= LEAST_PEERS;
    if (run->has_machine) {
        qsort(ratios, count, sizeof(double), compare_doubles);
        run->machine = ratios[count / 2];
    }
    free(ratios);
}

static double compare_get_spread(double highest, double lowest) {
    return lowest > 0.0 && highest > lowest ? highest / lowest - 1.0 : 0.0;
}

static void compare_print_time(compare_run *run, const compare_pair *pair) {
    double ratio = compare_get_time_ratio(pair) / run->machine;
    double then = compare_get_number(pair->then, "median_ms");
    double spread = compare_get_spread(pair->now->highest_median_ms, pair->now->median_ms);
    // Without a spread there was no repeat.
    double noise = run->has_machine && spread > 0.0 ? NOISE_WITH_PEERS : NOISE_ALONE;
    noise = fmax(noise, spread);
    noise =
        fmax(noise, compare_get_spread(compare_get_number(pair->then, "highest_median_ms"), then));
    const char *word = "same";
    if (ratio > 1.0 + noise) {
        word = "SLOWER";
        run->slower += 1;
    } else if (ratio < 1.0 / (1.0 + noise)) {
        word = "faster";
        run->faster += 1;
    }
    fprintf(run->file, "  %-18s %-10s %9.4f -> %9.4f ms, x %5.2f %-6s (noise %2.0f %%)",
            pair->item->name, pair->engine->name, then, pair->now->median_ms, ratio, word,
            1e2 * noise);
}

// Of what repeats nearly: nothing where nothing changed.
static void compare_print_exact(FILE *file, const char *name, double then, double now) {
    if (isfinite(then) && isfinite(now) && then > 0.0 && fabs(now / then - 1.0) > EXACT_CHANGE) {
        fprintf(file, "; %s %.4g -> %.4g (%+.1f %%)", name, then, now, 1e2 * (now / then - 1.0));
    }
}

static void compare_print_quality(const compare_run *run, const compare_pair *pair) {
    for (uint32_t i = 0; i < bench_figure_field_count; ++i) {
        const bench_figure_field *field = &bench_figure_fields[i];
        double then = compare_get_number(pair->then, field->name);
        double now = figure_field_get(field, &pair->now->quality);
        bool is_asked = (pair->item->figures & field->figures) != 0;
        double size = fmax(fabs(then), fabs(now));
        if (is_asked && size > TINY_FIGURE && !(fabs(now - then) <= EXACT_CHANGE * size)) {
            fprintf(run->file, "; %s %.3g -> %.3g", field->name, then, now);
        }
    }
}

static void compare_print_hash(compare_run *run, const compare_pair *pair) {
    const char *then = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(pair->then, "hash"));
    char now[24];
    snprintf(now, sizeof(now), "%016" PRIx64, pair->now->report.hash);
    if (then != NULL && strcmp(then, now) != 0) {
        fprintf(run->file, "; other hash");
        run->moved += 1;
    }
}

static void compare_print_pair(compare_run *run, const compare_pair *pair) {
    compare_print_time(run, pair);
    if (pair->now->instructions > 0.0) {
        compare_print_exact(run->file, "instructions",
                            compare_get_number(pair->then, "instructions"),
                            pair->now->instructions);
    }
    if (pair->engine->is_tenon) {
        compare_print_exact(run->file, "bytes", compare_get_number(pair->then, "peak_bytes"),
                            (double)pair->now->report.peak_bytes);
        compare_print_hash(run, pair);
    }
    compare_print_quality(run, pair);
    fprintf(run->file, "\n");
}

static void compare_print_all(compare_run *run) {
    fprintf(run->file, "\nmedian ms of a step since the saved run\n");
    compare_find_machine(run);
    if (run->has_machine) {
        fprintf(run->file, "the machine takes %.2f times as long, by the peers: divided out\n",
                run->machine);
    }
    for (uint32_t i = 0; i < run->pair_count; ++i) {
        if (run->pairs[i].engine->is_tenon) {
            compare_print_pair(run, &run->pairs[i]);
        }
    }
    fprintf(run->file, "%" PRIu32 " faster, %" PRIu32 " slower, %" PRIu32 " with other hashes\n",
            run->faster, run->slower, run->moved);
}

// With an error in the reader where it is false.
static bool compare_read(json_reader *reader, const char *path, const cJSON **out_results) {
    bool is_read = json_reader_load(reader, path);
    *out_results = cJSON_GetObjectItemCaseSensitive(reader->root, "results");
    if (is_read && !cJSON_IsArray(*out_results)) {
        snprintf(reader->error, sizeof(reader->error), "%s: is no run of the benchmark", path);
        return false;
    }
    return is_read;
}

bool compare_can_read(const char *path) {
    json_reader reader;
    const cJSON *results;
    bool is_read = compare_read(&reader, path, &results);
    if (!is_read) {
        fprintf(stderr, "tenon_bench: %s\n", reader.error);
    }
    json_reader_clear(&reader);
    return is_read;
}

bool compare_print(const bench_report *report, const char *path, FILE *file) {
    json_reader reader;
    const cJSON *results;
    bool is_read = compare_read(&reader, path, &results);
    compare_run run = {
        .report = report,
        .pairs =
            calloc((size_t)report->case_count * report->engine_count + 1, sizeof(compare_pair)),
        .file = file,
    };
    if (is_read && run.pairs != NULL) {
        compare_find_pairs(&run, results);
        compare_print_all(&run);
    } else {
        fprintf(stderr, "tenon_bench: %s\n", is_read ? "out of memory" : reader.error);
    }
    is_read = is_read && run.pairs != NULL;
    free(run.pairs);
    json_reader_clear(&reader);
    return is_read;
}
