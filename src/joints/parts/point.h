// joints/parts/point.h: two anchors, one on each body, and the rows that hold them together.
#ifndef TNI_JOINTS_PARTS_POINT_H
#define TNI_JOINTS_PARTS_POINT_H

#include "joints/parts/curvature.h"
#include "joints/parts/turn.h"

// r_a and r_b point from the centres of mass to the anchors, and d from the anchor of a to that of
// b, in world axes. They are in double: far from the origin d is a small difference of large
// numbers.
typedef struct tni_point {
    tni_dvec3 r_a, r_b, d;
} tni_point;

static inline tni_point tni_point_from_arms(tni_dvec3 r_a, tni_dvec3 r_b, const tni_body_motion *a,
                                            const tni_body_motion *b) {
    tni_dvec3 between = dvec3_sub(b->position, a->position);
    tni_point point = {r_a, r_b, dvec3_add(between, dvec3_sub(r_b, r_a))};
    return point;
}

// Makes the point from frames that were turned already.
static inline tni_point tni_point_of_frames(const tni_turned_frame *frame_a,
                                            const tni_turned_frame *frame_b,
                                            const tni_body_motion *a, const tni_body_motion *b) {
    return tni_point_from_arms(pair_first(&frame_a->origin_x), pair_first(&frame_b->origin_x), a,
                               b);
}

// Turns both arms side by side, with the bits of dquat_rotate.
static inline tni_point tni_point_measure(const tni_joint *joint, const tni_body_motion *a,
                                          const tni_body_motion *b) {
    const tni_dvec3 *p = &joint->frame_a.position, *q = &joint->frame_b.position;
    tni_pair v = pair_make(*p, *q);
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

// Returns d' = v_b + w_b x r_b - v_a - w_a x r_a.
tni_dvec3 tni_point_get_rate(const tni_point *point, const tni_body_motion *a,
                             const tni_body_motion *b);
// Returns d'' at zero acceleration: w_b x (w_b x r_b) - w_a x (w_a x r_a).
tni_dvec3 tni_point_get_centripetal(const tni_point *point, const tni_body_motion *a,
                                    const tni_body_motion *b);

// A joint's frames on its bodies, as far as most equalities need them.
typedef struct tni_frames {
    tni_point point;
    tni_axes a;
    tni_dvec3 x_b; // of frame b
} tni_frames;

TNI_KERNEL tni_frames tni_frames_measure(const tni_joint *joint, const tni_body_motion *a,
                                         const tni_body_motion *b) {
    tni_turned_frame frame_a = tni_frame_turn(a->rotation, &joint->vectors_a);
    tni_turn turn_b = tni_turn_make(b->rotation);
    tni_pair origin_x = turn_pair(&turn_b, joint->vectors_b.origin_x);
    tni_frames frames = {
        tni_point_from_arms(pair_first(&frame_a.origin_x), pair_first(&origin_x), a, b),
        tni_turned_axes(&frame_a), pair_second(&origin_x)};
    return frames;
}

// Returns the axes of a joint's frame on its body.
static inline tni_axes tni_axes_of_vectors(const tni_frame_vectors *vectors,
                                           const tni_body_motion *body) {
    tni_turned_frame frame = tni_frame_turn(body->rotation, vectors);
    return tni_turned_axes(&frame);
}

// Add d = 0: three rows along the axes of the world. (Inline, since most callers want errors
// alone.)
void tni_point_write(const tni_point *point, tni_rows *out, uint32_t r);
static inline void tni_rows_add_point(tni_rows *out, const tni_point *point) {
    uint32_t r = tni_rows_add(out, TNI_PIN_POINT_ROWS);
    if (out->errors != NULL) {
        out->errors[r] = point->d.x;
        out->errors[r + 1] = point->d.y;
        out->errors[r + 2] = point->d.z;
    }
    if (!tni_rows_are_errors(out)) {
        tni_point_write(point, out, r);
    }
}
// Adds their curvature for strengths x.
static inline void tni_curvature_add_point(const tni_point *point, const double *x,
                                           tni_curvature *k) {
    tni_dvec3 force = dvec3_make(x[0], x[1], x[2]);
    curvature_add_turns(k->b, 1.0, force, point->r_b);
    curvature_add_turns(k->a, -1.0, force, point->r_a);
}

#endif
