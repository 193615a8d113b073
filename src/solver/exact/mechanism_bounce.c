// solver/exact/mechanism_bounce.c: limits of a mechanism that throw back values that meet them
// fast.
//
// A stage goes past a limit that bounces as if it were not there. Its projection puts the poses
// back to C = 0, without speed, and has the row leave at -e u, u the speed it was met at. With v
// the speed after the stage, gained at the rate a in it, and C < 0 how far it went,
//     u^2 = v^2 + 2 a (0 - C)
// so that energy knows nothing of where in the stage the limit was met. If a would make u larger
// than v, a is left out: the other links of a chain may have slowed the row down, and they keep
// what they took. The other rows hold during it: J v = 0 on the equalities, which is Newton's law
// of impact for all of the mechanism. When several limits are met at once each throws back by its
// own speed.
//
// A limit that does not bounce and was passed all the same is put back in the same way; the
// projection takes away the speed that goes into it.
//
// Source: J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics", CISM
// Courses and Lectures 302, 1988 (impacts as the projection of velocities, restitution).
// Test: tests/joints/test_joint_limits.c, tests/joints/test_limit_energy.c
#include "solver/exact/mechanism.h"

// m or rad: poses are closed to this, so that a limit passed by less does not count as passed.
#define BOUNCE_PASSED 1e-7

static bool bounce_may_be(const tni_mechanism_actor *actor) {
    return actor->kind == TNI_ACTOR_LIMIT && actor->restitution > 0.0;
}

// Does the projection put the limit back? Where the mechanism touches something it does so only for
// limits that bounce, or once they push: the bodies would be moved past their contacts.
static bool bounce_is_put_back(const tni_mechanism *mechanism, const tni_mechanism_actor *actor) {
    return bounce_may_be(actor) || (actor->kind == TNI_ACTOR_LIMIT && !mechanism->touch.is_touched);
}

bool tni_mechanism_lets_pass(const tni_mechanism *mechanism, const tni_mechanism_actor *actor,
                             double speed) {
    return bounce_may_be(actor) && speed < -mechanism->stage.restitution_threshold && speed < 0.0;
}

static double bounce_get_arrival(const tni_mechanism *mechanism, const tni_mechanism_joint *joint,
                                 uint32_t r, double speed, double h) {
    const tni_exact_row *row = &joint->rows[r];
    double before = tni_exact_row_speed(row, &mechanism->bodies[joint->a].before,
                                        &mechanism->bodies[joint->b].before);
    double rate = speed < before ? (speed - before) / h : 0.0;
    double square = speed * speed - 2.0 * rate * row->error;
    double arrival = square > 0.0 ? -sqrt(square) : 0.0;
    return tni_mechanism_lets_pass(mechanism, &joint->actors[r], arrival) ? arrival : 0.0;
}

bool tni_mechanism_meet_stops(tni_mechanism *mechanism, double h) {
    bool has_met = false;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            if (!bounce_is_put_back(mechanism, actor) || !actor->is_out ||
                joint->rows[r].error > -BOUNCE_PASSED) {
                continue;
            }
            double speed = tni_exact_row_speed(&joint->rows[r], &mechanism->bodies[joint->a].motion,
                                               &mechanism->bodies[joint->b].motion);
            actor->arrival = speed < 0.0 ? bounce_get_arrival(mechanism, joint, r, speed, h) : 0.0;
            actor->is_out = false;
            has_met = true;
        }
    }
    return has_met;
}

void tni_mechanism_leave_stops(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            if (actor->arrival < 0.0) {
                actor->arrival = joint->impulse[r] = 0.0;
                actor->is_out = true;
            }
        }
    }
}
