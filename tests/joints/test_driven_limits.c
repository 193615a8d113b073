// Limits against the motor or the spring of their own value: every value that can be driven, under
// every solver, hung from the world and free.
#include "driven_value.h"
#include "tests/support/long_test.h"

#include <stdio.h>

static const tn_solver driven_solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_DIRECT, TN_SOLVER_PGS,
                                           TN_SOLVER_CG};
#define DRIVEN_SOLVERS 4

// m or rad on both sides of the start.
#define DRIVEN_ROOM 0.4
#define DRIVEN_CAP  1e6f // N or N·m on some 100 kg
// m or rad, m/s or rad/s: what a limit may be passed by, and what is left of a speed.
#define DRIVEN_PASSED 1e-3
#define DRIVEN_LEFT   1e-2

typedef struct driven_case {
    driven_value value;
    tn_solver solver;
    bool is_free;
    double sign;
    tn_motor motor;   // to the upper end
    tn_spring spring; // likewise
    double room;      // 0: DRIVEN_ROOM
} driven_case;

typedef struct driven_result {
    double passed, value, speed, effort, reaction;
} driven_result;

static double driven_get_room(const driven_case *it) {
    return it->room > 0.0 ? it->room : DRIVEN_ROOM;
}

static tn_joint_id driven_build(tn_world *world, const driven_case *it) {
    const tn_vec3 along = {1.0, 0.0, 0.0}, across = {0.0, 0.0, 1.0}, up = {0.0, 1.0, 0.0};
    tn_vec3 axis = it->value == DRIVEN_STEERING   ? up
                   : driven_is_angle(it->value)   ? across
                   : it->value == DRIVEN_PLANAR_Y ? across
                   : it->value == DRIVEN_PLANAR_Z ? across
                                                  : along;
    tn_joint_def base = tn_joint_def_default();
    tn_body_id a = it->is_free ? driven_add_block(world, -0.5) : world_body;
    tn_body_id b = driven_add_block(world, 0.5);
    set_frames(world, &base, a, b, (tn_vec3){0.0, 0.0, 0.0}, axis);
    base.solver = it->solver;
    double start = driven_get_start(it->value);
    driven_actors actors = {.motor = it->motor, .spring = it->spring};
    actors.limit = (tn_limit){.is_enabled = true,
                              .lower = (float)(start - driven_get_room(it)),
                              .upper = (float)(start + driven_get_room(it))};
    actors.motor.target_speed *= (float)it->sign;
    actors.motor.target_position = (float)(start + it->sign * (double)it->motor.target_position);
    actors.spring.rest = (float)(start + it->sign * (double)it->spring.rest);
    return driven_make(world, it->value, base, &actors);
}

static driven_result driven_run(const driven_case *it, double hz, uint32_t substeps) {
    tn_world *world = world_make((tn_vec3){0.0, it->is_free ? 0.0 : -9.81, 0.0}, NULL);
    tn_joint_id joint = driven_build(world, it);
    cr_assert(tn_joint_is_valid(world, joint));
    double start = driven_get_start(it->value), before = start;
    driven_result result = {.value = start};
    for (uint32_t i = 0; i < (uint32_t)(0.75 * hz); ++i) {
        tn_world_step(world, 1.0 / hz, substeps);
        before = result.value;
        result.value = driven_get(world, it->value, joint);
        double passed = fabs(result.value - start) - driven_get_room(it);
        result.passed = passed > result.passed || isnan(passed) ? passed : result.passed;
    }
    result.value = it->sign * (result.value - start);
    result.speed = fabs(driven_get(world, it->value, joint) - before) * hz;
    result.effort = it->sign * driven_get_effort(world, it->value, joint);
    tn_reaction reaction = tn_joint_get_reaction(world, joint);
    result.reaction = length_of(reaction.force) + length_of(reaction.torque);
    tn_world_destroy(world);
    return result;
}

