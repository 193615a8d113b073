// solver/small_machine.h: a machine of up to four bodies and four joints, all of it in lanes.
//
// Two hinges and a rope, a crank with its rod and piston: so small a machine fills no groups of
// joints (solver/joint_group.h), and what its sweeps and refreshes load, turn to lanes and store is
// more than what they work out. So such a machine goes through all substeps of a step by itself,
// each body in a lane of four and each joint in another four, its two ends in the halves of eight.
// An end finds its body, and a body what an end gives it, by moving lanes; nothing is stored before
// the step ends. The phases are those of solver/substep.c and the rows those of solver/pin.h and
// solver/joint_bounded.c, with rotations of rows in float, as in groups.
//
// It takes hinges (free, or with one motor or friction), sliders, balls and fixed joints without
// anything more, rods and ropes; bodies without locks, damping or torque; worlds with nothing else
// for Gauss-Seidel to do. A step in which something comes up that it does not do (turns too large
// for the series, frames far apart, tension that asks for inertia: solver/geometric_stiffness.c) it
// leaves as a whole to solver/substep.c.
// Test: tests/world/test_small_machine.c
#ifndef TNI_SOLVER_SMALL_MACHINE_H
#define TNI_SOLVER_SMALL_MACHINE_H

#include "core/wide.h"
#include "solver/solver.h"

#define SMALL_LANES 4

// Eight at a time: each joint may tell all others.
#define SMALL_EDGES 16
// Of a point, of turns, of a bounded row.
#define SMALL_COLUMNS 7
// The place of the bounded row among a joint's: behind its point.
#define SMALL_BOUNDED_ROW 3

// Bytes of what a step keeps for the next one.
#define SMALL_ROOM 8192

#define SMALL_HOLDS      1u
#define SMALL_IS_BOUNDED 2u

// By lane; of ends those of a, then those of b.
typedef float small_numbers[SMALL_LANES];
typedef float small_ends[2 * SMALL_LANES];

// What stays while nothing is changed. Masks are 1 or 0. Units as of what they come from.
typedef struct tni_small_machine {
    bool is_loaded; // by the last step
    bool has_rows;  // `room` has them, for where the last step left the bodies
    void *room;     // of the substeps: rows, and what joints tell each other
    uint32_t body_count, fixed_count, joint_count;
    uint32_t body[SMALL_LANES]; // solver indices
    uint32_t fixed[SMALL_LANES];
    uint32_t end[2 * SMALL_LANES]; // the lane of its body: those that move, then those that do not

    // Joints of a color share no body that moves.
    uint32_t color_count;
    struct small_color {
        small_numbers has;              // joints
        uint32_t back[2 * SMALL_LANES]; // by body: the end that gives it something, if there is one
        small_numbers gets;             // bodies that have such an end
    } colors[SMALL_LANES];

    // Joints at a body: what the end of one does is told to the end of the other.
    uint32_t edge_count;
    uint32_t edge_source[SMALL_EDGES], edge_target[SMALL_EDGES], edge_place[SMALL_EDGES];
    float edge_sign[SMALL_EDGES]; // 1 where the second is b, -1 where it is a, 0 of no edge
    uint32_t ties[SMALL_LANES];   // bits: joints that are told
    uint32_t kind[SMALL_LANES];   // bits: SMALL_HOLDS, SMALL_IS_BOUNDED
    small_ends mass_scales[2][SMALL_LANES],
        impulse_scales[SMALL_LANES]; // by row: see small_sweep.h
    small_ends is_bounded_row;

    // Bodies. Their own axes here are the principal ones.
    tni_dquat axes[SMALL_LANES]; // from these to those of the body
    bool is_turned[SMALL_LANES], has_turned;
    double axis_i[SMALL_LANES]; // see core/inertia.h
    bool has_order;             // some is not 0
    double inverse[SMALL_LANES], ratio_j[SMALL_LANES], ratio_k[SMALL_LANES];
    double rate_j[SMALL_LANES], rate_k[SMALL_LANES];
    double acceleration[3][SMALL_LANES];
    bool has_unequal; // three moments that differ
    small_numbers fixed_high[3], fixed_low[3], fixed_rotation[4];
    small_ends mass;          // 1/kg
    small_ends mass_of_solve; // the same, negative for b: what v gets of the impulse -x

    // Joints: frames in the axes of their bodies.
    small_ends origin[3], axis_x[3], axis_y[3], frame[4];
    bool has_angles, has_slides, has_bounded, has_lines, has_twists;
    small_numbers holds, slides, angles; // a point; along a plane; the turns of solver/pin.h by q
    small_numbers turns[3];              // whether there is such a turn
    small_numbers lines, ropes, twists;  // rods and ropes; ropes alone; motors and friction
    small_numbers at_world;              // b is the world
    small_numbers slop, rate, most, mass_scale, impulse_scale;
    small_numbers target, cap, length; // rad/s; N·m·s; m
    small_numbers motors;              // bounded rows whose work counts
    small_numbers threshold;           // see tni_joint_block
} tni_small_machine;

// For the joints there are, where they may be one; else solver->small is null. False when memory
// cannot be had.
bool tni_small_machine_make(tni_solver *solver, tni_arena *arena);
// All substeps; or false, with nothing done.
bool tni_small_machine_run(tni_solver *solver);

// Impulses come from solver->row_states and go there.
#define SMALL_MACHINE_KERNELS(suffix)                                                              \
    bool tni_small_machine_step##suffix(const tni_solver *solver, tni_small_machine *m)
SMALL_MACHINE_KERNELS(_baseline);
SMALL_MACHINE_KERNELS(_avx2);

#endif
