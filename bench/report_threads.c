// bench/report_threads.c: the part of the page that is about threads: measured, and expected.

#include "bench/report_threads.h"

static const char *const threads_text =
    "\n## Threads\n\n"
    "*One*: median ms of a step on one thread. *%s*: the same by the clock on the wall, *times* "
    "how many\ntimes faster that is, *same* whether it ends with the same bits. They take turns, "
    "without the other\nengines, until no median falls for 15 s, or for half a minute, and so once "
    "more after all scenes, for a\nhost that gives its processors to others has spells of minutes. "
    "*Apart*: how many times as much as one\nworld as many worlds as threads get done at once, "
    "each on a thread of its own (`bench/apart.h`), for\nsteps above 0.05 ms: where processors "
    "share a core, or a host gives them to others too, that is less\nthan their number; and large "
    "worlds are in each other's cache.\n\n"
    "The rest is a model of more threads, from the loops of one (`bench/threads.h`), each timed. "
    "*Serial*\nis the share of a step outside of loops that threads share, *loops* how many of "
    "them a step has.\nWith t the time of a loop, p the pieces it can be cut into, at most "
    "sixteen for "
    "each thread, and T the\ntime of a step, n threads are expected to need\n\n"
    "    T - sum t + sum over loops ( t ceil(p / n) / p + (n + 1) c )\n\n"
    "where c = %.3f µs, measured in this run, is how long a thread takes to see what another has "
    "written:\nat the end of a loop n threads count themselves done, one after the other, and then "
    "all see it.\nThis leaves out cache lines that go from one processor to the other because "
    "bodies touch across the\ncut, memory that is too slow for all processors at once, and waking "
    "at the beginning of a step. So\nthe measured figure stays behind the expected one, most in "
    "the "
    "smallest scenes.\n\n";

static void threads_write_row(const bench_report *report, uint32_t index, FILE *file) {
    const bench_result *one = &report->one_thread[index];
    const bench_result *many = report_get_many(report, index);
    const bench_threads *threads = &report->threads[index];
    double apart = report_get_apart(report, index);
    fprintf(file, "| %s | %.3g | %.3g | %.2f |", report->cases[index]->name, one->median_ms,
            many->median_ms, report_get_speed_up(report, index));
    fprintf(file, apart > 0.0 ? " %.2f |" : " |", apart);
    fprintf(file, " %s |", one->report.hash == many->report.hash ? "yes" : "**no**");
    if (threads->has_run && threads->step_ms > 0.0) {
        fprintf(file, " %.1f %% | %.0f |", 1e2 * threads->serial_ms / threads->step_ms,
                threads->loops);
        for (int i = 0; i < THREADS_COUNTS; ++i) {
            fprintf(file, " %.2f |", threads->step_ms / threads->predicted_ms[i]);
        }
    }
    fprintf(file, "\n");
}

void report_write_threads(const bench_report *report, FILE *file) {
    const bench_engine *workers = report->engines[report->engine_count - 1];
    if (workers->worker_count < 2) {
        return;
    }
    fprintf(file, threads_text, workers->name, 1e6 * report->hand_over);
    fprintf(file, "| scene | one | %s | times | apart | same | serial | loops |", workers->name);
    for (int i = 0; i < THREADS_COUNTS; ++i) {
        fprintf(file, " expected: %u |", (unsigned)threads_counts[i]);
    }
    fprintf(file, "\n|---|---|---|---|---|---|---|---|");
    for (int i = 0; i < THREADS_COUNTS; ++i) {
        fprintf(file, "---|");
    }
    fprintf(file, "\n");
    for (uint32_t i = 0; i < report->case_count; ++i) {
        if (report_get_speed_up(report, i) > 0.0) {
            threads_write_row(report, i, file);
        }
    }
}
