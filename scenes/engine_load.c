// scenes/engine_load.c: the slider-crank in closed form.
//
// With the pin at p and a rod of length l the wrist lies on the axis d at
//     s = p.d + sqrt(l^2 - |p - (p.d) d|^2),
// the rods of an articulated engine have their pins on the master rod, and every point is a
// function x(angle) of the crank's angle alone. At the speed w its velocity is w x' and its
// acceleration w^2 x''. The motor's torque is dE/d(angle), E kinetic and potential energy; the
// forces follow from Newton's and Euler's equations of piston and rod. Derivatives are central
// differences of the closed form, off by less than 1e-7 of their size.
#include "scenes/engine_load.h"

#include "scenes/figure.h"

#include <math.h>
#include <stdio.h>

#define LOAD_STEP       1e-4 // rad between the points of a difference
#define LOAD_MAX_JOINTS 16   // on one body

// ---- reading -----------------------------------------------------------------------------------

// The joint of a type that holds the body as its body b; null when there is none.
static tn_joint_id load_find_joint(const tn_world *world, tn_body_id body, tn_joint_type type) {
    tn_joint_id joints[LOAD_MAX_JOINTS];
    uint32_t count = tn_body_get_joints(world, body, joints, LOAD_MAX_JOINTS);
    for (uint32_t i = 0; i < count && i < LOAD_MAX_JOINTS; i++) {
        if (tn_joint_get_type(world, joints[i]) == type &&
            tn_joint_get_def(world, joints[i]).body_b.value == body.value) {
            return joints[i];
        }
    }
    return (tn_joint_id){0};
}

static engine_point load_subtract(tn_vec3 a, tn_vec3 b) {
    return (engine_point){a.x - b.x, a.y - b.y};
}

static double load_dot(engine_point a, engine_point b) {
    return a.x * b.x + a.y * b.y;
}

static double load_cross(engine_point a, engine_point b) {
    return a.x * b.y - a.y * b.x;
}

static bool load_read_unit(engine_unit *unit, const tn_world *world, tn_body_id crank,
                           tn_body_id piston) {
    unit->cylinder = load_find_joint(world, piston, TN_JOINT_TYPE_SLIDER);
    unit->wrist = load_find_joint(world, piston, TN_JOINT_TYPE_HINGE);
    if (unit->cylinder.value == 0 || unit->wrist.value == 0) {
        return false;
    }
    tn_body_id rod = tn_joint_get_def(world, unit->wrist).body_a;
    unit->big_end = load_find_joint(world, rod, TN_JOINT_TYPE_HINGE);
    if (unit->big_end.value == 0) {
        return false;
    }
    tn_vec3 center = tn_body_get_center(world, crank);
    tn_vec3 pin = figure_get_joint_place(world, unit->big_end);
    tn_vec3 wrist = figure_get_joint_place(world, unit->wrist);
    engine_point way = load_subtract(wrist, pin), reach = load_subtract(wrist, center);
    engine_point middle = load_subtract(tn_body_get_center(world, rod), pin);
    double length = hypot(way.x, way.y), far = hypot(reach.x, reach.y);
    unit->is_on_crank = tn_joint_get_def(world, unit->big_end).body_a.value == crank.value;
    unit->pin = load_subtract(pin, center);
    unit->axis = (engine_point){reach.x / far, reach.y / far};
    unit->rod_length = length;
    unit->middle = (engine_point){load_dot(way, middle) / (length * length),
                                  load_cross(way, middle) / (length * length)};
    unit->rod_mass = tn_body_get_mass(world, rod).mass;
    unit->rod_inertia = (double)tn_body_get_mass(world, rod).inertia.zz;
    unit->piston_mass = tn_body_get_mass(world, piston).mass;
    return true;
}

