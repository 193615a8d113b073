// solver/contact_arms.h: the arms of eight contacts follow bodies that turn within a step.
//
// The arms r_a and r_b of a contact reach from the centres of mass x_a and x_b to the same point,
// so
//     x_a + r_a = x_b + r_b        and        offset = r_b - r_a = x_a - x_b.
// One body, the carrier c, takes the points along: its arms turn about the normal n as it does. The
// other body's arms are what the offset leaves. With d the change of the offset, which is that of
// x_a - x_b, and theta the angle by which the carrier turns about n (of a capsule that lies about
// the pivot: its spin about its own axis moves no point),
//     r_c += s (n x r_c) + s theta/2 n x (n x r_c),    s = theta / (1 + theta²/4)
// which is a rotation by theta to second order, and keeps the length. Arms turn about n alone, for
// a point of contact is no point of a body: it goes round with the corner of a crate, but it stays
// beneath a ball that rolls. What the new arms would change of the gap, for the displacement so
// far, is taken from the separation, so that the gap goes on as it was.
//
// The carrier is the body whose centre of mass lies nearest to the line of the load, along n
// through the points' middle: the ball and not the plank, the crate and not the table. What does
// not give way carries nothing. Where the line goes through both centres, ball on ball, the normal
// would have to turn as much as the arms, and all of them stay.
//
// Arms move twice in a substep. Solve A has those of the middle of the drift to come, so that it
// matches velocities there; solve B has those after the drift. With the arms of the step's start
// friction pushes what stands on a turntable along the tangent of that time, outward by
// (w dt)² r / 2 in each step. Contacts whose bodies do not turn keep their arms, for the price of
// one test for eight of them. Test: tests/solver/test_contact_arms.c
#ifndef TNI_SOLVER_CONTACT_ARMS_H
#define TNI_SOLVER_CONTACT_ARMS_H

#include "solver/contact_lanes.h"

// rad per substep: less turning moves no arm.
#define ARMS_LEAST_TURN 1e-4f
// A share of the distance to the point: the load goes through a centre that is no farther from its
// line.
#define ARMS_THROUGH 1e-3f
// The most that arms follow at once: rad, and a share of their length and the distance of the
// centres. Solve A begins with velocities that hold what pushed in the last substep, and where that
// was wrong, as after a step of another length, arms must not go by them.
#define ARMS_MOST_TURN 0.5f
#define ARMS_MOST_WAY  0.5f

// Which body carries the points, in tni_contact_wide; 0 if none does.
#define ARMS_CARRIER_A (-1.0f)
#define ARMS_CARRIER_B 1.0f

TNI_FORCE_INLINE tni_f8 arms_get_miss(tni_v8 arm, tni_v8 n) {
    tni_v8 across = v8_cross(arm, n);
    return v8_dot(across, across);
}

// Chooses the carriers of lanes that are made, whose arms are those of the step's start.
TNI_FORCE_INLINE void arms_begin(const tni_wide_body *a, const tni_wide_body *b,
                                 tni_contact_wide *wide) {
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
    f8_store(wide->followed_turn, zero);
    lanes_store(&wide->followed_way, v8_zero());
}

// The lanes that have a carrier and a body that turns.
TNI_FORCE_INLINE tni_m8 arms_find_turning(const tni_solver *solver, tni_v8 w_a, tni_v8 w_b,
                                          const tni_contact_wide *wide) {
    float rate = ARMS_LEAST_TURN * solver->inv_h;
    tni_f8 fastest = f8_max(v8_dot(w_a, w_a), v8_dot(w_b, w_b));
    return m8_and(f8_less(f8_splat(rate * rate), fastest),
                  f8_less(f8_zero(), f8_abs(f8_load(wide->carrier))));
}

// How the points of a contact turn and move on.
typedef struct arms_step {
    tni_v8 n, way;           // way: of r_a
    tni_v8 to_carrier;       // from r_a to the carrier's arm
    tni_f8 sine, bend;       // s, s theta/2
    tni_v8 spin, offset_way; // w_b - w_a over the step so far; of the offset
    tni_f8 opening;          // what all points' gaps change by
} arms_step;

// The lanes whose way and turn are not too far to follow.
TNI_FORCE_INLINE tni_m8 arms_are_near(const tni_contact_wide *wide, tni_v8 way, tni_f8 turn) {
    tni_v8 r_a = lanes_load(&wide->middle), offset = lanes_load(&wide->offset);
    tni_f8 square = f8_add(v8_dot(r_a, r_a), v8_dot(offset, offset));
    tni_f8 most = f8_mul(f8_splat(ARMS_MOST_WAY * ARMS_MOST_WAY), square);
    return m8_and(f8_less(f8_abs(turn), f8_splat(ARMS_MOST_TURN)), f8_less(v8_dot(way, way), most));
}

