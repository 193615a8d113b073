// TN_SOLVER_AUTO in a world: what it chooses, and that a choice stands.
#include "auto_world.h"
#include "tests/support/long_test.h"

TestSuite(automatic, .init = setup, .fini = teardown);

// ---- parts -------------------------------------------------------------------------------------

static tn_joint_id tie(tn_body_id a, tn_body_id b, double x, double y) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, y, 0.0},
                                      (tn_vec3){0.0, 0.0, 1.0}));
    tn_joint_id joint = tn_ball_joint_create(world, &def);
    cr_assert(joint.value != 0);
    return joint;
}

static tn_joint_id weld(tn_body_id a, tn_body_id b, double x, double y) {
    tn_fixed_joint_def def = tn_fixed_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, y, 0.0},
                                      (tn_vec3){0.0, 0.0, 1.0}));
    return tn_fixed_joint_create(world, &def);
}

// A row of links from x on at a height; the first of them hangs on the world when asked to.
static void make_chain(tn_body_id *links, int count, double x, double y, bool is_hung) {
    for (int i = 0; i < count; ++i) {
        links[i] = make_link(x + i, y, 1.0);
        if (i > 0 || is_hung) {
            tie(i > 0 ? links[i - 1] : (tn_body_id){0}, links[i], x + i - 0.5, y);
        }
    }
}

// A little friction in a joint, as in a figure's: the mechanism is not of rigid joints alone.
static void rub(tn_body_id link) {
    tn_joint_id joints[2];
    cr_assert(tn_body_get_joints(world, link, joints, 2) > 0);
    tn_ball_joint_set_friction(world, joints[0], 1e-3f);
}

// ---- what is chosen ----------------------------------------------------------------------------

Test(automatic, is_the_default_and_leaves_a_loose_figure_to_gauss_seidel) {
    cr_assert(tn_world_get_solver(world) == TN_SOLVER_AUTO);
    tn_body_id links[5];
    make_chain(links, 5, 0.0, 0.0, false);
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_CHAIN);
    rub(links[2]);
    expect(TN_MECHANISM_METHOD_PGS, TN_MECHANISM_REASON_LIGHT);
    tn_mechanism_info info = get_only();
    cr_assert(info.bodies == 5 && info.joints == 4 && info.rows == 15);
    cr_assert(info.fill == 0 && info.iterations == 0 && info.solve_ms == 0.0);
    cr_assert(info.worst_linear_joint.value != 0);
    // Its end becomes heavy.
    tn_mass heavy = {.mass = 100.0, .inertia = {.xx = 2.0, .yy = 2.0, .zz = 2.0}};
    tn_body_set_mass(world, links[4], heavy);
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_MASSES);
    cr_assert(get_only().joints == 4 && get_only().rows == 15);
}

Test(automatic, takes_what_hangs_and_what_closes_loops) {
    tn_body_id links[4];
    make_chain(links, 4, 0.0, 0.0, true);
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_HUNG);
    // Cut loose, and closed to a ring.
    tn_joint_id joints[4];
    cr_assert(tn_body_get_joints(world, links[0], joints, 4) == 2);
    tn_joint_destroy(world, joints[0].value < joints[1].value ? joints[0] : joints[1]);
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_CHAIN);
    tn_joint_id closing = tie(links[3], links[0], 1.5, 0.0);
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_LOOPS);
    tn_joint_destroy(world, closing);
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_CHAIN);
    cr_assert(reports.count == 0, "%s", reports.message);
}

Test(automatic, does_not_count_loops_of_welds) {
    tn_body_id blocks[4];
    for (int i = 0; i < 4; ++i) {
        blocks[i] = make_link(i % 2, i / 2, 1.0);
    }
    weld(blocks[0], blocks[1], 0.5, 0.0);
    weld(blocks[1], blocks[3], 1.0, 0.5);
    weld(blocks[3], blocks[2], 0.5, 1.0);
    weld(blocks[2], blocks[0], 0.0, 0.5);
    expect(TN_MECHANISM_METHOD_PGS, TN_MECHANISM_REASON_LIGHT);
    // Two balls between two welded blocks are a loop.
    tn_body_id flap = make_link(0.5, -1.0, 1.0);
    tie(flap, blocks[0], 0.0, -0.5);
    expect(TN_MECHANISM_METHOD_PGS, TN_MECHANISM_REASON_LIGHT);
    tie(flap, blocks[1], 1.0, -0.5);
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_LOOPS);
}

