// Events: what a step tells, in which order, and what is kept for the next one.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(events, .init = setup, .fini = teardown);

static uint32_t slot(uint32_t handle) {
    return handle & 0x3fffffu;
}

Test(events, there_are_none_before_the_first_step) {
    tn_events events = tn_world_get_events(world);
    cr_assert(events.begin_count == 0 && events.end_count == 0 && events.hit_count == 0);
    cr_assert(events.joint_break_count == 0 && events.move_count == 0 && events.sleep_count == 0);
}

Test(events, a_stack_at_rest_does_not_flicker) {
    test_floor_create(world);
    for (int i = 0; i < 10; ++i) {
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5 + i, 0.0, (tn_vec3){0.5, 0.5, 0.5});
        test_ball_create(world, 3.0, 0.25 + 0.5 * i, 0.0, 0.25f);
    }
    tn_world_set_sleep_allowed(world, false);
    test_step(world, 60);
    for (int step = 0; step < 600; ++step) {
        test_step(world, 1);
        tn_events events = tn_world_get_events(world);
        cr_assert(events.begin_count == 0 && events.end_count == 0, "step %d: %u, %u", step,
                  events.begin_count, events.end_count);
    }
    tn_world_set_sleep_allowed(world, true);
    test_step(world, 60);
    cr_assert(tn_world_get_telemetry(world).awake_bodies == 0);
}

Test(events, a_contact_ends_when_it_has_opened_by_half_a_millimetre) {
    tn_world_set_gravity(world, (tn_vec3){0});
    test_floor_create(world);
    tn_body_id ball = test_ball_create(world, 0.0, 0.4999, 0.0, 0.5f);
    test_step(world, 1);
    cr_assert(tn_world_get_events(world).begin_count == 1);
    tn_pose pose = tn_body_get_pose(world, ball);
    pose.position.y = 0.5004;
    tn_body_set_pose(world, ball, pose);
    test_step(world, 1);
    cr_assert(tn_world_get_events(world).end_count == 0);
    pose.position.y = 0.5006;
    tn_body_set_pose(world, ball, pose);
    test_step(world, 1);
    cr_assert(tn_world_get_events(world).end_count == 1);
}

static bool pair_is_sorted(tn_shape_id a, tn_shape_id b, tn_shape_id next_a, tn_shape_id next_b) {
    return slot(a.value) < slot(next_a.value) ||
           (slot(a.value) == slot(next_a.value) && slot(b.value) < slot(next_b.value));
}

// Forty balls land on the floor and on each other, made in an order that is not that of the slots.
Test(events, are_sorted_and_complete) {
    test_floor_create(world);
    tn_body_id balls[80];
    for (int i = 0; i < 80; ++i) {
        balls[i] = test_ball_create(world, 1.01 * (i * 37 % 80), 2.0 + 0.01 * i, 0.0, 0.5f);
    }
    for (int i = 0; i < 80; i += 2) {
        tn_body_destroy(world, balls[i]);
    }
    uint32_t begins = 0, ends = 0, hits = 0;
    for (int step = 0; step < 400; ++step) {
        test_step(world, 1);
        tn_events events = tn_world_get_events(world);
        for (uint32_t i = 0; i < events.begin_count; ++i) {
            const tn_contact_event *e = &events.begins[i];
            cr_assert(tn_contact_get(world, e->contact).shape_a.value == e->shape_a.value);
            cr_assert(i == 0 ||
                      pair_is_sorted(e[-1].shape_a, e[-1].shape_b, e->shape_a, e->shape_b));
        }
        for (uint32_t i = 1; i < events.end_count; ++i) {
            const tn_contact_event *e = &events.ends[i];
            cr_assert(pair_is_sorted(e[-1].shape_a, e[-1].shape_b, e->shape_a, e->shape_b));
        }
        for (uint32_t i = 0; i < events.hit_count; ++i) {
            const tn_hit_event *e = &events.hits[i];
            cr_assert(e->speed >= 1.0f && e->impulse > 0.0f);
            cr_assert(i == 0 ||
                      pair_is_sorted(e[-1].shape_a, e[-1].shape_b, e->shape_a, e->shape_b));
        }
        for (uint32_t i = 1; i < events.move_count; ++i) {
            cr_assert(slot(events.moves[i - 1].body.value) < slot(events.moves[i].body.value));
        }
        for (uint32_t i = 1; i < events.sleep_count; ++i) {
            cr_assert(slot(events.sleeps[i - 1].body.value) < slot(events.sleeps[i].body.value));
        }
        begins += events.begin_count;
        ends += events.end_count;
        hits += events.hit_count;
    }
    cr_assert(begins >= 40 && hits >= 40, "%u begins, %u hits", begins, hits);
    cr_assert(begins - ends <= tn_world_count_contacts(world));
}

