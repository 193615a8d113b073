// tools/plot/drawing_page.c: the sheet, sorted by depth, at a scale that fits, on a page.
//
// Between shapes the order is that of their centres along the line of sight, which is wrong only
// for long shapes that pass each other closely.
#include "tools/plot/drawing_sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DRAWING_MARGIN       28.0
#define DRAWING_TITLE_HEIGHT 34.0
#define DRAWING_FOOT_HEIGHT  34.0
#define DRAWING_TRAIL_STEP   2.0 // px between the points of a trail

// From metres to page units.
typedef struct drawing_frame {
    drawing_box box; // m
    double scale, left, top, width, height;
} drawing_frame;

static svg_point drawing_to_page(const drawing_frame *frame, svg_point p) {
    return (svg_point){frame->left + (p.x - frame->box.left) * frame->scale,
                       frame->top + (frame->box.top - p.y) * frame->scale};
}

// m: what is shown of the sheet.
static drawing_box drawing_choose_box(const drawing_sheet *sheet) {
    const drawing_window *window = &sheet->options.window;
    if (window->left < window->right && window->bottom < window->top) {
        return (drawing_box){window->left, window->right, window->bottom, window->top};
    }
    drawing_box box = sheet->moving.left <= sheet->moving.right ? sheet->moving : sheet->still;
    if (!(box.left <= box.right)) {
        box = (drawing_box){-1.0, 1.0, -1.0, 1.0};
    }
    double size = fmax(box.right - box.left, box.top - box.bottom);
    size = size > 0.0 ? size : 1.0;
    drawing_box still = sheet->still;
    // Static bodies of about the size of what moves are shown whole, of large ones what is near.
    bool is_large = still.right - still.left > 2.5 * size || still.top - still.bottom > 2.5 * size;
    double near = is_large ? 0.15 * size : 3.0 * size;
    if (still.left <= still.right) {
        box.left = fmin(box.left, fmax(still.left, box.left - near));
        box.right = fmax(box.right, fmin(still.right, box.right + near));
        box.bottom = fmin(box.bottom, fmax(still.bottom, box.bottom - near));
        box.top = fmax(box.top, fmin(still.top, box.top + near));
    }
    double air = 0.05 * size;
    return (drawing_box){box.left - air, box.right + air, box.bottom - air, box.top + air};
}

// `top`: of the page that is left, px.
static drawing_frame drawing_fit(const drawing_sheet *sheet, double top) {
    drawing_box box = drawing_choose_box(sheet);
    drawing_frame frame = {.box = box, .left = DRAWING_MARGIN, .top = top + DRAWING_MARGIN};
    double width = sheet->options.width - 2.0 * DRAWING_MARGIN;
    double height = sheet->options.max_height - 2.0 * DRAWING_MARGIN - DRAWING_FOOT_HEIGHT;
    frame.scale = fmin(width / (box.right - box.left), height / (box.top - box.bottom));
    frame.width = width;
    frame.height = (box.top - box.bottom) * frame.scale;
    // A tall scene stands in the middle of the page.
    double spare = 0.5 * (width / frame.scale - (box.right - box.left));
    frame.box.left -= spare;
    frame.box.right += spare;
    if (sheet->title[0] != '\0') {
        frame.top = top + DRAWING_TITLE_HEIGHT + 8.0;
    }
    return frame;
}

static int drawing_compare_items(const void *a, const void *b) {
    const drawing_item *p = a;
    const drawing_item *q = b;
    // Marks belong to their moment: those of an early one are covered by later bodies.
    bool p_moves = p->layer >= DRAWING_LAYER_FRAME && p->layer <= DRAWING_LAYER_MARK;
    bool q_moves = q->layer >= DRAWING_LAYER_FRAME && q->layer <= DRAWING_LAYER_MARK;
    if (p_moves && q_moves && p->moment != q->moment) {
        return p->moment < q->moment ? -1 : 1;
    }
    if (p->layer != q->layer) {
        return p->layer < q->layer ? -1 : 1;
    }
    if (p->depth != q->depth) {
        return p->depth < q->depth ? -1 : 1;
    }
    return (p->order > q->order) - (p->order < q->order);
}

