// Tests of solver/rows/pin.h: against the general system of solver/rows/equality.h on the same
// rows.
#include <criterion/criterion.h>

#include "solver/rows/equality.h"
#include "solver/rows/pin.h"

static const tni_softness rigid = {0.0f, 1.0f, 0.0f};

// A fixed sequence in [-1, 1] (Numerical Recipes' linear congruence), the same in every run.
static float next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.0f - 1.0f;
}

static vec3s random_vec3(uint32_t *seed) {
    float x = next_random(seed), y = next_random(seed), z = next_random(seed);
    return maths_vec3(x, y, z);
}

static tni_f4 random_lanes(uint32_t *seed) {
    vec3s v = random_vec3(seed);
    return f4_make(v.x, v.y, v.z, 0.0f);
}

static tni_body_state random_state(uint32_t *seed) {
    tni_body_state state = {0};
    state.v = random_vec3(seed);
    state.w = random_vec3(seed);
    float inv_mass = 0.5f + 0.4f * next_random(seed);
    state.inv_mass = maths_vec3(inv_mass, inv_mass, inv_mass);
    // Diagonally dominant, so positive definite.
    state.inv_inertia = (tni_sym3){2.0f, 3.0f, 2.5f, 0.3f, -0.4f, 0.2f};
    return state;
}

// Axes of turns about 20 degrees off from those of the world.
static tni_pin random_pin(uint32_t *seed) {
    tni_pin pin = {.r_a = random_lanes(seed), .r_b = random_lanes(seed)};
    pin.error = pin.velocity_term = f4_splat(0.0f);
    pin.turn_error = pin.turn_velocity_term = pin.plane[0] = pin.plane[1] = f4_splat(0.0f);
    for (int k = 0; k < 3; ++k) {
        tni_f4 unit = f4_make(k == 0 ? 1.0f : 0.0f, k == 1 ? 1.0f : 0.0f, k == 2 ? 1.0f : 0.0f, 0);
        pin.axis[k] = f4_add_product(unit, f4_splat(0.3f), random_lanes(seed));
    }
    return pin;
}

static void write_rows(const tni_pin *pin, uint32_t turns, tni_row *rows) {
    tni_pin_write_rows(pin, TNI_PIN_POINT_ROWS, 3 + turns, rows);
}

static float get_speed(const tni_row *row, const tni_body_state *a, const tni_body_state *b) {
    return glms_vec3_dot(row->lin_a, a->v) + glms_vec3_dot(row->ang_a, a->w) +
           glms_vec3_dot(row->lin_b, b->v) + glms_vec3_dot(row->ang_b, b->w);
}

// Room for a pin with turns.
typedef union test_pin {
    float room[256];
    tni_pin_block block;
} test_pin;
_Static_assert(sizeof(tni_pin_block) + sizeof(tni_pin_turns) <= 256 * sizeof(float), "too small");

static void solve_pin(test_pin *test, const tni_pin *pin, uint32_t turns, tni_body_state *a,
                      tni_body_state *b) {
    memset(test, 0, sizeof *test);
    tni_pin_refresh(&test->block, pin, turns, TNI_ENDS_BOTH, a, b);
    if (turns == 0) {
        tni_pin_solve(&test->block, 0, TNI_ENDS_BOTH, rigid, false, a, b);
    } else if (turns == 1) {
        tni_pin_solve(&test->block, 1, TNI_ENDS_BOTH, rigid, false, a, b);
    } else if (turns == 2) {
        tni_pin_solve(&test->block, 2, TNI_ENDS_BOTH, rigid, false, a, b);
    } else {
        tni_pin_solve(&test->block, 3, TNI_ENDS_BOTH, rigid, false, a, b);
    }
}

static void solve_rows(const tni_row *rows, uint32_t n, tni_body_state *a, tni_body_state *b) {
    float data[360] = {0};
    if (n <= 4) {
        tni_equality_refresh(data, 4, rows, n, a, b);
        tni_equality_solve(data, 4, n, rigid, false, TNI_ENDS_BOTH, a, b);
    } else {
        tni_equality_refresh(data, 8, rows, n, a, b);
        tni_equality_solve(data, 8, n, rigid, false, TNI_ENDS_BOTH, a, b);
    }
}

static void expect_same(const tni_body_state *p, const tni_body_state *q, float tolerance,
                        uint32_t turns) {
    for (int i = 0; i < 16; ++i) {
        cr_assert(fabsf(p->numbers[i] - q->numbers[i]) <= tolerance, "turns %u, number %d: %g, %g",
                  turns, i, (double)p->numbers[i], (double)q->numbers[i]);
    }
}

