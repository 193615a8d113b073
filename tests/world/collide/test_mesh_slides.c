// What slides and rolls over level triangles goes straight on.
#include "tests/support/long_test.h"
#include "tests/world/collide/mesh_world.h"

TestSuite(mesh_slides, .timeout = 60);

typedef struct mesh_run {
    contact_kind kind;
    double size;  // m: of the squares
    double yaw;   // rad
    double speed; // m/s
    uint32_t substeps;
    tn_solver solver;
    double friction;
} mesh_run;

// How far it left its height, its line and its speed.
typedef struct mesh_result {
    double height, aside, speed, rise;
} mesh_result;

static mesh_result mesh_make_run(const mesh_run *run) {
    tn_world_def world_def = tn_world_def_default();
    world_def.is_sleep_allowed = false;
    world_def.solver = run->solver;
    tn_world *world = tn_world_create(&world_def, NULL);
    double length = fmin(100.0, 20.0 * run->speed);
    tn_material material = contact_material(run->friction, 0.0);
    mesh_ground ground = {.columns = (uint32_t)((length + 10.0) / run->size) + 1,
                          .rows = (uint32_t)(8.0 / run->size) + 1,
                          .size = run->size,
                          .x = -5.0,
                          .z = -4.0,
                          .height = mesh_flat};
    mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, material);
    tn_body_def def = contact_body_at(0.0, 0.5, 0.013);
    contact_body_turn(&def, (tn_vec3){0.0, 1.0, 0.0}, run->yaw);
    if (run->kind == CONTACT_CAPSULE) { // lies along z, turned by the yaw
        double h = sqrt(0.5), c = cos(0.5 * run->yaw), s = sin(0.5 * run->yaw);
        def.pose.rotation = (tn_quat){h * c, h * s, -h * s, h * c};
    }
    def.velocity.linear.x = run->speed;
    def.velocity.angular.z = run->friction > 0.0 ? -run->speed / 0.5 : 0.0;
    tn_body_id body = contact_body_create(world, &def, run->kind, 0.5, material);
    mesh_result result = {0};
    for (double t = 0.0; t < length / run->speed; t += 1.0 / 60.0) {
        tn_world_step(world, 1.0 / 60.0, run->substeps);
        tn_vec3 p = tn_body_get_center(world, body);
        tn_vec3 v = tn_body_get_velocity(world, body).linear;
        result.height = fmax(result.height, fabs(p.y - 0.5));
        result.aside = fmax(result.aside, fabs(p.z - 0.013));
        result.speed = fmax(result.speed, fabs(v.x - run->speed));
        result.rise = fmax(result.rise, v.y);
    }
    tn_world_destroy(world);
    return result;
}

// The normals of curved shapes are found and not those of planes: they are off by up to 1e-6.
static void mesh_assert_straight(const mesh_run *run) {
    mesh_result result = mesh_make_run(run);
    bool is_curved = run->kind >= CONTACT_CYLINDER;
    cr_expect(result.aside < (is_curved ? 2e-3 : 1e-3) && result.height < 1.2e-3 &&
                  result.speed < 1e-3 * run->speed + 1e-3 &&
                  result.rise < (is_curved ? 0.035 : 0.03),
              "%s, %g m/s, size %g, yaw %g, %u substeps, solver %d: %g m aside, %g m off its "
              "height, %g m/s off its speed, %g m/s up",
              contact_kind_names[run->kind], run->speed, run->size, run->yaw, run->substeps,
              (int)run->solver, result.aside, result.height, result.speed, result.rise);
}

// Few are a third, with one of the yaws at each speed: another with the next kind.
static void mesh_assert_all_straight(contact_kind kind, double friction, double size) {
    const double yaws[] = {0.0, 0.3, 0.7}, speeds[] = {0.5, 2.0, 7.0, 20.0};
    for (uint32_t i = 0; i < 24; ++i) {
        if (long_test_takes_few() && (i + i / 3) % 3 != (uint32_t)kind % 3) {
            continue;
        }
        mesh_run run = {kind,           size,
                        yaws[i % 3],    speeds[i / 3 % 4],
                        i < 12 ? 4 : 1, i % 2 == 0 ? TN_SOLVER_AUTO : TN_SOLVER_DIRECT,
                        friction};
        mesh_assert_straight(&run);
    }
}

LONG_TEST(mesh_slides, a_box_slides_straight_over_small_triangles) {
    mesh_assert_all_straight(CONTACT_BOX, 0.0, 0.37);
}

Test(mesh_slides, a_box_slides_straight_over_triangles_of_its_size) {
    mesh_assert_all_straight(CONTACT_BOX, 0.0, 1.0);
}

Test(mesh_slides, a_box_slides_straight_over_large_triangles) {
    mesh_assert_all_straight(CONTACT_BOX, 0.0, 4.0);
}

LONG_TEST(mesh_slides, a_hull_slides_straight) {
    mesh_assert_all_straight(CONTACT_HULL, 0.0, 0.7);
}

LONG_TEST(mesh_slides, a_ball_rolls_without_a_hop) {
    mesh_assert_all_straight(CONTACT_BALL, 0.6, 0.37);
    mesh_assert_all_straight(CONTACT_BALL, 0.6, 1.3);
}

LONG_TEST(mesh_slides, a_capsule_slides_straight) {
    mesh_assert_all_straight(CONTACT_CAPSULE, 0.0, 0.37);
    mesh_assert_all_straight(CONTACT_CAPSULE, 0.0, 1.3);
}

LONG_TEST(mesh_slides, curved_and_rounded_shapes_slide_straight_at_any_speed, .timeout = 300) {
    for (contact_kind kind = CONTACT_CYLINDER; kind < CONTACT_KIND_COUNT; ++kind) {
        mesh_assert_all_straight(kind, 0.0, kind % 2 == 0 ? 0.37 : 1.3);
    }
}

// The mesh and not its triangles is touched: once.
Test(mesh_slides, what_rolls_over_triangles_begins_to_touch_once) {
    for (contact_kind kind = 0; kind < CONTACT_KIND_COUNT; ++kind) {
        tn_world *world = contact_world_create(9.81);
        mesh_ground ground = {
            .columns = 60, .rows = 10, .size = 0.4, .x = -2.0, .z = -2.0, .height = mesh_flat};
        tn_material material = contact_material(0.0, 0.0);
        mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, material);
        tn_body_def def = contact_body_at(0.0, kind == CONTACT_CAPSULE ? 0.6 : 0.35, 0.1);
        def.velocity.linear.x = 6.0;
        tn_body_id body = contact_body_create(world, &def, kind, 0.3, material);
        uint32_t begins = 0, ends = 0;
        for (int i = 0; i < 180; ++i) {
            tn_world_step(world, 1.0 / 60.0, 4);
            tn_events events = tn_world_get_events(world);
            begins += events.begin_count;
            ends += events.end_count;
        }
        bool is_upright = kind == CONTACT_CAPSULE; // it may lift off when it topples
        cr_expect(begins == 1 + ends && (ends == 0 || is_upright),
                  "a %s begins %u times and ends %u", contact_kind_names[kind], begins, ends);
        tn_body_destroy(world, body);
        tn_world_step(world, 1.0 / 60.0, 4);
        ends = tn_world_get_events(world).end_count;
        cr_expect(ends == 1, "%u ends", ends);
        tn_world_destroy(world);
    }
}
