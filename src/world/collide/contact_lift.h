// world/collide/contact_lift.h: what lifts a pile out of its own softness.
//
// Sweeps bear a load only at a depth: each solve A takes the share `leak` off an impulse x, and the
// point gives it back by being sunk in to
//     sink = leak x / (mass_scale rate m)        (solver/rows/softness.c; m the contact's mass)
// which grows with what lies above, so that a pyramid of base n sinks as n^2. A stiffer spring is
// no cure. In a wave that is long compared with a body, an impulse that gives the bodies'
// velocities the share e of what it changes the contact's own goes, per substep and with a the
// updates of it that a substep makes, as
//     x' = -m (a v + b s) - l x       b = 2 mass_scale rate, l = 2 leak
//     v' = e x / m
//     s' = h v
//     D^3 + l D^2 + e a D + e b h = 0
// which dies away if and only if l a > b h;
// and l / b, the sink of a unit load, cannot be less than h/a, however the spring is tuned.
//
// But the load of a pile stands still where its waves do not. So each contact has a lift: it counts
// as closed so much sooner, and the lift follows the sink of its load slowly, at the share f of a
// substep. That adds a slow root -f and is stable for f up to about 30 e, e = 2e-4 for a hundred
// layers. What a pile has sunk to is given back within a second but for LIFT_LEFT of it.
//
// A lift that is far from what it follows goes faster, for a pile that is built or taken down. It
// follows the sink of the load, and never more than the depth at which points are: a blow sinks in
// without lifting, and what lies deep in something else is driven out without being lifted off. Nor
// does what turns on the other body rise: below a ball that rolls, a lift that grows is a radius
// that changes, and one below a ladder that slides does work.
// Test: tests/world/collide/test_contact_lift.c
#ifndef TNI_WORLD_COLLIDE_CONTACT_LIFT_H
#define TNI_WORLD_COLLIDE_CONTACT_LIFT_H

#include "core/maths.h"

// The share of its sink that a contact keeps.
#define LIFT_LEFT 0.1f
// The shares of what is missing by which the lift goes on in a substep: near its goal, and more
// where all of it is missing. And the most in a step.
#define LIFT_SLOW 0.005f
#define LIFT_FAST 0.035f
#define LIFT_MOST 0.3f
// rad in a substep: what turns faster on the other body is not lifted any farther.
#define LIFT_TURN 2e-3f
// m: under what is divided by.
#define LIFT_TINY 1e-20f

// Returns the lift after a step, m, of a contact that its load would sink by `sink`.
static inline float tni_contact_lift_follow(float lift, float sink, uint32_t substeps) {
    float goal = (1.0f - LIFT_LEFT) * sink, missing = goal - lift;
    float share = missing / (maths_max(goal, lift) + LIFT_TINY);
    float rate = (float)substeps * (LIFT_SLOW + LIFT_FAST * share * share);
    return lift + maths_min(rate, LIFT_MOST) * missing;
}

#endif
