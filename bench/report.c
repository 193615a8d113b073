// bench/report.c: results as text, and the words for a figure that both it and the page use.

#include "bench/report.h"

#include "bench/report_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#define APART_LEAST_MS 0.05

// ---- the words for a figure -------------------------------------------------------------------

static void report_append(char *text, const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, REPORT_TEXT_LENGTH - length, format, arguments);
    va_end(arguments);
}

static void report_append_separator(char *text) {
    if (text[0] != '\0') {
        report_append(text, "; ");
    }
}

static void report_append_length(char *text, const char *word, double meters) {
    report_append_separator(text);
    if (!isfinite(meters)) {
        report_append(text, "%s: burst", word);
    } else if (meters >= 1.0) {
        report_append(text, "%s %.3g m", word, meters);
    } else {
        report_append(text, "%s %.3g mm", word, 1e3 * meters);
    }
}

static void report_append_standing(char *text, const bench_quality *quality) {
    if (quality->fall_time < 0.0) {
        report_append_separator(text);
        report_append(text, "stands");
        report_append_length(text, "sinks", quality->sink);
    } else {
        report_append_separator(text);
        report_append(text, "falls at %.1f s", quality->fall_time);
    }
}

void report_describe_quality(uint32_t figures, const bench_quality *quality, char *out_text) {
    out_text[0] = '\0';
    if (figures & BENCH_FIGURE_STANDS) {
        report_append_standing(out_text, quality);
    }
    if (figures & BENCH_FIGURE_DRIFT) {
        report_append_length(out_text, "drift", quality->drift);
    }
    if (figures & BENCH_FIGURE_PENETRATION) {
        report_append_length(out_text, "deepest", quality->penetration);
        report_append_length(out_text, "at the end", quality->penetration_end);
    }
    if (figures & BENCH_FIGURE_GAP) {
        report_append_length(out_text, "gap", quality->gap);
        report_append_length(out_text, "at the end", quality->gap_end);
    }
    if (figures & BENCH_FIGURE_MOTOR) {
        report_append_separator(out_text);
        report_append(out_text, "%.2f rad/s", quality->motor_speed);
    }
    if (figures & BENCH_FIGURE_MOMENTUM) {
        report_append_separator(out_text);
        report_append(out_text, "momentum off by %.2g; energy %+.2g %%", quality->momentum_change,
                      1e2 * quality->energy_change);
    }
    if (figures & BENCH_FIGURE_ENERGY) {
        report_append_separator(out_text);
        report_append(out_text, "%.2g %% of the energy lost", 1e2 * quality->energy_lost);
    }
    if (figures & BENCH_FIGURE_GROUND) {
        report_append_length(out_text, "in the ground", quality->ground);
        report_append_length(out_text, "at the end", quality->ground_end);
        report_append(out_text, "; %.0f fell through", quality->lost);
    }
    if (figures & BENCH_FIGURE_END) {
        report_append_length(out_text, "mean height", quality->height_end);
        report_append(out_text, " at %.2g m/s", quality->speed_end);
    }
    if (figures & BENCH_FIGURE_SENSORS) {
        report_append_separator(out_text);
        report_append(out_text, "notices %.4g of 1", quality->noticed);
    }
}

void report_describe_ratio(const bench_result *tenon, const bench_result *peer, char *out_text) {
    bool is_known = tenon->has_run && peer->has_run && tenon->mean_ms > 0.0;
    snprintf(out_text, REPORT_TEXT_LENGTH, is_known ? "%.2f" : "-",
             is_known ? peer->mean_ms / tenon->mean_ms : 0.0);
}

void report_describe_instructions(const bench_result *result, char *out_text) {
    bool is_known = result->instructions >= 0.0;
    snprintf(out_text, REPORT_TEXT_LENGTH, is_known ? "%.3g" : "-", 1e-6 * result->instructions);
}

bench_stages report_get_shares(const bench_stages *stages) {
    double sum =
        stages->pairs + stages->manifolds + stages->islands + stages->solve + stages->finish;
    double percent = sum > 0.0 ? 1e2 / sum : 0.0;
    return (bench_stages){stages->pairs * percent, stages->manifolds * percent,
                          stages->islands * percent, stages->solve * percent,
                          stages->finish * percent};
}

// ---- text -------------------------------------------------------------------------------------

const bench_result *report_get_many(const bench_report *report, uint32_t index) {
    return &report->results[(index + 1) * report->engine_count - 1];
}

double report_get_speed_up(const bench_report *report, uint32_t index) {
    const bench_result *one = &report->one_thread[index];
    const bench_result *many = report_get_many(report, index);
    bool has_both = one->has_run && many->has_run && many->median_ms > 0.0;
    return has_both ? one->median_ms / many->median_ms : 0.0;
}

