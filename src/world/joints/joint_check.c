// world/joints/joint_check.c: is a joint's definition sound? Every number is looked at, used or
// not, so that a definition that was taken stays sound whatever is switched on later. Test:
// tests/joints/test_joint_misuse_actors.c
#include "joints/parts/twist.h"
#include "joints/six_axis.h"
#include "world/joints/joint_internal.h"
#include "world/records/convert.h"

// rad: a full turn in float. A hinge's range may lie anywhere within one turn of zero.
#define JOINT_FULL_TURN 6.2831855f
// rad: half a turn in float.
#define JOINT_HALF_TURN 3.1415927f
// The most teeth of a wheel, and the least size of a ratio, a radius or a lead.
#define JOINT_MOST_TEETH   1000000
#define JOINT_LEAST_FACTOR 1e-9
// A quaternion shorter than this has no direction.
#define JOINT_LEAST_QUATERNION 1e-12

static double joint_get_largest(const tn_quat *q) {
    return maths_max_d(maths_max_d(fabs(q->x), fabs(q->y)), maths_max_d(fabs(q->z), fabs(q->w)));
}

static tni_check joint_check_frame(const tn_pose *frame) {
    bool is_finite = convert_is_finite(frame->position) && convert_is_finite_quat(frame->rotation);
    bool has_length = !(joint_get_largest(&frame->rotation) < JOINT_LEAST_QUATERNION);
    return tni_check_both(
        tni_check_that(is_finite, TN_RESULT_NOT_FINITE,
                       "A frame's position and rotation must be finite."),
        tni_check_that(
            has_length, TN_RESULT_ZERO_AXIS,
            "A frame's quaternion must not be zero: start from the default definition."));
}

static tni_check joint_check_caps(tn_vec3 caps, const char *message) {
    bool are_numbers = !isnan(caps.x) && !isnan(caps.y) && !isnan(caps.z);
    return tni_check_number(are_numbers, caps.x >= 0.0 && caps.y >= 0.0 && caps.z >= 0.0, message);
}

static tni_check joint_check_base(const tn_joint_def *def) {
    bool has_solver = def->solver >= TN_SOLVER_AUTO && def->solver <= TN_SOLVER_CG;
    const tni_check checks[] = {
        joint_check_frame(&def->frame_a),
        joint_check_frame(&def->frame_b),
        tni_check_cap(def->break_force, "break_force must be >= 0."),
        tni_check_cap(def->break_torque, "break_torque must be >= 0."),
        joint_check_caps(def->break_linear, "break_linear must be >= 0."),
        joint_check_caps(def->break_angular, "break_angular must be >= 0."),
        tni_check_amount(def->break_time, "break_time must be finite and >= 0."),
        tni_check_amount(def->hertz, "hertz must be finite and >= 0."),
        tni_check_that(has_solver, TN_RESULT_INVALID_ARGUMENT,
                       "solver must be AUTO, PGS, DIRECT or CG."),
        tni_check_amount(def->damping_ratio, "damping_ratio must be finite and >= 0."),
    };
    return tni_check_all(checks, sizeof checks);
}

// The range both ends of a limit must lie in.
typedef struct joint_range {
    float least, greatest;
    const char *message;
    float most_wound; // largest end of a range that counts turns and is a turn wide or more, else 0
} joint_range;

static const joint_range joint_range_of_distance = {
    .least = 0.0f, .greatest = INFINITY, .message = "A distance's limit must be >= 0."};
static const joint_range joint_range_of_angle = {
    .least = -JOINT_FULL_TURN,
    .greatest = JOINT_FULL_TURN,
    .message = "An angle's limit must lie within one turn, -2 pi to 2 pi."};
// The range of the turn about x: see joints/parts/twist.h.
static const joint_range joint_range_of_twist = {
    .least = -JOINT_FULL_TURN,
    .greatest = JOINT_FULL_TURN,
    .message =
        "An angle's limit must lie within -2 pi to 2 pi, one a turn wide within -1e6 to 1e6 rad.",
    .most_wound = 1e6f};
static const joint_range joint_range_of_translation = {
    .least = -INFINITY, .greatest = INFINITY, .message = ""};
static const joint_range joint_range_of_turn = {.least = -JOINT_HALF_TURN,
                                                .greatest = JOINT_HALF_TURN,
                                                .message =
                                                    "A turn's limit must lie from -pi to pi."};

