// solver/exact/mechanism_lanes_wide.c: the matrices of mechanisms of one shape, filled side by
// side.
//
// One mechanism in each lane, and in each lane what solver/exact/mechanism_system.c and
// solver/exact/mechanism_reduce.c do, whose sums these are, in the same order. Rows and inverses
// come in by transposing when a matrix is filled, and stay for its solves. Test:
// tests/world/mechanisms/test_mechanism_sets.c
#include "core/four_vector.h"
#include "solver/exact/mechanism_lanes.h"
#include "solver/exact/mechanism_system.h"
#include "solver/matrix/block_lane_numbers.h"

#include <string.h>

// The sign of a zero is turned too.
TNI_KERNEL tni_d4 lanes_negate(tni_d4 a) {
    return d4_sub(d4_splat(-0.0), a);
}

// ---- in and out --------------------------------------------------------------------------------

// `count` numbers of each lane.
TNI_KERNEL void lanes_gather(const double *const from[TNI_MECHANISM_LANES], uint32_t count,
                             double *to) {
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        tni_d4 r[4] = {d4_load(from[0] + i), d4_load(from[1] + i), d4_load(from[2] + i),
                       d4_load(from[3] + i)};
        d4_transpose(r);
        for (uint32_t k = 0; k < 4; ++k) {
            lanes_put(to, i + k, r[k]);
        }
    }
    for (; i < count; ++i) {
        lanes_put(to, i, d4_make(from[0][i], from[1][i], from[2][i], from[3][i]));
    }
}

static void lanes_scatter(const double *from, size_t count, size_t lane, double *to) {
    for (size_t i = 0; i < count; ++i) {
        to[i] = from[TNI_MECHANISM_LANES * i + lane];
    }
}

typedef const tni_mechanism *const lanes_sources[TNI_MECHANISM_LANES];

// Rows of a joint from `first` on.
static void lanes_gather_joint(lanes_sources sources, size_t index, size_t first,
                               double *jacobians) {
    for (size_t r = first; r < sources[0]->joints[index].row_count; ++r) {
        const double *rows[TNI_MECHANISM_LANES];
        for (size_t k = 0; k < TNI_MECHANISM_LANES; ++k) {
            rows[k] = sources[k]->joints[index].rows[r].jacobian;
        }
        lanes_gather(rows, 12, jacobians + TNI_MECHANISM_LANES * 12 * r);
    }
}

static void lanes_gather_inverse(lanes_sources sources, size_t index, double *inverse) {
    const double *blocks[TNI_MECHANISM_LANES];
    for (size_t k = 0; k < TNI_MECHANISM_LANES; ++k) {
        blocks[k] = &sources[k]->bodies[index].inverse[0][0];
    }
    lanes_gather(blocks, 36, inverse);
}

// ---- joints and bodies with a node -------------------------------------------------------------

static void lanes_fill_hub_edge(double *values, const tni_mechanism_joint *joint, size_t end,
                                const double *jacobians) {
    tni_block_place place = joint->hubs[end];
    for (size_t r = 0; r < joint->row_count; ++r) {
        for (size_t c = 0; c < 6; ++c) {
            lanes_put(values, place.first + r * place.row_step + c * place.column_step,
                      lanes_negate(lanes_at(jacobians, 12 * r + 6 * end + c)));
        }
    }
}

static void lanes_fill_joint(double *values, lanes_sources sources, size_t index,
                             const double *jacobians) {
    const tni_mechanism_joint *joint = &sources[0]->joints[index];
    for (size_t r = 0; r < joint->row_count; ++r) {
        double softness[TNI_MECHANISM_LANES];
        for (size_t k = 0; k < TNI_MECHANISM_LANES; ++k) {
            softness[k] = -sources[k]->joints[index].softness[r];
        }
        lanes_put(values, joint->diagonal.first + r * (joint->diagonal.row_step + 1),
                  d4_make(softness[0], softness[1], softness[2], softness[3]));
    }
    for (size_t end = 0; end < 2; ++end) {
        if (joint->hubs[end].row_step != 0) {
            lanes_fill_hub_edge(values, joint, end, jacobians);
        }
    }
}

