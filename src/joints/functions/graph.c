// joints/functions/graph.c: building functions of bodies, block by block.
//
// A caller sees nodes; each is one number, or three that follow each other. Blocks that consist of
// others (norms, areas, volumes) are built of these, so that graph_value.c knows few.
// Test: tests/joints/functions/test_graph.c
#include "joints/functions/graph.h"

#include <string.h>

static const tn_node graph_null = {0};

// ---- the object --------------------------------------------------------------------------------

tn_graph *tn_graph_create(tn_alloc_fn alloc, tn_free_fn free, void *user_data) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, alloc, free, user_data);
    tn_graph *graph = tni_alloc_zeroed(&allocator, sizeof *graph);
    if (graph != NULL) {
        graph->allocator = allocator;
    }
    return graph;
}

static void graph_free_lists(tn_graph *graph, tni_allocator *allocator) {
    tni_free(allocator, graph->numbers, graph->number_capacity * sizeof *graph->numbers);
    tni_free(allocator, graph->nodes, graph->node_capacity * sizeof *graph->nodes);
    tni_free(allocator, graph->arguments, graph->argument_capacity * sizeof *graph->arguments);
}

void tn_graph_destroy(tn_graph *graph) {
    if (graph != NULL) {
        tni_allocator allocator = graph->allocator;
        tni_graph_free(graph, &allocator);
    }
}

void tni_graph_free(tn_graph *graph, tni_allocator *allocator) {
    if (graph != NULL) {
        graph_free_lists(graph, allocator);
        tni_free(allocator, graph, sizeof *graph);
    }
}

// Returns a copy of the list, or null if it is empty or there is no memory.
static void *graph_copy_list(const void *list, size_t size, tni_allocator *allocator) {
    void *copy = tni_alloc(allocator, size);
    if (copy != NULL) {
        memcpy(copy, list, size);
    }
    return copy;
}

tn_graph *tni_graph_copy(const tn_graph *graph, tni_allocator *allocator) {
    tn_graph *copy = tni_alloc(allocator, sizeof *copy);
    if (copy == NULL) {
        return NULL;
    }
    *copy = *graph;
    copy->number_capacity = graph->number_count;
    copy->node_capacity = graph->node_count;
    copy->argument_capacity = graph->argument_count;
    copy->numbers =
        graph_copy_list(graph->numbers, graph->number_count * sizeof *graph->numbers, allocator);
    copy->nodes =
        graph_copy_list(graph->nodes, graph->node_count * sizeof *graph->nodes, allocator);
    copy->arguments = graph_copy_list(graph->arguments,
                                      graph->argument_count * sizeof *graph->arguments, allocator);
    bool is_whole = (copy->numbers != NULL || graph->number_count == 0) &&
                    (copy->nodes != NULL || graph->node_count == 0) &&
                    (copy->arguments != NULL || graph->argument_count == 0);
    if (!is_whole) {
        tni_graph_free(copy, allocator);
        copy = NULL;
    }
    return copy;
}

tn_result tn_graph_get_result(const tn_graph *graph) {
    return graph != NULL ? graph->result : TN_RESULT_INVALID_ARGUMENT;
}

uint32_t tn_graph_get_width(const tn_graph *graph, tn_node node) {
    return graph != NULL && tni_graph_has(graph, node) ? graph->nodes[node.value - 1].width : 0;
}

// ---- refusals ----------------------------------------------------------------------------------

static tn_node graph_refuse(tn_graph *graph, tn_result result) {
    if (graph != NULL && graph->result == TN_RESULT_OK) {
        graph->result = result;
    }
    return graph_null;
}

// Returns whether the node may stand in place of `width` numbers.
static bool graph_takes(tn_graph *graph, tn_node node, uint32_t width) {
    if (tn_graph_get_width(graph, node) != width) {
        graph_refuse(graph, TN_RESULT_INVALID_ARGUMENT);
        return false;
    }
    return true;
}

// ---- growth ------------------------------------------------------------------------------------

static bool graph_reserve(tn_graph *graph, uint32_t numbers) {
    if (graph->number_count + numbers > TN_GRAPH_MAX_NUMBERS) {
        graph_refuse(graph, TN_RESULT_TOO_LARGE);
        return false;
    }
    void *grown = graph->numbers;
    if (graph->number_count + numbers > graph->number_capacity) {
        grown = tni_array_grow(&graph->allocator, graph->numbers, graph->number_count,
                               &graph->number_capacity, graph->number_count + numbers,
                               sizeof *graph->numbers);
        graph->numbers = grown != NULL ? grown : graph->numbers;
    }
    void *nodes = graph->nodes;
    if (grown != NULL && graph->node_count + 1 > graph->node_capacity) {
        nodes = tni_array_grow(&graph->allocator, graph->nodes, graph->node_count,
                               &graph->node_capacity, graph->node_count + 1, sizeof *graph->nodes);
        graph->nodes = nodes != NULL ? nodes : graph->nodes;
    }
    bool is_there = grown != NULL && nodes != NULL;
    if (!is_there) {
        graph_refuse(graph, TN_RESULT_OUT_OF_MEMORY);
    }
    return is_there;
}

