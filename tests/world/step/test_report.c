// Refused calls: who is told, when, and what stays as it was.
#include <stdlib.h>

#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(report, .init = setup, .fini = teardown);

Test(report, names_the_function_and_the_handle) {
    tn_body_id stale = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_body_destroy(world, stale);
    TEST_REPORTS(&reports, tn_body_get_pose(world, stale), TN_RESULT_INVALID_ID);
    cr_assert_str_eq(reports.function, "tn_body_get_pose");
    cr_assert(reports.id == stale.value);
    cr_assert(tn_world_get_telemetry(world).reports == 1);
}

Test(report, is_counted_without_a_hook) {
    tn_world *quiet = tn_world_create(NULL, NULL);
    tn_body_destroy(quiet, (tn_body_id){7});
    cr_assert(tn_world_get_telemetry(quiet).reports == 1);
    tn_world_destroy(quiet);
}

Test(report, a_null_world_gives_zero_and_no_report) {
    tn_body_id body = {1};
    cr_assert(tn_body_create(NULL, NULL).value == 0);
    cr_assert(tn_world_count_bodies(NULL) == 0);
    cr_assert(!tn_body_is_valid(NULL, body));
    cr_assert(tn_body_get_mass(NULL, body).mass == 0.0);
    cr_assert(tn_world_get_hash(NULL) == 0);
    cr_assert(tn_world_get_events(NULL).move_count == 0);
    tn_draw draw;
    cr_assert(tn_world_draw(NULL, NULL, &draw) == TN_RESULT_INVALID_ARGUMENT);
    tn_body_set_gravity_scale(NULL, body, 1.0f);
    tn_world_destroy(NULL);
    cr_assert(reports.count == 0);
}

// ---- from inside the report hook --------------------------------------------------------------

typedef struct nosy_hook {
    tn_world *world;
    tn_body_id body;
    uint32_t calls;
} nosy_hook;

static void change_in_report(const tn_report *report, void *user_data) {
    (void)report;
    nosy_hook *hook = user_data;
    hook->calls += 1;
    tn_body_destroy(hook->world, hook->body);
    tn_world_destroy(hook->world);
}

