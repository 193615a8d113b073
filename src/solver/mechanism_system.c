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
#include "joints/parts/turn.h"
#include "solver/mechanism.h"

#include <string.h>

#define SYSTEM_SOFTNESS 1e-10

// A locked axis takes no part.
static void system_lock_rows(uint32_t locks, uint32_t first, uint32_t row_count,
                             tni_exact_row *rows) {
    for (uint32_t c = 0; c < 6; ++c) {
        for (uint32_t r = 0; r < row_count && (locks & (TN_BODY_LOCK_LINEAR_X << c)) != 0; ++r) {
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
        uint32_t locks_a = tni_mechanism_get_locks(mechanism, joint->a);
        uint32_t locks_b = tni_mechanism_get_locks(mechanism, joint->b);
        if ((locks_a | locks_b) != 0) {
            system_lock_rows(locks_a, 0, joint->row_count, joint->rows);
            system_lock_rows(locks_b, 6, joint->row_count, joint->rows);
        }
    }
}

// ---- scales ------------------------------------------------------------------------------------

static double system_row_response(const tni_mechanism_body *body, tni_dvec3 lin, tni_dvec3 ang) {
    return body->inv_mass * dvec3_dot(lin, lin) +
           dvec3_dot(ang, dmat3_mul_vec(&body->system_inertia, ang));
}

static double system_get_scale(const tni_mechanism *mechanism, const tni_mechanism_joint *joint,
                               uint32_t r) {
    const tni_exact_row *row = &joint->rows[r];
    return system_row_response(&mechanism->bodies[joint->a], row->lin_a, row->ang_a) +
           system_row_response(&mechanism->bodies[joint->b], row->lin_b, row->ang_b);
}

// The same of the three rows of a ball joint, one end's share.
static tni_dvec3 system_get_ball_scales(const tni_mechanism_body *body, tni_dvec3 r) {
    const tni_dmat3 *w = &body->system_inertia;
    double xx = r.x * r.x, yy = r.y * r.y, zz = r.z * r.z;
    double xy = 2.0 * r.x * r.y * w->m[0][1], xz = 2.0 * r.x * r.z * w->m[0][2];
    double yz = 2.0 * r.y * r.z * w->m[1][2];
    return dvec3_make(body->inv_mass + (zz * w->m[1][1] + yy * w->m[2][2] - yz),
                      body->inv_mass + (zz * w->m[0][0] + xx * w->m[2][2] - xz),
                      body->inv_mass + (yy * w->m[0][0] + xx * w->m[1][1] - xy));
}

static void system_scale_joint(const tni_mechanism *mechanism, const tni_mechanism_joint *joint,
                               double *scales) {
    if (joint->is_ball) {
        tni_dvec3 of_a =
            system_get_ball_scales(&mechanism->bodies[joint->a], tni_mechanism_get_arm(joint, 0));
        tni_dvec3 of_b =
            system_get_ball_scales(&mechanism->bodies[joint->b], tni_mechanism_get_arm(joint, 1));
        scales[0] = of_a.x + of_b.x;
        scales[1] = of_a.y + of_b.y;
        scales[2] = of_a.z + of_b.z;
    }
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        double scale = joint->is_ball ? scales[r] : system_get_scale(mechanism, joint, r);
        scales[r] = scale > DBL_MIN ? scale : 1.0;
    }
}

void tni_mechanism_scale(tni_mechanism *mechanism) {
    memset(mechanism->scales, 0, mechanism->pattern.unknown_count * sizeof(double));
    // The bodies' blocks are filled after this: until then they hold the inverse.
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->system_inertia = inertia_inverse_in_world(&body->inertia, body->middle.rotation);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        double *scales = mechanism->scales + joint->first_unknown;
        system_scale_joint(mechanism, joint, scales);
    }
}

