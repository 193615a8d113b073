// solver/movers/reduced.c: bodies that are given by generalised coordinates.
//
// With n coordinates u the velocities of body b (v of its mass centre, w) and their derivatives are
//     [v, w]_b = P_b u',    [v, w]'_b = P_b u'' + d_b,    d_b = P_b' u'
// P_b has n columns; the callback gives P_b and d_b of the frame's origin, from which those of the
// centre follow by its arm r: v + w x r and a + w' x r + w x (w x r). The forces that keep the
// bodies where u says do no work, so that of Newton's and Euler's equations only what lies along
// the columns is left (Lagrange's equations):
//     M u'' = Q,     M = sum P_b^T M_b P_b,
//     Q = sum P_b^T ([f_b, t_b] - M_b d_b - [0, w x I w]) + the callback's own
// and a row J over velocities is J P over speeds: an impulse x on it changes u' by M^-1 (J P)^T x.
// The part of C'' that remains at u'' = 0 is the row's own and J d (solver/movers/span_joint.c).
//
// The substep is kick, drift, kick. Q depends on the speeds, so that each kick is the implicit
// midpoint rule at the present pose: new = u' + h/2 M^-1 Q(u, (u' + new) / 2), found by iteration.
// The kick is its own inverse in reverse, and so is the whole substep, which is therefore of second
// order and lets no energy drift. The damping of bodies comes after it, as for free bodies. Rows
// change speeds in float, six in the place of a solver body's velocity; a speed that no row changed
// keeps every bit of its double.
// Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course notes 1997 (Lagrangian dynamics,
// hybrid models); T. Kane, D. Levinson, "Dynamics: theory and applications", 1985, 2.9 and 4.4
// (partial velocities, generalised inertia forces); E. Hairer, C. Lubich, G. Wanner, "Geometric
// numerical integration", 2006, V.1 (symmetric methods).
// Test: tests/world/movers/test_reduced.c
#include "solver/movers/reduced.h"

#include <string.h>

#include "solver/movers/affine.h"
#include "solver/solver.h"

// A pivot of M under this share of its diagonal is round-off.
#define REDUCED_PIVOT_FLOOR 1e-12
// The most iterations of a kick, and the relative change of the speeds that ends them.
#define REDUCED_MAX_ROUNDS 30
#define REDUCED_TOLERANCE  1e-15
// A relative change beyond this says that no midpoint was found.
#define REDUCED_FOUND 1e-2
// The fewest objects that make a loop worth a thread.
#define REDUCED_MIN_RANGE 16
// Coordinates and speeds of an affine body beyond this are taken for not finite, because their
// products would not be finite.
#define REDUCED_MOST_NUMBER 1e60

// ---- the callback ------------------------------------------------------------------------------

static double reduced_size(tn_vec3 v) {
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

// Returns OK, NOT_FINITE, or ZERO_AXIS for a quaternion without a length.
static tn_result reduced_check_motion(const tn_reduced_motion *motion, uint32_t freedoms) {
    const tn_vec3 *p = &motion->pose.position;
    tn_quat q = motion->pose.rotation;
    double length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    double sum = fabs(p->x) + fabs(p->y) + fabs(p->z) + length +
                 reduced_size(motion->acceleration) + reduced_size(motion->angular_acceleration);
    for (uint32_t k = 0; k < freedoms; ++k) {
        sum += reduced_size(motion->linear[k]) + reduced_size(motion->angular[k]);
    }
    if (!isfinite(sum)) {
        return TN_RESULT_NOT_FINITE;
    }
    return length > 1e-24 ? TN_RESULT_OK : TN_RESULT_ZERO_AXIS;
}

static tn_result reduced_check_output(const tni_reduced *reduced) {
    tn_result result = TN_RESULT_OK;
    for (uint32_t b = 0; b < reduced->body_count && result == TN_RESULT_OK; ++b) {
        result = reduced_check_motion(&reduced->output.bodies[b], reduced->freedoms);
    }
    double sum = 0.0;
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        sum += fabs(reduced->output.forces[k]);
    }
    return isfinite(sum) ? result : TN_RESULT_NOT_FINITE;
}

