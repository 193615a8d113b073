// bench/report_floor.c: the least that sweeps take, in operations and bytes, beside the solver's
// time.

#include "bench/report_floor.h"

#include <inttypes.h>

static const char *const floor_text =
    "\n"
    "## The floor\n"
    "\n"
    "The sweeps of a step need at least these floating-point operations and bytes of blocks and "
    "bodies,\n"
    "by count (`bench/floor.h`). In this run one core did %.1f Gflop/s in products and sums of "
    "single\n"
    "precision that do not wait for each other, and read and wrote %.0f, %.0f, %.0f and %.0f GB/s "
    "of data of 16\n"
    "KB, 256 KB, 4 MB and 64 MB. All data come once from the cache or memory that holds so much, "
    "and then\n"
    "from the core's own cache. *Floor* is the longer of the two times. *Solve* is the time of "
    "all\n"
    "substeps, including rows at a new pose, the second kick and poses, which are not sweeps; with "
    "fewer\n"
    "than 32 bodies and contacts it is that of the whole step. A single machine is far above its "
    "floor\n"
    "because its joints wait for each other: the impulse of each is a chain of about 60 cycles of\n"
    "products and sums after the joint before it.\n"
    "\n"
    "| scene | rows of contacts | of joints | Mflop | MB | floor ms | solve ms | times |\n"
    "|---|---|---|---|---|---|---|---|\n";

static void floor_write_row(const bench_report *report, uint32_t index, FILE *file) {
    const bench_result *result = &report->results[index * report->engine_count];
    floor_cost cost = floor_get_cost(&result->report.telemetry, &report->rates);
    double floor_ms = 1e3 * cost.seconds;
    if (result->has_run && floor_ms > 0.0) {
        fprintf(file, "| %s | %" PRIu32 " | %" PRIu32 " | %.3g | %.3g | %.3g | %.3g | %.1f |\n",
                report->cases[index]->name, cost.contact_rows, cost.joint_rows, 1e-6 * cost.flops,
                1e-6 * cost.bytes, floor_ms, result->stages.solve, result->stages.solve / floor_ms);
    }
}

void report_write_floor(const bench_report *report, FILE *file) {
    const floor_rates *rates = &report->rates;
    fprintf(file, floor_text, 1e-9 * rates->flops, 1e-9 * rates->bytes[0], 1e-9 * rates->bytes[1],
            1e-9 * rates->bytes[2], 1e-9 * rates->bytes[3]);
    for (uint32_t i = 0; i < report->case_count; ++i) {
        if (!report->cases[i]->is_series && !report->cases[i]->is_asleep) {
            floor_write_row(report, i, file);
        }
    }
}
