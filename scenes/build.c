// scenes/build.c: bodies and joints for scenes, on the public interface only.
#include "scenes/build.h"
#include "scenes/portable.h"

#include <math.h>

#define BUILD_DISC_SIDES  24
#define BUILD_ROCK_POINTS 16

static void build_check(scene_run *run, uint32_t handle) {
    if (handle == 0) {
        run->has_failed = true;
    }
}

build_part build_part_at(double x, double y, double z) {
    build_part part = {.type = TN_BODY_TYPE_DYNAMIC, .density = 1000.0};
    tn_shape_def def = tn_shape_def_default();
    part.pose = tn_body_def_default().pose;
    part.pose.position = build_point(x, y, z);
    part.material = def.material;
    part.filter = def.filter;
    return part;
}

build_part build_part_turned(double x, double y, double angle) {
    build_part part = build_part_at(x, y, 0.0);
    build_turn(&part.pose, build_axis_z(), angle);
    return part;
}

build_part build_part_in_layers(int index, int side, double spacing, uint32_t *seed) {
    double x = spacing * (index % side - 0.5 * (side - 1));
    double z = spacing * (index / side % side - 0.5 * (side - 1));
    double y = 1.0 + spacing * (index / (side * side));
    build_part part = build_part_at(x, y, z);
    build_turn(&part.pose, build_axis_x(), BUILD_PI * build_random(seed));
    build_turn(&part.pose, build_axis_y(), BUILD_PI * build_random(seed));
    return part;
}

build_part build_part_between(tn_vec3 from, tn_vec3 to) {
    build_part part =
        build_part_at(0.5 * (from.x + to.x), 0.5 * (from.y + to.y), 0.5 * (from.z + to.z));
    double length = build_distance(from, to);
    if (length <= 0.0) {
        return part;
    }

    // The shortest turn that takes x to the direction d is about (0, -d.z, d.y).
    tn_vec3 d = {(to.x - from.x) / length, (to.y - from.y) / length, (to.z - from.z) / length};
    double sine = portable_hypot(d.y, d.z);
    tn_vec3 axis = build_axis_z();
    if (sine > 1e-9) {
        axis = (tn_vec3){0.0, -d.z / sine, d.y / sine};
    }
    build_turn(&part.pose, axis, portable_atan2(sine, d.x));
    return part;
}

