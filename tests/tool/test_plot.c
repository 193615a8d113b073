// tests/tool/test_plot.c: plots and drawings of awkward data are whole SVG files without bad
// numbers.
#ifdef TENON_TOOL_PATH

#include "tests/support/hull_make.h"
#include "tests/support/tool.h"
#include "tools/plot/drawing.h"
#include "tools/plot/plot.h"
#include "tools/plot/svg.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
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

// Names stand in the margin at their lines' right ends, apart from each other, and lines beyond the
// palette are dashed.
Test(plot, names_stand_beside_their_lines) {
    const double x[] = {1, 0}; // from the right to the left
    plot_figure *figure = plot_figure_create("labels");
    plot_figure_label_lines(figure);
    plot_panel *panel = plot_figure_add_panel(figure, "", "x", "y");
    for (int k = 0; k < SVG_PALETTE_SIZE + 2; k++) {
        const double y[] = {1e-3 * k, k};
        plot_panel_add_points(panel, "a long name", x, y, 2);
    }
    const char *path = tool_get_path("plot_labels.svg");
    cr_assert(plot_figure_save(figure, path));
    char *text = read_whole(path);
    cr_expect_eq(count_text(text, "a long name"), SVG_PALETTE_SIZE + 2);
    cr_expect_eq(count_text(text, "stroke-dasharray"), 2);
    double lowest = 0.0, left = 0.0;
    for (const char *at = strstr(text, ">a long name"); at != NULL;
         at = strstr(at + 1, ">a long name")) {
        const char *start = at;
        while (strncmp(start, "<text", 5) != 0) {
            start--;
        }
        double px, py;
        cr_assert_eq(sscanf(start, "<text x=\"%lf\" y=\"%lf\"", &px, &py), 2);
        cr_expect(left == 0.0 || px == left);
        cr_expect(lowest == 0.0 || py > lowest + 11.0);
        lowest = py;
        left = px;
    }
    cr_expect_gt(left, 600.0);
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
    tn_sphere_shape_create(world, body, &shape, 0.5f);
    tn_capsule_shape_create(world, body, &shape, 0.5f, 0.2f);
    tn_box_shape_create(world, body, &shape, (tn_vec3){0.3, 0.4, 0.5});
    hull_shape_make(world, body, &shape, corners, 4);
    for (int view = DRAWING_VIEW_AUTO; view <= DRAWING_VIEW_CORNER; view++) {
        drawing_options options = drawing_options_default();
        options.view = (drawing_view)view;
        sheet = drawing_create(&options);
        drawing_add_world(sheet, world, 0.5);
        drawing_add_world(sheet, world, 0.0);
        drawing_add_label(sheet, (tn_vec3){0.0, 2.0, 0.0}, "here");
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

static void save_corner_view(const tn_world *world, const char *path) {
    drawing_options options = drawing_options_default();
    options.view = DRAWING_VIEW_CORNER;
    drawing_sheet *sheet = drawing_create(&options);
    drawing_add_world(sheet, world, 0.0);
    cr_assert(drawing_save(sheet, path));
    drawing_destroy(sheet);
}

// A field of 3 x 2 cells with a hole shows ten triangles; a compound of a box and a roof shows the
// faces of both.
Test(plot, draws_height_fields_and_compounds) {
    const char *path = tool_get_path("plot_concave.svg");
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_STATIC;
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    const float heights[12] = {0.0f, 0.1f, 0.0f, 0.1f, 0.0f, 0.1f, 0.0f, 0.1f, 0.0f, 0.0f, 0.1f};
    const uint8_t holes[6] = {0, 0, 0, 0, 1, 0};
    tn_height_field_def field_def = tn_height_field_def_default();
    field_def.heights = heights;
    field_def.holes = holes;
    field_def.columns = 4;
    field_def.rows = 3;
    tn_height_field *field = tn_height_field_create(&field_def, NULL);
    tn_height_field_shape_create(world, body, &shape, field, NULL, 0);
    save_corner_view(world, path);
    char *text = read_whole(path);
    size_t of_field = count_text(text, "<polygon");
    cr_expect_eq(of_field, 10);
    free(text);

    const tn_vec3 roof[6] = {{-1, 1, -1}, {1, 1, -1}, {-1, 1, 1}, {1, 1, 1}, {-1, 2, 0}, {1, 2, 0}};
    tn_compound_child children[2] = {tn_compound_child_default(), tn_compound_child_default()};
    children[1].type = TN_SHAPE_TYPE_HULL;
    children[1].points = roof;
    children[1].point_count = 6;
    tn_compound_def compound_def = {.children = children, .child_count = 2};
    tn_compound *compound = tn_compound_create(&compound_def, NULL);
    tn_compound_shape_create(world, body, &shape, compound, NULL, 0);
    save_corner_view(world, path);
    text = read_whole(path);
    // Three sides of the box, two of the roof, each hull with its outline.
    cr_expect(count_text(text, "<polygon") >= of_field + 5);
    free(text);
    cr_expect_eq(tn_world_get_telemetry(world).reports, 0);
    tn_compound_release(compound);
    tn_height_field_release(field);
    tn_world_destroy(world);
}

// Width by height of the first `count` polygons together.
static double measure_polygons(const char *text, size_t count) {
    const char *mark = "<polygon points=\"";
    const char *at = text;
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (size_t n = 0; n < count; n++) {
        at = strstr(at, mark);
        cr_assert_not_null(at);
        at += strlen(mark);
        for (int i = 0; *at != '"'; i++) {
            char *end = NULL;
            double number = strtod(at, &end);
            cr_assert(end != at);
            low[i % 2] = fmin(low[i % 2], number);
            high[i % 2] = fmax(high[i % 2], number);
            at = *end == '"' ? end : end + 1;
        }
    }
    return (high[0] - low[0]) / (high[1] - low[1]);
}

// A cylinder 1 m high and wide with a skin of 0.5 m is 2 m high and wide, one without 1 m high.
Test(plot, draws_the_skin_of_rounded_cylinders) {
    const char *path = tool_get_path("plot_rounded.svg");
    for (int is_rounded = 0; is_rounded < 2; is_rounded++) {
        tn_world *world = tn_world_create(NULL, NULL);
        tn_body_def def = tn_body_def_default();
        tn_body_id body = tn_body_create(world, &def);
        tn_shape_def shape = tn_shape_def_default();
        shape.rounding = is_rounded ? 0.5f : 0.0f;
        tn_cylinder_shape_create(world, body, &shape, 0.5f, is_rounded ? 0.5f : 1.0f);
        drawing_options options = drawing_options_default();
        options.view = DRAWING_VIEW_FRONT;
        drawing_sheet *sheet = drawing_create(&options);
        drawing_add_world(sheet, world, 0.0);
        cr_assert(drawing_save(sheet, path));
        char *text = read_whole(path);
        double proportion = measure_polygons(text, count_text(text, "<polygon"));
        cr_expect(fabs(proportion - (is_rounded ? 1.0 : 2.0)) < 0.02, "%g", proportion);
        free(text);
        drawing_destroy(sheet);
        tn_world_destroy(world);
    }
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
            tn_box_shape_create(world, affine.body, &shape, (tn_vec3){0.3, 0.4, 0.5});
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
        cr_expect(fabs(measure_polygons(text, 1) - 2.0 * ratios[i]) < 0.01);
        free(text);
        drawing_destroy(sheet);
        tn_world_destroy(world);
    }
}

// A ball of 1 m at x = 0 and one at x = 10: a window shows the first alone, twice as large.
Test(plot, panels_stand_below_each_other_and_show_their_windows) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_shape_def shape = tn_shape_def_default();
    for (int i = 0; i < 2; i++) {
        tn_body_def moving = tn_body_def_default();
        moving.pose.position.x = 10.0 * i;
        tn_sphere_shape_create(world, tn_body_create(world, &moving), &shape, 1.0f);
    }
    drawing_sheet *sheets[2];
    double heights[3];
    const char *path = tool_get_path("plot_panels_of_worlds.svg");
    for (int i = 0; i < 3; i++) {
        drawing_options options = drawing_options_default();
        options.view = DRAWING_VIEW_FRONT;
        if (i > 0) {
            options.window = (drawing_window){-1.0, -1.0, 5.0, 1.0};
        }
        if (i < 2) {
            sheets[i] = drawing_create(&options);
            drawing_add_world(sheets[i], world, 0.0);
        }
        cr_assert(i < 2 ? drawing_save(sheets[i], path) : drawing_save_panels(sheets, 2, path));
        char *text = read_whole(path);
        const char *at = strstr(text, "height=\"");
        cr_assert_not_null(at);
        heights[i] = strtod(at + 8, NULL);
        double scale = 0.0, radius = strtod(strstr(text, " r=\"") + 4, NULL);
        scale = i == 1 ? radius : scale;
        cr_expect(i != 1 || fabs(scale - (900.0 - 56.0) / 6.0) < 0.1, "%g", scale);
        free(text);
    }
    cr_expect(fabs(heights[2] - heights[0] - heights[1]) < 1.5, "%g %g %g", heights[0], heights[1],
              heights[2]);
    drawing_destroy(sheets[0]);
    drawing_destroy(sheets[1]);
    cr_expect_not(drawing_save_panels(NULL, 0, path));
    tn_world_destroy(world);
}

