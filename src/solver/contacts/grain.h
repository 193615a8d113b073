// solver/contacts/grain.h: friction that depends on the direction along the surfaces.
//
// A surface with a grain scales friction by s_k along each axis a_k of its shape:
//     D = sum of s_k a_k a_k^T.
// In the plane of a contact it is the 2x2 matrix A = P D P, P the projection on to the plane. Two
// grains A and B make M = G^2 with G their geometric mean, the same whichever comes first:
//     alpha = sqrt(det A), beta = sqrt(det B), A^ = the adjugate of A:
//     G = (beta A + alpha B) / sqrt(2 alpha beta + tr(A^ B)),
// which is M = A B where the axes of both agree, and M = A where B is 1. The impulse f of friction
// stays in the ellipse
//     f = M y,  |y| <= mu N,
// mu the coefficient and N the sum of the normal impulses. With m_i and t_i the eigenvalues and
// eigenvectors of M, the rows of friction have the directions m_i t_i in place of unit vectors.
// Then J v = m_i t_i.u, J W J^T is the response, and y stays in a circle: each solver does what it
// does without a grain. Where the surfaces slide at u, the y in the circle that takes most energy
// is -mu N M u / |M u|, so
//     f = -mu N M^2 u / |M u|.
// That is the associated flow rule: friction does not act straight against u, but turns towards the
// axis along which it is stronger.
//
// Sources: R. Michalowski, Z. Mroz, "Associated and non-associated sliding rules in contact
// friction problems", Archives of Mechanics 30, 1978 (the ellipse and its rule); J. Lawson, Y. Lim,
// "The geometric mean, matrices, metrics, and more", Amer. Math. Monthly 108, 2001 (G for two by
// two). Test: tests/solver/contacts/test_grain.c
#ifndef TNI_SOLVER_CONTACTS_GRAIN_H
#define TNI_SOLVER_CONTACTS_GRAIN_H

#include "solver/contacts/contact.h"

// The weaker axis of a grain counts with at least this share of the stronger one, so that rows keep
// a mass.
#define TNI_GRAIN_LEAST 1e-5

// The ellipse of a contact. Without a grain the axes are any two, and the scales 1.
typedef struct tni_grain_axes {
    tni_dvec3 axis[2]; // unit vectors in the plane, the first with the larger scale
    double scale[2];   // m_1 >= m_2 >= 0
} tni_grain_axes;

// Returns whether friction of the contact depends on the direction; `extras` may be null.
static inline bool tni_grain_is_any(const tni_contact_extras *extras) {
    return extras != NULL && (extras->grains[0].is_any || extras->grains[1].is_any);
}

// Returns the mean scale of friction that acts in all directions, as against twisting.
static inline double tni_grain_get_mean(const double scale[2]) {
    return sqrt(0.5 * (scale[0] * scale[0] + scale[1] * scale[1]));
}

// Finds the ellipse in the plane across the unit vector `normal`. The bodies have turned by
// `turned` since the grains were measured; a null pointer means that neither has.
void tni_grain_find_axes(const tni_contact_extras *extras, const tni_dquat turned[2],
                         tni_dvec3 normal, tni_grain_axes *out);
// Returns how far a body has turned since then: one that has this rotation now, or one of the
// solver's.
tni_dquat tni_grain_get_turned_to(const tni_grain *grain, tni_dquat now);
tni_dquat tni_grain_get_turned(const tni_solver *solver, const tni_grain *grain, uint32_t body);

#endif
