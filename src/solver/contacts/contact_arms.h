// solver/contacts/contact_arms.h: the arms and normals of eight contacts follow bodies that turn
// within a step.
//
// The arms r_a and r_b of a contact reach from the centres of mass x_a and x_b to the same point,
// so
//     x_a + r_a = x_b + r_b        and        offset o = r_b - r_a = x_a - x_b.
// The normal n turns with the body whose face it belongs to (`face`; with none where the surface is
// round). The points turn with the carrier c: a surface is a radius rho around a core k that turns
// with its body (the corner or edge of a box, the axis of a capsule, the centre of a ball), so with
// the rotations R_c and R_n of the two since the arms moved last,
//     k = r_c -+ rho n,        r_c <- R_c k +- rho R_n n,        n <- R_n n
// upper signs for a. The point stays beneath a ball that rolls and goes round with a crate. Arms
// reach to the surface of a carrier that is round, else to the middle of the gap, so that rho
// counts half of it. The other body's arms follow from the offset. Points of a manifold lie across
// n from their middle, and turn about it with R_c. The spin of a capsule that lies about its axis
// moves none of its points and is left out of R_c: it goes round with the axis.
//
// An edge or a corner (two points or one) that meets a face belongs to the other body, which
// carries it even where it does not give way. Else the carrier is the body whose centre of mass
// lies nearest to the line of the load, along n through the points' middle: the ball and not the
// plank, the crate and not the table. When the line goes through both centres, ball on ball, the
// normal would have to turn as much as the arms, and all of them stay.
//
// A contact that stays closed is a constraint, and a substep is one step of RATTLE (H. Andersen,
// "Rattle: a velocity version of the Shake algorithm", J. Comput. Phys. 52, 1983): half the impulse
// acts at the geometry of the substep's start, so that the gap is right after the drift, and half
// at that of its end, so that the velocities fit it. Arms therefore move once, after the drift. In
// solve A rows have the arms of the start; velocities that fit the middle of the drift have
//     J v + h/2 dJ/dt v = 0,        dJ/dt v = n'.u_p + n.(w_b x r_b' - w_a x r_a')
// with u_p the relative velocity of the points, n' = w_n x n, r_c' = w_c x k +- rho n' and
// o' = v_a - v_b. This "bend" is linear in the turn r x n of a point: a velocity along n and a spin
// that are added to those of the bodies. Rows of friction get h/2 t.(w_b x r_b' - w_a x r_a').
// The drift also changes the spin of a body that turns freely, by w' = -I^-1 (w x I w). Where a
// curved shape stands on its rim or rolls on an end, that counts as w_b' x r_b - w_a' x r_a beside
// the above: without it the energy of a coin that rolls in a circle grows by 0.4 % in a second. The
// energy of a body that slides or pivots is kept to second order; with the arms of the step's start
// it falls or rises by the impulse times w r in each step, and a body on a turntable creeps
// outward. Only contacts that pushed in the last substep bend: the velocities at which a blow comes
// say nothing of those after it.
//
// Directions of friction with a grain turn with the bodies that have it: see contact_grains.h.
//
// The gap follows the mean of J before and after the drift. Contacts whose bodies do not turn keep
// their arms, for the price of one test for eight of them. Test:
// tests/solver/contacts/test_contact_arms.c
#ifndef TNI_SOLVER_CONTACTS_CONTACT_ARMS_H
#define TNI_SOLVER_CONTACTS_CONTACT_ARMS_H

#include "solver/contacts/contact_lanes.h"

// The load goes through a centre that is no farther from its line than this share of the distance
// to the point.
#define ARMS_THROUGH 1e-3f
// Arms follow or bend by no more than this at once: rad, and a share of their length and of the
// distance of the centres.
#define ARMS_MOST_TURN 0.5f
#define ARMS_MOST_WAY  0.5f

// Says which body carries the points, in tni_contact_wide; 0 if none does.
#define ARMS_CARRIER_A (-1.0f)
#define ARMS_CARRIER_B 1.0f

TNI_KERNEL tni_f8 arms_get_miss(tni_v8 arm, tni_v8 n) {
    tni_v8 across = v8_cross(arm, n);
    return v8_dot(across, across);
}

