// Tests of solver/joints/joint_limits.c and joint_foresee.c: limits of joints that leave several
// values free, while weights, motors of the other values and motors of other joints push into them.
#include "joint_world.h"
#include "tests/support/long_test.h"

#define VALUES_MOST 4
// m or rad.
#define VALUES_PASSED 1e-3

// ---- several values of one joint ---------------------------------------------------------------

typedef enum values_kind {
    VALUES_PLANAR,
    VALUES_CYLINDRICAL,
    VALUES_UNIVERSAL,
    VALUES_SIX_AXIS, // three lengths and the twist
    VALUES_KINDS
} values_kind;

typedef struct values_case {
    values_kind kind;
    uint32_t count;
    tn_axis axes[VALUES_MOST];
    bool is_hung;
    double mass, inertia; // of a box whose middle is at `arm` from the joint
    tn_vec3 arm;
} values_case;

// From 0 to 1.
static double draw(uint64_t *state) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*state >> 33) / 2147483648.0;
}

static tn_limit draw_limit(uint64_t *state) {
    float end = (float)(0.05 + 0.2 * draw(state));
    double which = draw(state);
    tn_limit still = {.is_enabled = true}, free = {.is_enabled = false};
    tn_limit range = {.is_enabled = true, .lower = -end, .upper = end};
    return which < 0.25 ? still : which < 0.8 ? range : free;
}

// Holds the value, drives it at a speed with a cap or without, or to a place; or is off.
static tn_motor draw_motor(uint64_t *state, double mass) {
    double which = draw(state), speed = 6.0 * (draw(state) - 0.5);
    tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED};
    if (which < 0.2) {
        return motor;
    }
    if (which < 0.5) {
        motor.target_speed = (float)speed;
        motor.max_force = draw(state) < 0.5 ? 0.0f : (float)(50.0 * mass);
        return motor;
    }
    if (which < 0.65) {
        return (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                          .target_position = (float)(0.2 * speed),
                          .stiffness = (float)(1e4 * mass),
                          .damping = (float)(100.0 * mass)};
    }
    return (tn_motor){.mode = TN_MOTOR_MODE_OFF};
}

static values_case values_draw(uint32_t seed) {
    static const uint32_t counts[VALUES_KINDS] = {3, 2, 2, 4};
    static const double masses[4] = {1.0, 1000.0, 30.0, 1e-3};
    uint64_t state = 7919u * (uint64_t)seed + 13u;
    for (int i = 0; i < 5; ++i) {
        draw(&state);
    }
    values_case it = {.kind = (values_kind)(draw(&state) * VALUES_KINDS)};
    it.count = counts[it.kind];
    it.is_hung = draw(&state) < 0.5;
    it.mass = masses[(int)(draw(&state) * 4.0)];
    it.inertia = it.mass * (0.003 + 0.02 * draw(&state));
    it.arm =
        (tn_vec3){1.4 * draw(&state) - 0.7, 1.4 * draw(&state) - 0.7, 1.4 * draw(&state) - 0.7};
    for (uint32_t i = 0; i < it.count; ++i) {
        it.axes[i].limit = draw_limit(&state);
        it.axes[i].motor = draw_motor(&state, it.mass);
    }
    return it;
}

static tn_joint_id values_make_joint(tn_world *world, const values_case *it, tn_joint_def base) {
    if (it->kind == VALUES_PLANAR) {
        tn_planar_joint_def def = tn_planar_joint_def_default();
        def.base = base;
        def.y = it->axes[0];
        def.z = it->axes[1];
        def.turn = it->axes[2];
        return tn_planar_joint_create(world, &def);
    }
    if (it->kind == VALUES_CYLINDRICAL) {
        tn_cylindrical_joint_def def = tn_cylindrical_joint_def_default();
        def.base = base;
        def.slide = it->axes[0];
        def.turn = it->axes[1];
        return tn_cylindrical_joint_create(world, &def);
    }
    if (it->kind == VALUES_UNIVERSAL) {
        tn_universal_joint_def def = tn_universal_joint_def_default();
        def.base = base;
        def.first = it->axes[0];
        def.second = it->axes[1];
        return tn_universal_joint_create(world, &def);
    }
    tn_six_axis_joint_def def = tn_six_axis_joint_def_default();
    def.base = base;
    for (uint32_t i = 0; i < it->count; ++i) {
        def.locks &= ~TN_SIX_AXIS_LOCK(i);
        def.axes[i] = it->axes[i];
    }
    return tn_six_axis_joint_create(world, &def);
}

