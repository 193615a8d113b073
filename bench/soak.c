// bench/soak.c: tenon_soak [--minutes X] [--seed N]: edits worlds at random for that long (1).
//
// One world lives as long as the program, edited ten times a step, at rates and substeps that
// change. In between, scenes of the tool are made, run for some steps and destroyed. Looked at are:
// that no byte of a destroyed world is left; that the world that lives on takes no more memory in
// the end than after a fifth of the time, but for a tenth; that its counts are those of what was
// made and destroyed; and that its energy ledger closes in each step. Returns 1 when something is
// wrong.
#include "bench/soak.h"
#include "bench/clock.h"
#include "bench/ledger_watch.h"
#include "bench/memory.h"
#include "scenes/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOAK_EDITS       10  // a step
#define SOAK_SCENE_EVERY 500 // steps
#define SOAK_SCENE_STEPS 40
#define SOAK_LEDGER      1e-3 // of the energy that moves in a step

typedef struct soak_run {
    double minutes;
    uint64_t seed;
    soak_random random;
    soak_world soak;
    memory_counter memory, scene_memory;
    uint64_t most_early; // bytes of the world after a fifth of the time
    uint64_t steps, scenes, leaks, miscounts, open_ledgers, reports[32];
    double worst_ledger; // share
} soak_run;

static void soak_report(const tn_report *report, void *user_data) {
    soak_run *run = user_data;
    run->reports[report->result % 32] += 1;
}

static tn_world_def soak_get_def(soak_run *run, memory_counter *memory) {
    tn_world_def def = tn_world_def_default();
    memory_counter_use(memory, &def);
    def.report = soak_report;
    def.report_user_data = run;
    def.has_energy_ledger = true;
    return def;
}

// ---- the world that lives on -------------------------------------------------------------------

static void soak_audit(soak_run *run, const tn_energy *before, const tn_energy *after) {
    double missing = fabs(ledger_get_missing(before, after));
    double moved = fmax(fmax(after->kinetic, before->kinetic), 1.0);
    double share = missing / moved;
    run->worst_ledger = fmax(run->worst_ledger, share);
    if (!(share < SOAK_LEDGER)) {
        run->open_ledgers += 1;
        printf("step %llu: the ledger misses %g of %g J\n", (unsigned long long)run->steps, missing,
               moved);
    }
}

static void soak_step(soak_run *run) {
    static const double rates[] = {30.0, 60.0, 60.0, 60.0, 120.0, 240.0};
    tn_world *world = run->soak.world;
    for (int i = 0; i < SOAK_EDITS; i++) {
        soak_world_edit(&run->soak);
    }
    double hz = rates[soak_random_pick(&run->random, 6)];
    uint32_t substeps = 1 + soak_random_pick(&run->random, 8);
    tn_energy before = tn_world_get_energy(world);
    tn_result result = tn_world_step(world, 1.0 / hz, substeps);
    tn_energy after = tn_world_get_energy(world);
    run->steps += 1;
    if (result == TN_RESULT_OK) { // else a body was put back
        soak_audit(run, &before, &after);
    }
    if (!soak_world_counts_agree(&run->soak) || run->soak.has_failed) {
        run->miscounts += 1;
        printf("step %llu: counts are wrong, or a call failed\n", (unsigned long long)run->steps);
        run->soak.has_failed = false;
    }
}

// ---- scenes ------------------------------------------------------------------------------------

static void soak_run_scene(soak_run *run) {
    uint32_t count;
    const scene *const *scenes = scene_get_all(&count);
    const scene *which = scenes[soak_random_pick(&run->random, count)];
    double values[SCENE_MAX_OPTIONS];
    scene_get_values(which, NULL, 0, values);
    tn_world_def def = soak_get_def(run, &run->scene_memory);
    scene_run *made = scene_run_create(which, values, &def);
    for (int i = 0; made != NULL && i < SOAK_SCENE_STEPS; i++) {
        scene_run_step(made, 1.0 / 60.0, 4);
    }
    if (made != NULL) {
        scene_run_destroy(made);
    }
    run->scenes += 1;
    if (run->scene_memory.bytes != 0) {
        run->leaks += 1;
        printf("scene %s leaves %llu bytes\n", which->name,
               (unsigned long long)run->scene_memory.bytes);
        run->scene_memory = (memory_counter){0};
    }
}

// ---- the program -------------------------------------------------------------------------------

static bool soak_read_options(soak_run *run, int argc, char **argv) {
    run->minutes = 1.0;
    run->seed = 1;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) {
            return false;
        }
        if (strcmp(argv[i], "--minutes") == 0) {
            run->minutes = atof(argv[i + 1]);
        } else if (strcmp(argv[i], "--seed") == 0) {
            run->seed = strtoull(argv[i + 1], NULL, 10);
        } else {
            return false;
        }
    }
    return run->minutes > 0.0;
}

static void soak_go(soak_run *run) {
    double start = bench_clock_get_wall_seconds(), share = 0.0;
    while (share < 1.0) {
        soak_step(run);
        if (run->steps % SOAK_SCENE_EVERY == 0) {
            soak_run_scene(run);
        }
        share = (bench_clock_get_wall_seconds() - start) / (60.0 * run->minutes);
        if (share < 0.2) {
            run->most_early = run->memory.peak_bytes;
        }
    }
}

static bool soak_tell(soak_run *run) {
    uint64_t most = run->memory.peak_bytes;
    bool grows = (double)most > 1.1 * (double)run->most_early;
    tn_world_destroy(run->soak.world);
    run->leaks += run->memory.bytes != 0 ? 1 : 0;
    printf("%.1f minutes, %llu steps, %llu edits, %llu scenes\n", run->minutes,
           (unsigned long long)run->steps, (unsigned long long)run->soak.edits,
           (unsigned long long)run->scenes);
    printf("memory: %llu bytes at most, %llu after a fifth of the time; leaks: %llu\n",
           (unsigned long long)most, (unsigned long long)run->most_early,
           (unsigned long long)run->leaks);
    printf("wrong counts: %llu; steps with an open ledger: %llu, worst %.2g of the energy\n",
           (unsigned long long)run->miscounts, (unsigned long long)run->open_ledgers,
           run->worst_ledger);
    for (uint32_t i = 0; i < 32; i++) {
        if (run->reports[i] > 0) {
            printf("reported %llu times: %s\n", (unsigned long long)run->reports[i],
                   tn_result_text((tn_result)i));
        }
    }
    return !grows && run->leaks + run->miscounts + run->open_ledgers == 0;
}

int main(int argc, char **argv) {
    soak_run *run = calloc(1, sizeof *run);
    if (run == NULL || !soak_read_options(run, argc, argv)) {
        fprintf(stderr, "usage: tenon_soak [--minutes X] [--seed N]\n");
        free(run);
        return 2;
    }
    run->random.state = run->seed;
    tn_world_def def = soak_get_def(run, &run->memory);
    run->soak.world = tn_world_create(&def, NULL);
    run->soak.random = &run->random;
    soak_world_fill(&run->soak);
    soak_go(run);
    bool is_fine = soak_tell(run);
    free(run);
    return is_fine ? 0 : 1;
}
