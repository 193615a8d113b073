// solver/exact/mechanism_run.c: mechanisms among the solver's bodies and joint blocks.
//
// In each substep the mechanisms take theirs before the other bodies drift. Those that nothing can
// disturb take all of the step's at once in the first one, while their numbers are in the cache,
// and rest in the others. The impulses of their joints go to the blocks at the end of the step, in
// the form that Gauss-Seidel leaves it in, so that reactions, efforts, work and warm starting do
// not ask which method it was. Test: tests/world/mechanisms/test_mechanisms.c
#include <string.h>

#include "core/platform.h"
#include "solver/exact/mechanism_span.h"
#include "solver/solver.h"
#include "solver/step/breaking.h"
#include "solver/touches/touch.h"

// A motor that gives less than this share of its cap has more to give.
#define RUN_CAP_SHARE 0.99
// The number of pieces into which a substep is cut if something comes down too deep.
#define RUN_PIECES 4
// A piece is cut no more often than this where something was passed through, and no shorter than
// this share of it.
#define RUN_MEETINGS    4
#define RUN_LEAST_SHARE 0.02

static void run_scale_impulses(tni_mechanism *mechanism, double factor) {
    for (uint32_t k = 0; k < mechanism->joint_count && mechanism->stage.is_active; ++k) {
        for (uint32_t r = 0; r < mechanism->joints[k].row_count; ++r) {
            mechanism->joints[k].impulse[r] *= factor;
        }
    }
    tni_mechanism_spans_scale_impulses(mechanism, mechanism->stage.is_active ? factor : 1.0);
}

static void run_load(const tni_solver *solver, tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->motion = solver->bodies.motions[body->solver_body];
    }
    mechanism->times.now = solver->movers.time;
}

// Returns true if nothing touches a mechanism, and the bodies that it hangs on do not move: until
// the end of the step it is by itself.
static bool run_is_undisturbed(const tni_solver *solver, const tni_mechanism *mechanism) {
    bool is_still = solver->exact.touch_sets[0].count == 0;
    for (uint32_t i = mechanism->moving_count; i < mechanism->body_count && is_still; ++i) {
        tni_dvec3 v = mechanism->bodies[i].motion.velocity;
        tni_dvec3 w = mechanism->bodies[i].motion.angular_velocity;
        is_still = dvec3_dot(v, v) + dvec3_dot(w, w) == 0.0;
    }
    return is_still;
}

// Decides whether a mechanism runs ahead. The ledger is kept substep by substep, and joints that
// may break are looked at in each.
static void run_look_ahead(const tni_solver *solver, tni_mechanism *mechanism) {
    bool is_undisturbed = !mechanism->traits.may_break && solver->movers.forces == NULL &&
                          run_is_undisturbed(solver, mechanism);
    mechanism->past.is_ahead = is_undisturbed && !solver->ledger.measures_work;
    bool has_courses = !tni_method_takes(mechanism, solver->settings.integrator);
    mechanism->past.followers = is_undisturbed && has_courses ? solver->substeps : 0;
}

// Sets a body's forces back to those that act on it beside its contacts.
static void run_load_forces(const tni_solver *solver, tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->acceleration = solver->bodies.pulls[body->solver_body].acceleration;
        body->torque = solver->bodies.masses[body->solver_body].torque;
        body->fed.linear = body->fed.angular = dvec3_make(0.0, 0.0, 0.0);
        body->fed_friction = body->fed;
    }
    mechanism->stage.is_fed = mechanism->stage.has_let_go = false;
}

static void run_save(tni_solver *solver, const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        solver->bodies.motions[body->solver_body] = body->motion;
    }
}

// Steps by the integrator that was asked for, if it can take the mechanism.
static void run_step(const tni_solver *solver, tni_mechanism *mechanism) {
    mechanism->past.integrator = solver->settings.integrator;
    if (tni_method_takes(mechanism, solver->settings.integrator) &&
        tni_method_step(mechanism, solver->settings.integrator, &solver->settings.stabilization,
                        solver->dh)) {
        return;
    }
    mechanism->report.refusals += tni_method_is_compared(solver->settings.integrator) ? 1 : 0;
    mechanism->past.integrator = TN_INTEGRATOR_MIDPOINT;
    tni_mechanism_step(mechanism, solver->dh);
}

