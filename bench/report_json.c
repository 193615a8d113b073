// bench/report_json.c: every figure as JSON; bench/compare.c reads it again.

#include "bench/report.h"

#include "bench/figures.h"

#include <inttypes.h>

static void report_write_quality(const bench_quality *quality, FILE *file) {
    for (uint32_t i = 0; i < bench_figure_field_count; ++i) {
        // JSON has no infinity and no NaN.
        double value = figure_field_get(&bench_figure_fields[i], quality);
        bool is_finite = value - value == 0.0;
        fprintf(file, is_finite ? ", \"%s\": %.9g" : ", \"%s\": null", bench_figure_fields[i].name,
                value);
    }
}

static void report_write_own(const bench_result *result, FILE *file) {
    const tn_telemetry *telemetry = &result->report.telemetry;
    fprintf(file,
            ",\n     \"hash\": \"%016" PRIx64 "\", \"peak_bytes\": %" PRIu64
            ", \"step_allocations\": %" PRIu64 ", \"bodies\": %" PRIu32 ", \"joints\": %" PRIu32
            ", \"contacts\": %" PRIu32,
            result->report.hash, result->report.peak_bytes, result->step_allocations,
            telemetry->awake_bodies, telemetry->joints, telemetry->contacts);
    fprintf(file,
            ",\n     \"pairs_ms\": %.6f, \"manifolds_ms\": %.6f, \"islands_ms\": %.6f, "
            "\"solve_ms\": %.6f, \"finish_ms\": %.6f",
            result->stages.pairs, result->stages.manifolds, result->stages.islands,
            result->stages.solve, result->stages.finish);
}

static void report_write_result(const bench_report *report, uint32_t index, uint32_t engine,
                                FILE *file) {
    const bench_result *result = &report->results[index * report->engine_count + engine];
    fprintf(file,
            "    {\"case\": \"%s\", \"engine\": \"%s\", \"steps\": %" PRIu32
            ", \"mean_ms\": %.6f, \"median_ms\": %.6f, \"highest_median_ms\": %.6f, "
            "\"p95_ms\": %.6f, \"p99_ms\": %.6f",
            report->cases[index]->name, report->engines[engine]->name, result->steps,
            result->mean_ms, result->median_ms, result->highest_median_ms, result->p95_ms,
            result->p99_ms);
    if (result->instructions >= 0.0) {
        fprintf(file, ", \"instructions\": %.0f", result->instructions);
    }
    report_write_quality(&result->quality, file);
    if (report->engines[engine]->is_tenon) {
        report_write_own(result, file);
    }
    fprintf(file, "}");
}

void report_write_json(const bench_report *report, FILE *file) {
    fprintf(file, "{\n  \"repeats\": %" PRIu32 ",\n", report->repeats);
    fprintf(file,
            "  \"bytes_per_body\": %.1f, \"bytes_per_contact\": %.1f, \"bytes_per_joint\": %.1f, "
            "\"bytes_per_exact_joint\": %.1f,\n",
            report->memory.body_bytes, report->memory.contact_bytes, report->memory.joint_bytes,
            report->memory.exact_bytes);
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
