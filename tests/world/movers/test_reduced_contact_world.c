// Contacts of bodies that are given by generalised coordinates in the world: events, sleep,
// filters, memory, mechanisms, clusters, bits.
#include <stdlib.h>

#include "reduced_contacts.h"

#define GRAVITY 9.81

static test_reports reports;
static const tn_vec3 half_box = {0.5, 0.5, 0.5};
static const double box_at[2] = {0.0, 0.5};

TestSuite(reduced_contact_world, .timeout = 60);

static tn_body_id planar_box_make(tn_world *world, double x, double y, tn_reduced_id *out_id) {
    tn_body_id box = contacts_box_make(world, x, y, 0.0, half_box, 0.6f);
    *out_id = contacts_make(world, box, 2, contacts_planar, (double[]){x, y}, NULL);
    return box;
}

// ---- events ------------------------------------------------------------------------------------

Test(reduced_contact_world, begin_hit_and_end_are_told) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    tn_body_id floor = contacts_floor_make(world, 0.6f, 0.0f);
    tn_reduced_id id;
    tn_body_id box = planar_box_make(world, 0.0, 1.5, &id);
    uint32_t begins = 0, hits = 0, ends = 0;
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        tn_events events = tn_world_get_events(world);
        begins += events.begin_count;
        ends += events.end_count;
        hits += events.hit_count;
        if (events.hit_count > 0) {
            TEST_NEAR(events.hits[0].speed, sqrt(2.0 * GRAVITY), 0.1);
            TEST_NEAR(events.hits[0].impulse, 1000.0 * sqrt(2.0 * GRAVITY), 300.0);
            TEST_NEAR(i / 60.0 + (double)events.hits[0].time, sqrt(2.0 / GRAVITY), 1e-3);
        }
    }
    cr_assert(begins == 1 && hits == 1 && ends == 0, "%u %u %u", begins, hits, ends);
    tn_telemetry telemetry = tn_world_get_telemetry(world);
    cr_assert(telemetry.manifolds == 1 && telemetry.points == 4 && telemetry.islands == 1);
    tn_reduced_set_coordinates(world, id, (double[]){0.0, 3.0}, 2);
    test_step(world, 1);
    cr_assert(tn_world_get_events(world).end_count == 1);
    cr_assert(tn_body_get_contacts(world, box, NULL, 0) == 0);
    cr_assert(tn_body_get_contacts(world, floor, NULL, 0) == 0);
    test_world_destroy_quiet(world, &reports);
}

Test(reduced_contact_world, bodies_may_go_while_events_are_read) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    contacts_floor_make(world, 0.6f, 0.0f);
    tn_reduced_id ids[4];
    tn_body_id boxes[4];
    for (int i = 0; i < 4; ++i) {
        boxes[i] = planar_box_make(world, 1.2 * (double)i, 0.6 + 0.2 * (double)i, &ids[i]);
    }
    uint32_t gone = 0;
    for (int i = 0; i < 60 && gone < 4; ++i) {
        test_step(world, 1);
        tn_events events = tn_world_get_events(world);
        for (uint32_t k = 0; k < events.begin_count; ++k) {
            for (uint32_t b = 0; b < 4; ++b) {
                tn_shape_id shape = {0};
                bool is_there = tn_body_is_valid(world, boxes[b]) &&
                                tn_body_get_shapes(world, boxes[b], &shape, 1) == 1;
                if (is_there && (shape.value == events.begins[k].shape_a.value ||
                                 shape.value == events.begins[k].shape_b.value)) {
                    if (b % 2 == 0) {
                        tn_body_destroy(world, boxes[b]);
                    } else {
                        tn_reduced_destroy(world, ids[b]);
                    }
                    gone += 1;
                }
            }
        }
    }
    cr_assert(gone == 4);
    reduced_run(world, 1.0, 60, 4);
    for (int i = 0; i < 4; ++i) {
        cr_assert(!tn_reduced_is_valid(world, ids[i]));
    }
    // Those that were set free rest as rigid boxes.
    TEST_NEAR(tn_body_get_pose(world, boxes[1]).position.y, 0.5, 1e-3);
    TEST_NEAR(tn_body_get_pose(world, boxes[3]).position.y, 0.5, 1e-3);
    test_world_destroy_quiet(world, &reports);
}

// ---- sleep -------------------------------------------------------------------------------------

static tn_world *sleepy_world_create(void) {
    return test_def_world_create(tn_world_def_default(), &reports);
}

