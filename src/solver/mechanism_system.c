// solver/mechanism_system.c: the matrix of a mechanism, filled from rows and masses.
//
//     [  M  -J^T ] [ dv ]   [ r_v ]
//     [ -J   -E  ] [ dx ] = [ r_c ]
//
// M is what the body's block says: mass, inertia, and for a Newton step the curvature K of the
// joints times half the step (see joints/exact_row.h). Under compression K takes away, and where
// M + K is no longer positive definite the norm of K is put on top of it: M only steers Newton's
// method, so that the answer stays the same.
// E = 1e-10 of the row's own J W J^T keeps rows that say the same apart: between them the impulse
// is shared, and Newton's method, which repeats the solve, leaves no softness behind. Locked axes:
// no unknown, no column of J. Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course notes,
// 1997 (J W J^T); D. Baraff, "Linear-time dynamics using Lagrange multipliers", SIGGRAPH 1996,
// section 6 (the sparse form); M. Tournier et al., "Stable constrained dynamics", SIGGRAPH 2015
// (geometric stiffness). Test: tests/solver/test_mechanism.c
#include "core/simd_double.h"
#include "solver/mechanism.h"

#include <string.h>

#define SYSTEM_SOFTNESS 1e-10

// A locked axis takes no part.
static void system_lock_rows(const tni_mechanism_body *body, uint32_t first, uint32_t row_count,
                             tni_exact_row *rows) {
    for (uint32_t c = 0; c < 6; ++c) {
        for (uint32_t r = 0; r < row_count && tni_mechanism_is_locked(body, c); ++r) {
            rows[r].jacobian[first + c] = 0.0;
        }
    }
}

void tni_mechanism_emit(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        const tni_mechanism_body *a = &mechanism->bodies[joint->a];
        const tni_mechanism_body *b = &mechanism->bodies[joint->b];
        tni_joint_emit_exact(joint->joint, &a->middle, &b->middle, joint->rows);
        if (joint->row_count > joint->equality_count) {
            tni_actors_emit(joint, &a->middle, &b->middle);
        }
        if ((a->locks | b->locks) != 0) {
            system_lock_rows(a, 0, joint->row_count, joint->rows);
            system_lock_rows(b, 6, joint->row_count, joint->rows);
        }
    }
}

// ---- scales ------------------------------------------------------------------------------------

static double system_row_response(const tni_mechanism_body *body, tni_dvec3 lin, tni_dvec3 ang) {
    return body->inv_mass * dvec3_dot(lin, lin) +
           dvec3_dot(ang, dmat3_mul_vec(&body->system_inertia, ang));
}

void tni_mechanism_soften(tni_mechanism *mechanism, double half) {
    const tni_block_pattern *pattern = &mechanism->pattern;
    memset(mechanism->scales, 0, pattern->unknown_count * sizeof(double));
    // The bodies' blocks are filled after this: until then they hold the inverse.
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->system_inertia = inertia_inverse_in_world(&body->inertia, body->middle.rotation);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        uint32_t position = pattern->position_of[mechanism->hub_count + i];
        double *scales = mechanism->scales + pattern->unknowns[position];
        for (uint32_t r = 0; r < joint->row_count; ++r) {
            const tni_exact_row *row = &joint->rows[r];
            scales[r] = system_row_response(&mechanism->bodies[joint->a], row->lin_a, row->ang_a) +
                        system_row_response(&mechanism->bodies[joint->b], row->lin_b, row->ang_b);
            scales[r] = scales[r] > DBL_MIN ? scales[r] : 1.0;
            joint->softness[r] = SYSTEM_SOFTNESS * scales[r];
        }
        tni_actors_soften(joint, scales, half);
    }
}

// ---- filling -----------------------------------------------------------------------------------

static double system_curvature_norm(const tni_mechanism_body *body, uint32_t first, uint32_t end) {
    double square = 0.0;
    for (uint32_t i = first; i < end; ++i) {
        for (uint32_t j = first; j < end; ++j) {
            square += body->curvature[i][j] * body->curvature[i][j];
        }
    }
    return sqrt(square);
}

