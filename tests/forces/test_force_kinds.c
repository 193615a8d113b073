// Ready-made forces against closed forms.
#include "force_world.h"

TestSuite(force_kinds, .timeout = 60);

static const double pi = 3.14159265358979323846;

// ---- air ---------------------------------------------------------------------------------------

// v = v_t tanh(g t / v_t), v_t = sqrt(2 m g / (rho C A)).
Test(force_kinds, a_body_falls_up_to_its_terminal_velocity) {
    tn_world *world = world_make(force_gravity, NULL);
    tn_body_id body = body_make(world, 0.0, 0.0, 0.0, 80.0, 10.0);
    air_make(world, connector_at(body, 0, 0, 0), 25.0, (tn_vec3){0, 0, 0});
    double terminal = sqrt(2.0 * 80.0 * FORCE_G / (1.2 * 25.0)), h = 1.0 / 240.0;
    for (int i = 1; i <= 2400; ++i) {
        cr_assert(tn_world_step(world, 4.0 * h, 4) == TN_RESULT_OK);
        double v = -velocity_of(world, body).y;
        double expected = terminal * tanh(FORCE_G * 4.0 * h * i / terminal);
        cr_assert(fabs(v - expected) < 2e-4 * terminal, "%g s: %g, not %g", 4.0 * h * i, v,
                  expected);
    }
    cr_assert(fabs(-velocity_of(world, body).y - terminal) < 1e-6 * terminal);
    tn_world_destroy(world);
}

// A feather: the drag at the wind's speed would turn it around a thousand times in a substep.
Test(force_kinds, what_is_light_goes_with_the_wind) {
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_id body = body_make(world, 0.0, 0.0, 0.0, 1e-4, 1e-6);
    air_make(world, connector_at(body, 0, 0, 0), 1.0, (tn_vec3){10.0, 0.0, 2.0});
    double fastest = 0.0;
    for (int i = 0; i < 600; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 1) == TN_RESULT_OK);
        fastest = fmax(fastest, velocity_of(world, body).x);
    }
    cr_assert(fastest <= 10.0 + 1e-9, "%g m/s", fastest);
    cr_assert(fabs(velocity_of(world, body).z - 2.0) < 0.01, "%g", velocity_of(world, body).z);
    tn_world_destroy(world);
}

Test(force_kinds, gusts_are_sines_in_time) {
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_id body = body_make(world, 0.0, 0.0, 0.0, 1e9, 1e9);
    tn_air_force_def def = tn_air_force_def_default();
    def.base.connectors[0].body = body;
    def.base.connectors[0].amount = 2.0;
    def.base.connector_count = 1;
    def.air.wind = (tn_vec3){3.0, 0.0, 0.0};
    def.air.gusts[0] = (tn_gust){{1.0, 0.0, 0.0}, 0.5, 0.3};
    def.air.gusts[1] = (tn_gust){{0.0, 0.0, 2.0}, 0.1, 0.0};
    def.air.gust_count = 2;
    tn_force_id air = tn_air_force_create(world, &def);
    for (int i = 0; i < 60; ++i) {
        cr_assert(tn_world_step(world, 0.1, 1) == TN_RESULT_OK);
        double t = 0.1 * i + 0.05, u = 3.0 + sin(pi * t + 0.3), w = 2.0 * sin(0.2 * pi * t);
        double force = 0.5 * 1.2 * 2.0 * sqrt(u * u + w * w);
        tn_vec3 f = tn_force_get_force(world, air, 0);
        cr_assert(fabs(f.x - force * u) < 1e-5 && fabs(f.z - force * w) < 1e-5, "%g %g, %g %g", f.x,
                  f.z, force * u, force * w);
    }
    tn_world_destroy(world);
}

// ---- magnets -----------------------------------------------------------------------------------

