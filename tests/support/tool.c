// tests/support/tool.c: runs the built programs `tenon` and `tenon_bench`, and reads what they
// wrote.
#define _POSIX_C_SOURCE 200809L // popen
#include "tests/support/tool.h"

#ifdef TENON_TOOL_PATH

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static tool_result tool_run_program(const char *program, const char *format, va_list list) {
    tool_result result = {.status = -1};
    char arguments[2048];
    char command[3072];
    vsnprintf(arguments, sizeof arguments, format, list);
    snprintf(command, sizeof command, "'%s' %s 2>&1", program, arguments);
    FILE *pipe = popen(command, "r");
    if (pipe == NULL) {
        return result;
    }
    size_t used = fread(result.text, 1, sizeof result.text - 1, pipe);
    result.text[used] = '\0';
    int status = pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
}

tool_result tool_run(const char *format, ...) {
    va_list list;
    va_start(list, format);
    tool_result result = tool_run_program(TENON_TOOL_PATH, format, list);
    va_end(list);
    return result;
}

#ifdef TENON_BENCH_PATH
tool_result tool_run_bench(const char *format, ...) {
    va_list list;
    va_start(list, format);
    tool_result result = tool_run_program(TENON_BENCH_PATH, format, list);
    va_end(list);
    return result;
}
#endif

const char *tool_get_path(const char *name) {
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", TENON_SCRATCH_PATH, name);
    return path;
}

void tool_write_file(const char *name, const char *text, char *out, size_t size) {
    snprintf(out, size, "%s", tool_get_path(name));
    FILE *file = fopen(out, "w");
    if (file != NULL) {
        fputs(text, file);
        fclose(file);
    }
}

char *tool_read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    size_t size = 0;
    size_t capacity = 1 << 20;
    char *text = calloc(1, capacity + 1);
    while (file != NULL && text != NULL) {
        size_t got = fread(text + size, 1, capacity - size, file);
        size += got;
        if (got == 0) {
            break;
        }
        if (size == capacity) {
            capacity *= 2;
            char *larger = realloc(text, capacity + 1);
            if (larger == NULL) {
                break;
            }
            text = larger;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    if (text != NULL) {
        text[size] = '\0';
    }
    return text;
}

size_t tool_count_lines(const char *text) {
    size_t count = 0;
    for (const char *c = text; *c != '\0'; c++) {
        count += *c == '\n';
    }
    return count;
}

#else
typedef int tool_is_not_built;
#endif
