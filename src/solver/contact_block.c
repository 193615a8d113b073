// solver/contact_block.c: contacts under projected Gauss-Seidel.
//
// Per point i, with n from a to b and r the arms from the centres of mass:
//     J v = n·(v_b + w_b x r_b - v_a - w_a x r_a)      s = separation + n·(displacement since the manifold)
//     s > 0:  J v >= -s/h (speculative: may close the gap, no more)
//     s <= 0: J v + rate (s + slop) + gamma x >= 0, at most max_speed; in solve B: J v >= 0
// Friction is one vector per manifold, in the tangent plane at the middle of the points, inside the true
// cone |x_t| <= friction * sum x_n, solved with its 2x2 mass. Twisting is bounded by
// (friction * patch radius + twisting_resistance) * sum x_n, rolling by rolling_resistance * sum x_n.
// Friction comes first and the normals last, for they matter more. Arms, normal and masses stay those
// of the step's start; the separation follows the bodies' displacement to first order.
// Sources: E. Catto, "Iterative dynamics with temporal coherence", 2005; M. Anitescu, F. Potra,
// "Formulating dynamic multi-rigid-body contact problems", 1997 (velocity-level complementarity).
#include "solver/solver.h"

static inline vec3s contact_scale_axes(vec3s a, vec3s b) {
    return maths_vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

// d·K e for the response of the pair at arms r_a, r_b.
static float contact_response(const tni_body_state *a, const tni_body_state *b, vec3s r_a,
                              vec3s r_b, vec3s d, vec3s e) {
    vec3s ra_d = glms_vec3_cross(r_a, d), ra_e = glms_vec3_cross(r_a, e);
    vec3s rb_d = glms_vec3_cross(r_b, d), rb_e = glms_vec3_cross(r_b, e);
    return glms_vec3_dot(d, contact_scale_axes(a->inv_mass, e)) +
           glms_vec3_dot(d, contact_scale_axes(b->inv_mass, e)) +
           glms_vec3_dot(ra_d, sym3_mul(a->inv_inertia, ra_e)) +
           glms_vec3_dot(rb_d, sym3_mul(b->inv_inertia, rb_e));
}

static inline vec3s contact_relative_velocity(const tni_body_state *a, const tni_body_state *b,
                                              vec3s r_a, vec3s r_b) {
    vec3s at_a = glms_vec3_add(a->v, glms_vec3_cross(a->w, r_a));
    vec3s at_b = glms_vec3_add(b->v, glms_vec3_cross(b->w, r_b));
    return glms_vec3_sub(at_b, at_a);
}

static inline void contact_apply(tni_body_state *a, tni_body_state *b, vec3s r_a, vec3s r_b,
                                 vec3s impulse) {
    a->v = glms_vec3_sub(a->v, contact_scale_axes(a->inv_mass, impulse));
    a->w = glms_vec3_sub(a->w, sym3_mul(a->inv_inertia, glms_vec3_cross(r_a, impulse)));
    b->v = glms_vec3_add(b->v, contact_scale_axes(b->inv_mass, impulse));
    b->w = glms_vec3_add(b->w, sym3_mul(b->inv_inertia, glms_vec3_cross(r_b, impulse)));
}

static inline void contact_apply_angular(tni_body_state *a, tni_body_state *b, vec3s impulse) {
    a->w = glms_vec3_sub(a->w, sym3_mul(a->inv_inertia, impulse));
    b->w = glms_vec3_add(b->w, sym3_mul(b->inv_inertia, impulse));
}

// ---- prepare -----------------------------------------------------------------------------------

static void contact_prepare_friction(tni_contact_block *block, const tni_body_state *a,
                                     const tni_body_state *b) {
    vec3s t1 = block->tangent[0], t2 = block->tangent[1];
    float k11 = contact_response(a, b, block->r_a, block->r_b, t1, t1);
    float k12 = contact_response(a, b, block->r_a, block->r_b, t1, t2);
    float k22 = contact_response(a, b, block->r_a, block->r_b, t2, t2);
    float inverse = maths_inverse_or_zero(k11 * k22 - k12 * k12);
    block->tangent_mass[0] = k22 * inverse;
    block->tangent_mass[1] = -k12 * inverse;
    block->tangent_mass[2] = k11 * inverse;
    float twist = glms_vec3_dot(block->normal, sym3_mul(a->inv_inertia, block->normal)) +
                  glms_vec3_dot(block->normal, sym3_mul(b->inv_inertia, block->normal));
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
    tni_sym3 m = {s * cxx, s * (xx * zz - xz * xz), s * (xx * yy - xy * xy),
                  s * cxy, s * cxz,                 s * (xy * xz - xx * yz)};
    return m;
}

void tni_contact_blocks_prepare(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        tni_contact_block *block = &solver->contacts[i];
        const tni_body_state *a = &solver->states[block->body_a];
        const tni_body_state *b = &solver->states[block->body_b];
        for (uint32_t p = 0; p < block->point_count; ++p) {
            tni_contact_point_state *point = &block->points[p];
            float k = contact_response(a, b, point->r_a, point->r_b, block->normal, block->normal);
            point->normal_mass = maths_inverse_or_zero(k);
            point->approach_speed = glms_vec3_dot(
                block->normal, contact_relative_velocity(a, b, point->r_a, point->r_b));
        }
        contact_prepare_friction(block, a, b);
        if (block->rolling_resistance > 0.0f) {
            block->rolling_mass = contact_rolling_mass(a, b);
        }
    }
}

