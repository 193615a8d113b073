// A stub: see tests/platforms/check_syntax.sh.
#ifndef STUB_STRING_H
#define STUB_STRING_H

#include <stddef.h>

int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);
void *memchr(const void *memory, int byte, size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *memory, int byte, size_t size);

#endif
