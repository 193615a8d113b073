// solver/movers/span_rope.c: ropes through the phases of a substep.
//
// Each piece is a row of the span, J_k v = g_k', with the tension T_k as its impulse, counted as
// pulling: v -= W J_k^T T_k. A sweep asks for all J_k v, adds what the present tensions took from
// them, has solver/movers/rope_tension.c find tensions that fit together, and pushes by the
// difference. With the errors E_i = sum_{k <= i} g_k - m_i, the foretold part d of C'' and the
// winch's speed u (for the last i only), the sums F of rope_tension.c are the sums of f and
//
//     solve A   d_i + rate E_i - u     with Gamma_k = gamma K_kk, as soft as rows of joints are
//               E / h - u, no Gamma    where the rope is slack: it may become taut in this substep,
//                                      and lies loosely on its sheaves until then
//     solve B   - u, or E / h - u
//     spring    E_i / (theta h + tau) - u,  Gamma_k = l_k / (theta h E A (theta h + tau)),
//               tau = damping / E A: one theta step of each piece, T_k = theta h [k_k (C + theta h
//               C') + c_k C'] with k_k = E A / l_k; (1 - theta) / theta of it with the second kick
//
// Between sheaves that hold, each piece exceeds its rope in proportion to the amount Gamma_k T_k by
// which it gives way to its tension: where rope passed, the mark is moved so that this is true. A
// drum that slips gives as much rope as makes T_k fit the errors, E = Gamma T / rate. If pieces
// have equal rows, as in a tackle, sheaves that stick would leave their shares undetermined: a
// little of K holds each tension where it was. Sources: those of solver/movers/span.c and
// solver/movers/rope_tension.c; E. Catto, "Soft constraints", 2011. Test:
// tests/joints/functions/test_rope_joint.c
#include "solver/movers/span_rope.h"

#include <string.h>

#include "solver/movers/span_reduced.h"
#include "solver/movers/span_row.h"

// The share of the largest K_kk that keeps tensions where they were.
#define ROPE_KEEP 1e-5
// N·s: a smaller impulse is taken for zero.
#define ROPE_TINY_IMPULSE 1e-20
// A piece has at least this share of the rope, so that it stretches.
#define ROPE_LEAST_SHARE 1e-6

// ---- the rope as it lies -----------------------------------------------------------------------

// Adds n by c and n_i X_j by A_ij.
static void rope_add_affine(tni_dvec3 lin, tni_dvec3 material, tni_affine_row *row) {
    const double n[3] = {lin.x, lin.y, lin.z}, x[3] = {material.x, material.y, material.z};
    for (uint32_t i = 0; i < 3; ++i) {
        row->numbers[i] += n[i];
        for (uint32_t j = 0; j < 3; ++j) {
            row->numbers[3 + 3 * i + j] += n[i] * x[j];
        }
    }
}

static void rope_set_row(const tni_solver *solver, const tni_span *span, uint32_t piece,
                         const tni_rope_shape *shape, const tni_graph_body *bodies) {
    const tni_rope *rope = span->rope->own;
    tni_affine_row affine[TN_ROPE_MAX_POINTS] = {{{0.0}}};
    memset(tni_span_at(span, span->jacobian, piece, 0), 0,
           span->body_count * 8 * sizeof *span->jacobian);
    for (uint32_t end = 0; end < 2; ++end) {
        double sign = end == 0 ? -1.0 : 1.0;
        tni_dvec3 lin = dvec3_scale(shape->directions[piece], sign);
        tni_dvec3 ang = dvec3_cross(shape->arms[piece + end], lin);
        uint32_t slot = rope->slots[piece + end];
        if (span->affine[slot] != NULL) {
            rope_add_affine(lin, tni_rope_get_local(rope, piece + end, bodies), &affine[slot]);
            continue;
        }
        float *j = tni_span_at(span, span->jacobian, piece, slot);
        const double numbers[8] = {lin.x, lin.y, lin.z, 0.0, ang.x, ang.y, ang.z, 0.0};
        for (uint32_t c = 0; c < 8; ++c) {
            j[c] += maths_to_float(numbers[c]);
        }
    }
    span->rope->terms[piece] = span->object_count > 0 ? tni_span_project(span, piece, affine) : 0.0;
    for (uint32_t i = 0; i < span->part_count; ++i) {
        tni_span_respond(solver, span, piece, i);
    }
}

