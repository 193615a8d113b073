// bench/soak.h: worlds that are edited at random for as long as one likes.
//
// Edits are those of an editor and a game: bodies and joints come and go, are moved, stopped,
// struck, switched, made static; solvers, rates and gravity change. They are valid calls: hostile
// ones are those of tests/hostile.
#ifndef BENCH_SOAK_H
#define BENCH_SOAK_H

#include <tenon/machines.h>

#define SOAK_MOST_BODIES 400
#define SOAK_MOST_JOINTS 200

typedef struct soak_random {
    uint64_t state;
} soak_random;

double soak_random_get(soak_random *random, double from, double to);
uint32_t soak_random_pick(soak_random *random, uint32_t count);

// A world that lives on, with what was made in it and not yet destroyed.
typedef struct soak_world {
    tn_world *world;
    soak_random *random;
    tn_body_id bodies[SOAK_MOST_BODIES];
    tn_joint_id joints[SOAK_MOST_JOINTS];
    uint32_t body_count, joint_count;
    uint32_t fixed_count; // bodies of the floor, which no edit touches
    uint64_t edits;
    bool has_failed; // a call failed that should not have
} soak_world;

// Makes a floor with walls.
void soak_world_fill(soak_world *soak);
// Makes an edit at random.
void soak_world_edit(soak_world *soak);
// Do the world's counts agree with what was made and destroyed?
bool soak_world_counts_agree(soak_world *soak);

#endif
