// Tests of solver/contacts/contact_sweeps.h: piles come to rest by the sweeps that a step makes.
// The number itself: tests/solver/contacts/test_contact_residual.c.
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

static const tn_vec3 half = {0.5, 0.5, 0.5};

typedef struct pyramid {
    tn_world *world;
    tn_body_id boxes[1830];
    tn_vec3 places[1830];
    int count;
} pyramid;

static void pyramid_create(pyramid *p, int base, tn_world_def def) {
    p->world = tn_world_create(&def, NULL);
    p->count = 0;
    cr_assert_not_null(p->world);
    test_floor_create(p->world);
    for (int row = 0; row < base; ++row) {
        for (int i = 0; i < base - row; ++i) {
            tn_vec3 at = {i - 0.5 * (base - row - 1), row + 0.5, 0.0};
            p->places[p->count] = at;
            p->boxes[p->count++] =
                test_box_create(p->world, TN_BODY_TYPE_DYNAMIC, at.x, at.y, at.z, half);
        }
    }
}

// How far the farthest box stands from where it was put, sideways. m
static double pyramid_get_drift(const pyramid *p) {
    double drift = 0.0;
    for (int i = 0; i < p->count; ++i) {
        tn_vec3 now = tn_body_get_pose(p->world, p->boxes[i]).position;
        drift = fmax(drift, hypot(now.x - p->places[i].x, now.z - p->places[i].z));
    }
    return drift;
}

// It falls where each substep makes two sweeps and none is over-relaxed.
LONG_TEST(contact_sweeps, a_pyramid_of_sixty_falls_asleep_where_it_stands, .timeout = 120) {
    static pyramid p;
    pyramid_create(&p, 60, tn_world_def_default());
    int steps = 0;
    do {
        test_step(p.world, 1);
        steps += 1;
    } while (steps < 300 && tn_world_get_telemetry(p.world).awake_bodies > 0);
    cr_expect(tn_world_get_telemetry(p.world).awake_bodies == 0, "awake after 5 s");
    cr_expect(pyramid_get_drift(&p) < 7e-3, "%g m", pyramid_get_drift(&p));
    tn_world_destroy(p.world);
}

LONG_TEST(contact_sweeps, a_pyramid_of_thirty_lies_as_still_as_if_it_slept, .timeout = 60) {
    static pyramid p;
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    pyramid_create(&p, 30, def);
    test_step(p.world, 600);
    double kinetic = tn_world_get_energy(p.world).kinetic;
    cr_expect(kinetic < 0.1, "%g J of 465 t", kinetic); // 14 J with two sweeps
    cr_expect(pyramid_get_drift(&p) < 2e-3, "%g m", pyramid_get_drift(&p));
    tn_world_destroy(p.world);
}

static uint64_t let_pyramid_settle(uint32_t iterations, uint32_t workers, bool is_baseline_only) {
    static pyramid p;
    tn_world_def def = tn_world_def_default();
    def.contact_iterations = iterations;
    def.worker_count = workers;
    def.is_baseline_only = is_baseline_only;
    pyramid_create(&p, 30, def);
    test_step(p.world, 40);
    uint64_t hash = tn_world_get_hash(p.world);
    tn_world_destroy(p.world);
    return hash;
}

LONG_TEST(contact_sweeps, are_as_many_for_any_number_of_workers_and_every_vector_unit,
          .timeout = 60) {
    uint64_t one = let_pyramid_settle(0, 1, false);
    cr_expect(let_pyramid_settle(0, 2, false) == one);
    cr_expect(let_pyramid_settle(0, 3, false) == one);
    cr_expect(let_pyramid_settle(0, 1, true) == one);
}

Test(contact_sweeps, are_as_many_as_a_world_asks_for, .timeout = 60) {
    uint64_t chosen = let_pyramid_settle(0, 1, false), two = let_pyramid_settle(2, 1, false);
    cr_expect(chosen != two && chosen != let_pyramid_settle(4, 1, false));
}

// Many small towers are in clusters, each with a number of its own.
static uint64_t let_towers_settle(uint32_t workers) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    test_floor_create(world);
    for (int i = 0; i < 600; ++i) {
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 2.0 * (i / 12 % 10), 0.5 + i % 12,
                        2.0 * (double)(i / 120), half);
    }
    test_step(world, 25);
    uint64_t hash = tn_world_get_hash(world);
    test_step(world, 150);
    cr_expect(tn_world_get_telemetry(world).awake_bodies == 0);
    tn_world_destroy(world);
    return hash;
}

LONG_TEST(contact_sweeps, are_as_many_for_any_number_of_workers_in_clusters_too, .timeout = 60) {
    uint64_t one = let_towers_settle(1);
    cr_expect(let_towers_settle(3) == one);
}
