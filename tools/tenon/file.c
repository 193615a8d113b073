// tools/tenon/file.c: reads whole files. Test: tests/tool/test_case_files.c,
// tests/tool/test_recording.c
#include "tools/tenon/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static char *file_read_stream(FILE *stream, size_t *out_size) {
    size_t size = 0;
    size_t capacity = 65536;
    char *bytes = malloc(capacity);
    while (bytes != NULL) {
        size += fread(bytes + size, 1, capacity - size, stream);
        if (size < capacity) {
            break;
        }
        capacity *= 2;
        char *larger = realloc(bytes, capacity);
        if (larger == NULL) {
            free(bytes);
        }
        bytes = larger;
    }
    if (bytes != NULL && ferror(stream)) {
        free(bytes);
        bytes = NULL;
    }
    *out_size = size;
    return bytes;
}

char *file_read(const char *path, size_t *out_size) {
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return NULL;
    }
    char *bytes = file_read_stream(stream, out_size);
    int reason = errno;
    fclose(stream);
    errno = reason;
    return bytes;
}
