// bench/stack_stand.c: towers, pyramids and heavy tops: they stand, are still, and hardly sink.
//
// A stack of at most 64 bodies may sink by 1e-4 of the size for each box, drift by 1e-3 of the size
// and keep a millionth of m g size as kinetic energy.
#include "bench/stack_families.h"
#include "bench/stack_watch.h"
#include "scenes/scene.h"

#include <math.h>
#include <stdio.h>

#define STAND_SINK    1e-4 // of the size, of each box
#define STAND_DRIFT   1e-3 // of the size
#define STAND_KINETIC 1e-6 // of m g size
#define STAND_ASLEEP  15.0 // s

typedef struct stand_tower {
    int height;
    double size, gravity, ratio, seconds, hz;
    uint32_t substeps;
} stand_tower;

// The largest kinetic energy of a stack that is still.
static double stand_get_still(const stand_tower *item) {
    return STAND_KINETIC * 1000.0 * pow(item->size, 4) * item->gravity;
}

static void stand_report(quality *report, const stand_tower *item, tn_world *world,
                         const char *name) {
    stack_plan plan = stack_plan_of(item->seconds, item->size);
    plan.hz = item->hz;
    plan.substeps = item->substeps;
    stack_result result = stack_follow(report, world, plan);
    double sink = result.sink / item->size / item->height;
    bool is_right = result.stands && sink <= STAND_SINK &&
                    result.drift <= STAND_DRIFT * item->size &&
                    result.kinetic <= stand_get_still(item);
    quality_report(report, is_right, sink, "%s: %s", name, stack_describe(&result));
    tn_world_destroy(world);
}

static void stand_run_tower(quality *report, const stand_tower *item, const char *name) {
    tn_world *world = stack_tower_create(item->height, item->size, item->gravity, item->ratio);
    stand_report(report, item, world, name);
}

void stack_stand_run_towers(quality *report) {
    static const int heights[] = {20, 20, 30, 40, 60};
    for (uint32_t i = 0; i < 5; i++) {
        stand_tower item = {heights[i], i == 0 ? 0.5 : 1.0, QUALITY_GRAVITY, 1.0, 60.0, 60.0, 4};
        char name[64];
        snprintf(name, sizeof name, "%d of %g m", item.height, item.size);
        stand_run_tower(report, &item, name);
    }
}

void stack_stand_run_rates(quality *report) {
    static const double rates[] = {30.0, 60.0, 120.0, 240.0};
    for (uint32_t i = 0; i < 4; i++) {
        stand_tower item = {40, 1.0, QUALITY_GRAVITY, 1.0, 40.0, rates[i], 4};
        char name[64];
        snprintf(name, sizeof name, "40, %g Hz x %u", item.hz, item.substeps);
        stand_run_tower(report, &item, name);
    }
}

// Five cubes from 1 mm to 50 m, on the moon and up to a hundred times the earth's gravity.
void stack_stand_run_sizes(quality *report) {
    static const double sizes[] = {0.001, 0.05, 1.0, 50.0};
    static const double gravities[] = {1.6, 9.81, 98.1, 310.0, 981.0};
    for (uint32_t i = 0; i < 4 * 5; i++) {
        stand_tower item = {5, sizes[i % 4], gravities[i / 4], 1.0, 10.0, 60.0, 4};
        char name[64];
        snprintf(name, sizeof name, "5 of %g m, %g m/s^2", item.size, item.gravity);
        stand_run_tower(report, &item, name);
    }
}

void stack_stand_run_small(quality *report) {
    stand_tower cubes = {5, 0.05, 310.0, 1.0, 20.0, 60.0, 4};
    stand_run_tower(report, &cubes, "five of 5 cm, 310 m/s^2");
    stand_tower grains = {3, 0.001, QUALITY_GRAVITY, 1.0, 20.0, 60.0, 4};
    stand_run_tower(report, &grains, "three of 1 mm");
}

