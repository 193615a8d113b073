// bench/bench.c: the benchmark: `tenon_bench`, and with Bullet and ODE beside tenon `tenon_peers`.
//
// The two differ in the list of engines they are linked with.

#include "bench/apart.h"
#include "bench/chart.h"
#include "bench/clock.h"
#include "bench/compare.h"
#include "bench/engines.h"
#include "bench/growing.h"
#include "bench/lengths.h"
#include "bench/queries.h"
#include "bench/rays.h"
#include "bench/report.h"
#include "bench/snapshots.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS      3
#define SMALL_TIMES  4 // as often: a few ms each, which a machine shared with others easily spoils
#define TURN_SECONDS 0.03
// Threads: two whole processors are there only now and then. See bench_take_thread_turns().
#define SETTLED_SECONDS 15.0 // without a fall: a neighbour's load lasts for seconds, or minutes
#define SETTLED_FALL    0.01
#define SETTLE_SECONDS  30.0
#define QUICK_STEPS     60
#define QUICK_SHARE     20
#define EXIT_USAGE      2
#define MAX_WORKERS     64
#define MAX_ENGINES     16
#define NAME_SIZE       16
#define THREAD_RUNS     3 // one world, one on threads, worlds apart

typedef struct bench_arguments {
    const char *scene; // or case; null: all cases
    const char *json_path, *page_path, *plot_path, *compare_path;
    uint32_t steps; // 0: those of the case
    uint32_t repeats;
    uint32_t workers; // 0: no column of them
    bool is_one_case; // of that name: no scene
    bool is_help, is_list, is_lengths, is_growing, is_rays, is_queries;
    bool is_snapshots;
} bench_arguments;

// ---- arguments --------------------------------------------------------------------------------

static void bench_print_help(void) {
    puts(
        "usage: tenon_bench [--scene NAME] [--case NAME] [--steps N] [--repeats N] [--quick]\n"
        "                   [--json FILE] [--md FILE] [--plot FILE] [--compare FILE]\n"
        "                   [--workers N]\n"
        "                   [--list] [--lengths] [--growing] [--rays] [--queries]\n"
        "                   [--snapshots]\n"
        "  --scene NAME  only cases of this name or scene\n"
        "  --case NAME   only the case of this name\n"
        "  --steps N     that many steps of each case\n"
        "  --repeats N   all but large cases N times, instead of 3, and small ones four times\n"
        "                as often; of each step the lowest time counts\n"
        "  --quick       60 steps of each case, once\n"
        "  --json FILE   every figure\n"
        "  --workers N   also Gauss-Seidel with N threads, by wall time, as many worlds apart, and "
        "a\n"
        "                model of more\n"
        "  --md FILE     the page docs/performance.md\n"
        "  --plot FILE   times as a picture (SVG)\n"
        "  --compare FILE  what has changed since a run that --json saved\n"
        "  --list        the cases, a line each\n"
        "  --lengths     instead: chains and loops of 10 to 10,000 links, and as many joints on\n"
        "                one body, solved directly; --plot draws these\n"
        "  --growing     instead: the longest step of a world that grows to 20,000 boxes\n"
        "  --rays        instead: what a ray into a pile costs\n"
        "  --queries     instead: a million rays, and casts and overlaps, in a mesh and among\n"
        "                10,000 boxes; --quick asks a twentieth\n"
        "  --snapshots   instead: what it costs to save eight frames and to go back to them");
}

static bool bench_parse_number(const char *text, uint32_t *out_number) {
    char *end = NULL;
    unsigned long value = text != NULL ? strtoul(text, &end, 10) : 0;
    bool is_good = end != NULL && *end == '\0' && value > 0 && value < UINT32_MAX;
    *out_number = is_good ? (uint32_t)value : 0;
    return is_good;
}

