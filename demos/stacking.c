// demos/stacking.c: stacks that stand, a row that falls and a crate that slides: each run is shown
// in figures on the terminal and as a picture in out/ (stacking_tower.svg and so on).
//
// Figures: how far the body that sank most has sunk and the one that drifted most has drifted
// beside its start, the kinetic energy at the end, and when all slept. What moves is drawn at
// several moments, pale to full color.
//
//     demo_stacking [NAME...]       without a name: all of them
#include "scenes/scene.h"
#include "tools/plot/drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STACKING_HZ       60
#define STACKING_SUBSTEPS 4
#define STACKING_MOMENTS  8

typedef struct stacking_show {
    const char *name;
    const char *scene;
    scene_choice choices[2];
    double time;                      // s, at most: it ends a second after all sleep
    double moments[STACKING_MOMENTS]; // s: when it is drawn before the end; 0: no more
    const char *title;
} stacking_show;

static const stacking_show stacking_shows[] = {
    {"tower", "tower", {{"height", 40}}, 30.0, {0}, "A tower of 40 boxes"},
    {"pyramid", "pyramid", {{"base", 30}}, 30.0, {0}, "A pyramid of 465 boxes"},
    {"arch", "arch", {{"stones", 15}, {"thickness", 0.13}}, 20.0, {0}, "An arch of 15 stones"},
    {"cards", "card_house", {{"stories", 4}}, 20.0, {0}, "A house of cards"},
    {"dominoes", "dominoes", {{"count", 16}}, 12.0, {0.6, 1.2, 1.8, 2.4}, "A row of dominoes"},
    {"crate",
     "tiled_floor",
     {{"tile", 0.5}},
     10.0,
     {0.0001, 0.25, 0.5, 0.75, 1.0, 1.5},
     "A crate slides over tiles"},
};
#define STACKING_SHOW_COUNT (sizeof stacking_shows / sizeof stacking_shows[0])

// The outcome of a run.
typedef struct stacking_result {
    double sink, drift; // m
    double kinetic;     // J
    double asleep;      // s; negative: not in its time
    double step_ms;     // mean
    double end;         // s
    char figures[80];   // the scene's first two, as text
} stacking_result;

static scene_run *stacking_create(const stacking_show *show) {
    double values[SCENE_MAX_OPTIONS];
    const scene *item = scene_find(show->scene);
    if (item == NULL || !scene_get_values(item, show->choices, 2, values)) {
        return NULL;
    }
    scene_run *run = scene_run_create(item, values, NULL);
    if (run != NULL) {
        tn_world_set_sleep_allowed(run->world, true); // some scenes put it off
    }
    return run;
}

static bool stacking_is_asleep(const scene_run *run) {
    for (uint32_t i = 0; i < run->start_count; i++) {
        if (tn_body_is_awake(run->world, run->starts[i].body)) {
            return false;
        }
    }
    return true;
}

static stacking_result stacking_run(scene_run *run, double time) {
    stacking_result result = {.asleep = -1.0};
    uint32_t steps = (uint32_t)(time * STACKING_HZ + 0.5), count = 0;
    for (; count < steps; count++) {
        if (result.asleep >= 0.0 && result.end >= result.asleep + 1.0) {
            break;
        }
        scene_run_step(run, 1.0 / STACKING_HZ, STACKING_SUBSTEPS);
        result.step_ms += tn_world_get_telemetry(run->world).step_ms;
        result.end = tn_world_get_time(run->world);
        if (result.asleep < 0.0 && stacking_is_asleep(run)) {
            result.asleep = result.end;
        }
    }
    result.step_ms /= count;
    result.kinetic = tn_world_get_energy(run->world).kinetic;
    for (uint32_t i = 0; i < run->start_count; i++) {
        tn_vec3 from = run->starts[i].center;
        tn_vec3 to = tn_body_get_center(run->world, run->starts[i].body);
        result.sink = fmax(result.sink, from.y - to.y);
        result.drift = fmax(result.drift, hypot(to.x - from.x, to.z - from.z));
    }
    scene_run_measure(run);
    if (run->figure_count >= 2) {
        snprintf(result.figures, sizeof result.figures, "%s %.4g, %s %.4g", run->figures[0].name,
                 run->figures[0].value, run->figures[1].name, run->figures[1].value);
    }
    return result;
}

static void stacking_print_length(const char *name, double value) {
    if (value < 0.1) {
        printf("  %-22s %12.3g mm\n", name, 1e3 * value);
    } else {
        printf("  %-22s %12.4g m\n", name, value);
    }
}

