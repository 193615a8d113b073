// tests/solver/matrix/test_block_ldl.c: the factorisation of mechanisms against the full matrix.
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/matrix/block_pivot.h"

#define MOST_UNKNOWNS 400

// Room for one system at a time. Criterion's processes would look for leaks in what is static.
static double *whole, *numbers, *spare;

static void block_allocate(void) {
    whole = calloc((size_t)MOST_UNKNOWNS * MOST_UNKNOWNS, sizeof *whole);
    numbers = calloc(200000, sizeof *numbers);
    spare = calloc(20000, sizeof *spare);
    cr_assert(whole && numbers && spare);
}

static void block_free(void) {
    free(whole);
    free(numbers);
    free(spare);
    whole = numbers = spare = NULL;
}

TestSuite(block_ldl, .init = block_allocate, .fini = block_free);

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

// The pattern of a case whose joints have `extra` rows more, laid out for those they have.
static void make_pattern(const system_case *c, uint8_t extra, tni_block_pattern *pattern,
                         tni_allocator *allocator, tni_arena *arena) {
    uint8_t grown[80];
    tni_block_graph graph = c->graph;
    for (uint32_t i = 0; i < graph.node_count; ++i) {
        grown[i] = (uint8_t)(c->sizes[i] + (i < graph.body_count ? 0 : extra));
    }
    graph.sizes = grown;
    cr_assert(tni_block_pattern_create(pattern, &graph, allocator, arena));
    for (uint32_t i = 0; i < graph.node_count && extra > 0; ++i) {
        pattern->sizes[pattern->position_of[i]] = c->sizes[i];
    }
    if (extra > 0) {
        tni_block_pattern_lay_out(pattern);
    }
}

// The first unknown of each node; how many there are.
static uint32_t number_unknowns(const system_case *c, uint32_t *first) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->graph.node_count; ++i) {
        first[i] = n;
        n += c->sizes[i];
    }
    cr_assert(n <= MOST_UNKNOWNS);
    return n;
}

static double backward_error(const system_case *c, uint8_t extra, tni_block_report *out_report) {
    static double x[MOST_UNKNOWNS], y[MOST_UNKNOWNS], scales[MOST_UNKNOWNS];
    uint32_t first[80], n = number_unknowns(c, first);
    tni_allocator allocator;
    tni_arena arena;
    tni_block_pattern pattern;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_arena_init(&arena, &allocator);
    make_pattern(c, extra, &pattern, &allocator, &arena);
    cr_assert(pattern.unknown_count == n && pattern.value_count <= 200000);
    cr_assert(pattern.scratch_count <= 20000);
    block_fill(c, &pattern, numbers);
    for (uint32_t i = 0; i < c->graph.node_count; ++i) {
        uint32_t at = pattern.unknowns[pattern.position_of[i]];
        for (uint32_t k = 0; k < c->sizes[i]; ++k) {
            x[first[i] + k] = y[at + k] = random_number();
            scales[at + k] = i < c->graph.body_count ? 0.0 : 1.0;
        }
    }
    *out_report = tni_block_factor(&pattern, scales, numbers, spare);
    tni_block_solve(&pattern, numbers, y);
    dense_fill(c, first, whole, n);
    double z[MOST_UNKNOWNS];
    for (uint32_t i = 0; i < c->graph.node_count; ++i) {
        for (uint32_t k = 0; k < c->sizes[i]; ++k) {
            z[first[i] + k] = y[pattern.unknowns[pattern.position_of[i]] + k];
        }
    }
    double worst = dense_residual(whole, z, x, n);
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
        double worst = backward_error(&c, 0, &report);
        cr_assert(worst < 1e-13, "trial %u: %g", trial, worst);
        cr_assert(report.is_sound && report.dependent_count == 0, "trial %u", trial);
    }
}

// In the order of joints that had more rows, and in no more room than they need.
Test(block_ldl, solves_for_joints_that_have_lost_rows) {
    static system_case c;
    for (uint32_t trial = 0; trial < 60; ++trial) {
        uint32_t bodies = 2 + trial % 20;
        case_start(&c, bodies);
        for (uint32_t b = 1; b < bodies; ++b) {
            case_add_joint(&c, b, trial % 2 == 0 ? b - 1 : random_index(b),
                           (uint8_t)(1 + random_index(5)));
        }
        case_add_joint(&c, 0, TNI_NONE, 3);
        tni_block_report report;
        double worst = backward_error(&c, (uint8_t)(1 + trial % 6), &report);
        cr_assert(worst < 1e-12, "trial %u: %g", trial, worst);
        cr_assert(report.is_sound && report.dependent_count == 0, "trial %u", trial);
    }
}