static void lanes_fill_hub(double *values, lanes_sources sources, size_t index) {
    const tni_block_pattern *pattern = &sources[0]->pattern;
    const tni_mechanism_body *body = &sources[0]->bodies[index];
    size_t position = pattern->position_of[body->node], stride = pattern->strides[position];
    double blocks[TNI_MECHANISM_LANES][36], share = 1.0 / body->share_count;
    for (size_t k = 0; k < TNI_MECHANISM_LANES; ++k) {
        tni_mechanism_fill_block(&sources[k]->bodies[index], blocks[k]);
    }
    for (size_t i = 0; i < 6; ++i) {
        for (size_t j = 0; j <= i; ++j) {
            size_t e = 6 * i + j;
            tni_d4 entry = d4_make(blocks[0][e], blocks[1][e], blocks[2][e], blocks[3][e]);
            lanes_put(values, pattern->diagonals[position] + i * stride + j,
                      d4_mul(d4_splat(share), entry));
        }
    }
}

// ---- bodies that are eliminated beforehand ------------------------------------------------------

// One end of a joint, seen from its body: its rows J, and W J^T component by component.
typedef struct lanes_arm {
    const tni_mechanism_joint *joint;
    size_t end;
    const double *j; // of its end: row r, component c at 12 r + c
    tni_d4 u[TNI_MECHANISM_MAX_ROWS][6];
} lanes_arm;

// u_i = sum of W_ik j_k over k from `begin` on.
TNI_KERNEL void lanes_weigh_rows(const double *inverse, lanes_arm *arm, size_t begin) {
    for (size_t r = 0; r < arm->joint->row_count; ++r) {
        for (size_t i = begin; i < 6; ++i) {
            tni_d4 sum = d4_mul(lanes_at(inverse, 6 * i + begin), lanes_at(arm->j, 12 * r + begin));
            for (size_t k = begin + 1; k < 6; ++k) {
                sum =
                    d4_add_product(sum, lanes_at(inverse, 6 * i + k), lanes_at(arm->j, 12 * r + k));
            }
            arm->u[r][i] = sum;
        }
    }
}

static void lanes_weigh_arm(const double *inverse, bool is_parted, bool are_pins, lanes_arm *arm) {
    if (!is_parted) {
        lanes_weigh_rows(inverse, arm, 0);
        return;
    }
    lanes_weigh_rows(inverse, arm, 3);
    for (size_t r = 0; r < arm->joint->row_count && !are_pins; ++r) {
        for (size_t i = 0; i < 3; ++i) {
            arm->u[r][i] = d4_mul(lanes_at(inverse, 0), lanes_at(arm->j, 12 * r + i));
        }
    }
}

// block -= J_p W J_q^T, components from `first` on; where q is p only the lower half. `mass` stands
// for the others on the first three places of the diagonal.
TNI_KERNEL void lanes_subtract_arms(const lanes_arm *p, const lanes_arm *q, size_t first,
                                    tni_d4 mass, size_t stride, double *restrict block) {
    for (size_t r = 0; r < p->joint->row_count; ++r) {
        tni_d4 j[6];
        for (size_t c = first; c < 6; ++c) {
            j[c] = lanes_at(p->j, 12 * r + c);
        }
        size_t end = p == q ? r + 1 : q->joint->row_count;
        for (size_t s = 0; s < end; ++s) {
            tni_d4 sum = d4_mul(j[first], q->u[s][first]);
            for (size_t c = first + 1; c < 6; ++c) {
                sum = d4_add_product(sum, j[c], q->u[s][c]);
            }
            // Pairs of columns have the mass or a zero, which takes the sign off a zero.
            if (first == 3 && r < 3 && s / 2 == r / 2) {
                sum = d4_add(sum, r == s ? mass : d4_splat(0.0));
            }
            size_t place = r * stride + s;
            lanes_put(block, place, d4_sub(lanes_at(block, place), sum));
        }
    }
}

static void lanes_subtract_block(const double *inverse, bool is_parted, const lanes_arm *p,
                                 const lanes_arm *q, size_t stride, double *block) {
    if (is_parted && p->joint->is_pin && q->joint->is_pin) {
        tni_d4 mass = lanes_at(inverse, 0);
        mass = p->end == q->end ? mass : lanes_negate(mass);
        lanes_subtract_arms(p, q, 3, mass, stride, block);
    } else {
        lanes_subtract_arms(p, q, 0, d4_splat(0.0), stride, block);
    }
}