// Is called after a stage: books its work, and gives the motions to the solver.
static void run_accept(tni_solver *solver, tni_mechanism *mechanism) {
    tni_mechanism_measure_stage(solver, mechanism);
    run_save(solver, mechanism);
}

// One reading of the clock ends a mechanism's time and begins the next one's.
static void run_add_time(tni_mechanism *mechanism, double *clock) {
    double now = tni_platform_get_ms();
    mechanism->solve_ms += now - *clock;
    *clock = now;
}

// ---- contacts ----------------------------------------------------------------------------------

static void run_settle_all(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism_start_measure(solver, solver->exact.mechanisms[i]);
    }
    tni_touches_settle(solver, &solver->exact.touch_sets[0]);
    tni_touches_note(solver);
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        if (solver->exact.mechanisms[i]->stage.is_active) {
            tni_mechanism_measure_rest(solver, solver->exact.mechanisms[i]);
            run_save(solver, solver->exact.mechanisms[i]);
        }
    }
}

// Feeds the next stage the forces that contacts begin it with.
static void run_feed(tni_solver *solver, double share, bool is_fresh) {
    if (solver->exact.touch_sets[0].count == 0) {
        return;
    }
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        if (solver->exact.mechanisms[i]->stage.is_active) {
            run_load_forces(solver, solver->exact.mechanisms[i]);
            tni_mechanism_start_measure(solver, solver->exact.mechanisms[i]);
        }
    }
    if (is_fresh) {
        tni_touches_meet(solver);
    }
    tni_touches_feed(solver, share);
    tni_touches_bounce(solver);
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        if (solver->exact.mechanisms[i]->stage.is_active) {
            tni_mechanism_measure_rest(solver, solver->exact.mechanisms[i]);
            run_save(solver, solver->exact.mechanisms[i]);
        }
    }
}

// ---- a substep's beginning ----------------------------------------------------------------------

void tni_mechanisms_start(tni_solver *solver) {
    bool is_fresh = false;
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism *mechanism = solver->exact.mechanisms[i];
        mechanism->stage.is_active = !mechanism->traits.is_coupled &&
                                     (mechanism->past.is_fresh || !mechanism->past.is_ahead);
        if (!mechanism->stage.is_active) {
            continue;
        }
        run_load(solver, mechanism);
        if (solver->movers.forces != NULL) {
            run_load_forces(solver, mechanism);
        }
        is_fresh |= mechanism->past.is_fresh;
        if (mechanism->past.is_fresh) {
            mechanism->past.is_fresh = false;
            run_look_ahead(solver, mechanism);
            tni_mechanism_start_measure(solver, mechanism);
            if (!mechanism->past.is_closed &&
                !tni_method_takes(mechanism, solver->settings.integrator)) {
                tni_mechanism_close(mechanism);
            }
            tni_mechanism_measure_rest(solver, mechanism);
        }
    }
    if (is_fresh) {
        tni_touches_start(solver);
    }
    run_feed(solver, 1.0, is_fresh);
}

// ---- the stages --------------------------------------------------------------------------------

void tni_mechanism_follow_hung(const tni_solver *solver, tni_mechanism *mechanism) {
    for (uint32_t i = mechanism->moving_count; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->motion = solver->bodies.motions[body->solver_body];
    }
}

static void run_alone(const tni_solver *solver, tni_mechanism *mechanism) {
    if (!mechanism->stage.is_active) {
        return;
    }
    bool is_timed = solver->times_stages || solver->exact.count > 1;
    double clock = is_timed ? tni_platform_get_ms() : 0.0;
    tni_mechanism_start_measure(solver, mechanism);
    run_step(solver, mechanism);
    for (uint32_t k = 1; k < solver->substeps && mechanism->past.is_ahead; ++k) {
        tni_mechanism_follow_hung(solver, mechanism);
        run_step(solver, mechanism);
    }
    if (is_timed) {
        run_add_time(mechanism, &clock);
    }
}

static void run_stages_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const tni_solver *solver = context;
    for (uint32_t i = first; i < last; ++i) {
        run_alone(solver, solver->exact.mechanisms[i]);
    }
}

// Moves all mechanisms through dh, or the step. Their motions wait to be accepted.
static void run_stages(tni_solver *solver) {
    tni_tasks_run(solver->tasks, run_stages_range, solver->exact.count, 1, solver);
}

