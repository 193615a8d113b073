// world/api/draw_internal.h: the files that draw share a sink that counts, then fills.
#ifndef TNI_WORLD_API_DRAW_INTERNAL_H
#define TNI_WORLD_API_DRAW_INTERNAL_H

#include "world/world.h"

#define DRAW_COLOR_FORCE 0xff4500ffu

// A sink with null arrays only counts. As the same code runs twice, count and content agree.
typedef struct tni_draw_sink {
    tn_draw_line *lines;
    tn_draw_triangle *triangles;
    uint32_t line_count, triangle_count;
    tni_dvec3 origin;
} tni_draw_sink;

void tni_draw_add_line(tni_draw_sink *sink, tni_dvec3 a, tni_dvec3 b, uint32_t color);
void tni_draw_add_triangle(tni_draw_sink *sink, tni_dvec3 a, tni_dvec3 b, tni_dvec3 c,
                           uint32_t color);

// Adds three lines that cross at a point (draw_marks.c).
void tni_draw_add_cross(tni_draw_sink *sink, tni_dvec3 point, uint32_t color);

// Draws a shape's surface and edges (draw_shapes.c).
void tni_draw_shape(tni_draw_sink *sink, const tn_world *world, uint32_t shape,
                    const tn_draw_options *options);
// Draw joints, contacts and boxes (draw_marks.c).
void tni_draw_joint(tni_draw_sink *sink, const tn_world *world, uint32_t joint,
                    const tn_draw_options *options);
// Draws the connectors of a force, and the forces on them (draw_forces.c).
void tni_draw_force(tni_draw_sink *sink, const tn_world *world, uint32_t force,
                    const tn_draw_options *options);
void tni_draw_contact(tni_draw_sink *sink, const tn_world *world, uint32_t contact,
                      const tn_draw_options *options);
void tni_draw_bounds(tni_draw_sink *sink, const tn_world *world, uint32_t shape);

#endif
