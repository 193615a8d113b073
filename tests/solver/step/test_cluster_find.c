// Tests of solver/step/cluster_find.c: who is put together with whom, and who is not.
#include "solver/step/cluster.h"

#include <criterion/criterion.h>
#include <string.h>

#define BODIES   1601 // with the world
#define CONTACTS 3000

typedef struct search {
    tni_color_block blocks[CONTACTS];
    bool is_driven[CONTACTS], is_blocked[BODIES];
    uint32_t count;
    uint32_t of[BODIES], bodies[BODIES], body_ends[BODIES], contact_lines[BODIES];
    uint32_t scratch[TNI_CLUSTER_SCRATCH * BODIES];
    tni_cluster_bodies clusters;
} search;

static void search_create(search *s) {
    memset(s, 0, sizeof *s);
    s->clusters = (tni_cluster_bodies){0, s->contact_lines, s->of, s->bodies, s->body_ends};
}

static void search_add(search *s, uint32_t a, uint32_t b) {
    s->blocks[s->count++] = (tni_color_block){a, b, 0, 0};
}

// Boxes on the floor one beside the other, each touching the next.
static void search_add_row(search *s, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i <= last; ++i) {
        search_add(s, TNI_COLOR_NO_BODY, i);
        if (i < last) {
            search_add(s, i, i + 1);
        }
    }
}

static void search_run(search *s) {
    const tni_cluster_contacts contacts = {s->blocks, s->is_driven, s->count};
    tni_clusters_find(&contacts, BODIES, s->is_blocked, s->scratch, &s->clusters);
}

static uint32_t search_get(const search *s, uint32_t body) {
    return s->clusters.of[body];
}

Test(cluster_find, bodies_of_an_island_are_in_one_cluster_and_each_body_in_one) {
    static search s;
    search_create(&s);
    for (uint32_t i = 0; i < 200; ++i) {
        search_add_row(&s, 1 + 8 * i, 7 + 8 * i); // the eighth touches nothing
    }
    search_run(&s);
    cr_assert(s.clusters.count >= 2);
    uint32_t start = 0, seen = 0, last = 0;
    for (uint32_t c = 0; c < s.clusters.count; ++c) {
        cr_assert(s.clusters.body_ends[c] > start);
        for (uint32_t k = start; k < s.clusters.body_ends[c]; ++k, ++seen) {
            cr_assert(search_get(&s, s.clusters.bodies[k]) == c);
            cr_assert(k == start || s.clusters.bodies[k] > last);
            last = s.clusters.bodies[k];
        }
        start = s.clusters.body_ends[c];
    }
    cr_assert(seen == 200 * 7);
    for (uint32_t i = 0; i < 200; ++i) {
        for (uint32_t k = 1; k < 7; ++k) {
            cr_assert(search_get(&s, 1 + 8 * i) == search_get(&s, 1 + 8 * i + k));
        }
        cr_assert(search_get(&s, 8 + 8 * i) == TNI_NONE);
    }
}

Test(cluster_find, an_island_that_has_grown_too_large_goes_with_everything_else) {
    static search s;
    for (uint32_t length = 100; length <= 800; length += 700) {
        search_create(&s);
        search_add_row(&s, 1, length);
        for (uint32_t i = 801; i < BODIES; ++i) {
            search_add(&s, i, TNI_COLOR_NO_BODY);
        }
        search_run(&s);
        cr_assert((search_get(&s, 1) == TNI_NONE) == (length == 800));
        cr_assert(search_get(&s, length) == search_get(&s, 1));
        cr_assert(search_get(&s, 801) != TNI_NONE); // a body alone on the floor
    }
}

Test(cluster_find, what_a_moving_body_without_mass_touches_goes_with_everything_else) {
    static search s;
    search_create(&s);
    for (uint32_t i = 0; i < 200; ++i) {
        s.is_driven[s.count] = i == 50;
        search_add_row(&s, 1 + 4 * i, 4 + 4 * i);
    }
    search_run(&s);
    for (uint32_t i = 0; i < 200; ++i) {
        cr_assert((search_get(&s, 3 + 4 * i) == TNI_NONE) == (i == 50), "island %u", i);
    }
}

Test(cluster_find, what_a_joint_holds_goes_with_everything_else) {
    static search s;
    search_create(&s);
    s.is_blocked[6] = s.is_blocked[1600] = true;
    for (uint32_t i = 0; i < 200; ++i) {
        search_add_row(&s, 1 + 4 * i, 4 + 4 * i);
    }
    search_run(&s);
    cr_assert(search_get(&s, 4) != TNI_NONE && search_get(&s, 9) != TNI_NONE);
    cr_assert(search_get(&s, 5) == TNI_NONE && search_get(&s, 8) == TNI_NONE);
}

Test(cluster_find, each_contact_counts_at_one_of_its_bodies) {
    static search s;
    search_create(&s);
    search_add_row(&s, 1, 400);
    search_run(&s);
    uint32_t sum = 0;
    for (uint32_t i = 1; i < BODIES; ++i) {
        sum += s.contact_lines[i];
        cr_assert(i == 400 || i > 400 || s.contact_lines[i] == 2 * TNI_CLUSTER_CONTACT_LINES);
    }
    cr_assert(sum == s.count * TNI_CLUSTER_CONTACT_LINES && s.contact_lines[0] == 0);
}

Test(cluster_find, where_nothing_goes_its_own_way_there_is_no_cluster) {
    static search s;
    search_create(&s);
    search_add_row(&s, 1, 1400);
    search_run(&s);
    cr_assert(s.clusters.count == 0 && s.clusters.of == NULL);
}