// ---- bodies eliminated beforehand --------------------------------------------------------------

typedef struct reduced_case {
    const system_case *c;
    tni_block_graph graph;
    uint8_t sizes[80];
    bool is_locked[80];
    uint32_t numbers[80]; // by body: its node, or the nodes' end and on
    uint32_t bodies[80][2];
    tni_block_edge edges[800];
    double inverses[80][6][6]; // by body
} reduced_case;

static void invert_mass(const double mass[6][6], double inverse[6][6]) {
    double a[6][6];
    memcpy(a, mass, sizeof a);
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            inverse[i][j] = i == j ? 1.0 : 0.0;
        }
    }
    for (int p = 0; p < 6; ++p) {
        double scale = 1.0 / a[p][p];
        for (int j = 0; j < 6; ++j) {
            a[p][j] *= scale;
            inverse[p][j] *= scale;
        }
        for (int i = 0; i < 6; ++i) {
            double factor = i == p ? 0.0 : a[i][p];
            for (int j = 0; j < 6; ++j) {
                a[i][j] -= factor * a[p][j];
                inverse[i][j] -= factor * inverse[p][j];
            }
        }
    }
}

static bool is_gone(const reduced_case *r, uint32_t body) {
    return r->numbers[body] >= r->graph.node_count;
}

// Of the reduced graph's nodes.
static uint32_t find_edge(reduced_case *r, uint32_t a, uint32_t b) {
    tni_block_edge edge = {a < b ? a : b, a < b ? b : a};
    for (uint32_t e = 0; e < r->graph.edge_count; ++e) {
        if (r->edges[e].first == edge.first && r->edges[e].second == edge.second) {
            return e;
        }
    }
    r->edges[r->graph.edge_count] = edge;
    return r->graph.edge_count++;
}

static uint32_t get_joint_node(const reduced_case *r, uint32_t joint) {
    return joint - r->c->graph.body_count + r->graph.body_count;
}

// Bodies of up to `most` joints go beforehand.
static void reduced_start(reduced_case *r, const system_case *c, uint32_t most) {
    memset(r, 0, sizeof *r);
    r->c = c;
    uint32_t counts[80] = {0}, hubs = 0, gone = 0;
    for (uint32_t e = 0; e < c->graph.edge_count; ++e) {
        counts[c->edges[e].first] += 1;
    }
    for (uint32_t b = 0; b < c->graph.body_count; ++b) {
        hubs += counts[b] > most ? 1 : 0;
    }
    uint32_t joints = c->graph.node_count - c->graph.body_count;
    r->graph = (tni_block_graph){.node_count = hubs + joints,
                                 .body_count = hubs,
                                 .gone_count = c->graph.body_count - hubs,
                                 .sizes = r->sizes,
                                 .is_locked = r->is_locked,
                                 .bodies = (const uint32_t(*)[2])r->bodies,
                                 .edges = r->edges};
    hubs = 0;
    for (uint32_t b = 0; b < c->graph.body_count; ++b) {
        bool goes = counts[b] <= most;
        r->numbers[b] = goes ? r->graph.node_count + gone++ : hubs++;
        invert_mass(c->masses[b], r->inverses[b]);
    }
    memset(r->sizes, 6, hubs);
    for (uint32_t j = 0; j < joints; ++j) {
        r->sizes[hubs + j] = c->sizes[c->graph.body_count + j];
        for (int end = 0; end < 2; ++end) {
            uint32_t body = c->bodies[j][end];
            r->bodies[j][end] = body == TNI_NONE ? TNI_NONE : r->numbers[body];
        }
    }
    for (uint32_t e = 0; e < c->graph.edge_count; ++e) {
        uint32_t body = c->edges[e].first, joint = get_joint_node(r, c->edges[e].second);
        if (!is_gone(r, body)) {
            find_edge(r, r->numbers[body], joint);
        }
        for (uint32_t f = 0; f < e && is_gone(r, body); ++f) {
            if (c->edges[f].first == body) {
                find_edge(r, joint, get_joint_node(r, c->edges[f].second));
            }
        }
    }
}

