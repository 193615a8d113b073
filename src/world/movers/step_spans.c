// world/movers/step_spans.c: makes spans of function joints and ropes, and stores their impulses,
// forces and errors. Spans of joints with reduced bodies follow them in the list
// (world/movers/step_reduced.c).
//
// A span is active while one of its dynamic bodies is awake and none is disabled. (If only a
// kinematic body is awake, the sleeping bodies are not in the step.) Its ties are joints of the
// step, so that its bodies are gathered and belong to one island, like those of any joint.
// Test: tests/joints/functions/test_function_joint.c
#include "solver/exact/mechanism_span.h"
#include "solver/movers/span_rope.h"

#include <string.h>

#include "world/joints.h"
#include "world/step/step_internal.h"

static bool spans_is_active(const tn_world *world, const tni_function *function) {
    bool is_awake = false, is_whole = true;
    for (uint32_t i = 0; i < function->body_count; ++i) {
        if (function->bodies[i] != TNI_NONE) {
            const tni_body *body = tni_body_at(world, function->bodies[i]);
            is_awake =
                is_awake || (body->awake_index != TNI_NONE && body->type == TN_BODY_TYPE_DYNAMIC);
            is_whole = is_whole && body->is_enabled;
        }
    }
    return is_awake && is_whole;
}

// Returns the number of the object among the span's. Adds it, with its columns, if it is new.
static uint32_t spans_add_object(tni_span *span, tni_reduced *reduced) {
    for (uint32_t o = 0; o < span->object_count; ++o) {
        if (span->objects[o].reduced == reduced) {
            return o;
        }
    }
    span->objects[span->object_count] = (tni_span_object){reduced, span->body_count};
    for (uint32_t s = 0; s < tni_reduced_count_slots(reduced); ++s) {
        span->bodies[span->body_count] = reduced->first_slot + s;
        span->moves[span->body_count] = true;
        span->body_count += 1;
    }
    return span->object_count++;
}

// Finds the objects of the span's bodies that take part in the step. The others stand still.
static void spans_find_objects(const tn_world *world, tni_span *span) {
    const tni_function *function = span->function;
    for (uint32_t i = 0; i < function->body_count; ++i) {
        uint32_t body = function->bodies[i];
        tni_reduced *reduced = body != TNI_NONE ? tni_step_find_object(world, body) : NULL;
        span->member_of[i] = TNI_NONE;
        span->affine[i] =
            body != TNI_NONE ? tni_body_get_affine(world, tni_body_at(world, body)) : NULL;
        if (reduced == NULL) {
            continue;
        }
        span->moves[i] = false;
        span->member_of[i] = spans_add_object(span, reduced);
        span->members[i] = tni_reduced_find_member(reduced, body);
    }
}

static void spans_set_bodies(const tn_world *world, const tni_solver *solver, tni_span *span) {
    const tni_function *function = span->function;
    span->body_count = span->part_count = function->body_count;
    for (uint32_t i = 0; i < function->body_count; ++i) {
        uint32_t body = function->bodies[i];
        uint32_t index = body != TNI_NONE ? tni_body_at(world, body)->solver_index : 0;
        TN_ASSERT(index < solver->bodies.count);
        span->bodies[i] = index;
        span->centers[i] = tni_function_get_center(world, function, i);
        span->moves[i] = index > 0 && index <= world->awake_bodies.count &&
                         solver->bodies.masses[index].is_dynamic;
    }
    spans_find_objects(world, span);
}

// Sets the members that never change in a step. Equalities of a joint with a stiffness are springs.
static void spans_set_row(const tn_world *world, const tni_solver *solver, const tni_joint *joint,
                          tni_span *span, uint32_t r) {
    static const uint8_t kinds[] = {TNI_ROW_RIGID, TNI_ROW_LIMIT, TNI_ROW_SPEED, TNI_ROW_SPRING};
    static const uint8_t roles[] = {TNI_ROLE_JOINT, TNI_ROLE_JOINT, TNI_ROLE_MOTOR,
                                    TNI_ROLE_SPRING};
    const tn_custom_row_def *def = &span->function->rows[r];
    const tn_joint_def *base = &joint->def.base;
    bool is_soft = def->kind == TN_CUSTOM_ROW_EQUALITY && base->hertz > 0.0f;
    tni_row *row = &span->rows[r].given;
    row->kind = is_soft ? TNI_ROW_FREQUENCY : kinds[def->kind];
    row->role = is_soft ? TNI_ROLE_SPRING : roles[def->kind];
    row->is_angular = def->is_angular;
    row->group = 1;
    row->target_speed = def->target_speed;
    row->stiffness = is_soft ? base->hertz : def->stiffness;
    row->damping = is_soft ? base->damping_ratio : def->damping;
    row->max_force = is_soft ? INFINITY : tni_row_get_cap(def->max_force);
    span->rows[r].state.impulse =
        (float)step_impulse_scale(world, solver) * span->function->impulses[r];
}

