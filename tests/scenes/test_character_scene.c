// The character's walk gets to its places: stairs, slope, conveyor, boxes, passage, lift, balcony.
#include "tests/scenes/scene_test.h"

#include <math.h>

static void check_walk(const scene_choice *choices, double time) {
    scene_run *run = run_scene("character", choices, time);
    cr_assert(get_figure(run, "legs_done") == get_figure(run, "legs"), "%g legs, at %g m",
              get_figure(run, "legs_done"), get_figure(run, "walked_m"));
    // At the end of each leg its feet are as high as the place, but for its skin.
    cr_assert(get_figure(run, "height_off_max_m") < 0.03, "%g m off",
              get_figure(run, "height_off_max_m"));
    cr_assert(get_figure(run, "pushed_m") > 1.0, "%g m", get_figure(run, "pushed_m"));
    cr_assert(get_figure(run, "refused_to_get_up") > 5.0);
    cr_assert(get_figure(run, "stuck_moves") == 0.0);
    // The steep slope begins at 31.8 m: it stands before it.
    double x = get_figure(run, "walked_m");
    cr_assert(x > 31.2 && x < 31.9, "%g m", x);
    scene_run_destroy(run);
}

Test(character_scene, walk_gets_to_all_its_places, .timeout = 60) {
    check_walk(NULL, 30.0);
}

Test(character_scene, a_faster_walk_gets_there_too, .timeout = 60) {
    const scene_choice fast[3] = {{"speed", 2.5}, {NULL, 0.0}, {NULL, 0.0}};
    check_walk(fast, 25.0);
}
