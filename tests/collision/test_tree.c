// The tree finds what a plain search finds, through any sequence of changes.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "collision/tree.h"
#include "tests/collision/probe.h"

static tni_allocator allocator;
static tni_latch renewed;
static tni_tree tree;

enum {
    MAX_LEAVES = 600
};

typedef struct record {
    uint32_t leaf;
    tni_bounds bounds;
    bool is_live;
} record;

static record records[MAX_LEAVES];
static uint8_t hits[MAX_LEAVES];

static void setup(void) {
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_tree_init(&tree, &allocator, &renewed);
    memset(records, 0, sizeof records);
}

static void teardown(void) {
    tni_tree_destroy(&tree);
    cr_assert_eq(allocator.bytes, 0);
}

TestSuite(tree, .init = setup, .fini = teardown);

static tni_bounds random_bounds(probe_random *random) {
    // Some large, most small.
    float size = probe_below(random, 20) == 0 ? 30.0f : 1.0f;
    vec3s lower = probe_vec(random, 20.0f);
    vec3s extent = maths_vec3(probe_between(random, 0.0f, size), probe_between(random, 0.0f, size),
                              probe_between(random, 0.0f, size));
    tni_bounds bounds = {lower, glms_vec3_add(lower, extent)};
    return bounds;
}

static tni_ray random_ray(probe_random *random) {
    tni_ray ray = {dvec3_from_float(probe_vec(random, 30.0f)),
                   dvec3_from_float(probe_vec(random, 40.0f))};
    return ray;
}

static bool count_hit(uint32_t value, void *context) {
    (void)context;
    hits[value] += 1;
    return true;
}

static void assert_query_agrees(const tni_bounds *bounds) {
    memset(hits, 0, sizeof hits);
    tni_tree_query(&tree, bounds, count_hit, NULL);
    for (uint32_t i = 0; i < MAX_LEAVES; ++i) {
        bool expected = records[i].is_live && tni_bounds_overlap(&records[i].bounds, bounds);
        cr_assert_eq(hits[i], expected ? 1 : 0, "leaf %u", i);
    }
}

// Takes all, or, of what the first ones left over, what it enters first.
typedef struct cast_count {
    const tni_ray_slabs *slabs;
    double first;
    bool takes_first;
} cast_count;

static double note_cast(uint32_t value, double limit, void *context) {
    cast_count *cast = context;
    hits[value] += 1;
    double enter = tni_bounds_cast_ray(&records[value].bounds, cast->slabs);
    cast->first = enter < cast->first ? enter : cast->first;
    return cast->takes_first ? fmin(limit, cast->first) : limit;
}

// The boxes that the tree tests are a little wider: by a few roundings of a float.
static tni_bounds widen(tni_bounds bounds, tni_dvec3 reach, double by) {
    double size = by;
    for (int k = 0; k < 3; ++k) {
        size = fmax(size, by * fabs((double)bounds.lower.raw[k]));
        size = fmax(size, by * fabs((double)bounds.upper.raw[k]));
    }
    tni_dvec3 grown = dvec3_add(reach, dvec3_make(size, size, size));
    return tni_bounds_round(dvec3_sub(dvec3_from_float(bounds.lower), grown),
                            dvec3_add(dvec3_from_float(bounds.upper), grown));
}

static void assert_box_cast_agrees(const tni_ray *ray, tni_dvec3 reach) {
    tni_ray_slabs slabs = tni_ray_get_slabs(ray);
    cast_count all = {&slabs, (double)INFINITY, false}, first = {&slabs, (double)INFINITY, true};
    double expected_first = (double)INFINITY;
    memset(hits, 0, sizeof hits);
    tni_tree_cast_box(&tree, ray, reach, 1.0, note_cast, &all);
    for (uint32_t i = 0; i < MAX_LEAVES; ++i) {
        tni_bounds exact = widen(records[i].bounds, reach, 0.0);
        tni_bounds wide = widen(records[i].bounds, reach, 1e-5);
        bool is_live = records[i].is_live;
        double enter = is_live ? tni_bounds_cast_ray(&exact, &slabs) : (double)INFINITY;
        bool may_enter = is_live && tni_bounds_cast_ray(&wide, &slabs) <= 1.0;
        cr_assert(hits[i] <= 1 && (hits[i] == 1 || !(enter <= 1.0)), "leaf %u", i);
        cr_assert(hits[i] == 0 || may_enter, "leaf %u", i);
        enter = is_live ? tni_bounds_cast_ray(&records[i].bounds, &slabs) : (double)INFINITY;
        expected_first = enter < expected_first ? enter : expected_first;
    }
    tni_tree_cast_box(&tree, ray, reach, 1.0, note_cast, &first);
    cr_assert(first.first == expected_first || expected_first > 1.0);
}