// Sets the start of a rope in this step.
static bool spans_make_rope(tn_world *world, const tni_solver *solver, const tni_joint *joint,
                            tni_span *span) {
    tni_rope *own = span->function->rope;
    tni_span_rope *rope = tni_arena_alloc_zeroed(&world->arena, sizeof *rope);
    if (rope == NULL) {
        return false;
    }
    span->rope = rope;
    span->row_count = own->piece_count;
    rope->own = own;
    rope->time = solver->movers.time;
    rope->hertz = (double)joint->def.base.hertz;
    rope->damping_ratio = (double)joint->def.base.damping_ratio;
    rope->is_spring = rope->hertz > 0.0 || own->settings.axial_stiffness > 0.0f;
    rope->share = 1.0;
    double scale = step_impulse_scale(world, solver);
    for (uint32_t i = 0; i < own->piece_count; ++i) {
        own->tensions[i] *= scale;
    }
    return true;
}

bool tni_step_start_span(tn_world *world, tni_solver *solver, uint32_t joint, tni_span *span) {
    memset(span, 0, sizeof *span);
    if (tni_joint_may_break(tni_joint_at(world, joint))) {
        span->load = tni_arena_alloc_zeroed(&world->arena, sizeof *span->load);
        if (span->load == NULL) {
            return false;
        }
        span->load->joint = tni_joint_at(world, joint);
        solver->breaking.has_spans = true;
    }
    span->is_sound = true;
    span->world_joint = joint;
    span->softness = tni_softness_from_bias(&world->def.joint_bias, solver->h);
    return true;
}

bool tni_step_allocate_span(tn_world *world, tni_span *span) {
    size_t floats = tni_span_count_floats(span->row_count, span->body_count);
    span->jacobian = tni_arena_alloc_zeroed(&world->arena, floats * sizeof(float));
    span->response = span->jacobian != NULL ? span->jacobian + floats / 2 : NULL;
    return span->jacobian != NULL;
}

static bool spans_make(tn_world *world, tni_solver *solver, uint32_t index, tni_span *span) {
    const tni_joint *joint = tni_joint_at(world, index);
    tni_function *function = joint->def.function.apart;
    if (!tni_step_start_span(world, solver, index, span)) {
        return false;
    }
    span->function = function;
    span->row_count = function->row_count;
    span->equality_count = joint->def.base.hertz > 0.0f ? 0 : function->equality_count;
    spans_set_bodies(world, solver, span);
    for (uint32_t r = 0; r < span->row_count; ++r) {
        spans_set_row(world, solver, joint, span, r);
    }
    if (function->rope != NULL && !spans_make_rope(world, solver, joint, span)) {
        return false;
    }
    if (span->load != NULL) {
        tni_mechanism_spans_recall(span);
    }
    return tni_step_allocate_span(world, span);
}

// Adds spans of joints with reduced bodies, behind those of functions and ropes.
static bool spans_make_joints(tn_world *world, tni_solver *solver) {
    for (uint32_t i = 0; i < world->awake_joints.count && world->reduced_list.count > 0; ++i) {
        uint32_t index = world->awake_joints.items[i];
        if (!tni_joint_is_reduced(world, tni_joint_at(world, index))) {
            continue;
        }
        if (!tni_step_make_joint_span(world, solver, index,
                                      &solver->movers.spans[solver->movers.span_count])) {
            return false;
        }
        solver->movers.span_count += 1;
    }
    return true;
}

static bool spans_make_functions(tn_world *world, tni_solver *solver) {
    for (uint32_t i = 0; i < world->function_joints.count; ++i) {
        uint32_t index = world->function_joints.items[i];
        tni_function *function = tni_joint_at(world, index)->def.function.apart;
        function->span = TNI_NONE;
        if (!function->is_span || tni_joint_at(world, index)->is_disabled ||
            !spans_is_active(world, function)) {
            continue;
        }
        if (!spans_make(world, solver, index, &solver->movers.spans[solver->movers.span_count])) {
            return false;
        }
        function->span = solver->movers.span_count;
        solver->movers.span_count += 1;
    }
    return true;
}

bool tni_step_gather_spans(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    uint32_t most = world->function_joints.count + tni_step_count_reduced_joints(world);
    if (most == 0) {
        return true;
    }
    solver->movers.spans = tni_arena_alloc(&world->arena, most * sizeof *solver->movers.spans);
    return solver->movers.spans != NULL && spans_make_functions(world, solver) &&
           spans_make_joints(world, solver);
}

// ---- back -------------------------------------------------------------------------------------

