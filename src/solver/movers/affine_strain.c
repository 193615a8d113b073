// solver/movers/affine_strain.c: an affine body's motion as six strains and three turns, and what
// the strains of its material are resisted by. Derivation: solver/movers/affine.c. Test:
// tests/solver/movers/test_affine_columns.c, tests/world/movers/test_affine.c
#include "core/dmat3.h"
#include "solver/movers/affine.h"

static const int affine_pairs[TNI_AFFINE_STRAINS][2] = {{0, 0}, {1, 1}, {2, 2},
                                                        {1, 2}, {0, 2}, {0, 1}};

tni_dmat3 tni_affine_join_strains(const double *six) {
    tni_dmat3 e = {{{six[0], six[5], six[4]}, {six[5], six[1], six[3]}, {six[4], six[3], six[2]}}};
    return e;
}

void tni_affine_read_dual(const tni_dmat3 *matrix, double *out_six) {
    for (uint32_t e = 0; e < TNI_AFFINE_STRAINS; ++e) {
        int p = affine_pairs[e][0], q = affine_pairs[e][1];
        out_six[e] = p == q ? matrix->m[p][p] : matrix->m[p][q] + matrix->m[q][p];
    }
}

tni_dvec3 tni_affine_split(const tni_affine *affine, const tni_dmat3 *y, tni_dmat3 *out_rate) {
    tni_dvec3 w = dmat3_mul_vec(&affine->turn, dmat3_axial(y));
    tni_dmat3 turned = dmat3_cross(w, &affine->stretch);
    tni_dmat3 rest = dmat3_add_scaled(y, -1.0, &turned);
    *out_rate = dmat3_symmetric_part(&rest);
    return w;
}

tni_dvec3 tni_affine_split_speeds(const tni_affine *affine, const double *speeds,
                                  tni_dmat3 *out_rate) {
    tni_dmat3 rate = dmat3_read(speeds + 3), y = dmat3_mul_transposed(&affine->rotation, &rate);
    return tni_affine_split(affine, &y, out_rate);
}

tni_dmat3 tni_affine_join(const tni_affine *affine, const double *ways) {
    tni_dmat3 turned = dmat3_cross(dvec3_make(ways[6], ways[7], ways[8]), &affine->stretch);
    tni_dmat3 strains = tni_affine_join_strains(ways);
    tni_dmat3 y = dmat3_add_scaled(&turned, 1.0, &strains);
    return dmat3_mul(&affine->rotation, &y);
}

// ---- the material ------------------------------------------------------------------------------

// V mu and V lambda, J.
static void affine_get_lame(const tn_affine_def *def, double *out_mu, double *out_lambda) {
    double e = def->youngs_modulus, nu = def->poisson_ratio;
    *out_mu = def->volume * e / (2.0 * (1.0 + nu));
    *out_lambda = def->volume * e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
}

void tni_affine_stress(const tni_affine *affine, const tni_dmat3 *strain, double *out_six) {
    double mu, lambda, trace = dmat3_trace(strain);
    affine_get_lame(&affine->material, &mu, &lambda);
    for (uint32_t e = 0; e < TNI_AFFINE_STRAINS; ++e) {
        double own = strain->m[affine_pairs[e][0]][affine_pairs[e][1]];
        out_six[e] = e < 3 ? 2.0 * mu * own + lambda * trace : 4.0 * mu * own;
    }
}

void tni_affine_fill_stiffness(const tni_affine *affine, double *out_stiffness) {
    double mu, lambda;
    affine_get_lame(&affine->material, &mu, &lambda);
    for (uint32_t a = 0; a < TNI_AFFINE_STRAINS; ++a) {
        for (uint32_t b = 0; b < TNI_AFFINE_STRAINS; ++b) {
            double k = a == b ? (a < 3 ? 2.0 : 4.0) * mu : 0.0;
            out_stiffness[a * TNI_AFFINE_STRAINS + b] = k + (a < 3 && b < 3 ? lambda : 0.0);
        }
    }
}

double tni_affine_work(const double *six, const tni_dmat3 *rate) {
    double sum = 0.0;
    for (uint32_t e = 0; e < TNI_AFFINE_STRAINS; ++e) {
        sum += six[e] * rate->m[affine_pairs[e][0]][affine_pairs[e][1]];
    }
    return sum;
}

tni_dmat3 tni_affine_get_strain(const tni_affine *affine) {
    tni_dmat3 strain = affine->stretch;
    for (int i = 0; i < 3; ++i) {
        strain.m[i][i] -= 1.0;
    }
    return strain;
}
