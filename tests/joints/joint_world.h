// tests/joints/joint_world.h: a world that remembers its last report, and bodies to tie together.
#ifndef TESTS_JOINTS_JOINT_WORLD_H
#define TESTS_JOINTS_JOINT_WORLD_H

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "../support/body_make.h"

typedef struct test_reports {
    tn_result last;
    char function[64];
    uint32_t count;
} test_reports;

static inline void remember_report(const tn_report *report, void *user_data) {
    test_reports *reports = user_data;
    reports->last = report->result;
    strncpy(reports->function, report->function, sizeof reports->function - 1);
    reports->count += 1;
}

static inline tn_world *world_make(tn_vec3 gravity, test_reports *reports) {
    tn_world_def def = tn_world_def_default();
    def.gravity = gravity;
    def.is_sleep_allowed = false;
    if (reports) {
        memset(reports, 0, sizeof *reports);
        def.report = remember_report;
        def.report_user_data = reports;
    }
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

static inline tn_body_id static_body_make(tn_world *world, double x, double y, double z) {
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_STATIC;
    def.pose.position = (tn_vec3){x, y, z};
    return tn_body_create(world, &def);
}

static const tn_body_id world_body = {0};

// All but those of pulls, transmissions and callbacks are tried by number.
#define JOINT_TYPES (TN_JOINT_TYPE_WHEEL + 1)

// Frames at a world point with x along an axis.
static inline void set_frames(const tn_world *world, tn_joint_def *def, tn_body_id a, tn_body_id b,
                              tn_vec3 anchor, tn_vec3 axis) {
    cr_assert(tn_joint_def_set_frames(world, def, a, b, anchor, axis));
}

// The x axis of a joint that is to carry weight downward.
static inline tn_vec3 carrying_axis(tn_joint_type type) {
    tn_vec3 level = {1, 0, 0}, up = {0, 1, 0};
    return type == TN_JOINT_TYPE_PLANAR ? up : level;
}

// Wheels with their centres a metre apart, across the axis.
static inline tn_joint_id gear_make(tn_world *world, const tn_joint_def *base) {
    tn_gear_joint_def def = tn_gear_joint_def_default();
    def.base = *base;
    // The y axis of frame b in its body.
    tn_quat q = base->frame_b.rotation;
    def.base.frame_b.position.x += 2.0 * (q.x * q.y - q.w * q.z);
    def.base.frame_b.position.y += 1.0 - 2.0 * (q.x * q.x + q.z * q.z);
    def.base.frame_b.position.z += 2.0 * (q.y * q.z + q.w * q.x);
    def.ratio = 2.0;
    return tn_gear_joint_create(world, &def);
}

// A rack across the pinion's axis: frame b turned by a quarter about its z axis.
static inline tn_joint_id rack_pinion_make(tn_world *world, const tn_joint_def *base) {
    tn_rack_pinion_joint_def def = tn_rack_pinion_joint_def_default();
    tn_quat q = base->frame_b.rotation;
    const double s = sqrt(0.5);
    const tn_quat turned = {s * (q.x + q.y), s * (q.y - q.x), s * (q.z + q.w), s * (q.w - q.z)};
    def.base = *base;
    def.base.frame_b.rotation = turned;
    def.radius = 0.5;
    return tn_rack_pinion_joint_create(world, &def);
}

// Two metres of rope up from the anchor on each side.
static inline tn_joint_id pulley_make(tn_world *world, const tn_joint_def *base, tn_vec3 anchor) {
    tn_pulley_joint_def def = tn_pulley_joint_def_default();
    def.base = *base;
    def.ground_a = def.ground_b = (tn_vec3){anchor.x, anchor.y + 2.0, anchor.z};
    def.length = 4.0;
    return tn_pulley_joint_create(world, &def);
}

// A wheel and an anchor a metre up its y axis, in its middle.
static inline tn_joint_id escapement_make(tn_world *world, const tn_joint_def *base) {
    tn_escapement_joint_def def = tn_escapement_joint_def_default();
    tn_quat q = base->frame_b.rotation;
    // Half a turn about x: y points back to the wheel.
    const tn_quat turned = {q.w, q.z, -q.y, -q.x};
    def.base = *base;
    def.base.frame_b.position.x += 2.0 * (q.x * q.y - q.w * q.z);
    def.base.frame_b.position.y += 1.0 - 2.0 * (q.x * q.x + q.z * q.z);
    def.base.frame_b.position.z += 2.0 * (q.y * q.z + q.w * q.x);
    def.base.frame_b.rotation = turned;
    return tn_escapement_joint_create(world, &def);
}

// A round cam, and its follower on it a metre up its y axis.
static inline tn_joint_id cam_make(tn_world *world, const tn_joint_def *base) {
    static const double radii[] = {0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9};
    tn_cam_joint_def def = tn_cam_joint_def_default();
    def.base = *base;
    tn_quat q = base->frame_b.rotation;
    def.base.frame_b.position.x += 2.0 * (q.x * q.y - q.w * q.z);
    def.base.frame_b.position.y += 1.0 - 2.0 * (q.x * q.x + q.z * q.z);
    def.base.frame_b.position.z += 2.0 * (q.y * q.z + q.w * q.x);
    def.radii = radii;
    def.radius_count = 8;
    def.roller_radius = 0.1;
    return tn_cam_joint_create(world, &def);
}

// A joint of any type between two bodies at a point, with the type's defaults.
static inline tn_joint_id joint_make(tn_world *world, tn_joint_type type, tn_body_id a,
                                     tn_body_id b, tn_vec3 anchor, tn_vec3 axis) {
    tn_joint_def base = tn_joint_def_default();
    set_frames(world, &base, a, b, anchor, axis);
    switch (type) {
    case TN_JOINT_TYPE_DISTANCE: {
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base = base;
        // The rod's other end is a metre up the axis.
        def.base.frame_b.position.x += axis.x;
        def.base.frame_b.position.y += axis.y;
        def.base.frame_b.position.z += axis.z;
        return tn_distance_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_BALL: {
        tn_ball_joint_def def = tn_ball_joint_def_default();
        def.base = base;
        return tn_ball_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_HINGE: {
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        def.base = base;
        return tn_hinge_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_MOUSE: {
        tn_mouse_joint_def def = tn_mouse_joint_def_default();
        base.hertz = def.base.hertz;
        def.base = base;
        return tn_mouse_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_SLIDER: {
        tn_slider_joint_def def = tn_slider_joint_def_default();
        def.base = base;
        return tn_slider_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_UNIVERSAL: {
        tn_universal_joint_def def = tn_universal_joint_def_default();
        def.base = base;
        return tn_universal_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_CYLINDRICAL: {
        tn_cylindrical_joint_def def = tn_cylindrical_joint_def_default();
        def.base = base;
        return tn_cylindrical_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_PLANAR: {
        tn_planar_joint_def def = tn_planar_joint_def_default();
        def.base = base;
        return tn_planar_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_SWING_TWIST: {
        tn_swing_twist_joint_def def = tn_swing_twist_joint_def_default();
        def.base = base;
        return tn_swing_twist_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_SIX_AXIS: {
        tn_six_axis_joint_def def = tn_six_axis_joint_def_default();
        def.base = base;
        return tn_six_axis_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_WHEEL: {
        tn_wheel_joint_def def = tn_wheel_joint_def_default();
        def.base = base;
        return tn_wheel_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_GEAR:
        return gear_make(world, &base);
    case TN_JOINT_TYPE_RACK_PINION:
        return rack_pinion_make(world, &base);
    case TN_JOINT_TYPE_SCREW: {
        tn_screw_joint_def def = tn_screw_joint_def_default();
        def.base = base;
        def.lead = 0.5;
        return tn_screw_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_PULLEY:
        return pulley_make(world, &base, anchor);
    case TN_JOINT_TYPE_CAM:
        return cam_make(world, &base);
    case TN_JOINT_TYPE_RATCHET: {
        tn_ratchet_joint_def def = tn_ratchet_joint_def_default();
        def.base = base;
        return tn_ratchet_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_ESCAPEMENT:
        return escapement_make(world, &base);
    default: {
        tn_fixed_joint_def def = tn_fixed_joint_def_default();
        def.base = base;
        return tn_fixed_joint_create(world, &def);
    }
    }
}

static inline double length_of(tn_vec3 v) {
    double x = v.x, y = v.y, z = v.z;
    return sqrt(x * x + y * y + z * z);
}

static inline void run(tn_world *world, double time, double hz, uint32_t substeps) {
    uint32_t steps = (uint32_t)floor(time * hz + 0.5);
    for (uint32_t i = 0; i < steps; ++i) {
        cr_assert(tn_world_step(world, 1.0 / hz, substeps) == TN_RESULT_OK);
    }
}

// The mean time between upward passages of zero of a value, over `time` seconds.
typedef double (*value_fn)(const tn_world *world, tn_joint_id joint);
static inline double measure_period(tn_world *world, tn_joint_id joint, value_fn value, double time,
                                    double hz, uint32_t substeps) {
    double previous = value(world, joint), first = -1.0, last = -1.0;
    uint32_t steps = (uint32_t)floor(time * hz + 0.5), passages = 0;
    for (uint32_t i = 1; i <= steps; ++i) {
        cr_assert(tn_world_step(world, 1.0 / hz, substeps) == TN_RESULT_OK);
        double now = value(world, joint);
        if (previous < 0.0 && now >= 0.0) {
            last = (i - now / (now - previous)) / hz;
            first = passages == 0 ? last : first;
            passages += 1;
        }
        previous = now;
    }
    cr_assert(passages >= 3, "%u passages", passages);
    return (last - first) / (passages - 1);
}

// The period of a pendulum of the given small-swing angular frequency let go at `amplitude` rad:
// Gauss' formula, 2 pi / (w agm(1, cos(amplitude / 2))).
static inline double pendulum_period(double w, double amplitude) {
    double a = 1.0, g = cos(0.5 * amplitude);
    for (int i = 0; i < 20; ++i) {
        double mean = 0.5 * (a + g);
        g = sqrt(a * g);
        a = mean;
    }
    return 2.0 * 3.14159265358979323846 / (w * a);
}

// What the implicit midpoint rule makes of a frequency w at substep h: 2 atan(w h / 2) / h.
static inline double midpoint_frequency(double w, double h) {
    return 2.0 * atan(0.5 * w * h) / h;
}

// The two step rates that joints are judged at: 60 Hz and 240 Hz with 4 substeps.
static const double test_rates[2] = {60.0, 240.0};

#endif
