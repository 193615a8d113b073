// solver/body_columns.h: what joints ask of bodies, number by number: a column of floats for each.
//
// Eight joints of a net that was built row by row tie bodies whose indices follow each other, or
// every second one. Where that is so for nearly all of its groups, velocities and places stand in
// columns by body instead of in one record for each: a group then loads eight bodies' number at
// once, and nothing is transposed. See tni_group_reach in solver/joint_group.h and
// solver/joint_column_wide.c. In a step with columns nothing reads the velocities of `states`.
//
// What moves the bodies has its poses in columns of doubles beside them:
// solver/drift_column_wide.c. From the start of a step to its end these are the poses, and not
// those of `motions`.
#ifndef TNI_SOLVER_BODY_COLUMNS_H
#define TNI_SOLVER_BODY_COLUMNS_H

#include "solver/pin.h"
#include "solver/solver.h"

// The first of their columns.
enum {
    COLUMN_V = 0,        // x, y, z, m/s
    COLUMN_W = 3,        // rad/s
    COLUMN_ROTATION = 6, // four; from here on as tni_body_place's
    COLUMN_HIGH = 10,
    COLUMN_LOW = 13,
    COLUMN_PLACE_W = 16,
    COLUMN_PLACE_END = 19,
    COLUMN_KICK = 19, // m/s: what gravity and force add in half a substep
    COLUMN_COUNT = 22,
};

// And of those in double.
enum {
    POSE_COLUMN_POSITION = 0, // x, y, z, m
    POSE_COLUMN_ROTATION = 3, // four
    POSE_COLUMN_COUNT = 7,
};

// Lines of the cache between two columns, and within a column between bodies that are written by
// one worker and those of others: a processor that goes along some fetches ahead of them, and would
// take lines from the worker who has the next. So the world, which is read for lanes that no joint
// is in, each strip, and behind them what does not move stand apart.
#define COLUMN_GAP       32u
#define COLUMN_STRIP_GAP 16u

// Floats.
#define COLUMN_LINE ((uint32_t)(TNI_CACHE_LINE / sizeof(float)))

// Numbers from a column to the next: an odd number of cache lines of floats, lest columns of a body
// share a set of the cache.
static inline size_t columns_get_stride(uint32_t count) {
    return ((((size_t)count + COLUMN_LINE - 1) / COLUMN_LINE + COLUMN_GAP) | 1) * COLUMN_LINE;
}

static inline float *columns_get(const tni_solver *solver, uint32_t column) {
    return solver->columns + column * solver->column_stride;
}

static inline tni_f4 columns_get_vector(const tni_solver *solver, uint32_t column, uint32_t body) {
    const float *x = columns_get(solver, column) + solver->column_of[body];
    return f4_make(x[0], x[solver->column_stride], x[2 * solver->column_stride], 0.0f);
}

static inline void columns_set_vector(const tni_solver *solver, uint32_t column, uint32_t body,
                                      tni_f4 v) {
    float numbers[4], *x = columns_get(solver, column) + solver->column_of[body];
    f4_store(numbers, v);
    for (uint32_t i = 0; i < 3; ++i) {
        x[i * solver->column_stride] = numbers[i];
    }
}

static inline double *columns_get_poses(const tni_solver *solver, uint32_t column) {
    return solver->pose_columns + column * solver->column_stride;
}

static inline tni_dquat columns_get_rotation(const tni_solver *solver, uint32_t body) {
    const double *q = columns_get_poses(solver, POSE_COLUMN_ROTATION) + solver->column_of[body];
    size_t stride = solver->column_stride;
    tni_dquat rotation = {q[0], q[stride], q[2 * stride], q[3 * stride]};
    return rotation;
}

// Of a body in any step.
static inline tni_dquat columns_find_rotation(const tni_solver *solver, uint32_t body) {
    return solver->uses_columns ? columns_get_rotation(solver, body)
                                : solver->motions[body].rotation;
}

// True where that is another number.
static inline bool columns_set_pose(const tni_solver *solver, uint32_t column, uint32_t body,
                                    double x) {
    double *own = columns_get_poses(solver, column) + solver->column_of[body];
    bool is_other = *own != x;
    *own = x;
    return is_other;
}

// The pose of the body's motion into columns of both kinds; true where it is another than there.
// As tni_joint_place.
static inline bool columns_place(const tni_solver *solver, uint32_t body) {
    const tni_body_motion *motion = &solver->motions[body];
    const double *x = &motion->position.x, *q = &motion->rotation.x;
    uint32_t place = solver->column_of[body];
    bool has_moved = false;
    for (uint32_t c = 0; c < 3; ++c) {
        has_moved |= columns_set_pose(solver, POSE_COLUMN_POSITION + c, body, x[c]);
    }
    for (uint32_t c = 0; c < 4; ++c) {
        has_moved |= columns_set_pose(solver, POSE_COLUMN_ROTATION + c, body, q[c]);
    }
    for (uint32_t c = 0; c < 3; ++c) {
        float high = (float)x[c];
        columns_get(solver, COLUMN_HIGH + c)[place] = high;
        columns_get(solver, COLUMN_LOW + c)[place] = (float)(x[c] - (double)high);
    }
    for (uint32_t c = 0; c < 4; ++c) {
        columns_get(solver, COLUMN_ROTATION + c)[place] = (float)q[c];
    }
    columns_set_vector(solver, COLUMN_PLACE_W, body, tni_pin_vector(motion->angular_velocity));
    return has_moved;
}

#endif