static tn_force_id magnets_make(tn_world *world, tn_body_id a, tn_vec3 m, tn_body_id b, tn_vec3 n) {
    tn_magnet_force_def def = tn_magnet_force_def_default();
    double of_a = sqrt(m.x * m.x + m.y * m.y + m.z * m.z);
    double of_b = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    def.base.connectors[0] = connector_along(a, m, of_a);
    def.base.connectors[1] = connector_along(b, n, of_b);
    def.base.connector_count = 2;
    tn_force_id force = tn_magnet_force_create(world, &def);
    cr_assert(force.value != 0);
    return force;
}

// 3 mu0 m n / (2 pi r^4) along the axis, half as much side by side and the other way.
Test(force_kinds, magnets_attract_by_the_fourth_power) {
    for (int k = 0; k < 3; ++k) {
        tn_world *world = world_make(force_no_gravity, NULL);
        double r = 0.05 * (1 << k), mu0 = 4e-7 * pi * 1.00000000055;
        tn_body_id a = body_make(world, 0.0, 0.0, 0.0, 1.0, 0.01);
        tn_body_id b = body_make(world, r, 0.0, 0.0, 1.0, 0.01);
        tn_body_id c = body_make(world, 0.0, 100.0, 0.0, 1.0, 0.01);
        tn_body_id d = body_make(world, r, 100.0, 0.0, 1.0, 0.01);
        tn_force_id along = magnets_make(world, a, (tn_vec3){2.0, 0, 0}, b, (tn_vec3){3.0, 0, 0});
        tn_force_id beside = magnets_make(world, c, (tn_vec3){0, 2.0, 0}, d, (tn_vec3){0, 3.0, 0});
        cr_assert(tn_world_step(world, 1e-6, 1) == TN_RESULT_OK);
        double expected = 3.0 * mu0 * 6.0 / (2.0 * pi * r * r * r * r);
        double f = tn_force_get_force(world, along, 0).x,
               g = tn_force_get_force(world, beside, 0).x;
        cr_assert(fabs(f - expected) < 1e-9 * expected, "%g, not %g", f, expected);
        cr_assert(fabs(g + 0.5 * expected) < 1e-9 * expected, "%g, not %g", g, -0.5 * expected);
        tn_world_destroy(world);
    }
}

// The force is the negative gradient of -n . B, and the torques and the moment of the forces
// cancel.
Test(force_kinds, magnets_keep_momenta_and_energy) {
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_id a = body_make(world, 0.0, 0.0, 0.0, 0.1, 1e-4);
    tn_body_id b = body_make(world, 0.1, 0.05, -0.02, 0.2, 2e-4);
    tn_force_id force =
        magnets_make(world, a, (tn_vec3){1.0, 2.0, -1.0}, b, (tn_vec3){-1.0, 0.5, 3.0});
    cr_assert(tn_world_step(world, 1e-9, 1) == TN_RESULT_OK);
    tn_vec3 f = tn_force_get_force(world, force, 1), s = tn_force_get_torque(world, force, 0),
            t = tn_force_get_torque(world, force, 1);
    double moment = 0.1 * f.y - 0.05 * f.x + s.z + t.z;
    cr_assert(fabs(moment) < 1e-12 * (fabs(s.z) + fabs(t.z)), "%g of %g", moment, s.z);
    tn_world_destroy(world);
}

// A compass needle in the field of a far magnet: w^2 = m B / I, B = mu0 n / (2 pi r^3).
Test(force_kinds, a_needle_swings_in_a_field) {
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_id needle = body_make(world, 1.0, 0.0, 0.0, 1e6, 1e-3);
    tn_pose pose = {.position = {1.0, 0.0, 0.0}, .rotation = {0, 0, sin(0.005), cos(0.005)}};
    tn_body_set_pose(world, needle, pose);
    tn_body_id magnet = static_body_make(world, 0.0, 0.0, 0.0);
    magnets_make(world, magnet, (tn_vec3){1e4, 0, 0}, needle, (tn_vec3){5.0, 0, 0});
    double w = sqrt(5.0 * 2e-7 * 1e4 / 1e-3), time = 0.0, before = 1.0;
    for (int i = 1; time == 0.0 && i < 10000; ++i) {
        cr_assert(tn_world_step(world, 1e-3, 1) == TN_RESULT_OK);
        double now = tn_body_get_pose(world, needle).rotation.z;
        time = now <= 0.0 ? 1e-3 * (i - 1 + before / (before - now)) : 0.0;
        before = now;
    }
    cr_assert(fabs(time - 0.5 * pi / w) < 2e-4 * time, "%g s, not %g", time, 0.5 * pi / w);
    tn_world_destroy(world);
}

