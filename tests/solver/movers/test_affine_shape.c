// What contacts see of an affine body: U within bounds, and the material that is seen there.
#include <criterion/criterion.h>
#include <string.h>

#include "core/dmat3.h"
#include "solver/movers/affine.h"

typedef struct model {
    tni_reduced reduced;
    tni_affine affine;
    tni_reduced_body body;
    tni_inertia inertia;
} model;

static void model_make(model *it, const double *nine) {
    const tni_dmat3 inertia = {{{0.5, 0.0, 0.0}, {0.0, 0.4, 0.0}, {0.0, 0.0, 0.6}}};
    const double speeds[TN_AFFINE_FREEDOMS] = {0.0};
    double u[TN_AFFINE_FREEDOMS] = {0.3, -0.2, 0.5};
    memset(it, 0, sizeof *it);
    it->inertia = tni_inertia_make(&inertia);
    it->body.mass = 2.0;
    it->body.inertia = &it->inertia;
    it->body.rotation = dquat_identity();
    it->reduced.freedoms = TN_AFFINE_FREEDOMS;
    it->reduced.body_count = 1;
    it->reduced.bodies = &it->body;
    it->reduced.affine = &it->affine;
    memcpy(u + 3, nine, 9 * sizeof *u);
    tni_affine_place(&it->reduced, u, speeds);
}

static double difference(const tni_dmat3 *a, const tni_dmat3 *b) {
    tni_dmat3 d = dmat3_add_scaled(a, -1.0, b);
    return sqrt(dmat3_dot(&d, &d));
}

// Far from round, so that Gershgorin's discs do not tell.
Test(affine_shape, within_the_bounds_it_is_the_stretch) {
    static const double shapes[][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                       {1.2, 0.3, -0.1, -0.2, 0.8, 0.25, 0.1, 0.2, 1.1},
                                       {3, 2.8, 0, 2.8, 3, 0, 0, 0, 19},
                                       {0, -9, 0, 0.1, 0, 0, 0, 0, 1}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        model it;
        model_make(&it, shapes[i]);
        tni_dmat3 seen = tni_affine_get_shape(&it.reduced);
        cr_assert(difference(&seen, &it.affine.stretch) < 1e-12, "%zu", i);
        tni_dvec3 x = {0.3, -0.4, 0.7}, found, at = tni_affine_get_point(&it.reduced, x);
        tni_affine_find_material(&it.reduced, &at, 1, &found);
        cr_assert(dvec3_length(dvec3_sub(found, x)) < 1e-12, "%zu", i);
    }
}

Test(affine_shape, principal_stretches_stay_within_bounds_without_a_jump) {
    double before = 0.0;
    for (int i = -200; i <= 200; ++i) {
        double s = 0.001 * i; // through flat to inside out
        const double nine[9] = {
            0.5 * (s + 1.0), 0.5 * (s - 1.0), 0, 0.5 * (s - 1.0), 0.5 * (s + 1.0), 0, 0, 0, 1e9};
        model it;
        model_make(&it, nine);
        tni_dmat3 seen = tni_affine_get_shape(&it.reduced);
        tni_dvec3 values;
        tni_dquat axes;
        tni_maths_diagonalize(&seen, &values, &axes);
        double least = fmin(values.x, fmin(values.y, values.z));
        double most = fmax(values.x, fmax(values.y, values.z));
        cr_assert(fabs(least - fmax(s, 0.05)) < 1e-6 && fabs(most - 20.0) < 1e-6, "%g: %g %g", s,
                  least, most);
        cr_assert(i == -200 || fabs(least - before) < 0.0011);
        before = least;
        tni_dvec3 at = {1.3, -0.2, 0.4}, found;
        tni_affine_find_material(&it.reduced, &at, 1, &found);
        cr_assert(dvec3_length(found) < 1.1 / 0.05);
    }
}

// A body that is inside out is seen flat, and its surface moves as its middle does: a contact
// pushes that, and strains the body no more.
Test(affine_shape, what_is_inside_out_has_the_material_of_its_middle) {
    for (int i = -4; i <= 0; ++i) {
        const double nine[9] = {0.25 * i, 0, 0, 0, 1.1, 0, 0, 0, 1.2};
        model it;
        model_make(&it, nine);
        tni_dvec3 at = dvec3_add(it.body.position, dvec3_make(0.05 * 0.3, 0.0, 0.0)), found;
        tni_affine_find_material(&it.reduced, &at, 1, &found);
        cr_assert(dvec3_length(found) < 1e-12, "%d: %g", i, dvec3_length(found));
    }
}
