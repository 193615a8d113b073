// What is refused of bodies that are given by coordinates, and callbacks that go wrong.
#include <stdlib.h>

#include "reduced_world.h"

static tn_world *world;
static test_reports reports;
static reduced_arm arm;
static tn_body_id body;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_AUTO, &reports);
    arm = (reduced_arm){.length = 1.0};
    body = reduced_body_make(world, 1.0, 0.1);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(reduced_misuse, .init = setup, .fini = teardown, .timeout = 60);

static tn_reduced_def good_def(void) {
    tn_reduced_def def = tn_reduced_def_default();
    def.body_count = 1;
    def.bodies[0] = body;
    def.function = reduced_arm_function;
    def.function_user_data = &arm;
    return def;
}

static void refuse(const tn_reduced_def *def, tn_result result) {
    tn_reduced_id id = {1};
    TEST_REPORTS(&reports, id = tn_reduced_create(world, def), result);
    cr_assert(id.value == 0 && tn_body_get_reduced(world, body).value == 0);
}

// ---- definitions --------------------------------------------------------------------------------

Test(reduced_misuse, definitions_out_of_range_are_refused) {
    refuse(NULL, TN_RESULT_INVALID_ARGUMENT);
    tn_reduced_def def = good_def();
    def.function = NULL;
    refuse(&def, TN_RESULT_INVALID_ARGUMENT);
    const uint32_t counts[] = {0, TN_REDUCED_MAX_FREEDOMS + 1, UINT32_MAX};
    for (int i = 0; i < 3; ++i) {
        def = good_def();
        def.freedoms = counts[i];
        refuse(&def, TN_RESULT_INVALID_ARGUMENT);
        def = good_def();
        def.body_count = i == 1 ? TN_REDUCED_MAX_BODIES + 1 : counts[i];
        refuse(&def, TN_RESULT_INVALID_ARGUMENT);
    }
    def = good_def();
    def.coordinates[0] = (double)NAN;
    refuse(&def, TN_RESULT_NOT_FINITE);
    def = good_def();
    def.speeds[0] = (double)INFINITY;
    refuse(&def, TN_RESULT_NOT_FINITE);
    cr_assert(tn_reduced_create(NULL, &def).value == 0);
}

Test(reduced_misuse, bodies_that_do_not_suit_are_refused) {
    tn_reduced_def def = good_def();
    def.bodies[0] = (tn_body_id){0};
    refuse(&def, TN_RESULT_INVALID_ID);
    def.bodies[0] = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    refuse(&def, TN_RESULT_WRONG_TYPE);
    tn_body_def of_particle = tn_body_def_default();
    of_particle.is_particle = true;
    def.bodies[0] = tn_body_create(world, &of_particle);
    refuse(&def, TN_RESULT_WRONG_TYPE);
    def = good_def();
    def.body_count = 2;
    def.bodies[1] = body;
    refuse(&def, TN_RESULT_SAME_BODY);
    def = good_def();
    tn_body_set_locks(world, body, TN_BODY_LOCK_LINEAR_X);
    refuse(&def, TN_RESULT_INVALID_ARGUMENT);
    tn_body_set_locks(world, body, 0);
    cr_assert(tn_reduced_create(world, &def).value != 0);
    TEST_REPORTS(&reports, tn_reduced_create(world, &def), TN_RESULT_INVALID_ARGUMENT);
}

// A freedom that turns nothing.
static void idle(const tn_reduced_input *input, tn_reduced_output *out, void *context) {
    reduced_arm_function(input, out, context);
    cr_assert(input->freedoms == 2);
}

Test(reduced_misuse, coordinates_without_mass_are_refused) {
    tn_reduced_def def = good_def();
    def.freedoms = 2;
    def.function = idle;
    refuse(&def, TN_RESULT_INVALID_MASS);
}

// ---- what a reduced body is refused ------------------------------------------------------------

Test(reduced_misuse, only_coordinates_move_the_body) {
    tn_reduced_def def = good_def();
    tn_reduced_id id = tn_reduced_create(world, &def);
    uint64_t hash = tn_world_get_hash(world);
    const tn_result wrong = TN_RESULT_WRONG_TYPE;
    tn_pose pose = tn_body_get_pose(world, body);
    TEST_REPORTS(&reports, tn_body_set_pose(world, body, pose), wrong);
    TEST_REPORTS(&reports, tn_body_set_velocity(world, body, (tn_velocity){.linear = {1, 0, 0}}),
                 wrong);
    TEST_REPORTS(&reports, tn_body_set_linear_velocity(world, body, (tn_vec3){1, 0, 0}), wrong);
    TEST_REPORTS(&reports, tn_body_set_angular_velocity(world, body, (tn_vec3){1, 0, 0}), wrong);
    TEST_REPORTS(&reports, tn_body_apply_impulse(world, body, (tn_vec3){1, 0, 0}), wrong);
    TEST_REPORTS(&reports, tn_body_apply_impulse_at(world, body, (tn_vec3){1, 0, 0}, (tn_vec3){0}),
                 wrong);
    TEST_REPORTS(&reports, tn_body_apply_angular_impulse(world, body, (tn_vec3){1, 0, 0}), wrong);
    TEST_REPORTS(&reports, tn_body_set_type(world, body, TN_BODY_TYPE_STATIC), wrong);
    TEST_REPORTS(&reports, tn_body_set_locks(world, body, TN_BODY_LOCK_LINEAR_X), wrong);
    cr_assert(tn_world_get_hash(world) == hash && tn_reduced_is_valid(world, id));
}