static void assert_cast_agrees(const tni_ray *ray) {
    assert_box_cast_agrees(ray, dvec3_make(0.0, 0.0, 0.0));
    assert_box_cast_agrees(ray, dvec3_make(0.3, 2.0, 0.7));
}

static double get_distance(const tni_bounds *a, const tni_bounds *b) {
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        double gap = fmax((double)a->lower.raw[k] - (double)b->upper.raw[k],
                          (double)b->lower.raw[k] - (double)a->upper.raw[k]);
        square += gap > 0.0 ? gap * gap : 0.0;
    }
    return sqrt(square);
}

typedef struct near_search {
    const tni_bounds *bounds;
    double nearest;
    bool takes_nearest;
} near_search;

static double note_near(uint32_t value, double limit, void *context) {
    near_search *search = context;
    hits[value] += 1;
    search->nearest = fmin(search->nearest, get_distance(&records[value].bounds, search->bounds));
    return search->takes_nearest ? fmin(limit, search->nearest) : limit;
}

static void assert_near_agrees(const tni_bounds *bounds, double limit) {
    near_search all = {bounds, (double)INFINITY, false}, nearest = {bounds, (double)INFINITY, true};
    double expected = (double)INFINITY;
    memset(hits, 0, sizeof hits);
    tni_tree_find_near(&tree, bounds, limit, note_near, &all);
    for (uint32_t i = 0; i < MAX_LEAVES; ++i) {
        double distance =
            records[i].is_live ? get_distance(&records[i].bounds, bounds) : (double)INFINITY;
        cr_assert(hits[i] == 1 ? distance <= limit * (1.0 + 1e-5) : !(distance <= limit),
                  "leaf %u, %g m", i, distance);
        expected = fmin(expected, distance);
    }
    tni_tree_find_near(&tree, bounds, limit, note_near, &nearest);
    cr_assert(nearest.nearest == expected || expected > limit);
}

// Prepares the tree for rays, or leaves it as it is: then they find the same.
static void assert_prepares(bool prepares) {
    if (prepares) {
        cr_assert(tni_tree_renew_quads(&tree) && tni_tree_has_valid_quads(&tree));
    }
}

Test(tree, agrees_with_a_plain_search_through_random_changes) {
    probe_random random = {31};
    for (int round = 0; round < 20000; ++round) {
        uint32_t i = probe_below(&random, MAX_LEAVES);
        record *r = &records[i];
        tni_bounds bounds = random_bounds(&random);
        if (!r->is_live) {
            r->leaf = tni_tree_insert(&tree, bounds, i);
            cr_assert_neq(r->leaf, TNI_NONE);
            r->bounds = bounds;
            r->is_live = true;
        } else if (probe_below(&random, 3) == 0) {
            tni_tree_remove(&tree, r->leaf);
            r->is_live = false;
        } else {
            tni_tree_move(&tree, r->leaf, bounds);
            r->bounds = bounds;
        }
        if (r->is_live) {
            tni_bounds kept = tni_tree_bounds(&tree, r->leaf);
            cr_assert(tni_bounds_contain(&kept, &r->bounds));
            cr_assert_eq(tni_tree_value(&tree, r->leaf), i);
        }
        if (round % 50 == 0) {
            cr_assert(tni_tree_is_valid(&tree));
            assert_prepares(round % 150 != 0);
            tni_bounds query = random_bounds(&random);
            assert_query_agrees(&query);
            assert_near_agrees(&query, 3.0);
            tni_ray ray = random_ray(&random);
            assert_cast_agrees(&ray);
        }
    }
    cr_assert_lt(tni_tree_height(&tree), 40);
}

