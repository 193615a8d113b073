// tools/tenon/options.h: what the command line of `tenon run` asks for.
#ifndef TOOLS_TENON_OPTIONS_H
#define TOOLS_TENON_OPTIONS_H

#include "scenes/scene.h"

#define OPTIONS_MAX_SETTINGS 64
#define OPTIONS_ERROR_SIZE   512

typedef struct run_options {
    const char *subject; // a scene's name, or a case's file
    double hz;
    uint32_t substeps;
    double time;   // s; 0: the subject's own
    double sample; // s; 0: the subject's own
    uint32_t workers;
    const char *solver;                     // of rigid joints, by name; null: the world's default
    const char *integrator, *stabilization; // of mechanisms, by name; null: the world's default
    double tolerance;                       // m, of joints; 0: none is asked for
    const char *csv, *outputs, *events, *summary, *svg, *plot; // files, or null
    bool quiet;
    const char *settings[OPTIONS_MAX_SETTINGS]; // name=value
    uint32_t setting_count;
} run_options;

// False with a line in `error` when the command line is wrong. `arguments` start after "run".
bool run_options_parse(int count, char **arguments, run_options *out, char *error);
// Applies the settings: the scene's options (`owner` may be null), then those of the world.
bool run_options_apply(const run_options *options, const scene *owner, double *values,
                       tn_world_def *def, char *error);
// The settings of the world, a line each, for `tenon help`.
void run_options_print_settings(void);

#endif
