// bench/quality.h: families of runs whose right answer is known: counted, and the worst of each
// shown.
//
// tenon_contacts and tenon_stacks each have a table of families. A family makes its runs one after
// the other and reports each with quality_report; its line on the terminal says how many there
// were, how many were wrong and which was the worst.
#ifndef BENCH_QUALITY_H
#define BENCH_QUALITY_H

#include <stdbool.h>
#include <stdint.h>

#define QUALITY_TEXT 160

// The options of the command line, and the family that is being run.
typedef struct quality {
    bool is_verbose;
    const char *only;  // null: all families
    double seconds;    // 0: each run's own time
    double hz;         // 0: each run's own rate
    uint32_t substeps; // 0: each run's own
    bool is_sleep_allowed;
    // The family that is being run: its count, its errors and its worst run.
    uint32_t runs, wrong;
    double worst;
    char worst_text[QUALITY_TEXT];
} quality;

typedef struct quality_family {
    const char *name;
    const char *unit; // of the figure that says how far a run is off: "m/s", "m", ...
    void (*run)(quality *report);
} quality_family;

// Counts a run. `figure` says how far off it is: larger is worse. The text names its parameters.
void quality_report(quality *report, bool is_right, double figure, const char *format, ...);
// Reads the options; false after a message if they are not understood or ask for help.
bool quality_read_options(quality *report, int argc, char **argv);
// Runs the families that the options ask for and prints a line of each; returns how many there
// were.
uint32_t quality_run_families(quality *report, const quality_family *families, uint32_t count);

#endif
