// solver/gradients/gradient_algebra.h: products with J, J^T, W and K^-1 of eight joints at once.
//
// The groups are those of solver/gradients/gradient_lanes.h. Only files *_wide.c include this: they
// are compiled for several vector units. `kind` is a constant where these are called.
#ifndef TNI_SOLVER_GRADIENTS_GRADIENT_ALGEBRA_H
#define TNI_SOLVER_GRADIENTS_GRADIENT_ALGEBRA_H

#include "core/wide_vector.h"
#include "solver/gradients/gradient_lanes.h"

// These are the rows of eight joints; only a hinge or a frame has the turns.
typedef struct lanes6 {
    tni_v8 point, turn;
} lanes6;

// These are velocities, or forces and torques, of eight bodies.
typedef struct lanes_motion {
    tni_v8 v, w;
} lanes_motion;

// ---- vectors of three --------------------------------------------------------------------------

TNI_KERNEL tni_v8 lanes_load(const tni_lanes *numbers) {
    tni_v8 v = {f8_load(numbers[0].lane), f8_load(numbers[1].lane), f8_load(numbers[2].lane)};
    return v;
}

TNI_KERNEL tni_s8 lanes_load_sym3(const tni_lanes *m) {
    tni_s8 s = {f8_load(m[0].lane), f8_load(m[1].lane), f8_load(m[2].lane),
                f8_load(m[3].lane), f8_load(m[4].lane), f8_load(m[5].lane)};
    return s;
}

// These return M v and M^T v of nine numbers, row by row.
TNI_KERNEL tni_v8 lanes_mul_rows(const tni_lanes *m, tni_v8 v) {
    tni_v8 c = {v8_dot(lanes_load(m), v), v8_dot(lanes_load(m + 3), v),
                v8_dot(lanes_load(m + 6), v)};
    return c;
}

TNI_KERNEL tni_v8 lanes_mul_columns(const tni_lanes *m, tni_v8 v) {
    tni_v8 c = v8_scale(v.x, lanes_load(m));
    c = v8_add_scaled(c, v.y, lanes_load(m + 3));
    return v8_add_scaled(c, v.z, lanes_load(m + 6));
}

// ---- rows --------------------------------------------------------------------------------------

TNI_KERNEL lanes6 lanes6_zero(void) {
    lanes6 zero = {v8_zero(), v8_zero()};
    return zero;
}

TNI_KERNEL tni_v8 lanes_get_vector(const float *vector) {
    tni_v8 v = {f8_load(vector), f8_load(vector + TNI_GRADIENT_LANES),
                f8_load(vector + 2 * TNI_GRADIENT_LANES)};
    return v;
}

TNI_KERNEL tni_s8 lanes_get_sym3(const float *m) {
    const uint32_t n = TNI_GRADIENT_LANES;
    tni_s8 s = {f8_load(m),         f8_load(m + n),     f8_load(m + 2 * n),
                f8_load(m + 3 * n), f8_load(m + 4 * n), f8_load(m + 5 * n)};
    return s;
}

TNI_KERNEL void lanes_set_vector(float *vector, tni_v8 v) {
    f8_store(vector, v.x);
    f8_store(vector + TNI_GRADIENT_LANES, v.y);
    f8_store(vector + 2 * TNI_GRADIENT_LANES, v.z);
}

TNI_KERNEL lanes6 lanes6_get(const float *vector, tni_lanes_kind kind) {
    lanes6 x = {lanes_get_vector(vector), v8_zero()};
    if (lanes_have_turns(kind)) {
        x.turn = lanes_get_vector(vector + 3 * TNI_GRADIENT_LANES);
    }
    return x;
}

TNI_KERNEL void lanes6_set(float *vector, tni_lanes_kind kind, lanes6 x) {
    lanes_set_vector(vector, x.point);
    if (lanes_have_turns(kind)) {
        lanes_set_vector(vector + 3 * TNI_GRADIENT_LANES, x.turn);
    }
}

// Adds rows; turns that are not there are not read afterwards.
TNI_KERNEL lanes6 lanes6_add(lanes6 a, lanes6 b) {
    lanes6 c = {v8_add(a.point, b.point), v8_add(a.turn, b.turn)};
    return c;
}

TNI_KERNEL lanes6 lanes6_sub(lanes6 a, lanes6 b) {
    lanes6 c = {v8_sub(a.point, b.point), v8_sub(a.turn, b.turn)};
    return c;
}