// ---- motor -------------------------------------------------------------------------------------

// w = w0 (1 - exp(-T0 t / (I w0))) on a free axis.
Test(force_kinds, a_motor_runs_up_to_its_speed_without_load) {
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_id rotor = body_make(world, 0.0, 0.0, 0.0, 1.0, 0.5);
    tn_motor_force_def def = tn_motor_force_def_default();
    def.base.connectors[0].axis = (tn_vec3){0.0, 2.0, 0.0};
    def.base.connectors[1].body = rotor;
    def.motor = (tn_force_motor){4.0, 20.0};
    tn_force_id motor = tn_motor_force_create(world, &def);
    for (int i = 1; i <= 600; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
        double w = tn_body_get_velocity(world, rotor).angular.y;
        double expected = 20.0 * (1.0 - exp(-4.0 / (0.5 * 20.0) * i / 60.0));
        cr_assert(fabs(w - expected) < 1e-5, "%g s: %g, not %g", i / 60.0, w, expected);
    }
    tn_motor_force_set(world, motor, (tn_force_motor){-3.0, (double)INFINITY});
    double w = tn_body_get_velocity(world, rotor).angular.y;
    run(world, 1.0, 60.0, 4);
    double now = tn_body_get_velocity(world, rotor).angular.y;
    cr_assert(fabs(now - (w - 3.0 / 0.5)) < 1e-5, "%g, not %g", now, w - 6.0);
    tn_world_destroy(world);
}

// ---- water -------------------------------------------------------------------------------------

// A box of density 600 in water of 1000 sinks in for 0.6 of its height.
Test(force_kinds, a_box_floats_at_its_draught) {
    tn_world *world = world_make(force_gravity, NULL);
    tn_body_id body = box_make(world, (tn_vec3){0.0, 0.1, 0.0}, (tn_vec3){1.0, 0.25, 1.0}, 600.0f);
    tn_force_id water = water_make(world, body, 2.0);
    run(world, 20.0, 60.0, 4);
    double draught = 0.25 - center_of(world, body).y;
    cr_assert(fabs(draught - 0.3) < 1e-6, "%.9f m", draught);
    double volume = tn_buoyancy_force_get_volume(world, water, 0);
    cr_assert(fabs(volume - 1.2) < 1e-5, "%g m^3", volume);
    tn_world_destroy(world);
}

static double measure_swing(tn_world *world, tn_body_id body, bool is_roll) {
    double last = 0.0, first = -1.0, before = 1.0;
    int passages = 0;
    for (int i = 1; i <= 7200 && passages < 11; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 120.0, 2) == TN_RESULT_OK);
        double now =
            is_roll ? tn_body_get_pose(world, body).rotation.z : center_of(world, body).y + 0.05;
        if ((now <= 0.0) != (before <= 0.0)) {
            last = (i - 1 + before / (before - now)) / 120.0;
            first = passages == 0 ? last : first;
            passages += 1;
        }
        before = now;
    }
    cr_assert(passages == 11, "%d passages", passages);
    return (last - first) / 5.0;
}

