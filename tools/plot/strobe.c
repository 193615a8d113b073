// tools/plot/strobe.c: stroboscopic drawings.
//
// A run of few bodies is drawn at evenly spaced moments, earlier ones paler, with the way of each
// centre of mass as a line. Of many bodies only the end is drawn: moments over each other would
// hide it. A scene may say otherwise, and ask for a second panel.
#include "tools/plot/strobe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STROBE_MOMENTS      7
#define STROBE_FEW_MOMENTS  3
#define STROBE_SOME_BODIES  12 // more are drawn at few moments
#define STROBE_MANY_BODIES  60 // more are drawn at the end only
#define STROBE_TRAIL_BODIES 8
#define STROBE_TRAIL_POINTS 2000
#define STROBE_PALEST       0.9 // the first moment
#define STROBE_PALE         0.4 // the last but the end, which has full color

// Gathers the bodies that move, of which few leave trails. False when memory cannot be had.
static bool strobe_gather(strobe *picture, uint32_t *out_moving) {
    uint32_t count = tn_world_count_bodies(picture->world);
    picture->trailing = calloc((size_t)count + 1u, sizeof *picture->trailing);
    *out_moving = 0;
    if (picture->trailing == NULL) {
        return false;
    }
    tn_world_get_bodies(picture->world, picture->trailing, count);
    for (uint32_t i = 0; i < count; i++) {
        tn_body_id body = picture->trailing[i];
        if (tn_body_get_type(picture->world, body) != TN_BODY_TYPE_STATIC) {
            picture->trailing[*out_moving] = body;
            *out_moving += 1;
        }
    }
    picture->trail_count = *out_moving <= STROBE_TRAIL_BODIES ? *out_moving : 0;
    return true;
}

static uint32_t strobe_count_moments(const strobe *picture, uint32_t moving) {
    if (picture->run != NULL && picture->run->scene->picture.moments > 0) {
        return picture->run->scene->picture.moments;
    }
    uint32_t moments = moving > STROBE_SOME_BODIES ? STROBE_FEW_MOMENTS : STROBE_MOMENTS;
    return moving > STROBE_MANY_BODIES ? 1 : moments;
}

static void strobe_add_panel(strobe *picture, drawing_options options, const char *title,
                             const char *caption, uint32_t moments, uint32_t steps) {
    options.title = title;
    options.caption = caption;
    picture->panels[picture->panel_count++] =
        (strobe_panel){drawing_create(&options), moments, steps > 0 ? steps : 1};
}

bool strobe_create(strobe *picture, const tn_world *world, const scene_run *run, const char *title,
                   const char *caption, uint32_t steps, double dt) {
    *picture = (strobe){.world = world, .run = run};
    uint32_t moving = 0;
    bool is_good = strobe_gather(picture, &moving);
    uint32_t moments = strobe_count_moments(picture, moving);
    drawing_options options =
        run != NULL ? drawing_scene_options(run->scene) : drawing_options_default();
    strobe_add_panel(picture, options, title, caption, moments, steps);
    if (run != NULL && drawing_scene_close_up(run->scene, &options)) {
        char text[64];
        double time = run->scene->picture.close_up_time;
        uint32_t until = (uint32_t)(time / dt + 0.5);
        snprintf(text, sizeof text, "the first %g s, close up", time);
        strobe_add_panel(picture, options, NULL, text, moments, until < steps ? until : steps);
    }
    picture->stride = steps / STROBE_TRAIL_POINTS + 1;
    picture->capacity = steps / picture->stride + 2;
    picture->trails =
        calloc((size_t)picture->trail_count * picture->capacity + 1, sizeof *picture->trails);
    for (uint32_t i = 0; i < picture->panel_count; i++) {
        is_good = is_good && picture->panels[i].sheet != NULL;
    }
    return is_good && picture->trails != NULL;
}

static void strobe_add_points(strobe *picture) {
    for (uint32_t i = 0; i < picture->trail_count; i++) {
        if (tn_body_is_valid(picture->world, picture->trailing[i])) {
            picture->trails[i * picture->capacity + picture->point_count] =
                tn_body_get_center(picture->world, picture->trailing[i]);
        }
    }
    picture->point_count += 1;
}

// Evenly from the first step to the panel's last; a single moment is that.
static void strobe_draw(const strobe *picture, const strobe_panel *panel, uint32_t step) {
    uint32_t last = panel->moments > 1 ? panel->moments - 1 : 1;
    for (uint32_t i = panel->moments > 1 ? 0 : 1; i <= last; i++) {
        uint32_t moment = (uint32_t)((uint64_t)panel->steps * i / last);
        if (moment != step) {
            continue;
        }
        double share = (double)i / last;
        double fade = STROBE_PALEST + (STROBE_PALE - STROBE_PALEST) * share;
        fade = i == last ? 0.0 : fade;
        if (picture->run != NULL) {
            drawing_add_scene(panel->sheet, picture->run, fade);
        } else {
            drawing_add_world(panel->sheet, picture->world, fade);
        }
        return;
    }
}

void strobe_step(strobe *picture, uint32_t step) {
    bool has_trails = picture->panel_count > 0 && step % picture->stride == 0;
    if (has_trails && picture->point_count < picture->capacity) {
        strobe_add_points(picture);
    }
    for (uint32_t i = 0; i < picture->panel_count; i++) {
        strobe_draw(picture, &picture->panels[i], step);
    }
}

bool strobe_save(strobe *picture, const char *path) {
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
    free(picture->trailing);
    free(picture->trails);
    memset(picture, 0, sizeof *picture);
    return saved;
}
