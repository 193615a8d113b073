// The energy ledger of every scene: the works add up to the change of kinetic energy.
#include <criterion/criterion.h>
#include <string.h>

#include "bench/ledger_watch.h"
#include "tests/support/long_test.h"

// Large crowds are made small enough for a test.
static void get_values(const scene *item, double *out_values) {
    for (uint32_t i = 0; i < item->option_count; ++i) {
        bool is_crowd = strcmp(item->options[i].name, "count") == 0 && item->options[i].value > 12;
        bool is_side = strcmp(item->options[i].name, "side") == 0;
        out_values[i] = is_crowd ? 12.0 : is_side ? 5.0 : item->options[i].value;
    }
}

static void check_all(tn_solver solver, double seconds, uint32_t substeps) {
    uint32_t count = 0;
    const scene *const *all = scene_get_all(&count);
    for (uint32_t i = 0; i < count; ++i) {
        double values[SCENE_MAX_OPTIONS];
        get_values(all[i], values);
        tn_world_def def = tn_world_def_default();
        def.solver = solver;
        ledger_result result = ledger_watch(all[i], values, def, seconds, 60.0, substeps);
        cr_assert(result.share <= LEDGER_SHARE, "%s: %g of %g J are missing", all[i]->name,
                  result.off, result.moved);
    }
}

// In one second the drum has its cubes, the figure is on the stairs and the ball in the net.
LONG_TEST(ledger, closes_in_every_scene, .timeout = 120) {
    check_all(TN_SOLVER_AUTO, 1.0, 4);
}

// A substep of a sixtieth leaves large errors, which must have their entries too.
LONG_TEST(ledger, closes_in_every_scene_that_sweeps_at_long_substeps, .timeout = 120) {
    check_all(TN_SOLVER_PGS, 1.0, 1);
}

static void check(const char *name, tn_solver solver, double seconds, uint32_t substeps) {
    const scene *item = scene_find(name);
    double values[SCENE_MAX_OPTIONS];
    cr_assert_not_null(item);
    get_values(item, values);
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    ledger_result result = ledger_watch(item, values, def, seconds, 60.0, substeps);
    cr_assert(result.share <= LEDGER_SHARE, "%s: %g of %g J are missing", name, result.off,
              result.moved);
}

// Heavy loads on light links have inertia added, under CG as well, which scales velocities down.
Test(ledger, closes_where_links_are_stiffened) {
    check("chain", TN_SOLVER_PGS, 5.5, 1);
    check("piston", TN_SOLVER_PGS, 3.0, 1);
    check("heavy_top", TN_SOLVER_PGS, 1.0, 1);
    check("chain", TN_SOLVER_CG, 7.0, 4);
}

// The links of the ropes are stiffened and touch the exact wheel.
Test(ledger, closes_where_a_stiffened_link_touches_a_mechanism) {
    check("atwood", TN_SOLVER_AUTO, 1.5, 1);
}

// A house in pieces: mechanisms with redundant rows in flight.
Test(ledger, closes_where_a_house_falls_apart, .timeout = 60) {
    check("house", TN_SOLVER_DIRECT, 1.6, 4);
}
