// solver/step/choice.h: TN_SOLVER_AUTO chooses the method for a mechanism by its traits.
#ifndef TNI_SOLVER_STEP_CHOICE_H
#define TNI_SOLVER_STEP_CHOICE_H

#include "solver/matrix/block_ldl.h"
#include "tenon/telemetry.h"

// m: a tolerance below these is not kept by Gauss-Seidel, or by conjugate gradients.
#define TNI_CHOICE_PGS_KEEPS 1e-3
#define TNI_CHOICE_CG_KEEPS  5e-4

// Masses at a joint of more than this ratio are not for conjugate gradients, nor for sweeps that
// alternate; where it holds a point they are not for sweeps at all. A person's shoulder has 11.
#define TNI_CHOICE_MASS_RATIO 16.0

// A body that carries more than this many times its own mass asks for more than Gauss-Seidel; in a
// mechanism that hangs and dissipates, so does one that carries the second many times, or more
// bodies than the third. Figures have 1.6 at most, trebuchets 20, lamps and chains 26 and more.
#define TNI_CHOICE_MOST_LOAD   8.0
#define TNI_CHOICE_HUNG_LOAD   4.0
#define TNI_CHOICE_HUNG_BODIES 2

// A loose mechanism of rigid joints alone is exact where it has more pieces than this, one of which
// carries about its own mass: a chain that falls on a floor opens by a centimetre in sweeps, a
// wagon on hinged wheels does not.
#define TNI_CHOICE_LOOSE_PIECES 2
#define TNI_CHOICE_CHAIN_LOAD   0.9

// A mechanism that is chosen to be exact has no more rows over several bodies than this: each costs
// a solve.
#define TNI_CHOICE_MOST_SPAN_ROWS 32

// A mechanism that is chosen to be exact has no more contacts than this.
#define TNI_CHOICE_MOST_CONTACTS 16

typedef enum tni_choice_method {
    TNI_CHOICE_OPEN = 0, // not made yet
    TNI_CHOICE_PGS,
    TNI_CHOICE_DIRECT,
    TNI_CHOICE_CG,
} tni_choice_method;

typedef struct tni_choice {
    tni_choice_method method;
    tn_mechanism_reason reason;
} tni_choice;

// A mechanism has these traits. Nothing here changes while contacts come and go.
typedef struct tni_choice_traits {
    uint32_t bodies, joints; // bodies: those that move
    uint32_t pieces;         // of what is loose, that is fixed together; else as many as bodies
    uint32_t rows;           // of all joints, with motors, springs and limits
    uint32_t equalities;     // of these, the rows of rigid joints
    uint32_t loops;          // joints that move, beyond those of a tree. What stands is one
                             // body, and so is what is fixed together
    uint32_t cycles;         // the same of all joints
    uint32_t mesh_cycles;    // of these, what hinges and sliders do not close among themselves
    bool are_points;         // its bodies are particles
    bool is_hung;            // by rigid rows or ropes, on something that does not move
    bool is_led;             // by the time
    bool is_asked;           // a joint of it asks for DIRECT
    bool has_opened;         // a joint of it was open while it was swept
    bool needs_more;         // Gauss-Seidel does not keep the tolerance asked for
    bool needs_exact;        // nor do conjugate gradients, or it was missed
    uint32_t span_rows; // of these, rows of several bodies, which conjugate gradients do not take
    uint32_t ropes;     // of the rows, those of ropes that make no net
    uint32_t net_ropes; // and those of ropes that do
    double mass_ratio;  // the largest between the two bodies of a joint
    double load;        // see world/mechanisms/mechanism_load.c
    double point_ratio; // as mass_ratio, of the joints that hold a point
} tni_choice_traits;

// Returns which method the mechanism deserves, whatever that costs.
tni_choice tni_choice_from_traits(const tni_choice_traits *traits);
// Has it many cycles for its bodies? Then it is a mesh or a net.
bool tni_choice_is_dense(const tni_choice_traits *traits);
// Is it a mesh or net of particles on rods or ropes, of a size that conjugate gradients can bear
// while something heavy lies in it?
bool tni_choice_may_bear(const tni_choice_traits *traits);
// Returns whether the work of a factorisation has to be known: a tree's follows from its rows, and
// a mesh or a large net goes to conjugate gradients in any case.
bool tni_choice_asks_for_work(tni_choice choice, const tni_choice_traits *traits);
// Returns the multiply-adds of one factorisation.
double tni_choice_get_work(const tni_block_pattern *pattern);
// Returns the same choice where a factorisation may cost `work`, else conjugate gradients or
// Gauss-Seidel.
tni_choice tni_choice_afford(tni_choice choice, const tni_choice_traits *traits, double work);

#endif
