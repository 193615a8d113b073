// Tests of the sweeps over blocks (solver/joints/joint_block_wide.c), and of the dense system of
// those that are no pin (solver/rows/equality.h).
#include <criterion/criterion.h>
#include <string.h>

#include "core/cpu.h"
#include "solver/joints/joint_block_kernels.h"
#include "solver/joints/joint_bounded.h"
#include "solver/rows/equality.h"
#include "solver/rows/pin.h"

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
            float data[320] = {0};
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
    float data[320] = {0};
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
    float data[320] = {0};
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
    float data[320] = {0};
    refresh(data, rows, 6, &a, &b);
    solve(data, 6, false, &a, &b);
    cr_assert(a.inv_mass.x == a0.inv_mass.x && a.inv_mass.y == a0.inv_mass.y);
    cr_assert(b.inv_mass.x == b0.inv_mass.x && b.inv_mass.y == b0.inv_mass.y);
}

// ---- blocks -----------------------------------------------------------------------------------

#define BLOCKS 12 // each number of turns with each choice of ends
#define ROWS   4  // bounded: one by itself, and three that are one vector
#define BODIES 4  // the first is the world
#define FLOATS ((sizeof(tni_pin_block) + sizeof(tni_pin_turns)) / sizeof(float))

typedef struct pin_room {
    _Alignas(16) float numbers[FLOATS]; // a tni_pin_block
} pin_room;

typedef struct chain {
    tni_solver solver;
    tni_body_state states[BODIES];
    tni_joint_block blocks[BLOCKS];
    pin_room rooms[BLOCKS];
    tni_bounded_row bounded[BLOCKS * ROWS];
    tni_row_state row_states[BLOCKS * (ROWS + TNI_JOINT_MAX_ROWS)];
} chain;

static tni_f4 random_f4(uint32_t *seed) {
    vec3s v = random_vec3(seed);
    return f4_make(v.x, v.y, v.z, 0.0f);
}

static tni_velocities random_velocities(uint32_t *seed) {
    tni_velocities v = {random_f4(seed), random_f4(seed), random_f4(seed), random_f4(seed)};
    return v;
}

static void make_pin(uint32_t *seed, chain *all, uint32_t i) {
    const uint32_t turns[4] = {0, 1, 2, 3};
    tni_joint_ends ends = (tni_joint_ends)(i % 3);
    tni_joint_block *block = &all->blocks[i];
    *block = (tni_joint_block){.body_a = ends == TNI_ENDS_ONLY_B ? 0 : 1 + i % 2,
                               .body_b = ends == TNI_ENDS_ONLY_A ? 0 : 3,
                               .point_rows = 3,
                               .turns = (uint8_t)turns[i / 3],
                               .equality_count = (uint8_t)(3 + turns[i / 3]),
                               .row_count = (uint8_t)(3 + turns[i / 3] + ROWS),
                               .first_row = i * (ROWS + TNI_JOINT_MAX_ROWS),
                               .first_bounded = i * ROWS,
                               .ends = (uint8_t)ends,
                               .has_awake_bounded = true,
                               .softness = {10.0f, 0.9f, 0.1f}};
    const float impulses[TNI_JOINT_MAX_ROWS] = {0.1f, -0.2f, 0.3f, 0.4f, 0.1f, -0.3f};
    tni_joint_block_start(block, &all->rooms[i], impulses);
    tni_pin pin = {.r_a = random_f4(seed), .r_b = random_f4(seed)};
    pin.axis[0] = f4_make(1.0f, 0.1f, 0.0f, 0.0f);
    pin.axis[1] = f4_make(0.0f, 1.0f, 0.2f, 0.0f);
    pin.axis[2] = f4_make(0.1f, 0.0f, 1.0f, 0.0f);
    tni_pin_refresh(block->pin, &pin, block->turns, ends, &all->states[block->body_a],
                    &all->states[block->body_b]);
    block->pin->bias = random_f4(seed);
}

