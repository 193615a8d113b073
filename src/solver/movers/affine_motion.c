// solver/movers/affine_motion.c: the mass of an affine body, its kicks, and a volume or an area it
// keeps.
//
// By strains E and turns w (solver/movers/affine.c) a motion is Y = R^T A' = E + [w] U, and
//     tr(Y S Y^T) = E . (E S) + 2 E . ([w] U S) + w . (tr Q 1 - Q) w,      Q = U S U
// Strains are eliminated before turns. Their block with the stiffness, M_EE + (h^2/4 + h tau/4) K,
// does not change during a step; with its inverse P, the coupling B and C = tr Q 1 - Q
//     M^-1 = [P + W Z W^T, -W Z; -Z W^T, Z],     W = P B,   Z = (C - B^T W)^-1
// A stiffness of any size makes P and W small and leaves Z its digits: a stiff body is a rigid one.
//
// The change dU' that an impulse makes of the strains works against the stiffness in the mass too.
// The work v_mean . f of an impulse f over the speeds is the change of the kinetic energy and
//     v_mean . (h^2/4 + h tau/4) K dU'
// which the ledger takes back: the first part from springs, because it stands for their force in
// the drift between the two kicks, and the second from damping.
//
// Damping comes after the forces of a kick, as of rigid bodies: c' over 1 + h/2 c, A' over 1 + h/2
// c_w. Over all of A' it slows turning and straining alike: the angular momentum of A S A'^T, being
// linear in A', falls as a rigid body's does, and a kept volume or area stays kept.
//
// A volume det A = 1, or an area |a1 x a2| = 1 of the columns of A, is kept as RATTLE does: with G
// its gradient, cof A, or [a2 x n, n x a1, 0] for n along a1 x a2, what changes it is taken out of
// M^-1, so that neither kicks nor joints do; a drift is completed along M^-1 G of where it began,
// and the speeds are projected at its end.
// Sources: those of solver/movers/affine.c; H. Andersen, "RATTLE: a velocity version of the SHAKE
// algorithm", Journal of Computational Physics 52, 1983. Test: tests/world/movers/test_affine.c
#include <string.h>

#include "core/dmat3.h"
#include "solver/movers/affine.h"
#include "solver/solver.h"

#define STRAINS TNI_AFFINE_STRAINS
#define TURNS   TNI_AFFINE_TURNS
#define WAYS    TNI_AFFINE_WAYS

#define AFFINE_MOST_ROUNDS 30
#define AFFINE_MOST_FITS   400 // a factor of 4/3 each: any number that is finite
#define AFFINE_TOLERANCE   1e-15
#define AFFINE_KEPT_OFF    1e-12 // beyond which a drift has not ended

// ---- mass --------------------------------------------------------------------------------------

bool tni_affine_set_substep(tni_reduced *reduced, double h) {
    tni_affine *affine = reduced->affine;
    double stiffness[STRAINS * STRAINS], least[STRAINS];
    double share = 0.25 * h * (h + affine->material.viscosity);
    affine->h = h;
    tni_affine_fill_stiffness(affine, stiffness);
    for (uint32_t a = 0; a < STRAINS; ++a) {
        double one[STRAINS] = {0.0}, dual[STRAINS];
        one[a] = 1.0;
        tni_dmat3 strain = tni_affine_join_strains(one),
                  moved = dmat3_mul(&strain, &affine->moment);
        tni_affine_read_dual(&moved, dual);
        for (uint32_t b = 0; b < STRAINS; ++b) {
            uint32_t at = a * STRAINS + b;
            affine->soft_inverse[at] = dual[b] + share * stiffness[at];
        }
        least[a] = affine->soft_inverse[a * STRAINS + a];
    }
    return tni_reduced_invert(affine->soft_inverse, STRAINS, least) &&
           reduced->bodies[0].mass > 0.0;
}

