// solver/exact/mechanism_reduce.c: bodies that are eliminated before the sparse matrix is factored.
//
// A body with few joints has no unknowns there: its block is inverted by itself, and
// -J M^-1 J^T is added to the blocks of its joints and between them. Its right side goes to the
// rows of its joints before the solve, what these do comes back afterwards. Joints that hold a
// point by three rows along the axes of the world ("pins") have the mass on the diagonal, so that
// only the inertia is left to be summed; ball joints are written with the arms r of their rows r x
// e_i. Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997 (J W J^T). Test:
// tests/solver/exact/test_mechanism.c
#include "core/unroll.h"
#include "joints/parts/turn.h"
#include "solver/exact/mechanism_system.h"

#include <string.h>

// Sets y to M^-1 x.
TNI_KERNEL void reduce_weigh(const tni_mechanism_body *body, const double *restrict x,
                             double *restrict y) {
    if (body->block.is_parted) {
        for (uint32_t i = 0; i < 3; ++i) {
            const double *row = body->block.inverse[3 + i];
            y[i] = body->block.inverse[0][0] * x[i];
            y[3 + i] = row[3] * x[3] + row[4] * x[4] + row[5] * x[5];
        }
        return;
    }
    for (uint32_t i = 0; i < 6; ++i) {
        double sum = 0.0;
        for (uint32_t k = 0; k < 6; ++k) {
            sum += body->block.inverse[i][k] * x[k];
        }
        y[i] = sum;
    }
}

// Returns x . y as two sums side by side: their order is the same on every CPU.
static inline double reduce_dot(const double *x, const tni_d2 y[3]) {
    tni_d2 sum = d2_mul(d2_load(x), y[0]);
    sum = d2_add(sum, d2_mul(d2_load(x + 2), y[1]));
    sum = d2_add(sum, d2_mul(d2_load(x + 4), y[2]));
    return d2_sum(sum);
}

