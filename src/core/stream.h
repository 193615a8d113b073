// core/stream.h: fields that one function writes and reads: it visits each field, and the stream
// says which way the bytes go.
//
// The bytes are the same on every platform: numbers are little-endian, floats are the bits of IEEE
// 754, and padding is left out. Reading behind the end gives zeros and notes damage.
#ifndef TNI_CORE_STREAM_H
#define TNI_CORE_STREAM_H

#include <string.h>

#include "core/maths.h"

typedef enum tni_stream_mode {
    TNI_STREAM_COUNTS, // bytes are only counted; fields are read
    TNI_STREAM_SAVES,  // fields are read
    TNI_STREAM_LOADS,  // fields are written
    TNI_STREAM_SKIPS,  // bytes are passed over; fields are neither read nor written
} tni_stream_mode;

typedef struct tni_stream tni_stream;
struct tni_stream {
    tni_stream_mode mode;
    unsigned char *bytes; // read-only while loading
    uint64_t at, size;    // the size is that of the bytes to load
    uint32_t version;     // of the fields to load
    bool is_damaged;
    bool is_other; // the bytes are of an object unlike the one at hand
    bool is_ample; // the bytes have room for, or hold, the fields that come next
};

static inline bool tni_stream_is_reading(const tni_stream *stream) {
    return stream->mode >= TNI_STREAM_LOADS;
}
// Notes that something is wrong with the bytes, and returns whether all is right.
static inline bool tni_stream_expect(tni_stream *stream, bool is_right) {
    stream->is_damaged = stream->is_damaged || !is_right;
    return !stream->is_damaged;
}
// Returns whether so many elements may still come: ask before you reserve memory for them.
static inline bool tni_stream_has(const tni_stream *stream, uint64_t count, uint32_t width) {
    return !stream->is_damaged && count <= (stream->size - stream->at) / width;
}

// Returns whether all was right and the bytes have been loaded to their end.
static inline bool tni_stream_is_done(const tni_stream *stream) {
    return !stream->is_damaged && stream->at == stream->size;
}

