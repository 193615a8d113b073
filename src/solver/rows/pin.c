// solver/rows/pin.c: K^-1 and W J^T of a pin, at a new pose: see solver/rows/pin.h.
//
// The inverse of a symmetric matrix of three columns c has the columns c_1 x c_2, c_2 x c_0 and
// c_0 x c_1 over its determinant. The determinant over the product of the diagonal says how many
// digits this leaves. If these are few (light, thin bodies on long arms; redundant turns) K is
// built anew and eliminated in double. Errors of K^-1 as large as itself would let sweeps diverge,
// so K has a ridge then, below which rows of floats cannot distinguish their directions. Redundant
// rows are left out, and so are rows that locked axes take: see solver/rows/locks.h. Test:
// tests/solver/rows/test_pin.c
#include "solver/rows/pin.h"

#include <string.h>

#include "core/simd_double.h"
#include "solver/rows/dense.h"
#include "solver/rows/locks.h"

// These are shares of a row's own response, in double: a row whose pivot is less is redundant; and
// the ridge.
#define PIN_LEAST_PIVOT 1e-10
#define PIN_RIDGE       2e-6

// Sets I^-1 (r x e_j) for the three axes.
static inline void pin_set_spins(tni_f4 r, const tni_f4 inertia[3], tni_f4 spin[3]) {
    tni_f4 x = f4_splat_lane(r, 0), y = f4_splat_lane(r, 1), z = f4_splat_lane(r, 2);
    spin[0] = f4_sub(f4_mul(z, inertia[1]), f4_mul(y, inertia[2]));
    spin[1] = f4_sub(f4_mul(x, inertia[2]), f4_mul(z, inertia[0]));
    spin[2] = f4_sub(f4_mul(y, inertia[0]), f4_mul(x, inertia[1]));
}

// Returns s_b x r_b + s_a x r_a, for those bodies that move.
TNI_KERNEL tni_f4 pin_couple_point(const tni_pin *pin, tni_joint_ends ends, tni_f4 s_a,
                                   tni_f4 s_b) {
    if (ends == TNI_ENDS_ONLY_A) {
        return f4_cross(s_a, pin->r_a);
    }
    if (ends == TNI_ENDS_ONLY_B) {
        return f4_cross(s_b, pin->r_b);
    }
    return f4_yzx(f4_add(f4_cross_turned(s_b, pin->r_b), f4_cross_turned(s_a, pin->r_a)));
}

// Sets the responses of one body to each row of the point and each turn.
TNI_KERNEL void pin_set_body(const tni_body_state *body, tni_f4 r, const tni_f4 *axis,
                             uint32_t turns, tni_f4 spin[3], tni_f4 turn_spin[3]) {
    tni_f4 inertia[3]; // columns of I^-1
    f4_load_symmetric(&body->numbers[TNI_STATE_INV_INERTIA], inertia);
    pin_set_spins(r, inertia, spin);
    for (uint32_t m = 0; m < turns; ++m) {
        turn_spin[m] = f4_mul_columns(inertia, axis[m]);
    }
}

// Returns whether floats are good enough, by the pivots and the diagonal before other rows were
// taken from it.
static inline bool pin_is_sound(float first, float second, float det, const float diagonal[3]) {
    return first > 0.0f && second > 0.0f && det > FLT_MIN &&
           det > TNI_PIN_FLOAT_SHARE * diagonal[0] * diagonal[1] * diagonal[2];
}

// Inverts three symmetric columns. Returns false where floats are not good enough.
static inline bool pin_invert_three(const tni_f4 c[3], const float diagonal[3], tni_f4 inverse[3]) {
    tni_f4 x = f4_cross(c[1], c[2]), y = f4_cross(c[2], c[0]), z = f4_cross(c[0], c[1]);
    float first = f4_first(c[0]), second = f4_first(f4_splat_lane(z, 2)), det = f4_dot3(c[0], x);
    if (!pin_is_sound(first, second, det, diagonal)) {
        return false;
    }
    tni_f4 scale = f4_splat(1.0f / det);
    inverse[0] = f4_mul(x, scale);
    inverse[1] = f4_mul(y, scale);
    inverse[2] = f4_mul(z, scale);
    return true;
}

static inline bool pin_invert_one(float a, float diagonal, tni_f4 *inverse) {
    if (!(a > TNI_PIN_FLOAT_SHARE * diagonal && a > FLT_MIN)) {
        return false;
    }
    *inverse = f4_make(1.0f / a, 0.0f, 0.0f, 0.0f);
    return true;
}

