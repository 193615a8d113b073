// Friction that depends on the direction, for all solvers and all that has shapes: slopes, paths
// against the integrated equation, skates. Boxes lie on a level ground; slopes are gravity's.
#include "tests/world/world_test.h"

static test_reports reports;

#define MU      0.6
#define GRAVITY 9.81

// What slides.
typedef enum sled_kind {
    SLED_BOX,
    SLED_TRAIN, // two boxes welded to each other: a mechanism
    SLED_JELLY, // an affine box
    SLED_PARTICLE,
    SLED_COUNT
} sled_kind;

static const tn_vec3 half = {0.5, 0.1, 0.4};
static const tn_vec3 at_rest = {0.0, 0.0, 0.0}, thrown = {3.0, 0.0, 2.0};

static tn_material make_material(double x, double y, double z) {
    tn_material material = tn_material_default(); // friction MU
    material.friction_scale = (tn_vec3){x, y, z};
    return material;
}

static tn_quat yaw(double angle) {
    return (tn_quat){0.0, sin(0.5 * angle), 0.0, cos(0.5 * angle)};
}

static tn_world *make_world(tn_solver solver, tn_vec3 gravity) {
    tn_world *world = test_solver_world_create(solver, &reports);
    tn_world_set_gravity(world, gravity);
    return world;
}

static tn_body_id add_ground(tn_world *world, tn_material material) {
    tn_body_id ground = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, -0.5, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material = material;
    cr_assert(tn_box_shape_create(world, ground, &def, (tn_vec3){60.0, 0.5, 60.0}).value != 0);
    return ground;
}

static tn_body_id add_box(tn_world *world, double x, double z, double angle, tn_vec3 v,
                          tn_material material, bool is_particle) {
    tn_body_def body = tn_body_def_default();
    body.type = TN_BODY_TYPE_DYNAMIC;
    body.velocity.linear = v;
    body.is_particle = is_particle;
    body.pose.position = (tn_vec3){x, half.y, z};
    body.pose.rotation = yaw(angle);
    tn_body_id box = tn_body_create(world, &body);
    tn_shape_def def = tn_shape_def_default();
    def.material = material;
    if (is_particle) {
        cr_assert(tn_sphere_shape_create(world, box, &def, (float)half.y).value != 0);
    } else {
        cr_assert(tn_box_shape_create(world, box, &def, half).value != 0);
    }
    return box;
}

static void tie(tn_world *world, tn_body_id a, tn_body_id b, double x) {
    tn_fixed_joint_def def = tn_fixed_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, half.y, 0.0},
                                      (tn_vec3){0.0, 0.0, 1.0}));
    cr_assert(tn_fixed_joint_create(world, &def).value != 0);
}

static tn_body_id add_sled(tn_world *world, sled_kind kind, double angle, tn_vec3 v,
                           tn_material material) {
    tn_body_id box = add_box(world, 0.0, 0.0, angle, v, material, kind == SLED_PARTICLE);
    if (kind == SLED_TRAIN) {
        double x = 1.2 * cos(angle), z = -1.2 * sin(angle);
        tie(world, box, add_box(world, x, z, angle, v, material, false), 0.6);
    }
    if (kind == SLED_JELLY) {
        tn_affine_def def = tn_affine_def_default();
        def.body = box;
        cr_assert(tn_affine_create(world, &def).value != 0);
    }
    return box;
}

#define FOR_ALL(solver, kind)                                                                      \
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver)                      \
        for (sled_kind kind = SLED_BOX; kind < SLED_COUNT; ++kind)

// ---- slopes -------------------------------------------------------------------------------------

// Returns how far a sled comes in a second on a slope of 0.3 that falls along an angle about y.
static double slide_down(tn_solver solver, sled_kind kind, double body_angle, double slope_angle) {
    double along = 0.3 / sqrt(1.09) * GRAVITY, down = GRAVITY / sqrt(1.09);
    tn_vec3 way = {cos(slope_angle), 0.0, -sin(slope_angle)};
    tn_world *world = make_world(solver, (tn_vec3){along * way.x, -down, along * way.z});
    add_ground(world, tn_material_default());
    tn_body_id sled = add_sled(world, kind, body_angle, at_rest, make_material(0.25, 1.0, 1.0));
    test_step(world, 60);
    tn_vec3 p = tn_body_get_center(world, sled);
    test_world_destroy_quiet(world, &reports);
    return p.x * way.x + p.z * way.z;
}

