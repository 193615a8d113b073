// tools/tenon/picture.h: a run drawn at several moments, and plots of its energy and joint error.
#ifndef TOOLS_TENON_PICTURE_H
#define TOOLS_TENON_PICTURE_H

#include "tools/plot/drawing_scene.h"
#include "tools/tenon/history.h"
#include "tools/tenon/subject.h"

// One drawing: the whole run, or a scene's close-up of its beginning.
typedef struct run_panel {
    drawing_sheet *sheet;
    uint32_t moments; // how often the world is drawn
    uint32_t steps;   // at which one the last of them is
} run_panel;

typedef struct run_picture {
    run_panel panels[2];
    uint32_t panel_count; // 0: there is no picture
    tn_position *trails;  // of each body that leaves one, `capacity` points each
    uint32_t trail_count, point_count, capacity, stride;
} run_picture;

// `steps` of `dt` is how long the run will be. False when memory cannot be had.
bool picture_create(run_picture *picture, const run_subject *subject, uint32_t steps, double dt,
                    const char *caption);
// After each step, and with step 0 before the first. Nothing where there is no picture.
void picture_step(run_picture *picture, const run_subject *subject, uint32_t step);
// Saves and frees. False when the file could not be written.
bool picture_save(run_picture *picture, const char *path);
bool picture_save_plot(const history *record, const run_subject *subject, const char *path);

#endif
