// collision/manifold/facet.c: see facet.h.
//
// A direction belongs to a face, an edge or a corner of a polyhedron; to a cap, the side or a rim
// of a cylinder; to the side or a ball of a capsule. Which of these points are near enough to touch
// is for the manifold to say: it measures them all.
// Test: tests/collision/manifold/test_manifold_convex.c
#include "collision/manifold/facet.h"

// A face counts up to this cosine, an edge or a side up to this sine.
#define FACET_COSINE 0.94
#define FACET_SINE   0.34
// A capsule's side counts up to this sine: its ends are round.
#define FACET_ROUND_SINE 0.1
// A cap that leans by less than this has no lowest point.
#define FACET_LEVEL 2e-4

static void facet_add(tni_facet *facet, tni_dvec3 point, uint32_t number) {
    facet->points[facet->count] = point;
    facet->numbers[facet->count] = (uint16_t)number;
    facet->count += 1;
}

static void facet_set_point(tni_facet *facet, tni_dvec3 point, uint32_t number) {
    facet->kind = TNI_FACET_POINT;
    facet_add(facet, point, number);
}

// ---- polyhedra -----------------------------------------------------------------------------

static tni_dvec3 facet_get_corner(vec3s h, uint32_t vertex) {
    return dvec3_make((double)((vertex & 1) != 0 ? h.x : -h.x),
                      (double)((vertex & 2) != 0 ? h.y : -h.y),
                      (double)((vertex & 4) != 0 ? h.z : -h.z));
}

static void facet_find_box(vec3s h, tni_dvec3 direction, tni_facet *facet) {
    const double d[3] = {direction.x, direction.y, direction.z};
    uint32_t corner = (d[0] > 0.0 ? 1u : 0u) | (d[1] > 0.0 ? 2u : 0u) | (d[2] > 0.0 ? 4u : 0u);
    uint32_t most = fabs(d[1]) > fabs(d[0]) ? 1 : 0, least = 1 - most;
    most = fabs(d[2]) > fabs(d[most]) ? 2 : most;
    least = fabs(d[2]) < fabs(d[least]) ? 2 : least;
    if (fabs(d[most]) > FACET_COSINE) {
        static const uint8_t around[4] = {0, 1, 3, 2};
        uint32_t k1 = (most + 1) % 3, k2 = (most + 2) % 3;
        bool is_up = d[most] > 0.0;
        facet->kind = TNI_FACET_POLYGON;
        facet->normal = dvec3_make(0.0, 0.0, 0.0);
        (&facet->normal.x)[most] = is_up ? 1.0 : -1.0;
        for (uint32_t i = 0; i < 4; ++i) {
            uint32_t at = around[is_up ? i : 3 - i];
            uint32_t vertex = (is_up ? 1u : 0u) << most | (at & 1u) << k1 | (at >> 1) << k2;
            facet_add(facet, facet_get_corner(h, vertex), 1 + vertex);
        }
    } else if (fabs(d[least]) < FACET_SINE) {
        facet->kind = TNI_FACET_SEGMENT;
        uint32_t bit = 1u << least;
        facet_add(facet, facet_get_corner(h, corner & ~bit), 1 + (corner & ~bit));
        facet_add(facet, facet_get_corner(h, corner | bit), 1 + (corner | bit));
    } else {
        facet_set_point(facet, facet_get_corner(h, corner), 1 + corner);
    }
}

static void facet_set_face(const tni_hull *hull, uint32_t face, tni_facet *facet) {
    facet->kind = TNI_FACET_POLYGON;
    facet->normal = dvec3_from_float(hull->planes[face].normal);
    uint32_t first = hull->face_edges[face], e = first;
    do {
        uint32_t vertex = hull->half_edges[e].origin;
        facet_add(facet, dvec3_from_float(hull->vertices[vertex]), 1 + vertex);
        e = hull->half_edges[e].next;
    } while (e != first && facet->count < TNI_HULL_MAX_VERTICES);
}

static void facet_find_hull(const tni_convex *convex, tni_dvec3 d, tni_facet *facet) {
    const tni_hull *hull = convex->geometry->hull.hull;
    uint16_t vertex;
    tni_gjk_find_support(&convex->set, d, &vertex);
    uint32_t first = hull->vertex_edges[vertex], e = first, face = 0, edge = first;
    double best = -1.0, least = 2.0;
    do {
        uint32_t own = hull->half_edges[e].face;
        double up = dvec3_dot(d, dvec3_from_float(hull->planes[own].normal));
        double along = fabs(dvec3_dot(d, dvec3_from_float(hull->edge_directions[e / 2])));
        face = up > best ? own : face;
        best = maths_max_d(best, up);
        edge = along < least ? e : edge;
        least = maths_min_d(least, along);
        e = hull->half_edges[e ^ 1u].next;
    } while (e != first);
    tni_dvec3 point = dvec3_from_float(hull->vertices[vertex]);
    if (best > FACET_COSINE) {
        facet_set_face(hull, face, facet);
    } else if (least < FACET_SINE) {
        uint32_t other = hull->half_edges[edge ^ 1u].origin;
        facet->kind = TNI_FACET_SEGMENT;
        facet_add(facet, point, 1u + vertex);
        facet_add(facet, dvec3_from_float(hull->vertices[other]), 1 + other);
    } else {
        facet_set_point(facet, point, 1u + vertex);
    }
}