static void drawing_paint_half_plane(svg_page *page, const drawing_frame *frame,
                                     const drawing_item *item, const svg_point *points) {
    svg_point edge = drawing_to_page(frame, points[0]);
    svg_point inside = drawing_to_page(frame, points[1]);
    double x = (inside.x - edge.x) / frame->scale;
    double y = (inside.y - edge.y) / frame->scale;
    double far = 4.0 * (frame->width + frame->height);
    // The foot of the drawing's middle on the edge, so that the corners lie far beyond the page.
    svg_point middle = {frame->left + 0.5 * frame->width, frame->top + 0.5 * frame->height};
    double along = -(middle.x - edge.x) * y + (middle.y - edge.y) * x;
    svg_point foot = {edge.x - along * y, edge.y + along * x};
    svg_point quad[4] = {{foot.x - far * y, foot.y + far * x},
                         {foot.x + far * y, foot.y - far * x},
                         {foot.x + far * y + far * x, foot.y - far * x + far * y},
                         {foot.x - far * y + far * x, foot.y + far * x + far * y}};
    svg_page_add_polygon(page, quad, 4, item->style);
}

// A pin stands on a foot on the ground.
static void drawing_paint_bearing(svg_page *page, svg_point pin, svg_style style) {
    const double half = 8.0, height = 12.0;
    svg_point foot[3] = {pin, {pin.x - half, pin.y + height}, {pin.x + half, pin.y + height}};
    svg_page_add_polygon(page, foot, 3, style);
    svg_style line = {.stroke = style.stroke, .stroke_width = style.stroke_width};
    svg_page_add_line(page, (svg_point){pin.x - half - 4.0, pin.y + height},
                      (svg_point){pin.x + half + 4.0, pin.y + height}, line);
    for (int i = 0; i < 4; i++) {
        double x = pin.x - half + 5.0 * i;
        svg_page_add_line(page, (svg_point){x, pin.y + height},
                          (svg_point){x - 4.0, pin.y + height + 5.0}, line);
    }
}

static void drawing_paint_label(const drawing_sheet *sheet, svg_page *page,
                                const drawing_item *item, svg_point at) {
    const char *text = sheet->texts[(size_t)item->radius];
    svg_font font = {.size = 12.0, .color = DRAWING_INK};
    bool is_right = at.x + svg_text_width(text, 12.0) > sheet->options.width - DRAWING_MARGIN;
    font.anchor = is_right ? SVG_ANCHOR_END : SVG_ANCHOR_START;
    svg_page_add_circle(page, at, 2.0, item->style);
    svg_page_add_text(page, (svg_point){at.x + (is_right ? -6.0 : 6.0), at.y - 5.0}, font, text);
}

// Leaves out points of a line that are nearly at the one before; the last stays.
static size_t drawing_thin(svg_point *points, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_far = kept == 0 || hypot(points[i].x - points[kept - 1].x,
                                         points[i].y - points[kept - 1].y) > DRAWING_TRAIL_STEP;
        if (is_far || i + 1 == count) {
            points[kept++] = points[i];
        }
    }
    return kept;
}

static void drawing_paint_item(const drawing_sheet *sheet, svg_page *page,
                               const drawing_frame *frame, const drawing_item *item,
                               svg_point *buffer) {
    const svg_point *points = sheet->points + item->first;
    for (size_t i = 0; i < item->count; i++) {
        buffer[i] = drawing_to_page(frame, points[i]);
    }
    size_t count =
        item->layer == DRAWING_LAYER_TRAIL ? drawing_thin(buffer, item->count) : item->count;
    switch (item->kind) {
    case DRAWING_KIND_POLYGON:
        svg_page_add_polygon(page, buffer, count, item->style);
        break;
    case DRAWING_KIND_POLYLINE:
        svg_page_add_polyline(page, buffer, count, item->style);
        break;
    case DRAWING_KIND_CIRCLE:
        svg_page_add_circle(page, buffer[0], item->radius * frame->scale, item->style);
        break;
    case DRAWING_KIND_MARK:
        svg_page_add_circle(page, buffer[0], item->radius, item->style);
        break;
    case DRAWING_KIND_HALF_PLANE:
        drawing_paint_half_plane(page, frame, item, points);
        break;
    case DRAWING_KIND_BEARING:
        drawing_paint_bearing(page, buffer[0], item->style);
        break;
    case DRAWING_KIND_TEXT:
        drawing_paint_label(sheet, page, item, buffer[0]);
        break;
    }
}