static bool bench_parse_value(const char *name, const char *value, bench_arguments *arguments) {
    if (value == NULL) {
        return false;
    }
    if (strcmp(name, "--scene") == 0 || strcmp(name, "--case") == 0) {
        arguments->scene = value;
        arguments->is_one_case = strcmp(name, "--case") == 0;
    } else if (strcmp(name, "--json") == 0) {
        arguments->json_path = value;
    } else if (strcmp(name, "--md") == 0) {
        arguments->page_path = value;
    } else if (strcmp(name, "--plot") == 0) {
        arguments->plot_path = value;
    } else if (strcmp(name, "--compare") == 0) {
        arguments->compare_path = value;
    } else if (strcmp(name, "--steps") == 0) {
        return bench_parse_number(value, &arguments->steps);
    } else if (strcmp(name, "--workers") == 0) {
        return bench_parse_number(value, &arguments->workers) && arguments->workers > 1 &&
               arguments->workers <= MAX_WORKERS;
    } else if (strcmp(name, "--repeats") == 0) {
        return bench_parse_number(value, &arguments->repeats);
    } else {
        return false;
    }
    return true;
}

static bool bench_parse(char **words, bench_arguments *arguments) {
    for (; *words != NULL; ++words) {
        if (strcmp(*words, "--help") == 0) {
            arguments->is_help = true;
        } else if (strcmp(*words, "--list") == 0) {
            arguments->is_list = true;
        } else if (strcmp(*words, "--lengths") == 0) {
            arguments->is_lengths = true;
        } else if (strcmp(*words, "--growing") == 0) {
            arguments->is_growing = true;
        } else if (strcmp(*words, "--rays") == 0) {
            arguments->is_rays = true;
        } else if (strcmp(*words, "--queries") == 0) {
            arguments->is_queries = true;
        } else if (strcmp(*words, "--snapshots") == 0) {
            arguments->is_snapshots = true;
        } else if (strcmp(*words, "--quick") == 0) {
            arguments->steps = QUICK_STEPS;
            arguments->repeats = 1;
        } else if (bench_parse_value(words[0], words[1], arguments)) {
            ++words;
        } else {
            fprintf(stderr, "tenon_bench: '%s' is not understood; --help tells more\n", *words);
            return false;
        }
    }
    return true;
}

// ---- cases ------------------------------------------------------------------------------------

static bool bench_is_chosen(const bench_case *item, const bench_arguments *arguments) {
    return arguments->scene == NULL || strcmp(arguments->scene, item->name) == 0 ||
           (!arguments->is_one_case && strcmp(arguments->scene, item->scene) == 0);
}

static bench_model *bench_create_model(const bench_case *item) {
    scene_run *run = tenon_engine_create_run(item, NULL);
    bench_model *model = run != NULL ? model_create(run->world) : NULL;
    scene_run_destroy(run);
    if (model == NULL) {
        fprintf(stderr, "tenon_bench: the scene of case '%s' cannot be made\n", item->name);
    }
    return model;
}

// The engines go on side by side, in turns of as many steps as the first one makes in TURN_SECONDS,
// so that whatever slows the machine down for a while hits all of them alike.
static void bench_run_together(const bench_case *item, const bench_engine *const *engines,
                               bench_result *const *results, uint32_t count,
                               const bench_model *model, uint32_t steps, bool has_quality) {
    run_state *runs[MAX_ENGINES];
    for (uint32_t i = 0; i < count; ++i) {
        bool is_measured = has_quality && engines[i]->read != NULL;
        runs[i] = run_begin(item, engines[i], model, steps, is_measured);
    }
    for (uint32_t done = 0; done < steps;) {
        uint32_t turn = steps - done;
        double seconds = TURN_SECONDS;
        for (uint32_t i = 0; i < count; ++i) {
            if (runs[i] != NULL) {
                turn = run_advance(runs[i], turn, seconds);
                seconds = (double)INFINITY;
            }
        }
        done += turn;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (runs[i] != NULL) {
            run_end(runs[i], results[i]);
        }
    }
}