static void run_accept_all(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        if (solver->exact.mechanisms[i]->stage.is_active) {
            run_accept(solver, solver->exact.mechanisms[i]);
        }
    }
}

static void run_keep(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism *mechanism = solver->exact.mechanisms[i];
        for (uint32_t k = 0; k < mechanism->joint_count && mechanism->stage.is_active; ++k) {
            tni_mechanism_joint *joint = &mechanism->joints[k];
            joint->sums_kept = joint->sums;
            if (mechanism->traits.has_memories) {
                memcpy(joint->turns_kept, joint->joint->memory.turns, sizeof joint->turns_kept);
                joint->tooth_kept = joint->joint->memory.tooth;
            }
            memcpy(joint->impulse_kept, joint->impulse, joint->row_count * sizeof(double));
            for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
                joint->actors[r].sums_kept = joint->actors[r].sums;
            }
        }
        if (mechanism->stage.is_active) {
            tni_mechanism_spans_keep(mechanism);
        }
    }
}

// Puts the motions back to those before, since they were not accepted yet.
static void run_put_back(tni_solver *solver, double share) {
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism *mechanism = solver->exact.mechanisms[i];
        for (uint32_t k = 0; k < mechanism->body_count && mechanism->stage.is_active; ++k) {
            tni_mechanism_body *body = &mechanism->bodies[k];
            body->motion = solver->bodies.motions[body->solver_body];
        }
        for (uint32_t k = 0; k < mechanism->joint_count && mechanism->stage.is_active; ++k) {
            tni_mechanism_joint *joint = &mechanism->joints[k];
            joint->sums = joint->sums_kept;
            if (mechanism->traits.has_memories) {
                memcpy(joint->joint->memory.turns, joint->turns_kept, sizeof joint->turns_kept);
                joint->joint->memory.tooth = joint->tooth_kept;
            }
            for (uint32_t r = 0; r < joint->row_count; ++r) {
                joint->impulse[r] = share * joint->impulse_kept[r];
            }
            for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
                joint->actors[r].sums = joint->actors[r].sums_kept;
            }
        }
        if (mechanism->stage.is_active) {
            tni_mechanism_spans_put_back(mechanism, share);
        }
    }
}

// Chooses the mechanisms that are active from now on: those that came down deep, the others, or
// both.
static void run_choose_active(tni_solver *solver, bool has_deep, bool has_others) {
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism *mechanism = solver->exact.mechanisms[i];
        bool is_chosen = mechanism->stage.is_deep ? has_deep : has_others;
        mechanism->stage.is_active = !mechanism->traits.is_coupled && is_chosen;
    }
}

static void run_scale_all(tni_solver *solver, double factor) {
    tni_touches_scale(solver, factor);
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        run_scale_impulses(solver->exact.mechanisms[i], factor);
    }
}

// Takes a piece of the length dh. If a body goes through something that it touches, the stages end
// when they meet, and the remaining piece begins with the contacts that they have met.
static void run_piece(tni_solver *solver) {
    double piece = solver->dh, left = piece;
    for (uint32_t round = 0; left > 0.0; ++round) {
        double part = left, share = 2.0;
        if (round > 0) {
            run_settle_all(solver);
            run_feed(solver, left / (piece * RUN_PIECES), false);
        }
        run_keep(solver);
        run_stages(solver);
        if (round < RUN_MEETINGS) {
            share = tni_touches_find_passed(solver);
        }
        if (share < 1.0) {
            share = share > RUN_LEAST_SHARE ? share : RUN_LEAST_SHARE;
            part = solver->dh = share * left;
            run_put_back(solver, share);
            tni_touches_scale(solver, share);
            run_stages(solver);
        }
        run_accept_all(solver);
        left = share < 1.0 ? left - part : 0.0;
        solver->dh = left > 0.0 ? left : piece;
        run_scale_all(solver, solver->dh / part);
    }
}

