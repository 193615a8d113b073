// collision/hull.h: builds a convex hull from points.
#ifndef TNI_COLLISION_HULL_H
#define TNI_COLLISION_HULL_H

#include "collision/geometry.h"
#include "core/stream.h"

// Builds the hull of `count` points into one block of the allocator; *out_hull is set on OK only.
// Otherwise it returns NOT_FINITE, INVALID_ARGUMENT (null or under 4 points), DEGENERATE_HULL
// (flat, a line or a point), TOO_LARGE (more than TNI_HULL_MAX_VERTICES corners), OUT_OF_MEMORY.
// Nearly coincident points are welded and nearly coplanar faces merged at a tolerance relative to
// the size of the cloud.
tn_result tni_hull_build(tni_allocator *allocator, const vec3s *points, uint32_t count,
                         tni_hull **out_hull);
void tni_hull_destroy(tni_allocator *allocator, tni_hull *hull);

// The faces of a hull that was built before: for each its corners, counter-clockwise from outside,
// those of all faces one after the other.
typedef struct tni_hull_faces {
    const vec3s *vertices;
    const uint32_t *corners;       // less than vertex_count
    const uint32_t *corner_counts; // by face, at least 3
    uint32_t vertex_count, face_count;
} tni_hull_faces;
// Most corners that all faces together have: one of each half edge.
#define TNI_HULL_MAX_CORNERS (6u * TNI_HULL_MAX_VERTICES - 12u)

// Makes the same hull of its faces, to the bit. There are from 4 to TNI_HULL_MAX_VERTICES vertices
// and 6 corners a vertex, less 12, at most. Returns DEGENERATE_HULL if these are no faces of a
// closed and convex hull, or OUT_OF_MEMORY.
tn_result tni_hull_from_faces(tni_allocator *allocator, const tni_hull_faces *faces,
                              tni_hull **out_hull);

// Faces that were read, with room for those of any hull.
typedef struct tni_hull_saved {
    tni_hull_faces faces;
    vec3s vertices[TNI_HULL_MAX_VERTICES];
    uint32_t corners[TNI_HULL_MAX_CORNERS], corner_counts[TNI_HULL_MAX_CORNERS / 3];
} tni_hull_saved;

// Write a hull's corners and faces, and read them. Reading returns whether they may be those of a
// hull, and else notes damage (hull_saved.c).
void tni_hull_save(tni_stream *stream, const tni_hull *hull);
bool tni_hull_read(tni_stream *stream, tni_hull_saved *out_saved);
// Reads a hull. Returns DAMAGED_DATA or OUT_OF_MEMORY if there is none.
tn_result tni_hull_load(tni_stream *stream, tni_allocator *allocator, tni_hull **out_hull);
// Return whether a hull is the one that has these faces, and whether two are the same, to the bit.
bool tni_hull_has_faces(const tni_hull *hull, const tni_hull_faces *faces);
bool tni_hull_is_same(const tni_hull *a, const tni_hull *b);

// Copies a hull into a block of its own; returns null without memory.
tni_hull *tni_hull_copy(tni_allocator *allocator, const tni_hull *hull);
// Writes the hull that `map`, whose determinant is positive, makes of another, into a copy of it:
// all but its mass.
void tni_hull_deform(const tni_hull *hull, const tni_dmat3 *map, tni_hull *copy);

// This is a box as a hull, for code that treats both alike, without any allocation: the function
// fills `hull` and its arrays inside `storage`. Winding, twins and planes follow the rules of
// tni_hull.
typedef struct tni_box_hull {
    tni_hull hull;
    vec3s vertices[8];
    float lanes[3][8];
    vec3s edge_directions[12];
    tni_half_edge half_edges[24];
    uint16_t face_edges[6];
    uint16_t vertex_edges[8];
    tni_plane planes[6];
} tni_box_hull;
void tni_box_hull_set(tni_box_hull *storage, vec3s half_extents);

#endif
