// solver/integrate.c: moves bodies: kicks by forces, drift at constant momentum.
//
// Free rotation is solver/rotate.c.
#include "core/simd_double.h"
#include "solver/solver.h"

// rad: of a step, beyond which the arms of contacts do not follow a body's rotation any further.
#define INTEGRATE_FOLLOWED_TURN 0.5f
// A product of inertia under this share of the moments is round-off: see MATHS_TINY.
#define INTEGRATE_TINY_PRODUCT 1e-16f
// Fewer bodies than this are not worth a second worker: some microseconds.
#define INTEGRATE_MIN_RANGE 256

static void integrate_rotate(tni_body_motion *motion, const tni_body_mass *mass, double h,
                             uint32_t count) {
    tni_dvec3 w = motion->angular_velocity;
    if (w.x == 0.0 && w.y == 0.0 && w.z == 0.0) {
        return;
    }
    if (mass->inertia.is_round || mass->locks >= TN_BODY_LOCK_ANGULAR_X) {
        tni_rotate_at_constant_velocity(motion, h * count);
    } else {
        tni_rotate_freely(motion, &mass->inertia, h, count);
    }
}

// The world inverse inertia with locked axes taken out: the inverse of the unlocked part of S.
static tni_sym3 integrate_lock_inertia(const tni_dmat3 *inv, uint32_t locks) {
    tni_sym3 s = dmat3_to_sym3(inv);
    bool x = (locks & TN_BODY_LOCK_ANGULAR_X) != 0;
    bool y = (locks & TN_BODY_LOCK_ANGULAR_Y) != 0;
    bool z = (locks & TN_BODY_LOCK_ANGULAR_Z) != 0;
    // Holding one axis i subtracts the column's projection: s - s_i s_i^T / s_ii, one axis at a
    // time.
    for (int i = 0; i < 3; ++i) {
        if ((i == 0 && !x) || (i == 1 && !y) || (i == 2 && !z)) {
            continue;
        }
        vec3s column = i == 0   ? maths_vec3(s.xx, s.xy, s.xz)
                       : i == 1 ? maths_vec3(s.xy, s.yy, s.yz)
                                : maths_vec3(s.xz, s.yz, s.zz);
        float inverse = maths_inverse_or_zero(column.raw[i]);
        s.xx -= column.x * column.x * inverse;
        s.yy -= column.y * column.y * inverse;
        s.zz -= column.z * column.z * inverse;
        s.xy -= column.x * column.y * inverse;
        s.xz -= column.x * column.z * inverse;
        s.yz -= column.y * column.z * inverse;
        if (i == 0) {
            s.xx = s.xy = s.xz = 0.0f;
        } else if (i == 1) {
            s.yy = s.xy = s.yz = 0.0f;
        } else {
            s.zz = s.xz = s.yz = 0.0f;
        }
    }
    return s;
}

// The inverse of the world inertia with the added part of geometric stiffness.
static void integrate_stiffen_inertia(tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->masses[body];
    tni_dmat3 s = inertia_in_world(&mass->inertia, solver->motions[body].rotation), inverse;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            s.m[i][j] += solver->added_inertia[body].m[i][j];
        }
    }
    if (tni_maths_invert_spd(&s, &inverse)) {
        solver->states[body].inv_inertia = integrate_lock_inertia(&inverse, mass->locks);
    }
}

// The numbers of b e e^T: xx and yy, zz and xy, xz and yz.
typedef struct integrate_square {
    tni_d2 xx_yy, zz_xy, xz_yz;
} integrate_square;

static inline integrate_square integrate_square_of(tni_dvec3 e, double b) {
    tni_d2 be = d2_make(b * e.x, b * e.y);
    integrate_square s = {d2_mul(be, d2_make(e.x, e.y)),
                          d2_mul(d2_make(b * e.z, b * e.x), d2_make(e.z, e.y)),
                          d2_mul(be, d2_splat(e.z))};
    return s;
}

// S^-1 = 1/I (1 + rate_j e_j e_j^T + rate_k e_k e_k^T): see core/inertia.h. Products of inertia
// that are round-off become 0.
static void integrate_store_inverse(tni_sym3 *out, const tni_inertia *inertia, tni_dquat rotation) {
    tni_dquat q = inertia_turn_to_axes(inertia, rotation);
    double s = inertia->inverse;
    int i = inertia->axis_i;
    integrate_square sum =
        integrate_square_of(inertia_axis(q, i == 0 ? 2 : i - 1), s * inertia->rate_k);
    if (inertia->rate_j != 0.0) {
        integrate_square of_j =
            integrate_square_of(inertia_axis(q, i == 2 ? 0 : i + 1), s * inertia->rate_j);
        sum.xx_yy = d2_add(sum.xx_yy, of_j.xx_yy);
        sum.zz_xy = d2_add(sum.zz_xy, of_j.zz_xy);
        sum.xz_yz = d2_add(sum.xz_yz, of_j.xz_yz);
    }
    sum.xx_yy = d2_add(sum.xx_yy, d2_splat(s));
    sum.zz_xy = d2_add(sum.zz_xy, d2_make(s, 0.0));
    double trace = s * (3.0 + inertia->rate_j + inertia->rate_k);
    float tiny = INTEGRATE_TINY_PRODUCT * (float)trace;
    f4_store(&out->xx, f4_flush(f4_from_d2(sum.xx_yy, sum.zz_xy), tiny));
    f4_store2(&out->xz, f4_flush(f4_from_d2(sum.xz_yz, sum.xz_yz), tiny));
}

