// Machines and dolls in parts, each of which goes through the substeps by itself, or with its
// contacts: the same bits on any number of workers, and as in passes over all of them.
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

// Of so many joints each, enough for two parts; and an odd number, so that one joint more does not
// cut them elsewhere.
#define MACHINES 71
#define FIRST    36 // of them are in the first part
#define JOINTS   10
#define ROOM     (MACHINES * JOINTS)

typedef struct crowd {
    tn_world *world;
    test_reports reports;
    tn_body_id bodies[ROOM];
    uint32_t count;
} crowd;

static crowd *crowd_create(uint32_t workers) {
    static crowd room[2];
    static uint32_t next = 0;
    crowd *c = &room[next++ % 2];
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_PGS;
    def.worker_count = workers;
    def.is_sleep_allowed = false;
    c->count = 0;
    c->world = test_def_world_create(def, &c->reports);
    return c;
}

static void crowd_destroy(crowd *c) {
    test_world_destroy_quiet(c->world, &c->reports);
}

static void crowd_tie(crowd *c, tn_body_id a, tn_body_id b, tn_vec3 at, float friction) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    def.friction = friction;
    cr_assert(tn_joint_def_set_frames(c->world, &def.base, a, b, at, (tn_vec3){1.0, 0.0, 0.0}));
    cr_assert(tn_ball_joint_create(c->world, &def).value != 0);
}

// A motor turns an arm, from which a chain hangs that ends in what is heavy: stiff under tension.
static void crowd_add_machine(crowd *c, uint32_t i) {
    double x = 12.0 * (double)(i % 8), z = 4.0 * (double)(i / 8);
    tn_body_id frame = test_body_create(c->world, TN_BODY_TYPE_STATIC, x, 0.0, z), last = frame;
    for (uint32_t k = 0; k < JOINTS; ++k) {
        tn_body_id link = test_box_create(c->world, TN_BODY_TYPE_DYNAMIC, x + 0.25 + 0.5 * k, 0.0,
                                          z, (tn_vec3){0.2, 0.05, k + 1 < JOINTS ? 0.05 : 0.9});
        tn_vec3 at = {x + 0.5 * k, 0.0, z};
        if (k == 0) {
            tn_hinge_joint_def def = tn_hinge_joint_def_default();
            def.motor.mode = TN_MOTOR_MODE_SPEED;
            def.motor.target_speed = 3.0f;
            def.motor.max_force = 40.0f;
            cr_assert(tn_joint_def_set_frames(c->world, &def.base, last, link, at,
                                              (tn_vec3){0.0, 0.0, 1.0}));
            cr_assert(tn_hinge_joint_create(c->world, &def).value != 0);
        } else {
            crowd_tie(c, last, link, at, k == 4 && i % 3 == 0 ? 0.3f : 0.0f);
        }
        c->bodies[c->count++] = last = link;
    }
}

static void crowd_add_machines(crowd *c) {
    for (uint32_t i = 0; i < MACHINES; ++i) {
        crowd_add_machine(c, i);
    }
}

// A snake of boxes along x.
static void crowd_add_snake(crowd *c, double x, double y, double z) {
    tn_body_id last = {0};
    for (uint32_t k = 0; k < JOINTS; ++k) {
        tn_body_id link = test_box_create(c->world, TN_BODY_TYPE_DYNAMIC, x + 0.5 * k, y, z,
                                          (tn_vec3){0.22, 0.1, 0.15});
        if (k > 0) {
            crowd_tie(c, last, link, (tn_vec3){x + 0.5 * k - 0.25, y, z}, k % 4 == 0 ? 0.5f : 0.0f);
        }
        c->bodies[c->count++] = last = link;
    }
}

