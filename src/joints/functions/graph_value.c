// joints/functions/graph_value.c: the numbers of a graph with their derivatives, by the chain rule.
//
// Symbols: q the poses of all bodies, V their velocities, t the time; f a number of the graph with
// gradient g = df/dq, f' and f'' its first and second derivative in time while the bodies go on
// with constant V (at zero acceleration). The rows of a joint with C = f have
//
//     J = g        dC/dt at rest = f' - J V        Jdot V and other terms of second order = f''
//
// A connector, r = R l the arm from the centre of mass x, w the angular velocity:
//     p = x + r       p' = v + w x r     p'' = w x (w x r)      g of p_k: e_k, then r x e_k
//     d = R l         d' = w x d         d'' = w x (w x d)      g of d_k: 0, then d x e_k
// An affine body has A in place of R: r = A X, A' X in place of w x r, and no second-order term. Of
// its six numbers those of the turn are zero: joints/functions/graph_affine.c has its gradient.
// Any other block u of numbers x_i, with first derivatives u_i and second ones u_ij:
//     f = u(x)    g = sum u_i g_i    f' = sum u_i x_i'    f'' = sum u_i x_i'' + sum u_ij x_i' x_j'
// so that a block is no more than u, u_i and u_ij. A gradient has numbers only for the bodies on
// which f depends.
// Source: A. Griewank, A. Walther, "Evaluating derivatives", 2nd ed. 2008, chapters 3 (forward
// mode), 7 (sparsity) and 13 (derivatives along a way by Taylor's series); A. Witkin, M. Gleicher,
// W. Welch, "Interactive dynamics", 1990, for blocks and connectors.
// Test: tests/joints/functions/test_graph.c
#include "joints/functions/graph.h"

#include <string.h>

// A block of one or two arguments: u and its derivatives.
typedef struct value_block {
    double value;
    double first[2], second[2][2];
} value_block;

// ---- memory ------------------------------------------------------------------------------------

size_t tni_graph_values_size(const tn_graph *graph) {
    size_t of_number = sizeof(tni_graph_value) + sizeof(double);
    return graph->number_count * of_number + graph->gradient_size * sizeof(double);
}

tni_graph_values tni_graph_values_make(const tn_graph *graph, void *memory) {
    tni_graph_values values = {.numbers = memory};
    values.inputs = (double *)(values.numbers + graph->number_count);
    values.gradients = values.inputs + graph->number_count;
    for (uint32_t i = 0; i < graph->number_count; ++i) {
        const tni_graph_number *number = &graph->numbers[i];
        values.inputs[i] = number->op == TNI_GRAPH_INPUT ? number->constant : 0.0;
    }
    return values;
}

// ---- gradients ---------------------------------------------------------------------------------

// Returns the place of a body among those of a number.
static uint32_t value_count_before(uint32_t bodies, uint32_t body) {
    uint32_t count = 0;
    for (uint32_t before = bodies & ((1u << body) - 1u); before != 0; before &= before - 1u) {
        count += 1;
    }
    return count;
}

const double *tni_graph_get_gradient(const tn_graph *graph, const tni_graph_values *values,
                                     uint32_t number, uint32_t body) {
    const tni_graph_number *record = &graph->numbers[number];
    if ((record->bodies & (1u << body)) == 0) {
        return NULL;
    }
    return values->gradients + record->gradient + 6 * value_count_before(record->bodies, body);
}

// Adds s times the gradient of one number to that of another, which has its bodies and maybe more.
static void value_add_gradient(const tn_graph *graph, const tni_graph_values *values, uint32_t to,
                               uint32_t from, double s) {
    const tni_graph_number *out = &graph->numbers[to], *in = &graph->numbers[from];
    const double *source = values->gradients + in->gradient;
    double *target = values->gradients + out->gradient;
    for (uint32_t left = out->bodies; left != 0; left &= left - 1u, target += 6) {
        if ((in->bodies & left & (~left + 1u)) == 0) {
            continue;
        }
        for (uint32_t c = 0; c < 6; ++c) {
            target[c] += s * source[c];
        }
        source += 6;
    }
}

// ---- connectors --------------------------------------------------------------------------------

// A vector of a body from its centre, its derivatives in time, and the arm by which turns move it.
typedef struct value_arm {
    tni_dvec3 value, first, second, turning;
} value_arm;

static value_arm value_make_arm(const tni_graph_body *body, tni_dvec3 local) {
    value_arm arm = {.value = {0.0, 0.0, 0.0}};
    if (body->affine != NULL) {
        arm.value = dmat3_mul_vec(&body->affine->gradient, local);
        arm.first = dmat3_mul_vec(&body->affine->rate, local);
        return arm;
    }
    tni_dvec3 w = body->motion->angular_velocity;
    arm.value = arm.turning = dquat_rotate(body->motion->rotation, local);
    arm.first = dvec3_cross(w, arm.value);
    arm.second = dvec3_cross(w, arm.first);
    return arm;
}

