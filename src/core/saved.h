// core/saved.h: objects as bytes, with what says of which kind they are.
//
// In front of the fields (core/stream.h) stand 24 bytes: "tenon" and three zeros, the kind of
// object, the version of its fields, and the size of it all, in eight. The last four bytes are the
// CRC-32 (that of ISO 3309, as in zlib) of all before.
#ifndef TNI_CORE_SAVED_H
#define TNI_CORE_SAVED_H

#include "core/stream.h"

// The sizes of what stands before the fields and behind them, in bytes.
#define TNI_SAVED_HEADER 24u
#define TNI_SAVED_CRC    4u

typedef enum tni_saved_kind {
    TNI_SAVED_MESH = 1,
    TNI_SAVED_HEIGHT_FIELD,
    TNI_SAVED_COMPOUND,
    TNI_SAVED_WORLD,
    TNI_SAVED_HULL,
    TNI_SAVED_RECORDING,
} tni_saved_kind;

// Visits the fields of an object, which the stream counts or saves.
typedef void (*tni_save_fn)(tni_stream *stream, const void *object);

// Writes an object into memory, unless that is null or too small. Returns how many bytes it takes.
uint64_t tni_saved_write(tni_saved_kind kind, uint32_t version, tni_save_fn save,
                         const void *object, void *memory, uint64_t capacity);

// Opens a stream that loads an object's fields. Returns FOREIGN_DATA, NEWER_DATA or DAMAGED_DATA if
// the bytes are none of this kind, those of a later version than `version`, or not those that were
// written.
tn_result tni_saved_open(tni_stream *stream, const void *memory, uint64_t size, tni_saved_kind kind,
                         uint32_t version);

// Writes the size and the checksum of an object whose other bytes were put together: its header
// first, and room for the checksum last. Range: size >= TNI_SAVED_HEADER + TNI_SAVED_CRC.
void tni_saved_seal(void *memory, uint64_t size);

// Returns how many bytes the object that begins here says that it takes, more than `size` if its
// header does not end in these bytes; 0 if it is no object.
uint64_t tni_saved_get_size(const void *memory, uint64_t size);

#endif
