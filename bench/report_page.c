// bench/report_page.c: the page docs/performance.md.

#include "bench/report.h"

#include "bench/report_bars.h"
#include "bench/report_floor.h"
#include "bench/report_text.h"
#include "bench/report_threads.h"

#include <inttypes.h>
#include <string.h>

#define LINE_LENGTH 256

static const char *const page_introduction =
    "# Performance\n\n"
    "This page is written by the benchmark. To write it anew:\n\n"
    "    ./dev docs performance\n\n"
    "`./dev bench` prints the same figures; without `--peers` only tenon runs. `--scene NAME` runs "
    "one\ncase, `--steps N` and `--quick` shorten the runs, `--json FILE` saves every figure, "
    "`--compare FILE`\nsays what has changed since a saved run, `--plot FILE` draws the times, "
    "`--workers N` adds threads.\n\n"
    "## How it is measured\n\n"
    "- A scene is written once, in `scenes/`. The other engines get what tenon's world holds after "
    "it "
    "is\n  built: bodies with mass, centre and inertia, shapes, materials, joints with frames, "
    "limits "
    "and\n  motors.\n"
    "- Each engine runs at its own defaults, with sleeping off but for the case of boxes asleep, "
    "on "
    "one\n  thread; tenon with 4 substeps, with Gauss-Seidel as its peers, and where there are "
    "joints once more\n  as a world chooses by itself (`AUTO`): direct where it matters. "
    "Times are processor time of a step\n  after some steps of warm-up. The engines of a case go "
    "on side "
    "by side, in\n  turns of some 30 ms, so that whatever slows the machine down hits all alike. "
    "Cases run three times,\n  large ones once and small ones twelve times. A run makes the same "
    "steps each time, so of each step\n  the lowest time counts, and means and percentiles are "
    "those of these times. Ratios come from one run;\n  a gap under 15 % is a tie.\n"
    "- Quality is computed from poses by the same code for all: how far boxes drift sideways and "
    "sink, "
    "when\n  one first comes down by half its height, how deep boxes overlap (separating axes), "
    "how far "
    "a joint's\n  anchors are apart, energy and momentum. It repeats exactly.\n"
    "- Where an engine lacks something: a rope is a one-sided row of its own in Bullet and a "
    "frictionless\n  contact along the line in ODE; a cone in ODE is three stops of an angular "
    "motor; "
    "friction of a\n  limited ball joint is left out in Bullet.\n"
    "- MuJoCo 2.2.2, as Debian 12 packages it, runs the small cases that it has equals for: joints "
    "as a\n  forest of reduced coordinates, what closes a loop as one or two soft points, a motor "
    "as a damper\n  toward its speed. *Burst* is where it gave its state up and began anew.\n"
    "- The peers step with denormal numbers rounded to zero, as applications set it: in flat "
    "machines "
    "they\n  cost Bullet up to seven times the time. tenon steps without that help.\n";

// Engines side by side: without tenon's workers, which have a part of their own.
static uint32_t page_count_columns(const bench_report *report) {
    bool has_workers = report->engines[report->engine_count - 1]->worker_count > 1;
    return report->engine_count - (has_workers ? 1 : 0);
}

static bool page_has_peers(const bench_report *report) {
    for (uint32_t i = 0; i < report->engine_count; ++i) {
        if (!report->engines[i]->is_tenon) {
            return true;
        }
    }
    return false;
}

// The picture's path from the folder of the page, where it lies in that folder.
static const char *page_get_link(const bench_report *report) {
    const char *slash = strrchr(report->page_path, '/');
    size_t length = slash != NULL ? (size_t)(slash - report->page_path) + 1 : 0;
    bool is_inside = strncmp(report->plot_path, report->page_path, length) == 0;
    return report->plot_path + (is_inside ? length : 0);
}

