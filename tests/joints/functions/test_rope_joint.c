// A rope pulls what is at its ends and its sheaves as mechanics says, with friction and without,
// goes slack and taut, stretches, is let out and hauled in.
#include "tests/joints/joint_world.h"

#define GRAVITY 9.81
#define PI      3.14159265358979323846

static const tn_vec3 weightless = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};

static tn_rope_point point_of(tn_body_id body, double x, double y, double z) {
    tn_rope_point point = {.body = body, .position = {x, y, z}};
    return point;
}

static tn_joint_id rope_make(tn_world *world, const tn_rope_joint_def *def) {
    tn_joint_id joint = tn_rope_joint_create(world, def);
    cr_assert(joint.value != 0);
    return joint;
}

// From the world over a sheave three metres above the body.
static tn_rope_joint_def def_over_sheave(tn_body_id body) {
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.points[0] = point_of(world_body, 1, 3, 0);
    def.points[1] = point_of(world_body, 0, 3, 0);
    def.points[2] = point_of(body, 0, 0, 0);
    def.point_count = 3;
    return def;
}

static double height_of(const tn_world *world, tn_body_id body) {
    return tn_body_get_pose(world, body).position.y;
}

static double fall_of(const tn_world *world, tn_body_id body) {
    return tn_body_get_velocity(world, body).linear.y;
}

// ---- Atwood ------------------------------------------------------------------------------------

typedef struct atwood {
    tn_world *world;
    tn_body_id left, right;
    tn_joint_id rope;
} atwood;

// Two weights on a rope over one sheave high up, so that the sides are as good as upright: the wrap
// is half a turn less what they are apart.
static atwood atwood_in(tn_world *world, double left, double right, float friction) {
    atwood it = {.world = world};
    it.left = body_make(it.world, -0.001, 0, 0, left, 1);
    it.right = body_make(it.world, 0.001, 0, 0, right, 1);
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.points[0] = point_of(it.left, 0, 0, 0);
    def.points[1] = point_of(world_body, 0, 10, 0);
    def.points[1].friction = friction;
    def.points[2] = point_of(it.right, 0, 0, 0);
    def.point_count = 3;
    it.rope = rope_make(it.world, &def);
    return it;
}

static atwood atwood_make(double left, double right, float friction) {
    return atwood_in(world_make(gravity, NULL), left, right, friction);
}

// Both sides pull alike: a = g (m2 - m1) / (m2 + m1), T = 2 g m1 m2 / (m1 + m2).
Test(rope_joint, carries_atwoods_weights_as_one_rope_does, .timeout = 60) {
    atwood it = atwood_make(1, 3, 0.0f);
    run(it.world, 1.0, 60.0, 4);
    cr_assert(fabs(fall_of(it.world, it.right) + 0.5 * GRAVITY) < 1e-3, "%g",
              fall_of(it.world, it.right));
    for (uint32_t i = 0; i < 2; ++i) {
        double tension = (double)tn_rope_joint_get_tension(it.world, it.rope, i);
        cr_assert(fabs(tension - 1.5 * GRAVITY) < 1e-3, "%g N", tension);
    }
    cr_assert(!tn_rope_joint_is_slipping(it.world, it.rope, 1));
    cr_assert(tn_joint_get_error(it.world, it.rope).linear_length < 1e-4);
    tn_world_destroy(it.world);
}

// a = g (m2 - q m1) / (m2 + q m1) with q = exp(mu pi).
Test(rope_joint, slips_over_a_sheave_as_atwoods_machine_with_friction, .timeout = 60) {
    const double mu = 0.2, q = exp(mu * PI);
    atwood it = atwood_make(1, 3, (float)mu);
    run(it.world, 1.0, 60.0, 4);
    double a = GRAVITY * (3.0 - q) / (3.0 + q), speed = -fall_of(it.world, it.right);
    cr_assert(fabs(speed - a) < 1e-3, "%g m/s, not %g", speed, a);
    double first = (double)tn_rope_joint_get_tension(it.world, it.rope, 0);
    double second = (double)tn_rope_joint_get_tension(it.world, it.rope, 1);
    cr_assert(fabs(second / first - q) < 1e-3, "%g, not %g", second / first, q);
    cr_assert(tn_rope_joint_is_slipping(it.world, it.rope, 1));
    double passed = tn_rope_joint_get_passed(it.world, it.rope, 1);
    double left = tn_rope_joint_get_piece(it.world, it.rope, 0);
    cr_assert(fabs(passed - left) < 1e-4, "%g m of rope, %g m of way", passed, left);
    tn_world_destroy(it.world);
}