static const char *driven_describe(const driven_case *it) {
    static char text[128];
    static const char *const solvers[] = {"auto", "pgs", "direct", "cg"};
    snprintf(text, sizeof text, "%s, %s, %s, %+g", driven_names[it->value], solvers[it->solver],
             it->is_free ? "free" : "hung", it->sign);
    return text;
}

static driven_result driven_check(const driven_case *it, double hz, uint32_t substeps) {
    driven_result result = driven_run(it, hz, substeps);
    const char *what = driven_describe(it);
    cr_assert(result.passed < DRIVEN_PASSED, "%s: passed by %g", what, result.passed);
    cr_assert(fabs(result.value - driven_get_room(it)) < DRIVEN_PASSED, "%s: ends at %g", what,
              result.value);
    cr_assert(result.speed < DRIVEN_LEFT, "%s: %g a second", what, result.speed);
    return result;
}

typedef void (*driven_check_fn)(const driven_case *it);

static void driven_for_all(tn_motor motor, driven_check_fn check) {
    for (uint32_t i = 0; i < DRIVEN_VALUES * DRIVEN_SOLVERS * 4; ++i) {
        driven_case it = {.value = (driven_value)(i / (DRIVEN_SOLVERS * 4)),
                          .solver = driven_solvers[i / 4 % DRIVEN_SOLVERS],
                          .is_free = (i & 1) != 0,
                          .sign = (i & 2) != 0 ? -1.0 : 1.0,
                          .motor = motor};
        check(&it);
    }
}

// What a motor without a cap has to give is what holds the block there, and no more.
static void check_without_cap(const driven_case *it) {
    driven_result result = driven_check(it, 60.0, 4);
    const char *what = driven_describe(it);
    cr_assert(result.effort > -1.0 && result.effort < 3000.0, "%s: effort %g", what, result.effort);
    cr_assert(result.reaction < 6000.0, "%s: reaction %g", what, result.reaction);
}

Test(driven_limits, a_motor_without_a_cap_stops_at_the_end) {
    driven_for_all((tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 5.0f},
                   check_without_cap);
}

// It strains with all that it has.
static void check_with_cap(const driven_case *it) {
    driven_result result = driven_check(it, 60.0, 4);
    cr_assert_float_eq(result.effort, (double)DRIVEN_CAP, 1e-4 * (double)DRIVEN_CAP, "%s",
                       driven_describe(it));
}

Test(driven_limits, a_strong_motor_does_not_bend_a_limit) {
    driven_for_all(
        (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 5.0f, .max_force = DRIVEN_CAP},
        check_with_cap);
}

static void check_position(const driven_case *it) {
    driven_check(it, 60.0, 4);
}

LONG_TEST(driven_limits, a_stiff_drive_to_beyond_the_end_stops_there) {
    driven_for_all((tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                              .target_position = 0.8f,
                              .stiffness = 1e7f,
                              .damping = 1e5f},
                   check_position);
}

// A spring is bounded by nothing. It went past by 10 to 900 mm before the end had a load to
// remember.
Test(driven_limits, a_stiff_spring_to_beyond_the_end_stops_there) {
    static const struct {
        double hz;
        uint32_t substeps;
    } rates[] = {{60.0, 4}, {60.0, 1}, {240.0, 1}};
    for (uint32_t i = 0; i < DRIVEN_STEERING * 2 * 2 * 3; ++i) {
        driven_case it = {.value = (driven_value)(i / 12),
                          .solver = TN_SOLVER_AUTO,
                          .is_free = (i & 1) != 0,
                          .sign = (i & 2) != 0 ? -1.0 : 1.0,
                          .spring = {.mode = TN_SPRING_MODE_STIFFNESS,
                                     .stiffness = 1e6f,
                                     .damping = 1e3f,
                                     .rest = 3.0f}};
        driven_check(&it, rates[i / 4 % 3].hz, rates[i / 4 % 3].substeps);
    }
}

