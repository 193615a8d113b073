// scenes/build.h: the bodies and joints that scenes are made of.
//
// Every function here takes the run, makes one thing in run->world and returns its handle; a
// creation that fails sets run->has_failed, so that a scene need not check each. Sizes are full
// lengths in m, angles rad, masses kg; a world anchor or a null body means the world. Scenes that
// are flat lie in the x-y plane, with y up.
#ifndef SCENES_BUILD_H
#define SCENES_BUILD_H

#include "scenes/scene.h"

#define BUILD_PI      3.14159265358979323846
#define BUILD_GRAVITY 9.81 // m/s^2, of the default world

// What the shapes of a body have in common, and where the body is.
typedef struct build_part {
    tn_body_type type;
    tn_pose pose;
    tn_velocity velocity;
    double mass;    // kg; 0: from the density
    double density; // kg/m^3
    tn_material material;
    tn_filter filter;
} build_part;

// Dynamic, at the place, unturned or turned by `angle` about z, 1000 kg/m^3, friction 0.6.
build_part build_part_at(double x, double y, double z);
build_part build_part_turned(double x, double y, double angle);
// A part between two points: its middle lies midway and its x axis points from one to the other.
build_part build_part_between(tn_vec3 from, tn_vec3 to);
// The part of this index of those that fall in layers of side x side, from 1 m up, turned at
// random.
build_part build_part_in_layers(int index, int side, double spacing, uint32_t *seed);
// Turns the pose about a world axis of unit length through the pose's own position.
void build_turn(tn_pose *pose, tn_vec3 axis, double angle);

// Bodies of one shape. A capsule's length is that between the centres of its caps and lies along x;
// a disc is a prism of 24 sides about the z axis, and a cylinder a true one.
tn_body_id build_box(scene_run *run, const build_part *part, double x, double y, double z);
tn_body_id build_sphere(scene_run *run, const build_part *part, double radius);
// A particle, with a sphere around it; of radius 0 without one.
tn_body_id build_particle(scene_run *run, const build_part *part, double radius);
tn_body_id build_capsule(scene_run *run, const build_part *part, double length, double radius);
tn_body_id build_disc(scene_run *run, const build_part *part, double radius, double thickness);
tn_body_id build_cylinder(scene_run *run, const build_part *part, double radius, double thickness);
// A box from point to point that touches nothing; `height` and `depth` across.
tn_body_id build_bar(scene_run *run, tn_vec3 from, tn_vec3 to, double mass, double height,
                     double depth);
tn_body_id build_hull(scene_run *run, const build_part *part, const tn_vec3 *points,
                      uint32_t count);
// A hull of random points on an ellipsoid, 1.4 x 1 x 1 times the size, m.
tn_body_id build_rock(scene_run *run, const build_part *part, double size, uint32_t *seed);
// A static plane at height y with the world's usual friction of 0.6, named "ground".
tn_body_id build_ground(scene_run *run, double y);
// A static plane at z that keeps all on the side of the middle; pictures do not show it.
void build_pane(scene_run *run, double z);
// Makes an affine one of a body, of the run's option `modulus` (Pa) and these.
tn_reduced_id build_affine(scene_run *run, tn_body_id body, double poisson_ratio, double viscosity);

// Bodies of several shapes: an empty body, and shapes at a place in it. Their mass comes from the
// density of the part that each is made with.
tn_body_id build_body(scene_run *run, const build_part *part);
void build_add_box(scene_run *run, tn_body_id body, const build_part *part, tn_vec3 place,
                   tn_vec3 size);
// The same, turned about z by an angle.
void build_add_turned_box(scene_run *run, tn_body_id body, const build_part *part, tn_vec3 place,
                          double angle, tn_vec3 size);
void build_add_bar(scene_run *run, tn_body_id body, const build_part *part, tn_vec3 from,
                   tn_vec3 to, double thickness);
void build_add_sphere(scene_run *run, tn_body_id body, const build_part *part, tn_vec3 place,
                      double radius);
void build_add_disc(scene_run *run, tn_body_id body, const build_part *part, tn_vec3 place,
                    double radius, double thickness);

// Joints at a world point, with frames that agree now.
tn_joint_id build_ball_joint(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 anchor,
                             tn_vec3 axis);
tn_joint_id build_hinge(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 anchor, tn_vec3 axis);
tn_joint_id build_slider(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 anchor, tn_vec3 axis);
tn_joint_id build_fixed(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 anchor);
// A rod as long as its anchors are apart, and a rope of a given length.
tn_joint_id build_rod(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 anchor_a,
                      tn_vec3 anchor_b);
tn_joint_id build_rope(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 anchor_a,
                       tn_vec3 anchor_b, double length);
// A hinge motor that holds a speed, rad/s, with at most `max_torque`, N·m.
void build_hinge_speed(scene_run *run, tn_joint_id hinge, double speed, double max_torque);

// A rope of capsules from point to point, each link tied to the next by a ball joint. Both ends are
// left free. `out_links` receives `count` bodies.
typedef struct build_links {
    const tn_vec3 *points; // count + 1
    uint32_t count;
    double link_mass, radius;
    tn_material material;
    tn_filter filter;
} build_links;
void build_rope_of_links(scene_run *run, const build_links *links, tn_body_id *out_links);
// count + 1 points in a straight line, evenly.
void build_spread_points(tn_vec3 from, tn_vec3 to, uint32_t count, tn_vec3 *out_points);

// Small arithmetic that many scenes share.
tn_vec3 build_point(double x, double y, double z);
tn_vec3 build_axis_x(void);
tn_vec3 build_axis_y(void);
tn_vec3 build_axis_z(void);
double build_distance(tn_vec3 a, tn_vec3 b);
double build_length(tn_vec3 v);
// Of the two points that are `r` from p and `s` from q in the x-y plane, the one to the left of the
// way from p to q. The circles must meet; else the point between the centres.
tn_vec3 build_meet(tn_vec3 p, double r, tn_vec3 q, double s);
// A number in [0, 1) that depends on the seed only, and moves the seed on.
double build_random(uint32_t *seed);

#endif
