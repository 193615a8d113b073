// solver/joints/joint_group.h: joints in groups of eight, one in each lane, swept together.
//
// Sweeps over many joints one at a time wait for memory and for themselves. So where there are many
// the joints stand eight side by side: number c of an arm, of K^-1 or of an impulse is one
// vector of eight, and nothing is shuffled but the bodies on their way in and out.
//
// The order of the sweep does not change, except for large nets (solver/joints/joint_group.c). A
// joint depends on those before it that share a body with it that moves; its level is one more than
// the greatest of theirs, so the joints of a level share none and may be taken at once, and level
// by level every joint sees what it would see one by one. Long chains of machines have no more than
// one joint in a level: these, and joints of another form, stay one at a time between the groups.
// For symbols see solver/rows/pin.h.
//
// Poses come from tni_body_place, where each body stands once in float. Its position is the sum of
// two floats, so that distances of bodies far from the origin are as good as those near it.
// Joints of conjugate gradients have groups too, behind those that are swept:
// solver/gradients/gradient_lanes.h says which joints are together, the phases are the same.
// Hinges, sliders, fixed joints and joints with limits have more beside their points:
// solver/joints/joint_angles.h; rods, ropes and springs between particles have records of their
// own: solver/joints/joint_threads.h. Joints with other bounded rows are swept one at a time. A
// lane that no joint is in has the world for bodies and K^-1 = 0, so nothing comes of it. Test:
// tests/solver/joints/test_joint_group.c
#ifndef TNI_SOLVER_JOINTS_JOINT_GROUP_H
#define TNI_SOLVER_JOINTS_JOINT_GROUP_H

#include "core/wide.h"
#include "solver/rows/pin.h"
#include "solver/solver.h"

// rad: the prediction of Jdot v fades out from one radian before this turn in a substep to it.
#define JOINT_PREDICTION_END 1.5f
// rad: the bias of angular rows fades out likewise until this turn. The error that they correct
// turns with the body while the correction acts, and past half a turn it would push the wrong way.
#define JOINT_BIAS_TURN 2.5f
// A piece of fewer groups than this is not worth a second worker.
#define JOINT_GROUP_MIN_RANGE 16

// Joints read this part of a body's pose: its rotation, its position as high + low, and its angular
// velocity.
struct tni_body_place {
    float rotation[4];
    float high[4], low[4]; // m
    float w[4];            // rad/s
};

// These are eight vectors, component by component.
typedef struct tni_group_vectors {
    _Alignas(32) float n[3][WIDE_LANES];
} tni_group_vectors;

// Sweeps read this:
struct tni_joint_group {
    uint8_t moving_a, moving_b; // a bit for each lane in use whose body can be moved
    uint32_t body_a[WIDE_LANES], body_b[WIDE_LANES]; // solver indices
    tni_group_vectors r_a, r_b, bias, impulse, warm;
    float inverse[6][WIDE_LANES]; // of K: xx, yy, zz, xy, xz, yz
};

// Only the refresh and the end of a substep read this:
struct tni_joint_group_rest {
    tni_group_vectors anchor_a, anchor_b; // m, in the bodies' axes
    tni_group_vectors error;              // m
    tni_group_vectors force, torque;      // as tni_joint_block's
    float threshold[WIDE_LANES];          // see solver/bodies/geometric_stiffness.c
    float rate;                           // of the softness of all its joints, 1/s
    uint32_t block[WIDE_LANES];           // of solver->joints
    uint32_t count;                       // of joints
    bool may_stiffen;                     // in this substep: what tni_..._store says
    float length[WIDE_LANES];             // m: of the error, at the end of the last step
    float change[WIDE_LANES];             // m: by how much it is another than a step before
    tni_joint_angles *angles;             // what they have beside their points, or null
    tni_joint_threads *threads;           // see solver/joints/joint_threads.h; else null
};

// An item is a group of the sweep, or blocks that are swept one after the other.
struct tni_joint_item {
    uint32_t group; // or TNI_NONE
    uint32_t first_single, single_count;
};

// A turn has groups, then blocks that are swept one at a time; then the next turn has more of both.
struct tni_joint_turn {
    uint32_t group_count, single_count;
    uint32_t part; // see solver/joints/joint_part.c
};

