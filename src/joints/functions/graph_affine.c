// joints/functions/graph_affine.c: the derivatives of a graph's number by the freedoms of an affine
// body.
//
// A point of an affine body is at p = c + A X, where X is its place at rest from the centre of
// mass; a direction l of it is d = A l, which stretches with the material. Both are linear in the
// twelve freedoms, so that p'' = d'' = 0 without acceleration. A number f with
//
//     df = sum a_p . dp + sum a_d . dd   has
//
//     df/dc = sum a_p        df/dA_ij = sum (a_p)_i X_j + sum (a_d)_i l_j
//
// The a are the adjoints of the connectors, which pass down from f through every block: a_i += a_k
// u_i (symbols: joints/functions/graph_curvature.c). A gradient of six numbers has no room for
// them.
// Source: A. Griewank, A. Walther, "Evaluating derivatives", 2nd ed. 2008, chapter 3.2 (adjoints).
// Test: tests/joints/functions/test_graph_affine.c
#include "joints/functions/graph.h"

#include <string.h>

void tni_graph_find_adjoints(const tn_graph *graph, const tni_graph_values *values, uint32_t number,
                             double *out_adjoints) {
    memset(out_adjoints, 0, graph->number_count * sizeof *out_adjoints);
    out_adjoints[number] = 1.0;
    for (uint32_t i = number + 1; i-- > 0;) {
        tni_graph_block block;
        if (out_adjoints[i] == 0.0 || graph->numbers[i].bodies == 0) {
            continue;
        }
        tni_graph_find_block(graph, values, i, &block);
        for (uint32_t k = 0; k < block.count; ++k) {
            out_adjoints[block.arguments[k]] += out_adjoints[i] * block.first[k];
        }
    }
}

void tni_graph_get_affine_gradient(const tn_graph *graph, uint32_t body, tni_dvec3 center,
                                   const double *adjoints, double *out_gradient) {
    memset(out_gradient, 0, TNI_GRAPH_AFFINE_NUMBERS * sizeof *out_gradient);
    for (uint32_t n = 0; n < graph->number_count; ++n) {
        const tni_graph_number *number = &graph->numbers[n];
        bool is_point = number->op == TNI_GRAPH_POINT;
        if ((!is_point && number->op != TNI_GRAPH_DIRECTION) || number->body != body) {
            continue;
        }
        tni_dvec3 x = is_point ? dvec3_sub(number->local, center) : number->local;
        for (uint32_t i = 0; i < 3; ++i) {
            double a = adjoints[n + i];
            out_gradient[i] += is_point ? a : 0.0;
            out_gradient[3 + 3 * i] += a * x.x;
            out_gradient[4 + 3 * i] += a * x.y;
            out_gradient[5 + 3 * i] += a * x.z;
        }
    }
}
