// world/movers/step_reduced.c: gathers reduced objects and the joints of their bodies for a step.
//
// An object takes part while all its bodies are awake and enabled; otherwise they stand still. To
// the solver its bodies move and do not give way, and its speeds are those of solver bodies of
// their own, behind all others. A joint with such a body has a block without rows, which ties its
// bodies as any joint does, and a span with its rows (solver/movers/span_joint.h). If few joints
// between rigid bodies hang on such a joint, they are spans too, so that one matrix has all of them
// (solver/movers/closing.h).
// Test: tests/world/movers/test_reduced.c, tests/world/movers/test_reduced_joints.c
#include <string.h>

#include "core/union_find.h"
#include "solver/bodies/integrate.h"
#include "solver/movers/span_joint.h"
#include "solver/step/breaking.h"
#include "world/joints.h"
#include "world/step/joint_reaction.h"
#include "world/step/step_mechanisms.h"

// At most this many joints between rigid bodies are solved with those of reduced ones. More are
// left to their mechanism.
#define REDUCED_MOST_ADOPTED 64

// ---- objects -----------------------------------------------------------------------------------

static bool reduced_is_active(const tn_world *world, const tni_reduced *reduced) {
    bool is_active = true;
    for (uint32_t i = 0; i < reduced->body_count; ++i) {
        const tni_body *body = tni_body_at(world, reduced->bodies[i].world_body);
        is_active = is_active && body->is_enabled && body->awake_index != TNI_NONE;
    }
    return is_active;
}

size_t tni_step_count_reduced_slots(const tn_world *world) {
    size_t count = 0;
    for (uint32_t i = 0; i < world->reduced_list.count; ++i) {
        count += tni_reduced_count_slots(tni_reduced_at(world, world->reduced_list.items[i]));
    }
    return count;
}

// Makes the solver's other passes leave a body alone.
static void reduced_take_body(tni_solver *solver, uint32_t i) {
    solver->bodies.states[i] = (tni_body_state){.unused = 0.0f};
    solver->bodies.kinds[i] = TNI_BATCH_NONE;
    solver->bodies.is_free[i] = false;
    solver->bodies.is_exact[i] = true;
}

static void reduced_take_bodies(tn_world *world, tni_step *step, tni_reduced *reduced) {
    tni_solver *solver = &step->solver;
    reduced->has_damping = false;
    memset(reduced->drag, 0, sizeof reduced->drag);
    for (uint32_t b = 0; b < reduced->body_count; ++b) {
        tni_reduced_body *own = &reduced->bodies[b];
        const tni_body *body = tni_body_at(world, own->world_body);
        if (body->awake_index == TNI_NONE) {
            continue;
        }
        uint32_t i = body->solver_index;
        tni_body_mass *mass = &solver->bodies.masses[i];
        reduced_take_body(solver, i);
        own->body = i;
        own->mass = maths_inverse_or_zero_d(mass->inv_mass);
        own->inertia = mass->inertia;
        own->center = body->local_center;
        own->linear_damping = (double)mass->linear_damping;
        own->angular_damping = (double)mass->angular_damping;
        reduced->has_damping = reduced->has_damping || mass->has_damping;
        reduced->stops = mass->stops;
        if (!reduced->is_active) {
            mass->is_dynamic = false;
            solver->bodies.motions[i].velocity = dvec3_make(0.0, 0.0, 0.0);
            solver->bodies.motions[i].angular_velocity = dvec3_make(0.0, 0.0, 0.0);
        }
    }
}

static void reduced_add_slots(tni_step *step, tni_reduced *reduced) {
    tni_solver *solver = &step->solver;
    reduced->first_slot = solver->bodies.count;
    for (uint32_t s = 0; s < tni_reduced_count_slots(reduced); ++s) {
        uint32_t i = solver->bodies.count++;
        step->body_of[i] = TNI_NONE;
        solver->bodies.motions[i] = (tni_body_motion){.rotation = dquat_identity()};
        solver->bodies.masses[i] = (tni_body_mass){.inertia = &step->infinite_inertia};
        reduced_take_body(solver, i);
    }
}

