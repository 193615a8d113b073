// Random joints of every type: springs, motors, limits and friction all at once, with stiffness,
// damping and caps of any size a float holds, frames that agree or lie anywhere, bodies of very
// unequal mass. Nothing may go out of bounds: the world puts such a body back and reports it.
#include "joint_world.h"
#include "tests/support/long_test.h"

#define CASES 300

static uint64_t random_state;

static double unit(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) / 9007199254740992.0;
}

static bool chance(double p) {
    return unit() < p;
}

// Any size: mostly around 1, some of them from 1e-38 to 1e38, some 0.
static float any_size(void) {
    double kind = unit();
    if (kind < 0.15) {
        return 0.0f;
    }
    return (float)pow(10.0, kind < 0.6 ? 4.0 * unit() - 2.0 : 76.0 * unit() - 38.0);
}

// A length, angle or speed one may meet, of either sign: 0.01 to 10.
static float any_value(void) {
    double value = pow(10.0, 3.0 * unit() - 2.0);
    return (float)(chance(0.5) ? value : -value);
}

static tn_spring any_spring(void) {
    return (tn_spring){(tn_spring_mode)(3.0 * unit()),
                       any_size(),
                       any_size(),
                       any_size(),
                       any_size(),
                       any_value()};
}

static tn_motor any_motor(void) {
    return (tn_motor){(tn_motor_mode)(3.0 * unit()),
                      any_value(),
                      any_value(),
                      any_size(),
                      any_size(),
                      chance(0.3) ? INFINITY : any_size(),
                      (tn_drive_mode)(2.0 * unit())};
}

static tn_ball_motor any_ball_motor(void) {
    return (tn_ball_motor){
        (tn_motor_mode)(3.0 * unit()),
        {(double)any_value(), (double)any_value(), (double)any_value()},
        {(double)any_value(), (double)any_value(), (double)any_value(), (double)any_value()},
        any_size(),
        any_size(),
        chance(0.3) ? INFINITY : any_size(),
        TN_DRIVE_MODE_FORCE};
}

static tn_limit any_limit(float least, float greatest) {
    float a = least + (greatest - least) * (float)unit();
    float b = least + (greatest - least) * (float)unit();
    return (tn_limit){chance(0.5),
                      fminf(a, b),
                      fmaxf(a, b),
                      chance(0.5) ? 0.0f : any_size(),
                      chance(0.5) ? 0.0f : any_size(),
                      chance(0.5) ? 0.0f : (float)unit()};
}

static tn_axis any_axis(float greatest) {
    return (tn_axis){any_limit(-greatest, greatest), any_motor(), any_spring(), any_size(),
                     any_size()};
}

static tn_pose any_frame(void) {
    return (tn_pose){{unit(), unit(), unit()},
                     {unit() - 0.5, unit() - 0.5, unit() - 0.5, unit() - 0.5}};
}

static tn_joint_def any_base(const tn_world *world, tn_body_id a, tn_body_id b) {
    tn_joint_def base = tn_joint_def_default();
    tn_vec3 anchor = {unit(), unit(), unit()};
    tn_vec3 axis = {unit() - 0.5, unit() - 0.5, unit() - 0.4};
    cr_assert(tn_joint_def_set_frames(world, &base, chance(0.3) ? world_body : a, b, anchor, axis));
    if (chance(0.3)) {
        base.frame_a = any_frame();
        base.frame_b = any_frame();
    }
    return base;
}

static tn_round_limit any_round_limit(float greatest) {
    tn_limit limit = any_limit(0, greatest);
    bool on = chance(0.4), all = chance(0.3);
    int left_out = (int)(3.0 * unit());
    return (tn_round_limit){on && (all || left_out != 0), on && (all || left_out != 1),
                            on && (all || left_out != 2), limit.lower, limit.upper};
}

// As many rows as there may be: of each axis two, of each round limit too.
static tn_joint_id any_six_axis_joint(tn_world *world, tn_joint_def base) {
    tn_six_axis_joint_def def = tn_six_axis_joint_def_default();
    def.base = base;
    for (int i = 0; i < TN_SIX_AXIS_COUNT; ++i) {
        tn_axis *axis = &def.axes[i];
        axis->limit = i < 3 ? any_limit(-9, 9) : any_limit(-3.1f, 3.1f);
        axis->spring = any_spring();
        axis->motor = any_motor();
        def.locks &= chance(0.4) ? TN_SIX_AXIS_LOCK_ALL : ~TN_SIX_AXIS_LOCK(i);
        bool is_limited = chance(0.5);
        axis->limit.is_enabled &= is_limited;
        axis->spring.mode = is_limited ? TN_SPRING_MODE_OFF : axis->spring.mode;
        axis->motor.mode = is_limited ? TN_MOTOR_MODE_OFF : axis->motor.mode;
    }
    def.linear_limit = any_round_limit(9);
    def.angular_limit = any_round_limit(3.1f);
    return tn_six_axis_joint_create(world, &def);
}