static inline double reduce_dot_three(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

// An arm is one end of a joint, seen from its body: its rows J and W J^T, W = M^-1, component by
// component, so that two rows stand side by side. A pin on a parted body has only its turns here.
#define REDUCE_ROWS TNI_MECHANISM_MAX_ROWS
typedef struct reduce_arm {
    const tni_mechanism_joint *joint;
    uint32_t index, end, row_count;
    double j[6][REDUCE_ROWS], u[6][REDUCE_ROWS];
} reduce_arm;

// Loads the components from `first`, 0 or 3, on of two rows, or of the last of n rows and zeros.
// Two numbers are stored at once, as they will be read: otherwise the processor waits.
TNI_KERNEL void reduce_load_pair(reduce_arm *arm, uint32_t r, uint32_t n, uint32_t first) {
    const double *j = arm->joint->rows[r].jacobian + 6 * arm->end;
    bool is_last = r + 1 == n;
    const double *other = is_last ? j : arm->joint->rows[r + 1].jacobian + 6 * arm->end;
    for (uint32_t c = first - first % 2; c < 6; c += 2) {
        tni_d2 one = d2_load(j + c), two = is_last ? d2_splat(0.0) : d2_load(other + c);
        if (c >= first) {
            d2_store(&arm->j[c][r], d2_lows(one, two));
        }
        d2_store(&arm->j[c + 1][r], d2_highs(one, two));
    }
}

// Sets u_i = sum of W_ik j_k over k from `begin` on, for two rows.
TNI_KERNEL void reduce_weigh_pair(const tni_mechanism_body *body, reduce_arm *arm, uint32_t r,
                                  uint32_t begin) {
    tni_d2 j[6];
    for (uint32_t k = begin; k < 6; ++k) {
        j[k] = d2_load(&arm->j[k][r]);
    }
    for (uint32_t i = begin; i < 6; ++i) {
        const double *w = body->block.inverse[i];
        tni_d2 sum = d2_mul(d2_splat(w[begin]), j[begin]);
        for (uint32_t k = begin + 1; k < 6; ++k) {
            sum = d2_add_product(sum, d2_splat(w[k]), j[k]);
        }
        d2_store(&arm->u[i][r], sum);
    }
}

// Loads an arm row by row, with one more row where their count is odd.
TNI_KERNEL void reduce_load_arm(const tni_mechanism_body *body, reduce_arm *arm, uint32_t n,
                                bool are_pins) {
    for (uint32_t r = 0; r < n; r += 2) {
        if (are_pins) {
            reduce_load_pair(arm, r, n, 3);
            reduce_weigh_pair(body, arm, r, 3);
            continue;
        }
        reduce_load_pair(arm, r, n, 0);
        reduce_weigh_pair(body, arm, r, body->block.is_parted ? 3 : 0);
        for (uint32_t i = 0; i < 3 && body->block.is_parted; ++i) {
            d2_store(&arm->u[i][r],
                     d2_mul(d2_splat(body->block.inverse[0][0]), d2_load(&arm->j[i][r])));
        }
    }
}

static void reduce_load(const tni_mechanism_body *body, reduce_arm *arm, bool are_pins){
#define REDUCE_CALL(n) reduce_load_arm(body, arm, n, are_pins)
    TNI_BY_SIZE(arm->row_count, REDUCE_CALL)
#undef REDUCE_CALL
}

// These subtract J_p W J_q^T from a block whose rows are `stride` apart; where q is p only the
// lower half counts. They sum the components from `first` on; `mass` stands for the others on the
// first three places of the diagonal. This one does row r, of `end` numbers:
TNI_KERNEL void reduce_subtract_row(const reduce_arm *p, const reduce_arm *q, uint32_t r,
                                    uint32_t end, uint32_t columns, uint32_t first, double mass,
                                    double *restrict target) {
    tni_d2 j[6];
    for (uint32_t c = first; c < 6; ++c) {
        j[c] = d2_splat(p->j[c][r]);
    }
    for (uint32_t s = 0; s < end; s += 2) {
        tni_d2 sum = d2_mul(j[first], d2_load(&q->u[first][s]));
        for (uint32_t c = first + 1; c < 6; ++c) {
            sum = d2_add_product(sum, j[c], d2_load(&q->u[c][s]));
        }
        if (first == 3 && r < 3 && s == r - r % 2) {
            sum = d2_add(sum, r == s ? d2_make(mass, 0.0) : d2_make(0.0, mass));
        }
        if (s + 1 < columns) {
            d2_store(target + s, d2_sub(d2_load(target + s), sum));
        } else {
            target[s] -= d2_low(sum);
        }
    }
}

TNI_KERNEL void reduce_subtract(const reduce_arm *p, const reduce_arm *q, uint32_t rows,
                                uint32_t columns, bool is_own, uint32_t first, double mass,
                                uint32_t stride, double *restrict block){
#define REDUCE_STEP(r)                                                                             \
    reduce_subtract_row(p, q, r, is_own ? (r) + 1 : columns, columns, first, mass,                 \
                        block + (r)*stride)
    TNI_UNROLL(rows, REDUCE_STEP)
#undef REDUCE_STEP
}

// Subtracts with loops of their own for the row counts of a ball joint, of a hinge, and of a weld
// or a hinge with a motor.
TNI_KERNEL void reduce_subtract_sized(const reduce_arm *p, const reduce_arm *q, uint32_t first,
                                      double mass, uint32_t stride, double *block) {
    uint32_t rows = p->row_count, columns = q->row_count;
#define REDUCE_OWN(n)    reduce_subtract(p, q, n, n, true, first, mass, stride, block)
#define REDUCE_SQUARE(n) reduce_subtract(p, q, n, n, false, first, mass, stride, block)
    if (p == q) {
        TNI_BY_SIZE(rows, REDUCE_OWN)
    } else if (rows == columns) {
        TNI_BY_SIZE(rows, REDUCE_SQUARE)
    } else {
        reduce_subtract(p, q, rows, columns, false, first, mass, stride, block);
    }
#undef REDUCE_OWN
#undef REDUCE_SQUARE
}

// Subtracts what two arms make. Pins begin with three rows along the axes of the world: where the
// body is parted its mass stands on the diagonal for these.
static void reduce_subtract_arms(const tni_mechanism_body *body, const reduce_arm *p,
                                 const reduce_arm *q, uint32_t stride, double *block) {
    if (body->block.is_parted && p->joint->is_pin && q->joint->is_pin) {
        double mass = p->end == q->end ? body->block.inverse[0][0] : -body->block.inverse[0][0];
        reduce_subtract_sized(p, q, 3, mass, stride, block);
    } else {
        reduce_subtract_sized(p, q, 0, 0.0, stride, block);
    }
}

// Fills rows of the second joint and columns of the first: (r_2 x e_i) . u_k, with u_k of the first
// in low lanes.
TNI_KERNEL void reduce_add_ball_pair(tni_dvec3 r, const tni_pair u[3], double mass,
                                     tni_block_place place, double *restrict block) {
    uint32_t row_step = place.row_step, column_step = place.column_step;
    for (uint32_t k = 0; k < 3; ++k) {
        double x = d2_low(u[k].x), y = d2_low(u[k].y), z = d2_low(u[k].z);
        block[k * column_step] -= (r.z * y - r.y * z) + (k == 0 ? mass : 0.0);
        block[row_step + k * column_step] -= (r.x * z - r.z * x) + (k == 1 ? mass : 0.0);
        block[2 * row_step + k * column_step] -= (r.y * x - r.x * y) + (k == 2 ? mass : 0.0);
    }
}

// Eliminates a body between two ball joints. The two arms stand side by side: u_k = I^-1 (r x e_k).
static void reduce_eliminate_balls(const tni_mechanism *mechanism, const tni_mechanism_body *body,
                                   const reduce_arm *arms) {
    tni_dvec3 first = tni_mechanism_get_arm(arms[0].joint, arms[0].end);
    tni_dvec3 second = tni_mechanism_get_arm(arms[1].joint, arms[1].end);
    tni_d2 x = d2_make(first.x, second.x), y = d2_make(first.y, second.y);
    tni_d2 z = d2_make(first.z, second.z);
    const double(*w)[6] = body->block.inverse;
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
    // The lower half follows, row by row.
    const tni_d2 own[6] = {d2_add(d2_sub(d2_mul(z, u[0].y), d2_mul(y, u[0].z)), mass),
                           d2_sub(d2_mul(x, u[0].z), d2_mul(z, u[0].x)),
                           d2_add(d2_sub(d2_mul(x, u[1].z), d2_mul(z, u[1].x)), mass),
                           d2_sub(d2_mul(y, u[0].x), d2_mul(x, u[0].y)),
                           d2_sub(d2_mul(y, u[1].x), d2_mul(x, u[1].y)),
                           d2_add(d2_sub(d2_mul(y, u[2].x), d2_mul(x, u[2].y)), mass)};
    tni_block_place at_first = arms[0].joint->diagonal, at_second = arms[1].joint->diagonal;
    double *of_first = mechanism->matrix.values + at_first.first;
    double *of_second = mechanism->matrix.values + at_second.first;
    for (uint32_t i = 0, k = 0; i < 3; ++i) {
        for (uint32_t j = 0; j <= i; ++j, ++k) {
            of_first[at_first.row_step * i + j] -= d2_low(own[k]);
            of_second[at_second.row_step * i + j] -= d2_high(own[k]);
        }
    }
    double shift = arms[0].end == arms[1].end ? w[0][0] : -w[0][0];
    reduce_add_ball_pair(second, u, shift, body->place.pairs[0],
                         mechanism->matrix.values + body->place.pairs[0].first);
}

// ---- the same of bodies that only shift --------------------------------------------------------

static bool reduce_only_shifts(const tni_mechanism_body *body) {
    return body->block.is_parted && tni_mechanism_only_shifts(body);
}

// Subtracts J_p J_q^T / m from a block, only the lower half where `is_own`.
TNI_KERNEL void reduce_subtract_shifts(const reduce_arm *p, const reduce_arm *q, uint32_t rows,
                                       uint32_t columns, bool is_own, double inv_mass,
                                       uint32_t stride, double *restrict block) {
    for (uint32_t r = 0; r < rows; ++r) {
        const double *j = p->joint->rows[r].jacobian + 6 * p->end;
        double x = inv_mass * j[0], y = inv_mass * j[1], z = inv_mass * j[2];
        for (uint32_t s = 0; s < (is_own ? r + 1 : columns); ++s) {
            const double *k = q->joint->rows[s].jacobian + 6 * q->end;
            block[r * stride + s] -= x * k[0] + y * k[1] + z * k[2];
        }
    }
}

// Subtracts what a body that only shifts makes. Rods, with their sways and without, have loops of
// their own.
static void reduce_subtract_shifting(const tni_mechanism_body *body, const reduce_arm *p,
                                     const reduce_arm *q, uint32_t stride, double *block) {
    uint32_t rows = p->row_count, columns = q->row_count;
    double inv_mass = body->block.inverse[0][0];
    if (rows == 3 && columns == 3) {
        reduce_subtract_shifts(p, q, 3, 3, p == q, inv_mass, stride, block);
    } else if (rows == 1 && columns == 1) {
        reduce_subtract_shifts(p, q, 1, 1, false, inv_mass, stride, block);
    } else {
        reduce_subtract_shifts(p, q, rows, columns, p == q, inv_mass, stride, block);
    }
}

static void reduce_eliminate_shifting(const tni_mechanism *mechanism,
                                      const tni_mechanism_body *body, const reduce_arm *arms) {
    for (uint32_t f = 0, pair = 0; f < body->place.end_count; ++f) {
        tni_block_place own = arms[f].joint->diagonal;
        reduce_subtract_shifting(body, &arms[f], &arms[f], own.row_step,
                                 mechanism->matrix.values + own.first);
        for (uint32_t e = 0; e < f; ++e, ++pair) {
            tni_block_place place = body->place.pairs[pair];
            bool is_upright = place.column_step == 1;
            reduce_subtract_shifting(body, &arms[is_upright ? f : e], &arms[is_upright ? e : f],
                                     tni_block_get_stride(place),
                                     mechanism->matrix.values + place.first);
        }
    }
}

static void reduce_shifting(tni_mechanism *mechanism, tni_mechanism_body *body) {
    double *change = body->change, inv_mass = body->block.inverse[0][0];
    double x = inv_mass * change[0], y = inv_mass * change[1], z = inv_mass * change[2];
    tni_mechanism_store6(change, dvec3_make(x, y, z), dvec3_make(0.0, 0.0, 0.0));
    for (uint32_t e = 0; e < body->place.end_count; ++e) {
        uint32_t index = body->place.ends[e] >> 1, end = body->place.ends[e] & 1;
        const tni_mechanism_joint *joint = &mechanism->joints[index];
        double *unknowns = tni_mechanism_of_joint(mechanism, index);
        uint32_t n = tni_mechanism_count_live(joint);
        for (uint32_t r = 0; r < n; ++r) {
            const double *j = joint->rows[r].jacobian + 6 * end;
            unknowns[r] += x * j[0] + y * j[1] + z * j[2];
        }
    }
}

static void reduce_expand_shifting(const tni_mechanism *mechanism, tni_mechanism_body *body,
                                   bool was_at_rest) {
    double x = 0.0, y = 0.0, z = 0.0, inv_mass = body->block.inverse[0][0];
    for (uint32_t e = 0; e < body->place.end_count; ++e) {
        uint32_t index = body->place.ends[e] >> 1, end = body->place.ends[e] & 1;
        const tni_mechanism_joint *joint = &mechanism->joints[index];
        const double *unknowns = tni_mechanism_of_joint(mechanism, index);
        uint32_t n = tni_mechanism_count_live(joint);
        for (uint32_t r = 0; r < n; ++r) {
            const double *j = joint->rows[r].jacobian + 6 * end;
            x += unknowns[r] * j[0];
            y += unknowns[r] * j[1];
            z += unknowns[r] * j[2];
        }
    }
    const double *old = body->change;
    tni_dvec3 before = was_at_rest ? dvec3_make(0.0, 0.0, 0.0) : dvec3_make(old[0], old[1], old[2]);
    tni_mechanism_store6(body->change, dvec3_add_scaled(before, inv_mass, dvec3_make(x, y, z)),
                         dvec3_make(0.0, 0.0, 0.0));
}

// ---- the same of anchored bodies ---------------------------------------------------------------

// Sets `speeds` to J s of one end, with s in the first row of the inverse.
TNI_KERNEL void reduce_freedom(const tni_mechanism_joint *joint, uint32_t end, const double *s,
                               double *restrict speeds) {
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        speeds[r] = tni_mechanism_dot6(joint->rows[r].jacobian + 6 * end, s);
    }
}

