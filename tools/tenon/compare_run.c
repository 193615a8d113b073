// tools/tenon/compare_run.c: one method's run, measured against the reference.
//
// Of each error the largest so far is kept: it can only grow, so that a curve of few points loses
// nothing.
#include "tools/tenon/compare.h"

#include "tools/tenon/vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define COMPARE_EXPLODED 1e3 // m: a larger joint gap is no motion any more

// A run under way.
typedef struct compare_track {
    const compare_reference *reference;
    compare_result *result;
    double *centers, *times; // of now; of each step, us
    uint32_t step, substeps;
    double start; // J
} compare_track;

static struct timespec compare_get_time(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return now;
}

// us. Seconds since 1970 leave a double a quarter of a microsecond: hence the differences.
static double compare_get_time_since(struct timespec before) {
    struct timespec now = compare_get_time();
    return 1e6 * (double)(now.tv_sec - before.tv_sec) +
           1e-3 * (double)(now.tv_nsec - before.tv_nsec);
}

static double compare_measure_path(const compare_track *track) {
    uint32_t count = track->reference->body_count;
    const double *at = track->reference->centers + (size_t)track->step * count * 3;
    const double *is = track->centers;
    double most = 0.0;
    for (uint32_t i = 0; i < 3 * count; i += 3) {
        tn_vec3 off = {is[i] - at[i], is[i + 1] - at[i + 1], is[i + 2] - at[i + 2]};
        most = fmax(most, vector_length(off));
    }
    return most;
}

// The last step of each of the curve's stretches gives a point, and so does the last of all.
static bool compare_is_point(const compare_track *track) {
    uint64_t steps = track->reference->steps, stretches = COMPARE_MAX_POINTS - 1;
    return track->step * stretches / steps != (track->step + 1) * stretches / steps ||
           track->step == steps || steps <= stretches;
}

// Notes where a step has led. False where the run is over: it has exploded.
static bool compare_note(compare_track *track, double drift, double energy, bool is_sound) {
    compare_result *result = track->result;
    double now = track->step / track->reference->rate;
    double scale = track->reference->kinetic > 0.0 ? 1.0 / track->reference->kinetic : 0.0;
    double reference = track->reference->energies[track->step];
    double change = (energy - track->start - reference) * scale;
    if (!is_sound || !(drift < COMPARE_EXPLODED) || !isfinite(change)) {
        result->status = COMPARE_STATUS_EXPLODED;
        result->exploded_at = now;
        return false;
    }
    result->energy_end = change;
    result->most.drift = fmax(result->most.drift, drift);
    result->most.energy = fmax(result->most.energy, fabs(change));
    result->most.path = fmax(result->most.path, compare_measure_path(track));
    if (compare_is_point(track) && result->point_count < COMPARE_MAX_POINTS) {
        result->time[result->point_count] = now;
        result->curve[result->point_count] = result->most;
        result->point_count += 1;
    }
    return true;
}

static void compare_follow_world(compare_track *track, run_subject *subject) {
    compare_result *result = track->result;
    bool is_asked = result->method->integrator != TN_INTEGRATOR_AUTO;
    bool is_sound = true;
    double drift = 0.0;
    track->start = compare_get_energy(subject);
    for (track->step = 0; track->step <= track->reference->steps; track->step++) {
        compare_get_centers(subject, track->centers);
        if (!compare_note(track, drift, compare_get_energy(subject), is_sound)) {
            return;
        }
        struct timespec before = compare_get_time();
        tn_result stepped = subject_step(subject, 1.0 / track->reference->rate, track->substeps);
        track->times[track->step] = compare_get_time_since(before);
        tn_telemetry telemetry = tn_world_get_telemetry(subject->world);
        drift = telemetry.worst_joint_linear;
        is_sound = stepped == TN_RESULT_OK && telemetry.reports == 0;
        result->refused += is_asked && compare_is_refused(subject);
    }
}

static void compare_follow_model(compare_track *track, const run_subject *subject,
                                 reduced_model *model) {
    track->start = reduced_get_energy(model);
    for (track->step = 0; track->step <= track->reference->steps; track->step++) {
        compare_get_reduced_centers(subject, model, track->centers);
        if (!compare_note(track, 0.0, reduced_get_energy(model), true)) {
            return;
        }
        struct timespec before = compare_get_time();
        for (uint32_t k = 0; k < track->substeps; k++) {
            reduced_step(model, 1.0 / track->reference->rate / track->substeps);
        }
        track->times[track->step] = compare_get_time_since(before);
    }
}

static int compare_order(const void *a, const void *b) {
    double p = *(const double *)a;
    double q = *(const double *)b;
    return (p > q) - (p < q);
}

static double compare_get_median(double *values, uint32_t count) {
    qsort(values, count, sizeof *values, compare_order);
    return count > 0 ? values[count / 2] : 0.0;
}

static compare_status compare_get_status(const compare_reference *reference,
                                         const compare_method *method) {
    if (method->is_reduced) {
        return reference->is_reduced ? COMPARE_STATUS_OK : COMPARE_STATUS_UNKNOWN;
    }
    bool is_taken = reference->is_plain || method->integrator == TN_INTEGRATOR_AUTO;
    return is_taken ? COMPARE_STATUS_OK : COMPARE_STATUS_REFUSED;
}

bool compare_run(const compare_setup *setup, const compare_reference *reference,
                 const compare_method *method, compare_result *result, char *error) {
    *result = (compare_result){.method = method, .status = compare_get_status(reference, method)};
    if (result->status != COMPARE_STATUS_OK) {
        return true;
    }
    size_t steps = (size_t)reference->steps + 1;
    double *memory = calloc(steps + 3 * (size_t)reference->body_count, sizeof(double));
    compare_track track = {.reference = reference,
                           .result = result,
                           .times = memory,
                           .centers = memory != NULL ? memory + steps : NULL,
                           .substeps = setup->options->substeps};
    run_subject subject;
    reduced_model model;
    bool ok = compare_open(setup, method, &subject, error);
    if (memory == NULL) {
        snprintf(error, OPTIONS_ERROR_SIZE, "not enough memory");
        ok = false;
    }
    if (ok && method->is_reduced && reduced_init(&model, &subject)) {
        compare_follow_model(&track, &subject, &model);
    } else if (ok) {
        compare_follow_world(&track, &subject);
    }
    // After an explosion as many as were taken.
    uint32_t taken = track.step < reference->steps + 1 ? track.step : reference->steps + 1;
    result->step_us = ok ? compare_get_median(memory, taken) : 0.0;
    subject_destroy(&subject);
    free(memory);
    return ok;
}
