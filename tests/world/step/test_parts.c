// A world in parts: the same bits on any number of workers, and what stands goes on standing.
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

static const tn_vec3 half = {0.5, 0.5, 0.5};

typedef struct wall {
    tn_world *world;
    test_reports reports;
    tn_body_id top, ends[2];
} wall;

// Boxes in layers, each over the gap between two: one island. Seen from above they are 1 m long,
// and as deep as `box_half` says.
static void wall_create_of(wall *w, uint32_t workers, int length, int height, int width,
                           tn_vec3 box_half) {
    double depth = 2.0 * box_half.z;
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    def.is_sleep_allowed = false;
    w->world = test_def_world_create(def, &w->reports);
    test_floor_create(w->world);
    for (int y = 0; y < height; ++y) {
        for (int z = 0; z < width; ++z) {
            for (int x = 0; x < length; ++x) {
                double shift = 0.5 * (y % 2);
                tn_body_id box =
                    test_box_create(w->world, TN_BODY_TYPE_DYNAMIC, 1.01 * x + shift, 0.5 + y,
                                    1.01 * depth * z + 0.3 * depth * shift, box_half);
                w->top = x == length / 2 ? box : w->top;
                if (y == 0 && z == 0 && (x == 0 || x == length - 1)) {
                    w->ends[x == 0 ? 0 : 1] = box;
                }
            }
        }
    }
}

static void wall_create(wall *w, uint32_t workers, int length, int height, int width) {
    wall_create_of(w, workers, length, height, width, half);
}

// It stands; a ball makes a hole; half of it is taken away; more boxes fall on what is left.
static void wall_history(uint32_t workers, uint64_t hashes[4]) {
    wall w;
    wall_create(&w, workers, 24, 8, 5);
    test_step(w.world, 10);
    hashes[0] = tn_world_get_hash(w.world);
    tn_body_id ball = test_body_create(w.world, TN_BODY_TYPE_DYNAMIC, 12.0, 3.0, -6.0);
    tn_shape_def shape = tn_shape_def_default();
    shape.density = 20000.0f;
    cr_assert(tn_sphere_shape_create(w.world, ball, &shape, 1.0f).value != 0);
    tn_body_set_velocity(w.world, ball, (tn_velocity){.linear = {0.0, 0.0, 30.0}});
    test_step(w.world, 40);
    hashes[1] = tn_world_get_hash(w.world);
    tn_body_id pusher =
        test_box_create(w.world, TN_BODY_TYPE_KINEMATIC, -4.0, 2.0, 2.5, (tn_vec3){0.5, 2.0, 4.0});
    tn_body_set_velocity(w.world, pusher, (tn_velocity){.linear = {4.0, 0.0, 0.0}});
    test_step(w.world, 60);
    hashes[2] = tn_world_get_hash(w.world);
    tn_body_destroy(w.world, w.ends[0]);
    for (int i = 0; i < 60; ++i) {
        test_box_create(w.world, TN_BODY_TYPE_DYNAMIC, 10.0 + i % 10, 9.0 + (double)(i / 10), 2.0,
                        half);
    }
    test_step(w.world, 60);
    hashes[3] = tn_world_get_hash(w.world);
    test_world_destroy_quiet(w.world, &w.reports);
}

LONG_TEST(parts, a_wall_that_breaks_has_the_same_bits_on_any_number_of_workers, .timeout = 120) {
    uint64_t alone[4], shared[4];
    wall_history(1, alone);
    for (uint32_t workers = 3; workers <= 8; workers += 5) {
        wall_history(workers, shared);
        cr_assert(memcmp(alone, shared, sizeof alone) == 0, "%u workers", workers);
    }
}

