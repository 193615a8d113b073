// tools/tenon/compare.c: the methods, and the command that runs them all.
#include "tools/tenon/compare.h"

#include "tools/tenon/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPARE_INTEGRATOR(name, mode)                                                             \
    TN_SOLVER_DIRECT, TN_INTEGRATOR_##name, TN_STABILIZATION_MODE_##mode

static const compare_method compare_methods[] = {
    {"penalty", COMPARE_INTEGRATOR(PENALTY, AUTO), false, true},
    {"acceleration: explicit Euler", COMPARE_INTEGRATOR(EXPLICIT_EULER, NONE), false, true},
    {"acceleration: explicit Euler, feedback", COMPARE_INTEGRATOR(EXPLICIT_EULER, FEEDBACK), false,
     false},
    {"acceleration: symplectic Euler", COMPARE_INTEGRATOR(SYMPLECTIC_EULER, NONE), false, false},
    {"acceleration: symplectic Euler, feedback", COMPARE_INTEGRATOR(SYMPLECTIC_EULER, FEEDBACK),
     false, false},
    {"acceleration: RK4", COMPARE_INTEGRATOR(RK4, NONE), false, true},
    {"acceleration: RK4, feedback", COMPARE_INTEGRATOR(RK4, FEEDBACK), false, true},
    {"acceleration: RK4, projected after", COMPARE_INTEGRATOR(RK4, PROJECT_AFTER), false, true},
    {"reduced coordinates: RK4", COMPARE_INTEGRATOR(AUTO, AUTO), true, true},
    {"velocities: Euler", COMPARE_INTEGRATOR(EULER, NONE), false, false},
    {"velocities: Euler, Baumgarte", COMPARE_INTEGRATOR(EULER, FEEDBACK), false, true},
    {"velocities: Euler, projected before", COMPARE_INTEGRATOR(EULER, PROJECT_BEFORE), false,
     false},
    {"velocities: Euler, projected after", COMPARE_INTEGRATOR(EULER, PROJECT_AFTER), false, true},
    {"RATTLE", COMPARE_INTEGRATOR(RATTLE, AUTO), false, true},
    {"Gauss-Seidel", TN_SOLVER_PGS, TN_INTEGRATOR_AUTO, TN_STABILIZATION_MODE_AUTO, false, true},
    {"conjugate gradients", TN_SOLVER_CG, TN_INTEGRATOR_AUTO, TN_STABILIZATION_MODE_AUTO, false,
     true},
    {"direct (implicit midpoint)", COMPARE_INTEGRATOR(AUTO, AUTO), false, true},
};

#define COMPARE_METHODS (sizeof compare_methods / sizeof compare_methods[0])
_Static_assert(COMPARE_METHODS <= COMPARE_MAX_METHODS, "a sheet holds every method");

static bool compare_fill_sheet(const compare_setup *setup, double rate, compare_sheet *sheet,
                               char *error) {
    bool ok = compare_reference_init(&sheet->reference, setup, rate, error);
    while (ok && sheet->result_count < COMPARE_METHODS) {
        uint32_t i = sheet->result_count;
        ok = compare_run(setup, &sheet->reference, &compare_methods[i], &sheet->results[i], error);
        sheet->result_count += 1;
    }
    compare_reference_release(&sheet->reference);
    return ok;
}

static bool compare_at_rates(const compare_setup *setup, const double *rates, uint32_t count,
                             char *error) {
    compare_sheet *sheets = calloc(count, sizeof *sheets);
    if (sheets == NULL) {
        snprintf(error, OPTIONS_ERROR_SIZE, "not enough memory");
        return false;
    }
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++) {
        ok = compare_fill_sheet(setup, rates[i], &sheets[i], error);
    }
    if (ok) {
        compare_print(setup, sheets, count);
    }
    const char *path = setup->options->plot;
    if (ok && path != NULL && !compare_save_plot(setup, sheets, count, path)) {
        snprintf(error, OPTIONS_ERROR_SIZE, "%s: cannot be written", path);
        ok = false;
    }
    free(sheets);
    return ok;
}

static bool compare_find_subject(compare_setup *setup, char *error) {
    const char *name = setup->options->subject;
    if (!run_looks_like_file(name)) {
        setup->scene = run_options_find_scene(name, error);
        setup->name = setup->scene != NULL ? setup->scene->name : "";
        return setup->scene != NULL;
    }
    setup->file = case_file_load(name, error);
    setup->name = setup->file != NULL ? setup->file->name : "";
    return setup->file != NULL;
}

int compare_command(const run_options *options) {
    compare_setup setup = {.options = options};
    double rates[OPTIONS_MAX_RATES];
    uint32_t rate_count = 0;
    char error[OPTIONS_ERROR_SIZE] = "";
    bool is_right = run_options_read_rates(options->rates, rates, &rate_count, error) &&
                    compare_find_subject(&setup, error);
    bool ok = is_right && compare_at_rates(&setup, rates, rate_count, error);
    if (error[0] != '\0') {
        fprintf(stderr, "tenon: %s\n", error);
        // Settings are read when the world is made.
        is_right = is_right && strncmp(error, "--", 2) != 0;
    }
    case_file_destroy(setup.file);
    return !is_right ? RUN_EXIT_WRONG : ok ? RUN_EXIT_OK : RUN_EXIT_FAILED;
}
