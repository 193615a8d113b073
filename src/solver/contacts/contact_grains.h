// solver/contacts/contact_grains.h: directions of friction with a grain turn with the bodies.
//
// The directions m_i t_i of solver/contacts/grain.h are found when a lane is made. Within the step
// they stay across the normal and turn about it with the body that has the grain; where both have
// one, by the mean of the two. Seen from that body y stays what it is. In solve A the rows ask for
// velocities that fit the middle of the drift, as those of turning arms do
// (solver/contacts/contact_arms.h): with w the turning of the grain about n, they get
//     h/2 w (n x m_i t_i).u,      u the velocity of b past a.
// So a skate in a curve loses no speed. Test: tests/world/collide/test_grain_friction.c
#ifndef TNI_SOLVER_CONTACTS_CONTACT_GRAINS_H
#define TNI_SOLVER_CONTACTS_CONTACT_GRAINS_H

#include <string.h>

#include "solver/contacts/contact_arms.h"
#include "solver/contacts/grain.h"

// Says in which lanes friction has a grain, and how much of its turning is that of b.
typedef struct grains_lanes {
    tni_m8 has_grain;
    tni_f8 of_b;
} grains_lanes;

static inline grains_lanes grains_find(const tni_solver *solver, const tni_contact_group *group) {
    float has_grain[TNI_CONTACTS] = {0.0f}, of_b[TNI_CONTACTS] = {0.0f};
    for (uint32_t i = 0; i < group->count; ++i) {
        const tni_contact_extras *extras = solver->contacts.records[group->first + i].extras;
        if (tni_grain_is_any(extras)) {
            bool has_a = extras->grains[0].is_any, has_b = extras->grains[1].is_any;
            has_grain[i] = 1.0f;
            of_b[i] = has_a && has_b ? 0.5f : (has_b ? 1.0f : 0.0f);
        }
    }
    grains_lanes lanes = {f8_less(f8_zero(), f8_load(has_grain)), f8_load(of_b)};
    return lanes;
}

TNI_KERNEL tni_v8 grains_pick(const grains_lanes *lanes, tni_v8 of_a, tni_v8 of_b) {
    return v8_add_scaled(of_a, lanes->of_b, v8_sub(of_b, of_a));
}

// Turns directions that were `old` before the arms turned.
static TNI_NO_INLINE void grains_turn(const tni_solver *solver, const tni_contact_group *group,
                                      const arms_step *step, const tni_contact_vec old[2],
                                      tni_contact_wide *wide) {
    const grains_lanes lanes = grains_find(solver, group);
    tni_m8 turns = m8_and(lanes.has_grain, step->follows);
    tni_v8 n = lanes_load(&wide->normal);
    tni_v8 more = v8_sub(grains_pick(&lanes, step->turn_a, step->turn_b), step->of_normal);
    arms_rotation with_normal = arms_get_rotation(step->of_normal);
    arms_rotation about_normal = arms_get_rotation(v8_scale(v8_dot(n, more), n));
    for (uint32_t t = 0; t < 2; ++t) {
        tni_v8 tangent = arms_rotate(&with_normal, lanes_load(&old[t]));
        tangent = arms_rotate(&about_normal, tangent);
        lanes_store(&wide->tangent[t], v8_pick(turns, tangent, lanes_load(&wide->tangent[t])));
    }
}

// The bodies of a contact get these impulses more when its arms follow: by those of the substep,
// and by the halves of the last one's.
typedef struct grains_change {
    arms_push total, warm;
} grains_change;

// Makes the arms of lanes that turn as they are now, and directions with a grain. The impulses go
// along.
TNI_KERNEL grains_change grains_follow(const tni_solver *solver, const tni_contact_group *group,
                                       const uint32_t body_a[TNI_CONTACTS],
                                       const uint32_t body_b[TNI_CONTACTS], const tni_wide_body *a,
                                       const tni_wide_body *b, tni_contact_wide *wide) {
    arms_push old_total = arms_get_push(wide, wide->impulse, wide->slide);
    arms_push old_warm = arms_get_push(wide, wide->warm, wide->slide_warm);
    tni_contact_vec old[2];
    if (group->has_grain) {
        memcpy(old, wide->tangent, sizeof old);
    }
    arms_step step = arms_follow(solver, body_a, body_b, a, b, wide);
    if (group->has_grain) {
        grains_turn(solver, group, &step, old, wide);
    }
    arms_push new_total = arms_get_push(wide, wide->impulse, wide->slide);
    arms_push new_warm = arms_get_push(wide, wide->warm, wide->slide_warm);
    grains_change change = {arms_get_change(&old_total, &new_total),
                            arms_get_change(&old_warm, &new_warm)};
    return change;
}

#endif