// -J_e M^-1 J_f^T of two edges of a body.
static double get_response(const reduced_case *r, uint32_t e, uint32_t row, uint32_t f,
                           uint32_t column) {
    const system_case *c = r->c;
    const double(*w)[6] = r->inverses[c->edges[e].first];
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) {
            sum -= c->jacobians[e][row][i] * w[i][k] * c->jacobians[f][column][k];
        }
    }
    return sum;
}

static void reduced_add(reduced_case *r, const tni_block_pattern *pattern, double *values,
                        uint32_t e, uint32_t f) {
    const system_case *c = r->c;
    uint32_t second = get_joint_node(r, c->edges[e].second);
    uint32_t first = get_joint_node(r, c->edges[f].second), position = pattern->position_of[second];
    tni_block_place place = {pattern->diagonals[position], pattern->strides[position], 1};
    if (first != second) {
        place = pattern->edges[find_edge(r, first, second)];
    }
    for (uint32_t i = 0; i < r->sizes[second]; ++i) {
        for (uint32_t j = 0; j < (first == second ? i + 1 : r->sizes[first]); ++j) {
            values[place.first + i * place.row_step + j * place.column_step] +=
                get_response(r, e, i, f, j);
        }
    }
}

static void reduced_fill(reduced_case *r, const tni_block_pattern *pattern, double *values) {
    const system_case *c = r->c;
    memset(values, 0, pattern->value_count * sizeof *values);
    for (uint32_t b = 0; b < c->graph.body_count; ++b) {
        uint32_t position = is_gone(r, b) ? 0 : pattern->position_of[r->numbers[b]];
        for (uint32_t i = 0; i < 36 && !is_gone(r, b); ++i) {
            values[pattern->diagonals[position] + i / 6 * pattern->strides[position] + i % 6] =
                c->masses[b][i / 6][i % 6];
        }
    }
    for (uint32_t n = r->graph.body_count; n < r->graph.node_count; ++n) {
        uint32_t position = pattern->position_of[n];
        for (uint32_t i = 0; i < r->sizes[n]; ++i) {
            values[pattern->diagonals[position] + i * (pattern->strides[position] + 1)] =
                -c->softness;
        }
    }
    for (uint32_t e = 0; e < c->graph.edge_count; ++e) {
        uint32_t body = c->edges[e].first, joint = get_joint_node(r, c->edges[e].second);
        for (uint32_t f = 0; f <= e && is_gone(r, body); ++f) {
            if (c->edges[f].first == body) {
                reduced_add(r, pattern, values, e, f);
            }
        }
        if (is_gone(r, body)) {
            continue;
        }
        tni_block_place place = pattern->edges[find_edge(r, r->numbers[body], joint)];
        for (uint32_t k = 0; k < 6u * r->sizes[joint]; ++k) {
            values[place.first + k / 6 * place.row_step + k % 6 * place.column_step] =
                -c->jacobians[e][k / 6][k % 6];
        }
    }
}

// y += s J M^-1 x of a body that is gone, or x += M^-1 J^T y: where its unknowns are at x, of
// all joints at y.
static void reduced_pass(const reduced_case *r, const tni_block_pattern *pattern,
                         const uint32_t *first, double *x, double *y, bool is_back) {
    const system_case *c = r->c;
    for (uint32_t e = 0; e < c->graph.edge_count; ++e) {
        uint32_t body = c->edges[e].first, joint = get_joint_node(r, c->edges[e].second);
        double *own = y + pattern->unknowns[pattern->position_of[joint]];
        for (uint32_t k = 0; k < 36u * r->sizes[joint] && is_gone(r, body); ++k) {
            uint32_t row = k / 36, i = k / 6 % 6, j = k % 6;
            double weight = r->inverses[body][i][j];
            if (is_back) {
                x[first[body] + i] += weight * c->jacobians[e][row][j] * own[row];
            } else {
                own[row] += c->jacobians[e][row][i] * weight * x[first[body] + j];
            }
        }
    }
}

