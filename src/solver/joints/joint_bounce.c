// solver/joints/joint_bounce.c: rigid limits of one joint that bounce.
//
// A limit that bounces is met in solve A like any other and leaves in solve B. The energy of both
// must not depend on where in a substep that is, nor on how far the soft joint gave way to the
// blow. So solve B asks for speeds that follow from those before the substep. Let S be the limits
// that pushed in solve A, s their speeds J v before the substep and K = J W J^T through the joint.
// The drift v_d consists of what opens the joint, v_E = W J_E^T K_E^-1 J_E v_d, of what moves the
// limits, c K^-1 d with c = W J^T through the joint and d = J (v_d - v_E), and of motion beside
// these. The motion in S has the energy s^T K^-1 s / 2, and forces f do the work
//     A = h f (v_E + c K^-1 d) + h (J' v) K^-1 d
// on it, with the pull J' v by turning. So S is met at
//     u = s sqrt(1 + 2 A / (s^T K^-1 s)),
// for one limit without equalities u^2 = s^2 + 2 a h d with a = J W f + J' v. All motion that moves
// no limit of S goes on beside it, and so does the work of forces on that.
//
// A blow on one limit moves the others of its joint: they are met with the speed that it gives
// them. So blows follow each other, w = u at the beginning. Each is a linear complementarity
// problem (solver/joints/joint_limits.c) over the limits P of S that close or stand,
//     w' = w + K x >= -e w,   x >= 0,   x (w' + e w) = 0   on P,
// and changes w of all of S, until none closes. It adds x^T (w' + w) / 2 = -(1 - e) x^T |w| / 2 to
// the energy, which is never more than nothing: a limit that leaves is not in P, for a blow that
// held it at less than its w would give energy. Solve B asks the limits that had a blow for
// J v >= w; the sum of the blows gives exactly that.
//
// A limit that bounces, and that was not met yet, is not slowed down by solve B if the blows leave
// it closing fast: it would be met at less than its speed.
// Source: J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics", CISM
// Courses and Lectures 302, 1988. Test: tests/joints/test_limit_bounces.c,
// tests/joints/test_joint_limits.c
#include "core/simd_double.h"
#include "solver/joints/joint_limits.h"

// Two ends that leave nothing between them could have blows without end.
#define BOUNCE_MOST_BLOWS 32
// Forces make at most this many times the energy of limits that are met: what has less before the
// substep stands.
#define BOUNCE_MOST_GAIN 1e6f
// A limit stands if its speed has less than this share of the energy of the fastest.
#define BOUNCE_STANDS 1e-8f

// S, and what its rows were met at.
typedef struct bounce_set {
    tni_limits_set limits;         // `speed` is what the impulses are to balance
    float met[TNI_JOINT_MAX_ROWS]; // s, then u, then w
    bool is_hit[TNI_JOINT_MAX_ROWS];
} bounce_set;

// m/s: how fast the body went in the last drift. If the second kick has come already it is taken
// off.
static tni_f4 bounce_get_drift(const tni_solver *solver, uint32_t body) {
    const float kick = solver->has_second_kick ? 0.5f * solver->h : 0.0f;
    vec3s a = dvec3_to_float(solver->bodies.pulls[body].acceleration);
    vec3s v = glms_vec3_sub(solver->bodies.states[body].v, glms_vec3_scale(a, kick));
    return f4_load3(v.raw);
}

static tni_velocities bounce_get_drifts(const tni_solver *solver, const tni_joint_block *block) {
    tni_velocities v = tni_velocities_load(&solver->bodies.states[block->body_a],
                                           &solver->bodies.states[block->body_b]);
    v.v_a = bounce_get_drift(solver, block->body_a);
    v.v_b = bounce_get_drift(solver, block->body_b);
    return v;
}

// N and N·m: what gravity and applied forces do to a body.
static void bounce_get_force(const tni_solver *solver, uint32_t body, tni_f4 *out_force,
                             tni_f4 *out_torque) {
    const tni_body_mass *mass = &solver->bodies.masses[body];
    float m = (float)maths_inverse_or_zero_d(mass->inv_mass);
    vec3s a = dvec3_to_float(solver->bodies.pulls[body].acceleration);
    vec3s torque = dvec3_to_float(mass->torque);
    *out_force = f4_mul(f4_splat(m), f4_load3(a.raw));
    *out_torque = f4_load3(torque.raw);
}