static tn_joint_id values_make(tn_world *world, const values_case *it) {
    tn_body_id a = it->is_hung ? world_body : body_make(world, -0.4, 0.1, 0.05, 1.0, 0.15);
    tn_body_id b = body_make(world, it->arm.x, it->arm.y, it->arm.z, it->mass, it->inertia);
    tn_joint_def base = tn_joint_def_default();
    set_frames(world, &base, a, b, (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.3, 0.5, 0.8});
    tn_joint_id joint = values_make_joint(world, it, base);
    cr_assert(joint.value != 0);
    return joint;
}

static double values_get(const tn_world *world, const values_case *it, tn_joint_id joint,
                         uint32_t i) {
    switch (it->kind) {
    case VALUES_PLANAR:
        return i == 0   ? tn_planar_joint_get_y(world, joint)
               : i == 1 ? tn_planar_joint_get_z(world, joint)
                        : tn_planar_joint_get_angle(world, joint);
    case VALUES_CYLINDRICAL:
        return i == 0 ? tn_cylindrical_joint_get_translation(world, joint)
                      : tn_cylindrical_joint_get_angle(world, joint);
    case VALUES_UNIVERSAL:
        return i == 0 ? tn_universal_joint_get_first_angle(world, joint)
                      : tn_universal_joint_get_second_angle(world, joint);
    default:
        return tn_six_axis_joint_get_position(world, joint, (tn_six_axis)i);
    }
}

// Returns how far a limit is passed at most within a second.
static double values_measure(const values_case *it, tn_solver solver, double hz,
                             uint32_t substeps) {
    tn_world *world = world_make((tn_vec3){0.0, it->is_hung ? -9.81 : 0.0, 0.0}, NULL);
    cr_assert(tn_world_set_solver(world, solver) == TN_RESULT_OK);
    tn_joint_id joint = values_make(world, it);
    double most = 0.0;
    for (int s = 0; s < (int)hz; ++s) {
        tn_world_step(world, 1.0 / hz, substeps);
        for (uint32_t i = 0; i < it->count; ++i) {
            double value = values_get(world, it, joint, i);
            const tn_limit *limit = &it->axes[i].limit;
            double passed = fmax(value - (double)limit->upper, (double)limit->lower - value);
            most = limit->is_enabled && !(passed < most) ? passed : most;
        }
    }
    tn_world_destroy(world);
    return most;
}

static void values_check(uint32_t seed, tn_solver solver, double hz, uint32_t substeps) {
    values_case it = values_draw(seed);
    double passed = values_measure(&it, solver, hz, substeps);
    cr_assert(passed < VALUES_PASSED, "seed %u, kind %d, solver %d, %g Hz: %g", seed, (int)it.kind,
              (int)solver, hz, passed);
}

// A small box half a metre off the joint: each value takes the others along nearly as far as it
// goes. Rows one after the other passed the ends of these by 3 to 16 mm.
Test(driven_values, limits_of_one_joint_hold_together) {
    static const uint32_t seeds[5] = {42, 188, 221, 266, 388};
    static const tn_solver solvers[2] = {TN_SOLVER_AUTO, TN_SOLVER_PGS};
    for (uint32_t i = 0; i < 10; ++i) {
        values_check(seeds[i % 5], solvers[i / 5], 60.0, 4);
        values_check(seeds[i % 5], solvers[i / 5], 240.0, 2);
        values_check(seeds[i % 5], solvers[i / 5], 30.0, 8);
    }
}

LONG_TEST(driven_values, limits_hold_while_other_values_are_driven) {
    static const tn_solver solvers[3] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_CG};
    for (uint32_t i = 0; i < 600; ++i) {
        values_check(i / 3, solvers[i % 3], 60.0, 4);
        values_check(i / 3, solvers[i % 3], 30.0, 8);
    }
}

