// solver/contact_block.c: contacts under projected Gauss-Seidel.
//
// Per point i, with n from a to b and r the arms from the centres of mass:
//     J v = n·(v_b + w_b x r_b - v_a - w_a x r_a)
//         = n·(v_b - v_a) + (r_b x n)·w_b - (r_a x n)·w_a
//     s   = separation + J (displacement since the manifold was made)
//     s > 0:  J v >= -s/h (speculative: may close the gap, no more); in solve B only where solve A
//             pushed, so that what will hit in a later substep is not slowed before it
//     s <= 0: J v + rate (s + slop) + gamma x >= 0, at most max_speed; in solve B: J v >= 0
// The points of a manifold couple most strongly with each other, so they are solved together. Where
// all are closed, x - K^-1 (J v + bias) with K = J W J^T is tried first, and taken if no impulse
// comes out negative: the usual case of a box at rest. Otherwise the points are swept on their
// small matrix. Four points in a plane say one thing twice; a share of the diagonal keeps K
// invertible, and because the update is driven by J v alone, it leaves that spare direction of x as
// it is. Friction is one vector per manifold, in the tangent plane at the middle of the points,
// inside the true cone |x_t| <= friction * sum x_n, solved with its 2x2 mass. Twisting is bounded
// by (friction * patch radius + twisting_resistance) * sum x_n, rolling by rolling_resistance * sum
// x_n. In solve A friction comes first and the normals last, for they matter more. Its softness
// lets normal impulses fall below what bears the load, and solve B restores them: there friction
// comes last, so that its bound is that of the full load. Arms, normal and masses stay those of the
// step's start; the separation follows the bodies' displacement to first order.
// Sources: E. Catto, "Iterative dynamics with temporal coherence", 2005; M. Anitescu, F. Potra,
// "Formulating dynamic multi-rigid-body contact problems", 1997 (velocity-level complementarity).
#include "solver/contact_rows.h"

// Sweeps over the points of one manifold when the direct solution does not hold.
#define CONTACT_INNER_SWEEPS 2
// Share of its diagonal that is added to K before it is inverted.
#define CONTACT_REGULARIZATION 1e-3f

// ---- prepare ----------------------------------------------------------------------------------

static void contact_set_lane(float rows[3][TNI_LANES], uint32_t lane, vec3s v) {
    rows[0][lane] = v.x;
    rows[1][lane] = v.y;
    rows[2][lane] = v.z;
}

