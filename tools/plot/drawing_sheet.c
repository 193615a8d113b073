// tools/plot/drawing_sheet.c: the list of outlines in metres that a drawing is until it is saved.
#include "tools/plot/drawing_sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWING_DEPTH_STEP 1e-4 // m

double drawing_dot(tn_vec3 a, tn_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

tn_vec3 drawing_cross(tn_vec3 a, tn_vec3 b) {
    return (tn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

tn_vec3 drawing_rotate(tn_quat q, tn_vec3 v) {
    tn_vec3 u = {q.x, q.y, q.z};
    tn_vec3 t = drawing_cross(u, v);
    t = (tn_vec3){2.0 * t.x, 2.0 * t.y, 2.0 * t.z};
    tn_vec3 s = drawing_cross(u, t);
    return (tn_vec3){v.x + q.w * t.x + s.x, v.y + q.w * t.y + s.y, v.z + q.w * t.z + s.z};
}

tn_vec3 drawing_transform(const tn_pose *pose, tn_vec3 point) {
    tn_vec3 turned = drawing_rotate(pose->rotation, point);
    return (tn_vec3){pose->position.x + turned.x, pose->position.y + turned.y,
                     pose->position.z + turned.z};
}

tn_pose drawing_multiply(const tn_pose *pose, const tn_pose *local) {
    double x = local->rotation.x, y = local->rotation.y, z = local->rotation.z;
    double w = local->rotation.w;
    tn_quat q = pose->rotation;
    tn_pose result = {.position = drawing_transform(pose, local->position)};
    result.rotation.x = q.w * x + q.x * w + q.y * z - q.z * y;
    result.rotation.y = q.w * y - q.x * z + q.y * w + q.z * x;
    result.rotation.z = q.w * z + q.x * y - q.y * x + q.z * w;
    result.rotation.w = q.w * w - q.x * x - q.y * y - q.z * z;
    return result;
}

svg_point drawing_project(const drawing_sheet *sheet, tn_vec3 p) {
    return (svg_point){drawing_dot(p, sheet->right), drawing_dot(p, sheet->up)};
}

double drawing_get_depth(const drawing_sheet *sheet, tn_vec3 p) {
    return DRAWING_DEPTH_STEP * floor(drawing_dot(p, sheet->toward) / DRAWING_DEPTH_STEP + 0.5);
}

tn_vec3 drawing_axis(uint32_t index, double sign) {
    tn_vec3 axis = {0.0, 0.0, 0.0};
    double *parts[] = {&axis.x, &axis.y, &axis.z};
    *parts[index] = sign;
    return axis;
}

uint32_t drawing_fade(uint32_t color, double fade) {
    return svg_color_mix(color, DRAWING_PAPER, 0.8 * fade);
}

static bool drawing_grow(void **memory, size_t *capacity, size_t needed, size_t size) {
    if (needed <= *capacity) {
        return true;
    }
    size_t larger = 2 * needed + 64;
    void *grown = realloc(*memory, larger * size);
    if (grown == NULL) {
        return false;
    }
    *memory = grown;
    *capacity = larger;
    return true;
}

drawing_item *drawing_add(drawing_sheet *sheet, drawing_layer layer, drawing_kind kind,
                          const svg_point *points, size_t count, svg_style style) {
    void *items = sheet->items;
    void *all = sheet->points;
    bool ok =
        drawing_grow(&items, &sheet->item_capacity, sheet->item_count + 1, sizeof *sheet->items);
    ok = drawing_grow(&all, &sheet->point_capacity, sheet->point_count + count,
                      sizeof *sheet->points) &&
         ok;
    sheet->items = items;
    sheet->points = all;
    if (!ok) {
        sheet->failed = true;
        return NULL;
    }
    drawing_item *item = &sheet->items[sheet->item_count];
    *item = (drawing_item){.layer = layer, .kind = kind, .moment = sheet->moment, .style = style};
    item->order = (uint32_t)sheet->item_count;
    item->first = sheet->point_count;
    item->count = count;
    memcpy(sheet->points + sheet->point_count, points, count * sizeof *points);
    sheet->item_count += 1;
    sheet->point_count += count;
    return item;
}

static drawing_box drawing_box_empty(void) {
    double far = (double)INFINITY;
    return (drawing_box){far, -far, far, -far};
}

void drawing_box_include(drawing_box *box, svg_point p, double radius) {
    box->left = fmin(box->left, p.x - radius);
    box->right = fmax(box->right, p.x + radius);
    box->bottom = fmin(box->bottom, p.y - radius);
    box->top = fmax(box->top, p.y + radius);
}

drawing_options drawing_options_default(void) {
    return (drawing_options){.width = 900.0, .max_height = 900.0, .joints = true};
}

drawing_sheet *drawing_create(const drawing_options *options) {
    drawing_sheet *sheet = calloc(1, sizeof *sheet);
    if (sheet == NULL) {
        return NULL;
    }
    sheet->options = options != NULL ? *options : drawing_options_default();
    const char *title = sheet->options.title;
    const char *caption = sheet->options.caption;
    snprintf(sheet->title, sizeof sheet->title, "%s", title != NULL ? title : "");
    snprintf(sheet->caption, sizeof sheet->caption, "%s", caption != NULL ? caption : "");
    sheet->moving = drawing_box_empty();
    sheet->still = drawing_box_empty();
    return sheet;
}

void drawing_destroy(drawing_sheet *sheet) {
    if (sheet != NULL) {
        free(sheet->items);
        free(sheet->points);
        free(sheet->texts);
        free(sheet);
    }
}

void *drawing_alloc_ids(uint32_t count, size_t size) {
    return calloc(count > 0 ? count : 1, size);
}

drawing_item *drawing_add_shape(drawing_sheet *sheet, const drawing_brush *brush, drawing_kind kind,
                                const svg_point *points, size_t count, svg_style style) {
    drawing_item *item = drawing_add(sheet, brush->layer, kind, points, count, style);
    if (item != NULL) {
        item->depth = brush->depth;
        for (size_t i = 0; i < count; i++) {
            drawing_box_include(brush->box, points[i], 0.0);
        }
    }
    return item;
}

void drawing_add_mark(drawing_sheet *sheet, svg_point at, double radius, svg_style style) {
    drawing_item *item = drawing_add(sheet, DRAWING_LAYER_MARK, DRAWING_KIND_MARK, &at, 1, style);
    if (item != NULL) {
        item->radius = radius;
        drawing_box_include(&sheet->moving, at, 0.0);
    }
}

svg_style drawing_get_dot(svg_style stroke) {
    return (svg_style){.fill = DRAWING_PAPER, .stroke = stroke.stroke, .stroke_width = 1.1};
}

void drawing_add_thread(drawing_sheet *sheet, const svg_point *points, size_t count, double depth,
                        svg_style style) {
    drawing_item *item =
        drawing_add(sheet, DRAWING_LAYER_BODY, DRAWING_KIND_POLYLINE, points, count, style);
    if (item != NULL) {
        item->depth = depth;
    }
}

// A line through points of the world. Null when memory ran out, or there is no line.
static drawing_item *drawing_add_path(drawing_sheet *sheet, drawing_layer layer,
                                      const tn_vec3 *points, size_t count, svg_style style) {
    if (sheet == NULL || !sheet->has_view || count < 2) {
        return NULL;
    }
    svg_point *line = malloc(count * sizeof *line);
    if (line == NULL) {
        sheet->failed = true;
        return NULL;
    }
    double depth = 0.0;
    for (size_t i = 0; i < count; i++) {
        line[i] = drawing_project(sheet, points[i]);
        depth += drawing_get_depth(sheet, points[i]) / (double)count;
        drawing_box_include(&sheet->moving, line[i], 0.0);
    }
    drawing_item *item = drawing_add(sheet, layer, DRAWING_KIND_POLYLINE, line, count, style);
    if (item != NULL) {
        item->depth = depth;
    }
    free(line);
    return item;
}

void drawing_add_trail(drawing_sheet *sheet, const tn_vec3 *points, size_t count,
                       size_t color_index) {
    uint32_t color = svg_color_fade(svg_color_palette(color_index), 0.75);
    svg_style style = {.stroke = color, .stroke_width = 1.2};
    drawing_add_path(sheet, DRAWING_LAYER_TRAIL, points, count, style);
}

void drawing_add_line(drawing_sheet *sheet, drawing_pen pen, const tn_vec3 *points, size_t count) {
    static const svg_style styles[] = {
        [DRAWING_PEN_FRAME] = {.stroke = DRAWING_FRAME, .stroke_width = 5.0},
        [DRAWING_PEN_GRID] = {.stroke = DRAWING_FRAME, .stroke_width = 0.8},
        [DRAWING_PEN_THREAD] = {.stroke = DRAWING_INK, .stroke_width = 1.1},
        [DRAWING_PEN_CURVE] = {.stroke = 0xb5524effu, .stroke_width = 2.2},
        [DRAWING_PEN_PLATE] = {.fill = 0x9aa3adffu, .stroke = DRAWING_INK, .stroke_width = 0.9},
    };
    if (sheet == NULL) {
        return;
    }
    svg_style style = styles[pen];
    style.stroke = drawing_fade(style.stroke, sheet->fade);
    style.fill = (style.fill & 0xffu) != 0 ? drawing_fade(style.fill, sheet->fade) : style.fill;
    bool is_behind = pen == DRAWING_PEN_FRAME || pen == DRAWING_PEN_GRID;
    drawing_layer layer = is_behind ? DRAWING_LAYER_FRAME : DRAWING_LAYER_BODY;
    drawing_item *item = drawing_add_path(sheet, layer, points, count, style);
    if (item != NULL && pen == DRAWING_PEN_PLATE) {
        item->kind = DRAWING_KIND_POLYGON;
    }
}

void drawing_add_label(drawing_sheet *sheet, tn_vec3 at, const char *text) {
    if (sheet == NULL || !sheet->has_view) {
        return;
    }
    void *texts = sheet->texts;
    if (!drawing_grow(&texts, &sheet->text_capacity, sheet->text_count + 1, sizeof *sheet->texts)) {
        sheet->failed = true;
        return;
    }
    sheet->texts = texts;
    snprintf(sheet->texts[sheet->text_count], DRAWING_TEXT_SIZE, "%s", text);
    svg_point point = drawing_project(sheet, at);
    svg_style style = {.fill = DRAWING_INK};
    drawing_item *item =
        drawing_add(sheet, DRAWING_LAYER_LABEL, DRAWING_KIND_TEXT, &point, 1, style);
    if (item != NULL) {
        item->radius = (double)sheet->text_count;
        sheet->text_count += 1;
        drawing_box_include(&sheet->moving, point, 0.0);
    }
}
