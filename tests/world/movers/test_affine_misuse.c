// What is refused of affine bodies.
#include <stdlib.h>

#include "affine_world.h"

static tn_world *world;
static test_reports reports;
static tn_body_id body;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_AUTO, &reports);
    body = affine_box_make(world, 1.0, 0.2, 0.3, 0.4);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(affine_misuse, .init = setup, .fini = teardown, .timeout = 60);

static tn_affine_def good_def(void) {
    tn_affine_def def = tn_affine_def_default();
    def.body = body;
    return def;
}

static void refuse(const tn_affine_def *def, tn_result result) {
    tn_reduced_id id = {1};
    TEST_REPORTS(&reports, id = tn_affine_create(world, def), result);
    cr_assert(id.value == 0 && tn_body_get_reduced(world, body).value == 0);
}

Test(affine_misuse, definitions_out_of_range_are_refused) {
    refuse(NULL, TN_RESULT_INVALID_ARGUMENT);
    const double wrong[] = {-1.0, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 3; ++i) {
        tn_result result = i == 0 ? TN_RESULT_INVALID_ARGUMENT : TN_RESULT_NOT_FINITE;
        tn_affine_def def = good_def();
        def.youngs_modulus = wrong[i];
        refuse(&def, result);
        def = good_def();
        def.poisson_ratio = wrong[i];
        refuse(&def, result);
        def = good_def();
        def.viscosity = wrong[i];
        refuse(&def, result);
        def = good_def();
        def.volume = wrong[i];
        refuse(&def, result);
    }
    tn_affine_def def = good_def();
    def.poisson_ratio = 0.5;
    refuse(&def, TN_RESULT_INVALID_ARGUMENT);
    def = good_def();
    def.kept = (tn_affine_kept)3;
    refuse(&def, TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_affine_create(NULL, &def).value == 0);
}

Test(affine_misuse, bodies_that_do_not_suit_are_refused) {
    tn_affine_def def = good_def();
    def.body = (tn_body_id){0};
    refuse(&def, TN_RESULT_INVALID_ID);
    def.body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    refuse(&def, TN_RESULT_INVALID_ARGUMENT); // it has no volume
    def.volume = 1.0;
    refuse(&def, TN_RESULT_WRONG_TYPE);
    tn_body_def flat = tn_body_def_default();
    flat.has_mass = true;
    flat.mass.mass = 1.0;
    flat.mass.inertia.xx = flat.mass.inertia.yy = 1.0;
    flat.mass.inertia.zz = 2.0; // a disc in the plane of x and y
    def.body = tn_body_create(world, &flat);
    refuse(&def, TN_RESULT_INVALID_MASS);
    def = good_def();
    cr_assert(tn_affine_create(world, &def).value != 0);
    TEST_REPORTS(&reports, tn_affine_create(world, &def), TN_RESULT_INVALID_ARGUMENT);
}

Test(affine_misuse, stale_and_wrong_handles_are_refused) {
    tn_affine_def def = good_def();
    tn_reduced_id id = tn_affine_create(world, &def), none = {0};
    reduced_arm arm = {.length = 1.0};
    tn_reduced_id other =
        reduced_arm_make(world, &arm, reduced_body_make(world, 1.0, 0.1), 0.0, 0.0);
    cr_assert(tn_affine_is_valid(world, id) && !tn_affine_is_valid(world, other));
    cr_assert(!tn_affine_is_valid(world, none) && !tn_affine_is_valid(NULL, id));
    tn_reduced_destroy(world, id);
    const tn_reduced_id wrong[] = {id, none, other};
    for (int i = 0; i < 3; ++i) {
        tn_result result = i < 2 ? TN_RESULT_INVALID_ID : TN_RESULT_WRONG_TYPE;
        TEST_REPORTS(&reports, tn_affine_get_def(world, wrong[i]), result);
        TEST_REPORTS(&reports, tn_affine_set_material(world, wrong[i], 1.0, 0.1, 0.0), result);
        TEST_REPORTS(&reports, tn_affine_get_point(world, wrong[i], (tn_vec3){0}), result);
        TEST_REPORTS(&reports, tn_affine_get_elastic_energy(world, wrong[i]), result);
    }
}