// Finds how far arms have to move, and notes in the lanes how far they have come then.
TNI_FORCE_INLINE arms_step arms_get_step(const tni_solver *solver, tni_m8 turns,
                                         const uint32_t body_a[TNI_CONTACTS],
                                         const uint32_t body_b[TNI_CONTACTS],
                                         const tni_wide_body *a, const tni_wide_body *b,
                                         float ahead, tni_contact_wide *wide) {
    tni_v8 way_a, way_b, turn_a, turn_b, zero = v8_zero();
    lanes_gather_delta(solver->deltas, body_a, &way_a, &turn_a);
    lanes_gather_delta(solver->deltas, body_b, &way_b, &turn_b);
    arms_step step = {.n = lanes_load(&wide->normal), .spin = v8_sub(turn_b, turn_a)};
    tni_f8 time = f8_splat(ahead), half = f8_splat(0.5f);
    tni_v8 old_way = lanes_load(&wide->followed_way);
    tni_v8 way = v8_add_scaled(v8_sub(way_a, way_b), time, v8_sub(a->v, b->v));
    tni_m8 is_b = f8_less(f8_zero(), f8_load(wide->carrier));
    tni_v8 rotation =
        v8_pick(is_b, v8_add_scaled(turn_b, time, b->w), v8_add_scaled(turn_a, time, a->w));
    tni_f8 old_turn = f8_load(wide->followed_turn),
           turn = v8_dot(lanes_load(&wide->pivot), rotation);
    tni_m8 follows =
        m8_and(turns, arms_are_near(wide, v8_sub(way, old_way), f8_sub(turn, old_turn)));
    way = v8_pick(follows, way, old_way);
    turn = f8_pick(follows, turn, old_turn);
    lanes_store(&wide->followed_way, way);
    f8_store(wide->followed_turn, turn);
    tni_f8 theta = f8_sub(turn, old_turn), half_theta = f8_mul(half, theta);
    step.sine = f8_div(theta, f8_add_product(f8_splat(1.0f), half_theta, half_theta));
    step.bend = f8_mul(step.sine, half_theta);
    step.offset_way = v8_sub(way, old_way);
    step.way = v8_pick(is_b, v8_sub(zero, step.offset_way), zero);
    step.to_carrier = v8_pick(is_b, lanes_load(&wide->offset), zero);
    step.opening = v8_dot(step.n, v8_cross(turn_b, step.offset_way));
    return step;
}

// Returns the change of r_a, or of r_a x n if the other two vectors are crossed with n as well.
TNI_FORCE_INLINE tni_v8 arms_get_change(const arms_step *step, tni_v8 r, tni_v8 to_carrier,
                                        tni_v8 way) {
    tni_v8 across = v8_cross(step->n, v8_add(r, to_carrier));
    tni_v8 change = v8_add_scaled(way, step->sine, across);
    return v8_add_scaled(change, step->bend, v8_cross(step->n, across));
}

// The change of the torques of impulses when their arms move, about a's centres and b's.
typedef struct arms_torque {
    tni_v8 of_a, of_b;
} arms_torque;

TNI_FORCE_INLINE tni_v8 arms_get_force(const tni_contact_wide *wide,
                                       float normal[TNI_LANES][TNI_CONTACTS],
                                       float slide[3][TNI_CONTACTS], tni_v8 *out_friction) {
    tni_v8 force = v8_scale(f8_load(slide[0]), lanes_load(&wide->tangent[0]));
    force = v8_add_scaled(force, f8_load(slide[1]), lanes_load(&wide->tangent[1]));
    tni_f8 sum = f8_load(normal[0]);
    for (uint32_t p = 1; p < TNI_LANES; ++p) {
        sum = f8_add(sum, f8_load(normal[p]));
    }
    *out_friction = force;
    return v8_add_scaled(force, sum, lanes_load(&wide->normal));
}

// The arms of lanes that turn, as they are `ahead` s from now by the bodies' present velocities.
// Their impulses go along: those of the substep, and the halves of the last one's.
TNI_FORCE_INLINE void arms_follow(const tni_solver *solver, const uint32_t body_a[TNI_CONTACTS],
                                  const uint32_t body_b[TNI_CONTACTS], const tni_wide_body *a,
                                  const tni_wide_body *b, float ahead, tni_contact_wide *wide,
                                  arms_torque *total, arms_torque *warm) {
    tni_m8 turns = arms_find_turning(solver, a->w, b->w, wide);
    arms_step step = arms_get_step(solver, turns, body_a, body_b, a, b, ahead, wide);
    tni_v8 middle = lanes_load(&wide->middle), friction, warm_friction;
    tni_v8 force = arms_get_force(wide, wide->impulse, wide->slide, &friction);
    tni_v8 warm_force = arms_get_force(wide, wide->warm, wide->slide_warm, &warm_friction);
    tni_v8 change = arms_get_change(&step, middle, step.to_carrier, step.way);
    total->of_a = v8_cross(change, friction);
    warm->of_a = v8_cross(change, warm_friction);
    lanes_store(&wide->middle, v8_add(middle, change));
    lanes_store(&wide->offset, v8_add(lanes_load(&wide->offset), step.offset_way));
    tni_v8 to_carrier = v8_cross(step.to_carrier, step.n), way = v8_cross(step.way, step.n);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_v8 turn = lanes_load(&wide->turn[p]);
        change = arms_get_change(&step, turn, to_carrier, way);
        total->of_a = v8_add_scaled(total->of_a, f8_load(wide->impulse[p]), change);
        warm->of_a = v8_add_scaled(warm->of_a, f8_load(wide->warm[p]), change);
        lanes_store(&wide->turn[p], v8_add(turn, change));
        tni_f8 opening = lanes_add_dot(step.opening, change, step.spin);
        f8_store(wide->separation[p], f8_sub(f8_load(wide->separation[p]), opening));
    }
    total->of_b = v8_add(total->of_a, v8_cross(step.offset_way, force));
    warm->of_b = v8_add(warm->of_a, v8_cross(step.offset_way, warm_force));
}

#endif
