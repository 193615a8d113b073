// tests/world/movers/affine_world.h: affine bodies for the tests of these.
#ifndef TESTS_WORLD_AFFINE_WORLD_H
#define TESTS_WORLD_AFFINE_WORLD_H

#include "reduced_world.h"

// A box about the origin, with the sides x, y, z in m, that touches nothing.
static inline tn_body_id affine_box_make(tn_world *world, double mass, double x, double y,
                                         double z) {
    tn_body_def def = tn_body_def_default();
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.filter.mask = 0;
    shape.density = (float)(mass / (x * y * z));
    tn_vec3 half = {(0.5 * x), (0.5 * y), (0.5 * z)};
    cr_assert(tn_box_shape_create(world, body, &shape, half).value != 0);
    return body;
}

static inline tn_reduced_id affine_make(tn_world *world, tn_body_id body, double modulus,
                                        double ratio, double viscosity, tn_affine_kept kept) {
    tn_affine_def def = tn_affine_def_default();
    def.body = body;
    def.youngs_modulus = modulus;
    def.poisson_ratio = ratio;
    def.viscosity = viscosity;
    def.kept = kept;
    tn_reduced_id id = tn_affine_create(world, &def);
    cr_assert(id.value != 0);
    return id;
}

static inline double affine_determinant(const tn_world *world, tn_reduced_id id) {
    double u[TN_AFFINE_FREEDOMS] = {0.0};
    tn_reduced_get_coordinates(world, id, u, TN_AFFINE_FREEDOMS);
    const double *a = u + 3;
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

static inline void affine_set(tn_world *world, tn_reduced_id id, const double *a,
                              const double *rate) {
    double u[TN_AFFINE_FREEDOMS] = {0.0}, v[TN_AFFINE_FREEDOMS] = {0.0};
    tn_reduced_get_coordinates(world, id, u, TN_AFFINE_FREEDOMS);
    for (int k = 0; k < 9; ++k) {
        u[3 + k] = a[k];
        v[3 + k] = rate != NULL ? rate[k] : 0.0;
    }
    tn_reduced_set_coordinates(world, id, u, TN_AFFINE_FREEDOMS);
    tn_reduced_set_speeds(world, id, v, TN_AFFINE_FREEDOMS);
}

static inline tn_joint_id affine_hang(tn_world *world, tn_body_id a, tn_body_id b, double x,
                                      double y, double z) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, y, z},
                                      (tn_vec3){1.0, 0.0, 0.0}));
    tn_joint_id joint = tn_ball_joint_create(world, &def);
    cr_assert(joint.value != 0);
    return joint;
}

#endif
