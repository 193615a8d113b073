// tools/tenon/picture.c: stroboscopic drawings and plots.
//
// A run of few bodies is drawn at evenly spaced moments, earlier ones paler, with the way of each
// centre of mass as a line. Of many bodies only the end is drawn: moments over each other would
// hide it.
#include "tools/tenon/picture.h"

#include "tools/plot/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PICTURE_MOMENTS      7
#define PICTURE_FEW_MOMENTS  3
#define PICTURE_SOME_BODIES  12 // more are drawn at few moments
#define PICTURE_MANY_BODIES  60 // more are drawn at the end only
#define PICTURE_TRAIL_BODIES 8
#define PICTURE_TRAIL_POINTS 2000
#define PICTURE_PALEST       0.9 // the first moment
#define PICTURE_PALE         0.4 // the last but the end, which has full color

static uint32_t picture_count_moving(const run_subject *subject) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < subject->body_count; i++) {
        count += !subject->bodies[i].is_static;
    }
    return count;
}

bool picture_create(run_picture *picture, const run_subject *subject, uint32_t steps,
                    const char *caption) {
    memset(picture, 0, sizeof *picture);
    uint32_t moving = picture_count_moving(subject);
    drawing_options options = drawing_options_default();
    options.title = subject->name;
    options.caption = caption;
    picture->sheet = drawing_create(&options);
    picture->moments = moving > PICTURE_SOME_BODIES ? PICTURE_FEW_MOMENTS : PICTURE_MOMENTS;
    picture->moments = moving > PICTURE_MANY_BODIES ? 1 : picture->moments;
    picture->trail_count = moving <= PICTURE_TRAIL_BODIES ? moving : 0;
    picture->stride = steps / PICTURE_TRAIL_POINTS + 1;
    picture->capacity = steps / picture->stride + 2;
    picture->trails =
        calloc((size_t)picture->trail_count * picture->capacity + 1, sizeof *picture->trails);
    return picture->sheet != NULL && picture->trails != NULL;
}

static void picture_add_points(run_picture *picture, const run_subject *subject) {
    uint32_t trail = 0;
    for (uint32_t i = 0; i < subject->body_count && trail < picture->trail_count; i++) {
        const subject_body *body = &subject->bodies[i];
        if (!body->is_static && tn_body_is_valid(subject->world, body->id)) {
            picture->trails[trail * picture->capacity + picture->point_count] =
                tn_body_get_center(subject->world, body->id);
        }
        trail += !body->is_static;
    }
    picture->point_count += 1;
}

void picture_step(run_picture *picture, const run_subject *subject, uint32_t step, uint32_t steps) {
    if (step % picture->stride == 0 && picture->point_count < picture->capacity) {
        picture_add_points(picture, subject);
    }
    uint32_t last = picture->moments > 1 ? picture->moments - 1 : 1;
    for (uint32_t i = picture->moments > 1 ? 0 : 1; i <= last; i++) {
        uint32_t moment = (uint32_t)((uint64_t)steps * i / last);
        if (moment == step) {
            double share = (double)i / last;
            double fade = PICTURE_PALEST + (PICTURE_PALE - PICTURE_PALEST) * share;
            drawing_add_world(picture->sheet, subject->world, i == last ? 0.0 : fade);
            return;
        }
    }
}

bool picture_save(run_picture *picture, const char *path) {
    for (uint32_t i = 0; i < picture->trail_count && picture->trails != NULL; i++) {
        drawing_add_trail(picture->sheet, picture->trails + i * picture->capacity,
                          picture->point_count, i);
    }
    bool saved = drawing_save(picture->sheet, path);
    drawing_destroy(picture->sheet);
    free(picture->trails);
    memset(picture, 0, sizeof *picture);
    return saved;
}

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