// Below exp(mu pi) = 1.87 nothing passes, for as long as one looks.
Test(rope_joint, holds_weights_that_friction_can_hold, .timeout = 60) {
    atwood it = atwood_make(1, 1.8, 0.2f);
    run(it.world, 10.0, 60.0, 4);
    cr_assert(fabs(height_of(it.world, it.right)) < 2e-4, "%g m", height_of(it.world, it.right));
    cr_assert(fabs(height_of(it.world, it.left)) < 2e-4, "%g m", height_of(it.world, it.left));
    double first = (double)tn_rope_joint_get_tension(it.world, it.rope, 0);
    double second = (double)tn_rope_joint_get_tension(it.world, it.rope, 1);
    cr_assert(fabs(first - GRAVITY) < 1e-3 && fabs(second - 1.8 * GRAVITY) < 2e-3, "%g, %g N",
              first, second);
    cr_assert(!tn_rope_joint_is_slipping(it.world, it.rope, 1));
    tn_world_destroy(it.world);
}

// The ledger closes: friction takes what the tensions differ by along the rope that passed.
Test(rope_joint, loses_to_friction_what_its_tensions_differ_by, .timeout = 60) {
    tn_world_def world_def = tn_world_def_default();
    world_def.has_energy_ledger = true;
    tn_world *world = tn_world_create(&world_def, NULL);
    atwood it = atwood_in(world, 1, 3, 0.2f);
    run(world, 1.0, 60.0, 4);
    tn_energy energy = tn_world_get_energy(world);
    double way = -height_of(world, it.right), q = exp(0.2 * PI);
    double tension = 2.0 * GRAVITY * 3.0 / (3.0 + q), lost = (q - 1.0) * tension * way;
    cr_assert(fabs(energy.friction_work + lost) < 2e-3 * lost, "%g J, not %g", energy.friction_work,
              -lost);
    double change = energy.kinetic + energy.potential;
    cr_assert(fabs(change + lost) < 2e-3 * lost, "%g J, not %g", change, -lost);
    cr_assert(fabs(energy.motor_work) < 1e-9 * lost);
    tn_world_destroy(world);
}

// ---- Euler -------------------------------------------------------------------------------------

// A load that 1000 N pull to the left, and a hand on the right, with the rope straight from one to
// the other and three turns about a capstan midway.
typedef struct capstan {
    tn_world *world;
    tn_body_id load, hand;
    tn_joint_id rope;
} capstan;

static tn_body_id capstan_add(tn_world *world, double x, double pull) {
    tn_body_id body = body_make(world, x, 0, 0, fabs(pull) / 10.0, 1);
    tn_body_set_gravity_scale(world, body, pull < 0.0 ? -1.0f : 1.0f);
    return body;
}

static capstan capstan_make(double pull) {
    capstan it = {.world = world_make((tn_vec3){-10.0, 0.0, 0.0}, NULL)};
    it.load = capstan_add(it.world, -2, 1000.0);
    it.hand = capstan_add(it.world, 2, -pull);
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.points[0] = point_of(it.load, 0, 0, 0);
    def.points[1] = point_of(world_body, 0, 0, 0);
    def.points[1].friction = 0.3f;
    def.points[1].turns = 3;
    def.points[2] = point_of(it.hand, 0, 0, 0);
    def.point_count = 3;
    it.rope = rope_make(it.world, &def);
    return it;
}

// exp(0.3 6 pi) = 285.7
Test(rope_joint, holds_a_thousand_newton_by_three_turns_about_a_capstan, .timeout = 60) {
    const double least = 1000.0 / exp(0.3 * 6.0 * PI);
    capstan it = capstan_make(1.01 * least);
    cr_assert(fabs(tn_rope_joint_get_wrap(it.world, it.rope, 1) - 6.0 * PI) < 1e-9);
    run(it.world, 5.0, 60.0, 4);
    double x = tn_body_get_pose(it.world, it.load).position.x;
    cr_assert(fabs(x + 2.0) < 1e-4, "%g m", x);
    cr_assert(fabs((double)tn_rope_joint_get_tension(it.world, it.rope, 0) - 1000.0) < 0.01);
    double tail = (double)tn_rope_joint_get_tension(it.world, it.rope, 1);
    cr_assert(fabs(tail - 1.01 * least) < 1e-4 * least, "%g N", tail);
    tn_world_destroy(it.world);
}

