// Contacts of affine bodies against closed forms, and the same of rigid bodies.
#include "affine_world.h"
#include "reduced_contacts.h"
#include "tests/support/hull_make.h"
#include "tests/support/long_test.h"

#define GRAVITY 9.81
#define SIDE    0.5  // m, of a cube
#define MASS    10.0 // kg
#define YOUNG   2e4  // Pa
#define SLOP    1e-4 // m: how deep what rests may sink
#define AREA    (SIDE * SIDE)

static test_reports reports;

TestSuite(affine_contacts, .timeout = 60);

// A box about its own centre there, that touches all.
static tn_body_id box_make(tn_world *world, double x, double y, double z, double mass, tn_vec3 half,
                           float friction, float restitution) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, z);
    tn_shape_def def = contacts_shape(friction, restitution);
    def.density = (float)(mass / (8.0 * half.x * half.y * half.z));
    cr_assert(tn_box_shape_create(world, body, &def, half).value != 0);
    return body;
}

static const tn_vec3 half_cube = {(0.5 * SIDE), (0.5 * SIDE), (0.5 * SIDE)};

static tn_reduced_id cube_make(tn_world *world, double x, double y, float friction,
                               float restitution, tn_body_id *out_body) {
    *out_body = box_make(world, x, y, 0.0, MASS, half_cube, friction, restitution);
    return affine_make(world, *out_body, YOUNG, 0.3, 0.05, TN_AFFINE_KEPT_NOTHING);
}

// ---- weight ------------------------------------------------------------------------------------

// The floor bears m g at the bottom: half of it on the whole, as of a hanging rod.
Test(affine_contacts, resting_cube_carries_its_weight_and_shortens_by_half_of_it) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    contacts_floor_make(world, 0.5f, 0.0f);
    tn_body_id cube;
    tn_reduced_id id = cube_make(world, 0.0, 0.3, 0.5f, 0.0f, &cube);
    reduced_run(world, 5.0, 300, 4);
    double load = MASS * GRAVITY / 60.0, strain = 0.5 * MASS * GRAVITY / (AREA * YOUNG);
    TEST_NEAR(contacts_impulse(world, cube), load, 1e-6 * load);
    TEST_NEAR(reduced_coordinate(world, id, 7), 1.0 - strain, 1e-3 * strain);
    TEST_NEAR(reduced_coordinate(world, id, 3), 1.0 + 0.3 * strain, 1e-3 * strain);
    tn_vec3 corner = tn_affine_get_point(world, id, (tn_vec3){0.2, -0.5 * SIDE, 0.1});
    cr_assert(corner.y > -SLOP && corner.y < 1e-4, "%g", corner.y);
    test_world_destroy_quiet(world, &reports);
}

// And with the weight of a rigid box on top of it, in full.
Test(affine_contacts, cube_bears_a_rigid_box) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    contacts_floor_make(world, 0.5f, 0.0f);
    tn_body_id cube;
    tn_reduced_id id = cube_make(world, 0.0, 0.25, 0.5f, 0.0f, &cube);
    tn_body_id box = box_make(world, 0.0, 0.75, 0.0, 2.0 * MASS, half_cube, 0.5f, 0.0f);
    reduced_run(world, 6.0, 360, 4);
    double strain = 2.5 * MASS * GRAVITY / (AREA * YOUNG), load = 2.0 * MASS * GRAVITY / 60.0;
    TEST_NEAR(contacts_impulse(world, box), load, 1e-4 * load);
    TEST_NEAR(reduced_coordinate(world, id, 7), 1.0 - strain, 5e-3 * strain);
    TEST_NEAR(tn_body_get_pose(world, box).position.y, 1.5 * SIDE - strain * SIDE, 2e-3);
    TEST_NEAR(tn_body_get_velocity(world, box).linear.y, 0.0, 1e-4);
    test_world_destroy_quiet(world, &reports);
}

// ---- slopes ------------------------------------------------------------------------------------

static void slide(double slope, double friction, double *out_speed, double *out_way) {
    tn_world *world = contacts_world_create(GRAVITY, slope, &reports);
    contacts_floor_make(world, (float)friction, 0.0f);
    tn_body_id cube;
    tn_reduced_id id = cube_make(world, 0.0, 0.5 * SIDE, (float)friction, 0.0f, &cube);
    reduced_run(world, 1.0, 60, 4);
    double speed = reduced_speed(world, id, 0), way = reduced_coordinate(world, id, 0);
    reduced_run(world, 1.0, 60, 4); // of these two seconds the second: it is strained by then
    *out_speed = reduced_speed(world, id, 0) - speed;
    *out_way = reduced_coordinate(world, id, 0) - way;
    TEST_NEAR(contacts_impulse(world, cube) * 60.0, MASS * GRAVITY * cos(slope), 0.1);
    test_world_destroy_quiet(world, &reports);
}

