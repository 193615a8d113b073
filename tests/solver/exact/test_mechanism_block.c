// A body's block under compression, and impulses that are no numbers.
#include "solver/exact/mechanism_stage.h"
#include "solver/exact/mechanism_system.h"
#include "tests/solver/machine.h"

static double get_greatest_inverse(const tni_mechanism_body *body) {
    double greatest = 0.0;
    for (uint32_t i = 3; i < 6; ++i) {
        greatest = fmax(greatest, fabs(body->block.inverse[i][i]));
    }
    return greatest;
}

// The curvature of a compressed rod takes all but a tiny share of the inertia across it. With and
// without locks, whose blocks are inverted as a whole.
Test(mechanism_block, is_never_nearly_singular_under_compression) {
    const double left[] = {1e-2, 1e-5, 1e-7, 1e-12, 0.0, -1e-7};
    for (size_t k = 0; k < sizeof left / sizeof *left; ++k) {
        for (uint32_t locks = 0; locks <= TN_BODY_LOCK_LINEAR_X; locks += TN_BODY_LOCK_LINEAR_X) {
            tni_mechanism_body body = {.place.anchor = TNI_NONE, .locks = locks, .block.mass = 0.1};
            for (uint32_t i = 0; i < 3; ++i) {
                body.block.inertia.m[i][i] = i == 0 ? 1e-5 : 1e-3;
            }
            body.block.has_curvature = true;
            body.block.curvature[4][4] = -(1.0 - left[k]) * 1e-3;
            cr_assert(tni_mechanism_invert_block(&body), "%g left, locks %u", left[k], locks);
            // The inverse of what may be left of it, and that of the slender axis.
            double most = 1.1 / (TNI_MECHANISM_SPARE_INERTIA * 1e-3);
            cr_assert(get_greatest_inverse(&body) < most, "%g left, locks %u: %g", left[k], locks,
                      get_greatest_inverse(&body));
        }
    }
}

// Hung from a pin: the one freedom that the pin leaves the rod has what is left of its inertia.
Test(mechanism_block, of_a_hung_body_is_never_nearly_singular_under_compression) {
    machine *m = machine_create();
    uint32_t rod =
        machine_add_body(m, 1.0, dvec3_make(1e-3, 1.0 / 12, 1.0 / 12), dvec3_make(0.5, 0.0, 0.0));
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, WORLD, rod, dvec3_make(0.0, 0.0, 0.0), across());
    machine_finish(m);
    machine_run(m, 1.0 / 240.0, 1);
    tni_mechanism_body *body = &m->mechanism.bodies[0];
    cr_assert(body->place.anchor != TNI_NONE);
    cr_assert(tni_mechanism_invert_anchored(&m->mechanism, body));
    double plain = body->anchored.freedom_mass;
    memset(body->block.curvature, 0, sizeof body->block.curvature);
    body->block.has_curvature = true;
    for (uint32_t i = 3; i < 6; ++i) {
        body->block.curvature[i][i] = -(1.0 - 1e-7) / 3.0;
    }
    cr_assert(tni_mechanism_invert_anchored(&m->mechanism, body));
    cr_assert(body->anchored.freedom_mass > TNI_MECHANISM_SPARE_INERTIA * plain, "%g of %g",
              body->anchored.freedom_mass, plain);
    machine_destroy(m);
}

// What a stage that fails leaves in the impulses is not what the next ones begin with.
Test(mechanism_block, goes_on_after_impulses_that_are_no_numbers) {
    machine *m = make_chain(100.0), *sound = make_chain(100.0);
    machine_run(m, 1.0 / 240.0, 4);
    machine_run(sound, 1.0 / 240.0, 4);
    for (uint32_t i = 0; i < m->mechanism.joint_count; ++i) {
        m->mechanism.joints[i].impulse[0] = (double)NAN;
    }
    machine_run(m, 1.0 / 240.0, 40);
    machine_run(sound, 1.0 / 240.0, 40);
    cr_assert(m->mechanism.report.failures == 0);
    // Of some 1e4 J between its highest and its lowest place.
    double off = fabs(machine_energy(m) - machine_energy(sound));
    cr_assert(off < 1e-4, "%g J", off);
    machine_destroy(m);
    machine_destroy(sound);
}