void build_turn(tn_pose *pose, tn_vec3 axis, double angle) {
    double s = portable_sin(0.5 * angle);
    double a[4] = {axis.x * s, axis.y * s, axis.z * s, portable_cos(0.5 * angle)};
    double b[4] = {pose->rotation.x, pose->rotation.y, pose->rotation.z, pose->rotation.w};
    pose->rotation.x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    pose->rotation.y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    pose->rotation.z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    pose->rotation.w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

tn_body_id build_body(scene_run *run, const build_part *part) {
    tn_body_def def = tn_body_def_default();
    def.type = part->type;
    def.pose = part->pose;
    def.velocity = part->velocity;
    tn_body_id body = tn_body_create(run->world, &def);
    build_check(run, body.value);
    return body;
}

// The shape definition of a part whose shape has this volume, m^3.
static tn_shape_def build_shape_def(const build_part *part, double volume) {
    tn_shape_def def = tn_shape_def_default();
    def.density = (float)(part->mass > 0.0 ? part->mass / volume : part->density);
    def.material = part->material;
    def.filter = part->filter;
    return def;
}

tn_body_id build_box(scene_run *run, const build_part *part, double x, double y, double z) {
    tn_body_id body = build_body(run, part);
    tn_shape_def def = build_shape_def(part, x * y * z);
    tn_vec3 half = build_point(0.5 * x, 0.5 * y, 0.5 * z);
    build_check(run, tn_box_shape_create(run->world, body, &def, half).value);
    return body;
}

static double build_sphere_volume(double radius) {
    return 4.0 / 3.0 * BUILD_PI * radius * radius * radius;
}

tn_body_id build_bar(scene_run *run, tn_vec3 from, tn_vec3 to, double mass, double height,
                     double depth) {
    build_part part = build_part_between(from, to);
    part.mass = mass;
    part.filter.mask = 0;
    return build_box(run, &part, build_distance(from, to), height, depth);
}

tn_body_id build_sphere(scene_run *run, const build_part *part, double radius) {
    tn_body_id body = build_body(run, part);
    tn_shape_def def = build_shape_def(part, build_sphere_volume(radius));
    build_check(run, tn_sphere_shape_create(run->world, body, &def, (float)radius).value);
    return body;
}

tn_body_id build_particle(scene_run *run, const build_part *part, double radius) {
    tn_body_def def = tn_body_def_default();
    def.type = part->type;
    def.is_particle = true;
    def.pose = part->pose;
    def.velocity = part->velocity;
    def.has_mass = part->mass > 0.0;
    def.mass.mass = part->mass;
    tn_body_id body = tn_body_create(run->world, &def);
    build_check(run, body.value);
    if (radius > 0.0) {
        tn_shape_def shape = build_shape_def(part, build_sphere_volume(radius));
        build_check(run, tn_sphere_shape_create(run->world, body, &shape, (float)radius).value);
    }
    return body;
}

// A quarter turn about z: the y axis of a capsule comes to lie along x.
static tn_quat build_quarter_turn(void) {
    double h = sqrt(0.5);
    return (tn_quat){0.0, 0.0, -h, h};
}

tn_body_id build_capsule(scene_run *run, const build_part *part, double length, double radius) {
    tn_body_id body = build_body(run, part);
    double volume = BUILD_PI * radius * radius * length + build_sphere_volume(radius);
    tn_shape_def def = build_shape_def(part, volume);
    def.local_pose.rotation = build_quarter_turn();
    build_check(
        run, tn_capsule_shape_create(run->world, body, &def, (float)(0.5 * length), (float)radius)
                 .value);
    return body;
}

// The hull stays with the world, so that whoever draws the shape can ask for its corners.
static void build_add_hull(scene_run *run, tn_body_id body, const tn_shape_def *def,
                           const tn_vec3 *points, uint32_t count) {
    tn_hull_def hull_def = tn_hull_def_default();
    hull_def.points = points;
    hull_def.point_count = count;
    tn_hull *hull = tn_hull_create(&hull_def, NULL);
    build_check(run, tn_hull_shape_create(run->world, body, def, hull).value);
    tn_hull_release(hull);
}

static void build_add_disc_shape(scene_run *run, tn_body_id body, tn_shape_def *def, tn_vec3 place,
                                 double radius, double thickness) {
    tn_vec3 points[2 * BUILD_DISC_SIDES];
    for (uint32_t i = 0; i < BUILD_DISC_SIDES; i++) {
        double angle = 2.0 * BUILD_PI * i / BUILD_DISC_SIDES;
        double x = radius * portable_cos(angle);
        double y = radius * portable_sin(angle);
        points[2 * i] = build_point(x, y, -0.5 * thickness);
        points[2 * i + 1] = build_point(x, y, 0.5 * thickness);
    }
    def->local_pose.position = place;
    build_add_hull(run, body, def, points, 2 * BUILD_DISC_SIDES);
}

tn_body_id build_disc(scene_run *run, const build_part *part, double radius, double thickness) {
    tn_body_id body = build_body(run, part);
    double side = 2.0 * BUILD_PI / BUILD_DISC_SIDES;
    double area = 0.5 * BUILD_DISC_SIDES * radius * radius * portable_sin(side);
    tn_shape_def def = build_shape_def(part, area * thickness);
    build_add_disc_shape(run, body, &def, build_point(0.0, 0.0, 0.0), radius, thickness);
    return body;
}

tn_body_id build_cylinder(scene_run *run, const build_part *part, double radius, double thickness) {
    tn_body_id body = build_body(run, part);
    tn_shape_def def = build_shape_def(part, BUILD_PI * radius * radius * thickness);
    build_turn(&def.local_pose, build_axis_x(), 0.5 * BUILD_PI);
    float half = (float)(0.5 * thickness);
    build_check(run, tn_cylinder_shape_create(run->world, body, &def, half, (float)radius).value);
    return body;
}

tn_body_id build_hull(scene_run *run, const build_part *part, const tn_vec3 *points,
                      uint32_t count) {
    tn_body_id body = build_body(run, part);
    tn_shape_def def = build_shape_def(part, 1.0);
    def.density = (float)part->density;
    build_add_hull(run, body, &def, points, count);
    return body;
}

tn_body_id build_rock(scene_run *run, const build_part *part, double size, uint32_t *seed) {
    tn_vec3 points[BUILD_ROCK_POINTS];
    for (uint32_t i = 0; i < BUILD_ROCK_POINTS; i++) {
        double y = 2.0 * build_random(seed) - 1.0;
        double around = 2.0 * BUILD_PI * build_random(seed);
        double ring = sqrt(1.0 - y * y);
        points[i] = build_point(0.7 * size * ring * portable_cos(around), 0.5 * size * y,
                                0.5 * size * ring * portable_sin(around));
    }
    return build_hull(run, part, points, BUILD_ROCK_POINTS);
}

tn_body_id build_ground(scene_run *run, double y) {
    build_part part = build_part_at(0.0, y, 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    tn_body_id body = build_body(run, &part);
    tn_shape_def def = tn_shape_def_default();
    build_check(run, tn_half_space_shape_create(run->world, body, &def).value);
    scene_run_name_body(run, body, "ground");
    return body;
}

void build_pane(scene_run *run, double z) {
    build_part part = build_part_at(0.0, 0.0, z);
    part.type = TN_BODY_TYPE_STATIC;
    // The normal is the y axis of the body: turned about x by a quarter.
    build_turn(&part.pose, build_axis_x(), z < 0.0 ? 0.5 * BUILD_PI : -0.5 * BUILD_PI);
    tn_body_id body = build_body(run, &part);
    tn_shape_def def = tn_shape_def_default();
    build_check(run, tn_half_space_shape_create(run->world, body, &def).value);
}

tn_reduced_id build_affine(scene_run *run, tn_body_id body, double poisson_ratio,
                           double viscosity) {
    tn_affine_def def = tn_affine_def_default();
    def.body = body;
    def.youngs_modulus = scene_run_get_value(run, "modulus");
    def.poisson_ratio = poisson_ratio;
    def.viscosity = viscosity;
    tn_reduced_id id = tn_affine_create(run->world, &def);
    run->has_failed = run->has_failed || id.value == 0;
    return id;
}

void build_add_box(scene_run *run, tn_body_id body, const build_part *part, tn_vec3 place,
                   tn_vec3 size) {
    build_add_turned_box(run, body, part, place, 0.0, size);
}

void build_add_turned_box(scene_run *run, tn_body_id body, const build_part *part, tn_vec3 place,
                          double angle, tn_vec3 size) {
    tn_shape_def def = build_shape_def(part, size.x * size.y * size.z);
    def.local_pose.position = place;
    def.local_pose.rotation =
        (tn_quat){0.0, 0.0, portable_sin(0.5 * angle), portable_cos(0.5 * angle)};
    tn_vec3 half = {0.5 * size.x, 0.5 * size.y, 0.5 * size.z};
    build_check(run, tn_box_shape_create(run->world, body, &def, half).value);
}

void build_add_bar(scene_run *run, tn_body_id body, const build_part *part, tn_vec3 from,
                   tn_vec3 to, double thickness) {
    build_part bar = build_part_between(from, to);
    double length = build_distance(from, to);
    tn_shape_def def = build_shape_def(part, length * thickness * thickness);
    def.local_pose = bar.pose;
    tn_vec3 half = build_point(0.5 * length, 0.5 * thickness, 0.5 * thickness);
    build_check(run, tn_box_shape_create(run->world, body, &def, half).value);
}

void build_add_sphere(scene_run *run, tn_body_id body, const build_part *part, tn_vec3 place,
                      double radius) {
    tn_shape_def def = build_shape_def(part, build_sphere_volume(radius));
    def.local_pose.position = place;
    build_check(run, tn_sphere_shape_create(run->world, body, &def, (float)radius).value);
}

void build_add_disc(scene_run *run, tn_body_id body, const build_part *part, tn_vec3 place,
                    double radius, double thickness) {
    tn_shape_def def = build_shape_def(part, BUILD_PI * radius * radius * thickness);
    build_add_disc_shape(run, body, &def, place, radius, thickness);
}

// Sets the frames of a joint; a failure leaves the default ones and is noted.
static void build_frames(scene_run *run, tn_joint_def *def, tn_body_id a, tn_body_id b,
                         tn_vec3 anchor, tn_vec3 axis) {
    if (!tn_joint_def_set_frames(run->world, def, a, b, anchor, axis)) {
        run->has_failed = true;
    }
}

tn_joint_id build_ball_joint(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 anchor,
                             tn_vec3 axis) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    build_frames(run, &def.base, a, b, anchor, axis);
    tn_joint_id joint = tn_ball_joint_create(run->world, &def);
    build_check(run, joint.value);
    return joint;
}

tn_joint_id build_hinge(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 anchor, tn_vec3 axis) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    build_frames(run, &def.base, a, b, anchor, axis);
    tn_joint_id joint = tn_hinge_joint_create(run->world, &def);
    build_check(run, joint.value);
    return joint;
}