Test(automatic, obeys_joints_that_ask) {
    tn_body_id links[4];
    make_chain(links, 4, 0.0, 0.0, false);
    rub(links[2]);
    tn_joint_id joints[2];
    cr_assert(tn_body_get_joints(world, links[0], joints, 2) == 1);
    tn_joint_set_solver(world, joints[0], TN_SOLVER_DIRECT);
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_ASKED);
    cr_assert(get_only().joints == 3, "all of its mechanism");
    tn_joint_set_solver(world, joints[0], TN_SOLVER_AUTO);
    expect(TN_MECHANISM_METHOD_PGS, TN_MECHANISM_REASON_LIGHT);
    // Where the world says something AUTO chooses nothing.
    tn_world_set_solver(world, TN_SOLVER_PGS);
    test_step(world, 1);
    cr_assert(tn_world_get_mechanisms(world, NULL, 0) == 0);
    tn_world_set_solver(world, TN_SOLVER_DIRECT);
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_ASKED);
    tn_world_set_solver(world, TN_SOLVER_AUTO);
    expect(TN_MECHANISM_METHOD_PGS, TN_MECHANISM_REASON_LIGHT);
}

#define SIDE 24

static tn_body_id knots[SIDE][SIDE];

// Joined crosswise at every knot, a factorisation fills in.
static void make_mesh(int width, int height) {
    for (int i = 0; i < width; ++i) {
        for (int j = 0; j < height; ++j) {
            knots[i][j] = make_link(i, -j, 1.0);
            if (i > 0) {
                tie(knots[i - 1][j], knots[i][j], i - 0.5, -j);
            }
            if (j > 0) {
                tie(knots[i][j - 1], knots[i][j], i, 0.5 - j);
            }
        }
    }
}

static void make_net(void) {
    make_mesh(SIDE, SIDE);
}

// Hung by its upper corners, and pushed at the lower edge.
static void make_curtain(int width, int height) {
    make_mesh(width, height);
    tie((tn_body_id){0}, knots[0][0], -0.5, 0.0);
    tie((tn_body_id){0}, knots[width - 1][0], width - 0.5, 0.0);
    for (int i = 0; i < width; ++i) {
        tn_body_apply_impulse(world, knots[i][height - 1], (tn_vec3){0.0, 0.0, 2.0});
    }
}

Test(automatic, gives_a_net_to_conjugate_gradients_and_its_chain_to_the_direct_solver) {
    make_net();
    expect(TN_MECHANISM_METHOD_CG, TN_MECHANISM_REASON_LOOPS);
    tn_body_id links[3];
    make_chain(links, 3, 100.0, 0.0, true);
    test_step(world, 1);
    tn_mechanism_info infos[2];
    cr_assert(tn_world_get_mechanisms(world, infos, 2) == 2);
    cr_assert(infos[0].method == TN_MECHANISM_METHOD_DIRECT && infos[0].joints == 3);
    cr_assert(infos[1].method == TN_MECHANISM_METHOD_CG && infos[1].bodies == SIDE * SIDE);
    cr_assert(infos[1].joints == 2 * SIDE * (SIDE - 1));
    // It tells the error of its joints as any other does.
    tn_joint_error error = tn_joint_get_error(world, infos[1].worst_linear_joint);
    cr_assert(fabs(error.linear_length - infos[1].worst_joint_linear) < 1e-6);
}

