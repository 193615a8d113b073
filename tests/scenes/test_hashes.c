// The state after some steps of many scenes, against tests/scenes/golden_hashes.h.
// `TENON_PRINT_HASHES=1` prints its tables.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/scene.h"
#include "tests/scenes/golden_hashes.h"
#include "tests/support/long_test.h"

static uint64_t run_scene(const golden_hash *golden, tn_solver solver, bool is_baseline_only) {
    const scene *found = scene_find(golden->scene);
    cr_assert_not_null(found, "no scene %s", golden->scene);
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.is_baseline_only = is_baseline_only;
    scene_run *run = scene_run_create(found, NULL, &def);
    cr_assert_not_null(run);
    for (int i = 0; i < golden->steps; ++i) {
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    uint64_t hash = tn_world_get_hash(run->world);
    scene_run_destroy(run);
    return hash;
}

static void check_table(const golden_hash *table, size_t count, tn_solver solver) {
    bool prints = getenv("TENON_PRINT_HASHES") != NULL;
    int wrong = 0;
    for (size_t i = 0; i < count; ++i) {
        const golden_hash *golden = &table[i];
        unsigned long long hash = (unsigned long long)run_scene(golden, solver, false);
        if (prints) {
            printf("    {\"%s\", %d, 0x%016llx},\n", golden->scene, golden->steps, hash);
        }
        if (hash != golden->hash) {
            wrong += 1;
            fprintf(stderr, "%s after %d steps: 0x%016llx\n", golden->scene, golden->steps, hash);
        }
    }
    cr_assert(wrong == 0, "%d scenes differ", wrong);
}
#define CHECK_TABLE(table, solver) check_table(table, sizeof(table) / sizeof(table)[0], solver)

LONG_TEST(hashes, every_build_gives_the_same_bits) {
    CHECK_TABLE(golden_hashes, TN_SOLVER_AUTO);
}

Test(hashes, every_build_gives_the_same_bits_for_machines) {
    CHECK_TABLE(machine_hashes, TN_SOLVER_AUTO);
}

Test(hashes, every_build_gives_the_same_bits_with_gauss_seidel) {
    CHECK_TABLE(pgs_hashes, TN_SOLVER_PGS);
}

Test(hashes, every_build_gives_the_same_bits_with_the_direct_solver) {
    CHECK_TABLE(direct_hashes, TN_SOLVER_DIRECT);
}

LONG_TEST(hashes, every_build_gives_the_same_bits_with_conjugate_gradients) {
    CHECK_TABLE(gradients_hashes, TN_SOLVER_CG);
}

// What AVX2 may do and what it may not are compared in one process: see core/wide.h.
LONG_TEST(hashes, every_vector_unit_gives_the_same_bits) {
    const golden_hash *tables[4] = {golden_hashes, machine_hashes, pgs_hashes, direct_hashes};
    const size_t counts[4] = {sizeof golden_hashes / sizeof *golden_hashes,
                              sizeof machine_hashes / sizeof *machine_hashes,
                              sizeof pgs_hashes / sizeof *pgs_hashes,
                              sizeof direct_hashes / sizeof *direct_hashes};
    const tn_solver solvers[4] = {TN_SOLVER_AUTO, TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    for (int t = 0; t < 4; ++t) {
        for (size_t i = 0; i < counts[t]; ++i) {
            cr_assert(run_scene(&tables[t][i], solvers[t], true) == tables[t][i].hash, "%s",
                      tables[t][i].scene);
        }
    }
}
