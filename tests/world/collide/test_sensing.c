// What sensors notice: exactly what overlaps them after a step, and nothing that they do to others.
#include <stdlib.h>
#include <tenon/sensor.h>

#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(sensing, .init = setup, .fini = teardown);

// A box on a body of its own.
static tn_shape_id make_sensor(tn_body_type type, double x, double y, double z, double half) {
    tn_shape_def def = tn_shape_def_default();
    def.is_sensor = true;
    tn_shape_id shape = tn_box_shape_create(world, test_body_create(world, type, x, y, z), &def,
                                            (tn_vec3){half, half, half});
    cr_assert(shape.value != 0);
    return shape;
}

static uint32_t count_overlaps(tn_shape_id sensor) {
    return tn_shape_get_overlaps(world, sensor, NULL, 0);
}

static bool overlaps(tn_shape_id sensor, tn_body_id body) {
    tn_shape_id shapes[64];
    uint32_t count = tn_shape_get_overlaps(world, sensor, shapes, 64);
    cr_assert(count <= 64);
    for (uint32_t i = 0; i < count; ++i) {
        if (tn_shape_get_body(world, shapes[i]).value == body.value) {
            return true;
        }
    }
    return false;
}

// Steps once; asserts how many overlaps began and ended.
static void step_and_expect(uint32_t begins, uint32_t ends) {
    test_step(world, 1);
    tn_events events = tn_world_get_events(world);
    cr_assert(events.sensor_begin_count == begins && events.sensor_end_count == ends,
              "%u begins, %u ends", events.sensor_begin_count, events.sensor_end_count);
}

static void put(tn_body_id body, double x, double y, double z) {
    tn_pose pose = tn_body_get_pose(world, body);
    pose.position = (tn_vec3){x, y, z};
    cr_assert(tn_body_set_pose(world, body, pose) == TN_RESULT_OK);
}

Test(sensing, begins_lasts_and_ends_as_a_ball_falls_through) {
    tn_shape_id sensor = make_sensor(TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, 1.0);
    tn_body_id ball = test_ball_create(world, 0.0, 3.0, 0.0, 0.25f);
    uint32_t begins = 0, ends = 0;
    for (int step = 0; step < 120; ++step) {
        test_step(world, 1);
        tn_events events = tn_world_get_events(world);
        double y = tn_body_get_pose(world, ball).position.y;
        cr_assert(overlaps(sensor, ball) == (fabs(y) <= 1.25), "at %g", y);
        cr_assert(events.begin_count == 0 && events.hit_count == 0);
        for (uint32_t i = 0; i < events.sensor_begin_count; ++i) {
            cr_assert(events.sensor_begins[i].sensor.value == sensor.value);
            cr_assert(events.sensor_begins[i].shape.value == test_first_shape(world, ball).value);
        }
        begins += events.sensor_begin_count;
        ends += events.sensor_end_count;
    }
    cr_assert(begins == 1 && ends == 1, "%u, %u", begins, ends);
    TEST_NEAR(tn_body_get_linear_velocity(world, ball).y, -2.0 * 9.81, 1e-5); // gravity is a float
}

Test(sensing, notices_bodies_of_every_type) {
    const tn_body_type types[] = {TN_BODY_TYPE_STATIC, TN_BODY_TYPE_KINEMATIC,
                                  TN_BODY_TYPE_DYNAMIC};
    tn_world_set_gravity(world, (tn_vec3){0});
    for (int s = 0; s < 3; ++s) {
        for (int v = 0; v < 3; ++v) {
            double x = 10.0 * s, z = 10.0 * v;
            tn_shape_id sensor = make_sensor(types[s], x, 0.0, z, 1.0);
            tn_body_id visitor =
                test_box_create(world, types[v], x + 1.2, 0.0, z, (tn_vec3){0.5, 0.5, 0.5});
            step_and_expect(1, 0);
            cr_assert(overlaps(sensor, visitor), "%d, %d", s, v);
            put(visitor, x + 1.6, 0.0, z);
            step_and_expect(0, 1);
            cr_assert(count_overlaps(sensor) == 0);
        }
    }
}

