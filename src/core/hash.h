// core/hash.h: a hash of bytes for state hashes, and a map from 64-bit keys to 32-bit values.
#ifndef TNI_CORE_HASH_H
#define TNI_CORE_HASH_H

#include "core/memory/alloc.h"

#define TNI_HASH_SEED 0xcbf29ce484222325ull

// Hashes bytes by FNV-1a. The first call starts from TNI_HASH_SEED, and later ones from the result.
uint64_t tni_hash_bytes(uint64_t hash, const void *bytes, size_t count);

// A map uses open addressing, linear probing, and deletion by backward shift (no tombstones). Key 0
// is reserved.
typedef struct tni_map {
    tni_allocator *allocator;
    uint64_t *keys;
    uint32_t *values;
    uint32_t capacity; // a power of two, or 0
    uint32_t count;
} tni_map;

void tni_map_init(tni_map *map, tni_allocator *allocator);
void tni_map_destroy(tni_map *map);
// Makes room for `count` keys in all; returns false when memory cannot be had (nothing changed).
bool tni_map_reserve(tni_map *map, uint32_t count);
// Sets a key's value, and overwrites an existing one. Returns false when memory cannot be had.
bool tni_map_set(tni_map *map, uint64_t key, uint32_t value);
// Returns the value, or TNI_NONE when the key is absent.
uint32_t tni_map_get(const tni_map *map, uint64_t key);
bool tni_map_has(const tni_map *map, uint64_t key);
// Returns the first slot at which a key is looked for, so that a caller that will look for it soon
// can fetch it.
const void *tni_map_get_home(const tni_map *map, uint64_t key);
void tni_map_remove(tni_map *map, uint64_t key);
// Removes all keys, and keeps the memory.
void tni_map_clear(tni_map *map);

#endif