static tn_joint_id any_gear(tn_world *world, const tn_joint_def *base) {
    tn_gear_joint_def def = {.base = *base,
                             .reference = (tn_gear_reference)(3.0 * unit()),
                             .ratio = (double)any_value()};
    if (chance(0.5)) {
        def.teeth_a = 1 + (int32_t)(100.0 * unit());
        def.teeth_b = -50 + 2 * (int32_t)(25.0 * unit()) + 1;
    }
    // Wheels apart and askew.
    def.base.frame_b = any_frame();
    return tn_gear_joint_create(world, &def);
}

static tn_joint_id any_cam(tn_world *world, const tn_joint_def *base) {
    double radii[40], size = fabs((double)any_value());
    uint32_t count = 4 + (uint32_t)(36.0 * unit());
    for (uint32_t i = 0; i < count; ++i) { // hollow ones, too
        radii[i] = size * (1.0 + 0.2 * unit());
    }
    tn_cam_joint_def def = {.base = *base,
                            .radii = radii,
                            .radius_count = count,
                            .follower = (tn_cam_follower)(2.0 * unit()),
                            .roller_radius = chance(0.3) ? 0.0 : fabs((double)any_value()),
                            .is_desmodromic = chance(0.5)};
    def.base.frame_b = any_frame();
    return tn_cam_joint_create(world, &def);
}

