// Shapes rest, a sensor counts, and queries find what the closed forms say.
#include "tests/scenes/scene_test.h"

#include <math.h>

Test(shape_scenes, one_of_each_shape_comes_to_rest_on_the_ground) {
    scene_run *run = run_scene("shapes", NULL, 3.0);
    cr_assert(get_figure(run, "speed_max_m_s") < 1e-3);
    cr_assert(get_figure(run, "aside_max_m") < 0.15, "%g m", get_figure(run, "aside_max_m"));
    cr_assert(get_figure(run, "off_ground_max_m") < 1e-3);
    scene_run_destroy(run);
}

Test(shape_scenes, a_gate_notices_each_ball_for_as_long_as_it_is_inside) {
    for (int i = 1; i <= 2; ++i) {
        const scene_choice choices[3] = {{"speed", 1.0 + i}, {"count", 6.0}, {NULL, 0.0}};
        scene_run *run = run_scene("gate", choices, 6.0);
        cr_assert(get_figure(run, "begins") == 6.0 && get_figure(run, "ends") == 6.0);
        cr_assert(get_figure(run, "inside") == 0.0);
        double inside = get_figure(run, "time_inside_s"), expected = get_figure(run, "expected_s");
        cr_assert(fabs(inside - expected) < 1.0 / 60.0, "%g s, not %g", inside, expected);
        scene_run_destroy(run);
    }
}

Test(shape_scenes, queries_find_what_is_there) {
    scene_run *run = run_scene("queries", NULL, 1.0);
    // All rays but the two that go up past the wall and toward its edge meet something.
    cr_assert(get_figure(run, "rays_met") == 23.0);
    cr_assert(fabs(get_figure(run, "cast_m") - 5.7) < 1e-5);
    cr_assert(fabs(get_figure(run, "nearest_m") - 0.8) < 1e-4);
    cr_assert(get_figure(run, "overlaps") == 2.0);
    double shortest = get_figure(run, "ray_shortest_m"); // to the corner of the stone
    cr_assert(fabs(shortest - hypot(1.05, 0.8)) < 0.05, "%g m", shortest);
    scene_run_destroy(run);
}
