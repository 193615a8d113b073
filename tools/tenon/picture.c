// tools/tenon/picture.c: plots of energy and joint error.
#include "tools/tenon/picture.h"

#include "tools/plot/plot.h"

bool picture_save_plot(const history *record, const run_subject *subject, const char *path) {
    plot_figure *figure = plot_figure_create(subject->name);
    plot_panel *panel = plot_figure_add_panel(figure, "energy", "t [s]", "J");
    plot_panel_add_series(panel, "kinetic", record->time, record->kinetic, record->count);
    plot_panel_add_series(panel, "potential", record->time, record->potential, record->count);
    double largest = 0.0;
    for (size_t i = 0; i < record->count; i++) {
        largest = record->elastic[i] > largest ? record->elastic[i] : largest;
    }
    if (largest > 0.0) {
        plot_panel_add_series(panel, "elastic", record->time, record->elastic, record->count);
    }
    plot_panel_add_series(panel, "sum", record->time, record->total, record->count);
    if (subject->joint_count > 0) {
        panel = plot_figure_add_panel(figure, "worst joint error", "t [s]", "m, rad");
        plot_panel_set_log(panel, false, true);
        plot_panel_add_series(panel, "m", record->time, record->linear_error, record->count);
        plot_panel_add_series(panel, "rad", record->time, record->angular_error, record->count);
    }
    bool saved = plot_figure_save(figure, path);
    plot_figure_destroy(figure);
    return saved;
}
