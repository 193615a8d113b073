// collision/concave/triangle.h: a triangle as a hull of two faces, for code that treats both alike.
#ifndef TNI_COLLISION_CONCAVE_TRIANGLE_H
#define TNI_COLLISION_CONCAVE_TRIANGLE_H

#include "collision/hull.h"
#include "collision/ray.h"

// This is a triangle as a hull, without any allocation: the function fills `hull` and its arrays
// inside the storage. Face 0 is the front, from which the corners turn counter-clockwise, and face
// 1 the back. Half edge 2 i runs from corner i to the next one along the front, and 2 i + 1 back
// along the other face. The hull encloses nothing; its inner radius is that of the circle in it.
typedef struct tni_triangle_hull {
    tni_hull hull;
    vec3s vertices[3];
    float lanes[3][4];
    vec3s edge_directions[3];
    tni_half_edge half_edges[6];
    uint16_t face_edges[2];
    uint16_t vertex_edges[3];
    tni_plane planes[2];
} tni_triangle_hull;

// Bits of `sides`. An edge is active if something may be met there with another normal than that of
// the face: it has no neighbour, or stands out between both.
#define TNI_TRIANGLE_ACTIVE    7u // bit i: the edge from corner i to the next one
#define TNI_TRIANGLE_TWO_SIDED 8u
#define TNI_TRIANGLE           16u // a hull without it is a solid

// A normal may look behind the plane by this cosine.
#define TNI_TRIANGLE_BEHIND (-1e-3f)

// A triangle that overlaps a shape so many times as deep along the axis that it allows as along one
// that it does not is beside the shape, unless it lies straight under the shape's centroid.
#define TNI_TRIANGLE_BESIDE 2.0f

// The area must not be zero.
void tni_triangle_hull_set(tni_triangle_hull *storage, const vec3s corners[3], uint32_t sides);

// Returns the face on whose side a point in the triangle's frame is, or TNI_NONE if it is behind a
// triangle that has one side.
static inline uint32_t triangle_get_side(const tni_hull *triangle, vec3s point) {
    const tni_plane *front = &triangle->planes[0];
    vec3s n = front->normal;
    bool is_behind = n.x * point.x + n.y * point.y + n.z * point.z < front->offset;
    return !is_behind ? 0 : (triangle->sides & TNI_TRIANGLE_TWO_SIDED) != 0 ? 1 : TNI_NONE;
}

// Does a normal, in the triangle's frame, look to this side of its plane, or along it?
static inline bool triangle_faces(const tni_hull *triangle, uint32_t side, vec3s normal) {
    vec3s n = triangle->planes[side].normal;
    return n.x * normal.x + n.y * normal.y + n.z * normal.z > TNI_TRIANGLE_BEHIND;
}

// Does the triangle lie straight under a point, in its frame, or over it?
bool tni_triangle_is_under(const tni_hull *triangle, vec3s point);

// May a shape on one side of a triangle be pushed along a normal, in the triangle's frame? It may
// along that of the face, and over an active edge out of the plane.
bool tni_triangle_allows(const tni_hull *triangle, uint32_t side, vec3s normal);

// Returns the normal with twice the area of the triangle for its length.
tni_dvec3 tni_triangle_get_area(const vec3s corners[3]);

// Do two triangles, with these normals, stand out at their common edge? `to` leads from there to
// the third corner of the second one. One that has two sides does so on either.
bool tni_triangles_stand_out(tni_dvec3 first, tni_dvec3 second, tni_dvec3 to, bool is_two_sided);

// Meets a triangle before the hit's fraction, which becomes that of the meeting. A ray enters one
// of two sides by either, and leaves it by none.
bool tni_triangle_cast_ray(const vec3s corners[3], bool is_two_sided, const tni_ray *ray,
                           tni_ray_way way, tni_ray_hit *hit);

#endif