static uint32_t bench_get_steps(const bench_case *item, const bench_arguments *arguments) {
    return arguments->steps != 0 ? arguments->steps + item->warm_up : item->steps;
}

static uint32_t bench_get_repeats(const bench_case *item, const bench_arguments *arguments) {
    return item->is_large ? 1 : arguments->repeats * (item->is_small ? SMALL_TIMES : 1);
}

// Of all cases, in their order.
typedef struct bench_results {
    bench_result *all; // by case and engine
    bench_result *one_thread, *apart;
    bench_threads *threads;
} bench_results;

// Whether some median is lower than it was by more than can be left out. They become the new ones.
static bool bench_take_medians(bench_result *const *results, double *medians) {
    bool has_fallen = false;
    for (uint32_t i = 0; i < THREAD_RUNS; ++i) {
        double now = results[i]->median_ms;
        has_fallen = has_fallen || now < (1.0 - SETTLED_FALL) * medians[i];
        medians[i] = now;
    }
    return has_fallen;
}

static bool bench_settles(const bench_case *item, const bench_arguments *arguments) {
    return arguments->repeats > 1 && !item->is_small;
}

// tenon with threads, with one and with worlds apart, in turns with nobody else: as often as
// others, large cases too, and on until no median falls for a while, or for half a minute.
static void bench_take_thread_turns(const bench_report *report, uint32_t index,
                                    const bench_arguments *arguments, const bench_model *model,
                                    const bench_results *results) {
    const bench_case *item = report->cases[index];
    const bench_engine *many = report->engines[report->engine_count - 1];
    bench_engine apart = bench_engine_tenon_apart;
    apart.worker_count = many->worker_count;
    const bench_engine *engines[THREAD_RUNS] = {report->engines[0], many, &apart};
    bench_result *by_engine[THREAD_RUNS] = {&results->one_thread[index],
                                            &results->all[(index + 1) * report->engine_count - 1],
                                            &results->apart[index]};
    uint32_t steps = bench_get_steps(item, arguments);
    uint32_t least = item->is_large ? arguments->repeats : bench_get_repeats(item, arguments);
    bool goes_on = true;
    double medians[THREAD_RUNS] = {0.0}, start = bench_clock_get_wall_seconds(), fall = start;
    for (uint32_t repeat = 0; goes_on; ++repeat) {
        bool has_quality = !results->one_thread[index].has_run;
        bench_run_together(item, engines, by_engine, THREAD_RUNS, model, steps, has_quality);
        double now = bench_clock_get_wall_seconds();
        fall = bench_take_medians(by_engine, medians) ? now : fall;
        bool has_settled = now - fall > SETTLED_SECONDS || now - start > SETTLE_SECONDS;
        goes_on = repeat + 1 < least || (bench_settles(item, arguments) && !has_settled);
    }
}

// After all cases, where threads have something to do: what slowed a machine down that is shared
// with others may have gone by then.
static bool bench_run_threads_again(const bench_report *report, uint32_t index,
                                    const bench_arguments *arguments,
                                    const bench_results *results) {
    const bench_case *item = report->cases[index];
    const bench_threads *threads = &results->threads[index];
    if (!threads->has_run || !(threads->loops > 0.0) || !bench_settles(item, arguments)) {
        return true;
    }
    bench_model *model = bench_create_model(item);
    if (model == NULL) {
        return false;
    }
    bench_take_thread_turns(report, index, arguments, model, results);
    report_print_again(report, index, stdout);
    model_destroy(model);
    return true;
}