Test(driven_limits, an_end_is_met_at_any_rate_and_speed) {
    static const struct {
        double hz;
        uint32_t substeps;
        float speed;
    } rates[] = {{30.0, 1, 2.0f}, {30.0, 1, 200.0f}, {60.0, 1, 20.0f}, {240.0, 4, 1000.0f}};
    for (uint32_t i = 0; i < 4 * DRIVEN_SOLVERS * 2; ++i) {
        driven_case it = {
            .value = (i & 1) != 0 ? DRIVEN_HINGE : DRIVEN_SLIDER,
            .solver = driven_solvers[i / 2 % DRIVEN_SOLVERS],
            .sign = 1.0,
            .motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = rates[i / 8].speed}};
        for (int k = 0; k < 2; ++k) {
            it.is_free = k == 1;
            driven_check(&it, rates[i / 8].hz, rates[i / 8].substeps);
        }
    }
}

// The motor passes its whole range in a stage, and hard limits hold the block's other values: no
// stage that ends at the limit converges, however short.
LONG_TEST(driven_limits, a_motor_too_fast_for_a_stage_comes_to_its_end) {
    static const struct {
        double hz;
        uint32_t substeps;
    } rates[] = {{30.0, 1}, {60.0, 1}, {60.0, 4}, {240.0, 1}};
    static const float speeds[] = {77.0f, 100.0f, 150.0f, 200.0f};
    for (uint32_t i = 0; i < DRIVEN_VALUES * 2 * 2 * 2 * 4 * 4; ++i) {
        driven_case it = {.value = (driven_value)(i / 128),
                          .solver = TN_SOLVER_DIRECT,
                          .is_free = (i & 1) != 0,
                          .sign = (i & 2) != 0 ? -1.0 : 1.0,
                          .motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = speeds[i / 8 % 4]},
                          .room = (i & 4) != 0 ? 1.0 : DRIVEN_ROOM};
        if (it.value == DRIVEN_DISTANCE && it.room == 1.0) {
            continue; // down to no length
        }
        driven_check(&it, rates[i / 32 % 4].hz, rates[i / 32 % 4].substeps);
    }
}

// The length of a drive is bounded by max_force; 0 is no bound.
Test(driven_limits, a_cap_of_zero_is_no_cap) {
    for (uint32_t i = 0; i < DRIVEN_VALUES * 2; ++i) {
        driven_case it = {.value = (driven_value)(i / 2),
                          .is_free = i % 2 == 1,
                          .sign = 1.0,
                          .motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 5.0f}};
        driven_result none = driven_run(&it, 60.0, 4);
        it.motor.max_force = INFINITY;
        driven_result infinite = driven_run(&it, 60.0, 4);
        cr_assert(none.value == infinite.value && none.value > 0.39, "%s", driven_describe(&it));
    }
}

// ---- limits elsewhere ---------------------------------------------------------------------------

typedef enum driven_way {
    DRIVEN_BY_ROD,
    DRIVEN_BY_SECOND_HINGE,
    DRIVEN_BY_GEAR
} driven_way;

static const tn_vec3 driven_axle = {0.0, 0.0, 1.0};

static tn_joint_id driven_hinge(tn_world *world, tn_body_id body, double x, tn_motor motor,
                                tn_limit limit) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    set_frames(world, &def.base, world_body, body, (tn_vec3){x, 0.0, 0.0}, driven_axle);
    def.motor = motor;
    def.limit = limit;
    return tn_hinge_joint_create(world, &def);
}

// A crank's rod to a slider with a limit.
static tn_joint_id driven_add_slider(tn_world *world, tn_body_id crank, tn_limit limit) {
    tn_body_id block = body_make(world, 1.2, 0, 0, 5, 1);
    tn_slider_joint_def def = tn_slider_joint_def_default();
    set_frames(world, &def.base, world_body, block, (tn_vec3){1.2, 0.0, 0.0},
               (tn_vec3){1.0, 0.0, 0.0});
    def.limit = limit;
    tn_distance_joint_def rod = tn_distance_joint_def_default();
    rod.base.body_a = crank;
    rod.base.body_b = block;
    rod.base.frame_a.position.y = 0.3;
    rod.length = (float)sqrt(1.2 * 1.2 + 0.3 * 0.3);
    tn_distance_joint_create(world, &rod);
    return tn_slider_joint_create(world, &def);
}

