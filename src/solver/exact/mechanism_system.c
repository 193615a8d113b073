// solver/exact/mechanism_system.c: the matrix of a mechanism, filled from rows and masses.
//
//     [  M  -J^T ] [ dv ]   [ r_v ]
//     [ -J   -E  ] [ dx ] = [ r_c ]
//
// M is the body's block: mass, inertia, and for a Newton step the curvature K of the joints times
// half the step (see joints/exact_row.h). Under compression K takes away, and where M + K is no
// longer positive definite the norm of K is put on top of it: M only steers Newton's method, so
// that the answer stays the same.
// E = 1e-10 of the row's own J W J^T keeps redundant rows apart: they share the impulse, and
// Newton's method, which repeats the solve, leaves no softness behind. Anchors have no E, and what
// rides on one has theirs at its other joints beside these joints' own: in singular poses E bounds
// what rows that nearly depend on each other push with. A locked axis has no unknown and no column
// of J. A row takes no part if locks leave next to nothing of it: this is round-off, and bodies
// would have to fly to close its error by it. Sources: A. Witkin, "Constrained dynamics", SIGGRAPH
// course notes, 1997 (J W J^T); D. Baraff, "Linear-time dynamics using Lagrange multipliers",
// SIGGRAPH 1996, section 6 (the sparse form); M. Tournier et al., "Stable constrained dynamics",
// SIGGRAPH 2015 (geometric stiffness). Test: tests/solver/exact/test_mechanism.c
#include <string.h>

#include "solver/exact/mechanism_span.h"
#include "solver/exact/mechanism_system.h"

#define SYSTEM_SOFTNESS 1e-10
// Locks must leave a row this share of its response: see solver/rows/locks.h.
#define SYSTEM_LEAST_LEFT 1e-6
// A row that takes no part has this scale.
#define SYSTEM_NO_ROW 1e12

// Takes locked axes out of a row. Adds to `whole` about what the row's response to this body was,
// and to `left` what it is.
static void system_lock_row(const tni_mechanism_body *body, double *jacobian, double *whole,
                            double *left) {
    double trace = inertia_trace(&body->inertia), turn = trace > 0.0 ? 3.0 / trace : 0.0;
    for (uint32_t c = 0; c < 6; ++c) {
        double square = (c < 3 ? body->inv_mass : turn) * jacobian[c] * jacobian[c];
        bool is_locked = tni_mechanism_is_locked(body, c);
        *whole += square;
        *left += is_locked ? 0.0 : square;
        jacobian[c] = is_locked ? 0.0 : jacobian[c];
    }
}

bool tni_mechanism_lock_rows(const tni_mechanism *mechanism, tni_mechanism_joint *joint) {
    uint32_t ends[2] = {joint->a, joint->b};
    if ((tni_mechanism_get_locks(mechanism, joint->a) |
         tni_mechanism_get_locks(mechanism, joint->b)) == 0) {
        return false;
    }
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        double *jacobian = joint->rows[r].jacobian, whole = 0.0, left = 0.0;
        for (uint32_t end = 0; end < 2; ++end) {
            if (ends[end] < mechanism->moving_count) {
                system_lock_row(&mechanism->bodies[ends[end]], jacobian + 6 * end, &whole, &left);
            }
        }
        if (!(left > SYSTEM_LEAST_LEFT * whole)) {
            memset(jacobian, 0, sizeof joint->rows[r].jacobian);
            joint->impulse[r] = 0.0;
        }
    }
    return true;
}

// Do the scales fit the joint's rows? A row that has come in or gone out since they were taken has
// a useless scale: with that of a row that takes no part it would not push at all.
static bool system_fits_scales(const tni_mechanism *mechanism, const tni_mechanism_joint *joint) {
    const double *scales = mechanism->matrix.scales + joint->first_unknown;
    bool fits = true;
    for (uint32_t r = 0; r < joint->row_count && fits; ++r) {
        const double *j = joint->rows[r].jacobian;
        bool is_in = tni_mechanism_dot6(j, j) + tni_mechanism_dot6(j + 6, j + 6) > 0.0;
        fits = is_in == (scales[r] < SYSTEM_NO_ROW);
    }
    return fits;
}

void tni_mechanism_emit(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        const tni_mechanism_body *a = &mechanism->bodies[joint->a];
        const tni_mechanism_body *b = &mechanism->bodies[joint->b];
        tni_joint_emit_exact(joint->joint, &a->middle, &b->middle, joint->rows);
        joint->sway_count = 0; // until some curvature makes them
        if (joint->row_count > joint->equality_count) {
            tni_actors_emit(joint, &a->middle, &b->middle);
        }
        for (uint32_t r = 0; r < joint->equality_count && mechanism->traits.is_contradictory; ++r) {
            joint->rows[r].error -= joint->rest[r];
        }
        if (!joint->is_ball) {
            bool is_locked = tni_mechanism_lock_rows(mechanism, joint);
            mechanism->matrix.has_scales &= !is_locked || system_fits_scales(mechanism, joint);
        }
    }
    tni_mechanism_spans_emit(mechanism);
}