// ---- bodies between ball joints -----------------------------------------------------------------

TNI_KERNEL tni_d4 lanes_sub_products(tni_d4 a, tni_d4 b, tni_d4 c, tni_d4 d) {
    return d4_sub(d4_mul(a, b), d4_mul(c, d));
}

// Does what tni_mechanism_get_arm does: from x's row (0, r_z, -r_y), from y's (-r_z, 0, r_x).
TNI_KERNEL tni_dv4 lanes_get_arm(const double *j) {
    tni_dv4 r = {lanes_at(j, 12 + 5), lanes_negate(lanes_at(j, 5)), lanes_at(j, 4)};
    return r;
}

// u_k = I^-1 (r x e_k).
TNI_KERNEL void lanes_weigh_ball(const double *w, tni_dv4 r, tni_dv4 u[3]) {
    tni_d4 xx = lanes_at(w, 21), xy = lanes_at(w, 22), xz = lanes_at(w, 23);
    tni_d4 yy = lanes_at(w, 28), yz = lanes_at(w, 29), zz = lanes_at(w, 35);
    u[0].x = lanes_sub_products(r.z, xy, r.y, xz);
    u[0].y = lanes_sub_products(r.z, yy, r.y, yz);
    u[0].z = lanes_sub_products(r.z, yz, r.y, zz);
    u[1].x = lanes_sub_products(r.x, xz, r.z, xx);
    u[1].y = lanes_sub_products(r.x, yz, r.z, xy);
    u[1].z = lanes_sub_products(r.x, zz, r.z, xz);
    u[2].x = lanes_sub_products(r.y, xx, r.x, xy);
    u[2].y = lanes_sub_products(r.y, xy, r.x, yy);
    u[2].z = lanes_sub_products(r.y, xz, r.x, yz);
}

static void lanes_subtract_own_ball(tni_dv4 r, const tni_dv4 u[3], tni_d4 mass,
                                    tni_block_place place, double *values) {
    const tni_d4 own[6] = {d4_add(lanes_sub_products(r.z, u[0].y, r.y, u[0].z), mass),
                           lanes_sub_products(r.x, u[0].z, r.z, u[0].x),
                           d4_add(lanes_sub_products(r.x, u[1].z, r.z, u[1].x), mass),
                           lanes_sub_products(r.y, u[0].x, r.x, u[0].y),
                           lanes_sub_products(r.y, u[1].x, r.x, u[1].y),
                           d4_add(lanes_sub_products(r.y, u[2].x, r.x, u[2].y), mass)};
    for (size_t i = 0, k = 0; i < 3; ++i) {
        for (size_t j = 0; j <= i; ++j, ++k) {
            size_t at = place.first + place.row_step * i + j;
            lanes_put(values, at, d4_sub(lanes_at(values, at), own[k]));
        }
    }
}

// Rows of the second, columns of the first.
static void lanes_subtract_ball_pair(tni_dv4 r, const tni_dv4 u[3], tni_d4 mass,
                                     tni_block_place place, double *values) {
    for (size_t k = 0; k < 3; ++k) {
        tni_d4 sums[3] = {lanes_sub_products(r.z, u[k].y, r.y, u[k].z),
                          lanes_sub_products(r.x, u[k].z, r.z, u[k].x),
                          lanes_sub_products(r.y, u[k].x, r.x, u[k].y)};
        for (size_t i = 0; i < 3; ++i) {
            size_t at = place.first + i * place.row_step + k * place.column_step;
            tni_d4 sum = d4_add(sums[i], k == i ? mass : d4_splat(0.0));
            lanes_put(values, at, d4_sub(lanes_at(values, at), sum));
        }
    }
}