Test(report, its_hook_cannot_change_the_world) {
    nosy_hook hook = {0};
    tn_world_def def = tn_world_def_default();
    def.report = change_in_report;
    def.report_user_data = &hook;
    hook.world = tn_world_create(&def, NULL);
    hook.body = test_body_create(hook.world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_body_destroy(hook.world, (tn_body_id){0});
    cr_assert(hook.calls == 1);
    cr_assert(tn_body_is_valid(hook.world, hook.body));
    // The null handle, and the two refused changes.
    cr_assert(tn_world_get_telemetry(hook.world).reports == 3);
    tn_world_destroy(hook.world);
}

// ---- every code -------------------------------------------------------------------------------

Test(report, stale_handles_are_invalid) {
    tn_body_id body = test_ball_create(world, 0.0, 0.0, 0.0, 1.0f);
    tn_shape_id shape = test_first_shape(world, body);
    tn_body_destroy(world, body);
    tn_shape_def shape_def = tn_shape_def_default();
    TEST_REPORTS(&reports, tn_body_destroy(world, body), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_body_get_type(world, body), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_body_get_velocity(world, body), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_body_apply_force(world, body, (tn_vec3){0}), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_body_set_enabled(world, body, false), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_body_get_bounds(world, body), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_sphere_shape_create(world, body, &shape_def, 1.0f),
                 TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_shape_destroy(world, shape), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_shape_get_body(world, shape), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_shape_get_material(world, shape), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_contact_get(world, (tn_contact_id){1234}), TN_RESULT_INVALID_ID);
    cr_assert(!tn_body_is_valid(world, body) && !tn_shape_is_valid(world, shape));
}

Test(report, a_wrong_type_is_refused) {
    tn_body_id ball = test_ball_create(world, 0.0, 0.0, 0.0, 1.0f);
    tn_body_id floor = test_floor_create(world);
    tn_shape_id shape = test_first_shape(world, ball);
    tn_shape_def def = tn_shape_def_default();
    TEST_REPORTS(&reports, tn_half_space_shape_create(world, ball, &def), TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_box_shape_get_half_extents(world, shape), TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_capsule_shape_get_radius(world, shape), TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_capsule_shape_get_half_length(world, shape), TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_hull_shape_get_hull(world, shape), TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_sphere_shape_get_radius(world, test_first_shape(world, floor)),
                 TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_body_set_type(world, floor, TN_BODY_TYPE_DYNAMIC),
                 TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_body_set_velocity(world, floor, (tn_velocity){0}),
                 TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_body_set_linear_velocity(world, floor, (tn_vec3){0}),
                 TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_body_set_angular_velocity(world, floor, (tn_vec3){0}),
                 TN_RESULT_WRONG_TYPE);
    tn_pose pose = tn_body_get_pose(world, ball);
    TEST_REPORTS(&reports, tn_body_set_target_pose(world, ball, pose, 1.0), TN_RESULT_WRONG_TYPE);
    cr_assert(tn_body_get_type(world, floor) == TN_BODY_TYPE_STATIC);
}

Test(report, a_body_definition_out_of_range_is_refused) {
    tn_body_def def = tn_body_def_default();
    TEST_REPORTS(&reports, tn_body_create(world, NULL), TN_RESULT_INVALID_ARGUMENT);
    def.type = (tn_body_type)9;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_INVALID_ARGUMENT);
    def = tn_body_def_default();
    def.locks = 64;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_INVALID_ARGUMENT);
    def = tn_body_def_default();
    def.linear_damping = -1.0f;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_INVALID_ARGUMENT);
    def = tn_body_def_default();
    def.angular_damping = NAN;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_NOT_FINITE);
    def = tn_body_def_default();
    def.gravity_scale = INFINITY;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_NOT_FINITE);
    def = tn_body_def_default();
    def.pose.position.z = (double)NAN;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_NOT_FINITE);
    def = tn_body_def_default();
    def.pose.rotation.w = 0.0;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_ZERO_AXIS);
    def = tn_body_def_default();
    def.velocity.angular.x = (double)INFINITY;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_NOT_FINITE);
    cr_assert(tn_world_count_bodies(world) == 0);
}

Test(report, a_mass_no_body_can_have_is_refused) {
    tn_body_def def = tn_body_def_default();
    def.has_mass = true;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_INVALID_MASS);
    def.mass.mass = 1.0;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_INVALID_INERTIA);
    def.mass.inertia = (tn_mat3_symmetric){1.0, 1.0, 2.5, 0.0, 0.0, 0.0};
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_INVALID_INERTIA);
    def.mass.inertia = (tn_mat3_symmetric){1.0, 1.0, 1.0, 2.0, 0.0, 0.0};
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_INVALID_INERTIA);
    def.mass.inertia = (tn_mat3_symmetric){1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
    def.mass.mass = -1.0;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_INVALID_MASS);
    def.mass.mass = (double)NAN;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_NOT_FINITE);
    def.mass.mass = 1.0;
    tn_body_id body = tn_body_create(world, &def);
    cr_assert(body.value != 0);
    tn_mass mass = def.mass;
    mass.mass = 0.0;
    TEST_REPORTS(&reports, tn_body_set_mass(world, body, mass), TN_RESULT_INVALID_MASS);
    mass.mass = 1.0;
    mass.inertia.xx = 5.0;
    TEST_REPORTS(&reports, tn_body_set_mass(world, body, mass), TN_RESULT_INVALID_INERTIA);
    mass.inertia.xx = (double)NAN;
    TEST_REPORTS(&reports, tn_body_set_mass(world, body, mass), TN_RESULT_NOT_FINITE);
    cr_assert(tn_body_get_mass(world, body).inertia.xx == 1.0);
    // A static body may weigh nothing, but cannot become dynamic then.
    def.type = TN_BODY_TYPE_STATIC;
    def.mass = (tn_mass){0};
    body = tn_body_create(world, &def);
    TEST_REPORTS(&reports, tn_body_set_type(world, body, TN_BODY_TYPE_DYNAMIC),
                 TN_RESULT_INVALID_MASS);
    cr_assert(tn_body_get_type(world, body) == TN_BODY_TYPE_STATIC);
}

