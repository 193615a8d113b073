// bench/figures.h: the figures of quality by name, as the JSON file holds them.
#ifndef BENCH_FIGURES_H
#define BENCH_FIGURES_H

#include "bench/measure.h"

typedef struct bench_figure_field {
    const char *name;
    size_t offset;    // of a double in bench_quality
    uint32_t figures; // bench_figure bits: asked for by one of them
} bench_figure_field;

extern const bench_figure_field bench_figure_fields[];
extern const uint32_t bench_figure_field_count;

double figure_field_get(const bench_figure_field *field, const bench_quality *quality);

#endif
