// joints/functions/graph_curvature.c: the second derivatives of a sum of numbers of a graph.
//
// Symbols: E the sum, q the coordinates of its bodies; x_k a number of the graph with the gradient
// g_k = dx_k/dq; u its block with derivatives u_i, u_ij by its arguments i. The adjoint a_k =
// dE/dx_k begins with the weights of E and passes down through every block: a_i += a_k u_i.
// Differentiating E twice by q through one block after the other leaves the bend of each block
// itself,
//
//     d2E/dq2 = sum_k a_k sum_ij u_ij g_i g_j^T + sum_connectors a_p . d2p/dq2
//
// so that one sweep down over the numbers is enough, with the gradients that the evaluation left. A
// connector p = x + R l bends with the turn t of its body alone. With r = R l,
// exp(t) r = r + t x r + t x (t x r) / 2, so that a . p has
//
//     d2(a . p)/dt2 = (r a^T + a r^T) / 2 - (r . a) 1
//
// Source: A. Griewank, A. Walther, "Evaluating derivatives", 2nd ed. 2008, chapters 3.2 (adjoints)
// and 7 (sparsity); R. M. Gower, M. P. Mello, "A new framework for the computation of Hessians",
// Optimization Methods and Software 27(2), 2012 (the sum over blocks).
// Test: tests/joints/functions/test_graph.c
#include "joints/functions/graph.h"

#include <string.h>

// The sum, and what it is made from.
typedef struct curvature_sum {
    const tn_graph *graph;
    const tni_graph_values *values;
    uint32_t body_count;
    double *numbers; // 6 * body_count rows
} curvature_sum;

// Adds w g of a number to one row.
static void curvature_add_row(const curvature_sum *sum, uint32_t row, uint32_t number, double w) {
    const tni_graph_number *record = &sum->graph->numbers[number];
    const double *g = sum->values->gradients + record->gradient;
    double *target = sum->numbers + (size_t)row * 6 * sum->body_count;
    for (uint32_t left = record->bodies; left != 0; left >>= 1, target += 6) {
        if ((left & 1u) == 0) {
            continue;
        }
        for (uint32_t c = 0; c < 6; ++c) {
            target[c] += w * g[c];
        }
        g += 6;
    }
}

// Adds w g_a g_b^T.
static void curvature_add_product(const curvature_sum *sum, uint32_t a, uint32_t b, double w) {
    const tni_graph_number *record = &sum->graph->numbers[a];
    const double *g = sum->values->gradients + record->gradient;
    uint32_t row = 0;
    for (uint32_t left = record->bodies; left != 0; left >>= 1, row += 6) {
        if ((left & 1u) == 0) {
            continue;
        }
        for (uint32_t c = 0; c < 6; ++c) {
            if (g[c] != 0.0) {
                curvature_add_row(sum, row + c, b, w * g[c]);
            }
        }
        g += 6;
    }
}

static void curvature_add_block(const curvature_sum *sum, uint32_t number, double *adjoints) {
    tni_graph_block block;
    tni_graph_find_block(sum->graph, sum->values, number, &block);
    for (uint32_t i = 0; i < block.count; ++i) {
        adjoints[block.arguments[i]] += adjoints[number] * block.first[i];
        for (uint32_t j = 0; j < block.count; ++j) {
            double w = adjoints[number] * block.second[i][j];
            if (w != 0.0) {
                curvature_add_product(sum, block.arguments[i], block.arguments[j], w);
            }
        }
    }
}

// Adds the bend of a connector, from the first of its three numbers.
static void curvature_add_connector(const curvature_sum *sum, const tni_graph_body *bodies,
                                    uint32_t first, const double *adjoints) {
    const tni_graph_number *record = &sum->graph->numbers[first];
    const tni_graph_value *p = &sum->values->numbers[first];
    tni_dvec3 arm = dvec3_make(p[0].value, p[1].value, p[2].value);
    if (record->op == TNI_GRAPH_POINT) {
        arm = dvec3_sub(arm, bodies[record->body].motion->position);
    }
    const double r[3] = {arm.x, arm.y, arm.z}, *a = adjoints + first;
    double along = r[0] * a[0] + r[1] * a[1] + r[2] * a[2];
    uint32_t size = 6 * sum->body_count, turn = 6 * record->body + 3;
    for (uint32_t i = 0; i < 3; ++i) {
        double *row = sum->numbers + (size_t)(turn + i) * size + turn;
        for (uint32_t j = 0; j < 3; ++j) {
            row[j] += 0.5 * (r[i] * a[j] + a[i] * r[j]) - (i == j ? along : 0.0);
        }
    }
}

void tni_graph_find_curvature(const tn_graph *graph, const tni_graph_body *bodies,
                              uint32_t body_count, const tni_graph_values *values, double *weights,
                              double *out_curvature) {
    curvature_sum sum = {graph, values, body_count, out_curvature};
    double *adjoints = weights;
    memset(out_curvature, 0, (size_t)36 * body_count * body_count * sizeof *out_curvature);
    // The other two numbers of a vector are skipped: their first one stands for all three.
    for (uint32_t i = graph->number_count; i-- > 0;) {
        const tni_graph_number *record = &graph->numbers[i];
        if (record->op == TNI_GRAPH_POINT || record->op == TNI_GRAPH_DIRECTION) {
            curvature_add_connector(&sum, bodies, i, adjoints);
        } else if (adjoints[i] != 0.0 && record->bodies != 0) {
            curvature_add_block(&sum, i, adjoints);
        }
    }
}