// ---- warm start ----------------------------------------------------------------------------------

static void contact_warm_start(tni_contact_block *block, tni_body_state *a, tni_body_state *b,
                               bool is_first_half) {
    vec3s linear = maths_vec3_zero(), angular_a = linear, angular_b = linear;
    for (uint32_t p = 0; p < block->point_count; ++p) {
        tni_contact_point_state *point = &block->points[p];
        if (is_first_half) {
            point->warm = 0.5f * point->impulse;
            point->impulse = 0.0f;
        }
        point->impulse += point->warm;
        vec3s x = glms_vec3_scale(block->normal, point->warm);
        linear = glms_vec3_add(linear, x);
        angular_a = glms_vec3_add(angular_a, glms_vec3_cross(point->r_a, x));
        angular_b = glms_vec3_add(angular_b, glms_vec3_cross(point->r_b, x));
    }
    if (is_first_half) {
        block->tangent_warm[0] = 0.5f * block->tangent_impulse[0];
        block->tangent_warm[1] = 0.5f * block->tangent_impulse[1];
        block->twist_warm = 0.5f * block->twist_impulse;
        block->rolling_warm = glms_vec3_scale(block->rolling_impulse, 0.5f);
        block->tangent_impulse[0] = block->tangent_impulse[1] = block->twist_impulse = 0.0f;
        block->rolling_impulse = maths_vec3_zero();
    }
    block->tangent_impulse[0] += block->tangent_warm[0];
    block->tangent_impulse[1] += block->tangent_warm[1];
    block->twist_impulse += block->twist_warm;
    block->rolling_impulse = glms_vec3_add(block->rolling_impulse, block->rolling_warm);
    vec3s x = glms_vec3_scale(block->tangent[0], block->tangent_warm[0]);
    x = maths_vec3_add_scaled(x, block->tangent_warm[1], block->tangent[1]);
    vec3s turn = maths_vec3_add_scaled(block->rolling_warm, block->twist_warm, block->normal);
    linear = glms_vec3_add(linear, x);
    angular_a = glms_vec3_add(glms_vec3_add(angular_a, glms_vec3_cross(block->r_a, x)), turn);
    angular_b = glms_vec3_add(glms_vec3_add(angular_b, glms_vec3_cross(block->r_b, x)), turn);
    a->v = glms_vec3_sub(a->v, contact_scale_axes(a->inv_mass, linear));
    a->w = glms_vec3_sub(a->w, sym3_mul(a->inv_inertia, angular_a));
    b->v = glms_vec3_add(b->v, contact_scale_axes(b->inv_mass, linear));
    b->w = glms_vec3_add(b->w, sym3_mul(b->inv_inertia, angular_b));
}

void tni_contact_blocks_warm_start(tni_solver *solver, bool is_first_half) {
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        tni_contact_block *block = &solver->contacts[i];
        contact_warm_start(block, &solver->states[block->body_a], &solver->states[block->body_b],
                           is_first_half);
    }
}

// ---- solve ---------------------------------------------------------------------------------------

static inline void contact_solve_friction(tni_contact_block *block, tni_body_state *a,
                                          tni_body_state *b, float normal_impulse) {
    vec3s v = contact_relative_velocity(a, b, block->r_a, block->r_b);
    float v1 = glms_vec3_dot(block->tangent[0], v), v2 = glms_vec3_dot(block->tangent[1], v);
    const float *m = block->tangent_mass;
    float x1 = block->tangent_impulse[0] - (m[0] * v1 + m[1] * v2);
    float x2 = block->tangent_impulse[1] - (m[1] * v1 + m[2] * v2);
    float cap = block->friction * normal_impulse;
    float square = x1 * x1 + x2 * x2;
    if (square > cap * cap) {
        float scale = cap / sqrtf(square);
        x1 *= scale;
        x2 *= scale;
    }
    vec3s impulse = glms_vec3_scale(block->tangent[0], x1 - block->tangent_impulse[0]);
    impulse = maths_vec3_add_scaled(impulse, x2 - block->tangent_impulse[1], block->tangent[1]);
    block->tangent_impulse[0] = x1;
    block->tangent_impulse[1] = x2;
    contact_apply(a, b, block->r_a, block->r_b, impulse);
}

