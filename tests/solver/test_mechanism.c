// The exact step of mechanisms: chains, loops, hubs, motors, springs, and its order.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "solver/mechanism_stage.h"

#define MOST_BODIES 64
#define MOST_JOINTS 96

// A mechanism built by hand. Body 0 of the caller is the world.
typedef struct machine {
    tni_mechanism mechanism;
    tni_mechanism_body bodies[MOST_BODIES];
    tni_mechanism_joint joints[MOST_JOINTS];
    tni_joint records[MOST_JOINTS];
    tni_allocator allocator;
    tni_arena arena;
} machine;

static machine *machine_create(void) {
    machine *m = calloc(1, sizeof *m);
    m->mechanism.bodies = m->bodies;
    m->mechanism.joints = m->joints;
    tni_allocator_init(&m->allocator, NULL, NULL, NULL);
    tni_arena_init(&m->arena, &m->allocator);
    return m;
}

static uint32_t machine_add_body(machine *m, double mass, tni_dvec3 inertia, tni_dvec3 position) {
    uint32_t index = m->mechanism.moving_count++;
    tni_mechanism_body *body = &m->bodies[index];
    const tni_dmat3 matrix = {{{inertia.x, 0, 0}, {0, inertia.y, 0}, {0, 0, inertia.z}}};
    body->mass = mass;
    body->inv_mass = 1.0 / mass;
    body->inertia = tni_inertia_make(&matrix);
    body->motion.position = position;
    body->motion.rotation = dquat_identity();
    body->acceleration = dvec3_make(0.0, -9.81, 0.0);
    return index;
}

#define WORLD UINT32_MAX

// At a point of the world, frames along the axes of the world while all bodies stand upright.
static tni_joint *machine_add_joint(machine *m, tn_joint_type type, uint32_t a, uint32_t b,
                                    tni_dvec3 point, tni_dquat frame) {
    uint32_t index = m->mechanism.joint_count++;
    tni_joint *record = &m->records[index];
    tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0);
    record->type = type;
    tni_dpose frame_a = {dvec3_sub(point, a == WORLD ? zero : m->bodies[a].motion.position), frame};
    tni_dpose frame_b = {dvec3_sub(point, b == WORLD ? zero : m->bodies[b].motion.position), frame};
    tni_joint_set_frames(record, &frame_a, &frame_b);
    m->joints[index].joint = record;
    m->joints[index].a = a;
    m->joints[index].b = b;
    return record;
}

static void machine_finish(machine *m) {
    tni_mechanism *mechanism = &m->mechanism;
    uint32_t world = mechanism->moving_count;
    mechanism->body_count = world + 1;
    m->bodies[world].inertia = tni_inertia_infinite();
    m->bodies[world].motion.rotation = dquat_identity();
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        m->joints[i].a = m->joints[i].a == WORLD ? world : m->joints[i].a;
        m->joints[i].b = m->joints[i].b == WORLD ? world : m->joints[i].b;
    }
    cr_assert(tni_mechanism_make_rows(mechanism, &m->allocator));
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_find_actors(&m->joints[i]);
    }
    cr_assert(tni_mechanism_analyze(mechanism, &m->allocator, &m->arena));
    const tni_block_pattern *pattern = &mechanism->pattern;
    mechanism->values = malloc(pattern->value_count * sizeof(double));
    mechanism->scratch = malloc((pattern->scratch_count + 1) * sizeof(double));
    mechanism->scales = malloc(pattern->unknown_count * sizeof(double));
    mechanism->unknowns = malloc(pattern->unknown_count * sizeof(double));
}

static void machine_destroy(machine *m) {
    free(m->mechanism.values);
    free(m->mechanism.scratch);
    free(m->mechanism.scales);
    free(m->mechanism.unknowns);
    tni_mechanism_forget(&m->mechanism, &m->allocator);
    tni_arena_destroy(&m->arena);
    cr_assert(m->allocator.bytes == 0);
    free(m);
}