// Takes the substep in pieces, each with its contacts; those of the last are settled with all
// others. Bodies that a mechanism hangs on move on by themselves in each.
static void run_pieces(tni_solver *solver) {
    double h = solver->dh;
    run_put_back(solver, 1.0 / RUN_PIECES);
    tni_touches_cut(solver, RUN_PIECES);
    solver->dh = h / RUN_PIECES;
    for (uint32_t piece = 0; piece < RUN_PIECES; ++piece) {
        if (piece > 0) {
            run_settle_all(solver);
            run_feed(solver, 1.0 / RUN_PIECES, false);
        }
        run_piece(solver);
    }
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        run_scale_impulses(solver->exact.mechanisms[i], RUN_PIECES);
    }
    solver->dh = h;
}

// Lets mechanisms that have lost a joint take their stage again without it, while the others wait.
static void run_break(tni_solver *solver) {
    uint32_t round = 0;
    while (round < TNI_BREAKING_MOST_ROUNDS && tni_breaking_look(solver, TNI_LOOK_STAGE)) {
        for (uint32_t i = 0; i < solver->exact.count; ++i) {
            tni_mechanism *mechanism = solver->exact.mechanisms[i];
            mechanism->stage.is_waiting |= mechanism->stage.is_active && !mechanism->stage.has_lost;
            mechanism->stage.is_active = mechanism->stage.has_lost;
            mechanism->stage.has_lost = false;
        }
        run_put_back(solver, 1.0);
        run_stages(solver);
        round += 1;
    }
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        solver->exact.mechanisms[i]->stage.is_active |=
            solver->exact.mechanisms[i]->stage.is_waiting;
        solver->exact.mechanisms[i]->stage.is_waiting = false;
    }
}

void tni_mechanisms_run(tni_solver *solver) {
    bool has_touches = solver->exact.touch_sets[0].count > 0;
    if (has_touches || tni_breaking_has_any(solver)) {
        run_keep(solver);
    }
    run_stages(solver);
    if (tni_breaking_has_any(solver)) {
        run_break(solver);
        tni_breaking_accept(solver, TNI_LOOK_STAGE);
    }
    bool is_deep = has_touches && tni_touches_find_deep(solver);
    bool has_passed = has_touches && tni_touches_find_passed(solver) < 1.0;
    if (!is_deep && !has_passed) {
        run_accept_all(solver);
        return;
    }
    tni_touches_spread_deep(solver);
    run_choose_active(solver, false, true);
    run_accept_all(solver);
    run_choose_active(solver, true, false);
    run_pieces(solver);
    run_choose_active(solver, true, true);
}

// ---- alone -------------------------------------------------------------------------------------

// Does nothing else move in this step, and does nothing disturb them?
static bool run_goes_alone(const tni_solver *solver) {
    bool is_alone = solver->exact.count > 0 && solver->joints.count == 0 &&
                    solver->gradients.count == 0 && solver->movers.span_count == 0 &&
                    solver->movers.reduced_count == 0 && solver->contacts.count == 0 &&
                    solver->movers.span_contact_count == 0 && solver->movers.forces == NULL &&
                    !solver->ledger.measures_work && !tni_breaking_has_any(solver);
    uint32_t moving = 0;
    for (uint32_t i = 0; i < solver->exact.count && is_alone; ++i) {
        const tni_mechanism *mechanism = solver->exact.mechanisms[i];
        is_alone = !mechanism->traits.is_coupled && run_is_undisturbed(solver, mechanism);
        moving += mechanism->moving_count;
    }
    return is_alone && moving == solver->bodies.held_count;
}

bool tni_mechanisms_run_alone(tni_solver *solver) {
    if (!run_goes_alone(solver)) {
        return false;
    }
    tni_mechanisms_start(solver);
    tni_mechanisms_run(solver);
    for (uint32_t i = 0; i < solver->substeps; ++i) {
        solver->movers.time += solver->dh;
    }
    tni_mechanisms_store(solver);
    return true;
}

// ---- coupled mechanisms ------------------------------------------------------------------------

// Makes rows of the projection of the actors that stay as Gauss-Seidel left them: motors and
// friction below their cap, and limits that push. Actors at their cap, springs and limits that
// bounce take no part.
static void run_set_actors(const tni_solver *solver, tni_mechanism_joint *joint) {
    const tni_joint_block *block = &solver->joints.blocks[joint->block];
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        tni_mechanism_actor *actor = &joint->actors[r];
        const tni_row *row = &solver->joints.rows[block->first_row + actor->row];
        double x = (double)solver->joints.row_states[block->first_row + actor->row].impulse;
        bool is_below = fabs(x) < RUN_CAP_SHARE * (double)row->max_force * solver->dh;
        actor->is_out = actor->kind == TNI_ACTOR_SPRING ||
                        (actor->kind == TNI_ACTOR_SPEED && !is_below) ||
                        (actor->kind == TNI_ACTOR_LIMIT && !(x > 0.0 && row->restitution == 0.0f));
        actor->is_held = actor->is_stalled = actor->holds = false;
    }
}