// tan = 0.3 is more than 0.25 mu = 0.15 and less than mu = 0.6.
Test(grain_friction, lets_a_block_slide_along_the_slippery_axis_first) {
    double down = GRAVITY / sqrt(1.09), expected = 0.5 * (0.3 - 0.15) * down;
    FOR_ALL(solver, kind) {
        double along = slide_down(solver, kind, 0.0, 0.0);
        double across = slide_down(solver, kind, 0.0, 0.5 * 3.14159265358979);
        cr_assert(fabs(along - expected) < 0.01 * expected, "solver %d, kind %d: %g for %g", solver,
                  kind, along, expected);
        cr_assert(fabs(across) < (kind == SLED_JELLY ? 1e-2 : 1e-3), "solver %d, kind %d: %g",
                  solver, kind, across);
    }
}

Test(grain_friction, has_axes_that_turn_with_the_body) {
    double down = GRAVITY / sqrt(1.09), expected = 0.5 * (0.3 - 0.15) * down, angle = 0.7;
    FOR_ALL(solver, kind) {
        double along = slide_down(solver, kind, angle, angle);
        double across = slide_down(solver, kind, angle, angle + 0.5 * 3.14159265358979);
        cr_assert(fabs(along - expected) < 0.01 * expected, "solver %d, kind %d: %g for %g", solver,
                  kind, along, expected);
        cr_assert(fabs(across) < (kind == SLED_JELLY ? 1e-2 : 1e-3), "solver %d, kind %d: %g",
                  solver, kind, across);
    }
}

// ---- the path of what slides --------------------------------------------------------------------

// The acceleration of what slides at v, on the axes of the grain: -mu g M^2 v / |M v|.
static void get_acceleration(const double v[2], const double m[2], double a[2]) {
    double length = hypot(m[0] * v[0], m[1] * v[1]);
    for (int k = 0; k < 2; ++k) {
        a[k] = length > 1e-9 ? -MU * GRAVITY * m[k] * m[k] * v[k] / length : 0.0;
    }
}

// Integrates the path for a time; the velocity is on the axes of the grain.
static void integrate(double v[2], const double m[2], double time, double p[2]) {
    int steps = 20000;
    double h = time / steps, a[2], middle[2];
    p[0] = p[1] = 0.0;
    for (int i = 0; i < steps; ++i) {
        get_acceleration(v, m, a);
        for (int k = 0; k < 2; ++k) {
            middle[k] = v[k] + 0.5 * h * a[k];
        }
        get_acceleration(middle, m, a);
        for (int k = 0; k < 2; ++k) {
            p[k] += h * (v[k] + 0.5 * h * a[k]);
            v[k] += h * a[k];
        }
    }
}

// Returns how far a sled that was thrown is from the integrated path after 0.4 s.
static double follow_sled(tn_world *world, tn_body_id sled, const double m[2]) {
    double v[2] = {thrown.x, thrown.z}, p[2];
    tn_vec3 from = tn_body_get_center(world, sled);
    test_step(world, 24);
    integrate(v, m, 0.4, p);
    tn_vec3 at = tn_body_get_center(world, sled);
    tn_vec3 now = tn_body_get_linear_velocity(world, sled);
    double off = hypot(at.x - from.x - p[0], at.z - from.z - p[1]);
    double slow = 0.1 * hypot(now.x - v[0], now.z - v[1]);
    return off > slow ? off : slow;
}

Test(grain_friction, leads_what_slides_along_the_associated_path) {
    const double m[2] = {0.25, 1.0};
    FOR_ALL(solver, kind) {
        tn_world *world = make_world(solver, (tn_vec3){0.0, -GRAVITY, 0.0});
        add_ground(world, tn_material_default());
        tn_body_id sled = add_sled(world, kind, 0.0, thrown, make_material(m[0], 1.0, m[1]));
        double off = follow_sled(world, sled, m);
        double most = kind == SLED_JELLY ? 2e-2 : 5e-3;
        cr_assert(off < most, "solver %d, kind %d: %g m", solver, kind, off);
        test_world_destroy_quiet(world, &reports);
    }
}