static void reduced_clear_output(const tni_reduced *reduced) {
    memset(reduced->output.forces, 0, reduced->freedoms * sizeof *reduced->output.forces);
    memset(reduced->output.bodies, 0, reduced->body_count * sizeof *reduced->output.bodies);
    for (uint32_t b = 0; b < reduced->body_count; ++b) {
        reduced->output.bodies[b].pose.rotation.w = 1.0;
    }
}

// sum of columns times speeds
// Finds the pose of the centre of mass, which is at `center` of the given frame. Returns its arm
// from the frame's origin.
static tni_dvec3 reduced_get_pose(const tn_reduced_motion *motion, tni_dvec3 center,
                                  tni_dvec3 *out_position, tni_dquat *out_rotation) {
    const tn_vec3 *p = &motion->pose.position;
    tn_quat q = motion->pose.rotation;
    *out_rotation = dquat_normalize(dquat_from_plain(q));
    tni_dvec3 arm = dquat_rotate(*out_rotation, center);
    *out_position = dvec3_add(dvec3_from_plain(*p), arm);
    return arm;
}

static void reduced_place(tni_reduced_body *body, const tn_reduced_motion *motion,
                          const double *speeds, uint32_t freedoms) {
    tni_dvec3 arm = reduced_get_pose(motion, body->center, &body->position, &body->rotation);
    body->world_inertia = inertia_in_world(body->inertia, body->rotation);
    for (uint32_t k = 0; k < freedoms; ++k) {
        body->angular[k] = dvec3_from_plain(motion->angular[k]);
        body->linear[k] =
            dvec3_add(dvec3_from_plain(motion->linear[k]), dvec3_cross(body->angular[k], arm));
    }
    tni_dvec3 w = tni_reduced_sum(body->angular, speeds, freedoms);
    body->angular_drift = dvec3_from_plain(motion->angular_acceleration);
    body->drift =
        dvec3_add(dvec3_from_plain(motion->acceleration), dvec3_cross(body->angular_drift, arm));
    body->drift = dvec3_add(body->drift, dvec3_cross(w, dvec3_cross(w, arm)));
}

// Returns whether the coordinates and speeds of an affine body are below that bound.
static bool reduced_has_room(const tni_reduced *reduced, const double *coordinates,
                             const double *speeds) {
    double sum = 0.0;
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        sum += fabs(coordinates[k]) + fabs(speeds[k]);
    }
    return sum < REDUCED_MOST_NUMBER;
}

static tn_result reduced_ask_affine(tni_reduced *reduced, const double *coordinates,
                                    const double *speeds) {
    if (!reduced_has_room(reduced, coordinates, speeds)) {
        return TN_RESULT_NOT_FINITE;
    }
    tni_affine_place(reduced, coordinates, speeds);
    return TN_RESULT_OK;
}

tn_result tni_reduced_ask(tni_reduced *reduced, const double *coordinates, const double *speeds) {
    tn_reduced_input input = {reduced->freedoms, reduced->body_count, coordinates, speeds};
    if (reduced->affine != NULL) {
        return reduced_ask_affine(reduced, coordinates, speeds);
    }
    reduced_clear_output(reduced);
    tn_reduced_output output = reduced->output; // the callback may not move the arrays
    reduced->function(&input, &output, reduced->user_data);
    tn_result result = reduced_check_output(reduced);
    for (uint32_t b = 0; b < reduced->body_count && result == TN_RESULT_OK; ++b) {
        reduced_place(&reduced->bodies[b], &reduced->output.bodies[b], speeds, reduced->freedoms);
    }
    return result;
}

