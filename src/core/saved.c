// core/saved.c: what stands around an object's fields: its header and its checksum.
// Test: tests/core/test_saved.c
#include "core/saved.h"

// The coefficients below x to the power of 32, that of 1 in the highest bit.
#define SAVED_POLYNOMIAL 0xedb88320u
// The size stands here in the header.
#define SAVED_SIZE_AT 16u

typedef struct saved_header {
    uint8_t mark[8];
    uint32_t kind, version;
    uint64_t size; // with the header and the checksum
} saved_header;

static const uint8_t saved_mark[8] = {'t', 'e', 'n', 'o', 'n', 0, 0, 0};

static void saved_visit_header(tni_stream *s, saved_header *header) {
    stream_u8s(s, header->mark, sizeof header->mark);
    stream_u32(s, &header->kind);
    stream_u32(s, &header->version);
    stream_u64(s, &header->size);
}

// ---- the check --------------------------------------------------------------------------------

// Four tables take four bytes at a time: D. V. Sarwate, "Computation of cyclic redundancy checks
// via table look-up", 1988; M. E. Kounavis and F. L. Berry, "A systematic approach to building high
// performance software-based CRC generators", 2005.
static void saved_make_tables(uint32_t tables[4][256]) {
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) {
            crc = crc >> 1 ^ (SAVED_POLYNOMIAL & (0u - (crc & 1)));
        }
        tables[0][i] = crc;
    }
    for (uint32_t i = 0; i < 256; ++i) {
        for (int k = 1; k < 4; ++k) {
            tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 255];
        }
    }
}

