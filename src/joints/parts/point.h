// joints/parts/point.h: two anchors, one on each body, and the rows that hold them together.
#ifndef TNI_JOINTS_PARTS_POINT_H
#define TNI_JOINTS_PARTS_POINT_H

#include "joints/parts/turn.h"

// r_a and r_b point from the centres of mass to the anchors, d from the anchor of a to that of b.
// World axes, in double: far from the origin d is a small difference of large numbers.
typedef struct tni_point {
    tni_dvec3 r_a, r_b, d;
} tni_point;

static inline tni_point tni_point_from_arms(tni_dvec3 r_a, tni_dvec3 r_b, const tni_body_motion *a,
                                            const tni_body_motion *b) {
    tni_dvec3 between = dvec3_sub(b->position, a->position);
    tni_point point = {r_a, r_b, dvec3_add(between, dvec3_sub(r_b, r_a))};
    return point;
}

// Where the frames were turned already.
static inline tni_point tni_point_of_frames(const tni_turned_frame *frame_a,
                                            const tni_turned_frame *frame_b,
                                            const tni_body_motion *a, const tni_body_motion *b) {
    return tni_point_from_arms(pair_first(&frame_a->origin_x), pair_first(&frame_b->origin_x), a,
                               b);
}

// Both arms side by side, with the bits of dquat_rotate.
static inline tni_point tni_point_measure(const tni_joint *joint, const tni_body_motion *a,
                                          const tni_body_motion *b) {
    const tni_dvec3 *p = &joint->frame_a.position, *q = &joint->frame_b.position;
    tni_pair v = {d2_make(p->x, q->x), d2_make(p->y, q->y), d2_make(p->z, q->z)};
    tni_pair u = {d2_make(a->rotation.x, b->rotation.x), d2_make(a->rotation.y, b->rotation.y),
                  d2_make(a->rotation.z, b->rotation.z)};
    tni_d2 w = d2_make(a->rotation.w, b->rotation.w), two = d2_splat(2.0);
    tni_pair t = pair_cross(&u, &v);
    t.x = d2_add_product(t.x, w, v.x);
    t.y = d2_add_product(t.y, w, v.y);
    t.z = d2_add_product(t.z, w, v.z);
    tni_pair c = pair_cross(&u, &t);
    v.x = d2_add_product(v.x, two, c.x);
    v.y = d2_add_product(v.y, two, c.y);
    v.z = d2_add_product(v.z, two, c.z);
    return tni_point_from_arms(pair_first(&v), pair_second(&v), a, b);
}

// d' = v_b + w_b x r_b - v_a - w_a x r_a
tni_dvec3 tni_point_get_rate(const tni_point *point, const tni_body_motion *a,
                             const tni_body_motion *b);
// d'' at zero acceleration: w_b x (w_b x r_b) - w_a x (w_a x r_a)
tni_dvec3 tni_point_get_centripetal(const tni_point *point, const tni_body_motion *a,
                                    const tni_body_motion *b);

// g with n . g = Jdot v of n . d for every n fixed to body a: the second derivative of n . d at
// zero acceleration.
tni_f4 tni_point_get_drift(const tni_point *point, const tni_body_motion *a,
                           const tni_body_motion *b);
// w x (w x r), turned by one lane as f4_cross_turned.
static inline tni_f4 point_centripetal_turned(tni_f4 w, tni_f4 r) {
    return f4_cross_turned(w, f4_cross(w, r));
}

// The point of a pin: d = 0 along the axes of the world; w_a, w_b angular velocities. Here, so that
// a point that was just measured need not go through memory.
static inline void tni_point_emit(const tni_point *point, tni_f4 w_a, tni_f4 w_b, tni_pin *pin) {
    pin->r_a = tni_pin_vector(point->r_a);
    pin->r_b = tni_pin_vector(point->r_b);
    pin->error = tni_pin_vector(point->d);
    tni_f4 of_a = point_centripetal_turned(w_a, pin->r_a);
    tni_f4 of_b = point_centripetal_turned(w_b, pin->r_b);
    pin->velocity_term = f4_yzx(f4_sub(of_b, of_a));
}

// The sliding point of a pin: y . d = z . d = 0 along directions that are fixed to body a.
static inline void tni_point_emit_slide(const tni_point *point, tni_dvec3 y, tni_dvec3 z,
                                        tni_f4 drift, tni_pin *pin) {
    pin->r_a = tni_pin_vector(dvec3_add(point->r_a, point->d));
    pin->r_b = tni_pin_vector(point->r_b);
    pin->plane[0] = tni_pin_vector(y);
    pin->plane[1] = tni_pin_vector(z);
    pin->error = tni_pin_lanes(dvec3_dot(y, point->d), dvec3_dot(z, point->d), 0.0);
    pin->velocity_term =
        f4_make(f4_dot3(pin->plane[0], drift), f4_dot3(pin->plane[1], drift), 0.0f, 0.0f);
}

// One that slides in a plane: x . d = 0.
static inline void tni_point_emit_plane(const tni_point *point, tni_dvec3 x, tni_f4 drift,
                                        tni_pin *pin) {
    pin->r_a = tni_pin_vector(dvec3_add(point->r_a, point->d));
    pin->r_b = tni_pin_vector(point->r_b);
    pin->plane[0] = tni_pin_vector(x);
    pin->plane[1] = f4_splat(0.0f);
    pin->error = tni_pin_lanes(dvec3_dot(x, point->d), 0.0, 0.0);
    pin->velocity_term = f4_make(f4_dot3(pin->plane[0], drift), 0.0f, 0.0f, 0.0f);
}

#endif