// Returns the axis about which a contact twists, with `axis` of a capsule that lies:
// tni_contact_lie.
TNI_KERNEL tni_v8 arms_get_pivot(tni_v8 n, tni_v8 axis) {
    return v8_add_scaled(n, f8_sub(f8_zero(), v8_dot(n, axis)), axis);
}

// Chooses the carriers of lanes that are made, whose arms are those of the step's start.
TNI_KERNEL void arms_begin(const tni_wide_body *a, const tni_wide_body *b, tni_contact_wide *wide) {
    tni_f8 zero = f8_zero(), least = f8_splat(ARMS_THROUGH * ARMS_THROUGH);
    tni_v8 n = lanes_load(&wide->normal), r_a = lanes_load(&wide->middle);
    tni_v8 r_b = v8_add(r_a, lanes_load(&wide->offset));
    tni_f8 miss_a = arms_get_miss(r_a, n), miss_b = arms_get_miss(r_b, n);
    tni_m8 moves_a = f8_less(zero, v8_dot(a->inv_mass, a->inv_mass));
    tni_m8 moves_b = f8_less(zero, v8_dot(b->inv_mass, b->inv_mass));
    tni_m8 misses = m8_or(f8_less(f8_mul(least, v8_dot(r_a, r_a)), miss_a),
                          f8_less(f8_mul(least, v8_dot(r_b, r_b)), miss_b));
    tni_f8 of_a = f8_splat(ARMS_CARRIER_A), of_b = f8_splat(ARMS_CARRIER_B);
    tni_f8 nearer = f8_pick(f8_less(miss_a, miss_b), of_a, of_b);
    tni_f8 of_both = f8_pick(misses, nearer, zero);
    tni_f8 carrier = f8_pick(moves_a, f8_pick(moves_b, of_both, of_a), of_b);
    f8_store(wide->carrier, carrier);
    lanes_store(&wide->followed_way, v8_zero());
    lanes_store(&wide->followed_turn_a, v8_zero());
    lanes_store(&wide->followed_turn_b, v8_zero());
}

// Finds the lanes that have a carrier and a body that turns.
TNI_KERNEL tni_m8 arms_find_turning(const tni_solver *solver, tni_v8 w_a, tni_v8 w_b,
                                    const tni_contact_wide *wide) {
    float rate = TNI_CONTACT_LEAST_TURN * solver->inv_h;
    tni_f8 fastest = f8_max(v8_dot(w_a, w_a), v8_dot(w_b, w_b));
    return m8_and(f8_less(f8_splat(rate * rate), fastest),
                  f8_less(f8_zero(), f8_abs(f8_load(wide->carrier))));
}

// These pick from a vector of each body the one of the carrier, and the one of the body of the
// normal.
TNI_KERNEL tni_v8 arms_pick_carrier(const tni_contact_wide *wide, tni_v8 of_a, tni_v8 of_b) {
    return v8_pick(f8_less(f8_zero(), f8_load(wide->carrier)), of_b, of_a);
}
TNI_KERNEL tni_v8 arms_pick_face(const tni_contact_wide *wide, tni_v8 of_a, tni_v8 of_b) {
    tni_f8 face = f8_load(wide->face), zero = f8_zero();
    return v8_pick(f8_less(zero, face), of_b, v8_pick(f8_less(face, zero), of_a, v8_zero()));
}

// Returns the distance from the core of the carrier's surface to its point, along n.
TNI_KERNEL tni_f8 arms_get_radius(const tni_contact_wide *wide) {
    tni_f8 radius = f8_load(wide->radius);
    return f8_pick(f8_less(f8_zero(), f8_load(wide->carrier)), f8_sub(f8_zero(), radius), radius);
}

// Returns the vector from the carrier's centre of mass to the core of its surface, at the points'
// middle.
TNI_KERNEL tni_v8 arms_get_core(const tni_contact_wide *wide) {
    tni_v8 arm = arms_pick_carrier(wide, v8_zero(), lanes_load(&wide->offset));
    arm = v8_add(arm, lanes_load(&wide->middle));
    return v8_add_scaled(arm, f8_sub(f8_zero(), arms_get_radius(wide)), lanes_load(&wide->normal));
}

