// tools/plot/svg.h: a page of vector graphics, written as an SVG file.
//
// Coordinates are page units (px) with y downward, as in SVG. Colours are 0xRRGGBBAA; a colour
// whose alpha is 0 is not painted. Things added later cover earlier ones.
#ifndef TOOLS_PLOT_SVG_H
#define TOOLS_PLOT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct svg_point {
    double x, y;
} svg_point;

typedef struct svg_style {
    uint32_t fill;
    uint32_t stroke;
    double stroke_width;
    double dash; // length of dashes and gaps; 0: a full line
} svg_style;

typedef enum svg_anchor {
    SVG_ANCHOR_START = 0,
    SVG_ANCHOR_MIDDLE,
    SVG_ANCHOR_END,
} svg_anchor;

typedef struct svg_font {
    double size;
    uint32_t color;
    svg_anchor anchor;
    bool is_bold;
    double turn; // degrees, counter-clockwise
} svg_font;

typedef struct svg_page svg_page;

// Null when memory cannot be had. A page that runs out of memory later fails when it is saved.
svg_page *svg_page_create(double width, double height, uint32_t background);
void svg_page_destroy(svg_page *page);
bool svg_page_save(const svg_page *page, const char *path);

void svg_page_add_line(svg_page *page, svg_point a, svg_point b, svg_style style);
void svg_page_add_polyline(svg_page *page, const svg_point *points, size_t count, svg_style style);
void svg_page_add_polygon(svg_page *page, const svg_point *points, size_t count, svg_style style);
void svg_page_add_circle(svg_page *page, svg_point center, double radius, svg_style style);
void svg_page_add_rectangle(svg_page *page, svg_point corner, double width, double height,
                            svg_style style);
// `text` is escaped. The baseline is at `at`.
void svg_page_add_text(svg_page *page, svg_point at, svg_font font, const char *text);
// What follows is drawn inside the rectangle only, until clip_clear.
void svg_page_set_clip(svg_page *page, svg_point corner, double width, double height);
void svg_page_clear_clip(svg_page *page);

// What text of XML has for a character; null: the character itself.
const char *svg_escape(char c);
// A color with its alpha multiplied by `share`, 0 to 1.
uint32_t svg_color_fade(uint32_t color, double share);
// A color mixed with another: share 0 is `a`, 1 is `b`. Alpha is a's.
uint32_t svg_color_mix(uint32_t a, uint32_t b, double share);
#define SVG_PALETTE_SIZE 10
// Muted colors that go together and can be told apart, in a fixed cycle.
uint32_t svg_color_palette(size_t index);
// How wide a text is, roughly: SVG has no font metrics to ask.
double svg_text_width(const char *text, double size);

#endif