static inline bool pin_invert_two(float a, float b, float d, const float diagonal[3],
                                  tni_f4 inverse[3]) {
    float det = a * d - b * b;
    if (!pin_is_sound(a, a, det, diagonal)) {
        return false;
    }
    float scale = 1.0f / det;
    inverse[0] = f4_make(scale * d, -scale * b, 0.0f, 0.0f);
    inverse[1] = f4_make(-scale * b, scale * a, 0.0f, 0.0f);
    return true;
}

// K is given here as columns of its parts.
typedef struct pin_matrix {
    tni_f4 point[3];  // K_pp
    tni_f4 mixed[3];  // K_pt e_k
    tni_f4 axis[3];   // u_k
    tni_f4 turned[3]; // (I_a^-1 + I_b^-1) u_k
} pin_matrix;

// Makes S^-1 from the Schur complement S, whose lower part is made of dot products.
static inline bool pin_invert_turns(const pin_matrix *k, uint32_t turns, const tni_f4 y[3],
                                    tni_f4 inverse[3]) {
    float s[3][3] = {{0.0f}}, diagonal[3] = {1.0f, 1.0f, 1.0f};
    for (uint32_t l = 0; l < turns; ++l) {
        for (uint32_t m = l; m < turns; ++m) {
            float own = f4_dot3(k->axis[l], k->turned[m]);
            s[l][m] = own - f4_dot3(k->mixed[l], y[m]);
            if (l == m) {
                diagonal[l] = own;
            }
        }
    }
    if (turns == 1) {
        return pin_invert_one(s[0][0], diagonal[0], &inverse[0]);
    }
    if (turns == 2) {
        return pin_invert_two(s[0][0], s[0][1], s[1][1], diagonal, inverse);
    }
    const tni_f4 c[3] = {f4_make(s[0][0], s[0][1], s[0][2], 0.0f),
                         f4_make(s[0][1], s[1][1], s[1][2], 0.0f),
                         f4_make(s[0][2], s[1][2], s[2][2], 0.0f)};
    return pin_invert_three(c, diagonal, inverse);
}

// Finds P of a point: of three rows, or of those of a plane.
static inline bool pin_invert_point(const tni_f4 k[3], tni_f4 inverse[3]) {
    const float diagonal[3] = {f4_first(k[0]), f4_first(f4_splat_lane(k[1], 1)),
                               f4_first(f4_splat_lane(k[2], 2))};
    return pin_invert_three(k, diagonal, inverse);
}

static inline bool pin_invert_plane(const tni_f4 k[3], const tni_f4 plane[2], tni_f4 inverse[3]) {
    tni_f4 first = f4_mul_columns(k, plane[0]), second = f4_mul_columns(k, plane[1]);
    float diagonal[3] = {f4_dot3(plane[0], first), f4_dot3(plane[1], second), 1.0f};
    tni_f4 small[3];
    if (!pin_invert_two(diagonal[0], f4_dot3(plane[0], second), diagonal[1], diagonal, small)) {
        return false;
    }
    tni_f4 p = tni_pin_from_plane(plane, small[0]), q = tni_pin_from_plane(plane, small[1]);
    for (uint32_t j = 0; j < 3; ++j) {
        tni_f4 part = f4_mul(p, f4_splat_lane(plane[0], j));
        inverse[j] = f4_add_product(part, q, f4_splat_lane(plane[1], j));
    }
    return true;
}

static inline bool pin_invert_line(const tni_f4 k[3], tni_f4 n, tni_f4 inverse[3]) {
    float own = f4_dot3(n, f4_mul_columns(k, n));
    tni_f4 scale;
    if (!pin_invert_one(own, own, &scale)) {
        return false;
    }
    tni_f4 p = f4_mul(f4_splat(f4_first(scale)), n);
    for (uint32_t j = 0; j < 3; ++j) {
        inverse[j] = f4_mul(p, f4_splat_lane(n, j));
    }
    return true;
}

