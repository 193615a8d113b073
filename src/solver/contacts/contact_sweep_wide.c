// solver/contacts/contact_sweep_wide.c: contacts under projected Gauss-Seidel, eight at a time.
//
// Per point i, with n from a to b and r the arms from the centres of mass:
//     J v = n·(v_b + w_b x r_b - v_a - w_a x r_a)
//     s   = separation + J (displacement since the manifold was made)
//     s > 0:  J v >= -s/h (speculative: may close the gap, no more); in solve B only where solve A
//             pushed, so that what will hit in a later substep is not slowed before it
//     s <= 0: J v + rate (s + slop) + gamma x >= 0, at most max_speed; in solve B: J v >= 0
// The points of a manifold couple most strongly with each other, so they are solved together. When
// all are closed, x - K^-1 (J v + bias) with K = J W J^T is tried first, and taken if no impulse
// comes out negative: the usual case of a box at rest. Otherwise the points are swept on their
// small matrix. Four points in a plane say one thing twice; a share of the diagonal keeps K
// invertible, and because the update is driven by J v alone, it leaves that spare direction of x as
// it is. Friction is one vector per manifold, in the tangent plane at the middle of the points,
// inside the true cone |x_t| <= friction * sum x_n (with a grain in an elliptic one, by tangents of
// other lengths: solver/contacts/grain.h): solved with its 2x2 mass where it holds, and
// against the velocity that is left where it slides (solver/contacts/slip.h). A shape that slides
// over seams has its points at other places in each step, and the load goes from one shape to the
// next; there the middle goes along with the centre of pressure, about which the loads balance and
// friction turns nothing. Twisting, which is about the normal or about the pivot of a capsule that
// lies (tni_contact_lie), is bounded by (friction * patch radius + twisting_resistance) * sum x_n,
// rolling by rolling_resistance * sum x_n. In solve A friction comes first and the normals last,
// for they matter more. Its softness lets normal impulses fall below those that bear the load, and
// solve B restores them: there friction comes last, so that its bound is that of the full load.
// Arms and normals go along with bodies that turn (solver/contacts/contact_arms.h), and the
// separation follows the bodies' displacement to second order.
//
// Solve B takes omega = CONTACT_RELAXATION times the whole block's update, x -= omega K^-1 (J v).
// Sweeps carry a load down a stack by one contact each, and the errors that solve A leaves are
// mostly of one sign: going a little too far brings a stack to rest where one sweep without it
// keeps it creeping. An update changes the kinetic energy by -omega (1 - omega/2) (J v)^T K^-1 (J
// v), which is never positive for omega from 0 to 2; holding impulses at 0 keeps the sign. It is
// for contacts at rest: a blow that is taken too far would bounce, so an impulse that changes by
// more than a share of the half that the last substep left goes exactly. Solve A stays at 1, where
// omega would move its fixed point, and so do points that are swept one by one and friction.
//
// BAUMGARTE pushes rigidly, at beta/h s. Nothing then damps the error of the load that a solve cut
// short carries over by warm start, and points that are pushed to s = 0 open and shut by round-off:
// columns of ten shook themselves to pieces with any number of sweeps up to 40. So a point that
// pushes loses the share SWEEP_MIXING of its impulse in each update (constraint force mixing, as a
// share of the point's own response), and a point less deep than the solver's `contact_rest` is at
// rest: J v >= 0, without push or loss. There a column stands as still as round-off lets it.
//
// Solve A leaves stacks to stack.c, which finds their impulses from those of the last substep.
//
// Half of the last substep's impulses is added in each kick. The groups hold the sum T of a
// substep from its start on: first the last substep's T = 2 H, to which the solves add their
// changes. So the impulse itself is T - H in solve A, and T in solve B. The momentum that T gives
// each body is summed along with it; so a kick is a pass over the bodies and not over the contacts.
//
// A blow is over with its substep, and does not undo the impulses before it: see
// solver/contacts/contact_sweep_blows.h. Test: tests/solver/contacts/test_contact_sweep.c
//
// Each lane is a contact. The contacts of a group share no body that moves (solver/step/colors.h),
// so lanes do not meet: they are solved as one after the other would be. Numbers that only some
// lanes need are computed for all of them and picked. Sources: E. Catto, "Iterative dynamics with
// temporal coherence", 2005; M. Anitescu, F. Potra, "Formulating dynamic multi-rigid-body contact
// problems", 1997 (velocity-level complementarity).
#include "solver/contacts/contact_follow.h"
#include "solver/contacts/contact_shares.h"
#include "solver/contacts/contact_soft.h"
#include "solver/contacts/contact_sweep_blows.h"
#include "solver/contacts/contact_sweep_grains.h"
#include "solver/contacts/contact_sweep_surfaces.h"

// The points of one manifold are swept this many times when the direct solution does not hold.
#define SWEEP_INNER 2
// Pushing points lose this share under BAUMGARTE: see above.
#define SWEEP_MIXING 0.06f
// This is SLIP_MOST_RATIO of solver/contacts/slip.h.
#define SWEEP_MOST_RATIO 1e4f

static sweep_phase sweep_begin(const tni_solver *solver, const tni_softness *soft) {
    bool is_mixed = solver->settings.contact_bias.mode == TN_BIAS_MODE_BAUMGARTE;
    float leak = is_mixed ? SWEEP_MIXING : soft->impulse_scale;
    float slop = maths_max(solver->settings.contact_bias.slop, solver->settings.contact_rest);
    sweep_phase phase = {f8_splat(solver->inv_h),
                         f8_splat(slop),
                         f8_splat(-solver->settings.contact_bias.max_speed),
                         f8_splat(soft->rate),
                         f8_splat(is_mixed ? 1.0f - leak : soft->mass_scale),
                         f8_splat(leak),
                         f8_splat(solver->settings.contact_calm),
                         is_mixed};
    return phase;
}