Test(automatic, leaves_a_large_net_with_friction_to_gauss_seidel) {
    make_net();
    static tn_joint_id joints[2 * SIDE * SIDE];
    uint32_t count = tn_world_get_joints(world, joints, 2 * SIDE * SIDE);
    for (uint32_t i = 0; i < count; ++i) {
        tn_ball_joint_set_friction(world, joints[i], 0.1f);
    }
    expect(TN_MECHANISM_METHOD_PGS, TN_MECHANISM_REASON_DEAR);
}

Test(automatic, gives_curtains_to_conjugate_gradients_and_small_ones_to_the_direct_solver) {
    const struct {
        int width, height;
        tn_mechanism_method method;
    } cases[] = {{3, 2, TN_MECHANISM_METHOD_DIRECT}, {2, 10, TN_MECHANISM_METHOD_DIRECT},
                 {3, 4, TN_MECHANISM_METHOD_CG},     {4, 3, TN_MECHANISM_METHOD_CG},
                 {4, 4, TN_MECHANISM_METHOD_CG},     {6, 6, TN_MECHANISM_METHOD_CG},
                 {8, 3, TN_MECHANISM_METHOD_CG}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        teardown();
        make_world(0.0);
        make_curtain(cases[k].width, cases[k].height);
        double gap = 0.0;
        for (int i = 0; i < 60; ++i) {
            expect(cases[k].method, TN_MECHANISM_REASON_LOOPS);
            gap = fmax(gap, get_only().worst_joint_linear);
        }
        // Measured: 0.48 mm at most, direct 1.2e-9 m.
        cr_assert(gap < (cases[k].method == TN_MECHANISM_METHOD_CG ? 1e-3 : 1e-6), "%dx%d: %g",
                  cases[k].width, cases[k].height, gap);
    }
}

// So many four-bar windows side by side, of hinges; of each window one joint may be a ball.
static void make_windows(int count, bool has_balls) {
    tn_body_id before = {0};
    for (int i = 0; i <= count; ++i) {
        tn_body_id crank = make_link(i, 0.5, 1.0);
        hinge((tn_body_id){0}, crank, i, 0.0);
        if (i > 0) {
            tn_body_id coupler = make_link(i - 0.5, 1.0, 1.0);
            hinge(before, coupler, i - 1.0, 1.0);
            (has_balls ? tie : hinge)(coupler, crank, i, 1.0);
        }
        before = crank;
    }
}

Test(automatic, takes_linkages_of_many_loops) {
    for (int k = 0; k < 2; ++k) {
        teardown();
        make_world(0.0);
        make_windows(40, k == 1);
        expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_LOOPS);
        cr_assert(get_only().bodies == 81 && get_only().joints == 121);
    }
}

// A hanging net falls edge on to a floor and crumples. Its bodies hardly move against each other at
// first: without that it would fall as one column of a net does, each beside its like.
LONG_TEST(automatic, lays_a_net_on_the_floor, .timeout = 60) {
    make_net();
    tn_shape_def shape = tn_shape_def_default();
    shape.density = 0.0f;
    for (int i = 0; i < SIDE; ++i) {
        for (int j = 0; j < SIDE; ++j) {
            tn_sphere_shape_create(world, knots[i][j], &shape, 0.3f);
            tn_vec3 slow = {1e-3 * sin(7.0 * i + j), 0.0, 1e-3 * sin(i + 5.0 * j)};
            tn_body_set_velocity(world, knots[i][j], (tn_velocity){.linear = slow});
        }
    }
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_STATIC;
    def.pose.position.y = -SIDE - 2.0;
    tn_half_space_shape_create(world, tn_body_create(world, &def), &shape);
    double depth = 0.0, gap = 0.0, gained = 0.0, least = (double)INFINITY;
    for (int i = 0; i < 240; ++i) {
        test_step(world, 1);
        depth = fmax(depth, tn_world_get_telemetry(world).deepest_penetration);
        gap = fmax(gap, tn_world_get_telemetry(world).worst_joint_linear);
        tn_energy energy = tn_world_get_energy(world);
        least = fmin(least, energy.kinetic + energy.potential);
        gained = fmax(gained, energy.kinetic + energy.potential - least);
    }
    // It falls by 72 kJ, and rises by 0.2. Other starts: 20 to 48 mm, 0.12 to 0.27 m, 0 to 4.3 kJ;
    // Gauss-Seidel 26 to 56 mm, 0.15 to 0.19 m, 0.1 kJ. Stiff joints against the contacts of its
    // own bodies opened by a metre and gained 30 kJ and more.
    cr_assert(depth < 0.05 && gap < 0.2, "depth %g, gap %g", depth, gap);
    cr_assert(gained < 5e3, "%g J gained", gained);
}