// Layers of eight, so that some lie on others; `apart` is how far the second half is from them.
static void crowd_add_snakes(crowd *c, double apart) {
    for (uint32_t i = 0; i < MACHINES; ++i) {
        uint32_t half = i < FIRST ? 0 : 1, of_half = i - FIRST * half;
        double shift = 0.13 * (double)(of_half / 8);
        crowd_add_snake(c, shift + 0.3 * half, 0.2 + 0.25 * (double)(of_half / 8),
                        0.33 * (double)(of_half % 8) + shift + apart * half);
    }
}

// What hangs from a body that moves and does not give way: with it all go one phase after the
// other.
static void crowd_add_ride(crowd *c) {
    tn_body_id cart = test_body_create(c->world, TN_BODY_TYPE_KINEMATIC, 0.0, 50.0, -50.0);
    tn_body_id ball = test_ball_create(c->world, 0.0, 49.0, -50.0, 0.2f);
    tn_body_set_velocity(c->world, cart, (tn_velocity){.linear = {1.0, 0.0, 0.0}});
    test_bodies_tie(c->world, cart, ball);
}

static void assert_same_motion(crowd *p, crowd *q, int steps) {
    for (int step = 0; step < steps; ++step) {
        test_step(p->world, 1);
        test_step(q->world, 1);
        for (uint32_t i = 0; i < p->count; ++i) {
            tn_pose a = tn_body_get_pose(p->world, p->bodies[i]);
            tn_pose b = tn_body_get_pose(q->world, q->bodies[i]);
            cr_assert(memcmp(&a, &b, sizeof a) == 0, "body %u in step %d", i, step);
        }
    }
}

Test(joint_parts, machines_have_the_same_bits_on_any_number_of_workers, .timeout = 60) {
    uint64_t alone = 0;
    for (uint32_t workers = 1; workers <= 8; workers += workers == 1 ? 2 : 5) {
        crowd *c = crowd_create(workers);
        crowd_add_machines(c);
        test_step(c->world, 60);
        uint64_t hash = tn_world_get_hash(c->world);
        alone = workers == 1 ? hash : alone;
        cr_assert(hash == alone, "%u workers", workers);
        cr_assert(tn_world_get_telemetry(c->world).worst_joint_linear < 0.05);
        crowd_destroy(c);
    }
}

Test(joint_parts, machines_move_as_in_passes_over_all, .timeout = 60) {
    crowd *c = crowd_create(1), *d = crowd_create(1);
    crowd_add_machines(c);
    crowd_add_machines(d);
    crowd_add_ride(d);
    assert_same_motion(c, d, 60);
    crowd_destroy(c);
    crowd_destroy(d);
}

LONG_TEST(joint_parts, snakes_on_each_other_have_the_same_bits_on_any_number_of_workers,
          .timeout = 60) {
    uint64_t alone = 0;
    for (uint32_t workers = 1; workers <= 8; workers += workers == 1 ? 2 : 5) {
        crowd *c = crowd_create(workers);
        test_floor_create(c->world);
        crowd_add_snakes(c, 2.7);
        test_step(c->world, 150);
        tn_telemetry t = tn_world_get_telemetry(c->world);
        uint64_t hash = tn_world_get_hash(c->world);
        alone = workers == 1 ? hash : alone;
        cr_assert(hash == alone, "%u workers", workers);
        cr_assert(t.manifolds > 1000, "%u", t.manifolds);
        cr_assert(t.worst_joint_linear < 0.02, "%g m", t.worst_joint_linear);
        cr_assert(t.deepest_penetration < 0.03, "%g m", t.deepest_penetration);
        crowd_destroy(c);
    }
}

LONG_TEST(joint_parts, snakes_on_each_other_move_as_in_passes_over_all, .timeout = 60) {
    crowd *c = crowd_create(2), *d = crowd_create(1);
    test_floor_create(c->world);
    test_floor_create(d->world);
    crowd_add_snakes(c, 20.0);
    crowd_add_snakes(d, 20.0);
    crowd_add_ride(d);
    assert_same_motion(c, d, 60);
    cr_assert(tn_world_get_telemetry(c->world).manifolds > 1000);
    crowd_destroy(c);
    crowd_destroy(d);
}
