// tools/plot/svg.c: collects SVG elements as text in one growing buffer and writes it to a file.
//
// Numbers are printed with two decimals: a hundredth of a page unit is below what any screen shows,
// and it keeps files with thousands of shapes small.
#include "tools/plot/svg.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct svg_page {
    char *text;
    size_t length, capacity;
    double width, height;
    uint32_t clip_count;
    bool failed;
};

static void svg_append(svg_page *page, const char *format, ...) {
    if (page->failed) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int needed = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    size_t end = page->length + (needed > 0 ? (size_t)needed : 0) + 1;
    if (end > page->capacity) {
        size_t capacity = 2 * end;
        char *text = realloc(page->text, capacity);
        if (text == NULL) {
            page->failed = true;
            va_end(again);
            return;
        }
        page->text = text;
        page->capacity = capacity;
    }
    vsnprintf(page->text + page->length, page->capacity - page->length, format, again);
    va_end(again);
    page->length = end - 1;
}

svg_page *svg_page_create(double width, double height, uint32_t background) {
    svg_page *page = calloc(1, sizeof *page);
    if (page == NULL) {
        return NULL;
    }
    page->width = width;
    page->height = height;
    svg_append(page,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
               "viewBox=\"0 0 %.2f %.2f\" font-family=\"Helvetica, Arial, sans-serif\" "
               "stroke-linejoin=\"round\" stroke-linecap=\"round\">\n",
               width, height, width, height);
    svg_style style = {.fill = background};
    svg_page_add_rectangle(page, (svg_point){0, 0}, width, height, style);
    return page;
}

void svg_page_destroy(svg_page *page) {
    if (page != NULL) {
        free(page->text);
        free(page);
    }
}

bool svg_page_save(const svg_page *page, const char *path) {
    if (page == NULL || page->failed) {
        return false;
    }
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    bool written = fwrite(page->text, 1, page->length, file) == page->length;
    written = fputs("</svg>\n", file) >= 0 && written;
    return fclose(file) == 0 && written;
}

static void svg_append_color(svg_page *page, const char *name, uint32_t color) {
    uint32_t alpha = color & 0xffu;
    if (alpha == 0) {
        svg_append(page, " %s=\"none\"", name);
        return;
    }
    svg_append(page, " %s=\"#%06x\"", name, (unsigned)(color >> 8));
    if (alpha < 0xffu) {
        svg_append(page, " %s-opacity=\"%.2f\"", name, alpha / 255.0);
    }
}

static void svg_append_style(svg_page *page, svg_style style) {
    svg_append_color(page, "fill", style.fill);
    if ((style.stroke & 0xffu) != 0) {
        svg_append_color(page, "stroke", style.stroke);
        svg_append(page, " stroke-width=\"%.2f\"", style.stroke_width);
        if (style.dash > 0.0) {
            svg_append(page, " stroke-dasharray=\"%.1f\"", style.dash);
        }
    }
    svg_append(page, "/>\n");
}

void svg_page_add_line(svg_page *page, svg_point a, svg_point b, svg_style style) {
    svg_append(page, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"", a.x, a.y, b.x, b.y);
    svg_append_style(page, style);
}

static void svg_append_points(svg_page *page, const char *element, const svg_point *points,
                              size_t count, svg_style style) {
    svg_append(page, "<%s points=\"", element);
    for (size_t i = 0; i < count; i++) {
        svg_append(page, i == 0 ? "%.2f,%.2f" : " %.2f,%.2f", points[i].x, points[i].y);
    }
    svg_append(page, "\"");
    svg_append_style(page, style);
}

void svg_page_add_polyline(svg_page *page, const svg_point *points, size_t count, svg_style style) {
    svg_append_points(page, "polyline", points, count, style);
}

void svg_page_add_polygon(svg_page *page, const svg_point *points, size_t count, svg_style style) {
    svg_append_points(page, "polygon", points, count, style);
}

void svg_page_add_circle(svg_page *page, svg_point center, double radius, svg_style style) {
    svg_append(page, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", center.x, center.y, radius);
    svg_append_style(page, style);
}

void svg_page_add_rectangle(svg_page *page, svg_point corner, double width, double height,
                            svg_style style) {
    svg_append(page, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", corner.x,
               corner.y, width, height);
    svg_append_style(page, style);
}

const char *svg_escape(char c) {
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    default:
        return NULL;
    }
}

static void svg_append_escaped(svg_page *page, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        const char one[2] = {*c, '\0'}, *escaped = svg_escape(*c);
        svg_append(page, "%s", escaped != NULL ? escaped : one);
    }
}

void svg_page_add_text(svg_page *page, svg_point at, svg_font font, const char *text) {
    static const char *const anchors[] = {"start", "middle", "end"};
    svg_append(page, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.1f\" text-anchor=\"%s\"", at.x,
               at.y, font.size, anchors[font.anchor]);
    svg_append_color(page, "fill", font.color);
    if (font.is_bold) {
        svg_append(page, " font-weight=\"600\"");
    }
    if (font.turn != 0.0) {
        svg_append(page, " transform=\"rotate(%.1f %.2f %.2f)\"", -font.turn, at.x, at.y);
    }
    svg_append(page, ">");
    svg_append_escaped(page, text);
    svg_append(page, "</text>\n");
}

void svg_page_set_clip(svg_page *page, svg_point corner, double width, double height) {
    page->clip_count += 1;
    unsigned clip = page->clip_count;
    svg_append(
        page,
        "<clipPath id=\"clip%u\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>"
        "</clipPath>\n<g clip-path=\"url(#clip%u)\">\n",
        clip, corner.x, corner.y, width, height, clip);
}

void svg_page_clear_clip(svg_page *page) {
    svg_append(page, "</g>\n");
}

uint32_t svg_color_fade(uint32_t color, double share) {
    double alpha = (double)(color & 0xffu) * share;
    return (color & 0xffffff00u) | (uint32_t)(alpha + 0.5);
}

uint32_t svg_color_mix(uint32_t a, uint32_t b, double share) {
    uint32_t mixed = a & 0xffu;
    for (unsigned shift = 8; shift < 32; shift += 8) {
        double from = (double)(a >> shift & 0xffu);
        double to = (double)(b >> shift & 0xffu);
        mixed |= (uint32_t)(from + (to - from) * share + 0.5) << shift;
    }
    return mixed;
}

uint32_t svg_color_palette(size_t index) {
    static const uint32_t colors[SVG_PALETTE_SIZE] = {
        0x3b6ea5ffu, 0xd9823bffu, 0x5a9a68ffu, 0xb5524effu, 0x7d6bacffu,
        0x8a6d54ffu, 0xc776a4ffu, 0x3f9aa6ffu, 0xb3a03cffu, 0x6b7785ffu,
    };
    return colors[index % SVG_PALETTE_SIZE];
}

double svg_text_width(const char *text, double size) {
    size_t count = 0;
    for (const char *c = text; *c != '\0'; c++) {
        // The bytes 10xxxxxx continue a character of UTF-8.
        count += ((unsigned char)*c & 0xc0u) != 0x80u;
    }
    return 0.55 * size * (double)count;
}