// A drive along one value spins the box into the end of another before any sweep has seen it move:
// by 20 to 250 mm and mrad in a step without substeps.
Test(driven_values, a_drive_of_one_value_takes_no_other_past_its_end) {
    static const uint32_t seeds[7] = {23, 128, 188, 237, 298, 359, 397};
    static const tn_solver solvers[2] = {TN_SOLVER_AUTO, TN_SOLVER_PGS};
    for (uint32_t i = 0; i < 14; ++i) {
        values_check(seeds[i % 7], solvers[i / 7], 60.0, 1);
    }
}

// Weights sank into soft limits by 1 to 2 mm, a drive that its joint gave way to took a limit that
// slept 50 to 360 mrad past its end.
Test(driven_values, limits_hold_in_steps_without_substeps) {
    static const uint32_t seeds[14] = {30,  60,  99,  149, 159, 221, 229,
                                       266, 286, 288, 332, 355, 358, 376};
    for (uint32_t i = 0; i < 14; ++i) {
        values_check(seeds[i], TN_SOLVER_AUTO, 60.0, 1);
        values_check(seeds[i], TN_SOLVER_AUTO, 30.0, 1);
        values_check(seeds[i], TN_SOLVER_PGS, 30.0, 1);
    }
}

// A joint of more than twelve rows was swept: by 1 to 150 mrad past its ends.
Test(driven_values, limits_of_a_joint_of_many_rows_are_exact) {
    static const uint32_t seeds[6] = {99, 139, 149, 159, 229, 376};
    for (uint32_t i = 0; i < 6; ++i) {
        values_check(seeds[i], TN_SOLVER_DIRECT, 60.0, 4);
        values_check(seeds[i], TN_SOLVER_DIRECT, 60.0, 1);
        values_check(seeds[i], TN_SOLVER_DIRECT, 30.0, 1);
    }
}

// Sweeps have opened these, and the direct solver closes them in its first step: which took a limit
// 2 to 28 mm or mrad past its end.
Test(driven_values, closing_a_joint_passes_no_end) {
    static const uint32_t seeds[4] = {425, 889, 961, 1529};
    static const double rates[4] = {30.0, 120.0, 30.0, 60.0};
    for (uint32_t i = 0; i < 4; ++i) {
        values_check(seeds[i], TN_SOLVER_AUTO, rates[i], 1);
    }
}

LONG_TEST(driven_values, limits_hold_at_any_rate) {
    static const tn_solver solvers[3] = {TN_SOLVER_AUTO, TN_SOLVER_DIRECT, TN_SOLVER_AUTO};
    static const double rates[3] = {60.0, 30.0, 30.0};
    for (uint32_t i = 0; i < 1200; ++i) {
        values_check(i / 3, solvers[i % 3], rates[i % 3], 1);
    }
}

// Everything acts on all three values: 21 rows.
Test(driven_values, a_planar_joint_with_everything_is_direct) {
    tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
    cr_assert(tn_world_set_solver(world, TN_SOLVER_DIRECT) == TN_RESULT_OK);
    tn_axis all = {
        .limit = {.is_enabled = true, .lower = -0.1f, .upper = 0.1f},
        .motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 1.0f, .max_force = 20.0f},
        .spring = {.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 100.0f, .damping = 10.0f},
        .friction = 1.0f,
        .viscous_friction = 1.0f};
    tn_planar_joint_def def = tn_planar_joint_def_default();
    tn_body_id box = body_make(world, 0.2, 0.1, 0.0, 2.0, 0.1);
    set_frames(world, &def.base, world_body, box, (tn_vec3){0.0, 0.0, 0.0},
               (tn_vec3){0.0, 0.0, 1.0});
    def.y = def.z = def.turn = all;
    tn_joint_id joint = tn_planar_joint_create(world, &def);
    tn_mechanism_info info = {.method = TN_MECHANISM_METHOD_PGS};
    for (int i = 0; i < 60; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
        tn_joint_error error = tn_joint_get_error(world, joint);
        cr_assert(error.linear_length < 1e-6 && error.angular_length < 1e-6, "step %d: %g, %g", i,
                  error.linear_length, error.angular_length);
    }
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    cr_assert(info.method == TN_MECHANISM_METHOD_DIRECT && info.rows == 21, "method %d, %u rows",
              (int)info.method, info.rows);
    tn_world_destroy(world);
}