// Leaves that drift a little stay beside their siblings, for a while.
Test(tree, agrees_with_a_plain_search_while_leaves_drift) {
    probe_random random = {32};
    for (uint32_t i = 0; i < MAX_LEAVES; ++i) {
        records[i].bounds = random_bounds(&random);
        records[i].leaf = tni_tree_insert(&tree, records[i].bounds, i);
        records[i].is_live = true;
    }
    for (int round = 0; round < 20000; ++round) {
        record *r = &records[probe_below(&random, MAX_LEAVES)];
        vec3s way = probe_vec(&random, 0.1f);
        r->bounds.lower = glms_vec3_add(r->bounds.lower, way);
        r->bounds.upper = glms_vec3_add(r->bounds.upper, way);
        tni_tree_move(&tree, r->leaf, r->bounds);
        if (round % 50 == 0) {
            cr_assert(tni_tree_is_valid(&tree));
            assert_prepares(round % 150 != 0);
            tni_bounds query = random_bounds(&random);
            assert_query_agrees(&query);
            assert_near_agrees(&query, 3.0);
            tni_ray ray = random_ray(&random);
            assert_cast_agrees(&ray);
        }
    }
    cr_assert_lt(tni_tree_height(&tree), 40);
}

Test(tree, an_empty_tree_finds_nothing) {
    tni_bounds everything = {maths_vec3(-FLT_MAX, -FLT_MAX, -FLT_MAX),
                             maths_vec3(FLT_MAX, FLT_MAX, FLT_MAX)};
    assert_query_agrees(&everything);
    cr_assert(tni_tree_is_valid(&tree));
    cr_assert_eq(tni_tree_height(&tree), 0);
    uint32_t leaf = tni_tree_insert(&tree, everything, 0);
    cr_assert_eq(tni_tree_height(&tree), 0);
    tni_tree_remove(&tree, leaf);
    cr_assert(tni_tree_is_valid(&tree));
}

static bool stop_at_three(uint32_t value, void *context) {
    (void)value;
    uint32_t *seen = context;
    *seen += 1;
    return *seen < 3;
}

Test(tree, a_query_stops_when_told) {
    tni_bounds box = {maths_vec3(0.0f, 0.0f, 0.0f), maths_vec3(1.0f, 1.0f, 1.0f)};
    for (uint32_t i = 0; i < 100; ++i) {
        tni_tree_insert(&tree, box, i);
    }
    uint32_t seen = 0;
    tni_tree_query(&tree, &box, stop_at_three, &seen);
    cr_assert_eq(seen, 3);
}

Test(tree, stays_shallow_when_filled_in_order) {
    for (uint32_t i = 0; i < 4096; ++i) {
        tni_bounds box = {maths_vec3((float)i, 0.0f, 0.0f),
                          maths_vec3((float)i + 1.1f, 1.0f, 1.0f)};
        cr_assert_neq(tni_tree_insert(&tree, box, i), TNI_NONE);
    }
    cr_assert(tni_tree_is_valid(&tree));
    // 12 would be perfect.
    cr_assert_lt(tni_tree_height(&tree), 30, "height %u", tni_tree_height(&tree));
}

// Boxes that each hold all the earlier ones make the deepest tree there is.
Test(tree, a_query_survives_a_tree_deeper_than_its_stack) {
    for (uint32_t i = 0; i < MAX_LEAVES; ++i) {
        float s = powf(1.15f, (float)i);
        tni_bounds box = {maths_vec3(0.0f, 0.0f, 0.0f), maths_vec3(s, s, s)};
        if (!isfinite(s)) {
            break;
        }
        records[i] = (record){tni_tree_insert(&tree, box, i), box, true};
    }
    cr_assert(tni_tree_is_valid(&tree));
    tni_bounds everything = {maths_vec3(-1.0f, -1.0f, -1.0f), maths_vec3(2e38f, 2e38f, 2e38f)};
    assert_query_agrees(&everything);
    tni_bounds corner = {maths_vec3(-1.0f, -1.0f, -1.0f), maths_vec3(0.0f, 0.0f, 0.0f)};
    assert_query_agrees(&corner);
    assert_prepares(true);
    tni_ray diagonal = {{-5.0, -4.0, -3.0}, {1.0e9, 1.0e9, 1.0e9}};
    assert_cast_agrees(&diagonal);
    assert_near_agrees(&corner, 1e30);
}

