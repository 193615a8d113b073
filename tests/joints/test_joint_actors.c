// Drives of accelerations and viscous friction of every joint that has them, under both solvers,
// against closed forms.
#include "joint_rig.h"

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};

// ---- drives -------------------------------------------------------------------------------------

// x = 1 - e^(-d t) (cos(w t) + d/w sin(w t)) from rest at 0 to 1, with k = w^2 + d^2 and c = 2 d.
static double oscillator(double stiffness, double damping, double t) {
    double d = 0.5 * damping, w = sqrt(stiffness - d * d);
    return 1.0 - exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
}

static const tn_motor drive = {.mode = TN_MOTOR_MODE_POSITION,
                               .target_position = 1.0f,
                               .stiffness = 100.0f,
                               .damping = 4.0f,
                               .max_force = INFINITY,
                               .drive = TN_DRIVE_MODE_ACCELERATION};

// Tolerance: the midpoint rule is late by w^3 h^2 t / 12, 1.5e-3 at 240 substeps a second.
static void check_drive(tn_joint_type type, tn_solver solver, double mass) {
    joint_rig rig = rig_make(type, solver, mass, none);
    rig_set_motor(&rig, drive);
    double worst = 0.0;
    for (int i = 1; i <= 60; ++i) {
        run(rig.world, 1.0 / 60.0, 60.0, 4);
        worst = fmax(worst, fabs(rig_get_value(&rig) - oscillator(100.0, 4.0, i / 60.0)));
    }
    cr_assert(worst < 2e-3, "type %d, solver %d, %g kg: %g", (int)type, (int)solver, mass, worst);
    rig_destroy(&rig);
}

Test(joint_actors, a_drive_of_an_acceleration_moves_light_and_heavy_bodies_alike) {
    for (int k = 0; k < RIG_TYPES * RIG_SOLVERS; ++k) {
        tn_joint_type type = rig_types[k / RIG_SOLVERS];
        tn_solver solver = rig_solvers[k % RIG_SOLVERS];
        check_drive(type, solver, 0.02);
        check_drive(type, solver, 1.0);
        check_drive(type, solver, 5000.0);
    }
}

// 10 kg, 0.1 kg·m² about their centre 1 m from the hinge: 10.1 about that, which the drive feels.
Test(joint_actors, a_drive_of_an_acceleration_knows_the_mass_that_its_joint_leaves) {
    for (int k = 0; k < RIG_SOLVERS; ++k) {
        joint_rig rig = rig_make(TN_JOINT_TYPE_HINGE, rig_solvers[k], 1.0, none);
        tn_body_id arm = body_make(rig.world, 1, 0, 0, 10, 0.1);
        rig.joint = joint_make(rig.world, TN_JOINT_TYPE_HINGE, world_body, arm, (tn_vec3){0, 0, 0},
                               (tn_vec3){0, 0, 1});
        rig_set_motor(&rig, drive);
        double worst = 0.0;
        for (int i = 1; i <= 60; ++i) {
            run(rig.world, 1.0 / 60.0, 60.0, 8);
            worst = fmax(worst, fabs(rig_get_value(&rig) - oscillator(100.0, 4.0, i / 60.0)));
        }
        // Under Gauss-Seidel the pin is a soft spring in series.
        cr_assert(worst < (rig_solvers[k] == TN_SOLVER_DIRECT ? 1e-3 : 0.05), "%g", worst);
        rig_destroy(&rig);
    }
}

// Damping alone: v = 3 (1 - e^(-5 t)).
Test(joint_actors, a_drive_without_stiffness_holds_a_velocity) {
    for (int k = 0; k < RIG_TYPES * RIG_SOLVERS; ++k) {
        for (int heavy = 0; heavy < 2; ++heavy) {
            double mass = heavy ? 800.0 : 0.05;
            joint_rig rig =
                rig_make(rig_types[k / RIG_SOLVERS], rig_solvers[k % RIG_SOLVERS], mass, none);
            tn_motor motor = {.mode = TN_MOTOR_MODE_POSITION,
                              .target_speed = 3.0f,
                              .damping = 5.0f,
                              .max_force = INFINITY,
                              .drive = TN_DRIVE_MODE_ACCELERATION};
            rig_set_motor(&rig, motor);
            for (int i = 1; i <= 30; ++i) {
                run(rig.world, 1.0 / 60.0, 60.0, 4);
                double truth = 3.0 * (1.0 - exp(-5.0 * i / 60.0));
                cr_assert_float_eq(rig_get_speed(&rig), truth, 1e-3, "type %d, solver %d: %g",
                                   (int)rig.type, k % RIG_SOLVERS, rig_get_speed(&rig));
            }
            rig_destroy(&rig);
        }
    }
}