// The inverse of K with its diagonal raised a little, by Gauss-Jordan elimination: positive
// definite, so no pivoting is needed. Unused lanes stay zero.
static void contact_invert_response(tni_contact_block *block) {
    uint32_t n = block->point_count;
    float k[TNI_LANES][TNI_LANES];
    for (uint32_t i = 0; i < TNI_LANES; ++i) {
        for (uint32_t j = 0; j < TNI_LANES; ++j) {
            k[i][j] = block->response[i][j];
            block->inverse[i][j] = 0.0f;
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        k[i][i] *= 1.0f + CONTACT_REGULARIZATION;
        block->inverse[i][i] = 1.0f;
    }
    for (uint32_t i = 0; i < n; ++i) {
        float scale = maths_inverse_or_zero(k[i][i]);
        for (int j = 0; j < TNI_LANES; ++j) {
            k[i][j] *= scale;
            block->inverse[i][j] *= scale;
        }
        for (uint32_t r = 0; r < n; ++r) {
            float factor = r == i ? 0.0f : k[r][i];
            for (int j = 0; j < TNI_LANES; ++j) {
                k[r][j] -= factor * k[i][j];
                block->inverse[r][j] -= factor * block->inverse[i][j];
            }
        }
    }
}

static void contact_prepare_arms(tni_contact_block *block, const tni_contact_record *record) {
    for (uint32_t p = 0; p < block->point_count; ++p) {
        contact_set_lane(block->turn_a, p, glms_vec3_cross(record->arm_a[p], block->normal));
        contact_set_lane(block->turn_b, p, glms_vec3_cross(record->arm_b[p], block->normal));
    }
}

static void contact_prepare_normals(tni_contact_block *block, const tni_body_state *a,
                                    const tni_body_state *b) {
    for (uint32_t p = 0; p < block->point_count; ++p) {
        contact_get_response(block, a, b, p, block->response[p]);
        block->normal_mass[p] = maths_inverse_or_zero(block->response[p][p]);
    }
    contact_invert_response(block);
}

// d·K e for the response of the pair at the middle of the points.
static float contact_middle_response(const tni_contact_block *block, const tni_body_state *a,
                                     const tni_body_state *b, vec3s d, vec3s e) {
    vec3s ra_d = glms_vec3_cross(block->r_a, d), ra_e = glms_vec3_cross(block->r_a, e);
    vec3s rb_d = glms_vec3_cross(block->r_b, d), rb_e = glms_vec3_cross(block->r_b, e);
    return glms_vec3_dot(d, glms_vec3_mul(a->inv_mass, e)) +
           glms_vec3_dot(d, glms_vec3_mul(b->inv_mass, e)) +
           glms_vec3_dot(ra_d, sym3_mul(a->inv_inertia, ra_e)) +
           glms_vec3_dot(rb_d, sym3_mul(b->inv_inertia, rb_e));
}

static void contact_prepare_friction(tni_contact_block *block, const tni_body_state *a,
                                     const tni_body_state *b) {
    vec3s t1 = block->tangent[0], t2 = block->tangent[1], n = block->normal;
    float k11 = contact_middle_response(block, a, b, t1, t1);
    float k12 = contact_middle_response(block, a, b, t1, t2);
    float k22 = contact_middle_response(block, a, b, t2, t2);
    float inverse = maths_inverse_or_zero(k11 * k22 - k12 * k12);
    block->tangent_mass[0] = k22 * inverse;
    block->tangent_mass[1] = -k12 * inverse;
    block->tangent_mass[2] = k11 * inverse;
    float twist = glms_vec3_dot(n, sym3_mul(a->inv_inertia, n)) +
                  glms_vec3_dot(n, sym3_mul(b->inv_inertia, n));
    block->twist_mass = maths_inverse_or_zero(twist);
}

// The inverse of the two inverse inertias' sum: the mass of the relative angular velocity.
static tni_sym3 contact_rolling_mass(const tni_body_state *a, const tni_body_state *b) {
    tni_sym3 p = a->inv_inertia, q = b->inv_inertia;
    float xx = p.xx + q.xx, yy = p.yy + q.yy, zz = p.zz + q.zz;
    float xy = p.xy + q.xy, xz = p.xz + q.xz, yz = p.yz + q.yz;
    float cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
    float det = xx * cxx + xy * cxy + xz * cxz;
    float s = maths_inverse_or_zero(det);
    tni_sym3 m = {s * cxx, s * (xx * zz - xz * xz), s * (xx * yy - xy * xy), s * cxy,
                  s * cxz, s * (xy * xz - xx * yz)};
    return m;
}

// Everything that depends on the bodies' inverse inertia.
static void contact_prepare_masses(tni_contact_block *block, const tni_body_state *a,
                                   const tni_body_state *b) {
    contact_prepare_normals(block, a, b);
    contact_prepare_friction(block, a, b);
    if (block->has_rolling) {
        block->rolling_mass = contact_rolling_mass(a, b);
    }
}

void tni_contact_blocks_prepare(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        tni_contact_block *block = &solver->contacts[i];
        tni_contact_record *record = &solver->contact_records[i];
        const tni_body_state *a = &solver->states[block->body_a];
        const tni_body_state *b = &solver->states[block->body_b];
        contact_prepare_arms(block, record);
        contact_prepare_masses(block, a, b);
        f4_store(record->approach_speed, contact_rows(block, a->v, a->w, b->v, b->w));
    }
}

