// tests/support/seal.h: makes the checksum of changed bytes right again.
#ifndef TESTS_SUPPORT_SEAL_H
#define TESTS_SUPPORT_SEAL_H

#include <stdint.h>

// The bytes before the fields of what was saved, and those of the checksum behind them.
#define SEAL_HEADER 24u
#define SEAL_CRC    4u

// Writes the CRC-32 of zlib into the last four bytes, as saved worlds and recordings have it.
static inline void seal(unsigned char *bytes, uint64_t size) {
    uint32_t crc = UINT32_MAX;
    for (uint64_t i = 0; i < size - SEAL_CRC; ++i) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit) {
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
        }
    }
    for (int i = 0; i < 4; ++i) {
        bytes[size - SEAL_CRC + (uint64_t)i] = (unsigned char)(~crc >> 8 * i);
    }
}

#endif