static void lanes_eliminate_balls(double *values, const tni_mechanism_body *body,
                                  const double *inverse, const lanes_arm *arms) {
    tni_dv4 first = lanes_get_arm(arms[0].j), second = lanes_get_arm(arms[1].j);
    tni_dv4 of_first[3], of_second[3];
    tni_d4 mass = lanes_at(inverse, 0);
    lanes_weigh_ball(inverse, first, of_first);
    lanes_weigh_ball(inverse, second, of_second);
    lanes_subtract_own_ball(first, of_first, mass, arms[0].joint->diagonal, values);
    lanes_subtract_own_ball(second, of_second, mass, arms[1].joint->diagonal, values);
    tni_d4 shift = arms[0].end == arms[1].end ? mass : lanes_negate(mass);
    lanes_subtract_ball_pair(second, of_first, shift, body->pairs[0], values);
}

// ---- the whole matrix --------------------------------------------------------------------------

// The rows of a joint, by its first unknown.
TNI_KERNEL double *lanes_get_rows(const tni_mechanism_lanes *lanes,
                                  const tni_mechanism_joint *joint) {
    return lanes->jacobians + TNI_MECHANISM_LANES * 12 * joint->first_unknown;
}

TNI_KERNEL const double *lanes_get_end(const tni_mechanism_lanes *lanes,
                                       const tni_mechanism_joint *joint, size_t end) {
    return lanes_get_rows(lanes, joint) + TNI_MECHANISM_LANES * 6 * end;
}

TNI_KERNEL double *lanes_get_inverse(const tni_mechanism_lanes *lanes, size_t body) {
    return lanes->inverses + TNI_MECHANISM_LANES * 36 * body;
}

// Does as mechanism_reduce.c: J s of one end; block -= share a b^T.
static void lanes_find_freedom(const double *j, size_t n, const double *inverse, tni_d4 *speeds) {
    for (size_t r = 0; r < n; ++r, j += TNI_MECHANISM_LANES * 12) {
        tni_d4 even = d4_mul(lanes_at(j, 0), lanes_at(inverse, 0));
        tni_d4 odd = d4_mul(lanes_at(j, 1), lanes_at(inverse, 1));
        even = d4_add_product(even, lanes_at(j, 2), lanes_at(inverse, 2));
        odd = d4_add_product(odd, lanes_at(j, 3), lanes_at(inverse, 3));
        even = d4_add_product(even, lanes_at(j, 4), lanes_at(inverse, 4));
        odd = d4_add_product(odd, lanes_at(j, 5), lanes_at(inverse, 5));
        speeds[r] = d4_add(even, odd);
    }
}

static void lanes_subtract_freedom(const tni_d4 *a, const tni_d4 *b, size_t rows, size_t columns,
                                   bool is_own, tni_d4 share, size_t stride, double *block) {
    for (size_t r = 0; r < rows; ++r) {
        tni_d4 factor = d4_mul(share, a[r]);
        for (size_t s = 0; s < (is_own ? r + 1 : columns); ++s) {
            size_t place = r * stride + s;
            lanes_put(block, place, d4_sub(lanes_at(block, place), d4_mul(factor, b[s])));
        }
    }
}

typedef struct lanes_view {
    size_t count;
    const tni_mechanism_joint *joints[TNI_MECHANISM_MOST_ENDS];
    tni_d4 speeds[TNI_MECHANISM_MOST_ENDS][TNI_MECHANISM_MAX_ROWS];
} lanes_view;

static void lanes_add_view(const tni_mechanism_lanes *lanes, const tni_mechanism *shape,
                           const tni_mechanism_body *body, const double *s, lanes_view *view) {
    for (size_t e = 0; e < body->own_count; ++e) {
        const tni_mechanism_joint *joint = &shape->joints[body->ends[e] >> 1];
        lanes_find_freedom(lanes_get_end(lanes, joint, body->ends[e] & 1), joint->row_count, s,
                           view->speeds[view->count]);
        view->joints[view->count++] = joint;
    }
}