// Only the callback's output changes, and nobody reads that until the callback is asked again.
bool tni_reduced_look_ahead(tni_reduced *reduced, uint32_t member, const double *speeds, double dt,
                            tni_dpose *out_pose) {
    double moved[TN_REDUCED_MAX_FREEDOMS], forces[TN_REDUCED_MAX_FREEDOMS];
    size_t size = reduced->freedoms * sizeof *forces;
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        moved[k] = reduced->coordinates[k] + dt * speeds[k];
    }
    tn_reduced_input input = {reduced->freedoms, reduced->body_count, moved, speeds};
    tn_reduced_output output = reduced->output;
    memcpy(forces, output.forces, size);
    reduced_clear_output(reduced);
    reduced->function(&input, &output, reduced->user_data);
    memcpy(reduced->output.forces, forces, size);
    const tn_reduced_motion *motion = &reduced->output.bodies[member];
    if (reduced_check_motion(motion, reduced->freedoms) != TN_RESULT_OK) {
        return false;
    }
    reduced_get_pose(motion, reduced->bodies[member].center, &out_pose->position,
                     &out_pose->rotation);
    return true;
}

// ---- mass --------------------------------------------------------------------------------------

// Returns an entry of M, with masses that damping makes heavier over `time`.
static double reduced_get_mass(const tni_reduced *reduced, uint32_t k, uint32_t l, double time) {
    double sum = 0.0;
    for (uint32_t b = 0; b < reduced->body_count; ++b) {
        const tni_reduced_body *body = &reduced->bodies[b];
        tni_dvec3 spin = dmat3_mul_vec(&body->world_inertia, body->angular[l]);
        double mass = (1.0 + time * body->linear_damping) * body->mass;
        double turn = 1.0 + time * body->angular_damping;
        sum += mass * dvec3_dot(body->linear[k], body->linear[l]) +
               turn * dvec3_dot(body->angular[k], spin);
    }
    return sum;
}

// Does one step of Gauss-Jordan elimination in place: the inverse's column takes the place of
// column p. Returns false, with nothing done, if the pivot is round-off.
static bool reduced_eliminate(double *m, uint32_t n, uint32_t p, double diagonal) {
    double pivot = m[p * n + p];
    bool is_sound = pivot > REDUCED_PIVOT_FLOOR * diagonal && pivot > DBL_MIN;
    double scale = is_sound ? 1.0 / pivot : 0.0;
    for (uint32_t j = 0; j < n; ++j) {
        m[p * n + j] *= scale;
    }
    m[p * n + p] = scale;
    for (uint32_t r = 0; r < n; ++r) {
        double factor = m[r * n + p];
        if (r == p) {
            continue;
        }
        m[r * n + p] = 0.0;
        for (uint32_t j = 0; j < n; ++j) {
            m[r * n + j] -= factor * m[p * n + j];
        }
    }
    return is_sound;
}

bool tni_reduced_invert(double *m, uint32_t n, const double *diagonal) {
    bool is_sound = true;
    for (uint32_t p = 0; p < n; ++p) {
        is_sound = reduced_eliminate(m, n, p, diagonal[p]) && is_sound;
    }
    return is_sound;
}

static bool reduced_invert_mass(const tni_reduced *reduced, double time, double *m) {
    uint32_t n = reduced->freedoms;
    double diagonal[TN_REDUCED_MAX_FREEDOMS] = {0.0};
    for (uint32_t k = 0; k < n; ++k) {
        for (uint32_t l = 0; l <= k; ++l) {
            m[k * n + l] = m[l * n + k] = reduced_get_mass(reduced, k, l, time);
        }
        diagonal[k] = m[k * n + k];
    }
    return tni_reduced_invert(m, n, diagonal);
}

// Sets M^-1 of the state last asked for.
static bool reduced_set_mass(tni_reduced *reduced) {
    if (reduced->affine != NULL) {
        tni_affine_set_mass(reduced);
        return true;
    }
    return reduced_invert_mass(reduced, 0.0, reduced->inverse);
}

bool tni_reduced_begin(tni_reduced *reduced, double h) {
    bool is_sound = reduced->affine == NULL || tni_affine_set_substep(reduced, h);
    return reduced_set_mass(reduced) && is_sound;
}

// ---- force -------------------------------------------------------------------------------------