void tni_integrate_refresh_inertia(tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->masses[body];
    tni_body_state *state = &solver->states[body];
    if (!mass->is_dynamic) {
        return;
    }
    if (solver->has_added_inertia[body]) {
        integrate_stiffen_inertia(solver, body);
        return;
    }
    if (mass->inertia.is_round && mass->locks < TN_BODY_LOCK_ANGULAR_X) {
        float inverse = (float)mass->inertia.inverse;
        state->inv_inertia = (tni_sym3){inverse, inverse, inverse, 0.0f, 0.0f, 0.0f};
        return;
    }
    if (mass->locks >= TN_BODY_LOCK_ANGULAR_X) {
        tni_dmat3 s = inertia_inverse_in_world(&mass->inertia, solver->motions[body].rotation);
        state->inv_inertia = integrate_lock_inertia(&s, mass->locks);
    } else {
        integrate_store_inverse(&state->inv_inertia, &mass->inertia,
                                solver->motions[body].rotation);
    }
}

// Half a substep of gravity, applied force and damping (each half divides by 1 + h/2 c).
static void integrate_kick_motion(tni_body_motion *motion, const tni_body_mass *mass, double half) {
    motion->velocity = dvec3_add_scaled(motion->velocity, half, mass->acceleration);
    if (mass->has_damping) {
        double linear = 1.0 + half * (double)mass->linear_damping;
        double angular = 1.0 + half * (double)mass->angular_damping;
        motion->velocity = dvec3_scale(motion->velocity, 1.0 / linear);
        motion->angular_velocity = dvec3_scale(motion->angular_velocity, 1.0 / angular);
    }
}

static void integrate_kick_torque(tni_body_motion *motion, const tni_body_state *state,
                                  const tni_body_mass *mass, double half) {
    vec3s turn = sym3_mul(state->inv_inertia, dvec3_to_float(mass->torque));
    motion->angular_velocity =
        dvec3_add_scaled(motion->angular_velocity, half, dvec3_from_float(turn));
}

// As rows see it; see MATHS_TINY.
static tni_f4 integrate_to_float(const tni_dvec3 *v) {
    return f4_flush(f4_from_double3(&v->x), MATHS_TINY);
}

static void integrate_store_velocity(tni_body_state *state, const tni_body_motion *motion) {
    f4_store3(state->v.raw, integrate_to_float(&motion->velocity));
    f4_store3(state->w.raw, integrate_to_float(&motion->angular_velocity));
}

// Over all bodies but the world, each by itself.
static void integrate_run(tni_solver *solver, tn_task_fn task) {
    uint32_t count = solver->body_count > 0 ? solver->body_count - 1 : 0;
    tni_tasks_run(solver->tasks, task, count, INTEGRATE_MIN_RANGE, solver);
}

// Bodies that no Gauss-Seidel row holds go their own way.
static inline bool integrate_passes_over(const tni_solver *solver, uint32_t i) {
    return solver->is_free[i] || solver->is_exact[i];
}

static void integrate_kick_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_solver *solver = context;
    double half = 0.5 * solver->dh;
    for (uint32_t i = first + 1; i <= last; ++i) {
        if (integrate_passes_over(solver, i)) {
            continue;
        }
        const tni_body_mass *mass = &solver->masses[i];
        tni_body_motion *motion = &solver->motions[i];
        if (mass->is_dynamic) {
            if (mass->has_torque) {
                integrate_kick_torque(motion, &solver->states[i], mass, half);
            }
            integrate_kick_motion(motion, mass, half);
        }
        integrate_store_velocity(&solver->states[i], motion);
    }
}

void tni_integrate_kick(tni_solver *solver) {
    integrate_run(solver, integrate_kick_range);
}

// v + (now - float(v)): a velocity that no row changed keeps every bit.
static void integrate_collect_change(tni_dvec3 *v, const vec3s *now) {
    f4_add_to_double3(&v->x, f4_sub(f4_load3(now->raw), integrate_to_float(v)));
}

static void integrate_collect_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_solver *solver = context;
    for (uint32_t i = first + 1; i <= last; ++i) {
        if (integrate_passes_over(solver, i)) {
            continue;
        }
        tni_body_motion *motion = &solver->motions[i];
        const tni_body_state *state = &solver->states[i];
        integrate_collect_change(&motion->velocity, &state->v);
        integrate_collect_change(&motion->angular_velocity, &state->w);
    }
}

