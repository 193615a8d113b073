// collision/mass_round.h: mass properties by integrals over a surface or a profile.
#ifndef TNI_COLLISION_MASS_ROUND_H
#define TNI_COLLISION_MASS_ROUND_H

#include "collision/geometry.h"

// Each fills volume, centre and inertia per kg about that, in the geometry's own frame.
void tni_mass_of_cylinder(const tni_geometry *geometry, tni_mass_properties *out);
void tni_mass_of_tapered_capsule(const tni_geometry *geometry, tni_mass_properties *out);
void tni_mass_of_ellipsoid(const tni_geometry *geometry, tni_mass_properties *out);
// A hull, with a ball of the radius about each of its points.
void tni_mass_of_rounded_hull(const tni_hull *hull, double rounding, tni_mass_properties *out);

#endif