bool tni_step_gather_reduced(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    uint32_t count = world->reduced_list.count;
    if (count == 0) {
        return true;
    }
    solver->movers.reduced = tni_arena_alloc(&world->arena, count * sizeof(tni_reduced *));
    if (solver->movers.reduced == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        tni_reduced *reduced = tni_reduced_at(world, world->reduced_list.items[i]);
        reduced->is_active = reduced_is_active(world, reduced);
        reduced_take_bodies(world, step, reduced);
        memcpy(reduced->start_coordinates, reduced->coordinates, sizeof reduced->coordinates);
        memcpy(reduced->start_speeds, reduced->speeds, sizeof reduced->speeds);
        if (reduced->is_active) {
            reduced_add_slots(step, reduced);
            solver->movers.reduced[solver->movers.reduced_count++] = reduced;
        }
    }
    return true;
}

void tni_step_join_reduced(const tni_solver *solver, uint32_t *parents) {
    for (uint32_t i = 0; i < solver->movers.reduced_count; ++i) {
        const tni_reduced *reduced = solver->movers.reduced[i];
        for (uint32_t b = 1; b < reduced->body_count; ++b) {
            union_find_join(parents, reduced->bodies[0].body, reduced->bodies[b].body);
        }
    }
}

void tni_step_scatter_reduced(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    for (uint32_t i = 0; i < solver->movers.reduced_count; ++i) {
        tni_reduced *reduced = solver->movers.reduced[i];
        if (!reduced->is_sound && !reduced->is_told) {
            reduced->is_told = true;
            tni_world_report(world, TN_RESULT_NOT_FINITE, "tn_world_step",
                             "A reduced object came to numbers that are not finite: it stands "
                             "still.",
                             reduced->handle);
        }
    }
}

// ---- joints ------------------------------------------------------------------------------------

tni_reduced *tni_step_find_object(const tn_world *world, uint32_t body) {
    uint32_t object = tni_body_at(world, body)->reduced;
    tni_reduced *reduced = object != TNI_NONE ? tni_reduced_at(world, object) : NULL;
    return reduced != NULL && reduced->is_active ? reduced : NULL;
}

static bool reduced_is(const tn_world *world, uint32_t body) {
    return body != TNI_NONE && tni_body_at(world, body)->reduced != TNI_NONE;
}

static bool reduced_has_end(const tn_world *world, const tni_joint *joint) {
    return !tni_joint_has_span(joint) &&
           (reduced_is(world, joint->body_a) || reduced_is(world, joint->body_b));
}

bool tni_joint_is_reduced(const tn_world *world, const tni_joint *joint) {
    return world->reduced_list.count > 0 &&
           (joint->goes_with_reduced || reduced_has_end(world, joint));
}

// The families, by awake body: bodies that joints tie together if they may be solved with others.
typedef struct reduced_families {
    uint32_t *parents;
    uint32_t *counts; // by root: joints between rigid bodies
    bool *has_reduced;
} reduced_families;

// Returns the body's place among the awake ones if it gives way; else TNI_NONE.
static uint32_t reduced_get_member(const tn_world *world, uint32_t body) {
    const tni_body *record = body != TNI_NONE ? tni_body_at(world, body) : NULL;
    bool gives_way = record != NULL && record->type == TN_BODY_TYPE_DYNAMIC;
    return gives_way ? record->awake_index : TNI_NONE;
}

// Returns the family of a joint that may be in one; else TNI_NONE.
static uint32_t reduced_get_family(const tn_world *world, const reduced_families *families,
                                   const tni_joint *joint) {
    uint32_t a = reduced_get_member(world, joint->body_a);
    uint32_t b = reduced_get_member(world, joint->body_b);
    uint32_t any = a != TNI_NONE ? a : b;
    bool may = any != TNI_NONE && !tni_joint_has_span(joint) &&
               tni_mechanism_get_solver(world, joint) != TN_SOLVER_PGS;
    return may ? union_find_root(families->parents, any) : TNI_NONE;
}

