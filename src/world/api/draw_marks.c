// world/api/draw_marks.c: joints, contacts, forces and boxes as lines.
// Test: tests/world/api/test_draw.c
#include "joints/functions/rope_joint.h"
#include "joints/parts/axis.h"
#include "joints/paths/curve.h"
#include "joints/transmissions/profile.h"
#include "world/api/draw_internal.h"
#include "world/contacts.h"
#include "world/joints.h"

#define DRAW_AXIS_LENGTH   0.2  // m: of a joint's frame
#define DRAW_CROSS_LENGTH  0.03 // m: half the mark of a contact point
#define DRAW_NORMAL_LENGTH 0.2  // m
#define DRAW_CAM_SIDES     96   // of a profile
#define DRAW_ROLLER_SIDES  24

#define DRAW_COLOR_X       0xd62728ffu
#define DRAW_COLOR_Y       0x2ca02cffu
#define DRAW_COLOR_Z       0x1f77b4ffu
#define DRAW_COLOR_ARM     0xb0b0b0ffu
#define DRAW_COLOR_GAP     0xff00ffffu
#define DRAW_COLOR_CONTACT 0xffd700ffu
#define DRAW_COLOR_NEAR    0x6fa8dcffu
#define DRAW_COLOR_BOUNDS  0x76a5afffu

// ---- joints -----------------------------------------------------------------------------------

static void draw_frame(tni_draw_sink *sink, const tni_dpose *frame) {
    const uint32_t colors[3] = {DRAW_COLOR_X, DRAW_COLOR_Y, DRAW_COLOR_Z};
    tni_dmat3 axes = dmat3_from_quat(frame->rotation);
    for (int i = 0; i < 3; ++i) {
        tni_dvec3 axis = dvec3_make(axes.m[0][i], axes.m[1][i], axes.m[2][i]);
        tni_dvec3 tip = dvec3_add_scaled(frame->position, DRAW_AXIS_LENGTH, axis);
        tni_draw_add_line(sink, frame->position, tip, colors[i]);
    }
}

// Draws the line from anchor to anchor; for a pulley the path of the rope.
static void draw_joint_gap(tni_draw_sink *sink, const tni_joint *joint, tni_dvec3 a, tni_dvec3 b) {
    if (joint->type != TN_JOINT_TYPE_PULLEY) {
        tni_draw_add_line(sink, a, b, DRAW_COLOR_GAP);
        return;
    }
    tni_dvec3 ground_a = dvec3_from_plain(joint->def.pulley.ground_a);
    tni_dvec3 ground_b = dvec3_from_plain(joint->def.pulley.ground_b);
    tni_draw_add_line(sink, a, ground_a, DRAW_COLOR_GAP);
    tni_draw_add_line(sink, ground_a, ground_b, DRAW_COLOR_GAP);
    tni_draw_add_line(sink, ground_b, b, DRAW_COLOR_GAP);
}

// Draws a profile in the plane of frame a, and the roller about `center` in that plane or a flat
// face through it.
static void draw_cam(tni_draw_sink *sink, const tni_joint *joint, const tni_dpose *frame_a,
                     const tni_dpose *frame_b) {
    tni_axes axes = tni_axes_from_rotation(frame_a->rotation);
    tni_dvec3 before = frame_a->position, center = frame_b->position;
    for (uint32_t i = 0; i <= DRAW_CAM_SIDES; ++i) {
        tni_planar p =
            tni_profile_get_point(joint->def.cam.profile, 2.0 * MATHS_PI * i / DRAW_CAM_SIDES).p;
        tni_dvec3 corner = dvec3_add_scaled(frame_a->position, p.y, axes.y);
        corner = dvec3_add_scaled(corner, p.z, axes.z);
        tni_draw_add_line(sink, before, corner, DRAW_COLOR_GAP);
        before = corner;
    }
    if (joint->def.cam.follower == TN_CAM_FOLLOWER_FLAT) {
        tni_dvec3 face = dvec3_cross(axes.x, tni_axes_from_rotation(frame_b->rotation).x);
        double half = joint->def.cam.profile->greatest;
        tni_draw_add_line(sink, dvec3_add_scaled(center, -half, face),
                          dvec3_add_scaled(center, half, face), DRAW_COLOR_GAP);
        return;
    }
    double radius = joint->def.cam.roller_radius;
    before = dvec3_add_scaled(center, radius, axes.y);
    for (uint32_t i = 1; i <= DRAW_ROLLER_SIDES; ++i) {
        double angle = 2.0 * MATHS_PI * i / DRAW_ROLLER_SIDES;
        tni_dvec3 corner = dvec3_add_scaled(center, radius * tni_maths_cos(angle), axes.y);
        corner = dvec3_add_scaled(corner, radius * tni_maths_sin(angle), axes.z);
        tni_draw_add_line(sink, before, corner, DRAW_COLOR_GAP);
        before = corner;
    }
}