Test(reduced_contact_world, rests_asleep_until_something_touches_it) {
    tn_world *world = sleepy_world_create();
    contacts_floor_make(world, 0.6f, 0.0f);
    tn_reduced_id id;
    tn_body_id box = planar_box_make(world, 0.0, 0.6, &id);
    tn_body_id upper = contacts_box_make(world, 0.0, 1.7, 0.0, half_box, 0.6f);
    reduced_run(world, 3.0, 180, 4);
    cr_assert(!tn_body_is_awake(world, box) && !tn_body_is_awake(world, upper));
    uint64_t hash = tn_world_get_hash(world);
    reduced_run(world, 1.0, 60, 4);
    cr_assert(tn_world_get_hash(world) == hash);
    // Another object drops on what sleeps.
    tn_reduced_id other;
    tn_body_id third = planar_box_make(world, 0.0, 3.0, &other);
    double time = 0.0;
    for (; !tn_body_is_awake(world, box) && time < 1.0; time += 1.0 / 60.0) {
        test_step(world, 1);
    }
    cr_assert(time > 0.2 && time < 0.6 && tn_body_is_awake(world, upper), "%g", time);
    reduced_run(world, 3.0, 180, 4);
    cr_assert(!tn_body_is_awake(world, box) && !tn_body_is_awake(world, third));
    TEST_NEAR(reduced_coordinate(world, other, 1), 2.5, 5e-3);
    test_world_destroy_quiet(world, &reports);
}

Test(reduced_contact_world, moving_plate_keeps_a_guided_box_awake) {
    tn_world *world = sleepy_world_create();
    tn_body_id plate =
        test_box_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, -0.5, 0.0, (tn_vec3){9.0, 0.5, 1.0});
    tn_body_set_linear_velocity(world, plate, (tn_vec3){0.5, 0.0, 0.0});
    tn_body_id box = contacts_box_make(world, 0.0, 0.5, 0.0, half_box, 0.6f);
    contacts_make(world, box, 1, contacts_slider, (double[]){0.0}, NULL);
    reduced_run(world, 2.0, 120, 4);
    cr_assert(tn_body_is_awake(world, box));
    test_world_destroy_quiet(world, &reports);
}

// ---- what touches what -------------------------------------------------------------------------

static void pair_function(const tn_reduced_input *input, tn_reduced_output *out, void *context) {
    (void)context;
    for (uint32_t b = 0; b < 2; ++b) {
        out->bodies[b].pose.position = (tn_vec3){input->coordinates[b], 0.0, 0.0};
        out->bodies[b].linear[b].x = 1.0;
    }
}

// Two balls of one object that run towards each other: the speed of the first after a while.
static double meet(bool collide, double *out_way) {
    tn_world *world = contacts_world_create(0.0, 0.0, &reports);
    tn_reduced_def def = tn_reduced_def_default();
    def.freedoms = def.body_count = 2;
    def.bodies[0] = contacts_ball_make(world, 0.0, 0.0, 0.5f, 0.0f, 1.0f);
    def.bodies[1] = contacts_ball_make(world, 1.2, 0.0, 0.5f, 0.0f, 1.0f);
    def.function = pair_function;
    def.coordinates[1] = 1.2;
    def.speeds[0] = 2.0;
    def.is_collision_allowed = collide;
    test_step(world, 1);
    tn_reduced_id id = tn_reduced_create(world, &def);
    cr_assert(id.value != 0);
    reduced_run(world, 0.5, 30, 4);
    double speed = reduced_speed(world, id, 0);
    *out_way = reduced_coordinate(world, id, 0);
    test_world_destroy_quiet(world, &reports);
    return speed;
}

Test(reduced_contact_world, bodies_of_one_object_touch_only_when_asked) {
    double way;
    TEST_NEAR(meet(false, &way), 2.0, 1e-6);
    TEST_NEAR(way, 1.0, 1e-6);
    TEST_NEAR(meet(true, &way), 0.0, 1e-5);
    TEST_NEAR(way, 0.2, 1e-4);
}

