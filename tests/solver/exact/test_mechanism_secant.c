// Secants through slow iterations of Newton's method, against what one direction leaves.
#include "tests/solver/machine.h"

static const double directions[6] = {1.0, -2.0, 0.5, 0.3, 4.0, -1.0};

static machine *make_hung_body(void) {
    machine *m = machine_create();
    uint32_t body = machine_add_body(m, 2.0, dvec3_make(0.1, 0.2, 0.3), dvec3_make(1.0, 0.0, 0.0));
    machine_add_joint(m, TN_JOINT_TYPE_BALL, WORLD, body, dvec3_make(0.0, 0.0, 0.0), across());
    machine_finish(m);
    tni_mechanism_body *own = &m->mechanism.bodies[0];
    own->block.inertia = inertia_in_world(&own->inertia, own->motion.rotation);
    return m;
}

static void set_solution(machine *m, double size) {
    for (uint32_t c = 0; c < 6; ++c) {
        m->mechanism.bodies[0].change[c] = size * directions[c];
    }
    for (uint32_t r = 0; r < m->mechanism.matrix.pattern.unknown_count; ++r) {
        m->mechanism.matrix.unknowns[r] = -3.0 * size;
    }
}

// Iterations that leave the share r of an error have 1 + r + r^2 + ... to go: 1 / (1 - r).
Test(mechanism_secant, ends_what_leaves_the_same_share_each_time) {
    const double rates[5] = {0.86, 0.5, -0.5, -1.5, 0.02};
    for (int k = 0; k < 5; ++k) {
        machine *m = make_hung_body();
        set_solution(m, 1.0);
        tni_mechanism_keep_solution(&m->mechanism);
        set_solution(m, rates[k]);
        tni_mechanism_take_secant(&m->mechanism);
        double wanted = rates[k] / (1.0 - rates[k]);
        for (uint32_t c = 0; c < 6; ++c) {
            double step = m->mechanism.bodies[0].change[c];
            cr_expect(fabs(step - wanted * directions[c]) < 1e-12, "rate %g: %g", rates[k], step);
        }
        cr_expect(fabs(m->mechanism.matrix.unknowns[0] + 3.0 * wanted) < 1e-12);
        machine_destroy(m);
    }
}

Test(mechanism_secant, goes_no_farther_than_is_sensible) {
    machine *m = make_hung_body();
    set_solution(m, 1.0);
    tni_mechanism_keep_solution(&m->mechanism);
    set_solution(m, 1.0); // nothing has changed: a secant says nothing
    tni_mechanism_take_secant(&m->mechanism);
    cr_expect(fabs(m->mechanism.bodies[0].change[0] - directions[0]) < 1e-12);
    set_solution(m, 1.0 - 1e-9);
    tni_mechanism_take_secant(&m->mechanism);
    cr_expect(fabs(m->mechanism.bodies[0].change[0]) < 60.0 * fabs(directions[0]));
    machine_destroy(m);
}
