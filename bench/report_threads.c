// bench/report_threads.c: the part of the page that is about threads: measured, and expected.

#include "bench/report_threads.h"

static const char *const threads_text =
    "\n"
    "## Threads\n"
    "\n"
    "*One* is the median ms of a step on one thread, and *%s* is the same with workers, by the\n"
    "clock on the wall. *Times* says how many times faster that is, and *same* whether it ends "
    "with the\n"
    "same bits. The two take turns, without the other engines, until no median falls for 15 s, or "
    "for\n"
    "half a minute, and once more after all scenes, because a host that shares its processors is "
    "slow for\n"
    "minutes at a time. *Apart* is the throughput of several worlds at once, each on a thread of "
    "its own\n"
    "(`bench/apart.h`), over that of one world, for steps above 0.05 ms. It is less than the "
    "number of\n"
    "threads if processors share a core, if the host shares them, and if large worlds compete for "
    "the\n"
    "cache.\n"
    "\n"
    "The other columns are a model of more threads, from the timed loops of one thread "
    "(`bench/threads.h`). *Serial* is the\n"
    "share of a step outside the loops that threads share, and *loops* the number of these loops "
    "in a step. With t the time\n"
    "of a loop, p the pieces into which it can be cut, at most sixteen for each thread, and T the "
    "time of a step, n threads\n"
    "should need\n"
    "\n"
    "    T - sum t + sum over loops ( t ceil(p / n) / p + (n + 1) c )\n"
    "\n"
    "where c = %.3f µs, measured in this run, is how long a thread takes to see what another has "
    "written: at the end of a\n"
    "loop n threads count themselves done, one after the other, and then all see it. The model "
    "leaves out cache lines that go\n"
    "from one processor to the other because bodies touch across the cut, memory that is too slow "
    "for all processors at once,\n"
    "and the waking of threads at the beginning of a step. So the measured figure stays behind the "
    "expected one, most in the\n"
    "smallest scenes.\n"
    "\n";

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
