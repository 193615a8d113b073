/// tenon/record.h: a world's steps as bytes, to run again elsewhere.
///
/// While a world records, it writes each step with all that changed since the step before, and what
/// the step made of it. It compares its state with that before, so every call that changes a
/// snapshot is in the recording, without a list of calls. A key frame is a whole snapshot
/// (tenon/snapshot.h). A replay loads a key frame, makes the same changes, steps, and compares the
/// world with the recorded one: the first step, body and number that differ are its divergence.
///
/// Not in a recording: what is not in a snapshot, the answers of callbacks, and queries. A replay
/// uses the callbacks of its own world, and needs the objects that tn_world_load needs. The bytes
/// are little-endian, with a checksum for each part, and the same on every platform.
#ifndef TENON_RECORD_H
#define TENON_RECORD_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

/// Takes the next bytes of a recording, which are valid during the call only. Returns false to end
/// the recording. It is called by the thread that steps, and may not call the world.
typedef bool (*tn_record_write_fn)(const void *bytes, uint64_t size, void *user_data);

typedef struct tn_record_def {
    tn_record_write_fn write; ///< needed
    void *user_data;
    uint32_t key_interval; ///< steps from one key frame to the next, >= 1. Default 300
    /// Writes how each body that a step moves is left, 110 bytes for a body. Without it a
    /// divergence names the step alone. Default true
    bool has_motions;
    const char *note; ///< up to 65535 bytes of text for whoever replays. Default null: none
} tn_record_def;

/// Thread: any.
TN_API tn_record_def tn_record_def_default(void);

/// Begins to record. A recording before it ends. The first step that follows is a key frame.
/// A recording ends by itself, with a report from tn_world_step, when there is no memory for it
/// (OUT_OF_MEMORY) or when `write` returns false (CANCELLED); the world steps on.
/// Thread: not during a step. Errors: INVALID_ARGUMENT (null `write`, no interval, a longer note),
/// OUT_OF_MEMORY, CANCELLED, WORLD_LOCKED.
TN_API tn_result tn_record_start(tn_world *world, const tn_record_def *def);
/// Ends the recording, if there is one, as the destruction of the world does. Changes after the
/// last step are not in it. Thread: not during a step. Errors: CANCELLED (the last bytes were not
/// taken), OUT_OF_MEMORY, WORLD_LOCKED.
TN_API tn_result tn_record_stop(tn_world *world);
/// Returns whether the world records.
TN_API bool tn_record_is_active(const tn_world *world);

/// A recording's account of itself.
typedef struct tn_recording_info {
    uint64_t step_count;
    uint64_t key_count; ///< key frames
    uint32_t version;   ///< TN_VERSION_NUMBER of the library that wrote it
    bool is_cut;        ///< it was not ended: the program may have crashed during its last step
    bool has_filter;    ///< in some step the world had a contact filter,
    bool has_pre_solve; ///< or a pre-solve callback
    const char *note;   ///< in the recording's bytes; never null
} tn_recording_info;

/// Reads all of a recording and checks it. What a crash left of one is cut behind its last whole
/// part. `out_info` (may be null) is all zero unless OK is returned. Thread: any. Errors:
/// FOREIGN_DATA, NEWER_DATA, DAMAGED_DATA, INVALID_ARGUMENT (null bytes).
TN_API tn_result tn_recording_get_info(const void *bytes, uint64_t size,
                                       tn_recording_info *out_info);

/// Begins to replay into this world, and loads the first key frame. The bytes must stay as they are
/// until the replay stops. A replay before it ends. The world takes on the recording's seed of
/// handles. Unless OK is returned the world is as it was, without a replay. Thread: not during a
/// step. Errors: those of tn_recording_get_info and tn_world_load.
TN_API tn_result tn_replay_start(tn_world *world, const void *bytes, uint64_t size);
/// Ends a replay, if there is one. The world stays as it is. Thread: not during a step. Errors:
/// WORLD_LOCKED.
TN_API tn_result tn_replay_stop(tn_world *world);
/// Returns how many steps the recording has; 0 without a replay.
TN_API uint64_t tn_replay_count_steps(const tn_world *world);
/// Returns how many steps have been replayed, or 0.
TN_API uint64_t tn_replay_get_step(const tn_world *world);
/// Makes the recorded changes, steps, and compares. Returns DIVERGED if the world is unlike the
/// recorded one after the step, or before it, where the changes do not fit: then it does not step.
/// Thread: not during a step. Errors: INVALID_ARGUMENT (no replay, or no step left), DIVERGED,
/// those of tn_world_load and tn_world_step.
TN_API tn_result tn_replay_step(tn_world *world);
/// Goes to where `step` steps have been replayed: loads the last key frame before, and replays from
/// there. Forgets the divergence. Range: step <= tn_replay_count_steps. Thread: not during a step.
/// Errors: those of tn_replay_step, where it stops.
TN_API tn_result tn_replay_seek(tn_world *world, uint64_t step);

/// Chooses a number of a body.
typedef enum tn_divergence_member {
    TN_DIVERGENCE_MEMBER_NONE = 0, ///< no body is known to differ: joints, or coordinates
    TN_DIVERGENCE_MEMBER_POSITION, ///< of the centre of mass, m
    TN_DIVERGENCE_MEMBER_ROTATION,
    TN_DIVERGENCE_MEMBER_VELOCITY,         ///< of the centre of mass, m/s
    TN_DIVERGENCE_MEMBER_ANGULAR_VELOCITY, ///< rad/s
} tn_divergence_member;

/// The first difference between a replay and its recording.
typedef struct tn_divergence {
    bool has_diverged;   ///< else all is zero
    bool lacks_callback; ///< the recorded world had a filter or pre-solve that this one lacks
    bool lacks_change;   ///< the changes before the step do not fit the world as it is
    uint64_t step;       ///< the step that made the difference, counted from 0
    tn_body_id body;     ///< the first that differs, by index; or null
    tn_divergence_member member;
    uint32_t axis; ///< 0 to 3: x, y, z, w
    double recorded, replayed;
    uint64_t recorded_hash, replayed_hash; ///< as of tn_world_get_hash
} tn_divergence;

/// Returns the first divergence since the replay began or sought.
TN_API tn_divergence tn_replay_get_divergence(const tn_world *world);

TN_EXTERN_C_END

#endif