// The processor's name where the system tells it.
static void page_write_machine(FILE *file) {
    FILE *source = fopen("/proc/cpuinfo", "r");
    char line[LINE_LENGTH];
    while (source != NULL && fgets(line, sizeof(line), source) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", strlen("model name")) == 0 && colon != NULL) {
            fprintf(file, "\nMachine: %s", colon + 2);
            break;
        }
    }
    if (source != NULL) {
        fclose(source);
    }
#if defined(__clang__)
    fprintf(file, "\nCompiler: %s\n", __VERSION__);
#elif defined(__GNUC__)
    fprintf(file, "\nCompiler: gcc %s\n", __VERSION__);
#endif
}

static void page_write_times(const bench_report *report, FILE *file) {
    uint32_t columns = page_count_columns(report);
    fprintf(file, "\n## Time\n\nMean ms per step.%s\n\n| scene |",
            page_has_peers(report) ? " The last columns say how many times faster tenon is." : "");
    for (uint32_t i = 0; i < columns; ++i) {
        fprintf(file, " %s |", report->engines[i]->name);
    }
    for (uint32_t i = 1; i < columns; ++i) {
        fprintf(file, " %s / tenon |", report->engines[i]->name);
    }
    fprintf(file, "\n|---|");
    for (uint32_t i = 1; i < 2 * columns; ++i) {
        fprintf(file, "---|");
    }
    for (uint32_t i = 0; i < report->case_count; ++i) {
        const bench_result *results = &report->results[i * report->engine_count];
        if (report->cases[i]->is_series) {
            continue;
        }
        fprintf(file, "\n| %s: %s |", report->cases[i]->name, report->cases[i]->about);
        for (uint32_t j = 0; j < columns; ++j) {
            fprintf(file, results[j].has_run ? " %.3g |" : " |", results[j].mean_ms);
        }
        for (uint32_t j = 1; j < columns; ++j) {
            char ratio[REPORT_TEXT_LENGTH];
            report_describe_ratio(&results[0], &results[j], ratio);
            fprintf(file, " %s |", results[j].has_run ? ratio : "");
        }
    }
    fprintf(file, "\n");
    if (report->plot_path != NULL) {
        fprintf(file, "\n![Median time of a step](%s)\n", page_get_link(report));
    }
}

// What a body costs should not grow with how many there are.
static void page_write_series(const bench_report *report, FILE *file) {
    bool has_heading = false;
    for (uint32_t i = 0; i < report->case_count; ++i) {
        const bench_result *result = &report->results[i * report->engine_count];
        uint32_t bodies = result->report.telemetry.awake_bodies;
        if (!report->cases[i]->is_series || !result->has_run || bodies == 0) {
            continue;
        }
        if (!has_heading) {
            fprintf(file, "\n## Cost per body\n\ntenon alone, Gauss-Seidel.\n\n"
                          "| scene | mean ms | µs per body |\n|---|---|---|\n");
            has_heading = true;
        }
        fprintf(file, "| %s | %.3g | %.2f |\n", report->cases[i]->about, result->mean_ms,
                1e3 * result->mean_ms / bodies);
    }
}

static void page_write_stages(const bench_report *report, FILE *file) {
    fprintf(
        file,
        "\n## Where tenon's time goes\n\nShare of each stage in the time of a step, percent.\n\n"
        "| scene | pairs | manifolds | islands | solve | finish |\n|---|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < report->case_count; ++i) {
        const bench_result *result = &report->results[i * report->engine_count];
        bench_stages shares = report_get_shares(&result->stages);
        if (result->has_run) {
            fprintf(file, "| %s | %.0f | %.0f | %.0f | %.0f | %.0f |\n", report->cases[i]->name,
                    shares.pairs, shares.manifolds, shares.islands, shares.solve, shares.finish);
        }
    }
}

