// Tests of solver/joints/joint_bounce.c: rigid limits of one joint that bounce keep the energy of
// the body that hangs by it, whatever else moves in the joint.
#include "joint_world.h"

// A bar of 32 kg, whose middle is half a metre off the joint.
static tn_world *bar_make(tn_solver solver, tn_velocity velocity, tn_joint_def *out_base) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_def body = tn_body_def_default();
    body.pose.position.x = 0.5;
    body.velocity = velocity;
    tn_body_id bar = tn_body_create(world, &body);
    tn_shape_def shape = tn_shape_def_default();
    tn_box_shape_create(world, bar, &shape, (tn_vec3){0.4, 0.1, 0.1});
    *out_base = tn_joint_def_default();
    set_frames(world, out_base, world_body, bar, (tn_vec3){0, 0, 0}, (tn_vec3){0, 0, 1});
    return world;
}

static double energy_of(const tn_world *world) {
    tn_energy energy = tn_world_get_energy(world);
    return energy.kinetic + energy.potential;
}

typedef struct energy_course {
    double moved, gain, loss; // J: the most kinetic energy, the gain, the largest loss in a step
} energy_course;

static energy_course course_of(tn_world *world, int rate, int substeps) {
    energy_course course = {0};
    double before = energy_of(world), least = before;
    for (int i = 0; i < 4 * rate; ++i) {
        tn_world_step(world, 1.0 / rate, (uint32_t)substeps);
        double now = energy_of(world);
        least = fmin(least, now);
        course.gain = fmax(course.gain, now - least);
        course.loss = fmax(course.loss, before - now);
        course.moved = fmax(course.moved, tn_world_get_energy(world).kinetic);
        before = now;
    }
    return course;
}

static const tn_limit bouncing = {
    .is_enabled = true, .lower = -0.3f, .upper = 0.3f, .restitution = 1.0f};

typedef struct bounce_case {
    tn_solver solver;
    int rate, substeps;
} bounce_case;

static const bounce_case cases[] = {
    {TN_SOLVER_AUTO, 60, 4}, {TN_SOLVER_AUTO, 240, 1}, {TN_SOLVER_AUTO, 240, 4},
    {TN_SOLVER_PGS, 60, 4},  {TN_SOLVER_PGS, 240, 1},
};
#define CASES (sizeof cases / sizeof *cases)

// Runs a world with the planar joint: it gains and loses at most these shares of its energy.
// Returns the most kinetic energy that it had, J.
static double check_planar(const bounce_case *item, tn_world *world, const tn_planar_joint_def *def,
                           double most_gain, double most_loss) {
    tn_planar_joint_create(world, def);
    energy_course course = course_of(world, item->rate, item->substeps);
    int number = (int)(item - cases);
    cr_expect(course.gain < most_gain * course.moved, "case %d: %g of %g J gained", number,
              course.gain, course.moved);
    cr_expect(course.loss < most_loss * course.moved, "case %d: %g of %g J lost in a step", number,
              course.loss, course.moved);
    tn_world_destroy(world);
    return course.moved;
}

// Both ends are met within a few milliseconds, one by what the other throws back. One bounce took
// 119 of 155 J, and a later one, with the turn at rest on its end, gave 1.5 J.
Test(limit_bounces, ends_of_two_values_keep_the_energy) {
    for (size_t i = 0; i < CASES; ++i) {
        tn_planar_joint_def def = tn_planar_joint_def_default();
        tn_world *world = bar_make(cases[i].solver, (tn_velocity){{0, 1, 0}, {0, 0, 2}}, &def.base);
        def.y.limit = def.turn.limit = bouncing;
        cr_expect(check_planar(&cases[i], world, &def, 0.003, 0.05) > 100.0);
    }
}

// The ends of y and z leave nothing between them and do not bounce: they stand during a blow, and
// take nothing of it.
Test(limit_bounces, an_end_that_stands_takes_nothing_of_a_blow) {
    for (size_t i = 0; i < CASES; ++i) {
        tn_planar_joint_def def = tn_planar_joint_def_default();
        tn_world *world = bar_make(cases[i].solver, (tn_velocity){{0, 1, 0}, {0, 0, 2}}, &def.base);
        def.y.limit = def.z.limit = (tn_limit){.is_enabled = true};
        def.turn.limit = bouncing;
        check_planar(&cases[i], world, &def, 0.002, 0.002);
    }
}

// Gravity swings the bar about the axis, and does nothing along it. The work on the swing counted
// as a share of the blow: the speed along the axis went from 2 to 1.966 and 2.015 m/s.
Test(limit_bounces, work_on_another_value_is_no_share_of_the_blow) {
    for (size_t i = 0; i < CASES; ++i) {
        tn_cylindrical_joint_def def = tn_cylindrical_joint_def_default();
        tn_world *world = bar_make(cases[i].solver, (tn_velocity){{0, 0, 2}, {0, 0, 0}}, &def.base);
        def.slide.limit = bouncing;
        tn_cylindrical_joint_create(world, &def);
        int turns = 0;
        double worst = 0.0, before = 2.0;
        for (int k = 0; k < 3 * cases[i].rate; ++k) {
            tn_world_step(world, 1.0 / cases[i].rate, (uint32_t)cases[i].substeps);
            double speed = tn_body_get_velocity(world, def.base.body_b).linear.z;
            turns += speed * before < 0.0 ? 1 : 0;
            worst = fmax(worst, fabs(fabs(speed) - 2.0));
            before = speed;
        }
        cr_expect(turns > 7, "case %zu: %d bounces", i, turns);
        cr_expect(worst < 5e-3, "case %zu: off by %g m/s", i, worst);
        tn_world_destroy(world);
    }
}
