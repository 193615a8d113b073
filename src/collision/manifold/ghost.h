// collision/manifold/ghost.h: contacts with shapes that lie behind the plane of another.
#ifndef TNI_COLLISION_MANIFOLD_GHOST_H
#define TNI_COLLISION_MANIFOLD_GHOST_H

#include "collision/path/path.h"

// A shape R is carried on this plane, which is that of a face of a shape Q.
typedef struct tni_ghost_plane {
    tni_dvec3 normal;   // m
    double height;      // h, from the middle of R
    double depth;       // d
    double sink;        // m/s: how fast R comes to it where they touch, which it will not allow
    tni_dvec3 velocity; // of Q
} tni_ghost_plane;

// This is a contact k of R and P that may be a ghost.
typedef struct tni_ghost_trial {
    tni_path_end moving; // R
    tni_path_end other;  // P
    tni_dvec3 normal;    // of k, from P to R
    tni_dvec3 point;     // of k, world: its first
    double dt;
    bool follows; // k is made anew as R rolls on: it may have m for its normal
} tni_ghost_trial;

// Returns q for a moving shape, m.
double tni_ghost_get_tolerance(const tni_geometry *moving);
// Returns max m.x over a shape, from the origin.
double tni_ghost_get_top(const tni_path_end *shape, tni_dvec3 m, tni_dvec3 origin);
// Returns the vector from a core of a round shape to its surface, farthest along m.
tni_dvec3 tni_ghost_get_rim(const tni_path_end *round, tni_dvec3 m);
// Is m the normal of one of the shape's faces, to round-off?
bool tni_ghost_is_face(const tni_path_end *shape, tni_dvec3 m);
// Finds the plane of a contact of R with Q, which has this normal from Q to R, least gap and first
// point. Returns false where the normal is not nearly that of a face; else the plane has the normal
// of that face.
bool tni_ghost_find_plane(const tni_path_end *moving, const tni_path_end *carrier, tni_dvec3 normal,
                          double gap, tni_dvec3 point, tni_ghost_plane *out_plane);
// Is the normal of k nearly that of the plane?
bool tni_ghost_is_level(const tni_ghost_trial *trial, const tni_ghost_plane *plane);
// Does the plane keep R from coming to P? Then k is a ghost.
bool tni_ghost_lies_behind(const tni_ghost_trial *trial, const tni_ghost_plane *plane);

#endif