static bool bench_run_case(const bench_report *report, uint32_t index,
                           const bench_arguments *arguments, const bench_results *results) {
    const bench_case *item = report->cases[index];
    bench_model *model = bench_create_model(item);
    if (model == NULL) {
        return false;
    }
    bool has_threads = arguments->workers > 1;
    uint32_t alone_count = report->engine_count - (has_threads ? 1 : 0);
    bench_result *by_engine[MAX_ENGINES];
    for (uint32_t i = 0; i < alone_count; ++i) {
        by_engine[i] = &results->all[index * report->engine_count + i];
    }
    for (uint32_t repeat = 0; repeat < bench_get_repeats(item, arguments); ++repeat) {
        bench_run_together(item, report->engines, by_engine, alone_count, model,
                           bench_get_steps(item, arguments), repeat == 0);
    }
    if (has_threads && !item->is_series) {
        bench_take_thread_turns(report, index, arguments, model, results);
        threads_measure(item, bench_get_steps(item, arguments), report->hand_over,
                        &results->threads[index]);
    }
    model_destroy(model);
    return true;
}

static bool bench_run_all(bench_report *report, const bench_arguments *arguments,
                          const bench_results *results) {
    bool has_run_all = true;
    report->hand_over = arguments->workers > 1 ? threads_measure_hand_over() : 0.0;
    if (report->page_path != NULL) {
        report->rates = floor_measure_rates();
    }
    report_print_heading(stdout);
    for (uint32_t i = 0; i < report->case_count; ++i) {
        bool has_run = bench_run_case(report, i, arguments, results);
        if (has_run) {
            report_print_case(report, i, stdout);
        }
        has_run_all = has_run_all && has_run;
    }
    for (uint32_t i = 0; report->case_count > 1 && i < report->case_count; ++i) {
        has_run_all = bench_run_threads_again(report, i, arguments, results) && has_run_all;
    }
    if (arguments->scene == NULL) {
        report->memory = memory_measure();
        report_print_memory(&report->memory, stdout);
    }
    return has_run_all;
}

// ---- output -----------------------------------------------------------------------------------

// Before a run of an hour and not after it. What is there stays until it is written over.
static bool bench_opens(const char *path, const char *mode, const char *purpose) {
    FILE *file = path != NULL ? fopen(path, mode) : NULL;
    if (path != NULL && file == NULL) {
        fprintf(stderr, "tenon_bench: %s cannot be %s: %s\n", path, purpose, strerror(errno));
        return false;
    }
    return file == NULL || fclose(file) == 0;
}

static bool bench_opens_all(const bench_arguments *arguments) {
    return bench_opens(arguments->compare_path, "r", "read") &&
           (arguments->compare_path == NULL || compare_can_read(arguments->compare_path)) &&
           bench_opens(arguments->json_path, "a", "written") &&
           bench_opens(arguments->page_path, "a", "written") &&
           bench_opens(arguments->plot_path, "a", "written");
}

static bool bench_write(const char *path, const bench_report *report,
                        void (*write)(const bench_report *, FILE *)) {
    if (path == NULL) {
        return true;
    }
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "tenon_bench: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    write(report, file);
    bool is_written = ferror(file) == 0;
    return fclose(file) == 0 && is_written;
}

// Compared first: the saved run may be the one that is written over.
static bool bench_write_all(const bench_report *report, const bench_arguments *arguments) {
    bool is_compared =
        arguments->compare_path == NULL || compare_print(report, arguments->compare_path, stdout);
    if (arguments->plot_path != NULL && !chart_save(report, arguments->plot_path)) {
        fprintf(stderr, "tenon_bench: cannot write %s\n", arguments->plot_path);
        return false;
    }
    return bench_write(arguments->json_path, report, report_write_json) &&
           bench_write(arguments->page_path, report, report_write_page) && is_compared;
}

static void bench_list(const bench_case *cases, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        printf("%-20s %s: %s\n", cases[i].name, cases[i].scene, cases[i].about);
    }
}

