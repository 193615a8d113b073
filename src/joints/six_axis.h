// joints/six_axis.h: the parts of a six-axis joint: its pose, its locked axes and its values.
#ifndef TNI_JOINTS_SIX_AXIS_H
#define TNI_JOINTS_SIX_AXIS_H

#include "joints/joint.h"
#include "joints/parts/axis.h"
#include "joints/parts/point.h"
#include "joints/parts/scalar.h"

#define TNI_SIX_TURNS 3 // the first one

// The frames in the world.
typedef struct tni_six_pose {
    tni_point point;
    tni_axes a, b;
    tni_dquat q; // rotation of frame b in frame a
} tni_six_pose;

tni_six_pose tni_six_measure(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b);

// Return axis i of a frame, x, y or z, and the axes in their order from axis i on.
static inline tni_dvec3 tni_six_get_axis(const tni_axes *axes, uint32_t i) {
    return i == 0 ? axes->x : (i == 1 ? axes->y : axes->z);
}
static inline tni_axes tni_six_begin_with(const tni_axes *axes, uint32_t i) {
    tni_axes turned = {tni_six_get_axis(axes, i), tni_six_get_axis(axes, (i + 1) % 3),
                       tni_six_get_axis(axes, (i + 2) % 3)};
    return turned;
}

// Says which of the six axes are locked.
typedef struct tni_six_locks {
    bool is_locked[TN_SIX_AXIS_COUNT];
    uint32_t lengths, turns; // how many
    uint32_t lone_turn;      // 0 to 2: the free turn if two are locked, or the locked one if one is
} tni_six_locks;

static inline bool tni_six_is_locked(const tni_six_axes *axes, uint32_t which) {
    return (axes->locks & TN_SIX_AXIS_LOCK(which)) != 0;
}

tni_six_locks tni_six_find_locks(const tni_six_axes *axes);

// Adds the rows of the locked axes: translations, then turns.
void tni_six_add_locks(const tni_six_pose *pose, const tni_six_locks *locks, tni_rows *out);
// Measures how far the locked axes are off, per axis of frame a: m and rad.
void tni_six_measure_lock_errors(const tni_six_pose *pose, const tni_six_locks *locks,
                                 double linear[3], double angular[3]);

// Returns the turn, 0 to 2, that may go round: the twist, or the free one if two are locked.
static inline uint32_t tni_six_get_round_turn(const tni_six_locks *locks) {
    return locks->turns == 2 ? locks->lone_turn : 0;
}

// A turn: the angle about axis i (0 to 2), and the direction g for which g . (w_b - w_a) is its
// rate.
typedef struct tni_six_turn {
    double angle;
    tni_dvec3 direction;
    double ease; // as a scalar's
} tni_six_turn;
tni_six_turn tni_six_measure_turn(const tni_six_pose *pose, const tni_six_locks *locks, uint32_t i);

// Makes the value of one of the six; a translation has no acceleration in it.
tni_scalar tni_six_make_scalar(const tni_joint *joint, const tni_six_pose *pose,
                               const tni_six_locks *locks, uint32_t which);
// Make the value that a round limit bounds. The limit must be on.
tni_scalar tni_six_make_round_length(const tni_six_pose *pose, const tn_round_limit *limit,
                                     const tni_body_motion *a, const tni_body_motion *b);
tni_scalar tni_six_make_round_turn(const tni_six_pose *pose, const tn_round_limit *limit);

uint32_t tni_six_count_rows(const tni_six_axes *axes);
// Measures the value of one axis, for getters.
tni_joint_value tni_six_measure_value(const tni_joint *joint, const tni_body_motion *a,
                                      const tni_body_motion *b, uint32_t which);

#endif
