// The rule of TN_SOLVER_AUTO, on traits alone.
#include <criterion/criterion.h>

#include "solver/step/choice.h"

static tni_choice_traits make_traits(uint32_t joints) {
    tni_choice_traits traits = {.bodies = joints + 1,
                                .joints = joints,
                                .rows = 3 * joints,
                                .equalities = 3 * joints,
                                .mass_ratio = 1.0};
    return traits;
}

static void expect(const tni_choice_traits *traits, tni_choice_method method,
                   tn_mechanism_reason reason) {
    tni_choice choice = tni_choice_from_traits(traits);
    cr_assert(choice.method == method && choice.reason == reason, "method %d, reason %d",
              (int)choice.method, (int)choice.reason);
}

Test(choice, goes_by_the_first_reason_there_is) {
    tni_choice_traits traits = make_traits(10);
    expect(&traits, TNI_CHOICE_PGS, TN_MECHANISM_REASON_LIGHT);
    traits.load = 8.0;
    traits.mass_ratio = 1000.0; // over a suspension
    expect(&traits, TNI_CHOICE_PGS, TN_MECHANISM_REASON_LIGHT);
    traits.point_ratio = 17.0;
    expect(&traits, TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_MASSES);
    traits.point_ratio = 16.0;
    traits.has_opened = true;
    expect(&traits, TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_OPENED);
    traits.needs_more = true;
    expect(&traits, TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_TOLERANCE);
    traits.is_hung = true;
    expect(&traits, TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_HUNG);
    traits.load = 8.1;
    expect(&traits, TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_MASSES);
    traits.loops = 1;
    expect(&traits, TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_LOOPS);
    traits.is_asked = true;
    expect(&traits, TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_ASKED);
    // Springs alone.
    traits.is_asked = false;
    traits.equalities = 0;
    expect(&traits, TNI_CHOICE_PGS, TN_MECHANISM_REASON_LIGHT);
    // And one of its rows a rope.
    traits.loops = 0;
    traits.ropes = 1;
    expect(&traits, TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_MASSES);
}

Test(choice, takes_loose_chains_of_rigid_joints_alone) {
    tni_choice_traits traits = make_traits(2);
    traits.load = 1.0;
    traits.pieces = 2;
    expect(&traits, TNI_CHOICE_PGS, TN_MECHANISM_REASON_LIGHT);
    traits.pieces = 3;
    expect(&traits, TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_CHAIN);
    traits.load = 0.5; // a wagon's wheels
    expect(&traits, TNI_CHOICE_PGS, TN_MECHANISM_REASON_LIGHT);
    traits.load = 1.0;
    traits.rows += 1;
    expect(&traits, TNI_CHOICE_PGS, TN_MECHANISM_REASON_LIGHT);
}

Test(choice, leaves_what_hangs_and_dissipates_to_gauss_seidel_unless_it_carries_much) {
    tni_choice_traits traits = make_traits(2);
    traits.is_hung = true;
    traits.bodies = 2;
    expect(&traits, TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_HUNG);
    traits.rows += 1; // a motor, a spring or a limit
    traits.load = 4.0;
    expect(&traits, TNI_CHOICE_PGS, TN_MECHANISM_REASON_LIGHT);
    traits.load = 4.1;
    expect(&traits, TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_HUNG);
    traits.load = 1.0;
    traits.bodies = 3;
    expect(&traits, TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_HUNG);
}

// 12 (1000 rows + 2 work) against so many times 3200 rows.
static double get_work_at(const tni_choice_traits *traits, double price) {
    return (3200.0 * price / 12.0 - 1000.0) * traits->rows / 2.0;
}

Test(choice, gives_nets_to_conjugate_gradients) {
    tni_choice_traits traits = make_traits(1000);
    traits.loops = traits.cycles = 200;
    tni_choice exact = tni_choice_from_traits(&traits);
    cr_assert(tni_choice_asks_for_work(exact, &traits));
    tni_choice choice = tni_choice_afford(exact, &traits, get_work_at(&traits, 5.9));
    cr_assert(choice.method == TNI_CHOICE_DIRECT && choice.reason == TN_MECHANISM_REASON_LOOPS);
    choice = tni_choice_afford(exact, &traits, get_work_at(&traits, 6.1));
    cr_assert(choice.method == TNI_CHOICE_CG && choice.reason == TN_MECHANISM_REASON_LOOPS);
    // A large one without asking.
    traits.cycles = 300;
    cr_assert_not(tni_choice_asks_for_work(exact, &traits));
    cr_assert(tni_choice_afford(exact, &traits, 0.0).method == TNI_CHOICE_CG);
    // Not with unlike masses.
    traits.mass_ratio = 100.0;
    cr_assert(tni_choice_asks_for_work(exact, &traits));
    cr_assert(tni_choice_afford(exact, &traits, 0.0).method == TNI_CHOICE_DIRECT);
    // A tree asks for nothing.
    traits = make_traits(1000);
    traits.is_hung = true;
    cr_assert_not(tni_choice_asks_for_work(tni_choice_from_traits(&traits), &traits));
}

