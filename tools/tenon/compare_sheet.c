// tools/tenon/compare_sheet.c: what the methods came to, as tables and as a plot.
#include "tools/tenon/compare.h"

#include "tools/plot/plot.h"

#include <math.h>
#include <stdio.h>

#define SHEET_FLOOR 1e-16 // m: what a plot shows of an error that is none

// ---- table -------------------------------------------------------------------------------------

// What the costs are measured against: Gauss-Seidel's.
static double sheet_get_unit(const compare_sheet *sheet) {
    double unit = 0.0;
    for (uint32_t i = 0; i < sheet->result_count; i++) {
        const compare_result *result = &sheet->results[i];
        bool is_unit = result->method->solver == TN_SOLVER_PGS;
        unit = is_unit && result->status == COMPARE_STATUS_OK ? result->step_us : unit;
    }
    return unit;
}

static void sheet_print_result(const compare_result *result, double unit) {
    const compare_errors *most = &result->most;
    double cost = unit > 0.0 ? result->step_us / unit : 0.0;
    printf("| %-40s | ", result->method->name);
    switch (result->status) {
    case COMPARE_STATUS_REFUSED:
        printf("refused: there is more than rigid joints | | | | | |");
        break;
    case COMPARE_STATUS_UNKNOWN:
        printf("no closed form is known | | | | | |");
        break;
    case COMPARE_STATUS_EXPLODED:
        printf("explodes at %.2f s | | | | %.1f | %.1f |", result->exploded_at, result->step_us,
               cost);
        break;
    case COMPARE_STATUS_OK:
        printf("%.2g | %.2g | %.2g | %.2g | %.1f | %.1f |", most->drift, 100.0 * result->energy_end,
               100.0 * most->energy, most->path, result->step_us, cost);
        break;
    }
    if (result->refused > 0) {
        printf(" refused in %u steps", (unsigned)result->refused);
    }
    printf("\n");
}

void compare_print(const compare_setup *setup, const compare_sheet *sheet) {
    const compare_reference *reference = &sheet->reference;
    uint32_t substeps = setup->options->substeps;
    printf("%s, %g s in steps of 1/%g s", setup->name, reference->steps / reference->rate,
           reference->rate);
    if (substeps > 1) {
        printf(" of %u substeps", (unsigned)substeps);
    }
    printf("; against %s\n\n", reference->name);
    printf("| %-40s | gap m | energy %% | most %% | path m | us | cost |\n", "method");
    printf("|---|---|---|---|---|---|---|\n");
    double unit = sheet_get_unit(sheet);
    for (uint32_t i = 0; i < sheet->result_count; i++) {
        sheet_print_result(&sheet->results[i], unit);
    }
    printf("\n");
}

// ---- plot --------------------------------------------------------------------------------------

typedef enum sheet_quantity {
    SHEET_QUANTITY_DRIFT = 0,
    SHEET_QUANTITY_ENERGY,
    SHEET_QUANTITY_PATH,
    SHEET_QUANTITIES,
} sheet_quantity;

static const char *const sheet_titles[SHEET_QUANTITIES] = {
    "largest joint gap", "largest error of the energy over the largest kinetic energy",
    "largest distance from the reference path"};
static const char *const sheet_units[SHEET_QUANTITIES] = {"m", "share", "m"};

// Colours go by the order of the lines: every panel has the same ones.
static bool sheet_is_plotted(const compare_result *result) {
    bool has_run = result->status == COMPARE_STATUS_OK || result->status == COMPARE_STATUS_EXPLODED;
    return has_run && result->method->is_plotted;
}

// On a logarithmic axis nothing lies at the floor, so that its line can be seen.
static double sheet_get_error(const compare_errors *errors, sheet_quantity quantity) {
    double values[SHEET_QUANTITIES] = {errors->drift, errors->energy, errors->path};
    return fmax(values[quantity], SHEET_FLOOR);
}

// Of one sheet: the errors over time.
static void sheet_plot_over_time(plot_figure *figure, const compare_sheet *sheet,
                                 sheet_quantity quantity) {
    plot_panel *panel =
        plot_figure_add_panel(figure, sheet_titles[quantity], "t [s]", sheet_units[quantity]);
    plot_panel_set_log(panel, false, true);
    for (uint32_t i = 0; i < sheet->result_count; i++) {
        const compare_result *result = &sheet->results[i];
        double values[COMPARE_MAX_POINTS];
        for (uint32_t k = 0; k < result->point_count; k++) {
            values[k] = sheet_get_error(&result->curve[k], quantity);
        }
        if (sheet_is_plotted(result)) {
            plot_panel_add_series(panel, result->method->name, result->time, values,
                                  result->point_count);
        }
    }
}

// Of several: the errors over something of each sheet. What exploded is left out.
static void sheet_plot_points(plot_panel *panel, const compare_sheet *sheets, uint32_t count,
                              sheet_quantity quantity, bool is_over_cost) {
    plot_panel_set_log(panel, true, true);
    for (uint32_t i = 0; i < sheets[0].result_count; i++) {
        double at[OPTIONS_MAX_RATES], values[OPTIONS_MAX_RATES];
        for (uint32_t k = 0; k < count; k++) {
            const compare_result *result = &sheets[k].results[i];
            bool is_ok = result->status == COMPARE_STATUS_OK;
            double rate = sheets[k].reference.rate;
            // What a second of motion costs, in ms of the machine.
            at[k] = is_over_cost ? 1e-3 * result->step_us * rate : 1.0 / rate;
            values[k] = is_ok ? sheet_get_error(&result->most, quantity) : (double)NAN;
        }
        if (sheet_is_plotted(&sheets[0].results[i])) {
            plot_panel_add_points(panel, sheets[0].results[i].method->name, at, values, count);
        }
    }
}

bool compare_save_plot(const compare_setup *setup, const compare_sheet *sheets, uint32_t count,
                       const char *path) {
    char title[256];
    snprintf(title, sizeof title, "%s, %g s", setup->name,
             sheets[0].reference.steps / sheets[0].reference.rate);
    if (count == 1) {
        snprintf(title, sizeof title, "%s, steps of 1/%g s", setup->name,
                 sheets[0].reference.rate * setup->options->substeps);
    }
    plot_figure *figure = plot_figure_create(title);
    plot_figure_set_size(figure, 860.0, 280.0);
    plot_figure_share_legend(figure);
    for (int i = 0; i < SHEET_QUANTITIES; i++) {
        sheet_quantity quantity = (sheet_quantity)i;
        if (count == 1) {
            sheet_plot_over_time(figure, &sheets[0], quantity);
            continue;
        }
        plot_panel *panel =
            plot_figure_add_panel(figure, sheet_titles[i], "step [s]", sheet_units[i]);
        sheet_plot_points(panel, sheets, count, quantity, false);
    }
    plot_panel *panel =
        plot_figure_add_panel(figure, "largest distance from the reference path, over the cost",
                              "ms of computing for a second of motion", "m");
    sheet_plot_points(panel, sheets, count, SHEET_QUANTITY_PATH, true);
    bool saved = plot_figure_save(figure, path);
    plot_figure_destroy(figure);
    return saved;
}
