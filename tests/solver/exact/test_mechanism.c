// The exact step of mechanisms: chains, loops, hubs.
#include "tests/solver/machine.h"

Test(mechanism, holds_a_whipping_chain_at_every_mass_ratio) {
    const double masses[4] = {10.0, 100.0, 1000.0, 10000.0};
    for (int k = 0; k < 4; ++k) {
        machine *m = make_chain(masses[k]);
        double start = machine_energy(m), gain = 0.0, gap = 0.0;
        double drop = 9.81 * (10.2 * masses[k] + 100.0);
        for (int frame = 0; frame < 300; ++frame) {
            machine_run(m, 1.0 / 240.0, 4);
            gain = fmax(gain, machine_energy(m) - start);
            gap = fmax(gap, machine_gap(m));
        }
        // Measured: 1.4e-10 m and 2e-6 of the drop.
        cr_assert(gap < 1e-9, "%g kg: gap %g", masses[k], gap);
        cr_assert(gain < 1e-5 * drop, "%g kg: gain %g", masses[k], gain / drop);
        cr_assert(m->mechanism.report.failures == 0);
        machine_destroy(m);
    }
}

// ---- loops -------------------------------------------------------------------------------------

// Crank of 0.1 m at 60 rad/s, rod of 0.3 m, a slider: planar, so that rows depend on others.
Test(mechanism, turns_a_slider_crank_at_its_motors_speed) {
    machine *m = machine_create();
    double r = 0.1, l = 0.3;
    uint32_t crank =
        machine_add_body(m, 5.0, dvec3_make(0.01, 0.02, 0.02), dvec3_make(0.5 * r, 0.0, 0.0));
    uint32_t rod = machine_add_body(m, 2.0, dvec3_make(0.001, 0.015, 0.015),
                                    dvec3_make(r + 0.5 * l, 0.0, 0.0));
    uint32_t piston =
        machine_add_body(m, 1.0, dvec3_make(0.001, 0.001, 0.001), dvec3_make(r + l, 0.0, 0.0));
    tni_joint *drive = machine_add_joint(m, TN_JOINT_TYPE_HINGE, WORLD, crank,
                                         dvec3_make(0.0, 0.0, 0.0), across());
    drive->def.hinge.motor.mode = TN_MOTOR_MODE_SPEED;
    drive->def.hinge.motor.target_speed = 60.0f;
    drive->def.hinge.motor.max_force = INFINITY;
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, crank, rod, dvec3_make(r, 0.0, 0.0), across());
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, rod, piston, dvec3_make(r + l, 0.0, 0.0), across());
    machine_add_joint(m, TN_JOINT_TYPE_SLIDER, WORLD, piston, dvec3_make(r + l, 0.0, 0.0), upright);
    machine_finish(m);
    for (int frame = 0; frame < 120; ++frame) {
        machine_run(m, 1.0 / 240.0, 4);
        double speed = fabs(m->bodies[crank].motion.angular_velocity.z);
        cr_assert(fabs(speed - 60.0) < 1e-6, "frame %d: %.9g rad/s", frame, speed);
        cr_assert(machine_gap(m) < 1e-9, "frame %d: %g", frame, machine_gap(m));
        // The piston where trigonometry puts it.
        tni_dvec3 p = m->bodies[crank].motion.position;
        double x = 2.0 * p.x, y = 2.0 * p.y;
        double wanted = x + sqrt(l * l - y * y);
        cr_assert(fabs(m->bodies[piston].motion.position.x - wanted) < 1e-8);
    }
    // The loop has 21 rows for 18 - 1 freedoms held.
    cr_assert(m->mechanism.report.dependent_rows > 0);
    cr_assert(m->mechanism.report.failures == 0);
    machine_destroy(m);
}

