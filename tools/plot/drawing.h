// tools/plot/drawing.h: a world drawn from the side, at one moment or at several over each other.
//
//     drawing_options options = drawing_options_default();
//     options.title = "A pendulum";
//     drawing_sheet *sheet = drawing_create(&options);
//     drawing_add_world(sheet, world, 0.8); // an early moment, pale
//     ...
//     drawing_add_world(sheet, world, 0.0); // the last moment, in full color
//     bool saved = drawing_save(sheet, "out/pendulum.svg");
//     drawing_destroy(sheet);
//
// drawing_save_panels() stacks several sheets on one page, such as a whole throw and a close-up.
//
// The projection is parallel. What it shows is chosen when the file is saved: all that moves, the
// places of the joints, and as much of the static bodies as is near.
#ifndef TOOLS_PLOT_DRAWING_H
#define TOOLS_PLOT_DRAWING_H

#include <tenon/machines.h>

typedef enum drawing_view {
    DRAWING_VIEW_AUTO = 0, // up is against gravity; along the hinges, or across the widest extent
    DRAWING_VIEW_FRONT,    // x to the right, y up
    DRAWING_VIEW_SIDE,     // -z to the right, y up
    DRAWING_VIEW_TOP,      // x to the right, -z up
    DRAWING_VIEW_CORNER,   // from a corner above: three sides of a box are seen
} drawing_view;

// A rectangle of the sheet: x along its right, y along its up, m from the world's origin.
typedef struct drawing_window {
    double left, bottom, right, top;
} drawing_window;

typedef struct drawing_options {
    double width;          // px. Default 900
    double max_height;     // px. Default 900
    drawing_view view;     // default AUTO
    drawing_window window; // what is shown. All 0 (default): what moves, and what is near
    bool joints;           // marks at anchors, lines for rods. Default true
    bool contacts;         // dots at contact points. Default false
    const char *title;     // null: none
    const char *caption;   // a line below. Null: none
} drawing_options;

typedef struct drawing_sheet drawing_sheet;

drawing_options drawing_options_default(void);
// `options` null: the default. Texts are copied. Null when memory cannot be had; the functions
// below accept that null and do nothing.
drawing_sheet *drawing_create(const drawing_options *options);
void drawing_destroy(drawing_sheet *sheet);
// Adds the world as it is now over what was added before. `fade` 0: full color, towards 1: paler.
// Static bodies are drawn once, the first time.
void drawing_add_world(drawing_sheet *sheet, const tn_world *world, double fade);
// A thin line through points of the world, in the palette's color of that index.
void drawing_add_trail(drawing_sheet *sheet, const tn_vec3 *points, size_t count,
                       size_t color_index);
typedef enum drawing_pen {
    DRAWING_PEN_FRAME = 0, // broad and grey, behind the bodies: masts, walls, columns
    DRAWING_PEN_GRID,      // thin and grey, behind the bodies
    DRAWING_PEN_THREAD,    // thin and dark
    DRAWING_PEN_CURVE,     // colored
    DRAWING_PEN_PLATE,     // a closed outline that is filled
} drawing_pen;
// A line through points of the world that belongs to the world added last, as pale as that.
void drawing_add_line(drawing_sheet *sheet, drawing_pen pen, const tn_vec3 *points, size_t count);
// A dot with a text beside it.
void drawing_add_label(drawing_sheet *sheet, tn_vec3 at, const char *text);
// False when the file could not be written, or memory ran out on the way.
bool drawing_save(drawing_sheet *sheet, const char *path);
// The same with sheets of one width below each other.
bool drawing_save_panels(drawing_sheet *const *sheets, size_t count, const char *path);

#endif