// Makes all of K^-1, from P in the block.
TNI_KERNEL bool pin_invert_blocks(tni_pin_block *block, const pin_matrix *k, uint32_t turns) {
    tni_pin_turns *own = block->turns;
    tni_f4 y[3] = {f4_splat(0.0f), f4_splat(0.0f), f4_splat(0.0f)}, z[4];
    for (uint32_t m = 0; m < turns; ++m) {
        y[m] = f4_mul_columns(block->inverse, k->mixed[m]);
    }
    if (!pin_invert_turns(k, turns, y, own->inverse)) {
        return false;
    }
    z[0] = z[1] = z[2] = z[3] = f4_splat(0.0f);
    for (uint32_t m = 0; m < turns; ++m) {
        for (uint32_t l = 0; l < turns; ++l) {
            z[m] = f4_sub(z[m], f4_mul(y[l], f4_splat_lane(own->inverse[m], l)));
        }
        own->to_point[m] = z[m];
        for (uint32_t j = 0; j < 3; ++j) {
            tni_f4 part = f4_mul(z[m], f4_splat_lane(y[m], j));
            block->inverse[j] = f4_sub(block->inverse[j], part);
        }
    }
    f4_transpose(&z[0], &z[1], &z[2], &z[3]);
    for (uint32_t j = 0; j < 3; ++j) {
        own->from_point[j] = z[j];
    }
    return true;
}

// Takes the part along n out of a point's impulses.
static void pin_drop_along(tni_pin_block *block, tni_f4 n) {
    block->impulse = f4_sub(block->impulse, f4_mul(n, f4_splat(f4_dot3(n, block->impulse))));
    block->warm = f4_sub(block->warm, f4_mul(n, f4_splat(f4_dot3(n, block->warm))));
}

// Clears the impulses of the rows that are not `done`.
static void pin_drop_others(tni_pin_block *block, const tni_f4 *basis, uint32_t point_rows,
                            uint32_t turns, uint32_t done) {
    for (uint32_t i = 0; i < point_rows; ++i) {
        if ((done >> i & 1) == 0) {
            pin_drop_along(block, basis[i]);
        }
    }
    for (uint32_t m = 0; m < turns; ++m) {
        if ((done >> (point_rows + m) & 1) == 0) {
            block->turns->impulse = f4_set_lane(block->turns->impulse, m, 0.0f);
            block->turns->warm = f4_set_lane(block->turns->warm, m, 0.0f);
        }
    }
}

static bool pin_is_locked(const tni_body_state *a, const tni_body_state *b) {
    return tni_state_is_locked(a) || tni_state_is_locked(b);
}

static tni_dvec3 pin_to_double(tni_f4 v) {
    float x[4];
    f4_store(x, v);
    return dvec3_make((double)x[0], (double)x[1], (double)x[2]);
}

static tni_body_rows pin_get_rows(const tni_pin *pin, tni_f4 r, const tni_f4 *basis,
                                  uint32_t point_rows, uint32_t turns) {
    tni_body_rows rows;
    for (uint32_t i = 0; i < point_rows; ++i) {
        rows.push[i] = pin_to_double(basis[i]);
        rows.turn[i] = dvec3_cross(pin_to_double(r), rows.push[i]);
    }
    for (uint32_t m = 0; m < turns; ++m) {
        rows.push[point_rows + m] = dvec3_make(0.0, 0.0, 0.0);
        rows.turn[point_rows + m] = pin_to_double(pin->axis[m]);
    }
    return rows;
}

// Adds J W J^T.
static void pin_add_response(const tni_pin *pin, const tni_f4 *basis, uint32_t point_rows,
                             uint32_t turns, const tni_body_state *a, const tni_body_state *b,
                             double k[DENSE_MAX_ROWS][DENSE_MAX_ROWS]) {
    tni_body_rows of_a = pin_get_rows(pin, pin->r_a, basis, point_rows, turns);
    tni_body_rows of_b = pin_get_rows(pin, pin->r_b, basis, point_rows, turns);
    tni_body_rows_add_response(&of_a, a, point_rows + turns, k);
    tni_body_rows_add_response(&of_b, b, point_rows + turns, k);
}

static void pin_store_inverse(double k[DENSE_MAX_ROWS][DENSE_MAX_ROWS], uint32_t n,
                              float inverse[48]) {
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            inverse[8 * i + j] = (float)k[i][j];
        }
    }
}