// Saves a world as it is seen from the front; free() the text.
static char *draw_front(const tn_world *world, const char *name) {
    drawing_options options = drawing_options_default();
    options.view = DRAWING_VIEW_FRONT;
    drawing_sheet *sheet = drawing_create(&options);
    drawing_add_world(sheet, world, 0.0);
    const char *path = tool_get_path(name);
    cr_assert(drawing_save(sheet, path));
    drawing_destroy(sheet);
    return read_whole(path);
}

static tn_body_id add_box(tn_world *world, double x, double y, float half) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){x, y, 0.0};
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_box_shape_create(world, body, &shape, (tn_vec3){(double)half, (double)half, (double)half});
    return body;
}

// A hinge to the world has a foot; a pulley's rope goes over two wheels.
Test(plot, draws_water_wheels_and_bearings) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id a = add_box(world, -1.0, 0.0, 0.2f), b = add_box(world, 1.0, 0.0, 0.2f);
    char *bare = draw_front(world, "plot_scenery.svg");
    cr_expect_null(strstr(bare, "fill-opacity"));

    tn_buoyancy_force_def water = tn_buoyancy_force_def_default();
    water.base.connector_count = 1;
    water.base.connectors[0].body = a;
    cr_assert_neq(tn_buoyancy_force_create(world, &water).value, 0);
    char *text = draw_front(world, "plot_scenery.svg");
    cr_expect_eq(count_text(text, "fill-opacity"), 1);
    cr_expect_eq(count_text(text, "<polygon"), count_text(bare, "<polygon") + 1);
    free(text);

    tn_pulley_joint_def pulley = tn_pulley_joint_def_default();
    pulley.base.body_a = a;
    pulley.base.body_b = b;
    pulley.ground_a = (tn_vec3){-1.0, 2.0, 0.0};
    pulley.ground_b = (tn_vec3){1.0, 2.0, 0.0};
    tn_joint_id rope = tn_pulley_joint_create(world, &pulley);
    cr_assert_neq(rope.value, 0);
    text = draw_front(world, "plot_scenery.svg");
    cr_expect_eq(count_text(text, "<circle"), 2 * 2 + 1); // two wheels with hubs, and an eye
    free(text);
    tn_joint_destroy(world, rope);

    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, b,
                                      (tn_vec3){1.0, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
    cr_assert_neq(tn_hinge_joint_create(world, &hinge).value, 0);
    text = draw_front(world, "plot_scenery.svg");
    cr_expect_eq(count_text(text, "<polygon"), count_text(bare, "<polygon") + 2); // foot and water
    free(text);
    free(bare);
    tn_world_destroy(world);
}