// ---- values that whip --------------------------------------------------------------------------

// Returns how far a drive has passed the end of its value within `seconds`, m. The block that it
// moves hangs from frame a; `value` 0: a distance, else y in a plane.
static double swing_past(uint32_t value, tn_solver solver, tn_motor motor, double hz,
                         uint32_t substeps, double seconds) {
    tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
    cr_assert(tn_world_set_solver(world, solver) == TN_RESULT_OK);
    const tn_limit still = {.is_enabled = true};
    const double start = value == 0 ? 1.0 : 0.0;
    tn_axis axis = {
        .limit = {.is_enabled = true, .lower = (float)start - 0.4f, .upper = (float)start + 0.4f},
        .motor = motor};
    tn_joint_def base = tn_joint_def_default();
    tn_body_id block = body_make(world, -0.5, 0.0, 0.0, 1.0, 0.06);
    set_frames(world, &base, block, world_body, (tn_vec3){0.0, 0.0, 0.0},
               value == 0 ? (tn_vec3){1.0, 0.0, 0.0} : (tn_vec3){0.0, 0.0, 1.0});
    tn_distance_joint_def rod = tn_distance_joint_def_default();
    tn_planar_joint_def plane = tn_planar_joint_def_default();
    rod.base = plane.base = base;
    rod.base.frame_a.position.x -= 1.0;
    rod.is_rigid = false;
    rod.limit = axis.limit;
    rod.motor = axis.motor;
    plane.y = axis;
    plane.z.limit = plane.turn.limit = still;
    tn_joint_id joint =
        value == 0 ? tn_distance_joint_create(world, &rod) : tn_planar_joint_create(world, &plane);
    cr_assert(joint.value != 0);
    double passed = -1.0;
    for (int s = 0; s < (int)(seconds * hz); ++s) {
        tn_world_step(world, 1.0 / hz, substeps);
        double now = value == 0 ? tn_distance_joint_get_length(world, joint)
                                : tn_planar_joint_get_y(world, joint);
        passed = fmax(passed, fabs(now - start) - (double)0.4f);
    }
    tn_world_destroy(world);
    return passed;
}

// The block whips round at half a radian a substep: by 48 mm, before it is solved directly.
Test(driven_values, a_driven_length_that_whips_stops_at_its_end) {
    static const tn_motor motors[2] = {{.mode = TN_MOTOR_MODE_SPEED, .target_speed = 100.0f},
                                       {.mode = TN_MOTOR_MODE_POSITION,
                                        .target_position = 1.8f,
                                        .stiffness = 1e6f,
                                        .damping = 1e4f}};
    for (int i = 0; i < 2; ++i) {
        double passed = swing_past(0, TN_SOLVER_AUTO, motors[i], 30.0, 1, 3.0);
        cr_assert(passed > -0.4 && passed < VALUES_PASSED, "motor %d: %g", i, passed);
    }
}

// A blow of 100 m/s on one limit opened the others of its joint, and these took it 1 to 3 mm past.
Test(driven_values, a_blow_on_one_limit_opens_no_other) {
    static const double rates[4][2] = {{60.0, 4.0}, {60.0, 1.0}, {30.0, 1.0}, {240.0, 1.0}};
    for (int i = 0; i < 16; ++i) {
        const tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED,
                                .target_speed = i % 2 == 0 ? 100.0f : -100.0f};
        const double *rate = rates[i / 4];
        double passed = swing_past(1, i / 2 % 2 == 0 ? TN_SOLVER_AUTO : TN_SOLVER_PGS, motor,
                                   rate[0], (uint32_t)rate[1], 0.5);
        cr_assert(passed > -0.1 && passed < VALUES_PASSED, "case %d: %g", i, passed);
    }
}

