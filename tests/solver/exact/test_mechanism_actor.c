// Springs and motors as rows of a mechanism.
#include "tests/solver/machine.h"

// A slider on a spring from the world: omega = sqrt(k / m), however coarse the step the amplitude
// stays.
Test(mechanism_actor, swings_on_a_spring_without_loss) {
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
Test(mechanism_actor, drives_a_flywheel_no_harder_than_its_cap) {
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

// The solution for the numbered right sides, by the factor at hand.
static void keep_solution(machine *m, double out_changes[2][6]) {
    solve_numbered(m);
    for (uint32_t i = 0; i < 2; ++i) {
        memcpy(out_changes[i], m->bodies[i].change, sizeof out_changes[i]);
    }
}

// In what touches, a motor with a cap has given way when the stage is projected: contacts go on
// with that factor. Where nothing touches it holds its speed there, and they would need another.
Test(mechanism_actor, leaves_contacts_the_factor_of_the_projection) {
    machine *m = machine_create();
    const tni_dvec3 slender = dvec3_make(1e-3, 1.0 / 12, 1.0 / 12);
    uint32_t upper = machine_add_body(m, 1.0, slender, dvec3_make(0.5, 0.0, 0.0));
    uint32_t lower = machine_add_body(m, 1.0, slender, dvec3_make(1.5, 0.0, 0.0));
    tni_joint *shoulder =
        machine_add_joint(m, TN_JOINT_TYPE_HINGE, WORLD, upper, dvec3_make(0, 0, 0), across());
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, upper, lower, dvec3_make(1, 0, 0), across());
    shoulder->def.hinge.motor =
        (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 1.0f, .max_force = 3000.0f};
    machine_finish(m);
    double kept[2][6], fresh[2][6];
    for (int i = 0; i < 20; ++i) {
        m->mechanism.touch.is_touched = i >= 10;
        machine_run(m, 1.0 / 240.0, 1);
        cr_assert(m->mechanism.matrix.is_factored == m->mechanism.touch.is_touched, "step %d", i);
    }
    keep_solution(m, kept);
    tni_actors_give_way(&m->mechanism);
    cr_assert(tni_mechanism_project_begin(&m->mechanism, 0.5 / 240.0));
    keep_solution(m, fresh);
    for (uint32_t i = 0; i < 12; ++i) {
        double one = kept[i / 6][i % 6], other = fresh[i / 6][i % 6];
        cr_assert(fabs(one - other) < 1e-5 * (1.0 + fabs(other)), "%u: %g, %g", i, one, other);
    }
    machine_destroy(m);
}
