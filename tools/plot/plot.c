// tools/plot/plot.c: lays out panels, chooses ticks, and draws them with tools/plot/svg.c.
//
// Ticks stand at 1, 2 or 5 times a power of ten, as many as fit without crowding; on a logarithmic
// axis at powers of ten, and at 2 and 5 times these where there are few. Long series are thinned to
// the least and greatest value of each stretch, so that peaks survive.
#include "tools/plot/plot.h"

#include "tools/plot/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLOT_TEXT_SIZE     96
#define PLOT_MAX_POINTS    3000 // of a series as drawn: about four for each px of width
#define PLOT_FEW_DECADES   2.0
#define PLOT_MARGIN_LEFT   74.0
#define PLOT_MARGIN_RIGHT  18.0
#define PLOT_MARGIN_TOP    26.0
#define PLOT_MARGIN_BOTTOM 44.0
#define PLOT_TITLE_HEIGHT  34.0
#define PLOT_LABEL_HEIGHT  12.5 // of a name beside its line
#define PLOT_LABEL_GAP     14.0 // from the end of a line to its name in the margin
#define PLOT_FONT_SIZE     11.0

static const uint32_t plot_ink = 0x2b3138ffu;
static const uint32_t plot_grid = 0xe3e6eaffu;
static const uint32_t plot_frame = 0xa9b0b8ffu;
static const uint32_t plot_paper = 0xffffffffu;

typedef struct plot_series {
    char name[PLOT_TEXT_SIZE];
    double *x, *y;
    size_t count;
    bool has_dots, has_no_line;
} plot_series;

struct plot_panel {
    char title[PLOT_TEXT_SIZE], x_label[PLOT_TEXT_SIZE], y_label[PLOT_TEXT_SIZE];
    plot_series series[PLOT_MAX_SERIES];
    size_t series_count;
    bool log_x, log_y, has_range;
    double lower, upper;
    plot_figure *figure;
};

struct plot_figure {
    char title[PLOT_TEXT_SIZE];
    plot_panel panels[PLOT_MAX_PANELS];
    size_t panel_count;
    double width, panel_height;
    bool labels_lines, failed;
};

// One axis: data from `lower` to `upper` (their logarithms when `is_log`) on a line of the page.
typedef struct plot_axis {
    double lower, upper, start, end;
    bool is_log;
} plot_axis;

static void plot_copy_text(char *to, const char *from) {
    snprintf(to, PLOT_TEXT_SIZE, "%s", from != NULL ? from : "");
}

plot_figure *plot_figure_create(const char *title) {
    plot_figure *figure = calloc(1, sizeof *figure);
    if (figure != NULL) {
        plot_copy_text(figure->title, title);
        figure->width = 760.0;
        figure->panel_height = 230.0;
    }
    return figure;
}

void plot_figure_destroy(plot_figure *figure) {
    if (figure == NULL) {
        return;
    }
    for (size_t i = 0; i < figure->panel_count; i++) {
        for (size_t k = 0; k < figure->panels[i].series_count; k++) {
            free(figure->panels[i].series[k].x);
            free(figure->panels[i].series[k].y);
        }
    }
    free(figure);
}

void plot_figure_set_size(plot_figure *figure, double width, double panel_height) {
    if (figure != NULL) {
        figure->width = width;
        figure->panel_height = panel_height;
    }
}

void plot_figure_label_lines(plot_figure *figure) {
    if (figure != NULL) {
        figure->labels_lines = true;
    }
}

plot_panel *plot_figure_add_panel(plot_figure *figure, const char *title, const char *x_label,
                                  const char *y_label) {
    if (figure == NULL || figure->panel_count == PLOT_MAX_PANELS) {
        return NULL;
    }
    plot_panel *panel = &figure->panels[figure->panel_count];
    figure->panel_count += 1;
    plot_copy_text(panel->title, title);
    plot_copy_text(panel->x_label, x_label);
    plot_copy_text(panel->y_label, y_label);
    panel->figure = figure;
    return panel;
}

void plot_panel_set_log(plot_panel *panel, bool log_x, bool log_y) {
    if (panel != NULL) {
        panel->log_x = log_x;
        panel->log_y = log_y;
    }
}

void plot_panel_set_range(plot_panel *panel, double lower, double upper) {
    if (panel != NULL) {
        panel->has_range = lower < upper;
        panel->lower = lower;
        panel->upper = upper;
    }
}