// Inertia that turns with the body changes the masses that contacts push against, between sweeps.
LONG_TEST(parts, what_falls_apart_and_turns_has_the_same_bits_too, .timeout = 120) {
    uint64_t alone = 0;
    for (uint32_t workers = 1; workers <= 8; workers += workers == 1 ? 2 : 5) {
        wall w;
        wall_create_of(&w, workers, 30, 10, 3, (tn_vec3){0.5, 0.5, 0.15});
        tn_body_id pusher = test_box_create(w.world, TN_BODY_TYPE_KINEMATIC, 15.0, 7.0, -2.0,
                                            (tn_vec3){12.0, 1.0, 0.5});
        tn_body_set_velocity(w.world, pusher, (tn_velocity){.linear = {0.0, 0.0, 3.0}});
        test_step(w.world, 80);
        uint64_t hash = tn_world_get_hash(w.world);
        alone = workers == 1 ? hash : alone;
        cr_assert(hash == alone, "%u workers", workers);
        test_world_destroy_quiet(w.world, &w.reports);
    }
}

LONG_TEST(parts, a_wall_in_parts_stands_as_one) {
    wall w;
    wall_create(&w, 1, 60, 8, 2);
    tn_vec3 before = tn_body_get_center(w.world, w.top);
    test_step(w.world, 180);
    tn_vec3 after = tn_body_get_center(w.world, w.top);
    TEST_NEAR(after.x, before.x, 0.002);
    TEST_NEAR(after.y, before.y, 0.01);
    TEST_NEAR(after.z, before.z, 0.002);
    test_world_destroy_quiet(w.world, &w.reports);
}

// Where nearly all contacts are with one body no cut leaves few across.
LONG_TEST(parts, boxes_on_one_raft_lie_still) {
    tn_world_def def = tn_world_def_default();
    test_reports reports;
    def.is_sleep_allowed = false;
    tn_world *world = test_def_world_create(def, &reports);
    test_floor_create(world);
    test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.25, 0.0, (tn_vec3){22.0, 0.25, 22.0});
    tn_body_id last = {0};
    for (int i = 0; i < 900; ++i) {
        last = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 1.4 * (i % 30) - 20.3, 1.0,
                               1.4 * (double)(i / 30) - 20.3, half);
    }
    test_step(world, 60);
    TEST_NEAR(tn_body_get_center(world, last).y, 1.0, 0.002);
    test_world_destroy_quiet(world, &reports);
}

// The places along x of pairs of boxes, in the order in which a callback is asked about them.
typedef struct asked_pairs {
    uint32_t count;
    double x[4096]; // m
} asked_pairs;

static bool note_pair(const tn_world *world, const tn_contact *contact,
                      tn_contact_settings *settings, void *user_data) {
    (void)settings;
    asked_pairs *pairs = user_data;
    bool moves = tn_body_get_type(world, contact->body_a) == TN_BODY_TYPE_DYNAMIC &&
                 tn_body_get_type(world, contact->body_b) == TN_BODY_TYPE_DYNAMIC;
    if (moves && pairs->count < 4096) {
        pairs->x[pairs->count++] = tn_body_get_center(world, contact->body_a).x;
    }
    return true;
}

static double get_mean_place(const asked_pairs *pairs, uint32_t first, uint32_t last) {
    double sum = 0.0;
    for (uint32_t i = first; i < last; ++i) {
        sum += pairs->x[i];
    }
    return sum / (last - first);
}

// It was built layer by layer, each along all of it.
Test(parts, contacts_of_one_half_of_a_wall_come_before_those_of_the_other) {
    static asked_pairs pairs;
    wall w;
    wall_create(&w, 1, 60, 8, 1);
    test_want_pre_solve(w.world);
    test_step(w.world, 10);
    tn_world_set_pre_solve(w.world, note_pair, &pairs);
    test_step(w.world, 1);
    uint32_t middle = pairs.count / 2;
    cr_assert(pairs.count > 700 && pairs.count < 4096, "%u pairs", pairs.count);
    double first = get_mean_place(&pairs, 0, middle);
    double second = get_mean_place(&pairs, middle, pairs.count);
    cr_assert(fabs(second - first) > 25.0, "at %g m and %g m", first, second);
    test_world_destroy_quiet(w.world, &w.reports);
}