// Gets Q of the state last asked for, at these speeds.
static void reduced_get_forces(const tni_solver *solver, const tni_reduced *reduced,
                               const double *speeds, double *out_forces) {
    memcpy(out_forces, reduced->output.forces, reduced->freedoms * sizeof *out_forces);
    for (uint32_t b = 0; b < reduced->body_count; ++b) {
        const tni_reduced_body *body = &reduced->bodies[b];
        const tni_body_mass *mass = &solver->bodies.masses[body->body];
        tni_dvec3 w = tni_reduced_sum(body->angular, speeds, reduced->freedoms);
        tni_dvec3 spin = dmat3_mul_vec(&body->world_inertia, w);
        tni_dvec3 turn = dmat3_mul_vec(&body->world_inertia, body->angular_drift);
        tni_dvec3 pull = solver->bodies.pulls[body->body].acceleration;
        tni_dvec3 force = dvec3_scale(dvec3_sub(pull, body->drift), body->mass);
        tni_dvec3 torque = dvec3_sub(dvec3_sub(mass->torque, turn), dvec3_cross(w, spin));
        for (uint32_t k = 0; k < reduced->freedoms; ++k) {
            out_forces[k] +=
                dvec3_dot(body->linear[k], force) + dvec3_dot(body->angular[k], torque);
        }
    }
}

// Returns u' M u' / 2.
static double reduced_get_energy(const tni_reduced *reduced) {
    double sum = 0.0;
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        for (uint32_t l = 0; l < reduced->freedoms; ++l) {
            sum += 0.5 * reduced->speeds[k] * reduced->speeds[l] *
                   reduced_get_mass(reduced, k, l, 0.0);
        }
    }
    return sum;
}

// Measures the work of gravity and of forces in the kick, at the mean speeds of its phase: see
// solver/step/work.c. The remaining work of a kick is done by the forces that come from M's change
// with the coordinates. A drift takes it back as M changes; the difference of both is the error of
// the method and of the joints.
static void reduced_measure(tni_solver *solver, const tni_reduced *reduced, const double *speeds) {
    double half = 0.5 * solver->dh, gravity = 0.0, force = 0.0, all = 0.0;
    for (uint32_t b = 0; b < reduced->body_count; ++b) {
        const tni_reduced_body *body = &reduced->bodies[b];
        const tni_body_mass *mass = &solver->bodies.masses[body->body];
        tni_dvec3 v = tni_reduced_sum(body->linear, speeds, reduced->freedoms);
        tni_dvec3 w = tni_reduced_sum(body->angular, speeds, reduced->freedoms);
        tni_dvec3 applied = tni_body_get_applied(solver, body->body);
        gravity += half * body->mass * dvec3_dot(tni_body_get_gravity(solver, body->body), v);
        force += half * (body->mass * dvec3_dot(applied, v) + dvec3_dot(mass->torque, w));
    }
    solver->ledger.work.gravity += gravity;
    solver->ledger.work.force += force;
    if (reduced->affine != NULL) {
        tni_affine_measure(solver, reduced);
        return;
    }
    double given = 0.0;
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        given += half * reduced->output.forces[k] * speeds[k];
        solver->ledger.work.damping += reduced->drag[k] * speeds[k];
        all += reduced->kick[k] * speeds[k];
    }
    solver->ledger.work.force += given;
    solver->ledger.work.joint += all - gravity - force - given;
}

// ---- speeds and bodies -------------------------------------------------------------------------

// Multiplies by an affine body's M^-1: the centre's part is separate, the other one is symmetric.
static void reduced_multiply_affine(const double *inverse, const double *numbers,
                                    double *out_answers) {
    double sums[9] = {0.0};
    for (uint32_t l = 3; l < TN_AFFINE_FREEDOMS; ++l) {
        const double *row = &inverse[l * TN_AFFINE_FREEDOMS + 3];
        for (uint32_t k = 0; k < 9; ++k) {
            sums[k] += row[k] * numbers[l];
        }
    }
    for (uint32_t k = 0; k < 3; ++k) {
        out_answers[k] = inverse[k * (TN_AFFINE_FREEDOMS + 1)] * numbers[k];
    }
    memcpy(out_answers + 3, sums, sizeof sums);
}

