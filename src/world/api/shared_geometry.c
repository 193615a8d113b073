// world/api/shared_geometry.c: saves geometry that shapes share, and loads it.
// Test: tests/world/api/test_saved_geometry.c
#include "world/api/shared_geometry.h"

#include "core/float_environment.h"

uint64_t tni_shared_save(const tni_shared_format *format, const void *shared, void *out_memory,
                         uint64_t capacity) {
    return shared != NULL ? tni_saved_write(format->kind, format->version, format->save, shared,
                                            out_memory, capacity)
                          : 0;
}

static tn_result shared_read(const tni_shared_format *format, const tni_shared_bytes *bytes,
                             tni_shared **out_shared) {
    if (!bytes->memory || !shared_has_memory(bytes->alloc, bytes->free)) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    tni_stream stream;
    tn_result result =
        tni_saved_open(&stream, bytes->memory, bytes->size, format->kind, format->version);
    if (result != TN_RESULT_OK) {
        return result;
    }
    tni_allocator allocator;
    tni_allocator_init(&allocator, bytes->alloc, bytes->free, bytes->user_data);
    tni_shared *shared = format->load(&stream, &allocator, &result);
    if (shared != NULL && format->is_sound != NULL && !format->is_sound(shared)) {
        tni_shared_release(shared);
        return TN_RESULT_DAMAGED_DATA;
    }
    *out_shared = shared;
    return result;
}

tni_shared *tni_shared_load(const tni_shared_format *format, const tni_shared_bytes *bytes,
                            tn_result *out_result) {
    tni_float_environment host = tni_float_environment_enter();
    tni_shared *shared = NULL;
    tn_result result = shared_read(format, bytes, &shared);
    tni_float_environment_leave(host);
    if (out_result != NULL) {
        *out_result = result;
    }
    return shared;
}
