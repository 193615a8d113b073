// The setters of a single target of a motor: the joint follows it, nothing else of the definition
// changes, the old value wakes nobody, and a wrong call changes nothing.
#include "joint_world.h"

static tn_world *world;
static test_reports reports;
static tn_body_id body_a, body_b;

static void setup(void) {
    tn_vec3 none = {0.0, 0.0, 0.0};
    world = world_make(none, &reports);
    body_a = body_make(world, 0, 0, 0, 1, 1);
    body_b = body_make(world, 1, 0, 0, 1, 1);
    tn_world_set_sleep_allowed(world, true);
}

static void teardown(void) {
    cr_assert(reports.count == 0);
    tn_world_destroy(world);
}

// A setter, where its motor stands in the definition, and what the motor drives.
typedef struct target {
    const char *name;
    tn_joint_type type;
    bool is_speed;
    tn_result (*set)(tn_world *world, tn_joint_id joint, float value);
    tn_motor (*get_motor)(tn_joint_id joint);
    void (*set_motor)(tn_joint_id joint, tn_motor motor);
    value_fn read;
} target;

// The access to a motor that has a setter of its own, and to one that is part of an axis.
#define MOTOR(kind)                                                                                \
    static tn_motor get_##kind(tn_joint_id joint) {                                                \
        return tn_##kind##_joint_get_def(world, joint).motor;                                      \
    }                                                                                              \
    static void set_##kind(tn_joint_id joint, tn_motor motor) {                                    \
        cr_assert(tn_##kind##_joint_set_motor(world, joint, motor) == TN_RESULT_OK);               \
    }
#define AXIS(kind, field)                                                                          \
    static tn_motor get_##kind##_##field(tn_joint_id joint) {                                      \
        return tn_##kind##_joint_get_def(world, joint).field.motor;                                \
    }                                                                                              \
    static void set_##kind##_##field(tn_joint_id joint, tn_motor motor) {                          \
        tn_axis axis = tn_##kind##_joint_get_def(world, joint).field;                              \
        axis.motor = motor;                                                                        \
        cr_assert(tn_##kind##_joint_set_##field(world, joint, axis) == TN_RESULT_OK);              \
    }

MOTOR(distance)
MOTOR(hinge)
MOTOR(slider)
MOTOR(curve)
AXIS(cylindrical, slide)
AXIS(cylindrical, turn)
AXIS(universal, first)
AXIS(universal, second)
AXIS(planar, y)
AXIS(planar, z)
AXIS(planar, turn)

static tn_motor get_steering(tn_joint_id joint) {
    return tn_wheel_joint_get_def(world, joint).steering_motor;
}
static void set_steering(tn_joint_id joint, tn_motor motor) {
    tn_limit none = tn_limit_default();
    cr_assert(tn_wheel_joint_set_steering(world, joint, true, none, motor) == TN_RESULT_OK);
}
static tn_motor get_spin(tn_joint_id joint) {
    return tn_wheel_joint_get_def(world, joint).spin_motor;
}
static void set_spin(tn_joint_id joint, tn_motor motor) {
    cr_assert(tn_wheel_joint_set_spin_motor(world, joint, motor) == TN_RESULT_OK);
}

#define POSITION(type, kind, part, access, read)                                                   \
    {                                                                                              \
        "tn_" #kind "_joint_set_" #part "target_position", TN_JOINT_TYPE_##type, false,            \
            tn_##kind##_joint_set_##part##target_position, get_##access, set_##access,             \
            tn_##kind##_joint_get_##read                                                           \
    }
#define SPEED(type, kind, part, access, read)                                                      \
    {                                                                                              \
        "tn_" #kind "_joint_set_" #part "target_speed", TN_JOINT_TYPE_##type, true,                \
            tn_##kind##_joint_set_##part##target_speed, get_##access, set_##access,                \
            tn_##kind##_joint_get_##read                                                           \
    }