// Draws a curve, part by part.
static void draw_joint_curve(tni_draw_sink *sink, const tni_curve *curve, const tni_dpose *frame) {
    tni_dvec3 from = frame->position;
    for (uint32_t i = 0; i < curve->node_count; ++i) {
        tni_dvec3 to =
            dvec3_add(frame->position, dquat_rotate(frame->rotation, tni_curve_get_node(curve, i)));
        if (i > 0) {
            tni_draw_add_line(sink, from, to, DRAW_COLOR_ARM);
        }
        from = to;
    }
}

// Draws the arms from both centres of mass, the frames, and the gap between the anchors, which is
// the rod of a distance joint.
static void draw_joint_frames(tni_draw_sink *sink, const tn_world *world, const tni_joint *joint) {
    tni_body_motion a, b;
    tni_joint_get_motions(world, joint, &a, &b);
    tni_dpose frame_a = tni_joint_world_frame(&joint->frame_a, &a);
    tni_dpose frame_b = tni_joint_world_frame(&joint->frame_b, &b);
    if (joint->body_a != TNI_NONE) {
        tni_draw_add_line(sink, a.position, frame_a.position, DRAW_COLOR_ARM);
    }
    if (joint->body_b != TNI_NONE) {
        tni_draw_add_line(sink, b.position, frame_b.position, DRAW_COLOR_ARM);
    }
    draw_frame(sink, &frame_a);
    draw_frame(sink, &frame_b);
    if (joint->type == TN_JOINT_TYPE_CAM) {
        draw_cam(sink, joint, &frame_a, &frame_b);
        return;
    }
    if (joint->type == TN_JOINT_TYPE_CURVE) {
        draw_joint_curve(sink, joint->def.curve.apart, &frame_a);
        return;
    }
    draw_joint_gap(sink, joint, frame_a.position, frame_b.position);
}

static void draw_joint_reaction(tni_draw_sink *sink, const tn_world *world, const tni_joint *joint,
                                double scale) {
    tni_body_motion a, b;
    tni_joint_get_motions(world, joint, &a, &b);
    tni_dpose frame = tni_joint_world_frame(&joint->frame_b, &b);
    tn_vec3 f = tni_joint_get_reaction(world, joint).force;
    tni_dvec3 force = dvec3_make((double)f.x, (double)f.y, (double)f.z);
    tni_draw_add_line(sink, frame.position, dvec3_add_scaled(frame.position, scale, force),
                      DRAW_COLOR_FORCE);
}

// Draws lines from the middle of a function's bodies to the center of each.
static void draw_function(tni_draw_sink *sink, const tn_world *world,
                          const tni_function *function) {
    tni_dvec3 sum = dvec3_make(0.0, 0.0, 0.0);
    uint32_t count = 0;
    for (uint32_t i = 0; i < function->body_count; ++i) {
        if (function->bodies[i] != TNI_NONE) {
            sum = dvec3_add(sum, tni_body_at(world, function->bodies[i])->position);
            count += 1;
        }
    }
    sum = dvec3_scale(sum, maths_inverse_or_zero_d((double)count));
    for (uint32_t i = 0; i < function->body_count; ++i) {
        if (function->bodies[i] != TNI_NONE) {
            tni_draw_add_line(sink, sum, tni_body_at(world, function->bodies[i])->position,
                              DRAW_COLOR_ARM);
        }
    }
}

void tni_draw_add_cross(tni_draw_sink *sink, tni_dvec3 point, uint32_t color) {
    for (int i = 0; i < 3; ++i) {
        tni_dvec3 axis = dvec3_make(i == 0, i == 1, i == 2);
        tni_draw_add_line(sink, dvec3_add_scaled(point, -DRAW_CROSS_LENGTH, axis),
                          dvec3_add_scaled(point, DRAW_CROSS_LENGTH, axis), color);
    }
}