void tni_integrate_collect(tni_solver *solver) {
    integrate_run(solver, integrate_collect_range);
}

// The rotation that contacts follow to first order is kept to what first order is good for.
static vec3s integrate_follow_turn(vec3s turn, float h, vec3s w) {
    turn = maths_vec3_add_scaled(turn, h, w);
    float square = glms_vec3_dot(turn, turn);
    if (square > INTEGRATE_FOLLOWED_TURN * INTEGRATE_FOLLOWED_TURN) {
        turn = glms_vec3_scale(turn, INTEGRATE_FOLLOWED_TURN / sqrtf(square));
    }
    return turn;
}

static void integrate_start_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_solver *solver = context;
    for (uint32_t i = first + 1; i <= last; ++i) {
        if (!integrate_passes_over(solver, i)) {
            tni_integrate_refresh_inertia(solver, i);
            integrate_store_velocity(&solver->states[i], &solver->motions[i]);
        }
    }
}

void tni_integrate_start(tni_solver *solver) {
    integrate_run(solver, integrate_start_range);
}

static void integrate_drift_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_solver *solver = context;
    for (uint32_t i = first + 1; i <= last; ++i) {
        if (integrate_passes_over(solver, i)) {
            continue;
        }
        tni_body_motion *motion = &solver->motions[i];
        motion->position = dvec3_add_scaled(motion->position, solver->dh, motion->velocity);
        integrate_rotate(motion, &solver->masses[i], solver->dh, 1);
        if (solver->contact_count > 0) {
            tni_body_delta *delta = &solver->deltas[i];
            const tni_body_state *state = &solver->states[i];
            delta->position = maths_vec3_add_scaled(delta->position, solver->h, state->v);
            delta->rotation = integrate_follow_turn(delta->rotation, solver->h, state->w);
        }
        // Without joints there is no added inertia, and a ball's never changes.
        if (solver->joint_count > 0 || !solver->masses[i].inertia.is_round) {
            tni_integrate_refresh_inertia(solver, i);
        }
    }
}

void tni_integrate_drift(tni_solver *solver) {
    integrate_run(solver, integrate_drift_range);
}

// ---- free bodies ---------------------------------------------------------------------------

static void integrate_kick_free(tni_solver *solver, uint32_t i) {
    tni_body_motion *motion = &solver->motions[i];
    const tni_body_mass *mass = &solver->masses[i];
    tni_body_motion before = *motion;
    if (mass->is_dynamic) {
        integrate_kick_motion(motion, mass, 0.5 * solver->dh);
    }
    if (solver->measures_work) {
        tni_work_measure_body(solver, i, &before, motion);
    }
}

static void integrate_move_kick_by_kick(tni_solver *solver, uint32_t i) {
    tni_body_motion *motion = &solver->motions[i];
    const tni_body_mass *mass = &solver->masses[i];
    for (uint32_t k = 0; k < solver->substeps; ++k) {
        integrate_kick_free(solver, i);
        motion->position = dvec3_add_scaled(motion->position, solver->dh, motion->velocity);
        if (mass->has_damping) {
            integrate_rotate(motion, mass, solver->dh, 1);
        }
        integrate_kick_free(solver, i);
    }
}

// The same sums, where there is nothing else to a kick.
static void integrate_move(const tni_solver *solver, uint32_t i) {
    tni_body_motion *motion = &solver->motions[i];
    tni_dvec3 x = motion->position, v = motion->velocity, a = solver->masses[i].acceleration;
    double h = solver->dh, half = 0.5 * h;
    if (!solver->masses[i].is_dynamic) {
        a = dvec3_make(0.0, 0.0, 0.0);
    }
    for (uint32_t k = 0; k < solver->substeps; ++k) {
        v = dvec3_add_scaled(v, half, a);
        x = dvec3_add_scaled(x, h, v);
        v = dvec3_add_scaled(v, half, a);
    }
    motion->position = x;
    motion->velocity = v;
}

// The momentum is constant over the step unless damping takes of it in every kick.
static void integrate_free_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_solver *solver = context;
    for (uint32_t i = first + 1; i <= last; ++i) {
        if (!solver->is_free[i]) {
            continue;
        }
        const tni_body_mass *mass = &solver->masses[i];
        if (mass->has_damping || solver->measures_work) {
            integrate_move_kick_by_kick(solver, i);
        } else {
            integrate_move(solver, i);
        }
        if (!mass->has_damping) {
            integrate_rotate(&solver->motions[i], mass, solver->dh, solver->substeps);
        }
    }
}

// Work is summed in the order of the bodies.
void tni_integrate_free(tni_solver *solver) {
    if (solver->measures_work) {
        integrate_free_range(0, solver->body_count - 1, 0, solver);
    } else {
        integrate_run(solver, integrate_free_range);
    }
}
