// A world that forgets its warm start goes on as one that was made with its poses and velocities.
#include <stdlib.h>

#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

static test_reports reports;

// Bodies that a world begins with; of none: as the builder places them.
enum {
    MOST = 40
};
typedef struct state {
    uint32_t count;
    tn_pose poses[MOST];
    tn_velocity velocities[MOST];
} state;

static state read_state(const tn_world *world) {
    state now = {.count = tn_world_count_bodies(world)};
    tn_body_id bodies[MOST];
    cr_assert(now.count <= MOST);
    tn_world_get_bodies(world, bodies, MOST);
    for (uint32_t i = 0; i < now.count; ++i) {
        now.poses[i] = tn_body_get_pose(world, bodies[i]);
        now.velocities[i] = tn_body_get_velocity(world, bodies[i]);
    }
    return now;
}

static void write_state(tn_world *world, const state *now) {
    tn_body_id bodies[MOST];
    cr_assert(tn_world_get_bodies(world, bodies, MOST) == now->count);
    for (uint32_t i = 0; i < now->count; ++i) {
        tn_body_set_pose(world, bodies[i], now->poses[i]);
        if (tn_body_get_type(world, bodies[i]) == TN_BODY_TYPE_DYNAMIC) {
            tn_body_set_velocity(world, bodies[i], now->velocities[i]);
        }
    }
}

// ---- worlds -------------------------------------------------------------------------------------

// Boxes that lean on each other and slide.
static void build_heap(tn_world *world) {
    test_floor_create(world);
    for (int i = 0; i < 12; ++i) {
        tn_body_id box =
            test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.3 * (i % 3), 0.6 + 0.9 * (i / 3),
                            0.4 * (i % 2), (tn_vec3){0.4, 0.4, 0.4});
        tn_body_set_velocity(world, box, (tn_velocity){{0.5, 0.0, 0.1 * i}, {0.1, 0.2, 0.0}});
    }
}

static void build_pillar(tn_world *world) {
    test_floor_create(world);
    for (int i = 0; i < 6; ++i) {
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5 + i, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    }
}

// A chain with a heavy end, which is exact, and hinges with a limit, a spring and a motor.
static void build_joints(tn_world *world) {
    tn_body_id before = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 10.0, 0.0);
    for (int i = 1; i <= 6; ++i) {
        tn_body_id next = test_ball_create(world, i, 10.0, 0.0, i == 6 ? 0.9f : 0.2f);
        test_bodies_tie(world, before, next);
        before = next;
    }
    for (int i = 0; i < 3; ++i) {
        tn_body_id wing = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 20.0 + 5.0 * i, 5.0, 0.0,
                                          (tn_vec3){1.0, 0.2, 0.3});
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, wing,
                                (tn_vec3){19.0 + 5.0 * i, 5.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0});
        hinge.limit = (tn_limit){.is_enabled = i == 0, .lower = -0.3f, .upper = 0.3f};
        hinge.spring.hertz = i == 1 ? 2.0f : 0.0f;
        hinge.spring.damping_ratio = 0.1f;
        if (i == 2) {
            hinge.motor =
                (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 2.0f, .max_force = 30.0f};
        }
        cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
    }
}

// A rope over a sheave between two loads, and a net of particles.
static void build_ropes(tn_world *world) {
    tn_body_id left = test_ball_create(world, -1.0, 3.0, 0.0, 0.3f);
    tn_body_id right = test_ball_create(world, 1.0, 3.0, 0.0, 0.4f);
    tn_rope_joint_def rope = tn_rope_joint_def_default();
    rope.points[0] = (tn_rope_point){.body = left};
    rope.points[1] = (tn_rope_point){.position = {0.0, 6.0, 0.0}};
    rope.points[2] = (tn_rope_point){.body = right};
    rope.point_count = 3;
    cr_assert(tn_rope_joint_create(world, &rope).value != 0);
}

typedef void (*build_fn)(tn_world *world);

static tn_world *make(build_fn build) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    tn_world *world = test_def_world_create(def, &reports);
    build(world);
    return world;
}

// ---- going on -----------------------------------------------------------------------------------