// Draws a rope's pieces, and a cross on each sheave.
static void draw_rope(tni_draw_sink *sink, const tn_world *world, const tni_function *function) {
    tni_rope_shape shape;
    world->features.spans->read_rope_shape(world, function, &shape);
    for (uint32_t i = 0; i < function->rope->piece_count; ++i) {
        tni_draw_add_line(sink, shape.points[i], shape.points[i + 1], DRAW_COLOR_ARM);
    }
    for (uint32_t k = 1; k < function->rope->piece_count; ++k) {
        tni_draw_add_cross(sink, shape.points[k], DRAW_COLOR_ARM);
    }
}

void tni_draw_joint(tni_draw_sink *sink, const tn_world *world, uint32_t index,
                    const tn_draw_options *options) {
    const tni_joint *joint = tni_joint_at(world, index);
    if (tni_joint_is_function(joint)) {
        if (options->draws_joints && joint->type == TN_JOINT_TYPE_ROPE) {
            draw_rope(sink, world, joint->def.function.apart);
        } else if (options->draws_joints && !tni_joint_is_tie(joint)) {
            draw_function(sink, world, joint->def.function.apart);
        }
        return;
    }
    if (options->draws_joints) {
        draw_joint_frames(sink, world, joint);
    }
    if (options->draws_forces) {
        draw_joint_reaction(sink, world, joint, (double)options->force_scale);
    }
}

// ---- contacts ---------------------------------------------------------------------------------

// Draws the normal force of each point, and the whole friction at the first point.
static void draw_contact_forces(tni_draw_sink *sink, const tn_world *world,
                                const tn_contact *contact, double scale) {
    double per_impulse = scale * world->inverse_dt;
    tni_dvec3 normal = dvec3_from_plain(contact->normal);
    for (uint32_t i = 0; i < contact->point_count; ++i) {
        const tn_contact_point *point = &contact->points[i];
        tni_dvec3 start = dvec3_from_plain(point->position);
        double length = per_impulse * (double)point->normal_impulse;
        tni_draw_add_line(sink, start, dvec3_add_scaled(start, length, normal), DRAW_COLOR_FORCE);
    }
    if (contact->point_count > 0) {
        tni_dvec3 start = dvec3_from_plain(contact->points[0].position);
        tni_dvec3 friction = dvec3_from_plain(contact->friction_impulse);
        tni_draw_add_line(sink, start, dvec3_add_scaled(start, per_impulse, friction),
                          DRAW_COLOR_FORCE);
    }
}

void tni_draw_contact(tni_draw_sink *sink, const tn_world *world, uint32_t index,
                      const tn_draw_options *options) {
    tn_contact contact;
    tni_contact_describe(world, index, &contact);
    uint32_t color =
        tni_contact_at(world, index)->is_touching ? DRAW_COLOR_CONTACT : DRAW_COLOR_NEAR;
    tni_dvec3 normal = dvec3_from_plain(contact.normal);
    for (uint32_t i = 0; options->draws_contacts && i < contact.point_count; ++i) {
        tni_dvec3 point = dvec3_from_plain(contact.points[i].position);
        tni_draw_add_cross(sink, point, color);
        tni_draw_add_line(sink, point, dvec3_add_scaled(point, DRAW_NORMAL_LENGTH, normal), color);
    }
    if (options->draws_forces) {
        draw_contact_forces(sink, world, &contact, (double)options->force_scale);
    }
}

// ---- boxes ------------------------------------------------------------------------------------

static tni_dvec3 draw_bounds_corner(const tni_bounds *bounds, uint32_t corner) {
    return dvec3_make((double)(corner & 1 ? bounds->upper.x : bounds->lower.x),
                      (double)(corner & 2 ? bounds->upper.y : bounds->lower.y),
                      (double)(corner & 4 ? bounds->upper.z : bounds->lower.z));
}

// Draws a box's edges: corners whose numbers differ in one bit share one.
void tni_draw_bounds(tni_draw_sink *sink, const tn_world *world, uint32_t index) {
    const tni_shape *shape = tni_shape_at(world, index);
    const tni_bounds *bounds = &tni_shape_boxes_at(world, index)->enlarged;
    if (shape->leaf == TNI_NONE) {
        return;
    }
    for (uint32_t corner = 0; corner < 8; ++corner) {
        for (uint32_t bit = 1; bit < 8; bit *= 2) {
            if ((corner & bit) == 0) {
                tni_draw_add_line(sink, draw_bounds_corner(bounds, corner),
                                  draw_bounds_corner(bounds, corner | bit), DRAW_COLOR_BOUNDS);
            }
        }
    }
}