static tn_joint_id any_joint(tn_world *world, tn_joint_type type, tn_body_id a, tn_body_id b) {
    tn_joint_def base = any_base(world, a, b);
    switch (type) {
    case TN_JOINT_TYPE_DISTANCE: {
        tn_distance_joint_def def = {base,         chance(0.5), fabsf(any_value()), any_limit(0, 9),
                                     any_spring(), any_motor(), any_size(),         any_size()};
        return tn_distance_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_BALL: {
        tn_ball_joint_def def = {.base = base,
                                 .cone_limit = any_limit(0, 3.1f),
                                 .twist_limit = any_limit(-3.1f, 3.1f),
                                 .spring = any_spring(),
                                 .friction = any_size(),
                                 .viscous_friction = any_size()};
        def.cone_limit.lower = 0.0f;
        def.motor = any_ball_motor();
        return tn_ball_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_HINGE: {
        tn_hinge_joint_def def = {
            base, any_limit(-3.1f, 3.1f), any_motor(), any_spring(), any_size(), any_size()};
        return tn_hinge_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_SLIDER: {
        tn_slider_joint_def def = {base,         any_limit(-9, 9), any_motor(),
                                   any_spring(), any_size(),       any_size()};
        return tn_slider_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_UNIVERSAL: {
        tn_universal_joint_def def = {base, any_axis(3.1f), any_axis(3.1f)};
        return tn_universal_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_CYLINDRICAL: {
        tn_cylindrical_joint_def def = {base, any_axis(9.0f), any_axis(3.1f)};
        return tn_cylindrical_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_PLANAR: {
        tn_planar_joint_def def = {base, any_axis(9.0f), any_axis(9.0f), any_axis(3.1f)};
        return tn_planar_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_SWING_TWIST: {
        tn_swing_twist_joint_def def = {.base = base,
                                        .swing_limit_y = any_limit(0, 3.1f),
                                        .twist_limit = any_limit(-3.1f, 3.1f),
                                        .motor = any_ball_motor(),
                                        .spring = any_spring(),
                                        .friction = any_size(),
                                        .viscous_friction = any_size()};
        def.swing_limit_z = def.swing_limit_y;
        def.swing_limit_y.lower = chance(0.2) ? 0.0f : -3.1f * (float)unit();
        def.swing_limit_y.upper = chance(0.2) ? 0.0f : 3.1f * (float)unit();
        def.swing_limit_z.lower = -def.swing_limit_z.upper;
        def.swing_limit_z.is_enabled = chance(0.7);
        return tn_swing_twist_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_SIX_AXIS:
        return any_six_axis_joint(world, base);
    case TN_JOINT_TYPE_WHEEL: {
        tn_wheel_joint_def def = {.base = base,
                                  .suspension = any_spring(),
                                  .suspension_limit = any_limit(-9, 9),
                                  .has_steering = chance(0.5),
                                  .steering_limit = any_limit(-3.1f, 3.1f),
                                  .steering_motor = any_motor(),
                                  .spin_motor = any_motor()};
        return tn_wheel_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_GEAR:
        return any_gear(world, &base);
    case TN_JOINT_TYPE_BELT: {
        tn_belt_joint_def def = {.base = base,
                                 .radius_a = fabs((double)any_value()),
                                 .radius_b = fabs((double)any_value()),
                                 .teeth_a = chance(0.5) ? 0 : 17,
                                 .is_crossed = chance(0.5),
                                 .friction = any_size(),
                                 .pretension = chance(0.5) ? INFINITY : any_size()};
        def.teeth_b = def.teeth_a == 0 ? 0 : 1 + (int32_t)(100.0 * unit());
        def.base.frame_b = any_frame();
        return tn_belt_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_RACK_PINION: {
        tn_rack_pinion_joint_def def = {base, (double)any_value()};
        def.base.frame_b = any_frame();
        return tn_rack_pinion_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_SCREW: {
        tn_screw_joint_def def = {base, (double)any_value()};
        return tn_screw_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_PULLEY: {
        tn_pulley_joint_def def = {.base = base,
                                   .ground_a = any_frame().position,
                                   .ground_b = any_frame().position,
                                   .ratio = fabs((double)any_value()),
                                   .length = fabs((double)any_value()),
                                   .is_rigid = chance(0.5),
                                   .limit_a = any_limit(0, 9),
                                   .limit_b = any_limit(0, 9)};
        return tn_pulley_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_CAM:
        return any_cam(world, &base);
    case TN_JOINT_TYPE_RATCHET: {
        tn_ratchet_joint_def def = {base, 1 + (int32_t)(100.0 * unit()), chance(0.5) ? 1 : -1,
                                    chance(0.8), any_size()};
        return tn_ratchet_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_ESCAPEMENT: {
        tn_escapement_joint_def def = tn_escapement_joint_def_default();
        def.base = base;
        def.base.frame_b = any_frame();
        def.direction = chance(0.5) ? 1 : -1;
        def.lift_angle = 0.001 + 1.5 * unit();
        return tn_escapement_joint_create(world, &def);
    }
    default: {
        tn_fixed_joint_def def = {base, any_spring(), any_spring()};
        return tn_fixed_joint_create(world, &def);
    }
    }
}

static void run_case(tn_joint_type type, uint64_t seed) {
    test_reports reports;
    tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, &reports);
    random_state = seed * 7919 + (uint64_t)type;
    unit();
    double mass = pow(10, 4 * unit() - 2);
    double inertia = pow(10, 3 * unit() - 2);
    tn_body_id a = body_make(world, 0, 0, 0, mass, inertia);
    tn_body_id b = body_make(world, 1, 0, 0, 1, 0.3);
    tn_joint_id joint = any_joint(world, type, a, b);
    cr_assert(joint.value != 0 && reports.count == 0, "type %d, case %u: %s", (int)type,
              (unsigned)seed, tn_result_name(reports.last));
    run(world, 2.0, 60.0, 4);
    cr_assert(reports.count == 0, "type %d, case %u: %s", (int)type, (unsigned)seed,
              tn_result_name(reports.last));
    tn_energy energy = tn_world_get_energy(world);
    cr_assert(isfinite(energy.kinetic) && isfinite(tn_joint_get_error(world, joint).linear_length));
    tn_world_destroy(world);
}

static void run_cases(tn_joint_type type) {
    for (int seed = 0; seed < long_test_count(CASES); ++seed) {
        run_case(type, (uint64_t)seed);
    }
}

LONG_TEST(joint_random, distance_joints_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_DISTANCE);
}

LONG_TEST(joint_random, ball_joints_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_BALL);
}

LONG_TEST(joint_random, hinges_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_HINGE);
}

LONG_TEST(joint_random, universal_joints_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_UNIVERSAL);
}

LONG_TEST(joint_random, cylindrical_joints_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_CYLINDRICAL);
}

LONG_TEST(joint_random, planar_joints_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_PLANAR);
}

LONG_TEST(joint_random, sliders_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_SLIDER);
}

LONG_TEST(joint_random, welds_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_FIXED);
}

LONG_TEST(joint_random, swing_twist_joints_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_SWING_TWIST);
}

LONG_TEST(joint_random, six_axis_joints_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_SIX_AXIS);
}

LONG_TEST(joint_random, wheels_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_WHEEL);
}

LONG_TEST(joint_random, gears_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_GEAR);
}

LONG_TEST(joint_random, belts_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_BELT);
}

LONG_TEST(joint_random, racks_and_pinions_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_RACK_PINION);
}

LONG_TEST(joint_random, screws_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_SCREW);
}

LONG_TEST(joint_random, pulleys_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_PULLEY);
}

LONG_TEST(joint_random, cams_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_CAM);
}

LONG_TEST(joint_random, ratchets_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_RATCHET);
}

LONG_TEST(joint_random, escapements_stay_within_bounds) {
    run_cases(TN_JOINT_TYPE_ESCAPEMENT);
}