static tni_velocities bounce_get_forces(const tni_solver *solver, const tni_joint_block *block) {
    tni_velocities force;
    bounce_get_force(solver, block->body_a, &force.v_a, &force.w_a);
    bounce_get_force(solver, block->body_b, &force.v_b, &force.w_b);
    return force;
}

// Collects S.
static void bounce_find(const tni_solver *solver, const tni_joint_block *block, bounce_set *set) {
    uint32_t first = block->first_row + block->equality_count;
    uint32_t count = (uint32_t)block->row_count - block->equality_count;
    const tni_bounded_row *bounded = solver->joints.bounded_rows + block->first_bounded;
    set->limits.count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const tni_row *row = &solver->joints.rows[first + i];
        if (row->kind != TNI_ROW_LIMIT || bounded[i].is_dormant ||
            !(bounded[i].drive[1].mass > 0.0f)) {
            continue;
        }
        if (solver->joints.row_states[first + i].impulse > 0.0f) {
            uint32_t k = set->limits.count++;
            set->limits.rows[k] = (uint8_t)i;
            set->limits.pushes[k] = true;
            set->met[k] = solver->joints.row_states[first + i].speed;
            set->is_hit[k] = false;
        }
    }
}

// Returns s^T K^-1 s.
static float bounce_get_energy(bounce_set *set) {
    float energy = 0.0f;
    for (uint32_t i = 0; i < set->limits.count; ++i) {
        set->limits.speed[i] = -set->met[i];
    }
    tni_joint_limits_balance(&set->limits);
    for (uint32_t i = 0; i < set->limits.count; ++i) {
        energy += set->met[i] * set->limits.impulse[i];
    }
    return energy;
}

// Returns 2 A.
static float bounce_get_work(const tni_solver *solver, const tni_joint_block *block,
                             bounce_set *set) {
    const tni_row *rows = solver->joints.rows + block->first_row + block->equality_count;
    const tni_bounded_row *bounded = solver->joints.bounded_rows + block->first_bounded;
    tni_velocities drift = bounce_get_drifts(solver, block), opening;
    tni_velocities force = bounce_get_forces(solver, block);
    tni_f4 unused[2];
    tni_joint_bounded_answer(block, &drift, unused, &opening);
    tni_velocities_add(&drift, -1.0f, &opening);
    for (uint32_t i = 0; i < set->limits.count; ++i) {
        set->limits.speed[i] = -tni_velocities_dot(&bounded[set->limits.rows[i]].jacobian, &drift);
    }
    tni_joint_limits_balance(&set->limits);
    float work = tni_velocities_dot(&force, &opening);
    for (uint32_t i = 0; i < set->limits.count; ++i) {
        uint32_t r = set->limits.rows[i];
        float pull = tni_velocities_dot(&bounded[r].change[0], &force) + rows[r].velocity_term;
        work += pull * set->limits.impulse[i];
    }
    return 2.0f * solver->h * work;
}

// Makes u of s.
static void bounce_meet(const tni_solver *solver, const tni_joint_block *block, bounce_set *set) {
    float energy = bounce_get_energy(set);
    float work = energy > 0.0f ? bounce_get_work(solver, block, set) : 0.0f;
    float square = maths_max(energy + work, 0.0f);
    bool stands = !(square < BOUNCE_MOST_GAIN * energy); // the direction of s is chance
    float scale = stands ? 1.0f : sqrtf(square * maths_inverse_or_zero(energy));
    for (uint32_t i = 0; i < set->limits.count; ++i) {
        set->met[i] *= scale;
    }
}

static bool bounce_is_fast(const tni_solver *solver, float speed) {
    return speed < -solver->settings.restitution_threshold;
}

// Returns whether a limit of S is met fast enough to bounce.
static bool bounce_is_met(const tni_solver *solver, const tni_row *rows, const bounce_set *set) {
    bool is_met = false;
    for (uint32_t i = 0; i < set->limits.count; ++i) {
        is_met |=
            rows[set->limits.rows[i]].restitution > 0.0f && bounce_is_fast(solver, set->met[i]);
    }
    return is_met;
}

// Returns w^2 / K of a limit.
static float bounce_get_own_energy(const bounce_set *set, uint32_t i) {
    return set->met[i] * set->met[i] * maths_inverse_or_zero(set->limits.matrix[i][i]);
}

// Returns the largest w^2 / K of those that close.
static float bounce_get_fastest(const bounce_set *set) {
    float most = 0.0f;
    for (uint32_t i = 0; i < set->limits.count; ++i) {
        most = set->met[i] < 0.0f ? maths_max(most, bounce_get_own_energy(set, i)) : most;
    }
    return most;
}

