// forces/spring.c: a spring with a damper between two points.
//
// With x = p_b - p_a, L = |x|, d = x / L, u = x' the force on b is
//
//     F = -(k (L - L0) + c d . u) d
//     dF/dx = -k d d^T - k (1 - L0 / L) (1 - d d^T)      dF/du = -c d d^T
//
// (D. Baraff, A. Witkin, "Large steps in cloth simulation", SIGGRAPH 1998, for a stretch; the
// damper's terms of second order are left out.) A compressed spring pushes sideways away: that part
// is left to the explicit force, so that the slope always pulls back.
// Test: tests/forces/test_force_kinds.c
#include "forces/force.h"

void tni_force_spring(const tn_force_input *input, tn_force_output *out, void *own) {
    const tn_force_spring *spring = &((const tni_force *)own)->spring;
    const tn_connector_state *a = &input->connectors[0], *b = &input->connectors[1];
    tni_dvec3 x = dvec3_sub(force_get_place(b), force_get_place(a));
    tni_dvec3 u = dvec3_sub(dvec3_from_plain(b->velocity), dvec3_from_plain(a->velocity));
    double length = dvec3_length(x);
    // If the points coincide, d is zero.
    tni_dvec3 d = dvec3_scale(x, maths_inverse_or_zero_d(length));
    double pull = spring->stiffness * (length - spring->length) + spring->damping * dvec3_dot(d, u);
    out->force[0] = dvec3_to_plain(dvec3_scale(d, pull));
    out->force[1] = dvec3_to_plain(dvec3_scale(d, -pull));
    tn_force_slope *slope = tn_force_output_add_slope(out, 0, 1, false);
    bool is_stretched = length > spring->length;
    double sideways = is_stretched ? spring->stiffness * (1.0 - spring->length / length) : 0.0;
    force_add_about(slope->by_position, d, -sideways, -spring->stiffness);
    force_add_about(slope->by_velocity, d, 0.0, -spring->damping);
}