Test(choice, leaves_large_nets_of_particles_to_sweeps) {
    tni_choice_traits net = make_traits(1000);
    net.loops = net.cycles = 300;
    net.are_points = true;
    tni_choice exact = tni_choice_from_traits(&net);
    cr_assert_not(tni_choice_asks_for_work(exact, &net));
    tni_choice choice = tni_choice_afford(exact, &net, 0.0);
    cr_assert(choice.method == TNI_CHOICE_PGS && choice.reason == TN_MECHANISM_REASON_DEAR);
    net.needs_more = net.needs_exact = true; // a tolerance
    cr_assert(tni_choice_afford(exact, &net, 0.0).method == TNI_CHOICE_CG);
    net.needs_more = net.needs_exact = false;
    net.is_asked = true;
    cr_assert(tni_choice_afford(tni_choice_from_traits(&net), &net, 0.0).method ==
              TNI_CHOICE_DIRECT);
    net.is_asked = false;
    net.cycles = 200; // a small one
    double dear = get_work_at(&net, 6.1);
    cr_assert(tni_choice_afford(exact, &net, dear).method == TNI_CHOICE_CG);
}

Test(choice, gives_meshes_to_conjugate_gradients_at_any_price) {
    tni_choice_traits curtain = make_traits(24);
    curtain.bodies = 14;
    curtain.loops = curtain.cycles = curtain.mesh_cycles = 10;
    tni_choice exact = tni_choice_from_traits(&curtain);
    cr_assert_not(tni_choice_asks_for_work(exact, &curtain));
    tni_choice choice = tni_choice_afford(exact, &curtain, 0.0);
    cr_assert(choice.method == TNI_CHOICE_CG && choice.reason == TN_MECHANISM_REASON_LOOPS);
    // Each of these makes it none: few cycles for its bodies, few bodies, cycles of hinges, a
    // motor, unlike masses, a tolerance.
    tni_choice_traits others[6] = {curtain, curtain, curtain, curtain, curtain, curtain};
    others[0].bodies = 20;
    others[1].bodies = 8;
    others[2].mesh_cycles = 7;
    others[3].rows += 1;
    others[4].mass_ratio = 17.0;
    others[5].needs_more = others[5].needs_exact = true;
    for (int i = 0; i < 6; ++i) {
        exact = tni_choice_from_traits(&others[i]);
        cr_assert(tni_choice_asks_for_work(exact, &others[i]), "case %d", i);
        cr_assert(tni_choice_afford(exact, &others[i], 0.0).method == TNI_CHOICE_DIRECT, "case %d",
                  i);
    }
    // A tolerance is not worth everything.
    cr_assert(tni_choice_afford(exact, &others[5], 1e8).method == TNI_CHOICE_CG);
    // One that conjugate gradients keep changes nothing.
    others[5].needs_exact = false;
    cr_assert(tni_choice_afford(exact, &others[5], 0.0).method == TNI_CHOICE_CG);
}

Test(choice, refuses_what_costs_more_than_its_rows_are_worth) {
    tni_choice_traits traits = make_traits(200);
    traits.rows += 1; // a motor
    traits.loops = traits.cycles = 60;
    tni_choice exact = tni_choice_from_traits(&traits);
    double limit = get_work_at(&traits, 32.0);
    cr_assert(tni_choice_afford(exact, &traits, 0.99 * limit).method == TNI_CHOICE_DIRECT);
    tni_choice refused = tni_choice_afford(exact, &traits, 1.01 * limit);
    cr_assert(refused.method == TNI_CHOICE_PGS && refused.reason == TN_MECHANISM_REASON_DEAR);
    // Whoever asks for a tolerance bears more, and who asks for the method all of it.
    traits.needs_more = true;
    cr_assert(tni_choice_afford(exact, &traits, 7.0 * limit).method == TNI_CHOICE_DIRECT);
    cr_assert(tni_choice_afford(exact, &traits, 20.0 * limit).method == TNI_CHOICE_PGS);
    traits.is_asked = true;
    exact = tni_choice_from_traits(&traits);
    cr_assert(tni_choice_afford(exact, &traits, 1e12).method == TNI_CHOICE_DIRECT);
    // What is large may cost 1e8 instructions and no more.
    traits = make_traits(2000);
    traits.rows += 1;
    traits.loops = traits.cycles = 600;
    exact = tni_choice_from_traits(&traits);
    cr_assert(tni_choice_afford(exact, &traits, get_work_at(&traits, 5.9)).method ==
              TNI_CHOICE_DIRECT);
    cr_assert(tni_choice_afford(exact, &traits, get_work_at(&traits, 6.1)).method ==
              TNI_CHOICE_PGS);
    // What is small may be dear.
    traits = make_traits(4);
    traits.loops = traits.cycles = 1;
    exact = tni_choice_from_traits(&traits);
    cr_assert(tni_choice_afford(exact, &traits, 9e4).method == TNI_CHOICE_DIRECT);
    traits.rows += 1;
    cr_assert(tni_choice_afford(exact, &traits, 3e5).method == TNI_CHOICE_PGS);
}

// Two panels, the first of two blocks of 2 and 1, with one block of 3 below it.
Test(choice, counts_the_work_of_a_factorisation) {
    uint32_t sizes[3] = {2, 1, 3}, starts[3] = {0, 2, 3}, columns[3] = {0, 1, 1}, rows[1] = {2};
    tni_block_pattern pattern = {.count = 3,
                                 .panel_count = 2,
                                 .sizes = sizes,
                                 .starts = starts,
                                 .columns = columns,
                                 .rows = rows};
    // 3 (3^2 / 2 + 3 * 3 + 3^2 / 6) + 3 * 3^2 / 6
    double work = tni_choice_get_work(&pattern);
    cr_assert(work > 49.49 && work < 49.51, "%g", work);
}
