// The state after some steps of many scenes, as hashes: the same for every build of the library
// (debug, release, sanitizers), every compiler and every run. Where a change of behaviour is meant,
// the new values go in here and a `behavior:` line into the changelog; `TENON_PRINT_HASHES=1`
// prints the table.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/scene.h"

typedef struct golden_hash {
    const char *scene;
    int steps;
    uint64_t hash;
} golden_hash;

static const golden_hash golden_hashes[] = {
    {"arch", 60, 0x2b79b8d709c4dafc},       {"bowl", 60, 0x5db766715f2f2401},
    {"bridge", 60, 0x010a051f6cd03006},     {"catapult", 60, 0x524d9107b5b9ea14},
    {"chain", 120, 0xa5155b22134eb1d1},     {"dominoes", 60, 0x1465f5488b54ae3c},
    {"four_bar", 120, 0x35be106657319f92},  {"house", 60, 0x7c50b5d0a907e37d},
    {"joint_grid", 10, 0x37b84fe6cc129431}, {"newtons_cradle", 60, 0x990440799cf4444e},
    {"pile", 5, 0x0706def65143fe46},        {"piston", 60, 0x6571116402f9fe69},
    {"pyramid", 60, 0x74e3d2607c23126c},    {"radial_engine", 60, 0x9b9c138360742b76},
    {"ragdolls", 30, 0xe90ffa0f8037dba6},   {"t_handle", 120, 0xea0121ee646ed1a0},
    {"trebuchet", 120, 0x47aef8684d5dc06f}, {"walker", 60, 0x0b17854a7e7c5aeb},
};

// Machines that only an exact solution holds.
static const golden_hash machine_hashes[] = {
    {"crane", 60, 0x2a892e2d0cc03830},
    {"excavator", 60, 0xcf3a1fb6fa4c3c73},
    {"piston_stop", 60, 0x71def6e9b7975306},
    {"scissor_lift", 60, 0xeb91373b97d0eeb0},
};

// The same with Gauss-Seidel, of scenes in which AUTO has something exact.
static const golden_hash pgs_hashes[] = {
    {"bridge", 60, 0x6e99c7978aeca463},         {"catapult", 60, 0x7cabadaa02e263c5},
    {"chain", 120, 0xa36cb9a9d5f12c18},         {"four_bar", 120, 0x3e7af0a0a81b7aaa},
    {"newtons_cradle", 60, 0xb8911fa7f7e65880}, {"piston", 60, 0xfe429e8a18d9316f},
    {"radial_engine", 60, 0x83f6e16417d460b0},  {"trebuchet", 120, 0xcb3897e5354a2376},
    {"joint_grid", 10, 0x04eece554d8e3564},     {"walker", 60, 0x20c33b92c8f27731},
};

// The same with the direct solver.
static const golden_hash direct_hashes[] = {
    {"chain", 60, 0x93d1084e7a8066aa},
    {"four_bar", 60, 0xfc3cf421449341e9},
    {"trebuchet", 60, 0xfc4b2143155277be},
};

// And with conjugate gradients: equalities alone, redundant ones, and some with bounds.
static const golden_hash gradients_hashes[] = {
    {"joint_grid", 20, 0xb9f565726d79e521},
    {"lattice", 20, 0xf59b090a05ae7936},
    {"ragdolls", 20, 0x2d3751d294ed3ffc},
};

static uint64_t run_scene(const golden_hash *golden, tn_solver solver, bool baseline_only) {
    const scene *found = scene_find(golden->scene);
    cr_assert_not_null(found, "no scene %s", golden->scene);
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.baseline_only = baseline_only;
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

Test(hashes, every_build_gives_the_same_bits) {
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

Test(hashes, every_build_gives_the_same_bits_with_conjugate_gradients) {
    CHECK_TABLE(gradients_hashes, TN_SOLVER_CG);
}

// What AVX2 may do and what it may not are compared in one process: see core/wide.h.
Test(hashes, every_vector_unit_gives_the_same_bits) {
    const golden_hash *tables[2] = {golden_hashes, pgs_hashes};
    const size_t counts[2] = {sizeof golden_hashes / sizeof *golden_hashes,
                              sizeof pgs_hashes / sizeof *pgs_hashes};
    const tn_solver solvers[2] = {TN_SOLVER_AUTO, TN_SOLVER_PGS};
    for (int t = 0; t < 2; ++t) {
        for (size_t i = 0; i < counts[t]; ++i) {
            cr_assert(run_scene(&tables[t][i], solvers[t], true) == tables[t][i].hash, "%s",
                      tables[t][i].scene);
        }
    }
}
