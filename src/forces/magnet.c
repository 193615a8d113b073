// forces/magnet.c: magnets as points with a moment.
//
// A dipole m at the origin has the field B(r) = mu0 / (4 pi r^3) (3 (m . d) d - m), d = r / |r|.
// Another one, m' at r, feels the torque m' x B and the force
//
//     F = 3 mu0 / (4 pi r^4) ((m . d) m' + (m' . d) m + (m . m') d - 5 (m . d) (m' . d) d)
//
// and exerts the opposite force: on one axis 3 mu0 m m' / (2 pi r^4). The torques of the two and
// the moment of the forces add up to zero.
// Source: J. D. Jackson, "Classical electrodynamics", 3rd ed. 1999, (5.56), (5.69), (5.1); K. Yung,
// P. Landecker, D. Villani, "An analytic solution for the force between two magnetic dipoles",
// 1998.
// Test: tests/forces/test_force_kinds.c
#include "forces/force.h"

// N/A^2: mu0 / (4 pi), CODATA 2018.
#define MAGNET_MU0_OVER_4_PI 1.00000000055e-7

static tni_dvec3 magnet_get_moment(const tn_connector_state *state) {
    return dvec3_scale(dvec3_from_plain(state->axis), state->amount);
}

// Returns the field without the factor mu0 / (4 pi r^3).
static tni_dvec3 magnet_get_field(tni_dvec3 m, tni_dvec3 d) {
    return dvec3_sub(dvec3_scale(d, 3.0 * dvec3_dot(m, d)), m);
}

static void magnet_add_pair(const tn_force_input *input, double core, uint32_t i, uint32_t k,
                            tn_force_output *out) {
    const tn_connector_state *a = &input->connectors[i], *b = &input->connectors[k];
    tni_dvec3 r = dvec3_sub(force_get_place(b), force_get_place(a));
    double length = dvec3_length(r), way = length > core ? length : core;
    tni_dvec3 d = dvec3_scale(r, maths_inverse_or_zero_d(length));
    tni_dvec3 m = magnet_get_moment(a), n = magnet_get_moment(b);
    double torque = MAGNET_MU0_OVER_4_PI / (way * way * way), force = 3.0 * torque / way;
    double md = dvec3_dot(m, d), nd = dvec3_dot(n, d);
    tni_dvec3 f = dvec3_add(dvec3_scale(n, md), dvec3_scale(m, nd));
    f = dvec3_scale(dvec3_add_scaled(f, dvec3_dot(m, n) - 5.0 * md * nd, d), force);
    force_add(&out->force[i], dvec3_scale(f, -1.0));
    force_add(&out->force[k], f);
    force_add(&out->torque[i], dvec3_scale(dvec3_cross(m, magnet_get_field(n, d)), torque));
    force_add(&out->torque[k], dvec3_scale(dvec3_cross(n, magnet_get_field(m, d)), torque));
}

void tni_force_magnet(const tn_force_input *input, tn_force_output *out, void *own) {
    const tni_force *force = own;
    for (uint32_t i = 0; i < input->connector_count; ++i) {
        for (uint32_t k = i + 1; k < input->connector_count; ++k) {
            if (force->ends[i].body != force->ends[k].body) {
                magnet_add_pair(input, force->magnet.core, i, k, out);
            }
        }
    }
}
