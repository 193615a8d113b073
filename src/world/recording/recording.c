// world/recording/recording.c: writes what a world's steps begin from and what they make of it.
// Test: tests/world/recording/test_recording.c
#include "world/recording/recording.h"

#define RECORDING_KEY_INTERVAL 300u
#define RECORDING_MOST_NOTE    65535u

typedef struct tni_recording {
    tn_record_def def; // without the note
    uint64_t step;     // how many were recorded
    uint32_t since_key;
    bool needs_key; // the state before is unknown, or a key frame is due
    tni_recording_state before, now;
    tni_recording_motions motions; // before the step
    tni_recording_bytes table, payload, part;
} tni_recording;

tn_record_def tn_record_def_default(void) {
    return (tn_record_def){.key_interval = RECORDING_KEY_INTERVAL, .has_motions = true};
}

// Writes a part. Returns OUT_OF_MEMORY or CANCELLED if it cannot be.
static tn_result recording_write(tn_world *world, tni_recording *recording,
                                 const tni_recording_part *part) {
    uint64_t size = tni_recording_part_write(part, NULL, 0);
    recording->part.size = 0;
    if (!tni_recording_reserve(&world->allocator, &recording->part, size)) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    tni_recording_part_write(part, recording->part.bytes, size);
    tni_world_begin_callback(world);
    bool is_taken = recording->def.write(recording->part.bytes, size, recording->def.user_data);
    tni_world_end_callback(world);
    return is_taken ? TN_RESULT_OK : TN_RESULT_CANCELLED;
}

static void recording_free(tn_world *world) {
    tni_recording *recording = world->recording;
    tni_allocator *allocator = &world->allocator;
    tni_recording_free(allocator, &recording->before.saved);
    tni_recording_free(allocator, &recording->now.saved);
    tni_recording_free(allocator, &recording->table);
    tni_recording_free(allocator, &recording->payload);
    tni_recording_free(allocator, &recording->part);
    tni_free(allocator, recording->motions.items,
             recording->motions.capacity * sizeof *recording->motions.items);
    tni_free(allocator, recording, sizeof *recording);
    world->recording = NULL;
}

// ---- a step -------------------------------------------------------------------------------------

// Chooses how the state before a step is written.
static tni_recording_form recording_choose_form(tn_world *world, tni_recording *recording) {
    const tni_recording_bytes *before = &recording->before.saved, *now = &recording->now.saved;
    if (recording->needs_key || recording->since_key >= recording->def.key_interval) {
        return TNI_RECORDING_KEY;
    }
    if (before->size == now->size && memcmp(before->bytes, now->bytes, now->size) == 0) {
        return TNI_RECORDING_SAME;
    }
    bool is_short = tni_recording_make_patch(&world->allocator, &recording->before, &recording->now,
                                             &recording->table, &recording->payload);
    return is_short ? TNI_RECORDING_PATCH : TNI_RECORDING_KEY;
}

static tn_result recording_begin_step(tn_world *world, double dt, uint32_t substeps) {
    tni_recording *recording = world->recording;
    if (!tni_recording_save(world, &recording->now) ||
        (recording->def.has_motions && !tni_recording_gather(world, &recording->motions))) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    tni_recording_form form = recording_choose_form(world, recording);
    const tni_recording_bytes *payload =
        form == TNI_RECORDING_KEY ? &recording->now.saved : &recording->payload;
    tni_recording_part part = {.kind = TNI_RECORDING_STEP,
                               .step = recording->step,
                               .dt = dt,
                               .substeps = substeps,
                               .callbacks =
                                   (world->filter != NULL ? TNI_RECORDING_HAS_FILTER : 0) |
                                   (world->pre_solve != NULL ? TNI_RECORDING_HAS_PRE_SOLVE : 0),
                               .form = form,
                               .payload = payload->bytes,
                               .payload_size = form == TNI_RECORDING_SAME ? 0 : payload->size};
    recording->since_key = form == TNI_RECORDING_KEY ? 1 : recording->since_key + 1;
    recording->needs_key = false;
    return recording_write(world, recording, &part);
}