Test(sensing, is_of_surfaces_and_not_of_boxes) {
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_shape_id sensor = make_sensor(TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, 1.0);
    // The ball's middle is over the corner, along the diagonal.
    tn_body_id ball = test_ball_create(world, 1.3, 1.3, 1.3, 0.5f);
    step_and_expect(0, 0);
    put(ball, 1.28, 1.28, 1.28);
    step_and_expect(1, 0);
    cr_assert(overlaps(sensor, ball));
}

// Its box was moved in the tree of solid shapes, at the place of another one there.
Test(sensing, of_a_compound_goes_along_with_its_body) {
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_body_id first =
        test_box_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, 20.0, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_compound_child child = tn_compound_child_default();
    child.type = TN_SHAPE_TYPE_BOX;
    child.half_extents = (tn_vec3){0.5, 0.5, 0.5};
    tn_compound_def def = tn_compound_def_default();
    def.children = &child;
    def.child_count = 1;
    tn_compound *compound = tn_compound_create(&def, NULL);
    tn_body_id carrier = test_body_create(world, TN_BODY_TYPE_KINEMATIC, -4.0, 0.0, 0.0);
    tn_shape_def shape = tn_shape_def_default();
    shape.is_sensor = true;
    tn_shape_id sensor = tn_compound_shape_create(world, carrier, &shape, compound, NULL, 0);
    tn_compound_release(compound);
    tn_body_id visitor = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_body_set_velocity(world, carrier, (tn_velocity){.linear = {4.1, 0.0, 0.0}});
    for (int step = 0; step < 120; ++step) {
        test_step(world, 1);
        double x = tn_body_get_pose(world, carrier).position.x;
        cr_assert(overlaps(sensor, visitor) == (fabs(x) <= 1.0), "at %g", x);
    }
    tn_ray ray = tn_ray_make((tn_vec3){0.0, 30.0, 0.0}, (tn_vec3){0.0, -15.0, 0.0});
    tn_ray_hit hit;
    cr_assert(tn_world_cast_ray(world, &ray, &hit));
    cr_assert(tn_shape_get_body(world, hit.shape).value == first.value);
}

Test(sensing, sees_a_body_asleep_and_does_not_wake_it) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_shape_id sensor = make_sensor(TN_BODY_TYPE_STATIC, 20.0, 5.0, 0.0, 0.5);
    tn_body_id holder = tn_shape_get_body(world, sensor);
    test_step(world, 120);
    cr_assert_not(tn_body_is_awake(world, box));
    put(holder, 0.0, 1.2, 0.0);
    cr_assert_not(tn_body_is_awake(world, box), "moving a sensor wakes nobody");
    step_and_expect(1, 0);
    cr_assert(overlaps(sensor, box));
    cr_assert_not(tn_body_is_awake(world, box));
    for (int i = 0; i < 10; ++i) {
        step_and_expect(0, 0);
        cr_assert(overlaps(sensor, box));
    }
    tn_body_set_awake(world, box, true);
    step_and_expect(0, 0);
    test_step(world, 120);
    cr_assert_not(tn_body_is_awake(world, box));
    cr_assert(overlaps(sensor, box));
    put(holder, 20.0, 5.0, 0.0);
    step_and_expect(0, 1);
    cr_assert_not(tn_body_is_awake(world, box));
    tn_body_destroy(world, holder);
    cr_assert_not(tn_body_is_awake(world, box), "nor does destroying one");
}

Test(sensing, on_a_sleeping_body_sees_what_passes) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_step(world, 120);
    cr_assert_not(tn_body_is_awake(world, box));
    tn_shape_def def = tn_shape_def_default();
    def.is_sensor = true;
    tn_shape_id sensor = tn_sphere_shape_create(world, box, &def, 3.0f);
    cr_assert_not(tn_body_is_awake(world, box), "a sensor is added to a body asleep");
    step_and_expect(1, 0); // the floor
    tn_body_id ball = test_ball_create(world, 2.0, 4.0, 0.0, 0.1f);
    tn_body_set_linear_velocity(world, ball, (tn_vec3){0.0, -60.0, 0.0});
    test_step(world, 2);
    cr_assert(overlaps(sensor, ball));
    cr_assert_not(tn_body_is_awake(world, box));
}

