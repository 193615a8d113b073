// Objects as bytes: numbers in a fixed order, a checksum, and what is refused.
#include "core/saved.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void save_numbers(tni_stream *stream, const void *object) {
    (void)object;
    uint8_t byte = 7;
    uint32_t word = 0x01020304u;
    double wide = 1.0;
    float floats[2] = {1.0f, -0.5f};
    uint16_t shorts[2] = {0x1234, 1};
    stream_u8(stream, &byte);
    stream_u32(stream, &word);
    stream_f64(stream, &wide);
    stream_f32s(stream, floats, 2);
    stream_u16s(stream, shorts, 2);
}

static uint64_t save(unsigned char *bytes, uint64_t capacity) {
    return tni_saved_write(TNI_SAVED_MESH, 3, save_numbers, NULL, bytes, capacity);
}

Test(saved, has_the_same_bytes_everywhere) {
    static const unsigned char expected[] = {
        't', 'e', 'n', 'o', 'n', 0, 0,    0, // the mark
        1,   0,   0,   0,   3,   0, 0,    0, // the kind, the version
        53,  0,   0,   0,   0,   0, 0,    0, // the size
        7,   4,   3,   2,   1,               // 7, 0x01020304
        0,   0,   0,   0,   0,   0, 0xf0, 0x3f, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xbf, 0x34, 0x12, 1, 0,
    };
    unsigned char bytes[64];
    cr_assert(save(NULL, 0) == 53 && sizeof expected == 49);
    memset(bytes, 0xaa, sizeof bytes);
    cr_assert(save(bytes, 52) == 53 && bytes[0] == 0xaa, "it writes nothing where it has no room");
    cr_assert(save(bytes, 53) == 53);
    cr_assert(memcmp(bytes, expected, sizeof expected) == 0);
    cr_assert(bytes[53] == 0xaa);
}

// "123456789" has the CRC-32 cbf43926: here it stands in the fields of an object.
static void save_digits(tni_stream *stream, const void *object) {
    stream_u8s(stream, (uint8_t *)object, 9);
}

// The CRC bit by bit, as its definition has it.
static uint32_t get_crc(const unsigned char *bytes, size_t size) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; ++i) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
        }
    }
    return ~crc;
}

Test(saved, ends_with_the_crc_of_zlib) {
    unsigned char bytes[64];
    cr_assert(get_crc((const unsigned char *)"123456789", 9) == 0xcbf43926u);
    uint64_t size = tni_saved_write(TNI_SAVED_MESH, 1, save_digits, "123456789", bytes, 64);
    uint32_t crc = get_crc(bytes, (size_t)size - 4);
    for (uint32_t i = 0; i < 4; ++i) {
        cr_assert(bytes[size - 4 + i] == (crc >> 8 * i & 255));
    }
}

// Long objects are taken in pieces side by side.
typedef struct saved_bytes {
    unsigned char *bytes;
    size_t size;
} saved_bytes;

static void save_bytes(tni_stream *stream, const void *object) {
    const saved_bytes *all = object;
    stream_u8s(stream, all->bytes, all->size);
}

Test(saved, ends_with_the_same_crc_however_long_it_is) {
    static const size_t sizes[] = {4067, 4068, 4071, 4072, 4073, 5000, 4096, 65536, 100003};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        saved_bytes all = {malloc(sizes[i]), sizes[i]};
        unsigned char *saved = malloc(sizes[i] + 28);
        for (size_t k = 0; k < sizes[i]; ++k) {
            all.bytes[k] = (unsigned char)(k * k * 2654435761u >> 13);
        }
        uint64_t size = tni_saved_write(TNI_SAVED_MESH, 1, save_bytes, &all, saved, sizes[i] + 28);
        cr_assert(size == sizes[i] + 28);
        uint32_t crc = get_crc(saved, (size_t)size - 4), read;
        tni_stream_copy(&read, saved + size - 4, 1, 4);
        cr_assert(crc == read, "%zu bytes", sizes[i]);
        free(all.bytes);
        free(saved);
    }
}

Test(saved, reads_what_was_written) {
    unsigned char bytes[64];
    uint64_t size = save(bytes, sizeof bytes);
    tni_stream stream;
    cr_assert(tni_saved_open(&stream, bytes, size, TNI_SAVED_MESH, 3) == TN_RESULT_OK);
    uint8_t byte;
    uint32_t word;
    double wide;
    float floats[2];
    uint16_t shorts[2];
    stream_u8(&stream, &byte);
    stream_u32(&stream, &word);
    cr_assert(byte == 7 && word == 0x01020304u);
    stream_f64(&stream, &wide);
    cr_assert(wide == 1.0);
    stream_f32s(&stream, floats, 2);
    cr_assert(floats[0] == 1.0f && floats[1] == -0.5f);
    cr_assert(!tni_stream_is_done(&stream) && tni_stream_has(&stream, 2, 2));
    cr_assert(!tni_stream_has(&stream, 3, 2) && !tni_stream_has(&stream, UINT64_MAX, 2));
    stream_u16s(&stream, shorts, 2);
    cr_assert(shorts[0] == 0x1234 && tni_stream_is_done(&stream) && stream.version == 3);
    stream_u8(&stream, &byte);
    cr_assert(byte == 0 && !tni_stream_is_done(&stream), "there is no more");
}

Test(saved, refuses_what_is_foreign_newer_or_damaged) {
    unsigned char bytes[64];
    uint64_t size = save(bytes, sizeof bytes);
    tni_stream stream;
    cr_assert(tni_saved_open(&stream, bytes, size, TNI_SAVED_COMPOUND, 3) ==
              TN_RESULT_FOREIGN_DATA);
    cr_assert(tni_saved_open(&stream, bytes, size, TNI_SAVED_MESH, 2) == TN_RESULT_NEWER_DATA);
    cr_assert(tni_saved_open(&stream, "glTF", 4, TNI_SAVED_MESH, 3) == TN_RESULT_FOREIGN_DATA);
    for (uint64_t i = 0; i < size; ++i) {
        cr_assert(tni_saved_open(&stream, bytes, i, TNI_SAVED_MESH, 3) != TN_RESULT_OK);
        bytes[i] ^= 0x40;
        cr_assert(tni_saved_open(&stream, bytes, size, TNI_SAVED_MESH, 3) != TN_RESULT_OK);
        bytes[i] ^= 0x40;
    }
    cr_assert(tni_saved_open(&stream, bytes, size + 1, TNI_SAVED_MESH, 3) ==
              TN_RESULT_DAMAGED_DATA);
}
