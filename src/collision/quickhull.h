// collision/quickhull.h: the convex hull of points on an integer grid, as triangles.
#ifndef TNI_COLLISION_QUICKHULL_H
#define TNI_COLLISION_QUICKHULL_H

#include "core/maths.h"
#include "core/memory/alloc.h"

// The largest side of the cloud spans this many grid units.
#define TNI_QUICKHULL_GRID ((1 << 20) - 2)

typedef struct tni_quickhull_face {
    uint32_t vertex[3];   // counter-clockwise from outside
    uint32_t neighbor[3]; // across the edge from vertex[i] to vertex[i + 1]
    int64_t normal[3];    // outward, not unit
    double length;        // of the normal: twice the area, grid units squared
    uint32_t outside;     // list of the points assigned to this face
    uint32_t farthest;    // of those
    double distance;      // of the farthest, grid units
    bool is_live, is_visible;
} tni_quickhull_face;

typedef struct tni_quickhull_point {
    int32_t x, y, z;
    uint32_t next; // in the list of a face
    uint32_t fan;  // the new face that starts here, while a fan is built
} tni_quickhull_point;

typedef struct tni_quickhull {
    tni_allocator *allocator;
    tni_quickhull_point *points;
    uint32_t point_count;
    tni_quickhull_face *faces; // slots; live ones have is_live
    uint32_t face_count, face_capacity;
    uint32_t *stack; // of faces, and the free list's storage
    uint32_t *free_faces;
    uint32_t free_count;
    double unit; // m per grid unit
} tni_quickhull;

// Returns OK, NOT_FINITE, DEGENERATE_HULL, TOO_LARGE or OUT_OF_MEMORY. The hull is destroyed by the
// caller in any case.
tn_result tni_quickhull_run(tni_quickhull *hull, tni_allocator *allocator, const vec3s *points,
                            uint32_t count);
void tni_quickhull_destroy(tni_quickhull *hull);

#endif
