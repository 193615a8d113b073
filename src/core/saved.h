// core/saved.h: objects as bytes, written and read field by field.
//
// The bytes are the same on every platform: numbers are little-endian, floats are the bits of IEEE
// 754, and no struct is copied. In front stand 24 bytes: "tenon" and three zeros, the kind of
// object, the version of its fields, and the size of it all, in eight. The last four bytes are the
// CRC-32 (that of ISO 3309, as in zlib) of all before.
#ifndef TNI_CORE_SAVED_H
#define TNI_CORE_SAVED_H

#include "core/base.h"

typedef enum tni_saved_kind {
    TNI_SAVED_MESH = 1,
    TNI_SAVED_HEIGHT_FIELD,
    TNI_SAVED_COMPOUND,
    TNI_SAVED_WORLD,
} tni_saved_kind;

// ---- writing ----------------------------------------------------------------------------------

// Without `bytes` it counts alone.
typedef struct tni_saver {
    unsigned char *bytes;
    uint64_t size; // so far
} tni_saver;

void tni_save_u8(tni_saver *saver, uint8_t value);
void tni_save_u16(tni_saver *saver, uint16_t value);
void tni_save_u32(tni_saver *saver, uint32_t value);
void tni_save_f64(tni_saver *saver, double value);
void tni_save_u8s(tni_saver *saver, const uint8_t *values, size_t count);
void tni_save_u16s(tni_saver *saver, const uint16_t *values, size_t count);
void tni_save_u32s(tni_saver *saver, const uint32_t *values, size_t count);
void tni_save_f32s(tni_saver *saver, const float *values, size_t count);

// Writes the fields of an object.
typedef void (*tni_save_fn)(tni_saver *saver, const void *object);

// Writes an object into memory, unless that is null or too small. Returns how many bytes it takes.
uint64_t tni_saved_write(tni_saved_kind kind, uint32_t version, tni_save_fn save,
                         const void *object, void *memory, uint64_t capacity);

// ---- reading ----------------------------------------------------------------------------------

// Behind the end all numbers are 0, and the bytes count as damaged.
typedef struct tni_loader {
    const unsigned char *bytes;
    uint64_t size, at; // the fields end at `size`
    uint32_t version;
    bool is_damaged;
} tni_loader;

// Begins with an object's fields. Returns FOREIGN_DATA, NEWER_DATA or DAMAGED_DATA if the bytes are
// none of this kind, those of a later version than `version`, or not those that were written.
tn_result tni_loader_open(tni_loader *loader, const void *memory, uint64_t size,
                          tni_saved_kind kind, uint32_t version);
// Returns whether all was right and the fields have been read to their end.
bool tni_loader_is_done(const tni_loader *loader);
// Returns whether so many elements may still come: ask before you reserve memory for them.
bool tni_loader_has(const tni_loader *loader, uint64_t count, uint32_t element_size);
// Notes that something is wrong with the fields, and returns whether all is right.
bool tni_loader_expect(tni_loader *loader, bool is_right);

uint8_t tni_load_u8(tni_loader *loader);
uint16_t tni_load_u16(tni_loader *loader);
uint32_t tni_load_u32(tni_loader *loader);
double tni_load_f64(tni_loader *loader);
void tni_load_u8s(tni_loader *loader, uint8_t *values, size_t count);
void tni_load_u16s(tni_loader *loader, uint16_t *values, size_t count);
void tni_load_u32s(tni_loader *loader, uint32_t *values, size_t count);
void tni_load_f32s(tni_loader *loader, float *values, size_t count);

#endif
