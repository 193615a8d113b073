// solver/bodies/integrate_wide.c: four bodies through the phases of a pass at once.
//
// These are bodies on which only rows, gravity and damping act: see solver/bodies/integrate.c for
// one body, whose sums these are, in the same order. A vector of three is three lanes of four, so
// velocities and positions are taken body by body as they lie. Only turns are worked out with a
// body in each lane: exp(h w) q here, where all moments are equal, and the others in
// solver/bodies/rotate_wide.c. If a body turns so fast that its series would need more terms,
// solver/bodies/rotate.c does it. Test: tests/solver/bodies/test_integrate_pass.c
#include "core/wide_double.h"
#include "solver/bodies/integrate.h"
#include "solver/bodies/rotate_lanes.h"
#include "solver/contacts/contact_kernels.h"
#include "solver/joints/joint_group.h"

// The numbers of the solver that a pass reads, kept here so that no store can change them.
typedef struct round_pass {
    const tni_solver *solver;
    tni_body_motion *motions;
    tni_body_state *states;
    tni_body_delta *deltas; // null without contacts
    tni_body_place *places; // null without groups of joints
    const tni_body_pull *pulls;
    const tni_body_mass *masses;
    tni_d4 h, half; // s
    tni_f4 h_float;
    tni_m4 first_three; // lanes
} round_pass;

TNI_KERNEL tni_f4 round_to_float(tni_d4 v) {
    return f4_flush(d4_to_f4(v), MATHS_TINY);
}

// These are velocities as rows have left them; the fourth lanes are zero.
typedef struct round_velocity {
    tni_f4 v, w;
} round_velocity;

TNI_KERNEL void round_load_velocities(const round_pass *pass, const tni_batch_bodies *batch,
                                      uint32_t count, round_velocity now[INTEGRATE_LANES]) {
    for (uint32_t i = 0; i < count; ++i) {
        const float *numbers = pass->states[batch->body[i]].numbers;
        tni_f4 w = f4_pick(pass->first_three, f4_load(numbers + TNI_STATE_W), f4_zero());
        now[i] = (round_velocity){f4_load(numbers), w};
    }
}

TNI_KERNEL void round_store_velocity(tni_body_state *state, tni_f4 v, tni_f4 w,
                                     const round_pass *pass) {
    tni_f4 behind = f4_load(state->numbers + TNI_STATE_W);
    f4_store(state->numbers, v);
    f4_store(state->numbers + TNI_STATE_W, f4_pick(pass->first_three, w, behind));
}

TNI_KERNEL void round_store_velocities(const round_pass *pass, const tni_batch_bodies *batch,
                                       uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const tni_body_motion *motion = &pass->motions[batch->body[i]];
        round_store_velocity(&pass->states[batch->body[i]],
                             round_to_float(d4_load(&motion->velocity.x)),
                             round_to_float(d4_load(&motion->angular_velocity.x)), pass);
    }
}

TNI_KERNEL void round_move_delta(tni_body_delta *delta, const round_velocity *now,
                                 const round_pass *pass) {
    float *numbers = delta->numbers;
    f4_store(numbers, f4_add_product(f4_load(numbers), pass->h_float, now->v));
    tni_f4 turn = f4_add_product(f4_load(numbers + 4), pass->h_float, now->w);
    f4_store(numbers + 4, integrate_follow_turn(turn));
}

// Returns a velocity after half a substep of damping.
TNI_KERNEL tni_d4 round_damp(const round_pass *pass, tni_d4 v, float damping) {
    tni_d4 one = d4_splat(1.0), rate = d4_splat((double)damping);
    return d4_mul(v, d4_div(one, d4_add_product(one, pass->half, rate)));
}

// Damps angular velocities. Bodies have turned by those from before.
TNI_KERNEL void round_damp_turns(const round_pass *pass, const tni_batch_bodies *batch,
                                 uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        double *w = &pass->motions[batch->body[i]].angular_velocity.x;
        d4_store(w, round_damp(pass, d4_load(w), pass->masses[batch->body[i]].angular_damping));
    }
}