// The first ball touches the last one and the second the third: by the first shapes of the pairs
// that is their order, by the second ones the other.
Test(events, come_in_the_order_of_their_first_shapes) {
    tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
    tn_body_id balls[4];
    const double places[4] = {0.0, 5.0, 5.99, 0.99};
    for (int i = 0; i < 4; ++i) {
        balls[i] = test_ball_create(world, places[i], 0.0, 0.0, 0.5f);
    }
    test_step(world, 1);
    tn_events events = tn_world_get_events(world);
    cr_assert(events.begin_count == 2);
    for (int i = 0; i < 2; ++i) {
        cr_assert(events.begins[i].shape_a.value == test_first_shape(world, balls[i]).value);
        cr_assert(events.begins[i].shape_b.value == test_first_shape(world, balls[3 - i]).value);
    }
}

Test(events, a_ball_that_bounces_begins_hits_and_ends) {
    tn_body_id floor = test_floor_create(world);
    tn_body_id ball = test_ball_create(world, 0.0, 2.0, 0.0, 0.5f);
    tn_shape_set_material(world, test_first_shape(world, ball), (tn_material){.restitution = 1.0f});
    uint32_t begins = 0, ends = 0, hits = 0;
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        tn_events events = tn_world_get_events(world);
        begins += events.begin_count;
        ends += events.end_count;
        hits += events.hit_count;
        if (events.hit_count > 0) {
            cr_assert(events.hits[0].shape_a.value == test_first_shape(world, floor).value);
            // A fall of 1.5 m: sqrt(2 g h) = 5.4249 m/s.
            TEST_NEAR(events.hits[0].speed, 5.4249, 1e-3);
            TEST_NEAR(events.hits[0].point.y, 0.0, 0.1);
            TEST_NEAR(events.hits[0].normal.y, 1.0, 1e-6);
        }
    }
    cr_assert(begins == 1 && ends == 1 && hits == 1, "%u %u %u", begins, ends, hits);
}

// A ball that falls freely by `height`, alone or along an exact slider: when it hits, by the event.
static tn_hit_event fall_and_hit(double height, float restitution, bool slides, uint32_t substeps,
                                 double *out_time) {
    tn_world_def world_def = tn_world_def_default();
    world_def.solver = slides ? TN_SOLVER_DIRECT : TN_SOLVER_AUTO;
    tn_world *own = test_def_world_create(world_def, &reports);
    tn_hit_event hit = {.speed = 0.0f};
    tn_body_id floor = test_floor_create(own);
    tn_body_id ball = test_ball_create(own, 0.0, 0.5 + height, 0.0, 0.5f);
    tn_shape_set_material(own, test_first_shape(own, ball),
                          (tn_material){.restitution = restitution});
    if (slides) {
        tn_slider_joint_def def = tn_slider_joint_def_default();
        def.base.is_collision_allowed = true;
        cr_assert(tn_joint_def_set_frames(own, &def.base, floor, ball, (tn_vec3){0.0, 0.0, 0.0},
                                          (tn_vec3){0.0, 1.0, 0.0}));
        cr_assert(tn_slider_joint_create(own, &def).value != 0);
    }
    for (int i = 0; i < 120 && hit.shape_a.value == 0; ++i) {
        cr_assert(tn_world_step(own, 1.0 / 60.0, substeps) == TN_RESULT_OK);
        tn_events events = tn_world_get_events(own);
        hit = events.hit_count > 0 ? events.hits[0] : hit;
        *out_time = i / 60.0 + (double)hit.time;
    }
    test_world_destroy_quiet(own, &reports);
    return hit;
}