// With half of that at the tail: m a = 1000 - q T, m2 a = T - pull.
Test(rope_joint, lets_a_thousand_newton_slip_when_the_tail_is_too_weak, .timeout = 60) {
    const double q = exp(0.3 * 6.0 * PI), pull = 500.0 / q;
    capstan it = capstan_make(pull);
    run(it.world, 1.0, 60.0, 4);
    cr_assert(tn_rope_joint_is_slipping(it.world, it.rope, 1));
    double a = (1000.0 - q * pull) / (100.0 + q * pull / 10.0);
    double speed = -tn_body_get_velocity(it.world, it.load).linear.x;
    cr_assert(fabs(speed - a) < 1e-3 * a, "%g m/s, not %g", speed, a);
    tn_world_destroy(it.world);
}

// ---- tackle ------------------------------------------------------------------------------------

typedef struct tackle {
    tn_world *world;
    tn_body_id load, weight;
    tn_joint_id rope;
} tackle;

// Four parts of rope at the load's block, high below a beam, and a fifth one down to a weight.
static tackle tackle_make(double load, double weight, float friction) {
    tackle it = {.world = world_make(gravity, NULL)};
    it.load = body_make(it.world, 0, -50, 0, load, 10);
    it.weight = body_make(it.world, 0, -50, 0, weight, 10);
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.points[0] = point_of(world_body, 0, 0, 0);
    def.points[1] = point_of(it.load, 0, 0, 0);
    def.points[2] = point_of(world_body, 0, 0, 0);
    def.points[3] = point_of(it.load, 0, 0, 0);
    def.points[4] = point_of(world_body, 0, 0, 0);
    def.points[5] = point_of(it.weight, 0, 0, 0);
    def.point_count = 6;
    for (uint32_t k = 1; k < 5; ++k) {
        def.points[k].friction = friction;
    }
    it.rope = rope_make(it.world, &def);
    return it;
}

// The weight goes four times as far: a = g (m - M / 4) / (m + M / 16).
Test(rope_joint, lifts_a_load_with_four_parts_of_a_tackle, .timeout = 60) {
    tackle it = tackle_make(100, 40, 0.0f);
    run(it.world, 1.0, 60.0, 4);
    double a = GRAVITY * (40.0 - 25.0) / (40.0 + 100.0 / 16.0);
    cr_assert(fabs(fall_of(it.world, it.weight) + a) < 1e-3 * a, "%g",
              fall_of(it.world, it.weight));
    cr_assert(fabs(fall_of(it.world, it.load) - 0.25 * a) < 1e-3 * a);
    for (uint32_t i = 0; i < 5; ++i) {
        double tension = (double)tn_rope_joint_get_tension(it.world, it.rope, i);
        cr_assert(fabs(tension - 40.0 * (GRAVITY - a)) < 0.05, "%g N", tension);
    }
    tn_world_destroy(it.world);
}

// A quarter of the load balances it, at rest for as long as one looks.
Test(rope_joint, balances_four_times_the_weight, .timeout = 60) {
    tackle it = tackle_make(100, 25, 0.0f);
    run(it.world, 10.0, 60.0, 4);
    cr_assert(fabs(fall_of(it.world, it.weight)) < 1e-4, "%g", fall_of(it.world, it.weight));
    cr_assert(fabs(height_of(it.world, it.load) + 50.0) < 1e-3);
    tn_world_destroy(it.world);
}

// With friction each sheave takes q = exp(mu pi): from the weight on T, T/q, .. T/q^4, of which the
// last four carry the load: m a = m g - T, M a / 4 = T (q^-1 + .. + q^-4) - M g.
Test(rope_joint, loses_at_each_sheave_of_a_tackle_with_friction, .timeout = 60) {
    const double q = exp(0.05 * PI), share = 1 / q + 1 / (q * q) + pow(q, -3) + pow(q, -4);
    tackle it = tackle_make(100, 60, 0.05f);
    run(it.world, 1.0, 60.0, 4);
    double a = GRAVITY * (60.0 * share - 100.0) / (60.0 * share + 25.0);
    double speed = -fall_of(it.world, it.weight);
    cr_assert(fabs(speed - a) < 2e-3 * a, "%g m/s, not %g", speed, a);
    double last = (double)tn_rope_joint_get_tension(it.world, it.rope, 4);
    double first = (double)tn_rope_joint_get_tension(it.world, it.rope, 0);
    cr_assert(fabs(last / first - pow(q, 4)) < 1e-3, "%g", last / first);
    tn_world_destroy(it.world);
}

