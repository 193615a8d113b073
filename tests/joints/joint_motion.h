// tests/joints/joint_motion.h: random joints and motions, and how a motion goes on in time.
#ifndef TESTS_JOINTS_JOINT_MOTION_H
#define TESTS_JOINTS_JOINT_MOTION_H

#include <string.h>

#include "joint_kinds.h"
#include "joints/joint.h"

// A small generator of its own, so that the cases are the same everywhere.
typedef struct test_random {
    uint64_t state;
} test_random;

static inline double random_between(test_random *random, double lower, double upper) {
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return lower + (upper - lower) * (double)(random->state >> 11) / 9007199254740992.0;
}

static inline tni_dvec3 random_vector(test_random *random, double size) {
    tni_dvec3 v;
    v.x = random_between(random, -size, size);
    v.y = random_between(random, -size, size);
    v.z = random_between(random, -size, size);
    return v;
}

static inline tni_dquat random_rotation(test_random *random) {
    double x = random_between(random, -1.0, 1.0), y = random_between(random, -1.0, 1.0);
    double z = random_between(random, -1.0, 1.0), w = random_between(random, -1.0, 1.0);
    return dquat_normalize(dquat_make(x, y, z, w));
}

static inline tni_dquat rotation_by(tni_dvec3 rotation_vector) {
    double angle = dvec3_length(rotation_vector);
    double s = angle > 1e-12 ? sin(0.5 * angle) / angle : 0.5;
    return dquat_make(s * rotation_vector.x, s * rotation_vector.y, s * rotation_vector.z,
                      cos(0.5 * angle));
}

// Where a motion is after t seconds without acceleration.
static inline tni_body_motion motion_after(const tni_body_motion *motion, double t) {
    tni_body_motion after = *motion;
    after.position = dvec3_add_scaled(motion->position, t, motion->velocity);
    after.rotation =
        dquat_mul(rotation_by(dvec3_scale(motion->angular_velocity, t)), motion->rotation);
    return after;
}

static inline tni_body_motion random_motion(test_random *random) {
    tni_body_motion motion = {0};
    motion.position = random_vector(random, 2.0);
    motion.rotation = random_rotation(random);
    motion.velocity = random_vector(random, 3.0);
    motion.angular_velocity = random_vector(random, 4.0);
    return motion;
}

static inline void random_frames(test_random *random, tni_joint *joint) {
    tni_dpose frame_a, frame_b;
    frame_a.position = random_vector(random, 1.0);
    frame_a.rotation = random_rotation(random);
    frame_b.position = random_vector(random, 1.0);
    frame_b.rotation = random_rotation(random);
    tni_joint_set_frames(joint, &frame_a, &frame_b);
}

// Puts b so that its frame is off that of a by the given translation and turn, in frame a.
static inline void place_frame(const tni_joint *joint, const tni_body_motion *a, tni_body_motion *b,
                               tni_dvec3 offset, tni_dvec3 turn) {
    tni_dpose frame_a = tni_joint_world_frame(&joint->frame_a, a);
    tni_dquat rotation = dquat_mul(frame_a.rotation, rotation_by(turn));
    tni_dvec3 origin = dvec3_add(frame_a.position, dquat_rotate(frame_a.rotation, offset));
    b->rotation = dquat_mul(rotation, dquat_conjugate(joint->frame_b.rotation));
    b->position = dvec3_sub(origin, dquat_rotate(b->rotation, joint->frame_b.position));
}

// J v of a row.
static inline double row_speed(const tni_row *row, const tni_body_motion *a,
                               const tni_body_motion *b) {
    return dvec3_dot(dvec3_from_float(row->lin_a), a->velocity) +
           dvec3_dot(dvec3_from_float(row->ang_a), a->angular_velocity) +
           dvec3_dot(dvec3_from_float(row->lin_b), b->velocity) +
           dvec3_dot(dvec3_from_float(row->ang_b), b->angular_velocity);
}

static inline tni_joint zero_joint(tn_joint_type type) {
    tni_joint joint;
    memset(&joint, 0, sizeof joint);
    joint_set_type(&joint, type);
    const tni_dpose frame = {{0.0, 0.0, 0.0}, dquat_identity()};
    tni_joint_set_frames(&joint, &frame, &frame);
    return joint;
}

#endif