static void page_write_quality(const bench_report *report, FILE *file) {
    uint32_t columns = page_count_columns(report);
    fprintf(file, "\n## Quality\n\n"
                  "The last column is what Box3D 0.1 reached on the same scenes on this kind of "
                  "machine; it was measured\nbefore, not in this run.\n\n| scene |");
    for (uint32_t i = 0; i < columns; ++i) {
        fprintf(file, " %s |", report->engines[i]->name);
    }
    fprintf(file, " Box3D |\n|---|---|");
    for (uint32_t i = 0; i < columns; ++i) {
        fprintf(file, "---|");
    }
    for (uint32_t i = 0; i < report->case_count; ++i) {
        const bench_case *item = report->cases[i];
        if (item->is_series) {
            continue;
        }
        fprintf(file, "\n| %s |", item->name);
        for (uint32_t j = 0; j < columns; ++j) {
            const bench_result *result = &report->results[i * report->engine_count + j];
            char text[REPORT_TEXT_LENGTH] = "";
            if (result->has_run) {
                report_describe_quality(item->figures, &result->quality, text);
            }
            fprintf(file, " %s |", text);
        }
        fprintf(file, " %s |", item->box3d != NULL ? item->box3d : "");
    }
    fprintf(file, "\n");
}

static void page_write_own(const bench_report *report, FILE *file) {
    fprintf(file, "\n## Percentiles, memory and repeatability\n\n");
    if (report->memory.is_known) {
        fprintf(file,
                "A box costs %.0f bytes, a contact of four points %.0f, a ball joint %.0f by "
                "Gauss-Seidel and %.0f\nsolved directly, alone in its mechanism: differences "
                "between worlds of 5,000 boxes, with what growing\narrays keep in reserve.\n\n",
                report->memory.body_bytes, report->memory.contact_bytes, report->memory.joint_bytes,
                report->memory.exact_bytes);
    }
    fprintf(
        file,
        "Percentiles of a step's time; instructions in millions per step, \"-\" where the "
        "machine does not\ncount them.\n\n"
        "| scene | median ms | p95 ms | p99 ms | instructions | MB at most | allocations in timed "
        "steps | hash |\n|---|---|---|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < report->case_count; ++i) {
        const bench_result *result = &report->results[i * report->engine_count];
        if (result->has_run) {
            char instructions[REPORT_TEXT_LENGTH];
            report_describe_instructions(result, instructions);
            fprintf(file,
                    "| %s | %.3g | %.3g | %.3g | %s | %.2f | %" PRIu64 " | %016" PRIx64 " |\n",
                    report->cases[i]->name, result->median_ms, result->p95_ms, result->p99_ms,
                    instructions, 1e-6 * (double)result->report.peak_bytes,
                    result->step_allocations, result->report.hash);
        }
    }
}

// Builds are not measured here: the figures are those that ./dev size printed.
static const char page_weight[] =
    "\n## What it weighs\n\n"
    "Printed by `./dev size`, beside the budgets that it is checked against. The shared library is "
    "stripped;\nWebAssembly is packed by brotli, once with every public function and once with "
    "those of a game of\nbodies, contacts, queries and the common joints. gcc 12, clang 14. Files "
    "that a step does not run are\ncompiled for size: `cmake/tenon_hot.cmake`.\n\n"
    "| what | kB | budget |\n|---|---|---|\n"
    "| shared library | 2468 | 2200 |\n"
    "| WebAssembly of everything | 628 | 340 |\n"
    "| WebAssembly of a plain game | 608 | 210 |\n";

void report_write_page(const bench_report *report, FILE *file) {
    fputs(page_introduction, file);
    if (report->is_quick) {
        fputs("\nThis page is of shortened runs (`--quick` or `--steps`).\n", file);
    }
    page_write_machine(file);
    page_write_times(report, file);
    report_write_bars(report, file);
    page_write_series(report, file);
    report_write_threads(report, file);
    page_write_stages(report, file);
    report_write_floor(report, file);
    page_write_quality(report, file);
    page_write_own(report, file);
    fputs(page_weight, file);
}