// Returns the part of a carrier's turn about the axis of a capsule that lies.
TNI_KERNEL tni_v8 arms_get_roll(const tni_contact_wide *wide, tni_v8 turn) {
    tni_v8 axis = lanes_load(&wide->axis);
    return v8_scale(v8_dot(axis, turn), axis);
}

// Finds the lanes whose points and normal do not turn too far to follow. A single point may spin
// about its core freely: a ball that rolls keeps its arm. The core of a flat curve is far outside
// of its body, as on the side of a long ellipsoid: where a small turn takes the point farther than
// it is from the centre of mass, the curve ends before.
TNI_KERNEL tni_m8 arms_turn_little(const tni_contact_wide *wide, tni_v8 of_points,
                                   tni_v8 of_normal) {
    tni_f8 most = f8_splat(ARMS_MOST_TURN * ARMS_MOST_TURN);
    tni_v8 core = arms_get_core(wide), swing = v8_cross(of_points, core);
    tni_v8 arm = v8_add_scaled(core, arms_get_radius(wide), lanes_load(&wide->normal));
    tni_f8 square = v8_dot(arm, arm), way = v8_dot(swing, swing);
    tni_m8 is_alone = f8_less(f8_load(wide->separation[1]), f8_splat(0.5f * TNI_CONTACT_NO_POINT));
    tni_m8 swings_little = f8_less(way, f8_mul(most, square));
    tni_m8 turns_little = f8_less(v8_dot(of_points, of_points), most);
    turns_little = m8_and(turns_little, f8_less(way, square));
    tni_m8 is_near = m8_or(turns_little, m8_and(is_alone, swings_little));
    return m8_and(is_near, f8_less(v8_dot(of_normal, of_normal), most));
}

// ---- in the middle of the drift -----------------------------------------------------------------

// Finds the lanes that have pushed in the last substep.
TNI_KERNEL tni_m8 arms_find_loaded(const tni_contact_wide *wide) {
    tni_f8 load = f8_load(wide->warm[0]);
    for (uint32_t p = 1; p < TNI_LANES; ++p) {
        load = f8_add(load, f8_load(wide->warm[p]));
    }
    return f8_less(f8_zero(), load);
}

// J v of the rows changes by this in half a substep, because arms and normals turn: for a point
// with the turn r x n by along + (r x n)·spin, and along the tangents by slide.
typedef struct arms_bend {
    tni_v8 spin;
    tni_f8 along, slide[2];
} arms_bend;

// Returns a power of two that takes an inverse inertia near to 1, so that its determinant is a
// float for bodies of a tenth of a millimetre and of ten kilometres alike.
TNI_KERNEL tni_f8 arms_get_unit(const tni_s8 *m) {
    tni_f8 trace = f8_add(f8_add(m->xx, m->yy), m->zz), unit = f8_splat(1.0f);
    unit = f8_pick(f8_less(f8_splat(0x1p20f), trace), f8_splat(0x1p-40f), unit);
    unit = f8_pick(f8_less(f8_splat(0x1p60f), trace), f8_splat(0x1p-80f), unit);
    unit = f8_pick(f8_less(trace, f8_splat(0x1p-20f)), f8_splat(0x1p40f), unit);
    return f8_pick(f8_less(trace, f8_splat(0x1p-60f)), f8_splat(0x1p80f), unit);
}

// Returns how the angular velocity of a body changes that turns freely: -I^-1 (w x I w), with
// I w = adj(I^-1) w / det(I^-1), in which the unit of I does not count. 0 of a body that nothing
// turns.
TNI_KERNEL tni_v8 arms_get_free_rate(const tni_wide_body *body) {
    tni_s8 scaled = body->inv_inertia;
    tni_f8 unit = arms_get_unit(&scaled);
    scaled.xx = f8_mul(scaled.xx, unit);
    scaled.yy = f8_mul(scaled.yy, unit);
    scaled.zz = f8_mul(scaled.zz, unit);
    scaled.xy = f8_mul(scaled.xy, unit);
    scaled.xz = f8_mul(scaled.xz, unit);
    scaled.yz = f8_mul(scaled.yz, unit);
    const tni_s8 *m = &scaled;
    tni_v8 x = {m->xx, m->xy, m->xz}, y = {m->xy, m->yy, m->yz}, z = {m->xz, m->yz, m->zz};
    tni_v8 yz = v8_cross(y, z);
    tni_f8 determinant = v8_dot(x, yz), zero = f8_zero();
    tni_v8 momentum = {v8_dot(yz, body->w), v8_dot(v8_cross(z, x), body->w),
                       v8_dot(v8_cross(x, y), body->w)};
    tni_m8 turns = f8_less(zero, determinant);
    tni_f8 inverse = f8_div(f8_splat(-1.0f), f8_pick(turns, determinant, f8_splat(1.0f)));
    inverse = f8_pick(turns, inverse, zero);
    return v8_scale(inverse, s8_mul(m, v8_cross(body->w, momentum)));
}

