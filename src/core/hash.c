// core/hash.c: a hash of bytes for state hashes, and a map from 64-bit keys to 32-bit values.
//
// The map is open addressing with linear probing, at most three quarters full. A removed key is
// filled by moving later keys of the same run back, so that there are no tombstones and a map that
// lives for hours of pairs coming and going stays as fast as a new one. No caller walks the map:
// its order depends on history, and nothing in a step may depend on that.
// Sources: Fowler, Noll and Vo, FNV-1a; Knuth, The Art of Computer Programming 3, 6.4, algorithm R;
// the mixer is the finalizer of Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators" (2014), with the constants of Stafford's variant 13.
// Test: tests/core/test_hash.c
#include "core/hash.h"

#include <string.h>

#define HASH_FNV_PRIME     0x100000001b3ull
#define MAP_FIRST_CAPACITY 16u
#define MAP_MAX_CAPACITY   (1u << 31)

uint64_t tni_hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < count; ++i) {
        hash = (hash ^ byte[i]) * HASH_FNV_PRIME;
    }
    return hash;
}

// Mixes a key. Keys are packed indices, alike in their high bits: every bit must reach the low
// ones.
static uint64_t map_mix(uint64_t key) {
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9ull;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebull;
    return key ^ (key >> 31);
}

static uint32_t map_home(const tni_map *map, uint64_t key) {
    return (uint32_t)map_mix(key) & (map->capacity - 1);
}

static uint32_t map_next(const tni_map *map, uint32_t slot) {
    return (slot + 1) & (map->capacity - 1);
}

static uint32_t map_limit(uint32_t capacity) {
    return capacity - capacity / 4;
}

// Returns the slot that holds the key, or the empty slot where it would go. The map must have a
// free slot.
static uint32_t map_probe(const tni_map *map, uint64_t key) {
    uint32_t slot = map_home(map, key);
    while (map->keys[slot] != 0 && map->keys[slot] != key) {
        slot = map_next(map, slot);
    }
    return slot;
}

void tni_map_init(tni_map *map, tni_allocator *allocator) {
    memset(map, 0, sizeof *map);
    map->allocator = allocator;
}

void tni_map_clear(tni_map *map) {
    if (map->count > 0) {
        memset(map->keys, 0, map->capacity * sizeof *map->keys);
    }
    map->count = 0;
}

static void map_free_arrays(tni_map *map) {
    tni_free(map->allocator, map->keys, map->capacity * sizeof *map->keys);
    tni_free(map->allocator, map->values, map->capacity * sizeof *map->values);
}

void tni_map_destroy(tni_map *map) {
    map_free_arrays(map);
    tni_map_init(map, map->allocator);
}

static bool map_alloc_arrays(tni_map *map, uint32_t capacity) {
    uint64_t *keys = tni_alloc_zeroed(map->allocator, capacity * sizeof *keys);
    uint32_t *values = tni_alloc(map->allocator, capacity * sizeof *values);
    if (!keys || !values) {
        tni_free(map->allocator, keys, capacity * sizeof *keys);
        tni_free(map->allocator, values, capacity * sizeof *values);
        return false;
    }
    map->keys = keys;
    map->values = values;
    map->capacity = capacity;
    return true;
}

static bool map_rehash(tni_map *map, uint32_t capacity) {
    tni_map old = *map;
    if (!map_alloc_arrays(map, capacity)) {
        return false;
    }
    for (uint32_t i = 0; i < old.capacity; ++i) {
        if (old.keys[i] != 0) {
            uint32_t slot = map_probe(map, old.keys[i]);
            map->keys[slot] = old.keys[i];
            map->values[slot] = old.values[i];
        }
    }
    // Only the arrays of the old copy are freed; the counts live in the allocator both share.
    map_free_arrays(&old);
    return true;
}

bool tni_map_reserve(tni_map *map, uint32_t count) {
    uint32_t capacity = map->capacity > 0 ? map->capacity : MAP_FIRST_CAPACITY;
    while (map_limit(capacity) < count) {
        if (capacity == MAP_MAX_CAPACITY) {
            return false;
        }
        capacity *= 2;
    }
    return capacity == map->capacity || map_rehash(map, capacity);
}

bool tni_map_set(tni_map *map, uint64_t key, uint32_t value) {
    TN_ASSERT(key != 0);
    bool is_full = map->count == map_limit(map->capacity);
    if (is_full && tni_map_get(map, key) == TNI_NONE && !tni_map_reserve(map, map->count + 1)) {
        return false;
    }
    uint32_t slot = map_probe(map, key);
    if (map->keys[slot] == 0) {
        map->keys[slot] = key;
        map->count += 1;
    }
    map->values[slot] = value;
    return true;
}

uint32_t tni_map_get(const tni_map *map, uint64_t key) {
    if (map->count == 0 || key == 0) {
        return TNI_NONE;
    }
    uint32_t slot = map_probe(map, key);
    return map->keys[slot] == key ? map->values[slot] : TNI_NONE;
}

bool tni_map_has(const tni_map *map, uint64_t key) {
    return map->count > 0 && key != 0 && map->keys[map_probe(map, key)] == key;
}

const void *tni_map_get_home(const tni_map *map, uint64_t key) {
    return map->capacity > 0 ? (const void *)&map->keys[map_home(map, key)] : map;
}

// Returns whether a key whose home is `home` and which sits at `slot` may move back to the hole:
// its probe, which starts at home, must pass the hole. Distances are taken around the ring.
static bool map_may_fill(const tni_map *map, uint32_t home, uint32_t slot, uint32_t hole) {
    uint32_t mask = map->capacity - 1;
    return ((slot - home) & mask) >= ((slot - hole) & mask);
}

void tni_map_remove(tni_map *map, uint64_t key) {
    if (map->count == 0 || key == 0) {
        return;
    }
    uint32_t hole = map_probe(map, key);
    if (map->keys[hole] == 0) {
        return;
    }
    uint32_t slot = map_next(map, hole);
    while (map->keys[slot] != 0) {
        if (map_may_fill(map, map_home(map, map->keys[slot]), slot, hole)) {
            map->keys[hole] = map->keys[slot];
            map->values[hole] = map->values[slot];
            hole = slot;
        }
        slot = map_next(map, slot);
    }
    map->keys[hole] = 0;
    map->count -= 1;
}
