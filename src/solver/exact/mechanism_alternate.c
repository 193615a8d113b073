// solver/exact/mechanism_alternate.c: a mechanism that touches too much to ask every contact
// through its joints: sweeps over joints and contacts, and after each substep the exact solve of
// the joints.
//
// The sweeps (Gauss-Seidel, with rigid rows: nothing is left for a bias to hold) move it and give
// it its velocities. The gaps that they leave are then closed by Newton steps on the poses alone,
//
//     q <- q + dq,   least  1/2 dq.M dq + 1/2 sum_i k_i (J_i dq - p_i)^2   with  J_E dq = -C,
//
// E the joints' rows, i the points of contacts that push, and p_i a share of the depth of deep
// ones. With k_i = 0 it would be the projection in the metric of the masses, and that is no good
// here: the foot of a figure that lands is stopped by the ground, its trunk comes on, and of the
// two the foot would give way, into the ground, since it is light. So contacts that push hold: k_i
// is a thousand times the body's mass. It stands in the bodies' own blocks, so that contacts cost
// no fill. The other end of a contact counts as fixed: each mechanism keeps off the others where
// they are. Only poses are closed: the sweeps of the next substep find the errors of the
// velocities, and momentum is theirs; the centre of mass of bodies that hold on to something shifts
// by the way.
// If rows depend on others the sweeps do not find it: a welded plate of 10 x 10 boxes kept 37 kJ of
// the waves that a blow had made in it, while its poses were rigid, and bounced on its posts by
// what these gave back. There the velocities are closed as well, with the same system, so that what
// pushes holds.
//
// [M + sum k J^T J, -J_E^T; -J_E, -E] [dq; y] = [sum k p J^T; C], with E as in
// solver/exact/mechanism_system.c.
// Sources: E. Hairer, C. Lubich, G. Wanner, "Geometric numerical integration", 2006, IV.4
// (projection); E. Guendelman, R. Bridson, R. Fedkiw, "Nonconvex rigid bodies with stacking",
// SIGGRAPH 2003 (contacts that count as fixed for bodies that come down on them).
// Test: tests/world/mechanisms/test_mechanism_piles.c
#include <string.h>

#include "solver/exact/mechanism_span.h"
#include "solver/solver.h"

// k is HOLD times the mass of the body, for HELD_PASSES passes: an error that does not close with k
// closes without it.
#define ALTERNATE_HOLD        1000.0
#define ALTERNATE_HELD_PASSES 4
// m: a contact deeper than this is pushed out by this share of the excess in a substep, half of it
// by each end. The sweeps get less to push out, since they know of friction: a pile at rest would
// creep.
#define ALTERNATE_DEEP 2e-3
#define ALTERNATE_PUSH 0.2
// m or rad: joints this close are closed, and this far off they are left to the sweeps.
#define ALTERNATE_CLOSED   1e-6
#define ALTERNATE_FARTHEST 1.0
#define ALTERNATE_PASSES   16
// Closing velocities may add this share of the kinetic energy. A step's balance takes small gains
// back.
#define ALTERNATE_GAIN 0.02
// rad: turns up to this leave no more open than that (half their square, for arms of half a metre).
#define ALTERNATE_SMALL_TURN 2e-3

// ---- contacts ----------------------------------------------------------------------------------

// Sets `row` to J of a point at one end, [-n, -r x n] or [n, r x n].
static void alternate_get_row(const tni_contact_record *record, uint32_t end, uint32_t p,
                              double row[6]) {
    vec3s arm = maths_vec3(record->arm.x[p], record->arm.y[p], record->arm.z[p]);
    if (end == 1) {
        arm = glms_vec3_add(arm, record->offset);
    }
    vec3s turn = glms_vec3_cross(arm, record->normal);
    double sign = end == 0 ? -1.0 : 1.0;
    for (uint32_t c = 0; c < 3; ++c) {
        row[c] = sign * (double)record->normal.raw[c];
        row[3 + c] = sign * (double)turn.raw[c];
    }
}

// Adds k J^T J to the body's block, its lower half, and k p J^T to its right side.
static void alternate_hold(tni_mechanism_body *body, const double row[6], double push) {
    double k = ALTERNATE_HOLD * body->mass;
    for (uint32_t i = 0; i < 6; ++i) {
        double weighted = k * row[i];
        for (uint32_t j = 0; j <= i; ++j) {
            body->block.curvature[i][j] += weighted * row[j];
        }
        body->change[i] += weighted * push;
    }
    body->block.is_held = true;
}

static void alternate_hold_at(const tni_solver *solver, const tni_mechanism *mechanism,
                              tni_hold hold, bool pushes) {
    const tni_contact_record *record = &solver->contacts.records[hold.contact];
    if (!solver->contacts.gates[hold.contact].is_shut) {
        return;
    }
    tni_contact_view view;
    tni_contact_get_view(solver, hold.contact, &view);
    double share = record->is_static ? ALTERNATE_PUSH : 0.5 * ALTERNATE_PUSH;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        if (view.impulse[p] > 0.0f) {
            double row[6], depth = -(double)view.gap[p] - ALTERNATE_DEEP;
            alternate_get_row(record, hold.end, p, row);
            alternate_hold(&mechanism->bodies[hold.local], row,
                           pushes && depth > 0.0 ? share * depth : 0.0);
        }
    }
}