TNI_KERNEL void arms_get_bend(const tni_solver *solver, const tni_wide_body *a,
                              const tni_wide_body *b, const tni_contact_wide *wide,
                              arms_bend *bend) {
    tni_v8 n = lanes_load(&wide->normal), offset = lanes_load(&wide->offset), none = v8_zero();
    tni_v8 middle = lanes_load(&wide->middle), turn = v8_cross(middle, n);
    tni_v8 spin = arms_pick_carrier(wide, a->w, b->w), other = arms_pick_carrier(wide, b->w, a->w);
    tni_v8 roll = arms_get_roll(wide, spin), of_face = arms_pick_face(wide, a->w, b->w);
    spin = v8_sub(spin, roll);
    tni_m8 bends = m8_and(arms_find_turning(solver, a->w, b->w, wide), arms_find_loaded(wide));
    tni_f8 h = f8_splat(solver->h);
    bends = m8_and(bends, arms_turn_little(wide, v8_scale(h, spin), v8_scale(h, of_face)));
    tni_f8 half = f8_pick(bends, f8_splat(0.5f * solver->h), f8_zero());
    lanes_motion m = lanes_get_motion(a->v, a->w, b->v, b->w, offset);
    tni_v8 normal_rate = v8_cross(of_face, n), core_rate = v8_cross(spin, arms_get_core(wide));
    tni_v8 steady = v8_sub(m.w, arms_pick_carrier(wide, v8_sub(none, roll), roll));
    tni_v8 pull = v8_cross(v8_scale(arms_get_radius(wide), m.w), normal_rate);
    pull = v8_add(pull, v8_cross(steady, core_rate));
    pull = v8_add(pull, v8_cross(other, v8_sub(a->v, b->v)));
    tni_m8 rolls = f8_less(f8_zero(), f8_load(wide->rolls));
    tni_v8 free_rate = none;
    if (m8_any(rolls)) {
        tni_v8 free_a = v8_pick(rolls, arms_get_free_rate(a), none);
        tni_v8 free_b = v8_pick(rolls, arms_get_free_rate(b), none);
        pull = v8_add(pull, v8_cross(free_b, v8_add(middle, offset)));
        pull = v8_sub(pull, v8_cross(free_a, middle));
        free_rate = v8_sub(free_b, free_a);
    }
    tni_v8 speed = v8_add(m.u, v8_cross(m.w, middle));
    tni_v8 slope = v8_add(v8_cross(normal_rate, steady), v8_cross(v8_cross(n, steady), spin));
    tni_f8 at_middle = f8_mul(half, f8_add(v8_dot(normal_rate, speed), v8_dot(n, pull)));
    bend->spin = v8_scale(half, v8_add(v8_cross(slope, n), free_rate));
    bend->along = f8_sub(at_middle, v8_dot(turn, bend->spin));
    for (uint32_t t = 0; t < 2; ++t) {
        bend->slide[t] = f8_mul(half, v8_dot(lanes_load(&wide->tangent[t]), pull));
    }
}

// ---- after the drift ----------------------------------------------------------------------------

// Bodies have moved by this since arms followed them last, and in all.
typedef struct arms_step {
    tni_m8 follows;                         // the lanes that move at all
    tni_v8 way, turn_a, turn_b;             // way: of the offset
    tni_v8 of_points, of_normal;            // how far these turn
    tni_v8 all_way, all_turn_a, all_turn_b; // until the middle of that
} arms_step;