// Subtracts share a b^T from a block, only the lower half where `is_own`.
TNI_KERNEL void reduce_subtract_freedom(const double *a, const double *b, uint32_t rows,
                                        uint32_t columns, bool is_own, double share,
                                        uint32_t stride, double *restrict block) {
    for (uint32_t r = 0; r < rows; ++r) {
        double factor = share * a[r];
        for (uint32_t s = 0; s < (is_own ? r + 1 : columns); ++s) {
            block[r * stride + s] -= factor * b[s];
        }
    }
}

// A view holds how the joints at the ends of a body, or of several, see a freedom.
typedef struct reduce_view {
    uint32_t count;
    const tni_mechanism_joint *joints[TNI_MECHANISM_MOST_ENDS];
    double speeds[TNI_MECHANISM_MOST_ENDS][TNI_MECHANISM_MAX_ROWS];
} reduce_view;

// Adds the joints of a body that moves by s to a view.
static void reduce_add_view(const tni_mechanism *mechanism, const tni_mechanism_body *body,
                            const double *s, reduce_view *view) {
    for (uint32_t e = 0; e < body->place.own_count; ++e) {
        const tni_mechanism_joint *joint = &mechanism->joints[body->place.ends[e] >> 1];
        reduce_freedom(joint, body->place.ends[e] & 1, s, view->speeds[view->count]);
        view->joints[view->count++] = joint;
    }
}

