// The state of some bodies comes back from a snapshot, and the others are as they were.
#include <stdlib.h>

#include "tests/world/world_test.h"

#define BOXES 8u

typedef struct some_bytes {
    unsigned char *bytes;
    uint64_t size;
} some_bytes;

static some_bytes take(const tn_world *world) {
    some_bytes taken = {.size = tn_world_save(world, NULL, 0)};
    taken.bytes = malloc((size_t)taken.size);
    cr_assert(tn_world_save(world, taken.bytes, taken.size) == taken.size);
    return taken;
}

// Two towers of four boxes that stand apart.
static tn_world *make_towers(tn_body_id bodies[BOXES], const tn_world_def *def) {
    tn_world *world = tn_world_create(def, NULL);
    test_floor_create(world);
    for (uint32_t i = 0; i < BOXES; ++i) {
        bodies[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 5.0 * (i / 4), 0.5 + i % 4, 0.0,
                                    (tn_vec3){0.5, 0.5, 0.5});
    }
    return world;
}

static tn_world_def make_sleepless(void) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    return def;
}

typedef struct body_state {
    tn_pose pose;
    tn_velocity velocity;
    bool is_awake;
} body_state;

static body_state get_state(const tn_world *world, tn_body_id body) {
    return (body_state){tn_body_get_pose(world, body), tn_body_get_velocity(world, body),
                        tn_body_is_awake(world, body)};
}

// All numbers of a state are doubles without padding between them.
static bool is_same(body_state p, body_state q) {
    return memcmp(&p.pose, &q.pose, sizeof p.pose) == 0 &&
           memcmp(&p.velocity, &q.velocity, sizeof p.velocity) == 0 && p.is_awake == q.is_awake;
}

Test(snapshot_some, restored_bodies_are_the_same_and_others_are_not_touched) {
    tn_world_def def = make_sleepless();
    tn_body_id bodies[BOXES];
    tn_world *world = make_towers(bodies, &def);
    body_state before[BOXES], now[BOXES];
    for (uint32_t i = 0; i < BOXES; ++i) {
        tn_body_set_linear_velocity(world, bodies[i], (tn_vec3){0.5, 1.0 + i, 0.25 * i});
        tn_body_set_angular_velocity(world, bodies[i], (tn_vec3){0.1 * i, 2.0, 0.3});
    }
    test_step(world, 20);
    some_bytes taken = take(world);
    for (uint32_t i = 0; i < BOXES; ++i) {
        before[i] = get_state(world, bodies[i]);
    }
    test_step(world, 40);
    for (uint32_t i = 0; i < BOXES; ++i) {
        now[i] = get_state(world, bodies[i]);
        cr_assert(!is_same(before[i], now[i]));
    }
    const tn_body_id some[] = {bodies[6], bodies[1], bodies[6]};
    cr_assert(tn_world_load_bodies(world, taken.bytes, taken.size, some, 3) == TN_RESULT_OK);
    for (uint32_t i = 0; i < BOXES; ++i) {
        bool comes_back = i == 6 || i == 1;
        cr_assert(is_same(get_state(world, bodies[i]), comes_back ? before[i] : now[i]), "%u", i);
    }
    free(taken.bytes);
    tn_world_destroy(world);
}

static double get_impulse(const tn_world *world, tn_body_id body) {
    tn_contact_id contacts[8];
    uint32_t count = tn_body_get_contacts(world, body, contacts, 8);
    double sum = 0.0;
    for (uint32_t i = 0; i < count && i < 8; ++i) {
        tn_contact contact = tn_contact_get(world, contacts[i]);
        for (uint32_t k = 0; k < contact.point_count; ++k) {
            sum += (double)contact.points[k].normal_impulse;
        }
    }
    return sum;
}