// Contacts that were there go with the object, and come back after it.
Test(reduced_contact_world, contacts_between_bodies_that_become_one_object_end) {
    tn_world *world = contacts_world_create(0.0, 0.0, &reports);
    tn_reduced_def def = tn_reduced_def_default();
    def.freedoms = def.body_count = 2;
    def.bodies[0] = contacts_ball_make(world, 0.0, 0.0, 0.5f, 0.0f, 0.0f);
    def.bodies[1] = contacts_ball_make(world, 0.99, 0.0, 0.5f, 0.0f, 0.0f);
    def.function = pair_function;
    def.coordinates[1] = 0.99;
    test_step(world, 2);
    cr_assert(tn_body_get_contacts(world, def.bodies[0], NULL, 0) == 1);
    tn_reduced_id id = tn_reduced_create(world, &def);
    cr_assert(tn_body_get_contacts(world, def.bodies[0], NULL, 0) == 0);
    test_step(world, 2);
    cr_assert(tn_body_get_contacts(world, def.bodies[0], NULL, 0) == 0);
    tn_reduced_destroy(world, id);
    test_step(world, 1);
    cr_assert(tn_body_get_contacts(world, def.bodies[0], NULL, 0) == 1);
    test_world_destroy_quiet(world, &reports);
}

Test(reduced_contact_world, shapes_come_go_and_change_their_filters) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    contacts_floor_make(world, 0.6f, 0.0f);
    tn_body_id body = reduced_body_make(world, 2.0, 0.5);
    tn_reduced_id id = contacts_make(world, body, 2, contacts_planar, (double[]){0.0, 1.0}, NULL);
    tn_shape_def def = contacts_shape(0.6f, 0.0f);
    tn_shape_id ball = tn_sphere_shape_create(world, body, &def, 0.5f);
    cr_assert(ball.value != 0);
    reduced_run(world, 1.0, 60, 4);
    TEST_NEAR(reduced_coordinate(world, id, 1), 0.5, 1e-3);
    tn_filter filter = tn_shape_get_filter(world, ball);
    filter.mask = 0;
    tn_shape_set_filter(world, ball, filter);
    reduced_run(world, 0.5, 30, 4);
    cr_assert(reduced_coordinate(world, id, 1) < -0.3);
    test_world_destroy_quiet(world, &reports);
}

static bool skip_all(const tn_world *world, const tn_contact *contact,
                     tn_contact_settings *settings, void *user_data) {
    (void)world;
    (void)contact;
    (void)settings;
    return *(const bool *)user_data;
}

Test(reduced_contact_world, callback_before_the_solve_may_leave_a_contact_out) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    contacts_floor_make(world, 0.6f, 0.0f);
    tn_reduced_id id;
    planar_box_make(world, box_at[0], box_at[1], &id);
    bool wants = true;
    test_want_pre_solve(world);
    tn_world_set_pre_solve(world, skip_all, &wants);
    reduced_run(world, 0.5, 30, 4);
    TEST_NEAR(reduced_speed(world, id, 1), 0.0, 1e-5);
    wants = false;
    reduced_run(world, 0.5, 30, 4);
    TEST_NEAR(reduced_speed(world, id, 1), -0.5 * GRAVITY, 1e-4);
    test_world_destroy_quiet(world, &reports);
}

// Of an object with a body that is disabled the others stand still, as obstacles.
Test(reduced_contact_world, object_that_stands_bears_what_falls_on_it) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    tn_reduced_def def = tn_reduced_def_default();
    def.freedoms = def.body_count = 2;
    def.bodies[0] = contacts_box_make(world, 0.0, 0.0, 0.0, half_box, 0.6f);
    def.bodies[1] = contacts_box_make(world, 5.0, 0.0, 0.0, half_box, 0.6f);
    def.function = pair_function;
    def.coordinates[1] = 5.0;
    tn_reduced_id id = tn_reduced_create(world, &def);
    tn_body_set_enabled(world, def.bodies[1], false);
    tn_body_id box = contacts_box_make(world, 0.2, 1.2, 0.0, half_box, 0.6f);
    reduced_run(world, 2.0, 120, 4);
    TEST_NEAR(tn_body_get_pose(world, box).position.y, 1.0, 1e-3);
    cr_assert(reduced_coordinate(world, id, 0) == 0.0);
    test_world_destroy_quiet(world, &reports);
}

// ---- mechanisms --------------------------------------------------------------------------------

