// tests/joints/joint_case.h: a joint between two moving bodies, its rows, and what the rows are
// about: written down a second time, from the definitions and in double, so that a slip in the
// emitters cannot hide.
#ifndef TESTS_JOINTS_JOINT_CASE_H
#define TESTS_JOINTS_JOINT_CASE_H

#include <criterion/criterion.h>

#include "joint_motion.h"

#define CASES 200

// ---- the errors, written a second time --------------------------------------------------------

typedef struct test_frames {
    tni_dvec3 d;
    tni_dvec3 a[3], b[3]; // axes
    tni_dquat q;          // frame b in frame a
} test_frames;

static inline test_frames measure_frames(const tni_joint *joint, const tni_body_motion *a,
                                         const tni_body_motion *b) {
    static const tni_dvec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tni_dpose frame_a = tni_joint_world_frame(&joint->frame_a, a);
    tni_dpose frame_b = tni_joint_world_frame(&joint->frame_b, b);
    test_frames frames;
    frames.d = dvec3_sub(frame_b.position, frame_a.position);
    for (int i = 0; i < 3; ++i) {
        frames.a[i] = dquat_rotate(frame_a.rotation, units[i]);
        frames.b[i] = dquat_rotate(frame_b.rotation, units[i]);
    }
    frames.q = dquat_mul(dquat_conjugate(frame_a.rotation), frame_b.rotation);
    if (frames.q.w < 0.0) {
        frames.q = dquat_make(-frames.q.x, -frames.q.y, -frames.q.z, -frames.q.w);
    }
    return frames;
}

// The turn of frame b about x_a, by swinging x_b back onto x_a along the great circle.
static inline double twist_of(const test_frames *f) {
    tni_dvec3 axis = dvec3_cross(f->b[0], f->a[0]);
    double sine = dvec3_length(axis), cosine = dvec3_dot(f->a[0], f->b[0]);
    tni_dvec3 y = f->b[1];
    if (sine > 1e-12) {
        tni_dvec3 swing = dvec3_scale(axis, atan2(sine, cosine) / sine);
        y = dquat_rotate(rotation_by(swing), y);
    }
    return atan2(dvec3_dot(y, f->a[2]), dvec3_dot(y, f->a[1]));
}

// The rotation vector of the swing in q = swing twist: what is left when the turn about x is taken
// off on the right.
static inline tni_dvec3 swing_of(const test_frames *f) {
    tni_dquat twist = dquat_normalize(dquat_make(f->q.x, 0.0, 0.0, f->q.w));
    tni_dquat swing = dquat_mul(f->q, dquat_conjugate(twist));
    tni_dvec3 v = dvec3_make(swing.x, swing.y, swing.z);
    double sine = dvec3_length(v);
    return sine > 1e-12 ? dvec3_scale(v, 2.0 * atan2(sine, swing.w) / sine) : v;
}

// How far (y, z) lies inside an ellipse: the least of the distances to its points, found by trying.
static inline double ellipse_room(double half_y, double half_z, double y, double z) {
    double best = 1e300, at = 0.0, step = 2.0 * MATHS_PI / 4096;
    for (int i = 0; i < 4096; ++i) {
        double distance = hypot(half_y * cos(i * step) - y, half_z * sin(i * step) - z);
        at = distance < best ? i * step : at;
        best = distance < best ? distance : best;
    }
    for (double width = step; width > 1e-9; width *= 0.5) {
        for (int side = -1; side <= 1; side += 2) {
            double t = at + side * width;
            double distance = hypot(half_y * cos(t) - y, half_z * sin(t) - z);
            at = distance < best ? t : at;
            best = distance < best ? distance : best;
        }
    }
    double level = y * y / (half_y * half_y) + z * z / (half_z * half_z);
    return level <= 1.0 ? best : -best;
}

static inline double component(tni_dvec3 v, uint32_t i) {
    return i == 0 ? v.x : (i == 1 ? v.y : v.z);
}

// Which scalar a row is about.
typedef enum test_scalar {
    SCALAR_POINT,       // d along world axis i
    SCALAR_ALONG,       // d along axis i of frame a
    SCALAR_AXIS,        // axis i of frame a with x_b
    SCALAR_ORIENTATION, // 2 vec q, component i
    SCALAR_LENGTH,
    SCALAR_TWIST,
    SCALAR_SWING,
    SCALAR_ARMS,       // y_a with z_b
    SCALAR_FIRST,      // the angle about y_a at which z_b stands
    SCALAR_SECOND,     // the angle about z_b at which y_a stands
    SCALAR_SWING_PART, // along axis i of frame a
    SCALAR_SWING_ROOM, // in the cone of a swing-twist joint
    SCALAR_ACROSS,     // axis i / 3 of frame a with axis i % 3 of frame b
    SCALAR_ROUND_LENGTH,
    SCALAR_ROUND_TURN,
    SCALAR_STEERING,
    SCALAR_SPIN,
} test_scalar;