Test(sensing, ends_when_a_shape_is_destroyed_disabled_filtered_or_solid) {
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_shape_id sensor = make_sensor(TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, 1.0);
    tn_body_id ball = test_ball_create(world, 0.0, 0.0, 0.0, 0.25f);
    tn_shape_id shape = test_first_shape(world, ball);
    step_and_expect(1, 0);
    tn_body_set_enabled(world, ball, false);
    cr_assert(count_overlaps(sensor) == 0);
    step_and_expect(0, 1);
    tn_body_set_enabled(world, ball, true);
    step_and_expect(1, 0);
    tn_filter apart = tn_filter_default();
    apart.mask = 2;
    tn_shape_set_filter(world, shape, apart);
    step_and_expect(0, 1);
    tn_shape_set_filter(world, shape, tn_filter_default());
    step_and_expect(1, 0);
    tn_body_set_enabled(world, tn_shape_get_body(world, sensor), false);
    step_and_expect(0, 1);
    tn_body_set_enabled(world, tn_shape_get_body(world, sensor), true);
    step_and_expect(1, 0);
    tn_shape_destroy(world, shape);
    cr_assert(count_overlaps(sensor) == 0);
    step_and_expect(0, 1);
    tn_events events = tn_world_get_events(world);
    cr_assert(events.sensor_ends[0].shape.value == shape.value && !tn_shape_is_valid(world, shape));
    tn_shape_def def = tn_shape_def_default();
    tn_sphere_shape_create(world, ball, &def, 0.25f);
    step_and_expect(1, 0);
    tn_shape_destroy(world, sensor);
    step_and_expect(0, 1);
    cr_assert(tn_world_get_events(world).sensor_ends[0].sensor.value == sensor.value);
}

Test(sensing, notices_another_sensor_only_by_choice) {
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_shape_id a = make_sensor(TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, 1.0);
    tn_shape_id b = make_sensor(TN_BODY_TYPE_DYNAMIC, 0.5, 0.0, 0.0, 1.0);
    step_and_expect(0, 0);
    cr_assert(tn_shape_set_detects_sensors(world, a, true) == TN_RESULT_OK);
    cr_assert(tn_shape_get_detects_sensors(world, a) && !tn_shape_get_detects_sensors(world, b));
    step_and_expect(1, 0);
    cr_assert(count_overlaps(a) == 1 && count_overlaps(b) == 0);
    tn_shape_set_detects_sensors(world, b, true);
    step_and_expect(1, 0);
    tn_shape_set_detects_sensors(world, a, false);
    step_and_expect(0, 1);
    cr_assert(count_overlaps(a) == 0 && count_overlaps(b) == 1);
}

Test(sensing, of_a_half_space_is_of_all_that_is_below) {
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_body_id ground = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, -5.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.is_sensor = true;
    tn_shape_id water = tn_half_space_shape_create(world, ground, &def);
    test_floor_create(world); // two half-spaces do not overlap
    tn_shape_id sensor = make_sensor(TN_BODY_TYPE_STATIC, 0.0, -5.5, 0.0, 1.0);
    step_and_expect(1, 0); // the floor, by the box
    tn_body_id ball = test_ball_create(world, 30.0, -5.2, 0.0, 0.5f);
    tn_body_id high = test_ball_create(world, 30.0, -4.2, 10.0, 0.5f);
    test_step(world, 1);
    cr_assert(overlaps(water, ball) && !overlaps(water, high));
    tn_shape_set_detects_sensors(world, sensor, true);
    tn_shape_set_detects_sensors(world, water, true);
    test_step(world, 1);
    cr_assert(overlaps(sensor, ground));
    cr_assert(overlaps(water, tn_shape_get_body(world, sensor)));
}

// ---- a crowd, against an independent answer ----------------------------------------------------

#define CROWD_SENSORS 40
#define CROWD_BALLS   120

typedef struct crowd {
    tn_shape_id sensors[CROWD_SENSORS];
    tn_body_id bodies[CROWD_SENSORS], balls[CROWD_BALLS];
    double sensor_radius[CROWD_SENSORS], ball_radius[CROWD_BALLS];
    bool known[CROWD_SENSORS][CROWD_BALLS]; // by the events alone
} crowd;

static double random_from(uint32_t *seed, double low, double high) {
    *seed = *seed * 1664525u + 1013904223u;
    return low + (high - low) * (double)(*seed >> 8) / 16777216.0;
}

