// The state after some steps of scenes with other options than their own, as in test_hashes.c: the
// benchmark's crowds made small, fields of what is one by default. With AUTO and with Gauss-Seidel,
// and on every vector unit. `TENON_PRINT_HASHES=1` prints the values.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/scene.h"

typedef struct sized_hash {
    const char *scene;
    scene_choice options[3];
    int steps;
    uint64_t automatic, sweeps;
} sized_hash;

static const sized_hash sized_hashes[] = {
    {"pyramid",
     {{"base", 6}, {"columns", 3}, {"rows", 2}},
     30,
     0x1a296df5e89b60ac,
     0x1a296df5e89b60ac},
    {"ragdolls", {{"count", 20}, {"side", 3}}, 60, 0x7ffed595b484f945, 0x7ffed595b484f945},
    {"resting", {{"count", 40}, {"height", 2}}, 20, 0x8ff90d87fb945542, 0x8ff90d87fb945542},
    {"washer", {{"count", 600}}, 40, 0xba4abecec1281bf7, 0xba4abecec1281bf7},
    {"rain", {{"count", 12}, {"side", 2}}, 90, 0x401007b3d4a87bfb, 0x401007b3d4a87bfb},
    {"junkyard", {{"count", 150}, {"side", 5}}, 90, 0x100f36fc922396b0, 0xdd891e12e32ac7a8},
    {"inline_four", {{"count", 3}}, 30, 0x359144294139ee25, 0x9322c0cfc47fedac},
    {"bead_rope", {{"count", 200}}, 30, 0x33debe99cd5ff1b6, 0x55b16ac61d1624e9},
    {"net", {{"side", 12}}, 45, 0x5ce4b9974f8f33d1, 0x5ce4b9974f8f33d1},
    {"net",
     {{"side", 40}, {"thread", 0}, {"corners", 1}},
     20,
     0x313e926924af90a1,
     0x313e926924af90a1},
    {"net", {{"side", 12}, {"thread", 2}}, 45, 0xea0207b69326bc05, 0xea0207b69326bc05},
    {"bridge",
     {{"planks", 60}, {"span", 30}, {"laid", 1}},
     60,
     0x71553c9e22b27058,
     0xe8c76fa583151b68},
};

static uint64_t run_sized(const sized_hash *sized, tn_solver solver, bool baseline_only) {
    const scene *found = scene_find(sized->scene);
    cr_assert_not_null(found, "no scene %s", sized->scene);
    double values[SCENE_MAX_OPTIONS];
    cr_assert(scene_get_values(found, sized->options, 3, values), "%s has other options",
              sized->scene);
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.baseline_only = baseline_only;
    scene_run *run = scene_run_create(found, values, &def);
    cr_assert_not_null(run, "%s", sized->scene);
    for (int i = 0; i < sized->steps; ++i) {
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    uint64_t hash = tn_world_get_hash(run->world);
    scene_run_destroy(run);
    return hash;
}

static void check_sized(bool baseline_only) {
    bool prints = getenv("TENON_PRINT_HASHES") != NULL;
    int wrong = 0;
    for (size_t i = 0; i < sizeof(sized_hashes) / sizeof(sized_hashes[0]); ++i) {
        const sized_hash *sized = &sized_hashes[i];
        unsigned long long automatic = run_sized(sized, TN_SOLVER_AUTO, baseline_only);
        unsigned long long sweeps = run_sized(sized, TN_SOLVER_PGS, baseline_only);
        if (prints || automatic != sized->automatic || sweeps != sized->sweeps) {
            fprintf(stderr, "%s: 0x%016llx, 0x%016llx\n", sized->scene, automatic, sweeps);
        }
        wrong += automatic != sized->automatic || sweeps != sized->sweeps;
    }
    cr_assert(wrong == 0, "%d scenes differ", wrong);
}

Test(sized_hashes, every_build_gives_the_same_bits) {
    check_sized(false);
}

Test(sized_hashes, every_vector_unit_gives_the_same_bits) {
    check_sized(true);
}