static void lanes_subtract_view(const tni_mechanism_lanes *lanes, const lanes_view *view,
                                tni_d4 share, const tni_block_place *pairs, uint32_t first) {
    const tni_mechanism_joint *const *joints = view->joints;
    for (uint32_t f = 0; f < view->count; ++f) {
        size_t rows = joints[f]->row_count;
        tni_block_place own = joints[f]->diagonal;
        lanes_subtract_freedom(view->speeds[f], view->speeds[f], rows, rows, true, share,
                               own.row_step, lanes->values + TNI_MECHANISM_LANES * own.first);
        for (uint32_t e = 0; e < f; ++e) {
            tni_block_place place = pairs[tni_mechanism_get_pair(first + e, first + f)];
            bool is_upright = (place.column_step == 1) == (joints[e] < joints[f]);
            uint32_t p = is_upright ? f : e, q = is_upright ? e : f;
            lanes_subtract_freedom(view->speeds[p], view->speeds[q], joints[p]->row_count,
                                   joints[q]->row_count, false, share, tni_block_get_stride(place),
                                   lanes->values + TNI_MECHANISM_LANES * place.first);
        }
    }
}

static void lanes_eliminate_anchored(const tni_mechanism_lanes *lanes, const tni_mechanism *shape,
                                     size_t index) {
    const tni_mechanism_body *body = &shape->bodies[index];
    const double *inverse = lanes_get_inverse(lanes, index);
    if (body->carrier != TNI_NONE) {
        return;
    }
    lanes_view all;
    all.count = 0;
    lanes_add_view(lanes, shape, body, inverse, &all);
    for (uint32_t r = body->first_rider; r != TNI_NONE; r = shape->bodies[r].next_rider) {
        const tni_mechanism_body *rider = &shape->bodies[r];
        const double *of_rider = lanes_get_inverse(lanes, r);
        lanes_view own;
        own.count = 0;
        lanes_add_view(lanes, shape, rider, of_rider, &own);
        lanes_subtract_view(lanes, &own, lanes_at(of_rider, 6), body->pairs, rider->first_end);
        lanes_add_view(lanes, shape, rider, of_rider + TNI_MECHANISM_LANES * 12, &all);
    }
    lanes_subtract_view(lanes, &all, lanes_at(inverse, 6), body->pairs, 0);
}

static void lanes_eliminate_body(const tni_mechanism_lanes *lanes, const tni_mechanism *shape,
                                 size_t index) {
    const tni_mechanism_body *body = &shape->bodies[index];
    const double *inverse = lanes_get_inverse(lanes, index);
    if (body->anchor != TNI_NONE) {
        lanes_eliminate_anchored(lanes, shape, index);
        return;
    }
    lanes_arm arms[TNI_MECHANISM_MOST_ENDS];
    bool are_pins = body->is_parted;
    for (size_t e = 0; e < body->end_count; ++e) {
        arms[e].joint = &shape->joints[body->ends[e] >> 1];
        arms[e].end = body->ends[e] & 1;
        arms[e].j = lanes_get_end(lanes, arms[e].joint, arms[e].end);
        are_pins &= arms[e].joint->is_pin;
    }
    if (body->hangs_on_balls && body->is_parted && body->end_count == 2) {
        lanes_eliminate_balls(lanes->values, body, inverse, arms);
        return;
    }
    for (size_t f = 0, pair = 0; f < body->end_count; ++f) {
        const lanes_arm *own = &arms[f];
        lanes_weigh_arm(inverse, body->is_parted, are_pins, &arms[f]);
        lanes_subtract_block(inverse, body->is_parted, own, own, own->joint->diagonal.row_step,
                             lanes->values + TNI_MECHANISM_LANES * own->joint->diagonal.first);
        for (size_t e = 0; e < f; ++e, ++pair) {
            // Rows of the later joint, columns of the other, or the transposed of that.
            tni_block_place place = body->pairs[pair];
            bool is_upright = place.column_step == 1;
            lanes_subtract_block(inverse, body->is_parted, is_upright ? own : &arms[e],
                                 is_upright ? &arms[e] : own,
                                 is_upright ? place.row_step : place.column_step,
                                 lanes->values + TNI_MECHANISM_LANES * place.first);
        }
    }
}

