// core/polar.h: the rotation nearest to a matrix. Derivation: core/polar.c.
#ifndef TNI_CORE_POLAR_H
#define TNI_CORE_POLAR_H

#include "core/maths.h"

// Returns the unit quaternion of the rotation R that makes tr(R^T A) greatest, for any finite A,
// also one that mirrors or is flat: for A = R U with U positive definite it is that R. The
// quaternion has the sign that is nearer to `before`.
tni_dquat tni_polar_rotation(const tni_dmat3 *a, tni_dquat before);

#endif
