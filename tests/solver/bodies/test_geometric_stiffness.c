// Tests of solver/bodies/geometric_stiffness.c: chains of light links with heavy ends, and what is
// added.
#include <tenon/tenon.h>

#include <criterion/criterion.h>
#include <math.h>

#include "joints/kind.h"
#include "solver/solver.h"

#define LINKS 20

// Links of 1 kg and 0.5 m from the world along x, with a ball of `mass` at the end. Returns the
// largest joint error of ten seconds, m.
static double drop_chain(double mass) {
    tn_world_def world_def = tn_world_def_default();
    world_def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&world_def, NULL);
    tn_body_id previous = {0};
    for (int i = 0; i <= LINKS; ++i) {
        bool is_end = i == LINKS;
        tn_body_def def = tn_body_def_default();
        double m = is_end ? mass : 1.0, r = 0.2;
        double along = is_end ? 0.4 * m * r * r : 0.05 * 0.05 / 6.0;
        double across = is_end ? along : (0.5 * 0.5 + 0.05 * 0.05) / 12.0;
        def.has_mass = true;
        def.mass.mass = m;
        def.mass.inertia = (tn_mat3_symmetric){along, across, across, 0.0, 0.0, 0.0};
        def.pose.position.x = is_end ? 0.5 * LINKS + r : 0.25 + 0.5 * i;
        tn_body_id body = tn_body_create(world, &def);
        tn_ball_joint_def joint = tn_ball_joint_def_default();
        tn_vec3 anchor = {0.5 * i, 0.0, 0.0};
        tn_vec3 axis = {1.0, 0.0, 0.0};
        cr_assert(tn_joint_def_set_frames(world, &joint.base, previous, body, anchor, axis));
        tn_ball_joint_create(world, &joint);
        previous = body;
    }
    double worst = 0.0;
    for (int i = 0; i < 600; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
        worst = fmax(worst, tn_world_get_telemetry(world).worst_joint_linear);
    }
    tn_world_destroy(world);
    return worst;
}

// Without the added inertia the gaps are 7 m and 60 m: the links shake apart. What is left is what
// Gauss-Seidel does not converge on.
Test(geometric_stiffness, a_chain_with_a_heavy_end_does_not_shake_apart) {
    double thousand = drop_chain(1000.0), ten_thousand = drop_chain(10000.0);
    cr_assert(thousand < 0.5, "1000:1 opens by %g m", thousand);
    cr_assert(ten_thousand < 4.0, "10000:1 opens by %g m", ten_thousand);
}

// ---- what is added -----------------------------------------------------------------------------

// -K is how the torque of a force changes as the body turns: by differences, made symmetric.
static void find_stiffness(tni_dvec3 arm, tni_dvec3 force, double out[3][3]) {
    double k[3][3];
    for (int c = 0; c < 3; ++c) {
        const double step = 1e-6;
        tni_dvec3 d = {c == 0 ? step : 0.0, c == 1 ? step : 0.0, c == 2 ? step : 0.0};
        tni_dvec3 turn = dvec3_cross(dvec3_cross(d, arm), force);
        k[0][c] = -turn.x / step;
        k[1][c] = -turn.y / step;
        k[2][c] = -turn.z / step;
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[i][j] = 0.5 * (k[i][j] + k[j][i]);
        }
    }
}

// Takes out the direction along which the stiffness is negative, between arm and force, if that is
// more than `most`.
static void drop_negative(tni_dvec3 arm, tni_dvec3 force, double most, double k[3][3]) {
    tni_dvec3 e = dvec3_add(dvec3_scale(arm, 1.0 / dvec3_length(arm)),
                            dvec3_scale(force, 1.0 / dvec3_length(force)));
    e = dvec3_scale(e, 1.0 / dvec3_length(e));
    const double n[3] = {e.x, e.y, e.z};
    double turned[3] = {0.0}, value = 0.0;
    for (int i = 0; i < 9; ++i) {
        turned[i / 3] += k[i / 3][i % 3] * n[i % 3];
    }
    for (int i = 0; i < 3; ++i) {
        value += n[i] * turned[i];
    }
    cr_assert(value <= 1e-9);
    for (int i = 0; i < 3; ++i) {
        cr_assert(fabs(turned[i] - value * n[i]) < 1e-6 * dvec3_length(arm) * dvec3_length(force));
    }
    for (int i = 0; i < 9 && -value > most; ++i) {
        k[i / 3][i % 3] -= value * n[i / 3] * n[i % 3];
    }
}