// The grain of the ground counts as that of the sled does, and both multiply.
Test(grain_friction, of_both_surfaces_multiplies) {
    const double m[2] = {0.25, 1.0};
    for (int which = 0; which < 2; ++which) {
        tn_world *world = make_world(TN_SOLVER_AUTO, (tn_vec3){0.0, -GRAVITY, 0.0});
        tn_material half_way = make_material(0.5, 1.0, 1.0), whole = make_material(0.25, 1.0, 1.0);
        add_ground(world, which == 0 ? whole : half_way);
        tn_body_id sled =
            add_sled(world, SLED_BOX, 0.0, thrown, which == 0 ? tn_material_default() : half_way);
        double off = follow_sled(world, sled, m);
        cr_assert(off < 5e-3, "%d: %g m", which, off);
        test_world_destroy_quiet(world, &reports);
    }
}

static void add_tiles(tn_world *world, tn_body_id ground, tn_shape_def def) {
    for (int i = 0; i < 36; ++i) {
        def.local_pose.position = (tn_vec3){(i % 6) * 0.73 - 1.5, -0.5, (i / 6) * 0.73 - 1.5};
        cr_assert(tn_box_shape_create(world, ground, &def, (tn_vec3){0.365, 0.5, 0.365}).value !=
                  0);
    }
}

// The triangles have the second material of their list, which is that of `def`.
static void add_triangles(tn_world *world, tn_body_id ground, tn_shape_def def) {
    float points[49 * 3];
    uint32_t corners[216];
    uint16_t names[72];
    for (uint32_t i = 0; i < 49; ++i) {
        points[3 * i] = 0.73f * (float)(i % 7) - 1.9f;
        points[3 * i + 1] = 0.0f;
        points[3 * i + 2] = 0.73f * (float)(i / 7) - 1.9f;
    }
    for (uint32_t i = 0; i < 36; ++i) {
        uint32_t p = i / 6 * 7 + i % 6;
        const uint32_t own[6] = {p, p + 7, p + 1, p + 1, p + 7, p + 8};
        memcpy(corners + 6 * i, own, sizeof own);
        names[2 * i] = names[2 * i + 1] = 1;
    }
    tn_mesh_def mesh_def = tn_mesh_def_default();
    mesh_def.positions = points;
    mesh_def.position_count = 49;
    mesh_def.indices = corners;
    mesh_def.triangle_count = 72;
    mesh_def.materials = names;
    tn_mesh *mesh = tn_mesh_create(&mesh_def, NULL);
    cr_assert_not_null(mesh);
    const tn_material materials[2] = {tn_material_default(), def.material};
    def.material = tn_material_default();
    cr_assert(tn_mesh_shape_create(world, ground, &def, mesh, materials, 2).value != 0);
    tn_mesh_release(mesh);
}

// Tiles side by side, and triangles with a material of their own: the impulses of points that end
// go to new ones, and the path stays.
Test(grain_friction, leads_along_the_same_path_over_tiles_and_triangles) {
    const double m[2] = {0.25, 1.0};
    for (int what = 0; what < 2; ++what) {
        tn_world *world = make_world(TN_SOLVER_AUTO, (tn_vec3){0.0, -GRAVITY, 0.0});
        tn_body_id ground = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
        tn_shape_def def = tn_shape_def_default();
        def.material = make_material(m[0], 1.0, m[1]);
        if (what == 0) {
            add_tiles(world, ground, def);
        } else {
            add_triangles(world, ground, def);
        }
        tn_body_id sled = add_sled(world, SLED_BOX, 0.0, thrown, tn_material_default());
        double off = follow_sled(world, sled, m);
        cr_assert(off < 1e-2, "%d: %g m", what, off);
        test_world_destroy_quiet(world, &reports);
    }
}

// ---- skates -------------------------------------------------------------------------------------

// A ball that may only turn about y stands on a point, so that nothing brakes its turning.
static tn_body_id add_skate(tn_world *world, tn_material material) {
    tn_body_id skate = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.3, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material = material;
    cr_assert(tn_sphere_shape_create(world, skate, &def, 0.3f).value != 0);
    tn_body_set_locks(world, skate, TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Z);
    return skate;
}

