// tests/world/world_test.h: a world that remembers its reports, and shorthands for building in it.
#ifndef TESTS_WORLD_WORLD_TEST_H
#define TESTS_WORLD_WORLD_TEST_H

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <tenon/machines.h>

typedef struct test_reports {
    uint32_t count;
    tn_result last;
    char function[64];
    char message[256];
    uint32_t id;
} test_reports;

static inline void test_note_report(const tn_report *report, void *user_data) {
    test_reports *reports = user_data;
    reports->count += 1;
    reports->last = report->result;
    strncpy(reports->function, report->function, sizeof reports->function - 1);
    strncpy(reports->message, report->message, sizeof reports->message - 1);
    reports->id = report->id;
}

// Of that definition, whose reports are noted.
static inline tn_world *test_def_world_create(tn_world_def def, test_reports *reports) {
    memset(reports, 0, sizeof *reports);
    def.report = test_note_report;
    def.report_user_data = reports;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

static inline tn_world *test_world_create(test_reports *reports) {
    return test_def_world_create(tn_world_def_default(), reports);
}

// Whose joints that solver has, awake for good, with the energy ledger.
static inline tn_world *test_solver_world_create(tn_solver solver, test_reports *reports) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.is_sleep_allowed = false;
    def.has_energy_ledger = true;
    return test_def_world_create(def, reports);
}

// Destroys it. It must not have reported anything.
static inline void test_world_destroy_quiet(tn_world *world, const test_reports *reports) {
    cr_assert(reports->count == 0, "%s: %s", reports->function, reports->message);
    tn_world_destroy(world);
}

static inline tn_body_id test_body_create(tn_world *world, tn_body_type type, double x, double y,
                                          double z) {
    tn_body_def def = tn_body_def_default();
    def.type = type;
    def.pose.position = (tn_vec3){x, y, z};
    tn_body_id body = tn_body_create(world, &def);
    cr_assert(body.value != 0);
    return body;
}

static inline tn_body_id test_ball_create(tn_world *world, double x, double y, double z,
                                          float radius) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, z);
    tn_shape_def def = tn_shape_def_default();
    cr_assert(tn_sphere_shape_create(world, body, &def, radius).value != 0);
    return body;
}

// A rod of so much mass along its x axis, without a shape.
static inline tn_body_id test_rod_create(tn_world *world, double x, double y, double mass,
                                         double length) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, 0.0);
    double across = mass * length * length / 12.0;
    tn_body_set_mass(
        world, body,
        (tn_mass){.mass = mass, .inertia = {.xx = 0.1 * across, .yy = across, .zz = across}});
    return body;
}

// A ball that passes through others like it.
static inline tn_body_id test_bead_create(tn_world *world, double x, double y, double z,
                                          bool is_fixed) {
    tn_body_id body =
        test_body_create(world, is_fixed ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC, x, y, z);
    tn_shape_def def = tn_shape_def_default();
    def.filter.group = -1;
    cr_assert(tn_sphere_shape_create(world, body, &def, 0.2f).value != 0);
    return body;
}

// A ball joint halfway between two bodies.
static inline tn_joint_id test_bodies_tie(tn_world *world, tn_body_id a, tn_body_id b) {
    tn_vec3 p = tn_body_get_center(world, a), q = tn_body_get_center(world, b);
    tn_ball_joint_def def = tn_ball_joint_def_default();
    tn_vec3 at = {0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)};
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, at, (tn_vec3){1.0, 0.0, 0.0}));
    tn_joint_id joint = tn_ball_joint_create(world, &def);
    cr_assert(joint.value != 0);
    return joint;
}

static inline tn_body_id test_box_create(tn_world *world, tn_body_type type, double x, double y,
                                         double z, tn_vec3 half_extents) {
    tn_body_id body = test_body_create(world, type, x, y, z);
    tn_shape_def def = tn_shape_def_default();
    cr_assert(tn_box_shape_create(world, body, &def, half_extents).value != 0);
    return body;
}

// The height of the lowest corner of a box.
static inline double test_box_bottom(const tn_pose *pose, tn_vec3 half_extents) {
    double x = pose->rotation.x, y = pose->rotation.y, z = pose->rotation.z;
    double w = pose->rotation.w;
    return pose->position.y - 2.0 * fabs(x * y + z * w) * half_extents.x -
           fabs(1.0 - 2.0 * (x * x + z * z)) * half_extents.y -
           2.0 * fabs(y * z - x * w) * half_extents.z;
}

static inline tn_body_id test_floor_create(tn_world *world) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    cr_assert(tn_half_space_shape_create(world, body, &def).value != 0);
    return body;
}

static inline tn_shape_id test_first_shape(const tn_world *world, tn_body_id body) {
    tn_shape_id shape = {0};
    tn_body_get_shapes(world, body, &shape, 1);
    return shape;
}

// Makes all shapes want the pre-solve callback.
static inline void test_want_pre_solve(tn_world *world) {
    tn_body_id bodies[1024];
    uint32_t count = tn_world_get_bodies(world, bodies, 1024);
    cr_assert(count <= 1024);
    for (uint32_t i = 0; i < count; ++i) {
        tn_shape_id shapes[16];
        uint32_t shape_count = tn_body_get_shapes(world, bodies[i], shapes, 16);
        for (uint32_t k = 0; k < shape_count && k < 16; ++k) {
            tn_shape_set_pre_solve(world, shapes[k], true);
        }
    }
}

static inline void test_step(tn_world *world, int count) {
    for (int i = 0; i < count; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
}

// Asserts that the call made exactly one report, with this result.
#define TEST_REPORTS(reports, call, result)                                                        \
    do {                                                                                           \
        uint32_t count_before = (reports)->count;                                                  \
        call;                                                                                      \
        cr_assert((reports)->count == count_before + 1, "%s: %u reports", #call,                   \
                  (reports)->count - count_before);                                                \
        cr_assert((reports)->last == (result), "%s: %s (%s)", #call,                               \
                  tn_result_name((reports)->last), (reports)->message);                            \
        size_t length = strlen((reports)->message);                                                \
        cr_assert(length > 10 && (reports)->message[length - 1] == '.', "no sentence: %s",         \
                  (reports)->message);                                                             \
    } while (0)

#define TEST_NEAR(actual, expected, tolerance)                                                     \
    cr_assert(fabs((double)(actual) - (double)(expected)) <= (tolerance), "%s = %.17g, not %.17g", \
              #actual, (double)(actual), (double)(expected))

#endif