// Finds the lanes whose way and turn are not too far to follow.
TNI_KERNEL tni_m8 arms_are_near(const tni_contact_wide *wide, const arms_step *step) {
    tni_v8 r_a = lanes_load(&wide->middle), offset = lanes_load(&wide->offset);
    tni_f8 square = f8_add(v8_dot(r_a, r_a), v8_dot(offset, offset));
    tni_f8 most = f8_mul(f8_splat(ARMS_MOST_WAY * ARMS_MOST_WAY), square);
    return m8_and(arms_turn_little(wide, step->of_points, step->of_normal),
                  f8_less(v8_dot(step->way, step->way), most));
}

// Finds how far arms have to move, and notes in the lanes how far they will have come.
TNI_KERNEL arms_step arms_get_step(const tni_solver *solver, tni_m8 turns,
                                   const uint32_t body_a[TNI_CONTACTS],
                                   const uint32_t body_b[TNI_CONTACTS], tni_contact_wide *wide) {
    tni_v8 way_a, way_b, turn_a, turn_b, zero = v8_zero();
    tni_f8 half = f8_splat(-0.5f);
    lanes_gather_delta(solver->bodies.deltas, body_a, &way_a, &turn_a);
    lanes_gather_delta(solver->bodies.deltas, body_b, &way_b, &turn_b);
    tni_v8 way = v8_sub(way_a, way_b);
    tni_v8 old_way = lanes_load(&wide->followed_way);
    tni_v8 old_a = lanes_load(&wide->followed_turn_a), old_b = lanes_load(&wide->followed_turn_b);
    arms_step step = {.follows = turns,
                      .way = v8_sub(way, old_way),
                      .turn_a = v8_sub(turn_a, old_a),
                      .turn_b = v8_sub(turn_b, old_b)};
    step.of_points = arms_pick_carrier(wide, step.turn_a, step.turn_b);
    step.of_points = v8_sub(step.of_points, arms_get_roll(wide, step.of_points));
    step.of_normal = arms_pick_face(wide, step.turn_a, step.turn_b);
    step.follows = m8_and(turns, arms_are_near(wide, &step));
    step.way = v8_pick(step.follows, step.way, zero);
    step.turn_a = v8_pick(step.follows, step.turn_a, zero);
    step.turn_b = v8_pick(step.follows, step.turn_b, zero);
    lanes_store(&wide->followed_way, v8_add(old_way, step.way));
    lanes_store(&wide->followed_turn_a, v8_add(old_a, step.turn_a));
    lanes_store(&wide->followed_turn_b, v8_add(old_b, step.turn_b));
    step.all_way = v8_add_scaled(way, half, step.way);
    step.all_turn_a = v8_add_scaled(turn_a, half, step.turn_a);
    step.all_turn_b = v8_add_scaled(turn_b, half, step.turn_b);
    return step;
}

// A rotation is given by the Cayley form of its vector, which is right to second order and keeps
// lengths.
typedef struct arms_rotation {
    tni_v8 vector;
    tni_f8 sine, bend;
} arms_rotation;

TNI_KERNEL arms_rotation arms_get_rotation(tni_v8 vector) {
    tni_f8 half = f8_splat(0.5f), one = f8_splat(1.0f);
    arms_rotation rotation = {.vector = vector};
    tni_f8 square = f8_mul(f8_splat(0.25f), v8_dot(vector, vector));
    rotation.sine = f8_div(one, f8_add(one, square));
    rotation.bend = f8_mul(half, rotation.sine);
    return rotation;
}

TNI_KERNEL tni_v8 arms_rotate(const arms_rotation *by, tni_v8 r) {
    tni_v8 across = v8_cross(by->vector, r);
    return v8_add_scaled(v8_add_scaled(r, by->sine, across), by->bend,
                         v8_cross(by->vector, across));
}

// A contact gives b this impulse, and these about a's and b's centres.
typedef struct arms_push {
    tni_v8 force, of_a, of_b;
} arms_push;

