// solver/exact/mechanism_block.c: a body's block of the matrix, and its inverse.
//
// It is the body's mass and inertia, and for a Newton step the curvature K of its joints times half
// the step (joints/exact_row.h). Under compression K takes away, and where M + K is no longer
// positive definite the norm of K is put on top of it: M only steers Newton's method, so that the
// answer stays the same. A locked axis has no unknown: one on the diagonal, zero beside it.
// Sources: M. Tournier et al., "Stable constrained dynamics", SIGGRAPH 2015 (geometric stiffness).
// Test: tests/solver/exact/test_mechanism.c
#include <string.h>

#include "solver/exact/mechanism_system.h"

// A block counts as positive if it is so without this share of the body's mass: close to singular,
// Newton's method would go far astray.
#define BLOCK_SPARE_MASS 0.5

static double block_curvature_norm(const tni_mechanism_body *body, uint32_t first, uint32_t end) {
    double square = 0.0;
    for (uint32_t i = first; i < end; ++i) {
        for (uint32_t j = first; j < end; ++j) {
            square += body->block.curvature[i][j] * body->block.curvature[i][j];
        }
    }
    return sqrt(square);
}

// Are all pivots of the block from `first` on positive, with less of the mass and inertia?
static bool block_is_positive(const tni_mechanism_body *body, const double *block, uint32_t first) {
    double d[36];
    memcpy(d, block, sizeof d);
    for (uint32_t i = 0; i < 3; ++i) {
        bool is_locked = tni_mechanism_is_locked(body, i);
        d[7 * i] -= is_locked ? 0.0 : BLOCK_SPARE_MASS * body->block.mass;
        for (uint32_t j = 0; j < 3; ++j) {
            bool is_free =
                !tni_mechanism_is_locked(body, 3 + i) && !tni_mechanism_is_locked(body, 3 + j);
            double spare = TNI_MECHANISM_SPARE_INERTIA * body->block.inertia.m[i][j];
            d[(3 + i) * 6 + 3 + j] -= is_free ? spare : 0.0;
        }
    }
    for (uint32_t j = first; j < 6; ++j) {
        if (!(d[j * 6 + j] > 0.0)) {
            return false;
        }
        for (uint32_t i = j + 1; i < 6; ++i) {
            double factor = d[i * 6 + j] / d[j * 6 + j];
            for (uint32_t k = j + 1; k <= i; ++k) {
                d[i * 6 + k] -= factor * d[k * 6 + j];
            }
        }
    }
    return true;
}

static void block_lock(const tni_mechanism_body *body, double *block) {
    for (uint32_t i = 0; i < 6 && body->locks != 0; ++i) {
        for (uint32_t j = 0; j < 6 && tni_mechanism_is_locked(body, i); ++j) {
            block[i * 6 + j] = block[j * 6 + i] = i == j ? 1.0 : 0.0;
        }
    }
}

static void block_add_curvature(const tni_mechanism_body *body, double *block) {
    uint32_t first = body->block.has_linear_curvature ? 0 : 3;
    for (uint32_t i = first; i < 6; ++i) {
        for (uint32_t j = first; j < 6; ++j) {
            block[i * 6 + j] += body->block.curvature[i][j];
        }
    }
    block_lock(body, block);
    if (block_is_positive(body, block, first)) {
        return;
    }
    // Shifts and turns have different units: each gets the norm of its own block and the blocks
    // between them are left out.
    double linear = block_curvature_norm(body, 0, 3), angular = block_curvature_norm(body, 3, 6);
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 3; j < 6; ++j) {
            block[i * 6 + j] = block[j * 6 + i] = 0.0;
        }
        block[i * 6 + i] += linear;
        block[(3 + i) * 6 + 3 + i] += angular;
    }
}

void tni_mechanism_fill_block(const tni_mechanism_body *body, double *block) {
    memset(block, 0, 36 * sizeof(double));
    for (uint32_t i = 0; i < 3; ++i) {
        block[i * 6 + i] = body->block.mass;
        for (uint32_t j = 0; j < 3; ++j) {
            block[(3 + i) * 6 + 3 + j] = body->block.inertia.m[i][j];
        }
    }
    if (body->block.has_curvature) {
        block_add_curvature(body, block);
    }
    block_lock(body, block);
}

// ---- the inverse -------------------------------------------------------------------------------