static void make_bounded(uint32_t *seed, chain *all, uint32_t i) {
    for (uint32_t r = 0; r < ROWS; ++r) {
        tni_bounded_row *row = &all->bounded[i * ROWS + r];
        row->jacobian = random_velocities(seed);
        row->bare = row->change[0] = row->change[1] = random_velocities(seed);
        row->through[0] = random_f4(seed);
        row->through[1] = random_f4(seed);
        row->drive[0] = row->drive[1] = (tni_row_drive){1.0f, 0.1f, 0.2f, -0.05f, 0.05f};
        row->group = r == 0 ? 1 : r == 1 ? 3 : 0;
    }
}

// A substep's sweeps, without what comes between them.
static void sweep_chain(chain *all, bool uses_avx2) {
    uint32_t seed = 17;
    memset(all, 0, sizeof *all);
    for (uint32_t i = 1; i < BODIES; ++i) {
        all->states[i] = random_state(&seed);
    }
    for (uint32_t i = 0; i < BLOCKS; ++i) {
        make_pin(&seed, all, i);
        make_bounded(&seed, all, i);
    }
    tni_solver solver = {.bodies.states = all->states,
                         .joints.blocks = all->blocks,
                         .joints.count = BLOCKS,
                         .joints.swept_count = BLOCKS,
                         .joints.bounded_rows = all->bounded,
                         .joints.row_states = all->row_states,
                         .uses_avx2 = uses_avx2};
    tni_joint_blocks_warm_start(&solver, true);
    for (int sweep = 0; sweep < 3; ++sweep) {
        tni_joint_blocks_sweep(&solver, true);
    }
    tni_joint_blocks_warm_start(&solver, false);
    tni_joint_blocks_sweep(&solver, false);
}

static bool are_same(const float *numbers, const float *others, size_t count) {
    bool same = true;
    for (size_t i = 0; i < count; ++i) {
        same = same && numbers[i] == others[i];
    }
    return same;
}

Test(joint_block, sweeps_come_to_the_same_with_and_without_avx2) {
    static chain plain, wide;
    if (!tni_cpu_has_avx2()) {
        return;
    }
    sweep_chain(&plain, false);
    sweep_chain(&wide, true);
    for (uint32_t i = 0; i < BODIES; ++i) {
        cr_assert(are_same(plain.states[i].numbers, wide.states[i].numbers, 16));
    }
    for (uint32_t i = 0; i < BLOCKS; ++i) {
        cr_assert(are_same(plain.rooms[i].numbers, wide.rooms[i].numbers, FLOATS));
        for (uint32_t r = 0; r < ROWS; ++r) {
            uint32_t row = plain.blocks[i].first_row + plain.blocks[i].equality_count + r;
            cr_assert(plain.row_states[row].impulse == wide.row_states[row].impulse);
            cr_assert(plain.row_states[row].warm == wide.row_states[row].warm);
        }
    }
}

Test(joint_block, the_world_stands_and_bounded_rows_keep_their_caps) {
    static chain all;
    const float still[16] = {0.0f};
    sweep_chain(&all, false);
    cr_assert(are_same(all.states[0].numbers, still, 16));
    cr_assert(glms_vec3_norm(all.states[3].v) > 0.0f);
    for (uint32_t i = 0; i < BLOCKS; ++i) {
        const tni_row_state *rows = all.row_states + all.blocks[i].first_row;
        rows += all.blocks[i].equality_count;
        vec3s group = maths_vec3(rows[1].impulse, rows[2].impulse, rows[3].impulse);
        cr_assert(fabsf(rows[0].impulse) <= 0.05f && fabsf(rows[0].impulse) > 0.0f);
        // One shortening, rounded.
        cr_assert(glms_vec3_norm(group) <= 0.05f * 1.00001f && glms_vec3_norm(group) > 0.0f);
    }
}