TNI_KERNEL lanes_motion sweep_get_motion(const sweep_work *work) {
    return lanes_get_motion(work->a.v, work->a.w, work->b.v, work->b.w, work->offset);
}

TNI_KERNEL void sweep_apply(sweep_work *work, tni_v8 force, tni_v8 torque) {
    tni_v8 of_b = v8_add(torque, v8_cross(work->offset, force));
    work->a.v = v8_sub(work->a.v, v8_mul(work->a.inv_mass, force));
    work->b.v = v8_add(work->b.v, v8_mul(work->b.inv_mass, force));
    work->a.w = v8_sub(work->a.w, s8_mul(&work->a.inv_inertia, torque));
    work->b.w = v8_add(work->b.w, s8_mul(&work->b.inv_inertia, of_b));
    work->force = v8_add(work->force, force);
    work->torque = v8_add(work->torque, torque);
}

// ---- friction ---------------------------------------------------------------------------------

// Shortens an impulse to the nearest one in the circle of radius `cap`.
TNI_KERNEL void sweep_shorten(tni_f8 *x, tni_f8 *y, tni_f8 *z, tni_f8 cap) {
    tni_f8 square = f8_add_product(f8_add_product(f8_mul(*x, *x), *y, *y), *z, *z);
    tni_m8 is_long = f8_less(f8_mul(cap, cap), square);
    tni_f8 length = f8_sqrt(f8_max(square, f8_splat(SWEEP_TINY)));
    tni_f8 scale = f8_pick(is_long, f8_div(cap, length), f8_splat(1.0f));
    *x = f8_mul(*x, scale);
    *y = f8_mul(*y, scale);
    *z = f8_mul(*z, scale);
}

// Returns the impulse of a row of friction as this solve has it, without the part that the second
// kick adds.
TNI_KERNEL tni_f8 sweep_get_old(const float total[TNI_CONTACTS], const float warm[TNI_CONTACTS],
                                bool use_bias) {
    return use_bias ? f8_sub(f8_load(total), f8_load(warm)) : f8_load(total);
}

TNI_KERNEL tni_f8 sweep_take(const sweep_work *work, float total[TNI_CONTACTS], tni_f8 wanted,
                             tni_f8 old) {
    tni_f8 change = f8_sub(wanted, old);
    if (work->spares_stacks) {
        tni_m8 is_spared = f8_less(f8_zero(), f8_load(work->wide->is_spared));
        change = f8_pick(is_spared, f8_zero(), change);
    }
    f8_store(total, f8_add(f8_load(total), change));
    return change;
}

// Does in lanes that slide what tni_slip_solve() does (solver/contacts/slip.h).
TNI_KERNEL void sweep_slip(const tni_contact_wide *wide, tni_m8 slides, tni_f8 cap, tni_f8 *x1,
                           tni_f8 *x2) {
    tni_f8 one = f8_splat(1.0f), tiny = f8_splat(SWEEP_TINY);
    tni_f8 square = f8_add_product(f8_mul(*x1, *x1), *x2, *x2);
    tni_f8 length = f8_sqrt(f8_max(square, tiny)), inverse = f8_div(one, length);
    tni_f8 e1 = f8_mul(*x1, inverse), e2 = f8_mul(*x2, inverse);
    tni_f8 m11 = f8_load(wide->slide_mass[0]), m22 = f8_load(wide->slide_mass[1]);
    tni_f8 m12 = f8_load(wide->slide_mass[2]);
    inverse = f8_div(one, f8_max(f8_add(m11, m22), tiny));
    m11 = f8_mul(m11, inverse);
    m22 = f8_mul(m22, inverse);
    m12 = f8_mul(m12, inverse);
    tni_f8 g1 = f8_sub_product(f8_mul(m22, e1), m12, e2);
    tni_f8 g2 = f8_sub_product(f8_mul(m11, e2), m12, e1);
    tni_f8 det = f8_sub_product(f8_mul(m11, m22), m12, m12);
    tni_f8 along = f8_add_product(f8_mul(e1, g1), e2, g2);
    tni_f8 own = f8_add_product(f8_mul(g1, g1), g2, g2);
    tni_f8 ratio = f8_min(f8_div(length, f8_max(cap, tiny)), f8_splat(SWEEP_MOST_RATIO));
    tni_f8 lambda = f8_div(f8_sub(ratio, one), f8_sub(one, along));
    tni_f8 slope = f8_add_product(along, lambda, own);
    square = f8_add_product(f8_add_product(one, lambda, along), lambda, slope);
    tni_f8 d = f8_add_product(one, lambda, f8_add_product(one, lambda, det));
    tni_f8 rate = f8_add_product(one, f8_add(lambda, lambda), det);
    tni_f8 missing = f8_sub(f8_mul(ratio, f8_sqrt(square)), d);
    tni_f8 change = f8_div(f8_mul(square, missing), f8_sub_product(f8_mul(rate, square), d, slope));
    lambda = f8_add(lambda, change);
    e1 = f8_add_product(e1, lambda, g1);
    e2 = f8_add_product(e2, lambda, g2);
    square = f8_max(f8_add_product(f8_mul(e1, e1), e2, e2), tiny);
    tni_f8 scale = f8_div(cap, f8_sqrt(square));
    *x1 = f8_pick(slides, f8_mul(scale, e1), *x1);
    *x2 = f8_pick(slides, f8_mul(scale, e2), *x2);
}