void tni_reduced_multiply(const tni_reduced *reduced, const double *numbers, double *out_answers) {
    uint32_t n = reduced->freedoms;
    if (reduced->affine != NULL) {
        reduced_multiply_affine(reduced->inverse, numbers, out_answers);
        return;
    }
    for (uint32_t k = 0; k < n; ++k) {
        out_answers[k] = 0.0;
        for (uint32_t l = 0; l < n; ++l) {
            out_answers[k] += reduced->inverse[k * n + l] * numbers[l];
        }
    }
}

void tni_reduced_respond(const tni_reduced *reduced, const float *j, float *w) {
    double numbers[TN_REDUCED_MAX_FREEDOMS] = {0.0}, answers[TN_REDUCED_MAX_FREEDOMS];
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        numbers[k] = (double)j[tni_reduced_get_place(k)];
    }
    tni_reduced_multiply(reduced, numbers, answers);
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        w[tni_reduced_get_place(k)] = maths_to_float(answers[k]);
    }
}

tni_dvec3 tni_reduced_get_velocity(const tni_reduced *reduced, const tni_dvec3 *columns) {
    return tni_reduced_sum(columns, reduced->speeds, reduced->freedoms);
}

// Returns a speed as rows see it; see MATHS_TINY.
static float reduced_to_float(double speed) {
    float number = maths_to_float(speed);
    return fabsf(number) < MATHS_TINY ? 0.0f : number;
}

static float *reduced_get_lane(const tni_solver *solver, const tni_reduced *reduced, uint32_t k) {
    uint32_t slot = reduced->first_slot + k / TNI_REDUCED_SLOT;
    return &solver->bodies.states[slot].numbers[tni_reduced_get_lane(k)];
}

// Writes the speeds in double for callers that ask for velocities in double, such as the ledger.
static void reduced_write_slots(const tni_solver *solver, const tni_reduced *reduced) {
    for (uint32_t s = 0; s < tni_reduced_count_slots(reduced); ++s) {
        double six[TNI_REDUCED_SLOT] = {0.0};
        for (uint32_t k = s * TNI_REDUCED_SLOT, i = 0; k < reduced->freedoms && i < 6; ++k, ++i) {
            six[i] = reduced->speeds[k];
        }
        tni_body_motion *motion = &solver->bodies.motions[reduced->first_slot + s];
        motion->velocity = dvec3_make(six[0], six[1], six[2]);
        motion->angular_velocity = dvec3_make(six[3], six[4], six[5]);
    }
}

static void reduced_write(const tni_solver *solver, const tni_reduced *reduced) {
    for (uint32_t b = 0; b < reduced->body_count; ++b) {
        const tni_reduced_body *body = &reduced->bodies[b];
        tni_body_motion *motion = &solver->bodies.motions[body->body];
        motion->position = body->position;
        motion->rotation = body->rotation;
        motion->velocity = tni_reduced_get_velocity(reduced, body->linear);
        motion->angular_velocity = tni_reduced_get_velocity(reduced, body->angular);
    }
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        *reduced_get_lane(solver, reduced, k) = reduced_to_float(reduced->speeds[k]);
    }
    reduced_write_slots(solver, reduced);
}

// Fails the object: it stays at its last sound place, and gives way to nothing.
static void reduced_fail(tni_reduced *reduced) {
    reduced->is_sound = false;
    memset(reduced->speeds, 0, sizeof reduced->speeds);
    memset(reduced->inverse, 0, sizeof reduced->inverse);
}

bool tni_reduced_go(tni_solver *solver, tni_reduced *reduced, const double *coordinates) {
    if (!reduced->is_sound ||
        tni_reduced_ask(reduced, coordinates, reduced->speeds) != TN_RESULT_OK) {
        return false;
    }
    memcpy(reduced->coordinates, coordinates, reduced->freedoms * sizeof *coordinates);
    reduced_set_mass(reduced);
    for (uint32_t b = 0; b < reduced->body_count; ++b) {
        const tni_reduced_body *body = &reduced->bodies[b];
        solver->bodies.motions[body->body].position = body->position;
        solver->bodies.motions[body->body].rotation = body->rotation;
    }
    return true;
}