// ---- a tolerance -------------------------------------------------------------------------------

Test(automatic, spends_more_where_a_tolerance_is_missed) {
    // A millimetre is more than Gauss-Seidel promises, one centimetre is not.
    const double tolerances[2] = {0.0005, 0.01};
    for (int k = 0; k < 2; ++k) {
        teardown();
        make_world(tolerances[k]);
        tn_body_id links[6];
        make_chain(links, 6, 0.0, 0.0, false);
        rub(links[2]);
        expect(k == 0 ? TN_MECHANISM_METHOD_DIRECT : TN_MECHANISM_METHOD_PGS,
               k == 0 ? TN_MECHANISM_REASON_TOLERANCE : TN_MECHANISM_REASON_LIGHT);
        // One end is torn away: Gauss-Seidel opens by more than a centimetre, for a step.
        tn_body_apply_impulse(world, links[5], (tn_vec3){0.0, 40.0, 0.0});
        uint32_t missed = 0;
        for (int i = 0; i < 60; ++i) {
            test_step(world, 1);
            missed += tn_world_get_telemetry(world).meets_tolerance ? 0 : 1;
        }
        cr_assert(k == 0 ? missed == 0 : missed > 0 && missed < 3, "%u steps", missed);
        expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_TOLERANCE);
    }
}

Test(automatic, solves_a_curtain_exactly_where_its_tolerance_needs_that) {
    // Conjugate gradients promise half a millimetre.
    const double tolerances[2] = {0.0001, 0.0008};
    for (int k = 0; k < 2; ++k) {
        teardown();
        make_world(tolerances[k]);
        make_mesh(4, 4);
        tie((tn_body_id){0}, knots[0][0], -0.5, 0.0);
        tie((tn_body_id){0}, knots[3][0], 3.5, 0.0);
        expect(k == 0 ? TN_MECHANISM_METHOD_DIRECT : TN_MECHANISM_METHOD_CG,
               TN_MECHANISM_REASON_LOOPS);
        cr_assert(tn_world_get_telemetry(world).meets_tolerance);
        tn_body_apply_impulse(world, knots[2][3], (tn_vec3){0.0, -100.0, 40.0});
        test_step(world, 1);
        cr_assert(tn_world_get_telemetry(world).meets_tolerance == (k == 0));
        for (int i = 0; i < 30; ++i) {
            expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_LOOPS);
        }
    }
}

// ---- what is seen to open ----------------------------------------------------------------------

// Links whose axes differ, with ends that they hit as they fall. A pair that leans on them stays
// exact.
static void make_flail(int count) {
    tn_body_id last = {0};
    for (int i = 0; i < count; ++i) {
        tn_body_id link = make_link(i + 0.5, 0.0, 1.0);
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        tn_vec3 axis = {i % 2, 0.3, 1.0};
        cr_assert(
            tn_joint_def_set_frames(world, &def.base, last, link, (tn_vec3){i, 0.0, 0.0}, axis));
        def.limit = (tn_limit){.is_enabled = true, .lower = -0.3f, .upper = 0.3f};
        cr_assert(tn_hinge_joint_create(world, &def).value != 0);
        last = link;
    }
}