static tn_joint_id driven_add_gear(tn_world *world, tn_body_id crank, tn_limit limit) {
    tn_body_id wheel = body_make(world, 1, 0, 0, 5, 1);
    tn_gear_joint_def gear = tn_gear_joint_def_default();
    gear.base.body_a = crank;
    gear.base.body_b = wheel;
    gear.base.frame_a.rotation.y = -sqrt(0.5); // x along the axle
    gear.base.frame_a.rotation.w = sqrt(0.5);
    gear.base.frame_b.rotation = gear.base.frame_a.rotation;
    gear.ratio = 1.0;
    cr_assert(tn_gear_joint_create(world, &gear).value != 0);
    return driven_hinge(world, wheel, 1.0, (tn_motor){.mode = TN_MOTOR_MODE_OFF}, limit);
}

static tn_joint_id driven_add_end(tn_world *world, tn_body_id crank, driven_way way,
                                  tn_limit limit) {
    const tn_motor none = {.mode = TN_MOTOR_MODE_OFF};
    return way == DRIVEN_BY_ROD    ? driven_add_slider(world, crank, limit)
           : way == DRIVEN_BY_GEAR ? driven_add_gear(world, crank, limit)
                                   : driven_hinge(world, crank, 0.0, none, limit);
}

// How far a limit is passed that a motor works against through other joints.
static double driven_run_through(driven_way way, tn_solver solver, float cap, double *out_effort) {
    const tn_limit limit = {.is_enabled = true, .lower = -0.1f, .upper = 0.1f};
    const tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 5.0f, .max_force = cap};
    tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
    tn_world_set_solver(world, solver);
    tn_body_id crank = body_make(world, 0, 0, 0, 10, 1);
    tn_joint_id driver = driven_hinge(world, crank, 0.0, motor, (tn_limit){.is_enabled = false});
    tn_joint_id end = driven_add_end(world, crank, way, limit);
    double most = 0.0;
    for (int i = 0; i < 60; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
        tn_joint_error error = tn_joint_get_error(world, end);
        most = fmax(most, fmax(error.linear_length, error.angular_length));
    }
    *out_effort = (double)tn_joint_get_motor_effort(world, driver);
    tn_world_destroy(world);
    return most;
}

Test(driven_limits, an_end_holds_against_a_motor_elsewhere) {
    static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_DIRECT};
    static const float caps[] = {0.0f, 1e6f, 50.0f};
    for (int i = 0; i < 18; ++i) {
        double effort = 0.0, cap = (double)caps[i % 3];
        double passed =
            driven_run_through((driven_way)(i / 6), solvers[i / 3 % 2], caps[i % 3], &effort);
        cr_assert(passed < 1e-6, "%d: passed by %g", i, passed);
        cr_assert(cap > 0.0 ? fabs(effort - cap) < 1e-3 * cap : fabs(effort) < 1000.0, "%d: %g", i,
                  effort);
    }
}

// A drive so stiff, or a motor so strong, that it takes a limit elsewhere past its end within a
// step, from a place where the limit has no row yet.
Test(driven_limits, an_end_holds_against_a_drive_from_afar) {
    static const double rates[][2] = {{60.0, 4.0}, {30.0, 1.0}, {240.0, 4.0}};
    const tn_motor motors[] = {{.mode = TN_MOTOR_MODE_POSITION,
                                .target_position = 2.0f,
                                .stiffness = 1e7f,
                                .damping = 1e5f},
                               {.mode = TN_MOTOR_MODE_POSITION,
                                .target_position = 2.0f,
                                .stiffness = 1e7f,
                                .damping = 1e5f,
                                .max_force = 250.0f},
                               {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 20.0f}};
    const tn_limit limit = {.is_enabled = true, .lower = -0.15f, .upper = 0.15f};
    for (int i = 0; i < 9; ++i) {
        tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
        tn_body_id crank = body_make(world, 0, 0, 0, 10, 1);
        driven_hinge(world, crank, 0.0, motors[i % 3], (tn_limit){.is_enabled = false});
        tn_joint_id end = driven_add_end(world, crank, (driven_way)(i / 3), limit);
        for (int k = 0; k < 20; ++k) {
            tn_world_step(world, 1.0 / rates[i % 3][0], (uint32_t)rates[i % 3][1]);
            tn_joint_error error = tn_joint_get_error(world, end);
            double passed = fmax(error.linear_length, error.angular_length);
            cr_assert(passed < 1e-6, "%d: passed by %g", i, passed);
        }
        tn_world_destroy(world);
    }
}

