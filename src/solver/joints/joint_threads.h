// solver/joints/joint_threads.h: rods, ropes and springs between particles in groups of eight: see
// solver/joints/joint_threads.c.
#ifndef TNI_SOLVER_JOINTS_JOINT_THREADS_H
#define TNI_SOLVER_JOINTS_JOINT_THREADS_H

#include "solver/joints/joint_group.h"

// m: below this length the direction between the points is not trusted. A single joint has the same
// bound.
#define JOINT_THREADS_COINCIDENT 1e-9f

// A thread is a rod, a rope, a spring, or a rope and a spring beside each other.
typedef enum tni_thread_kind {
    TNI_THREAD_ROD = 1,
    TNI_THREAD_ROPE = 2,
    TNI_THREAD_SPRING = 4,
    TNI_THREAD_ROPE_AND_SPRING = TNI_THREAD_ROPE | TNI_THREAD_SPRING,
} tni_thread_kind;

// Each lane has one number.
typedef float tni_thread_lanes[WIDE_LANES];

// A row of eight threads follows X' = keep X - mass (n . u + bias), for a rope at most 0. In each
// pair [0] is for solve B, where keep is 1 and springs rest, and [1] for solve A.
typedef struct tni_thread_row {
    _Alignas(32) tni_thread_lanes impulse;
    tni_thread_lanes keep, mass[2], bias[2];
    tni_thread_lanes more; // of a rod or rope what the second kick adds, of a spring its share
} tni_thread_row;

// This stands beside a group: first all that its sweeps read, then all that the refresh reads.
struct tni_joint_threads {
    const tni_joint_group *group;
    uint8_t kind;               // tni_thread_kind, of all eight
    uint8_t moving_a, moving_b; // as the group's
    bool has_arms;              // some end is not the centre of its body
    uint32_t body_a[WIDE_LANES], body_b[WIDE_LANES];
    tni_group_vectors along;                 // n, from a to b
    tni_thread_lanes inv_mass_a, inv_mass_b; // 1/kg
    tni_thread_row line, spring;             // of the rod or rope, and of the spring
    tni_thread_lanes length, rest;           // m: of rod or rope, and of the spring
    tni_thread_lanes gain;                   // of a spring: bias per length, 1/s
};

// Returns the kind of thread that a joint is; 0 if it may not stand in a group of threads.
tni_thread_kind tni_joint_threads_get_kind(const tni_solver *solver, const tni_joint_block *block);
// The first makes threads for the joints of a group, whose bodies they have; the second puts each
// joint into its lane, with the impulses that its rows start from.
void tni_joint_threads_init(const tni_solver *solver, tni_joint_threads *threads,
                            const tni_joint_group *group, tni_thread_kind kind);
void tni_joint_threads_start(const tni_solver *solver, const tni_joint_block *block,
                             const float *impulses);
// These return the impulses and the errors of the rows of a joint, in their order.
void tni_joint_threads_get_impulses(const tni_solver *solver, const tni_joint_block *block,
                                    float out_impulses[TNI_JOINT_MAX_ROWS]);
void tni_joint_threads_get_errors(const tni_solver *solver, const tni_joint_block *block,
                                  float out_errors[TNI_JOINT_MAX_ROWS]);

// These are the kernels. Those of sweeps are for threads that stand together.
#define JOINT_THREADS_KERNELS(suffix)                                                              \
    void tni_joint_threads_warm_start##suffix(                                                     \
        const tni_solver *solver, tni_joint_threads *threads, uint32_t count, bool is_first_half); \
    void tni_joint_threads_solve##suffix(const tni_solver *solver, tni_joint_threads *threads,     \
                                         uint32_t count, bool use_bias);                           \
    void tni_joint_threads_refresh##suffix(const tni_solver *solver, tni_joint_group *group,       \
                                           tni_joint_group_rest *rest);                            \
    void tni_joint_threads_store##suffix(const tni_joint_group *group, tni_joint_group_rest *rest)
JOINT_THREADS_KERNELS(_baseline);
JOINT_THREADS_KERNELS(_avx2);

#endif