static const joint_range joint_range_of_cone = {
    .least = 0.0f,
    .greatest = JOINT_HALF_TURN,
    .message = "A cone's limit is from 0, its lower end, to at most pi."};
static const joint_range joint_range_of_swing = {
    .least = -JOINT_HALF_TURN,
    .greatest = JOINT_HALF_TURN,
    .message = "A swing's limit must lie from -pi to pi, with 0 in it."};

static tni_check joint_check_limit(const tn_limit *limit, const joint_range *range) {
    bool is_wound = range->most_wound > 0.0f && tni_twist_is_wide(limit);
    float least = is_wound ? -range->most_wound : range->least;
    float greatest = is_wound ? range->most_wound : range->greatest;
    float restitution = limit->restitution;
    const tni_check checks[] = {
        tni_check_that(isfinite(limit->lower) && isfinite(limit->upper), TN_RESULT_NOT_FINITE,
                       "A limit's lower and upper must be finite."),
        tni_check_that(limit->lower <= limit->upper, TN_RESULT_INVALID_ARGUMENT,
                       "A limit's lower must be <= its upper."),
        tni_check_that(limit->lower >= least && limit->upper <= greatest,
                       TN_RESULT_INVALID_ARGUMENT, range->message),
        tni_check_amount(limit->stiffness, "A limit's stiffness must be finite and >= 0."),
        tni_check_amount(limit->damping, "A limit's damping must be finite and >= 0."),
        tni_check_number(isfinite(restitution), restitution >= 0.0f && restitution <= 1.0f,
                         "A limit's restitution must be from 0 to 1."),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check joint_check_drive(tn_drive_mode drive) {
    return tni_check_choice((int)drive, TN_DRIVE_MODE_ACCELERATION,
                            "A motor's drive is FORCE or ACCELERATION.");
}

static tni_check joint_check_friction(float friction, float viscous_friction) {
    return tni_check_both(
        tni_check_amount(friction, "friction must be finite and >= 0."),
        tni_check_amount(viscous_friction, "viscous_friction must be finite and >= 0."));
}

static tni_check joint_check_motor(const tn_motor *motor) {
    const tni_check checks[] = {
        tni_check_choice((int)motor->mode, TN_MOTOR_MODE_POSITION,
                         "A motor's mode is OFF, SPEED or POSITION."),
        tni_check_finite(motor->target_speed, "A motor's target_speed must be finite."),
        tni_check_finite(motor->target_position, "A motor's target_position must be finite."),
        tni_check_amount(motor->stiffness, "A motor's stiffness must be finite and >= 0."),
        tni_check_amount(motor->damping, "A motor's damping must be finite and >= 0."),
        joint_check_drive(motor->drive),
        tni_check_cap(motor->max_force, "A motor's max_force must be >= 0."),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check joint_check_spring(const tn_spring *spring) {
    const tni_check checks[] = {
        tni_check_choice((int)spring->mode, TN_SPRING_MODE_STIFFNESS,
                         "A spring's mode is OFF, FREQUENCY or STIFFNESS."),
        tni_check_amount(spring->hertz, "A spring's hertz must be finite and >= 0."),
        tni_check_amount(spring->damping_ratio,
                         "A spring's damping_ratio must be finite and >= 0."),
        tni_check_amount(spring->stiffness, "A spring's stiffness must be finite and >= 0."),
        tni_check_amount(spring->damping, "A spring's damping must be finite and >= 0."),
        tni_check_finite(spring->rest, "A spring's rest must be finite."),
    };
    return tni_check_all(checks, sizeof checks);
}

// Checks the actors that distance, hinge, slider and each axis have in common.
static tni_check joint_check_actors(const tn_limit *limit, const joint_range *range,
                                    const tn_motor *motor, const tn_spring *spring, float friction,
                                    float viscous_friction) {
    const tni_check checks[] = {
        joint_check_limit(limit, range),
        joint_check_motor(motor),
        joint_check_spring(spring),
        joint_check_friction(friction, viscous_friction),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check joint_check_axis(const tn_axis *axis, const joint_range *range) {
    return joint_check_actors(&axis->limit, range, &axis->motor, &axis->spring, axis->friction,
                              axis->viscous_friction);
}

static tni_check joint_check_distance(const tn_distance_joint_def *def) {
    return tni_check_both(joint_check_actors(&def->limit, &joint_range_of_distance, &def->motor,
                                             &def->spring, def->friction, def->viscous_friction),
                          tni_check_number(isfinite(def->length), def->length > 0.0f,
                                           "length must be finite and > 0."));
}

static tni_check joint_check_hinge(const tn_hinge_joint_def *def) {
    return joint_check_actors(&def->limit, &joint_range_of_twist, &def->motor, &def->spring,
                              def->friction, def->viscous_friction);
}

tni_check tni_joint_check_translation(const tn_limit *limit, const tn_motor *motor,
                                      const tn_spring *spring, float friction,
                                      float viscous_friction) {
    return joint_check_actors(limit, &joint_range_of_translation, motor, spring, friction,
                              viscous_friction);
}

static tni_check joint_check_slider(const tn_slider_joint_def *def) {
    return tni_joint_check_translation(&def->limit, &def->motor, &def->spring, def->friction,
                                       def->viscous_friction);
}

static tni_check joint_check_ball_motor(const tn_ball_motor *motor) {
    const tn_quat *q = &motor->target_rotation;
    bool is_finite = convert_is_finite_float(motor->target_velocity) && convert_is_finite_quat(*q);
    bool has_target =
        motor->mode != TN_MOTOR_MODE_POSITION || !(joint_get_largest(q) < JOINT_LEAST_QUATERNION);
    const tni_check checks[] = {
        tni_check_choice((int)motor->mode, TN_MOTOR_MODE_POSITION,
                         "A motor's mode is OFF, SPEED or POSITION."),
        tni_check_that(is_finite, TN_RESULT_NOT_FINITE, "A motor's targets must be finite."),
        tni_check_that(has_target, TN_RESULT_ZERO_AXIS,
                       "A motor's target_rotation must not be zero."),
        tni_check_amount(motor->stiffness, "A motor's stiffness must be finite and >= 0."),
        tni_check_amount(motor->damping, "A motor's damping must be finite and >= 0."),
        joint_check_drive(motor->drive),
        tni_check_cap(motor->max_torque, "A motor's max_torque must be >= 0."),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check joint_check_ball(const tn_ball_joint_def *def) {
    const tni_check checks[] = {
        joint_check_limit(&def->cone_limit, &joint_range_of_cone),
        tni_check_that(def->cone_limit.lower == 0.0f, TN_RESULT_INVALID_ARGUMENT,
                       joint_range_of_cone.message),
        joint_check_limit(&def->twist_limit, &joint_range_of_turn),
        joint_check_ball_motor(&def->motor),
        joint_check_spring(&def->spring),
        joint_check_friction(def->friction, def->viscous_friction),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check joint_check_swing(const tn_limit *limit) {
    return tni_check_both(joint_check_limit(limit, &joint_range_of_swing),
                          tni_check_that(limit->lower <= 0.0f && limit->upper >= 0.0f,
                                         TN_RESULT_INVALID_ARGUMENT, joint_range_of_swing.message));
}

// Checks that both limits of a cone have the same softness.
static tni_check joint_check_cone(const tn_limit *y, const tn_limit *z) {
    bool agree = y->stiffness == z->stiffness && y->damping == z->damping &&
                 y->restitution == z->restitution;
    return tni_check_that(agree || !y->is_enabled || !z->is_enabled, TN_RESULT_INVALID_ARGUMENT,
                          "Two swing limits need the same stiffness, damping and restitution.");
}

static tni_check joint_check_swing_twist(const tn_swing_twist_joint_def *def) {
    const tni_check checks[] = {
        joint_check_swing(&def->swing_limit_y),
        joint_check_swing(&def->swing_limit_z),
        joint_check_cone(&def->swing_limit_y, &def->swing_limit_z),
        joint_check_limit(&def->twist_limit, &joint_range_of_turn),
        joint_check_ball_motor(&def->motor),
        joint_check_spring(&def->spring),
        joint_check_friction(def->friction, def->viscous_friction),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check joint_check_round(const tn_round_limit *limit, float greatest) {
    const joint_range range = {.greatest = greatest,
                               .message = "A round limit must lie from 0 on, of turns to pi."};
    const tn_limit ends = {.is_enabled = true, .lower = limit->lower, .upper = limit->upper};
    int axes = (limit->x ? 1 : 0) + (limit->y ? 1 : 0) + (limit->z ? 1 : 0);
    return tni_check_both(joint_check_limit(&ends, &range),
                          tni_check_that(axes != 1, TN_RESULT_INVALID_ARGUMENT,
                                         "A round limit needs two or three axes."));
}

static tni_check joint_check_six_axis(const tn_six_axis_joint_def *def) {
    tni_check check = tni_check_both(joint_check_round(&def->linear_limit, INFINITY),
                                     joint_check_round(&def->angular_limit, JOINT_HALF_TURN));
    tni_six_axes axes = {.locks = def->locks,
                         .linear_limit = def->linear_limit,
                         .angular_limit = def->angular_limit};
    if ((def->locks & ~TN_SIX_AXIS_LOCK_ALL) != 0) {
        return (tni_check){TN_RESULT_INVALID_ARGUMENT, "locks has a bit for each of six axes."};
    }
    for (int i = 0; i < TN_SIX_AXIS_COUNT; ++i) {
        bool is_turn = i >= TN_SIX_AXIS_ANGULAR_X;
        const joint_range *range = is_turn ? &joint_range_of_turn : &joint_range_of_translation;
        check = tni_check_both(check, joint_check_axis(&def->axes[i], range));
        axes.axes[i] = def->axes[i];
    }
    bool has_room = tni_six_count_rows(&axes) <= TNI_JOINT_MAX_ROWS;
    return tni_check_both(check,
                          tni_check_that(has_room, TN_RESULT_TOO_LARGE,
                                         "A six-axis joint has 21 rows at most: a locked axis, a "
                                         "spring, a motor and either friction are one each, a "
                                         "limit two."));
}

static tni_check joint_check_wheel(const tn_wheel_joint_def *def) {
    const tni_check checks[] = {
        joint_check_spring(&def->suspension),
        joint_check_limit(&def->suspension_limit, &joint_range_of_translation),
        joint_check_limit(&def->steering_limit, &joint_range_of_turn),
        joint_check_motor(&def->steering_motor),
        joint_check_motor(&def->spin_motor),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check joint_check_fixed(const tn_fixed_joint_def *def) {
    return tni_check_both(joint_check_spring(&def->linear_spring),
                          joint_check_spring(&def->angular_spring));
}

static tni_check joint_check_universal(const tn_universal_joint_def *def) {
    return tni_check_both(joint_check_axis(&def->first, &joint_range_of_angle),
                          joint_check_axis(&def->second, &joint_range_of_angle));
}

static tni_check joint_check_cylindrical(const tn_cylindrical_joint_def *def) {
    return tni_check_both(joint_check_axis(&def->slide, &joint_range_of_translation),
                          joint_check_axis(&def->turn, &joint_range_of_twist));
}

static tni_check joint_check_planar(const tn_planar_joint_def *def) {
    const tni_check checks[] = {
        joint_check_axis(&def->y, &joint_range_of_translation),
        joint_check_axis(&def->z, &joint_range_of_translation),
        joint_check_axis(&def->turn, &joint_range_of_twist),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check joint_check_mouse(const tn_mouse_joint_def *def) {
    return tni_check_both(tni_check_that(def->base.hertz > 0.0f, TN_RESULT_INVALID_ARGUMENT,
                                         "A mouse joint's hertz must be > 0."),
                          tni_check_cap(def->max_force, "max_force must be >= 0."));
}

static tni_check joint_check_custom_row(const tn_custom_row_def *row) {
    const tni_check checks[] = {
        tni_check_choice((int)row->kind, TN_CUSTOM_ROW_SPRING,
                         "A row's kind is EQUALITY, LIMIT, SPEED or SPRING."),
        tni_check_finite(row->target_speed, "A row's target_speed must be finite."),
        tni_check_amount(row->stiffness, "A row's stiffness must be finite and >= 0."),
        tni_check_amount(row->damping, "A row's damping must be finite and >= 0."),
        tni_check_cap(row->max_force, "A row's max_force must be >= 0."),
        tni_check_cap(row->break_load, "A row's break_load must be >= 0."),
    };
    return tni_check_all(checks, sizeof checks);
}

// Checks that equalities come first, and lengths among them before angles.
static tni_check joint_check_custom_order(const tn_custom_row_def *rows, uint32_t count) {
    uint32_t equalities = 0;
    bool is_in_order = true;
    for (uint32_t i = 0; i < count; ++i) {
        bool is_equality = rows[i].kind == TN_CUSTOM_ROW_EQUALITY;
        bool is_late = i > equalities || (i > 0 && rows[i - 1].is_angular && !rows[i].is_angular);
        is_in_order = is_in_order && !(is_equality && is_late);
        equalities += is_equality ? 1 : 0;
    }
    return tni_check_both(
        tni_check_that(is_in_order, TN_RESULT_INVALID_ARGUMENT,
                       "Equalities come first, and of these those in m before those in rad."),
        tni_check_that(equalities <= TN_CUSTOM_MAX_EQUALITIES, TN_RESULT_INVALID_ARGUMENT,
                       "A joint has at most 6 equalities."));
}

tni_check tni_custom_rows_check(const tn_custom_row_def *rows, uint32_t count) {
    if (count < 1 || count > TN_CUSTOM_MAX_ROWS) {
        return (tni_check){TN_RESULT_INVALID_ARGUMENT, "row_count must be from 1 to 12."};
    }
    tni_check check = joint_check_custom_order(rows, count);
    for (uint32_t i = 0; i < count; ++i) {
        check = tni_check_both(check, joint_check_custom_row(&rows[i]));
    }
    return check;
}

static tni_check joint_check_custom(const tn_custom_joint_def *def) {
    return tni_check_both(tni_check_that(def->evaluate != NULL, TN_RESULT_INVALID_ARGUMENT,
                                         "The callback `evaluate` is null."),
                          tni_custom_rows_check(def->rows, def->row_count));
}

// Checks a factor that may have either sign: finite and not 0.
static tni_check joint_check_factor(double x, const char *message) {
    return tni_check_number(isfinite(x), fabs(x) >= JOINT_LEAST_FACTOR, message);
}

static bool joint_are_teeth(int32_t teeth_a, int32_t teeth_b) {
    bool are_none = teeth_a == 0 && teeth_b == 0;
    bool are_few = teeth_a >= -JOINT_MOST_TEETH && teeth_a <= JOINT_MOST_TEETH &&
                   teeth_b >= -JOINT_MOST_TEETH && teeth_b <= JOINT_MOST_TEETH;
    return are_none || (are_few && teeth_a != 0 && teeth_b != 0);
}

static tni_check joint_check_gear(const tn_gear_joint_def *def) {
    const tni_check checks[] = {
        tni_check_choice((int)def->reference, TN_GEAR_REFERENCE_WORLD,
                         "A gear's reference is CENTERS, AXES or WORLD."),
        joint_check_factor(def->ratio, "A gear's ratio must be finite and not 0."),
        tni_check_that(joint_are_teeth(def->teeth_a, def->teeth_b), TN_RESULT_INVALID_ARGUMENT,
                       "A gear has teeth on both wheels or on none, and a million at most."),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check joint_check_position(tn_vec3 p, const char *message) {
    return tni_check_number(convert_is_finite(p), true, message);
}

static tni_check joint_check_pulley(const tn_pulley_joint_def *def) {
    const tni_check checks[] = {
        joint_check_position(def->ground_a, "A pulley's ground_a must be finite."),
        joint_check_position(def->ground_b, "A pulley's ground_b must be finite."),
        joint_check_factor(def->ratio, "A pulley's ratio must be finite and > 0."),
        joint_check_factor(def->length, "A pulley's length must be finite and > 0."),
        tni_check_that(def->ratio > 0.0 && def->length > 0.0, TN_RESULT_INVALID_ARGUMENT,
                       "A pulley's ratio and length must be > 0."),
        joint_check_limit(&def->limit_a, &joint_range_of_distance),
        joint_check_limit(&def->limit_b, &joint_range_of_distance),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check joint_check_own(tn_joint_type type, const tni_joint_def *def) {
    switch (type) {
    case TN_JOINT_TYPE_DISTANCE:
        return joint_check_distance(&def->distance);
    case TN_JOINT_TYPE_BALL:
        return joint_check_ball(&def->ball);
    case TN_JOINT_TYPE_HINGE:
        return joint_check_hinge(&def->hinge);
    case TN_JOINT_TYPE_SLIDER:
        return joint_check_slider(&def->slider);
    case TN_JOINT_TYPE_UNIVERSAL:
        return joint_check_universal(&def->universal);
    case TN_JOINT_TYPE_CYLINDRICAL:
        return joint_check_cylindrical(&def->cylindrical);
    case TN_JOINT_TYPE_PLANAR:
        return joint_check_planar(&def->planar);
    case TN_JOINT_TYPE_MOUSE:
        return joint_check_mouse(&def->mouse);
    case TN_JOINT_TYPE_CUSTOM:
        return joint_check_custom(&def->custom);
    case TN_JOINT_TYPE_FUNCTION: // see world/joints/joint_function.c
    case TN_JOINT_TYPE_ROPE:     // and world/joints/joint_rope.c
        return (tni_check){TN_RESULT_OK, NULL};
    case TN_JOINT_TYPE_SWING_TWIST:
        return joint_check_swing_twist(&def->swing_twist);
    case TN_JOINT_TYPE_SIX_AXIS:
        return joint_check_six_axis(&def->six_axis);
    case TN_JOINT_TYPE_WHEEL:
        return joint_check_wheel(&def->wheel);
    case TN_JOINT_TYPE_GEAR:
        return joint_check_gear(&def->gear);
    case TN_JOINT_TYPE_RACK_PINION:
        return joint_check_factor(def->rack_pinion.radius,
                                  "A pinion's radius must be finite and not 0.");
    case TN_JOINT_TYPE_SCREW:
        return joint_check_factor(def->screw.lead, "A screw's lead must be finite and not 0.");
    case TN_JOINT_TYPE_PULLEY:
        return joint_check_pulley(&def->pulley);
    case TN_JOINT_TYPE_BELT:
        return tni_joint_check_belt(&def->belt);
    case TN_JOINT_TYPE_CAM:
        return tni_joint_check_cam(&def->cam);
    case TN_JOINT_TYPE_RATCHET:
        return tni_joint_check_ratchet(&def->ratchet);
    case TN_JOINT_TYPE_ESCAPEMENT:
        return tni_joint_check_escapement(&def->escapement);
    case TN_JOINT_TYPE_CURVE:
        return tni_joint_check_curve(&def->curve);
    case TN_JOINT_TYPE_SURFACE:
        return tni_joint_check_surface(&def->surface);
    case TN_JOINT_TYPE_MOTION_PATH:
        return tni_joint_check_motion_path(&def->motion_path);
    default:
        return joint_check_fixed(&def->fixed);
    }
}

tni_check tni_joint_def_check(tn_joint_type type, const tni_joint_def *def) {
    return tni_check_both(joint_check_base(&def->base), joint_check_own(type, def));
}

// Normalises a frame. A quaternion of unit length to the last bits is left alone, so that a
// getter's result may be set any number of times.
static void joint_normalize_frame(tn_pose *frame) {
    tn_quat q = frame->rotation;
    if (fabs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0) < 1e-15) {
        return;
    }
    // Scaling comes first, so that squares neither overflow nor vanish.
    double s = maths_inverse_or_zero_d(joint_get_largest(&q));
    tni_dquat unit = dquat_normalize(dquat_make(q.x * s, q.y * s, q.z * s, q.w * s));
    frame->rotation = (tn_quat){unit.x, unit.y, unit.z, unit.w};
}

static void joint_normalize_caps(tn_vec3 *caps) {
    caps->x = caps->x > 0.0 ? caps->x : (double)INFINITY;
    caps->y = caps->y > 0.0 ? caps->y : (double)INFINITY;
    caps->z = caps->z > 0.0 ? caps->z : (double)INFINITY;
}

// A joint that bears nothing would break in one step, so 0 means no cap, as for motors.
static void joint_normalize_bearing(tn_joint_def *def) {
    def->break_force = def->break_force > 0.0f ? def->break_force : INFINITY;
    def->break_torque = def->break_torque > 0.0f ? def->break_torque : INFINITY;
    joint_normalize_caps(&def->break_linear);
    joint_normalize_caps(&def->break_angular);
}

void tni_joint_def_normalize(tni_joint_def *def) {
    joint_normalize_bearing(&def->base);
    joint_normalize_frame(&def->base.frame_a);
    joint_normalize_frame(&def->base.frame_b);
}