Test(automatic, takes_a_light_machine_that_has_opened_for_a_while) {
    make_flail(2);
    expect(TN_MECHANISM_METHOD_PGS, TN_MECHANISM_REASON_LIGHT);
    uint32_t exact = 0, returns = 0, open = 0;
    bool was_exact = false;
    for (int i = 0; i < 240; ++i) {
        if (i == 150) {
            tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
        }
        test_step(world, 1);
        tn_mechanism_info info = get_only();
        bool is_exact = info.method == TN_MECHANISM_METHOD_DIRECT;
        cr_assert(info.reason ==
                  (is_exact ? TN_MECHANISM_REASON_OPENED : TN_MECHANISM_REASON_LIGHT));
        exact += is_exact ? 1 : 0;
        returns += was_exact && !is_exact ? 1 : 0;
        was_exact = is_exact;
        open = info.worst_joint_linear > 1e-3 ? open + 1 : 0;
        cr_assert(open < 5, "open by %g m", info.worst_joint_linear);
    }
    cr_assert(exact >= 60 && returns > 0, "%u steps exact, %u returns", exact, returns);
    cr_assert(reports.count == 0, "%s", reports.message);
}

// A door on a hinge with friction, put so far off along its hinge and turned off it, at rest.
static void put_door(tn_body_id door, double off, double turn) {
    tn_pose pose = {{0.5 * cos(turn), 0.0, off - 0.5 * sin(turn)},
                    {0.0, sin(0.5 * turn), 0.0, cos(0.5 * turn)}};
    tn_body_set_pose(world, door, pose);
    tn_body_set_velocity(world, door, (tn_velocity){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
}

static double get_open(bool is_turn) {
    tn_mechanism_info info = get_only();
    return is_turn ? info.worst_joint_angular : info.worst_joint_linear;
}

// Open by 1.2 mm or 12 mrad after every second step it is left as it is; after four in a row not.
Test(automatic, takes_what_stays_open_for_four_steps_in_a_row) {
    for (int is_turn = 0; is_turn < 2; ++is_turn) {
        teardown();
        make_world(0.0);
        tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
        tn_body_id door = make_link(0.5, 0.0, 1.0);
        tn_hinge_joint_set_friction(world, hinge((tn_body_id){0}, door, 0.0, 0.0), 1.0f);
        double wanted = is_turn ? 0.012 : 0.0012, put = wanted;
        put_door(door, is_turn ? 0.0 : put, is_turn ? put : 0.0);
        test_step(world, 1);
        put *= wanted / get_open(is_turn);
        for (int i = 0; i < 30; ++i) {
            bool is_put = i >= 24 || i % 2 == 0;
            put_door(door, is_put && !is_turn ? put : 0.0, is_put && is_turn ? put : 0.0);
            test_step(world, 1);
            if (i < 24) {
                cr_assert(fabs(get_open(is_turn) - (is_put ? wanted : 0.0)) < 0.2 * wanted);
                cr_assert(get_only().reason == TN_MECHANISM_REASON_LIGHT, "step %d", i);
            }
        }
        test_step(world, 1);
        cr_assert(get_only().reason == TN_MECHANISM_REASON_OPENED);
    }
}

// What is torn out of its joint is not exact as long as it is far from it.
Test(automatic, leaves_what_is_torn_to_gauss_seidel) {
    tn_body_id door = make_link(0.5, 0.0, 1.0);
    tn_hinge_joint_set_friction(world, hinge((tn_body_id){0}, door, 0.0, 0.0), 1.0f);
    put_door(door, 40.0, 0.0);
    test_step(world, 1);
    for (int i = 0; i < 10; ++i) {
        bool is_torn = get_open(false) > 0.1;
        cr_assert(i > 0 || is_torn);
        test_step(world, 1);
        cr_assert(!is_torn || get_only().reason == TN_MECHANISM_REASON_LIGHT, "step %d", i);
    }
}

// Flails have 14 rows each, and those of four are held exact; of nine, which are a crowd, none.
Test(automatic, takes_a_few_that_have_opened_and_none_of_a_crowd) {
    for (int count = 6; count <= 9; count += 3) {
        teardown();
        make_world(0.0);
        for (int i = 0; i < count; ++i) {
            make_flail(2);
        }
        uint32_t most = 0;
        for (int i = 0; i < 120; ++i) {
            tn_mechanism_info infos[16];
            uint32_t opened = 0;
            test_step(world, 1);
            uint32_t n = tn_world_get_mechanisms(world, infos, 16);
            for (uint32_t k = 0; k < n && k < 16; ++k) {
                opened += infos[k].reason == TN_MECHANISM_REASON_OPENED ? 1 : 0;
            }
            most = opened > most ? opened : most;
        }
        cr_assert(most == (count == 6 ? 4 : 0), "%d: %u", count, most);
    }
}

// ---- what is carried ---------------------------------------------------------------------------

static tn_distance_joint_def make_rope(tn_body_id a, tn_body_id b, double length) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    def.is_rigid = false;
    def.limit = (tn_limit){.is_enabled = true, .lower = 0.0f, .upper = (float)length};
    return def;
}

// A door with friction and stops, an arm of like parts, a figure in a hand: they carry little, and
// their joints open by fractions of a millimetre.
Test(automatic, leaves_doors_and_what_is_held_by_springs_to_gauss_seidel) {
    tn_body_id door = make_link(0.5, 0.0, 20.0);
    tn_joint_id joint = hinge((tn_body_id){0}, door, 0.0, 0.0);
    tn_hinge_joint_set_friction(world, joint, 1.0f);
    expect(TN_MECHANISM_METHOD_PGS, TN_MECHANISM_REASON_LIGHT);
    tn_body_destroy(world, door);
    tn_body_id links[3];
    make_chain(links, 3, 0.0, 0.0, false);
    rub(links[1]);
    tn_mouse_joint_def hand = tn_mouse_joint_def_default();
    hand.base.body_b = links[0];
    cr_assert(tn_mouse_joint_create(world, &hand).value != 0);
    expect(TN_MECHANISM_METHOD_PGS, TN_MECHANISM_REASON_LIGHT);
    cr_assert(reports.count == 0, "%s", reports.message);
}

Test(automatic, takes_what_carries_much_whichever_end_it_is_made_from) {
    for (int k = 0; k < 2; ++k) {
        teardown();
        make_world(0.0);
        // Friction, so that what hangs is not taken for its energy.
        tn_body_id upper = make_link(0.0, -1.0, 1.0), lower = make_link(0.0, -2.0, 9.0);
        if (k == 1) {
            tn_joint_id between = hinge(lower, upper, 0.0, -1.5);
            tn_hinge_joint_set_friction(world, between, 0.1f);
        }
        tn_joint_id above = hinge((tn_body_id){0}, upper, 0.0, -0.5);
        tn_hinge_joint_set_friction(world, above, 0.1f);
        if (k == 0) {
            tn_joint_id between = hinge(upper, lower, 0.0, -1.5);
            tn_hinge_joint_set_friction(world, between, 0.1f);
        }
        expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_MASSES);
        tn_mass light = {.mass = 3.0, .inertia = {.xx = 0.06, .yy = 0.06, .zz = 0.06}};
        tn_body_set_mass(world, lower, light);
        expect(TN_MECHANISM_METHOD_PGS, TN_MECHANISM_REASON_LIGHT);
    }
}

