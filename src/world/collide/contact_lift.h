// world/collide/contact_lift.h: lifts a pile out of its own softness.
//
// Sweeps bear a load only at a depth: each solve A takes the share `leak` off an impulse x, and the
// point gives it back by sinking to the depth
//     sink = leak x / (mass_scale rate m)        (solver/rows/softness.c; m the contact's mass)
// which grows with what lies above, so that a pyramid of base n sinks as n^2. A stiffer spring is
// no cure. Take a wave that is long compared with a body, in which an impulse changes the bodies'
// velocities by the share e of its change of the contact's own. With a updates per substep the
// impulse then goes as
//     x' = -m (a v + b s) - l x       b = 2 mass_scale rate, l = 2 leak
//     v' = e x / m
//     s' = h v
//     D^3 + l D^2 + e a D + e b h = 0
// which dies away if and only if l a > b h;
// and l / b, the sink of a unit load, cannot be less than h/a, however the spring is tuned.
//
// But a pile's load stands still while its waves do not. So each contact has a lift by which it
// counts as closed sooner, and the lift follows the sink of its load slowly, by the share f per
// substep. That adds a slow root -f and is stable for f up to about 30 e, e = 2e-4 for a hundred
// layers. A pile is raised within a second by all that it has sunk, except LIFT_LEFT of it.
//
// A lift that is far from its goal goes faster, for a pile that is built or taken down. The goal is
// the sink of the load, but never more than the points' depth: a blow sinks in without lifting, and
// a body that lies deep in another is driven out without being lifted off. A body that turns on the
// other is not lifted farther: below a ball that rolls, a growing lift is a changing radius, and
// one below a ladder that slides does work.
// Test: tests/world/collide/test_contact_lift.c
#ifndef TNI_WORLD_COLLIDE_CONTACT_LIFT_H
#define TNI_WORLD_COLLIDE_CONTACT_LIFT_H

#include "core/maths.h"

// The share of its sink that a contact keeps.
#define LIFT_LEFT 0.1f
// The lift changes in a substep by these shares of what is missing: near its goal, and far from it.
// The third is the most in a step.
#define LIFT_SLOW 0.005f
#define LIFT_FAST 0.035f
#define LIFT_MOST 0.3f
// rad per substep: a body that turns faster on the other is not lifted any farther.
#define LIFT_TURN 2e-3f
// m: a lower bound of divisors.
#define LIFT_TINY 1e-20f

// Returns the lift after a step, m, of a contact that its load would sink by `sink`.
static inline float tni_contact_lift_follow(float lift, float sink, uint32_t substeps) {
    float goal = (1.0f - LIFT_LEFT) * sink, missing = goal - lift;
    float share = missing / (maths_max(goal, lift) + LIFT_TINY);
    float rate = (float)substeps * (LIFT_SLOW + LIFT_FAST * share * share);
    return lift + maths_min(rate, LIFT_MOST) * missing;
}

#endif
