// world/recording/recording_patch.c: what turns one snapshot into another.
//
// A patch is a row of pieces: so many new bytes, then so many bytes copied from somewhere in the
// old snapshot. The copies are found as in rsync (A. Tridgell and P. Mackerras, "The rsync
// algorithm", 1996): a table has each block of the old bytes by its hash. So an object that came or
// went costs its own bytes, although all that stands behind it moves. Before a search the bytes are
// compared at the last distance, which is all that a number that was set needs. Test:
// tests/world/recording/test_recording.c
#include "world/recording/recording.h"

#define PATCH_BLOCK 16u

typedef struct patch {
    const unsigned char *from, *to;
    uint32_t from_size, to_size;
    const uint32_t *table; // by hash: 1 + the number of a block, or 0
    uint32_t bits;
} patch;

static uint32_t patch_hash(const unsigned char *bytes, uint32_t bits) {
    uint64_t halves[2];
    memcpy(halves, bytes, sizeof halves);
    uint64_t hash = halves[0] * 0x9e3779b97f4a7c15u ^ (halves[1] + 1) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)((hash * 0x94d049bb133111ebu) >> (64 - bits));
}

// Returns how many bytes are the same at these two places.
static uint32_t patch_match(const patch *p, uint64_t from, uint32_t to) {
    if (from >= p->from_size) {
        return 0;
    }
    uint32_t most = p->from_size - (uint32_t)from, count = 0;
    most = p->to_size - to < most ? p->to_size - to : most;
    while (count + 8 <= most && memcmp(p->from + from + count, p->to + to + count, 8) == 0) {
        count += 8;
    }
    while (count < most && p->from[from + count] == p->to[to + count]) {
        count += 1;
    }
    return count;
}

static bool patch_make_table(tni_allocator *allocator, patch *p, tni_recording_bytes *table) {
    uint32_t blocks = p->from_size / PATCH_BLOCK;
    p->bits = 4;
    while ((1u << p->bits) < blocks) {
        p->bits += 1;
    }
    uint64_t size = ((uint64_t)1 << p->bits) * sizeof(uint32_t);
    table->size = 0;
    if (!tni_recording_reserve(allocator, table, size)) {
        return false;
    }
    memset(table->bytes, 0, (size_t)size);
    uint32_t *entries = (uint32_t *)(void *)table->bytes; // as aligned as any block
    for (uint32_t block = blocks; block > 0; --block) {
        entries[patch_hash(p->from + (size_t)(block - 1) * PATCH_BLOCK, p->bits)] = block;
    }
    p->table = entries;
    return true;
}

// Finds old bytes like those at `at`. Returns how many are the same, 0 for too few.
static uint32_t patch_find(const patch *p, uint32_t at, uint64_t *from) {
    uint32_t count = patch_match(p, *from, at);
    if (count >= PATCH_BLOCK || at + PATCH_BLOCK > p->to_size) {
        return count >= PATCH_BLOCK ? count : 0;
    }
    uint32_t block = p->table[patch_hash(p->to + at, p->bits)];
    if (block == 0) {
        return 0;
    }
    uint64_t place = (uint64_t)(block - 1) * PATCH_BLOCK;
    count = patch_match(p, place, at);
    if (count < PATCH_BLOCK) {
        return 0;
    }
    *from = place;
    return count;
}

// Writes new bytes and a copy. Returns false if they have no room.
static bool patch_write_piece(tni_stream *out, uint64_t capacity, const unsigned char *bytes,
                              uint32_t count, uint32_t from, uint32_t copied) {
    if (out->at + 12 + count > capacity) {
        return false;
    }
    stream_u32(out, &count);
    stream_u32(out, &from);
    stream_u32(out, &copied);
    stream_u8s(out, (uint8_t *)bytes, count); // only read
    return true;
}

static bool patch_write(const patch *p, tni_stream *out, uint64_t capacity) {
    uint32_t first = 0, at = 0;
    uint64_t from = 0; // the old place that belongs to `at`
    while (at < p->to_size) {
        uint32_t copied = patch_find(p, at, &from);
        if (copied == 0) {
            at += 1;
            from += 1;
            if (at - first > capacity) {
                return false;
            }
            continue;
        }
        if (!patch_write_piece(out, capacity, p->to + first, at - first, (uint32_t)from, copied)) {
            return false;
        }
        at += copied;
        from += copied;
        first = at;
    }
    return first == at || patch_write_piece(out, capacity, p->to + first, at - first, 0, 0);
}

