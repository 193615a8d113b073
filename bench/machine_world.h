// bench/machine_world.h: random machines: what is in one follows from its seed and its kind alone.
#ifndef BENCH_MACHINE_WORLD_H
#define BENCH_MACHINE_WORLD_H

#include "bench/quality_world.h"

#define MACHINE_BODIES 10
#define MACHINE_JOINTS 16

// What a machine has, as bits. Without any it is a tree of free bodies in weightlessness.
typedef enum machine_kind {
    MACHINE_HUNG = 1,   // its first body hangs on the world
    MACHINE_LOOPS = 2,  // up to three joints close loops
    MACHINE_LIMITS = 4, // most joints have limits, some of them bounce
    MACHINE_MOTORS = 8, // some joints have motors of finite force, to a speed or a position
    MACHINE_FLOOR = 16, // it falls on a plane, with friction
    MACHINE_KIND_COUNT = 32,
} machine_kind;

typedef struct machine {
    tn_world *world;
    uint32_t kind; // machine_kind bits
    tn_body_id bodies[MACHINE_BODIES];
    uint32_t body_count;
    tn_joint_id joints[MACHINE_JOINTS];
    uint32_t joint_count;
} machine;

// The bits that a seed asks for.
uint32_t machine_pick_kind(uint64_t seed);
// "hung+limits+floor"; the text is valid until the next call.
const char *machine_kind_name(uint32_t kind);
// The bits of such a name; MACHINE_KIND_COUNT if a word is unknown.
uint32_t machine_read_kind(const char *name);
// A world with 2 to 10 bodies of 1 g to 1 t, an energy ledger, and else the default settings.
// The caller destroys the world.
machine machine_create(uint64_t seed, uint32_t kind, tn_solver solver);

#endif