// A part has these items, from the first of each on: see solver/joints/joint_part.c.
struct tni_joint_part {
    uint32_t first_group, group_count;
    uint32_t first_single, single_count;
    uint32_t first_turn, turn_count;
    uint32_t first_place, place_count; // of place_bodies
};

// Writes a body's place from its motion.
static inline void tni_joint_place(const tni_solver *solver, uint32_t body) {
    const tni_body_motion *motion = &solver->bodies.motions[body];
    tni_body_place *place = &solver->lanes.places[body];
    const double *x = &motion->position.x, *q = &motion->rotation.x;
    for (uint32_t c = 0; c < 3; ++c) {
        place->high[c] = (float)x[c];
        place->low[c] = (float)(x[c] - (double)place->high[c]);
    }
    for (uint32_t c = 0; c < 4; ++c) {
        place->rotation[c] = (float)q[c];
    }
    f4_store(place->w, tni_pin_vector(motion->angular_velocity));
    place->high[3] = place->low[3] = 0.0f;
}

static inline tni_f4 joint_group_get(const tni_group_vectors *v, uint32_t lane) {
    return f4_make(v->n[0][lane], v->n[1][lane], v->n[2][lane], 0.0f);
}

static inline tni_joint_group_rest *joint_group_rest(const tni_solver *solver,
                                                     const tni_joint_block *block) {
    return &solver->lanes.rests[block->group - solver->lanes.groups];
}

static inline void joint_group_set(tni_group_vectors *v, uint32_t lane, tni_f4 x) {
    float numbers[4];
    f4_store(numbers, x);
    for (uint32_t i = 0; i < 3; ++i) {
        v->n[i][lane] = numbers[i];
    }
}

// Empties a lane for sweeps: both bodies are the world, and its rows do nothing.
static inline void joint_group_empty_lane(tni_joint_group *group, uint32_t lane) {
    for (uint32_t i = 0; i < 6; ++i) {
        group->inverse[i][lane] = 0.0f;
    }
    joint_group_set(&group->impulse, lane, f4_zero());
    group->body_a[lane] = group->body_b[lane] = 0;
    group->moving_a &= (uint8_t) ~(1u << lane);
    group->moving_b &= (uint8_t) ~(1u << lane);
}

// Sets the six numbers of a symmetric matrix from its columns.
static inline void joint_group_set_symmetric(float n[6][WIDE_LANES], uint32_t lane,
                                             const tni_f4 columns[3]) {
    float c[3][4];
    for (uint32_t i = 0; i < 3; ++i) {
        f4_store(c[i], columns[i]);
        n[i][lane] = c[i][i];
    }
    n[3][lane] = c[1][0];
    n[4][lane] = c[2][0];
    n[5][lane] = c[2][1];
}

// Counts the blocks that are in no group: swept ones in the order of the sweep, then those of
// conjugate gradients.
static inline uint32_t joint_count_lone(const tni_solver *solver) {
    return solver->lanes.group_count > 0 ? solver->lanes.single_count : solver->joints.count;
}
static inline uint32_t joint_get_lone(const tni_solver *solver, uint32_t i) {
    return solver->lanes.group_count > 0 ? solver->lanes.singles[i] : i;
}

// Puts joints into groups, if there are enough of them, in memory of `arena`, with `scratch` for
// the work. Returns false when memory cannot be had.
bool tni_joint_groups_make(tni_solver *solver, tni_arena *arena, tni_arena *scratch);
// The first starts the next step with the present impulses; the second gives a joint the impulses
// that its block starts from.
void tni_joint_groups_restart(tni_solver *solver);
void tni_joint_group_start(const tni_solver *solver, const tni_joint_block *block,
                           const float *impulses);

// Groups have these phases: a sweep or a warm start.
typedef enum tni_sweep_phase {
    TNI_SWEEP_WARM_FIRST,
    TNI_SWEEP_WARM_SECOND,
    TNI_SWEEP_SOLVE,
    TNI_SWEEP_RELAX,
} tni_sweep_phase;
// Sweeps some groups alone, without the blocks between them.
void tni_joint_groups_sweep(tni_solver *solver, tni_sweep_phase phase, uint32_t first,
                            uint32_t last);
