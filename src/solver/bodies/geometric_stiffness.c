// solver/bodies/geometric_stiffness.c: inertia that keeps light links under heavy tension from
// shaking apart.
//
// A joint force F at the arm r from a body's centre of mass gives the torque r x F. Turning the
// body by a small d turns r but not F: the torque changes by -K d with
//     K = (r·F) 1 - sym(r F^T)                                   N·m/rad, stabilising in tension
//     (r·F > 0)
// so a link under tension is a spring of stiffness |r| |F| across its axis. A step that freezes the
// force's direction integrates that spring explicitly, which is unstable once h² K > 4 I, however
// exactly the rows are solved. When h² K passes the body's own inertia I across the arm by
// STIFFNESS_ONSET, the part beyond is added to the inertia that the rows see:
//     S + share h² K,      share = 1 - STIFFNESS_ONSET I / (h² K)
// so that the spring's frequency stays within what the substep resolves. When F is not along r, K
// has one direction, e = r/|r| + F/|F|, in which it drives and does not hold:
//     K e = (r·F - |r| |F|) / 2 e <= 0
// Added, it takes from the inertia there. When that would take more than half of it, as under large
// loads, it is left out: rows of a body that has next to no inertia throw it about. Bodies under
// ordinary loads are not touched; the momentum of free rotation is always that of the true inertia.
// Sources: M. Tournier, M. Nesme, B. Gilles, F. Faure, "Stable constrained dynamics", ACM Trans.
// Graph. 34(4), 2015 (h² K beside the mass); S. Andrews, M. Teichmann, P. Kry, "Geometric stiffness
// for real-time constrained multibody dynamics", Computer Graphics Forum 36(2), 2017 (only where
// needed). Test: tests/solver/bodies/test_geometric_stiffness.c
#include "solver/solver.h"

// Inertia is added from this h² K / I on. The leapfrog step is unstable from 4; links that share a
// joint shake against each other twice as fast, which makes that 1.
#define STIFFNESS_ONSET 1.0
// Thresholds are a little lower, so that rounding hides nothing.
#define STIFFNESS_ROUNDING 0.9999f

float tni_geometric_stiffness_least(const tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->bodies.masses[body];
    if (!mass->is_dynamic) {
        return INFINITY;
    }
    double least = 0.25 * STIFFNESS_ONSET * inertia_trace(mass->inertia) / solver->dh;
    return STIFFNESS_ROUNDING * (float)(least * least);
}

static float stiffness_divide(float least, const tni_dpose *frame) {
    float square = (float)dvec3_dot(frame->position, frame->position);
    return square > 0.0f ? least / square : INFINITY;
}

float tni_geometric_stiffness_threshold(float least_a, float least_b, const tni_joint *joint) {
    return maths_min(stiffness_divide(least_a, &joint->frame_a),
                     stiffness_divide(least_b, &joint->frame_b));
}

static void stiffness_add(tni_solver *solver, uint32_t body, const tni_dpose *frame,
                          tni_dvec3 impulse) {
    const tni_body_mass *mass = &solver->bodies.masses[body];
    if (!mass->is_dynamic) {
        return;
    }
    double trace = inertia_trace(mass->inertia);
    tni_dquat rotation = solver->bodies.motions[body].rotation;
    tni_dmat3 inertia = inertia_in_world(mass->inertia, rotation);
    tni_dvec3 arm = dquat_rotate(rotation, frame->position);
    double pull = solver->dh * dvec3_dot(arm, impulse); // h² r·F
    double length = dvec3_length(frame->position);
    tni_dvec3 u = dvec3_scale(arm, maths_inverse_or_zero_d(length));
    double across = 0.5 * (trace - dvec3_dot(u, dmat3_mul_vec(&inertia, u)));
    if (!(pull > STIFFNESS_ONSET * across)) {
        return;
    }
    double share = solver->dh * (1.0 - STIFFNESS_ONSET * across / pull);
    tni_dvec3 p = impulse, r = arm;
    double rp = dvec3_dot(r, p), whole = length * dvec3_length(p);
    tni_dvec3 e = dvec3_add_scaled(u, length / whole, p);
    double raise = 0.25 * whole * (whole - rp) / (whole + rp); // -K over |e|²
    raise = share * (whole - rp) > across ? raise : 0.0;
    tni_dmat3 k = {
        {{rp - r.x * p.x, -0.5 * (r.x * p.y + r.y * p.x), -0.5 * (r.x * p.z + r.z * p.x)},
         {-0.5 * (r.x * p.y + r.y * p.x), rp - r.y * p.y, -0.5 * (r.y * p.z + r.z * p.y)},
         {-0.5 * (r.x * p.z + r.z * p.x), -0.5 * (r.y * p.z + r.z * p.y), rp - r.z * p.z}}};
    tni_dmat3 *added = &solver->bodies.added_inertia[body];
    if (!solver->bodies.has_added_inertia[body]) {
        *added = (tni_dmat3){{{0.0}}};
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            added->m[i][j] += share * (k.m[i][j] + raise * (&e.x)[i] * (&e.x)[j]);
        }
    }
    solver->bodies.has_added_inertia[body] = true;
    solver->bodies.has_stiffened = solver->bodies.was_stiffened = true;
}

// Clears the batches of these bodies only.
static void stiffness_clear_batches(tni_solver *solver) {
    for (uint32_t b = 0; b < solver->batches.count; ++b) {
        for (uint32_t i = 0; i < INTEGRATE_LANES; ++i) {
            uint32_t body = solver->batches.bodies[b].body[i];
            if (body != 0) {
                solver->bodies.has_added_inertia[body] = false;
            }
        }
    }
}

void tni_geometric_stiffness_clear(tni_solver *solver) {
    if (!solver->bodies.has_stiffened) {
        return;
    }
    solver->bodies.has_stiffened = false;
    if (solver->is_part) {
        stiffness_clear_batches(solver);
        return;
    }
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        solver->bodies.has_added_inertia[i] = false;
    }
}

void tni_geometric_stiffness_add(tni_solver *solver, const tni_joint_block *block,
                                 vec3s impulse_on_b) {
    tni_dvec3 p = dvec3_from_float(impulse_on_b);
    stiffness_add(solver, block->body_b, &block->joint->frame_b, p);
    stiffness_add(solver, block->body_a, &block->joint->frame_a, dvec3_scale(p, -1.0));
}
