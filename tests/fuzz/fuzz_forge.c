// tests/fuzz/fuzz_forge.c: bytes, and how they are forged: numbers in them become others, which are
// near, at the ends of their range, or stand elsewhere.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

fuzz_bytes fuzz_bytes_save(const tn_world *world) {
    fuzz_bytes taken = {.size = tn_world_save(world, NULL, 0)};
    taken.capacity = taken.size;
    taken.bytes = malloc((size_t)taken.size);
    tn_world_save(world, taken.bytes, taken.size);
    return taken;
}

void fuzz_bytes_add(fuzz_bytes *to, const void *bytes, uint64_t size) {
    if (to->size + size > to->capacity) {
        to->capacity = 2 * (to->size + size);
        to->bytes = realloc(to->bytes, (size_t)to->capacity);
    }
    memcpy(to->bytes + to->size, bytes, (size_t)size);
    to->size += size;
}

void fuzz_expect_saved(fuzz *f, const tn_world *world, const fuzz_bytes *bytes, const char *what) {
    fuzz_bytes now = fuzz_bytes_save(world);
    bool are_same =
        now.size == bytes->size && memcmp(now.bytes, bytes->bytes, (size_t)now.size) == 0;
    fuzz_expect(f, are_same, what);
    fuzz_bytes_free(&now);
}

void fuzz_bytes_free(fuzz_bytes *bytes) {
    free(bytes->bytes);
    *bytes = (fuzz_bytes){.bytes = NULL};
}

// Finds a place behind this one where four bytes look like an index, a count or no index at all.
static uint64_t forge_find_index(const unsigned char *bytes, uint64_t size, uint64_t at) {
    for (uint64_t i = 0; i < 4096 && at + i + 4 <= size; ++i) {
        uint32_t number;
        memcpy(&number, bytes + at + i, sizeof number);
        if ((number > 0 && number < 4096) || number == UINT32_MAX) {
            return at + i;
        }
    }
    return at;
}

static void forge_index(fuzz *f, unsigned char *at) {
    static const uint32_t far[] = {0, 1, UINT32_MAX, UINT32_MAX - 1, 1u << 22, 1u << 31, 65535};
    uint32_t number;
    memcpy(&number, at, sizeof number);
    switch (fuzz_below(f, 4)) {
    case 0:
        number += fuzz_chance(f, 2) ? 1 : UINT32_MAX;
        break;
    case 1:
        number = fuzz_below(f, 64);
        break;
    case 2:
        number = fuzz_below(f, 4096);
        break;
    default:
        number = far[fuzz_below(f, sizeof far / sizeof *far)];
        break;
    }
    memcpy(at, &number, sizeof number);
}

static void forge_float(fuzz *f, unsigned char *at, size_t room) {
    static const double numbers[] = {0.0, -1.0, 1e300, -1e300, 1e-320, 1e10, 3.0};
    double number = numbers[fuzz_below(f, sizeof numbers / sizeof *numbers)];
    float single = (float)number;
    if (room >= sizeof number && fuzz_chance(f, 2)) {
        memcpy(at, &number, sizeof number);
    } else if (room >= sizeof single) {
        memcpy(at, &single, sizeof single);
    }
}

static void forge_number(fuzz *f, unsigned char *bytes, uint64_t size) {
    uint64_t at = fuzz_below(f, (uint32_t)size);
    size_t width = (size_t)1 << fuzz_below(f, 4);
    width = size - at < width ? (size_t)(size - at) : width;
    switch (fuzz_below(f, 9)) {
    case 0:
        bytes[at] ^= (unsigned char)(1u << fuzz_below(f, 8));
        break;
    case 1:
        memset(bytes + at, 0, width);
        break;
    case 2:
        memset(bytes + at, 0xff, width);
        break;
    case 3: // one more or one less
        bytes[at] = (unsigned char)(bytes[at] + (fuzz_chance(f, 2) ? 1 : 255));
        break;
    case 4: // what stands elsewhere
        memmove(bytes + at, bytes + fuzz_below(f, (uint32_t)(size - width + 1)), width);
        break;
    case 5:
        forge_float(f, bytes + at, (size_t)(size - at));
        break;
    default:
        at = forge_find_index(bytes, size, at);
        if (at + 4 <= size) {
            forge_index(f, bytes + at);
        }
        break;
    }
}

void fuzz_forge(fuzz *f, unsigned char *bytes, uint64_t size) {
    uint32_t changes = 1 + (fuzz_chance(f, 2) ? fuzz_below(f, 4) : 0);
    for (uint32_t i = 0; i < changes && size > 0; ++i) {
        forge_number(f, bytes, size);
    }
}
