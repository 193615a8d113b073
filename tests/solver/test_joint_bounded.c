// Tests of solver/joint_bounded.h: limits far from their ends are left alone, and not too long.
#include <criterion/criterion.h>
#include <math.h>

#include "solver/joint_bounded.h"

typedef struct pair {
    tni_solver solver;
    tni_body_state states[2];
    tni_joint_block block;
} pair;

static pair make_pair(float speed, float room) {
    pair p = {.solver = {.h = 1.0f / 240.0f}, .block = {.body_b = 1, .limit_room = room}};
    p.states[1].w = maths_vec3(0.6f * speed, 0.0f, 0.8f * speed);
    return p;
}

// Turning straight at the limit, until it is looked at again.
static double turn_at_rest(float speed) {
    pair p = make_pair(speed, 0.5f);
    p.solver.states = p.states;
    double turned = 0.0;
    while (tni_joint_bounded_rests(&p.solver, &p.block) && turned < 1.0) {
        turned += (double)(p.solver.h * speed);
    }
    return turned;
}

Test(joint_bounded, limits_rest_until_they_may_be_reached) {
    for (float speed = 0.25f; speed < 10.0f; speed *= 2.0f) {
        double turned = turn_at_rest(speed), substep = (double)speed / 240.0;
        // A row may be twice as long as the turn, and four substeps are kept in hand.
        cr_assert(2.0 * turned < 0.5 - 0.02 - 8.0 * substep, "%g rad/s: %g rad", (double)speed,
                  turned);
        cr_assert(2.0 * turned > 0.5 - 0.02 - 14.0 * substep - 0.01, "%g rad/s: %g rad",
                  (double)speed, turned);
    }
    cr_assert(turn_at_rest(40.0f) == 0.0);
}

Test(joint_bounded, what_has_no_room_does_not_rest) {
    const float rooms[4] = {0.0f, 0.02f, -0.3f, NAN};
    for (int i = 0; i < 4; ++i) {
        pair p = make_pair(0.0f, rooms[i]);
        p.solver.states = p.states;
        cr_assert(!tni_joint_bounded_rests(&p.solver, &p.block));
    }
    pair p = make_pair(0.0f, 0.3f);
    p.solver.states = p.states;
    cr_assert(tni_joint_bounded_rests(&p.solver, &p.block) && p.block.limit_room == 0.3f);
    p.states[0].w.x = NAN;
    cr_assert(!tni_joint_bounded_rests(&p.solver, &p.block));
}