// Shifts make the order of bytes the same everywhere; compilers make one instruction of them.
static uint32_t saved_get_word(const unsigned char *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static uint32_t saved_add_word(uint32_t tables[4][256], uint32_t crc, uint32_t word) {
    crc ^= word;
    return tables[3][crc & 255] ^ tables[2][crc >> 8 & 255] ^ tables[1][crc >> 16 & 255] ^
           tables[0][crc >> 24];
}

// Multiplies two remainders, in which the highest bit is the coefficient of 1.
static uint32_t saved_multiply(uint32_t p, uint32_t q) {
    uint32_t product = 0;
    for (; p != 0; p <<= 1) {
        product ^= q & (0u - (p >> 31));
        q = q >> 1 ^ (SAVED_POLYNOMIAL & (0u - (q & 1)));
    }
    return product;
}

// Returns the remainder of x to the power of eight times this count: what zeros behind a remainder
// multiply it by.
static uint32_t saved_get_shift(uint64_t bytes) {
    uint32_t shift = UINT32_C(1) << 31, square = UINT32_C(1) << 23;
    for (; bytes > 0; bytes >>= 1) {
        shift = (bytes & 1) != 0 ? saved_multiply(shift, square) : shift;
        square = saved_multiply(square, square);
    }
    return shift;
}

#define SAVED_LANES     4
#define SAVED_LANE_MIN  1024 // bytes: shorter ones take less time than putting them together
#define SAVED_CRC_START UINT32_MAX

// A word waits for the one before it. So four pieces go side by side, and the remainder of the
// whole is put together from theirs. Returns how many bytes were taken.
static uint64_t saved_add_lanes(uint32_t tables[4][256], const unsigned char *bytes, uint64_t size,
                                uint32_t *crc) {
    uint64_t length = size / SAVED_LANES & ~UINT64_C(3);
    if (length < SAVED_LANE_MIN) {
        return 0;
    }
    uint32_t lanes[SAVED_LANES] = {*crc, 0, 0, 0};
    for (uint64_t at = 0; at < length; at += 4) {
        for (uint32_t k = 0; k < SAVED_LANES; ++k) {
            lanes[k] = saved_add_word(tables, lanes[k], saved_get_word(bytes + k * length + at));
        }
    }
    uint32_t shift = saved_get_shift(length);
    for (uint32_t k = 1; k < SAVED_LANES; ++k) {
        lanes[0] = saved_multiply(lanes[0], shift) ^ lanes[k];
    }
    *crc = lanes[0];
    return SAVED_LANES * length;
}

static uint32_t saved_get_crc(const unsigned char *bytes, uint64_t size) {
    uint32_t tables[4][256], crc = SAVED_CRC_START;
    saved_make_tables(tables);
    uint64_t at = saved_add_lanes(tables, bytes, size, &crc);
    for (; at + 4 <= size; at += 4) {
        crc = saved_add_word(tables, crc, saved_get_word(bytes + at));
    }
    for (; at < size; ++at) {
        crc = crc >> 8 ^ tables[0][(crc ^ bytes[at]) & 255];
    }
    return ~crc;
}

// ---- writing and reading ----------------------------------------------------------------------

uint64_t tni_saved_write(tni_saved_kind kind, uint32_t version, tni_save_fn save,
                         const void *object, void *memory, uint64_t capacity) {
    saved_header header = {.kind = (uint32_t)kind, .version = version};
    memcpy(header.mark, saved_mark, sizeof saved_mark);
    tni_stream s = {.mode = TNI_STREAM_COUNTS};
    saved_visit_header(&s, &header);
    save(&s, object);
    header.size = s.at + TNI_SAVED_CRC;
    if (memory == NULL || capacity < header.size) {
        return header.size;
    }
    s = (tni_stream){.mode = TNI_STREAM_SAVES, .bytes = memory};
    saved_visit_header(&s, &header);
    save(&s, object);
    uint32_t crc = saved_get_crc(memory, s.at);
    stream_u32(&s, &crc);
    return header.size;
}

void tni_saved_seal(void *memory, uint64_t size) {
    tni_stream s = {.mode = TNI_STREAM_SAVES, .bytes = memory, .at = SAVED_SIZE_AT};
    stream_u64(&s, &size);
    s.at = size - TNI_SAVED_CRC;
    uint32_t crc = saved_get_crc(memory, s.at);
    stream_u32(&s, &crc);
}

uint64_t tni_saved_get_size(const void *memory, uint64_t size) {
    saved_header header = {.kind = 0};
    tni_stream s = {.mode = TNI_STREAM_LOADS, .size = size};
    s.bytes = (unsigned char *)memory; // only read
    uint64_t marked = size < sizeof saved_mark ? size : sizeof saved_mark;
    if (memcmp(s.bytes, saved_mark, (size_t)marked) != 0) {
        return 0;
    }
    saved_visit_header(&s, &header);
    return s.is_damaged ? UINT64_MAX : header.size;
}

tn_result tni_saved_open(tni_stream *stream, const void *memory, uint64_t size, tni_saved_kind kind,
                         uint32_t version) {
    saved_header header = {.kind = 0};
    tni_stream s = {.mode = TNI_STREAM_LOADS, .size = size};
    s.bytes = (unsigned char *)memory; // only read
    saved_visit_header(&s, &header);
    if (memcmp(header.mark, saved_mark, sizeof saved_mark) != 0) {
        return TN_RESULT_FOREIGN_DATA;
    }
    if (size < TNI_SAVED_HEADER + TNI_SAVED_CRC) {
        return TN_RESULT_DAMAGED_DATA;
    }
    if (header.kind != (uint32_t)kind) {
        return TN_RESULT_FOREIGN_DATA;
    }
    if (header.version > version) {
        return TN_RESULT_NEWER_DATA;
    }
    uint32_t crc = 0;
    s.at = size - TNI_SAVED_CRC;
    stream_u32(&s, &crc);
    if (header.size != size || crc != saved_get_crc(s.bytes, size - TNI_SAVED_CRC)) {
        return TN_RESULT_DAMAGED_DATA;
    }
    *stream = (tni_stream){.mode = TNI_STREAM_LOADS,
                           .bytes = s.bytes,
                           .at = TNI_SAVED_HEADER,
                           .size = size - TNI_SAVED_CRC,
                           .version = header.version};
    return header.version > 0 ? TN_RESULT_OK : TN_RESULT_DAMAGED_DATA;
}
