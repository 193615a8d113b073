// solver/contacts/contact_lanes.h: eight contacts at once: vectors of lanes, their bodies in and
// out.
//
// With u = v_b - v_a + w_b x offset and w = w_b - w_a, the speed of b's point against a's at the
// arm r from a is u + w x r, and offset = r_b - r_a is the same for all points of a contact. An
// impulse F at r with the torque T = r x F about a's centre of mass changes
//     v_a -= F / m_a      w_a -= W_a T      v_b += F / m_b      w_b += W_b (T + offset x F),
// W the inverse inertias. So a contact needs one arm for each point, and no response of its own.
#ifndef TNI_SOLVER_CONTACTS_CONTACT_LANES_H
#define TNI_SOLVER_CONTACTS_CONTACT_LANES_H

#include "solver/bodies/wide_body.h"

TNI_KERNEL tni_v8 lanes_load(const tni_contact_vec *v) {
    return v8_make(f8_load(v->x), f8_load(v->y), f8_load(v->z));
}
TNI_KERNEL void lanes_store(tni_contact_vec *to, tni_v8 v) {
    f8_store(to->x, v.x);
    f8_store(to->y, v.y);
    f8_store(to->z, v.z);
}
// Returns s + a·b.
TNI_KERNEL tni_f8 lanes_add_dot(tni_f8 s, tni_v8 a, tni_v8 b) {
    return f8_add_product(f8_add_product(f8_add_product(s, a.x, b.x), a.y, b.y), a.z, b.z);
}

// J v of all points and of the rows of friction is made of these: see the head.
typedef struct lanes_motion {
    tni_v8 u, w;
} lanes_motion;

TNI_KERNEL lanes_motion lanes_get_motion(tni_v8 v_a, tni_v8 w_a, tni_v8 v_b, tni_v8 w_b,
                                         tni_v8 offset) {
    lanes_motion m = {v8_add(v8_sub(v_b, v_a), v8_cross(w_b, offset)), v8_sub(w_b, w_a)};
    return m;
}

TNI_KERNEL void lanes_gather_delta(const tni_body_delta *deltas,
                                   const uint32_t bodies[TNI_CONTACTS], tni_v8 *position,
                                   tni_v8 *rotation) {
    const uint32_t stride = sizeof(tni_body_delta) / sizeof(float);
    tni_f8 p[4], q[4];
    f8_gather4(deltas->numbers, stride, bodies, p);
    f8_gather4(deltas->numbers + 4, stride, bodies, q);
    *position = v8_make(p[0], p[1], p[2]);
    *rotation = v8_make(q[0], q[1], q[2]);
}

// Sets the separations of the points after the displacement since the manifold was made, m.
TNI_KERNEL void lanes_get_gaps(const tni_solver *solver, const uint32_t body_a[TNI_CONTACTS],
                               const uint32_t body_b[TNI_CONTACTS], const tni_contact_wide *wide,
                               tni_f8 gaps[TNI_LANES]) {
    tni_v8 way_a, way_b, turn_a, turn_b;
    lanes_gather_delta(solver->bodies.deltas, body_a, &way_a, &turn_a);
    lanes_gather_delta(solver->bodies.deltas, body_b, &way_b, &turn_b);
    lanes_motion m = lanes_get_motion(way_a, turn_a, way_b, turn_b, lanes_load(&wide->offset));
    tni_f8 common = v8_dot(lanes_load(&wide->normal), m.u);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 way = lanes_add_dot(common, lanes_load(&wide->turn[p]), m.w);
        gaps[p] = f8_add(f8_load(wide->separation[p]), way);
    }
}

// Returns the sum of the present impulses on b, and their torque about a's centres.
TNI_KERNEL tni_v8 lanes_get_force(const tni_contact_wide *wide, tni_v8 *out_torque) {
    tni_v8 torque = lanes_load(&wide->rolling), middle = lanes_load(&wide->middle);
    tni_f8 sum = f8_zero();
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        sum = f8_add(sum, f8_load(wide->impulse[p]));
        torque = v8_add_scaled(torque, f8_load(wide->impulse[p]), lanes_load(&wide->turn[p]));
    }
    tni_v8 rub = v8_scale(f8_load(wide->slide[0]), lanes_load(&wide->tangent[0]));
    rub = v8_add_scaled(rub, f8_load(wide->slide[1]), lanes_load(&wide->tangent[1]));
    torque = v8_add_scaled(torque, f8_load(wide->slide[2]), lanes_load(&wide->pivot));
    *out_torque = v8_add(torque, v8_cross(middle, rub));
    return v8_add_scaled(rub, sum, lanes_load(&wide->normal));
}