tn_joint_id build_slider(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 anchor, tn_vec3 axis) {
    tn_slider_joint_def def = tn_slider_joint_def_default();
    build_frames(run, &def.base, a, b, anchor, axis);
    tn_joint_id joint = tn_slider_joint_create(run->world, &def);
    build_check(run, joint.value);
    return joint;
}

tn_joint_id build_fixed(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 anchor) {
    tn_fixed_joint_def def = tn_fixed_joint_def_default();
    build_frames(run, &def.base, a, b, anchor, build_axis_x());
    tn_joint_id joint = tn_fixed_joint_create(run->world, &def);
    build_check(run, joint.value);
    return joint;
}

// A world point in a body's frame; the world's frame is the world.
static tn_vec3 build_local(const scene_run *run, tn_body_id body, tn_vec3 point) {
    if (body.value == 0) {
        return point;
    }
    tn_vec3 local = tn_body_get_local_point(run->world, body, point);
    return build_point(local.x, local.y, local.z);
}

static tn_distance_joint_def build_distance_def(const scene_run *run, tn_body_id a, tn_body_id b,
                                                tn_vec3 anchor_a, tn_vec3 anchor_b) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a.position = build_local(run, a, anchor_a);
    def.base.frame_b.position = build_local(run, b, anchor_b);
    return def;
}

