// solver/mechanism_contact.c: contacts of a mechanism, solved through its joints.
//
// At the end of a substep, when the mechanism has been moved and its joints closed, contacts take
// part. With
//     u_i = W J_i^T - W J_E^T (J_E W J_E^T)^-1 J_E W J_i^T
// what a unit impulse on the contact row i does to all bodies of the mechanism while its joints
// hold (one solve with the factor at hand), sweeps over the contact rows alone
//     x_i <- clamp(x_i + (b_i - J_i v) / d_i),   d_i = J_i u_i,   v <- v + u_i dx_i
// leave every joint closed. First poses: no gap may close further than to touching, a depth shrinks
// by a share. Then velocities, with the cone of friction. A body of something else that is touched
// takes part with its own mass, in the velocities; other mechanisms are taken as they move.
// Where Gauss-Seidel moves the mechanism the sweeps only mend what closing the joints broke: its
// own impulses stay as they are, for the next warm start, which knows nothing of the joints' share.
// Source: the Schur complement of the joint rows; D. Baraff, "Fast contact force computation for
// nonpenetrating rigid bodies", SIGGRAPH 1994 (contacts through other constraints).
// Test: tests/world/test_mechanisms.c
#include <string.h>

#include "solver/contact_rows.h"

#define CONTACT_SWEEPS 10
// m: a contact that is open farther takes no part.
#define CONTACT_NEAR 0.1f
// Share of a depth that is left after a substep.
#define CONTACT_DEPTH_LEFT 0.8
// A row whose response falls under this share of that of its bodies alone is held by the joints.
#define CONTACT_HELD 1e-6

static double contact_dot6(const double *x, const double *y) {
    double sum = 0.0;
    for (uint32_t c = 0; c < 6; ++c) {
        sum += x[c] * y[c];
    }
    return sum;
}

// ---- rows ---------------------------------------------------------------------------------------

static void contact_set_end(const tni_solver *solver, const tni_mechanism *mechanism,
                            uint32_t index, uint32_t end, uint32_t body, vec3s lin, vec3s ang,
                            tni_mechanism_row *row) {
    double sign = end == 0 ? -1.0 : 1.0;
    double *j = row->jacobian[end];
    for (uint32_t c = 0; c < 3; ++c) {
        j[c] = sign * (double)lin.raw[c];
        j[3 + c] = sign * (double)ang.raw[c];
    }
    bool is_own = solver->mechanism_of[body] == index;
    row->bodies[end] = body;
    row->locals[end] = is_own ? solver->mechanism_local[body] : TNI_NONE;
    const tni_body_mass *mass = &solver->masses[body];
    memset(row->weighted[end], 0, sizeof row->weighted[end]);
    if (mass->is_dynamic && !solver->is_exact[body]) {
        const tni_body_state *state = &solver->states[body];
        vec3s turn = sym3_mul(state->inv_inertia, ang);
        for (uint32_t c = 0; c < 3; ++c) {
            row->weighted[end][c] = sign * (double)state->inv_mass.raw[c] * (double)lin.raw[c];
            row->weighted[end][3 + c] = sign * (double)turn.raw[c];
        }
    }
    for (uint32_t c = 0; c < 6 && is_own; ++c) {
        mechanism->bodies[row->locals[end]].change[c] += j[c];
    }
}

