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
