// tools/tenon/rates.h: the command `tenon rates`: scenes whose result depends on the step rate.
#ifndef TOOLS_TENON_RATES_H
#define TOOLS_TENON_RATES_H

#include "tools/tenon/options.h"

// The exit status of the program. Without a subject all scenes are run.
int rates_command(const run_options *options);

#endif
