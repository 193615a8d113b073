// tools/tenon/history.h: numbers of every step of a run, for the summary and the plot.
#ifndef TOOLS_TENON_HISTORY_H
#define TOOLS_TENON_HISTORY_H

#include "tools/tenon/subject.h"

typedef struct history {
    double *time, *kinetic, *potential, *elastic, *total;
    double *linear_error, *angular_error; // worst joint, m and rad
    double *step_ms;
    size_t count, capacity;
    double worst_linear, worst_angular, deepest_penetration;
    char worst_linear_joint[CASE_NAME_SIZE], worst_angular_joint[CASE_NAME_SIZE];
    size_t unmet;   // steps after which a joint was beyond the tolerance asked for
    size_t failed;  // steps in which a mechanism failed
    size_t refused; // steps in which the integrator asked for did not move a mechanism
    char failed_joint[CASE_NAME_SIZE]; // the worst of the last one that did
    tn_mechanism_info *mechanisms;     // of the step at hand
    uint32_t mechanism_capacity;
    tn_telemetry most; // largest counts over the run
} history;

typedef struct history_times {
    double mean, p95, max; // ms
} history_times;

// Adds the state now. `step_ms` is what the step before it took; 0 at the start.
bool history_add(history *record, const run_subject *subject, double time, double step_ms);
void history_destroy(history *record);
history_times history_get_times(const history *record);

#endif