TNI_KERNEL arms_push arms_get_push(const tni_contact_wide *wide,
                                   float normal[TNI_LANES][TNI_CONTACTS],
                                   float slide[3][TNI_CONTACTS]) {
    tni_v8 n = lanes_load(&wide->normal);
    tni_v8 rub = v8_scale(f8_load(slide[0]), lanes_load(&wide->tangent[0]));
    rub = v8_add_scaled(rub, f8_load(slide[1]), lanes_load(&wide->tangent[1]));
    tni_v8 torque = v8_scale(f8_load(slide[2]), lanes_load(&wide->pivot));
    torque = v8_add(torque, v8_cross(lanes_load(&wide->middle), rub));
    tni_f8 sum = f8_zero();
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 x = f8_load(normal[p]);
        sum = f8_add(sum, x);
        torque = v8_add_scaled(torque, x, lanes_load(&wide->turn[p]));
    }
    tni_v8 force = v8_add_scaled(rub, sum, n);
    arms_push push = {force, torque, v8_add(torque, v8_cross(lanes_load(&wide->offset), force))};
    return push;
}

TNI_KERNEL arms_push arms_get_change(const arms_push *from, const arms_push *to) {
    arms_push change = {v8_sub(to->force, from->force), v8_sub(to->of_a, from->of_a),
                        v8_sub(to->of_b, from->of_b)};
    return change;
}

// Adds to the gaps J of the displacement until the middle of the last drift, or takes it from them.
TNI_KERNEL void arms_shift_gaps(const arms_step *step, bool adds, tni_contact_wide *wide) {
    tni_v8 u = v8_sub(v8_cross(step->all_turn_b, lanes_load(&wide->offset)), step->all_way);
    tni_v8 spin = v8_sub(step->all_turn_b, step->all_turn_a);
    tni_f8 common = v8_dot(lanes_load(&wide->normal), u);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 way = lanes_add_dot(common, lanes_load(&wide->turn[p]), spin);
        tni_f8 gap = f8_load(wide->separation[p]),
               moved = adds ? f8_add(gap, way) : f8_sub(gap, way);
        f8_store(wide->separation[p], f8_pick(step->follows, moved, gap));
    }
}

TNI_KERNEL void arms_store(const arms_step *step, tni_v8 v, tni_contact_vec *to) {
    lanes_store(to, v8_pick(step->follows, v, lanes_load(to)));
}

TNI_KERNEL void arms_turn(const arms_step *step, tni_contact_wide *wide) {
    tni_v8 n = lanes_load(&wide->normal), offset = lanes_load(&wide->offset);
    tni_v8 middle = lanes_load(&wide->middle), turn = v8_cross(middle, n), zero = v8_zero();
    tni_v8 new_offset = v8_add(offset, step->way);
    arms_rotation of_points = arms_get_rotation(step->of_points);
    arms_rotation of_normal = arms_get_rotation(step->of_normal);
    tni_v8 new_n = arms_rotate(&of_normal, n), core = arms_rotate(&of_points, arms_get_core(wide));
    tni_v8 arm = v8_add_scaled(core, arms_get_radius(wide), new_n);
    tni_v8 new_middle = v8_sub(arm, arms_pick_carrier(wide, zero, new_offset));
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_v8 away = v8_cross(n, v8_sub(lanes_load(&wide->turn[p]), turn));
        away = arms_rotate(&of_points, away);
        arms_store(step, v8_cross(v8_add(new_middle, away), new_n), &wide->turn[p]);
    }
    tni_v8 t1 = arms_rotate(&of_normal, lanes_load(&wide->tangent[0]));
    arms_store(step, new_n, &wide->normal);
    arms_store(step, t1, &wide->tangent[0]);
    arms_store(step, v8_cross(new_n, t1), &wide->tangent[1]);
    tni_v8 axis = arms_rotate(&of_points, lanes_load(&wide->axis));
    arms_store(step, axis, &wide->axis);
    arms_store(step, arms_get_pivot(new_n, axis), &wide->pivot);
    arms_store(step, new_offset, &wide->offset);
    arms_store(step, new_middle, &wide->middle);
}

// Makes the arms of lanes that turn as they are now.
TNI_KERNEL arms_step arms_follow(const tni_solver *solver, const uint32_t body_a[TNI_CONTACTS],
                                 const uint32_t body_b[TNI_CONTACTS], const tni_wide_body *a,
                                 const tni_wide_body *b, tni_contact_wide *wide) {
    tni_m8 turns = arms_find_turning(solver, a->w, b->w, wide);
    arms_step step = arms_get_step(solver, turns, body_a, body_b, wide);
    arms_shift_gaps(&step, true, wide);
    arms_turn(&step, wide);
    arms_shift_gaps(&step, false, wide);
    return step;
}

#endif