// Finds K^-1 from the pose and the bodies. The point's rows are along `basis`. Their matrix goes
// row by row, eight floats each, the turns behind.
static void pin_invert_exactly(tni_pin_block *block, const tni_pin *pin, const tni_f4 *basis,
                               uint32_t point_rows, uint32_t turns, const tni_body_state *a,
                               const tni_body_state *b, float inverse[48]) {
    double k[DENSE_MAX_ROWS][DENSE_MAX_ROWS] = {{0.0}};
    uint32_t n = point_rows + turns;
    pin_add_response(pin, basis, point_rows, turns, a, b, k);
    double without[DENSE_MAX_ROWS][DENSE_MAX_ROWS];
    memcpy(without, k, sizeof without);
    // With a ridge no row would count as redundant, so this is done without.
    uint32_t done = tni_dense_invert_exactly(without, NULL, n, PIN_LEAST_PIVOT, 0.0);
    for (uint32_t i = 0; i < n * n; ++i) {
        bool has = (done >> (i / n) & 1) != 0 && (done >> (i % n) & 1) != 0;
        k[i / n][i % n] = has ? k[i / n][i % n] : 0.0;
    }
    tni_dense_invert_exactly(k, NULL, n, PIN_LEAST_PIVOT, PIN_RIDGE);
    pin_store_inverse(k, n, inverse);
    pin_drop_others(block, basis, point_rows, turns, done);
}

// Sets what the rows' responses are about without locks, and their biases.
static void pin_set_locked(const tni_pin_block *block, const tni_pin *pin, const tni_f4 *basis,
                           uint32_t point_rows, const tni_body_state *a, const tni_body_state *b,
                           tni_locked_rows *rows) {
    tni_ease of_a = tni_state_get_ease(a), of_b = tni_state_get_ease(b);
    float shift = of_a.shift + of_b.shift + of_a.turn * f4_dot3(pin->r_a, pin->r_a) +
                  of_b.turn * f4_dot3(pin->r_b, pin->r_b);
    for (uint32_t i = 0; i < point_rows; ++i) {
        rows->whole[i] = (double)shift;
        rows->bias[i] = (double)f4_dot3(basis[i], block->bias);
    }
    for (uint32_t i = point_rows; i < rows->n; ++i) {
        rows->whole[i] = (double)(of_a.turn + of_b.turn);
        rows->bias[i] = (double)f4_first(f4_splat_lane(block->turns->bias, i - point_rows));
    }
}

// Inverts where bodies have locks.
static void pin_invert_locked(tni_pin_block *block, const tni_pin *pin, const tni_f4 *basis,
                              uint32_t point_rows, uint32_t turns, const tni_body_state *a,
                              const tni_body_state *b, float inverse[48]) {
    tni_locked_rows rows = {.n = point_rows + turns};
    pin_add_response(pin, basis, point_rows, turns, a, b, rows.k);
    pin_set_locked(block, pin, basis, point_rows, a, b, &rows);
    uint32_t done = tni_locks_invert(&rows);
    pin_store_inverse(rows.k, rows.n, inverse);
    pin_drop_others(block, basis, point_rows, turns, done);
    block->bias = f4_splat(0.0f);
    for (uint32_t i = 0; i < point_rows; ++i) {
        block->bias = f4_add_product(block->bias, f4_splat((float)rows.bias[i]), basis[i]);
    }
    for (uint32_t m = 0; m < turns; ++m) {
        block->turns->bias = f4_set_lane(block->turns->bias, m, (float)rows.bias[point_rows + m]);
    }
}

// Finds K^-1 where floats do not find it by blocks, and takes it from the rows' axes to the
// world's.
static TNI_RARE void pin_invert_singular(tni_pin_block *block, const tni_pin *pin,
                                         const tni_f4 *basis, uint32_t point_rows, uint32_t turns,
                                         const tni_body_state *a, const tni_body_state *b) {
    float inverse[48] = {0.0f};
    if (pin_is_locked(a, b)) {
        pin_invert_locked(block, pin, basis, point_rows, turns, a, b, inverse);
    } else {
        pin_invert_exactly(block, pin, basis, point_rows, turns, a, b, inverse);
    }
    for (uint32_t j = 0; j < 3; ++j) {
        tni_f4 column = f4_splat(0.0f), turn = column;
        for (uint32_t q = 0; q < point_rows; ++q) {
            const float *row = inverse + 8 * q;
            tni_f4 along = f4_splat_lane(basis[q], j);
            for (uint32_t p = 0; p < point_rows; ++p) {
                column = f4_add_product(column, f4_mul(f4_splat(row[p]), basis[p]), along);
            }
            const float *last = row + point_rows;
            turn = f4_add_product(turn, f4_make(last[0], last[1], last[2], 0.0f), along);
        }
        block->inverse[j] = column;
        if (turns > 0) {
            block->turns->from_point[j] = turn;
        }
    }
    for (uint32_t m = 0; m < turns; ++m) {
        const float *row = inverse + 8 * (point_rows + m), *last = row + point_rows;
        tni_f4 column = f4_splat(0.0f);
        for (uint32_t p = 0; p < point_rows; ++p) {
            column = f4_add_product(column, f4_splat(row[p]), basis[p]);
        }
        block->turns->to_point[m] = column;
        block->turns->inverse[m] = f4_make(last[0], last[1], last[2], 0.0f);
    }
}