static void crowd_make(crowd *c, uint32_t seed, bool has_sensors) {
    memset(c, 0, sizeof *c);
    tn_body_id floor_body = test_floor_create(world);
    tn_filter apart = tn_filter_default();
    apart.category = 2;
    tn_shape_set_filter(world, test_first_shape(world, floor_body), apart);
    for (int i = 0; i < CROWD_BALLS; ++i) {
        c->ball_radius[i] = random_from(&seed, 0.1, 0.4);
        double x = random_from(&seed, -4.0, 4.0), z = random_from(&seed, -4.0, 4.0);
        double y = random_from(&seed, 0.5, 12.0);
        c->balls[i] = test_ball_create(world, x, y, z, (float)c->ball_radius[i]);
        c->ball_radius[i] = (double)(float)c->ball_radius[i];
        tn_velocity fast = {{0.0, -20.0, 5.0}, {0.0, 0.0, 0.0}};
        tn_body_set_velocity(world, c->balls[i], fast);
    }
    for (int i = 0; i < CROWD_SENSORS; ++i) {
        c->sensor_radius[i] = random_from(&seed, 0.3, 1.5);
        double x = random_from(&seed, -4.0, 4.0), z = random_from(&seed, -4.0, 4.0);
        double y = random_from(&seed, 0.0, 3.0);
        tn_body_type type = i % 3 == 0 ? TN_BODY_TYPE_KINEMATIC : TN_BODY_TYPE_STATIC;
        c->bodies[i] = test_body_create(world, type, x, y, z);
        tn_shape_def def = tn_shape_def_default();
        def.is_sensor = true;
        def.filter.mask = 1;
        if (i % 4 == 1) { // it rides on a ball
            c->bodies[i] = c->balls[i];
        }
        if (has_sensors) {
            c->sensors[i] =
                tn_sphere_shape_create(world, c->bodies[i], &def, (float)c->sensor_radius[i]);
        }
        c->sensor_radius[i] = (double)(float)c->sensor_radius[i];
        if (i % 3 == 0 && i % 4 != 1) {
            tn_body_set_linear_velocity(world, c->bodies[i], (tn_vec3){1.0, 0.0, -0.5});
        }
    }
}

static int crowd_find_sensor(const crowd *c, tn_shape_id shape) {
    for (int i = 0; i < CROWD_SENSORS; ++i) {
        if (c->sensors[i].value == shape.value) {
            return i;
        }
    }
    cr_assert_fail("no sensor");
    return 0;
}

static int crowd_find_ball(const crowd *c, tn_shape_id shape) {
    tn_body_id body = tn_shape_get_body(world, shape);
    for (int i = 0; i < CROWD_BALLS; ++i) {
        if (c->balls[i].value == body.value) {
            return i;
        }
    }
    cr_assert_fail("no ball");
    return 0;
}

static void crowd_note(crowd *c, const tn_sensor_event *events, uint32_t count, bool begins) {
    for (uint32_t i = 0; i < count; ++i) {
        bool *known =
            &c->known[crowd_find_sensor(c, events[i].sensor)][crowd_find_ball(c, events[i].shape)];
        cr_assert(*known != begins, "an event comes twice");
        *known = begins;
        uint32_t mask = 0x3fffff;
        cr_assert(i == 0 || (events[i - 1].sensor.value & mask) < (events[i].sensor.value & mask) ||
                      ((events[i - 1].sensor.value & mask) == (events[i].sensor.value & mask) &&
                       (events[i - 1].shape.value & mask) < (events[i].shape.value & mask)),
                  "events are sorted");
    }
}

// The distance of middles decides, and the events say the same.
static void crowd_check(crowd *c) {
    tn_events events = tn_world_get_events(world);
    crowd_note(c, events.sensor_ends, events.sensor_end_count, false);
    crowd_note(c, events.sensor_begins, events.sensor_begin_count, true);
    for (int i = 0; i < CROWD_SENSORS; ++i) {
        tn_vec3 p = tn_body_get_pose(world, c->bodies[i]).position;
        uint32_t count = 0;
        for (int j = 0; j < CROWD_BALLS; ++j) {
            tn_vec3 q = tn_body_get_pose(world, c->balls[j]).position;
            double d = sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) +
                            (p.z - q.z) * (p.z - q.z));
            double gap = d - c->sensor_radius[i] - c->ball_radius[j];
            bool is_own = c->bodies[i].value == c->balls[j].value;
            cr_assert(fabs(gap) < 1e-6 || is_own || c->known[i][j] == (gap < 0.0),
                      "sensor %d, ball %d: gap %g", i, j, gap);
            cr_assert_not(is_own && c->known[i][j]);
            count += c->known[i][j] ? 1 : 0;
        }
        cr_assert(count == count_overlaps(c->sensors[i]));
    }
}

