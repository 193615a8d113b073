// solver/joints/joint_angles.c: joints go into their lanes and back, and singular lanes are
// inverted one by one.
//
// See solver/joints/joint_angles.h. Test: tests/solver/joints/test_joint_angles.c
#include "solver/joints/joint_angles.h"

#include <string.h>

#include "solver/rows/pin.h"

// ---- joints into lanes and back ----------------------------------------------------------------

// These are the ends of a joint's bounded rows, in their order.
typedef struct angles_ends {
    tni_angle_end *end[3];
    uint32_t count;
} angles_ends;

bool tni_joint_angles_suit(const tni_joint_block *block) {
    if (block->row_count == block->equality_count) {
        return true;
    }
    tni_joint_ranges ranges;
    // Limits of a machine come last: see solver/joints/joint_machine.c.
    return block->machine == 0 && tni_joint_get_ranges(block->joint, &ranges);
}

static angles_ends angles_get_ends(const tni_solver *solver, const tni_joint_block *block) {
    tni_joint_angles *angles = joint_group_rest(solver, block)->angles;
    uint32_t bounded = (uint32_t)block->row_count - block->equality_count;
    angles_ends ends = {.count = 0};
    if (bounded == 1 || bounded == 3) {
        ends.end[ends.count++] = &angles->swing.end[1];
    }
    if (bounded >= 2) {
        ends.end[ends.count++] = &angles->twist.end[0];
        ends.end[ends.count++] = &angles->twist.end[1];
    }
    return ends;
}

static void angles_open_lane(tni_joint_angles *angles, uint32_t lane) {
    tni_angle_range *ranges[2] = {&angles->swing, &angles->twist};
    angles->frame_a[3][lane] = angles->frame_b[3][lane] = 1.0f;
    // Until the first refresh brings the plane, impulses are numbers of the rows.
    angles->plane[0].n[0][lane] = angles->plane[1].n[1][lane] = 1.0f;
    for (uint32_t i = 0; i < 4; ++i) {
        ranges[i / 2]->end[i % 2].room[lane] = INFINITY;
    }
}

void tni_joint_angles_init(tni_joint_angles *angles, uint32_t turns, bool slides) {
    memset(angles, 0, sizeof *angles);
    angles->turns = turns;
    angles->slides = slides;
    for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
        angles_open_lane(angles, lane);
    }
}

static void angles_clear_range(tni_angle_range *range, uint32_t lane) {
    for (uint32_t e = 0; e < 2; ++e) {
        tni_angle_end *end = &range->end[e];
        end->impulse[lane] = end->warm[lane] = end->error[lane] = end->awake[lane] = 0.0f;
        end->mass[0][lane] = end->mass[1][lane] = 0.0f;
    }
}

void tni_joint_angles_clear_lane(tni_joint_angles *angles, uint32_t lane) {
    tni_f4 zero = f4_splat(0.0f);
    for (uint32_t k = 0; k < 3; ++k) {
        angles->bias[k][lane] = angles->impulse[k][lane] = angles->warm[k][lane] = 0.0f;
        angles->error[k][lane] = angles->frame_a[k][lane] = angles->frame_b[k][lane] = 0.0f;
        joint_group_set(&angles->to_point[k], lane, zero);
    }
    for (uint32_t i = 0; i < 6; ++i) {
        angles->inverse[i][lane] = 0.0f;
    }
    joint_group_set(&angles->world_high, lane, zero);
    joint_group_set(&angles->world_low, lane, zero);
    angles_clear_range(&angles->swing, lane);
    angles_clear_range(&angles->twist, lane);
    angles_open_lane(angles, lane);
}

void tni_joint_angles_restart(tni_joint_angles *angles) {
    tni_angle_range *ranges[2] = {&angles->swing, &angles->twist};
    for (uint32_t i = 0; i < 4; ++i) {
        memset(ranges[i / 2]->end[i % 2].warm, 0, sizeof ranges[0]->end[0].warm);
    }
}

static void angles_set_ranges(tni_joint_angles *angles, uint32_t lane, const tni_joint *joint) {
    tni_joint_ranges ranges;
    tni_joint_get_ranges(joint, &ranges);
    if (ranges.twist != NULL) {
        double lower = (double)ranges.twist->lower, upper = (double)ranges.twist->upper;
        tni_angle_range *twist = &angles->twist;
        twist->is_used = true;
        twist->middle[lane] = (float)(0.5 * (lower + upper));
        twist->end[0].room[lane] = twist->end[1].room[lane] = (float)(0.5 * (upper - lower));
    }
    if (ranges.cone != NULL) {
        angles->swing.is_used = true;
        angles->swing.end[1].room[lane] = ranges.cone->upper;
    }
}

static void angles_set_frame(tni_angle_lanes frame[4], uint32_t lane, tni_dquat rotation) {
    frame[0][lane] = (float)rotation.x;
    frame[1][lane] = (float)rotation.y;
    frame[2][lane] = (float)rotation.z;
    frame[3][lane] = (float)rotation.w;
}

// Sets the anchor of a joint on the world: the world has one place, so the anchor stands in for the
// body's position.
static void angles_set_world_anchor(tni_joint_angles *angles, tni_joint_group_rest *rest,
                                    uint32_t lane, const tni_joint *joint) {
    const double *x = &joint->frame_a.position.x;
    for (uint32_t i = 0; i < 3; ++i) {
        float high = (float)x[i];
        angles->world_high.n[i][lane] = high;
        angles->world_low.n[i][lane] = (float)(x[i] - (double)high);
        rest->anchor_a.n[i][lane] = 0.0f;
    }
}