// Sets the spins of the bodies that move; those of a body that does not move stay zero.
TNI_KERNEL void pin_set_spins_of_both(tni_pin_block *block, const tni_pin *pin, uint32_t turns,
                                      tni_joint_ends ends, const tni_body_state *a,
                                      const tni_body_state *b) {
    tni_pin_turns *own = block->turns;
    if (ends != TNI_ENDS_ONLY_B) {
        pin_set_body(a, pin->r_a, pin->axis, turns, block->spin_a, own->spin_a);
    }
    if (ends != TNI_ENDS_ONLY_A) {
        pin_set_body(b, pin->r_b, pin->axis, turns, block->spin_b, own->spin_b);
    }
}

// Sets all but the inverse.
TNI_KERNEL void pin_set_responses(tni_pin_block *block, const tni_pin *pin, uint32_t turns,
                                  tni_joint_ends ends, const tni_body_state *a,
                                  const tni_body_state *b, pin_matrix *k) {
    tni_pin_turns *own = block->turns;
    block->r_a = pin->r_a;
    block->r_b = pin->r_b;
    block->error = pin->error;
    block->mass_a = f4_load(a->numbers + TNI_STATE_INV_MASS);
    block->mass_b = f4_load(b->numbers + TNI_STATE_INV_MASS);
    pin_set_spins_of_both(block, pin, turns, ends, a, b);
    vec3s mass = glms_vec3_add(a->inv_mass, b->inv_mass);
    const tni_f4 masses[3] = {f4_make(mass.x, 0.0f, 0.0f, 0.0f), f4_make(0.0f, mass.y, 0.0f, 0.0f),
                              f4_make(0.0f, 0.0f, mass.z, 0.0f)};
    for (uint32_t j = 0; j < 3; ++j) {
        tni_f4 turned = pin_couple_point(pin, ends, block->spin_a[j], block->spin_b[j]);
        k->point[j] = f4_add(masses[j], turned);
    }
    if (turns == 0) {
        return;
    }
    for (uint32_t m = 0; m < turns; ++m) {
        k->axis[m] = pin->axis[m];
        k->turned[m] = ends == TNI_ENDS_ONLY_A   ? own->spin_a[m]
                       : ends == TNI_ENDS_ONLY_B ? own->spin_b[m]
                                                 : f4_add(own->spin_a[m], own->spin_b[m]);
        k->mixed[m] = pin_couple_point(pin, ends, own->spin_a[m], own->spin_b[m]);
    }
    tni_f4 zero = f4_splat(0.0f);
    tni_f4 column[4] = {pin->axis[0], turns > 1 ? pin->axis[1] : zero,
                        turns > 2 ? pin->axis[2] : zero, zero};
    f4_transpose(&column[0], &column[1], &column[2], &column[3]);
    for (uint32_t c = 0; c < 3; ++c) {
        own->axis[c] = column[c];
    }
    own->error = pin->turn_error;
}

TNI_KERNEL void pin_refresh(tni_pin_block *block, const tni_pin *pin, uint32_t turns,
                            tni_joint_ends ends, const tni_body_state *a, const tni_body_state *b) {
    pin_matrix k;
    pin_set_responses(block, pin, turns, ends, a, b, &k);
    if (pin_is_locked(a, b) || !pin_invert_point(k.point, block->inverse) ||
        (turns > 0 && !pin_invert_blocks(block, &k, turns))) {
        const tni_f4 axes[3] = {f4_make(1.0f, 0.0f, 0.0f, 0.0f), f4_make(0.0f, 1.0f, 0.0f, 0.0f),
                                f4_make(0.0f, 0.0f, 1.0f, 0.0f)};
        pin_invert_singular(block, pin, axes, TNI_PIN_POINT_ROWS, turns, a, b);
    }
}

