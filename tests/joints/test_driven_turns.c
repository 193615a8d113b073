// Limits of turns against motors about several axes at once, under every solver: the direction of a
// turn changes on the way, and what one motor does moves the values of the others.
#include "driven_value.h"
#include "tests/support/long_test.h"

// N·m/rad and N·m·s/rad of a drive to a place beyond the ends, on some 15 kg·m².
#define TURN_STIFFNESS 1e4f
#define TURN_DAMPING   100.0f

typedef enum turn_kind {
    TURN_BALL,
    TURN_SWING_TWIST,
    TURN_SIX_AXIS,
    TURN_UNIVERSAL,
    TURN_WHEEL,
    TURN_KINDS
} turn_kind;

typedef enum turn_place {
    TURN_LOOSE, // about its centre of mass, in the world
    TURN_HUNG,  // by its edge, with weight
    TURN_FREE,  // by its edge, from a second block
    TURN_PLACES
} turn_place;

typedef struct turn_case {
    turn_kind kind;
    turn_place place;
    tn_solver solver;
    bool has_cone, is_position;
    uint32_t way;
    float end, cap;
    double hz;
    uint32_t substeps;
} turn_case;

#define TURN_WAYS 6
// rad/s about the x, y and z axes.
static const tn_vec3 turn_ways[TURN_WAYS] = {{5.0, 1.5, 0.0},   {-5.0, 0.0, 2.5}, {5.0, 5.0, 5.0},
                                             {-2.5, 5.0, -5.0}, {3.5, -2.0, 5.0}, {5.0, 0.0, 0.0}};

// rad: a twist means little where the swing is larger.
#define TURN_MOST_SWING 2.2
// rad: what a limit may be passed by under motors that hold a speed, and under stiff drives.
#define TURN_PASSED       1e-4
#define TURN_PASSED_STIFF 1e-3

static tn_limit turn_range(bool is_enabled, float end) {
    return (tn_limit){.is_enabled = is_enabled, .lower = -end, .upper = end};
}

// To half of its speed's number, rad.
static tn_motor turn_motor(const turn_case *it, double speed) {
    if (it->is_position) {
        return (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                          .target_position = (float)(0.5 * speed),
                          .stiffness = TURN_STIFFNESS,
                          .damping = TURN_DAMPING,
                          .max_force = it->cap};
    }
    return (tn_motor){
        .mode = TN_MOTOR_MODE_SPEED, .target_speed = (float)speed, .max_force = it->cap};
}

static tn_ball_motor turn_ball_motor(const turn_case *it) {
    tn_ball_motor motor = tn_ball_motor_default();
    motor.mode = TN_MOTOR_MODE_SPEED;
    motor.target_velocity = turn_ways[it->way];
    motor.max_torque = it->cap;
    if (it->is_position) {
        const tn_vec3 way = turn_ways[it->way];
        double length = sqrt(way.x * way.x + way.y * way.y + way.z * way.z), sine = sin(1.3);
        motor.mode = TN_MOTOR_MODE_POSITION;
        motor.target_velocity = (tn_vec3){0.0, 0.0, 0.0};
        motor.target_rotation = (tn_quat){way.x / length * sine, way.y / length * sine,
                                          way.z / length * sine, cos(1.3)};
        motor.stiffness = TURN_STIFFNESS;
        motor.damping = TURN_DAMPING;
    }
    return motor;
}

static tn_joint_id turn_make_ball(tn_world *world, const turn_case *it, tn_joint_def base) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    def.base = base;
    def.twist_limit = turn_range(true, it->end);
    def.cone_limit = (tn_limit){.is_enabled = it->has_cone, .upper = 0.6f};
    def.motor = turn_ball_motor(it);
    return tn_ball_joint_create(world, &def);
}

static tn_joint_id turn_make_swing_twist(tn_world *world, const turn_case *it, tn_joint_def base) {
    tn_swing_twist_joint_def def = tn_swing_twist_joint_def_default();
    def.base = base;
    def.twist_limit = turn_range(true, it->end);
    def.swing_limit_y = turn_range(it->has_cone, 0.6f);
    def.swing_limit_z = turn_range(it->has_cone, 0.9f);
    def.motor = turn_ball_motor(it);
    return tn_swing_twist_joint_create(world, &def);
}