static const target targets[] = {
    POSITION(DISTANCE, distance, , distance, length),
    SPEED(DISTANCE, distance, , distance, rate),
    POSITION(HINGE, hinge, , hinge, angle),
    SPEED(HINGE, hinge, , hinge, speed),
    POSITION(SLIDER, slider, , slider, translation),
    SPEED(SLIDER, slider, , slider, speed),
    POSITION(CURVE, curve, , curve, way),
    SPEED(CURVE, curve, , curve, speed),
    POSITION(CYLINDRICAL, cylindrical, slide_, cylindrical_slide, translation),
    SPEED(CYLINDRICAL, cylindrical, slide_, cylindrical_slide, speed),
    POSITION(CYLINDRICAL, cylindrical, turn_, cylindrical_turn, angle),
    SPEED(CYLINDRICAL, cylindrical, turn_, cylindrical_turn, angular_speed),
    POSITION(UNIVERSAL, universal, first_, universal_first, first_angle),
    SPEED(UNIVERSAL, universal, first_, universal_first, first_speed),
    POSITION(UNIVERSAL, universal, second_, universal_second, second_angle),
    SPEED(UNIVERSAL, universal, second_, universal_second, second_speed),
    POSITION(PLANAR, planar, y_, planar_y, y),
    SPEED(PLANAR, planar, y_, planar_y, y_speed),
    POSITION(PLANAR, planar, z_, planar_z, z),
    SPEED(PLANAR, planar, z_, planar_z, z_speed),
    POSITION(PLANAR, planar, turn_, planar_turn, angle),
    SPEED(PLANAR, planar, turn_, planar_turn, angular_speed),
    {"tn_wheel_joint_set_steering_target", TN_JOINT_TYPE_WHEEL, false,
     tn_wheel_joint_set_steering_target, get_steering, set_steering,
     tn_wheel_joint_get_steering_angle},
    SPEED(WHEEL, wheel, spin_, spin, spin_speed),
};
#define TARGETS (sizeof targets / sizeof targets[0])

static tn_joint_id make_curve(void) {
    static const tn_vec3 points[] = {{-2, 0, 0}, {0, 0, 0}, {2, 0, 0}};
    tn_curve_joint_def def = tn_curve_joint_def_default();
    set_frames(world, &def.base, body_a, body_b, (tn_vec3){0.5, 0, 0}, (tn_vec3){1, 0, 0});
    def.points = points;
    def.point_count = 3;
    return tn_curve_joint_create(world, &def);
}

static tn_joint_id make(tn_joint_type type) {
    if (type == TN_JOINT_TYPE_CURVE) {
        return make_curve();
    }
    tn_joint_id joint =
        joint_make(world, type, body_a, body_b, (tn_vec3){0.5, 0, 0}, (tn_vec3){1, 0, 0});
    if (type == TN_JOINT_TYPE_DISTANCE) {
        tn_distance_joint_set_rigid(world, joint, false);
    }
    return joint;
}

static const tn_motor drive = {.mode = TN_MOTOR_MODE_POSITION,
                               .target_speed = 0.125f,
                               .target_position = 0.25f,
                               .stiffness = 400.0f,
                               .damping = 40.0f,
                               .max_force = 1e6f,
                               .drive = TN_DRIVE_MODE_ACCELERATION};

static bool is_same(tn_motor a, tn_motor b) {
    return a.mode == b.mode && a.target_speed == b.target_speed &&
           a.target_position == b.target_position && a.stiffness == b.stiffness &&
           a.damping == b.damping && a.max_force == b.max_force && a.drive == b.drive;
}

Test(joint_targets, each_setter_changes_one_number_of_one_motor, .init = setup, .fini = teardown) {
    for (size_t i = 0; i < TARGETS; ++i) {
        const target *t = &targets[i];
        tn_joint_id joint = make(t->type);
        for (size_t k = 0; k < TARGETS; ++k) {
            if (targets[k].type == t->type) {
                targets[k].set_motor(joint, drive);
            }
        }
        cr_assert(t->set(world, joint, 0.5f) == TN_RESULT_OK, "%s", t->name);
        tn_motor right = drive;
        *(t->is_speed ? &right.target_speed : &right.target_position) = 0.5f;
        for (size_t k = 0; k < TARGETS; ++k) {
            if (targets[k].type == t->type) {
                bool is_own = targets[k].get_motor == t->get_motor;
                cr_assert(is_same(targets[k].get_motor(joint), is_own ? right : drive), "%s on %s",
                          t->name, targets[k].name);
            }
        }
        tn_joint_destroy(world, joint);
    }
}

