// Small islands go through all substeps in clusters; nothing tells a world in clusters from one
// whose sweeps go over everything but the order of the sums, and that does not depend on workers.
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

static const tn_vec3 half = {0.5, 0.5, 0.5};

typedef struct yard {
    tn_world *world;
    test_reports reports;
    tn_body_id bridges[20];
} yard;

static tn_body_id yard_add(const yard *y, int kind, double x, double height, double z) {
    tn_body_id body = test_body_create(y->world, TN_BODY_TYPE_DYNAMIC, x, height, z);
    tn_shape_def def = tn_shape_def_default();
    def.material.restitution = kind == 1 ? 0.5f : 0.0f;
    def.material.rolling_resistance = kind == 2 ? 0.05f : 0.0f;
    tn_vec3 slim = {0.5, 0.5, kind == 3 ? 0.3 : 0.5};
    tn_shape_id shape = kind == 2 ? tn_sphere_shape_create(y->world, body, &def, 0.5f)
                                  : tn_box_shape_create(y->world, body, &def, slim);
    cr_assert(shape.value != 0);
    return body;
}

// Columns of three: boxes, some that bounce, balls that roll, and boxes that tumble.
static void yard_create(yard *y, uint32_t workers, bool has_ledger) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    def.has_energy_ledger = has_ledger;
    def.is_sleep_allowed = false;
    y->world = test_def_world_create(def, &y->reports);
    test_floor_create(y->world);
    for (int i = 0; i < 400; ++i) {
        double x = 1.5 * (i % 20), z = 1.5 * (i / 20);
        for (int k = 0; k < 3; ++k) {
            yard_add(y, (i + k) % 4, x + 0.05 * (i % 7) * k, 0.5 + 1.01 * k, z);
        }
    }
}

// Planks over the tops of whole rows, which join them to islands too large, and away with them.
static void yard_bridge(yard *y) {
    for (int row = 0; row < 20; ++row) {
        y->bridges[row] = test_box_create(y->world, TN_BODY_TYPE_DYNAMIC, 14.25, 3.25, 1.5 * row,
                                          (tn_vec3){15.0, 0.2, 0.6});
    }
}

static void yard_clear(const yard *y) {
    for (int row = 0; row < 20; ++row) {
        tn_body_destroy(y->world, y->bridges[row]);
    }
}

static void yard_history(uint32_t workers, uint64_t hashes[4]) {
    yard y;
    yard_create(&y, workers, false);
    test_step(y.world, 10);
    hashes[0] = tn_world_get_hash(y.world);
    yard_bridge(&y);
    test_step(y.world, 15);
    hashes[1] = tn_world_get_hash(y.world);
    cr_assert(tn_world_get_telemetry(y.world).islands < 300);
    yard_clear(&y);
    test_step(y.world, 10);
    hashes[2] = tn_world_get_hash(y.world);
    tn_body_id pusher =
        test_box_create(y.world, TN_BODY_TYPE_KINEMATIC, -2.0, 1.0, 0.0, (tn_vec3){0.5, 1.0, 3.0});
    tn_body_set_velocity(y.world, pusher, (tn_velocity){.linear = {3.0, 0.0, 0.0}});
    test_step(y.world, 30);
    hashes[3] = tn_world_get_hash(y.world);
    test_world_destroy_quiet(y.world, &y.reports);
}

LONG_TEST(clusters, islands_that_join_and_part_have_the_same_bits_on_any_number_of_workers,
          .timeout = 60) {
    uint64_t alone[4], shared[4];
    yard_history(1, alone);
    for (uint32_t workers = 2; workers <= 8; workers += workers == 2 ? 1 : 5) {
        yard_history(workers, shared);
        cr_assert(memcmp(alone, shared, sizeof alone) == 0, "%u workers", workers);
    }
}

static void push_not(const tn_force_input *input, tn_force_output *output, void *user_data) {
    (void)input, (void)output, (void)user_data;
}

// A body on which a force acts is in no cluster; this one is nothing.
static void keep_out(tn_world *world, tn_body_id body) {
    tn_force_def def = tn_force_def_default();
    def.base.connectors[0].body = body;
    def.base.connector_count = 1;
    def.function = push_not;
    cr_assert(tn_force_create(world, &def).value != 0);
}

#define COLUMNS 400

// Steps columns of two, which have no order to speak of: one contact with the floor, one between
// the two. Finds where their upper boxes come.
static void columns_fall(bool is_swept, bool has_ledger, tn_pose poses[COLUMNS]) {
    tn_world_def def = tn_world_def_default();
    test_reports reports;
    tn_body_id tops[COLUMNS];
    def.has_energy_ledger = has_ledger;
    tn_world *world = test_def_world_create(def, &reports);
    test_floor_create(world);
    for (int i = 0; i < COLUMNS; ++i) {
        double x = 1.6 * (i % 20), z = 1.6 * (i / 20);
        tn_body_id base = test_box_create(world, TN_BODY_TYPE_DYNAMIC, x, 0.5, z, half);
        tops[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, x + 0.001 * i, 1.52, z, half);
        if (is_swept) {
            keep_out(world, base);
        }
    }
    test_step(world, 20);
    for (int i = 0; i < COLUMNS; ++i) {
        poses[i] = tn_body_get_pose(world, tops[i]);
    }
    test_world_destroy_quiet(world, &reports);
}