// Wheels of 5 kg under 1,000 kg: on hinges they carry it, on suspensions the springs do.
Test(automatic, counts_wheels_that_hold_a_point_and_not_those_on_springs) {
    for (int k = 0; k < 2; ++k) {
        teardown();
        make_world(0.0);
        tn_body_id chassis = make_link(0.0, 0.0, 1000.0);
        for (int i = 0; i < 4; ++i) {
            double x = i < 2 ? -1.0 : 1.0, y = i % 2 == 0 ? -0.5 : 0.5;
            tn_body_id wheel = make_link(x, y, 5.0);
            if (k == 0) {
                hinge(chassis, wheel, x, y);
                continue;
            }
            tn_wheel_joint_def def = tn_wheel_joint_def_default();
            def.suspension =
                (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 2e4f, .damping = 1e3f};
            cr_assert(tn_joint_def_set_frames(world, &def.base, chassis, wheel,
                                              (tn_vec3){x, y, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
            cr_assert(tn_wheel_joint_create(world, &def).value != 0);
        }
        expect(k == 0 ? TN_MECHANISM_METHOD_DIRECT : TN_MECHANISM_METHOD_PGS,
               k == 0 ? TN_MECHANISM_REASON_MASSES : TN_MECHANISM_REASON_LIGHT);
    }
}

// A weight on a rope and an Atwood machine are exact; a net of ropes is swept.
Test(automatic, takes_ropes_with_a_load_and_no_nets_of_them) {
    tn_body_id weight = make_link(0.0, 0.0, 1.0);
    tn_distance_joint_def def = make_rope((tn_body_id){0}, weight, 2.0);
    cr_assert(tn_distance_joint_create(world, &def).value != 0);
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_HUNG);
    teardown();
    make_world(0.0);
    tn_pulley_joint_def pulley = tn_pulley_joint_def_default();
    pulley.base.body_a = make_link(-1.0, 0.0, 1.0);
    pulley.base.body_b = make_link(1.0, 0.0, 2.0);
    pulley.ground_a = (tn_vec3){-1.0, 2.0, 0.0};
    pulley.ground_b = (tn_vec3){1.0, 2.0, 0.0};
    pulley.length = 4.0;
    pulley.is_rigid = false;
    cr_assert(tn_pulley_joint_create(world, &pulley).value != 0);
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_HUNG);
    teardown();
    make_world(0.0);
    tn_body_id mesh[5][5];
    for (int i = 0; i < 25; ++i) {
        int x = i % 5, y = i / 5;
        mesh[x][y] = make_link(x, -y, 0.1);
        tn_distance_joint_def left =
            make_rope(x > 0 ? mesh[x - 1][y] : (tn_body_id){0}, mesh[x][y], 1.1);
        tn_distance_joint_def above =
            make_rope(y > 0 ? mesh[x][y - 1] : (tn_body_id){0}, mesh[x][y], 1.1);
        cr_assert(x == 0 || tn_distance_joint_create(world, &left).value != 0);
        above.base.frame_a.position.x = y > 0 ? 0.0 : x;
        cr_assert(tn_distance_joint_create(world, &above).value != 0);
    }
    expect(TN_MECHANISM_METHOD_PGS, TN_MECHANISM_REASON_LIGHT);
}

// ---- what comes and goes -----------------------------------------------------------------------

Test(automatic, goes_to_gauss_seidel_while_it_touches_much) {
    tn_body_id links[30];
    make_chain(links, 30, 0.0, 0.0, true);
    tn_shape_def shape = tn_shape_def_default();
    shape.density = 0.0f;
    for (int i = 0; i < 30; ++i) {
        tn_sphere_shape_create(world, links[i], &shape, 0.1f);
    }
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_MASSES);
    // A table comes up to all of them, and stays there.
    tn_body_id table =
        test_box_create(world, TN_BODY_TYPE_KINEMATIC, 15.0, -1.0, 0.0, (tn_vec3){20.0, 0.1, 5.0});
    tn_body_set_velocity(world, table, (tn_velocity){.linear = {0.0, 1.0, 0.0}});
    test_step(world, 30);
    tn_body_set_velocity(world, table, (tn_velocity){.linear = {0.0, 0.0, 0.0}});
    test_step(world, 90);
    cr_assert(get_only().method == TN_MECHANISM_METHOD_PGS);
    cr_assert(get_only().reason == TN_MECHANISM_REASON_CONTACTS);
    // The choice stands while they are there: no step is exact.
    for (int i = 0; i < 130; ++i) {
        expect(TN_MECHANISM_METHOD_PGS, TN_MECHANISM_REASON_CONTACTS);
    }
    tn_body_destroy(world, table);
    test_step(world, 61);
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_MASSES);
}