// Heave: w^2 = g / draught. Roll: w^2 = m g GM / I with GM = b^2 / (12 draught) - (height -
// draught) / 2.
Test(force_kinds, a_box_heaves_and_rolls_with_its_periods) {
    tn_vec3 half = {1.0, 0.25, 1.0};
    for (int is_roll = 0; is_roll < 2; ++is_roll) {
        tn_world *world = world_make(force_gravity, NULL);
        tn_body_id body = box_make(world, (tn_vec3){0.0, -0.05, 0.0}, half, 600.0f);
        tn_pose pose = tn_body_get_pose(world, body);
        if (is_roll) {
            pose.rotation.z = sin(0.01);
            pose.rotation.w = cos(0.01);
        } else {
            pose.position.y += 0.02;
        }
        tn_body_set_pose(world, body, pose);
        water_make(world, body, 0.0);
        double gm = 4.0 / (12.0 * 0.3) - 0.1, arm = (0.5 * 0.5 + 2.0 * 2.0) / 12.0;
        double w = is_roll ? sqrt(FORCE_G * gm / arm) : sqrt(FORCE_G / 0.3);
        double period = measure_swing(world, body, is_roll);
        cr_assert(fabs(period * w / (2.0 * pi) - 1.0) < 1e-3, "%g s, not %g", period, 2.0 * pi / w);
        tn_world_destroy(world);
    }
}

// With GM < 0 upright is no rest: a tall box lies down.
Test(force_kinds, a_tall_box_capsizes) {
    tn_world *world = world_make(force_gravity, NULL);
    tn_body_id body = box_make(world, (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.2, 1.0, 0.5}, 500.0f);
    tn_pose pose = {.rotation = {0.0, 0.0, sin(0.005), cos(0.005)}};
    tn_body_set_pose(world, body, pose);
    water_make(world, body, 1.0);
    run(world, 30.0, 60.0, 4);
    tn_quat q = tn_body_get_pose(world, body).rotation;
    double upright = 1.0 - 2.0 * (q.x * q.x + q.z * q.z);
    cr_assert(fabs(upright) < 0.02, "%g", upright);
    tn_world_destroy(world);
}

// Of water's density and under it: v = exp(-b1 t), w too.
Test(force_kinds, water_drags_what_it_displaces) {
    tn_world *world = world_make(force_gravity, NULL);
    tn_body_id body =
        box_make(world, (tn_vec3){0.0, -50.0, 0.0}, (tn_vec3){0.3, 0.3, 0.3}, 1000.0f);
    tn_body_set_velocity(world, body, (tn_velocity){{2.0, 0.0, 0.0}, {0.0, 3.0, 0.0}});
    water_make(world, body, 1.5);
    run(world, 1.0, 60.0, 4);
    tn_velocity v = tn_body_get_velocity(world, body);
    cr_assert(fabs(v.linear.x - 2.0 * exp(-1.5)) < 1e-4, "%g", v.linear.x);
    cr_assert(fabs(v.angular.y - 3.0 * exp(-1.5)) < 1e-4, "%g", v.angular.y);
    cr_assert(fabs(v.linear.y) < 1e-3, "%g", v.linear.y);
    tn_world_destroy(world);
}

// ---- spring ------------------------------------------------------------------------------------

Test(force_kinds, a_spring_hangs_as_long_as_its_weight_makes_it) {
    tn_world *world = world_make(force_gravity, NULL);
    tn_body_id body = body_make(world, 0.0, -1.0, 0.0, 3.0, 1.0);
    tn_force_id spring = spring_make(world, connector_at(world_body, 0, 0, 0),
                                     connector_at(body, 0, 0.2, 0), 1000.0, 100.0, 0.7);
    run(world, 20.0, 60.0, 4);
    double expected = -0.9 - 3.0 * FORCE_G / 1000.0;
    cr_assert(fabs(center_of(world, body).y - expected) < 1e-6, "%.9f, not %.9f",
              center_of(world, body).y, expected);
    tn_vec3 f = tn_force_get_force(world, spring, 1);
    cr_assert(fabs(f.y - 3.0 * FORCE_G) < 1e-5, "%g N", f.y);
    tn_world_destroy(world);
}
