// solver/step/choice.c: the rule of TN_SOLVER_AUTO.
//
// The direct solver is worth its price where Gauss-Seidel leaves a visible error: with bodies that
// carry many times their own mass (world/mechanisms/mechanism_load.c), closed loops, and mechanisms
// that hang on something that does not move and have an energy to keep (measured over the scenes,
// 60 Hz with 4 substeps, largest gap: pendulum 0.1 mm, piston 3, four-bar linkage 5, bridge 7,
// trebuchet 15, chain 27). Doors, arms and flaps, one or two bodies that hang by joints with
// motors, friction or limits and carry little, open by 0.1 to 3 mm and dissipate by themselves
// (chains of three and more open further when they are stopped, and closing lifts them again); a
// loose mechanism carries only itself, its joints open for the moment of an impact, and there may
// be a hundred of them in a pile. All these get Gauss-Seidel, until something small is seen to open
// (world/mechanisms/mechanism_choice.c). So do mechanisms that springs alone tie, and nets of
// ropes, where there is nothing to be exact about.
//
// The price. Counted in instructions, a step of Gauss-Seidel takes 3,000 to 3,500 for each row
// (chain 3,300, engine 2,950, walker 3,100, piston 3,200), a factorisation of the direct solver
// 1,000 for each row and 2 for each multiply-add, and a step has about 12 of them, so that
//
//     price = direct / Gauss-Seidel = 12 (1000 rows + 2 work) / (3200 rows)
//
// with the work taken from the symbolic factorisation: 4 for a chain and any tree, 27 for the
// walker (measured: 28), 5 for a grid of 6 x 6 balls, 16 for 20 x 20 (16), 30 for 30 x 30 (27). It
// grows without bound for grids and nets. Grids and nets of equalities alone are what conjugate
// gradients are for: 1.1 to 1.9 times Gauss-Seidel for 0.005 to 0.04 mm of gap instead of 0.3 to 4.
// Mechanisms that have motors, limits or friction as well may be costly, up to a limit. Small
// machines may be costly in any case: their cost is not noticed. Engines that are driven at 60 to
// 90 rad/s take 5 to 7 times Gauss-Seidel where the price says 4 to 5.
//
// The price does not count the cuts of solver/exact/mechanism.c, up to four times as much for a
// mechanism that turns freely by more than 0.1 rad in a substep: its speed is not known when the
// method is chosen, and would make the choice come and go. Bodies that turn fast for long are
// driven, and are cut from 0.4 rad on.
//
// Meshes. That price is of a step that converges. In most curtains of balls or rods that swing,
// from 6 balls on, stages split: they take 100 to 400 times Gauss-Seidel where the price says 4 to
// 12; conjugate gradients take 2 to 5, at gaps of 0.1 to 0.6 mm. The number of cycles for their
// bodies sets them apart from machines, without those that hinges and sliders close (engines,
// excavators, walkers, linkages, all planar, have no others): more than one for two bodies,
// curtains 0.67 to 1, lattices 1.3 and more. A linkage with a ball in each of its loops has less,
// and so has a ladder. Platforms on rods have more, but few bodies.
//
// Nets of particles that something heavy lies in. A swept thread is a spring of its own particles'
// mass, and a net gives way as one: by a fifth of its length below 200 times a knot's mass (60 Hz
// with 4 substeps), at any number of sweeps. Conjugate gradients hold it to a twentieth, for four
// to five times the price, and have it for as long (world/mechanisms/mechanism_press.c).
//
// Large nets of particles. Sweeps take their rods eight at a time and ask for velocities alone, and
// conjugate gradients six to ten times as long. Their gaps are a few millimetres better at rest,
// 24 mm for 29 in a net of 40 by 40 knots by its corners, but nets of rods that are as long as
// their span take no load across, and hundreds of rows together turn the pull of a net like that
// into blows, which sweeps do not: 200 mm for 40 there, 86 for 14 in one of 100 by 100 on its
// border.
// Test: tests/solver/step/test_choice.c
#include "solver/step/choice.h"

// These are counted in instructions: see above.
#define CHOICE_SWEEP_ROW      3200.0
#define CHOICE_FACTOR_ROW     1000.0
#define CHOICE_FACTOR_WORK    2.0
#define CHOICE_FACTORISATIONS 12.0
#define CHOICE_NET_ROW        65000.0 // of conjugate gradients, in a net that something lies in

// Any mechanism may have the price PRICE; one that conjugate gradients cannot take may have
// PRICE_MOST, as long as it costs no more than MOST, in instructions (about 8 ms); a mechanism may
// cost SMALL at any price (a quarter of a millisecond); and when a tolerance was asked for, all of
// these are TOLERANCE_TIMES as large.
#define CHOICE_PRICE           6.0
#define CHOICE_PRICE_MOST      32.0
#define CHOICE_MOST            1e8
#define CHOICE_SMALL           2.5e6
#define CHOICE_TOLERANCE_TIMES 8.0

// A net with more cycles than this is large: not even the symbolic factorisation is worth it.
#define CHOICE_LARGE_NET 256

// A mesh has more bodies than this. A smaller one takes about a millisecond at most.
#define CHOICE_MESH_BODIES 8