// Rays along axes, of no length, and of every length, from near and far.
Test(tree, a_cast_misses_no_box_however_the_ray_lies) {
    probe_random random = {37};
    for (uint32_t i = 0; i < MAX_LEAVES; ++i) {
        tni_bounds bounds = random_bounds(&random);
        records[i] = (record){tni_tree_insert(&tree, bounds, i), bounds, true};
    }
    assert_prepares(true);
    for (int i = 0; i < 2000; ++i) {
        tni_ray ray = random_ray(&random);
        double far = pow(10.0, (double)probe_between(&random, 0.0f, 9.0f));
        double away = i % 3 == 0 ? far : 0.0, longer = pow(10.0, (double)(i % 50) - 41.0);
        ray.origin = dvec3_add_scaled(ray.origin, -away / 40.0, ray.translation);
        ray.translation = dvec3_scale(ray.translation, i % 3 == 0 ? away / 20.0 : longer);
        ray.translation.x = i % 5 == 0 ? 0.0 : ray.translation.x;
        ray.translation.y = i % 7 < 2 ? 0.0 : ray.translation.y;
        ray.translation.z = i % 11 < 4 ? 0.0 : ray.translation.z;
        if (i % 4 == 0) { // in the plane of a side
            const vec3s *corner = &records[probe_below(&random, MAX_LEAVES)].bounds.lower;
            ray.origin.x = (double)corner->x;
        }
        assert_cast_agrees(&ray);
    }
}

Test(tree, infinite_bounds_are_found_by_all_and_spoil_nothing) {
    probe_random random = {41};
    tni_bounds everything = {maths_vec3(-FLT_MAX, -FLT_MAX, -FLT_MAX),
                             maths_vec3(FLT_MAX, FLT_MAX, FLT_MAX)};
    for (uint32_t i = 0; i < 200; ++i) {
        tni_bounds bounds = i % 50 == 7 ? everything : random_bounds(&random);
        records[i] = (record){tni_tree_insert(&tree, bounds, i), bounds, true};
    }
    cr_assert(tni_tree_is_valid(&tree));
    assert_prepares(true);
    for (int i = 0; i < 100; ++i) {
        tni_bounds query = random_bounds(&random);
        assert_query_agrees(&query);
        tni_ray ray = random_ray(&random);
        assert_cast_agrees(&ray);
    }
}

Test(tree, moving_makes_no_allocation) {
    probe_random random = {43};
    for (uint32_t i = 0; i < 300; ++i) {
        records[i].leaf = tni_tree_insert(&tree, random_bounds(&random), i);
    }
    assert_prepares(true);
    uint64_t before = allocator.allocations;
    for (int i = 0; i < 5000; ++i) {
        tni_tree_move(&tree, records[probe_below(&random, 300)].leaf, random_bounds(&random));
        assert_prepares(i % 100 == 0);
    }
    cr_assert_eq(allocator.allocations, before);
    cr_assert(tni_tree_is_valid(&tree));
}

static bool has_memory;

static void *scarce_alloc(size_t size, size_t alignment, void *user_data) {
    (void)user_data;
    return has_memory ? aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1)) : NULL;
}

static void scarce_free(void *memory, size_t size, void *user_data) {
    (void)size;
    (void)user_data;
    free(memory);
}

static double count_all(uint32_t value, double limit, void *context) {
    (void)value;
    *(uint32_t *)context += 1;
    return limit;
}

Test(tree, without_memory_for_rays_these_find_the_same) {
    tni_allocator scarce;
    tni_allocator_init(&scarce, scarce_alloc, scarce_free, NULL);
    tni_tree other;
    tni_tree_init(&other, &scarce, &renewed);
    has_memory = true;
    for (uint32_t i = 0; i < 20; ++i) {
        float x = (float)i;
        tni_bounds box = {maths_vec3(x, 0.0f, 0.0f), maths_vec3(x + 0.5f, 1.0f, 1.0f)};
        cr_assert_neq(tni_tree_insert(&other, box, i), TNI_NONE);
    }
    tni_ray ray = {{-1.0, 0.5, 0.5}, {10.2, 0.0, 0.0}}; // to x = 9.2
    for (int k = 0; k < 2; ++k) {
        uint32_t count = 0;
        has_memory = k == 1;
        cr_assert(tni_tree_renew_quads(&other) == has_memory);
        tni_tree_cast_ray(&other, &ray, count_all, &count);
        cr_assert(count == 10, "%u boxes", count);
    }
    tni_tree_destroy(&other);
    cr_assert_eq(scarce.bytes, 0);
}

