// tools/tenon/summary.c: settings, figures, joint error, mechanisms, energy ledger, counts and
// times of a run.
#include "tools/tenon/summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct summary_line {
    const char *name;
    double value;
} summary_line;

#define SUMMARY_LEDGER_LINES 8

static void summary_get_ledger(const tn_energy *energy, summary_line lines[SUMMARY_LEDGER_LINES]) {
    const summary_line all[SUMMARY_LEDGER_LINES] = {
        {"gravity", energy->gravity_work}, {"motors", energy->motor_work},
        {"springs", energy->spring_work},  {"forces", energy->force_work},
        {"joints", energy->joint_work},    {"friction", energy->friction_work},
        {"impacts", energy->impact_work},  {"damping", energy->damping_work},
    };
    for (uint32_t i = 0; i < SUMMARY_LEDGER_LINES; i++) {
        lines[i] = all[i];
    }
}

static void summary_print_ledger(const run_summary *summary) {
    tn_energy energy = tn_world_get_energy(summary->subject->world);
    summary_line lines[SUMMARY_LEDGER_LINES];
    summary_get_ledger(&energy, lines);
    printf("  energy at the end: kinetic %.6g J, potential %.6g J, elastic %.6g J\n",
           energy.kinetic, energy.potential, energy.elastic);
    const char *between = "  work done: ";
    for (uint32_t i = 0; i < SUMMARY_LEDGER_LINES; i++) {
        if (lines[i].value != 0.0) {
            printf("%s%s %.6g J", between, lines[i].name, lines[i].value);
            between = ", ";
        }
    }
    printf("%s", strcmp(between, ", ") == 0 ? "\n" : "");
}

// The mechanisms of the last step. Null, with a count of 0, when there are none.
static tn_mechanism_info *summary_get_mechanisms(const tn_world *world, uint32_t *out_count) {
    uint32_t count = tn_world_get_mechanisms(world, NULL, 0);
    tn_mechanism_info *all = count > 0 ? malloc(count * sizeof *all) : NULL;
    *out_count = all != NULL ? tn_world_get_mechanisms(world, all, count) : 0;
    return all;
}

static void summary_print_tolerance(const run_summary *summary) {
    const history *record = summary->record;
    double tolerance = summary->options->tolerance;
    if (tolerance > 0.0 && record->unmet == 0) {
        printf("  joint tolerance of %g m: met\n", tolerance);
    } else if (tolerance > 0.0) {
        printf("  joint tolerance of %g m: not met after %zu of %u steps\n", tolerance,
               record->unmet, (unsigned)summary->steps);
    }
}

static void summary_print_mechanisms(const run_summary *summary) {
    uint32_t count, coupled = 0, alternating = 0, rows = 0, dependent_rows = 0;
    uint32_t fighting_joints = 0;
    tn_joint_id dependent = {0}, fighting = {0};
    tn_mechanism_info *all = summary_get_mechanisms(summary->subject->world, &count);
    for (uint32_t i = 0; i < count; i++) {
        coupled += all[i].method == TN_MECHANISM_METHOD_PGS_CLOSED;
        alternating += all[i].method == TN_MECHANISM_METHOD_ALTERNATING;
        rows += all[i].rows;
        dependent_rows += all[i].dependent_rows;
        dependent = dependent.value == 0 ? all[i].dependent_joint : dependent;
        fighting_joints += all[i].fighting_joints;
        fighting = fighting.value == 0 ? all[i].fighting_joint : fighting;
    }
    free(all);
    if (summary->record->failed > 0) {
        printf("  steps in which a mechanism failed: %zu (%s)\n", summary->record->failed,
               summary->record->failed_joint);
    }
    if (summary->record->refused > 0) {
        printf(
            "  steps in which the integrator was refused: %zu (contacts, limits, motors, springs "
            "or friction, or no solution)\n",
            summary->record->refused);
    }
    if (count == 0) {
        return;
    }
    printf("  mechanisms at the end: %u (%u coupled", (unsigned)count, (unsigned)coupled);
    if (alternating > 0) {
        printf(", %u alternating with sweeps", (unsigned)alternating);
    }
    printf("), %u rows", (unsigned)rows);
    if (dependent.value != 0) {
        printf(", %u of them dependent (%s)", (unsigned)dependent_rows,
               subject_get_joint_name(summary->subject, dependent));
    }
    if (fighting.value != 0) {
        printf(", %u joints fight (%s)", (unsigned)fighting_joints,
               subject_get_joint_name(summary->subject, fighting));
    }
    printf("\n");
}