Test(affine_contacts, friction_holds_below_its_cone_and_slides_above_it) {
    double speed, way;
    for (int i = 1; i <= 3; ++i) {
        double slope = 0.15 * (double)i, friction = tan(slope);
        slide(slope, friction + 0.02, &speed, &way);
        cr_assert(fabs(speed) < 1e-4 && fabs(way) < 1e-3, "%g: %g %g", slope, speed, way);
        slide(slope, friction - 0.1, &speed, &way);
        double exact = GRAVITY * (sin(slope) - (friction - 0.1) * cos(slope));
        TEST_NEAR(speed, exact, 2e-3);
    }
}

// ---- blows -------------------------------------------------------------------------------------

static double whole_energy(const tn_world *world) {
    tn_energy energy = tn_world_get_energy(world);
    return energy.kinetic + energy.elastic;
}

// Cubes meet face to face, or on an edge of the one that is turned, which then turn. Arms are those
// of the step's start: the angular momentum, 5 kg m^2/s of each, goes by 2 %, as of rigid cubes.
static void collide(double restitution, double turn, bool is_rigid) {
    tn_world *world = contacts_world_create(0.0, 0.0, &reports);
    tn_body_id cubes[2];
    float e = (float)restitution;
    tn_reduced_id a = cube_make(world, -0.6, 0.0, 0.3f, e, &cubes[0]);
    tn_reduced_id b = cube_make(world, 0.1, 0.13, 0.3f, e, &cubes[1]);
    if (is_rigid) {
        tn_reduced_destroy(world, b);
    }
    double v[TN_AFFINE_FREEDOMS] = {4.0, 0.0, 0.0}, u[TN_AFFINE_FREEDOMS];
    tn_reduced_get_coordinates(world, a, u, TN_AFFINE_FREEDOMS);
    u[3] = u[7] = cos(turn);
    u[4] = -sin(turn);
    u[6] = sin(turn);
    tn_reduced_set_coordinates(world, a, u, TN_AFFINE_FREEDOMS);
    tn_reduced_set_speeds(world, a, v, TN_AFFINE_FREEDOMS);
    tn_energy before = tn_world_get_energy(world);
    double most = 0.0;
    for (int i = 0; i < 60; ++i) {
        reduced_run(world, 1.0 / 120.0, 1, 8);
        most = fmax(most, whole_energy(world));
    }
    tn_energy after = tn_world_get_energy(world);
    TEST_NEAR(after.linear_momentum.x, 4.0 * MASS, 1e-4);
    TEST_NEAR(after.linear_momentum.y, 0.0, 1e-4);
    TEST_NEAR(after.angular_momentum.z, before.angular_momentum.z, 0.1);
    cr_assert(tn_body_get_velocity(world, cubes[1]).linear.x > 1.5);
    cr_assert(most < 1.002 * before.kinetic, "%g %g: %g of %g", restitution, turn, most,
              before.kinetic);
    TEST_NEAR(contacts_get_work(world), after.kinetic - before.kinetic, 2e-3 * before.kinetic);
    test_world_destroy_quiet(world, &reports);
}

Test(affine_contacts, blows_keep_momentum_and_give_no_energy) {
    for (int i = 0; i < 4; ++i) {
        collide(0.0, 0.3 * i, false);
        collide(0.5, 0.3 * i, false);
        collide(0.0, 0.3 * i, true);
        collide(0.5, 0.3 * i, true);
    }
}

// ---- shape -------------------------------------------------------------------------------------

