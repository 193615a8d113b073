// The state after some steps of scenes with other options than their own, as in test_hashes.c: the
// benchmark's crowds made small, fields of what is one by default. With AUTO and with Gauss-Seidel,
// and on every vector unit. `TENON_PRINT_HASHES=1` prints the values.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/scene.h"
#include "tests/support/long_test.h"

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
     0x6381bebc9d5b13ac,
     0x6381bebc9d5b13ac},
    {"ragdolls", {{"count", 20}, {"side", 3}}, 60, 0xb90ec51c002cb822, 0xb90ec51c002cb822},
    {"resting", {{"count", 40}, {"height", 2}}, 20, 0x1fd9fc1ecdaeef1c, 0x1fd9fc1ecdaeef1c},
    {"washer", {{"count", 600}}, 40, 0xd626c302cc4961be, 0xd626c302cc4961be},
    {"rain", {{"count", 12}, {"side", 2}}, 90, 0x891e08787ffd6947, 0x891e08787ffd6947},
    {"junkyard", {{"count", 150}, {"side", 5}}, 90, 0xbd8307e7cd5985af, 0x58db93baa6346ba0},
    {"rockfall", {{"count", 40}, {"side", 4}}, 60, 0x40cdf3f25587ed92, 0x40cdf3f25587ed92},
    {"furniture", {{"count", 30}, {"side", 3}}, 60, 0x7ca281f110bd550a, 0x7ca281f110bd550a},
    {"gates", {{"count", 40}, {"side", 3}}, 60, 0x749194bb9bbf1851, 0x749194bb9bbf1851},
    {"ragdolls",
     {{"count", 12}, {"side", 4}, {"hills", 0.4}},
     60,
     0x9bd44966938004b2,
     0x9bd44966938004b2},
    {"inline_four", {{"count", 3}}, 30, 0xf96e2f4afaa3f935, 0xae8811a3bdf4b7c3},
    {"bead_rope", {{"count", 200}}, 30, 0x5179beb893332c6d, 0xbfcb8f5de883eb26},
    {"net", {{"side", 12}}, 45, 0x5a3d916d31f575be, 0x9b32fa5933a2cbb3},
    {"net",
     {{"side", 40}, {"thread", 0}, {"corners", 1}},
     20,
     0x6b1c1b48628ac49d,
     0x6b1c1b48628ac49d},
    {"net", {{"side", 12}, {"thread", 2}}, 45, 0x5f1eac3cc8f64299, 0x5f1eac3cc8f64299},
    {"bridge",
     {{"planks", 60}, {"span", 30}, {"laid", 1}},
     60,
     0x4d9616664167baf5,
     0x60170ee2591ada5e},
};

// The byte that all memory holds before it is written to.
static int held_byte;

static void *filled_alloc(size_t size, size_t alignment, void *user_data) {
    (void)user_data;
    void *block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    return block != NULL ? memset(block, held_byte, size) : NULL;
}

static void filled_free(void *block, size_t size, void *user_data) {
    (void)size, (void)user_data;
    free(block);
}

static uint64_t run_sized(const sized_hash *sized, tn_solver solver, bool is_baseline_only) {
    const scene *found = scene_find(sized->scene);
    cr_assert_not_null(found, "no scene %s", sized->scene);
    double values[SCENE_MAX_OPTIONS];
    cr_assert(scene_get_values(found, sized->options, 3, values), "%s has other options",
              sized->scene);
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.is_baseline_only = is_baseline_only;
    def.alloc = filled_alloc;
    def.free = filled_free;
    scene_run *run = scene_run_create(found, values, &def);
    cr_assert_not_null(run, "%s", sized->scene);
    for (int i = 0; i < sized->steps; ++i) {
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    uint64_t hash = tn_world_get_hash(run->world);
    scene_run_destroy(run);
    return hash;
}

static void check_sized(bool is_baseline_only) {
    bool prints = getenv("TENON_PRINT_HASHES") != NULL;
    int wrong = 0;
    for (size_t i = 0; i < sizeof(sized_hashes) / sizeof(sized_hashes[0]); ++i) {
        const sized_hash *sized = &sized_hashes[i];
        unsigned long long automatic = run_sized(sized, TN_SOLVER_AUTO, is_baseline_only);
        unsigned long long sweeps = run_sized(sized, TN_SOLVER_PGS, is_baseline_only);
        if (prints || automatic != sized->automatic || sweeps != sized->sweeps) {
            fprintf(stderr, "%s: 0x%016llx, 0x%016llx\n", sized->scene, automatic, sweeps);
        }
        wrong += automatic != sized->automatic || sweeps != sized->sweeps;
    }
    cr_assert(wrong == 0, "%d scenes differ", wrong);
}

LONG_TEST(sized_hashes, every_build_gives_the_same_bits) {
    check_sized(false);
}

LONG_TEST(sized_hashes, every_vector_unit_gives_the_same_bits) {
    check_sized(true);
}

// A contact that had not pushed counted as one that had, if its memory said so.
LONG_TEST(sized_hashes, what_memory_held_changes_no_bit) {
    held_byte = 0x5a;
    check_sized(false);
    held_byte = 0xff;
    check_sized(false);
}