// Inverts a 3 x 3 matrix, by the inverse of l d l^T. Returns false where a pivot is not positive.
static bool block_invert_three(const tni_dmat3 *a, tni_dmat3 *out) {
    double d_x = a->m[0][0], b = a->m[1][0], c = a->m[2][0];
    double inv_x = 1.0 / d_x, xy = b * inv_x, xz = c * inv_x;
    double d_y = a->m[1][1] - xy * b, e = a->m[2][1] - xy * c;
    double inv_y = 1.0 / d_y, yz = e * inv_y;
    double d_z = a->m[2][2] - xz * c - yz * e, inv_z = 1.0 / d_z;
    if (!(d_x > 0.0 && d_y > 0.0 && d_z > 0.0 && inv_x + inv_y + inv_z < DBL_MAX)) {
        return false;
    }
    // l^-1 has -xy, -yz and `corner` below its diagonal.
    double corner = xy * yz - xz, corner_z = corner * inv_z, yz_z = -yz * inv_z;
    out->m[0][0] = inv_x + xy * xy * inv_y + corner * corner_z;
    out->m[0][1] = out->m[1][0] = corner * yz_z - xy * inv_y;
    out->m[0][2] = out->m[2][0] = corner_z;
    out->m[1][1] = inv_y - yz * yz_z;
    out->m[1][2] = out->m[2][1] = yz_z;
    out->m[2][2] = inv_z;
    return true;
}

static bool block_invert_inertia(const tni_dmat3 *a, tni_mechanism_body *body) {
    tni_dmat3 inverse;
    if (!block_invert_three(a, &inverse)) {
        return false;
    }
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            body->block.inverse[3 + i][3 + j] = inverse.m[i][j];
        }
    }
    return true;
}

// Judges by the trace of (M + K)^-1 M, which is three without K, and large where K takes nearly all
// of M away.
static bool block_has_spare_inertia(const tni_mechanism_body *body) {
    double trace = 0.0;
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            trace += body->block.inverse[3 + i][3 + j] * body->block.inertia.m[i][j];
        }
    }
    return TNI_MECHANISM_SPARE_INERTIA * trace < 1.0;
}

// Inverts the block of a body without linear curvature, which falls into a mass and an inertia,
// where either no axis is locked or all turns are.
static bool block_invert_parts(tni_mechanism_body *body) {
    if (tni_mechanism_only_shifts(body)) {
        body->block.inverse[0][0] = 1.0 / body->block.mass;
        for (uint32_t i = 0; i < 9; ++i) {
            body->block.inverse[3 + i / 3][3 + i % 3] = 0.0;
        }
        return true;
    }
    tni_dmat3 inertia = body->block.inertia;
    for (uint32_t i = 0; i < 3 && body->block.has_curvature; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            inertia.m[i][j] += body->block.curvature[3 + i][3 + j];
        }
    }
    body->block.inverse[0][0] = 1.0 / body->block.mass;
    if (block_invert_inertia(&inertia, body) &&
        (!body->block.has_curvature || block_has_spare_inertia(body))) {
        return true;
    }
    double norm = block_curvature_norm(body, 3, 6);
    for (uint32_t i = 0; i < 3; ++i) {
        inertia.m[i][i] += norm;
    }
    return block_invert_inertia(&inertia, body);
}

// Inverts by the parts [A B; B^T D]: with P = A^-1 B and S = D - B^T P, the inverse is [A^-1 + P
// S^-1 P^T, -P S^-1; -S^-1 P^T, S^-1].
static bool block_invert_whole(tni_mechanism_body *body) {
    double block[6][6];
    tni_mechanism_fill_block(body, &block[0][0]);
    tni_dmat3 a, b, d, inv_a, inv_s;
    bool is_coupled = false; // of particles it is not
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            a.m[i][j] = block[i][j];
            b.m[i][j] = block[i][3 + j];
            d.m[i][j] = block[3 + i][3 + j];
            is_coupled |= block[i][3 + j] != 0.0;
        }
    }
    if (!block_invert_three(&a, &inv_a)) {
        return false;
    }
    tni_dmat3 p = {{{0.0}}}, across = {{{0.0}}};
    if (is_coupled) {
        p = dmat3_mul(&inv_a, &b);
    }
    for (uint32_t i = 0; i < 3 && is_coupled; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            d.m[i][j] -= b.m[0][i] * p.m[0][j] + b.m[1][i] * p.m[1][j] + b.m[2][i] * p.m[2][j];
        }
    }
    if (!block_invert_three(&d, &inv_s)) {
        return false;
    }
    if (is_coupled) {
        across = dmat3_mul(&p, &inv_s);
    }
    double(*inverse)[6] = body->block.inverse;
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            inverse[i][j] = inv_a.m[i][j] + across.m[i][0] * p.m[j][0] +
                            across.m[i][1] * p.m[j][1] + across.m[i][2] * p.m[j][2];
            inverse[i][3 + j] = inverse[3 + j][i] = -across.m[i][j];
            inverse[3 + i][3 + j] = inv_s.m[i][j];
        }
    }
    return true;
}

bool tni_mechanism_invert_block(tni_mechanism_body *body) {
    bool has_linear = body->block.has_curvature && body->block.has_linear_curvature;
    body->block.is_parted = !has_linear && !body->block.is_held &&
                            (body->locks == 0 || tni_mechanism_only_shifts(body));
    return body->block.is_parted ? block_invert_parts(body) : block_invert_whole(body);
}