TNI_KERNEL void pin_refresh_turns(tni_pin_block *block, const tni_pin *pin, uint32_t turns,
                                  tni_joint_ends ends, const tni_body_state *a,
                                  const tni_body_state *b) {
    switch (turns) {
    case 0:
        pin_refresh(block, pin, 0, ends, a, b);
        break;
    case 1:
        pin_refresh(block, pin, 1, ends, a, b);
        break;
    case 2:
        pin_refresh(block, pin, 2, ends, a, b);
        break;
    default:
        pin_refresh(block, pin, 3, ends, a, b);
        break;
    }
}

void tni_pin_refresh(tni_pin_block *block, const tni_pin *pin, uint32_t turns, tni_joint_ends ends,
                     const tni_body_state *a, const tni_body_state *b) {
    switch (ends) {
    case TNI_ENDS_ONLY_A:
        pin_refresh_turns(block, pin, turns, TNI_ENDS_ONLY_A, a, b);
        break;
    case TNI_ENDS_ONLY_B:
        pin_refresh_turns(block, pin, turns, TNI_ENDS_ONLY_B, a, b);
        break;
    case TNI_ENDS_BOTH:
        pin_refresh_turns(block, pin, turns, TNI_ENDS_BOTH, a, b);
        break;
    }
}

static inline tni_f4 pin_turn_with_plane(tni_f4 v, const tni_f4 before[2], const tni_f4 now[2]) {
    return tni_pin_from_plane(now, tni_pin_to_plane(before, v));
}

// Finds P of the rows that there are.
TNI_KERNEL bool pin_invert_rows(const tni_f4 k[3], const tni_f4 plane[2], uint32_t point_rows,
                                tni_f4 inverse[3]) {
    return point_rows == 1 ? pin_invert_line(k, plane[0], inverse)
                           : pin_invert_plane(k, plane, inverse);
}

TNI_KERNEL void pin_refresh_slide(tni_pin_block *block, const tni_pin *pin, uint32_t point_rows,
                                  uint32_t turns, tni_joint_ends ends, const tni_body_state *a,
                                  const tni_body_state *b) {
    pin_matrix k;
    tni_f4 *plane = block->turns->plane;
    block->impulse = pin_turn_with_plane(block->impulse, plane, pin->plane);
    block->warm = pin_turn_with_plane(block->warm, plane, pin->plane);
    plane[0] = pin->plane[0];
    plane[1] = pin->plane[1];
    pin_set_responses(block, pin, turns, ends, a, b, &k);
    if (pin_is_locked(a, b) || !pin_invert_rows(k.point, plane, point_rows, block->inverse) ||
        !pin_invert_blocks(block, &k, turns)) {
        pin_invert_singular(block, pin, plane, point_rows, turns, a, b);
    }
}

// Refreshes the rows of a slider, and of other joints that slide.
TNI_KERNEL void pin_refresh_slide_rows(tni_pin_block *block, const tni_pin *pin,
                                       uint32_t point_rows, uint32_t turns, tni_joint_ends ends,
                                       const tni_body_state *a, const tni_body_state *b) {
    if (point_rows == TNI_PIN_SLIDE_ROWS && turns == 3) {
        pin_refresh_slide(block, pin, TNI_PIN_SLIDE_ROWS, 3, ends, a, b);
    } else {
        pin_refresh_slide(block, pin, point_rows, turns, ends, a, b);
    }
}

void tni_pin_refresh_slide(tni_pin_block *block, const tni_pin *pin, uint32_t point_rows,
                           uint32_t turns, tni_joint_ends ends, const tni_body_state *a,
                           const tni_body_state *b) {
    switch (ends) {
    case TNI_ENDS_ONLY_A:
        pin_refresh_slide_rows(block, pin, point_rows, turns, TNI_ENDS_ONLY_A, a, b);
        break;
    case TNI_ENDS_ONLY_B:
        pin_refresh_slide_rows(block, pin, point_rows, turns, TNI_ENDS_ONLY_B, a, b);
        break;
    case TNI_ENDS_BOTH:
        pin_refresh_slide_rows(block, pin, point_rows, turns, TNI_ENDS_BOTH, a, b);
        break;
    }
}
