// collision/concave/triangle.c: a triangle as a hull of two faces.
//
// A triangle of a mesh is a piece of a surface and not a solid: the axis along which it overlaps
// another shape least may push that shape along the surface, over an edge with a neighbour, or
// behind it. Only those normals count that the surface has: that of the face on the other shape's
// side and, over an active edge, those from there to the plane. With c the cosine between a normal
// and the face's, and m_i the directions out of the triangle square to its edges, a normal belongs
// to the edge with the largest m_i . normal.
//
// If the axis of least overlap is none of these, the face takes the contact if it is overlapped
// about as little, as at a seam that a box slides over. If not, the triangle has only a corner
// there, like that of a riser at the edge of a step, whose top carries the shape.
//
// Source: D. Gregorius, "Robust contact creation for physics simulations", GDC 2015 (the Gauss map
// of the edges of a mesh). Test: tests/collision/concave/test_mesh.c
#include "collision/concave/triangle.h"

#include <string.h>

// A normal this close to the face's (cosine; 5.7 degrees) is as good as that.
#define TRIANGLE_FACE 0.995f
// Two triangles are as one up to this angle (cosine; 5 degrees), and lie back to back beyond this
// one (175 degrees).
#define TRIANGLE_FLAT 0.99619
#define TRIANGLE_BACK (-0.99619)

static void triangle_set_topology(tni_triangle_hull *storage) {
    for (uint16_t i = 0; i < 3; ++i) {
        uint16_t next = (uint16_t)((i + 1) % 3), previous = (uint16_t)((i + 2) % 3);
        storage->half_edges[2 * i] = (tni_half_edge){(uint16_t)(2 * next), i, 0};
        storage->half_edges[2 * i + 1] = (tni_half_edge){(uint16_t)(2 * previous + 1), next, 1};
        storage->vertex_edges[i] = (uint16_t)(2 * i);
    }
    storage->face_edges[0] = 0;
    storage->face_edges[1] = 1;
}

static float triangle_get_offset(const vec3s corners[3], vec3s normal) {
    float offset = -FLT_MAX;
    for (int i = 0; i < 3; ++i) {
        vec3s p = corners[i];
        offset = maths_max(offset, normal.x * p.x + normal.y * p.y + normal.z * p.z);
    }
    return offset;
}

static void triangle_set_bounds(tni_hull *hull, const vec3s corners[3]) {
    hull->lower = hull->upper = corners[0];
    for (int i = 1; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            hull->lower.raw[k] = maths_min(hull->lower.raw[k], corners[i].raw[k]);
            hull->upper.raw[k] = maths_max(hull->upper.raw[k], corners[i].raw[k]);
        }
    }
}

void tni_triangle_hull_set(tni_triangle_hull *storage, const vec3s corners[3], uint32_t sides) {
    memset(storage, 0, sizeof *storage);
    triangle_set_topology(storage);
    tni_hull *hull = &storage->hull;
    double around = 0.0;
    tni_dvec3 p[3], middle = dvec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; ++i) {
        p[i] = dvec3_from_float(corners[i]);
        middle = dvec3_add_scaled(middle, 1.0 / 3.0, p[i]);
    }
    for (int i = 0; i < 3; ++i) {
        tni_dvec3 edge = dvec3_sub(p[(i + 1) % 3], p[i]);
        double length = dvec3_length(edge);
        around += length;
        storage->edge_directions[i] =
            dvec3_to_float(dvec3_scale(edge, maths_inverse_or_zero_d(length)));
        storage->vertices[i] = corners[i];
        for (int k = 0; k < 3; ++k) {
            storage->lanes[k][i] = corners[i].raw[k];
            storage->lanes[k][3] = corners[0].raw[k];
        }
    }
    tni_dvec3 n = dvec3_cross(dvec3_sub(p[1], p[0]), dvec3_sub(p[2], p[0]));
    double area2 = dvec3_length(n);
    vec3s normal = dvec3_to_float(dvec3_scale(n, maths_inverse_or_zero_d(area2)));
    vec3s back = glms_vec3_negate(normal);
    storage->planes[0] = (tni_plane){normal, triangle_get_offset(corners, normal)};
    storage->planes[1] = (tni_plane){back, triangle_get_offset(corners, back)};
    hull->vertex_count = 3;
    hull->half_edge_count = 6;
    hull->face_count = 2;
    hull->lane_count = 4;
    hull->vertices = storage->vertices;
    hull->lanes = storage->lanes[0];
    hull->edge_directions = storage->edge_directions;
    hull->half_edges = storage->half_edges;
    hull->face_edges = storage->face_edges;
    hull->vertex_edges = storage->vertex_edges;
    hull->planes = storage->planes;
    hull->center = dvec3_to_float(middle);
    triangle_set_bounds(hull, corners);
    hull->inner_radius = (float)(area2 * maths_inverse_or_zero_d(around));
    hull->sides = TNI_TRIANGLE | sides;
    hull->byte_size = sizeof *storage;
}

