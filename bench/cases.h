// bench/cases.h: the scenes that are measured, with their sizes, and which figures each one asks
// for.
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include "scenes/choice.h"

#include <tenon/machines.h>

TN_EXTERN_C_BEGIN

#define BENCH_MAX_CASE_OPTIONS 6

// Which figures of quality a case reports. Bits, to be or-ed.
typedef enum bench_figure {
    BENCH_FIGURE_DRIFT = 1,
    BENCH_FIGURE_STANDS = 2,
    BENCH_FIGURE_PENETRATION = 4,
    BENCH_FIGURE_GAP = 8,
    BENCH_FIGURE_MOTOR = 16,
    BENCH_FIGURE_MOMENTUM = 32,
    BENCH_FIGURE_ENERGY = 64,
    BENCH_FIGURE_GROUND = 128,
    BENCH_FIGURE_END = 256,
    BENCH_FIGURE_SENSORS = 512,
} bench_figure;

// tenon's, in every case; the peers use their defaults.
#define BENCH_SUBSTEPS 4

typedef struct bench_case {
    const char *name;
    const char *scene;
    const char *about; // for the page: sizes, in a few words
    scene_choice options[BENCH_MAX_CASE_OPTIONS];
    uint32_t hertz; // steps per second
    uint32_t steps;
    uint32_t warm_up;  // of these steps, the first, that are not timed; 0: 20
    uint32_t figures;  // bench_figure bits
    bool is_small;     // cheap enough for a dense direct solver; run more often
    bool is_large;     // run once, not as often as `--repeats` says
    bool is_asleep;    // bodies at rest may fall asleep
    bool is_series;    // of the cost per body by the number of bodies; tenon alone
    const char *box3d; // what Box3D 0.1 reached on the same scene and kind of machine, or null
} bench_case;

const bench_case *bench_case_get_all(uint32_t *out_count);

TN_EXTERN_C_END

#endif
