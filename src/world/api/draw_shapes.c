// world/api/draw_shapes.c: the surface of a shape as triangles, its edges as lines.
//
// A ball is a capsule without a middle: rings of latitude around the y axis, the upper half shifted
// up by the half length, the lower half down. All points are computed in double and in the world.
// Test: tests/world/api/test_draw.c
#include "collision/concave/concave.h"
#include "collision/support.h"
#include "solver/movers/affine.h"
#include "world/api/draw_internal.h"
#include "world/joints.h"
#include "world/records/convert.h"

#define DRAW_SECTORS    16 // around the axis
#define DRAW_BANDS      4  // from the equator to a pole
#define DRAW_NORMALS    8  // of a curved surface, from the equator to a pole
#define DRAW_ARC        24 // segments of a full circle of a wireframe
#define DRAW_GRID_CELLS 10 // of a half-space, along each edge

#define DRAW_COLOR_STATIC    0x7f8c8dffu
#define DRAW_COLOR_KINEMATIC 0x3d85c6ffu
#define DRAW_COLOR_AWAKE     0xe69138ffu
#define DRAW_COLOR_ASLEEP    0x9a8c7cffu
#define DRAW_COLOR_DISABLED  0x4d4d4dffu
#define DRAW_COLOR_EDGE      0x202020ffu

// One shape on its way into the sink.
typedef struct draw_shape {
    tni_draw_sink *sink;
    tni_dpose pose;            // of the geometry's frame in the world
    const tni_reduced *affine; // an affine body's object, else null
    tni_dpose local;           // of an affine body: from its centre at rest
    uint32_t color;
} draw_shape;

static uint32_t draw_choose_color(const tni_body *body) {
    if (!body->is_enabled) {
        return DRAW_COLOR_DISABLED;
    }
    switch (body->type) {
    case TN_BODY_TYPE_STATIC:
        return DRAW_COLOR_STATIC;
    case TN_BODY_TYPE_KINEMATIC:
        return DRAW_COLOR_KINEMATIC;
    default:
        return body->awake_index != TNI_NONE ? DRAW_COLOR_AWAKE : DRAW_COLOR_ASLEEP;
    }
}

static tni_dvec3 draw_to_world(const draw_shape *draw, double x, double y, double z) {
    if (draw->affine != NULL) {
        tni_dvec3 turned = dquat_rotate(draw->local.rotation, dvec3_make(x, y, z));
        return tni_affine_get_point(draw->affine, dvec3_add(draw->local.position, turned));
    }
    return dvec3_add(draw->pose.position, dquat_rotate(draw->pose.rotation, dvec3_make(x, y, z)));
}

static void draw_edge(const draw_shape *draw, tni_dvec3 a, tni_dvec3 b) {
    tni_draw_add_line(draw->sink, a, b, DRAW_COLOR_EDGE);
}

static void draw_face(const draw_shape *draw, tni_dvec3 a, tni_dvec3 b, tni_dvec3 c) {
    tni_draw_add_triangle(draw->sink, a, b, c, draw->color);
}

// ---- balls and capsules -----------------------------------------------------------------------

// Ring 0 is the upper pole, ring 2 * DRAW_BANDS + 1 the lower one; the two in the middle are the
// equators of the two halves.
static tni_dvec3 draw_ring_point(const draw_shape *draw, double radius, double half, int ring,
                                 int sector) {
    bool is_upper = ring <= DRAW_BANDS;
    int band = is_upper ? ring : ring - 1;
    double polar = MATHS_PI * band / (2.0 * DRAW_BANDS);
    double around = 2.0 * MATHS_PI * (sector % DRAW_SECTORS) / DRAW_SECTORS;
    double flat = radius * tni_maths_sin(polar);
    double y = radius * tni_maths_cos(polar) + (is_upper ? half : -half);
    return draw_to_world(draw, flat * tni_maths_cos(around), y, flat * tni_maths_sin(around));
}

static void draw_round_surface(const draw_shape *draw, double radius, double half) {
    const int last = 2 * DRAW_BANDS + 1;
    for (int ring = 0; ring < last; ++ring) {
        if (ring == DRAW_BANDS && half == 0.0) {
            continue;
        }
        for (int sector = 0; sector < DRAW_SECTORS; ++sector) {
            tni_dvec3 a = draw_ring_point(draw, radius, half, ring, sector);
            tni_dvec3 b = draw_ring_point(draw, radius, half, ring, sector + 1);
            tni_dvec3 c = draw_ring_point(draw, radius, half, ring + 1, sector);
            tni_dvec3 d = draw_ring_point(draw, radius, half, ring + 1, sector + 1);
            if (ring + 1 < last) {
                draw_face(draw, a, d, c);
            }
            if (ring > 0) {
                draw_face(draw, a, b, d);
            }
        }
    }
}