// Returns C at the end of the step: for a closed row, the remaining error.
static double spans_get_error(const tni_span *span, uint32_t r) {
    const tni_function *function = span->function;
    bool is_closed = span->is_closed && r < span->equality_count;
    return is_closed ? (double)span->rows[r].given.error
                     : function->values.numbers[function->numbers[r]].value;
}

// Stores a function joint. The first numbers of its reaction are the greatest forces of its rows.
static void spans_store(tn_world *world, const tni_span *span, tni_joint *joint) {
    tni_function *function = span->function;
    float greatest[2] = {0.0f, 0.0f}; // by is_angular
    for (uint32_t r = 0; r < span->row_count; ++r) {
        const tni_span_row *row = &span->rows[r];
        function->impulses[r] = row->state.impulse;
        function->forces[r] = row->state.step_impulse * (float)world->inverse_dt;
        double error = spans_get_error(span, r);
        function->errors[r] = isfinite(error) ? error : 0.0;
        float *most = &greatest[row->given.is_angular ? 1 : 0];
        *most = maths_max(*most, fabsf(function->forces[r]));
    }
    joint->reaction_force = maths_vec3(greatest[0], 0.0f, 0.0f);
    joint->reaction_torque = maths_vec3(greatest[1], 0.0f, 0.0f);
}

// Returns the rope's error, m: 0 if it is slack or a spring, which holds nothing.
static double spans_get_rope_error(const tni_span_rope *rope, uint32_t last) {
    double error = rope->errors[last];
    return rope->is_spring || (!rope->own->settings.is_rigid && error < 0.0) ? 0.0 : fabs(error);
}

static void spans_store_rope(tn_world *world, const tni_solver *solver, const tni_span *span,
                             tni_joint *joint) {
    const tni_span_rope *rope = span->rope;
    tni_rope *own = rope->own;
    uint32_t last = span->row_count - 1;
    float greatest = 0.0f;
    for (uint32_t i = 0; i <= last; ++i) {
        own->forces[i] = maths_to_float(rope->step_impulses[i] * world->inverse_dt);
        greatest = maths_max(greatest, fabsf(own->forces[i]));
    }
    own->error = span->is_sound ? spans_get_rope_error(rope, last) : 0.0;
    own->elastic_energy = tni_span_rope_get_energy(solver, span);
    joint->motor_work += rope->motor_work;
    joint->motor_efforts[0] = own->settings.payout_speed != 0.0f ? own->forces[last] : 0.0f;
    joint->reaction_force = maths_vec3(greatest, 0.0f, 0.0f);
    joint->reaction_torque = maths_vec3(0.0f, 0.0f, 0.0f);
}

// Keeps the bodies of a function of time awake.
static void spans_keep_awake(const tni_step *step, const tni_span *span) {
    for (uint32_t i = 0; i < span->part_count && span->function->has_time; ++i) {
        step->is_restless[step->island_of[span->bodies[i]]] = true;
    }
}

// Returns whether the span moves this body, itself or by coordinates.
static bool spans_is_moved(const tni_span *span, uint32_t part) {
    return span->moves[part] || span->member_of[part] != TNI_NONE;
}

static void spans_store_function(tn_world *world, tni_step *step, const tni_span *span,
                                 tni_joint *joint) {
    if (span->rope != NULL) {
        spans_store_rope(world, &step->solver, span, joint);
    } else {
        spans_store(world, span, joint);
    }
    spans_keep_awake(step, span);
    tn_joint_error error = tni_function_read_error(joint);
    uint32_t body = span->bodies[0];
    for (uint32_t k = 1; k < span->part_count && !spans_is_moved(span, 0); ++k) {
        body = spans_is_moved(span, k) ? span->bodies[k] : body;
    }
    if (!span->is_broken) {
        tni_step_note_error(world, step, joint, body, body, error.linear_length,
                            error.angular_length);
    }
    step->has_broken_span = step->has_broken_span || joint->bearing.is_broken;
    world->telemetry.joints -= span->function->tie_count;
}

void tni_step_scatter_spans(tn_world *world, tni_step *step) {
    const tni_solver *solver = &step->solver;
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        const tni_span *span = &solver->movers.spans[i];
        tni_joint *joint = tni_joint_at(world, span->world_joint);
        if (span->joint != NULL) {
            tni_step_store_joint_span(world, step, span);
        } else {
            spans_store_function(world, step, span, joint);
        }
        world->telemetry.rows += span->row_count;
        if (!span->is_sound) {
            tni_world_report(world, TN_RESULT_NOT_FINITE, "tn_world_step",
                             "A row of a function joint, of a rope or of a joint with reduced "
                             "bodies was not finite.",
                             joint->handle);
        }
    }
}
