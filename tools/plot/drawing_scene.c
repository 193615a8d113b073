// tools/plot/drawing_scene.c: a scene's run drawn as its scene_picture says.
#include "tools/plot/drawing_scene.h"

#define CLOSE_UP_HEIGHT 640.0 // px

drawing_options drawing_scene_options(const scene *kind) {
    static const drawing_view views[] = {
        [SCENE_VIEW_AUTO] = DRAWING_VIEW_AUTO,     [SCENE_VIEW_FRONT] = DRAWING_VIEW_FRONT,
        [SCENE_VIEW_SIDE] = DRAWING_VIEW_SIDE,     [SCENE_VIEW_TOP] = DRAWING_VIEW_TOP,
        [SCENE_VIEW_CORNER] = DRAWING_VIEW_CORNER,
    };
    drawing_options options = drawing_options_default();
    options.view = views[kind->picture.view];
    return options;
}

bool drawing_scene_close_up(const scene *kind, drawing_options *out) {
    const scene_picture *picture = &kind->picture;
    *out = drawing_scene_options(kind);
    out->view = DRAWING_VIEW_FRONT;
    out->max_height = CLOSE_UP_HEIGHT;
    out->window = (drawing_window){picture->left, picture->bottom, picture->right, picture->top};
    return picture->close_up_time > 0.0;
}

static void drawing_take_line(void *context, scene_pen pen, const tn_vec3 *points, uint32_t count) {
    static const drawing_pen pens[] = {
        [SCENE_PEN_FRAME] = DRAWING_PEN_FRAME,   [SCENE_PEN_GRID] = DRAWING_PEN_GRID,
        [SCENE_PEN_THREAD] = DRAWING_PEN_THREAD, [SCENE_PEN_CURVE] = DRAWING_PEN_CURVE,
        [SCENE_PEN_PLATE] = DRAWING_PEN_PLATE,
    };
    drawing_add_line(context, pens[pen], points, count);
}

void drawing_add_scene(drawing_sheet *sheet, const scene_run *run, double fade) {
    drawing_add_world(sheet, run->world, fade);
    if (run->scene->picture.sketch != NULL) {
        scene_sketch sketch = {drawing_take_line, sheet};
        run->scene->picture.sketch(run, &sketch);
    }
}