// Draws an arc of a circle around `center`, from angle `first` over `segments` parts of DRAW_ARC,
// in the plane of the local axes u and v.
static void draw_arc(const draw_shape *draw, tni_dvec3 center, tni_dvec3 u, tni_dvec3 v, int first,
                     int segments) {
    tni_dvec3 previous = {0};
    for (int i = 0; i <= segments; ++i) {
        double angle = 2.0 * MATHS_PI * (first + i) / DRAW_ARC;
        tni_dvec3 p = dvec3_add_scaled(center, tni_maths_cos(angle), u);
        p = dvec3_add_scaled(p, tni_maths_sin(angle), v);
        tni_dvec3 point = draw_to_world(draw, p.x, p.y, p.z);
        if (i > 0) {
            draw_edge(draw, previous, point);
        }
        previous = point;
    }
}

static void draw_round_edges(const draw_shape *draw, double radius, double half) {
    tni_dvec3 x = dvec3_make(radius, 0.0, 0.0), y = dvec3_make(0.0, radius, 0.0);
    tni_dvec3 z = dvec3_make(0.0, 0.0, radius);
    tni_dvec3 top = dvec3_make(0.0, half, 0.0), bottom = dvec3_make(0.0, -half, 0.0);
    draw_arc(draw, top, x, z, 0, DRAW_ARC);
    draw_arc(draw, top, x, y, 0, DRAW_ARC / 2);
    draw_arc(draw, top, z, y, 0, DRAW_ARC / 2);
    draw_arc(draw, bottom, x, y, DRAW_ARC / 2, DRAW_ARC / 2);
    draw_arc(draw, bottom, z, y, DRAW_ARC / 2, DRAW_ARC / 2);
    if (half == 0.0) {
        return;
    }
    draw_arc(draw, bottom, x, z, 0, DRAW_ARC);
    for (int i = 0; i < 4; ++i) {
        double side_x = i < 2 ? (i == 0 ? radius : -radius) : 0.0;
        double side_z = i < 2 ? 0.0 : (i == 2 ? radius : -radius);
        draw_edge(draw, draw_to_world(draw, side_x, half, side_z),
                  draw_to_world(draw, side_x, -half, side_z));
    }
}

// ---- hulls and boxes --------------------------------------------------------------------------

static tni_dvec3 draw_hull_corner(const draw_shape *draw, const tni_hull *hull, uint16_t edge) {
    vec3s v = hull->vertices[hull->half_edges[edge].origin];
    return draw_to_world(draw, (double)v.x, (double)v.y, (double)v.z);
}

static void draw_hull_surface(const draw_shape *draw, const tni_hull *hull) {
    for (uint32_t face = 0; face < hull->face_count; ++face) {
        uint16_t first = hull->face_edges[face];
        tni_dvec3 a = draw_hull_corner(draw, hull, first);
        uint16_t edge = hull->half_edges[first].next;
        for (uint16_t next = hull->half_edges[edge].next; next != first;
             next = hull->half_edges[next].next) {
            draw_face(draw, a, draw_hull_corner(draw, hull, edge),
                      draw_hull_corner(draw, hull, next));
            edge = next;
        }
    }
}

static void draw_hull_edges(const draw_shape *draw, const tni_hull *hull) {
    for (uint32_t edge = 0; edge < hull->half_edge_count; edge += 2) {
        draw_edge(draw, draw_hull_corner(draw, hull, (uint16_t)edge),
                  draw_hull_corner(draw, hull, (uint16_t)(edge + 1)));
    }
}

// ---- children ----------------------------------------------------------------------------------

typedef struct draw_children {
    const draw_shape *draw;
    const tni_concave *concave;
    bool has_faces;
} draw_children;

static void draw_geometry(const draw_shape *draw, const tni_geometry *geometry, double extent,
                          bool has_faces);

