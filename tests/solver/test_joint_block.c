// Tests of solver/equality.h, the dense system that joint_block.c solves.
#include <criterion/criterion.h>

#include "solver/equality.h"

// A fixed sequence in [-1, 1] (Numerical Recipes' linear congruence), the same in every run.
static float next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.0f - 1.0f;
}

static vec3s random_vec3(uint32_t *seed) {
    float x = next_random(seed), y = next_random(seed), z = next_random(seed);
    return maths_vec3(x, y, z);
}

static tni_body_state random_state(uint32_t *seed) {
    tni_body_state state = {0};
    state.v = random_vec3(seed);
    state.w = random_vec3(seed);
    float inv_mass = 0.5f + 0.4f * next_random(seed);
    state.inv_mass = maths_vec3(inv_mass, inv_mass, inv_mass);
    // Diagonally dominant, so positive definite.
    state.inv_inertia = (tni_sym3){2.0f, 3.0f, 2.5f, 0.3f, -0.4f, 0.2f};
    return state;
}

// Rows of a joint between two bodies: what pushes b pushes a the other way.
static void random_rows(uint32_t *seed, tni_row *rows, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) {
        rows[i] = (tni_row){0};
        rows[i].lin_b = random_vec3(seed);
        rows[i].lin_a = glms_vec3_negate(rows[i].lin_b);
        rows[i].ang_a = random_vec3(seed);
        rows[i].ang_b = random_vec3(seed);
    }
}

static float get_speed(const tni_row *row, const tni_body_state *a, const tni_body_state *b) {
    return glms_vec3_dot(row->lin_a, a->v) + glms_vec3_dot(row->ang_a, a->w) +
           glms_vec3_dot(row->lin_b, b->v) + glms_vec3_dot(row->ang_b, b->w);
}

static void refresh(float *data, const tni_row *rows, uint32_t n, const tni_body_state *a,
                    const tni_body_state *b) {
    if (tni_equality_lanes(n) == 4) {
        tni_equality_refresh(data, 4, rows, n, a, b);
    } else {
        tni_equality_refresh(data, 8, rows, n, a, b);
    }
}

static void solve(float *data, uint32_t n, bool use_bias, tni_body_state *a, tni_body_state *b) {
    tni_softness rigid = {0.0f, 1.0f, 0.0f};
    if (tni_equality_lanes(n) == 4) {
        tni_equality_solve(data, 4, n, rigid, use_bias, TNI_ENDS_BOTH, a, b);
    } else {
        tni_equality_solve(data, 8, n, rigid, use_bias, TNI_ENDS_BOTH, a, b);
    }
}

Test(joint_block, one_solve_meets_every_row_and_keeps_the_momentum) {
    uint32_t seed = 3;
    for (uint32_t n = 1; n <= 6; ++n) {
        for (int round = 0; round < 50; ++round) {
            tni_body_state a = random_state(&seed), b = random_state(&seed);
            tni_row rows[8];
            random_rows(&seed, rows, n);
            vec3s before = glms_vec3_add(glms_vec3_scale(a.v, 1.0f / a.inv_mass.x),
                                         glms_vec3_scale(b.v, 1.0f / b.inv_mass.x));
            float data[280] = {0};
            refresh(data, rows, n, &a, &b);
            solve(data, n, false, &a, &b);
            for (uint32_t i = 0; i < n; ++i) {
                // Round-off of floats of size 1, times the condition number of K.
                cr_assert(fabsf(get_speed(&rows[i], &a, &b)) < 2e-3f, "n %u row %u: %g", n, i,
                          (double)get_speed(&rows[i], &a, &b));
            }
            vec3s after = glms_vec3_add(glms_vec3_scale(a.v, 1.0f / a.inv_mass.x),
                                        glms_vec3_scale(b.v, 1.0f / b.inv_mass.x));
            cr_assert(glms_vec3_norm(glms_vec3_sub(after, before)) < 1e-3f);
        }
    }
}

Test(joint_block, the_bias_is_the_speed_that_is_left) {
    uint32_t seed = 11;
    tni_body_state a = random_state(&seed), b = random_state(&seed);
    tni_row rows[8];
    random_rows(&seed, rows, 3);
    float data[280] = {0};
    refresh(data, rows, 3, &a, &b);
    for (uint32_t i = 0; i < 3; ++i) {
        tni_equality_bias(data, 4)[i] = 0.1f * (float)(i + 1);
    }
    solve(data, 3, true, &a, &b);
    for (uint32_t i = 0; i < 3; ++i) {
        cr_assert(fabsf(get_speed(&rows[i], &a, &b) + 0.1f * (float)(i + 1)) < 1e-4f);
    }
}

Test(joint_block, the_two_halves_of_the_warm_start_are_the_last_impulse) {
    uint32_t seed = 5;
    tni_body_state a = random_state(&seed), b = random_state(&seed), a0 = a, b0 = b;
    tni_row rows[8];
    random_rows(&seed, rows, 3);
    float data[280] = {0};
    refresh(data, rows, 3, &a, &b);
    float *impulse = tni_equality_impulse(data, 4);
    for (uint32_t i = 0; i < 3; ++i) {
        impulse[i] = (float)(i + 1);
    }
    tni_equality_warm_start(data, 4, 3, true, TNI_ENDS_BOTH, &a, &b);
    cr_assert(impulse[0] == 0.5f && impulse[1] == 1.0f && impulse[2] == 1.5f);
    tni_equality_warm_start(data, 4, 3, false, TNI_ENDS_BOTH, &a, &b);
    cr_assert(impulse[0] == 1.0f && impulse[1] == 2.0f && impulse[2] == 3.0f);
    vec3s push = maths_vec3_zero();
    for (uint32_t i = 0; i < 3; ++i) {
        push = maths_vec3_add_scaled(push, (float)(i + 1) * b.inv_mass.x, rows[i].lin_b);
    }
    cr_assert(glms_vec3_norm(glms_vec3_sub(glms_vec3_sub(b.v, b0.v), push)) < 1e-5f);
    cr_assert(glms_vec3_norm(glms_vec3_sub(a.v, a0.v)) > 0.1f);
}

Test(joint_block, masses_behind_the_velocities_are_not_touched) {
    uint32_t seed = 9;
    tni_body_state a = random_state(&seed), b = random_state(&seed), a0 = a, b0 = b;
    tni_row rows[8];
    random_rows(&seed, rows, 6);
    float data[280] = {0};
    refresh(data, rows, 6, &a, &b);
    solve(data, 6, false, &a, &b);
    cr_assert(a.inv_mass.x == a0.inv_mass.x && a.inv_mass.y == a0.inv_mass.y);
    cr_assert(b.inv_mass.x == b0.inv_mass.x && b.inv_mass.y == b0.inv_mass.y);
}