static inline void contact_solve_twist(tni_contact_block *block, tni_body_state *a,
                                       tni_body_state *b, float normal_impulse) {
    float cap = (block->friction * block->patch_radius + block->twisting_resistance) *
                normal_impulse;
    float speed = glms_vec3_dot(block->normal, glms_vec3_sub(b->w, a->w));
    float x = maths_clamp(block->twist_impulse - block->twist_mass * speed, -cap, cap);
    contact_apply_angular(a, b, glms_vec3_scale(block->normal, x - block->twist_impulse));
    block->twist_impulse = x;
}

static void contact_solve_rolling(tni_contact_block *block, tni_body_state *a, tni_body_state *b,
                                  float normal_impulse) {
    vec3s w = glms_vec3_sub(b->w, a->w);
    w = maths_vec3_add_scaled(w, -glms_vec3_dot(w, block->normal), block->normal);
    vec3s x = glms_vec3_sub(block->rolling_impulse, sym3_mul(block->rolling_mass, w));
    float cap = block->rolling_resistance * normal_impulse;
    float length = glms_vec3_norm(x);
    if (length > cap) {
        x = glms_vec3_scale(x, cap / length);
    }
    contact_apply_angular(a, b, glms_vec3_sub(x, block->rolling_impulse));
    block->rolling_impulse = x;
}

static inline vec3s contact_displacement(const tni_body_delta *a, const tni_body_delta *b,
                                         vec3s r_a, vec3s r_b) {
    vec3s at_a = glms_vec3_add(a->position, glms_vec3_cross(a->rotation, r_a));
    vec3s at_b = glms_vec3_add(b->position, glms_vec3_cross(b->rotation, r_b));
    return glms_vec3_sub(at_b, at_a);
}

float tni_contact_separation(const tni_solver *solver, const tni_contact_block *block,
                             const tni_contact_point_state *point) {
    return point->separation +
           glms_vec3_dot(block->normal, contact_displacement(&solver->deltas[block->body_a],
                                                             &solver->deltas[block->body_b],
                                                             point->r_a, point->r_b));
}

static inline void contact_solve_normals(const tni_solver *solver, tni_contact_block *block,
                                         tni_body_state *a, tni_body_state *b, bool use_bias) {
    const tni_softness *soft = block->is_static ? &solver->static_softness
                                                : &solver->contact_softness;
    for (uint32_t p = 0; p < block->point_count; ++p) {
        tni_contact_point_state *point = &block->points[p];
        float s = tni_contact_separation(solver, block, point);
        float bias = 0.0f, mass_scale = 1.0f, impulse_scale = 0.0f;
        if (s > 0.0f) {
            bias = s * solver->inv_h;
        } else if (use_bias) {
            float depth = maths_min(s + solver->contact_bias.slop, 0.0f);
            bias = maths_max(soft->rate * depth, -solver->contact_bias.max_speed);
            mass_scale = soft->mass_scale;
            impulse_scale = soft->impulse_scale;
        }
        float speed = glms_vec3_dot(
            block->normal, contact_relative_velocity(a, b, point->r_a, point->r_b));
        float x = point->impulse - point->normal_mass * mass_scale * (speed + bias) -
                  impulse_scale * point->impulse;
        x = maths_max(x, 0.0f);
        contact_apply(a, b, point->r_a, point->r_b,
                      glms_vec3_scale(block->normal, x - point->impulse));
        point->impulse = x;
        point->largest_impulse = maths_max(point->largest_impulse, x);
    }
}

void tni_contact_blocks_solve(tni_solver *solver, bool use_bias, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) {
        tni_contact_block *block = &solver->contacts[i];
        tni_body_state *a = &solver->states[block->body_a];
        tni_body_state *b = &solver->states[block->body_b];
        float normal_impulse = 0.0f;
        for (uint32_t p = 0; p < block->point_count; ++p) {
            normal_impulse += block->points[p].impulse;
        }
        if (block->rolling_resistance > 0.0f) {
            contact_solve_rolling(block, a, b, normal_impulse);
        }
        if (block->patch_radius > 0.0f || block->twisting_resistance > 0.0f) {
            contact_solve_twist(block, a, b, normal_impulse);
        }
        contact_solve_friction(block, a, b, normal_impulse);
        contact_solve_normals(solver, block, a, b, use_bias);
    }
}

void tni_contact_blocks_store(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        tni_contact_block *block = &solver->contacts[i];
        for (uint32_t p = 0; p < block->point_count; ++p) {
            block->points[p].step_impulse += block->points[p].impulse;
        }
        block->step_tangent_impulse[0] += block->tangent_impulse[0];
        block->step_tangent_impulse[1] += block->tangent_impulse[1];
    }
}