// The colors of the boxes: what is filled, without doubles.
static size_t count_fills(const char *text) {
    char seen[64][8];
    size_t count = 0;
    for (const char *at = strstr(text, "<polygon"); at != NULL; at = strstr(at + 1, "<polygon")) {
        const char *fill = strstr(at, "fill=\"#");
        size_t i = 0;
        while (i < count && strncmp(seen[i], fill + 7, 6) != 0) {
            i++;
        }
        if (i == count && count < 64) {
            snprintf(seen[count++], sizeof seen[0], "%.6s", fill + 7);
        }
    }
    return count;
}

// Forty boxes alike have ten hues in shades; of three sizes, three hues in three shades.
Test(plot, crowds_have_hues_and_kinds_of_bodies_too) {
    for (int kinds = 1; kinds <= 3; kinds += 2) {
        tn_world *world = tn_world_create(NULL, NULL);
        for (int i = 0; i < 40; i++) {
            add_box(world, i, 0.0, 0.1f * (float)(1 + i % kinds));
        }
        char *text = draw_front(world, "plot_crowd.svg");
        size_t fills = count_fills(text);
        cr_expect(kinds == 1 ? fills >= 10 : fills <= 9, "%zu", fills);
        free(text);
        tn_world_destroy(world);
    }
}

// Seven hundred rods are seven hundred lines; the dots of as many balls would hide their bodies.
Test(plot, threads_of_a_large_net_are_drawn_and_pins_of_a_crowd_are_not) {
    const tn_joint_type types[] = {TN_JOINT_TYPE_DISTANCE, TN_JOINT_TYPE_BALL};
    for (int kind = 0; kind < 2; kind++) {
        tn_world *world = tn_world_create(NULL, NULL);
        tn_body_id last = add_box(world, 0.0, 0.0, 0.1f);
        for (int i = 1; i <= 700; i++) {
            tn_body_id next = add_box(world, i, 0.0, 0.1f);
            tn_distance_joint_def rod = tn_distance_joint_def_default();
            tn_ball_joint_def ball = tn_ball_joint_def_default();
            tn_joint_def *def = kind == 0 ? &rod.base : &ball.base;
            def->body_a = last;
            def->body_b = next;
            tn_joint_id joint = kind == 0 ? tn_distance_joint_create(world, &rod)
                                          : tn_ball_joint_create(world, &ball);
            cr_assert_eq(tn_joint_get_type(world, joint), types[kind]);
            last = next;
        }
        char *text = draw_front(world, "plot_threads.svg");
        cr_expect_eq(count_text(text, "<polyline"), kind == 0 ? 700 : 0);
        cr_expect(kind == 0 || count_text(text, "<circle") == 0);
        free(text);
        tn_world_destroy(world);
    }
}

#else
typedef int test_plot_needs_the_tool;
#endif