// ---- the bodies' blocks ------------------------------------------------------------------------

static void alternate_weigh(tni_mechanism_body *body) {
    body->block.mass = body->mass;
    body->block.inertia = inertia_in_world(&body->inertia, body->motion.rotation);
    if (body->block.is_held || body->block.has_curvature) {
        memset(body->block.curvature, 0, sizeof body->block.curvature);
    }
    body->block.is_held = false;
    memset(body->change, 0, sizeof body->change);
}

static void alternate_finish_block(tni_mechanism_body *body) {
    body->block.has_curvature = body->block.has_linear_curvature = body->block.is_held;
    for (uint32_t i = 0; i < 6 && body->block.is_held; ++i) {
        for (uint32_t j = 0; j < i; ++j) {
            body->block.curvature[j][i] = body->block.curvature[i][j];
        }
    }
    for (uint32_t c = 0; c < 6 && body->locks != 0; ++c) {
        body->change[c] = tni_mechanism_is_locked(body, c) ? 0.0 : body->change[c];
    }
}

static void alternate_weigh_all(const tni_solver *solver, tni_mechanism *mechanism, uint32_t pass) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        alternate_weigh(&mechanism->bodies[i]);
    }
    for (uint32_t k = 0; k < mechanism->hold_count && pass < ALTERNATE_HELD_PASSES; ++k) {
        alternate_hold_at(solver, mechanism, mechanism->holds[k], pass == 0);
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        alternate_finish_block(&mechanism->bodies[i]);
    }
}

// ---- Newton's method ---------------------------------------------------------------------------

// Emits the rows at the present poses. Returns the worst error, m or rad, or the greatest number
// there is where one is no number.
static double alternate_emit(tni_mechanism *mechanism) {
    double worst = 0.0, squares = 0.0;
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].middle = mechanism->bodies[i].motion;
    }
    mechanism->times.middle = mechanism->times.now;
    tni_mechanism_emit(mechanism);
    if (!mechanism->matrix.has_scales) {
        tni_mechanism_scale(mechanism);
        tni_mechanism_soften(mechanism, 0.0);
        mechanism->matrix.has_scales = true;
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        double *r = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t k = 0; k < joint->row_count; ++k) {
            r[k] = joint->rows[k].error;
            worst = fabs(r[k]) <= worst ? worst : fabs(r[k]);
            squares += r[k] * r[k];
        }
    }
    tni_mechanism_spans_fill_poses(mechanism);
    worst = maths_max_d(worst, tni_mechanism_spans_get_emitted_error(mechanism));
    return isfinite(squares) ? worst : DBL_MAX;
}

// Returns the greatest turn of a body.
static double alternate_get_turn(const tni_mechanism *mechanism) {
    double greatest = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const double *d = mechanism->bodies[i].change + 3;
        double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        greatest = square > greatest ? square : greatest;
    }
    return sqrt(greatest);
}

// Closes the velocities, with the factor that the poses have left, since they move no more. The
// other end of a contact that pushes on something that moves is not at rest, as is assumed here: if
// much energy comes of that, all velocities are scaled back, which leaves them closed.
static void alternate_close_velocities(tni_mechanism *mechanism) {
    if (mechanism->matrix.dependent_rows == 0) {
        return;
    }
    double energy = tni_mechanism_get_energy(mechanism);
    tni_mechanism_project_velocities(mechanism);
    double most = (1.0 + ALTERNATE_GAIN) * energy, now = tni_mechanism_get_energy(mechanism);
    double factor = now > most ? sqrt(most / now) : 1.0;
    for (uint32_t i = 0; i < mechanism->moving_count && factor < 1.0; ++i) {
        tni_body_motion *motion = &mechanism->bodies[i].motion;
        motion->velocity = dvec3_scale(motion->velocity, factor);
        motion->angular_velocity = dvec3_scale(motion->angular_velocity, factor);
    }
}

bool tni_mechanism_alternate(const tni_solver *solver, tni_mechanism *mechanism) {
    double first = 0.0, worst = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        mechanism->bodies[i].before = mechanism->bodies[i].motion;
    }
    for (uint32_t pass = 0; pass < ALTERNATE_PASSES; ++pass) {
        worst = alternate_emit(mechanism);
        first = pass == 0 ? worst : first;
        if (!(worst <= ALTERNATE_FARTHEST) || (pass > 0 && worst <= ALTERNATE_CLOSED)) {
            break;
        }
        alternate_weigh_all(solver, mechanism, pass);
        if (!tni_mechanism_factor(mechanism)) {
            worst = DBL_MAX;
            break;
        }
        tni_mechanism_solve(mechanism, false);
        tni_mechanism_project_move(mechanism);
        if (alternate_get_turn(mechanism) <= ALTERNATE_SMALL_TURN) {
            alternate_close_velocities(mechanism);
            return true;
        }
    }
    if (worst <= first && worst <= ALTERNATE_FARTHEST) {
        return true;
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        mechanism->bodies[i].motion = mechanism->bodies[i].before;
    }
    return false;
}