void WIDE_NAME(tni_mechanism_lanes_fill)(const tni_mechanism_lanes *lanes,
                                         const tni_mechanism *const sources[TNI_MECHANISM_LANES]) {
    const tni_mechanism *shape = sources[0];
    memset(lanes->values, 0,
           TNI_MECHANISM_LANES * (size_t)shape->pattern.value_count * sizeof(double));
    for (size_t i = 0; i < shape->joint_count; ++i) {
        if (!shape->joints[i].is_anchor) {
            double *rows = lanes_get_rows(lanes, &shape->joints[i]);
            lanes_gather_joint(sources, i, 0, rows);
            lanes_fill_joint(lanes->values, sources, i, rows);
        }
    }
    for (size_t i = 0; i < shape->moving_count; ++i) {
        if (shape->bodies[i].node == TNI_NONE) {
            lanes_gather_inverse(sources, i, lanes_get_inverse(lanes, i));
        }
    }
    for (size_t i = 0; i < shape->moving_count; ++i) {
        if (shape->bodies[i].node != TNI_NONE) {
            lanes_fill_hub(lanes->values, sources, i);
        } else {
            lanes_eliminate_body(lanes, shape, i);
        }
    }
}

// ---- solving -----------------------------------------------------------------------------------

// M^-1 x
TNI_KERNEL void lanes_weigh(const double *w, bool is_parted, const tni_d4 x[6], tni_d4 y[6]) {
    for (size_t i = 0; i < 3 && is_parted; ++i) {
        size_t row = 6 * (3 + i);
        y[i] = d4_mul(lanes_at(w, 0), x[i]);
        y[3 + i] = d4_add_product(
            d4_add_product(d4_mul(lanes_at(w, row + 3), x[3]), lanes_at(w, row + 4), x[4]),
            lanes_at(w, row + 5), x[5]);
    }
    for (size_t i = 0; i < 6 && !is_parted; ++i) {
        y[i] = d4_splat(0.0);
        for (size_t k = 0; k < 6; ++k) {
            y[i] = d4_add_product(y[i], lanes_at(w, 6 * i + k), x[k]);
        }
    }
}

// x += J y of any end.
static void lanes_add_speeds(const double *j, size_t n, const tni_d4 y[6], double *x) {
    for (size_t r = 0; r < n; ++r, j += TNI_MECHANISM_LANES * 12) {
        tni_d4 even = d4_mul(lanes_at(j, 0), y[0]), odd = d4_mul(lanes_at(j, 1), y[1]);
        even = d4_add_product(even, lanes_at(j, 2), y[2]);
        odd = d4_add_product(odd, lanes_at(j, 3), y[3]);
        even = d4_add_product(even, lanes_at(j, 4), y[4]);
        odd = d4_add_product(odd, lanes_at(j, 5), y[5]);
        lanes_put(x, r, d4_add(lanes_at(x, r), d4_add(even, odd)));
    }
}

// The same of a pin.
static void lanes_add_pin_speeds(const double *j, size_t end, size_t n, const tni_d4 y[6],
                                 double *x) {
    for (size_t r = 0; r < n; ++r, j += TNI_MECHANISM_LANES * 12) {
        tni_d4 turn = d4_add_product(d4_mul(lanes_at(j, 3), y[3]), lanes_at(j, 4), y[4]);
        tni_d4 sum = d4_add(lanes_at(x, r), d4_add_product(turn, lanes_at(j, 5), y[5]));
        if (r < 3) {
            sum = d4_add(sum, end == 0 ? lanes_negate(y[r]) : y[r]);
        }
        lanes_put(x, r, sum);
    }
}

// The same of a ball joint: w x r and the point's own speed.
static void lanes_add_ball_speeds(const double *j, size_t end, const tni_d4 y[6], double *x) {
    tni_dv4 w = {y[3], y[4], y[5]};
    tni_dv4 turned = dv4_cross(w, lanes_get_arm(j));
    tni_d4 sign = d4_splat(end == 0 ? -1.0 : 1.0);
    lanes_put(x, 0, d4_add(lanes_at(x, 0), d4_add_product(turned.x, sign, y[0])));
    lanes_put(x, 1, d4_add(lanes_at(x, 1), d4_add_product(turned.y, sign, y[1])));
    lanes_put(x, 2, d4_add(lanes_at(x, 2), d4_add_product(turned.z, sign, y[2])));
}

static bool lanes_is_between_balls(const tni_mechanism_body *body) {
    return body->hangs_on_balls && body->is_parted;
}