// ---- cylinders -----------------------------------------------------------------------------

static void facet_set_cap(double y, double radius, tni_dvec3 d, double off, tni_facet *facet) {
    bool is_top = y > 0.0;
    bool is_level = off < FACET_LEVEL;
    double x = is_level ? 1.0 : d.x / off, z = is_level ? 0.0 : d.z / off;
    facet->kind = TNI_FACET_DISC;
    facet->normal = dvec3_make(0.0, is_top ? 1.0 : -1.0, 0.0);
    facet->center = dvec3_make(0.0, y, 0.0);
    facet->radius = radius;
    uint32_t rim = TNI_FACET_RIM + (is_top ? 8u : 0u) + (is_level ? 4u : 0u);
    for (uint32_t i = 0; i < 4; ++i) { // a quarter turn each time
        bool is_lowest = i == 0 && !is_level;
        uint32_t lowest = is_top ? TNI_FACET_TOP : TNI_FACET_BOTTOM;
        facet_add(facet, dvec3_make(radius * x, y, radius * z), is_lowest ? lowest : rim + i);
        double turned = is_top ? -x : x;
        x = is_top ? z : -z;
        z = turned;
    }
}

static void facet_find_cylinder(const tni_geometry *g, tni_dvec3 d, tni_facet *facet) {
    double h = (double)g->cylinder.half_length, bottom = (double)g->cylinder.radius_bottom;
    double top = (double)g->cylinder.radius_top, off = sqrt(d.x * d.x + d.z * d.z);
    double inverse = maths_inverse_or_zero_d(off), x = d.x * inverse, z = d.z * inverse;
    double slant = bottom - top, length = sqrt(4.0 * h * h + slant * slant);
    double to_side = (off * 2.0 * h + d.y * slant) / length, to_cap = fabs(d.y);
    double radius = d.y > 0.0 ? top : bottom;
    tni_dvec3 low = dvec3_make(bottom * x, -h, bottom * z), high = dvec3_make(top * x, h, top * z);
    if (to_cap > FACET_COSINE && radius > 0.0 && to_cap >= to_side) {
        facet_set_cap(d.y > 0.0 ? h : -h, radius, d, off, facet);
    } else if (to_side > FACET_COSINE) {
        facet->kind = TNI_FACET_SEGMENT;
        facet_add(facet, low, TNI_FACET_BOTTOM);
        facet_add(facet, high, TNI_FACET_TOP);
    } else {
        bool is_top = dvec3_dot(d, high) > dvec3_dot(d, low);
        facet_set_point(facet, is_top ? high : low, is_top ? TNI_FACET_TOP : TNI_FACET_BOTTOM);
    }
}

// ---- round shapes --------------------------------------------------------------------------

// The core of a capsule is two balls without the radius of the smaller one.
static void facet_find_capsule(double h, double bottom, double top, tni_dvec3 d, tni_facet *facet) {
    double least = maths_min_d(bottom, top), sine = (bottom - top) / (2.0 * h);
    tni_dvec3 low = dvec3_scale(d, bottom - least), high = dvec3_scale(d, top - least);
    low.y -= h;
    high.y += h;
    if (fabs(d.y - sine) < FACET_ROUND_SINE) {
        facet->kind = TNI_FACET_SEGMENT;
        facet_add(facet, low, TNI_FACET_BOTTOM);
        facet_add(facet, high, TNI_FACET_TOP);
        return;
    }
    bool is_top = d.y > sine;
    facet_set_point(facet, is_top ? high : low, is_top ? TNI_FACET_TOP : TNI_FACET_BOTTOM);
}

void tni_facet_find(const tni_convex *convex, tni_dvec3 direction, tni_facet *facet) {
    const tni_geometry *g = convex->geometry;
    facet->count = 0;
    switch (g->type) {
    case TNI_GEOMETRY_BOX:
        facet_find_box(g->box.half_extents, direction, facet);
        break;
    case TNI_GEOMETRY_HULL:
        facet_find_hull(convex, direction, facet);
        break;
    case TNI_GEOMETRY_CYLINDER:
        facet_find_cylinder(g, direction, facet);
        break;
    case TNI_GEOMETRY_CAPSULE:
        facet_find_capsule((double)g->capsule.half_length, 0.0, 0.0, direction, facet);
        break;
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        facet_find_capsule((double)g->tapered_capsule.half_length,
                           (double)g->tapered_capsule.radius_bottom,
                           (double)g->tapered_capsule.radius_top, direction, facet);
        break;
    default:
        facet_set_point(facet, tni_convex_get_core_point(convex, direction), 1);
        break;
    }
}
