// forces/buoyancy.c: water that lifts bodies and drags them.
//
// The part under water, of volume V and centre c, is lifted by the weight of the water that it
// displaces (Archimedes):  F = -rho V g  at c.  Drag is proportional to the displaced mass, with u
// the speed of the water past the point of the body that is at c, and w the body's angular
// velocity:
//
//     F = rho V (b1 + b2 |u|) u      T = -rho V L^2 / 6 (b1 + b2 L |w|) w
//
// L^3 is the volume of the whole body: a cube's inertia is m L^2 / 6, so that a cube with the
// density of water loses speed and spin at the rate b1. Drag is implicit in v and w. Lift is
// explicit, because it swings slowly, at some sqrt(g / draught).
// Test: tests/forces/test_force_kinds.c
#include "forces/force.h"

// Newton's method from the fourth root reaches round-off for 1e-12 to 1e12 m^3 in this many steps.
#define BUOYANCY_ROOT_ITERATIONS 16

// Returns the edge of a cube of this volume, m. libm's cube root differs between platforms.
static double buoyancy_get_edge(double volume) {
    double x = sqrt(sqrt(volume));
    for (int i = 0; i < BUOYANCY_ROOT_ITERATIONS && x > 0.0; ++i) {
        x = (2.0 * x + volume / (x * x)) / 3.0;
    }
    return x;
}

static tni_submerged buoyancy_measure(const tni_force *force, uint32_t end, tni_dvec3 up,
                                      double level) {
    tni_submerged sum = {0};
    const tni_force_body *body = &force->bodies[end];
    for (uint32_t i = 0; i < body->member_count; ++i) {
        tni_submerged_add(body->members[i], &body->frame, up, level, &sum);
    }
    return sum;
}

static void buoyancy_drag(const tn_force_buoyancy *water, const tni_submerged *under,
                          const tn_connector_state *at, uint32_t end, tni_dvec3 arm,
                          tn_force_output *out) {
    double mass = water->density * under->volume;
    tni_dvec3 w = dvec3_from_plain(at->angular_velocity);
    tni_dvec3 v = dvec3_add(dvec3_from_plain(at->velocity), dvec3_cross(w, arm));
    tni_dvec3 u = dvec3_sub(dvec3_from_plain(water->current), v);
    double speed = dvec3_length(u), spin = dvec3_length(w);
    double edge = buoyancy_get_edge(under->whole), square = edge * edge;
    double of_mass = mass * (water->linear_drag + water->quadratic_drag * speed);
    double inertia = mass * square / 6.0, of_spin = water->quadratic_drag * edge * spin;
    double of_turn = inertia * (water->linear_drag + of_spin);
    tni_dvec3 drag = dvec3_scale(u, of_mass);
    force_add(&out->force[end], drag);
    force_add(&out->torque[end], dvec3_cross(arm, drag));
    force_add(&out->torque[end], dvec3_scale(w, -of_turn));
    tn_force_slope *way = tn_force_output_add_slope(out, TN_FORCE_AGAINST_WORLD, end, false);
    tni_dvec3 d = dvec3_scale(u, maths_inverse_or_zero_d(speed));
    double more = mass * water->quadratic_drag * speed;
    force_add_about(way->by_velocity, d, -of_mass, -(of_mass + more));
    tn_force_slope *turn = tn_force_output_add_slope(out, TN_FORCE_AGAINST_WORLD, end, true);
    tni_dvec3 axis = dvec3_scale(w, maths_inverse_or_zero_d(spin));
    force_add_about(turn->by_velocity, axis, -of_turn, -(of_turn + inertia * of_spin));
}

void tni_force_buoyancy(const tn_force_input *input, tn_force_output *out, void *own) {
    const tni_force *force = own;
    const tn_force_buoyancy *water = &force->buoyancy;
    tni_dvec3 up = dvec3_from_plain(water->up);
    up = dvec3_scale(up, 1.0 / dvec3_length(up));
    for (uint32_t i = 0; i < input->connector_count; ++i) {
        const tn_connector_state *at = &input->connectors[i];
        tni_submerged under = buoyancy_measure(force, i, up, water->level);
        if (!(under.volume > 0.0)) {
            continue;
        }
        tni_dvec3 center = dvec3_scale(under.moment, 1.0 / under.volume);
        tni_dvec3 arm = dvec3_sub(center, force_get_place(at));
        tni_dvec3 lift = dvec3_scale(force->gravity, -water->density * under.volume);
        force_add(&out->force[i], lift);
        force_add(&out->torque[i], dvec3_cross(arm, lift));
        if (water->linear_drag > 0.0 || water->quadratic_drag > 0.0) {
            buoyancy_drag(water, &under, at, i, arm, out);
        }
    }
}
