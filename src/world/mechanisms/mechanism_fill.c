// world/mechanisms/mechanism_fill.c: fills a step's numbers into a mechanism whose composition
// stands.
// Test: tests/world/mechanisms/test_mechanisms.c
#include <string.h>

#include "solver/exact/mechanism_span.h"
#include "solver/movers/span_ops.h"
#include "world/step/step_mechanisms.h"

// Fresh rows for more joints are not worth their memory: a hundred engines had 0.7 MB of them.
#define FILL_FRESH_JOINTS 6

// Returns whether a body is where the mechanism's last step has left it.
static bool fill_stays(const tni_body_motion *now, const tni_body_motion *left) {
    tni_dvec3 p = now->position, q = left->position;
    tni_dquat r = now->rotation, s = left->rotation;
    return p.x == q.x && p.y == q.y && p.z == q.z && r.x == s.x && r.y == s.y && r.z == s.z &&
           r.w == s.w;
}

static void fill_body(const tni_solver *solver, tni_mechanism_body *body) {
    uint32_t index = body->solver_body;
    const tni_body_mass *mass = &solver->bodies.masses[index];
    body->motion = body->middle = body->end = solver->bodies.motions[index];
    body->locks = tni_body_mass_get_locks(mass);
    body->inertia = *mass->inertia;
    body->inv_mass = mass->inv_mass;
    if (!mass->is_dynamic) {
        return;
    }
    body->mass = 1.0 / mass->inv_mass;
    body->acceleration = solver->bodies.pulls[index].acceleration;
    body->torque = mass->torque;
    body->linear_damping = (double)mass->linear_damping;
    body->angular_damping = (double)mass->angular_damping;
}

static void fill_joint(const tni_solver *solver, tni_mechanism *mechanism,
                       tni_mechanism_joint *joint) {
    const tni_joint_block *block = &solver->joints.blocks[joint->block];
    mechanism->traits.may_break = mechanism->traits.may_break || block->may_break;
    memset(joint->rest, 0, sizeof joint->rest);
    memset(&joint->sums, 0, sizeof joint->sums);
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        uint32_t row = r < joint->equality_count ? r : joint->actors[r].row;
        joint->impulse[r] = 0.5 * (double)solver->joints.row_states[block->first_row + row].impulse;
    }
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        tni_mechanism_actor *actor = &joint->actors[r];
        actor->sums = (tni_actor_sums){0.0, 0.0};
        actor->is_out = actor->kind == TNI_ACTOR_LIMIT && !(joint->impulse[r] > 0.0);
        actor->is_held = actor->is_stalled = actor->holds = false;
    }
}

// Returns how far any motor or spring of the mechanism may go in a time, m or rad.
static double fill_get_driven_way(const tni_solver *solver, const tni_mechanism_plan *plan,
                                  uint32_t group, const tni_mechanism *mechanism, double time) {
    double way = 0.0;
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        const tni_joint_block *block = &solver->joints.blocks[plan->joints[plan->first[group] + k]];
        way = maths_max_d(way, tni_actors_get_driven_way(
                                   &mechanism->joints[k], &solver->bodies.motions[block->body_a],
                                   &solver->bodies.motions[block->body_b], time));
    }
    return way;
}

// Rests the limits that are far from their ends: they have no rows in this step.
static void fill_rest_limits(const tni_solver *solver, const tni_mechanism_plan *plan,
                             uint32_t group, tni_mechanism *mechanism) {
    double time = solver->dh * solver->substeps;
    bool has_changed = false, may_rest = false;
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        tni_mechanism_joint *joint = &mechanism->joints[k];
        // The array of joints may have moved.
        joint->joint = solver->joints.blocks[plan->joints[plan->first[group] + k]].joint;
        may_rest |= tni_mechanism_limits_may_rest(joint);
    }
    if (!may_rest) {
        return;
    }
    double driven = fill_get_driven_way(solver, plan, group, mechanism, 2.0 * time);
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        tni_mechanism_joint *joint = &mechanism->joints[k];
        const tni_joint_block *block = &solver->joints.blocks[plan->joints[plan->first[group] + k]];
        if (!tni_mechanism_limits_may_rest(joint)) {
            continue;
        }
        bool pushes[TNI_JOINT_MAX_ROWS];
        for (uint32_t r = 0; r < block->row_count; ++r) {
            pushes[r] = solver->joints.row_states[block->first_row + r].impulse > 0.0f;
        }
        has_changed |=
            tni_actors_rest(joint, &solver->bodies.motions[block->body_a],
                            &solver->bodies.motions[block->body_b], pushes, time, driven);
    }
    if (has_changed) {
        tni_mechanism_lay_out(mechanism);
    }
}