// Has it links under more tension than the substep resolves? See
// solver/bodies/geometric_stiffness.c. Gauss-Seidel holds them with added inertia, of which the
// projection knows nothing.
static bool run_is_strained(const tni_solver *solver, const tni_mechanism *mechanism) {
    bool is_strained = false;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        is_strained |= solver->bodies.has_added_inertia[mechanism->bodies[i].solver_body];
    }
    return is_strained;
}

// Closes a coupled mechanism. One that cannot be closed, or touches too much, is left alone, by its
// contacts too.
static void run_close(tni_solver *solver, tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        run_set_actors(solver, &mechanism->joints[i]);
    }
    tni_mechanism_spans_set_limits(mechanism);
    mechanism->matrix.is_stuck = mechanism->touch.is_crowded ||
                                 run_is_strained(solver, mechanism) ||
                                 !tni_mechanism_project_begin(mechanism, 0.0);
    mechanism->matrix.is_factored = mechanism->matrix.is_stuck;
    if (!mechanism->matrix.is_stuck) {
        tni_mechanism_project_poses(mechanism);
        tni_mechanism_project_move(mechanism);
        tni_mechanism_project_velocities(mechanism);
    }
}

// Makes Gauss-Seidel's contacts follow the displacement of a body.
static void run_follow(tni_solver *solver, const tni_mechanism_body *body) {
    const tni_body_motion *before = &solver->bodies.motions[body->solver_body];
    tni_body_delta *delta = &solver->bodies.deltas[body->solver_body];
    tni_dquat turn = dquat_mul(body->motion.rotation, dquat_conjugate(before->rotation));
    double sign = turn.w < 0.0 ? -2.0 : 2.0;
    vec3s way = dvec3_to_float(dvec3_sub(body->motion.position, before->position));
    vec3s angle = dvec3_to_float(dvec3_make(sign * turn.x, sign * turn.y, sign * turn.z));
    delta->position = glms_vec3_add(delta->position, way);
    delta->rotation = glms_vec3_add(delta->rotation, angle);
}

static void run_close_all(tni_solver *solver) {
    double clock = tni_platform_get_ms();
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism *mechanism = solver->exact.mechanisms[i];
        if (!mechanism->traits.is_coupled) {
            continue;
        }
        run_load(solver, mechanism);
        tni_mechanism_start_measure(solver, mechanism);
        if (mechanism->traits.alternates) {
            tni_mechanism_spans_set_limits(mechanism);
            mechanism->matrix.is_stuck = !tni_mechanism_alternate(solver, mechanism);
        } else {
            run_close(solver, mechanism);
        }
        mechanism->report.unclosed += mechanism->matrix.is_stuck ? 1 : 0;
        mechanism->report.refusals += tni_method_is_compared(solver->settings.integrator) ? 1 : 0;
        run_add_time(mechanism, &clock);
    }
    tni_touches_settle(solver, &solver->exact.touch_sets[1]);
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism *mechanism = solver->exact.mechanisms[i];
        if (!mechanism->traits.is_coupled || mechanism->matrix.is_stuck) {
            continue;
        }
        tni_mechanism_measure_rest(solver, mechanism);
        for (uint32_t k = 0; k < mechanism->moving_count && solver->contacts.count > 0; ++k) {
            run_follow(solver, &mechanism->bodies[k]);
        }
        run_save(solver, mechanism);
    }
}

// ---- the end of a substep -----------------------------------------------------------------------

void tni_mechanisms_settle(tni_solver *solver) {
    bool has_coupled = false;
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        has_coupled |= solver->exact.mechanisms[i]->traits.is_coupled;
    }
    if (solver->exact.touch_sets[0].count > 0) {
        run_settle_all(solver);
        tni_touches_join(solver);
    }
    if (has_coupled) {
        run_close_all(solver);
    }
}