void stack_stand_run_heavy_tops(quality *report) {
    static const int heights[] = {5, 5, 8, 8, 2};
    static const double ratios[] = {100.0, 1000.0, 10.0, 100.0, 1000.0};
    for (uint32_t i = 0; i < 5; i++) {
        stand_tower item = {heights[i], 1.0, QUALITY_GRAVITY, ratios[i], 20.0, 60.0, 4};
        char name[64];
        snprintf(name, sizeof name, "%d, the top one %g times heavier", item.height, item.ratio);
        stand_run_tower(report, &item, name);
    }
}

// Baumgarte bias at its usual numbers.
void stack_stand_run_baumgarte(quality *report) {
    static const int heights[] = {5, 10, 20, 30};
    for (uint32_t i = 0; i < 4; i++) {
        stand_tower item = {heights[i], 1.0, QUALITY_GRAVITY, 1.0, 20.0, 60.0, 4};
        tn_world *world = stack_tower_create(item.height, item.size, item.gravity, item.ratio);
        tn_bias bias = tn_world_get_contact_bias(world);
        bias.mode = TN_BIAS_MODE_BAUMGARTE;
        bias.beta = 0.2f;
        tn_world_set_contact_bias(world, bias);
        char name[64];
        snprintf(name, sizeof name, "%d, beta 0.2", item.height);
        stand_report(report, &item, world, name);
    }
}

static scene_run *stand_create_scene(const char *name, const char *option, double value,
                                     bool is_sleep_allowed) {
    const scene *item = scene_find(name);
    scene_choice choices[1] = {{option, value}};
    double values[SCENE_MAX_OPTIONS];
    if (item == NULL || !scene_get_values(item, choices, 1, values)) {
        return NULL;
    }
    scene_run *run = scene_run_create(item, values, NULL);
    if (run != NULL) {
        tn_world_set_sleep_allowed(run->world, is_sleep_allowed);
    }
    return run;
}

// Awake: pyramid 8 as a small stack; 30 is a large one: still, and drifts by less than 3 mm.
void stack_stand_run_pyramids(quality *report) {
    static const double bases[] = {8.0, 14.0, 30.0};
    for (uint32_t i = 0; i < 3; i++) {
        scene_run *run = stand_create_scene("pyramid", "base", bases[i], false);
        if (run == NULL) {
            quality_report(report, false, NAN, "no such scene");
            continue;
        }
        stack_result result = stack_follow(report, run->world, stack_plan_of(20.0, 1.0));
        bool is_small = bases[i] < 10.0;
        bool is_right = result.stands && result.kinetic < (is_small ? 1e-2 : 0.1) &&
                        result.drift < (is_small ? 1e-3 : 3e-3) &&
                        (!is_small || result.sink < STAND_SINK * bases[i]);
        quality_report(report, is_right, result.drift, "base %g: %s", bases[i],
                       stack_describe(&result));
        scene_run_destroy(run);
    }
}

static void stand_run_sleep(quality *report, const char *name, const char *option, double value,
                            double seconds) {
    scene_run *run = stand_create_scene(name, option, value, true);
    if (run == NULL) {
        quality_report(report, false, NAN, "no such scene");
        return;
    }
    stack_plan plan = stack_plan_of(seconds, 1.0);
    plan.ends_asleep = true;
    stack_result result = stack_follow(report, run->world, plan);
    bool is_right = result.stands && result.asleep >= 0.0 && result.asleep <= STAND_ASLEEP;
    double figure = result.asleep < 0.0 ? fmax(seconds, report->seconds) : result.asleep;
    quality_report(report, is_right, figure, "%s %g: %s", name, value, stack_describe(&result));
    scene_run_destroy(run);
}

