// tests/tool/test_plot.c: plots and drawings of awkward data are whole SVG files without bad
// numbers.
#ifdef TENON_TOOL_PATH

#include "tests/support/tool.h"
#include "tools/plot/drawing.h"
#include "tools/plot/plot.h"
#include "tools/plot/svg.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The file is an SVG from its first to its last line, and holds no number that is not one.
static char *read_whole(const char *path) {
    char *text = tool_read_file(path);
    cr_assert_eq(strncmp(text, "<svg ", 5), 0);
    cr_assert_str_eq(text + strlen(text) - 7, "</svg>\n");
    cr_expect_null(strstr(text, "nan"));
    cr_expect_null(strstr(text, "inf"));
    return text;
}

static size_t count_text(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count += 1;
    }
    return count;
}

Test(plot, breaks_the_line_at_values_that_are_not_finite) {
    const double x[] = {0, 1, 2, 3, 4, 5};
    const double y[] = {1, 2, (double)NAN, (double)INFINITY, 3, 4};
    plot_figure *figure = plot_figure_create("gap");
    plot_panel *panel = plot_figure_add_panel(figure, "", "x", "y");
    plot_panel_add_series(panel, "y", x, y, 6);
    const char *path = tool_get_path("plot_gap.svg");
    cr_assert(plot_figure_save(figure, path));
    char *text = read_whole(path);
    cr_expect_eq(count_text(text, "<polyline"), 2);
    free(text);
    plot_figure_destroy(figure);
}

Test(plot, draws_flat_empty_and_logarithmic_panels) {
    const double x[] = {1, 10, 100};
    const double flat[] = {7, 7, 7};
    const double falling[] = {1e-3, 0, -1};
    plot_figure *figure = plot_figure_create("panels");
    plot_panel_add_series(plot_figure_add_panel(figure, "flat", "x", "y"), "a", x, flat, 3);
    plot_figure_add_panel(figure, "empty", "x", "y");
    plot_panel *panel = plot_figure_add_panel(figure, "log", "x", "y");
    plot_panel_set_log(panel, true, true);
    plot_panel_add_points(panel, "b", x, falling, 3);
    const char *path = tool_get_path("plot_panels.svg");
    cr_assert(plot_figure_save(figure, path));
    char *text = read_whole(path);
    // Only the one point above 0 is on the logarithmic panel.
    cr_expect_eq(count_text(text, "<circle"), 1);
    free(text);
    plot_figure_destroy(figure);
}

// Once for all panels, in more lines where the names are long, and with the colours used again in
// dashes when there are more lines than colours.
Test(plot, shares_one_legend) {
    const double x[] = {0, 1};
    plot_figure *figure = plot_figure_create("shared");
    plot_figure_share_legend(figure);
    for (int i = 0; i < 2; i++) {
        plot_panel *panel = plot_figure_add_panel(figure, "", "x", "y");
        for (int k = 0; k < SVG_PALETTE_SIZE + 2; k++) {
            const double y[] = {k, k + 1};
            plot_panel_add_points(panel, "a name of some length, so that lines break", x, y, 2);
        }
    }
    const char *path = tool_get_path("plot_shared.svg");
    cr_assert(plot_figure_save(figure, path));
    char *text = read_whole(path);
    cr_expect_eq(count_text(text, "a name of some length"), SVG_PALETTE_SIZE + 2);
    // Of the last two: the keys, and a line in each panel.
    cr_expect_eq(count_text(text, "stroke-dasharray"), 2 + 2 * 2);
    free(text);
    plot_figure_destroy(figure);
}

Test(plot, keeps_the_peaks_of_a_long_series) {
    enum {
        COUNT = 100000
    };
    double *x = calloc(COUNT, sizeof *x);
    double *y = calloc(COUNT, sizeof *y);
    for (int i = 0; i < COUNT; i++) {
        x[i] = i;
    }
    y[31416] = 1.0;
    plot_figure *figure = plot_figure_create("");
    plot_figure_set_size(figure, 760.0, 200.0);
    plot_panel_add_series(plot_figure_add_panel(figure, "", "x", "y"), "", x, y, COUNT);
    const char *path = tool_get_path("plot_long.svg");
    cr_assert(plot_figure_save(figure, path));
    char *text = read_whole(path);
    cr_expect_lt(strlen(text), 100000u); // thinned
    // The axis reaches up to the peak: 1 stands beside a tick.
    cr_expect_not_null(strstr(text, ">1.0</text>"));
    free(text);
    free(x);
    free(y);
    plot_figure_destroy(figure);
}

Test(plot, escapes_texts_and_refuses_a_folder_that_is_not_there) {
    plot_figure *figure = plot_figure_create("a < b & c");
    const char *path = tool_get_path("plot_text.svg");
    cr_assert(plot_figure_save(figure, path));
    char *text = read_whole(path);
    cr_expect_not_null(strstr(text, "a &lt; b &amp; c"));
    free(text);
    cr_expect_not(plot_figure_save(figure, tool_get_path("no_such_folder/plot.svg")));
    cr_expect_not(plot_figure_save(NULL, path));
    plot_figure_destroy(figure);
}