static void value_set_connector(const tn_graph *graph, const tni_graph_body *bodies, uint32_t first,
                                const tni_graph_values *values) {
    const tni_graph_number *number = &graph->numbers[first];
    const tni_graph_body *body = &bodies[number->body];
    const tni_body_motion *motion = body->motion;
    bool is_point = number->op == TNI_GRAPH_POINT;
    tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0);
    tni_dvec3 local = is_point ? dvec3_sub(number->local, body->center) : number->local;
    value_arm arm = value_make_arm(body, local);
    tni_dvec3 r = arm.turning, second = arm.second;
    tni_dvec3 value = dvec3_add(is_point ? motion->position : zero, arm.value);
    tni_dvec3 rate = dvec3_add(is_point ? motion->velocity : zero, arm.first);
    double e = is_point ? 1.0 : 0.0;
    const double gradients[18] = {e,    0.0, 0.0, 0.0, r.z, -r.y, 0.0, e,    0.0,
                                  -r.z, 0.0, r.x, 0.0, 0.0, e,    r.y, -r.x, 0.0};
    values->numbers[first] = (tni_graph_value){value.x, rate.x, second.x};
    values->numbers[first + 1] = (tni_graph_value){value.y, rate.y, second.y};
    values->numbers[first + 2] = (tni_graph_value){value.z, rate.z, second.z};
    if (values->gradients != NULL) {
        memcpy(values->gradients + number->gradient, gradients, sizeof gradients);
    }
}

// ---- blocks ------------------------------------------------------------------------------------

// Applies the chain rule. Row i of the second derivatives begins at second[i * stride].
static void value_chain(const tn_graph *graph, uint32_t index, const uint32_t *arguments,
                        uint32_t count, const double *first, const double *second, uint32_t stride,
                        const tni_graph_values *values) {
    const tni_graph_number *number = &graph->numbers[index];
    tni_graph_value *out = &values->numbers[index];
    if (values->gradients != NULL) {
        uint32_t size = 6 * value_count_before(number->bodies, TN_GRAPH_MAX_BODIES);
        memset(values->gradients + number->gradient, 0, size * sizeof(double));
    }
    out->first = out->second = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        const tni_graph_value *x = &values->numbers[arguments[i]];
        double bend = 0.0;
        for (uint32_t j = 0; j < count; ++j) {
            bend += second[i * stride + j] * values->numbers[arguments[j]].first;
        }
        out->first += first[i] * x->first;
        out->second += first[i] * x->second + bend * x->first;
        if (values->gradients != NULL) {
            value_add_gradient(graph, values, index, arguments[i], first[i]);
        }
    }
}

static void value_set_root(value_block *block, double a) {
    double inverse = maths_inverse_or_zero_d(a);
    double root = a > 0.0 ? sqrt(a) : 0.0;
    block->value = root;
    block->first[0] = 0.5 * root * inverse;
    block->second[0][0] = -0.5 * block->first[0] * inverse;
}

static void value_set_quotient(value_block *block, double a, double b) {
    double inverse = b < 0.0 ? -maths_inverse_or_zero_d(-b) : maths_inverse_or_zero_d(b);
    block->value = a * inverse;
    block->first[0] = inverse;
    block->first[1] = -a * inverse * inverse;
    block->second[0][1] = block->second[1][0] = -inverse * inverse;
    block->second[1][1] = 2.0 * a * inverse * inverse * inverse;
}

static void value_set_angle_of(value_block *block, double y, double x) {
    double inverse = maths_inverse_or_zero_d(x * x + y * y), square = inverse * inverse;
    block->value = tni_maths_atan2(y, x);
    block->first[0] = x * inverse;
    block->first[1] = -y * inverse;
    block->second[0][0] = -2.0 * x * y * square;
    block->second[1][1] = 2.0 * x * y * square;
    block->second[0][1] = block->second[1][0] = (y * y - x * x) * square;
}

static void value_choose(value_block *block, double a, double b, bool takes_a) {
    block->value = takes_a ? a : b;
    block->first[takes_a ? 0 : 1] = 1.0;
}

static tn_function_value value_ask_function(const tn_graph *graph, const tni_graph_number *number,
                                            const tni_graph_values *values) {
    const uint32_t *arguments = &graph->arguments[number->a];
    tn_function_value u = {0};
    double x[TN_GRAPH_MAX_ARGUMENTS];
    for (uint32_t i = 0; i < number->b; ++i) {
        x[i] = values->numbers[arguments[i]].value;
    }
    number->own.function(x, number->b, &u, number->own.user_data);
    return u;
}

static void value_set_function(const tn_graph *graph, uint32_t index,
                               const tni_graph_values *values) {
    const tni_graph_number *number = &graph->numbers[index];
    tn_function_value u = value_ask_function(graph, number, values);
    values->numbers[index].value = u.value;
    value_chain(graph, index, &graph->arguments[number->a], number->b, u.first, u.second[0],
                TN_GRAPH_MAX_ARGUMENTS, values);
}