// A ball of moment I with a joint at the arm r: beyond I of h^2 r.F the share of it is added that
// is beyond, and below nothing. On body a the impulse on b acts with the other sign.
Test(geometric_stiffness, adds_the_change_of_torque_with_the_turn_beyond_its_onset) {
    for (int k = 0; k < 12; ++k) {
        const double moment = 0.02, h = 1.0 / 240.0;
        tni_dmat3 inertia = {{{moment, 0.0, 0.0}, {0.0, moment, 0.0}, {0.0, 0.0, moment}}};
        tni_inertia principal = tni_inertia_make(&inertia);
        tni_body_mass masses[2] = {{.inertia = &principal}, {.inertia = &principal}};
        bool is_of_b = k % 2 == 0, is_loaded = k % 3 != 0;
        masses[is_of_b ? 1 : 0].is_dynamic = true;
        tni_body_motion motions[2] = {{.rotation = dquat_make(0.1, 0.2, 0.3, 0.9)},
                                      {.rotation = dquat_make(-0.4, 0.2, 0.6, 0.3)}};
        motions[0].rotation = dquat_normalize(motions[0].rotation);
        motions[1].rotation = dquat_normalize(motions[1].rotation);
        tni_dmat3 added[2] = {{{{0.0}}}, {{{0.0}}}};
        bool has_added[2] = {false, false};
        tni_solver solver = {.dh = h,
                             .bodies.masses = masses,
                             .bodies.motions = motions,
                             .bodies.added_inertia = added,
                             .bodies.has_added_inertia = has_added};
        tni_joint joint = {.kind = &tni_distance_joint_kind,
                           .frame_a = {.position = {0.2, -0.1, 0.3}},
                           .frame_b = {.position = {-0.3, 0.25, 0.1}}};
        tni_joint_block block = {.body_a = 0, .body_b = 1, .joint = &joint};
        uint32_t body = is_of_b ? 1 : 0;
        tni_dvec3 arm = dquat_rotate(motions[body].rotation,
                                     is_of_b ? joint.frame_b.position : joint.frame_a.position);
        tni_dvec3 aside = dvec3_cross(arm, dvec3_make(0.3, -0.5, 0.7 + 0.1 * k));
        tni_dvec3 pull = dvec3_add(dvec3_scale(arm, is_loaded ? 120.0 : 40.0), aside);
        double sign = is_of_b ? 1.0 : -1.0, onset = h * dvec3_dot(arm, pull);
        tni_geometric_stiffness_add(&solver, &block, dvec3_to_float(dvec3_scale(pull, sign)));
        cr_assert(has_added[body] == (onset > moment) && !has_added[1 - body], "case %d", k);
        double wanted[3][3];
        find_stiffness(arm, pull, wanted);
        drop_negative(arm, pull, 0.5 * moment / (h * (1.0 - moment / onset)), wanted);
        for (int i = 0; i < 9 && has_added[body]; ++i) {
            double share = h * (1.0 - moment / onset) * wanted[i / 3][i % 3];
            cr_assert(fabs(added[body].m[i / 3][i % 3] - share) < 1e-5 * moment,
                      "case %d, %d: %g for %g", k, i, added[body].m[i / 3][i % 3], share);
        }
    }
}

// Whatever the direction of the force: rows of a body whose inertia it had taken away diverged, by
// a factor of 18 in each sweep.
Test(geometric_stiffness, takes_at_most_half_of_the_inertia) {
    for (int k = 0; k < 40; ++k) {
        const double moment = 1e-4;
        tni_dmat3 inertia = {{{moment, 0.0, 0.0}, {0.0, moment, 0.0}, {0.0, 0.0, moment}}};
        tni_inertia principal = tni_inertia_make(&inertia);
        tni_body_mass masses[2] = {{.inertia = &principal},
                                   {.inertia = &principal, .is_dynamic = true}};
        tni_body_motion motions[2] = {{.rotation = dquat_make(0.0, 0.0, 0.0, 1.0)},
                                      {.rotation = dquat_make(0.0, 0.0, 0.0, 1.0)}};
        tni_dmat3 added[2] = {{{{0.0}}}, {{{0.0}}}};
        bool has_added[2] = {false, false};
        tni_solver solver = {.dh = 1.0 / 240.0,
                             .bodies.masses = masses,
                             .bodies.motions = motions,
                             .bodies.added_inertia = added,
                             .bodies.has_added_inertia = has_added};
        tni_joint joint = {.kind = &tni_distance_joint_kind,
                           .frame_b = {.position = {0.3, 0.0, 0.0}}};
        tni_joint_block block = {.body_a = 0, .body_b = 1, .joint = &joint};
        double angle = 0.0392 * k; // rad, to just below a right one
        vec3s pull = dvec3_to_float(dvec3_make(50.0 * cos(angle), 50.0 * sin(angle), 0.0));
        tni_geometric_stiffness_add(&solver, &block, pull);
        cr_assert(has_added[1], "%g rad", angle);
        const double(*s)[3] = (const double(*)[3])added[1].m;
        // With half of the inertia it is positive definite.
        double x = s[0][0] + 0.501 * moment, y = s[1][1] + 0.501 * moment;
        double largest = fmax(y, s[2][2]);
        cr_assert(x > 0.0 && y > 0.0 && s[2][2] > 0.0, "%g rad", angle);
        cr_assert(x * y - s[0][1] * s[1][0] > 0.0, "%g rad", angle);
        cr_assert(fabs(s[0][2]) + fabs(s[1][2]) <= 1e-9 * largest, "%g rad", angle);
    }
}
