// tools/plot/plot.h: line plots: panels one above the other, each with axes, ticks and a legend.
//
//     plot_figure *figure = plot_figure_create("A pendulum");
//     plot_panel *panel = plot_figure_add_panel(figure, "energy", "t [s]", "J");
//     plot_panel_add_series(panel, "kinetic", times, kinetic, count);
//     bool saved = plot_figure_save(figure, "out/pendulum.svg");
//     plot_figure_destroy(figure);
#ifndef TOOLS_PLOT_PLOT_H
#define TOOLS_PLOT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#define PLOT_MAX_PANELS 8
#define PLOT_MAX_SERIES 16

typedef struct plot_figure plot_figure;
typedef struct plot_panel plot_panel;

// Texts and data are copied. Functions accept a null figure or panel and do nothing, so that only
// plot_figure_save needs to be checked.
plot_figure *plot_figure_create(const char *title);
void plot_figure_destroy(plot_figure *figure);
// Page width, and height of each panel with its labels. Default 760 x 230.
void plot_figure_set_size(plot_figure *figure, double width, double panel_height);
// Names stand beside the ends of their lines, in their colors, in place of legends. For many
// series.
void plot_figure_label_lines(plot_figure *figure);
// Null when there are PLOT_MAX_PANELS already.
plot_panel *plot_figure_add_panel(plot_figure *figure, const char *title, const char *x_label,
                                  const char *y_label);
// Logarithmic axes leave out values that are not positive. Default: both linear.
void plot_panel_set_log(plot_panel *panel, bool log_x, bool log_y);
// Fixes the range of y; otherwise it follows the data.
void plot_panel_set_range(plot_panel *panel, double lower, double upper);
// A line through the points in their order; values that are not finite break it. At most
// PLOT_MAX_SERIES. An empty or null name stays out of the legend.
void plot_panel_add_series(plot_panel *panel, const char *name, const double *x, const double *y,
                           size_t count);
// As a series, with a dot at each point. For few points.
void plot_panel_add_points(plot_panel *panel, const char *name, const double *x, const double *y,
                           size_t count);
// The dots alone.
void plot_panel_add_dots(plot_panel *panel, const char *name, const double *x, const double *y,
                         size_t count);
// False when the file could not be written, or memory ran out on the way.
bool plot_figure_save(const plot_figure *figure, const char *path);

#endif