// A sheared and stretched cube over the floor: its lowest edge touches where the material is.
Test(affine_contacts, what_touches_is_the_deformed_shape) {
    tn_world *world = contacts_world_create(0.0, 0.0, &reports);
    contacts_floor_make(world, 0.5f, 0.0f);
    tn_body_id cube;
    tn_reduced_id id = cube_make(world, 0.0, 0.435, 0.5f, 0.0f, &cube);
    const double a[9] = {1.2, 0.1, 0.0, 0.2, 1.5, 0.0, 0.0, 0.1, 0.9};
    affine_set(world, id, a, NULL);
    reduced_run(world, 1e-6, 1, 1);             // too short for anything to move
    double lowest = 0.435 - 0.25 * (0.2 + 1.5); // of the corners at -x, -y: 1 cm
    tn_contact_id found = {0};
    cr_assert(tn_body_get_contacts(world, cube, &found, 1) == 1);
    tn_contact contact = tn_contact_get(world, found);
    cr_assert(contact.point_count == 2);
    for (uint32_t p = 0; p < 2; ++p) {
        tn_vec3 at = contact.points[p].position;
        double z = at.z > -0.025 ? 0.25 : -0.25;
        tn_vec3 corner = tn_affine_get_point(world, id, (tn_vec3){-0.25, -0.25, z});
        TEST_NEAR(contact.points[p].separation, lowest, 1e-6);
        TEST_NEAR(at.x, corner.x, 1e-6);
        TEST_NEAR(at.z, corner.z, 1e-6);
    }
    tn_ray ray = tn_ray_make((tn_vec3){0.0, 2.0, 0.0}, (tn_vec3){0.0, -2.0, 0.0});
    tn_ray_hit hit;
    cr_assert(tn_world_cast_ray(world, &ray, &hit));
    double x = -0.1 * 0.25 / 1.2; // of the top under the ray, where a11 x + a12 0.25 = 0
    TEST_NEAR(hit.point.y, 0.435 + 0.2 * x + 1.5 * 0.25, 1e-6);
    test_world_destroy_quiet(world, &reports);
}

// A tetrahedron of the hull's points, off the centre of its body, beside a box.
static tn_body_id hull_body_make(tn_world *world, double y, float friction) {
    static const tn_vec3 points[4] = {
        {-0.3, 0.0, -0.3}, {0.3, 0.0, -0.3}, {0.0, 0.0, 0.4}, {0.0, 0.5, 0.0}};
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, y, 0.0);
    tn_shape_def def = contacts_shape(friction, 0.0f);
    def.density = 100.0f;
    def.local_pose.position.x = 0.2;
    cr_assert(hull_shape_make(world, body, &def, points, 4).value != 0);
    return body;
}

Test(affine_contacts, hull_rests_on_its_face_and_as_a_rigid_one_once_it_is_so) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    contacts_floor_make(world, 0.5f, 0.0f);
    tn_body_id body = hull_body_make(world, 0.02, 0.5f);
    tn_reduced_id id = affine_make(world, body, YOUNG, 0.3, 0.05, TN_AFFINE_KEPT_NOTHING);
    tn_shape_def def = contacts_shape(0.5f, 0.0f);
    def.density = 100.0f;
    def.local_pose.position = (tn_vec3){-0.1, 0.1, 0.0};
    tn_vec3 half = {0.1, 0.1, 0.1};
    cr_assert(tn_box_shape_create(world, body, &def, half).value != 0);
    reduced_run(world, 4.0, 240, 4);
    double load = tn_body_get_mass(world, body).mass * GRAVITY / 60.0;
    for (int i = 0; i < 2; ++i) {
        tn_contact_id found[2] = {{0}};
        double sum = 0.0;
        cr_assert(tn_body_get_contacts(world, body, found, 2) == 2);
        for (int c = 0; c < 2; ++c) {
            tn_contact contact = tn_contact_get(world, found[c]);
            for (uint32_t p = 0; p < contact.point_count; ++p) {
                sum += (double)contact.points[p].normal_impulse;
            }
        }
        TEST_NEAR(sum, load, 1e-3 * load);
        TEST_NEAR(tn_body_get_velocity(world, body).linear.y, 0.0, 1e-3);
        cr_assert(tn_world_get_telemetry(world).deepest_penetration < 2e-3);
        if (i == 0) {
            tn_reduced_destroy(world, id);
            reduced_run(world, 2.0, 120, 4);
        }
    }
    test_world_destroy_quiet(world, &reports);
}

// ---- what is no solid any more -----------------------------------------------------------------

