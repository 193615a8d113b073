// world/recording/replay.h: a recording that was read: where its steps stand.
#ifndef TNI_WORLD_RECORDING_REPLAY_H
#define TNI_WORLD_RECORDING_REPLAY_H

#include "world/recording/recording.h"

// The places where the parts of a step begin.
typedef struct tni_replay_step {
    uint64_t step_at;
    uint64_t result_at; // 0: the recording ends before it
    bool is_key;
} tni_replay_step;

// Called for each step of a recording, in order. Returns false to end the reading.
typedef bool (*tni_replay_step_fn)(const tni_replay_step *step, void *context);

// Reads and checks a recording. Returns CANCELLED if `visit` (may be null) ended it.
tn_result tni_replay_read(const void *bytes, uint64_t size, tn_recording_info *out_info,
                          tni_replay_step_fn visit, void *context);

#endif