// ---- phases ------------------------------------------------------------------------------------

// A phase does this for one object.
typedef void reduced_phase(tni_solver *solver, tni_reduced *reduced);

typedef struct reduced_loop {
    tni_solver *solver;
    reduced_phase *phase;
} reduced_loop;

void tni_reduced_start(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.reduced_count; ++i) {
        tni_reduced *reduced = solver->movers.reduced[i];
        if (reduced->stops) {
            memset(reduced->speeds, 0, sizeof reduced->speeds);
        }
        reduced->is_sound = true;
        if (tni_reduced_ask(reduced, reduced->coordinates, reduced->speeds) == TN_RESULT_OK) {
            tni_reduced_begin(reduced, solver->dh);
        } else {
            reduced_fail(reduced);
        }
        reduced_write(solver, reduced);
    }
}

// Finds the speeds after half a substep of Q at `speeds`. Returns their relative distance from
// `after`. A NaN counts as far: maths_max_d() would leave it out.
static double reduced_push(const tni_solver *solver, const tni_reduced *reduced,
                           const double *before, const double *speeds, double *after) {
    uint32_t n = reduced->freedoms;
    double forces[TN_REDUCED_MAX_FREEDOMS], change = 0.0, size = 0.0, all = 0.0;
    reduced_get_forces(solver, reduced, speeds, forces);
    for (uint32_t k = 0; k < n; ++k) {
        double sum = 0.0;
        for (uint32_t l = 0; l < n; ++l) {
            sum += reduced->inverse[k * n + l] * forces[l];
        }
        double speed = before[k] + 0.5 * solver->dh * sum;
        change = maths_max_d(change, fabs(speed - after[k]));
        size = maths_max_d(size, fabs(speed));
        all += fabs(speed);
        after[k] = speed;
    }
    return isfinite(all) ? change * maths_inverse_or_zero_d(size) : HUGE_VAL;
}

// Damps the speeds: in a kick as for free bodies, M u' over M with masses that are 1 + h/2 c times
// as large.
static void reduced_damp(const tni_solver *solver, tni_reduced *reduced) {
    uint32_t n = reduced->freedoms;
    double damped[TN_REDUCED_MAX_FREEDOMS * TN_REDUCED_MAX_FREEDOMS];
    double momentum[TN_REDUCED_MAX_FREEDOMS] = {0.0}, left[TN_REDUCED_MAX_FREEDOMS] = {0.0};
    reduced_invert_mass(reduced, 0.5 * solver->dh, damped);
    for (uint32_t k = 0; k < n; ++k) {
        for (uint32_t l = 0; l < n; ++l) {
            momentum[k] += reduced_get_mass(reduced, k, l, 0.0) * reduced->speeds[l];
        }
    }
    for (uint32_t k = 0; k < n; ++k) {
        for (uint32_t l = 0; l < n; ++l) {
            left[k] += damped[k * n + l] * momentum[l];
        }
    }
    for (uint32_t k = 0; k < n; ++k) {
        reduced->drag[k] = -momentum[k];
        for (uint32_t l = 0; l < n; ++l) {
            reduced->drag[k] += reduced_get_mass(reduced, k, l, 0.0) * left[l];
        }
    }
    memcpy(reduced->speeds, left, n * sizeof *left);
}

static void reduced_kick_affine(const tni_solver *solver, tni_reduced *reduced) {
    double speeds[TN_REDUCED_MAX_FREEDOMS] = {0.0};
    if (!reduced->stops) {
        memcpy(speeds, reduced->speeds, sizeof speeds);
    }
    memcpy(reduced->speeds_before, speeds, sizeof speeds);
    tni_affine_kick(solver, reduced, speeds);
    if (reduced->has_damping) {
        tni_affine_damp(solver, reduced, speeds);
    }
    if (reduced_has_room(reduced, reduced->coordinates, speeds)) {
        tni_affine_set_speeds(reduced, speeds);
        memcpy(reduced->speeds, speeds, sizeof speeds);
    } else {
        reduced_fail(reduced);
    }
}

