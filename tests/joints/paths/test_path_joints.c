// Joints that lead a point along something: what they are told they give back, what is wrong is
// refused, and whatever they are told nothing becomes infinite.
#include "tests/joints/joint_world.h"

static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static test_reports reports;
static tn_world *world;
static tn_body_id body_a, body_b;

static void setup(void) {
    world = world_make(gravity, &reports);
    body_a = body_make(world, 0, 0, 0, 1, 0.3);
    body_b = body_make(world, 1, 0, 0, 1, 0.3);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(path_joints, .timeout = 60, .init = setup, .fini = teardown);

static const tn_vec3 points[5] = {{0, 0, 0}, {1, 0.5, 0}, {2, 0, 1}, {3, -1, 0}, {1, -2, -1}};

static tn_curve_joint_def curve_def(const tn_joint_def *base) {
    tn_curve_joint_def def = tn_curve_joint_def_default();
    def.base = *base;
    def.points = points;
    def.point_count = 5;
    return def;
}

static tn_joint_id make_curve(const tn_joint_def *base) {
    tn_curve_joint_def def = curve_def(base);
    return tn_curve_joint_create(world, &def);
}

static tn_joint_id make_surface(const tn_joint_def *base) {
    tn_surface_joint_def def = tn_surface_joint_def_default();
    def.base = *base;
    return tn_surface_joint_create(world, &def);
}

static tn_joint_def base_of(tn_body_id a, tn_body_id b) {
    tn_joint_def base = tn_joint_def_default();
    base.body_a = a;
    base.body_b = b;
    return base;
}

// ---- setters -----------------------------------------------------------------------------------

Test(path_joints, of_a_curve_give_back_what_they_were_told) {
    tn_joint_def base = base_of(body_a, body_b);
    tn_joint_id joint = make_curve(&base);
    const tn_limit limit = {true, 0.25f, 2.0f, 3.0f, 4.0f, 0.5f};
    const tn_motor motor = {TN_MOTOR_MODE_POSITION,    1.0f, 2.0f, 3.0f, 4.0f, 5.0f,
                            TN_DRIVE_MODE_ACCELERATION};
    const tn_spring spring = {TN_SPRING_MODE_FREQUENCY, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f};
    tn_curve_joint_set_limit(world, joint, limit);
    tn_curve_joint_set_motor(world, joint, motor);
    tn_curve_joint_set_spring(world, joint, spring);
    tn_curve_joint_set_friction(world, joint, 6.0f);
    tn_curve_joint_set_viscous_friction(world, joint, 7.0f);
    tn_curve_joint_def def = tn_curve_joint_get_def(world, joint);
    cr_assert(def.spring.mode == spring.mode && def.spring.rest == 5.0f);
    cr_assert(def.limit.is_enabled && def.limit.upper == 2.0f && def.limit.restitution == 0.5f);
    cr_assert(def.motor.stiffness == 3.0f && def.motor.drive == TN_DRIVE_MODE_ACCELERATION);
    cr_assert(def.friction == 6.0f && def.viscous_friction == 7.0f && def.point_count == 5);
    cr_assert_eq(tn_joint_get_type(world, joint), TN_JOINT_TYPE_CURVE);
    cr_assert_eq(reports.count, 0);
}

Test(path_joints, of_a_surface_give_back_what_they_were_told) {
    tn_joint_def base = base_of(body_a, body_b);
    tn_joint_id joint = make_surface(&base);
    tn_surface_joint_set_radius(world, joint, 2.5);
    tn_surface_joint_set_side(world, joint, TN_SURFACE_SIDE_OUTSIDE);
    tn_joint_set_stiffness(world, joint, 3.0f, 0.5f);
    tn_surface_joint_def def = tn_surface_joint_get_def(world, joint);
    cr_assert(def.radius == 2.5 && def.side == TN_SURFACE_SIDE_OUTSIDE && def.base.hertz == 3.0f);
    cr_assert_eq(tn_joint_get_type(world, joint), TN_JOINT_TYPE_SURFACE);
    cr_assert_eq(reports.count, 0);
}

// ---- misuse ------------------------------------------------------------------------------------

static void expect(tn_result result, const char *function) {
    cr_assert(reports.count == 1 && reports.last == result, "%s: %u, %s", function, reports.count,
              tn_result_name(reports.last));
    cr_assert_str_eq(reports.function, function);
    reports.count = 0;
}

Test(path_joints, refuse_a_bad_common_part_and_no_definition) {
    tn_joint_def bad[4];
    for (int i = 0; i < 4; ++i) {
        bad[i] = base_of(body_a, body_b);
    }
    bad[0].frame_a.position.x = (double)NAN;
    bad[1].hertz = -1.0f;
    bad[2].body_b = body_a;
    bad[3].body_a.value = 0x7fc00000u;
    const tn_result results[4] = {TN_RESULT_NOT_FINITE, TN_RESULT_INVALID_ARGUMENT,
                                  TN_RESULT_SAME_BODY, TN_RESULT_INVALID_ID};
    for (int i = 0; i < 4; ++i) {
        cr_assert_eq(make_curve(&bad[i]).value, 0);
        expect(results[i], "tn_curve_joint_create");
        cr_assert_eq(make_surface(&bad[i]).value, 0);
        expect(results[i], "tn_surface_joint_create");
    }
    cr_assert_eq(tn_curve_joint_create(world, NULL).value, 0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_curve_joint_create");
    cr_assert_eq(tn_surface_joint_create(world, NULL).value, 0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_surface_joint_create");
    cr_assert_eq(tn_world_count_joints(world), 0);
}

Test(path_joints, are_not_one_another) {
    tn_joint_def base = base_of(body_a, body_b);
    tn_joint_id curve = make_curve(&base), surface = make_surface(&base);
    cr_assert(tn_curve_joint_get_way(world, surface) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_curve_joint_get_way");
    cr_assert(tn_curve_joint_get_speed(world, surface) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_curve_joint_get_speed");
    cr_assert(tn_curve_joint_get_length(world, surface) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_curve_joint_get_length");
    cr_assert_null(tn_curve_joint_get_def(world, surface).points);
    expect(TN_RESULT_WRONG_TYPE, "tn_curve_joint_get_def");
    tn_curve_joint_set_friction(world, surface, 1.0f);
    expect(TN_RESULT_WRONG_TYPE, "tn_curve_joint_set_friction");
    cr_assert(tn_surface_joint_get_distance(world, curve) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_surface_joint_get_distance");
    cr_assert(tn_surface_joint_get_def(world, curve).radius == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_surface_joint_get_def");
    tn_surface_joint_set_side(world, curve, TN_SURFACE_SIDE_BOTH);
    expect(TN_RESULT_WRONG_TYPE, "tn_surface_joint_set_side");
    tn_joint_destroy(world, curve);
    cr_assert(tn_curve_joint_get_way(world, curve) == 0.0);
    expect(TN_RESULT_INVALID_ID, "tn_curve_joint_get_way");
    tn_curve_joint_set_motor(world, curve, (tn_motor){.max_force = 1.0f});
    expect(TN_RESULT_INVALID_ID, "tn_curve_joint_set_motor");
    cr_assert(tn_curve_joint_get_way(NULL, curve) == 0.0);
    tn_surface_joint_set_radius(NULL, surface, 1.0);
    cr_assert_eq(reports.count, 0);
}

Test(path_joints, of_a_curve_refuse_bad_numbers) {
    tn_joint_def base = base_of(body_a, body_b);
    tn_joint_id joint = make_curve(&base);
    tn_curve_joint_set_limit(world, joint, (tn_limit){.is_enabled = true, .lower = 2.0f});
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_curve_joint_set_limit");
    tn_curve_joint_set_limit(world, joint, (tn_limit){.restitution = 2.0f});
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_curve_joint_set_limit");
    tn_curve_joint_set_motor(world, joint, (tn_motor){.max_force = -1.0f});
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_curve_joint_set_motor");
    tn_curve_joint_set_motor(world, joint, (tn_motor){.target_position = NAN});
    expect(TN_RESULT_NOT_FINITE, "tn_curve_joint_set_motor");
    tn_curve_joint_set_spring(world, joint, (tn_spring){.stiffness = -1.0f});
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_curve_joint_set_spring");
    tn_curve_joint_set_friction(world, joint, INFINITY);
    expect(TN_RESULT_NOT_FINITE, "tn_curve_joint_set_friction");
    tn_curve_joint_set_viscous_friction(world, joint, -1.0f);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_curve_joint_set_viscous_friction");
    tn_curve_joint_def def = tn_curve_joint_get_def(world, joint);
    cr_assert(def.friction == 0.0f && isinf(def.motor.max_force) && !def.limit.is_enabled);
}

// ---- whatever they are told --------------------------------------------------------------------

static uint64_t random_state;

static double unit(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) / 9007199254740992.0;
}

static double any(double size) {
    return size * (2.0 * unit() - 1.0);
}

static tn_joint_def any_base(void) {
    const tn_solver solvers[4] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
    tn_joint_def base = base_of(unit() < 0.5 ? world_body : body_a, body_b);
    base.frame_a = (tn_pose){{any(1), any(1), any(1)}, {any(1), any(1), any(1), any(1) + 1.5}};
    base.frame_b = (tn_pose){{any(1), any(1), any(1)}, {any(1), any(1), any(1), any(1) + 1.5}};
    base.hertz = unit() < 0.8 ? 0.0f : (float)(20.0 * unit());
    base.solver = solvers[(int)(4.0 * unit())];
    return base;
}

static tn_joint_id any_curve(void) {
    tn_vec3 own[12];
    for (int i = 0; i < 12; ++i) {
        double angle = 0.5 * i, radius = 3.0 + any(1.0);
        own[i] = (tn_vec3){radius * cos(angle), radius * sin(angle), any(1.0)};
    }
    tn_joint_def base = any_base();
    tn_curve_joint_def def = curve_def(&base);
    def.points = own;
    def.point_count = 8 + (uint32_t)(5.0 * unit());
    def.is_closed = unit() < 0.5;
    def.friction = unit() < 0.5 ? 0.0f : (float)(10.0 * unit());
    def.motor.mode = (tn_motor_mode)(int)(3.0 * unit());
    def.motor.target_speed = (float)any(10.0);
    def.motor.target_position = (float)any(20.0);
    def.motor.stiffness = (float)(1e4 * unit());
    def.motor.damping = (float)(1e2 * unit());
    def.motor.max_force = unit() < 0.5 ? INFINITY : (float)(100.0 * unit());
    def.limit.is_enabled = unit() < 0.3;
    def.limit.upper = (float)(5.0 * unit());
    def.limit.restitution = (float)unit();
    return tn_curve_joint_create(world, &def);
}

static tn_joint_id any_surface(void) {
    tn_surface_joint_def def = tn_surface_joint_def_default();
    def.base = any_base();
    def.shape = (tn_surface_shape)(int)(4.0 * unit());
    def.side = (tn_surface_side)(int)(3.0 * unit());
    def.radius = 0.3 + 2.0 * unit();
    def.tube_radius = 0.9 * def.radius * (0.1 + unit()) / 1.1;
    def.half_axes = (tn_vec3){0.2 + unit(), 0.2 + unit(), 0.2 + unit()};
    return tn_surface_joint_create(world, &def);
}

static tn_joint_id any_path(void) {
    tn_vec3 own[12];
    double times[12];
    for (int i = 0; i < 12; ++i) {
        own[i] = (tn_vec3){any(3), any(3), any(3)};
        times[i] = 0.2 * i + 0.15 * unit();
    }
    tn_motion_path_joint_def def = tn_motion_path_joint_def_default();
    def.base = any_base();
    def.times = times;
    def.points = own;
    def.point_count = 4 + (uint32_t)(9.0 * unit());
    def.is_looped = unit() < 0.5;
    own[def.point_count - 1] = own[0];
    def.start_time = any(2.0);
    def.speed = any(3.0);
    return tn_motion_path_joint_create(world, &def);
}

Test(path_joints, stay_finite_whatever_they_are_told) {
    for (uint64_t seed = 0; seed < 400; ++seed) {
        teardown();
        setup();
        random_state = seed * 7919 + 1;
        unit();
        tn_joint_id joint = seed % 3 == 0 ? any_curve() : any_surface();
        if (seed % 3 == 1) {
            tn_joint_destroy(world, joint);
            joint = any_path();
        }
        cr_assert(joint.value != 0, "case %u: %s", (unsigned)seed, tn_result_name(reports.last));
        run(world, 2.0, 60.0, 4);
        cr_assert_eq(reports.count, 0, "case %u: %s", (unsigned)seed, tn_result_name(reports.last));
        cr_assert(isfinite(tn_world_get_energy(world).kinetic));
        cr_assert(isfinite(tn_joint_get_error(world, joint).linear_length));
    }
}

// ---- drawing -----------------------------------------------------------------------------------

static uint32_t count_lines(void) {
    tn_draw draw;
    cr_assert_eq(tn_world_draw(world, NULL, &draw), TN_RESULT_OK);
    return draw.line_count;
}

Test(path_joints, of_a_curve_draw_all_of_it) {
    uint32_t before = count_lines();
    tn_joint_def base = base_of(body_a, body_b);
    make_curve(&base);
    cr_assert(count_lines() >= before + 4 * 8, "%u", count_lines() - before);
}
