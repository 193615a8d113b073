// Scenes of affine bodies, by what their figures say.
#include "scene_test.h"

TestSuite(affine_scenes, .timeout = 60);

// Three times around, of twelve keys.
Test(affine_scenes, hands_and_feet_of_a_puppet_are_at_their_keys) {
    scene_run *run = run_scene("puppet", NULL, 6.0);
    cr_assert(get_figure(run, "key_error_m") < 1e-11, "%g", get_figure(run, "key_error_m"));
    // Of motion and of strain: a puppet of 18 kg that is waved to and fro at 1 m/s.
    cr_assert(get_figure(run, "most_energy_j") > 10.0 && get_figure(run, "most_energy_j") < 100.0,
              "%g", get_figure(run, "most_energy_j"));
    scene_run_destroy(run);
}

// On steps and in a heap they bear each other, and the crate.
Test(affine_scenes, jelly_lands_without_sinking_in_and_comes_to_rest) {
    scene_run *run = run_scene("jelly", NULL, 0.95);
    double falling = get_figure(run, "energy_j"), strained = get_figure(run, "elastic_energy_j");
    scene_run_destroy(run);
    run = run_scene("jelly", NULL, 5.0);
    cr_assert(get_figure(run, "below_ground") == 0.0);
    cr_assert(get_figure(run, "penetration_max_m") < 0.02, "%g",
              get_figure(run, "penetration_max_m"));
    cr_assert(get_figure(run, "penetration_end_m") < 1e-3, "%g",
              get_figure(run, "penetration_end_m"));
    cr_assert(get_figure(run, "energy_j") < 0.7 * falling, "%g of %g", get_figure(run, "energy_j"),
              falling);
    cr_assert(strained > 3.0 * get_figure(run, "elastic_energy_j") && strained > 50.0, "%g, %g",
              strained, get_figure(run, "elastic_energy_j"));
    scene_run_destroy(run);
}

// They roll down the ramp, flatten where they land, and end in the bin.
Test(affine_scenes, balls_roll_into_the_bin_and_lie_on_each_other) {
    scene_run *run = run_scene("balls", NULL, 0.5);
    double falling = get_figure(run, "energy_j"), strained = get_figure(run, "elastic_energy_j");
    scene_run_destroy(run);
    run = run_scene("balls", NULL, 5.0);
    cr_assert(get_figure(run, "below_ground") == 0.0);
    cr_assert(get_figure(run, "penetration_max_m") < 0.03, "%g",
              get_figure(run, "penetration_max_m"));
    cr_assert(get_figure(run, "penetration_end_m") < 5e-3, "%g",
              get_figure(run, "penetration_end_m"));
    // Two layers of them: what is left of the height of the ramp. How they come to lie is chance:
    // from 45 to 120 Hz 0.17 to 0.28 of it is left, and was before contacts were followed.
    cr_assert(get_figure(run, "energy_j") < 0.3 * falling, "%g of %g", get_figure(run, "energy_j"),
              falling);
    // Struck as they land; in the bin the lower ones are pressed by those above.
    cr_assert(strained > 15.0 && get_figure(run, "elastic_energy_j") > 10.0, "%g, %g", strained,
              get_figure(run, "elastic_energy_j"));
    scene_run_destroy(run);
}

Test(affine_scenes, troids_stretch_and_lose_what_viscosity_takes) {
    scene_run *run = run_scene("troids", NULL, 0.7);
    double early = get_figure(run, "energy_j");
    // Boxes of 1 kg over 0.09 m^2 of 3 kPa strain by some tenths.
    cr_assert(get_figure(run, "elastic_energy_j") > 2.0, "%g", get_figure(run, "elastic_energy_j"));
    scene_run_destroy(run);
    run = run_scene("troids", NULL, 5.0);
    cr_assert(get_figure(run, "energy_j") < early - 5.0, "%g of %g", get_figure(run, "energy_j"),
              early);
    cr_assert(get_figure(run, "joint_gap_m") < 5e-3, "%g", get_figure(run, "joint_gap_m"));
    scene_run_destroy(run);
}
