// core/saved.c: objects as bytes, written and read field by field.
// Test: tests/core/test_saved.c
#include "core/saved.h"

#include <string.h>

#define SAVED_HEADER 24u
#define SAVED_CRC    4u

static const unsigned char saved_mark[8] = {'t', 'e', 'n', 'o', 'n', 0, 0, 0};

// Shifts make the order of bytes the same everywhere; compilers make one instruction of them.
static void saved_put(unsigned char *to, uint64_t value, uint32_t size) {
    for (uint32_t i = 0; i < size; ++i) {
        to[i] = (unsigned char)(value >> 8 * i);
    }
}

static uint64_t saved_get(const unsigned char *from, uint32_t size) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < size; ++i) {
        value |= (uint64_t)from[i] << 8 * i;
    }
    return value;
}

// ---- the check --------------------------------------------------------------------------------

// Four tables take four bytes at a time: D. V. Sarwate, "Computation of cyclic redundancy checks
// via table look-up", 1988; M. E. Kounavis and F. L. Berry, "A systematic approach to building high
// performance software-based CRC generators", 2005.
static void saved_make_tables(uint32_t tables[4][256]) {
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) {
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
        }
        tables[0][i] = crc;
    }
    for (uint32_t i = 0; i < 256; ++i) {
        for (int k = 1; k < 4; ++k) {
            tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 255];
        }
    }
}

static uint32_t saved_get_crc(const unsigned char *bytes, uint64_t size) {
    uint32_t tables[4][256], crc = UINT32_MAX;
    saved_make_tables(tables);
    uint64_t at = 0;
    for (; at + 4 <= size; at += 4) {
        crc ^= (uint32_t)saved_get(bytes + at, 4);
        crc = tables[3][crc & 255] ^ tables[2][crc >> 8 & 255] ^ tables[1][crc >> 16 & 255] ^
              tables[0][crc >> 24];
    }
    for (; at < size; ++at) {
        crc = crc >> 8 ^ tables[0][(crc ^ bytes[at]) & 255];
    }
    return ~crc;
}

// ---- writing ----------------------------------------------------------------------------------

static void saved_add(tni_saver *saver, uint64_t value, uint32_t size) {
    if (saver->bytes != NULL) {
        saved_put(saver->bytes + saver->size, value, size);
    }
    saver->size += size;
}

void tni_save_u8(tni_saver *saver, uint8_t value) {
    saved_add(saver, value, 1);
}

void tni_save_u16(tni_saver *saver, uint16_t value) {
    saved_add(saver, value, 2);
}

void tni_save_u32(tni_saver *saver, uint32_t value) {
    saved_add(saver, value, 4);
}

void tni_save_f64(tni_saver *saver, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    saved_add(saver, bits, 8);
}

// A saver that counts does not look at each element.
static bool saved_skip(tni_saver *saver, size_t count, uint32_t element_size) {
    if (saver->bytes == NULL) {
        saver->size += (uint64_t)count * element_size;
    }
    return saver->bytes == NULL;
}

void tni_save_u8s(tni_saver *saver, const uint8_t *values, size_t count) {
    for (size_t i = saved_skip(saver, count, 1) ? count : 0; i < count; ++i) {
        tni_save_u8(saver, values[i]);
    }
}

void tni_save_u16s(tni_saver *saver, const uint16_t *values, size_t count) {
    for (size_t i = saved_skip(saver, count, 2) ? count : 0; i < count; ++i) {
        tni_save_u16(saver, values[i]);
    }
}

void tni_save_u32s(tni_saver *saver, const uint32_t *values, size_t count) {
    for (size_t i = saved_skip(saver, count, 4) ? count : 0; i < count; ++i) {
        tni_save_u32(saver, values[i]);
    }
}

void tni_save_f32s(tni_saver *saver, const float *values, size_t count) {
    for (size_t i = saved_skip(saver, count, 4) ? count : 0; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        tni_save_u32(saver, bits);
    }
}

