// solver/contact_lanes.h: eight contacts at once: vectors of lanes, their bodies in and out.
//
// With u = v_b - v_a + w_b x offset and w = w_b - w_a, the speed of b's point against a's at the
// arm r from a is u + w x r, and offset = r_b - r_a is the same for all points of a contact. An
// impulse F at r with the torque T = r x F about a's centre of mass changes
//     v_a -= F / m_a      w_a -= W_a T      v_b += F / m_b      w_b += W_b (T + offset x F),
// W the inverse inertias. So a contact needs one arm for each point, and no response of its own.
#ifndef TNI_SOLVER_CONTACT_LANES_H
#define TNI_SOLVER_CONTACT_LANES_H

#include "core/wide.h"
#include "solver/solver.h"

// Vectors, one in each lane.
typedef struct lanes_vec {
    tni_f8 x, y, z;
} lanes_vec;

TNI_FORCE_INLINE lanes_vec lanes_make(tni_f8 x, tni_f8 y, tni_f8 z) {
    lanes_vec v = {x, y, z};
    return v;
}
TNI_FORCE_INLINE lanes_vec lanes_load(const tni_contact_vec *v) {
    return lanes_make(f8_load(v->x), f8_load(v->y), f8_load(v->z));
}
TNI_FORCE_INLINE void lanes_store(tni_contact_vec *to, lanes_vec v) {
    f8_store(to->x, v.x);
    f8_store(to->y, v.y);
    f8_store(to->z, v.z);
}
TNI_FORCE_INLINE lanes_vec lanes_zero(void) {
    return lanes_make(f8_zero(), f8_zero(), f8_zero());
}
TNI_FORCE_INLINE lanes_vec lanes_add(lanes_vec a, lanes_vec b) {
    return lanes_make(f8_add(a.x, b.x), f8_add(a.y, b.y), f8_add(a.z, b.z));
}
TNI_FORCE_INLINE lanes_vec lanes_sub(lanes_vec a, lanes_vec b) {
    return lanes_make(f8_sub(a.x, b.x), f8_sub(a.y, b.y), f8_sub(a.z, b.z));
}
TNI_FORCE_INLINE lanes_vec lanes_mul(lanes_vec a, lanes_vec b) {
    return lanes_make(f8_mul(a.x, b.x), f8_mul(a.y, b.y), f8_mul(a.z, b.z));
}
TNI_FORCE_INLINE lanes_vec lanes_scale(lanes_vec a, tni_f8 s) {
    return lanes_make(f8_mul(a.x, s), f8_mul(a.y, s), f8_mul(a.z, s));
}
// a + s b
TNI_FORCE_INLINE lanes_vec lanes_add_scaled(lanes_vec a, tni_f8 s, lanes_vec b) {
    return lanes_make(f8_add_product(a.x, s, b.x), f8_add_product(a.y, s, b.y),
                      f8_add_product(a.z, s, b.z));
}
// s + a·b
TNI_FORCE_INLINE tni_f8 lanes_add_dot(tni_f8 s, lanes_vec a, lanes_vec b) {
    return f8_add_product(f8_add_product(f8_add_product(s, a.x, b.x), a.y, b.y), a.z, b.z);
}
TNI_FORCE_INLINE tni_f8 lanes_dot(lanes_vec a, lanes_vec b) {
    return f8_add_product(f8_add_product(f8_mul(a.x, b.x), a.y, b.y), a.z, b.z);
}
TNI_FORCE_INLINE lanes_vec lanes_cross(lanes_vec a, lanes_vec b) {
    return lanes_make(f8_sub_product(f8_mul(a.y, b.z), a.z, b.y),
                      f8_sub_product(f8_mul(a.z, b.x), a.x, b.z),
                      f8_sub_product(f8_mul(a.x, b.y), a.y, b.x));
}
TNI_FORCE_INLINE lanes_vec lanes_pick(tni_m8 m, lanes_vec a, lanes_vec b) {
    return lanes_make(f8_pick(m, a.x, b.x), f8_pick(m, a.y, b.y), f8_pick(m, a.z, b.z));
}

// ---- bodies -----------------------------------------------------------------------------------

typedef struct lanes_inertia {
    tni_f8 xx, yy, zz, xy, xz, yz;
} lanes_inertia;

TNI_FORCE_INLINE lanes_vec lanes_turn(const lanes_inertia *m, lanes_vec v) {
    return lanes_make(f8_add_product(f8_add_product(f8_mul(m->xx, v.x), m->xy, v.y), m->xz, v.z),
                      f8_add_product(f8_add_product(f8_mul(m->xy, v.x), m->yy, v.y), m->yz, v.z),
                      f8_add_product(f8_add_product(f8_mul(m->xz, v.x), m->yz, v.y), m->zz, v.z));
}

// The bodies at one end.
typedef struct lanes_end {
    lanes_vec v, w, inv_mass;
    lanes_inertia inv_inertia;
    tni_f8 unused;
} lanes_end;

// Four numbers from each of eight places, as four columns.
TNI_FORCE_INLINE void lanes_gather4(const float *const from[TNI_CONTACTS], uint32_t at,
                                    tni_f8 out[4]) {
    for (uint32_t i = 0; i < 4; ++i) {
        out[i] = f8_load_halves(from[i] + at, from[i + 4] + at);
    }
    f8_transpose(&out[0], &out[1], &out[2], &out[3]);
}