void summary_print(const run_summary *summary) {
    const run_options *options = summary->options;
    const history *record = summary->record;
    printf("%s: %u steps of 1/%g s in %u substeps\n", summary->subject->name,
           (unsigned)summary->steps, options->hz, (unsigned)options->substeps);
    for (uint32_t i = 0; i < summary->figure_count; i++) {
        const run_figure *figure = &summary->figures[i];
        printf("  %s%s%-28s %.9g\n", figure->scenario, figure->scenario[0] != '\0' ? " " : "",
               figure->name, figure->value);
    }
    if (record->most.joints > 0) {
        printf("  worst joint error: %.3g m (%s), %.3g rad (%s)\n", record->worst_linear,
               record->worst_linear_joint[0] != '\0' ? record->worst_linear_joint : "none",
               record->worst_angular,
               record->worst_angular_joint[0] != '\0' ? record->worst_angular_joint : "none");
    }
    summary_print_tolerance(summary);
    summary_print_mechanisms(summary);
    if (record->most.points > 0) {
        printf("  deepest penetration: %.3g m\n", record->deepest_penetration);
    }
    summary_print_ledger(summary);
    history_times times = history_get_times(record);
    printf("  ms per step: %.4g mean, %.4g at 95 %%, %.4g max\n", times.mean, times.p95, times.max);
    printf("  state hash: %016" PRIx64 "\n", summary->hash);
}

// JSON has no way to write what is not finite: null stands for it.
static void summary_add_number(cJSON *object, const char *name, double value) {
    if (isfinite(value)) {
        cJSON_AddNumberToObject(object, name, value);
    } else {
        cJSON_AddNullToObject(object, name);
    }
}

static void summary_add_solver(cJSON *settings, const tn_world *world) {
    tn_stabilization_mode mode = tn_world_get_stabilization(world).mode;
    cJSON_AddStringToObject(settings, "solver",
                            run_options_get_solver_name(tn_world_get_solver(world)));
    cJSON_AddStringToObject(settings, "integrator",
                            run_options_get_integrator_name(tn_world_get_integrator(world)));
    cJSON_AddStringToObject(settings, "stabilization", run_options_get_stabilization_name(mode));
}

static void summary_add_settings(cJSON *root, const run_summary *summary) {
    const run_options *options = summary->options;
    cJSON *settings = cJSON_AddObjectToObject(root, "settings");
    cJSON_AddNumberToObject(settings, "hz", options->hz);
    cJSON_AddNumberToObject(settings, "substeps", options->substeps);
    cJSON_AddNumberToObject(settings, "workers", options->workers);
    cJSON_AddNumberToObject(settings, "steps", summary->steps);
    summary_add_solver(settings, summary->subject->world);
    cJSON_AddNumberToObject(settings, "time_s", summary->steps / options->hz);
    if (options->tolerance > 0.0) {
        cJSON_AddNumberToObject(settings, "tolerance_m", options->tolerance);
    }
    cJSON *set = cJSON_AddArrayToObject(settings, "set");
    for (uint32_t i = 0; i < options->setting_count; i++) {
        cJSON_AddItemToArray(set, cJSON_CreateString(options->settings[i]));
    }
}

static void summary_add_figures(cJSON *root, const run_summary *summary) {
    cJSON *figures = cJSON_AddObjectToObject(root, "figures");
    for (uint32_t i = 0; i < summary->figure_count; i++) {
        const run_figure *figure = &summary->figures[i];
        char name[2 * CASE_NAME_SIZE + 2];
        snprintf(name, sizeof name, "%s%s%s", figure->scenario,
                 figure->scenario[0] != '\0' ? "." : "", figure->name);
        summary_add_number(figures, name, figure->value);
    }
}

// Joints_met is null when no tolerance was asked for.
static void summary_add_errors(cJSON *root, const run_summary *summary) {
    const history *record = summary->record;
    cJSON *errors = cJSON_AddObjectToObject(root, "joint_error");
    summary_add_number(errors, "worst_linear_m", record->worst_linear);
    cJSON_AddStringToObject(errors, "worst_linear_joint", record->worst_linear_joint);
    summary_add_number(errors, "worst_angular_rad", record->worst_angular);
    cJSON_AddStringToObject(errors, "worst_angular_joint", record->worst_angular_joint);
    if (summary->options->tolerance > 0.0) {
        cJSON_AddBoolToObject(root, "meets_tolerance", record->unmet == 0);
        cJSON_AddNumberToObject(root, "steps_not_met", (double)record->unmet);
    } else {
        cJSON_AddNullToObject(root, "meets_tolerance");
    }
    summary_add_number(root, "deepest_penetration_m", record->deepest_penetration);
}

static void summary_add_joint(cJSON *object, const char *name, const run_subject *subject,
                              tn_joint_id joint) {
    const char *text = joint.value != 0 ? subject_get_joint_name(subject, joint) : "";
    cJSON_AddStringToObject(object, name, text);
}