Test(automatic, keeps_its_choice_over_sleep_and_allocates_nothing) {
    teardown();
    world = test_world_create(&reports);
    tn_body_id door = make_link(0.5, 0.0, 1.0), lock = make_link(1.0, 0.0, 5.0);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, door,
                                      (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 1.0, 0.0}));
    def.friction = 1.0f;
    tn_hinge_joint_create(world, &def);
    weld(door, lock, 1.0, 0.0); // so heavy that the hinge would open
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_HUNG);
    for (int i = 0; i < 3; ++i) {
        test_step(world, 120);
        cr_assert_not(tn_body_is_awake(world, door));
        cr_assert(tn_world_get_mechanisms(world, NULL, 0) == 0);
        tn_body_apply_torque(world, door, (tn_vec3){0.0, 5.0, 0.0});
        expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_HUNG);
        cr_assert(i == 0 || tn_world_get_telemetry(world).allocations == 0);
    }
}

Test(automatic, goes_on_while_joints_and_bodies_come_and_go) {
    tn_body_id links[8];
    for (int round = 0; round < 10; ++round) {
        make_chain(links, 8, 0.0, -2.0 * round, round % 2 == 0);
        test_step(world, 3);
        tn_body_destroy(world, links[3]);
        test_step(world, 1);
        tn_body_set_enabled(world, links[5], false);
        test_step(world, 1);
        tn_body_set_enabled(world, links[5], true);
        tn_body_set_type(world, links[6], TN_BODY_TYPE_STATIC);
        test_step(world, 1);
        tn_mechanism_info infos[64];
        uint32_t count = tn_world_get_mechanisms(world, infos, 64);
        uint32_t joints = 0;
        for (uint32_t i = 0; i < count; ++i) {
            joints += infos[i].joints;
        }
        cr_assert(joints == tn_world_get_telemetry(world).joints, "%u of %u", joints,
                  tn_world_get_telemetry(world).joints);
        for (int i = 0; i < 8; ++i) {
            if (i != 3) {
                tn_body_destroy(world, links[i]);
            }
        }
    }
    cr_assert(reports.count == 0, "%s: %s", reports.function, reports.message);
}