// Writes the places of the bodies of all groups.
void tni_joint_groups_place(tni_solver *solver);

// These are the phases, see solver.h.
void tni_joint_groups_refresh(tni_solver *solver);
void tni_joint_groups_warm_start(tni_solver *solver, bool is_first_half);
// Makes one sweep over all that is swept, also joints that are in no group.
void tni_joint_groups_solve(tni_solver *solver, bool use_bias);
// Is called before the first refresh: adds the stiffness that the impulses make.
void tni_joint_groups_stiffen(tni_solver *solver);
// Is called after a substep: stores forces and torques of their joints, and the stiffness that
// these make.
void tni_joint_groups_store(tni_solver *solver);

// A step looks for this at its end, m (for angles rad): errors above the tolerance; and errors
// above `open` that change by more than this share of themselves.
typedef struct tni_joint_limits {
    float tolerance, angular_tolerance, open, closing_share;
} tni_joint_limits;

// These take eight lanes at a time, for each vector unit: solver/joints/joint_group_wide.c and
// solver/joints/joint_group_refresh_wide.c. `angles` is null for joints of a point alone. Refresh
// returns false where K of some lane, or of an unused one, is singular: K^-1 is zero there. Prepare
// comes after it where a range is awake, once K^-1 is right. Store returns true where some joint
// may stiffen its bodies. Finish, after the step, takes the lengths of the points' errors, and of
// those of the angles; it returns true where some joint is beyond the limits, or farther off than
// `worst`, which is then set to the worst of all.
#define JOINT_GROUP_KERNELS(suffix)                                                                \
    bool tni_joint_group_refresh##suffix(const tni_solver *solver, tni_joint_group *group,         \
                                         tni_joint_group_rest *rest);                              \
    void tni_joint_group_prepare##suffix(const tni_solver *solver, const tni_joint_group *group,   \
                                         tni_joint_group_rest *rest);                              \
    void tni_joint_group_warm_start##suffix(const tni_solver *solver, tni_joint_group *group,      \
                                            struct tni_joint_angles *angles, bool is_first_half);  \
    void tni_joint_group_solve##suffix(const tni_solver *solver, tni_joint_group *group,           \
                                       struct tni_joint_angles *angles, tni_softness soft,         \
                                       bool use_bias);                                             \
    bool tni_joint_group_store##suffix(const tni_joint_group *group, tni_joint_group_rest *rest);  \
    bool tni_joint_group_finish##suffix(tni_joint_group_rest *rest,                                \
                                        const tni_joint_limits *limits, float *worst);             \
    bool tni_joint_angles_finish##suffix(struct tni_joint_angles *angles,                          \
                                         const tni_joint_limits *limits, float *worst)
JOINT_GROUP_KERNELS(_baseline);
JOINT_GROUP_KERNELS(_avx2);

// Ties the bodies of the first `count` joints together: `roots`, a number for each body, become
// trees of bodies that move (core/union_find.h). The second returns the root of a joint's bodies in
// there. See solver/joints/joint_part.c.
void tni_joint_blocks_tie(const tni_solver *solver, uint32_t count, uint32_t *roots);
uint32_t tni_joint_block_get_root(const tni_solver *solver, uint32_t *roots,
                                  const tni_joint_block *block);

// The first finds, where there are many trees, the part of each joint that is swept, the number of
// parts, and which body is in which part; scratch is two numbers for each body. The second, once
// the items are there, finds the items of each part. Both return false when memory cannot be had.
// See solver/joints/joint_part.c.
bool tni_joint_parts_find(tni_solver *solver, tni_arena *arena, uint32_t *parts, uint32_t *scratch);
bool tni_joint_parts_make(tni_solver *solver, tni_arena *arena);

// Makes the items of a sweep in its order, in loops: those of one loop share no body that moves.
// Returns false when memory cannot be had. See solver/joints/joint_sweep.c.
bool tni_joint_items_make(tni_solver *solver, tni_arena *arena, tni_arena *scratch);

#endif