// Returns how far friction is from the centre of pressure, in lanes that push.
TNI_KERNEL tni_v8 sweep_get_off_center(const tni_contact_wide *wide) {
    tni_f8 sum = f8_zero(), tiny = f8_splat(SWEEP_TINY);
    tni_v8 turn = v8_zero(), n = lanes_load(&wide->normal);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 x = f8_load(wide->impulse[p]);
        sum = f8_add(sum, x);
        turn = v8_add_scaled(turn, x, lanes_load(&wide->turn[p]));
    }
    turn = v8_scale(f8_div(f8_splat(1.0f), f8_max(sum, tiny)), turn); // r x n of the centre
    tni_v8 off = v8_cross(n, v8_sub(turn, v8_cross(lanes_load(&wide->middle), n)));
    return v8_pick(f8_less(tiny, sum), off, v8_zero());
}

// Returns a bit for each lane of the mask.
static uint32_t sweep_get_lanes(tni_m8 mask) {
    float is_set[TNI_CONTACTS];
    uint32_t lanes = 0;
    f8_store(is_set, f8_pick(mask, f8_splat(1.0f), f8_zero()));
    for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
        lanes |= is_set[i] > 0.0f ? 1u << i : 0u;
    }
    return lanes;
}

// Adds changes to the pushes of the bodies, where each gets a share of them.
static TNI_NO_INLINE void sweep_move_shares(tni_solver *solver, const tni_contact_group *group,
                                            uint32_t lanes, const arms_push *total,
                                            const arms_push *warm) {
    const shares_lanes shares = shares_find(solver, group);
    for (uint32_t e = 0; e < 2; ++e) {
        bool is_a = e == 0;
        tni_v8 force = v8_scale(shares.mass[e], total->force);
        tni_v8 turn = v8_scale(shares.inertia[e], is_a ? total->of_a : total->of_b);
        tni_v8 half = v8_scale(shares.mass[e], warm->force);
        tni_v8 half_turn = v8_scale(shares.inertia[e], is_a ? warm->of_a : warm->of_b);
        lanes_move_side(solver->contacts.pushes, is_a ? group->body_a : group->body_b,
                        (is_a ? group->moving_a : group->moving_b) & lanes, &force, &turn, &half,
                        &half_turn, is_a);
    }
}

// Adds changes to the pushes of the bodies: of the substep's sums, and of the last one's halves.
TNI_KERNEL void sweep_move_pushes(tni_solver *solver, const tni_contact_group *group,
                                  uint32_t lanes, const arms_push *total, const arms_push *warm) {
    if (group->has_shares) {
        sweep_move_shares(solver, group, lanes, total, warm);
        return;
    }
    lanes_move_side(solver->contacts.pushes, group->body_a, group->moving_a & lanes, &total->force,
                    &total->of_a, &warm->force, &warm->of_a, true);
    lanes_move_side(solver->contacts.pushes, group->body_b, group->moving_b & lanes, &total->force,
                    &total->of_b, &warm->force, &warm->of_b, false);
}

// Takes friction to the centre of pressure: its impulses in this solve, and those of the kicks.
static TNI_NO_INLINE void sweep_center(tni_solver *solver, tni_contact_group *group, tni_m8 slides,
                                       tni_wide_body *a, tni_wide_body *b) {
    tni_contact_wide *wide = &group->wide;
    tni_v8 change = v8_pick(slides, sweep_get_off_center(wide), v8_zero());
    tni_v8 t1 = lanes_load(&wide->tangent[0]), t2 = lanes_load(&wide->tangent[1]);
    tni_v8 total = v8_scale(f8_load(wide->slide[0]), t1);
    tni_v8 warm = v8_scale(f8_load(wide->slide_warm[0]), t1);
    total = v8_cross(change, v8_add_scaled(total, f8_load(wide->slide[1]), t2));
    warm = v8_cross(change, v8_add_scaled(warm, f8_load(wide->slide_warm[1]), t2));
    tni_v8 given = v8_sub(total, warm), none = v8_zero();
    // The other lanes keep the sign of their zeros, too.
    a->w = v8_pick(slides, v8_sub(a->w, s8_mul(&a->inv_inertia, given)), a->w);
    b->w = v8_pick(slides, v8_add(b->w, s8_mul(&b->inv_inertia, given)), b->w);
    arms_push of_total = {none, total, total}, of_warm = {none, warm, warm};
    sweep_move_pushes(solver, group, sweep_get_lanes(slides), &of_total, &of_warm);
    tni_v8 middle = lanes_load(&wide->middle);
    lanes_store(&wide->middle, v8_pick(slides, v8_add(middle, change), middle));
}

// Takes friction to the centre of pressure in those of the lanes that are patches, and returns
// which they are. Stacks keep their rows in a step.
TNI_KERNEL tni_m8 sweep_center_patches(sweep_work *work, tni_m8 lanes) {
    const tni_contact_wide *wide = work->wide;
    tni_m8 is_patch = f8_less(f8_splat(TNI_CONTACT_NO_POINT), f8_load(wide->separation[1]));
    tni_m8 is_swept = f8_less(f8_load(wide->is_spared), f8_splat(0.5f));
    lanes = m8_and(lanes, m8_and(is_patch, is_swept));
    if (m8_any(lanes)) {
        tni_wide_body a = work->a, b = work->b; // copies: those of `work` stay in registers
        sweep_center(work->solver, work->group, lanes, &a, &b);
        work->a.w = a.w;
        work->b.w = b.w;
    }
    return lanes;
}

// Makes friction act where a blow has struck, in solve A, in lanes that were struck in this sweep.
// See solver/contacts/contact_sweep_blows.h.
TNI_KERNEL void sweep_center_struck(sweep_work *work, tni_m8 struck) {
    if (!m8_any(struck)) {
        return;
    }
    struck = sweep_center_patches(work, struck);
    if (m8_any(struck)) {
        float moved[TNI_CONTACTS];
        f8_store(moved, f8_pick(struck, f8_splat(1.0f), f8_zero()));
        WIDE_NAME(tni_contact_weigh_slides)(work->solver, work->group, moved);
    }
}

