// tools/tenon/rates.c: runs scenes at two step rates and lists the figures that change.
//
// The result of a scene is the figures that it measures itself. A figure changes when its values
// differ by more than RATES_SHARE of the larger one, and by more than RATES_FLOOR of what the scene
// has of that unit: its size for metres, its time for seconds, a turn for angles, its weight for
// newtons, the work that was done for joules, and 1 for figures without a unit. The floor leaves
// out errors that are small at either rate.
#define _POSIX_C_SOURCE 200809L // isatty
#include "tools/tenon/rates.h"

#include "scenes/build.h"
#include "tools/tenon/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RATES_SHARE 0.05
#define RATES_FLOOR 0.005

// What a scene has of each unit.
typedef struct rates_scale {
    double size, time, weight, work; // m, s, N, J
} rates_scale;

typedef struct rates_result {
    scene_figure figures[SCENE_MAX_FIGURES];
    uint32_t count;
    rates_scale scale;
} rates_result;

// ---- running -----------------------------------------------------------------------------------

static double rates_find_size(const scene_run *run) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0; i < run->start_count; i++) {
        tn_vec3 from = run->starts[i].center, to = from;
        if (tn_body_is_valid(run->world, run->starts[i].body)) {
            to = tn_body_get_center(run->world, run->starts[i].body);
        }
        const double ends[2][3] = {{from.x, from.y, from.z}, {to.x, to.y, to.z}};
        for (int k = 0; k < 6; k++) {
            low[k % 3] = fmin(low[k % 3], ends[k / 3][k % 3]);
            high[k % 3] = fmax(high[k % 3], ends[k / 3][k % 3]);
        }
    }
    double x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return run->start_count > 0 ? sqrt(x * x + y * y + z * z) : 0.0;
}

static rates_scale rates_find_scale(const scene_run *run) {
    rates_scale scale = {.size = rates_find_size(run), .time = tn_world_get_time(run->world)};
    for (uint32_t i = 0; i < run->start_count; i++) {
        if (tn_body_is_valid(run->world, run->starts[i].body)) {
            scale.weight += BUILD_GRAVITY * tn_body_get_mass(run->world, run->starts[i].body).mass;
        }
    }
    tn_energy e = tn_world_get_energy(run->world);
    scale.work = e.kinetic + fabs(e.gravity_work) + fabs(e.motor_work) + fabs(e.spring_work) +
                 fabs(e.force_work) + fabs(e.joint_work) + fabs(e.friction_work) +
                 fabs(e.impact_work);
    return scale;
}

static void rates_show_progress(const char *name, double rate, uint32_t step, uint32_t steps) {
    if (isatty(fileno(stderr)) && (step % 64 == 0 || step == steps)) {
        fprintf(stderr, "\r%s: %g Hz, %.0f %%%20s\r", name, rate, 100.0 * step / steps, "");
        fflush(stderr);
    }
}

// The figures that the scene has of its own at its end.
static bool rates_run(const run_options *options, const scene *kind, double rate, rates_result *out,
                      char *error) {
    tn_world_def def = tn_world_def_default();
    def.has_energy_ledger = true;
    def.worker_count = options->workers;
    scene_run *run = run_options_build(options, kind, &def, error);
    if (run == NULL) {
        return false;
    }
    double time = options->time > 0.0 ? options->time : kind->time;
    uint32_t steps = (uint32_t)ceil(time * rate - 1e-6);
    bool is_good = true;
    for (uint32_t i = 1; i <= steps && is_good; i++) {
        is_good = scene_run_step(run, 1.0 / rate, options->substeps) == TN_RESULT_OK;
        rates_show_progress(kind->name, rate, i, steps);
    }
    if (is_good) {
        scene_run_measure(run);
        out->count = run->own_count;
        memcpy(out->figures, run->figures, sizeof out->figures);
        out->scale = rates_find_scale(run);
    } else {
        snprintf(error, OPTIONS_ERROR_SIZE, "%s: a step failed at %g Hz", kind->name, rate);
    }
    scene_run_destroy(run);
    return is_good;
}

// ---- comparing ---------------------------------------------------------------------------------

// What the scene has of the unit that a figure's name ends with.
static double rates_get_scale(const rates_scale *scale, const char *name) {
    const struct {
        const char *ending;
        double value;
    } units[] = {
        {"_m", scale->size}, {"_mm", 1e3 * scale->size},
        {"_s", scale->time}, {"_rad", 2.0 * BUILD_PI},
        {"_deg", 360.0},     {"_N", scale->weight},
        {"_J", scale->work}, {"_j", scale->work},
    };
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t ending = strlen(units[i].ending);
        if (length > ending && strcmp(name + length - ending, units[i].ending) == 0) {
            return units[i].value;
        }
    }
    return 1.0;
}

