// solver/contacts/contact_sweep_blows.h: blows are over with their substep, and do not undo the
// impulses that were given before them. For solver/contacts/contact_sweep_wide.c, with T, H and the
// two solves as there.
//
// A blow is no load: it is over with its substep. Halves of it in the next kicks would drive apart
// the bodies that it has just stopped, and sweeps that are cut short do not take all of that back:
// where bodies fell on each other, up to 5 % of the largest kinetic energy came out of nothing. So
// the next substep begins with
//     T' = T_before + allowed                                              if T has risen by more,
//     T' = T - CONTACT_FORGETTING (T_before - T - allowed), not below 0,    if it has fallen by
//     more,
// summed over the points, and friction goes along in proportion. An impulse that stays from one
// substep to the next is a load; a blow that dies away is none. `allowed` is what gravity gives the
// pair in some substeps, and for slow bodies a share of the load: piles that sweeps have not
// brought to rest yet need what they have. Stacks are solved anew in each substep and forget
// nothing, nor do contacts of bodies on joints, which give their own blows again.
//
// A body that slides into the next facet strikes it within a substep, and the facet behind has
// borne it until then. So solve A notes on each body how much of the substep is left after its
// first blow: an open gap without a load that closes faster than TNI_CONTACT_BLOW of
// `contact_calm`. In solve B a contact of that kind of body does not fall below the share of its
// load that it had given by then, and begins the next substep without one. Only loads count: a
// contact that stood open had none, and no load is more than the one that bears the bodies' own
// weight, so that no bodies are driven apart that forces do not press together. Without it that
// share goes missing at each edge, always against the motion.
//
// A blow comes with friction of its own, at the point that is struck. So in solve A the middle of a
// contact that is struck goes to the centre of pressure, and its friction with it. Friction at the
// old load's place would hold a corner that has just been lifted: where a box that tips about one
// corner comes down on the next, it would turn about the normal by some 0.7 rad/s. Test:
// tests/solver/contacts/test_contact_sweep.c
#ifndef TNI_SOLVER_CONTACTS_CONTACT_SWEEP_BLOWS_H
#define TNI_SOLVER_CONTACTS_CONTACT_SWEEP_BLOWS_H

#include "solver/contacts/contact_kernels.h"
#include "solver/contacts/contact_sweep_work.h"

// Returns n . W n of both bodies, 1/kg.
TNI_KERNEL tni_f8 sweep_get_response(const sweep_work *work) {
    tni_v8 n = work->normal, inv_mass = v8_add(work->a.inv_mass, work->b.inv_mass);
    return f8_max(v8_dot(n, v8_mul(inv_mass, n)), f8_splat(SWEEP_TINY));
}

// Returns half of the load, by which the substep began, N·s.
TNI_KERNEL tni_f8 sweep_sum_warm(const tni_contact_wide *wide) {
    tni_f8 sum = f8_zero();
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        sum = f8_add(sum, f8_load(wide->warm[p]));
    }
    return sum;
}

// ---- solve A: what is struck ------------------------------------------------------------------

// Returns the share of the substep that is left when open gaps close fast in solve A, at points
// without a load so far; else 0.
static tni_f8 sweep_get_left(const sweep_phase *phase, const sweep_work *work,
                             const sweep_points *points, const tni_f8 x[TNI_LANES]) {
    tni_f8 zero = f8_zero(), one = f8_splat(1.0f), tiny = f8_splat(SWEEP_TINY), left = zero;
    tni_f8 fast = f8_mul(f8_splat(TNI_CONTACT_BLOW), phase->calm);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 old = f8_add(points->x[p], f8_load(work->wide->warm[p]));
        tni_f8 closing = f8_sub(zero, points->speed[p]);
        tni_m8 hits = m8_and(f8_less(old, tiny), f8_less(zero, x[p]));
        hits = m8_and(hits, f8_less(fast, closing));
        tni_f8 needed = f8_div(f8_mul(points->gap[p], phase->inv_h), f8_max(closing, tiny));
        left = f8_max(left, f8_pick(hits, f8_sub(one, f8_max(needed, zero)), zero));
    }
    return f8_pick(f8_less(f8_load(work->wide->borne), zero), zero, left);
}

// Notes that share on the bodies that move. The first blow of each counts.
static TNI_NO_INLINE void sweep_note_blows(const sweep_phase *phase, const sweep_work *work,
                                           const sweep_points *points, const tni_f8 x[TNI_LANES],
                                           tni_m8 counts) {
    const tni_contact_group *group = work->group;
    tni_contact_push *pushes = work->solver->contacts.pushes;
    float left[TNI_CONTACTS];
    f8_store(left, f8_pick(counts, sweep_get_left(phase, work, points, x), f8_zero()));
    for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
        if (left[i] > 0.0f && (group->moving_a >> i & 1) != 0) {
            tni_contact_push_note(&pushes[group->body_a[i]], left[i]);
        }
        if (left[i] > 0.0f && (group->moving_b >> i & 1) != 0) {
            tni_contact_push_note(&pushes[group->body_b[i]], left[i]);
        }
    }
}