// Takes friction to the centre of pressure in solve A where patches slide fast: their points move
// over the body and share its load anew. `speed`, and `momentum`, which would hold them, are
// squared.
TNI_KERNEL void sweep_center_fast(sweep_work *work, tni_m8 slides, tni_f8 cap, tni_f8 speed,
                                  tni_f8 momentum) {
    tni_f8 least = f8_splat(TNI_CONTACT_FAST_SLIDE * TNI_CONTACT_FAST_SLIDE);
    tni_f8 most =
        f8_mul(f8_splat(TNI_CONTACT_FAST_SHARE * TNI_CONTACT_FAST_SHARE), f8_mul(cap, cap));
    tni_m8 is_fast = m8_and(f8_less(least, speed), f8_less(most, momentum));
    sweep_center_patches(work, m8_and(slides, is_fast));
}

// Solves friction along the tangents and about the normal, each by the velocities before all of
// them. `sum` is the sum of the normal impulses.
TNI_KERNEL void sweep_slide(sweep_work *work, tni_f8 sum, bool use_bias) {
    tni_contact_wide *wide = work->wide;
    tni_v8 t1 = lanes_load(&wide->tangent[0]), t2 = lanes_load(&wide->tangent[1]);
    tni_v8 middle = lanes_load(&wide->middle);
    lanes_motion m = sweep_get_motion(work);
    if (work->group->has_extras) {
        lanes_motion driven = m; // a copy: m stays in registers
        surfaces_add_motion(work->solver, work->group, use_bias, &driven);
        m = driven;
    }
    tni_v8 speed = v8_add(m.u, v8_cross(m.w, middle));
    tni_f8 s1 = v8_dot(t1, speed), s2 = v8_dot(t2, speed);
    if (work->bend != NULL) {
        s1 = f8_add(s1, work->bend->slide[0]);
        s2 = f8_add(s2, work->bend->slide[1]);
    }
    tni_f8 mass = f8_load(wide->slide_mass[2]);
    tni_f8 old1 = sweep_get_old(wide->slide[0], wide->slide_warm[0], use_bias);
    tni_f8 old2 = sweep_get_old(wide->slide[1], wide->slide_warm[1], use_bias);
    tni_f8 old3 = sweep_get_old(wide->slide[2], wide->slide_warm[2], use_bias);
    tni_f8 x1 = f8_sub(old1, f8_add_product(f8_mul(f8_load(wide->slide_mass[0]), s1), mass, s2));
    tni_f8 x2 = f8_sub(old2, f8_add_product(f8_mul(f8_load(wide->slide_mass[1]), s2), mass, s1));
    tni_f8 x3 =
        f8_sub_product(old3, f8_load(wide->twist_mass), v8_dot(lanes_load(&wide->pivot), m.w));
    tni_f8 cap = f8_mul(f8_load(wide->friction), sum);
    tni_f8 square = f8_add_product(f8_mul(x1, x1), x2, x2);
    tni_m8 slides = f8_less(f8_mul(cap, cap), square);
    if (m8_any(slides)) {
        tni_f8 held1 = x1, held2 = x2;
        sweep_slip(wide, slides, cap, &x1, &x2);
        if (work->has_extras && work->group->has_grain) {
            grains_slip(work, slides, cap, held1, held2, &x1, &x2);
        }
        if (use_bias) {
            sweep_center_fast(work, slides, cap, f8_add_product(f8_mul(s1, s1), s2, s2), square);
            middle = lanes_load(&wide->middle);
        }
    }
    tni_f8 bound = f8_mul(f8_load(wide->twist_bound), sum);
    x3 = f8_min(f8_max(x3, f8_sub(f8_zero(), bound)), bound);
    tni_v8 force = v8_scale(sweep_take(work, wide->slide[0], x1, old1), t1);
    force = v8_add_scaled(force, sweep_take(work, wide->slide[1], x2, old2), t2);
    tni_v8 torque = v8_cross(middle, force);
    torque =
        v8_add_scaled(torque, sweep_take(work, wide->slide[2], x3, old3), lanes_load(&wide->pivot));
    sweep_apply(work, force, torque);
}

TNI_KERNEL tni_v8 sweep_flatten(tni_v8 v, tni_v8 n) {
    return v8_add_scaled(v, f8_sub(f8_zero(), v8_dot(v, n)), n);
}

static void sweep_roll(sweep_work *work, tni_f8 sum, bool use_bias) {
    tni_contact_wide *wide = work->wide;
    tni_s8 mass = {f8_load(wide->rolling_mass[0]), f8_load(wide->rolling_mass[1]),
                   f8_load(wide->rolling_mass[2]), f8_load(wide->rolling_mass[3]),
                   f8_load(wide->rolling_mass[4]), f8_load(wide->rolling_mass[5])};
    tni_v8 total = lanes_load(&wide->rolling), old = total;
    if (use_bias) {
        old = v8_sub(old, lanes_load(&wide->rolling_warm));
    }
    tni_v8 across = sweep_flatten(v8_sub(work->b.w, work->a.w), work->normal);
    tni_v8 x = sweep_flatten(v8_sub(old, s8_mul(&mass, across)), work->normal);
    sweep_shorten(&x.x, &x.y, &x.z, f8_mul(f8_load(wide->rolling_resistance), sum));
    tni_v8 change = v8_sub(x, old);
    lanes_store(&wide->rolling, v8_add(total, change));
    sweep_apply(work, v8_zero(), change);
}