static uint64_t crowd_run(uint32_t workers, bool has_sensors, uint32_t *out_sum) {
    static crowd c;
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    tn_world_destroy(world);
    world = test_def_world_create(def, &reports);
    crowd_make(&c, 7, has_sensors);
    uint32_t sum = 0, total = 0;
    for (int step = 0; step < 150; ++step) {
        if (step % 40 == 20) { // some are thrown about
            for (int i = 0; i < CROWD_BALLS; i += 5) {
                put(c.balls[i], 0.05 * i - 3.0, 4.0 + 0.02 * i, 1.0);
            }
        }
        test_step(world, 1);
        if (has_sensors) {
            crowd_check(&c);
            tn_events events = tn_world_get_events(world);
            for (uint32_t i = 0; i < events.sensor_begin_count; ++i) {
                sum = sum * 31 + events.sensor_begins[i].shape.value +
                      7 * events.sensor_begins[i].sensor.value;
            }
            total += events.sensor_begin_count;
        }
    }
    cr_assert(!has_sensors || total > 200, "%u", total);
    *out_sum = sum;
    return tn_world_get_hash(world);
}

Test(sensing, is_exact_and_complete_in_a_crowd_for_any_number_of_workers) {
    uint32_t sum[5];
    uint64_t hash[5];
    for (uint32_t workers = 1; workers <= 4; ++workers) {
        hash[workers] = crowd_run(workers, true, &sum[workers]);
        cr_assert(sum[workers] == sum[1] && hash[workers] == hash[1]);
    }
    uint64_t without = crowd_run(1, false, &sum[0]);
    cr_assert(without == hash[1], "sensors change no motion");
}

// ---- a missing memory --------------------------------------------------------------------------

static bool memory_fails;

static void *short_alloc(size_t size, size_t alignment, void *user_data) {
    (void)user_data;
    return memory_fails ? NULL
                        : aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void short_free(void *block, size_t size, void *user_data) {
    (void)size;
    (void)user_data;
    free(block);
}

Test(sensing, without_memory_is_made_up_for_in_the_next_step) {
    tn_world_def def = tn_world_def_default();
    def.alloc = short_alloc;
    def.free = short_free;
    def.gravity = (tn_vec3){0};
    tn_world_destroy(world);
    world = test_def_world_create(def, &reports);
    tn_shape_id sensor = make_sensor(TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, 1.0);
    test_step(world, 2);
    tn_body_id bodies[64];
    for (int i = 0; i < 64; ++i) {
        bodies[i] = test_ball_create(world, 0.0, 10.0 * i + 10.0, 0.0, 0.1f);
    }
    test_step(world, 2);
    for (int i = 0; i < 64; ++i) {
        tn_filter apart = tn_filter_default();
        apart.group = -1;
        tn_shape_set_filter(world, test_first_shape(world, bodies[i]), apart);
    }
    test_step(world, 2);
    for (int i = 0; i < 64; ++i) {
        put(bodies[i], 0.0, 0.0, 0.01 * i);
    }
    memory_fails = true;
    tn_result result = tn_world_step(world, 1.0 / 60.0, 4);
    memory_fails = false;
    cr_assert(result == TN_RESULT_OK && reports.count == 1);
    cr_assert(reports.last == TN_RESULT_OUT_OF_MEMORY);
    cr_assert(tn_world_get_events(world).sensor_begin_count == 0 && count_overlaps(sensor) == 0);
    reports.count = 0;
    step_and_expect(64, 0);
    cr_assert(count_overlaps(sensor) == 64);
}

Test(sensing, allocates_nothing_in_a_step_once_it_is_warm) {
    static crowd c;
    crowd_make(&c, 3, true);
    test_step(world, 120);
    for (int step = 0; step < 60; ++step) {
        test_step(world, 1);
        cr_assert(tn_world_get_telemetry(world).allocations == 0);
    }
}
