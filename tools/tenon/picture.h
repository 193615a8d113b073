// tools/tenon/picture.h: a run drawn at several moments, and plots of its energy and joint error.
#ifndef TOOLS_TENON_PICTURE_H
#define TOOLS_TENON_PICTURE_H

#include "tools/plot/drawing.h"
#include "tools/tenon/history.h"
#include "tools/tenon/subject.h"

typedef struct run_picture {
    drawing_sheet *sheet;
    tn_position *trails; // of each body that leaves one, `capacity` points each
    uint32_t trail_count, point_count, capacity, stride;
    uint32_t moments; // how often the world is drawn
} run_picture;

// `steps` is how long the run will be. False when memory cannot be had.
bool picture_create(run_picture *picture, const run_subject *subject, uint32_t steps,
                    const char *caption);
// After each step, and with step 0 before the first.
void picture_step(run_picture *picture, const run_subject *subject, uint32_t step, uint32_t steps);
// Saves and frees. False when the file could not be written.
bool picture_save(run_picture *picture, const char *path);
bool picture_save_plot(const history *record, const run_subject *subject, const char *path);

#endif