LONG_TEST(affine_contacts, crushed_and_inverted_bodies_touch_and_come_back) {
    static const double shapes[][9] = {
        {0.0},
        {1, 0, 0, 0, 0, 0, 0, 0, 1},
        {1, 0, 0, 0, 1e-9, 0, 0, 0, 0},
        {1, 0, 0, 0, -1, 0, 0, 0, 1},
        {-1, 0, 0, 0, -1, 0, 0, 0, -1},
        {1, 1, 1, 1, 1, 1, 1, 1, 1},
        {1e6, 0, 0, 0, 1, 0, 0, 0, 1},
        {1e30, 3e30, 0, 0, 1e-30, 0, 0, 0, -1e30},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        for (int kept = 0; kept < 2; ++kept) {
            tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
            contacts_floor_make(world, 0.5f, 0.5f);
            tn_body_id cube, other;
            tn_reduced_id id = cube_make(world, 0.0, 0.2, 0.5f, 0.5f, &cube);
            cube_make(world, 0.1, 0.7, 0.5f, 0.0f, &other);
            box_make(world, 0.0, 1.2, 0.0, MASS, half_cube, 0.5f, 0.0f);
            const double rate[9] = {0, 5, 0, 0, -40, 0, 7, 0, kept == 0 ? 0.0 : 1e5};
            affine_set(world, id, shapes[i], rate);
            reduced_run(world, 2.0, 120, 4);
            for (uint32_t k = 0; k < TN_AFFINE_FREEDOMS; ++k) {
                cr_assert(isfinite(reduced_coordinate(world, id, k)));
                cr_assert(isfinite(reduced_speed(world, id, k)));
            }
            cr_assert(isfinite(tn_body_get_pose(world, other).position.y));
            tn_world_destroy(world);
        }
    }
}

// ---- bits --------------------------------------------------------------------------------------

static uint64_t heap_hash(uint32_t workers) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    tn_world *world = test_def_world_create(def, &reports);
    contacts_floor_make(world, 0.5f, 0.2f);
    for (int i = 0; i < 24; ++i) {
        tn_body_id body;
        double x = 0.3 * (i % 3), y = 0.3 + 0.55 * (i / 3);
        if (i % 4 == 3) {
            box_make(world, x, y, 0.0, MASS, half_cube, 0.5f, 0.2f);
        } else {
            cube_make(world, x, y, 0.5f, 0.2f, &body);
        }
    }
    reduced_run(world, 1.5, 90, 4);
    uint64_t hash = tn_world_get_hash(world);
    test_world_destroy_quiet(world, &reports);
    return hash;
}

LONG_TEST(affine_contacts, workers_do_not_change_a_bit) {
    uint64_t alone = heap_hash(1);
    cr_assert(heap_hash(4) == alone);
    cr_assert(heap_hash(1) == alone);
}

// ---- sleep and events --------------------------------------------------------------------------

Test(affine_contacts, cube_falls_asleep_and_is_woken_by_what_falls_on_it) {
    tn_world_def def = tn_world_def_default();
    tn_world *world = test_def_world_create(def, &reports);
    contacts_floor_make(world, 0.5f, 0.0f);
    tn_body_id cube;
    cube_make(world, 0.0, 0.3, 0.5f, 0.0f, &cube);
    uint32_t begins = 0;
    for (int i = 0; i < 300; ++i) {
        reduced_run(world, 1.0 / 60.0, 1, 4);
        begins += tn_world_get_events(world).begin_count;
    }
    cr_assert(begins == 1, "%u", begins);
    cr_assert(!tn_body_is_awake(world, cube));
    box_make(world, 0.0, 1.5, 0.0, MASS, half_cube, 0.5f, 0.0f);
    reduced_run(world, 1.0, 60, 4);
    cr_assert(tn_body_is_awake(world, cube));
    test_world_destroy_quiet(world, &reports);
}

// ---- what turns --------------------------------------------------------------------------------

// A stiff cube on a kinematic turntable, made before it and after it. With the arms of the step's
// start it creeps outward by 0.13 m.
Test(affine_contacts, a_cube_stays_where_it_stands_on_a_turntable) {
    const double radius = 1.5, speed = 1.0, half = 0.15;
    for (int is_first = 0; is_first < 2; ++is_first) {
        tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
        tn_body_id table = {0}, cube = {0};
        for (int i = 0; i < 2; ++i) {
            if (i == is_first) {
                table = test_box_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, -0.1, 0.0,
                                        (tn_vec3){3.0, 0.1, 3.0});
            } else {
                cube = box_make(world, radius, half, 0.0, 27.0, (tn_vec3){0.15, 0.15, 0.15}, 0.9f,
                                0.0f);
            }
        }
        tn_body_set_velocity(world, table, (tn_velocity){{0.0, 0.0, 0.0}, {0.0, speed, 0.0}});
        tn_body_set_velocity(world, cube,
                             (tn_velocity){{0.0, 0.0, -speed * radius}, {0.0, speed, 0.0}});
        affine_make(world, cube, 1e7, 0.3, 1e-4, TN_AFFINE_KEPT_NOTHING);
        reduced_run(world, 10.0, 600, 4);
        tn_vec3 p = tn_body_get_center(world, cube);
        TEST_NEAR(hypot(p.x, p.z), radius, 1e-4);
        test_world_destroy_quiet(world, &reports);
    }
}
