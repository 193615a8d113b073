// collision/manifold/sat.h: the best separating axis of two convex polyhedra.
#ifndef TNI_COLLISION_MANIFOLD_SAT_H
#define TNI_COLLISION_MANIFOLD_SAT_H

#include "collision/narrow.h"

// A hull of V corners has at most 2 V - 4 faces and 3 V - 6 edges.
#define TNI_SAT_MAX_FACES (2 * TNI_HULL_MAX_VERTICES - 4)
#define TNI_SAT_MAX_EDGES (3 * TNI_HULL_MAX_VERTICES - 6)

typedef struct tni_sat_face {
    float separation;
    uint32_t face, support; // the other hull's corner farthest against the face
} tni_sat_face;

typedef struct tni_sat_edges {
    float separation;        // -FLT_MAX for none
    uint32_t edge_a, edge_b; // half edges, even
    vec3s normal;            // from a to b, in a's frame
} tni_sat_edges;

typedef struct tni_sat_pair {
    const tni_hull *a, *b;
    const tni_relative *relative; // b seen from a
    tni_relative inverse;         // a seen from b
    float margin;
    float tolerance;
    uint32_t side_a, side_b; // of a triangle: the face on the other's side; TNI_NONE for solids
    float barred;            // the best separation along an axis that a triangle does not allow
    bool is_behind;          // one is behind the other, a triangle that has one side
    tni_sat_edges last;      // the cache's pair of edges, as it is now
    // The other hull's centre is this far off each face.
    float gaps_a[TNI_SAT_MAX_FACES], gaps_b[TNI_SAT_MAX_FACES];
} tni_sat_pair;

void tni_sat_begin(tni_sat_pair *pair, const tni_hull *a, const tni_hull *b,
                   const tni_relative *relative, float margin, const tni_manifold_cache *cache);

// Returns whether the axis of the last step still separates by more than the margin.
bool tni_sat_cache_separates(const tni_sat_pair *pair, const tni_manifold_cache *cache);

// These return the best face of a, and of b. Faces that cannot come near the last pair of edges are
// passed over.
tni_sat_face tni_sat_query_faces_of_a(tni_sat_pair *pair);
tni_sat_face tni_sat_query_faces_of_b(tni_sat_pair *pair);

// Is an axis, from a to b in a's frame, one for this separation? An overlap with a triangle has
// those that the triangle allows; the others are noted.
bool tni_sat_takes(tni_sat_pair *pair, float separation, vec3s axis);

// Returns the best pair of edges, of those that could beat the face axis (normal from a to b, in
// a's frame, with its negative separation). It is called after both queries of faces.
tni_sat_edges tni_sat_query_edges(tni_sat_pair *pair, vec3s normal, float separation);

#endif