void tni_joint_angles_start(const tni_solver *solver, const tni_joint_block *block,
                            const float *impulses) {
    tni_joint_group_rest *rest = joint_group_rest(solver, block);
    tni_joint_angles *angles = rest->angles;
    uint32_t lane = block->lane;
    if (block->body_a == 0) {
        angles_set_world_anchor(angles, rest, lane, block->joint);
    }
    angles_set_frame(angles->frame_a, lane, block->joint->frame_a.rotation);
    angles_set_frame(angles->frame_b, lane, block->joint->frame_b.rotation);
    angles_set_ranges(angles, lane, block->joint);
    angles->length[lane] = (float)block->joint->angular_error;
    for (uint32_t k = 0; k < angles->turns; ++k) {
        angles->impulse[k][lane] = impulses[block->point_rows + k];
    }
    if (angles->slides) {
        block->group->impulse.n[2][lane] = 0.0f;
    }
    angles_ends ends = angles_get_ends(solver, block);
    for (uint32_t i = 0; i < ends.count; ++i) {
        ends.end[i]->impulse[lane] = impulses[block->equality_count + i];
    }
}

void tni_joint_angles_get_impulses(const tni_solver *solver, const tni_joint_block *block,
                                   float out_impulses[TNI_JOINT_MAX_ROWS]) {
    const tni_joint_angles *angles = joint_group_rest(solver, block)->angles;
    tni_f4 point = joint_group_get(&block->group->impulse, block->lane);
    if (angles->slides) {
        const tni_f4 plane[2] = {joint_group_get(&angles->plane[0], block->lane),
                                 joint_group_get(&angles->plane[1], block->lane)};
        point = tni_pin_to_plane(plane, point);
    }
    f4_store(out_impulses, point);
    for (uint32_t k = 0; k < angles->turns; ++k) {
        out_impulses[block->point_rows + k] = angles->impulse[k][block->lane];
    }
    angles_ends ends = angles_get_ends(solver, block);
    for (uint32_t i = 0; i < ends.count; ++i) {
        out_impulses[block->equality_count + i] = ends.end[i]->impulse[block->lane];
    }
}

void tni_joint_angles_forget(const tni_solver *solver, const tni_joint_block *block) {
    tni_joint_angles *angles = joint_group_rest(solver, block)->angles;
    for (uint32_t k = 0; k < angles->turns; ++k) {
        angles->impulse[k][block->lane] = 0.0f;
    }
}

void tni_joint_angles_get_errors(const tni_solver *solver, const tni_joint_block *block,
                                 float out_errors[TNI_JOINT_MAX_ROWS]) {
    const tni_joint_angles *angles = joint_group_rest(solver, block)->angles;
    if (angles == NULL) {
        return;
    }
    for (uint32_t k = 0; k < angles->turns; ++k) {
        out_errors[block->point_rows + k] = angles->error[k][block->lane];
    }
    angles_ends ends = angles_get_ends(solver, block);
    for (uint32_t i = 0; i < ends.count; ++i) {
        float error = ends.end[i]->error[block->lane];
        out_errors[block->equality_count + i] = error < 0.0f ? error : 0.0f;
    }
}

// ---- singular lanes ----------------------------------------------------------------------------

typedef union angles_pin {
    tni_pin_block block;
    uint8_t bytes[sizeof(tni_pin_block) + sizeof(tni_pin_turns)];
} angles_pin;

void tni_joint_angles_invert_lane(const tni_solver *solver, tni_joint_group *group,
                                  const tni_joint_group_rest *rest, uint32_t lane) {
    tni_joint_angles *angles = rest->angles;
    uint32_t turns = angles != NULL ? angles->turns : 0;
    angles_pin memory;
    memset(&memory, 0, sizeof memory);
    tni_pin pin = {.r_a = joint_group_get(&group->r_a, lane),
                   .r_b = joint_group_get(&group->r_b, lane)};
    for (uint32_t k = 0; k < turns; ++k) {
        pin.axis[k] = joint_group_get(&angles->axis[k], lane);
    }
    const tni_body_state *a = &solver->bodies.states[group->body_a[lane]];
    const tni_body_state *b = &solver->bodies.states[group->body_b[lane]];
    if (angles != NULL && angles->slides) {
        pin.plane[0] = joint_group_get(&angles->plane[0], lane);
        pin.plane[1] = joint_group_get(&angles->plane[1], lane);
        tni_pin_refresh_slide(&memory.block, &pin, TNI_PIN_SLIDE_ROWS, turns, TNI_ENDS_BOTH, a, b);
    } else {
        tni_pin_refresh(&memory.block, &pin, turns, TNI_ENDS_BOTH, a, b);
    }
    joint_group_set_symmetric(group->inverse, lane, memory.block.inverse);
    if (turns == 0) {
        return;
    }
    tni_pin_turns *of_turns = memory.block.turns;
    of_turns->inverse[2] = turns > 2 ? of_turns->inverse[2] : f4_splat(0.0f);
    joint_group_set_symmetric(angles->inverse, lane, of_turns->inverse);
    for (uint32_t k = 0; k < turns; ++k) {
        joint_group_set(&angles->to_point[k], lane, of_turns->to_point[k]);
    }
}
