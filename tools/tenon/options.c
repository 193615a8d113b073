// tools/tenon/options.c: the command line, and the settings that --set changes.
#include "tools/tenon/options.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_kind {
    OPTION_KIND_TEXT = 0,
    OPTION_KIND_NUMBER, // above 0
    OPTION_KIND_COUNT,  // a whole number from 1 to `most`
    OPTION_KIND_SETTING,
    OPTION_KIND_FLAG,
} option_kind;

typedef struct option_spec {
    const char *name;
    option_kind kind;
    size_t offset; // in run_options
    uint32_t most;
    int commands; // run_command_kind bits that take it
} option_spec;

#define OPTION_RUN  RUN_COMMAND_RUN
#define OPTION_BOTH (RUN_COMMAND_RUN | RUN_COMMAND_COMPARE)
#define OPTION_ALL  (OPTION_BOTH | RUN_COMMAND_RATES | RUN_COMMAND_RECORD)

static const option_spec option_table[] = {
    {"--hz", OPTION_KIND_NUMBER, offsetof(run_options, hz), 0, OPTION_RUN | RUN_COMMAND_RECORD},
    {"--substeps", OPTION_KIND_COUNT, offsetof(run_options, substeps), 64, OPTION_ALL},
    {"--hz", OPTION_KIND_TEXT, offsetof(run_options, rates), 0,
     RUN_COMMAND_COMPARE | RUN_COMMAND_RATES},
    {"--time", OPTION_KIND_NUMBER, offsetof(run_options, time), 0, OPTION_ALL},
    {"--sample", OPTION_KIND_NUMBER, offsetof(run_options, sample), 0, OPTION_RUN},
    {"--workers", OPTION_KIND_COUNT, offsetof(run_options, workers), 64,
     OPTION_RUN | RUN_COMMAND_RATES | RUN_COMMAND_RECORD | RUN_COMMAND_REPLAY},
    {"--seek", OPTION_KIND_COUNT, offsetof(run_options, seek), UINT32_MAX, RUN_COMMAND_REPLAY},
    {"--solver", OPTION_KIND_TEXT, offsetof(run_options, solver), 0,
     OPTION_RUN | RUN_COMMAND_RATES | RUN_COMMAND_RECORD},
    {"--integrator", OPTION_KIND_TEXT, offsetof(run_options, integrator), 0, OPTION_RUN},
    {"--stabilization", OPTION_KIND_TEXT, offsetof(run_options, stabilization), 0, OPTION_RUN},
    {"--tolerance", OPTION_KIND_NUMBER, offsetof(run_options, tolerance), 0, OPTION_RUN},
    {"--set", OPTION_KIND_SETTING, 0, 0, OPTION_ALL},
    {"--csv", OPTION_KIND_TEXT, offsetof(run_options, csv), 0, OPTION_RUN},
    {"--outputs", OPTION_KIND_TEXT, offsetof(run_options, outputs), 0, OPTION_RUN},
    {"--events", OPTION_KIND_TEXT, offsetof(run_options, events), 0, OPTION_RUN},
    {"--summary", OPTION_KIND_TEXT, offsetof(run_options, summary), 0, OPTION_RUN},
    {"--svg", OPTION_KIND_TEXT, offsetof(run_options, svg), 0, OPTION_RUN},
    {"--plot", OPTION_KIND_TEXT, offsetof(run_options, plot), 0, OPTION_BOTH},
    {"--quiet", OPTION_KIND_FLAG, offsetof(run_options, quiet), 0, OPTION_RUN},
};

#define OPTION_COUNT (sizeof option_table / sizeof option_table[0])

static bool option_read_number(const char *text, double *out) {
    char *end = NULL;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

static bool option_set(const option_spec *option, const char *value, run_options *out,
                       char *error) {
    char *field = (char *)out + option->offset;
    double number = 0.0;
    if (value == NULL) {
        snprintf(error, OPTIONS_ERROR_SIZE, "%s: expected a value after it", option->name);
        return false;
    }
    switch (option->kind) {
    case OPTION_KIND_TEXT:
        memcpy(field, &value, sizeof value);
        return true;
    case OPTION_KIND_NUMBER:
        if (!option_read_number(value, &number) || !(number > 0.0)) {
            snprintf(error, OPTIONS_ERROR_SIZE, "%s: expected a number above 0, found \"%s\"",
                     option->name, value);
            return false;
        }
        memcpy(field, &number, sizeof number);
        return true;
    case OPTION_KIND_COUNT:
        if (!option_read_number(value, &number) || number < 1.0 || number > option->most ||
            number != floor(number)) {
            snprintf(error, OPTIONS_ERROR_SIZE,
                     "%s: expected a whole number from 1 to %u, found \"%s\"", option->name,
                     (unsigned)option->most, value);
            return false;
        }
        memcpy(field, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
        return true;
    case OPTION_KIND_SETTING:
        if (strchr(value, '=') == NULL || out->setting_count == OPTIONS_MAX_SETTINGS) {
            snprintf(error, OPTIONS_ERROR_SIZE, "--set: expected name=value, found \"%s\"", value);
            return false;
        }
        out->settings[out->setting_count] = value;
        out->setting_count += 1;
        return true;
    case OPTION_KIND_FLAG:
        break;
    }
    return true;
}

static const option_spec *option_find(run_command_kind command, const char *name) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        bool is_taken = (option_table[i].commands & (int)command) != 0;
        if (is_taken && strcmp(option_table[i].name, name) == 0) {
            return &option_table[i];
        }
    }
    return NULL;
}

