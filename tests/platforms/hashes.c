// The golden hashes again, as a plain program for platforms that have no test framework: plain C,
// NEON, WebAssembly. Says which vector unit ran, and fails if a scene's state differs by a bit.
// Use: hashes UNIT WORKERS, where UNIT is what tn_world_get_vector_unit must return. Each scene is
// run on one worker, on two, and so on up to WORKERS.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/scene.h"
#include "tests/scenes/golden_hashes.h"

// The hash after the steps, or 0 where the scene could not be run.
static uint64_t run_scene(const golden_hash *golden, tn_solver solver, uint32_t workers) {
    const scene *found = scene_find(golden->scene);
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.worker_count = workers;
    scene_run *run = found ? scene_run_create(found, NULL, &def) : NULL;
    if (!run) {
        return 0;
    }
    tn_result result = TN_RESULT_OK;
    for (int i = 0; i < golden->steps && result == TN_RESULT_OK; ++i) {
        result = scene_run_step(run, 1.0 / 60.0, 4);
    }
    uint64_t hash = result == TN_RESULT_OK ? tn_world_get_hash(run->world) : 0;
    scene_run_destroy(run);
    return hash;
}

static bool has_unit(const char *expected) {
    tn_world_def def = tn_world_def_default();
    tn_world *world = tn_world_create(&def, NULL);
    bool is_expected = world && strcmp(tn_world_get_vector_unit(world), expected) == 0;
    if (!is_expected) {
        printf("the vector unit is %s, not %s\n", world ? tn_world_get_vector_unit(world) : "?",
               expected);
    }
    tn_world_destroy(world);
    return is_expected;
}

// Counts the runs, and those that end otherwise.
typedef struct hash_count {
    int runs, wrong;
} hash_count;

static void check_table(const golden_table *table, uint32_t workers, hash_count *count) {
    for (size_t i = 0; i < table->count; ++i) {
        uint64_t hash = run_scene(&table->hashes[i], table->solver, workers);
        count->runs += 1;
        if (hash != table->hashes[i].hash) {
            count->wrong += 1;
            printf("%s, %s, workers: %u: 0x%016llx\n", table->name, table->hashes[i].scene,
                   (unsigned)workers, (unsigned long long)hash);
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 3 || !has_unit(argv[1])) {
        return 2;
    }
    uint32_t most = (uint32_t)strtoul(argv[2], NULL, 10);
    int wrong = 0;
    for (uint32_t workers = 1; workers <= most; ++workers) {
        hash_count count = {0, 0};
        for (size_t t = 0; t < GOLDEN_TABLE_COUNT; ++t) {
            check_table(&golden_tables[t], workers, &count);
        }
        printf("%s, workers: %u: %d of %d scenes give the golden hash\n", argv[1],
               (unsigned)workers, count.runs - count.wrong, count.runs);
        wrong += count.wrong;
    }
    return most == 0 || wrong != 0;
}