static value_block value_make_block(const tni_graph_number *number, double a, double b) {
    value_block block = {0};
    switch ((tni_graph_op)number->op) {
    case TNI_GRAPH_SUM:
        block = (value_block){.value = a + b, .first = {1.0, 1.0}};
        break;
    case TNI_GRAPH_DIFFERENCE:
        block = (value_block){.value = a - b, .first = {1.0, -1.0}};
        break;
    case TNI_GRAPH_PRODUCT:
        block = (value_block){.value = a * b, .first = {b, a}, .second = {{0.0, 1.0}, {1.0, 0.0}}};
        break;
    case TNI_GRAPH_QUOTIENT:
        value_set_quotient(&block, a, b);
        break;
    case TNI_GRAPH_ROOT:
        value_set_root(&block, a);
        break;
    case TNI_GRAPH_SINE:
        block.value = tni_maths_sin(a);
        block.first[0] = tni_maths_cos(a);
        block.second[0][0] = -block.value;
        break;
    case TNI_GRAPH_COSINE:
        block.value = tni_maths_cos(a);
        block.first[0] = -tni_maths_sin(a);
        block.second[0][0] = -block.value;
        break;
    case TNI_GRAPH_ANGLE_OF:
        value_set_angle_of(&block, a, b);
        break;
    case TNI_GRAPH_MINIMUM:
        value_choose(&block, a, b, a <= b);
        break;
    default:
        value_choose(&block, a, b, a >= b);
        break;
    }
    return block;
}

static bool value_has_second_argument(const tni_graph_number *number) {
    return number->op != TNI_GRAPH_ROOT && number->op != TNI_GRAPH_SINE &&
           number->op != TNI_GRAPH_COSINE;
}

static void value_set_block(const tn_graph *graph, uint32_t index, const tni_graph_values *values) {
    const tni_graph_number *number = &graph->numbers[index];
    bool has_b = value_has_second_argument(number);
    const uint32_t arguments[2] = {number->a, has_b ? number->b : 0};
    double a = values->numbers[number->a].value;
    double b = has_b ? values->numbers[number->b].value : 0.0;
    value_block block = value_make_block(number, a, b);
    values->numbers[index].value = block.value;
    value_chain(graph, index, arguments, has_b ? 2 : 1, block.first, block.second[0], 2, values);
}

static void value_find_function(const tn_graph *graph, const tni_graph_values *values,
                                const tni_graph_number *number, tni_graph_block *out) {
    tn_function_value u = value_ask_function(graph, number, values);
    out->count = number->b;
    for (uint32_t i = 0; i < number->b; ++i) {
        out->arguments[i] = graph->arguments[number->a + i];
        out->first[i] = u.first[i];
        memcpy(out->second[i], u.second[i], sizeof out->second[i]);
    }
}

void tni_graph_find_block(const tn_graph *graph, const tni_graph_values *values, uint32_t index,
                          tni_graph_block *out) {
    const tni_graph_number *number = &graph->numbers[index];
    out->count = 0;
    if (number->op == TNI_GRAPH_FUNCTION) {
        value_find_function(graph, values, number, out);
    } else if (number->op >= TNI_GRAPH_SUM) {
        bool has_b = value_has_second_argument(number);
        double a = values->numbers[number->a].value;
        double b = has_b ? values->numbers[number->b].value : 0.0;
        value_block block = value_make_block(number, a, b);
        out->count = has_b ? 2 : 1;
        out->arguments[0] = number->a;
        out->arguments[1] = number->b;
        for (uint32_t i = 0; i < 2; ++i) {
            out->first[i] = block.first[i];
            out->second[i][0] = block.second[i][0];
            out->second[i][1] = block.second[i][1];
        }
    }
}

// ---- all ---------------------------------------------------------------------------------------

void tni_graph_evaluate(const tn_graph *graph, const tni_graph_body *bodies, double time,
                        const tni_graph_values *values) {
    for (uint32_t i = 0; i < graph->number_count; ++i) {
        const tni_graph_number *number = &graph->numbers[i];
        switch ((tni_graph_op)number->op) {
        case TNI_GRAPH_CONSTANT:
            values->numbers[i] = (tni_graph_value){number->constant, 0.0, 0.0};
            break;
        case TNI_GRAPH_INPUT:
            values->numbers[i] = (tni_graph_value){values->inputs[i], 0.0, 0.0};
            break;
        case TNI_GRAPH_TIME:
            values->numbers[i] = (tni_graph_value){time, 1.0, 0.0};
            break;
        case TNI_GRAPH_POINT:
        case TNI_GRAPH_DIRECTION:
            value_set_connector(graph, bodies, i, values);
            break;
        case TNI_GRAPH_FUNCTION:
            value_set_function(graph, i, values);
            break;
        case TNI_GRAPH_REST:
            break;
        default:
            value_set_block(graph, i, values);
            break;
        }
    }
}