// Does all of a body's pass except its rotation and the changes that follow from it.
TNI_KERNEL void round_pass_body(const round_pass *pass, uint32_t i, uint32_t phases, bool is_damped,
                                const round_velocity *now) {
    tni_body_motion *motion = &pass->motions[i];
    tni_d4 v = d4_load(&motion->velocity.x), w = d4_load(&motion->angular_velocity.x);
    if ((phases & TNI_PASS_COLLECT) != 0) {
        v = d4_add(v, d4_from_f4(f4_sub(now->v, round_to_float(v))));
        w = d4_add(w, d4_from_f4(f4_sub(now->w, round_to_float(w))));
        d4_store(&motion->angular_velocity.x, w);
    }
    if ((phases & TNI_PASS_DRIFT) != 0) {
        tni_d4 x = d4_add_product(d4_load(&motion->position.x), pass->h, v);
        d4_store(&motion->position.x, x);
        if (pass->deltas != NULL) {
            round_move_delta(&pass->deltas[i], now, pass);
        }
    }
    if ((phases & TNI_PASS_KICK) != 0) {
        v = d4_add_product(v, pass->half, d4_load(&pass->pulls[i].acceleration.x));
        v = is_damped ? round_damp(pass, v, pass->masses[i].linear_damping) : v;
    }
    d4_store(&motion->velocity.x, v);
}

// Writes the numbers of bodies that rows read.
TNI_KERNEL void round_show_bodies(const round_pass *pass, const tni_batch_bodies *batch,
                                  uint32_t count, uint32_t phases) {
    if ((phases & (TNI_PASS_START | TNI_PASS_KICK)) != 0) {
        round_store_velocities(pass, batch, count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        if ((phases & (TNI_PASS_PUSH_A | TNI_PASS_PUSH_B)) != 0) {
            contact_push_body(pass->solver, batch->body[i], (phases & TNI_PASS_PUSH_A) != 0);
        }
    }
}

// ---- rotation ------------------------------------------------------------------------------

TNI_KERNEL rotate_lanes round_load4(const double *const of[INTEGRATE_LANES]) {
    tni_d4 r[4] = {d4_load(of[0]), d4_load(of[1]), d4_load(of[2]), d4_load(of[3])};
    d4_transpose(r);
    rotate_lanes q = {r[0], r[1], r[2], r[3]};
    return q;
}

// Stores rotations, kept of unit length; a body that does not turn keeps every bit.
TNI_KERNEL void round_store_rotation(const round_pass *pass, const tni_batch_bodies *batch,
                                     const rotate_lanes *p, tni_d4 excess, tni_d4 x2) {
    double turns[INTEGRATE_LANES];
    d4_store(turns, x2);
    rotate_lanes unit = lanes_to_unit(p, excess);
    tni_d4 r[4] = {unit.x, unit.y, unit.z, unit.w};
    d4_transpose(r);
    for (uint32_t i = 0; i < INTEGRATE_LANES; ++i) {
        if (turns[i] > 0.0) {
            d4_store(&pass->motions[batch->body[i]].rotation.x, r[i]);
        }
    }
}

static void round_rotate_one_by_one(const tni_solver *solver, const tni_batch_bodies *batch,
                                    uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t body = batch->body[i];
        tni_integrate_rotate(&solver->bodies.motions[body], &solver->bodies.masses[body],
                             solver->dh, 1);
    }
}

TNI_KERNEL void round_rotate(const round_pass *pass, const tni_batch_bodies *batch) {
    const double *turns[INTEGRATE_LANES], *rotations[INTEGRATE_LANES];
    for (uint32_t i = 0; i < INTEGRATE_LANES; ++i) {
        const tni_body_motion *motion = &pass->motions[batch->body[i]];
        turns[i] = &motion->angular_velocity.x;
        rotations[i] = &motion->rotation.x;
    }
    rotate_lanes w = round_load4(turns);
    tni_dv4 r = {d4_mul(w.x, pass->h), d4_mul(w.y, pass->h), d4_mul(w.z, pass->h)};
    tni_d4 x2 = d4_mul(d4_splat(0.25), dv4_dot(r, r));
    rotate_lanes q = round_load4(rotations);
    rotate_lanes p = lanes_precess(&q, r.x, r.y, r.z, x2, false);
    tni_d4 excess = lanes_get_excess(&p);
    if (d4_are_under(x2, LANES_SMALL) && d4_are_under(excess, LANES_NEAR_UNIT)) {
        round_store_rotation(pass, batch, &p, excess, x2);
    } else {
        round_rotate_one_by_one(pass->solver, batch, INTEGRATE_LANES);
    }
}

// ---- a pass --------------------------------------------------------------------------------

// Does what tni_joint_place does.
TNI_KERNEL void round_place(const round_pass *pass, uint32_t i) {
    const tni_body_motion *motion = &pass->motions[i];
    tni_body_place *place = &pass->places[i];
    tni_d4 x = d4_load(&motion->position.x);
    tni_f4 high = d4_to_f4(x);
    f4_store(place->rotation, d4_to_f4(d4_load(&motion->rotation.x)));
    f4_store(place->high, high);
    f4_store(place->low, d4_to_f4(d4_sub(x, d4_from_f4(high))));
    f4_store(place->w, round_to_float(d4_load(&motion->angular_velocity.x)));
}