// Are all pivots of the block from `first` on positive?
static bool system_is_positive(const double *block, uint32_t first) {
    double d[36];
    memcpy(d, block, sizeof d);
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

static void system_add_curvature(const tni_mechanism_body *body, double *block) {
    uint32_t first = body->has_linear_curvature ? 0 : 3;
    for (uint32_t i = first; i < 6; ++i) {
        for (uint32_t j = first; j < 6; ++j) {
            block[i * 6 + j] += body->curvature[i][j];
        }
    }
    if (system_is_positive(block, first)) {
        return;
    }
    // Shifts and turns have different units: each gets the norm of its own block and the blocks
    // between them are left out.
    double linear = system_curvature_norm(body, 0, 3), angular = system_curvature_norm(body, 3, 6);
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 3; j < 6; ++j) {
            block[i * 6 + j] = block[j * 6 + i] = 0.0;
        }
        block[i * 6 + i] += linear;
        block[(3 + i) * 6 + 3 + i] += angular;
    }
}

static void system_fill_body(const tni_mechanism_body *body, double *block) {
    memset(block, 0, 36 * sizeof(double));
    for (uint32_t i = 0; i < 3; ++i) {
        block[i * 6 + i] = body->system_mass;
        for (uint32_t j = 0; j < 3; ++j) {
            block[(3 + i) * 6 + 3 + j] = body->system_inertia.m[i][j];
        }
    }
    if (body->has_curvature) {
        system_add_curvature(body, block);
    }
    for (uint32_t i = 0; i < 6 && body->locks != 0; ++i) {
        for (uint32_t j = 0; j < 6 && tni_mechanism_is_locked(body, i); ++j) {
            block[i * 6 + j] = block[j * 6 + i] = i == j ? 1.0 : 0.0;
        }
    }
}

// ---- bodies with a node ------------------------------------------------------------------------

// -J beside the diagonal, row by row or turned.
static void system_fill_hub_edge(const tni_mechanism *mechanism, const tni_mechanism_joint *joint,
                                 uint32_t end) {
    const tni_block_pattern *pattern = &mechanism->pattern;
    uint32_t edge = joint->hub_edges[end], rows = joint->row_count;
    double *block = mechanism->values + pattern->edge_blocks[edge];
    uint32_t row_step = pattern->edge_is_turned[edge] ? 1 : 6;
    uint32_t column_step = pattern->edge_is_turned[edge] ? rows : 1;
    for (uint32_t r = 0; r < rows; ++r) {
        for (uint32_t c = 0; c < 6; ++c) {
            block[r * row_step + c * column_step] = -joint->rows[r].jacobian[6 * end + c];
        }
    }
}

static void system_fill_joint(const tni_mechanism *mechanism, uint32_t index) {
    const tni_block_pattern *pattern = &mechanism->pattern;
    const tni_mechanism_joint *joint = &mechanism->joints[index];
    uint32_t position = pattern->position_of[mechanism->hub_count + index];
    double *diagonal = mechanism->values + pattern->diagonals[position];
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        diagonal[r * joint->row_count + r] = -joint->softness[r];
    }
    for (uint32_t end = 0; end < 2; ++end) {
        if (joint->hub_edges[end] != TNI_NONE) {
            system_fill_hub_edge(mechanism, joint, end);
        }
    }
}

// ---- bodies without a node ---------------------------------------------------------------------

// The block of a body without linear curvature or locks falls into a mass and an inertia.
static bool system_invert_parts(tni_mechanism_body *body) {
    tni_dmat3 inertia = body->system_inertia, inverse;
    for (uint32_t i = 0; i < 3 && body->has_curvature; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            inertia.m[i][j] += body->curvature[3 + i][3 + j];
        }
    }
    if (!tni_maths_invert_spd(&inertia, &inverse)) {
        double norm = system_curvature_norm(body, 3, 6);
        for (uint32_t i = 0; i < 3; ++i) {
            inertia.m[i][i] += norm;
        }
        if (!tni_maths_invert_spd(&inertia, &inverse)) {
            return false;
        }
    }
    body->inverse[0][0] = 1.0 / body->system_mass;
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            body->inverse[3 + i][3 + j] = inverse.m[i][j];
        }
    }
    return true;
}