Test(grain_friction, makes_a_skate_go_along_its_blade_and_holds_it_across) {
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        tn_world *world = make_world(solver, (tn_vec3){1.0, -GRAVITY, 3.0});
        add_ground(world, tn_material_default());
        tn_body_id skate = add_skate(world, make_material(0.0, 1.0, 1.0));
        test_step(world, 120);
        tn_vec3 p = tn_body_get_center(world, skate), v = tn_body_get_linear_velocity(world, skate);
        TEST_NEAR(v.x, 2.0, 2e-3);
        TEST_NEAR(p.x, 2.0, 1e-2);
        TEST_NEAR(v.z, 0.0, 1e-3);
        TEST_NEAR(p.z, 0.0, 2e-3);
        test_world_destroy_quiet(world, &reports);
    }
}

// It goes in a circle with the radius v / w, and neither its speed nor its turning changes: the
// blade does no work.
Test(grain_friction, makes_a_skate_that_turns_go_in_a_circle) {
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        double w = 2.0, v = 1.0, time = 3.0;
        tn_world *world = make_world(solver, (tn_vec3){0.0, -GRAVITY, 0.0});
        add_ground(world, tn_material_default());
        tn_body_id skate = add_skate(world, make_material(0.0, 1.0, 1.0));
        test_step(world, 30);
        tn_body_set_velocity(world, skate, (tn_velocity){{v, 0.0, 0.0}, {0.0, w, 0.0}});
        tn_vec3 from = tn_body_get_center(world, skate);
        test_step(world, 180);
        tn_vec3 p = tn_body_get_center(world, skate), u = tn_body_get_linear_velocity(world, skate);
        double off = hypot(p.x - from.x - v / w * sin(w * time),
                           p.z - from.z + v / w * (1.0 - cos(w * time)));
        cr_assert(off < 5e-3, "solver %d: %g m", solver, off);
        cr_assert(fabs(hypot(u.x, u.z) - v) < 2e-3 * v, "solver %d: %g m/s", solver,
                  hypot(u.x, u.z));
        test_world_destroy_quiet(world, &reports);
    }
}

// ---- with other numbers of the material ---------------------------------------------------------

// Static friction has the same ellipse: 0.25 of 0.8 is more than a slope of 0.15, 0.25 of 0.4 less.
Test(grain_friction, scales_static_friction_too) {
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        tn_world *world = make_world(solver, (tn_vec3){0.15 * GRAVITY, -GRAVITY, 0.0});
        tn_material material = make_material(0.25, 1.0, 1.0);
        material.friction = 0.4f;
        material.static_friction = 0.8f;
        material.friction_combine = TN_COMBINE_MINIMUM;
        tn_material plain = material;
        plain.friction_scale = (tn_vec3){0.0, 0.0, 0.0};
        add_ground(world, plain);
        tn_body_id box = add_sled(world, SLED_BOX, 0.0, at_rest, material);
        test_step(world, 120);
        TEST_NEAR(tn_body_get_center(world, box).x, 0.0, 1e-3);
        tn_body_set_linear_velocity(world, box,
                                    (tn_vec3){0.5, 0.0, 0.0}); // it slides on, for 0.1 < 0.15
        test_step(world, 60);
        TEST_NEAR(tn_body_get_linear_velocity(world, box).x, 0.5 + 0.05 * GRAVITY, 2e-2);
        test_world_destroy_quiet(world, &reports);
    }
}

// A conveyor with a grain along its way takes a box more slowly.
Test(grain_friction, counts_against_surfaces_that_move) {
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        tn_world *world = make_world(solver, (tn_vec3){0.0, -GRAVITY, 0.0});
        tn_body_id ground = add_ground(world, make_material(0.25, 1.0, 1.0));
        tn_shape_set_surface_velocity(world, test_first_shape(world, ground),
                                      (tn_surface_velocity){.linear = {3.0, 0.0, 0.0}});
        tn_body_id box = add_sled(world, SLED_BOX, 0.0, at_rest, tn_material_default());
        test_step(world, 60);
        TEST_NEAR(tn_body_get_linear_velocity(world, box).x, 0.25 * MU * GRAVITY, 2e-2);
        test_step(world, 120);
        TEST_NEAR(tn_body_get_linear_velocity(world, box).x, 3.0, 1e-4);
        test_world_destroy_quiet(world, &reports);
    }
}

