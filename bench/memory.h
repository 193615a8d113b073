// bench/memory.h: an allocator that counts, and what a body and a contact cost.
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include <tenon/machines.h>

typedef struct memory_counter {
    uint64_t bytes; // in use
    uint64_t peak_bytes;
    uint64_t calls; // allocations made
} memory_counter;

// Makes the world use the counter, which must outlive it.
void memory_counter_use(memory_counter *counter, tn_world_def *def);

typedef struct memory_cost {
    bool is_known;
    double body_bytes;    // a dynamic box that touches nothing
    double contact_bytes; // what touching adds, per contact of four points
    double joint_bytes;   // a ball joint to the world, by Gauss-Seidel
    double exact_bytes;   // the same, directly: alone in its mechanism
} memory_cost;

// Builds four worlds and steps each a few times.
memory_cost memory_measure(void);

#endif