static void stacking_print(const stacking_show *show, const scene_run *run,
                           const stacking_result *result) {
    printf("%s: %s, %u %s\n", show->name, show->title, run->start_count,
           run->start_count == 1 ? "body" : "bodies");
    stacking_print_length("sink", result->sink);
    stacking_print_length("drift", result->drift);
    printf("  %-22s %12.2g J\n", "kinetic energy", result->kinetic);
    if (result->asleep >= 0.0) {
        printf("  %-22s %12.2f s\n", "asleep after", result->asleep);
    } else {
        printf("  %-22s %12s\n", "asleep after", "-");
    }
    printf("  %-22s %12.4f ms\n", "mean step", result->step_ms);
    for (uint32_t i = 0; i < run->figure_count; i++) {
        const scene_figure *figure = &run->figures[i];
        bool is_known = strcmp(figure->name, "drift_max_m") == 0 ||
                        strcmp(figure->name, "sink_max_m") == 0 ||
                        strcmp(figure->name, "joint_gap_max_m") == 0;
        if (!is_known) {
            printf("  %-22s %12.4g\n", figure->name, figure->value);
        }
    }
}

// A scene that moves shows its own first figures; one that stands shows sink and drift.
static void stacking_write_caption(const stacking_show *show, const stacking_result *result,
                                   char *out_text, size_t size) {
    char asleep[40] = "awake to the end";
    if (result->asleep >= 0.0) {
        snprintf(asleep, sizeof asleep, "asleep after %.2f s", result->asleep);
    }
    if (show->moments[0] > 0.0) {
        snprintf(out_text, size, "%d Hz x %d: %s, %s", STACKING_HZ, STACKING_SUBSTEPS,
                 result->figures, asleep);
    } else {
        snprintf(out_text, size, "%d Hz x %d: sinks %.2g mm, drifts %.2g mm, %s", STACKING_HZ,
                 STACKING_SUBSTEPS, 1e3 * result->sink, 1e3 * result->drift, asleep);
    }
}

// Runs it anew and draws it at its moments and at the end, with the figures below.
static bool stacking_draw(const stacking_show *show, const stacking_result *result) {
    scene_run *run = stacking_create(show);
    if (run == NULL) {
        return false;
    }
    char caption[200];
    stacking_write_caption(show, result, caption, sizeof caption);
    drawing_options options = drawing_options_default();
    options.view = DRAWING_VIEW_FRONT;
    options.title = show->title;
    options.caption = caption;
    drawing_sheet *sheet = drawing_create(&options);
    uint32_t steps = (uint32_t)(result->end * STACKING_HZ + 0.5), next = 0;
    for (uint32_t i = 0; i < steps; i++) {
        if (next < STACKING_MOMENTS && show->moments[next] > 0.0 &&
            tn_world_get_time(run->world) >= show->moments[next] - 0.5 / STACKING_HZ) {
            drawing_add_world(sheet, run->world, 0.85 - 0.1 * next);
            next++;
        }
        scene_run_step(run, 1.0 / STACKING_HZ, STACKING_SUBSTEPS);
    }
    drawing_add_world(sheet, run->world, 0.0);
    char path[64];
    snprintf(path, sizeof path, "out/stacking_%s.svg", show->name);
    bool is_saved = drawing_save(sheet, path);
    drawing_destroy(sheet);
    scene_run_destroy(run);
    printf("  %s %s\n\n", is_saved ? "drawn in" : "could not write", path);
    return is_saved;
}

static bool stacking_present(const stacking_show *show) {
    scene_run *run = stacking_create(show);
    if (run == NULL) {
        fprintf(stderr, "%s: could not be built\n", show->name);
        return false;
    }
    stacking_result result = stacking_run(run, show->time);
    stacking_print(show, run, &result);
    scene_run_destroy(run);
    return stacking_draw(show, &result);
}

int main(int argc, char **argv) {
    bool is_good = true;
    uint32_t count = 0;
    for (uint32_t i = 0; i < STACKING_SHOW_COUNT; i++) {
        bool is_wanted = argc == 1;
        for (int k = 1; k < argc; k++) {
            is_wanted = is_wanted || strcmp(argv[k], stacking_shows[i].name) == 0;
        }
        if (is_wanted) {
            is_good = stacking_present(&stacking_shows[i]) && is_good;
            count++;
        }
    }
    if (count == 0) {
        fprintf(stderr,
                "there is none of this name: tower, pyramid, arch, cards, dominoes, crate\n");
        return 2;
    }
    return is_good ? 0 : 1;
}
