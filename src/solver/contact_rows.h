// solver/contact_rows.h: the rows of a contact block on velocities, shared by contacts and impacts.
//
// Inline, because they are the innermost loops: see contact_block.c for the maths.
#ifndef TNI_SOLVER_CONTACT_ROWS_H
#define TNI_SOLVER_CONTACT_ROWS_H

#include "core/simd.h"
#include "solver/solver.h"

// n·(linear_b - linear_a) + turn_b·angular_b - turn_a·angular_a, for all lanes.
TNI_FORCE_INLINE tni_f4 contact_rows(const tni_contact_block *block, vec3s linear_a,
                                     vec3s angular_a, vec3s linear_b, vec3s angular_b) {
    float common = glms_vec3_dot(block->normal, glms_vec3_sub(linear_b, linear_a));
    tni_f4 a = f4_mul(f4_load(block->turn_a[0]), f4_splat(angular_a.x));
    tni_f4 b = f4_mul(f4_load(block->turn_b[0]), f4_splat(angular_b.x));
    a = f4_add_product(a, f4_load(block->turn_a[1]), f4_splat(angular_a.y));
    b = f4_add_product(b, f4_load(block->turn_b[1]), f4_splat(angular_b.y));
    a = f4_add_product(a, f4_load(block->turn_a[2]), f4_splat(angular_a.z));
    b = f4_add_product(b, f4_load(block->turn_b[2]), f4_splat(angular_b.z));
    return f4_add(f4_splat(common), f4_sub(b, a));
}

// The separations of the points after the displacement since the manifold was made, m.
TNI_FORCE_INLINE tni_f4 contact_separations(const tni_solver *solver,
                                            const tni_contact_block *block) {
    const tni_body_delta *a = &solver->deltas[block->body_a];
    const tni_body_delta *b = &solver->deltas[block->body_b];
    return f4_add(contact_rows(block, a->position, a->rotation, b->position, b->rotation),
                  f4_load(block->separation));
}

TNI_FORCE_INLINE vec3s contact_weigh_turns(const float turn[3][TNI_LANES], tni_f4 x) {
    return maths_vec3(f4_sum(f4_mul(f4_load(turn[0]), x)), f4_sum(f4_mul(f4_load(turn[1]), x)),
                      f4_sum(f4_mul(f4_load(turn[2]), x)));
}

// Adds impulses along the normal at the points.
TNI_FORCE_INLINE void contact_apply(const tni_contact_block *block, tni_body_state *a,
                                    tni_body_state *b, tni_f4 x) {
    vec3s linear = glms_vec3_scale(block->normal, f4_sum(x));
    vec3s turn_a = contact_weigh_turns(block->turn_a, x);
    vec3s turn_b = contact_weigh_turns(block->turn_b, x);
    a->v = glms_vec3_sub(a->v, glms_vec3_mul(a->inv_mass, linear));
    a->w = glms_vec3_sub(a->w, sym3_mul(a->inv_inertia, turn_a));
    b->v = glms_vec3_add(b->v, glms_vec3_mul(b->inv_mass, linear));
    b->w = glms_vec3_add(b->w, sym3_mul(b->inv_inertia, turn_b));
}

// The velocity of b relative to a at the middle of the points.
TNI_FORCE_INLINE vec3s contact_middle_velocity(const tni_contact_block *block,
                                               const tni_body_state *a, const tni_body_state *b) {
    vec3s at_a = glms_vec3_add(a->v, glms_vec3_cross(a->w, block->r_a));
    vec3s at_b = glms_vec3_add(b->v, glms_vec3_cross(b->w, block->r_b));
    return glms_vec3_sub(at_b, at_a);
}

// Adds an impulse at the middle of the points, and a torque.
TNI_FORCE_INLINE void contact_apply_middle(const tni_contact_block *block, tni_body_state *a,
                                           tni_body_state *b, vec3s impulse, vec3s turn) {
    vec3s turn_a = glms_vec3_add(glms_vec3_cross(block->r_a, impulse), turn);
    vec3s turn_b = glms_vec3_add(glms_vec3_cross(block->r_b, impulse), turn);
    a->v = glms_vec3_sub(a->v, glms_vec3_mul(a->inv_mass, impulse));
    a->w = glms_vec3_sub(a->w, sym3_mul(a->inv_inertia, turn_a));
    b->v = glms_vec3_add(b->v, glms_vec3_mul(b->inv_mass, impulse));
    b->w = glms_vec3_add(b->w, sym3_mul(b->inv_inertia, turn_b));
}

// The friction impulse nearest to (x1, x2) inside the cone of the given radius.
TNI_FORCE_INLINE void contact_clamp_cone(float *x1, float *x2, float cap) {
    float square = *x1 * *x1 + *x2 * *x2;
    if (square > cap * cap) {
        float scale = cap / sqrtf(square);
        *x1 *= scale;
        *x2 *= scale;
    }
}

TNI_FORCE_INLINE vec3s contact_get_lane(const float rows[3][TNI_LANES], uint32_t lane) {
    return maths_vec3(rows[0][lane], rows[1][lane], rows[2][lane]);
}

// Row p of K = J W J^T: how fast each point opens per unit impulse at p, 1/kg.
TNI_FORCE_INLINE void contact_get_response(const tni_contact_block *block, const tni_body_state *a,
                                           const tni_body_state *b, uint32_t p,
                                           float out[TNI_LANES]) {
    vec3s n = block->normal;
    vec3s spin_a = sym3_mul(a->inv_inertia, contact_get_lane(block->turn_a, p));
    vec3s spin_b = sym3_mul(b->inv_inertia, contact_get_lane(block->turn_b, p));
    vec3s push_a = glms_vec3_mul(a->inv_mass, n), push_b = glms_vec3_mul(b->inv_mass, n);
    f4_store(out, contact_rows(block, glms_vec3_negate(push_a), glms_vec3_negate(spin_a), push_b,
                               spin_b));
}

#endif
