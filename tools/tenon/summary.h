// tools/tenon/summary.h: a run in numbers, on the terminal and as JSON.
#ifndef TOOLS_TENON_SUMMARY_H
#define TOOLS_TENON_SUMMARY_H

#include "tools/tenon/history.h"
#include "tools/tenon/options.h"

#include <cjson/cJSON.h>

typedef struct run_figure {
    char scenario[CASE_NAME_SIZE];
    char name[CASE_NAME_SIZE];
    double value;
} run_figure;

// What a run came to.
typedef struct run_summary {
    const run_options *options;
    const run_subject *subject;
    const history *record;
    const run_figure *figures;
    uint32_t figure_count;
    uint32_t steps;
    uint64_t hash;
} run_summary;

void summary_print(const run_summary *summary);
bool summary_save(const run_summary *summary, const char *path);

#endif
