// solver/contacts/contact_sweep_grains.h: friction with a grain, in sweeps: see
// solver/contacts/contact_grains.h.
#ifndef TNI_SOLVER_CONTACTS_CONTACT_SWEEP_GRAINS_H
#define TNI_SOLVER_CONTACTS_CONTACT_SWEEP_GRAINS_H

#include "solver/contacts/contact_grains.h"
#include "solver/contacts/contact_sweep_work.h"
#include "solver/contacts/slip.h"

// Finds the impulses of lanes that slide with a grain from those that would hold the points.
static TNI_NO_INLINE void grains_slip(const sweep_work *work, tni_m8 slides, tni_f8 cap,
                                      tni_f8 held1, tni_f8 held2, tni_f8 *x1, tni_f8 *x2) {
    const grains_lanes lanes = grains_find(work->solver, work->group);
    float caps[TNI_CONTACTS], held[2][TNI_CONTACTS], out[2][TNI_CONTACTS];
    float is_slow[TNI_CONTACTS];
    tni_m8 counts = m8_and(slides, lanes.has_grain);
    f8_store(is_slow, f8_pick(counts, f8_zero(), f8_splat(1.0f)));
    f8_store(caps, cap);
    f8_store(held[0], held1);
    f8_store(held[1], held2);
    f8_store(out[0], *x1);
    f8_store(out[1], *x2);
    for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
        if (is_slow[i] > 0.0f) {
            continue;
        }
        const double mass[3] = {(double)work->wide->slide_mass[0][i],
                                (double)work->wide->slide_mass[1][i],
                                (double)work->wide->slide_mass[2][i]};
        double x[2] = {(double)held[0][i], (double)held[1][i]};
        tni_slip_solve_grain(mass, (double)caps[i], x);
        out[0][i] = (float)x[0];
        out[1][i] = (float)x[1];
    }
    *x1 = f8_load(out[0]);
    *x2 = f8_load(out[1]);
}

// Adds to the rows of friction what the turning of their directions asks for.
static TNI_NO_INLINE void grains_bend(const tni_solver *solver, const tni_contact_group *group,
                                      const tni_wide_body *a, const tni_wide_body *b,
                                      arms_bend *bend) {
    const tni_contact_wide *wide = &group->wide;
    const grains_lanes lanes = grains_find(solver, group);
    lanes_motion m = lanes_get_motion(a->v, a->w, b->v, b->w, lanes_load(&wide->offset));
    tni_v8 speed = v8_add(m.u, v8_cross(m.w, lanes_load(&wide->middle)));
    tni_v8 n = lanes_load(&wide->normal);
    tni_f8 rate = v8_dot(n, grains_pick(&lanes, a->w, b->w));
    tni_m8 bends = m8_and(arms_find_turning(solver, a->w, b->w, wide), arms_find_loaded(wide));
    tni_f8 half = f8_pick(m8_and(bends, lanes.has_grain), f8_splat(0.5f * solver->h), f8_zero());
    for (uint32_t t = 0; t < 2; ++t) {
        tni_v8 turned = v8_cross(n, lanes_load(&wide->tangent[t]));
        tni_f8 more = f8_mul(half, f8_mul(rate, v8_dot(turned, speed)));
        bend->slide[t] = f8_add(bend->slide[t], more);
    }
}

#endif
