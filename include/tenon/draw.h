/// tenon/draw.h: gives the world as lines and triangles, for debugging in any renderer.
#ifndef TENON_DRAW_H
#define TENON_DRAW_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

/// A line from `a` to `b`. Points are floats relative to the options' origin. The color is
/// 0xRRGGBBAA.
typedef struct tn_draw_line {
    float a[3], b[3];
    uint32_t color;
} tn_draw_line;

/// A triangle, counter-clockwise from outside.
typedef struct tn_draw_triangle {
    float a[3], b[3], c[3];
    uint32_t color;
} tn_draw_triangle;

typedef struct tn_draw_options {
    tn_vec3 origin;       ///< subtracted from every point. Default 0
    bool draws_shapes;    ///< triangles. Default true
    bool draws_wireframe; ///< the shapes' edges as lines. Default true
    bool draws_joints;    ///< frames, axes, gaps between anchors; connectors. Default true
    bool draws_contacts;  ///< points and normals. Default true
    bool draws_forces;    ///< contact impulses, joint reactions, forces of tn_force. Default false
    bool draws_bounds;    ///< boxes of the broad phase. Default false
    float force_scale;    ///< m per N. Default 0.001
    float plane_extent;   ///< m: half the width of a half-space as it is drawn. Default 20
} tn_draw_options;
TN_API tn_draw_options tn_draw_options_default(void);

typedef struct tn_draw {
    const tn_draw_line *lines;
    const tn_draw_triangle *triangles;
    uint32_t line_count, triangle_count;
} tn_draw;

/// Draws the world. The arrays belong to the world and are valid until the next call. Null
/// `options` mean the default. Errors: WORLD_LOCKED, INVALID_ARGUMENT, OUT_OF_MEMORY (then both
/// counts are 0).
TN_API tn_result tn_world_draw(tn_world *world, const tn_draw_options *options, tn_draw *out_draw);

TN_EXTERN_C_END

#endif
