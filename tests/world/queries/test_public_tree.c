// A tree of an application's own boxes finds what plain search finds, and refuses bad calls.
#include "tests/world/world_test.h"

#include "tenon/tree.h"
#include "tests/support/budget.h"

enum {
    LEAVES = 400
};

typedef struct record {
    tn_leaf_id leaf;
    tn_bounds bounds;
} record;

static tn_tree *tree;
static test_reports reports;
static record records[LEAVES];
static uint32_t hits[LEAVES];
static uint32_t seed;

static double draw(double size) {
    seed = seed * 1664525u + 1013904223u;
    return size * ((double)(seed >> 8) / 8388608.0 - 1.0);
}

static tn_vec3 draw_vec(double size) {
    double x = draw(size), y = draw(size);
    return (tn_vec3){x, y, draw(size)};
}

static tn_bounds draw_bounds(void) {
    tn_vec3 a = draw_vec(10.0), b = draw_vec(1.0);
    return (tn_bounds){a, {a.x + fabs(b.x), a.y + fabs(b.y), a.z + fabs(b.z)}};
}

static void setup(void) {
    memset(&reports, 0, sizeof reports);
    memset(records, 0, sizeof records);
    seed = 3;
    tn_tree_def def = tn_tree_def_default();
    def.report = test_note_report;
    def.report_user_data = &reports;
    def.margin = 0.3;
    tree = tn_tree_create(&def, NULL);
    cr_assert_not_null(tree);
}

static void teardown(void) {
    tn_tree_destroy(tree);
}

TestSuite(public_tree, .init = setup, .fini = teardown, .timeout = 60);

static double note(const tn_tree *asked, tn_leaf_id leaf, double value, double limit,
                   void *user_data) {
    hits[tn_tree_get_number(asked, leaf)] += 1;
    double *least = user_data;
    *least = fmin(*least, value);
    return limit;
}

static double take_nearest(const tn_tree *asked, tn_leaf_id leaf, double value, double limit,
                           void *user_data) {
    (void)asked;
    (void)limit;
    (void)leaf;
    *(double *)user_data = fmin(value, *(double *)user_data);
    return value;
}

static const double *get_lower(const tn_bounds *b) {
    return &b->lower.x;
}
static const double *get_upper(const tn_bounds *b) {
    return &b->upper.x;
}

static double get_gap(const tn_bounds *a, const tn_bounds *b) {
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        double gap =
            fmax(fmax(get_lower(a)[k] - get_upper(b)[k], get_lower(b)[k] - get_upper(a)[k]), 0.0);
        square += gap * gap;
    }
    return sqrt(square);
}

static double get_enter(const tn_bounds *b, tn_vec3 o, tn_vec3 t, tn_vec3 reach) {
    const double from[3] = {o.x, o.y, o.z}, way[3] = {t.x, t.y, t.z};
    const double wide[3] = {reach.x, reach.y, reach.z};
    double enter = 0.0, leave = 1.0;
    for (int k = 0; k < 3; ++k) {
        double x = (get_lower(b)[k] - wide[k] - from[k]) / way[k];
        double y = (get_upper(b)[k] + wide[k] - from[k]) / way[k];
        enter = fmax(enter, fmin(x, y));
        leave = fmin(leave, fmax(x, y));
    }
    return enter <= leave ? enter : 2.0;
}