// A tower that was struck is put back with the impulses that hold it.
Test(snapshot_some, a_tower_stands_on_with_the_impulses_that_it_had) {
    tn_world_def def = make_sleepless();
    tn_body_id bodies[BOXES];
    tn_world *world = make_towers(bodies, &def);
    test_step(world, 120);
    some_bytes taken = take(world);
    double impulse = get_impulse(world, bodies[0]);
    cr_assert(impulse > 0.0);
    for (uint32_t i = 0; i < 4; ++i) {
        tn_body_apply_impulse(world, bodies[i], (tn_vec3){0.0, -400.0, 0.0});
    }
    test_step(world, 1);
    cr_assert(get_impulse(world, bodies[0]) > 1.5 * impulse);
    cr_assert(tn_world_load_bodies(world, taken.bytes, taken.size, bodies, 4) == TN_RESULT_OK);
    cr_assert(get_impulse(world, bodies[0]) == impulse);
    free(taken.bytes);
    tn_world_destroy(world);
}

Test(snapshot_some, a_joint_gets_back_its_load_and_the_turns_that_it_counted) {
    tn_world_def def = make_sleepless();
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_id wheel = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, wheel, (tn_vec3){0, 0, 0},
                            (tn_vec3){0, 0, 1});
    hinge.limit = (tn_limit){.is_enabled = true, .lower = -100.0f, .upper = 100.0f};
    tn_joint_id joint = tn_hinge_joint_create(world, &hinge);
    tn_body_set_angular_velocity(world, wheel, (tn_vec3){0, 0, 12.0});
    test_step(world, 90);
    double angle = tn_hinge_joint_get_angle(world, joint);
    tn_reaction load = tn_joint_get_reaction(world, joint);
    cr_assert(angle > 12.0);
    some_bytes taken = take(world);
    test_step(world, 90);
    cr_assert(tn_world_load_bodies(world, taken.bytes, taken.size, &wheel, 1) == TN_RESULT_OK);
    cr_assert(tn_hinge_joint_get_angle(world, joint) == angle);
    tn_reaction now = tn_joint_get_reaction(world, joint);
    cr_assert(now.force.y == load.force.y && load.force.y > 0.0);
    free(taken.bytes);
    tn_world_destroy(world);
}

Test(snapshot_some, what_slept_sleeps_again_and_what_was_awake_wakes) {
    tn_body_id bodies[BOXES];
    tn_world *world = make_towers(bodies, NULL);
    tn_body_id ball = test_ball_create(world, 20.0, 200.0, 0.0, 0.5f);
    test_step(world, 300);
    body_state asleep = get_state(world, bodies[0]), falling = get_state(world, ball);
    cr_assert(!asleep.is_awake && falling.is_awake);
    some_bytes taken = take(world);
    tn_body_apply_impulse(world, bodies[3], (tn_vec3){900.0, 0.0, 0.0});
    test_step(world, 1200);
    cr_assert(!tn_body_is_awake(world, ball));
    const tn_body_id some[] = {bodies[0], bodies[1], bodies[2], bodies[3], ball};
    cr_assert(tn_world_load_bodies(world, taken.bytes, taken.size, some, 5) == TN_RESULT_OK);
    cr_assert(is_same(get_state(world, bodies[0]), asleep));
    cr_assert(is_same(get_state(world, ball), falling));
    test_step(world, 30);
    cr_assert(is_same(get_state(world, bodies[0]), asleep));
    free(taken.bytes);
    tn_world_destroy(world);
}

// One of a tower that slept comes back under others that are awake.
Test(snapshot_some, a_body_beside_what_is_awake_stays_awake) {
    tn_body_id bodies[BOXES];
    tn_world *world = make_towers(bodies, NULL);
    test_step(world, 300);
    cr_assert(!tn_body_is_awake(world, bodies[1]));
    some_bytes taken = take(world);
    tn_body_apply_impulse(world, bodies[3], (tn_vec3){0.0, 5.0, 0.0});
    test_step(world, 2);
    cr_assert(tn_body_is_awake(world, bodies[1]));
    cr_assert(tn_world_load_bodies(world, taken.bytes, taken.size, &bodies[1], 1) == TN_RESULT_OK);
    cr_assert(tn_body_is_awake(world, bodies[1]) && tn_body_is_awake(world, bodies[2]));
    free(taken.bytes);
    tn_world_destroy(world);
}

