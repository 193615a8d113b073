// collision/path/path.h: two convex shapes that move, and the planes that hold on their whole way.
#ifndef TNI_COLLISION_PATH_PATH_H
#define TNI_COLLISION_PATH_PATH_H

#include "collision/manifold/manifold.h"

// This is a shape of a body that moves: it goes straight and turns about the body's centre of mass.
typedef struct tni_path_end {
    const tni_geometry *geometry;
    tni_dvec3 center;   // of the geometry's own frame, world
    versors rotation;   // of that frame
    tni_dvec3 position; // of the body's centre of mass
    tni_dvec3 velocity, angular_velocity;
} tni_path_end;

// This is a pair that is followed for `dt`.
typedef struct tni_path {
    tni_path_end a, b;
    tni_dvec3 origin; // of manifolds
    double dt;
    double tolerance;   // m: how deep an overlap counts as shallow
    double slack;       // m: how far what acts within dt may take them off their way
    double reach_speed; // m/s: turning moves no point of either surface faster, both together
    float margin;       // m: how far points are looked for
    bool is_held;       // joints hold one of the bodies: its way is not as straight as it looks
} tni_path;

// Following the way of a pair gives this result.
typedef struct tni_path_meeting {
    bool is_walked;                      // `manifold` is that of a later time
    bool hits;                           // the surfaces meet within dt
    bool is_confirmed;                   // no other axis of the pair carries
    double time;                         // s: of the manifold
    double blow;                         // s: when the pair meets in earnest, or dt
    tni_dvec3 offset;                    // from the centre of mass of b to that of a at `time`, m
    tni_manifold manifold;               // in terms of the start: see path.c
    float gaps[TNI_MANIFOLD_MAX_POINTS]; // m: of its points at `time`
} tni_path_meeting;

// Returns how deep an overlap of two shapes counts as shallow, m.
double tni_path_get_tolerance(const tni_geometry *a, const tni_geometry *b);
// Returns how fast turning moves the surface of a shape, m/s, whose points reach `reach` from its
// body's centre of mass. Turning about the axis of a round shape moves nothing.
double tni_path_get_turn_speed(const tni_path_end *end, float reach);

// Makes the manifold at t, and returns how far apart the shapes are then: the least gap of its
// points, HUGE_VAL without any. m
double tni_path_look(const tni_path *path, double t, tni_manifold *out_manifold);
// Returns the shape as it is t later.
tni_path_end tni_path_end_move(const tni_path_end *end, double t);
// Follows the pair from its manifold at the start.
void tni_path_follow(const tni_path *path, const tni_manifold *start,
                     tni_path_meeting *out_meeting);

#endif
