// solver/bodies/integrate.c: moves bodies: kicks by forces, drift at constant momentum.
//
// A pass takes each body through the phases that the caller asks for, in the order of tni_pass.
// Free rotation is solver/bodies/rotate.c, world inertia solver/bodies/world_inertia.c. Test:
// tests/solver/bodies/test_integrate_pass.c
#include "solver/bodies/integrate.h"

#include "solver/contacts/contact_kernels.h"
#include "solver/joints/joint_group.h"

// A piece of fewer batches than this is not worth a second worker: it takes some microseconds.
#define INTEGRATE_MIN_RANGE 32

// ---- batches -------------------------------------------------------------------------------

// Does a pass leave the body out? Bodies that no Gauss-Seidel row holds are moved elsewhere.
static inline bool integrate_passes_over(const tni_solver *solver, uint32_t i) {
    return solver->bodies.is_free[i] || solver->bodies.is_exact[i];
}

static tni_batch integrate_get_kind(const tni_solver *solver, uint32_t i) {
    return integrate_passes_over(solver, i) ? TNI_BATCH_NONE : (tni_batch)solver->bodies.kinds[i];
}

static bool integrate_is_alike(tni_batch kind) {
    return kind != TNI_BATCH_NONE && kind != TNI_BATCH_MIXED;
}

static tni_batch integrate_join_kinds(tni_batch a, tni_batch b) {
    bool are_alike = integrate_is_alike(a) && integrate_is_alike(b);
    return a == b ? a : are_alike ? (tni_batch)(a | b) : TNI_BATCH_MIXED;
}

bool tni_integrate_plan(const tni_solver *solver, const uint32_t *bodies, uint32_t count,
                        tni_batch_bodies *batches, uint8_t *kinds) {
    bool turns_inertia = false;
    for (uint32_t done = 0; done < count; done += INTEGRATE_LANES) {
        tni_batch_bodies *batch = &batches[done / INTEGRATE_LANES];
        tni_batch joined = integrate_get_kind(solver, bodies[done]);
        *batch = (tni_batch_bodies){{0}};
        for (uint32_t i = 0; i < INTEGRATE_LANES && done + i < count; ++i) {
            tni_batch kind = integrate_get_kind(solver, bodies[done + i]);
            batch->body[i] = bodies[done + i];
            joined = integrate_join_kinds(joined, kind);
            turns_inertia |= (kind & BATCH_HAS_MOMENTS) != 0 || kind == TNI_BATCH_MIXED;
        }
        kinds[done / INTEGRATE_LANES] = (uint8_t)joined;
    }
    return turns_inertia;
}

// ---- one body ------------------------------------------------------------------------------

void tni_integrate_rotate(tni_body_motion *motion, const tni_body_mass *mass, double h,
                          uint32_t count) {
    tni_dvec3 w = motion->angular_velocity;
    if (w.x == 0.0 && w.y == 0.0 && w.z == 0.0) {
        return;
    }
    if (mass->inertia->is_round || mass->stops || mass->locks >= TN_BODY_LOCK_ANGULAR_X) {
        tni_rotate_at_constant_velocity(motion, h * count);
    } else {
        tni_rotate_freely(motion, mass->inertia, h, count);
    }
}

void tni_integrate_stop(tni_body_motion *motion, const tni_body_mass *mass) {
    if (mass->stops) {
        motion->velocity = motion->angular_velocity = dvec3_make(0.0, 0.0, 0.0);
    }
}