static void draw_convex_child(const draw_children *children, const tni_geometry *geometry) {
    draw_shape draw = *children->draw;
    tni_dvec3 position = dvec3_from_float(geometry->position);
    tni_dpose *pose = &draw.pose; // no concave shape is on an affine body
    pose->position = dvec3_add(pose->position, dquat_rotate(pose->rotation, position));
    pose->rotation = dquat_mul(pose->rotation, dquat_from_float(geometry->rotation));
    draw_geometry(&draw, geometry, 0.0, children->has_faces);
}

// Draws the front of a triangle, or its edges, or another child.
static bool draw_child(uint32_t child, void *context) {
    const draw_children *children = context;
    tni_part_geometry part;
    tni_dvec3 corners[3];
    children->concave->kind->get_part(children->concave, child, &part);
    if (!tni_geometry_is_triangle(&part.geometry)) {
        draw_convex_child(children, &part.geometry);
        return true;
    }
    for (uint32_t i = 0; i < 3; ++i) {
        tni_dvec3 p = part_get_corner(&part, i);
        corners[i] = draw_to_world(children->draw, p.x, p.y, p.z);
    }
    if (children->has_faces) {
        draw_face(children->draw, corners[0], corners[1], corners[2]);
        return true;
    }
    for (int i = 0; i < 3; ++i) {
        draw_edge(children->draw, corners[i], corners[(i + 1) % 3]);
    }
    return true;
}

static void draw_concave(const draw_shape *draw, const tni_concave *concave, bool has_faces) {
    draw_children children = {draw, concave, has_faces};
    tni_bounds everywhere = tni_bounds_everywhere();
    concave->kind->find(concave, &everywhere, draw_child, &children);
}

// ---- curved and rounded shapes ----------------------------------------------------------------

// A surface is sampled where its normals point all round: a cap comes out as a fan, a rim as a ring
// and a rounding as the part of a ball that it is.
typedef struct draw_curved {
    tni_convex convex;
    tni_dvec3 points[2 * DRAW_NORMALS + 1][DRAW_SECTORS]; // from the pole below up
} draw_curved;

static void draw_sample(const draw_shape *draw, const tni_geometry *geometry, draw_curved *curved) {
    tni_convex_set(&curved->convex, geometry);
    for (int ring = 0; ring <= 2 * DRAW_NORMALS; ++ring) {
        double up = 0.5 * MATHS_PI * (ring - DRAW_NORMALS) / DRAW_NORMALS;
        bool is_pole = ring == 0 || ring == 2 * DRAW_NORMALS;
        double off = is_pole ? 0.0 : tni_maths_cos(up);
        for (int sector = 0; sector < DRAW_SECTORS; ++sector) {
            double around = 2.0 * MATHS_PI * sector / DRAW_SECTORS;
            tni_dvec3 n = dvec3_make(off * tni_maths_cos(around), tni_maths_sin(up),
                                     off * tni_maths_sin(around));
            tni_dvec3 p = tni_convex_get_point(&curved->convex, n);
            curved->points[ring][sector] = draw_to_world(draw, p.x, p.y, p.z);
        }
    }
}

// Draws a triangle, unless two of its corners are one.
static void draw_real_face(const draw_shape *draw, tni_dvec3 a, tni_dvec3 b, tni_dvec3 c) {
    tni_dvec3 across = dvec3_cross(dvec3_sub(b, a), dvec3_sub(c, a));
    if (dvec3_dot(across, across) > 0.0) {
        draw_face(draw, a, b, c);
    }
}

static void draw_curved_surface(const draw_shape *draw, const tni_geometry *geometry) {
    draw_curved curved;
    draw_sample(draw, geometry, &curved);
    for (int ring = 0; ring < 2 * DRAW_NORMALS; ++ring) {
        for (int sector = 0; sector < DRAW_SECTORS; ++sector) {
            int next = (sector + 1) % DRAW_SECTORS;
            tni_dvec3 a = curved.points[ring][sector], b = curved.points[ring + 1][sector];
            tni_dvec3 c = curved.points[ring + 1][next], d = curved.points[ring][next];
            draw_real_face(draw, a, b, c);
            draw_real_face(draw, a, c, d);
        }
    }
}

