// Machines in a world of default settings, at 60 Hz with 4 substeps: their joints closed to a
// micrometre, their paths and energies those of far smaller steps. The figures measured stand
// beside the bars.
#include "scenes/scene.h"
#include "tests/support/long_test.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define COARSE 4
#define FINE   64 // substeps: second order leaves 1/256 of the error

static scene_run *make_run(const char *name, const char *option, double value) {
    const scene *found = scene_find(name);
    cr_assert_not_null(found);
    double values[SCENE_MAX_OPTIONS];
    cr_assert(scene_get_values(found, &(scene_choice){option, value}, 1, values));
    scene_run *run = scene_run_create(found, values, NULL);
    cr_assert_not_null(run);
    return run;
}

static void step(scene_run *run, uint32_t substeps) {
    cr_assert_eq(scene_run_step(run, 1.0 / 60.0, substeps), TN_RESULT_OK);
}

static double get_energy(const tn_world *world) {
    tn_energy energy = tn_world_get_energy(world);
    return energy.kinetic + energy.potential;
}

static double get_gap(const tn_world *world) {
    return (double)tn_world_get_telemetry(world).worst_joint_linear;
}

static double get_figure(scene_run *run, const char *name) {
    scene_run_measure(run);
    for (uint32_t i = 0; i < run->figure_count; ++i) {
        if (strcmp(run->figures[i].name, name) == 0) {
            return run->figures[i].value;
        }
    }
    cr_assert_fail("no figure %s", name);
    return (double)NAN;
}

LONG_TEST(precision, a_chain_with_a_heavy_end_whips_along_the_converged_path, .timeout = 120) {
    const double ratios[4] = {10.0, 100.0, 1000.0, 10000.0};
    for (int k = 0; k < 4; ++k) {
        scene_run *coarse = make_run("chain", "ratio", ratios[k]);
        scene_run *fine = make_run("chain", "ratio", ratios[k]);
        tn_body_id ball = scene_run_find_body(coarse, "ball");
        double start = get_energy(coarse->world), apart = 0.0, gain = 0.0, gap = 0.0;
        for (int i = 0; i < 600; ++i) {
            step(coarse, COARSE);
            gain = fmax(gain, get_energy(coarse->world) - start);
            gap = fmax(gap, get_gap(coarse->world));
            if (i < 90) {
                step(fine, FINE);
                tn_vec3 a = tn_body_get_center(coarse->world, ball);
                tn_vec3 b = tn_body_get_center(fine->world, ball);
                apart = fmax(apart, hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z));
            }
        }
        // The ball falls 10 m. Measured: 0.05 to 0.12 mm, 1e-6, 1e-10 m.
        cr_expect(apart < 1e-3, "%g to 1: %g m", ratios[k], apart);
        cr_expect(gain < 5e-4 * 9.81 * 10.2 * ratios[k], "%g to 1: %g J", ratios[k], gain);
        cr_expect(gap < 1e-6, "%g to 1: %g m", ratios[k], gap);
        scene_run_destroy(coarse);
        scene_run_destroy(fine);
    }
}

Test(precision, a_piston_turns_at_its_motors_speed) {
    scene_run *run = make_run("piston", "speed", 60.0);
    double gap = 0.0;
    for (int i = 0; i < 600; ++i) {
        step(run, COARSE);
        gap = fmax(gap, get_gap(run->world));
    }
    double speed = get_figure(run, "crank_speed");
    cr_expect(fabs(speed - 60.0) < 60.0 * 1e-4, "%.9g rad/s", speed);
    cr_expect(gap < 1e-6, "%g m", gap); // 1e-16
    scene_run_destroy(run);
}

static tn_body_id add_part(tn_world *world, double x, double inertia) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){x, 0.0, 0.0};
    tn_body_id body = tn_body_create(world, &def);
    tn_mass mass = {.mass = 10.0, .inertia = {.xx = 0.1, .yy = inertia, .zz = inertia}};
    tn_body_set_mass(world, body, mass);
    return body;
}

