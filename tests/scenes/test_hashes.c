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
    {"arch", 60, 0x104c64c56282e646},       {"bowl", 60, 0x691ec5590bdd65eb},
    {"bridge", 60, 0x9fda66d72ef8bcf8},     {"catapult", 60, 0x16965fdf53dbf81c},
    {"chain", 120, 0x7c04b9b0a3c18a7c},     {"dominoes", 60, 0x49614aaa3f4ef404},
    {"four_bar", 120, 0x72b408404182bdea},  {"house", 60, 0x0686ac7c2a0c6cc3},
    {"joint_grid", 10, 0xf9e9979bda5739a3}, {"newtons_cradle", 60, 0xf4069c908c1ba835},
    {"pile", 5, 0x238beb4761eb9690},        {"piston", 60, 0xbdf0f0c5000ffbca},
    {"pyramid", 60, 0xff16682b0e088ccc},    {"radial_engine", 60, 0x1002db54619dfb18},
    {"ragdolls", 30, 0xeace772da86c6ad7},   {"t_handle", 120, 0x26f9070828fea931},
    {"trebuchet", 120, 0xb122d652ef245ba6}, {"walker", 60, 0xe4b5e87642af3e93},
};

static uint64_t run_scene(const golden_hash *golden) {
    const scene *found = scene_find(golden->scene);
    cr_assert_not_null(found, "no scene %s", golden->scene);
    scene_run *run = scene_run_create(found, NULL, NULL);
    cr_assert_not_null(run);
    for (int i = 0; i < golden->steps; ++i) {
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    uint64_t hash = tn_world_get_hash(run->world);
    scene_run_destroy(run);
    return hash;
}

Test(hashes, every_build_gives_the_same_bits) {
    bool prints = getenv("TENON_PRINT_HASHES") != NULL;
    int wrong = 0;
    for (size_t i = 0; i < sizeof golden_hashes / sizeof golden_hashes[0]; ++i) {
        const golden_hash *golden = &golden_hashes[i];
        unsigned long long hash = (unsigned long long)run_scene(golden);
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
