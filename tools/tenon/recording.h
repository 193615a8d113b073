// tools/tenon/recording.h: the commands `tenon record` and `tenon replay`.
#ifndef TOOLS_TENON_RECORDING_H
#define TOOLS_TENON_RECORDING_H

#include "tools/tenon/options.h"

// The exit status of the program. A replay that diverges has failed.
int record_command(const run_options *options);
int replay_command(const run_options *options);

#endif
