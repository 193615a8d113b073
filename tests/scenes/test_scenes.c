// tests/scenes/test_scenes.c: every scene builds, runs and leaves nothing behind; the machines keep
// to their known figures. Tolerances are those of 60 Hz with 4 substeps unless a test says why.
#include "scenes/figure.h"
#include "scenes/scene.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEST_HZ       60.0
#define TEST_SUBSTEPS 4

// Memory in use, and what was reported.
typedef struct test_watch {
    size_t bytes;
    uint32_t reports;
    char last[160];
} test_watch;

static void *test_alloc(size_t size, size_t alignment, void *user_data) {
    test_watch *watch = user_data;
    size_t rounded = (size + alignment - 1) / alignment * alignment;
    void *memory = aligned_alloc(alignment < sizeof(void *) ? sizeof(void *) : alignment, rounded);
    watch->bytes += memory == NULL ? 0 : size;
    return memory;
}

static void test_free(void *memory, size_t size, void *user_data) {
    test_watch *watch = user_data;
    watch->bytes -= memory == NULL ? 0 : size;
    free(memory);
}

static void test_report(const tn_report *report, void *user_data) {
    test_watch *watch = user_data;
    watch->reports++;
    snprintf(watch->last, sizeof watch->last, "%s: %s", report->function, report->message);
}

static tn_world_def test_get_def(test_watch *watch) {
    tn_world_def def = tn_world_def_default();
    def.alloc = test_alloc;
    def.free = test_free;
    def.memory_user_data = watch;
    def.report = test_report;
    def.report_user_data = watch;
    return def;
}

// The scene's default values, with the large crowds made small enough for a test.
static void test_get_values(const scene *item, double *out_values) {
    for (uint32_t i = 0; i < item->option_count; i++) {
        bool is_crowd = strcmp(item->options[i].name, "count") == 0 && item->options[i].value > 50;
        bool is_side = strcmp(item->options[i].name, "side") == 0;
        out_values[i] = item->options[i].value;
        out_values[i] = is_crowd ? 50.0 : out_values[i];
        out_values[i] = is_side ? 5.0 : out_values[i];
    }
}

// Every body where a number is and within ten kilometres.
static bool test_is_finite(const scene_run *run) {
    for (uint32_t i = 0; i < run->start_count; i++) {
        tn_position p = tn_body_get_center(run->world, run->starts[i].body);
        tn_dvec3 v = tn_body_get_velocity(run->world, run->starts[i].body).linear;
        double sum = fabs(p.x) + fabs(p.y) + fabs(p.z) + fabs(v.x) + fabs(v.y) + fabs(v.z);
        if (!(sum < 1e4)) {
            return false;
        }
    }
    return true;
}

static void test_step(scene_run *run, double time, double hz) {
    uint32_t steps = (uint32_t)(time * hz + 0.5);
    for (uint32_t i = 0; i < steps; i++) {
        cr_assert_eq(scene_run_step(run, 1.0 / hz, TEST_SUBSTEPS), TN_RESULT_OK, "%s",
                     run->scene->name);
    }
}

Test(scenes, each_runs_a_second_without_report_or_leak, .timeout = 120) {
    uint32_t count = 0;
    const scene *const *all = scene_get_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        test_watch watch = {0};
        tn_world_def def = test_get_def(&watch);
        double values[SCENE_MAX_OPTIONS];
        test_get_values(all[i], values);
        scene_run *run = scene_run_create(all[i], values, &def);
        cr_assert(run != NULL, "%s: %s", all[i]->name, watch.last);
        test_step(run, 1.0, TEST_HZ);
        cr_assert(test_is_finite(run), "%s", all[i]->name);
        scene_run_measure(run);
        for (uint32_t k = 0; k < run->figure_count; k++) {
            cr_assert(isfinite(run->figures[k].value), "%s: %s", all[i]->name,
                      run->figures[k].name);
        }
        cr_assert_eq(watch.reports, 0u, "%s: %s", all[i]->name, watch.last);
        scene_run_destroy(run);
        cr_assert_eq(watch.bytes, (size_t)0, "%s leaves %zu bytes", all[i]->name, watch.bytes);
    }
}