// A jack without a cap lifts a bar of 10 kg to the end of its hinge and holds it there with what
// its weight takes.
Test(driven_limits, a_jack_holds_at_the_end_what_it_has_lifted) {
    static const double rates[][2] = {{60.0, 4.0}, {60.0, 1.0}, {30.0, 1.0}, {240.0, 4.0}};
    const double end = 0.09, arm = 0.6;
    double x = arm * cos(end) - 0.1, y = arm * sin(end) + 0.4; // from its foot
    double lever = (arm * cos(end) * y - arm * sin(end) * x) / sqrt(x * x + y * y);
    for (int i = 0; i < 4; ++i) {
        tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
        tn_body_id bar = body_make(world, 0.5, 0, 0, 10, 1);
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        set_frames(world, &hinge.base, world_body, bar, (tn_vec3){0.0, 0.0, 0.0}, driven_axle);
        hinge.limit = (tn_limit){.is_enabled = true, .lower = -0.09f, .upper = (float)end};
        tn_joint_id joint = tn_hinge_joint_create(world, &hinge);
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base.body_b = bar;
        def.base.frame_a.position = (tn_vec3){0.1, -0.4, 0.0};
        def.base.frame_b.position = (tn_vec3){0.1, 0.0, 0.0};
        def.is_rigid = false;
        def.motor = (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 5.0f};
        tn_joint_id jack = tn_distance_joint_create(world, &def);
        for (int k = 0; k < 20; ++k) {
            tn_world_step(world, 1.0 / rates[i][0], (uint32_t)rates[i][1]);
        }
        double angle = tn_hinge_joint_get_angle(world, joint);
        double effort = (double)tn_joint_get_motor_effort(world, jack);
        double right = 10.0 * 9.81 * 0.5 * cos(end) / lever;
        cr_assert_float_eq(angle, end, 1e-6, "%d: at %g", i, angle);
        cr_assert_float_eq(effort, right, 1e-3 * right, "%d: %g N for %g", i, effort, right);
        cr_assert(fabs(tn_distance_joint_get_rate(world, jack)) < 1e-6);
        tn_world_destroy(world);
    }
}

// A motor that drives through other joints into an end that throws back: no blow asks it for more
// than its cap, and what it presses against the end rests there.
Test(driven_limits, an_end_that_bounces_holds_against_a_motor_elsewhere) {
    static const double rates[][2] = {{60.0, 4.0}, {60.0, 1.0}, {30.0, 1.0}};
    static const float caps[] = {0.0f, 250.0f};
    const tn_limit limit = {
        .is_enabled = true, .lower = -0.09f, .upper = 0.09f, .restitution = 0.5f};
    for (int i = 0; i < 18; ++i) {
        const tn_motor motor = {
            .mode = TN_MOTOR_MODE_SPEED, .target_speed = 5.0f, .max_force = caps[i / 9]};
        tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
        tn_body_id crank = body_make(world, 0, 0, 0, 10, 1);
        tn_joint_id driver =
            driven_hinge(world, crank, 0.0, motor, (tn_limit){.is_enabled = false});
        tn_joint_id end = driven_add_end(world, crank, (driven_way)(i / 3 % 3), limit);
        for (int k = 0; k < 60; ++k) {
            tn_world_step(world, 1.0 / rates[i % 3][0], (uint32_t)rates[i % 3][1]);
            tn_joint_error error = tn_joint_get_error(world, end);
            double passed = fmax(error.linear_length, error.angular_length);
            double effort = fabs((double)tn_joint_get_motor_effort(world, driver));
            cr_assert(passed < 1e-3, "%d: passed by %g in step %d", i, passed, k);
            cr_assert(caps[i / 9] == 0.0f || effort < 1.001 * (double)caps[i / 9], "%d: %g N m", i,
                      effort);
        }
        tn_world_destroy(world);
    }
}