// A bar of 1, 2 or 5 times a power of ten of a metre, about an eighth of the page.
static void drawing_paint_scale_bar(svg_page *page, const drawing_frame *frame, double baseline) {
    double wanted = 0.125 * frame->width / frame->scale;
    double length = pow(10.0, floor(log10(wanted)));
    if (5.0 * length <= wanted) {
        length *= 5.0;
    } else if (2.0 * length <= wanted) {
        length *= 2.0;
    }
    char text[32];
    snprintf(text, sizeof text, length < 1.0 ? "%g mm" : "%g m",
             length < 1.0 ? 1e3 * length : length);
    double right = frame->left + frame->width;
    double left = right - length * frame->scale;
    svg_style style = {.stroke = DRAWING_INK, .stroke_width = 1.2};
    svg_page_add_line(page, (svg_point){left, baseline}, (svg_point){right, baseline}, style);
    svg_page_add_line(page, (svg_point){left, baseline - 4.0}, (svg_point){left, baseline + 4.0},
                      style);
    svg_page_add_line(page, (svg_point){right, baseline - 4.0}, (svg_point){right, baseline + 4.0},
                      style);
    svg_font font = {.size = 11.0, .color = DRAWING_INK, .anchor = SVG_ANCHOR_END};
    svg_page_add_text(page, (svg_point){left - 8.0, baseline + 4.0}, font, text);
}

static void drawing_paint(const drawing_sheet *sheet, svg_page *page, const drawing_frame *frame,
                          double top, svg_point *buffer) {
    svg_page_set_clip(page, (svg_point){frame->left, frame->top}, frame->width, frame->height);
    for (size_t i = 0; i < sheet->item_count; i++) {
        drawing_paint_item(sheet, page, frame, &sheet->items[i], buffer);
    }
    svg_page_clear_clip(page);
    svg_font title = {.size = 15.0, .color = DRAWING_INK, .is_bold = true};
    svg_page_add_text(page, (svg_point){DRAWING_MARGIN, top + 26.0}, title, sheet->title);
    double baseline = frame->top + frame->height + 0.6 * DRAWING_FOOT_HEIGHT;
    svg_font font = {.size = 11.0, .color = DRAWING_INK};
    svg_page_add_text(page, (svg_point){DRAWING_MARGIN, baseline + 4.0}, font, sheet->caption);
    drawing_paint_scale_bar(page, frame, baseline);
}

static double drawing_get_bottom(const drawing_frame *frame) {
    return frame->top + frame->height + DRAWING_FOOT_HEIGHT + 6.0;
}

// The panel below `top`; the height of the page up to its end, or 0 when memory ran out. Without a
// page it only measures.
static double drawing_paint_panel(drawing_sheet *sheet, svg_page *page, double top) {
    drawing_frame frame = drawing_fit(sheet, top);
    if (page == NULL) {
        return drawing_get_bottom(&frame);
    }
    svg_point *buffer = calloc(sheet->point_count + 1, sizeof *buffer);
    if (buffer == NULL) {
        return 0.0;
    }
    if (sheet->item_count > 0) {
        qsort(sheet->items, sheet->item_count, sizeof *sheet->items, drawing_compare_items);
    }
    drawing_paint(sheet, page, &frame, top, buffer);
    free(buffer);
    return drawing_get_bottom(&frame);
}

bool drawing_save_panels(drawing_sheet *const *sheets, size_t count, const char *path) {
    double height = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (sheets[i] == NULL || sheets[i]->failed) {
            return false;
        }
        height = drawing_paint_panel(sheets[i], NULL, height);
    }
    if (count == 0) {
        return false;
    }
    svg_page *page = svg_page_create(sheets[0]->options.width, height, DRAWING_PAPER);
    double top = 0.0;
    bool saved = page != NULL;
    for (size_t i = 0; i < count && saved; i++) {
        top = drawing_paint_panel(sheets[i], page, top);
        saved = top > 0.0;
    }
    saved = saved && svg_page_save(page, path);
    svg_page_destroy(page);
    return saved;
}

bool drawing_save(drawing_sheet *sheet, const char *path) {
    return drawing_save_panels(&sheet, 1, path);
}