static inline bool tni_stream_is_little_endian(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

// Copies elements of `width` bytes in the other order.
void tni_stream_copy_turned(void *to, const void *from, size_t count, uint32_t width);

// Copies elements of `width` bytes, in this platform's order on one side.
TNI_KERNEL void tni_stream_copy(void *to, const void *from, size_t count, uint32_t width) {
    if (count == 0) { // then the array may be null
        return;
    }
    if (tni_stream_is_little_endian()) {
        memcpy(to, from, count * width);
    } else {
        tni_stream_copy_turned(to, from, count, width);
    }
}

// Nothing here is called with the stream: its members can lie in registers.
TNI_KERNEL void tni_stream_fields(tni_stream *stream, void *fields, size_t count, uint32_t width) {
    size_t size = count * width;
    bool is_there = stream->is_ample || !tni_stream_is_reading(stream) ||
                    tni_stream_expect(stream, tni_stream_has(stream, count, width));
    if (stream->mode == TNI_STREAM_SAVES) {
        tni_stream_copy(stream->bytes + stream->at, fields, count, width);
    } else if (stream->mode == TNI_STREAM_LOADS && is_there) {
        tni_stream_copy(fields, stream->bytes + stream->at, count, width);
    } else if (stream->mode == TNI_STREAM_LOADS && size > 0) {
        memset(fields, 0, size);
    }
    stream->at += is_there ? size : 0;
}

// A record takes at most this many bytes.
#define TNI_STREAM_RECORD_BYTES 2048u

// Copies the bytes that are left, with zeros behind them, and lets the stream read these.
void tni_stream_open_last(tni_stream *stream, unsigned char last[TNI_STREAM_RECORD_BYTES]);
// Lets the stream go on in all bytes, behind what it has read of the last ones.
void tni_stream_close_last(tni_stream *stream, const tni_stream *all);

// Visits a record in a mode that the compiler knows, with a stream of its own, which lies in
// registers.
TNI_KERNEL void tni_stream_record_in(tni_stream *stream, tni_stream_mode mode, void *record,
                                     void (*visit)(tni_stream *, void *)) {
    tni_stream own = {.mode = mode,
                      .bytes = stream->bytes,
                      .at = stream->at,
                      .size = stream->size,
                      .version = stream->version,
                      .is_damaged = stream->is_damaged,
                      .is_other = stream->is_other,
                      .is_ample = true};
    visit(&own, record);
    TN_ASSERT(own.at - stream->at <= TNI_STREAM_RECORD_BYTES);
    stream->at = own.at;
    stream->is_damaged = own.is_damaged;
    stream->is_other = own.is_other;
}

// Visits a record by a function that is compiled for each mode by itself: it and all that it calls
// are kernels. So its fields are copied by single instructions, without a check of each. A stream
// that skips has no records. The last ones of a stream are read from what is left of its bytes and
// zeros behind them.
TNI_KERNEL void tni_stream_record(tni_stream *stream, void *record,
                                  void (*visit)(tni_stream *, void *)) {
    TN_ASSERT(stream->mode != TNI_STREAM_SKIPS);
    if (stream->mode == TNI_STREAM_COUNTS) {
        tni_stream_record_in(stream, TNI_STREAM_COUNTS, record, visit);
    } else if (stream->mode == TNI_STREAM_SAVES) {
        tni_stream_record_in(stream, TNI_STREAM_SAVES, record, visit);
    } else {
        unsigned char last[TNI_STREAM_RECORD_BYTES];
        tni_stream all = *stream;
        bool is_last = !tni_stream_has(stream, TNI_STREAM_RECORD_BYTES, 1);
        if (is_last) {
            tni_stream_open_last(stream, last);
        }
        tni_stream_record_in(stream, TNI_STREAM_LOADS, record, visit);
        if (is_last) {
            tni_stream_close_last(stream, &all);
        }
    }
}

TNI_KERNEL void stream_u8(tni_stream *s, uint8_t *field) {
    tni_stream_fields(s, field, 1, 1);
}
TNI_KERNEL void stream_u16(tni_stream *s, uint16_t *field) {
    tni_stream_fields(s, field, 1, 2);
}
TNI_KERNEL void stream_u32(tni_stream *s, uint32_t *field) {
    tni_stream_fields(s, field, 1, 4);
}
TNI_KERNEL void stream_i32(tni_stream *s, int32_t *field) {
    tni_stream_fields(s, field, 1, 4);
}
TNI_KERNEL void stream_u64(tni_stream *s, uint64_t *field) {
    tni_stream_fields(s, field, 1, 8);
}
TNI_KERNEL void stream_i64(tni_stream *s, int64_t *field) {
    tni_stream_fields(s, field, 1, 8);
}
TNI_KERNEL void stream_f32(tni_stream *s, float *field) {
    tni_stream_fields(s, field, 1, 4);
}
TNI_KERNEL void stream_f64(tni_stream *s, double *field) {
    tni_stream_fields(s, field, 1, 8);
}
TNI_KERNEL void stream_u8s(tni_stream *s, uint8_t *fields, size_t count) {
    tni_stream_fields(s, fields, count, 1);
}
TNI_KERNEL void stream_u16s(tni_stream *s, uint16_t *fields, size_t count) {
    tni_stream_fields(s, fields, count, 2);
}
TNI_KERNEL void stream_u32s(tni_stream *s, uint32_t *fields, size_t count) {
    tni_stream_fields(s, fields, count, 4);
}
TNI_KERNEL void stream_u64s(tni_stream *s, uint64_t *fields, size_t count) {
    tni_stream_fields(s, fields, count, 8);
}
TNI_KERNEL void stream_f32s(tni_stream *s, float *fields, size_t count) {
    tni_stream_fields(s, fields, count, 4);
}
TNI_KERNEL void stream_f64s(tni_stream *s, double *fields, size_t count) {
    tni_stream_fields(s, fields, count, 8);
}
// The same, or passes over them if the array is null.
TNI_KERNEL void stream_f64s_or_skip(tni_stream *s, double *fields, size_t count) {
    tni_stream_mode mode = s->mode;
    s->mode = fields != NULL ? mode : TNI_STREAM_SKIPS;
    tni_stream_fields(s, fields, count, 8);
    s->mode = mode;
}
TNI_KERNEL void stream_vec3(tni_stream *s, vec3s *field) {
    tni_stream_fields(s, field->raw, 3, 4);
}
TNI_KERNEL void stream_versors(tni_stream *s, versors *field) {
    tni_stream_fields(s, field->raw, 4, 4);
}
TNI_KERNEL void stream_dvec3(tni_stream *s, tni_dvec3 *field) {
    tni_stream_fields(s, field, 3, 8);
}
TNI_KERNEL void stream_dquat(tni_stream *s, tni_dquat *field) {
    tni_stream_fields(s, field, 4, 8);
}
TNI_KERNEL void stream_plain(tni_stream *s, tn_vec3 *field) {
    tni_stream_fields(s, field, 3, 8);
}
// A bit or a bool is one byte, 0 or 1. Returns the bit, which the caller stores.
TNI_KERNEL bool stream_bit(tni_stream *s, bool bit) {
    uint8_t byte = bit ? 1 : 0;
    tni_stream_fields(s, &byte, 1, 1);
    bool is_read = s->mode == TNI_STREAM_LOADS;
    return is_read ? tni_stream_expect(s, byte <= 1) && byte == 1 : bit;
}
TNI_KERNEL void stream_bool(tni_stream *s, bool *field) {
    bool bit = stream_bit(s, !tni_stream_is_reading(s) && *field);
    if (s->mode == TNI_STREAM_LOADS) { // other threads may be reading it while it is saved
        *field = bit;
    }
}
// An enumeration whose values go from 0 to `last`. Returns the value, which the caller stores if it
// loads.
TNI_KERNEL int stream_choice(tni_stream *s, int choice, int last) {
    int32_t number = choice;
    tni_stream_fields(s, &number, 1, 4);
    bool is_read = s->mode == TNI_STREAM_LOADS;
    return is_read && !tni_stream_expect(s, number >= 0 && number <= last) ? 0 : number;
}
// A pointer of the user's is a number of 64 bits.
TNI_KERNEL void *stream_pointer(tni_stream *s, void *pointer) {
    uint64_t number = (uint64_t)(uintptr_t)pointer;
    tni_stream_fields(s, &number, 1, 8);
    return s->mode == TNI_STREAM_LOADS ? (void *)(uintptr_t)number : pointer;
}
// A number that the object at hand has to have already.
TNI_KERNEL void stream_same(tni_stream *s, uint32_t number) {
    unsigned char bytes[4];
    uint32_t read = number;
    if (!tni_stream_is_reading(s)) {
        stream_u32(s, &read);
        return;
    }
    if (tni_stream_expect(s, tni_stream_has(s, 1, 4))) {
        memcpy(bytes, s->bytes + s->at, sizeof bytes);
        tni_stream_copy(&read, bytes, 1, 4);
        s->at += 4;
    }
    s->is_other = s->is_other || read != number;
}

#endif