uint64_t tni_saved_write(tni_saved_kind kind, uint32_t version, tni_save_fn save,
                         const void *object, void *memory, uint64_t capacity) {
    tni_saver saver = {.size = SAVED_HEADER};
    save(&saver, object);
    uint64_t size = saver.size + SAVED_CRC;
    if (memory == NULL || capacity < size) {
        return size;
    }
    unsigned char *bytes = memory;
    memcpy(bytes, saved_mark, sizeof saved_mark);
    saved_put(bytes + 8, (uint32_t)kind, 4);
    saved_put(bytes + 12, version, 4);
    saved_put(bytes + 16, size, 8);
    saver = (tni_saver){bytes, SAVED_HEADER};
    save(&saver, object);
    saved_put(bytes + saver.size, saved_get_crc(bytes, saver.size), SAVED_CRC);
    return size;
}

// ---- reading ----------------------------------------------------------------------------------

tn_result tni_loader_open(tni_loader *loader, const void *memory, uint64_t size,
                          tni_saved_kind kind, uint32_t version) {
    const unsigned char *bytes = memory;
    if (size < sizeof saved_mark || memcmp(bytes, saved_mark, sizeof saved_mark) != 0) {
        return TN_RESULT_FOREIGN_DATA;
    }
    if (size < SAVED_HEADER + SAVED_CRC) {
        return TN_RESULT_DAMAGED_DATA;
    }
    if (saved_get(bytes + 8, 4) != (uint64_t)kind) {
        return TN_RESULT_FOREIGN_DATA;
    }
    if (saved_get(bytes + 12, 4) > version) {
        return TN_RESULT_NEWER_DATA;
    }
    uint64_t end = size - SAVED_CRC;
    if (saved_get(bytes + 16, 8) != size ||
        saved_get(bytes + end, SAVED_CRC) != saved_get_crc(bytes, end)) {
        return TN_RESULT_DAMAGED_DATA;
    }
    *loader = (tni_loader){.bytes = bytes, .size = end, .at = SAVED_HEADER};
    loader->version = (uint32_t)saved_get(bytes + 12, 4);
    return loader->version > 0 ? TN_RESULT_OK : TN_RESULT_DAMAGED_DATA;
}

bool tni_loader_is_done(const tni_loader *loader) {
    return !loader->is_damaged && loader->at == loader->size;
}

bool tni_loader_has(const tni_loader *loader, uint64_t count, uint32_t element_size) {
    return !loader->is_damaged && count <= (loader->size - loader->at) / element_size;
}

bool tni_loader_expect(tni_loader *loader, bool is_right) {
    loader->is_damaged = loader->is_damaged || !is_right;
    return !loader->is_damaged;
}

static uint64_t saved_take(tni_loader *loader, uint32_t size) {
    if (!tni_loader_expect(loader, tni_loader_has(loader, 1, size))) {
        return 0;
    }
    loader->at += size;
    return saved_get(loader->bytes + loader->at - size, size);
}

uint8_t tni_load_u8(tni_loader *loader) {
    return (uint8_t)saved_take(loader, 1);
}

uint16_t tni_load_u16(tni_loader *loader) {
    return (uint16_t)saved_take(loader, 2);
}

uint32_t tni_load_u32(tni_loader *loader) {
    return (uint32_t)saved_take(loader, 4);
}

double tni_load_f64(tni_loader *loader) {
    uint64_t bits = saved_take(loader, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void tni_load_u8s(tni_loader *loader, uint8_t *values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        values[i] = tni_load_u8(loader);
    }
}

void tni_load_u16s(tni_loader *loader, uint16_t *values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        values[i] = tni_load_u16(loader);
    }
}

void tni_load_u32s(tni_loader *loader, uint32_t *values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        values[i] = tni_load_u32(loader);
    }
}

void tni_load_f32s(tni_loader *loader, float *values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        uint32_t bits = tni_load_u32(loader);
        memcpy(&values[i], &bits, sizeof bits);
    }
}