bool engine_model_read(engine_model *model, const scene_run *run, const char *crank_name,
                       const char *piston_name) {
    tn_body_id crank = scene_run_find_body(run, crank_name);
    tn_body_id piston = scene_run_find_body(run, piston_name);
    *model = (engine_model){.gravity = -tn_world_get_gravity(run->world).y};
    model->crank_mass = tn_body_get_mass(run->world, crank).mass;
    while (piston.value != 0 && model->count < ENGINE_MAX_CYLINDERS) {
        if (!load_read_unit(&model->units[model->count], run->world, crank, piston)) {
            return false;
        }
        model->count += 1;
        char name[32];
        snprintf(name, sizeof name, "piston%u", (unsigned)model->count + 1);
        piston = scene_run_find_body(run, name);
    }
    return model->count > 0 && model->units[0].is_on_crank;
}

// ---- motion ------------------------------------------------------------------------------------

// Where the parts of a cylinder are.
typedef struct load_pose {
    engine_point pin, wrist, middle; // from the crank axis
    double lean;                     // rad, of the rod from x
} load_pose;

static engine_point load_turn(engine_point p, double angle) {
    double c = cos(angle), s = sin(angle);
    return (engine_point){c * p.x - s * p.y, s * p.x + c * p.y};
}

static load_pose load_place_rod(const engine_unit *unit, engine_point pin) {
    load_pose pose = {.pin = pin};
    double along = load_dot(pin, unit->axis), aside = load_cross(unit->axis, pin);
    double reach = along + sqrt(unit->rod_length * unit->rod_length - aside * aside);
    pose.wrist = (engine_point){reach * unit->axis.x, reach * unit->axis.y};
    engine_point way = {pose.wrist.x - pin.x, pose.wrist.y - pin.y};
    pose.middle = (engine_point){pin.x + unit->middle.x * way.x - unit->middle.y * way.y,
                                 pin.y + unit->middle.x * way.y + unit->middle.y * way.x};
    pose.lean = atan2(way.y, way.x);
    return pose;
}

static void load_place(const engine_model *model, double angle, load_pose *out) {
    const engine_unit *master = &model->units[0];
    out[0] = load_place_rod(master, load_turn(master->pin, angle));
    double lean = load_place_rod(master, master->pin).lean;
    for (uint32_t i = 1; i < model->count; i++) {
        const engine_unit *unit = &model->units[i];
        engine_point pin = load_turn(unit->pin, angle);
        if (!unit->is_on_crank) {
            engine_point knuckle = {unit->pin.x - master->pin.x, unit->pin.y - master->pin.y};
            knuckle = load_turn(knuckle, out[0].lean - lean);
            pin = (engine_point){out[0].pin.x + knuckle.x, out[0].pin.y + knuckle.y};
        }
        out[i] = load_place_rod(unit, pin);
    }
}

// ---- energy and torque -------------------------------------------------------------------------

static double load_square(double before, double after, double speed) {
    double velocity = speed * remainder(after - before, 6.283185307179586) / (2.0 * LOAD_STEP);
    return velocity * velocity;
}

static double load_get_energy(const engine_model *model, double angle, double speed) {
    load_pose before[ENGINE_MAX_CYLINDERS], at[ENGINE_MAX_CYLINDERS], after[ENGINE_MAX_CYLINDERS];
    load_place(model, angle - LOAD_STEP, before);
    load_place(model, angle, at);
    load_place(model, angle + LOAD_STEP, after);
    double energy = 0.0;
    for (uint32_t i = 0; i < model->count; i++) {
        const engine_unit *unit = &model->units[i];
        double rod = load_square(before[i].middle.x, after[i].middle.x, speed) +
                     load_square(before[i].middle.y, after[i].middle.y, speed);
        double piston = load_square(before[i].wrist.x, after[i].wrist.x, speed) +
                        load_square(before[i].wrist.y, after[i].wrist.y, speed);
        double turn = load_square(before[i].lean, after[i].lean, speed);
        energy +=
            0.5 * (unit->rod_mass * rod + unit->rod_inertia * turn + unit->piston_mass * piston);
        energy +=
            model->gravity * (unit->rod_mass * at[i].middle.y + unit->piston_mass * at[i].wrist.y);
    }
    return energy;
}