// Appends the least and the greatest of the values [first, last) in the order they come.
static void plot_append_extremes(plot_series *series, const double *x, const double *y,
                                 size_t first, size_t last) {
    size_t least = first;
    size_t greatest = first;
    for (size_t i = first + 1; i < last; i++) {
        least = y[i] < y[least] ? i : least;
        greatest = y[i] > y[greatest] ? i : greatest;
    }
    size_t early = least < greatest ? least : greatest;
    size_t late = least < greatest ? greatest : least;
    series->x[series->count] = x[early];
    series->y[series->count] = y[early];
    series->count += 1;
    if (late != early) {
        series->x[series->count] = x[late];
        series->y[series->count] = y[late];
        series->count += 1;
    }
}

static plot_series *plot_add_series(plot_panel *panel, const char *name, const double *x,
                                    const double *y, size_t count) {
    if (panel == NULL || panel->series_count == PLOT_MAX_SERIES || count == 0) {
        return NULL;
    }
    plot_series *series = &panel->series[panel->series_count];
    size_t stride = 1 + 2 * (count - 1) / PLOT_MAX_POINTS;
    stride = count <= PLOT_MAX_POINTS ? 1 : stride;
    size_t capacity = 2 * (count / stride + 1);
    series->x = malloc(capacity * sizeof(double));
    series->y = malloc(capacity * sizeof(double));
    if (series->x == NULL || series->y == NULL) {
        free(series->x);
        free(series->y);
        panel->figure->failed = true;
        return NULL;
    }
    plot_copy_text(series->name, name);
    series->count = 0;
    for (size_t first = 0; first < count; first += stride) {
        size_t last = first + stride < count ? first + stride : count;
        plot_append_extremes(series, x, y, first, last);
    }
    panel->series_count += 1;
    return series;
}

void plot_panel_add_series(plot_panel *panel, const char *name, const double *x, const double *y,
                           size_t count) {
    plot_add_series(panel, name, x, y, count);
}

void plot_panel_add_points(plot_panel *panel, const char *name, const double *x, const double *y,
                           size_t count) {
    plot_series *series = plot_add_series(panel, name, x, y, count);
    if (series != NULL) {
        series->has_dots = true;
    }
}

void plot_panel_add_dots(plot_panel *panel, const char *name, const double *x, const double *y,
                         size_t count) {
    plot_series *series = plot_add_series(panel, name, x, y, count);
    if (series != NULL) {
        series->has_dots = series->has_no_line = true;
    }
}

// Where a value stands on its axis; NaN when it cannot be shown.
static double plot_axis_scale(const plot_axis *axis, double value) {
    if (axis->is_log) {
        value = value > 0.0 ? log10(value) : (double)NAN;
    }
    double span = axis->upper - axis->lower;
    double share = span > 0.0 ? (value - axis->lower) / span : 0.5;
    return axis->start + share * (axis->end - axis->start);
}

static void plot_axis_include(plot_axis *axis, double value) {
    if (axis->is_log) {
        value = value > 0.0 ? log10(value) : (double)NAN;
    }
    if (isfinite(value)) {
        axis->lower = value < axis->lower ? value : axis->lower;
        axis->upper = value > axis->upper ? value : axis->upper;
    }
}

// Rooms a flat line, and leaves a little air above and below.
static void plot_axis_finish(plot_axis *axis, double air) {
    if (!(axis->lower <= axis->upper)) {
        axis->lower = 0.0;
        axis->upper = 1.0;
    }
    double span = axis->upper - axis->lower;
    double size = fabs(axis->upper) > fabs(axis->lower) ? fabs(axis->upper) : fabs(axis->lower);
    if (span <= 1e-12 * size || span == 0.0) {
        double room = size > 0.0 ? 0.5 * size : 1.0;
        axis->lower -= room;
        axis->upper += room;
        return;
    }
    axis->lower -= air * span;
    axis->upper += air * span;
}

static void plot_find_axes(const plot_panel *panel, plot_axis *x, plot_axis *y) {
    x->lower = y->lower = (double)INFINITY;
    x->upper = y->upper = -(double)INFINITY;
    x->is_log = panel->log_x;
    y->is_log = panel->log_y;
    for (size_t i = 0; i < panel->series_count; i++) {
        const plot_series *series = &panel->series[i];
        for (size_t k = 0; k < series->count; k++) {
            plot_axis_include(x, series->x[k]);
            plot_axis_include(y, series->y[k]);
        }
    }
    if (panel->has_range) {
        y->lower = panel->log_y ? log10(panel->lower) : panel->lower;
        y->upper = panel->log_y ? log10(panel->upper) : panel->upper;
    }
    plot_axis_finish(x, panel->log_x ? 0.02 : 0.0); // dots at the ends are whole
    plot_axis_finish(y, panel->has_range ? 0.0 : 0.06);
}

