// core/result.c: the name and the sentence of every result, side by side.
// Test: tests/core/test_result.c
#include "core/base.h"

typedef struct result_entry {
    const char *name, *text;
} result_entry;

#define RESULT_ENTRY(result, sentence) [result] = {#result, sentence}

static const result_entry result_entries[TN_RESULT_COUNT] = {
    RESULT_ENTRY(TN_RESULT_OK, "The call succeeded."),
    RESULT_ENTRY(TN_RESULT_INVALID_ID, "The handle is null, stale or was never issued."),
    RESULT_ENTRY(TN_RESULT_WRONG_TYPE, "The handle names an object of another kind."),
    RESULT_ENTRY(TN_RESULT_INVALID_ARGUMENT,
                 "A number is out of its range, or a pointer is null where one is needed."),
    RESULT_ENTRY(TN_RESULT_NOT_FINITE, "A number is NaN or infinite."),
    RESULT_ENTRY(TN_RESULT_INVALID_MASS,
                 "The mass is negative, or a dynamic body would have no mass."),
    RESULT_ENTRY(TN_RESULT_INVALID_INERTIA,
                 "The inertia is not positive definite, or one principal "
                 "moment is larger than the other two together."),
    RESULT_ENTRY(TN_RESULT_ZERO_AXIS, "An axis or a quaternion has no length."),
    RESULT_ENTRY(TN_RESULT_SAME_BODY, "A joint needs two different bodies."),
    RESULT_ENTRY(TN_RESULT_NO_DYNAMIC_BODY, "A joint needs at least one dynamic body."),
    RESULT_ENTRY(TN_RESULT_INVALID_TIME_STEP,
                 "The time step must be positive and finite, and the substeps from 1 to 64."),
    RESULT_ENTRY(TN_RESULT_WORLD_LOCKED,
                 "The world cannot be changed from inside a callback or during a step."),
    RESULT_ENTRY(TN_RESULT_OUT_OF_MEMORY, "The allocator has no memory; nothing was changed."),
    RESULT_ENTRY(TN_RESULT_DEGENERATE_HULL,
                 "A hull needs at least four points that do not lie in one plane."),
    RESULT_ENTRY(TN_RESULT_TOO_LARGE, "There are more objects, points or faces than fit."),
    RESULT_ENTRY(TN_RESULT_BODY_NOT_FINITE, "A body's state became NaN or infinite: it was put "
                                            "back to its last finite pose and disabled."),
    RESULT_ENTRY(TN_RESULT_WRONG_HEADER,
                 "The program was built with the headers of another version of tenon."),
    RESULT_ENTRY(TN_RESULT_DEGENERATE_MESH, "No triangle of the mesh has an area."),
    RESULT_ENTRY(TN_RESULT_CANCELLED, "A callback ended the call or the recording."),
    RESULT_ENTRY(TN_RESULT_FOREIGN_DATA, "The bytes to load are not of an object of this kind."),
    RESULT_ENTRY(TN_RESULT_NEWER_DATA,
                 "A later version of tenon saved the bytes to load: this one cannot read them."),
    RESULT_ENTRY(TN_RESULT_DAMAGED_DATA,
                 "The bytes to load are not all that was saved, or were changed."),
    RESULT_ENTRY(TN_RESULT_UNKNOWN_OBJECT,
                 "The bytes to load have an object that cannot be made from them, and that the "
                 "world does not have."),
    RESULT_ENTRY(TN_RESULT_DIVERGED, "The replay is no longer as its recording."),
};

static const result_entry result_unknown = {"TN_RESULT_UNKNOWN", "This is no result of tenon."};

static const result_entry *result_find(tn_result result) {
    uint32_t index = (uint32_t)result;
    return index < TN_RESULT_COUNT ? &result_entries[index] : &result_unknown;
}

const char *tn_result_name(tn_result result) {
    return result_find(result)->name;
}

const char *tn_result_text(tn_result result) {
    return result_find(result)->text;
}