// Notes which contacts stand open when the substep begins: they have no load, whatever they gave
// before.
TNI_KERNEL void sweep_note_open(const sweep_phase *phase, const sweep_work *work,
                                const sweep_points *points, tni_m8 has_failed) {
    float *kept = work->wide->kept;
    tni_f8 nearest = points->gap[0];
    for (uint32_t p = 1; p < TNI_LANES; ++p) {
        tni_m8 is_point = f8_less(f8_splat(0.5f * TNI_CONTACT_NO_POINT), points->gap[p]);
        nearest = f8_min(nearest, f8_pick(is_point, points->gap[p], nearest));
    }
    tni_f8 widest = f8_mul(f8_splat(TNI_CONTACT_STANDS_OPEN), phase->calm);
    tni_m8 is_open = m8_and(has_failed, f8_less(widest, f8_mul(nearest, phase->inv_h)));
    f8_store(kept, f8_pick(is_open, f8_zero(), f8_load(kept)));
}

// Finds the lanes with a point that closes as fast as in a blow.
TNI_KERNEL tni_m8 sweep_find_fast(const sweep_phase *phase, const sweep_points *points) {
    tni_f8 least = f8_min(f8_min(points->speed[0], points->speed[1]),
                          f8_min(points->speed[2], points->speed[3]));
    return f8_less(least, f8_mul(f8_splat(-TNI_CONTACT_BLOW), phase->calm));
}

// Finds the lanes whose points without a load so far, which came as fast as in a blow, push with
// more than the load. Contacts that have lost all of their load within the step are not struck by a
// load that comes back: waves go up and down in tall piles, and friction at single corners would
// turn them.
static TNI_NO_INLINE tni_m8 sweep_find_struck(const sweep_phase *phase, const sweep_work *work,
                                              const sweep_points *points,
                                              const tni_f8 x[TNI_LANES]) {
    tni_f8 zero = f8_zero(), tiny = f8_splat(SWEEP_TINY);
    tni_f8 fast = f8_mul(f8_splat(-TNI_CONTACT_BLOW), phase->calm);
    tni_f8 blow = zero, load = zero, before = zero;
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 old = f8_add(points->x[p], f8_load(work->wide->warm[p]));
        tni_m8 hits = m8_and(f8_less(old, tiny), f8_less(points->speed[p], fast));
        blow = f8_add(blow, f8_pick(hits, x[p], zero));
        load = f8_add(load, old);
        before = f8_add(before, f8_load(work->wide->step_impulse[p]));
    }
    tni_m8 bears = f8_less(tiny, load), is_new = f8_less(before, tiny);
    return m8_and(m8_or(bears, is_new), f8_less(load, blow));
}

// Returns the lanes that are struck, of those whose points do not all push: the others are not
// looked at, because a group without one of these lanes is not either.
TNI_KERNEL tni_m8 sweep_see_blows(const sweep_phase *phase, const sweep_work *work,
                                  const sweep_points *points, const tni_f8 x[TNI_LANES],
                                  tni_m8 has_failed) {
    sweep_note_open(phase, work, points, has_failed);
    tni_m8 fast = m8_and(has_failed, sweep_find_fast(phase, points));
    if (m8_any(fast)) {
        sweep_note_blows(phase, work, points, x, fast);
        fast = m8_and(fast, sweep_find_struck(phase, work, points, x));
    }
    return fast;
}

// ---- solve B: what was given ------------------------------------------------------------------

// Finds the lanes among those that are released whose bodies suffer a blow. Returns false if there
// are none; else sets `left` to the share of the substep that is left then, or 0, and `pull` to the
// speed at which forces alone would make the bodies close within it.
static bool sweep_get_blows(const sweep_work *work, tni_m8 released, float left[TNI_CONTACTS],
                            float pull[TNI_CONTACTS]) {
    const tni_contact_group *group = work->group;
    const tni_solver *solver = work->solver;
    const tni_contact_vec *n = &work->wide->normal;
    bool has_any = false;
    f8_store(left, f8_pick(released, f8_splat(1.0f), f8_zero()));
    for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
        vec3s by = maths_vec3_zero();
        float least = left[i];
        left[i] = pull[i] = 0.0f;
        if (least > 0.0f && (group->moving_a >> i & 1) != 0) {
            left[i] = tni_contact_push_get_left(&solver->contacts.pushes[group->body_a[i]]);
            by = dvec3_to_float(solver->bodies.pulls[group->body_a[i]].acceleration);
        }
        if (least > 0.0f && (group->moving_b >> i & 1) != 0) {
            const tni_contact_push *push = &solver->contacts.pushes[group->body_b[i]];
            left[i] = maths_max(left[i], tni_contact_push_get_left(push));
            by = glms_vec3_sub(by,
                               dvec3_to_float(solver->bodies.pulls[group->body_b[i]].acceleration));
        }
        pull[i] = solver->h * (n->x[i] * by.x + n->y[i] * by.y + n->z[i] * by.z);
        has_any |= left[i] > 0.0f;
    }
    return has_any;
}