static uint32_t graph_count_bits(uint32_t bits) {
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1u) {
        count += 1;
    }
    return count;
}

// Adds a number. There must be room for it.
static uint32_t graph_push(tn_graph *graph, tni_graph_number number) {
    number.gradient = graph->gradient_size;
    graph->gradient_size += 6 * graph_count_bits(number.bodies);
    graph->bodies |= number.bodies;
    graph->numbers[graph->number_count] = number;
    return graph->number_count++;
}

static tn_node graph_name(tn_graph *graph, uint32_t first, uint32_t width) {
    graph->nodes[graph->node_count++] = (tni_graph_node){first, width};
    return (tn_node){graph->node_count};
}

static uint32_t graph_get_number(const tn_graph *graph, tn_node node, uint32_t axis) {
    const tni_graph_node *record = &graph->nodes[node.value - 1];
    return record->first + (record->width > 1 ? axis : 0);
}

// Adds one block for each of `width` numbers of a and b, which may be one number for all; `b` may
// be null. Both are nodes of the graph.
static tn_node graph_add_each(tn_graph *graph, tni_graph_op op, tn_node a, tn_node b,
                              uint32_t width) {
    if (!graph_reserve(graph, width)) {
        return graph_null;
    }
    uint32_t first = graph->number_count;
    for (uint32_t axis = 0; axis < width; ++axis) {
        tni_graph_number number = {.op = (uint8_t)op, .a = graph_get_number(graph, a, axis)};
        number.b = b.value != 0 ? graph_get_number(graph, b, axis) : number.a;
        number.bodies =
            (uint16_t)(graph->numbers[number.a].bodies | graph->numbers[number.b].bodies);
        graph_push(graph, number);
    }
    return graph_name(graph, first, width);
}

static tn_node graph_add_unary(tn_graph *graph, tni_graph_op op, tn_node a) {
    return graph_takes(graph, a, 1) ? graph_add_each(graph, op, a, graph_null, 1) : graph_null;
}

static tn_node graph_add_binary(tn_graph *graph, tni_graph_op op, tn_node a, tn_node b) {
    return graph_takes(graph, a, 1) && graph_takes(graph, b, 1) ? graph_add_each(graph, op, a, b, 1)
                                                                : graph_null;
}

// Adds a block of two numbers or two vectors.
static tn_node graph_add_like(tn_graph *graph, tni_graph_op op, tn_node a, tn_node b) {
    uint32_t width = tn_graph_get_width(graph, a);
    return width > 0 && graph_takes(graph, b, width)
               ? graph_add_each(graph, op, a, b, width)
               : graph_refuse(graph, TN_RESULT_INVALID_ARGUMENT);
}

// ---- connectors --------------------------------------------------------------------------------

static tn_node graph_add_connector(tn_graph *graph, tni_graph_op op, uint32_t body, tn_vec3 local) {
    tni_dvec3 own = dvec3_make(local.x, local.y, local.z);
    if (graph == NULL || body >= TN_GRAPH_MAX_BODIES) {
        return graph_refuse(graph, TN_RESULT_INVALID_ARGUMENT);
    }
    if (!dvec3_is_finite(own)) {
        return graph_refuse(graph, TN_RESULT_NOT_FINITE);
    }
    if (!graph_reserve(graph, 3)) {
        return graph_null;
    }
    tni_graph_number number = {.op = (uint8_t)op, .body = (uint8_t)body, .local = own};
    number.bodies = (uint16_t)(1u << body);
    uint32_t first = graph_push(graph, number);
    number.op = TNI_GRAPH_REST;
    graph_push(graph, number);
    graph_push(graph, number);
    return graph_name(graph, first, 3);
}

tn_node tn_graph_add_point(tn_graph *graph, uint32_t body, tn_vec3 local_point) {
    return graph_add_connector(graph, TNI_GRAPH_POINT, body, local_point);
}

tn_node tn_graph_add_direction(tn_graph *graph, uint32_t body, tn_vec3 local_direction) {
    return graph_add_connector(graph, TNI_GRAPH_DIRECTION, body, local_direction);
}

static tn_node graph_add_source(tn_graph *graph, tni_graph_op op, double number) {
    if (graph == NULL || !isfinite(number)) {
        return graph_refuse(graph, TN_RESULT_NOT_FINITE);
    }
    if (!graph_reserve(graph, 1)) {
        return graph_null;
    }
    tni_graph_number record = {.op = (uint8_t)op, .constant = number};
    return graph_name(graph, graph_push(graph, record), 1);
}

