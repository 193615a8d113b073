// solver/movers/span_joint.c: a joint of two bodies as a span, for bodies that are given by
// coordinates.
//
// The rows are the joint's own: J over the velocities of a and b. For a body with [v, w] = P u' and
// [v, w]' = P u'' + d (solver/movers/reduced.c) a row's six numbers J_b become n, J_b P; an impulse
// x changes u' by M^-1 (J_b P)^T x; and at u'' = 0 the row's C'' is its Jdot v and J_b d. Six
// speeds take the place of one solver body's velocity, so that sweeps treat the joint as a span
// like any other. Two bodies of one object add up in the same columns.
//
// A bounded row acts through the equalities, as in solver/joints/joint_bounded.c: with y = K^-1 J_E
// W J_b^T its impulse x takes -y x of theirs along (in solve A mass_scale y), and its response is
//     k = J_b W J_b^T - y . J_E W J_b^T
// Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course notes 1997 (hybrid models: J P and
// W of objects with coordinates of their own); those of solver/joints/joint_bounded.c.
// Test: tests/world/movers/test_reduced_joints.c
#include "solver/movers/span_joint.h"

#include <string.h>

#include "solver/movers/affine.h"
#include "solver/movers/span_row.h"

// A column below this share of its terms is the rounding of rows, which are float.
#define JOINT_LEAST_SHARE 1e-6

// ---- rows --------------------------------------------------------------------------------------

// J P of a row, and the sum of its terms without their signs.
typedef struct joint_columns {
    double sum[TN_REDUCED_MAX_FREEDOMS], size[TN_REDUCED_MAX_FREEDOMS];
} joint_columns;

static void joint_project(const tni_span_end *end, tni_dvec3 linear, tni_dvec3 angular,
                          joint_columns *columns) {
    const tni_reduced_body *body = end->seen;
    double l = dvec3_length(linear), a = dvec3_length(angular), row[TN_AFFINE_FREEDOMS];
    bool is_affine = end->reduced->affine != NULL;
    if (is_affine) {
        tni_affine_project(end->reduced, &end->point, linear, angular, row);
    }
    for (uint32_t k = 0; k < end->reduced->freedoms; ++k) {
        columns->sum[k] +=
            is_affine ? row[k]
                      : dvec3_dot(linear, body->linear[k]) + dvec3_dot(angular, body->angular[k]);
        columns->size[k] += l * end->linear_sizes[k] + a * end->angular_sizes[k];
    }
}

// Writes a row's columns. Rounding that the coordinates should not feel would hold them and is
// cleared.
static void joint_write_reduced(const tni_span *span, uint32_t row, const tni_span_end *end,
                                const joint_columns *columns) {
    float *j = tni_span_at(span, span->jacobian, row, end->entry);
    for (uint32_t k = 0; k < end->reduced->freedoms; ++k) {
        bool counts = fabs(columns->sum[k]) > JOINT_LEAST_SHARE * columns->size[k];
        j[tni_reduced_get_place(k)] = counts ? maths_to_float(columns->sum[k]) : 0.0f;
    }
}

static void joint_write_body(const tni_span *span, uint32_t row, const tni_span_end *end,
                             const vec3s *linear, const vec3s *angular) {
    float *j = tni_span_at(span, span->jacobian, row, end->entry);
    memcpy(j, linear, 3 * sizeof *j);
    memcpy(j + 4, angular, 3 * sizeof *j);
}

static void joint_respond(const tni_solver *solver, const tni_span *span, uint32_t row) {
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_span_end *end = &span->joint->ends[e];
        if (end->moves && end->reduced != NULL) {
            float *w = tni_span_at(span, span->response, row, end->entry);
            memset(w, 0, tni_reduced_count_slots(end->reduced) * 8 * sizeof *w);
            tni_reduced_respond(end->reduced, tni_span_at(span, span->jacobian, row, end->entry),
                                w);
        } else if (end->moves) {
            tni_span_respond(solver, span, row, end->entry);
        }
    }
}

static bool joint_ends_share(const tni_span_joint *joint) {
    const tni_span_end *a = &joint->ends[0], *b = &joint->ends[1];
    return a->moves && b->moves && a->reduced != NULL && a->reduced == b->reduced;
}

