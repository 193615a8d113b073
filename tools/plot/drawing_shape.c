// tools/plot/drawing_shape.c: shapes projected on the sheet.
//
// Shapes are convex, so the outline of a projection is the convex hull of the projected corners,
// and the faces that are turned to the viewer never cover each other.
#include "tools/plot/drawing_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A curved surface has this many rings and sectors at most: together no more than corners.
#define DRAWING_RINGS   9
#define DRAWING_SECTORS 18
#define DRAWING_RIM     4 // rings about a rounded rim

#define DRAWING_MAX_CORNERS 256 // of one outline
#define DRAWING_MAX_INDICES 1536
#define DRAWING_ROUND_SIDES 40 // of a circle as a polygon

static svg_style drawing_outline_style(const drawing_brush *brush) {
    uint32_t edge = svg_color_mix(brush->color, DRAWING_INK, 0.55);
    return (svg_style){.stroke = drawing_fade(edge, brush->fade), .stroke_width = 0.9};
}

static svg_style drawing_fill_style(const drawing_brush *brush, double light) {
    uint32_t color = light >= 0.0 ? svg_color_mix(brush->color, 0xffffffffu, light)
                                  : svg_color_mix(brush->color, DRAWING_INK, -light);
    return (svg_style){.fill = drawing_fade(color, brush->fade)};
}

static int drawing_compare_points(const void *a, const void *b) {
    const svg_point *p = a;
    const svg_point *q = b;
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    return (p->y > q->y) - (p->y < q->y);
}

// Convex hull by the monotone chain of Andrew (1979): lower and upper chain of the sorted points.
// `points` is sorted in place; `out` holds twice `count`. Returns the number of corners.
static size_t drawing_hull(svg_point *points, size_t count, svg_point *out) {
    qsort(points, count, sizeof *points, drawing_compare_points);
    size_t used = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        size_t floor = used;
        for (size_t i = 0; i < count; i++) {
            svg_point p = points[pass == 0 ? i : count - 1 - i];
            while (used >= floor + 2) {
                svg_point a = out[used - 2];
                svg_point b = out[used - 1];
                if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0.0) {
                    break;
                }
                used -= 1;
            }
            out[used] = p;
            used += 1;
        }
        used -= 1;
    }
    return used;
}

static void drawing_add_outline(drawing_sheet *sheet, const drawing_brush *brush, svg_point *points,
                                size_t count, svg_style style) {
    svg_point outline[2 * DRAWING_MAX_CORNERS];
    size_t corners = drawing_hull(points, count, outline);
    drawing_add_shape(sheet, brush, DRAWING_KIND_POLYGON, outline, corners, style);
}

// Brighter from above, darker on faces that turn away from the viewer.
static double drawing_light(const drawing_sheet *sheet, tn_vec3 normal) {
    double above = drawing_dot(normal, sheet->up);
    double across = drawing_dot(normal, sheet->right);
    return 0.22 + 0.30 * above - 0.18 * across;
}

// Where a shape is. That of an affine body is deformed.
typedef struct drawing_place {
    const tn_world *world;
    tn_pose pose;         // of the shape in the world
    tn_reduced_id affine; // null of a rigid body
    tn_pose local;        // of the shape in its body
} drawing_place;

static tn_vec3 drawing_put(const drawing_place *place, tn_vec3 point) {
    return place->affine.value == 0 ? drawing_transform(&place->pose, point)
                                    : tn_affine_get_point(place->world, place->affine,
                                                          drawing_transform(&place->local, point));
}