// ---- forces ------------------------------------------------------------------------------------

static double load_accelerate(double before, double at, double after, double speed) {
    return speed * speed * (after - 2.0 * at + before) / (LOAD_STEP * LOAD_STEP);
}

// The piston's equation along the axis gives the wrist's force along it, the rod's two the force at
// the pin, and the rod's moments about its middle the wrist's force across the axis, which is the
// wall's. In the cylinder's frame, where x is the axis.
static void load_find_forces(const engine_model *model, uint32_t i, const load_pose *before,
                             const load_pose *at, const load_pose *after, double speed,
                             engine_load *out) {
    const engine_unit *unit = &model->units[i];
    double turn = -atan2(unit->axis.y, unit->axis.x);
    engine_point piston = {load_accelerate(before->wrist.x, at->wrist.x, after->wrist.x, speed),
                           load_accelerate(before->wrist.y, at->wrist.y, after->wrist.y, speed)};
    engine_point rod = {load_accelerate(before->middle.x, at->middle.x, after->middle.x, speed),
                        load_accelerate(before->middle.y, at->middle.y, after->middle.y, speed)};
    double swing = load_accelerate(remainder(before->lean - at->lean, 6.283185307179586), 0.0,
                                   remainder(after->lean - at->lean, 6.283185307179586), speed);
    piston.y += model->gravity;
    rod.y += model->gravity;
    piston = load_turn(piston, turn);
    rod = load_turn(rod, turn);
    engine_point to_pin =
        load_turn((engine_point){at->pin.x - at->middle.x, at->pin.y - at->middle.y}, turn);
    engine_point to_wrist =
        load_turn((engine_point){at->wrist.x - at->middle.x, at->wrist.y - at->middle.y}, turn);

    // pin = rod_mass rod + wrist; inertia swing = to_pin x pin - to_wrist x wrist.
    engine_point wrist = {unit->piston_mass * piston.x, 0.0};
    engine_point pin = {unit->rod_mass * rod.x + wrist.x, unit->rod_mass * rod.y};
    double known = load_cross(to_pin, pin) - load_cross(to_wrist, wrist);
    wrist.y = (unit->rod_inertia * swing - known) / (to_pin.x - to_wrist.x);
    pin.y += wrist.y;
    out->wall[i] = unit->piston_mass * piston.y - wrist.y;
    out->pin[i] = load_turn(pin, -turn);
    out->wrist[i] = load_turn(wrist, -turn);
    out->bearing.x += out->pin[i].x;
    out->bearing.y += out->pin[i].y;
}

engine_load engine_model_get_load(const engine_model *model, double angle, double speed) {
    engine_load load = {.has_forces = true, .bearing = {0.0, model->crank_mass * model->gravity}};
    load_pose before[ENGINE_MAX_CYLINDERS], at[ENGINE_MAX_CYLINDERS], after[ENGINE_MAX_CYLINDERS];
    load_place(model, angle - LOAD_STEP, before);
    load_place(model, angle, at);
    load_place(model, angle + LOAD_STEP, after);
    load.torque = (load_get_energy(model, angle + LOAD_STEP, speed) -
                   load_get_energy(model, angle - LOAD_STEP, speed)) /
                  (2.0 * LOAD_STEP);
    for (uint32_t i = 0; i < model->count; i++) {
        load.reach[i] = load_dot(at[i].wrist, model->units[i].axis);
        load.has_forces = load.has_forces && model->units[i].is_on_crank;
    }
    for (uint32_t i = 0; i < model->count && load.has_forces; i++) {
        load_find_forces(model, i, &before[i], &at[i], &after[i], speed, &load);
    }
    return load;
}
