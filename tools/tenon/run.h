// tools/tenon/run.h: the command `tenon run`.
#ifndef TOOLS_TENON_RUN_H
#define TOOLS_TENON_RUN_H

#include "tools/tenon/options.h"

#define RUN_EXIT_OK     0
#define RUN_EXIT_FAILED 1 // the run itself, or a file that could not be written
#define RUN_EXIT_WRONG  2 // the command line, or the file of a case

// The exit status of the program. Errors are printed on the standard error, a line each.
int run_command(const run_options *options);
// A case's file, and not a scene.
bool run_looks_like_file(const char *name);

#endif