static tn_vec3 drawing_subtract(tn_vec3 a, tn_vec3 b) {
    return (tn_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

// Of a face across one of the shape's axes.
static tn_vec3 drawing_get_normal(const drawing_place *place, uint32_t axis, double sign) {
    if (place->affine.value == 0) {
        return drawing_rotate(place->pose.rotation, drawing_axis(axis, sign));
    }
    tn_vec3 middle = drawing_put(place, (tn_vec3){0.0, 0.0, 0.0});
    tn_vec3 u = drawing_put(place, drawing_axis((axis + 1) % 3, sign));
    tn_vec3 v = drawing_put(place, drawing_axis((axis + 2) % 3, 1.0));
    tn_vec3 n = drawing_cross(drawing_subtract(u, middle), drawing_subtract(v, middle));
    double length = sqrt(drawing_dot(n, n));
    return length > 0.0 ? (tn_vec3){n.x / length, n.y / length, n.z / length} : n;
}

static void drawing_add_box(drawing_sheet *sheet, const drawing_brush *brush,
                            const drawing_place *place, tn_vec3 half) {
    const double size[3] = {half.x, half.y, half.z};
    svg_style edge = drawing_outline_style(brush);
    for (uint32_t face = 0; face < 6; face++) {
        uint32_t axis = face / 2;
        double sign = face % 2 == 0 ? 1.0 : -1.0;
        tn_vec3 normal = drawing_get_normal(place, axis, sign);
        if (drawing_dot(normal, sheet->toward) <= 1e-6) {
            continue;
        }
        svg_point corners[4];
        for (uint32_t k = 0; k < 4; k++) {
            double local[3];
            local[axis] = sign * size[axis];
            local[(axis + 1) % 3] = (k == 0 || k == 3 ? 1.0 : -1.0) * size[(axis + 1) % 3];
            local[(axis + 2) % 3] = (k < 2 ? 1.0 : -1.0) * size[(axis + 2) % 3];
            tn_vec3 corner = {local[0], local[1], local[2]};
            corners[k] = drawing_project(sheet, drawing_put(place, corner));
        }
        svg_style style = drawing_fill_style(brush, drawing_light(sheet, normal));
        style.stroke = edge.stroke;
        style.stroke_width = edge.stroke_width;
        drawing_add_shape(sheet, brush, DRAWING_KIND_POLYGON, corners, 4, style);
    }
}

// A triangle of a hull that is turned to the viewer.
typedef struct drawing_facet {
    svg_point corners[3];
    double light, area; // area as it is seen
} drawing_facet;

// False when the triangle looks away.
static bool drawing_find_facet(const drawing_sheet *sheet, const tn_vec3 *p, const tn_vec3 *q,
                               const tn_vec3 *r, drawing_facet *out) {
    tn_vec3 normal = drawing_cross((tn_vec3){q->x - p->x, q->y - p->y, q->z - p->z},
                                   (tn_vec3){r->x - p->x, r->y - p->y, r->z - p->z});
    double length = sqrt(drawing_dot(normal, normal));
    double seen = drawing_dot(normal, sheet->toward);
    if (length <= 0.0 || seen <= 1e-6 * length) {
        return false;
    }
    normal = (tn_vec3){normal.x / length, normal.y / length, normal.z / length};
    out->light = drawing_light(sheet, normal);
    out->area = 0.5 * seen;
    out->corners[0] = drawing_project(sheet, *p);
    out->corners[1] = drawing_project(sheet, *q);
    out->corners[2] = drawing_project(sheet, *r);
    return true;
}

// The outline is filled like the largest facet, and over it come the facets that are lit otherwise:
// the triangles of one flat face leave no seams.
static void drawing_add_facets(drawing_sheet *sheet, const drawing_brush *brush,
                               const drawing_facet *facets, uint32_t count,
                               const svg_point *corners, uint32_t corner_count) {
    svg_point copy[DRAWING_MAX_CORNERS];
    uint32_t largest = 0;
    for (uint32_t i = 1; i < count; i++) {
        largest = facets[i].area > facets[largest].area ? i : largest;
    }
    if (count > 0) {
        memcpy(copy, corners, corner_count * sizeof *corners);
        drawing_add_outline(sheet, brush, copy, corner_count,
                            drawing_fill_style(brush, facets[largest].light));
    }
    for (uint32_t i = 0; i < count; i++) {
        if (fabs(facets[i].light - facets[largest].light) > 0.005) {
            svg_style style = drawing_fill_style(brush, facets[i].light);
            style.stroke = style.fill; // covers the seam to the next triangle
            style.stroke_width = 0.5;
            drawing_add_shape(sheet, brush, DRAWING_KIND_POLYGON, facets[i].corners, 3, style);
        }
    }
    memcpy(copy, corners, corner_count * sizeof *corners);
    drawing_add_outline(sheet, brush, copy, corner_count, drawing_outline_style(brush));
}

// The surface of a hull, up to as many corners as a hull may have.
typedef struct drawing_surface {
    tn_vec3 vertices[DRAWING_MAX_CORNERS];
    uint32_t indices[DRAWING_MAX_INDICES];
    uint32_t count, index_count;
} drawing_surface;

static void drawing_add_hull(drawing_sheet *sheet, const drawing_brush *brush,
                             const drawing_place *place, const drawing_surface *hull) {
    drawing_facet facets[DRAWING_MAX_INDICES / 3];
    tn_vec3 corners[DRAWING_MAX_CORNERS];
    svg_point flat[DRAWING_MAX_CORNERS];
    if (hull->count > DRAWING_MAX_CORNERS || hull->index_count > DRAWING_MAX_INDICES) {
        return;
    }
    for (uint32_t i = 0; i < hull->count; i++) {
        corners[i] = drawing_put(place, hull->vertices[i]);
        flat[i] = drawing_project(sheet, corners[i]);
    }
    uint32_t facet_count = 0;
    for (uint32_t i = 0; i + 2 < hull->index_count; i += 3) {
        const uint32_t *k = &hull->indices[i];
        facet_count += drawing_find_facet(sheet, &corners[k[0]], &corners[k[1]], &corners[k[2]],
                                          &facets[facet_count]);
    }
    drawing_add_facets(sheet, brush, facets, facet_count, flat, hull->count);
}

static void drawing_add_shared_hull(drawing_sheet *sheet, const drawing_brush *brush,
                                    const drawing_place *place, const tn_hull *shared) {
    drawing_surface hull;
    hull.count = tn_hull_get_vertices(shared, hull.vertices, DRAWING_MAX_CORNERS);
    hull.index_count = tn_hull_get_triangles(shared, hull.indices, DRAWING_MAX_INDICES);
    drawing_add_hull(sheet, brush, place, &hull);
}

// A triangle that looks to the viewer is lit by itself.
static void drawing_add_triangle(drawing_sheet *sheet, const drawing_brush *brush,
                                 const drawing_place *place, tn_vec3 corners[3]) {
    drawing_facet facet;
    for (uint32_t k = 0; k < 3; k++) {
        corners[k] = drawing_put(place, corners[k]);
    }
    if (drawing_find_facet(sheet, &corners[0], &corners[1], &corners[2], &facet)) {
        svg_style style = drawing_fill_style(brush, facet.light);
        style.stroke = drawing_outline_style(brush).stroke;
        style.stroke_width = 0.3;
        drawing_add_shape(sheet, brush, DRAWING_KIND_POLYGON, facet.corners, 3, style);
    }
}

static void drawing_add_mesh(drawing_sheet *sheet, const drawing_brush *brush,
                             const drawing_place *place, const tn_mesh *mesh) {
    for (uint32_t i = 0; i < tn_mesh_get_triangle_count(mesh); i++) {
        tn_vec3 corners[3];
        tn_mesh_get_triangle(mesh, i, corners);
        drawing_add_triangle(sheet, brush, place, corners);
    }
}

// The triangles of a hole are points, which face nobody.
static void drawing_add_height_field(drawing_sheet *sheet, const drawing_brush *brush,
                                     const drawing_place *place, const tn_height_field *field) {
    for (uint32_t i = 0; i < tn_height_field_get_triangle_count(field); i++) {
        tn_vec3 corners[3];
        tn_height_field_get_triangle(field, i, corners);
        drawing_add_triangle(sheet, brush, place, corners);
    }
}

// A radius shows how far the ball has turned.
static void drawing_add_ball(drawing_sheet *sheet, const drawing_brush *brush, const tn_pose *pose,
                             double radius) {
    svg_style style = drawing_fill_style(brush, 0.22);
    style.stroke = drawing_outline_style(brush).stroke;
    style.stroke_width = 0.9;
    svg_point center = drawing_project(sheet, pose->position);
    drawing_item *item = drawing_add_shape(sheet, brush, DRAWING_KIND_CIRCLE, &center, 1, style);
    if (item == NULL) {
        return;
    }
    item->radius = radius;
    drawing_box_include(brush->box, center, radius);
    tn_vec3 tip = {radius, 0.0, 0.0};
    svg_point line[2] = {center, drawing_project(sheet, drawing_transform(pose, tip))};
    drawing_add_shape(sheet, brush, DRAWING_KIND_POLYLINE, line, 2, drawing_outline_style(brush));
}

// The outline of a ball around a point of the shape: a circle, and where the body is deformed, with
// B the image of the ball's axes on the sheet, the ellipse B B^T d / |B^T d| over directions d.
static void drawing_trace_ball(const drawing_sheet *sheet, const drawing_place *place,
                               tn_vec3 middle, double radius, svg_point *out_points) {
    tn_vec3 at = drawing_put(place, middle);
    svg_point center = drawing_project(sheet, at), axes[3];
    for (uint32_t i = 0; i < 3; i++) {
        tn_vec3 e = drawing_axis(i, radius);
        svg_point tip = drawing_project(
            sheet, drawing_put(place, (tn_vec3){middle.x + e.x, middle.y + e.y, middle.z + e.z}));
        axes[i] = (svg_point){tip.x - center.x, tip.y - center.y};
    }
    for (uint32_t k = 0; k < DRAWING_ROUND_SIDES; k++) {
        double angle = 6.283185307179586 * k / DRAWING_ROUND_SIDES, x = cos(angle), y = sin(angle);
        svg_point off = {radius * x, radius * y};
        if (place->affine.value != 0) {
            double along[3], square = 0.0;
            for (uint32_t i = 0; i < 3; i++) {
                along[i] = axes[i].x * x + axes[i].y * y;
                square += along[i] * along[i];
            }
            double scale = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
            off = (svg_point){0.0, 0.0};
            for (uint32_t i = 0; i < 3; i++) {
                off.x += scale * along[i] * axes[i].x;
                off.y += scale * along[i] * axes[i].y;
            }
        }
        out_points[k] = (svg_point){center.x + off.x, center.y + off.y};
    }
}

// The two ends have radii of their own.
static void drawing_add_tapered_capsule(drawing_sheet *sheet, const drawing_brush *brush,
                                        const drawing_place *place, double half_length,
                                        double bottom, double top) {
    svg_point points[2 * DRAWING_ROUND_SIDES];
    for (uint32_t end = 0; end < 2; end++) {
        tn_vec3 middle = {0.0, end == 0 ? half_length : -half_length, 0.0};
        drawing_trace_ball(sheet, place, middle, end == 0 ? top : bottom,
                           &points[end * DRAWING_ROUND_SIDES]);
    }
    svg_style style = drawing_fill_style(brush, 0.22);
    style.stroke = drawing_outline_style(brush).stroke;
    style.stroke_width = 0.9;
    drawing_add_outline(sheet, brush, points, 2 * DRAWING_ROUND_SIDES, style);
}

static void drawing_add_capsule(drawing_sheet *sheet, const drawing_brush *brush,
                                const drawing_place *place, double half_length, double radius) {
    drawing_add_tapered_capsule(sheet, brush, place, half_length, radius, radius);
}

// A surface of rings of points about the y axis, the first and the last of which may be caps.
typedef struct drawing_rings {
    uint32_t count;
    double y[DRAWING_RINGS], x[DRAWING_RINGS], z[DRAWING_RINGS]; // height, half axes
} drawing_rings;

static void drawing_add_rings(drawing_sheet *sheet, const drawing_brush *brush,
                              const drawing_place *place, const drawing_rings *rings) {
    tn_vec3 corners[DRAWING_RINGS][DRAWING_SECTORS];
    svg_point flat[DRAWING_RINGS * DRAWING_SECTORS];
    drawing_facet facets[2 * DRAWING_RINGS * DRAWING_SECTORS];
    uint32_t facet_count = 0, last = rings->count - 1;
    for (uint32_t r = 0; r < rings->count; r++) {
        for (uint32_t k = 0; k < DRAWING_SECTORS; k++) {
            double angle = 6.283185307179586 * k / DRAWING_SECTORS;
            tn_vec3 p = {rings->x[r] * cos(angle), rings->y[r], rings->z[r] * sin(angle)};
            corners[r][k] = drawing_put(place, p);
            flat[r * DRAWING_SECTORS + k] = drawing_project(sheet, corners[r][k]);
        }
    }
    for (uint32_t k = 0; k < DRAWING_SECTORS; k++) {
        uint32_t next = (k + 1) % DRAWING_SECTORS;
        for (uint32_t r = 0; r < last; r++) {
            facet_count += drawing_find_facet(sheet, &corners[r][k], &corners[r + 1][k],
                                              &corners[r + 1][next], &facets[facet_count]);
            facet_count += drawing_find_facet(sheet, &corners[r][k], &corners[r + 1][next],
                                              &corners[r][next], &facets[facet_count]);
        }
        if (k > 1) { // the caps, as fans
            facet_count += drawing_find_facet(sheet, &corners[0][0], &corners[0][k - 1],
                                              &corners[0][k], &facets[facet_count]);
            facet_count += drawing_find_facet(sheet, &corners[last][0], &corners[last][k],
                                              &corners[last][k - 1], &facets[facet_count]);
        }
    }
    drawing_add_facets(sheet, brush, facets, facet_count, flat, rings->count * DRAWING_SECTORS);
}

// A cylinder, cone or frustum in a skin of balls: the normals of its side are up by an angle, and
// the skin turns from below to that angle about the lower rim, and on to above about the upper one.
static void drawing_add_cylinder(drawing_sheet *sheet, const drawing_brush *brush,
                                 const drawing_place *place, tn_shape_id shape) {
    double half = (double)tn_tapered_cylinder_shape_get_half_length(place->world, shape);
    double bottom = (double)tn_tapered_cylinder_shape_get_radius_bottom(place->world, shape);
    double top = (double)tn_tapered_cylinder_shape_get_radius_top(place->world, shape);
    double rounding = (double)tn_shape_get_rounding(place->world, shape);
    if (rounding == 0.0) {
        drawing_rings sharp = {2, {-half, half}, {bottom, top}, {bottom, top}};
        drawing_add_rings(sheet, brush, place, &sharp);
        return;
    }
    double side = atan2(bottom - top, 2.0 * half), right = 0.5 * 3.141592653589793;
    drawing_rings rings = {.count = 2 * DRAWING_RIM};
    for (uint32_t r = 0; r < DRAWING_RIM; r++) {
        double part = (double)r / (DRAWING_RIM - 1);
        double below = -right + part * (side + right), above = side + part * (right - side);
        rings.y[r] = -half + rounding * sin(below);
        rings.x[r] = rings.z[r] = bottom + rounding * cos(below);
        rings.y[DRAWING_RIM + r] = half + rounding * sin(above);
        rings.x[DRAWING_RIM + r] = rings.z[DRAWING_RIM + r] = top + rounding * cos(above);
    }
    drawing_add_rings(sheet, brush, place, &rings);
}

static void drawing_add_ellipsoid(drawing_sheet *sheet, const drawing_brush *brush,
                                  const drawing_place *place, tn_vec3 radii) {
    drawing_rings rings = {.count = DRAWING_RINGS};
    for (uint32_t r = 0; r < DRAWING_RINGS; r++) {
        double angle = 3.141592653589793 * ((double)r / (DRAWING_RINGS - 1) - 0.5);
        rings.y[r] = radii.y * sin(angle);
        rings.x[r] = radii.x * cos(angle);
        rings.z[r] = radii.z * cos(angle);
    }
    drawing_add_rings(sheet, brush, place, &rings);
}

// Seen along its surface a half-space is all below a line; seen from above it is the paper.
static void drawing_add_half_space(drawing_sheet *sheet, const tn_pose *pose) {
    tn_vec3 normal = drawing_rotate(pose->rotation, (tn_vec3){0.0, 1.0, 0.0});
    double across = drawing_dot(normal, sheet->right);
    double above = drawing_dot(normal, sheet->up);
    double length = sqrt(across * across + above * above);
    if (length < 0.999) {
        return;
    }
    svg_point edge = drawing_project(sheet, pose->position);
    svg_point points[2] = {edge, {edge.x - across / length, edge.y - above / length}};
    svg_style style = {.fill = DRAWING_GROUND, .stroke = DRAWING_GROUND_LINE, .stroke_width = 1.2};
    drawing_add(sheet, DRAWING_LAYER_GROUND, DRAWING_KIND_HALF_PLANE, points, 2, style);
}

static void drawing_add_sphere(drawing_sheet *sheet, const drawing_brush *brush,
                               const drawing_place *place, double radius) {
    if (place->affine.value == 0) {
        drawing_add_ball(sheet, brush, &place->pose, radius);
    } else {
        drawing_add_capsule(sheet, brush, place, 0.0, radius);
    }
}

static void drawing_add_child(drawing_sheet *sheet, const drawing_brush *brush,
                              const drawing_place *place, const tn_compound *compound,
                              uint32_t index) {
    tn_compound_child child = tn_compound_get_child(compound, index);
    drawing_surface hull;
    switch (child.type) {
    case TN_SHAPE_TYPE_BOX:
        drawing_add_box(sheet, brush, place, child.half_extents);
        break;
    case TN_SHAPE_TYPE_CAPSULE:
        drawing_add_capsule(sheet, brush, place, (double)child.half_length, (double)child.radius);
        break;
    case TN_SHAPE_TYPE_HULL:
        hull.count = tn_compound_get_vertices(compound, index, hull.vertices, DRAWING_MAX_CORNERS);
        hull.index_count =
            tn_compound_get_triangles(compound, index, hull.indices, DRAWING_MAX_INDICES);
        drawing_add_hull(sheet, brush, place, &hull);
        break;
    default:
        drawing_add_sphere(sheet, brush, place, (double)child.radius);
        break;
    }
}

static void drawing_add_compound(drawing_sheet *sheet, const drawing_brush *brush,
                                 const drawing_place *place, const tn_compound *compound) {
    for (uint32_t i = 0; i < tn_compound_get_child_count(compound); i++) {
        tn_pose local = tn_compound_get_child(compound, i).local_pose;
        drawing_place at = *place;
        at.pose = drawing_multiply(&place->pose, &local);
        at.local = drawing_multiply(&place->local, &local);
        drawing_add_child(sheet, brush, &at, compound, i);
    }
}

// A shape without mass beside others that have some is there to be seen: a web on a crankshaft.
static bool drawing_is_marking(const tn_world *world, tn_shape_id shape) {
    tn_body_id body = tn_shape_get_body(world, shape);
    return tn_shape_get_density(world, shape) == 0.0f &&
           tn_body_get_type(world, body) != TN_BODY_TYPE_STATIC &&
           tn_body_get_shapes(world, body, NULL, 0) > 1;
}

void drawing_add_one_shape(drawing_sheet *sheet, const drawing_brush *brush, const tn_world *world,
                           const tn_pose *body, tn_shape_id shape) {
    if (tn_shape_is_sensor(world, shape)) {
        return; // nothing solid: a scene's sketch shows it
    }
    tn_pose local = tn_shape_get_local_pose(world, shape);
    const tn_pose none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    drawing_place place = {.world = world,
                           .pose = drawing_multiply(body, &local),
                           .affine = drawing_get_affine(world, tn_shape_get_body(world, shape)),
                           .local = drawing_multiply(&none, &local)};
    drawing_brush marking = *brush;
    if (drawing_is_marking(world, shape)) {
        marking.color = svg_color_mix(brush->color, DRAWING_INK, 0.4);
        brush = &marking;
    }
    switch (tn_shape_get_type(world, shape)) {
    case TN_SHAPE_TYPE_SPHERE:
        drawing_add_sphere(sheet, brush, &place, (double)tn_sphere_shape_get_radius(world, shape));
        break;
    case TN_SHAPE_TYPE_CAPSULE:
        drawing_add_capsule(sheet, brush, &place,
                            (double)tn_capsule_shape_get_half_length(world, shape),
                            (double)tn_capsule_shape_get_radius(world, shape));
        break;
    case TN_SHAPE_TYPE_BOX: {
        // A rounded box has its outer size, with sharp edges.
        tn_vec3 half = tn_box_shape_get_half_extents(world, shape);
        double rounding = (double)tn_shape_get_rounding(world, shape);
        half = (tn_vec3){half.x + rounding, half.y + rounding, half.z + rounding};
        drawing_add_box(sheet, brush, &place, half);
        break;
    }
    case TN_SHAPE_TYPE_HULL:
        drawing_add_shared_hull(sheet, brush, &place, tn_hull_shape_get_hull(world, shape));
        break;
    case TN_SHAPE_TYPE_COMPOUND:
        drawing_add_compound(sheet, brush, &place, tn_compound_shape_get_compound(world, shape));
        break;
    case TN_SHAPE_TYPE_HEIGHT_FIELD:
        drawing_add_height_field(sheet, brush, &place,
                                 tn_height_field_shape_get_height_field(world, shape));
        break;
    case TN_SHAPE_TYPE_MESH:
        drawing_add_mesh(sheet, brush, &place, tn_mesh_shape_get_mesh(world, shape));
        break;
    case TN_SHAPE_TYPE_HALF_SPACE:
        drawing_add_half_space(sheet, &place.pose);
        break;
    case TN_SHAPE_TYPE_CYLINDER:
    case TN_SHAPE_TYPE_CONE:
    case TN_SHAPE_TYPE_TAPERED_CYLINDER:
        drawing_add_cylinder(sheet, brush, &place, shape);
        break;
    case TN_SHAPE_TYPE_TAPERED_CAPSULE:
        drawing_add_tapered_capsule(
            sheet, brush, &place, (double)tn_tapered_capsule_shape_get_half_length(world, shape),
            (double)tn_tapered_capsule_shape_get_radius_bottom(world, shape),
            (double)tn_tapered_capsule_shape_get_radius_top(world, shape));
        break;
    case TN_SHAPE_TYPE_ELLIPSOID:
        drawing_add_ellipsoid(sheet, brush, &place, tn_ellipsoid_shape_get_radii(world, shape));
        break;
    }
}