static double machine_gap(const machine *m) {
    double worst = 0.0;
    for (uint32_t i = 0; i < m->mechanism.joint_count; ++i) {
        const tni_mechanism_joint *joint = &m->joints[i];
        tni_exact_row rows[TNI_JOINT_MAX_EQUALITY_ROWS];
        tni_joint_emit_exact(joint->joint, &m->bodies[joint->a].motion, &m->bodies[joint->b].motion,
                             rows);
        for (uint32_t r = 0; r < joint->equality_count; ++r) {
            worst = fmax(worst, fabs(rows[r].error));
        }
    }
    return worst;
}

static double machine_energy(const machine *m) {
    double energy = 0.0;
    for (uint32_t i = 0; i < m->mechanism.moving_count; ++i) {
        const tni_mechanism_body *body = &m->bodies[i];
        tni_dvec3 v = body->motion.velocity;
        tni_dvec3 w = body->motion.angular_velocity;
        tni_dmat3 inertia = inertia_in_world(&body->inertia, body->motion.rotation);
        energy += 0.5 * body->mass * dvec3_dot(v, v) +
                  0.5 * dvec3_dot(w, dmat3_mul_vec(&inertia, w)) -
                  body->mass * dvec3_dot(body->acceleration, body->motion.position);
    }
    return energy;
}

static void machine_run(machine *m, double h, uint32_t steps) {
    for (uint32_t i = 0; i < steps; ++i) {
        tni_mechanism_step(&m->mechanism, h);
    }
}

static const tni_dquat upright = {0.0, 0.0, 0.0, 1.0};
// Frame x along the world's z: hinges of machines in the plane.
static tni_dquat across(void) {
    return dquat_make(0.0, -sqrt(0.5), 0.0, sqrt(0.5));
}

// ---- chains
// ---------------------------------------------------------------------------------------

// 20 links of 1 kg and half a metre from the origin along x, a ball at the end.
static machine *make_chain(double end_mass) {
    machine *m = machine_create();
    uint32_t before = WORLD;
    for (int i = 0; i < 20; ++i) {
        tni_dvec3 inertia = dvec3_make(0.005 / 12.0, 0.2525 / 12.0, 0.2525 / 12.0);
        uint32_t link = machine_add_body(m, 1.0, inertia, dvec3_make(0.25 + 0.5 * i, 0.0, 0.0));
        machine_add_joint(m, TN_JOINT_TYPE_BALL, before, link, dvec3_make(0.5 * i, 0.0, 0.0),
                          upright);
        before = link;
    }
    double moment = 0.4 * end_mass * 0.04;
    uint32_t ball = machine_add_body(m, end_mass, dvec3_make(moment, moment, moment),
                                     dvec3_make(10.2, 0.0, 0.0));
    machine_add_joint(m, TN_JOINT_TYPE_BALL, before, ball, dvec3_make(10.0, 0.0, 0.0), upright);
    machine_finish(m);
    return m;
}

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

// The way out where the midpoint rule fails: it holds the joints, loses energy and never gains any.
Test(mechanism, goes_on_by_backward_euler_without_a_gain) {
    const double masses[3] = {10.0, 1000.0, 10000.0};
    for (int k = 0; k < 3; ++k) {
        machine *m = make_chain(masses[k]);
        double before = machine_energy(m), start = before, gap = 0.0;
        double drop = 9.81 * (10.2 * masses[k] + 100.0);
        for (int i = 0; i < 480; ++i) {
            cr_assert(tni_stage_run(&m->mechanism, 1.0 / 240.0, true, true));
            double now = machine_energy(m);
            cr_assert(now < before + 1e-9 * drop, "%g kg, step %d: %g J", masses[k], i,
                      now - before);
            before = now;
            gap = fmax(gap, machine_gap(m));
        }
        cr_assert(gap < 1e-9, "%g kg: gap %g", masses[k], gap);
        // It has swung through: most of what it had is there still.
        cr_assert(start - before < 0.15 * drop, "%g kg: %g lost", masses[k], start - before);
        cr_assert(m->bodies[20].motion.position.x < 0.0);
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

// ---- hubs
// -----------------------------------------------------------------------------------------

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
    tni_mechanism_project(&m->mechanism, 1.0 / 240.0); // the velocities given do not fit the joints
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

// ---- order
// ------------------------------------------------------------------------------------------

// Two rods of a metre, released lying.
static machine *make_double_pendulum(void) {
    machine *m = machine_create();
    uint32_t upper =
        machine_add_body(m, 1.0, dvec3_make(1e-3, 1.0 / 12, 1.0 / 12), dvec3_make(0.5, 0.0, 0.0));
    uint32_t lower =
        machine_add_body(m, 1.0, dvec3_make(1e-3, 1.0 / 12, 1.0 / 12), dvec3_make(1.5, 0.0, 0.0));
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, WORLD, upper, dvec3_make(0, 0, 0), across());
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, upper, lower, dvec3_make(1, 0, 0), across());
    machine_finish(m);
    return m;
}