// Returns the direction in the plane that leads out over an edge.
static vec3s triangle_get_out(const tni_hull *triangle, uint32_t edge) {
    return glms_vec3_cross(triangle->edge_directions[edge], triangle->planes[0].normal);
}

bool tni_triangle_is_under(const tni_hull *triangle, vec3s point) {
    bool is_inside = true;
    for (uint32_t i = 0; i < 3 && is_inside; ++i) {
        vec3s from = glms_vec3_sub(point, triangle->vertices[i]);
        is_inside = glms_vec3_dot(triangle_get_out(triangle, i), from) <= 0.0f;
    }
    return is_inside;
}

bool tni_triangle_allows(const tni_hull *triangle, uint32_t side, vec3s normal) {
    float c = glms_vec3_dot(triangle->planes[side].normal, normal);
    if (c > TRIANGLE_FACE) {
        return true;
    }
    uint32_t edge = 0;
    float most = -FLT_MAX;
    for (uint32_t i = 0; i < 3; ++i) {
        float along = glms_vec3_dot(triangle_get_out(triangle, i), normal);
        edge = along > most ? i : edge;
        most = maths_max(along, most);
    }
    return c > TNI_TRIANGLE_BEHIND && (triangle->sides >> edge & 1u) != 0;
}

tni_dvec3 tni_triangle_get_area(const vec3s corners[3]) {
    tni_dvec3 p = dvec3_from_float(corners[0]);
    return dvec3_cross(dvec3_sub(dvec3_from_float(corners[1]), p),
                       dvec3_sub(dvec3_from_float(corners[2]), p));
}

bool tni_triangles_stand_out(tni_dvec3 first, tni_dvec3 second, tni_dvec3 to, bool is_two_sided) {
    double cosine = dvec3_dot(first, second) / (dvec3_length(first) * dvec3_length(second));
    bool is_convex = dvec3_dot(first, to) < 0.0;
    return cosine < TRIANGLE_FLAT && (is_convex || is_two_sided || cosine < TRIANGLE_BACK);
}

// With e, f the edges from the first corner, d the translation and n = e x f, the ray crosses the
// plane at s = n . (p - o) / (n . d), and there the shares of the corners are the volumes that the
// ray spans with the edges (T. Moeller and B. Trumbore, "Fast, Minimum Storage Ray/Triangle
// Intersection", 1997).
bool tni_triangle_cast_ray(const vec3s corners[3], bool is_two_sided, const tni_ray *ray,
                           tni_ray_way way, tni_ray_hit *hit) {
    tni_dvec3 p = dvec3_from_float(corners[0]);
    tni_dvec3 e = dvec3_sub(dvec3_from_float(corners[1]), p);
    tni_dvec3 f = dvec3_sub(dvec3_from_float(corners[2]), p);
    tni_dvec3 n = dvec3_cross(e, f), to = dvec3_sub(p, ray->origin);
    double towards = -dvec3_dot(n, ray->translation), height = -dvec3_dot(n, to);
    double sense = towards < 0.0 ? -1.0 : 1.0;
    bool leaves = way == TNI_RAY_LEAVES, is_back = sense < 0.0;
    bool has_side = is_two_sided ? !leaves : is_back == leaves;
    bool has_begun = way == TNI_RAY_ENTERS ? sense * height < 0.0 : sense * height <= 0.0;
    if (!has_side || towards == 0.0 || has_begun ||
        sense * height > hit->fraction * fabs(towards)) {
        return false;
    }
    tni_dvec3 across = dvec3_cross(ray->translation, to);
    double u = sense * dvec3_dot(across, f), v = -sense * dvec3_dot(across, e);
    if (u < 0.0 || v < 0.0 || u + v > fabs(towards)) {
        return false;
    }
    hit->fraction = height / towards;
    double outward = is_two_sided ? sense : 1.0;
    hit->normal = dvec3_scale(n, outward * maths_inverse_or_zero_d(dvec3_length(n)));
    return true;
}
