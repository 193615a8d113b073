// tools/plot/strobe.h: a run drawn at several moments over each other, with trails.
//
//     strobe picture;
//     strobe_create(&picture, world, run, "pendulum", "a caption", steps, dt);
//     for (uint32_t step = 0; step <= steps; step++) {
//         strobe_step(&picture, step); // before the first step, and after each
//         ...
//     }
//     bool saved = strobe_save(&picture, "out/pendulum.svg");
#ifndef TOOLS_PLOT_STROBE_H
#define TOOLS_PLOT_STROBE_H

#include "tools/plot/drawing_scene.h"

// One drawing: the whole run, or a scene's close-up of its beginning.
typedef struct strobe_panel {
    drawing_sheet *sheet;
    uint32_t moments; // how often the world is drawn
    uint32_t steps;   // at which one the last of them is
} strobe_panel;

typedef struct strobe {
    const tn_world *world;
    const scene_run *run; // null: not of a scene
    strobe_panel panels[2];
    uint32_t panel_count; // 0: there is no picture
    tn_body_id *trailing; // bodies that leave a trail
    tn_vec3 *trails;      // `capacity` points of each
    uint32_t trail_count, point_count, capacity, stride;
} strobe;

// `steps` of `dt` is how long the run will be. `run`: the scene's run that the world is of, or
// null. False when memory cannot be had; strobe_save frees what there is.
bool strobe_create(strobe *picture, const tn_world *world, const scene_run *run, const char *title,
                   const char *caption, uint32_t steps, double dt);
// After each step, and with step 0 before the first. Nothing where all is zero.
void strobe_step(strobe *picture, uint32_t step);
// Saves and frees. False when the file could not be written.
bool strobe_save(strobe *picture, const char *path);

#endif