// Subtracts the pairs of the view's joints, which begin at `first` among a carrier's ends.
static void reduce_subtract_view(const tni_mechanism *mechanism, const reduce_view *view,
                                 double share, const tni_block_place *pairs, uint32_t first) {
    const tni_mechanism_joint *const *joints = view->joints;
    for (uint32_t f = 0; f < view->count; ++f) {
        uint32_t rows = joints[f]->row_count;
        tni_block_place own = joints[f]->diagonal;
#define REDUCE_OWN(n)                                                                              \
    reduce_subtract_freedom(view->speeds[f], view->speeds[f], n, n, true, share, own.row_step,     \
                            mechanism->matrix.values + own.first)
        TNI_BY_SIZE(rows, REDUCE_OWN)
#undef REDUCE_OWN
        for (uint32_t e = 0; e < f; ++e) {
            tni_block_place place = pairs[tni_mechanism_get_pair(first + e, first + f)];
            bool is_upright = (place.column_step == 1) == (joints[e] < joints[f]);
            uint32_t p = is_upright ? f : e, q = is_upright ? e : f;
            reduce_subtract_freedom(view->speeds[p], view->speeds[q], joints[p]->row_count,
                                    joints[q]->row_count, false, share, tni_block_get_stride(place),
                                    mechanism->matrix.values + place.first);
        }
    }
}