Test(events, a_hit_tells_when_in_the_step_it_was_and_how_fast) {
    static const double heights[] = {0.25, 1.0, 4.0};
    for (uint32_t i = 0; i < 3 * 2 * 2 * 2; ++i) {
        double height = heights[i % 3], time = 0.0;
        float restitution = i / 3 % 2 != 0 ? 0.8f : 0.0f;
        bool slides = i / 6 % 2 != 0;
        tn_hit_event hit = fall_and_hit(height, restitution, slides, i / 12 != 0 ? 4 : 1, &time);
        double right = sqrt(2.0 * height / 9.81), speed = 9.81 * right;
        cr_expect(fabs(time - right) < 2e-4, "%g m, %g, %d: %g s for %g", height,
                  (double)restitution, slides, time, right);
        // What does not bounce, or is held, has the speed of the step's start.
        double off = restitution > 0.0f && !slides ? 1e-3 : 9.81 / 60.0;
        cr_expect(fabs((double)hit.speed - speed) < off, "%g m, %g, %d: %g m/s for %g", height,
                  (double)restitution, slides, (double)hit.speed, speed);
    }
}

Test(events, a_resting_body_begins_once_and_never_flickers) {
    test_floor_create(world);
    test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.6, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    uint32_t begins = 0, ends = 0;
    for (int i = 0; i < 300; ++i) {
        test_step(world, 1);
        begins += tn_world_get_events(world).begin_count;
        ends += tn_world_get_events(world).end_count;
    }
    cr_assert(begins == 1 && ends == 0, "%u begins, %u ends", begins, ends);
}

Test(events, an_end_made_between_steps_comes_with_the_next) {
    test_floor_create(world);
    tn_body_id ball = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
    tn_shape_id shape = test_first_shape(world, ball);
    test_step(world, 1);
    tn_body_destroy(world, ball);
    cr_assert(tn_world_get_events(world).end_count == 0);
    test_step(world, 1);
    tn_events events = tn_world_get_events(world);
    cr_assert(events.end_count == 1);
    cr_assert(events.ends[0].shape_b.value == shape.value && events.ends[0].contact.value == 0);
    test_step(world, 1);
    cr_assert(tn_world_get_events(world).end_count == 0);
}

// More than one worker takes at once, among them some that stand still.
Test(events, moves_of_many_bodies_come_in_order_from_any_number_of_workers) {
    for (uint32_t workers = 1; workers <= 3; ++workers) {
        tn_world_def def = tn_world_def_default();
        test_reports many_reports;
        def.worker_count = workers;
        tn_world *many = test_def_world_create(def, &many_reports);
        tn_body_id falling[3000];
        uint32_t count = 0;
        for (int i = 0; i < 4000; ++i) {
            bool falls = i < 1000 || i % 3 != 0;
            tn_body_type type = falls ? TN_BODY_TYPE_DYNAMIC : TN_BODY_TYPE_KINEMATIC;
            tn_body_id body = test_body_create(many, type, i, 0.0, 0.0);
            if (falls) {
                falling[count++] = body;
            }
        }
        test_step(many, 1);
        tn_events events = tn_world_get_events(many);
        cr_assert(count == 3000 && events.move_count == count);
        for (uint32_t i = 0; i < count; ++i) {
            tn_pose pose = tn_body_get_pose(many, falling[i]);
            cr_assert(events.moves[i].body.value == falling[i].value, "event %u", i);
            cr_assert(memcmp(&pose, &events.moves[i].pose, sizeof pose) == 0, "event %u", i);
        }
        test_world_destroy_quiet(many, &many_reports);
    }
}