Test(clusters, columns_of_two_move_as_in_sweeps_over_all) {
    static tn_pose clustered[COLUMNS], swept[COLUMNS], measured[COLUMNS];
    columns_fall(false, false, clustered);
    columns_fall(true, false, swept);
    columns_fall(false, true, measured);
    cr_assert(memcmp(clustered, measured, sizeof measured) == 0);
    for (int i = 0; i < COLUMNS; ++i) { // a force has its body turned in other sums
        tn_vec3 p = clustered[i].position, q = swept[i].position;
        double off = sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y));
        cr_assert(off < 5e-4 && fabs(p.z - q.z) < 5e-4, "column %d: %g", i, off);
    }
}

// A ledger must not choose how a world is solved: the yard has islands of all kinds.
LONG_TEST(clusters, a_ledger_leaves_motion_alone_and_finds_all_work_on_any_number_of_workers) {
    tn_energy energies[3];
    uint64_t hashes[4];
    for (int i = 0; i < 4; ++i) {
        yard y;
        yard_create(&y, i == 1 ? 3 : 1, i < 3);
        tn_energy *energy = &energies[i < 3 ? i : 0];
        double before = tn_world_get_energy(y.world).kinetic;
        if (i == 2) {
            // A blocked island: what is left is still accounted for.
            tn_body_id pusher = test_box_create(y.world, TN_BODY_TYPE_KINEMATIC, -2.0, 1.0, 0.0,
                                                (tn_vec3){0.5, 1.0, 3.0});
            tn_body_set_velocity(y.world, pusher, (tn_velocity){.linear = {3.0, 0.0, 0.0}});
        }
        test_step(y.world, 30);
        hashes[i] = tn_world_get_hash(y.world);
        if (i < 3) {
            *energy = tn_world_get_energy(y.world);
            double sum = energy->gravity_work + energy->friction_work + energy->impact_work +
                         energy->damping_work + energy->force_work;
            double gain = energy->kinetic - before;
            cr_assert(energy->gravity_work > 1e5 && energy->impact_work < -1e4 &&
                      energy->friction_work < -100.0);
            cr_assert(fabs(gain - sum) < 1e-5 * energy->gravity_work, "%g of %g", gain - sum,
                      energy->gravity_work);
        }
        test_world_destroy_quiet(y.world, &y.reports);
    }
    cr_assert(hashes[0] == hashes[1] && hashes[0] == hashes[3]);
    cr_assert(energies[0].gravity_work == energies[1].gravity_work);
    cr_assert(energies[0].impact_work == energies[1].impact_work);
    cr_assert(energies[0].friction_work == energies[1].friction_work);
}

// Boxes that fall onto a floor at several moments.
typedef struct rain_hits {
    uint32_t count;
    double impulses;
    tn_hit_event first[64];
} rain_hits;

static rain_hits rain_fall(uint32_t workers, bool is_swept) {
    tn_world_def def = tn_world_def_default();
    test_reports reports;
    def.worker_count = workers;
    tn_world *world = test_def_world_create(def, &reports);
    rain_hits hits = {0};
    test_floor_create(world);
    for (int i = 0; i < 800; ++i) {
        tn_body_id body = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 1.6 * (i % 40),
                                          0.6 + 0.05 * (i % 9), 1.6 * (i / 40), half);
        if (is_swept) {
            keep_out(world, body);
        }
    }
    for (int frame = 0; frame < 30; ++frame) {
        test_step(world, 1);
        tn_events events = tn_world_get_events(world);
        for (uint32_t i = 0; i < events.hit_count; ++i, ++hits.count) {
            hits.impulses += (double)events.hits[i].impulse;
            if (hits.count < 64) {
                hits.first[hits.count] = events.hits[i];
            }
        }
    }
    test_world_destroy_quiet(world, &reports);
    return hits;
}

Test(clusters, hits_are_told_of_as_in_sweeps_over_all) {
    rain_hits all = rain_fall(1, true), alone = rain_fall(1, false), shared = rain_fall(3, false);
    cr_assert(all.count > 300 && alone.count == all.count);
    cr_assert(fabs(alone.impulses - all.impulses) < 1e-6 * all.impulses);
    cr_assert(shared.count == alone.count && shared.impulses == alone.impulses);
    for (int i = 0; i < 64; ++i) {
        const tn_hit_event *p = &alone.first[i], *q = &shared.first[i];
        cr_assert(p->shape_b.value == q->shape_b.value && p->speed == q->speed);
        cr_assert(p->speed > 1.0f && p->impulse == q->impulse && p->point.x == q->point.x);
    }
}

Test(clusters, columns_stand_and_fall_asleep) {
    tn_world_def def = tn_world_def_default();
    test_reports reports;
    tn_world *world = test_def_world_create(def, &reports);
    tn_body_id tops[200];
    test_floor_create(world);
    for (int i = 0; i < 200; ++i) {
        for (int k = 0; k < 3; ++k) {
            tops[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 1.6 * (i % 20), 0.5 + k,
                                      1.6 * (i / 20), half);
        }
    }
    test_step(world, 60);
    cr_assert(tn_world_get_telemetry(world).islands == 0 ||
              tn_world_get_telemetry(world).islands == 200);
    test_step(world, 60);
    cr_assert(tn_world_get_telemetry(world).awake_bodies == 0);
    for (int i = 0; i < 200; ++i) {
        TEST_NEAR(tn_body_get_center(world, tops[i]).y, 2.5, 0.002);
    }
    test_world_destroy_quiet(world, &reports);
}
