// solver/contacts/contact_sweep_surfaces.h: surfaces that move along their bodies, in sweeps.
//
// world/collide/contact_extras.c has the derivation. Test:
// tests/world/collide/test_surface_velocity.c
#ifndef TNI_SOLVER_CONTACTS_CONTACT_SWEEP_SURFACES_H
#define TNI_SOLVER_CONTACTS_CONTACT_SWEEP_SURFACES_H

#include "solver/contacts/contact_sweep_work.h"

// Returns how far b has gone past a since the arms followed them; in solve A, as far as it will in
// the middle of the drift.
static vec3s surfaces_get_way(const tni_solver *solver, const tni_contact_group *group,
                              uint32_t lane, bool use_bias) {
    const tni_solver_bodies *bodies = &solver->bodies;
    const tni_contact_vec *followed = &group->wide.followed_way; // of the offset, from b to a
    uint32_t a = group->body_a[lane], b = group->body_b[lane];
    vec3s way = glms_vec3_sub(bodies->deltas[b].position, bodies->deltas[a].position);
    way = glms_vec3_add(way, maths_vec3(followed->x[lane], followed->y[lane], followed->z[lane]));
    vec3s speed = glms_vec3_sub(bodies->states[b].v, bodies->states[a].v);
    return use_bias ? maths_vec3_add_scaled(way, 0.5f * solver->h, speed) : way;
}

// Adds the speeds at which surfaces move along their bodies to the motion that friction sees. The
// points stand still on the body whose surface does, so on a surface that turns the speed changes
// as they go: a turntable carries a box in a circle.
static TNI_NO_INLINE void surfaces_add_motion(const tni_solver *solver,
                                              const tni_contact_group *group, bool use_bias,
                                              lanes_motion *m) {
    tni_contact_vec speed = {{0.0f}, {0.0f}, {0.0f}}, turn = speed;
    for (uint32_t i = 0; i < group->count; ++i) {
        const tni_contact_extras *extras = solver->contacts.records[group->first + i].extras;
        if (extras != NULL) {
            vec3s way = surfaces_get_way(solver, group, i, use_bias);
            vec3s v = glms_vec3_sub(extras->speed, glms_vec3_cross(extras->spin, way));
            speed.x[i] = v.x;
            speed.y[i] = v.y;
            speed.z[i] = v.z;
            turn.x[i] = extras->turn.x;
            turn.y[i] = extras->turn.y;
            turn.z[i] = extras->turn.z;
        }
    }
    m->u = v8_add(m->u, lanes_load(&speed));
    m->w = v8_add(m->w, lanes_load(&turn));
}

#endif