// A critically damped drive of 20 rad/s is there after two seconds, to 1e-4 of its way.
Test(joint_targets, the_joint_follows_a_new_target, .init = setup, .fini = teardown) {
    for (size_t i = 0; i < TARGETS; ++i) {
        const target *t = &targets[i];
        tn_joint_id joint = make(t->type);
        tn_motor motor = drive;
        motor.target_speed = motor.target_position = 0.0f;
        motor.mode = t->is_speed ? TN_MOTOR_MODE_SPEED : TN_MOTOR_MODE_POSITION;
        t->set_motor(joint, motor);
        float value =
            t->type == TN_JOINT_TYPE_DISTANCE || t->type == TN_JOINT_TYPE_CURVE ? 1.25f : 0.25f;
        value = t->is_speed ? -0.25f : value;
        cr_assert(t->set(world, joint, value) == TN_RESULT_OK, "%s", t->name);
        run(world, t->is_speed ? 0.1 : 2.0, 60.0, 4);
        cr_assert_float_eq(t->read(world, joint), (double)value, 1e-4, "%s: %g", t->name,
                           t->read(world, joint));
        teardown();
        setup();
    }
}

Test(joint_targets, the_same_target_wakes_nobody, .init = setup, .fini = teardown) {
    for (size_t i = 0; i < TARGETS; ++i) {
        const target *t = &targets[i];
        tn_joint_id joint = make(t->type);
        t->set(world, joint, 0.75f);
        tn_body_set_awake(world, body_a, false);
        cr_assert(!tn_body_is_awake(world, body_a) && !tn_body_is_awake(world, body_b));
        cr_assert(t->set(world, joint, 0.75f) == TN_RESULT_OK, "%s", t->name);
        cr_assert(!tn_body_is_awake(world, body_a) && !tn_body_is_awake(world, body_b), "%s",
                  t->name);
        cr_assert(t->set(world, joint, 0.875f) == TN_RESULT_OK, "%s", t->name);
        cr_assert(tn_body_is_awake(world, body_a) && tn_body_is_awake(world, body_b), "%s",
                  t->name);
        tn_joint_destroy(world, joint);
    }
}

static void expect(tn_result returned, tn_result result, const char *function, const char *what) {
    cr_assert(returned == result, "%s: %s returns %s", function, what, tn_result_name(returned));
    cr_assert(reports.count == 1 && reports.last == result, "%s: %s, %u reports", function, what,
              reports.count);
    cr_assert_str_eq(reports.function, function);
    reports.count = 0;
}

Test(joint_targets, a_wrong_call_changes_nothing, .init = setup, .fini = teardown) {
    tn_joint_id weld = make(TN_JOINT_TYPE_FIXED), null_joint = {0};
    for (size_t i = 0; i < TARGETS; ++i) {
        const target *t = &targets[i];
        tn_joint_id joint = make(t->type);
        t->set_motor(joint, drive);
        expect(t->set(world, joint, NAN), TN_RESULT_NOT_FINITE, t->name, "NaN");
        expect(t->set(world, joint, -INFINITY), TN_RESULT_NOT_FINITE, t->name, "infinite");
        cr_assert(is_same(t->get_motor(joint), drive), "%s", t->name);
        expect(t->set(world, weld, 0.5f), TN_RESULT_WRONG_TYPE, t->name, "a weld");
        expect(t->set(world, null_joint, 0.5f), TN_RESULT_INVALID_ID, t->name, "null");
        tn_joint_destroy(world, joint);
        expect(t->set(world, joint, 0.5f), TN_RESULT_INVALID_ID, t->name, "stale");
        cr_assert(t->set(NULL, joint, 0.5f) == TN_RESULT_INVALID_ARGUMENT, "%s", t->name);
    }
}

// ---- motors of three axes ---------------------------------------------------------------------

