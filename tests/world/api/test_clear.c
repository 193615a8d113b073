// A cleared world is as a new one with its settings: empty, and what is made in it goes the same
// way.
#include "scenes/scene.h"
#include "tests/support/budget.h"
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

TestSuite(clear, .timeout = 600);

static tn_world *world;
static test_reports reports;

// ---- scenes -------------------------------------------------------------------------------------

static uint64_t run_for(scene_run *run, int steps) {
    for (int i = 0; i < steps; ++i) {
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    return tn_world_get_hash(run->world);
}

static void check_scene(const scene *item, int steps) {
    scene_run *run = scene_run_create(item, NULL, NULL);
    cr_assert_not_null(run);
    steps = long_test_steps(run->world, steps);
    uint64_t hash = run_for(run, steps);
    for (int round = 0; round < 2; ++round) {
        cr_assert(scene_run_restart(run), "%s", item->name);
        cr_assert(run_for(run, steps) == hash, "%s, round %d", item->name, round);
        run_for(run, 7);
    }
    scene_run_destroy(run);
}

LONG_TEST(clear, every_scene_goes_the_same_way_again) {
    uint32_t count;
    const scene *const *scenes = scene_get_all(&count);
    for (uint32_t i = 0; i < count; ++i) {
        check_scene(scenes[i], 20);
    }
}

Test(clear, scenes_of_each_kind_go_the_same_way_again) {
    static const char *const names[] = {"four_bar",   "pinball", "tackle", "belt_drive", "net",
                                        "card_house", "jelly",   "puppet", "mesh_ground"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        check_scene(scene_find(names[i]), 40);
    }
}

// ---- what is left -------------------------------------------------------------------------------

typedef struct objects {
    tn_body_id floor, box, ball;
    tn_shape_id shape, sensor;
    tn_joint_id joint;
    tn_force_id force;
} objects;

static objects make_objects(void) {
    objects made = {.floor = test_floor_create(world)};
    made.box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    made.ball = test_ball_create(world, 0.0, 1.5, 0.0, 0.5f);
    made.shape = test_first_shape(world, made.box);
    tn_shape_def sensor = tn_shape_def_default();
    sensor.is_sensor = true;
    made.sensor = tn_sphere_shape_create(world, made.floor, &sensor, 2.0f);
    made.joint = test_bodies_tie(world, made.box, made.ball);
    tn_spring_force_def spring = tn_spring_force_def_default();
    spring.base.connectors[0].body = made.ball;
    spring.spring.stiffness = 1.0;
    made.force = tn_spring_force_create(world, &spring);
    cr_assert(made.sensor.value != 0 && made.force.value != 0);
    cr_assert(tn_world_set_pair_collision(world, made.floor, made.ball, false) == TN_RESULT_OK);
    return made;
}

static bool has_no_events(void) {
    tn_events events = tn_world_get_events(world);
    return events.begin_count + events.end_count + events.hit_count + events.move_count +
               events.sleep_count + events.joint_break_count + events.joint_limit_count +
               events.sensor_begin_count + events.sensor_end_count + events.persist_count ==
           0;
}

Test(clear, leaves_no_object_no_event_and_no_time) {
    world = test_world_create(&reports);
    objects made = make_objects();
    test_step(world, 3);
    tn_events events = tn_world_get_events(world);
    cr_assert(events.move_count > 0 && tn_world_count_contacts(world) > 0);
    cr_assert(tn_world_clear(world) == TN_RESULT_OK);
    cr_assert(has_no_events());
    cr_assert(tn_world_count_bodies(world) == 0 && tn_world_count_joints(world) == 0 &&
              tn_world_count_contacts(world) == 0 && tn_world_count_forces(world) == 0);
    cr_assert(tn_world_get_time(world) == 0.0 && tn_world_get_step_count(world) == 0);
    cr_assert(!tn_body_is_valid(world, made.box) && !tn_shape_is_valid(world, made.shape) &&
              !tn_shape_is_valid(world, made.sensor) && !tn_joint_is_valid(world, made.joint) &&
              !tn_force_is_valid(world, made.force));
    test_step(world, 2);
    cr_assert(has_no_events()); // nor do the ends of what is gone come later
    test_world_destroy_quiet(world, &reports);
}

// Even where the new objects take the slots of the old ones.
Test(clear, leaves_handles_stale) {
    world = test_world_create(&reports);
    enum {
        COUNT = 1500
    };
    static tn_body_id old[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        old[i] = test_body_create(world, TN_BODY_TYPE_STATIC, i, 0.0, 0.0);
    }
    for (int round = 0; round < 3; ++round) {
        cr_assert(tn_world_clear(world) == TN_RESULT_OK);
        for (int i = 0; i < COUNT; ++i) {
            test_body_create(world, TN_BODY_TYPE_STATIC, i, 0.0, 0.0);
        }
        for (int i = 0; i < COUNT; ++i) {
            cr_assert(!tn_body_is_valid(world, old[i]));
        }
    }
    TEST_REPORTS(&reports, tn_body_set_awake(world, old[0], true), TN_RESULT_INVALID_ID);
    tn_world_destroy(world);
}

Test(clear, leaves_contacts_stale) {
    world = test_world_create(&reports);
    tn_contact_id old, now;
    for (int round = 0; round < 3; ++round) {
        make_objects();
        test_step(world, 2);
        cr_assert(tn_world_get_contacts(world, &now, 1) > 0);
        cr_assert(round == 0 || now.value != old.value);
        if (round > 0) {
            TEST_REPORTS(&reports, tn_contact_get(world, old), TN_RESULT_INVALID_ID);
        }
        old = now;
        tn_world_clear(world);
        TEST_REPORTS(&reports, tn_contact_get(world, old), TN_RESULT_INVALID_ID);
    }
    tn_world_destroy(world);
}

Test(clear, keeps_settings_and_callbacks) {
    tn_world_def def = tn_world_def_default();
    int mark = 0;
    def.user_data = &mark;
    world = test_def_world_create(def, &reports);
    tn_world_set_gravity(world, (tn_vec3){0.0, -3.0, 0.0});
    tn_world_set_solver(world, TN_SOLVER_PGS);
    cr_assert(tn_world_clear(world) == TN_RESULT_OK);
    cr_assert(tn_world_get_gravity(world).y == -3.0 && tn_world_get_user_data(world) == &mark);
    cr_assert(tn_world_get_solver(world) == TN_SOLVER_PGS);
    TEST_REPORTS(&reports, tn_body_is_awake(world, (tn_body_id){12345}), TN_RESULT_INVALID_ID);
    tn_world_destroy(world);
}

// ---- memory -------------------------------------------------------------------------------------

Test(clear, takes_no_memory_and_gives_none_away_for_good) {
    tn_world_def def = tn_world_def_default();
    def.alloc = test_alloc;
    def.free = test_free;
    test_budget = 1000000;
    world = test_def_world_create(def, &reports);
    uint64_t bytes = 0;
    // Slots of handles are reused once 1,024 of a kind are free.
    for (int round = 0; round < 1200; ++round) {
        make_objects();
        test_step(world, 1);
        test_budget = 0;
        cr_assert(tn_world_clear(world) == TN_RESULT_OK);
        test_budget = 1000000;
        uint64_t now = tn_world_get_telemetry(world).bytes;
        cr_assert(round < 1100 || now == bytes, "%llu bytes instead of %llu",
                  (unsigned long long)now, (unsigned long long)bytes);
        bytes = now;
    }
    test_world_destroy_quiet(world, &reports);
    cr_assert(test_taken == 0);
}

// ---- refusals -----------------------------------------------------------------------------------

static tn_result from_callback;

static bool clear_in_a_step(const tn_world *locked, tn_shape_id a, tn_shape_id b, void *user_data) {
    (void)locked, (void)a, (void)b;
    from_callback = tn_world_clear(user_data);
    return true;
}

Test(clear, is_refused_from_a_callback_and_without_a_world) {
    world = test_world_create(&reports);
    make_objects();
    tn_world_set_contact_filter(world, clear_in_a_step, world);
    TEST_REPORTS(&reports, tn_world_step(world, 1.0 / 60.0, 4), TN_RESULT_WORLD_LOCKED);
    cr_assert(from_callback == TN_RESULT_WORLD_LOCKED && tn_world_count_bodies(world) == 3);
    cr_assert(tn_world_clear(NULL) == TN_RESULT_INVALID_ARGUMENT);
    tn_world_destroy(world);
}