// Sets J W J^T of the pieces, and of the rope as one.
static void rope_set_coupling(const tni_span *span) {
    tni_span_rope *rope = span->rope;
    double most = 0.0;
    rope->k_sum = 0.0;
    for (uint32_t i = 0; i < span->row_count; ++i) {
        for (uint32_t k = 0; k <= i; ++k) {
            rope->k[i][k] = rope->k[k][i] = (double)tni_span_get_coupling(span, i, k);
            rope->k_sum += (i == k ? 1.0 : 2.0) * rope->k[i][k];
        }
        most = maths_max_d(most, rope->k[i][i]);
    }
    rope->firmness = ROPE_KEEP * most;
}

// Shares out the excess over the rope of the pieces from `first` to `end`, between which rope
// passes the sheaves, in proportion to how each gives way to its tension. A drum that slips gives
// as much rope as its tension asks for.
static void rope_share_out(tni_span_rope *rope, uint32_t first, uint32_t end,
                           const double *extents) {
    tni_rope *own = rope->own;
    bool slips = own->holds[end] != TNI_ROPE_STUCK;
    double mark = first > 0 ? own->marks[first - 1] : 0.0, gives = 0.0;
    double extent = first > 0 ? extents[first - 1] : 0.0;
    for (uint32_t i = first; i <= end; ++i) {
        gives += rope->softness[i] * own->tensions[i];
    }
    double error = (extents[end] - extent) - (own->marks[end] - mark);
    double factor = maths_inverse_or_zero_d(slips ? rope->rate : gives) * (slips ? 1.0 : error);
    for (uint32_t i = first; i <= end; ++i) {
        mark += extents[i] - extent - factor * rope->softness[i] * own->tensions[i];
        extent = extents[i];
        if (i < end) {
            own->marks[i] = mark;
        } else if (slips) {
            own->marks[i] = maths_max_d(own->marks[i], mark);
        }
    }
}

// Finds how much rope passed since the last refresh. `extents` are sums of pieces up to each one.
static void rope_pass(tni_span_rope *rope, const double *extents, double h) {
    tni_rope *own = rope->own;
    uint32_t last = own->piece_count - 1, first = 0;
    double before = own->marks[last];
    own->marks[last] = maths_max_d(before + h * (double)own->settings.payout_speed, 0.0);
    if (rope->is_open || !rope->is_taut) { // the rope lies loosely
        memcpy(own->marks, extents, last * sizeof *extents);
    } else {
        for (uint32_t i = 0; i <= last; ++i) {
            if (i == last || own->holds[i] == TNI_ROPE_STUCK) {
                rope_share_out(rope, first, i, extents);
                first = i + 1;
            }
        }
    }
    rope->paid = own->marks[last] - before;
}

// Returns E A of a rope that stretches, and writes tau.
static double rope_get_stiffness(const tni_span *span, double *out_tau) {
    const tni_span_rope *rope = span->rope;
    if (rope->hertz > 0.0) {
        double omega = 2.0 * MATHS_PI * rope->hertz;
        *out_tau = 2.0 * rope->damping_ratio / omega;
        return maths_inverse_or_zero_d(rope->k_sum) * omega * omega *
               rope->own->marks[span->row_count - 1];
    }
    double stiffness = (double)rope->own->settings.axial_stiffness;
    *out_tau = (double)rope->own->settings.axial_damping * maths_inverse_or_zero_d(stiffness);
    return stiffness;
}

