// solver/stacks/stack.h: small islands of contacts whose rows are solved all at once.
//
// The world finds them (world/step/stacks.c) and gives memory for a step; solver/stacks/stack.c
// solves their contacts, solver/stacks/stack_factor_wide.c the linear system of their bodies, in
// the order of solver/stacks/stack_order.c.
#ifndef TNI_SOLVER_STACKS_STACK_H
#define TNI_SOLVER_STACKS_STACK_H

#include "core/inertia.h"
#include "solver/contacts/contact.h"

// A stack has no more bodies than this: each is a bit in a set, of as many words of 64 bits as that
// takes.
#define TNI_STACK_MAX_BODIES 256u
#define TNI_STACK_MAX_WORDS  (TNI_STACK_MAX_BODIES / 64)
#define TNI_STACK_FREEDOMS   6u
// A contact has these rows: its points, two of friction, one of twisting.
#define TNI_STACK_SLIDE 4u
#define TNI_STACK_TWIST 6u
#define TNI_STACK_ROWS  7u
// This stands for a body that does not give way.
#define TNI_STACK_NOBODY 0xffffu

#define TNI_STACK_BLOCK 36u
// Points rest at this depth, as a share of the size of the smaller body. It is far more than the
// rounding of a separation, and still too little to be seen.
#define TNI_STACK_DEPTH 2e-5f

typedef struct tni_stack_body {
    uint32_t body; // solver index
    uint32_t locks;
    float inv_mass; // of what `mass` and `inertia` are the inverses
    tni_sym3 inv_inertia;
    double mass;       // kg
    double inertia[6]; // kg·m²: xx, yy, zz, xy, xz, yz
    double spin;       // 1/(kg·m²): the largest of its inverse moments, or so
    // A solve has these: change of velocity, push by the rows' change, residual, Newton step.
    double dv[TNI_STACK_FREEDOMS], push[TNI_STACK_FREEDOMS];
    double residual[TNI_STACK_FREEDOMS], step[TNI_STACK_FREEDOMS];
} tni_stack_body;

typedef struct tni_stack_contact {
    uint32_t contact;        // the solver's index
    uint32_t body_a, body_b; // solver indices
    uint16_t a, b;           // places in the stack, or TNI_STACK_NOBODY
    uint8_t point_count;
    bool is_loaded;      // what stays the same while its bodies do not turn is here
    uint16_t move_count; // of its group, then
    bool is_shut;        // it takes part in this solve
    bool slides;         // friction pushes with its bound, along `slide_along`
    uint8_t open;        // points that take no part, a bit each
    uint8_t set;         // rows that give way, a bit each
    uint8_t factored;

    // These are the direction, and the turn about a's centre, of each row: the points, t1, t2,
    // twisting. See stack.c.
    double rows[TNI_STACK_ROWS][TNI_STACK_FREEDOMS];
    double offset[3];
    double stiffness[TNI_STACK_ROWS]; // 1 / Gamma, kg; of angular rows kg·m²
    double friction, twist_bound;

    // A solve has these.
    double center[TNI_STACK_ROWS]; // about which the rows are proximal, N·s
    double old[TNI_STACK_ROWS];    // impulses before
    double wanted[TNI_STACK_ROWS]; // and by the latest velocities
    double speed[TNI_STACK_ROWS];  // J v + bias before
    double change[TNI_STACK_ROWS]; // J dv
    double step[TNI_STACK_ROWS];   // J step
    double slide_cap, twist_cap;   // N·s, N·m·s
    double slide_along[2];
    double slide_share; // of its stiffness that what slides has across
} tni_stack_contact;

// This is M + J^T D J by blocks, and its factor in the same place.
typedef struct tni_stack_matrix {
    uint32_t words; // of a set
    // Each body has three sets: the bodies that it may meet; and, once bodies are in the order of
    // elimination, those below the diagonal of its column, and those of these whose block is not
    // zero.
    uint64_t *beside, *below, *filled;
    uint32_t *first_block;         // of the column, whose rows follow each other
    uint32_t block_count, longest; // longest: blocks of a column
    uint64_t products;             // of blocks, that a factor takes
    double *diagonal;              // by body, TNI_STACK_BLOCK each
    double *blocks;                // by pair
    double *column;                // the one that is being eliminated
    bool uses_avx2;                // of the solver
    bool is_factored;              // for `factored` of every contact, and nothing slides
} tni_stack_matrix;