void tni_contact_blocks_refresh(tni_solver *solver) {
    for (uint32_t i = 0; solver->has_turning && i < solver->contact_count; ++i) {
        tni_contact_block *block = &solver->contacts[i];
        if (solver->is_turning[block->body_a] || solver->is_turning[block->body_b]) {
            contact_prepare_masses(block, &solver->states[block->body_a],
                                   &solver->states[block->body_b]);
        }
    }
}

// No impulse anywhere: the points are only near. Most of a loose pile's manifolds are.
static inline bool contact_is_idle(float normal_impulse, const float tangents[2], float twist) {
    return normal_impulse == 0.0f && tangents[0] == 0.0f && tangents[1] == 0.0f && twist == 0.0f;
}

// ---- warm start -------------------------------------------------------------------------------

// The substep's impulses start from half of the last substep's; the second kick adds the other
// half.
static void contact_split_impulses(tni_contact_block *block) {
    for (int i = 0; i < TNI_LANES; ++i) {
        block->warm[i] = 0.5f * block->impulse[i];
        block->impulse[i] = 0.0f;
    }
    for (int t = 0; t < 2; ++t) {
        block->tangent_warm[t] = 0.5f * block->tangent_impulse[t];
        block->tangent_impulse[t] = 0.0f;
    }
    block->twist_warm = 0.5f * block->twist_impulse;
    block->twist_impulse = 0.0f;
    if (block->has_rolling) {
        block->rolling_warm = glms_vec3_scale(block->rolling_impulse, 0.5f);
        block->rolling_impulse = maths_vec3_zero();
    }
}

static void contact_warm_start(tni_contact_block *block, tni_body_state *a, tni_body_state *b) {
    float normal_warm = f4_sum(f4_load(block->warm));
    if (!block->has_rolling &&
        contact_is_idle(normal_warm, block->tangent_warm, block->twist_warm)) {
        return;
    }
    for (int i = 0; i < TNI_LANES; ++i) {
        block->impulse[i] += block->warm[i];
    }
    block->tangent_impulse[0] += block->tangent_warm[0];
    block->tangent_impulse[1] += block->tangent_warm[1];
    block->twist_impulse += block->twist_warm;
    contact_apply(block, a, b, f4_load(block->warm));
    vec3s x = glms_vec3_scale(block->tangent[0], block->tangent_warm[0]);
    x = maths_vec3_add_scaled(x, block->tangent_warm[1], block->tangent[1]);
    vec3s turn = glms_vec3_scale(block->normal, block->twist_warm);
    if (block->has_rolling) {
        block->rolling_impulse = glms_vec3_add(block->rolling_impulse, block->rolling_warm);
        turn = glms_vec3_add(turn, block->rolling_warm);
    }
    contact_apply_middle(block, a, b, x, turn);
}

void tni_contact_blocks_warm_start(tni_solver *solver, bool is_first_half) {
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        tni_contact_block *block = &solver->contacts[i];
        if (is_first_half) {
            contact_split_impulses(block);
        }
        contact_warm_start(block, &solver->states[block->body_a], &solver->states[block->body_b]);
    }
}

// ---- solve ------------------------------------------------------------------------------------

static vec3s contact_solve_rolling(tni_contact_block *block, vec3s w, float normal_impulse) {
    vec3s across = maths_vec3_add_scaled(w, -glms_vec3_dot(w, block->normal), block->normal);
    vec3s x = glms_vec3_sub(block->rolling_impulse, sym3_mul(block->rolling_mass, across));
    x = maths_vec3_add_scaled(x, -glms_vec3_dot(x, block->normal), block->normal);
    float cap = block->rolling_resistance * normal_impulse;
    float length = glms_vec3_norm(x);
    if (length > cap) {
        x = glms_vec3_scale(x, cap / length);
    }
    vec3s change = glms_vec3_sub(x, block->rolling_impulse);
    block->rolling_impulse = x;
    return change;
}