// A chain breaks under its load; what its events name is destroyed while they are read.
Test(automatic, tells_breaks_and_bears_destruction_among_the_events) {
    tn_body_id links[6];
    make_chain(links, 6, 0.0, 0.0, true);
    tn_joint_id joints[2];
    cr_assert(tn_body_get_joints(world, links[3], joints, 2) == 2);
    // The whole weight of the three links below hangs on it, and more when they swing.
    tn_joint_id weak = joints[0].value < joints[1].value ? joints[0] : joints[1];
    tn_joint_set_break_force(world, weak, 25.0f, INFINITY);
    expect(TN_MECHANISM_METHOD_DIRECT, TN_MECHANISM_REASON_HUNG);
    uint32_t broken = 0;
    for (int i = 0; i < 120; ++i) {
        test_step(world, 1);
        tn_events events = tn_world_get_events(world);
        for (uint32_t k = 0; k < events.joint_break_count; ++k) {
            cr_assert(events.joint_breaks[k].joint.value == weak.value);
            cr_assert(events.joint_breaks[k].force > 25.0f);
            cr_assert_not(tn_joint_is_valid(world, weak));
            tn_body_destroy(world, events.joint_breaks[k].body_b);
            broken += 1;
        }
    }
    cr_assert(broken == 1, "%u", broken);
    // What still hangs is exact; the two links that fell are not worth it.
    tn_mechanism_info infos[3];
    cr_assert(tn_world_get_mechanisms(world, infos, 3) == 2);
    cr_assert(infos[0].method == TN_MECHANISM_METHOD_DIRECT && infos[0].joints == 3);
    cr_assert(infos[1].method == TN_MECHANISM_METHOD_PGS && infos[1].joints == 1);
    cr_assert(infos[1].reason == TN_MECHANISM_REASON_LIGHT);
    cr_assert(reports.count == 0, "%s: %s", reports.function, reports.message);
}