void tni_mechanism_soften(tni_mechanism *mechanism, double half) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        const double *scales = mechanism->scales + joint->first_unknown;
        for (uint32_t r = 0; r < joint->row_count; ++r) {
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

// The inverse of the lower right part from that of l d l^T. False where a pivot is not positive.
static bool system_invert_inertia(const tni_dmat3 *a, tni_mechanism_body *body) {
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
    double(*inverse)[6] = body->inverse;
    inverse[3][3] = inv_x + xy * xy * inv_y + corner * corner_z;
    inverse[3][4] = inverse[4][3] = corner * yz_z - xy * inv_y;
    inverse[3][5] = inverse[5][3] = corner_z;
    inverse[4][4] = inv_y - yz * yz_z;
    inverse[4][5] = inverse[5][4] = yz_z;
    inverse[5][5] = inv_z;
    return true;
}

// The block of a body without linear curvature or locks falls into a mass and an inertia.
static bool system_invert_parts(tni_mechanism_body *body) {
    tni_dmat3 inertia = body->system_inertia;
    for (uint32_t i = 0; i < 3 && body->has_curvature; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            inertia.m[i][j] += body->curvature[3 + i][3 + j];
        }
    }
    body->inverse[0][0] = 1.0 / body->system_mass;
    if (system_invert_inertia(&inertia, body)) {
        return true;
    }
    double norm = system_curvature_norm(body, 3, 6);
    for (uint32_t i = 0; i < 3; ++i) {
        inertia.m[i][i] += norm;
    }
    return system_invert_inertia(&inertia, body);
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
    bool has_linear = body->has_curvature && body->has_linear_curvature;
    body->is_parted = !has_linear && body->locks == 0;
    return body->is_parted ? system_invert_parts(body) : system_invert_whole(body);
}

// M^-1 x
TNI_FORCE_INLINE void system_weigh(const tni_mechanism_body *body, const double *restrict x,
                                   double *restrict y) {
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
    tni_d2 sum = d2_mul(d2_load(x), d2_load(y));
    sum = d2_add(sum, d2_mul(d2_load(x + 2), d2_load(y + 2)));
    sum = d2_add(sum, d2_mul(d2_load(x + 4), d2_load(y + 4)));
    return d2_sum(sum);
}