static tni_dvec3 double_pendulum_end(uint32_t substeps) {
    machine *m = make_double_pendulum();
    machine_run(m, 1.0 / 60.0 / substeps, 60 * substeps);
    tni_dvec3 end = m->bodies[1].motion.position;
    machine_destroy(m);
    return end;
}

Test(mechanism, is_of_second_order_on_a_double_pendulum) {
    tni_dvec3 fine = double_pendulum_end(128);
    double error[3];
    for (int k = 0; k < 3; ++k) {
        error[k] = dvec3_length(dvec3_sub(double_pendulum_end(4u << k), fine));
    }
    for (int k = 0; k < 2; ++k) {
        double order = log2(error[k] / error[k + 1]);
        cr_assert(order > 1.9 && order < 2.2, "errors %g %g %g: order %g", error[0], error[1],
                  error[2], order);
    }
}

// ---- leads
// ------------------------------------------------------------------------------------------

// The share of what it falls through. With a part of the joints' forces by their rows at the ends
// of a stage the energy shakes with the square of the stage, and comes back where nothing is fast:
// to 9e-7, after 45 s to 2.7e-6. Projecting at the end of the stage alone loses 1.8e-5 in 5 s.
Test(mechanism, loses_no_energy_to_the_projection) {
    machine *m = make_double_pendulum();
    double start = machine_energy(m), highest = -(double)INFINITY, lowest = (double)INFINITY;
    machine_run(m, 1.0 / 240.0, 5 * 240);
    for (int i = 0; i < 2 * 240; ++i) {
        machine_run(m, 1.0 / 240.0, 1);
        double change = (machine_energy(m) - start) / (2.0 * 9.81 * 2.0);
        highest = fmax(highest, change);
        lowest = fmin(lowest, change);
    }
    cr_assert(fabs(highest) < 2e-6, "%g", highest);
    cr_assert(lowest > -3e-4, "%g", lowest);
    machine_destroy(m);
}

// A ball on a rod. What holds it back is the turn of the joint's force alone: its period is
// (w h)^2 / 24 too long, as with Newmark's beta = 1/6; by the midpoint rule it would be (w h)^2
// / 12.
Test(mechanism, takes_the_joints_forces_by_simpsons_rule) {
    const double h = 0.01, angle = 0.3, inertia = 0.4, turn = 2.0 * acos(-1.0);
    machine *m = machine_create();
    uint32_t ball = machine_add_body(m, 100.0, dvec3_make(inertia, inertia, inertia),
                                     dvec3_make(sin(angle), -cos(angle), 0.0));
    machine_add_joint(m, TN_JOINT_TYPE_BALL, WORLD, ball, dvec3_make(0.0, 0.0, 0.0), upright);
    machine_finish(m);
    double before = 1.0, passed = 0.0;
    uint32_t passes = 0;
    for (int i = 0; i < 2000; ++i) {
        machine_run(m, h, 1);
        double x = m->bodies[ball].motion.position.x;
        if (before > 0.0 && x <= 0.0) {
            passed = (i + before / (before - x)) * h;
            passes += 1;
        }
        before = x;
    }
    // The first pass is a quarter of a period from the start. Gauss: the true one is
    // 2 pi / w / agm(1, cos(angle / 2)).
    double w = sqrt(981.0 / (100.0 + inertia)), one = 1.0, other = cos(0.5 * angle);
    for (int k = 0; k < 5; ++k) {
        double mean = 0.5 * (one + other);
        other = sqrt(one * other);
        one = mean;
    }
    double error = passed / (passes - 0.75) / (turn / (w * one)) - 1.0;
    double expected = w * w * h * h / 24.0;
    cr_assert(fabs(error - expected) < 0.1 * expected, "%g, not %g", error, expected);
    machine_destroy(m);
}