Test(report, a_body_setter_out_of_range_is_refused) {
    tn_body_id body = test_ball_create(world, 1.0, 2.0, 3.0, 1.0f);
    uint64_t hash = tn_world_get_hash(world);
    tn_pose pose = tn_body_get_pose(world, body);
    tn_pose bad = pose;
    bad.position.x = (double)NAN;
    TEST_REPORTS(&reports, tn_body_set_pose(world, body, bad), TN_RESULT_NOT_FINITE);
    bad = pose;
    bad.rotation = (tn_quat){0};
    TEST_REPORTS(&reports, tn_body_set_pose(world, body, bad), TN_RESULT_ZERO_AXIS);
    tn_vec3 nan3 = {0.0, NAN, 0.0};
    tn_vec3 dnan3 = {0.0, 0.0, (double)NAN};
    tn_vec3 nowhere = {(double)INFINITY, 0.0, 0.0};
    TEST_REPORTS(&reports, tn_body_set_linear_velocity(world, body, nan3), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_set_angular_velocity(world, body, nan3), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_set_velocity(world, body, (tn_velocity){dnan3, dnan3}),
                 TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_get_world_point(world, body, dnan3), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_get_local_point(world, body, nowhere), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_get_world_vector(world, body, dnan3), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_get_local_vector(world, body, dnan3), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_get_point_velocity(world, body, nowhere), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_apply_force(world, body, nan3), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_apply_force_at(world, body, (tn_vec3){0}, nowhere),
                 TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_apply_torque(world, body, nan3), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_apply_impulse(world, body, nan3), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_apply_impulse_at(world, body, nan3, (tn_vec3){0}),
                 TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_apply_angular_impulse(world, body, nan3), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_set_damping(world, body, NAN, 0.0f), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_set_damping(world, body, 0.0f, -1.0f),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_body_set_gravity_scale(world, body, NAN), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_set_locks(world, body, 128), TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_body_set_type(world, body, (tn_body_type)-1),
                 TN_RESULT_INVALID_ARGUMENT);
    tn_body_id lift = test_body_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, 0.0, 0.0);
    TEST_REPORTS(&reports, tn_body_set_target_pose(world, lift, pose, 0.0),
                 TN_RESULT_INVALID_TIME_STEP);
    tn_body_destroy(world, lift);
    cr_assert(tn_world_get_hash(world) == hash);
    cr_assert(tn_body_get_locks(world, body) == 0);
}

Test(report, a_shape_out_of_range_is_refused) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    TEST_REPORTS(&reports, tn_sphere_shape_create(world, body, NULL, 1.0f),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_sphere_shape_create(world, body, &def, 0.0f),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_sphere_shape_create(world, body, &def, NAN), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_capsule_shape_create(world, body, &def, 1.0f, -1.0f),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_box_shape_create(world, body, &def, (tn_vec3){1.0, 0.0, 1.0}),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports,
                 tn_box_shape_create(world, body, &def, (tn_vec3){1.0, (double)INFINITY, 1.0}),
                 TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_hull_shape_create(world, body, &def, NULL),
                 TN_RESULT_INVALID_ARGUMENT);
    def.local_pose.rotation = (tn_quat){0};
    TEST_REPORTS(&reports, tn_sphere_shape_create(world, body, &def, 1.0f), TN_RESULT_ZERO_AXIS);
    def = tn_shape_def_default();
    def.local_pose.position.y = NAN;
    TEST_REPORTS(&reports, tn_sphere_shape_create(world, body, &def, 1.0f), TN_RESULT_NOT_FINITE);
    def = tn_shape_def_default();
    def.density = -1.0f;
    TEST_REPORTS(&reports, tn_sphere_shape_create(world, body, &def, 1.0f),
                 TN_RESULT_INVALID_ARGUMENT);
    def = tn_shape_def_default();
    def.material.friction = -0.1f;
    TEST_REPORTS(&reports, tn_sphere_shape_create(world, body, &def, 1.0f),
                 TN_RESULT_INVALID_ARGUMENT);
    def.material.friction = 0.5f;
    tn_shape_id shape = tn_sphere_shape_create(world, body, &def, 1.0f);
    tn_material material = def.material;
    material.restitution = 1.5f;
    TEST_REPORTS(&reports, tn_shape_set_material(world, shape, material),
                 TN_RESULT_INVALID_ARGUMENT);
    material.restitution = NAN;
    TEST_REPORTS(&reports, tn_shape_set_material(world, shape, material), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_shape_set_density(world, shape, -1.0f), TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_shape_set_density(world, shape, INFINITY), TN_RESULT_NOT_FINITE);
    cr_assert(tn_body_get_shapes(world, body, NULL, 0) == 1);
    cr_assert(tn_shape_get_material(world, shape).friction == 0.5f);
}