static inline double system_dot_three(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

// One end of a joint, seen from its body.
typedef struct system_arm {
    const tni_mechanism_joint *joint;
    uint32_t index, end, row_count;
    double response[TNI_MECHANISM_MAX_ROWS][6]; // M^-1 J^T; of a pin its turns, in the first three
} system_arm;

static inline const double *system_get_jacobian(const system_arm *arm, uint32_t row) {
    return arm->joint->rows[row].jacobian + 6 * arm->end;
}

static inline double *system_get_diagonal(const tni_mechanism *mechanism, const system_arm *arm) {
    const tni_block_pattern *pattern = &mechanism->pattern;
    uint32_t position = pattern->position_of[mechanism->hub_count + arm->index];
    return mechanism->values + pattern->diagonals[position];
}

// The share -J M^-1 J^T of a joint's own block, its lower half.
static void system_add_own_response(const tni_mechanism_body *body, system_arm *arm,
                                    double *restrict diagonal) {
    uint32_t n = arm->row_count;
    for (uint32_t r = 0; r < n; ++r) {
        const double *j = system_get_jacobian(arm, r);
        system_weigh(body, j, arm->response[r]);
        for (uint32_t s = 0; s <= r; ++s) {
            diagonal[r * n + s] -= system_dot(j, arm->response[s]);
        }
    }
}

// The share between the two joints of a body: rows of p, columns of q.
static void system_add_pair_response(const system_arm *p, const system_arm *q,
                                     double *restrict block) {
    for (uint32_t r = 0; r < p->row_count; ++r) {
        const double *j = system_get_jacobian(p, r);
        for (uint32_t s = 0; s < q->row_count; ++s) {
            block[r * q->row_count + s] -= system_dot(j, q->response[s]);
        }
    }
}

// The same of pins: three rows along the axes of the world, then turns, so that the mass stands on
// the diagonal and the inertia is left.
TNI_FORCE_INLINE void system_add_own_pin(const tni_mechanism_body *body, system_arm *arm,
                                         uint32_t n, double *restrict diagonal) {
    for (uint32_t r = 0; r < n; ++r) {
        const double *j = system_get_jacobian(arm, r) + 3;
        for (uint32_t k = 0; k < 3; ++k) {
            arm->response[r][k] = system_dot_three(body->inverse[3 + k] + 3, j);
        }
        for (uint32_t s = 0; s <= r; ++s) {
            double mass = r == s && r < 3 ? body->inverse[0][0] : 0.0;
            diagonal[r * n + s] -= mass + system_dot_three(j, arm->response[s]);
        }
    }
}

TNI_FORCE_INLINE void system_add_pin_pair(const tni_mechanism_body *body, const system_arm *p,
                                          const system_arm *q, uint32_t p_rows, uint32_t q_rows,
                                          double *restrict block) {
    double mass = p->end == q->end ? body->inverse[0][0] : -body->inverse[0][0];
    for (uint32_t r = 0; r < p_rows; ++r) {
        const double *j = system_get_jacobian(p, r) + 3;
        for (uint32_t s = 0; s < q_rows; ++s) {
            double shift = r == s && r < 3 ? mass : 0.0;
            block[r * q_rows + s] -= shift + system_dot_three(j, q->response[s]);
        }
    }
}

// Row counts of a ball joint, a hinge and a weld have loops of their own.
static void system_add_own(const tni_mechanism *mechanism, const tni_mechanism_body *body,
                           system_arm *arm, bool are_pins) {
    double *diagonal = system_get_diagonal(mechanism, arm);
    if (!are_pins) {
        system_add_own_response(body, arm, diagonal);
    } else if (arm->row_count == 3) {
        system_add_own_pin(body, arm, 3, diagonal);
    } else if (arm->row_count == 5) {
        system_add_own_pin(body, arm, 5, diagonal);
    } else {
        system_add_own_pin(body, arm, arm->row_count, diagonal);
    }
}

static void system_add_pair(const tni_mechanism *mechanism, const tni_mechanism_body *body,
                            const system_arm *arms, bool are_pins) {
    const tni_block_pattern *pattern = &mechanism->pattern;
    // The edge's second node is the joint of the greater number; its rows are those of the block
    // unless this is turned.
    bool is_turned = pattern->edge_is_turned[body->pair_edge];
    const system_arm *p = &arms[(arms[1].index > arms[0].index) != is_turned ? 1 : 0];
    const system_arm *q = p == &arms[0] ? &arms[1] : &arms[0];
    double *block = mechanism->values + pattern->edge_blocks[body->pair_edge];
    if (!are_pins) {
        system_add_pair_response(p, q, block);
    } else if (p->row_count == 3 && q->row_count == 3) {
        system_add_pin_pair(body, p, q, 3, 3, block);
    } else if (p->row_count == 5 && q->row_count == 5) {
        system_add_pin_pair(body, p, q, 5, 5, block);
    } else {
        system_add_pin_pair(body, p, q, p->row_count, q->row_count, block);
    }
}

// Rows of the second, columns of the first: (r_2 x e_i) . u_k, u_k of the first in low lanes.
TNI_FORCE_INLINE void system_add_ball_pair(tni_dvec3 r, const tni_pair u[3], double mass,
                                           uint32_t row_step, uint32_t column_step,
                                           double *restrict block) {
    for (uint32_t k = 0; k < 3; ++k) {
        double x = d2_low(u[k].x), y = d2_low(u[k].y), z = d2_low(u[k].z);
        block[k * column_step] -= (r.z * y - r.y * z) + (k == 0 ? mass : 0.0);
        block[row_step + k * column_step] -= (r.x * z - r.z * x) + (k == 1 ? mass : 0.0);
        block[2 * row_step + k * column_step] -= (r.y * x - r.x * y) + (k == 2 ? mass : 0.0);
    }
}

// Both arms side by side: u_k = I^-1 (r x e_k).
static void system_eliminate_balls(const tni_mechanism *mechanism, const tni_mechanism_body *body,
                                   const system_arm *arms) {
    const tni_block_pattern *pattern = &mechanism->pattern;
    tni_dvec3 first = tni_mechanism_get_arm(arms[0].joint, arms[0].end);
    tni_dvec3 second = tni_mechanism_get_arm(arms[1].joint, arms[1].end);
    tni_d2 x = d2_make(first.x, second.x), y = d2_make(first.y, second.y);
    tni_d2 z = d2_make(first.z, second.z);
    const double(*w)[6] = body->inverse;
    tni_d2 xx = d2_splat(w[3][3]), xy = d2_splat(w[3][4]), xz = d2_splat(w[3][5]);
    tni_d2 yy = d2_splat(w[4][4]), yz = d2_splat(w[4][5]), zz = d2_splat(w[5][5]);
    const tni_pair u[3] = {
        {d2_sub(d2_mul(z, xy), d2_mul(y, xz)), d2_sub(d2_mul(z, yy), d2_mul(y, yz)),
         d2_sub(d2_mul(z, yz), d2_mul(y, zz))},
        {d2_sub(d2_mul(x, xz), d2_mul(z, xx)), d2_sub(d2_mul(x, yz), d2_mul(z, xy)),
         d2_sub(d2_mul(x, zz), d2_mul(z, xz))},
        {d2_sub(d2_mul(y, xx), d2_mul(x, xy)), d2_sub(d2_mul(y, xy), d2_mul(x, yy)),
         d2_sub(d2_mul(y, xz), d2_mul(x, yz))}};
    tni_d2 mass = d2_splat(w[0][0]);
    // The lower half, row by row.
    const tni_d2 own[6] = {d2_add(d2_sub(d2_mul(z, u[0].y), d2_mul(y, u[0].z)), mass),
                           d2_sub(d2_mul(x, u[0].z), d2_mul(z, u[0].x)),
                           d2_add(d2_sub(d2_mul(x, u[1].z), d2_mul(z, u[1].x)), mass),
                           d2_sub(d2_mul(y, u[0].x), d2_mul(x, u[0].y)),
                           d2_sub(d2_mul(y, u[1].x), d2_mul(x, u[1].y)),
                           d2_add(d2_sub(d2_mul(y, u[2].x), d2_mul(x, u[2].y)), mass)};
    double *of_first = system_get_diagonal(mechanism, &arms[0]);
    double *of_second = system_get_diagonal(mechanism, &arms[1]);
    for (uint32_t i = 0, k = 0; i < 3; ++i) {
        for (uint32_t j = 0; j <= i; ++j, ++k) {
            of_first[3 * i + j] -= d2_low(own[k]);
            of_second[3 * i + j] -= d2_high(own[k]);
        }
    }
    double *block = mechanism->values + pattern->edge_blocks[body->pair_edge];
    double shift = arms[0].end == arms[1].end ? w[0][0] : -w[0][0];
    if ((arms[1].index > arms[0].index) != pattern->edge_is_turned[body->pair_edge]) {
        system_add_ball_pair(second, u, shift, 3, 1, block);
    } else {
        system_add_ball_pair(second, u, shift, 1, 3, block);
    }
}

static void system_eliminate_body(const tni_mechanism *mechanism, const tni_mechanism_body *body) {
    system_arm arms[2];
    bool are_pins = body->is_parted;
    for (uint32_t e = 0; e < body->end_count; ++e) {
        arms[e].index = body->ends[e] >> 1;
        arms[e].end = body->ends[e] & 1;
        arms[e].joint = &mechanism->joints[arms[e].index];
        arms[e].row_count = arms[e].joint->row_count;
        are_pins &= arms[e].joint->is_pin;
    }
    if (body->hangs_on_balls && body->end_count == 2) {
        system_eliminate_balls(mechanism, body, arms);
        return;
    }
    for (uint32_t e = 0; e < body->end_count; ++e) {
        system_add_own(mechanism, body, &arms[e], are_pins);
    }
    if (body->end_count == 2) {
        system_add_pair(mechanism, body, arms, are_pins);
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

// x += J y
TNI_FORCE_INLINE void system_add_speeds(const tni_exact_row *rows, uint32_t end, uint32_t n,
                                        const double *restrict y, double *restrict x) {
    for (uint32_t r = 0; r < n; ++r) {
        x[r] += system_dot(rows[r].jacobian + 6 * end, y);
    }
}

TNI_FORCE_INLINE void system_add_pin_speeds(const tni_exact_row *rows, uint32_t end, uint32_t n,
                                            const double *restrict y, double *restrict x) {
    for (uint32_t r = 0; r < n; ++r) {
        x[r] += system_dot_three(rows[r].jacobian + 6 * end + 3, y + 3);
    }
    for (uint32_t r = 0; r < 3; ++r) {
        x[r] += end == 0 ? -y[r] : y[r];
    }
}

// y += J^T x
TNI_FORCE_INLINE void system_add_impulses(const tni_exact_row *rows, uint32_t end, uint32_t n,
                                          const double *restrict x, double *restrict y) {
    for (uint32_t r = 0; r < n; ++r) {
        for (uint32_t c = 0; c < 6; ++c) {
            y[c] += x[r] * rows[r].jacobian[6 * end + c];
        }
    }
}

TNI_FORCE_INLINE void system_add_pin_impulses(const tni_exact_row *rows, uint32_t end, uint32_t n,
                                              const double *restrict x, double *restrict y) {
    for (uint32_t r = 0; r < n; ++r) {
        for (uint32_t c = 0; c < 3; ++c) {
            y[3 + c] += x[r] * rows[r].jacobian[6 * end + 3 + c];
        }
    }
    for (uint32_t r = 0; r < 3; ++r) {
        y[r] += end == 0 ? -x[r] : x[r];
    }
}

// ---- the same of bodies between ball joints ----------------------------------------------------

static inline void system_store(double *y, tni_dvec3 v, tni_dvec3 w) {
    y[0] = v.x;
    y[1] = v.y;
    y[2] = v.z;
    y[3] = w.x;
    y[4] = w.y;
    y[5] = w.z;
}

// I^-1 v
TNI_FORCE_INLINE tni_dvec3 system_weigh_turn(const tni_mechanism_body *body, tni_dvec3 v) {
    const double(*w)[6] = body->inverse;
    return dvec3_make(w[3][3] * v.x + w[3][4] * v.y + w[3][5] * v.z,
                      w[4][3] * v.x + w[4][4] * v.y + w[4][5] * v.z,
                      w[5][3] * v.x + w[5][4] * v.y + w[5][5] * v.z);
}

static void system_reduce_balls(tni_mechanism *mechanism, tni_mechanism_body *body) {
    double *y = body->change;
    tni_dvec3 v = dvec3_scale(dvec3_make(y[0], y[1], y[2]), body->inverse[0][0]);
    tni_dvec3 w = system_weigh_turn(body, dvec3_make(y[3], y[4], y[5]));
    for (uint32_t e = 0; e < body->end_count; ++e) {
        uint32_t index = body->ends[e] >> 1, end = body->ends[e] & 1;
        double *x = tni_mechanism_of_joint(mechanism, index);
        tni_dvec3 turned = dvec3_cross(w, tni_mechanism_get_arm(&mechanism->joints[index], end));
        tni_dvec3 speed = dvec3_add_scaled(turned, end == 0 ? -1.0 : 1.0, v);
        x[0] += speed.x;
        x[1] += speed.y;
        x[2] += speed.z;
    }
    system_store(y, v, w);
}

static void system_expand_balls(const tni_mechanism *mechanism, tni_mechanism_body *body) {
    tni_dvec3 force = dvec3_make(0.0, 0.0, 0.0), torque = force;
    for (uint32_t e = 0; e < body->end_count; ++e) {
        uint32_t index = body->ends[e] >> 1, end = body->ends[e] & 1;
        const double *x = tni_mechanism_of_joint(mechanism, index);
        tni_dvec3 impulse = dvec3_make(x[0], x[1], x[2]);
        tni_dvec3 arm = tni_mechanism_get_arm(&mechanism->joints[index], end);
        force = dvec3_add_scaled(force, end == 0 ? -1.0 : 1.0, impulse);
        torque = dvec3_add(torque, dvec3_cross(arm, impulse));
    }
    double *y = body->change;
    tni_dvec3 v = dvec3_make(y[0], y[1], y[2]), w = dvec3_make(y[3], y[4], y[5]);
    system_store(y, dvec3_add_scaled(v, body->inverse[0][0], force),
                 dvec3_add(w, system_weigh_turn(body, torque)));
}

// Takes M^-1 r of a body without a node to the rows of its joints.
static void system_reduce_body(tni_mechanism *mechanism, tni_mechanism_body *body) {
    double y[6];
    system_weigh(body, body->change, y);
    memcpy(body->change, y, sizeof y);
    for (uint32_t e = 0; e < body->end_count; ++e) {
        uint32_t index = body->ends[e] >> 1, end = body->ends[e] & 1;
        const tni_mechanism_joint *joint = &mechanism->joints[index];
        double *x = tni_mechanism_of_joint(mechanism, index);
        if (joint->is_pin && body->is_parted) {
            system_add_pin_speeds(joint->rows, end, joint->row_count, y, x);
        } else {
            system_add_speeds(joint->rows, end, joint->row_count, y, x);
        }
    }
}

// Adds M^-1 J^T x.
static void system_expand_body(const tni_mechanism *mechanism, tni_mechanism_body *body) {
    double impulse[6] = {0.0}, change[6];
    for (uint32_t e = 0; e < body->end_count; ++e) {
        uint32_t index = body->ends[e] >> 1, end = body->ends[e] & 1;
        const tni_mechanism_joint *joint = &mechanism->joints[index];
        const double *x = tni_mechanism_of_joint(mechanism, index);
        if (joint->is_pin && body->is_parted) {
            system_add_pin_impulses(joint->rows, end, joint->row_count, x, impulse);
        } else {
            system_add_impulses(joint->rows, end, joint->row_count, x, impulse);
        }
    }
    system_weigh(body, impulse, change);
    for (uint32_t c = 0; c < 6; ++c) {
        body->change[c] += change[c];
    }
}

void tni_mechanism_solve(tni_mechanism *mechanism, bool bodies_rest) {
    const tni_block_pattern *pattern = &mechanism->pattern;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        if (bodies_rest) {
            memset(body->change, 0, sizeof body->change);
        } else if (body->hangs_on_balls) {
            system_reduce_balls(mechanism, body);
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
        if (body->hangs_on_balls) {
            system_expand_balls(mechanism, body);
        } else if (body->node == TNI_NONE) {
            system_expand_body(mechanism, body);
        } else {
            memcpy(body->change,
                   mechanism->unknowns + pattern->unknowns[pattern->position_of[body->node]],
                   sizeof body->change);
        }
    }
}