// A step of 1, 2 or 5 times a power of ten that gives at most `count` ticks.
static double plot_tick_step(double span, double count) {
    double rough = span / count;
    double power = pow(10.0, floor(log10(rough)));
    double share = rough / power;
    if (share <= 1.0) {
        return power;
    }
    if (share <= 2.0) {
        return 2.0 * power;
    }
    return share <= 5.0 ? 5.0 * power : 10.0 * power;
}

static void plot_print_tick(char *text, size_t size, double value, double step, bool is_log) {
    if (is_log) {
        snprintf(text, size, "%.3g", pow(10.0, value));
    } else if (fabs(value) < 1e-9 * step) {
        snprintf(text, size, "0");
    } else if (fabs(value) >= 1e5 || step < 1e-4) {
        snprintf(text, size, "%.4g", value);
    } else {
        int decimals = step < 1.0 ? (int)ceil(-log10(step) - 1e-9) : 0;
        snprintf(text, size, "%.*f", decimals, value);
    }
}

static void plot_draw_tick(svg_page *page, const plot_axis *axis, const plot_axis *other,
                           double value, const char *text) {
    bool is_vertical = axis->start > axis->end; // y goes up the page
    svg_style grid = {.stroke = plot_grid, .stroke_width = 0.8};
    svg_font font = {.size = PLOT_FONT_SIZE, .color = plot_ink};
    double share = (value - axis->lower) / (axis->upper - axis->lower);
    double at = axis->start + share * (axis->end - axis->start);
    if (is_vertical) {
        font.anchor = SVG_ANCHOR_END;
        svg_page_add_line(page, (svg_point){other->start, at}, (svg_point){other->end, at}, grid);
        svg_page_add_text(page, (svg_point){other->start - 7.0, at + 4.0}, font, text);
    } else {
        font.anchor = SVG_ANCHOR_MIDDLE;
        svg_page_add_line(page, (svg_point){at, other->start}, (svg_point){at, other->end}, grid);
        svg_page_add_text(page, (svg_point){at, other->start + 16.0}, font, text);
    }
}

static void plot_draw_ticks(svg_page *page, const plot_axis *axis, const plot_axis *other,
                            double room) {
    // Between powers of ten 2 and 5, where few of these are in sight.
    static const double between[3] = {0.0, 0.30102999566398120, 0.69897000433601880};
    double span = axis->upper - axis->lower;
    double step = plot_tick_step(span, fabs(axis->end - axis->start) / room);
    step = axis->is_log && step < 1.0 ? 1.0 : step;
    int parts = axis->is_log && span < PLOT_FEW_DECADES ? 3 : 1;
    for (double k = floor(axis->lower / step); k * step <= axis->upper; k += 1.0) {
        for (int i = 0; i < parts; i++) {
            double value = k * step + between[i];
            char text[32];
            plot_print_tick(text, sizeof text, value, step, axis->is_log);
            if (value >= axis->lower - 1e-9 * step && value <= axis->upper + 1e-9 * step) {
                plot_draw_tick(page, axis, other, value, text);
            }
        }
    }
}

// Full lines in the colours of the palette, then the same colours again in dashes.
static svg_style plot_get_line(size_t index, double width) {
    return (svg_style){.stroke = svg_color_palette(index),
                       .stroke_width = width,
                       .dash = index >= SVG_PALETTE_SIZE ? 4.0 : 0.0};
}

static void plot_draw_series(svg_page *page, const plot_series *series, const plot_axis *x,
                             const plot_axis *y, size_t index) {
    svg_style line = plot_get_line(index, 1.4);
    svg_style dot = {.fill = line.dash > 0.0 ? plot_paper : line.stroke,
                     .stroke = line.stroke,
                     .stroke_width = 1.0};
    svg_point *points = malloc(series->count * sizeof *points);
    if (points == NULL) {
        return;
    }
    size_t count = 0;
    for (size_t i = 0; i <= series->count; i++) {
        svg_point at = {(double)NAN, (double)NAN};
        if (i < series->count) {
            at = (svg_point){plot_axis_scale(x, series->x[i]), plot_axis_scale(y, series->y[i])};
        }
        if (isfinite(at.x) && isfinite(at.y)) {
            points[count] = at;
            count += 1;
            if (series->has_dots) {
                svg_page_add_circle(page, at, 2.4, dot);
            }
            continue;
        }
        if (count > 1 && !series->has_no_line) {
            svg_page_add_polyline(page, points, count, line);
        }
        count = 0;
    }
    free(points);
}

