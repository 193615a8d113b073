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
    SCALAR_ARMS,   // y_a with z_b
    SCALAR_FIRST,  // the angle about y_a at which z_b stands
    SCALAR_SECOND, // the angle about z_b at which y_a stands
} test_scalar;

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
