// solver/exact/mechanism_sway.c: which joints of a mechanism bring the curvature between their
// bodies.
//
// In a long chain of rods under tension, a rod that turns turns its neighbors, and a Newton step
// that knows only each body's own curvature leaves two thirds of the error before it. As rows with
// J = sqrt(l / length) across and E = 1 (joints/exact_row.h) the whole curvature takes its part,
// and a body's own block is its plain mass again. It makes the blocks of the matrix three times as
// wide, which is little in a chain; in a mesh of loops it would fill it, and short chains do
// without.
// Source: M. Tournier, M. Nesme, B. Gilles, F. Faure, "Stable constrained dynamics", SIGGRAPH 2015
// (geometric stiffness). Test: tests/solver/exact/test_mechanism_sway.c
#include "solver/exact/mechanism.h"

// With fewer joints that sway a mechanism converges well enough without them.
#define SWAY_LEAST_JOINTS 16

bool tni_mechanism_may_sway(const tni_joint *joint) {
    tni_row_count count = tni_joint_count_rows(joint);
    tni_joint_line line;
    return count.rows == 1 && count.equalities == 1 && tni_joint_get_line(joint, &line);
}

// Is the body a link of a chain that stands in the matrix by its joints alone?
static bool sway_is_link(const tni_mechanism *mechanism, uint32_t index) {
    const tni_mechanism_body *body = &mechanism->bodies[index];
    return index < mechanism->moving_count && body->place.node == TNI_NONE &&
           body->place.end_count <= 2 && body->place.anchor == TNI_NONE;
}

void tni_mechanism_find_sways(tni_mechanism *mechanism) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        bool sways = tni_mechanism_may_sway(joint->joint) && sway_is_link(mechanism, joint->a) &&
                     sway_is_link(mechanism, joint->b);
        joint->sway_room = sways ? TNI_MOST_SWAYS : 0;
        joint->sway_count = 0;
        count += sways ? 1 : 0;
    }
    mechanism->traits.has_sways = count > SWAY_LEAST_JOINTS;
    for (uint32_t i = 0; i < mechanism->joint_count && !mechanism->traits.has_sways; ++i) {
        mechanism->joints[i].sway_room = 0;
    }
}

void tni_mechanism_scale_sways(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count && mechanism->traits.has_sways; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = 0; r < joint->sway_room; ++r) {
            mechanism->matrix.scales[joint->first_unknown + joint->row_count + r] = 1.0;
        }
    }
}

void tni_mechanism_clear_sways(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count && mechanism->traits.has_sways; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = 0; r < joint->sway_room; ++r) {
            mechanism->matrix.unknowns[joint->first_unknown + joint->row_count + r] = 0.0;
        }
    }
}
