// solver/joints/joint_limits.c: the rigid limits of one joint, solved together and last.
//
// A limit moves the values of the other limits of its joint, and so do motors, springs and friction
// that come after it. Rows that come one at a time approach what holds all of them by a share in
// each pass, which is small where they move each other much: a small box that a planar joint holds
// half a metre off its middle gives up a hundredth of the error in a pass. So the limits of a joint
// like that come last, with their exact impulses x:
//     w = K x + b >= 0,   x >= 0,   x w = 0
// with K_ij = J_i W J_j^T through the joint and b the speeds J v + bias without them. They give way
// to nothing: soft ones would sink under a load at the end of a lever as many times as far as the
// lever is long, and a blow on one of them would open the others. It is a linear complementarity
// problem; its least-index pivoting ends with the one solution where K is positive definite. Rows
// that others of the set imply are left out.
// Source: K. G. Murty, "Note on a Bard-type scheme for solving the complementarity problem",
// Opsearch 11, 1974. Test: tests/joints/test_joint_ways.c, tests/joints/test_driven_values.c
#include "solver/joints/joint_limits.h"

#include "solver/joints/joint_bounded_sweep.h"

// Pivots for each limit, and the share of its own speed that is left of a row that others imply.
#define LIMITS_PIVOTS  4
#define LIMITS_IMPLIED 1e-5f
// m/s or rad/s, and of the speed that the impulses take away: limits are held to this.
#define LIMITS_NEAR  1e-6f
#define LIMITS_SHARE 1e-5f

static bool limits_is_one(const tni_bounded_row *row, bool use_bias) {
    return bounded_is_limit(row) && row->drive[use_bias].mass > 0.0f;
}

static void limits_find(const tni_joint_block *block, const tni_bounded_row *rows,
                        const tni_row_state *states, bool use_bias, const tni_velocities *v,
                        tni_limits_set *set) {
    uint32_t count = (uint32_t)block->row_count - block->equality_count;
    set->count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (limits_is_one(&rows[i], use_bias)) {
            uint32_t k = set->count++;
            set->rows[k] = (uint8_t)i;
            set->before[k] = states[i].impulse;
            set->pushes[k] = states[i].impulse > 0.0f;
            set->speed[k] = tni_velocities_dot(&rows[i].jacobian, v) + rows[i].drive[use_bias].bias;
        }
    }
}

void tni_joint_limits_fill(const tni_bounded_row *rows, bool use_bias, tni_limits_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        const tni_bounded_row *row = &rows[set->rows[i]];
        for (uint32_t k = 0; k < set->count; ++k) {
            const tni_bounded_row *other = &rows[set->rows[k]];
            set->matrix[i][k] = tni_velocities_dot(&row->jacobian, &other->change[use_bias]);
        }
    }
}

// Takes off what the limits have given so far.
static void limits_take_off(tni_limits_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        for (uint32_t k = 0; k < set->count; ++k) {
            set->speed[i] -= set->matrix[i][k] * set->before[k];
        }
    }
}

void tni_joint_limits_balance(tni_limits_set *set) {
    float rows[TNI_JOINT_MAX_ROWS][TNI_JOINT_MAX_ROWS + 1];
    uint32_t index[TNI_JOINT_MAX_ROWS], n = 0;
    for (uint32_t i = 0; i < set->count; ++i) {
        set->impulse[i] = 0.0f;
        index[n] = i;
        n += set->pushes[i] ? 1 : 0;
    }
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t k = 0; k < n; ++k) {
            rows[i][k] = set->matrix[index[i]][index[k]];
        }
        rows[i][n] = -set->speed[index[i]];
    }
    for (uint32_t i = 0; i < n; ++i) {
        bool is_implied = !(rows[i][i] > LIMITS_IMPLIED * set->matrix[index[i]][index[i]]);
        float inverse = is_implied ? 0.0f : maths_inverse_or_zero(rows[i][i]);
        for (uint32_t k = i; k <= n; ++k) {
            rows[i][k] *= inverse;
        }
        for (uint32_t m = i + 1; m < n; ++m) {
            for (uint32_t k = n; k > i; --k) {
                rows[m][k] -= rows[m][i] * rows[i][k];
            }
        }
    }
    for (uint32_t i = n; i > 0; --i) {
        float x = rows[i - 1][n];
        for (uint32_t k = i; k < n; ++k) {
            x -= rows[i - 1][k] * set->impulse[index[k]];
        }
        set->impulse[index[i - 1]] = x;
    }
}

// Returns w of a limit; `out_size` is that of what it is the sum of.
static float limits_get_speed(const tni_limits_set *set, uint32_t i, float *out_size) {
    float speed = set->speed[i];
    *out_size = fabsf(speed);
    for (uint32_t k = 0; k < set->count; ++k) {
        float part = set->matrix[i][k] * set->impulse[k];
        speed += part;
        *out_size += fabsf(part);
    }
    return speed;
}

// Has the first limit that is wrong change sides. Returns false when all are right.
static bool limits_pivot(tni_limits_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        float size, speed = limits_get_speed(set, i, &size);
        bool is_wrong = set->pushes[i] ? set->impulse[i] < 0.0f
                                       : speed < -maths_max(LIMITS_NEAR, LIMITS_SHARE * size);
        if (is_wrong) {
            set->pushes[i] = !set->pushes[i];
            return true;
        }
    }
    return false;
}

bool tni_joint_limits_solve_set(tni_limits_set *set) {
    bool goes_on = true;
    for (uint32_t i = 0; i < LIMITS_PIVOTS * set->count && goes_on; ++i) {
        tni_joint_limits_balance(set);
        goes_on = limits_pivot(set);
    }
    return !goes_on;
}

// Returns whether none pushes and none is passed: most are only near.
static bool limits_are_open(const tni_limits_set *set) {
    bool are_open = true;
    for (uint32_t i = 0; i < set->count && are_open; ++i) {
        are_open = set->before[i] == 0.0f && !(set->speed[i] < 0.0f);
    }
    return are_open;
}

void tni_joint_limits_solve(const tni_solver *solver, const tni_joint_block *block, bool use_bias) {
    tni_body_state *a = &solver->bodies.states[block->body_a],
                   *b = &solver->bodies.states[block->body_b];
    const tni_bounded_row *rows = solver->joints.bounded_rows + block->first_bounded;
    tni_row_state *states = solver->joints.row_states + block->first_row + block->equality_count;
    tni_velocities v = tni_velocities_load(a, b);
    tni_limits_set set;
    limits_find(block, rows, states, use_bias, &v, &set);
    if (limits_are_open(&set)) {
        return;
    }
    tni_joint_limits_fill(rows, use_bias, &set);
    limits_take_off(&set);
    bool is_solved = tni_joint_limits_solve_set(&set);
    for (uint32_t i = 0; i < set.count && is_solved; ++i) {
        float x = maths_max(set.impulse[i], 0.0f) - set.before[i];
        bounded_apply(block, &rows[set.rows[i]], &states[set.rows[i]], x, use_bias, &v);
    }
    tni_velocities_store(block->ends, &v, a, b);
}