tn_node tn_graph_add_time(tn_graph *graph) {
    return graph_add_source(graph, TNI_GRAPH_TIME, 0.0);
}

tn_node tn_graph_add_number(tn_graph *graph, double number) {
    return graph_add_source(graph, TNI_GRAPH_CONSTANT, number);
}

tn_node tn_graph_add_input(tn_graph *graph, double number) {
    return graph_add_source(graph, TNI_GRAPH_INPUT, number);
}

tn_node tn_graph_add_vector(tn_graph *graph, tn_vec3 vector) {
    tn_node x = tn_graph_add_number(graph, vector.x);
    tn_node y = tn_graph_add_number(graph, vector.y);
    return tn_graph_add_vector_of(graph, x, y, tn_graph_add_number(graph, vector.z));
}

// ---- arithmetic --------------------------------------------------------------------------------

tn_node tn_graph_add_sum(tn_graph *graph, tn_node a, tn_node b) {
    return graph_add_like(graph, TNI_GRAPH_SUM, a, b);
}

tn_node tn_graph_add_difference(tn_graph *graph, tn_node a, tn_node b) {
    return graph_add_like(graph, TNI_GRAPH_DIFFERENCE, a, b);
}

tn_node tn_graph_add_product(tn_graph *graph, tn_node a, tn_node b) {
    uint32_t of_a = tn_graph_get_width(graph, a), of_b = tn_graph_get_width(graph, b);
    bool is_sound = of_a > 0 && of_b > 0 && (of_a == 1 || of_b == 1);
    return is_sound ? graph_add_each(graph, TNI_GRAPH_PRODUCT, a, b, of_a > of_b ? of_a : of_b)
                    : graph_refuse(graph, TN_RESULT_INVALID_ARGUMENT);
}

tn_node tn_graph_add_quotient(tn_graph *graph, tn_node a, tn_node b) {
    uint32_t width = tn_graph_get_width(graph, a);
    return width > 0 && graph_takes(graph, b, 1)
               ? graph_add_each(graph, TNI_GRAPH_QUOTIENT, a, b, width)
               : graph_refuse(graph, TN_RESULT_INVALID_ARGUMENT);
}

tn_node tn_graph_add_root(tn_graph *graph, tn_node a) {
    return graph_add_unary(graph, TNI_GRAPH_ROOT, a);
}

tn_node tn_graph_add_sine(tn_graph *graph, tn_node a) {
    return graph_add_unary(graph, TNI_GRAPH_SINE, a);
}

tn_node tn_graph_add_cosine(tn_graph *graph, tn_node a) {
    return graph_add_unary(graph, TNI_GRAPH_COSINE, a);
}

tn_node tn_graph_add_angle_of(tn_graph *graph, tn_node y, tn_node x) {
    return graph_add_binary(graph, TNI_GRAPH_ANGLE_OF, y, x);
}

tn_node tn_graph_add_minimum(tn_graph *graph, tn_node a, tn_node b) {
    return graph_add_binary(graph, TNI_GRAPH_MINIMUM, a, b);
}

tn_node tn_graph_add_maximum(tn_graph *graph, tn_node a, tn_node b) {
    return graph_add_binary(graph, TNI_GRAPH_MAXIMUM, a, b);
}

static bool graph_reserve_arguments(tn_graph *graph, uint32_t count) {
    uint32_t needed = graph->argument_count + count;
    if (needed <= graph->argument_capacity) {
        return true;
    }
    void *grown = tni_array_grow(&graph->allocator, graph->arguments, graph->argument_count,
                                 &graph->argument_capacity, needed, sizeof *graph->arguments);
    graph->arguments = grown != NULL ? grown : graph->arguments;
    if (grown == NULL) {
        graph_refuse(graph, TN_RESULT_OUT_OF_MEMORY);
    }
    return grown != NULL;
}

tn_node tn_graph_add_function(tn_graph *graph, tn_function_fn function, void *user_data,
                              const tn_node *arguments, uint32_t count) {
    bool is_sound = graph != NULL && function != NULL && arguments != NULL && count >= 1 &&
                    count <= TN_GRAPH_MAX_ARGUMENTS;
    for (uint32_t i = 0; is_sound && i < count; ++i) {
        is_sound = tn_graph_get_width(graph, arguments[i]) == 1;
    }
    if (!is_sound) {
        return graph_refuse(graph, TN_RESULT_INVALID_ARGUMENT);
    }
    if (!graph_reserve(graph, 1) || !graph_reserve_arguments(graph, count)) {
        return graph_null;
    }
    tni_graph_number number = {.op = TNI_GRAPH_FUNCTION, .a = graph->argument_count, .b = count};
    number.own.function = function;
    number.own.user_data = user_data;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t argument = graph_get_number(graph, arguments[i], 0);
        graph->arguments[graph->argument_count++] = argument;
        number.bodies |= graph->numbers[argument].bodies;
    }
    return graph_name(graph, graph_push(graph, number), 1);
}