// Gives the limits that close or stand one blow. Returns false if there is none to give.
static bool bounce_strike(const tni_solver *solver, const tni_row *rows, float least,
                          bounce_set *set) {
    tni_limits_set *limits = &set->limits;
    float fastest = bounce_get_fastest(set);
    if (!(fastest > least)) {
        return false;
    }
    for (uint32_t i = 0; i < limits->count; ++i) {
        bool stands = bounce_get_own_energy(set, i) < BOUNCE_STANDS * fastest;
        float e = bounce_is_fast(solver, set->met[i]) ? rows[limits->rows[i]].restitution : 0.0f;
        bool is_struck = stands || set->met[i] < 0.0f;
        limits->speed[i] = is_struck ? (1.0f + e) * set->met[i] : FLT_MAX;
        limits->pushes[i] = is_struck;
    }
    if (!tni_joint_limits_solve_set(limits)) {
        return false;
    }
    for (uint32_t i = 0; i < limits->count; ++i) {
        for (uint32_t k = 0; k < limits->count; ++k) {
            set->met[i] += limits->matrix[i][k] * maths_max(limits->impulse[k], 0.0f);
        }
        set->is_hit[i] |= limits->impulse[i] > 0.0f;
    }
    return true;
}

// Makes w of u.
static void bounce_strike_all(const tni_solver *solver, const tni_row *rows, bounce_set *set) {
    float least = BOUNCE_STANDS * bounce_get_fastest(set);
    bool goes_on = true;
    for (uint32_t blow = 0; blow < BOUNCE_MOST_BLOWS && goes_on; ++blow) {
        goes_on = bounce_strike(solver, rows, least, set);
    }
}

// Has solve B ask for w. Adds to `v` what that will change.
static void bounce_ask(tni_bounded_row *bounded, bounce_set *set, tni_velocities *v) {
    tni_limits_set *limits = &set->limits;
    for (uint32_t i = 0; i < limits->count; ++i) {
        tni_bounded_row *row = &bounded[limits->rows[i]];
        float w = maths_max(set->met[i], 0.0f);
        limits->pushes[i] = set->is_hit[i];
        limits->speed[i] = tni_velocities_dot(&row->jacobian, v) - w;
        row->drive[0].bias = set->is_hit[i] ? -w : row->drive[0].bias;
    }
    tni_joint_limits_balance(limits);
    for (uint32_t i = 0; i < limits->count; ++i) {
        tni_velocities_add(v, limits->impulse[i], &bounded[limits->rows[i]].change[0]);
    }
}

// Lets limits go on that will be about to bounce at the speeds `v`: all, or those that do not push.
static void bounce_let_on(const tni_solver *solver, const tni_joint_block *block, bool all,
                          const tni_velocities *v) {
    const tni_row *rows = solver->joints.rows + block->first_row + block->equality_count;
    const tni_row_state *states =
        solver->joints.row_states + block->first_row + block->equality_count;
    tni_bounded_row *bounded = solver->joints.bounded_rows + block->first_bounded;
    for (uint32_t i = 0; i < (uint32_t)block->row_count - block->equality_count; ++i) {
        bool may_go_on = rows[i].kind == TNI_ROW_LIMIT && rows[i].restitution > 0.0f &&
                         !bounded[i].is_dormant && (all || !(states[i].impulse > 0.0f));
        if (may_go_on && bounce_is_fast(solver, tni_velocities_dot(&bounded[i].jacobian, v))) {
            bounded[i].drive[0].mass = 0.0f;
            bounded[i].drive[0].keep = states[i].impulse > 0.0f ? 1.0f : 0.0f; // of a warm start
        }
    }
}

void tni_joint_limits_bounce(const tni_solver *solver, const tni_joint_block *block) {
    const tni_row *rows = solver->joints.rows + block->first_row + block->equality_count;
    tni_bounded_row *bounded = solver->joints.bounded_rows + block->first_bounded;
    bounce_set set;
    bounce_find(solver, block, &set);
    tni_velocities v = tni_velocities_load(&solver->bodies.states[block->body_a],
                                           &solver->bodies.states[block->body_b]);
    bool is_met = set.limits.count > 0;
    if (is_met) {
        tni_joint_limits_fill(bounded, false, &set.limits);
        bounce_meet(solver, block, &set);
        is_met = bounce_is_met(solver, rows, &set);
    }
    if (is_met) {
        bounce_strike_all(solver, rows, &set);
        bounce_ask(bounded, &set, &v);
    }
    bounce_let_on(solver, block, !is_met, &v);
}