// A plank on an exact hinge leans on a box that coordinates give: half of its weight.
static void lean(tn_solver solver) {
    tn_world *world = test_solver_world_create(solver, &reports);
    contacts_floor_make(world, 0.6f, 0.0f);
    tn_reduced_id id;
    tn_body_id box = planar_box_make(world, 1.0, 0.5, &id);
    tn_body_id plank = contacts_box_make(world, 0.0, 1.1, 0.0, (tn_vec3){1.0, 0.1, 0.1}, 0.0f);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, plank,
                                      (tn_vec3){-1.0, 1.1, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
    cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
    reduced_run(world, 2.0, 120, 4);
    TEST_NEAR(tn_body_get_pose(world, plank).position.y, 1.1, 2e-3);
    // 80 kg; from the hinge 1 m to its middle; the box bears it between 1.5 and 2 m from there.
    double load = contacts_impulse(world, plank) * 60.0, weight = 80.0 * GRAVITY;
    cr_assert(load > weight / 2.01 && load < weight / 1.49, "%g", load);
    double under = 0.0;
    tn_contact_id ids[2];
    cr_assert(tn_body_get_contacts(world, box, ids, 2) == 2);
    for (int i = 0; i < 2; ++i) {
        tn_contact contact = tn_contact_get(world, ids[i]);
        for (uint32_t p = 0; p < contact.point_count; ++p) {
            under += (double)contact.points[p].normal_impulse * 60.0;
        }
    }
    TEST_NEAR(under - 2.0 * load, 1000.0 * GRAVITY, 0.01 * 1000.0 * GRAVITY);
    test_world_destroy_quiet(world, &reports);
}

Test(reduced_contact_world, mechanism_leans_on_a_reduced_box) {
    lean(TN_SOLVER_PGS);
    lean(TN_SOLVER_DIRECT);
    lean(TN_SOLVER_CG);
    lean(TN_SOLVER_AUTO);
}

// ---- bits --------------------------------------------------------------------------------------

// Crowds of balls, large enough for clusters, parts and loops that workers share, fall over arms
// and platforms.
static uint64_t rain(uint32_t workers) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    tn_world *world = test_def_world_create(def, &reports);
    contacts_floor_make(world, 0.6f, 0.0f);
    for (int i = 0; i < 5; ++i) {
        tn_reduced_id id;
        planar_box_make(world, 3.0 * (double)(i - 2), 0.5, &id);
    }
    for (int i = 0; i < 700; ++i) {
        int x = i % 10, z = i / 10 % 7, y = i / 70;
        contacts_box_make(world, 1.3 * (double)(x - 5) + 0.1 * (double)(y % 3),
                          1.7 + 1.05 * (double)y, 1.1 * (double)(z - 3), half_box, 0.6f);
    }
    test_step(world, 40);
    uint64_t hash = tn_world_get_hash(world);
    test_world_destroy_quiet(world, &reports);
    return hash;
}

Test(reduced_contact_world, workers_leave_the_same_bits) {
    uint64_t hash = rain(1);
    cr_assert(rain(2) == hash && rain(4) == hash);
}

// ---- no memory ---------------------------------------------------------------------------------

typedef struct short_memory {
    int64_t left; // allocations that are still given
} short_memory;

static void *take(size_t size, size_t alignment, void *user_data) {
    short_memory *memory = user_data;
    memory->left -= 1;
    return memory->left >= 0
               ? aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
               : NULL;
}

static void give(void *pointer, size_t size, void *user_data) {
    (void)size;
    (void)user_data;
    free(pointer);
}

Test(reduced_contact_world, step_without_memory_moves_nothing) {
    tn_world_def world_def = tn_world_def_default();
    short_memory memory = {.left = INT64_MAX};
    world_def.alloc = take;
    world_def.free = give;
    world_def.memory_user_data = &memory;
    tn_world *world = test_def_world_create(world_def, &reports);
    contacts_floor_make(world, 0.6f, 0.0f);
    tn_reduced_id id;
    planar_box_make(world, 0.0, 0.5, &id);
    contacts_box_make(world, 0.0, 1.5, 0.0, half_box, 0.6f);
    double before = reduced_coordinate(world, id, 1);
    tn_result result = TN_RESULT_OUT_OF_MEMORY;
    int64_t given = 0;
    for (; result == TN_RESULT_OUT_OF_MEMORY; ++given) {
        memory.left = given;
        result = tn_world_step(world, 1.0 / 60.0, 4);
        memory.left = INT64_MAX;
        cr_assert(result == TN_RESULT_OK || reduced_coordinate(world, id, 1) == before);
    }
    cr_assert(result == TN_RESULT_OK && given > 2);
    test_step(world, 60);
    TEST_NEAR(reduced_coordinate(world, id, 1), 0.5, 1e-3);
    tn_world_destroy(world);
}