static void summary_add_mechanism(cJSON *array, const run_subject *subject,
                                  const tn_mechanism_info *info) {
    // In the order of tn_mechanism_method.
    static const char *const methods[] = {"direct", "coupled", "cg", "pgs", "alternating"};
    // In the order of tn_mechanism_reason.
    static const char *const reasons[] = {"asked",     "masses",   "loops",  "hung",
                                          "tolerance", "chain",    "opened", "light",
                                          "dear",      "contacts", "failed"};
    cJSON *out = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "method", methods[info->method]);
    cJSON_AddStringToObject(out, "reason", reasons[info->reason]);
    cJSON_AddStringToObject(out, "integrator", run_options_get_integrator_name(info->integrator));
    cJSON_AddNumberToObject(out, "refusals", info->refusals);
    cJSON_AddNumberToObject(out, "bodies", info->bodies);
    cJSON_AddNumberToObject(out, "joints", info->joints);
    cJSON_AddNumberToObject(out, "rows", info->rows);
    cJSON_AddNumberToObject(out, "dependent_rows", info->dependent_rows);
    summary_add_joint(out, "dependent_joint", subject, info->dependent_joint);
    cJSON_AddNumberToObject(out, "fighting_joints", info->fighting_joints);
    summary_add_joint(out, "fighting_joint", subject, info->fighting_joint);
    cJSON_AddNumberToObject(out, "fill", info->fill);
    cJSON_AddNumberToObject(out, "stages", info->stages);
    cJSON_AddNumberToObject(out, "iterations", info->iterations);
    cJSON_AddNumberToObject(out, "splits", info->splits);
    cJSON_AddNumberToObject(out, "failures", info->failures);
    summary_add_number(out, "worst_linear_m", info->worst_joint_linear);
    summary_add_joint(out, "worst_linear_joint", subject, info->worst_linear_joint);
    summary_add_number(out, "worst_angular_rad", info->worst_joint_angular);
    summary_add_joint(out, "worst_angular_joint", subject, info->worst_angular_joint);
    summary_add_number(out, "solve_ms", info->solve_ms);
    cJSON_AddItemToArray(array, out);
}

// Those of the last step, and in how many steps of the run one failed or refused the integrator.
static void summary_add_mechanisms(cJSON *root, const run_summary *summary) {
    const run_subject *subject = summary->subject;
    uint32_t count;
    tn_mechanism_info *all = summary_get_mechanisms(subject->world, &count);
    cJSON *mechanisms = cJSON_AddArrayToObject(root, "mechanisms");
    for (uint32_t i = 0; i < count; i++) {
        summary_add_mechanism(mechanisms, subject, &all[i]);
    }
    free(all);
    cJSON_AddNumberToObject(root, "steps_failed", (double)summary->record->failed);
    cJSON_AddNumberToObject(root, "steps_refused", (double)summary->record->refused);
}

static void summary_add_energy(cJSON *root, const run_summary *summary) {
    tn_energy energy = tn_world_get_energy(summary->subject->world);
    cJSON *out = cJSON_AddObjectToObject(root, "energy");
    summary_add_number(out, "kinetic_J", energy.kinetic);
    summary_add_number(out, "potential_J", energy.potential);
    summary_add_number(out, "elastic_J", energy.elastic);
    if (summary->record->count > 0) {
        summary_add_number(out, "sum_at_start_J", summary->record->total[0]);
    }
    cJSON *work = cJSON_AddObjectToObject(out, "work_J");
    summary_line lines[SUMMARY_LEDGER_LINES];
    summary_get_ledger(&energy, lines);
    for (uint32_t i = 0; i < SUMMARY_LEDGER_LINES; i++) {
        summary_add_number(work, lines[i].name, lines[i].value);
    }
}

static void summary_add_counts(cJSON *root, const history *record) {
    const tn_telemetry *most = &record->most;
    cJSON *counts = cJSON_AddObjectToObject(root, "most");
    cJSON_AddNumberToObject(counts, "awake_bodies", most->awake_bodies);
    cJSON_AddNumberToObject(counts, "contacts", most->contacts);
    cJSON_AddNumberToObject(counts, "manifolds", most->manifolds);
    cJSON_AddNumberToObject(counts, "points", most->points);
    cJSON_AddNumberToObject(counts, "joints", most->joints);
    cJSON_AddNumberToObject(counts, "rows", most->rows);
    cJSON_AddNumberToObject(counts, "islands", most->islands);
    cJSON_AddNumberToObject(counts, "bytes", (double)most->bytes);
    cJSON_AddNumberToObject(root, "reports", (double)most->reports);
}

bool summary_save(const run_summary *summary, const char *path) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "name", summary->subject->name);
    summary_add_settings(root, summary);
    summary_add_figures(root, summary);
    summary_add_errors(root, summary);
    summary_add_mechanisms(root, summary);
    summary_add_energy(root, summary);
    summary_add_counts(root, summary->record);
    history_times times = history_get_times(summary->record);
    cJSON *ms = cJSON_AddObjectToObject(root, "step_ms");
    summary_add_number(ms, "mean", times.mean);
    summary_add_number(ms, "p95", times.p95);
    summary_add_number(ms, "max", times.max);
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, summary->hash);
    cJSON_AddStringToObject(root, "state_hash", hash);
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    FILE *file = text != NULL ? fopen(path, "w") : NULL;
    bool saved = file != NULL && fputs(text, file) >= 0 && fputc('\n', file) != EOF;
    saved = file != NULL && fclose(file) == 0 && saved;
    free(text);
    return saved;
}