tn_joint_id build_rod(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 anchor_a,
                      tn_vec3 anchor_b) {
    tn_distance_joint_def def = build_distance_def(run, a, b, anchor_a, anchor_b);
    def.length = (float)build_distance(anchor_a, anchor_b);
    tn_joint_id joint = tn_distance_joint_create(run->world, &def);
    build_check(run, joint.value);
    return joint;
}

tn_joint_id build_rope(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 anchor_a,
                       tn_vec3 anchor_b, double length) {
    tn_distance_joint_def def = build_distance_def(run, a, b, anchor_a, anchor_b);
    def.is_rigid = false;
    def.limit = (tn_limit){.is_enabled = true, .lower = 0.0f, .upper = (float)length};
    tn_joint_id joint = tn_distance_joint_create(run->world, &def);
    build_check(run, joint.value);
    return joint;
}

void build_hinge_speed(scene_run *run, tn_joint_id hinge, double speed, double max_torque) {
    tn_motor motor = tn_hinge_joint_def_default().motor;
    motor.mode = TN_MOTOR_MODE_SPEED;
    motor.target_speed = (float)speed;
    motor.max_force = (float)max_torque;
    tn_hinge_joint_set_motor(run->world, hinge, motor);
}

void build_rope_of_links(scene_run *run, const build_links *links, tn_body_id *out_links) {
    for (uint32_t i = 0; i < links->count; i++) {
        tn_vec3 start = links->points[i];
        tn_vec3 end = links->points[i + 1];
        build_part part = build_part_between(start, end);
        part.mass = links->link_mass;
        part.material = links->material;
        part.filter = links->filter;
        out_links[i] = build_capsule(run, &part, build_distance(start, end), links->radius);
        if (i > 0) {
            build_ball_joint(run, out_links[i - 1], out_links[i], start, build_axis_x());
        }
    }
}

void build_spread_points(tn_vec3 from, tn_vec3 to, uint32_t count, tn_vec3 *out_points) {
    for (uint32_t i = 0; i <= count; i++) {
        double share = count == 0 ? 0.0 : (double)i / count;
        out_points[i] =
            build_point(from.x + share * (to.x - from.x), from.y + share * (to.y - from.y),
                        from.z + share * (to.z - from.z));
    }
}

tn_vec3 build_point(double x, double y, double z) {
    return (tn_vec3){x, y, z};
}

tn_vec3 build_axis_x(void) {
    return (tn_vec3){1.0, 0.0, 0.0};
}

tn_vec3 build_axis_y(void) {
    return (tn_vec3){0.0, 1.0, 0.0};
}

tn_vec3 build_axis_z(void) {
    return (tn_vec3){0.0, 0.0, 1.0};
}

double build_length(tn_vec3 v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

double build_distance(tn_vec3 a, tn_vec3 b) {
    return build_length((tn_vec3){b.x - a.x, b.y - a.y, b.z - a.z});
}

tn_vec3 build_meet(tn_vec3 p, double r, tn_vec3 q, double s) {
    double d = build_distance(p, q);
    if (d <= 0.0) {
        return p;
    }
    double along = (r * r - s * s + d * d) / (2.0 * d);
    double aside = sqrt(fmax(0.0, r * r - along * along));
    double x = (q.x - p.x) / d;
    double y = (q.y - p.y) / d;
    return build_point(p.x + along * x - aside * y, p.y + along * y + aside * x, p.z);
}

double build_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}