// The program's engines, and tenon with threads where that is asked for.
static uint32_t bench_gather_engines(const bench_engine *workers,
                                     const bench_engine *out_engines[MAX_ENGINES]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < bench_engine_count && count + 1 < MAX_ENGINES; ++i) {
        out_engines[count++] = bench_engines[i];
    }
    if (workers->worker_count > 1) {
        out_engines[count++] = workers;
    }
    return count;
}

static void bench_clear_list(bench_result *list, uint32_t count) {
    for (uint32_t i = 0; list != NULL && i < count; ++i) {
        run_clear(&list[i]);
    }
    free(list);
}

static void bench_clear_results(const bench_results *results, uint32_t case_count,
                                uint32_t engine_count) {
    bench_clear_list(results->all, case_count * engine_count);
    bench_clear_list(results->one_thread, case_count);
    bench_clear_list(results->apart, case_count);
    free(results->threads);
}

static int bench_run(const bench_arguments *arguments, const bench_case *cases, uint32_t count) {
    char name[NAME_SIZE];
    snprintf(name, sizeof(name), "%u workers", (unsigned)arguments->workers);
    bench_engine workers = bench_engine_tenon_workers;
    workers.name = name;
    workers.worker_count = arguments->workers;
    const bench_engine *engines[MAX_ENGINES];
    uint32_t engine_count = bench_gather_engines(&workers, engines);
    const bench_case **chosen = calloc((size_t)count + 1, sizeof(*chosen));
    bench_results results = {
        .all = calloc((size_t)count * engine_count + 1, sizeof(*results.all)),
        .one_thread = calloc((size_t)count + 1, sizeof(*results.one_thread)),
        .apart = calloc((size_t)count + 1, sizeof(*results.apart)),
        .threads = calloc((size_t)count + 1, sizeof(*results.threads)),
    };
    bench_report report = {
        .cases = chosen,
        .engines = engines,
        .engine_count = engine_count,
        .results = results.all,
        .one_thread = results.one_thread,
        .apart = results.apart,
        .threads = results.threads,
        .repeats = arguments->repeats,
        .is_quick = arguments->steps != 0,
        .plot_path = arguments->plot_path,
        .page_path = arguments->page_path,
    };
    bool is_good = chosen != NULL && results.all != NULL && results.one_thread != NULL &&
                   results.apart != NULL && results.threads != NULL;
    for (uint32_t i = 0; is_good && i < count; ++i) {
        if (bench_is_chosen(&cases[i], arguments)) {
            chosen[report.case_count++] = &cases[i];
        }
    }
    if (is_good && report.case_count == 0) {
        fprintf(stderr, "tenon_bench: no case '%s'; --list tells them\n", arguments->scene);
        is_good = false;
    }
    is_good = is_good && bench_run_all(&report, arguments, &results);
    is_good = is_good && bench_write_all(&report, arguments);
    bench_clear_results(&results, count, engine_count);
    free(chosen);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argument_count, char **words) {
    bench_arguments arguments = {.repeats = REPEATS};
    if (argument_count < 1 || !bench_parse(words + 1, &arguments)) {
        return EXIT_USAGE;
    }
    uint32_t count;
    const bench_case *cases = bench_case_get_all(&count);
    if (arguments.is_help) {
        bench_print_help();
        return EXIT_SUCCESS;
    }
    if (arguments.is_list) {
        bench_list(cases, count);
        return EXIT_SUCCESS;
    }
    if (!bench_opens_all(&arguments)) {
        return EXIT_FAILURE;
    }
    if (arguments.is_lengths) {
        return lengths_run(arguments.plot_path) ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    if (arguments.is_growing) {
        return growing_run() ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    if (arguments.is_snapshots) {
        return snapshots_run() ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    if (arguments.is_rays) {
        return rays_run(arguments.workers) ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    if (arguments.is_queries) {
        uint32_t share = arguments.steps == QUICK_STEPS ? QUICK_SHARE : 1;
        return queries_run(arguments.workers, share, arguments.scene) ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    return bench_run(&arguments, cases, count);
}