// Returns J d: what the bodies' columns add to C''.
static double joint_set_jacobian(const tni_span *span, uint32_t row) {
    const tni_row *given = &span->joint->rows[row];
    const vec3s linear[2] = {given->lin_a, given->lin_b}, angular[2] = {given->ang_a, given->ang_b};
    joint_columns columns = {{0.0}, {0.0}};
    bool share = joint_ends_share(span->joint);
    double drift = 0.0;
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_span_end *end = &span->joint->ends[e];
        tni_dvec3 lin = dvec3_from_float(linear[e]), ang = dvec3_from_float(angular[e]);
        if (!end->moves) {
            continue;
        }
        if (end->reduced == NULL) {
            joint_write_body(span, row, end, &linear[e], &angular[e]);
            continue;
        }
        const tni_reduced_body *body = end->seen;
        tni_dvec3 moved = end->reduced->affine != NULL ? end->point.drift : body->drift;
        drift += dvec3_dot(lin, moved) + dvec3_dot(ang, body->angular_drift);
        if (e == 1 && !share) {
            columns = (joint_columns){{0.0}, {0.0}};
        }
        joint_project(end, lin, ang, &columns);
        joint_write_reduced(span, row, end, &columns); // a shared object's last end has both
    }
    return drift;
}

// A row that is not finite does nothing.
static void joint_set_row(const tni_solver *solver, tni_span *span, uint32_t row) {
    const tni_row *given = &span->joint->rows[row];
    tni_span_row *out = &span->rows[row];
    size_t floats = (size_t)span->body_count * 8;
    float *j = tni_span_at(span, span->jacobian, row, 0);
    memset(j, 0, floats * sizeof *j);
    double drift = joint_set_jacobian(span, row);
    bool counts = given->kind == TNI_ROW_RIGID || given->kind == TNI_ROW_LIMIT;
    out->given = *given;
    out->given.velocity_term += counts ? maths_to_float(drift) : 0.0f;
    out->rate = given->kind == TNI_ROW_RIGID ? -given->target_speed : 0.0f;
    double sum = fabs((double)out->given.error) + fabs((double)out->given.velocity_term);
    for (size_t i = 0; i < floats; ++i) {
        sum += fabs((double)j[i]);
    }
    if (!(sum < (double)FLT_MAX)) { // true for a NaN
        span->is_sound = false;
        memset(j, 0, floats * sizeof *j);
        out->given.error = out->given.velocity_term = out->rate = 0.0f;
    }
    if (!tni_span_is_all_closed(span)) {
        joint_respond(solver, span, row);
    }
}

static float joint_get_prediction(const tni_solver *solver, const tni_span *span) {
    double square = 0.0;
    for (uint32_t e = 0; e < 2; ++e) {
        tni_dvec3 w = solver->bodies.motions[span->joint->ends[e].body].angular_velocity;
        square = maths_max_d(square, dvec3_dot(w, w));
    }
    return tni_span_fade_prediction(solver, maths_to_float(sqrt(square)));
}

// Returns the motion of an end, which is its point's for an affine body.
static tni_body_motion joint_look(const tni_solver *solver, tni_span_joint *joint, uint32_t e) {
    tni_span_end *end = &joint->ends[e];
    tni_body_motion motion = solver->bodies.motions[end->body];
    if (end->reduced == NULL || end->reduced->affine == NULL) {
        return motion;
    }
    const tni_dpose *frame = e == 0 ? &joint->joint->frame_a : &joint->joint->frame_b;
    end->point = tni_affine_see(end->reduced, frame->position);
    motion.position = end->point.position;
    if (end->moves) {
        motion.velocity = end->point.velocity;
    }
    return motion;
}

// Measures the columns of an end, and an affine point's without the signs of their terms.
static void joint_measure_affine(tni_span_end *end) {
    const double x[3] = {fabs(end->point.arm.x), fabs(end->point.arm.y), fabs(end->point.arm.z)};
    double length = dvec3_length(end->point.arm);
    for (uint32_t k = 0; k < TN_AFFINE_FREEDOMS; ++k) {
        double turn = k < 3 ? 0.0 : dvec3_length(end->seen->angular[k]);
        end->angular_sizes[k] = turn;
        end->linear_sizes[k] = k < 3 ? 1.0 : x[k % 3] + length * turn;
    }
}

static void joint_measure_columns(tni_span_end *end) {
    if (end->moves && end->reduced != NULL && end->reduced->affine != NULL) {
        joint_measure_affine(end);
        return;
    }
    for (uint32_t k = 0; end->moves && end->reduced != NULL && k < end->reduced->freedoms; ++k) {
        end->linear_sizes[k] = dvec3_length(end->seen->linear[k]);
        end->angular_sizes[k] = dvec3_length(end->seen->angular[k]);
    }
}

