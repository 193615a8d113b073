// Crowds of all kinds end with the same bits on any number of the library's threads, and on an
// application's that cuts loops as it likes. A plain program, for sanitizers of threads.
#include <stdio.h>
#include <stdlib.h>

#include "scenes/scene.h"

typedef struct workers_case {
    const char *scene;
    scene_choice options[3];
    int steps;
} workers_case;

// Large enough that every loop of theirs is shared, small enough for a sanitizer.
static const workers_case cases[] = {
    {"pile", {{"count", 600}, {"side", 9}}, 6},
    {"heap", {{"count", 300}, {"side", 7}}, 50},
    {"pyramid", {{"base", 30}}, 6},
    {"pyramid", {{"base", 6}, {"columns", 4}, {"rows", 4}}, 6},
    {"washer", {{"count", 400}}, 20},
    {"ragdolls", {{"count", 60}, {"side", 4}}, 25},
    {"joint_grid", {{"side", 24}, {"tilt", 20}}, 10},
    {"net", {{"side", 24}}, 40},
    {"net", {{"side", 24}, {"thread", 0}, {"corners", 1}}, 10},
    {"junkyard", {{"count", 150}, {"side", 5}}, 40},
    {"rain", {{"count", 20}, {"side", 2}}, 60},
    {"inline_four", {{"count", 12}}, 15},
    {"resting", {{"count", 900}, {"height", 3}}, 10},
};

// Runs a loop from its end, in pieces of three lengths.
static void *cut_loop(tn_task_fn task, uint32_t count, uint32_t min_range, void *context,
                      void *user_data) {
    (void)user_data;
    uint32_t last = count, k = 0;
    while (last > 0) {
        uint32_t size = min_range * (1 + k++ % 3);
        uint32_t first = last > size ? last - size : 0;
        task(first, last, k % 2, context);
        last = first;
    }
    return NULL;
}

static void finish_loop(void *task, void *user_data) {
    (void)task;
    (void)user_data;
}

static scene_run *make_run(const workers_case *item, tn_world_def *def) {
    const scene *found = scene_find(item->scene);
    double values[SCENE_MAX_OPTIONS];
    if (found == NULL || !scene_get_values(found, item->options, 3, values)) {
        return NULL;
    }
    return scene_run_create(found, values, def);
}

// 0 where something fails.
static uint64_t run_case(const workers_case *item, tn_solver solver, uint32_t worker_count,
                         bool has_hooks) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.worker_count = worker_count;
    if (has_hooks) {
        def.enqueue = cut_loop;
        def.finish = finish_loop;
    }
    scene_run *run = make_run(item, &def);
    if (run == NULL) {
        return 0;
    }
    uint64_t hash = 0;
    bool is_good = true;
    for (int i = 0; i < item->steps && is_good; ++i) {
        is_good = scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK;
    }
    hash = is_good ? tn_world_get_hash(run->world) : 0;
    scene_run_destroy(run);
    return hash;
}

static int check_case(const workers_case *item, tn_solver solver) {
    static const uint32_t worker_counts[] = {2, 3, 8};
    uint64_t alone = run_case(item, solver, 1, false);
    int failures = alone == 0 ? 1 : 0;
    for (int i = 0; i < 3; ++i) {
        failures += run_case(item, solver, worker_counts[i], false) != alone ? 1 : 0;
    }
    failures += run_case(item, solver, 2, true) != alone ? 1 : 0;
    if (failures > 0) {
        fprintf(stderr, "test_workers: %s: %d of 4 runs differ from that of one worker\n",
                item->scene, failures);
    }
    return failures;
}

int main(void) {
    int failures = 0;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        failures += check_case(&cases[i], TN_SOLVER_PGS);
    }
    failures += check_case(&cases[5], TN_SOLVER_AUTO);
    failures += check_case(&cases[9], TN_SOLVER_AUTO);
    failures += check_case(&cases[6], TN_SOLVER_CG);
    if (failures == 0) {
        printf("test_workers: passed\n");
    }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