// ---- spans -------------------------------------------------------------------------------------

// Returns the span of the kth joint of a mechanism, or null.
static tni_span *fill_find_span(const tni_solver *solver, const tni_mechanism_plan *plan,
                                uint32_t group, uint32_t k) {
    const tni_joint_block *block = &solver->joints.blocks[plan->joints[plan->first[group] + k]];
    const tni_function *function = tni_mechanism_get_function(block->joint);
    return function != NULL ? &solver->movers.spans[function->span] : NULL;
}

// Returns the number of a span's rows: one for a rope, whose pieces all pull alike.
static uint32_t fill_count_rows(const tni_span *span) {
    return span->rope != NULL ? 1 : span->row_count;
}

static void fill_span(const tni_mechanism_plan *plan, tni_span *from, tni_mechanism_span *span) {
    span->span = from;
    span->row_count = fill_count_rows(from);
    for (uint32_t i = 0; i < from->body_count; ++i) {
        bool is_world = from->function->bodies[i] == TNI_NONE;
        span->bodies[i] = is_world ? TNI_NONE : plan->local_of[from->bodies[i]];
    }
    for (uint32_t r = 0; r < span->row_count; ++r) {
        tni_mechanism_span_row *row = &span->rows[r];
        row->is_limit = from->rope != NULL ? !from->rope->own->settings.is_rigid
                                           : from->rows[r].given.kind == TNI_ROW_LIMIT;
        row->impulse = from->rope != NULL ? 0.5 * from->rope->own->tensions[0]
                                          : 0.5 * (double)from->rows[r].state.impulse;
        row->is_out = row->is_limit && !(row->impulse > 0.0);
    }
}

// Counts the spans, and the numbers of J and K.
static void fill_count_spans(const tni_solver *solver, const tni_mechanism_plan *plan,
                             uint32_t group, tni_mechanism *mechanism, size_t *out_numbers,
                             size_t *out_room) {
    mechanism->spans.count = mechanism->spans.row_count = 0;
    mechanism->spans.ops =
        solver->movers.span_ops != NULL ? solver->movers.span_ops->in_mechanism : NULL;
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        const tni_span *span = fill_find_span(solver, plan, group, k);
        if (span != NULL) {
            size_t room = tni_mechanism_span_count_room(span);
            mechanism->spans.count += 1;
            mechanism->spans.row_count += fill_count_rows(span);
            *out_numbers += (size_t)6 * fill_count_rows(span) * span->body_count;
            *out_room = room > *out_room ? room : *out_room;
        }
    }
}

static bool fill_spans(tni_arena *arena, const tni_solver *solver, const tni_mechanism_plan *plan,
                       uint32_t group, tni_mechanism *mechanism) {
    size_t numbers = 0, room = 0;
    fill_count_spans(solver, plan, group, mechanism, &numbers, &room);
    if (mechanism->spans.count == 0) {
        return true;
    }
    size_t border = tni_mechanism_border_count(mechanism);
    mechanism->spans.spans =
        tni_arena_alloc_zeroed(arena, mechanism->spans.count * sizeof *mechanism->spans.spans);
    mechanism->spans.rows =
        tni_arena_alloc_zeroed(arena, mechanism->spans.row_count * sizeof *mechanism->spans.rows);
    mechanism->spans.border = tni_arena_alloc(arena, (border + room + numbers) * sizeof(double));
    if (mechanism->spans.spans == NULL || mechanism->spans.rows == NULL ||
        mechanism->spans.border == NULL) {
        return false;
    }
    mechanism->spans.room = mechanism->spans.border + border;
    double *jacobian = mechanism->spans.room + room;
    tni_mechanism_span *span = mechanism->spans.spans;
    tni_mechanism_span_row *rows = mechanism->spans.rows;
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        tni_span *from = fill_find_span(solver, plan, group, k);
        if (from != NULL) {
            span->rows = rows;
            span->jacobian = jacobian;
            if (from->rope != NULL) {
                span->shape = tni_arena_alloc(arena, sizeof *span->shape);
            }
            if (from->rope != NULL && span->shape == NULL) {
                return false;
            }
            fill_span(plan, from, span++);
            rows += fill_count_rows(from);
            jacobian += (size_t)6 * fill_count_rows(from) * from->body_count;
        }
    }
    return true;
}

