// demos/gallery.c: runs scenes for their time and shows what came of them: a table on the terminal
// and a picture of each in out/ (pale: the start; full color: the end).
//
//     demo_gallery [SCENE...]       without a name: all of them
#include "scenes/scene.h"
#include "tools/plot/drawing.h"

#include <stdio.h>
#include <string.h>

#define GALLERY_HZ       60
#define GALLERY_SUBSTEPS 4
#define GALLERY_CROWD    150 // with more moving bodies than this, only the end is drawn

static void gallery_print(const scene_run *run, uint32_t steps, double step_ms, bool is_saved) {
    tn_telemetry telemetry = tn_world_get_telemetry(run->world);
    printf("%-16s %5u bodies %5u joints %5u steps %8.3f ms/step%s%s\n", run->scene->name,
           tn_world_count_bodies(run->world), tn_world_count_joints(run->world), steps, step_ms,
           telemetry.reports > 0 ? "  REPORTS" : "", is_saved ? "" : "  no picture");
    for (uint32_t i = 0; i < run->figure_count; i++) {
        printf("    %-34s %12.6g\n", run->figures[i].name, run->figures[i].value);
    }
}

// Runs to the scene's end; the mean time of a step, ms, or a negative number when a step failed.
static double gallery_run_steps(scene_run *run, uint32_t steps) {
    double total = 0.0;
    for (uint32_t i = 0; i < steps; i++) {
        if (scene_run_step(run, 1.0 / GALLERY_HZ, GALLERY_SUBSTEPS) != TN_RESULT_OK) {
            return -1.0;
        }
        total += tn_world_get_telemetry(run->world).step_ms;
    }
    return total / steps;
}

static bool gallery_show(const scene *item) {
    scene_run *run = scene_run_create(item, NULL, NULL);
    if (run == NULL) {
        fprintf(stderr, "%s: could not be built\n", item->name);
        return false;
    }
    drawing_options options = drawing_options_default();
    options.title = item->name;
    options.caption = item->summary;
    options.joints = tn_world_count_joints(run->world) <= GALLERY_CROWD;
    drawing_sheet *sheet = drawing_create(&options);
    if (run->start_count <= GALLERY_CROWD) {
        drawing_add_world(sheet, run->world, 0.8);
    }

    uint32_t steps = (uint32_t)(item->time * GALLERY_HZ + 0.5);
    double step_ms = gallery_run_steps(run, steps);
    char path[256];
    snprintf(path, sizeof path, "out/%s.svg", item->name);
    drawing_add_world(sheet, run->world, 0.0);
    bool is_saved = drawing_save(sheet, path);
    drawing_destroy(sheet);

    scene_run_measure(run);
    gallery_print(run, steps, step_ms, is_saved);
    scene_run_destroy(run);
    return step_ms >= 0.0;
}

int main(int argc, char **argv) {
    bool is_good = true;
    uint32_t count = 0;
    const scene *const *all = scene_get_all(&count);
    for (int i = 1; i < argc; i++) {
        const scene *item = scene_find(argv[i]);
        if (item == NULL) {
            fprintf(stderr, "no scene is called %s\n", argv[i]);
            return 2;
        }
        is_good = gallery_show(item) && is_good;
    }
    for (uint32_t i = 0; argc == 1 && i < count; i++) {
        is_good = gallery_show(all[i]) && is_good;
    }
    return is_good ? 0 : 1;
}