// What lifts at q > 1 does not lower by itself: between the two bounds all sheaves hold.
Test(rope_joint, holds_a_tackle_between_lifting_and_lowering, .timeout = 60) {
    tackle it = tackle_make(100, 27, 0.05f);
    run(it.world, 10.0, 60.0, 4);
    cr_assert(fabs(fall_of(it.world, it.weight)) < 1e-4, "%g", fall_of(it.world, it.weight));
    cr_assert(fabs(height_of(it.world, it.weight) + 50.0) < 2e-3);
    cr_assert(fabs((double)tn_rope_joint_get_tension(it.world, it.rope, 4) - 27.0 * GRAVITY) < 0.1);
    tn_world_destroy(it.world);
}

// ---- winch -------------------------------------------------------------------------------------

// A load on a rope over a sheave to a winch on the ground.
static tn_world *winch_make(float speed, float most, tn_body_id *out_load, tn_joint_id *out_rope) {
    tn_world *world = world_make(gravity, NULL);
    *out_load = body_make(world, 0, 0, 0, 50, 1);
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.points[0] = point_of(*out_load, 0, 0, 0);
    def.points[1] = point_of(world_body, 0, 10, 0);
    def.points[2] = point_of(world_body, 5, 0, 0);
    def.point_count = 3;
    def.payout_speed = speed;
    def.max_tension = most;
    *out_rope = rope_make(world, &def);
    return world;
}

// It starts at a blow: half of what the winch gives for that, m v^2, is the load's.
Test(rope_joint, lifts_a_load_at_the_speed_of_its_winch, .timeout = 60) {
    tn_body_id load;
    tn_joint_id rope;
    tn_world *world = winch_make(-0.5f, INFINITY, &load, &rope);
    run(world, 4.0, 60.0, 4);
    cr_assert(fabs(height_of(world, load) - 2.0) < 1e-3, "%g m", height_of(world, load));
    cr_assert(fabs(fall_of(world, load) - 0.5) < 1e-4);
    double tension = (double)tn_rope_joint_get_tension(world, rope, 1);
    cr_assert(fabs(tension - 50.0 * GRAVITY) < 0.1, "%g N", tension);
    double length = 10.0 + hypot(10.0, 5.0) - 2.0;
    cr_assert(fabs(tn_rope_joint_get_length(world, rope) - length) < 1e-5);
    double work = tn_joint_get_motor_work(world, rope), wanted = 50.0 * (GRAVITY * 2.0 + 0.25);
    cr_assert(fabs(work - wanted) < 2e-3 * wanted, "%g J, not %g", work, wanted);
    tn_rope_joint_set_payout(world, rope, 0.25f, INFINITY);
    run(world, 2.0, 60.0, 4);
    cr_assert(fabs(height_of(world, load) - 1.5) < 1e-3, "%g m", height_of(world, load));
    tn_world_destroy(world);
}

Test(rope_joint, a_tension_of_zero_is_no_cap, .timeout = 60) {
    tn_body_id load;
    tn_joint_id rope;
    tn_world *world = winch_make(0.0f, 0.0f, &load, &rope);
    cr_assert(isinf(tn_rope_joint_get_def(world, rope).max_tension));
    run(world, 1.0, 60.0, 4);
    cr_assert(fabs(height_of(world, load)) < 1e-3, "%g m", height_of(world, load));
    cr_assert(tn_rope_joint_set_payout(world, rope, 0.0f, 400.0f) == TN_RESULT_OK);
    cr_assert(tn_rope_joint_set_payout(world, rope, 0.0f, 0.0f) == TN_RESULT_OK);
    run(world, 1.0, 60.0, 4);
    cr_assert(fabs(height_of(world, load)) < 1e-3, "%g m", height_of(world, load));
    tn_world_destroy(world);
}