// The coupling of strains and turns.
typedef struct affine_turning {
    double coupling[TURNS][STRAINS], carried[TURNS][STRAINS]; // B and W = P B
    double inverse[TURNS * TURNS];                            // Z
} affine_turning;

static void affine_couple(const tni_affine *affine, affine_turning *turning) {
    tni_dmat3 us = dmat3_mul(&affine->stretch, &affine->moment);
    for (uint32_t i = 0; i < TURNS; ++i) {
        tni_dvec3 axis = dvec3_make(i == 0, i == 1, i == 2);
        tni_dmat3 turned = dmat3_cross(axis, &us);
        tni_affine_read_dual(&turned, turning->coupling[i]);
        for (uint32_t a = 0; a < STRAINS; ++a) {
            double sum = 0.0;
            for (uint32_t b = 0; b < STRAINS; ++b) {
                sum += affine->soft_inverse[a * STRAINS + b] * turning->coupling[i][b];
            }
            turning->carried[i][a] = sum;
        }
    }
    tni_dmat3 q = dmat3_mul(&us, &affine->stretch), c = dmat3_complement(&q);
    const double least[TURNS] = {c.m[0][0], c.m[1][1], c.m[2][2]};
    for (uint32_t i = 0; i < TURNS; ++i) {
        for (uint32_t j = 0; j < TURNS; ++j) {
            double sum = c.m[i][j];
            for (uint32_t a = 0; a < STRAINS; ++a) {
                sum -= turning->coupling[i][a] * turning->carried[j][a];
            }
            turning->inverse[i * TURNS + j] = sum;
        }
    }
    tni_reduced_invert(turning->inverse, TURNS, least);
}

// Puts M^-1 together from its blocks.
static void affine_set_inverse(tni_affine *affine, const affine_turning *turning) {
    double *m = affine->inverse;
    for (uint32_t i = 0; i < TURNS; ++i) {
        const double *z = &turning->inverse[i * TURNS];
        for (uint32_t a = 0; a < STRAINS; ++a) {
            double sum = 0.0;
            for (uint32_t j = 0; j < TURNS; ++j) {
                sum -= z[j] * turning->carried[j][a];
            }
            m[(STRAINS + i) * WAYS + a] = m[a * WAYS + STRAINS + i] = sum;
        }
        memcpy(&m[(STRAINS + i) * WAYS + STRAINS], z, TURNS * sizeof *z);
    }
    for (uint32_t a = 0; a < STRAINS; ++a) {
        for (uint32_t b = 0; b <= a; ++b) {
            double sum = affine->soft_inverse[a * STRAINS + b];
            for (uint32_t i = 0; i < TURNS; ++i) {
                sum -= turning->carried[i][a] * m[(STRAINS + i) * WAYS + b];
            }
            m[a * WAYS + b] = m[b * WAYS + a] = sum;
        }
    }
}

// Returns how many times as large as at rest it is, and what that changes by with A.
static double affine_get_kept(tn_affine_kept kept, const tni_dmat3 *a, tni_dmat3 *out_gradient) {
    if (kept == TN_AFFINE_KEPT_VOLUME) {
        *out_gradient = dmat3_cofactor(a);
        return dmat3_determinant(a);
    }
    tni_dvec3 a1 = dmat3_get_column(a, 0), a2 = dmat3_get_column(a, 1), n = dvec3_cross(a1, a2);
    double area = dvec3_length(n);
    n = dvec3_scale(n, maths_inverse_or_zero_d(area));
    tni_dvec3 p = dvec3_cross(a2, n), q = dvec3_cross(n, a1);
    *out_gradient = (tni_dmat3){{{p.x, q.x, 0.0}, {p.y, q.y, 0.0}, {p.z, q.z, 0.0}}};
    return area;
}