// A motor whose targets are a rotation and an angular velocity.
typedef struct ball_target {
    const char *rotation_name, *velocity_name;
    tn_joint_type type;
    tn_result (*set_rotation)(tn_world *world, tn_joint_id joint, tn_quat rotation);
    tn_result (*set_velocity)(tn_world *world, tn_joint_id joint, tn_vec3 velocity);
    tn_ball_motor (*get_motor)(tn_joint_id joint);
    tn_result (*set_motor)(tn_world *world, tn_joint_id joint, tn_ball_motor motor);
    tn_quat (*read_rotation)(const tn_world *world, tn_joint_id joint);
    tn_vec3 (*read_velocity)(const tn_world *world, tn_joint_id joint);
} ball_target;

static tn_ball_motor get_ball(tn_joint_id joint) {
    return tn_ball_joint_get_def(world, joint).motor;
}
static tn_ball_motor get_swing_twist(tn_joint_id joint) {
    return tn_swing_twist_joint_get_def(world, joint).motor;
}

#define BALL(type, kind)                                                                           \
    {                                                                                              \
        "tn_" #kind "_joint_set_target_rotation", "tn_" #kind "_joint_set_target_velocity",        \
            TN_JOINT_TYPE_##type, tn_##kind##_joint_set_target_rotation,                           \
            tn_##kind##_joint_set_target_velocity, get_##kind, tn_##kind##_joint_set_motor,        \
            tn_##kind##_joint_get_rotation, tn_##kind##_joint_get_velocity                         \
    }

static const ball_target ball_targets[] = {BALL(BALL, ball), BALL(SWING_TWIST, swing_twist)};
#define BALL_TARGETS (sizeof ball_targets / sizeof ball_targets[0])

static const tn_ball_motor ball_drive = {
    TN_MOTOR_MODE_POSITION,    {0, 0, 0}, {0, 0, 0, 1}, 400.0f, 40.0f, 1e6f,
    TN_DRIVE_MODE_ACCELERATION};

// Apart from the padding, whose bytes are anything.
static bool is_same_ball(tn_ball_motor a, tn_ball_motor b) {
    return a.mode == b.mode && a.stiffness == b.stiffness && a.damping == b.damping &&
           a.max_torque == b.max_torque && a.drive == b.drive &&
           memcmp(&a.target_velocity, &b.target_velocity, sizeof(tn_vec3)) == 0 &&
           memcmp(&a.target_rotation, &b.target_rotation, sizeof(tn_quat)) == 0;
}

Test(joint_targets, a_ball_joint_follows_a_new_rotation, .init = setup, .fini = teardown) {
    const tn_quat bent = {0.0, 0.25, 0.0, 1.0};
    for (size_t i = 0; i < BALL_TARGETS; ++i) {
        const ball_target *t = &ball_targets[i];
        tn_joint_id joint = make(t->type);
        cr_assert(t->set_motor(world, joint, ball_drive) == TN_RESULT_OK);
        cr_assert(t->set_rotation(world, joint, bent) == TN_RESULT_OK);
        tn_ball_motor motor = t->get_motor(joint), right = ball_drive;
        right.target_rotation = bent;
        cr_assert(is_same_ball(motor, right), "%s", t->rotation_name);
        run(world, 2.0, 60.0, 4);
        tn_quat now = t->read_rotation(world, joint);
        double agreement = now.x * bent.x + now.y * bent.y + now.z * bent.z + now.w * bent.w;
        cr_assert(fabs(agreement) > sqrt(1.0625) - 1e-8, "%s: %g", t->rotation_name, agreement);
        teardown();
        setup();
    }
}

Test(joint_targets, a_ball_joint_follows_a_new_velocity, .init = setup, .fini = teardown) {
    const tn_vec3 spin = {0.5, 0.0, 0.0};
    for (size_t i = 0; i < BALL_TARGETS; ++i) {
        const ball_target *t = &ball_targets[i];
        tn_joint_id joint = make(t->type);
        tn_ball_motor right = ball_drive;
        right.mode = TN_MOTOR_MODE_SPEED;
        cr_assert(t->set_motor(world, joint, right) == TN_RESULT_OK);
        cr_assert(t->set_velocity(world, joint, spin) == TN_RESULT_OK);
        tn_ball_motor motor = t->get_motor(joint);
        right.target_velocity = spin;
        cr_assert(is_same_ball(motor, right), "%s", t->velocity_name);
        run(world, 0.1, 60.0, 4);
        tn_vec3 now = t->read_velocity(world, joint);
        double error = length_of((tn_vec3){now.x - spin.x, now.y - spin.y, now.z - spin.z});
        cr_assert(error < 1e-4, "%s: %g", t->velocity_name, error);
        teardown();
        setup();
    }
}