// The guess is carried on from the last three stages, and what a first iteration leaves is known
// from stages before: one iteration a stage is enough, but for some that look again. After a shove
// it is not.
Test(mechanism, needs_one_iteration_where_stages_go_on_alike) {
    machine *m = make_double_pendulum();
    machine_run(m, 1.0 / 1000.0, 20);
    uint32_t before = m->mechanism.report.iterations, stages = m->mechanism.report.stages;
    machine_run(m, 1.0 / 1000.0, 100);
    cr_assert(m->mechanism.report.stages - stages == 100);
    cr_assert(m->mechanism.report.iterations - before <= 125, "%u",
              m->mechanism.report.iterations - before);
    m->bodies[0].motion.velocity.x += 0.1;
    before = m->mechanism.report.iterations;
    machine_run(m, 1.0 / 1000.0, 1);
    cr_assert(m->mechanism.report.iterations - before > 1);
    machine_destroy(m);
}

// The projection's factor, of the pose where the next stage begins, does for that stage too, and
// changes no more than the iterations leave open.
Test(mechanism, begins_a_stage_with_the_factor_of_the_projection) {
    machine *m = make_double_pendulum(), *other = make_double_pendulum();
    uint32_t taken = 0;
    for (int i = 0; i < 400; ++i) {
        taken += m->mechanism.has_factor && m->mechanism.own_stages == 0 ? 1 : 0;
        machine_run(m, 1.0 / 1000.0, 1);
        other->mechanism.has_factor = false;
        machine_run(other, 1.0 / 1000.0, 1);
        cr_assert(other->mechanism.rates[1].stages == 0);
    }
    cr_assert(taken > 200, "%u", taken);
    for (uint32_t i = 0; i < 2; ++i) {
        tni_dvec3 apart = dvec3_sub(m->bodies[i].motion.position, other->bodies[i].motion.position);
        cr_assert(dvec3_length(apart) < 1e-7, "%g m", dvec3_length(apart));
    }
    machine_destroy(m);
    machine_destroy(other);
}

// Velocities that somebody else changed have no lead: nothing is added to them.
Test(mechanism, begins_anew_where_velocities_were_changed) {
    machine *m = make_double_pendulum();
    machine_run(m, 1.0 / 240.0, 100);
    cr_assert(m->mechanism.lead_step > 0.0);
    for (uint32_t i = 0; i < 2; ++i) {
        m->bodies[i].motion.velocity = m->bodies[i].motion.angular_velocity = dvec3_make(0, 0, 0);
    }
    tni_mechanism_give_lead(&m->mechanism, 1.0 / 240.0, false);
    for (uint32_t i = 0; i < 2; ++i) {
        cr_assert(dvec3_length(m->bodies[i].motion.velocity) == 0.0);
        cr_assert(dvec3_length(m->bodies[i].lead.linear) == 0.0);
    }
    cr_assert(m->mechanism.lead_step == 0.0);
    machine_destroy(m);
}

// ---- springs and caps
// ---------------------------------------------------------------------------------