static bool system_invert_whole(tni_mechanism_body *body) {
    double block[6][6], inverse[6][6] = {{0.0}};
    system_fill_body(body, &block[0][0]);
    for (uint32_t i = 0; i < 6; ++i) {
        inverse[i][i] = 1.0;
    }
    // Gauss-Jordan on a positive definite block: no exchange of rows.
    for (uint32_t p = 0; p < 6; ++p) {
        if (!(block[p][p] > 0.0)) {
            return false;
        }
        double scale = 1.0 / block[p][p];
        for (uint32_t c = 0; c < 6; ++c) {
            block[p][c] *= scale;
            inverse[p][c] *= scale;
        }
        for (uint32_t r = 0; r < 6; ++r) {
            double factor = block[r][p];
            for (uint32_t c = 0; c < 6 && r != p; ++c) {
                block[r][c] -= factor * block[p][c];
                inverse[r][c] -= factor * inverse[p][c];
            }
        }
    }
    memcpy(body->inverse, inverse, sizeof inverse);
    return true;
}

static bool system_invert_block(tni_mechanism_body *body) {
    body->is_parted = !body->has_linear_curvature && body->locks == 0;
    return body->is_parted ? system_invert_parts(body) : system_invert_whole(body);
}

// M^-1 x
static inline void system_weigh(const tni_mechanism_body *body, const double *x, double *y) {
    if (body->is_parted) {
        for (uint32_t i = 0; i < 3; ++i) {
            const double *row = body->inverse[3 + i];
            y[i] = body->inverse[0][0] * x[i];
            y[3 + i] = row[3] * x[3] + row[4] * x[4] + row[5] * x[5];
        }
        return;
    }
    for (uint32_t i = 0; i < 6; ++i) {
        double sum = 0.0;
        for (uint32_t k = 0; k < 6; ++k) {
            sum += body->inverse[i][k] * x[k];
        }
        y[i] = sum;
    }
}

// Two sums side by side: their order is the same on every CPU.
static inline double system_dot(const double *x, const double *y) {
    tni_d2 sum = d2_mul(d2_make(x[0], x[1]), d2_make(y[0], y[1]));
    sum = d2_add(sum, d2_mul(d2_make(x[2], x[3]), d2_make(y[2], y[3])));
    sum = d2_add(sum, d2_mul(d2_make(x[4], x[5]), d2_make(y[4], y[5])));
    return d2_sum(sum);
}

// The share -J M^-1 J^T of a joint's own block, its lower half.
static void system_add_own_response(tni_mechanism *mechanism, const tni_mechanism_body *body,
                                    uint32_t index, uint32_t end) {
    const tni_block_pattern *pattern = &mechanism->pattern;
    tni_mechanism_joint *joint = &mechanism->joints[index];
    uint32_t position = pattern->position_of[mechanism->hub_count + index], n = joint->row_count;
    double *diagonal = mechanism->values + pattern->diagonals[position];
    for (uint32_t r = 0; r < n; ++r) {
        const double *j = joint->rows[r].jacobian + 6 * end;
        system_weigh(body, j, joint->response[end][r]);
        for (uint32_t s = 0; s <= r; ++s) {
            diagonal[r * n + s] -= system_dot(j, joint->response[end][s]);
        }
    }
}

// The share between the two joints of a body.
static void system_add_pair_response(tni_mechanism *mechanism, const tni_mechanism_body *body) {
    const tni_block_pattern *pattern = &mechanism->pattern;
    // The edge's second node is the joint of the greater number.
    uint32_t second = body->ends[1] > body->ends[0] ? body->ends[1] : body->ends[0];
    uint32_t first = body->ends[1] > body->ends[0] ? body->ends[0] : body->ends[1];
    const tni_mechanism_joint *p = &mechanism->joints[second >> 1];
    const tni_mechanism_joint *q = &mechanism->joints[first >> 1];
    bool is_turned = pattern->edge_is_turned[body->pair_edge];
    uint32_t row_step = is_turned ? 1 : q->row_count, column_step = is_turned ? p->row_count : 1;
    double *block = mechanism->values + pattern->edge_blocks[body->pair_edge];
    for (uint32_t r = 0; r < p->row_count; ++r) {
        const double *j = p->rows[r].jacobian + 6 * (second & 1);
        for (uint32_t s = 0; s < q->row_count; ++s) {
            block[r * row_step + s * column_step] -= system_dot(j, q->response[first & 1][s]);
        }
    }
}