Test(tree, without_memory_an_insert_fails_and_the_tree_stays) {
    tni_allocator scarce;
    tni_allocator_init(&scarce, scarce_alloc, scarce_free, NULL);
    tni_tree other;
    tni_tree_init(&other, &scarce, &renewed);
    tni_bounds box = {maths_vec3(0.0f, 0.0f, 0.0f), maths_vec3(1.0f, 1.0f, 1.0f)};
    has_memory = false;
    cr_assert_eq(tni_tree_insert(&other, box, 1), TNI_NONE);
    cr_assert(tni_tree_is_valid(&other));
    has_memory = true;
    uint32_t count = 0;
    while (count < 10 || has_memory) {
        if (tni_tree_insert(&other, box, count) == TNI_NONE) {
            break;
        }
        count += 1;
        has_memory = count < 10;
    }
    while (tni_tree_insert(&other, box, count) != TNI_NONE) {
        count += 1;
        cr_assert_lt(count, 10000);
    }
    cr_assert_eq(other.leaf_count, count);
    cr_assert(tni_tree_is_valid(&other));
    tni_tree_destroy(&other);
    cr_assert_eq(scarce.bytes, 0);
}

// ---- as bytes -----------------------------------------------------------------------------------

typedef struct visited {
    uint32_t values[MAX_LEAVES], count;
} visited;

static bool note_value(uint32_t value, void *context) {
    visited *all = context;
    all->values[all->count++] = value;
    return true;
}

static void place_leaf(uint32_t value, uint32_t leaf, void *context) {
    (void)context;
    records[value].leaf = leaf;
}

static bool is_small(uint32_t value, void *context) {
    (void)context;
    return value < 200;
}

// Saves the tree, which has up to 200 leaves, and returns how many bytes it takes.
static uint64_t save_tree(unsigned char bytes[20000]) {
    tni_stream s = {.mode = TNI_STREAM_SAVES, .bytes = bytes};
    tni_tree_save(&tree, &s);
    cr_assert(s.at < 20000);
    return s.at;
}

Test(tree, loads_with_its_structure_into_one_that_has_other_leaves) {
    static unsigned char bytes[20000];
    probe_random random = {11};
    for (uint32_t i = 0; i < 200; ++i) {
        records[i].leaf = tni_tree_insert(&tree, random_bounds(&random), i);
    }
    for (uint32_t i = 0; i < 200; i += 3) {
        tni_tree_move(&tree, records[i].leaf, random_bounds(&random));
    }
    uint64_t size = save_tree(bytes);
    visited before = {.count = 0}, after = {.count = 0};
    tni_bounds all = tni_bounds_everywhere();
    tni_tree_query(&tree, &all, note_value, &before);
    for (uint32_t i = 0; i < 150; ++i) {
        tni_tree_remove(&tree, records[i].leaf);
    }
    tni_tree_insert(&tree, random_bounds(&random), 7);
    tni_stream s = {.mode = TNI_STREAM_LOADS, .bytes = bytes, .size = size};
    cr_assert(tni_tree_check_saved(&tree, &s, is_small, NULL) && !s.is_damaged && s.at == size);
    s.at = 0;
    tni_tree_load(&tree, &s, place_leaf, NULL);
    cr_assert(s.at == size && tni_tree_is_valid(&tree));
    tni_tree_query(&tree, &all, note_value, &after);
    cr_assert(before.count == 200 && after.count == 200);
    cr_assert(memcmp(before.values, after.values, sizeof before.values) == 0);
    for (uint32_t i = 0; i < 200; ++i) {
        cr_assert(tni_tree_value(&tree, records[i].leaf) == i);
    }
}

Test(tree, bytes_of_another_shape_are_damaged) {
    static unsigned char bytes[20000];
    probe_random random = {12};
    for (uint32_t i = 0; i < 20; ++i) {
        tni_tree_insert(&tree, random_bounds(&random), i);
    }
    uint64_t size = save_tree(bytes);
    for (uint64_t node = 0; node < 39; ++node) {
        unsigned char before[4];
        memcpy(before, bytes + 4 + 28 * node, 4);
        memset(bytes + 4 + 28 * node, before[0] == 0xff ? 0 : 0xff, 4); // a leaf where none is
        tni_stream s = {.mode = TNI_STREAM_LOADS, .bytes = bytes, .size = size};
        cr_assert(tni_tree_check_saved(&tree, &s, is_small, NULL));
        cr_assert(s.is_damaged || s.at != size, "node %u", (unsigned)node);
        memcpy(bytes + 4 + 28 * node, before, 4);
    }
}
