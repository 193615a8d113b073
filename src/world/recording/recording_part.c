// world/recording/recording_part.c: writes and reads the parts of a recording.
// Test: tests/world/recording/test_recording.c
#include "world/recording/recording.h"

// Before this version a START had the first generation of handles, which snapshots have now.
#define PART_SEEDLESS_VERSION 2u

static void part_visit_step(tni_stream *s, tni_recording_part *part) {
    stream_f64(s, &part->dt);
    stream_u32(s, &part->substeps);
    stream_u32(s, &part->callbacks);
    int form = stream_choice(s, (int)part->form, TNI_RECORDING_KEY);
    if (tni_stream_is_reading(s)) {
        part->form = (tni_recording_form)form;
    }
}

static void part_visit(tni_stream *s, tni_recording_part *part) {
    int kind = stream_choice(s, (int)part->kind, TNI_RECORDING_STOP);
    if (tni_stream_is_reading(s)) {
        part->kind = (tni_recording_kind)kind;
    }
    stream_u64(s, &part->step);
    switch (part->kind) {
    case TNI_RECORDING_START:
        stream_u32(s, &part->library);
        if (s->mode == TNI_STREAM_LOADS && s->version < PART_SEEDLESS_VERSION) {
            uint16_t passed;
            stream_u16(s, &passed);
        }
        break;
    case TNI_RECORDING_STEP:
        part_visit_step(s, part);
        break;
    case TNI_RECORDING_RESULT:
        stream_bool(s, &part->has_motions);
        stream_u64(s, &part->hash);
        break;
    case TNI_RECORDING_VOID:
    case TNI_RECORDING_STOP:
        break;
    default:
        tni_stream_expect(s, false);
        break;
    }
}

static void part_save(tni_stream *s, const void *object) {
    tni_recording_part part = *(const tni_recording_part *)object;
    part_visit(s, &part);
    if (part.payload_size > 0) {
        stream_u8s(s, (uint8_t *)part.payload, (size_t)part.payload_size); // only read
    }
}

uint64_t tni_recording_part_write(const tni_recording_part *part, void *memory, uint64_t capacity) {
    return tni_saved_write(TNI_SAVED_RECORDING, TNI_RECORDING_VERSION, part_save, part, memory,
                           capacity);
}

uint64_t tni_recording_part_read(tni_recording_part *out_part, const unsigned char *bytes,
                                 uint64_t size, tn_result *out_result) {
    tni_stream s;
    uint64_t own = tni_saved_get_size(bytes, size);
    if (own > size) {
        *out_result = TN_RESULT_CANCELLED;
        return 0;
    }
    *out_result =
        tni_saved_open(&s, bytes, own > 0 ? own : size, TNI_SAVED_RECORDING, TNI_RECORDING_VERSION);
    if (*out_result != TN_RESULT_OK) {
        return 0;
    }
    *out_part = (tni_recording_part){.step = 0};
    part_visit(&s, out_part);
    out_part->payload = s.bytes + s.at;
    out_part->payload_size = s.size - s.at;
    *out_result = s.is_damaged ? TN_RESULT_DAMAGED_DATA : TN_RESULT_OK;
    return s.is_damaged ? 0 : own;
}