TNI_KERNEL lanes6 lanes6_add_scaled(lanes6 a, tni_f8 s, lanes6 b) {
    lanes6 c = {v8_add_scaled(a.point, s, b.point), v8_add_scaled(a.turn, s, b.turn)};
    return c;
}

TNI_KERNEL lanes6 lanes6_sub_scaled(lanes6 a, tni_f8 s, lanes6 b) {
    lanes6 c = {v8_sub(a.point, v8_scale(s, b.point)), v8_sub(a.turn, v8_scale(s, b.turn))};
    return c;
}

// ---- bodies into lanes and back ----------------------------------------------------------------

TNI_KERNEL lanes_motion lanes_get(const tni_gradient_motion *motions, const uint32_t *body) {
    tni_f8 v[4], w[4];
    f8_gather4(motions->v, TNI_MOTION_FLOATS, body, v);
    f8_gather4(motions->w, TNI_MOTION_FLOATS, body, w);
    lanes_motion lanes = {{v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
    return lanes;
}

// Parts lanes into v and w of each body: first of the first four, then of the others.
TNI_KERNEL void lanes_part(const lanes_motion *lanes, tni_f8 out[8]) {
    tni_f8 v[4] = {lanes->v.x, lanes->v.y, lanes->v.z, f8_zero()};
    tni_f8 w[4] = {lanes->w.x, lanes->w.y, lanes->w.z, f8_zero()};
    f8_transpose(&v[0], &v[1], &v[2], &v[3]);
    f8_transpose(&w[0], &w[1], &w[2], &w[3]);
    for (uint32_t i = 0; i < 4; ++i) {
        out[i] = f8_join(f8_low(v[i]), f8_low(w[i]));
        out[4 + i] = f8_join(f8_high(v[i]), f8_high(w[i]));
    }
}

TNI_KERNEL void lanes_set(tni_gradient_motion *motions, const uint32_t *body,
                          const lanes_motion *lanes) {
    tni_f8 each[8];
    lanes_part(lanes, each);
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        f8_store(gradient_numbers(motions, body[i]), each[i]);
    }
}

// Adds: motions += lanes.
TNI_KERNEL void lanes_add(tni_gradient_motion *motions, const uint32_t *body,
                          const lanes_motion *lanes) {
    tni_f8 each[8];
    lanes_part(lanes, each);
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        float *motion = gradient_numbers(motions, body[i]);
        f8_store(motion, f8_add(f8_load(motion), each[i]));
    }
}

// Returns W f of body k of the mechanism, whose forces are cleared for the next pass.
TNI_KERNEL tni_f8 lanes_yield_body(const tni_gradients *g, uint32_t k) {
    float *change = gradient_numbers(g->change, k);
    const float *weights = g->weights + (size_t)TNI_MOTION_FLOATS * k;
    tni_f8 force = f8_load(change), v = f8_mul(f8_load(weights), force);
    if (g->has_products) {
        const float *products = g->products + (size_t)TNI_MOTION_FLOATS * 2 * k;
        tni_f8 turned = f8_yzx(force);
        v = f8_add_product(v, f8_load(products), turned);
        v = f8_add_product(v, f8_load(products + TNI_MOTION_FLOATS), f8_yzx(turned));
    }
    f8_store(change, f8_zero());
    return v;
}

// ---- products ----------------------------------------------------------------------------------

TNI_KERNEL tni_v8 lanes_rows_speed(const tni_lanes *jacobian, const lanes_motion *a,
                                   const lanes_motion *b) {
    tni_v8 speed = lanes_mul_columns(jacobian, a->v);
    speed = v8_add(speed, lanes_mul_columns(jacobian + 9, a->w));
    speed = v8_add(speed, lanes_mul_columns(jacobian + 18, b->v));
    return v8_add(speed, lanes_mul_columns(jacobian + 27, b->w));
}

// Returns J v.
TNI_KERNEL lanes6 lanes_speed(const tni_gradient_lanes *group, tni_lanes_kind kind,
                              const lanes_motion *a, const lanes_motion *b) {
    lanes6 speed = lanes6_zero();
    if (kind == TNI_LANES_ROWS) {
        speed.point = lanes_rows_speed(group->jacobian, a, b);
        return speed;
    }
    speed.point = v8_sub(b->v, a->v);
    speed.point = v8_add(speed.point, v8_cross(b->w, lanes_get_vector(group->r_b)));
    speed.point = v8_add(speed.point, v8_cross(lanes_get_vector(group->r_a), a->w));
    if (lanes_have_turns(kind)) {
        speed.turn = v8_sub(b->w, a->w);
    }
    if (kind == TNI_LANES_UNIVERSAL) {
        tni_f8 along = v8_dot(lanes_load(group->turns->axis), speed.turn);
        speed.turn = v8_scale(along, lanes_load(group->turns->dual));
    }
    if (kind == TNI_LANES_HINGE) {
        tni_v8 across = lanes_load(group->turns->axis + 6);
        tni_f8 along = v8_dot(across, speed.turn);
        speed.turn = v8_sub(speed.turn, v8_scale(along, across));
    }
    return speed;
}