static void contact_make_row(const tni_solver *solver, tni_mechanism *mechanism, uint32_t index,
                             const tni_contact_block *block, vec3s lin, vec3s ang_a, vec3s ang_b,
                             tni_mechanism_row *row) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        memset(mechanism->bodies[i].change, 0, sizeof mechanism->bodies[i].change);
    }
    contact_set_end(solver, mechanism, index, 0, block->body_a, lin, ang_a, row);
    contact_set_end(solver, mechanism, index, 1, block->body_b, lin, ang_b, row);
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        double *x = tni_mechanism_of_joint(mechanism, i);
        memset(x, 0, mechanism->joints[i].row_count * sizeof(double));
    }
    tni_mechanism_solve(mechanism, false);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        memcpy(row->column + 6 * i, mechanism->bodies[i].change, 6 * sizeof(double));
    }
    // With the joints, of the bodies of the mechanism alone without them, and of others.
    double own = 0.0, bare = 0.0, loose = 0.0;
    for (uint32_t e = 0; e < 2; ++e) {
        double weighted = contact_dot6(row->jacobian[e], row->weighted[e]);
        if (row->locals[e] != TNI_NONE) {
            own += contact_dot6(row->jacobian[e], row->column + 6 * row->locals[e]);
            bare += weighted;
        } else {
            loose += weighted;
        }
    }
    row->own_inverse = own > CONTACT_HELD * bare ? 1.0 / own : 0.0;
    row->inverse = own + loose > CONTACT_HELD * (bare + loose) ? 1.0 / (own + loose) : 0.0;
}

static vec3s contact_lane(const tni_contact_lanes *lanes, uint32_t lane) {
    return maths_vec3(lanes->x[lane], lanes->y[lane], lanes->z[lane]);
}

// The rows of one contact: its points, then friction along two tangents and about the normal.
static uint32_t contact_make_rows(const tni_solver *solver, tni_mechanism *mechanism,
                                  uint32_t index, const tni_contact_block *block,
                                  tni_mechanism_row *rows) {
    uint32_t count = 0;
    vec3s normal = maths_vec3(block->normal[0], block->normal[1], block->normal[2]);
    for (uint32_t p = 0; p < block->point_count; ++p) {
        contact_make_row(solver, mechanism, index, block, normal, contact_lane(&block->turn_a, p),
                         contact_lane(&block->turn_b, p), &rows[count++]);
    }
    for (uint32_t t = 0; t < 3; ++t) {
        vec3s lin =
            t < 2 ? maths_vec3(block->tangent[t][0], block->tangent[t][1], block->tangent[t][2])
                  : maths_vec3_zero();
        contact_make_row(solver, mechanism, index, block, lin,
                         contact_lane(&block->tangent_turn_a, t),
                         contact_lane(&block->tangent_turn_b, t), &rows[count++]);
    }
    return count;
}

// ---- poses --------------------------------------------------------------------------------------

static double contact_shift_along(const tni_mechanism_row *row, const double *shift) {
    double sum = 0.0;
    for (uint32_t e = 0; e < 2; ++e) {
        if (row->locals[e] != TNI_NONE) {
            sum += contact_dot6(row->jacobian[e], shift + 6 * row->locals[e]);
        }
    }
    return sum;
}

static void contact_shift_point(const tni_mechanism *mechanism, tni_mechanism_row *row, double gap,
                                double *shift) {
    double target = gap < 0.0 ? CONTACT_DEPTH_LEFT * gap : 0.0;
    double now = gap + contact_shift_along(row, shift);
    double wanted = row->shift + (target - now) * row->own_inverse;
    double change = (wanted > 0.0 ? wanted : 0.0) - row->shift;
    row->shift += change;
    for (uint32_t c = 0; c < 6 * mechanism->moving_count && change != 0.0; ++c) {
        shift[c] += change * row->column[c];
    }
}

// ---- velocities ---------------------------------------------------------------------------------

static const tni_body_motion *contact_motion_of(const tni_solver *solver,
                                                const tni_mechanism *mechanism,
                                                const tni_mechanism_row *row, uint32_t end) {
    return row->locals[end] != TNI_NONE ? &mechanism->bodies[row->locals[end]].motion
                                        : &solver->motions[row->bodies[end]];
}

static double contact_row_speed(const tni_solver *solver, const tni_mechanism *mechanism,
                                const tni_mechanism_row *row) {
    double sum = 0.0;
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_body_motion *m = contact_motion_of(solver, mechanism, row, e);
        const double *j = row->jacobian[e];
        sum += j[0] * m->velocity.x + j[1] * m->velocity.y + j[2] * m->velocity.z +
               j[3] * m->angular_velocity.x + j[4] * m->angular_velocity.y +
               j[5] * m->angular_velocity.z;
    }
    return sum;
}

