// scenes/hydraulic.c: hydraulic cylinders.
//
// Oil does not give: the motor is a spring of 1e11 N/m (a meganewton moves it by ten micrometres)
// that comes back to its command within a twentieth of a second.
#include "scenes/hydraulic.h"

#include <math.h>

#define HYDRAULIC_STIFFNESS 1e11f // N/m
#define HYDRAULIC_DAMPING   1e9f  // N s/m
#define HYDRAULIC_OVERLAP   0.1   // of the length: how far barrel and rod go past the middle
#define HYDRAULIC_THICKNESS 0.08  // m, of the barrel

static tn_vec3 hydraulic_between(tn_vec3 from, tn_vec3 to, double share) {
    return build_point(from.x + share * (to.x - from.x), from.y + share * (to.y - from.y),
                       from.z + share * (to.z - from.z));
}

hydraulic hydraulic_add(scene_run *run, const hydraulic_ends *ends) {
    tn_vec3 from = ends->from, to = ends->to;
    double length = build_distance(from, to), mass = 0.5 * ends->mass;
    hydraulic out = {.command = 0.0};
    out.barrel = build_bar(run, from, hydraulic_between(from, to, 0.5 + HYDRAULIC_OVERLAP), mass,
                           HYDRAULIC_THICKNESS, HYDRAULIC_THICKNESS);
    out.rod = build_bar(run, hydraulic_between(from, to, 0.5 - HYDRAULIC_OVERLAP), to, mass,
                        0.5 * HYDRAULIC_THICKNESS, 0.5 * HYDRAULIC_THICKNESS);
    tn_vec3 axis = {(to.x - from.x) / length, (to.y - from.y) / length, (to.z - from.z) / length};
    build_hinge(run, ends->a, out.barrel, from, build_axis_z());
    build_hinge(run, out.rod, ends->b, to, build_axis_z());
    out.slider = build_slider(run, out.barrel, out.rod, hydraulic_between(from, to, 0.5), axis);
    hydraulic_set(&out, run, 0.0, 0.0);
    scene_run_name_body(run, out.barrel, "%s_barrel", ends->name);
    scene_run_name_body(run, out.rod, "%s_rod", ends->name);
    scene_run_name_joint(run, out.slider, "%s", ends->name);
    return out;
}

void hydraulic_set(hydraulic *cylinder, scene_run *run, double translation, double speed) {
    cylinder->command = translation;
    tn_slider_joint_set_motor(run->world, cylinder->slider,
                              (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                                         .target_position = (float)translation,
                                         .target_speed = (float)speed,
                                         .stiffness = HYDRAULIC_STIFFNESS,
                                         .damping = HYDRAULIC_DAMPING,
                                         .max_force = INFINITY});
}

double hydraulic_get_error(const hydraulic *cylinder, const scene_run *run) {
    double translation = tn_slider_joint_get_translation(run->world, cylinder->slider);
    return fabs(translation - cylinder->command);
}

void hydraulic_note(hydraulic *cylinder, const scene_run *run) {
    cylinder->error_max = fmax(cylinder->error_max, hydraulic_get_error(cylinder, run));
}

double hydraulic_ramp(double x) {
    double inside = fmax(0.0, fmin(1.0, x));
    return inside * inside * (3.0 - 2.0 * inside);
}

double hydraulic_ramp_slope(double x) {
    double inside = fmax(0.0, fmin(1.0, x));
    return 6.0 * inside * (1.0 - inside);
}
