// collision/shared_hull.h: a convex hull that is made once and counts its users.
#ifndef TNI_COLLISION_SHARED_HULL_H
#define TNI_COLLISION_SHARED_HULL_H

#include "collision/hull.h"
#include "collision/shared.h"

typedef struct tni_shared_hull {
    tni_shared shared;
    tni_hull *hull; // its own
} tni_shared_hull;

// Make a hull with one user, of points (as tni_hull_build does) or of its faces (as
// tni_hull_from_faces does). They return null if there is none; *out_result says why.
tni_shared_hull *tni_shared_hull_build(const tni_allocator *allocator, const vec3s *points,
                                       uint32_t count, tn_result *out_result);
tni_shared_hull *tni_shared_hull_from_faces(const tni_allocator *allocator,
                                            const tni_hull_faces *faces, tn_result *out_result);

// Saves a hull, and loads one with one user. Returns null after DAMAGED_DATA or OUT_OF_MEMORY.
#define TNI_SHARED_HULL_VERSION 1
void tni_shared_hull_save(tni_stream *stream, const void *hull);
tni_shared *tni_shared_hull_load(tni_stream *stream, const tni_allocator *allocator,
                                 tn_result *out_result);

#endif