static void lanes_reduce_body(const tni_mechanism_lanes *lanes, const tni_mechanism *shape,
                              size_t index) {
    const tni_mechanism_body *body = &shape->bodies[index];
    double *change = lanes->changes + TNI_MECHANISM_LANES * 6 * index;
    tni_d4 r[6], y[6];
    for (size_t c = 0; c < 6; ++c) {
        r[c] = lanes_at(change, c);
    }
    lanes_weigh(lanes_get_inverse(lanes, index), body->is_parted, r, y);
    for (size_t e = 0; e < body->end_count; ++e) {
        const tni_mechanism_joint *joint = &shape->joints[body->ends[e] >> 1];
        size_t end = body->ends[e] & 1;
        const double *j = lanes_get_end(lanes, joint, end);
        double *x = lanes->unknowns + TNI_MECHANISM_LANES * joint->first_unknown;
        if (lanes_is_between_balls(body)) {
            lanes_add_ball_speeds(j, end, y, x);
        } else if (joint->is_pin && body->is_parted) {
            lanes_add_pin_speeds(j, end, joint->row_count, y, x);
        } else {
            lanes_add_speeds(j, joint->row_count, y, x);
        }
    }
    for (size_t c = 0; c < 6; ++c) {
        lanes_put(change, c, y[c]);
    }
}

// Applies what its change, which is known, does to the rows of its joints.
static void lanes_reduce_anchored(const tni_mechanism_lanes *lanes, const tni_mechanism *shape,
                                  size_t index) {
    const tni_mechanism_body *body = &shape->bodies[index];
    const double *change = lanes->changes + TNI_MECHANISM_LANES * 6 * index;
    tni_d4 y[6];
    for (size_t c = 0; c < 6; ++c) {
        y[c] = lanes_at(change, c);
    }
    for (size_t e = 0; e < body->own_count; ++e) {
        const tni_mechanism_joint *joint = &shape->joints[body->ends[e] >> 1];
        size_t end = body->ends[e] & 1;
        const double *j = lanes_get_end(lanes, joint, end);
        double *x = lanes->unknowns + TNI_MECHANISM_LANES * joint->first_unknown;
        if (joint->is_pin) {
            lanes_add_pin_speeds(j, end, joint->row_count, y, x);
        } else {
            lanes_add_speeds(j, joint->row_count, y, x);
        }
    }
}

void WIDE_NAME(tni_mechanism_lanes_reduce)(const tni_mechanism_lanes *lanes,
                                           const tni_mechanism *const sources[TNI_MECHANISM_LANES],
                                           bool bodies_rest) {
    const tni_mechanism *shape = sources[0];
    const tni_block_pattern *pattern = &shape->pattern;
    const double *from[TNI_MECHANISM_LANES];
    for (size_t k = 0; k < TNI_MECHANISM_LANES; ++k) {
        from[k] = sources[k]->unknowns;
    }
    lanes_gather(from, pattern->unknown_count, lanes->unknowns);
    // Rows of actors may be newer than the factor. Who is not served keeps its own.
    const tni_mechanism *own[TNI_MECHANISM_LANES];
    for (size_t k = 0; k < TNI_MECHANISM_LANES; ++k) {
        own[k] = k < lanes->count ? lanes->members[k] : sources[k];
    }
    for (size_t i = 0; i < shape->joint_count && !bodies_rest; ++i) {
        const tni_mechanism_joint *joint = &shape->joints[i];
        if (!joint->is_anchor) {
            lanes_gather_joint(own, i, joint->equality_count, lanes_get_rows(lanes, joint));
        }
    }
    for (size_t i = 0; i < shape->moving_count; ++i) {
        size_t node = shape->bodies[i].node;
        double *change = lanes->changes + TNI_MECHANISM_LANES * 6 * i;
        for (size_t k = 0; k < TNI_MECHANISM_LANES; ++k) {
            from[k] = sources[k]->bodies[i].change;
        }
        if (node != TNI_NONE) {
            size_t first = pattern->unknowns[pattern->position_of[node]];
            change = lanes->unknowns + TNI_MECHANISM_LANES * first;
        }
        bool is_anchored = shape->bodies[i].anchor != TNI_NONE;
        if (!bodies_rest || is_anchored) {
            lanes_gather(from, 6, change);
        } else if (node != TNI_NONE) {
            memset(change, 0, TNI_MECHANISM_LANES * 6 * sizeof(double));
        }
        if (is_anchored) {
            lanes_reduce_anchored(lanes, shape, i);
        } else if (!bodies_rest && node == TNI_NONE) {
            lanes_reduce_body(lanes, shape, i);
        }
    }
}

