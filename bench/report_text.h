// bench/report_text.h: figures in words, for the terminal and the page alike.
#ifndef BENCH_REPORT_TEXT_H
#define BENCH_REPORT_TEXT_H

#include "bench/run.h"

#define REPORT_TEXT_LENGTH 256

// Fills `out_text`, which holds REPORT_TEXT_LENGTH, with the figures that are asked for.
void report_describe_quality(uint32_t figures, const bench_quality *quality, char *out_text);
// How many times tenon is faster, or "-".
void report_describe_ratio(const bench_result *tenon, const bench_result *peer, char *out_text);
// Millions in a step, or "-" where the machine does not count them.
void report_describe_instructions(const bench_result *result, char *out_text);
// Stages as shares of their sum, %.
bench_stages report_get_shares(const bench_stages *stages);

#endif