// Takes what changes the kept number out of the inverse.
static void affine_hold(tni_affine *affine) {
    tni_dmat3 gradient;
    double push[WAYS], response = 0.0;
    affine_get_kept(affine->material.kept, &affine->stretch, &gradient);
    tni_affine_read_dual(&gradient, affine->kept_row);
    for (uint32_t a = 0; a < WAYS; ++a) {
        push[a] = 0.0;
        for (uint32_t e = 0; e < STRAINS; ++e) {
            push[a] += affine->inverse[a * WAYS + e] * affine->kept_row[e];
        }
        response += a < STRAINS ? push[a] * affine->kept_row[a] : 0.0;
    }
    double share = maths_inverse_or_zero_d(response);
    for (uint32_t a = 0; a < WAYS; ++a) {
        for (uint32_t b = 0; b < WAYS; ++b) {
            affine->inverse[a * WAYS + b] -= share * push[a] * push[b];
        }
    }
    affine->kept_response = response;
    affine->kept_push = tni_affine_join(affine, push);
}

// Writes M^-1 over the speeds, both of its sides taken from strains and turns to A'.
static void affine_write_inverse(const tni_affine *affine, double mass, double *out_inverse) {
    double half[WAYS][9];
    for (uint32_t a = 0; a < WAYS; ++a) {
        tni_dmat3 joined = tni_affine_join(affine, &affine->inverse[a * WAYS]);
        memcpy(half[a], joined.m, sizeof half[a]);
    }
    memset(out_inverse, 0, 144 * sizeof *out_inverse);
    for (uint32_t k = 0; k < 3; ++k) {
        out_inverse[13 * k] = maths_inverse_or_zero_d(mass);
    }
    for (uint32_t k = 0; k < 9; ++k) {
        double ways[WAYS];
        for (uint32_t a = 0; a < WAYS; ++a) {
            ways[a] = half[a][k];
        }
        tni_dmat3 joined = tni_affine_join(affine, ways);
        memcpy(&out_inverse[12 * (3 + k) + 3], joined.m, sizeof joined.m);
    }
}

void tni_affine_set_mass(tni_reduced *reduced) {
    tni_affine *affine = reduced->affine;
    affine_turning turning;
    affine_couple(affine, &turning);
    affine_set_inverse(affine, &turning);
    if (affine->material.kept != TN_AFFINE_KEPT_NOTHING) {
        affine_hold(affine);
    }
    affine_write_inverse(affine, reduced->bodies[0].mass, reduced->inverse);
}

// ---- kicks -------------------------------------------------------------------------------------

// Finds how half a substep of K u, tau K u' and the torque changes strains and turns.
static void affine_get_push(const tni_affine *affine, double half, const tni_dmat3 *rate,
                            tni_dvec3 torque, double *out_change) {
    double spring[STRAINS], viscous[STRAINS];
    tni_dmat3 strain = tni_affine_get_strain(affine);
    tni_dvec3 t = dmat3_mul_transposed_vec(&affine->rotation, torque);
    tni_affine_stress(affine, &strain, spring);
    tni_affine_stress(affine, rate, viscous);
    double forces[WAYS] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, t.x, t.y, t.z};
    for (uint32_t e = 0; e < STRAINS; ++e) {
        forces[e] = -spring[e] - affine->material.viscosity * viscous[e];
    }
    for (uint32_t a = 0; a < WAYS; ++a) {
        double sum = 0.0;
        for (uint32_t b = 0; b < WAYS; ++b) {
            sum += affine->inverse[a * WAYS + b] * forces[b];
        }
        out_change[a] = half * sum;
    }
}

static void affine_get_mean(const double *before, const double *after, double *out_mean) {
    for (uint32_t k = 0; k < TN_AFFINE_FREEDOMS; ++k) {
        out_mean[k] = 0.5 * (before[k] + after[k]);
    }
}