// Returns theta of the rope as one.
static double rope_get_share(const tni_solver *solver, const tni_span *span, double stiffness,
                             double tau) {
    const tni_span_rope *rope = span->rope;
    double by_length = stiffness * maths_inverse_or_zero_d(rope->own->marks[span->row_count - 1]);
    tni_row row = {.kind = TNI_ROW_SPRING,
                   .stiffness = maths_to_float(by_length),
                   .damping = maths_to_float(by_length * tau),
                   .max_force = INFINITY};
    tni_row_drive drive[2];
    float k = maths_to_float(rope->k_sum);
    return (double)tni_drive_make_spring(&row, k, k, solver->h, 0.5f, drive);
}

static void rope_set_spring(const tni_solver *solver, tni_span *span) {
    tni_span_rope *rope = span->rope;
    double tau, stiffness = rope_get_stiffness(span, &tau);
    rope->share = rope_get_share(solver, span, stiffness, tau);
    double time = rope->share * solver->dh;
    double least = ROPE_LEAST_SHARE * rope->own->marks[span->row_count - 1];
    rope->rate = maths_inverse_or_zero_d(time + tau);
    double by_length = maths_inverse_or_zero_d(time * stiffness) * rope->rate;
    for (uint32_t i = 0; i < span->row_count; ++i) {
        rope->softness[i] = by_length * maths_max_d(tni_rope_get_own_length(rope->own, i), least);
    }
}

static void rope_set_softness(const tni_solver *solver, tni_span *span) {
    tni_span_rope *rope = span->rope;
    if (rope->is_spring) {
        rope_set_spring(solver, span);
        return;
    }
    const tni_softness *softness = &span->softness;
    double gamma = (double)softness->impulse_scale / (double)softness->mass_scale;
    rope->rate = (double)softness->rate;
    for (uint32_t i = 0; i < span->row_count; ++i) {
        rope->softness[i] = gamma * rope->k[i][i];
    }
}

static void rope_set_errors(const tni_solver *solver, tni_span *span, const tni_rope_shape *shape,
                            const tni_graph_body *bodies, const double *extents) {
    tni_span_rope *rope = span->rope;
    uint32_t last = span->row_count - 1;
    double prediction = (double)tni_span_get_prediction(solver, span), drift = 0.0;
    for (uint32_t i = 0; i <= last; ++i) {
        drift += prediction * (tni_rope_get_term(rope->own, shape, i, bodies) + rope->terms[i]);
        rope->drifts[i] = rope->is_spring ? 0.0 : drift;
        rope->errors[i] = extents[i] - rope->own->marks[i];
        rope->ratios[i] = i < last ? tni_rope_get_ratio(rope->own, shape, i) : 1.0;
        span->is_sound = span->is_sound && fabs(drift) + fabs(rope->errors[i]) < (double)FLT_MAX;
    }
    rope->is_open = !rope->own->settings.is_rigid && !rope->is_spring && rope->errors[last] < 0.0;
}

// The stiffness of a piece is E A / l = rate / (theta h Gamma).
double tni_span_rope_get_energy(const tni_solver *solver, const tni_span *span) {
    const tni_span_rope *rope = span->rope;
    double sum = 0.0;
    for (uint32_t i = 0; i < span->row_count && rope->is_spring && span->is_sound; ++i) {
        double stretch = rope->errors[i] - (i > 0 ? rope->errors[i - 1] : 0.0);
        stretch = rope->own->settings.is_rigid ? stretch : maths_max_d(stretch, 0.0);
        double time = rope->share * solver->dh;
        double stiffness = rope->rate * maths_inverse_or_zero_d(time * rope->softness[i]);
        sum += 0.5 * stiffness * stretch * stretch;
    }
    return sum;
}