// ---- no way to go -------------------------------------------------------------------------------

typedef enum jam {
    JAM_WELD,  // of the two bodies that the motor is between
    JAM_TRUSS, // a rod from the second body to the world
    JAM_ARCH,  // a second foot
    JAMS
} jam;

// What makes the linkage rigid.
static tn_joint_id jam_make(tn_world *world, jam kind, tn_body_id a, tn_body_id b) {
    if (kind == JAM_WELD) {
        tn_fixed_joint_def def = tn_fixed_joint_def_default();
        set_frames(world, &def.base, a, b, (tn_vec3){0.2, 0.0, 0.0}, driven_axle);
        return tn_fixed_joint_create(world, &def);
    }
    if (kind == JAM_TRUSS) {
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base.body_b = b;
        def.base.frame_a.position = (tn_vec3){0.5, 1.0, 0.0};
        return tn_distance_joint_create(world, &def);
    }
    tn_ball_joint_def def = tn_ball_joint_def_default();
    set_frames(world, &def.base, world_body, b, (tn_vec3){1.0, 0.2, 0.0}, driven_axle);
    return tn_ball_joint_create(world, &def);
}

// A motor without a cap in a linkage that cannot move tears nothing: it gives nothing until the
// linkage is loosened, and then turns as it is told.
Test(driven_limits, a_motor_without_a_cap_waits_where_all_is_rigid) {
    static const double rates[][2] = {{60.0, 4.0}, {30.0, 1.0}, {240.0, 2.0}};
    static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_DIRECT};
    for (int i = 0; i < JAMS * 3 * 2; ++i) {
        tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
        tn_world_set_solver(world, solvers[i / 9]);
        tn_body_id a = driven_add_block(world, -0.5), b = driven_add_block(world, 0.5);
        tn_fixed_joint_def base = tn_fixed_joint_def_default();
        set_frames(world, &base.base, world_body, a, (tn_vec3){-0.9, 0.0, 0.0}, driven_axle);
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        set_frames(world, &def.base, a, b, (tn_vec3){0.0, 0.0, 0.0}, driven_axle);
        def.motor = (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 2.0f};
        tn_joint_id joints[3] = {tn_fixed_joint_create(world, &base),
                                 tn_hinge_joint_create(world, &def),
                                 jam_make(world, (jam)(i % 3), a, b)};
        double rate = rates[i / 3 % 3][0];
        for (int k = 0; k < (int)rate; ++k) {
            tn_world_step(world, 1.0 / rate, (uint32_t)rates[i / 3 % 3][1]);
            for (int j = 0; j < 3; ++j) {
                tn_joint_error error = tn_joint_get_error(world, joints[j]);
                cr_assert(error.linear_length < 1e-6 && error.angular_length < 1e-6,
                          "%d: open by %g m, %g rad", i, error.linear_length, error.angular_length);
            }
        }
        double effort = (double)tn_joint_get_motor_effort(world, joints[1]);
        cr_assert(fabs(effort) < 1.0, "%d: %g N m", i, effort);
        tn_joint_destroy(world, joints[2]);
        tn_world_step(world, 1.0 / rate, (uint32_t)rates[i / 3 % 3][1]);
        double speed = tn_hinge_joint_get_speed(world, joints[1]);
        cr_assert_float_eq(speed, 2.0, 0.02, "%d: %g rad/s when it is loose", i, speed);
        tn_world_destroy(world);
    }
}