// N windows of rods of 1 m and 1 kg in a row, upright, at 1 rad/s. All cranks stay parallel, but
// twice a turn the windows lie flat and each could fold instead.
static machine *make_windows(uint32_t windows) {
    machine *m = machine_create();
    tni_dvec3 upright_rod = dvec3_make(1.0 / 12, 1e-3, 1.0 / 12);
    tni_dvec3 level_rod = dvec3_make(1e-3, 1.0 / 12, 1.0 / 12);
    uint32_t before = WORLD;
    for (uint32_t i = 0; i <= windows; ++i) {
        uint32_t crank = machine_add_body(m, 1.0, upright_rod, dvec3_make(i, 0.5, 0.0));
        m->bodies[crank].motion.velocity.x = 0.5;
        m->bodies[crank].motion.angular_velocity.z = -1.0;
        machine_add_joint(m, TN_JOINT_TYPE_HINGE, WORLD, crank, dvec3_make(i, 0.0, 0.0), across());
        if (i > 0) {
            machine_add_joint(m, TN_JOINT_TYPE_HINGE, before, crank, dvec3_make(i, 1.0, 0.0),
                              across());
        }
        if (i < windows) {
            before = machine_add_body(m, 1.0, level_rod, dvec3_make(i + 0.5, 1.0, 0.0));
            m->bodies[before].motion.velocity.x = 1.0;
            machine_add_joint(m, TN_JOINT_TYPE_HINGE, crank, before, dvec3_make(i, 1.0, 0.0),
                              across());
        }
    }
    machine_finish(m);
    return m;
}