static void add_pin(tn_world *world, tn_body_id a, tn_body_id b, double x, const tn_motor *motor) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, 0.0, 0.0},
                                      (tn_vec3){0.0, 0.0, 1.0}));
    def.motor = motor != NULL ? *motor : def.motor;
    cr_assert(tn_hinge_joint_create(world, &def).value != 0);
}

// Crank of 1 m, rod of 3 m, each part of 10 kg, two turns a second.
Test(precision, a_large_slider_crank_turns_at_its_motors_speed) {
    const double wanted = 4.0 * acos(-1.0);
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id crank = add_part(world, 0.5, 10.0 / 12.0);
    tn_body_id rod = add_part(world, 2.5, 90.0 / 12.0);
    tn_body_id slide = add_part(world, 4.0, 0.1);
    const tn_motor motor = {
        .mode = TN_MOTOR_MODE_SPEED, .target_speed = (float)wanted, .max_force = 1e7f};
    add_pin(world, (tn_body_id){0}, crank, 0.0, &motor);
    add_pin(world, crank, rod, 1.0, NULL);
    add_pin(world, rod, slide, 4.0, NULL);
    tn_slider_joint_def def = tn_slider_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, slide,
                                      (tn_vec3){4.0, 0.0, 0.0}, (tn_vec3){1.0, 0.0, 0.0}));
    cr_assert(tn_slider_joint_create(world, &def).value != 0);
    for (int i = 0; i < 600; ++i) {
        cr_assert_eq(tn_world_step(world, 1.0 / 60.0, COARSE), TN_RESULT_OK);
        double speed = tn_body_get_velocity(world, crank).angular.z;
        cr_assert(fabs(fabs(speed) - wanted) < 1e-4 * wanted, "step %d: %.9g rad/s", i, speed);
        cr_assert(get_gap(world) < 1e-6, "step %d: %g m", i, get_gap(world));
        // Where trigonometry puts it: the crank's middle is at half its length.
        tn_vec3 p = tn_body_get_center(world, crank);
        double x = 2.0 * p.x + sqrt(9.0 - 4.0 * p.y * p.y);
        cr_assert(fabs(tn_body_get_center(world, slide).x - x) < 1e-6, "step %d", i);
    }
    tn_world_destroy(world);
}

// Turns of 0.25 rad in a stage: what closing the joints takes, and what is given beforehand for it,
// is some times as much as what is left in the end, 80 J. 0.8 %.
Test(precision, the_motor_of_a_fast_piston_is_told_what_it_does) {
    scene_run *run = make_run("piston", NULL, 0.0);
    double start = get_energy(run->world);
    for (int i = 0; i < 180; ++i) {
        step(run, COARSE);
    }
    double gained = get_energy(run->world) - start;
    double work = tn_joint_get_motor_work(run->world, scene_run_find_joint(run, "bearing"));
    cr_expect(gained > 50.0 && fabs(work - gained) < 0.02 * gained, "%g of %g J", work, gained);
    scene_run_destroy(run);
}

// At 240 Hz stages begin with the projection's factor. 0.01 %.
Test(precision, the_motor_of_a_piston_in_short_steps_is_told_what_it_does) {
    scene_run *run = make_run("piston", NULL, 0.0);
    double start = get_energy(run->world);
    for (int i = 0; i < 720; ++i) {
        tn_world_step(run->world, 1.0 / 240.0, COARSE);
    }
    double gained = get_energy(run->world) - start;
    double work = tn_joint_get_motor_work(run->world, scene_run_find_joint(run, "bearing"));
    cr_expect(gained > 50.0 && fabs(work - gained) < 0.001 * gained, "%g of %g J", work, gained);
    scene_run_destroy(run);
}