// ---- scales ------------------------------------------------------------------------------------

static double system_row_response(const tni_mechanism_body *body, tni_dvec3 lin, tni_dvec3 ang) {
    return body->inv_mass * dvec3_dot(lin, lin) +
           dvec3_dot(ang, dmat3_mul_vec(&body->block.inertia, ang));
}

static double system_get_scale(const tni_mechanism *mechanism, const tni_mechanism_joint *joint,
                               uint32_t r) {
    const tni_exact_row *row = &joint->rows[r];
    return system_row_response(&mechanism->bodies[joint->a], row->lin_a, row->ang_a) +
           system_row_response(&mechanism->bodies[joint->b], row->lin_b, row->ang_b);
}

// Returns one end's share of the scales of the three rows of a free pin's point.
static tni_dvec3 system_get_ball_scales(const tni_mechanism_body *body, tni_dvec3 r) {
    const tni_dmat3 *w = &body->block.inertia;
    double xx = r.x * r.x, yy = r.y * r.y, zz = r.z * r.z;
    double xy = 2.0 * r.x * r.y * w->m[0][1], xz = 2.0 * r.x * r.z * w->m[0][2];
    double yz = 2.0 * r.y * r.z * w->m[1][2];
    return dvec3_make(body->inv_mass + (zz * w->m[1][1] + yy * w->m[2][2] - yz),
                      body->inv_mass + (zz * w->m[0][0] + xx * w->m[2][2] - xz),
                      body->inv_mass + (yy * w->m[0][0] + xx * w->m[1][1] - xy));
}

// Sets the scales of the turns of a free pin, from both ends.
static void system_scale_turns(const tni_mechanism *mechanism, const tni_mechanism_joint *joint,
                               double *scales) {
    const tni_dmat3 *w_a = &mechanism->bodies[joint->a].block.inertia;
    const tni_dmat3 *w_b = &mechanism->bodies[joint->b].block.inertia;
    for (uint32_t r = 3; r < joint->row_count; ++r) {
        tni_dvec3 j = joint->rows[r].ang_b;
        tni_dvec3 turn = dvec3_add(dmat3_mul_vec(w_a, j), dmat3_mul_vec(w_b, j));
        scales[r] = dvec3_dot(j, turn);
    }
}

static void system_scale_joint(const tni_mechanism *mechanism, const tni_mechanism_joint *joint,
                               double *scales) {
    if (joint->is_free) {
        tni_dvec3 of_a =
            system_get_ball_scales(&mechanism->bodies[joint->a], tni_mechanism_get_arm(joint, 0));
        tni_dvec3 of_b =
            system_get_ball_scales(&mechanism->bodies[joint->b], tni_mechanism_get_arm(joint, 1));
        scales[0] = of_a.x + of_b.x;
        scales[1] = of_a.y + of_b.y;
        scales[2] = of_a.z + of_b.z;
        system_scale_turns(mechanism, joint, scales);
    }
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        double scale = joint->is_free ? scales[r] : system_get_scale(mechanism, joint, r);
        scales[r] = scale > DBL_MIN ? scale : SYSTEM_NO_ROW;
    }
}

void tni_mechanism_scale(tni_mechanism *mechanism) {
    memset(mechanism->matrix.scales, 0, mechanism->matrix.pattern.unknown_count * sizeof(double));
    // The bodies' blocks are filled after this: until then they hold the inverse.
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->block.inertia = inertia_inverse_in_world(&body->inertia, body->middle.rotation);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        double *scales = mechanism->matrix.scales + joint->first_unknown;
        system_scale_joint(mechanism, joint, scales);
    }
    tni_mechanism_scale_sways(mechanism);
    tni_mechanism_spans_scale(mechanism);
    tni_mechanism_scale_ties(mechanism);
}

void tni_mechanism_soften(tni_mechanism *mechanism, double half) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        const double *scales = mechanism->matrix.scales + joint->first_unknown;
        double share = SYSTEM_SOFTNESS * (1.0 + joint->sharer_count);
        share = joint->is_broken ? 1.0 : share;
        for (uint32_t r = 0; r < joint->row_count; ++r) {
            bool is_exact = joint->is_anchor && r < joint->equality_count;
            joint->softness[r] = is_exact ? 0.0 : share * scales[r];
        }
        tni_actors_soften(joint, scales, half);
    }
    tni_mechanism_spans_soften(mechanism, SYSTEM_SOFTNESS);
}

// ---- bodies with a node ------------------------------------------------------------------------

// Fills in -J beside the diagonal.
static void system_fill_hub_edge(const tni_mechanism *mechanism, const tni_mechanism_joint *joint,
                                 uint32_t end) {
    tni_block_place place = joint->hubs[end];
    double *block = mechanism->matrix.values + place.first;
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        for (uint32_t c = 0; c < 6; ++c) {
            block[r * place.row_step + c * place.column_step] =
                -joint->rows[r].jacobian[6 * end + c];
        }
    }
}

