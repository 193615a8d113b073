// world/recording/replay.c: runs a recording again, and says where it goes another way.
//
// A step's changes are loaded as a snapshot, as a key frame is. So what tn_world_load can make, a
// replay can. The hash after each step is compared with the recorded one; if they differ, the
// recorded motions say which body differs first.
// Test: tests/world/recording/test_replay.c
#include "world/recording/replay.h"

#include "tenon/snapshot.h"
#include "world/snapshot/snapshot.h"

typedef struct tni_replay {
    const unsigned char *bytes; // the caller's
    uint64_t size;
    tni_replay_step *steps;
    uint32_t step_count, step_capacity;
    uint32_t at;      // how many steps were replayed
    bool has_changes; // those before the next step were made
    tni_recording_state own;
    tni_recording_bytes changed;
    tni_recording_motions motions; // before a step, then as recorded after it
    tn_divergence divergence;
} tni_replay;

static void replay_free(tn_world *world, tni_replay *replay) {
    tni_allocator *allocator = &world->allocator;
    tni_free(allocator, replay->steps, replay->step_capacity * sizeof *replay->steps);
    tni_recording_free(allocator, &replay->own.saved);
    tni_recording_free(allocator, &replay->changed);
    tni_free(allocator, replay->motions.items,
             replay->motions.capacity * sizeof *replay->motions.items);
    tni_free(allocator, replay, sizeof *replay);
}

static void replay_drop(tn_world *world) {
    if (world->replay != NULL) {
        replay_free(world, world->replay);
        world->replay = NULL;
    }
}

// Reads a part that was read before.
static tni_recording_part replay_get_part(const tni_replay *replay, uint64_t at) {
    tni_recording_part part = {.step = 0};
    tn_result result;
    tni_recording_part_read(&part, replay->bytes + at, replay->size - at, &result);
    return part;
}

static tni_recording_part replay_get_step(const tni_replay *replay, uint32_t step) {
    return replay_get_part(replay, replay->steps[step].step_at);
}

// ---- a step -------------------------------------------------------------------------------------

static void replay_note_change(tni_replay *replay) {
    if (!replay->divergence.has_diverged) {
        replay->divergence =
            (tn_divergence){.has_diverged = true, .lacks_change = true, .step = replay->at};
    }
}

// Makes the changes that were made before a step.
static tn_result replay_change(tn_world *world, const tni_recording_part *part) {
    tni_replay *replay = world->replay;
    switch (part->form) {
    case TNI_RECORDING_KEY:
        return tn_world_load(world, part->payload, part->payload_size);
    case TNI_RECORDING_PATCH:
        break;
    default:
        return TN_RESULT_OK;
    }
    if (!tni_recording_save(world, &replay->own)) {
        return tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, "tn_replay_step",
                                "There is no memory for the changes before a step.", 0);
    }
    tn_result result =
        tni_recording_apply_patch(&world->allocator, part, &replay->own, &replay->changed);
    if (result == TN_RESULT_DIVERGED) {
        replay_note_change(replay);
    }
    return result == TN_RESULT_OK
               ? tn_world_load(world, replay->changed.bytes, replay->changed.size)
               : tni_recording_tell(world, result, "tn_replay_step");
}

static bool replay_lacks_callback(const tn_world *world, const tni_recording_part *step) {
    return ((step->callbacks & TNI_RECORDING_HAS_FILTER) != 0 && world->filter == NULL) ||
           ((step->callbacks & TNI_RECORDING_HAS_PRE_SOLVE) != 0 && world->pre_solve == NULL);
}

// Compares the world with what the step left when it was recorded.
static tn_result replay_compare(tn_world *world, const tni_recording_part *step,
                                const tni_recording_part *left) {
    tni_replay *replay = world->replay;
    uint64_t hash = tn_world_get_hash(world);
    if (hash == left->hash) {
        return TN_RESULT_OK;
    }
    if (!replay->divergence.has_diverged) {
        tn_divergence divergence = {.has_diverged = true,
                                    .lacks_callback = replay_lacks_callback(world, step),
                                    .step = replay->at,
                                    .recorded_hash = left->hash,
                                    .replayed_hash = hash};
        if (left->has_motions && tni_recording_read_motions(left, &replay->motions)) {
            tni_recording_compare(world, &replay->motions, &divergence);
        }
        replay->divergence = divergence;
    }
    return tni_world_report(world, TN_RESULT_DIVERGED, "tn_replay_step",
                            tn_result_text(TN_RESULT_DIVERGED), replay->divergence.body.value);
}

static tn_result replay_step(tn_world *world) {
    tni_replay *replay = world->replay;
    const tni_replay_step *place = &replay->steps[replay->at];
    tni_recording_part step = replay_get_part(replay, place->step_at);
    tn_result result = replay->has_changes ? TN_RESULT_OK : replay_change(world, &step);
    if (result != TN_RESULT_OK) {
        return result;
    }
    replay->has_changes = true;
    if (!tni_recording_gather(world, &replay->motions)) {
        return tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, "tn_replay_step",
                                "There is no memory to compare bodies.", 0);
    }
    result = tn_world_step(world, step.dt, step.substeps);
    if (result == TN_RESULT_OK && place->result_at != 0) {
        tni_recording_part left = replay_get_part(replay, place->result_at);
        result = replay_compare(world, &step, &left);
    }
    if (result == TN_RESULT_OK || result == TN_RESULT_DIVERGED) {
        replay->at += 1;
        replay->has_changes = false;
    }
    return result;
}