typedef struct tni_stack {
    uint32_t body_count, contact_count;
    uint32_t allowance; // factors that it may still make in this step
    uint32_t part;      // of the contacts: solver/step/part.h
    tni_stack_body *bodies;
    tni_stack_contact *contacts;
    tni_stack_matrix matrix;
    uint32_t round;    // of the step's substeps, in solve B
    bool was_hard;     // the last solve took more than a step or two
    bool has_failed;   // in this step: it is left alone
    bool is_new;       // it does not bear itself yet
    double most_kick;  // m/s: a velocity that is seen in so small a stack
    double coarseness; // a kick, of that; more where one turns a body easily
    double weight;     // N·s, over a substep
    double mean_kick;  // m/s: what forces give a body in a substep
    // These are shares of the rate of all contacts: the least at which a contact's mean depth is
    // mended, and the depths of its points relative to that mean.
    double mean_share, tilt_share;
    // A solve has these: the hardness of rows, as a share of the final one; and, 0 to 1, the share
    // of the stiffness across the direction of sliding that there is along it.
    double hardness, roundness;
} tni_stack;

// ---- sets ---------------------------------------------------------------------------------------

static inline uint32_t tni_stack_get_words(uint32_t body_count) {
    return (body_count + 63) / 64;
}
// Returns the set of body i, out of a row of sets.
static inline uint64_t *tni_stack_get_set(const tni_stack *stack, uint64_t *sets, uint32_t i) {
    return sets + (size_t)i * stack->matrix.words;
}
// Counts the bits of a word, added up in pairs, fours, bytes, then all.
static inline uint32_t tni_stack_count_word(uint64_t word) {
    word -= (word >> 1) & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)((word * 0x0101010101010101u) >> 56);
}
static inline uint64_t tni_stack_bit(uint32_t i) {
    return (uint64_t)1 << (i & 63u);
}
static inline void tni_stack_put(uint64_t *set, uint32_t i) {
    set[i / 64] |= tni_stack_bit(i);
}
static inline bool tni_stack_has(const uint64_t *set, uint32_t i) {
    return (set[i / 64] & tni_stack_bit(i)) != 0;
}
// Returns the first of a set from i on, or TNI_STACK_NOBODY.
static inline uint32_t tni_stack_next(const uint64_t *set, uint32_t words, uint32_t i) {
    uint64_t rest = i < 64 * words ? set[i / 64] & ~(tni_stack_bit(i) - 1) : 0;
    for (uint32_t w = i / 64; w < words; rest = ++w < words ? set[w] : 0) {
        if (rest != 0) {
            return 64 * w + tni_stack_count_word((rest & (~rest + 1)) - 1);
        }
    }
    return TNI_STACK_NOBODY;
}
// Returns how many of a set come before i.
static inline uint32_t tni_stack_count_before(const uint64_t *set, uint32_t i) {
    uint32_t count = tni_stack_count_word(set[i / 64] & (tni_stack_bit(i) - 1));
    for (uint32_t w = 0; w < i / 64; ++w) {
        count += tni_stack_count_word(set[w]);
    }
    return count;
}
static inline uint32_t tni_stack_count(const uint64_t *set, uint32_t words) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; ++w) {
        count += tni_stack_count_word(set[w]);
    }
    return count;
}

// ---- the matrix ---------------------------------------------------------------------------------

// Takes bodies whose `beside` is filled: numbers them in the order of elimination, `order[new] =
// old`, and finds `below`, `first_block`, `block_count`, `longest` and `products`:
// solver/stacks/stack_order.c
void tni_stack_order(tni_stack *stack, uint16_t order[TNI_STACK_MAX_BODIES]);
// Returns the place of the pair's block; i is eliminated before j.
static inline double *tni_stack_get_block(const tni_stack *stack, uint32_t i, uint32_t j) {
    const uint64_t *below = tni_stack_get_set(stack, stack->matrix.below, i);
    uint32_t before = tni_stack_count_before(below, j);
    return stack->matrix.blocks + (size_t)(stack->matrix.first_block[i] + before) * TNI_STACK_BLOCK;
}
// Turns `filled`, which has the blocks of the matrix, into the set of blocks of its factor.
void tni_stack_fill(tni_stack *stack);
// Replaces the matrix in `diagonal` and `blocks`, column by column, by its factors. The lower
// triangle of diagonal blocks is read. The block of a pair has the rows of the body that is
// eliminated later.
void tni_stack_factor_baseline(tni_stack *stack);
void tni_stack_factor_avx2(tni_stack *stack);
// Solves in place, in `step` of each body.
void tni_stack_backsolve_baseline(tni_stack *stack);
void tni_stack_backsolve_avx2(tni_stack *stack);

// These are called after the sweeps of solve A or B: they solve all stacks, side by side; or those
// of one part.
void tni_stacks_solve(tni_solver *solver, bool use_bias);
void tni_stacks_solve_part(tni_solver *solver, uint32_t part, bool use_bias);

#endif