static bool reduced_allocate_families(tn_world *world, reduced_families *families) {
    uint32_t n = world->awake_bodies.count;
    families->parents = tni_arena_alloc_zeroed(&world->arena, 2 * (size_t)n * sizeof(uint32_t));
    families->has_reduced = tni_arena_alloc_zeroed(&world->arena, n * sizeof(bool));
    if (families->parents == NULL || families->has_reduced == NULL) {
        return n == 0;
    }
    families->counts = families->parents + n;
    for (uint32_t i = 0; i < n; ++i) {
        families->parents[i] = i;
    }
    return true;
}

static void reduced_join_families(const tn_world *world, const reduced_families *families) {
    for (uint32_t i = 0; i < world->awake_joints.count; ++i) {
        const tni_joint *joint = tni_joint_at(world, world->awake_joints.items[i]);
        uint32_t a = reduced_get_member(world, joint->body_a);
        uint32_t b = reduced_get_member(world, joint->body_b);
        if (a != TNI_NONE && b != TNI_NONE &&
            reduced_get_family(world, families, joint) != TNI_NONE) {
            union_find_join(families->parents, a, b);
        }
    }
    for (uint32_t i = 0; i < world->awake_joints.count; ++i) {
        const tni_joint *joint = tni_joint_at(world, world->awake_joints.items[i]);
        uint32_t family = reduced_get_family(world, families, joint);
        if (family != TNI_NONE && reduced_has_end(world, joint)) {
            families->has_reduced[family] = true;
        } else if (family != TNI_NONE) {
            families->counts[family] += 1;
        }
    }
}

bool tni_step_adopt_joints(tn_world *world) {
    reduced_families families;
    if (world->reduced_list.count == 0 && !world->has_adopted) {
        return true;
    }
    if (!reduced_allocate_families(world, &families)) {
        return false;
    }
    reduced_join_families(world, &families);
    world->has_adopted = false;
    for (uint32_t i = 0; i < world->awake_joints.count; ++i) {
        tni_joint *joint = tni_joint_at(world, world->awake_joints.items[i]);
        uint32_t family = reduced_get_family(world, &families, joint);
        joint->goes_with_reduced = family != TNI_NONE && families.has_reduced[family] &&
                                   families.counts[family] <= REDUCED_MOST_ADOPTED &&
                                   !reduced_has_end(world, joint);
        world->has_adopted = world->has_adopted || joint->goes_with_reduced;
    }
    return true;
}

uint32_t tni_step_count_reduced_joints(const tn_world *world) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->awake_joints.count && world->reduced_list.count > 0; ++i) {
        count += tni_joint_is_reduced(world, tni_joint_at(world, world->awake_joints.items[i]));
    }
    return count;
}

static void reduced_add_entry(tni_span *span, uint32_t body) {
    span->bodies[span->body_count] = body;
    span->moves[span->body_count] = true;
    span->body_count += 1;
}

static void reduced_set_reduced_end(tn_world *world, tni_span *span, uint32_t body,
                                    tni_span_end *end) {
    tni_reduced *reduced = tni_reduced_at(world, tni_body_at(world, body)->reduced);
    end->reduced = reduced;
    end->moves = reduced->is_active;
    end->seen = &reduced->bodies[tni_reduced_find_member(reduced, body)];
    const tni_span_end *first = &span->joint->ends[0];
    if (end != first && first->moves && first->reduced == reduced) {
        end->entry = first->entry;
        return;
    }
    for (uint32_t s = 0; end->moves && s < tni_reduced_count_slots(reduced); ++s) {
        reduced_add_entry(span, reduced->first_slot + s);
    }
}

