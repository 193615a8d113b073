// world/recording/recording.h: a world's steps as bytes: the parts of a recording.
//
// A recording has no calls. A hook in each public one would have to be kept up with 900 functions,
// and with the arrays, hulls and callbacks that these take. It has what they did: a snapshot before
// each step is compared with the one after the step before. That needs a single hook, in
// tn_world_step, and has all calls, also those that will be added, as far as a snapshot has what
// they change. If it lacks a field, the replay of a call that sets the field diverges. The price is
// two snapshots a step.
//
// A recording is a row of parts, each an object of its own (core/saved.h) with a checksum:
//
//     START   the library's version, the note
//     STEP    before each step: its time and substeps; then a whole snapshot (a key frame), or a
//             patch to the state after the step before, or nothing
//     RESULT  after the step: the world's hash, and how the bodies that it moved are left
//     VOID    instead of it: the step was refused, or had no memory. A key frame follows
//     STOP    the end
//
// STEP is written before the step runs, so what a crash leaves has the step that crashed.
//
// A patch makes the state before a step from the replay's own state after the step before. That
// state is the recorded one in all that decides how a world goes on, which the hash checks, but not
// always in its bytes: a world that was loaded differs in numbers that nothing reads (points that a
// contact had once). So a patch copies runs of the replay's bytes and writes those that were
// changed; it asks for the same length alone. The states of mechanisms stand last in a snapshot, in
// an order of each world's own, and are one piece: kept, or written whole.
//
// Callbacks during a step may change nothing, so what they answer is all that is not recorded. A
// STEP says which the world had.
#ifndef TNI_WORLD_RECORDING_RECORDING_H
#define TNI_WORLD_RECORDING_RECORDING_H

#include "core/saved.h"
#include "tenon/record.h"
#include "world/world.h"

// The version of the bytes. A change of a part raises it.
#define TNI_RECORDING_VERSION 2u

typedef enum tni_recording_kind {
    TNI_RECORDING_START = 1,
    TNI_RECORDING_STEP,
    TNI_RECORDING_RESULT,
    TNI_RECORDING_VOID,
    TNI_RECORDING_STOP,
} tni_recording_kind;

typedef enum tni_recording_form {
    TNI_RECORDING_SAME, // nothing changed since the step before
    TNI_RECORDING_PATCH,
    TNI_RECORDING_KEY,
} tni_recording_form;

#define TNI_RECORDING_HAS_FILTER    1u
#define TNI_RECORDING_HAS_PRE_SOLVE 2u

// The fields of a part; those of other kinds are not in its bytes.
typedef struct tni_recording_part {
    tni_recording_kind kind;
    uint64_t step; // before this part
    uint32_t library;
    double dt;
    uint32_t substeps, callbacks;
    tni_recording_form form;
    bool has_motions;
    uint64_t hash;
    // The rest: the note, the snapshot, the patch or the motions.
    const unsigned char *payload;
    uint64_t payload_size;
} tni_recording_part;

// Bytes that grow.
typedef struct tni_recording_bytes {
    unsigned char *bytes;
    uint32_t size, capacity;
} tni_recording_bytes;

// A snapshot, and where in it the states of mechanisms begin.
typedef struct tni_recording_state {
    tni_recording_bytes saved;
    uint64_t states_at;
} tni_recording_state;

// How a body moves: position, rotation, velocity and angular velocity.
#define TNI_RECORDING_NUMBERS 13
typedef struct tni_recording_motion {
    uint32_t handle; // 0: no body stands at this index
    double numbers[TNI_RECORDING_NUMBERS];
} tni_recording_motion;

typedef struct tni_recording_motions {
    tni_recording_motion *items; // by index of bodies
    uint32_t count, capacity;
} tni_recording_motions;

// Reports a result with its own text unless it is OK. Returns it.
tn_result tni_recording_tell(const tn_world *world, tn_result result, const char *function);

// ---- parts (recording_part.c) -------------------------------------------------------------------

uint64_t tni_recording_part_write(const tni_recording_part *part, void *memory, uint64_t capacity);
// Reads the part at the start of these bytes. Returns its size, or 0 and why. CANCELLED: the bytes
// end before the part does.
uint64_t tni_recording_part_read(tni_recording_part *out_part, const unsigned char *bytes,
                                 uint64_t size, tn_result *out_result);

// ---- states and motions (recording_state.c) -----------------------------------------------------

// False without memory, or for more bytes than 32 bits count.
bool tni_recording_reserve(tni_allocator *allocator, tni_recording_bytes *bytes, uint64_t needed);
void tni_recording_free(tni_allocator *allocator, tni_recording_bytes *bytes);
bool tni_recording_save(tn_world *world, tni_recording_state *state);
bool tni_recording_gather(tn_world *world, tni_recording_motions *motions);
// Writes the bodies that are no longer as they were.
bool tni_recording_write_motions(tn_world *world, const tni_recording_motions *before,
                                 tni_recording_bytes *out);
// Changes what was before to what a step left. Returns false after damage.
bool tni_recording_read_motions(const tni_recording_part *part, tni_recording_motions *motions);
// Sets which body and number differs first, if one does.
void tni_recording_compare(tn_world *world, const tni_recording_motions *expected,
                           tn_divergence *divergence);

// ---- patches (recording_patch.c) ----------------------------------------------------------------

// Writes what turns one state into the other. Returns false without memory, or if a whole snapshot
// is not much longer. `table` is scratch memory.
bool tni_recording_make_patch(tni_allocator *allocator, const tni_recording_state *from,
                              const tni_recording_state *to, tni_recording_bytes *table,
                              tni_recording_bytes *out);
// Makes a snapshot from a state and a patch. Returns DIVERGED if the patch is for a state of
// another length, DAMAGED_DATA or OUT_OF_MEMORY.
tn_result tni_recording_apply_patch(tni_allocator *allocator, const tni_recording_part *part,
                                    const tni_recording_state *from, tni_recording_bytes *out);

#endif