static void fall_asleep(void) {
    tn_body_set_awake(world, body_a, false);
    cr_assert(!tn_body_is_awake(world, body_a) && !tn_body_is_awake(world, body_b));
}

// The same rotation may come as a quaternion of the other sign and of another length.
Test(joint_targets, the_same_target_of_a_ball_joint_wakes_nobody, .init = setup, .fini = teardown) {
    const tn_quat bent = {0.0, 0.28, 0.0, 0.96}, same = {-0.0, -0.56, 0.0, -1.92};
    const tn_vec3 spin = {0.5, 0.0, 0.0}, alike = {0.5, -0.0, -0.0}, other = {0.5, 0.0, 0.1};
    for (size_t i = 0; i < BALL_TARGETS; ++i) {
        const ball_target *t = &ball_targets[i];
        tn_joint_id joint = make(t->type);
        t->set_rotation(world, joint, bent);
        t->set_velocity(world, joint, spin);
        fall_asleep();
        cr_assert(t->set_rotation(world, joint, same) == TN_RESULT_OK);
        cr_assert(t->set_velocity(world, joint, alike) == TN_RESULT_OK);
        cr_assert(!tn_body_is_awake(world, body_a) && !tn_body_is_awake(world, body_b));
        cr_assert(t->set_velocity(world, joint, other) == TN_RESULT_OK);
        cr_assert(tn_body_is_awake(world, body_a) && tn_body_is_awake(world, body_b));
        fall_asleep();
        cr_assert(t->set_rotation(world, joint, (tn_quat){0, 0, 0, 1}) == TN_RESULT_OK);
        cr_assert(tn_body_is_awake(world, body_a) && tn_body_is_awake(world, body_b));
        tn_joint_destroy(world, joint);
    }
}

Test(joint_targets, a_wrong_call_on_a_ball_joint_changes_nothing, .init = setup, .fini = teardown) {
    tn_joint_id weld = make(TN_JOINT_TYPE_FIXED);
    const tn_quat bent = {0.0, 0.28, 0.0, 0.96}, none = {0, 0, 0, 0}, nan = {0, 0, (double)NAN, 1};
    const tn_vec3 spin = {0.5, 0.0, 0.0}, nowhere = {0.0, (double)INFINITY, 0.0};
    for (size_t i = 0; i < BALL_TARGETS; ++i) {
        const ball_target *t = &ball_targets[i];
        tn_joint_id joint = make(t->type);
        cr_assert(t->set_motor(world, joint, ball_drive) == TN_RESULT_OK);
        expect(t->set_rotation(world, joint, nan), TN_RESULT_NOT_FINITE, t->rotation_name, "NaN");
        expect(t->set_rotation(world, joint, none), TN_RESULT_ZERO_AXIS, t->rotation_name, "zero");
        expect(t->set_velocity(world, joint, nowhere), TN_RESULT_NOT_FINITE, t->velocity_name,
               "infinite");
        cr_assert(is_same_ball(t->get_motor(joint), ball_drive));
        expect(t->set_rotation(world, weld, bent), TN_RESULT_WRONG_TYPE, t->rotation_name, "weld");
        expect(t->set_velocity(world, weld, spin), TN_RESULT_WRONG_TYPE, t->velocity_name, "weld");
        tn_joint_destroy(world, joint);
        expect(t->set_rotation(world, joint, bent), TN_RESULT_INVALID_ID, t->rotation_name,
               "stale");
        expect(t->set_velocity(world, joint, spin), TN_RESULT_INVALID_ID, t->velocity_name,
               "stale");
    }
}
