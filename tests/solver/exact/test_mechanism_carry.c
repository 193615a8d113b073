// Leads: velocities given to a stage and taken after it, and guesses carried on.
#include "tests/solver/machine.h"

// The share of what it falls through. With a part of the joints' forces by their rows at the ends
// of a stage the energy shakes with the square of the stage, and comes back where nothing is fast:
// to 9e-7, after 45 s to 2.7e-6. Projecting at the end of the stage alone loses 1.8e-5 in 5 s.
Test(mechanism_carry, loses_no_energy_to_the_projection) {
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
Test(mechanism_carry, takes_the_joints_forces_by_simpsons_rule) {
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
Test(mechanism_carry, needs_one_iteration_where_stages_go_on_alike) {
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
Test(mechanism_carry, begins_a_stage_with_the_factor_of_the_projection) {
    machine *m = make_double_pendulum(), *other = make_double_pendulum();
    uint32_t taken = 0;
    for (int i = 0; i < 400; ++i) {
        taken += m->mechanism.matrix.has_factor && m->mechanism.matrix.own_stages == 0 ? 1 : 0;
        machine_run(m, 1.0 / 1000.0, 1);
        other->mechanism.matrix.has_factor = false;
        machine_run(other, 1.0 / 1000.0, 1);
        cr_assert(other->mechanism.matrix.rates[1].stages == 0);
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
Test(mechanism_carry, begins_anew_where_velocities_were_changed) {
    machine *m = make_double_pendulum();
    machine_run(m, 1.0 / 240.0, 100);
    cr_assert(m->mechanism.carry.lead_step > 0.0);
    for (uint32_t i = 0; i < 2; ++i) {
        m->bodies[i].motion.velocity = m->bodies[i].motion.angular_velocity = dvec3_make(0, 0, 0);
    }
    tni_mechanism_give_lead(&m->mechanism, 1.0 / 240.0, false);
    for (uint32_t i = 0; i < 2; ++i) {
        cr_assert(dvec3_length(m->bodies[i].motion.velocity) == 0.0);
        cr_assert(dvec3_length(m->bodies[i].carry.lead.linear) == 0.0);
    }
    cr_assert(m->mechanism.carry.lead_step == 0.0);
    machine_destroy(m);
}