// A slider on a spring from the world: omega = sqrt(k / m), however coarse the step the amplitude
// stays.
Test(mechanism, swings_on_a_spring_without_loss) {
    machine *m = machine_create();
    uint32_t body = machine_add_body(m, 2.0, dvec3_make(1, 1, 1), dvec3_make(0.0, 0.0, 0.0));
    tni_joint *slide =
        machine_add_joint(m, TN_JOINT_TYPE_SLIDER, WORLD, body, dvec3_make(0, 0, 0), upright);
    slide->def.slider.spring.mode = TN_SPRING_MODE_STIFFNESS;
    slide->def.slider.spring.stiffness = 800.0f;
    machine_finish(m);
    m->bodies[body].motion.velocity.x = 1.0;
    double most = 0.0, least = 1e9;
    for (int i = 0; i < 2400; ++i) {
        machine_run(m, 1.0 / 240.0, 1);
        double x = m->bodies[body].motion.position.x, v = m->bodies[body].motion.velocity.x;
        double energy = 0.5 * 2.0 * v * v + 0.5 * 800.0 * x * x;
        most = fmax(most, energy);
        least = fmin(least, energy);
    }
    cr_assert(most < 1.001 && least > 0.999, "%g to %g", least, most);
    machine_destroy(m);
}

// A motor at its cap accelerates a flywheel by cap / inertia.
Test(mechanism, drives_a_flywheel_no_harder_than_its_cap) {
    machine *m = machine_create();
    uint32_t wheel = machine_add_body(m, 2.0, dvec3_make(1, 1, 0.5), dvec3_make(0, 0, 0));
    tni_joint *drive =
        machine_add_joint(m, TN_JOINT_TYPE_HINGE, WORLD, wheel, dvec3_make(0, 0, 0), across());
    drive->def.hinge.motor.mode = TN_MOTOR_MODE_SPEED;
    drive->def.hinge.motor.target_speed = 10.0f;
    drive->def.hinge.motor.max_force = 2.0f;
    machine_finish(m);
    machine_run(m, 1.0 / 240.0, 240);
    double speed = fabs(m->bodies[wheel].motion.angular_velocity.z);
    // The rows of motors are floats.
    cr_assert(fabs(speed - 4.0) < 1e-7, "%.12g", speed);
    machine_run(m, 1.0 / 240.0, 480);
    speed = fabs(m->bodies[wheel].motion.angular_velocity.z);
    cr_assert(fabs(speed - 10.0) < 1e-6, "%.12g", speed);
    machine_destroy(m);
}

// A body and a crank on it, with legs of two bars between them: the body holds two points of each
// leg and the crank one.
static machine *make_legs(uint32_t legs) {
    machine *m = machine_create();
    tni_dvec3 inertia = dvec3_make(0.3, 0.2, 0.4), bar = dvec3_make(0.01, 0.1, 0.1);
    uint32_t body = machine_add_body(m, 5.0, inertia, dvec3_make(0.0, 0.0, 0.0));
    uint32_t crank = machine_add_body(m, 2.0, inertia, dvec3_make(0.2, 0.1, 0.0));
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, body, crank, dvec3_make(0.1, 0.1, 0.0), upright);
    for (uint32_t i = 0; i < legs; ++i) {
        double z = 0.3 * i, y = 0.1 * (i % 3);
        uint32_t upper = machine_add_body(m, 1.0, bar, dvec3_make(0.5, y, z));
        uint32_t lower = machine_add_body(m, 0.5, bar, dvec3_make(0.6, y - 0.4, z));
        machine_add_joint(m, TN_JOINT_TYPE_BALL, body, upper, dvec3_make(0.2, y, z), upright);
        machine_add_joint(m, TN_JOINT_TYPE_BALL, crank, upper, dvec3_make(0.4, y + 0.1, z),
                          upright);
        machine_add_joint(m, TN_JOINT_TYPE_BALL, upper, lower, dvec3_make(0.8, y - 0.1, z),
                          upright);
        machine_add_joint(m, TN_JOINT_TYPE_BALL, lower, body, dvec3_make(0.3, y - 0.5, z), upright);
    }
    machine_finish(m);
    return m;
}