// Takes out of the booked work what the stiffness in the mass takes of a change of speeds, except
// by `drag`, which acts on the mass alone.
static void affine_take_back(tni_solver *solver, const tni_affine *affine, const double *before,
                             const double *after, const double *drag) {
    double mean[TN_AFFINE_FREEDOMS], change[TN_AFFINE_FREEDOMS], stress[STRAINS];
    affine_get_mean(before, after, mean);
    for (uint32_t k = 0; k < TN_AFFINE_FREEDOMS; ++k) {
        change[k] = after[k] - before[k] - drag[k];
    }
    tni_dmat3 rate, strained;
    tni_affine_split_speeds(affine, mean, &rate);
    tni_affine_split_speeds(affine, change, &strained);
    tni_affine_stress(affine, &strained, stress);
    double stiffened = 0.25 * affine->h * tni_affine_work(stress, &rate);
    solver->ledger.work.spring -= affine->h * stiffened;
    solver->ledger.work.damping -= affine->material.viscosity * stiffened;
}

// Returns the work of damping: `mean` times M times the change of speeds that damping made.
static double affine_get_drag_work(const tni_reduced *reduced, const double *mean) {
    const double *drag = reduced->drag;
    tni_dmat3 lost = dmat3_read(drag + 3), rate = dmat3_read(mean + 3);
    tni_dmat3 moved = dmat3_mul(&lost, &reduced->affine->moment);
    double way = drag[0] * mean[0] + drag[1] * mean[1] + drag[2] * mean[2];
    return reduced->bodies[0].mass * way + dmat3_dot(&moved, &rate);
}

void tni_affine_measure(tni_solver *solver, const tni_reduced *reduced) {
    const tni_affine *affine = reduced->affine;
    double half = 0.5 * solver->dh, mean[TN_AFFINE_FREEDOMS], spring[STRAINS], viscous[STRAINS];
    tni_dmat3 rate, first, strain = tni_affine_get_strain(affine);
    affine_get_mean(reduced->speeds_before, reduced->speeds, mean);
    tni_affine_split_speeds(affine, mean, &rate);
    tni_affine_split_speeds(affine, reduced->speeds_before, &first);
    tni_affine_stress(affine, &strain, spring);
    tni_affine_stress(affine, &first, viscous);
    solver->ledger.work.spring -= half * tni_affine_work(spring, &rate);
    solver->ledger.work.damping -=
        half * affine->material.viscosity * tni_affine_work(viscous, &rate);
    affine_take_back(solver, affine, reduced->speeds_before, reduced->speeds, reduced->drag);
    solver->ledger.work.damping += affine_get_drag_work(reduced, mean);
}

void tni_affine_kick(const tni_solver *solver, const tni_reduced *reduced, double *speeds) {
    const tni_affine *affine = reduced->affine;
    uint32_t body = reduced->bodies[0].body;
    const tni_dvec3 *pull = &solver->bodies.pulls[body].acceleration;
    double half = 0.5 * solver->dh, push[WAYS];
    tni_dmat3 rate;
    tni_affine_split_speeds(affine, speeds, &rate);
    affine_get_push(affine, half, &rate, solver->bodies.masses[body].torque, push);
    tni_dmat3 change = tni_affine_join(affine, push);
    speeds[0] += half * pull->x;
    speeds[1] += half * pull->y;
    speeds[2] += half * pull->z;
    for (uint32_t k = 0; k < 9; ++k) {
        speeds[3 + k] += change.m[k / 3][k % 3];
    }
}

void tni_affine_damp(const tni_solver *solver, tni_reduced *reduced, double *speeds) {
    const tni_reduced_body *body = &reduced->bodies[0];
    double half = 0.5 * solver->dh;
    double linear = 1.0 / (1.0 + half * body->linear_damping);
    double angular = 1.0 / (1.0 + half * body->angular_damping);
    for (uint32_t k = 0; k < TN_AFFINE_FREEDOMS; ++k) {
        double left = speeds[k] * (k < 3 ? linear : angular);
        reduced->drag[k] = left - speeds[k];
        speeds[k] = left;
    }
}

// ---- what is kept ------------------------------------------------------------------------------

