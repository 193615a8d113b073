// solver/integrate.c: moves bodies: kicks by forces, drift at constant momentum.
//
// Free rotation is solver/rotate.c.
#include "solver/solver.h"

// rad: of a step, beyond which the arms of contacts do not follow a body's rotation any further.
#define INTEGRATE_FOLLOWED_TURN 0.5f
// rad: in one substep, from which contacts get new masses after it.
#define INTEGRATE_STALE_TURN 0.02f
// A product of inertia under this share of the moments is round-off: see MATHS_TINY.
#define INTEGRATE_TINY_PRODUCT 1e-16

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
    tni_dmat3 s = inertia_inverse_in_world(&mass->inertia, solver->motions[body].rotation);
    if (mass->locks >= TN_BODY_LOCK_ANGULAR_X) {
        state->inv_inertia = integrate_lock_inertia(&s, mass->locks);
    } else {
        double tiny = INTEGRATE_TINY_PRODUCT * (s.m[0][0] + s.m[1][1] + s.m[2][2]);
        s.m[0][1] = fabs(s.m[0][1]) < tiny ? 0.0 : s.m[0][1];
        s.m[0][2] = fabs(s.m[0][2]) < tiny ? 0.0 : s.m[0][2];
        s.m[1][2] = fabs(s.m[1][2]) < tiny ? 0.0 : s.m[1][2];
        state->inv_inertia = dmat3_to_sym3(&s);
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

static void integrate_store_velocity(tni_body_state *state, const tni_body_motion *motion) {
    state->v = dvec3_to_float(motion->velocity);
    state->w = dvec3_to_float(motion->angular_velocity);
}

void tni_integrate_kick(tni_solver *solver) {
    double half = 0.5 * solver->dh;
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        if (solver->is_free[i]) {
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

// before + (now - float(before)): a velocity that no row changed keeps every bit.
static tni_dvec3 integrate_collect_change(tni_dvec3 before, vec3s now) {
    vec3s start = dvec3_to_float(before);
    return dvec3_make(before.x + (double)(now.x - start.x), before.y + (double)(now.y - start.y),
                      before.z + (double)(now.z - start.z));
}

void tni_integrate_collect(tni_solver *solver) {
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        if (solver->is_free[i]) {
            continue;
        }
        tni_body_motion *motion = &solver->motions[i];
        const tni_body_state *state = &solver->states[i];
        motion->velocity = integrate_collect_change(motion->velocity, state->v);
        motion->angular_velocity = integrate_collect_change(motion->angular_velocity, state->w);
    }
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

static void integrate_note_turning(tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->masses[body];
    vec3s w = solver->states[body].w;
    float square = solver->h * solver->h * glms_vec3_dot(w, w);
    bool is_turning = mass->is_dynamic && !mass->inertia.is_round &&
                      square > INTEGRATE_STALE_TURN * INTEGRATE_STALE_TURN;
    solver->is_turning[body] = is_turning;
    solver->has_turning |= is_turning;
}

void tni_integrate_start(tni_solver *solver) {
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        if (!solver->is_free[i]) {
            tni_integrate_refresh_inertia(solver, i);
            integrate_store_velocity(&solver->states[i], &solver->motions[i]);
        }
    }
}

void tni_integrate_drift(tni_solver *solver) {
    solver->has_turning = false;
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        if (solver->is_free[i]) {
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
            integrate_note_turning(solver, i);
        }
        tni_integrate_refresh_inertia(solver, i);
    }
}

// ---- free bodies ---------------------------------------------------------------------------

static void integrate_kick_free(tni_solver *solver, uint32_t i) {
    tni_body_motion *motion = &solver->motions[i];
    const tni_body_mass *mass = &solver->masses[i];
    if (!mass->is_dynamic) {
        return;
    }
    if (solver->measures_work) {
        tni_body_motion before = *motion;
        integrate_kick_motion(motion, mass, 0.5 * solver->dh);
        tni_work_measure_body(solver, i, &before, motion);
    } else {
        integrate_kick_motion(motion, mass, 0.5 * solver->dh);
    }
}

void tni_integrate_free(tni_solver *solver) {
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        if (!solver->is_free[i]) {
            continue;
        }
        tni_body_motion *motion = &solver->motions[i];
        const tni_body_mass *mass = &solver->masses[i];
        // The momentum is constant over the step unless damping takes of it in every kick.
        bool turns_at_once = !mass->has_damping;
        for (uint32_t k = 0; k < solver->substeps; ++k) {
            integrate_kick_free(solver, i);
            motion->position = dvec3_add_scaled(motion->position, solver->dh, motion->velocity);
            if (!turns_at_once) {
                integrate_rotate(motion, mass, solver->dh, 1);
            }
            integrate_kick_free(solver, i);
        }
        if (turns_at_once) {
            integrate_rotate(motion, mass, solver->dh, solver->substeps);
        }
    }
}
