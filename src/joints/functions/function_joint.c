// joints/functions/function_joint.c: the rows of a function joint of one or two bodies, from its
// graph.
//
// J of a body is the gradient of C by its pose, and Jdot v is C'' while the bodies go on without
// acceleration: see joints/functions/graph_value.c; K = -sum_k x_k d^2 C_k / dq^2: see
// joints/functions/graph_curvature.c. If there is no other body, the world bears the reaction to
// body a. Solvers treat the rows as those of a custom joint: joints/custom_joint.c.
// Test: tests/joints/functions/test_function_joint.c
#include "joints/functions/function_joint.h"

#include <string.h>

static void function_take_gradient(const tni_function *function, uint32_t number, uint32_t body,
                                   double *jacobian) {
    const double *g = tni_graph_get_gradient(function->graph, &function->values, number, body);
    for (uint32_t c = 0; c < 6 && g != NULL; ++c) {
        jacobian[c] = g[c];
    }
}

static bool function_value_is_finite(const tni_graph_value *value, const tni_exact_row *row) {
    double sum = fabs(value->value) + fabs(value->first) + fabs(value->second);
    for (uint32_t c = 0; c < 12; ++c) {
        sum += fabs(row->jacobian[c]);
    }
    return isfinite(sum);
}

// Evaluates all numbers of its graph. The joint's frames are those of the bodies, so that their
// origins relative to the centres of mass give the centres.
static void function_evaluate_graph(const tni_joint *joint, const tni_body_motion *a,
                                    const tni_body_motion *b, tni_graph_body *bodies) {
    static const tni_body_motion at_rest = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    tni_function *function = joint->def.function.apart;
    for (uint32_t k = 0; k < function->body_count; ++k) {
        bool is_a = function->bodies[k] == joint->body_a;
        const tni_dpose *frame = is_a ? &joint->frame_a : &joint->frame_b;
        tni_dvec3 center = dvec3_scale(frame->position, -1.0);
        bool is_there = function->bodies[k] != TNI_NONE;
        bodies[k] = (tni_graph_body){.motion = is_there ? (is_a ? a : b) : &at_rest,
                                     .center = is_there ? center : at_rest.position};
    }
    tni_graph_evaluate(function->graph, bodies, 0.0, &function->values);
}

// The world bears the reaction to body a, about the world's origin.
static void function_answer_at_world(tni_exact_row *row, const tni_body_motion *a) {
    row->lin_b = dvec3_scale(row->lin_a, -1.0);
    row->ang_b = dvec3_scale(dvec3_add(row->ang_a, dvec3_cross(a->position, row->lin_a)), -1.0);
}

// Evaluates the graph, then writes its rows, and their Jdot v if `terms` is not null.
bool tni_function_measure(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, uint32_t count, tni_exact_row *rows,
                          double *terms) {
    if (count == 0) {
        return true;
    }
    tni_function *function = joint->def.function.apart;
    tni_graph_body bodies[TN_GRAPH_MAX_BODIES];
    function_evaluate_graph(joint, a, b, bodies);
    bool is_finite = true;
    for (uint32_t i = 0; i < count; ++i) {
        const tni_graph_value *value = &function->values.numbers[function->numbers[i]];
        tni_exact_row *row = &rows[i];
        for (uint32_t k = 0; k < function->body_count; ++k) {
            if (function->bodies[k] != TNI_NONE) {
                bool is_a = function->bodies[k] == joint->body_a;
                function_take_gradient(function, function->numbers[i], k,
                                       row->jacobian + (is_a ? 0 : 6));
            }
        }
        if (joint->body_b == TNI_NONE) {
            function_answer_at_world(row, a);
        }
        bool is_sound = function_value_is_finite(value, row);
        row->error = value->value;
        if (!is_sound) {
            memset(row, 0, sizeof *row);
        }
        if (terms != NULL) {
            terms[i] = is_sound ? value->second : 0.0;
        }
        is_finite = is_finite && is_sound;
    }
    return is_finite;
}

// ---- curvature ---------------------------------------------------------------------------------

// Subtracts the square of one body.
static void function_take_square(const tni_function *function, uint32_t body, double (*k)[6]) {
    size_t size = (size_t)6 * function->body_count, first = (size_t)6 * body;
    for (uint32_t i = 0; i < 6; ++i) {
        for (uint32_t j = 0; j < 6; ++j) {
            k[i][j] -= function->curvature[(first + i) * size + first + j];
        }
    }
}

static bool function_is_curvature_finite(const tni_function *function) {
    size_t size = (size_t)6 * function->body_count;
    double sum = 0.0;
    for (size_t i = 0; i < size * size; ++i) {
        sum += fabs(function->curvature[i]);
    }
    return isfinite(sum);
}

void tni_function_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, const double *x,
                                tni_curvature *curvature) {
    tni_function *function = joint->def.function.apart;
    tni_graph_body bodies[TN_GRAPH_MAX_BODIES];
    function_evaluate_graph(joint, a, b, bodies);
    memset(function->adjoints, 0, function->graph->number_count * sizeof(double));
    for (uint32_t i = 0; i < function->equality_count; ++i) {
        function->adjoints[function->numbers[i]] += x[i];
    }
    tni_graph_find_curvature(function->graph, bodies, function->body_count, &function->values,
                             function->adjoints, function->curvature);
    bool is_finite = function_is_curvature_finite(function);
    for (uint32_t k = 0; k < function->body_count && is_finite; ++k) {
        if (function->bodies[k] != TNI_NONE) {
            bool is_a = function->bodies[k] == joint->body_a;
            function_take_square(function, k, is_a ? curvature->a : curvature->b);
        }
    }
}