// ---- all ---------------------------------------------------------------------------------------

// Fills the numbers. If `is_kept` only the bodies' places and motions are new.
static void fill_numbers(const tni_solver *solver, tni_mechanism *mechanism, bool is_kept) {
    memset(&mechanism->report, 0, sizeof mechanism->report);
    mechanism->solve_ms = 0.0;
    mechanism->report.dependent_joint = TNI_NONE;
    mechanism->past.integrator = TN_INTEGRATOR_AUTO;
    mechanism->past.is_fresh = true;
    mechanism->stage.restitution_threshold = (double)solver->settings.restitution_threshold;
    mechanism->stage.is_open = mechanism->stage.is_resting = false;
    mechanism->stage.debt = maths_max_d(mechanism->stage.debt, 0.0);
    mechanism->matrix.has_scales = mechanism->matrix.has_factor = false;
    mechanism->matrix.is_factored = mechanism->matrix.is_stuck = false;
    mechanism->traits.is_contradictory = mechanism->traits.may_break = false;
    mechanism->past.is_closed = is_kept && mechanism->past.was_left_closed;
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        mechanism->past.is_closed =
            mechanism->past.is_closed &&
            fill_stays(&solver->bodies.motions[body->solver_body], &body->motion);
        fill_body(solver, body);
    }
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        fill_joint(solver, mechanism, &mechanism->joints[k]);
    }
}

void tni_mechanism_refill(const tni_solver *solver, tni_mechanism *mechanism) {
    fill_numbers(solver, mechanism, true);
}

bool tni_mechanism_fill(tn_world *world, const tni_solver *solver, const tni_mechanism_plan *plan,
                        uint32_t group, const tni_mechanism_cast *cast,
                        tni_mechanism_record *record) {
    tni_mechanism *mechanism = &record->mechanism;
    const tni_block_pattern *pattern = &mechanism->matrix.pattern;
    tni_arena *arena = &world->joint_arena;
    fill_rest_limits(solver, plan, group, mechanism);
    mechanism->matrix.values = tni_arena_alloc(arena, pattern->value_count * sizeof(double));
    mechanism->matrix.scratch = tni_arena_alloc(arena, pattern->scratch_count * sizeof(double));
    mechanism->matrix.scales = tni_arena_alloc(arena, pattern->unknown_count * sizeof(double));
    mechanism->matrix.unknowns = tni_arena_alloc(arena, pattern->unknown_count * sizeof(double));
    mechanism->matrix.kept =
        tni_arena_alloc(arena, tni_mechanism_secant_count(mechanism) * sizeof(double));
    if (mechanism->matrix.values == NULL || mechanism->matrix.scratch == NULL ||
        mechanism->matrix.scales == NULL || mechanism->matrix.unknowns == NULL ||
        mechanism->matrix.kept == NULL) {
        return false;
    }
    if (!fill_spans(arena, solver, plan, group, mechanism)) {
        return false;
    }
    mechanism->matrix.fresh_rows = NULL;
    if (mechanism->joint_count <= FILL_FRESH_JOINTS) {
        mechanism->matrix.fresh_rows =
            tni_arena_alloc(arena, pattern->unknown_count * sizeof(tni_exact_row));
        if (mechanism->matrix.fresh_rows == NULL) {
            return false;
        }
    }
    for (uint32_t i = 0; i < cast->count; ++i) {
        mechanism->bodies[i].solver_body = cast->bodies[i];
    }
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        mechanism->joints[k].block = plan->joints[plan->first[group] + k];
    }
    fill_numbers(solver, mechanism, false);
    return true;
}
