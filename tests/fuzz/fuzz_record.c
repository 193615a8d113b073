// tests/fuzz/fuzz_record.c: forged recordings, with checksums that are right.
//
// A world is recorded while it steps and is changed. Parts of the recording are then taken out,
// repeated, exchanged, or changed in some numbers, and the checksums are made right again. A world
// that refuses to replay such bytes must be as it was; one that replays them must go on, and give
// back its memory.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/seal.h"

#define RECORD_SIZE_AT   16u
#define RECORD_FORGERIES 2u // of one recording
#define RECORD_PARTS     128u

// A STEP has these fields behind its kind and its number; a time that is forged is a matter of
// time.
#define RECORD_SUBSTEPS_AT (SEAL_HEADER + 4u + 8u + 8u)

typedef struct record_parts {
    const unsigned char *bytes[RECORD_PARTS];
    uint64_t sizes[RECORD_PARTS];
    uint32_t count;
} record_parts;

// ---- recording ----------------------------------------------------------------------------------

static bool record_take(const void *bytes, uint64_t size, void *user_data) {
    fuzz_bytes_add(user_data, bytes, size);
    return true;
}

// A replay cannot make the shapes of affine bodies, which scenes have.
static void record_change(fuzz *f, const fuzz_machine *machine) {
    tn_world *world = machine->world;
    tn_body_id bodies[16];
    uint32_t count = tn_world_get_bodies(world, bodies, 16);
    count = count < 16 ? count : 16;
    if (count == 0) {
        return;
    }
    tn_body_id body = bodies[fuzz_below(f, count)];
    tn_vec3 vector = {fuzz_unit(f), fuzz_unit(f), fuzz_unit(f)};
    switch (fuzz_below(f, machine->run != NULL ? 6 : 7)) {
    case 0:
        tn_body_destroy(world, body);
        break;
    case 1:
        tn_body_set_linear_velocity(world, body, vector);
        break;
    case 2:
        tn_body_apply_force(world, body, vector);
        break;
    case 3:
        tn_body_set_enabled(world, body, fuzz_chance(f, 2));
        break;
    case 4:
        tn_world_set_gravity(world, vector);
        break;
    case 5:
        tn_body_set_awake(world, body, fuzz_chance(f, 2));
        break;
    default:
        fuzz_shape(f, world, body);
        break;
    }
}

static void record_make(fuzz *f, const fuzz_machine *machine, fuzz_bytes *recorded) {
    tn_record_def def = tn_record_def_default();
    def.write = record_take;
    def.user_data = recorded;
    def.key_interval = 1 + fuzz_below(f, 6);
    def.has_motions = fuzz_chance(f, 2);
    def.note = "forged";
    tn_record_start(machine->world, &def);
    uint32_t steps = 1 + fuzz_below(f, 6);
    for (uint32_t i = 0; i < steps; ++i) {
        if (fuzz_chance(f, 3)) {
            record_change(f, machine);
        }
        fuzz_machine_step(machine);
    }
    uint64_t size = recorded->size;
    tn_record_stop(machine->world);
    recorded->size = fuzz_chance(f, 8) ? size : recorded->size; // as a crash leaves it
}

// ---- forging ------------------------------------------------------------------------------------

static record_parts record_find_parts(const fuzz_bytes *recorded) {
    record_parts parts = {.count = 0};
    uint64_t at = 0, size = 0;
    for (; at < recorded->size && parts.count < RECORD_PARTS; at += size) {
        memcpy(&size, recorded->bytes + at + RECORD_SIZE_AT, sizeof size);
        parts.bytes[parts.count] = recorded->bytes + at;
        parts.sizes[parts.count++] = size;
    }
    return parts;
}

// Makes the checksums right of a part, and of the snapshot in it if it is a key frame.
static void record_seal(unsigned char *part, uint64_t size) {
    static const char mark[8] = "tenon";
    for (uint64_t at = SEAL_HEADER; at + SEAL_HEADER + 2 * SEAL_CRC <= size; ++at) {
        if (memcmp(part + at, mark, sizeof mark) == 0) {
            seal(part + at, size - SEAL_CRC - at);
            break;
        }
    }
    seal(part, size);
}

