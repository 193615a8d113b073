// A stub: see tests/platforms/check_syntax.sh.
#ifndef STUB_STDLIB_H
#define STUB_STDLIB_H

#include <stddef.h>

long long llabs(long long x);
void free(void *memory);
void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *array, size_t count, size_t size,
              int (*compare)(const void *, const void *));
#ifdef __APPLE__
int posix_memalign(void **memory, size_t alignment, size_t size);
#endif

#endif
