// solver/movers/rope_tension.c: the tensions of one rope with friction on its sheaves.
//
// Piece k pulls its ends together with the impulse T_k. Then it lengthens at y = f - K T, where f
// is its rate without tension and K = J W J^T of the pieces; a rope that gives way, or is soft as
// rows are, has K + Gamma with a diagonal Gamma in place of K. There is one equation for each
// sheave and one for the last point, where i counts the pieces:
//
//     nothing passes i:          sum_{k <= i} (K T)_k = F_i = sum_{k <= i} f_k + bias
//     rope passes sheave i:      T_i = q T_{i+1} toward the first point,  q T_i = T_{i+1} toward
//                                the last one,  q = exp(mu wrap)
//     the last point gives way:  T_last = most
//
// The equation of the last point, the sum over all pieces, is that of the rope's length. If rope
// passes all sheaves this equation is a row whose impulse is weighted by the products of the q: the
// virtual work of a rope that slips. Without friction, q = 1, all T are equal.
//
// These conditions decide which equation holds. Where nothing passes, the tensions keep to the
// bound, T_i <= q T_{i+1} and T_{i+1} <= q T_i; and where rope passes, it goes toward the greater
// tension: with S_i = F_i
// - sum_{k <= i} (K T)_k, which is how fast the pieces before i then lengthen, S_i >= 0 in the
// first case and <= 0 in the second. A sheave or point that violates its condition changes its
// equation: all of them at a time in the first rounds, and only the first of them in later rounds,
// so that no two alternate without end. No piece of a massless rope is slack by itself: one without
// tension would hold nothing on its sheave. It is slack as a whole where it would not lengthen
// without tension: F_last <= 0.
// Sources: K. G. Murty, "Note on a Bard-type scheme for solving the complementarity problem",
// Opsearch 11, 1974 (one at a time, the first); G. Golub, C. Van Loan, "Matrix computations", 4th
// ed. 2013, 3.4 (elimination with exchange of rows); Euler 1769 for q. Test:
// tests/solver/movers/test_rope_tension.c
#include "solver/movers/rope_tension.h"

#include <string.h>

#define ROPE_MANY_ROUNDS 8  // in which all that should change do
#define ROPE_MOST_ROUNDS 64 // with the rounds in which only the first does
// The share of a tension by which rounding may take it past its bound.
#define ROPE_BOUND_SLACK 1e-9
// A pivot under this share of the largest number is round-off.
#define ROPE_PIVOT_FLOOR 1e-13

typedef struct rope_equations {
    double a[TNI_ROPE_MAX_PIECES][TNI_ROPE_MAX_PIECES + 1]; // with the right side
} rope_equations;

// Writes sum_{k <= i} (K T)_k as a row.
static void rope_write_stuck(const tni_rope_system *system, uint32_t i, double *row) {
    for (uint32_t c = 0; c < system->count; ++c) {
        for (uint32_t k = 0; k <= i; ++k) {
            row[c] += system->give[k][c];
        }
    }
    row[system->count] = system->wanted[i];
}

static void rope_write(const tni_rope_system *system, const uint8_t *holds,
                       rope_equations *out_equations) {
    uint32_t last = system->count - 1;
    memset(out_equations, 0, sizeof *out_equations);
    for (uint32_t i = 0; i <= last; ++i) {
        double *row = out_equations->a[i];
        if (holds[i] == TNI_ROPE_STUCK) {
            rope_write_stuck(system, i, row);
        } else if (i == last) {
            row[i] = 1.0;
            row[system->count] = system->most;
        } else {
            row[i] = holds[i] == TNI_ROPE_BACK ? 1.0 : system->ratio[i];
            row[i + 1] = holds[i] == TNI_ROPE_BACK ? -system->ratio[i] : -1.0;
        }
    }
}

static void rope_swap(double *a, double *b, uint32_t count) {
    for (uint32_t c = 0; c < count; ++c) {
        double kept = a[c];
        a[c] = b[c];
        b[c] = kept;
    }
}

// Divides each row by its largest number, so that rows in m/s and rows in N·s compare.
static void rope_scale(rope_equations *equations, uint32_t n) {
    for (uint32_t r = 0; r < n; ++r) {
        double most = 0.0;
        for (uint32_t c = 0; c < n; ++c) {
            most = maths_max_d(most, fabs(equations->a[r][c]));
        }
        double scale = maths_inverse_or_zero_d(most);
        for (uint32_t c = 0; c <= n; ++c) {
            equations->a[r][c] *= scale;
        }
    }
}

