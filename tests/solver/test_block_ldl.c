// tests/solver/test_block_ldl.c: the factorisation of mechanisms against the full matrix.
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/block_ldl.h"

#define MOST_UNKNOWNS 400

typedef struct system_case {
    tni_block_graph graph;
    uint8_t sizes[80];
    bool is_locked[80];
    uint32_t bodies[80][2]; // by joint
    tni_block_edge edges[160];
    double jacobians[160][TNI_BLOCK_MAX][6]; // by edge
    double masses[80][6][6];                 // by body
    double softness;
} system_case;

static uint32_t random_state = 1;

static double random_number(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return (double)(random_state >> 8) / (double)(1u << 24) * 2.0 - 1.0;
}

static uint32_t random_index(uint32_t count) {
    return (uint32_t)((random_number() + 1.0) * 0.5 * (double)count) % count;
}

static void case_start(system_case *c, uint32_t bodies) {
    memset(c, 0, sizeof *c);
    c->graph.sizes = c->sizes;
    c->graph.edges = c->edges;
    c->graph.is_locked = c->is_locked;
    c->graph.bodies = (const uint32_t(*)[2])c->bodies;
    c->graph.body_count = c->graph.node_count = bodies;
    c->softness = 1e-9;
    for (uint32_t b = 0; b < bodies; ++b) {
        c->sizes[b] = 6;
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j <= i; ++j) {
                double x = 0.2 * random_number();
                c->masses[b][i][j] = c->masses[b][j][i] = i == j ? 2.0 + x : x;
            }
        }
    }
}

static void case_add_edge(system_case *c, uint32_t body, uint32_t joint) {
    tni_block_edge edge = {body, joint};
    c->edges[c->graph.edge_count] = edge;
    for (int i = 0; i < TNI_BLOCK_MAX; ++i) {
        for (int j = 0; j < 6; ++j) {
            c->jacobians[c->graph.edge_count][i][j] = random_number();
        }
    }
    c->graph.edge_count += 1;
}

// `other` TNI_NONE: to the world.
static void case_add_joint(system_case *c, uint32_t body, uint32_t other, uint8_t rows) {
    uint32_t joint = c->graph.node_count++;
    c->sizes[joint] = rows;
    c->bodies[joint - c->graph.body_count][0] = body;
    c->bodies[joint - c->graph.body_count][1] = other;
    case_add_edge(c, body, joint);
    if (other != TNI_NONE) {
        case_add_edge(c, other, joint);
    }
}

// ---- the full matrix ---------------------------------------------------------------------------

static void dense_fill(const system_case *c, const uint32_t *first, double *a, uint32_t n) {
    memset(a, 0, (size_t)n * n * sizeof *a);
    for (uint32_t b = 0; b < c->graph.body_count; ++b) {
        for (uint32_t i = 0; i < 6; ++i) {
            for (uint32_t j = 0; j < 6; ++j) {
                a[(first[b] + i) * n + first[b] + j] = c->masses[b][i][j];
            }
        }
    }
    for (uint32_t e = 0; e < c->graph.edge_count; ++e) {
        uint32_t body = c->edges[e].first, joint = c->edges[e].second;
        for (uint32_t i = 0; i < c->sizes[joint]; ++i) {
            a[(first[joint] + i) * n + first[joint] + i] = -c->softness;
            for (uint32_t j = 0; j < 6; ++j) {
                a[(first[joint] + i) * n + first[body] + j] -= c->jacobians[e][i][j];
                a[(first[body] + j) * n + first[joint] + i] -= c->jacobians[e][i][j];
            }
        }
    }
}

// The largest entry of A x - b over that of |A| |x|: the backward error.
static double dense_residual(const double *a, const double *x, const double *b, uint32_t n) {
    double worst = 0.0, size = 0.0;
    for (uint32_t i = 0; i < n; ++i) {
        double sum = -b[i], reach = fabs(b[i]);
        for (uint32_t j = 0; j < n; ++j) {
            sum += a[i * n + j] * x[j];
            reach += fabs(a[i * n + j] * x[j]);
        }
        worst = fmax(worst, fabs(sum));
        size = fmax(size, reach);
    }
    return worst / size;
}

// ---- blocks ------------------------------------------------------------------------------------