// Returns whether a call for a replay may go on; otherwise it has been reported.
static bool replay_is_ready(tn_world *world, const char *function) {
    if (tni_world_refuses(world, function)) {
        return false;
    }
    if (world->replay == NULL) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function, "The world replays nothing.",
                         0);
    }
    return world->replay != NULL;
}

tn_result tn_replay_step(tn_world *world) {
    if (!replay_is_ready(world, __func__)) {
        return tni_world_end_change(world);
    }
    if (world->replay->at >= world->replay->step_count) {
        return tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, __func__,
                                "The recording has no more steps.", 0);
    }
    return replay_step(world);
}

// ---- seeking ------------------------------------------------------------------------------------

// A key frame has the changes before its step already. So the state after a step is that of a
// replay from an earlier key frame.
static tn_result replay_seek(tn_world *world, uint32_t step) {
    tni_replay *replay = world->replay;
    uint32_t key = step > 0 ? step - 1 : 0;
    while (key > 0 && !replay->steps[key].is_key) {
        key -= 1;
    }
    tni_recording_part first = replay_get_step(replay, key);
    tn_result result = replay_change(world, &first);
    if (result != TN_RESULT_OK) {
        return result;
    }
    replay->at = key;
    replay->has_changes = true;
    replay->divergence = (tn_divergence){.has_diverged = false};
    while (replay->at < step && result == TN_RESULT_OK) {
        result = replay_step(world);
    }
    return result;
}

tn_result tn_replay_seek(tn_world *world, uint64_t step) {
    if (!replay_is_ready(world, __func__)) {
        return tni_world_end_change(world);
    }
    if (step > world->replay->step_count) {
        return tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, __func__,
                                "The recording has fewer steps.", 0);
    }
    return world->replay->step_count > 0 ? replay_seek(world, (uint32_t)step) : TN_RESULT_OK;
}

// ---- beginning and end --------------------------------------------------------------------------

typedef struct replay_index {
    tn_world *world;
    tni_replay *replay;
} replay_index;

static bool replay_add_step(const tni_replay_step *step, void *context) {
    const replay_index *index = context;
    tni_replay *replay = index->replay;
    tni_replay_step *steps =
        tni_array_grow(&index->world->allocator, replay->steps, replay->step_count,
                       &replay->step_capacity, replay->step_count + 1, sizeof *steps);
    if (steps == NULL) {
        return false;
    }
    replay->steps = steps;
    replay->steps[replay->step_count++] = *step;
    return true;
}

// Loads the first key frame.
static tn_result replay_begin(tn_world *world, tni_replay *replay) {
    if (replay->step_count == 0) {
        return TN_RESULT_OK;
    }
    tni_recording_part first = replay_get_step(replay, 0);
    return tn_world_load(world, first.payload, first.payload_size);
}

// Returns a replay, or null with a report.
static tni_replay *replay_create(tn_world *world, const void *bytes, uint64_t size) {
    tni_replay *replay = tni_alloc_zeroed(&world->allocator, sizeof *replay);
    replay_index index = {.world = world, .replay = replay};
    tn_recording_info info;
    tn_result result = TN_RESULT_OUT_OF_MEMORY;
    if (replay != NULL) {
        replay->bytes = bytes;
        replay->size = size;
        result = tni_replay_read(bytes, size, &info, replay_add_step, &index);
        result = result == TN_RESULT_CANCELLED ? TN_RESULT_OUT_OF_MEMORY : result;
    }
    if (tni_recording_tell(world, result, "tn_replay_start") != TN_RESULT_OK && replay != NULL) {
        replay_free(world, replay);
        replay = NULL;
    }
    return replay;
}

tn_result tn_replay_start(tn_world *world, const void *bytes, uint64_t size) {
    if (tni_world_refuses(world, __func__)) {
        return tni_world_end_change(world);
    }
    replay_drop(world);
    tni_replay *replay = replay_create(world, bytes, size);
    if (replay == NULL) {
        return tni_world_end_change(world);
    }
    tn_result result = replay_begin(world, replay);
    if (result != TN_RESULT_OK) {
        replay_free(world, replay);
        return result;
    }
    world->replay = replay;
    world->features.drop_replay = replay_drop;
    return TN_RESULT_OK;
}

tn_result tn_replay_stop(tn_world *world) {
    if (!tni_world_refuses(world, __func__)) {
        replay_drop(world);
    }
    return tni_world_end_change(world);
}

uint64_t tn_replay_count_steps(const tn_world *world) {
    return world != NULL && world->replay != NULL ? world->replay->step_count : 0;
}

uint64_t tn_replay_get_step(const tn_world *world) {
    return world != NULL && world->replay != NULL ? world->replay->at : 0;
}

tn_divergence tn_replay_get_divergence(const tn_world *world) {
    return world != NULL && world->replay != NULL ? world->replay->divergence
                                                  : (tn_divergence){.has_diverged = false};
}
