// tools/tenon/main.c: the program `tenon`: its commands and its help.
#include "tools/tenon/compare.h"
#include "tools/tenon/rates.h"
#include "tools/tenon/recording.h"
#include "tools/tenon/run.h"

#include <stdio.h>
#include <string.h>

static int main_print_help(void) {
    printf(
        "tenon %d.%d.%d: runs scenes and cases of the physics library\n"
        "\n"
        "  tenon list                 the scenes, a line each\n"
        "  tenon list SCENE           the options of one\n"
        "  tenon run SCENE|CASE.json [options]\n"
        "  tenon compare SCENE|CASE.json [options]\n"
        "                             the same motion by every method there is, as tables\n"
        "  tenon rates [SCENE] [options]\n"
        "                             scenes whose result changes by more than 5 %% with the step\n"
        "                             rate; without a name of all scenes, which takes long\n"
        "  tenon record SCENE FILE [options]\n"
        "                             every step of a scene, to be replayed\n"
        "  tenon replay FILE [options]\n"
        "                             runs a recording again, and tells where it goes another way\n"
        "  tenon help | --version\n"
        "\n"
        "Options of run:\n"
        "  --hz N           steps per second (60)\n"
        "  --substeps N     parts of a step, 1 to 64 (4)\n"
        "  --time S         how long to run, s (the scene's or the case's own time)\n"
        "  --sample S       time between rows of the CSV, s (0.05, or the case's own; every step\n"
        "                   where that is no whole number of steps, or where there are bounces)\n"
        "  --solver S       of rigid joints: auto (default), pgs, direct or cg\n"
        "  --integrator I   of mechanisms of rigid joints alone: auto (default), euler, midpoint,\n"
        "                   rattle, rk4, explicit-euler, symplectic-euler or penalty\n"
        "  --stabilization S  of these: auto (default), none, feedback, before or after\n"
        "  --tolerance M    tell whether every joint is within M metres after every step\n"
        "  --set NAME=VALUE an option of the scene, or of the world (below); may be repeated\n"
        "  --workers N      threads (1)\n"
        "  --csv F          t,body,px,py,pz,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz of centres of mass;\n"
        "                   of a case of criteria: scenario,quantity,value\n"
        "  --outputs F      t,name,value: joint reactions, and a case's named outputs\n"
        "  --events F       contacts, hits, breaks, sleep and the release\n"
        "  --summary F      settings, figures, joint error, mechanisms, energy, counts and times "
        "as\n"
        "                   JSON\n"
        "  --svg F          the run drawn at several moments\n"
        "  --plot F         energy and joint error over time\n"
        "  --quiet          nothing on the terminal but errors\n"
        "\n"
        "Options of compare: --substeps N (1), --time S, --set NAME=VALUE, and\n"
        "  --hz N,N,...     steps per second (60), a table for each\n"
        "  --plot F         joint gap, energy, path and cost: over time, or with several rates\n"
        "                   over the step\n"
        "\n"
        "Options of rates: --substeps N (4), --time S, --solver S, --workers N, --set NAME=VALUE, "
        "and\n"
        "  --hz N,N         the two rates (60,240)\n"
        "\n"
        "Options of record: --hz N, --substeps N (4), --time S, --solver S, --workers N,\n"
        "  --set NAME=VALUE\n"
        "Options of replay: --workers N, and\n"
        "  --seek N         begins after N steps, from the key frame before\n"
        "\n"
        "A case of criteria has all but the CSV and the summary written for its first scenario.\n"
        "\n"
        "Settings of the world for --set:\n",
        TN_VERSION_MAJOR, TN_VERSION_MINOR, TN_VERSION_PATCH);
    run_options_print_settings();
    printf("\nExit status: 0 done, 1 the run failed, 2 the command line or the case is wrong.\n");
    return RUN_EXIT_OK;
}

static int main_list_scenes(void) {
    uint32_t count = 0;
    const scene *const *scenes = scene_get_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        printf("%-20s %s\n", scenes[i]->name, scenes[i]->summary);
    }
    return RUN_EXIT_OK;
}

static int main_list_options(const char *name) {
    char error[OPTIONS_ERROR_SIZE];
    const scene *which = run_options_find_scene(name, error);
    if (which == NULL) {
        fprintf(stderr, "tenon: %s\n", error);
        return RUN_EXIT_WRONG;
    }
    printf("%s: %s\n  runs %g s\n", which->name, which->summary, which->time);
    for (uint32_t i = 0; i < which->option_count; i++) {
        const scene_option *option = &which->options[i];
        printf("  %-22s %g (%g to %g): %s\n", option->name, option->value, option->lower,
               option->upper, option->help);
    }
    return RUN_EXIT_OK;
}

// One of the commands that take options.
static int main_run(run_command_kind kind, int (*command)(const run_options *), int count,
                    char **arguments) {
    run_options options;
    char error[OPTIONS_ERROR_SIZE] = "";
    if (!run_options_parse(kind, count, arguments, &options, error)) {
        fprintf(stderr, "tenon: %s\n", error);
        return RUN_EXIT_WRONG;
    }
    return command(&options);
}

int main(int count, char **arguments) {
    const char *command = count > 1 ? arguments[1] : "";
    if (strcmp(command, "run") == 0) {
        return main_run(RUN_COMMAND_RUN, run_command, count - 2, arguments + 2);
    }
    if (strcmp(command, "compare") == 0) {
        return main_run(RUN_COMMAND_COMPARE, compare_command, count - 2, arguments + 2);
    }
    if (strcmp(command, "rates") == 0) {
        return main_run(RUN_COMMAND_RATES, rates_command, count - 2, arguments + 2);
    }
    if (strcmp(command, "record") == 0) {
        return main_run(RUN_COMMAND_RECORD, record_command, count - 2, arguments + 2);
    }
    if (strcmp(command, "replay") == 0) {
        return main_run(RUN_COMMAND_REPLAY, replay_command, count - 2, arguments + 2);
    }
    if (strcmp(command, "list") == 0 && count <= 3) {
        return count == 3 ? main_list_options(arguments[2]) : main_list_scenes();
    }
    if (strcmp(command, "help") == 0 || strcmp(command, "--help") == 0) {
        return main_print_help();
    }
    if (strcmp(command, "--version") == 0) {
        printf("tenon %d.%d.%d\n", TN_VERSION_MAJOR, TN_VERSION_MINOR, TN_VERSION_PATCH);
        return RUN_EXIT_OK;
    }
    fprintf(stderr,
            "tenon: expected list, run, compare, rates, record, replay, help or --version; see "
            "\"tenon help\"\n");
    return RUN_EXIT_WRONG;
}