bool run_options_read_rates(const char *text, double *out, uint32_t *out_count, char *error) {
    *out_count = 0;
    for (const char *at = text; *out_count < OPTIONS_MAX_RATES; at++) {
        char *end = NULL;
        double rate = strtod(at, &end);
        if (end == at || !(rate > 0.0) || !isfinite(rate) || (*end != ',' && *end != '\0')) {
            break;
        }
        out[*out_count] = rate;
        *out_count += 1;
        if (*end == '\0') {
            return true;
        }
        at = end;
    }
    snprintf(error, OPTIONS_ERROR_SIZE,
             "--hz: expected up to %d numbers above 0 with commas between, found \"%s\"",
             OPTIONS_MAX_RATES, text);
    return false;
}

bool run_options_parse(run_command_kind command, int count, char **arguments, run_options *out,
                       char *error) {
    uint32_t substeps = command == RUN_COMMAND_COMPARE ? 1 : 4;
    const char *rates = command == RUN_COMMAND_RATES ? "60,240" : "60";
    *out = (run_options){.hz = 60.0, .substeps = substeps, .workers = 1, .rates = rates};
    for (int i = 0; i < count; i++) {
        const option_spec *option = option_find(command, arguments[i]);
        if (option != NULL && option->kind == OPTION_KIND_FLAG) {
            out->quiet = true;
        } else if (option != NULL) {
            if (!option_set(option, i + 1 < count ? arguments[i + 1] : NULL, out, error)) {
                return false;
            }
            i += 1;
        } else if (command == RUN_COMMAND_RECORD && arguments[i][0] != '-' &&
                   out->subject != NULL && out->file == NULL) {
            out->file = arguments[i];
        } else if (arguments[i][0] == '-' || out->subject != NULL) {
            snprintf(error, OPTIONS_ERROR_SIZE, "\"%s\" is not an option; see \"tenon help\"",
                     arguments[i]);
            return false;
        } else {
            out->subject = arguments[i];
        }
    }
    if (out->subject == NULL && command != RUN_COMMAND_RATES) {
        snprintf(error, OPTIONS_ERROR_SIZE,
                 command == RUN_COMMAND_RECORD   ? "expected the name of a scene, then a file"
                 : command == RUN_COMMAND_REPLAY ? "expected the file of a recording"
                                                 : "expected the name of a scene or the file of a "
                                                   "case");
        return false;
    }
    if (out->file == NULL && command == RUN_COMMAND_RECORD) {
        snprintf(error, OPTIONS_ERROR_SIZE, "expected a file for the recording");
        return false;
    }
    return true;
}

// ---- settings ----

typedef enum setting_kind {
    SETTING_KIND_FLOAT = 0,
    SETTING_KIND_DOUBLE,
    SETTING_KIND_COUNT,
    SETTING_KIND_BOOL,
    SETTING_KIND_MODE,
} setting_kind;

typedef struct setting_spec {
    const char *name;
    setting_kind kind;
    size_t offset; // in tn_world_def
    const char *help;
} setting_spec;

