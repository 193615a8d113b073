// bench/report.c: results as text and JSON, and the words for a figure that both it and the page
// use.

#include "bench/report.h"

#include "bench/report_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

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
    if (meters >= 1.0) {
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
}

void report_describe_ratio(const bench_result *tenon, const bench_result *peer, char *out_text) {
    bool is_known = tenon->has_run && peer->has_run && tenon->mean_ms > 0.0;
    snprintf(out_text, REPORT_TEXT_LENGTH, is_known ? "%.2f" : "-",
             is_known ? peer->mean_ms / tenon->mean_ms : 0.0);
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

void report_print_case(const bench_report *report, uint32_t index, FILE *file) {
    const bench_case *item = report->cases[index];
    const bench_result *results = &report->results[index * report->engine_count];
    fprintf(file, "\n%s: %s\n", item->name, item->about);
    for (uint32_t i = 0; i < report->engine_count; ++i) {
        const bench_result *result = &results[i];
        if (!result->has_run) {
            if (!report->engines[i]->is_for_small || item->is_small) {
                fprintf(file, "  %-10s does not run this scene\n", report->engines[i]->name);
            }
            continue;
        }
        char quality[REPORT_TEXT_LENGTH], ratio[REPORT_TEXT_LENGTH];
        report_describe_quality(item->figures, &result->quality, quality);
        report_describe_ratio(&results[0], result, ratio);
        fprintf(file, "  %-10s %9.4f ms mean %9.4f median %9.4f p95 %6s x  %s\n",
                report->engines[i]->name, result->mean_ms, result->median_ms, result->p95_ms, ratio,
                quality);
    }
    if (results[0].has_run) {
        const tenon_report *own = &results[0].report;
        fprintf(file,
                "  %-10s %.2f MB at most, %" PRIu64 " allocations in timed steps, %" PRIu32
                " contacts, hash %016" PRIx64 "\n",
                "", 1e-6 * (double)own->peak_bytes, results[0].step_allocations,
                own->telemetry.contacts, own->hash);
        bench_stages shares = report_get_shares(&results[0].stages);
        fprintf(
            file,
            "  %-10s pairs %.0f %%, manifolds %.0f %%, islands %.0f %%, solve %.0f %%, finish %.0f "
            "%%\n",
            "", shares.pairs, shares.manifolds, shares.islands, shares.solve, shares.finish);
    }
    fflush(file);
}

void report_print_memory(const memory_cost *cost, FILE *file) {
    if (cost->is_known) {
        fprintf(file, "\nmemory: %.0f bytes per box, %.0f per contact, %.0f per ball joint\n",
                cost->body_bytes, cost->contact_bytes, cost->joint_bytes);
    }
}

// ---- JSON -------------------------------------------------------------------------------------

static void report_write_quality(const bench_quality *quality, FILE *file) {
    const struct {
        const char *name;
        double value;
    } figures[] = {
        {"drift_m", quality->drift},
        {"sink_m", quality->sink},
        {"fall_time_s", quality->fall_time},
        {"penetration_m", quality->penetration},
        {"penetration_end_m", quality->penetration_end},
        {"gap_m", quality->gap},
        {"gap_end_m", quality->gap_end},
        {"motor_speed", quality->motor_speed},
        {"momentum_change", quality->momentum_change},
        {"energy_change", quality->energy_change},
        {"energy_lost", quality->energy_lost},
    };
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); ++i) {
        // JSON has no infinity and no NaN.
        bool is_finite = figures[i].value - figures[i].value == 0.0;
        fprintf(file, is_finite ? ", \"%s\": %.9g" : ", \"%s\": null", figures[i].name,
                figures[i].value);
    }
}

static void report_write_result(const bench_report *report, uint32_t index, uint32_t engine,
                                FILE *file) {
    const bench_result *result = &report->results[index * report->engine_count + engine];
    fprintf(file,
            "    {\"case\": \"%s\", \"engine\": \"%s\", \"mean_ms\": %.6f, \"median_ms\": %.6f, "
            "\"p95_ms\": %.6f",
            report->cases[index]->name, report->engines[engine]->name, result->mean_ms,
            result->median_ms, result->p95_ms);
    report_write_quality(&result->quality, file);
    if (engine == 0) {
        fprintf(file,
                ", \"hash\": \"%016" PRIx64 "\", \"peak_bytes\": %" PRIu64
                ", \"step_allocations\": %" PRIu64 ", \"contacts\": %" PRIu32,
                result->report.hash, result->report.peak_bytes, result->step_allocations,
                result->report.telemetry.contacts);
        fprintf(file,
                ", \"pairs_ms\": %.6f, \"manifolds_ms\": %.6f, \"islands_ms\": %.6f, "
                "\"solve_ms\": %.6f, \"finish_ms\": %.6f",
                result->stages.pairs, result->stages.manifolds, result->stages.islands,
                result->stages.solve, result->stages.finish);
    }
    fprintf(file, "}");
}

void report_write_json(const bench_report *report, FILE *file) {
    fprintf(file, "{\n  \"repeats\": %" PRIu32 ", \"quick\": %s,\n", report->repeats,
            report->is_quick ? "true" : "false");
    fprintf(file,
            "  \"bytes_per_body\": %.1f, \"bytes_per_contact\": %.1f, \"bytes_per_joint\": %.1f,\n",
            report->memory.body_bytes, report->memory.contact_bytes, report->memory.joint_bytes);
    fprintf(file, "  \"results\": [");
    const char *separator = "\n";
    for (uint32_t i = 0; i < report->case_count; ++i) {
        for (uint32_t j = 0; j < report->engine_count; ++j) {
            if (report->results[i * report->engine_count + j].has_run) {
                fputs(separator, file);
                report_write_result(report, i, j, file);
                separator = ",\n";
            }
        }
    }
    fprintf(file, "\n  ]\n}\n");
}
