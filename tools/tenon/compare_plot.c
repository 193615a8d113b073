// tools/tenon/compare_plot.c: what the methods came to, drawn: at one rate over time, at several
// over the step; and in any case over what it cost.
#include "tools/tenon/compare.h"

#include "tools/plot/plot.h"

#include <math.h>
#include <stdio.h>

#define CHART_FLOOR 1e-16 // m: what a plot shows of an error that is none

typedef enum chart_quantity {
    CHART_QUANTITY_DRIFT = 0,
    CHART_QUANTITY_ENERGY,
    CHART_QUANTITY_PATH,
    CHART_QUANTITIES,
} chart_quantity;

static const char *const chart_titles[CHART_QUANTITIES] = {
    "largest joint gap", "largest error of the energy over the largest kinetic energy",
    "largest distance from the reference path"};
static const char *const chart_units[CHART_QUANTITIES] = {"m", "share", "m"};

// Colours go by the order of the lines: every panel has the same ones.
static bool chart_has(const compare_result *result) {
    bool has_run = result->status == COMPARE_STATUS_OK || result->status == COMPARE_STATUS_EXPLODED;
    return has_run && result->method->is_plotted;
}

// On a logarithmic axis nothing lies at the floor, so that its line can be seen.
static double chart_get_error(const compare_errors *errors, chart_quantity quantity) {
    double values[CHART_QUANTITIES] = {errors->drift, errors->energy, errors->path};
    return fmax(values[quantity], CHART_FLOOR);
}

// Of one sheet: the errors over time.
static void chart_add_over_time(plot_figure *figure, const compare_sheet *sheet,
                                chart_quantity quantity) {
    plot_panel *panel =
        plot_figure_add_panel(figure, chart_titles[quantity], "t [s]", chart_units[quantity]);
    plot_panel_set_log(panel, false, true);
    for (uint32_t i = 0; i < sheet->result_count; i++) {
        const compare_result *result = &sheet->results[i];
        double values[COMPARE_MAX_POINTS];
        for (uint32_t k = 0; k < result->point_count; k++) {
            values[k] = chart_get_error(&result->curve[k], quantity);
        }
        if (chart_has(result)) {
            plot_panel_add_series(panel, result->method->name, result->time, values,
                                  result->point_count);
        }
    }
}

// Of several: the errors over something of each sheet. What exploded is left out.
static void chart_add_points(plot_panel *panel, const compare_sheet *sheets, uint32_t count,
                             chart_quantity quantity, bool is_over_cost) {
    plot_panel_set_log(panel, true, true);
    for (uint32_t i = 0; i < sheets[0].result_count; i++) {
        double at[OPTIONS_MAX_RATES], values[OPTIONS_MAX_RATES];
        for (uint32_t k = 0; k < count; k++) {
            const compare_result *result = &sheets[k].results[i];
            bool is_ok = result->status == COMPARE_STATUS_OK;
            double rate = sheets[k].reference.rate;
            // What a second of motion costs, in ms of the machine.
            at[k] = is_over_cost ? 1e-3 * result->step_us * rate : 1.0 / rate;
            values[k] = is_ok ? chart_get_error(&result->most, quantity) : (double)NAN;
        }
        if (chart_has(&sheets[0].results[i])) {
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
    plot_figure_set_size(figure, 980.0, 300.0);
    plot_figure_label_lines(figure);
    for (int i = 0; i < CHART_QUANTITIES; i++) {
        chart_quantity quantity = (chart_quantity)i;
        if (count == 1) {
            chart_add_over_time(figure, &sheets[0], quantity);
            continue;
        }
        plot_panel *panel =
            plot_figure_add_panel(figure, chart_titles[i], "step [s]", chart_units[i]);
        chart_add_points(panel, sheets, count, quantity, false);
    }
    plot_panel *panel =
        plot_figure_add_panel(figure, "largest distance from the reference path, over the cost",
                              "ms of computing for a second of motion", "m");
    chart_add_points(panel, sheets, count, CHART_QUANTITY_PATH, true);
    bool saved = plot_figure_save(figure, path);
    plot_figure_destroy(figure);
    return saved;
}