// ---- refusals -----------------------------------------------------------------------------------

static void check_refused(tn_world *world, const some_bytes *taken, const tn_body_id *bodies,
                          uint32_t count, tn_result expected) {
    some_bytes before = take(world);
    tn_result result = tn_world_load_bodies(world, taken->bytes, taken->size, bodies, count);
    cr_assert(result == expected, "%s, not %s", tn_result_name(result), tn_result_name(expected));
    some_bytes after = take(world);
    cr_assert(before.size == after.size &&
              memcmp(before.bytes, after.bytes, (size_t)before.size) == 0);
    free(before.bytes);
    free(after.bytes);
}

Test(snapshot_some, what_does_not_fit_is_refused_and_nothing_changes) {
    tn_body_id bodies[BOXES];
    tn_world *world = make_towers(bodies, NULL);
    test_step(world, 10);
    some_bytes taken = take(world);
    tn_body_id late = test_ball_create(world, 9.0, 1.0, 0.0, 0.5f);
    test_step(world, 10);
    const some_bytes none = {NULL, 0}, cut = {taken.bytes, taken.size - 1};
    check_refused(world, &none, bodies, 2, TN_RESULT_INVALID_ARGUMENT);
    check_refused(world, &taken, NULL, 2, TN_RESULT_INVALID_ARGUMENT);
    check_refused(world, &cut, bodies, 2, TN_RESULT_DAMAGED_DATA);
    check_refused(world, &taken, (tn_body_id[]){bodies[0], {0}}, 2, TN_RESULT_INVALID_ID);
    check_refused(world, &taken, (tn_body_id[]){bodies[0], late}, 2, TN_RESULT_UNKNOWN_OBJECT);
    tn_body_set_type(world, bodies[2], TN_BODY_TYPE_KINEMATIC);
    check_refused(world, &taken, bodies, 3, TN_RESULT_WRONG_TYPE);
    tn_body_destroy(world, bodies[1]);
    check_refused(world, &taken, bodies, 2, TN_RESULT_INVALID_ID);
    cr_assert(tn_world_load_bodies(world, taken.bytes, taken.size, bodies, 1) == TN_RESULT_OK);
    cr_assert(tn_world_load_bodies(world, taken.bytes, taken.size, NULL, 0) == TN_RESULT_OK);
    cr_assert(tn_world_load_bodies(NULL, taken.bytes, taken.size, bodies, 1) != TN_RESULT_OK);
    free(taken.bytes);
    tn_world_destroy(world);
}

Test(snapshot_some, a_body_that_coordinates_move_is_refused) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id body = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0, 1, 0, (tn_vec3){1, 1, 1});
    some_bytes taken = take(world);
    tn_affine_def def = tn_affine_def_default();
    def.body = body;
    cr_assert(tn_affine_create(world, &def).value != 0);
    check_refused(world, &taken, &body, 1, TN_RESULT_WRONG_TYPE);
    free(taken.bytes);
    tn_world_destroy(world);
}

// Two worlds that go back alike go on alike.
Test(snapshot_some, two_worlds_go_back_and_on_alike) {
    tn_body_id bodies[BOXES];
    uint64_t hashes[2];
    for (int k = 0; k < 2; ++k) {
        tn_world_def def = tn_world_def_default();
        def.worker_count = 1 + 2 * (uint32_t)k;
        tn_world *world = make_towers(bodies, &def);
        test_step(world, 30);
        some_bytes taken = take(world);
        tn_body_apply_impulse(world, bodies[2], (tn_vec3){300.0, 0.0, 0.0});
        test_step(world, 60);
        const tn_body_id some[] = {bodies[k == 0 ? 2 : 3], bodies[k == 0 ? 3 : 2]};
        cr_assert(tn_world_load_bodies(world, taken.bytes, taken.size, some, 2) == TN_RESULT_OK);
        test_step(world, 200);
        hashes[k] = tn_world_get_hash(world);
        free(taken.bytes);
        tn_world_destroy(world);
    }
    cr_assert(hashes[0] == hashes[1]);
}