// Solves friction, twisting and rolling.
TNI_KERNEL void sweep_rub(sweep_work *work, bool has_rolling, bool use_bias) {
    tni_contact_wide *wide = work->wide;
    tni_f8 x[TNI_LANES];
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        x[p] = sweep_get_old(wide->impulse[p], wide->warm[p], use_bias);
    }
    tni_f8 sum = f8_add(f8_add(x[0], x[1]), f8_add(x[2], x[3]));
    sweep_slide(work, sum, use_bias);
    if (has_rolling) {
        sweep_roll(work, sum, use_bias);
    }
}

// ---- normals ----------------------------------------------------------------------------------

TNI_KERNEL tni_f8 sweep_get_push(const sweep_phase *phase, tni_f8 gap) {
    tni_f8 too_deep = f8_min(f8_add(gap, phase->slop), f8_zero());
    return f8_max(f8_mul(phase->rate, too_deep), phase->max_speed);
}

// An update is -scale m (J v + bias) - leak x.
typedef struct sweep_softness {
    tni_f8 scale, leak;
} sweep_softness;

// Returns the softness of closed points. BAUMGARTE is rigid where it does not push.
TNI_KERNEL sweep_softness sweep_get_softness(const sweep_phase *phase, tni_f8 gap) {
    sweep_softness soft = {phase->mass_scale, phase->impulse_scale};
    if (phase->is_mixed) {
        tni_m8 pushes = f8_less(f8_add(gap, phase->slop), f8_zero());
        soft.scale = f8_pick(pushes, soft.scale, f8_splat(1.0f));
        soft.leak = f8_pick(pushes, soft.leak, f8_zero());
    }
    return soft;
}

// Returns the factor of solve B: only contacts that rest go too far.
TNI_KERNEL tni_f8 sweep_get_relaxation(const tni_contact_wide *wide,
                                       const tni_f8 change[TNI_LANES]) {
    tni_f8 sum = f8_zero(), load = f8_zero();
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        sum = f8_add(sum, change[p]);
        load = f8_add(load, f8_load(wide->warm[p]));
    }
    tni_m8 rests = f8_less(f8_abs(sum), f8_mul(f8_splat(CONTACT_RESTING_SHARE), load));
    return f8_pick(rests, f8_splat(CONTACT_RELAXATION), f8_splat(1.0f));
}

// Solves as if all points pushed: one solution of the whole block.
TNI_KERNEL void sweep_solve_closed(const sweep_phase *phase, const tni_contact_wide *wide,
                                   const sweep_points *points, bool use_bias, tni_f8 x[TNI_LANES]) {
    tni_f8 missing[TNI_LANES];
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        x[p] = points->x[p];
        if (use_bias) {
            tni_f8 push = sweep_get_push(phase, points->gap[p]);
            sweep_softness soft = sweep_get_softness(phase, points->gap[p]);
            missing[p] = f8_mul(soft.scale, f8_add(points->speed[p], push));
            x[p] = f8_sub_product(x[p], soft.leak, x[p]);
        } else {
            missing[p] = points->speed[p];
        }
    }
    tni_f8 change[TNI_LANES];
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 sum = f8_zero();
        for (uint32_t q = 0; q < TNI_LANES; ++q) {
            const float *entry = wide->inverse[contact_entry(p, q)];
            sum = q == 0 ? f8_mul(f8_load(entry), missing[q])
                         : f8_add_product(sum, f8_load(entry), missing[q]);
        }
        change[p] = sum;
    }
    tni_f8 factor = use_bias ? f8_splat(1.0f) : sweep_get_relaxation(wide, change);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        x[p] = use_bias ? f8_sub(x[p], change[p]) : f8_sub_product(x[p], factor, change[p]);
    }
}

// A point has these: J v is to be at least -bias; an update is -scale m (J v + bias) - leak x.
typedef struct sweep_targets {
    tni_f8 bias[TNI_LANES], scale[TNI_LANES], leak[TNI_LANES];
} sweep_targets;

TNI_KERNEL void sweep_set_targets(const sweep_phase *phase, const sweep_points *points,
                                  bool use_bias, sweep_targets *targets) {
    tni_f8 one = f8_splat(1.0f), zero = f8_zero();
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 gap = points->gap[p], to_close = f8_mul(gap, phase->inv_h);
        tni_m8 is_open = f8_less(points->closed, gap);
        if (use_bias) {
            targets->bias[p] = f8_pick(is_open, to_close, sweep_get_push(phase, gap));
            sweep_softness soft = sweep_get_softness(phase, gap);
            targets->scale[p] = f8_pick(is_open, one, soft.scale);
            targets->leak[p] = f8_pick(is_open, zero, soft.leak);
        } else {
            tni_f8 pushed = f8_pick(f8_less(zero, points->x[p]), one, zero);
            targets->bias[p] = f8_pick(is_open, to_close, zero);
            targets->scale[p] = f8_pick(is_open, pushed, one);
            targets->leak[p] = zero;
        }
    }
}

// Solves one point, whose impulse does not come out below `least`.
TNI_KERNEL void sweep_solve_point(const tni_contact_wide *wide, const sweep_targets *targets,
                                  tni_f8 least, tni_f8 speed[TNI_LANES], tni_f8 x[TNI_LANES],
                                  uint32_t p) {
    tni_f8 mass = f8_mul(targets->scale[p], f8_load(wide->point_mass[p]));
    tni_f8 wanted = f8_sub_product(x[p], targets->leak[p], x[p]);
    wanted = f8_sub_product(wanted, mass, f8_add(speed[p], targets->bias[p]));
    wanted = f8_max(wanted, least);
    tni_f8 change = f8_sub(wanted, x[p]);
    x[p] = wanted;
    for (uint32_t q = 0; q < TNI_LANES; ++q) {
        speed[q] = f8_add_product(speed[q], f8_load(wide->response[contact_entry(p, q)]), change);
    }
}