// Returns D'^-1 r.
TNI_KERNEL lanes6 lanes_invert(const tni_gradient_lanes *group, tni_lanes_kind kind, lanes6 r) {
    tni_f8 scale = f8_load(group->mass_scale.lane);
    tni_s8 inverse = lanes_get_sym3(group->inverse);
    lanes6 x = {s8_mul(&inverse, r.point), v8_zero()};
    if (lanes_have_turns(kind)) {
        const tni_lanes_turns *turns = group->turns;
        tni_s8 of_turns = lanes_load_sym3(turns->inverse);
        x.point = v8_add(x.point, lanes_mul_rows(turns->coupling, r.turn));
        x.turn = v8_add(s8_mul(&of_turns, r.turn), lanes_mul_columns(turns->coupling, r.point));
        x.turn = v8_scale(scale, x.turn);
    }
    x.point = v8_scale(scale, x.point);
    return x;
}

// Finds J^T x.
TNI_KERNEL void lanes_forces(const tni_gradient_lanes *group, tni_lanes_kind kind, lanes6 x,
                             lanes_motion *a, lanes_motion *b) {
    if (kind == TNI_LANES_ROWS) {
        const tni_lanes *j = group->jacobian;
        *a = (lanes_motion){lanes_mul_rows(j, x.point), lanes_mul_rows(j + 9, x.point)};
        *b = (lanes_motion){lanes_mul_rows(j + 18, x.point), lanes_mul_rows(j + 27, x.point)};
        return;
    }
    a->v = v8_sub(v8_zero(), x.point);
    b->v = x.point;
    a->w = v8_cross(x.point, lanes_get_vector(group->r_a));
    b->w = v8_cross(lanes_get_vector(group->r_b), x.point);
    if (lanes_have_turns(kind)) {
        a->w = v8_sub(a->w, x.turn);
        b->w = v8_add(b->w, x.turn);
    }
}

// Adds v += W f.
TNI_KERNEL void lanes_yield(const tni_lanes_masses *masses, const lanes_motion *force,
                            lanes_motion *v) {
    tni_s8 inertia = lanes_load_sym3(masses->inertia);
    v->v = v8_add(v->v, v8_mul(lanes_load(masses->mass), force->v));
    v->w = v8_add(v->w, s8_mul(&inertia, force->w));
}

// Adds v += W J^T x.
TNI_KERNEL void lanes_push(const tni_gradient_lanes *group, tni_lanes_kind kind, lanes6 x,
                           lanes_motion *a, lanes_motion *b) {
    lanes_motion on_a, on_b;
    lanes_forces(group, kind, x, &on_a, &on_b);
    lanes_yield(group->of_a, &on_a, a);
    lanes_yield(group->of_b, &on_b, b);
}

// ---- sums --------------------------------------------------------------------------------------

// The products of this many groups are added in float before they go to the sum in double.
#define LANES_CHUNK 64

typedef struct lanes_sum {
    tni_f8 part;
    double total;
    uint32_t count;
} lanes_sum;

TNI_KERNEL lanes_sum lanes_sum_start(void) {
    lanes_sum sum = {f8_zero(), 0.0, 0};
    return sum;
}

TNI_KERNEL double lanes_sum_end(lanes_sum *sum) {
    sum->total += (double)f4_sum(f8_low(sum->part)) + (double)f4_sum(f8_high(sum->part));
    sum->part = f8_zero();
    sum->count = 0;
    return sum->total;
}

// Adds x.y of a group.
TNI_KERNEL void lanes_sum_add(lanes_sum *sum, tni_lanes_kind kind, lanes6 x, lanes6 y) {
    tni_f8 product = v8_dot(x.point, y.point);
    if (lanes_have_turns(kind)) {
        product = f8_add(product, v8_dot(x.turn, y.turn));
    }
    sum->part = f8_add(sum->part, product);
    if (++sum->count == LANES_CHUNK) {
        lanes_sum_end(sum);
    }
}

#endif