float tni_span_joint_evaluate(const tni_solver *solver, tni_span *span) {
    tni_span_joint *joint = span->joint;
    tni_body_motion a = joint_look(solver, joint, 0), b = joint_look(solver, joint, 1);
    tni_joint_emit(joint->joint, &a, &b, joint->rows);
    joint_measure_columns(&joint->ends[0]);
    joint_measure_columns(&joint->ends[1]);
    for (uint32_t r = 0; r < span->row_count; ++r) {
        joint_set_row(solver, span, r);
        if (!joint->has_begun) {
            span->rows[r].state.speed = tni_span_get_speed(solver, span, r);
        }
    }
    joint->has_begun = true;
    return joint_get_prediction(solver, span);
}

void tni_span_joint_measure(const tni_solver *solver, tni_span *span) {
    tni_span_joint *joint = span->joint;
    tni_body_motion a = joint_look(solver, joint, 0), b = joint_look(solver, joint, 1);
    double errors[TNI_JOINT_MAX_EQUALITY_ROWS];
    tni_joint_measure_exact(joint->joint, &a, &b, errors);
    for (uint32_t r = 0; r < span->equality_count; ++r) {
        tni_span_row *row = &span->rows[r];
        float error = maths_to_float(errors[r]);
        row->bias += span->softness.rate * (error - row->given.error);
        row->given.error = error;
    }
}

// ---- bounded rows ------------------------------------------------------------------------------

float tni_span_joint_answer(const tni_span *span, uint32_t row) {
    float coupling[TNI_JOINT_MAX_EQUALITY_ROWS], *y = span->joint->through[row];
    float taken = 0.0f;
    uint32_t n = span->equality_count;
    for (uint32_t e = 0; e < n; ++e) {
        coupling[e] = tni_span_get_coupling(span, e, row);
    }
    for (uint32_t e = 0; e < n; ++e) {
        y[e] = 0.0f;
        for (uint32_t i = 0; i < n; ++i) {
            y[e] += span->inverse[e * 8 + i] * coupling[i];
        }
        taken += coupling[e] * y[e];
    }
    return taken;
}

void tni_span_joint_take_back(const tni_solver *solver, tni_span *span, uint32_t row, float x,
                              bool use_bias) {
    const float *y = span->joint->through[row];
    float share = use_bias ? span->softness.mass_scale : 1.0f;
    for (uint32_t e = 0; e < span->equality_count; ++e) {
        float back = -share * x * y[e];
        span->rows[e].state.impulse += back;
        tni_span_push(solver, span, e, back);
    }
}

// Bounces as solver/joints/joint_bounded.c does, with the speed at the end of the last substep as
// the speed of arrival.
void tni_span_joint_bounce(const tni_solver *solver, tni_span *span, uint32_t row) {
    tni_span_row *limit = &span->rows[row];
    if (limit->given.kind != TNI_ROW_LIMIT || !(limit->given.restitution > 0.0f)) {
        return;
    }
    float arrival = limit->state.speed, least = -solver->settings.restitution_threshold;
    if (limit->state.impulse > 0.0f && arrival < least) {
        limit->drive[0].bias = limit->given.restitution * arrival;
    } else if (tni_span_get_speed(solver, span, row) < least) {
        limit->drive[0].mass = 0.0f;
    }
}

// ---- what they did -----------------------------------------------------------------------------

void tni_span_joint_store(const tni_solver *solver, tni_span *span) {
    tni_span_joint *joint = span->joint;
    bool ends_at_world = joint->joint->body_b == TNI_NONE;
    for (uint32_t r = 0; r < span->row_count; ++r) {
        const tni_row *given = &joint->rows[r];
        tni_row_state *state = &span->rows[r].state;
        float x = tni_row_get_whole_impulse(given, state);
        float speed = tni_span_get_speed(solver, span, r);
        joint->force = maths_vec3_add_scaled(joint->force, x, given->lin_b);
        joint->torque = ends_at_world ? maths_vec3_add_scaled(joint->torque, -x, given->ang_a)
                                      : maths_vec3_add_scaled(joint->torque, x, given->ang_b);
        if (given->role == TNI_ROLE_MOTOR) {
            joint->motor_work += (double)(0.5f * x * (state->speed + speed));
        }
        state->speed = speed;
    }
}