// Adds a push to one end of eight contacts; `force` is in rows, one for each contact.
TNI_KERNEL void lanes_push_side(tni_contact_push *pushes, const uint32_t body[TNI_CONTACTS],
                                uint32_t moving, const tni_f8 force[4], tni_v8 torque, bool is_a) {
    tni_f8 t[4] = {torque.x, torque.y, torque.z, f8_zero()};
    tni_contact_push spare = {{0.0f}, {0.0f}};
    if (moving == 0) {
        return;
    }
    f8_transpose(&t[0], &t[1], &t[2], &t[3]);
    for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
        uint32_t row = i & 3;
        tni_f4 push = i < 4 ? f8_low(force[row]) : f8_high(force[row]);
        tni_f4 turn = i < 4 ? f8_low(t[row]) : f8_high(t[row]);
        float *total = (moving >> i & 1) != 0 ? pushes[body[i]].total : spare.total;
        tni_f8 both = f8_join(push, turn);
        f8_store(total, is_a ? f8_sub(f8_load(total), both) : f8_add(f8_load(total), both));
    }
}

// Adds the impulse and torque of a phase to the pushes of the bodies that move.
TNI_KERNEL void lanes_add_pushes(tni_contact_push *pushes, const tni_contact_group *group,
                                 uint32_t lanes, tni_v8 force, tni_v8 torque, tni_v8 offset) {
    tni_v8 of_b = v8_add(torque, v8_cross(offset, force));
    tni_f8 f[4] = {force.x, force.y, force.z, f8_zero()};
    f8_transpose(&f[0], &f[1], &f[2], &f[3]);
    lanes_push_side(pushes, group->body_a, group->moving_a & lanes, f, torque, true);
    lanes_push_side(pushes, group->body_b, group->moving_b & lanes, f, of_b, false);
}

// Adds the changes of the sums, and of the last substep's halves, at one end.
TNI_KERNEL void lanes_move_side(tni_contact_push *pushes, const uint32_t body[TNI_CONTACTS],
                                uint32_t moving, const tni_v8 *total, const tni_v8 *total_turn,
                                const tni_v8 *warm, const tni_v8 *warm_turn, bool is_a) {
    tni_f8 p[4] = {total->x, total->y, total->z, f8_zero()};
    tni_f8 t[4] = {total_turn->x, total_turn->y, total_turn->z, f8_zero()};
    tni_f8 h[4] = {warm->x, warm->y, warm->z, f8_zero()};
    tni_f8 g[4] = {warm_turn->x, warm_turn->y, warm_turn->z, f8_zero()};
    f8_transpose(&p[0], &p[1], &p[2], &p[3]);
    f8_transpose(&t[0], &t[1], &t[2], &t[3]);
    f8_transpose(&h[0], &h[1], &h[2], &h[3]);
    f8_transpose(&g[0], &g[1], &g[2], &g[3]);
    for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
        if ((moving >> i & 1) != 0) {
            uint32_t row = i & 3;
            tni_f8 add = i < 4 ? f8_join(f8_low(p[row]), f8_low(t[row]))
                               : f8_join(f8_high(p[row]), f8_high(t[row]));
            tni_f8 half = i < 4 ? f8_join(f8_low(h[row]), f8_low(g[row]))
                                : f8_join(f8_high(h[row]), f8_high(g[row]));
            float *of_total = pushes[body[i]].total, *of_warm = pushes[body[i]].warm;
            tni_f8 now = f8_load(of_total), now_warm = f8_load(of_warm);
            f8_store(of_total, is_a ? f8_sub(now, add) : f8_add(now, add));
            f8_store(of_warm, is_a ? f8_sub(now_warm, half) : f8_add(now_warm, half));
        }
    }
}

#define LANES_ALL 0xffu

#endif
