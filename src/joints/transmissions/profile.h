// joints/transmissions/profile.h: a closed curve in polar coordinates through radii at equal
// angles.
#ifndef TNI_JOINTS_TRANSMISSIONS_PROFILE_H
#define TNI_JOINTS_TRANSMISSIONS_PROFILE_H

#include "core/maths.h"

typedef struct tni_profile {
    uint32_t count, corner_count; // radii; corners of the polygon, a multiple of these
    double least, greatest;       // m: of the corners' radii
    double *radii;                // m, as they were given
    double *weights;              // m: of the B-splines
    double (*corners)[2];         // m: points of the curve at equal angles
} tni_profile;

// A vector in the plane of the curve.
typedef struct tni_planar {
    double y, z;
} tni_planar;

// The curve at an angle: the point and its first two derivatives by the angle.
typedef struct tni_profile_point {
    tni_planar p, first, second;
} tni_profile_point;

// Return the bytes of a profile of `count` radii, and make it at the beginning of that memory.
size_t tni_profile_get_size(uint32_t count);
tni_profile *tni_profile_make(void *memory, const double *radii, uint32_t count);

double tni_profile_get_radius(const tni_profile *profile, double angle);
tni_profile_point tni_profile_get_point(const tni_profile *profile, double angle);
// Return the point of the curve nearest to q, and the point that reaches farthest along u, a vector
// of any length.
tni_profile_point tni_profile_find_nearest(const tni_profile *profile, tni_planar q);
tni_profile_point tni_profile_find_farthest(const tni_profile *profile, tni_planar u);

#endif
