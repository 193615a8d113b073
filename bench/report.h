// bench/report.h: results as text, JSON and the page docs/performance.md.
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench/floor.h"
#include "bench/memory.h"
#include "bench/run.h"
#include "bench/threads.h"

#include <stdio.h>

// All cases on all engines: results[case * engine_count + engine]. Engine 0 is tenon.
typedef struct bench_report {
    const bench_case *const *cases;
    const bench_engine *const *engines;
    uint32_t case_count, engine_count;
    const bench_result *results;
    // By case, where --workers asks for threads: engine 0 in turns with the last one and with as
    // many worlds (bench/apart.h).
    const bench_result *one_thread, *apart;
    const bench_threads *threads;
    double hand_over;  // s, see bench/threads.h
    floor_rates rates; // of the processor, where there is a page
    memory_cost memory;
    uint32_t repeats;
    bool is_quick; // shortened runs: the figures of quality are of the beginning only
    const char *plot_path, *page_path; // of the picture and the page that are made, or null
} bench_report;

// tenon with threads, the last engine: its result of a case.
const bench_result *report_get_many(const bench_report *report, uint32_t index);
// How many times faster it is than one thread, by medians; 0 where one of the two did not run.
double report_get_speed_up(const bench_report *report, uint32_t index);
// How many times as much as one world as many worlds as threads get done, each on its own, by
// medians; 0 where they did not run, or a step is as short as waking a thread.
double report_get_apart(const bench_report *report, uint32_t index);
// Names the columns of what follows.
void report_print_heading(FILE *file);
// The rows of one case; its results are complete.
void report_print_case(const bench_report *report, uint32_t index, FILE *file);
// One thread against many, measured for the second time.
void report_print_again(const bench_report *report, uint32_t index, FILE *file);
void report_print_memory(const memory_cost *cost, FILE *file);
void report_write_json(const bench_report *report, FILE *file);
void report_write_page(const bench_report *report, FILE *file);

#endif