// 400 N do not hold 50 kg: the drum slips, and the load falls with what is left.
Test(rope_joint, slips_at_the_tension_that_the_drum_holds, .timeout = 60) {
    tn_body_id load;
    tn_joint_id rope;
    tn_world *world = winch_make(-0.5f, 400.0f, &load, &rope);
    run(world, 1.0, 60.0, 4);
    double a = 400.0 / 50.0 - GRAVITY;
    cr_assert(fabs(fall_of(world, load) - a) < 1e-3, "%g", fall_of(world, load));
    cr_assert(fabs((double)tn_rope_joint_get_tension(world, rope, 1) - 400.0) < 0.01);
    cr_assert(tn_rope_joint_is_slipping(world, rope, 2));
    double extent = tn_rope_joint_get_extent(world, rope);
    cr_assert(fabs(tn_rope_joint_get_length(world, rope) - extent) < 1e-3);
    tn_rope_joint_set_payout(world, rope, 0.0f, 1000.0f); // the brake
    run(world, 2.0, 60.0, 4);
    cr_assert(fabs(fall_of(world, load)) < 1e-4);
    cr_assert(!tn_rope_joint_is_slipping(world, rope, 2));
    tn_world_destroy(world);
}

// ---- slack and stretch -------------------------------------------------------------------------

// Two metres of slack: it falls freely, and then hangs.
Test(rope_joint, is_slack_until_it_is_taut, .timeout = 60) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id body = body_make(world, 0, 0, 0, 2, 1);
    tn_rope_joint_def def = def_over_sheave(body);
    def.points[1].friction = 0.5f;
    def.length = 6.0;
    tn_joint_id rope = rope_make(world, &def);
    run(world, 0.5, 60.0, 4);
    cr_assert(fabs(fall_of(world, body) + 0.5 * GRAVITY) < 1e-4);
    cr_assert(tn_rope_joint_is_slack(world, rope));
    run(world, 3.0, 60.0, 4);
    cr_assert(!tn_rope_joint_is_slack(world, rope));
    cr_assert(fabs(height_of(world, body) + 2.0) < 1e-3, "%g m", height_of(world, body));
    cr_assert(fabs((double)tn_rope_joint_get_tension(world, rope, 1) - 2.0 * GRAVITY) < 1e-2);
    tn_world_destroy(world);
}

// E A / L = 2000 N / 4 m on 5 kg: it stretches by m g L / E A and swings at sqrt(k / m).
Test(rope_joint, stretches_by_its_axial_stiffness, .timeout = 60) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id body = body_make(world, 0, 0, 0, 5, 1);
    tn_rope_joint_def def = def_over_sheave(body);
    def.axial_stiffness = 2000.0f;
    tn_joint_id rope = rope_make(world, &def);
    const double k = 500.0, omega = sqrt(k / 5.0), sag = 5.0 * GRAVITY / k;
    for (int i = 1; i <= 120; ++i) {
        run(world, 1.0 / 60.0, 60.0, 4);
        double expected = -sag * (1.0 - cos(midpoint_frequency(omega, 1.0 / 240.0) * i / 60.0));
        cr_assert(fabs(height_of(world, body) - expected) < 2e-4, "%d: %g, not %g", i,
                  height_of(world, body), expected);
    }
    tn_energy energy = tn_world_get_energy(world);
    double sum = energy.kinetic + energy.potential + energy.elastic;
    cr_assert(fabs(sum) < 2e-2, "%g J", sum);
    tn_rope_joint_set_elasticity(world, rope, 2000.0f, 400.0f);
    run(world, 5.0, 60.0, 4);
    cr_assert(fabs(height_of(world, body) + sag) < 1e-4, "%g m", height_of(world, body));
    cr_assert(fabs((double)tn_rope_joint_get_tension(world, rope, 0) - 5.0 * GRAVITY) < 1e-2);
    tn_world_destroy(world);
}

// What is stuck stretches by itself: the part beyond the sheave keeps what little it has.
Test(rope_joint, stretches_each_side_of_a_sheave_that_holds, .timeout = 60) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id body = body_make(world, 0, 0, 0, 5, 1);
    tn_rope_joint_def def = def_over_sheave(body);
    def.points[1].friction = 1.0f; // q = exp(pi / 2) = 4.81
    def.axial_stiffness = 20000.0f;
    def.axial_damping = 2000.0f;
    tn_joint_id rope = rope_make(world, &def);
    run(world, 5.0, 60.0, 4);
    double first = (double)tn_rope_joint_get_tension(world, rope, 0);
    double second = (double)tn_rope_joint_get_tension(world, rope, 1);
    cr_assert(fabs(second - 5.0 * GRAVITY) < 1e-2, "%g N", second);
    cr_assert(second / first < exp(PI / 2.0) * 1.001, "%g", second / first);
    // The stretches of both pieces, each by its own tension, are what the body sank by.
    double sank = (first * 1.0 + second * 3.0) / 20000.0;
    cr_assert(fabs(height_of(world, body) + sank) < 1e-4, "%g m, not %g", height_of(world, body),
              -sank);
    tn_world_destroy(world);
}

