// Tests of solver/bodies/integrate.c: free bodies keep their momentum, in a world of their own.
#include <tenon/tenon.h>

#include <criterion/criterion.h>
#include <math.h>

static tn_world *make_world(tn_vec3 gravity) {
    tn_world_def def = tn_world_def_default();
    def.gravity = gravity;
    def.is_sleep_allowed = false;
    return tn_world_create(&def, NULL);
}

static tn_body_id add_body(tn_world *world, double ix, double iy, double iz, tn_vec3 v, tn_vec3 w) {
    tn_body_def def = tn_body_def_default();
    def.has_mass = true;
    def.mass.mass = 2.0;
    def.mass.inertia = (tn_mat3_symmetric){ix, iy, iz, 0.0, 0.0, 0.0};
    def.velocity.linear = v;
    def.velocity.angular = w;
    return tn_body_create(world, &def);
}

static double distance(tn_vec3 a, tn_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

// The middle axis is unstable: the body tumbles for the whole minute.
Test(integrate, a_t_handle_keeps_momentum_and_energy_for_a_minute) {
    tn_world *world = make_world((tn_vec3){0.0, 0.0, 0.0});
    tn_vec3 zero = {0.0, 0.0, 0.0};
    tn_body_id body = add_body(world, 0.02, 0.03, 0.045, zero, (tn_vec3){0.01, 10.0, 0.02});
    tn_vec3 start = tn_body_get_angular_momentum(world, body);
    double energy = tn_body_get_kinetic_energy(world, body);
    double length = distance(start, zero), worst = 0.0, worst_energy = 0.0;
    for (int i = 0; i < 3600; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
        worst = fmax(worst, distance(tn_body_get_angular_momentum(world, body), start) / length);
        double change = fabs(tn_body_get_kinetic_energy(world, body) / energy - 1.0);
        worst_energy = fmax(worst_energy, change);
    }
    // Kept by construction: what is left is round-off in double, 14400 substeps of about 1e-16
    // each.
    cr_assert(worst < 1e-11, "momentum is off by %g of itself", worst);
    // Bounded, of second order in h w = 0.042.
    cr_assert(worst_energy < 5e-4, "energy is off by %g of itself", worst_energy);
    tn_world_destroy(world);
}

// Euler's equations for a symmetric body: w turns about the axis at (I3 - I1)/I1 w3 in body axes,
// and the axis goes round the constant momentum at |L|/I1.
Test(integrate, a_symmetric_top_nutates_at_the_exact_rate) {
    tn_world *world = make_world((tn_vec3){0.0, 0.0, 0.0});
    double i1 = 0.03, i3 = 0.05;
    tn_body_id body =
        add_body(world, i1, i1, i3, (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){1.0, 0.0, 4.0});
    tn_vec3 l = tn_body_get_angular_momentum(world, body);
    double length = distance(l, (tn_vec3){0.0, 0.0, 0.0});
    tn_vec3 u = {l.x / length, l.y / length, l.z / length};
    for (int i = 0; i < 600; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    // The axis at the start was z: turn it about u by |L|/I1 t (Rodrigues).
    double angle = length / i1 * 10.0, c = cos(angle), s = sin(angle), d = u.z * (1.0 - c);
    tn_vec3 wanted = {u.y * s + u.x * d, -u.x * s + u.y * d, c + u.z * d};
    tn_vec3 axis = tn_body_get_world_vector(world, body, (tn_vec3){0.0, 0.0, 1.0});
    // In closed form: round-off of 2400 substeps is left.
    cr_assert(distance(axis, wanted) < 1e-10, "the axis is off by %g", distance(axis, wanted));
    tn_world_destroy(world);
}

Test(integrate, a_thrown_body_follows_the_parabola_exactly) {
    tn_world *world = make_world((tn_vec3){0.0, -9.8125, 0.0}); // exact in float
    tn_body_id body =
        add_body(world, 1.0, 1.0, 1.0, (tn_vec3){3.0, 7.0, -2.0}, (tn_vec3){0.0, 0.0, 0.0});
    for (int i = 0; i < 120; ++i) {
        tn_world_step(world, 1.0 / 60.0, 3);
    }
    tn_vec3 p = tn_body_get_center(world, body);
    double t = 2.0;
    cr_assert(fabs(p.x - 3.0 * t) < 1e-12);
    cr_assert(fabs(p.y - (7.0 * t - 0.5 * 9.8125 * t * t)) < 1e-11, "y %.15g", p.y);
    cr_assert(fabs(p.z + 2.0 * t) < 1e-12);
    tn_world_destroy(world);
}

Test(integrate, a_crank_at_ten_thousand_rpm_is_not_slowed) {
    tn_world *world = make_world((tn_vec3){0.0, 0.0, 0.0});
    double w = 10000.0 / 60.0 * 2.0 * 3.14159265358979323846;
    tn_body_id body =
        add_body(world, 0.1, 0.2, 0.2, (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){w, 0.0, 0.0});
    for (int i = 0; i < 600; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    cr_assert(fabs(tn_body_get_velocity(world, body).angular.x - w) < 1e-9 * w);
    tn_world_destroy(world);
}

Test(integrate, damping_takes_the_same_share_at_every_step_rate) {
    double speeds[2];
    for (int run = 0; run < 2; ++run) {
        tn_world *world = make_world((tn_vec3){0.0, 0.0, 0.0});
        tn_body_id body =
            add_body(world, 1.0, 1.0, 1.0, (tn_vec3){5.0, 0.0, 0.0}, (tn_vec3){0.0, 3.0, 0.0});
        tn_body_set_damping(world, body, 0.5f, 0.25f);
        int steps = run == 0 ? 60 : 240;
        for (int i = 0; i < steps; ++i) {
            tn_world_step(world, 1.0 / (double)steps, 4);
        }
        speeds[run] = tn_body_get_velocity(world, body).linear.x;
        // exp(-c t) to first order in h c = 0.002.
        cr_assert(fabs(speeds[run] / (5.0 * exp(-0.5)) - 1.0) < 1e-3);
        cr_assert(fabs(tn_body_get_velocity(world, body).angular.y / (3.0 * exp(-0.25)) - 1.0) <
                  1e-3);
        tn_world_destroy(world);
    }
    cr_assert(fabs(speeds[0] - speeds[1]) < 1e-3 * speeds[0]);
}

Test(integrate, locked_axes_do_not_move) {
    tn_world *world = make_world((tn_vec3){0.0, -10.0, 0.0});
    tn_body_id body =
        add_body(world, 0.1, 0.2, 0.3, (tn_vec3){1.0, 2.0, 3.0}, (tn_vec3){1.0, 2.0, 3.0});
    tn_body_set_locks(world, body,
                      TN_BODY_LOCK_LINEAR_Y | TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Z);
    for (int i = 0; i < 60; ++i) {
        tn_body_apply_torque(world, body, (tn_vec3){5.0, 0.0, 5.0});
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    tn_velocity v = tn_body_get_velocity(world, body);
    cr_assert(v.linear.y == 0.0 && v.angular.x == 0.0 && v.angular.z == 0.0);
    cr_assert(fabs(v.angular.y - 2.0) < 1e-9);
    cr_assert(tn_body_get_pose(world, body).position.y == 0.0);
    tn_world_destroy(world);
}

// The slack rope keeps the body among those that rows hold; what nothing holds takes its own path
// through the step. Its rows must not change anything, and neither must the ledger.
Test(integrate, a_slack_rope_and_the_ledger_do_not_change_a_flight) {
    for (int k = 0; k < 3; ++k) {
        double iz = k == 0 ? 0.1 : (k == 1 ? 0.25 : 0.35);
        double damping = k == 2 ? 0.3 : 0.0;
        tn_vec3 ends[3];
        tn_velocity speeds[3];
        for (int run = 0; run < 3; ++run) {
            tn_world_def world_def = tn_world_def_default();
            world_def.has_energy_ledger = run == 2;
            world_def.solver = TN_SOLVER_PGS; // which moves what hangs on a rope as it moves others
            tn_world *world = tn_world_create(&world_def, NULL);
            tn_body_id body = add_body(world, 0.1, k == 0 ? 0.1 : 0.3, iz, (tn_vec3){3.0, 4.0, 5.0},
                                       (tn_vec3){2.0, 7.0, 1.0});
            tn_body_set_damping(world, body, (float)damping, (float)damping);
            if (run == 1) {
                tn_distance_joint_def rope = tn_distance_joint_def_default();
                rope.base.body_b = body;
                rope.is_rigid = false;
                rope.limit = (tn_limit){.is_enabled = true, .lower = 0.0f, .upper = 1000.0f};
                cr_assert(tn_distance_joint_create(world, &rope).value != 0);
            }
            for (int i = 0; i < 60; ++i) {
                tn_world_step(world, 1.0 / 60.0, 4);
            }
            ends[run] = tn_body_get_center(world, body);
            speeds[run] = tn_body_get_velocity(world, body);
            tn_world_destroy(world);
        }
        tn_vec3 a = speeds[0].angular, b = speeds[1].angular, c = speeds[2].angular;
        // Round-off: the free body turns by one long turn about L where the other takes four.
        cr_assert(distance(a, b) < 1e-12, "case %d: %g", k, distance(a, b));
        cr_assert(a.x == c.x && a.y == c.y && a.z == c.z, "case %d", k);
        for (int run = 1; run < 3; ++run) {
            cr_assert(ends[run].x == ends[0].x && ends[run].y == ends[0].y &&
                          ends[run].z == ends[0].z,
                      "case %d", k);
        }
    }
}