static void system_fill_joint(const tni_mechanism *mechanism, const tni_mechanism_joint *joint) {
    double *diagonal = mechanism->matrix.values + joint->diagonal.first;
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        diagonal[r * (joint->diagonal.row_step + 1)] = -joint->softness[r];
    }
    for (uint32_t r = joint->row_count; r < joint->row_count + joint->sway_room; ++r) {
        diagonal[r * (joint->diagonal.row_step + 1)] = -1.0;
    }
    for (uint32_t end = 0; end < 2; ++end) {
        if (joint->hubs[end].row_step != 0) {
            system_fill_hub_edge(mechanism, joint, end);
        }
    }
}

static void system_fill_hub(const tni_mechanism *mechanism, const tni_mechanism_body *body) {
    const tni_block_pattern *pattern = &mechanism->matrix.pattern;
    uint32_t position = pattern->position_of[body->place.node], stride = pattern->strides[position];
    double block[36], *diagonal = mechanism->matrix.values + pattern->diagonals[position];
    tni_mechanism_fill_block(body, block);
    double share = 1.0 / body->place.share_count;
    for (uint32_t i = 0; i < 6; ++i) {
        for (uint32_t j = 0; j <= i; ++j) {
            diagonal[i * stride + j] = share * block[6 * i + j];
        }
    }
}

// ---- the whole ---------------------------------------------------------------------------------

static void system_note_factor(tni_mechanism *mechanism, const tni_block_report *report) {
    mechanism->matrix.dependent_rows = report->dependent_count;
    if (report->dependent_count > mechanism->report.dependent_rows) {
        mechanism->report.dependent_rows = report->dependent_count;
    }
}

bool tni_mechanism_factor(tni_mechanism *mechanism) {
    const tni_block_pattern *pattern = &mechanism->matrix.pattern;
    bool is_sound = true;
    mechanism->matrix.has_factor = false; // until a projection says so
    memset(mechanism->matrix.values, 0, pattern->value_count * sizeof(double));
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        if (!mechanism->joints[i].is_anchor) {
            system_fill_joint(mechanism, &mechanism->joints[i]);
        }
    }
    for (uint32_t c = 0; c < mechanism->copy_count; ++c) {
        system_fill_joint(mechanism, &mechanism->ties[c]);
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        if (body->place.node != TNI_NONE) {
            system_fill_hub(mechanism, body);
        } else if (tni_mechanism_invert_body(mechanism, body)) {
            tni_mechanism_eliminate_body(mechanism, body);
        } else {
            is_sound = false;
        }
    }
    if (!is_sound || !tni_mechanism_eliminate_copies(mechanism)) {
        return false;
    }
    tni_block_report report = tni_block_factor(pattern, mechanism->matrix.scales,
                                               mechanism->matrix.values, mechanism->matrix.scratch);
    system_note_factor(mechanism, &report);
    bool has_border = mechanism->spans.row_count > 0;
    return report.is_sound && (!has_border || tni_mechanism_border_factor(mechanism));
}

// Returns the right side, later the solution, of a body with a node.
static double *system_get_unknowns(const tni_mechanism *mechanism, const tni_mechanism_body *body) {
    const tni_block_pattern *pattern = &mechanism->matrix.pattern;
    return mechanism->matrix.unknowns + pattern->unknowns[pattern->position_of[body->place.node]];
}

static bool system_has_change(const tni_mechanism_body *body) {
    const double *x = body->change;
    return x[0] != 0.0 || x[1] != 0.0 || x[2] != 0.0 || x[3] != 0.0 || x[4] != 0.0 || x[5] != 0.0;
}

void tni_mechanism_solve_joints(tni_mechanism *mechanism, bool bodies_rest) {
    tni_mechanism_clear_sways(mechanism);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        if (mechanism->bodies[i].place.anchor != TNI_NONE) {
            tni_mechanism_start_anchored(mechanism, &mechanism->bodies[i], bodies_rest);
        }
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        if (body->place.node != TNI_NONE && bodies_rest) {
            memset(system_get_unknowns(mechanism, body), 0, sizeof body->change);
        } else if (body->place.node != TNI_NONE) {
            memcpy(system_get_unknowns(mechanism, body), body->change, sizeof body->change);
        } else if (body->place.anchor != TNI_NONE || (!bodies_rest && system_has_change(body))) {
            tni_mechanism_reduce_body(mechanism, body);
        }
    }
    tni_mechanism_clear_ties(mechanism);
    tni_block_solve(&mechanism->matrix.pattern, mechanism->matrix.values,
                    mechanism->matrix.unknowns);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        if (body->place.node == TNI_NONE) {
            tni_mechanism_expand_body(mechanism, body, bodies_rest);
        } else {
            memcpy(body->change, system_get_unknowns(mechanism, body), sizeof body->change);
        }
    }
}

void tni_mechanism_solve(tni_mechanism *mechanism, bool bodies_rest) {
    tni_mechanism_solve_joints(mechanism, bodies_rest);
    if (mechanism->spans.row_count > 0) {
        tni_mechanism_border_correct(mechanism);
    }
}
