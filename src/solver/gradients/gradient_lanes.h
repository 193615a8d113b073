// solver/gradients/gradient_lanes.h: joints of a mechanism in groups of eight, one in each lane.
//
// Conjugate gradients read the rows of every joint twice in each iteration, and compute little with
// them. So the rows are copied out of the blocks, eight joints side by side: number c of J, of the
// arms or of K^-1 is one vector of eight, and nothing is shuffled but the velocities of the bodies
// on their way in and out. The joints of a group share no body that moves, so that a sweep may take
// them at once. There are five kinds,
//     POINT      three rows of a point
//     UNIVERSAL  a point and one turn
//     HINGE      a point and two turns
//     FRAME      a point and three turns
//     ROWS       up to three rows of any J: rods, points on curves, welds with a soft point
// Points of large mechanisms without bounded rows are kept in groups of
// solver/joints/joint_group.h, whose refresh and warm start they share. A lane that no joint is in
// has K^-1 = 0 and the world for bodies, so nothing comes of it.
//
// Turns stand in the world's axes: of rows u_k . (w_b - w_a), with U = [u_0 u_1 u_2], impulses t_k
// and a block S^-1 of K^-1,
//     J v = w_b - w_a    t = U (t_k)    block U S^-1 U^T    bias = U^-T (bias_k)
// so that u_k need not be read. With one turn U^-T is u_0 / |u_0|^2, and the part of J v along u_0
// is taken. With two turns u_2 is the unit vector across u_0 and u_1, and its row of K^-1 is zero.
// The part of J v along it, which may be large, is taken out all the same, so that it leaves no
// round-off.
//
// D'^-1 = mass_scale K^-1: see solver/gradients/conjugate_gradients.c. For the symbols of a point
// and its turns see solver/rows/pin.h, for products solver/gradients/gradient_algebra.h. Test:
// tests/solver/gradients/test_gradient_lanes.c
#ifndef TNI_SOLVER_GRADIENTS_GRADIENT_LANES_H
#define TNI_SOLVER_GRADIENTS_GRADIENT_LANES_H

#include "core/memory/arena.h"
#include "core/wide.h"
#include "solver/gradients/gradient_block.h"

#define TNI_GRADIENT_LANES WIDE_LANES

typedef enum tni_lanes_kind {
    TNI_LANES_POINT,
    TNI_LANES_UNIVERSAL,
    TNI_LANES_HINGE,
    TNI_LANES_FRAME,
    TNI_LANES_ROWS,
} tni_lanes_kind;

// Each of eight joints has one number here; arrays of these are vectors and matrices, component by
// component.
typedef struct tni_lanes {
    float lane[TNI_GRADIENT_LANES];
} tni_lanes;

// These are a body's inverses; symmetric matrices stand as xx, yy, zz, xy, xz, yz.
typedef struct tni_lanes_masses {
    tni_lanes mass[3], inertia[6];
} tni_lanes_masses;

typedef struct tni_lanes_turns {
    tni_lanes inverse[6];
    tni_lanes coupling[9]; // row j of the point and turn k in [3 j + k]
    tni_lanes axis[9];     // component c of u_k in [3 k + c]
    tni_lanes dual[9];     // of the columns of U^-T likewise
} tni_lanes_turns;

typedef struct tni_lanes_members {
    uint32_t body_a[TNI_GRADIENT_LANES], body_b[TNI_GRADIENT_LANES]; // of the solver
    // These are places in `change` and `along` of the mechanism; 0 for all bodies that do not move.
    uint32_t own_a[TNI_GRADIENT_LANES], own_b[TNI_GRADIENT_LANES];
    uint32_t joint[TNI_GRADIENT_LANES]; // of the mechanism; the first where there is none
    uint32_t count;
    tni_lanes_kind kind;
    bool is_grouped; // a group of solver/joints/joint_group.h has their rows and impulses
} tni_lanes_members;

// A group whose joints stand in blocks has these numbers: arms, and K^-1 of the point or the rows.
typedef struct tni_lanes_points {
    tni_lanes r_a[3], r_b[3], inverse[6];
} tni_lanes_points;

struct tni_gradient_lanes {
    tni_lanes_members members;
    uint32_t first_row; // of the vectors
    tni_lanes mass_scale, impulse_scale, gamma;
    const float *r_a, *r_b, *inverse; // component by component, in `points` or in `group`
    tni_lanes_points *points;         // or null, where `group` has them
    tni_lanes turnable;               // the greatest of 1/I of both bodies, 1/(kg m^2)
    tni_joint_group *group;           // or null, where the blocks have rows and impulses
    const tni_joint_group_rest *rest;
    tni_lanes_turns *turns;
    tni_lanes *jacobian; // component c of lin_a, ang_a, lin_b, ang_b: of row i in [3 c + i]
    tni_lanes_masses *of_a, *of_b; // where the mechanism is swept
};