Test(scenes, are_found_by_name_and_only_by_name) {
    uint32_t count = 0;
    const scene *const *all = scene_get_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(scene_find(all[i]->name), all[i]);
        for (uint32_t k = 0; k < all[i]->option_count; k++) {
            cr_assert_eq(scene_find_option(all[i], all[i]->options[k].name), (int)k);
        }
        cr_assert(all[i]->option_count <= SCENE_MAX_OPTIONS);
    }
    cr_assert_null(scene_find("no such scene"));
    cr_assert_eq(scene_find_option(all[0], "no such option"), -1);
}

Test(scenes, refuse_an_option_out_of_range) {
    uint32_t count = 0;
    const scene *const *all = scene_get_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < all[i]->option_count; k++) {
            double values[SCENE_MAX_OPTIONS];
            test_get_values(all[i], values);
            values[k] = all[i]->options[k].upper * 2.0 + 1.0;
            cr_assert_null(scene_run_create(all[i], values, NULL));
            values[k] = (double)NAN;
            cr_assert_null(scene_run_create(all[i], values, NULL));
        }
    }
}

Test(scenes, names_lead_to_bodies_and_joints_and_back) {
    scene_run *run = scene_run_create(scene_find("piston"), NULL, NULL);
    tn_body_id crank = scene_run_find_body(run, "crank");
    tn_joint_id pin = scene_run_find_joint(run, "crank_pin");
    cr_assert(tn_body_is_valid(run->world, crank));
    cr_assert(tn_joint_is_valid(run->world, pin));
    cr_assert_str_eq(scene_run_get_body_name(run, crank), "crank");
    cr_assert_str_eq(scene_run_get_joint_name(run, pin), "crank_pin");
    cr_assert_eq(scene_run_find_body(run, "crank_pin").value, 0u);
    cr_assert_null(scene_run_get_body_name(run, (tn_body_id){0}));
    scene_run_destroy(run);
}

// The joint error of the telemetry against anchors rebuilt here from poses: both in double.
Test(scenes, joint_gap_of_telemetry_is_that_of_the_poses) {
    static const char *const names[] = {"chain", "piston", "ragdoll", "pendulum_wave"};
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        tn_world_def def = tn_world_def_default();
        def.enable_sleep = false;
        scene_run *run = scene_run_create(scene_find(names[i]), NULL, &def);
        for (int k = 0; k < 120; k++) {
            test_step(run, 1.0 / TEST_HZ, TEST_HZ);
            double told = tn_world_get_telemetry(run->world).worst_joint_linear;
            double seen = figure_get_joint_gap(run);
            cr_assert(fabs(told - seen) <= 1e-6 + 1e-4 * seen, "%s: told %g, seen %g", names[i],
                      told, seen);
        }
        scene_run_destroy(run);
    }
}

// Runs a scene for its own time with one option changed (name null: none).
static scene_run *test_run(const char *name, const char *option, double value, double hz) {
    const scene *item = scene_find(name);
    double values[SCENE_MAX_OPTIONS];
    for (uint32_t i = 0; i < item->option_count; i++) {
        values[i] = item->options[i].value;
    }
    if (option != NULL) {
        values[scene_find_option(item, option)] = value;
    }
    scene_run *run = scene_run_create(item, values, NULL);
    test_step(run, item->time, hz);
    scene_run_measure(run);
    return run;
}

static double test_figure(const scene_run *run, const char *name) {
    for (uint32_t i = 0; i < run->figure_count; i++) {
        if (strcmp(run->figures[i].name, name) == 0) {
            return run->figures[i].value;
        }
    }
    cr_assert_fail("%s has no figure %s", run->scene->name, name);
    return (double)NAN;
}