static void record_add_part(fuzz *f, fuzz_bytes *to, const unsigned char *part, uint64_t size,
                            bool is_forged) {
    uint64_t at = to->size;
    unsigned char substeps[4];
    fuzz_bytes_add(to, part, size);
    if (is_forged) {
        unsigned char *own = to->bytes + at;
        bool is_step = own[SEAL_HEADER] == 2 && size >= RECORD_SUBSTEPS_AT + 4;
        if (is_step) {
            memcpy(substeps, own + RECORD_SUBSTEPS_AT, sizeof substeps);
        }
        uint64_t most = fuzz_chance(f, 2) ? size : size < 128 ? size : 128;
        fuzz_forge(f, own + SEAL_HEADER, most - SEAL_HEADER - SEAL_CRC);
        if (is_step) {
            memcpy(own + RECORD_SUBSTEPS_AT, substeps, sizeof substeps);
        }
        record_seal(own, size);
    }
}

// Writes the parts again, of which one is forged, or stands elsewhere.
static fuzz_bytes record_forge(fuzz *f, const record_parts *parts) {
    fuzz_bytes forged = {.bytes = NULL};
    uint32_t at = fuzz_below(f, parts->count), other = fuzz_below(f, parts->count);
    uint32_t how = fuzz_below(f, 8);
    for (uint32_t i = 0; i < parts->count; ++i) {
        uint32_t from = how == 0 && i == at ? other : how == 0 && i == other ? at : i;
        if (how == 1 && i == at) { // it is left out
            continue;
        }
        record_add_part(f, &forged, parts->bytes[from], parts->sizes[from], how > 2 && i == at);
        if (how == 2 && i == at) { // it stands there twice
            record_add_part(f, &forged, parts->bytes[from], parts->sizes[from], false);
        }
    }
    return forged;
}

// ---- replays ------------------------------------------------------------------------------------

static void record_replay(fuzz *f, tn_world *world) {
    uint32_t count = (uint32_t)tn_replay_count_steps(world);
    tn_result result = TN_RESULT_OK;
    for (uint32_t i = 0; i < count && i < 12 && result != TN_RESULT_OUT_OF_MEMORY; ++i) {
        result = fuzz_chance(f, 6) ? tn_replay_seek(world, fuzz_below(f, count + 1))
                                   : tn_replay_step(world);
        tn_replay_get_divergence(world);
    }
}

static void record_try(fuzz *f, const fuzz_bytes *recorded, uint64_t recipe) {
    record_parts parts = record_find_parts(recorded);
    fuzz_bytes forged = record_forge(f, &parts);
    fuzz_machine other = fuzz_make_machine_like(f, recipe);
    fuzz_bytes before = fuzz_bytes_save(other.world);
    tn_recording_info info;
    tn_result read = tn_recording_get_info(forged.bytes, forged.size, &info);
    tn_result result = tn_replay_start(other.world, forged.bytes, forged.size);
    fuzz_expect(f, result != TN_RESULT_OK || read == TN_RESULT_OK,
                "a recording is replayed that cannot be read");
    if (result == TN_RESULT_OK) {
        record_replay(f, other.world);
    } else {
        fuzz_expect_saved(f, other.world, &before, "a world that refuses a recording has changed");
    }
    tn_world_step(other.world, 1.0 / 60.0, 4);
    fuzz_ask(f, other.world);
    fuzz_machine_destroy(&other);
    fuzz_bytes_free(&before);
    fuzz_bytes_free(&forged);
}

// A recording that nobody changed is replayed as it was recorded, by a world that was built by the
// same calls.
static void record_check(fuzz *f, const fuzz_bytes *recorded, uint64_t recipe) {
    uint64_t random = f->random;
    f->random = recipe;
    fuzz_machine twin = fuzz_make_machine(f);
    f->random = random;
    tn_result result = tn_replay_start(twin.world, recorded->bytes, recorded->size);
    fuzz_expect(f, result == TN_RESULT_OK, "a recording is refused");
    uint64_t count = tn_replay_count_steps(twin.world);
    for (uint64_t i = 0; i < count; ++i) {
        fuzz_expect(f, tn_replay_step(twin.world) == TN_RESULT_OK, "a replay diverged");
    }
    fuzz_machine_destroy(&twin);
}

void fuzz_record(fuzz *f) {
    f->is_hostile = true;
    f->failure_share = 0;
    f->scale = 1.0;
    uint64_t recipe = f->random;
    fuzz_machine machine = fuzz_make_machine(f);
    fuzz_bytes recorded = {.bytes = NULL};
    record_make(f, &machine, &recorded);
    fuzz_machine_destroy(&machine);
    record_check(f, &recorded, recipe);
    for (uint32_t i = 0; i < RECORD_FORGERIES && !f->is_wrong; ++i) {
        record_try(f, &recorded, recipe);
    }
    fuzz_bytes_free(&recorded);
}