// Kicks an object that spins by more than a radian in a substep, for which the iteration finds no
// midpoint: the forces that come from turning are left out.
static bool reduced_kick_straight(const tni_solver *solver, tni_reduced *reduced,
                                  const double *before, double *after) {
    const double still[TN_REDUCED_MAX_FREEDOMS] = {0.0};
    if (tni_reduced_ask(reduced, reduced->coordinates, still) != TN_RESULT_OK) {
        return false;
    }
    reduced_push(solver, reduced, before, still, after);
    return true;
}

static void reduced_kick(tni_solver *solver, tni_reduced *reduced) {
    if (reduced->affine != NULL) {
        reduced_kick_affine(solver, reduced);
        return;
    }
    uint32_t n = reduced->freedoms;
    double before[TN_REDUCED_MAX_FREEDOMS] = {0.0}, mean[TN_REDUCED_MAX_FREEDOMS] = {0.0};
    double after[TN_REDUCED_MAX_FREEDOMS] = {0.0};
    if (!reduced->stops) {
        memcpy(before, reduced->speeds, n * sizeof *before);
    }
    memcpy(after, before, n * sizeof *after);
    uint32_t most = reduced->stops ? 1 : REDUCED_MAX_ROUNDS;
    double change = 1.0;
    for (uint32_t round = 0; round < most && change > REDUCED_TOLERANCE; ++round) {
        for (uint32_t k = 0; k < n; ++k) {
            mean[k] = 0.5 * (before[k] + after[k]);
        }
        if (tni_reduced_ask(reduced, reduced->coordinates, mean) != TN_RESULT_OK) {
            change = HUGE_VAL;
            break;
        }
        change = reduced_push(solver, reduced, before, mean, after);
    }
    if (!(change < REDUCED_FOUND) && !reduced->stops &&
        !reduced_kick_straight(solver, reduced, before, after)) {
        reduced_fail(reduced);
        return;
    }
    memcpy(reduced->speeds, after, n * sizeof *after);
    for (uint32_t k = 0; k < n && solver->ledger.measures_work; ++k) {
        reduced->kick[k] = 0.0;
        for (uint32_t l = 0; l < n; ++l) {
            reduced->kick[k] += reduced_get_mass(reduced, k, l, 0.0) * (after[l] - before[l]);
        }
    }
    if (reduced->has_damping) {
        reduced_damp(solver, reduced);
    }
}

// Callbacks are asked on the thread that steps the world, and the ledger is kept there. Affine
// bodies have no callback and write only their own records, so they go on workers.
static bool reduced_goes_on_workers(const tni_solver *solver, const tni_reduced *reduced) {
    return reduced->affine != NULL && (reduced->affine->material.kept == TN_AFFINE_KEPT_NOTHING ||
                                       !solver->ledger.measures_work);
}

static void reduced_run(tni_solver *solver, reduced_phase *phase, uint32_t i) {
    tni_reduced *reduced = solver->movers.reduced[i];
    if (reduced->is_sound) {
        phase(solver, reduced);
    }
    reduced_write(solver, reduced);
}

static void reduced_run_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const reduced_loop *loop = context;
    for (uint32_t i = first; i < last; ++i) {
        if (reduced_goes_on_workers(loop->solver, loop->solver->movers.reduced[i])) {
            reduced_run(loop->solver, loop->phase, i);
        }
    }
}

static void reduced_run_all(tni_solver *solver, reduced_phase *phase) {
    reduced_loop loop = {solver, phase};
    tni_tasks_run(solver->tasks, reduced_run_range, solver->movers.reduced_count, REDUCED_MIN_RANGE,
                  &loop);
    for (uint32_t i = 0; i < solver->movers.reduced_count; ++i) {
        if (!reduced_goes_on_workers(solver, solver->movers.reduced[i])) {
            reduced_run(solver, phase, i);
        }
    }
}