// ---- vectors -----------------------------------------------------------------------------------

// The numbers of a vector follow each other, so that these are added again, as sums with zero.
tn_node tn_graph_add_vector_of(tn_graph *graph, tn_node x, tn_node y, tn_node z) {
    const tn_node numbers[3] = {x, y, z};
    tn_node zero = tn_graph_add_number(graph, 0.0);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        if (!graph_takes(graph, numbers[axis], 1)) {
            return graph_null;
        }
    }
    tn_node parts[3] = {{0}};
    for (uint32_t axis = 0; axis < 3; ++axis) {
        parts[axis] = tn_graph_add_sum(graph, numbers[axis], zero);
        if (parts[axis].value == 0) {
            return graph_null;
        }
    }
    return graph_reserve(graph, 0) ? graph_name(graph, graph_get_number(graph, parts[0], 0), 3)
                                   : graph_null;
}

tn_node tn_graph_add_component(tn_graph *graph, tn_node vector, uint32_t axis) {
    if (axis > 2 || !graph_takes(graph, vector, 3) || !graph_reserve(graph, 0)) {
        return graph_refuse(graph, TN_RESULT_INVALID_ARGUMENT);
    }
    return graph_name(graph, graph_get_number(graph, vector, axis), 1);
}

static tn_node graph_add_part(tn_graph *graph, tn_node a, uint32_t i, tn_node b, uint32_t j) {
    return tn_graph_add_product(graph, tn_graph_add_component(graph, a, i),
                                tn_graph_add_component(graph, b, j));
}

tn_node tn_graph_add_dot(tn_graph *graph, tn_node a, tn_node b) {
    tn_node xy = tn_graph_add_sum(graph, graph_add_part(graph, a, 0, b, 0),
                                  graph_add_part(graph, a, 1, b, 1));
    return tn_graph_add_sum(graph, xy, graph_add_part(graph, a, 2, b, 2));
}

static tn_node graph_add_minor(tn_graph *graph, tn_node a, tn_node b, uint32_t i, uint32_t j) {
    return tn_graph_add_difference(graph, graph_add_part(graph, a, i, b, j),
                                   graph_add_part(graph, a, j, b, i));
}

tn_node tn_graph_add_cross(tn_graph *graph, tn_node a, tn_node b) {
    tn_node x = graph_add_minor(graph, a, b, 1, 2), y = graph_add_minor(graph, a, b, 2, 0);
    return tn_graph_add_vector_of(graph, x, y, graph_add_minor(graph, a, b, 0, 1));
}

tn_node tn_graph_add_norm(tn_graph *graph, tn_node a) {
    return tn_graph_add_root(graph, tn_graph_add_dot(graph, a, a));
}

tn_node tn_graph_add_unit(tn_graph *graph, tn_node a) {
    return tn_graph_add_quotient(graph, a, tn_graph_add_norm(graph, a));
}

// ---- geometry ----------------------------------------------------------------------------------

tn_node tn_graph_add_distance(tn_graph *graph, tn_node p, tn_node q) {
    return tn_graph_add_norm(graph, tn_graph_add_difference(graph, q, p));
}

tn_node tn_graph_add_angle(tn_graph *graph, tn_node a, tn_node b) {
    tn_node across = tn_graph_add_norm(graph, tn_graph_add_cross(graph, a, b));
    return tn_graph_add_angle_of(graph, across, tn_graph_add_dot(graph, a, b));
}

tn_node tn_graph_add_area(tn_graph *graph, tn_node p, tn_node q, tn_node r) {
    tn_node across = tn_graph_add_cross(graph, tn_graph_add_difference(graph, q, p),
                                        tn_graph_add_difference(graph, r, p));
    return tn_graph_add_product(graph, tn_graph_add_number(graph, 0.5),
                                tn_graph_add_norm(graph, across));
}

tn_node tn_graph_add_volume(tn_graph *graph, tn_node p, tn_node q, tn_node r, tn_node s) {
    tn_node across = tn_graph_add_cross(graph, tn_graph_add_difference(graph, r, p),
                                        tn_graph_add_difference(graph, s, p));
    tn_node box = tn_graph_add_dot(graph, tn_graph_add_difference(graph, q, p), across);
    return tn_graph_add_product(graph, box, tn_graph_add_number(graph, 1.0 / 6.0));
}
