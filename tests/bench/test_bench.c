// The benchmark prints, saves and compares what it measured. Times are not asserted on: only what
// repeats.
#if defined(TENON_TOOL_PATH) && defined(TENON_BENCH_PATH)

#if defined(__linux__)
#define _GNU_SOURCE // sched_setaffinity
#endif

#include "tests/support/long_test.h"
#include "tests/support/tool.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has(const char *text, const char *part) {
    return strstr(text, part) != NULL;
}

// The case `top_heavy_10`, 40 steps of 8 boxes, saved as JSON.
static char *save_run(const char *name) {
    char path[1024];
    tool_write_file(name, "", path, sizeof path);
    tool_result result =
        tool_run_bench("--scene top_heavy_10 --steps 40 --repeats 1 --json %s", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    return tool_read_file(path);
}

// Compares a new run with this text as the saved one.
static tool_result compare_with(const char *name, const char *text) {
    char path[1024];
    tool_write_file(name, text, path, sizeof path);
    return tool_run_bench("--scene top_heavy_10 --steps 40 --repeats 1 --compare %s", path);
}

// The text with what follows `key` up to the next comma replaced.
static char *replace_value(const char *text, const char *key, const char *value) {
    char *out = calloc(1, strlen(text) + strlen(value) + 1);
    const char *at = strstr(text, key);
    cr_assert_not_null(at, "no %s", key);
    at += strlen(key);
    const char *end = at + strcspn(at, ",}");
    memcpy(out, text, (size_t)(at - text));
    strcat(out, value);
    strcat(out, end);
    return out;
}

Test(bench, prints_percentiles_memory_quality_and_hash, .timeout = 60) {
    tool_result result = tool_run_bench("--scene top_heavy_10 --steps 40 --repeats 1");
    cr_assert_eq(result.status, 0);
    cr_expect(has(result.text, "median"));
    cr_expect(has(result.text, "p95"));
    cr_expect(has(result.text, "p99"));
    cr_expect(has(result.text, "Minstr."));
    cr_expect(has(result.text, "MB at most, 0 allocations in timed steps"));
    cr_expect(has(result.text, "stands; sinks"));
    cr_expect(has(result.text, "hash "));
}

// 60 steps, in which most bodies fall through two gates.
Test(bench, tells_what_sensors_notice_and_what_fell_through, .timeout = 60) {
    tool_result result = tool_run_bench("--case gates --steps 60 --repeats 1");
    cr_assert_eq(result.status, 0);
    cr_expect(has(result.text, "0 fell through"), "%s", result.text);
    cr_expect(has(result.text, "notices 1 of 1"), "%s", result.text);
}

Test(bench, tells_what_threads_make_of_it, .timeout = 60) {
    tool_result result = tool_run_bench("--scene top_heavy_10 --steps 40 --repeats 1 --workers 2");
    cr_assert_eq(result.status, 0);
    cr_expect(has(result.text, "2 workers: "));
    cr_expect(has(result.text, "times as fast as one"));
    // Eight boxes have no loop that is worth a second thread.
    cr_expect(has(result.text, "100.0 % outside of 0 loops"));
    cr_expect(has(result.text, "1.00 with 2 1.00 with 4"));
}

LONG_TEST(bench, tells_what_worlds_apart_get_done, .timeout = 60) {
    tool_result result = tool_run_bench("--case pyramid --steps 20 --repeats 1 --workers 2");
    cr_assert_eq(result.status, 0);
    const char *apart = strstr(result.text, "2 worlds apart: ");
    cr_assert(apart != NULL && strtod(apart + strlen("2 worlds apart: "), NULL) > 0.0);
}

Test(bench, writes_a_page_with_a_part_about_threads, .timeout = 60) {
    char path[1024];
    tool_write_file("threads.md", "", path, sizeof path);
    tool_result result =
        tool_run_bench("--scene top_heavy_10 --steps 40 --repeats 1 --workers 2 --md %s", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *page = tool_read_file(path);
    cr_expect(has(page, "## Threads"));
    cr_expect(has(
        page, "| scene | one | 2 workers | times | apart | same | serial | loops | expected: 2 |"));
    cr_expect(has(page, "| yes | 100.0 % | 0 | 1.00 |"));
    free(page);
}

Test(bench, lists_the_scenes_that_are_asked_for) {
    static const char *const names[] = {
        "pyramid ",     "pyramids ",       "pyramid_large ",    "tower ",      "pile ",
        "heap ",        "joint_grid_row ", "joint_grid_large ", "ragdolls ",   "ragdolls_1000 ",
        "washer ",      "rain ",           "junkyard ",         "chain_long ", "bridge ",
        "resting ",     "asleep ",         "engine ",           "engines ",    "flat_1000 ",
        "flat_100000 ", "rockfall ",       "furniture ",        "gates ",      "ragdolls_mesh ",
    };
    tool_result result = tool_run_bench("--list");
    cr_assert_eq(result.status, 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cr_expect(has(result.text, names[i]), "no %s", names[i]);
    }
}

Test(bench, finds_no_change_of_what_repeats_in_a_saved_run, .timeout = 60) {
    char *saved = save_run("bench_same.json");
    tool_result result = compare_with("bench_same.json", saved);
    cr_expect_eq(result.status, 0);
    cr_expect(has(result.text, "0 with other hashes"), "%s", result.text);
    cr_expect_not(has(result.text, "bytes"));
    cr_expect_not(has(result.text, "sink_m"));
    free(saved);
}

Test(bench, tells_what_has_changed_since_a_saved_run, .timeout = 60) {
    char *saved = save_run("bench_changed.json");
    char *hash = replace_value(saved, "\"hash\": ", "\"0000000000000001\"");
    char *bytes = replace_value(hash, "\"peak_bytes\": ", "1000");
    char *sink = replace_value(bytes, "\"sink_m\": ", "0.5");
    char *median = replace_value(sink, "\"median_ms\": ", "0.000001");
    char *fast = replace_value(median, "\"highest_median_ms\": ", "0.000001");
    tool_result result = compare_with("bench_changed.json", fast);
    cr_expect_eq(result.status, 0);
    cr_expect(has(result.text, "; other hash"), "%s", result.text);
    cr_expect(has(result.text, "; bytes 1000 -> "));
    cr_expect(has(result.text, "; sink_m 0.5 -> "));
    cr_expect(has(result.text, "SLOWER"));
    cr_expect(has(result.text, "0 faster, 1 slower, 1 with other hashes"));
    free(fast);
    free(median);
    free(sink);
    free(bytes);
    free(hash);
    free(saved);
}

Test(bench, does_not_compare_runs_of_other_lengths, .timeout = 60) {
    char *saved = save_run("bench_length.json");
    char *longer = replace_value(saved, "\"steps\": ", "600");
    tool_result result = compare_with("bench_length.json", longer);
    cr_expect(has(result.text, "0 faster, 0 slower, 0 with other hashes"), "%s", result.text);
    free(longer);
    free(saved);
}

Test(bench, refuses_what_is_no_saved_run, .timeout = 60) {
    tool_result result = compare_with("bench_bad.json", "{\"results\": 3}");
    cr_expect_eq(result.status, 1);
    cr_expect(has(result.text, "is no run of the benchmark"), "%s", result.text);
    cr_expect_not(has(result.text, "ms per step"), "told before the run: %s", result.text);
    result = tool_run_bench("--scene top_heavy_10 --steps 40 --compare /nowhere/at/all.json");
    cr_expect_eq(result.status, 1);
    cr_expect(has(result.text, "cannot be read"), "%s", result.text);
    cr_expect_eq(tool_run_bench("--scene no_such_scene").status, 1);
    cr_expect_eq(tool_run_bench("--case joint_grid").status, 1, "a scene is no case");
    cr_expect_eq(tool_run_bench("--no-such-option").status, 2);
}

// So many steps would be ended by the timeout.
Test(bench, tells_of_a_path_that_cannot_be_opened_before_it_runs, .timeout = 10) {
    static const char *const options[] = {"--json", "--md", "--plot", "--compare"};
    for (int i = 0; i < 4; ++i) {
        tool_result result =
            tool_run_bench("--scene pile --steps 5000 --repeats 1 %s /nowhere/at/all", options[i]);
        cr_expect_eq(result.status, 1);
        cr_expect(has(result.text, "/nowhere/at/all cannot be"), "%s", result.text);
        cr_expect_not(has(result.text, "ms per step"), "%s", result.text);
    }
}

Test(bench, a_saved_run_that_is_written_over_is_compared_with_first, .timeout = 60) {
    char path[1024];
    char *saved = save_run("bench_over.json");
    char *older = replace_value(saved, "\"hash\": ", "\"0123456789abcdef\"");
    tool_write_file("bench_over.json", older, path, sizeof path);
    tool_result result = tool_run_bench(
        "--scene top_heavy_10 --steps 40 --repeats 1 --compare %s --json %s", path, path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect(has(result.text, "; other hash"), "%s", result.text);
    char *newer = tool_read_file(path);
    cr_expect_not(has(newer, "0123456789abcdef"));
    free(newer);
    free(older);
    free(saved);
}

Test(bench, draws_its_times_and_writes_the_page, .timeout = 60) {
    char picture[1024], page[1024];
    tool_write_file("bench.svg", "", picture, sizeof picture);
    tool_write_file("bench.md", "", page, sizeof page);
    tool_result result =
        tool_run_bench("--scene tower --steps 40 --plot %s --md %s", picture, page);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *text = tool_read_file(picture);
    cr_expect_eq(strncmp(text, "<svg ", 5), 0);
    cr_expect(has(text, ">tower</text>"));
    cr_expect(has(text, "<circle"));
    cr_expect_not(has(text, "nan"));
    free(text);
    text = tool_read_file(page);
    cr_expect(has(text, "](bench.svg)"), "the page's link is not relative");
    // 30 contacts of four points, swept three times in each of four substeps: 377 operations and
    // 470 bytes each.
    cr_expect(has(text, "## The floor") && has(text, "| tower | 180 | 0 | 0.136 | 0.169 |"));
    cr_expect(has(text, "| tower |"));
    free(text);
}

// What stands behind a bar that is a lower bound: the figure, and whether it reaches it.
static void expect_a_true_verdict(const char *page, const char *bar) {
    const char *figure = strstr(page, bar);
    cr_assert_not_null(figure, "no %s", bar);
    char *verdict = NULL;
    double measured = strtod(figure + strlen(bar), &verdict);
    double least = strtod(strchr(strchr(bar, '|') + 1, '|') + 1, NULL);
    bool is_met = strncmp(verdict, " | met |", 8) == 0;
    bool is_missed = strncmp(verdict, " | **missed** |", 15) == 0;
    cr_assert(measured > 0.0 && least == 1.5, "%g, %g", measured, least);
    // The page rounds to three digits.
    cr_expect(measured > 1.501 ? is_met : measured < 1.499 ? is_missed : is_met || is_missed);
}

LONG_TEST(bench, ends_with_the_same_bits_on_workers, .timeout = 60) {
    char page[1024];
    tool_write_file("bench_workers.md", "", page, sizeof page);
    tool_result result =
        tool_run_bench("--case ragdolls --steps 8 --repeats 1 --workers 2 --md %s", page);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *text = tool_read_file(page);
    char *threads = strstr(text, "## Threads");
    cr_assert_not_null(threads);
    cr_expect_not_null(strstr(threads, "| yes |"));
    cr_expect_null(strstr(threads, "**no**"));
    expect_a_true_verdict(text, "\n| ragdolls | 1.5 | times as fast with two workers, at least | ");
    free(text);
    cr_expect_eq(tool_run_bench("--workers 65").status, 2);
}

#if defined(__linux__)
Test(bench, threads_on_one_processor_end_in_time, .timeout = 60) {
    cpu_set_t all, one;
    cr_assert_eq(sched_getaffinity(0, sizeof all, &all), 0);
    int first = 0;
    while (!CPU_ISSET(first, &all)) {
        first += 1;
    }
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    // The program inherits it.
    tool_result result = tool_run_bench("--scene top_heavy_10 --steps 8 --repeats 1 --workers 2");
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect(has(result.text, "expected: "), "%s", result.text);
}
#endif

#else
typedef int bench_is_not_built;
#endif