// Draws four lines of longitude, and rings at the equator and half way to the poles: those of a
// cylinder are its rims.
static void draw_curved_edges(const draw_shape *draw, const tni_geometry *geometry) {
    draw_curved curved;
    draw_sample(draw, geometry, &curved);
    for (int ring = DRAW_NORMALS / 2; ring <= 3 * DRAW_NORMALS / 2; ring += DRAW_NORMALS / 2) {
        for (int sector = 0; sector < DRAW_SECTORS; ++sector) {
            draw_edge(draw, curved.points[ring][sector],
                      curved.points[ring][(sector + 1) % DRAW_SECTORS]);
        }
    }
    for (int ring = 0; ring < 2 * DRAW_NORMALS; ++ring) {
        for (int sector = 0; sector < DRAW_SECTORS; sector += DRAW_SECTORS / 4) {
            draw_edge(draw, curved.points[ring][sector], curved.points[ring + 1][sector]);
        }
    }
}

// ---- half-spaces ------------------------------------------------------------------------------

static void draw_plane_surface(const draw_shape *draw, double extent) {
    tni_dvec3 a = draw_to_world(draw, -extent, 0.0, -extent);
    tni_dvec3 b = draw_to_world(draw, -extent, 0.0, extent);
    tni_dvec3 c = draw_to_world(draw, extent, 0.0, extent);
    tni_dvec3 d = draw_to_world(draw, extent, 0.0, -extent);
    draw_face(draw, a, b, c);
    draw_face(draw, a, c, d);
}

static void draw_plane_edges(const draw_shape *draw, double extent) {
    for (int i = 0; i <= DRAW_GRID_CELLS; ++i) {
        double t = extent * (2.0 * i / DRAW_GRID_CELLS - 1.0);
        draw_edge(draw, draw_to_world(draw, t, 0.0, -extent), draw_to_world(draw, t, 0.0, extent));
        draw_edge(draw, draw_to_world(draw, -extent, 0.0, t), draw_to_world(draw, extent, 0.0, t));
    }
}

// ---- by type ----------------------------------------------------------------------------------

// Draws a geometry's faces, or its edges.
static void draw_geometry(const draw_shape *draw, const tni_geometry *geometry, double extent,
                          bool has_faces) {
    tni_box_hull box;
    if (tni_geometry_is_curved(geometry) || geometry->rounding > 0.0f) {
        (has_faces ? draw_curved_surface : draw_curved_edges)(draw, geometry);
        return;
    }
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        (has_faces ? draw_round_surface : draw_round_edges)(draw, (double)geometry->sphere.radius,
                                                            0.0);
        break;
    case TNI_GEOMETRY_CAPSULE:
        (has_faces ? draw_round_surface : draw_round_edges)(draw, (double)geometry->capsule.radius,
                                                            (double)geometry->capsule.half_length);
        break;
    case TNI_GEOMETRY_BOX:
        tni_box_hull_set(&box, geometry->box.half_extents);
        (has_faces ? draw_hull_surface : draw_hull_edges)(draw, &box.hull);
        break;
    case TNI_GEOMETRY_COMPOUND:
    case TNI_GEOMETRY_HEIGHT_FIELD:
    case TNI_GEOMETRY_MESH:
        draw_concave(draw, geometry->concave, has_faces);
        break;
    case TNI_GEOMETRY_HULL:
        (has_faces ? draw_hull_surface : draw_hull_edges)(draw, geometry->hull.hull);
        break;
    default:
        (has_faces ? draw_plane_surface : draw_plane_edges)(draw, extent);
        break;
    }
}

void tni_draw_shape(tni_draw_sink *sink, const tn_world *world, uint32_t index,
                    const tn_draw_options *options) {
    const tni_shape *shape = tni_shape_at(world, index);
    const tni_body *body = tni_body_at(world, shape->body);
    tni_dvec3 local = dvec3_sub(dvec3_from_float(shape->geometry.position), body->local_center);
    draw_shape draw = {.sink = sink, .color = draw_choose_color(body)};
    draw.affine = tni_body_get_affine(world, body);
    draw.local = (tni_dpose){local, dquat_from_float(shape->geometry.rotation)};
    draw.pose.position = dvec3_add(body->position, dquat_rotate(body->rotation, local));
    draw.pose.rotation = dquat_mul(body->rotation, dquat_from_float(shape->geometry.rotation));
    if (options->draws_shapes) {
        draw_geometry(&draw, &shape->geometry, (double)options->plane_extent, true);
    }
    if (options->draws_wireframe) {
        draw_geometry(&draw, &shape->geometry, (double)options->plane_extent, false);
    }
}
