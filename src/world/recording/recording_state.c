// world/recording/recording_state.c: a world's snapshot in memory that grows, how its bodies move,
// and reports.
// Test: tests/world/recording/test_recording.c
#include "world/recording/recording.h"

#include "core/same.h"
#include "world/snapshot/snapshot.h"

tn_result tni_recording_tell(const tn_world *world, tn_result result, const char *function) {
    tni_check check = {result, tn_result_text(result)};
    (void)tni_world_accepts(world, check, function, 0);
    return result;
}

bool tni_recording_reserve(tni_allocator *allocator, tni_recording_bytes *bytes, uint64_t needed) {
    if (needed > UINT32_MAX) {
        return false;
    }
    if (needed <= bytes->capacity) {
        return true;
    }
    void *grown =
        tni_array_grow(allocator, bytes->bytes, bytes->size, &bytes->capacity, (uint32_t)needed, 1);
    bytes->bytes = grown != NULL ? grown : bytes->bytes;
    return grown != NULL;
}

void tni_recording_free(tni_allocator *allocator, tni_recording_bytes *bytes) {
    tni_free(allocator, bytes->bytes, bytes->capacity);
    *bytes = (tni_recording_bytes){.bytes = NULL};
}

bool tni_recording_save(tn_world *world, tni_recording_state *state) {
    tni_recording_bytes *saved = &state->saved;
    uint64_t size = 0;
    saved->size = 0;
    for (int i = 0; i < 2; ++i) { // the second time with enough room
        size = tni_snapshot_save(world, saved->bytes, saved->capacity, &state->states_at);
        if (size <= saved->capacity) {
            saved->size = (uint32_t)size;
            return true;
        }
        if (i > 0 || !tni_recording_reserve(&world->allocator, saved, size + size / 8)) {
            return false;
        }
    }
    return false;
}

// ---- motions ------------------------------------------------------------------------------------

// The size of a body in a recording: its handle, which numbers changed, and these.
#define STATE_MOST_BYTES (4 + 2 + 8 * TNI_RECORDING_NUMBERS)

static tni_recording_motion state_get_motion(const tn_world *world, uint32_t index) {
    tni_recording_motion motion = {.handle = tni_pool_handle(&world->body_pool, index)};
    if (motion.handle == 0) {
        return motion;
    }
    const tni_body *body = tni_body_at(world, index);
    const tni_dvec3 *vectors[] = {&body->position, &body->velocity, &body->angular_velocity};
    static const int places[] = {0, 7, 10};
    for (int i = 0; i < 3; ++i) {
        double *numbers = &motion.numbers[places[i]];
        numbers[0] = vectors[i]->x;
        numbers[1] = vectors[i]->y;
        numbers[2] = vectors[i]->z;
    }
    motion.numbers[3] = body->rotation.x;
    motion.numbers[4] = body->rotation.y;
    motion.numbers[5] = body->rotation.z;
    motion.numbers[6] = body->rotation.w;
    return motion;
}

bool tni_recording_gather(tn_world *world, tni_recording_motions *motions) {
    uint32_t count = world->body_pool.slot_count;
    if (count > motions->capacity) {
        void *grown = tni_array_grow(&world->allocator, motions->items, 0, &motions->capacity,
                                     count, sizeof *motions->items);
        if (grown == NULL) {
            return false;
        }
        motions->items = grown;
    }
    motions->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        motions->items[i] = state_get_motion(world, i);
    }
    return true;
}

// Returns a bit for each number that differs, by its bits.
static uint16_t state_find_changes(const tni_recording_motion *p, const tni_recording_motion *q) {
    uint16_t changes = 0;
    for (int k = 0; k < TNI_RECORDING_NUMBERS; ++k) {
        bool is_same = tni_is_same(&p->numbers[k], &q->numbers[k], sizeof(double));
        changes = (uint16_t)(changes | (is_same ? 0u : 1u << k));
    }
    return changes;
}

static void state_visit_motion(tni_stream *s, uint32_t *handle, uint16_t *changes,
                               double numbers[TNI_RECORDING_NUMBERS]) {
    stream_u32(s, handle);
    stream_u16(s, changes);
    for (int k = 0; k < TNI_RECORDING_NUMBERS; ++k) {
        if ((*changes >> k & 1) != 0) {
            stream_f64(s, &numbers[k]);
        }
    }
}

bool tni_recording_write_motions(tn_world *world, const tni_recording_motions *before,
                                 tni_recording_bytes *out) {
    out->size = 0;
    if (!tni_recording_reserve(&world->allocator, out,
                               (uint64_t)before->count * STATE_MOST_BYTES)) {
        return false;
    }
    tni_stream s = {.mode = TNI_STREAM_SAVES, .bytes = out->bytes};
    for (uint32_t i = 0; i < before->count; ++i) {
        tni_recording_motion now = state_get_motion(world, i);
        uint16_t changes = state_find_changes(&before->items[i], &now);
        if (changes != 0) {
            state_visit_motion(&s, &now.handle, &changes, now.numbers);
        }
    }
    out->size = (uint32_t)s.at;
    return true;
}

bool tni_recording_read_motions(const tni_recording_part *part, tni_recording_motions *motions) {
    tni_stream s = {.mode = TNI_STREAM_LOADS, .size = part->payload_size};
    s.bytes = (unsigned char *)part->payload; // only read
    while (s.at < s.size && !s.is_damaged) {
        uint32_t handle = 0;
        uint16_t changes = 0;
        double passed[TNI_RECORDING_NUMBERS];
        tni_stream ahead = s;
        stream_u32(&ahead, &handle);
        uint32_t index = handle & TNI_POOL_INDEX_MASK;
        bool is_there = index < motions->count && motions->items[index].handle == handle;
        state_visit_motion(&s, &handle, &changes,
                           is_there ? motions->items[index].numbers : passed);
    }
    return !s.is_damaged;
}

void tni_recording_compare(tn_world *world, const tni_recording_motions *expected,
                           tn_divergence *divergence) {
    static const tn_divergence_member members[TNI_RECORDING_NUMBERS] = {
        TN_DIVERGENCE_MEMBER_POSITION,         TN_DIVERGENCE_MEMBER_POSITION,
        TN_DIVERGENCE_MEMBER_POSITION,         TN_DIVERGENCE_MEMBER_ROTATION,
        TN_DIVERGENCE_MEMBER_ROTATION,         TN_DIVERGENCE_MEMBER_ROTATION,
        TN_DIVERGENCE_MEMBER_ROTATION,         TN_DIVERGENCE_MEMBER_VELOCITY,
        TN_DIVERGENCE_MEMBER_VELOCITY,         TN_DIVERGENCE_MEMBER_VELOCITY,
        TN_DIVERGENCE_MEMBER_ANGULAR_VELOCITY, TN_DIVERGENCE_MEMBER_ANGULAR_VELOCITY,
        TN_DIVERGENCE_MEMBER_ANGULAR_VELOCITY,
    };
    static const uint32_t axes[TNI_RECORDING_NUMBERS] = {0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 0, 1, 2};
    for (uint32_t i = 0; i < expected->count; ++i) {
        tni_recording_motion now = state_get_motion(world, i);
        uint16_t changes = state_find_changes(&expected->items[i], &now);
        for (int k = 0; k < TNI_RECORDING_NUMBERS; ++k) {
            if ((changes >> k & 1) != 0) {
                divergence->body.value = now.handle;
                divergence->member = members[k];
                divergence->axis = axes[k];
                divergence->recorded = expected->items[i].numbers[k];
                divergence->replayed = now.numbers[k];
                return;
            }
        }
    }
}