// Refreshes inertias. The states have that of a body with equal moments from the start, and only
// what joints have added to it changes.
static void round_refresh_inertias(tni_solver *solver, const tni_batch_bodies *batch,
                                   uint32_t count, bool has_new) {
    for (uint32_t i = 0; i < count; ++i) {
        if (has_new || !solver->bodies.masses[batch->body[i]].inertia->is_round) {
            tni_body_refresh_inertia(solver, batch->body[i]);
        }
    }
}

// Makes all rotations of a batch, and the inertias that follow from them alone. A few balls go one
// by one.
TNI_KERNEL void round_turn(tni_solver *solver, const round_pass *pass,
                           const tni_batch_bodies *batch, uint32_t count, bool is_round) {
    if (!is_round) {
        WIDE_NAME(tni_rotate_four)(solver, batch, count);
    } else if (count == INTEGRATE_LANES) {
        round_rotate(pass, batch);
    } else {
        round_rotate_one_by_one(solver, batch, count);
    }
}

TNI_KERNEL void round_run_batch(tni_solver *solver, const round_pass *pass,
                                const tni_batch_bodies *batch, uint32_t count, uint32_t phases,
                                tni_batch kind) {
    bool is_round = (kind & BATCH_HAS_MOMENTS) == 0, is_damped = (kind & BATCH_IS_DAMPED) != 0;
    bool drifts = (phases & TNI_PASS_DRIFT) != 0;
    bool starts = (phases & TNI_PASS_START) != 0;
    bool has_new_inertia = (starts || drifts) && solver->bodies.was_stiffened;
    round_velocity now[INTEGRATE_LANES];
    round_load_velocities(pass, batch, count, now);
    for (uint32_t i = 0; i < count; ++i) {
        round_pass_body(pass, batch->body[i], phases, is_damped, &now[i]);
    }
    if (drifts) {
        round_turn(solver, pass, batch, count, is_round);
    }
    for (uint32_t i = 0; i < count && drifts && pass->places != NULL; ++i) {
        round_place(pass, batch->body[i]);
    }
    if (is_damped && (phases & TNI_PASS_KICK) != 0) {
        round_damp_turns(pass, batch, count);
    }
    if (has_new_inertia || (starts && !is_round)) {
        round_refresh_inertias(solver, batch, count, has_new_inertia);
    }
    round_show_bodies(pass, batch, count, phases);
}

TNI_KERNEL void round_run(tni_solver *solver, const round_pass *pass, uint32_t first_batch,
                          uint32_t count, uint32_t phases) {
    for (uint32_t b = first_batch; b < first_batch + count; ++b) {
        const tni_batch_bodies *batch = &solver->batches.bodies[b];
        tni_batch kind = (tni_batch)solver->batches.kinds[b];
        if (batch->body[INTEGRATE_LANES - 1] != 0) {
            round_run_batch(solver, pass, batch, INTEGRATE_LANES, phases, kind);
        } else {
            uint32_t few = batch->body[1] == 0 ? 1 : batch->body[2] == 0 ? 2 : 3;
            round_run_batch(solver, pass, batch, few, phases, kind);
        }
    }
}

// Runs the passes of most substeps with constant phases, so that these ask for nothing.
void WIDE_NAME(tni_integrate_batches)(tni_solver *solver, uint32_t first_batch, uint32_t count,
                                      uint32_t phases) {
    const uint32_t joined = TNI_PASS_COLLECT | TNI_PASS_KICK;
    const uint32_t moves = joined | TNI_PASS_DRIFT;
    const round_pass pass = {
        .solver = solver,
        .motions = solver->bodies.motions,
        .states = solver->bodies.states,
        .deltas = solver->contacts.own_count > 0 ? solver->bodies.deltas : NULL,
        .places = solver->lanes.places,
        .pulls = solver->bodies.pulls,
        .masses = solver->bodies.masses,
        .h = d4_splat(solver->dh),
        .half = d4_splat(0.5 * solver->dh),
        .h_float = f4_splat(solver->h),
        .first_three = f4_less(f4_make(0.0f, 0.0f, 0.0f, 1.0f), f4_splat(0.5f))};
    if (phases == moves) {
        round_run(solver, &pass, first_batch, count, moves);
    } else if (phases == (moves | TNI_PASS_PUSH_B)) {
        round_run(solver, &pass, first_batch, count, moves | TNI_PASS_PUSH_B);
    } else if (phases == (joined | TNI_PASS_PUSH_A)) {
        round_run(solver, &pass, first_batch, count, joined | TNI_PASS_PUSH_A);
    } else if (phases == joined) {
        round_run(solver, &pass, first_batch, count, joined);
    } else {
        round_run(solver, &pass, first_batch, count, phases);
    }
}