// Friction, twisting and rolling from the velocities before any of them, applied at once.
static inline void contact_solve_tangents(tni_contact_block *block, tni_body_state *a,
                                          tni_body_state *b) {
    float normal_impulse = f4_sum(f4_load(block->impulse));
    if (!block->has_rolling &&
        contact_is_idle(normal_impulse, block->tangent_impulse, block->twist_impulse)) {
        return;
    }
    vec3s v = contact_middle_velocity(block, a, b);
    vec3s w = glms_vec3_sub(b->w, a->w);
    float v1 = glms_vec3_dot(block->tangent[0], v), v2 = glms_vec3_dot(block->tangent[1], v);
    const float *m = block->tangent_mass;
    float x1 = block->tangent_impulse[0] - (m[0] * v1 + m[1] * v2);
    float x2 = block->tangent_impulse[1] - (m[1] * v1 + m[2] * v2);
    contact_clamp_cone(&x1, &x2, block->friction * normal_impulse);
    vec3s impulse = glms_vec3_scale(block->tangent[0], x1 - block->tangent_impulse[0]);
    impulse = maths_vec3_add_scaled(impulse, x2 - block->tangent_impulse[1], block->tangent[1]);
    block->tangent_impulse[0] = x1;
    block->tangent_impulse[1] = x2;
    float cap = block->twist_radius * normal_impulse;
    float spin = glms_vec3_dot(block->normal, w);
    float x = maths_clamp(block->twist_impulse - block->twist_mass * spin, -cap, cap);
    vec3s turn = glms_vec3_scale(block->normal, x - block->twist_impulse);
    block->twist_impulse = x;
    if (block->has_rolling) {
        turn = glms_vec3_add(turn, contact_solve_rolling(block, w, normal_impulse));
    }
    contact_apply_middle(block, a, b, impulse, turn);
}

// Per lane: J v is to be at least -bias; an update is -scale m (J v + bias) - leak x.
typedef struct contact_targets {
    float bias[TNI_LANES], scale[TNI_LANES], leak[TNI_LANES];
    bool are_closed; // all points: then scale and leak are the same in all lanes
} contact_targets;

static inline void contact_set_targets(const tni_solver *solver, const tni_contact_block *block,
                                       bool use_bias, contact_targets *targets) {
    const tni_softness *soft =
        block->is_static ? &solver->static_softness : &solver->contact_softness;
    float rate = use_bias ? soft->rate : 0.0f;
    float mass_scale = use_bias ? soft->mass_scale : 1.0f;
    float impulse_scale = use_bias ? soft->impulse_scale : 0.0f;
    float separations[TNI_LANES];
    f4_store(separations, contact_separations(solver, block));
    for (int i = 0; i < TNI_LANES; ++i) {
        float s = separations[i];
        bool is_open = s > 0.0f;
        float depth = maths_min(s + solver->contact_bias.slop, 0.0f);
        float push = maths_max(rate * depth, -solver->contact_bias.max_speed);
        targets->bias[i] = is_open ? s * solver->inv_h : push;
        bool is_ahead = is_open && !use_bias && !(block->impulse[i] > 0.0f);
        targets->scale[i] = is_ahead ? 0.0f : (is_open ? 1.0f : mass_scale);
        targets->leak[i] = is_open ? 0.0f : impulse_scale;
    }
    targets->are_closed = true;
    for (uint32_t i = 0; i < block->point_count; ++i) {
        targets->are_closed &= separations[i] <= 0.0f;
    }
}

