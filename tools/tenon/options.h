// tools/tenon/options.h: what the command line asks for.
#ifndef TOOLS_TENON_OPTIONS_H
#define TOOLS_TENON_OPTIONS_H

#include "scenes/scene.h"

#define OPTIONS_MAX_SETTINGS 64
#define OPTIONS_ERROR_SIZE   512
#define OPTIONS_MAX_RATES    8

typedef enum run_command_kind {
    RUN_COMMAND_RUN = 1,
    RUN_COMMAND_COMPARE = 2,
    RUN_COMMAND_RATES = 4,
    RUN_COMMAND_RECORD = 8,
    RUN_COMMAND_REPLAY = 16,
} run_command_kind;

typedef struct run_options {
    const char *subject; // a scene's name, or a case's file; of rates null: all scenes; of replay
                         // the file of a recording
    const char *file;    // of record: where the recording goes
    double hz;
    uint32_t substeps;
    double time;       // s; 0: the subject's own
    double sample;     // s; 0: the subject's own
    const char *rates; // of compare and rates: steps per second, up to OPTIONS_MAX_RATES with
                       // commas between
    uint32_t seek;     // of replay: the step to begin with
    uint32_t workers;
    const char *solver;                     // of rigid joints, by name; null: the world's default
    const char *integrator, *stabilization; // of mechanisms, by name; null: the world's default
    double tolerance;                       // m, of joints; 0: none is asked for
    const char *csv, *outputs, *events, *summary, *svg, *plot; // files, or null
    bool quiet;
    const char *settings[OPTIONS_MAX_SETTINGS]; // name=value
    uint32_t setting_count;
} run_options;

// False with a line in `error` when the command line is wrong. `arguments` start after the command.
bool run_options_parse(run_command_kind command, int count, char **arguments, run_options *out,
                       char *error);
// The rates of a list, above 0. False with a line in `error`.
bool run_options_read_rates(const char *text, double *out, uint32_t *out_count, char *error);
// The names that --solver, --integrator and --stabilization know these by.
const char *run_options_get_solver_name(tn_solver solver);
const char *run_options_get_integrator_name(tn_integrator integrator);
const char *run_options_get_stabilization_name(tn_stabilization_mode mode);
// Applies the settings: the scene's options (`owner` may be null), then those of the world.
bool run_options_apply(const run_options *options, const scene *owner, double *values,
                       tn_world_def *def, char *error);
// Returns the scene of a name, or null with a line in `error`.
const scene *run_options_find_scene(const char *name, char *error);
// Builds a scene with the settings, which also change `def`. Null with a line in `error`.
scene_run *run_options_build(const run_options *options, const scene *kind, tn_world_def *def,
                             char *error);
// The settings of the world, a line each, for `tenon help`.
void run_options_print_settings(void);

#endif