static const setting_spec setting_table[] = {
    {"joint_mode", SETTING_KIND_MODE, offsetof(tn_world_def, joint_bias.mode),
     "feedback of joint error: 0 soft, 1 Baumgarte"},
    {"joint_hertz", SETTING_KIND_FLOAT, offsetof(tn_world_def, joint_bias.hertz), "Hz, soft"},
    {"joint_damping_ratio", SETTING_KIND_FLOAT, offsetof(tn_world_def, joint_bias.damping_ratio),
     "soft"},
    {"joint_beta", SETTING_KIND_FLOAT, offsetof(tn_world_def, joint_bias.beta),
     "Baumgarte: share of the error removed per substep"},
    {"joint_slop", SETTING_KIND_FLOAT, offsetof(tn_world_def, joint_bias.slop),
     "error left alone, m or rad"},
    {"joint_max_speed", SETTING_KIND_FLOAT, offsetof(tn_world_def, joint_bias.max_speed),
     "cap on the correcting speed, m/s or rad/s"},
    {"contact_mode", SETTING_KIND_MODE, offsetof(tn_world_def, contact_bias.mode),
     "the same for contacts"},
    {"contact_hertz", SETTING_KIND_FLOAT, offsetof(tn_world_def, contact_bias.hertz), "Hz"},
    {"contact_damping_ratio", SETTING_KIND_FLOAT,
     offsetof(tn_world_def, contact_bias.damping_ratio), ""},
    {"contact_beta", SETTING_KIND_FLOAT, offsetof(tn_world_def, contact_bias.beta), ""},
    {"contact_slop", SETTING_KIND_FLOAT, offsetof(tn_world_def, contact_bias.slop),
     "depth that is kept, m"},
    {"contact_max_speed", SETTING_KIND_FLOAT, offsetof(tn_world_def, contact_bias.max_speed),
     "m/s"},
    {"joint_iterations", SETTING_KIND_COUNT, offsetof(tn_world_def, joint_iterations),
     "sweeps over joints per substep; 0: 4"},
    {"cg_iterations", SETTING_KIND_COUNT, offsetof(tn_world_def, research.cg.iterations),
     "most of conjugate gradients in a solve; 0: chosen"},
    {"cg_tolerance", SETTING_KIND_FLOAT, offsetof(tn_world_def, research.cg.tolerance),
     "residual that ends a solve"},
    {"contact_iterations", SETTING_KIND_COUNT, offsetof(tn_world_def, contact_iterations),
     "sweeps over contacts per substep; 0: chosen, 2 to 4"},
    {"relax_iterations", SETTING_KIND_COUNT, offsetof(tn_world_def, relax_iterations),
     "sweeps without bias per substep"},
    {"beta", SETTING_KIND_DOUBLE, offsetof(tn_world_def, research.stabilization.beta),
     "integrator euler: share of the error removed per substep"},
    {"feedback_stiffness", SETTING_KIND_DOUBLE,
     offsetof(tn_world_def, research.stabilization.stiffness),
     "1/s^2: feedback of rk4, explicit-euler and symplectic-euler"},
    {"feedback_damping", SETTING_KIND_DOUBLE,
     offsetof(tn_world_def, research.stabilization.damping), "1/s"},
    {"penalty_hertz", SETTING_KIND_DOUBLE,
     offsetof(tn_world_def, research.stabilization.penalty_hertz),
     "Hz; 0: a tenth of the substep rate"},
    {"penalty_damping_ratio", SETTING_KIND_DOUBLE,
     offsetof(tn_world_def, research.stabilization.penalty_damping_ratio), ""},
    {"restitution_threshold", SETTING_KIND_FLOAT, offsetof(tn_world_def, restitution_threshold),
     "m/s: slower impacts do not bounce"},
    {"contact_margin", SETTING_KIND_FLOAT, offsetof(tn_world_def, contact_margin),
     "m: contacts this far apart are prepared"},
    {"sleep", SETTING_KIND_BOOL, offsetof(tn_world_def, is_sleep_allowed),
     "1: bodies at rest fall asleep (scenes only)"},
};

#define SETTING_COUNT (sizeof setting_table / sizeof setting_table[0])

const scene *run_options_find_scene(const char *name, char *error) {
    const scene *found = scene_find(name);
    if (found == NULL) {
        snprintf(error, OPTIONS_ERROR_SIZE,
                 "no scene has the name \"%s\"; \"tenon list\" shows those there are", name);
    }
    return found;
}

scene_run *run_options_build(const run_options *options, const scene *kind, tn_world_def *def,
                             char *error) {
    double values[SCENE_MAX_OPTIONS];
    scene_get_values(kind, NULL, 0, values);
    if (!run_options_apply(options, kind, values, def, error)) {
        return NULL;
    }
    scene_run *run = scene_run_create(kind, values, def);
    if (run == NULL) {
        snprintf(error, OPTIONS_ERROR_SIZE, "%s: the scene could not be built", kind->name);
    }
    return run;
}

void run_options_print_settings(void) {
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        printf("  %-22s %s\n", setting_table[i].name, setting_table[i].help);
    }
}