// The largest fault of M v - J^T x = r over all bodies and -J v - E x = s over all joints, as a
// share of the largest impulse: the legs close more loops than the crank has freedoms, and E alone
// bounds what fights. The right sides are 1, 2, 3 ... over 10.
static double get_fault_of_solution(machine *m) {
    tni_mechanism *mechanism = &m->mechanism;
    static double faults[MOST_BODIES][6];
    double worst = 0.0, size = 1.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &m->bodies[i];
        const double *v = body->change;
        for (uint32_t k = 0; k < 6; ++k) {
            faults[i][k] = -0.1 * (i + k);
            for (uint32_t c = 0; c < 3 && k >= 3; ++c) {
                faults[i][k] += body->system_inertia.m[k - 3][c] * v[3 + c];
            }
            faults[i][k] += k < 3 ? body->mass * v[k] : 0.0;
        }
    }
    for (uint32_t j = 0; j < mechanism->joint_count; ++j) {
        const tni_mechanism_joint *joint = &m->joints[j];
        const double *x = tni_mechanism_of_joint(mechanism, j);
        const uint32_t ends[2] = {joint->a, joint->b};
        for (uint32_t r = 0; r < joint->row_count; ++r) {
            double fault = -0.1 * (j + r) - joint->softness[r] * x[r];
            size = fmax(size, fabs(x[r]));
            for (uint32_t k = 0; k < 12 && ends[k / 6] != WORLD; ++k) {
                double jacobian = joint->rows[r].jacobian[k];
                if (ends[k / 6] < mechanism->moving_count) {
                    fault -= jacobian * m->bodies[ends[k / 6]].change[k % 6];
                    faults[ends[k / 6]][k % 6] -= jacobian * x[r];
                }
            }
            worst = fmax(worst, fabs(fault));
        }
    }
    for (uint32_t i = 0; i < 6 * mechanism->moving_count; ++i) {
        worst = fmax(worst, fabs(faults[i / 6][i % 6]));
    }
    return worst / size;
}

// Of the right sides that get_fault_of_solution knows.
static void solve_numbered(machine *m) {
    for (uint32_t i = 0; i < m->mechanism.moving_count; ++i) {
        for (uint32_t k = 0; k < 6; ++k) {
            m->bodies[i].change[k] = 0.1 * (i + k);
        }
    }
    for (uint32_t j = 0; j < m->mechanism.joint_count; ++j) {
        for (uint32_t r = 0; r < m->joints[j].row_count; ++r) {
            tni_mechanism_of_joint(&m->mechanism, j)[r] = 0.1 * (j + r);
        }
    }
    tni_mechanism_solve(&m->mechanism, false);
}

Test(mechanism, solves_through_hubs_that_are_torn) {
    machine *m = make_legs(5);
    tni_mechanism *mechanism = &m->mechanism;
    cr_assert(mechanism->hub_count == 2 && mechanism->copy_count == 5, "%u copies",
              mechanism->copy_count);
    cr_assert(tni_mechanism_project_begin(mechanism, 0.0));
    solve_numbered(m);
    double fault = get_fault_of_solution(m);
    cr_assert(fault < 1e-13, "%g", fault);
    machine_destroy(m);
}

Test(mechanism, pays_for_legs_between_hubs_by_their_number) {
    uint32_t fill[2];
    for (uint32_t k = 0; k < 2; ++k) {
        machine *m = make_legs(6 + 6 * k);
        fill[k] = m->mechanism.pattern.value_count;
        machine_destroy(m);
    }
    // Six more legs: what the first six took, and the ties' triangle.
    cr_assert(fill[1] < 3 * fill[0], "%u and %u", fill[0], fill[1]);
}

// ---- anchored bodies ---------------------------------------------------------------------------

enum {
    CRANK,
    ROD,
    PISTON
};