Test(plot, draws_a_world_with_nothing_in_it_and_one_with_all_shapes) {
    tn_world *world = tn_world_create(NULL, NULL);
    drawing_sheet *sheet = drawing_create(NULL);
    const char *path = tool_get_path("plot_world.svg");
    drawing_add_world(sheet, world, 0.0);
    cr_assert(drawing_save(sheet, path));
    free(read_whole(path));
    drawing_destroy(sheet);

    tn_body_def still = tn_body_def_default();
    still.type = TN_BODY_TYPE_STATIC;
    tn_shape_def shape = tn_shape_def_default();
    tn_half_space_shape_create(world, tn_body_create(world, &still), &shape);
    tn_body_def moving = tn_body_def_default();
    moving.pose.position.y = 2.0;
    tn_body_id body = tn_body_create(world, &moving);
    const tn_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tn_hull_id hull = tn_hull_create(world, corners, 4, NULL);
    tn_sphere_shape_create(world, body, &shape, 0.5f);
    tn_capsule_shape_create(world, body, &shape, 0.5f, 0.2f);
    tn_box_shape_create(world, body, &shape, (tn_vec3){0.3f, 0.4f, 0.5f});
    tn_hull_shape_create(world, body, &shape, hull);
    for (int view = DRAWING_VIEW_AUTO; view <= DRAWING_VIEW_CORNER; view++) {
        drawing_options options = drawing_options_default();
        options.view = (drawing_view)view;
        sheet = drawing_create(&options);
        drawing_add_world(sheet, world, 0.5);
        drawing_add_world(sheet, world, 0.0);
        drawing_add_label(sheet, (tn_position){0.0, 2.0, 0.0}, "here");
        cr_assert(drawing_save(sheet, path));
        char *text = read_whole(path);
        cr_expect_eq(count_text(text, "<circle"), 2 + 1); // a ball twice, and the label's dot
        cr_expect_not_null(strstr(text, ">here</text>"));
        free(text);
        drawing_destroy(sheet);
    }
    cr_expect_eq(tn_world_get_telemetry(world).reports, 0);
    tn_world_destroy(world);
}

// Width by height of the first polygon.
static double measure_polygon(const char *text) {
    const char *mark = "<polygon points=\"";
    const char *at = strstr(text, mark);
    cr_assert_not_null(at);
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    at += strlen(mark);
    for (int i = 0; *at != '"'; i++) {
        char *end = NULL;
        double number = strtod(at, &end);
        cr_assert(end != at);
        low[i % 2] = fmin(low[i % 2], number);
        high[i % 2] = fmax(high[i % 2], number);
        at = *end == '"' ? end : end + 1;
    }
    return (high[0] - low[0]) / (high[1] - low[1]);
}

// Twice as wide as at rest: a ball of 1 x 1, a capsule of 0.4 x 1.4, a box of 0.6 x 0.8.
Test(plot, draws_affine_bodies_as_they_are_deformed) {
    const double ratios[] = {1.0, 0.4 / 1.4, 0.6 / 0.8};
    for (int i = 0; i < 3; i++) {
        tn_world *world = tn_world_create(NULL, NULL);
        tn_body_def moving = tn_body_def_default();
        tn_affine_def affine = tn_affine_def_default();
        tn_shape_def shape = tn_shape_def_default();
        shape.filter.mask = 0;
        affine.body = tn_body_create(world, &moving);
        if (i == 0) {
            tn_sphere_shape_create(world, affine.body, &shape, 0.5f);
        } else if (i == 1) {
            tn_capsule_shape_create(world, affine.body, &shape, 0.5f, 0.2f);
        } else {
            tn_box_shape_create(world, affine.body, &shape, (tn_vec3){0.3f, 0.4f, 0.5f});
        }
        tn_reduced_id id = tn_affine_create(world, &affine);
        const double u[TN_AFFINE_FREEDOMS] = {0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1};
        tn_reduced_set_coordinates(world, id, u, TN_AFFINE_FREEDOMS);
        drawing_options options = drawing_options_default();
        options.view = DRAWING_VIEW_FRONT;
        drawing_sheet *sheet = drawing_create(&options);
        drawing_add_world(sheet, world, 0.0);
        const char *path = tool_get_path("plot_affine.svg");
        cr_assert(drawing_save(sheet, path));
        char *text = read_whole(path);
        cr_expect(fabs(measure_polygon(text) - 2.0 * ratios[i]) < 0.01);
        free(text);
        drawing_destroy(sheet);
        tn_world_destroy(world);
    }
}

#else
typedef int test_plot_needs_the_tool;
#endif
