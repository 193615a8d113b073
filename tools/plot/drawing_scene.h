// tools/plot/drawing_scene.h: a scene's run drawn as its scene_picture says.
#ifndef TOOLS_PLOT_DRAWING_SCENE_H
#define TOOLS_PLOT_DRAWING_SCENE_H

#include "scenes/scene.h"
#include "tools/plot/drawing.h"

// Options of the whole picture, and of the close-up; the second is false where there is none.
drawing_options drawing_scene_options(const scene *kind);
bool drawing_scene_close_up(const scene *kind, drawing_options *out);
// The world as it is now, and the scene's sketch.
void drawing_add_scene(drawing_sheet *sheet, const scene_run *run, double fade);

#endif