// A ball that bounces with a spin about x and z gets more from the axis along which it grips.
Test(grain_friction, acts_in_blows) {
    tn_world *world = make_world(TN_SOLVER_AUTO, (tn_vec3){0.0, 0.0, 0.0});
    add_ground(world, tn_material_default());
    tn_body_id ball = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.6, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material = make_material(0.25, 1.0, 1.0);
    def.material.restitution = 0.5f;
    tn_sphere_shape_create(world, ball, &def, 0.5f);
    tn_body_set_linear_velocity(world, ball, (tn_vec3){200.0, -4.0, 200.0});
    test_step(world, 6);
    tn_vec3 v = tn_body_get_linear_velocity(world, ball);
    double length = hypot(0.25, 1.0), impulse = MU * 4.0 * 1.5;
    TEST_NEAR(v.y, 2.0, 1e-3);
    TEST_NEAR(v.x, 200.0 - impulse * 0.0625 / length, 2e-2);
    TEST_NEAR(v.z, 200.0 - impulse / length, 2e-2);
    test_world_destroy_quiet(world, &reports);
}

Test(grain_friction, is_energy_that_the_ledger_knows) {
    FOR_ALL(solver, kind) {
        tn_world *world = make_world(solver, (tn_vec3){0.0, -GRAVITY, 0.0});
        add_ground(world, tn_material_default());
        tn_body_id sled = add_sled(world, kind, 0.4, thrown, make_material(0.1, 1.0, 1.0));
        double boxes = kind == SLED_TRAIN ? 2.0 : 1.0, mass = tn_body_get_mass(world, sled).mass;
        double before = boxes * 0.5 * mass * (9.0 + 4.0);
        test_step(world, 30);
        tn_energy energy = tn_world_get_energy(world);
        double sum = energy.gravity_work + energy.motor_work + energy.spring_work +
                     energy.force_work + energy.joint_work + energy.friction_work +
                     energy.impact_work + energy.damping_work;
        cr_assert(energy.friction_work < 0.0);
        TEST_NEAR(before + sum, energy.kinetic, 5e-3 * fabs(energy.friction_work));
        test_world_destroy_quiet(world, &reports);
    }
}

// ---- the interface ------------------------------------------------------------------------------

Test(grain_friction, of_zeros_or_ones_changes_no_bit) {
    tn_vec3 at[2];
    for (int i = 0; i < 2; ++i) {
        tn_world *world = make_world(TN_SOLVER_AUTO, (tn_vec3){0.0, -GRAVITY, 0.0});
        add_ground(world, tn_material_default());
        tn_body_id sled = add_sled(world, SLED_BOX, 0.3, thrown,
                                   i == 0 ? tn_material_default() : make_material(1.0, 1.0, 1.0));
        test_step(world, 30);
        at[i] = tn_body_get_center(world, sled);
        tn_world_destroy(world);
    }
    cr_assert(memcmp(&at[0], &at[1], sizeof at[0]) == 0);
}

Test(grain_friction, is_refused_out_of_range_and_can_be_set_and_read) {
    tn_world *world = make_world(TN_SOLVER_AUTO, (tn_vec3){0.3 * GRAVITY, -GRAVITY, 0.0});
    add_ground(world, tn_material_default());
    tn_body_id box = add_sled(world, SLED_BOX, 0.0, at_rest, tn_material_default());
    tn_shape_id shape = test_first_shape(world, box);
    TEST_REPORTS(&reports, tn_shape_set_material(world, shape, make_material(-0.1, 1.0, 1.0)),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_shape_set_material(world, shape, make_material(1.0, 1.0, 1001.0)),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_shape_set_material(world, shape, make_material(1.0, NAN, 1.0)),
                 TN_RESULT_NOT_FINITE);
    cr_assert(tn_shape_get_material(world, shape).friction_scale.x == 0.0);
    test_step(world, 60);
    TEST_NEAR(tn_body_get_linear_velocity(world, box).x, 0.0, 1e-3);
    cr_assert(tn_shape_set_material(world, shape, make_material(0.25, 1.0, 1.0)) == TN_RESULT_OK);
    cr_assert(tn_shape_get_material(world, shape).friction_scale.x == 0.25);
    test_step(world, 60);
    TEST_NEAR(tn_body_get_linear_velocity(world, box).x, 0.15 * GRAVITY, 2e-2);
    tn_world_destroy(world);
}
