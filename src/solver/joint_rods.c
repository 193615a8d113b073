// solver/joint_rods.c: rods between particles in groups of eight: how they begin, what they tell.
//
// A rod has one row, along n from point to point. In a group (solver/joint_group.h) it stands as a
// ball joint would, with three numbers for its impulse, P = x n, and for its bias, and with
//     K^-1 = m n n^T,    m = 1 / (n . K n)
// so that the sweeps over points are those of rods too: what they take off the impulse,
// K^-1 (v_b - v_a + b n), is m (n . (v_b - v_a) + b) along n. Only the refresh is another one
// (solver/joint_rods_wide.c), which also turns the impulse with n.
//
// For bodies that do not turn: the nets and ropes of many particles. Test:
// tests/solver/test_joint_rods.c
#include "solver/joint_rods.h"

static bool rods_hold_still(const tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->masses[body];
    return body != 0 && (!mass->is_dynamic || !(mass->inertia->inverse > 0.0));
}

bool tni_joint_rods_suit(const tni_solver *solver, const tni_joint_block *block) {
    return block->joint->type == TN_JOINT_TYPE_DISTANCE && block->equality_count == 1 &&
           block->row_count == 1 && !block->may_break && rods_hold_still(solver, block->body_a) &&
           rods_hold_still(solver, block->body_b);
}

static tni_dvec3 rods_get_point(const tni_solver *solver, uint32_t body, const tni_dpose *frame) {
    const tni_body_motion *motion = &solver->motions[body];
    return dvec3_add(motion->position, dquat_rotate(motion->rotation, frame->position));
}

void tni_joint_rods_start(const tni_solver *solver, const tni_joint_block *block, float impulse) {
    tni_joint_rods *rods = joint_group_rest(solver, block)->rods;
    const tni_joint *joint = block->joint;
    tni_dvec3 d = dvec3_sub(rods_get_point(solver, block->body_b, &joint->frame_b),
                            rods_get_point(solver, block->body_a, &joint->frame_a));
    double length = dvec3_length(d);
    vec3s n = maths_vec3(1.0f, 0.0f, 0.0f);
    if (length > (double)JOINT_RODS_COINCIDENT) {
        n = dvec3_to_float(dvec3_scale(d, 1.0 / length));
    }
    rods->length[block->lane] = joint->def.distance.length;
    for (uint32_t i = 0; i < 3; ++i) {
        rods->along.n[i][block->lane] = n.raw[i];
        block->group->impulse.n[i][block->lane] = impulse * n.raw[i];
    }
}

float tni_joint_rods_get(const tni_joint_rods *rods, const tni_group_vectors *v, uint32_t lane) {
    return f4_dot3(joint_group_get(&rods->along, lane), joint_group_get(v, lane));
}