// Eliminates an anchored body with those that ride on it: first each by itself.
static void reduce_eliminate_anchored(const tni_mechanism *mechanism,
                                      const tni_mechanism_body *body) {
    if (body->place.carrier != TNI_NONE) {
        return;
    }
    reduce_view all;
    all.count = 0;
    reduce_add_view(mechanism, body, body->block.inverse[0], &all);
    for (uint32_t r = body->place.first_rider; r != TNI_NONE;
         r = mechanism->bodies[r].place.next_rider) {
        const tni_mechanism_body *rider = &mechanism->bodies[r];
        reduce_view own;
        own.count = 0;
        reduce_add_view(mechanism, rider, rider->block.inverse[0], &own);
        reduce_subtract_view(mechanism, &own, rider->block.inverse[1][0], body->place.pairs,
                             rider->place.first_end);
        reduce_add_view(mechanism, rider, rider->block.inverse[2], &all);
    }
    reduce_subtract_view(mechanism, &all, body->block.inverse[1][0], body->place.pairs, 0);
}

void tni_mechanism_eliminate_body(const tni_mechanism *mechanism, const tni_mechanism_body *body) {
    if (body->place.anchor != TNI_NONE) {
        reduce_eliminate_anchored(mechanism, body);
        return;
    }
    reduce_arm arms[TNI_MECHANISM_MOST_ENDS];
    bool are_pins = body->block.is_parted;
    for (uint32_t e = 0; e < body->place.end_count; ++e) {
        arms[e].index = body->place.ends[e] >> 1;
        arms[e].end = body->place.ends[e] & 1;
        arms[e].joint = tni_mechanism_get_link(mechanism, arms[e].index);
        arms[e].row_count = tni_mechanism_count_live(arms[e].joint);
        are_pins &= arms[e].joint->is_pin;
    }
    if (reduce_only_shifts(body)) {
        reduce_eliminate_shifting(mechanism, body, arms);
        return;
    }
    if (body->place.hangs_on_balls && body->block.is_parted && body->place.end_count == 2) {
        reduce_eliminate_balls(mechanism, body, arms);
        return;
    }
    for (uint32_t f = 0, pair = 0; f < body->place.end_count; ++f) {
        const reduce_arm *own = &arms[f];
        reduce_load(body, &arms[f], are_pins);
        reduce_subtract_arms(body, own, own, own->joint->diagonal.row_step,
                             mechanism->matrix.values + own->joint->diagonal.first);
        for (uint32_t e = 0; e < f; ++e, ++pair) {
            // The rows are those of the later joint and the columns those of the other, or the
            // block is the transpose of that.
            tni_block_place place = body->place.pairs[pair];
            bool is_upright = place.column_step == 1;
            reduce_subtract_arms(body, is_upright ? own : &arms[e], is_upright ? &arms[e] : own,
                                 is_upright ? place.row_step : place.column_step,
                                 mechanism->matrix.values + place.first);
        }
    }
}