static tn_result recording_end_step(tn_world *world, tn_result stepped) {
    tni_recording *recording = world->recording;
    tni_recording_part part = {.kind = TNI_RECORDING_VOID, .step = recording->step};
    if (stepped != TN_RESULT_OK) {
        recording->needs_key = true;
        return recording_write(world, recording, &part);
    }
    if (!tni_recording_save(world, &recording->before) ||
        (recording->def.has_motions &&
         !tni_recording_write_motions(world, &recording->motions, &recording->payload))) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    part.kind = TNI_RECORDING_RESULT;
    part.hash = tn_world_get_hash(world);
    part.has_motions = recording->def.has_motions;
    part.payload = recording->payload.bytes;
    part.payload_size = part.has_motions ? recording->payload.size : 0;
    recording->step += 1;
    return recording_write(world, recording, &part);
}

// Ends a recording that cannot go on. The step is not concerned.
static void recording_give_up(tn_world *world, tn_result result) {
    recording_free(world);
    tni_world_report(world, result, "tn_world_step",
                     result == TN_RESULT_CANCELLED
                         ? "The recording ended: its bytes were not taken."
                         : "The recording ended: there is no memory for it.",
                     0);
}

static tn_result recording_step(tn_world *world, double dt, uint32_t substeps) {
    if (world->recording == NULL || tni_world_is_locked(world)) {
        return tni_world_step(world, dt, substeps);
    }
    tn_result written = recording_begin_step(world, dt, substeps);
    tn_result stepped = tni_world_step(world, dt, substeps);
    if (written == TN_RESULT_OK) {
        written = recording_end_step(world, stepped);
    }
    if (written != TN_RESULT_OK) {
        recording_give_up(world, written);
    }
    return stepped;
}

// ---- beginning and end --------------------------------------------------------------------------

static tn_result recording_stop(tn_world *world) {
    if (world->recording == NULL) {
        return TN_RESULT_OK;
    }
    tni_recording_part part = {.kind = TNI_RECORDING_STOP, .step = world->recording->step};
    tn_result result = recording_write(world, world->recording, &part);
    recording_free(world);
    return result;
}

static void recording_drop(tn_world *world) {
    recording_stop(world);
}

static const tni_recording_feature recording_feature = {.step = recording_step,
                                                        .drop = recording_drop};

static tn_result recording_start(tn_world *world, const tn_record_def *def) {
    size_t note_size = def->note != NULL ? strlen(def->note) : 0;
    recording_stop(world); // what cannot be written of the one before is its own loss
    tni_recording *recording = tni_alloc_zeroed(&world->allocator, sizeof *recording);
    if (recording == NULL) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    recording->def = *def;
    recording->def.note = NULL;
    recording->needs_key = true;
    world->recording = recording;
    world->features.recording = &recording_feature;
    tni_recording_part part = {.kind = TNI_RECORDING_START,
                               .library = TN_VERSION_NUMBER,
                               .payload = (const unsigned char *)(note_size > 0 ? def->note : ""),
                               .payload_size = note_size + 1};
    tn_result result = recording_write(world, recording, &part);
    if (result != TN_RESULT_OK) {
        recording_free(world);
    }
    return result;
}

tn_result tn_record_start(tn_world *world, const tn_record_def *def) {
    if (tni_world_refuses(world, __func__)) {
        return tni_world_end_change(world);
    }
    if (def == NULL || def->write == NULL || def->key_interval == 0) {
        return tni_world_report(
            world, TN_RESULT_INVALID_ARGUMENT, __func__,
            "A recording needs a function that takes its bytes, and an interval "
            "of at least one step.",
            0);
    }
    if (def->note != NULL && strlen(def->note) > RECORDING_MOST_NOTE) {
        return tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, __func__,
                                "A note has at most 65535 bytes.", 0);
    }
    return tni_recording_tell(world, recording_start(world, def), __func__);
}

tn_result tn_record_stop(tn_world *world) {
    if (tni_world_refuses(world, __func__)) {
        return tni_world_end_change(world);
    }
    return tni_recording_tell(world, recording_stop(world), __func__);
}

bool tn_record_is_active(const tn_world *world) {
    return world != NULL && world->recording != NULL;
}