// All points pushing: one solution of the whole block. False when an impulse would be negative.
static inline bool contact_solve_closed(const tni_contact_block *block,
                                        const contact_targets *targets,
                                        const float speeds[TNI_LANES], float x[TNI_LANES]) {
    tni_f4 old = f4_load(x);
    tni_f4 missing =
        f4_mul(f4_splat(targets->scale[0]), f4_add(f4_load(speeds), f4_load(targets->bias)));
    float r[TNI_LANES], wanted[TNI_LANES];
    f4_store(r, missing);
    tni_f4 sum = f4_sub(old, f4_mul(f4_splat(targets->leak[0]), old));
    for (int j = 0; j < TNI_LANES; ++j) {
        sum = f4_sub(sum, f4_mul(f4_load(block->inverse[j]), f4_splat(r[j])));
    }
    f4_store(wanted, sum);
    float least = maths_min(maths_min(wanted[0], wanted[1]), maths_min(wanted[2], wanted[3]));
    if (!(least >= 0.0f)) {
        return false;
    }
    f4_store(x, sum);
    return true;
}

static inline void contact_sweep_lane(const tni_contact_block *block,
                                      const contact_targets *targets, float x[TNI_LANES],
                                      float speeds[TNI_LANES], int i) {
    float wanted = x[i] - targets->leak[i] * x[i] -
                   targets->scale[i] * block->normal_mass[i] * (speeds[i] + targets->bias[i]);
    wanted = maths_max(wanted, 0.0f);
    float change = wanted - x[i];
    x[i] = wanted;
    f4_store(speeds,
             f4_add_product(f4_load(speeds), f4_load(block->response[i]), f4_splat(change)));
}

static void contact_sweep_lanes(const tni_contact_block *block, const contact_targets *targets,
                                float x[TNI_LANES], float speeds[TNI_LANES]) {
    for (int sweep = 0; sweep < CONTACT_INNER_SWEEPS; ++sweep) {
        contact_sweep_lane(block, targets, x, speeds, 0);
        contact_sweep_lane(block, targets, x, speeds, 1);
        contact_sweep_lane(block, targets, x, speeds, 2);
        contact_sweep_lane(block, targets, x, speeds, 3);
    }
}

static inline void contact_solve_normals(const tni_solver *solver, tni_contact_block *block,
                                         tni_body_state *a, tni_body_state *b, bool use_bias) {
    contact_targets targets;
    float speeds[TNI_LANES], x[TNI_LANES];
    contact_set_targets(solver, block, use_bias, &targets);
    f4_store(speeds, contact_rows(block, a->v, a->w, b->v, b->w));
    tni_f4 old = f4_load(block->impulse);
    f4_store(x, old);
    if (block->point_count == 1) {
        contact_sweep_lane(block, &targets, x, speeds, 0);
    } else if (!targets.are_closed || !contact_solve_closed(block, &targets, speeds, x)) {
        contact_sweep_lanes(block, &targets, x, speeds);
    }
    tni_f4 now = f4_load(x);
    f4_store(block->impulse, now);
    if (f4_sum(now) > 0.0f || f4_sum(old) > 0.0f) {
        contact_apply(block, a, b, f4_sub(now, old));
    }
}

void tni_contact_blocks_solve(tni_solver *solver, bool use_bias) {
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        tni_contact_block *block = &solver->contacts[i];
        tni_body_state *a = &solver->states[block->body_a];
        tni_body_state *b = &solver->states[block->body_b];
        if (use_bias) {
            contact_solve_tangents(block, a, b);
            contact_solve_normals(solver, block, a, b, true);
        } else {
            contact_solve_normals(solver, block, a, b, false);
            contact_solve_tangents(block, a, b);
        }
    }
}

void tni_contact_separations(const tni_solver *solver, const tni_contact_block *block,
                             float out_separations[TNI_LANES]) {
    f4_store(out_separations, contact_separations(solver, block));
}

void tni_contact_blocks_store(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        const tni_contact_block *block = &solver->contacts[i];
        tni_contact_record *record = &solver->contact_records[i];
        for (int p = 0; p < TNI_LANES; ++p) {
            record->step_impulse[p] += block->impulse[p];
        }
        record->step_tangent_impulse[0] += block->tangent_impulse[0];
        record->step_tangent_impulse[1] += block->tangent_impulse[1];
    }
}