// ---- the end of the step -----------------------------------------------------------------------

// Stores a joint's errors. Returns whether it is closed enough for the next step to begin with.
static bool run_store_errors(const tni_mechanism *mechanism, const tni_mechanism_joint *joint,
                             tni_joint_block *block) {
    double errors[TNI_JOINT_MAX_EQUALITY_ROWS], squares[2] = {0.0, 0.0};
    tni_joint_measure_exact(joint->joint, &mechanism->bodies[joint->a].motion,
                            &mechanism->bodies[joint->b].motion, errors);
    for (uint32_t r = 0; r < joint->equality_count; ++r) {
        squares[r >= joint->joint->rows.lengths] += errors[r] * errors[r];
    }
    block->exact_linear_error = sqrt(squares[0]);
    block->exact_angular_error = sqrt(squares[1]);
    return block->exact_linear_error <= TNI_MECHANISM_CLOSED &&
           block->exact_angular_error <= TNI_MECHANISM_CLOSED &&
           !tni_joint_has_callback(joint->joint);
}

// Returns what a motor that a limit holds reports over the step: its cap, or without one the
// impulse that the limit would have to pull with.
static double run_get_held_impulse(const tni_solver *solver, const tni_mechanism_joint *joint,
                                   uint32_t r) {
    const tni_mechanism_actor *actor = &joint->actors[r];
    double whole = actor->max_force * solver->dh * (double)solver->substeps;
    double pull =
        actor->held_by == TNI_NONE ? 0.0 : -joint->actors[actor->held_by].sums.step_impulse;
    double size = isfinite(whole) ? whole : maths_max_d(pull, 0.0);
    return copysign(size, actor->target_speed);
}

static void run_store_joint(tni_solver *solver, const tni_mechanism_joint *joint) {
    tni_joint_block *block = &solver->joints.blocks[joint->block];
    // If b is the world the torque is the opposite of that on a.
    bool is_b_world = block->joint->body_b == TNI_NONE;
    vec3s force = dvec3_to_float(joint->sums.force);
    vec3s torque =
        dvec3_to_float(is_b_world ? dvec3_scale(joint->sums.torque_a, -1.0) : joint->sums.torque_b);
    block->force = f4_make(force.x, force.y, force.z, 0.0f);
    block->torque = f4_make(torque.x, torque.y, torque.z, 0.0f);
    if (block->row_count > block->equality_count) {
        // This emits the roles and kinds of the rows, for efforts and limits.
        tni_joint_emit_bounded(block->joint, &solver->bodies.motions[block->body_a],
                               &solver->bodies.motions[block->body_b],
                               solver->joints.rows + block->first_row);
    }
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        uint32_t row = r < joint->equality_count ? r : joint->actors[r].row;
        tni_row_state *state = &solver->joints.row_states[block->first_row + row];
        state->impulse = (float)(2.0 * joint->impulse[r]);
        if (r >= joint->equality_count) {
            const tni_mechanism_actor *actor = &joint->actors[r];
            state->step_impulse = maths_to_float(
                actor->is_held ? run_get_held_impulse(solver, joint, r) : actor->sums.step_impulse);
        }
    }
}

static void run_store_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_solver *solver = context;
    for (uint32_t i = first; i < last; ++i) {
        tni_mechanism *mechanism = solver->exact.mechanisms[i];
        tni_mechanism_find_dependent(mechanism);
        mechanism->past.was_left_closed = mechanism->spans.count == 0;
        for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
            const tni_mechanism_joint *joint = &mechanism->joints[k];
            mechanism->past.was_left_closed &=
                run_store_errors(mechanism, joint, &solver->joints.blocks[joint->block]);
            if (!mechanism->traits.is_coupled) {
                run_store_joint(solver, joint);
            }
        }
        tni_mechanism_spans_store(mechanism);
    }
}

void tni_mechanisms_store(tni_solver *solver) {
    tni_tasks_run(solver->tasks, run_store_range, solver->exact.count, 1, solver);
    for (uint32_t i = 0; i < solver->exact.count && solver->ledger.has_leads; ++i) {
        tni_mechanism_measure_leads(solver, solver->exact.mechanisms[i]);
    }
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism_measure_winches(solver, solver->exact.mechanisms[i]);
    }
    tni_touches_finish(solver);
}