TNI_FORCE_INLINE lanes_end lanes_load_end(const tni_body_state *states,
                                          const uint32_t bodies[TNI_CONTACTS]) {
    const float *from[TNI_CONTACTS];
    for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
        from[i] = states[bodies[i]].numbers;
    }
    tni_f8 p[4], q[4], r[4], s[4];
    lanes_gather4(from, 0, p);
    lanes_gather4(from, 4, q);
    lanes_gather4(from, 8, r);
    lanes_gather4(from, 12, s);
    lanes_end end = {{p[0], p[1], p[2]},
                     {q[0], q[1], q[2]},
                     {q[3], r[0], r[1]},
                     {r[2], r[3], s[0], s[1], s[2], s[3]},
                     p[3]};
    return end;
}

// Their velocities.
TNI_FORCE_INLINE void lanes_store_end(tni_body_state *states, const uint32_t bodies[TNI_CONTACTS],
                                      const lanes_end *end) {
    tni_f8 p[4] = {end->v.x, end->v.y, end->v.z, end->unused};
    tni_f8 q[4] = {end->w.x, end->w.y, end->w.z, end->inv_mass.x};
    f8_transpose(&p[0], &p[1], &p[2], &p[3]);
    f8_transpose(&q[0], &q[1], &q[2], &q[3]);
    for (uint32_t i = 0; i < 4; ++i) {
        float *low = states[bodies[i]].numbers, *high = states[bodies[i + 4]].numbers;
        f8_store_halves(low, high, p[i]);
        f8_store_halves(low + TNI_STATE_W, high + TNI_STATE_W, q[i]);
    }
}

// J v of all points and of the rows of friction comes from these: see the head.
typedef struct lanes_motion {
    lanes_vec u, w;
} lanes_motion;

TNI_FORCE_INLINE lanes_motion lanes_get_motion(lanes_vec v_a, lanes_vec w_a, lanes_vec v_b,
                                               lanes_vec w_b, lanes_vec offset) {
    lanes_motion m = {lanes_add(lanes_sub(v_b, v_a), lanes_cross(w_b, offset)),
                      lanes_sub(w_b, w_a)};
    return m;
}

TNI_FORCE_INLINE void lanes_gather_delta(const tni_body_delta *deltas,
                                         const uint32_t bodies[TNI_CONTACTS], lanes_vec *position,
                                         lanes_vec *rotation) {
    const float *from[TNI_CONTACTS];
    for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
        from[i] = deltas[bodies[i]].numbers;
    }
    tni_f8 p[4], q[4];
    lanes_gather4(from, 0, p);
    lanes_gather4(from, 4, q);
    *position = lanes_make(p[0], p[1], p[2]);
    *rotation = lanes_make(q[0], q[1], q[2]);
}

// The separations of the points after the displacement since the manifold was made, m.
TNI_FORCE_INLINE void lanes_get_gaps(const tni_solver *solver, const uint32_t body_a[TNI_CONTACTS],
                                     const uint32_t body_b[TNI_CONTACTS],
                                     const tni_contact_wide *wide, tni_f8 gaps[TNI_LANES]) {
    lanes_vec way_a, way_b, turn_a, turn_b;
    lanes_gather_delta(solver->deltas, body_a, &way_a, &turn_a);
    lanes_gather_delta(solver->deltas, body_b, &way_b, &turn_b);
    lanes_motion m = lanes_get_motion(way_a, turn_a, way_b, turn_b, lanes_load(&wide->offset));
    tni_f8 common = lanes_dot(lanes_load(&wide->normal), m.u);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 way = lanes_add_dot(common, lanes_load(&wide->turn[p]), m.w);
        gaps[p] = f8_add(f8_load(wide->separation[p]), way);
    }
}

// Adds impulse and torque of a phase to what the contacts give the bodies.
TNI_FORCE_INLINE void lanes_add_pushes(tni_contact_push *pushes,
                                       const uint32_t body_a[TNI_CONTACTS],
                                       const uint32_t body_b[TNI_CONTACTS], lanes_vec force,
                                       lanes_vec torque, lanes_vec offset) {
    lanes_vec of_b = lanes_add(torque, lanes_cross(offset, force));
    tni_f8 f[4] = {force.x, force.y, force.z, f8_zero()};
    tni_f8 a[4] = {torque.x, torque.y, torque.z, f8_zero()};
    tni_f8 b[4] = {of_b.x, of_b.y, of_b.z, f8_zero()};
    f8_transpose(&f[0], &f[1], &f[2], &f[3]);
    f8_transpose(&a[0], &a[1], &a[2], &a[3]);
    f8_transpose(&b[0], &b[1], &b[2], &b[3]);
    for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
        uint32_t row = i & 3;
        tni_f4 push = i < 4 ? f8_low(f[row]) : f8_high(f[row]);
        tni_f4 on_a = i < 4 ? f8_low(a[row]) : f8_high(a[row]);
        tni_f4 on_b = i < 4 ? f8_low(b[row]) : f8_high(b[row]);
        float *to_a = pushes[body_a[i]].total, *to_b = pushes[body_b[i]].total;
        f8_store(to_a, f8_sub(f8_load(to_a), f8_join(push, on_a)));
        f8_store(to_b, f8_add(f8_load(to_b), f8_join(push, on_b)));
    }
}

#endif