// A motor about all axes that comes to its end just as a step is over, or within it, and has to
// hold a bar up as well.
Test(driven_limits, a_motor_about_all_axes_stops_at_the_end_of_its_twist) {
    static const double rates[][2] = {{30.0, 1.0}, {60.0, 1.0}, {60.0, 4.0}, {240.0, 2.0}};
    static const float ends[] = {1.0f, 1.03f, 2.5f}, caps[] = {0.0f, 20.0f, 1000.0f};
    static const float speeds[] = {4.0f, 10.0f};
    for (int i = 0; i < 4 * 3 * 3 * 2 * 2; ++i) {
        bool hangs = i >= 72;
        tn_world *world = world_make((tn_vec3){0.0, hangs ? -9.81 : 0.0, 0.0}, NULL);
        tn_world_set_solver(world, TN_SOLVER_DIRECT);
        tn_body_id body = body_make(world, hangs ? 0.5 : 0.0, 0, 0, 1, 0.1);
        tn_ball_joint_def def = tn_ball_joint_def_default();
        def.base.body_b = body;
        def.base.frame_b.position.x = hangs ? -0.5 : 0.0;
        def.twist_limit =
            (tn_limit){.is_enabled = true, .lower = -ends[i % 3], .upper = ends[i % 3]};
        def.motor = (tn_ball_motor){.mode = TN_MOTOR_MODE_SPEED,
                                    .target_velocity = {(double)speeds[i / 36 % 2], 0.0, 0.0},
                                    .max_torque = caps[i / 3 % 3]};
        tn_joint_id joint = tn_ball_joint_create(world, &def);
        const double *rate = rates[i / 9 % 4];
        for (int k = 0; k < (int)rate[0]; ++k) {
            tn_world_step(world, 1.0 / rate[0], (uint32_t)rate[1]);
            double passed = tn_ball_joint_get_twist(world, joint) - (double)ends[i % 3];
            cr_assert(passed < 1e-5, "%d: passed by %g in step %d", i, passed, k);
        }
        double left = tn_ball_joint_get_twist(world, joint) - (double)ends[i % 3];
        cr_assert_float_eq(left, 0.0, 1e-5, "%d: stops %g from its end", i, left);
        tn_world_destroy(world);
    }
}

// How far a pusher of 10 kg sinks into a wall: what tenon/joint.h says of a cap.
Test(driven_limits, a_motor_with_a_cap_does_not_push_through_a_wall) {
    static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    static const double rates[][2] = {{60.0, 1.0}, {60.0, 4.0}, {240.0, 4.0}};
    for (int i = 0; i < 3 * 3 * 2; ++i) {
        tn_world *world = world_make((tn_vec3){0.0, 0.0, 0.0}, NULL);
        tn_world_set_solver(world, solvers[i % 3]);
        tn_body_def still = tn_body_def_default();
        still.type = TN_BODY_TYPE_STATIC;
        still.pose.position.x = 1.1;
        tn_body_id wall = tn_body_create(world, &still);
        tn_body_id body = body_make(world, 0.0, 0, 0, 10, 1.0);
        tn_shape_def shape = tn_shape_def_default();
        tn_box_shape_create(world, wall, &shape, (tn_vec3){0.1, 1.0, 1.0});
        shape.density = 0.0f;
        tn_box_shape_create(world, body, &shape, (tn_vec3){0.1, 0.1, 0.1});
        tn_slider_joint_def def = tn_slider_joint_def_default();
        def.base.body_b = body;
        float cap = i < 9 ? 1e4f : 1e3f;
        def.motor = (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 1.0f, .max_force = cap};
        tn_slider_joint_create(world, &def);
        const double *rate = rates[i / 3 % 3];
        for (int k = 0; k < (int)(2.0 * rate[0]); ++k) {
            tn_world_step(world, 1.0 / rate[0], (uint32_t)rate[1]);
        }
        double sunk = tn_body_get_pose(world, body).position.x - 0.9;
        double most = (double)cap / (5.0 * 10.0 * rate[0] * rate[0] * rate[1] * rate[1]);
        cr_expect(sunk < most + 1e-4 && sunk > -1e-3, "%d: sunk by %g of %g", i, sunk, most);
        tn_world_destroy(world);
    }
}