// Sweeps over the points with their least impulses, which are 0 where `least` is null.
TNI_KERNEL void sweep_solve_above(const sweep_phase *phase, const tni_contact_wide *wide,
                                  const sweep_points *points, bool use_bias, const tni_f8 *least,
                                  tni_f8 x[TNI_LANES]) {
    sweep_targets targets;
    sweep_set_targets(phase, points, use_bias, &targets);
    tni_f8 speed[TNI_LANES];
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        speed[p] = points->speed[p];
        x[p] = points->x[p];
    }
    for (uint32_t sweep = 0; sweep < SWEEP_INNER; ++sweep) {
        for (uint32_t p = 0; p < TNI_LANES; ++p) {
            tni_f8 floor = least != NULL ? least[p] : f8_zero();
            sweep_solve_point(wide, &targets, floor, speed, x, p);
        }
    }
}

static void sweep_solve_points(const sweep_phase *phase, const tni_contact_wide *wide,
                               const sweep_points *points, bool use_bias, tni_f8 x[TNI_LANES]) {
    sweep_solve_above(phase, wide, points, use_bias, NULL, x);
}

// Finds lanes whose direct solution does not hold.
TNI_KERNEL tni_m8 sweep_find_failed(const sweep_points *points, const tni_f8 x[TNI_LANES]) {
    tni_f8 zero = f8_zero();
    tni_f8 widest =
        f8_max(f8_max(points->gap[0], points->gap[1]), f8_max(points->gap[2], points->gap[3]));
    tni_f8 least = f8_min(f8_min(x[0], x[1]), f8_min(x[2], x[3]));
    return m8_or(f8_less(points->closed, widest), f8_less(least, zero));
}

// Sums eight numbers, in this order on every vector unit.
TNI_KERNEL float sweep_sum(tni_f8 x) {
    return f4_sum(f4_add(f8_low(x), f8_high(x)));
}

// Measures how much solve B changed the impulses that there were, and how much it left: see
// solver/contacts/contact_sweeps.h. Lanes without a contact have none.
TNI_KERNEL void sweep_measure(const sweep_work *work, const tni_f8 old[TNI_LANES],
                              const tni_f8 x[TNI_LANES], tni_contact_group *group) {
    tni_f8 zero = f8_zero(), change = zero, load = zero, before = zero;
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        change = f8_add(change, f8_abs(f8_sub(x[p], old[p])));
        load = f8_add(load, x[p]);
        before = f8_add(before, old[p]);
    }
    tni_f8 limit = f8_splat(TNI_CONTACT_SLOW_SPEED * TNI_CONTACT_SLOW_SPEED);
    tni_f8 speed = f8_max(v8_dot(work->a.v, work->a.v), v8_dot(work->b.v, work->b.v));
    tni_m8 is_slow = m8_and(f8_less(speed, limit), f8_less(zero, before));
    group->load = sweep_sum(load);
    if (!group->is_static) {
        group->change = sweep_sum(f8_pick(is_slow, change, zero));
        group->slow_load = sweep_sum(f8_pick(is_slow, load, zero));
    }
}

// Makes lanes that a blow released keep the impulses that they had given by then.
static TNI_NO_INLINE void sweep_keep_given(const sweep_phase *phase, const sweep_work *work,
                                           const sweep_points *points, tni_m8 released,
                                           tni_f8 x[TNI_LANES]) {
    tni_f8 given[TNI_LANES], swept[TNI_LANES];
    tni_m8 falls;
    if (sweep_find_fallen(work, released, x, given, &falls)) {
        sweep_solve_above(phase, work->wide, points, false, given, swept);
        for (uint32_t p = 0; p < TNI_LANES; ++p) {
            x[p] = f8_pick(falls, swept[p], x[p]);
        }
        float *kept = work->wide->kept;
        f8_store(kept, f8_pick(falls, f8_splat(-1.0f), f8_load(kept)));
    }
}

TNI_KERNEL void sweep_push(const sweep_phase *phase, sweep_work *work, bool use_bias,
                           tni_contact_group *measured) {
    tni_contact_wide *wide = work->wide;
    lanes_motion m = sweep_get_motion(work);
    tni_f8 common = v8_dot(work->normal, m.u);
    if (work->bend != NULL) {
        common = f8_add(common, work->bend->along);
        m.w = v8_add(m.w, work->bend->spin);
    }
    sweep_points points;
    tni_f8 x[TNI_LANES];
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        points.speed[p] = lanes_add_dot(common, lanes_load(&wide->turn[p]), m.w);
        points.gap[p] = f8_load(wide->gap[p]);
        points.x[p] = sweep_get_old(wide->impulse[p], wide->warm[p], use_bias);
    }
    points.closed = f8_load(wide->closed);
    sweep_solve_closed(phase, wide, &points, use_bias, x);
    tni_m8 has_failed = sweep_find_failed(&points, x);
    if (work->group->has_soft) {
        has_failed = m8_and(has_failed, soft_find_rigid(work));
    }
    tni_m8 struck = f8_less(f8_zero(), f8_zero());
    if (m8_any(has_failed)) {
        tni_f8 swept[TNI_LANES];
        sweep_solve_points(phase, wide, &points, use_bias, swept);
        for (uint32_t p = 0; p < TNI_LANES; ++p) {
            x[p] = f8_pick(has_failed, swept[p], x[p]);
        }
        if (use_bias) {
            struck = sweep_see_blows(phase, work, &points, x, has_failed);
        } else {
            tni_m8 released = sweep_find_released(work, x);
            if (m8_any(released)) {
                sweep_keep_given(phase, work, &points, released, x);
            }
        }
    }
    if (work->group->has_soft) {
        soft_push(work, &points, use_bias, x);
    }
    if (measured != NULL) {
        sweep_measure(work, points.x, x, measured);
    }
    tni_f8 sum = f8_zero();
    tni_v8 torque = v8_zero();
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 change = sweep_take(work, wide->impulse[p], x[p], points.x[p]);
        sum = f8_add(sum, change);
        torque = v8_add_scaled(torque, change, lanes_load(&wide->turn[p]));
    }
    sweep_apply(work, v8_scale(sum, work->normal), torque);
    if (use_bias) {
        sweep_center_struck(work, struck);
    }
}