// Solves the equations. An unknown that nothing determines is zero.
static void rope_eliminate(rope_equations *equations, uint32_t n, double *out) {
    bool is_found[TNI_ROPE_MAX_PIECES] = {false};
    for (uint32_t c = 0; c < n; ++c) {
        uint32_t best = c;
        for (uint32_t r = c + 1; r < n; ++r) {
            best = fabs(equations->a[r][c]) > fabs(equations->a[best][c]) ? r : best;
        }
        rope_swap(equations->a[c], equations->a[best], n + 1);
        double pivot = equations->a[c][c];
        is_found[c] = fabs(pivot) > ROPE_PIVOT_FLOOR;
        for (uint32_t r = c + 1; r < n && is_found[c]; ++r) {
            double factor = equations->a[r][c] / pivot;
            for (uint32_t k = c; k <= n; ++k) {
                equations->a[r][k] -= factor * equations->a[c][k];
            }
        }
    }
    for (uint32_t c = n; c-- > 0;) {
        double rest = equations->a[c][n];
        for (uint32_t k = c + 1; k < n; ++k) {
            rest -= equations->a[c][k] * out[k];
        }
        out[c] = is_found[c] ? rest / equations->a[c][c] : 0.0;
    }
}

// Returns S_i.
static double rope_get_passing(const tni_rope_system *system, uint32_t i, const double *tensions) {
    double sum = system->wanted[i];
    for (uint32_t k = 0; k <= i; ++k) {
        for (uint32_t c = 0; c < system->count; ++c) {
            sum -= system->give[k][c] * tensions[c];
        }
    }
    return sum;
}

// Returns what a sheave ought to do at these tensions.
static uint8_t rope_judge(const tni_rope_system *system, uint32_t i, const uint8_t *holds,
                          const double *tensions) {
    if (holds[i] != TNI_ROPE_STUCK) {
        double passing = rope_get_passing(system, i, tensions);
        bool goes_on = holds[i] == TNI_ROPE_BACK ? passing >= 0.0 : passing <= 0.0;
        return goes_on ? holds[i] : TNI_ROPE_STUCK;
    }
    double slack = 1.0 + ROPE_BOUND_SLACK;
    if (i + 1 == system->count) {
        return tensions[i] > system->most * slack ? TNI_ROPE_BACK : TNI_ROPE_STUCK;
    }
    double q = system->ratio[i] * slack;
    if (tensions[i] > q * tensions[i + 1]) {
        return TNI_ROPE_BACK;
    }
    return tensions[i + 1] > q * tensions[i] ? TNI_ROPE_FORTH : TNI_ROPE_STUCK;
}

// Returns whether a sheave has no friction: then there is one equation, T_i = T_{i+1}.
static bool rope_is_free(const tni_rope_system *system, uint32_t i) {
    return i + 1 < system->count && !(system->ratio[i] > 1.0);
}

// Changes what violates its condition. Returns whether anything did.
static bool rope_change(const tni_rope_system *system, uint8_t *holds, const double *tensions,
                        bool only_first) {
    bool has_changed = false;
    uint8_t next[TNI_ROPE_MAX_PIECES];
    for (uint32_t i = 0; i < system->count; ++i) {
        next[i] = rope_is_free(system, i) ? holds[i] : rope_judge(system, i, holds, tensions);
    }
    for (uint32_t i = 0; i < system->count && !(has_changed && only_first); ++i) {
        has_changed = has_changed || next[i] != holds[i];
        holds[i] = next[i];
    }
    return has_changed;
}

bool tni_rope_system_solve(const tni_rope_system *system, uint8_t *holds, double *out_tensions) {
    uint32_t last = system->count - 1;
    memset(out_tensions, 0, system->count * sizeof *out_tensions);
    if (!system->may_push && !(system->wanted[last] > 0.0)) {
        return false;
    }
    for (uint32_t i = 0; i < system->count; ++i) {
        holds[i] = rope_is_free(system, i) ? TNI_ROPE_BACK : holds[i];
    }
    for (uint32_t round = 0; round < ROPE_MOST_ROUNDS; ++round) {
        rope_equations equations;
        rope_write(system, holds, &equations);
        rope_scale(&equations, system->count);
        rope_eliminate(&equations, system->count, out_tensions);
        if (!rope_change(system, holds, out_tensions, round >= ROPE_MANY_ROUNDS)) {
            break;
        }
    }
    for (uint32_t i = 0; i < system->count && !system->may_push; ++i) {
        out_tensions[i] = maths_max_d(out_tensions[i], 0.0);
    }
    return true;
}