bool tni_affine_fit(const tni_reduced *reduced, double *coordinates) {
    tn_affine_kept kept = reduced->affine->material.kept;
    tni_dmat3 gradient, a = dmat3_read(coordinates + 3);
    if (kept == TN_AFFINE_KEPT_NOTHING) {
        return true;
    }
    double size = affine_get_kept(kept, &a, &gradient);
    if (!(size > 0.0) || fabs(size - 1.0) < AFFINE_TOLERANCE) {
        return size > 0.0;
    }
    double s = size > 1.0 ? 1.0 / size : 1.0; // below size^(-1/3): Newton's method grows to it
    double factor = 0.0;
    for (int i = 0; i < AFFINE_MOST_FITS && kept == TN_AFFINE_KEPT_VOLUME && factor != 1.0; ++i) {
        factor = (4.0 - size * s * s * s) / 3.0;
        s *= factor;
    }
    s = kept == TN_AFFINE_KEPT_AREA ? 1.0 / sqrt(size) : s;
    for (uint32_t k = 0; k < 9; ++k) {
        coordinates[3 + k] *= s;
    }
    return true;
}

// Applies an impulse x along G. Without a `solver` nothing is booked in the ledger.
static void affine_push_kept(tni_solver *solver, const tni_reduced *reduced, double x,
                             double *speeds) {
    static const double no_drag[TN_AFFINE_FREEDOMS] = {0.0};
    const tni_affine *affine = reduced->affine;
    double before[TN_AFFINE_FREEDOMS], mean[TN_AFFINE_FREEDOMS];
    memcpy(before, speeds, sizeof before);
    for (uint32_t k = 0; k < 9; ++k) {
        speeds[3 + k] += x * affine->kept_push.m[k / 3][k % 3];
    }
    if (solver != NULL && solver->ledger.measures_work) {
        tni_dmat3 rate;
        affine_get_mean(before, speeds, mean);
        tni_affine_split_speeds(affine, mean, &rate);
        solver->ledger.work.joint += x * tni_affine_work(affine->kept_row, &rate);
        affine_take_back(solver, affine, before, speeds, no_drag);
    }
}

void tni_affine_keep(tni_solver *solver, tni_reduced *reduced, double *moved, double *speeds) {
    const tni_affine *affine = reduced->affine;
    tn_affine_kept kept = affine->material.kept;
    tni_dmat3 gradient, from = dmat3_read(moved + 3), a = from;
    double x = 0.0, off = 1.0;
    if (kept == TN_AFFINE_KEPT_NOTHING) {
        return;
    }
    for (int i = 0; i < AFFINE_MOST_ROUNDS && fabs(off) > AFFINE_TOLERANCE; ++i) {
        off = affine_get_kept(kept, &a, &gradient) - 1.0;
        x -= off * maths_inverse_or_zero_d(dmat3_dot(&gradient, &affine->kept_push));
        a = dmat3_add_scaled(&from, x, &affine->kept_push);
    }
    if (!(fabs(affine_get_kept(kept, &a, &gradient) - 1.0) < AFFINE_KEPT_OFF)) {
        // The step went so far that no push along M^-1 G ends at the kept volume or area.
        x = 0.0;
        a = tni_affine_fit(reduced, moved) ? dmat3_read(moved + 3) : affine->gradient;
    }
    memcpy(moved + 3, a.m, sizeof a.m);
    affine_push_kept(solver, reduced, x * maths_inverse_or_zero_d(affine->h), speeds);
}

void tni_affine_keep_rate(tni_solver *solver, const tni_reduced *reduced, double *speeds) {
    const tni_affine *affine = reduced->affine;
    if (affine->material.kept == TN_AFFINE_KEPT_NOTHING) {
        return;
    }
    tni_dmat3 rate;
    tni_affine_split_speeds(affine, speeds, &rate);
    double x =
        tni_affine_work(affine->kept_row, &rate) * maths_inverse_or_zero_d(affine->kept_response);
    affine_push_kept(solver, reduced, -x, speeds);
}