void tni_integrate_kick_motion(tni_body_motion *motion, const tni_body_mass *mass,
                               const tni_body_pull *pull, double half) {
    motion->velocity = dvec3_add_scaled(motion->velocity, half, pull->acceleration);
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

static void integrate_kick(const tni_solver *solver, uint32_t i) {
    const tni_body_mass *mass = &solver->bodies.masses[i];
    tni_body_motion *motion = &solver->bodies.motions[i];
    double half = 0.5 * solver->dh;
    if (mass->is_dynamic) {
        tni_integrate_stop(motion, mass);
        if (mass->has_torque) {
            integrate_kick_torque(motion, &solver->bodies.states[i], mass, half);
        }
        tni_integrate_kick_motion(motion, mass, &solver->bodies.pulls[i], half);
    }
}

// Adds the change by rows: v + (now - float(v)). A velocity that no row changed keeps every bit.
static void integrate_collect_change(tni_dvec3 *v, tni_f4 now) {
    f4_add_to_double3(&v->x, f4_sub(now, integrate_to_float(v)));
}

static void integrate_collect(const tni_solver *solver, uint32_t i) {
    tni_body_motion *motion = &solver->bodies.motions[i];
    const tni_body_state *state = &solver->bodies.states[i];
    integrate_collect_change(&motion->velocity, f4_load3(state->v.raw));
    integrate_collect_change(&motion->angular_velocity, f4_load3(state->w.raw));
}

static void integrate_store_velocity(const tni_solver *solver, uint32_t i) {
    const tni_body_motion *motion = &solver->bodies.motions[i];
    f4_store3(solver->bodies.states[i].v.raw, integrate_to_float(&motion->velocity));
    f4_store3(solver->bodies.states[i].w.raw, integrate_to_float(&motion->angular_velocity));
}

static void integrate_move_delta(const tni_solver *solver, uint32_t i) {
    const tni_body_state *state = &solver->bodies.states[i];
    float *numbers = solver->bodies.deltas[i].numbers;
    tni_f4 h = f4_splat(solver->h);
    tni_f4 way = f4_add_product(f4_load(numbers), h, f4_load3(state->v.raw));
    tni_f4 turn = f4_add_product(f4_load(numbers + 4), h, f4_load3(state->w.raw));
    f4_store(numbers, way);
    // A body that no contact can turn is followed to where its contacts were made:
    // collision/path/path.c.
    bool turns_on = !solver->bodies.masses[i].is_dynamic;
    f4_store(numbers + 4, turns_on ? turn : integrate_follow_turn(turn));
}

static void integrate_drift(tni_solver *solver, uint32_t i) {
    tni_body_motion *motion = &solver->bodies.motions[i];
    motion->position = dvec3_add_scaled(motion->position, solver->dh, motion->velocity);
    tni_integrate_rotate(motion, &solver->bodies.masses[i], solver->dh, 1);
    if (solver->contacts.own_count > 0) {
        integrate_move_delta(solver, i);
    }
    if (solver->lanes.places != NULL) {
        tni_joint_place(solver, i);
    }
    // Without joints there is no added inertia, and a ball's never changes.
    if (solver->joints.count > 0 || !solver->bodies.masses[i].inertia->is_round) {
        tni_body_refresh_inertia(solver, i);
    }
}

static void integrate_pass_body(tni_solver *solver, uint32_t i, uint32_t phases) {
    if ((phases & TNI_PASS_COLLECT) != 0) {
        integrate_collect(solver, i);
    }
    if ((phases & TNI_PASS_DRIFT) != 0) {
        integrate_drift(solver, i);
    }
    if ((phases & TNI_PASS_START) != 0) {
        tni_body_refresh_inertia(solver, i);
    }
    if ((phases & TNI_PASS_KICK) != 0) {
        integrate_kick(solver, i);
    }
    if ((phases & (TNI_PASS_START | TNI_PASS_KICK)) != 0) {
        integrate_store_velocity(solver, i);
    }
    if ((phases & (TNI_PASS_PUSH_A | TNI_PASS_PUSH_B)) != 0) {
        contact_push_body(solver, i, (phases & TNI_PASS_PUSH_A) != 0);
    }
}

// ---- all bodies ----------------------------------------------------------------------------

static void integrate_pass_batch(tni_solver *solver, uint32_t batch, uint32_t phases) {
    for (uint32_t i = 0; i < INTEGRATE_LANES; ++i) {
        uint32_t body = solver->batches.bodies[batch].body[i];
        if (body != 0 && !integrate_passes_over(solver, body)) {
            integrate_pass_body(solver, body, phases);
        }
    }
}

// Moves batches of one kind that follow each other together.
void tni_integrate_range(tni_solver *solver, uint32_t first, uint32_t last, uint32_t phases) {
    for (uint32_t done = first, next; done < last; done = next) {
        tni_batch kind = (tni_batch)solver->batches.kinds[done];
        next = done + 1;
        while (next < last && solver->batches.kinds[next] == (uint8_t)kind) {
            ++next;
        }
        bool is_wide = integrate_is_alike(kind);
        if (is_wide) {
            WIDE_CALL(solver->uses_avx2, tni_integrate_batches, solver, done, next - done, phases);
        }
        for (uint32_t b = done; b < next && !is_wide && kind != TNI_BATCH_NONE; ++b) {
            integrate_pass_batch(solver, b, phases);
        }
    }
}

typedef struct integrate_context {
    tni_solver *solver;
    uint32_t phases;
} integrate_context;

static void integrate_pass_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const integrate_context *pass = context;
    tni_integrate_range(pass->solver, first, last, pass->phases);
}

void tni_integrate_pass(tni_solver *solver, uint32_t phases) {
    integrate_context pass = {solver, phases};
    if (solver->batches.part_count == 0 && solver->batches.count == 0) {
        return; // mechanisms alone, which go by themselves
    }
    if (solver->batches.part_count == 0 && solver->batches.count < 2 * INTEGRATE_MIN_RANGE) {
        tni_integrate_range(solver, 0, solver->batches.count, phases); // nothing to be shared
        return;
    }
    tni_parts_run_batches(solver, integrate_pass_range, INTEGRATE_MIN_RANGE, &pass);
}
