// Scenes with forces: what they measure, against theory.
#include <math.h>

#include "scene_test.h"
#include "tests/support/long_test.h"

TestSuite(force_scenes, .timeout = 60);

// Den Hartog's bound for a tower without damping of its own is sqrt(1 + 2 / u) = 8.2 times what
// stands, and 1 / (2 * 0.01) = 50 without the tuned mass: 0.165. That of the air joins the 0.01.
LONG_TEST(force_scenes, a_tuned_mass_takes_most_of_the_sway_of_a_tower) {
    scene_run *run = run_scene("skyscraper", NULL, 120.0);
    double share = get_figure(run, "sway_share");
    cr_assert(share > 0.15 && share < 0.19, "%g", share);
    cr_assert(get_figure(run, "sway_without_m") > 0.45);
    scene_run_destroy(run);
}

Test(force_scenes, two_magnets_float_where_their_force_is_the_weight) {
    scene_run *run = run_scene("magnets", (scene_choice[3]){{"count", 2.0}}, 10.0);
    double gap = get_figure(run, "lowest_gap_m"),
           theory = get_figure(run, "gap_of_two_by_theory_m");
    cr_assert(fabs(gap - theory) < 1e-7, "%.9f, not %.9f", gap, theory);
    scene_run_destroy(run);
}

// It heaves by the load's friction and gusts alone: what it displaces is what it weighs.
Test(force_scenes, a_raft_displaces_what_it_weighs) {
    scene_run *run = run_scene("raft", (scene_choice[3]){{"wind", 0.0}}, 40.0);
    double displaced = get_figure(run, "displaced_kg"), mass = get_figure(run, "mass_kg");
    cr_assert(fabs(displaced - mass) < 0.01 * mass, "%g of %g", displaced, mass);
    scene_run_destroy(run);
}