// Adds: x += J y.
TNI_KERNEL void reduce_add_speeds(const tni_exact_row *rows, uint32_t end, uint32_t n,
                                  const double *restrict y, double *restrict x) {
    const tni_d2 pairs[3] = {d2_make(y[0], y[1]), d2_make(y[2], y[3]), d2_make(y[4], y[5])};
    for (uint32_t r = 0; r < n; ++r) {
        x[r] += reduce_dot(rows[r].jacobian + 6 * end, pairs);
    }
}

TNI_KERNEL void reduce_add_pin_speeds(const tni_exact_row *rows, uint32_t end, uint32_t n,
                                      const double *restrict y, double *restrict x) {
    for (uint32_t r = 0; r < n; ++r) {
        x[r] += reduce_dot_three(rows[r].jacobian + 6 * end + 3, y + 3);
    }
    for (uint32_t r = 0; r < 3; ++r) {
        x[r] += end == 0 ? -y[r] : y[r];
    }
}

// Adds: y += J^T x.
TNI_KERNEL void reduce_add_impulses(const tni_exact_row *rows, uint32_t end, uint32_t n,
                                    const double *restrict x, tni_d2 y[3]) {
    for (uint32_t r = 0; r < n; ++r) {
        const double *j = rows[r].jacobian + 6 * end;
        tni_d2 factor = d2_splat(x[r]);
        y[0] = d2_add_product(y[0], factor, d2_load(j));
        y[1] = d2_add_product(y[1], factor, d2_load(j + 2));
        y[2] = d2_add_product(y[2], factor, d2_load(j + 4));
    }
}

// Does the same for pins on a parted body, and leaves the zeros out.
TNI_KERNEL void reduce_add_pin_impulses(const tni_exact_row *rows, uint32_t end, uint32_t n,
                                        const double *restrict x, double y[6]) {
    const double *one = rows[0].jacobian + 6 * end, *two = rows[1].jacobian + 6 * end;
    const double *three = rows[2].jacobian + 6 * end;
    for (uint32_t c = 0; c < 3; ++c) {
        y[c] += end == 0 ? -x[c] : x[c];
    }
    y[3] = (y[3] + x[1] * two[3]) + x[2] * three[3];
    y[4] = (y[4] + x[0] * one[4]) + x[2] * three[4];
    y[5] = (y[5] + x[0] * one[5]) + x[1] * two[5];
    for (uint32_t r = 3; r < n; ++r) {
        const double *j = rows[r].jacobian + 6 * end;
        y[3] += x[r] * j[3];
        y[4] += x[r] * j[4];
        y[5] += x[r] * j[5];
    }
}

