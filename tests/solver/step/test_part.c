// Tests of solver/step/part.c and solver/step/part_order.c: cuts of equal weight, the tree of
// halves, and an order in which what is near in space is near.
#include "solver/step/part.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define BODIES 4001

static tni_parts parts_cut(const uint32_t *weights, uint32_t count, uint32_t levels, uint8_t *of) {
    tni_parts parts = {.levels = levels, .of = of};
    tni_parts_cut(weights, count, &parts);
    return parts;
}

Test(part, cuts_are_of_equal_weight_and_every_body_is_in_one_part) {
    static uint32_t weights[BODIES];
    static uint8_t of[BODIES];
    uint64_t total = 0;
    for (uint32_t i = 1; i < BODIES; ++i) {
        weights[i] = 10 + i % 37 + (i > 3000 ? 40 : 0); // the last ones touch more
        total += weights[i];
    }
    tni_parts parts = parts_cut(weights, BODIES, 3, of);
    uint32_t first = 1;
    for (uint32_t p = 0; p < 8; ++p) {
        uint64_t weight = 0;
        for (uint32_t i = first; i < parts.ends[p]; ++i) {
            cr_assert(of[i] == p);
            weight += weights[i];
        }
        cr_assert(fabs((double)weight - (double)total / 8.0) < 100.0, "part %u", p);
        first = parts.ends[p];
    }
    cr_assert(first == BODIES);
}

Test(part, what_weighs_nothing_is_in_some_part_too) {
    uint32_t weights[10] = {0};
    uint8_t of[10];
    tni_parts parts = parts_cut(weights, 10, 2, of);
    cr_assert(parts.ends[3] == 10);
    for (uint32_t i = 0; i < 10; ++i) {
        cr_assert(of[i] < 4);
    }
}

Test(part, joining_parts_takes_back_the_last_cuts) {
    static uint32_t weights[BODIES];
    static uint8_t of[BODIES], of_halves[BODIES];
    for (uint32_t i = 1; i < BODIES; ++i) {
        weights[i] = 1 + i % 5;
    }
    tni_parts parts = parts_cut(weights, BODIES, 4, of);
    tni_parts halves = parts_cut(weights, BODIES, 1, of_halves);
    tni_parts_join(&parts, BODIES, 1);
    cr_assert(parts.levels == 1 && parts.ends[0] == halves.ends[0] && parts.ends[1] == BODIES);
    cr_assert(memcmp(of, of_halves, BODIES) == 0);
    tni_parts_join(&parts, BODIES, 0);
    cr_assert(part_count(&parts) == 1 && parts.ends[0] == BODIES && of[BODIES - 1] == 0);
}

// All there is first, then its halves, then quarters, then parts.
Test(part, the_node_of_two_parts_is_the_least_that_has_both) {
    tni_parts parts = {.levels = 3};
    cr_assert(part_count(&parts) == 8 && part_count_inner(&parts) == 7);
    for (uint32_t p = 0; p < 8; ++p) {
        cr_assert(part_find_node(&parts, p, p) == 7 + p);
    }
    cr_assert(part_find_node(&parts, 2, 3) == 4 && part_find_node(&parts, 3, 2) == 4);
    cr_assert(part_find_node(&parts, 1, 2) == 1 && part_find_node(&parts, 7, 4) == 2);
    cr_assert(part_find_node(&parts, 3, 4) == 0 && part_find_node(&parts, 0, 7) == 0);
}

// ---- order ------------------------------------------------------------------------------------

#define SIDE 16 // of a cube of boxes

static const double axes[3] = {1.0, 0.25, 0.8};

static void order_grid(tni_part_body *bodies, uint32_t count, double jitter) {
    static tni_part_body scratch[SIDE * SIDE * SIDE];
    for (uint32_t i = 0; i < count; ++i) {
        double x = i % SIDE, y = i / (SIDE * SIDE), z = i / SIDE % SIDE;
        double off = jitter * ((double)(i * 7 % 11) - 5.0) / 5.0;
        bodies[i] =
            (tni_part_body){{(float)(x + off), (float)(y - off), (float)(z + 0.5 * off)}, i, 1, 0};
    }
    tni_part_order(bodies, scratch, count, axes);
}

// Neighbors in the grid, of which so many are in different eighths of the list.
static uint32_t order_count_across(const tni_part_body *bodies, uint32_t count) {
    static uint32_t part[SIDE * SIDE * SIDE];
    static const uint32_t steps[3] = {1, SIDE, SIDE * SIDE};
    uint32_t across = 0;
    for (uint32_t i = 0; i < count; ++i) {
        part[bodies[i].body] = 8 * i / count;
    }
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t place = i / steps[k] % SIDE, other = i + steps[k];
            across += place + 1 < SIDE && other < count && part[i] != part[other] ? 1 : 0;
        }
    }
    return across;
}

Test(part, an_eighth_of_a_cube_touches_few_others) {
    static tni_part_body bodies[SIDE * SIDE * SIDE];
    uint32_t count = SIDE * SIDE * SIDE, neighbors = 3 * SIDE * SIDE * (SIDE - 1);
    for (int k = 0; k < 3; ++k) {
        order_grid(bodies, count, 0.02 * k);
        // Three planes of 256 would be the least.
        uint32_t across = order_count_across(bodies, count);
        cr_assert(across >= 700 && across < 1300, "%u of %u", across, neighbors);
    }
}

Test(part, each_body_is_in_the_order_once_and_halves_are_equal) {
    static tni_part_body bodies[SIDE * SIDE * SIDE];
    static bool has[SIDE * SIDE * SIDE];
    uint32_t count = SIDE * SIDE * SIDE;
    order_grid(bodies, count, 0.0);
    double least[2] = {1e9, 1e9}, most[2] = {-1e9, -1e9};
    for (uint32_t i = 0; i < count; ++i) {
        cr_assert(!has[bodies[i].body]);
        has[bodies[i].body] = true;
        double x = (double)bodies[i].position[0];
        least[2 * i / count] = fmin(least[2 * i / count], x);
        most[2 * i / count] = fmax(most[2 * i / count], x);
    }
    cr_assert(least[0] == 0.0 && most[1] == SIDE - 1.0 && most[0] - least[1] <= 1.0);
}

Test(part, bodies_in_one_place_stay_in_their_order) {
    tni_part_body bodies[100], scratch[100];
    for (uint32_t i = 0; i < 100; ++i) {
        bodies[i] = (tni_part_body){{1.0f, 2.0f, 3.0f}, i, i % 3, 0};
    }
    tni_part_order(bodies, scratch, 100, axes);
    for (uint32_t i = 0; i < 100; ++i) {
        cr_assert(bodies[i].body == i);
    }
}

Test(part, one_body_far_away_does_not_spoil_the_halves) {
    static tni_part_body bodies[SIDE * SIDE * SIDE], scratch[SIDE * SIDE * SIDE];
    uint32_t count = SIDE * SIDE * SIDE;
    order_grid(bodies, count, 0.0);
    bodies[17].position[0] = 1e7f;
    tni_part_order(bodies, scratch, count, axes);
    uint32_t low = 0;
    for (uint32_t i = 0; i < count / 2; ++i) {
        low += bodies[i].position[0] < SIDE ? 1 : 0;
    }
    cr_assert(low == count / 2 && bodies[count - 1].position[0] > 1e6f);
}