// ---- handles and numbers -----------------------------------------------------------------------

Test(reduced_misuse, stale_handles_and_wrong_counts_are_refused) {
    tn_reduced_def def = good_def();
    tn_reduced_id id = tn_reduced_create(world, &def);
    const double numbers[2] = {(double)NAN, 0.0};
    TEST_REPORTS(&reports, tn_reduced_set_coordinates(world, id, NULL, 1),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_reduced_set_coordinates(world, id, numbers, 2),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_reduced_set_speeds(world, id, numbers, 0),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_reduced_set_coordinates(world, id, numbers, 1), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_reduced_set_speeds(world, id, numbers, 1), TN_RESULT_NOT_FINITE);
    tn_reduced_destroy(world, id);
    TEST_REPORTS(&reports, tn_reduced_destroy(world, id), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_reduced_get_coordinates(world, id, NULL, 0), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_reduced_get_speeds(world, id, NULL, 0), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_reduced_get_bodies(world, id, NULL, 0), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_reduced_set_speeds(world, id, numbers + 1, 1), TN_RESULT_INVALID_ID);
    cr_assert(!tn_reduced_is_valid(NULL, id) && tn_reduced_get_speeds(NULL, id, NULL, 0) == 0);
}

// ---- callbacks that go wrong -------------------------------------------------------------------

typedef struct broken {
    reduced_arm arm;
    double beyond; // rad: from here on there are no numbers
    tn_world *world;
} broken;

static void break_down(const tn_reduced_input *input, tn_reduced_output *out, void *context) {
    broken *it = context;
    reduced_arm_function(input, out, &it->arm);
    if (input->coordinates[0] > it->beyond) {
        out->bodies[0].linear[0].y = (double)NAN;
    }
    if (it->world != NULL) {
        tn_body_set_awake(it->world, body, true);
    }
}

Test(reduced_misuse, callback_without_numbers_stands_still_and_is_told_once) {
    broken it = {.arm = arm, .beyond = 0.5};
    tn_reduced_def def = good_def();
    def.function = break_down;
    def.function_user_data = &it;
    def.coordinates[0] = 1.0;
    refuse(&def, TN_RESULT_NOT_FINITE);
    def.coordinates[0] = 0.0;
    def.speeds[0] = 3.0;
    tn_reduced_id id = tn_reduced_create(world, &def);
    // Something hangs on it meanwhile.
    tn_body_id bob = reduced_body_make(world, 0.1, 0.01);
    tn_body_set_pose(world, bob, (tn_pose){{0.0, -1.5, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &ball.base, body, bob, (tn_vec3){0.0, -1.0, 0.0},
                                      (tn_vec3){1.0, 0.0, 0.0}));
    cr_assert(tn_ball_joint_create(world, &ball).value != 0);
    uint32_t before = reports.count;
    double most = 0.0, q = 0.0;
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        q = reduced_coordinate(world, id, 0);
        most = fmax(most, q);
        cr_assert(isfinite(q) && isfinite(tn_body_get_pose(world, bob).position.x));
    }
    // It came to a stop before the place, and fell back.
    cr_assert(most <= 0.5 && most > 0.4 && q < 0.3, "%g %g", most, q);
    cr_assert(reports.count == before + 1 && reports.last == TN_RESULT_NOT_FINITE);
    it.beyond = 10.0;
    it.beyond = -10.0;
    const double back = 0.0;
    TEST_REPORTS(&reports, tn_reduced_set_coordinates(world, id, &back, 1), TN_RESULT_NOT_FINITE);
}

Test(reduced_misuse, callback_may_not_change_the_world) {
    broken it = {.arm = arm, .beyond = 100.0, .world = world};
    tn_reduced_def def = good_def();
    def.function = break_down;
    def.function_user_data = &it;
    cr_assert(tn_reduced_create(world, &def).value != 0);
    cr_assert(reports.count > 0 && reports.last == TN_RESULT_WORLD_LOCKED);
    uint32_t before = reports.count;
    test_step(world, 1);
    cr_assert(reports.count > before && reports.last == TN_RESULT_WORLD_LOCKED);
}

// ---- no memory ----------------------------------------------------------------------------------

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

Test(reduced_misuse, creation_without_memory_leaves_all_as_it_was) {
    tn_world_def world_def = tn_world_def_default();
    short_memory memory = {.left = INT64_MAX};
    world_def.alloc = take;
    world_def.free = give;
    world_def.memory_user_data = &memory;
    test_reports noted;
    tn_world *own = test_def_world_create(world_def, &noted);
    tn_reduced_def def = good_def();
    def.bodies[0] = reduced_body_make(own, 1.0, 0.1);
    tn_reduced_id id = {0};
    int64_t given = 0;
    for (; id.value == 0; ++given) {
        memory.left = given;
        id = tn_reduced_create(own, &def);
        cr_assert(id.value != 0 || noted.last == TN_RESULT_OUT_OF_MEMORY);
        memory.left = INT64_MAX;
        cr_assert((tn_body_get_reduced(own, def.bodies[0]).value != 0) == (id.value != 0));
    }
    cr_assert(given > 3);
    // And of a step.
    memory.left = 0;
    double q = reduced_coordinate(own, id, 0);
    tn_result result = tn_world_step(own, 1.0 / 60.0, 4);
    cr_assert(result == TN_RESULT_OUT_OF_MEMORY && reduced_coordinate(own, id, 0) == q);
    memory.left = INT64_MAX;
    test_step(own, 2);
    tn_world_destroy(own);
}
