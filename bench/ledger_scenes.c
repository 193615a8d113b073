// bench/ledger_scenes.c: tenon_ledgers [options] [scene ...]: the energy ledger of every scene.
//
//   --solver S     auto (default), pgs, direct or cg
//   --hz N         steps per second (60)
//   --substeps N   (4)
//   --time X       times the scene's own time (1)
//
// A line for each scene: what was missing, the energy that moved, and the worst step. A scene is
// off where more than 0.1 % of what moved is missing. Returns 1 when one is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ledger_watch.h"
#include "bench/quality_world.h"

typedef struct ledger_options {
    tn_solver solver;
    double hz, time;
    uint32_t substeps;
    int first_name; // of the words
} ledger_options;

static bool ledger_read_options(ledger_options *options, int argc, char **argv) {
    *options = (ledger_options){TN_SOLVER_AUTO, 60.0, 1.0, 4, 1};
    int i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        const char *word = argv[i + 1];
        if (strcmp(argv[i], "--solver") == 0) {
            if (!quality_read_solver(word, &options->solver)) {
                return false;
            }
        } else if (strcmp(argv[i], "--hz") == 0) {
            options->hz = atof(word);
        } else if (strcmp(argv[i], "--substeps") == 0) {
            options->substeps = (uint32_t)atoi(word);
        } else if (strcmp(argv[i], "--time") == 0) {
            options->time = atof(word);
        } else {
            return false;
        }
    }
    options->first_name = i;
    bool is_done = i >= argc || strncmp(argv[i], "--", 2) != 0;
    return is_done && options->hz > 0.0 && options->substeps > 0 && options->time > 0.0;
}

static bool ledger_is_named(const scene *item, int first, int argc, char **argv) {
    bool is_named = first >= argc;
    for (int i = first; i < argc; i++) {
        is_named |= strcmp(argv[i], item->name) == 0;
    }
    return is_named;
}

// False when it is off.
static bool ledger_run_scene(const scene *item, const ledger_options *options) {
    double values[SCENE_MAX_OPTIONS];
    scene_get_values(item, NULL, 0, values);
    tn_world_def def = tn_world_def_default();
    def.solver = options->solver;
    ledger_result result =
        ledger_watch(item, values, def, options->time * item->time, options->hz, options->substeps);
    if (!result.is_counted) {
        printf("%-20s first-order dynamics\n", item->name);
        return true;
    }
    bool is_right = result.share <= LEDGER_SHARE;
    printf("%-20s %8.2g %% of %9.3g J moved in %5.1f s; worst step %9.2g J at %.3f s%s\n",
           item->name, 100.0 * result.share, result.moved, result.time, result.jump, result.when,
           is_right ? "" : "  OFF");
    fflush(stdout);
    return is_right;
}

int main(int argc, char **argv) {
    ledger_options options;
    if (!ledger_read_options(&options, argc, argv)) {
        fprintf(stderr, "usage: tenon_ledgers [--solver auto|pgs|direct|cg] [--hz N] "
                        "[--substeps N] [--time X] [scene ...]\n");
        return 2;
    }
    uint32_t count = 0, run = 0, off = 0;
    const scene *const *all = scene_get_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (ledger_is_named(all[i], options.first_name, argc, argv)) {
            run++;
            off += ledger_run_scene(all[i], &options) ? 0 : 1;
        }
    }
    printf("%u scenes, %u off\n", run, off);
    return off > 0 ? 1 : 0;
}