tni_choice tni_choice_from_traits(const tni_choice_traits *traits) {
    tni_choice choice = {TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_ASKED};
    if (traits->is_asked) {
        return choice;
    }
    if (traits->has_opened && tni_choice_may_bear(traits)) {
        return (tni_choice){TNI_CHOICE_CG, TN_MECHANISM_REASON_MASSES};
    }
    uint32_t ties = traits->equalities + traits->ropes;
    bool keeps_energy = traits->rows == ties || traits->load > TNI_CHOICE_HUNG_LOAD ||
                        traits->bodies > TNI_CHOICE_HUNG_BODIES;
    if (ties == 0) {
        choice = (tni_choice){TNI_CHOICE_PGS, TN_MECHANISM_REASON_LIGHT};
    } else if (traits->loops > 0) {
        choice.reason = TN_MECHANISM_REASON_LOOPS;
    } else if (traits->load > TNI_CHOICE_MOST_LOAD || traits->point_ratio > TNI_CHOICE_MASS_RATIO) {
        choice.reason = TN_MECHANISM_REASON_MASSES;
    } else if (traits->is_led || (traits->is_hung && keeps_energy)) {
        choice.reason = TN_MECHANISM_REASON_HUNG;
    } else if (traits->rows == ties && traits->pieces > TNI_CHOICE_LOOSE_PIECES &&
               traits->load >= TNI_CHOICE_CHAIN_LOAD) { // what is hung as well keeps its energy
        choice.reason = TN_MECHANISM_REASON_CHAIN;
    } else if (traits->needs_more) {
        choice.reason = TN_MECHANISM_REASON_TOLERANCE;
    } else if (traits->has_opened) {
        choice.reason = TN_MECHANISM_REASON_OPENED;
    } else {
        choice = (tni_choice){TNI_CHOICE_PGS, TN_MECHANISM_REASON_LIGHT};
    }
    return choice;
}

double tni_choice_get_work(const tni_block_pattern *pattern) {
    double work = 0.0;
    for (uint32_t p = 0; p < pattern->panel_count; ++p) {
        double size = 0.0, below = 0.0;
        for (uint32_t i = pattern->starts[p]; i < pattern->starts[p + 1]; ++i) {
            size += pattern->sizes[i];
        }
        for (uint32_t k = pattern->columns[p]; k < pattern->columns[p + 1]; ++k) {
            below += pattern->sizes[pattern->rows[k]];
        }
        work += size * (0.5 * below * below + size * below + size * size / 6.0);
    }
    return work;
}

// Is it a net for conjugate gradients? Masses that differ much are not for them.
static bool choice_is_net(const tni_choice_traits *traits) {
    return traits->cycles > 0 && traits->rows == traits->equalities && traits->span_rows == 0 &&
           !(traits->mass_ratio > TNI_CHOICE_MASS_RATIO);
}

bool tni_choice_is_dense(const tni_choice_traits *traits) {
    return traits->bodies > CHOICE_MESH_BODIES &&
           2 * (uint64_t)traits->mesh_cycles > traits->bodies;
}

bool tni_choice_may_bear(const tni_choice_traits *traits) {
    return traits->are_points && traits->equalities + traits->net_ropes > 0 &&
           tni_choice_is_dense(traits) && CHOICE_NET_ROW * traits->rows <= CHOICE_MOST;
}

// Returns true for mechanisms that get conjugate gradients whatever the price.
static bool choice_is_mesh(const tni_choice_traits *traits) {
    bool is_dense = tni_choice_is_dense(traits);
    return choice_is_net(traits) &&
           (traits->cycles > CHOICE_LARGE_NET || (is_dense && !traits->needs_exact));
}

// Returns true for nets that are swept whatever the price, unless sweeps do not keep a tolerance.
static bool choice_is_net_of_points(const tni_choice_traits *traits) {
    return traits->are_points && choice_is_net(traits) && traits->cycles > CHOICE_LARGE_NET &&
           !traits->needs_more && !traits->needs_exact;
}

bool tni_choice_asks_for_work(tni_choice choice, const tni_choice_traits *traits) {
    return choice.method == TNI_CHOICE_DIRECT && traits->cycles > 0 && !traits->is_asked &&
           !choice_is_mesh(traits);
}

static double choice_get_limit(const tni_choice_traits *traits) {
    double sweeps = CHOICE_SWEEP_ROW * traits->rows;
    double limit = CHOICE_PRICE * sweeps;
    if (!choice_is_net(traits)) {
        double most = CHOICE_PRICE_MOST * sweeps;
        most = most < CHOICE_MOST ? most : CHOICE_MOST;
        limit = most > limit ? most : limit;
    }
    limit = limit > CHOICE_SMALL ? limit : CHOICE_SMALL;
    return limit * (traits->needs_more ? CHOICE_TOLERANCE_TIMES : 1.0);
}

tni_choice tni_choice_afford(tni_choice choice, const tni_choice_traits *traits, double work) {
    double cost =
        CHOICE_FACTORISATIONS * (CHOICE_FACTOR_ROW * traits->rows + CHOICE_FACTOR_WORK * work);
    bool is_dear = cost > choice_get_limit(traits);
    if (choice.method != TNI_CHOICE_DIRECT || traits->is_asked) {
        return choice;
    }
    if (traits->span_rows > TNI_CHOICE_MOST_SPAN_ROWS) {
        choice = (tni_choice){TNI_CHOICE_PGS, TN_MECHANISM_REASON_DEAR};
    } else if (choice_is_net_of_points(traits)) {
        choice = (tni_choice){TNI_CHOICE_PGS, TN_MECHANISM_REASON_DEAR};
    } else if (choice_is_mesh(traits) || (choice_is_net(traits) && is_dear)) {
        choice.method = TNI_CHOICE_CG;
    } else if (is_dear) {
        choice = (tni_choice){TNI_CHOICE_PGS, TN_MECHANISM_REASON_DEAR};
    }
    return choice;
}
