// scenes/engine.c: the parts of piston engines.
//
// With the pin at p (from the crank axis) and a rod of length l, the wrist lies on the cylinder's
// axis d at s = p.d + sqrt(l^2 - |p - (p.d) d|^2).
#include "scenes/engine.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/sketch.h"

#include <math.h>

#define ENGINE_WEB_THICKNESS 0.02 // m

tn_body_id engine_add_crankshaft(scene_run *run, tn_vec3 center, double mass, double radius,
                                 tn_joint_id *out_bearing) {
    build_part part = build_part_at(center.x, center.y, center.z);
    part.mass = mass;
    part.filter.mask = 0;
    tn_body_id crank = build_disc(run, &part, radius, ENGINE_WEB_THICKNESS);
    *out_bearing = build_hinge(run, (tn_body_id){0}, crank, center, build_axis_z());
    return crank;
}

tn_vec3 engine_add_throw(scene_run *run, tn_body_id crankshaft, tn_vec3 center, double radius,
                         double angle) {
    tn_vec3 pin = {center.x + radius * portable_cos(angle), center.y + radius * portable_sin(angle),
                   center.z};
    tn_vec3 from = tn_body_get_local_point(run->world, crankshaft, center);
    tn_vec3 to = tn_body_get_local_point(run->world, crankshaft, pin);

    // The webs are drawn and weigh nothing: the shaft is balanced.
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.density = 0.0;
    part.filter.mask = 0;
    build_add_bar(run, crankshaft, &part, build_point(from.x, from.y, from.z),
                  build_point(to.x, to.y, to.z), ENGINE_WEB_THICKNESS);
    return pin;
}

engine_piston engine_add_cylinder(scene_run *run, const engine_cylinder *cylinder) {
    engine_piston out = {{0}, {0}, {0}, {0}, {0}, {0.0, 0.0, 0.0}};
    double dx = portable_cos(cylinder->direction);
    double dy = portable_sin(cylinder->direction);
    double px = cylinder->pin.x - cylinder->center.x;
    double py = cylinder->pin.y - cylinder->center.y;
    double along = px * dx + py * dy;
    double aside = py * dx - px * dy;
    double reach =
        along + sqrt(fmax(0.0, cylinder->rod_length * cylinder->rod_length - aside * aside));
    out.wrist_point = build_point(cylinder->center.x + reach * dx, cylinder->center.y + reach * dy,
                                  cylinder->pin.z);

    build_part rod = build_part_between(cylinder->pin, out.wrist_point);
    rod.mass = cylinder->rod_mass;
    rod.filter.mask = 0;
    out.rod =
        build_box(run, &rod, cylinder->rod_length, 0.2 * cylinder->bore, 0.2 * cylinder->bore);

    build_part piston =
        build_part_turned(out.wrist_point.x, out.wrist_point.y, cylinder->direction);
    piston.pose.position.z = cylinder->pin.z;
    piston.mass = cylinder->piston_mass;
    piston.filter.mask = 0;
    out.piston = build_box(run, &piston, 0.7 * cylinder->bore, cylinder->bore, cylinder->bore);

    tn_vec3 axis = {dx, dy, 0.0};
    out.big_end = build_hinge(run, cylinder->carrier, out.rod, cylinder->pin, build_axis_z());
    out.wrist = build_hinge(run, out.rod, out.piston, out.wrist_point, build_axis_z());
    out.cylinder = build_slider(run, (tn_body_id){0}, out.piston, out.wrist_point, axis);
    return out;
}

// Seen from the front the walls of a cylinder are beside its axis in the plane of the crank, and
// seen along x beside it along the crank's axis.
void engine_sketch_cylinder(const scene_sketch *sketch, const engine_cylinder *cylinder,
                            double throw_radius, bool is_along_crank) {
    double dx = portable_cos(cylinder->direction), dy = portable_sin(cylinder->direction);
    double inner = cylinder->rod_length - throw_radius - 0.5 * cylinder->bore;
    double outer = cylinder->rod_length + throw_radius + 0.45 * cylinder->bore;
    double aside = 0.54 * cylinder->bore;
    tn_vec3 across = {-dy * aside, dx * aside, 0.0};
    if (is_along_crank) {
        across = (tn_vec3){0.0, 0.0, aside};
    }
    static const double corners[4][2] = {{-1, 0}, {-1, 1}, {1, 1}, {1, 0}};
    tn_vec3 walls[4];
    for (int i = 0; i < 4; i++) {
        double along = corners[i][1] > 0.5 ? outer : inner;
        walls[i] = build_point(cylinder->center.x + along * dx + corners[i][0] * across.x,
                               cylinder->center.y + along * dy + corners[i][0] * across.y,
                               cylinder->center.z + corners[i][0] * across.z);
    }
    sketch->add(sketch->context, SCENE_PEN_FRAME, walls, 4);
}

void engine_sketch_pin(const scene_sketch *sketch, const scene_run *run, tn_joint_id hinge,
                       double radius) {
    sketch_circle(sketch, SCENE_PEN_PLATE, figure_get_joint_place(run->world, hinge), radius);
}

// Two webs beside the rod with the pin between them, and the journals on either side.
void engine_sketch_throw(const scene_sketch *sketch, tn_vec3 center, tn_vec3 pin, double pitch) {
    double x = pin.x - center.x, y = pin.y - center.y;
    double gap = 0.24 * pitch, web = 0.06 * pitch, journal = 0.13 * pitch;
    tn_vec3 out = {x / portable_hypot(x, y), y / portable_hypot(x, y), 0.0};
    tn_vec3 thick = {journal * out.x, journal * out.y, 0.0};
    sketch_plate(sketch, SCENE_PEN_PLATE, pin, (tn_vec3){0.0, 0.0, gap},
                 (tn_vec3){0.8 * thick.x, 0.8 * thick.y, 0.0});
    for (int side = -1; side <= 1; side += 2) {
        tn_vec3 middle = {center.x, center.y, center.z + side * 0.5 * (0.5 * pitch + gap)};
        sketch_plate(sketch, SCENE_PEN_PLATE, middle,
                     (tn_vec3){0.0, 0.0, 0.5 * (0.5 * pitch - gap)}, thick);
        middle = (tn_vec3){center.x + 0.25 * x, center.y + 0.25 * y, center.z + side * gap};
        sketch_plate(sketch, SCENE_PEN_PLATE, middle, (tn_vec3){0.0, 0.0, web},
                     (tn_vec3){1.1 * x, 1.1 * y, 0.0});
    }
}

void engine_speed_add(engine_speed *speed, const scene_run *run, tn_joint_id bearing) {
    double angle = tn_hinge_joint_get_angle(run->world, bearing);
    if (speed->is_started) {
        double turn = angle - speed->angle;
        speed->turned += turn - 2.0 * BUILD_PI * floor(turn / (2.0 * BUILD_PI) + 0.5);
    } else {
        speed->is_started = true;
        speed->start_time = tn_world_get_time(run->world);
    }
    speed->angle = angle;
}

double engine_speed_get(const engine_speed *speed, const scene_run *run) {
    double time = tn_world_get_time(run->world) - speed->start_time;
    return speed->is_started && time > 0.0 ? speed->turned / time : 0.0;
}
