// core/stream.c: copies numbers to and from bytes, the least significant first.
// Test: tests/core/test_stream.c
#include "core/stream.h"

static bool stream_is_little_endian(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

void tni_stream_copy(void *to, const void *from, size_t count, uint32_t width) {
    if (count == 0) { // then the array may be null
        return;
    }
    if (stream_is_little_endian()) {
        memcpy(to, from, count * width);
        return;
    }
    unsigned char *out = to;
    const unsigned char *in = from;
    for (size_t i = 0; i < count * width; ++i) {
        size_t first = i / width * width;
        out[i] = in[first + width - 1 - (i - first)];
    }
}