// The first coupler's height after so many seconds, by Runge-Kutta on the angle of the cranks.
static double get_window_height(uint32_t windows, double time) {
    double inertia = (windows + 1) / 3.0 + windows, torque = 9.81 * (0.5 * (windows + 1) + windows);
    double angle = acos(0.0), speed = -1.0, h = 1e-4;
    for (int i = 0; i < (int)(time / h + 0.5); ++i) {
        double a1 = -torque * cos(angle) / inertia;
        double w2 = speed + 0.5 * h * a1, a2 = -torque * cos(angle + 0.5 * h * speed) / inertia;
        double w3 = speed + 0.5 * h * a2, a3 = -torque * cos(angle + 0.5 * h * w2) / inertia;
        double w4 = speed + h * a3, a4 = -torque * cos(angle + h * w3) / inertia;
        angle += h / 6.0 * (speed + 2.0 * w2 + 2.0 * w3 + w4);
        speed += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return sin(angle);
}

// Whichever way the stages fall about the flat positions, of which there are ten in 10 s.
Test(mechanism, leaves_singular_positions_on_the_branch_it_came_on) {
    static const struct {
        uint32_t windows, rate;
        double time;
    } runs[] = {{2, 240, 10.0}, {2, 460, 10.0}, {2, 720, 7.0},  {2, 820, 6.0},
                {2, 940, 4.0},  {2, 1040, 3.0}, {8, 240, 10.0}, {8, 940, 2.0}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; ++k) {
        machine *m = make_windows(runs[k].windows);
        machine_run(m, 1.0 / runs[k].rate, (uint32_t)(runs[k].time * runs[k].rate + 0.5));
        double wanted = get_window_height(runs[k].windows, runs[k].time);
        double height = m->bodies[1].motion.position.y, share = 240.0 / runs[k].rate;
        // Of second order: 0.77 mm at 1/240 s over all times.
        cr_expect(fabs(height - wanted) < 1e-3 * share * share, "%u windows at %u Hz: %g m off",
                  runs[k].windows, runs[k].rate, height - wanted);
        cr_expect(machine_gap(m) < 1e-9);
        cr_expect(m->mechanism.report.failures == 0);
        machine_destroy(m);
    }
}

// ---- hubs --------------------------------------------------------------------------------------

// A free hub with eight arms: momentum and spin stay, since nothing holds it.
Test(mechanism, keeps_the_momentum_of_a_free_hub_with_arms) {
    machine *m = machine_create();
    uint32_t hub = machine_add_body(m, 3.0, dvec3_make(0.1, 0.2, 0.15), dvec3_make(0, 0, 0));
    for (int i = 0; i < 8; ++i) {
        tni_dvec3 way = dvec3_make(cos(0.7 * i), sin(0.7 * i), 0.3 * cos(2.0 * i));
        uint32_t arm = machine_add_body(m, 0.5 + 0.1 * i, dvec3_make(0.02, 0.03, 0.04), way);
        m->bodies[arm].motion.velocity = dvec3_make(0.3 * i, -0.2, 0.1 * i);
        machine_add_joint(m, i % 2 == 0 ? TN_JOINT_TYPE_BALL : TN_JOINT_TYPE_HINGE, hub, arm,
                          dvec3_scale(way, 0.5), upright);
    }
    m->bodies[hub].motion.angular_velocity = dvec3_make(1.0, 2.0, -1.0);
    machine_finish(m);
    for (uint32_t i = 0; i < m->mechanism.moving_count; ++i) {
        m->bodies[i].acceleration = dvec3_make(0.0, 0.0, 0.0);
    }
    cr_assert(m->mechanism.hub_count == 1);
    bool has_stops;
    tni_mechanism_project(&m->mechanism, 1.0 / 240.0,
                          &has_stops); // the velocities given do not fit the joints
    tni_dvec3 momentum[2], spin[2];
    double energy[2];
    for (int k = 0; k < 2; ++k) {
        momentum[k] = spin[k] = dvec3_make(0.0, 0.0, 0.0);
        for (uint32_t i = 0; i < m->mechanism.moving_count; ++i) {
            const tni_mechanism_body *body = &m->bodies[i];
            tni_dmat3 inertia = inertia_in_world(&body->inertia, body->motion.rotation);
            momentum[k] = dvec3_add_scaled(momentum[k], body->mass, body->motion.velocity);
            tni_dvec3 about = dvec3_cross(body->motion.position, body->motion.velocity);
            spin[k] = dvec3_add_scaled(spin[k], body->mass, about);
            spin[k] = dvec3_add(spin[k], dmat3_mul_vec(&inertia, body->motion.angular_velocity));
        }
        energy[k] = machine_energy(m);
        machine_run(m, 1.0 / 240.0, k == 0 ? 480 : 0);
    }
    cr_assert(dvec3_length(dvec3_sub(momentum[1], momentum[0])) < 1e-10);
    // The transport of the torque makes spin about the origin right to second order only.
    cr_assert(dvec3_length(dvec3_sub(spin[1], spin[0])) < 1e-3 * dvec3_length(spin[0]), "%g of %g",
              dvec3_length(dvec3_sub(spin[1], spin[0])), dvec3_length(spin[0]));
    cr_assert(fabs(energy[1] - energy[0]) < 1e-3 * energy[0], "%g of %g", energy[1] - energy[0],
              energy[0]);
    cr_assert(machine_gap(m) < 1e-9);
    machine_destroy(m);
}

// What a stage that is given up does with three bodies that nothing holds, and with the same where
// a function, which has no end at the place that it holds them at, may hold them.
Test(mechanism, stuck_bodies_fall_on_where_nothing_holds_them) {
    machine *m = machine_create();
    const tni_dvec3 inertia = {0.1, 0.2, 0.15};
    for (uint32_t i = 0; i < 3; ++i) {
        machine_add_body(m, 1.0 + i, inertia, dvec3_make(i, 0.0, 0.0));
        m->bodies[i].motion.velocity = dvec3_make(i, 0.0, 0.0);
    }
    m->mechanism.body_count = 3;
    m->mechanism.spans.count = 1;
    tni_mechanism_fall_on(&m->mechanism, 0.5);
    for (uint32_t i = 0; i < 3; ++i) {
        cr_assert(m->bodies[i].motion.position.x == i && m->bodies[i].motion.position.y == 0.0);
        cr_assert(m->bodies[i].motion.velocity.x == i && m->bodies[i].motion.velocity.y == 0.0);
    }
    m->mechanism.spans.count = 0;
    tni_mechanism_fall_on(&m->mechanism, 0.5);
    for (uint32_t i = 0; i < 3; ++i) {
        // The common speed of 1, 2 and 3 kg at 0, 1 and 2 m/s is 4/3 m/s.
        cr_assert(fabs(m->bodies[i].motion.position.x - i - 2.0 / 3.0) < 1e-12);
        cr_assert(fabs(m->bodies[i].motion.position.y + 0.125 * 9.81) < 1e-12);
        cr_assert(fabs(m->bodies[i].motion.velocity.y + 0.5 * 9.81) < 1e-12);
        cr_assert(m->bodies[i].motion.velocity.x == i);
    }
    machine_destroy(m);
}
