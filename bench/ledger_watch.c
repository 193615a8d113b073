// bench/ledger_watch.c: see bench/ledger_watch.h.
#include "bench/ledger_watch.h"

#include <math.h>

static double ledger_sum(const tn_energy *e) {
    return e->gravity_work + e->motor_work + e->spring_work + e->force_work + e->joint_work +
           e->friction_work + e->impact_work + e->damping_work;
}

double ledger_get_missing(const tn_energy *before, const tn_energy *after) {
    return after->kinetic - before->kinetic - (ledger_sum(after) - ledger_sum(before));
}

static double ledger_get_largest(const tn_energy *e) {
    const double numbers[] = {e->kinetic,       e->gravity_work, e->motor_work,
                              e->spring_work,   e->force_work,   e->joint_work,
                              e->friction_work, e->impact_work,  e->damping_work};
    double largest = 0.0;
    for (uint32_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        largest = fmax(largest, fabs(numbers[i]));
    }
    return largest;
}

static bool ledger_step(scene_run *run, ledger_result *result, double dt, uint32_t substeps) {
    if (run->scene->before_step != NULL) {
        run->scene->before_step(run, dt);
    }
    tn_energy before = tn_world_get_energy(run->world);
    if (tn_world_step(run->world, dt, substeps) != TN_RESULT_OK) {
        return false;
    }
    tn_energy after = tn_world_get_energy(run->world);
    double missed = ledger_get_missing(&before, &after);
    result->time += dt;
    result->missing += missed;
    result->off = fmax(result->off, fabs(result->missing));
    result->moved = fmax(result->moved, fmax(before.kinetic, ledger_get_largest(&after)));
    if (!(fabs(missed) <= result->jump)) {
        result->jump = fabs(missed);
        result->when = result->time;
    }
    if (run->scene->after_step != NULL) {
        run->scene->after_step(run, dt);
    }
    return true;
}

ledger_result ledger_watch(const scene *which, const double *values, tn_world_def def,
                           double seconds, double hz, uint32_t substeps) {
    ledger_result result = {0};
    def.has_energy_ledger = true;
    tn_world_def configured = def;
    if (which->configure != NULL) {
        which->configure(values, &configured);
    }
    result.is_counted = configured.dynamics == TN_DYNAMICS_SECOND_ORDER;
    scene_run *run = result.is_counted ? scene_run_create(which, values, &def) : NULL;
    if (run == NULL) {
        return result;
    }
    bool is_ok = true;
    for (uint32_t left = (uint32_t)(seconds * hz + 0.5); left > 0 && is_ok; left--) {
        is_ok = ledger_step(run, &result, 1.0 / hz, substeps);
    }
    bool is_sound = is_ok && isfinite(result.missing);
    result.share = !is_sound ? HUGE_VAL : result.moved > 0.0 ? result.off / result.moved : 0.0;
    scene_run_destroy(run);
    return result;
}