// Of a series, with its left end and its base line at a point.
static void plot_draw_key(svg_page *page, const plot_series *series, size_t index, svg_point at) {
    svg_font font = {.size = PLOT_FONT_SIZE, .color = plot_ink};
    svg_point from = {at.x, at.y - 4.0}, to = {at.x + 18.0, at.y - 4.0};
    svg_style line = plot_get_line(index, 2.4);
    if (series->has_no_line) {
        svg_page_add_circle(page, (svg_point){at.x + 12.0, at.y - 4.0}, 2.4,
                            (svg_style){.fill = line.stroke});
    } else {
        svg_page_add_line(page, from, to, line);
    }
    svg_page_add_text(page, (svg_point){at.x + 24.0, at.y}, font, series->name);
}

static double plot_get_key_width(const plot_series *series) {
    return svg_text_width(series->name, PLOT_FONT_SIZE) + 36.0;
}

// The legend stands in the line of the panel's title, from the right.
static void plot_draw_legend(svg_page *page, const plot_panel *panel, double right, double top) {
    double at = right;
    for (size_t i = panel->series_count; i > 0; i--) {
        const plot_series *series = &panel->series[i - 1];
        if (series->name[0] != '\0') {
            at -= plot_get_key_width(series);
            plot_draw_key(page, series, i - 1, (svg_point){at + 6.0, top - 5.0});
        }
    }
}

// A name beside the end of its line.
typedef struct plot_name {
    size_t series;
    svg_point end, at; // of the line; of the text's left end and base line
    double width;
} plot_name;

static int plot_compare_names(const void *a, const void *b) {
    double p = ((const plot_name *)a)->end.y, q = ((const plot_name *)b)->end.y;
    return (p > q) - (p < q);
}

// The point of a series that is farthest to the right, if any is in sight.
static bool plot_find_end(const plot_series *series, const plot_axis *x, const plot_axis *y,
                          svg_point *out) {
    bool is_found = false;
    for (size_t k = 0; k < series->count; k++) {
        svg_point at = {plot_axis_scale(x, series->x[k]), plot_axis_scale(y, series->y[k])};
        if (isfinite(at.x) && isfinite(at.y) && (!is_found || at.x >= out->x)) {
            *out = at;
            is_found = true;
        }
    }
    return is_found;
}

// The named series with their right ends, from the top. Returns the count.
static size_t plot_find_names(const plot_panel *panel, const plot_axis *x, const plot_axis *y,
                              plot_name *out) {
    size_t count = 0;
    for (size_t i = 0; i < panel->series_count; i++) {
        const plot_series *series = &panel->series[i];
        svg_point end;
        if (series->name[0] != '\0' && plot_find_end(series, x, y, &end)) {
            double width = svg_text_width(series->name, PLOT_FONT_SIZE);
            out[count++] = (plot_name){i, end, end, width};
        }
    }
    qsort(out, count, sizeof *out, plot_compare_names);
    return count;
}

// Below every name above it that it would touch.
static void plot_place_name(plot_name *names, size_t index) {
    plot_name *name = &names[index];
    for (size_t i = 0; i < index; i++) {
        const plot_name *other = &names[i];
        bool is_beside = name->at.x < other->at.x + other->width + 6.0 &&
                         other->at.x < name->at.x + name->width + 6.0;
        if (is_beside && fabs(name->at.y - other->at.y) < PLOT_LABEL_HEIGHT - 1e-9) {
            name->at.y = other->at.y + PLOT_LABEL_HEIGHT;
            i = (size_t)-1; // it may touch another one now
        }
    }
}

// Lines that end at the right have their names in the margin, others beside their ends.
static void plot_place_names(plot_name *names, size_t count, const plot_axis *x,
                             const plot_axis *y) {
    bool in_margin = true;
    for (size_t i = 0; i < count; i++) {
        in_margin = in_margin && names[i].end.x > x->end - 0.03 * (x->end - x->start);
    }
    for (size_t i = 0; i < count; i++) {
        names[i].at.x = in_margin ? x->end + PLOT_LABEL_GAP : names[i].end.x + 7.0;
        names[i].at.y = names[i].end.y + 4.0;
        plot_place_name(names, i);
    }
    double lowest = y->start + 4.0;
    for (size_t i = count; i > 0 && in_margin; i--) {
        names[i - 1].at.y = fmin(names[i - 1].at.y, lowest);
        lowest = names[i - 1].at.y - PLOT_LABEL_HEIGHT;
    }
}

