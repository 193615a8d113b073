// tests/scenes/test_sketches.c: what scenes want to be drawn beside their bodies is finite lines.
#include "scenes/scene.h"

#include <criterion/criterion.h>
#include <math.h>

typedef struct sketch_watch {
    uint32_t lines;
    bool is_right;
} sketch_watch;

static void sketch_watch_add(void *context, scene_pen pen, const tn_vec3 *points, uint32_t count) {
    sketch_watch *watch = context;
    watch->lines += 1;
    bool is_right = count >= 2 && pen >= SCENE_PEN_FRAME && pen <= SCENE_PEN_PLATE;
    for (uint32_t i = 0; i < count; i++) {
        is_right =
            is_right && isfinite(points[i].x) && isfinite(points[i].y) && isfinite(points[i].z);
    }
    watch->is_right = watch->is_right && is_right;
}

Test(sketches, are_lines_of_finite_points) {
    uint32_t count = 0, sketched = 0;
    const scene *const *all = scene_get_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (all[i]->picture.sketch == NULL) {
            continue;
        }
        scene_run *run = scene_run_create(all[i], NULL, NULL);
        cr_assert_not_null(run);
        sketch_watch watch = {0, true};
        scene_sketch sketch = {sketch_watch_add, &watch};
        scene_run_step(run, 1.0 / 60.0, 1);
        uint64_t hash = tn_world_get_hash(run->world);
        all[i]->picture.sketch(run, &sketch);
        cr_expect(watch.is_right && watch.lines > 0, "%s", all[i]->name);
        cr_expect_eq(tn_world_get_hash(run->world), hash, "%s", all[i]->name);
        scene_run_destroy(run);
        sketched += 1;
    }
    cr_expect_geq(sketched, 10);
}