// ---- the same of bodies between ball joints ----------------------------------------------------

// Returns I^-1 v.
TNI_KERNEL tni_dvec3 reduce_weigh_turn(const tni_mechanism_body *body, tni_dvec3 v) {
    const double(*w)[6] = body->block.inverse;
    return dvec3_make(w[3][3] * v.x + w[3][4] * v.y + w[3][5] * v.z,
                      w[4][3] * v.x + w[4][4] * v.y + w[4][5] * v.z,
                      w[5][3] * v.x + w[5][4] * v.y + w[5][5] * v.z);
}

static void reduce_balls(tni_mechanism *mechanism, tni_mechanism_body *body) {
    double *y = body->change;
    tni_dvec3 v = dvec3_scale(dvec3_make(y[0], y[1], y[2]), body->block.inverse[0][0]);
    tni_dvec3 w = reduce_weigh_turn(body, dvec3_make(y[3], y[4], y[5]));
    for (uint32_t e = 0; e < body->place.end_count; ++e) {
        uint32_t index = body->place.ends[e] >> 1, end = body->place.ends[e] & 1;
        double *x = tni_mechanism_of_joint(mechanism, index);
        tni_dvec3 turned = dvec3_cross(w, tni_mechanism_get_arm(&mechanism->joints[index], end));
        tni_dvec3 speed = dvec3_add_scaled(turned, end == 0 ? -1.0 : 1.0, v);
        x[0] += speed.x;
        x[1] += speed.y;
        x[2] += speed.z;
    }
    tni_mechanism_store6(y, v, w);
}

static void reduce_expand_balls(const tni_mechanism *mechanism, tni_mechanism_body *body,
                                bool was_at_rest) {
    tni_dvec3 force = dvec3_make(0.0, 0.0, 0.0), torque = force;
    for (uint32_t e = 0; e < body->place.end_count; ++e) {
        uint32_t index = body->place.ends[e] >> 1, end = body->place.ends[e] & 1;
        const double *x = tni_mechanism_of_joint(mechanism, index);
        tni_dvec3 impulse = dvec3_make(x[0], x[1], x[2]);
        tni_dvec3 arm = tni_mechanism_get_arm(&mechanism->joints[index], end);
        force = dvec3_add_scaled(force, end == 0 ? -1.0 : 1.0, impulse);
        torque = dvec3_add(torque, dvec3_cross(arm, impulse));
    }
    double *y = body->change;
    tni_dvec3 v = dvec3_scale(force, body->block.inverse[0][0]),
              w = reduce_weigh_turn(body, torque);
    if (!was_at_rest) {
        v = dvec3_add(dvec3_make(y[0], y[1], y[2]), v);
        w = dvec3_add(dvec3_make(y[3], y[4], y[5]), w);
    }
    tni_mechanism_store6(y, v, w);
}

// Adds J of the body's change to x, at `end_count` of its ends.
static void reduce_spread(tni_mechanism *mechanism, const tni_mechanism_body *body,
                          uint32_t end_count) {
    const double *y = body->change;
    for (uint32_t e = 0; e < end_count; ++e) {
        uint32_t index = body->place.ends[e] >> 1, end = body->place.ends[e] & 1;
        const tni_mechanism_joint *joint = &mechanism->joints[index];
        double *x = tni_mechanism_of_joint(mechanism, index);
        if (joint->is_pin && (body->block.is_parted || body->place.anchor != TNI_NONE)) {
            reduce_add_pin_speeds(joint->rows, end, joint->row_count, y, x);
        } else {
            reduce_add_speeds(joint->rows, end, tni_mechanism_count_live(joint), y, x);
        }
    }
}