static void block_fill(const system_case *c, const tni_block_pattern *pattern, double *values) {
    memset(values, 0, pattern->value_count * sizeof *values);
    for (uint32_t i = 0; i < c->graph.node_count; ++i) {
        uint32_t position = pattern->position_of[i], stride = pattern->strides[position];
        double *diagonal = values + pattern->diagonals[position];
        for (uint32_t r = 0; r < c->sizes[i]; ++r) {
            for (uint32_t s = 0; s <= r; ++s) {
                double own = r == s ? -c->softness : 0.0;
                diagonal[r * stride + s] = i < c->graph.body_count ? c->masses[i][r][s] : own;
            }
        }
    }
    for (uint32_t e = 0; e < c->graph.edge_count; ++e) {
        uint32_t n = c->sizes[c->edges[e].second];
        tni_block_place place = pattern->edges[e];
        for (uint32_t i = 0; i < n; ++i) {
            for (uint32_t j = 0; j < 6; ++j) {
                values[place.first + i * place.row_step + j * place.column_step] =
                    -c->jacobians[e][i][j];
            }
        }
    }
}

static double backward_error(const system_case *c, tni_block_report *out_report) {
    static double a[MOST_UNKNOWNS * MOST_UNKNOWNS], x[MOST_UNKNOWNS], y[MOST_UNKNOWNS];
    static double scales[MOST_UNKNOWNS], values[200000], scratch[20000];
    uint32_t first[80], n = 0;
    for (uint32_t i = 0; i < c->graph.node_count; ++i) {
        first[i] = n;
        n += c->sizes[i];
    }
    cr_assert(n <= MOST_UNKNOWNS);
    tni_allocator allocator;
    tni_arena arena;
    tni_block_pattern pattern;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_arena_init(&arena, &allocator);
    cr_assert(tni_block_pattern_create(&pattern, &c->graph, &allocator, &arena));
    cr_assert(pattern.unknown_count == n && pattern.value_count <= 200000);
    cr_assert(pattern.scratch_count <= 20000);
    block_fill(c, &pattern, values);
    for (uint32_t i = 0; i < c->graph.node_count; ++i) {
        uint32_t at = pattern.unknowns[pattern.position_of[i]];
        for (uint32_t k = 0; k < c->sizes[i]; ++k) {
            x[first[i] + k] = y[at + k] = random_number();
            scales[at + k] = i < c->graph.body_count ? 0.0 : 1.0;
        }
    }
    *out_report = tni_block_factor(&pattern, scales, values, scratch);
    tni_block_solve(&pattern, values, y);
    dense_fill(c, first, a, n);
    double z[MOST_UNKNOWNS];
    for (uint32_t i = 0; i < c->graph.node_count; ++i) {
        for (uint32_t k = 0; k < c->sizes[i]; ++k) {
            z[first[i] + k] = y[pattern.unknowns[pattern.position_of[i]] + k];
        }
    }
    double worst = dense_residual(a, z, x, n);
    tni_block_pattern_destroy(&pattern, &allocator);
    tni_arena_destroy(&arena);
    cr_assert(allocator.bytes == 0);
    return worst;
}

Test(block_ldl, solves_trees_and_loops_to_round_off) {
    static system_case c;
    for (uint32_t trial = 0; trial < 60; ++trial) {
        uint32_t bodies = 2 + trial % 20;
        case_start(&c, bodies);
        // A tree, then loops, each of few rows so that no row depends on others.
        for (uint32_t b = 1; b < bodies; ++b) {
            uint8_t rows = (uint8_t)(trial % 3 == 0 ? 3 : 1 + random_index(5));
            case_add_joint(&c, b, trial % 2 == 0 ? b - 1 : random_index(b), rows);
        }
        case_add_joint(&c, 0, TNI_NONE, 3);
        for (uint32_t k = 0; k < trial % 4; ++k) {
            uint32_t body = random_index(bodies), other = random_index(bodies);
            case_add_joint(&c, body, other == body ? TNI_NONE : other, 1);
        }
        tni_block_report report;
        double worst = backward_error(&c, &report);
        cr_assert(worst < 1e-13, "trial %u: %g", trial, worst);
        cr_assert(report.is_sound && report.dependent_count == 0, "trial %u", trial);
    }
}