static void system_eliminate_body(tni_mechanism *mechanism, const tni_mechanism_body *body) {
    for (uint32_t e = 0; e < body->end_count; ++e) {
        system_add_own_response(mechanism, body, body->ends[e] >> 1, body->ends[e] & 1);
    }
    if (body->end_count == 2) {
        system_add_pair_response(mechanism, body);
    }
}

// ---- the whole ---------------------------------------------------------------------------------

bool tni_mechanism_factor(tni_mechanism *mechanism) {
    const tni_block_pattern *pattern = &mechanism->pattern;
    bool is_sound = true;
    memset(mechanism->values, 0, pattern->value_count * sizeof(double));
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        system_fill_joint(mechanism, i);
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        if (body->node != TNI_NONE) {
            system_fill_body(body, mechanism->values +
                                       pattern->diagonals[pattern->position_of[body->node]]);
        } else if (system_invert_block(body)) {
            system_eliminate_body(mechanism, body);
        } else {
            is_sound = false;
        }
    }
    if (!is_sound) {
        return false;
    }
    tni_block_report report =
        tni_block_factor(pattern, mechanism->scales, mechanism->values, mechanism->scratch);
    if (report.dependent_count > mechanism->report.dependent_rows) {
        mechanism->report.dependent_rows = report.dependent_count;
        mechanism->report.dependent_joint = report.first_dependent - mechanism->hub_count;
    }
    return report.is_sound;
}

// Takes M^-1 r of a body without a node to the rows of its joints.
static void system_reduce_body(tni_mechanism *mechanism, tni_mechanism_body *body) {
    double y[6];
    system_weigh(body, body->change, y);
    memcpy(body->change, y, sizeof y);
    for (uint32_t e = 0; e < body->end_count; ++e) {
        uint32_t index = body->ends[e] >> 1;
        const tni_mechanism_joint *joint = &mechanism->joints[index];
        double *x = tni_mechanism_of_joint(mechanism, index);
        for (uint32_t r = 0; r < joint->row_count; ++r) {
            x[r] += system_dot(joint->rows[r].jacobian + 6 * (body->ends[e] & 1), y);
        }
    }
}

static void system_expand_body(const tni_mechanism *mechanism, tni_mechanism_body *body) {
    for (uint32_t e = 0; e < body->end_count; ++e) {
        uint32_t index = body->ends[e] >> 1;
        const tni_mechanism_joint *joint = &mechanism->joints[index];
        const double *x = tni_mechanism_of_joint(mechanism, index);
        for (uint32_t r = 0; r < joint->row_count; ++r) {
            for (uint32_t c = 0; c < 6; ++c) {
                body->change[c] += x[r] * joint->response[body->ends[e] & 1][r][c];
            }
        }
    }
}

void tni_mechanism_solve(tni_mechanism *mechanism, bool bodies_rest) {
    const tni_block_pattern *pattern = &mechanism->pattern;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        if (bodies_rest) {
            memset(body->change, 0, sizeof body->change);
        } else if (body->node == TNI_NONE) {
            system_reduce_body(mechanism, body);
        }
        if (body->node != TNI_NONE) {
            memcpy(mechanism->unknowns + pattern->unknowns[pattern->position_of[body->node]],
                   body->change, sizeof body->change);
        }
    }
    tni_block_solve(pattern, mechanism->values, mechanism->unknowns);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        if (body->node == TNI_NONE) {
            system_expand_body(mechanism, body);
        } else {
            memcpy(body->change,
                   mechanism->unknowns + pattern->unknowns[pattern->position_of[body->node]],
                   sizeof body->change);
        }
    }
}
