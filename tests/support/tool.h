// tests/support/tool.h: runs the built programs `tenon` and `tenon_bench`, and reads what they
// wrote.
#ifndef TESTS_SUPPORT_TOOL_H
#define TESTS_SUPPORT_TOOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tool_result {
    int status;       // of the exit
    char text[16384]; // standard output and error together
} tool_result;

// `format` makes the arguments, as a shell would take them.
tool_result tool_run(const char *format, ...);
// The same with the benchmark.
tool_result tool_run_bench(const char *format, ...);
// A file of this name in the folder of the build; the text is the caller's until the next call.
const char *tool_get_path(const char *name);
// Writes a file there, and gives its path in `out`.
void tool_write_file(const char *name, const char *text, char *out, size_t size);
// The whole file, or an empty text; free() it.
char *tool_read_file(const char *path);
size_t tool_count_lines(const char *text);

#endif