// The backward error of the whole system, and the numbers in the factor.
static double reduced_error(reduced_case *r, uint32_t *out_fill, tni_block_report *out_report) {
    static double b[MOST_UNKNOWNS], z[MOST_UNKNOWNS], scales[MOST_UNKNOWNS], y[MOST_UNKNOWNS];
    const system_case *c = r->c;
    uint32_t first[80], n = number_unknowns(c, first);
    tni_allocator allocator;
    tni_arena arena;
    tni_block_pattern pattern;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_arena_init(&arena, &allocator);
    cr_assert(tni_block_pattern_create(&pattern, &r->graph, &allocator, &arena));
    cr_assert(pattern.value_count <= 200000 && pattern.scratch_count <= 20000);
    reduced_fill(r, &pattern, numbers);
    for (uint32_t i = 0; i < n; ++i) {
        b[i] = random_number();
    }
    memset(y, 0, sizeof y);
    for (uint32_t i = 0; i < c->graph.node_count; ++i) {
        bool is_body = i < c->graph.body_count;
        uint32_t node = is_body ? r->numbers[i] : get_joint_node(r, i);
        for (uint32_t k = 0; k < c->sizes[i] && node < r->graph.node_count; ++k) {
            y[pattern.unknowns[pattern.position_of[node]] + k] = b[first[i] + k];
            scales[pattern.unknowns[pattern.position_of[node]] + k] = is_body ? 0.0 : 1.0;
        }
    }
    *out_report = tni_block_factor(&pattern, scales, numbers, spare);
    reduced_pass(r, &pattern, first, b, y, false);
    tni_block_solve(&pattern, numbers, y);
    memset(z, 0, sizeof z);
    for (uint32_t i = 0; i < c->graph.node_count; ++i) {
        bool is_body = i < c->graph.body_count;
        uint32_t node = is_body ? r->numbers[i] : get_joint_node(r, i);
        for (uint32_t k = 0; k < c->sizes[i]; ++k) {
            double own = 0.0;
            for (uint32_t j = 0; j < 6 && is_body && is_gone(r, i); ++j) {
                own += r->inverses[i][k][j] * b[first[i] + j];
            }
            z[first[i] + k] = node < r->graph.node_count
                                  ? y[pattern.unknowns[pattern.position_of[node]] + k]
                                  : own;
        }
    }
    reduced_pass(r, &pattern, first, z, y, true);
    dense_fill(c, first, whole, n);
    *out_fill = pattern.value_count;
    double worst = dense_residual(whole, z, b, n);
    tni_block_pattern_destroy(&pattern, &allocator);
    tni_arena_destroy(&arena);
    return worst;
}

Test(block_ldl, solves_what_is_left_by_bodies_that_went_before) {
    static system_case c;
    static reduced_case r;
    for (uint32_t trial = 0; trial < 80; ++trial) {
        uint32_t bodies = 2 + trial % 20;
        case_start(&c, bodies);
        // Every third is a star about one hub, of which loops come back to it.
        for (uint32_t b = 1; b < bodies; ++b) {
            uint8_t rows = (uint8_t)(1 + random_index(5));
            case_add_joint(&c, b, trial % 3 == 0 && b % 3 == 1 ? 0 : random_index(b), rows);
        }
        case_add_joint(&c, 0, TNI_NONE, 2);
        for (uint32_t k = 0; k < 1 + trial % 4 && bodies > 4; ++k) {
            uint32_t body = 1 + random_index(bodies - 1);
            uint32_t other = trial % 3 == 0 ? 0 : random_index(bodies);
            case_add_joint(&c, body, other == body ? TNI_NONE : other, 1);
        }
        reduced_start(&r, &c, trial % 5);
        tni_block_report report;
        uint32_t fill;
        double worst = reduced_error(&r, &fill, &report);
        cr_assert(worst < 1e-12, "trial %u: %g", trial, worst);
        cr_assert(report.is_sound && report.dependent_count == 0, "trial %u", trial);
    }
}

// A hub with legs of four links, each of which comes back to it: the numbers grow with the legs,
// not with their square.
static uint32_t count_fill_of_legs(uint32_t legs) {
    static system_case c;
    static reduced_case r;
    case_start(&c, 1 + 4 * legs);
    for (uint32_t leg = 0; leg < legs; ++leg) {
        for (uint32_t k = 0; k < 4; ++k) {
            uint32_t link = 1 + 4 * leg + k;
            case_add_joint(&c, link, k == 0 ? 0 : link - 1, 5);
        }
        case_add_joint(&c, 4 + 4 * leg, 0, 3);
    }
    reduced_start(&r, &c, 4);
    tni_block_report report;
    uint32_t fill;
    double worst = reduced_error(&r, &fill, &report);
    cr_assert(worst < 1e-12 && report.is_sound && report.dependent_count == 0, "%u legs: %g", legs,
              worst);
    return fill;
}