// ---- a group ----------------------------------------------------------------------------------

// Counts the last substep's impulses, and halves the share that is kept of them.
TNI_KERNEL void sweep_halve(float total[TNI_CONTACTS], float warm[TNI_CONTACTS],
                            float step[TNI_CONTACTS], tni_f8 kept) {
    tni_f8 x = f8_load(total), left = f8_mul(kept, x);
    f8_store(total, left);
    f8_store(warm, f8_mul(f8_splat(0.5f), left));
    f8_store(step, f8_add(f8_load(step), x));
}

TNI_KERNEL void sweep_start_substep(tni_contact_group *group) {
    tni_contact_wide *wide = &group->wide;
    tni_f8 kept = f8_load(wide->kept);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        sweep_halve(wide->impulse[p], wide->warm[p], wide->step_impulse[p], kept);
    }
    for (uint32_t t = 0; t < 3; ++t) {
        sweep_halve(wide->slide[t], wide->slide_warm[t], wide->step_slide[t], kept);
    }
    if (group->has_rolling) {
        lanes_store(&wide->rolling, v8_scale(kept, lanes_load(&wide->rolling)));
        lanes_store(&wide->rolling_warm, v8_scale(f8_splat(0.5f), lanes_load(&wide->rolling)));
    }
    f8_store(wide->kept, f8_splat(1.0f));
}

TNI_KERNEL void sweep_update_gaps(const tni_solver *solver, tni_contact_group *group) {
    tni_f8 gaps[TNI_LANES];
    lanes_get_gaps(solver, group->body_a, group->body_b, &group->wide, gaps);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        f8_store(group->wide.gap[p], gaps[p]);
    }
}

// Moves the arms, and impulses with them: those of the kick just now, and those of the next kicks.
static TNI_NO_INLINE void sweep_move_arms(tni_solver *solver, tni_contact_group *group,
                                          tni_wide_body *a, tni_wide_body *b) {
    group->move_count += 1;
    grains_change change =
        grains_follow(solver, group, group->body_a, group->body_b, a, b, &group->wide);
    const arms_push *warm = &change.warm;
    if (group->has_shares) {
        shares_scale(solver, group, a, b);
    }
    a->v = v8_sub(a->v, v8_mul(a->inv_mass, warm->force));
    b->v = v8_add(b->v, v8_mul(b->inv_mass, warm->force));
    a->w = v8_sub(a->w, s8_mul(&a->inv_inertia, warm->of_a));
    b->w = v8_add(b->w, s8_mul(&b->inv_inertia, warm->of_b));
    sweep_move_pushes(solver, group, LANES_ALL, &change.total, warm);
}

static TNI_NO_INLINE void sweep_bend(const tni_solver *solver, const tni_contact_group *group,
                                     const tni_wide_body *a, const tni_wide_body *b,
                                     arms_bend *bend) {
    arms_get_bend(solver, a, b, &group->wide, bend);
    if (group->has_grain) {
        grains_bend(solver, group, a, b, bend);
    }
}

// Makes the geometry follow bodies that turn: in solve B once, after the drift; in each sweep of
// solve A ahead of it, by the present velocities. Returns whether it does.
TNI_KERNEL bool sweep_follow(tni_solver *solver, tni_contact_group *group, bool use_bias,
                             tni_wide_body *a, tni_wide_body *b, arms_bend *bend) {
    tni_m8 turning = arms_find_turning(solver, a->w, b->w, &group->wide);
    turning = use_bias ? m8_and(turning, arms_find_loaded(&group->wide)) : turning;
    if (!m8_any(turning)) {
        return false;
    }
    tni_wide_body moved_a = *a, moved_b = *b; // copies: a and b stay in registers
    if (use_bias) {
        sweep_bend(solver, group, &moved_a, &moved_b, bend);
        return true;
    }
    sweep_move_arms(solver, group, &moved_a, &moved_b);
    a->v = moved_a.v;
    b->v = moved_b.v;
    a->w = moved_a.w;
    b->w = moved_b.w;
    return true;
}

TNI_KERNEL sweep_work sweep_get_work(tni_solver *solver, tni_contact_group *group,
                                     const tni_wide_body *a, const tni_wide_body *b,
                                     bool has_extras, bool spares_stacks) {
    sweep_work work = {solver,
                       group,
                       &group->wide,
                       *a,
                       *b,
                       lanes_load(&group->wide.offset),
                       lanes_load(&group->wide.normal),
                       v8_zero(),
                       v8_zero(),
                       has_extras,
                       spares_stacks,
                       NULL};
    return work;
}

// Returns the number of the bodies that goes back behind their angular velocities: what they have,
// not what contacts see.
static TNI_NO_INLINE tni_f8 sweep_get_unscaled(const tni_solver *solver,
                                               const uint32_t body[TNI_CONTACTS]) {
    return wide_body_load(solver->bodies.states, body).inv_mass.x;
}

// Stores the velocities and the impulses of a group.
TNI_KERNEL void sweep_end(sweep_work *work) {
    tni_solver *solver = work->solver;
    const tni_contact_group *group = work->group;
    bool has_shares = work->has_extras && group->has_shares;
    if (has_shares) {
        work->a.inv_mass.x = sweep_get_unscaled(solver, group->body_a);
        work->b.inv_mass.x = sweep_get_unscaled(solver, group->body_b);
    }
    wide_body_store_moving(solver->bodies.states, group->body_a, group->moving_a, &work->a);
    wide_body_store_moving(solver->bodies.states, group->body_b, group->moving_b, &work->b);
    if (has_shares) {
        shares_add_pushes(solver, group, LANES_ALL, work->force, work->torque, work->offset);
    } else {
        lanes_add_pushes(solver->contacts.pushes, group, LANES_ALL, work->force, work->torque,
                         work->offset);
    }
}

