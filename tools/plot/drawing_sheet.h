// tools/plot/drawing_sheet.h: what the parts of tools/plot/drawing.h share: the list of outlines,
// the projection, a little vector maths in double.
#ifndef TOOLS_PLOT_DRAWING_SHEET_H
#define TOOLS_PLOT_DRAWING_SHEET_H

#include "tools/plot/drawing.h"
#include "tools/plot/svg.h"

#define DRAWING_TEXT_SIZE   160
#define DRAWING_PAPER       0xfbfbfaffu
#define DRAWING_INK         0x2b3138ffu
#define DRAWING_GROUND      0xe4e2ddffu
#define DRAWING_GROUND_LINE 0x8d8a84ffu
#define DRAWING_STATIC      0xc9ccd0ffu
#define DRAWING_FRAME       0xb4b8bdffu
#define DRAWING_WATER       0x4f8fc026u
#define DRAWING_WATER_LINE  0x3f7fb0ffu

typedef enum drawing_layer {
    DRAWING_LAYER_GROUND = 0,
    DRAWING_LAYER_STATIC,
    DRAWING_LAYER_TRAIL,
    DRAWING_LAYER_FRAME, // from here to the marks, each moment covers the one before
    DRAWING_LAYER_BODY,
    DRAWING_LAYER_MARK,
    DRAWING_LAYER_WATER,
    DRAWING_LAYER_LABEL,
} drawing_layer;

typedef enum drawing_kind {
    DRAWING_KIND_POLYGON = 0,
    DRAWING_KIND_POLYLINE,
    DRAWING_KIND_CIRCLE,     // one point, radius in m
    DRAWING_KIND_MARK,       // one point, radius in px
    DRAWING_KIND_HALF_PLANE, // a point on its edge and one inward of it
    DRAWING_KIND_BEARING,    // one point, the pin that it holds
    DRAWING_KIND_TEXT,       // one point, index of the text
} drawing_kind;

typedef struct drawing_item {
    drawing_layer layer;
    drawing_kind kind;
    uint32_t moment, order; // of the world added, of the item
    double depth, radius;
    size_t first, count; // points
    svg_style style;
} drawing_item;

typedef struct drawing_box {
    double left, right, bottom, top;
} drawing_box;

struct drawing_sheet {
    drawing_options options;
    char title[DRAWING_TEXT_SIZE], caption[DRAWING_TEXT_SIZE];
    tn_vec3 right, up, toward;
    bool has_view, failed;
    uint32_t moment;
    double fade; // of that moment
    drawing_item *items;
    size_t item_count, item_capacity;
    svg_point *points;
    size_t point_count, point_capacity;
    char (*texts)[DRAWING_TEXT_SIZE];
    size_t text_count, text_capacity;
    drawing_box moving, still;
};

// What one body is painted with.
typedef struct drawing_brush {
    drawing_layer layer;
    uint32_t color;
    double fade, depth;
    drawing_box *box;
} drawing_brush;

tn_vec3 drawing_axis(uint32_t index, double sign);
double drawing_dot(tn_vec3 a, tn_vec3 b);
tn_vec3 drawing_cross(tn_vec3 a, tn_vec3 b);
tn_vec3 drawing_rotate(tn_quat q, tn_vec3 v);
tn_vec3 drawing_transform(const tn_pose *pose, tn_vec3 point);
tn_pose drawing_multiply(const tn_pose *pose, const tn_pose *local);
svg_point drawing_project(const drawing_sheet *sheet, tn_vec3 p);
// m toward the viewer, in steps: what lies in one plane keeps the order in which it was made.
double drawing_get_depth(const drawing_sheet *sheet, tn_vec3 p);

// The color as it looks after `fade`.
uint32_t drawing_fade(uint32_t color, double fade);
// Zeroed room for `count` handles; free() it.
void *drawing_alloc_ids(uint32_t count, size_t size);
// Adds an item to the list. Null when memory ran out; the sheet remembers that.
drawing_item *drawing_add(drawing_sheet *sheet, drawing_layer layer, drawing_kind kind,
                          const svg_point *points, size_t count, svg_style style);
// The same for a part of a body: its depth is set, and the box of its brush grows.
drawing_item *drawing_add_shape(drawing_sheet *sheet, const drawing_brush *brush, drawing_kind kind,
                                const svg_point *points, size_t count, svg_style style);
void drawing_box_include(drawing_box *box, svg_point p, double radius);

// A mark of that many px, with the color of a line as its edge.
void drawing_add_mark(drawing_sheet *sheet, svg_point at, double radius, svg_style style);
svg_style drawing_get_dot(svg_style stroke);
// A line in the middle of what is before and behind it.
void drawing_add_thread(drawing_sheet *sheet, const svg_point *points, size_t count, double depth,
                        svg_style style);

// drawing_view.c
void drawing_set_view(drawing_sheet *sheet, const tn_world *world);
// The object of an affine body, null of any other.
tn_reduced_id drawing_get_affine(const tn_world *world, tn_body_id body);
// A joint's frame in the world; that of a null body is there already.
tn_pose drawing_joint_frame(const tn_world *world, tn_body_id body, const tn_pose *frame);

// drawing_rope.c: the lines and wheels of pulleys and ropes.
void drawing_add_pulley(drawing_sheet *sheet, const tn_world *world, tn_joint_id joint,
                        const svg_point ends[2], svg_style stroke);
void drawing_add_rope(drawing_sheet *sheet, const tn_world *world, tn_joint_id joint,
                      svg_style stroke);

// drawing_scenery.c: water, springs, and the bearings that hold hinges.
void drawing_add_water(drawing_sheet *sheet, const tn_world *world);
void drawing_add_springs(drawing_sheet *sheet, const tn_world *world);
void drawing_add_bearings(drawing_sheet *sheet, const tn_world *world, const tn_joint_id *joints,
                          uint32_t count);
bool drawing_is_end_on(const drawing_sheet *sheet, const tn_pose *hinge);

// drawing_shape.c
void drawing_add_one_shape(drawing_sheet *sheet, const drawing_brush *brush, const tn_world *world,
                           const tn_pose *body, tn_shape_id shape);

#endif
