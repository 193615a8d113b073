// tests/fuzz/fuzz_snapshot.c: forged snapshots, with checksums that are right.
//
// A world takes steps and is saved. Numbers in the bytes are then changed, and the checksum is made
// right again. A world that refuses such bytes must be as it was; one that takes them must go on,
// answer queries, and give back its memory.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/seal.h"

#define FORGERIES 2u // of one world

// A world that has taken the bytes goes on. All that sleeps wakes.
static void forged_go_on(fuzz *f, tn_world *world) {
    tn_body_id bodies[32];
    tn_world_step(world, 1.0 / 60.0, 4);
    tn_world_step(world, 1.0 / 60.0, 4);
    uint32_t count = tn_world_get_bodies(world, bodies, 32);
    count = count < 32 ? count : 32;
    for (uint32_t i = 0; i < count; ++i) {
        tn_body_set_awake(world, bodies[i], true);
    }
    tn_world_step(world, 1.0 / 60.0, 4);
    tn_world_step(world, 1.0 / 60.0, 4);
    fuzz_ask(f, world);
    fuzz_bytes again = fuzz_bytes_save(world);
    fuzz_bytes_free(&again);
    for (uint32_t i = 0; i < count; i += 2) {
        tn_body_destroy(world, bodies[i]);
    }
    tn_world_step(world, 1.0 / 60.0, 4);
}

static tn_result forged_load(fuzz *f, tn_world *world, const fuzz_bytes *forged) {
    if (!fuzz_chance(f, 6)) {
        return tn_world_load(world, forged->bytes, forged->size);
    }
    tn_body_id bodies[8];
    uint32_t count = tn_world_get_bodies(world, bodies, 8);
    return tn_world_load_bodies(world, forged->bytes, forged->size, bodies, count < 8 ? count : 8);
}

static void forged_try(fuzz *f, const fuzz_bytes *taken, uint64_t recipe) {
    fuzz_bytes forged = {.bytes = NULL};
    fuzz_bytes_add(&forged, taken->bytes, taken->size);
    fuzz_forge(f, forged.bytes + SEAL_HEADER, forged.size - SEAL_HEADER - SEAL_CRC);
    seal(forged.bytes, forged.size);
    fuzz_machine other = fuzz_make_machine_like(f, recipe);
    fuzz_bytes before = fuzz_bytes_save(other.world);
    if (forged_load(f, other.world, &forged) != TN_RESULT_OK) {
        fuzz_expect_saved(f, other.world, &before, "a world that refuses bytes has changed");
    }
    forged_go_on(f, other.world);
    fuzz_machine_destroy(&other);
    fuzz_bytes_free(&before);
    fuzz_bytes_free(&forged);
}

// Bodies may come to be anywhere: the reports of that are no fault.
void fuzz_snapshot(fuzz *f) {
    f->is_hostile = true;
    f->failure_share = 0;
    f->scale = 1.0;
    uint64_t recipe = f->random;
    fuzz_machine machine = fuzz_make_machine(f);
    fuzz_bytes taken = fuzz_bytes_save(machine.world);
    fuzz_machine_destroy(&machine);
    uint32_t crc;
    memcpy(&crc, taken.bytes + taken.size - SEAL_CRC, sizeof crc);
    seal(taken.bytes, taken.size);
    fuzz_expect(f, memcmp(&crc, taken.bytes + taken.size - SEAL_CRC, sizeof crc) == 0,
                "another checksum");
    for (uint32_t i = 0; i < FORGERIES && !f->is_wrong; ++i) {
        forged_try(f, &taken, recipe);
    }
    fuzz_bytes_free(&taken);
}