// ---- life --------------------------------------------------------------------------------------

Test(rope_joint, breaks_where_its_tension_is_more_than_it_bears, .timeout = 60) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 0, 0, 0, 5, 1);
        tn_rope_joint_def def = def_over_sheave(body);
        def.base.break_force = i == 0 ? 60.0f : 40.0f;
        tn_joint_id rope = rope_make(world, &def);
        run(world, 0.5, 60.0, 4);
        cr_assert_eq(tn_joint_is_valid(world, rope), i == 0);
        tn_world_destroy(world);
    }
}

// Bodies on one rope sleep together, and all go with the rope when one of them goes.
Test(rope_joint, sleeps_with_its_bodies_and_goes_with_any_of_them, .timeout = 60) {
    tn_world_def world_def = tn_world_def_default();
    tn_world *world = tn_world_create(&world_def, NULL);
    tn_body_id bodies[3];
    tn_rope_joint_def def = tn_rope_joint_def_default();
    for (int i = 0; i < 3; ++i) {
        bodies[i] = body_make(world, 2.0 * i, i == 1 ? -2.0 : 0.0, 0, i == 1 ? 2.0 : 1.0, 1);
    }
    // Out to the left and up, down to the middle one, and the same on the right: in balance.
    def.points[0] = point_of(bodies[0], 0, 0, 0);
    def.points[1] = point_of(world_body, 0, 5, 0);
    def.points[2] = point_of(world_body, 1.9999, 5, 0);
    def.points[3] = point_of(bodies[1], 0, 0, 0);
    def.points[4] = point_of(world_body, 2.0001, 5, 0);
    def.points[5] = point_of(world_body, 4, 5, 0);
    def.points[6] = point_of(bodies[2], 0, 0, 0);
    def.point_count = 7;
    tn_joint_id rope = rope_make(world, &def);
    cr_assert_eq(tn_world_count_joints(world), 1u);
    run(world, 3.0, 60.0, 4);
    for (int i = 0; i < 3; ++i) {
        cr_assert(!tn_body_is_awake(world, bodies[i]), "%d", i);
    }
    tn_rope_joint_set_payout(world, rope, 0.1f, INFINITY);
    for (int i = 0; i < 3; ++i) {
        cr_assert(tn_body_is_awake(world, bodies[i]), "%d", i);
    }
    tn_body_destroy(world, bodies[2]);
    cr_assert(!tn_joint_is_valid(world, rope));
    cr_assert_eq(tn_world_count_joints(world), 0u);
    tn_world_destroy(world);
}

// A rope in space: what it gives its bodies it gives them together.
Test(rope_joint, keeps_momentum_and_its_moment, .timeout = 60) {
    tn_world *world = world_make(weightless, NULL);
    tn_body_id bodies[4];
    tn_rope_joint_def def = tn_rope_joint_def_default();
    for (uint32_t i = 0; i < 4; ++i) {
        bodies[i] = body_make(world, i % 2, i / 2, 0.3 * i, 1.0 + i, 0.2);
        def.points[i] = point_of(bodies[i], 0.1, 0.2 * i, -0.1);
        def.points[i].friction = i == 1 ? 0.3f : 0.0f;
    }
    def.point_count = 4;
    rope_make(world, &def);
    tn_body_set_velocity(world, bodies[0], (tn_velocity){.linear = {-1, 0.5, 0.2}});
    tn_body_set_velocity(world, bodies[3],
                         (tn_velocity){.linear = {1, -0.5, 0.3}, .angular = {0.5, 1, -1}});
    tn_energy before = tn_world_get_energy(world);
    run(world, 5.0, 60.0, 4);
    tn_energy after = tn_world_get_energy(world);
    cr_assert(fabs(after.linear_momentum.x - before.linear_momentum.x) < 1e-4);
    cr_assert(fabs(after.linear_momentum.y - before.linear_momentum.y) < 1e-4);
    cr_assert(fabs(after.angular_momentum.x - before.angular_momentum.x) < 1e-3);
    cr_assert(fabs(after.angular_momentum.z - before.angular_momentum.z) < 1e-3);
    cr_assert(after.kinetic < before.kinetic);
    tn_world_destroy(world);
}