// Three worlds with the same poses and velocities: one that has come there, and forgets or not; and
// one that was made there.
static bool goes_on_as_new(build_fn build, int before, int steps, bool forgets) {
    tn_world *old = make(build), *new = make(build);
    test_step(old, before);
    state now = read_state(old);
    write_state(new, &now);
    if (forgets) {
        cr_assert(tn_world_clear_warm_start(old) == TN_RESULT_OK);
    }
    test_step(old, steps);
    test_step(new, steps);
    bool is_same = tn_world_get_hash(old) == tn_world_get_hash(new);
    test_world_destroy_quiet(new, &reports);
    test_world_destroy_quiet(old, &reports);
    return is_same;
}

// After many steps the order in which contacts were made shows, where there are many.
static void check(build_fn build, int steps) {
    for (int before = 2; before < 80; before += 9) {
        cr_assert(goes_on_as_new(build, before, 1, true), "1 step after %d", before);
        cr_assert(goes_on_as_new(build, before, steps, true), "%d steps after %d", steps, before);
    }
    cr_assert(!goes_on_as_new(build, 50, 1, false));
}

LONG_TEST(warm_start, of_contacts_is_forgotten) {
    check(build_heap, 2);
}

Test(warm_start, of_a_stack_is_forgotten) {
    check(build_pillar, 40);
}

Test(warm_start, of_joints_and_mechanisms_is_forgotten) {
    check(build_joints, 40);
}

Test(warm_start, of_ropes_is_forgotten) {
    check(build_ropes, 40);
}

// A world that is put back and forgets repeats itself.
Test(warm_start, does_not_outlive_a_return_by_hand) {
    tn_world *world = make(build_heap);
    test_step(world, 60);
    state now = read_state(world);
    uint64_t hashes[2];
    for (int round = 0; round < 2; ++round) {
        write_state(world, &now);
        cr_assert(tn_world_clear_warm_start(world) == TN_RESULT_OK);
        test_step(world, 1);
        hashes[round] = tn_world_get_hash(world);
        test_step(world, 3);
    }
    cr_assert(hashes[0] == hashes[1]);
    test_world_destroy_quiet(world, &reports);
}

// ---- what stays ---------------------------------------------------------------------------------

Test(warm_start, leaves_sleep_and_handles_alone) {
    tn_world *world = test_world_create(&reports);
    test_floor_create(world);
    tn_body_id asleep = test_ball_create(world, 9.0, 0.5, 0.0, 0.5f);
    test_step(world, 120);
    tn_body_id body =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_step(world, 5);
    tn_contact_id contact;
    cr_assert(!tn_body_is_awake(world, asleep) && tn_body_is_awake(world, body));
    cr_assert(tn_body_get_contacts(world, body, &contact, 1) == 1);
    cr_assert(tn_world_clear_warm_start(world) == TN_RESULT_OK);
    test_step(world, 1);
    tn_contact_id now;
    tn_events events = tn_world_get_events(world);
    cr_assert(tn_body_get_contacts(world, body, &now, 1) == 1 && now.value == contact.value);
    cr_assert(events.begin_count == 1 && events.end_count == 1 && events.sleep_count == 0);
    cr_assert(events.begins[0].contact.value == contact.value);
    cr_assert(events.ends[0].contact.value == contact.value);
    cr_assert(!tn_body_is_awake(world, asleep));
    test_world_destroy_quiet(world, &reports);
}

static tn_result from_callback;

static bool forget_in_a_step(const tn_world *locked, tn_shape_id a, tn_shape_id b,
                             void *user_data) {
    (void)locked, (void)a, (void)b;
    from_callback = tn_world_clear_warm_start(user_data);
    return true;
}

Test(warm_start, is_not_forgotten_from_a_callback_or_without_a_world) {
    tn_world *world = test_world_create(&reports);
    test_floor_create(world);
    test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
    tn_world_set_contact_filter(world, forget_in_a_step, world);
    TEST_REPORTS(&reports, tn_world_step(world, 1.0 / 60.0, 4), TN_RESULT_WORLD_LOCKED);
    cr_assert(from_callback == TN_RESULT_WORLD_LOCKED);
    cr_assert(tn_world_clear_warm_start(NULL) == TN_RESULT_INVALID_ARGUMENT);
    tn_world_destroy(world);
}