Test(report, a_world_setting_out_of_range_is_refused) {
    TEST_REPORTS(&reports, tn_world_set_gravity(world, (tn_vec3){NAN, 0.0, 0.0}),
                 TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_world_set_restitution_threshold(world, -1.0f),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_world_set_restitution_threshold(world, NAN), TN_RESULT_NOT_FINITE);
    tn_bias bias = tn_world_get_contact_bias(world);
    bias.hertz = 0.0f;
    TEST_REPORTS(&reports, tn_world_set_contact_bias(world, bias), TN_RESULT_INVALID_ARGUMENT);
    bias = tn_world_get_joint_bias(world);
    bias.beta = 1.5f;
    TEST_REPORTS(&reports, tn_world_set_joint_bias(world, bias), TN_RESULT_INVALID_ARGUMENT);
    bias.beta = NAN;
    TEST_REPORTS(&reports, tn_world_set_joint_bias(world, bias), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_world_step(world, 0.0, 4), TN_RESULT_INVALID_TIME_STEP);
    TEST_REPORTS(&reports, tn_world_step(world, 0.01, 65), TN_RESULT_INVALID_TIME_STEP);
    TEST_REPORTS(&reports, tn_world_step(world, (double)NAN, 4), TN_RESULT_INVALID_TIME_STEP);
    TEST_REPORTS(&reports, tn_world_draw(world, NULL, NULL), TN_RESULT_INVALID_ARGUMENT);
    tn_draw draw;
    tn_draw_options options = tn_draw_options_default();
    options.plane_extent = 0.0f;
    TEST_REPORTS(&reports, tn_world_draw(world, &options, &draw), TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_world_get_time(world) == 0.0 && tn_world_get_step_count(world) == 0);
    cr_assert(tn_world_get_joint_bias(world).beta == tn_world_def_default().joint_bias.beta);
}

// ---- the world's faults -----------------------------------------------------------------------

static void *refuse_memory(size_t size, size_t alignment, void *user_data) {
    return *(bool *)user_data
               ? NULL
               : aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void free_memory(void *memory, size_t size, void *user_data) {
    (void)size;
    (void)user_data;
    free(memory);
}

Test(report, memory_that_cannot_be_had_is_told) {
    bool is_empty = false;
    tn_world_def def = tn_world_def_default();
    def.alloc = refuse_memory;
    def.free = free_memory;
    def.memory_user_data = &is_empty;
    def.report = test_note_report;
    def.report_user_data = &reports;
    tn_world *poor = tn_world_create(&def, NULL);
    tn_body_id body = test_body_create(poor, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_def shape = tn_shape_def_default();
    is_empty = true;
    TEST_REPORTS(&reports, tn_sphere_shape_create(poor, body, &shape, 1.0f),
                 TN_RESULT_OUT_OF_MEMORY);
    TEST_REPORTS(&reports, tn_world_step(poor, 0.01, 1), TN_RESULT_OUT_OF_MEMORY);
    tn_result result = TN_RESULT_OK;
    TEST_REPORTS(&reports, cr_assert_null(tn_world_create(&def, &result)), TN_RESULT_OUT_OF_MEMORY);
    cr_assert(result == TN_RESULT_OUT_OF_MEMORY && tn_world_get_time(poor) == 0.0);
    tn_world_destroy(poor);
}

Test(report, a_body_that_leaves_the_numbers_is_put_back_and_disabled) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 1.0, 2.0, 3.0);
    tn_body_id other = test_ball_create(world, 5.0, 2.0, 3.0, 0.5f);
    tn_body_set_velocity(world, body, (tn_velocity){{1e308, 0.0, 0.0}, {1e308, 1e308, 0.0}});
    TEST_REPORTS(&reports, tn_world_step(world, 100.0, 1), TN_RESULT_BODY_NOT_FINITE);
    cr_assert(reports.id == body.value && !tn_body_is_enabled(world, body));
    cr_assert(tn_body_get_pose(world, body).position.x == 1.0);
    cr_assert(isfinite(tn_body_get_velocity(world, body).linear.x));
    cr_assert(tn_body_is_enabled(world, other) && tn_body_get_pose(world, other).position.y < 2.0);
    test_step(world, 2);
}