static void reduced_set_end(tn_world *world, const tni_solver *solver, tni_span *span,
                            uint32_t body, tni_span_end *end) {
    end->body = body != TNI_NONE ? tni_body_at(world, body)->solver_index : 0;
    end->entry = span->body_count;
    if (reduced_is(world, body)) {
        reduced_set_reduced_end(world, span, body, end);
        return;
    }
    end->moves = end->body > 0 && end->body <= world->awake_bodies.count &&
                 solver->bodies.masses[end->body].is_dynamic;
    if (end->moves) {
        reduced_add_entry(span, end->body);
    }
}

bool tni_step_make_joint_span(tn_world *world, tni_solver *solver, uint32_t index, tni_span *span) {
    tni_joint *joint = tni_joint_at(world, index);
    if (!tni_step_start_span(world, solver, index, span)) {
        return false;
    }
    span->joint = tni_arena_alloc_zeroed(&world->arena, sizeof *span->joint);
    if (span->joint == NULL) {
        return false;
    }
    span->row_count = joint->rows.rows;
    span->equality_count = joint->rows.equalities;
    span->joint->joint = joint;
    reduced_set_end(world, solver, span, joint->body_a, &span->joint->ends[0]);
    reduced_set_end(world, solver, span, joint->body_b, &span->joint->ends[1]);
    float scale = (float)step_impulse_scale(world, solver);
    for (uint32_t r = 0; r < span->row_count; ++r) {
        span->rows[r].state.impulse = scale * joint->impulses[r];
    }
    return tni_step_allocate_span(world, span);
}

// ---- back --------------------------------------------------------------------------------------

// Sums the motors' impulses over the step.
static void reduced_sum_efforts(const tni_span *span, float inverse_dt, float *out_efforts) {
    tni_effort_sum sum;
    tni_effort_sum_begin(&sum, span->joint->joint);
    for (uint32_t r = span->equality_count; r < span->row_count; ++r) {
        const tni_span_row *row = &span->rows[r];
        tni_effort_sum_add(&sum, &row->given, row->state.step_impulse);
    }
    tni_effort_sum_end(&sum, inverse_dt, out_efforts);
}

// Measures the lengths of its rows' errors: m, rad.
static void reduced_measure_errors(const tni_span *span, double out_lengths[2]) {
    double squares[2] = {0.0, 0.0}; // by is_angular
    for (uint32_t r = 0; r < span->row_count; ++r) {
        const tni_row *row = &span->rows[r].given;
        double error = (double)row->error;
        bool counts = r < span->equality_count || (row->kind == TNI_ROW_LIMIT && row->error < 0.0f);
        squares[row->is_angular ? 1 : 0] += counts ? error * error : 0.0;
    }
    out_lengths[0] = sqrt(squares[0]);
    out_lengths[1] = sqrt(squares[1]);
}

void tni_step_store_joint_span(tn_world *world, tni_step *step, const tni_span *span) {
    const tni_solver *solver = &step->solver;
    tni_joint *joint = span->joint->joint;
    float inverse_dt = (float)world->inverse_dt;
    for (uint32_t r = 0; r < span->row_count; ++r) {
        joint->impulses[r] = span->rows[r].state.impulse;
    }
    tni_joint_set_reaction(joint, &solver->bodies.motions[span->joint->ends[0].body],
                           &solver->bodies.motions[span->joint->ends[1].body], span->joint->force,
                           span->joint->torque, inverse_dt);
    joint->motor_work += span->joint->motor_work;
    reduced_sum_efforts(span, inverse_dt, joint->motor_efforts);
    step->has_broken_span = step->has_broken_span || joint->bearing.is_broken;
    double errors[2];
    reduced_measure_errors(span, errors);
    if (!span->is_broken) {
        tni_step_note_error(world, step, joint, span->joint->ends[0].body,
                            span->joint->ends[1].body, errors[0], errors[1]);
    }
}