// With sleep: asleep within 15 s and standing.
void stack_stand_run_sleep(quality *report) {
    stand_run_sleep(report, "tower", "height", 10.0, 20.0);
    stand_run_sleep(report, "tower", "height", 20.0, 20.0);
    stand_run_sleep(report, "tower", "height", 30.0, 40.0);
    stand_run_sleep(report, "tower", "height", 40.0, 40.0);
    stand_run_sleep(report, "top_heavy_stack", "ratio", 100.0, 20.0);
    stand_run_sleep(report, "arch", "stones", 15.0, 20.0);
    stand_run_sleep(report, "card_house", "stories", 3.0, 20.0);
    stand_run_sleep(report, "pyramid", "base", 8.0, 20.0);
    stand_run_sleep(report, "pyramid", "base", 30.0, 20.0);
    stand_run_sleep(report, "pyramid", "base", 60.0, 22.0);
    stand_run_sleep(report, "pyramid", "base", 100.0, 15.0);
}

// The box in the middle of a tower gets 1 m/s (500 J). Friction takes that away; what is left of it
// after a low may come back as 50 J at most, and the tower stands.
void stack_stand_run_hit(quality *report) {
    static const int heights[] = {10, 20, 20, 30};
    static const double rates[] = {60.0, 60.0, 240.0, 60.0};
    for (uint32_t i = 0; i < 4; i++) {
        tn_world *world = stack_tower_create(heights[i], 1.0, QUALITY_GRAVITY, 1.0);
        stack_plan plan = stack_plan_of(1.0, 1.0);
        plan.hz = rates[i];
        quality settle = {0};
        stack_follow(&settle, world, plan);
        tn_body_id bodies[64];
        uint32_t count = tn_world_get_bodies(world, bodies, 64);
        tn_velocity velocity = {{1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        for (uint32_t k = 0; k < count; k++) { // the one whose center is nearest to half the height
            if (fabs(tn_body_get_center(world, bodies[k]).y - 0.5 * heights[i] - 0.5) < 0.25) {
                tn_body_set_velocity(world, bodies[k], velocity);
            }
        }
        plan.seconds = 10.0;
        stack_result result = stack_follow(report, world, plan);
        quality_report(report, result.stands && result.rise < 50.0, result.rise, "%d, %g Hz: %s",
                       heights[i], rates[i], stack_describe(&result));
        tn_world_destroy(world);
    }
}

typedef struct stand_scene {
    const char *name, *option;
    double value;
    double blow; // m/s, of the body in the middle of the list
} stand_scene;

// With sleep, and a blow after half of the time: standing and asleep at the end.
static void stand_run_scene(quality *report, const stand_scene *item, double hz) {
    scene_run *run = stand_create_scene(item->name, item->option, item->value, true);
    if (run == NULL) {
        quality_report(report, false, NAN, "no such scene");
        return;
    }
    stack_plan plan = stack_plan_of(10.0, 0.6);
    plan.hz = hz;
    stack_result before = stack_follow(report, run->world, plan);
    tn_body_id body = run->starts[run->start_count / 2].body;
    tn_velocity velocity = {{item->blow, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    tn_body_set_velocity(run->world, body, velocity);
    stack_result result = stack_follow(report, run->world, plan);
    bool is_right = before.stands && result.stands && before.asleep >= 0.0 && result.asleep >= 0.0;
    quality_report(report, is_right, result.drift, "%s %g, %g Hz, blow of %g m/s: %s", item->name,
                   item->value, hz, item->blow,
                   !before.stands ? "FALLS before it" : stack_describe(&result));
    scene_run_destroy(run);
}

void stack_stand_run_scenes(quality *report) {
    static const stand_scene scenes[] = {
        {"tower", "height", 30.0, 0.1},           {"pyramid", "base", 14.0, 0.1},
        {"arch", "stones", 15.0, 0.05},           {"card_house", "stories", 3.0, 0.02},
        {"card_house", "stories", 10.0, 0.02},    {"tower", "height", 100.0, 0.1},
        {"top_heavy_stack", "ratio", 100.0, 0.1}, {"wall", "rows", 8.0, 0.1},
    };
    static const double rates[] = {60.0, 30.0, 240.0};
    for (uint32_t i = 0; i < 8 * 3; i++) {
        stand_run_scene(report, &scenes[i % 8], rates[i / 8]);
    }
}
