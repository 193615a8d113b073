// bench/figures.c: the table of figures of quality.

#include "bench/figures.h"

#include "bench/cases.h"

#include <stddef.h>
#include <string.h>

const bench_figure_field bench_figure_fields[] = {
    {"drift_m", offsetof(bench_quality, drift), BENCH_FIGURE_DRIFT},
    {"sink_m", offsetof(bench_quality, sink), BENCH_FIGURE_STANDS},
    {"fall_time_s", offsetof(bench_quality, fall_time), BENCH_FIGURE_STANDS},
    {"penetration_m", offsetof(bench_quality, penetration), BENCH_FIGURE_PENETRATION},
    {"penetration_end_m", offsetof(bench_quality, penetration_end), BENCH_FIGURE_PENETRATION},
    {"gap_m", offsetof(bench_quality, gap), BENCH_FIGURE_GAP},
    {"gap_end_m", offsetof(bench_quality, gap_end), BENCH_FIGURE_GAP},
    {"motor_speed", offsetof(bench_quality, motor_speed), BENCH_FIGURE_MOTOR},
    {"momentum_change", offsetof(bench_quality, momentum_change), BENCH_FIGURE_MOMENTUM},
    {"energy_change", offsetof(bench_quality, energy_change), BENCH_FIGURE_MOMENTUM},
    {"energy_lost", offsetof(bench_quality, energy_lost), BENCH_FIGURE_ENERGY},
    {"ground_m", offsetof(bench_quality, ground), BENCH_FIGURE_GROUND},
    {"ground_end_m", offsetof(bench_quality, ground_end), BENCH_FIGURE_GROUND},
    {"lost", offsetof(bench_quality, lost), BENCH_FIGURE_GROUND},
    {"height_end_m", offsetof(bench_quality, height_end), BENCH_FIGURE_END},
    {"speed_end", offsetof(bench_quality, speed_end), BENCH_FIGURE_END},
    {"noticed", offsetof(bench_quality, noticed), BENCH_FIGURE_SENSORS},
};
const uint32_t bench_figure_field_count =
    sizeof(bench_figure_fields) / sizeof(bench_figure_fields[0]);

double figure_field_get(const bench_figure_field *field, const bench_quality *quality) {
    double value;
    memcpy(&value, (const char *)quality + field->offset, sizeof(value));
    return value;
}