static bool setting_apply(const setting_spec *setting, double value, tn_world_def *def) {
    char *field = (char *)def + setting->offset;
    bool is_whole = value == floor(value) && value >= 0.0;
    switch (setting->kind) {
    case SETTING_KIND_FLOAT:
        memcpy(field, &(float){(float)value}, sizeof(float));
        return true;
    case SETTING_KIND_DOUBLE:
        memcpy(field, &value, sizeof value);
        return true;
    case SETTING_KIND_COUNT:
        if (!is_whole || value > (double)UINT32_MAX) {
            return false; // a number that does not fit must not be converted
        }
        memcpy(field, &(uint32_t){(uint32_t)value}, sizeof(uint32_t));
        return true;
    case SETTING_KIND_BOOL:
        memcpy(field, &(bool){value != 0.0}, sizeof(bool));
        return is_whole && value <= 1.0;
    case SETTING_KIND_MODE:
        memcpy(field, &(tn_bias_mode){value != 0.0 ? TN_BIAS_MODE_BAUMGARTE : TN_BIAS_MODE_SOFT},
               sizeof(tn_bias_mode));
        return is_whole && value <= 1.0;
    }
    return false;
}

static bool setting_apply_named(const char *name, double value, tn_world_def *def, char *error) {
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (strcmp(setting_table[i].name, name) == 0) {
            if (setting_apply(&setting_table[i], value, def)) {
                return true;
            }
            snprintf(error, OPTIONS_ERROR_SIZE, "--set %s: %g is out of range", name, value);
            return false;
        }
    }
    snprintf(error, OPTIONS_ERROR_SIZE,
             "--set %s: no such option; \"tenon list SCENE\" shows a scene's, \"tenon help\" the "
             "world's",
             name);
    return false;
}

// The place of a name among `count`; `expected` names them for the message.
static bool option_read_name(const char *option, const char *name, const char *const *names,
                             int count, const char *expected, int *out, char *error) {
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            *out = i;
            return true;
        }
    }
    snprintf(error, OPTIONS_ERROR_SIZE, "%s: expected %s, found \"%s\"", option, expected, name);
    return false;
}

// In the order of tn_solver.
static const char *const option_solvers[] = {"auto", "pgs", "direct", "cg"};

static bool option_apply_solver(const char *name, tn_world_def *def, char *error) {
    int index = 0;
    if (!option_read_name("--solver", name == NULL ? "auto" : name, option_solvers, 4,
                          "auto, pgs, direct or cg", &index, error)) {
        return false;
    }
    def->solver = (tn_solver)index;
    return true;
}

// In the order of tn_integrator and tn_stabilization_mode.
static const char *const option_integrators[] = {
    "auto", "euler", "midpoint", "rattle", "rk4", "explicit-euler", "symplectic-euler", "penalty"};
static const char *const option_stabilizations[] = {"auto", "none", "feedback", "before", "after"};

const char *run_options_get_solver_name(tn_solver solver) {
    return option_solvers[solver];
}

const char *run_options_get_integrator_name(tn_integrator integrator) {
    return option_integrators[integrator];
}

const char *run_options_get_stabilization_name(tn_stabilization_mode mode) {
    return option_stabilizations[mode];
}

// An integrator moves mechanisms: what asks for one gets the direct solver with it.
static bool option_apply_integrator(const run_options *options, tn_world_def *def, char *error) {
    int index = 0;
    if (options->integrator != NULL) {
        if (!option_read_name("--integrator", options->integrator, option_integrators, 8,
                              "auto, euler, midpoint, rattle, rk4, explicit-euler, "
                              "symplectic-euler or penalty",
                              &index, error)) {
            return false;
        }
        def->research.integrator = (tn_integrator)index;
        def->solver = index != 0 && options->solver == NULL ? TN_SOLVER_DIRECT : def->solver;
    }
    if (options->stabilization != NULL) {
        if (!option_read_name("--stabilization", options->stabilization, option_stabilizations, 5,
                              "auto, none, feedback, before or after", &index, error)) {
            return false;
        }
        def->research.stabilization.mode = (tn_stabilization_mode)index;
    }
    return true;
}

bool run_options_apply(const run_options *options, const scene *owner, double *values,
                       tn_world_def *def, char *error) {
    if (!option_apply_solver(options->solver, def, error) ||
        !option_apply_integrator(options, def, error)) {
        return false;
    }
    def->joint_tolerance = options->tolerance;
    for (uint32_t i = 0; i < options->setting_count; i++) {
        const char *text = options->settings[i];
        const char *equals = strchr(text, '=');
        char name[64];
        double value;
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        if (!option_read_number(equals + 1, &value)) {
            snprintf(error, OPTIONS_ERROR_SIZE, "--set %s: expected a number, found \"%s\"", name,
                     equals + 1);
            return false;
        }
        int index = owner != NULL ? scene_find_option(owner, name) : -1;
        if (index < 0) {
            if (!setting_apply_named(name, value, def, error)) {
                return false;
            }
            continue;
        }
        const scene_option *range = &owner->options[index];
        if (value < range->lower || value > range->upper) {
            snprintf(error, OPTIONS_ERROR_SIZE, "--set %s: expected %g to %g, found %g", name,
                     range->lower, range->upper, value);
            return false;
        }
        values[index] = value;
    }
    return true;
}
