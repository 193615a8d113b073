// Four matrices side by side: each has the factor and the solutions that it has alone.
#include <criterion/criterion.h>
#include <string.h>

#include "core/cpu.h"
#include "solver/matrix/block_lanes.h"

#define CASE_HUBS   2
#define CASE_JOINTS 14
#define CASE_NODES  (CASE_HUBS + CASE_JOINTS)
#define CASE_ROW    (CASE_HUBS + 3) // a joint of one row

typedef struct lanes_case {
    tni_allocator allocator;
    tni_arena arena;
    tni_block_pattern pattern;
    tni_block_edge edges[2 * CASE_JOINTS];
    double *values[TNI_BLOCK_LANES], *unknowns[TNI_BLOCK_LANES], *scales[TNI_BLOCK_LANES];
    double *scratch, *lane_values, *lane_unknowns, *lane_scratch;
    uint32_t state; // of random numbers
} lanes_case;

static double case_random(lanes_case *c) {
    c->state = c->state * 1664525u + 1013904223u;
    return (double)(c->state >> 8) / 8388608.0 - 1.0;
}

static double *case_allocate(lanes_case *c, uint32_t count) {
    double *numbers = tni_arena_alloc_zeroed(&c->arena, count * sizeof *numbers);
    cr_assert_not_null(numbers);
    return numbers;
}

// Two hubs, chains of joints of all sizes from one to the other: narrow columns, and a panel.
static void case_make(lanes_case *c) {
    static const uint8_t sizes[CASE_NODES] = {6, 6, 3, 5, 6, 1, 2, 4, 3, 3, 7, 12, 5, 5, 6, 6};
    static const bool is_locked[CASE_NODES] = {false};
    uint32_t bodies[CASE_JOINTS][2];
    memset(c, 0, sizeof *c);
    c->state = 12345;
    tni_allocator_init(&c->allocator, NULL, NULL, NULL);
    tni_arena_init(&c->arena, &c->allocator);
    tni_block_graph graph = {.node_count = CASE_NODES,
                             .body_count = CASE_HUBS,
                             .sizes = sizes,
                             .is_locked = is_locked,
                             .bodies = (const uint32_t(*)[2])bodies,
                             .edges = c->edges};
    for (uint32_t i = 0; i < CASE_JOINTS; ++i) {
        bodies[i][0] = i % 3 == 2 ? TNI_NONE : 0;
        bodies[i][1] = 1;
        for (uint32_t end = 0; end < 2; ++end) {
            if (bodies[i][end] != TNI_NONE) {
                c->edges[graph.edge_count++] = (tni_block_edge){bodies[i][end], CASE_HUBS + i};
            }
        }
    }
    cr_assert(tni_block_pattern_create(&c->pattern, &graph, &c->allocator, &c->arena));
    uint32_t count = c->pattern.value_count, unknowns = c->pattern.unknown_count;
    for (uint32_t k = 0; k < TNI_BLOCK_LANES; ++k) {
        c->values[k] = case_allocate(c, count);
        c->unknowns[k] = case_allocate(c, unknowns);
        c->scales[k] = case_allocate(c, unknowns);
    }
    c->scratch = case_allocate(c, c->pattern.scratch_count);
    c->lane_values = case_allocate(c, TNI_BLOCK_LANES * count);
    c->lane_unknowns = case_allocate(c, TNI_BLOCK_LANES * unknowns);
    c->lane_scratch = case_allocate(c, TNI_BLOCK_LANES * c->pattern.scratch_count);
}

static void case_destroy(lanes_case *c) {
    tni_block_pattern_destroy(&c->pattern, &c->allocator);
    tni_arena_destroy(&c->arena);
}

static void case_set(lanes_case *c, uint32_t lane, uint32_t place, double value) {
    c->values[lane][place] = value;
    c->lane_values[TNI_BLOCK_LANES * place + lane] = value;
}

// Bodies positive, joints negative, both far from zero; one lane has a row without a pivot, one a
// body that is not positive.
static void case_fill(lanes_case *c) {
    const tni_block_pattern *pattern = &c->pattern;
    for (uint32_t k = 0; k < TNI_BLOCK_LANES; ++k) {
        for (uint32_t p = 0; p < CASE_NODES; ++p) {
            bool is_body = pattern->node_at[p] < CASE_HUBS;
            for (uint32_t r = 0; r < pattern->sizes[p]; ++r) {
                for (uint32_t s = 0; s <= r; ++s) {
                    double own = r == s ? (is_body ? 40.0 : -40.0) : 0.0;
                    case_set(c, k, pattern->diagonals[p] + r * pattern->strides[p] + s,
                             own + case_random(c));
                }
                uint32_t unknown = pattern->unknowns[p] + r;
                c->scales[k][unknown] = is_body ? 0.0 : 50.0;
                c->unknowns[k][unknown] = case_random(c);
                c->lane_unknowns[TNI_BLOCK_LANES * unknown + k] = c->unknowns[k][unknown];
            }
        }
        for (uint32_t e = 0; e < pattern->edge_count; ++e) {
            tni_block_place place = pattern->edges[e];
            uint32_t rows = pattern->sizes[pattern->position_of[c->edges[e].second]];
            bool is_cut = k == 1 && c->edges[e].second == CASE_ROW;
            for (uint32_t i = 0; i < 6 * rows; ++i) {
                case_set(c, k, place.first + i / 6 * place.row_step + i % 6 * place.column_step,
                         i % 5 == 0 || is_cut ? 0.0 : case_random(c));
            }
        }
    }
    uint32_t row = pattern->position_of[CASE_ROW], body = pattern->position_of[1];
    case_set(c, 1, pattern->diagonals[row], -1e-9);
    case_set(c, 3, pattern->diagonals[body], -1e6);
}

static void check_lanes(bool uses_avx2) {
    lanes_case c;
    tni_block_report reports[TNI_BLOCK_LANES];
    case_make(&c);
    case_fill(&c);
    WIDE_CALL(uses_avx2, tni_block_lanes_factor, &c.pattern, (const double *const *)c.scales,
              c.lane_values, c.lane_scratch, reports);
    WIDE_CALL(uses_avx2, tni_block_lanes_solve, &c.pattern, c.lane_values, c.lane_unknowns);
    for (uint32_t k = 0; k < TNI_BLOCK_LANES; ++k) {
        tni_block_report own = tni_block_factor(&c.pattern, c.scales[k], c.values[k], c.scratch);
        cr_assert(own.is_sound == reports[k].is_sound && own.is_sound == (k != 3));
        cr_assert(own.dependent_count == reports[k].dependent_count);
        cr_assert((own.dependent_count > 0) == (k == 1));
        tni_block_solve(&c.pattern, c.values[k], c.unknowns[k]);
        for (uint32_t u = 0; u < c.pattern.unknown_count; ++u) {
            double in_lane = c.lane_unknowns[TNI_BLOCK_LANES * u + k];
            cr_assert(memcmp(&in_lane, &c.unknowns[k][u], sizeof in_lane) == 0,
                      "lane %u, unknown %u: %.17g for %.17g", k, u, in_lane, c.unknowns[k][u]);
        }
    }
    case_destroy(&c);
}

Test(block_lanes, have_the_bits_of_a_matrix_alone) {
    check_lanes(false);
}

Test(block_lanes, have_them_on_avx2_too) {
    check_lanes(tni_cpu_has_avx2());
}