void tni_span_rope_refresh(tni_solver *solver, tni_span *span) {
    tni_span_rope *rope = span->rope;
    tni_span_view view;
    tni_rope_shape shape;
    tni_span_look(solver, span, &view);
    tni_rope_measure(rope->own, view.bodies, &shape);
    double extents[TNI_ROPE_MAX_PIECES] = {0.0}, sum = 0.0;
    for (uint32_t i = 0; i < span->row_count; ++i) {
        extents[i] = sum += shape.lengths[i];
        rope_set_row(solver, span, i, &shape, view.bodies);
    }
    rope_set_coupling(span);
    if (solver->movers.time > rope->time && isfinite(sum)) {
        rope_pass(rope, extents, solver->movers.time - rope->time);
    }
    rope->time = solver->movers.time;
    rope_set_softness(solver, span);
    rope_set_errors(solver, span, &shape, view.bodies, extents);
    if (!rope->has_begun) {
        rope->has_begun = true;
        rope->energy_before = tni_span_rope_get_energy(solver, span);
    }
    if (!span->is_sound) { // a rope that is not finite does nothing
        memset(rope->own->tensions, 0, sizeof rope->own->tensions);
        memset(rope->warm, 0, sizeof rope->warm);
    }
}

// ---- phases ------------------------------------------------------------------------------------

static void rope_push(const tni_solver *solver, const tni_span *span, const double *tensions) {
    for (uint32_t i = 0; i < span->row_count; ++i) {
        tni_span_push(solver, span, i, -maths_to_float(tensions[i]));
    }
}

void tni_span_rope_warm_start(const tni_solver *solver, tni_span *span, bool is_first_half) {
    tni_span_rope *rope = span->rope;
    double *tensions = rope->own->tensions, given[TNI_ROPE_MAX_PIECES] = {0.0};
    double rest = (1.0 - rope->share) / rope->share;
    for (uint32_t i = 0; i < span->row_count; ++i) {
        if (rope->is_spring) {
            given[i] = is_first_half ? tensions[i] : rest * tensions[i];
        } else if (is_first_half) {
            rope->warm[i] = fabs(tensions[i]) < ROPE_TINY_IMPULSE ? 0.0 : 0.5 * tensions[i];
            given[i] = tensions[i] = rope->warm[i];
        } else {
            given[i] = rope->warm[i];
            tensions[i] += given[i];
        }
    }
    rope_push(solver, span, given);
}

// Returns the cap of the solved tension, which is half for a rigid rope in solve A.
static double rope_get_most(const tni_solver *solver, const tni_span_rope *rope, bool use_bias) {
    double share = rope->is_spring ? rope->share : use_bias ? 0.5 : 1.0;
    return (double)rope->own->settings.max_tension * share * solver->dh;
}

static double rope_get_bias(const tni_solver *solver, const tni_span_rope *rope, uint32_t i,
                            bool use_bias) {
    double speed = i + 1 == rope->own->piece_count ? (double)rope->own->settings.payout_speed : 0.0;
    if (rope->is_open) {
        return rope->errors[i] / solver->dh - speed;
    }
    return use_bias ? rope->drifts[i] + rope->rate * rope->errors[i] - speed : -speed;
}

static void rope_set_system(const tni_solver *solver, const tni_span *span, bool use_bias,
                            tni_rope_system *system) {
    const tni_span_rope *rope = span->rope;
    const double *tensions = rope->own->tensions;
    double sum = 0.0;
    bool is_soft = use_bias && !rope->is_open;
    system->count = span->row_count;
    system->most = rope_get_most(solver, rope, use_bias);
    system->may_push = rope->own->settings.is_rigid;
    for (uint32_t i = 0; i < span->row_count; ++i) {
        sum += (double)tni_span_get_speed(solver, span, i) + rope->firmness * tensions[i];
        for (uint32_t k = 0; k < span->row_count; ++k) {
            sum += rope->k[i][k] * tensions[k];
            system->give[i][k] = rope->k[i][k];
        }
        system->give[i][i] = rope->k[i][i] + rope->firmness + (is_soft ? rope->softness[i] : 0.0);
        system->wanted[i] = sum + rope_get_bias(solver, rope, i, use_bias);
        system->ratio[i] = rope->is_open ? 1.0 : rope->ratios[i];
    }
}