static tn_joint_id turn_make_six_axis(tn_world *world, const turn_case *it, tn_joint_def base) {
    const tn_vec3 way = turn_ways[it->way];
    tn_six_axis_joint_def def = tn_six_axis_joint_def_default();
    def.base = base;
    def.locks = TN_SIX_AXIS_LOCK(TN_SIX_AXIS_LINEAR_X) | TN_SIX_AXIS_LOCK(TN_SIX_AXIS_LINEAR_Y) |
                TN_SIX_AXIS_LOCK(TN_SIX_AXIS_LINEAR_Z);
    def.axes[TN_SIX_AXIS_ANGULAR_X].limit = turn_range(true, it->end);
    def.axes[TN_SIX_AXIS_ANGULAR_X].motor = turn_motor(it, way.x);
    def.axes[TN_SIX_AXIS_ANGULAR_Y].limit = turn_range(it->has_cone, 0.6f);
    def.axes[TN_SIX_AXIS_ANGULAR_Y].motor = turn_motor(it, way.y);
    def.axes[TN_SIX_AXIS_ANGULAR_Z].limit = turn_range(it->has_cone, 0.9f);
    def.axes[TN_SIX_AXIS_ANGULAR_Z].motor = turn_motor(it, way.z);
    return tn_six_axis_joint_create(world, &def);
}

static tn_joint_id turn_make_universal(tn_world *world, const turn_case *it, tn_joint_def base) {
    const tn_vec3 way = turn_ways[it->way];
    tn_universal_joint_def def = tn_universal_joint_def_default();
    def.base = base;
    def.first.limit = turn_range(true, it->end);
    def.first.motor = turn_motor(it, way.x);
    def.second.limit = turn_range(it->has_cone, 0.6f);
    def.second.motor = turn_motor(it, way.y != 0.0 ? way.y : way.z);
    return tn_universal_joint_create(world, &def);
}

static tn_joint_id turn_make_wheel(tn_world *world, const turn_case *it, tn_joint_def base) {
    const tn_vec3 way = turn_ways[it->way];
    tn_wheel_joint_def def = tn_wheel_joint_def_default();
    def.base = base;
    def.has_steering = true;
    def.steering_limit = turn_range(true, it->end);
    def.steering_motor = turn_motor(it, way.x);
    def.spin_motor = turn_motor(it, way.z != 0.0 ? way.z : 10.0 * way.y);
    def.suspension =
        (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 3.0f, .damping_ratio = 0.5f};
    def.suspension_limit = turn_range(it->has_cone, 0.05f);
    return tn_wheel_joint_create(world, &def);
}

static tn_joint_id turn_build(tn_world *world, const turn_case *it) {
    double edge = it->place == TURN_LOOSE ? 0.0 : 0.5;
    tn_joint_def base = tn_joint_def_default();
    base.solver = it->solver;
    if (it->place == TURN_FREE) {
        base.body_a = driven_add_block(world, -edge);
        base.frame_a.position.x = edge;
    }
    base.body_b = driven_add_block(world, edge);
    base.frame_b.position.x = -edge;
    return it->kind == TURN_BALL          ? turn_make_ball(world, it, base)
           : it->kind == TURN_SWING_TWIST ? turn_make_swing_twist(world, it, base)
           : it->kind == TURN_SIX_AXIS    ? turn_make_six_axis(world, it, base)
           : it->kind == TURN_UNIVERSAL   ? turn_make_universal(world, it, base)
                                          : turn_make_wheel(world, it, base);
}

// The value that always has a limit.
static double turn_get(const tn_world *world, const turn_case *it, tn_joint_id joint) {
    switch (it->kind) {
    case TURN_BALL:
        return tn_ball_joint_get_twist(world, joint);
    case TURN_SWING_TWIST:
        return tn_swing_twist_joint_get_twist(world, joint);
    case TURN_SIX_AXIS:
        return tn_six_axis_joint_get_position(world, joint, TN_SIX_AXIS_ANGULAR_X);
    case TURN_UNIVERSAL:
        return tn_universal_joint_get_first_angle(world, joint);
    default:
        return tn_wheel_joint_get_steering_angle(world, joint);
    }
}

static double turn_get_swing(const tn_world *world, const turn_case *it, tn_joint_id joint) {
    if (it->kind == TURN_UNIVERSAL || it->kind == TURN_WHEEL) {
        return 0.0;
    }
    tn_quat q = it->kind == TURN_BALL          ? tn_ball_joint_get_rotation(world, joint)
                : it->kind == TURN_SWING_TWIST ? tn_swing_twist_joint_get_rotation(world, joint)
                                               : tn_six_axis_joint_get_rotation(world, joint);
    return acos(fmax(1.0 - 2.0 * (q.y * q.y + q.z * q.z), -1.0));
}