double report_get_apart(const bench_report *report, uint32_t index) {
    const bench_result *one = &report->one_thread[index], *apart = &report->apart[index];
    double worlds = (double)report->engines[report->engine_count - 1]->worker_count;
    bool has_both = one->has_run && apart->has_run && one->median_ms > APART_LEAST_MS;
    return has_both ? worlds * one->median_ms / apart->median_ms : 0.0;
}

void report_print_heading(FILE *file) {
    fprintf(file, "%-12s %9s %9s %9s %9s %8s %7s  %s\n", "ms per step", "mean", "median", "p95",
            "p99", "Minstr.", "ratio", "quality");
}

static void report_print_result(const bench_report *report, uint32_t index, uint32_t engine,
                                FILE *file) {
    const bench_case *item = report->cases[index];
    const bench_result *results = &report->results[index * report->engine_count];
    const bench_result *result = &results[engine];
    const char *name = report->engines[engine]->name;
    if (!result->has_run) {
        // Without joints there is nothing for AUTO to choose.
        if (run_is_for(item, report->engines[engine]) &&
            report->engines[engine] != &bench_engine_tenon_auto) {
            fprintf(file, "  %-10s does not run this scene\n", name);
        }
        return;
    }
    char quality[REPORT_TEXT_LENGTH], ratio[REPORT_TEXT_LENGTH], instructions[REPORT_TEXT_LENGTH];
    report_describe_quality(item->figures, &result->quality, quality);
    report_describe_ratio(&results[0], result, ratio);
    report_describe_instructions(result, instructions);
    fprintf(file, "  %-10s %9.4f %9.4f %9.4f %9.4f %8s %7s  %s\n", name, result->mean_ms,
            result->median_ms, result->p95_ms, result->p99_ms, instructions, ratio, quality);
}

// One thread against many, and against worlds apart.
static void report_print_times(const bench_report *report, uint32_t index, FILE *file) {
    uint32_t workers = report->engines[report->engine_count - 1]->worker_count;
    double speed_up = report_get_speed_up(report, index), apart = report_get_apart(report, index);
    if (speed_up > 0.0) {
        fprintf(file, "  %-10s %" PRIu32 " workers: %.2f times as fast as one, by medians\n", "",
                workers, speed_up);
    }
    if (apart > 0.0) {
        fprintf(file, "  %-10s %" PRIu32 " worlds apart: %.2f times as much as one\n", "", workers,
                apart);
    }
}

// The same, and what the model says of more.
static void report_print_threads(const bench_report *report, uint32_t index, FILE *file) {
    const bench_threads *threads = &report->threads[index];
    report_print_times(report, index, file);
    if (threads->has_run && threads->step_ms > 0.0) {
        fprintf(file, "  %-10s %.1f %% outside of %.0f loops; expected:", "",
                1e2 * threads->serial_ms / threads->step_ms, threads->loops);
        for (int i = 0; i < THREADS_COUNTS; ++i) {
            fprintf(file, " %.2f with %" PRIu32, threads->step_ms / threads->predicted_ms[i],
                    threads_counts[i]);
        }
        fprintf(file, "\n");
    }
}

void report_print_case(const bench_report *report, uint32_t index, FILE *file) {
    const bench_case *item = report->cases[index];
    const bench_result *own = &report->results[index * report->engine_count];
    fprintf(file, "\n%s: %s\n", item->name, item->about);
    for (uint32_t i = 0; i < report->engine_count; ++i) {
        report_print_result(report, index, i, file);
    }
    if (own->has_run) {
        const tn_telemetry *telemetry = &own->report.telemetry;
        fprintf(file,
                "  %-10s %.2f MB at most, %" PRIu64 " allocations in timed steps, %" PRIu32
                " bodies, %" PRIu32 " joints and %" PRIu32 " contacts awake, hash %016" PRIx64 "\n",
                "", 1e-6 * (double)own->report.peak_bytes, own->step_allocations,
                telemetry->awake_bodies, telemetry->joints, telemetry->contacts, own->report.hash);
        bench_stages shares = report_get_shares(&own->stages);
        fprintf(
            file,
            "  %-10s pairs %.0f %%, manifolds %.0f %%, islands %.0f %%, solve %.0f %%, finish %.0f "
            "%%\n",
            "", shares.pairs, shares.manifolds, shares.islands, shares.solve, shares.finish);
    }
    report_print_threads(report, index, file);
    fflush(file);
}

void report_print_again(const bench_report *report, uint32_t index, FILE *file) {
    fprintf(file, "\n%s, threads once more\n", report->cases[index]->name);
    report_print_times(report, index, file);
    fflush(file);
}

void report_print_memory(const memory_cost *cost, FILE *file) {
    if (cost->is_known) {
        fprintf(file,
                "\nmemory: %.0f bytes per box, %.0f per contact, %.0f per ball joint, %.0f solved "
                "directly\n",
                cost->body_bytes, cost->contact_bytes, cost->joint_bytes, cost->exact_bytes);
    }
}