void tni_span_rope_sweep(const tni_solver *solver, tni_span *span, bool use_bias) {
    tni_span_rope *rope = span->rope;
    if ((rope->is_spring && !use_bias) || !span->is_sound) {
        return;
    }
    tni_rope_system system;
    double tensions[TNI_ROPE_MAX_PIECES], change[TNI_ROPE_MAX_PIECES] = {0.0};
    rope_set_system(solver, span, use_bias, &system);
    rope->is_taut = tni_rope_system_solve(&system, rope->own->holds, tensions);
    for (uint32_t i = 0; i < span->row_count; ++i) {
        change[i] = tensions[i] - rope->own->tensions[i];
        rope->own->tensions[i] = tensions[i];
    }
    rope_push(solver, span, change);
}

// ---- what they did -----------------------------------------------------------------------------

double tni_span_rope_get_greatest(const tni_span *span) {
    double greatest = 0.0;
    for (uint32_t i = 0; i < span->row_count; ++i) {
        greatest = maths_max_d(greatest, fabs(span->rope->own->tensions[i] / span->rope->share));
    }
    return greatest;
}

void tni_span_rope_leave(const tni_solver *solver, tni_span *span) {
    tni_span_rope *rope = span->rope;
    double given[TNI_ROPE_MAX_PIECES] = {0.0};
    for (uint32_t i = 0; i < span->row_count; ++i) {
        given[i] = -rope->own->tensions[i] / rope->share;
        rope->own->tensions[i] = 0.0;
    }
    rope_push(solver, span, given);
    rope->is_spring = false; // a broken spring books what it took back
    rope->share = 1.0;
}

void tni_span_rope_store(const tni_solver *solver, tni_span *span) {
    tni_span_rope *rope = span->rope;
    for (uint32_t i = 0; i < span->row_count; ++i) {
        rope->step_impulses[i] += rope->own->tensions[i] / rope->share;
    }
    double force = rope->own->tensions[span->row_count - 1] / (rope->share * solver->dh);
    rope->motor_work -= force * rope->paid;
}

void tni_span_rope_begin_phase(tni_span *span) {
    memcpy(span->rope->phase_start, span->rope->own->tensions, sizeof span->rope->phase_start);
}

// Returns a piece's impulse in the phase, N·s.
static double rope_get_phase_impulse(const tni_span_rope *rope, uint32_t piece,
                                     bool is_first_half) {
    double tension = rope->own->tensions[piece];
    if (rope->is_spring) {
        return is_first_half ? tension : (1.0 - rope->share) / rope->share * tension;
    }
    return is_first_half ? tension : tension - rope->phase_start[piece];
}

// Books the work of all pieces, - sum T_k g_k': that of each sheave by the difference of its
// tensions, that of rope let out or hauled in at the last tension, and that of stretching.
void tni_span_rope_end_phase(tni_solver *solver, const tni_span *span, bool is_first_half) {
    const tni_span_rope *rope = span->rope;
    uint32_t last = span->row_count - 1;
    double sum = 0.0;
    for (uint32_t i = 0; i <= last; ++i) {
        double tension = rope_get_phase_impulse(rope, i, is_first_half);
        sum += tni_span_get_mean_speed(solver, span, i);
        tni_span_row_take_back(solver, span->bodies, span->body_count,
                               tni_span_at(span, span->jacobian, i, 0), -tension);
        if (i < last) {
            solver->ledger.work.friction -=
                (tension - rope_get_phase_impulse(rope, i + 1, is_first_half)) * sum;
            continue;
        }
        bool slips = rope->own->holds[last] != TNI_ROPE_STUCK;
        double speed = slips ? sum : (double)rope->own->settings.payout_speed;
        double rest = -tension * (sum - speed);
        solver->ledger.work.motor -= tension * speed;
        *(rope->is_spring ? &solver->ledger.work.spring : &solver->ledger.work.joint) += rest;
    }
}