// A rod of a kind: it pushes too.
Test(rope_joint, pushes_where_it_is_told_to, .timeout = 60) {
    tn_world *world = world_make(weightless, NULL);
    tn_body_id a = body_make(world, 0, 0, 0, 1, 1), b = body_make(world, 2, 0, 0, 1, 1);
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.points[0] = point_of(a, 0, 0, 0);
    def.points[1] = point_of(b, 0, 0, 0);
    def.point_count = 2;
    def.is_rigid = true;
    tn_joint_id rope = rope_make(world, &def);
    tn_body_set_velocity(world, a, (tn_velocity){.linear = {1, 0, 0}});
    run(world, 1.0, 60.0, 4);
    cr_assert(fabs(tn_body_get_velocity(world, b).linear.x - 0.5) < 1e-4);
    cr_assert(fabs(tn_rope_joint_get_extent(world, rope) - 2.0) < 1e-4);
    tn_world_destroy(world);
}

// ---- misuse ------------------------------------------------------------------------------------

static void expect(tn_world *world, const test_reports *reports, const tn_rope_joint_def *def,
                   tn_result result) {
    uint32_t before = reports->count;
    cr_assert_eq(tn_rope_joint_create(world, def).value, 0u);
    cr_assert_eq(reports->count, before + 1);
    cr_assert_eq(reports->last, result, "%d", (int)reports->last);
}

