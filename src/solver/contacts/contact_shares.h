// solver/contacts/contact_shares.h: contacts that see other masses than the bodies have.
//
// The pre-solve callback may scale the inverse mass and the inverse inertia that each body shows to
// a contact, by s and t:
//     K = sum over both ends of s n^T W_v n + t (r x n)^T W_w (r x n),
//     v_b += s_b W_v x n,     w_b += t_b W_w (r_b x x n),     and a likewise with the other sign.
// So an end gets the share s of the contact's impulse, and the share t of its torque; with s and t
// at 0 nothing moves it. Rows are as ever: what is held is J v. A substep adds up the impulses of
// each body (tni_contact_push), so the sums get those shares as well. Momentum is not kept where
// the shares of the two ends differ, nor is energy: one whose share is 0 pushes as what has
// infinite mass does. Test: tests/world/collide/test_mass_scale.c
#ifndef TNI_SOLVER_CONTACTS_CONTACT_SHARES_H
#define TNI_SOLVER_CONTACTS_CONTACT_SHARES_H

#include "solver/contacts/contact_lanes.h"

// The shares of both ends of eight contacts.
typedef struct shares_lanes {
    tni_f8 mass[2], inertia[2];
} shares_lanes;

static inline shares_lanes shares_find(const tni_solver *solver, const tni_contact_group *group) {
    float mass[2][TNI_CONTACTS], inertia[2][TNI_CONTACTS];
    shares_lanes shares;
    for (uint32_t e = 0; e < 2; ++e) {
        for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
            uint32_t index = group->first + (i < group->count ? i : 0);
            const tni_contact_extras *extras = solver->contacts.records[index].extras;
            bool has_shares = extras != NULL && extras->has_shares;
            mass[e][i] = has_shares ? extras->shares.mass[e] : 1.0f;
            inertia[e][i] = has_shares ? extras->shares.inertia[e] : 1.0f;
        }
        shares.mass[e] = f8_load(mass[e]);
        shares.inertia[e] = f8_load(inertia[e]);
    }
    return shares;
}

// Scales the inverse masses of both bodies to those that the contacts see.
static TNI_NO_INLINE void shares_scale(const tni_solver *solver, const tni_contact_group *group,
                                       tni_wide_body *a, tni_wide_body *b) {
    const shares_lanes shares = shares_find(solver, group);
    tni_wide_body *bodies[2] = {a, b};
    for (uint32_t e = 0; e < 2; ++e) {
        tni_s8 *m = &bodies[e]->inv_inertia;
        tni_f8 s = shares.inertia[e];
        bodies[e]->inv_mass = v8_scale(shares.mass[e], bodies[e]->inv_mass);
        tni_s8 scaled = {f8_mul(s, m->xx), f8_mul(s, m->yy), f8_mul(s, m->zz),
                         f8_mul(s, m->xy), f8_mul(s, m->xz), f8_mul(s, m->yz)};
        *m = scaled;
    }
}

// Adds impulses to the pushes of the bodies that move, as lanes_add_pushes does.
static TNI_NO_INLINE void shares_add_pushes(tni_solver *solver, const tni_contact_group *group,
                                            uint32_t lanes, tni_v8 force, tni_v8 torque,
                                            tni_v8 offset) {
    const shares_lanes shares = shares_find(solver, group);
    tni_v8 turns[2] = {torque, v8_add(torque, v8_cross(offset, force))};
    for (uint32_t e = 0; e < 2; ++e) {
        tni_v8 own = v8_scale(shares.mass[e], force);
        tni_f8 f[4] = {own.x, own.y, own.z, f8_zero()};
        f8_transpose(&f[0], &f[1], &f[2], &f[3]);
        lanes_push_side(solver->contacts.pushes, e == 0 ? group->body_a : group->body_b,
                        (e == 0 ? group->moving_a : group->moving_b) & lanes, f,
                        v8_scale(shares.inertia[e], turns[e]), e == 0);
    }
}

// Adds the impulses of a phase to the pushes of the bodies that move.
TNI_KERNEL void shares_push(tni_solver *solver, const tni_contact_group *group, uint32_t lanes,
                            tni_v8 force, tni_v8 torque, tni_v8 offset) {
    if (group->has_shares) {
        shares_add_pushes(solver, group, lanes, force, torque, offset);
    } else {
        lanes_add_pushes(solver->contacts.pushes, group, lanes, force, torque, offset);
    }
}

#endif