// A crank on the world, its hinge with a motor or without, a rod, and a piston that slides in the
// world, which is body a of both or body b. The rod's far end is a ball.
static machine *make_slider_crank(bool is_world_first, bool has_motor) {
    machine *m = machine_create();
    machine_add_body(m, 5.0, dvec3_make(0.3, 0.2, 0.4), dvec3_make(0.02, 0.05, 0.01));
    machine_add_body(m, 2.0, dvec3_make(0.01, 0.1, 0.12), dvec3_make(0.2, 0.1, 0.0));
    machine_add_body(m, 1.0, dvec3_make(0.02, 0.03, 0.01), dvec3_make(0.5, 0.02, 0.0));
    tni_dquat turned = dquat_normalize((tni_dquat){0.1, 0.2, -0.3, 0.9});
    tni_joint *bearing =
        machine_add_joint(m, TN_JOINT_TYPE_HINGE, is_world_first ? WORLD : CRANK,
                          is_world_first ? CRANK : WORLD, dvec3_make(0.0, 0.0, 0.1), turned);
    bearing->def.hinge = tn_hinge_joint_def_default();
    bearing->def.hinge.motor.mode = has_motor ? TN_MOTOR_MODE_SPEED : TN_MOTOR_MODE_OFF;
    bearing->def.hinge.motor.max_force = INFINITY;
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, CRANK, ROD, dvec3_make(0.05, 0.2, 0.0), upright);
    machine_add_joint(m, TN_JOINT_TYPE_BALL, ROD, PISTON, dvec3_make(0.4, 0.0, 0.0), upright);
    machine_add_joint(m, TN_JOINT_TYPE_SLIDER, is_world_first ? WORLD : PISTON,
                      is_world_first ? PISTON : WORLD, dvec3_make(0.5, 0.0, 0.0), turned);
    machine_finish(m);
    return m;
}

Test(mechanism, solves_for_anchored_bodies_with_all_their_rows) {
    for (uint32_t kind = 0; kind < 4; ++kind) {
        machine *m = make_slider_crank((kind & 1) != 0, (kind & 2) != 0);
        cr_assert(m->bodies[CRANK].anchor >> 1 == 0 && m->bodies[PISTON].anchor >> 1 == 3);
        cr_assert(m->bodies[ROD].anchor == TNI_NONE && m->joints[0].is_anchor);
        cr_assert(tni_mechanism_project_begin(&m->mechanism, 0.0));
        cr_assert(m->joints[0].softness[0] == 0.0 && m->joints[1].softness[0] > 0.0);
        solve_numbered(m);
        double fault = get_fault_of_solution(m);
        cr_assert(fault < 1e-13, "%u: %g", kind, fault);
        machine_destroy(m);
    }
}

// The same for a body alone, whose rows are all its anchor's.
Test(mechanism, solves_for_an_anchored_body_alone) {
    machine *m = machine_create();
    machine_add_body(m, 3.0, dvec3_make(0.3, 0.2, 0.4), dvec3_make(0.2, 0.5, 0.1));
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, 0, WORLD, dvec3_make(0.0, 0.0, 0.0), upright);
    machine_finish(m);
    cr_assert(tni_mechanism_project_begin(&m->mechanism, 0.0));
    solve_numbered(m);
    double fault = get_fault_of_solution(m);
    cr_assert(fault < 1e-13, "%g", fault);
    machine_destroy(m);
}

// Two hinges share what they carry, as no anchor would.
Test(mechanism, two_hinges_of_a_door_are_no_anchors) {
    machine *m = machine_create();
    machine_add_body(m, 3.0, dvec3_make(0.3, 0.2, 0.4), dvec3_make(0.5, 1.0, 0.0));
    for (uint32_t i = 0; i < 2; ++i) {
        machine_add_joint(m, TN_JOINT_TYPE_HINGE, WORLD, 0, dvec3_make(0.0, 0.5 + i, 0.0), upright);
    }
    machine_finish(m);
    cr_assert(m->bodies[0].anchor == TNI_NONE && m->bodies[0].end_count == 2);
    machine_destroy(m);
}