static void contact_push_motion(tni_body_motion *motion, const double *d, double x) {
    motion->velocity = dvec3_add_scaled(motion->velocity, x, dvec3_make(d[0], d[1], d[2]));
    motion->angular_velocity =
        dvec3_add_scaled(motion->angular_velocity, x, dvec3_make(d[3], d[4], d[5]));
}

static void contact_push_row(tni_solver *solver, tni_mechanism *mechanism,
                             const tni_mechanism_row *row, double x) {
    if (x == 0.0) {
        return;
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        contact_push_motion(&mechanism->bodies[i].motion, row->column + 6 * i, x);
    }
    for (uint32_t e = 0; e < 2; ++e) {
        if (row->locals[e] == TNI_NONE) {
            contact_push_motion(&solver->motions[row->bodies[e]], row->weighted[e], x);
        }
    }
}

// Changes an impulse to what is wanted.
static void contact_set_impulse(tni_solver *solver, tni_mechanism *mechanism,
                                const tni_mechanism_row *row, double wanted, double *impulse) {
    contact_push_row(solver, mechanism, row, wanted - *impulse);
    *impulse = wanted;
}

static void contact_sweep(tni_solver *solver, tni_mechanism *mechanism,
                          const tni_contact_block *block, const tni_mechanism_row *rows,
                          double impulses[TNI_LANES], double tangents[3]) {
    double total = 0.0;
    for (uint32_t p = 0; p < block->point_count; ++p) {
        double gap = (double)block->gap[p] + rows[p].moved;
        double least = gap > 0.0 ? -gap / solver->dh : 0.0;
        double speed = contact_row_speed(solver, mechanism, &rows[p]);
        double wanted = impulses[p] + (least - speed) * rows[p].inverse;
        contact_set_impulse(solver, mechanism, &rows[p], wanted > 0.0 ? wanted : 0.0, &impulses[p]);
        total += impulses[p];
    }
    const tni_mechanism_row *slides = rows + block->point_count;
    double wanted[3];
    for (uint32_t t = 0; t < 3; ++t) {
        wanted[t] =
            tangents[t] - contact_row_speed(solver, mechanism, &slides[t]) * slides[t].inverse;
    }
    double cap = (double)block->friction * total;
    double length = sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1]);
    double share = length > cap ? cap / length : 1.0;
    double twist = (double)block->tangent_bound[2] * total;
    wanted[2] = wanted[2] > twist ? twist : (wanted[2] < -twist ? -twist : wanted[2]);
    contact_set_impulse(solver, mechanism, &slides[0], share * wanted[0], &tangents[0]);
    contact_set_impulse(solver, mechanism, &slides[1], share * wanted[1], &tangents[1]);
    contact_set_impulse(solver, mechanism, &slides[2], wanted[2], &tangents[2]);
}

// ---- the whole ----------------------------------------------------------------------------------

// Of a mechanism that takes its own step all contacts that may close soon; else those that
// Gauss-Seidel works on.
static bool contact_takes_part(const tni_solver *solver, const tni_mechanism *mechanism,
                               uint32_t contact) {
    if (mechanism->is_coupled) {
        return solver->contact_gates[contact].is_shut;
    }
    const tni_contact_block *block = &solver->contact_blocks[contact];
    float least = FLT_MAX;
    for (uint32_t p = 0; p < block->point_count; ++p) {
        least = maths_min(least, block->gap[p]);
    }
    return least < CONTACT_NEAR;
}