// These are r.D'^-1 r and b.D'^-1 b.
typedef struct tni_lanes_sums {
    double residual, right_side;
} tni_lanes_sums;

// Makes groups for the joints of a mechanism; returns false when memory cannot be had.
bool tni_gradient_lanes_pack(const tni_solver *solver, tni_gradients *gradients, tni_arena *arena);
// Loads their present rows, where they are not there yet.
void tni_gradient_lanes_load(const tni_solver *solver, tni_gradients *gradients);
// Returns a joint's impulses among those found.
tni_pin_numbers tni_gradient_lanes_get_found(const tni_gradients *gradients,
                                             const tni_gradient_lanes *group, uint32_t lane);

// ---- passes over all groups, for each vector unit ----------------------------------------------

// The start and the end of a solve: solver/gradients/gradient_start_wide.c.
//   load         the rows of a group
//   push         W J^T x of the blocks' impulses, with what was found or without, in `along`
//   start_bias   solve A, from the velocities and what was pushed; where has_residual, up to z
//   start_relax  solve B, up to z
//   take         what was found to velocities and impulses
//   is_strained  whether a group's joints may be strained: see solver/gradients/gradients_strain.c
// An iteration: solver/gradients/gradient_passes_wide.c.
//   begin        with sweeps: the first y, from which comes y.s
//   turn         p, from which comes p.A p
//   advance      the step, from which comes r.z
#define GRADIENT_KERNELS(suffix)                                                                   \
    void tni_lanes_load##suffix(const tni_solver *solver, tni_gradients *g);                       \
    void tni_lanes_push##suffix(const tni_solver *solver, const tni_gradients *g,                  \
                                bool adds_found);                                                  \
    tni_lanes_sums tni_lanes_start_bias##suffix(const tni_solver *solver, const tni_gradients *g,  \
                                                bool has_residual);                                \
    double tni_lanes_start_relax##suffix(const tni_solver *solver, const tni_gradients *g);        \
    void tni_lanes_take##suffix(const tni_solver *solver, const tni_gradients *g);                 \
    bool tni_lanes_is_strained##suffix(const tni_solver *solver, const tni_gradients *g,           \
                                       const tni_gradient_lanes *group, bool adds_found,           \
                                       float least);                                               \
    double tni_lanes_begin##suffix(const tni_gradients *g);                                        \
    double tni_lanes_turn##suffix(const tni_gradients *g, float beta);                             \
    double tni_lanes_advance##suffix(const tni_gradients *g, float alpha)
GRADIENT_KERNELS(_baseline);
GRADIENT_KERNELS(_avx2);

static inline float *gradient_numbers(tni_gradient_motion *motions, uint32_t body) {
    return (float *)&motions[body];
}

// ---- numbers of a group -----------------------------------------------------------------------

// These are places in the vectors, row by row, by either preconditioner's names.
typedef struct tni_lanes_numbers {
    union {
        float *r, *s;
    };
    union {
        float *z, *y;
    };
    union {
        float *image, *w; // image: A p
    };
    float *x, *p, *q, *m;
} tni_lanes_numbers;

static inline tni_lanes_numbers lanes_numbers(const tni_gradients *g,
                                              const tni_gradient_lanes *group) {
    float *const *vectors = g->lane_vectors;
    size_t at = (size_t)TNI_GRADIENT_LANES * group->first_row;
    tni_lanes_numbers numbers = {.r = vectors[0] + at,
                                 .z = vectors[1] + at,
                                 .image = vectors[2] + at,
                                 .x = vectors[3] + at,
                                 .p = vectors[4] + at,
                                 .q = vectors[5] + at,
                                 .m = vectors[6] + at};
    return numbers;
}

static inline bool lanes_have_turns(tni_lanes_kind kind) {
    return kind == TNI_LANES_UNIVERSAL || kind == TNI_LANES_HINGE || kind == TNI_LANES_FRAME;
}

static inline uint32_t lanes_rows(tni_lanes_kind kind) {
    return lanes_have_turns(kind) ? 6 : 3;
}

static inline const tni_joint_block *lanes_block(const tni_solver *solver, const tni_gradients *g,
                                                 const tni_gradient_lanes *group, uint32_t i) {
    return &solver->joints.blocks[g->first + group->members.joint[i]];
}

#endif