// ---- a motor of another joint ------------------------------------------------------------------

typedef enum chain_kind {
    CHAIN_BALL,
    CHAIN_SWING_TWIST,
    CHAIN_SIX_AXIS,
    CHAIN_UNIVERSAL,
    CHAIN_WHEEL,
    CHAIN_KINDS
} chain_kind;

// An arm on a driven joint, and a box at its end on a joint with limits alone.
typedef struct chain {
    tn_world *world;
    chain_kind kind;
    tn_joint_id joint;
    float twist, swing; // rad: the ends
} chain;

static tn_limit chain_range(float end) {
    return (tn_limit){.is_enabled = true, .lower = -end, .upper = end};
}

static tn_joint_id chain_make_turns(const chain *it, tn_joint_def base) {
    if (it->kind == CHAIN_BALL) {
        tn_ball_joint_def def = tn_ball_joint_def_default();
        def.base = base;
        def.twist_limit = chain_range(it->twist);
        def.cone_limit = (tn_limit){.is_enabled = true, .upper = it->swing};
        return tn_ball_joint_create(it->world, &def);
    }
    if (it->kind == CHAIN_SWING_TWIST) {
        tn_swing_twist_joint_def def = tn_swing_twist_joint_def_default();
        def.base = base;
        def.twist_limit = chain_range(it->twist);
        def.swing_limit_y = chain_range(it->swing);
        def.swing_limit_z = chain_range(0.7f * it->swing);
        return tn_swing_twist_joint_create(it->world, &def);
    }
    tn_six_axis_joint_def def = tn_six_axis_joint_def_default();
    def.base = base;
    def.locks = TN_SIX_AXIS_LOCK(TN_SIX_AXIS_LINEAR_X) | TN_SIX_AXIS_LOCK(TN_SIX_AXIS_LINEAR_Y) |
                TN_SIX_AXIS_LOCK(TN_SIX_AXIS_LINEAR_Z);
    def.axes[TN_SIX_AXIS_ANGULAR_X].limit = chain_range(it->twist);
    def.axes[TN_SIX_AXIS_ANGULAR_Y].limit = chain_range(it->swing);
    def.axes[TN_SIX_AXIS_ANGULAR_Z].limit = chain_range(0.7f * it->swing);
    return tn_six_axis_joint_create(it->world, &def);
}

static tn_joint_id chain_make_limited(const chain *it, tn_joint_def base) {
    if (it->kind == CHAIN_UNIVERSAL) {
        tn_universal_joint_def def = tn_universal_joint_def_default();
        def.base = base;
        def.first.limit = chain_range(it->twist);
        def.second.limit = chain_range(it->swing);
        return tn_universal_joint_create(it->world, &def);
    }
    if (it->kind == CHAIN_WHEEL) {
        tn_wheel_joint_def def = tn_wheel_joint_def_default();
        def.base = base;
        def.has_steering = true;
        def.steering_limit = chain_range(it->twist);
        def.suspension =
            (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 3.0f, .damping_ratio = 0.5f};
        def.suspension_limit = chain_range(0.05f);
        return tn_wheel_joint_create(it->world, &def);
    }
    return chain_make_turns(it, base);
}

// The twist, or what stands for it.
static double chain_get_twist(const chain *it) {
    switch (it->kind) {
    case CHAIN_BALL:
        return tn_ball_joint_get_twist(it->world, it->joint);
    case CHAIN_SWING_TWIST:
        return tn_swing_twist_joint_get_twist(it->world, it->joint);
    case CHAIN_SIX_AXIS:
        return tn_six_axis_joint_get_position(it->world, it->joint, TN_SIX_AXIS_ANGULAR_X);
    case CHAIN_UNIVERSAL:
        return tn_universal_joint_get_first_angle(it->world, it->joint);
    default:
        return tn_wheel_joint_get_steering_angle(it->world, it->joint);
    }
}

