// tools/tenon/history.c: numbers of every step of a run.
#include "tools/tenon/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HISTORY_COLUMNS 8

static void history_get_columns(history *record, double **columns[HISTORY_COLUMNS]) {
    double **all[HISTORY_COLUMNS] = {
        &record->time,  &record->kinetic,      &record->potential,     &record->elastic,
        &record->total, &record->linear_error, &record->angular_error, &record->step_ms};
    memcpy(columns, all, sizeof all);
}

static bool history_grow(history *record) {
    if (record->count < record->capacity) {
        return true;
    }
    size_t capacity = 2 * record->capacity + 256;
    double **columns[HISTORY_COLUMNS];
    history_get_columns(record, columns);
    for (uint32_t i = 0; i < HISTORY_COLUMNS; i++) {
        double *larger = realloc(*columns[i], capacity * sizeof(double));
        if (larger == NULL) {
            return false;
        }
        *columns[i] = larger;
    }
    record->capacity = capacity;
    return true;
}

static void history_note_worst(history *record, const run_subject *subject, const tn_telemetry *t) {
    if (t->worst_joint_linear > record->worst_linear) {
        record->worst_linear = t->worst_joint_linear;
        snprintf(record->worst_linear_joint, CASE_NAME_SIZE, "%s",
                 subject_get_joint_name(subject, t->worst_linear_joint));
    }
    if (t->worst_joint_angular > record->worst_angular) {
        record->worst_angular = t->worst_joint_angular;
        snprintf(record->worst_angular_joint, CASE_NAME_SIZE, "%s",
                 subject_get_joint_name(subject, t->worst_angular_joint));
    }
    if (t->deepest_penetration > record->deepest_penetration) {
        record->deepest_penetration = t->deepest_penetration;
    }
}

static uint32_t history_larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static void history_note_most(tn_telemetry *most, const tn_telemetry *t) {
    most->awake_bodies = history_larger(most->awake_bodies, t->awake_bodies);
    most->contacts = history_larger(most->contacts, t->contacts);
    most->manifolds = history_larger(most->manifolds, t->manifolds);
    most->points = history_larger(most->points, t->points);
    most->joints = history_larger(most->joints, t->joints);
    most->rows = history_larger(most->rows, t->rows);
    most->islands = history_larger(most->islands, t->islands);
    most->bytes = t->bytes > most->bytes ? t->bytes : most->bytes;
    most->reports = t->reports;
}

// False when memory cannot be had.
static bool history_note_mechanisms(history *record, const run_subject *subject) {
    const tn_world *world = subject->world;
    uint32_t count = tn_world_get_mechanisms(world, NULL, 0);
    if (count > record->mechanism_capacity) {
        tn_mechanism_info *larger = realloc(record->mechanisms, count * sizeof *larger);
        if (larger == NULL) {
            return false;
        }
        record->mechanisms = larger;
        record->mechanism_capacity = count;
    }
    tn_world_get_mechanisms(world, record->mechanisms, count);
    bool has_failed = false, has_refused = false;
    for (uint32_t i = 0; i < count; i++) {
        const tn_mechanism_info *info = &record->mechanisms[i];
        has_refused = has_refused || info->refusals > 0;
        if (info->failures > 0) {
            has_failed = true;
            snprintf(record->failed_joint, CASE_NAME_SIZE, "%s",
                     subject_get_joint_name(subject, info->worst_linear_joint));
        }
    }
    record->failed += has_failed ? 1 : 0;
    record->refused += has_refused ? 1 : 0;
    return true;
}

bool history_add(history *record, const run_subject *subject, double time, double step_ms) {
    if (!history_grow(record) || !history_note_mechanisms(record, subject)) {
        return false;
    }
    tn_telemetry telemetry = tn_world_get_telemetry(subject->world);
    tn_energy energy = tn_world_get_energy(subject->world);
    size_t i = record->count;
    record->time[i] = time;
    record->kinetic[i] = energy.kinetic;
    record->potential[i] = energy.potential;
    record->elastic[i] = energy.elastic;
    record->total[i] = energy.kinetic + energy.potential + energy.elastic;
    record->linear_error[i] = telemetry.worst_joint_linear;
    record->angular_error[i] = telemetry.worst_joint_angular;
    record->step_ms[i] = step_ms;
    record->count += 1;
    record->unmet += telemetry.meets_tolerance ? 0 : 1;
    history_note_worst(record, subject, &telemetry);
    history_note_most(&record->most, &telemetry);
    return true;
}

void history_destroy(history *record) {
    double **columns[HISTORY_COLUMNS];
    history_get_columns(record, columns);
    for (uint32_t i = 0; i < HISTORY_COLUMNS; i++) {
        free(*columns[i]);
    }
    free(record->mechanisms);
    memset(record, 0, sizeof *record);
}

static int history_compare(const void *a, const void *b) {
    double p = *(const double *)a;
    double q = *(const double *)b;
    return (p > q) - (p < q);
}

history_times history_get_times(const history *record) {
    history_times times = {0.0, 0.0, 0.0};
    if (record->count < 2) {
        return times;
    }
    size_t count = record->count - 1; // the first entry is the start, which no step made
    double *sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL) {
        return times;
    }
    memcpy(sorted, record->step_ms + 1, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, history_compare);
    for (size_t i = 0; i < count; i++) {
        times.mean += sorted[i] / (double)count;
    }
    times.p95 = sorted[(size_t)(0.95 * (double)(count - 1))];
    times.max = sorted[count - 1];
    free(sorted);
    return times;
}