uint32_t tni_mechanism_contacts_prepare(tni_solver *solver, uint32_t index) {
    tni_mechanism *mechanism = solver->mechanisms[index];
    uint32_t count = 0;
    for (uint32_t k = 0; k < mechanism->contact_count; ++k) {
        uint32_t contact = mechanism->contacts[k];
        if (!contact_takes_part(solver, mechanism, contact)) {
            continue;
        }
        for (uint32_t r = 0; r < TNI_MECHANISM_CONTACT_ROWS; ++r) {
            tni_mechanism_row *row = &mechanism->contact_rows[count + r];
            row->column = mechanism->columns + (size_t)(count + r) * 6 * mechanism->moving_count;
            row->shift = row->moved = 0.0;
        }
        count += contact_make_rows(solver, mechanism, index, &solver->contact_blocks[contact],
                                   mechanism->contact_rows + count);
    }
    return count;
}

void tni_mechanism_contacts_shift(const tni_solver *solver, tni_mechanism *mechanism,
                                  double *shift) {
    for (uint32_t sweep = 0; sweep < CONTACT_SWEEPS; ++sweep) {
        tni_mechanism_row *row = mechanism->contact_rows;
        for (uint32_t k = 0; k < mechanism->contact_count; ++k) {
            uint32_t contact = mechanism->contacts[k];
            if (!contact_takes_part(solver, mechanism, contact)) {
                continue;
            }
            const tni_contact_block *block = &solver->contact_blocks[contact];
            for (uint32_t p = 0; p < block->point_count; ++p) {
                contact_shift_point(mechanism, &row[p], (double)block->gap[p], shift);
                row[p].moved = contact_shift_along(&row[p], shift);
            }
            row += block->point_count + 3;
        }
    }
}

void tni_mechanism_contacts_solve(tni_solver *solver, tni_mechanism *mechanism) {
    memset(mechanism->contact_impulses, 0,
           mechanism->contact_count * TNI_MECHANISM_CONTACT_ROWS * sizeof(double));
    for (uint32_t sweep = 0; sweep < CONTACT_SWEEPS; ++sweep) {
        tni_mechanism_row *row = mechanism->contact_rows;
        double *x = mechanism->contact_impulses;
        for (uint32_t k = 0; k < mechanism->contact_count; ++k) {
            uint32_t contact = mechanism->contacts[k];
            if (contact_takes_part(solver, mechanism, contact)) {
                const tni_contact_block *block = &solver->contact_blocks[contact];
                contact_sweep(solver, mechanism, block, row, x, x + TNI_LANES);
                row += block->point_count + 3;
            }
            x += TNI_MECHANISM_CONTACT_ROWS;
        }
    }
}

void tni_mechanism_contacts_start(tni_solver *solver, tni_mechanism *mechanism) {
    for (uint32_t k = 0; k < mechanism->contact_count; ++k) {
        uint32_t contact = mechanism->contacts[k];
        tni_contact_block_prepare(solver, contact);
        solver->contact_gates[contact].is_shut = false; // for Gauss-Seidel
    }
}

void tni_mechanism_contacts_measure(tni_solver *solver, tni_mechanism *mechanism) {
    for (uint32_t k = 0; k < mechanism->contact_count; ++k) {
        tni_contact_block *block = &solver->contact_blocks[mechanism->contacts[k]];
        tni_contact_separations(solver, block, block->gap);
    }
}

void tni_mechanism_contacts_note(tni_solver *solver, tni_mechanism *mechanism) {
    const double *x = mechanism->contact_impulses;
    for (uint32_t k = 0; k < mechanism->contact_count; ++k) {
        tni_contact_block *block = &solver->contact_blocks[mechanism->contacts[k]];
        for (uint32_t p = 0; p < TNI_LANES; ++p) {
            block->step_impulse[p] += block->impulse[p];
            block->impulse[p] = (float)x[p];
        }
        for (uint32_t t = 0; t < 3; ++t) {
            block->tangent_step_impulse[t] += block->tangent_impulse[t];
            block->tangent_impulse[t] = (float)x[TNI_LANES + t];
        }
        x += TNI_MECHANISM_CONTACT_ROWS;
    }
}

void tni_mechanism_contacts_finish(tni_solver *solver, const tni_mechanism *mechanism) {
    for (uint32_t k = 0; k < mechanism->contact_count; ++k) {
        solver->contact_gates[mechanism->contacts[k]].is_shut = true;
    }
}