// At its cap, in newtons, it moves 4 kg by cap / mass.
Test(joint_actors, a_drive_of_an_acceleration_is_capped_by_a_force) {
    for (int k = 0; k < RIG_TYPES * RIG_SOLVERS; ++k) {
        joint_rig rig =
            rig_make(rig_types[k / RIG_SOLVERS], rig_solvers[k % RIG_SOLVERS], 4.0, none);
        tn_motor motor = drive;
        motor.stiffness = 1e6f;
        motor.max_force = 2.0f;
        rig_set_motor(&rig, motor);
        run(rig.world, 1.0, 60.0, 4);
        cr_assert_float_eq(rig_get_speed(&rig), 0.5, 2e-3, "%g", rig_get_speed(&rig));
        cr_assert_float_eq(fabs((double)tn_joint_get_motor_effort(rig.world, rig.joint)), 2.0,
                           1e-3);
        rig_destroy(&rig);
    }
}

Test(joint_actors, a_drive_is_stable_at_any_stiffness_and_step) {
    const float stiffnesses[] = {1e3f, 1e6f, 1e12f, 1e30f};
    for (int k = 0; k < RIG_TYPES * RIG_SOLVERS; ++k) {
        for (int s = 0; s < 4; ++s) {
            joint_rig rig =
                rig_make(rig_types[k / RIG_SOLVERS], rig_solvers[k % RIG_SOLVERS], 3.0, none);
            tn_motor motor = drive;
            motor.stiffness = stiffnesses[s];
            motor.damping = 2.0f * sqrtf(stiffnesses[s]);
            rig_set_motor(&rig, motor);
            run(rig.world, 3.0, 10.0, 1);
            cr_assert_float_eq(rig_get_value(&rig), 1.0, 1e-3, "type %d, solver %d, %g: %g",
                               (int)rig.type, k % RIG_SOLVERS, (double)stiffnesses[s],
                               rig_get_value(&rig));
            rig_destroy(&rig);
        }
    }
}

// ---- viscous friction ---------------------------------------------------------------------------

// v = 4 e^(-c t / m)
Test(joint_actors, viscous_friction_slows_by_an_exponential) {
    for (int k = 0; k < RIG_TYPES * RIG_SOLVERS; ++k) {
        joint_rig rig =
            rig_make(rig_types[k / RIG_SOLVERS], rig_solvers[k % RIG_SOLVERS], 2.0, none);
        rig_set_friction(&rig, 0.0f, 6.0f);
        rig_push_off(&rig, 4.0);
        for (int i = 1; i <= 60; ++i) {
            run(rig.world, 1.0 / 60.0, 60.0, 4);
            double truth = 4.0 * exp(-3.0 * i / 60.0);
            cr_assert_float_eq(rig_get_speed(&rig), truth, 3e-4, "type %d, solver %d: %g and %g",
                               (int)rig.type, k % RIG_SOLVERS, rig_get_speed(&rig), truth);
        }
        rig_destroy(&rig);
    }
}

// v = (v0 + F/c) e^(-c t / m) - F/c until rest, and the ledger has all that was lost.
Test(joint_actors, viscous_and_dry_friction_slow_together_until_rest) {
    for (int k = 0; k < RIG_TYPES * RIG_SOLVERS; ++k) {
        joint_rig rig = rig_make_with(rig_types[k / RIG_SOLVERS], rig_solvers[k % RIG_SOLVERS], 2.0,
                                      none, true);
        rig_set_friction(&rig, 3.0f, 2.0f);
        rig_push_off(&rig, 4.0);
        double start = tn_world_get_energy(rig.world).kinetic;
        for (int i = 1; i <= 120; ++i) {
            run(rig.world, 1.0 / 60.0, 60.0, 4);
            double truth = fmax(5.5 * exp(-i / 60.0) - 1.5, 0.0);
            cr_assert_float_eq(rig_get_speed(&rig), truth, 2e-3, "type %d, solver %d: %g and %g",
                               (int)rig.type, k % RIG_SOLVERS, rig_get_speed(&rig), truth);
        }
        cr_assert(fabs(rig_get_speed(&rig)) < 1e-6);
        double lost = -tn_world_get_energy(rig.world).friction_work;
        cr_assert_float_eq(lost / start, 1.0, 1e-4, "type %d, solver %d: %g of %g J", (int)rig.type,
                           k % RIG_SOLVERS, lost, start);
        rig_destroy(&rig);
    }
}

// A slider falls at m g / c in the end, and its reaction bears its weight.
Test(joint_actors, viscous_friction_bears_what_sinks_at_a_steady_speed) {
    for (int k = 0; k < RIG_SOLVERS; ++k) {
        joint_rig rig = rig_make(TN_JOINT_TYPE_SLIDER, rig_solvers[k], 1.0, gravity);
        tn_body_id weight = body_make(rig.world, 3, 0, 0, 2, 1);
        rig.joint = joint_make(rig.world, TN_JOINT_TYPE_SLIDER, world_body, weight,
                               (tn_vec3){3, 0, 0}, (tn_vec3){0, 1, 0});
        rig_set_friction(&rig, 0.0f, 10.0f);
        run(rig.world, 4.0, 60.0, 4);
        cr_assert_float_eq(tn_slider_joint_get_speed(rig.world, rig.joint), -1.962, 1e-4);
        cr_assert_float_eq(tn_joint_get_reaction(rig.world, rig.joint).force.y, 19.62, 2e-3);
        rig_destroy(&rig);
    }
}