static void plot_draw_names(svg_page *page, const plot_panel *panel, const plot_axis *x,
                            const plot_axis *y) {
    plot_name names[PLOT_MAX_SERIES];
    size_t count = plot_find_names(panel, x, y, names);
    plot_place_names(names, count, x, y);
    for (size_t i = 0; i < count; i++) {
        uint32_t color = svg_color_palette(names[i].series);
        svg_style leader = {.stroke = svg_color_mix(color, plot_paper, 0.4), .stroke_width = 0.8};
        svg_point to = {names[i].at.x - 2.0, names[i].at.y - 4.0};
        if (hypot(to.x - names[i].end.x, to.y - names[i].end.y) > 8.0) {
            svg_page_add_line(page, names[i].end, to, leader);
        }
        svg_font font = {.size = PLOT_FONT_SIZE, .color = svg_color_mix(color, plot_ink, 0.3)};
        svg_page_add_text(page, names[i].at, font, panel->series[names[i].series].name);
    }
}

// Room for the names beside the panels.
static double plot_get_right_margin(const plot_figure *figure) {
    double width = 0.0;
    for (size_t i = 0; i < figure->panel_count && figure->labels_lines; i++) {
        const plot_panel *panel = &figure->panels[i];
        for (size_t k = 0; k < panel->series_count; k++) {
            width = fmax(width, svg_text_width(panel->series[k].name, PLOT_FONT_SIZE));
        }
    }
    return PLOT_MARGIN_RIGHT + (width > 0.0 ? width : 0.0);
}

static void plot_draw_labels(svg_page *page, const plot_panel *panel, const plot_axis *x,
                             const plot_axis *y) {
    svg_font font = {.size = PLOT_FONT_SIZE, .color = plot_ink};
    svg_font title = {.size = 12.0, .color = plot_ink, .is_bold = true};
    svg_page_add_text(page, (svg_point){x->start, y->end - 8.0}, title, panel->title);
    font.anchor = SVG_ANCHOR_MIDDLE;
    svg_page_add_text(page, (svg_point){0.5 * (x->start + x->end), y->start + 34.0}, font,
                      panel->x_label);
    font.turn = 90.0;
    svg_page_add_text(page, (svg_point){x->start - 58.0, 0.5 * (y->start + y->end)}, font,
                      panel->y_label);
    if (panel->figure->labels_lines) {
        plot_draw_names(page, panel, x, y);
    } else {
        plot_draw_legend(page, panel, x->end, y->end);
    }
}

static void plot_draw_panel(svg_page *page, const plot_panel *panel, double width, double top,
                            double height) {
    plot_axis x, y;
    plot_find_axes(panel, &x, &y);
    x.start = PLOT_MARGIN_LEFT;
    x.end = width - plot_get_right_margin(panel->figure);
    y.start = top + height - PLOT_MARGIN_BOTTOM;
    y.end = top + PLOT_MARGIN_TOP;
    plot_draw_ticks(page, &x, &y, 70.0);
    plot_draw_ticks(page, &y, &x, 34.0);
    svg_style frame = {.stroke = plot_frame, .stroke_width = 1.0};
    svg_point corner = {x.start, y.end};
    svg_page_set_clip(page, corner, x.end - x.start, y.start - y.end);
    for (size_t i = 0; i < panel->series_count; i++) {
        plot_draw_series(page, &panel->series[i], &x, &y, i);
    }
    svg_page_clear_clip(page);
    svg_page_add_rectangle(page, corner, x.end - x.start, y.start - y.end, frame);
    plot_draw_labels(page, panel, &x, &y);
}

bool plot_figure_save(const plot_figure *figure, const char *path) {
    if (figure == NULL || figure->failed) {
        return false;
    }
    double title_height = figure->title[0] != '\0' ? PLOT_TITLE_HEIGHT : 0.0;
    double height = title_height + (double)figure->panel_count * figure->panel_height;
    svg_page *page = svg_page_create(figure->width, height, plot_paper);
    if (page == NULL) {
        return false;
    }
    svg_font font = {.size = 15.0, .color = plot_ink, .is_bold = true};
    svg_page_add_text(page, (svg_point){PLOT_MARGIN_LEFT, 22.0}, font, figure->title);
    for (size_t i = 0; i < figure->panel_count; i++) {
        double top = title_height + (double)i * figure->panel_height;
        plot_draw_panel(page, &figure->panels[i], figure->width, top, figure->panel_height);
    }
    bool saved = svg_page_save(page, path);
    svg_page_destroy(page);
    return saved;
}
