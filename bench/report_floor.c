// bench/report_floor.c: the least that sweeps take, in operations and bytes, beside the solver's
// time.

#include "bench/report_floor.h"

#include <inttypes.h>

static const char *const floor_text =
    "\n## The floor\n\n"
    "The sweeps of a step need at least this, by count (`bench/floor.h`): floating-point "
    "operations and\nbytes of blocks and bodies. In this run one core did %.1f Gflop/s in "
    "products and sums of single\nprecision that do not wait for each other, and read and wrote "
    "%.0f, %.0f, %.0f and %.0f GB/s of data of\n16 KB, 256 KB, 4 MB and 64 MB. All data come once "
    "from where so much lies, and then from the\ncore's own cache. *Floor* is the "
    "longer of the two times, *solve* the time of all\nsubsteps, with what a sweep is not: rows "
    "at a new pose, the second kick, poses. Below 32 bodies and\ncontacts it is that of the whole "
    "step. A single machine is far above its floor because its joints\nwait for each other: each "
    "one's impulse is a chain of some 60 cycles of products and sums on top of\nwhat the one "
    "before it left.\n\n"
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