Test(events, moves_tell_every_awake_body_and_its_pose) {
    int tag;
    tn_body_def def = tn_body_def_default();
    def.user_data = &tag;
    tn_body_id body = tn_body_create(world, &def);
    tn_body_id lift = test_body_create(world, TN_BODY_TYPE_KINEMATIC, 5.0, 0.0, 0.0);
    test_body_create(world, TN_BODY_TYPE_STATIC, 9.0, 0.0, 0.0);
    test_step(world, 1);
    tn_events events = tn_world_get_events(world);
    cr_assert(events.move_count == 1 && events.moves[0].body.value == body.value);
    cr_assert(events.moves[0].user_data == &tag && !events.moves[0].fell_asleep);
    tn_pose pose = tn_body_get_pose(world, body);
    cr_assert(memcmp(&pose, &events.moves[0].pose, sizeof pose) == 0);
    tn_body_set_linear_velocity(world, lift, (tn_vec3){1.0, 0.0, 0.0});
    test_step(world, 1);
    cr_assert(tn_world_get_events(world).move_count == 2);
}

Test(events, a_renderer_reads_what_moved_in_one_call) {
    tn_body_id bodies[3];
    for (int i = 0; i < 3; ++i) {
        bodies[i] = test_ball_create(world, 1e6 + i, 5.0, 0.0, 0.25f);
        tn_body_set_angular_velocity(world, bodies[i], (tn_vec3){1.0, 2.0, i});
    }
    float poses[14] = {0.0f};
    tn_body_id moved[2];
    tn_vec3 origin = {1e6, 0.0, 0.0};
    cr_assert(tn_world_get_moved_poses(world, origin, poses, moved, 2) == 0);
    test_step(world, 3);
    cr_assert(tn_world_get_moved_poses(world, origin, NULL, NULL, 2) == 3);
    cr_assert(tn_world_get_moved_poses(world, origin, poses, moved, 2) == 3);
    for (int i = 0; i < 2; ++i) {
        tn_pose pose = tn_body_get_pose(world, bodies[i]);
        cr_assert(moved[i].value == bodies[i].value);
        cr_assert(poses[7 * i] == (float)(pose.position.x - 1e6));
        cr_assert(poses[7 * i + 1] == (float)pose.position.y);
        cr_assert(poses[7 * i + 3] == (float)pose.rotation.x && poses[7 * i + 3] != 0.0f);
        cr_assert(poses[7 * i + 6] == (float)pose.rotation.w);
    }
    cr_assert(tn_world_get_moved_poses(NULL, origin, poses, moved, 2) == 0);
}

Test(events, a_kinematic_body_tells_of_the_steps_in_which_it_goes_to_a_target) {
    tn_body_id lift =
        test_box_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, 0.0, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_ball_create(world, 0.0, 9.0, 0.0, 0.25f);
    for (int step = 0; step < 6; ++step) {
        bool goes = step % 2 == 0;
        tn_pose target = tn_body_get_pose(world, lift);
        target.position.y += 0.1;
        if (goes) {
            tn_body_set_target_pose(world, lift, target, 1.0 / 60.0);
        }
        test_step(world, 1);
        tn_events events = tn_world_get_events(world);
        cr_assert(events.move_count == (goes ? 2 : 1), "step %d: %u", step, events.move_count);
        if (goes) {
            cr_assert(events.moves[0].body.value == lift.value);
            TEST_NEAR(events.moves[0].pose.position.y, target.position.y, 1e-9);
        }
    }
}