static void assert_all_agree(void) {
    tn_bounds box = draw_bounds();
    tn_vec3 o = draw_vec(12.0), t = draw_vec(15.0), reach = {0.2, 0.0, 1.0};
    double least = 1e9, nearest = 1e9, first = 2.0, expected_first = 2.0, expected_nearest = 1e9;
    memset(hits, 0, sizeof hits);
    tn_tree_overlap(tree, box, note, &least);
    for (int i = 0; i < LEAVES; ++i) {
        bool is_live = tn_tree_has_leaf(tree, records[i].leaf);
        cr_assert(hits[i] == (is_live && get_gap(&records[i].bounds, &box) == 0.0 ? 1u : 0u));
    }
    memset(hits, 0, sizeof hits);
    tn_tree_cast(tree, o, t, reach, note, &least);
    tn_tree_cast(tree, o, t, reach, take_nearest, &first);
    for (int i = 0; i < LEAVES; ++i) {
        bool is_live = tn_tree_has_leaf(tree, records[i].leaf);
        double enter = is_live ? get_enter(&records[i].bounds, o, t, reach) : 2.0;
        cr_assert(hits[i] == (enter <= 1.0 ? 1u : 0u), "leaf %d", i);
        expected_first = fmin(expected_first, enter);
    }
    cr_assert(fabs(first - expected_first) < 1e-12);
    memset(hits, 0, sizeof hits);
    tn_tree_find_near(tree, box, 2.0, note, &least);
    tn_tree_find_near(tree, box, (double)INFINITY, take_nearest, &nearest);
    for (int i = 0; i < LEAVES; ++i) {
        bool is_live = tn_tree_has_leaf(tree, records[i].leaf);
        double gap = is_live ? get_gap(&records[i].bounds, &box) : 1e9;
        cr_assert(hits[i] == (gap <= 2.0 ? 1u : 0u), "leaf %d", i);
        expected_nearest = fmin(expected_nearest, gap);
    }
    cr_assert(fabs(nearest - expected_nearest) < 1e-12);
}

Test(public_tree, agrees_with_a_plain_search_through_random_changes) {
    for (int round = 0; round < 6000; ++round) {
        record *r = &records[(uint32_t)(round * 7919) % LEAVES];
        tn_bounds bounds = draw_bounds();
        if (!tn_tree_has_leaf(tree, r->leaf)) {
            r->leaf = tn_tree_add(tree, bounds, (uint64_t)(r - records));
        } else if (round % 3 == 0) {
            cr_assert(tn_tree_remove(tree, r->leaf) == TN_RESULT_OK);
        } else {
            if (round % 2 == 0) { // a little
                tn_vec3 by = draw_vec(0.2);
                bounds = r->bounds;
                bounds.lower =
                    (tn_vec3){bounds.lower.x + by.x, bounds.lower.y + by.y, bounds.lower.z + by.z};
                bounds.upper =
                    (tn_vec3){bounds.upper.x + by.x, bounds.upper.y + by.y, bounds.upper.z + by.z};
            }
            cr_assert(tn_tree_move(tree, r->leaf, bounds) == TN_RESULT_OK);
        }
        r->bounds = bounds;
        if (round % 20 == 0) {
            assert_all_agree();
        }
    }
    uint32_t count = 0;
    for (int i = 0; i < LEAVES; ++i) {
        count += tn_tree_has_leaf(tree, records[i].leaf) ? 1 : 0;
    }
    cr_assert(tn_tree_count(tree) == count && reports.count == 0);
}

static double meddle(const tn_tree *asked, tn_leaf_id leaf, double value, double limit,
                     void *user_data) {
    (void)value;
    (void)limit;
    uint32_t *calls = user_data;
    *calls += 1;
    tn_tree *own = (tn_tree *)asked;
    tn_bounds box = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    cr_assert(tn_tree_remove(own, leaf) == TN_RESULT_WORLD_LOCKED);
    cr_assert(tn_tree_move(own, leaf, box) == TN_RESULT_WORLD_LOCKED);
    cr_assert(tn_tree_add(own, box, 1).value == 0);
    tn_tree_destroy(own);
    double least = 1.0;
    tn_tree_overlap(asked, box, note, &least);
    return *calls < 2 ? (double)NAN : -1.0;
}

