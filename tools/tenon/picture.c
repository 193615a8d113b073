// tools/tenon/picture.c: stroboscopic drawings and plots.
//
// A run of few bodies is drawn at evenly spaced moments, earlier ones paler, with the way of each
// centre of mass as a line. Of many bodies only the end is drawn: moments over each other would
// hide it. A scene may say otherwise, and ask for a second panel.
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

static uint32_t picture_count_moments(const run_subject *subject) {
    uint32_t moving = picture_count_moving(subject);
    if (subject->scene != NULL && subject->scene->scene->picture.moments > 0) {
        return subject->scene->scene->picture.moments;
    }
    uint32_t moments = moving > PICTURE_SOME_BODIES ? PICTURE_FEW_MOMENTS : PICTURE_MOMENTS;
    return moving > PICTURE_MANY_BODIES ? 1 : moments;
}

static void picture_add_panel(run_picture *picture, drawing_options options, const char *title,
                              const char *caption, uint32_t moments, uint32_t steps) {
    options.title = title;
    options.caption = caption;
    picture->panels[picture->panel_count++] =
        (run_panel){drawing_create(&options), moments, steps > 0 ? steps : 1};
}

static void picture_add_panels(run_picture *picture, const run_subject *subject, uint32_t steps,
                               double dt, const char *caption) {
    const scene *kind = subject->scene != NULL ? subject->scene->scene : NULL;
    drawing_options options =
        kind != NULL ? drawing_scene_options(kind) : drawing_options_default();
    uint32_t moments = picture_count_moments(subject);
    picture_add_panel(picture, options, subject->name, caption, moments, steps);
    if (kind != NULL && drawing_scene_close_up(kind, &options)) {
        char text[64];
        double time = kind->picture.close_up_time;
        uint32_t until = (uint32_t)(time / dt + 0.5);
        snprintf(text, sizeof text, "the first %g s, close up", time);
        picture_add_panel(picture, options, NULL, text, moments, until < steps ? until : steps);
    }
}

bool picture_create(run_picture *picture, const run_subject *subject, uint32_t steps, double dt,
                    const char *caption) {
    memset(picture, 0, sizeof *picture);
    uint32_t moving = picture_count_moving(subject);
    picture_add_panels(picture, subject, steps, dt, caption);
    picture->trail_count = moving <= PICTURE_TRAIL_BODIES ? moving : 0;
    picture->stride = steps / PICTURE_TRAIL_POINTS + 1;
    picture->capacity = steps / picture->stride + 2;
    picture->trails =
        calloc((size_t)picture->trail_count * picture->capacity + 1, sizeof *picture->trails);
    bool has_sheets = true;
    for (uint32_t i = 0; i < picture->panel_count; i++) {
        has_sheets = has_sheets && picture->panels[i].sheet != NULL;
    }
    return has_sheets && picture->trails != NULL;
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

// Evenly from the first step to the panel's last; a single moment is that.
static void picture_draw(const run_panel *panel, const run_subject *subject, uint32_t step) {
    uint32_t last = panel->moments > 1 ? panel->moments - 1 : 1;
    for (uint32_t i = panel->moments > 1 ? 0 : 1; i <= last; i++) {
        uint32_t moment = (uint32_t)((uint64_t)panel->steps * i / last);
        if (moment != step) {
            continue;
        }
        double share = (double)i / last;
        double fade = PICTURE_PALEST + (PICTURE_PALE - PICTURE_PALEST) * share;
        fade = i == last ? 0.0 : fade;
        if (subject->scene != NULL) {
            drawing_add_scene(panel->sheet, subject->scene, fade);
        } else {
            drawing_add_world(panel->sheet, subject->world, fade);
        }
        return;
    }
}

void picture_step(run_picture *picture, const run_subject *subject, uint32_t step) {
    bool has_trails = picture->panel_count > 0 && step % picture->stride == 0;
    if (has_trails && picture->point_count < picture->capacity) {
        picture_add_points(picture, subject);
    }
    for (uint32_t i = 0; i < picture->panel_count; i++) {
        picture_draw(&picture->panels[i], subject, step);
    }
}

bool picture_save(run_picture *picture, const char *path) {
    drawing_sheet *sheets[2] = {NULL, NULL};
    for (uint32_t k = 0; k < picture->panel_count; k++) {
        sheets[k] = picture->panels[k].sheet;
        for (uint32_t i = 0; i < picture->trail_count && picture->trails != NULL; i++) {
            drawing_add_trail(sheets[k], picture->trails + i * picture->capacity,
                              picture->point_count, i);
        }
    }
    bool saved = drawing_save_panels(sheets, picture->panel_count, path);
    drawing_destroy(sheets[0]);
    drawing_destroy(sheets[1]);
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
