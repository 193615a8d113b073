// tools/tenon/file.h: whole files.
#ifndef TOOLS_TENON_FILE_H
#define TOOLS_TENON_FILE_H

#include <stddef.h>

// Returns the bytes of a file, for free(), or null, with the reason in errno.
char *file_read(const char *path, size_t *out_size);

#endif