// Sets the impulses below which points do not fall: see the head.
static void sweep_get_given(const sweep_work *work, const float blow[TNI_CONTACTS],
                            const float pull[TNI_CONTACTS], tni_f8 given[TNI_LANES]) {
    const tni_contact_wide *wide = work->wide;
    tni_f8 zero = f8_zero(), one = f8_splat(1.0f), tiny = f8_splat(SWEEP_TINY);
    tni_f8 half = sweep_sum_warm(wide), load = f8_add(half, half);
    tni_f8 weight = f8_div(f8_max(f8_load(pull), zero), sweep_get_response(work));
    tni_f8 left = f8_load(blow), share = f8_sub(one, left);
    share = f8_div(f8_mul(share, f8_min(load, weight)), f8_max(load, tiny));
    tni_m8 is_exempt =
        m8_or(f8_less(zero, f8_load(wide->is_spared)), f8_less(f8_load(wide->borne), zero));
    tni_m8 counts = f8_less(zero, f8_pick(is_exempt, zero, f8_mul(left, f8_load(wide->kept))));
    share = f8_pick(counts, f8_add(share, share), zero);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        given[p] = f8_mul(share, f8_load(wide->warm[p]));
    }
}

// Finds the lanes among those that are released with a point that comes out below the impulse that
// it had given. Returns whether there are any.
TNI_KERNEL bool sweep_find_fallen(const sweep_work *work, tni_m8 released,
                                  const tni_f8 x[TNI_LANES], tni_f8 given[TNI_LANES],
                                  tni_m8 *falls) {
    float left[TNI_CONTACTS], pull[TNI_CONTACTS];
    if (!sweep_get_blows(work, released, left, pull)) {
        return false;
    }
    sweep_get_given(work, left, pull, given);
    *falls = f8_less(x[0], given[0]);
    for (uint32_t p = 1; p < TNI_LANES; ++p) {
        *falls = m8_or(*falls, f8_less(x[p], given[p]));
    }
    return m8_any(*falls);
}

// Finds the lanes that give up more than half of their load in solve B.
TNI_KERNEL tni_m8 sweep_find_released(const sweep_work *work, const tni_f8 x[TNI_LANES]) {
    tni_f8 now = f8_add(f8_add(x[0], x[1]), f8_add(x[2], x[3]));
    return f8_less(now, sweep_sum_warm(work->wide));
}

// ---- the next substep -------------------------------------------------------------------------

// Returns the share of their impulses, whose sum is given, that contacts begin the next substep
// with: see the head.
TNI_KERNEL tni_f8 sweep_get_kept(const sweep_phase *phase, const sweep_work *work, tni_f8 sum) {
    const tni_contact_wide *wide = work->wide;
    tni_f8 zero = f8_zero(), one = f8_splat(1.0f), tiny = f8_splat(SWEEP_TINY);
    tni_f8 before = f8_load(wide->borne);
    tni_f8 limit = f8_splat(TNI_CONTACT_SLOW_SPEED * TNI_CONTACT_SLOW_SPEED);
    tni_f8 speed = f8_max(v8_dot(work->a.v, work->a.v), v8_dot(work->b.v, work->b.v));
    tni_f8 share = f8_pick(f8_less(speed, limit), f8_splat(CONTACT_SLOW_CHANGE), zero);
    tni_f8 allowed = f8_div(phase->calm, sweep_get_response(work));
    allowed = f8_add_product(allowed, share, f8_min(sum, before));
    tni_f8 rise = f8_sub(sum, before), excess = f8_max(f8_sub(f8_abs(rise), allowed), zero);
    tni_f8 factor = f8_pick(f8_less(rise, zero), f8_splat(CONTACT_FORGETTING), one);
    tni_f8 lost = f8_min(f8_mul(factor, excess), sum);
    tni_f8 kept = f8_sub(one, f8_div(lost, f8_max(sum, tiny)));
    tni_m8 keeps = m8_or(f8_less(zero, f8_load(wide->is_spared)), f8_less(before, zero));
    kept = f8_pick(keeps, one, kept);
    return f8_pick(f8_less(f8_load(wide->kept), zero), zero, kept);
}

// Takes the forgotten impulses out of the coming kicks; the lanes lose them when they begin.
TNI_KERNEL void sweep_forget(const sweep_phase *phase, sweep_work *work) {
    tni_contact_wide *wide = work->wide;
    tni_f8 sum = f8_add(f8_add(f8_load(wide->impulse[0]), f8_load(wide->impulse[1])),
                        f8_add(f8_load(wide->impulse[2]), f8_load(wide->impulse[3])));
    tni_f8 kept = sweep_get_kept(phase, work, sum), lost = f8_sub(f8_splat(1.0f), kept);
    f8_store(wide->kept, kept);
    tni_f8 before = f8_load(wide->borne);
    f8_store(wide->borne, f8_pick(f8_less(before, f8_zero()), before, sum));
    if (m8_any(f8_less(f8_zero(), lost))) {
        tni_v8 torque, force = lanes_get_force(wide, &torque);
        work->force = v8_sub(work->force, v8_scale(lost, force));
        work->torque = v8_sub(work->torque, v8_scale(lost, torque));
    }
}

#endif