static void chain_drive(const chain *it, tn_body_id arm, uint64_t *state) {
    double speed = (draw(state) < 0.5 ? -1.0 : 1.0) * (2.0 + 4.0 * draw(state));
    double which = draw(state);
    float cap = draw(state) < 0.5 ? 0.0f : 100.0f;
    tn_vec3 axis = {draw(state) - 0.5, draw(state) - 0.5, draw(state) - 0.5};
    if (which < 0.7) {
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        set_frames(it->world, &def.base, world_body, arm, (tn_vec3){0.0, 0.0, 0.0}, axis);
        def.motor =
            (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = (float)speed, .max_force = cap};
        cr_assert(tn_hinge_joint_create(it->world, &def).value != 0);
        return;
    }
    tn_ball_joint_def def = tn_ball_joint_def_default();
    set_frames(it->world, &def.base, world_body, arm, (tn_vec3){0.0, 0.0, 0.0}, axis);
    def.motor.mode = TN_MOTOR_MODE_SPEED;
    def.motor.target_velocity = (tn_vec3){speed, 2.0 * draw(state), 2.0 * draw(state)};
    def.motor.max_torque = cap;
    cr_assert(tn_ball_joint_create(it->world, &def).value != 0);
}

static chain chain_make(uint32_t seed, tn_solver solver) {
    uint64_t state = 7919u * (uint64_t)seed + 11u;
    for (int i = 0; i < 5; ++i) {
        draw(&state);
    }
    tn_vec3 gravity = {0.0, draw(&state) < 0.5 ? -9.81 : 0.0, 0.0};
    chain it = {.world = world_make(gravity, NULL), .kind = (chain_kind)(seed % CHAIN_KINDS)};
    cr_assert(tn_world_set_solver(it.world, solver) == TN_RESULT_OK);
    it.twist = (float)(0.1 + 0.4 * draw(&state));
    it.swing = (float)(0.3 + 0.5 * draw(&state));
    double mass = draw(&state) < 0.6 ? 1.0 : draw(&state) < 0.5 ? 10.0 : 0.1;
    tn_body_id arm = body_make(it.world, 0.4, 0.0, 0.0, 1.0, 0.08);
    double x = 0.8 + 0.4 * draw(&state), y = 0.5 * draw(&state) - 0.25;
    tn_body_id box = body_make(it.world, x, y, 0.5 * draw(&state) - 0.25, mass,
                               mass * (0.02 + 0.06 * draw(&state)));
    chain_drive(&it, arm, &state);
    tn_joint_def base = tn_joint_def_default();
    set_frames(it.world, &base, arm, box, (tn_vec3){0.7, 0.0, 0.0},
               (tn_vec3){draw(&state) - 0.2, draw(&state) - 0.5, draw(&state) - 0.5});
    it.joint = chain_make_limited(&it, base);
    cr_assert(it.joint.value != 0);
    return it;
}

static void chain_check(uint32_t seed, tn_solver solver) {
    chain it = chain_make(seed, solver);
    double most = 0.0, open = 0.0;
    for (int s = 0; s < 72; ++s) {
        tn_world_step(it.world, 1.0 / 60.0, 4);
        double passed = fabs(chain_get_twist(&it)) - (double)it.twist;
        double error = tn_joint_get_error(it.world, it.joint).angular_length;
        most = passed < most ? most : passed;
        open = error < open ? open : error;
    }
    cr_assert(most < VALUES_PASSED, "seed %u, kind %d, solver %d: twist by %g", seed, (int)it.kind,
              (int)solver, most);
    bool is_ball = it.kind == CHAIN_BALL || it.kind == CHAIN_SWING_TWIST;
    cr_assert(!is_ball || open < VALUES_PASSED, "seed %u, kind %d, solver %d: turned by %g", seed,
              (int)it.kind, (int)solver, open);
    tn_world_destroy(it.world);
}

// Only the joint's own motors asked where its limits stand when the drift ends: 1 to 190 mrad.
Test(driven_values, a_twist_stops_at_its_end_when_a_motor_elsewhere_turns_it) {
    static const tn_solver solvers[3] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_CG};
    for (uint32_t i = 0; i < 180; ++i) {
        chain_check(i / 3, solvers[i % 3]);
    }
}