void tni_reduced_kick(tni_solver *solver) {
    reduced_run_all(solver, reduced_kick);
}

void tni_reduced_collect(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.reduced_count; ++i) {
        tni_reduced *reduced = solver->movers.reduced[i];
        for (uint32_t k = 0; k < reduced->freedoms && reduced->is_sound; ++k) {
            float now = *reduced_get_lane(solver, reduced, k);
            reduced->speeds[k] += (double)(now - reduced_to_float(reduced->speeds[k]));
        }
        reduced_write(solver, reduced);
    }
}

static double reduced_get_speed_before(const tni_solver *solver, const tni_reduced *reduced,
                                       uint32_t k) {
    const tni_body_motion *before =
        &solver->ledger.motions_before[reduced->first_slot + k / TNI_REDUCED_SLOT];
    uint32_t i = k % TNI_REDUCED_SLOT;
    const double six[TNI_REDUCED_SLOT] = {before->velocity.x,         before->velocity.y,
                                          before->velocity.z,         before->angular_velocity.x,
                                          before->angular_velocity.y, before->angular_velocity.z};
    return six[i];
}

void tni_reduced_measure(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.reduced_count; ++i) {
        const tni_reduced *reduced = solver->movers.reduced[i];
        double mean[TN_REDUCED_MAX_FREEDOMS] = {0.0};
        for (uint32_t k = 0; k < reduced->freedoms; ++k) {
            double before = reduced_get_speed_before(solver, reduced, k);
            mean[k] = 0.5 * (before + reduced->speeds[k]);
        }
        if (reduced->is_sound) {
            reduced_measure(solver, reduced, mean);
        }
    }
}

static void reduced_drift(tni_solver *solver, tni_reduced *reduced) {
    double moved[TN_REDUCED_MAX_FREEDOMS] = {0.0}, sum = 0.0;
    memcpy(reduced->drift_from, reduced->coordinates, reduced->freedoms * sizeof *moved);
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        moved[k] = reduced->coordinates[k] + solver->dh * reduced->speeds[k];
        sum += fabs(moved[k]);
    }
    bool is_measured = solver->ledger.measures_work && reduced->affine == NULL;
    double energy = is_measured ? reduced_get_energy(reduced) : 0.0;
    if (reduced->affine != NULL) {
        tni_affine_keep(solver, reduced, moved, reduced->speeds);
    }
    if (!isfinite(sum) || tni_reduced_ask(reduced, moved, reduced->speeds) != TN_RESULT_OK) {
        reduced_fail(reduced);
        return;
    }
    memcpy(reduced->coordinates, moved, reduced->freedoms * sizeof *moved);
    reduced_set_mass(reduced);
    solver->ledger.work.joint += is_measured ? reduced_get_energy(reduced) - energy : 0.0;
    if (reduced->affine != NULL) {
        tni_affine_keep_rate(solver, reduced, reduced->speeds);
    }
}

void tni_reduced_drift(tni_solver *solver) {
    reduced_run_all(solver, reduced_drift);
}

// The masses of the place before stay, as the object moves no farther than the rows' error.
static void reduced_shift(tni_solver *solver, tni_reduced *reduced) {
    (void)solver;
    double moved[TN_REDUCED_MAX_FREEDOMS] = {0.0};
    if (!reduced->is_shifted) {
        return;
    }
    reduced->is_shifted = false;
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        moved[k] = reduced->coordinates[k] + reduced->shift[k];
    }
    if (reduced->affine != NULL) {
        tni_affine_fit(reduced, moved); // M^-1 keeps its volume or area to first order
    }
    if (tni_reduced_ask(reduced, moved, reduced->speeds) != TN_RESULT_OK) {
        reduced_fail(reduced);
        return;
    }
    memcpy(reduced->coordinates, moved, reduced->freedoms * sizeof *moved);
}

void tni_reduced_shift(tni_solver *solver) {
    reduced_run_all(solver, reduced_shift);
}