// What all limits are passed by; of joints that hold turns rigidly too that of the value alone.
static double turn_get_passed(const tn_world *world, const turn_case *it, tn_joint_id joint) {
    double passed = fabs(turn_get(world, it, joint)) - (double)it->end;
    bool tells_all = it->kind != TURN_UNIVERSAL && it->kind != TURN_WHEEL;
    return tells_all ? fmax(passed, tn_joint_get_error(world, joint).angular_length) : passed;
}

static void turn_check(const turn_case *it) {
    tn_world *world = world_make((tn_vec3){0.0, it->place == TURN_HUNG ? -9.81 : 0.0, 0.0}, NULL);
    tn_joint_id joint = turn_build(world, it);
    cr_assert(tn_joint_is_valid(world, joint));
    double most = -1.0;
    for (int k = 0; k < (int)(0.8 * it->hz); ++k) {
        tn_world_step(world, 1.0 / it->hz, it->substeps);
        if (turn_get_swing(world, it, joint) > TURN_MOST_SWING) {
            break;
        }
        double passed = turn_get_passed(world, it, joint);
        most = passed > most || isnan(passed) ? passed : most;
    }
    cr_assert(
        most > -0.5 && most < (it->is_position ? TURN_PASSED_STIFF : TURN_PASSED),
        "kind %d, place %d, solver %d, cone %d, position %d, way %u, cap %g, %g x %u: passed by %g",
        (int)it->kind, (int)it->place, (int)it->solver, (int)it->has_cone, (int)it->is_position,
        it->way, (double)it->cap, it->hz, it->substeps, most);
    tn_world_destroy(world);
}

// Every kind, place and way with and without a cone, under each solver.
static void turn_check_all(bool is_position, double hz, uint32_t substeps) {
    static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_CG,
                                        TN_SOLVER_DIRECT};
    static const float ends[3] = {0.3f, 1.0f, 2.0f}, caps[3] = {0.0f, 1e5f, 50.0f};
    for (uint32_t i = 0; i < TURN_KINDS * TURN_PLACES * TURN_WAYS * 2 * 4; ++i) {
        uint32_t k = i / 4;
        turn_case it = {.solver = solvers[i % 4],
                        .kind = (turn_kind)(k % TURN_KINDS),
                        .way = k / TURN_KINDS % TURN_WAYS,
                        .place = (turn_place)(k / (TURN_KINDS * TURN_WAYS) % TURN_PLACES),
                        .has_cone = k / (TURN_KINDS * TURN_WAYS * TURN_PLACES) == 1,
                        .end = ends[(k + k / TURN_KINDS) % 3],
                        .cap = caps[(k / 3 + k / 15) % 3],
                        .is_position = is_position,
                        .hz = hz,
                        .substeps = substeps};
        turn_check(&it);
    }
}

Test(driven_turns, an_end_holds_in_steps_of_a_thirtieth) {
    turn_check_all(false, 30.0, 1);
}

LONG_TEST(driven_turns, an_end_holds_at_sixty_steps_of_four_substeps) {
    turn_check_all(false, 60.0, 4);
}

Test(driven_turns, an_end_holds_against_stiff_drives_to_beyond_it) {
    turn_check_all(true, 60.0, 1);
}

// It holds up a block of 160 kg whose centre is half a metre from the joint, and turns it no
// further.
Test(driven_turns, a_motor_without_a_cap_tells_what_holds_the_body_at_the_end) {
    static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_CG,
                                        TN_SOLVER_DIRECT};
    static const double rates[][2] = {{30.0, 1.0}, {60.0, 1.0}, {60.0, 4.0}, {120.0, 4.0}};
    const double weight = 160.0 * 9.81 * 0.5;
    for (uint32_t i = 0; i < 2 * 4 * 4; ++i) {
        turn_case it = {.kind = i % 2 == 0 ? TURN_BALL : TURN_SWING_TWIST,
                        .place = TURN_HUNG,
                        .solver = solvers[i / 2 % 4],
                        .way = 5,
                        .end = 0.3f};
        tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
        tn_joint_id joint = turn_build(world, &it);
        const double *rate = rates[i / 8];
        for (int k = 0; k < (int)rate[0]; ++k) {
            tn_world_step(world, 1.0 / rate[0], (uint32_t)rate[1]);
        }
        double effort = (double)tn_joint_get_motor_effort(world, joint);
        cr_assert_float_eq(effort, weight, 1e-2 * weight, "%u: %g of %g N m", i, effort, weight);
        tn_world_destroy(world);
    }
}