static uint64_t patch_get_states_size(const tni_recording_state *state) {
    return state->saved.size - TNI_SAVED_CRC - state->states_at;
}

static bool patch_has_same_states(const tni_recording_state *from, const tni_recording_state *to) {
    uint64_t size = patch_get_states_size(from);
    return size == patch_get_states_size(to) &&
           memcmp(from->saved.bytes + from->states_at, to->saved.bytes + to->states_at,
                  (size_t)size) == 0;
}

// In front of the pieces stand the lengths before and after, and the states of mechanisms if these
// changed.
bool tni_recording_make_patch(tni_allocator *allocator, const tni_recording_state *from,
                              const tni_recording_state *to, tni_recording_bytes *table,
                              tni_recording_bytes *out) {
    patch p = {.from = from->saved.bytes,
               .to = to->saved.bytes,
               .from_size = (uint32_t)from->states_at,
               .to_size = (uint32_t)to->states_at};
    uint64_t capacity = to->saved.size / 2, states_size = patch_get_states_size(to);
    bool has_states = !patch_has_same_states(from, to);
    out->size = 0;
    if ((has_states && states_size + 64 > capacity) || capacity < 64 ||
        !tni_recording_reserve(allocator, out, capacity) ||
        !patch_make_table(allocator, &p, table)) {
        return false;
    }
    tni_stream s = {.mode = TNI_STREAM_SAVES, .bytes = out->bytes};
    stream_u32(&s, &p.from_size);
    stream_u32(&s, &p.to_size);
    stream_bool(&s, &has_states);
    if (has_states) {
        stream_u64(&s, &states_size);
        stream_u8s(&s, to->saved.bytes + to->states_at, (size_t)states_size);
    }
    bool has_room = patch_write(&p, &s, capacity);
    out->size = (uint32_t)s.at;
    return has_room;
}

// Writes the pieces, or only checks them if there is nowhere to write. Returns false if they make
// no whole.
static bool patch_read_pieces(tni_stream *s, const tni_recording_state *from, unsigned char *to,
                              uint32_t to_size) {
    uint64_t at = 0;
    while (at < to_size) {
        uint32_t count = 0, place = 0, copied = 0;
        stream_u32(s, &count);
        stream_u32(s, &place);
        stream_u32(s, &copied);
        bool fits = at + count + copied <= to_size && count + copied > 0 &&
                    (uint64_t)place + copied <= from->states_at;
        if (!tni_stream_expect(s, fits && tni_stream_has(s, count, 1))) {
            return false;
        }
        if (to != NULL) {
            memcpy(to + at, s->bytes + s->at, count);
            memcpy(to + at + count, from->saved.bytes + place, copied);
        }
        s->at += count;
        at += (uint64_t)count + copied;
    }
    return tni_stream_is_done(s);
}

tn_result tni_recording_apply_patch(tni_allocator *allocator, const tni_recording_part *part,
                                    const tni_recording_state *from, tni_recording_bytes *out) {
    tni_stream s = {.mode = TNI_STREAM_LOADS, .size = part->payload_size};
    s.bytes = (unsigned char *)part->payload; // only read
    uint32_t from_size = 0, to_size = 0;
    bool has_states = false;
    stream_u32(&s, &from_size);
    stream_u32(&s, &to_size);
    stream_bool(&s, &has_states);
    uint64_t states_size = patch_get_states_size(from);
    const unsigned char *states = from->saved.bytes + from->states_at;
    if (has_states) {
        stream_u64(&s, &states_size);
        states = s.bytes + s.at;
        if (tni_stream_expect(&s, tni_stream_has(&s, states_size, 1))) {
            s.at += states_size;
        }
    }
    tni_stream pieces = s;
    if (s.is_damaged) {
        return TN_RESULT_DAMAGED_DATA;
    }
    if (from_size != from->states_at) {
        return TN_RESULT_DIVERGED;
    }
    if (to_size < TNI_SAVED_HEADER || !patch_read_pieces(&s, from, NULL, to_size)) {
        return TN_RESULT_DAMAGED_DATA;
    }
    uint64_t size = to_size + states_size + TNI_SAVED_CRC;
    out->size = 0;
    if (!tni_recording_reserve(allocator, out, size)) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    patch_read_pieces(&pieces, from, out->bytes, to_size);
    memcpy(out->bytes + to_size, states, (size_t)states_size);
    out->size = (uint32_t)size;
    tni_saved_seal(out->bytes, size);
    return TN_RESULT_OK;
}
