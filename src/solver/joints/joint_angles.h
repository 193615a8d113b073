// solver/joints/joint_angles.h: the angles of eight joints in lanes: held ones, and those with a
// range.
//
// A tni_joint_group has the points of its joints. Beside it stand here the turns of eight hinges,
// of eight fixed joints or of eight sliders, and the angles that a limit keeps in their range: the
// swing (a cone) and the twist of a ball joint, the angle of a hinge. Equalities and ranges of a
// group are solved together while its bodies are in registers: the rows, their order and their
// equations are those of solver/rows/pin.h and solver/joints/joint_bounded.c. All the joints of a
// group have the same number of turns.
//
// A range has two ends, with one row each about the same axis u: x >= 0 pushes b about +u where it
// is the lower end, about -u where it is the upper. If a joint lacks a range, its two ends are
// infinitely far. An end that is far, or in a lane without a joint, is asleep: its mass is zero.
// Pairs of numbers hold that of solve B first, then that of solve A. Test:
// tests/solver/joints/test_joint_angles.c
#ifndef TNI_SOLVER_JOINTS_JOINT_ANGLES_H
#define TNI_SOLVER_JOINTS_JOINT_ANGLES_H

#include "solver/joints/joint_group.h"

// Each lane has one number.
typedef float tni_angle_lanes[WIDE_LANES];

typedef struct tni_angle_end {
    // X is held at zero or above:  X' = max(keep X - mass (J v + bias), 0), keep 1 in solve B.
    _Alignas(32) tni_angle_lanes impulse;
    tni_angle_lanes warm, keep, mass[2], bias[2];
    tni_angle_lanes error; // C, rad: how far the end is
    tni_angle_lanes awake; // 1 or 0
    tni_angle_lanes room;  // rad, from the middle of the range to this end
} tni_angle_end;

typedef struct tni_angle_range {
    tni_group_vectors axis;          // u
    tni_group_vectors through;       // y: what the equalities do about a unit impulse, at the point
    tni_angle_lanes through_turn[3]; // and at the turns,
    tni_group_vectors through_turns; // whose sum this is as a vector
    tni_angle_lanes response[2];     // of the angle's rate to a unit impulse
    tni_angle_end end[2];            // lower, upper
    tni_angle_lanes bend;            // rad/s: the share of Jdot v in the bias of solve A
    tni_angle_lanes middle;          // rad
    bool is_used, is_awake;          // by some lane, at some end
} tni_angle_range;

typedef struct tni_joint_angles {
    uint32_t turns;
    bool slides;                // the point along x of frame a: two rows of it, and three turns
    tni_group_vectors plane[2]; // then the vectors across; impulses are in their plane
    tni_group_vectors axis[3];  // u_k of the turns
    tni_angle_lanes bias[3], impulse[3], warm[3], error[3];
    tni_group_vectors to_point[3]; // of K^-1 the point's rows, column k of the turns
    tni_angle_lanes inverse[6];    // of K^-1 the turns' block: xx, yy, zz, xy, xz, yz
    tni_angle_range swing, twist;
    tni_angle_lanes frame_a[4], frame_b[4];  // rotations of the frames in the bodies' axes
    tni_group_vectors world_high, world_low; // m: the anchor of a, as a sum, where a is the world
    tni_angle_lanes length, change;          // rad: as the group's, of the errors of its angles
} tni_joint_angles;

// Returns whether a joint has only turns and ranges of angles beside its point.
bool tni_joint_angles_suit(const tni_joint_block *block);

// These make an empty record; put a joint into its lane, with the impulses of all its rows; and
// return these impulses.
void tni_joint_angles_init(tni_joint_angles *angles, uint32_t turns, bool slides);
// Takes a joint out of its lane: none of its rows acts any more.
void tni_joint_angles_clear_lane(tni_joint_angles *angles, uint32_t lane);
void tni_joint_angles_start(const tni_solver *solver, const tni_joint_block *block,
                            const float *impulses);
void tni_joint_angles_get_impulses(const tni_solver *solver, const tni_joint_block *block,
                                   float out_impulses[TNI_JOINT_MAX_ROWS]);
void tni_joint_angles_forget(const tni_solver *solver, const tni_joint_block *block);
// Starts the next step with the present impulses.
void tni_joint_angles_restart(tni_joint_angles *angles);
// Returns the errors of a joint's rows behind the point, as tni_joint_block_get_errors gives them.
void tni_joint_angles_get_errors(const tni_solver *solver, const tni_joint_block *block,
                                 float out_errors[TNI_JOINT_MAX_ROWS]);

// Inverts K of one lane where it is singular, by general elimination.
void tni_joint_angles_invert_lane(const tni_solver *solver, tni_joint_group *group,
                                  const tni_joint_group_rest *rest, uint32_t lane);

#endif