TNI_KERNEL void sweep_solve(tni_solver *solver, const sweep_phase *phase, tni_contact_group *group,
                            uint32_t kind, bool use_bias, bool has_extras, bool spares_stacks) {
    tni_wide_body a = wide_body_load(solver->bodies.states, group->body_a);
    tni_wide_body b = wide_body_load(solver->bodies.states, group->body_b);
    arms_bend bend;
    bool is_first = (kind & CONTACT_SWEEP_FIRST) != 0, turns = false;
    if (use_bias && is_first) {
        sweep_start_substep(group);
    }
    if (use_bias || is_first) {
        turns = sweep_follow(solver, group, use_bias, &a, &b, &bend);
    }
    if ((kind & CONTACT_SWEEP_MOVED) != 0) {
        sweep_update_gaps(solver, group);
    }
    if (has_extras && group->has_shares) {
        shares_scale(solver, group, &a, &b);
    }
    sweep_work work = sweep_get_work(solver, group, &a, &b, has_extras, spares_stacks);
    work.bend = use_bias && turns ? &bend : NULL;
    if (use_bias) {
        sweep_rub(&work, group->has_rolling, true);
        sweep_push(phase, &work, true, NULL);
    } else {
        sweep_push(phase, &work, false, (kind & CONTACT_SWEEP_MEASURES) != 0 ? group : NULL);
        sweep_rub(&work, group->has_rolling, false);
        if ((kind & CONTACT_SWEEP_LAST) != 0) {
            sweep_forget(phase, &work);
        }
    }
    sweep_end(&work);
}

// Solves a group with extras, which few groups have: the others need not ask about each of them.
static TNI_NO_INLINE void sweep_solve_extras(tni_solver *solver, const sweep_phase *phase,
                                             tni_contact_group *group, uint32_t kind, bool use_bias,
                                             bool spares_stacks) {
    sweep_solve(solver, phase, group, kind, use_bias, true, spares_stacks);
}

TNI_KERNEL void sweep_range(tni_solver *solver, uint32_t first, uint32_t last, uint32_t kind,
                            bool use_bias, bool spares_stacks) {
    const sweep_phase moving = sweep_begin(solver, &solver->settings.contact_softness);
    const sweep_phase fixed = sweep_begin(solver, &solver->settings.static_softness);
    for (uint32_t i = first; i < last; ++i) {
        tni_contact_group *group = &solver->contacts.groups[i];
        if (group->shut_count < group->count) {
            bool may_look = !use_bias || (kind & CONTACT_SWEEP_LOOKS) != 0;
            tni_contact_group_test(solver, group, use_bias, may_look);
        }
        if (!use_bias && group->follows != 0 && (kind & CONTACT_SWEEP_MOVED) != 0) {
            tni_contact_group_follow(solver, group);
        }
        if (group->shut_count > 0) {
            const sweep_phase *phase = group->is_static ? &fixed : &moving;
            if (group->has_extras) {
                sweep_solve_extras(solver, phase, group, kind, use_bias, spares_stacks);
            } else {
                sweep_solve(solver, phase, group, kind, use_bias, false, spares_stacks);
            }
        }
    }
}

static void sweep_forget_range(tni_solver *solver, uint32_t first, uint32_t last) {
    const sweep_phase phase = sweep_begin(solver, &solver->settings.contact_softness);
    for (uint32_t i = first; i < last; ++i) {
        tni_contact_group *group = &solver->contacts.groups[i];
        tni_wide_body a = wide_body_load(solver->bodies.states, group->body_a);
        tni_wide_body b = wide_body_load(solver->bodies.states, group->body_b);
        if (group->has_shares) {
            shares_scale(solver, group, &a, &b);
        }
        sweep_work work = sweep_get_work(solver, group, &a, &b, group->has_extras, false);
        if (group->shut_count > 0) {
            sweep_forget(&phase, &work);
            shares_push(solver, group, LANES_ALL, work.force, work.torque, work.offset);
        }
    }
}

void WIDE_NAME(tni_contact_bend)(const tni_solver *solver, const tni_contact_group *group,
                                 uint32_t lane, contact_bends *out) {
    uint32_t body_a[TNI_CONTACTS], body_b[TNI_CONTACTS];
    for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
        body_a[i] = group->body_a[lane];
        body_b[i] = group->body_b[lane];
    }
    tni_wide_body a = wide_body_load(solver->bodies.states, body_a);
    tni_wide_body b = wide_body_load(solver->bodies.states, body_b);
    arms_bend bend;
    sweep_bend(solver, group, &a, &b, &bend);
    lanes_store(&out->spin, bend.spin);
    f8_store(out->along, bend.along);
    f8_store(out->slide[0], bend.slide[0]);
    f8_store(out->slide[1], bend.slide[1]);
}

void WIDE_NAME(tni_contact_sweep)(tni_solver *solver, uint32_t first, uint32_t last,
                                  uint32_t kind) {
    if ((kind & CONTACT_SWEEP_FORGETS) != 0) {
        sweep_forget_range(solver, first, last);
    } else if ((kind & CONTACT_SWEEP_SPARES) != 0) {
        sweep_range(solver, first, last, kind, true, true);
    } else if ((kind & CONTACT_SWEEP_BIAS) != 0) {
        sweep_range(solver, first, last, kind, true, false);
    } else {
        sweep_range(solver, first, last, kind, false, false);
    }
}