Test(block_ldl, fills_no_more_than_the_legs_of_a_hub) {
    uint32_t three = count_fill_of_legs(3), six = count_fill_of_legs(6);
    // Each leg has 23 rows: at most their triangle and 6 unknowns of the hub below it.
    cr_assert(six - three <= 3 * (23 * 23 + 23 * 6), "%u", six - three);
    cr_assert(six <= 2 * three, "%u of %u", six, three);
}

// Three joints: `rows` of one on a body that went before, between two that others solve for.
static void solve_between_idle(uint8_t rows, double x[3][5]) {
    const uint8_t sizes[3] = {5, rows, 5};
    const bool is_idle[3] = {true, false, true}, is_locked[1] = {false};
    const uint32_t bodies[3][2] = {{TNI_NONE, TNI_NONE}, {3, TNI_NONE}, {TNI_NONE, TNI_NONE}};
    const tni_block_graph graph = {.node_count = 3,
                                   .gone_count = 1,
                                   .sizes = sizes,
                                   .is_idle = is_idle,
                                   .is_locked = is_locked,
                                   .bodies = bodies};
    double values[100] = {0.0}, scratch[100], scales[13], unknowns[13];
    tni_allocator allocator;
    tni_arena arena;
    tni_block_pattern pattern;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_arena_init(&arena, &allocator);
    cr_assert(tni_block_pattern_create(&pattern, &graph, &allocator, &arena));
    cr_assert(pattern.value_count <= 100 && pattern.scratch_count <= 100);
    uint32_t position = pattern.position_of[1];
    for (uint32_t k = 0; k < rows; ++k) {
        values[pattern.diagonals[position] + k * (rows + 1u)] = -4.0 - k;
    }
    for (uint32_t i = 0; i < pattern.unknown_count; ++i) {
        scales[i] = unknowns[i] = 1.0;
    }
    tni_block_report report = tni_block_factor(&pattern, scales, values, scratch);
    cr_assert(report.is_sound && report.dependent_count == 0);
    tni_block_solve(&pattern, values, unknowns);
    for (uint32_t n = 0; n < 3; ++n) {
        for (uint32_t k = 0; k < sizes[n]; ++k) {
            x[n][k] = unknowns[pattern.unknowns[pattern.position_of[n]] + k];
        }
    }
    tni_block_pattern_destroy(&pattern, &allocator);
    tni_arena_destroy(&arena);
}

Test(block_ldl, leaves_alone_what_others_solve_for) {
    for (uint8_t rows = 1; rows < 4; ++rows) {
        double x[3][5];
        solve_between_idle(rows, x);
        for (uint32_t k = 0; k < 5; ++k) {
            cr_assert(x[0][k] == 1.0 && x[2][k] == 1.0, "%u rows", rows);
        }
        for (uint32_t k = 0; k < rows; ++k) {
            cr_assert(fabs(x[1][k] + 1.0 / (4.0 + k)) < 1e-15, "%u rows: %g", rows, x[1][k]);
        }
    }
}

// Two rows of unit length at an angle: the second one's pivot is its sine squared. What counts as
// saying the same is more alike than 1.73 mrad.
Test(block_ldl, rows_are_dependent_below_the_angle_that_the_threshold_says) {
    const double angles[] = {1e-6, 1e-3, 1.7e-3, 1.76e-3, 3e-3, 0.1};
    for (int i = 0; i < 6; ++i) {
        for (double scale = 1e-6; scale < 1e7; scale *= 1e3) {
            tni_block_report report = {.is_sound = true};
            double pivot = -scale * sin(angles[i]) * sin(angles[i]);
            double taken = block_check_pivot(pivot, scale, &report);
            cr_assert((report.dependent_count == 1) == (i < 3), "%g rad", angles[i]);
            cr_assert(report.is_sound && taken == pivot);
        }
    }
}

Test(block_ldl, a_pivot_next_to_nothing_is_replaced_and_one_of_a_body_is_told) {
    tni_block_report report = {.is_sound = true};
    cr_assert(block_check_pivot(-1e-16, 2.0, &report) == -2e-15);
    cr_assert(block_check_pivot(1e-3, 2.0, &report) == -2e-15); // of the wrong sign
    cr_assert(report.dependent_count == 2 && report.is_sound);
    cr_assert(block_check_pivot(1e-300, 0.0, &report) == 1e-300 && report.is_sound);
    cr_assert(block_check_pivot(0.0, 0.0, &report) == 1.0 && !report.is_sound);
}