Test(public_tree, a_callback_may_ask_and_end_but_not_change) {
    tn_bounds box = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    for (uint64_t i = 0; i < 5; ++i) {
        tn_tree_add(tree, box, i);
    }
    uint32_t calls = 0;
    tn_tree_overlap(tree, box, meddle, &calls);
    cr_assert(calls == 2 && reports.count == 8 && tn_tree_count(tree) == 5);
    calls = 0;
    tn_tree_cast(tree, (tn_vec3){-1.0, 0.5, 0.5}, (tn_vec3){5.0, 0.0, 0.0}, (tn_vec3){0}, meddle,
                 &calls);
    cr_assert(calls == 2);
    calls = 0;
    tn_tree_find_near(tree, box, 0.0, meddle, &calls);
    cr_assert(calls == 2);
}

Test(public_tree, bad_calls_are_refused) {
    tn_bounds box = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, bad = box,
              exchanged = {box.upper, box.lower};
    bad.upper.y = (double)NAN;
    tn_leaf_id leaf = tn_tree_add(tree, box, 9), stale = tn_tree_add(tree, box, 8);
    tn_vec3 o = {0.0, 0.0, 0.0}, nan = {(double)NAN, 0.0, 0.0}, less = {-1.0, 0.0, 0.0};
    double least = 0.0;
    tn_tree_remove(tree, stale);
    cr_assert(tn_tree_add(tree, bad, 0).value == 0 && reports.last == TN_RESULT_NOT_FINITE);
    cr_assert(tn_tree_add(tree, exchanged, 0).value == 0);
    cr_assert(reports.last == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_tree_move(tree, leaf, bad) == TN_RESULT_NOT_FINITE);
    cr_assert(tn_tree_move(tree, stale, box) == TN_RESULT_INVALID_ID);
    cr_assert(tn_tree_remove(tree, stale) == TN_RESULT_INVALID_ID && reports.id == stale.value);
    cr_assert(tn_tree_get_number(tree, stale) == 0 && reports.count == 6);
    cr_assert(tn_tree_get_bounds(tree, (tn_leaf_id){0}).upper.x == 0.0 && reports.count == 7);
    tn_tree_overlap(tree, bad, note, &least);
    tn_tree_overlap(tree, box, NULL, NULL);
    tn_tree_cast(tree, nan, o, o, note, &least);
    tn_tree_cast(tree, o, nan, o, note, &least);
    tn_tree_cast(tree, o, o, less, note, &least);
    tn_tree_find_near(tree, box, -1.0, note, &least);
    tn_tree_find_near(tree, box, (double)NAN, note, &least);
    cr_assert(reports.count == 14);
    tn_tree_overlap(NULL, box, note, &least);
    tn_tree_destroy(NULL);
    cr_assert(tn_tree_count(NULL) == 0 && tn_tree_add(NULL, box, 1).value == 0);
    tn_tree_def def = tn_tree_def_default();
    tn_result result;
    def.margin = -1.0;
    cr_assert_null(tn_tree_create(&def, &result));
    cr_assert(result == TN_RESULT_INVALID_ARGUMENT && reports.count == 14);
    def.margin = (double)INFINITY;
    cr_assert_null(tn_tree_create(&def, &result));
    cr_assert(result == TN_RESULT_NOT_FINITE);
    cr_assert(tn_tree_get_number(tree, leaf) == 9 && tn_tree_count(tree) == 1);
}

Test(public_tree, is_exact_at_a_ray_in_a_face_and_far_off) {
    tn_bounds box = {{1e6, 0.0, 0.0}, {1e6 + 1.0, 1.0, 1.0}};
    tn_tree_add(tree, box, 0);
    double least = 9.0;
    memset(hits, 0, sizeof hits);
    tn_tree_cast(tree, (tn_vec3){0.0, 1.0, 0.5}, (tn_vec3){2e6, 0.0, 0.0}, (tn_vec3){0}, note,
                 &least);
    cr_assert(hits[0] == 1 && least == 0.5);
    tn_tree_cast(tree, (tn_vec3){0.0, 1.0 + 1e-9, 0.5}, (tn_vec3){2e6, 0.0, 0.0}, (tn_vec3){0},
                 note, &least);
    cr_assert(hits[0] == 1);
}
