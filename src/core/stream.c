// core/stream.c: copies numbers to and from bytes, the least significant first.
// Test: tests/core/test_stream.c
#include "core/stream.h"

void tni_stream_copy_turned(void *to, const void *from, size_t count, uint32_t width) {
    unsigned char *out = to;
    const unsigned char *in = from;
    for (size_t i = 0; i < count * width; ++i) {
        size_t first = i / width * width;
        out[i] = in[first + width - 1 - (i - first)];
    }
}

void tni_stream_open_last(tni_stream *stream, unsigned char last[TNI_STREAM_RECORD_BYTES]) {
    uint64_t left = stream->is_damaged ? 0 : stream->size - stream->at;
    memset(last, 0, TNI_STREAM_RECORD_BYTES);
    memcpy(last, stream->bytes + stream->at, (size_t)left);
    stream->bytes = last;
    stream->at = 0;
    stream->size = TNI_STREAM_RECORD_BYTES;
}

void tni_stream_close_last(tni_stream *stream, const tni_stream *all) {
    uint64_t taken = stream->at, left = all->size - all->at;
    bool is_there = tni_stream_expect(stream, taken <= left);
    stream->bytes = all->bytes;
    stream->size = all->size;
    stream->at = all->at + (is_there ? taken : 0);
}