static const scene_figure *rates_find(const rates_result *result, const char *name) {
    for (uint32_t i = 0; i < result->count; i++) {
        if (strcmp(result->figures[i].name, name) == 0) {
            return &result->figures[i];
        }
    }
    return NULL;
}

static void rates_print_line(const char *scene_name, const char *figure, const double values[2],
                             double change) {
    char cells[2][24];
    for (int i = 0; i < 2; i++) {
        snprintf(cells[i], sizeof cells[i], isfinite(values[i]) ? "%.5g" : "-", values[i]);
    }
    printf("%-20s %-28s %12s %12s ", scene_name, figure, cells[0], cells[1]);
    if (isfinite(change)) {
        printf("%6.0f %%\n", 100.0 * change);
    } else {
        printf("%8s\n", "-");
    }
    fflush(stdout);
}

// Returns true, and prints a line, when the figure changes or is told at one rate alone.
static bool rates_compare_figure(const char *scene_name, const rates_result results[2],
                                 const char *name) {
    const scene_figure *a = rates_find(&results[0], name), *b = rates_find(&results[1], name);
    double values[2] = {a != NULL ? a->value : (double)NAN, b != NULL ? b->value : (double)NAN};
    if (a != NULL && b != NULL) {
        double difference = fabs(values[0] - values[1]);
        double larger = fmax(fabs(values[0]), fabs(values[1]));
        double scale = rates_get_scale(&results[1].scale, name);
        if (difference <= RATES_SHARE * larger || difference <= RATES_FLOOR * scale) {
            return false;
        }
        rates_print_line(scene_name, name, values, difference / larger);
        return true;
    }
    rates_print_line(scene_name, name, values, (double)NAN);
    return true;
}

static bool rates_compare(const scene *kind, const rates_result results[2]) {
    bool changes = false;
    for (uint32_t i = 0; i < results[0].count; i++) {
        changes = rates_compare_figure(kind->name, results, results[0].figures[i].name) || changes;
    }
    for (uint32_t i = 0; i < results[1].count; i++) {
        const char *name = results[1].figures[i].name;
        if (rates_find(&results[0], name) == NULL) {
            changes = rates_compare_figure(kind->name, results, name) || changes;
        }
    }
    return changes;
}

static bool rates_list(const run_options *options, const scene *const *scenes, uint32_t count,
                       const double rates[2], char *error) {
    char heads[2][24];
    uint32_t changed = 0;
    for (int i = 0; i < 2; i++) {
        snprintf(heads[i], sizeof heads[i], "%g Hz", rates[i]);
    }
    printf("%-20s %-28s %12s %12s %8s\n", "scene", "figure", heads[0], heads[1], "change");
    for (uint32_t i = 0; i < count; i++) {
        rates_result results[2];
        for (int k = 0; k < 2; k++) {
            if (!rates_run(options, scenes[i], rates[k], &results[k], error)) {
                return false;
            }
        }
        changed += rates_compare(scenes[i], results);
    }
    printf("%u of %u scenes change by more than %g %% between %s and %s\n", (unsigned)changed,
           (unsigned)count, 100.0 * RATES_SHARE, heads[0], heads[1]);
    return true;
}

int rates_command(const run_options *options) {
    double rates[OPTIONS_MAX_RATES];
    uint32_t rate_count = 0, count = 0;
    char error[OPTIONS_ERROR_SIZE] = "";
    const scene *const *scenes = scene_get_all(&count);
    const scene *one = NULL;
    bool is_right = run_options_read_rates(options->rates, rates, &rate_count, error);
    if (is_right && rate_count != 2) {
        snprintf(error, sizeof error, "--hz: expected two numbers above 0 with a comma between");
    } else if (is_right && options->subject != NULL) {
        one = run_options_find_scene(options->subject, error);
        scenes = &one;
        count = 1;
    }
    is_right = error[0] == '\0';
    bool is_good = is_right && rates_list(options, scenes, count, rates, error);
    if (error[0] != '\0') {
        fprintf(stderr, "tenon: %s\n", error);
        // Settings are read when the world is made.
        is_right = is_right && strncmp(error, "--", 2) != 0;
    }
    return is_good ? RUN_EXIT_OK : is_right ? RUN_EXIT_FAILED : RUN_EXIT_WRONG;
}
