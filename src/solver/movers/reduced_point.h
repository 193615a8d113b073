// solver/movers/reduced_point.h: how a point of a body that coordinates give moves with each of
// them.
//
// Contacts ask this of an object, whatever its bodies are.
#ifndef TNI_SOLVER_MOVERS_REDUCED_POINT_H
#define TNI_SOLVER_MOVERS_REDUCED_POINT_H

#include <string.h>

#include "solver/movers/reduced.h"

// Finds for each freedom the velocity of the point at `arm` from the member's centre of mass while
// that freedom's speed is 1, in world axes and the state last asked for.
static inline void tni_reduced_get_point_columns(const tni_reduced *reduced, uint32_t member,
                                                 tni_dvec3 arm, tni_dvec3 *out_columns) {
    const tni_reduced_body *body = &reduced->bodies[member];
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        out_columns[k] = dvec3_add(body->linear[k], dvec3_cross(body->angular[k], arm));
    }
}

// Finds the columns of an affine body's material point X, which moves by c' + A' X.
static inline void tni_reduced_get_material_columns(tni_dvec3 material, tni_dvec3 *out_columns) {
    const double x[3] = {material.x, material.y, material.z};
    for (uint32_t k = 0; k < 3; ++k) {
        out_columns[k] = dvec3_make(k == 0, k == 1, k == 2);
        out_columns[3 + k] = dvec3_make(x[k], 0.0, 0.0);
        out_columns[6 + k] = dvec3_make(0.0, x[k], 0.0);
        out_columns[9 + k] = dvec3_make(0.0, 0.0, x[k]);
    }
}

// Finds the columns of the member's angular velocity.
static inline void tni_reduced_get_turn_columns(const tni_reduced *reduced, uint32_t member,
                                                tni_dvec3 *out_columns) {
    memcpy(out_columns, reduced->bodies[member].angular, reduced->freedoms * sizeof *out_columns);
}

#endif