Test(events, falling_asleep_and_waking_are_told_once) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    uint32_t slept = 0, woke = 0, last_moves = 0;
    for (int i = 0; i < 300; ++i) {
        test_step(world, 1);
        tn_events events = tn_world_get_events(world);
        for (uint32_t j = 0; j < events.sleep_count; ++j) {
            cr_assert(events.sleeps[j].body.value == box.value);
            slept += !events.sleeps[j].is_awake;
            woke += events.sleeps[j].is_awake;
        }
        last_moves += events.move_count == 1 && events.moves[0].fell_asleep;
    }
    cr_assert(slept == 1 && woke == 0 && last_moves == 1);
    tn_body_set_awake(world, box, true);
    tn_body_set_awake(world, box, false);
    tn_body_set_awake(world, box, true);
    test_step(world, 1);
    tn_events events = tn_world_get_events(world);
    cr_assert(events.sleep_count == 1 && events.sleeps[0].is_awake);
    // Woken and gone before the step: nothing to tell.
    tn_body_set_awake(world, box, false);
    tn_body_destroy(world, box);
    test_step(world, 1);
    cr_assert(tn_world_get_events(world).sleep_count == 0);
}

Test(events, a_broken_joint_is_told_with_its_force) {
    int tag;
    tn_body_id ball = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_ball_joint_def def = tn_ball_joint_def_default();
    def.base.body_b = ball;
    def.base.break_force = 10.0f;
    def.base.user_data = &tag;
    tn_joint_id joint = tn_ball_joint_create(world, &def);
    test_step(world, 1);
    tn_events events = tn_world_get_events(world);
    cr_assert(events.joint_break_count == 1 && !tn_joint_is_valid(world, joint));
    cr_assert(events.joint_breaks[0].joint.value == joint.value);
    cr_assert(events.joint_breaks[0].body_b.value == ball.value);
    cr_assert(events.joint_breaks[0].user_data == &tag && events.joint_breaks[0].force > 10.0f);
}

// ---- contacts that last -----------------------------------------------------------------------

// Twenty boxes in rows on a floor: each step reports the contacts of those that want it, in order,
// with the weight that they bear. What sleeps is silent.
Test(events, report_contacts_that_last_of_shapes_that_want_it) {
    tn_shape_id plane = test_first_shape(world, test_floor_create(world));
    tn_body_id boxes[20];
    for (int i = 0; i < 20; ++i) {
        boxes[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 2.0 * (i * 7 % 20), 0.5, 0.0,
                                   (tn_vec3){0.5, 0.5, 0.5});
    }
    test_step(world, 5);
    cr_assert(tn_world_get_events(world).persist_count == 0);
    for (int i = 0; i < 20; i += 2) {
        tn_shape_set_persist_events(world, test_first_shape(world, boxes[i]), true);
    }
    cr_assert(tn_shape_has_persist_events(world, test_first_shape(world, boxes[4])));
    test_step(world, 5);
    tn_events events = tn_world_get_events(world);
    cr_assert(events.persist_count == 10, "%u", events.persist_count);
    for (uint32_t i = 0; i < events.persist_count; ++i) {
        const tn_persist_event *e = &events.persists[i];
        tn_contact contact = tn_contact_get(world, e->contact);
        cr_assert(contact.shape_a.value == e->shape_a.value &&
                  contact.shape_b.value == e->shape_b.value);
        cr_assert(i == 0 || pair_is_sorted(e[-1].shape_a, e[-1].shape_b, e->shape_a, e->shape_b));
        tn_body_id box = e->shape_a.value == plane.value ? contact.body_b : contact.body_a;
        tn_vec3 at = tn_body_get_center(world, box);
        TEST_NEAR(e->impulse, 1000.0 * 9.81 / 60.0, 0.5);
        TEST_NEAR(e->point.x, at.x, 2e-3);
        TEST_NEAR(e->point.y, 0.0, 1e-3);
        TEST_NEAR(fabs(e->normal.y), 1.0, 1e-6);
    }
    tn_shape_set_persist_events(world, plane, true);
    test_step(world, 1);
    cr_assert(tn_world_get_events(world).persist_count == 20);
    tn_body_destroy(world, boxes[3]);
    test_step(world, 1);
    cr_assert(tn_world_get_events(world).persist_count == 19);
    test_step(world, 120);
    cr_assert(tn_world_get_events(world).persist_count == 0, "they sleep");
    TEST_REPORTS(&reports, tn_shape_set_persist_events(world, (tn_shape_id){0}, true),
                 TN_RESULT_INVALID_ID);
}
