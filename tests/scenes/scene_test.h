// Scenes run for a time, and their figures.
#ifndef SCENE_TEST_H
#define SCENE_TEST_H

#include <criterion/criterion.h>
#include <string.h>

#include "scenes/scene.h"

static inline double get_figure(const scene_run *run, const char *name) {
    for (uint32_t i = 0; i < run->figure_count; ++i) {
        if (strcmp(run->figures[i].name, name) == 0) {
            return run->figures[i].value;
        }
    }
    cr_assert_fail("no figure %s", name);
    return 0.0;
}

// With up to three options changed, those before the first without a name. Null: none.
static inline scene_run *run_scene(const char *name, const scene_choice choices[3], double time) {
    const scene *found = scene_find(name);
    cr_assert_not_null(found);
    double values[SCENE_MAX_OPTIONS];
    cr_assert(scene_get_values(found, choices, choices != NULL ? 3 : 0, values));
    scene_run *run = scene_run_create(found, values, NULL);
    cr_assert_not_null(run);
    for (int i = 0; i < (int)(60.0 * time); ++i) {
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    scene_run_measure(run);
    return run;
}

#endif