// y += J^T x
static void lanes_add_impulses(const double *j, size_t n, const double *x, tni_d4 y[6]) {
    for (size_t r = 0; r < n; ++r, j += TNI_MECHANISM_LANES * 12) {
        for (size_t c = 0; c < 6; ++c) {
            y[c] = d4_add_product(y[c], lanes_at(x, r), lanes_at(j, c));
        }
    }
}

static void lanes_add_ball_impulses(const double *j, size_t end, const double *x, tni_d4 y[6]) {
    tni_dv4 impulse = {lanes_at(x, 0), lanes_at(x, 1), lanes_at(x, 2)};
    tni_dv4 torque = dv4_cross(lanes_get_arm(j), impulse);
    tni_d4 sign = d4_splat(end == 0 ? -1.0 : 1.0);
    y[0] = d4_add_product(y[0], sign, impulse.x);
    y[1] = d4_add_product(y[1], sign, impulse.y);
    y[2] = d4_add_product(y[2], sign, impulse.z);
    y[3] = d4_add(y[3], torque.x);
    y[4] = d4_add(y[4], torque.y);
    y[5] = d4_add(y[5], torque.z);
}

static void lanes_expand_body(const tni_mechanism_lanes *lanes, const tni_mechanism *shape,
                              size_t index, bool bodies_rest) {
    const tni_mechanism_body *body = &shape->bodies[index];
    double *change = lanes->changes + TNI_MECHANISM_LANES * 6 * index;
    tni_d4 sum[6], y[6];
    for (size_t c = 0; c < 6; ++c) {
        sum[c] = d4_splat(0.0);
    }
    for (size_t e = 0; e < body->end_count; ++e) {
        const tni_mechanism_joint *joint = &shape->joints[body->ends[e] >> 1];
        size_t end = body->ends[e] & 1;
        const double *j = lanes_get_end(lanes, joint, end);
        const double *x = lanes->unknowns + TNI_MECHANISM_LANES * joint->first_unknown;
        if (lanes_is_between_balls(body)) {
            lanes_add_ball_impulses(j, end, x, sum);
        } else {
            lanes_add_impulses(j, joint->row_count, x, sum);
        }
    }
    lanes_weigh(lanes_get_inverse(lanes, index), body->is_parted, sum, y);
    for (size_t c = 0; c < 6; ++c) {
        lanes_put(change, c, bodies_rest ? y[c] : d4_add(lanes_at(change, c), y[c]));
    }
}

void WIDE_NAME(tni_mechanism_lanes_expand)(const tni_mechanism_lanes *lanes,
                                           const tni_mechanism *shape, uint32_t mask,
                                           bool bodies_rest) {
    const tni_block_pattern *pattern = &shape->pattern;
    for (size_t i = 0; i < shape->moving_count; ++i) {
        size_t node = shape->bodies[i].node;
        const double *change = lanes->changes + TNI_MECHANISM_LANES * 6 * i;
        if (node != TNI_NONE) {
            size_t first = pattern->unknowns[pattern->position_of[node]];
            change = lanes->unknowns + TNI_MECHANISM_LANES * first;
        } else if (shape->bodies[i].anchor == TNI_NONE) {
            lanes_expand_body(lanes, shape, i, bodies_rest);
        }
        for (size_t k = 0; k < lanes->count; ++k) {
            if ((mask >> k & 1) != 0) {
                lanes_scatter(change, 6, k, lanes->members[k]->bodies[i].change);
            }
        }
    }
    for (size_t k = 0; k < lanes->count; ++k) {
        if ((mask >> k & 1) != 0) {
            lanes_scatter(lanes->unknowns, pattern->unknown_count, k, lanes->members[k]->unknowns);
        }
    }
}
