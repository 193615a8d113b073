// solver/choice.c: the rule of TN_SOLVER_AUTO.
//
// The direct solver is worth its price where Gauss-Seidel leaves an error one sees: heavy bodies on
// light ones, closed loops, and whatever hangs on something that does not move and so carries a
// load for as long as it stands (measured over the scenes, 60 Hz with 4 substeps, largest gap:
// pendulum 0.1 mm, door 0.2, piston 3, four-bar linkage 5, bridge 7, trebuchet 15, chain 27). What
// is loose carries only itself, its joints open for the moment of an impact, and there may be a
// hundred of it in a pile: Gauss-Seidel. So has what is tied by ropes and springs alone, where
// there is nothing to be exact about.
//
// The price. Counted in instructions, a step of Gauss-Seidel takes 3,000 to 3,500 for each row
// (chain 3,300, engine 2,950, walker 3,100, piston 3,200), a factorisation of the direct solver
// 1,000 for each row and 5 for each multiply-add, and a step has about 12 of them, so that
//
//     price = direct / Gauss-Seidel = 12 (1000 rows + 5 work) / (3200 rows) = 4 + 0.02 work / rows
//
// with the work taken from the symbolic factorisation: 4 for a chain and any tree, 10 for a grid of
// 6 x 6 balls (measured: 12), 13 for 8 x 8 (15), 34 for 20 x 20 (38). It grows without bound for
// grids and nets, hence a limit. Small machines may be dear: nobody notices.
// Test: tests/solver/test_choice.c
#include "solver/choice.h"

// Above this ratio of the masses at a joint a loose mechanism asks for more than Gauss-Seidel. A
// person's shoulder has 11.
#define CHOICE_MASS_RATIO 16.0

// Instructions: see above.
#define CHOICE_SWEEP_ROW      3200.0
#define CHOICE_FACTOR_ROW     1000.0
#define CHOICE_FACTOR_WORK    5.0
#define CHOICE_FACTORISATIONS 12.0

// The price that every mechanism may have; what it may cost, in instructions (about 1 ms), however
// dear that is; and how many times both where a tolerance was asked for.
#define CHOICE_PRICE           16.0
#define CHOICE_SMALL           2.5e6
#define CHOICE_TOLERANCE_TIMES 8.0

tni_choice tni_choice_from_traits(const tni_choice_traits *traits) {
    tni_choice choice = {TNI_CHOICE_DIRECT, TN_MECHANISM_REASON_ASKED};
    if (traits->is_asked) {
        return choice;
    }
    if (traits->equalities == 0) {
        choice = (tni_choice){TNI_CHOICE_PGS, TN_MECHANISM_REASON_LIGHT};
    } else if (traits->mass_ratio > CHOICE_MASS_RATIO) {
        choice.reason = TN_MECHANISM_REASON_MASSES;
    } else if (traits->loops > 0) {
        choice.reason = TN_MECHANISM_REASON_LOOPS;
    } else if (traits->is_hung) {
        choice.reason = TN_MECHANISM_REASON_HUNG;
    } else if (traits->needs_more) {
        choice.reason = TN_MECHANISM_REASON_TOLERANCE;
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

tni_choice tni_choice_afford(tni_choice choice, const tni_choice_traits *traits, double work) {
    double rows = traits->rows;
    double cost = CHOICE_FACTORISATIONS * (CHOICE_FACTOR_ROW * rows + CHOICE_FACTOR_WORK * work);
    double times = traits->needs_more ? CHOICE_TOLERANCE_TIMES : 1.0;
    double limit = CHOICE_PRICE * CHOICE_SWEEP_ROW * rows;
    limit = times * (limit > CHOICE_SMALL ? limit : CHOICE_SMALL);
    if (choice.method == TNI_CHOICE_DIRECT && !traits->is_asked && cost > limit) {
        choice = (tni_choice){TNI_CHOICE_PGS, TN_MECHANISM_REASON_DEAR};
    }
    return choice;
}