Test(affine_misuse, numbers_that_are_set_are_checked) {
    tn_affine_def def = good_def();
    tn_reduced_id id = tn_affine_create(world, &def);
    TEST_REPORTS(&reports, tn_affine_set_material(world, id, (double)NAN, 0.1, 0.0),
                 TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_affine_set_material(world, id, 1.0, -0.1, 0.0),
                 TN_RESULT_INVALID_ARGUMENT);
    tn_affine_set_material(world, id, 5e4, 0.2, 0.01);
    tn_affine_def now = tn_affine_get_def(world, id);
    cr_assert(now.youngs_modulus == 5e4 && now.poisson_ratio == 0.2 && now.viscosity == 0.01);
    TEST_NEAR(now.volume, 0.024, 1e-8);
    double u[TN_AFFINE_FREEDOMS] = {0.0};
    u[4] = (double)NAN;
    TEST_REPORTS(&reports, tn_reduced_set_coordinates(world, id, u, TN_AFFINE_FREEDOMS),
                 TN_RESULT_NOT_FINITE);
    u[4] = 1e200; // products of it would not be finite
    TEST_REPORTS(&reports, tn_reduced_set_speeds(world, id, u, TN_AFFINE_FREEDOMS),
                 TN_RESULT_NOT_FINITE);
}

Test(affine_misuse, body_that_keeps_its_volume_is_not_turned_inside_out) {
    tn_affine_def def = good_def();
    def.kept = TN_AFFINE_KEPT_VOLUME;
    tn_reduced_id id = tn_affine_create(world, &def);
    double u[TN_AFFINE_FREEDOMS] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1};
    TEST_REPORTS(&reports, tn_reduced_set_coordinates(world, id, u, TN_AFFINE_FREEDOMS),
                 TN_RESULT_INVALID_ARGUMENT);
    u[11] = 1e9;
    tn_reduced_set_coordinates(world, id, u, TN_AFFINE_FREEDOMS);
    TEST_NEAR(affine_determinant(world, id), 1.0, 1e-12);
}

Test(affine_misuse, sheet_that_keeps_its_area_is_not_made_a_thread) {
    tn_affine_def def = good_def();
    def.kept = TN_AFFINE_KEPT_AREA;
    tn_reduced_id id = tn_affine_create(world, &def);
    double u[TN_AFFINE_FREEDOMS] = {0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 1};
    TEST_REPORTS(&reports, tn_reduced_set_coordinates(world, id, u, TN_AFFINE_FREEDOMS),
                 TN_RESULT_INVALID_ARGUMENT);
    u[7] = 4.0; // |a1 x a2| = 4: all is halved
    tn_reduced_set_coordinates(world, id, u, TN_AFFINE_FREEDOMS);
    TEST_NEAR(reduced_coordinate(world, id, 7), 2.0, 1e-12);
}

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

Test(affine_misuse, creation_without_memory_leaves_all_as_it_was) {
    tn_world_def world_def = tn_world_def_default();
    short_memory memory = {.left = INT64_MAX};
    world_def.alloc = take;
    world_def.free = give;
    world_def.memory_user_data = &memory;
    test_reports noted;
    tn_world *own = test_def_world_create(world_def, &noted);
    tn_affine_def def = good_def();
    def.body = affine_box_make(own, 1.0, 0.2, 0.3, 0.4);
    tn_reduced_id id = {0};
    int64_t given = 0;
    for (; id.value == 0; ++given) {
        memory.left = given;
        id = tn_affine_create(own, &def);
        cr_assert(id.value != 0 || noted.last == TN_RESULT_OUT_OF_MEMORY);
        memory.left = INT64_MAX;
        cr_assert((tn_body_get_reduced(own, def.body).value != 0) == (id.value != 0));
    }
    cr_assert(given > 4);
    tn_world_destroy(own);
}