Test(rope_joint, refuses_what_is_no_rope, .timeout = 60) {
    test_reports reports;
    tn_world *world = world_make(gravity, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 1, 1), gone = body_make(world, 0, 0, 0, 1, 1);
    tn_rope_joint_def good = tn_rope_joint_def_default(), def;
    good.points[0] = point_of(world_body, 0, 3, 0);
    good.points[1] = point_of(world_body, 1, 3, 0);
    good.points[2] = point_of(body, 0, 0, 0);
    good.point_count = 3;
    tn_body_destroy(world, gone);
    expect(world, &reports, NULL, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.point_count = 1;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.point_count = TN_ROPE_MAX_POINTS + 1;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.length = -1.0;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.length = (double)NAN;
    expect(world, &reports, &def, TN_RESULT_NOT_FINITE);
    def = good, def.points[1].position.y = (double)INFINITY;
    expect(world, &reports, &def, TN_RESULT_NOT_FINITE);
    def = good, def.points[1].friction = -0.1f;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.points[1].friction = NAN;
    expect(world, &reports, &def, TN_RESULT_NOT_FINITE);
    def = good, def.points[2].friction = 0.1f;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.points[1].friction = 0.1f, def.is_rigid = true;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.max_tension = 10.0f, def.is_rigid = true;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.max_tension = -1.0f;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.payout_speed = INFINITY;
    expect(world, &reports, &def, TN_RESULT_NOT_FINITE);
    def = good, def.axial_stiffness = -1.0f;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.axial_damping = NAN;
    expect(world, &reports, &def, TN_RESULT_NOT_FINITE);
    def = good, def.base.break_force = NAN;
    expect(world, &reports, &def, TN_RESULT_NOT_FINITE);
    def = good, def.points[2].body = gone;
    expect(world, &reports, &def, TN_RESULT_INVALID_ID);
    def = good, def.points[2] = def.points[0];
    expect(world, &reports, &def, TN_RESULT_SAME_BODY);
    def = good, def.points[2].body = static_body_make(world, 0, 0, 0);
    expect(world, &reports, &def, TN_RESULT_NO_DYNAMIC_BODY);
    cr_assert_eq(tn_world_count_joints(world), 0u);
    tn_world_destroy(world);
}

Test(rope_joint, ignores_calls_with_what_is_no_number_or_no_rope, .timeout = 60) {
    test_reports reports;
    tn_world *world = world_make(gravity, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 1, 1);
    tn_joint_id ball = joint_make(world, TN_JOINT_TYPE_BALL, world_body, body, (tn_vec3){0, 0, 0},
                                  (tn_vec3){1, 0, 0});
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.points[0] = point_of(world_body, 0, 3, 0);
    def.points[1] = point_of(world_body, 1, 3, 0);
    def.points[2] = point_of(body, 0, 0, 0);
    def.point_count = 3;
    tn_joint_id rope = rope_make(world, &def);
    tn_rope_joint_set_length(world, rope, 0.0);
    cr_assert_eq(reports.last, TN_RESULT_INVALID_ARGUMENT);
    tn_rope_joint_set_length(world, rope, (double)INFINITY);
    cr_assert_eq(reports.last, TN_RESULT_NOT_FINITE);
    tn_rope_joint_set_payout(world, rope, 0.0f, -1.0f);
    cr_assert_eq(reports.last, TN_RESULT_INVALID_ARGUMENT);
    tn_rope_joint_set_payout(world, rope, NAN, 1.0f);
    cr_assert_eq(reports.last, TN_RESULT_NOT_FINITE);
    tn_rope_joint_set_friction(world, rope, 0, 0.1f, 0);
    cr_assert_eq(reports.last, TN_RESULT_INVALID_ARGUMENT);
    tn_rope_joint_set_friction(world, rope, UINT32_MAX, 0.1f, 0); // one more would be 0
    cr_assert_eq(reports.last, TN_RESULT_INVALID_ARGUMENT);
    tn_rope_joint_set_friction(world, rope, 1, NAN, 0);
    cr_assert_eq(reports.last, TN_RESULT_NOT_FINITE);
    tn_rope_joint_set_elasticity(world, rope, -1.0f, 0.0f);
    cr_assert_eq(reports.last, TN_RESULT_INVALID_ARGUMENT);
    cr_assert_eq(reports.count, 8u);
    tn_rope_joint_def now = tn_rope_joint_get_def(world, rope);
    cr_assert(now.points[1].friction == 0.0f && now.axial_stiffness == 0.0f);
    cr_assert(fabs(now.length - 1.0 - sqrt(10.0)) < 1e-12);
    cr_assert_eq(tn_rope_joint_get_tension(world, rope, 2), 0.0f);
    cr_assert_eq(tn_rope_joint_get_wrap(world, rope, 2), 0.0);
    cr_assert_eq(tn_rope_joint_get_passed(world, rope, 0), 0.0);
    cr_assert_eq(reports.count, 8u);
    cr_assert_eq(tn_rope_joint_get_length(world, ball), 0.0);
    cr_assert_eq(reports.last, TN_RESULT_WRONG_TYPE);
    tn_joint_destroy(world, rope);
    tn_rope_joint_set_length(world, rope, 1.0);
    cr_assert_eq(reports.last, TN_RESULT_INVALID_ID);
    tn_world_destroy(world);
}

// Every setter is read back, and the rope goes on with it.
Test(rope_joint, tells_what_it_was_told, .timeout = 60) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id body = body_make(world, 0, 0, 0, 1, 1);
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.points[0] = point_of(world_body, 0, 3, 0);
    def.points[1] = point_of(world_body, 1, 3, 0);
    def.points[2] = point_of(body, 0, 0, 0);
    def.point_count = 3;
    tn_joint_id rope = rope_make(world, &def);
    cr_assert_eq(tn_joint_get_type(world, rope), TN_JOINT_TYPE_ROPE);
    tn_rope_joint_set_length(world, rope, 5.0);
    tn_rope_joint_set_payout(world, rope, 0.5f, 100.0f);
    tn_rope_joint_set_friction(world, rope, 1, 0.25f, 2);
    tn_rope_joint_set_elasticity(world, rope, 1e5f, 10.0f);
    tn_joint_set_stiffness(world, rope, 3.0f, 0.5f);
    def = tn_rope_joint_get_def(world, rope);
    cr_assert(def.length == 5.0 && def.payout_speed == 0.5f && def.max_tension == 100.0f);
    cr_assert(def.points[1].friction == 0.25f && def.points[1].turns == 2);
    cr_assert(def.axial_stiffness == 1e5f && def.axial_damping == 10.0f);
    cr_assert(def.base.hertz == 3.0f && def.base.damping_ratio == 0.5f);
    run(world, 1.0, 60.0, 4);
    cr_assert(fabs(tn_rope_joint_get_length(world, rope) - 5.5) < 0.1);
    tn_world_destroy(world);
}