// ---- from inside the callbacks of a step ------------------------------------------------------

typedef struct meddler {
    tn_world *world;
    tn_body_id body;
    uint32_t filter_calls, pre_solve_calls;
} meddler;

static void meddle(meddler *m) {
    tn_body_def body_def = tn_body_def_default();
    tn_shape_def shape_def = tn_shape_def_default();
    tn_draw draw;
    TEST_REPORTS(&reports, tn_body_destroy(m->world, m->body), TN_RESULT_WORLD_LOCKED);
    TEST_REPORTS(&reports, tn_body_create(m->world, &body_def), TN_RESULT_WORLD_LOCKED);
    TEST_REPORTS(&reports, tn_box_shape_create(m->world, m->body, &shape_def, (tn_vec3){1, 1, 1}),
                 TN_RESULT_WORLD_LOCKED);
    TEST_REPORTS(&reports, tn_body_apply_force(m->world, m->body, (tn_vec3){1, 0, 0}),
                 TN_RESULT_WORLD_LOCKED);
    TEST_REPORTS(&reports, tn_world_set_gravity(m->world, (tn_vec3){0}), TN_RESULT_WORLD_LOCKED);
    TEST_REPORTS(&reports, tn_world_set_pre_solve(m->world, NULL, NULL), TN_RESULT_WORLD_LOCKED);
    TEST_REPORTS(&reports, tn_world_step(m->world, 0.01, 1), TN_RESULT_WORLD_LOCKED);
    TEST_REPORTS(&reports, tn_world_draw(m->world, NULL, &draw), TN_RESULT_WORLD_LOCKED);
    TEST_REPORTS(&reports, tn_world_destroy(m->world), TN_RESULT_WORLD_LOCKED);
    cr_assert(tn_body_is_valid(m->world, m->body));
}

static bool meddle_in_filter(const tn_world *asking, tn_shape_id a, tn_shape_id b, void *context) {
    meddler *m = context;
    cr_assert(asking == m->world && tn_shape_is_valid(asking, a) && tn_shape_is_valid(asking, b));
    m->filter_calls += 1;
    meddle(m);
    return true;
}

static bool meddle_in_pre_solve(const tn_world *asking, const tn_contact *contact,
                                tn_contact_settings *settings, void *context) {
    (void)asking;
    (void)contact;
    meddler *m = context;
    m->pre_solve_calls += 1;
    meddle(m);
    settings->friction = -1.0f;
    return true;
}

Test(report, callbacks_cannot_change_the_world) {
    test_floor_create(world);
    meddler m = {world, test_ball_create(world, 0.0, 0.5, 0.0, 0.5f), 0, 0};
    tn_world_set_contact_filter(world, meddle_in_filter, &m);
    test_want_pre_solve(world);
    tn_world_set_pre_solve(world, meddle_in_pre_solve, &m);
    cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    cr_assert(m.filter_calls == 1 && m.pre_solve_calls == 1);
    // The friction the callback asked for is refused, and the old one kept.
    cr_assert(reports.last == TN_RESULT_INVALID_ARGUMENT);
    tn_contact_id id;
    cr_assert(tn_world_get_contacts(world, &id, 1) == 1);
    TEST_NEAR(tn_contact_get(world, id).friction, 0.6, 1e-6);
}
