// tools/tenon/picture.h: plots of a run's energy and joint error.
#ifndef TOOLS_TENON_PICTURE_H
#define TOOLS_TENON_PICTURE_H

#include "tools/tenon/history.h"
#include "tools/tenon/subject.h"

// False when the file could not be written.
bool picture_save_plot(const history *record, const run_subject *subject, const char *path);

#endif