static void reduce_any(tni_mechanism *mechanism, tni_mechanism_body *body) {
    double y[6];
    reduce_weigh(body, body->change, y);
    memcpy(body->change, y, sizeof y);
    reduce_spread(mechanism, body, body->place.end_count);
}

// These sum the impulses of a body's joints: of a parted body's, all of them pins; and of any
// body's.
static void reduce_sum_pins(const tni_mechanism *mechanism, const tni_mechanism_body *body,
                            double impulse[6]) {
    for (uint32_t e = 0; e < body->place.end_count; ++e) {
        uint32_t index = body->place.ends[e] >> 1, end = body->place.ends[e] & 1;
        const tni_mechanism_joint *joint = &mechanism->joints[index];
        const double *x = tni_mechanism_of_joint(mechanism, index);
        reduce_add_pin_impulses(joint->rows, end, joint->row_count, x, impulse);
    }
}

static void reduce_sum_any(const tni_mechanism *mechanism, const tni_mechanism_body *body,
                           uint32_t end_count, double impulse[6]) {
    tni_d2 sum[3] = {d2_splat(0.0), d2_splat(0.0), d2_splat(0.0)};
    for (uint32_t e = 0; e < end_count; ++e) {
        uint32_t index = body->place.ends[e] >> 1, end = body->place.ends[e] & 1;
        const tni_mechanism_joint *joint = &mechanism->joints[index];
        const double *x = tni_mechanism_of_joint(mechanism, index);
        reduce_add_impulses(joint->rows, end, tni_mechanism_count_live(joint), x, sum);
    }
    for (uint32_t c = 0; c < 6; c += 2) {
        d2_store(impulse + c, sum[c / 2]);
    }
}

static void reduce_expand_any(const tni_mechanism *mechanism, tni_mechanism_body *body,
                              bool was_at_rest) {
    double impulse[6] = {0.0}, change[6];
    bool are_pins = body->block.is_parted;
    for (uint32_t e = 0; e < body->place.end_count; ++e) {
        are_pins &= mechanism->joints[body->place.ends[e] >> 1].is_pin;
    }
    if (are_pins) {
        reduce_sum_pins(mechanism, body, impulse);
    } else {
        reduce_sum_any(mechanism, body, body->place.end_count, impulse);
    }
    reduce_weigh(body, impulse, change);
    for (uint32_t c = 0; c < 6; ++c) {
        body->change[c] = was_at_rest ? change[c] : body->change[c] + change[c];
    }
}

static void reduce_expand_anchored(const tni_mechanism *mechanism, tni_mechanism_body *body) {
    if (body->place.carrier != TNI_NONE) {
        return; // with its carrier
    }
    reduce_sum_any(mechanism, body, body->place.own_count, body->anchored.pushed);
    for (uint32_t r = body->place.first_rider; r != TNI_NONE;
         r = mechanism->bodies[r].place.next_rider) {
        tni_mechanism_body *rider = &mechanism->bodies[r];
        reduce_sum_any(mechanism, rider, rider->place.own_count, rider->anchored.pushed);
    }
    tni_mechanism_finish_anchored(mechanism, body);
}

void tni_mechanism_reduce_body(tni_mechanism *mechanism, tni_mechanism_body *body) {
    if (body->place.anchor != TNI_NONE) {
        reduce_spread(mechanism, body, body->place.own_count);
    } else if (reduce_only_shifts(body)) {
        reduce_shifting(mechanism, body);
    } else if (body->place.hangs_on_balls && body->block.is_parted) {
        reduce_balls(mechanism, body);
    } else {
        reduce_any(mechanism, body);
    }
}

void tni_mechanism_expand_body(const tni_mechanism *mechanism, tni_mechanism_body *body,
                               bool was_at_rest) {
    if (body->place.anchor != TNI_NONE) {
        reduce_expand_anchored(mechanism, body);
    } else if (reduce_only_shifts(body)) {
        reduce_expand_shifting(mechanism, body, was_at_rest);
    } else if (body->place.hangs_on_balls && body->block.is_parted) {
        reduce_expand_balls(mechanism, body, was_at_rest);
    } else {
        reduce_expand_any(mechanism, body, was_at_rest);
    }
}