// A step of four stages is projected once, four steps of one stage each time: a driven machine has
// no motion of its own that would notice.
Test(precision, a_driven_piston_moves_alike_in_one_step_and_in_four) {
    scene_run *whole = make_run("piston", NULL, 0.0), *parts = make_run("piston", NULL, 0.0);
    tn_joint_id pin = scene_run_find_joint(whole, "wrist_pin");
    tn_joint_id other = scene_run_find_joint(parts, "wrist_pin");
    tn_body_id piston = scene_run_find_body(whole, "piston");
    double apart = 0.0, square = 0.0, all = 0.0;
    for (int i = 0; i < 120; ++i) {
        step(whole, 4);
        double force = tn_joint_get_reaction(whole->world, pin).force.x, sum = 0.0;
        for (int k = 0; k < 4; ++k) {
            cr_assert_eq(scene_run_step(parts, 1.0 / 240.0, 1), TN_RESULT_OK);
            sum += 0.25 * tn_joint_get_reaction(parts->world, other).force.x;
        }
        double x = tn_body_get_center(whole->world, piston).x;
        apart = fmax(apart, fabs(x - tn_body_get_center(parts->world, piston).x));
        square += i < 10 ? 0.0 : (force - sum) * (force - sum);
        all += i < 10 ? 0.0 : sum * sum;
    }
    cr_expect(apart < 1e-9, "%g m", apart);                         // 2e-12
    cr_expect(square < 1e-8 * all, "%g of it", sqrt(square / all)); // 7e-6
    cr_expect(get_gap(whole->world) < 1e-12);
    scene_run_destroy(whole);
    scene_run_destroy(parts);
}

Test(precision, a_trebuchet_loses_nothing_before_the_release) {
    scene_run *run = make_run("trebuchet", NULL, 0.0);
    double gap = 0.0;
    for (int i = 0; i < 90; ++i) {
        step(run, COARSE);
        gap = fmax(gap, get_gap(run->world));
    }
    double lost = get_figure(run, "energy_lost_relative");
    cr_expect(fabs(lost) < 1e-4, "%g", lost); // 3e-5
    cr_expect(gap < 1e-6, "%g m", gap);       // 1e-14
    scene_run_destroy(run);
}

// Hanging free the ball has no trough to lose energy in: 82.63 m/s at the release, 7 mm/s short of
// it.
Test(precision, a_trebuchet_reaches_its_top_speed) {
    double speeds[2];
    for (int k = 0; k < 2; ++k) {
        scene_run *run = make_run("trebuchet", "trough", 0.0);
        for (int i = 0; i < 72; ++i) {
            step(run, k == 0 ? COARSE : FINE);
        }
        speeds[k] = get_figure(run, "speed_max");
        scene_run_destroy(run);
    }
    cr_expect(fabs(speeds[0] - speeds[1]) < 0.01, "%.6g and %.6g m/s", speeds[0], speeds[1]);
}

// 109 joints of slender legs: by elimination with pivots in long double 108 of 545 rows depend on
// others, with nothing between 1e-20 and 1e-4 of a row.
Test(precision, a_walker_tells_its_rank_in_every_step) {
    scene_run *run = make_run("walker", NULL, 0.0);
    for (int i = 0; i < 60; ++i) {
        step(run, COARSE);
        tn_mechanism_info info;
        cr_assert(tn_world_get_mechanisms(run->world, &info, 1) == 1);
        cr_assert(info.dependent_rows == 108, "step %d: %u", i, info.dependent_rows);
    }
    scene_run_destroy(run);
}

// Ropes that lie on a wheel touch more than can be solved through their joints.
Test(precision, ropes_over_a_wheel_stay_on_it_with_the_direct_solver) {
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_DIRECT;
    scene_run *run = scene_run_create(scene_find("atwood"), NULL, &def);
    cr_assert_not_null(run);
    for (int i = 0; i < 120; ++i) {
        cr_assert_eq(scene_run_step(run, 1.0 / 60.0, 4), TN_RESULT_OK);
    }
    cr_assert(run->penetration_max < 3e-3, "%g m deep", run->penetration_max);
    scene_run_destroy(run);
}
