// bench/chart.c: cases as rows, a logarithmic axis of ms per step, a dot for each engine's median;
// of tenon a line from the median to 99 % of the steps.

#include "bench/chart.h"

#include "tools/plot/svg.h"

#include <math.h>

#define CHART_WIDTH  760.0
#define CHART_LEFT   140.0 // the names
#define CHART_RIGHT  24.0
#define CHART_TOP    76.0
#define CHART_BOTTOM 40.0
#define CHART_ROW    17.0
#define CHART_FONT   11.0
#define CHART_DOT    3.4
#define CHART_TEXT   32

static const uint32_t chart_ink = 0x2b3138ffu;
static const uint32_t chart_grid = 0xe3e6eaffu;
static const uint32_t chart_paper = 0xffffffffu;

typedef struct chart_axis {
    double lower, upper; // decades of ms
} chart_axis;

static double chart_get_x(const chart_axis *axis, double ms) {
    double share = (log10(ms) - axis->lower) / (axis->upper - axis->lower);
    return CHART_LEFT + share * (CHART_WIDTH - CHART_LEFT - CHART_RIGHT);
}

static bool chart_is_row(const bench_report *report, uint32_t index) {
    return report->results[index * report->engine_count].has_run &&
           !report->cases[index]->is_series;
}

static uint32_t chart_count_rows(const bench_report *report) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->case_count; ++i) {
        count += chart_is_row(report, i);
    }
    return count;
}

static chart_axis chart_find_axis(const bench_report *report) {
    chart_axis axis = {HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0; i < report->case_count * report->engine_count; ++i) {
        const bench_result *result = &report->results[i];
        bool is_shown = chart_is_row(report, i / report->engine_count);
        if (is_shown && result->has_run && result->median_ms > 0.0) {
            axis.lower = fmin(axis.lower, floor(log10(result->median_ms)));
            axis.upper = fmax(axis.upper, log10(fmax(result->p99_ms, result->median_ms)));
        }
    }
    if (!(axis.lower < axis.upper)) {
        return (chart_axis){-3.0, 3.0};
    }
    axis.upper = ceil(axis.upper);
    return axis;
}

static void chart_draw_axis(svg_page *page, const chart_axis *axis, double bottom) {
    svg_style line = {.stroke = chart_grid, .stroke_width = 1.0};
    svg_font font = {.size = CHART_FONT, .color = chart_ink, .anchor = SVG_ANCHOR_MIDDLE};
    for (int decade = (int)axis->lower; decade <= (int)axis->upper; ++decade) {
        char text[CHART_TEXT];
        double ms = pow(10.0, decade);
        double x = chart_get_x(axis, ms);
        snprintf(text, sizeof(text), "%g", ms);
        svg_page_add_line(page, (svg_point){x, CHART_TOP}, (svg_point){x, bottom}, line);
        svg_page_add_text(page, (svg_point){x, bottom + 15.0}, font, text);
    }
    double middle = 0.5 * (CHART_LEFT + CHART_WIDTH - CHART_RIGHT);
    svg_page_add_text(page, (svg_point){middle, bottom + 31.0}, font, "ms per step");
}

static void chart_draw_legend(svg_page *page, const bench_report *report) {
    svg_font font = {.size = CHART_FONT, .color = chart_ink};
    double x = CHART_LEFT;
    for (uint32_t i = 0; i < report->engine_count; ++i) {
        svg_style dot = {.fill = svg_color_palette(i)};
        svg_page_add_circle(page, (svg_point){x, 50.0}, CHART_DOT, dot);
        svg_page_add_text(page, (svg_point){x + 9.0, 54.0}, font, report->engines[i]->name);
        x += svg_text_width(report->engines[i]->name, CHART_FONT) + 32.0;
    }
}

static void chart_draw_row(svg_page *page, const bench_report *report, const chart_axis *axis,
                           uint32_t index, double y) {
    const bench_result *results = &report->results[index * report->engine_count];
    svg_font font = {.size = CHART_FONT, .color = chart_ink, .anchor = SVG_ANCHOR_END};
    svg_style line = {.stroke = chart_grid, .stroke_width = 0.6};
    svg_page_add_text(page, (svg_point){CHART_LEFT - 10.0, y + 4.0}, font,
                      report->cases[index]->name);
    svg_page_add_line(page, (svg_point){CHART_LEFT, y}, (svg_point){CHART_WIDTH - CHART_RIGHT, y},
                      line);
    svg_style reach = {.stroke = svg_color_palette(0), .stroke_width = 1.4};
    if (results[0].median_ms > 0.0 && results[0].p99_ms > 0.0) {
        svg_page_add_line(page, (svg_point){chart_get_x(axis, results[0].median_ms), y},
                          (svg_point){chart_get_x(axis, results[0].p99_ms), y}, reach);
    }
    // tenon last, on top of the others.
    for (uint32_t i = report->engine_count; i > 0; --i) {
        const bench_result *result = &results[i - 1];
        svg_style dot = {.fill = svg_color_palette(i - 1)};
        if (result->has_run && result->median_ms > 0.0) {
            svg_page_add_circle(page, (svg_point){chart_get_x(axis, result->median_ms), y},
                                CHART_DOT, dot);
        }
    }
}

bool chart_save(const bench_report *report, const char *path) {
    chart_axis axis = chart_find_axis(report);
    double bottom = CHART_TOP + CHART_ROW * (chart_count_rows(report) + 0.5);
    svg_page *page = svg_page_create(CHART_WIDTH, bottom + CHART_BOTTOM, chart_paper);
    if (page == NULL) {
        return false;
    }
    svg_font title = {.size = 15.0, .color = chart_ink, .is_bold = true};
    svg_page_add_text(page, (svg_point){24.0, 26.0}, title,
                      "Median time of a step; tenon's line reaches to 99 % of the steps");
    chart_draw_legend(page, report);
    chart_draw_axis(page, &axis, bottom);
    double y = CHART_TOP + 0.75 * CHART_ROW;
    for (uint32_t i = 0; i < report->case_count; ++i) {
        if (chart_is_row(report, i)) {
            chart_draw_row(page, report, &axis, i, y);
            y += CHART_ROW;
        }
    }
    bool is_saved = svg_page_save(page, path);
    svg_page_destroy(page);
    return is_saved;
}