static const uint32_t turn_counts[4] = {0, 1, 2, 3};

Test(pin, solves_as_the_general_system_does) {
    uint32_t seed = 7;
    for (int round = 0; round < 300; ++round) {
        uint32_t turns = turn_counts[round % 4];
        tni_body_state a = random_state(&seed), b = random_state(&seed), c = a, d = b;
        tni_pin pin = random_pin(&seed);
        tni_row rows[6];
        test_pin test;
        write_rows(&pin, turns, rows);
        solve_pin(&test, &pin, turns, &a, &b);
        solve_rows(rows, 3 + turns, &c, &d);
        // Round-off of floats of size 1, times the condition number of K.
        expect_same(&a, &c, 2e-4f, turns);
        expect_same(&b, &d, 2e-4f, turns);
        for (uint32_t i = 0; i < 3 + turns; ++i) {
            cr_assert(fabsf(get_speed(&rows[i], &a, &b)) < 2e-4f);
        }
    }
}

// Locked axes make K singular, as do two turns about one axis and bodies that cannot move: the rows
// that say nothing new get no impulse, and all numbers stay finite.
Test(pin, leaves_out_what_cannot_move) {
    uint32_t seed = 21;
    for (int round = 0; round < 300; ++round) {
        uint32_t turns = turn_counts[round % 4];
        tni_body_state a = random_state(&seed), b = random_state(&seed);
        tni_pin pin = random_pin(&seed);
        int which = round / 4 % 4;
        if (which == 0) {
            a.inv_mass.y = b.inv_mass.y = 0.0f;
        } else if (which == 1) {
            pin.axis[1] = pin.axis[0];
        } else if (which == 2) {
            a.inv_mass = b.inv_mass = maths_vec3_zero();
            a.inv_inertia = b.inv_inertia = (tni_sym3){0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
        } else {
            a.inv_inertia = b.inv_inertia = (tni_sym3){0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
        }
        tni_body_state c = a, d = b;
        tni_row rows[6];
        test_pin test;
        write_rows(&pin, turns, rows);
        solve_pin(&test, &pin, turns, &a, &b);
        solve_rows(rows, 3 + turns, &c, &d);
        expect_same(&a, &c, 2e-3f, turns);
        expect_same(&b, &d, 2e-3f, turns);
    }
}

// ---- bodies that leave a float few digits -------------------------------------------------------

// 10^x for x evenly between the two.
static float random_between(float lower, float upper, uint32_t *seed) {
    return powf(10.0f, lower + (upper - lower) * 0.5f * (1.0f + next_random(seed)));
}

static tni_body_state random_thin(float least_ease, float most_ease, float inv_mass,
                                  uint32_t *seed) {
    tni_body_state state = {0};
    state.v = random_vec3(seed);
    state.w = random_vec3(seed);
    state.inv_mass = maths_vec3(inv_mass, inv_mass, inv_mass);
    for (int i = 0; i < 3; ++i) {
        (&state.inv_inertia.xx)[i] = random_between(least_ease, most_ease, seed);
    }
    return state;
}

static double get_energy(const tni_body_state *state) {
    const double v[3] = {(double)state->v.x, (double)state->v.y, (double)state->v.z};
    const double w[3] = {(double)state->w.x, (double)state->w.y, (double)state->w.z};
    double energy = 0.0;
    for (int i = 0; i < 3; ++i) {
        energy += 0.5 * v[i] * v[i] / (double)state->inv_mass.x;
        energy += 0.5 * w[i] * w[i] / (double)(&state->inv_inertia.xx)[i];
    }
    return energy;
}

// Light, thin bodies on arms that are long for them. Rigid rows only take energy, however often
// they are solved; an inverse that is off by more than itself gives more with every solve.
Test(pin, thin_light_bodies_gain_nothing_from_their_rows) {
    uint32_t seed = 5;
    for (int round = 0; round < 2000; ++round) {
        uint32_t turns = turn_counts[round % 4];
        tni_body_state a = random_thin(3.0f, 7.5f, random_between(0.0f, 3.0f, &seed), &seed);
        tni_body_state b = random_thin(-1.0f, 1.0f, random_between(-3.0f, 0.0f, &seed), &seed);
        tni_pin pin = random_pin(&seed);
        tni_row rows[6];
        test_pin test;
        write_rows(&pin, turns, rows);
        double before = get_energy(&a) + get_energy(&b);
        for (int i = 0; i < 6; ++i) {
            solve_pin(&test, &pin, turns, &a, &b);
        }
        double after = get_energy(&a) + get_energy(&b);
        cr_assert(after < before * (1.0 + 1e-3), "round %d, %u turns: %g J from %g J", round, turns,
                  after, before);
    }
}

static void solve_with_ends(test_pin *test, const tni_pin *pin, uint32_t turns, tni_joint_ends ends,
                            tni_body_state *a, tni_body_state *b) {
    memset(test, 0, sizeof *test);
    tni_pin_refresh(&test->block, pin, turns, ends, a, b);
    test->block.bias = f4_make(0.1f, -0.2f, 0.3f, 0.0f);
    if (turns == 2) {
        tni_pin_solve(&test->block, 2, ends, rigid, true, a, b);
        tni_pin_warm_start(&test->block, 2, ends, true, a, b);
    } else {
        tni_pin_solve(&test->block, 3, ends, rigid, true, a, b);
        tni_pin_warm_start(&test->block, 3, ends, true, a, b);
    }
}

static bool is_same_state(const tni_body_state *p, const tni_body_state *q) {
    bool is_same = true;
    for (int i = 0; i < 16; ++i) {
        is_same = is_same && p->numbers[i] == q->numbers[i];
    }
    return is_same;
}

// A body at rest without mass or inertia stays so, whether the pin knows it or not.
Test(pin, that_moves_one_body_moves_it_as_one_that_tries_to_move_both) {
    uint32_t seed = 3;
    for (int round = 0; round < 200; ++round) {
        uint32_t turns = round % 2 == 0 ? 2 : 3;
        tni_body_state moving = random_state(&seed), still = {.unused = 0.0f};
        tni_pin pin = random_pin(&seed);
        bool moves_a = round % 4 >= 2;
        tni_body_state of_both[2] = {moves_a ? moving : still, moves_a ? still : moving};
        tni_body_state of_one[2] = {of_both[0], of_both[1]};
        test_pin both, one;
        solve_with_ends(&both, &pin, turns, TNI_ENDS_BOTH, &of_both[0], &of_both[1]);
        solve_with_ends(&one, &pin, turns, moves_a ? TNI_ENDS_ONLY_A : TNI_ENDS_ONLY_B, &of_one[0],
                        &of_one[1]);
        cr_assert(is_same_state(&of_both[0], &of_one[0]) && is_same_state(&of_both[1], &of_one[1]),
                  "round %d", round);
        cr_assert(!is_same_state(&of_one[moves_a ? 0 : 1], &moving));
        cr_assert(is_same_state(&of_one[moves_a ? 1 : 0], &still));
    }
}

// One or two rows across what is free, and one to three turns.
static void solve_slide(test_pin *test, const tni_pin *pin, uint32_t point_rows, uint32_t turns,
                        tni_body_state *a, tni_body_state *b) {
    memset(test, 0, sizeof *test);
    tni_pin_refresh_slide(&test->block, pin, point_rows, turns, TNI_ENDS_BOTH, a, b);
    if (turns == 1) {
        tni_pin_solve(&test->block, 1, TNI_ENDS_BOTH, rigid, false, a, b);
    } else if (turns == 2) {
        tni_pin_solve(&test->block, 2, TNI_ENDS_BOTH, rigid, false, a, b);
    } else {
        tni_pin_solve(&test->block, 3, TNI_ENDS_BOTH, rigid, false, a, b);
    }
}

static void random_plane(uint32_t *seed, tni_pin *pin) {
    vec3s x = maths_vec3_normalize_or(random_vec3(seed), maths_vec3(1.0f, 0.0f, 0.0f));
    vec3s y = maths_vec3_perpendicular(x), z = glms_vec3_cross(x, y);
    pin->plane[0] = f4_make(y.x, y.y, y.z, 0.0f);
    pin->plane[1] = f4_make(z.x, z.y, z.z, 0.0f);
}

Test(pin, that_slides_solves_as_the_general_system_does) {
    uint32_t seed = 31;
    for (uint32_t round = 0; round < 600; ++round) {
        uint32_t point_rows = 1 + round % 2, turns = 1 + round / 2 % 3;
        tni_body_state a = random_state(&seed), b = random_state(&seed);
        tni_pin pin = random_pin(&seed);
        random_plane(&seed, &pin);
        pin.plane[1] = point_rows > 1 ? pin.plane[1] : f4_splat(0.0f);
        bool is_singular = round / 6 % 4 == 3 && turns > 1;
        if (is_singular) {
            pin.axis[turns - 1] = pin.axis[0];
        }
        tni_body_state c = a, d = b;
        tni_row rows[6];
        test_pin test;
        tni_pin_write_rows(&pin, point_rows, point_rows + turns, rows);
        solve_slide(&test, &pin, point_rows, turns, &a, &b);
        solve_rows(rows, point_rows + turns, &c, &d);
        expect_same(&a, &c, is_singular ? 2e-3f : 2e-4f, turns);
        expect_same(&b, &d, is_singular ? 2e-3f : 2e-4f, turns);
    }
}

// The impulses on the rows stay what they are, and act along the new plane.
Test(pin, that_slides_turns_its_impulse_with_the_plane) {
    uint32_t seed = 41;
    tni_body_state a = random_state(&seed), b = random_state(&seed);
    tni_pin pin = random_pin(&seed);
    test_pin test = {{0}};
    random_plane(&seed, &pin);
    tni_pin_refresh_slide(&test.block, &pin, TNI_PIN_SLIDE_ROWS, 3, TNI_ENDS_BOTH, &a, &b);
    const tni_f4 *plane = test.block.turns->plane;
    test.block.impulse = tni_pin_from_plane(plane, f4_make(2.0f, -3.0f, 0.0f, 0.0f));
    test.block.warm = f4_mul(f4_splat(0.5f), test.block.impulse);
    random_plane(&seed, &pin);
    tni_pin_refresh_slide(&test.block, &pin, TNI_PIN_SLIDE_ROWS, 3, TNI_ENDS_BOTH, &a, &b);
    cr_assert(fabsf(f4_dot3(pin.plane[0], test.block.impulse) - 2.0f) < 1e-5f);
    cr_assert(fabsf(f4_dot3(pin.plane[1], test.block.impulse) + 3.0f) < 1e-5f);
    cr_assert(fabsf(f4_dot3(pin.plane[0], test.block.warm) - 1.0f) < 1e-5f);
    cr_assert(fabsf(f4_dot3(test.block.impulse, test.block.impulse) - 13.0f) < 1e-4f);
}

Test(pin, the_two_halves_of_the_warm_start_are_the_last_impulse) {
    uint32_t seed = 5;
    tni_body_state a = random_state(&seed), b = random_state(&seed), a0 = a, b0 = b;
    tni_pin pin = random_pin(&seed);
    tni_row rows[6];
    test_pin test = {{0}};
    write_rows(&pin, 3, rows);
    tni_pin_refresh(&test.block, &pin, 3, TNI_ENDS_BOTH, &a, &b);
    test.block.impulse = f4_make(1.0f, 2.0f, 3.0f, 0.0f);
    test.block.turns->impulse = f4_make(4.0f, 5.0f, 6.0f, 0.0f);
    tni_pin_warm_start(&test.block, 3, TNI_ENDS_BOTH, true, &a, &b);
    cr_assert(f4_sum3(test.block.impulse) == 3.0f);
    tni_pin_warm_start(&test.block, 3, TNI_ENDS_BOTH, false, &a, &b);
    cr_assert(f4_sum3(test.block.impulse) == 6.0f);
    cr_assert(f4_sum3(test.block.turns->impulse) == 15.0f);
    vec3s push = maths_vec3_zero(), turn_a = push, turn_b = push;
    for (uint32_t i = 0; i < 6; ++i) {
        push = maths_vec3_add_scaled(push, (float)(i + 1), rows[i].lin_b);
        turn_a = maths_vec3_add_scaled(turn_a, (float)(i + 1), rows[i].ang_a);
        turn_b = maths_vec3_add_scaled(turn_b, (float)(i + 1), rows[i].ang_b);
    }
    vec3s v = maths_vec3_add_scaled(b0.v, b.inv_mass.x, push);
    vec3s w_a = glms_vec3_add(a0.w, sym3_mul(a.inv_inertia, turn_a));
    vec3s w_b = glms_vec3_add(b0.w, sym3_mul(b.inv_inertia, turn_b));
    cr_assert(glms_vec3_norm(glms_vec3_sub(b.v, v)) < 1e-5f);
    cr_assert(glms_vec3_norm(glms_vec3_sub(a.w, w_a)) < 1e-4f);
    cr_assert(glms_vec3_norm(glms_vec3_sub(b.w, w_b)) < 1e-4f);
}

Test(pin, masses_behind_the_velocities_are_not_touched) {
    uint32_t seed = 9;
    tni_body_state a = random_state(&seed), b = random_state(&seed), a0 = a, b0 = b;
    tni_pin pin = random_pin(&seed);
    test_pin test;
    solve_pin(&test, &pin, 3, &a, &b);
    cr_assert(memcmp(&a.inv_mass, &a0.inv_mass, 9 * sizeof(float)) == 0 && a.unused == 0.0f);
    cr_assert(memcmp(&b.inv_mass, &b0.inv_mass, 9 * sizeof(float)) == 0 && b.unused == 0.0f);
}
