// world/recording/replay_read.c: reads and checks a recording: its parts, and their order.
// Test: tests/world/recording/test_replay.c
#include "world/recording/replay.h"

typedef struct replay_reader {
    const unsigned char *bytes;
    uint64_t size, at;
    tni_recording_part part; // the last that was read
    bool needs_key;          // the next step has to be a key frame
    tni_replay_step step;    // the last one, until it is told
    bool has_step;
    tn_recording_info info;
} replay_reader;

// A recording that was ended ends in its last part. If it does, a part before it that seems to be
// longer than the rest is damaged, and not cut.
static bool reader_has_stop(const replay_reader *reader) {
    const tni_recording_part stop = {.kind = TNI_RECORDING_STOP};
    uint64_t size = tni_recording_part_write(&stop, NULL, 0);
    tni_recording_part part;
    tn_result result;
    return reader->size >= size &&
           tni_recording_part_read(&part, reader->bytes + reader->size - size, size, &result) > 0 &&
           part.kind == TNI_RECORDING_STOP;
}

// Reads the next part. Returns CANCELLED at the end of the bytes.
static tn_result reader_read(replay_reader *reader) {
    tn_result result;
    uint64_t size = tni_recording_part_read(&reader->part, reader->bytes + reader->at,
                                            reader->size - reader->at, &result);
    if (result == TN_RESULT_CANCELLED && reader_has_stop(reader)) {
        return TN_RESULT_DAMAGED_DATA;
    }
    if (result == TN_RESULT_FOREIGN_DATA && reader->at > 0) {
        return TN_RESULT_DAMAGED_DATA;
    }
    reader->at += size;
    return result;
}

static bool reader_tell(replay_reader *reader, tni_replay_step_fn visit, void *context) {
    bool has_step = reader->has_step;
    reader->has_step = false;
    if (!has_step) {
        return true;
    }
    reader->info.step_count += 1;
    reader->info.key_count += reader->step.is_key ? 1 : 0;
    return visit == NULL || visit(&reader->step, context);
}

// Takes note of a part. Returns false if it may not stand here.
static bool reader_take(replay_reader *reader, uint64_t part_at) {
    const tni_recording_part *part = &reader->part;
    bool has_step = reader->has_step, is_next = part->step == reader->info.step_count;
    switch (part->kind) {
    case TNI_RECORDING_STEP:
        reader->step =
            (tni_replay_step){.step_at = part_at, .is_key = part->form == TNI_RECORDING_KEY};
        reader->has_step = true;
        reader->info.has_filter |= (part->callbacks & TNI_RECORDING_HAS_FILTER) != 0;
        reader->info.has_pre_solve |= (part->callbacks & TNI_RECORDING_HAS_PRE_SOLVE) != 0;
        if (reader->needs_key && part->form != TNI_RECORDING_KEY) {
            return false;
        }
        reader->needs_key = false;
        return !has_step && is_next;
    case TNI_RECORDING_RESULT:
        reader->step.result_at = part_at;
        return has_step && is_next;
    case TNI_RECORDING_VOID:
        reader->has_step = false;
        reader->needs_key = true;
        return has_step && is_next;
    case TNI_RECORDING_STOP:
        reader->info.is_cut = false;
        return !has_step && is_next && reader->at == reader->size;
    default:
        return false;
    }
}

static tn_result reader_read_steps(replay_reader *reader, tni_replay_step_fn visit, void *context) {
    reader->needs_key = reader->info.is_cut = true;
    while (reader->at < reader->size) {
        uint64_t part_at = reader->at;
        tn_result result = reader_read(reader);
        if (result == TN_RESULT_CANCELLED) {
            break;
        }
        if (result != TN_RESULT_OK) {
            return result;
        }
        if (!reader_take(reader, part_at)) {
            return TN_RESULT_DAMAGED_DATA;
        }
        if (reader->part.kind == TNI_RECORDING_RESULT && !reader_tell(reader, visit, context)) {
            return TN_RESULT_CANCELLED;
        }
    }
    return reader_tell(reader, visit, context) ? TN_RESULT_OK : TN_RESULT_CANCELLED;
}

tn_result tni_replay_read(const void *bytes, uint64_t size, tn_recording_info *out_info,
                          tni_replay_step_fn visit, void *context) {
    replay_reader reader = {.bytes = bytes, .size = size};
    tn_result result = bytes != NULL ? reader_read(&reader) : TN_RESULT_INVALID_ARGUMENT;
    if (result != TN_RESULT_OK) {
        return result == TN_RESULT_CANCELLED ? TN_RESULT_DAMAGED_DATA : result;
    }
    const tni_recording_part *start = &reader.part;
    if (start->kind != TNI_RECORDING_START || start->payload_size == 0 ||
        start->payload[start->payload_size - 1] != 0) {
        return TN_RESULT_DAMAGED_DATA;
    }
    reader.info.version = start->library;
    reader.info.note = (const char *)start->payload;
    result = reader_read_steps(&reader, visit, context);
    if (result == TN_RESULT_OK) {
        *out_info = reader.info;
    }
    return result;
}

tn_result tn_recording_get_info(const void *bytes, uint64_t size, tn_recording_info *out_info) {
    tn_recording_info info = {.note = NULL};
    tn_result result = tni_replay_read(bytes, size, &info, NULL, NULL);
    if (out_info != NULL) {
        *out_info = info;
    }
    return result;
}