static inline double measure_round(const tni_joint *joint, const test_frames *f, bool is_turn) {
    const tni_six_axes *axes = joint->def.six_axis.apart;
    const tn_round_limit *limit = is_turn ? &axes->angular_limit : &axes->linear_limit;
    const bool is_in[3] = {limit->x, limit->y, limit->z};
    bool are_all = limit->x && limit->y && limit->z;
    double square = 0.0;
    for (int i = 0; i < 3; ++i) {
        double along = dvec3_dot(f->a[i], f->d);
        square += is_in[i] ? along * along : 0.0;
        if (is_turn && !is_in[i]) {
            double sine = dvec3_length(dvec3_cross(f->a[i], f->b[i]));
            return atan2(sine, dvec3_dot(f->a[i], f->b[i]));
        }
    }
    double sine = dvec3_length(dvec3_make(f->q.x, f->q.y, f->q.z));
    return is_turn && are_all ? 2.0 * atan2(sine, f->q.w) : sqrt(square);
}

static inline double measure_scalar(const tni_joint *joint, const tni_body_motion *a,
                                    const tni_body_motion *b, test_scalar scalar, uint32_t i) {
    test_frames f = measure_frames(joint, a, b);
    switch (scalar) {
    case SCALAR_POINT:
        return component(f.d, i);
    case SCALAR_ALONG:
        return dvec3_dot(f.a[i], f.d);
    case SCALAR_AXIS:
        return dvec3_dot(f.a[i], f.b[0]);
    case SCALAR_ORIENTATION:
        return 2.0 * component(dvec3_make(f.q.x, f.q.y, f.q.z), i);
    case SCALAR_LENGTH:
        return dvec3_length(f.d);
    case SCALAR_TWIST:
        return twist_of(&f);
    case SCALAR_ARMS:
        return dvec3_dot(f.a[1], f.b[2]);
    case SCALAR_FIRST:
        return atan2(dvec3_dot(f.b[2], f.a[0]), dvec3_dot(f.b[2], f.a[2]));
    case SCALAR_SECOND:
        return atan2(dvec3_dot(f.a[1], f.b[0]), dvec3_dot(f.a[1], f.b[1]));
    case SCALAR_SWING_PART:
        return component(swing_of(&f), i);
    case SCALAR_ACROSS:
        return dvec3_dot(f.a[i / 3], f.b[i % 3]);
    case SCALAR_ROUND_LENGTH:
        return measure_round(joint, &f, false);
    case SCALAR_ROUND_TURN:
        return measure_round(joint, &f, true);
    case SCALAR_STEERING:
        return atan2(-dvec3_dot(f.a[1], f.b[2]), dvec3_dot(f.a[2], f.b[2]));
    case SCALAR_SPIN:
        return atan2(-dvec3_dot(f.a[0], f.b[1]), dvec3_dot(f.a[0], f.b[0]));
    case SCALAR_SWING_ROOM:
        return ellipse_room((double)joint->def.swing_twist.swing_limit_y.upper,
                            (double)joint->def.swing_twist.swing_limit_z.upper, swing_of(&f).y,
                            swing_of(&f).z);
    default:
        return atan2(dvec3_length(dvec3_cross(f.a[0], f.b[0])), dvec3_dot(f.a[0], f.b[0]));
    }
}

// ---- a joint and a motion a little off from where the joint wants it --------------------------

typedef struct test_case {
    tni_joint joint;
    tni_body_motion a, b;
    tni_row rows[TNI_JOINT_MAX_ROWS + 1];
    tni_row_count count;
} test_case;

// Off by up to `slip` m and rad, apart from the free offset and turn.
static inline test_case random_case(test_random *random, tn_joint_type type, tni_dvec3 free_offset,
                                    tni_dvec3 free_turn, double slip) {
    test_case test;
    test.joint = zero_joint(type);
    random_frames(random, &test.joint);
    test.a = random_motion(random);
    test.b = random_motion(random);
    place_frame(&test.joint, &test.a, &test.b, dvec3_add(free_offset, random_vector(random, slip)),
                dvec3_add(free_turn, random_vector(random, slip)));
    return test;
}

static inline void emit_case(test_case *test) {
    memset(test->rows, 0x5a, sizeof test->rows);
    test->count = tni_joint_count_rows(&test->joint);
    cr_assert(test->count.rows <= TNI_JOINT_MAX_ROWS);
    cr_assert(test->count.equalities <= TNI_JOINT_MAX_EQUALITY_ROWS);
    tni_joint_emit(&test->joint, &test->a, &test->b, test->rows);
}

static const tni_dvec3 none = {0.0, 0.0, 0.0};

#endif
